//! Compares two planned values, part by part.

use std::collections::BTreeSet;

use super::alignment::{self, Pair};
use super::{ValueDifference, ValueDifferenceKind};
use crate::plan::knowledge::side_marks::child_named;
use plantime::{Path, Step, Value, ValueRange, View};

/// Adds the parts in which two planned values differ.
pub(super) fn compare(first: &Value, second: &Value, found: &mut Vec<ValueDifference>) {
    Comparison { path: Path::new(), first_path: Path::new(), found }.compare(first, second);
}

/// The comparison of two values, at a place inside them.
struct Comparison<'f> {
    path: Path,
    /// The place in the first value: another element of a list may have become this one.
    first_path: Path,
    found: &'f mut Vec<ValueDifference>,
}

impl Comparison<'_> {
    /// Compares two parts. Values nest no deeper than the limit of plantime.
    fn compare(&mut self, first: &Value, second: &Value) {
        // Whether two secrets are equal is content too (L5).
        if first.is_marked() || second.is_marked() {
            return;
        }
        // Only parts that are not compared further inside are tested for equality, so that each part is visited once.
        match (first.view(), second.view()) {
            (View::Object(_) | View::Map(_), View::Object(_) | View::Map(_)) => self.entries(first, second),
            // A plan in JSON has no types of some values: a list is read as a tuple there.
            (View::List(_) | View::Tuple(_), View::List(_) | View::Tuple(_)) => {
                self.elements(elements(first), elements(second));
            }
            _ if first == second => {}
            (View::Set(_), View::Set(_)) if first.is_wholly_known() && second.is_wholly_known() => {
                self.members(first, second);
            }
            _ => self.add(kind(first, second), Some(first), Some(second)),
        }
    }

    /// Compares the elements of two lists, each with the one that it became.
    fn elements(&mut self, first: &[Value], second: &[Value]) {
        for pair in alignment::pairs(first, second, may_be_same) {
            let at = |list: &'_ [Value], index: usize| list.get(index).cloned();
            match pair {
                Pair::Both(i, j) => {
                    let (Some(a), Some(b)) = (first.get(i), second.get(j)) else { continue };
                    self.under_both(Step::index(i), Step::index(j), |comparison| comparison.compare(a, b));
                }
                Pair::Moved(i, j) => self.under_both(Step::index(i), Step::index(j), |comparison| {
                    comparison.add_both(ValueDifferenceKind::Moved, at(first, i), at(second, j));
                }),
                Pair::First(i) => self.under(Step::index(i), |comparison| {
                    comparison.add_both(ValueDifferenceKind::Different, at(first, i), None);
                }),
                Pair::Second(j) => self.under(Step::index(j), |comparison| {
                    comparison.add_both(ValueDifferenceKind::Different, None, at(second, j));
                }),
            }
        }
    }

    /// Compares the members of two sets that are known: those that only one of them has are differences.
    fn members(&mut self, first: &Value, second: &Value) {
        let members = |value: &Value| match value.view() {
            View::Set(set) => set.iter().cloned().collect::<BTreeSet<Value>>(),
            _ => BTreeSet::new(),
        };
        let (first, second) = (members(first), members(second));
        for lost in first.difference(&second) {
            self.under(Step::Index(lost.clone()), |comparison| {
                comparison.add(ValueDifferenceKind::Different, Some(lost), None);
            });
        }
        for new in second.difference(&first) {
            self.under(Step::Index(new.clone()), |comparison| {
                comparison.add(ValueDifferenceKind::Different, None, Some(new));
            });
        }
    }

    /// Compares attributes or entries by their name.
    fn entries(&mut self, first: &Value, second: &Value) {
        let names: BTreeSet<&str> = names(first).into_iter().chain(names(second)).collect();
        for name in names {
            let step = match first.view() {
                View::Map(_) => Step::index(name),
                _ => Step::attr(name),
            };
            let pair = (child_named(first, name), child_named(second, name));
            self.under(step, |comparison| match pair {
                (Some(first), Some(second)) => comparison.compare(first, second),
                (first, second) => comparison.add(ValueDifferenceKind::Different, first, second),
            });
        }
    }

    /// Runs `compare` on the parts that `step` leads to in both values.
    fn under(&mut self, step: Step, compare: impl FnOnce(&mut Self)) {
        self.under_both(step.clone(), step, compare);
    }

    /// Runs `compare` on the parts that the step `first` leads to in the first value, and `second` in the second value.
    fn under_both(&mut self, first: Step, second: Step, compare: impl FnOnce(&mut Self)) {
        self.first_path.push(first);
        self.path.push(second);
        compare(self);
        self.path.pop();
        self.first_path.pop();
    }

    /// Adds a difference at the current place.
    fn add(&mut self, kind: ValueDifferenceKind, first: Option<&Value>, second: Option<&Value>) {
        self.add_both(kind, first.cloned(), second.cloned());
    }

    /// Adds a difference at the current place.
    fn add_both(&mut self, kind: ValueDifferenceKind, first: Option<Value>, second: Option<Value>) {
        let (path, first_path) = (self.path.clone(), self.first_path.clone());
        self.found.push(ValueDifference { path, first_path, kind, first, second });
    }
}

/// The elements of a list or tuple.
fn elements(value: &Value) -> &[Value] {
    match value.view() {
        View::List(list) => list.as_slice(),
        View::Tuple(tuple) => tuple.as_slice(),
        _ => &[],
    }
}

/// The names of the attributes of an object, or the keys of a map.
fn names(value: &Value) -> Vec<&str> {
    match value.view() {
        View::Object(object) => object.iter().map(|(name, _)| name).collect(),
        View::Map(map) => map.iter().map(|(key, _)| key).collect(),
        _ => Vec::new(),
    }
}

/// How two parts differ; they are not equal, and are not compared further inside.
fn kind(first: &Value, second: &Value) -> ValueDifferenceKind {
    use ValueDifferenceKind::{Different, LessKnown, MoreKnown};

    if let (View::Set(a), View::Set(b)) = (first.view(), second.view())
        && a.member_count() == b.member_count()
    {
        return kind_of_members(a.iter().zip(b.iter()));
    }
    match (unknown_range(first), unknown_range(second)) {
        (Some(a), Some(b)) if contains(&a, &b) => MoreKnown,
        (Some(a), Some(b)) if contains(&b, &a) => LessKnown,
        (Some(a), None) if a.includes(second) != Some(false) => MoreKnown,
        (None, Some(b)) if b.includes(first) != Some(false) => LessKnown,
        (None, None) if may_be_same(first, second) && second.is_wholly_known() => MoreKnown,
        (None, None) if may_be_same(first, second) && first.is_wholly_known() => LessKnown,
        _ => Different,
    }
}

/// How two sets differ whose members are paired in their order: in one direction only if all members do, as members have no
/// place that would tell which of them became which.
fn kind_of_members<'v>(pairs: impl Iterator<Item = (&'v Value, &'v Value)>) -> ValueDifferenceKind {
    let mut found = Vec::new();
    for (first, second) in pairs {
        compare(first, second, &mut found);
    }
    let kinds: BTreeSet<ValueDifferenceKind> = found.iter().map(|difference| difference.kind).collect();
    match kinds.into_iter().collect::<Vec<_>>().as_slice() {
        [kind] => *kind,
        _ => ValueDifferenceKind::Different,
    }
}

/// Whether two values, at least one of which is partly unknown, may turn out as the same value.
fn may_be_same(first: &Value, second: &Value) -> bool {
    match (first.is_wholly_known(), second.is_wholly_known()) {
        (false, true) => first.may_become(second),
        (true, false) => second.may_become(first),
        _ => false,
    }
}

/// The range of a value that is unknown as a whole; `None` for other values.
fn unknown_range(value: &Value) -> Option<ValueRange> {
    matches!(value.view(), View::Unknown(_) | View::Dynamic).then(|| value.range())
}

/// Whether `range` includes every value that `other` includes.
fn contains(range: &ValueRange, other: &ValueRange) -> bool {
    range.ty().covers(other.ty()) && range.refinement().contains(other.refinement())
}
