//! Whether two expressions are copies of one unknown value, which equals itself.

use crate::expression::dependencies::Dependency;
use crate::expression::identity::{self, Origin};
use crate::expression::tree::Node;
use plantime::{Step, Value, View};

use super::{Evaluator, Frame};

/// The maximum number of parts that are compared. Beyond it nothing is said.
const PARTS: usize = 256;

/// Whether the values at a path of two operands are certainly the same.
type IsOneOrigin<'a> = dyn Fn(&[Step]) -> bool + 'a;

impl Evaluator<'_> {
    /// Whether two expressions certainly have one value although it is not known: both hand on one value, or are containers of
    /// one kind whose parts are known and equal or hand on one value.
    pub(super) fn have_one_origin(
        &self,
        left: (&Node, &Value),
        right: (&Node, &Value),
        frame: Option<&Frame<'_>>,
    ) -> bool {
        self.are_one((left.1, right.1), &|path| {
            let one = [left.0, right.0].map(|node| self.handed_on(node, path, frame));
            let [Some(a), Some(b)] = &one else { return false };
            self.is_one_origin(a, b)
        })
    }

    /// Whether two values certainly are the same, where `is_one_origin` answers for the parts at a path that are not known.
    pub(super) fn are_one(&self, (a, b): (&Value, &Value), is_one_origin: &IsOneOrigin<'_>) -> bool {
        let mut todo = vec![(Vec::new(), a.clone(), b.clone())];
        let mut parts_left = PARTS;
        while let Some((path, a, b)) = todo.pop() {
            let Some(fewer) = parts_left.checked_sub(1) else { return false };
            parts_left = fewer;
            if a.is_wholly_known() && b.is_wholly_known() {
                let is_equal = |value: Value| value.unmark().0.as_bool().unwrap_or(false);
                if !a.equals(&b).is_ok_and(is_equal) {
                    return false;
                }
                continue;
            }
            if is_one_origin(&path) {
                continue;
            }
            let Some(children) = children(&a, &b) else { return false };
            for (step, a, b) in children {
                let mut path: Vec<Step> = path.clone();
                path.push(step);
                todo.push((path, a, b));
            }
        }
        true
    }

    /// What the part of a node is a copy of, unchanged; `None` if it is computed. Changes nothing that the evaluation has learnt so far.
    pub(super) fn handed_on(&self, node: &Node, path: &[Step], frame: Option<&Frame<'_>>) -> Option<Origin> {
        let state = &self.state;
        let before = (state.may_fail.get(), state.used_marks.take());
        let found = identity::origin(self, node, path, frame);
        state.may_fail.set(before.0);
        state.used_marks.replace(before.1);
        found
    }

    /// As [`handed_on`](Evaluator::handed_on), where that is the value of a name outside of all iterations.
    pub(super) fn named_origin(&self, node: &Node, frame: Option<&Frame<'_>>) -> Option<Dependency> {
        match self.handed_on(node, &[], frame)? {
            Origin::Named(name) => Some(name),
            Origin::Bound { .. } => None,
        }
    }

    /// Whether two origins are copies of one value.
    pub(super) fn is_one_origin(&self, a: &Origin, b: &Origin) -> bool {
        a == b
            || match (a, b) {
                (Origin::Named(a), Origin::Named(b)) => {
                    let is_one = self.origin(a).is_some_and(|origin| self.origin(b) == Some(origin));
                    if let Some(origins) = self.scope.origins.filter(|_| is_one) {
                        origins.are_one(a, b);
                    }
                    is_one
                }
                _ => false,
            }
    }

    /// The place that a reference copies its value from; `None` if that is not known.
    fn origin(&self, reference: &Dependency) -> Option<Dependency> {
        self.scope.origins.and_then(|origins| origins.origin(reference))
    }
}

/// The parts of two containers that are equal if all their parts are; `None` if there are no such parts, as in sets.
fn children(a: &Value, b: &Value) -> Option<Vec<(Step, Value, Value)>> {
    let (a, b) = (a.clone().unmark().0, b.clone().unmark().0);
    let (ty, other) = (a.ty(), b.ty());
    if ty != other && !ty.has_dynamic() && !other.has_dynamic() {
        return None;
    }
    match (a.view(), b.view()) {
        (View::List(a), View::List(b)) if a.len() == b.len() => {
            let pairs = a.iter().zip(b.iter()).enumerate();
            Some(pairs.map(|(at, (a, b))| (Step::index(at), a.clone(), b.clone())).collect())
        }
        (View::Tuple(a), View::Tuple(b)) if a.len() == b.len() => {
            let pairs = a.iter().zip(b.iter()).enumerate();
            Some(pairs.map(|(at, (a, b))| (Step::index(at), a.clone(), b.clone())).collect())
        }
        (View::Map(a), View::Map(b)) if a.len() == b.len() => {
            let pairs = a.iter().map(|(key, a)| Some((Step::attr(key), a.clone(), b.get(key)?.clone())));
            pairs.collect()
        }
        (View::Object(a), View::Object(b)) if a.len() == b.len() => {
            let pairs = a.iter().map(|(name, a)| Some((Step::attr(name), a.clone(), b.get(name)?.clone())));
            pairs.collect()
        }
        _ => None,
    }
}
