//! Correct providers in which a test replaces one method by a faulty one, and the problems that the kit then reports.

use plantime::{Refinement, Type, Value, value};
use plantime_provider::{
    Call, Change, DataSource, Diagnostic, EphemeralResource, Function, Harness, Opened, Outcome, Parameter,
    Plan, Provider, Resource, SameMeaning, SchemaBuilder, Signature, schema, with_attributes,
};
use plantime_schema::Schema;
use plantime_schema::planning::Behaviours;
use serde_json::json;

/// A resource type whose methods are given one by one.
#[derive(Clone, Copy)]
pub(crate) struct Made {
    pub(crate) schema: fn() -> Schema,
    pub(crate) facts: fn() -> Vec<(&'static str, Refinement)>,
    pub(crate) replaced_by: fn() -> Vec<&'static str>,
    pub(crate) identity: fn() -> Vec<&'static str>,
    pub(crate) same: fn() -> Vec<(&'static str, SameMeaning)>,
    pub(crate) behaviours: fn() -> Option<Behaviours>,
    pub(crate) validate: fn(Value) -> Outcome<Vec<Diagnostic>>,
    pub(crate) plan: fn(Change, Plan) -> Outcome<Plan>,
    pub(crate) create: fn(Value, Call) -> Outcome<Value>,
    pub(crate) read: fn(Value, Call) -> Outcome<Option<Value>>,
    pub(crate) update: fn(Value, Call) -> Outcome<Value>,
    pub(crate) delete: fn(Call) -> Outcome<()>,
    pub(crate) import: fn(String, Call) -> Outcome<Value>,
    pub(crate) upgrade: fn(serde_json::Value) -> Outcome<serde_json::Value>,
}

/// Name, token, tags, a computed id, and a revision.
pub(crate) fn base() -> SchemaBuilder {
    let tags = Type::map(Type::String).expect("a type");
    let schema = schema().version(1).required("name", Type::String).optional("token", Type::String);
    schema.optional("tags", tags).optional_computed("zone", Type::String).computed("id", Type::String)
}

/// The state of the object that is planned.
pub(crate) fn made(planned: &Value) -> Outcome<Value> {
    let zone = planned.get_attr("zone")?;
    let zone = if zone.is_wholly_known() { zone } else { Value::from("z") };
    Ok(with_attributes(planned, [("id", Value::from("i-1")), ("zone", zone)])?)
}

/// A resource type without a fault.
pub(crate) const GOOD: Made = Made {
    schema: || base().build(),
    facts: || vec![("id", Refinement::prefix("i-").and_not_null())],
    replaced_by: Vec::new,
    identity: Vec::new,
    same: Vec::new,
    behaviours: || None,
    validate: |_| Ok(Vec::new()),
    plan: |_, plan| Ok(plan),
    create: |planned, call| {
        call.set_private("etag", json!(1));
        made(&planned)
    },
    read: |state, _| Ok(Some(state)),
    update: |planned, _| made(&planned),
    delete: |_| Ok(()),
    import: |id, call| {
        let known = [("id", id.into()), ("name", "a".into()), ("zone", "z".into())];
        call.object_with(known)
    },
    upgrade: Ok,
};

impl Resource for Made {
    fn schema(&self) -> Schema {
        (self.schema)()
    }

    fn facts(&self) -> Vec<(&'static str, Refinement)> {
        (self.facts)()
    }

    fn replaced_by(&self) -> Vec<&'static str> {
        (self.replaced_by)()
    }

    fn identity(&self) -> Vec<&'static str> {
        (self.identity)()
    }

    fn semantic_equality(&self) -> Vec<(&'static str, SameMeaning)> {
        (self.same)()
    }

    fn behaviours(&self) -> Option<Behaviours> {
        (self.behaviours)()
    }

    async fn validate(&self, config: Value) -> Outcome<Vec<Diagnostic>> {
        (self.validate)(config)
    }

    async fn plan(&self, change: Change, plan: Plan, _: Call) -> Outcome<Plan> {
        (self.plan)(change, plan)
    }

    async fn create(&self, planned: Value, call: Call) -> Outcome<Value> {
        (self.create)(planned, call)
    }

    async fn read(&self, state: Value, call: Call) -> Outcome<Option<Value>> {
        (self.read)(state, call)
    }

    async fn update(&self, _: Value, planned: Value, call: Call) -> Outcome<Value> {
        (self.update)(planned, call)
    }

    async fn delete(&self, _: Value, call: Call) -> Outcome<()> {
        (self.delete)(call)
    }

    async fn import(&self, id: String, call: Call) -> Outcome<Value> {
        (self.import)(id, call)
    }

    fn upgrade(&self, _: i64, state: serde_json::Value) -> Outcome<serde_json::Value> {
        (self.upgrade)(state)
    }
}

/// A data source and an ephemeral resource of a schema, with what they return.
#[derive(Clone, Copy)]
pub(crate) struct Given {
    pub(crate) schema: fn() -> Schema,
    pub(crate) give: fn(Value) -> Outcome<Value>,
}

/// A name, and a computed secret.
pub(crate) fn given() -> Schema {
    schema().required("name", Type::String).computed("out", Type::String).sensitive("out").build()
}

pub(crate) const GIVEN: Given =
    Given { schema: given, give: |config| Ok(with_attributes(&config, [("out", "o".into())])?) };

impl DataSource for Given {
    fn schema(&self) -> Schema {
        (self.schema)()
    }

    async fn read(&self, config: Value, _: Call) -> Outcome<Value> {
        (self.give)(config)
    }
}

impl EphemeralResource for Given {
    fn schema(&self) -> Schema {
        (self.schema)()
    }

    async fn open(&self, config: Value, _: Call) -> Outcome<Opened> {
        Ok(Opened::new((self.give)(config)?))
    }
}

/// A function of a signature, which returns its first argument.
pub(crate) struct First(pub(crate) fn() -> Signature);

impl Function for First {
    fn signature(&self) -> Signature {
        (self.0)()
    }

    async fn call(&self, arguments: Vec<Value>) -> Result<Value, (String, Option<usize>)> {
        arguments.into_iter().next().ok_or_else(|| ("no argument".to_owned(), None))
    }
}

pub(crate) fn demo() -> Provider {
    Provider::new("demo")
}

pub(crate) fn configuration() -> Value {
    value!({ "name": "a", "token": "hunter2!", "tags": { "k": "v" } }).expect("a value")
}

/// What is found of a resource type in a whole life.
pub(crate) fn lived(made: Made) -> Vec<String> {
    let harness = Harness::new(demo().resource("demo_x", made));
    let stored = json!({ "name": "a", "token": "hunter2!", "id": "i-1", "zone": "z", "tags": { "k": "v" } });
    let other = with_attributes(&configuration(), [("name", "b".into())]).expect("a value");
    let life = harness.resource("demo_x").upgrade(0, stored).import_except("i-1", &["token", "tags"]);
    let first = life.apply(configuration()).run();
    let second = harness.resource("demo_x").apply(configuration()).apply(other).run();
    let reports = [first, second];
    let list = reports.iter().flat_map(|report| report.violations());
    list.map(ToString::to_string).collect()
}

/// What a provider says of itself when it is built, and the harness of its schemas.
pub(crate) fn built(provider: Provider) -> Vec<String> {
    let checked = provider.check().err().map(|wrong| wrong.list().to_vec()).unwrap_or_default();
    let said: Vec<String> = checked.iter().map(|one| format!("error: {one}")).collect();
    let report = Harness::new(provider).schemas();
    let shown: Vec<String> = report.violations().iter().map(ToString::to_string).collect();
    // What is found when it is built reaches the host in the place of schemas.
    assert_eq!(said.len(), shown.len(), "{shown:?}");
    assert!(said.iter().zip(&shown).all(|(said, shown)| shown.ends_with(said)), "{said:?} {shown:?}");
    said
}

pub(crate) fn of_schema(schema: fn() -> Schema) -> Vec<String> {
    built(demo().resource("demo_x", Made { schema, facts: Vec::new, ..GOOD }))
}

pub(crate) fn read_data(given: Given) -> Vec<String> {
    let report = Harness::new(demo().data_source("demo_d", given)).data_source("demo_d", named());
    report.violations().iter().map(ToString::to_string).collect()
}

pub(crate) fn opened(given: Given) -> Vec<String> {
    let harness = Harness::new(demo().ephemeral_resource("demo_e", given));
    let report = harness.ephemeral_resource("demo_e", named());
    report.violations().iter().map(ToString::to_string).collect()
}

pub(crate) fn named() -> Value {
    value!({ "name": "n" }).expect("a value")
}

/// A signature of one parameter.
pub(crate) fn one() -> Signature {
    Signature::new(Type::String, "Its argument").parameter(Parameter::new("text", Type::String))
}

pub(crate) fn set(value: &Value, name: &str, part: Value) -> Outcome<Value> {
    Ok(with_attributes(value, [(name, part)])?)
}

/// The name of a fault, what is found of it, and a part of a text that is to be among that.
pub(crate) type Row = (&'static str, fn() -> Vec<String>, &'static str);
