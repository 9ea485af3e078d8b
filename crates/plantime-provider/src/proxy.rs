//! A proxy that Terraform takes for the provider behind it.
//!
//! | file | does |
//! |---|---|
//! | this one | the program: both handshakes, and how it ends |
//! | `options` | the arguments |
//! | `child` | the provider behind: started, connected, never left alone |
//! | `forward` | passes calls on |
//! | `amend` | adds facts to plans, and diagnostics to applies |
//! | `facts` | what facts say of a value |
//! | `resources` | schemas and facts by resource type |
//! | `record` | calls as JSON lines |
//! | `log` | lines of the host's log |

mod amend;
mod child;
mod facts;
mod forward;
mod log;
mod options;
mod record;
mod resources;

use std::process::ExitCode;
use std::sync::Arc;

use self::child::Child;
use self::facts::Knowledge;
use self::forward::Forwarder;
use self::options::Options;
use self::record::Recorder;
use self::resources::Resources;
use crate::handshake::{self, Invitation};
use crate::serve::{accept_all, announce, fail, host_is_gone, ignore_interrupts, listen, tls};

/// Runs the proxy: the whole `main` of `plantime-proxy`, whose arguments the README of this package lists.
///
/// The host starts it in the place of a provider. It starts the provider with the same environment, speaks the protocol that
/// the provider chooses, and ends with the host; the provider ends with it.
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

/// Starts the provider and serves the host until either ends.
async fn run(options: Options, invitation: &Invitation) -> Result<(), String> {
    // Before anything else: a host may end during the handshake.
    let gone = host_is_gone();
    ignore_interrupts()?;
    let knowledge = Knowledge::read(&options)?;
    if knowledge.is_none() && options.catalogue {
        log::log(
            "debug",
            "no facts: the path of the provider does not tell its address, and no --provider does",
        );
    }
    let recorder = options.record.as_deref().map(Recorder::open).transpose()?;
    let with_tls = invitation.client_certificate.is_some();
    let mut child = Child::start(&options, with_tls).await?;
    let (tls, certificate) = tls(invitation)?;
    let listener = listen(invitation).await.map_err(|error| format!("the proxy cannot listen: {error}"))?;
    let (network, address) = listener.address().map_err(|error| error.to_string())?;
    let protocol = child.protocol();
    let resources = Resources::new(child.caller(), protocol, knowledge);
    let forwarder = Arc::new(Forwarder::new(child.caller(), resources, options.on_broken, recorder));
    announce(&handshake::line(protocol, network, &address, certificate.as_deref()))?;
    let end = Arc::clone(&forwarder.end);
    tokio::select! {
        () = accept_all(&listener, tls, forwarder) => {}
        () = end.notified() => {}
        () = gone => {}
    }
    child.end().await;
    Ok(())
}
