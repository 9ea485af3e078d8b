//! Types made a short while ago on the same thread, to be given out again.
//!
//! A program that makes a thousand objects one by one names the same attributes a thousand times. Where the type made
//! last is found again, no other has to be made, hashed and compared later: types that are one node are equal at a
//! glance. Nothing is kept alive for it, and whether a type is found makes no difference but to time and memory.

use std::cell::RefCell;
use std::sync::{Arc, Weak};

use super::Type;

/// How many types are remembered of each kind.
const SLOTS: usize = 64;

/// Where types of one kind are remembered; a new one takes the place of one with the same low bits of its sum.
pub(super) struct Recent<T>(RefCell<[Weak<T>; SLOTS]>);

impl<T> Recent<T> {
    pub(super) const fn new() -> Recent<T> {
        Recent(RefCell::new([const { Weak::new() }; SLOTS]))
    }

    /// The node of this sum, if there still is one.
    pub(super) fn find(&self, sum: TypeHash) -> Option<Arc<T>> {
        self.0.try_borrow().ok()?.get(sum.slot())?.upgrade()
    }

    /// Remembers a node.
    pub(super) fn keep(&self, sum: TypeHash, node: &Arc<T>) {
        if let Ok(mut slots) = self.0.try_borrow_mut()
            && let Some(slot) = slots.get_mut(sum.slot())
        {
            *slot = Arc::downgrade(node);
        }
    }
}

/// A cheap hash of a type's description: hits are verified by full comparison.
#[derive(Clone, Copy, Default)]
pub(super) struct TypeHash(u64);

impl TypeHash {
    fn add(self, part: u64) -> TypeHash {
        TypeHash((self.0.rotate_left(5) ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// With a name.
    pub(super) fn name(self, name: &str) -> TypeHash {
        let bytes = name.as_bytes();
        let end = |byte: Option<&u8>| u64::from(byte.copied().unwrap_or(0));
        let ends = end(bytes.first()) << 8 | end(bytes.last());
        self.add((bytes.len() as u64) << 16 | ends)
    }

    /// With a part, by its node.
    pub(super) fn part(self, ty: &Type) -> TypeHash {
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

    /// The position of this hash in the cache of recently made types.
    fn slot(self) -> usize {
        // The upper bits are mixed best.
        (self.0 >> 32) as usize % SLOTS
    }
}
