//! What validators that see known values only get wrong, one test each.

use plantime::rule::{PathExpr, Request, Rule};
use plantime::{Mark, Path, Type, Value, value};

use super::fields::{paths, states};
use super::{Fail, Pass, Undetermined, answers, begins, named, some};
use crate::laws::word;

fn open() -> Value {
    Value::unknown(Type::String)
}

fn at(path: &str, rule: Rule) -> Rule {
    Rule::at(path.parse().unwrap(), rule).unwrap()
}

#[test]
fn any_does_not_take_an_unknown_for_a_success() {
    let rule = Rule::any([named("starts_with", "a"), named("starts_with", "b")]).unwrap();
    answers(&rule, [(some(open()), Undetermined), (some(begins("c")), Fail), (begins("b"), Pass)]);
}

#[test]
fn the_order_of_operands_does_not_matter() {
    for (build, parts) in [
        (Rule::conflicting as fn(Vec<PathExpr>) -> Rule, "UTT"),
        (Rule::exactly_one_of, "UTT"),
        (Rule::required_together, "UTF"),
        (|paths: Vec<PathExpr>| Rule::also_requires("b".parse().unwrap(), paths), "UTF"),
    ] {
        for order in [["a", "b", "c"], ["c", "b", "a"], ["b", "a", "c"], ["c", "a", "b"]] {
            let rule = build(paths(&order));
            assert_eq!(word(&rule, &states(parts)), Fail, "{rule} on {parts}");
        }
    }
}

#[test]
fn two_of_exactly_one_fail_beside_an_unknown() {
    answers(&Rule::exactly_one_of(paths(&["a", "b", "c"])), [(states("TTU"), Fail)]);
}

#[test]
fn one_set_and_one_null_of_those_required_together_fail_beside_an_unknown() {
    answers(&Rule::required_together(paths(&["a", "b", "c"])), [(states("TFU"), Fail)]);
}

#[test]
fn members_of_a_set_that_may_be_one_are_not_counted_twice() {
    let set = || Value::set([open(), Value::from("a")]).unwrap();
    answers(&named("size_at_most", 1), [(set(), Undetermined)]);
    answers(&named("size_at_least", 2), [(set(), Undetermined)]);
}

#[test]
fn paths_below_one_unknown_parent_are_operands_of_their_own() {
    let parent = Value::unknown("object({a = string, b = string})".parse().unwrap());
    let value = Value::object([("o", parent), ("x", Value::from("x"))]).unwrap();
    answers(&Rule::conflicting(paths(&["o.a", "o.b"])), [(value.clone(), Undetermined)]);
    answers(&Rule::exactly_one_of(paths(&["o.a", "o.b"])), [(value.clone(), Undetermined)]);
    answers(&Rule::at_least_one_of(paths(&["o.a", "x"])), [(value.clone(), Pass)]);
    let why = Rule::conflicting(paths(&["x", "o.a", "o.b"])).check_value(&value).unwrap();
    assert_eq!(why.why().unwrap().passes_if(), "o.a turns out null and o.b turns out null");
}

#[test]
fn sensitive_values_are_not_printed() {
    let secret = Value::from("hunter2").mark(Mark::SENSITIVE);
    for rule in [named("starts_with", "a"), named("max_len", 1), named("format", "cidr")] {
        let outcome = rule.check(&Request::new(&secret).at(Path::new().attr("password"))).unwrap();
        assert!(outcome.is_fail() && !outcome.to_string().contains("hunter2"), "{outcome}");
    }
}

#[test]
fn sums_and_products_do_not_wrap() {
    let largest = i64::MAX;
    let value = value!({ "sum": (-2), "product": 0, "a": (largest), "b": (largest) }).unwrap();
    answers(&at("sum", Rule::equal_to_sum_of(paths(&["<.a", "<.b"]))), [(value.clone(), Fail)]);
    answers(&at("sum", Rule::at_least_sum_of(paths(&["<.a", "<.b"]))), [(value.clone(), Fail)]);
    let two = value!({ "product": 0, "a": 4_294_967_296_i64, "b": 4_294_967_296_i64 }).unwrap();
    answers(&at("product", Rule::equal_to_product_of(paths(&["<.a", "<.b"]))), [(two, Fail)]);
}

#[test]
fn a_product_is_described_as_one() {
    let rule = at("n", Rule::equal_to_product_of(paths(&["<.a", "<.b"])));
    assert_eq!(rule.describe(), "n is equal to the product of a * b");
}

#[test]
fn relative_paths_lead_out_of_every_element() {
    let rule = at("disks[*].used", Rule::at_most_sum_of(paths(&["<.size"])));
    let disk = |used: i64, size: i64| value!({ "used": (used), "size": (size) }).unwrap();
    let disks = |second: Value| {
        let list = Value::list([disk(1, 2), second.clone()]).unwrap();
        Value::object([("disks", list)]).unwrap()
    };
    answers(&rule, [(disks(disk(2, 2)), Pass), (disks(disk(3, 2)), Fail)]);
    let outcome = rule.check_value(&disks(disk(3, 2))).unwrap();
    assert_eq!(outcome.diagnostics()[0].path.to_string(), "disks[1].used");
    // Members of sets, which no address leads to.
    let set = |second: Value| Value::object([("disks", Value::set([disk(1, 2), second]).unwrap())]).unwrap();
    answers(&rule, [(set(disk(2, 2)), Pass), (set(disk(3, 2)), Fail)]);
}

#[test]
fn what_is_below_an_unknown_parent_is_not_null() {
    let ty: Type = "object({o = object({a = string})})".parse().unwrap();
    let Type::Object(object) = &ty else { panic!("an object") };
    let parent = some(Value::unknown(object.get("o").unwrap().clone()));
    let value = Value::object([("o", parent)]).unwrap();
    answers(&at("o.a", Rule::NotNull), [(value, Undetermined)]);
    let list = Value::unknown("list(object({a = string}))".parse().unwrap());
    answers(&at("[*].a", Rule::NotNull), [(list, Undetermined)]);
}

#[test]
fn what_was_missing_is_there() {
    let not = Rule::not(named("starts_with", "a")).unwrap();
    answers(&not, [(begins("b"), Pass), (some(begins("a")), Fail)]);
    let implies = Rule::implies(named("starts_with", "a"), named("max_len", 1)).unwrap();
    answers(&implies, [(some(begins("ab")), Fail), (begins("b"), Pass)]);
    for name in
        ["starts_with", "ends_with", "contains", "multiple_of", "unique", "has_key", "keys", "immutable"]
    {
        assert!(plantime::rule::keyword(name).is_ok(), "{name}");
    }
}
