//! How a value passes through serde as it is.
//!
//! Serde's interfaces carry texts, numbers, sequences and maps, so a [`Value`] would have to be taken apart and put
//! together again, and a capsule could not pass at all. Both ends are ours, though: where the bridge meets a type of this
//! crate (by the name under which it passes), one end lays the value down here and the other takes it up in the same
//! call. Everywhere else there is nothing here, and the types are written in their self-describing form.

use std::cell::RefCell;

use crate::value::Value;

enum Slot {
    Empty,
    /// The bridge wants the value that is being written.
    Wanted,
    Held(Value),
}

thread_local! {
    static SLOT: RefCell<Slot> = const { RefCell::new(Slot::Empty) };
}

fn replace(slot: Slot) -> Slot {
    SLOT.with(|cell| cell.replace(slot))
}

/// Puts back what was there, also when what is called in between panics.
struct Restore(Option<Slot>);

impl Drop for Restore {
    fn drop(&mut self) {
        replace(self.0.take().unwrap_or(Slot::Empty));
    }
}

/// Does something that may lay down a value, and takes it up.
pub(crate) fn receive<R>(work: impl FnOnce() -> R) -> (R, Option<Value>) {
    let _restore = Restore(Some(replace(Slot::Wanted)));
    let done = work();
    match replace(Slot::Empty) {
        Slot::Held(value) => (done, Some(value)),
        Slot::Empty | Slot::Wanted => (done, None),
    }
}

/// Lays the value down if the bridge wants it.
pub(crate) fn lay_down(value: impl FnOnce() -> Value) -> bool {
    if !SLOT.with(|cell| matches!(*cell.borrow(), Slot::Wanted)) {
        return false;
    }
    replace(Slot::Held(value()));
    true
}

/// Does something that may take the value up.
pub(crate) fn offer<R>(value: &Value, work: impl FnOnce() -> R) -> R {
    let _restore = Restore(Some(replace(Slot::Held(value.clone()))));
    work()
}

/// The value that the bridge offers, if it does.
pub(crate) fn take_up() -> Option<Value> {
    match replace(Slot::Empty) {
        Slot::Held(value) => Some(value),
        other => {
            replace(other);
            None
        }
    }
}
