//! The nearest right name to one that does not exist.

use plantime::unstable::text::nearest;

/// The name that is nearest to one that does not exist, for "did you mean"; `None` if all differ too much.
///
/// ```
/// use plantime_schema::nearest_name;
///
/// assert_eq!(nearest_name("tokn", ["name", "token"]), Some("token"));
/// assert_eq!(nearest_name("colour", ["name", "token"]), None);
/// ```
pub fn nearest_name<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    nearest(name, names)
}
