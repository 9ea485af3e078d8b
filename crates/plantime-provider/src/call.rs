//! What a call of the host brings along beside its values: private state, and when the work has to end.

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use plantime::{Mark, Type, TypeConstraint, Value, convert};
use plantime_schema::Schema;
use tokio::sync::watch;
use tokio::time::Instant;

use crate::diagnostic::{Diagnostic, Outcome};
use crate::schema::{did_you_mean, with_attributes};

/// Private state by key, as it is stored: a JSON object.
type Entries = BTreeMap<String, serde_json::Value>;

/// What configures a provider leaves for its resources.
pub(crate) type Data = Arc<dyn Any + Send + Sync>;

/// A call of the host: the private state of the object, and whether the work has to end.
///
/// | method | answers |
/// |---|---|
/// | [`private`](Call::private), [`set_private`](Call::set_private) | what the provider stored with the object, which no user sees |
/// | [`cancelled`](Call::cancelled), [`is_cancelled`](Call::is_cancelled) | whether the user interrupted the run, or the time is up |
/// | [`until_cancelled`](Call::until_cancelled) | the result of some work, or the error that it had to end |
/// | [`config`](Call::config) | the configuration of an object that is created, changed or planned |
/// | [`data`](Call::data) | what the [configuration of the provider](crate::Provider::configured_with) left for resources |
/// | [`meta`](Call::meta) | the block `provider_meta` of the module |
/// | [`warn`](Call::warn) | nothing: the user reads a warning, and the operation goes on |
/// | [`object_with`](Call::object_with) | an object of the schema with some attributes, as an import begins |
/// | [`redacted`](Call::redacted) | a value as a log may show it |
///
/// Clone is O(1), and all clones are the same call. In a unit test, [`Call::new`] makes one.
///
/// ```
/// use plantime::Value;
/// use plantime_provider::{Call, Diagnostics, Outcome};
///
/// async fn create(planned: Value, call: Call) -> Outcome<Value> {
///     call.set_private("etag", serde_json::json!("w/1"));
///     let ready = call.until_cancelled(async { /* wait until it is ready */ }).await;
///     // The object exists: its state is kept although the work had to end.
///     ready.map_err(|error| error.and_state(planned.clone()))?;
///     Ok(planned)
/// }
/// ```
#[derive(Clone)]
pub struct Call(Arc<Inner>);

/// The content of a [`Call`].
struct Inner {
    private: Mutex<Private>,
    warnings: Arc<Mutex<Vec<Diagnostic>>>,
    stop: watch::Receiver<bool>,
    data: Option<Data>,
    deadline: Option<Instant>,
    schema: Option<Arc<Schema>>,
    config: Option<Value>,
    meta: Option<Value>,
    may_defer: bool,
}

/// What is known of a call beside its private state.
pub(crate) struct Details<'a> {
    /// The schema of its values.
    pub(crate) schema: &'a Arc<Schema>,
    /// When it has to end.
    pub(crate) deadline: Option<Instant>,
    pub(crate) config: Option<Value>,
    pub(crate) meta: Option<Value>,
    pub(crate) may_defer: bool,
}

impl<'a> Details<'a> {
    /// A call about values of this schema.
    pub(crate) fn of(schema: &'a Arc<Schema>) -> Details<'a> {
        Details { schema, deadline: None, config: None, meta: None, may_defer: false }
    }
}

/// Private state, which is passed on as it came unless the provider changes it.
enum Private {
    Unchanged(Bytes),
    Changed(Entries),
}

/// Why work has to end before it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cancelled {
    /// The user interrupted the run.
    Stopped,
    /// The timeout of the operation is over.
    TimedOut,
}

impl Call {
    /// A call as no host makes one, for unit tests of [`create`](crate::Resource::create) and the like: it has no private state,
    /// no deadline, and nobody interrupts it.
    ///
    /// ```
    /// use plantime::{Type, Value, value};
    /// use plantime_provider::{Call, Diagnostic, Outcome, Resource, schema, with_attributes};
    /// use plantime_schema::Schema;
    ///
    /// struct Vpc;
    ///
    /// impl Resource for Vpc {
    ///     fn schema(&self) -> Schema {
    ///         schema().required("cidr", Type::String).computed("id", Type::String).build()
    ///     }
    ///
    ///     async fn create(&self, planned: Value, call: Call) -> Outcome<Value> {
    ///         let region = call.data::<String>().ok_or("The provider is not configured")?;
    ///         call.warn(Diagnostic::warning("The quota is nearly used up"));
    ///         Ok(with_attributes(&planned, [("id", Value::from(format!("{region}-1")))])?)
    ///     }
    /// }
    ///
    /// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    /// # runtime.block_on(async {
    /// let call = Call::new().with_schema(Vpc.schema()).with_data("eu".to_owned());
    /// let planned = value!({ "cidr": "10.0.0.0/8", "id": Value::unknown(Type::String) })?;
    /// let state = Vpc.create(planned, call.clone()).await.map_err(|failure| format!("{failure:?}"))?;
    /// assert_eq!(state.get_attr("id")?, Value::from("eu-1"));
    /// assert_eq!(call.warnings()[0].summary, "The quota is nearly used up");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new() -> Call {
        let (_, stop) = watch::channel(false);
        Call::of_host(Bytes::new(), stop, None)
    }

    /// A call of a host with this private state.
    pub(crate) fn of_host(private: Bytes, stop: watch::Receiver<bool>, data: Option<Data>) -> Call {
        Call(Arc::new(Inner {
            private: Mutex::new(Private::Unchanged(private)),
            warnings: Arc::default(),
            stop,
            data,
            deadline: None,
            schema: None,
            config: None,
            meta: None,
            may_defer: false,
        }))
    }

    /// The call with what else is known of it. Warnings of the two are the same.
    pub(crate) fn with(&self, details: Details<'_>) -> Call {
        let Details { schema, deadline, config, meta, may_defer } = details;
        let schema = Some(Arc::clone(schema));
        self.but(|inner| Inner { deadline, schema, config, meta, may_defer, ..inner })
    }

    /// Another call made from the content of this one. Warnings of the two are the same.
    fn but(&self, change: impl FnOnce(Inner) -> Inner) -> Call {
        let inner = &self.0;
        Call(Arc::new(change(Inner {
            private: Mutex::new(Private::Unchanged(self.to_private())),
            warnings: Arc::clone(&inner.warnings),
            stop: inner.stop.clone(),
            data: inner.data.clone(),
            deadline: inner.deadline,
            schema: inner.schema.clone(),
            config: inner.config.clone(),
            meta: inner.meta.clone(),
            may_defer: inner.may_defer,
        })))
    }

    /// The call with this schema, for unit tests: [`redacted`](Call::redacted) and [`object_with`](Call::object_with) need it.
    ///
    /// [Example](Call::new)
    #[must_use]
    pub fn with_schema(self, schema: Schema) -> Call {
        self.but(|inner| Inner { schema: Some(Arc::new(schema)), ..inner })
    }

    /// The call with this configuration, for unit tests.
    ///
    /// ```
    /// use plantime_provider::Call;
    /// use plantime::value;
    ///
    /// let call = Call::new().with_config(value!({ "password": "p" })?).with_meta(value!({ "module": "m" })?);
    /// assert!(call.config().is_some() && call.meta().is_some() && !call.is_cancelled());
    /// assert!(call.interrupted().is_cancelled());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    #[must_use]
    pub fn with_config(self, config: Value) -> Call {
        self.but(|inner| Inner { config: Some(config), ..inner })
    }

    /// The call with this block `provider_meta`, for unit tests.
    ///
    /// [Example](Call::with_config)
    #[must_use]
    pub fn with_meta(self, meta: Value) -> Call {
        self.but(|inner| Inner { meta: Some(meta), ..inner })
    }

    /// The call with this data of the provider, for unit tests.
    ///
    /// [Example](Call::new)
    #[must_use]
    pub fn with_data<T: Any + Send + Sync>(self, data: T) -> Call {
        self.but(|inner| Inner { data: Some(Arc::new(data)), ..inner })
    }

    /// The call that the user has interrupted, for unit tests.
    ///
    /// [Example](Call::with_config)
    #[must_use]
    pub fn interrupted(self) -> Call {
        let (_, stop) = watch::channel(true);
        self.but(|inner| Inner { stop, ..inner })
    }

    /// Shows a problem to the user while the operation goes on, and succeeds. An error is shown as one: the operation fails then,
    /// and what it returned is kept.
    ///
    /// [Example](Call::new)
    pub fn warn(&self, diagnostic: Diagnostic) {
        self.0.warnings.lock().unwrap_or_else(PoisonError::into_inner).push(diagnostic);
    }

    /// What [`warn`](Call::warn) was called with.
    ///
    /// [Example](Call::new)
    pub fn warnings(&self) -> Vec<Diagnostic> {
        self.0.warnings.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What the [configuration of the provider](crate::Provider::configured_with) left for its resources; `None` where it left
    /// nothing of this type, or the provider is not configured, as in validations.
    ///
    /// [Example](Call::new)
    pub fn data<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        Arc::clone(self.0.data.as_ref()?).downcast().ok()
    }

    /// The block `provider_meta` of the module, of which the [provider](crate::Provider::meta) has a schema.
    ///
    /// [Example](Call::with_config)
    pub fn meta(&self) -> Option<&Value> {
        self.0.meta.as_ref().filter(|meta| !meta.is_null())
    }

    /// The object of the schema in which these attributes have these values, and all others are null: where the import of an object
    /// needs no more than its id, the read that follows fills in the rest.
    ///
    /// ```
    /// use plantime::{Type, Value};
    /// use plantime_provider::{Call, Outcome, Resource, schema};
    /// use plantime_schema::Schema;
    ///
    /// struct Vpc;
    ///
    /// impl Resource for Vpc {
    ///     fn schema(&self) -> Schema {
    ///         schema().required("cidr", Type::String).computed("id", Type::String).build()
    ///     }
    ///
    ///     async fn create(&self, planned: Value, _: Call) -> Outcome<Value> {
    ///         Ok(planned)
    ///     }
    ///
    ///     async fn import(&self, id: String, call: Call) -> Outcome<Value> {
    ///         call.object_with([("id", Value::from(id))])
    ///     }
    /// }
    ///
    /// let call = Call::new().with_schema(Vpc.schema());
    /// let imported = call.object_with([("id", Value::from("vpc-1"))]).unwrap();
    /// assert_eq!(imported.to_string(), r#"{cidr = null, id = "vpc-1"}"#);
    /// assert!(call.object_with([("idd", Value::from("vpc-1"))]).is_err());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If an attribute does not exist, or the value cannot be converted to its type.
    pub fn object_with<'a>(&self, attributes: impl IntoIterator<Item = (&'a str, Value)>) -> Outcome<Value> {
        let schema = self.0.schema.as_ref().ok_or("The call has no schema")?;
        let Type::Object(object) = schema.implied_type()? else {
            return Err("The schema has no attributes".into());
        };
        let mut typed = Vec::new();
        for (name, value) in attributes {
            let Some(ty) = object.get(name) else {
                let names = schema.block().attributes.keys();
                let advice = did_you_mean(name, names);
                return Err(format!("{name}: no such attribute{advice}").into());
            };
            let value = convert(&value, &TypeConstraint::from(ty));
            typed.push((name, value.map_err(|error| error.under(plantime::Step::attr(name)))?));
        }
        Ok(with_attributes(&schema.block().empty_value()?, typed)?)
    }

    /// The configuration, which alone has the values of write-only attributes; null where the object is deleted, and `None`
    /// where the host sends none.
    pub fn config(&self) -> Option<&Value> {
        self.0.config.as_ref()
    }

    /// Whether a plan may be [deferred](crate::Plan::deferred): no stock host of a released version says so.
    pub fn may_defer(&self) -> bool {
        self.0.may_defer
    }

    /// The private state with this key, `None` if there is none. Hosts store it beside the state of the object, readable
    /// for whoever can read the state; no plan and no output shows it.
    ///
    /// [Example](Call)
    pub fn private(&self, key: &str) -> Option<serde_json::Value> {
        match &*self.lock() {
            Private::Unchanged(bytes) => entries(bytes).remove(key),
            Private::Changed(entries) => entries.get(key).cloned(),
        }
    }

    /// Stores private state under a key; null removes it. It is kept even if the operation fails, as long as there is an
    /// object. An update, a refresh and an upgrade keep what is not changed.
    ///
    /// [Example](Call)
    pub fn set_private(&self, key: &str, value: serde_json::Value) {
        let mut private = self.lock();
        let mut changed = match &mut *private {
            Private::Unchanged(bytes) => entries(bytes),
            Private::Changed(entries) => std::mem::take(entries),
        };
        if value.is_null() {
            changed.remove(key);
        } else {
            changed.insert(key.to_owned(), value);
        }
        *private = Private::Changed(changed);
    }

    /// The private state as the host stores it.
    pub(crate) fn to_private(&self) -> Bytes {
        match &*self.lock() {
            Private::Unchanged(bytes) => bytes.clone(),
            Private::Changed(entries) if entries.is_empty() => Bytes::new(),
            Private::Changed(entries) => serde_json::to_vec(entries).map(Bytes::from).unwrap_or_default(),
        }
    }

    /// Whether the work has to end.
    ///
    /// [Example](Call)
    pub fn is_cancelled(&self) -> bool {
        *self.0.stop.borrow() || self.0.deadline.is_some_and(|deadline| deadline <= Instant::now())
    }

    /// Returns when the work has to end, and why; never, if it need not.
    ///
    /// [Example](Call)
    pub async fn cancelled(&self) -> Cancelled {
        let mut stop = self.0.stop.clone();
        let stopped = async {
            // A sender that is gone stops nothing.
            if stop.wait_for(|stopped| *stopped).await.is_err() {
                std::future::pending::<()>().await;
            }
        };
        let timed_out = async {
            match self.0.deadline {
                Some(deadline) => tokio::time::sleep_until(deadline).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = stopped => Cancelled::Stopped,
            () = timed_out => Cancelled::TimedOut,
        }
    }

    /// The result of some work, which is dropped where it has to end first.
    ///
    /// [Example](Call)
    ///
    /// # Errors
    ///
    /// The diagnostic that says why the work had to end. Add the state of an object that exists by
    /// [`and_state`](crate::Diagnostics::and_state).
    pub async fn until_cancelled<T>(&self, work: impl Future<Output = T>) -> Outcome<T> {
        tokio::select! {
            result = work => Ok(result),
            reason = self.cancelled() => Err(reason.diagnostic().into()),
        }
    }

    /// The value with everything that the schema calls sensitive marked: its text withholds these parts, so a log may have
    /// it. The values that a provider gets are not marked.
    ///
    /// [Example](crate::Resource)
    pub fn redacted(&self, value: &Value) -> Value {
        let Some(schema) = &self.0.schema else { return value.clone().mark(Mark::SENSITIVE) };
        let secret = schema.marks_for(value).into_iter();
        let secret: Vec<_> = secret.filter(|(_, marks)| marks.contains(&Mark::SENSITIVE)).collect();
        value.mark_with_paths(&secret)
    }

    /// The private state. A panic of the author's code while it is locked cannot leave it half changed.
    fn lock(&self) -> std::sync::MutexGuard<'_, Private> {
        self.0.private.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for Call {
    fn default() -> Call {
        Call::new()
    }
}

impl fmt::Debug for Call {
    /// Shows no private state.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call").field("is_cancelled", &self.is_cancelled()).finish_non_exhaustive()
    }
}

impl Cancelled {
    /// The error of an operation that had to end.
    fn diagnostic(self) -> Diagnostic {
        match self {
            Cancelled::Stopped => Diagnostic::error("The operation was interrupted"),
            Cancelled::TimedOut => Diagnostic::error("The operation did not end in time").detail(
                "The block `timeouts` of the resource, if it has one, sets how long an operation may take.",
            ),
        }
    }
}

/// The entries of private state; none of what another kit stored in a form of its own.
fn entries(bytes: &Bytes) -> Entries {
    serde_json::from_slice(bytes).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn call(private: &'static [u8]) -> (watch::Sender<bool>, Call) {
        let (stop, receiver) = watch::channel(false);
        (stop, Call::of_host(Bytes::from_static(private), receiver, None))
    }

    #[test]
    fn private_state_of_others_is_passed_on_as_it_came() {
        let (_stop, call) = call(b"\x00not JSON");
        assert_eq!(call.private("etag"), None);
        assert_eq!(call.to_private(), Bytes::from_static(b"\x00not JSON"));
        call.set_private("etag", json!("w/1"));
        assert_eq!(call.to_private(), Bytes::from_static(b"{\"etag\":\"w/1\"}"));
    }

    #[test]
    fn private_state_is_changed_by_key() {
        let (_stop, call) = call(br#"{"schema_version":"1","etag":2}"#);
        assert_eq!(call.private("etag"), Some(json!(2)));
        call.set_private("etag", json!(null));
        assert_eq!(call.clone().private("etag"), None);
        assert_eq!(call.to_private(), Bytes::from_static(br#"{"schema_version":"1"}"#));
        call.set_private("schema_version", json!(null));
        assert_eq!(call.to_private(), Bytes::new());
        assert!(!format!("{call:?}").contains("schema_version"));
    }

    #[tokio::test]
    async fn work_ends_when_the_host_stops_or_the_time_is_up() {
        let (stop, call) = call(b"");
        assert!(!call.is_cancelled());
        assert_eq!(call.until_cancelled(async { 1 }).await.ok(), Some(1));
        let schema = Arc::new(crate::schema().build());
        let now = call.with(Details { deadline: Some(Instant::now()), ..Details::of(&schema) });
        assert!(now.is_cancelled());
        assert_eq!(now.cancelled().await, Cancelled::TimedOut);
        assert!(stop.send(true).is_ok());
        assert_eq!(call.cancelled().await, Cancelled::Stopped);
        let stopped = call.until_cancelled(std::future::pending::<()>()).await;
        let text = stopped.map_err(|error| error.list().iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(text, Err(vec!["The operation was interrupted".to_owned()]));
    }

    #[test]
    fn a_redacted_value_shows_nothing_sensitive() {
        use plantime::Type;

        let (_stop, call) = call(b"");
        let schema = crate::schema().required("token", Type::String).sensitive("token").build();
        let value = Value::object([("token", Value::from("hunter2"))]).unwrap_or(Value::null(Type::Dynamic));
        assert!(!call.redacted(&value).to_string().contains("hunter2"));
        let call = call.with(Details::of(&Arc::new(schema)));
        assert_eq!(call.redacted(&value).to_string(), "{token = (sensitive value)}");
    }
}
