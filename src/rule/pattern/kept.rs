//! What is compiled of patterns, of all of them together up to some size.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError, RwLock, Weak};

use super::Judged;

/// How much is kept, in bytes; the oldest is let go first, and made again when it is asked for.
const ROOM: usize = 1 << 26;

static KEPT: Mutex<Kept> = Mutex::new(Kept { parts: VecDeque::new(), size: 0 });

struct Kept {
    parts: VecDeque<Part>,
    size: usize,
}

/// Something that is compiled of a pattern.
struct Part {
    of: Weak<Judged>,
    let_go: fn(&Judged),
    size: usize,
}

/// A place for something compiled.
pub(super) struct Slot<T>(RwLock<Option<T>>);

impl<T> Slot<T> {
    pub(super) fn new() -> Slot<T> {
        Slot(RwLock::new(None))
    }

    /// Asks what is here, if something is.
    pub(super) fn ask<R>(&self, question: impl FnOnce(&T) -> R) -> Option<R> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).as_ref().map(question)
    }

    fn put(&self, made: T) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Some(made);
    }

    pub(super) fn let_go(&self) {
        let made = self.0.write().unwrap_or_else(PoisonError::into_inner).take();
        drop(made);
    }
}

/// What is remembered of each part, and of a pattern that is gone.
const PART: usize = 1 << 10;

/// Keeps what was made of a pattern, of some size, in a slot of it that the function empties.
pub(super) fn keep<T>(of: &Arc<Judged>, slot: &Slot<T>, made: T, size: usize, let_go: fn(&Judged)) {
    slot.put(made);
    let size = size.saturating_add(PART);
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    kept.size = kept.size.saturating_add(size);
    kept.parts.push_back(Part { of: Arc::downgrade(of), let_go, size });
    let old = if kept.size > ROOM { kept.over() } else { Vec::new() };
    // Whoever asks one of these right now is waited for, but not by those who keep something else.
    drop(kept);
    for part in old {
        if let Some(pattern) = part.of.upgrade() {
            (part.let_go)(&pattern);
        }
    }
}

impl Kept {
    /// Takes out what is too much.
    fn over(&mut self) -> Vec<Part> {
        // What was made of patterns that are gone is gone.
        self.parts.retain(|part| part.of.strong_count() > 0);
        self.size = self.parts.iter().fold(0, |size, part| size.saturating_add(part.size));
        let mut old = Vec::new();
        // The last one is in use.
        while self.size > ROOM
            && self.parts.len() > 1
            && let Some(part) = self.parts.pop_front()
        {
            self.size = self.size.saturating_sub(part.size);
            old.push(part);
        }
        old
    }
}
