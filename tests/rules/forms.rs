//! A rule and its form say the same.

use plantime::rule::{
    Custom, Format, Networks, PathExpr, Pattern, Request, Requirement, Rule, Schemes, keywords,
};
use plantime::{Mark, Type, Value, value};

use crate::oracle::singles;

#[track_caller]
fn reads_back(rule: &Rule) -> Value {
    let form = rule.to_form().unwrap();
    assert_eq!(Rule::from_form(&form).unwrap(), *rule, "{form}");
    form
}

#[test]
fn every_rule_reads_back_from_its_form() {
    let path = |text: &str| text.parse::<PathExpr>().unwrap();
    let mut rules: Vec<Rule> = singles().into_iter().map(|case| case.rule).collect();
    let paths = || vec![path("a"), path("b[*].c"), path("<.d[\"e f\"]")];
    rules.extend([
        Rule::exactly_one_of(paths()),
        Rule::at_least_one_of(paths()),
        Rule::conflicting(paths()),
        Rule::required_together(paths()),
        Rule::also_requires(path("a"), paths()),
        Rule::required_when(Requirement {
            path: path("<.a"),
            one_of: vec!["x".into(), Value::list([true]).unwrap(), Value::null(Type::Dynamic)],
            required: paths(),
        }),
        Rule::prefer_write_only(path("a"), path("b")),
        Rule::at_least_sum_of(paths()),
        Rule::at_most_sum_of(paths()),
        Rule::equal_to_sum_of(paths()),
        Rule::equal_to_product_of(paths()),
        Rule::url(Schemes::new(["http", "https"]).unwrap()),
        Rule::url(Schemes::new(Vec::<String>::new()).unwrap()),
        Rule::cidr_network(Networks::new(8, 24).unwrap()),
        Rule::at(path("a[0].b"), Rule::NotNull).unwrap(),
        Rule::all([Rule::NotNull, Rule::even()]).unwrap(),
        Rule::all([]).unwrap(),
        Rule::any([Rule::IsNull, Rule::odd()]).unwrap(),
        Rule::sequence([Rule::NotNull, Rule::even()]).unwrap(),
        Rule::not(Rule::matches(Pattern::new("^a").unwrap())).unwrap(),
        Rule::implies(Rule::NotNull, Rule::unique()).unwrap(),
        Rule::when(Rule::no_nulls(), Rule::len(1)).unwrap(),
        Rule::only_increase(),
        Rule::only_decrease(),
        Rule::multiple_of_old(),
        Rule::immutable(),
        Rule::equals(Value::null(Type::list(Type::Dynamic).unwrap())),
        Rule::equals(Value::set_of(Type::Number, [Value::null(Type::Number), Value::from(1)]).unwrap()),
        Rule::equals(Value::map([("type", "value"), ("value", "type")]).unwrap()),
        Rule::equals(value!({ "type": "string", "value": "a" }).unwrap()),
        Rule::min(plantime::Number::INFINITY),
        Rule::max("0.1000000000000000000001".parse::<plantime::Number>().unwrap()),
        Rule::one_of([Value::from("123456789012345678901234567890".parse::<plantime::Number>().unwrap())]),
    ]);
    rules.extend(Format::all().map(Rule::format));
    for rule in &rules {
        reads_back(rule);
    }
    let seen: std::collections::BTreeSet<&str> = rules.iter().map(Rule::name).collect();
    let missing: Vec<&str> = keywords()
        .iter()
        .filter(|row| !row.composed)
        .map(|row| row.name)
        .filter(|name| !seen.contains(name))
        .collect();
    assert!(missing.is_empty(), "add a rule of each kind to the list in tests/rules/forms.rs: {missing:?}");
}

#[test]
fn a_form_names_the_types_that_do_not_show() {
    let rule = Rule::one_of(["a".into(), Value::list([true]).unwrap(), Value::null(Type::Number)]);
    let form = value!({ "one_of": [
        "a",
        { "type": "list(bool)", "value": [true] },
        { "type": "number", "value": null },
    ] });
    assert_eq!(rule.to_form().unwrap(), form.unwrap());
}

#[test]
fn what_cannot_be_stored_is_refused() {
    let secret = Rule::not(Rule::equals(Value::from("hunter2").mark(Mark::SENSITIVE))).unwrap();
    let error = secret.to_form().unwrap_err();
    assert!(error.is_marked() && !error.to_string().contains("hunter2"), "{error}");
    assert!(Rule::equals(Value::unknown(Type::Bool)).to_form().unwrap_err().is_unknown());
    let custom = Rule::Custom(Custom::of_known("own", |_| Ok(())));
    let form = custom.to_form().unwrap();
    assert_eq!(form.to_string(), r#"{custom = "own"}"#);
    let error = Rule::from_form(&form).unwrap_err();
    assert!(error.is_not_found());
    assert_eq!(
        error.to_string(),
        r#"custom: the rule "own" is a function, which is not stored: `Rule::from_form_with` takes it"#
    );
    assert!(custom.check(&Request::new(&Value::from(1))).unwrap().is_pass());
}

#[test]
fn what_is_no_form_is_refused_with_its_place() {
    let error = |form: plantime::Result<Value>| Rule::from_form(&form.unwrap()).unwrap_err().to_string();
    assert_eq!(error(value!("a")), "a rule is an object with one attribute, its name");
    assert_eq!(
        error(value!({ "min_len": 1, "max_len": 2 })),
        "a rule is an object with one attribute, its name"
    );
    assert_eq!(
        error(value!({ "all": [{ "not_null": true }, { "min_leng": 1 }] })),
        r#"all[1].min_leng: there is no rule "min_leng"; did you mean "min_len"?"#
    );
    assert_eq!(error(value!({ "implies": [{ "not_null": true }] })), "implies: a list of two is needed");
    assert_eq!(error(value!({ "not_null": false })), "not_null: a rule that is switched off");
    assert_eq!(
        error(value!({ "equals": { "type": "list(bool)" } })),
        "equals: an operand is plain, or an object with type and value"
    );
}
