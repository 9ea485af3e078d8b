//! What a validator receives: the path, the value, the whole configuration, the type name, the caller's own data.

use std::sync::{Arc, Mutex};

use plantime::rule::{
    Configured, Custom, Diagnostic, Misuse, Outcome, PathExpr, Request, Rule, Severity, Validators, Why,
};
use plantime::{Mark, Type, Value, value};

fn at(path: &str) -> PathExpr {
    path.parse().unwrap()
}

/// A function that writes down what it receives.
fn witness(name: &str) -> (Rule, Arc<Mutex<Vec<String>>>) {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&seen);
    let rule = Rule::Custom(Custom::new(name, move |request| {
        let data = request.data().and_then(|data| data.downcast_ref::<u32>());
        let words = format!(
            "{} = {} in {} of {} with {data:?} before {:?}",
            request.path(),
            request.value(),
            request.root().ty(),
            request.type_name().unwrap_or("no type"),
            request.value_before().map(ToString::to_string),
        );
        kept.lock().unwrap().push(words);
        Ok(Outcome::Pass)
    }));
    (rule, seen)
}

fn take(seen: &Mutex<Vec<String>>) -> Vec<String> {
    std::mem::take(&mut *seen.lock().unwrap())
}

#[test]
fn a_function_receives_path_value_whole_type_name_and_data() {
    let (rule, seen) = witness("w");
    let whole = value!({ "o": { "k": 5 }, "l": ["x"] }).unwrap();
    let ty = whole.ty();
    let before = value!({ "o": { "k": 4 }, "l": ["x"] }).unwrap();
    let request = Request::new(&whole).of_type("aws_vpc").with_data(&7_u32).before(&before);
    let nested = [
        Rule::at(at("o.k"), rule.clone()).unwrap(),
        Rule::all([Rule::at(at("o"), Rule::at(at("k"), rule.clone()).unwrap()).unwrap()]).unwrap(),
        Rule::not(Rule::at(at("o.k"), rule.clone()).unwrap()).unwrap(),
        Rule::when(Rule::at(at("o.k"), rule.clone()).unwrap(), Rule::NotNull).unwrap(),
    ];
    for outer in nested {
        outer.check(&request).unwrap();
        let expected = format!("o.k = 5 in {ty} of aws_vpc with Some(7) before Some(\"4\")");
        assert_eq!(take(&seen), [expected], "{outer}");
    }
    // A key is a value of its own, with no value before.
    Rule::keys(rule.clone()).unwrap().check(&request).unwrap();
    let key = |key: &str| format!("[\"{key}\"] = \"{key}\" in {ty} of aws_vpc with Some(7) before None");
    assert_eq!(take(&seen), [key("l"), key("o")]);
    // What stands alone is its own whole.
    rule.check_value(&Value::from(1)).unwrap();
    assert_eq!(take(&seen), [" = 1 in number of no type with None before None"]);
}

#[test]
fn what_may_be_null_is_asked_as_both() {
    let (rule, seen) = witness("w");
    let unknown = Value::unknown(Type::String);
    rule.check(&Request::new(&unknown).of_type("t")).unwrap();
    let words = take(&seen);
    assert_eq!(words.len(), 2, "{words:?}");
    assert!(words[0].starts_with(" = null in string of t"), "{words:?}");
    assert!(words[1].starts_with(" = (known after apply) in string of t"), "{words:?}");
}

/// A provider, a resource and a data source, each with declared rules and a function.
#[test]
fn provider_resource_and_data_source_are_validated_alike() {
    let one = || Rule::exactly_one_of([at("profile"), at("token")]);
    let config =
        |profile: Value, token: Value| Value::object([("profile", profile), ("token", token)]).unwrap();
    let (set, null, open) =
        (|| Value::from("p"), || Value::null(Type::String), || Value::unknown(Type::String));
    for (validators, name) in [
        (Validators::provider(), None),
        (Validators::resource("demo_thing"), Some("demo_thing")),
        (Validators::data_source("demo_things"), Some("demo_things")),
    ] {
        assert_eq!(validators.configured().type_name(), name);
        let (function, seen) = witness("w");
        let validators = validators.rule("one", one()).rule("w", function);
        let both = validators.check(&config(set(), set()), Some(&3_u32)).unwrap();
        assert!(both.diagnostics.has_error() && both.open.is_empty());
        assert_eq!(both.diagnostics[0].summary, "Invalid Attribute Combination");
        let seen = take(&seen);
        let expected = format!("of {} with Some(3)", name.unwrap_or("no type"));
        assert!(seen.len() == 1 && seen[0].contains(&expected), "{seen:?}");

        assert_eq!(validators.check(&config(set(), null()), None).unwrap().diagnostics.len(), 0);
        let undecided = validators.check(&config(set(), open()), None).unwrap();
        let open: Vec<(&str, String)> =
            undecided.open.iter().map(|(name, why)| (name.as_str(), why.passes_if())).collect();
        assert_eq!(open, [("one", "token turns out null".to_owned())]);
        assert!(undecided.diagnostics.is_empty());
    }
    assert_eq!(Configured::Resource("t".into()).to_string(), "resource t");
    assert_eq!(Configured::Provider.to_string(), "provider");
}

#[test]
fn every_rule_is_asked_and_the_order_is_that_of_the_diagnostics() {
    let fails = |name: &'static str| {
        Rule::Custom(Custom::new(name, move |request| {
            let path = request.path().clone().attr("a");
            Ok(Outcome::fail(Diagnostic::error(name, "wrong", path, "")))
        }))
    };
    let config = value!({ "a": 1 }).unwrap();
    let validators = Validators::resource("t")
        .rule("first", fails("first"))
        .rule("open", Rule::Custom(Custom::new("open", |_| Ok(Outcome::Undetermined(Why::new([]))))))
        .rule("second", fails("second"))
        .rule("again", fails("first"));
    let summaries = |validators: &Validators| {
        let validated = validators.check(&config, None).unwrap();
        assert_eq!(validated.open.len(), 1);
        validated.diagnostics.iter().map(|one| (one.summary.to_string(), one.severity)).collect::<Vec<_>>()
    };
    let error = |name: &str| (name.to_owned(), Severity::Error);
    let warning = |name: &str| (name.to_owned(), Severity::Warning);
    assert_eq!(summaries(&validators), [error("first"), error("second")]);
    // Errors turned into warnings fail nothing; the same words with another weight are another diagnostic.
    let milder = validators.clone().warn("second");
    assert_eq!(summaries(&milder), [error("first"), warning("second")]);
    assert!(milder.check(&config, None).unwrap().diagnostics.has_error());
    let mildest = validators.warn("first").warn("second").warn("again");
    assert_eq!(summaries(&mildest), [warning("first"), warning("second")]);
    assert!(!mildest.check(&config, None).unwrap().diagnostics.has_error());
    let names: Vec<&str> = mildest.rules().map(|(name, _)| name).collect();
    assert_eq!(names, ["first", "open", "second", "again"]);
}

#[test]
fn a_mistake_of_a_rule_is_no_answer() {
    let validators = Validators::provider().rule("typo", Rule::exactly_one_of([at("profil"), at("token")]));
    let config = value!({ "profile": "p", "token": null }).unwrap();
    let misuse: Misuse = validators.check(&config, None).unwrap_err();
    assert_eq!(misuse.message(), r#"there is no attribute "profil"; did you mean "profile"?"#);
}

/// Semantic equality of custom values, such as that of upper and lower case, is the caller's function.
#[test]
fn a_function_compares_as_its_author_wants() {
    let same = Rule::Custom(Custom::new("same_ignoring_case", |request| {
        let Some(before) = request.value_before() else { return Ok(Outcome::Pass) };
        Ok(match (request.value().as_str(), before.as_str()) {
            (Ok(after), Ok(before)) if after.eq_ignore_ascii_case(before) => Outcome::Pass,
            (Ok(_), Ok(_)) => {
                Outcome::fail(Diagnostic::error("Changed", "it changed", request.path().clone(), ""))
            }
            _ => Outcome::Undetermined(Why::new([request.path().clone()])),
        })
    }));
    let rule = Rule::at(at("name"), same).unwrap();
    let named = |name: Value| Value::object([("name", name)]).unwrap();
    let answer =
        |after: Value| rule.check(&Request::new(&named(after)).before(&named("Ab".into()))).unwrap().name();
    assert_eq!(answer("aB".into()), "pass");
    assert_eq!(answer("b".into()), "fail");
    assert_eq!(answer(Value::unknown(Type::String).assume_not_null().unwrap()), "undetermined");
    assert_eq!(answer(Value::from("ab").mark(Mark::SENSITIVE)), "undetermined");
}
