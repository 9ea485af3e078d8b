//! The provider behind the proxy.

#[cfg(all(test, target_os = "linux"))]
mod tests;

use std::ffi::OsString;
use std::path::{Component, Path};
use std::process::{ExitCode, Stdio};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full, Limited};
use hyper::Request;
use hyper::client::conn::http2;
use hyper::header::{CONTENT_TYPE, HeaderValue, TE};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::{ChildStdout, Command};
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;

use super::options::Options;
use crate::grpc;
use crate::handshake::{self, Announcement, Protocol};
use crate::listen::Connection;
use crate::serve::{TLS_TIME, WINDOW_BYTES};
use crate::tls::Identity;

/// How long a provider may take to print its line: as long as hosts wait.
const START_TIME: Duration = Duration::from_secs(60);
/// How long a provider may take to end after the host's goodbye.
const END_TIME: Duration = Duration::from_secs(2);
/// How long a provider may take to answer a call of the proxy's own: its schemas, which may be some ten MiB.
const ASK_TIME: Duration = Duration::from_secs(15);
/// The maximum length of the line that a provider prints: a certificate, with a margin.
const LINE_BYTES: u64 = 64 << 10;
/// How much of a line that is not of a provider is shown.
const SHOWN_CHARACTERS: usize = 200;
/// The maximum size of the schemas.
const READ_BYTES: usize = 4 * grpc::MESSAGE_BYTES;
/// The argument with which the proxy starts itself in order to become the provider.
const ATTACHED: &str = "--attached-to";

/// The process of a provider, which ends when this is dropped.
pub(super) struct Process {
    process: tokio::process::Child,
    /// The line that it printed.
    line: String,
    announcement: Announcement,
}

/// The provider behind the proxy, which ends when this is dropped.
pub(super) struct Child {
    process: Process,
    dialer: Dialer,
}

/// Connects to the provider. Clone is O(1).
#[derive(Clone)]
pub(super) struct Dialer {
    network: String,
    address: String,
    tls: Option<TlsConnector>,
}

/// Who connects to the provider.
enum Peer<'p> {
    /// The host itself, as the environment of the proxy invites the provider.
    Host,
    /// The proxy.
    Proxy {
        /// What it has for TLS.
        identity: Option<&'p Identity>,
        /// A folder for the socket that no other user can enter.
        folder: Option<&'p Path>,
    },
}

impl Process {
    /// Starts the provider for the host, which connects to it directly.
    pub(super) async fn for_host(options: &Options) -> Result<Process, String> {
        Process::start(options, &Peer::Host).await
    }

    /// Starts the provider, and reads where it listens.
    async fn start(options: &Options, peer: &Peer<'_>) -> Result<Process, String> {
        let name = options.program.display();
        let mut command = command(options)?;
        command.stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true);
        if let Peer::Proxy { identity, folder } = peer {
            // The proxy answers by itself whether calls share a connection.
            command.env_remove("PLUGIN_MULTIPLEX_GRPC");
            if let Some(folder) = folder {
                command.env("PLUGIN_UNIX_SOCKET_DIR", folder);
            }
            match identity {
                Some(identity) => command.env("PLUGIN_CLIENT_CERT", identity.pem()),
                None => command.env_remove("PLUGIN_CLIENT_CERT"),
            };
        }
        let mut process = command.spawn().map_err(|error| format!("{name} could not be started: {error}"))?;
        let output = process.stdout.take().ok_or("the provider has no standard output")?;
        let started = tokio::time::timeout(START_TIME, announced(output, &name.to_string())).await;
        let (line, announcement) = started.map_err(|_| {
            format!("{name} did not say within {} s where it listens", START_TIME.as_secs())
        })??;
        Ok(Process { process, line, announcement })
    }

    /// The line that the provider printed.
    pub(super) fn line(&self) -> &str {
        &self.line
    }

    /// Returns when the provider has ended.
    pub(super) async fn ended(&mut self) {
        // A process that cannot be waited for is gone already.
        let _ = self.process.wait().await;
    }

    /// Waits until the provider ends by itself, and ends it if it does not.
    pub(super) async fn end(&mut self) {
        if tokio::time::timeout(END_TIME, self.process.wait()).await.is_err() {
            self.kill().await;
        }
    }

    /// Ends the provider.
    async fn kill(&mut self) {
        // A process that cannot be ended is gone already.
        let _ = self.process.kill().await;
        // What is killed leaves its socket behind.
        if self.announcement.network == "unix" {
            let _ = std::fs::remove_file(&self.announcement.address);
        }
    }
}

impl Child {
    /// Starts the provider. In this folder of the proxy, if there is one, no other user can reach it, so it is asked for no TLS.
    /// Where another user might reach it all the same, it is started anew, with TLS if the host has it.
    pub(super) async fn start(
        options: &Options,
        with_tls: bool,
        folder: Option<&Path>,
    ) -> Result<Child, String> {
        let peer = |identity| Peer::Proxy { identity, folder };
        let mut process = Process::start(options, &peer(None)).await?;
        let mut identity = None;
        if with_tls && !is_private(&process.announcement, folder) {
            process.kill().await;
            let own = Identity::generate()?;
            process = Process::start(options, &peer(Some(&own))).await?;
            identity = Some(own);
        }
        let dialer = Dialer::new(&process.announcement, identity)?;
        Ok(Child { process, dialer })
    }

    /// The protocol that the provider speaks.
    pub(super) fn protocol(&self) -> Protocol {
        self.process.announcement.protocol
    }

    /// What connects to the provider.
    pub(super) fn dialer(&self) -> Dialer {
        self.dialer.clone()
    }

    /// Waits until the provider ends by itself, and ends it if it does not.
    pub(super) async fn end(&mut self) {
        self.process.end().await;
    }
}

/// Whether no other user can connect to a provider: its socket is in this folder, which no other user can enter, or is itself
/// closed to others. A provider that says that it has a certificate wants TLS.
fn is_private(provider: &Announcement, folder: Option<&Path>) -> bool {
    if provider.network != "unix" || provider.certificate.is_some() {
        return false;
    }
    let socket = Path::new(&provider.address);
    let is_inside = |folder: &Path| {
        socket.starts_with(folder) && !socket.components().any(|part| part == Component::ParentDir)
    };
    folder.is_some_and(is_inside) || is_closed_to_others(socket)
}

/// Whether only this user can connect to a socket. On Linux that takes the right to write to it. Nor may another user put another
/// socket into its place.
#[cfg(target_os = "linux")]
fn is_closed_to_others(socket: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;

    const OTHERS_WRITE: u32 = 0o022;
    const STICKY: u32 = 0o1000;
    let own = rustix::process::geteuid().as_raw();
    let file = std::fs::symlink_metadata(socket);
    let is_safe = |folder: &Path| {
        let folder = std::fs::metadata(folder);
        folder.is_ok_and(|folder| folder.mode() & OTHERS_WRITE == 0 || folder.mode() & STICKY != 0)
    };
    file.is_ok_and(|file| file.uid() == own && file.mode() & OTHERS_WRITE == 0)
        && socket.is_absolute()
        && socket.ancestors().skip(1).all(is_safe)
}

/// Whether only this user can connect to a socket: not known.
#[cfg(not(target_os = "linux"))]
fn is_closed_to_others(_: &Path) -> bool {
    false
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

/// Reads where the provider listens: the line, and what it says.
async fn announced(output: ChildStdout, name: &str) -> Result<(String, Announcement), String> {
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    (&mut output)
        .take(LINE_BYTES)
        .read_until(b'\n', &mut line)
        .await
        .map_err(|error| format!("the output of {name} cannot be read: {error}"))?;
    let line = String::from_utf8_lossy(&line).trim_end().to_owned();
    let Some(announcement) = handshake::read_line(&line) else {
        let shown: String = line.chars().take(SHOWN_CHARACTERS).collect();
        return Err(if shown.is_empty() {
            format!("{name} ended without saying where it listens: is it a provider?")
        } else {
            format!("{name} did not start as a provider. It printed {shown:?}")
        });
    };
    // What else a provider prints has no reader; it must not wait for one.
    tokio::spawn(async move { tokio::io::copy(&mut output, &mut tokio::io::sink()).await });
    Ok((line, announcement))
}

impl Dialer {
    /// What dials the provider that has said so; with TLS where the proxy has an identity and the provider a certificate.
    pub(super) fn new(announcement: &Announcement, identity: Option<Identity>) -> Result<Dialer, String> {
        let tls = match (identity, announcement.certificate.clone()) {
            (Some(identity), Some(certificate)) => Some(identity.connector(certificate)?),
            _ => None,
        };
        let (network, address) = (announcement.network.clone(), announcement.address.clone());
        Ok(Dialer { network, address, tls })
    }

    /// A new connection to the provider.
    pub(super) async fn dial(&self) -> Result<Box<dyn Connection>, String> {
        let connection = tokio::time::timeout(TLS_TIME, self.connect()).await;
        let address = &self.address;
        connection
            .map_err(|_| format!("does not answer at {address}"))?
            .map_err(|error| format!("does not answer at {address}: {error}"))
    }

    async fn connect(&self) -> std::io::Result<Box<dyn Connection>> {
        let stream: Box<dyn Connection> = match self.network.as_str() {
            #[cfg(unix)]
            "unix" => Box::new(tokio::net::UnixStream::connect(&self.address).await?),
            _ => {
                let stream = tokio::net::TcpStream::connect(&self.address).await?;
                stream.set_nodelay(true)?;
                Box::new(stream)
            }
        };
        let Some(tls) = &self.tls else { return Ok(stream) };
        let name = ServerName::try_from("localhost").map_err(std::io::Error::other)?;
        Ok(Box::new(tls.connect(name, stream).await?))
    }

    /// The message that the provider answers to an empty one, on a connection of its own.
    pub(super) async fn ask(&self, path: &str) -> Result<Bytes, String> {
        let asked = tokio::time::timeout(ASK_TIME, self.ask_unlimited(path)).await;
        asked.map_err(|_| format!("did not answer {path} within {} s", ASK_TIME.as_secs()))?
    }

    async fn ask_unlimited(&self, path: &str) -> Result<Bytes, String> {
        let stream = self.dial().await?;
        let text = |error: hyper::Error| error.to_string();
        let (mut sender, connection) = http2::Builder::new(TokioExecutor::new())
            .initial_stream_window_size(WINDOW_BYTES)
            .initial_connection_window_size(WINDOW_BYTES)
            .handshake(TokioIo::new(stream))
            .await
            .map_err(text)?;
        // It ends with the sender.
        tokio::spawn(connection);
        let body = Full::new(grpc::frame(b"").map_err(|status| status.text().to_owned())?);
        let request = Request::post(format!("http://localhost{path}"))
            .header(CONTENT_TYPE, HeaderValue::from_static("application/grpc"))
            .header(TE, HeaderValue::from_static("trailers"))
            .body(body)
            .map_err(|error| error.to_string())?;
        let response = sender.send_request(request).await.map_err(text)?;
        let body = Limited::new(response.into_body(), READ_BYTES).collect().await;
        let body = body.map_err(|error| error.to_string())?.to_bytes();
        grpc::unframe(body).map_err(|status| status.text().to_owned())
    }
}
