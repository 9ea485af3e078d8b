//! No marked content appears in anything that is said by any kind of rule: the kinds are those of the keyword table, so a
//! new one is tried as soon as it has a name.

use std::collections::BTreeSet;

use plantime::rule::{
    Argument, Custom, Fields, Format, Keyword, Outcome, Request, Rule, Template, from_keyword, keywords,
};
use plantime::{Mark, Refinement, Type, Value, value};

/// What no message may hold: text, a number, the length of a text.
pub(crate) const SECRETS: [&str; 3] = ["hunter", "8675309", "1337"];

fn text() -> Value {
    Value::from("hunter2")
}

fn number() -> Value {
    Value::from(8_675_309)
}

fn long() -> Value {
    Value::from("z".repeat(1337))
}

fn hidden(value: Value) -> Value {
    value.mark(Mark::SENSITIVE)
}

/// Values with a secret in them, marked where it is or above, of every kind of type.
pub(crate) fn subjects() -> Vec<Value> {
    let prefix = Value::refined(Type::String, Refinement::prefix("hunter")).unwrap();
    let range: Refinement = "numbermin(8675309)".parse().unwrap();
    let many = Value::list(vec![Value::from("z"); 1337]).unwrap();
    let mut all = vec![
        hidden(Value::from(true)),
        hidden(Value::dynamic()),
        hidden(Value::null(Type::String)),
        hidden(Value::refined(Type::Number, range).unwrap()),
        hidden(many),
    ];
    for secret in [text(), number(), long(), prefix.clone(), prefix.assume_not_null().unwrap()] {
        let ty = secret.ty();
        let null = || Value::null(ty.clone());
        all.extend([
            hidden(secret.clone()),
            hidden(Value::list([secret.clone(), secret.clone()]).unwrap()),
            Value::list([hidden(secret.clone()), hidden(secret.clone())]).unwrap(),
            Value::list([hidden(secret.clone()), null()]).unwrap(),
            Value::tuple([hidden(secret.clone()), hidden(null())]).unwrap(),
            hidden(Value::tuple([secret.clone(), null()]).unwrap()),
            hidden(Value::set([secret.clone(), null()]).unwrap()),
            Value::set([hidden(secret.clone())]).unwrap(),
            hidden(Value::map([("hunter2", secret.clone()), ("a", null())]).unwrap()),
            Value::map([("a", hidden(secret.clone())), ("b", hidden(null()))]).unwrap(),
            Value::object([("a", hidden(secret.clone())), ("b", null())]).unwrap(),
            Value::object([("a", hidden(secret.clone())), ("b", hidden(secret.clone()))]).unwrap(),
            hidden(Value::object([("a", secret), ("b", null())]).unwrap()),
        ]);
    }
    all
}

/// Arguments of a keyword, with a secret where it can take a value.
fn arguments(keyword: &Keyword) -> Vec<Value> {
    let one = |value: Value| vec![value];
    match keyword.argument {
        Argument::Flag => one(Value::from(true)),
        Argument::Text => one(Value::from("q")),
        Argument::Length => vec![Value::from(0), Value::from(3), Value::from(90_000)],
        Argument::Number | Argument::Bound => vec![Value::from(2), Value::from(99_000_000)],
        Argument::Lengths | Argument::Numbers => one(value!([2, 3]).unwrap()),
        Argument::Pattern => one(Value::from("^q+$")),
        Argument::Value => vec![hidden(text()), hidden(number()), Value::from("q"), Value::from(1)],
        Argument::Values => vec![
            Value::tuple([hidden(text()), Value::from("q")]).unwrap(),
            Value::tuple([hidden(number()), Value::from(1)]).unwrap(),
            value!(["q", 1]).unwrap(),
        ],
        Argument::Texts => one(value!(["https", "q"]).unwrap()),
        Argument::Format => Format::all().map(|format| Value::from(format.name())).collect(),
        Argument::Paths => vec![value!(["a", "b"]).unwrap(), value!(["<.a", "<.b"]).unwrap()],
        Argument::Requirement => {
            let of = |operand: Value| {
                let one_of = Value::tuple([operand]).unwrap();
                let required = value!(["b"]).unwrap();
                Value::object([("path", Value::from("a")), ("one_of", one_of), ("required", required)])
                    .unwrap()
            };
            vec![of(hidden(text())), of(hidden(number())), of(Value::null(Type::Dynamic))]
        }
        Argument::Type => vec![Value::from("bool"), Value::from("map(string)")],
        Argument::Bits => one(value!([8, 24]).unwrap()),
        Argument::Keys => vec![Value::from(true), value!(["a", "q"]).unwrap()],
        Argument::Rule | Argument::Rules => Vec::new(),
    }
}

/// The rules of a keyword.
pub(crate) fn rules(keyword: &Keyword) -> Vec<Rule> {
    let of_value = arguments(keyword).into_iter();
    let mut rules: Vec<Rule> =
        of_value.filter_map(|argument| from_keyword(keyword.name, &argument).unwrap()).collect();
    let parts = || [Rule::equals(hidden(text())), Rule::starts_with("q"), Rule::NotNull, Rule::max_len(2)];
    if !matches!(keyword.argument, Argument::Rule | Argument::Rules) {
        return rules;
    }
    // Read from forms, since there is no rule of rules that the table could make; secrets are put in afterwards.
    for first in parts() {
        for second in parts() {
            let pair = [first.clone(), second];
            rules.push(match keyword.name {
                "all" => Rule::all(pair).unwrap(),
                "sequence" => Rule::sequence(pair).unwrap(),
                "any" => Rule::any(pair).unwrap(),
                // A rule that no value breaks is refused.
                "implies" => match Rule::implies(pair[0].clone(), pair[1].clone()) {
                    Ok(rule) => rule,
                    Err(_) => continue,
                },
                "when" => Rule::when(pair[0].clone(), pair[1].clone()).unwrap(),
                "not" => Rule::not(pair[0].clone()).unwrap(),
                "keys" => Rule::keys(pair[0].clone()).unwrap(),
                "each" => Rule::at("[*]".parse().unwrap(), pair[0].clone()).unwrap(),
                name => panic!("how is a rule `{name}` made of rules?"),
            });
        }
    }
    rules
}

/// Everything that a rule and its answer say, in every form.
fn said(rule: &Rule, request: &Request<'_>) -> String {
    let template: Template = "{key} {value} {desc} {failure}".parse().unwrap();
    let (words, markdown) = (rule.describe(), rule.markdown());
    let mut said =
        format!("{rule} {rule:?} {rule:#?} {words} {markdown} {request:?} {:?}", rule.to_form().err());
    said.push_str(&rule.as_refinement().map(|refinement| refinement.to_string()).unwrap_or_default());
    let outcome = match rule.check(request) {
        Err(misuse) => return said + &format!(" {misuse} {misuse:?} {}", misuse.path()),
        Ok(outcome) => outcome,
    };
    said.push_str(&format!(" {outcome} {outcome:?} {outcome:#?}"));
    for one in outcome.diagnostics() {
        let fields = Fields {
            key: "k",
            value: request.value(),
            desc: &rule.describe_for(&request.value().ty()),
            failure: &one.failure,
        };
        let plantime::rule::Diagnostic { severity, summary, detail, path, failure } = one;
        said.push_str(&format!(
            " {severity} {summary} {detail} {path} {failure} {}",
            template.render(&fields)
        ));
    }
    if let Outcome::Undetermined(why) = &outcome {
        said.push_str(&format!(" {why} {why:?} {} {:?} {:?}", why.passes_if(), why.notes(), why.inputs()));
        let open = why.obligation().unwrap();
        said.push_str(&format!(
            " {open} {open:?} {} {} {:?}",
            open.describe(),
            open.markdown(),
            open.to_form()
        ));
        said.push_str(&open.as_refinement().map(|refinement| refinement.to_string()).unwrap_or_default());
    }
    said
}

#[test]
fn no_kind_of_rule_says_marked_content() {
    let mut kinds: BTreeSet<&str> = BTreeSet::new();
    let mut tried: Vec<Rule> = Vec::new();
    for keyword in keywords() {
        let rules = rules(keyword);
        assert!(rules.iter().all(|rule| keyword.composed || rule.name() == keyword.name), "{}", keyword.name);
        tried.extend(rules);
    }
    tried.push(Rule::Custom(Custom::of_known("own", |value| Err(format!("it is {value}, {value:?}")))));
    let inside = ["a", "[*]", "a[*]", "[\"a\"]", "[0]", ""];
    for rule in tried.clone() {
        for path in inside {
            tried.push(Rule::at(path.parse().unwrap(), rule.clone()).unwrap());
        }
        // A rule that no value breaks is refused.
        tried.extend(Rule::not(rule.clone()));
        tried.push(Rule::all([rule, Rule::NotNull]).unwrap());
    }
    let subjects = subjects();
    let befores: Vec<&Value> = subjects.iter().take(8).collect();
    let (mut messages, mut failures) = (0_usize, 0_usize);
    for rule in &tried {
        kinds.insert(rule.name());
        for subject in &subjects {
            let before = befores[messages % befores.len()];
            let request = Request::new(subject).before(before).within(subject);
            let said = said(rule, &request);
            for secret in SECRETS {
                assert!(!said.contains(secret), "{rule} on {subject:?} says {secret}:\n{said}");
            }
            messages += 1;
            failures += usize::from(rule.check(&request).is_ok_and(|outcome| outcome.is_fail()));
        }
    }
    let named: BTreeSet<&str> = keywords()
        .iter()
        .filter(|keyword| !keyword.composed)
        .map(|keyword| keyword.name)
        .chain(["at", "custom"])
        .collect();
    assert_eq!(kinds, named, "`rules` of tests/rules/taint_kinds.rs builds a rule of each kind");
    assert!(failures > 1000, "{failures}");
    println!("answers without marked content: {messages}, of which failures {failures}");
}
