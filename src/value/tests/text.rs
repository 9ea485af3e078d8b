//! The two text forms.

use crate::{Bound, LengthRange, Mark, Number, NumberRange, Refinement, Result, Type, Value, value};

#[test]
fn a_collection_says_a_compound_type_once_for_all_that_do_not_show_it() -> Result<()> {
    let ty: Type = "object({a = list(string), b = number})".parse()?;
    let part = value!({"a": Value::list_of(Type::String, [] as [Value; 0])?, "b": 1})?;
    let marked = Value::unknown(ty.clone()).mark(Mark::SENSITIVE);
    let list = Value::list([Value::unknown(ty.clone()), Value::null(ty.clone()), part.clone(), marked])?;
    assert_eq!(
        format!("{list:?}"),
        // Below a mark the names in a type may come from marked content.
        "list_of(object)[unknown(_), null(_), object{\"a\": list_of(_), \"b\": 1}, _.marks(sensitive)]"
    );
    let full = value!({"a": Value::list(["x"])?, "b": 1})?;
    for (value, text) in [
        (Value::list([full.clone()])?, r#"list[object{"a": list["x"], "b": 1}]"#),
        (Value::list([Value::list([1])?])?, "list[list[1]]"),
        (Value::list([Value::unknown(Type::Bool)])?, "list[unknown(bool)]"),
        (Value::tuple([Value::unknown(Type::list(Type::Bool)?)])?, "tuple[unknown(list(bool))]"),
        (Value::map([("k", Value::null(Type::tuple([])?))])?, r#"map_of(tuple([])){"k": null(_)}"#),
        (Value::list_of(ty, [] as [Value; 0])?, "list_of(object({a = list(string), b = number}))"),
    ] {
        assert_eq!(format!("{value:?}"), text);
    }
    Ok(())
}

#[test]
fn people_read_values_as_a_plan_shows_them() -> Result<()> {
    let list = Type::list(Type::String)?;
    let refined = |ty: &Type, refinement: Refinement| Value::refined(ty.clone(), refinement).unwrap();
    let range = NumberRange::new(Bound::Exclusive(Number::ONE), Bound::Inclusive(Number::from(10)))?;
    for (value, text) in [
        (Value::from("a\"b\n${x}"), r#""a\"b\n$${x}""#),
        (Value::from(1), "1"),
        (Value::null(Type::String), "null"),
        (Value::list(["a"])?, r#"["a"]"#),
        (Value::set([2, 1])?, "toset([1, 2])"),
        (Value::map([("b c", 1)])?, r#"{"b c" = 1}"#),
        (value!({"a": 1, "odd name": [true]})?, r#"{a = 1, "odd name" = [true]}"#),
        (Value::dynamic(), "(known after apply)"),
        (Value::unknown(Type::Bool), "(known after apply)"),
        (refined(&Type::Bool, Refinement::not_null()), "(known after apply)"),
        (refined(&Type::String, Refinement::prefix("vpc-")), r#""vpc-${(known after apply)}""#),
        (refined(&Type::String, Refinement::prefix("a${")), r#""a$${${(known after apply)}""#),
        (refined(&Type::Number, Refinement::number_at_least(1)), "(known after apply, >= 1)"),
        (refined(&Type::Number, Refinement::number(range)), "(known after apply, > 1, <= 10)"),
        (
            refined(&list, Refinement::length(LengthRange::new(1, Some(4))?)),
            "(known after apply, 1 to 4 elements)",
        ),
        (
            refined(&list, Refinement::length(LengthRange::at_least(1))),
            "(known after apply, at least 1 element)",
        ),
        (
            refined(&list, Refinement::length(LengthRange::at_most(3))),
            "(known after apply, at most 3 elements)",
        ),
        (Value::from("x").mark(Mark::SENSITIVE), "(sensitive value)"),
        (Value::from("x").mark(Mark::EPHEMERAL), "(ephemeral value)"),
        (Value::from("x").mark(Mark::new("mine")), "(value marked mine)"),
        (Value::tuple([Value::from("x").mark(Mark::SENSITIVE)])?, "[(sensitive value)]"),
    ] {
        assert_eq!(value.to_string(), text);
    }
    Ok(())
}

#[test]
fn programmers_read_values_exactly() -> Result<()> {
    let unknown = Value::unknown(Type::String);
    for (value, text) in [
        (Value::from("a"), r#""a""#),
        (Value::list_of(Type::Bool, [] as [Value; 0])?, "list_of(bool)"),
        (Value::list([unknown.clone()])?, "list[unknown(string)]"),
        (Value::set(["a".into(), unknown.clone()])?, r#"set["a", unknown(string)].length(1, 2)"#),
        (Value::map([("k", 1)])?, r#"map{"k": 1}"#),
        (value!({"a": null})?, r#"object{"a": null(dynamic)}"#),
        (
            Value::refined(Type::String, Refinement::prefix("vpc-").and_not_null())?,
            r#"unknown(string, notnull(stringprefix("vpc-")))"#,
        ),
        (Value::dynamic(), "dynamic"),
        (Value::from("x").mark(Mark::SENSITIVE), "string.marks(sensitive)"),
    ] {
        assert_eq!(format!("{value:?}"), text);
        assert_eq!(format!("{value:#?}"), text);
    }
    Ok(())
}

#[test]
fn a_set_that_is_not_wholly_known_says_its_length() {
    let unknown = || Value::unknown(Type::String);
    let set = Value::set([Value::from("a"), unknown()]).unwrap();
    assert_eq!(format!("{set:?}"), r#"set["a", unknown(string)].length(1, 2)"#);
    assert_eq!(
        format!("{:?}", set.assume_set_length(2, 2).unwrap()),
        r#"set["a", unknown(string)].length(2)"#
    );
    assert_eq!(format!("{:?}", Value::set(["a", "b"]).unwrap()), r#"set["a", "b"]"#);
}
