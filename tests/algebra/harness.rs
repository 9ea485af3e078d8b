//! The laws of operations: soundness (L1), optimality (L2), monotonicity (L3), known in, known out (L4).

use plantime::{Result, Value};

use plantime::testing::concrete::Outcome;
use plantime::testing::gamma::{Abs, Bits};
use plantime::testing::ledger::Ledger;

mod answers;
mod binary;
mod effort;
mod unary;
mod violations;

pub(crate) use answers::Answers;
pub(crate) use binary::{Binary, Table, binary};
pub(crate) use effort::Effort;
pub(crate) use unary::{Unary, unary};
pub(crate) use violations::{Violations, kinds};

/// Checks one call with wholly known operands: L4, and the reference.
fn check_known(answer: &Result<Value>, wanted: &Outcome, wrong: &mut Violations, call: impl Fn() -> String) {
    match (answer, wanted) {
        (Ok(value), Some(con)) => {
            let abs = Abs::of(value);
            if !(value.is_wholly_known() && abs.is_wholly_known() && abs.may_become(con)) {
                wrong.add("L4", || format!("{} = {abs:?}, not {con:?}", call()));
            }
        }
        (Err(_), None) => {}
        (answer, wanted) => wrong.add("L4", || format!("{} = {answer:?}, not {wanted:?}", call())),
    }
}

/// Checks L1 and L2 of one call with abstract operands whose concrete calls have these outcomes; returns the number
/// of the answer.
pub(crate) fn check<'w>(
    answer: &Result<Value>,
    outcomes: &Bits,
    answers: &mut Answers<'w>,
    ledger: &mut Ledger,
    operands: &[&Abs],
    wrong: &mut Violations,
) -> Option<usize> {
    match answer {
        Err(error) => {
            if !outcomes.is_empty() {
                let world = answers.world;
                let outcome = outcomes.iter().next().map(|i| &world.concretes[i]);
                wrong.add(kinds("L1", operands), || {
                    format!("{operands:?} is an error ({error}), but can be {outcome:?}")
                });
            }
            None
        }
        Ok(value) => {
            let number = answers.number(value);
            if outcomes.is_empty() {
                wrong.add(kinds("L1", operands), || {
                    format!("{operands:?} = {:?}, but every outcome is an error", Abs::of(value))
                });
            } else if !outcomes.within(answers.gamma(number)) {
                let world = answers.world;
                let outside = outcomes.iter().find(|i| !answers.gamma(number).contains(*i));
                let outside = outside.map(|i| &world.concretes[i]);
                wrong.add(kinds("L1", operands), || {
                    format!("{operands:?} = {:?}, but can be {outside:?}", Abs::of(value))
                });
            } else if let Some(better) = answers.better(number, outcomes)
                && !ledger.excuses(operands)
            {
                wrong.add(kinds("L2", operands), || {
                    format!("{operands:?} = {:?}, but {better:?} holds all", Abs::of(value))
                });
            }
            Some(number)
        }
    }
}
