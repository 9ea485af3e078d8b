//! Names that are nearly the same.

/// Returns the name with the least distance to a given one, if that is less than half of its length.
///
/// Case and `_` make no difference.
pub(crate) fn nearest<'k, K: AsRef<str>>(name: &str, known: &'k [K]) -> Option<&'k str> {
    let plain = |text: &str| text.to_lowercase().replace('_', "");
    let wanted = plain(name);
    // A long name is never a mistyped short one, and the distance costs the product of both lengths.
    let limit = name.chars().count().div_ceil(2).min(64);
    known
        .iter()
        .map(AsRef::as_ref)
        .filter(|key| key.len().abs_diff(name.len()) <= 64 && key.len() <= 256)
        .map(|key| (strsim::levenshtein(&wanted, &plain(key)), key))
        .filter(|(distance, _)| *distance < limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, key)| key)
}
