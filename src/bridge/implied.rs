//! Finds the type of the values that a Rust type reads, by letting it read samples.
//!
//! A type requests from serde what it needs, part by part, and the requests are recorded. A type may refuse a
//! sample (a string that must be an address) and then stops. So the samples are given again and again, each time
//! with the next sample for the part that refused, or without that part, until every part was requested. An enum
//! reads one variant each time.

use std::cell::Cell;

use serde_core::de::DeserializeOwned;

use crate::constraint::TypeConstraint;
use crate::error::{Error, Kind, Result};
use crate::limits;
use crate::types::Type;

use super::depth::DepthLeft;

mod access;
mod node;
mod tracer;

use node::Node;
use tracer::Tracer;

/// The maximum number of parts of a type.
const MAX_PARTS: usize = 1 << 16;
/// The maximum number of requests for parts, over all repetitions.
const MAX_REQUESTS: usize = 1 << 22;

/// The type of the values from which a Rust type is read with [`from_value`](super::from_value).
///
/// | the Rust type reads | type |
/// |---|---|
/// | bool; integers, floats, [`Number`](crate::Number); text, `char` | `bool`; `number`; `string` |
/// | bytes, a sequence, a set | `list(…)` |
/// | tuple, array | `tuple([…])` |
/// | map; struct | `map(…)`; `object({…})` |
/// | an enum without content | `string` |
/// | an enum in which every variant has content | `object({…})` of all variants; all but one are null |
/// | [`Value`](crate::Value), `()` | `dynamic` |
/// | `Option`, newtype, [`Planned`](super::Planned) | the type of the content |
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
/// With the path to the place: [`needs_type`](Error::needs_type) if serde cannot tell the type, because a part
/// gives no hint of what it needs (`serde_json::Value`, untagged and internally tagged enums, flattened fields), an
/// enum has variants with and without content, or the keys of a map or a part of a tuple accept none of the
/// samples; [`is_limit`](Error::is_limit) if the type is recursive, or has more than 65,536 parts.
pub fn implied_type<T: DeserializeOwned>() -> Result<Type> {
    Ok(implied_constraint::<T>()?.to_type())
}

/// Like [`implied_type`]; the attributes of fields of type `Option` are optional.
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
        requests: Cell::new(0),
        parts: Cell::new(0),
        stopped: Cell::new(false),
        has_refused: Cell::new(false),
    };
    while !root.is_complete() {
        let before = (trace.parts.get(), root.refusals());
        trace.has_refused.set(false);
        let read = T::deserialize(Tracer { node: &mut root, trace: &trace, depth: DepthLeft::FULL });
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

/// The counts of requests, and the events since the samples were last given.
struct Trace {
    requests: Cell<usize>,
    parts: Cell<usize>,
    /// Whether the search has failed.
    stopped: Cell<bool>,
    /// Whether a part has refused its sample in this repetition.
    has_refused: Cell<bool>,
}

impl Trace {
    /// Ends the search with an error.
    #[cold]
    fn stop(&self, error: Error) -> Error {
        self.stopped.set(true);
        error
    }

    /// Counts one request, for a new part or one known already; an error beyond the maxima.
    fn count_request(&self, is_new: bool) -> Result<()> {
        self.requests.set(self.requests.get().saturating_add(1));
        self.parts.set(self.parts.get().saturating_add(usize::from(is_new)));
        if self.parts.get() > MAX_PARTS {
            return Err(
                self.stop(Error::new(Kind::Limit, format!("the type has more than {MAX_PARTS} parts")))
            );
        }
        if self.requests.get() > MAX_REQUESTS {
            return Err(self.stop(Error::new(Kind::Limit, "the type takes too many samples")));
        }
        Ok(())
    }

    /// The depth left; an error that says the type may be recursive if none is left.
    fn check_depth(&self, depth: Result<DepthLeft>) -> Result<DepthLeft> {
        depth.map_err(|_| {
            let message = format!("the type nests more than {} levels deep: is it recursive?", limits::DEPTH);
            self.stop(Error::new(Kind::Limit, message))
        })
    }
}

/// The error for a type that serde does not describe well enough.
#[cold]
fn cannot_tell() -> Error {
    Error::new(Kind::NeedsType, "serde cannot tell the type")
}
