//! Sets with undecided members.

use crate::{LengthRange, Mark, Marks, Refinement, Result, Type, Value, View};

fn length(set: &Value) -> (u64, Option<u64>) {
    match set.view() {
        View::Set(set) => (set.length().lower(), set.length().upper()),
        _ => panic!("no set: {set:?}"),
    }
}

fn shown(set: &Value) -> String {
    match set.view() {
        View::Set(set) => set.iter().map(|member| format!("{member:?}")).collect::<Vec<_>>().join(" "),
        _ => panic!("no set: {set:?}"),
    }
}

fn starts(prefix: &str) -> Value {
    Value::refined(Type::String, Refinement::prefix(prefix).and_not_null()).unwrap()
}

#[test]
fn undecided_members_are_a_multiset_with_a_length() -> Result<()> {
    let unknown = Value::unknown(Type::String);
    let set = |items: &[Value]| Value::set_of(Type::String, items.iter().cloned());
    for (items, range) in [
        (vec![unknown.clone(), unknown.clone()], (1, Some(2))),
        (vec![unknown.clone(), "a".into(), "b".into()], (2, Some(3))),
        (vec![starts("a"), starts("b")], (2, Some(2))),
        (vec![starts("a"), starts("ab"), starts("b"), "c".into()], (3, Some(4))),
        (vec![starts("a"), "b".into(), Value::null(Type::String)], (3, Some(3))),
        (vec![unknown.clone()], (1, Some(1))),
    ] {
        assert_eq!(length(&set(&items)?), range, "{items:?}");
    }
    assert_eq!(set(&["a".into(), "a".into()])?, set(&["a".into()])?);
    Ok(())
}

#[test]
fn members_that_lack_nothing_but_their_type_are_one() -> Result<()> {
    let list = |part: &Value| Value::list_of(Type::Dynamic, [part.clone(), part.clone()]);
    let ty = Type::list(Type::Dynamic)?;
    let set = |part: &Value| Value::set_of(ty.clone(), [list(part)?, list(part)?, list(part)?]);
    let untyped = set(&Value::null(Type::Dynamic))?;
    assert_eq!(shown(&untyped), "list[null(dynamic), null(dynamic)]");
    assert_eq!(length(&untyped), (1, Some(1)));
    assert_eq!(length(&set(&Value::dynamic())?), (1, Some(3)));
    // So are sets of such members.
    let sets = Value::set([untyped.clone(), untyped])?;
    assert_eq!(length(&sets), (1, Some(1)));
    Ok(())
}

#[test]
fn few_values_bound_a_set() -> Result<()> {
    let unknown = Value::unknown(Type::Bool);
    let not_null = unknown.assume_not_null()?;
    let three = Value::set([not_null.clone(), not_null.clone(), not_null.clone()])?;
    assert_eq!(length(&three), (1, Some(2)));
    let forced = Value::set([true.into(), false.into(), not_null])?;
    assert_eq!(forced, Value::set([true, false])?);
    assert!(forced.is_wholly_known());
    Ok(())
}

#[test]
fn an_assumed_length_decides_members() -> Result<()> {
    let set = Value::set(["a".into(), Value::unknown(Type::String)])?;
    assert_eq!(length(&set.assume_set_length(2, 5)?), (2, Some(2)));
    let one = set.assume_set_length_max(1)?;
    assert_eq!(one, Value::set(["a"])?);
    assert!(set.assume_set_length_min(3).unwrap_err().is_contradiction());
    let all = Refinement::length(LengthRange::at_least(1));
    assert_eq!(set.assume(&all)?, set);
    Ok(())
}

#[test]
fn members_come_in_the_order_that_users_of_cty_know() -> Result<()> {
    let null = Value::null(Type::Number);
    let numbers = [10.into(), null, 9.into(), Value::unknown(Type::Number), (-1).into()];
    assert_eq!(shown(&Value::set(numbers)?), "-1 9 10 unknown(number) null(number)");
    let tuples = [Value::tuple([10])?, Value::tuple([9])?, Value::tuple([1])?];
    assert_eq!(shown(&Value::set(tuples)?), "tuple[10] tuple[1] tuple[9]");
    let tuple = Value::tuple([Value::unknown(Type::Number)])?;
    let mixed = [Value::null(tuple.ty()), Value::unknown(tuple.ty()), tuple, Value::tuple([1])?];
    assert_eq!(
        shown(&Value::set(mixed)?),
        "tuple[1] tuple[unknown(number)] unknown(tuple([number])) null(tuple([number]))"
    );
    Ok(())
}

#[test]
fn marks_of_members_move_to_the_set() -> Result<()> {
    let set = Value::set([Value::from("a").mark(Mark::SENSITIVE), "b".into()])?;
    assert_eq!(*set.marks(), Marks::from(Mark::SENSITIVE));
    assert_eq!(set.unmark().0, Value::set(["a", "b"])?);
    Ok(())
}

#[test]
fn large_partial_sets_are_built_and_compared_in_proportion() -> Result<()> {
    let members =
        |n: u64| (0..n).map(|i| if i % 2 == 0 { Value::from(i) } else { Value::unknown(Type::Number) });
    let set = Value::set(members(20_000))?;
    assert_eq!(length(&set), (10_000, Some(20_000)));
    assert!(!set.equals(&set)?.is_known());
    let other = Value::set(members(40_000))?;
    assert!(!set.equals(&other)?.is_known());
    Ok(())
}
