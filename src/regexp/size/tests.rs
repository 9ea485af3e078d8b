use regex_automata::nfa::thompson::{Config, NFA, WhichCaptures};

use super::{Invalid, SIZE, estimate, syntax};
use crate::regexp::translate;

fn reckoned(text: &str) -> Result<usize, Invalid> {
    estimate(text, &syntax::read(text)?)
}

/// How large the engine's graph is, without what each has.
fn compiled(text: &str) -> usize {
    let graph = |text: &str| {
        let config = Config::new().which_captures(WhichCaptures::None);
        let hir = translate::translate(text, &syntax::read(text).unwrap());
        NFA::compiler().configure(config).build_from_hir(&hir).unwrap().memory_usage()
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
        r"[\x20-\x{D7FF}\x{E000}-\x{FFFD}\x{10000}-\x{10FFFF}\r\n\t]*",
        r"a.*c|a.*b",
        r"[\PL\W]",
        "一二|三四|五六",
        "[一-龥]{5}",
    ] {
        let (reckoned, compiled) = (reckoned(text).unwrap(), compiled(text));
        println!("{text}: {reckoned} for {compiled}");
        assert!(reckoned <= compiled + compiled / 4 + 64, "{text}: {reckoned} for {compiled}");
        assert!(compiled <= reckoned + reckoned / 2 + 64, "{text}: {reckoned} for {compiled}");
    }
}

#[test]
fn large_patterns_are_refused_without_compiling_them() {
    let start = std::time::Instant::now();
    for (text, is_fine) in [
        (r"[\w+=,.@-]{1,50}".to_owned(), true),
        (r"\pL{1000}".to_owned(), false),
        ("[a-z]{1,1000}".repeat(15), true),
        ("[a-z]{1,1000}".repeat(50), false),
        (r"(?:\w{1000}){0}".to_owned(), true),
        (r"\pL{0}".repeat(10_000), false),
        ("(?i:[^a]{0})".repeat(10_000), false),
        ("a".repeat(40_000), true),
        (format!("[{}]", "a".repeat(1 << 20)), true),
        (format!("(?i)[{}]", r"\PL".repeat(1 << 16)), true),
        (format!("(?i)[{}]", r"\p{__L}".repeat(1 << 16)), true),
        ("{".repeat(40_000), true),
        (format!("[{}a]", "[:".repeat(1 << 19)), true),
        (format!("{}a", r"\Q\E".repeat(1 << 18)), true),
    ] {
        assert_eq!(reckoned(&text).is_ok(), is_fine, "{}", text.get(..40).unwrap_or(&text));
    }
    assert!(reckoned("a{1000}").unwrap() < SIZE);
    assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
}
