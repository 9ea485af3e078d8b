//! Shrinks rules to the same kind of rule with simpler arguments.

use super::super::scalars::{numbers, texts};
use super::super::types::{self, with, without};
use super::super::values;
use crate::rule::{ExprStep, Networks, Operand, PathExpr, Pattern, Read, Requirement, Rule, Schemes, Words};
use crate::value::Value;

/// Rules of the same keyword with a simpler argument. Empty for rules without arguments, formats, and functions;
/// rules with inner rules are handled elsewhere.
pub(super) fn smaller(rule: &Rule) -> Vec<Rule> {
    let Some(row) = rule.keyword() else { return Vec::new() };
    match (row.read, rule.operand()) {
        (Read::Value(of), Operand::Value(operand)) => value(operand).into_iter().map(of).collect(),
        (Read::Values(of), Operand::Values(operands)) => simpler_items(operands, value, of),
        (Read::Text(of), Operand::Text(text)) => texts(text).into_iter().map(of).collect(),
        (Read::Length(of), Operand::Length(rule)) => counts(rule.length).map(of).collect(),
        (Read::Number(of) | Read::Bound(of, _), Operand::Number(number)) => {
            numbers(number).into_iter().map(of).collect()
        }
        (Read::Type(of), Operand::Type(ty)) => types::smaller(ty).into_iter().map(of).collect(),
        (Read::Pattern(of), Operand::Pattern(pattern)) => {
            let simpler = texts(pattern.as_str()).into_iter();
            simpler.filter_map(|text| of(Pattern::new(&text).ok()?).ok()).collect()
        }
        (Read::Words(of), Operand::Words(words)) => {
            simpler_items(words.texts(), |text| texts(text), Words::new)
                .into_iter()
                .flatten()
                .map(of)
                .collect()
        }
        (Read::Schemes(of), Operand::Schemes(schemes)) => {
            let fewer = simpler_items(schemes.names(), |name| texts(name), Schemes::new).into_iter();
            fewer.flatten().map(of).collect()
        }
        (Read::Networks(of), Operand::Networks(networks)) => {
            let (least, most) = (networks.least(), networks.most());
            let lowered = counts(least.into()).filter_map(|least| Some((u8::try_from(least).ok()?, most)));
            let narrowed = (most > least).then_some((least, least));
            let networks =
                lowered.chain(narrowed).filter_map(|(least, most)| Networks::new(least, most).ok());
            networks.map(of).collect()
        }
        (Read::Keys(of_all, of_some), Operand::Keys(Some(keys))) => {
            let fewer = simpler_items(keys, |key| texts(key), of_some);
            std::iter::once(of_all()).chain(fewer).collect()
        }
        (Read::Paths(of), Operand::Paths(paths)) => simpler_items(&owned(paths), path, of),
        (Read::FirstPath(of), Operand::Paths(paths)) => match owned(paths).split_first() {
            Some((first, others)) => {
                let shorter = path(first).into_iter().map(|first| of(first, others.to_vec()));
                shorter.chain(simpler_items(others, path, |others| of(first.clone(), others))).collect()
            }
            None => Vec::new(),
        },
        (Read::TwoPaths(of), Operand::Paths(paths)) => match paths.as_slice() {
            [first, other] => {
                let shorter = path(first).into_iter().map(|first| of(first, (*other).clone()));
                let others = path(other).into_iter().map(|other| of((*first).clone(), other));
                shorter.chain(others).collect()
            }
            _ => Vec::new(),
        },
        (Read::Requirement(of), Operand::Requirement(Requirement { path: place, one_of, required })) => {
            let of = |path: &PathExpr, one_of: &[Value], required: &[PathExpr]| {
                let (one_of, required) = (one_of.to_vec(), required.to_vec());
                of(Requirement { path: path.clone(), one_of, required })
            };
            let shorter = path(place).into_iter().map(|place| of(&place, one_of, required));
            let values = simpler_items(one_of, value, |one_of| of(place, &one_of, required));
            let fewer = simpler_items(required, path, |required| of(place, one_of, &required));
            shorter.chain(values).chain(fewer).collect()
        }
        _ => Vec::new(),
    }
}

/// Clones the paths.
fn owned(paths: Vec<&PathExpr>) -> Vec<PathExpr> {
    paths.into_iter().cloned().collect()
}

/// The results of `of` for the lists that are simpler than `items`: with one item left out, or one replaced by each
/// of its `simpler` ones.
fn simpler_items<T: Clone, O>(
    items: &[T],
    simpler: impl Fn(&T) -> Vec<T>,
    of: impl Fn(Vec<T>) -> O,
) -> Vec<O> {
    let mut all: Vec<O> = (0..items.len()).map(|place| of(without(items, place))).collect();
    for (place, item) in items.iter().enumerate() {
        all.extend(simpler(item).into_iter().map(|item| of(with(items, place, item))));
    }
    all
}

/// The values of the same type that are simpler than a value.
fn value(value: &Value) -> Vec<Value> {
    values::smaller(value, false).collect()
}

/// Numbers smaller than a count: 0, the half, and one less. Empty for 0.
fn counts(count: u64) -> impl Iterator<Item = u64> {
    let half = count.checked_div(2).unwrap_or(0);
    [0, half, count.saturating_sub(1)].into_iter().filter(move |less| *less < count)
}

/// The path expressions that are simpler than a path expression: without one step, or with one step simpler.
pub(super) fn path(path: &PathExpr) -> Vec<PathExpr> {
    simpler_items(path.steps(), step, PathExpr::from_steps).into_iter().flatten().collect()
}

/// The steps that are simpler than a step of a path: a shorter name or key, or a smaller index.
fn step(step: &ExprStep) -> Vec<ExprStep> {
    match step {
        ExprStep::Attr(name) => texts(name).into_iter().map(ExprStep::Attr).collect(),
        ExprStep::Key(key) => texts(key).into_iter().map(ExprStep::Key).collect(),
        ExprStep::Index(index) => counts(*index).map(ExprStep::Index).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::smaller;
    use crate::rule::{Argument, Rule, from_keyword, keywords};
    use crate::types::Type;
    use crate::value;
    use crate::value::Value;

    /// A rule of each kind that has an argument, and what it shrinks to where every step fails.
    fn kinds() -> Vec<(&'static str, Value, &'static str)> {
        let requirement = value!({ "path": "b.c", "one_of": [1, 2], "required": ["b", "c[3]"] });
        let paths = || value!(["a", "b[*].c", "<.d"]).unwrap();
        let texts = || value!(["ab", "cd"]).unwrap();
        vec![
            ("equals", "abc".into(), r#"equals("")"#),
            ("one_of", texts(), "one_of()"),
            ("none_of", texts(), "none_of()"),
            ("starts_with", "abc".into(), r#"starts_with("")"#),
            ("ends_with", "abc".into(), r#"ends_with("")"#),
            ("not_before", "abc".into(), r#"not_before("")"#),
            ("not_after", "abc".into(), r#"not_after("")"#),
            ("contains", "abc".into(), r#"contains("")"#),
            ("min_len", 9.into(), "min_len(0)"),
            ("max_len", 9.into(), "max_len(0)"),
            ("len", 9.into(), "len(0)"),
            ("min_byte_len", 9.into(), "min_byte_len(0)"),
            ("max_byte_len", 9.into(), "max_byte_len(0)"),
            ("byte_len", 9.into(), "byte_len(0)"),
            ("min_grapheme_len", 9.into(), "min_grapheme_len(0)"),
            ("max_grapheme_len", 9.into(), "max_grapheme_len(0)"),
            ("grapheme_len", 9.into(), "grapheme_len(0)"),
            ("multiple_of", 12.into(), "multiple_of(0)"),
            ("one_of_ignoring_case", texts(), "one_of_ignoring_case()"),
            ("none_of_ignoring_case", texts(), "none_of_ignoring_case()"),
            ("has_key", "abc".into(), r#"has_key("")"#),
            ("min", 12.into(), "min(0)"),
            ("max", 12.into(), "max(0)"),
            ("matches", "^(a|b)$".into(), r#"matches("")"#),
            ("exactly_one_of", paths(), "exactly_one_of()"),
            ("at_least_one_of", paths(), "at_least_one_of()"),
            ("conflicting", paths(), "conflicting()"),
            ("required_together", paths(), "required_together()"),
            ("also_requires", paths(), "also_requires()"),
            ("required_when", requirement.unwrap(), "required_when(the value is one of )"),
            ("prefer_write_only", value!(["a", "b.c"]).unwrap(), "prefer_write_only(, )"),
            ("one_not_null", texts(), "one_not_null"),
            ("at_least_sum_of", paths(), "at_least_sum_of()"),
            ("at_most_sum_of", paths(), "at_most_sum_of()"),
            ("equal_to_sum_of", paths(), "equal_to_sum_of()"),
            ("equal_to_product_of", paths(), "equal_to_product_of()"),
            ("type_is", "list(object({a = string}))".into(), "type_is(bool)"),
            ("url", texts(), "url()"),
            ("cidr_network", value!([8, 24]).unwrap(), "cidr_network(0, 0)"),
        ]
    }

    fn ends_at(mut rule: Rule) -> String {
        for _ in 0..100 {
            match smaller(&rule).into_iter().next() {
                Some(simpler) => rule = simpler,
                None => return rule.to_string(),
            }
        }
        panic!("{rule}");
    }

    #[test]
    fn every_kind_with_an_argument_shrinks_to_the_simplest() {
        let mut seen = BTreeSet::from(["format"]);
        for (name, argument, end) in kinds() {
            seen.insert(name);
            let rule = from_keyword(name, &argument).unwrap().unwrap();
            assert_eq!(ends_at(rule), end, "{name}");
        }
        let inside = |argument| matches!(argument, Argument::Flag | Argument::Rule | Argument::Rules);
        let single = keywords().iter().filter(|keyword| !keyword.composed && !inside(keyword.argument));
        assert_eq!(seen, single.map(|keyword| keyword.name).collect());
    }

    #[test]
    fn rules_with_rules_inside_shrink_to_one_of_them() {
        let inside = || Rule::starts_with("ab");
        let around = [
            Rule::all([inside(), inside()]),
            Rule::any([inside()]),
            Rule::sequence([inside()]),
            Rule::not(inside()),
            Rule::implies(inside(), Rule::IsNull),
            Rule::when(inside(), Rule::NotNull),
            Rule::at("a[0]".parse().unwrap(), inside()),
        ];
        for rule in around {
            let rule = rule.unwrap();
            assert_eq!(smaller(&rule)[0], inside(), "{rule}");
            assert_eq!(ends_at(rule), r#"starts_with("")"#);
        }
        assert_eq!(ends_at(Rule::keys(inside()).unwrap()), r#"keys(starts_with(""))"#);
        let place = Rule::at("b[3].c".parse().unwrap(), Rule::type_is(Type::Bool)).unwrap();
        let shorter: Vec<String> = smaller(&place).iter().map(Rule::to_string).collect();
        assert!(shorter.contains(&"at(b[0].c, type_is(bool))".to_owned()), "{shorter:?}");
    }
}
