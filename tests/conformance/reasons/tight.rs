//! Whether an answer says what can be said: where the recorded answer is no measure because it is wrong or an error, the
//! sampled answers are one.

use std::mem::discriminant;

use plantime::{LengthRange, Nullness, Range, Refinement, Type, Value, ValueRange, View};

use crate::calls::Got;
use crate::verdict::{Question, Theirs};
use crate::within::within;

use super::op;

/// Whether ours says no less than the sampled answers have in common: it is what they join to, or, for a function, whose loss
/// of precision may be a row of `tests/functions/precision.toml`, it has their kind of type, is the value that they all are,
/// and may be null or empty only if some are.
pub(super) fn is_tight(question: &Question<'_>, ours: &Value) -> bool {
    let ours = ours.unmark_deep().0;
    let values = question.answers().filter_map(|answer| match answer {
        Ok(Got::Value(value)) => Some(value.unmark_deep().0),
        _ => None,
    });
    let answers: Vec<Value> = values.collect();
    let Some(first) = answers.first().filter(|_| !ours.is_wholly_known()) else { return true };
    let of_one_kind = answers.iter().all(|answer| is_of_kind(&answer.ty(), &first.ty()));
    if answers.iter().all(|answer| answer == first) || ours.ty() == Type::Dynamic && of_one_kind {
        return false;
    }
    if answers.iter().all(Value::is_null) {
        return ours.ty() == Type::Dynamic || ours.range().nullness() == Nullness::Null;
    }
    // Sets of several element types join to one of any length.
    if let View::Unknown(range) = ours.view()
        && is_function(question)
        && !lengths_are_met(question, &range, &answers)
    {
        return false;
    }
    let hull = Value::join(&answers.iter().collect::<Vec<_>>());
    if hull.is_ok_and(|hull| within(&without_list(hull), &ours)) {
        return true;
    }
    // What is read from an unknown container has all values of its type; the samples are a few of them.
    let from_unknown =
        op(question).starts_with("path_") && question.call.args.first().is_some_and(|arg| !arg.is_known());
    let View::Unknown(range) = ours.view() else { return op(question) != "refine" };
    let is_whole_type = from_unknown && matches!(range.refinement().range(), Range::Any);
    let may_be_null = range.nullness() != Nullness::NotNull;
    is_whole_type
        || is_function(question)
            && (!may_be_null || answers.iter().any(Value::is_null))
            && (range.prefix().is_some() || !have_a_common_start(&answers))
}

/// A number of which the samples are listed, as what lies between them: the samples are a few of its outcomes.
fn without_list(hull: Value) -> Value {
    let View::Unknown(range) = hull.view() else { return hull };
    let Range::Numbers(few) = range.refinement().range() else { return hull };
    let integers =
        few.as_slice().iter().map(|number| number.to_string().trim_start_matches('-').parse().ok());
    let gcd = |a: u64, b: u64| {
        let (mut a, mut b) = (a, b);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let step = integers.collect::<Option<Vec<u64>>>().map(|all| all.into_iter().fold(0, gcd));
    let interval = Refinement::number(few.range().clone());
    let between = match step {
        Some(step) => interval.meet(&Refinement::multiple_of(step)).unwrap_or(interval),
        None => interval,
    };
    let between = if range.is_not_null() { between.and_not_null() } else { between };
    Value::refined(Type::Number, between).unwrap_or(hull)
}

/// Whether a collection may be empty, or of one element, only if an answer is, and has no more elements than an answer or the
/// recorded one.
fn lengths_are_met(question: &Question<'_>, range: &ValueRange, answers: &[Value]) -> bool {
    if !range.ty().is_collection() {
        return true;
    }
    let own = match range.length_range() {
        Some(own) => own,
        // That it can be empty takes members of several arguments that are one, which are seldom drawn.
        None if super::is_function(question, &["setsymmetricdifference"]) => return true,
        None => LengthRange::default(),
    };
    let lengths: Vec<LengthRange> = answers
        .iter()
        .filter(|answer| !answer.is_null())
        .filter_map(|answer| answer.range().length_range())
        .collect();
    let least = lengths.iter().map(|length| length.lower()).min().unwrap_or(0);
    let most = lengths.iter().filter_map(|length| length.upper()).max().unwrap_or(0);
    let recorded = match &question.theirs {
        Theirs::Value(Some(theirs), _) => theirs.range().length_range(),
        _ => None,
    };
    let recorded = recorded.and_then(|length| length.upper()).unwrap_or(0);
    // Of many members the samples may not be the fewest, and those of a set may be one.
    let enough = match range.ty() {
        _ if op(question) == "assume" => least,
        Type::Set(_) => least.min(1),
        _ => least.min(2),
    };
    own.lower() >= enough && own.upper().is_none_or(|upper| upper <= most.max(recorded))
}

/// Whether the answers are eight texts or more that all begin with the same letter.
fn have_a_common_start(answers: &[Value]) -> bool {
    let mut texts: Vec<&str> = answers.iter().filter_map(|answer| answer.as_str().ok()).collect();
    texts.sort_unstable();
    texts.dedup();
    let start = texts.first().and_then(|text| text.chars().next());
    texts.len() >= 8 && start.is_some() && texts.iter().all(|text| text.chars().next() == start)
}

/// Collections of one kind join to a collection of that kind; tuples and objects of several types to no type.
fn is_of_kind(a: &Type, b: &Type) -> bool {
    a == b || a.is_collection() && discriminant(a) == discriminant(b)
}

fn is_function(question: &Question<'_>) -> bool {
    matches!(op(question), "call" | "assume" | "convert")
}
