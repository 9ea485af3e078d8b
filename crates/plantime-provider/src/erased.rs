//! Resources, data sources and functions as trait objects, and panics of them as diagnostics.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use plantime::Value;

use crate::diagnostic::{Diagnostic, Diagnostics, Outcome};
use crate::kit::{DataSource, Function, Resource, Signature};
use crate::plan::{Change, Plan};

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
        Err(error) if error.is_panic() => {
            let payload = error.into_panic();
            let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
            let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
            Err(format!("The provider panicked: {}", text.as_deref().unwrap_or("no message")))
        }
        Err(_) => Err("The provider stopped before it answered".to_owned()),
    }
}

/// Like [`catch_panic`], where a panic becomes a diagnostic.
pub(crate) async fn guarded<T: Send + 'static>(
    work: impl Future<Output = Outcome<T>> + Send + 'static,
) -> Outcome<T> {
    let bug = |text: String| {
        Diagnostics::from(
            Diagnostic::error(text).detail("This is a bug of the provider. Please report it to its authors."),
        )
    };
    catch_panic(work).await.unwrap_or_else(|text| Err(bug(text)))
}

/// A [`Resource`] as a trait object.
pub(crate) trait AnyResource: Send + Sync {
    fn facts(&self) -> Vec<(&'static str, plantime::Refinement)>;
    fn replaced_by(&self) -> Vec<&'static str>;
    fn validate(self: Arc<Self>, config: Value) -> Boxed<Outcome<Vec<Diagnostic>>>;
    fn plan(self: Arc<Self>, change: Change, plan: Plan) -> Boxed<Outcome<Plan>>;
    fn create(self: Arc<Self>, planned: Value) -> Boxed<Outcome<Value>>;
    fn read(self: Arc<Self>, state: Value) -> Boxed<Outcome<Option<Value>>>;
    fn update(self: Arc<Self>, prior: Value, planned: Value) -> Boxed<Outcome<Value>>;
    fn delete(self: Arc<Self>, prior: Value) -> Boxed<Outcome<()>>;
    fn import(self: Arc<Self>, id: String) -> Boxed<Outcome<Value>>;
    fn upgrade(self: Arc<Self>, version: i64, state: serde_json::Value) -> Boxed<Outcome<serde_json::Value>>;
}

impl<R: Resource> AnyResource for R {
    fn facts(&self) -> Vec<(&'static str, plantime::Refinement)> {
        Resource::facts(self)
    }

    fn replaced_by(&self) -> Vec<&'static str> {
        Resource::replaced_by(self)
    }

    fn validate(self: Arc<Self>, config: Value) -> Boxed<Outcome<Vec<Diagnostic>>> {
        Box::pin(async move { Resource::validate(&*self, config).await })
    }

    fn plan(self: Arc<Self>, change: Change, plan: Plan) -> Boxed<Outcome<Plan>> {
        Box::pin(async move { Resource::plan(&*self, change, plan).await })
    }

    fn create(self: Arc<Self>, planned: Value) -> Boxed<Outcome<Value>> {
        Box::pin(async move { Resource::create(&*self, planned).await })
    }

    fn read(self: Arc<Self>, state: Value) -> Boxed<Outcome<Option<Value>>> {
        Box::pin(async move { Resource::read(&*self, state).await })
    }

    fn update(self: Arc<Self>, prior: Value, planned: Value) -> Boxed<Outcome<Value>> {
        Box::pin(async move { Resource::update(&*self, prior, planned).await })
    }

    fn delete(self: Arc<Self>, prior: Value) -> Boxed<Outcome<()>> {
        Box::pin(async move { Resource::delete(&*self, prior).await })
    }

    fn import(self: Arc<Self>, id: String) -> Boxed<Outcome<Value>> {
        Box::pin(async move { Resource::import(&*self, id).await })
    }

    fn upgrade(self: Arc<Self>, version: i64, state: serde_json::Value) -> Boxed<Outcome<serde_json::Value>> {
        Box::pin(async move { Resource::upgrade(&*self, version, state) })
    }
}

/// A [`DataSource`] as a trait object.
pub(crate) trait AnyDataSource: Send + Sync {
    fn validate(self: Arc<Self>, config: Value) -> Boxed<Outcome<Vec<Diagnostic>>>;
    fn read(self: Arc<Self>, config: Value) -> Boxed<Outcome<Value>>;
}

impl<D: DataSource> AnyDataSource for D {
    fn validate(self: Arc<Self>, config: Value) -> Boxed<Outcome<Vec<Diagnostic>>> {
        Box::pin(async move { DataSource::validate(&*self, config).await })
    }

    fn read(self: Arc<Self>, config: Value) -> Boxed<Outcome<Value>> {
        Box::pin(async move { DataSource::read(&*self, config).await })
    }
}

/// A [`Function`] as a trait object.
pub(crate) trait AnyFunction: Send + Sync {
    fn signature(&self) -> Signature;
    fn call(self: Arc<Self>, arguments: Vec<Value>) -> Boxed<Called>;
}

impl<F: Function> AnyFunction for F {
    fn signature(&self) -> Signature {
        Function::signature(self)
    }

    fn call(self: Arc<Self>, arguments: Vec<Value>) -> Boxed<Called> {
        Box::pin(async move { Function::call(&*self, arguments).await })
    }
}
