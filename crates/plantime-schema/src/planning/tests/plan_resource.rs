//! Plans of resources: each behaviour by hand, then the laws on every configuration of a small universe.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::planning::{Behaviour, Behaviours, CustomizeDiff, PlanError, Planned, Trigger, plan_resource};
use crate::schema::{Attribute, NestedBlock};
use plantime::rule::set::RuleSet;
use plantime::rule::{Diagnostic, Outcome, Replaces, Rule, Severity};

fn none() -> Value {
    Value::null(Type::Dynamic)
}

fn null() -> Value {
    Value::null(Type::String)
}

fn unknown() -> Value {
    Value::unknown(Type::String)
}

macro_rules! v {
    ($($tokens:tt)*) => { value!($($tokens)*).unwrap() };
}

mod behaviour_check;
mod laws;
mod nested_blocks;

fn lower(value: &Value) -> String {
    value.as_str().unwrap().to_lowercase()
}

/// `name` must be set, `size` may be, `zone` is set or computed, `id` is computed.
fn flat() -> Block {
    Block::builder()
        .attribute("name", Attribute::required(Type::String))
        .attribute("size", Attribute::optional(Type::String))
        .attribute("zone", Attribute::optional_computed(Type::String))
        .attribute("id", Attribute::computed(Type::String))
        .build()
        .unwrap()
}

fn plan(behaviours: &Behaviours, prior: &Value, config: Value) -> Planned {
    plan_resource(&flat(), behaviours, prior, &config).unwrap()
}

fn texts(error: PlanError) -> Vec<String> {
    match error {
        PlanError::Configuration(found) => found.iter().map(ToString::to_string).collect(),
        PlanError::Input(error) => vec![error.to_string()],
    }
}

fn is_maybe(planned: &Planned) -> bool {
    matches!(planned.replaces(), Replaces::Maybe(_))
}

#[test]
fn what_is_computed_is_unknown_at_first_and_later_as_the_sdk_or_the_framework_does_it() {
    let [sdk, framework] = [Behaviours::sdk(), Behaviours::framework()];
    for behaviours in [&sdk, &framework] {
        let created = plan(behaviours, &none(), v!({"name": "a"}));
        assert_eq!(created.value, v!({"id": unknown(), "name": "a", "size": null(), "zone": unknown()}));
        assert_eq!(created.replaces(), Replaces::No);
    }
    let prior = v!({"id": "1", "name": "a", "size": null(), "zone": "z"});
    for behaviours in [&sdk, &framework] {
        assert_eq!(plan(behaviours, &prior, v!({"name": "a"})).value, prior);
        assert!(plan(behaviours, &prior, none()).value.is_null());
    }
    let updated = v!({"id": "1", "name": "b", "size": null(), "zone": "z"});
    assert_eq!(plan(&sdk, &prior, v!({"name": "b"})).value, updated);
    let open = v!({"id": unknown(), "name": "b", "size": null(), "zone": unknown()});
    assert_eq!(plan(&framework, &prior, v!({"name": "b"})).value, open);
    // Perhaps nothing changes: then all stays.
    let later = plan(&framework, &prior, v!({"name": unknown()})).value;
    assert!(
        later.may_become(&prior)
            && later.may_become(&v!({"id": "2", "name": "b", "size": null(), "zone": "y"}))
    );
}

#[test]
fn the_state_is_used_for_what_would_be_unknown() {
    let kept =
        |behaviour: Behaviour| Behaviours::framework().at("id", behaviour.clone()).at("zone", behaviour);
    let all = kept(Behaviour::new().use_state_for_unknown());
    let not_null = kept(Behaviour::new().use_non_null_state_for_unknown());
    let prior = v!({"id": "1", "name": "a", "size": null(), "zone": null()});
    let id = |value: Value, zone: Value| v!({"id": value, "name": "b", "size": null(), "zone": zone});
    assert_eq!(plan(&all, &prior, v!({"name": "b"})).value, id("1".into(), null()));
    assert_eq!(plan(&not_null, &prior, v!({"name": "b"})).value, id("1".into(), unknown()));
    assert_eq!(plan(&all, &none(), v!({"name": "b"})).value, id(unknown(), unknown()));
}

#[test]
fn a_default_stands_in_for_null_and_a_default_function_is_asked_once() {
    let behaviours = Behaviours::sdk().at("size", Behaviour::new().default_value("big"));
    let size = |config: Value| plan(&behaviours, &none(), config).value.at("size").unwrap();
    assert_eq!(size(v!({"name": "a"})), "big".into());
    assert_eq!(size(v!({"name": "a", "size": "small"})), "small".into());
    // It may turn out null, and then it is big.
    assert_eq!(size(v!({"name": "a", "size": unknown()})), unknown().assume_not_null().unwrap());

    let asked = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&asked);
    let function = Behaviour::new()
        .default_with(move || Ok(Some(format!("v{}", counter.fetch_add(1, Ordering::Relaxed)).into())));
    let behaviours = Behaviours::sdk().at("name", function.clone()).at("size", function);
    for _ in 0..3 {
        let planned = plan(&behaviours, &none(), v!({"name": null()})).value;
        assert_eq!((planned.at("name").unwrap(), planned.at("size").unwrap()), ("v0".into(), "v0".into()));
    }
    assert_eq!(asked.load(Ordering::Relaxed), 1);
}

#[test]
fn what_forces_a_new_object_is_certain_possible_or_not_there() {
    let behaviours = Behaviours::sdk().at("name", Behaviour::new().force_new());
    let prior = v!({"id": "1", "name": "abc", "size": "s", "zone": "z"});
    let at = |name: Value| plan(&behaviours, &prior, v!({"name": name, "size": "s"}));
    assert_eq!(at("abc".into()).replaces(), Replaces::No);
    assert_eq!(at("abc".into()).value, prior);
    let other = at("x".into());
    assert_eq!(
        (other.replaces(), other.requires_replace[0].path.to_string()),
        (Replaces::Yes, "name".to_owned())
    );
    assert_eq!(other.requires_replace[0].trigger, Trigger::Change);
    // A new object: what was computed is so again.
    assert_eq!(other.value, v!({"id": unknown(), "name": "x", "size": "s", "zone": unknown()}));
    // The unknown may turn out to be the name that is there, unless what is known of it says no.
    assert!(
        is_maybe(&at(unknown()))
            && is_maybe(&at(Value::refined(Type::String, Refinement::prefix("ab")).unwrap()))
    );
    assert_eq!(at(Value::refined(Type::String, Refinement::prefix("b")).unwrap()).replaces(), Replaces::Yes);
    let open = at(unknown()).value;
    assert!(open.at("id").unwrap().may_become(&"1".into()) && open.at("id").unwrap().may_become(&"2".into()));
    assert_eq!(plan(&behaviours, &none(), v!({"name": unknown()})).replaces(), Replaces::No);
}

#[test]
fn a_condition_decides_which_changes_replace() {
    let grows = Behaviour::new().force_new_if(Rule::starts_with("x"));
    let behaviours = Behaviours::framework()
        .at("name", grows)
        .at("size", Behaviour::new().default_value("s").force_new_if_configured());
    let prior = v!({"id": "1", "name": "a", "size": "t", "zone": "z"});
    let at = |config: Value| plan(&behaviours, &prior, config).replaces();
    assert_eq!(at(v!({"name": "xa", "size": "t"})), Replaces::Yes);
    assert_eq!(at(v!({"name": "b", "size": "t"})), Replaces::No);
    assert!(matches!(at(v!({"name": unknown(), "size": "t"})), Replaces::Maybe(_)));
    // The size becomes the default, and nobody configured that.
    assert_eq!(at(v!({"name": "a"})), Replaces::No);
    assert_eq!(at(v!({"name": "a", "size": "s"})), Replaces::Yes);
}

#[test]
fn a_difference_is_suppressed_not_suppressed_or_perhaps() {
    let same = Behaviour::new().force_new().suppress_with("case", |old, new| lower(old) == lower(new));
    let behaviours = Behaviours::sdk().at("name", same);
    let prior = v!({"id": "1", "name": "abc", "size": null(), "zone": "z"});
    let at = |name: Value| plan(&behaviours, &prior, v!({"name": name}));
    assert_eq!((at("ABC".into()).value, at("ABC".into()).replaces()), (prior.clone(), Replaces::No));
    assert_eq!(at("x".into()).replaces(), Replaces::Yes);
    let open = at(Value::refined(Type::String, Refinement::prefix("AB").and_not_null()).unwrap());
    assert!(is_maybe(&open) && open.value.may_become(&prior));
    // Where it is replaced, nothing is there that could be kept.
    let both = Behaviours::sdk()
        .at("name", Behaviour::new().suppress_with("case", |old, new| lower(old) == lower(new)))
        .at("size", Behaviour::new().force_new());
    let replaced = plan(&both, &prior, v!({"name": "ABC", "size": "big"}));
    assert_eq!(replaced.value.at("name").unwrap(), "ABC".into());
}

#[test]
fn what_is_stored_is_what_the_state_function_makes() {
    let behaviours =
        Behaviours::sdk().at("name", Behaviour::new().force_new().stored_as(|value| Ok(lower(value).into())));
    let prior = v!({"id": "1", "name": "abc", "size": null(), "zone": "z"});
    assert_eq!(plan(&behaviours, &prior, v!({"name": "ABC"})).value, prior);
    assert_eq!(plan(&behaviours, &none(), v!({"name": "Abc"})).value.at("name").unwrap(), "abc".into());
    let open = Value::refined(Type::String, Refinement::prefix("AB").and_not_null()).unwrap();
    let planned = plan(&behaviours, &prior, v!({"name": open}));
    assert!(is_maybe(&planned) && planned.value.may_become(&prior));
    // What it says of a sensitive value is not shown.
    let failing = Behaviours::sdk()
        .at("name", Behaviour::new().stored_as(|value| Err(lower(value).parse::<Type>().unwrap_err())));
    let secret = v!({"name": Value::from("hunter2").mark(Mark::SENSITIVE)});
    let error = plan_resource(&flat(), &failing, &none(), &secret).unwrap_err();
    assert!(!error.to_string().contains("hunter2") && error.to_string().contains("marked"), "{error}");
}

#[test]
fn a_required_argument_that_is_left_out_or_removed_later_is_an_error() {
    let plan = |behaviours: &Behaviours, prior: &Value, config: Value| {
        plan_resource(&flat(), behaviours, prior, &config)
    };
    let prior = v!({"id": "1", "name": "a", "size": null(), "zone": "z"});
    for prior in [none(), prior] {
        let error = plan(&Behaviours::sdk(), &prior, v!({"name": null()})).unwrap_err();
        assert_eq!(
            texts(error),
            [r#"Missing required argument: The argument "name" is required, but no definition was found."#]
        );
        let error = plan(&Behaviours::framework(), &prior, v!({"name": null()})).unwrap_err();
        assert_eq!(
            texts(error),
            [
                "Missing Configuration for Required Attribute: Must set a configuration value for the name attribute as the \
              provider has marked it as required."
            ]
        );
        let open = plan(&Behaviours::sdk(), &prior, v!({"name": unknown()})).unwrap();
        assert_eq!((open.obligations.len(), open.obligations[0].description.as_str()), (1, "is not null"));
    }
    let error = plan(&Behaviours::sdk(), &none(), v!({"name": "a", "id": "i"})).unwrap_err();
    assert_eq!(
        texts(error),
        [
            r#"Value for unconfigurable attribute: Can't configure a value for "id": its value will be decided automatically based on the result of applying this configuration."#
        ]
    );
}

#[test]
fn rules_warn_fail_or_stay_open() {
    use plantime::rule::Custom;
    use plantime::rule::set::SetRule;
    let amount = Rule::Custom(Custom::of_known("between_0_and_10", |value| match value.as_number() {
        Ok(number) if *number < 0.into() || *number > 10.into() => {
            Err(format!("\"amount\" must be between 0 and 10 inclusive, got: {number}"))
        }
        _ => Ok(()),
    }));
    let block = Block::builder().attribute("amount", Attribute::required(Type::Number)).build().unwrap();
    let rules = RuleSet::new([amount]).with(SetRule::new(Rule::max(5)).warning());
    let behaviours = Behaviours::sdk().at("amount", Behaviour::new().validate(rules));
    let plan = |amount: Value| plan_resource(&block, &behaviours, &none(), &v!({"amount": amount}));
    // The text is converted to a number before the rule sees it.
    let error = plan("-1".into()).unwrap_err();
    assert!(error.to_string().contains("\"amount\" must be between 0 and 10 inclusive, got: -1"), "{error}");
    let warned = plan(7.into()).unwrap();
    assert_eq!((warned.warnings.len(), warned.warnings[0].severity), (1, Severity::Warning));
    let open = plan(Value::unknown(Type::Number)).unwrap();
    assert_eq!(open.obligations.len(), 3);
    assert!(plan(3.into()).unwrap().obligations.is_empty());

    // The other kind of validation has diagnostics of its own.
    let is_abc = Rule::Custom(Custom::new("abc", |request| {
        Ok(match request.value().as_str() {
            Ok("abc") | Err(_) => Outcome::Pass,
            Ok(value) => Outcome::fail(Diagnostic::error(
                "wrong value",
                format!("{value:?} is not {:?}", "abc"),
                request.path().clone(),
                "it is another one",
            )),
        })
    }));
    let block = Block::builder().attribute("sample", Attribute::required(Type::String)).build().unwrap();
    let behaviours =
        Behaviours::sdk().at("sample", Behaviour::new().validate(RuleSet::new([SetRule::new(is_abc)])));
    let error = plan_resource(&block, &behaviours, &none(), &v!({"sample": "efg"})).unwrap_err();
    assert_eq!(texts(error), [r#"wrong value: "efg" is not "abc""#]);
}

#[test]
fn ten_thousand_attributes_and_ten_thousand_blocks_are_planned_in_time() {
    let count = 10_000;
    let names: Vec<String> = (0..count).map(|n| format!("a{n}")).collect();
    let mut builder = Block::builder();
    let mut behaviours = Behaviours::framework();
    for (n, name) in names.iter().enumerate() {
        let (attribute, behaviour) = match n % 2 {
            0 => (Attribute::optional(Type::String).into(), Behaviour::new().force_new()),
            _ => {
                (Attribute::from(Attribute::computed(Type::String)), Behaviour::new().use_state_for_unknown())
            }
        };
        builder = builder.attribute(name, attribute);
        behaviours = behaviours.at(name, behaviour);
    }
    let block = builder.build().unwrap();
    let prior = Value::object(names.iter().map(|name| (name, Value::from("x")))).unwrap();
    let config = Value::object(names.iter().enumerate().map(|(n, name)| match n % 2 {
        0 if n > 10 => (name, Value::from("x")),
        0 => (name, unknown()),
        _ => (name, null()),
    }))
    .unwrap();
    let planned = plan_resource(&block, &behaviours, &prior, &config).unwrap();
    assert_eq!(planned.requires_replace.len(), 6);
    assert!(behaviours.check(&block).is_empty());

    let disk = Block::builder()
        .attribute("name", Attribute::required(Type::String))
        .attribute("id", Attribute::computed(Type::String))
        .build()
        .unwrap();
    let block = Block::builder().block("disk", NestedBlock::set(disk)).build().unwrap();
    let behaviours = Behaviours::sdk().at("disk.name", Behaviour::new().force_new());
    let disks = |of: i32, id: &dyn Fn(i32) -> Value| {
        let disk = |n: i32| value!({"name": format!("n{n}"), "id": id(n)}).unwrap();
        value!({"disk": Value::set((0..of).map(disk)).unwrap()}).unwrap()
    };
    let prior = disks(count, &|n| format!("d-{n}").into());
    let planned = plan_resource(&block, &behaviours, &prior, &disks(count, &|_| null())).unwrap();
    assert_eq!((planned.replaces(), planned.value), (Replaces::No, prior.clone()));
    let planned = plan_resource(&block, &behaviours, &prior, &disks(count - 1, &|_| null())).unwrap();
    assert_eq!(planned.replaces(), Replaces::Yes);
}

#[test]
fn attributes_that_exclude_or_need_each_other() {
    let paths = |names: &[&str]| names.iter().map(|name| name.parse().unwrap()).collect::<Vec<_>>();
    let plan = |behaviour: Behaviour, config: Value| {
        plan_resource(&flat(), &Behaviours::sdk().at("size", behaviour), &none(), &config)
    };
    let conflicts = || Behaviour::new().conflicts_with(paths(&["zone"]));
    let error = plan(conflicts(), v!({"name": "a", "size": "s", "zone": "z"})).unwrap_err();
    assert_eq!(texts(error), [r#"Conflicting configuration arguments: "size": conflicts with zone"#]);
    assert!(plan(conflicts(), v!({"name": "a", "zone": "z"})).is_ok());
    let open = plan(conflicts(), v!({"name": "a", "size": "s", "zone": unknown()})).unwrap();
    assert_eq!(open.obligations[0].why.passes_if(), "zone turns out null");

    let exactly = || Behaviour::new().exactly_one_of(paths(&["size", "zone"]));
    let error = plan(exactly(), v!({"name": "a"})).unwrap_err();
    assert_eq!(
        texts(error),
        [r#"Invalid combination of arguments: "size": one of `size,zone` must be specified"#]
    );
    let error = plan(exactly(), v!({"name": "a", "size": "s", "zone": "z"})).unwrap_err();
    assert_eq!(
        texts(error),
        [
            r#"Invalid combination of arguments: "size": only one of `size,zone` can be specified, but `size,zone` were specified."#
        ]
    );
    assert!(plan(exactly(), v!({"name": "a", "zone": "z"})).is_ok());

    let some = || Behaviour::new().at_least_one_of(paths(&["size", "zone"]));
    let error = plan(some(), v!({"name": "a"})).unwrap_err();
    assert_eq!(texts(error), [r#"Missing required argument: "size": one of `size,zone` must be specified"#]);
    // RequiredWith on size that names zone: size needs zone.
    let with = || Behaviour::new().required_with(paths(&["zone"]));
    let error = plan(with(), v!({"name": "a", "size": "s"})).unwrap_err();
    assert_eq!(texts(error), [r#"Missing required argument: "size": all of `zone` must be specified"#]);
    assert!(plan(with(), v!({"name": "a", "zone": "z"})).is_ok());
}

#[test]
fn what_is_deprecated_and_set_is_warned_of() {
    let old = Block::builder()
        .attribute("x", Attribute::optional(Type::String))
        .deprecate("use y")
        .build()
        .unwrap();
    let block = Block::builder()
        .attribute("a", Attribute::optional(Type::String).deprecate("use b"))
        .attribute("w", Attribute::optional(Type::String).write_only())
        .block("old", NestedBlock::list(old))
        .build()
        .unwrap();
    let warnings = |config: Value| -> Vec<String> {
        let planned = plan_resource(&block, &Behaviours::framework(), &none(), &config).unwrap();
        planned.warnings.iter().map(|one| format!("{}: {one}", one.path)).collect()
    };
    assert_eq!(warnings(v!({})), [""; 0]);
    assert_eq!(warnings(v!({"a": unknown()})), [""; 0]);
    assert_eq!(
        warnings(v!({"a": "x", "old": [{}]})),
        ["a: Attribute Deprecated: use b", "old: Block Deprecated: use y"]
    );
    // What is only written is never planned.
    let planned = plan_resource(&block, &Behaviours::framework(), &none(), &v!({"w": "secret"})).unwrap();
    assert!(planned.value.at("w").unwrap().is_null());
}

#[test]
fn a_resource_is_customized_as_a_whole() {
    let prior = v!({"id": "1", "name": "a", "size": "s", "zone": "z"});
    let renamed = || Rule::not(Rule::at("name".parse().unwrap(), Rule::immutable()).unwrap()).unwrap();
    let set = Behaviours::sdk().at("zone", Behaviour::new().force_new()).customize(
        CustomizeDiff::set_new("zone", ["name"], |read| Ok(format!("of-{}", read[0].as_str()?).into()))
            .unwrap(),
    );
    let planned = plan(&set, &prior, v!({"name": "b", "size": "s"}));
    // What is set and forces a new object replaces it.
    assert_eq!((planned.value.at("zone").unwrap(), planned.replaces()), ("of-b".into(), Replaces::Yes));
    assert_eq!(plan(&set, &prior, v!({"name": "b", "zone": "z"})).value.at("zone").unwrap(), "z".into());
    assert!(is_maybe(&plan(&set, &prior, v!({"name": unknown()}))));

    let computed = Behaviours::sdk().customize(CustomizeDiff::computed_if("id", renamed()));
    let id = |name: Value| plan(&computed, &prior, v!({"name": name, "size": "s"})).value.at("id").unwrap();
    assert_eq!((id("a".into()), id("b".into()), id(unknown())), ("1".into(), unknown(), unknown()));

    let checked = Behaviours::sdk()
        .customize(CustomizeDiff::validate(Rule::at("name".parse().unwrap(), Rule::immutable()).unwrap()));
    let error = plan_resource(&flat(), &checked, &prior, &v!({"name": "b"})).unwrap_err();
    assert!(matches!(error, PlanError::Configuration(_)));
    assert_eq!(plan(&checked, &prior, v!({"name": unknown()})).obligations.len(), 2);
    assert!(plan(&checked, &none(), v!({"name": "b"})).obligations.is_empty());

    let wrong = Behaviours::sdk().customize(CustomizeDiff::set_new_computed("name"));
    let error = plan_resource(&flat(), &wrong, &none(), &v!({"name": "b"})).unwrap_err();
    assert!(error.to_string().contains("computed keys - name is not one"), "{error}");
}

#[test]
fn marks_stay_and_what_is_behind_them_is_not_shown() {
    let secret = |value: &str| Value::from(value).mark(Mark::SENSITIVE);
    let behaviours = Behaviours::sdk()
        .at(
            "name",
            Behaviour::new()
                .suppress_with("case", |old, new| lower(old) == lower(new))
                .validate(RuleSet::new([Rule::starts_with("A")])),
        )
        .at("size", Behaviour::new().stored_as(|value| Ok(lower(value).into())))
        .customize(CustomizeDiff::set_new("zone", ["size"], |read| Ok(read[0].clone())).unwrap());
    let prior = v!({"id": "1", "name": "abc", "size": "s", "zone": "z"});
    let planned = plan(&behaviours, &prior, v!({"name": secret("ABC"), "size": secret("S")}));
    for name in ["name", "size", "zone"] {
        assert!(planned.value.at(name).unwrap().is_marked(), "{name}");
    }
    let error = plan_resource(&flat(), &behaviours, &prior, &v!({"name": secret("hunter2")})).unwrap_err();
    assert!(!format!("{error:?} {error}").contains("hunter2"), "{error:?}");
}
