//! Tuple types: a type for each position.

use std::fmt;

use super::Type;
use super::node::{CachedPerThread, Inner, InnerTypes, Node};
use super::recent::{Recent, TypeHash};
use crate::error::Result;

#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
/// The element types of a tuple type, in order: the shared content of [`TupleType`].
struct Elements(Box<[Type]>);

impl InnerTypes for Elements {
    fn parts(&self) -> impl Iterator<Item = &Type> {
        self.0.iter()
    }
}

impl Elements {
    /// Whether these are the same types in the same order. False may be wrong: types are compared by allocation.
    fn are(&self, types: &[Type]) -> bool {
        self.0.len() == types.len() && self.0.iter().zip(types).all(|(own, ty)| own.is_same(ty))
    }
}

/// The maximum number of elements of tuple types that are looked up in the cache.
const MAX_CACHED: usize = 64;

thread_local! {
    /// The tuple types that were built last on this thread.
    static RECENT: Recent<Inner<Elements>> = const { Recent::new() };
}

impl CachedPerThread for Elements {
    fn recent<R>(look: impl FnOnce(&Recent<Inner<Elements>>) -> R) -> Option<R> {
        RECENT.try_with(look).ok()
    }
}

/// The type of tuples: the payload of [`Type::Tuple`].
///
/// ```
/// use plantime::{TupleType, Type};
///
/// let pair = TupleType::new([Type::String, Type::Number])?;
/// assert_eq!(pair.get(1), Some(&Type::Number));
/// assert_eq!(pair.len(), 2);
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TupleType(Node<Elements>);

impl TupleType {
    /// The tuple type with these element types.
    ///
    /// [Example](TupleType)
    ///
    /// # Errors
    ///
    /// [`is_limit`](crate::Error::is_limit) above [`limits::DEPTH`](crate::limits::DEPTH) levels.
    pub fn new(elements: impl IntoIterator<Item = Type>) -> Result<TupleType> {
        let elements: Box<[Type]> = elements.into_iter().collect();
        if elements.len() > MAX_CACHED {
            return Node::new(Elements(elements)).map(TupleType);
        }
        let hash = elements.iter().fold(TypeHash::default(), TypeHash::with_child);
        match Node::recent(hash, |found: &Elements| found.are(&elements)) {
            Some(found) => Ok(TupleType(found)),
            None => Ok(TupleType(Node::new(Elements(elements))?.cached_under(hash))),
        }
    }

    /// The element types by position.
    ///
    /// ```
    /// use plantime::{TupleType, Type};
    ///
    /// let pair = TupleType::new([Type::String, Type::Number])?;
    /// assert_eq!(pair.elements(), [Type::String, Type::Number]);
    /// assert!(pair.iter().all(Type::is_primitive));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn elements(&self) -> &[Type] {
        &self.0.body().0
    }

    /// The number of elements.
    ///
    /// [Example](TupleType)
    pub fn len(&self) -> usize {
        self.elements().len()
    }

    /// Whether there is no element.
    ///
    /// [Example](TupleType)
    pub fn is_empty(&self) -> bool {
        self.elements().is_empty()
    }

    /// The element type at a position, from 0; `None` beyond the end.
    ///
    /// [Example](TupleType)
    pub fn get(&self, index: usize) -> Option<&Type> {
        self.elements().get(index)
    }

    /// The element types by position.
    ///
    /// [Example](TupleType::elements)
    pub fn iter(&self) -> std::slice::Iter<'_, Type> {
        self.elements().iter()
    }

    /// The number of levels that the type nests.
    pub(super) fn depth(&self) -> usize {
        self.0.depth()
    }

    /// The number of types in this type, on all levels, itself included.
    pub(super) fn size(&self) -> usize {
        self.0.size()
    }

    /// Whether both types share the same allocation. Equal types need not.
    pub(crate) fn is_same(&self, other: &TupleType) -> bool {
        self.0.is_same(&other.0)
    }

    /// The address of the shared allocation, by which the cache hashes the type.
    pub(super) fn address(&self) -> u64 {
        self.0.address()
    }

    /// Whether the type contains `dynamic` at any depth.
    pub(crate) fn has_dynamic(&self) -> bool {
        self.0.has_dynamic()
    }

    /// Whether the type contains a capsule type at any depth.
    pub(super) fn has_capsule(&self) -> bool {
        self.0.has_capsule()
    }
}

impl<'a> IntoIterator for &'a TupleType {
    type Item = &'a Type;
    type IntoIter = std::slice::Iter<'a, Type>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Debug for TupleType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Type::Tuple(self.clone()), f)
    }
}
