//! The provider behind the proxy.

use std::ffi::OsString;
use std::process::{ExitCode, Stdio};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full, Limited};
use hyper::client::conn::http2::{self, SendRequest};
use hyper::header::{CONTENT_TYPE, HeaderValue, TE};
use hyper::{Request, Response, body::Incoming};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::{ChildStdout, Command};
use tokio_rustls::rustls::pki_types::ServerName;

use super::log::log;
use super::options::Options;
use crate::grpc::{self, ResponseBody, Status};
use crate::handshake::{self, Announcement, Protocol};
use crate::listen::Connection;
use crate::serve::{TLS_TIME, WINDOW_BYTES};
use crate::tls::Identity;

/// How long a provider may take to print its line: as long as hosts wait.
const START_TIME: Duration = Duration::from_secs(60);
/// How long a provider may take to end after the host's goodbye.
const END_TIME: Duration = Duration::from_secs(2);
/// The maximum length of the line that a provider prints: a certificate, with a margin.
const LINE_BYTES: u64 = 64 << 10;
/// How much of a line that is not of a provider is shown.
const SHOWN_CHARACTERS: usize = 200;
/// The maximum size of a message that the proxy reads as a whole.
pub(super) const READ_BYTES: usize = 4 * grpc::MESSAGE_BYTES;
/// The argument with which the proxy starts itself in order to become the provider.
const ATTACHED: &str = "--attached-to";

/// The provider behind the proxy, which ends when this is dropped.
pub(super) struct Child {
    process: tokio::process::Child,
    announcement: Announcement,
    caller: Caller,
}

/// Sends calls to the provider. Clone is O(1).
#[derive(Clone)]
pub(super) struct Caller(SendRequest<ResponseBody>);

impl Child {
    /// Starts the provider and connects to it.
    pub(super) async fn start(options: &Options, with_tls: bool) -> Result<Child, String> {
        let name = options.program.display();
        let identity = if with_tls { Some(Identity::generate()?) } else { None };
        let mut command = command(options)?;
        command.stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true);
        // The proxy answers by itself whether calls share a connection.
        command.env_remove("PLUGIN_MULTIPLEX_GRPC");
        match &identity {
            Some(identity) => command.env("PLUGIN_CLIENT_CERT", identity.pem()),
            None => command.env_remove("PLUGIN_CLIENT_CERT"),
        };
        let mut process = command.spawn().map_err(|error| format!("{name} could not be started: {error}"))?;
        let output = process.stdout.take().ok_or("the provider has no standard output")?;
        let started = tokio::time::timeout(START_TIME, announced(output, &name.to_string())).await;
        let announcement = started.map_err(|_| {
            format!("{name} did not say within {} s where it listens", START_TIME.as_secs())
        })??;
        let connection = connect(&announcement, identity);
        let connected = tokio::time::timeout(TLS_TIME, connection).await;
        let caller = connected
            .map_err(|_| format!("{name} does not answer at {}", announcement.address))?
            .map_err(|error| format!("{name} does not answer at {}: {error}", announcement.address))?;
        Ok(Child { process, announcement, caller })
    }

    /// The protocol that the provider speaks.
    pub(super) fn protocol(&self) -> Protocol {
        self.announcement.protocol
    }

    /// What sends calls to the provider.
    pub(super) fn caller(&self) -> Caller {
        self.caller.clone()
    }

    /// Waits until the provider ends by itself, and ends it if it does not.
    pub(super) async fn end(&mut self) {
        if tokio::time::timeout(END_TIME, self.process.wait()).await.is_err() {
            // A process that cannot be ended is gone already.
            let _ = self.process.kill().await;
        }
    }
}

/// The command that becomes the provider.
///
/// On Linux the proxy starts itself, and that process asks to be killed with its parent before it becomes the provider: a
/// proxy that is killed leaves no provider behind.
#[cfg(target_os = "linux")]
fn command(options: &Options) -> Result<Command, String> {
    let itself =
        std::env::current_exe().map_err(|error| format!("the proxy cannot start itself: {error}"))?;
    let mut command = Command::new(itself);
    command.arg(ATTACHED).arg(std::process::id().to_string()).arg(&options.program).args(&options.arguments);
    Ok(command)
}

/// The command that becomes the provider.
#[cfg(not(target_os = "linux"))]
fn command(options: &Options) -> Result<Command, String> {
    let mut command = Command::new(&options.program);
    command.args(&options.arguments);
    Ok(command)
}

/// Becomes the provider where the arguments say so; returns only if that fails.
#[cfg(target_os = "linux")]
pub(super) fn attached(arguments: &[OsString]) -> Option<ExitCode> {
    use std::os::unix::process::CommandExt;

    let [option, parent, program, arguments @ ..] = arguments else { return None };
    if option != ATTACHED {
        return None;
    }
    let tied = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
    // The parent may have ended before the request.
    let has_parent = parent.to_str() == Some(&std::os::unix::process::parent_id().to_string());
    if tied.is_err() || !has_parent {
        return Some(ExitCode::FAILURE);
    }
    let error = std::process::Command::new(program).args(arguments).exec();
    // The proxy shows what stands in the place of the provider's line.
    println!("could not be started: {error}");
    Some(ExitCode::FAILURE)
}

/// Becomes the provider where the arguments say so: only on Linux.
#[cfg(not(target_os = "linux"))]
pub(super) fn attached(arguments: &[OsString]) -> Option<ExitCode> {
    let _ = (arguments, ATTACHED);
    None
}

/// Reads where the provider listens.
async fn announced(output: ChildStdout, name: &str) -> Result<Announcement, String> {
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    (&mut output)
        .take(LINE_BYTES)
        .read_until(b'\n', &mut line)
        .await
        .map_err(|error| format!("the output of {name} cannot be read: {error}"))?;
    let line = String::from_utf8_lossy(&line);
    let Some(announcement) = handshake::read_line(&line) else {
        let shown: String = line.trim_end().chars().take(SHOWN_CHARACTERS).collect();
        return Err(if shown.is_empty() {
            format!("{name} ended without saying where it listens: is it a provider?")
        } else {
            format!("{name} did not start as a provider. It printed {shown:?}")
        });
    };
    // What else a provider prints has no reader; it must not wait for one.
    tokio::spawn(async move { tokio::io::copy(&mut output, &mut tokio::io::sink()).await });
    Ok(announcement)
}

/// Connects to a provider.
async fn connect(announcement: &Announcement, identity: Option<Identity>) -> Result<Caller, String> {
    let text = |error: std::io::Error| error.to_string();
    let stream: Box<dyn Connection> = match announcement.network.as_str() {
        #[cfg(unix)]
        "unix" => Box::new(tokio::net::UnixStream::connect(&announcement.address).await.map_err(text)?),
        _ => {
            let stream = tokio::net::TcpStream::connect(&announcement.address).await.map_err(text)?;
            stream.set_nodelay(true).map_err(text)?;
            Box::new(stream)
        }
    };
    let stream: Box<dyn Connection> = match (identity, announcement.certificate.clone()) {
        (Some(identity), Some(certificate)) => {
            let name = ServerName::try_from("localhost").map_err(|error| error.to_string())?;
            Box::new(identity.connector(certificate)?.connect(name, stream).await.map_err(text)?)
        }
        _ => stream,
    };
    let (sender, connection) = http2::Builder::new(TokioExecutor::new())
        .initial_stream_window_size(WINDOW_BYTES)
        .initial_connection_window_size(WINDOW_BYTES)
        .handshake(TokioIo::new(stream))
        .await
        .map_err(|error| error.to_string())?;
    // How the connection ends is told to each call that it ends.
    tokio::spawn(async move {
        let _ = connection.await;
    });
    Ok(Caller(sender))
}

impl Caller {
    /// The response of the provider.
    pub(super) async fn send(&self, request: Request<ResponseBody>) -> Result<Response<Incoming>, Status> {
        let gone = |error| {
            let text = format!("the provider behind plantime-proxy does not answer: {error}");
            // Of this status hosts show that the plugin did not respond, and not its text.
            log("error", &text);
            Status::unavailable(text)
        };
        self.0.clone().send_request(request).await.map_err(gone)
    }

    /// The message that the provider answers to an empty one.
    pub(super) async fn ask(&self, path: &str) -> Result<Bytes, Status> {
        let body = Full::new(grpc::frame(b"")?).map_err(grpc::never).boxed_unsync();
        let request = Request::post(format!("http://localhost{path}"))
            .header(CONTENT_TYPE, HeaderValue::from_static("application/grpc"))
            .header(TE, HeaderValue::from_static("trailers"))
            .body(body)
            .map_err(|error| Status::internal(error.to_string()))?;
        let response = self.send(request).await?;
        let collected = Limited::new(response.into_body(), READ_BYTES).collect().await;
        grpc::unframe(collected.map_err(|error| Status::unavailable(error.to_string()))?.to_bytes())
    }
}
