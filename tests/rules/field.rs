//! Examples of the field: the pairs that documents of validators show, each with a configuration that passes and one that
//! fails, and what is said of the one that fails. Beyond them, what is answered while a part is not known.

use plantime::rule::{Fields, Outcome, PathExpr, Requirement, Rule, Template, from_keyword};
use plantime::{Refinement, Type, TypeConstraint, Value, convert, value};

fn at(path: &str) -> PathExpr {
    path.parse().unwrap()
}

fn paths(names: &[&str]) -> Vec<PathExpr> {
    names.iter().map(|name| at(name)).collect()
}

fn null() -> Value {
    Value::null(Type::String)
}

fn open() -> Value {
    Value::unknown(Type::String)
}

/// `attribute_one` and `attribute_two`.
fn two(one: impl Into<Value>, other: impl Into<Value>) -> Value {
    Value::object([("attribute_one", one.into()), ("attribute_two", other.into())]).unwrap()
}

fn said(rule: &Rule, value: &Value) -> String {
    rule.check_value(value).unwrap().to_string()
}

#[track_caller]
fn pair(rule: &Rule, passes: &Value, fails: &Value, message: &str) {
    assert_eq!(said(rule, passes), "pass", "{rule}");
    assert_eq!(said(rule, fails), format!("fail: {message}"), "{rule}");
}

fn both() -> Vec<PathExpr> {
    paths(&["attribute_one", "attribute_two"])
}

#[test]
fn at_least_one_of() {
    let rule = Rule::at_least_one_of(both());
    let message = "Missing Attribute Configuration: At least one of these attributes must be configured: \
                   [attribute_one, attribute_two]";
    pair(&rule, &two("x", null()), &two(null(), null()), message);
    assert_eq!(said(&rule, &two("x", "y")), "pass");
    assert_eq!(
        said(&rule, &two(open(), null())),
        "undetermined: depends on attribute_one; passes if attribute_one turns out not null"
    );
}

#[test]
fn conflicts_with() {
    let rule = Rule::conflicting(both());
    let message = "Invalid Attribute Combination: These attributes cannot be configured together: \
                   [attribute_one, attribute_two]";
    pair(&rule, &two("x", null()), &two("x", "y"), message);
    assert_eq!(
        said(&rule, &two("x", open())),
        "undetermined: depends on attribute_two; passes if attribute_two turns out null"
    );
}

#[test]
fn exactly_one_of() {
    let rule = Rule::exactly_one_of(both());
    let list = "Exactly one of these attributes must be configured: [attribute_one, attribute_two]";
    pair(&rule, &two(null(), "y"), &two("x", "y"), &format!("Invalid Attribute Combination: {list}"));
    pair(&rule, &two("x", null()), &two(null(), null()), &format!("Missing Attribute Configuration: {list}"));
}

#[test]
fn max_items_and_min_items() {
    let blocks = |count: usize| Value::list_of(Type::String, vec![Value::from("b"); count]).unwrap();
    let most = from_keyword("size_at_most", &Value::from(1)).unwrap().unwrap();
    let message = "Invalid Attribute Value Length: List must contain at most 1 element, got: 2";
    pair(&most, &blocks(1), &blocks(2), message);
    let least = from_keyword("size_at_least", &Value::from(2)).unwrap().unwrap();
    let message = "Invalid Attribute Value Length: List must contain at least 2 elements, got: 1";
    pair(&least, &blocks(2), &blocks(1), message);
    // The length of a list is known where its elements are not.
    let unknown = Value::list_of(Type::String, [open(), open()]).unwrap();
    assert_eq!(said(&least, &unknown), "pass");
    assert_eq!(said(&most, &unknown), message_of(&most, &unknown));
    assert!(said(&most, &unknown).starts_with("fail: "));
}

fn message_of(rule: &Rule, value: &Value) -> String {
    rule.check_value(value).unwrap().to_string()
}

/// `attribute_two` is required with `attribute_one`: it is the one that is named which needs the other. (The page that shows
/// this pair has its two lines swapped.)
#[test]
fn required_with() {
    let rule = Rule::also_requires(at("attribute_one"), paths(&["attribute_two"]));
    let message = "Invalid Attribute Combination: These attributes must be configured when attribute_one is configured: \
                   [attribute_two]";
    pair(&rule, &two("x", "y"), &two("x", null()), message);
    assert_eq!(said(&rule, &two(null(), "y")), "pass");
    assert_eq!(said(&rule, &two(null(), null())), "pass");
    assert_eq!(
        said(&rule, &two(open(), null())),
        "undetermined: depends on attribute_one; passes if attribute_one turns out null"
    );
}

/// A length and a pattern, both asked, both told.
#[test]
fn a_length_with_a_pattern_under_all() {
    let rule = Rule::all([
        from_keyword("length_at_least", &Value::from(1)).unwrap().unwrap(),
        from_keyword("length_at_most", &Value::from(256)).unwrap().unwrap(),
        Rule::matches("^[a-z0-9]*$".parse().unwrap()),
    ])
    .unwrap();
    let too_long = "x".repeat(257);
    pair(
        &rule,
        &Value::from("x".repeat(256)),
        &Value::from(&*too_long),
        "Invalid Attribute Value Length: String must have at most 256 bytes, got: 257",
    );
    assert_eq!(
        said(&rule, &Value::from("")),
        "fail: Invalid Attribute Value Length: String must have at least 1 byte, got: 0"
    );
    let upper = "X".repeat(257);
    let Outcome::Fail(both) = rule.check_value(&Value::from(&*upper)).unwrap() else { panic!("it fails") };
    let summaries: Vec<&str> = both.iter().map(|one| one.summary.as_ref()).collect();
    assert_eq!(summaries, ["Invalid Attribute Value Length", "Invalid Attribute Value Match"]);
    // Of a beginning: what it decides is left out of what is left.
    let begins =
        |prefix: &str| Value::refined(Type::String, Refinement::prefix(prefix).and_not_null()).unwrap();
    assert!(said(&rule, &begins("X")).starts_with("fail: Invalid Attribute Value Match"));
    let why = rule.check_value(&begins("x")).unwrap();
    assert_eq!(
        why.why().unwrap().passes_if(),
        "it turns out to have at most 256 bytes and it turns out to match ^[a-z0-9]*$"
    );
}

/// `attribute_two` must be set when `attribute_one` is a special condition.
#[test]
fn a_value_that_depends_on_another() {
    let rule = Rule::required_when(Requirement {
        path: at("attribute_one"),
        one_of: vec!["special condition".into()],
        required: paths(&["attribute_two"]),
    });
    let message = "Invalid Attribute Combination: These attributes must be configured when attribute_one is \
                   \"special condition\": [attribute_two]";
    pair(&rule, &two("special condition", "y"), &two("special condition", null()), message);
    assert_eq!(said(&rule, &two("anything else", null())), "pass");
    let begins = |prefix: &str| Value::refined(Type::String, Refinement::prefix(prefix)).unwrap();
    assert_eq!(said(&rule, &two(begins("any"), null())), "pass");
    assert_eq!(
        said(&rule, &two(begins("special"), null())),
        "undetermined: depends on attribute_one; passes if attribute_two turns out not null whenever attribute_one is \
         \"special condition\""
    );
}

/// Conversion comes first: the text `-1` is a number, and then no amount.
#[test]
fn an_amount_is_converted_and_then_asked() {
    let between = Rule::all([Rule::min(0), Rule::max(10)]).unwrap();
    let rule = Rule::at(at("amount"), between).unwrap();
    let schema: TypeConstraint = "object({amount = number})".parse().unwrap();
    let template: Template = "\"{key}\" must be between 0 and 10 inclusive, got: {value}".parse().unwrap();
    for written in [value!({ "amount": (-1) }).unwrap(), value!({ "amount": "-1" }).unwrap()] {
        let config = convert(&written, &schema).unwrap();
        let Outcome::Fail(diagnostics) = rule.check_value(&config).unwrap() else { panic!("it fails") };
        assert_eq!(diagnostics[0].path.to_string(), "amount");
        assert_eq!(diagnostics[0].detail, "Attribute amount value must be at least 0, got: -1");
        let value = config.get(&diagnostics[0].path).unwrap();
        let failure = &diagnostics[0].failure;
        let message = template.render(&Fields { key: "amount", value: &value, desc: "", failure });
        assert_eq!(message, "\"amount\" must be between 0 and 10 inclusive, got: -1");
    }
    // The rule does not read a text, and a text that is no number does not get so far.
    assert!(rule.check_value(&value!({ "amount": "-1" }).unwrap()).is_err());
    assert!(convert(&value!({ "amount": "x" }).unwrap(), &schema).is_err());
    // A text that is not known yet, but begins with a minus: a number, and none above 0.
    let begins = Value::refined(Type::String, Refinement::prefix("-").and_not_null()).unwrap();
    let config = convert(&Value::object([("amount", begins)]).unwrap(), &schema).unwrap();
    assert_eq!(rule.check_value(&config).unwrap().name(), "undetermined");
}
