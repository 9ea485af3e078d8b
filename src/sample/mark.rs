//! Random marks, and marks at random places.

use super::Sampler;
use crate::mark::{Mark, Marks};
use crate::path::Path;
use crate::value::Value;

impl Sampler<'_> {
    /// A random mark: a predefined one or another, sometimes with a note.
    pub fn mark(&mut self) -> Mark {
        let mark = match self.below(5) {
            0 => Mark::SENSITIVE,
            1 => Mark::EPHEMERAL,
            2 => Mark::DEPRECATED,
            _ => Mark::new(&self.name()),
        };
        if self.chance(1, 4) { mark.with_note(&self.text()) } else { mark }
    }

    /// The value with random marks at up to three random places in it.
    pub fn marked(&mut self, value: &Value) -> Value {
        let places: Vec<Path> = value.parts().map(|(path, _)| path).collect();
        let count = self.below(4);
        let places: Vec<(Path, Marks)> =
            (0..count).map(|_| (self.pick(&places, Path::new()), Marks::from(self.mark()))).collect();
        value.mark_with_paths(&places)
    }
}
