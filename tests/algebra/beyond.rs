//! What the exhaustive universes are too small for: limits, sets of many members, texts of many parts. Operands are weakened
//! and the outcomes are checked to lie within the answer.

use plantime::{Bound, Number, NumberRange, Refinement, Result, Type, Value};

fn number(text: &str) -> Number {
    text.parse().unwrap()
}

fn between(low: &Number, high: &Number) -> Value {
    let range = NumberRange::new(Bound::Inclusive(low.clone()), Bound::Inclusive(high.clone())).unwrap();
    Value::refined(Type::Number, Refinement::number(range).and_not_null()).unwrap()
}

fn prefixed(prefix: &str) -> Value {
    Value::refined(Type::String, Refinement::prefix(prefix).and_not_null()).unwrap()
}

/// An end that is longer than a number can be is left out; the operand's own is none of the result's.
#[test]
fn an_end_beyond_the_limit_of_digits_excludes_no_outcome() {
    type Operation = fn(&Value, &Value) -> Result<Value>;
    let operations: [(&str, Operation); 5] = [
        ("add", Value::add),
        ("subtract", Value::subtract),
        ("multiply", Value::multiply),
        ("divide", Value::divide),
        ("modulo", Value::modulo),
    ];
    let points = ["-1e5000", "-3", "-1e-5000", "1e-5000", "0.5", "3", "4", "1e5000"].map(number);
    let intervals: Vec<(usize, usize)> =
        (0..points.len()).flat_map(|low| (low..points.len()).map(move |high| (low, high))).collect();
    let mut held = 0;
    for (name, operation) in operations {
        let known: Vec<Vec<Option<Value>>> = points
            .iter()
            .map(|a| points.iter().map(|b| operation(&a.into(), &b.into()).ok()).collect())
            .collect();
        for &(low, high) in &intervals {
            for &(other_low, other_high) in &intervals {
                let (a, b) =
                    (between(&points[low], &points[high]), between(&points[other_low], &points[other_high]));
                let answer = operation(&a, &b);
                for row in &known[low..=high] {
                    for outcome in row[other_low..=other_high].iter().flatten() {
                        held += 1;
                        let fits = answer.as_ref().is_ok_and(|answer| answer.may_become(outcome));
                        assert!(fits, "{name} of {:?} and {:?}", (low, high), (other_low, other_high));
                    }
                }
            }
        }
    }
    assert!(held > 10_000, "{held}");
}

/// Of many parts only the first are looked at one by one. A mark that a later one starts with can stand before those of
/// all the others: `a`, U+0301 and U+0323 are `ạ` and U+0301.
#[test]
fn of_a_text_of_many_parts_only_what_no_later_part_changes_is_kept() {
    let base = Value::from("a");
    for count in 1..=14 {
        let (mark, last) = (prefixed("\u{301}"), Value::unknown(Type::String).assume_not_null().unwrap());
        let mut parts = vec![&base];
        parts.extend(std::iter::repeat_n(&mark, count));
        parts.push(&last);
        let answer = Value::concat_text(&parts).unwrap();
        let exact = Value::from("\u{301}");
        for end in ["", "b", "\u{323}", "\u{301}"].map(Value::from) {
            let mut parts = vec![&base];
            parts.extend(std::iter::repeat_n(&exact, count));
            parts.push(&end);
            let outcome = Value::concat_text(&parts).unwrap();
            assert!(answer.may_become(&outcome), "{count} parts and {end:?}: {answer:?}, but {outcome:?}");
        }
    }
}

/// Members that overlap with the next one each: every other point is enough for all of them.
#[test]
fn the_least_length_of_a_set_of_many_members_is_reached() {
    for count in 1..=70_i64 {
        let members = (0..count).map(|i| between(&i.into(), &(i + 1).into()));
        let set = Value::set_of(Type::Number, members).unwrap();
        let fewest = Value::set((0..count).filter(|i| i % 2 == 0).map(|i| i + 1)).unwrap();
        assert!(set.may_become(&fewest), "{count}: {set:?}");
        let length = set.length().unwrap();
        assert!(length.may_become(&fewest.length().unwrap()), "{count}: {length:?}");
        let most = Value::set(0..count).unwrap();
        assert!(set.may_become(&most) && length.may_become(&most.length().unwrap()), "{count}: {length:?}");
    }
}

/// One of the known members has two partners and the other one only one of these: whoever gives the first partner away
/// has none left.
#[test]
fn sets_of_many_members_may_be_equal_whichever_partner_is_tried_first() {
    let from = |low: i64, high: i64| between(&low.into(), &high.into());
    // In the last two the first known one finds the only partner of the second one first.
    let cases = [
        ([1, 2], [from(0, 1), from(1, 2)]),
        ([1, 2], [from(1, 2), from(2, 3)]),
        ([1, 4], [from(0, 5), from(1, 2)]),
        ([1, 4], [from(0, 5), from(-1, 2)]),
    ];
    for (wanted, [first, second]) in cases {
        for shared in 0..=20 {
            let both = || (0..shared).map(|i| Value::from(100 + i));
            let known = Value::set_of(Type::Number, both().chain(wanted.map(Value::from))).unwrap();
            for pair in [[first.clone(), second.clone()], [second.clone(), first.clone()]] {
                let open = Value::set_of(Type::Number, both().chain(pair)).unwrap();
                assert!(open.may_become(&known));
                for equal in [open.equals(&known), known.equals(&open)] {
                    assert!(!equal.as_ref().unwrap().is_known(), "{shared}: {open:?}, {known:?}: {equal:?}");
                }
            }
        }
    }
}
