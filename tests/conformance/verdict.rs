//! The verdict on one case: equal, more precise, a deviation with a name, or unexplained.

use std::panic::{AssertUnwindSafe, catch_unwind};

use plantime::{Marks, Value};
use serde_json::Value as Json;

use crate::calls::{Answer, Call, Got};
use crate::notation::{Unread, same, write};
use crate::reasons;
use crate::sample::{Pool, combinations};
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
}

pub(crate) fn judge(case: &Json, call: &Call) -> Verdict {
    let ours = run(call, &call.args);
    let mut questions = Vec::new();
    for (recorded, is_error) in recorded(case) {
        let theirs = match (recorded, &ours) {
            (Json::String(message), _) if is_error => Theirs::Error(message),
            (json, Ok(Got::Data(_))) => Theirs::Data(json),
            (json, answer) => match (call.read)(json) {
                Ok(value) => Theirs::Value(Some(value), json),
                Err(Unread::Nothing) => Theirs::Value(None, json),
                Err(_) if answer.is_err() => Theirs::Data(json),
                Err(unread) => return Verdict::Unexplained(format!("unread result, {unread}: {json}")),
            },
        };
        questions.push(Question { case, call, theirs, ours: &ours });
    }
    if questions.iter().any(Question::is_equal) {
        return if call.refused { Verdict::Refused } else { Verdict::Equal };
    }
    if questions.iter().any(Question::is_more_precise) {
        return Verdict::MorePrecise;
    }
    match questions.iter().find_map(reasons::find) {
        Some(reason) => Verdict::Deviation(reason),
        None => Verdict::Unexplained(match &ours {
            Ok(Got::Value(value)) => write(value).to_string(),
            Ok(Got::Data(json)) => json.to_string(),
            Err(message) => format!("error: {message}"),
        }),
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

impl Question<'_> {
    pub(crate) fn is_equal(&self) -> bool {
        let approx = self.case.get("approx").is_some();
        match (&self.theirs, self.ours) {
            (Theirs::Error(theirs), Err(ours)) => !self.call.literal || self.text(theirs) == *ours,
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

    /// The recorded text of an error, with its place where that is recorded.
    fn text(&self, message: &str) -> String {
        match self.case.get("err_path") {
            Some(path) => crate::calls::convert::placed(message, path),
            None => message.to_owned(),
        }
    }

    fn is_more_precise(&self) -> bool {
        match (&self.theirs, self.ours) {
            (Theirs::Value(Some(theirs), json), Ok(Got::Value(ours))) => {
                !reasons::has_optional(json)
                    && same_marks(theirs, ours)
                    && within(theirs, ours)
                    && self.is_sound(ours)
            }
            (Theirs::Value(..), Err(_)) => !self.call.refused && self.is_early_error(),
            (Theirs::Data(_), Err(_)) if reasons::asks_for_type(self) => self.is_early_error(),
            (Theirs::Data(theirs), Ok(Got::Data(ours))) => {
                self.call.better.is_some_and(|better| better(theirs, ours, self.case))
                    || same(&canonical(theirs), ours)
            }
            _ => false,
        }
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

    /// The answers of the call on what the arguments may become.
    pub(crate) fn answers(&self) -> impl Iterator<Item = Answer> {
        let args = &self.call.args;
        let recorded = match &self.theirs {
            Theirs::Value(Some(value), _) => Some(value),
            _ => None,
        };
        let pool = Pool::of(args.iter().chain(recorded).chain(&self.call.hints));
        let fixed: Vec<Option<Value>> = args
            .iter()
            .enumerate()
            .map(|(i, arg)| if (self.call.vary)(i) { None } else { Some(arg.unmark_deep().0) })
            .collect();
        let varied: Vec<Value> = args
            .iter()
            .enumerate()
            .filter(|(i, _)| (self.call.vary)(*i))
            .map(|(_, arg)| arg.clone())
            .collect();
        combinations(&varied, pool).into_iter().map(move |combination| {
            let mut combination = combination.into_iter();
            let args: Vec<Value> = fixed
                .iter()
                .map(|arg| arg.clone().or_else(|| combination.next()).unwrap_or_else(Value::dynamic))
                .collect();
            run(self.call, &args)
        })
    }

    /// The answer of ours for the arguments without their marks.
    pub(crate) fn erased(&self) -> Answer {
        let args: Vec<Value> = self.call.args.iter().map(|arg| arg.unmark_deep().0).collect();
        run(self.call, &args)
    }
}

pub(crate) fn same_marks(a: &Value, b: &Value) -> bool {
    a.marks() == b.marks() && all_marks(a) == all_marks(b)
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
