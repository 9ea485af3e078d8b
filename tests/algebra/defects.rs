//! Defects of other systems, each with a test that it is not here. The first group are those of OpenTofu's
//! `assume*` functions, the second those of go-cty's operations.

use plantime::{LengthRange, Mark, Number, NumberRange, Path, Refinement, Type, Value};

use super::universe::ty;

fn unknown(text: &str) -> Value {
    Value::unknown(ty(text))
}

fn not_null(text: &str) -> Value {
    Value::refined(ty(text), Refinement::not_null()).unwrap()
}

#[test]
fn a1_a_known_string_shorter_than_the_prefix_does_not_pass() {
    for text in ["", "v", "vpc"] {
        assert!(Value::from(text).assume_string_prefix("vpc-").unwrap_err().is_contradiction());
    }
    let id = unknown("string").assume_string_prefix("vpc-").unwrap();
    assert_eq!(id.not_equal(&Value::from("")).unwrap(), Value::from(true));
}

#[test]
fn a2_each_bound_has_a_method_of_its_own() {
    let list = Value::list([1, 2]).unwrap();
    assert!(list.assume_list_length_min(2).is_ok() && list.assume_list_length_min(3).is_err());
    assert!(list.assume_list_length_max(2).is_ok() && list.assume_list_length_max(1).is_err());
    let set = Value::set([1, 2]).unwrap();
    assert!(set.assume_set_length_min(2).is_ok() && set.assume_set_length_max(1).is_err());
    let map = Value::map([("a", 1)]).unwrap();
    assert!(map.assume_map_length_min(1).is_ok() && map.assume_map_length_max(0).is_err());
}

/// Bounds are numbers here, never values: there is no unknown bound that could forget the type.
#[test]
fn a3_an_assumption_keeps_the_type() {
    let list = unknown("list(string)");
    for narrowed in [list.assume_list_length_min(1), list.assume_list_length(2, 2), list.assume_not_null()] {
        assert_eq!(narrowed.unwrap().ty(), ty("list(string)"));
    }
}

/// Lengths are unsigned, and bounds that exclude each other are the fault of the bounds.
#[test]
fn a4_bounds_that_exclude_each_other_are_blamed_themselves() {
    let error = unknown("list(string)").assume_list_length(3, 1).unwrap_err();
    assert!(error.is_argument() && !error.is_contradiction(), "{error}");
}

#[test]
fn a5_the_error_names_the_assumption() {
    let error = Value::list([1]).unwrap().assume_list_length_min(2).unwrap_err();
    assert!(error.is_contradiction() && error.to_string().contains('2'), "{error}");
}

#[test]
fn a6_an_assumption_that_does_not_hold_says_why_and_other_faults_are_other_errors() {
    let id = unknown("string").assume_string_prefix("vpc-").unwrap().assume_not_null().unwrap();
    let error = id.assume_string_prefix("sg-").unwrap_err();
    assert!(error.is_contradiction());
    assert!(error.to_string().contains("vpc-") && error.to_string().contains("sg-"), "{error}");
    assert!(Value::from(1).assume_string_prefix("vpc-").unwrap_err().is_type_mismatch());
    assert!(Value::dynamic().assume_not_null().unwrap_err().needs_type());
}

#[test]
fn a7_null_passes_a_length_at_apply_as_at_plan() {
    let plan = unknown("list(string)").assume_list_length(1, 2).unwrap();
    assert_eq!(plan.range().nullness(), plantime::Nullness::Nullable);
    let null = Value::null(ty("list(string)"));
    assert_eq!(null.assume_list_length(1, 2).unwrap(), null);
    assert_eq!(Value::null(Type::String).assume_string_prefix("vpc-").unwrap(), Value::null(Type::String));
}

#[test]
fn a8_marks_deep_inside_stay_where_they_are() {
    let list = Value::list([Value::from("a").mark(Mark::new("m")), Value::from("b")]).unwrap();
    for assumed in [list.assume_not_null().unwrap(), list.assume_list_length(1, 2).unwrap()] {
        assert_eq!(assumed, list);
        assert!(!assumed.is_marked());
        assert!(assumed.get(&Path::new().index(0)).unwrap().is_marked());
    }
}

#[test]
fn a10_number_ranges_can_be_assumed() {
    let size = unknown("number").assume_number_range(NumberRange::at_most(5)).unwrap();
    assert_eq!(size.assume_not_null().unwrap().less_than(&Value::from(6)).unwrap(), Value::from(true));
    assert!(Value::from(6).assume_number_range(NumberRange::at_most(5)).is_err());
}

#[test]
fn a11_an_assumption_on_a_set_with_unknown_members_is_kept() {
    let set = Value::set([unknown("string"), Value::from("a")]).unwrap();
    let both = set.assume_set_length(2, 2).unwrap();
    assert_eq!(both.length().unwrap(), Value::from(2));
    assert_eq!(set.assume_set_length(1, 1).unwrap(), Value::set(["a"]).unwrap());
    assert!(set.assume_set_length_min(3).unwrap_err().is_contradiction());
}

/// What is known of the non-null part is no promise that there is one.
#[test]
fn a12_not_null_and_a_range_are_told_apart() {
    let nullable = unknown("string").assume_string_prefix("vpc-").unwrap();
    assert!(!nullable.equals(&Value::null(Type::String)).unwrap().is_known());
    assert_eq!(nullable.equals(&Value::from("")).unwrap(), Value::from(false));
}

#[test]
fn a13_the_whole_prefix_is_checked() {
    assert!(Value::from("fo-x").assume_string_prefix("foo").unwrap_err().is_contradiction());
    let text = unknown("string").assume_string_prefix("foo").unwrap();
    assert_eq!(text.range().prefix(), Some("foo"));
}

#[test]
fn b1_infinity_is_a_number_like_others() {
    for infinity in [Number::INFINITY, Number::NEG_INFINITY].map(Value::from) {
        assert!(!not_null("number").equals(&infinity).unwrap().is_known());
        assert_eq!(not_null("number").range().includes(&infinity), Some(true));
    }
    let at_least = Value::refined(Type::Number, Refinement::number_at_least(0).and_not_null()).unwrap();
    assert!(!at_least.equals(&Value::from(Number::INFINITY)).unwrap().is_known());
}

#[test]
fn b2_unknowns_below_members_of_sets_are_seen() {
    let with_unknown = Value::set([Value::list([unknown("number")]).unwrap()]).unwrap();
    let with_one = Value::set([Value::list([1]).unwrap()]).unwrap();
    assert!(!with_unknown.equals(&with_one).unwrap().is_known());
    assert!(!with_unknown.equals(&with_unknown).unwrap().is_known());
}

#[test]
fn b3_undecided_types_can_agree() {
    let partial = Value::list_of(Type::Dynamic, [Value::dynamic()]).unwrap();
    assert!(!unknown("list(string)").equals(&partial).unwrap().is_known());
    let left = Value::tuple([Value::dynamic(), Value::from(1)]).unwrap();
    let right = Value::tuple([Value::from(1), Value::dynamic()]).unwrap();
    assert!(!left.equals(&right).unwrap().is_known());
    assert!(!unknown("tuple([number, string])").equals(&right).unwrap().is_known());
    assert_eq!(unknown("string").range().includes(&Value::dynamic()), None);
}

#[test]
fn b5_marks_of_unknown_operands_are_kept() {
    let marked = unknown("bool").mark(Mark::new("m"));
    for answer in [marked.not(), marked.and(&Value::from(false)), Value::from(true).or(&marked)] {
        assert!(answer.unwrap().is_marked());
    }
}

#[test]
fn b7_equal_numbers_are_one_member() {
    let zeros = ["0", "-0"].map(|text| Value::from(text.parse::<Number>().unwrap()));
    assert_eq!(Value::set(zeros).unwrap().length().unwrap(), Value::from(1));
}

#[test]
fn b13_a_place_in_an_unknown_marked_collection_is_marked() {
    let list = unknown("list(string)").mark(Mark::new("m"));
    assert!(list.get(&Path::new().index(0)).unwrap().is_marked());
    assert!(list.index(&Value::from(0)).unwrap().is_marked());
}

#[test]
fn b14_a_range_of_null_may_include_what_may_be_null() {
    assert_eq!(Value::null(Type::String).range().includes(&unknown("string")), None);
    assert_eq!(Value::null(Type::String).range().includes(&not_null("string")), Some(false));
}

#[test]
fn unknown_object_has_a_length() {
    assert_eq!(unknown("object({a = bool})").length().unwrap(), Value::from(1));
}

/// The answer that does not depend on the order in which attributes are met.
#[test]
fn a_pair_that_differs_decides_wherever_it_stands() {
    let unknown = unknown("number");
    for names in [["a", "b"], ["b", "a"]] {
        let one = Value::object(names.iter().zip([unknown.clone(), Value::from(1)])).unwrap();
        let two = Value::object(names.iter().zip([unknown.clone(), Value::from(2)])).unwrap();
        assert_eq!(one.equals(&two).unwrap(), Value::from(false));
    }
    let [one, two] = [1, 2].map(|n| Value::tuple([unknown.clone(), Value::from(n)]).unwrap());
    assert_eq!(one.equals(&two).unwrap(), Value::from(false));
}

/// An untyped null is known, so nothing about it is unknown.
#[test]
fn an_untyped_null_operand_is_an_error() {
    let null = Value::null(Type::Dynamic);
    assert!(null.not().unwrap_err().is_null());
    assert!(null.less_than(&Value::from(1)).unwrap_err().is_null());
    assert!(Value::list([1]).unwrap().index(&null).unwrap_err().is_null());
}

#[test]
fn bounds_that_leave_nothing_but_null_give_null() {
    let number = unknown("number").assume_number_range(NumberRange::at_least(5)).unwrap();
    let null = number.assume_number_range(NumberRange::at_most(3)).unwrap();
    assert_eq!(null, Value::null(Type::Number));
    assert!(NumberRange::above(5).unwrap().meet(&NumberRange::below(5).unwrap()).is_none());
}

#[test]
fn touching_bounds_decide_comparisons() {
    let range = |text: &str| Value::refined(Type::Number, text.parse().unwrap()).unwrap();
    let (closed, half_open) =
        (range("notnull(numberrange(1, 3))"), range("notnull(numbermin(1), numberbelow(3))"));
    assert_eq!(closed.less_than(&Value::from(1)).unwrap(), Value::from(false));
    assert_eq!(half_open.less_than(&Value::from(3)).unwrap(), Value::from(true));
    assert_eq!(closed.less_than_or_equal(&Value::from(3)).unwrap(), Value::from(true));
    assert_eq!(closed.greater_than_or_equal(&Value::from(1)).unwrap(), Value::from(true));
    assert_eq!(range("notnull(numberrange(5, 7))").less_than_or_equal(&closed).unwrap(), Value::from(false));
    assert_eq!(unknown("number").less_than(&Value::from(Number::NEG_INFINITY)).unwrap(), Value::from(false));
}

#[test]
fn the_length_of_a_set_counts_members_that_certainly_differ() {
    let [a, b] =
        ["a", "b"].map(|p| Value::refined(Type::String, Refinement::prefix(p).and_not_null()).unwrap());
    let set = Value::set([a, b]).unwrap();
    assert_eq!(set.length().unwrap(), Value::from(2));
    assert_eq!(set.range().length_range(), Some(LengthRange::exactly(2)));
}

#[test]
fn an_index_that_the_length_excludes_is_an_error() {
    let short = unknown("list(string)").assume_list_length_max(2).unwrap();
    assert!(short.index(&Value::from(2)).unwrap_err().is_not_found());
    assert!(unknown("list(string)").index(&Value::from(-1)).unwrap_err().is_not_found());
}
