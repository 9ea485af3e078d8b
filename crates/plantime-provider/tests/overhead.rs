//! What the proxy adds to each call of a real provider: a measurement, not a test.
//!
//! ```sh
//! PLANTIME_WORKATO=/path/to/terraform-provider-workato cargo test --release -p plantime-provider --test overhead -- --ignored --nocapture
//! ```

#![cfg(target_os = "linux")]
#![allow(missing_docs, clippy::expect_used)]

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::Request;
use hyper::client::conn::http2::{Builder, SendRequest};
use hyper_util::rt::{TokioExecutor, TokioIo};
use plantime::{Type, Value, msgpack};
use rcgen::{CertificateParams, CertifiedKey, KeyPair, PKCS_ECDSA_P521_SHA512};
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use tokio_rustls::rustls::crypto::CryptoProvider;
use tokio_rustls::rustls::pki_types::{
    CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer, ServerName, UnixTime,
};
use tokio_rustls::rustls::{ClientConfig, DigitallySignedStruct, Error, SignatureScheme};

/// Accepts any certificate of the provider: a plugin in Go has one that is its own authority.
#[derive(Debug)]
struct Any(CryptoProvider);

impl ServerCertVerifier for Any {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn verify_tls13_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}

/// How often each call is made.
const ROUNDS: usize = 400;

/// A provider that runs, with or without the proxy before it, and a connection to it as Terraform has it: with mutual TLS.
struct Running {
    child: Child,
    host: SendRequest<Full<Bytes>>,
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

async fn start(mut command: Command) -> Running {
    let signing_key = KeyPair::generate_for(&PKCS_ECDSA_P521_SHA512).expect("a key");
    let parameters = CertificateParams::new(vec!["localhost".to_owned()]).expect("parameters");
    let host =
        CertifiedKey { cert: parameters.self_signed(&signing_key).expect("a certificate"), signing_key };
    let text = STANDARD.encode(host.cert.der());
    let lines: Vec<&str> =
        text.as_bytes().chunks(64).map(|line| std::str::from_utf8(line).expect("ASCII")).collect();
    let pem = format!("-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----\n", lines.join("\n"));
    command
        .env("TF_PLUGIN_MAGIC_COOKIE", "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2")
        .env("PLUGIN_PROTOCOL_VERSIONS", "5,6")
        .env("PLUGIN_CLIENT_CERT", pem)
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = command.spawn().expect("the provider starts");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
    let parts: Vec<&str> = line.trim_end().split('|').collect();
    assert_eq!(parts.get(1..3), Some(&["6", "unix"][..]), "{line}");
    let socket = parts.get(3).expect("a socket");
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(host.signing_key.serialize_der()));
    let mut config = ClientConfig::builder()
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(Any(
            tokio_rustls::rustls::crypto::aws_lc_rs::default_provider(),
        )))
        .with_client_auth_cert(vec![host.cert.der().clone()], key)
        .expect("a key");
    config.alpn_protocols = vec![b"h2".to_vec()];
    let stream = tokio::net::UnixStream::connect(socket).await.expect("a connection");
    let name = ServerName::try_from("localhost").expect("a name");
    let stream = TlsConnector::from(Arc::new(config)).connect(name, stream).await.expect("TLS");
    let connection = Builder::new(TokioExecutor::new())
        .initial_stream_window_size(4 << 20)
        .initial_connection_window_size(4 << 20)
        .handshake(TokioIo::new(stream));
    let (host, connection) = connection.await.expect("HTTP/2");
    tokio::spawn(connection);
    Running { child, host }
}

/// Sends a message; returns how long the answer took, and its size.
async fn send(host: &SendRequest<Full<Bytes>>, method: &str, message: &[u8]) -> (Duration, usize) {
    let length = u32::try_from(message.len()).expect("a length");
    let body = Full::new([&[0], &length.to_be_bytes()[..], message].concat().into());
    let request = Request::post(format!("http://localhost/tfplugin6.Provider/{method}"));
    let request = request.header("content-type", "application/grpc").header("te", "trailers");
    let request = request.body(body).expect("a request");
    let started = Instant::now();
    let (head, body) = host.clone().send_request(request).await.expect("a response").into_parts();
    let body = body.collect().await.expect("a body");
    let took = started.elapsed();
    let trailers = body.trailers().cloned().unwrap_or_default();
    let status = head.headers.get("grpc-status").or_else(|| trailers.get("grpc-status"));
    assert_eq!(status.map(hyper::header::HeaderValue::as_bytes), Some(&b"0"[..]), "{method}: {trailers:?}");
    (took, body.to_bytes().len())
}

/// A field of bytes or of a message, of a length below 16,384.
fn field(number: u8, content: &[u8]) -> Vec<u8> {
    let low = u8::try_from(content.len() & 0x7f).expect("seven bits") | 0x80;
    let high = u8::try_from(content.len() >> 7).expect("a short field");
    [&[number << 3 | 2, low, high], content].concat()
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times.get(times.len() / 2).map_or(0.0, |time| time.as_secs_f64() * 1e6)
}

#[test]
#[ignore = "measures, in a release build, what PLANTIME_WORKATO names"]
fn what_the_proxy_adds_to_each_call() {
    let Some(executable) = std::env::var_os("PLANTIME_WORKATO") else {
        println!("skipped: PLANTIME_WORKATO does not name terraform-provider-workato");
        return;
    };
    let facts = std::env::temp_dir().join(format!("plantime-overhead-{}.facts", std::process::id()));
    std::fs::write(&facts, "workato_folder test/workato\n  id A notnull()\n").expect("a file");
    let proxy = |options: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_plantime-proxy"));
        command.args(options).arg("--").arg(&executable);
        command
    };
    let ty: Type = FOLDER.parse().expect("a type");
    let value = |name: Value| {
        let empty = Value::null(ty.clone());
        let Type::Object(attributes) = &ty else { panic!("no object") };
        let folder = attributes.iter().map(|(attribute, ty)| {
            let value = match attribute {
                "name" => name.clone(),
                "folder_id" => Value::from(1),
                _ => Value::null(ty.clone()),
            };
            (attribute.to_owned(), value)
        });
        let folder = if name.is_null() {
            empty
        } else {
            Value::object(folder.collect::<Vec<_>>()).expect("an object")
        };
        field(1, &msgpack::to_vec(&folder, &ty).expect("a message"))
    };
    let (config, nothing) = (value(Value::from("n")), value(Value::null(Type::String)));
    let of_folder = |fields: &[(u8, &[u8])]| {
        let values = fields.iter().flat_map(|(number, content)| field(*number, content));
        field(1, b"workato_folder").into_iter().chain(values).collect::<Vec<u8>>()
    };
    let calls: [(&str, Vec<u8>); 4] = [
        ("GetProviderSchema", Vec::new()),
        ("ValidateResourceConfig", of_folder(&[(2, &config)])),
        ("PlanResourceChange", of_folder(&[(2, &nothing), (3, &config), (4, &config)])),
        ("GetMetadata", Vec::new()),
    ];
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let direct = start(Command::new(&executable)).await;
        let passing = start(proxy(&["--no-catalogue"])).await;
        let path = facts.display().to_string();
        let adding = start(proxy(&["--provider", "test/workato", "--assume", &path])).await;
        println!(
            "{:24} {:>9} {:>12} {:>12} {:>18}",
            "call", "own µs", "passed +µs", "facts +µs", "bytes of answer"
        );
        for (method, message) in &calls {
            let hosts = [&direct.host, &passing.host, &adding.host];
            let mut times = [const { Vec::new() }; 3];
            let mut size = 0;
            // In turn, so that what else the machine does disturbs all alike.
            for round in 0..ROUNDS + 20 {
                for (host, times) in hosts.iter().zip(&mut times) {
                    let (took, bytes) = send(host, method, message).await;
                    size = bytes;
                    if round >= 20 {
                        times.push(took);
                    }
                }
            }
            let [own, passed, added] = times.map(median);
            let percent = |time: f64| format!("{:.0} ({:.0} %)", time - own, (time - own) / own * 100.0);
            println!("{method:24} {own:9.0} {:>12} {:>12} {size:18}", percent(passed), percent(added));
        }
    });
    std::fs::remove_file(&facts).expect("the file is there");
}

/// The type of `workato_folder`.
const FOLDER: &str = "object({applied_name = string, created_at = string, folder_id = number, force = bool, id = string, name = string, updated_at = string})";
