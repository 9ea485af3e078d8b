//! Checks the laws of operations on one value.

use std::collections::HashMap;

use plantime::{Result, Value};

use super::{Answers, Effort, Violations, check, check_known};
use plantime::testing::concrete::{Con, Outcome};
use plantime::testing::gamma::Bits;
use plantime::testing::ledger::Ledger;
use plantime::testing::universe::{Universe, world};

/// An operation on one value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unary {
    /// The name of the operation.
    pub(crate) name: &'static str,
    /// The reference: the result for concrete values.
    pub(crate) reference: fn(&Con) -> Outcome,
    /// The operation of the library.
    pub(crate) library: fn(&Value) -> Result<Value>,
}

/// Checks all laws on every value of a universe. Returns the violations and the number of abstract calls.
///
/// # Panics
///
/// If the reference returns a value that is not of the world.
pub(crate) fn unary(op: &Unary, universe: &Universe, ledger: &mut Ledger) -> (Violations, usize) {
    let mut effort = Effort::start();
    let world = world();
    let mut wrong = Violations::default();
    let mut table: HashMap<usize, usize> = HashMap::new();
    for &i in &universe.concretes {
        let con = &world.concretes[i];
        let wanted = (op.reference)(con);
        check_known(&(op.library)(&con.value()), &wanted, &mut wrong, || format!("{}({con:?})", op.name));
        wanted.into_iter().for_each(|outcome| {
            table.insert(i, world.number_of[&outcome]);
        });
    }
    let mut answers = Answers::new(world);
    let mut numbers = Vec::new();
    for &a in &universe.abstracts {
        let a = &world.abstracts[a];
        let mut wanted = Bits::none(world.concretes.len());
        a.gamma.and(&universe.mask).iter().filter_map(|i| table.get(&i)).for_each(|i| wanted.insert(*i));
        let answer = (op.library)(&a.value);
        numbers.push(check(&answer, &wanted, &mut answers, ledger, &[&a.abs], &mut wrong));
    }
    for &(wide, narrow) in &universe.covering {
        let operands = || [wide, narrow].map(|i| &world.abstracts[universe.abstracts[i]].abs);
        match (numbers[wide], numbers[narrow]) {
            (_, None) => {}
            (None, Some(_)) => wrong.add("L3", || format!("{:?}: an error becomes an answer", operands())),
            (Some(wide), Some(narrow)) => {
                if !answers.within(narrow, wide) {
                    wrong.add("L3", || format!("{:?}: the answer widens", operands()));
                }
            }
        }
    }
    effort.abstracts = universe.abstracts.len();
    effort.abstract_calls = universe.abstracts.len();
    effort.concrete_calls = universe.concretes.len();
    effort.print(op.name, universe.name);
    (wrong, universe.abstracts.len())
}
