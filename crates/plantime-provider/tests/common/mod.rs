//! What the tests of running providers share: processes, certificates, and calls as a host makes them.

#![allow(dead_code, reason = "each program of tests uses a part")]
#![allow(clippy::arithmetic_side_effects, reason = "the numbers are those of the tests")]

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::Request;
use hyper::client::conn::http2::{Builder, SendRequest};
use hyper_util::rt::{TokioExecutor, TokioIo};
use rcgen::{CertificateParams, CertifiedKey, KeyPair, PKCS_ECDSA_P521_SHA512};
use tokio::io::{AsyncRead, AsyncWrite};

/// The variable with which a host tells a provider that it has started it.
pub(crate) const COOKIE: (&str, &str) =
    ("TF_PLUGIN_MAGIC_COOKIE", "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2");

/// Options of the proxy with a fact about no type of the provider: without any fact the host would connect to the provider itself.
pub(crate) const IDLE_FACTS: [&str; 4] =
    ["--provider", "acme/demo", "--assume", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/idle.facts")];

/// Waits until something is so, at most twenty seconds.
pub(crate) fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(20), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Whether a process runs: it exists and has not ended.
pub(crate) fn runs(process: u32) -> bool {
    let status = std::fs::read_to_string(Path::new("/proc").join(process.to_string()).join("stat"));
    status.is_ok_and(|status| !status.contains(") Z "))
}

/// Sends a signal, such as `KILL`, to a process.
pub(crate) fn signal(name: &str, process: u32) {
    let signalled = Command::new("sh").args(["-c", &format!("kill -{name} {process}")]).status();
    assert!(signalled.is_ok_and(|status| status.success()));
}

pub(crate) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime")
}

/// A certificate as hosts have it, on P-521.
pub(crate) fn certified() -> CertifiedKey<KeyPair> {
    let signing_key = KeyPair::generate_for(&PKCS_ECDSA_P521_SHA512).expect("a key");
    let parameters = CertificateParams::new(vec!["localhost".to_owned()]).expect("parameters");
    CertifiedKey { cert: parameters.self_signed(&signing_key).expect("a certificate"), signing_key }
}

/// A certificate in PEM.
pub(crate) fn pem(der: &[u8]) -> String {
    let text = STANDARD.encode(der);
    let lines: Vec<&str> =
        text.as_bytes().chunks(64).map(|line| std::str::from_utf8(line).expect("ASCII")).collect();
    format!("-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----\n", lines.join("\n"))
}

/// A connection of HTTP/2, with windows that hold the messages of these tests.
pub(crate) async fn http2(
    stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
) -> SendRequest<Full<Bytes>> {
    let connection = Builder::new(TokioExecutor::new())
        .initial_stream_window_size(4 << 20)
        .initial_connection_window_size(4 << 20)
        .handshake(TokioIo::new(stream));
    let (host, connection) = connection.await.expect("HTTP/2");
    tokio::spawn(connection);
    host
}

/// What a provider answers to a call.
pub(crate) struct Answer {
    /// The number of the gRPC status.
    pub(crate) status: String,
    /// The text of the status.
    pub(crate) message: String,
    /// The message in its frame.
    pub(crate) body: Bytes,
}

/// Calls the method at a path with a message in a frame.
pub(crate) async fn call(host: &SendRequest<Full<Bytes>>, path: &str, frame: Bytes) -> Answer {
    let request = Request::post(format!("http://localhost{path}"));
    let request = request.header("content-type", "application/grpc").header("te", "trailers");
    let response = host.clone().send_request(request.body(Full::new(frame)).expect("a request")).await;
    let (head, body) = response.expect("a response").into_parts();
    let body = body.collect().await.expect("a body");
    let trailers = body.trailers().cloned().unwrap_or_default();
    let header = |name: &str| {
        let value = head.headers.get(name).or_else(|| trailers.get(name));
        value.map(|value| value.to_str().expect("text").to_owned()).unwrap_or_default()
    };
    Answer { status: header("grpc-status"), message: header("grpc-message"), body: body.to_bytes() }
}

/// A message in a frame.
pub(crate) fn framed(message: &[u8]) -> Bytes {
    let length = u32::try_from(message.len()).expect("a length");
    [&[0], &length.to_be_bytes()[..], message].concat().into()
}

/// A message of this length that calls a function with a long name: field 1, its length in four bytes, the name.
pub(crate) fn long_call(length: usize) -> Vec<u8> {
    let name = length.saturating_sub(5);
    let digit = |shift: u32| u8::try_from(name.wrapping_shr(shift) & 0x7f).expect("seven bits");
    let mut message = vec![0x0a, digit(0) | 0x80, digit(7) | 0x80, digit(14) | 0x80, digit(21)];
    message.resize(length, b'a');
    message
}
