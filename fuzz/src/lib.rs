//! The fuzz targets share their checks with the ordinary tests of the crate, which replay `seeds/`.

use peak_alloc::PeakAlloc;

#[path = "../../tests/checks/mod.rs"]
pub mod checks;

/// The checks of packages of ytt.
#[path = "../../crates/plantime-ytt/tests/checks/mod.rs"]
pub mod ytt;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Runs a target; memory is counted.
pub fn run(target: &str, input: &[u8]) {
    checks::bounds::measure_with(checks::bounds::Meter {
        current: || MEMORY.current_usage(),
        peak: || MEMORY.peak_usage(),
        reset: || MEMORY.reset_peak_usage(),
    });
    checks::targets::run(target, input);
}

/// Runs a target about packages of ytt.
pub fn run_ytt(target: &str, input: &[u8]) {
    for (name, check) in ytt::TARGETS {
        if name == target {
            check(input);
        }
    }
}
