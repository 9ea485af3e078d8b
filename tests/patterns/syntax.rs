//! What is syntax and what is not, by the documented syntax of RE2 and Go.

use plantime::function::Functions;
use plantime::rule::{Format, Pattern};

/// Expressions, a text that they match as a whole, and one in which they find nothing.
const ACCEPTED: &[(&str, &str, Option<&str>)] = &[
    // Classes about ASCII.
    (r"\d+", "019", Some("\u{663}")),
    (r"\D+", "\u{663}a", Some("019")),
    (r"\w+", "aZ_9", Some("\u{e9}-")),
    (r"\W+", "\u{e9}-", Some("aZ_9")),
    (r"\s+", " \t\n\u{c}\r", Some("\u{b}\u{a0}\u{85}")),
    (r"\S+", "\u{b}\u{a0}", Some(" \t\n\u{c}\r")),
    (r"[\d\s]+", "1 2", Some("\u{663}")),
    (r"[^\w]+", "\u{e9}", Some("a")),
    (r"\ba\b", "a", Some("_a_")),
    (r"\B\x{e9}\B", "\u{e9}", Some("a\u{e9}a")),
    (r"[[:alpha:]]+", "aZ", Some("\u{e9}")),
    (r"[[:^alpha:]]+", "\u{e9}1", Some("a")),
    (r"[[:space:]]+", " \t\n\u{b}\u{c}\r", Some("\u{a0}")),
    (r"[[:word:]]+", "a_0", Some("-")),
    (r"[[:alpha]", ":", Some("b")),
    // Unicode.
    (r"\pL+", "\u{e9}a", Some("1")),
    (r"\PL+", "1 ", Some("a")),
    (r"\p{Greek}\P{Greek}\p{^Greek}\P{^Greek}", "\u{3b1}ab\u{3b2}", Some("a")),
    (r"[\p{Lu}\pN]+", "A1", Some("a")),
    (r"\p{Uppercase_Letter}\p{upper case-letter}\p{lu}", "ABC", Some("a")),
    (r"\p{Any}\p{ASCII}\p{Assigned}\p{LC}", "\u{378}aba", Some("\u{378}")),
    (r"\pC", "\u{ad}", Some("\u{378}")),
    (r"\p{Cn}", "\u{378}", Some("a")),
    (r".", "\u{1f600}", Some("\n")),
    // Case.
    (r"(?i)straSSE", "STRAsse", Some("stra\u{df}e")),
    (r"(?i)k", "\u{212a}", None),
    (r"(?i)\w\W", "\u{17f}-", Some("\u{17f}\u{212a}")),
    (r"(?i)[\w]", "\u{212a}", Some("-")),
    (r"(?i)[^\W]", "\u{212a}", Some("-")),
    (r"(?i)[^k]", "a", Some("kK\u{212a}")),
    (r"(?i)[[:^lower:]]", "1", Some("aA\u{17f}")),
    (r"(?i)\p{Lu}", "a", Some("1")),
    (r"(?i)\x{e9}", "\u{c9}", Some("e")),
    (r"a(?i)b(?-i)c", "aBc", Some("ABc")),
    (r"a(?i:b)c", "aBc", Some("aBC")),
    (r"(?:a(?i)b|c)d", "Cd", Some("CD")),
    // Lines.
    (r"(?s).+", "a\nb", None),
    (r"(?m)^a$\nb", "a\nb", Some("xa\nb")),
    (r"a$", "a", Some("a\n")),
    (r"\Aa\z", "a", Some("a\n")),
    (r"(?m)\Aa$", "a", Some("\na")),
    // Preference.
    (r"(?U)a+b??", "ab", None),
    // Codes.
    (r"\141\x41\x{1F600}\0\07\377", "aA\u{1f600}\0\u{7}\u{ff}", None),
    (r"[\012-\172]", "a", Some("{")),
    (r"\a\f\t\n\r\v", "\u{7}\u{c}\t\n\r\u{b}", None),
    (r"\.\+\*\?\(\)\|\[\]\{\}\^\$\\\/\-\_\<\>\ \~\&\#\@", r".+*?()|[]{}^$\/-_<> ~&#@", None),
    // Quoted.
    (r"\Qa.b\E+", "a.bb", Some("aab")),
    (r"\Q\\E", r"\", None),
    (r"\Q[a", "[a", None),
    (r"a\Q\E*", "aaa", None),
    // Characters that are operators elsewhere.
    (r"\${x}", "${x}", Some("x")),
    (r"a|^${x}$", "a", Some("${x}")),
    (r"\<a\>", "<a>", Some("a")),
    (r"a{,2}", "a{,2}", Some("aa")),
    (r"a{", "a{", None),
    (r"a{1", "a{1", None),
    (r"a{01}", "a{01}", Some("a")),
    (r"x{9876543210", "x{9876543210", None),
    (r"a*{", "aa{", None),
    (r"}]", "}]", None),
    (r"[]a]+", "]a", Some("b")),
    (r"[^]a]+", "b", Some("]a")),
    (r"[a-]+", "a-", Some("b")),
    (r"[-a]+", "a-", Some("b")),
    (r"[a-b-c]+", "ab-c", Some("d")),
    (r"[a&&b]+", "a&b", Some("c")),
    (r"[+--b]+", "+,-b", Some("*")),
    (r"[a~~b]+", "a~b", Some("c")),
    (r"[[a]+", "[a", Some("]")),
    (r"# x", "# x", Some("#x")),
    // Groups.
    (r"(?P<n>a)(?P<n>b)", "ab", Some("a")),
    (r"(?<n>a)(?P<1>b)", "ab", Some("a")),
    (r"(?:)a()", "a", None),
    (r"(?)a", "a", None),
    (r"(?i-s)a", "A", None),
    // Repetitions.
    (r"a{2,}b{0}c{0,1}", "aaa", Some("a")),
    (r"a(?i)*", "aaa", None),
    (r"^*a", "a", None),
    (r"(?:[a-z]{4}){0,250}", "abcd", None),
    (r"(?:(?:x{2}){2}){0,250}", "xxxx", None),
    (r"(?:(?:x{0}){5}){200}", "", None),
    (r"(?:x*){1000}", "xx", None),
    (r"(?:a|b|)", "a", None),
    (r"|a||", "", None),
    // Code points that are not characters.
    (r"[\x{d7ff}-\x{e000}]", "\u{e000}", Some("a")),
    (r"\x{d800}|a", "a", Some("b")),
];

const REFUSED: &[(&str, &str)] = &[
    ("(", "missing closing ): `(`"),
    ("a)", "unexpected ): `a)`"),
    ("(a|b", "missing closing ): `(a|b`"),
    ("[a-z", "missing closing ]: `[a-z`"),
    ("[]", "missing closing ]: `[]`"),
    ("[z-a]", "invalid character class range: `z-a`"),
    ("[a-Z]", "invalid character class range: `a-Z`"),
    (r"[a-\d]", "invalid escape sequence: `\\d`"),
    ("[[:foo:]]", "invalid character class range: `[:foo:]`"),
    (r"\p{Nope}", r"invalid character class range: `\p{Nope}`"),
    (r"\p{Alphabetic}", r"invalid character class range: `\p{Alphabetic}`"),
    (r"\p{sc=Greek}", r"invalid character class range: `\p{sc=Greek}`"),
    (r"\pX", r"invalid character class range: `\pX`"),
    (r"\p{L", r"invalid character class range: `\p{L`"),
    (r"\p", r"invalid character class range: `\p`"),
    ("*", "missing argument to repetition operator: `*`"),
    ("a|*", "missing argument to repetition operator: `*`"),
    ("(?i)+", "missing argument to repetition operator: `+`"),
    (r"\Q\E*", "missing argument to repetition operator: `*`"),
    ("{2}", "missing argument to repetition operator: `{2}`"),
    ("x**", "invalid nested repetition operator: `**`"),
    ("a+??", "invalid nested repetition operator: `+??`"),
    ("a{2}{3}", "invalid nested repetition operator: `{2}{3}`"),
    ("a{1001}", "invalid repeat count: `{1001}`"),
    ("a{1001,}", "invalid repeat count: `{1001,}`"),
    ("a{2,1}", "invalid repeat count: `{2,1}`"),
    ("a{1,9876543210}", "invalid repeat count: `{1,9876543210}`"),
    ("(?:[a-z]{4}){0,251}", "invalid repeat count: `{0,251}`"),
    ("(?:(?:x{2}y){2}z*){251}", "invalid repeat count: `{251}`"),
    ("(?:(?:x{0}){5}){201}", "invalid repeat count: `{201}`"),
    ("(?P<n>a", "missing closing ): `(?P<n>a`"),
    ("(?P<n", "invalid named capture: `(?P<n`"),
    ("(?P<x y>a)", "invalid named capture: `(?P<x y>`"),
    ("(?P<>a)", "invalid named capture: `(?P<>`"),
    ("(?<\u{e9}>a)", "invalid named capture: `(?<\u{e9}>`"),
    ("(?P=n)", "invalid or unsupported Perl syntax: `(?P`"),
    ("(?x) a", "invalid or unsupported Perl syntax: `(?x`"),
    ("(?u)a", "invalid or unsupported Perl syntax: `(?u`"),
    ("(?-)a", "invalid or unsupported Perl syntax: `(?-)`"),
    ("(?i--s)a", "invalid or unsupported Perl syntax: `(?i--`"),
    ("(?=a)", "invalid or unsupported Perl syntax: `(?=`"),
    ("(?!a)", "invalid or unsupported Perl syntax: `(?!`"),
    ("(?<=a)", "invalid named capture: `(?<=a)`"),
    ("(?i", "missing closing ): `(?i`"),
    (r"\u0061", r"invalid escape sequence: `\u`"),
    (r"(a)\1", r"invalid escape sequence: `\1`"),
    (r"\8", r"invalid escape sequence: `\8`"),
    (r"\C", r"invalid escape sequence: `\C`"),
    (r"\Z", r"invalid escape sequence: `\Z`"),
    (r"\G", r"invalid escape sequence: `\G`"),
    (r"\h", r"invalid escape sequence: `\h`"),
    (r"[\b]", r"invalid escape sequence: `\b`"),
    (r"[\A]", r"invalid escape sequence: `\A`"),
    (r"\x{110000}", r"invalid escape sequence: `\x{110000`"),
    (r"\x{+41}", r"invalid escape sequence: `\x{+`"),
    (r"\x{41", r"invalid escape sequence: `\x{41`"),
    (r"\x+1", r"invalid escape sequence: `\x+1`"),
    (r"\x4", r"invalid escape sequence: `\x4`"),
    (r"\x{}", r"invalid escape sequence: `\x{}`"),
    ("\\\u{e9}", "invalid escape sequence: `\\\u{e9}`"),
    ("a\\", "trailing backslash at end of expression"),
];

#[test]
fn what_is_syntax_means_the_same_to_functions_and_rules() {
    for (pattern, text, other) in ACCEPTED {
        let whole = format!(r"\A(?:{pattern})\z");
        // A quote that is not closed takes the end of the expression too.
        let whole = if pattern.contains("\\Q[a") { format!(r"\A{pattern}") } else { whole };
        assert!(super::is_match(&whole, text), "{pattern} on {text:?}");
        assert!(super::first(&whole, text).is_some(), "{pattern} on {text:?}");
        if let Some(other) = other {
            assert!(!super::is_match(pattern, other), "{pattern} on {other:?}");
            assert_eq!(super::first(pattern, other), None, "{pattern} on {other:?}");
        }
    }
}

#[test]
fn what_is_not_syntax_is_refused_in_the_words_of_go() {
    for (pattern, message) in REFUSED {
        let error = Pattern::new(pattern).err().unwrap_or_else(|| panic!("{pattern} is accepted"));
        assert!(error.is_syntax(), "{pattern}");
        assert_eq!(error.to_string(), format!("invalid regular expression: {message}"));
        assert!(!Format::Regex.accepts(pattern), "{pattern}");
        let slashes = format!("/{pattern}/");
        let error = Functions::standard()
            .call("replace", &["".into(), slashes.as_str().into(), "".into()])
            .unwrap_err();
        let message = if message.contains('`') { (*message).to_owned() } else { format!("{message}: ``") };
        assert_eq!(error.message(), format!("error parsing regexp: {message}"), "{pattern}");
    }
}

#[test]
fn a_message_quotes_a_long_expression_in_part() {
    let error = Pattern::new(&"(a".repeat(1000)).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("invalid regular expression: missing closing ): `{}`...", "(a".repeat(30))
    );
}

#[test]
fn scripts_of_newer_versions_of_unicode_are_there() {
    // Of Unicode 16.
    assert!(super::is_match(r"^\p{Garay}$", "\u{10d50}") && super::is_match("(?i)^\u{10d50}$", "\u{10d70}"));
}

#[test]
fn what_nests_too_deeply_or_is_too_large_is_refused() {
    let nested = |depth: usize| format!("{}a{}", "(".repeat(depth), ")*".repeat(depth));
    assert!(super::is_match(&nested(120), "a"));
    assert!(Pattern::new(&nested(200)).unwrap_err().is_limit());
    assert!(Pattern::new(&"(".repeat(100_000)).unwrap_err().is_syntax());
    assert!(Pattern::new(&r"\pL".repeat(27_000)).unwrap_err().is_limit());
    assert!(Pattern::new(r"\w{1000}").is_ok_and(|pattern| pattern.is_match(&"a".repeat(1000))));
    assert!(Pattern::new(r"\pL{1000}").unwrap_err().is_limit());
    assert!(super::is_match(&format!("({})", "|".repeat(12_345)), ""));
}
