//! The shared allocation (node) behind every list, set, map, tuple and object type.

use std::cmp::Ordering;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use super::Type;
use super::recent::{Recent, TypeHash};
use crate::error::{Error, Kind, Result};
use crate::limits;

/// A shared list, set, map, tuple or object type, with facts about all its levels, so that reading them takes O(1).
///
/// A thin pointer on purpose: a fat one (`Arc<[Type]>`) would make `Type` 24 bytes and every value 32. Comparisons
/// look at the pointer first, then at the structure.
pub(super) struct Node<T>(Arc<Inner<T>>);

/// The content of a node: the body (its element or attribute types), and facts about it computed when it is built.
pub(super) struct Inner<T> {
    depth: u16,
    has_dynamic: bool,
    has_capsule: bool,
    /// The number of types, counting all levels.
    size: u32,
    /// The hash of the body, the same on every run (L7). Hashing a thousand unknowns of one large type reads a
    /// thousand words instead of walking the type a thousand times. Computed eagerly, so that the node needs no
    /// interior mutability.
    hash: u64,
    body: T,
}

/// The body of a node: the element or attribute types one level below.
pub(super) trait InnerTypes {
    /// The element or attribute types one level below, in order.
    fn parts(&self) -> impl Iterator<Item = &Type>;
}

impl<T: InnerTypes + Hash> Node<T> {
    /// Builds a node and computes the facts about it; an error if the type nests too deep or has too many inner
    /// types.
    pub(super) fn new(body: T) -> Result<Node<T>> {
        let (mut below, mut has_dynamic, mut has_capsule, mut size) = (0, false, false, 1_usize);
        for part in body.parts() {
            below = part.depth().max(below);
            has_dynamic |= part.has_dynamic();
            has_capsule |= part.has_capsule();
            size = size.saturating_add(part.size());
        }
        if below >= limits::DEPTH {
            return Err(too_deep());
        }
        let mut hasher = DefaultHasher::new();
        body.hash(&mut hasher);
        let hash = hasher.finish();
        match (u16::try_from(below.saturating_add(1)), u32::try_from(size)) {
            (Ok(depth), Ok(size)) if size as usize <= limits::SIZE => {
                Ok(Node(Arc::new(Inner { depth, has_dynamic, has_capsule, size, hash, body })))
            }
            _ => Err(too_large()),
        }
    }
}

impl<T: Hash> Node<T> {
    /// Builds the node of a collection type whose element type is primitive, which is within all limits.
    pub(super) fn of_primitive(body: T) -> Node<T> {
        let mut hasher = DefaultHasher::new();
        body.hash(&mut hasher);
        let hash = hasher.finish();
        Node(Arc::new(Inner { depth: 1, has_dynamic: false, has_capsule: false, size: 2, hash, body }))
    }
}

/// The body of a node of a kind whose last built nodes are cached, to be reused on the same thread.
pub(super) trait CachedPerThread: Sized {
    /// Calls `look` with the cache of this thread; `None`, without a call, while the thread ends.
    fn recent<R>(look: impl FnOnce(&Recent<Inner<Self>>) -> R) -> Option<R>;
}

impl<T: CachedPerThread> Node<T> {
    /// The cached node with this hash, if `is_it` says that its body is the one looked for; otherwise `None`.
    pub(super) fn recent(hash: TypeHash, is_it: impl FnOnce(&T) -> bool) -> Option<Node<T>> {
        let found = T::recent(|recent| recent.cached(hash)).flatten();
        found.filter(|inner| is_it(&inner.body)).map(Node)
    }

    /// Caches this node under the hash and returns it.
    pub(super) fn cached_under(self, hash: TypeHash) -> Node<T> {
        T::recent(|recent| recent.cache(hash, &self.0));
        self
    }
}

impl<T> Node<T> {
    /// The element or attribute types that the node was built from.
    pub(super) fn body(&self) -> &T {
        &self.0.body
    }

    /// The memory address of the node, unique while the node is alive.
    pub(super) fn address(&self) -> u64 {
        Arc::as_ptr(&self.0).addr() as u64
    }

    /// The number of levels that the type nests, itself included.
    pub(super) fn depth(&self) -> usize {
        usize::from(self.0.depth)
    }

    /// The number of types in this type, on all levels, itself included.
    pub(super) fn size(&self) -> usize {
        self.0.size as usize
    }

    /// Whether the type contains `dynamic` at any depth.
    pub(super) fn has_dynamic(&self) -> bool {
        self.0.has_dynamic
    }

    /// Whether the type contains a capsule type at any depth.
    pub(super) fn has_capsule(&self) -> bool {
        self.0.has_capsule
    }

    /// Whether both are the same allocation. Equal types need not be.
    pub(super) fn is_same(&self, other: &Node<T>) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// The error for a type that nests deeper than the limit.
#[cold]
pub(crate) fn too_deep() -> Error {
    Error::new(Kind::Limit, format!("types may nest at most {} levels", limits::DEPTH))
}

/// The error for a type that contains more types than the limit.
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
        // All three are functions of the structure: if one differs, the bodies do, and need no walk.
        self.is_same(other)
            || (self.depth() == other.depth()
                && self.size() == other.size()
                && self.0.hash == other.0.hash
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

impl<T> Hash for Node<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash);
    }
}
