//! Checks the laws of operations on two values.

use std::collections::HashMap;

use plantime::{Result, Value};

use super::{Answers, Violations, check, check_known};
use plantime::testing::concrete::{Con, Outcome};
use plantime::testing::gamma::Bits;
use plantime::testing::ledger::Ledger;
use plantime::testing::universe::{Universe, world};

/// An operation on two values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Binary {
    /// The name of the operation.
    pub(crate) name: &'static str,
    /// The reference: the result for concrete values.
    pub(crate) reference: fn(&Con, &Con) -> Outcome,
    /// The operation of the library.
    pub(crate) library: fn(&Value, &Value) -> Result<Value>,
}

/// All calls of an operation with pairs of concrete values.
#[derive(Debug)]
pub(crate) struct Table {
    /// The distinct results, as concrete values of the world.
    outcomes: Vec<usize>,
    /// For each pair of operands the index of the result; `None` is an error.
    rows: Vec<Vec<Option<usize>>>,
    /// The row and column of a concrete value of the world.
    place_of: HashMap<usize, usize>,
}

impl Table {
    /// Calls the operation with all pairs of these concrete values of the world, and checks L4.
    ///
    /// # Panics
    ///
    /// If the reference returns a value that is not of the world.
    pub(crate) fn of(op: &Binary, concretes: &[usize], wrong: &mut Violations) -> Table {
        let world = world();
        let mut outcomes: Vec<usize> = Vec::new();
        let mut outcome_of: HashMap<usize, usize> = HashMap::new();
        let operands: Vec<(&Con, Value)> =
            concretes.iter().map(|i| (&world.concretes[*i], world.concretes[*i].value())).collect();
        let mut rows = Vec::with_capacity(operands.len());
        for (a, x) in &operands {
            let mut row = Vec::with_capacity(operands.len());
            for (b, y) in &operands {
                let wanted = (op.reference)(a, b);
                check_known(&(op.library)(x, y), &wanted, wrong, || format!("{}({a:?}, {b:?})", op.name));
                row.push(wanted.map(|con| {
                    let number = world.number_of[&con];
                    *outcome_of.entry(number).or_insert_with(|| {
                        outcomes.push(number);
                        outcomes.len() - 1
                    })
                }));
            }
            rows.push(row);
        }
        let place_of = concretes.iter().enumerate().map(|(place, i)| (*i, place)).collect();
        Table { outcomes, rows, place_of }
    }
}

/// Checks L1, L2 and L3 on every pair of abstract values of two universes with the same concrete values, those of
/// the table. Returns the number of calls.
///
/// # Panics
///
/// If the universes have different concrete values.
pub(crate) fn binary(
    op: &Binary,
    (left, right): (&Universe, &Universe),
    Table { outcomes, rows, place_of }: &Table,
    ledger: &mut Ledger,
    wrong: &mut Violations,
) -> usize {
    let world = world();
    assert_eq!(left.concretes, right.concretes);
    let columns: Vec<Vec<usize>> = right
        .abstracts
        .iter()
        .map(|b| world.abstracts[*b].gamma.and(&right.mask).iter().map(|j| place_of[&j]).collect())
        .collect();
    // Call the operation with every pair of abstract values.
    let mut answers = Answers::new(world);
    let mut numbers: Vec<Vec<Option<usize>>> = Vec::with_capacity(left.abstracts.len());
    for &a in &left.abstracts {
        let a = &world.abstracts[a];
        let mut reached: Vec<Bits> = vec![Bits::none(outcomes.len().max(1)); rows.len()];
        for i in a.gamma.and(&left.mask).iter() {
            for (bits, outcome) in reached.iter_mut().zip(&rows[place_of[&i]]) {
                outcome.iter().for_each(|outcome| bits.insert(*outcome));
            }
        }
        let mut row = Vec::with_capacity(right.abstracts.len());
        for (&b, columns) in right.abstracts.iter().zip(&columns) {
            let b = &world.abstracts[b];
            let mut all = Bits::none(outcomes.len().max(1));
            columns.iter().for_each(|column| all.add(&reached[*column]));
            let mut wanted = Bits::none(world.concretes.len());
            all.iter().for_each(|outcome| wanted.insert(outcomes[outcome]));
            let answer = (op.library)(&a.value, &b.value);
            row.push(check(&answer, &wanted, &mut answers, ledger, &[&a.abs, &b.abs], wrong));
        }
        numbers.push(row);
    }
    // Check L3 for the left operand and for the right one.
    let mut monotone =
        |wide: Option<usize>, narrow: Option<usize>, operands: &dyn Fn() -> String| match (wide, narrow) {
            (_, None) => {}
            (None, Some(_)) => wrong.add("L3", || format!("{}: an error becomes an answer", operands())),
            (Some(wide), Some(narrow)) => {
                if wide != narrow && !answers.within(narrow, wide) {
                    wrong.add("L3", || format!("{}: the answer widens", operands()));
                }
            }
        };
    for &(wide, narrow) in &left.covering {
        for (j, &b) in right.abstracts.iter().enumerate() {
            monotone(numbers[wide][j], numbers[narrow][j], &|| {
                let [wide, narrow] = [wide, narrow].map(|i| &world.abstracts[left.abstracts[i]].abs);
                format!("{wide:?} to {narrow:?} with {:?}", world.abstracts[b].abs)
            });
        }
    }
    for &(wide, narrow) in &right.covering {
        for (i, row) in numbers.iter().enumerate() {
            monotone(row[wide], row[narrow], &|| {
                let [wide, narrow] = [wide, narrow].map(|i| &world.abstracts[right.abstracts[i]].abs);
                format!("{:?} with {wide:?} to {narrow:?}", world.abstracts[left.abstracts[i]].abs)
            });
        }
    }
    left.abstracts.len() * right.abstracts.len()
}
