//! Texts one after the other: the laws over texts whose ends normalization changes.
//!
//! The best prefix is what all outcomes begin with, the best suffix what all end with if the last operand is known. The texts that an unknown may become go on in every way that
//! matters: with letters, with marks of several classes that join letters or stay apart, and not at all.

use std::collections::BTreeSet;

use plantime::language::Language;
use plantime::text::{common_prefix, nfc};
use plantime::{Mark, Range, Refinement, Type, Value};
use rayon::prelude::*;

use super::laws::Violations;

/// Letters that marks join and one that they do not, marks of three classes, a letter with its mark, a syllable that a
/// following letter completes, and that letter.
const CHARACTERS: [char; 12] = [
    'a', 'e', 'q', '\u{301}', '\u{302}', '\u{306}', '\u{323}', '\u{327}', '\u{338}', 'é', '\u{ac00}',
    '\u{11a8}',
];

fn texts(most: usize) -> BTreeSet<String> {
    let mut all = BTreeSet::from([String::new()]);
    let mut last = all.clone();
    for _ in 0..most {
        last = last
            .iter()
            .flat_map(|text: &String| CHARACTERS.map(|c| nfc(&format!("{text}{c}")).into_owned()))
            .collect();
        all.extend(last.iter().cloned());
    }
    all
}

/// An operand, with texts that it may become.
struct Operand {
    value: Value,
    texts: Vec<String>,
}

fn operands(known: usize, prefixes: usize, rest: usize) -> Vec<Operand> {
    let all = texts(known.max(prefixes + rest));
    let one = |text: &String| Operand { value: Value::from(text.as_str()), texts: vec![text.clone()] };
    let unknown = |prefix: &String| {
        let refinement = Refinement::prefix(prefix).and_not_null();
        let starting = all.iter().filter(|text| text.starts_with(prefix.as_str()));
        let near = starting.filter(|text| text.chars().count() <= prefix.chars().count() + rest);
        Operand { value: Value::refined(Type::String, refinement).unwrap(), texts: near.cloned().collect() }
    };
    texts(known).iter().map(one).chain(texts(prefixes).iter().map(unknown)).collect()
}

/// What the outcomes have in common: all of it if there is one, else the prefix and the suffix.
#[derive(Debug, PartialEq)]
enum Common {
    Known(String),
    Ends(String, String),
}

fn common_suffix<'a>(one: &'a str, other: &str) -> &'a str {
    let same = one.char_indices().rev().zip(other.chars().rev()).take_while(|((_, a), b)| a == b);
    &one[same.last().map_or(one.len(), |((at, _), _)| at)..]
}

/// The best answer for these outcomes.
fn best(outcomes: impl Iterator<Item = String>) -> Common {
    let mut outcomes = outcomes.map(|text| nfc(&text).into_owned());
    let first = outcomes.next().unwrap();
    let (mut prefix, mut suffix, mut one) = (first.clone(), first.clone(), true);
    for text in outcomes {
        one &= text == first;
        prefix = common_prefix(&prefix, &text).to_owned();
        suffix = common_suffix(&suffix, &text).to_owned();
    }
    if one { Common::Known(first) } else { Common::Ends(prefix, suffix) }
}

/// What an answer tells.
fn told(answer: &Value) -> Common {
    if let Ok(text) = answer.as_str() {
        return Common::Known(text.to_owned());
    }
    let range = answer.range();
    let known = range.refinement();
    assert!(!known.allows_null());
    let suffix = known.string_language().map(|language| language.language().common_suffix());
    Common::Ends(known.prefix_str().unwrap_or_default().to_owned(), suffix.unwrap_or_default())
}

fn may_be(answer: &Value, range: &plantime::ValueRange, text: &str) -> bool {
    match (answer.as_str(), range.refinement().string_language()) {
        (Ok(known), _) => known == text,
        (_, Some(language)) => language.contains(text),
        (_, None) => range.prefix().is_none_or(|prefix| text.starts_with(prefix)),
    }
}

fn hold(parts: &[&Operand], outcomes: &dyn Fn() -> Vec<String>, wrong: &mut Violations) {
    let values: Vec<&Value> = parts.iter().map(|part| &part.value).collect();
    let answer = Value::concat_text(&values).unwrap();
    let (outcomes, range) = (outcomes(), answer.range());
    for text in &outcomes {
        let text = nfc(text);
        if !may_be(&answer, &range, &text) {
            wrong.add("L1", || format!("{values:?} = {answer}, but may be {text:?}"));
        }
    }
    let mut best = best(outcomes.into_iter());
    if let Common::Ends(_, suffix) = &mut best {
        // A suffix begins with a letter: marks alone tell nothing that anybody asks.
        let is_letter = |c: char| c.is_alphabetic() && c != '\u{11a8}';
        let start = suffix.find(is_letter).filter(|_| values.last().unwrap().is_known());
        suffix.drain(..start.unwrap_or(suffix.len()));
    }
    let told = told(&answer);
    if told != best {
        wrong.add("L2", || format!("{values:?} = {answer}, which tells {told:?}, but best is {best:?}"));
    }
}

fn merged(found: Vec<Violations>) -> Violations {
    let mut wrong = Violations::default();
    found.into_iter().for_each(|found| wrong.merge(found));
    wrong
}

#[test]
fn two_texts() {
    let (left, right) = (operands(2, 2, 1), operands(2, 2, 1));
    let found = left.par_iter().map(|a| {
        let mut wrong = Violations::default();
        for b in &right {
            let outcomes =
                || a.texts.iter().flat_map(|x| b.texts.iter().map(move |y| format!("{x}{y}"))).collect();
            hold(&[a, b], &outcomes, &mut wrong);
        }
        wrong
    });
    merged(found.collect()).none("concat_text");
}

#[test]
fn three_texts() {
    let (ends, middle) = (operands(1, 1, 1), operands(1, 1, 1));
    let found = ends.par_iter().map(|a| {
        let mut wrong = Violations::default();
        for b in &middle {
            for c in &ends {
                let after =
                    |x: &str, y: &str| c.texts.iter().map(|z| format!("{x}{y}{z}")).collect::<Vec<_>>();
                let outcomes =
                    || a.texts.iter().flat_map(|x| b.texts.iter().flat_map(move |y| after(x, y))).collect();
                hold(&[a, b, c], &outcomes, &mut wrong);
            }
        }
        wrong
    });
    merged(found.collect()).none("concat_text");
}

/// Operands of which languages, prefixes and whole texts are known, with texts that each may become.
fn with_languages() -> Vec<Operand> {
    let known = ["", "-p-", "-d", "e\u{301}"];
    let refined: [(&str, &[&str]); 7] = [
        ("notnull()", &["", "x", "\u{301}", "-p-x"]),
        ("notnull(stringprefix(\"-p\"))", &["-p", "-p-", "-p-x"]),
        ("notnull(stringprefix(\"-p-\"))", &["-p-", "-p-x"]),
        ("notnull(stringcontains(\"-p-\"))", &["-p-", "a-p-x"]),
        ("notnull(oneof(\"-p-\", \"-p-x\"))", &["-p-", "-p-x"]),
        ("notnull(stringpattern(\"^-p\\n*.\"))", &["-p-", "-p-x", "-p\n-"]),
        ("notnull(stringlength(3))", &["-p-", "abc"]),
    ];
    let one = |text: &&str| {
        let text = nfc(text).into_owned();
        Operand { value: Value::from(text.as_str()), texts: vec![text] }
    };
    let several = |(known, texts): &(&str, &[&str])| Operand {
        value: Value::refined(Type::String, known.parse().unwrap()).unwrap(),
        texts: texts.iter().map(|text| nfc(text).into_owned()).collect(),
    };
    known.iter().map(one).chain(refined.iter().map(several)).collect()
}

/// Whether an operand or answer contains another: all that the other may become.
fn contains(outer: &Value, inner: &Value) -> bool {
    let language = |value: &Value| match value.as_str() {
        Ok(text) => Language::literal(text).unwrap(),
        Err(_) => match value.range().refinement().range() {
            Range::Language(language) => language.language().clone(),
            Range::Prefix(prefix) => Language::prefix(prefix.as_str()).unwrap(),
            _ => Language::all(),
        },
    };
    language(inner).is_subset(&language(outer))
}

#[test]
fn three_texts_of_which_languages_are_known() {
    let all = with_languages();
    let within: Vec<Vec<usize>> = all
        .iter()
        .map(|outer| (0..all.len()).filter(|inner| contains(&outer.value, &all[*inner].value)).collect())
        .collect();
    let count = all.len();
    let places: Vec<[usize; 3]> =
        (0..count * count * count).map(|n| [n / count / count, n / count % count, n % count]).collect();
    let concat = |of: &[usize; 3]| Value::concat_text(&of.map(|at| &all[at].value)).unwrap();
    let answers: std::collections::HashMap<[usize; 3], Value> =
        places.par_iter().map(|of| (*of, concat(of))).collect();
    let found = places.par_iter().map(|of| {
        let mut wrong = Violations::default();
        let (answer, range) = (&answers[of], answers[of].range());
        let values = of.map(|at| &all[at].value);
        for x in &all[of[0]].texts {
            for y in &all[of[1]].texts {
                for z in &all[of[2]].texts {
                    let joined = format!("{x}{y}{z}");
                    let text = nfc(&joined);
                    if !may_be(answer, &range, &text) {
                        wrong.add("L1", || format!("{values:?} = {answer}, but may be {text:?}"));
                    }
                }
            }
        }
        // One operand more known at a time: the rest follows.
        for place in 0..3 {
            for inner in &within[of[place]] {
                let mut narrow = *of;
                narrow[place] = *inner;
                if !contains(answer, &answers[&narrow]) {
                    let narrower = narrow.map(|at| &all[at].value);
                    wrong.add("L3", || {
                        format!("{values:?} = {answer:?}, but {narrower:?} = {:?}", answers[&narrow])
                    });
                }
            }
        }
        wrong
    });
    merged(found.collect()).none("concat_text");
}

/// A text between two unknown ones is kept, but for what its neighbours can change.
#[test]
fn a_text_between_unknown_ones_is_kept() {
    let unknown = Value::unknown_not_null(Type::String);
    let vpc = Value::refined(Type::String, Refinement::prefix("vpc-").and_not_null()).unwrap();
    let contains = |parts: &[&Value], text: &str| {
        let answer = Value::concat_text(parts).unwrap();
        let range = answer.range();
        let language = range.refinement().string_language().map(|known| known.language().clone());
        language.is_some_and(|known| known.is_subset(&Language::containing(text).unwrap()))
    };
    let text = |text: &str| Value::from(text);
    assert!(contains(&[&unknown, &text("-prod-"), &unknown], "-prod-"));
    assert!(contains(&[&text("a"), &unknown, &text("-prod-"), &unknown, &text("b")], "-prod-"));
    assert!(contains(&[&unknown, &text("-prod"), &unknown], "-pro"));
    assert!(!contains(&[&unknown, &text("-prod"), &unknown], "-prod"));
    assert!(contains(&[&unknown, &text("/"), &vpc], "/vpc-"));
    assert!(contains(&[&unknown, &text("a-"), &unknown, &text("b-"), &unknown], "a-"));
    assert!(contains(&[&unknown, &text("a-"), &unknown, &text("b-"), &unknown], "b-"));
}

#[test]
fn what_is_no_text_is_refused() {
    let text = Value::from("a");
    for other in
        [Value::null(Type::String), Value::null(Type::Dynamic), Value::from(1), Value::unknown(Type::Bool)]
    {
        assert!(Value::concat_text(&[&text, &other]).is_err());
        assert!(Value::concat_text(&[&other, &Value::dynamic()]).is_err());
    }
    assert_eq!(Value::concat_text(&[]).unwrap(), Value::from(""));
    let either = Value::concat_text(&[&text, &Value::dynamic(), &Value::unknown(Type::String)]).unwrap();
    assert_eq!(either, Value::refined(Type::String, Refinement::not_null()).unwrap());
}

#[test]
fn marks_of_every_part_are_kept() {
    let mark = || Mark::new("m");
    let parts = [Value::from("q"), Value::unknown(Type::String), Value::dynamic()];
    for a in &parts {
        for b in &parts {
            let bare = Value::concat_text(&[a, b]).unwrap();
            let marked = a.clone().mark(mark());
            for answer in [Value::concat_text(&[&marked, b]), Value::concat_text(&[b, &marked])] {
                assert!(answer.unwrap().is_marked());
            }
            assert_eq!(Value::concat_text(&[&marked, b]).unwrap(), bare.mark(mark()));
        }
    }
}
