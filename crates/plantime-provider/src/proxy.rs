//! A proxy that Terraform takes for the provider behind it.
//!
//! | file | does |
//! |---|---|
//! | this one | the program: both handshakes, and how it ends |
//! | `options` | the arguments |
//! | `child` | the provider behind: started, connected, never left alone |
//! | `splice` | moves bytes between host and provider |
//! | `relay` | what is between both connections: frames of HTTP/2 pass, some answers are kept and changed |
//! | `hpack` | the headers of HTTP/2 |
//! | `exchanges` | which answers are kept, and what becomes of them |
//! | `amend` | adds facts to plans, and diagnostics to applies |
//! | `facts` | what facts say of a value |
//! | `resources` | schemas and facts by resource type |
//! | `record` | calls as JSON lines |
//! | `log` | lines of the host's log |

mod amend;
mod child;
mod exchanges;
mod facts;
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;
mod hpack;
mod log;
mod options;
mod record;
mod relay;
mod resources;
mod splice;

use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use tracing::Level;

use self::child::{Child, Dialer, Process};
use self::exchanges::Exchanges;
use self::facts::Knowledge;
use self::options::Options;
use self::record::Recorder;
use self::resources::Resources;
use crate::handshake::{self, Invitation};
use crate::listen::Connection;
use crate::serve::{
    FAREWELL, accept_all, announce, fail, host_is_gone, ignore_interrupts, listen, terminated, tls,
};

/// Runs the proxy: the whole `main` of `plantime-proxy`, whose arguments the README of this package lists.
///
/// The host starts it in the place of a provider. It starts the provider with the same environment but for TLS and the folder of its socket,
/// speaks the protocol that the provider chooses, and ends with the host; the provider ends with it. Where there is no fact about the provider and nothing
/// is recorded, the host connects to the provider directly.
pub fn proxy() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    if let Some(outcome) = child::attached(&arguments) {
        return outcome;
    }
    let options = match Options::read(arguments) {
        Ok(options) => options,
        Err(text) => return refuse(&text),
    };
    let invitation = match handshake::invitation(|name| std::env::var(name).ok()) {
        Ok(invitation) => invitation,
        Err(refusal) => return fail(refusal.text()),
    };
    // One thread: a call waits for the other side most of the time, and waking up another thread for each step of it costs more
    // than it gains.
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return refuse(&format!("no threads could be started: {error}")),
    };
    let outcome = runtime.block_on(run(options, &invitation));
    runtime.shutdown_background();
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(text) => refuse(&text),
    }
}

/// Says why the proxy does not run. A host shows its user what stands in the place of the first line of a provider, and not
/// what a provider writes to standard error: so the text goes to both.
fn refuse(text: &str) -> ExitCode {
    let text = format!("plantime-proxy: {text}");
    // A host that does not read any more cannot be told.
    let _ = announce(&text);
    fail(&text)
}

/// Starts the provider for the host, and waits until either ends: where there is nothing to add, to check or to record, the host
/// connects to the provider itself, so that no call takes longer.
async fn hand_over(options: &Options, gone: impl Future<Output = ()>) -> Result<(), String> {
    let mut provider = Process::for_host(options).await?;
    announce(provider.line())?;
    tokio::select! {
        () = provider.ended() => {}
        () = gone => {}
        () = terminated() => {}
    }
    provider.end().await;
    Ok(())
}

/// Starts the provider and serves the host until either ends.
async fn run(options: Options, invitation: &Invitation) -> Result<(), String> {
    // Before anything else: a host may end during the handshake.
    let gone = host_is_gone();
    ignore_interrupts()?;
    let knowledge = Knowledge::read(&options)?;
    if knowledge.is_none() && options.catalogue {
        log::log(Level::WARN, || {
            "no facts: the path of the provider does not tell its address, and no --provider does".to_owned()
        });
    }
    if knowledge.as_ref().is_some_and(Knowledge::is_empty) && !options.assume.is_empty() {
        let address = options.address().unwrap_or_default();
        log::log(Level::WARN, || format!("no facts: none is about a resource type of {address}"));
    }
    let recorder = options.record.as_deref().map(Recorder::open).transpose()?;
    if recorder.is_none() && knowledge.as_ref().is_none_or(Knowledge::is_empty) {
        return hand_over(&options, gone).await;
    }
    let listener = listen(invitation).await.map_err(|error| format!("the proxy cannot listen: {error}"))?;
    let (network, address) = listener.address().map_err(|error| error.to_string())?;
    let (tls, certificate) = tls(invitation)?;
    let mut child = Child::start(&options, tls.is_some(), listener.folder()).await?;
    let (protocol, dialer) = (child.protocol(), child.dialer());
    // Connects to the provider before the host gets the address of the proxy, so that a provider that cannot be reached is an
    // error at once.
    let first = dialer.dial().await.map_err(|error| format!("{} {error}", options.program.display()))?;
    let resources = Resources::new(dialer.clone(), protocol, knowledge);
    let exchanges = Arc::new(Exchanges::new(resources, options.on_broken, recorder));
    announce(&handshake::line(protocol, network, &address, certificate.as_deref()))?;
    let (first, of_host) = (Arc::new(Mutex::new(Some(first))), Arc::clone(&exchanges));
    let serve = move |host| {
        let waiting = first.lock().unwrap_or_else(PoisonError::into_inner).take();
        serve_host(host, waiting, dialer.clone(), Arc::clone(&of_host))
    };
    tokio::select! {
        () = accept_all(&listener, tls, serve) => {}
        () = exchanges.end.notified() => {}
        () = gone => {}
        () = terminated() => {}
    }
    child.end().await;
    Ok(())
}

/// Serves a connection of the host with one to the provider: the one that waits, or a new one.
async fn serve_host(
    host: Box<dyn Connection>,
    waiting: Option<Box<dyn Connection>>,
    dialer: Dialer,
    exchanges: Arc<Exchanges>,
) {
    let provider = match waiting {
        Some(waiting) => waiting,
        // Without a provider the host hears so at each call.
        None => dialer.dial().await.unwrap_or_else(|error| {
            log::log(Level::ERROR, || format!("the provider {error}"));
            Box::new(tokio::io::empty())
        }),
    };
    let of_call = Arc::clone(&exchanges);
    let finish = move |exchange| -> splice::Finishing { Box::pin(Arc::clone(&of_call).finish(exchange)) };
    let of_end = Arc::clone(&exchanges);
    let goodbye = move || {
        let exchanges = Arc::clone(&of_end);
        // The answer has to arrive first.
        tokio::spawn(async move {
            tokio::time::sleep(FAREWELL).await;
            exchanges.end.notify_one();
        });
    };
    splice::splice(host, provider, exchanges, &finish, &goodbye).await;
}
