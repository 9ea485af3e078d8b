//! Peers that keep to nothing.

use bytes::BytesMut;

use super::super::Relay;
use super::super::frame::{self, Event, PREFACE, Reader};
use super::{Watching, about, framed};
use crate::proxy::hpack::Block;

/// Frames of most kinds, some cut, from both sides in any order, about four calls: nothing panics, what goes to the host is HTTP/2 and stays
/// within its window of all answers, and no more than these calls are kept. The windows of single calls are kept to in `windows`.
#[test]
fn any_frames_in_any_order_harm_nothing() {
    let mut seed = 1_u64;
    let mut next = |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    let mut total = (0, 0);
    for _ in 0..400 {
        let mut relay = Relay::new(Watching::default());
        assert!(relay.host_sent(PREFACE));
        let (mut granted, mut sent) = (65_535_i64, 0_i64);
        let mut at_host = Reader::new();
        for (stream, path) in [(1, "/Kept"), (3, "/OfType"), (5, "/Other"), (7, "/Kept")] {
            let mut bytes = BytesMut::new();
            frame::write_headers(
                &mut bytes,
                stream,
                &Block::new(&[(":path", path.to_owned())]).encode(),
                false,
            );
            frame::write(&mut bytes, frame::DATA, 0, stream, &framed(&about("t")));
            assert!(relay.host_sent(&bytes));
        }
        for _ in 0..60 {
            let kind =
                [0, 0, 0, 0, 0, 0, 1, 1, 2, 3, 4, 6, 7, 8, 8, 20][usize::try_from(next(16)).expect("small")];
            // What nothing precedes ends a connection at once.
            let kind = if next(100) == 0 { 5 + 4 * u8::try_from(next(2)).expect("small") } else { kind };
            let flags =
                u8::try_from((next(8) / 7) | (next(4) / 2 * 4) | (next(200) / 199 * 8)).expect("a byte");
            let stream =
                if matches!(kind, 4 | 6 | 7) { 0 } else { u32::try_from(next(4) * 2 + 1).expect("small") };
            let stream = if kind == 8 && next(2) == 0 { 0 } else { stream };
            let path = ["/Kept", "/OfType", "/Other"][usize::try_from(next(3)).expect("small")];
            let size = usize::try_from(next(3) * next(3000)).expect("small");
            let payload = match kind {
                0 => [framed(&about("t")), vec![7; size]].concat(),
                1 | 9 if next(100) > 0 => {
                    Block::new(&[(":path", path.to_owned()), ("a", "b".repeat(size / 100))]).encode()
                }
                3 | 8 => u32::try_from(next(70_000) + 1).expect("a number").to_be_bytes().to_vec(),
                4 => [
                    &[0, u8::try_from(next(7)).expect("a byte")][..],
                    &u32::try_from(next(100_000) + 16_384).expect("a number").to_be_bytes(),
                ]
                .concat(),
                6 => vec![1; 8],
                _ => vec![0; usize::try_from(next(20)).expect("small")],
            };
            total.0 += 1;
            let mut bytes = BytesMut::new();
            frame::write(&mut bytes, kind, flags, stream, &payload);
            let is_cut = next(200) == 0;
            let bytes = if is_cut { &bytes[..bytes.len() / 2] } else { &bytes[..] };
            let from_host = next(2) == 0;
            if from_host && kind == 8 && stream == 0 && !is_cut {
                granted += i64::from(u32::from_be_bytes(payload[..4].try_into().expect("four bytes")));
            }
            if from_host {
                if !relay.host_sent(bytes) {
                    break;
                }
            } else {
                relay.provider_sent(bytes);
            }
            for exchange in std::mem::take(&mut relay.exchanges) {
                let longer = [&exchange.answer, &[1; 100][..]].concat();
                relay.release(exchange.stream, longer.into(), true);
            }
            at_host.add(&relay.to_host.split());
            while let Some(event) = at_host.next().expect("what the relay sends is HTTP/2") {
                if let Event::Frame(frame) = event
                    && frame.kind == frame::DATA
                {
                    sent += i64::try_from(frame.payload().len()).expect("a length");
                }
            }
            assert!(sent <= granted, "{sent} of {granted}");
            assert!(relay.calls.values().all(|call| call.queued() >= 0) && relay.calls.len() <= 4);
        }
        total.1 += sent;
    }
    // Most connections last, and answers pass.
    assert!(total.0 > 8_000 && total.1 > 300_000, "{total:?}");
}
