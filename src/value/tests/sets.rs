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

#[test]
fn of_many_members_a_group_that_differ_is_counted() -> Result<()> {
    let pairs = (0..20).map(|i| Value::tuple([Value::from(i), Value::unknown(Type::String)]).unwrap());
    let set = Value::set(pairs)?;
    assert_eq!(set.length()?, Value::from(20));
    Ok(())
}

#[test]
fn what_both_sets_have_their_join_has() -> Result<()> {
    let join = Value::join(&[&Value::set([1, 2])?, &Value::set([1, 3])?])?;
    assert_eq!(join.has_element(&Value::from(1))?, Value::from(true));
    Ok(())
}

#[test]
fn what_is_null_or_one_other_number_may_be_no_member() -> Result<()> {
    let set = Value::set([Value::null(Type::Number), Value::from(1)])?;
    let exactly = |number: i64| Refinement::number(crate::NumberRange::exactly(number));
    let five = Value::refined(Type::Number, exactly(5))?;
    assert!(!set.has_element(&five)?.is_known());
    let one = Value::refined(Type::Number, exactly(1))?;
    assert_eq!(set.has_element(&one)?, Value::from(true));
    Ok(())
}

#[test]
fn a_member_that_is_not_null_is_in_the_set_whatever_the_others_become() -> Result<()> {
    let set = Value::set([Value::unknown(Type::Bool), Value::unknown(Type::Bool).assume_not_null()?])?;
    assert_eq!(set.equals(&Value::set([Value::null(Type::Bool)])?)?, Value::from(false));
    Ok(())
}

#[test]
fn a_null_of_no_type_is_in_no_member() -> Result<()> {
    let set = Value::set_of(Type::Dynamic, [Value::dynamic()])?;
    let untyped = || Value::null(Type::Dynamic);
    let tuple = Value::tuple([Value::unknown(Type::String), untyped()])?;
    assert_eq!(set.has_element(&tuple)?, Value::from(false));
    let object = Value::object([("a", Value::unknown(Type::String)), ("b", untyped())])?;
    assert_eq!(set.has_element(&object)?, Value::from(false));
    Ok(())
}

#[test]
fn lengths_of_sets_and_lists_read_well() -> Result<()> {
    let shown = |ty: &str, length: crate::LengthRange| {
        Value::refined(ty.parse().unwrap(), Refinement::length(length).and_not_null()).unwrap().to_string()
    };
    assert!(shown("set(string)", LengthRange::at_least(1)).contains("at least 1 member)"));
    assert!(shown("set(string)", LengthRange::at_least(2)).contains("at least 2 members"));
    assert!(shown("map(string)", LengthRange::at_least(1)).contains("at least 1 element)"));
    Ok(())
}

#[test]
fn a_null_has_no_length() {
    let list = Value::null("list(string)".parse().unwrap());
    assert_eq!(list.length().unwrap_err().to_string(), "a null operand has no length");
    let value = Value::tuple([1]).unwrap();
    let View::Tuple(tuple) = value.view() else { panic!() };
    assert!(!tuple.is_empty() && tuple.len() == 1);
}

#[test]
fn an_element_of_a_list_of_undecided_objects_keeps_what_is_known_of_it() -> Result<()> {
    let part = Value::object([("a", Value::null(Type::Dynamic)), ("b", Value::from(1))])?;
    let list = Value::list([part.clone(), part])?;
    let element = list.index(&Value::from(0))?;
    let null = Value::refined(Type::Dynamic, Refinement::null())?;
    assert_eq!(element, Value::object([("a", null), ("b", Value::from(1))])?);
    Ok(())
}

#[test]
fn large_sets_of_which_a_member_has_no_partner_differ() -> Result<()> {
    // Too many to try all groups.
    let set = |kind: &str| {
        let member = |i: i64| Value::tuple([Value::unknown(Type::String), Value::from(kind), Value::from(i)]);
        Value::set((0..12).map(member).collect::<Result<Vec<_>>>()?)
    };
    assert_eq!(set("a")?.equals(&set("b")?)?, Value::from(false));
    assert!(!set("a")?.equals(&set("a")?)?.is_known());
    Ok(())
}
