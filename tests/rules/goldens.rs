//! What rules say, word for word, and facts of the field that are worth keeping.

use plantime::rule::{PathExpr, Request, Rule};
use plantime::{Path, Refinement, Type, Value, value};

use crate::laws::{Word, word};

fn unknown(ty: &str, refinement: &str) -> Value {
    Value::refined(ty.parse().unwrap(), refinement.parse::<Refinement>().unwrap()).unwrap()
}

fn paths(names: &[&str]) -> Vec<PathExpr> {
    names.iter().map(|name| name.parse().unwrap()).collect()
}

#[test]
fn failures_have_the_shapes_of_the_field() {
    let text = |text: &str| Value::from(text);
    let list = Value::list(["a"]).unwrap();
    for (rule, value, summary, detail, failure) in [
        (
            Rule::starts_with("vpc-"),
            text("subnet-1"),
            "Invalid Attribute Value",
            r#"Attribute x value must start with "vpc-", got: "subnet-1""#,
            r#"it is "subnet-1""#,
        ),
        (
            Rule::none_of(["0.0.0.0/0"]),
            text("0.0.0.0/0"),
            "Invalid Attribute Value",
            r#"Attribute x value must be none of: ["0.0.0.0/0"], got: "0.0.0.0/0""#,
            r#"it is "0.0.0.0/0""#,
        ),
        (
            Rule::one_of(["a", "b"]),
            text("c"),
            "Invalid Attribute Value",
            r#"Attribute x value must be one of: ["a", "b"], got: "c""#,
            r#"it is "c""#,
        ),
        (
            Rule::min_len(1),
            text(""),
            "Invalid Attribute Value Length",
            "Attribute x string length must be at least 1, got: 0",
            "it is a length of 0",
        ),
        (
            Rule::min_len(2),
            list.clone(),
            "Invalid Attribute Value Length",
            "Attribute x list must contain at least 2 elements, got: 1",
            "it is a length of 1",
        ),
        (
            Rule::matches("^[a-z]+$".parse().unwrap()),
            text("A"),
            "Invalid Attribute Value Match",
            r#"Attribute x value must match regular expression '^[a-z]+$', got: "A""#,
            r#"it is "A""#,
        ),
        (
            Rule::min(5),
            Value::from(4),
            "Invalid Attribute Value",
            "Attribute x value must be at least 5, got: 4",
            "it is 4",
        ),
        (
            Rule::equals(Value::from(false)),
            Value::from(true),
            "Invalid Attribute Value",
            "Attribute x value must be false, got: true",
            "it is true",
        ),
        (
            Rule::NotNull,
            Value::null(Type::String),
            "Missing Attribute Value",
            "Attribute x value must not be null, got: null",
            "it is null",
        ),
        (
            Rule::not(Rule::starts_with("a")).unwrap(),
            text("ab"),
            "Invalid Attribute Value",
            r#"Attribute x value must not start with "a", got: "ab""#,
            r#"it is "ab""#,
        ),
        (
            Rule::starts_with("a"),
            unknown("string", r#"notnull(stringprefix("b"))"#),
            "Invalid Attribute Value",
            r#"Attribute x value must start with "a", got: "b${(known after apply)}""#,
            r#"it is "b${(known after apply)}""#,
        ),
    ] {
        let outcome = rule.check(&Request::new(&value).at(Path::new().attr("x"))).unwrap();
        let diagnostic =
            outcome.diagnostics().first().unwrap_or_else(|| panic!("{rule} does not fail on {value}"));
        assert_eq!((diagnostic.summary.as_ref(), diagnostic.detail.as_str()), (summary, detail));
        assert_eq!(diagnostic.failure, failure);
        assert_eq!(diagnostic.path.to_string(), "x");
    }
    let outcome = Rule::min(5).check_value(&Value::from(4)).unwrap();
    assert_eq!(outcome.diagnostics()[0].detail, "Value must be at least 5, got: 4");
}

#[test]
fn failures_across_fields_have_the_shapes_of_the_field() {
    let both = value!({ "a": "x", "b": "y" }).unwrap();
    let none = value!({ "a": null, "b": null }).unwrap();
    let one = value!({ "a": "x", "b": null }).unwrap();
    let ab = || paths(&["a", "b"]);
    for (rule, value, summary, detail, failure) in [
        (
            Rule::exactly_one_of(ab()),
            &both,
            "Invalid Attribute Combination",
            "Exactly one of these attributes must be configured: [a, b]",
            "a, b are not null",
        ),
        (
            Rule::exactly_one_of(ab()),
            &none,
            "Missing Attribute Configuration",
            "Exactly one of these attributes must be configured: [a, b]",
            "all are null",
        ),
        (
            Rule::at_least_one_of(ab()),
            &none,
            "Missing Attribute Configuration",
            "At least one of these attributes must be configured: [a, b]",
            "all are null",
        ),
        (
            Rule::conflicting(ab()),
            &both,
            "Invalid Attribute Combination",
            "These attributes cannot be configured together: [a, b]",
            "a, b are not null",
        ),
        (
            Rule::required_together(ab()),
            &one,
            "Invalid Attribute Combination",
            "These attributes must be configured together: [a, b]",
            "a is not null, b is null",
        ),
    ] {
        let outcome = rule.check_value(value).unwrap();
        let diagnostic = &outcome.diagnostics()[0];
        assert_eq!((diagnostic.summary.as_ref(), diagnostic.detail.as_str()), (summary, detail));
        assert_eq!(diagnostic.failure, failure);
    }
}

#[test]
fn an_undetermined_answer_says_what_it_depends_on_and_when_it_passes() {
    let later = || Value::unknown(Type::String);
    let pool = value!({ "cidr_block": (later()), "ipv4_ipam_pool_id": (later()) }).unwrap();
    let one = value!({ "cidr_block": "10.0.0.0/8", "ipv4_ipam_pool_id": (later()) }).unwrap();
    let both = || paths(&["cidr_block", "ipv4_ipam_pool_id"]);
    let path = |name: &str| paths(&[name]).remove(0);
    let set = |name: &str| Rule::at(path(name), Rule::NotNull).unwrap();
    for (rule, value, expected) in [
        (
            Rule::exactly_one_of(both()),
            &pool,
            "depends on cidr_block, ipv4_ipam_pool_id; passes if exactly one of the two turns out null",
        ),
        (
            Rule::exactly_one_of(both()),
            &one,
            "depends on ipv4_ipam_pool_id; passes if ipv4_ipam_pool_id turns out null",
        ),
        (
            Rule::required_together(both()),
            &one,
            "depends on ipv4_ipam_pool_id; passes if ipv4_ipam_pool_id turns out not null",
        ),
        (
            Rule::matches("^[a-z][a-z0-9-]{0,62}$".parse().unwrap()),
            &unknown("string", r#"stringprefix("orders-")"#),
            r#"depends on the value; known so far: starts with "orders-"; passes if it turns out to match ^[a-z][a-z0-9-]{0,62}$"#,
        ),
        (
            Rule::one_of(["a1", "a2", "b1"]),
            &unknown("string", r#"notnull(stringprefix("a"))"#),
            r#"depends on the value; known so far: starts with "a", it may still be "a1", "a2"; passes if it turns out to be one of "a1", "a2""#,
        ),
        // Nothing but null is left.
        (
            Rule::starts_with("subnet-"),
            &unknown("string", r#"stringprefix("vpc-")"#),
            "depends on the value; passes if it turns out null",
        ),
        (
            Rule::min_len(2),
            &unknown("list(string)", "lengthmin(1)"),
            "depends on the value; known so far: at least 1 element; passes if it turns out to have a length of at least 2",
        ),
        (
            Rule::when(set("cidr_block"), Rule::at(path("ipv4_ipam_pool_id"), Rule::min_len(3)).unwrap())
                .unwrap(),
            &pool,
            "depends on cidr_block, ipv4_ipam_pool_id; passes if ipv4_ipam_pool_id turns out to have a length of at least 3 whenever cidr_block turns out not null",
        ),
        // The rule is known to fail, so the guard must not hold.
        (
            Rule::when(set("ipv4_ipam_pool_id"), Rule::at(path("cidr_block"), Rule::IsNull).unwrap())
                .unwrap(),
            &one,
            "depends on ipv4_ipam_pool_id; passes if ipv4_ipam_pool_id turns out null",
        ),
        (
            Rule::one_of(["a1", "b1"]),
            &unknown("string", r#"notnull(stringprefix("a"))"#),
            r#"depends on the value; known so far: starts with "a", it may still be "a1"; passes if it turns out to be "a1""#,
        ),
    ] {
        assert_eq!(rule.check_value(value).unwrap().why().unwrap().to_string(), expected, "{rule}");
    }
}

#[test]
fn misuse_says_what_is_needed() {
    let list = Value::list(["a"]).unwrap();
    for (rule, value, message) in [
        (Rule::starts_with("a"), &list, "starts_with needs a string, but the value is a list of string"),
        (Rule::min(1), &list, "min needs a number, but the value is a list of string"),
        (
            Rule::min_len(1),
            &Value::from(1),
            "min_len needs a string or collection, but the value is a number",
        ),
        (
            Rule::equals(Value::from(1)),
            &list,
            "equals compares with a number, but the value is a list of string",
        ),
        (Rule::contains(Value::from(1)), &list, "contains cannot find a number in a list of string"),
        (Rule::contains(Value::from(1)), &Value::from("1"), "contains in a string needs a string"),
        (
            Rule::at("nmae".parse().unwrap(), Rule::NotNull).unwrap(),
            &value!({ "name": "x" }).unwrap(),
            r#"there is no attribute "nmae"; did you mean "name"?"#,
        ),
        (
            Rule::at("<.x".parse().unwrap(), Rule::NotNull).unwrap(),
            &list,
            "<.x leads out of what is known around the value",
        ),
    ] {
        assert_eq!(rule.check_value(value).unwrap_err().to_string(), message);
    }
}

/// Facts recorded from other systems, by their number in the project's study, and weaknesses not repeated here.
#[test]
fn recorded_facts() {
    let open = || Value::unknown(Type::String);
    let prefix = |nullable: bool| {
        unknown(
            "string",
            if nullable { r#"stringprefix("vpc-")"# } else { r#"notnull(stringprefix("vpc-"))"# },
        )
    };
    let one_of = Rule::one_of(["a"]);
    assert_eq!(word(&one_of, &prefix(true)), Word::Undetermined);
    assert_eq!(word(&one_of, &prefix(false)), Word::Fail);

    let abc = |c: Value| value!({ "a": "x", "b": "y", "c": c }).unwrap();
    assert_eq!(word(&Rule::exactly_one_of(paths(&["a", "b", "c"])), &abc(open())), Word::Fail);
    let value = value!({ "a": "x", "b": null, "c": (open()) }).unwrap();
    assert_eq!(word(&Rule::required_together(paths(&["c", "a", "b"])), &value), Word::Fail);

    let set = Value::set([open(), Value::from("a")]).unwrap();
    assert_eq!(word(&Rule::max_len(1), &set), Word::Undetermined);
    assert_eq!(word(&Rule::min_len(2), &set), Word::Undetermined);

    // `any` does not take silence for success.
    let rule = Rule::any([Rule::starts_with("a"), Rule::starts_with("b")]).unwrap();
    assert_eq!(word(&rule, &open()), Word::Undetermined);
    // What is below an unknown is unknown, not null.
    let below = Rule::at("o.a".parse().unwrap(), Rule::NotNull).unwrap();
    let value = value!({ "o": (Value::unknown("object({a = string})".parse().unwrap())) }).unwrap();
    assert_eq!(word(&below, &value), Word::Undetermined);
}

#[test]
fn lengths_of_text_count_code_points() {
    for (text, length) in [("é", 1), ("e\u{301}", 1), ("q\u{301}", 2), ("👩‍🚀", 3), ("日本", 2)] {
        assert_eq!(word(&Rule::len(length), &Value::from(text)), Word::Pass, "{text}");
    }
}

#[test]
fn a_text_of_a_rule_is_normalised_as_values_are() {
    assert_eq!(word(&Rule::starts_with("e\u{301}"), &Value::from("été")), Word::Pass);
    assert_eq!(word(&Rule::ends_with("e\u{301}"), &Value::from("été")), Word::Pass);
}

#[test]
fn a_rule_looks_out_of_its_value() {
    let database = |public: bool| value!({ "engine": "postgres", "network": { "public": public } }).unwrap();
    let rule = Rule::at(
        "network".parse().unwrap(),
        Rule::when(
            Rule::at("<.engine".parse().unwrap(), Rule::one_of(["postgres"])).unwrap(),
            Rule::at("public".parse().unwrap(), Rule::equals(false)).unwrap(),
        )
        .unwrap(),
    )
    .unwrap();
    assert_eq!(word(&rule, &database(true)), Word::Fail);
    assert_eq!(word(&rule, &database(false)), Word::Pass);
}

#[test]
fn rules_describe_themselves() {
    let rule = Rule::all([
        Rule::at("a".parse().unwrap(), Rule::NotNull).unwrap(),
        Rule::at(
            "b[*]".parse().unwrap(),
            Rule::any([Rule::min(1), Rule::not(Rule::NotNull).unwrap()]).unwrap(),
        )
        .unwrap(),
        Rule::conflicting(paths(&["c", "d"])),
    ])
    .unwrap();
    assert_eq!(
        rule.describe(),
        "a is not null and (b[*] is at least 1 or b[*] is null) and at most one of c, d is set"
    );
    assert_eq!(
        rule.markdown(),
        "- all of:\n  - `a` is not null\n  - at least one of:\n    - `b[*]` is at least 1\n    - `b[*]` is null\n  - at most one of c, d is set"
    );
    assert_eq!(
        rule.to_string(),
        "all(at(a, not_null), at(b[*], any(min(1), not(not_null))), conflicting(c, d))"
    );
    assert_eq!(Rule::min_len(16).describe_for(&Type::String), "has at least 16 characters");
    let at = Rule::at("a".parse().unwrap(), Rule::len(1)).unwrap();
    assert_eq!(at.describe_for(&"object({a = list(string)})".parse().unwrap()), "a has exactly 1 element");
}
