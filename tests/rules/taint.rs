//! No marked content appears in any message, of the subject or of an operand.

use plantime::rule::{Fields, Outcome, PathExpr, Request, Requirement, Rule, Template};
use plantime::rule::{Networks, Schemes};
use plantime::{Mark, Refinement, Type, Value};

const SECRET: &str = "hunter";

fn secret() -> Value {
    Value::from("hunter2")
}

fn hidden(value: Value) -> Value {
    value.mark(Mark::SENSITIVE)
}

/// Subjects that hold the secret in every kind of place, each marked there or above.
fn subjects() -> Vec<Value> {
    let unknown = Value::refined(Type::String, Refinement::prefix("hunter")).unwrap();
    let range = "numbermin(1)".parse::<Refinement>().unwrap();
    let mut all = vec![
        hidden(secret()),
        hidden(unknown.clone()),
        hidden(unknown.clone().assume_not_null().unwrap()),
        hidden(Value::refined(Type::Number, range).unwrap()),
        hidden(Value::null(Type::String)),
        Value::list([hidden(secret()), Value::from("x")]).unwrap(),
        hidden(Value::list([secret()]).unwrap()),
        hidden(Value::list([unknown.clone(), secret()]).unwrap()),
        Value::tuple([hidden(secret()), hidden(unknown.clone())]).unwrap(),
        hidden(Value::set([secret()]).unwrap()),
        hidden(Value::set([secret(), unknown.clone()]).unwrap()),
        Value::set([hidden(secret()), Value::from("x")]).unwrap(),
        hidden(Value::map([("hunter2", secret())]).unwrap()),
        hidden(Value::map([("hunter2", unknown.clone())]).unwrap()),
        Value::map([("k", hidden(secret())), ("l", hidden(unknown.clone()))]).unwrap(),
        hidden(Value::object([("hunter2", secret())]).unwrap()),
        Value::list([hidden(Value::object([("hunter2", secret())]).unwrap())]).unwrap(),
        hidden(Value::unknown("object({hunter2 = string})".parse().unwrap())),
    ];
    for part in [secret(), unknown] {
        all.push(Value::object([("a", hidden(part)), ("b", Value::null(Type::String))]).unwrap());
    }
    all
}

fn rules(operand: &Value, path: &str) -> Vec<Rule> {
    let at = |text: &str| text.parse::<PathExpr>().unwrap();
    let single = vec![
        Rule::NotNull,
        Rule::IsNull,
        Rule::equals(operand.clone()),
        Rule::one_of([operand.clone(), Value::from("x")]),
        Rule::none_of([operand.clone(), Value::from("x")]),
        Rule::contains(operand.clone()),
        Rule::starts_with("zz"),
        Rule::ends_with("zz"),
        Rule::min_len(100),
        Rule::max_len(0),
        Rule::len(2),
        Rule::min(5),
        Rule::max(0),
        Rule::matches("^zz$".parse().unwrap()),
        Rule::only_increase(),
        Rule::only_decrease(),
        Rule::multiple_of_old(),
        Rule::immutable(),
        Rule::exactly_one_of([at("a"), at("b")]),
        Rule::required_together([at("a"), at("b")]),
        Rule::conflicting([at("[*]")]),
        Rule::also_requires(at("a"), [at("b")]),
        Rule::required_when(Requirement {
            path: at("a"),
            one_of: vec![operand.clone(), Value::from("x")],
            required: vec![at("b")],
        }),
        Rule::prefer_write_only(at("a"), at("b")),
        Rule::one_not_null(),
        Rule::not_zero(),
        Rule::port(),
        Rule::type_is(Type::Bool),
        Rule::url(Schemes::new(["https"]).unwrap()),
        Rule::cidr_network(Networks::new(8, 24).unwrap()),
        Rule::keys(Rule::starts_with("zz")).unwrap(),
        Rule::keys(Rule::equals(operand.clone())).unwrap(),
        Rule::one_not_null_of(["k", "l"]),
        Rule::at_least_sum_of([at("<.a"), at("<.b")]),
        Rule::equal_to_product_of([at("")]),
    ];
    let mut all = single.clone();
    for rule in single {
        // A rule that no value breaks is refused.
        all.extend(Rule::not(rule.clone()));
        all.push(Rule::all([rule.clone(), Rule::NotNull]).unwrap());
        all.push(Rule::any([rule.clone(), Rule::IsNull]).unwrap());
        all.extend(Rule::implies(rule.clone(), Rule::IsNull));
        all.push(Rule::when(rule.clone(), Rule::IsNull).unwrap());
        all.push(Rule::at(at(path), rule).unwrap());
    }
    all
}

/// Everything that an answer says, in every form.
fn said(rule: &Rule, request: &Request<'_>) -> String {
    let mut said = format!("{rule} {rule:?} {} {}", rule.describe(), rule.markdown());
    let template: Template = "{key} {value} {desc} {failure}".parse().unwrap();
    said.push_str(&format!("{request:?}"));
    match rule.check(request) {
        Err(misuse) => said.push_str(&format!("{misuse} {misuse:?}")),
        Ok(outcome) => {
            said.push_str(&format!("{outcome} {outcome:?} {outcome:#?}"));
            for diagnostic in outcome.diagnostics() {
                let fields = Fields {
                    key: "k",
                    value: request.value(),
                    desc: &rule.describe(),
                    failure: &diagnostic.failure,
                };
                said.push_str(&format!("{diagnostic} {} {}", diagnostic.path, template.render(&fields)));
            }
            if let Outcome::Undetermined(why) = &outcome {
                said.push_str(&format!(
                    "{why} {why:?} {} {:?} {:?}",
                    why.passes_if(),
                    why.notes(),
                    why.inputs()
                ));
                if let Some(open) = why.obligation() {
                    said.push_str(&format!("{open} {}", open.describe()));
                }
            }
        }
    }
    if let Some(refinement) = rule.as_refinement() {
        said.push_str(&refinement.to_string());
    }
    said
}

#[test]
fn no_marked_content_is_in_any_message() {
    let operands = [hidden(secret()), Value::from("y"), Value::list([hidden(secret())]).unwrap()];
    let mut messages = 0;
    for operand in &operands {
        // The last ones are near to a name behind a mark, which nobody may be told.
        for path in ["[*]", "a", "", "hunte2", "[*].hunte2"] {
            for rule in rules(operand, path) {
                for subject in subjects() {
                    for before in subjects().iter().take(3) {
                        let request = Request::new(&subject).before(before);
                        let said = said(&rule, &request);
                        assert!(!said.contains(SECRET), "{rule} on {subject:?} says {said}");
                        messages += 1;
                    }
                }
            }
        }
    }
    println!("messages without marked content: {messages}");
}

#[test]
fn what_is_not_marked_is_shown() {
    let outcome = Rule::starts_with("zz").check_value(&secret()).unwrap();
    assert!(outcome.to_string().contains("hunter2"));
}

#[test]
fn what_is_left_of_the_operands_does_not_tell_marked_content() {
    let near = plantime::value!([["hunter2", "y"], ["hunter3", "y"], ["z", "y"]]).unwrap();
    let operands: Vec<Value> = match near.view() {
        plantime::View::Tuple(rows) => rows.iter().cloned().collect(),
        _ => panic!("a tuple"),
    };
    let why = |secret: Value| {
        let subject = Value::tuple([hidden(secret), Value::unknown(Type::String)]).unwrap();
        Rule::one_of(operands.clone()).check_value(&subject).unwrap().to_string()
    };
    assert_eq!(why(secret()), why("hunter3".into()));
}

/// How many elements or keys of a marked container fail, and which, is content.
#[test]
fn failures_inside_marked_containers_are_told_as_one() {
    let each = || Rule::at("[*]".parse::<PathExpr>().unwrap(), Rule::starts_with("a")).unwrap();
    let keys = || Rule::keys(Rule::starts_with("a")).unwrap();
    let list = |texts: &[&str]| Value::list(texts.iter().copied()).unwrap();
    let map = |names: &[&str]| Value::map(names.iter().map(|name| (*name, "x"))).unwrap();
    let told = |rule: &Rule, value: Value| {
        let whole = rule.check_value(&hidden(value.clone())).unwrap();
        // The same below an attribute.
        let inside = Rule::at("v".parse::<PathExpr>().unwrap(), rule.clone()).unwrap();
        let object = Value::object([("v", hidden(value))]).unwrap();
        (format!("{whole:?}"), format!("{:?}", inside.check_value(&object).unwrap()))
    };
    let of_lists =
        [list(&["x"]), list(&["x", "y"]), list(&["a", "x", "a"])].map(|value| told(&each(), value));
    assert!(of_lists.iter().all(|one| *one == of_lists[0]), "{of_lists:#?}");
    let of_maps = [map(&["x"]), map(&["x", "y"]), map(&["a", "x"])].map(|value| told(&keys(), value));
    assert!(of_maps.iter().all(|one| *one == of_maps[0]), "{of_maps:#?}");
    // Without a mark each is told.
    let Outcome::Fail(all) = each().check_value(&list(&["x", "y"])).unwrap() else { panic!("it fails") };
    assert_eq!(all.len(), 2);
}
