//! Languages whose strings are mapped character by character.

use std::collections::BTreeMap;

use super::alphabet::{Range, common, complement, merged};
use super::nfa::Builder;
use super::{Language, Result};

/// A map that replaces each character by a string, and all but a few thousand characters by themselves.
///
/// ```
/// use plantime::language::{CharMap, Language};
///
/// let upper = CharMap::new(('a'..='z').map(|c| (c, c.to_ascii_uppercase().to_string())));
/// let id = Language::prefix("vpc-")?.map(&upper)?;
/// assert!(id.contains("VPC-X") && !id.contains("vpc-x"));
/// # Ok::<(), plantime::language::TooLarge>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct CharMap {
    /// The characters that are replaced by one character, by that character: sorted ranges.
    single: BTreeMap<char, Vec<Range>>,
    /// The characters that are replaced by no character or by several.
    others: BTreeMap<char, Box<str>>,
    /// All characters that are not replaced by themselves: sorted ranges.
    changed: Vec<Range>,
}

impl CharMap {
    /// The map that replaces the given characters, and no others.
    ///
    /// [Example](CharMap)
    pub fn new(changes: impl IntoIterator<Item = (char, String)>) -> CharMap {
        let changes: BTreeMap<char, String> = changes.into_iter().collect();
        let mut map = CharMap::default();
        let mut changed = Vec::new();
        for (c, text) in changes {
            let mut chars = text.chars();
            match (chars.next(), chars.next()) {
                (Some(same), None) if same == c => continue,
                (Some(image), None) => {
                    map.single.entry(image).or_default().push((u32::from(c), u32::from(c)))
                }
                _ => drop(map.others.insert(c, text.into())),
            }
            changed.push((u32::from(c), u32::from(c)));
        }
        map.single.values_mut().for_each(|ranges| *ranges = merged(std::mem::take(ranges)));
        map.changed = merged(changed);
        map
    }

    /// The map of all characters for which `image` returns a string. Calls it for each of the 1,112,064 characters,
    /// so the map is one to keep.
    ///
    /// [Example](CharMap)
    pub fn from_fn(image: impl Fn(char) -> Option<String>) -> CharMap {
        CharMap::new(('\0'..=char::MAX).filter_map(|c| Some((c, image(c)?))))
    }

    /// The map of the letters of ASCII to upper case.
    ///
    /// ```
    /// use plantime::language::{CharMap, Language};
    ///
    /// let id = Language::prefix("vpc-")?;
    /// assert_eq!(id.map(&CharMap::ascii_upper())?.common_prefix(), "VPC-");
    /// assert_eq!(Language::literal("Web")?.map(&CharMap::ascii_lower())?, Language::literal("web")?);
    /// # Ok::<(), plantime::language::TooLarge>(())
    /// ```
    pub fn ascii_upper() -> CharMap {
        CharMap::new(('a'..='z').map(|c| (c, c.to_ascii_uppercase().to_string())))
    }

    /// The map of the letters of ASCII to lower case.
    ///
    /// [Example](CharMap::ascii_upper)
    pub fn ascii_lower() -> CharMap {
        CharMap::new(('A'..='Z').map(|c| (c, c.to_ascii_lowercase().to_string())))
    }

    /// The single characters that the map replaces the characters in `ranges` by, as sorted ranges. Unchanged
    /// characters are their own images.
    fn images(&self, ranges: &[Range]) -> Vec<Range> {
        let mut images = common(ranges, &complement(&self.changed));
        for (image, sources) in &self.single {
            if !common(ranges, sources).is_empty() {
                images.push((u32::from(*image), u32::from(*image)));
            }
        }
        merged(images)
    }

    /// The strings that the map replaces characters in `ranges` by, where the string is not a single character.
    fn strings<'a>(&'a self, ranges: &'a [Range]) -> impl Iterator<Item = &'a str> {
        let inside = |c: char| !common(ranges, &[(u32::from(c), u32::from(c))]).is_empty();
        self.others.iter().filter(move |(c, _)| inside(**c)).map(|(_, text)| &**text)
    }
}

impl Language {
    /// The strings of the language after each character is replaced as the map says.
    ///
    /// The results are not normalised: they are in form C if the language and the images are below U+0300.
    ///
    /// [Example](CharMap::ascii_upper)
    pub fn map(&self, map: &CharMap) -> Result {
        let mut source = Builder::new();
        let copy = source.language(self, false);
        let mut builder = Builder::new();
        builder.states = source.states;
        builder.empties.push((0, copy));
        builder.accepting.extend(Builder::ends(self, copy));
        let images: Vec<Vec<Range>> = source.labels.iter().map(|ranges| map.images(ranges)).collect();
        for (from, (label, to)) in &source.edges {
            let place = super::rows::to_usize(*label);
            builder.class(*from, images.get(place).map(Vec::as_slice).unwrap_or_default(), *to);
            for text in map.strings(source.labels.get(place).map(Vec::as_slice).unwrap_or_default()) {
                builder.literal(*from, text, *to);
            }
            if builder.is_too_large() {
                break;
            }
        }
        builder.build()
    }
}
