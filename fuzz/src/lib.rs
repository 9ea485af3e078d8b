//! The fuzz targets share their checks with the ordinary tests of the crate, which replay `seeds/`.

use peak_alloc::PeakAlloc;

#[path = "../../tests/checks/mod.rs"]
pub mod checks;

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
