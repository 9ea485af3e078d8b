//! What conversion says beyond the recorded cases.

mod number_texts;
mod sets;

use super::{Safety, conversion, convert, unify};
use crate::constraint::TypeConstraint;
use crate::mark::Mark;
use crate::refinement::{Bound, LengthRange, Nullness, NumberRange, Refinement};
use crate::types::Type;
use crate::value::Value;

#[track_caller]
fn to(text: &str) -> TypeConstraint {
    text.parse().unwrap()
}

fn not_null(ty: &str, refinement: Refinement) -> Value {
    Value::refined(ty.parse().unwrap(), refinement.and_not_null()).unwrap()
}

#[test]
fn a_prefix_that_no_number_or_bool_has_fails_early() {
    let id = not_null("string", Refinement::prefix("vpc-"));
    assert_eq!(convert(&id, &to("number")).unwrap_err().to_string(), "a number is required");
    assert_eq!(convert(&id, &to("bool")).unwrap_err().to_string(), "a bool is required");
    let nullable = Value::refined(Type::String, Refinement::prefix("vpc-")).unwrap();
    assert_eq!(convert(&nullable, &to("number")).unwrap(), Value::null(Type::Number));
    let flag = not_null("string", Refinement::prefix("tr"));
    assert_eq!(convert(&flag, &to("bool")).unwrap(), Value::from(true));
    let negative = not_null("string", Refinement::prefix("-1"));
    let finite = NumberRange::new(
        Bound::Exclusive(crate::Number::NEG_INFINITY),
        Bound::Exclusive(crate::Number::ZERO),
    );
    let below = Refinement::number(finite.unwrap());
    assert_eq!(convert(&negative, &to("number")).unwrap(), not_null("number", below));
}

#[test]
fn a_default_joins_what_an_unknown_may_be() {
    let constraint = to("object({a = optional(string, \"x\")})");
    let got = |a: Value| {
        let object = Value::object([("a", a)]).unwrap();
        convert(&object, &constraint).unwrap().get(&crate::Path::new().attr("a")).unwrap()
    };
    let prefixed = Value::refined(Type::String, Refinement::prefix("x-")).unwrap();
    assert_eq!(got(prefixed), not_null("string", Refinement::prefix("x")));
    let any_string = not_null("string", Refinement::any());
    assert_eq!(got(Value::unknown(Type::String)), any_string);
    assert_eq!(got(Value::dynamic()), any_string);
    assert_eq!(got(Value::null(Type::Dynamic)), Value::from("x"));
    let sensitive = got(Value::null(Type::String).mark(Mark::SENSITIVE));
    assert_eq!(sensitive, Value::from("x").mark(Mark::SENSITIVE));
    let missing = convert(&Value::object::<&str, Value>([]).unwrap(), &constraint).unwrap();
    assert_eq!(missing.to_string(), "{a = \"x\"}");
    let null = Value::null("object({})".parse().unwrap());
    assert_eq!(convert(&null, &constraint).unwrap(), Value::null(constraint.to_type()));
}

#[test]
fn an_undecided_element_leaves_the_element_type_undecided() {
    let tuple = Value::tuple([Value::dynamic(), Value::from(1)]).unwrap();
    let list = convert(&tuple, &to("list(any)")).unwrap();
    assert_eq!(list, Value::list([Value::dynamic(), Value::dynamic()]).unwrap());
}

#[test]
fn what_is_certain_of_the_decided_elements_decides_the_element_type() {
    let list = |items: &[Value]| convert(&Value::tuple(items.iter().cloned()).unwrap(), &to("list(any)"));
    let text = Value::unknown(Type::String);
    let string = list(&[Value::from("a"), Value::dynamic()]).unwrap();
    assert_eq!(string, Value::list([Value::from("a"), text.clone()]).unwrap());
    let bools = list(&[Value::dynamic(), Value::from(1), Value::from(true)]).unwrap();
    assert_eq!(bools, Value::list([text.clone(), "1".into(), "true".into()]).unwrap());
    let texts = Value::list(["a"]).unwrap();
    let lists = list(&[texts.clone(), Value::dynamic()]).unwrap();
    assert_eq!(lists, Value::list([texts.clone(), Value::unknown(texts.ty())]).unwrap());
    let numbers = list(&[Value::list([1]).unwrap(), Value::dynamic()]).unwrap();
    assert_eq!(numbers.ty(), "list(list(dynamic))".parse().unwrap());
    assert!(list(&[texts, Value::dynamic(), Value::from(1)]).is_err());
}

/// Beside two parts a map may be left for an object without attributes, and with an untyped null lists have nothing in
/// common.
#[test]
fn a_list_or_map_beside_undecided_parts_leaves_the_element_type_undecided() {
    let list =
        |parts: &[Value]| convert(&Value::tuple(parts.iter().cloned()).unwrap(), &to("list(any)")).unwrap();
    let ty = |text: &str| text.parse::<Type>().unwrap();
    let map = |element: &str| Value::map_of(ty(element), Vec::<(&str, Value)>::new()).unwrap();
    let object = Value::object(Vec::<(&str, Value)>::new()).unwrap();
    assert_eq!(list(&[map("bool"), map("map(string)"), object]).ty(), ty("list(object({}))"));
    assert_eq!(list(&[map("bool"), Value::dynamic(), Value::dynamic()]).ty(), ty("list(dynamic)"));
    let lists = Value::null(ty("list(list(string))"));
    let of_null = Value::list([Value::null(Type::Dynamic)]).unwrap();
    assert_eq!(list(&[lists.clone(), of_null]).ty(), ty("list(list(dynamic))"));
    assert_eq!(list(&[lists, Value::dynamic()]).ty(), ty("list(list(dynamic))"));
}

#[test]
fn untyped_nulls_in_a_map_take_the_one_type_of_the_others() {
    let map = |of: &[(&str, Value)]| convert(&Value::object(of.iter().cloned()).unwrap(), &to("map(any)"));
    let (null, pair) = (Value::null(Type::Dynamic), Value::tuple([Value::from(1)]).unwrap());
    let found = map(&[("x", null.clone()), ("y", pair.clone())]).unwrap();
    assert_eq!(found, Value::map([("x", Value::null(pair.ty())), ("y", pair.clone())]).unwrap());
    let beside_another =
        map(&[("x", null.clone()), ("y", pair.clone()), ("z", Value::tuple(["a"]).unwrap())]);
    assert!(beside_another.is_err());
    let from = Value::object([("x", null.clone()), ("y", pair.clone())]).unwrap().ty();
    assert_eq!(conversion(&from, &to("map(any)")), Some(Safety::Unsafe));
    assert!(convert(&Value::tuple([null, pair]).unwrap(), &to("list(any)")).is_err());
}

#[test]
fn an_empty_collection_has_the_type_that_its_elements_would_have() {
    let ty = |text: &str| text.parse::<Type>().unwrap();
    let empty = Value::list_of(ty("list(number)"), Vec::<Value>::new()).unwrap();
    let outer = Value::list([empty.clone(), Value::list([Value::list([1]).unwrap()]).unwrap()]).unwrap();
    assert_eq!(convert(&empty, &to("list(list(any))")).unwrap(), empty);
    assert_eq!(convert(&empty, &to("set(set(any))")).unwrap().ty(), ty("set(set(number))"));
    assert_eq!(convert(&outer, &to("set(set(set(any)))")).unwrap().ty(), ty("set(set(set(number)))"));
    let unknown = convert(&Value::unknown(empty.ty()), &to("set(set(any))")).unwrap();
    assert_eq!(unknown, Value::unknown(ty("set(set(number))")));
}

#[test]
fn a_conversion_that_fails_for_some_values_is_not_safe() {
    let safety = |from: &str, want: &str| conversion(&from.parse().unwrap(), &to(want));
    let pair = "tuple([list(number), set(bool)])";
    assert_eq!(safety(pair, "list(list(any))"), Some(Safety::Unsafe));
    assert_eq!(safety(pair, "list(list(string))"), Some(Safety::Safe));
    assert_eq!(
        safety("object({a = list(number), name = set(bool)})", "map(list(any))"),
        Some(Safety::Unsafe)
    );
    assert_eq!(safety("tuple([list(number), tuple([])])", "list(list(any))"), Some(Safety::Safe));
    assert_eq!(safety("tuple([list(number), list(string)])", "set(list(any))"), Some(Safety::Unsafe));
    let default = "list(object({a = optional(list(any), [true])}))";
    assert_eq!(safety("list(object({a = list(number)}))", default), Some(Safety::Unsafe));
}

/// In a list whose element type is undecided in part, a null or an empty list has no type of its own.
#[test]
fn what_is_null_in_an_undecided_element_is_of_any_type() {
    let of = |inner: &str| {
        let ty: Type = inner.parse().unwrap();
        let pair = Value::tuple([Value::from(8), Value::from("a")]).unwrap();
        let element = Value::tuple([pair, Value::null(ty)]).unwrap();
        let ty = element.ty();
        let list = Value::list_of(ty.clone(), [element.clone()]).unwrap();
        let map = Value::map_of(ty.clone(), [("a", element.clone())]).unwrap();
        [list, map, Value::set_of(ty, [element]).unwrap()]
    };
    let targets = ["list(set(list(any)))", "map(set(list(any)))", "set(set(list(any)))"];
    for ((plan, apply), target) in of("list(dynamic)").into_iter().zip(of("list(string)")).zip(targets) {
        let plan = convert(&plan, &to(target)).unwrap();
        let apply = convert(&apply, &to(target)).unwrap();
        assert!(!plan.is_wholly_known() && apply.is_wholly_known());
        assert!(plan.ty().covers(&apply.ty()), "{plan:?}, {apply:?}");
    }
}

#[test]
fn parts_that_agree_on_nothing_are_told_for_each_kind_of_collection() {
    let tuple = Value::tuple([Value::list([true]).unwrap(), Value::from(1)]).unwrap();
    let object = Value::object([("a", Value::list([true]).unwrap()), ("b", Value::from(1))]).unwrap();
    let lists = Value::tuple([Value::list([true]).unwrap(), Value::list(["a"]).unwrap()]).unwrap();
    for (value, target, message) in [
        (&lists, "set(list(any))", "element types must all match for conversion to set"),
        (&tuple, "list(any)", "all list elements must have the same type"),
        (&object, "map(any)", "all map elements must have the same type"),
    ] {
        assert_eq!(convert(value, &to(target)).unwrap_err().to_string(), message);
    }
}

/// A null of a map becomes a null of the attribute's type where that is decided, and takes its default.
#[test]
fn a_null_in_a_map_of_undecided_type_is_one_of_any_type_unless_the_attribute_says_more() {
    let ty: Type = "list(dynamic)".parse().unwrap();
    let map = Value::map_of(ty.clone(), [("a", Value::null(ty))]).unwrap();
    let attribute = |target: &str| {
        let object = convert(&map, &to(target)).unwrap();
        object.get_attr("a").unwrap()
    };
    let texts: Type = "list(string)".parse().unwrap();
    assert_eq!(attribute("object({a = list(string)})"), Value::null(texts.clone()));
    let open = attribute("object({a = list(any)})");
    assert!(!open.is_wholly_known() && open.range().nullness() == Nullness::Null);
    let default = Value::list(["x"]).unwrap();
    assert_eq!(attribute("object({a = optional(list(any), [\"x\"])})"), default);
    assert_eq!(attribute("object({a = optional(list(string))})"), Value::null(texts));
}

/// What is certain beside the type stays where elements of different types are made one.
#[test]
fn parts_keep_what_is_certain_of_them_where_their_types_are_joined() {
    let texts: Type = "list(string)".parse().unwrap();
    let open: Type = "list(dynamic)".parse().unwrap();
    let two = Refinement::length(LengthRange::exactly(2));
    let long = Refinement::length(LengthRange::at_least(3)).and_not_null();
    let tuple = Value::tuple([Value::refined(texts, long.clone()).unwrap(), Value::unknown(open)]).unwrap();
    let list = convert(&tuple, &to("list(list(any))")).unwrap();
    let first = list.index(&Value::from(0)).unwrap();
    assert_eq!(first.range().length_range(), Some(LengthRange::at_least(3)));
    assert!(first.range().is_not_null());
    let known =
        Value::tuple([Value::list(["a", "b"]).unwrap(), Value::unknown("list(dynamic)".parse().unwrap())]);
    let list = convert(&known.unwrap(), &to("list(list(any))")).unwrap();
    let first = list.index(&Value::from(0)).unwrap();
    assert_eq!(first.range().length_range(), two.length_range());
}

#[test]
fn what_is_empty_or_null_does_not_undo_what_the_types_decide() {
    // Beside a number and a bool nothing but a text has a type in common with them.
    let tuple = Value::tuple([Value::from(3), Value::dynamic(), Value::unknown(Type::Bool)]).unwrap();
    let ty = Type::list(tuple.ty()).unwrap();
    let texts = to("set(set(list(string)))");
    for nothing in [Value::list_of(tuple.ty(), Vec::<Value>::new()).unwrap(), Value::null(ty.clone())] {
        let lists = Value::list_of(ty.clone(), [nothing, Value::list([tuple.clone()]).unwrap()]).unwrap();
        let converted = convert(&lists, &to("set(set(list(any)))")).unwrap();
        assert_eq!(converted.ty(), texts.to_type());
    }
}

#[test]
fn parts_that_may_have_nothing_in_common_leave_the_type_of_what_is_empty_open() {
    for (from, decided, to) in [
        (
            "list(list(dynamic)), list(list(number))",
            "list(list(bool)), list(list(number))",
            "set(set(set(any)))",
        ),
        (
            "list(list(dynamic)), list(list(dynamic))",
            "list(list(bool)), list(list(number))",
            "set(set(set(any)))",
        ),
        (
            "set(tuple([list(dynamic), list(dynamic)])), list(list(list(number)))",
            "set(tuple([list(dynamic), list(bool)])), list(list(list(number)))",
            "set(set(set(list(any))))",
        ),
    ] {
        let to = to.parse::<TypeConstraint>().unwrap();
        let of = |parts: &str| format!("tuple([{parts}])").parse::<Type>().unwrap();
        let none = Value::set_of(of(decided), Vec::<Value>::new()).unwrap();
        let none = convert(&none, &to).unwrap();
        let planned = convert(&Value::unknown(Type::set(of(from)).unwrap()), &to).unwrap();
        assert!(planned.ty().covers(&none.ty()), "{planned:?} becomes {none:?}");
    }
}

#[test]
fn what_fails_alone_is_what_any_others_make_it() {
    let ty: Type = "tuple([dynamic, dynamic, string])".parse().unwrap();
    let rest = [Value::unknown(ty).assume(&Refinement::not_null()).unwrap(), Value::list(["x"]).unwrap()];
    let [narrow, wide] = [Value::unknown(Type::Number), Value::dynamic()].map(|last| {
        let first = Value::tuple([Value::from(true), Value::from(8), last]).unwrap();
        let parts = [&[first], rest.as_slice()].concat();
        convert(&Value::tuple(parts).unwrap(), &to("list(any)")).unwrap()
    });
    // A bool and a number are texts or nothing.
    let texts: Type = "list(list(string))".parse().unwrap();
    assert_eq!([narrow.ty(), wide.ty()], [texts.clone(), texts]);
}

#[test]
fn what_is_empty_takes_no_default() {
    let constraint = to("list(set(object({n = optional(any), tags = optional(set(any), [])})))");
    let tag = Value::object([("tags", Value::set([true]).unwrap())]).unwrap();
    let sets = [Value::set([tag.clone()]).unwrap(), Value::set_of(tag.ty(), Vec::<Value>::new()).unwrap()];
    let once = convert(&Value::list(sets).unwrap(), &constraint).unwrap();
    assert_eq!(once.ty().to_string(), "list(set(object({n = dynamic, tags = set(bool)})))");
    assert_eq!(convert(&once, &constraint), Ok(once));
}

#[test]
fn untyped_nulls_take_the_type_of_the_others() {
    let null = Value::null(Type::Dynamic);
    let tuple = Value::tuple([null, Value::list([true]).unwrap()]).unwrap();
    let list = convert(&tuple, &to("list(list(any))")).unwrap();
    let bools = Type::list(Type::Bool).unwrap();
    assert_eq!(list, Value::list([Value::null(bools), Value::list([true]).unwrap()]).unwrap());
}

#[test]
fn an_unknown_map_that_is_too_short_is_no_object() {
    let length = Refinement::length(LengthRange::at_most(1));
    let map = not_null("map(string)", length.clone());
    let error = convert(&map, &to("object({a = string, b = string})")).unwrap_err();
    assert_eq!(error.to_string(), "map has no element for required attribute \"b\"");
    let nullable = Value::refined("map(string)".parse().unwrap(), length).unwrap();
    let null = convert(&nullable, &to("object({a = string, b = string})")).unwrap();
    assert!(null.is_null());
    assert!(convert(&map, &to("object({a = string, b = optional(string)})")).is_ok());
}

#[test]
fn unification_reads_many_types_once() {
    let object = |ty: Type| Type::object([("a", ty)]).unwrap();
    let many: Vec<Type> =
        (0..100_000).map(|i| object(if i % 2 == 0 { Type::Number } else { Type::String })).collect();
    assert_eq!(unify(&many, Safety::Safe), Some(object(Type::String)));
    let distinct: Vec<Type> =
        (0..20_000).map(|i| Type::object([(format!("a{i}"), Type::Number)]).unwrap()).collect();
    assert_eq!(unify(&distinct, Safety::Safe), Some(Type::map(Type::Number).unwrap()));
}

#[test]
fn what_is_undecided_deep_inside_a_common_type_is_checked_too() {
    let types: Vec<Type> = [
        r#"object({"0" = object({"0" = object({"0" = string})})})"#,
        r#"object({"0" = object({"0" = dynamic}), b = map(string), tags = map(string)})"#,
        "object({tags = map(map(bool))})",
    ]
    .map(|text| text.parse().unwrap())
    .to_vec();
    for safety in [Safety::Safe, Safety::Unsafe] {
        if let Some(common) = unify(&types, safety) {
            for ty in &types {
                let converts = conversion(ty, &(&common).into());
                assert!(converts.is_some_and(|found| found <= safety), "{ty} to {common}: {converts:?}");
            }
        }
    }
}

#[test]
fn an_attribute_that_is_there_decides_its_type() {
    let unknown = |ty: &str| Value::unknown(ty.parse().unwrap());
    for (from, wanted, ty) in [
        ("object({a = tuple([string])})", "object({a = optional(list(any))})", "object({a = list(string)})"),
        ("map(tuple([string]))", "object({a = list(any)})", "object({a = list(string)})"),
    ] {
        let got = convert(&unknown(from), &to(wanted)).unwrap();
        assert_eq!(got.ty().to_string(), ty, "{from}");
    }
}

#[test]
fn an_optional_attribute_that_is_there_has_the_type_that_stands_there() {
    for (from, wanted, ty) in [
        ("object({a = string, b = bool})", "object({a = optional(any)})", "object({a = string})"),
        ("map(string)", "object({a = any})", "object({a = string})"),
        ("map(string)", "object({a = optional(any)})", "object({a = dynamic})"),
    ] {
        let lists = (format!("list({from})"), format!("list({wanted})"), format!("list({ty})"));
        let got = convert(&Value::unknown(lists.0.parse().unwrap()), &to(&lists.1)).unwrap();
        assert_eq!(got.ty().to_string(), lists.2, "{from}");
    }
}

#[test]
fn elements_of_maps_without_a_common_type_are_told_so() {
    let tuples = Value::object([
        ("a", Value::tuple([1]).unwrap()),
        ("b", Value::tuple([Value::list(["x"]).unwrap()]).unwrap()),
    ]);
    let error = convert(&tuples.unwrap(), &to("map(list(any))")).unwrap_err();
    assert_eq!(error.message(), "cannot find a common base type for all elements");
}

#[test]
fn elements_of_elements_can_become_what_others_decide() {
    // Once the lists of lists are texts, so are `true` and `1`.
    let pairs = Value::list([Value::tuple([Value::from(true), Value::from(1)]).unwrap()]).unwrap();
    let undecided = Value::unknown("list(list(dynamic))".parse().unwrap());
    let got = convert(&Value::tuple([undecided, pairs]).unwrap(), &to("list(any)")).unwrap();
    assert_eq!(got.ty().to_string(), "list(list(list(dynamic)))");
}

#[test]
fn an_unknown_that_is_null_alone_can_become_what_others_decide() {
    let pair: Type = "tuple([bool, number])".parse().unwrap();
    let undecided = Value::unknown("list(dynamic)".parse().unwrap());
    let parts = Value::tuple([undecided, Value::unknown(pair.clone())]).unwrap();
    let list = convert(&parts, &to("list(any)")).unwrap();
    let second = list.index(&Value::from(1)).unwrap();
    assert_eq!(second.range().nullness(), Nullness::Nullable, "{list:?}");
    // Once the others are texts.
    let known = Value::tuple([Value::from(true), Value::from(1)]).unwrap();
    let parts = Value::tuple([Value::list(["a"]).unwrap(), known]).unwrap();
    assert_eq!(convert(&parts, &to("list(any)")).unwrap().ty().to_string(), "list(list(string))");
}

#[test]
fn a_null_beside_an_undecided_member_leaves_the_type_to_the_others() {
    let ty: Type = "tuple([number, bool, dynamic])".parse().unwrap();
    let member = Value::tuple([Value::from(0), Value::from(false), Value::dynamic()]).unwrap();
    let members = [member, Value::null(ty.clone())];
    let [set, list] =
        [Value::set_of(ty.clone(), members.clone()).unwrap(), Value::list_of(ty, members).unwrap()]
            .map(|value| convert(&value, &to("list(list(any))")).unwrap());
    assert_eq!(set.ty().to_string(), "list(list(string))");
    assert_eq!(set, list);
}

#[test]
fn what_others_decide_keeps_its_length() {
    let undecided = Value::unknown("tuple([bool, dynamic, dynamic])".parse().unwrap());
    let failing = Value::unknown("tuple([bool, number])".parse().unwrap());
    let parts = Value::tuple([undecided, failing, Value::null("list(string)".parse().unwrap())]).unwrap();
    let list = convert(&parts, &to("list(any)")).unwrap();
    let length = list.index(&Value::from(1)).unwrap().range().length_range();
    assert_eq!(length.map(|length| (length.lower(), length.upper())), Some((2, Some(2))), "{list:?}");
}
