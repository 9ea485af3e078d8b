//! The laws of the operations: soundness (L1), optimality (L2), monotonicity (L3), known in, known out (L4).

pub(crate) use super::harness::{Answers, Binary, Effort, Unary, Violations, check, kinds};
use super::harness::{Table, binary, unary};
use plantime::Value;

use super::concrete;
use super::ledger;
use super::universe::world;

/// The names of all operations that the laws are tried on.
pub(crate) const OPERATIONS: [&str; 19] = [
    "equals",
    "not_equal",
    "and",
    "or",
    "not",
    "less_than",
    "greater_than",
    "less_than_or_equal",
    "greater_than_or_equal",
    "length",
    "index",
    "has_index",
    "has_element",
    "get_attr",
    "join",
    "concat_text",
    "range_includes",
    "assume_type",
    "convert",
];

pub(crate) const BINARY: [Binary; 11] = [
    Binary { name: "equals", reference: concrete::equals, library: Value::equals },
    Binary { name: "not_equal", reference: concrete::not_equal, library: Value::not_equal },
    Binary { name: "and", reference: concrete::and, library: Value::and },
    Binary { name: "or", reference: concrete::or, library: Value::or },
    Binary { name: "less_than", reference: concrete::less_than, library: Value::less_than },
    Binary { name: "greater_than", reference: concrete::greater_than, library: Value::greater_than },
    Binary {
        name: "less_than_or_equal",
        reference: concrete::less_than_or_equal,
        library: Value::less_than_or_equal,
    },
    Binary {
        name: "greater_than_or_equal",
        reference: concrete::greater_than_or_equal,
        library: Value::greater_than_or_equal,
    },
    Binary { name: "index", reference: concrete::index, library: Value::index },
    Binary { name: "has_index", reference: concrete::has_index, library: Value::has_index },
    Binary { name: "has_element", reference: concrete::has_element, library: Value::has_element },
];

pub(crate) const UNARY: [Unary; 3] = [
    Unary { name: "not", reference: concrete::not, library: Value::not },
    Unary { name: "length", reference: concrete::length, library: Value::length },
    Unary { name: "get_attr", reference: |a| concrete::get_attr(a, "a"), library: |a| a.get_attr("a") },
];

#[track_caller]
fn try_binary(name: &str) {
    let world = world();
    let op = BINARY.iter().find(|op| op.name == name).unwrap();
    let mut ledger = ledger::of(name);
    let mut wrong = Violations::default();
    let mut effort = Effort::start();
    let mut pairs = vec![(&world.m, &world.m), (&world.nested, &world.s)];
    if name == "equals" {
        pairs.extend([(&world.s, &world.nested), (&world.nested, &world.nested)]);
    }
    let mut last: Option<(&[usize], Table)> = None;
    for (left, right) in pairs {
        let concretes = left.concretes.as_slice();
        let table = match last.take().filter(|(of, _)| *of == concretes) {
            Some((_, same)) => same,
            None => {
                effort.concrete_calls += concretes.len() * concretes.len();
                Table::of(op, concretes, &mut wrong)
            }
        };
        effort.abstract_calls += binary(op, (left, right), &table, &mut ledger, &mut wrong);
        last = Some((concretes, table));
    }
    effort.abstracts = world.m.abstracts.len() + world.nested.abstracts.len();
    effort.print(name, "M x M, nested x S");
    ledger.close(effort.abstract_calls).into_iter().for_each(|row| wrong.add("ledger", || row));
    wrong.none(name);
}

#[track_caller]
fn try_unary(name: &str) {
    let world = world();
    let op = UNARY.iter().find(|op| op.name == name).unwrap();
    let mut ledger = ledger::of(name);
    let mut wrong = Violations::default();
    let mut tuples = 0;
    for universe in [&world.m, &world.nested] {
        let (found, count) = unary(op, universe, &mut ledger);
        wrong.merge(found);
        tuples += count;
    }
    ledger.close(tuples).into_iter().for_each(|row| wrong.add("ledger", || row));
    wrong.none(name);
}

macro_rules! laws_of {
    ($try:ident: $($name:ident),*) => {$(
        #[test]
        fn $name() {
            $try(stringify!($name));
        }
    )*};
}

laws_of!(try_binary: equals, not_equal, and, or, less_than, greater_than, less_than_or_equal, greater_than_or_equal, index, has_index);
laws_of!(try_unary: not, length, get_attr);
