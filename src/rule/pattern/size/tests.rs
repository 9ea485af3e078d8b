use regex_automata::nfa::thompson::{Config, NFA, WhichCaptures};

use super::{Reckoner, SIZE, ast, in_brackets, judge};

fn reckoned(text: &str) -> usize {
    ast::visit(&ast::parse::Parser::new().parse(text).unwrap(), Reckoner::new(text)).unwrap()
}

/// How large the engine's graph is, without what each has.
fn compiled(text: &str) -> usize {
    let graph = |text: &str| {
        let config = Config::new().which_captures(WhichCaptures::None);
        NFA::compiler().configure(config).build(text).unwrap().memory_usage()
    };
    graph(text).saturating_sub(graph(""))
}

#[test]
fn sizes_are_about_those_of_the_engine() {
    for text in [
        "a",
        "abc",
        "é",
        "[a-z]",
        "[a-z0-9_]",
        r"\d",
        r"\D",
        r"\s",
        r"\S",
        r"\w",
        r"\W",
        r"\pL",
        r"\PL",
        r"\p{Greek}",
        ".",
        "(?s).",
        "[^a]",
        "[^é]",
        "a{100}",
        "a{3,100}",
        "a{3,}",
        "a*",
        "(?:ab)+",
        "a|bc|d",
        "(a)(b)",
        "^a$",
        r"^[\w+=,.@-]{1,32}$",
        r"^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$",
        "^vpc-[0-9a-f]{8}$",
        r"^\d{12}$",
        "^[a-zA-Z0-9-_]{1,128}$",
        r"(?i)\A(?:Monday|Tuesday|Wednesday)\z",
        "(?i)straße",
        "(?i)[a-z]",
        "(?i)kelvin",
        r"(?i)\w{3}",
        r"(?i)\pL",
        r"(?i)\p{Lu}",
        "(?i)[α-ω]",
        "(?i:[a-z])[a-z]",
        "(?-u:[a-z])",
        "(?i-u:[a-f])",
        r"[\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}\r\n\t]*",
        "一二|三四|五六",
        "[一-龥]{5}",
    ] {
        let (reckoned, compiled) = (reckoned(text), compiled(text));
        println!("{text}: {reckoned} for {compiled}");
        assert!(reckoned <= compiled + compiled / 4 + 64, "{text}: {reckoned} for {compiled}");
        assert!(compiled <= reckoned + reckoned / 2 + 64, "{text}: {reckoned} for {compiled}");
    }
}

#[test]
fn flags_hold_to_the_end_of_their_group() {
    let folded = reckoned("(?i)ab");
    assert!(folded > reckoned("ab"));
    assert_eq!(reckoned("(?i:ab)"), folded);
    assert_eq!(reckoned("(?:(?i)ab)ab"), folded + reckoned("ab"));
    assert_eq!(reckoned("(?i)a(?-i:ab)b"), folded + reckoned("ab"));
    assert_eq!(reckoned("a(?i)b|ab") - reckoned("ab|ab"), 3 * (folded - reckoned("ab")) / 2);
}

#[test]
fn bytes_in_brackets_are_counted() {
    for (text, expected) in [
        ("", 0),
        ("abc", 0),
        ("[abc]d", 4),
        (r"\[abc]", 0),
        (r"[\]a]", 4),
        ("[]a]a", 2),
        ("[^]a]a", 2),
        ("[-]a", 2),
        ("[[:alpha:]a]b", 11),
        ("[a][b]", 4),
        ("(?x)[ #]\n] ]a]", 9),
        ("(?i-sx:a)[b]", 2),
    ] {
        assert_eq!(in_brackets(text), expected, "{text}");
    }
    assert!(judge(&format!("[{}]", "a".repeat(4090))).is_ok());
    let error = judge(&format!("[{}]", "a".repeat(5000))).unwrap_err();
    assert!(error.is_limit());
    assert_eq!(error.to_string(), "the regular expression has more than 4096 bytes in brackets");
}

#[test]
fn large_patterns_are_refused_without_compiling_them() {
    let start = std::time::Instant::now();
    for (text, is_fine) in [
        (r"[\w+=,.@-]{1,50}", true),
        (r"\w{1000}", false),
        ("(?:(?:a{1000}){1000}){1000}", false),
        ("[a-z]{1,15000}", true),
        ("[a-z]{4294967295}", false),
        (r"(?:\w{4294967295}){0}", true),
    ] {
        assert_eq!(judge(text).is_ok(), is_fine, "{text}");
    }
    let long = r"\w{0}".repeat(10_000);
    assert!(judge(&long).unwrap_err().is_limit());
    assert!(judge(&"(?i:[^a]{0})".repeat(10_000)).is_err());
    assert!(reckoned("a{1000}") < SIZE && judge(&"a".repeat(40_000)).is_ok());
    assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
}
