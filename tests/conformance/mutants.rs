//! The runner is as good as the wrong answers that it notices: here answers are changed, and what the runner says is counted.
//!
//! An answer of ours is changed in one place, and judged as if this crate had given it. Whether the changed answer is wrong
//! is decided apart from the runner: by what the recorded answer is, and by outcomes that `outcomes.rs` draws. A wrong answer
//! that the runner explains is *missed*; `missed.tsv` lists each, `PLANTIME_BLESS=1` writes the list.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use plantime::Value;
use rayon::prelude::*;
use serde_json::Value as Json;

use crate::calls::{self, Answer, Call, Got};
use crate::notation::value;
use crate::run::{OWN, files, is_counted, lines};
use crate::texts;
use crate::verdict::{Verdict, answer, judge_answer, same_marks, shown};
use crate::within::within;

mod answers;
pub(crate) mod outcomes;

use answers::{Claim, Mutant, mutants};
use outcomes::{Dice, outcomes};

const MISSED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/conformance/missed.tsv");

/// Of a file so many cases, and so many more that are deviations or more precise; of each case so many changed answers; and so
/// many draws of concrete arguments.
const CASES: usize = 500;
const DIFFERENT: usize = 400;
const CHANGES: usize = 14;
const DRAWS: usize = 60;

/// Of a class, and of a file, noticed in percent, at least.
const NOTICED: usize = 99;

#[derive(Default, Clone, Copy)]
struct Count {
    wrong: usize,
    noticed: usize,
}

impl Count {
    fn add(&mut self, other: Count) {
        self.wrong += other.wrong;
        self.noticed += other.noticed;
    }

    fn is_enough(self) -> bool {
        // Of fewer than a hundred one is more than that share; it is listed.
        self.noticed * 100 >= self.wrong * NOTICED || self.wrong - self.noticed <= 1
    }
}

/// What the changed answers to one case came to.
#[derive(Default)]
struct Tried {
    counts: BTreeMap<&'static str, Count>,
    missed: Vec<String>,
}

/// Whether the recorded answer is this one.
fn is_recorded(case: &Json, call: &Call, answer: &Answer) -> bool {
    let recorded = ["want", "variants"].into_iter().filter_map(|name| case.get(name));
    let recorded = recorded.flat_map(|json| match json {
        Json::Array(items) => items.iter().chain([json]).collect(),
        json => vec![json],
    });
    recorded.into_iter().any(|json| match answer {
        Ok(Got::Value(value)) => (call.read)(json).is_ok_and(|recorded| recorded == *value),
        Ok(Got::Data(data)) => json == data,
        Err(_) => false,
    })
}

/// Whether the changed answer is certainly wrong.
fn is_wrong(
    case: &Json,
    call: &Call,
    ours: &Answer,
    mutant: &Mutant,
    outcomes: &[Answer],
    known: bool,
) -> bool {
    if is_recorded(case, call, &mutant.answer) {
        return false;
    }
    let values = || {
        outcomes.iter().filter_map(|answer| match answer {
            Ok(Got::Value(value)) => Some(value),
            _ => None,
        })
    };
    match (mutant.claim, &mutant.answer) {
        (Claim::Other, Ok(Got::Value(other))) => {
            let recorded = case.get("want").and_then(|want| (call.read)(want).ok());
            let as_asked = || {
                mutant.class.starts_with("a mark moved")
                    && is_marked_as_asked(call, ours, recorded.as_ref(), other)
            };
            // Where the recorded answer has just these marks it is the measure.
            !(recorded.as_ref().is_some_and(|recorded| same_marks(recorded, other)) || as_asked())
        }
        (Claim::Other, _) => true,
        (Claim::Stronger, Ok(Got::Value(other))) => known || values().any(|value| !within(other, value)),
        (Claim::Weaker, Ok(Got::Value(other))) => {
            let recorded = case.get("want").and_then(|want| (call.read)(want).ok());
            known || !recorded.is_some_and(|recorded| within(&recorded, other))
        }
        (Claim::Value, Ok(Got::Value(other))) => known || !values().any(|value| within(other, value)),
        (Claim::Error, _) => case.get("want").is_some() && (known || outcomes.iter().any(Answer::is_ok)),
        _ => false,
    }
}

/// Whether each mark is where it was put on the same content, or where one of two right answers has it.
fn is_marked_as_asked(call: &Call, ours: &Answer, recorded: Option<&Value>, other: &Value) -> bool {
    let ours = match ours {
        Ok(Got::Value(ours)) => Some(ours),
        _ => None,
    };
    let right: Vec<_> =
        ours.into_iter().chain(recorded).flat_map(|value| value.unmark_deep_with_paths().1).collect();
    let mut put = Vec::new();
    for arg in &call.args {
        let (bare, places) = arg.unmark_deep_with_paths();
        put.extend(places.into_iter().filter_map(|(path, marks)| Some((bare.get(&path).ok()?, marks))));
    }
    let (bare, places) = other.unmark_deep_with_paths();
    places.iter().all(|(path, marks)| {
        marks.iter().all(|mark| {
            right.iter().any(|(place, marks)| place == path && marks.contains(mark))
                || bare
                    .get(path)
                    .is_ok_and(|part| put.iter().any(|(of, marks)| *of == part && marks.contains(mark)))
        })
    })
}

fn is_known(call: &Call) -> bool {
    call.args.iter().enumerate().all(|(i, arg)| !(call.vary)(i) || arg.is_wholly_known())
}

fn try_case(case: &Json) -> Tried {
    let mut tried = Tried::default();
    let Ok(call) = calls::call(case) else { return tried };
    let ours = answer(&call);
    let id = case.get("id").and_then(Json::as_str).unwrap_or_default();
    let mut dice = Dice::new(id);
    let known = is_known(&call);
    let outcomes = if known { Vec::new() } else { outcomes(&call, DRAWS, &mut dice) };
    let mut all = mutants(&ours, &texts::another_error(case), &mut dice);
    while all.len() > CHANGES {
        all.swap_remove(dice.below(all.len()));
    }
    for mutant in all {
        if !is_wrong(case, &call, &ours, &mutant, &outcomes, known) {
            continue;
        }
        let noticed = matches!(judge_answer(case, &call, &mutant.answer), Verdict::Unexplained(_));
        tried.counts.entry(mutant.class).or_default().add(Count { wrong: 1, noticed: usize::from(noticed) });
        if !noticed {
            tried.missed.push(format!("{id}\t{}\t{}", mutant.class, shown(&mutant.answer)));
        }
    }
    tried
}

/// Whether a part of an argument is marked.
fn has_inner_marks(case: &Json) -> bool {
    let args = case.get("args").and_then(Json::as_array).into_iter().flatten();
    args.filter_map(|arg| value(arg).ok()).any(|arg| arg.clone().unmark().0.contains_marks())
}

/// Cases of a file spread over it, cases whose answer is not the recorded one, and cases with marks inside.
fn chosen(cases: &[Json]) -> Vec<&Json> {
    let spread = cases.len().div_ceil(CASES).max(1);
    let different: Vec<&Json> = cases
        .iter()
        .filter(|case| {
            let verdict = calls::call(case).map(|call| judge_answer(case, &call, &answer(&call)));
            matches!(verdict, Ok(Verdict::MorePrecise | Verdict::Deviation(_)))
        })
        .collect();
    let sparse = different.len().div_ceil(DIFFERENT).max(1);
    let marked: Vec<&Json> = cases.iter().filter(|case| has_inner_marks(case)).collect();
    let rare = marked.len().div_ceil(DIFFERENT).max(1);
    let mut chosen: Vec<&Json> = cases
        .iter()
        .step_by(spread)
        .chain(different.into_iter().step_by(sparse))
        .chain(marked.into_iter().step_by(rare))
        .collect();
    chosen.sort_by_key(|case| case.get("id").and_then(Json::as_str));
    chosen.dedup();
    chosen
}

fn table(title: &str, counts: &BTreeMap<String, Count>) {
    println!("{title}");
    for (name, Count { wrong, noticed }) in counts {
        println!("  {name}: {noticed} of {wrong} noticed");
    }
}

#[test]
fn wrong_answers_are_noticed() {
    let directory = std::env::var_os("PLANTIME_VECTORS").map_or_else(|| OWN.into(), std::path::PathBuf::from);
    let only = std::env::var("PLANTIME_VECTORS_FILE").ok();
    let mut by_class: BTreeMap<String, Count> = BTreeMap::new();
    let mut by_file: BTreeMap<String, Count> = BTreeMap::new();
    let mut missed: BTreeSet<String> = BTreeSet::new();
    for (name, path) in files(Path::new(&directory)) {
        if only.as_ref().is_some_and(|only| *only != name) {
            continue;
        }
        let cases = lines(&path);
        let tried: Vec<Tried> = chosen(&cases).into_par_iter().map(try_case).collect();
        for Tried { counts, missed: more } in tried {
            for (class, count) in counts {
                by_class.entry(class.to_owned()).or_default().add(count);
                by_file.entry(name.clone()).or_default().add(count);
            }
            missed.extend(more);
        }
    }
    table("by class:", &by_class);
    table("by file:", &by_file);
    if is_counted(Path::new(&directory)) {
        compare_with_list(&missed);
    }
    let all = by_class.iter().chain(&by_file);
    let few: Vec<&String> = all.filter(|(_, count)| !count.is_enough()).map(|(name, _)| name).collect();
    assert!(few.is_empty(), "less than {NOTICED} % of the wrong answers are noticed: {few:?}");
}

/// What is missed is listed, by case and class. With `PLANTIME_BLESS` the list is written; delete its lines first to remove what
/// is noticed now.
fn compare_with_list(missed: &BTreeSet<String>) {
    fn key(line: &str) -> Vec<&str> {
        line.split('\t').take(2).collect()
    }
    let text = std::fs::read_to_string(MISSED).unwrap_or_default();
    let listed: BTreeSet<Vec<&str>> = text.lines().map(key).collect();
    let new: Vec<&str> =
        missed.iter().map(String::as_str).filter(|line| !listed.contains(&key(line))).collect();
    if std::env::var_os("PLANTIME_BLESS").is_some() {
        let all: BTreeSet<&str> = text.lines().chain(new).collect();
        std::fs::write(MISSED, all.into_iter().map(|line| format!("{line}\n")).collect::<String>())
            .expect("the list can be written");
        return;
    }
    new.iter().take(40).for_each(|line| println!("  missed: {line}"));
    assert!(new.is_empty(), "{} wrong answers are missed and not in missed.tsv", new.len());
}
