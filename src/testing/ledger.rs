//! The precision ledger: the operands for which an operation's answer is known to be less precise than possible
//! (L2).

use std::collections::BTreeMap;

use super::gamma::Abs;

/// The maximum share of an operation's abstract calls that one row may cover: 0.5 %.
const SHARE: f64 = 0.005;

/// One accepted loss of precision: the kinds of operands for which an operation may answer less precisely than
/// possible.
#[derive(Clone, Debug)]
pub struct Row {
    /// The kinds of the operands, as [`Abs::kind`] names them; a `*` at the end stands for anything.
    pub operands: Vec<String>,
    /// Why the loss is accepted.
    pub reason: String,
}

/// The accepted losses of precision of one operation, and the number of calls that each row covered so far.
#[derive(Debug, Default)]
pub struct Ledger {
    rows: Vec<Row>,
    used: BTreeMap<usize, usize>,
}

impl Ledger {
    /// A ledger with these rows, none of them used yet.
    pub fn new(rows: Vec<Row>) -> Ledger {
        Ledger { rows, used: BTreeMap::new() }
    }

    /// Whether some row accepts an imprecise answer for these operands. Counts the call for the first such row.
    pub fn excuses(&mut self, operands: &[&Abs]) -> bool {
        if self.rows.is_empty() {
            return false;
        }
        self.excuses_kinds(&operands.iter().map(|operand| operand.kind()).collect::<Vec<_>>())
    }

    /// Whether some row accepts an imprecise answer for operands of these kinds. Counts the call for the first such
    /// row.
    pub fn excuses_kinds(&mut self, kinds: &[String]) -> bool {
        let covering = self.rows.iter().position(|row| {
            row.operands.len() == kinds.len()
                && row.operands.iter().zip(kinds).all(|(operand, kind)| match operand.strip_suffix('*') {
                    Some(start) => kind.starts_with(start),
                    None => operand == kind,
                })
        });
        covering.is_some_and(|row| {
            *self.used.entry(row).or_default() += 1;
            true
        })
    }

    /// Messages for the rows that no call used, or that cover more than their share of the `tuples` calls in total.
    /// Empty if every row is in order.
    pub fn close(&self, tuples: usize) -> Vec<String> {
        let mut wrong = Vec::new();
        for (i, row) in self.rows.iter().enumerate() {
            let covered = self.used.get(&i).copied().unwrap_or(0);
            let name = format!("{:?} ({})", row.operands, row.reason);
            if covered == 0 {
                wrong.push(format!("ledger: row without use: {name}"));
            }
            if covered as f64 > SHARE * tuples as f64 {
                wrong.push(format!("ledger: {covered} of {tuples} tuples: {name}"));
            }
        }
        wrong
    }
}
