//! Data sources.

use std::future::{Future, ready};
use std::time::Duration;

use plantime::Value;
use plantime::rule::Validators;
use plantime_schema::Schema;

use crate::call::Call;
use crate::diagnostic::{Diagnostic, Outcome};
use crate::resource::DEFAULT_TIMEOUT;

/// A data source: its schema, and how it is read.
///
/// ```
/// use plantime_schema::Schema;
/// use plantime::{Type, Value};
/// use plantime_provider::{Call, DataSource, Outcome, schema, with_attributes};
///
/// struct Region;
///
/// impl DataSource for Region {
///     fn schema(&self) -> Schema {
///         schema().required("name", Type::String).computed("code", Type::String).build()
///     }
///
///     async fn read(&self, config: Value, _: Call) -> Outcome<Value> {
///         Ok(with_attributes(&config, [("code", Value::from("eu-1"))])?)
///     }
/// }
/// ```
pub trait DataSource: Send + Sync + 'static {
    /// The attributes and blocks.
    fn schema(&self) -> Schema;

    /// How long a read may take where the block `timeouts` does not say: see [`Call::until_cancelled`].
    fn timeout(&self) -> Duration {
        DEFAULT_TIMEOUT
    }

    /// Rules on the configuration as a whole, such as attributes that exclude each other: they are evaluated before
    /// [`validate`](DataSource::validate), and show nothing sensitive.
    ///
    /// ```
    /// use plantime::rule::{Rule, Validators};
    ///
    /// let one = Rule::exactly_one_of(["id".parse()?, "name".parse()?]);
    /// Validators::data_source("demo_image").rule("one-source", one);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    fn validators(&self) -> Option<Validators> {
        None
    }

    /// The problems of a configuration, in which values may be unknown. It is called with configurations that the schema allows.
    fn validate(&self, config: Value) -> impl Future<Output = Outcome<Vec<Diagnostic>>> + Send {
        let _ = config;
        ready(Ok(Vec::new()))
    }

    /// The configuration with everything computed filled in.
    fn read(&self, config: Value, call: Call) -> impl Future<Output = Outcome<Value>> + Send;
}
