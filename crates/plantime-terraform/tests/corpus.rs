//! Seeds of the fuzz targets about plans, and inputs that once found something, as ordinary tests: each file of
//! `fuzz/seeds/TARGET`. Where `fuzz/` is not there, as in the published package, there is nothing to replay.

#![allow(clippy::expect_used, reason = "a test says what went wrong by failing")]

use std::fs;
use std::path::Path;

use peak_alloc::PeakAlloc;

mod checks;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

#[test]
fn every_seed_of_the_fuzz_targets_passes() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds");
    if !seeds.is_dir() {
        return;
    }
    checks::bounds::measure_with(checks::bounds::Meter {
        current: || MEMORY.current_usage(),
        peak: || MEMORY.peak_usage(),
        reset: || MEMORY.reset_peak_usage(),
    });
    for (target, check) in checks::TARGETS {
        let files = fs::read_dir(seeds.join(target)).expect("a folder of seeds for each target");
        let mut count = 0;
        for file in files {
            let path = file.expect("a readable folder").path();
            println!("{}", path.display());
            check(&fs::read(&path).expect("a readable seed"));
            count += 1;
        }
        assert!((1..=30).contains(&count), "{target} has {count} seeds");
    }
}
