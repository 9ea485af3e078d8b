//! Expressions agree with a regular expression engine.

use proptest::prelude::*;
use regex_automata::meta::Regex;

use super::{Language, parse, pattern, strings};

fn engine(text: &str) -> Regex {
    Regex::builder().build_from_hir(&parse(text)).unwrap()
}

#[test]
fn assertions_agree_on_all_short_strings() {
    let all = strings(&['a', '-', '\n', 'é'], 5);
    for text in [
        "a",
        "^a",
        "a$",
        "^a$",
        "^a*$",
        "a^",
        "$a",
        "$^",
        "^$",
        "^|a$",
        "(?m)^a$",
        "(?m)^$",
        "(?m)$a",
        "(?m)a$\n^-",
        "\\ba",
        "a\\b",
        "\\b",
        "\\B",
        "^\\B",
        "\\Ba\\B",
        "\\b-\\b",
        "é\\b",
        "\\Bé",
        "(?:^|-)a(?:$|-)",
        "(?m)(?:^a|-$)\\b",
        ".",
        "^.$",
        "(?s)^.$",
        "\\b\\B",
        "(?:\\b|a)*-",
        "(?:^a)*$",
        "(?:a$|^-)+",
        "x*",
        "^(?:a|^-)-$",
        "(?m)^\\B",
        "[^a]$",
        "\\Aa\\z",
    ] {
        let (language, regex) = (pattern(text).unwrap(), engine(text));
        for string in &all {
            assert_eq!(language.contains(string), regex.is_match(string), "{text} on {string:?}");
        }
    }
}

fn expressions() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("a".to_owned()),
        Just("b".to_owned()),
        Just("é".to_owned()),
        Just("0".to_owned()),
        Just("-".to_owned()),
        Just("[a-c]".to_owned()),
        Just("[^a]".to_owned()),
        Just(".".to_owned()),
        Just("\\w".to_owned()),
        Just("\\pL".to_owned()),
        Just("^".to_owned()),
        Just("$".to_owned()),
        Just("\\b".to_owned()),
        Just("\\B".to_owned()),
        Just("(?m:^)".to_owned()),
        Just("(?m:$)".to_owned()),
        Just("(?i:k)".to_owned()),
        Just("\n".to_owned()),
        Just("[é-\u{1f600}]".to_owned()),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..4).prop_map(|parts| parts.concat()),
            prop::collection::vec(inner.clone(), 1..4).prop_map(|parts| format!("(?:{})", parts.join("|"))),
            (inner.clone(), prop::sample::select(vec!["*", "+", "?", "{2}", "{1,3}", "*?", "{2,}"]))
                .prop_map(|(part, count)| format!("(?:{part}){count}")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_expressions_agree(
        text in expressions(),
        strings in prop::collection::vec("[abcékK0\n_\u{17f}\u{212a}😀-]{0,8}", 12),
    ) {
        let regex = engine(&text);
        // An expression that is too large has a hull, which contains its matches.
        let (language, exact) = match pattern(&text) {
            Ok(language) => (language, true),
            Err(too_large) => (too_large.into_hull(), false),
        };
        for string in &strings {
            let (member, matches) = (language.contains(string), regex.find(string).is_some());
            prop_assert!(member == matches || member && !exact, "{text:?} on {}: {member}", string.escape_unicode());
        }
    }
}

#[test]
fn usual_patterns_fit() {
    let mut sizes = Vec::new();
    for text in [
        "^vpc-[0-9a-f]{17}$",
        "^.{1,63}$",
        "^\\pL{5}$",
        "^[a-z][a-z0-9-]{1,61}[a-z0-9]$",
        "db",
        "^[0-9]{12}$",
        "^arn:aws[a-z-]*:iam::[0-9]{12}:role/[\\w+=,.@-]{1,64}$",
        "^(?:[0-9]{1,3}\\.){3}[0-9]{1,3}$",
        "^\\d+$",
        "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
        "^[a-zA-Z0-9._-]{1,254}$",
        "^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$",
    ] {
        let language: Language = pattern(text).unwrap_or_else(|_| panic!("{text}"));
        sizes.push((language.states(), language.size(), text));
    }
    for (states, size, text) in sizes {
        println!("{states:4} states {size:6} bytes {text}");
    }
}
