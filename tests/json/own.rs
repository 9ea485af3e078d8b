//! A subset of our own of what the larger collections ask: which texts are JSON, and in which form strings are.

use plantime::{Type, Value, json};

const IS_JSON: &[&str] = &[
    "null",
    " \t\r\n true \n",
    "-0",
    "0.0",
    "-1.5e+3",
    "2E-2",
    "100000000000000000000000000000000000001",
    "\"\"",
    r#""\"\\\/\b\f\n\r\t""#,
    r#""\u0041\ud83d\ude00""#,
    "\"\u{7f}\u{80}\u{2028}\u{10ffff}\"",
    "[]",
    "[ [ ] , {} ]",
    "{}",
    r#"{"": {"": []}}"#,
    r#"{"a": 1, "A": 2}"#,
];

const IS_NO_JSON: &[&str] = &[
    "",
    " ",
    "nul",
    "nulls",
    "True",
    "NaN",
    "Infinity",
    "+1",
    "01",
    "-",
    "-01",
    "1.",
    ".5",
    "1.e3",
    "1e",
    "1e+",
    "0x10",
    "1_000",
    "1 2",
    "'a'",
    "\"a",
    "\"\\",
    "\"\n\"",
    "\"\t\"",
    "\"\u{1f}\"",
    r#""\x41""#,
    r#""\u12""#,
    r#""\u12g4""#,
    r#""\U0041""#,
    "[",
    "]",
    "[1,]",
    "[,1]",
    "[1 2]",
    "[1}",
    "{",
    "{]",
    "{1: 2}",
    "{a: 1}",
    r#"{"a"}"#,
    r#"{"a":}"#,
    r#"{"a": 1,}"#,
    r#"{"a": 1 "b": 2}"#,
    r#"{"a" 1}"#,
    "// none\n1",
    "/* none */ 1",
    "\u{feff}1",
];

#[test]
fn which_texts_are_json() {
    for text in IS_JSON {
        assert!(json::from_slice(text.as_bytes()).is_ok(), "{text:?}");
        assert!(json::lenient::from_slice(text.as_bytes()).is_ok(), "{text:?}");
    }
    for text in IS_NO_JSON {
        let error = json::from_slice(text.as_bytes()).expect_err(text);
        assert!(error.is_syntax(), "{text:?}: {error}");
    }
    // What is no UTF-8: a byte that never is, an overlong form, half a surrogate pair, a character cut off.
    for bytes in [&b"\"\xff\""[..], b"\"\xc0\xaf\"", b"\"\xed\xa0\x80\"", b"\"\xe2\x82\""] {
        assert!(json::from_slice(bytes).is_err(), "{bytes:?}");
    }
}

/// Texts that are one: as they come, in form C, and in parts.
const FORMS: &[(&str, &str)] = &[
    ("e\u{301}", "\u{e9}"),
    // More than one mark, in any order of those of different classes.
    ("o\u{328}\u{304}", "\u{1ed}"),
    ("o\u{304}\u{328}", "\u{1ed}"),
    ("q\u{307}\u{323}", "q\u{323}\u{307}"),
    // One character for another.
    ("\u{212b}", "\u{c5}"),
    ("\u{2126}", "\u{3a9}"),
    ("\u{f900}", "\u{8c48}"),
    // Hangul from its parts.
    ("\u{1112}\u{1161}\u{11ab}", "\u{d55c}"),
    ("\u{d558}\u{11ab}", "\u{d55c}"),
    // Composed nowhere.
    ("\u{958}", "\u{915}\u{93c}"),
    ("\u{344}", "\u{308}\u{301}"),
    // Compatible is not the same.
    ("\u{fb01}", "\u{fb01}"),
    ("\u{2460}", "\u{2460}"),
    // A starter in between keeps them apart.
    ("e\u{200c}\u{301}", "e\u{200c}\u{301}"),
];

#[test]
fn strings_are_in_form_c() {
    for (text, composed) in FORMS {
        let escaped: String = text.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
        for json in [format!("\"{text}\""), format!("\"{escaped}\"")] {
            assert_eq!(json::from_slice(json.as_bytes()).unwrap().as_str(), Ok(*composed), "{text:?}");
        }
        assert_eq!(Value::from(*text), Value::from(*composed));
    }
}

/// What follows can compose with the last character, so that is not known; it cannot change characters that compose
/// with nothing, though they be seen as one with others.
#[test]
fn what_is_known_of_a_text_that_goes_on_ends_before_what_may_change() {
    for (text, known) in [
        ("ab", "a"),
        ("ae\u{301}", "a"),
        ("a\u{1112}\u{1161}", "a"),
        ("a\u{1f1e9}", "a\u{1f1e9}"),
        ("a\u{1f468}\u{200d}", "a\u{1f468}\u{200d}"),
        ("a\r", "a\r"),
        ("ab-", "ab-"),
        ("", ""),
    ] {
        let template = Value::concat_text(&[&Value::from(text), &Value::unknown(Type::String)]).unwrap();
        assert_eq!(template.range().prefix().unwrap_or_default(), known, "{text:?}");
    }
}

/// Remembers how long the longest piece was that it was given.
struct Longest(usize);

impl std::io::Write for Longest {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 = self.0.max(bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn values_of_every_kind_are_written_in_pieces() {
    let names = || (0..20_000).map(|i| format!("name_{i}"));
    let values = [
        Value::list(names()),
        Value::tuple(names()),
        Value::set(names()),
        Value::map(names().map(|name| (name, 1))),
        Value::object(names().map(|name| (name, 1))),
    ];
    for value in values {
        let value = value.unwrap();
        let mut longest = Longest(0);
        json::to_writer(&mut longest, &value).unwrap();
        let kind = value.ty().friendly_name().to_string();
        assert!(longest.0 > 1 << 15 && longest.0 < 70_000, "{kind}: {} bytes", longest.0);
    }
}
