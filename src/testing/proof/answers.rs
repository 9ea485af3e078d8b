//! The distinct answers of an operation for abstract operands, with the concrete values that each may become.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use crate::Value;

use super::super::concrete::Con;
use super::super::domain::{Domain, far};
use super::super::gamma::{Abs, Bits};
use super::super::universe::{World, world};

/// The maximum number of results outside the fixed universe of test values (the world) on which answers are compared.
const SAMPLE: usize = 1_000;

/// The distinct answers of an operation for abstract operands, each with the set of concrete values that it may
/// become. An answer is named by its index in `all`, a result of the known calls by its index in `outcomes`.
pub(super) struct Answers<'o> {
    world: &'static World,
    outcomes: &'o [Con],
    /// The index of each result in the world, if it is there.
    in_world: Vec<Option<usize>>,
    /// Concrete values outside the world: some of the results, and values far away.
    sample: Vec<Con>,
    /// Values that may be more precise than an answer: those of the domains, and of the smallest universe, which is
    /// larger than some domains.
    better_ones: Vec<Candidate>,
    /// The index in `all` of each answer.
    numbers: HashMap<Abs, usize>,
    /// The distinct answers, in the order in which they occurred.
    all: Vec<Answer>,
    /// The cached results of [`better`](Answers::better).
    better: HashMap<(usize, Bits), Option<usize>>,
    /// The cached results of [`within`](Answers::within).
    within: HashMap<(usize, usize), bool>,
}

/// An abstract value that is compared with answers, to find answers less precise than possible.
struct Candidate {
    value: Value,
    abs: Abs,
    /// The values of the world, and of the sample, that it may become.
    gamma: OnceCell<(Bits, Bits)>,
}

/// A distinct answer of the operation, with the sets of concrete values that it may become.
struct Answer {
    abs: Abs,
    /// The values of the world that it may become.
    gamma: Bits,
    /// The values of the sample that it may become.
    sampled: Bits,
    /// The results that were compared, and those of them that the answer may become.
    seen: Bits,
    inside: Bits,
}

impl<'o> Answers<'o> {
    /// An empty collection of answers. `outcomes` are the results of the calls with wholly known operands.
    pub(super) fn new(outcomes: &'o [Con], domains: &[Domain]) -> Answers<'o> {
        let world = world();
        let in_world: Vec<Option<usize>> =
            outcomes.iter().map(|con| world.number_of.get(con).copied()).collect();
        let others: Vec<usize> = (0..outcomes.len()).filter(|i| in_world[*i].is_none()).collect();
        let sampled = others.iter().step_by(others.len().div_ceil(SAMPLE).max(1));
        let sample: Vec<Con> = sampled.map(|i| outcomes[*i].clone()).chain(far()).collect();
        let of_world =
            world.s.abstracts.iter().map(|i| (&world.abstracts[*i].value, &world.abstracts[*i].abs));
        let mut seen: HashSet<&Abs> = HashSet::new();
        let of_domains =
            domains.iter().flat_map(|domain| &domain.values().abstracts).map(|(value, abs)| (value, abs));
        let better_ones = of_world
            .chain(of_domains)
            .filter(|(_, abs)| seen.insert(abs))
            .map(|(value, abs)| Candidate { value: value.clone(), abs: abs.clone(), gamma: OnceCell::new() });
        let better_ones = better_ones.collect();
        Answers {
            world,
            outcomes,
            in_world,
            sample,
            numbers: HashMap::new(),
            all: Vec::new(),
            better_ones,
            better: HashMap::new(),
            within: HashMap::new(),
        }
    }

    /// The index of an answer in this collection. Adds the answer if it is new.
    pub(super) fn index_of(&mut self, value: &Value) -> usize {
        let abs = Abs::of(value);
        if let Some(number) = self.numbers.get(&abs) {
            return *number;
        }
        let answer = Answer {
            gamma: self.world.gamma(&abs),
            sampled: self.sampled(&abs),
            seen: Bits::none(self.outcomes.len()),
            inside: Bits::none(self.outcomes.len()),
            abs: abs.clone(),
        };
        self.all.push(answer);
        self.numbers.insert(abs, self.all.len() - 1);
        self.all.len() - 1
    }

    /// The indices in `sample` of the values that an abstract value may become.
    fn sampled(&self, abs: &Abs) -> Bits {
        let mut sampled = Bits::none(self.sample.len());
        for (i, con) in self.sample.iter().enumerate() {
            if abs.may_become(con) {
                sampled.insert(i);
            }
        }
        sampled
    }

    /// The index of a result in `outcomes` that the answer with this index cannot become, which makes it unsound.
    /// `None` if it may become all of them.
    pub(super) fn outside(&mut self, number: usize, outcomes: &Bits) -> Option<usize> {
        let Answer { abs, seen, inside, .. } = &mut self.all[number];
        if !outcomes.within(seen) {
            for outcome in outcomes.iter().filter(|outcome| !seen.contains(*outcome)).collect::<Vec<_>>() {
                seen.insert(outcome);
                if abs.may_become(&self.outcomes[outcome]) {
                    inside.insert(outcome);
                }
            }
        }
        if outcomes.within(inside) {
            return None;
        }
        outcomes.iter().find(|outcome| !inside.contains(*outcome))
    }

    /// A value that may become all of `outcomes` and strictly fewer values than the answer with this index. `None` if
    /// there is none among the candidates: then the answer counts as optimal. Results are cached.
    pub(super) fn better(&mut self, number: usize, outcomes: &Bits) -> Option<&Value> {
        let key = (number, outcomes.clone());
        let found = match self.better.get(&key) {
            Some(found) => *found,
            None => {
                let found = self.find_better(number, outcomes);
                self.better.insert(key, found);
                found
            }
        };
        found.map(|candidate| &self.better_ones[candidate].value)
    }

    /// The index in `better_ones` of a value that may become all of `outcomes` and strictly fewer values than the
    /// answer.
    fn find_better(&self, number: usize, outcomes: &Bits) -> Option<usize> {
        let world = self.world;
        let mut wanted = Bits::none(world.concretes.len());
        let mut others = Vec::new();
        for outcome in outcomes.iter() {
            match self.in_world[outcome] {
                Some(place) => wanted.insert(place),
                None => others.push(outcome),
            }
        }
        let answer = &self.all[number];
        self.better_ones.iter().position(|candidate| {
            let (gamma, sampled) =
                candidate.gamma.get_or_init(|| (world.gamma(&candidate.abs), self.sampled(&candidate.abs)));
            wanted.within(gamma)
                && gamma.within(&answer.gamma)
                && *gamma != answer.gamma
                && sampled.within(&answer.sampled)
                && others.iter().all(|outcome| candidate.abs.may_become(&self.outcomes[*outcome]))
        })
    }

    /// Whether the answer `wide` may become every tested value that the answer `narrow` may become; both are indices.
    pub(super) fn within(&mut self, narrow: usize, wide: usize) -> bool {
        let all = &self.all;
        *self.within.entry((narrow, wide)).or_insert_with(|| {
            all[narrow].gamma.within(&all[wide].gamma) && all[narrow].sampled.within(&all[wide].sampled)
        })
    }

    /// A tested value that the answer `narrow` may become and the answer `wide` may not; `None` if there is none.
    pub(super) fn difference(&self, narrow: usize, wide: usize) -> Option<Value> {
        let (narrow, wide) = (&self.all[narrow], &self.all[wide]);
        let of_world = narrow.gamma.iter().find(|i| !wide.gamma.contains(*i));
        let sampled = || narrow.sampled.iter().find(|i| !wide.sampled.contains(*i));
        of_world
            .map(|i| self.world.concretes[i].value())
            .or_else(|| sampled().map(|i| self.sample[i].value()))
    }
}
