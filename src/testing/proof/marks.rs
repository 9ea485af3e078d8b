//! The law of marks: a mark changes no answer and is not lost.

use crate::{Mark, Refinement, Type, Value};

use super::super::domain::Domain;
use super::super::gamma::Abs;
use super::super::report::{Collected, Law};
use super::abstracts::operands;
use super::{Answer, Combinations, Proof, answer_text};

/// The maximum number of combinations of operands that are tried with a mark.
const MARKED: usize = 20_000;
/// The maximum number of elements inside an operand that are marked, one at a time.
const PARTS: usize = 4;

/// A string in marked content: an answer or error whose text contains it violates the law.
const SECRET: &str = "hunter2";
/// A number in marked content: an answer or error whose text contains it violates the law.
const SECRET_NUMBER: i64 = 731_529;

/// Marks one operand, or one element inside it, at a time, and checks that the answer differs from that for unmarked
/// operands only in marks.
pub(super) fn check(proof: &Proof<'_>, domains: &[Domain], found: &mut Collected) {
    let lengths = domains.iter().map(|domain| domain.abstracts().len()).collect();
    for places in Combinations::at_most(lengths, MARKED) {
        let (values, abs) = operands(domains, &places);
        if values.iter().any(|value| value.contains_marks()) {
            continue;
        }
        let bare = proof.call(&values, found);
        for (i, value) in values.iter().enumerate() {
            for (marked, at_top) in marked(value) {
                let mut values = values.clone();
                values[i] = &marked;
                let answer = proof.call(&values, found);
                if let Some(why) = violation(&bare, &answer, at_top) {
                    found.add(Law::Marks, &abs, || {
                        let place = if at_top { "is marked" } else { "is marked inside" };
                        let whole = operands(domains, &places).0;
                        format!(
                            "{} {}\nbut when operand {} {place}, it {}\n{why}",
                            proof.text(&whole),
                            answer_text(&bare),
                            i + 1,
                            answer_text(&answer)
                        )
                    });
                }
            }
        }
    }
}

/// The mark that the checks put on operands.
fn mark() -> Mark {
    Mark::new("m")
}

/// Copies of the value with one mark each: on the whole value, or on one element inside it. The bool says whether the
/// mark ends up on the whole value, as it does for members of a set.
fn marked(value: &Value) -> Vec<(Value, bool)> {
    let parts = value.parts().skip(1).take(PARTS).map(|(path, _)| (path, mark().into()));
    let inside = parts.map(|place| value.mark_with_paths(&[place]));
    let inside = inside.filter(Value::contains_marks).map(|value| {
        let at_top = value.is_marked();
        (value, at_top)
    });
    std::iter::once((value.clone().mark(mark()), true)).chain(inside).collect()
}

/// What is wrong with the answer for marked operands beside that for unmarked ones, or `None` if nothing is. `at_top`
/// says whether a whole operand was marked, so that the answer must have the mark.
fn violation(bare: &Answer, marked: &Answer, at_top: bool) -> Option<&'static str> {
    match (bare, marked) {
        (Err(_), Err(_)) => None,
        (Ok(bare), Ok(marked)) => {
            let (content, places) = Abs::with_marks(marked);
            let (wanted, own) = Abs::with_marks(bare);
            if content != wanted {
                Some("a mark changes the answer")
            } else if places.iter().any(|place| place.1 != mark() && !own.contains(place)) {
                Some("a mark that no operand has")
            } else if at_top && !marked.marks().contains(&mark()) {
                Some("the mark is lost")
            } else {
                None
            }
        }
        _ => Some("a mark changes the answer"),
    }
}

/// Checks that no marked content appears in the text of an answer or an error, with calls of `count` operands.
pub(super) fn check_secrets(proof: &Proof<'_>, count: usize, found: &mut Collected) {
    let bare = bare_secrets();
    let marked: Vec<Value> = bare.iter().map(|value| value.clone().mark(mark())).collect();
    let others = [Value::from("a"), Value::from(1), Value::unknown(Type::Bool), Value::dynamic()];
    for place in 0..count {
        for secret in &marked {
            for other in others.iter().chain(&marked) {
                let operands: Vec<&Value> =
                    (0..count).map(|i| if i == place { secret } else { other }).collect();
                let text = match proof.call(&operands, found) {
                    Ok(value) => format!("{value} {value:?}"),
                    Err(error) => error,
                };
                if text.contains(SECRET) || text.contains(&SECRET_NUMBER.to_string()) {
                    let abs: Vec<Abs> = operands.iter().map(|operand| Abs::of(operand)).collect();
                    let abs: Vec<&Abs> = abs.iter().collect();
                    found.add(Law::Marks, &abs, || format!("{} shows what is marked: {text}", proof.name));
                }
            }
        }
    }
}

/// Unmarked values that contain [`SECRET`] or [`SECRET_NUMBER`].
fn bare_secrets() -> Vec<Value> {
    let text = Value::from(SECRET);
    let number = Value::from(SECRET_NUMBER);
    let containers = [
        Value::list([text.clone()]),
        Value::set([text.clone()]),
        Value::map([(SECRET, number.clone())]),
        Value::tuple([text.clone(), number.clone()]),
        Value::object([("a", text.clone())]),
        Value::refined(Type::String, Refinement::prefix(SECRET)),
        Value::refined(Type::Number, Refinement::number_at_least(SECRET_NUMBER).and_not_null()),
    ];
    containers.into_iter().flatten().chain([text, number]).collect()
}
