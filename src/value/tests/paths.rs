//! Following paths and walking.

use crate::{Mark, Path, Result, Type, Value, value};

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
        ("list[*]", Value::unknown(Type::String)),
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
