//! The resource types of the provider behind the proxy: their schemas, fetched when first needed, and the facts about them.

#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use plantime::Type;
use plantime_schema::Schema;
use plantime_schema::catalogue::Fact;
use tokio::sync::OnceCell;
use tracing::Level;

use super::child::Dialer;
use super::facts::Knowledge;
use super::log::log;
use crate::handshake::Protocol;
use crate::raw;
use crate::wire::read_schema;

/// How long the provider is not asked again after it took long to give no schemas, so that not every plan waits as long.
const PAUSE: Duration = Duration::from_secs(60);
/// The maximum number of warnings.
const WARNINGS: usize = 10_000;
/// What counts as long.
const LONG: Duration = Duration::from_secs(1);

/// Where the answer to `GetProviderSchema` has the schemas of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// The configuration of the provider itself.
    Provider,
    Resource,
    DataSource,
}

/// Schemas by kind and name; `None` for one that the provider does not have.
type Schemas = HashMap<(Kind, String), Option<Arc<Schema>>>;

/// Schemas and facts by resource type.
pub(super) struct Resources {
    dialer: Dialer,
    protocol: Protocol,
    knowledge: Option<Knowledge>,
    /// The answer to `GetProviderSchema`; empty as long as the provider gives none.
    answer: OnceCell<Bytes>,
    /// When the provider had taken long to give none.
    failed: Mutex<Option<Instant>>,
    /// The warnings that were logged.
    warnings: Mutex<HashSet<String>>,
    /// The resource types whose facts were compared with the schema.
    checked: Mutex<HashSet<String>>,
    schemas: Mutex<Schemas>,
    facts: Mutex<HashMap<String, Arc<Vec<Fact>>>>,
}

impl Resources {
    /// The resource types of the provider that is dialled so.
    pub(super) fn new(dialer: Dialer, protocol: Protocol, knowledge: Option<Knowledge>) -> Resources {
        let (schemas, facts) = (Mutex::default(), Mutex::default());
        let (failed, warnings, checked) = (Mutex::default(), Mutex::default(), Mutex::default());
        let answer = OnceCell::new();
        Resources { dialer, protocol, knowledge, answer, failed, warnings, checked, schemas, facts }
    }

    /// The facts about a resource type.
    pub(super) fn facts(&self, type_name: &str) -> Arc<Vec<Fact>> {
        let Some(knowledge) = &self.knowledge else { return Arc::default() };
        let mut known = self.facts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(facts) = known.get(type_name) {
            return Arc::clone(facts);
        }
        let facts = Arc::new(knowledge.facts(type_name));
        known.insert(type_name.to_owned(), Arc::clone(&facts));
        facts
    }

    /// Whether facts of class B are added to plans too.
    pub(super) fn sends_class_b(&self) -> bool {
        self.knowledge.as_ref().is_some_and(Knowledge::sends_class_b)
    }

    /// Whether there are facts at all.
    pub(super) fn has_knowledge(&self) -> bool {
        self.knowledge.is_some()
    }

    /// The schema of a type; `None` for one that the provider does not have or that is not valid.
    pub(super) async fn schema(&self, kind: Kind, type_name: &str) -> Option<Arc<Schema>> {
        let key = (kind, type_name.to_owned());
        if let Some(schema) = self.schemas.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return schema.clone();
        }
        let answer = match self.answer.get_or_try_init(|| self.ask()).await {
            Ok(answer) => answer,
            Err(why) => {
                self.warn(format!(
                    "the provider gives no schemas, so nothing is added, checked or shown: {why}"
                ));
                return None;
            }
        };
        let schema = match kind {
            Kind::Provider => raw::content(answer, 1),
            Kind::Resource => raw::map_entry(answer, 2, type_name),
            Kind::DataSource => raw::map_entry(answer, 3, type_name),
        };
        let schema = schema.and_then(|message| match read_schema::schema(message, self.protocol) {
            Ok(schema) => Some(Arc::new(schema)),
            Err(error) => {
                self.warn(format!("the schema of {type_name} cannot be read: {error}"));
                None
            }
        });
        self.schemas.lock().unwrap_or_else(PoisonError::into_inner).insert(key, schema.clone());
        schema
    }

    /// The type of the values of a resource type.
    pub(super) async fn value_type(&self, type_name: &str) -> Option<Type> {
        let schema = self.schema(Kind::Resource, type_name).await?;
        match schema.implied_type() {
            Ok(ty) => {
                self.check_paths(type_name, ty);
                Some(ty.clone())
            }
            Err(error) => {
                self.warn(format!("the schema of {type_name} is not valid: {error}"));
                None
            }
        }
    }

    /// Warns of facts about parts that the resource type does not have: they are neither added nor checked.
    fn check_paths(&self, type_name: &str, ty: &Type) {
        let is_new = self.checked.lock().unwrap_or_else(PoisonError::into_inner).insert(type_name.to_owned());
        if !is_new {
            return;
        }
        for fact in self.facts(type_name).iter() {
            if let Err(error) = fact.path().check_type(ty) {
                let (path, origin) = (fact.path(), fact.origin());
                self.warn(format!("the fact {origin} about {type_name}.{path} does not count: {error}"));
            }
        }
    }

    /// Logs a warning, each once. It may show no content of a resource.
    pub(super) fn warn(&self, text: String) {
        let mut warnings = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        if warnings.len() < WARNINGS && !warnings.contains(&text) {
            log(Level::WARN, || text.clone());
            warnings.insert(text);
        }
    }

    /// Asks the provider for all schemas.
    async fn ask(&self) -> Result<Bytes, String> {
        let failed = *self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        if failed.is_some_and(|failed| failed.elapsed() < PAUSE) {
            return Err("it took long to give none a moment ago".to_owned());
        }
        let path = match self.protocol {
            Protocol::V5 => "/tfplugin5.Provider/GetSchema",
            Protocol::V6 => "/tfplugin6.Provider/GetProviderSchema",
        };
        let started = Instant::now();
        let answer = self.dialer.ask(path).await;
        if answer.is_err() && started.elapsed() >= LONG {
            *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        }
        answer
    }
}
