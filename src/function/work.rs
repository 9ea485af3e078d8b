//! The cost of calls of functions, counted in steps. An evaluation of many calls bounds the sum.
//!
//! A step is about as much work as an element of a list or sixteen bytes of text take. The sizes of arguments and results tell the
//! cost of most functions. A function that does more work than that, in a loop whose iterations add nothing to the result or several
//! elements each, charges its steps inside the loop.

use std::cell::Cell;

use crate::error::{Error, Kind, Result};
use crate::refinement::Range;
use crate::types::Type;
use crate::value::{Value, View};

/// The maximum number of steps of one loop: as many as an expression may take.
const MAX: usize = 1 << 22;

/// The approximate number of other members that each member of a set is compared with if not all members are known.
const COMPARED_MEMBERS: usize = 300;

/// The number of bytes of text that a step stands for.
pub(crate) const BYTES: usize = 16;

thread_local! {
    /// The steps charged on this thread since they were last taken.
    static CHARGED: Cell<u64> = const { Cell::new(0) };
}

/// The steps of a loop, charged when it ends.
#[derive(Default)]
pub(crate) struct Loop {
    steps: usize,
}

impl Loop {
    /// Adds the steps of one iteration. Fails if the loop has taken more than [`MAX`] steps.
    pub(crate) fn turn(&mut self, steps: usize) -> Result<()> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps > MAX { Err(too_long()) } else { Ok(()) }
    }
}

impl Drop for Loop {
    fn drop(&mut self) {
        charge(self.steps);
    }
}

/// The error for a loop with too many steps.
#[cold]
fn too_long() -> Error {
    Error::new(Kind::Limit, format!("the call takes more than {MAX} steps"))
}

/// Charges two steps for each part of a new value, since each part is allocated, and returns the value.
pub(crate) fn charged(value: Value) -> Value {
    charge((value.size() as usize).saturating_mul(2));
    value
}

/// Adds steps to the cost of the current call, beside those that the sizes of its arguments and its result stand for.
pub(crate) fn charge(steps: usize) {
    CHARGED.with(|charged| charged.set(charged.get().saturating_add(steps as u64)));
}

/// Returns the steps charged on this thread since the last call of this function, and resets them to 0.
pub fn take() -> u64 {
    CHARGED.with(|charged| charged.replace(0))
}

/// The steps that a function takes for an argument or a result of this size.
pub fn of(value: &Value) -> u64 {
    let (bare, _) = value.clone().unmark();
    let size = match bare.view() {
        View::String(text) => text.len().div_euclid(BYTES),
        View::List(list) => list.len(),
        View::Tuple(tuple) => tuple.len(),
        View::Map(map) => map.len(),
        View::Object(object) => object.len(),
        // Each member that is not known is compared with many others.
        View::Set(set) if !bare.is_wholly_known() => {
            set.member_count().saturating_mul(set.member_count().min(COMPARED_MEMBERS))
        }
        View::Set(set) => set.member_count(),
        View::Unknown(known) => of_type(known.ty()).saturating_add(of_range(known.refinement().range())),
        View::Null(ty) => of_type(&ty),
        _ => 0,
    };
    size as u64
}

/// The steps for an unknown or null of the type: it has as many parts to look at as a known value of an object or tuple type.
fn of_type(ty: &Type) -> usize {
    match ty {
        Type::Object(object) => object.len(),
        Type::Tuple(tuple) => tuple.len(),
        _ => 0,
    }
}

/// The steps for what is known of an unknown value: strings count as known ones do, also where they are of elements or keys.
fn of_range(range: &Range) -> usize {
    match range {
        Range::Prefix(prefix) => prefix.as_str().len().div_euclid(BYTES),
        Range::Language(strings) => strings.language().size().div_euclid(BYTES),
        Range::Elements(elements) => {
            of_range(elements.element().range()).saturating_add(of_range(elements.keys()))
        }
        Range::Structure(structure) => {
            let parts = structure.parts().iter();
            parts.fold(0, |all, (_, part)| all.saturating_add(1).saturating_add(of_range(part.range())))
        }
        Range::Any | Range::Number(_) | Range::Length(_) | Range::Multiples(_) | Range::Numbers(_) => 0,
    }
}
