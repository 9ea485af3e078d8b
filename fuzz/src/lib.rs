//! The fuzz targets share their checks with the ordinary tests of the crates, which replay `seeds/`.

use peak_alloc::PeakAlloc;

#[path = "../../tests/checks/mod.rs"]
pub mod checks;

/// The checks of plans, states, schemas and rules files.
#[path = "../../crates/plantime-terraform/tests/checks/mod.rs"]
pub mod plans;

/// The checks of packages of ytt.
#[path = "../../crates/plantime-ytt/tests/checks/mod.rs"]
pub mod ytt;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Runs every check of a target; memory is counted.
pub fn run(target: &str, input: &[u8]) {
    checks::bounds::measure_with(checks::bounds::Meter {
        current: || MEMORY.current_usage(),
        peak: || MEMORY.peak_usage(),
        reset: || MEMORY.reset_peak_usage(),
    });
    plans::bounds::measure_with(plans::bounds::Meter {
        current: || MEMORY.current_usage(),
        peak: || MEMORY.peak_usage(),
        reset: || MEMORY.reset_peak_usage(),
    });
    let all = checks::targets::TARGETS.iter().chain(&plans::TARGETS).chain(&ytt::TARGETS);
    let all = all.chain(&plantime_provider::fuzzing::TARGETS);
    let mut checks = all.filter(|(name, _)| *name == target).peekable();
    assert!(checks.peek().is_some(), "no target {target}");
    checks.for_each(|(_, check)| check(input));
}
