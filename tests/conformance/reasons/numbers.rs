//! Reasons that are about numbers.

use plantime::Value;
use serde_json::Value as Json;

use crate::calls::Got;
use crate::verdict::{Question, Theirs, same_marks};

use super::marks::keeps_marks;
use super::{is_function, op, text_of};

/// A remainder of a division by 0, of an infinity or by an infinity.
pub(super) fn remainder(question: &Question<'_>) -> bool {
    let bare: Vec<Value> = question.call.args.iter().map(|arg| arg.clone().unmark().0).collect();
    let is = |at: usize, test: fn(&plantime::Number) -> bool| {
        bare.get(at).is_some_and(|arg| arg.as_number().is_ok_and(test))
    };
    let none = is(1, plantime::Number::is_zero) || is(0, plantime::Number::is_infinite);
    let whole = is(1, plantime::Number::is_infinite) && is(0, plantime::Number::is_finite);
    let dividend =
        matches!(question.ours, Ok(Got::Value(ours)) if Some(&ours.clone().unmark().0) == bare.first());
    is_function(question, &["modulo"]) && (none && question.ours.is_err() || whole && dividend)
}

/// A remainder that hangs on how fractions are held: ours is the exact one of the decimals, of the dividend's sign and
/// smaller than the divisor.
pub(super) fn exact_decimals(question: &Question<'_>) -> bool {
    let Ok(Got::Value(ours)) = question.ours else { return false };
    let bare = |value: &Value| value.clone().unmark().0.as_number().ok().cloned();
    let numbers: Option<Vec<_>> = question.call.args.iter().chain([ours]).map(bare).collect();
    let Some([dividend, divisor, rest]) = numbers.as_deref() else { return false };
    let multiple = dividend.sub(rest).ok();
    let times = multiple
        .as_ref()
        .and_then(|multiple| multiple.div(divisor).ok())
        .filter(plantime::Number::is_integer);
    let is_multiple = times.and_then(|times| times.mul(divisor).ok()) == multiple;
    is_function(question, &["modulo"])
        && question.case.get("approx").is_some()
        && question.is_wholly_known()
        && is_multiple
        && rest.abs() < divisor.abs()
        && (rest.is_zero() || rest.is_negative() == dividend.is_negative())
        && keeps_marks(question, ours)
}

/// What is computed in 64 bits, and written as the shortest decimal that reads as those.
pub(super) fn shortest_decimal(question: &Question<'_>) -> bool {
    let (Theirs::Value(Some(theirs), _), Ok(Got::Value(ours))) = (&question.theirs, question.ours) else {
        return false;
    };
    let float = |value: &Value| value.clone().unmark().0.as_number().ok()?.to_string().parse::<f64>().ok();
    // The last digits of a logarithm hang on the library.
    let close = |(a, b): (f64, f64)| a == b || (a - b).abs() <= a.abs() * 4.0 * f64::EPSILON;
    is_function(question, &["log", "pow"])
        && question.is_wholly_known()
        && same_marks(theirs, ours)
        && float(theirs).zip(float(ours)).is_some_and(close)
}

/// The sign of a number that is not whole or beyond 64 bits, and the whole part of an infinity.
pub(super) fn defined_on_all_numbers(question: &Question<'_>) -> bool {
    let number = |value: &Value| value.clone().unmark().0.as_number().ok().cloned();
    let (Some(of), Ok(Got::Value(ours))) = (question.call.args.first().and_then(number), question.ours)
    else {
        return false;
    };
    let expected = match question.case.get("fn").and_then(Json::as_str) {
        Some("int") if of.is_infinite() => of,
        Some("signum") if of.to_i64().is_none() => if of.is_negative() { -1 } else { 1 }.into(),
        _ => return false,
    };
    number(ours) == Some(expected) && keeps_marks(question, ours)
}

/// An infinity as a text.
pub(super) fn text_of_infinity(question: &Question<'_>) -> bool {
    let (Theirs::Value(_, theirs), Ok(Got::Value(ours))) = (&question.theirs, question.ours) else {
        return false;
    };
    let theirs = theirs.to_string().replace("\"+Inf\"", "\"inf\"").replace("\"-Inf\"", "\"-inf\"");
    let theirs = serde_json::from_str(&theirs).ok().and_then(|json| crate::notation::value(&json).ok());
    question.is_wholly_known() && theirs.as_ref() == Some(ours)
}

/// L9: zero and negative zero are one number, so one member of a set and one divisor.
pub(super) fn negative_zero(question: &Question<'_>) -> bool {
    let args = question.case.get("args");
    let divisor = args.and_then(|args| args.get(1)?.get("num")).and_then(Json::as_str);
    if op(question) == "divide" && divisor == Some("-0") {
        return question.ours.is_ok();
    }
    // No step, there and here, but there not said to be none.
    let step = args.and_then(|args| args.get(2)?.get("num")).and_then(Json::as_str);
    if is_function(question, &["range"]) && step == Some("-0") {
        return matches!(question.ours, Err(message) if message.ends_with("step must not be zero"));
    }
    fn both_zeros(json: &Json) -> bool {
        let is = |zero: &str, member: &Json| member.get("num").and_then(Json::as_str) == Some(zero);
        match json {
            Json::Object(members) => {
                let set = members.get("v").and_then(Json::as_array).filter(|_| members.contains_key("set"));
                set.is_some_and(|set| set.iter().any(|m| is("-0", m)) && set.iter().any(|m| is("0", m)))
                    || members.values().any(both_zeros)
            }
            Json::Array(items) => items.iter().any(both_zeros),
            _ => false,
        }
    }
    let zero = |arg: &Json| arg.get("num").and_then(Json::as_str) == Some("-0");
    if is_function(question, &["format"])
        && args.and_then(Json::as_array).is_some_and(|args| args.iter().any(zero))
    {
        let signed = |theirs: &Value| theirs.clone().unmark().0.as_str().is_ok_and(|text| text.contains('-'));
        let unsigned = |ours: &Value| ours.is_wholly_known() && keeps_marks(question, ours);
        return matches!((&question.theirs, question.ours), (Theirs::Value(Some(theirs), _), Ok(Got::Value(ours)))
            if signed(theirs) && unsigned(ours));
    }
    let as_text = |theirs: &Json| op(question) == "convert" && *theirs == serde_json::json!({"str": "-0"});
    question.case.get("args").is_some_and(both_zeros)
        || matches!(question.theirs, Theirs::Value(_, theirs) if as_text(theirs))
}

/// Binary exponents, and numbers beyond the limit on digits.
pub(super) fn number_grammar(question: &Question<'_>) -> bool {
    fn texts(json: &Json, found: &mut Vec<String>) {
        match json {
            Json::Object(members) => {
                found.extend(members.get("str").and_then(Json::as_str).map(str::to_owned));
                members.values().for_each(|json| texts(json, found));
            }
            Json::Array(items) => items.iter().for_each(|json| texts(json, found)),
            _ => {}
        }
    }
    let mut found = vec![text_of(question).to_owned()];
    if let Some(args) = question.case.get("args").filter(|_| op(question) == "convert") {
        texts(args, &mut found);
    }
    let is_other = |text: &String| {
        let power = text.rsplit_once(['e', 'E']).and_then(|(_, power)| power.parse::<i64>().ok());
        let binary = text.contains(['p', 'P']) && text.starts_with(|c: char| c.is_ascii_digit());
        binary || power.is_some_and(|power| power.unsigned_abs() > 8000)
    };
    let asked = matches!(op(question), "parse_number" | "convert");
    asked && question.ours.is_err() && found.iter().any(is_other)
}
