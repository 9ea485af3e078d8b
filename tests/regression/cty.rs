//! What is wrong in go-cty 1.18.1, item by item, and the test that shows the sound and total behaviour here.
//!
//! Three lists: answers that leave out an outcome, input that contradicts itself or is not looked at, and panics and
//! wrong errors. The one item without a test is about a function that is not here yet.

use plantime::{
    Bound, LengthRange, Mark, MarkChange, Number, NumberRange, Path, Refinement, Safety, Type,
    TypeConstraint, Value, convert, unify,
};

use super::names;

/// The item, what goes wrong there, and the tests: in this file where no suite is named.
const ITEMS: &[(&str, &str, &[&str])] = &[
    // Answers that leave out an outcome.
    ("B1", "an unknown number equals no infinity", &["algebra: b1_infinity_is_a_number_like_others"]),
    (
        "B2",
        "unknowns below members of sets",
        &["algebra: b2_unknowns_below_members_of_sets_are_seen", "b2_a_partly_known_value_may_be_a_member"],
    ),
    ("B3", "undecided types compared by conformance", &["algebra: b3_undecided_types_can_agree"]),
    ("B4", "length of setproduct", &["b4_a_product_with_what_may_be_empty_may_be_empty"]),
    ("B5", "marks of unknown operands are lost", &["algebra: b5_marks_of_unknown_operands_are_kept"]),
    ("B6", "bounds are computed in floats", &["b6_bounds_of_sums_are_exact"]),
    ("B7", "equal numbers are several members", &["algebra: b7_equal_numbers_are_one_member"]),
    (
        "B8",
        "a partly known set becomes a list of the old type",
        &["b8_a_partly_known_set_becomes_a_list_of_the_new_type"],
    ),
    (
        "B9",
        "what is dynamic adopts its neighbour's type",
        &["b9_an_undecided_element_leaves_the_type_of_all_open"],
    ),
    ("B10", "length of reverselist of a set", &["b10_a_reversed_set_can_be_shorter_than_it_looks"]),
    ("B11", "merge takes a null object for an empty one", &["b11_a_null_object_has_no_attributes_to_merge"]),
    (
        "B12",
        "modulo by 0 of what may be null is not null",
        &["b12_modulo_by_zero_is_an_error_whatever_the_dividend"],
    ),
    (
        "B13",
        "a path into an unknown marked collection loses the marks",
        &["algebra: b13_a_place_in_an_unknown_marked_collection_is_marked"],
    ),
    (
        "B14",
        "null's range excludes what may be null",
        &["algebra: b14_a_range_of_null_may_include_what_may_be_null"],
    ),
    ("B15", "a nullable operand", &["b15_a_nullable_operand_means_the_answer_or_an_error_later"]),
    (
        "equality",
        "equal numbers differ in text, order and quotient",
        &["equal_numbers_are_equal_in_every_respect"],
    ),
    // Input that contradicts itself or is not looked at.
    (
        "prefix",
        "a prefix longer than the known text passes",
        &[
            "algebra: a1_a_known_string_shorter_than_the_prefix_does_not_pass",
            "algebra: a13_the_whole_prefix_is_checked",
        ],
    ),
    ("(5, 5)", "an interval without numbers is accepted", &["an_interval_without_numbers_is_refused"]),
    (
        "contradiction",
        "contradictory bounds of what may be null panic",
        &["algebra: bounds_that_leave_nothing_but_null_give_null"],
    ),
    ("[5, 5]", "what is null or one value is never told", &["null_or_one_value_answers_as_such"]),
    ("infinite bounds", "an infinity is a bound by its pointer", &["infinite_bounds_are_none_or_the_value"]),
    ("bounds of null", "a bound on null is a nil pointer", &["a_known_null_satisfies_every_bound"]),
    ("marked bound", "a marked bound poisons later operations", &["a_bound_is_a_number_and_carries_no_mark"]),
    ("no meet", "a contradiction is a panic only", &["a_contradiction_is_an_error_that_says_what_met"]),
    (
        "bool, object",
        "a bool cannot be assumed true, an attribute not be refined",
        &["a_bool_and_an_attribute_can_be_assumed"],
    ),
    // Panics and wrong errors.
    ("length", "length of an unknown object", &["algebra: unknown_object_has_a_length"]),
    ("slice", "slice of an unknown empty list", &["a_slice_of_an_unknown_empty_list_is_no_panic"]),
    (
        "set functions",
        "set functions with what is dynamic",
        &["set_functions_take_what_is_of_undecided_type"],
    ),
    ("merge", "merge with a set of unknowns", &["a_set_is_nothing_to_merge"]),
    ("HasElement", "a member with marks inside", &["a_member_with_marks_inside_is_looked_up"]),
    ("IndexStep", "an unknown key into a tuple", &["an_unknown_key_into_a_tuple_is_any_of_its_elements"]),
    (
        "zipmap, indent, log, pow, int",
        "functions that panic",
        &["what_panics_there_is_an_error_or_has_a_result"],
    ),
    (
        "keys",
        "null keys and places that are not there",
        &["null_keys_and_places_that_are_not_there_are_errors"],
    ),
    ("inf % n", "a parsed infinity", &["a_remainder_of_an_infinity_is_an_error"]),
    ("range", "a step of zero", &["a_range_with_a_step_of_zero_is_told_so"]),
    ("x * 0", "a zero by its pointer", &["zero_times_a_number_is_zero_however_it_is_written"]),
    (
        "type JSON",
        "optional names that are no attributes",
        &["an_optional_name_that_is_no_attribute_is_an_error"],
    ),
    (
        "msgpack",
        "NaN, contradictions, mixed types; wrong types; unknown keys; lengths; keys (six items)",
        &[
            "bytes_of_another_type_are_refused",
            "a_promised_length_takes_no_memory",
            "msgpack: refinements_that_leave_nothing_are_refused",
            "msgpack: elements_of_undecided_type_decide_together",
            "msgpack: keys_that_come_twice_are_refused",
            "msgpack: keys_of_a_refinement_that_mean_nothing_are_passed_over",
        ],
    ),
    (
        "JSON",
        "short tuples, mixed lists, text after the value",
        &["json_that_is_not_of_its_type_is_an_error"],
    ),
    ("JSON names", "names in another normal form", &["json_names_are_read_in_any_normal_form"]),
    (
        "B16",
        "optional attributes in the type of a null",
        &["b16_no_value_has_a_type_with_optional_attributes"],
    ),
    ("unify", "the second of two conversions gets the first one's input", &["what_is_unified_converts"]),
    (
        "variadic",
        "the position of a variadic argument",
        &["an_error_counts_arguments_from_the_beginning_of_the_call"],
    ),
    (
        "index",
        "the message names a place that is not there",
        &["the_message_of_an_index_says_how_long_the_sequence_is"],
    ),
    ("below marks", "questions do not look below marks", &["questions_look_below_marks"]),
    (
        "untyped null",
        "known in, unknown out",
        &["algebra: an_untyped_null_operand_is_an_error", "an_untyped_null_is_no_operand_of_arithmetic"],
    ),
    ("signum", "a fraction", &["every_number_has_a_sign"]),
    ("substr", "a length of 0", &["a_part_of_length_zero"]),
    (
        "nondeterminism",
        "the order of Go maps shows",
        &["algebra: a_pair_that_differs_decides_wherever_it_stands", "no_order_of_building_shows"],
    ),
];

#[test]
fn every_item_has_a_test_or_is_about_what_is_not_here() {
    let mut missing = Vec::new();
    for (item, _, tests) in ITEMS {
        for test in *tests {
            let (suite, name) = test.split_once(": ").unwrap_or(("regression", test));
            if !names::test_exists(suite, name) {
                missing.push(format!("{item}: {test}"));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
    let without = ITEMS.iter().filter(|(_, _, tests)| tests.is_empty()).count();
    assert_eq!(without, 0);
}

fn unknown(text: &str) -> Value {
    Value::unknown(text.parse().unwrap())
}

fn refined(ty: &str, refinement: &str) -> Value {
    Value::refined(ty.parse().unwrap(), refinement.parse().unwrap()).unwrap()
}

fn number(text: &str) -> Value {
    Value::from(text.parse::<Number>().unwrap())
}

fn to(value: &Value, constraint: &str) -> plantime::Result<Value> {
    convert(value, &constraint.parse().unwrap())
}

#[test]
fn b6_bounds_of_sums_are_exact() {
    let range = refined("number", "notnull(numberrange(9007199254740994, 9007199254740996))");
    let sum = range.add(&1.into()).unwrap();
    assert_eq!(sum, refined("number", "notnull(numberrange(9007199254740995, 9007199254740997))"));
}

#[test]
fn b8_a_partly_known_set_becomes_a_list_of_the_new_type() {
    let set = Value::set([1.into(), unknown("number")]).unwrap();
    assert_eq!(to(&set, "list(string)").unwrap().ty(), "list(string)".parse().unwrap());
}

#[test]
fn b9_an_undecided_element_leaves_the_type_of_all_open() {
    let tuple = Value::tuple([Value::dynamic(), 1.into()]).unwrap();
    assert_eq!(to(&tuple, "list(any)").unwrap().ty(), "list(any)".parse().unwrap());
    let decided = Value::tuple([Value::from("a"), 1.into()]).unwrap();
    assert_eq!(to(&decided, "list(any)").unwrap(), Value::list(["a", "1"]).unwrap());
}

#[test]
fn b12_modulo_by_zero_is_an_error_whatever_the_dividend() {
    assert!(unknown("number").modulo(&0.into()).is_err());
    assert!(Value::null(Type::Number).modulo(&0.into()).is_err());
    assert!(Value::from(5).modulo(&0.into()).unwrap_err().is_undefined());
}

#[test]
fn b15_a_nullable_operand_means_the_answer_or_an_error_later() {
    let nullable = refined("number", "numberrange(1, 3)");
    assert_eq!(nullable.less_than(&4.into()).unwrap(), Value::from(true));
    assert!(Value::null(Type::Number).less_than(&4.into()).unwrap_err().is_null());
    // Whoever must know asks the range.
    assert!(!nullable.range().is_not_null());
}

#[test]
fn equal_numbers_are_equal_in_every_respect() {
    let zeros = [number("0"), number("-0")];
    assert_eq!(to(&zeros[0], "string").unwrap(), to(&zeros[1], "string").unwrap());
    let tenths = [number("0.1"), Value::from(Number::try_from(0.1_f64).unwrap())];
    assert_eq!(tenths[0].equals(&tenths[1]).unwrap(), Value::from(true));
    assert_eq!(tenths[0].greater_than(&tenths[1]).unwrap(), Value::from(false));
    assert_eq!(Value::from(1).divide(&3.into()).unwrap(), number("1.0").divide(&number("3")).unwrap());
}

#[test]
fn an_interval_without_numbers_is_refused() {
    let five = || Bound::Exclusive(Number::from(5));
    assert!(NumberRange::new(five(), five()).is_err());
    let above = refined("number", "notnull(numberabove(5))");
    assert!(above.assume(&"numberbelow(5)".parse().unwrap()).unwrap_err().is_contradiction());
}

#[test]
fn null_or_one_value_answers_as_such() {
    let five = refined("number", "numberrange(5, 5)");
    assert_eq!(five.assume_not_null().unwrap(), Value::from(5));
    assert_eq!(five.equals(&6.into()).unwrap(), Value::from(false));
    assert!(!five.equals(&5.into()).unwrap().is_known());
    let empty = refined("list(string)", "listlength(0, 0)");
    assert_eq!(empty.length().unwrap(), Value::from(0));
    assert_eq!(empty.assume_not_null().unwrap(), Value::list_of(Type::String, [] as [Value; 0]).unwrap());
}

#[test]
fn infinite_bounds_are_none_or_the_value() {
    assert!(NumberRange::at_least(Number::NEG_INFINITY).is_trivial());
    let infinite = Refinement::number(NumberRange::at_least(Number::INFINITY)).and_not_null();
    assert_eq!(Value::refined(Type::Number, infinite).unwrap(), Value::from(Number::INFINITY));
}

#[test]
fn a_known_null_satisfies_every_bound() {
    for (ty, refinement) in
        [("number", "numbermin(5)"), ("list(string)", "listlength(1, 2)"), ("string", "stringprefix(\"a\")")]
    {
        let null = Value::null(ty.parse().unwrap());
        assert_eq!(null.assume(&refinement.parse().unwrap()).unwrap(), null);
        assert!(null.assume_not_null().unwrap_err().is_contradiction());
    }
}

/// A bound is read out of a value before it bounds, and there a mark is an error.
#[test]
fn a_bound_is_a_number_and_carries_no_mark() {
    let marked = Value::from(5).mark(Mark::SENSITIVE);
    assert!(marked.as_number().unwrap_err().is_marked());
    let bounded = unknown("number").assume_number_range(NumberRange::at_least(5)).unwrap();
    assert!(!bounded.less_than(&3.into()).unwrap().is_marked());
}

#[test]
fn a_contradiction_is_an_error_that_says_what_met() {
    let (a, b): (Refinement, Refinement) =
        ("notnull(numbermin(5))".parse().unwrap(), "numbermax(3)".parse().unwrap());
    let contradiction = a.meet(&b).unwrap_err();
    assert_eq!(contradiction.assumed(), &b);
    let error = refined("number", "notnull(numbermin(5))").assume(&b).unwrap_err();
    assert!(error.is_contradiction() && error.to_string().contains('5') && error.to_string().contains('3'));
}

#[test]
fn a_bool_and_an_attribute_can_be_assumed() {
    assert_eq!(unknown("bool").assume_equal(&true.into()).unwrap(), Value::from(true));
    let object = Value::object([("a", unknown("string"))]).unwrap();
    let path: Path = "a".parse().unwrap();
    let narrowed = object
        .transform(|here, part| if *here == path { part.assume_string_prefix("vpc-") } else { Ok(part) })
        .unwrap();
    assert_eq!(narrowed.get(&path).unwrap().range().prefix(), Some("vpc-"));
}

#[test]
fn a_member_with_marks_inside_is_looked_up() {
    let set = Value::set([Value::list(["a"]).unwrap()]).unwrap();
    let key = Value::list([Value::from("a").mark(Mark::SENSITIVE)]).unwrap();
    let found = set.get(&Path::new().index(key)).unwrap();
    assert!(found.marks().contains(&Mark::SENSITIVE));
    assert_eq!(found.unmark().0, Value::list(["a"]).unwrap());
    let key = Value::list([Value::from("a").mark(Mark::SENSITIVE)]).unwrap();
    assert_eq!(set.has_element(&key).unwrap(), Value::from(true).mark(Mark::SENSITIVE));
}

#[test]
fn b2_a_partly_known_value_may_be_a_member() {
    let set = Value::set([Value::list([1]).unwrap()]).unwrap();
    let partial = Value::list([unknown("number")]).unwrap();
    assert!(!set.has_element(&partial).unwrap().is_known());
}

#[test]
fn an_unknown_key_into_a_tuple_is_any_of_its_elements() {
    let tuple = Value::tuple([Value::from("vpc-1"), Value::from("vpc-2")]).unwrap();
    let any = Path::new().index(unknown("number"));
    assert_eq!(tuple.get(&any).unwrap(), refined("string", "notnull(oneof(\"vpc-1\", \"vpc-2\"))"));
    let mixed = Value::tuple([Value::from("a"), Value::from(1)]).unwrap();
    assert_eq!(mixed.get(&any).unwrap(), Value::dynamic());
}

#[test]
fn null_keys_and_places_that_are_not_there_are_errors() {
    let list = Value::list(["a"]).unwrap();
    let tuple = Value::tuple([Value::from("a")]).unwrap();
    let map = Value::map([("k", 1)]).unwrap();
    for (value, key) in [(&list, Type::Number), (&tuple, Type::Number), (&map, Type::String)] {
        assert!(value.index(&Value::null(key.clone())).unwrap_err().is_null());
        assert!(value.get(&Path::new().index(Value::null(key.clone()))).unwrap_err().is_null());
        assert!(Value::null(value.ty()).index(&unknown(&key.to_string())).unwrap_err().is_null());
        assert!(value.has_index(&Value::null(key.clone())).unwrap_err().is_null());
        assert!(Value::null(value.ty()).has_index(&unknown(&key.to_string())).unwrap_err().is_null());
    }
    for key in ["1", "-1", "0.5", "1e30"] {
        assert!(list.index(&number(key)).unwrap_err().is_not_found());
        assert!(tuple.index(&number(key)).unwrap_err().is_not_found());
    }
}

#[test]
fn a_remainder_of_an_infinity_is_an_error() {
    assert!(number("inf").modulo(&3.into()).unwrap_err().is_undefined());
    assert!(Value::from(Number::NEG_INFINITY).modulo(&3.into()).unwrap_err().is_undefined());
}

#[test]
fn zero_times_a_number_is_zero_however_it_is_written() {
    for zero in ["0", "0.0", "-0", "0e5"] {
        assert_eq!(unknown("number").multiply(&number(zero)).unwrap(), Value::from(0), "{zero}");
        // What is no number with an infinity is an error, as the product of the two is.
        assert!(number("inf").multiply(&number(zero)).unwrap_err().is_undefined());
    }
}

#[test]
fn an_optional_name_that_is_no_attribute_is_an_error() {
    assert!(TypeConstraint::from_json_text(r#"["object",{},["x"]]"#).is_err());
}

#[cfg(feature = "json")]
#[test]
fn json_that_is_not_of_its_type_is_an_error() {
    for (text, ty) in [
        ("[1]", "tuple([number, number])"),
        ("[1, \"a\"]", "list(any)"),
        ("true false", "bool"),
        ("[1] 2", "list(number)"),
    ] {
        let ty: Type = ty.parse().unwrap();
        assert!(plantime::json::from_slice_as(text.as_bytes(), &ty).is_err(), "{text} as {ty}");
    }
}

#[cfg(feature = "json")]
#[test]
fn json_names_are_read_in_any_normal_form() {
    let ty = Type::object([("\u{e9}", Type::Number)]).unwrap();
    let read = plantime::json::from_slice_as("{\"e\u{301}\": 1}".as_bytes(), &ty).unwrap();
    assert_eq!(read, Value::object([("\u{e9}", 1)]).unwrap());
}

#[test]
fn b16_no_value_has_a_type_with_optional_attributes() {
    let map = Value::map([("a", "x")]).unwrap();
    let wanted = "object({a = string, b = optional(object({c = optional(string)}))})";
    let object = to(&map, wanted).unwrap();
    assert_eq!(object.ty(), "object({a = string, b = object({c = string})})".parse().unwrap());
}

#[test]
fn what_is_unified_converts() {
    let list = Value::list([1, 2]).unwrap();
    let tuple = Value::tuple([Value::from("a"), Value::from(true)]).unwrap();
    let map = Value::map([("k", 1)]).unwrap();
    let object = Value::object([("k", Value::from("a")), ("l", Value::from(true))]).unwrap();
    for values in [[list, tuple], [map, object]] {
        let types: Vec<Type> = values.iter().map(Value::ty).collect();
        let common = unify(&types, Safety::Unsafe).unwrap();
        for value in values {
            assert_eq!(convert(&value, &common.clone().into()).unwrap().ty(), common);
        }
    }
}

#[test]
fn the_message_of_an_index_says_how_long_the_sequence_is() {
    let error = Value::tuple([1, 2]).unwrap().index(&2.into()).unwrap_err();
    assert_eq!(error.to_string(), "the key is no place in a sequence of 2");
}

#[test]
fn questions_look_below_marks() {
    for value in [Value::list([unknown("string")]).unwrap(), Value::tuple([Value::dynamic()]).unwrap()] {
        let marked = value.clone().mark(Mark::SENSITIVE);
        assert_eq!(marked.is_wholly_known(), value.is_wholly_known());
        assert_eq!(marked.length().unwrap().unmark().0, value.length().unwrap());
        assert_eq!(marked.parts().count(), value.parts().count());
    }
}

#[test]
fn an_untyped_null_is_no_operand_of_arithmetic() {
    let null = Value::null(Type::Dynamic);
    for answer in [null.add(&1.into()), Value::from(1).multiply(&null), null.negate(), null.and(&true.into())]
    {
        assert!(answer.unwrap_err().is_null());
    }
}

#[test]
fn no_order_of_building_shows() {
    // The last of equal names stays.
    let names = Value::object([("e\u{301}", 1), ("\u{e9}", 2)]).unwrap();
    assert_eq!(names, Value::object([("\u{e9}", 2)]).unwrap());
    let ab = Value::object([("a", 1), ("b", 2)]).unwrap();
    let ba = Value::object([("b", 2), ("a", 1)]).unwrap();
    assert_eq!(ab, ba);
    for value in [&ab, &ba] {
        let mut seen = Vec::new();
        value
            .transform(|path, part| {
                seen.push(path.to_string());
                Ok(part)
            })
            .unwrap();
        assert_eq!(seen, ["a", "b", ""]);
    }
    let wanted: Type = "object({a = bool, b = list(any), c = any})".parse().unwrap();
    let errors = |value: &Value| -> Vec<String> {
        value.ty().conformance_errors(&wanted).iter().map(ToString::to_string).collect()
    };
    assert_eq!(errors(&ab), errors(&ba));
    let [x, y] = ["x", "y"].map(Mark::new);
    let one = Value::from(1).mark(x.clone()).mark(y.clone());
    assert_eq!(one, Value::from(1).mark(y).mark(x.clone()));
    let kept = one.wrangle_marks(|_, mark| if *mark == x { MarkChange::Keep } else { MarkChange::Drop });
    assert_eq!(format!("{:?}", kept.marks()), "{x}");
    assert_eq!(LengthRange::at_least(0), LengthRange::default());
}
