//! How much deeper it may go.

use crate::error::{Error, Kind, Result};
use crate::limits;

/// Levels of values, and wrappers (options and newtypes) that add no level, both counted on the way to one place.
#[derive(Clone, Copy)]
pub(super) struct Room {
    levels: usize,
    wrappers: usize,
}

impl Room {
    pub(super) const TOP: Room = Room { levels: limits::DEPTH, wrappers: limits::DEPTH.saturating_mul(2) };

    /// In a part of a container.
    pub(super) fn below(self) -> Result<Room> {
        match self.levels.checked_sub(1) {
            Some(levels) => Ok(Room { levels, ..self }),
            None => Err(too_deep()),
        }
    }

    /// In an option or a newtype.
    pub(super) fn wrapped(self) -> Result<Room> {
        match self.wrappers.checked_sub(1) {
            Some(wrappers) => Ok(Room { wrappers, ..self }),
            None => Err(too_wrapped()),
        }
    }
}

#[cold]
fn too_deep() -> Error {
    Error::new(Kind::Limit, format!("values may nest {} levels deep", limits::DEPTH))
}

#[cold]
fn too_wrapped() -> Error {
    let most = limits::DEPTH.saturating_mul(2);
    Error::new(Kind::Limit, format!("options and newtypes may nest {most} levels deep"))
}
