//! The abstract answers of an operation, with the concrete values that they may become.

use std::collections::HashMap;

use plantime::Value;

use plantime::testing::gamma::{Abs, Bits};
use plantime::testing::universe::World;

/// The distinct abstract answers of an operation, each with the concrete values that it may become, computed once.
#[derive(Debug)]
pub(crate) struct Answers<'w> {
    pub(super) world: &'w World,
    numbers: HashMap<Abs, usize>,
    all: Vec<(Abs, Bits)>,
    better: HashMap<(usize, Bits), Option<usize>>,
    within: HashMap<(usize, usize), bool>,
}

impl<'w> Answers<'w> {
    /// An empty collection of answers.
    pub(crate) fn new(world: &'w World) -> Answers<'w> {
        Answers {
            world,
            numbers: HashMap::new(),
            all: Vec::new(),
            better: HashMap::new(),
            within: HashMap::new(),
        }
    }

    /// The number of an answer, which is added if it is new.
    pub(super) fn number(&mut self, value: &Value) -> usize {
        let abs = Abs::of(value);
        if let Some(number) = self.numbers.get(&abs) {
            return *number;
        }
        let gamma = self.world.gamma(&abs);
        self.all.push((abs.clone(), gamma));
        self.numbers.insert(abs, self.all.len() - 1);
        self.all.len() - 1
    }

    /// The concrete values that an answer may become.
    pub(super) fn gamma(&self, number: usize) -> &Bits {
        &self.all[number].1
    }

    /// An abstract value of the world that contains all outcomes and less than the answer does, if there is one.
    pub(super) fn better(&mut self, number: usize, outcomes: &Bits) -> Option<&'w Abs> {
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

    /// Whether everything that the answer `narrow` may become, `wide` may become too.
    pub(super) fn within(&mut self, narrow: usize, wide: usize) -> bool {
        let all = &self.all;
        *self.within.entry((narrow, wide)).or_insert_with(|| all[narrow].1.within(&all[wide].1))
    }
}
