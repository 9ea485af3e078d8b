//! Indefinite articles.

/// A noun with its article: `a string`, `an object`. The first letter decides, which is right for the names of types.
pub fn with_article(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {noun}")
}
