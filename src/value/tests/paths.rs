//! Following paths and walking.

use crate::{Mark, Path, Refinement, Result, Type, Value, value};

fn path(text: &str) -> Path {
    text.parse().unwrap()
}

#[test]
fn a_path_leads_through_known_and_unknown_parts() -> Result<()> {
    let ty = Type::object([("id", Type::String), ("tags", Type::map(Type::Bool)?)])?;
    let value = value!({
        "list": Value::list(["a", "b"])?,
        "map": Value::map([("k", 1)])?,
        "set": Value::set(["m"])?,
        "tuple": [1, "x"],
        "unknown": Value::unknown(ty),
        "dynamic": Value::dynamic(),
    })?;
    for (text, part) in [
        ("", value.clone()),
        ("list[1]", "b".into()),
        ("list[*]", not_null(&Refinement::one_of(["a", "b"])?)),
        (r#"map["k"]"#, 1.into()),
        (r#"set["m"]"#, "m".into()),
        ("tuple[1]", "x".into()),
        ("tuple[*]", Value::dynamic()),
        ("unknown.id", Value::unknown(Type::String)),
        (r#"unknown.tags["x"]"#, Value::unknown(Type::Bool)),
        ("dynamic.a[0]", Value::dynamic()),
    ] {
        assert_eq!(value.get(&path(text))?, part, "{text}");
    }
    Ok(())
}

/// The unknown string that is not null with this refinement.
fn not_null(refinement: &Refinement) -> Value {
    Value::refined(Type::String, refinement.clone().and_not_null()).unwrap()
}

#[test]
fn an_unknown_key_is_every_part_it_can_reach() -> Result<()> {
    let number = |text: &str| Value::refined(Type::Number, text.parse().unwrap()).unwrap();
    let (any, some, from_1) = (Value::unknown(Type::Number), Value::dynamic(), number("numbermin(1)"));
    let list = Value::list(["vpc-1", "vpc-2", "x"])?;
    let map = Value::map([("a1", 1), ("a2", 1), ("b", 5)])?;
    let set = Value::set(["vpc-1", "vpc-2", "x"])?;
    let one_of = |texts: &[&str]| not_null(&Refinement::one_of(texts).unwrap());
    for (value, key, part) in [
        (&list, &number("numberrange(0, 1)"), Some(one_of(&["vpc-1", "vpc-2"]))),
        (&list, &from_1, Some(one_of(&["vpc-2", "x"]))),
        (&list, &number("numbermin(3)"), None),
        (&map, &prefixed("a"), Some(1.into())),
        (&map, &prefixed("c"), None),
        (&map, &Value::unknown(Type::String), Some(number("notnull(oneof(1, 5))"))),
        (&set, &prefixed("vpc-"), Some(one_of(&["vpc-1", "vpc-2"]))),
        (&set, &some, Some(one_of(&["vpc-1", "vpc-2", "x"]))),
        (&set, &prefixed("z"), None),
        (&set, &any, None),
    ] {
        let found = value.get(&Path::new().index(key.clone()));
        assert_eq!(found.as_ref().ok(), part.as_ref(), "{value} at {key}");
    }
    Ok(())
}

#[test]
fn a_key_into_a_set_that_is_not_wholly_known_is_the_member_it_may_be() -> Result<()> {
    let set = Value::set([Value::from("a"), prefixed("b")])?;
    let unknown = Value::unknown(Type::set(Type::String)?);
    let empty = Value::refined(Type::set(Type::Dynamic)?, "setlength(0, 0)".parse()?)?;
    for (value, key, part) in [
        (&set, Value::from("a"), Some(Value::from("a"))),
        (&set, "b1".into(), Some("b1".into())),
        (&set, "c".into(), None),
        (&set, Value::dynamic(), Some(Value::unknown(Type::String))),
        (&set, Value::null(Type::String), Some(Value::null(Type::String))),
        (&set, Value::null(Type::Dynamic), None),
        (&unknown, "x".into(), Some("x".into())),
        (&unknown, 1.into(), None),
        (&unknown, Value::dynamic(), Some(Value::unknown(Type::String))),
        (&empty, "x".into(), None),
        (&Value::dynamic(), 1.into(), Some(Value::dynamic())),
        // No place in a list, so a member of a set if anything.
        (&Value::dynamic(), true.into(), Some(true.into())),
        (&Value::dynamic(), (-1).into(), Some((-1).into())),
        (&Value::dynamic(), Value::null(Type::Dynamic), None),
    ] {
        let found = value.get(&Path::new().index(key.clone()));
        assert_eq!(found.as_ref().ok(), part.as_ref(), "{value} at {key}");
    }
    Ok(())
}

fn prefixed(prefix: &str) -> Value {
    Value::refined(Type::String, Refinement::prefix(prefix)).unwrap()
}

#[test]
fn nothing_is_below_what_is_certainly_null_or_empty() -> Result<()> {
    // Null for certain, of a type that is not decided: an unknown still.
    let null = Value::refined(Type::list(Type::Dynamic)?, Refinement::null())?;
    assert!(!null.is_known() && null.get(&path("[0]")).unwrap_err().is_null());
    let object = Value::refined(Type::object([("a", Type::Dynamic)])?, Refinement::null())?;
    assert!(object.get(&path("a")).unwrap_err().is_null());
    let short = Value::unknown(Type::list(Type::String)?).assume_list_length_max(2)?;
    assert!(short.get(&path("[1]")).is_ok() && short.get(&path("[2]")).unwrap_err().is_not_found());
    let none = Value::unknown(Type::map(Type::String)?).assume_map_length_max(0)?;
    assert!(none.get(&path(r#"["a"]"#)).unwrap_err().is_not_found());
    Ok(())
}

#[test]
fn an_error_says_how_far_the_path_led() -> Result<()> {
    let value = value!({"a": [1, null], "m": (Value::map([("k", 1)])?), "s": (Value::set(["m"])?)})?;
    for (text, message) in [
        ("b", "object has no attribute \"b\""),
        ("a[2]", "a: the value has no element of that key"),
        ("a[0.5]", "a: the value has no element of that key"),
        ("a.x", "a: an object required, but have tuple"),
        ("a[0].x", "a[0]: an object required, but have number"),
        ("a[1].x", "a[1]: a null value has no attributes"),
        ("a[1][0]", "a[1]: a null value has no elements"),
        ("m[0]", "m: the key must be a string, but is a number"),
        (r#"m["x"]"#, "m: the value has no element of that key"),
        (r#"s["x"]"#, "s: the set has no such member"),
    ] {
        assert_eq!(value.get(&path(text)).unwrap_err().to_string(), message, "{text}");
    }
    Ok(())
}

#[test]
fn marks_on_the_way_are_on_the_part() -> Result<()> {
    let inner = Value::tuple([Value::from(1).mark(Mark::new("in"))])?.mark(Mark::new("out"));
    let part = value!({"a": inner})?.get(&path("a[0]"))?;
    assert_eq!(part.marks().to_string(), "in, out");
    let unknown = Value::unknown(Type::list(Type::Bool)?).mark(Mark::new("q"));
    assert_eq!(unknown.get(&path("[0]"))?, Value::unknown(Type::Bool).mark(Mark::new("q")));
    Ok(())
}

#[test]
fn walking_passes_over_what_is_refused() -> Result<()> {
    let value = value!({"a": {"x": 1}, "b": {"y": 2}})?;
    let mut seen = Vec::new();
    value.walk(|path, _| {
        seen.push(path.to_string());
        path.to_string() != "a"
    });
    assert_eq!(seen, ["", "a", "b", "b.y"]);
    Ok(())
}

#[test]
fn elements_are_the_parts_one_step_into_a_value() {
    let list = Value::list([1, 2]).unwrap();
    let members = Value::set(["b", "a"]).unwrap();
    let object = Value::object([("list", list.clone()), ("b", Value::unknown(Type::Bool))]).unwrap();
    let map = Value::map([("k", list.clone()), ("a", list.clone())]).unwrap();
    let tuple = Value::tuple([members.clone(), Value::null(Type::Bool)]).unwrap();
    for value in [list, members, object.clone(), map, tuple, object.mark(Mark::SENSITIVE)] {
        let parts = value.parts().filter(|(path, _)| path.len() == 1);
        let elements = value.elements().map(|(step, part)| (Path::from([step].as_slice()), part));
        assert_eq!(elements.collect::<Vec<_>>(), parts.collect::<Vec<_>>());
        assert!(value.elements().count() > 0);
    }
    let unknown = Value::unknown(Type::list(Type::Bool).unwrap());
    for value in [unknown, Value::dynamic(), Value::null(Type::Dynamic), Value::from("a")] {
        assert_eq!(value.elements().count(), 0);
    }
}
