//! The nearest known name to a misspelt one: the one edit distance behind every "did you mean".

/// The candidate with the smallest edit distance to `name`; on a tie the first in alphabetical order. `None` if all
/// differ by more than a third of the letters of `name`, or by more than four.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = name.chars().count().div_ceil(3).min(4);
    let near = candidates.into_iter().map(|candidate| (distance(name, candidate), candidate));
    near.filter(|(distance, _)| *distance <= allowed).min().map(|(_, candidate)| candidate)
}

/// The first candidate at an edit distance below three, as Terraform offers names.
pub fn near_name<'a>(name: &str, mut candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let length = name.chars().count();
    // The distance is at least the difference of the lengths.
    candidates
        .find(|candidate| candidate.chars().count().abs_diff(length) < 3 && distance(name, candidate) < 3)
}

/// The edit distance: the number of letters to insert, remove, replace or swap with the next one. Ignores case.
/// Compares only the first 64 letters, so that a hostile name costs no quadratic time.
fn distance(a: &str, b: &str) -> usize {
    let letters = |name: &str| name.chars().take(64).flat_map(char::to_lowercase).collect::<Vec<char>>();
    let (a, b) = (letters(a), letters(b));
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    let at = |row: Option<&Vec<usize>>, column: usize| {
        row.and_then(|row| row.get(column)).copied().unwrap_or(usize::MAX)
    };
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i.saturating_add(1)];
        let before = i.checked_sub(1).and_then(|before| Some((before, a.get(before)?)));
        for (j, y) in b.iter().enumerate() {
            let replaced = at(rows.get(i), j).saturating_add(usize::from(x != y));
            let removed = at(rows.get(i), j.saturating_add(1)).saturating_add(1);
            let inserted = row.last().copied().unwrap_or(usize::MAX).saturating_add(1);
            let swapped = match (before, j.checked_sub(1).and_then(|before| Some((before, b.get(before)?)))) {
                (Some((above, w)), Some((left, z))) if w == y && z == x => {
                    at(rows.get(above), left).saturating_add(1)
                }
                _ => usize::MAX,
            };
            row.push(replaced.min(removed).min(inserted).min(swapped));
        }
        rows.push(row);
    }
    at(rows.last(), b.len())
}

#[cfg(test)]
mod tests {
    use super::{distance, nearest};

    #[test]
    fn distances_are_the_usual_ones() {
        for (a, b, expected) in [
            ("", "", 0),
            ("a", "", 1),
            ("kitten", "sitting", 3),
            ("abc", "abc", 0),
            ("ab", "ba", 1),
            ("kye", "key", 1),
        ] {
            assert_eq!(distance(a, b), expected, "{a} {b}");
            assert_eq!(distance(b, a), expected, "{b} {a}");
        }
    }

    #[test]
    fn only_near_names_are_offered() {
        assert_eq!(nearest("vpc_ip", ["arn", "vpc_id"]), Some("vpc_id"));
        assert_eq!(nearest("starts_wiht", ["ends_with", "starts_with"]), Some("starts_with"));
        assert_eq!(nearest("zzz", ["arn", "vpc_id"]), None);
    }
}
