//! A provider with all that the kit offers. Objects are files in the folder that `FEATURES_STORE` names.

use std::process::ExitCode;
use std::time::Duration;

use plantime::rule::Rule;
use plantime::rule::set::RuleSet;
use plantime::{Refinement, Type, Value};
use plantime_provider::{
    Call, DataSource, Diagnostic, Diagnostics, EphemeralResource, Function, MoveSource, Opened, Operation,
    Outcome, Parameter, Provider, Resource, SameMeaning, Signature, schema, serve, with_attributes,
};
use plantime_schema::planning::{Behaviour, Behaviours};
use plantime_schema::{Attribute, Block, NestedBlock, Schema};
use serde_json::json;

/// Appends a line to the file `calls` of the store, which tests read.
fn note(line: &str) {
    use std::io::Write;

    let Ok(store) = std::env::var("FEATURES_STORE") else { return };
    let file = std::fs::File::options().append(true).create(true).open(format!("{store}/calls"));
    // A test that misses the line fails by itself.
    let _ = file.and_then(|mut file| writeln!(file, "{line}"));
}

/// A database: an identity, private state, timeouts, a write-only password, and two earlier schema versions.
struct Database;

impl Resource for Database {
    fn schema(&self) -> Schema {
        let schema = schema().version(2).required("name", Type::String).optional("token", Type::String);
        let schema = schema.sensitive("token").optional("password", Type::String).write_only("password");
        let schema = schema.optional("wait", Type::String).computed("id", Type::String);
        schema.timeouts(&[Operation::Create]).build()
    }

    fn facts(&self) -> Vec<(&'static str, Refinement)> {
        vec![("id", Refinement::prefix("db-").and_not_null())]
    }

    fn identity(&self) -> Vec<&'static str> {
        vec!["id"]
    }

    async fn create(&self, planned: Value, call: Call) -> Outcome<Value> {
        let password = call.config().and_then(|config| config.get_attr("password").ok());
        let has_password = password.is_some_and(|password| !password.is_null());
        tracing::info!(planned = %call.redacted(&planned), has_password, "creates a database");
        call.set_private("generation", json!(1));
        let state = with_attributes(&planned, [("id", Value::from("db-1"))])?;
        let wait = planned.get_attr("wait")?;
        if wait == Value::from("forever") {
            note(&format!("waits in {}", std::process::id()));
            let ready = call.until_cancelled(std::future::pending::<()>()).await;
            ready.map_err(|error: Diagnostics| error.and_state(state.clone()))?;
        }
        if wait == Value::from("fail") {
            return Err(Diagnostics::from("The database never became ready").and_state(state));
        }
        Ok(state)
    }

    async fn read(&self, state: Value, call: Call) -> Outcome<Option<Value>> {
        note(&format!("read generation {}", call.private("generation").unwrap_or_default()));
        let name = state.get_attr("name")?;
        let name = if name.is_null() { Value::from("imported") } else { name };
        Ok(Some(with_attributes(&state, [("name", name)])?))
    }

    async fn update(&self, _: Value, planned: Value, call: Call) -> Outcome<Value> {
        let generation = call.private("generation").and_then(|generation| generation.as_i64()).unwrap_or(0);
        call.set_private("generation", json!(generation.saturating_add(1)));
        Ok(planned)
    }

    async fn import(&self, id: String, call: Call) -> Outcome<Value> {
        call.set_private("generation", json!(7));
        self.import_by_identity(Value::object([("id", Value::from(id))])?, call).await
    }

    fn upgrade(&self, version: i64, mut state: serde_json::Value) -> Outcome<serde_json::Value> {
        // Version 0 had `title`, version 1 a number in `id`.
        if let Some(object) = state.as_object_mut() {
            if version == 0 {
                let title = object.remove("title").unwrap_or_default();
                object.insert("name".to_owned(), title);
            }
            if let Some(number) = object.get("id").and_then(serde_json::Value::as_i64) {
                object.insert("id".to_owned(), json!(format!("db-{number}")));
            }
        }
        Ok(state)
    }

    fn take_over(&self, source: MoveSource) -> Outcome<serde_json::Value> {
        if source.type_name != "features_store" {
            return Err(format!("An object of {} is no database", source.type_name).into());
        }
        let id = source.state.get("id").and_then(|id| id.as_str()).unwrap_or_default().replace("st-", "db-");
        Ok(json!({ "id": id, "name": source.state.get("name") }))
    }
}

/// An older resource type, whose objects became databases.
struct Store;

impl Resource for Store {
    fn schema(&self) -> Schema {
        let schema = schema().required("name", Type::String).optional_computed("tier", Type::String);
        schema.computed("id", Type::String).build()
    }

    fn behaviours(&self) -> Option<Behaviours> {
        let name = Behaviour::new().validate(RuleSet::new([Rule::min_len(1)]));
        let tier = Behaviour::new().default_value("small").force_new();
        let behaviours = Behaviours::framework().at("name", name).at("tier", tier);
        Some(behaviours.at("id", Behaviour::new().use_state_for_unknown()))
    }

    async fn create(&self, planned: Value, _: Call) -> Outcome<Value> {
        Ok(with_attributes(&planned, [("id", Value::from("st-1"))])?)
    }
}

/// A disk as a provider of the SDK has it: its name is stored in lower case, its kind has a default although nothing computes it, and
/// there are no partitions or at least two of them.
struct Disk;

impl Resource for Disk {
    fn schema(&self) -> Schema {
        let schema = schema().required("name", Type::String).optional("kind", Type::String);
        let schema = schema.optional("label", Type::String).deprecated("label", "Use name.");
        let partition = Block::builder().attribute("size", Attribute::required(Type::Number)).build();
        // A block that is not valid has no attributes, which the host refuses.
        let partition = NestedBlock::list(partition.unwrap_or_default());
        schema
            .optional("document", Type::String)
            .computed("id", Type::String)
            .block("partition", partition)
            .build()
    }

    fn behaviours(&self) -> Option<Behaviours> {
        let name = Behaviour::new().stored_as(|name| Ok(name.as_str()?.to_lowercase().into()));
        let behaviours = Behaviours::sdk().at("name", name).at("kind", Behaviour::new().default_value("ssd"));
        Some(behaviours.at("partition", Behaviour::new().min_items(2)))
    }

    fn semantic_equality(&self) -> Vec<(&'static str, SameMeaning)> {
        fn document(text: &Value) -> Option<serde_json::Value> {
            serde_json::from_str(text.as_str().ok()?).ok()
        }
        vec![("document", |before, now| document(before).is_some() && document(before) == document(now))]
    }

    async fn create(&self, planned: Value, call: Call) -> Outcome<Value> {
        let prefix = call.data::<String>().ok_or("The provider is not configured")?;
        let module = call.meta().and_then(|meta| meta.get_attr("module_name").ok());
        note(&format!("meta {}", module.as_ref().and_then(|name| name.as_str().ok()).unwrap_or("none")));
        call.warn(Diagnostic::warning("The quota is nearly used up").detail("Two disks are left."));
        Ok(with_attributes(&planned, [("id", Value::from(format!("{prefix}-1")))])?)
    }

    async fn read(&self, state: Value, _: Call) -> Outcome<Option<Value>> {
        // A system that writes its documents anew.
        let document = state.get_attr("document")?;
        let written =
            document.as_str().ok().and_then(|text| serde_json::from_str::<serde_json::Value>(text).ok());
        let written = written.map_or(document.clone(), |written| Value::from(format!("{written:#}")));
        Ok(Some(with_attributes(&state, [("document", written)])?))
    }

    async fn import(&self, id: String, call: Call) -> Outcome<Value> {
        call.object_with([("id", Value::from(id)), ("name", Value::from("imported"))])
    }
}

/// A data source.
struct Region;

impl DataSource for Region {
    fn schema(&self) -> Schema {
        schema().required("name", Type::String).computed("code", Type::String).build()
    }

    async fn read(&self, config: Value, _: Call) -> Outcome<Value> {
        let name = config.get_attr("name")?;
        if name == Value::from("nowhere") {
            return Err("There is no such region".into());
        }
        Ok(with_attributes(&config, [("code", Value::from("eu-1"))])?)
    }
}

/// A token that exists for one run.
struct Token;

impl EphemeralResource for Token {
    fn schema(&self) -> Schema {
        schema().required("role", Type::String).computed("token", Type::String).sensitive("token").build()
    }

    async fn open(&self, config: Value, call: Call) -> Outcome<Opened> {
        note("open");
        call.set_private("lease", json!("lease-1"));
        let opened = Opened::new(with_attributes(&config, [("token", Value::from("hunter2-token"))])?);
        Ok(opened.renew_in(Duration::from_millis(200)))
    }

    async fn renew(&self, call: Call) -> Outcome<Option<Duration>> {
        note(&format!("renew {}", call.private("lease").unwrap_or_default()));
        Ok(Some(Duration::from_secs(300)))
    }

    async fn close(&self, call: Call) -> Outcome<()> {
        note(&format!("close {}", call.private("lease").unwrap_or_default()));
        Ok(())
    }
}

/// A function.
struct Greet;

impl Function for Greet {
    fn signature(&self) -> Signature {
        let name = Parameter::new("name", Type::String).unknown();
        Signature::new(Type::String, "A greeting").parameter(name)
    }

    async fn call(&self, arguments: Vec<Value>) -> Result<Value, (String, Option<usize>)> {
        let wrong = |error: plantime::Error| (error.to_string(), Some(0));
        match arguments.first().map(|name| (name.as_str(), name.is_wholly_known())) {
            Some((Ok(""), _)) => Err(("Nobody is greeted".to_owned(), Some(0))),
            Some((Ok(name), _)) => Ok(Value::from(format!("hello {name}"))),
            _ => Value::unknown(Type::String).assume_string_prefix("hello ").map_err(wrong),
        }
    }
}

fn main() -> ExitCode {
    let settings =
        schema().optional("prefix", Type::String).deprecated("prefix", "The prefix will be chosen.");
    let provider = Provider::new("features").configured_with(settings.build(), |config, call| async move {
        let prefix = config.get_attr("prefix")?;
        if prefix.is_null() {
            call.warn(Diagnostic::warning("The prefix is disk, as none is set"));
        }
        Ok(prefix.as_str().unwrap_or("disk").to_owned())
    });
    let provider = provider.meta(schema().optional("module_name", Type::String).build());
    let provider = provider.resource("features_disk", Disk).resource("features_database", Database);
    let provider = provider.resource("features_store", Store).data_source("features_region", Region);
    serve(provider.ephemeral_resource("features_token", Token).function("greet", Greet))
}
