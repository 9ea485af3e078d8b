use std::collections::HashSet;
use std::io::Read;
use std::path::PathBuf;

use super::stable::{JOINERS, JOINERS_VERSION};
use super::{Text, common_prefix, grapheme_count, nfc, stable_prefix};

fn joiners() -> Vec<char> {
    JOINERS.iter().flat_map(|(first, last)| *first..=*last).collect()
}

/// Every text over the alphabet with up to `length` characters, the empty one included.
fn texts(alphabet: &[char], length: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut longest = all.clone();
    for _ in 0..length {
        longest = longest.iter().flat_map(|t| alphabet.iter().map(move |c| format!("{t}{c}"))).collect();
        all.extend(longest.iter().cloned());
    }
    all
}

/// What `text` and every continuation start with, by trial.
fn tried<'a>(text: &'a str, continuations: &[String]) -> &'a str {
    let mut stable = text;
    for continuation in continuations {
        stable = common_prefix(stable, &nfc(&format!("{text}{continuation}")));
    }
    stable
}

const ALPHABET: [char; 24] = [
    'a', 'e', 'é', 'ế', 'q', '-', '=', '0', // letters that join, and what does not
    '\u{301}', '\u{302}', '\u{327}', '\u{323}', '\u{338}', '\u{344}',
    '\u{334}', // marks; two of class 1
    '\u{1100}', '\u{1161}', '\u{11A8}', '가', // Hangul
    '\u{9C7}', '\u{9BE}', // two starters that join
    '\u{F71}', '\u{F73}', // a starter that decomposes into marks
    '\u{200D}',
];

#[test]
fn stable_prefix_is_exact_over_a_small_alphabet() {
    let mut checked = 0_usize;
    for (length, follow) in [(2, 3), (3, 2)] {
        let mut continuations = texts(&ALPHABET, follow);
        continuations.extend(joiners().iter().map(char::to_string));
        let normal = texts(&ALPHABET, length).into_iter().filter(|t| nfc(t) == t.as_str());
        for text in normal.filter(|t| length == 2 || t.chars().count() == 3) {
            assert_eq!(stable_prefix(&text), tried(&text, &continuations), "{}", text.escape_unicode());
            checked += continuations.len();
        }
    }
    println!("{checked} concatenations");
}

#[test]
fn stable_prefix_is_exact_for_every_character() {
    let joiners = joiners();
    let singles: Vec<String> = joiners.iter().map(char::to_string).collect();
    let join = |c| joiners.iter().any(|j| unicode_normalization::char::compose(c, *j).is_some());
    for c in '\0'..=char::MAX {
        let text = c.to_string();
        if nfc(&text) != text {
            continue;
        }
        let decomposes = unicode_normalization::is_nfd(&text);
        if !decomposes || c.is_ascii() || join(c) || joiners.contains(&c) {
            if ('가'..='힣').contains(&c) && u32::from(c) % 28 > 1 {
                continue;
            }
            assert_eq!(stable_prefix(&text), tried(&text, &singles), "{}", c.escape_unicode());
        }
    }
}

#[test]
fn stable_prefix_is_exact_for_every_composite_and_one_mark() {
    let singles: Vec<String> = joiners().iter().map(char::to_string).collect();
    for c in ('\u{C0}'..='\u{24F}').chain('\u{1E00}'..='\u{1FFF}').chain('a'..='z') {
        for mark in ['\u{301}', '\u{327}', '\u{338}', '\u{323}', '\u{345}', '\u{310}'] {
            let text = format!("-{c}{mark}");
            if nfc(&text) == text {
                assert_eq!(stable_prefix(&text), tried(&text, &singles), "{}", text.escape_unicode());
            }
        }
    }
}

#[test]
fn the_joiners_are_those_of_the_library() {
    use unicode_normalization::IsNormalized::Maybe;
    assert_eq!(JOINERS_VERSION, unicode_normalization::UNICODE_VERSION);
    let ours: HashSet<char> = joiners().into_iter().collect();
    for c in '\0'..=char::MAX {
        let joins = unicode_normalization::is_nfc_quick(std::iter::once(c)) == Maybe;
        assert_eq!(ours.contains(&c), joins, "{}", c.escape_unicode());
    }
}

#[test]
fn stable_prefix_of_usual_ends() {
    for same in
        ["", "vpc-", "a_", "arn:", "10.0.0.0/", "v1", "日本", "👩", "—", "\u{338}", "-\u{338}", "각", "x}"]
    {
        assert_eq!(stable_prefix(same), same);
    }
    for (text, stable) in [
        ("abc", "ab"),
        ("e", ""),
        ("é", ""),
        ("foo=", "foo"),
        ("-\u{301}", "-"),
        ("-\u{338}\u{301}", "-\u{338}"),
        ("a-q\u{301}\u{301}", "a-q"),
        ("한글", "한글"),
        ("가", ""),
        ("\u{1100}", ""),
        ("\u{1100}\u{338}", "\u{1100}\u{338}"),
    ] {
        assert_eq!(stable_prefix(text), stable, "{text}");
    }
}

#[test]
fn text_is_normal_however_it_is_made() {
    let same = Text::new("caf\u{e9}");
    assert_eq!(Text::new("cafe\u{301}"), same);
    assert_eq!(Text::from("cafe\u{301}".to_owned()), same);
    assert_eq!(Text::from("caf\u{e9}".to_owned()), same);
    assert_eq!(same.as_str(), "café");
    assert_eq!(format!("{same} {same:?}"), "café \"café\"");
    assert_eq!(size_of::<Text>(), 24);
    assert_eq!(size_of::<Option<Text>>(), 24);
}

#[test]
fn text_is_looked_up_by_str() {
    let set: HashSet<Text> = ["a", "b", "a text of more than twenty-three bytes"].map(Text::new).into();
    assert!(set.contains("a text of more than twenty-three bytes") && !set.contains("c"));
    assert!(Text::new("Z") < Text::new("a") && Text::new("a") < Text::new("é"));
}

#[test]
fn common_prefix_ends_at_a_character() {
    assert_eq!(common_prefix("é", "è"), "");
    assert_eq!(common_prefix("aé", "aéb"), "aé");
    assert_eq!(common_prefix("", "a"), "");
}

#[test]
fn long_runs_of_marks_are_normalised_in_time() {
    let marks = "\u{301}\u{323}".repeat(200_000);
    let text = nfc(&marks).into_owned();
    assert_eq!(text.len(), marks.len());
    assert_eq!(stable_prefix(&text), "");
    assert_eq!(grapheme_count(&text), 1);
}

/// A file of the Unicode character database's tests, or nothing where the folder with real data is not there.
fn unicode_data(name: &str) -> Option<String> {
    let real = std::env::var_os("PLANTIME_REAL").map(PathBuf::from);
    let real = real.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/real"));
    let path = real.join("dev/unicode/17.0.0").join(name);
    let Ok(file) = std::fs::File::open(&path) else {
        println!("skipped: no {}", path.display());
        return None;
    };
    let mut text = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).unwrap();
    Some(text)
}

fn chars_of(field: &str) -> String {
    let code = |hex| char::from_u32(u32::from_str_radix(hex, 16).unwrap());
    field.split_whitespace().filter_map(code).collect()
}

#[test]
fn nfc_agrees_with_the_normalization_test() {
    let Some(data) = unicode_data("NormalizationTest.txt.gz") else { return };
    let mut rows = 0;
    for line in data.lines().filter(|l| !l.starts_with(['#', '@']) && !l.is_empty()) {
        let columns: Vec<String> = line.split(';').take(5).map(chars_of).collect();
        for (source, normal) in [(0, 1), (1, 1), (2, 1), (3, 3), (4, 3)] {
            assert_eq!(nfc(&columns[source]), columns[normal], "{line}");
        }
        let whole = &columns[1];
        for (at, _) in whole.char_indices() {
            let (start, rest) = whole.split_at(at);
            assert!(nfc(&format!("{start}{rest}")).starts_with(stable_prefix(start)), "{line}");
        }
        rows += 1;
    }
    println!("{rows} rows");
}

#[test]
fn grapheme_count_agrees_with_the_break_test() {
    let Some(data) = unicode_data("GraphemeBreakTest.txt.gz") else { return };
    for line in data.lines().filter(|l| l.starts_with('÷')) {
        let row = line.split('#').next().unwrap_or_default().trim();
        let breaks = row.matches('÷').count() - 1;
        let text = chars_of(&row.replace(['÷', '×'], " "));
        assert_eq!(grapheme_count(&text), breaks, "{line}");
    }
}
