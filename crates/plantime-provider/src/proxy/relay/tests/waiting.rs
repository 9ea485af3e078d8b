//! Answers that are kept longer than the host's windows allow.

use super::super::frame;
use super::{Played, framed};
use crate::proxy::hpack::Block;

/// The provider answers with so many bytes as far as it believes that it may; returns how many these are.
fn answers_within_windows(played: &mut Played, room: &mut usize, stream: u32, size: usize) -> usize {
    played.provider_headers(stream, &[(":status", "200".to_owned())], false);
    let answer = framed(&vec![b'a'; size]);
    let mut rest = &answer[..];
    while !rest.is_empty() && *room > 0 {
        let (part, left) = rest.split_at(rest.len().min(frame::PAYLOAD_BYTES).min(*room));
        played.provider_sends(frame::DATA, 0, stream, part);
        rest = left;
        *room = room.saturating_sub(part.len()).saturating_add(allowed(played));
    }
    if rest.is_empty() {
        played.provider_headers(stream, &[("grpc-status", "0".to_owned())], true);
    }
    answer.len().saturating_sub(rest.len())
}

/// How much more the provider has been allowed of all answers.
fn allowed(played: &mut Played) -> usize {
    let arrived = played.at_provider();
    let updates = arrived.iter().filter_map(|event| event.strip_prefix("more 0 "));
    updates.map(|more| more.parse::<usize>().expect("a number")).sum()
}

/// A long answer waits for the window of its own call, whether the host takes it back or not: what the host takes of all answers is then
/// for the others.
#[test]
fn an_answer_that_waits_for_its_own_window_stops_no_other() {
    for is_taken_back in [false, true] {
        let mut played = Played::new();
        let mut room = 65_535;
        played.calls(1, "/Kept", b"");
        played.calls(3, "/Kept", b"");
        let whole = framed(&[0; 300_000]).len();
        assert_eq!(answers_within_windows(&mut played, &mut room, 1, 300_000), whole);
        let exchange = played.exchange();
        played.relay.release(1, exchange.answer, false);
        assert!(!played.at_host().is_empty());
        // The host has read what it took.
        played.host_sends(frame::WINDOW_UPDATE, 0, 0, &65_535_u32.to_be_bytes());
        if is_taken_back {
            played.host_sends(frame::RESET, 0, 1, &[0, 0, 0, 8]);
        }
        room += allowed(&mut played);
        assert_eq!(answers_within_windows(&mut played, &mut room, 3, 300_000), whole, "{is_taken_back}");
        assert_eq!(played.exchange().answer.len(), whole);
    }
}

/// The answer begins before the end of its request, which becomes too long to be kept.
#[test]
fn what_was_kept_of_an_answer_passes_when_its_request_is_too_long() {
    let mut played = Played::new();
    let block = Block::new(&[(":path", "/Kept".to_owned())]).encode();
    played.host_sends(frame::HEADERS, frame::END_HEADERS, 1, &block);
    played.provider_headers(1, &[(":status", "200".to_owned())], false);
    played.provider_sends(frame::DATA, 0, 1, &framed(b"ab"));
    assert_eq!(played.at_host(), [""; 0]);
    for _ in 0..=(64 << 20) / frame::PAYLOAD_BYTES {
        played.host_sends(frame::DATA, 0, 1, &[0; frame::PAYLOAD_BYTES]);
        played.relay.to_provider.clear();
    }
    assert_eq!(played.at_host(), ["headers 1 :status=200", "data 1 7"]);
    played.provider_headers(1, &[("grpc-status", "0".to_owned())], true);
    assert_eq!(played.at_host(), ["headers 1 grpc-status=0 end"]);
}
