//! What a value may become, told in two ways: by the model of the testing kit and by `plantime::sample`.

use plantime::sample;
use rayon::prelude::*;

use super::laws::{Violations, kinds};
use super::universe::world;

#[test]
fn two_ways_to_tell_what_a_value_may_become_agree() {
    let world = world();
    let concretes: Vec<plantime::Value> = world.concretes.iter().map(|con| con.value()).collect();
    let wrong = world.abstracts.par_iter().map(|entry| {
        let mut wrong = Violations::default();
        for (i, concrete) in concretes.iter().enumerate() {
            if sample::may_become(&entry.value, concrete) != entry.gamma.contains(i) {
                wrong.add(kinds("may_become", &[&entry.abs]), || {
                    format!("{:?} and {concrete:?}", entry.value)
                });
            }
        }
        wrong
    });
    let wrong = wrong.reduce(Violations::default, |mut all, found| {
        all.merge(found);
        all
    });
    wrong.none("may_become");
}
