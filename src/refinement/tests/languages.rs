//! The laws of languages of strings, for all pairs of a universe: a model lists the strings of each refinement.

use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;

use unicode_normalization::is_nfc;

use crate::language::Language;
use crate::refinement::{LengthRange, Nullness, Range, Refinement};

/// All strings in form C of up to four of these characters: the last one combines with some of the others.
static STRINGS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let mut all = vec![String::new()];
    let mut last = all.clone();
    for _ in 0..4 {
        last =
            last.iter().flat_map(|text| ['a', 'b', 'é', '\u{301}'].map(|c| format!("{text}{c}"))).collect();
        all.extend(last.iter().filter(|text| is_nfc(text)).cloned());
    }
    all
});

/// Whether null, and which of the strings, satisfy a refinement.
type Members = Vec<bool>;

/// What a string must be.
type Test = fn(&str) -> bool;

/// Refinements of strings with the model of each.
static SPECS: LazyLock<Vec<(Refinement, Members)>> = LazyLock::new(|| {
    let refinement = |built: crate::Result<Refinement>| built.unwrap();
    let length = |least, most| refinement(Refinement::string_length(LengthRange::new(least, most).unwrap()));
    let rows: Vec<(Refinement, Test)> = vec![
        (Refinement::any(), |_| true),
        (Refinement::prefix("a"), |text| text.starts_with('a')),
        (Refinement::prefix("ab"), |text| text.starts_with("ab")),
        (Refinement::prefix("b"), |text| text.starts_with('b')),
        (Refinement::prefix("\u{301}"), |text| text.starts_with('\u{301}')),
        (refinement(Refinement::pattern("^a")), |text| text.starts_with('a')),
        (refinement(Refinement::pattern("^(?:ab|b)")), |text| {
            text.starts_with("ab") || text.starts_with('b')
        }),
        (refinement(Refinement::suffix("b")), |text| text.ends_with('b')),
        (refinement(Refinement::suffix("ab")), |text| text.ends_with("ab")),
        (refinement(Refinement::suffix("é")), |text| text.ends_with('é')),
        (refinement(Refinement::suffix("\u{301}")), |text| text.ends_with('\u{301}')),
        (refinement(Refinement::containing("a")), |text| text.contains('a')),
        (refinement(Refinement::containing("é")), |text| text.contains('é')),
        (length(0, Some(0)), str::is_empty),
        (length(1, Some(2)), |text| (1..=2).contains(&text.chars().count())),
        (length(2, None), |text| text.chars().count() >= 2),
        (refinement(Refinement::one_of(["a"])), |text| text == "a"),
        (refinement(Refinement::one_of(["a", "ab", "é"])), |text| ["a", "ab", "é"].contains(&text)),
        (refinement(Refinement::one_of(["b", "e\u{301}"])), |text| ["b", "é"].contains(&text)),
        (refinement(Refinement::pattern("^[ab]*$")), |text| text.chars().all(|c| c < 'é')),
        (refinement(Refinement::pattern("^a*$")), |text| text.chars().all(|c| c == 'a')),
        (refinement(Refinement::pattern("^[^a]+$")), |text| !text.is_empty() && !text.contains('a')),
        (refinement(Refinement::pattern("^a.?$")), |text| text.starts_with('a') && text.chars().count() <= 2),
    ];
    rows.into_iter()
        .flat_map(|(refinement, test)| {
            let members: Vec<bool> = STRINGS.iter().map(|text| test(text)).collect();
            let with_null = |null| std::iter::once(null).chain(members.iter().copied()).collect();
            [(refinement.clone(), with_null(true)), (refinement.and_not_null(), with_null(false))]
        })
        .collect()
});

/// The members of a refinement, read off its parts.
fn members(refinement: &Refinement) -> Members {
    let has = |text: &String| match refinement.range() {
        Range::Any => true,
        Range::Prefix(prefix) => text.starts_with(prefix.as_str()),
        Range::Language(language) => language.language().contains(text),
        other => panic!("{other:?} is no range of strings"),
    };
    let strings = STRINGS.iter().map(|text| refinement.nullness() != Nullness::Null && has(text));
    std::iter::once(refinement.allows_null()).chain(strings).collect()
}

fn and(a: &Members, b: &Members) -> Members {
    a.iter().zip(b).map(|(a, b)| *a && *b).collect()
}

fn or(a: &Members, b: &Members) -> Members {
    a.iter().zip(b).map(|(a, b)| *a || *b).collect()
}

fn is_subset(a: &Members, b: &Members) -> bool {
    a.iter().zip(b).all(|(a, b)| !*a || *b)
}

fn is_prefix(refinement: &Refinement) -> bool {
    matches!(refinement.range(), Range::Prefix(_))
}

fn pairs() -> impl Iterator<Item = (&'static (Refinement, Members), &'static (Refinement, Members))> {
    SPECS.iter().flat_map(|a| SPECS.iter().map(move |b| (a, b)))
}

#[test]
fn constructors_keep_the_values() {
    for (refinement, wanted) in SPECS.iter() {
        assert_eq!(members(refinement), *wanted, "{refinement}");
    }
}

#[test]
fn equal_values_mean_equal_refinements_and_the_order_is_total() {
    let state = RandomState::new();
    for ((a, of_a), (b, of_b)) in pairs() {
        assert_eq!(a == b, of_a == of_b, "{a} and {b}");
        assert_eq!(a.cmp(b).is_eq(), a == b, "{a} and {b}");
        assert_eq!(a.cmp(b), b.cmp(a).reverse(), "{a} and {b}");
        assert!(a != b || state.hash_one(a) == state.hash_one(b), "{a}");
    }
}

#[test]
fn meet_is_the_intersection_and_fails_only_when_that_is_empty() {
    let none = vec![false; STRINGS.len() + 1];
    for ((a, of_a), (b, of_b)) in pairs() {
        let wanted = and(of_a, of_b);
        match a.meet(b) {
            Ok(met) => assert_eq!(members(&met), wanted, "{a} ⊓ {b} = {met}"),
            Err(_) => assert_eq!(wanted, none, "{a} ⊓ {b}"),
        }
        assert_eq!(a.meet(b).ok(), b.meet(a).ok(), "{a} ⊓ {b}");
        let shared = wanted.iter().skip(1).any(|is| *is);
        assert!(!shared || a.range().overlaps(b.range()), "{a} overlaps {b}");
    }
}

#[test]
fn join_is_the_union_unless_both_are_prefixes() {
    for ((a, of_a), (b, of_b)) in pairs() {
        let (join, wanted) = (a.join(b), or(of_a, of_b));
        assert!(is_subset(&wanted, &members(&join)), "{a} ⊔ {b} = {join}");
        if !(is_prefix(a) && is_prefix(b)) {
            assert_eq!(members(&join), wanted, "{a} ⊔ {b} = {join}");
        }
        assert_eq!(join, b.join(a), "{a} ⊔ {b}");
        assert!(join.contains(a) && join.contains(b), "{a} ⊔ {b} = {join}");
        assert_eq!(a.meet(&join).as_ref(), Ok(a), "{a} ⊓ ({a} ⊔ {b})");
        if let Ok(met) = a.meet(b) {
            assert_eq!(a.join(&met), *a, "{a} ⊔ ({a} ⊓ {b})");
            assert!(a.contains(&met) && b.contains(&met), "{a} ⊓ {b} = {met}");
        }
    }
}

#[test]
fn contains_is_the_superset_of_values() {
    for ((a, of_a), (b, of_b)) in pairs() {
        assert_eq!(a.contains(b), is_subset(of_b, of_a), "{a} ⊇ {b}");
    }
}

#[test]
fn meet_is_associative() {
    let some: Vec<&Refinement> = SPECS.iter().map(|(refinement, _)| refinement).skip(1).step_by(3).collect();
    for a in &some {
        for b in &some {
            let met = a.meet(b).ok();
            for c in &some {
                let left = met.as_ref().and_then(|met| met.meet(c).ok());
                let right = b.meet(c).ok().and_then(|met| a.meet(&met).ok());
                assert_eq!(left, right, "{a} ⊓ {b} ⊓ {c}");
            }
        }
    }
}

#[test]
fn the_text_reads_back_as_the_same_refinement() {
    for ((a, _), (b, _)) in pairs() {
        for refinement in [Ok(a.join(b)), a.meet(b)].into_iter().flatten() {
            let text = refinement.to_string();
            assert_eq!(text.parse().as_ref(), Ok(&refinement), "{text}");
        }
    }
}

#[test]
fn a_language_that_is_a_prefix_or_everything_is_no_language() {
    for pattern in ["^vpc-", "^(?s:vpc-.*)$", r"\Avpc-", "^(?:vpc-a|vpc-[^a]|vpc-$)"] {
        assert_eq!(Refinement::pattern(pattern), Ok(Refinement::prefix("vpc-")), "{pattern}");
    }
    for pattern in ["", "^", "(?s)^.*$", "a*"] {
        assert_eq!(Refinement::pattern(pattern), Ok(Refinement::any()), "{pattern}");
    }
    assert_eq!(Refinement::suffix(""), Ok(Refinement::any()));
    assert_eq!(Refinement::containing(""), Ok(Refinement::any()));
    assert_eq!(Refinement::string_length(LengthRange::default()), Ok(Refinement::any()));
}

#[test]
fn a_language_without_strings_in_form_c_contradicts() {
    for built in [
        Refinement::one_of(Vec::<&str>::new()),
        Refinement::pattern("^a$b"),
        Refinement::pattern(r"^a\x{301}$"),
        Refinement::pattern(r"^a\x{301}"),
        Refinement::language(Language::empty()),
    ] {
        assert!(built.as_ref().is_err_and(crate::Error::is_contradiction), "{built:?}");
    }
    let met = Refinement::prefix("a").meet(&Refinement::pattern(r"^[ab]\x{301}$").unwrap().and_not_null());
    assert!(met.is_err());
}

#[test]
fn invalid_and_too_large_descriptions_are_refused() {
    assert!(Refinement::pattern("(").unwrap_err().is_syntax());
    assert!(Refinement::pattern("(?:a|b)*a(?:a|b){12}$").unwrap_err().is_limit());
    assert!(Refinement::pattern(&"[a-z]{0,1000}".repeat(99)).unwrap_err().is_limit());
    assert!(Refinement::suffix(&"a".repeat(300)).unwrap_err().is_limit());
    assert!(Refinement::string_length(LengthRange::at_most(1024)).unwrap_err().is_limit());
    assert!(Refinement::string_length(LengthRange::at_least(u64::MAX)).unwrap_err().is_limit());
    let many = (0..10_000).map(|n| format!("{:x}", n * 7919 % 65_537));
    assert!(Refinement::one_of(many).unwrap_err().is_limit());
}

#[test]
fn beyond_the_bound_a_meet_and_a_join_contain_the_exact_result() {
    let long = Refinement::prefix(&"x".repeat(1000));
    let ends = Refinement::suffix("yy").unwrap();
    let met = long.meet(&ends).unwrap();
    assert_eq!(met, long);
    assert_eq!(long.join(&ends), Refinement::any());
    assert!(long.meet(&Refinement::one_of(["x"]).unwrap().and_not_null()).is_err());
    let words = |step: usize| {
        let words = (0..120).map(|n| format!("{:x}-{}", n * step % 997, "z".repeat(n % 40)));
        Refinement::one_of(words)
    };
    let (Ok(a), Ok(b)) = (words(31), words(57)) else { return };
    let joined = a.join(&b);
    assert!(joined.contains(&a) && joined.contains(&b));
}

#[test]
fn every_form_is_written_plainly() {
    for (pattern, text) in [
        ("^vpc-[0-9a-f]{17}$", r#"stringpattern("^vpc-[0-9a-f]{17}$")"#),
        ("-b$", r#"stringsuffix("-b")"#),
        ("db", r#"stringcontains("db")"#),
        ("^(?s:.{1,63})$", "stringlength(1, 63)"),
        ("^(?s:.{3})$", "stringlength(3)"),
        ("(?s:.)", "stringlengthmin(1)"),
        ("^(?s:.{0,63})$", "stringlengthmax(63)"),
        ("^(?:b|a|$)", r#"stringpattern("^(?:$|[ab])")"#),
        ("^(?:b|a|)$", r#"oneof("", "a", "b")"#),
        ("^a$", r#"oneof("a")"#),
    ] {
        let refinement = Refinement::pattern(pattern).unwrap();
        let written = refinement.to_string();
        assert_eq!(written.parse(), Ok(refinement), "{pattern}");
        if !text.contains('|') {
            assert_eq!(written, text, "{pattern}");
        }
    }
}

#[test]
fn a_language_without_a_pattern_of_bounded_length_is_written_as_its_automaton() {
    // Counting three letters by remainders has a small automaton and a huge expression.
    let remainder = |letter: char, modulus: usize| {
        let others = format!("[^{letter}]*");
        let pattern = format!("^(?:(?:{others}{letter}){{{modulus}}})*{others}$");
        Refinement::pattern(&pattern).unwrap()
    };
    let counted = ['a', 'b', 'c'].map(|letter| remainder(letter, 5));
    let all = counted[0].meet(&counted[1]).unwrap().meet(&counted[2]).unwrap();
    let text = all.to_string();
    assert!(text.starts_with("stringautomaton("), "{text}");
    assert_eq!(text.parse(), Ok(all.clone()));
    assert!(all.describe().to_string().starts_with("of a shape such as "), "{}", all.describe());
    for wrong in
        ["", "/", "//", "0.0 / 0 / 1", "0.0 / 1 / 0", "1.0 / 0 / 0", "0.ffffffff / 0 / 0", "0.0 / 0 / 0 /"]
    {
        let error = format!("stringautomaton(\"{wrong}\")").parse::<Refinement>().unwrap_err();
        assert!(error.is_syntax(), "{error}");
    }
    assert_eq!("stringautomaton(\"0.0 / 0 / 0\")".parse(), Ok(Refinement::any()));
}

#[test]
fn a_single_string_is_found_exactly_where_there_is_one() {
    for (text, single) in [
        (r#"oneof("a")"#, Some("a")),
        (r#"oneof("")"#, Some("")),
        (r#"oneof("é")"#, Some("é")),
        (r#"oneof("a", "b")"#, None),
        (r#"stringpattern("^ab*$")"#, None),
        (r#"stringpattern("^(?:ab)*$")"#, None),
        ("stringlengthmax(1)", None),
    ] {
        let refinement: Refinement = text.parse().unwrap();
        assert_eq!(refinement.string_language().unwrap().single(), single, "{text}");
    }
}
