//! The language of a finite list of strings.

use std::collections::HashMap;

use super::hull::HullDescription;
use super::nfa::Builder;
use super::rows::{get, number};
use super::{Language, Result, STATES, TooLarge};

impl Language {
    /// The language of the given strings.
    ///
    /// The automaton is minimal while it grows: the strings are added in order, and what can no longer change is
    /// merged with an equal state. So ten thousand strings need no more memory than their result, and the
    /// construction stops as soon as the result is too large.
    ///
    /// [Example](Language::members)
    pub fn one_of<S: AsRef<str>>(literals: impl IntoIterator<Item = S>) -> Result {
        let literals: Vec<S> = literals.into_iter().collect();
        let mut sorted: Vec<&str> = literals.iter().map(AsRef::as_ref).collect();
        sorted.sort_unstable();
        sorted.dedup();
        let mut tree = Tree::default();
        for text in &sorted {
            if !tree.add(text) {
                return Err(TooLarge { hull: hull(&sorted) });
            }
        }
        let built = if sorted.is_empty() { Ok(Language::empty()) } else { tree.finish().build() };
        built.map_err(|_| TooLarge { hull: hull(&sorted) })
    }
}

/// The hull of the set of the given strings.
fn hull(literals: &[&str]) -> Language {
    let parts = literals.iter().map(|text| HullDescription::of_literal(text));
    parts.reduce(|all, one| all.join(&one)).map_or_else(Language::empty, |parts| parts.language())
}

/// A state: whether it accepts, and its transitions by ascending characters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Node {
    accepting: bool,
    edges: Vec<(char, u32)>,
}

/// A minimal automaton under construction: the states on the path of the string that was added last, and all states
/// that can no longer change.
struct Tree {
    /// Each final state and its number.
    registered: HashMap<Node, u32>,
    nodes: Vec<Node>,
    /// The states on the path, the start first, each with the character that leads to the next one.
    path: Vec<Node>,
    last: Vec<char>,
}

impl Default for Tree {
    fn default() -> Tree {
        Tree { registered: HashMap::new(), nodes: Vec::new(), path: vec![Node::default()], last: Vec::new() }
    }
}

impl Tree {
    /// Adds a string, which must be greater than those added before; returns false if there are too many states.
    fn add(&mut self, text: &str) -> bool {
        let chars: Vec<char> = text.chars().take(STATES.saturating_add(1)).collect();
        let shared = chars.iter().zip(&self.last).take_while(|(a, b)| a == b).count();
        self.register(shared);
        for _ in shared..chars.len() {
            self.path.push(Node::default());
        }
        if let Some(end) = self.path.last_mut() {
            end.accepting = true;
        }
        self.last = chars;
        // States that are registered are different states of the minimal automaton of all strings.
        self.nodes.len() < STATES && self.path.len() < STATES
    }

    /// Ends the changes to the states deeper than `depth` characters on the path: each is merged with an equal one,
    /// if there is one.
    fn register(&mut self, depth: usize) {
        while self.path.len() > depth.saturating_add(1) {
            let (Some(node), Some(c)) = (self.path.pop(), self.last.pop()) else { return };
            let known = *self.registered.entry(node).or_insert_with_key(|node| {
                self.nodes.push(node.clone());
                number(self.nodes.len()).saturating_sub(1)
            });
            if let Some(parent) = self.path.last_mut() {
                parent.edges.push((c, known));
            }
        }
    }

    /// The automaton of all strings.
    fn finish(mut self) -> Builder {
        self.register(0);
        let mut builder = Builder::new();
        let states: Vec<u32> = self.nodes.iter().map(|_| builder.state()).collect();
        let start = self.path.pop().unwrap_or_default();
        for (state, node) in std::iter::once((0, &start)).chain(states.iter().copied().zip(&self.nodes)) {
            if node.accepting {
                builder.accepting.push(state);
            }
            // Characters with the same target are one class.
            let mut by_target: Vec<(u32, u32)> =
                node.edges.iter().map(|(c, target)| (get(&states, *target), u32::from(*c))).collect();
            by_target.sort_unstable();
            for edges in by_target.chunk_by(|a, b| a.0 == b.0) {
                let ranges = super::alphabet::merged(edges.iter().map(|(_, c)| (*c, *c)).collect());
                if let Some((target, _)) = edges.first() {
                    builder.class(state, &ranges, *target);
                }
            }
        }
        builder
    }
}
