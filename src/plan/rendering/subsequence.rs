//! The longest common subsequence of two sequences: the elements that a list keeps.

/// The maximum number of pairs of elements that are compared. Beyond it only what both sequences begin and end with is
/// common.
const PAIRS: usize = 1 << 20;

/// The pairs of positions of a longest common subsequence, ascending. Equal numbers stand for equal elements.
///
/// Takes memory and time for each pair of elements between the common beginning and the common end, up to [`PAIRS`].
pub(in crate::plan) fn common_subsequence(before: &[u32], after: &[u32]) -> Vec<(usize, usize)> {
    let start = before.iter().zip(after).take_while(|(a, b)| a == b).count();
    let (rest_before, rest_after) =
        (before.get(start..).unwrap_or_default(), after.get(start..).unwrap_or_default());
    let end = rest_before.iter().rev().zip(rest_after.iter().rev()).take_while(|(a, b)| a == b).count();
    let inner_before = rest_before.get(..rest_before.len().saturating_sub(end)).unwrap_or_default();
    let inner_after = rest_after.get(..rest_after.len().saturating_sub(end)).unwrap_or_default();
    let mut pairs: Vec<(usize, usize)> = (0..start).map(|at| (at, at)).collect();
    if inner_before.len().saturating_mul(inner_after.len()) <= PAIRS {
        let shifted = |(a, b): (usize, usize)| (a.saturating_add(start), b.saturating_add(start));
        pairs.extend(by_table(inner_before, inner_after).into_iter().map(shifted));
    }
    let tail = |at: usize| (before.len().saturating_sub(at), after.len().saturating_sub(at));
    pairs.extend((1..=end).rev().map(tail));
    pairs
}

/// The longest common subsequence, by a table of its lengths for all pairs of suffixes.
fn by_table(before: &[u32], after: &[u32]) -> Vec<(usize, usize)> {
    let width = after.len().saturating_add(1);
    let mut lengths = vec![0u32; width.saturating_mul(before.len().saturating_add(1))];
    let place = |i: usize, j: usize| i.saturating_mul(width).saturating_add(j);
    let at = |lengths: &[u32], i, j| lengths.get(place(i, j)).copied().unwrap_or(0);
    for (i, a) in before.iter().enumerate().rev() {
        for (j, b) in after.iter().enumerate().rev() {
            let (down, right) = (i.saturating_add(1), j.saturating_add(1));
            let length = if a == b {
                at(&lengths, down, right).saturating_add(1)
            } else {
                at(&lengths, down, j).max(at(&lengths, i, right))
            };
            if let Some(slot) = lengths.get_mut(place(i, j)) {
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
        } else if at(&lengths, down, j) >= at(&lengths, i, right) {
            i = down;
        } else {
            j = right;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::{PAIRS, common_subsequence};

    #[test]
    fn common_elements_are_paired_in_order() {
        assert_eq!(common_subsequence(&[1, 2, 3, 4], &[2, 5, 4]), [(1, 0), (3, 2)]);
        assert_eq!(common_subsequence(&[1, 2, 3], &[1, 2, 3]), [(0, 0), (1, 1), (2, 2)]);
        assert_eq!(common_subsequence(&[], &[1]), []);
        assert_eq!(common_subsequence(&[1, 2], &[2, 1]).len(), 1);
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
    fn beyond_the_bound_beginning_and_end_are_common() {
        let side = u32::try_from(PAIRS).unwrap_or(u32::MAX).isqrt() + 10;
        let before: Vec<u32> = (0..side).collect();
        let mut after: Vec<u32> = before.iter().rev().copied().collect();
        after[0] = 0;
        *after.last_mut().unwrap() = side - 1;
        assert_eq!(common_subsequence(&before, &after).len(), 2);
    }
}
