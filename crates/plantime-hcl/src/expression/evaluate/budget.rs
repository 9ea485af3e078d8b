//! What the evaluation of one expression has used up, and what it has learnt.

use std::cell::{Cell, RefCell};

use plantime::unstable::function::work;
use plantime::{Marks, Value};

use super::{Evaluated, Evaluator};
use crate::expression::diagnostic::{Diagnostic, Diagnostics};
use crate::expression::scope::Limits;
use crate::expression::tree::Node;

/// The maximum number of templates of `templatestring` inside each other.
const NESTED_TEMPLATES: u32 = 8;

/// The maximum number of wrong names for which the nearest name is looked for.
const SUGGESTIONS: u64 = 100;

/// The state of an evaluation, which the evaluators of nested templates share.
pub(super) struct State {
    limits: Limits,
    steps: Cell<u64>,
    iterations: Cell<u64>,
    text: Cell<u64>,
    templates: Cell<u32>,
    /// How many unknown functions were compared with the names of all functions.
    suggestions: Cell<u64>,
    /// Whether a node evaluated so far may fail for some values of its unknown operands: what `try` and `can` ask.
    pub(super) may_fail: Cell<bool>,
    /// Whether marked content is replaced by unknowns, to find out whether an error depends on it.
    pub(super) masked: Cell<bool>,
    /// Whether the cases of a collection are being tried one by one.
    pub(super) in_cases: Cell<bool>,
    /// The marks of the values that have been used.
    pub(super) used_marks: RefCell<Marks>,
}

impl State {
    pub(super) fn new(limits: Limits) -> State {
        State {
            limits,
            steps: Cell::new(0),
            iterations: Cell::new(0),
            text: Cell::new(0),
            templates: Cell::new(0),
            suggestions: Cell::new(0),
            may_fail: Cell::new(false),
            masked: Cell::new(false),
            in_cases: Cell::new(false),
            used_marks: RefCell::new(Marks::new()),
        }
    }
}

/// Adds to a counter, and returns whether it is still within the limit.
fn count(counter: &Cell<u64>, amount: u64, limit: u64) -> bool {
    counter.set(counter.get().saturating_add(amount));
    counter.get() <= limit
}

impl Evaluator<'_> {
    /// Records that what has been evaluated may fail for some values of its unknown operands.
    pub(super) fn may_fail(&self) {
        self.state.may_fail.set(true);
    }

    /// Records this number of steps.
    pub(super) fn count_steps(&self, steps: u64, node: &Node) -> Evaluated<()> {
        let (own, total) = (&self.state.limits, self.scope.total);
        if !count(&self.state.steps, steps, own.steps) {
            return Err(self.too_much(node, "steps", own.steps));
        }
        match total {
            Some(total) if !count(&total.steps, steps, total.limits().steps) => {
                Err(self.too_much_together(node, "steps", total.limits().steps))
            }
            _ => Ok(()),
        }
    }

    /// Records an iteration.
    pub(super) fn count_iteration(&self, node: &Node) -> Evaluated<()> {
        let (own, total) = (&self.state.limits, self.scope.total);
        if !count(&self.state.iterations, 1, own.iterations) {
            return Err(self.too_much(node, "iterations", own.iterations));
        }
        match total {
            Some(total) if !count(&total.iterations, 1, total.limits().iterations) => {
                Err(self.too_much_together(node, "iterations", total.limits().iterations))
            }
            _ => Ok(()),
        }
    }

    /// Records this number of bytes of text.
    pub(super) fn count_text(&self, bytes: usize, node: &Node) -> Evaluated<()> {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        let (own, total) = (&self.state.limits, self.scope.total);
        if !count(&self.state.text, bytes, own.text) {
            return Err(self.too_much(node, "bytes of text", own.text));
        }
        match total {
            Some(total) if !count(&total.text, bytes, total.limits().text) => {
                Err(self.too_much_together(node, "bytes of text", total.limits().text))
            }
            _ => Ok(()),
        }
    }

    /// Whether the budget still allows a search for the nearest name to a wrong one; counts it.
    pub(super) fn may_suggest(&self) -> bool {
        count(&self.state.suggestions, 1, SUGGESTIONS)
    }

    /// Counts the steps that a function takes for an argument or result of this size.
    pub(super) fn count_value(&self, value: &Value, node: &Node) -> Evaluated<()> {
        self.count_steps(work::of(value), node)
    }

    /// Counts the steps that the last call of a function took beside those for its arguments and its result.
    pub(super) fn count_work(&self, node: &Node) -> Evaluated<()> {
        self.count_steps(work::take(), node)
    }

    /// Runs inside a template of `templatestring`, of which only a few may be inside each other.
    pub(super) fn in_template<T>(&self, node: &Node, run: impl FnOnce() -> Evaluated<T>) -> Evaluated<T> {
        let depth = self.state.templates.get();
        if depth >= NESTED_TEMPLATES {
            return Err(self.too_much(node, "templates inside each other", NESTED_TEMPLATES.into()));
        }
        self.state.templates.set(depth.saturating_add(1));
        let result = run();
        self.state.templates.set(depth);
        result
    }

    /// The error for an evaluation that exceeds a limit. `what` is the counted noun: `iterations`.
    #[cold]
    fn too_much(&self, node: &Node, what: &str, limit: u64) -> Diagnostics {
        let detail = format!("The evaluation of this expression takes more than {limit} {what}.");
        Diagnostic::new(self.source, node.span.clone(), "Expression too complex", detail).of_limit().into()
    }

    /// The error for expressions that exceed a limit together.
    #[cold]
    fn too_much_together(&self, node: &Node, what: &str, limit: u64) -> Diagnostics {
        let detail = format!(
            "The evaluation of the configuration up to here takes more than {limit} {what}. What follows is not evaluated."
        );
        Diagnostic::new(self.source, node.span.clone(), "Configuration too complex", detail).of_limit().into()
    }
}
