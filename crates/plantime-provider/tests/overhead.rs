//! What the proxy adds to each call of a real provider: a measurement, not a test.
//!
//! ```sh
//! cargo build --release -p plantime-provider --example plain
//! PLANTIME_WORKATO=/path/to/terraform-provider-workato cargo test --release -p plantime-provider --test overhead -- --ignored --nocapture
//! ```

#![cfg(target_os = "linux")]
#![allow(missing_docs, clippy::expect_used)]

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use http_body_util::Full;
use hyper::client::conn::http2::SendRequest;
use plantime::{Type, Value, msgpack};
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use tokio_rustls::rustls::crypto::CryptoProvider;
use tokio_rustls::rustls::pki_types::{
    CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer, ServerName, UnixTime,
};
use tokio_rustls::rustls::{ClientConfig, DigitallySignedStruct, Error, SignatureScheme};

use common::{COOKIE, IDLE_FACTS, call, certified, framed, http2, pem, runtime};

mod common;

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
const ROUNDS: usize = 1000;

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
    let host = certified();
    command
        .env(COOKIE.0, COOKIE.1)
        .env("PLUGIN_PROTOCOL_VERSIONS", "5,6")
        .env("PLUGIN_CLIENT_CERT", pem(host.cert.der()))
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
    let host = http2(stream).await;
    Running { child, host }
}

/// Sends a message; returns how long the answer took, and its size.
async fn send(host: &SendRequest<Full<Bytes>>, method: &str, message: &[u8]) -> (Duration, usize) {
    let (path, frame) = (format!("/tfplugin6.Provider/{method}"), framed(message));
    let started = Instant::now();
    let answer = call(host, &path, frame).await;
    let took = started.elapsed();
    assert_eq!(answer.status, "0", "{method}: {}", answer.message);
    (took, answer.body.len())
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

/// A value of a resource type in which these attributes are set, as the field of a message.
fn value(ty: &Type, set: &[(&str, Value)]) -> Vec<u8> {
    let Type::Object(attributes) = ty else { return Vec::new() };
    let attributes = attributes.iter().map(|(name, ty)| {
        let set = set.iter().find(|(own, _)| *own == name).map(|(_, value)| value.clone());
        (name.to_owned(), set.unwrap_or_else(|| Value::null(ty.clone())))
    });
    let value = Value::object(attributes.collect::<Vec<_>>()).expect("an object");
    field(1, &msgpack::to_vec(&value, ty).expect("a message"))
}

/// A message about a resource type.
fn about(type_name: &str, fields: &[(u8, &[u8])]) -> Vec<u8> {
    let values = fields.iter().flat_map(|(number, content)| field(*number, content));
    field(1, type_name.as_bytes()).into_iter().chain(values).collect()
}

/// A plan of a new object with this configuration.
fn plan(type_name: &str, ty: &Type, config: &[u8]) -> Vec<u8> {
    let nothing = field(1, &msgpack::to_vec(&Value::null(ty.clone()), ty).expect("a message"));
    about(type_name, &[(2, &nothing), (3, config), (4, config)])
}

/// Makes calls of a provider: by itself, behind a proxy without facts, with facts about nothing, and with facts.
async fn measure(provider: &dyn Fn() -> Command, facts: &str, calls: &[(&str, Vec<u8>)]) {
    let file = std::env::temp_dir().join(format!("plantime-overhead-{}.facts", std::process::id()));
    std::fs::write(&file, facts).expect("a file");
    let behind = |options: &[&str]| {
        let own = provider();
        let mut proxy = Command::new(env!("CARGO_BIN_EXE_plantime-proxy"));
        proxy.args(options).arg("--").arg(own.get_program());
        proxy.envs(own.get_envs().filter_map(|(name, value)| Some((name, value?))));
        proxy
    };
    let direct = start(provider()).await;
    let handed_over = start(behind(&["--no-catalogue"])).await;
    let passing = start(behind(&IDLE_FACTS)).await;
    let adding = start(behind(&["--provider", "test/own", "--assume", &file.display().to_string()])).await;
    for (method, message) in calls {
        let hosts = [&direct, &handed_over, &passing, &adding].map(|running| &running.host);
        let mut times = [const { Vec::new() }; 4];
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
        let [own, direct, passed, added] = times.map(median);
        let percent = |time: f64| format!("{:.0} ({:.0} %)", time - own, (time - own) / own * 100.0);
        let [direct, passed, added] = [direct, passed, added].map(percent);
        println!("{method:24} {own:9.0} {direct:>14} {passed:>12} {added:>12} {size:18}");
    }
    std::fs::remove_file(&file).expect("the file is there");
}

#[test]
#[ignore = "measures, in a release build, what PLANTIME_WORKATO names"]
fn what_the_proxy_adds_to_each_call() {
    println!(
        "{:24} {:>9} {:>14} {:>12} {:>12} {:>18}",
        "call", "own µs", "no facts +µs", "passed +µs", "facts +µs", "bytes of answer"
    );
    let test = std::env::current_exe().expect("the test has a path");
    let target = test.parent().and_then(Path::parent).expect("tests are in target/release/deps");
    let plain = target.join("examples/plain");
    if plain.exists() {
        let ty: Type = VPC.parse().expect("a type");
        let config = value(&ty, &[("cidr", Value::from("10.0.0.0/8"))]);
        let calls = [("PlanResourceChange", plan("demo_vpc", &ty, &config))];
        for delay in ["0", "500", "1000", "2000", "3000"] {
            let provider = || {
                let mut command = Command::new(&plain);
                command.env("PLAIN_DELAY_MICROSECONDS", delay);
                command
            };
            let facts = "demo_vpc test/own\n  id A notnull(stringprefix(\"vpc-\"))\n";
            println!("a provider in Rust that waits for {delay} µs");
            runtime().block_on(measure(&provider, facts, &calls));
        }
    } else {
        println!("skipped: the example `plain` is not built");
    }
    let Some(executable) = std::env::var_os("PLANTIME_WORKATO") else {
        println!("skipped: PLANTIME_WORKATO does not name terraform-provider-workato");
        return;
    };
    let ty: Type = FOLDER.parse().expect("a type");
    let config = value(&ty, &[("name", Value::from("n")), ("folder_id", Value::from(1))]);
    let calls = [
        ("GetProviderSchema", Vec::new()),
        ("ValidateResourceConfig", about("workato_folder", &[(2, &config)])),
        ("PlanResourceChange", plan("workato_folder", &ty, &config)),
        ("GetMetadata", Vec::new()),
    ];
    println!("a provider in Go");
    let facts = "workato_folder test/own\n  id A notnull()\n";
    runtime().block_on(measure(&|| Command::new(&executable), facts, &calls));
}

/// The type of `demo_vpc`.
const VPC: &str = "object({cidr = string, id = string, name = string, token = string})";

/// The type of `workato_folder`.
const FOLDER: &str = "object({applied_name = string, created_at = string, folder_id = number, force = bool, id = string, name = string, updated_at = string})";
