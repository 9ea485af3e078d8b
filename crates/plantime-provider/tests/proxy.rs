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
use hyper::client::conn::http2::SendRequest;
use hyper_util::rt::{TokioExecutor, TokioIo};

use common::{
    COOKIE, IDLE_FACTS, call, certified, framed, http2, long_call, pem, runs, runtime, signal, wait_until,
};

mod common;

const PROXY: &str = env!("CARGO_BIN_EXE_plantime-proxy");
const PROVIDER: &str = env!("CARGO_BIN_EXE_terraform-provider-plantime");
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

/// The proxy between the host and this provider.
fn standing(program: PathBuf) -> Command {
    let mut proxy = Command::new(PROXY);
    proxy.args(IDLE_FACTS).arg("--").arg(program);
    proxy
}

/// A connection without TLS to the socket in a line.
async fn connect(line: &str) -> SendRequest<Full<Bytes>> {
    let socket = line.split('|').nth(3).expect("a socket");
    http2(tokio::net::UnixStream::connect(socket).await.expect("a connection")).await
}

/// Sends a message to a method; returns the status, its text and the body.
async fn send(host: &SendRequest<Full<Bytes>>, method: &str, message: &[u8]) -> (String, String, Bytes) {
    let answer = call(host, &format!("/tfplugin6.Provider/{method}"), framed(message)).await;
    (answer.status, answer.message, answer.body)
}

#[test]
fn a_host_connects_to_the_provider_itself_where_nothing_is_assumed_or_recorded() {
    for options in [&["--no-catalogue"][..], &["--provider", "acme/demo"]] {
        let script = Script::new("direct");
        let (mut proxy, line) = start(Command::new(PROXY).args(options).arg("--").arg(script.program()));
        let provider = script.process();
        let own = |process: u32| {
            // A unix socket is known by the process that listens on it.
            let socket = line.split('|').nth(3).expect("a socket");
            let number = std::fs::read_to_string("/proc/net/unix").expect("sockets");
            let number = number.lines().find(|line| line.ends_with(socket)).expect("the socket");
            let number = number.split_whitespace().nth(6).expect("an inode").to_owned();
            let files = std::fs::read_dir(format!("/proc/{process}/fd")).expect("files");
            let mut files = files.flatten().filter_map(|file| std::fs::read_link(file.path()).ok());
            files.any(|file| file.to_str() == Some(&format!("socket:[{number}]")))
        };
        assert!(own(provider) && !own(proxy.id()));
        runtime().block_on(async {
            let host = connect(&line).await;
            assert_eq!(send(&host, "GetMetadata", b"").await.0, "0");
            assert_eq!(call(&host, "/plugin.GRPCController/Shutdown", framed(b"")).await.status, "0");
        });
        // The proxy ends with the provider.
        assert!(proxy.wait().expect("the proxy ends").success());
        assert!(!runs(provider));
    }
}

#[test]
fn a_call_to_a_provider_that_was_killed_says_so() {
    let script = Script::new("killed");
    let (mut proxy, line) = start(&mut standing(script.program()));
    runtime().block_on(async {
        let host = connect(&line).await;
        assert_eq!(send(&host, "GetMetadata", b"").await.0, "0");
        signal("KILL", script.process());
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
    let (mut proxy, line) = start(&mut standing(script.program()));
    runtime().block_on(async {
        let host = connect(&line).await;
        let (status, _, answer) = send(&host, "CallFunction", &long_call((64 << 20) - 1000)).await;
        assert_eq!((status.as_str(), answer.len() > 60 << 20), ("0", true));
        // The provider refuses what is larger; its answer passes through as well.
        assert_eq!(send(&host, "CallFunction", &long_call((64 << 20) + 1)).await.0, "8");
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
    let (mut proxy, line) = start(standing("echo".into()).arg("1|6|unix|/no/such|grpc|"));
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

#[test]
fn a_provider_with_another_certificate_than_it_named_is_refused() {
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD_NO_PAD;
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
    // It names a certificate although it was not asked for one, so it is started again, with the proxy's; the socket of the process
    // that was ended is removed.
    let own = directory.join("own");
    let line = format!("1|6|unix|{}|grpc|{}", own.display(), STANDARD_NO_PAD.encode(named.cert.der()));
    let script = announcing("certificate", &line);
    let text = std::fs::read_to_string(script.program()).expect("a script");
    let link = format!("#!/bin/sh\nln '{}' '{}'\n", socket.display(), own.display());
    std::fs::write(script.program(), text.replace("#!/bin/sh\n", &link)).expect("a script");
    let mut command = standing(script.program());
    command.env(COOKIE.0, COOKIE.1).env("PLUGIN_PROTOCOL_VERSIONS", "5,6");
    let started = Instant::now();
    let output = command.env("PLUGIN_CLIENT_CERT", pem(host.cert.der())).output().expect("it starts");
    assert!(!output.status.success() && started.elapsed() < Duration::from_secs(20));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("does not answer at") && text.contains("invalid peer certificate"), "{text}");
    assert!(!accepted.join().expect("the listener ends"));
    std::fs::remove_dir_all(&directory).expect("the directory is there");
}

/// How often the proxy starts a provider for a host that has TLS, and the certificate and the folder that it gives it.
fn starts(name: &str, variables: &[(&str, &str)], script_does: &str) -> Vec<String> {
    let script = Script::new(name);
    let note = script.0.join("started");
    let first = format!(
        "#!/bin/sh\necho \"${{PLUGIN_CLIENT_CERT:+certificate}} $PLUGIN_UNIX_SOCKET_DIR\" >> '{}'\n{script_does}\n",
        note.display()
    );
    let text = std::fs::read_to_string(script.program()).expect("a script");
    std::fs::write(script.program(), text.replace("#!/bin/sh\n", &first)).expect("a script");
    let host = certified();
    let mut proxy = standing(script.program());
    proxy
        .env(COOKIE.0, COOKIE.1)
        .env("PLUGIN_PROTOCOL_VERSIONS", "6")
        .env("PLUGIN_CLIENT_CERT", pem(host.cert.der()));
    proxy.envs(variables.iter().copied());
    let mut proxy = proxy.stdout(Stdio::piped()).spawn().expect("it starts");
    let mut line = String::new();
    BufReader::new(proxy.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
    let parts: Vec<&str> = line.trim_end().split('|').collect();
    // The host has its own TLS in any case.
    assert!(parts.get(5).is_some_and(|certificate| !certificate.is_empty()), "{line}");
    let socket = Path::new(parts.get(3).expect("an address"));
    let noted = std::fs::read_to_string(&note).expect("the script ran");
    let folder = socket.parent().map(|folder| folder.display().to_string()).unwrap_or_default();
    let shown =
        |line: &str| if folder.is_empty() { line.to_owned() } else { line.replace(&folder, "FOLDER") };
    let noted = noted.lines().map(shown).collect();
    if parts.get(2) == Some(&"unix") {
        use std::os::unix::fs::PermissionsExt;

        let mode = std::fs::metadata(&folder).expect("a folder").permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }
    proxy.kill().expect("the proxy is killed");
    proxy.wait().expect("the proxy ends");
    if !folder.is_empty() {
        std::fs::remove_dir_all(&folder).expect("the folder is there");
    }
    noted
}

#[test]
fn a_provider_that_no_other_user_reaches_is_asked_for_no_tls() {
    assert_eq!(starts("private", &[], ""), [" FOLDER"]);
    // An older provider does not know the variable. Only this user may write to its socket.
    assert_eq!(starts("older", &[], "unset PLUGIN_UNIX_SOCKET_DIR"), [" FOLDER"]);
}

#[test]
fn a_provider_that_other_users_reach_has_tls() {
    let open = "unset PLUGIN_UNIX_SOCKET_DIR; umask 0";
    assert_eq!(starts("open", &[], open), [" FOLDER", "certificate FOLDER"]);
    let over_tcp = starts("tcp", &[("PLUGIN_UNIX_SOCKET_DIR", "/nowhere")], "");
    assert_eq!(over_tcp, [" /nowhere", "certificate /nowhere"]);
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
    let (mut proxy, line) = start(&mut standing(script.program()));
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
        let started = tokio::task::spawn_blocking(move || start(&mut standing(program)));
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
