//! Resource types that say how their attributes behave, in whole lives.

use plantime::rule::Rule;
use plantime::rule::set::RuleSet;
use plantime::value;
use plantime::{Path, Refinement, Result, Type, Value};
use plantime_schema::Schema;
use plantime_schema::planning::{Behaviour, Behaviours};

use super::super::Change;
use super::problems;
use crate::{Call, Harness, Outcome, Provider, Resource, schema, with_attributes};

/// A database: its engine has a default, another zone replaces it, its id stays known, and its password is checked and never stored.
struct Database;

impl Resource for Database {
    fn schema(&self) -> Schema {
        let schema = schema().required("name", Type::String).optional_computed("engine", Type::String);
        let schema = schema.optional("zone", Type::String).optional("pin", Type::String).sensitive("pin");
        let schema = schema.optional("password", Type::String).write_only("password");
        schema.computed("id", Type::String).computed("revision", Type::String).build()
    }

    fn facts(&self) -> Vec<(&'static str, Refinement)> {
        vec![("revision", Refinement::prefix("r"))]
    }

    fn replaced_by(&self) -> Vec<&'static str> {
        vec!["name"]
    }

    fn behaviours(&self) -> Option<Behaviours> {
        let rules = |rule| Behaviour::new().validate(RuleSet::new([rule]));
        let id = Behaviour::new().use_state_for_unknown().promise(Refinement::prefix("db-").and_not_null());
        let behaviours = Behaviours::framework().at("engine", Behaviour::new().default_value("postgres"));
        let behaviours = behaviours.at("zone", Behaviour::new().force_new()).at("id", id);
        let behaviours = behaviours.at("name", rules(Rule::starts_with("d")));
        Some(behaviours.at("pin", rules(Rule::min_len(8))).at("password", rules(Rule::min_len(8))))
    }

    async fn create(&self, planned: Value, _: Call) -> Outcome<Value> {
        Ok(with_attributes(&planned, [("id", Value::from("db-1")), ("revision", Value::from("r1"))])?)
    }

    async fn update(&self, _: Value, planned: Value, _: Call) -> Outcome<Value> {
        Ok(with_attributes(&planned, [("revision", Value::from("r2"))])?)
    }
}

fn config(name: Value, more: &[(&str, Value)]) -> Result<Value> {
    let given = [("name", name)].into_iter().chain(more.iter().map(|(name, value)| (*name, value.clone())));
    let block = Database.schema();
    block.block().coerce(&Value::object(given)?)
}

/// The planned value, and the paths that replace.
fn planned(prior: &Value, config: &Value) -> Outcome<(String, Vec<String>)> {
    let schema = Database.schema();
    let prior = schema.block().coerce(prior)?;
    let proposed = plantime_schema::planning::proposed_new(schema.block(), &prior, config)?;
    let change = Change { prior, proposed, config: config.clone() };
    let (plan, _) = change.first_plan(&schema, &Database)?;
    Ok((plan.planned.to_string(), plan.requires_replace.iter().map(Path::to_string).collect()))
}

#[test]
fn a_whole_life_breaks_no_promise() -> Result<()> {
    let harness = Harness::new(Provider::new("demo").resource("demo_database", Database));
    let life = harness.resource("demo_database").refuse(value!({ "name": "x" })?);
    let life = life.apply(value!({ "name": "d", "password": "correct horse", "pin": "12345678" })?);
    let life = life.apply(value!({ "name": "d", "engine": "mysql", "password": "correct horse" })?);
    let report = life.apply(value!({ "name": "d", "zone": "b" })?).run();
    assert_eq!(report.violations(), [], "{report}");
    Ok(())
}

#[test]
fn defaults_promises_and_replacements_are_in_the_plan() -> Result<()> {
    let none = Value::null(Type::Dynamic);
    let (created, _) =
        planned(&none, &config("d".into(), &[("password", "correct horse".into())])?).expect("a plan");
    assert_eq!(
        created,
        r#"{engine = "postgres", id = "db-${(known after apply)}", name = "d", password = null, pin = null, revision = "r${(known after apply)}", zone = null}"#
    );
    let prior = value!({ "name": "d", "engine": "postgres", "id": "db-1", "revision": "r1", "zone": "a" })?;
    // What is write-only is no difference.
    let same = config("d".into(), &[("zone", "a".into()), ("password", "correct horse".into())])?;
    let (same, replaces) = planned(&prior, &same).expect("a plan");
    assert!(same.contains(r#"revision = "r1""#) && replaces.is_empty(), "{same}");
    let (updated, replaces) =
        planned(&prior, &config("d".into(), &[("zone", "a".into()), ("engine", "mysql".into())])?)
            .expect("a plan");
    assert!(
        updated.contains(r#"id = "db-1""#) && updated.contains(r#"revision = "r${(known after apply)}""#),
        "{updated}"
    );
    assert!(replaces.is_empty());
    let (_, replaces) = planned(&prior, &config("d2".into(), &[("zone", "b".into())])?).expect("a plan");
    assert_eq!(replaces, ["zone", "name"]);
    Ok(())
}

#[test]
fn rules_are_problems_that_show_nothing_secret() -> Result<()> {
    let schema = Database.schema();
    let behaviours = Resource::behaviours(&Database).expect("behaviours");
    let found = |config: Value| {
        let found = problems(&schema, Some(&behaviours), &config).expect("an answer");
        found.iter().map(|one| format!("{}: {one}", one.path)).collect::<Vec<_>>()
    };
    assert_eq!(found(config(Value::unknown(Type::String), &[])?), [""; 0]);
    let wrong = found(config("x".into(), &[])?);
    assert!(wrong.len() == 1 && wrong[0].starts_with("name: ") && wrong[0].contains("\"x\""), "{wrong:?}");
    for secret in ["pin", "password"] {
        let config = config("d".into(), &[(secret, "hunt".into())])?;
        let wrong = found(config.clone());
        assert!(wrong.len() == 1 && wrong[0].starts_with(secret), "{wrong:?}");
        assert!(!wrong[0].contains("hunt"), "{wrong:?}");
        let refused = planned(&Value::null(Type::Dynamic), &config).expect_err("no plan");
        assert!(!format!("{refused:?}").contains("hunt"), "{refused:?}");
    }
    Ok(())
}
