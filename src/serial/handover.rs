//! Passes a value through serde unchanged.
//!
//! Serde's interfaces carry strings, numbers, sequences and maps, so a [`Value`] would have to be taken apart and
//! rebuilt, and a capsule could not pass at all. But both ends belong to this crate. When the bridge meets one of
//! its types (by the newtype name under which it passes), one end puts the value into a thread-local slot, and the
//! other end takes it out in the same call. With any other format the slot is empty, and the types use their
//! self-describing form.

use std::cell::RefCell;

use crate::value::Value;

/// The state of handing a value over on this thread.
enum Slot {
    /// No handover is going on.
    Empty,
    /// The bridge is waiting for the value that is being written.
    Wanted,
    /// The value on its way.
    Held(Value),
}

thread_local! {
    /// The slot of this thread.
    static SLOT: RefCell<Slot> = const { RefCell::new(Slot::Empty) };
}

/// Sets the slot of this thread; returns its former state.
fn replace_slot(slot: Slot) -> Slot {
    SLOT.with(|cell| cell.replace(slot))
}

/// Restores the former state of the slot when dropped, also after a panic.
struct Restore(Option<Slot>);

impl Drop for Restore {
    fn drop(&mut self) {
        replace_slot(self.0.take().unwrap_or(Slot::Empty));
    }
}

/// Runs `work`, which serializes something; returns its result, and the value that it put into the slot, if any.
pub(crate) fn receive<R>(work: impl FnOnce() -> R) -> (R, Option<Value>) {
    let _restore = Restore(Some(replace_slot(Slot::Wanted)));
    let done = work();
    match replace_slot(Slot::Empty) {
        Slot::Held(value) => (done, Some(value)),
        Slot::Empty | Slot::Wanted => (done, None),
    }
}

/// Puts `value` into the slot if the bridge is waiting for one; returns whether it is. `value` is evaluated only
/// then.
pub(crate) fn fulfil(value: impl FnOnce() -> Value) -> bool {
    if !SLOT.with(|cell| matches!(*cell.borrow(), Slot::Wanted)) {
        return false;
    }
    replace_slot(Slot::Held(value()));
    true
}

/// Puts `value` into the slot and runs `work`, which may take it out by deserializing. The slot is restored
/// afterwards.
pub(crate) fn offer<R>(value: &Value, work: impl FnOnce() -> R) -> R {
    let _restore = Restore(Some(replace_slot(Slot::Held(value.clone()))));
    work()
}

/// Takes the value out of the slot; `None` if the bridge has put none there.
pub(crate) fn take_offered() -> Option<Value> {
    match replace_slot(Slot::Empty) {
        Slot::Held(value) => Some(value),
        other => {
            replace_slot(other);
            None
        }
    }
}
