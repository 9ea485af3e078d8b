//! A cache of the types that were built last on the same thread.
//!
//! A program that builds a thousand objects one by one builds the same object type a thousand times. A cached type
//! saves the allocation, and types that share a node are equal without a comparison. The cache keeps no type alive,
//! and changes nothing but time and memory.

use std::cell::RefCell;
use std::sync::{Arc, Weak};

use super::Type;

/// The number of cached types of each kind (collections, tuples, objects) on each thread.
const SLOTS: usize = 64;

/// The cached types of one kind, by hash. A new type replaces the one that was in the slot of its hash.
pub(super) struct Recent<T>(RefCell<[Weak<T>; SLOTS]>);

impl<T> Recent<T> {
    /// An empty cache.
    pub(super) const fn new() -> Recent<T> {
        Recent(RefCell::new([const { Weak::new() }; SLOTS]))
    }

    /// The cached node in the slot of this hash, if it is still alive. The caller compares it: it may be of another
    /// type.
    pub(super) fn cached(&self, hash: TypeHash) -> Option<Arc<T>> {
        self.0.try_borrow().ok()?.get(hash.slot())?.upgrade()
    }

    /// Caches a node in the slot of this hash, without keeping it alive.
    pub(super) fn cache(&self, hash: TypeHash, node: &Arc<T>) {
        if let Ok(mut slots) = self.0.try_borrow_mut()
            && let Some(slot) = slots.get_mut(hash.slot())
        {
            *slot = Arc::downgrade(node);
        }
    }
}

/// A cheap hash of what a type is built from. Types with the same hash need not be equal: a hit is compared in full.
#[derive(Clone, Copy, Default)]
pub(super) struct TypeHash(u64);

impl TypeHash {
    /// The hash with the number `part` mixed in.
    fn add(self, part: u64) -> TypeHash {
        TypeHash((self.0.rotate_left(5) ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// The hash with the name of an attribute added: its length, first and last byte.
    pub(super) fn with_name(self, name: &str) -> TypeHash {
        let bytes = name.as_bytes();
        let end = |byte: Option<&u8>| u64::from(byte.copied().unwrap_or(0));
        let ends = end(bytes.first()) << 8 | end(bytes.last());
        self.add((bytes.len() as u64) << 16 | ends)
    }

    /// The hash with an element type added, by its kind and the address of its allocation.
    pub(super) fn with_child(self, ty: &Type) -> TypeHash {
        self.add(match ty {
            Type::Dynamic => 0,
            Type::Bool => 1,
            Type::Number => 2,
            Type::String => 3,
            Type::Capsule(_) => 4,
            Type::List(list) => list.address(),
            Type::Set(set) => set.address().wrapping_add(1),
            Type::Map(map) => map.address().wrapping_add(2),
            Type::Tuple(tuple) => tuple.address(),
            Type::Object(object) => object.address(),
        })
    }

    /// The index of the cache slot for this hash.
    fn slot(self) -> usize {
        // The upper bits are mixed best.
        (self.0 >> 32) as usize % SLOTS
    }
}
