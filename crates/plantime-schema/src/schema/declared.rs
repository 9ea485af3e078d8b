//! Maps of attributes or of block types by name, in the order in which they are declared.

use indexmap::IndexMap;

/// Attributes or block types by name, in the order in which they are declared: in a file, in a message of a provider, or in
/// Rust. Equality does not look at the order.
///
/// ```
/// use plantime_schema::DeclaredMap;
///
/// let mut sizes: DeclaredMap<u8> = [("small".to_owned(), 1), ("large".to_owned(), 3)].into();
/// sizes.insert("middle".to_owned(), 2);
/// assert_eq!(sizes.keys().collect::<Vec<_>>(), ["small", "large", "middle"]);
/// assert_eq!(sizes.sorted().map(|(name, _)| name).collect::<Vec<_>>(), ["large", "middle", "small"]);
/// assert_eq!((sizes.get("large"), sizes.get("huge"), sizes.len()), (Some(&3), None, 3));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct DeclaredMap<T>(IndexMap<String, T>);

impl<T> Default for DeclaredMap<T> {
    fn default() -> DeclaredMap<T> {
        DeclaredMap(IndexMap::new())
    }
}

impl<T> DeclaredMap<T> {
    /// A map without attributes or block types.
    ///
    /// ```
    /// use plantime_schema::DeclaredMap;
    ///
    /// assert!(DeclaredMap::<u8>::new().is_empty());
    /// ```
    pub fn new() -> DeclaredMap<T> {
        DeclaredMap::default()
    }

    /// The number of attributes or block types in the map.
    ///
    /// [Example](DeclaredMap)
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the map is empty.
    ///
    /// [Example](DeclaredMap::new)
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The part of this name.
    ///
    /// [Example](DeclaredMap)
    pub fn get(&self, name: &str) -> Option<&T> {
        self.0.get(name)
    }

    /// The part of this name, to be changed.
    ///
    /// [Example](DeclaredMap::insert)
    pub fn get_mut(&mut self, name: &str) -> Option<&mut T> {
        self.0.get_mut(name)
    }

    /// Whether there is a part of this name.
    ///
    /// [Example](DeclaredMap::insert)
    pub fn contains_key(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Adds an attribute or block type at the end. If the name is in the map already, the new value takes the position
    /// of the old one, which is returned.
    ///
    /// ```
    /// use plantime_schema::DeclaredMap;
    ///
    /// let mut sizes = DeclaredMap::new();
    /// assert_eq!(sizes.insert("small".to_owned(), 1), None);
    /// assert_eq!(sizes.insert("small".to_owned(), 2), Some(1));
    /// *sizes.get_mut("small").unwrap() = 3;
    /// assert!(sizes.contains_key("small"));
    /// assert_eq!(sizes.remove("small"), Some(3));
    /// ```
    pub fn insert(&mut self, name: String, part: T) -> Option<T> {
        self.0.insert(name, part)
    }

    /// Removes the part of this name, and returns it. The others keep their order.
    ///
    /// [Example](DeclaredMap::insert)
    pub fn remove(&mut self, name: &str) -> Option<T> {
        self.0.shift_remove(name)
    }

    /// The names, in the order in which they are declared.
    ///
    /// [Example](DeclaredMap)
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &String> + Clone {
        self.0.keys()
    }

    /// The parts, in the order in which they are declared.
    ///
    /// ```
    /// use plantime_schema::DeclaredMap;
    ///
    /// let sizes: DeclaredMap<u8> = [("small".to_owned(), 1), ("large".to_owned(), 3)].into_iter().collect();
    /// assert_eq!(sizes.values().sum::<u8>(), 4);
    /// assert_eq!(sizes.iter().next().unwrap().0, "small");
    /// ```
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &T> + Clone {
        self.0.values()
    }

    /// The parts with their names, in the order in which they are declared.
    ///
    /// [Example](DeclaredMap::values)
    pub fn iter(&self) -> Iter<'_, T> {
        Iter(self.0.iter())
    }

    /// The parts with their names, sorted by name: the order in which Terraform reports what is wrong with them.
    ///
    /// [Example](DeclaredMap)
    pub fn sorted(&self) -> impl Iterator<Item = (&String, &T)> {
        let mut all: Vec<(&String, &T)> = self.0.iter().collect();
        all.sort_unstable_by_key(|(name, _)| *name);
        all.into_iter()
    }
}

impl<T> Extend<(String, T)> for DeclaredMap<T> {
    fn extend<I: IntoIterator<Item = (String, T)>>(&mut self, parts: I) {
        self.0.extend(parts);
    }
}

impl<T> FromIterator<(String, T)> for DeclaredMap<T> {
    fn from_iter<I: IntoIterator<Item = (String, T)>>(parts: I) -> DeclaredMap<T> {
        DeclaredMap(parts.into_iter().collect())
    }
}

impl<T, const N: usize> From<[(String, T); N]> for DeclaredMap<T> {
    fn from(parts: [(String, T); N]) -> DeclaredMap<T> {
        parts.into_iter().collect()
    }
}

impl<'a, T> IntoIterator for &'a DeclaredMap<T> {
    type Item = (&'a String, &'a T);
    type IntoIter = Iter<'a, T>;

    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

impl<T> IntoIterator for DeclaredMap<T> {
    type Item = (String, T);
    type IntoIter = IntoIter<T>;

    fn into_iter(self) -> IntoIter<T> {
        IntoIter(self.0.into_iter())
    }
}

/// The parts of a [`DeclaredMap`] with their names, in order.
///
/// [Example](DeclaredMap::values)
#[derive(Clone, Debug)]
pub struct Iter<'a, T>(indexmap::map::Iter<'a, String, T>);

/// The parts of a [`DeclaredMap`] with their names, taken out of it in order.
///
/// [Example](DeclaredMap::values)
#[derive(Debug)]
pub struct IntoIter<T>(indexmap::map::IntoIter<String, T>);

impl<'a, T> Iterator for Iter<'a, T> {
    type Item = (&'a String, &'a T);

    fn next(&mut self) -> Option<(&'a String, &'a T)> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<T> ExactSizeIterator for Iter<'_, T> {}

impl<T> Iterator for IntoIter<T> {
    type Item = (String, T);

    fn next(&mut self) -> Option<(String, T)> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}
