//! The longest common subsequence of two sequences: the elements that a list keeps.

use std::collections::HashSet;

/// The maximum number of pairs of elements that are compared. Beyond it only what both sequences begin and end with is
/// common.
const PAIRS: usize = 1 << 20;

/// The pairs of positions of a longest common subsequence, ascending. Equal numbers stand for equal elements. Where several
/// are longest, it is the one that Terraform shows: the elements are found from the end, and each is paired where both
/// sequences have it first.
///
/// Takes memory and time for each element between the common beginning and the common end, times the number of elements that
/// only one of the sequences has; up to [`PAIRS`].
pub(in crate::plan) fn common_subsequence(before: &[u32], after: &[u32]) -> Vec<(usize, usize)> {
    let start = before.iter().zip(after).take_while(|(a, b)| a == b).count();
    let (rest_before, rest_after) =
        (before.get(start..).unwrap_or_default(), after.get(start..).unwrap_or_default());
    let end = rest_before.iter().rev().zip(rest_after.iter().rev()).take_while(|(a, b)| a == b).count();
    let inner_before = rest_before.get(..rest_before.len().saturating_sub(end)).unwrap_or_default();
    let inner_after = rest_after.get(..rest_after.len().saturating_sub(end)).unwrap_or_default();
    let mut pairs: Vec<(usize, usize)> = (0..start).map(|at| (at, at)).collect();
    if let Some(band) = Band::of(inner_before, inner_after) {
        let reversed = |list: &[u32]| list.iter().rev().copied().collect::<Vec<u32>>();
        let found = band.by_table(&reversed(inner_before), &reversed(inner_after));
        let (last_before, last_after) = (rest_before.len(), rest_after.len());
        let from_start = |(a, b): &(usize, usize)| {
            let from_end =
                |all: usize, at: usize| all.saturating_sub(end).saturating_sub(at).saturating_sub(1);
            (start.saturating_add(from_end(last_before, *a)), start.saturating_add(from_end(last_after, *b)))
        };
        pairs.extend(found.iter().rev().map(from_start));
    }
    let tail = |at: usize| (before.len().saturating_sub(at), after.len().saturating_sub(at));
    pairs.extend((1..=end).rev().map(tail));
    first_places(pairs, before, after)
}

/// Whether two sequences have the same length and an element is gone: elements became others then, and not only their order
/// changed.
pub(in crate::plan) fn are_replaced_in_place(before: &[u32], after: &[u32]) -> bool {
    let is_gone = |kept: HashSet<&u32>| before.iter().any(|number| !kept.contains(number));
    before.len() == after.len() && is_gone(after.iter().collect())
}

/// The pairs of the same elements at the first places that both sequences have them, one after the other.
fn first_places(mut pairs: Vec<(usize, usize)>, before: &[u32], after: &[u32]) -> Vec<(usize, usize)> {
    let (mut places_before, mut places_after) = (before.iter().enumerate(), after.iter().enumerate());
    for pair in &mut pairs {
        let Some(number) = before.get(pair.0) else { continue };
        let first = |(_, found): &(usize, &u32)| *found == number;
        if let (Some((i, _)), Some((j, _))) = (places_before.find(first), places_after.find(first)) {
            *pair = (i, j);
        }
    }
    pairs
}

/// Bounds how far the positions of two paired elements can be apart: by at most the number of elements that only the first
/// sequence has, or that only the second one has.
#[derive(Clone, Copy)]
struct Band {
    only_before: usize,
    only_after: usize,
}

impl Band {
    /// The band of two sequences; `None` if there are too many pairs in it.
    fn of(before: &[u32], after: &[u32]) -> Option<Band> {
        let (n, m) = (before.len(), after.len());
        let both = n.saturating_add(m);
        // A quarter, so that the search costs less than the table that it may save.
        let most = (PAIRS / 4).checked_div(both).unwrap_or(0).min(both);
        match edit_distance(before, after, most) {
            // Neither number counts the elements that both sequences have.
            Some(distance) => Some(Band {
                only_before: distance.saturating_add(n).saturating_sub(m) / 2,
                only_after: distance.saturating_add(m).saturating_sub(n) / 2,
            }),
            None => (n.saturating_mul(m) <= PAIRS).then_some(Band { only_before: n, only_after: m }),
        }
    }

    /// The longest common subsequence, by a table of its lengths for the pairs of suffixes in the band. Where several are
    /// longest, it is the one that the whole table gives: a pair outside of the band leads to none of them, so it only has to
    /// count less.
    fn by_table(self, before: &[u32], after: &[u32]) -> Vec<(usize, usize)> {
        let Band { only_before, only_after } = self;
        let width = only_before.saturating_add(only_after).saturating_add(1);
        let mut lengths = vec![0u32; width.saturating_mul(before.len().saturating_add(1))];
        let place = |i: usize, j: usize| {
            let column = j.saturating_add(only_before).checked_sub(i).filter(|column| *column < width)?;
            Some(i.saturating_mul(width).saturating_add(column))
        };
        let at = |lengths: &[u32], i, j| place(i, j).and_then(|at| lengths.get(at).copied()).unwrap_or(0);
        for (i, a) in before.iter().enumerate().rev() {
            let first = i.saturating_sub(only_before);
            let last = i.saturating_add(only_after).saturating_add(1).min(after.len());
            for (j, b) in after.iter().enumerate().take(last).skip(first).rev() {
                let (down, right) = (i.saturating_add(1), j.saturating_add(1));
                let length = if a == b {
                    at(&lengths, down, right).saturating_add(1)
                } else {
                    at(&lengths, down, j).max(at(&lengths, i, right))
                };
                if let Some(slot) = place(i, j).and_then(|at| lengths.get_mut(at)) {
                    *slot = length;
                }
            }
        }
        let (mut i, mut j, mut pairs) = (0usize, 0usize, Vec::new());
        while let (Some(a), Some(b)) = (before.get(i), after.get(j)) {
            let (down, right) = (i.saturating_add(1), j.saturating_add(1));
            if a == b {
                pairs.push((i, j));
                (i, j) = (down, right);
            } else if at(&lengths, down, j) > at(&lengths, i, right) {
                i = down;
            } else {
                j = right;
            }
        }
        pairs
    }
}

/// The number of elements that only one of the sequences has, besides a longest common subsequence; `None` if there are more
/// than `most`. By the greedy search of Myers: with each further element it keeps, for each difference of positions, how far
/// the sequences can be followed.
fn edit_distance(before: &[u32], after: &[u32], most: usize) -> Option<usize> {
    let middle = most.saturating_add(1);
    let mut reached = vec![0usize; most.saturating_mul(2).saturating_add(3)];
    let at = |reached: &[usize], diagonal: usize| reached.get(diagonal).copied().unwrap_or(0);
    for distance in 0..=most {
        let (lowest, highest) = (middle.saturating_sub(distance), middle.saturating_add(distance));
        for diagonal in (lowest..=highest).step_by(2) {
            let (below, above) = (diagonal.saturating_sub(1), diagonal.saturating_add(1));
            let inserts =
                diagonal == lowest || diagonal != highest && at(&reached, below) < at(&reached, above);
            let mut i = match inserts {
                true => at(&reached, above),
                false => at(&reached, below).saturating_add(1),
            };
            let mut j = i.saturating_add(middle).saturating_sub(diagonal);
            while let (Some(a), Some(b)) = (before.get(i), after.get(j))
                && a == b
            {
                (i, j) = (i.saturating_add(1), j.saturating_add(1));
            }
            if let Some(slot) = reached.get_mut(diagonal) {
                *slot = i;
            }
            if i >= before.len() && j >= after.len() {
                return Some(distance);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{Band, PAIRS, are_replaced_in_place, common_subsequence, edit_distance};

    #[test]
    fn common_elements_are_paired_in_order() {
        assert_eq!(common_subsequence(&[1, 2, 3, 4], &[2, 5, 4]), [(1, 0), (3, 2)]);
        assert_eq!(common_subsequence(&[1, 2, 3], &[1, 2, 3]), [(0, 0), (1, 1), (2, 2)]);
        assert_eq!(common_subsequence(&[], &[1]), []);
        assert_eq!(common_subsequence(&[1, 2], &[2, 1]).len(), 1);
        // As Terraform 1.11.4 draws it.
        assert_eq!(common_subsequence(&[6, 6, 6, 1], &[5, 5, 6, 4, 6, 3]), [(0, 2), (1, 4)]);
    }

    #[test]
    fn elements_are_replaced_where_one_is_gone_and_the_length_stays() {
        assert!(are_replaced_in_place(&[1, 2, 3], &[1, 4, 3]));
        assert!(are_replaced_in_place(&[1, 2, 3], &[2, 1, 1]));
        assert!(!are_replaced_in_place(&[1, 2, 3], &[3, 1, 2]));
        // What one of two equal elements became is not seen.
        assert!(!are_replaced_in_place(&[1, 2, 2, 3], &[3, 1, 4, 2]));
        assert!(!are_replaced_in_place(&[1, 2], &[1, 2, 3]));
    }

    #[test]
    fn no_common_subsequence_of_short_sequences_is_longer() {
        let sequences: Vec<Vec<u32>> =
            (0..3u32.pow(4)).map(|code| (0..4).map(|digit| code / 3u32.pow(digit) % 3).collect()).collect();
        let is_subsequence = |part: &[u32], of: &[u32]| {
            let mut rest = of.iter();
            part.iter().all(|wanted| rest.any(|found| found == wanted))
        };
        for before in &sequences {
            for after in sequences.iter().step_by(7) {
                let longest = (0..16u32)
                    .map(|chosen| {
                        let kept = before.iter().enumerate().filter(|(at, _)| chosen >> at & 1 == 1);
                        kept.map(|(_, number)| *number).collect::<Vec<u32>>()
                    })
                    .filter(|part| is_subsequence(part, after))
                    .map(|part| part.len())
                    .max();
                let pairs = common_subsequence(before, after);
                assert_eq!(Some(pairs.len()), longest, "{before:?} {after:?}");
                assert!(pairs.iter().all(|(a, b)| before.get(*a) == after.get(*b)));
                assert!(pairs.windows(2).all(|two| two[0].0 < two[1].0 && two[0].1 < two[1].1));
            }
        }
    }

    #[test]
    fn the_band_leaves_out_nothing_that_the_whole_table_finds() {
        let sequences: Vec<Vec<u32>> = (0..6u32)
            .flat_map(|length| {
                (0..3u32.pow(length))
                    .map(move |code| (0..length).map(|digit| code / 3u32.pow(digit) % 3).collect())
            })
            .collect();
        for before in &sequences {
            for after in &sequences {
                let band = Band::of(before, after).unwrap();
                let whole = Band { only_before: before.len(), only_after: after.len() };
                let found = band.by_table(before, after);
                assert_eq!(found, whole.by_table(before, after), "{before:?} {after:?}");
                let distance = before.len() + after.len() - 2 * found.len();
                assert_eq!(edit_distance(before, after, 10), Some(distance));
                assert_eq!(edit_distance(before, after, distance.saturating_sub(1)).is_none(), distance > 0);
            }
        }
    }

    #[test]
    fn long_sequences_with_few_differences_are_aligned() {
        let before: Vec<u32> = (0..20_000).collect();
        let mut after = before.clone();
        after.remove(3);
        after.insert(19_000, 77_777);
        assert_eq!(common_subsequence(&before, &after).len(), 19_999);
    }

    #[test]
    fn beyond_the_bound_beginning_and_end_are_common() {
        let side = u32::try_from(PAIRS).unwrap_or(u32::MAX).isqrt() + 10;
        let before: Vec<u32> = (0..side).collect();
        let mut after: Vec<u32> = before.iter().rev().copied().collect();
        after[0] = 0;
        *after.last_mut().unwrap() = side - 1;
        assert_eq!(common_subsequence(&before, &after).len(), 2);
    }
}
