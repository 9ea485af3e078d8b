//! Marks at the top and deep, with paths.

use crate::{Mark, Marks, Path, Result, Type, Value};

fn secret(value: impl Into<Value>) -> Value {
    value.into().mark(Mark::SENSITIVE)
}

fn sample() -> Result<Value> {
    Value::object([
        ("list", Value::list([secret("a"), "b".into()])?),
        ("map", Value::map([("k", secret(Value::unknown(Type::Bool)))])?),
        ("null", secret(Value::null(Type::String))),
        ("set", Value::set([secret("m")])?),
        ("tuple", secret(Value::tuple([secret(1)])?)),
    ])
}

#[test]
fn marks_come_off_with_their_places_and_go_back() -> Result<()> {
    let value = sample()?;
    assert!(value.contains_marks() && !value.is_marked());
    let (bare, places) = value.unmark_deep_with_paths();
    assert!(!bare.contains_marks());
    let shown: Vec<String> = places.iter().map(|(path, _)| path.to_string()).collect();
    assert_eq!(shown, ["list[0]", r#"map["k"]"#, "null", "set", "tuple", "tuple[0]"]);
    assert_eq!(bare.mark_with_paths(&places), value);
    let (same, all) = value.unmark_deep();
    assert_eq!(same, bare);
    assert_eq!(all, Marks::from(Mark::SENSITIVE));
    Ok(())
}

#[test]
fn marks_for_members_go_to_the_set_and_for_nowhere_are_passed_over() -> Result<()> {
    let value = Value::object([("set", Value::set(["a", "b"])?)])?;
    let marks = Marks::from(Mark::SENSITIVE);
    let member = Path::new().attr("set").index("a");
    let marked = value.mark_with_paths(&[(member, marks.clone())]);
    assert_eq!(*marked.get(&Path::new().attr("set"))?.marks(), marks);
    for nowhere in [Path::new().attr("gone"), Path::new().attr("set").index("z"), Path::new().index(0)] {
        assert_eq!(value.mark_with_paths(&[(nowhere, marks.clone())]), value);
    }
    Ok(())
}

#[test]
fn marked_content_is_in_no_text() -> Result<()> {
    for value in [secret("hunter2"), Value::tuple([secret("hunter2")])?, Value::set([secret("hunter2")])?] {
        let key = Path::new().index(value.clone());
        let nested = Value::map([("k", value.clone())])?;
        for text in [
            format!("{value}{value:?}{value:#?}{:?}", value.view()),
            format!("{nested}{nested:?}{key}{key:?}"),
            format!("{:?}", value.get(&key)),
            format!("{:?}", value.as_number()),
            format!("{:?}", value.less_than(&1.into())),
            format!("{:?}", value.assume_not_null()),
            format!("{:?}", value.assume_string_prefix("x")),
            format!("{:?}", value.assume_equal(&"other".into())),
            format!("{:?}", value.assume_type(&Type::Bool)),
            format!("{:?}", value.index(&0.into())),
        ] {
            assert!(!text.contains("hunter2"), "{text}");
        }
    }
    Ok(())
}

#[test]
fn marks_are_a_set_by_name_and_note() {
    let deprecated = Mark::DEPRECATED.with_note("use b");
    let marks: Marks =
        [Mark::new("z"), deprecated.clone(), Mark::DEPRECATED, Mark::new("z")].into_iter().collect();
    assert_eq!(marks.to_string(), "deprecated, deprecated (use b), z");
    assert!(marks.contains(&deprecated) && marks.has_name("deprecated"));
    assert_eq!(Mark::new("sensitive"), Mark::SENSITIVE);
    let value = Value::from(1).mark(deprecated.clone()).mark(deprecated);
    assert_eq!(value.marks().len(), 1);
    assert_eq!(value.unmark().0, Value::from(1));
}
