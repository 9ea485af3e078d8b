//! Random rules are of every kind.

use std::collections::BTreeSet;

use plantime::Type;
use plantime::rule::{Format, Rule, keywords};
use plantime::sample::{Sampler, Seed, Size};

/// The names of a rule and of all rules inside.
fn kinds<'r>(rule: &'r Rule, seen: &mut BTreeSet<&'r str>) {
    seen.insert(rule.name());
    match rule {
        Rule::At(_, rule) | Rule::Not(rule) | Rule::Keys(rule) => kinds(rule, seen),
        Rule::All(rules) | Rule::Any(rules) | Rule::Sequence(rules) => {
            rules.iter().for_each(|rule| kinds(rule, seen));
        }
        Rule::Implies(a, b) | Rule::When(a, b) => [a, b].into_iter().for_each(|rule| kinds(rule, seen)),
        _ => {}
    }
}

#[test]
fn random_rules_are_of_every_kind() {
    let types = [
        "string",
        "number",
        "list(string)",
        "tuple([number, bool])",
        "map(string)",
        "object({ a = number, b = number, c = string })",
    ];
    let mut rules: Vec<Rule> = Vec::new();
    for ty in types {
        let ty: Type = ty.parse().unwrap();
        for seed in 0..2_000 {
            rules.push(Sampler::new(&mut Seed::new(seed), Size::default()).rule_for(&ty));
        }
    }
    let mut seen = BTreeSet::new();
    rules.iter().for_each(|rule| kinds(rule, &mut seen));
    // A function has no text to read it from.
    let all = keywords().iter().filter(|keyword| !keyword.composed).map(|keyword| keyword.name).chain(["at"]);
    let missing: Vec<&str> = all.filter(|name| !seen.contains(name)).collect();
    assert!(missing.is_empty(), "random rules are never of these kinds, see src/sample/rule: {missing:?}");
    for format in Format::all() {
        assert!(rules.contains(&Rule::format(format)), "{format}");
    }
}

#[test]
fn values_have_about_as_many_parts_as_there_may_be() {
    let size = Size { depth: 5, parts: 64, width: 16, text: 4 };
    for seed in 0..5_000 {
        let value = Sampler::new(&mut Seed::new(seed), size).concrete();
        // A type is made first, of as many parts.
        assert!(value.parts().count() <= 3 * size.parts, "{}: {value:?}", value.parts().count());
    }
}
