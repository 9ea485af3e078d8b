//! The one cache of compiled expressions, bounded by the total of bytes, not by the number of expressions.
//!
//! Expressions are found by their text in one of several maps, so that threads seldom wait for one another. The
//! compiled engines are stored in the expression itself. Beyond the bound, engines that were not used recently are
//! evicted at random. If slightly more expressions are used in turn than fit, only some are compiled again each
//! time; with eviction by age, all would be.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError, RwLock, Weak};

use super::Regexp;

/// The maximum total size of the cached engines, in bytes.
const MAX_BYTES: usize = 1 << 26;

/// The memory that the cache itself needs for each entry, in bytes.
const ENTRY_BYTES: usize = 1 << 10;

/// The number of maps that share the expressions, each with its own lock; a power of two.
const SHARDS: u64 = 16;

/// How many recently used engines an eviction passes over in a row before it drops one all the same.
const MAX_SPARED: usize = 8;

/// All expressions that are in use or cached.
static KNOWN: LazyLock<Known> = LazyLock::new(Known::default);
/// All cached engines.
static ENTRIES: Mutex<CacheEntries> = Mutex::new(CacheEntries { entries: Vec::new(), size: 0, seed: 1 });

/// The expressions that are in use or cached, by the hashes of their texts.
#[derive(Default)]
struct Known {
    hasher: RandomState,
    shards: [RwLock<Shard>; SHARDS as usize],
}

/// A part of the expressions, by the hashes of their texts.
#[derive(Default)]
struct Shard {
    expressions: HashMap<u64, Weak<Regexp>>,
    /// When the cache has this many entries, it removes those whose expression nobody holds any more.
    sweep_at: usize,
}

impl Known {
    /// The hash of a text, and the map that its expression belongs into.
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

/// Makes an expression available to [`find`], as long as it is in use or cached.
pub(super) fn share(regexp: &Arc<Regexp>) {
    let (hash, shard) = KNOWN.shard(regexp.as_str());
    let Some(shard) = shard else { return };
    let mut shard = shard.write().unwrap_or_else(PoisonError::into_inner);
    if shard.expressions.len() >= shard.sweep_at {
        shard.expressions.retain(|_, regexp| regexp.strong_count() > 0);
        // The next sweep comes when the map has doubled, so sweeping costs a constant for each addition.
        shard.sweep_at = shard.expressions.len().saturating_mul(2).max(64);
    }
    shard.expressions.insert(hash, Arc::downgrade(regexp));
}

/// A slot for a compiled engine, which the cache may empty.
pub(super) struct Slot<T>(RwLock<Option<Arc<T>>>);

impl<T> Default for Slot<T> {
    fn default() -> Slot<T> {
        Slot(RwLock::new(None))
    }
}

impl<T> Slot<T> {
    /// The compiled engine, if there is one.
    pub(super) fn get(&self) -> Option<Arc<T>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Calls a function with the compiled engine, if there is one; returns its result. Cheaper than
    /// [`get`](Self::get), which clones an `Arc`.
    pub(super) fn with<R>(&self, question: impl FnOnce(&T) -> R) -> Option<R> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).as_deref().map(question)
    }

    /// Fills the slot unless another thread was faster; returns the engine in the slot, and whether it is `made`.
    fn put(&self, made: Arc<T>) -> (Arc<T>, bool) {
        let mut slot = self.0.write().unwrap_or_else(PoisonError::into_inner);
        match &*slot {
            Some(other) => (Arc::clone(other), false),
            None => (Arc::clone(slot.insert(made)), true),
        }
    }

    /// Empties the slot.
    pub(super) fn clear(&self) {
        let made = self.0.write().unwrap_or_else(PoisonError::into_inner).take();
        drop(made);
    }
}

/// Whether an expression was used since an eviction last passed over it.
#[derive(Default)]
pub(super) struct Used(AtomicBool);

impl Used {
    /// Records a use.
    pub(super) fn set(&self) {
        // Even a store that changes nothing would take the cache line from other threads.
        if !self.0.load(Ordering::Relaxed) {
            self.0.store(true, Ordering::Relaxed);
        }
    }

    /// Whether the expression was used; then resets the record.
    fn take(&self) -> bool {
        self.0.swap(false, Ordering::Relaxed)
    }
}

/// The cache's reference to the expression that an engine belongs to.
pub(super) enum Owner {
    /// Weakly: the engine goes when nobody uses the expression.
    InUse(Weak<Regexp>),
    /// Strongly: the cache keeps the expression alive.
    Always(Arc<Regexp>),
}

impl Owner {
    /// The expression; `None` if nobody uses it any more.
    fn regexp(&self) -> Option<Arc<Regexp>> {
        match self {
            Owner::InUse(regexp) => regexp.upgrade(),
            Owner::Always(regexp) => Some(Arc::clone(regexp)),
        }
    }
}

/// The cached engines with their total size.
struct CacheEntries {
    entries: Vec<CacheEntry>,
    /// The total size of the entries in bytes.
    size: usize,
    /// The state of the random numbers.
    seed: u64,
}

/// One cached engine: its expression, its size in bytes, and the function that empties its slot.
struct CacheEntry {
    of: Owner,
    size: usize,
    clear: fn(&Regexp),
}

/// Stores a new engine in a slot of the expression `of` and counts its size in bytes; returns the engine in the slot,
/// which is another thread's if that was faster. `clear` empties the slot when the engine is evicted.
pub(super) fn put<T>(of: Owner, slot: &Slot<T>, made: T, size: usize, clear: fn(&Regexp)) -> Arc<T> {
    let (made, is_new) = slot.put(Arc::new(made));
    if is_new {
        count_bytes(of, size, clear);
    }
    made
}

/// Counts `size` more bytes for the expression `of`, and evicts other engines if the total is too large. `clear`
/// frees the memory again.
pub(super) fn count_bytes(of: Owner, size: usize, clear: fn(&Regexp)) {
    let size = size.saturating_add(ENTRY_BYTES);
    let mut entries = ENTRIES.lock().unwrap_or_else(PoisonError::into_inner);
    let evicted = entries.evict_for(size);
    entries.size = entries.size.saturating_add(size);
    entries.entries.push(CacheEntry { of, size, clear });
    drop(entries);
    // Free the evicted engines outside the lock: freeing takes long.
    for entry in evicted {
        if let Some(regexp) = entry.of.regexp() {
            (entry.clear)(&regexp);
        }
    }
}

impl CacheEntries {
    /// Removes random entries, preferably ones not recently used, until `size` more bytes fit; returns them.
    fn evict_for(&mut self, size: usize) -> Vec<CacheEntry> {
        let (mut evicted, mut passed) = (Vec::new(), 0_usize);
        while self.size.saturating_add(size) > MAX_BYTES && !self.entries.is_empty() {
            let at = self.random(self.entries.len());
            let is_used = self
                .entries
                .get(at)
                .and_then(|entry| entry.of.regexp())
                .is_some_and(|regexp| regexp.used.take());
            if is_used && passed < MAX_SPARED {
                passed = passed.saturating_add(1);
                continue;
            }
            passed = 0;
            let entry = self.entries.swap_remove(at);
            self.size = self.size.saturating_sub(entry.size);
            evicted.push(entry);
        }
        evicted
    }

    /// A pseudo-random number from 0 to `below` - 1 (xorshift).
    fn random(&mut self, below: usize) -> usize {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        let below = u64::try_from(below).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.seed.checked_rem(below).unwrap_or_default()).unwrap_or_default()
    }
}
