//! Reasons that are about numbers.

use plantime::{Number, Value};
use serde_json::Value as Json;

use crate::calls::Got;
use crate::notation::{same, write};
use crate::verdict::{Question, Theirs, same_marks};

use super::marks::keeps_marks;
use super::{is_function, message_has, op, text_of};

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
    let marked = matches!(question.ours, Ok(Got::Value(ours)) if keeps_marks(question, ours));
    let undefined = message_has(question, "remainder") || message_has(question, "can't use modulo");
    is_function(question, &["modulo"]) && (none && undefined || whole && dividend && marked)
}

/// A remainder that hangs on how fractions are held: ours is the exact one of the decimals, of the dividend's sign and
/// smaller than the divisor.
pub(super) fn exact_decimals(question: &Question<'_>) -> bool {
    let Ok(Got::Value(ours)) = question.ours else { return false };
    let bare = |value: &Value| value.clone().unmark().0.as_number().ok().cloned();
    let numbers: Option<Vec<_>> = question.call.args.iter().chain([ours]).map(bare).collect();
    let Some([dividend, divisor, rest]) = numbers.as_deref() else { return false };
    let multiple = dividend.subtract(rest).ok();
    let times = multiple
        .as_ref()
        .and_then(|multiple| multiple.divide(divisor).ok())
        .filter(plantime::Number::is_integer);
    let is_multiple = times.and_then(|times| times.multiply(divisor).ok()) == multiple;
    is_function(question, &["modulo"])
        && question.case.get("approx").is_some()
        && question.is_wholly_known()
        && is_multiple
        && rest.absolute() < divisor.absolute()
        && (rest.is_zero() || rest.is_negative() == dividend.is_negative())
        && keeps_marks(question, ours)
}

/// What is computed in 64 bits, and written as the shortest decimal that reads as those; and a power that ends within 60
/// digits, which is exact.
pub(super) fn shortest_decimal(question: &Question<'_>) -> bool {
    let (Theirs::Value(Some(theirs), _), Ok(Got::Value(ours))) = (&question.theirs, question.ours) else {
        return false;
    };
    let float = |value: &Value| value.clone().unmark().0.as_number().ok()?.to_string().parse::<f64>().ok();
    // The last digits of a logarithm depend on the library that computes it.
    let near = |epsilons: f64| {
        let close = |(a, b): (f64, f64)| a == b || (a - b).abs() <= a.abs() * epsilons * f64::EPSILON;
        float(theirs).zip(float(ours)).is_some_and(close)
    };
    let number = |value: &Value| value.clone().unmark().0.as_number().ok().cloned();
    let args: Vec<Number> = question.call.args.iter().filter_map(number).collect();
    let is_close = match exact_power(&args).filter(|_| is_function(question, &["pow"])) {
        // There the error of 64 bits grows with the exponent.
        Some(exact) => number(ours) == Some(exact) && near(1000.0),
        None => near(4.0),
    };
    is_function(question, &["log", "pow"])
        && question.is_wholly_known()
        && same_marks(theirs, ours)
        && is_close
}

/// The power by multiplication, of a base of at most two digits.
fn exact_power(args: &[Number]) -> Option<Number> {
    let [base, exponent] = args else { return None };
    let times = exponent.to_i64().filter(|times| (1..=512).contains(times))?;
    let digits = base.to_string().trim_matches(['-', '0', '.']).len();
    (digits <= 2).then_some(())?;
    (1..times).try_fold(base.clone(), |power, _| power.multiply(base).ok())
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

/// An infinity as a text: ours is theirs with the other spelling.
pub(super) fn text_of_infinity(question: &Question<'_>) -> bool {
    let (Theirs::Value(_, theirs), Ok(Got::Value(ours))) = (&question.theirs, question.ours) else {
        return false;
    };
    let respelt = theirs.to_string().replace("\"+Inf\"", "\"inf\"").replace("\"-Inf\"", "\"-inf\"");
    let Ok(respelt) = serde_json::from_str::<Json>(&respelt) else { return false };
    question.is_wholly_known() && respelt != **theirs && same(&respelt, &write(ours))
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
    match op(question) {
        "parse_number" => {}
        "convert" => texts(question.case.get("args").unwrap_or(&Json::Null), &mut found),
        "json_unmarshal" => {
            texts_in(&serde_json::from_str(text_of(question)).unwrap_or_default(), &mut found)
        }
        "msgpack_unmarshal" => found.extend(super::msgpack::texts(question)),
        _ => return false,
    }
    let is_other = |text: &String| {
        let (digits, power) = text.rsplit_once(['e', 'E']).unwrap_or_default();
        let digits = digits.trim_start_matches('-');
        let power = power.trim_start_matches(['+', '-']).trim_start_matches('0');
        let is_number = digits.starts_with(|c: char| c.is_ascii_digit())
            && power.bytes().all(|digit| digit.is_ascii_digit());
        // A power may be longer than any integer.
        let is_long = is_number && (power.len() > 4 || power.parse::<u32>().is_ok_and(|power| power > 8000));
        let is_binary = text.contains(['p', 'P']) && text.starts_with(|c: char| c.is_ascii_digit());
        is_binary || is_long
    };
    let refused =
        message_has(question, "number is required") || message_has(question, "a number has at most");
    refused && found.iter().any(is_other)
}

/// The strings in JSON.
fn texts_in(json: &Json, found: &mut Vec<String>) {
    match json {
        Json::String(text) => found.push(text.clone()),
        Json::Array(items) => items.iter().for_each(|json| texts_in(json, found)),
        Json::Object(members) => members.values().for_each(|json| texts_in(json, found)),
        _ => {}
    }
}
