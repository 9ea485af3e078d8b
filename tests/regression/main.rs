//! Defects that were found and fixed, one test each; what is wrong elsewhere and right here (`cty`); and that the tests
//! which documents name are there.
#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

mod compatibility;
mod cty;
#[cfg(feature = "functions")]
mod cty_functions;
#[cfg(feature = "msgpack")]
mod cty_wire;
mod error_places;
mod mutations;
mod names;

mod core_alone;

use plantime::{
    Bound, LengthRange, Mark, NumberRange, Path, Refinement, Safety, Type, TypeConstraint, Value, conversion,
    unify,
};

/// A null passed where an unknown of the same type did not, so plan and apply disagreed.
#[test]
fn assume_equal_refuses_a_null_of_another_type() {
    let ty = Type::map(Type::Number).unwrap();
    let assumed = Value::null(Type::list(Type::String).unwrap());
    assert!(Value::unknown(ty.clone()).assume_equal(&assumed).unwrap_err().is_type_mismatch());
    assert!(Value::null(ty).assume_equal(&assumed).unwrap_err().is_type_mismatch());
    assert_eq!(Value::null(Type::Dynamic).assume_equal(&assumed).unwrap(), assumed);
}

/// What was assumed is given back even where less is known of it, since its marks are kept and those of the value are not.
#[test]
fn assume_equal_gives_what_was_assumed_of_a_known_value_too() {
    let secret = Value::from("x").mark(Mark::SENSITIVE);
    let assumed = Value::unknown(Type::String);
    assert_eq!(Value::from("x").assume_equal(&assumed).unwrap(), assumed);
    assert_eq!(secret.assume_equal(&assumed).unwrap(), assumed);
    let prefixed = Value::refined(Type::String, Refinement::prefix("y")).unwrap();
    assert!(secret.assume_equal(&prefixed).unwrap_err().is_contradiction());
}

/// Of a map of an undecided type the keys were not compared with the names of the attributes, which become its keys.
#[test]
fn assume_equal_refuses_a_map_of_other_keys_than_an_object_has_attributes() {
    let object = |name: &str| Value::object([(name, Value::unknown(Type::String))]).unwrap();
    let assumed = Value::map([("k", Value::dynamic())]).unwrap();
    assert!(object("a").assume_equal(&assumed).unwrap_err().is_contradiction());
    assert_eq!(object("k").assume_equal(&assumed), Ok(assumed.clone()));
    let of = |value: Value| Value::list([value]).unwrap();
    assert!(of(object("a")).assume_equal(&of(assumed.clone())).unwrap_err().is_contradiction());
    assert_eq!(of(object("k")).assume_equal(&of(assumed.clone())), Ok(of(assumed)));
}

/// The mark was lost: the assumed value is unknown where the mark is, and a path leads through an unknown value.
#[test]
fn assume_equal_keeps_marks_of_parts_that_the_assumed_value_does_not_show() {
    let ty = Type::object([("x", Type::String)]).unwrap();
    let part = Value::object([("x", Value::from("p").mark(Mark::new("m")))]).unwrap();
    let value = Value::object([("o", part)]).unwrap();
    let assumed = Value::object([("o", Value::unknown(ty.clone()))]).unwrap();
    let kept = value.assume_equal(&assumed).unwrap();
    assert_eq!(kept, Value::object([("o", Value::unknown(ty).mark(Mark::new("m")))]).unwrap());
}

/// The error named the key, which is content, and was no mismatch.
#[test]
fn assume_type_names_no_place_inside_something_marked() {
    let four = Value::set((0..4).map(|_| Value::dynamic())).unwrap();
    let four = four.assume(&Refinement::length(LengthRange::exactly(4))).unwrap();
    let map = Value::map([("hunter2", four)]).unwrap();
    let ty: Type = "map(set(bool))".parse().unwrap();
    let error = map.assume_type(&ty).unwrap_err();
    assert!(error.is_type_mismatch());
    assert_eq!(error.path(), &Path::new().index("hunter2"));
    let outer = Value::tuple([map.mark(Mark::SENSITIVE)]).unwrap();
    let error = outer.assume_type(&Type::tuple([ty]).unwrap()).unwrap_err();
    assert_eq!(error.to_string(), "[0]: set of bool required, but have set of dynamic");
}

/// Where the quotient of two ends was rounded inward, longer quotients that end lay outside.
#[test]
fn a_quotient_that_ends_lies_within_an_end_that_is_rounded() {
    let nines = |last: &str| format!("{}{last}", "9".repeat(299)).parse().unwrap();
    let range = NumberRange::new(Bound::Inclusive(nines("3")), Bound::Exclusive(nines("4"))).unwrap();
    let dividend = Value::refined(Type::Number, Refinement::number(range)).unwrap();
    let (three, known) = (Value::from(3), Value::from(nines("3")));
    let (plan, apply) = (dividend.divide(&three).unwrap(), known.divide(&three).unwrap());
    assert_eq!(plan.range().includes(&apply), Some(true), "{plan}");
    assert_eq!(apply.to_string(), format!("{}1", "3".repeat(299)));

    let below_one = NumberRange::new(Bound::Inclusive(1.into()), Bound::Exclusive(4.into())).unwrap();
    let dividend = Value::refined(Type::Number, Refinement::number(below_one)).unwrap();
    let (plan, long) = (dividend.divide(&three).unwrap(), format!("1.{}", "3".repeat(200)));
    let apply = Value::from(long.parse::<plantime::Number>().unwrap());
    assert_eq!(plan.range().includes(&apply), Some(true), "{plan}");
    let low = plan.range().number_range().unwrap().lower().clone();
    assert!(low.number().unwrap() < &format!("0.{}", "3".repeat(156)).parse().unwrap());
}

/// The key was written as a template writes it, `$${`, and read back as that.
#[test]
fn a_key_that_begins_like_a_template_reads_back() {
    let path = Path::new().attr("tags").index("${a}%{b}");
    assert_eq!(path.to_string(), r#"tags["${a}%{b}"]"#);
    assert_eq!(path.to_string().parse::<Path>().unwrap(), path);
}

/// A name that begins like a template was refused although it is written so.
#[test]
fn a_constraint_reads_the_names_that_it_writes() {
    let text = r#"object({"a${" = optional(map(string), {"%%{$${" = "$${b"})})"#;
    let constraint: TypeConstraint = text.parse().unwrap();
    assert_eq!(constraint.attribute("a${").unwrap().default(), Some(&Value::map([("%{${", "${b")]).unwrap()));
    assert_eq!(constraint.to_string().parse::<TypeConstraint>().unwrap(), constraint);
    let plain = Type::object([("%{", Type::Bool)]).unwrap();
    assert_eq!(plain.to_string().parse::<TypeConstraint>().unwrap(), TypeConstraint::from(plain));
}

/// Which type was found hung on the order in which they were given, and on which of many were tried.
#[test]
fn the_common_type_does_not_depend_on_the_order_of_the_types() {
    let mut types = ["map(object({}))", "object({})", "map(object({\"\" = bool, a = list(bool)}))"]
        .map(|text| text.parse::<Type>().unwrap());
    for _ in 0..3 {
        types.rotate_left(1);
        assert_eq!(unify(&types, Safety::Safe).unwrap().to_string(), "map(object({}))");
    }
    let mut types = ["set(dynamic)", "set(bool)", "tuple([])"].map(|text| text.parse::<Type>().unwrap());
    for _ in 0..3 {
        types.rotate_left(1);
        assert_eq!(unify(&types, Safety::Unsafe).unwrap().to_string(), "set(bool)");
    }
}

/// What all parts of a structure become was taken for what each of them becomes.
#[test]
fn every_type_converts_to_the_common_one() {
    let cases = [
        ["list(dynamic)", "list(map(number))", "tuple([object({a = bool}), object({a = string})])"],
        ["tuple([dynamic, string])", "tuple([string])", "tuple([])"],
        ["tuple([dynamic, list(string)])", "tuple([string])", "tuple([])"],
        ["object({a = dynamic, b = string})", "object({c = number})", "object({})"],
    ];
    for types in cases.map(|types| types.map(|text| text.parse::<Type>().unwrap())) {
        for safety in [Safety::Safe, Safety::Unsafe] {
            let Some(common) = unify(&types, safety) else { continue };
            for ty in &types {
                let found = conversion(ty, &(&common).into());
                assert!(found.is_some_and(|found| found <= safety), "{ty} to {common}: {found:?}");
            }
        }
    }
}
