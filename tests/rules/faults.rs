//! A diagnostic names the part at fault, each once, in an order that does not change.

use plantime::rule::{Custom, Diagnostic, Diagnostics, Outcome, PathExpr, Request, Rule, Severity};
use plantime::{Mark, Path, Type, Value, value};

fn at(path: &str) -> PathExpr {
    path.parse().unwrap()
}

/// Severity, place, detail and failure of each diagnostic of a rule on a value at `x`.
fn told(rule: &Rule, value: &Value) -> Vec<String> {
    let whole = Value::object([("x", value.clone())]).unwrap();
    let outcome = rule.check(&Request::new(value).at(Path::new().attr("x")).within(&whole)).unwrap();
    assert!(outcome.is_fail(), "{rule} on {value}: {outcome}");
    outcome
        .diagnostics()
        .iter()
        .map(|one| format!("{} {}: {} ({})", one.severity, one.path, one.detail, one.failure))
        .collect()
}

fn null() -> Value {
    Value::null(Type::String)
}

#[test]
fn a_null_among_the_parts_is_named() {
    let list = Value::list([Value::from("a"), null(), Value::unknown(Type::String), null()]).unwrap();
    assert_eq!(
        told(&Rule::no_nulls(), &list),
        [
            "error x[1]: Attribute x[1] value must not be null, got: null ([1] is null)",
            "error x[3]: Attribute x[3] value must not be null, got: null ([3] is null)",
        ]
    );
    let map = Value::map([("k", null()), ("l", Value::from("a"))]).unwrap();
    assert_eq!(
        told(&Rule::no_nulls(), &map),
        ["error x[\"k\"]: Attribute x[\"k\"] value must not be null, got: null ([\"k\"] is null)"]
    );
    let object = value!({ "a": null, "b": 1 }).unwrap();
    assert_eq!(
        told(&Rule::no_nulls(), &object),
        ["error x.a: Attribute x.a value must not be null, got: null (a is null)"]
    );
    // The keys of a marked map are content, and a member of a set has no place.
    let whole = "error x: Attribute x value must not contain null, got: ";
    for value in [map.mark(Mark::SENSITIVE), Value::set([null(), Value::from("a")]).unwrap()] {
        let told = told(&Rule::no_nulls(), &value);
        assert!(told.len() == 1 && told[0].starts_with(whole), "{told:?}");
    }
}

#[test]
fn an_element_that_is_there_twice_is_named_with_the_first() {
    let list = value!(["b", "a", "b", null, "a", null, "b"]).unwrap();
    assert_eq!(
        told(&Rule::unique(), &list),
        [
            "error x[2]: Attribute x[2] value must be unique, got: \"b\", as [0] ([2] equals [0])",
            "error x[4]: Attribute x[4] value must be unique, got: \"a\", as [1] ([4] equals [1])",
            "error x[5]: Attribute x[5] value must be unique, got: null, as [3] ([5] equals [3])",
            "error x[6]: Attribute x[6] value must be unique, got: \"b\", as [0] ([6] equals [0])",
        ]
    );
    // That a secret equals what is shown would tell it.
    let secret = Value::list([Value::from("a").mark(Mark::SENSITIVE), Value::from("a")]).unwrap();
    let whole = "error x: Attribute x value must not contain two equal elements, got: ";
    assert!(told(&Rule::unique(), &secret)[0].starts_with(whole));
    // More elements than values: no two of them are known to be equal.
    let bools = Value::list_of(Type::Bool, vec![Value::unknown(Type::Bool); 4]).unwrap();
    assert!(told(&Rule::unique(), &bools)[0].starts_with(whole));
}

#[test]
fn no_more_parts_are_named_than_a_reader_reads() {
    let nulls = Value::list_of(Type::String, vec![null(); 1000]).unwrap();
    assert_eq!(told(&Rule::no_nulls(), &nulls).len(), 16);
    assert_eq!(told(&Rule::unique(), &nulls).len(), 16);
}

#[test]
fn the_part_that_is_missing_and_the_one_to_replace_are_named() {
    let object = value!({ "a": "x", "b": null, "c": null }).unwrap();
    let one = told(&Rule::also_requires(at("a"), [at("b")]), &object);
    assert!(one.len() == 1 && one[0].starts_with("error x.b: "), "{one:?}");
    // Where several are missing, none of them is more at fault.
    let two = told(&Rule::also_requires(at("a"), [at("b"), at("c")]), &object);
    assert!(two.len() == 1 && two[0].starts_with("error x: "), "{two:?}");
    let old = told(&Rule::prefer_write_only(at("a"), at("b")), &object);
    assert!(old.len() == 1 && old[0].starts_with("warning x.a: "), "{old:?}");
    // Seen from beside.
    let a = Value::from("x");
    let beside = Request::new(&a).at(Path::new().attr("a")).within(&object);
    let outcome = Rule::also_requires(at(""), [at("<.b")]).check(&beside).unwrap();
    assert_eq!(outcome.diagnostics()[0].path, Path::new().attr("b"));
}

#[test]
fn a_function_can_point_at_the_child_at_fault() {
    let rule = Rule::Custom(Custom::new("ports_in_order", |request| {
        let part = |name: &str| request.value().get(&Path::new().attr(name));
        match (part("from_port"), part("to_port")) {
            (Ok(from), Ok(to))
                if from.less_than(&to).and_then(|less| less.as_bool()).is_ok_and(|less| !less) =>
            {
                let place = request.path().clone().attr("to_port");
                let wrong =
                    Diagnostic::error("Ports out of order", "to_port must be above from_port", place, "");
                Ok(Outcome::fail(wrong))
            }
            _ => Ok(Outcome::Pass),
        }
    }));
    let whole =
        value!({ "ingress": [{ "from_port": 1, "to_port": 2 }, { "from_port": 5, "to_port": 4 }] }).unwrap();
    let rule = Rule::at(at("ingress[*]"), rule).unwrap();
    let outcome = rule.check_value(&whole).unwrap();
    let paths: Vec<String> = outcome.diagnostics().iter().map(|one| one.path.to_string()).collect();
    assert_eq!(paths, ["ingress[1].to_port"]);
}

#[test]
fn diagnostics_are_told_once_in_the_order_of_the_rules_or_of_the_type() {
    let object = value!({ "a": null, "b": null, "c": ["x", "x"] }).unwrap();
    let set = |path: &str| Rule::at(at(path), Rule::NotNull).unwrap();
    let unique = Rule::at(at("c"), Rule::unique()).unwrap();
    let rule = Rule::all([unique, set("b"), set("a"), set("b")]).unwrap();
    for _ in 0..3 {
        let Outcome::Fail(diagnostics) = rule.check_value(&object).unwrap() else { panic!("it fails") };
        let paths = |all: &Diagnostics| all.iter().map(|one| one.path.to_string()).collect::<Vec<_>>();
        assert_eq!(paths(&diagnostics), ["c[1]", "b", "a"]);
        assert_eq!(paths(&diagnostics.clone().sorted()), ["a", "b", "c[1]"]);
        let mut twice = diagnostics.clone();
        twice.extend(diagnostics.clone());
        assert_eq!(twice, diagnostics);
        // The same words about another place, or of another weight, are another diagnostic.
        twice.extend(diagnostics.clone().with_severity(Severity::Warning));
        assert_eq!(twice.len(), 6);
        assert_eq!((twice.errors().count(), twice.warnings().count()), (3, 3));
        let sorted: Vec<Severity> = twice.sorted().iter().map(|one| one.severity).collect();
        let (error, warning) = (Severity::Error, Severity::Warning);
        assert_eq!(sorted, [error, warning, error, warning, error, warning]);
    }
}
