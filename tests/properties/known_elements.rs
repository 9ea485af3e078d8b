//! Cases with refined elements that the small universes of the laws do not contain.

use plantime::function::Functions;
use plantime::rule::Rule;
use plantime::sample::may_become;
use plantime::{Mark, Refinement, Type, TypeConstraint, Value, convert};

fn refined(ty: &str, refinement: &str) -> Value {
    Value::refined(ty.parse().unwrap(), refinement.parse().unwrap()).unwrap()
}

fn call(name: &str, arguments: &[Value]) -> Value {
    Functions::standard().get(name).unwrap().call(arguments).unwrap()
}

#[test]
fn members_may_become_equal_when_nulls_take_their_default() {
    let planned = refined("list(set(object({a = string})))", "notnull(elements(notnull(lengthmin(2))))");
    let to: TypeConstraint = r#"list(set(object({a = optional(string, "x")})))"#.parse().unwrap();
    let object = |a: Value| Value::object([("a", a)]).unwrap();
    let set = Value::set([object(Value::null(Type::String)), object(Value::from("x"))]).unwrap();
    let actual = convert(&Value::list([set]).unwrap(), &to).unwrap();
    assert!(may_become(&convert(&planned, &to).unwrap(), &actual));
}

#[test]
fn members_may_become_equal_when_their_type_is_decided() {
    for (got, other) in [
        (
            refined("set(string)", "notnull(lengthmin(2), elements(notnull()))"),
            Value::set_of(Type::Dynamic, [Value::dynamic()]).unwrap(),
        ),
        (
            refined("list(set(string))", "notnull(length(1), elements(notnull(lengthmin(2))))"),
            Value::list([Value::set_of(Type::Dynamic, [Value::dynamic()]).unwrap()]).unwrap(),
        ),
    ] {
        assert!(got.assume_equal(&other).is_ok(), "{got:?}");
    }
}

#[test]
fn marks_of_elements_are_on_a_map_of_known_keys() {
    let key = refined("string", r#"notnull(oneof("a", "b"))"#);
    let keys = Value::list([Value::from("a"), Value::from("b"), key]).unwrap();
    let secret = Value::from("x").mark(Mark::SENSITIVE);
    for values in [vec![secret.clone(); 3], vec!["y".into(), secret.clone(), "z".into()]] {
        let map = call("zipmap", &[keys.clone(), Value::list(values).unwrap()]);
        assert!(map.marks().contains(&Mark::SENSITIVE), "{map:?}");
    }
}

#[test]
fn lists_of_known_length_inside_each_other_stay_small() {
    for levels in 1..60 {
        let (mut ty, mut refinement) = (Type::String, Refinement::not_null());
        for _ in 0..levels {
            ty = Type::list(ty).unwrap();
            let length: Refinement = "length(32)".parse().unwrap();
            refinement = Refinement::elements(refinement).unwrap().meet(&length).unwrap().and_not_null();
        }
        assert_eq!(refinement.to_string().parse::<Refinement>().unwrap(), refinement);
        let value = Value::refined(ty, refinement).unwrap();
        let mut parts = 0_u32;
        value.walk(|_, _| {
            parts = parts.saturating_add(1);
            true
        });
        assert!(parts <= 5_000, "{levels} levels have {parts} parts");
    }
}

#[test]
fn what_is_known_of_elements_is_as_deep_as_its_text_can_be() {
    let mut refinement = Refinement::prefix("a").and_not_null();
    while let Ok(deeper) = Refinement::elements(refinement.clone()) {
        refinement = deeper.and_not_null();
    }
    assert_eq!(refinement.to_string().parse::<Refinement>().unwrap(), refinement);
}

#[test]
fn a_set_whose_members_are_all_one_value_has_a_union() {
    for length in ["lengthmin(1)", "length(1, 3)", "length(2)"] {
        let set = refined("set(list(string))", &format!("notnull({length}, elements(notnull(length(0))))"));
        assert!(set.union(&set).is_ok() && set.union(&Value::set(["a"]).unwrap()).is_err());
    }
}

#[test]
fn a_rule_on_elements_of_no_type_implies_nothing() {
    let both = Rule::all([Rule::min_len(1), Rule::starts_with("a")]).unwrap();
    let rule = Rule::at("[*]".parse().unwrap(), both).unwrap();
    let ty: Type = "list(dynamic)".parse().unwrap();
    assert!(rule.implied_refinement(&ty).is_trivial());
}

#[test]
fn functions_and_rules_know_elements_and_keys() {
    let texts = |refinement: &str| refined("list(string)", refinement);
    assert_eq!(call("compact", &[texts("notnull(elements(null()))")]), texts("notnull(length(0))"));
    let ids = texts(r#"notnull(lengthmin(2), elements(notnull(stringprefix("subnet-"))))"#);
    assert_eq!(call("compact", std::slice::from_ref(&ids)), ids);
    let tags = refined("map(string)", r#"notnull(elements(notnull()), keys(oneof("a", "b")))"#);
    let passes = |rule: &Rule, value: &Value| {
        let outcome = rule.check_value(value).unwrap();
        (outcome.is_pass(), outcome.is_fail())
    };
    for (rule, value, answer) in [
        (Rule::no_nulls(), &ids, (true, false)),
        (Rule::no_nulls(), &texts("notnull(lengthmin(1), elements(null()))"), (false, true)),
        (Rule::has_key("c"), &tags, (false, true)),
        (Rule::not(Rule::has_key("c")).unwrap(), &tags, (true, false)),
    ] {
        assert_eq!(passes(&rule, value), answer, "{rule}");
    }
}
