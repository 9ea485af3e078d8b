//! Two answers to what a value may become: the one of `sample`, and the one of the exhaustive tests.

use plantime::sample::may_become;
use plantime::testing::universe::world;

#[test]
fn may_become_says_what_the_model_says() {
    let world = world();
    let concretes: Vec<_> = world.s.concretes.iter().map(|i| world.concretes[*i].value()).collect();
    for &i in world.s.abstracts.iter().chain(&world.nested.abstracts) {
        let entry = &world.abstracts[i];
        for (&place, concrete) in world.s.concretes.iter().zip(&concretes) {
            let expected = entry.gamma.contains(place);
            assert_eq!(may_become(&entry.value, concrete), expected, "{:?}, {concrete:?}", entry.value);
        }
    }
}
