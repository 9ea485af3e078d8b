//! Types met before, so that what is repeated in a text has one type, made once.

/// How many types of each kind are kept at hand.
const KEPT: usize = 256;

/// What types are found again by: equal types have equal keys. Types with one key need not be equal.
#[derive(Clone, Copy)]
pub(in crate::json) struct Key(u64);

impl Key {
    pub(super) const NULL: Key = Key(1);
    pub(super) const BOOL: Key = Key(2);
    pub(super) const NUMBER: Key = Key(3);
    pub(super) const STRING: Key = Key(4);
    pub(super) const TUPLE: Key = Key(5);
    pub(super) const OBJECT: Key = Key(6);

    /// The key of a type that also has a part of this one.
    pub(super) fn with(self, part: Key) -> Key {
        Key((self.0.rotate_left(5) ^ part.0).wrapping_mul(0x517c_c1b7_2722_0a95))
    }

    pub(super) fn with_text(self, text: &str) -> Key {
        text.bytes().fold(self, |key, byte| key.with(Key(byte.into())))
    }

    fn place(self) -> usize {
        // The upper bits depend on everything.
        usize::try_from(self.0 >> 32).unwrap_or_default() % KEPT
    }
}

/// One type for each place; the newer one stays.
pub(super) struct Kept<T>(Vec<Option<T>>);

impl<T> Default for Kept<T> {
    fn default() -> Kept<T> {
        Kept(Vec::new())
    }
}

impl<T: Clone> Kept<T> {
    pub(super) fn get(&self, key: Key) -> Option<&T> {
        self.0.get(key.place()).and_then(Option::as_ref)
    }

    pub(super) fn keep(&mut self, key: Key, ty: &T) {
        if self.0.is_empty() {
            self.0.resize(KEPT, None);
        }
        if let Some(kept) = self.0.get_mut(key.place()) {
            *kept = Some(ty.clone());
        }
    }
}
