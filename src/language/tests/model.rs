//! Operations agree with sets of strings over four letters up to length 5.

use std::collections::BTreeSet;

use super::super::CharMap;
use super::{Language, Random, pattern, strings};

const LETTERS: [char; 4] = ['a', 'b', 'é', '\u{301}'];

type Set = BTreeSet<String>;

fn letters() -> Language {
    Language::class(&LETTERS.map(|c| (c, c))).unwrap().star().unwrap()
}

/// A random language of strings over the letters up to a length, and the set of its strings.
fn bounded(random: &mut Random, most: u32, universe: &[String]) -> (Language, Set) {
    let within = letters().meet(&Language::lengths(0, Some(most)).unwrap()).unwrap();
    let language = random.language().meet(&within).unwrap();
    let set = set_of(&language, universe);
    (language, set)
}

fn set_of(language: &Language, universe: &[String]) -> Set {
    universe.iter().filter(|text| language.contains(text)).cloned().collect()
}

/// Checks that a language without strings outside the universe is the set.
fn check(language: &Language, set: &Set, universe: &[String], what: &str) {
    assert_eq!(&set_of(language, universe), set, "{what}");
    let within = letters().meet(&Language::lengths(0, Some(5)).unwrap()).unwrap();
    assert!(language.is_subset(&within), "{what}");
}

#[test]
fn operations_on_sets_agree() {
    let (universe, mut random) = (strings(&LETTERS, 5), Random(1));
    for _ in 0..1500 {
        let (a, x) = bounded(&mut random, 5, &universe);
        let (b, y) = bounded(&mut random, 5, &universe);
        check(&a.meet(&b).unwrap(), &(&x & &y), &universe, "meet");
        check(&a.join(&b).unwrap(), &(&x | &y), &universe, "join");
        check(&a.difference(&b).unwrap(), &(&x - &y), &universe, "difference");
        assert!(universe.iter().all(|text| a.complement().contains(text) != x.contains(text)));
        assert_eq!(a.is_subset(&b), x.is_subset(&y));
        assert_eq!(a.is_disjoint(&b), x.is_disjoint(&y));
        assert_eq!(a == b, x == y);
        assert_eq!(a.is_empty(), x.is_empty());
        let reversed = x.iter().map(|text| text.chars().rev().collect()).collect();
        check(&a.reverse().unwrap(), &reversed, &universe, "reverse");
        facts_agree(&a, &x);
    }
}

fn facts_agree(language: &Language, set: &Set) {
    let lengths = || set.iter().map(|text| u32::try_from(text.chars().count()).unwrap());
    assert_eq!(language.shortest(), lengths().min());
    assert_eq!(language.longest(), lengths().max());
    let common = |all: Vec<Vec<char>>| -> String {
        let first = all.first().cloned().unwrap_or_default();
        let same = |n: usize| all.iter().all(|text| text.get(..n) == first.get(..n));
        let length = (0..=first.len()).rev().find(|n| same(*n)).unwrap();
        first[..length].iter().collect()
    };
    assert_eq!(language.common_prefix(), common(set.iter().map(|text| text.chars().collect()).collect()));
    let suffix = common(set.iter().map(|text| text.chars().rev().collect()).collect());
    assert_eq!(language.common_suffix(), suffix.chars().rev().collect::<String>());
    let members: Vec<String> = set.iter().cloned().collect();
    assert_eq!(language.members(), (members.len() <= 64).then_some(members));
    let used: BTreeSet<char> = set.iter().flat_map(|text| text.chars()).collect();
    let told: BTreeSet<char> =
        language.characters().into_iter().flat_map(|(first, last)| first..=last).collect();
    assert_eq!(told, used);
    assert_eq!(language.as_literal().is_some(), set.len() == 1);
    let examples = language.examples(3);
    assert!(examples.iter().all(|text| set.contains(text)), "{examples:?}");
    assert!(examples.iter().collect::<BTreeSet<_>>().len() == examples.len());
    let normal = set.iter().any(|text| unicode_normalization::is_nfc(text));
    assert!(!examples.is_empty() || !normal, "{set:?}");
}

#[test]
fn concatenations_and_quotients_agree() {
    let (universe, mut random) = (strings(&LETTERS, 5), Random(2));
    let short: Vec<String> = strings(&LETTERS, 3);
    for _ in 0..1000 {
        let (a, x) = bounded(&mut random, 3, &short);
        let (b, y) = bounded(&mut random, 2, &short);
        let concatenated = x.iter().flat_map(|x| y.iter().map(move |y| format!("{x}{y}"))).collect();
        check(&a.concat(&b).unwrap(), &concatenated, &universe, "concat");
        let left = short
            .iter()
            .filter(|rest| y.iter().any(|y| x.contains(&format!("{y}{rest}"))))
            .cloned()
            .collect();
        check(&a.left_quotient(&b).unwrap(), &left, &universe, "left quotient");
        let right = short
            .iter()
            .filter(|rest| y.iter().any(|y| x.contains(&format!("{rest}{y}"))))
            .cloned()
            .collect();
        check(&a.right_quotient(&b).unwrap(), &right, &universe, "right quotient");
        let mut powers = Set::from([String::new()]);
        for _ in 0..5 {
            let more: Set = powers.iter().flat_map(|x| y.iter().map(move |y| format!("{x}{y}"))).collect();
            powers.extend(more.into_iter().filter(|text| text.chars().count() <= 5));
        }
        assert_eq!(set_of(&b.star().unwrap(), &universe), powers);
        for end in ["", "a", "ab", "é", "\u{301}", "aaaaaa"] {
            let trimmed = x.iter().map(|text| text.strip_prefix(end).unwrap_or(text).to_owned()).collect();
            check(&a.trim_prefix(end).unwrap(), &trimmed, &universe, "trim_prefix");
            let trimmed = x.iter().map(|text| text.strip_suffix(end).unwrap_or(text).to_owned()).collect();
            check(&a.trim_suffix(end).unwrap(), &trimmed, &universe, "trim_suffix");
        }
        for count in 0..5 {
            let taken = x.iter().map(|text| text.chars().take(count).collect()).collect();
            check(&a.take(count as u32).unwrap(), &taken, &universe, "take");
            let rest = x.iter().map(|text| text.chars().skip(count).collect()).collect();
            check(&a.skip(count as u32).unwrap(), &rest, &universe, "skip");
        }
    }
}

#[test]
fn maps_agree() {
    let (universe, mut random) = (strings(&LETTERS, 5), Random(3));
    let maps: [&[(char, &str)]; 6] = [
        &[('a', "b")],
        &[('a', "b"), ('b', "a")],
        &[('é', "a"), ('\u{301}', "")],
        &[('a', ""), ('b', "")],
        &[('a', "ab"), ('b', "é"), ('é', "é")],
        &[],
    ];
    for round in 0..1200 {
        let (a, x) = bounded(&mut random, 2, &universe);
        let changes = maps[round % maps.len()];
        let map = CharMap::new(changes.iter().map(|(c, text)| (*c, (*text).to_owned())));
        let image = |c: char| {
            changes.iter().find(|(from, _)| *from == c).map_or(c.to_string(), |(_, to)| (*to).to_owned())
        };
        let mapped = x.iter().map(|text| text.chars().map(image).collect()).collect();
        check(&a.map(&map).unwrap(), &mapped, &universe, "map");
    }
    let id = Language::prefix("straßE-").unwrap();
    assert_eq!(id.map(&CharMap::ascii_upper()).unwrap().common_prefix(), "STRAßE-");
    assert_eq!(id.map(&CharMap::ascii_lower()).unwrap().common_prefix(), "straße-");
    let unicode = CharMap::from_fn(|c| (!c.is_ascii()).then(|| c.to_uppercase().to_string()));
    let mapped = Language::literal("straße").unwrap().map(&unicode).unwrap();
    assert_eq!(mapped.as_literal(), Some("straSSe".to_owned()));
}

#[test]
fn normalised_concatenations_are_members() {
    use unicode_normalization::UnicodeNormalization;
    let letters = ['a', 'e', '-', 'é', '\u{301}', '\u{323}', 'ㄱ', '\u{1161}', '가'];
    let universe: Vec<String> =
        strings(&letters, 3).into_iter().filter(|text| unicode_normalization::is_nfc(text)).collect();
    let mut random = Random(4);
    let mut pick = |most: u64| -> Vec<&str> {
        let count = random.below(most) + 1;
        (0..count)
            .map(|_| universe[usize::try_from(random.below(universe.len() as u64)).unwrap()].as_str())
            .collect()
    };
    let (mut exact, mut all) = (0, 0);
    for _ in 0..1500 {
        let (x, y) = (pick(4), pick(4));
        let (a, b) = (Language::one_of(&x).unwrap(), Language::one_of(&y).unwrap());
        let result = a.concat_nfc(&b).unwrap();
        let expected: BTreeSet<String> =
            x.iter().flat_map(|x| y.iter().map(move |y| format!("{x}{y}").nfc().collect())).collect();
        assert!(expected.iter().all(|text| result.contains(text)), "{x:?} {y:?}");
        all += 1;
        exact += u32::from(result == Language::one_of(&expected).unwrap());
        // Larger arguments have larger results.
        let (c, d) = (
            a.join(&Language::one_of(pick(2)).unwrap()).unwrap(),
            b.join(&Language::one_of(pick(2)).unwrap()).unwrap(),
        );
        assert!(result.is_subset(&c.concat_nfc(&d).unwrap()), "{x:?} {y:?}");
    }
    println!("{exact} of {all} exact");
}

#[test]
fn literals_and_prefixes_are_those_of_patterns() {
    for text in strings(&LETTERS, 4).iter().map(String::as_str).chain([
        "\0",
        "\u{d7ff}\u{e000}",
        "\u{10ffff}",
        "\u{e000}",
    ]) {
        let escaped: String = text.chars().map(|c| format!("\\x{{{:x}}}", u32::from(c))).collect();
        assert_eq!(Language::literal(text).unwrap(), super::pattern(&format!("^{escaped}$")).unwrap());
        let prefix = Language::prefix(text).unwrap();
        assert_eq!(prefix, super::pattern(&format!("^{escaped}")).unwrap());
        assert_eq!(prefix.as_prefix().as_deref(), Some(text));
        assert_eq!(Language::suffix(text).unwrap(), super::pattern(&format!("{escaped}$")).unwrap());
        assert_eq!(Language::containing(text).unwrap(), super::pattern(&escaped).unwrap());
    }
    let letters = ['\0', '\u{7f}', '\u{80}', '\u{d7ff}', '\u{e000}', '\u{10ffff}'];
    for (first, last) in letters.iter().flat_map(|first| letters.iter().map(move |last| (*first, *last))) {
        let class = Language::class(&[(first, last)]).unwrap();
        assert!(letters.iter().all(|c| class.contains(&c.to_string()) == (first..=last).contains(c)));
    }
}

#[test]
fn beginnings_and_ends_are_those_of_patterns() {
    let texts = strings(&['a', 'b', '\u{0}', '\u{d7ff}'], 3);
    for prefix in &texts {
        for suffix in &texts {
            let expected = pattern(&format!("^{prefix}(?s:.)*{suffix}$")).unwrap();
            let made = Language::between(prefix, suffix).unwrap();
            assert_eq!(made, expected, "{prefix:?} {suffix:?}");
            assert!(made.common_prefix().starts_with(prefix.as_str()));
        }
        assert_eq!(Language::suffix(prefix), pattern(&format!("(?s:{prefix})$")));
    }
    for (prefix, suffix) in [
        ("abacabadabacaba", "abacabadabacabae"),
        ("", "aabaabaaabaabaaab"),
        ("\u{1f600}", "\u{e9}\u{e9}a\u{e9}"),
    ] {
        let expected = pattern(&format!("^{prefix}(?s:.)*{suffix}$")).unwrap();
        assert_eq!(Language::between(prefix, suffix).unwrap(), expected);
    }
}

#[test]
fn decisions_agree_with_inclusion_and_disjointness() {
    let mut random = Random(10);
    for _ in 0..1000 {
        let (a, b) = (random.language(), random.language());
        let expected = match (a.is_subset(&b), a.is_disjoint(&b)) {
            (true, _) => Some(true),
            (false, true) => Some(false),
            (false, false) => None,
        };
        assert_eq!(a.decides(&b), expected);
    }
}

/// The sides of a string on which a language is, and the languages of each side, by comparing strings.
#[test]
fn the_order_of_strings_is_that_of_their_bytes() {
    let letters = ['a', 'b', 'é', '\u{301}'];
    let all = super::strings(&letters, 4);
    let mut random = super::Random(11);
    for text in super::strings(&letters, 2) {
        let from = Language::not_before(&text).unwrap();
        let to = Language::not_after(&text).unwrap();
        for other in &all {
            assert_eq!(from.contains(other), *other >= text, "{other:?} from {text:?} on");
            assert_eq!(to.contains(other), *other <= text, "{other:?} up to {text:?}");
        }
        for _ in 0..20 {
            let language = random.language();
            let sides = language.sides_of(&text);
            assert_eq!(sides.equal, language.contains(&text), "{language:?} {text:?}");
            assert_eq!(sides.before || sides.equal, !language.is_disjoint(&to), "{language:?} {text:?}");
            assert_eq!(sides.after || sides.equal, !language.is_disjoint(&from), "{language:?} {text:?}");
            assert_eq!(sides.before, !language.is_subset(&from), "{language:?} {text:?}");
            assert_eq!(sides.after, !language.is_subset(&to), "{language:?} {text:?}");
        }
    }
}

/// The strings of a set, each replaced.
fn replaced_set(set: &Set, replace: impl Fn(&str) -> String) -> Set {
    set.iter().map(|text| replace(text)).collect()
}

/// Checks that a language has exactly the strings of a set, of whatever length.
fn check_exactly(language: &Language, set: &Set, what: &str) {
    let expected = Language::one_of(set.iter().map(String::as_str)).unwrap();
    assert_eq!(language, &expected, "{what}");
}

#[test]
fn replacements_agree() {
    let mut random = Random(5);
    let universe = strings(&LETTERS, 4);
    for _ in 0..400 {
        let (a, x) = bounded(&mut random, 4, &universe);
        for part in ["a", "ab", "aa", "aba", "aab", "é", "abab", "bé"] {
            for with in ["", "b", "a", "ab", "aaé"] {
                let set = replaced_set(&x, |text| text.replace(part, with));
                check_exactly(&a.replace(part, with).unwrap(), &set, &format!("{part:?} by {with:?}"));
            }
            let halves = |text: &str| {
                let (before, after) = text.split_once(part).unwrap_or((text, ""));
                [before.to_owned(), after.to_owned()]
            };
            let [before, after] = a.divided_at(part);
            check_exactly(&before.unwrap(), &replaced_set(&x, |text| halves(text)[0].clone()), "before");
            check_exactly(&after.unwrap(), &replaced_set(&x, |text| halves(text)[1].clone()), "after");
        }
        for (ranges, pattern) in [(&[('a', 'b')][..], "[ab]"), (&[('a', 'a'), ('é', 'é')], "[aé]")] {
            for (in_runs, pattern) in [(false, pattern.to_owned()), (true, format!("{pattern}+"))] {
                let regex = regex::Regex::new(&pattern).unwrap();
                for with in ["", "b", "ab"] {
                    let set = replaced_set(&x, |text| regex.replace_all(text, with).into_owned());
                    let replaced = a.replace_class(ranges, with, in_runs).unwrap();
                    check_exactly(&replaced, &set, &format!("{pattern} by {with:?}"));
                }
            }
        }
    }
    assert!(Language::all().replace("", "x").is_err());
}

#[test]
fn titles_agree() {
    let mut random = Random(6);
    let letters = ['a', 'b', '_', ' '];
    let universe = strings(&letters, 4);
    for _ in 0..200 {
        let language =
            random.language().meet(&Language::class(&letters.map(|c| (c, c))).unwrap().star().unwrap());
        let within = language.unwrap().meet(&Language::lengths(0, Some(4)).unwrap()).unwrap();
        let members = set_of(&within, &universe);
        let titles = members.iter().map(|text| {
            let mut previous = ' ';
            let title = |c: char| {
                let is_start = !previous.is_ascii_alphanumeric() && previous != '_';
                previous = c;
                if is_start { c.to_ascii_uppercase() } else { c }
            };
            text.chars().map(title).collect()
        });
        let titles: Set = titles.collect();
        check_exactly(&within.transduce(&super::super::Transducer::ascii_title()).unwrap(), &titles, "title");
    }
}
