//! Refinements of strings.

use super::{LengthRange, Range, Refinement, StringLanguage};
use crate::error::{Error, Kind, Result};
use crate::language::{self, Language};
use crate::regexp::Invalid;

impl Refinement {
    /// The refinement that the value is null or a string in which the regular expression finds a match. Its syntax and
    /// meaning are those of RE2, as Go's package `regexp` has them; `^` and `$` anchor it.
    ///
    /// ```
    /// use plantime::Refinement;
    ///
    /// let id = Refinement::pattern("^vpc-[0-9a-f]{17}$")?.and_not_null();
    /// assert_eq!(id.to_string(), r#"notnull(stringpattern("^vpc-[0-9a-f]{17}$"))"#);
    /// assert_eq!(Refinement::pattern("^vpc-")?, Refinement::prefix("vpc-"));
    /// assert!(Refinement::prefix("vpc-").contains(&id));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`is_syntax`](Error::is_syntax) if the text is not a regular expression;
    /// [`is_limit`](Error::is_limit) if its automaton is larger than a [`Language`] may be: nothing is widened here;
    /// [`is_contradiction`](Error::is_contradiction) if it matches no string.
    pub fn pattern(pattern: &str) -> Result<Refinement> {
        let language = crate::regexp::language(pattern).map_err(|invalid| {
            let kind = match invalid {
                Invalid::Syntax { .. } => Kind::Syntax,
                Invalid::Limit(_) => Kind::Limit,
            };
            Error::new(kind, invalid.to_string())
        })?;
        Refinement::of_exact(language)
    }

    /// The refinement that the value is null or a string with this suffix; [`any()`](Refinement::any) for the empty
    /// suffix.
    ///
    /// ```
    /// use plantime::{Refinement, Type, Value};
    ///
    /// let host = Refinement::suffix(".example.com")?.and_not_null();
    /// let host = Value::refined(Type::String, host)?;
    /// assert_eq!(host.equals(&Value::from("example.org"))?, Value::from(false));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`is_limit`](Error::is_limit) if the suffix has more than 254 characters.
    pub fn suffix(suffix: &str) -> Result<Refinement> {
        Refinement::of_exact(Language::suffix(&crate::text::nfc(suffix)))
    }

    /// The refinement that the value is null or a string that contains this string; [`any()`](Refinement::any) for the
    /// empty string.
    ///
    /// ```
    /// use plantime::{Refinement, Type, Value};
    ///
    /// let host = Value::refined(Type::String, Refinement::containing("db")?)?;
    /// assert_eq!(host.equals(&Value::from("web-1"))?, Value::from(false));
    /// assert!(!host.equals(&Value::from("db-1"))?.is_known());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`is_limit`](Error::is_limit) if the string has more than 254 characters.
    pub fn containing(part: &str) -> Result<Refinement> {
        Refinement::of_exact(Language::containing(&crate::text::nfc(part)))
    }

    /// The refinement that the value is null or a string whose number of characters (code points) is in this range.
    ///
    /// ```
    /// use plantime::{LengthRange, Refinement, Value};
    ///
    /// let name = Refinement::string_length(LengthRange::new(1, Some(63))?)?;
    /// assert_eq!(name.describe().to_string(), "1 to 63 characters long, or null");
    /// assert!(Value::from("").assume(&name).unwrap_err().is_contradiction());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`is_limit`](Error::is_limit) if the range distinguishes lengths above 254.
    pub fn string_length(range: LengthRange) -> Result<Refinement> {
        let bound = |length: u64| u32::try_from(length).unwrap_or(u32::MAX);
        Refinement::of_exact(Language::lengths(bound(range.lower()), range.upper().map(bound)))
    }

    /// The refinement that the value is null or one of these strings.
    ///
    /// ```
    /// use plantime::Refinement;
    ///
    /// let stage = Refinement::one_of(["dev", "prod"])?;
    /// assert_eq!(stage.to_string(), r#"oneof("dev", "prod")"#);
    /// assert!(Refinement::suffix("d")?.meet(&stage)?.contains(&Refinement::one_of(["prod"])?));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`is_limit`](Error::is_limit) if the automaton of the strings is larger than a [`Language`] may be;
    /// [`is_contradiction`](Error::is_contradiction) if there are none.
    pub fn one_of<S: AsRef<str>>(strings: impl IntoIterator<Item = S>) -> Result<Refinement> {
        let strings: Vec<S> = strings.into_iter().collect();
        Refinement::of_exact(Language::one_of(strings.iter().map(|text| crate::text::nfc(text.as_ref()))))
    }

    /// The refinement that the value is null or one of these strings, which are in normalization form C; of a larger
    /// language where that of the strings is too large.
    pub(crate) fn some_of(strings: &[&str]) -> Refinement {
        Range::of_hull(Language::one_of(strings)).map(Refinement::of).unwrap_or_default()
    }

    /// The refinement that the value is null or a string of the language; [`any()`](Refinement::any) for the language
    /// of all strings.
    ///
    /// ```
    /// use plantime::Refinement;
    /// use plantime::language::Language;
    ///
    /// // `eu-` and one of the letters a to c.
    /// let zones = Language::literal("eu-")?.concat(&Language::class(&[('a', 'c')])?)?;
    /// let zone = Refinement::language(zones)?;
    /// assert_eq!(zone, Refinement::one_of(["eu-a", "eu-b", "eu-c"])?);
    /// assert!(zone.string_language().is_some_and(|zones| zones.contains("eu-b") && !zones.contains("eu-d")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`is_contradiction`](Error::is_contradiction) if the language has no string in normalization form C.
    pub fn language(language: Language) -> Result<Refinement> {
        Range::of_language(language)
            .map(Refinement::of)
            .ok_or_else(|| Error::new(Kind::Contradiction, "no string is in the language"))
    }

    /// The refinement of a language; an error if it is too large.
    fn of_exact(language: language::Result) -> Result<Refinement> {
        let language = language.map_err(|_| {
            let message = format!(
                "the automaton of the strings has more than {} states or {} bytes",
                language::STATES,
                language::BYTES
            );
            Error::new(Kind::Limit, message)
        })?;
        Refinement::language(language)
    }

    /// The refinement that also requires a string of the language, or of a larger one where it is too large. Unchanged
    /// if both contradict each other, which no language of the outcomes of an operation does.
    #[must_use]
    pub(crate) fn and_language(self, language: language::Result) -> Refinement {
        let known = Range::of_hull(language).map(Refinement::of);
        known
            .and_then(|known| self.meet(&known).ok())
            .filter(|met| met.nullness() == self.nullness())
            .unwrap_or(self)
    }

    /// The language of the string, if one is known that is more than a prefix.
    ///
    /// [Example](Refinement::language)
    pub fn string_language(&self) -> Option<&StringLanguage> {
        match &self.range {
            Range::Language(language) => Some(language),
            _ => None,
        }
    }
}
