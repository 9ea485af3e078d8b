//! The keys of instances of `for_each`, as addresses have them.

use plantime::unstable::text::write_quoted;

/// The sequences that begin a template in a quoted key, each with the escaped form that stands for the text itself.
const TEMPLATES: [(&str, &str); 2] = [("${", "$${"), ("%{", "%%{")];

/// The key that a quoted text stands for, whose other escapes are resolved.
pub(crate) fn without_doubled_templates(key: String) -> String {
    TEMPLATES.iter().fold(key, |key, (plain, doubled)| key.replace(doubled, plain))
}

/// The key of a `for_each` with its brackets, as addresses have it.
pub(crate) fn text_key(key: &str) -> String {
    let key = TEMPLATES.iter().fold(key.to_owned(), |key, (plain, doubled)| key.replace(plain, doubled));
    let mut out = "[".to_owned();
    // Writing into a text does not fail.
    let _ = write_quoted(&mut out, &key);
    out.push(']');
    out
}
