//! The proxy under a host of this test's own: whoever is killed, no provider stays behind.

#![cfg(target_os = "linux")]
#![allow(missing_docs, clippy::expect_used)]

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::Request;
use hyper::client::conn::http2::{SendRequest, handshake};
use hyper_util::rt::{TokioExecutor, TokioIo};

const PROXY: &str = env!("CARGO_BIN_EXE_plantime-proxy");
const PROVIDER: &str = env!("CARGO_BIN_EXE_terraform-provider-plantime");
const COOKIE: (&str, &str) =
    ("TF_PLUGIN_MAGIC_COOKIE", "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2");

/// A shell script that says which process it is, and becomes the provider.
struct Script(PathBuf);

impl Script {
    fn new(name: &str) -> Script {
        use std::os::unix::fs::PermissionsExt;

        let directory = std::env::temp_dir().join(format!("plantime-proxy-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&directory).expect("a directory");
        let script = directory.join("provider");
        let text = format!("#!/bin/sh\necho $$ > '{}/pid'\nexec '{PROVIDER}'\n", directory.display());
        std::fs::write(&script, text).expect("a script");
        std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).expect("permissions");
        Script(directory)
    }

    fn program(&self) -> PathBuf {
        self.0.join("provider")
    }

    /// The process of the provider.
    fn process(&self) -> u32 {
        let text = std::fs::read_to_string(self.0.join("pid")).expect("the script ran");
        text.trim().parse().expect("a number")
    }
}

impl Drop for Script {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Whether a process runs: it exists and has not ended.
fn runs(process: u32) -> bool {
    let status = std::fs::read_to_string(Path::new("/proc").join(process.to_string()).join("stat"));
    status.is_ok_and(|status| !status.contains(") Z "))
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(10), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Starts a command as a host does, and reads the first line that it prints.
fn start(command: &mut Command) -> (Child, String) {
    command.env(COOKIE.0, COOKIE.1).env("PLUGIN_PROTOCOL_VERSIONS", "5,6").env_remove("PLUGIN_CLIENT_CERT");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
    (child, line)
}

#[test]
fn a_proxy_that_is_killed_leaves_no_provider() {
    let script = Script::new("proxy");
    let (mut proxy, line) = start(Command::new(PROXY).arg("--").arg(script.program()));
    assert!(line.starts_with("1|6|unix|"), "{line}");
    let provider = script.process();
    assert!(runs(provider));
    proxy.kill().expect("the proxy is killed");
    proxy.wait().expect("the proxy ends");
    wait_until("the provider still runs", || !runs(provider));
}

#[test]
fn killing_the_host_ends_the_proxy_and_the_provider() {
    let script = Script::new("host");
    // The shell is the host: it starts the proxy, and ends without a word when it is killed.
    let call = format!("'{PROXY}' -- '{}' & echo $! >&2; wait", script.program().display());
    let (mut shell, line) = start(Command::new("sh").args(["-c", &call]));
    let socket = line.split('|').nth(3).expect("a socket").to_owned();
    let provider = script.process();
    shell.kill().expect("the shell is killed");
    shell.wait().expect("the shell ends");
    wait_until("the provider still runs", || !runs(provider));
    wait_until("the proxy still runs", || !Path::new(&socket).exists());
}

/// A connection to the proxy without TLS.
async fn connect(line: &str) -> SendRequest<Full<Bytes>> {
    let socket = line.split('|').nth(3).expect("a socket");
    let stream = tokio::net::UnixStream::connect(socket).await.expect("a connection");
    let (sender, connection) = handshake(TokioExecutor::new(), TokioIo::new(stream)).await.expect("HTTP/2");
    tokio::spawn(connection);
    sender
}

/// Sends a message to a method; returns the status, its text and the body.
async fn send(host: &SendRequest<Full<Bytes>>, method: &str, message: &[u8]) -> (String, String, Bytes) {
    let length = u32::try_from(message.len()).expect("a length");
    let body = Full::new([&[0], &length.to_be_bytes()[..], message].concat().into());
    let request = Request::post(format!("http://localhost/tfplugin6.Provider/{method}"));
    let request = request.header("content-type", "application/grpc").body(body).expect("a request");
    let (head, body) = host.clone().send_request(request).await.expect("a response").into_parts();
    let body = body.collect().await.expect("a body");
    let trailers = body.trailers().cloned().unwrap_or_default();
    let header = |name: &str| {
        let value = head.headers.get(name).or_else(|| trailers.get(name));
        value.map(|value| value.to_str().expect("text").to_owned()).unwrap_or_default()
    };
    (header("grpc-status"), header("grpc-message"), body.to_bytes())
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime")
}

#[test]
fn a_call_to_a_provider_that_was_killed_says_so() {
    let script = Script::new("killed");
    let (mut proxy, line) = start(Command::new(PROXY).arg("--").arg(script.program()));
    runtime().block_on(async {
        let host = connect(&line).await;
        assert_eq!(send(&host, "GetMetadata", b"").await.0, "0");
        let killed = Command::new("sh").args(["-c", &format!("kill -KILL {}", script.process())]).status();
        assert!(killed.is_ok_and(|status| status.success()));
        let (status, text, _) = send(&host, "GetMetadata", b"").await;
        assert_eq!(status, "14");
        assert!(text.starts_with("the provider behind plantime-proxy does not answer: "), "{text}");
    });
    proxy.kill().expect("the proxy is killed");
    proxy.wait().expect("the proxy ends");
}

#[test]
fn messages_of_64_mib_and_many_calls_at_once_pass_through() {
    let script = Script::new("large");
    let (mut proxy, line) = start(Command::new(PROXY).arg("--").arg(script.program()));
    // A call of the function with this long name, which the answer repeats: field 1, its length in four bytes, the name.
    let message = |length: usize| {
        let name = length - 5;
        let digit = |place: usize| u8::try_from((name >> (7 * place)) & 0x7f).expect("seven bits");
        let mut message = vec![0x0a, digit(0) | 0x80, digit(1) | 0x80, digit(2) | 0x80, digit(3)];
        message.resize(length, b'a');
        message
    };
    runtime().block_on(async {
        let host = connect(&line).await;
        let (status, _, answer) = send(&host, "CallFunction", &message((64 << 20) - 1000)).await;
        assert_eq!((status.as_str(), answer.len() > 60 << 20), ("0", true));
        // The provider refuses what is larger; its answer passes through as well.
        assert_eq!(send(&host, "CallFunction", &message((64 << 20) + 1)).await.0, "8");
        let calls: Vec<_> = (0..200)
            .map(|_| {
                let host = host.clone();
                tokio::spawn(async move { send(&host, "GetFunctions", b"").await.0 })
            })
            .collect();
        for call in calls {
            assert_eq!(call.await.expect("an answer"), "0");
        }
    });
    proxy.kill().expect("the proxy is killed");
    proxy.wait().expect("the proxy ends");
}

#[test]
fn what_prints_garbage_is_no_provider() {
    let mut command = Command::new(PROXY);
    command.args(["--", "echo", "1|7|unix|/tmp/x|grpc|"]);
    let (mut proxy, line) = start(&mut command);
    let expected = "plantime-proxy: echo did not start as a provider. It printed \"1|7|unix|/tmp/x|grpc|\"";
    assert_eq!(line.trim_end(), expected);
    assert!(!proxy.wait().expect("the proxy ends").success());
    let mut text = String::new();
    proxy.stderr.take().expect("a pipe").read_to_string(&mut text).expect("text");
    assert!(text.contains(expected), "{text}");
}

#[test]
fn a_socket_that_nobody_listens_on_is_named() {
    let (mut proxy, line) = start(Command::new(PROXY).args(["--", "echo", "1|6|unix|/no/such|grpc|"]));
    assert!(line.starts_with("plantime-proxy: echo does not answer at /no/such: "), "{line}");
    assert!(!proxy.wait().expect("the proxy ends").success());
}

#[test]
fn without_a_host_a_sentence_says_so() {
    let output = Command::new(PROXY).args(["--", "echo"]).env_remove(COOKIE.0).output().expect("it starts");
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("This program is a provider"));
}

/// A shell script that prints the line of a provider which listens elsewhere, and stays.
fn announcing(name: &str, line: &str) -> Script {
    let script = Script::new(name);
    std::fs::write(script.program(), format!("#!/bin/sh\necho '{line}'\nexec sleep 60\n")).expect("a script");
    script
}

/// A certificate and its key.
fn certified() -> rcgen::CertifiedKey<rcgen::KeyPair> {
    let signing_key = rcgen::KeyPair::generate().expect("a key");
    let parameters = rcgen::CertificateParams::new(vec!["localhost".to_owned()]).expect("parameters");
    rcgen::CertifiedKey { cert: parameters.self_signed(&signing_key).expect("a certificate"), signing_key }
}

#[test]
fn a_provider_with_another_certificate_than_it_named_is_refused() {
    use base64::Engine;
    use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
    use tokio_rustls::rustls::ServerConfig;
    use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};

    let (named, actual, host) = (certified(), certified(), certified());
    let directory = std::env::temp_dir().join(format!("plantime-certificate-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a directory");
    let socket = directory.join("socket");
    let listener = std::os::unix::net::UnixListener::bind(&socket).expect("a socket");
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(actual.signing_key.serialize_der()));
    let config = ServerConfig::builder()
        .with_no_client_auth()
        .with_single_cert(vec![actual.cert.der().clone()], key)
        .expect("a certificate");
    let accepted = std::thread::spawn(move || {
        runtime().block_on(async {
            listener.set_nonblocking(true).expect("a socket");
            let listener = tokio::net::UnixListener::from_std(listener).expect("a socket");
            let (stream, _) = listener.accept().await.expect("a connection");
            tokio_rustls::TlsAcceptor::from(std::sync::Arc::new(config)).accept(stream).await.is_ok()
        })
    });
    let line = format!("1|6|unix|{}|grpc|{}", socket.display(), STANDARD_NO_PAD.encode(named.cert.der()));
    let script = announcing("certificate", &line);
    let pem = STANDARD.encode(host.cert.der());
    let pem = format!("-----BEGIN CERTIFICATE-----\n{pem}\n-----END CERTIFICATE-----\n");
    let mut command = Command::new(PROXY);
    command.arg("--").arg(script.program()).env(COOKIE.0, COOKIE.1).env("PLUGIN_PROTOCOL_VERSIONS", "5,6");
    let started = Instant::now();
    let output = command.env("PLUGIN_CLIENT_CERT", pem).output().expect("it starts");
    assert!(!output.status.success() && started.elapsed() < Duration::from_secs(20));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("does not answer at") && text.contains("invalid peer certificate"), "{text}");
    assert!(!accepted.join().expect("the listener ends"));
    std::fs::remove_dir_all(&directory).expect("the directory is there");
}

#[test]
fn a_provider_that_sends_garbage_is_named_and_ends_nothing_else() {
    let directory = std::env::temp_dir().join(format!("plantime-garbage-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a directory");
    let socket = directory.join("socket");
    let listener = std::os::unix::net::UnixListener::bind(&socket).expect("a socket");
    std::thread::spawn(move || {
        use std::io::Write;

        let (mut stream, _) = listener.accept().expect("a connection");
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n\xff\xff\xff").expect("the bytes are sent");
        let _ = stream.read_to_end(&mut Vec::new());
    });
    let script = announcing("garbage", &format!("1|6|unix|{}|grpc|", socket.display()));
    let (mut proxy, line) = start(Command::new(PROXY).arg("--").arg(script.program()));
    runtime().block_on(async {
        let host = connect(&line).await;
        let (status, text, _) = send(&host, "GetMetadata", b"").await;
        assert_eq!(status, "14");
        assert!(text.starts_with("the provider behind plantime-proxy does not answer: "), "{text}");
    });
    proxy.kill().expect("the proxy is killed");
    proxy.wait().expect("the proxy ends");
    std::fs::remove_dir_all(&directory).expect("the directory is there");
}

#[test]
fn a_log_on_a_full_disk_ends_no_provider() {
    let full = std::fs::File::options().write(true).open("/dev/full").expect("the device");
    let mut command = Command::new(PROVIDER);
    command.env(COOKIE.0, COOKIE.1).env("PLUGIN_PROTOCOL_VERSIONS", "6").env_remove("PLUGIN_CLIENT_CERT");
    command.env("TF_LOG", "trace").stdout(Stdio::piped()).stderr(full);
    let mut provider = command.spawn().expect("it starts");
    let mut line = String::new();
    BufReader::new(provider.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
    runtime().block_on(async {
        let host = connect(&line).await;
        assert_eq!(send(&host, "GetMetadata", b"").await.0, "0");
        assert_eq!(send(&host, "GetFunctions", b"").await.0, "0");
    });
    provider.kill().expect("the provider is killed");
    provider.wait().expect("the provider ends");
}

/// A provider that answers a call with several messages: it sends the second one when it is told to.
async fn streaming(listener: tokio::net::UnixListener, go_on: tokio::sync::oneshot::Receiver<()>) {
    use hyper::body::Frame;
    use hyper::{HeaderMap, Response, service::service_fn};

    let (stream, _) = listener.accept().await.expect("a connection");
    let go_on = std::sync::Mutex::new(Some(go_on));
    let service = service_fn(move |_| {
        let go_on = go_on.lock().expect("no panic").take().expect("one call");
        let (sender, body) = http_body_util::channel::Channel::<Bytes>::new(4);
        tokio::spawn(async move {
            let mut sender = sender;
            sender.send_data(Bytes::from_static(b"\0\0\0\0\x01a")).await.expect("it is sent");
            go_on.await.expect("the first message was read");
            sender.send_data(Bytes::from_static(b"\0\0\0\0\x01b")).await.expect("it is sent");
            let trailers = HeaderMap::from_iter([(
                "grpc-status".parse().expect("a name"),
                "0".parse().expect("a value"),
            )]);
            sender.send(Frame::trailers(trailers)).await.expect("it is sent");
        });
        async move { Ok::<_, std::convert::Infallible>(Response::new(body)) }
    });
    let connection = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
    let _ = connection.serve_connection(TokioIo::new(stream), service).await;
}

#[test]
fn messages_of_a_stream_pass_as_they_come() {
    let directory = std::env::temp_dir().join(format!("plantime-stream-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a directory");
    let socket = directory.join("socket");
    let script = announcing("stream", &format!("1|6|unix|{}|grpc|", socket.display()));
    runtime().block_on(async {
        let listener = tokio::net::UnixListener::bind(&socket).expect("a socket");
        let (go_on, told) = tokio::sync::oneshot::channel();
        tokio::spawn(streaming(listener, told));
        let program = script.program();
        let started = tokio::task::spawn_blocking(move || start(Command::new(PROXY).arg("--").arg(program)));
        let (mut proxy, line) = started.await.expect("it starts");
        let mut host = connect(&line).await;
        let request = Request::post("http://localhost/tfplugin6.Provider/ListResource");
        let request = request.header("content-type", "application/grpc");
        let request = request.body(Full::new(Bytes::from_static(b"\0\0\0\0\0"))).expect("a request");
        let mut body = host.send_request(request).await.expect("a response").into_body();
        let first = body.frame().await.expect("a frame").expect("a message").into_data().expect("data");
        assert_eq!(first, Bytes::from_static(b"\0\0\0\0\x01a"));
        // The second message is sent only now: the proxy has not waited for it.
        go_on.send(()).expect("the provider waits");
        let rest = body.collect().await.expect("the rest");
        assert_eq!(
            rest.trailers().and_then(|trailers| trailers.get("grpc-status").cloned()),
            Some("0".parse().expect("a value"))
        );
        assert_eq!(rest.to_bytes(), Bytes::from_static(b"\0\0\0\0\x01b"));
        proxy.kill().expect("the proxy is killed");
        proxy.wait().expect("the proxy ends");
    });
    std::fs::remove_dir_all(&directory).expect("the directory is there");
}
