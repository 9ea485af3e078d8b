//! The resource types of the provider behind the proxy: their schemas, fetched when first needed, and the facts about them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use plantime::Type;
use plantime::catalogue::Fact;
use plantime::schema::Schema;
use tokio::sync::OnceCell;

use super::child::Dialer;
use super::facts::Knowledge;
use crate::handshake::Protocol;
use crate::raw;
use crate::wire::read_schema;

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
    /// The answer to `GetProviderSchema`; `None` where the provider gives none.
    answer: OnceCell<Option<Bytes>>,
    schemas: Mutex<Schemas>,
    facts: Mutex<HashMap<String, Arc<Vec<Fact>>>>,
}

impl Resources {
    /// The resource types of the provider that is dialled so.
    pub(super) fn new(dialer: Dialer, protocol: Protocol, knowledge: Option<Knowledge>) -> Resources {
        let (schemas, facts) = (Mutex::default(), Mutex::default());
        Resources { dialer, protocol, knowledge, answer: OnceCell::new(), schemas, facts }
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
        let answer = self.answer.get_or_init(|| self.ask()).await.as_ref()?;
        let schema = match kind {
            Kind::Provider => raw::content(answer, 1),
            Kind::Resource => raw::map_entry(answer, 2, type_name),
            Kind::DataSource => raw::map_entry(answer, 3, type_name),
        };
        let schema =
            schema.and_then(|message| read_schema::schema(message, self.protocol).ok()).map(Arc::new);
        self.schemas.lock().unwrap_or_else(PoisonError::into_inner).insert(key, schema.clone());
        schema
    }

    /// The type of the values of a resource type.
    pub(super) async fn value_type(&self, type_name: &str) -> Option<Type> {
        self.schema(Kind::Resource, type_name).await?.implied_type().ok().cloned()
    }

    /// Asks the provider for all schemas.
    async fn ask(&self) -> Option<Bytes> {
        let path = match self.protocol {
            Protocol::V5 => "/tfplugin5.Provider/GetSchema",
            Protocol::V6 => "/tfplugin6.Provider/GetProviderSchema",
        };
        self.dialer.ask(path).await.ok()
    }
}
