//! Ephemeral resources: what exists for one run, and is stored nowhere.

use std::future::{Future, ready};
use std::time::Duration;

use plantime::Value;
use plantime::rule::Validators;
use plantime_schema::Schema;

use crate::call::Call;
use crate::diagnostic::{Diagnostic, Outcome};

/// An ephemeral resource type, such as a token: opened when a run needs it, renewed while it does, and closed.
///
/// What [`open`](EphemeralResource::open) stores by [`Call::set_private`] is there when it is renewed and closed.
///
/// ```
/// use std::time::Duration;
///
/// use plantime_schema::Schema;
/// use plantime::{Type, Value};
/// use plantime_provider::{Call, EphemeralResource, Opened, Outcome, schema, with_attributes};
///
/// struct Token;
///
/// impl EphemeralResource for Token {
///     fn schema(&self) -> Schema {
///         schema().required("role", Type::String).computed("token", Type::String).sensitive("token").build()
///     }
///
///     async fn open(&self, config: Value, call: Call) -> Outcome<Opened> {
///         call.set_private("lease", serde_json::json!("l-1"));
///         let result = with_attributes(&config, [("token", Value::from("t-1"))])?;
///         Ok(Opened::new(result).renew_in(Duration::from_secs(300)))
///     }
///
///     async fn renew(&self, call: Call) -> Outcome<Option<Duration>> {
///         match call.private("lease") {
///             Some(_) => Ok(Some(Duration::from_secs(300))),
///             None => Err("The lease is not there".into()),
///         }
///     }
/// }
/// ```
pub trait EphemeralResource: Send + Sync + 'static {
    /// The attributes and blocks.
    fn schema(&self) -> Schema;

    /// Rules on the configuration as a whole: see [`DataSource::validators`](crate::DataSource::validators).
    fn validators(&self) -> Option<Validators> {
        None
    }

    /// The problems of a configuration, in which values may be unknown. It is called with configurations that the schema allows.
    fn validate(&self, config: Value) -> impl Future<Output = Outcome<Vec<Diagnostic>>> + Send {
        let _ = config;
        ready(Ok(Vec::new()))
    }

    /// Opens it: the configuration with everything computed filled in.
    fn open(&self, config: Value, call: Call) -> impl Future<Output = Outcome<Opened>> + Send;

    /// Keeps it for longer, and returns when it has to be renewed next; `None` if it need not.
    fn renew(&self, call: Call) -> impl Future<Output = Outcome<Option<Duration>>> + Send {
        let _ = call;
        ready(Ok(None))
    }

    /// Closes it: the run needs it no more.
    fn close(&self, call: Call) -> impl Future<Output = Outcome<()>> + Send {
        let _ = call;
        ready(Ok(()))
    }
}

/// An ephemeral resource that is open: see [`EphemeralResource::open`].
#[derive(Clone, Debug)]
pub struct Opened {
    pub(crate) result: Value,
    pub(crate) renew_in: Option<Duration>,
}

impl Opened {
    /// One with these values, which need not be renewed.
    ///
    /// [Example](EphemeralResource)
    pub fn new(result: Value) -> Opened {
        Opened { result, renew_in: None }
    }

    /// The same one, which has to be renewed within this time.
    ///
    /// [Example](EphemeralResource)
    #[must_use]
    pub fn renew_in(mut self, time: Duration) -> Opened {
        self.renew_in = Some(time);
        self
    }
}
