//! Resources, data sources, ephemeral resources and functions as trait objects, and panics of them as diagnostics.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use plantime::Value;
use plantime::rule::Validators;

use crate::call::Call;
use crate::data_source::DataSource;
use crate::diagnostic::{Diagnostic, Outcome};
use crate::ephemeral::{EphemeralResource, Opened};
use crate::function::{Function, Signature};
use crate::plan::{Change, Plan};
use crate::resource::{MoveSource, Resource, SameMeaning};
use crate::timeouts::Operation;

/// A boxed future.
pub(crate) type Boxed<T> = Pin<Box<dyn Future<Output = T> + Send>>;
/// What a function returns.
pub(crate) type Called = Result<Value, (String, Option<usize>)>;

/// Runs code of a provider's author in a task of its own, so that a panic ends the task and not the provider.
/// Returns the text of the panic as an error.
pub(crate) async fn catch_panic<T: Send + 'static>(
    work: impl Future<Output = T> + Send + 'static,
) -> Result<T, String> {
    match tokio::spawn(work).await {
        Ok(result) => Ok(result),
        Err(error) if error.is_panic() => Err(panic_text(&*error.into_panic())),
        Err(_) => Err("The provider stopped before it answered".to_owned()),
    }
}

/// Like [`catch_panic`], where a panic becomes a diagnostic. A failure of `method` that has no error gets one: the host would take the
/// operation for one that succeeded without a result.
pub(crate) async fn guarded<T: Send + 'static>(
    method: &str,
    work: impl Future<Output = Outcome<T>> + Send + 'static,
) -> Outcome<T> {
    let outcome = catch_panic(work).await.unwrap_or_else(|text| Err(bug(text).into()));
    outcome.map_err(|failure| failure.with_an_error(method))
}

/// Runs code of a provider's author that does not wait. Returns the text of a panic as an error.
pub(crate) fn catch_panic_now<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    // What the code leaves half done is the author's own; nothing of the kit is changed by it.
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).map_err(|payload| panic_text(&*payload))
}

/// Like [`catch_panic_now`], where a panic becomes a diagnostic.
pub(crate) fn guarded_now<T>(work: impl FnOnce() -> T) -> Outcome<T> {
    catch_panic_now(work).map_err(|text| bug(text).into())
}

/// What a panic says.
fn panic_text(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
    format!("The provider panicked: {}", text.as_deref().unwrap_or("no message"))
}

/// The diagnostic about a panic.
fn bug(text: String) -> Diagnostic {
    Diagnostic::error(text).detail("This is a bug of the provider. Please report it to its authors.")
}

/// Writes a trait for trait objects, whose methods return boxed futures, and implements it for all types of a trait of the
/// kit. Methods after `plain` return their value as it is.
macro_rules! erased {
    (
        $(#[$about:meta])* $name:ident of $kit:ident;
        plain { $($plain:ident($($plain_argument:ident: $plain_type:ty),*) -> $plain_result:ty;)* }
        boxed { $($method:ident($($argument:ident: $ty:ty),*) -> $result:ty;)* }
    ) => {
        $(#[$about])*
        pub(crate) trait $name: Send + Sync {
            $(fn $plain(&self $(, $plain_argument: $plain_type)*) -> $plain_result;)*
            $(fn $method(self: Arc<Self> $(, $argument: $ty)*) -> Boxed<$result>;)*
        }

        impl<T: $kit> $name for T {
            $(fn $plain(&self $(, $plain_argument: $plain_type)*) -> $plain_result {
                $kit::$plain(self $(, $plain_argument)*)
            })*
            $(fn $method(self: Arc<Self> $(, $argument: $ty)*) -> Boxed<$result> {
                Box::pin(async move { $kit::$method(&*self $(, $argument)*).await })
            })*
        }
    };
}

erased! {
    /// A [`Resource`] as a trait object.
    AnyResource of Resource;
    plain {
        facts() -> Vec<(&'static str, plantime::Refinement)>;
        replaced_by() -> Vec<&'static str>;
        behaviours() -> Option<plantime_schema::planning::Behaviours>;
        identity() -> Vec<&'static str>;
        semantic_equality() -> Vec<(&'static str, SameMeaning)>;
        timeout(operation: Operation) -> Duration;
        upgrade(version: i64, state: serde_json::Value) -> Outcome<serde_json::Value>;
        take_over(source: MoveSource) -> Outcome<serde_json::Value>;
    }
    boxed {
        validate(config: Value) -> Outcome<Vec<Diagnostic>>;
        plan(change: Change, plan: Plan, call: Call) -> Outcome<Plan>;
        create(planned: Value, call: Call) -> Outcome<Value>;
        read(state: Value, call: Call) -> Outcome<Option<Value>>;
        update(prior: Value, planned: Value, call: Call) -> Outcome<Value>;
        delete(prior: Value, call: Call) -> Outcome<()>;
        import(id: String, call: Call) -> Outcome<Value>;
        import_by_identity(identity: Value, call: Call) -> Outcome<Value>;
    }
}

erased! {
    /// A [`DataSource`] as a trait object.
    AnyDataSource of DataSource;
    plain {
        timeout() -> Duration;
        validators() -> Option<Validators>;
    }
    boxed {
        validate(config: Value) -> Outcome<Vec<Diagnostic>>;
        read(config: Value, call: Call) -> Outcome<Value>;
    }
}

erased! {
    /// An [`EphemeralResource`] as a trait object.
    AnyEphemeral of EphemeralResource;
    plain {
        validators() -> Option<Validators>;
    }
    boxed {
        validate(config: Value) -> Outcome<Vec<Diagnostic>>;
        open(config: Value, call: Call) -> Outcome<Opened>;
        renew(call: Call) -> Outcome<Option<Duration>>;
        close(call: Call) -> Outcome<()>;
    }
}

erased! {
    /// A [`Function`] as a trait object.
    AnyFunction of Function;
    plain {
        signature() -> Signature;
    }
    boxed {
        call(arguments: Vec<Value>) -> Called;
    }
}
