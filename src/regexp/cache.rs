//! The one cache of expressions: what is compiled of all of them together is bounded by its bytes, not by its number.
//!
//! Expressions are found by their text in one of several maps, so that threads seldom meet; what is compiled lies in
//! the expression. Beyond the bound, parts that were not used of late are evicted, chosen at random: where a few
//! expressions more are used in turn than fit, a few more are compiled again. (In order of age, all of them would be.)

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError, RwLock, Weak};

use super::Regexp;

/// The largest sum of what is cached, in bytes.
const ROOM: usize = 1 << 26;

/// What the cache itself takes for a part.
const PART: usize = 1 << 10;

/// The number of the maps, each with its own lock; a power of two.
const SHARDS: u64 = 16;

/// How many parts are passed over at most because they were used, before one is evicted all the same.
const PASSED: usize = 8;

static KNOWN: LazyLock<Known> = LazyLock::new(Known::default);
static PARTS: Mutex<Parts> = Mutex::new(Parts { parts: Vec::new(), size: 0, seed: 1 });

/// The expressions that are in use or cached, by the hashes of their texts.
#[derive(Default)]
struct Known {
    hasher: RandomState,
    shards: [RwLock<Shard>; SHARDS as usize],
}

#[derive(Default)]
struct Shard {
    expressions: HashMap<u64, Weak<Regexp>>,
    /// When the cache has this many entries, it removes those whose expression nobody holds any more.
    sweep_at: usize,
}

impl Known {
    fn shard(&self, text: &str) -> (u64, Option<&RwLock<Shard>>) {
        let hash = self.hasher.hash_one(text);
        let at = usize::try_from(hash & SHARDS.saturating_sub(1)).unwrap_or_default();
        (hash, self.shards.get(at))
    }
}

/// The expression of a text, if it is in use or cached.
pub(super) fn find(text: &str) -> Option<Arc<Regexp>> {
    let (hash, shard) = KNOWN.shard(text);
    let shard = shard?.read().unwrap_or_else(PoisonError::into_inner);
    shard.expressions.get(&hash).and_then(Weak::upgrade).filter(|regexp| regexp.as_str() == text)
}

/// Lets an expression be found by its text as long as it is in use or cached.
pub(super) fn share(regexp: &Arc<Regexp>) {
    let (hash, shard) = KNOWN.shard(regexp.as_str());
    let Some(shard) = shard else { return };
    let mut shard = shard.write().unwrap_or_else(PoisonError::into_inner);
    if shard.expressions.len() >= shard.sweep_at {
        shard.expressions.retain(|_, regexp| regexp.strong_count() > 0);
        // Half of what is swept is new, so that sweeping costs a constant for each.
        shard.sweep_at = shard.expressions.len().saturating_mul(2).max(64);
    }
    shard.expressions.insert(hash, Arc::downgrade(regexp));
}

/// A place for something compiled.
pub(super) struct Slot<T>(RwLock<Option<Arc<T>>>);

impl<T> Default for Slot<T> {
    fn default() -> Slot<T> {
        Slot(RwLock::new(None))
    }
}

impl<T> Slot<T> {
    pub(super) fn get(&self) -> Option<Arc<T>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Calls a function with the compiled form, if there is one. Cheaper than [`get`](Self::get), which clones an `Arc`.
    pub(super) fn ask<R>(&self, question: impl FnOnce(&T) -> R) -> Option<R> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).as_deref().map(question)
    }

    /// Puts something in, unless another thread was faster; and whether it did.
    fn put(&self, made: Arc<T>) -> (Arc<T>, bool) {
        let mut slot = self.0.write().unwrap_or_else(PoisonError::into_inner);
        match &*slot {
            Some(other) => (Arc::clone(other), false),
            None => (Arc::clone(slot.insert(made)), true),
        }
    }

    pub(super) fn clear(&self) {
        let made = self.0.write().unwrap_or_else(PoisonError::into_inner).take();
        drop(made);
    }
}

/// Whether an expression was used since an eviction last passed over it.
#[derive(Default)]
pub(super) struct Used(AtomicBool);

impl Used {
    pub(super) fn set(&self) {
        // A store that changes nothing would still take the line from other threads.
        if !self.0.load(Ordering::Relaxed) {
            self.0.store(true, Ordering::Relaxed);
        }
    }

    fn take(&self) -> bool {
        self.0.swap(false, Ordering::Relaxed)
    }
}

/// How a part is cached.
pub(super) enum Hold {
    /// Only as long as someone has the expression.
    InUse(Weak<Regexp>),
    /// The expression with it.
    Always(Arc<Regexp>),
}

impl Hold {
    fn regexp(&self) -> Option<Arc<Regexp>> {
        match self {
            Hold::InUse(regexp) => regexp.upgrade(),
            Hold::Always(regexp) => Some(Arc::clone(regexp)),
        }
    }
}

struct Parts {
    parts: Vec<Part>,
    size: usize,
    seed: u64,
}

/// One cached part of an expression: who holds it, its size, and how to drop it.
struct Part {
    of: Hold,
    size: usize,
    clear: fn(&Regexp),
}

/// Caches something of an expression in a slot, which `clear` empties.
pub(super) fn put<T>(of: Hold, slot: &Slot<T>, made: T, size: usize, clear: fn(&Regexp)) -> Arc<T> {
    let (made, is_new) = slot.put(Arc::new(made));
    if is_new {
        charge(of, size, clear);
    }
    made
}

/// Counts so many bytes of an expression, and evicts others if there is no room.
pub(super) fn charge(of: Hold, size: usize, clear: fn(&Regexp)) {
    let size = size.saturating_add(PART);
    let mut parts = PARTS.lock().unwrap_or_else(PoisonError::into_inner);
    let evicted = parts.make_room(size);
    parts.size = parts.size.saturating_add(size);
    parts.parts.push(Part { of, size, clear });
    drop(parts);
    // Freeing takes its time, in which other threads need not wait.
    for part in evicted {
        if let Some(regexp) = part.of.regexp() {
            (part.clear)(&regexp);
        }
    }
}

impl Parts {
    fn make_room(&mut self, size: usize) -> Vec<Part> {
        let (mut evicted, mut passed) = (Vec::new(), 0_usize);
        while self.size.saturating_add(size) > ROOM && !self.parts.is_empty() {
            let at = self.random(self.parts.len());
            let is_used =
                self.parts.get(at).and_then(|part| part.of.regexp()).is_some_and(|regexp| regexp.used.take());
            if is_used && passed < PASSED {
                passed = passed.saturating_add(1);
                continue;
            }
            passed = 0;
            let part = self.parts.swap_remove(at);
            self.size = self.size.saturating_sub(part.size);
            evicted.push(part);
        }
        evicted
    }

    /// A number below another. (xorshift)
    fn random(&mut self, below: usize) -> usize {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        let below = u64::try_from(below).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.seed.checked_rem(below).unwrap_or_default()).unwrap_or_default()
    }
}
