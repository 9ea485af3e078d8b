//! Unicode properties: `\pL`, `\p{Greek}`.

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, HirKind};

/// A Unicode property: a general category, a script, `Any`, `ASCII` or `Assigned`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Property {
    Any,
    Ascii,
    Assigned,
    /// A general category, by its short name.
    Category(&'static str),
    Script(&'static str),
}

/// The names of the general categories in lower case without spaces, `_` and `-`, each with its short name.
const CATEGORIES: [(&str, &str); 80] = [
    ("c", "c"),
    ("casedletter", "lc"),
    ("cc", "cc"),
    ("cf", "cf"),
    ("closepunctuation", "pe"),
    ("cn", "cn"),
    ("cntrl", "cc"),
    ("co", "co"),
    ("combiningmark", "m"),
    ("connectorpunctuation", "pc"),
    ("control", "cc"),
    ("cs", "cs"),
    ("currencysymbol", "sc"),
    ("dashpunctuation", "pd"),
    ("decimalnumber", "nd"),
    ("digit", "nd"),
    ("enclosingmark", "me"),
    ("finalpunctuation", "pf"),
    ("format", "cf"),
    ("initialpunctuation", "pi"),
    ("l", "l"),
    ("lc", "lc"),
    ("letter", "l"),
    ("letternumber", "nl"),
    ("lineseparator", "zl"),
    ("ll", "ll"),
    ("lm", "lm"),
    ("lo", "lo"),
    ("lowercaseletter", "ll"),
    ("lt", "lt"),
    ("lu", "lu"),
    ("m", "m"),
    ("mark", "m"),
    ("mathsymbol", "sm"),
    ("mc", "mc"),
    ("me", "me"),
    ("mn", "mn"),
    ("modifierletter", "lm"),
    ("modifiersymbol", "sk"),
    ("n", "n"),
    ("nd", "nd"),
    ("nl", "nl"),
    ("no", "no"),
    ("nonspacingmark", "mn"),
    ("number", "n"),
    ("openpunctuation", "ps"),
    ("other", "c"),
    ("otherletter", "lo"),
    ("othernumber", "no"),
    ("otherpunctuation", "po"),
    ("othersymbol", "so"),
    ("p", "p"),
    ("paragraphseparator", "zp"),
    ("pc", "pc"),
    ("pd", "pd"),
    ("pe", "pe"),
    ("pf", "pf"),
    ("pi", "pi"),
    ("po", "po"),
    ("privateuse", "co"),
    ("ps", "ps"),
    ("punct", "p"),
    ("punctuation", "p"),
    ("s", "s"),
    ("sc", "sc"),
    ("separator", "z"),
    ("sk", "sk"),
    ("sm", "sm"),
    ("so", "so"),
    ("spaceseparator", "zs"),
    ("spacingmark", "mc"),
    ("surrogate", "cs"),
    ("symbol", "s"),
    ("titlecaseletter", "lt"),
    ("unassigned", "cn"),
    ("uppercaseletter", "lu"),
    ("z", "z"),
    ("zl", "zl"),
    ("zp", "zp"),
    ("zs", "zs"),
];

/// The names of the scripts in lower case without spaces, `_` and `-`.
const SCRIPTS: [&str; 170] = [
    "adlam",
    "ahom",
    "anatolianhieroglyphs",
    "arabic",
    "armenian",
    "avestan",
    "balinese",
    "bamum",
    "bassavah",
    "batak",
    "bengali",
    "bhaiksuki",
    "bopomofo",
    "brahmi",
    "braille",
    "buginese",
    "buhid",
    "canadianaboriginal",
    "carian",
    "caucasianalbanian",
    "chakma",
    "cham",
    "cherokee",
    "chorasmian",
    "common",
    "coptic",
    "cuneiform",
    "cypriot",
    "cyprominoan",
    "cyrillic",
    "deseret",
    "devanagari",
    "divesakuru",
    "dogra",
    "duployan",
    "egyptianhieroglyphs",
    "elbasan",
    "elymaic",
    "ethiopic",
    "garay",
    "georgian",
    "glagolitic",
    "gothic",
    "grantha",
    "greek",
    "gujarati",
    "gunjalagondi",
    "gurmukhi",
    "gurungkhema",
    "han",
    "hangul",
    "hanifirohingya",
    "hanunoo",
    "hatran",
    "hebrew",
    "hiragana",
    "imperialaramaic",
    "inherited",
    "inscriptionalpahlavi",
    "inscriptionalparthian",
    "javanese",
    "kaithi",
    "kannada",
    "katakana",
    "kawi",
    "kayahli",
    "kharoshthi",
    "khitansmallscript",
    "khmer",
    "khojki",
    "khudawadi",
    "kiratrai",
    "lao",
    "latin",
    "lepcha",
    "limbu",
    "lineara",
    "linearb",
    "lisu",
    "lycian",
    "lydian",
    "mahajani",
    "makasar",
    "malayalam",
    "mandaic",
    "manichaean",
    "marchen",
    "masaramgondi",
    "medefaidrin",
    "meeteimayek",
    "mendekikakui",
    "meroiticcursive",
    "meroitichieroglyphs",
    "miao",
    "modi",
    "mongolian",
    "mro",
    "multani",
    "myanmar",
    "nabataean",
    "nagmundari",
    "nandinagari",
    "newa",
    "newtailue",
    "nko",
    "nushu",
    "nyiakengpuachuehmong",
    "ogham",
    "olchiki",
    "oldhungarian",
    "olditalic",
    "oldnortharabian",
    "oldpermic",
    "oldpersian",
    "oldsogdian",
    "oldsoutharabian",
    "oldturkic",
    "olduyghur",
    "olonal",
    "oriya",
    "osage",
    "osmanya",
    "pahawhhmong",
    "palmyrene",
    "paucinhau",
    "phagspa",
    "phoenician",
    "psalterpahlavi",
    "rejang",
    "runic",
    "samaritan",
    "saurashtra",
    "sharada",
    "shavian",
    "siddham",
    "signwriting",
    "sinhala",
    "sogdian",
    "sorasompeng",
    "soyombo",
    "sundanese",
    "sunuwar",
    "sylotinagri",
    "syriac",
    "tagalog",
    "tagbanwa",
    "taile",
    "taitham",
    "taiviet",
    "takri",
    "tamil",
    "tangsa",
    "tangut",
    "telugu",
    "thaana",
    "thai",
    "tibetan",
    "tifinagh",
    "tirhuta",
    "todhri",
    "toto",
    "tulutigalari",
    "ugaritic",
    "vai",
    "vithkuqi",
    "wancho",
    "warangciti",
    "yezidi",
    "yi",
    "zanabazarsquare",
];

impl Property {
    /// The property with this name; `None` if there is none. Case, spaces, `_` and `-` do not matter, as in Go since
    /// version 1.25.
    pub(super) fn named(name: &str) -> Option<Property> {
        let letters = name.chars().filter(|c| !matches!(c, ' ' | '_' | '-')).map(|c| c.to_ascii_lowercase());
        // The longest name has 22 letters, so a longer text needs no look-up.
        let name: String = letters.take(32).collect();
        Some(match name.as_str() {
            "any" => Property::Any,
            "ascii" => Property::Ascii,
            "assigned" => Property::Assigned,
            name => {
                if let Ok(at) = CATEGORIES.binary_search_by_key(&name, |(known, _)| known) {
                    Property::Category(CATEGORIES.get(at)?.1)
                } else {
                    Property::Script(SCRIPTS.get(SCRIPTS.binary_search(&name).ok()?)?)
                }
            }
        })
    }

    /// The characters with the property.
    pub(super) fn characters(self) -> ClassUnicode {
        let span = |last| ClassUnicode::new([ClassUnicodeRange::new('\0', last)]);
        match self {
            Property::Any => span(char::MAX),
            Property::Ascii => span('\x7f'),
            Property::Assigned => {
                let mut class = table("gc", "cn");
                class.negate();
                class
            }
            // In Go the category `C` does not contain unassigned characters. Surrogates are not characters in
            // UTF-8.
            Property::Category("c") => {
                let mut class = table("gc", "cc");
                class.union(&table("gc", "cf"));
                class.union(&table("gc", "co"));
                class
            }
            Property::Category("cs") => ClassUnicode::empty(),
            Property::Category(name) => table("gc", name),
            Property::Script(name) => table("sc", name),
        }
    }
}

/// The characters for which the property `kind` of the engine's Unicode tables has the value `name`.
fn table(kind: &str, name: &str) -> ClassUnicode {
    let parsed = regex_syntax::parse(&format!("\\p{{{kind}={name}}}"));
    match parsed.map(regex_syntax::hir::Hir::into_kind) {
        Ok(HirKind::Class(Class::Unicode(class))) => class,
        // The tables lack a category of one character.
        Ok(HirKind::Literal(text)) => {
            let text = std::str::from_utf8(&text.0).unwrap_or_default();
            ClassUnicode::new(text.chars().map(|c| ClassUnicodeRange::new(c, c)))
        }
        _ => ClassUnicode::empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_have_characters() {
        assert!(CATEGORIES.is_sorted() && SCRIPTS.is_sorted());
        let categories = CATEGORIES.iter().map(|(name, _)| *name);
        for name in categories.chain(SCRIPTS).filter(|name| !matches!(*name, "cs" | "surrogate")) {
            let property = Property::named(name).unwrap();
            assert!(!property.characters().ranges().is_empty(), "{name}");
        }
    }

    #[test]
    fn names_are_found_whatever_their_case_and_spaces() {
        for name in ["Lu", "lu", "Uppercase_Letter", "__upper case-let ter"] {
            assert_eq!(Property::named(name), Some(Property::Category("lu")), "{name}");
        }
        for name in ["", "X", "Grek", "Alphabetic", "White_Space", "sc=Greek", "isGreek", "Greek\u{e9}"] {
            assert_eq!(Property::named(name), None, "{name}");
        }
    }
}
