//! Providers that end in the middle of a call.

use bytes::BytesMut;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};

use super::super::frame::{self, PREFACE, Reader};
use super::windows::run;
use super::{Watching, arrived, framed};
use crate::proxy::hpack::Block;
use crate::proxy::splice::{Finishing, splice};

/// A setting that allows an answer of a MiB.
const LARGE_WINDOW: [u8; 6] = [0, 4, 0, 16, 0, 0];

/// Both sides of a splice that nobody reads or writes for.
fn peers() -> (DuplexStream, DuplexStream) {
    let (host, to_host) = tokio::io::duplex(4 << 20);
    let (provider, to_provider) = tokio::io::duplex(4 << 20);
    tokio::spawn(async move {
        let finish =
            |exchange: super::Exchange| -> Finishing { Box::pin(async move { (exchange.answer, false) }) };
        splice(to_host, to_provider, Watching::default(), &finish, &|| {}).await;
    });
    (host, provider)
}

/// What a host with large windows sends in order to call a method.
fn call(path: &str) -> BytesMut {
    let mut bytes = BytesMut::from(PREFACE);
    frame::write(&mut bytes, frame::SETTINGS, 0, 0, &LARGE_WINDOW);
    frame::write(&mut bytes, frame::WINDOW_UPDATE, 0, 0, &(1_u32 << 20).to_be_bytes());
    frame::write_headers(&mut bytes, 1, &Block::new(&[(":path", path.to_owned())]).encode(), false);
    frame::write(&mut bytes, frame::DATA, frame::END_STREAM, 1, &framed(b"abc"));
    bytes
}

/// An answer of this size.
fn answer(size: usize) -> BytesMut {
    let mut bytes = BytesMut::new();
    frame::write(&mut bytes, frame::SETTINGS, 0, 0, b"");
    frame::write_headers(&mut bytes, 1, &Block::new(&[(":status", "200".to_owned())]).encode(), false);
    for part in framed(&vec![b'a'; size]).chunks(frame::PAYLOAD_BYTES) {
        frame::write(&mut bytes, frame::DATA, 0, 1, part);
    }
    let trailers = Block::new(&[("grpc-status", "0".to_owned())]).encode();
    frame::write_headers(&mut bytes, 1, &trailers, true);
    bytes
}

/// What the host gets until the call has ended: how much of the answer, and the last frame.
async fn at_host(host: &mut DuplexStream) -> (usize, String) {
    let (mut reader, mut size) = (Reader::new(), 0);
    loop {
        let mut bytes = BytesMut::new();
        assert_ne!(host.read_buf(&mut bytes).await.expect("bytes"), 0, "the splice has ended");
        for event in arrived(&mut reader, &bytes) {
            if let Some(data) = event.strip_prefix("data 1 ") {
                let part = data.split(' ').next().and_then(|size| size.parse().ok()).expect("a size");
                size = usize::saturating_add(size, part);
            }
            if event.ends_with(" end") {
                return (size, event);
            }
        }
    }
}

/// A provider that has created something answers and is killed. That it cannot be written to any more must not lose what it said.
#[test]
fn an_answer_arrives_whole_from_a_provider_that_has_ended() {
    for path in ["/Kept", "/Other"] {
        run(async move {
            let (mut host, mut provider) = peers();
            let asked = call(path);
            host.write_all(&asked).await.expect("a request");
            // All of the request has arrived, as nothing was added and nothing left out.
            let mut request = vec![0; asked.len()];
            provider.read_exact(&mut request).await.expect("a request");
            provider.write_all(&answer(100_000)).await.expect("an answer");
            drop(provider);
            let (size, last) = at_host(&mut host).await;
            assert_eq!(
                (size, &*last),
                (framed(&[0; 100_000]).len(), "headers 1 grpc-status=0 end"),
                "{path}"
            );
            // The next call hears that the provider is gone.
            let mut bytes = BytesMut::new();
            let block = Block::new(&[(":path", "/Other".to_owned())]).encode();
            frame::write_headers(&mut bytes, 3, &block, true);
            host.write_all(&bytes).await.expect("a request");
            let (_, last) = at_host(&mut host).await;
            assert!(last.contains("grpc-status=14") && last.contains("does not answer"), "{last}");
        });
    }
}

/// What takes nothing more and does not end either is given up.
#[test]
fn a_provider_that_takes_nothing_and_sends_nothing_is_given_up() {
    run(async {
        let (mut host, to_host) = tokio::io::duplex(4 << 20);
        tokio::spawn(async move {
            let finish = |exchange: super::Exchange| -> Finishing {
                Box::pin(async move { (exchange.answer, false) })
            };
            splice(to_host, Deaf, Watching::default(), &finish, &|| {}).await;
        });
        host.write_all(&call("/Other")).await.expect("a request");
        let (_, last) = at_host(&mut host).await;
        assert!(last.contains("grpc-status=14"), "{last}");
    });
}

/// A peer that refuses what is written and never sends anything.
struct Deaf;

impl tokio::io::AsyncRead for Deaf {
    fn poll_read(
        self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
        _: &mut tokio::io::ReadBuf<'_>,
    ) -> std::task::Poll<std::io::Result<()>> {
        std::task::Poll::Pending
    }
}

impl tokio::io::AsyncWrite for Deaf {
    fn poll_write(
        self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
        _: &[u8],
    ) -> std::task::Poll<std::io::Result<usize>> {
        std::task::Poll::Ready(Err(std::io::ErrorKind::BrokenPipe.into()))
    }

    fn poll_flush(
        self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<std::io::Result<()>> {
        std::task::Poll::Ready(Ok(()))
    }

    fn poll_shutdown(
        self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<std::io::Result<()>> {
        std::task::Poll::Ready(Ok(()))
    }
}
