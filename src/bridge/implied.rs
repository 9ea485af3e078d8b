//! The type of values that a Rust type reads: asked of the type itself, by having it read samples.
//!
//! Serde asks for what it needs, one part after the other, and that is written down. A type may refuse a sample (a text
//! that must be an address), and then it asks for nothing more; so the samples are given again, others in their place or
//! none, until every part has been asked for. An enum takes one variant each time.

use std::cell::Cell;

use serde_core::de::DeserializeOwned;

use crate::constraint::TypeConstraint;
use crate::error::{Error, Kind, Result};
use crate::limits;
use crate::types::Type;

use super::room::Room;

mod access;
mod node;
mod tracer;

use node::Node;
use tracer::Tracer;

/// How many parts a type may have.
const PARTS: usize = 1 << 16;
/// How many parts may be asked for in all, again and again.
const ASKED: usize = 1 << 22;

/// The type of the values that a Rust type is read from with [`from_value`](super::from_value).
///
/// | the Rust type reads | type |
/// |---|---|
/// | bool; integers, floats, [`Number`](crate::Number); text, `char` | `bool`; `number`; `string` |
/// | bytes, a sequence, a set | `list(…)` |
/// | tuple, array | `tuple([…])` |
/// | map; struct | `map(…)`; `object({…})` |
/// | an enum without content | `string` |
/// | an enum of which every variant has content | `object({…})` of all the variants, of which all but one are null |
/// | [`Value`](crate::Value), `()` | `dynamic` |
/// | `Option`, newtype, [`Planned`](super::Planned) | that of the content |
///
/// ```
/// use plantime::bridge::{Planned, implied_type};
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct Subnet {
///     id: Planned<String>,
///     zones: Vec<String>,
///     weight: Option<f64>,
///     address: core::net::IpAddr,
/// }
///
/// let ty = "object({id = string, zones = list(string), weight = number, address = string})".parse()?;
/// assert_eq!(implied_type::<Subnet>()?, ty);
/// # Ok::<(), plantime::Error>(())
/// ```
///
/// # Errors
///
/// With the path to the place, [`needs_type`](Error::needs_type) where serde cannot tell: the type asks for anything
/// (`serde_json::Value`, untagged and internally tagged enums, flattened fields), an enum has variants with and without
/// content, a map's keys or a part of a tuple take none of the samples. [`is_limit`](Error::is_limit) where the type is
/// recursive, or has more than 65,536 parts.
pub fn implied_type<T: DeserializeOwned>() -> Result<Type> {
    Ok(implied_constraint::<T>()?.to_type())
}

/// As [`implied_type`]; attributes that are an `Option` are optional.
///
/// ```
/// use plantime::bridge::implied_constraint;
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct Listener {
///     host: String,
///     port: Option<u16>,
/// }
///
/// let constraint = implied_constraint::<Listener>()?;
/// assert_eq!(constraint.to_string(), "object({host = string, port = optional(number)})");
/// # Ok::<(), plantime::Error>(())
/// ```
///
/// # Errors
///
/// As [`implied_type`].
pub fn implied_constraint<T: DeserializeOwned>() -> Result<TypeConstraint> {
    let mut root = Node::default();
    let trace = Trace {
        asked: Cell::new(0),
        parts: Cell::new(0),
        stopped: Cell::new(false),
        blamed: Cell::new(false),
    };
    while !root.is_complete() {
        let before = (trace.parts.get(), root.refusals());
        trace.blamed.set(false);
        let read = T::deserialize(Tracer { node: &mut root, trace: &trace, room: Room::TOP });
        let error = read.err();
        if trace.stopped.get() {
            return Err(error.unwrap_or_else(cannot_tell));
        }
        if !root.is_complete() && before == (trace.parts.get(), root.refusals()) {
            return Err(error.unwrap_or_else(cannot_tell).of_kind(Kind::NeedsType));
        }
    }
    root.constraint()
}

/// What is counted, and what has happened since the samples are given anew.
struct Trace {
    asked: Cell<usize>,
    parts: Cell<usize>,
    /// Whether nothing more can be found out.
    stopped: Cell<bool>,
    /// Whether a part has been found that refuses what it is given.
    blamed: Cell<bool>,
}

impl Trace {
    #[cold]
    fn stop(&self, error: Error) -> Error {
        self.stopped.set(true);
        error
    }

    /// One part more is asked for.
    fn ask(&self, is_new: bool) -> Result<()> {
        self.asked.set(self.asked.get().saturating_add(1));
        self.parts.set(self.parts.get().saturating_add(usize::from(is_new)));
        if self.parts.get() > PARTS {
            return Err(self.stop(Error::new(Kind::Limit, format!("the type has more than {PARTS} parts"))));
        }
        if self.asked.get() > ASKED {
            return Err(self.stop(Error::new(Kind::Limit, "the type takes too many samples")));
        }
        Ok(())
    }

    fn room(&self, room: Result<Room>) -> Result<Room> {
        room.map_err(|_| {
            let message = format!("the type nests more than {} levels deep: is it recursive?", limits::DEPTH);
            self.stop(Error::new(Kind::Limit, message))
        })
    }
}

#[cold]
fn cannot_tell() -> Error {
    Error::new(Kind::NeedsType, "serde cannot tell the type")
}
