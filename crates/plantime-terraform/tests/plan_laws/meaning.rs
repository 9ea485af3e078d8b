//! What rules mean on values that are known: a second reading of the documentation, on trees.

use crate::kind::Kind;
use crate::rules::{Change, Guarded, Path, Rule, Step, Test};
use crate::tree::Tree;

/// A resource whose values are all known.
pub(crate) struct Known<'t> {
    pub(crate) kind: &'t Kind,
    pub(crate) after: &'t Tree,
    pub(crate) before: Option<&'t Tree>,
}

/// A place that a path leads to.
struct Place<'t> {
    value: &'t Tree,
    kind: Kind,
    /// The steps to it, a key or an index for each `[*]`.
    path: Path,
    in_set: bool,
}

/// The places of a path. A key, an index or an attribute that is not there is null; `[*]` of null has no places.
fn places<'t>(path: &[Step], kind: &Kind, value: &'t Tree) -> Vec<Place<'t>> {
    let mut here = vec![Place { value, kind: kind.clone(), path: Vec::new(), in_set: false }];
    for step in path {
        here = here.into_iter().flat_map(|place| advance(place, step)).collect();
    }
    here
}

fn advance<'t>(from: Place<'t>, step: &Step) -> Vec<Place<'t>> {
    let kind = from.kind.of_values();
    let in_set = from.in_set || matches!(kind, Kind::Set(_));
    let to = |value: &'t Tree, kind: Kind, step: Step| {
        let path = from.path.iter().cloned().chain([step]).collect();
        Place { value, kind, path, in_set }
    };
    let field = |name: &str| match &kind {
        Kind::Object(fields) => fields.iter().find(|(field, _)| *field == name).unwrap().1.clone(),
        Kind::Map(element) => (**element).clone(),
        kind => panic!("{name} below {kind:?}"),
    };
    let element = |index: usize| match &kind {
        Kind::List(element) | Kind::Set(element) => (**element).clone(),
        Kind::Tuple(kinds) => kinds[index].clone(),
        kind => panic!("[{index}] below {kind:?}"),
    };
    match (step, from.value) {
        (Step::Each, Tree::Array(items)) => items
            .iter()
            .enumerate()
            .map(|(index, item)| to(item, element(index), Step::Index(index)))
            .collect(),
        (Step::Each, Tree::Entries(entries)) => {
            entries.iter().map(|(key, entry)| to(entry, field(key), Step::Key(key))).collect()
        }
        (Step::Each, _) => Vec::new(),
        (Step::Dot(name) | Step::Key(name), value) => {
            vec![to(value.entry(name).unwrap_or(&Tree::Null), field(name), step.clone())]
        }
        (Step::Index(index), value) => {
            let item = match value {
                Tree::Array(items) => items.get(*index),
                _ => None,
            };
            vec![to(item.unwrap_or(&Tree::Null), element(*index), step.clone())]
        }
    }
}

/// Whether a rule holds of a resource.
pub(crate) fn holds(guarded: &Guarded, known: &Known<'_>) -> bool {
    guarded.when.as_ref().is_some_and(|when| !rule_holds(when, known)) || rule_holds(&guarded.rule, known)
}

pub(crate) fn rule_holds(rule: &Rule, known: &Known<'_>) -> bool {
    let is_set =
        |path: &Path| places(path, known.kind, known.after).iter().any(|place| *place.value != Tree::Null);
    let set = |paths: &[Path]| paths.iter().filter(|path| is_set(path)).count();
    match rule {
        Rule::At(path, test) => places(path, known.kind, known.after)
            .iter()
            .all(|place| test_holds(test, place.value, &place.kind.of_values())),
        Rule::Change(path, change) => {
            let Some(before) = known.before else { return true };
            places(path, known.kind, known.after)
                .iter()
                .all(|place| place.in_set || change_holds(*change, at(before, &place.path), place.value))
        }
        Rule::All(rules) => rules.iter().all(|rule| rule_holds(rule, known)),
        Rule::Any(rules) => rules.iter().any(|rule| rule_holds(rule, known)),
        Rule::Not(rule) => !rule_holds(rule, known),
        Rule::Implies(condition, consequence) => {
            !rule_holds(condition, known) || rule_holds(consequence, known)
        }
        Rule::ExactlyOneOf(paths) => set(paths) == 1,
        Rule::AtLeastOneOf(paths) => set(paths) >= 1,
        Rule::Conflicting(paths) => set(paths) <= 1,
        Rule::RequiredTogether(paths) => set(paths) == 0 || set(paths) == paths.len(),
        Rule::AlsoRequires(paths) => !is_set(&paths[0]) || set(paths) == paths.len(),
        Rule::RequiredWhen { path, one_of, required } => {
            let applies =
                places(path, known.kind, known.after).iter().any(|place| one_of.contains(place.value));
            !applies || set(required) == required.len()
        }
    }
}

/// What stands at a place of the value before; null where there is nothing.
fn at<'t>(before: &'t Tree, path: &[Step]) -> &'t Tree {
    path.iter().fold(before, |here, step| {
        let next = match (step, here) {
            (Step::Dot(name) | Step::Key(name), here) => here.entry(name),
            (Step::Index(index), Tree::Array(items)) => items.get(*index),
            _ => None,
        };
        next.unwrap_or(&Tree::Null)
    })
}

fn change_holds(change: Change, before: &Tree, after: &Tree) -> bool {
    match (change, before, after) {
        (Change::Immutable, before, after) => before == after,
        (Change::OnlyIncrease, Tree::Number(before), Tree::Number(after)) => after >= before,
        (Change::OnlyDecrease, Tree::Number(before), Tree::Number(after)) => after <= before,
        (Change::MultipleOfOld, Tree::Number(before), Tree::Number(after)) => after % before == 0,
        _ => true,
    }
}

fn test_holds(test: &Test, value: &Tree, kind: &Kind) -> bool {
    match (test, value) {
        (Test::NotNull, value) => return *value != Tree::Null,
        (Test::IsNull, value) => return *value == Tree::Null,
        (Test::Any(tests), value) => return tests.iter().any(|test| test_holds(test, value, kind)),
        // Null passes every other test.
        (_, Tree::Null) => return true,
        _ => {}
    }
    let length = || match value {
        Tree::Text(text) => text.chars().count(),
        Tree::Array(items) => items.len(),
        Tree::Entries(entries) => entries.len(),
        value => panic!("the length of {value:?}"),
    };
    let text = || match value {
        Tree::Text(text) => *text,
        value => panic!("{value:?} is no text"),
    };
    let number = || match value {
        Tree::Number(number) => *number,
        value => panic!("{value:?} is no number"),
    };
    let parts = || -> Vec<&Tree> {
        match value {
            Tree::Array(items) => items.iter().collect(),
            Tree::Entries(entries) => entries.iter().map(|(_, tree)| tree).collect(),
            value => panic!("{value:?} has no parts"),
        }
    };
    match test {
        Test::NotNull | Test::IsNull | Test::Any(_) => unreachable!("answered above"),
        Test::Equals(wanted) => value == wanted,
        Test::OneOf(wanted) => wanted.contains(value),
        Test::NoneOf(unwanted) => !unwanted.contains(value),
        Test::StartsWith(start) => text().starts_with(start),
        Test::EndsWith(end) => text().ends_with(end),
        Test::MinLen(least) => length() >= *least,
        Test::MaxLen(most) => length() <= *most,
        Test::Len(exact) => length() == *exact,
        Test::Min(least) => number() >= *least,
        Test::Max(most) => number() <= *most,
        Test::MultipleOf(factor) => number() % factor == 0,
        Test::Even => number() % 2 == 0,
        Test::NotZero => number() != 0,
        Test::Contains(part) => match (value, part) {
            (Tree::Text(text), Tree::Text(part)) => text.contains(part),
            _ => parts().contains(&part),
        },
        Test::HasKey(key) => value.entry(key).is_some(),
        Test::NoNulls => !parts().contains(&&Tree::Null),
        Test::Unique => {
            let parts = parts();
            (1..parts.len()).all(|i| !parts[..i].contains(&parts[i]))
        }
        Test::OneNotNull => parts().iter().filter(|part| ***part != Tree::Null).count() == 1,
        Test::Keys(test) => match value {
            Tree::Entries(entries) => {
                entries.iter().all(|(key, _)| test_holds(test, &Tree::Text(key), &Kind::String))
            }
            value => panic!("{value:?} has no keys"),
        },
        Test::TypeIs(_, wanted) => wanted == kind,
        Test::Not(test) => !test_holds(test, value, kind),
    }
}
