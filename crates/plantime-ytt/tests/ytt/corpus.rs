//! Seeds of the fuzz targets, as ordinary tests: each file of `fuzz/seeds/TARGET`.

use std::fs;
use std::path::Path;

use crate::checks::TARGETS;

#[test]
fn every_seed_of_the_fuzz_targets_passes() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds");
    if !seeds.is_dir() {
        println!("skipped: there are no seeds in {}", seeds.display());
        return;
    }
    for (target, check) in TARGETS {
        let mut count = 0;
        for file in fs::read_dir(seeds.join(target)).unwrap() {
            let path = file.unwrap().path();
            println!("{}", path.display());
            check(&fs::read(&path).unwrap());
            count += 1;
        }
        assert!((1..=30).contains(&count), "{target} has {count} seeds");
    }
}
