//! Ranges at their ends.

use crate::number::Number;
use crate::refinement::{Bound, LengthRange, NumberRange, Prefix, Range, Refinement};
use crate::types::Type;

#[test]
fn infinite_bounds_have_one_form() {
    let inf = Number::INFINITY;
    let neg = Number::NEG_INFINITY;
    assert!(NumberRange::at_least(neg.clone()).is_trivial());
    assert!(NumberRange::at_most(inf.clone()).is_trivial());
    assert_eq!(NumberRange::at_least(inf.clone()), NumberRange::exactly(inf.clone()));
    assert_eq!(NumberRange::at_most(neg.clone()), NumberRange::exactly(neg.clone()));
    assert_eq!(NumberRange::at_least(inf.clone()).singleton(), Some(&inf));
    assert_eq!(NumberRange::at_most(neg.clone()).singleton(), Some(&neg));
    assert!(NumberRange::above(inf.clone()).unwrap_err().is_contradiction());
    assert!(NumberRange::below(neg.clone()).unwrap_err().is_contradiction());
    let finite = NumberRange::new(Bound::Exclusive(neg.clone()), Bound::Exclusive(inf.clone())).unwrap();
    assert!(!finite.is_trivial() && finite.contains(&Number::ZERO));
    assert!(!finite.contains(&inf) && !finite.contains(&neg));
}

#[test]
fn an_empty_range_says_what_no_number_is() {
    let error = NumberRange::new(Bound::Exclusive(5.into()), Bound::Inclusive(5.into())).unwrap_err();
    assert_eq!(error.to_string(), "no number is above 5 and at most 5");
    let error = NumberRange::above(Number::INFINITY).unwrap_err();
    assert_eq!(error.to_string(), "no number is above inf");
    let error = LengthRange::new(3, Some(1)).unwrap_err();
    assert_eq!(error.to_string(), "no length is at least 3 and at most 1");
}

#[test]
fn the_largest_length_bounds_nothing() {
    assert_eq!(LengthRange::at_most(u64::MAX), LengthRange::default());
    assert_eq!(LengthRange::new(2, Some(u64::MAX)).unwrap(), LengthRange::at_least(2));
    let largest = LengthRange::exactly(u64::MAX);
    assert_eq!(largest, LengthRange::at_least(u64::MAX));
    assert_eq!(largest.exact(), Some(u64::MAX));
    assert_eq!(largest.meet(LengthRange::at_most(3)), None);
    assert_eq!(largest.join(LengthRange::exactly(1)), LengthRange::at_least(1));
}

#[test]
fn a_prefix_is_normalised_and_joined_at_characters() {
    let e = Prefix::new("e\u{301}").unwrap();
    assert_eq!(e.as_str(), "é");
    assert!(e.contains("e\u{301}a"));
    // The first byte of both is the same.
    let other = Prefix::new("è").unwrap();
    assert_eq!(e.join(&other), None);
    assert_eq!(e.meet(&other), None);
    assert!(!Prefix::new("e").unwrap().covers(&e));
    assert_eq!(Refinement::prefix(""), Refinement::any());
}

#[test]
fn ranges_of_different_kinds_share_only_null() {
    let text = Refinement::prefix("a");
    let number = Refinement::number_at_least(1);
    assert_eq!(text.meet(&number), Ok(Refinement::null()));
    assert!(text.clone().and_not_null().meet(&number).is_err());
    assert_eq!(text.join(&number), Refinement::any());
    assert!(!text.contains(&number));
}

#[test]
fn null_stays_null() {
    assert_eq!(Refinement::null().and_not_null(), Refinement::null());
    assert!(Refinement::null().meet(&Refinement::not_null()).is_err());
}

#[test]
fn each_range_applies_to_its_kind_of_type() {
    let list = Type::list(Type::Bool).unwrap();
    let set = Type::set(Type::Bool).unwrap();
    let map = Type::map(Type::Bool).unwrap();
    let tuple = Type::tuple([Type::Bool]).unwrap();
    let all = [Type::Dynamic, Type::Bool, Type::Number, Type::String, list, set, map, tuple];
    let applies = |refinement: Refinement| all.iter().map(move |ty| u8::from(refinement.applies_to(ty)));
    let rows = [
        (Refinement::any(), [1, 1, 1, 1, 1, 1, 1, 1]),
        (Refinement::not_null(), [1, 1, 1, 1, 1, 1, 1, 1]),
        (Refinement::null(), [1, 1, 1, 1, 1, 1, 1, 1]),
        (Refinement::prefix("a"), [0, 0, 0, 1, 0, 0, 0, 0]),
        (Refinement::number_at_most(1), [0, 0, 1, 0, 0, 0, 0, 0]),
        (Refinement::length(LengthRange::exactly(1)), [0, 0, 0, 0, 1, 1, 1, 0]),
    ];
    for (refinement, wanted) in rows {
        assert_eq!(applies(refinement.clone()).collect::<Vec<_>>(), wanted, "{refinement}");
    }
}

#[test]
fn sizes_are_as_designed() {
    assert_eq!(size_of::<Bound>(), 24);
    assert!(size_of::<Range>() <= 56);
    assert!(size_of::<Refinement>() <= 64);
    assert_eq!(size_of::<crate::refinement::Contradiction>(), size_of::<usize>());
}
