//! Collections of which it may be unknown what is there.

use std::collections::BTreeMap;
use std::sync::Arc;

use plantime::function::Functions;
use plantime::{Type, Value};
use plantime_hcl::unstable::{ConditionAnswer, Dependency, Member, MemberFunctions, Members};
use plantime_hcl::{Expression, Scope};

/// A function without arguments for each collection.
struct Tables(BTreeMap<&'static str, Arc<Members>>);

impl MemberFunctions for Tables {
    fn names(&self) -> &[&str] {
        &["certain", "possible", "open", "fails"]
    }

    fn call(&self, name: &str, _: &[Value]) -> Option<Result<Arc<Members>, String>> {
        match self.0.get(name) {
            Some(members) => Some(Ok(members.clone())),
            None => Some(Err("there is nothing".to_owned())),
        }
    }
}

fn entry(size: Value) -> Value {
    let id = Value::unknown_not_null(Type::String);
    Value::object([("size", size), ("id", id)]).unwrap()
}

fn named(name: &str) -> Dependency {
    Dependency { root: name.into(), steps: Vec::new() }
}

fn tables() -> Tables {
    let one = || Member::certain(entry(Value::from(1))).of(named("one"));
    let two = || Member::certain(entry(Value::from(2))).of(named("two"));
    let three = || Member::possible(entry(Value::from(3))).of(named("three"));
    Tables(BTreeMap::from([
        ("certain", Arc::new(Members::new(vec![one(), two()]))),
        ("possible", Arc::new(Members::new(vec![one(), two(), three()]))),
        ("open", Arc::new(Members::new(vec![one()]).with_open_end(entry(Value::unknown(Type::Number))))),
    ]))
}

fn answer(text: &str) -> ConditionAnswer {
    let variables = BTreeMap::from([
        ("u".to_owned(), Value::unknown(Type::Bool)),
        ("n".to_owned(), Value::unknown(Type::Number)),
        ("one".to_owned(), entry(Value::from(1))),
        ("none".to_owned(), Value::null(Type::Bool)),
    ]);
    let tables = tables();
    let scope = Scope::new(&variables).with_member_functions(&tables).for_rules(true);
    let scope = scope.with_functions(Functions::rules());
    Expression::parse(text).unwrap().evaluate_condition(&scope)
}

#[track_caller]
fn check(cases: &[(&str, Option<bool>)]) {
    for (text, expected) in cases {
        let answer = answer(text);
        assert_eq!(answer.holds(), *expected, "{text}: {answer:#?}");
    }
}

#[test]
fn quantifiers_take_members_that_may_not_be_there() {
    check(&[
        ("alltrue([for x in [1, 2] : x > 0 if u == true])", Some(true)),
        ("alltrue([for x in certain() : x.size > 0])", Some(true)),
        ("alltrue([for x in possible() : x.size > 0])", Some(true)),
        ("alltrue([for x in possible() : x.size < 3])", None),
        ("alltrue([for x in possible() : x.size < 2])", Some(false)),
        ("anytrue([for x in possible() : x.size == 2])", Some(true)),
        ("anytrue([for x in possible() : x.size == 3])", None),
        ("anytrue([for x in possible() : x.size == 4])", Some(false)),
        ("alltrue([for x in open() : x.size == 1])", None),
        ("anytrue([for x in open() : x.size == 1])", Some(true)),
        ("length(possible()) <= 3", Some(true)),
        ("length(possible()) >= 2", Some(true)),
        ("length(possible()) == 2", None),
        ("length(open()) >= 1", Some(true)),
        ("length(open()) < 5", None),
        ("sum(possible()[*].size) <= 6", Some(true)),
        ("sum(possible()[*].size) > 3", None),
        ("sum([for x in certain() : x.size if x.size > 5]) == 0", Some(true)),
        ("contains(possible()[*].size, 2)", Some(true)),
        ("contains(possible()[*].size, 3)", None),
        ("contains([for x in possible() : x.size], 4)", Some(false)),
        ("length(concat(possible(), [1])) >= 3", Some(true)),
        ("length(distinct(concat(possible()[*].size, [1]))) <= 3", Some(true)),
        ("possible()[0].size == 1", Some(true)),
        ("length(flatten([for x in possible() : [x.size, 7]])) == 4", None),
        ("length(flatten([for x in possible() : [x.size, 7]])) <= 6", Some(true)),
    ]);
}

#[test]
fn networks_that_may_overlap_are_possible_pairs() {
    let networks = |text: &str| format!("[for x in possible() : {text}]");
    let of_size = networks("\"10.0.${x.size}.0/24\"");
    let one_or_three = networks("x.size == 2 ? \"10.2.0.0/16\" : \"10.1.0.0/16\"");
    let vague = networks("x.size == 2 ? one.id : \"10.${x.size}.0.0/16\"");
    check(&[
        (&format!("length(cidroverlaps({of_size})) == 0"), Some(true)),
        (&format!("length(cidroverlaps({one_or_three})) == 0"), None),
        (&format!("length(cidroverlaps({one_or_three})) <= 1"), Some(true)),
        (&format!("length(cidroverlaps(concat({of_size}, [\"10.0.1.0/25\"]))) > 0"), Some(true)),
        (&format!("length(cidroverlaps(concat({of_size}, [\"10.0.3.0/25\"]))) > 0"), None),
        (&format!("length(cidroverlaps({vague})) <= 0"), None),
        ("length(cidroverlaps([\"10.0.0.0/8\", \"10.1.0.0/16\"])) == 1", Some(true)),
        ("versioncmp(one.id, \"1.0\") <= 1", None),
    ]);
}

#[test]
fn copies_of_one_unknown_are_equal_in_iterations() {
    check(&[
        ("alltrue([for x in certain() : x.id == x.id])", Some(true)),
        ("anytrue([for x in certain() : x.id == one.id])", Some(true)),
        ("contains([for x in certain() : x.id], one.id)", Some(true)),
        ("contains(certain()[*].id, one.id)", Some(true)),
        ("contains([one.id], one.id)", Some(true)),
        ("contains([for x in possible() : x.id if x.size == 3], one.id)", None),
        ("alltrue([for x in [one] : x.id == one.id])", Some(true)),
    ]);
}

#[test]
fn what_may_be_an_error_never_passes() {
    check(&[
        (r#"u || tonumber("x") > 1"#, None),
        (r#"!(u && tonumber("x") > 1)"#, None),
        (r#"alltrue([for x in possible() : tonumber("x") > 1 if x.size == 3])"#, None),
        (r#"tonumber("x") > 1"#, Some(false)),
        ("none && true", Some(false)),
        ("!(none && true)", Some(false)),
        ("none", Some(false)),
        ("fails() == 1", Some(false)),
    ]);
}

#[test]
fn literals_take_the_type_that_they_are_compared_with() {
    check(&[
        (r#"one.size == "1""#, Some(true)),
        (r#"one.size == "x""#, Some(false)),
        (r#"one.size != "x""#, Some(false)),
        ("certain()[*].size == []", Some(false)),
        ("certain()[*].size == [1, 2]", Some(true)),
        (r#"certain()[*].size == ["1", "2"]"#, Some(true)),
        ("one.size != none", Some(false)),
        ("contains([1], null)", Some(false)),
        (
            "alltrue([for s in jsondecode(jsonencode({ s = [{ a = \"x\", b = one.id }] })).s : s.a == \"x\"])",
            Some(true),
        ),
        ("jsondecode(jsonencode({ a = [1, one.id] })).a[0] == 1", Some(true)),
        ("one.size != null", Some(true)),
    ]);
}

#[test]
fn an_answer_says_what_decides_it_and_what_it_waits_for() {
    let failed = answer("alltrue([for x in possible() : x.size > 1]) && one.size > 0");
    assert_eq!(failed.holds(), Some(false));
    assert_eq!(failed.decision_count, 1);
    assert_eq!(failed.decided_by[0].member, Some(named("one")));
    assert_eq!(failed.decided_by[0].values[0].statement, "is 1");
    let counted = answer("length([for x in possible() : x if x.size < 3]) == 0");
    let members: Vec<_> = counted.decided_by.iter().map(|decision| decision.member.clone()).collect();
    assert_eq!(members, [None, Some(named("one")), Some(named("two"))]);
    let found = answer("!contains([for x in certain() : x.size], 2)");
    assert_eq!(found.decided_by.last().unwrap().member, Some(named("two")));
    let open = answer("u && n > 1 && one.size > 0");
    assert_eq!(open.holds(), None);
    assert_eq!(open.waits_for, [named("u"), named("n")]);
    assert_eq!(open.open, [0..1, 5..10]);
}
