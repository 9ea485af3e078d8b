//! Both peers are hyper's, which end the connection where a window is not kept to.

use std::sync::Arc;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::client::conn::http2::SendRequest;
use hyper::service::service_fn;
use hyper::{HeaderMap, Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo};

use super::{Interest, Observer, Watching, about, framed};
use crate::proxy::splice::{Finishing, splice};

impl Observer for Arc<Watching> {
    fn interest(&self, path: &str) -> Interest {
        Watching::interest(self, path)
    }

    fn is_of_interest(&self, type_name: &str) -> bool {
        Watching::is_of_interest(self, type_name)
    }

    fn unanswered(&self, text: &str) {
        Watching::unanswered(self, text);
    }
}

/// What an answer that was kept becomes: its bytes, as many more, and its length apart.
fn changed(answer: &[u8]) -> Bytes {
    framed(&[answer, &vec![b'+'; answer.len().saturating_add(1)]].concat()).into()
}

/// The sizes of a host's windows, for one call and for all.
#[derive(Clone, Copy)]
struct Windows {
    call: u32,
    all: u32,
    /// How large the channels between the parties are.
    channel: usize,
}

/// A host behind the splice, which is connected to a provider that answers with as many bytes as the request says.
async fn host(windows: Windows) -> SendRequest<Full<Bytes>> {
    let host = connected(windows);
    let mut builder = hyper::client::conn::http2::Builder::new(TokioExecutor::new());
    builder.initial_stream_window_size(windows.call).initial_connection_window_size(windows.all);
    let (sender, connection) = builder.handshake(TokioIo::new(host)).await.expect("HTTP/2");
    tokio::spawn(connection);
    sender
}

/// The end of a host of such a connection.
fn connected(windows: Windows) -> tokio::io::DuplexStream {
    let (host, to_host) = tokio::io::duplex(windows.channel);
    let (provider, to_provider) = tokio::io::duplex(windows.channel);
    tokio::spawn(async move {
        let finish = |exchange: super::Exchange| -> Finishing {
            // Some exchanges take their time.
            Box::pin(async move {
                if exchange.stream.is_multiple_of(3) {
                    tokio::task::yield_now().await;
                }
                (changed(&exchange.answer), true)
            })
        };
        splice(to_host, to_provider, Arc::new(Watching::default()), &finish, &|| {}).await;
    });
    tokio::spawn(async move {
        let service = service_fn(|request: Request<Incoming>| async move {
            let size = request.headers()["size"].to_str().expect("text").parse().expect("a number");
            let request = request.into_body().collect().await.expect("a request");
            assert!(!request.to_bytes().is_empty());
            let mut trailers = HeaderMap::new();
            trailers.insert("grpc-status", "0".parse().expect("a value"));
            let body = Full::new(Bytes::from(vec![b'a'; size]));
            let body =
                body.with_trailers(std::future::ready(Some(Ok::<_, std::convert::Infallible>(trailers))));
            Ok::<_, std::convert::Infallible>(Response::new(body))
        });
        let server = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
        let _ = server.serve_connection(TokioIo::new(provider), service).await;
    });
    host
}

/// Calls a method; returns what comes and whether a status follows it.
async fn call(mut host: SendRequest<Full<Bytes>>, path: &str, message: &[u8], size: usize) -> (Bytes, bool) {
    let request = Request::post(format!("http://localhost{path}")).header("size", size);
    let request = request.body(Full::new(Bytes::from(framed(message)))).expect("a request");
    let body = host.send_request(request).await.expect("a response").into_body();
    let body = body.collect().await.expect("a body");
    let has_status = body.trailers().is_some_and(|trailers| trailers.contains_key("grpc-status"));
    (body.to_bytes(), has_status)
}

pub(super) fn run(test: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let limit = std::time::Duration::from_secs(60);
    runtime.block_on(async { tokio::time::timeout(limit, test).await.expect("nothing waits for ever") });
}

const WINDOWS: [Windows; 4] = [
    Windows { call: 1, all: 65_535, channel: 100 },
    Windows { call: 1000, all: 65_535, channel: 1 << 16 },
    Windows { call: 65_535, all: 65_535, channel: 1 << 16 },
    Windows { call: 4 << 20, all: 4 << 20, channel: 1 << 20 },
];

#[test]
fn answers_of_every_size_arrive_whole() {
    for windows in WINDOWS {
        run(async move {
            let host = host(windows).await;
            for size in [0, 1, 100, 16_384, 16_385, 70_000, 300_000] {
                // A window of one byte needs a frame for each.
                if size > 1000 && windows.call == 1 {
                    continue;
                }
                let answer = vec![b'a'; size];
                assert_eq!(call(host.clone(), "/Other", b"", size).await, (answer.clone().into(), true));
                assert_eq!(call(host.clone(), "/Kept", b"", size).await, (changed(&answer), true));
                assert_eq!(call(host.clone(), "/OfType", &about("t"), size).await, (changed(&answer), true));
                assert_eq!(call(host.clone(), "/OfType", &about("u"), size).await, (answer.into(), true));
            }
        });
    }
}

/// The host is the one of the crate h2, which ends the connection where more arrives than it allows. It changes the size of its windows
/// again and again while an answer arrives, up and down.
#[test]
fn a_host_that_changes_its_windows_gets_no_more_than_it_allows() {
    for channel in [1000, 1 << 16] {
        for path in ["/Other", "/Kept"] {
            for sizes in
                [&[131_070_u32, 262_140, 524_280, 1 << 20][..], &[1000, 200_000, 16_384, 65_535, 300_000]]
            {
                run(changing(channel, path, sizes));
            }
        }
    }
}

/// Reads a large answer with windows of changing sizes.
async fn changing(channel: usize, path: &str, sizes: &[u32]) {
    const SIZE: usize = 1 << 20;
    let io = connected(Windows { call: 0, all: 0, channel });
    let (mut host, mut connection) = h2::client::handshake(io).await.expect("HTTP/2");
    let request = Request::post(format!("http://localhost{path}")).header("size", SIZE);
    let request = request.body(()).expect("a request");
    let (answer, mut sending) = host.send_request(request, false).expect("a call");
    sending.send_data(framed(b"").into(), true).expect("a message");
    let (changes, mut changed_sizes) = tokio::sync::mpsc::unbounded_channel();
    let driver = tokio::spawn(async move {
        loop {
            tokio::select! {
                ended = &mut connection => return ended,
                Some(size) = changed_sizes.recv() => {
                    // One change after the other: a second one while the first is open is not offered by the crate.
                    let _ = connection.set_initial_window_size(size);
                }
            }
        }
    });
    let mut body = answer.await.expect("a response").into_body();
    let (mut arrived, mut frames) = (0, 0_usize);
    let mut next_size = sizes.iter().cycle();
    loop {
        let waiting = std::time::Duration::from_millis(50);
        let Ok(next) = tokio::time::timeout(waiting, body.data()).await else {
            // The crate tells the other side what it has released only when more is: after a change to smaller windows that may be never.
            body.flow_control().release_capacity(0).expect("a window");
            continue;
        };
        let Some(part) = next else { break };
        let part = part.unwrap_or_else(|error| panic!("{path}, {sizes:?} after {arrived} bytes: {error}"));
        arrived = usize::saturating_add(arrived, part.len());
        frames = frames.saturating_add(1);
        if frames.is_multiple_of(5) {
            changes.send(*next_size.next().expect("a cycle")).expect("a connection");
        }
        // The window of all calls is large, so that those of the call count.
        body.flow_control().release_capacity(part.len()).expect("a window");
    }
    let expected = if path == "/Kept" { changed(&vec![b'a'; SIZE]).len() } else { SIZE };
    assert_eq!(arrived, expected);
    assert!(frames > 20);
    drop(host);
    driver.abort();
}

/// Calls of both kinds at once, of which the host takes some back: what was kept, sent or given up never leaves less of a window.
#[test]
fn many_calls_at_once_share_the_windows() {
    for windows in WINDOWS {
        run(async move {
            let host = host(windows).await;
            let largest = if windows.call == 1 { 50 } else { 120_000 };
            let mut seed = 7_usize;
            for _ in 0..4 {
                let mut calls = Vec::new();
                for number in 0..40 {
                    seed =
                        seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    let size = (seed >> 33) % largest;
                    let path = if seed >> 40 & 1 == 0 { "/Kept" } else { "/Other" };
                    let host = host.clone();
                    let task = tokio::spawn(async move { (path, size, call(host, path, b"", size).await) });
                    if number % 8 == 5 {
                        tokio::task::yield_now().await;
                        task.abort();
                    } else {
                        calls.push(task);
                    }
                }
                for call in calls {
                    let (path, size, answer) = call.await.expect("an answer");
                    let sent = vec![b'a'; size];
                    let expected = if path == "/Kept" { changed(&sent) } else { sent.into() };
                    assert_eq!(answer, (expected, true));
                }
            }
            // More than a window of all that the provider believes in is left.
            let size = largest * 3;
            assert_eq!(call(host, "/Other", b"", size).await.0.len(), size);
        });
    }
}
