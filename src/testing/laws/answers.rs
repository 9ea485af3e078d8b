//! Abstract answers with what they may become.

use std::collections::HashMap;

use crate::Value;

use super::super::gamma::{Abs, Bits};
use super::super::universe::World;

/// Abstract answers with what they may become, each once.
#[derive(Debug)]
pub struct Answers<'w> {
    pub(super) world: &'w World,
    numbers: HashMap<Abs, usize>,
    all: Vec<(Abs, Bits)>,
    better: HashMap<(usize, Bits), Option<usize>>,
    within: HashMap<(usize, usize), bool>,
}

impl<'w> Answers<'w> {
    /// A memory of answers that holds none yet.
    pub fn new(world: &'w World) -> Answers<'w> {
        Answers {
            world,
            numbers: HashMap::new(),
            all: Vec::new(),
            better: HashMap::new(),
            within: HashMap::new(),
        }
    }

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

    pub(super) fn gamma(&self, number: usize) -> &Bits {
        &self.all[number].1
    }

    /// An abstract value of the world that holds all outcomes and may become less than the answer.
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

    pub(super) fn within(&mut self, narrow: usize, wide: usize) -> bool {
        let all = &self.all;
        *self.within.entry((narrow, wide)).or_insert_with(|| all[narrow].1.within(&all[wide].1))
    }
}
