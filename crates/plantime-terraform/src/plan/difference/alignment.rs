//! Pairs the elements of two lists: which element of the first became which of the second.

use std::collections::BTreeMap;

use crate::plan::rendering::subsequence::common_subsequence;
use plantime::{Value, View};

/// The elements of two lists that belong together: one of each list, or an element of one list alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pair {
    /// The element at the first position became the one at the second.
    Both(usize, usize),
    /// The element at the first position has moved to the second, out of the order of its neighbours.
    Moved(usize, usize),
    /// Only the first list has the element at this position.
    First(usize),
    /// Only the second list has the element at this position.
    Second(usize),
}

/// Pairs the elements of two lists, in the order of the second one.
///
/// Pairs as many equal elements as possible without changing their order. Between two such pairs, all remaining elements are
/// paired in order if both lists have the same number of them there; otherwise objects with objects, and an unknown element
/// with one that it `may_be`. An element that is at another place among the others has moved. Where marks are inside, the
/// position alone decides: whether two secrets are equal is content.
pub(super) fn pairs(first: &[Value], second: &[Value], may_be: fn(&Value, &Value) -> bool) -> Vec<Pair> {
    if first.iter().chain(second).any(Value::contains_marks) {
        let both = first.len().min(second.len());
        let rest_of_first = (both..first.len()).map(Pair::First);
        return (0..both)
            .map(|at| Pair::Both(at, at))
            .chain(rest_of_first)
            .chain((both..second.len()).map(Pair::Second))
            .collect();
    }
    let mut numbers: BTreeMap<&Value, u32> = BTreeMap::new();
    let mut number = |value| {
        let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
        *numbers.entry(value).or_insert(next)
    };
    let first_numbers: Vec<u32> = first.iter().map(&mut number).collect();
    let second_numbers: Vec<u32> = second.iter().map(&mut number).collect();
    let mut found = Vec::with_capacity(first.len().max(second.len()));
    let (mut i, mut j) = (0_usize, 0_usize);
    let common = common_subsequence(&first_numbers, &second_numbers);
    for (next_i, next_j) in common.into_iter().chain([(first.len(), second.len())]) {
        let are_as_many = next_i.saturating_sub(i) == next_j.saturating_sub(j);
        while i < next_i || j < next_j {
            let (a, b) = (first.get(i).filter(|_| i < next_i), second.get(j).filter(|_| j < next_j));
            let is_pair = match (a, b) {
                (Some(a), Some(b)) => are_as_many || (is_object(a) && is_object(b)) || may_be(a, b),
                _ => false,
            };
            if is_pair {
                found.push(Pair::Both(i, j));
                (i, j) = (i.saturating_add(1), j.saturating_add(1));
            } else if i < next_i {
                found.push(Pair::First(i));
                i = i.saturating_add(1);
            } else {
                found.push(Pair::Second(j));
                j = j.saturating_add(1);
            }
        }
        if next_i < first.len() {
            found.push(Pair::Both(next_i, next_j));
        }
        (i, j) = (next_i.saturating_add(1), next_j.saturating_add(1));
    }
    with_moves(found, &first_numbers, &second_numbers)
}

/// The pairs, where an element that is lost at one position and equals a new one at another position is moved.
fn with_moves(pairs: Vec<Pair>, first: &[u32], second: &[u32]) -> Vec<Pair> {
    let mut lost: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for pair in pairs.iter().rev() {
        if let Pair::First(i) = pair
            && let Some(number) = first.get(*i)
        {
            lost.entry(*number).or_default().push(*i);
        }
    }
    let mut moved = BTreeMap::new();
    for pair in &pairs {
        if let Pair::Second(j) = pair
            && let Some(number) = second.get(*j)
            && let Some(i) = lost.get_mut(number).and_then(Vec::pop)
        {
            moved.insert(*j, i);
        }
    }
    let gone: std::collections::BTreeSet<usize> = moved.values().copied().collect();
    pairs
        .into_iter()
        .filter_map(|pair| match pair {
            Pair::First(i) if gone.contains(&i) => None,
            Pair::Second(j) => Some(moved.get(&j).map_or(pair, |i| Pair::Moved(*i, j))),
            _ => Some(pair),
        })
        .collect()
}

/// Whether a value is an object or a map, which is compared further inside.
fn is_object(value: &Value) -> bool {
    matches!(value.view(), View::Object(_) | View::Map(_))
}

#[cfg(test)]
mod tests {
    use super::Pair::{Both, First, Moved, Second};
    use super::*;

    fn texts(words: &str) -> Vec<Value> {
        words.split_whitespace().map(Value::from).collect()
    }

    fn aligned(first: &str, second: &str) -> Vec<Pair> {
        pairs(&texts(first), &texts(second), |_, _| false)
    }

    #[test]
    fn equal_elements_are_paired_in_order() {
        assert_eq!(aligned("a b c", "a c"), [Both(0, 0), First(1), Both(2, 1)]);
        assert_eq!(aligned("a b", "x a b"), [Second(0), Both(0, 1), Both(1, 2)]);
        assert_eq!(aligned("a b c", "b c d"), [First(0), Both(1, 0), Both(2, 1), Second(2)]);
        assert_eq!(aligned("", "a"), [Second(0)]);
        assert_eq!(aligned("a", ""), [First(0)]);
    }

    #[test]
    fn as_many_between_are_paired_by_position() {
        assert_eq!(aligned("a x b", "a y b"), [Both(0, 0), Both(1, 1), Both(2, 2)]);
        assert_eq!(aligned("a x b", "a y z b"), [Both(0, 0), First(1), Second(1), Second(2), Both(2, 3)]);
    }

    #[test]
    fn what_stands_elsewhere_has_moved() {
        assert_eq!(aligned("a b c", "b c a"), [Both(1, 0), Both(2, 1), Moved(0, 2)]);
        assert_eq!(aligned("a a b", "b a a").iter().filter(|pair| matches!(pair, Moved(..))).count(), 1);
    }

    #[test]
    fn objects_change_in_place_and_unknown_elements_become_what_they_may() {
        let object = |n: i64| Value::object([("n", Value::from(n))]).unwrap();
        let found = pairs(&[object(1)], &[object(2), object(3)], |_, _| false);
        assert_eq!(found, [Both(0, 0), Second(1)]);
        let unknown = Value::unknown(plantime::Type::String);
        let found = pairs(&[unknown], &texts("x y"), |a, b| a.may_become(b));
        assert_eq!(found, [Both(0, 0), Second(1)]);
    }

    #[test]
    fn marked_elements_are_paired_by_position() {
        let secret = |text: &str| Value::from(text).mark(plantime::Mark::SENSITIVE);
        for other in ["s", "t"] {
            let found = pairs(&[secret("s"), secret("t")], &[secret(other)], |_, _| false);
            assert_eq!(found, [Both(0, 0), First(1)]);
        }
    }

    /// Each element of both lists is in exactly one pair, for all lists.
    #[test]
    fn every_element_is_paired_once() {
        let words =
            |code: usize| (0..3).map(move |digit| ["", "a ", "b ", "c "][code / 4_usize.pow(digit) % 4]);
        for (left, right) in (0..64).flat_map(|left| (0..64).map(move |right| (left, right))) {
            let (first, second) =
                (texts(&words(left).collect::<String>()), texts(&words(right).collect::<String>()));
            let found = pairs(&first, &second, |_, _| false);
            let (mut is, mut js) = (Vec::new(), Vec::new());
            for pair in &found {
                match *pair {
                    Both(i, j) | Moved(i, j) => {
                        is.push(i);
                        js.push(j);
                    }
                    First(i) => is.push(i),
                    Second(j) => js.push(j),
                }
                if let Moved(i, j) = *pair {
                    assert_eq!(first[i], second[j]);
                }
            }
            is.sort_unstable();
            js.sort_unstable();
            assert!(is.into_iter().eq(0..first.len()) && js.into_iter().eq(0..second.len()), "{found:?}");
        }
    }
}
