//! The verdict on one case: equal, more precise, a deviation with a name, or unexplained.

use std::cell::OnceCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use plantime::{Marks, Value};
use serde_json::Value as Json;

use crate::calls::{Answer, Call, Got};
use crate::notation::{Unread, same, write};
use crate::reasons;
use crate::sample::{Pool, combinations};
use crate::texts;
use crate::within::within;

#[derive(Debug, PartialEq)]
pub(crate) enum Verdict {
    /// The same, or an error on both sides.
    Equal,
    /// An error on both sides, and here one of reading an argument that the typed call cannot take: a null or marked
    /// bound, a negative length.
    Refused,
    /// Inside what go-cty gives, and with room for all that the call gives on what the arguments may become.
    MorePrecise,
    /// Another answer, for the reason of that name in `deviations.toml`.
    Deviation(&'static str),
    /// None of these; with what both sides gave.
    Unexplained(String),
}

/// What go-cty gave.
pub(crate) enum Theirs<'a> {
    Error(&'a str),
    /// A value; none where its refinement leaves nothing.
    Value(Option<Value>, &'a Json),
    Data(&'a Json),
}

/// One case with both answers.
pub(crate) struct Question<'a> {
    pub(crate) case: &'a Json,
    pub(crate) call: &'a Call,
    pub(crate) theirs: Theirs<'a>,
    pub(crate) ours: &'a Answer,
    /// Concrete arguments, built once: several reasons run the call on them.
    samples: OnceCell<Vec<Vec<Value>>>,
}

/// The verdict on the answer that this crate gives.
pub(crate) fn judge(case: &Json, call: &Call) -> Verdict {
    let ours = answer(call);
    if let Err(message) = &ours
        && !is_recorded_text(case, message)
    {
        texts::bless(case, message);
    }
    judge_answer(case, call, &ours)
}

/// The answer that this crate gives.
pub(crate) fn answer(call: &Call) -> Answer {
    run(call, &call.args)
}

/// The verdict on an answer, as if this crate gave it.
pub(crate) fn judge_answer(case: &Json, call: &Call, ours: &Answer) -> Verdict {
    let verdict = explain(case, call, ours);
    // The text of an error is the recorded one or one of the texts listed as this crate's own.
    match ours {
        Err(message) if !matches!(verdict, Verdict::Unexplained(_)) && !has_known_text(case, message) => {
            Verdict::Unexplained(format!("error whose text is not in texts.tsv: {message}"))
        }
        _ => verdict,
    }
}

fn has_known_text(case: &Json, message: &str) -> bool {
    is_recorded_text(case, message) || texts::are_listed(case, message)
}

/// Whether an error has the recorded text, its place included where that is recorded.
pub(crate) fn is_recorded_text(case: &Json, message: &str) -> bool {
    recorded(case).iter().any(|(text, is_error)| {
        *is_error && text.as_str().is_some_and(|text| text == message || placed_text(case, text) == message)
    })
}

fn explain(case: &Json, call: &Call, ours: &Answer) -> Verdict {
    let mut questions = Vec::new();
    for (recorded, is_error) in recorded(case) {
        let theirs = match (recorded, ours) {
            (Json::String(message), _) if is_error => Theirs::Error(message),
            (json, Ok(Got::Data(_))) => Theirs::Data(json),
            (json, answer) => match (call.read)(json) {
                Ok(value) => Theirs::Value(Some(value), json),
                Err(Unread::Nothing) => Theirs::Value(None, json),
                Err(_) if answer.is_err() => Theirs::Data(json),
                Err(unread) => return Verdict::Unexplained(format!("unread result, {unread}: {json}")),
            },
        };
        questions.push(Question::new(case, call, theirs, ours));
    }
    if questions.iter().any(Question::is_equal) {
        return if call.refused { Verdict::Refused } else { Verdict::Equal };
    }
    if questions.iter().any(Question::is_more_precise) {
        return Verdict::MorePrecise;
    }
    match questions.iter().find_map(reasons::find) {
        Some(reason) => Verdict::Deviation(reason),
        None => Verdict::Unexplained(shown(ours)),
    }
}

/// An answer in the notation.
pub(crate) fn shown(answer: &Answer) -> String {
    match answer {
        Ok(Got::Value(value)) => write(value).to_string(),
        Ok(Got::Data(json)) => json.to_string(),
        Err(message) => format!("error: {message}"),
    }
}

/// The recorded text of an error, with its place where that is recorded.
fn placed_text(case: &Json, message: &str) -> String {
    match case.get("err_path") {
        Some(path) => crate::calls::convert::placed(message, path),
        None => message.to_owned(),
    }
}

/// The results that count as right, and whether each is an error.
fn recorded(case: &Json) -> Vec<(&Json, bool)> {
    let is_error = case.get("want").is_none();
    let first = ["want", "err", "panic"].into_iter().find_map(|name| case.get(name));
    let variants = case.get("variants").and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
    first.into_iter().chain(variants).map(|json| (json, is_error)).collect()
}

/// A panic of ours is never equal to anything.
fn run(call: &Call, args: &[Value]) -> Answer {
    catch_unwind(AssertUnwindSafe(|| (call.run)(args))).unwrap_or_else(|_| Ok(Got::Data(Json::from("PANIC"))))
}

impl<'a> Question<'a> {
    pub(crate) fn new(case: &'a Json, call: &'a Call, theirs: Theirs<'a>, ours: &'a Answer) -> Self {
        Question { case, call, theirs, ours, samples: OnceCell::new() }
    }

    pub(crate) fn is_equal(&self) -> bool {
        let approx = self.case.get("approx").is_some();
        match (&self.theirs, self.ours) {
            (Theirs::Error(theirs), Err(ours)) => {
                !self.call.literal || placed_text(self.case, theirs) == *ours
            }
            // Not the notation of a value: compared as what it says.
            (Theirs::Value(Some(theirs), _), Ok(Got::Value(ours))) if self.call.own_form => theirs == ours,
            (Theirs::Value(_, theirs), Ok(Got::Value(ours))) if approx => {
                same(&with_approx(theirs), &write(ours))
            }
            (Theirs::Value(_, theirs), Ok(Got::Value(ours))) => same(theirs, &write(ours)),
            (Theirs::Data(theirs), Ok(Got::Data(ours))) => same(theirs, ours),
            _ => false,
        }
    }

    fn is_more_precise(&self) -> bool {
        match (&self.theirs, self.ours) {
            // What is only decoded has one right answer; ours is that in canonical form.
            (Theirs::Value(Some(theirs), _), Ok(Got::Value(ours))) if self.call.args.is_empty() => {
                theirs == ours
            }
            (Theirs::Value(Some(theirs), json), Ok(Got::Value(ours))) => {
                !reasons::has_optional(json)
                    && same_marks(theirs, ours)
                    && within(theirs, ours)
                    && (ours.is_wholly_known() || !self.is_wholly_known())
                    && self.is_sound(ours)
                    // Where nothing has an answer, none is more precise than another.
                    && self.answers().any(|answer| answer.is_ok())
                    && reasons::keeps_marks(self, ours)
            }
            (Theirs::Value(..), Err(_)) => !self.call.refused && self.is_early_error(),
            (Theirs::Data(_), Err(_)) if reasons::asks_for_type(self) || self.is_written() => {
                self.is_early_error()
            }
            (Theirs::Data(theirs), Ok(Got::Data(ours))) => {
                self.call.better.is_some_and(|better| better(theirs, ours, self.case))
                    && (!reasons::asks_for_type(self) || reasons::holds_types_of_outcomes(self, ours))
                    || same(&canonical(theirs), ours)
            }
            _ => false,
        }
    }

    /// Whether what is asked for are the bytes of a value, which may be unknown.
    fn is_written(&self) -> bool {
        self.case.get("op").is_some_and(|op| op == "msgpack_marshal")
    }

    /// The arguments are not wholly known, and none of the things that they may become has an answer.
    fn is_early_error(&self) -> bool {
        let mut answers = self.answers().peekable();
        !self.is_wholly_known() && answers.peek().is_some() && answers.all(|answer| answer.is_err())
    }

    pub(crate) fn is_wholly_known(&self) -> bool {
        let mut args = self.call.args.iter().enumerate();
        args.all(|(i, arg)| !(self.call.vary)(i) || arg.is_wholly_known())
    }

    /// Whether ours holds every answer of the call on what the arguments may become.
    pub(crate) fn is_sound(&self, ours: &Value) -> bool {
        self.answers().all(|answer| match answer {
            Ok(Got::Value(concrete)) => within(ours, &concrete),
            Ok(Got::Data(_)) => false,
            Err(_) => true,
        })
    }

    /// The answers of the call on concrete values that the arguments may become.
    pub(crate) fn answers(&self) -> impl Iterator<Item = Answer> {
        self.samples.get_or_init(|| self.sampled_arguments()).iter().map(|args| run(self.call, args))
    }

    fn sampled_arguments(&self) -> Vec<Vec<Value>> {
        let args = &self.call.args;
        let recorded = match &self.theirs {
            Theirs::Value(Some(value), _) => Some(value),
            _ => None,
        };
        // The ends of our own answer are where a wrong one shows.
        let ours = match self.ours {
            Ok(Got::Value(value)) => Some(value),
            _ => None,
        };
        let pool = Pool::of(args.iter().chain(recorded).chain(ours).chain(&self.call.hints));
        let fixed: Vec<Option<Value>> = args
            .iter()
            .enumerate()
            .map(|(i, arg)| if (self.call.vary)(i) { None } else { Some(arg.unmark_deep().0) })
            .collect();
        let varied = args.iter().enumerate().filter(|(i, _)| (self.call.vary)(*i));
        let varied: Vec<Value> = varied.map(|(_, arg)| arg.clone()).collect();
        let combined = combinations(&varied, pool).into_iter().map(|combination| {
            let mut combination = combination.into_iter();
            let fixed = fixed.iter().cloned();
            fixed.map(|arg| arg.or_else(|| combination.next()).unwrap_or_else(Value::dynamic)).collect()
        });
        combined.collect()
    }

    /// The answer of ours for the arguments without their marks.
    pub(crate) fn erased(&self) -> Answer {
        let args: Vec<Value> = self.call.args.iter().map(|arg| arg.unmark_deep().0).collect();
        run(self.call, &args)
    }
}

/// Whether two values have the same marks at the same places.
pub(crate) fn same_marks(a: &Value, b: &Value) -> bool {
    a.unmark_deep_with_paths().1 == b.unmark_deep_with_paths().1
}

pub(crate) fn all_marks(value: &Value) -> Marks {
    value.unmark_deep().1
}

/// The notation with each value in it as this crate builds it.
fn canonical(json: &Json) -> Json {
    if let Ok(value) = crate::notation::value(json) {
        return write(&value);
    }
    match json {
        Json::Array(items) => items.iter().map(canonical).collect(),
        Json::Object(members) => {
            Json::Object(members.iter().map(|(name, json)| (name.clone(), canonical(json))).collect())
        }
        json => json.clone(),
    }
}

fn with_approx(json: &Json) -> Json {
    match json {
        Json::Array(items) => items.iter().map(with_approx).collect(),
        Json::Object(members) => {
            let mut members: serde_json::Map<_, _> =
                members.iter().map(|(name, json)| (name.clone(), with_approx(json))).collect();
            if members.get("num").is_some_and(Json::is_string) {
                members.insert("approx".into(), Json::from(true));
            }
            Json::Object(members)
        }
        json => json.clone(),
    }
}
