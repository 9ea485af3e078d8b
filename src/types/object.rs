//! Object types: named attributes with a type each.

use std::fmt;

use indexmap::IndexMap;

use super::Type;
use super::node::{CachedPerThread, Inner, InnerTypes, Node};
use super::recent::{Recent, TypeHash};
use crate::error::{Error, Kind, Result};
use crate::text::{Quoted, Text, nfc};

/// Names and types, sorted by name: the shared content of [`ObjectType`]. The index of a name here is the index of
/// its value in every object of the type.
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Attributes(Box<[(Text, Type)]>);

impl InnerTypes for Attributes {
    fn parts(&self) -> impl Iterator<Item = &Type> {
        self.0.iter().map(|(_, ty)| ty)
    }
}

/// The type of objects: the payload of [`Type::Object`].
///
/// Attributes are sorted by the bytes of their names; the position of an attribute here is its position in every
/// value of the type. Names may be any text and are stored in Unicode normalization form C; lookups normalise the
/// given name.
///
/// ```
/// use plantime::{ObjectType, Type};
///
/// let port = ObjectType::new([("to", Type::Number), ("from", Type::Number), ("note", Type::String)])?;
/// assert_eq!(port.attribute_names().collect::<Vec<_>>(), ["from", "note", "to"]);
/// assert_eq!(port.get("note"), Some(&Type::String));
/// assert_eq!(port.index_of("to"), Some(2));
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectType(Node<Attributes>);

impl ObjectType {
    /// The object type with these attributes, in any order.
    ///
    /// [Example](ObjectType)
    ///
    /// # Errors
    ///
    /// [`is_limit`](crate::Error::is_limit) above [`limits::DEPTH`](crate::limits::DEPTH) levels,
    /// [`is_syntax`](crate::Error::is_syntax) when two names are equal once normalised.
    pub fn new(attributes: impl IntoIterator<Item = (impl AsRef<str>, Type)>) -> Result<ObjectType> {
        let attributes = attributes.into_iter().map(|(name, ty)| (Text::new(name.as_ref()), ty));
        let attributes: Vec<(Text, Type)> = attributes.collect();
        match is_sorted(&attributes) {
            true => ObjectType::from_sorted(attributes),
            false => ObjectType::from_sorted(sorted(attributes)?),
        }
    }

    /// The object type with the entries of a map, name to type, in any order. An error above the maximum depth.
    pub(super) fn from_map(map: IndexMap<Text, Type>) -> Result<ObjectType> {
        let mut attributes: Vec<(Text, Type)> = map.into_iter().collect();
        if !is_sorted(&attributes) {
            attributes.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        }
        ObjectType::from_sorted(attributes)
    }

    /// The object type with these attributes, which must be sorted by name without duplicates: a cached type if there
    /// is one. An error above the maximum depth.
    fn from_sorted(attributes: Vec<(Text, Type)>) -> Result<ObjectType> {
        if let Some(found) = ObjectType::recent(&attributes, |own, ty| own == ty) {
            return Ok(found);
        }
        let hash = hash(&attributes);
        let node = Node::new(Attributes(attributes.into_boxed_slice()))?;
        Ok(ObjectType(node.cached_under(hash)))
    }

    /// The type of an object with these names and values, sorted by name without duplicates: a cached type if it
    /// fits, else a new one. `is_of` says whether a value is of a type, and `of` returns the type of a value; it is
    /// called only for a new type.
    pub(crate) fn of_parts<T>(
        attributes: &[(Text, T)],
        is_of: impl Fn(&T, &Type) -> bool,
        of: impl Fn(&T) -> Type,
    ) -> Result<ObjectType> {
        match ObjectType::recent(attributes, |own, part| is_of(part, own)) {
            Some(found) => Ok(found),
            None => {
                let attributes = attributes.iter().map(|(name, part)| (name.clone(), of(part)));
                ObjectType::from_sorted(attributes.collect())
            }
        }
    }

    /// The cached object type with these names, if `is_of` holds for each of its attribute types and the item in
    /// `attributes`. `None` if there is none, or there are too many attributes for the cache.
    fn recent<T>(attributes: &[(Text, T)], is_of: impl Fn(&Type, &T) -> bool) -> Option<ObjectType> {
        if attributes.len() > MAX_CACHED {
            return None;
        }
        let found = Node::recent(hash(attributes), |found: &Attributes| {
            found.0.len() == attributes.len()
                && found
                    .0
                    .iter()
                    .zip(attributes)
                    .all(|(own, other)| own.0 == other.0 && is_of(&own.1, &other.1))
        });
        found.map(ObjectType)
    }

    /// The type of the attribute with this name; `None` if the type has no such attribute.
    ///
    /// [Example](ObjectType)
    pub fn get(&self, name: &str) -> Option<&Type> {
        self.attributes().get(self.index_of(name)?).map(|(_, ty)| ty)
    }

    /// The position of the attribute with this name, in the order of names; `None` if the type has no such attribute.
    ///
    /// ```
    /// use plantime::{ObjectType, Type};
    ///
    /// let port = ObjectType::new([("to", Type::Number), ("from", Type::Number)])?;
    /// assert_eq!(port.index_of("to"), Some(1));
    /// assert_eq!((port.name_at(1), port.type_at(1)), (Some("to"), Some(&Type::Number)));
    /// assert_eq!(port.attribute_names().collect::<Vec<_>>(), ["from", "to"]);
    /// assert_eq!(port.iter().next(), Some(("from", &Type::Number)));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn index_of(&self, name: &str) -> Option<usize> {
        let name = nfc(name);
        self.attributes().binary_search_by(|(own, _)| own.as_str().cmp(&name)).ok()
    }

    /// The number of attributes.
    ///
    /// [Example](ObjectType)
    pub fn len(&self) -> usize {
        self.attributes().len()
    }

    /// Whether there is no attribute.
    ///
    /// [Example](ObjectType)
    pub fn is_empty(&self) -> bool {
        self.attributes().is_empty()
    }

    /// Names and types, sorted by name.
    ///
    /// [Example](ObjectType::index_of)
    pub fn iter(&self) -> AttributeTypes<'_> {
        AttributeTypes(self.attributes().iter())
    }

    /// The names of the attributes, sorted.
    ///
    /// [Example](ObjectType::index_of)
    pub fn attribute_names(&self) -> impl DoubleEndedIterator<Item = &str> + ExactSizeIterator {
        self.attributes().iter().map(|(name, _)| name.as_str())
    }

    /// The names of the attributes as shared strings, sorted.
    pub(crate) fn names(&self) -> impl ExactSizeIterator<Item = &Text> + Clone {
        self.attributes().iter().map(|(name, _)| name)
    }

    /// The name of the attribute at a position, as a shared string; `None` beyond the end.
    #[inline]
    pub(crate) fn name(&self, index: usize) -> Option<&Text> {
        self.attributes().get(index).map(|(name, _)| name)
    }

    /// The name of the attribute at a position, in the order of names; `None` beyond the end.
    ///
    /// [Example](ObjectType::index_of)
    pub fn name_at(&self, index: usize) -> Option<&str> {
        self.attributes().get(index).map(|(name, _)| name.as_str())
    }

    /// The type of the attribute at a position, in the order of names; `None` beyond the end.
    ///
    /// [Example](ObjectType::index_of)
    pub fn type_at(&self, index: usize) -> Option<&Type> {
        self.attributes().get(index).map(|(_, ty)| ty)
    }

    /// The names and types, sorted by name.
    fn attributes(&self) -> &[(Text, Type)] {
        &self.0.body().0
    }

    /// The address of the shared allocation, by which the cache hashes the type.
    pub(super) fn address(&self) -> u64 {
        self.0.address()
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
    pub(crate) fn is_same(&self, other: &ObjectType) -> bool {
        self.0.is_same(&other.0)
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

impl<'a> IntoIterator for &'a ObjectType {
    type Item = (&'a str, &'a Type);
    type IntoIter = AttributeTypes<'a>;

    fn into_iter(self) -> AttributeTypes<'a> {
        self.iter()
    }
}

/// An iterator over the attributes of an object type, sorted by name; returned by [`ObjectType::iter`].
#[derive(Clone, Debug)]
pub struct AttributeTypes<'a>(std::slice::Iter<'a, (Text, Type)>);

impl<'a> Iterator for AttributeTypes<'a> {
    type Item = (&'a str, &'a Type);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|(name, ty)| (name.as_str(), ty))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl DoubleEndedIterator for AttributeTypes<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back().map(|(name, ty)| (name.as_str(), ty))
    }
}

impl ExactSizeIterator for AttributeTypes<'_> {}

impl fmt::Debug for ObjectType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Type::Object(self.clone()), f)
    }
}

/// The maximum number of attributes of object types that are looked up in the cache.
const MAX_CACHED: usize = 256;

thread_local! {
    /// The object types that were built last on this thread.
    static RECENT: Recent<Inner<Attributes>> = const { Recent::new() };
}

impl CachedPerThread for Attributes {
    fn recent<R>(look: impl FnOnce(&Recent<Inner<Attributes>>) -> R) -> Option<R> {
        RECENT.try_with(look).ok()
    }
}

/// The cache hash of an object type: by its names alone, since most objects with the same names have the same type.
fn hash<T>(attributes: &[(Text, T)]) -> TypeHash {
    attributes.iter().fold(TypeHash::default(), |hash, (name, _)| hash.with_name(name))
}

/// Whether the attributes are sorted by name, without duplicate names.
fn is_sorted(attributes: &[(Text, Type)]) -> bool {
    attributes.is_sorted_by(|(a, _), (b, _)| a < b)
}

/// The attributes sorted by name; an error that quotes the first name that occurs again.
#[inline(never)]
fn sorted(attributes: Vec<(Text, Type)>) -> Result<Vec<(Text, Type)>> {
    let mut placed: Vec<(usize, (Text, Type))> = attributes.into_iter().enumerate().collect();
    // The sort is stable: of equal names the first stays first.
    placed.sort_by(|(_, (a, _)), (_, (b, _))| a.cmp(b));
    let again = placed.iter().zip(placed.iter().skip(1)).filter(|((_, (a, _)), (_, (b, _)))| a == b);
    if let Some((_, (name, _))) = again.map(|(_, later)| later).min_by_key(|(place, _)| *place) {
        let message = format!("duplicate attribute {}", Quoted(name));
        return Err(Error::new(Kind::Syntax, message));
    }
    Ok(placed.into_iter().map(|(_, attribute)| attribute).collect())
}
