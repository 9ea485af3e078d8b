use std::sync::Mutex;

use bytes::{BufMut, Bytes, BytesMut};

use super::call::Interest;
use super::frame::{self, Event, HEAD, PREFACE, Reader};
use super::{Exchange, Observer, Relay};
use crate::proxy::hpack::Block;

mod any_frames;
mod ends;
mod waiting;
mod windows;

/// Is interested in the method `Kept`, and in `OfType` for the type `t`.
#[derive(Default)]
pub(super) struct Watching {
    unanswered: Mutex<Vec<String>>,
}

impl Observer for Watching {
    fn interest(&self, path: &str) -> Interest {
        match path {
            "/Kept" => Interest::Everything,
            "/OfType" => Interest::OfType,
            _ => Interest::Nothing,
        }
    }

    fn is_of_interest(&self, type_name: &str) -> bool {
        type_name == "t"
    }

    fn unanswered(&self, text: &str) {
        self.unanswered.lock().expect("no panic").push(text.to_owned());
    }
}

/// A relay and both of its peers, played by hand.
struct Played {
    relay: Relay<Watching>,
    host: Reader,
    provider: Reader,
}

impl Played {
    /// After the first bytes of both sides.
    fn new() -> Played {
        let mut played =
            Played { relay: Relay::new(Watching::default()), host: Reader::new(), provider: Reader::new() };
        assert!(played.relay.host_sent(PREFACE));
        assert_eq!(&*played.relay.to_provider.split(), PREFACE);
        played.host_sends(frame::SETTINGS, 0, 0, b"");
        played.provider_sends(frame::SETTINGS, 0, 0, b"");
        assert_eq!((played.at_host().len(), played.at_provider().len()), (1, 1));
        played
    }

    fn host_sends(&mut self, kind: u8, flags: u8, stream: u32, payload: &[u8]) {
        let mut bytes = BytesMut::new();
        frame::write(&mut bytes, kind, flags, stream, payload);
        assert!(self.relay.host_sent(&bytes));
    }

    fn provider_sends(&mut self, kind: u8, flags: u8, stream: u32, payload: &[u8]) {
        let mut bytes = BytesMut::new();
        frame::write(&mut bytes, kind, flags, stream, payload);
        self.relay.provider_sent(&bytes);
    }

    /// The host calls a method with a message.
    fn calls(&mut self, stream: u32, path: &str, message: &[u8]) {
        let block = Block::new(&[(":method", "POST".to_owned()), (":path", path.to_owned())]).encode();
        self.host_sends(frame::HEADERS, frame::END_HEADERS, stream, &block);
        self.host_sends(frame::DATA, frame::END_STREAM, stream, &framed(message));
    }

    fn provider_headers(&mut self, stream: u32, headers: &[(&'static str, String)], is_end: bool) {
        let flags = frame::END_HEADERS | if is_end { frame::END_STREAM } else { 0 };
        self.provider_sends(frame::HEADERS, flags, stream, &Block::new(headers).encode());
    }

    /// Sends the answer of the provider to a call: its headers, one message, and its trailers.
    fn answers(&mut self, stream: u32, message: &[u8]) {
        let length = ("content-length", framed(message).len().to_string());
        self.provider_headers(stream, &[(":status", "200".to_owned()), length], false);
        self.provider_sends(frame::DATA, 0, stream, &framed(message));
        self.provider_headers(stream, &[("grpc-status", "0".to_owned())], true);
    }

    /// What has arrived at the host.
    fn at_host(&mut self) -> Vec<String> {
        let bytes = self.relay.to_host.split();
        arrived(&mut self.host, &bytes)
    }

    /// What has arrived at the provider.
    fn at_provider(&mut self) -> Vec<String> {
        let bytes = self.relay.to_provider.split();
        arrived(&mut self.provider, &bytes)
    }

    /// The one exchange that is there.
    fn exchange(&mut self) -> Exchange {
        let mut exchanges = std::mem::take(&mut self.relay.exchanges);
        assert_eq!(exchanges.len(), 1);
        exchanges.remove(0)
    }
}

/// Frames in short: kind, stream, and what is in them.
fn arrived(reader: &mut Reader, bytes: &[u8]) -> Vec<String> {
    reader.add(bytes);
    let mut found = Vec::new();
    while let Some(event) = reader.next().expect("frames") {
        found.push(match event {
            Event::Headers { stream, block, is_end, .. } => {
                let text = |bytes: &Bytes| String::from_utf8_lossy(bytes).into_owned();
                let list =
                    block.headers.iter().map(|(name, value)| format!("{}={}", text(name), text(value)));
                format!(
                    "headers {stream} {}{}",
                    list.collect::<Vec<_>>().join(","),
                    if is_end { " end" } else { "" }
                )
            }
            Event::Frame(frame) => {
                let end = if frame.kind == frame::DATA && frame.has(frame::END_STREAM) { " end" } else { "" };
                match frame.kind {
                    frame::DATA => format!("data {} {}{end}", frame.stream, frame.payload().len()),
                    frame::WINDOW_UPDATE => {
                        format!("more {} {}", frame.stream, frame.number().expect("a number"))
                    }
                    frame::RESET => format!("reset {}", frame.stream),
                    kind => format!("{kind} {} {}", frame.flags, frame.payload().len()),
                }
            }
        });
    }
    found
}

fn framed(message: &[u8]) -> Vec<u8> {
    let length = u32::try_from(message.len()).expect("a length");
    [&[0], &length.to_be_bytes()[..], message].concat()
}

/// A request about a resource type.
fn about(name: &str) -> Vec<u8> {
    [&[0x0a, u8::try_from(name.len()).expect("a short name")], name.as_bytes(), b"\x12\x01x"].concat()
}

#[test]
fn a_call_of_no_interest_passes_as_it_comes() {
    let mut played = Played::new();
    played.calls(1, "/Other", b"abc");
    assert_eq!(played.at_provider(), ["headers 1 :method=POST,:path=/Other", "data 1 8 end"]);
    played.provider_headers(1, &[(":status", "200".to_owned())], false);
    played.provider_sends(frame::DATA, 0, 1, b"\0\0\0\0\x01a");
    assert_eq!(played.at_host(), ["headers 1 :status=200", "data 1 6"]);
    played.provider_sends(frame::DATA, frame::END_STREAM, 1, b"");
    assert_eq!(played.at_host(), ["data 1 0 end"]);
    assert!(played.relay.exchanges.is_empty() && played.relay.calls.is_empty());
}

#[test]
fn an_answer_of_interest_waits_until_it_is_released_and_may_change() {
    let mut played = Played::new();
    played.calls(1, "/Kept", b"abc");
    played.answers(1, b"ab");
    assert_eq!(played.at_host(), [""; 0]);
    let exchange = played.exchange();
    assert_eq!(
        (&*exchange.path, &*exchange.request, &*exchange.answer),
        ("/Kept", &*framed(b"abc"), &*framed(b"ab"))
    );
    played.relay.release(1, framed(b"longer").into(), true);
    // Another length than the one that the provider said.
    assert_eq!(played.at_host(), ["headers 1 :status=200", "data 1 11", "headers 1 grpc-status=0 end"]);
    played.calls(3, "/Kept", b"abc");
    played.answers(3, b"ab");
    let exchange = played.exchange();
    played.relay.release(3, exchange.answer, false);
    assert_eq!(
        played.at_host(),
        ["headers 3 :status=200,content-length=7", "data 3 7", "headers 3 grpc-status=0 end"]
    );
    assert!(played.relay.calls.is_empty());
}

#[test]
fn only_answers_about_types_of_interest_are_kept() {
    let mut played = Played::new();
    for (stream, message, is_kept) in [
        (1, about("t"), true),
        (3, about("u"), false),
        (5, b"\x12\x01x".to_vec(), true),
        (7, Vec::new(), false),
    ] {
        played.calls(stream, "/OfType", &message);
        played.answers(stream, b"ab");
        assert_eq!(std::mem::take(&mut played.relay.exchanges).len(), usize::from(is_kept), "{message:?}");
        assert_eq!(played.at_host().len(), if is_kept { 0 } else { 3 });
    }
}

/// The name of the type comes in parts.
#[test]
fn a_request_may_come_byte_by_byte() {
    let mut played = Played::new();
    let block = Block::new(&[(":path", "/OfType".to_owned())]).encode();
    played.host_sends(frame::HEADERS, frame::END_HEADERS, 1, &block);
    for byte in framed(&about("t")) {
        played.host_sends(frame::DATA, 0, 1, &[byte]);
    }
    played.answers(1, b"ab");
    assert_eq!(&*played.exchange().request, &*framed(&about("t")));
}

#[test]
fn a_status_without_an_answer_passes() {
    let mut played = Played::new();
    played.calls(1, "/Kept", b"");
    played.provider_headers(1, &[(":status", "200".to_owned()), ("grpc-status", "12".to_owned())], true);
    let exchange = played.exchange();
    assert!(exchange.answer.is_empty());
    played.relay.release(1, exchange.answer, false);
    assert_eq!(played.at_host(), ["headers 1 :status=200,grpc-status=12 end"]);
}

#[test]
fn a_call_that_the_host_takes_back_is_forgotten() {
    let mut played = Played::new();
    for stream in [1, 3] {
        played.calls(stream, "/Kept", b"");
    }
    played.answers(1, b"ab");
    let _ = played.at_provider();
    played.host_sends(frame::RESET, 0, 1, &[0, 0, 0, 8]);
    played.host_sends(frame::RESET, 0, 3, &[0, 0, 0, 8]);
    assert_eq!(played.at_provider(), ["reset 1", "reset 3"]);
    let exchange = played.exchange();
    played.relay.release(1, exchange.answer, true);
    // What the provider had sent before it heard of it.
    played.provider_sends(frame::DATA, 0, 3, &[0; 16 << 10]);
    assert_eq!(played.at_host(), [""; 0]);
    // The host never gets it, so the provider may send as much again.
    assert_eq!(played.at_provider(), [format!("more 0 {}", (16 << 10) + 7)]);
}

#[test]
fn a_reset_after_an_answer_follows_it() {
    let mut played = Played::new();
    played.calls(1, "/Kept", b"");
    played.provider_headers(1, &[(":status", "200".to_owned())], false);
    played.provider_sends(frame::DATA, frame::END_STREAM, 1, &framed(b"ab"));
    played.provider_sends(frame::RESET, 0, 1, &[0; 4]);
    assert_eq!(played.at_host(), [""; 0]);
    let exchange = played.exchange();
    played.relay.release(1, exchange.answer, false);
    assert_eq!(played.at_host(), ["headers 1 :status=200", "data 1 7 end", "reset 1"]);
    // In the middle of an answer there is nothing to wait for.
    played.calls(3, "/Kept", b"");
    played.provider_headers(3, &[(":status", "200".to_owned())], false);
    played.provider_sends(frame::RESET, 0, 3, &[0; 4]);
    assert_eq!(played.at_host().last().map(String::as_str), Some("reset 3"));
}

#[test]
fn an_answer_that_is_larger_than_any_host_takes_passes_unread() {
    let mut played = Played::new();
    played.calls(1, "/Kept", b"");
    played.host_sends(frame::WINDOW_UPDATE, 0, 0, &(1_u32 << 30).to_be_bytes());
    played.host_sends(frame::WINDOW_UPDATE, 0, 1, &(1_u32 << 30).to_be_bytes());
    played.provider_headers(1, &[(":status", "200".to_owned())], false);
    let part = [0; frame::PAYLOAD_BYTES];
    let count = (65 << 20) / part.len();
    for _ in 0..count {
        played.provider_sends(frame::DATA, 0, 1, &part);
    }
    played.provider_headers(1, &[("grpc-status", "0".to_owned())], true);
    assert!(played.relay.exchanges.is_empty());
    assert_eq!(played.at_host().len(), count + 2);
    assert!(played.relay.calls.is_empty());
}

#[test]
fn headers_in_several_frames_pass_together() {
    let mut played = Played::new();
    let block = Block::new(&[(":path", "/Other".to_owned())]).encode();
    let (first, second) = block.split_at(2);
    played.host_sends(frame::HEADERS, 0, 1, first);
    // A frame of the relay's own must not come between them.
    assert!(played.relay.to_provider.is_empty());
    played.host_sends(frame::CONTINUATION, frame::END_HEADERS, 1, second);
    assert_eq!(played.relay.to_provider.len(), block.len() + 2 * HEAD);
    // Padding and priority.
    let padded = [&[2, 0, 0, 0, 0, 0][..], &block, &[0, 0]].concat();
    played.host_sends(frame::HEADERS, frame::END_HEADERS | 0x28, 3, &padded);
    assert_eq!(played.relay.calls.get(&3).map(|call| &*call.path), Some("/Other"));
    let long = "x".repeat(20_000);
    played.provider_headers(1, &[(":status", "200".to_owned())], false);
    let _ = played.at_host();
    let block = Block::new(&[("grpc-message", long.clone())]).encode();
    played.provider_sends(frame::HEADERS, frame::END_STREAM, 1, &block[..10_000]);
    played.provider_sends(frame::CONTINUATION, frame::END_HEADERS, 1, &block[10_000..]);
    assert_eq!(played.at_host(), [format!("headers 1 grpc-message={long} end")]);
}

/// A provider may quote a long error of its API: hosts take up to 16 MiB.
#[test]
fn long_headers_of_an_answer_end_no_connection() {
    let mut played = Played::new();
    for (stream, path) in [(1, "/Other"), (3, "/Kept")] {
        played.calls(stream, path, b"");
        played.provider_headers(stream, &[(":status", "200".to_owned())], false);
        let long = "x".repeat(8 << 20);
        let block = Block::new(&[("grpc-status", "13".to_owned()), ("grpc-message", long.clone())]).encode();
        let mut bytes = BytesMut::new();
        frame::write_headers(&mut bytes, stream, &block, true);
        played.relay.provider_sent(&bytes);
        for exchange in std::mem::take(&mut played.relay.exchanges) {
            played.relay.release(stream, exchange.answer, false);
        }
        let last = played.at_host().pop();
        assert!(last.is_some_and(|last| last.contains("grpc-status=13") && last.contains(&long)));
    }
    assert!(played.relay.has_provider() && played.relay.calls.is_empty());
}

#[test]
fn padding_of_an_answer_is_left_out() {
    let mut played = Played::new();
    played.calls(1, "/Other", b"");
    played.provider_headers(1, &[(":status", "200".to_owned())], false);
    let _ = (played.at_host(), played.at_provider());
    played.provider_sends(frame::DATA, 0x08, 1, &[[3].as_slice(), b"abc", &[0; 3]].concat());
    assert_eq!(
        (played.at_host(), played.at_provider()),
        (vec!["data 1 3".to_owned()], vec!["more 1 4".to_owned()])
    );
}

#[test]
fn a_provider_that_is_gone_answers_each_call_with_a_status() {
    let mut played = Played::new();
    played.calls(1, "/Other", b"");
    played.calls(3, "/Other", b"");
    played.calls(5, "/Kept", b"");
    played.provider_headers(3, &[(":status", "200".to_owned())], false);
    let _ = played.at_host();
    played.relay.fail("the connection ended");
    let text = "the provider behind plantime-proxy does not answer: the connection ended";
    let whole = |stream: u32| {
        format!(
            "headers {stream} :status=200,content-type=application/grpc,grpc-status=14,grpc-message={text} end"
        )
    };
    // The settings of the host were not acknowledged. The second call has had headers.
    let second = format!("headers 3 grpc-status=14,grpc-message={text} end");
    assert_eq!(played.at_host(), ["4 1 0".to_owned(), whole(1), second, whole(5)]);
    // A stream of the plugin's output ends with it, which is nothing to report.
    played.calls(9, "/plugin.GRPCStdio/StreamStdio", b"");
    assert_eq!(played.at_host(), [whole(9)]);
    played.calls(7, "/Other", b"");
    played.host_sends(frame::PING, 0, 0, &[7; 8]);
    assert_eq!(played.at_host(), [whole(7), "6 1 8".to_owned()]);
    assert_eq!(played.relay.observer.unanswered.lock().expect("no panic").len(), 4);
    assert!(played.relay.to_provider.is_empty() || !played.relay.has_provider());
}

#[test]
fn garbage_of_the_provider_is_a_failure_and_garbage_of_the_host_the_end() {
    let mut played = Played::new();
    played.calls(1, "/Other", b"");
    played.relay.provider_sent(b"HTTP/1.1 400 Bad Request\r\n\r\n");
    assert!(!played.relay.has_provider());
    assert!(played.at_host().last().is_some_and(|last| last.contains("what it sent is not HTTP/2")));
    assert!(!Relay::new(Watching::default()).host_sent(b"GET / HTTP/1.1\r\n"));
    for (kind, payload) in [
        // Headers that are none, an update of three bytes, half a setting, headers that nothing precedes.
        (frame::HEADERS, &b"\xff"[..]),
        (frame::WINDOW_UPDATE, b"abc"),
        (frame::SETTINGS, b"abc"),
        (frame::CONTINUATION, b""),
        (frame::PUSH_PROMISE, b""),
    ] {
        let mut played = Played::new();
        let mut bytes = BytesMut::new();
        frame::write(&mut bytes, kind, frame::END_HEADERS, 0, payload);
        assert!(!played.relay.host_sent(&bytes), "{kind}");
    }
    // A frame that is longer than the peer allows.
    let mut played = Played::new();
    assert!(!played.relay.host_sent(&[0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 1]));
    // Headers without an end.
    let mut played = Played::new();
    played.host_sends(frame::HEADERS, 0, 1, b"");
    let mut bytes = BytesMut::new();
    for _ in 0..=frame::BLOCK_BYTES / 10_000 {
        frame::write(&mut bytes, frame::CONTINUATION, 0, 1, &[0; 10_000]);
    }
    assert!(!played.relay.host_sent(&bytes));
}

#[test]
fn a_large_table_of_headers_is_not_allowed() {
    let mut played = Played::new();
    let mut settings = BytesMut::new();
    settings.put_u16(1);
    settings.put_u32(u32::MAX);
    settings.put_u16(9);
    settings.put_u32(7);
    played.host_sends(frame::SETTINGS, 0, 0, &settings);
    let passed = played.relay.to_provider.split();
    assert_eq!(passed.get(HEAD..), Some(&[0, 1, 0, 1, 0, 0, 0, 9, 0, 0, 0, 7][..]));
    assert_eq!(passed.first_chunk::<3>(), Some(&[0, 0, 12]));
}

/// A host counts by a larger window only when its settings are acknowledged, by a smaller one perhaps at once.
#[test]
fn a_larger_window_counts_when_the_host_hears_that_it_is_acknowledged() {
    let window = |size: u32| [&[0, 4][..], &size.to_be_bytes()].concat();
    for path in ["/Other", "/Kept"] {
        let mut played = Played::new();
        // The settings that `Played` began with.
        played.provider_sends(frame::SETTINGS, frame::ACK, 0, b"");
        played.host_sends(frame::WINDOW_UPDATE, 0, 0, &1_000_000_u32.to_be_bytes());
        played.host_sends(frame::SETTINGS, 0, 0, &window(1000));
        played.calls(1, path, b"");
        played.answers(1, &[0; 5000]);
        for exchange in std::mem::take(&mut played.relay.exchanges) {
            played.relay.release(1, exchange.answer, false);
        }
        let sent = |played: &mut Played| {
            let arrived = played.at_host();
            arrived
                .into_iter()
                .filter(|event| event.starts_with("data") || event.starts_with('4'))
                .collect::<Vec<_>>()
        };
        assert_eq!(sent(&mut played), ["4 1 0", "data 1 1000"], "{path}");
        for size in [3000, 2000] {
            played.host_sends(frame::SETTINGS, 0, 0, &window(size));
        }
        assert_eq!(sent(&mut played), [""; 0], "{path}");
        // Of 3000 and 2000, the smaller one counts as long as both may.
        played.provider_sends(frame::SETTINGS, frame::ACK, 0, b"");
        assert_eq!(sent(&mut played), ["4 1 0"], "{path}");
        played.provider_sends(frame::SETTINGS, frame::ACK, 0, b"");
        assert_eq!(sent(&mut played), ["4 1 0", "data 1 1000"], "{path}");
        played.host_sends(frame::SETTINGS, 0, 0, &window(10_000));
        played.provider_sends(frame::SETTINGS, frame::ACK, 0, b"");
        assert_eq!(sent(&mut played), ["4 1 0"], "{path}");
        played.provider_sends(frame::SETTINGS, frame::ACK, 0, b"");
        assert_eq!(sent(&mut played), ["4 1 0", "data 1 3005"], "{path}");
    }
}

#[test]
fn a_goodbye_is_noticed_when_it_is_answered() {
    let mut played = Played::new();
    played.calls(1, "/plugin.GRPCController/Shutdown", b"");
    assert!(!played.relay.is_goodbye);
    played.answers(1, b"");
    assert!(played.relay.is_goodbye);
}
