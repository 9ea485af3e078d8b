//! The laws of operations: soundness (L1), optimality (L2), monotonicity (L3), known in, known out (L4).

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::time::Instant;

use plantime::{Result, Value};

use super::concrete::Con;
use super::concrete::{self, Outcome};
use super::gamma::{Abs, Bits};
pub(crate) use super::ledger::Ledger;
use super::universe::{Universe, World, world};

/// The names of all operations that the laws are tried on.
pub(crate) const OPERATIONS: [&str; 13] = [
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
    "range_includes",
    "assume_type",
];

pub(crate) struct Binary {
    pub(crate) name: &'static str,
    pub(crate) reference: fn(&Con, &Con) -> Outcome,
    pub(crate) library: fn(&Value, &Value) -> Result<Value>,
}

pub(crate) const BINARY: [Binary; 9] = [
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
];

pub(crate) struct Unary {
    pub(crate) name: &'static str,
    pub(crate) reference: fn(&Con) -> Outcome,
    pub(crate) library: fn(&Value) -> Result<Value>,
}

pub(crate) const UNARY: [Unary; 2] = [
    Unary { name: "not", reference: concrete::not, library: Value::not },
    Unary { name: "length", reference: concrete::length, library: Value::length },
];

/// The most concrete calls of an operation.
const CALLS: usize = 20_000_000;
/// How many kinds of violations a failing test shows.
const SHOWN: usize = 40;

/// Violations found: of each kind the number and an example.
#[derive(Default)]
pub(crate) struct Violations(BTreeMap<String, (usize, String)>);

impl Violations {
    pub(crate) fn add(&mut self, kind: impl Into<String>, example: impl FnOnce() -> String) {
        self.0.entry(kind.into()).or_insert_with(|| (0, example())).0 += 1;
    }

    pub(crate) fn merge(&mut self, other: Violations) {
        for (kind, (count, example)) in other.0 {
            self.0.entry(kind).or_insert((0, example)).0 += count;
        }
    }

    #[track_caller]
    pub(crate) fn none(self, what: &str) {
        let mut text = String::new();
        for (kind, (count, example)) in self.0.iter().take(SHOWN) {
            writeln!(text, "  {count} x {kind}: {example}").unwrap();
        }
        let all: usize = self.0.values().map(|(count, _)| count).sum();
        assert!(self.0.is_empty(), "{what}: {all} violations of {} kinds\n{text}", self.0.len());
    }
}

pub(crate) fn kinds(law: &str, operands: &[&Abs]) -> String {
    let kinds: Vec<String> = operands.iter().map(|operand| operand.kind()).collect();
    format!("{law} {}", kinds.join(", "))
}

/// Abstract answers with what they may become, each once.
pub(crate) struct Answers<'w> {
    world: &'w World,
    numbers: HashMap<Abs, usize>,
    all: Vec<(Abs, Bits)>,
    better: HashMap<(usize, Bits), Option<usize>>,
    within: HashMap<(usize, usize), bool>,
}

impl<'w> Answers<'w> {
    pub(crate) fn new(world: &'w World) -> Answers<'w> {
        Answers {
            world,
            numbers: HashMap::new(),
            all: Vec::new(),
            better: HashMap::new(),
            within: HashMap::new(),
        }
    }

    fn number(&mut self, value: &Value) -> usize {
        let abs = Abs::of(value);
        if let Some(number) = self.numbers.get(&abs) {
            return *number;
        }
        let gamma = self.world.gamma(&abs);
        self.all.push((abs.clone(), gamma));
        self.numbers.insert(abs, self.all.len() - 1);
        self.all.len() - 1
    }

    fn gamma(&self, number: usize) -> &Bits {
        &self.all[number].1
    }

    /// An abstract value of the world that holds all outcomes and may become less than the answer.
    fn better(&mut self, number: usize, outcomes: &Bits) -> Option<&'w Abs> {
        let key = (number, outcomes.clone());
        let (world, all) = (self.world, &self.all);
        let found = self.better.entry(key).or_insert_with(|| {
            let gamma = &all[number].1;
            world.abstracts.iter().position(|candidate| {
                outcomes.within(&candidate.gamma)
                    && candidate.gamma.within(gamma)
                    && candidate.gamma != *gamma
            })
        });
        found.map(|candidate| &world.abstracts[candidate].abs)
    }

    fn within(&mut self, narrow: usize, wide: usize) -> bool {
        let all = &self.all;
        *self.within.entry((narrow, wide)).or_insert_with(|| all[narrow].1.within(&all[wide].1))
    }
}

/// What an operation did: printed at the end.
pub(crate) struct Effort {
    pub(crate) abstracts: usize,
    pub(crate) concrete_calls: usize,
    pub(crate) abstract_calls: usize,
    start: Instant,
}

impl Effort {
    pub(crate) fn start() -> Effort {
        Effort { abstracts: 0, concrete_calls: 0, abstract_calls: 0, start: Instant::now() }
    }

    pub(crate) fn print(&self, name: &str, universes: &str) {
        println!(
            "{name:22} {universes:17} {:5} abstract values, {:8} concrete and {:8} abstract calls, {:5.2} s",
            self.abstracts,
            self.concrete_calls,
            self.abstract_calls,
            self.start.elapsed().as_secs_f64()
        );
        assert!(self.concrete_calls <= CALLS, "{name}: {} concrete calls", self.concrete_calls);
    }
}

/// L4, and agreement with the reference, on wholly known operands.
fn known(answer: &Result<Value>, wanted: &Outcome, wrong: &mut Violations, call: impl Fn() -> String) {
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

/// L1 and L2 of one abstract call.
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

/// Every concrete call of an operation on some concrete values: the reference, and the library beside it.
struct Table {
    /// The outcomes, as concrete values of the world.
    outcomes: Vec<usize>,
    /// For each two operands the place of the outcome; none is an error.
    rows: Vec<Vec<Option<usize>>>,
    /// The row and column of a concrete value of the world.
    place_of: HashMap<usize, usize>,
}

impl Table {
    fn of(op: &Binary, concretes: &[usize], wrong: &mut Violations) -> Table {
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
                known(&(op.library)(x, y), &wanted, wrong, || format!("{}({a:?}, {b:?})", op.name));
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

/// L1, L2 and L3 on every two abstract values of two universes that share their concrete values.
fn binary(
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
    // Every abstract call.
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
    // L3, on the left operand and on the right one.
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

pub(crate) fn unary(op: &Unary, universe: &Universe, ledger: &mut Ledger) -> (Violations, usize) {
    let start = Instant::now();
    let world = world();
    let mut wrong = Violations::default();
    let mut table: HashMap<usize, usize> = HashMap::new();
    for &i in &universe.concretes {
        let con = &world.concretes[i];
        let wanted = (op.reference)(con);
        known(&(op.library)(&con.value()), &wanted, &mut wrong, || format!("{}({con:?})", op.name));
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
    let effort = Effort {
        abstracts: universe.abstracts.len(),
        concrete_calls: universe.concretes.len(),
        abstract_calls: universe.abstracts.len(),
        start,
    };
    effort.print(op.name, universe.name);
    (wrong, universe.abstracts.len())
}

#[track_caller]
fn try_binary(name: &str) {
    let world = world();
    let op = BINARY.iter().find(|op| op.name == name).unwrap();
    let mut ledger = Ledger::of(name);
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
    let mut ledger = Ledger::of(name);
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

laws_of!(try_binary: equals, not_equal, and, or, less_than, greater_than, less_than_or_equal, greater_than_or_equal, index);
laws_of!(try_unary: not, length);
