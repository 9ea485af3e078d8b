//! Conditions of rules: an answer, and what it depends on.

use std::ops::Range;
use std::sync::Arc;

use plantime::Value;

use super::dependencies::Dependency;
use super::diagnostic::{Diagnostics, ReferenceValue};
use super::evaluate::Evaluator;
use super::members::Members;
use super::scope::Scope;
use super::{Expression, tree};

/// What the condition of a rule says, and why.
#[derive(Clone, Debug)]
pub struct ConditionAnswer {
    /// A bool that may be unknown, for the values of the unknowns for which the condition is no error; or the error that it is for all.
    pub result: Result<Value, Diagnostics>,
    /// Whether the condition is an error for some values of the unknowns. Such a condition never passes.
    pub may_fail: bool,
    /// The unknown values that the answer depends on, at most [`WAITS_FOR`](Self::WAITS_FOR): empty for a condition that passes or fails.
    pub waits_for: Vec<Dependency>,
    /// What makes the condition false or an error, at most [`DECISIONS`](Self::DECISIONS).
    pub decided_by: Vec<Decision>,
    /// How many there are of these altogether.
    pub decision_count: usize,
    /// The bytes of the operands that are not known, in the order of the source: the condition passes if they turn out as it wants them.
    pub open: Vec<Range<usize>>,
}

impl ConditionAnswer {
    /// The maximum number of unknown values that are listed.
    pub const WAITS_FOR: usize = 32;
    /// The maximum number of decisions that are listed.
    pub const DECISIONS: usize = 5;

    /// Whether the condition holds: `None` if that is not known yet. An error, and null, is no.
    pub fn holds(&self) -> Option<bool> {
        match &self.result {
            Err(problems) if problems.is_limit() => None,
            Err(_) => Some(false),
            Ok(value) => match value.clone().unmark().0.as_bool() {
                Ok(true) if self.may_fail => None,
                Ok(truth) => Some(truth),
                Err(_) => None,
            },
        }
    }
}

/// A part of a condition that decides it.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The bytes of the part.
    pub span: Range<usize>,
    /// The member of a collection that the part is about, the innermost one that has a name.
    pub member: Option<Dependency>,
    /// The values of the references in the part.
    pub values: Vec<ReferenceValue>,
    /// The values that the part reads, by names outside of all iterations; at most [`ConditionAnswer::DECISIONS`].
    pub places: Vec<Dependency>,
}

/// The value of an expression of a rule that conditions refer to.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The value. It is unknown for a collection that is not complete.
    pub value: Value,
    /// The members, if the value is a collection of which it may be unknown what is there.
    pub members: Option<Arc<Members>>,
    /// Whether the expression is an error for some values of the unknowns.
    pub may_fail: bool,
    /// The unknown values that it depends on, at most [`ConditionAnswer::WAITS_FOR`].
    pub waits_for: Vec<Dependency>,
}

/// A function call in an expression.
#[derive(Clone, Debug)]
pub struct Call {
    /// The name of the function.
    pub name: Box<str>,
    /// The arguments.
    pub arguments: Vec<Expression>,
    /// Whether the last argument is followed by `...`.
    pub expands: bool,
    /// The bytes of the call.
    pub span: Range<usize>,
    /// The bytes of the name.
    pub name_span: Range<usize>,
}

impl Expression {
    /// Evaluates the expression as the condition of a rule.
    ///
    /// The [scope](Scope::for_rules) decides whether the rules of conditions hold inside it.
    #[doc(hidden)]
    pub fn evaluate_condition(&self, scope: &Scope<'_>) -> ConditionAnswer {
        Evaluator::new(scope, self.source()).answer(&self.root)
    }

    /// Evaluates an expression that conditions refer to by a name.
    ///
    /// # Errors
    ///
    /// As [`evaluate`](Expression::evaluate).
    #[doc(hidden)]
    pub fn evaluate_for_rules(&self, scope: &Scope<'_>) -> Result<Evaluation, Diagnostics> {
        Evaluator::new(scope, self.source()).evaluation(&self.root)
    }

    /// The names that are read one after another from each reference, those to names that a `for` binds and to the elements of splats
    /// too: `x`, `values`, `port` of `x.values[0].port`. The root of the elements of a splat is `*`. Keys that are no names are left out.
    #[doc(hidden)]
    pub fn name_chains(&self) -> Vec<Vec<String>> {
        let of_step = |step: &tree::Step| match &step.kind {
            tree::StepKind::Attribute(name) => Some(name.to_string()),
            tree::StepKind::Index(key) => match &key.kind {
                tree::Kind::Literal(key) => key.as_str().ok().map(str::to_owned),
                _ => None,
            },
        };
        let of_reference = |reference: &super::Reference| -> Vec<String> {
            let names = reference.steps().iter().filter_map(|step| match step.key() {
                super::ReferenceKey::Attribute(name) => Some(name.to_string()),
                super::ReferenceKey::Index(key) => key.as_str().ok().map(str::to_owned),
            });
            std::iter::once(reference.root().to_owned()).chain(names).collect()
        };
        let (mut chains, mut nodes) = (Vec::new(), vec![&*self.root]);
        while let Some(node) = nodes.pop() {
            match &node.kind {
                tree::Kind::Reference(reference) => chains.push(of_reference(reference)),
                tree::Kind::Access(of, steps) => {
                    let mut chain = match &of.kind {
                        tree::Kind::Reference(reference) => of_reference(reference),
                        _ => vec!["*".to_owned()],
                    };
                    chain.extend(steps.iter().filter_map(of_step));
                    chains.push(chain);
                }
                _ => {}
            }
            nodes.extend(node.children());
        }
        chains
    }

    /// All calls of functions in the order of the source, those in the arguments of others too.
    #[doc(hidden)]
    pub fn calls(&self) -> Vec<Call> {
        let call = |(node, call): (&tree::Node, &tree::Call)| Call {
            name: call.name.clone(),
            arguments: call.arguments.iter().map(|argument| self.part(argument.clone())).collect(),
            expands: call.expands,
            span: node.span.clone(),
            name_span: call.name_span.clone(),
        };
        self.call_nodes(true).into_iter().map(call).collect()
    }
}
