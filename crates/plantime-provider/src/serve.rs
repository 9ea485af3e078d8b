//! A provider as a program: handshake, connections, end.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http2;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::sync::Notify;
use tokio_rustls::TlsAcceptor;

use crate::answer::Server;
use crate::handshake::{self, Invitation, Protocol};
use crate::listen::{Connection, Listener};
use crate::log::HostLog;
use crate::provider::Provider;
use crate::tls::Identity;

/// How much of a message the peer may send before it is read, so that large schemas need few round trips.
pub(crate) const WINDOW_BYTES: u32 = 4 << 20;
/// How long the answer to the host's last call may take to be written.
pub(crate) const FAREWELL: Duration = Duration::from_millis(50);
/// How often the provider looks whether its host is still there.
const HOST_CHECK: Duration = Duration::from_secs(1);
/// How long a client may take for the TLS handshake.
pub(crate) const TLS_TIME: Duration = Duration::from_secs(30);

/// Runs a provider: the whole `main` of its program.
///
/// Started by a host, the provider serves it until the host says goodbye or is gone. Started by hand with `--debug`, it
/// prints the value of `TF_REATTACH_PROVIDERS` with which a host finds it, and runs until it is interrupted. The address is
/// `registry.terraform.io/hashicorp/NAME`, or the one that follows: `--debug acme/demo`. It speaks protocol 6, or 5 where
/// `PLUGIN_PROTOCOL_VERSIONS` says so.
///
/// Standard output belongs to the host. Events of `tracing` appear in the host's log with their level, from the level on that
/// `TF_LOG_PROVIDER` or `TF_LOG` names; what else is written to standard error appears as debug lines.
pub fn serve(provider: Provider) -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let debug = arguments.next().is_some_and(|argument| argument == "--debug");
    let source = arguments.next();
    // Where the author has set a subscriber of their own, it counts.
    let _ =
        tracing::subscriber::set_global_default(HostLog::from_environment(|name| std::env::var(name).ok()));
    let invitation = match handshake::invitation(|name| std::env::var(name).ok()) {
        Ok(invitation) => Some(invitation),
        Err(handshake::Refusal::NotByHost) if debug => None,
        Err(refusal) => return fail(refusal.text()),
    };
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return fail(&format!("no threads could be started: {error}")),
    };
    let outcome = match invitation {
        Some(invitation) => runtime.block_on(serve_host(provider, invitation)),
        None => runtime.block_on(serve_debugging(provider, source)),
    };
    // Calls that still run have nobody who waits for them.
    runtime.shutdown_background();
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(text) => fail(&text),
    }
}

/// Prints why the provider does not run.
pub(crate) fn fail(text: &str) -> ExitCode {
    eprintln!("{text}");
    ExitCode::FAILURE
}

/// The acceptor of TLS connections and its certificate, if the host sent a certificate of its own: both sides check the other
/// one's then.
pub(crate) fn tls(invitation: &Invitation) -> Result<(Option<TlsAcceptor>, Option<Vec<u8>>), String> {
    let Some(client) = &invitation.client_certificate else { return Ok((None, None)) };
    let identity = Identity::generate()?;
    let certificate = identity.der().to_vec();
    Ok((Some(identity.acceptor(client)?), Some(certificate)))
}

/// Serves the host that has started the provider.
async fn serve_host(provider: Provider, invitation: Invitation) -> Result<(), String> {
    // Before anything else: a host may end during the handshake.
    let gone = host_is_gone();
    ignore_interrupts()?;
    let (tls, certificate) = tls(&invitation)?;
    let listener =
        listen(&invitation).await.map_err(|error| format!("the provider cannot listen: {error}"))?;
    let (network, address) = listener.address().map_err(|error| error.to_string())?;
    announce(&handshake::line(invitation.protocol, network, &address, certificate.as_deref()))?;
    let server = Arc::new(Server::new(provider, invitation.protocol));
    let end = Arc::clone(&server.end);
    tokio::select! {
        () = accept_all(&listener, tls, move |connection| serve_connection(connection, Arc::clone(&server))) => {}
        () = said_goodbye(&end) => {}
        () = gone => {}
        () = terminated() => {}
    }
    Ok(())
}

/// Serves any host of this user, without TLS.
async fn serve_debugging(provider: Provider, source: Option<String>) -> Result<(), String> {
    let source = source.unwrap_or_else(|| format!("hashicorp/{}", provider.name));
    let name =
        if source.matches('/').count() == 1 { format!("registry.terraform.io/{source}") } else { source };
    let only_5 = std::env::var("PLUGIN_PROTOCOL_VERSIONS").is_ok_and(|versions| versions.trim() == "5");
    let protocol = if only_5 { Protocol::V5 } else { Protocol::V6 };
    let invitation = Invitation { protocol, client_certificate: None, socket_directory: None, ports: (0, 0) };
    let listener =
        listen(&invitation).await.map_err(|error| format!("the provider cannot listen: {error}"))?;
    let (network, address) = listener.address().map_err(|error| error.to_string())?;
    let variable = handshake::reattach(&name, protocol, network, &address);
    announce(&format!("TF_REATTACH_PROVIDERS='{variable}'"))?;
    let server = Arc::new(Server::new(provider, protocol));
    tokio::select! {
        () = accept_all(&listener, None, move |connection| serve_connection(connection, Arc::clone(&server))) => {}
        _ = tokio::signal::ctrl_c() => {}
        () = terminated() => {}
    }
    Ok(())
}

/// Writes a line to standard output, which the reader gets at once.
pub(crate) fn announce(line: &str) -> Result<(), String> {
    use std::io::Write;

    let mut output = std::io::stdout().lock();
    writeln!(output, "{line}")
        .and_then(|()| output.flush())
        .map_err(|error| format!("standard output: {error}"))
}

/// The socket that the host prefers: a unix socket, or TCP where there are none.
pub(crate) async fn listen(invitation: &Invitation) -> std::io::Result<Listener> {
    #[cfg(unix)]
    if let Ok(listener) = Listener::unix(invitation.socket_directory.as_deref().map(std::path::Path::new)) {
        return Ok(listener);
    }
    Listener::tcp(invitation.ports).await
}

/// Serves every connection, each in a task of its own, so that a client that sends garbage harms no other.
pub(crate) async fn accept_all<S, F>(listener: &Listener, tls: Option<TlsAcceptor>, serve: S)
where
    S: Fn(Box<dyn Connection>) -> F + Clone + Send + 'static,
    F: Future<Output = ()> + Send,
{
    loop {
        // An error of one connection, such as too many open files, passes; a moment later there may be a place.
        let Ok(connection) = listener.accept().await else {
            tokio::time::sleep(FAREWELL).await;
            continue;
        };
        let (tls, serve) = (tls.clone(), serve.clone());
        tokio::spawn(async move {
            match tls {
                None => serve(connection).await,
                Some(tls) => {
                    if let Ok(Ok(connection)) = tokio::time::timeout(TLS_TIME, tls.accept(connection)).await {
                        serve(Box::new(connection)).await;
                    }
                }
            }
        });
    }
}

/// Serves one connection until it ends. How it ends is the client's affair.
async fn serve_connection(connection: Box<dyn Connection>, server: Arc<Server>) {
    let service = service_fn(move |request| {
        let server = Arc::clone(&server);
        async move { Ok::<_, std::convert::Infallible>(server.answer(request).await) }
    });
    let _ = http2::Builder::new(TokioExecutor::new())
        .initial_stream_window_size(WINDOW_BYTES)
        .initial_connection_window_size(WINDOW_BYTES)
        .serve_connection(TokioIo::new(connection), service)
        .await;
}

/// Returns a moment after the host has said goodbye.
async fn said_goodbye(end: &Notify) {
    end.notified().await;
    tokio::time::sleep(FAREWELL).await;
}

/// Keeps an interrupt from ending the provider. Ctrl-C in a terminal reaches every process that runs there, and a host that is
/// told so lets the calls that run come to an end: a provider that ended first would lose what it has created.
#[cfg(unix)]
pub(crate) fn ignore_interrupts() -> Result<(), String> {
    // The handler stays when the stream of signals is dropped.
    let signals = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::interrupt());
    signals.map(drop).map_err(|error| format!("interrupts cannot be ignored: {error}"))
}

/// Keeps an interrupt from ending the provider.
#[cfg(not(unix))]
pub(crate) fn ignore_interrupts() -> Result<(), String> {
    tokio::spawn(async { while tokio::signal::ctrl_c().await.is_ok() {} });
    Ok(())
}

/// Ends when the process is asked to end, so that its socket is removed.
#[cfg(unix)]
pub(crate) async fn terminated() {
    match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
        Ok(mut signals) => {
            signals.recv().await;
        }
        // Then the system ends the process.
        Err(_) => std::future::pending().await,
    }
}

/// Never returns: this system ends the process itself.
#[cfg(not(unix))]
pub(crate) async fn terminated() {
    std::future::pending().await
}

/// Ends when the process that was the parent at the call has ended without a word: the provider has another parent then.
#[cfg(unix)]
pub(crate) fn host_is_gone() -> impl Future<Output = ()> {
    let host = std::os::unix::process::parent_id();
    async move {
        while std::os::unix::process::parent_id() == host {
            tokio::time::sleep(HOST_CHECK).await;
        }
    }
}

/// Never returns: this system does not tell.
#[cfg(not(unix))]
pub(crate) async fn host_is_gone() {
    std::future::pending().await
}
