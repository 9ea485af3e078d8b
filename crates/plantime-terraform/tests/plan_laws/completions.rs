//! What unknown places may turn out to be.

use std::collections::BTreeSet;

use crate::kind::{Kind, Nesting};
use crate::tree::Tree;

/// Every value that a planned value may be after the apply, over a small universe.
///
/// Members of a set that turn out equal are one member. A collection that is not known may turn out null (blocks do
/// not), empty, or with a few elements.
pub(crate) fn completions(tree: &Tree, kind: &Kind) -> Vec<Tree> {
    match (tree, kind) {
        (Tree::Unknown, kind) => values(kind),
        (Tree::Array(items), Kind::List(element)) => {
            products(items.iter().map(|item| completions(item, element)))
                .into_iter()
                .map(Tree::Array)
                .collect()
        }
        (Tree::Array(items), Kind::Set(element)) => {
            let all = products(items.iter().map(|item| completions(item, element)));
            all.into_iter().map(merged).collect::<BTreeSet<Tree>>().into_iter().collect()
        }
        (Tree::Array(items), Kind::Tuple(kinds)) => {
            let each = items.iter().zip(kinds).map(|(item, kind)| completions(item, kind));
            products(each).into_iter().map(Tree::Array).collect()
        }
        (Tree::Entries(entries), Kind::Map(element)) => {
            entries_of(entries, entries.iter().map(|(_, tree)| completions(tree, element)))
        }
        (Tree::Entries(entries), Kind::Object(fields)) => entries_of(
            entries,
            entries.iter().map(|(name, tree)| {
                let (_, kind) = fields.iter().find(|(field, _)| field == name).unwrap();
                completions(tree, kind)
            }),
        ),
        (tree, kind @ Kind::Block(..)) => completions(tree, &kind.of_values()),
        (tree, _) => vec![tree.clone()],
    }
}

/// A set with these members.
fn merged(members: Vec<Tree>) -> Tree {
    Tree::Array(members.into_iter().collect::<BTreeSet<Tree>>().into_iter().collect())
}

fn entries_of(entries: &[(&'static str, Tree)], each: impl Iterator<Item = Vec<Tree>>) -> Vec<Tree> {
    let names = entries.iter().map(|(name, _)| *name);
    products(each).into_iter().map(|values| Tree::Entries(names.clone().zip(values).collect())).collect()
}

/// Every choice of one from each.
pub(crate) fn products<T: Clone>(each: impl Iterator<Item = Vec<T>>) -> Vec<Vec<T>> {
    each.fold(vec![Vec::new()], |chosen, next| {
        let with = |one: &Vec<T>, more: &T| one.iter().chain([more]).cloned().collect();
        chosen.iter().flat_map(|one| next.iter().map(move |more| with(one, more))).collect()
    })
}

/// The keys that maps have.
const KEYS: [&str; 2] = ["k", "j"];

/// The universe of a kind: null and a few values.
pub(crate) fn values(kind: &Kind) -> Vec<Tree> {
    let mut all = vec![Tree::Null];
    match kind {
        Kind::Bool => all.extend([Tree::Bool(true), Tree::Bool(false)]),
        Kind::Number => all.extend([1, 4].map(Tree::Number)),
        Kind::String => all.extend(["a", "bb"].map(Tree::Text)),
        Kind::List(element) => {
            all.extend(lengths(element).into_iter().map(Tree::Array));
        }
        Kind::Set(element) => {
            all.extend(lengths(element).into_iter().map(merged).collect::<BTreeSet<Tree>>());
        }
        Kind::Map(element) => {
            for items in lengths(element) {
                for keys in [KEYS, [KEYS[1], KEYS[0]]] {
                    let mut entries: Vec<_> = keys.into_iter().zip(items.clone()).collect();
                    entries.sort();
                    all.push(Tree::Entries(entries));
                }
            }
            all.sort();
            all.dedup();
        }
        Kind::Tuple(kinds) => all.extend(products(kinds.iter().map(values)).into_iter().map(Tree::Array)),
        Kind::Object(fields) => {
            for values in products(fields.iter().map(|(_, kind)| values(kind))) {
                all.push(Tree::Entries(fields.iter().map(|(name, _)| *name).zip(values).collect()));
            }
        }
        Kind::Block(nesting, _) => {
            all = values(&kind.of_values());
            if *nesting != Nesting::Single {
                all.retain(|value| *value != Tree::Null);
            }
            // A block that is there is not null.
            all.retain(|value| match value {
                Tree::Array(items) => !items.contains(&Tree::Null),
                Tree::Entries(entries) if *nesting == Nesting::Map => {
                    entries.iter().all(|(_, tree)| *tree != Tree::Null)
                }
                _ => true,
            });
        }
    }
    all
}

/// No element, one, or two of the first few values of a kind.
fn lengths(element: &Kind) -> Vec<Vec<Tree>> {
    let universe = values(element);
    let few: Vec<Tree> = universe.iter().take(4).cloned().collect();
    let mut all = vec![Vec::new()];
    all.extend(universe.into_iter().map(|item| vec![item]));
    all.extend(products([few.clone(), few].into_iter()));
    all
}
