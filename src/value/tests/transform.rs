use crate::{Mark, MarkChange, Marks, Path, PathSet, Type, Value};

fn sample() -> Value {
    let tags = Value::map([("a", "x"), ("b", "y")]).unwrap();
    let set = Value::set([Value::from(2), Value::unknown(Type::Number), Value::null(Type::Number)]).unwrap();
    let list = Value::list([1, 2]).unwrap().mark(Mark::SENSITIVE);
    let unknown = Value::unknown(Type::String);
    Value::object([("list", list), ("set", set), ("tags", tags), ("u", unknown)]).unwrap()
}

fn same_node(a: &Value, b: &Value) -> bool {
    matches!((a.container(), b.container()), (Some(a), Some(b)) if a.same(b))
}

#[test]
fn what_does_not_change_is_the_same_node() {
    let value = sample();
    let same = value.transform(|_, part| Ok(part)).unwrap();
    assert!(same_node(&same, &value));
    let changed = value
        .transform(|path, part| Ok(if path.to_string() == "list[1]" { 3.into() } else { part }))
        .unwrap();
    assert_eq!(changed.get(&"list[1]".parse().unwrap()).unwrap().unmark().0, Value::from(3));
    assert!(changed.get(&"list".parse().unwrap()).unwrap().marks().contains(&Mark::SENSITIVE));
    for (place, shared) in [("tags", true), ("set", true), ("list", false)] {
        let path: Path = place.parse().unwrap();
        assert_eq!(same_node(&changed.get(&path).unwrap(), &value.get(&path).unwrap()), shared, "{place}");
    }
}

#[test]
fn parents_are_entered_before_and_left_after_their_children() {
    let mut order = Vec::new();
    let order = std::cell::RefCell::new(&mut order);
    let value = Value::tuple([Value::list([1]).unwrap(), Value::from("x")]).unwrap();
    let add = |kind: char, path: &Path| order.borrow_mut().push(format!("{kind}{path}"));
    value
        .transform_with(
            |path, part| {
                add('>', path);
                Ok(part)
            },
            |path, part| {
                add('<', path);
                Ok(part)
            },
        )
        .unwrap();
    assert_eq!(**order.borrow(), [">", ">[0]", ">[0][0]", "<[0][0]", "<[0]", ">[1]", "<[1]", "<"]);
}

#[test]
fn collections_follow_one_new_type_and_refuse_several_with_the_place() {
    let value = Value::object([("l", Value::list([1, 2]).unwrap())]).unwrap();
    let text = |part: Value| if part.as_number().is_ok() { Value::from(format!("{part}")) } else { part };
    let texts = value.transform(|_, part| Ok(text(part))).unwrap();
    assert_eq!(texts.ty().to_string(), "object({l = list(string)})");
    let error = value
        .transform(|path, part| Ok(if path.to_string() == "l[1]" { text(part) } else { part }))
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "l[1]: all elements of a list must have the same type: number required, but have string"
    );
    assert!(error.is_type_mismatch());
}

#[test]
fn what_a_function_fails_with_has_its_place() {
    let error = sample().transform(|path, part| {
        if path.to_string() == r#"tags["b"]"# {
            part.as_number()?;
        }
        Ok(part)
    });
    assert_eq!(error.unwrap_err().to_string(), r#"tags["b"]: number required, but have string"#);
    let error = sample().transform_with(|_, part| part.get(&"list[7]".parse()?), |_, part| Ok(part));
    assert_eq!(error.unwrap_err().path().to_string(), "list");
}

#[test]
fn new_members_of_a_set_merge_and_give_it_their_marks() {
    let set = Value::set([1, 2, 3]).unwrap();
    let one = set.transform(|path, part| Ok(if path.is_empty() { part } else { 1.into() })).unwrap();
    assert_eq!(one, Value::set([1]).unwrap());
    let marked =
        set.transform(|path, part| Ok(if path.is_empty() { part } else { part.mark(Mark::SENSITIVE) }));
    assert_eq!(marked.unwrap(), set.mark(Mark::SENSITIVE));
}

#[test]
fn parts_are_what_a_walk_meets() {
    let value = sample();
    let mut walked = Vec::new();
    value.walk(|path, part| {
        walked.push((path.clone(), part.clone()));
        true
    });
    let parts: Vec<(Path, Value)> = value.parts().map(|(path, part)| (path, part.clone())).collect();
    assert_eq!(parts, walked);
    assert_eq!(Value::from(1).parts().count(), 1);
}

#[test]
fn marks_are_changed_where_they_are() {
    let (a, b) = (Mark::new("a"), Mark::new("b"));
    let inner = Value::list([Value::from(1).mark(a.clone()), Value::from(2)]).unwrap();
    let other = Value::map([("k", Value::from(1).mark(b.clone()))]).unwrap();
    let value = Value::tuple([inner.clone(), other.clone()]).unwrap().mark(a.clone());
    assert!(same_node(&value.wrangle_marks(|_, _| MarkChange::Keep), &value));
    let mut asked = Vec::new();
    let changed = value.wrangle_marks(|path, mark| {
        asked.push(format!("{path} {mark}"));
        if *mark == a { MarkChange::Replace(b.clone()) } else { MarkChange::Keep }
    });
    assert_eq!(asked, [" a", "[0][0] a", r#"[1]["k"] b"#]);
    assert!(!changed.has_mark_deep(&a) && changed.marks().contains(&b));
    assert!(same_node(&changed.get(&"[1]".parse().unwrap()).unwrap(), &other));
    let dropped = value.wrangle_marks(|_, _| MarkChange::Drop);
    assert_eq!(dropped, value.unmark_deep().0);
    let raised = value.wrangle_marks(|_, mark| if *mark == b { MarkChange::Raise } else { MarkChange::Keep });
    assert_eq!(*raised.marks(), [a.clone(), b.clone()].into_iter().collect::<Marks>());
    assert!(raised.unmark().0.has_mark_deep(&b));
    let added = inner.wrangle_marks(|_, _| MarkChange::Add(b.clone()));
    assert_eq!(added.unmark_deep_with_paths().1, [("[0]".parse().unwrap(), [a, b].into_iter().collect())]);
}

#[test]
fn path_sets_are_ordered_and_answer_for_prefixes() {
    let paths = |texts: &[&str]| texts.iter().map(|text| text.parse().unwrap()).collect::<PathSet>();
    let set = paths(&["b", "a[1]", "a", "a[*]", "a.c", "ab"]);
    let a: Path = "a".parse().unwrap();
    let below: Vec<String> = set.below(&a).map(ToString::to_string).collect();
    assert_eq!(below.len(), 4);
    assert_eq!(below.first().map(String::as_str), Some("a"));
    assert!(set.contains(&"a[*]".parse().unwrap()), "an unknown key is found again");
    assert!(set.covers(&"b[3].x".parse().unwrap()) && !set.covers(&"c".parse().unwrap()));
    assert!(!set.covers(&Path::new()));
    let other = paths(&["b", "c"]);
    assert_eq!(set.union(&other).len(), 7);
    assert_eq!(set.intersection(&other), paths(&["b"]));
    assert_eq!(other.difference(&set), paths(&["c"]));
    assert_eq!(set.symmetric_difference(&other).len(), 6);
    let mut set = paths(&["a"]);
    assert!(!set.insert(a.clone()) && set.remove(&a) && !set.remove(&a) && set.is_empty());
}
