use std::sync::Arc;

use bytes::Bytes;

use super::{Exchanges, Interest, Observer, Recorder, Resources, fitting};
use crate::diagnostic::Severity;
use crate::grpc::{HEAD, MESSAGE_BYTES};
use crate::handshake::{Protocol, read_line};
use crate::proxy::child::Dialer;

#[test]
fn an_amended_answer_is_sent_where_a_host_takes_it() {
    let answer = Bytes::from_static(b"as it was");
    assert_eq!(fitting(None, answer.clone()), (answer.clone(), false));
    let largest = Bytes::from(vec![0; MESSAGE_BYTES]);
    let (sent, is_changed) = fitting(Some(largest), answer.clone());
    assert_eq!((sent.len(), is_changed), (MESSAGE_BYTES + HEAD, true));
    let too_large = Bytes::from(vec![0; MESSAGE_BYTES + 1]);
    assert_eq!(fitting(Some(too_large), answer.clone()), (answer, false));
}

/// Of a method that is not known nobody can tell whether it is a stream, whose messages must not wait for its end.
#[test]
fn a_recording_reads_the_messages_of_known_methods_only() {
    let file = std::env::temp_dir().join(format!("plantime-record-{}", std::process::id()));
    let recorder = Recorder::open(&file).expect("a file");
    let announcement = read_line("1|6|tcp|127.0.0.1:1|grpc").expect("a line");
    let dialer = Dialer::new(&announcement, None).expect("a dialer");
    let resources = Resources::new(dialer, Protocol::V6, None);
    let exchanges = Arc::new(Exchanges::new(resources, Severity::Warning, Some(recorder)));
    for (path, interest) in [
        ("/tfplugin6.Provider/PlanResourceChange", Interest::Everything),
        ("/tfplugin5.Provider/GetSchema", Interest::Everything),
        ("/tfplugin6.Provider/ListResource", Interest::Nothing),
        ("/tfplugin6.Provider/WatchResource", Interest::Nothing),
        ("/grpc.health.v1.Health/Check", Interest::Nothing),
    ] {
        assert_eq!(exchanges.interest(path), interest, "{path}");
    }
    let lines = std::fs::read_to_string(&file).expect("lines");
    std::fs::remove_file(&file).expect("a file");
    assert_eq!(lines.lines().count(), 2, "{lines}");
    assert!(lines.contains("WatchResource"), "{lines}");
}
