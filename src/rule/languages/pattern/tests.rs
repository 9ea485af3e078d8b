use super::Pattern;

#[test]
fn prefixes_are_decided_as_documented() {
    for (pattern, prefix, expected) in [
        ("^vpc-", "vpc-", Some(true)),
        ("^vpc-", "vpc-0", Some(true)),
        ("^vpc-", "ami-", Some(false)),
        ("^vpc-", "vp", None),
        ("^vpc-[0-9a-f]{8}$", "vpc-", None),
        ("^vpc-[0-9a-f]{8}$", "vpc-zz", Some(false)),
        ("^vpc-[0-9a-f]{8}$", "vpc-0123abcd", None),
        ("^vpc-[0-9a-f]{8}$", "vpc-0123abcde", Some(false)),
        ("^vpc-[0-9a-f]{8}$", "vpd", Some(false)),
        ("^(?:vpc|ami)-", "x", Some(false)),
        ("^(?:vpc|ami)-", "am", None),
        ("(?i)^vpc", "ami", Some(false)),
        ("(?i)^vpc", "VPC", Some(true)),
        ("(?m)^vpc", "ami", None),
        ("vpc", "ami", None),
        ("vpc", "a-vpc-", Some(true)),
        ("", "ami", Some(true)),
        ("", "", Some(true)),
        ("^", "", Some(true)),
        ("a*", "b", Some(true)),
        ("^a|^b", "c", Some(false)),
        ("\\Avpc", "ami", Some(false)),
        ("$", "", Some(true)),
        ("$^", "", None),
        ("$^", "a", Some(false)),
        ("a$b", "", Some(false)),
        // Whole characters follow, so that this holds of every text.
        ("(?s)^.*$", "x", Some(true)),
        ("^.*$", "x", None),
        ("^.*$", "x\n", Some(false)),
        ("(?s)^.{3,}$", "ab", None),
        ("(?s)^.{3,}$", "abc", Some(true)),
        ("(?s)^.{0,3}$", "abcd", Some(false)),
        ("^\\p{L}+$", "é", None),
        ("^\\p{L}+$", "é1", Some(false)),
        ("\\ba", "-a", Some(true)),
        ("\\ba$", "ba", None),
        ("\\bvpc", "-vpc", Some(true)),
        // Between the bytes of one character an automaton of bytes sees what a search does not: the language answers.
        ("\\B", "ab", Some(true)),
        ("\\B", "a", None),
    ] {
        let answer = Pattern::new(pattern).unwrap().contains_all_with_prefix(prefix);
        assert_eq!(answer, expected, "{pattern} with prefix {prefix:?}");
    }
}

/// All texts of up to some letters.
fn texts(letters: &[&str], most: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut last = all.clone();
    for _ in 0..most {
        last = last
            .iter()
            .flat_map(|text| letters.iter().map(move |letter| format!("{text}{letter}")))
            .collect();
        all.extend(last.iter().cloned());
    }
    all
}

#[test]
fn answers_are_those_of_brute_force() {
    let letters = ["a", "b", "\n", "é"];
    let (prefixes, rests) = (texts(&letters, 3), texts(&letters, 4));
    let mut count = 0_usize;
    for text in [
        "a",
        "^a",
        "a$",
        "^a$",
        "^a*$",
        "^(?:ab)*$",
        "^a{2,3}$",
        "^[ab]+$",
        "^[^a]*$",
        "a.*b",
        "^a.*b$",
        "(?s)^a.*b$",
        "(?m)^a$",
        "(?m)^$",
        "aa|bb",
        "^(?:a|ab)$",
        "^(?:a|ab)(?:b|)$",
        "é",
        "^é*$",
        "^[aé]{1,2}$",
        ".",
        "(?s).",
        "(?s)^.{2}$",
        "(?s)^..+$",
        "^.{2}$",
        "\\w",
        "^\\w+$",
        "\\W",
        "\\w$",
        "\\bb",
        "^$",
        "$",
        "a^",
        "$a",
        "[a&&b]",
        "\\n$",
        "\\z",
        "a??b",
        "b(?:a|é)+$",
    ] {
        let pattern = Pattern::new(text).unwrap();
        for prefix in &prefixes {
            let mut matches = rests.iter().map(|rest| pattern.is_match(&format!("{prefix}{rest}")));
            let first = matches.next();
            let expected = if matches.all(|one| Some(one) == first) { first } else { None };
            assert_eq!(pattern.contains_all_with_prefix(prefix), expected, "{text} with prefix {prefix:?}");
            count += 1;
        }
    }
    println!("{count} questions, {} texts each", rests.len());
}

#[test]
fn large_automata_are_not_made() {
    let start = std::time::Instant::now();
    for text in ["[ab]*a[ab]{40}c", "(?:a{100}){10}", "\\p{L}{5}x", "(?i:straße|ΑΒΓ)+\\w{3}"] {
        let pattern = Pattern::new(text).unwrap();
        let _ = pattern.contains_all_with_prefix("a");
    }
    assert_eq!(Pattern::new("[ab]*a[ab]{40}c").unwrap().contains_all_with_prefix("a"), None);
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[test]
fn equal_patterns_share_what_is_compiled() {
    let (a, b) = (Pattern::new("^shared$").unwrap(), Pattern::new("^shared$").unwrap());
    assert!(std::sync::Arc::ptr_eq(&a.0, &b.0));
    for i in 0..600 {
        let _ = Pattern::new(&format!("^{i}$")).unwrap();
    }
    assert_eq!(a, Pattern::new("^shared$").unwrap());
}

#[test]
fn patterns_that_are_none_or_too_large_are_refused() {
    let error = Pattern::new("a(").unwrap_err();
    assert!(error.is_syntax());
    assert_eq!(error.to_string(), "invalid regular expression: missing closing ): `a(`");
    assert!(Pattern::new("\\pL{1000}").unwrap_err().is_limit());
}
