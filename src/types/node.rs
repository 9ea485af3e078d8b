//! The shared node behind every compound type.

use std::cmp::Ordering;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{self, AtomicU64};

use super::Type;
use crate::error::{Error, Kind, Result};
use crate::limits;

/// The parts of a compound type, shared, with the answers that would otherwise need a walk.
///
/// A thin pointer on purpose: a fat one (`Arc<[Type]>`) would make `Type` 24 bytes and every value 32.
/// Comparisons look at the pointer first, then at the structure.
pub(super) struct Node<T>(Arc<Inner<T>>);

struct Inner<T> {
    depth: u16,
    has_dynamic: bool,
    /// How many parts there are, all levels counted.
    size: u32,
    /// The hash of the body once it has been asked for, 0 before: a thousand unknowns of one large type cost as
    /// many words, not as many walks.
    hash: AtomicU64,
    body: T,
}

/// A body of a node: what holds the part types.
pub(super) trait Parts {
    /// The part types, in order.
    fn parts(&self) -> impl Iterator<Item = &Type>;
}

impl<T: Parts> Node<T> {
    /// A node one level above its deepest part.
    pub(super) fn new(body: T) -> Result<Node<T>> {
        let (mut below, mut has_dynamic, mut size) = (0, false, 1_usize);
        for part in body.parts() {
            below = part.depth().max(below);
            has_dynamic |= part.has_dynamic();
            size = size.saturating_add(part.size());
        }
        if below >= limits::DEPTH {
            return Err(too_deep());
        }
        match (u16::try_from(below.saturating_add(1)), u32::try_from(size)) {
            (Ok(depth), Ok(size)) if size as usize <= limits::SIZE => {
                Ok(Node(Arc::new(Inner { depth, has_dynamic, size, hash: AtomicU64::new(0), body })))
            }
            _ => Err(too_large()),
        }
    }
}

impl<T> Node<T> {
    pub(super) fn body(&self) -> &T {
        &self.0.body
    }

    pub(super) fn depth(&self) -> usize {
        usize::from(self.0.depth)
    }

    pub(super) fn size(&self) -> usize {
        self.0.size as usize
    }

    pub(super) fn has_dynamic(&self) -> bool {
        self.0.has_dynamic
    }

    /// Whether the hashes, as far as they are known, leave it open that both are equal.
    fn may_hash_as(&self, other: &Node<T>) -> bool {
        let [a, b] = [self, other].map(|node| node.0.hash.load(atomic::Ordering::Relaxed));
        a == b || a == 0 || b == 0
    }

    /// Whether both are one and the same node.
    pub(super) fn is_same(&self, other: &Node<T>) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

#[cold]
pub(crate) fn too_deep() -> Error {
    Error::new(Kind::Limit, format!("types may nest at most {} levels", limits::DEPTH))
}

#[cold]
fn too_large() -> Error {
    Error::new(Kind::Limit, format!("a type may have at most {} parts", limits::SIZE))
}

impl<T> Clone for Node<T> {
    fn clone(&self) -> Node<T> {
        Node(Arc::clone(&self.0))
    }
}

impl<T: Eq> PartialEq for Node<T> {
    fn eq(&self, other: &Node<T>) -> bool {
        // Functions of the structure: where they differ they decide without a walk.
        self.is_same(other)
            || (self.depth() == other.depth()
                && self.size() == other.size()
                && self.may_hash_as(other)
                && self.body() == other.body())
    }
}

impl<T: Eq> Eq for Node<T> {}

impl<T: Ord> PartialOrd for Node<T> {
    fn partial_cmp(&self, other: &Node<T>) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: Ord> Ord for Node<T> {
    fn cmp(&self, other: &Node<T>) -> Ordering {
        if self.is_same(other) { Ordering::Equal } else { self.body().cmp(other.body()) }
    }
}

impl<T: Hash> Node<T> {
    fn cached_hash(&self) -> u64 {
        let known = self.0.hash.load(atomic::Ordering::Relaxed);
        if known != 0 {
            return known;
        }
        // Two threads that come here at the same time find the same.
        let found = body_hash(self.body());
        self.0.hash.store(found, atomic::Ordering::Relaxed);
        found
    }
}

/// Never 0. The same on every run: the hasher has no key.
#[inline(never)]
fn body_hash(body: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    body.hash(&mut hasher);
    hasher.finish().max(1)
}

impl<T: Hash> Hash for Node<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.cached_hash());
    }
}
