//! Random paths.

use super::Sampler;
use crate::path::{Path, Step};
use crate::types::Type;
use crate::value::Value;

impl Sampler<'_> {
    /// A random path of up to `depth` steps: attributes, integers, strings, `[*]`, and sometimes another number.
    pub fn path(&mut self) -> Path {
        let steps = self.below(self.size.depth.saturating_add(1));
        (0..steps).map(|_| self.step()).collect()
    }

    /// A random step of a path; an index by an unknown number stands for `[*]`.
    fn step(&mut self) -> Step {
        match self.below(10) {
            0..=3 => Step::attr(&self.name()),
            4..=6 => Step::index(self.below(40)),
            7 => Step::index(self.name()),
            8 => Step::index(Value::unknown(Type::Number)),
            _ => Step::index(self.number()),
        }
    }

    /// A path to a random place in the value: to itself or to any value inside it.
    pub fn path_in(&mut self, value: &Value) -> Path {
        let paths: Vec<Path> = value.parts().map(|(path, _)| path).collect();
        self.pick(&paths, Path::new())
    }
}
