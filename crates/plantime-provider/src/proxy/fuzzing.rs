//! What the fuzz targets check of the proxy, which stands between a host and a provider whatever they send.
//!
//! | target | what holds of any bytes |
//! |---|---|
//! | `proxy_frames` | nothing panics; what a side sends passes in the same way however it is cut; what goes to the host is HTTP/2; the output is not out of all proportion |
//! | `proxy_headers` | nothing panics; headers that are read are read from what is written of them, by a decoder of another connection |

use bytes::{Bytes, BytesMut};

use super::hpack::{Block, Decoder};
use super::relay::{Exchange, Interest, Observer, Relay};

/// A check of any input.
type Check = fn(&[u8]);

/// The checks, by the name of the target.
pub const TARGETS: [(&str, Check); 2] = [("proxy_frames", frames), ("proxy_headers", decode_blocks)];

/// How many bytes an input may become for each of its own: an index of one byte stands for a text of a table of 4096 bytes, which is
/// written in full.
const GROWTH: usize = 5000;

/// Keeps every other answer.
struct Watching;

impl Observer for Watching {
    fn interest(&self, path: &str) -> Interest {
        match path.len() % 3 {
            0 => Interest::Everything,
            1 => Interest::OfType,
            _ => Interest::Nothing,
        }
    }

    fn is_of_interest(&self, type_name: &str) -> bool {
        type_name.len().is_multiple_of(2)
    }

    fn unanswered(&self, _: &str) {}
}

/// A relay, and what it has sent to the host.
struct Played {
    relay: Relay<Watching>,
    at_host: BytesMut,
    at_provider: usize,
    /// Whether the host still sends HTTP/2.
    goes_on: bool,
}

impl Played {
    fn new() -> Played {
        let mut relay = Relay::new(Watching);
        let goes_on = relay.host_sent(super::relay::PREFACE);
        Played { relay, at_host: BytesMut::new(), at_provider: 0, goes_on }
    }

    /// Sends bytes of a side in pieces of this size, and goes on with what was kept.
    fn send(&mut self, is_of_host: bool, bytes: &[u8], piece: usize) {
        for piece in bytes.chunks(piece.max(1)) {
            match is_of_host {
                true => self.goes_on = self.goes_on && self.relay.host_sent(piece),
                false => self.relay.provider_sent(piece),
            }
        }
        for Exchange { stream, answer, .. } in std::mem::take(&mut self.relay.exchanges) {
            let longer = [&answer[..], b"+"].concat();
            self.relay.release(stream, Bytes::from(longer), true);
        }
        self.at_host.extend_from_slice(&self.relay.to_host.split());
        self.at_provider = self.at_provider.saturating_add(self.relay.to_provider.split().len());
    }
}

/// Both sides send any bytes: each part begins with a byte that says which side, and how many bytes follow.
fn frames(input: &[u8]) {
    let (mut whole, mut cut) = (Played::new(), Played::new());
    let mut rest = input;
    while let Some((head, after)) = rest.split_first() {
        let size = usize::from(head >> 1).min(after.len());
        let (part, left) = after.split_at(size);
        rest = left;
        whole.send(head & 1 == 1, part, part.len());
        cut.send(head & 1 == 1, part, 1);
        assert_eq!(whole.goes_on, cut.goes_on);
        if !whole.goes_on {
            break;
        }
    }
    assert_eq!(whole.at_host, cut.at_host);
    assert_eq!(whole.relay.has_provider(), cut.relay.has_provider());
    let most = input.len().saturating_mul(GROWTH).saturating_add(1 << 20);
    assert!(
        whole.at_host.len() <= most && whole.at_provider <= most,
        "{} of {}",
        whole.at_host.len(),
        input.len()
    );
    assert!(super::relay::is_http2(&whole.at_host));
}

/// Decodes the blocks of headers of one connection, and encodes each again. In the input a byte before each block is its length.
fn decode_blocks(input: &[u8]) {
    let mut decoder = Decoder::new();
    let mut rest = input;
    while let Some((size, after)) = rest.split_first() {
        let (block, left) = after.split_at(usize::from(*size).min(after.len()));
        rest = left;
        // What cannot be read ends a connection.
        let Some(read) = decoder.decode(block) else { return };
        let again: Option<Block> = Decoder::new().decode(&read.encode());
        assert_eq!(again.map(|again| again.headers), Some(read.headers));
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// What was found before, and what the targets begin with.
    #[test]
    fn seeds_of_the_fuzz_targets_hold() {
        let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds");
        for (target, check) in TARGETS {
            let folder = std::fs::read_dir(seeds.join(target)).expect("a folder of seeds");
            let files: Vec<_> = folder.flatten().map(|entry| entry.path()).collect();
            assert!(files.len() >= 3, "{target}");
            for file in files {
                check(&std::fs::read(file).expect("a seed"));
            }
        }
    }

    #[test]
    fn any_bytes_hold() {
        let mut seed = 7_u64;
        let mut next = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            seed.to_be_bytes()[0]
        };
        for round in 0..3000_u16 {
            // Small bytes make more frames and indexes that are there.
            let input: Vec<u8> =
                (0..200).map(|_| if round % 2 == 0 { next() } else { next() % 16 }).collect();
            for (_, check) in TARGETS {
                check(&input);
            }
        }
    }
}
