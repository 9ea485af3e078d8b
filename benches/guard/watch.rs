//! The watch of what is counted.

use crate::counting;
use crate::workloads::all::work::{Repeat, Watch};

struct Counted;

impl Watch for Counted {
    fn start(&mut self) {
        counting::counting_begins();
    }

    fn stop(&mut self) {
        counting::counting_ends();
    }
}

/// Twice, of which the second counts: what is made once and kept does not.
pub fn twice(work: &mut Repeat) {
    for _ in 0..2 {
        work(&mut Counted);
    }
}
