//! Calls of functions on named values: what Terraform 1.15.5 gave while these were unknown, and for three choices of what
//! they become.

use std::path::Path;

use plantime::{Type, Value, msgpack};
use serde_json::Value as Json;

use super::{call, folder, locals};
use crate::calls::msgpack::bytes;
use crate::notation::write;
use crate::oracle::expression::Expression;
use crate::verdict::{Verdict, judge};

/// The greatest length there. Here a length has no bound of its own, which is why what comes of one has none.
const GREATEST: &str = "9223372036854775807";

/// The case without the bound that a number has there because it is a length.
fn without_greatest_length(case: &Json) -> Option<Json> {
    let mut case = case.clone();
    let refinement = case.get_mut("want")?.get_mut("ref")?.as_object_mut()?;
    if refinement.get("max")?.as_str()? != GREATEST {
        return None;
    }
    refinement.remove("max");
    refinement.remove("max_inc");
    Some(case)
}

fn rows(folder: &Path, file: &str) -> Vec<Json> {
    let file = std::fs::File::open(folder.join(file)).expect("a table");
    crate::packed::lines(file).map(|line| serde_json::from_str(&line).expect("JSON")).collect()
}

fn parsed(text: &str) -> Option<Expression> {
    Expression::parse(text).filter(|parsed| matches!(parsed, Expression::Call(..) | Expression::Convert(..)))
}

fn read(result: &Json) -> Option<Value> {
    let hex = result.get("result_msgpack").and_then(Json::as_str)?;
    msgpack::from_slice(&bytes(hex), &Type::Dynamic).ok()
}

/// The result as a recorded case. Logarithms are floats of 64 bits there.
fn case(text: &str, result: &Json) -> Option<Json> {
    let mut case = serde_json::Map::new();
    if text.starts_with("log(") {
        case.insert("fn".into(), "log".into());
        case.insert("approx".into(), true.into());
    }
    case.insert("op".into(), "call".into());
    match result.get("error") {
        Some(error) => drop(case.insert("err".into(), error.clone())),
        None => drop(case.insert("want".into(), write(&read(result)?))),
    }
    Some(Json::Object(case))
}

/// A network numbered below 0 lies before the network that it should be in. Here it is an error.
fn is_below_network(text: &str, ours: &str) -> bool {
    text.starts_with("cidrsubnet(") && ours.contains("does not accommodate a subnet numbered -")
}

#[derive(Default)]
struct Counted {
    equal: usize,
    more_precise: usize,
    explained: usize,
    unexplained: Vec<String>,
}

impl Counted {
    fn judge(&mut self, text: &str, expression: &Expression, result: &Json, locals: &[(String, Value)]) {
        // Parts of named values have no name.
        let Some(call) = call(expression, locals) else { return };
        let Some(case) = case(text, result) else {
            self.unexplained.push(format!("{text}: unread"));
            return;
        };
        let is_length = || {
            let shorter = without_greatest_length(&case);
            shorter.is_some_and(|case| matches!(judge(&case, &call), Verdict::Equal | Verdict::MorePrecise))
        };
        match judge(&case, &call) {
            Verdict::Equal | Verdict::Refused => self.equal += 1,
            Verdict::MorePrecise => self.more_precise += 1,
            Verdict::Deviation(_) => self.explained += 1,
            Verdict::Unexplained(ours) if is_length() || is_below_network(text, &ours) => self.explained += 1,
            Verdict::Unexplained(ours) => self.unexplained.push(format!("{text} = {case}\n    ours: {ours}")),
        }
    }

    #[track_caller]
    fn close(self, what: &str) {
        let Counted { equal, more_precise, explained, unexplained } = self;
        println!(
            "{what}: {equal} equal, {more_precise} more precise, {explained} explained, {} unexplained",
            unexplained.len()
        );
        for text in unexplained.iter().take(60) {
            println!("  unexplained: {text}");
        }
        assert!(equal > 100 && unexplained.is_empty(), "{} unexplained", unexplained.len());
    }
}

#[test]
fn calls_on_unknown_values_are_equal_or_more_precise() {
    let Some(folder) = folder() else { return };
    let locals = locals(&folder, "expressions.values.json", "locals");
    let mut counted = Counted::default();
    for row in rows(&folder, "expressions.jsonl.gz") {
        let text = row["expr"].as_str().expect("an expression");
        if let Some(expression) = parsed(text) {
            counted.judge(text, &expression, &row, &locals);
        }
    }
    counted.close("terraform's calls on unknown values");
}

#[test]
fn calls_on_what_these_become_are_equal() {
    let Some(folder) = folder() else { return };
    let mut counted = Counted::default();
    let rows = rows(&folder, "expressions-concrete.jsonl.gz");
    for run in ["run0", "run1", "run2"] {
        let locals = locals(&folder, "expressions-concrete.values.json", run);
        for row in &rows {
            let text = row["expr"].as_str().expect("an expression");
            if let (Some(expression), Some(result)) = (parsed(text), row.get(run)) {
                counted.judge(text, &expression, result, &locals);
            }
        }
    }
    counted.close("terraform's calls on known values");
}

/// Where what Terraform tells of unknown values leaves out what comes of them, the answer here does not.
#[test]
fn what_terraform_leaves_out_is_in_the_answer() {
    let Some(folder) = folder() else { return };
    let locals = locals(&folder, "expressions.values.json", "locals");
    let text = std::fs::read_to_string(folder.join("violations.json")).expect("a table");
    let violations: Vec<Json> = serde_json::from_str(&text).expect("JSON");
    let (mut tried, mut calls) = (0, 0);
    for row in violations {
        let text = row["expr"].as_str().expect("an expression");
        calls += usize::from(text.contains('('));
        let Some(expression) = parsed(text) else { continue };
        let of = |name: &str| locals.iter().find(|(local, _)| local == name).map(|(_, value)| value.clone());
        let ours = expression.value(&of).expect("a value");
        let hex = row["concrete_result"].as_str().expect("a result");
        let concrete = msgpack::from_slice(&bytes(hex), &Type::Dynamic).expect("a value");
        let both = Value::join(&[&ours, &concrete]).expect("a value");
        assert_eq!(both, ours, "{text} can become {concrete}");
        tried += 1;
    }
    println!("{tried} of {calls} calls");
    // Other tables have fewer of these.
    assert!(tried > 0 || calls == 0, "{tried} of {calls}");
}
