//! A cache of the tuple and object types in a text, so that a type that occurs often is built once.

/// The number of slots of a cache.
const SLOTS: usize = 256;

/// A hash of a type: equal types have equal keys. As other types may have the same key, the caller compares the
/// type it finds.
#[derive(Clone, Copy)]
pub(in crate::json) struct Key(u64);

impl Key {
    // The keys of scalars, and the keys with which those of containers start.
    /// The key of `dynamic`, the type of a null.
    pub(super) const NULL: Key = Key(1);
    /// The key of the type bool.
    pub(super) const BOOL: Key = Key(2);
    /// The key of the type number.
    pub(super) const NUMBER: Key = Key(3);
    /// The key of the type string.
    pub(super) const STRING: Key = Key(4);
    /// The key of a tuple type without elements, from which the others are built by `with`.
    pub(super) const TUPLE: Key = Key(5);
    /// The key of an object type without attributes, from which the others are built by `with` and `with_text`.
    pub(super) const OBJECT: Key = Key(6);

    /// The key of a container type with one more child of the type with the key `part`.
    pub(super) fn with(self, part: Key) -> Key {
        Key((self.0.rotate_left(5) ^ part.0).wrapping_mul(0x517c_c1b7_2722_0a95))
    }

    /// The key of a container type with one more child of this name.
    pub(super) fn with_text(self, text: &str) -> Key {
        text.bytes().fold(self, |key, byte| key.with(Key(byte.into())))
    }

    /// The index of the key's slot in a cache.
    fn slot(self) -> usize {
        // The upper bits depend on all children.
        usize::try_from(self.0 >> 32).unwrap_or_default() % SLOTS
    }
}

/// A cache with one type in each slot; a newer type replaces an older one.
pub(super) struct TypeCache<T>(Vec<Option<T>>);

impl<T> Default for TypeCache<T> {
    fn default() -> TypeCache<T> {
        TypeCache(Vec::new())
    }
}

impl<T: Clone> TypeCache<T> {
    /// The cached type whose key has the same slot, if any: the caller compares it.
    pub(super) fn get(&self, key: Key) -> Option<&T> {
        self.0.get(key.slot()).and_then(Option::as_ref)
    }

    /// Caches a type.
    pub(super) fn insert(&mut self, key: Key, ty: &T) {
        if self.0.is_empty() {
            self.0.resize(SLOTS, None);
        }
        if let Some(cached) = self.0.get_mut(key.slot()) {
            *cached = Some(ty.clone());
        }
    }
}
