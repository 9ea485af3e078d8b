//! The names of the text form: what each says of which kind of value, and the nearest to one that is misspelt.

use crate::text::nearest as nearest_of;

/// What a name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    Any,
    Null,
    NotNull,
    Prefix,
    NumberMin,
    NumberMax,
    NumberAbove,
    NumberBelow,
    NumberRange,
    Length,
    LengthMin,
    LengthMax,
}

/// Which kind of value a name is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    Anything,
    Strings,
    Numbers,
    Collections,
    Lists,
    Sets,
    Maps,
}

impl Subject {
    pub(super) fn plural(self) -> &'static str {
        match self {
            Subject::Anything => "all values",
            Subject::Strings => "strings",
            Subject::Numbers => "numbers",
            Subject::Collections => "collections",
            Subject::Lists => "lists",
            Subject::Sets => "sets",
            Subject::Maps => "maps",
        }
    }

    /// The narrower of two subjects that can be one value's.
    pub(super) fn with(self, other: Subject) -> Option<Subject> {
        use Subject::{Anything, Collections, Lists, Maps, Sets};
        match (self, other) {
            (a, b) if a == b => Some(a),
            (Anything, one) | (one, Anything) => Some(one),
            (Collections, one @ (Lists | Sets | Maps)) | (one @ (Lists | Sets | Maps), Collections) => {
                Some(one)
            }
            _ => None,
        }
    }
}

pub(super) const NAMES: [(&str, Word, Subject); 21] = [
    ("any", Word::Any, Subject::Anything),
    ("null", Word::Null, Subject::Anything),
    ("notnull", Word::NotNull, Subject::Anything),
    ("stringprefix", Word::Prefix, Subject::Strings),
    ("numbermin", Word::NumberMin, Subject::Numbers),
    ("numbermax", Word::NumberMax, Subject::Numbers),
    ("numberabove", Word::NumberAbove, Subject::Numbers),
    ("numberbelow", Word::NumberBelow, Subject::Numbers),
    ("numberrange", Word::NumberRange, Subject::Numbers),
    ("length", Word::Length, Subject::Collections),
    ("lengthmin", Word::LengthMin, Subject::Collections),
    ("lengthmax", Word::LengthMax, Subject::Collections),
    ("listlength", Word::Length, Subject::Lists),
    ("listlengthmin", Word::LengthMin, Subject::Lists),
    ("listlengthmax", Word::LengthMax, Subject::Lists),
    ("setlength", Word::Length, Subject::Sets),
    ("setlengthmin", Word::LengthMin, Subject::Sets),
    ("setlengthmax", Word::LengthMax, Subject::Sets),
    ("maplength", Word::Length, Subject::Maps),
    ("maplengthmin", Word::LengthMin, Subject::Maps),
    ("maplengthmax", Word::LengthMax, Subject::Maps),
];

/// What rules and other tools call the same, without `_`.
const ELSEWHERE: [(&str, &str); 18] = [
    ("nonnull", "notnull"),
    ("isnull", "null"),
    ("unknown", "any"),
    ("prefix", "stringprefix"),
    ("startswith", "stringprefix"),
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
    ("len", "length"),
    ("minlen", "lengthmin"),
    ("maxlen", "lengthmax"),
];

/// What the name of a refinement means: the word, and what it is about. `None` for any other name.
pub(super) fn look_up(name: &str) -> Option<(Word, Subject)> {
    NAMES.iter().find(|(known, ..)| *known == name).map(|(_, word, subject)| (*word, *subject))
}

/// The right name that was probably meant.
pub(super) fn nearest(name: &str) -> Option<&'static str> {
    // Longer than any name with the mistakes that would still be taken for one.
    if name.len() > 32 {
        return None;
    }
    let name = name.replace(['_', '-'], "").to_lowercase();
    let name = name.strip_prefix("assume").filter(|rest| !rest.is_empty()).unwrap_or(&name);
    if let Some((_, right)) = ELSEWHERE.iter().find(|(other, _)| *other == name) {
        return Some(right);
    }
    nearest_of(name, NAMES.iter().map(|(right, ..)| *right))
}
