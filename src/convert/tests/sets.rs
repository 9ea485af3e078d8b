//! Conversions to and from sets, of which not all members are known.

use super::*;

#[test]
fn a_known_set_with_an_unknown_member_is_a_list_of_its_lengths() {
    let set = Value::set([Value::unknown(Type::String), Value::from("a")]).unwrap();
    let length = LengthRange::new(1, Some(2)).unwrap();
    assert_eq!(
        convert(&set, &to("list(string)")).unwrap(),
        not_null("list(string)", Refinement::length(length))
    );
    let numbers = Value::set([Value::unknown(Type::Number), Value::from(1)]).unwrap();
    let list = convert(&numbers, &to("list(string)")).unwrap();
    assert_eq!(list, not_null("list(string)", Refinement::length(length)));
}

#[test]
fn a_set_of_known_length_knows_which_members_stand_where() {
    let set = |members: Vec<Value>| {
        let count = members.len() as u64;
        Value::set(members).unwrap().assume_set_length(count, count).unwrap()
    };
    let list = |value: &Value| convert(value, &to("list(any)")).unwrap();
    let some = |ty: Type| Value::refined(ty, Refinement::not_null()).unwrap();
    // False comes first, and null last.
    let bools = set(vec![Value::from(false), Value::unknown(Type::Bool)]);
    assert_eq!(list(&bools), Value::list([Value::from(false), Value::unknown(Type::Bool)]).unwrap());
    let nulls = set(vec![Value::null(Type::String), Value::unknown(Type::String)]);
    assert_eq!(list(&nulls), Value::list([some(Type::String), Value::null(Type::String)]).unwrap());
    let numbers = set(vec![Value::from(5), some(Type::Number)]);
    let at_most = not_null("number", Refinement::number(NumberRange::at_most(5)));
    let at_least = not_null("number", Refinement::number(NumberRange::at_least(5)));
    assert_eq!(list(&numbers), Value::list([at_most, at_least]).unwrap());
    let names = set(vec![Value::from("b"), not_null("string", Refinement::prefix("a"))]);
    let first = not_null("string", Refinement::prefix("a"));
    assert_eq!(list(&names), Value::list([first, Value::from("b")]).unwrap());
    let many = set((0..20).map(Value::from).chain([some(Type::Number)]).collect());
    assert_eq!(list(&many).length().unwrap(), Value::from(21));
}

/// A member that is known once it is known not to be null does not stand behind those that were known before.
#[test]
fn beside_a_null_a_member_that_becomes_known_may_stand_anywhere() {
    let of = |flags: Vec<Value>| Value::set_of(Type::Bool, flags).unwrap();
    let (both, one) = (of(vec![true.into(), false.into()]), of(vec![true.into()]));
    let all = of(vec![true.into(), false.into(), Value::null(Type::Bool)]);
    let three = Value::refined(both.ty(), Refinement::length(LengthRange::at_least(3))).unwrap();
    let null = Value::null(both.ty());
    let planned = Value::set([both.clone(), one.clone(), three, null.clone()]).unwrap();
    let planned = planned.assume(&Refinement::length(LengthRange::exactly(4))).unwrap();
    let applied = Value::set([both, one, all, null]).unwrap();
    let to = to("list(list(bool))");
    let (planned, applied) = (convert(&planned, &to).unwrap(), convert(&applied, &to).unwrap());
    assert_ne!(planned.equals(&applied).unwrap(), Value::from(false), "{planned} {applied}");
}

#[test]
fn a_member_that_only_null_keeps_from_being_known_may_stand_anywhere() {
    let ty: Type = "set(bool)".parse().unwrap();
    let none = Value::set_of::<Value>(Type::Bool, []).unwrap();
    let all = Value::set([Value::from(true), Value::from(false), Value::null(Type::Bool)]).unwrap();
    let three = Refinement::length(LengthRange::at_least(3));
    let members =
        |last: Value| Value::set_of(ty.clone(), [Value::set([false, true]).unwrap(), none.clone(), last]);
    let plan = members(Value::refined(ty.clone(), three).unwrap()).unwrap().assume_set_length(3, 3).unwrap();
    let plan = convert(&plan, &to("list(set(bool))")).unwrap();
    let apply = convert(&members(all).unwrap(), &to("list(set(bool))")).unwrap();
    for place in [0, 1, 2].map(Value::from) {
        let (plan, apply) = (plan.index(&place).unwrap(), apply.index(&place).unwrap());
        assert_ne!(plan.equals(&apply).unwrap(), Value::from(false), "{plan:?}, {apply:?}");
    }
}

/// Beyond the number of members up to which each place is looked at it is still known where a null stands.
#[test]
fn of_a_large_set_of_known_length_the_last_element_alone_may_be_null() {
    let length = Refinement::length(LengthRange::exactly(10));
    let unknown = not_null("set(number)", length.clone());
    let numbers = (0..9).map(Value::from).chain([(); 3].map(|()| Value::unknown(Type::Number)));
    let partial = Value::set_of(Type::Number, numbers).unwrap().assume(&length).unwrap();
    for set in [unknown, partial] {
        let list = convert(&set, &to("list(string)")).unwrap();
        for place in 0..10 {
            let element = list.index(&Value::from(place)).unwrap();
            assert_eq!(element.range().is_not_null(), place < 9, "{set:?} at {place}");
        }
    }
}

#[test]
fn marks_stay_in_place_and_go_to_a_set() {
    let tuple = Value::tuple([Value::from(1).mark(Mark::SENSITIVE), Value::from(2)]).unwrap();
    let list = convert(&tuple, &to("list(string)")).unwrap();
    assert_eq!(list, Value::list([Value::from("1").mark(Mark::SENSITIVE), Value::from("2")]).unwrap());
    let set = convert(&tuple, &to("set(string)")).unwrap();
    assert_eq!(set, Value::set(["1", "2"]).unwrap().mark(Mark::SENSITIVE));
}

#[test]
fn members_that_stay_different_stay_as_many() {
    let length = Refinement::length(LengthRange::new(2, Some(4)).unwrap());
    for (from, wanted, member) in [
        ("set(number)", "set(string)", "any()"),
        ("set(list(number))", "set(list(string))", "any()"),
        ("set(set(number))", "set(list(string))", "any()"),
        ("set(map(number))", "set(map(string))", "any()"),
        ("set(tuple([number, number]))", "set(list(string))", "length(2)"),
        ("set(object({a = number}))", "set(map(string))", r#"length(1), keys(oneof("a"))"#),
    ] {
        let set = not_null(from, length.clone());
        let member = Refinement::elements(member.parse().unwrap()).unwrap();
        let said = member.meet(&length).unwrap();
        assert_eq!(convert(&set, &to(wanted)).unwrap(), not_null(wanted, said), "{from}");
    }
    // Texts of one number are many.
    let numbers = convert(&not_null("set(string)", length), &to("set(number)")).unwrap();
    assert_eq!(numbers, not_null("set(number)", Refinement::length(LengthRange::new(1, Some(4)).unwrap())));
}

#[test]
fn a_member_that_can_only_become_another_is_that_one() {
    let word = not_null("string", Refinement::prefix("tr"));
    let set = Value::set([Value::from("true"), word]).unwrap();
    assert_eq!(convert(&set, &to("list(bool)")).unwrap(), Value::list([true]).unwrap());
}

#[test]
fn members_in_order_keep_their_own_ends() {
    let between = |least: i64, most: i64| {
        let range = NumberRange::new(Bound::Inclusive(least.into()), Bound::Inclusive(most.into()));
        not_null("number", Refinement::number(range.unwrap()))
    };
    let set = Value::set([between(1, 2), between(5, 6)]).unwrap();
    let list = convert(&set, &to("list(number)")).unwrap();
    assert_eq!(list, Value::list([between(1, 2), between(5, 6)]).unwrap());
    // Where they overlap too.
    let set = Value::set([between(1, 3), between(2, 6)]).unwrap().assume_set_length(2, 2).unwrap();
    let list = convert(&set, &to("list(number)")).unwrap();
    assert_eq!(list, Value::list([between(1, 3), between(2, 6)]).unwrap());
}

#[test]
fn sets_have_a_set_in_common() {
    let types = ["set(number)", "set(string)", "set(bool)"].map(|ty| ty.parse().unwrap());
    assert_eq!(unify(&types, Safety::Safe).unwrap().to_string(), "set(string)");
}
