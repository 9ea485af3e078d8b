//! Languages have the strings that the crate `regex` finds a match in, and operations on them those of a model.

use arbitrary::Unstructured;
use plantime::language::{Language, TooLarge};
use plantime::rule::{Pattern, Rule};
use plantime::text::nfc;
use plantime::{Refinement, Value};

type Result = std::result::Result<Language, TooLarge>;

/// Letters that stay apart and letters that compose.
const LETTERS: [char; 5] = ['a', 'b', 'é', 'e', '\u{301}'];

/// The maximum length of the strings that are all tried.
const MAX_LENGTH: usize = 3;

/// Reads two expressions over few letters and compares all operations with a model, on all short strings and some
/// longer ones. What is left of the input is a pattern as somebody might write it.
pub fn any(input: &[u8]) {
    let mut source = Unstructured::new(input);
    let (a, b) = (expression(&mut source, 4), expression(&mut source, 4));
    let mut strings = short_strings();
    for _ in 0..8 {
        let length = source.int_in_range(4..=40_u8).unwrap_or(4);
        strings.push((0..length).map(|_| letter(&mut source)).collect());
    }
    if let (Some(a), Some(b)) = (Model::new(&a), Model::new(&b)) {
        sets(&a, &b, &strings);
        sequences(&a, &b, &strings);
        facts(&a.language, &strings);
    }
    if let Ok(pattern) = std::str::from_utf8(source.take_rest()) {
        written(pattern, &strings);
    }
}

fn letter(source: &mut Unstructured<'_>) -> char {
    *source.choose(&LETTERS).unwrap_or(&'a')
}

/// A random expression.
fn expression(source: &mut Unstructured<'_>, depth: u32) -> String {
    let kind = source.int_in_range(0..=if depth == 0 { 3 } else { 10_u8 }).unwrap_or(0);
    let deeper = depth.saturating_sub(1);
    match kind {
        0 | 1 => letter(source).to_string(),
        2 => (*source.choose(&["[ab]", "[^a]", "[aé]", ".", "[b\u{301}]", "\\w", ""]).unwrap_or(&""))
            .to_owned(),
        3 => (*source.choose(&["^", "$", "\\b", "(?m:^)", "(?m:$)"]).unwrap_or(&"^")).to_owned(),
        4..=6 => expression(source, deeper) + &expression(source, deeper),
        7 => format!("(?:{}|{})", expression(source, deeper), expression(source, deeper)),
        8 => format!("(?:{})*", expression(source, deeper)),
        9 => format!("(?:{})?", expression(source, deeper)),
        _ => format!("(?:{}){{1,3}}", expression(source, deeper)),
    }
}

/// All strings over the letters up to a length.
fn short_strings() -> Vec<String> {
    let mut all = vec![String::new()];
    let mut last = all.clone();
    for _ in 0..MAX_LENGTH {
        last = last.iter().flat_map(|text| LETTERS.iter().map(move |c| format!("{text}{c}"))).collect();
        all.extend(last.iter().cloned());
    }
    all
}

/// A language and the regular expression that it is made of.
struct Model {
    language: Language,
    regex: regex::bytes::Regex,
}

impl Model {
    /// `None` where the language is too large; then the larger one that stands for it has all its strings.
    fn new(expression: &str) -> Option<Model> {
        // Without Unicode, `\b` is that of RE2. (`\B` is not: it would also be found inside of a character.)
        let text = expression.replace("\\b", "(?-u:\\b)");
        let made = Language::from_regex(&text)?;
        let regex = regex::bytes::Regex::new(&text).expect("what reads compiles");
        check(&made, &short_strings(), &text, |string| regex.is_match(string.as_bytes()));
        made.ok().map(|language| Model { language, regex })
    }

    fn has(&self, string: &str) -> bool {
        self.regex.is_match(string.as_bytes())
    }
}

/// A language has exactly the strings that are expected; one that is too large has them in its hull.
fn check(made: &Result, strings: &[String], what: &str, expected: impl Fn(&str) -> bool) {
    let hull = made.clone().err().map(TooLarge::into_hull);
    for string in strings {
        let expected = expected(string);
        match (made, &hull) {
            (Ok(language), _) => assert_eq!(language.contains(string), expected, "{what}: {string:?}"),
            (Err(_), hull) => {
                assert!(!expected || hull.iter().all(|hull| hull.contains(string)), "{what}: {string:?}");
            }
        }
    }
}

/// A language has these strings, and maybe others.
fn check_contains(made: Result, strings: impl Iterator<Item = String>, what: &str) {
    let language = made.unwrap_or_else(TooLarge::into_hull);
    for string in strings {
        assert!(language.contains(&string), "{what}: {string:?}");
    }
}

fn sets(a: &Model, b: &Model, strings: &[String]) {
    let (x, y) = (&a.language, &b.language);
    let (meet, difference) = (x.meet(y), x.difference(y));
    check(&Ok(x.clone()), strings, "first", |s| a.has(s));
    check(&meet, strings, "meet", |s| a.has(s) && b.has(s));
    check(&x.join(y), strings, "join", |s| a.has(s) || b.has(s));
    check(&difference, strings, "difference", |s| a.has(s) && !b.has(s));
    check(&Ok(x.complement()), strings, "complement", |s| !a.has(s));
    if let Ok(meet) = &meet {
        assert_eq!(x.is_disjoint(y), meet.is_empty());
        assert_eq!(x.is_subset(y), meet == x);
    }
    if let Ok(difference) = &difference {
        assert_eq!(x.is_subset(y), difference.is_empty());
    }
    assert_eq!(x == y, x.is_subset(y) && y.is_subset(x));
    assert!(x.is_subset(&x.hull()) && x.hull().hull() == x.hull());
    if x.is_subset(y) {
        assert!(x.hull().is_subset(&y.hull()), "hulls are monotone");
    }
}

/// The beginnings and ends that a string consists of.
fn splits(string: &str) -> impl Iterator<Item = (&str, &str)> {
    let ends = string.char_indices().map(|(at, _)| at).chain([string.len()]);
    ends.map(|at| string.split_at(at))
}

fn sequences(a: &Model, b: &Model, strings: &[String]) {
    let (x, y) = (&a.language, &b.language);
    check(&x.concat(y), strings, "concat", |s| splits(s).any(|(one, two)| a.has(one) && b.has(two)));
    check(&x.reverse(), strings, "reverse", |s| a.has(&s.chars().rev().collect::<String>()));
    check(&x.star(), strings, "star", |s| {
        let mut reached = vec![s.is_empty()];
        let ends: Vec<usize> = s.char_indices().map(|(at, _)| at).chain([s.len()]).collect();
        reached.resize(ends.len(), false);
        reached[0] = true;
        for to in 1..ends.len() {
            reached[to] = (0..to).any(|from| reached[from] && a.has(&s[ends[from]..ends[to]]));
        }
        reached[ends.len() - 1]
    });
    let members = || strings.iter().filter(|s| a.has(s));
    let rests =
        members().flat_map(|s| splits(s).filter(|(one, _)| b.has(one)).map(|(_, two)| two.to_owned()));
    check_contains(x.left_quotient(y), rests, "left quotient");
    let rests =
        members().flat_map(|s| splits(s).filter(|(_, two)| b.has(two)).map(|(one, _)| one.to_owned()));
    check_contains(x.right_quotient(y), rests, "right quotient");
    for end in ["a", "be", "é"] {
        let trimmed = members().map(|s| s.strip_prefix(end).unwrap_or(s).to_owned());
        check_contains(x.trim_prefix(end), trimmed, "trim_prefix");
        let trimmed = members().map(|s| s.strip_suffix(end).unwrap_or(s).to_owned());
        check_contains(x.trim_suffix(end), trimmed, "trim_suffix");
    }
    for count in 0..4 {
        let taken = members().map(|s| s.chars().take(count as usize).collect());
        check_contains(x.take(count), taken, "take");
        let rest = members().map(|s| s.chars().skip(count as usize).collect());
        check_contains(x.skip(count), rest, "skip");
    }
    let is_normal = |s: &&String| nfc(s) == ***s && s.chars().count() <= 2;
    let others: Vec<&String> = strings.iter().filter(is_normal).filter(|s| b.has(s)).collect();
    let joined = members()
        .filter(is_normal)
        .flat_map(|one| others.iter().map(move |two| nfc(&format!("{one}{two}")).into_owned()));
    check_contains(x.concat_nfc(y), joined, "concat_nfc");
}

/// What is said of a language holds for its strings, and its text reads as the same language.
fn facts(language: &Language, strings: &[String]) {
    let (prefix, suffix) = (language.common_prefix(), language.common_suffix());
    let members = language.members();
    for string in strings {
        let length = u32::try_from(string.chars().count()).expect("a short string");
        if language.contains(string) {
            assert!(string.starts_with(&prefix) && string.ends_with(&suffix), "{string:?}");
            assert!(language.shortest().is_some_and(|least| least <= length));
            assert!(language.longest().is_none_or(|most| length <= most));
        }
        if let Some(members) = &members {
            assert_eq!(members.contains(string), language.contains(string), "{string:?}");
        }
    }
    assert!(language.examples(5).iter().all(|example| language.contains(example)));
    if let Some(text) = language.to_regex() {
        let read = Language::from_regex(&text).expect("it reads");
        assert_eq!(read.as_ref(), Ok(language), "{text:?}");
    }
    if let Ok(refinement) = Refinement::language(language.clone()) {
        let text = refinement.to_string();
        assert_eq!(text.parse::<Refinement>().as_ref(), Ok(&refinement), "{text:?}");
    }
}

/// The refinement and the rule of one pattern agree on every string.
fn written(pattern: &str, strings: &[String]) {
    let (Ok(rule), Ok(refinement)) = (Pattern::new(pattern), Refinement::pattern(pattern)) else { return };
    let rule = Rule::matches(rule);
    let Ok(possible) = Value::refined(plantime::Type::String, refinement) else { return };
    for string in strings.iter().chain([&pattern.to_owned()]) {
        let value = Value::from(string.as_str());
        let passes = rule.check_value(&value).expect("it reads strings").is_pass();
        assert_eq!(passes, possible.may_become(&value), "{pattern:?} and {string:?}");
    }
}
