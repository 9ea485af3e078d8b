//! List, set and map types: one element type for all members.

use std::fmt;

use super::Type;
use super::node::{CachedPerThread, Inner, InnerTypes, Node};
use super::recent::{Recent, TypeHash};
use crate::error::Result;

#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
/// The element type of a list, set or map type: the content of their shared allocation.
struct Element(Type);

impl InnerTypes for Element {
    fn parts(&self) -> impl Iterator<Item = &Type> {
        std::iter::once(&self.0)
    }
}

thread_local! {
    /// The collection types that were built last on this thread.
    static RECENT: Recent<Inner<Element>> = const { Recent::new() };
}

impl CachedPerThread for Element {
    fn recent<R>(look: impl FnOnce(&Recent<Inner<Element>>) -> R) -> Option<R> {
        RECENT.try_with(look).ok()
    }
}

/// The shared allocation for collections of this element type, cached or new. List, set and map types of the same
/// element type share it. An error above the maximum depth.
fn node(element: Type) -> Result<Node<Element>> {
    let hash = TypeHash::default().with_child(&element);
    match Node::recent(hash, |found: &Element| found.0.is_same(&element)) {
        Some(found) => Ok(found),
        None => Ok(Node::new(Element(element))?.cached_under(hash)),
    }
}

macro_rules! collection {
    ($(#[$doc:meta])* $name:ident, $variant:ident) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Node<Element>);

        impl $name {
            /// The type with this element type.
            ///
            /// The example of [`Type::list`] does the same for a [`Type`].
            ///
            /// # Errors
            ///
            /// [`is_limit`](crate::Error::is_limit) above [`limits::DEPTH`](crate::limits::DEPTH) levels.
            pub fn new(element: Type) -> Result<$name> {
                node(element).map($name)
            }

            /// The type of the elements.
            pub fn element(&self) -> &Type {
                &self.0.body().0
            }

            /// The number of levels that the type nests, itself included.
            pub(super) fn depth(&self) -> usize {
                self.0.depth()
            }

            /// The number of types in this type, on all levels, itself included.
            pub(super) fn size(&self) -> usize {
                self.0.size()
            }

            /// Whether both types share the same allocation. Equal types need not.
            pub(crate) fn is_same(&self, other: &$name) -> bool {
                self.0.is_same(&other.0)
            }

            /// The address of the shared allocation, by which the cache hashes the type.
            pub(super) fn address(&self) -> u64 {
                self.0.address()
            }

            /// Whether the type contains `dynamic` at any depth.
            pub(super) fn has_dynamic(&self) -> bool {
                self.0.has_dynamic()
            }

            /// Whether the type contains a capsule type at any depth.
            pub(super) fn has_capsule(&self) -> bool {
                self.0.has_capsule()
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&Type::$variant(self.clone()), f)
            }
        }
    };
}

collection! {
    /// The type of lists: the payload of [`Type::List`].
    ListType, List
}
impl ListType {
    /// The type of lists of strings.
    pub(crate) fn of_strings() -> ListType {
        ListType(Node::of_primitive(Element(Type::String)))
    }

    /// The type of lists of numbers.
    pub(crate) fn of_numbers() -> ListType {
        ListType(Node::of_primitive(Element(Type::Number)))
    }

    /// The type of lists of bools.
    pub(crate) fn of_bools() -> ListType {
        ListType(Node::of_primitive(Element(Type::Bool)))
    }
}

collection! {
    /// The type of sets: the payload of [`Type::Set`].
    SetType, Set
}
collection! {
    /// The type of maps: the payload of [`Type::Map`].
    MapType, Map
}
