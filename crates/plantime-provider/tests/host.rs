//! A host of this test's own: what it sends wrongly, and how it ends, harms neither the provider nor other hosts.

#![cfg(unix)]
#![allow(missing_docs, clippy::expect_used)]

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use bytes::Bytes;
use http_body_util::Full;
use hyper::client::conn::http2::SendRequest;
use rcgen::{CertifiedKey, KeyPair};
use tokio::io::AsyncReadExt;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};
use tokio_rustls::{TlsConnector, client::TlsStream};

use common::{COOKIE, call, certified, framed, http2, long_call, pem, runtime, signal, wait_until};

mod common;

const PROVIDER: &str = env!("CARGO_BIN_EXE_terraform-provider-plantime");
const METADATA: &str = "/tfplugin6.Provider/GetMetadata";

/// A provider that runs.
struct Running {
    child: Child,
    socket: String,
    certificate: String,
}

impl Running {
    fn start(client_certificate: Option<&str>) -> Running {
        let mut command = Command::new(PROVIDER);
        command.env(COOKIE.0, COOKIE.1).env("PLUGIN_PROTOCOL_VERSIONS", "5,6").stdout(Stdio::piped());
        match client_certificate {
            Some(pem) => command.env("PLUGIN_CLIENT_CERT", pem),
            None => command.env_remove("PLUGIN_CLIENT_CERT"),
        };
        let mut child = command.spawn().expect("the provider starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
        let parts: Vec<&str> = line.trim_end().split('|').collect();
        let [one, six, unix, socket, grpc, certificate] = parts.try_into().expect("six parts");
        assert_eq!((one, six, unix, grpc), ("1", "6", "unix", "grpc"));
        Running { child, socket: socket.to_owned(), certificate: certificate.to_owned() }
    }

    /// A connection without TLS.
    async fn connect(&self) -> SendRequest<Full<Bytes>> {
        http2(tokio::net::UnixStream::connect(&self.socket).await.expect("a connection")).await
    }

    /// A connection with TLS, by a client that has this certificate or none.
    async fn secure(
        &self,
        client: Option<CertifiedKey<KeyPair>>,
    ) -> std::io::Result<TlsStream<tokio::net::UnixStream>> {
        let mut roots = RootCertStore::empty();
        let der = STANDARD_NO_PAD.decode(&self.certificate).expect("base64");
        roots.add(CertificateDer::from(der)).expect("a certificate");
        let config = ClientConfig::builder().with_root_certificates(roots);
        let mut config = match client {
            None => config.with_no_client_auth(),
            Some(client) => {
                let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(client.signing_key.serialize_der()));
                config.with_client_auth_cert(vec![client.cert.der().clone()], key).expect("a key")
            }
        };
        config.alpn_protocols = vec![b"h2".to_vec()];
        let stream = tokio::net::UnixStream::connect(&self.socket).await?;
        let name = ServerName::try_from("localhost").expect("a name");
        let mut stream = TlsConnector::from(Arc::new(config)).connect(name, stream).await?;
        // With TLS 1.3 a refusal comes after the client's side is done: the first bytes of HTTP/2 tell.
        let mut first = [0];
        stream.read_exact(&mut first).await?;
        Ok(stream)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if let Some(directory) = std::path::Path::new(&self.socket).parent() {
            let _ = std::fs::remove_dir_all(directory);
        }
    }
}

/// Calls a method; returns the status and the body.
async fn send(host: &SendRequest<Full<Bytes>>, path: &str, frame: Bytes) -> (String, Bytes) {
    let answer = call(host, path, frame).await;
    (answer.status, answer.body)
}

#[test]
fn without_a_host_a_sentence_says_so() {
    let output = Command::new(PROVIDER).env_remove(COOKIE.0).output().expect("the provider starts");
    assert!(!output.status.success());
    assert!(output.stdout.is_empty());
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("This program is a provider"));
}

#[test]
fn garbage_is_refused_and_other_calls_are_answered() {
    let provider = Running::start(None);
    for garbage in [
        &b"GET / HTTP/1.1\r\n\r\n"[..],
        b"\0\xff\0\xff",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\xff\xff\xff\xff\xff",
    ] {
        let mut stream = UnixStream::connect(&provider.socket).expect("a connection");
        stream.write_all(garbage).expect("the bytes are sent");
        stream.shutdown(std::net::Shutdown::Write).expect("the end is sent");
        // The provider ends the connection: reading does not hang.
        let _ = stream.read_to_end(&mut Vec::new());
    }
    // A client that says nothing stays connected meanwhile.
    let _silent = UnixStream::connect(&provider.socket).expect("a connection");
    runtime().block_on(async {
        let host = provider.connect().await;
        let host = &host;
        let status = |path, body| async move { send(host, path, body).await.0 };
        assert_eq!(status(METADATA, framed(b"")).await, "0");
        assert_eq!(status(METADATA, Bytes::from_static(b"\0\0")).await, "3");
        assert_eq!(status("/tfplugin6.Provider/CallFunction", framed(b"\xff")).await, "3");
        assert_eq!(status("/tfplugin6.Provider/ListResource", framed(b"")).await, "12");
        assert_eq!(status("/tfplugin6.Provider/PlanAction", framed(b"")).await, "12");
        assert_eq!(status("/other", framed(b"")).await, "12");
        assert_eq!(
            send(host, "/grpc.health.v1.Health/Check", framed(b"")).await,
            ("0".to_owned(), framed(b"\x08\x01"))
        );
    });
}

#[test]
fn two_hundred_calls_run_in_parallel() {
    let provider = Running::start(None);
    runtime().block_on(async {
        let host = provider.connect().await;
        let calls: Vec<_> = (0..200)
            .map(|_| {
                let host = host.clone();
                tokio::spawn(
                    async move { send(&host, "/tfplugin6.Provider/GetFunctions", framed(b"")).await },
                )
            })
            .collect();
        for call in calls {
            assert_eq!(call.await.expect("an answer").0, "0");
        }
    });
}

#[test]
fn requests_up_to_64_mib_are_read_and_larger_ones_are_an_error() {
    let provider = Running::start(None);
    let method = "/tfplugin6.Provider/CallFunction";
    runtime().block_on(async {
        let host = provider.connect().await;
        // The answer is larger than the request, as it names the function: it is not sent, and says why.
        assert_eq!(send(&host, method, framed(&long_call(64 << 20))).await.0, "8");
        let (status, answer) = send(&host, method, framed(&long_call((64 << 20) - 1000))).await;
        assert_eq!((status.as_str(), answer.len() > 60 << 20), ("0", true));
        assert_eq!(send(&host, method, framed(&long_call((64 << 20) + 1))).await.0, "8");
        assert_eq!(send(&host, METADATA, framed(b"")).await.0, "0");
    });
}

#[test]
fn only_the_host_with_the_named_certificate_is_served() {
    let host = certified();
    let provider = Running::start(Some(&pem(host.cert.der())));
    runtime().block_on(async {
        assert!(provider.secure(None).await.is_err());
        assert!(provider.secure(Some(certified())).await.is_err());
        assert!(provider.secure(Some(host)).await.is_ok());
    });
}

#[test]
fn the_provider_ends_when_the_host_says_goodbye() {
    let mut provider = Running::start(None);
    runtime().block_on(async {
        let host = provider.connect().await;
        assert_eq!(send(&host, "/plugin.GRPCController/Shutdown", framed(b"")).await.0, "0");
    });
    wait_until("the provider still runs", || provider.child.try_wait().is_ok_and(|status| status.is_some()));
    assert!(provider.child.wait().is_ok_and(|status| status.success()));
    assert!(!std::path::Path::new(&provider.socket).exists());
}

#[test]
fn an_interrupt_in_the_terminal_is_left_to_the_host() {
    let mut provider = Running::start(None);
    signal("INT", provider.child.id());
    std::thread::sleep(Duration::from_millis(300));
    assert!(provider.child.try_wait().is_ok_and(|status| status.is_none()));
    runtime().block_on(async {
        let host = provider.connect().await;
        assert_eq!(send(&host, METADATA, framed(b"")).await.0, "0");
    });
}

#[test]
fn the_provider_ends_when_its_host_is_killed() {
    // The shell is the host: it starts the provider, and ends without a word when it is killed.
    let script = format!("'{PROVIDER}' & wait");
    let mut shell = Command::new("sh");
    shell
        .args(["-c", &script])
        .env(COOKIE.0, COOKIE.1)
        .env_remove("PLUGIN_CLIENT_CERT")
        .stdout(Stdio::piped());
    let mut shell = shell.spawn().expect("a shell");
    let mut line = String::new();
    BufReader::new(shell.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
    let socket = line.split('|').nth(3).expect("a socket").to_owned();
    assert!(std::path::Path::new(&socket).exists());
    shell.kill().expect("the shell is killed");
    shell.wait().expect("the shell ends");
    wait_until("the provider still runs", || !std::path::Path::new(&socket).exists());
}
