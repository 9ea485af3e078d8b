//! Cases with refined elements that the small universes of the laws do not contain.

use std::collections::BTreeMap;

use plantime::sample::may_become;
use plantime::{Type, Value};
use plantime_hcl::{Expression, Scope};

fn evaluated(text: &str, variables: &[(&str, Value)]) -> Value {
    let variables: BTreeMap<String, Value> =
        variables.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    Expression::parse(text).unwrap().evaluate(&Scope::new(&variables)).unwrap()
}

#[test]
fn a_splat_of_no_elements_has_one_type() {
    let none = Value::map_of(Type::String, Vec::<(&str, Value)>::new()).unwrap();
    let empty = Value::list_of(none.ty(), Vec::<Value>::new()).unwrap();
    let one = Value::list([Value::map([("a", "x")]).unwrap()]).unwrap();
    let choice = |answer: Value| [("a", answer), ("none", empty.clone()), ("one", one.clone())];
    let text = "(a ? none : one)[*].b";
    let planned = evaluated(text, &choice(Value::unknown(Type::Bool)));
    assert!(may_become(&planned, &evaluated(text, &choice(true.into()))), "{planned:?}");
}

#[test]
fn a_template_may_lack_a_variable_of_an_unknown_map() {
    let full = Value::map([("a", "x")]).unwrap();
    let none = Value::map_of(Type::String, Vec::<(&str, Value)>::new()).unwrap();
    let variables =
        [("c", Value::unknown(Type::Bool)), ("full", full), ("none", none), ("t", Value::from("v=${a}"))];
    let can = evaluated("can(templatestring(t, c ? full : none))", &variables);
    assert!(!can.is_known(), "{can:?}");
}
