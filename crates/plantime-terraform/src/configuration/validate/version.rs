//! Constraints on versions.

use std::cmp::Ordering;

/// The first version of Terraform that the library follows: a constraint that allows no later version is refused.
const FIRST: [u64; 3] = [1, 0, 0];

/// The operators of a condition; those of two characters first.
const OPERATORS: [&str; 7] = ["!=", ">=", "<=", "~>", "=", ">", "<"];

/// The operator and the version of each condition of a constraint.
fn conditions(text: &str) -> impl Iterator<Item = (&'static str, &str)> {
    text.split(',').map(|condition| {
        let condition = condition.trim();
        let found =
            OPERATORS.iter().find_map(|operator| Some((*operator, condition.strip_prefix(operator)?)));
        let (operator, version) = found.unwrap_or(("=", condition));
        (operator, version.trim_start().trim_start_matches('v'))
    })
}

/// Whether a text is a list of conditions on versions: `>= 1.2, < 2.0.0-beta1`.
pub(super) fn is_version_constraint(text: &str) -> bool {
    conditions(text).all(|(_, version)| {
        let (numbers, rest) = version.split_at(version.find(['-', '+']).unwrap_or(version.len()));
        let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let is_tag = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '.' | '~');
        numbers.split('.').all(is_number) && rest.chars().all(is_tag)
    })
}

/// The first condition of a constraint whose version is a pre-release: `>= 1.2.0-beta1`.
pub(super) fn prerelease(text: &str) -> Option<&str> {
    text.split(',').map(str::trim).find(|condition| condition.contains('-'))
}

/// Whether a constraint certainly excludes each version of Terraform from 1.0 on.
pub(super) fn excludes_every_version(text: &str) -> bool {
    let Some(conditions) = conditions(text)
        .map(|(operator, version)| Some((operator, numbers(version)?)))
        .collect::<Option<Vec<_>>>()
    else {
        return false;
    };
    // The conditions change their answers only at these versions and right behind them.
    let mut candidates = vec![FIRST.to_vec(), vec![u64::MAX]];
    for (_, version) in &conditions {
        let mut behind = version.clone();
        behind.resize(version.len().max(3), 0);
        let mut next = behind.clone();
        next.push(1);
        candidates.extend([behind, next]);
    }
    let is_allowed = |candidate: &Vec<u64>| {
        compare(candidate, &FIRST) != Ordering::Less
            && conditions.iter().all(|(operator, version)| holds(operator, candidate, version))
    };
    !candidates.iter().any(is_allowed)
}

/// The numbers of a version without a tag; `None` if it has one.
fn numbers(version: &str) -> Option<Vec<u64>> {
    version.split('.').map(|part| part.parse().ok()).collect()
}

/// Whether a version fulfils a condition.
fn holds(operator: &str, version: &[u64], bound: &[u64]) -> bool {
    let order = compare(version, bound);
    match operator {
        "!=" => order != Ordering::Equal,
        ">=" => order != Ordering::Less,
        "<=" => order != Ordering::Greater,
        ">" => order == Ordering::Greater,
        "<" => order == Ordering::Less,
        // All numbers but the last are fixed.
        "~>" => {
            let fixed = bound.len().saturating_sub(1).max(1);
            order != Ordering::Less && version.get(..fixed) == bound.get(..fixed)
        }
        _ => order == Ordering::Equal,
    }
}

/// The order of two versions, in which missing numbers are zero.
fn compare(a: &[u64], b: &[u64]) -> Ordering {
    let number = |version: &[u64], at: usize| version.get(at).copied().unwrap_or_default();
    (0..a.len().max(b.len()))
        .map(|at| number(a, at).cmp(&number(b, at)))
        .find(|order| *order != Ordering::Equal)
        .unwrap_or(Ordering::Equal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constraint_is_impossible_if_no_version_fulfils_it() {
        for excluding in [
            "< 1.0",
            "<= 0.15",
            "~> 0.12.0",
            "0.13",
            "= 0.11.14",
            "> 2, < 1.5",
            "~> 1.2, ~> 1.3.0, != 1.3.0, < 1.3.1",
            "1.2, 1.3",
        ] {
            let is_real = excluding != "~> 1.2, ~> 1.3.0, != 1.3.0, < 1.3.1";
            assert_eq!(excludes_every_version(excluding), is_real, "{excluding}");
        }
        for allowing in [
            "",
            "< 1.0.1",
            "<= 1",
            ">= 0.12",
            "~> 1.0",
            "~> 0.12",
            ">= 99",
            "!= 1.0.0",
            "< 1.0.0-beta1",
            "1.3",
            "> 1.0, < 1.0.1",
        ] {
            // Pessimistic constraints of one or two numbers leave the last one open.
            let is_old = allowing == "~> 0.12";
            assert_eq!(excludes_every_version(allowing), is_old, "{allowing}");
        }
    }
}
