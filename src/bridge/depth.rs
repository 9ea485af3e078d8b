//! The limit on the nesting of Rust values.

use crate::error::{Error, Kind, Result};
use crate::limits;

/// The nesting that is still allowed below one place of a Rust value: levels of containers, and wrappers (options and
/// newtypes, which add no level).
#[derive(Clone, Copy)]
pub(super) struct DepthLeft {
    levels: usize,
    wrappers: usize,
}

impl DepthLeft {
    /// The nesting that is allowed below the outermost value.
    pub(super) const FULL: DepthLeft =
        DepthLeft { levels: limits::DEPTH, wrappers: limits::DEPTH.saturating_mul(2) };

    /// The depth left inside a container; an error if none is left.
    pub(super) fn below(self) -> Result<DepthLeft> {
        match self.levels.checked_sub(1) {
            Some(levels) => Ok(DepthLeft { levels, ..self }),
            None => Err(too_deep()),
        }
    }

    /// The depth left inside an option or newtype; an error if none is left.
    pub(super) fn wrapped(self) -> Result<DepthLeft> {
        match self.wrappers.checked_sub(1) {
            Some(wrappers) => Ok(DepthLeft { wrappers, ..self }),
            None => Err(too_wrapped()),
        }
    }
}

/// The error for containers that nest too deep.
#[cold]
fn too_deep() -> Error {
    Error::new(Kind::Limit, format!("values may nest {} levels deep", limits::DEPTH))
}

/// The error for options and newtypes that nest too deep.
#[cold]
fn too_wrapped() -> Error {
    let most = limits::DEPTH.saturating_mul(2);
    Error::new(Kind::Limit, format!("options and newtypes may nest {most} levels deep"))
}
