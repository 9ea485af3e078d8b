//! The names in the text form of refinements: their meaning, their kind of value, and suggestions for misspelt ones.

use crate::text::nearest as nearest_of;

/// The meaning of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NameMeaning {
    Any,
    Null,
    NotNull,
    Prefix,
    Suffix,
    Contains,
    StringLength,
    StringLengthMin,
    StringLengthMax,
    OneOf,
    Pattern,
    Automaton,
    NumberMin,
    NumberMax,
    NumberAbove,
    NumberBelow,
    NumberRange,
    Integer,
    Multiple,
    Length,
    LengthMin,
    LengthMax,
    Elements,
    Keys,
    Attribute,
    TupleElement,
}

/// The kind of value to which a name applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueKind {
    Anything,
    /// Strings or numbers, as the arguments tell.
    Primitives,
    Strings,
    Numbers,
    Collections,
    Lists,
    Sets,
    Maps,
    Objects,
    Tuples,
}

impl ValueKind {
    /// The kind of value in words, in the plural.
    pub(super) fn plural(self) -> &'static str {
        match self {
            ValueKind::Anything => "all values",
            ValueKind::Primitives => "strings and numbers",
            ValueKind::Strings => "strings",
            ValueKind::Numbers => "numbers",
            ValueKind::Collections => "collections",
            ValueKind::Lists => "lists",
            ValueKind::Sets => "sets",
            ValueKind::Maps => "maps",
            ValueKind::Objects => "objects",
            ValueKind::Tuples => "tuples",
        }
    }

    /// The narrower of two kinds; `None` if no value is of both kinds.
    pub(super) fn narrower(self, other: ValueKind) -> Option<ValueKind> {
        use ValueKind::{Anything, Collections, Lists, Maps, Numbers, Primitives, Sets, Strings};
        match (self, other) {
            (a, b) if a == b => Some(a),
            (Anything, one) | (one, Anything) => Some(one),
            (Primitives, one @ (Strings | Numbers)) | (one @ (Strings | Numbers), Primitives) => Some(one),
            (Collections, one @ (Lists | Sets | Maps)) | (one @ (Lists | Sets | Maps), Collections) => {
                Some(one)
            }
            _ => None,
        }
    }
}

/// All names with their meaning and kind of value.
pub(super) const NAMES: [(&str, NameMeaning, ValueKind); 35] = [
    ("any", NameMeaning::Any, ValueKind::Anything),
    ("null", NameMeaning::Null, ValueKind::Anything),
    ("notnull", NameMeaning::NotNull, ValueKind::Anything),
    ("stringprefix", NameMeaning::Prefix, ValueKind::Strings),
    ("stringsuffix", NameMeaning::Suffix, ValueKind::Strings),
    ("stringcontains", NameMeaning::Contains, ValueKind::Strings),
    ("stringlength", NameMeaning::StringLength, ValueKind::Strings),
    ("oneof", NameMeaning::OneOf, ValueKind::Primitives),
    ("stringpattern", NameMeaning::Pattern, ValueKind::Strings),
    ("numbermin", NameMeaning::NumberMin, ValueKind::Numbers),
    ("numbermax", NameMeaning::NumberMax, ValueKind::Numbers),
    ("numberabove", NameMeaning::NumberAbove, ValueKind::Numbers),
    ("numberbelow", NameMeaning::NumberBelow, ValueKind::Numbers),
    ("numberrange", NameMeaning::NumberRange, ValueKind::Numbers),
    ("length", NameMeaning::Length, ValueKind::Collections),
    ("lengthmin", NameMeaning::LengthMin, ValueKind::Collections),
    ("lengthmax", NameMeaning::LengthMax, ValueKind::Collections),
    ("listlength", NameMeaning::Length, ValueKind::Lists),
    ("listlengthmin", NameMeaning::LengthMin, ValueKind::Lists),
    ("listlengthmax", NameMeaning::LengthMax, ValueKind::Lists),
    ("setlength", NameMeaning::Length, ValueKind::Sets),
    ("setlengthmin", NameMeaning::LengthMin, ValueKind::Sets),
    ("setlengthmax", NameMeaning::LengthMax, ValueKind::Sets),
    ("maplength", NameMeaning::Length, ValueKind::Maps),
    ("maplengthmin", NameMeaning::LengthMin, ValueKind::Maps),
    ("maplengthmax", NameMeaning::LengthMax, ValueKind::Maps),
    ("stringlengthmin", NameMeaning::StringLengthMin, ValueKind::Strings),
    ("stringlengthmax", NameMeaning::StringLengthMax, ValueKind::Strings),
    ("numberinteger", NameMeaning::Integer, ValueKind::Numbers),
    ("numbermultiple", NameMeaning::Multiple, ValueKind::Numbers),
    ("stringautomaton", NameMeaning::Automaton, ValueKind::Strings),
    ("elements", NameMeaning::Elements, ValueKind::Collections),
    ("keys", NameMeaning::Keys, ValueKind::Maps),
    ("attribute", NameMeaning::Attribute, ValueKind::Objects),
    ("tupleelement", NameMeaning::TupleElement, ValueKind::Tuples),
];

/// Names that rules and other tools use for the same meaning, without `_`, and the right name here.
const FOREIGN_NAMES: [(&str, &str); 41] = [
    ("nonnull", "notnull"),
    ("isnull", "null"),
    ("unknown", "any"),
    ("prefix", "stringprefix"),
    ("startswith", "stringprefix"),
    ("suffix", "stringsuffix"),
    ("endswith", "stringsuffix"),
    ("contains", "stringcontains"),
    ("pattern", "stringpattern"),
    ("matches", "stringpattern"),
    ("regex", "stringpattern"),
    ("enum", "oneof"),
    ("strlen", "stringlength"),
    ("minlength", "stringlengthmin"),
    ("maxlength", "stringlengthmax"),
    ("min", "numbermin"),
    ("atleast", "numbermin"),
    ("max", "numbermax"),
    ("atmost", "numbermax"),
    ("above", "numberabove"),
    ("greaterthan", "numberabove"),
    ("below", "numberbelow"),
    ("lessthan", "numberbelow"),
    ("range", "numberrange"),
    ("between", "numberrange"),
    ("int", "numberinteger"),
    ("integer", "numberinteger"),
    ("wholenumber", "numberinteger"),
    ("multiple", "numbermultiple"),
    ("multipleof", "numbermultiple"),
    ("len", "length"),
    ("minlen", "lengthmin"),
    ("maxlen", "lengthmax"),
    ("items", "elements"),
    ("each", "elements"),
    ("propertynames", "keys"),
    ("eachkey", "keys"),
    ("properties", "attribute"),
    ("property", "attribute"),
    ("attributes", "attribute"),
    ("element", "tupleelement"),
];

/// All names in the text form of refinements, sorted.
pub fn refinement_names() -> Vec<&'static str> {
    let mut names: Vec<&str> = NAMES.iter().map(|(name, ..)| *name).collect();
    names.sort_unstable();
    names
}

/// The meaning of a name and its kind of value; `None` for an unknown name.
pub(super) fn look_up(name: &str) -> Option<(NameMeaning, ValueKind)> {
    NAMES.iter().find(|(known, ..)| *known == name).map(|(_, word, subject)| (*word, *subject))
}

/// The right name that a misspelt one probably means.
pub(super) fn nearest(name: &str) -> Option<&'static str> {
    // Longer than any name with as many mistakes as a suggestion allows.
    if name.len() > 32 {
        return None;
    }
    let name = name.replace(['_', '-'], "").to_lowercase();
    let name = name.strip_prefix("assume").filter(|rest| !rest.is_empty()).unwrap_or(&name);
    if let Some((_, right)) = FOREIGN_NAMES.iter().find(|(other, _)| *other == name) {
        return Some(right);
    }
    nearest_of(name, NAMES.iter().map(|(right, ..)| *right))
}
