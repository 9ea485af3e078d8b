//! The named reasons for which an answer may differ: each is a test of the case, and a paragraph in
//! `deviations.toml` and COMPATIBILITY.md.

use plantime::{Marks, Value};
use serde_json::Value as Json;

use crate::calls::convert::{constraint, without_optional};
use crate::calls::stdlib::narrower;
use crate::calls::{Got, json, path_sets};
use crate::notation::{same, write};
use crate::verdict::{Question, Theirs, all_marks, same_marks};
use crate::within::within;

mod msgpack;

type Test = fn(&Question<'_>) -> bool;

/// In the order in which they are tried.
pub(crate) const REASONS: &[(&str, Test)] = &[
    ("native-length", native_length),
    ("answer-there-excludes-outcomes", excludes_outcomes),
    ("error-there-though-outcomes-exist", error_though_outcomes),
    ("known-in-known-out", known_in),
    ("marks", marks),
    ("prefix-of-known-text", prefix_of_known_text),
    ("null-satisfies", null_satisfies),
    ("null-operand", null_operand),
    ("infinity-is-in-range", infinity_is_in_range),
    ("negative-zero", negative_zero),
    ("remainder", remainder),
    ("exact-decimals", exact_decimals),
    ("shortest-decimal", shortest_decimal),
    ("defined-on-all-numbers", defined_on_all_numbers),
    ("reason-behind-mark", reason_behind_mark),
    ("four-digit-years", four_digit_years),
    ("further-argument", further_argument),
    ("every-argument-is-checked", every_argument_is_checked),
    ("undecided-fits", undecided_fits),
    ("clusters-of-conjuncts", clusters_of_conjuncts),
    ("text-of-infinity", text_of_infinity),
    ("nothing-to-iterate", nothing_to_iterate),
    ("range-of-marked", range_of_marked),
    ("text-after-type", text_after_type),
    ("number-grammar", number_grammar),
    ("type-asked-for", type_asked_for),
    ("needs-type", needs_type),
    ("collapse-limit", collapse_limit),
    ("undecided-element-type", undecided_element_type),
    ("looks-below-marks", looks_below_marks),
    ("marks-put-twice", marks_put_twice),
    ("nothing-learned", nothing_learned),
    ("same-path", same_path),
    ("names-in-normal-form", names_in_normal_form),
    ("strict-reading", strict_reading),
    ("unknown-refinement-keys", msgpack::keys_passed_over),
    ("text-is-utf8", msgpack::not_utf8),
    ("refinement-leaves-nothing", msgpack::nothing_left),
    ("wire-of-another-type", msgpack::of_another_type),
    ("wire-keys-are-text", msgpack::keys_are_text),
];

pub(crate) fn find(question: &Question<'_>) -> Option<&'static str> {
    REASONS.iter().find(|(_, test)| test(question)).map(|(name, _)| *name)
}

/// L1: some outcome of the arguments has an answer that theirs excludes, and ours holds all of them.
fn excludes_outcomes(question: &Question<'_>) -> bool {
    if matches!(question.theirs, Theirs::Data(_)) {
        return types_of_outcomes(question);
    }
    let theirs = match &question.theirs {
        Theirs::Value(theirs, _) => theirs.as_ref(),
        _ => return false,
    };
    let Ok(Got::Value(ours)) = question.ours else { return false };
    let excluded = |concrete: &Value| !theirs.is_some_and(|theirs| within(theirs, concrete));
    theirs.is_none_or(|theirs| same_marks(theirs, ours) || keeps_marks(question, ours))
        && !question.is_wholly_known()
        && question.is_sound(ours)
        && question.answers().any(|answer| matches!(answer, Ok(Got::Value(concrete)) if excluded(&concrete)))
}

/// L1: an error there, though some outcome of the arguments has an answer; ours holds all of them.
fn error_though_outcomes(question: &Question<'_>) -> bool {
    if asks_for_type(question) && matches!(question.theirs, Theirs::Error(_)) {
        return types_of_outcomes(question);
    }
    let (Theirs::Error(_), Ok(Got::Value(ours))) = (&question.theirs, question.ours) else { return false };
    !question.is_wholly_known()
        && keeps_marks(question, ours)
        && question.is_sound(ours)
        && question.answers().any(|answer| answer.is_ok())
}

/// L4: nothing unknown goes in, something unknown comes out there, an error here.
fn known_in(question: &Question<'_>) -> bool {
    let Theirs::Value(Some(theirs), _) = &question.theirs else { return false };
    !question.call.args.is_empty()
        && question.is_wholly_known()
        && !theirs.is_wholly_known()
        && question.ours.is_err()
}

/// L5: ours without marks is what the arguments without marks give, agrees with theirs without marks, and has the
/// marks of the operands.
fn marks(question: &Question<'_>) -> bool {
    // Elsewhere the marks are the recorded ones.
    if !matches!(op(question), "range_includes" | "index" | "assume" | "path_apply" | "call") {
        return false;
    }
    let Ok(Got::Value(ours)) = question.ours else { return false };
    let bare = ours.unmark_deep().0;
    let erased = matches!(question.erased(), Ok(Got::Value(value)) if value == bare);
    let agrees = match &question.theirs {
        Theirs::Value(Some(theirs), _) => {
            let theirs = theirs.unmark_deep().0;
            same(&write(&theirs), &write(&bare)) || within(&theirs, &bare) && question.is_sound(ours)
        }
        Theirs::Error(message) => message.contains("marked"),
        _ => false,
    };
    erased && agrees && keeps_marks(question, ours)
}

/// The marks at the top of the operands are at the top of the result, and no mark comes from nowhere. What
/// `assume_equal` assumes was written down before: it drops two marks of the value.
fn keeps_marks(question: &Question<'_>, ours: &Value) -> bool {
    let drops = question.case.get("fn").and_then(Json::as_str) == Some("assumeequal");
    let mut top = Marks::new();
    let mut all = Marks::new();
    for (i, arg) in question.call.args.iter().enumerate() {
        let kept = arg
            .marks()
            .iter()
            .filter(|mark| !(drops && i == 0 && matches!(mark.name(), "sensitive" | "ephemeral")));
        kept.for_each(|mark| top.insert(mark.clone()));
        all.extend_from(&all_marks(arg));
    }
    top.iter().all(|mark| ours.marks().contains(mark))
        && all_marks(ours).iter().all(|mark| all.contains(mark))
}

/// Whether the type of a function's result is asked for.
pub(crate) fn asks_for_type(question: &Question<'_>) -> bool {
    op(question).starts_with("return_type")
}

/// Of the type of a result: whether ours covers that of every outcome, and theirs, if it is one, not that of all.
fn types_of_outcomes(question: &Question<'_>) -> bool {
    let Ok(Got::Data(ours)) = question.ours else { return false };
    let covers = |ty: &Json, answer: &Json| narrower(ty, answer, question.case);
    let outcomes: Vec<Json> = question
        .answers()
        .filter_map(|answer| match answer {
            Ok(Got::Data(ty)) => Some(ty),
            _ => None,
        })
        .collect();
    asks_for_type(question)
        && !question.is_wholly_known()
        && outcomes.iter().all(|answer| covers(ours, answer))
        && match &question.theirs {
            Theirs::Data(theirs) => outcomes.iter().any(|answer| !covers(theirs, answer)),
            Theirs::Error(_) => !outcomes.is_empty(),
            Theirs::Value(..) => false,
        }
}

fn op<'a>(question: &'a Question<'_>) -> &'a str {
    question.case.get("op").and_then(Json::as_str).unwrap_or_default()
}

/// Whether an operation, or the function of the same name, is asked.
fn is_function(question: &Question<'_>, names: &[&str]) -> bool {
    let name = match op(question) {
        "call" => question.case.get("fn").and_then(Json::as_str).unwrap_or_default(),
        op => op,
    };
    names.contains(&name)
}

fn refines(question: &Question<'_>) -> bool {
    matches!(op(question), "refine" | "assume")
}

/// L8: the whole prefix is checked on a known text, as it was assumed on the unknown one.
fn prefix_of_known_text(question: &Question<'_>) -> bool {
    let Some(Ok(text)) = question
        .call
        .args
        .first()
        .map(|arg| arg.clone().unmark().0)
        .map(|arg| arg.as_str().map(str::to_owned))
    else {
        return false;
    };
    let calls = question.case.get("calls").and_then(Json::as_array);
    let called = calls.into_iter().flatten().filter(|call| {
        call.get(0).and_then(Json::as_str).is_some_and(|name| name.starts_with("string_prefix"))
    });
    let given = question.case.get("fn").and_then(Json::as_str) == Some("assumestringprefix");
    let given = question.case.get("args").and_then(|args| args.get(1)?.get("str")).filter(|_| given);
    let mut prefixes = called.filter_map(|call| call.get(1)).chain(given).filter_map(Json::as_str);
    refines(question)
        && question.ours.is_err()
        && matches!(question.theirs, Theirs::Value(..) | Theirs::Data(_))
        && prefixes.any(|prefix| !text.starts_with(&*plantime::text::nfc(prefix)))
}

/// L8: null satisfies every refinement but *not null*, at apply as at plan.
fn null_satisfies(question: &Question<'_>) -> bool {
    let (Some(arg), Ok(Got::Value(ours))) = (question.call.args.first(), question.ours) else { return false };
    let same = ours.unmark_deep().0 == arg.unmark_deep().0 && keeps_marks(question, ours);
    refines(question) && matches!(question.theirs, Theirs::Error(_)) && arg.is_null() && same
}

/// An operand of logic, order, arithmetic, length or `has_index` that is null.
fn null_operand(question: &Question<'_>) -> bool {
    matches!(
        op(question),
        "and"
            | "or"
            | "not"
            | "less_than"
            | "greater_than"
            | "less_than_or_equal"
            | "greater_than_or_equal"
            | "length"
            | "has_index"
            | "add"
            | "subtract"
            | "multiply"
            | "divide"
            | "modulo"
            | "negate"
            | "absolute"
    ) && question.ours.is_err()
        && question.call.args.iter().any(Value::is_null)
}

/// L1: an infinity lies within a range that no bound keeps it out of.
fn infinity_is_in_range(question: &Question<'_>) -> bool {
    let infinite = |arg: &Value| arg.as_number().is_ok_and(plantime::Number::is_infinite);
    match (question.call.args.as_slice(), question.ours) {
        ([range, value], Ok(Got::Value(ours))) => {
            op(question) == "range_includes"
                && ours.as_bool() == Ok(true)
                && infinite(value)
                && within(range, value)
        }
        _ => false,
    }
}

/// A remainder of a division by 0, of an infinity or by an infinity.
fn remainder(question: &Question<'_>) -> bool {
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
fn exact_decimals(question: &Question<'_>) -> bool {
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
fn shortest_decimal(question: &Question<'_>) -> bool {
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
fn defined_on_all_numbers(question: &Question<'_>) -> bool {
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

/// A time beyond the years that RFC 3339 has a form for.
fn four_digit_years(question: &Question<'_>) -> bool {
    let Theirs::Value(Some(theirs), _) = &question.theirs else { return false };
    let theirs = theirs.clone().unmark().0;
    let year =
        theirs.as_str().ok().and_then(|time| Some(time.get(1..)?.split_once('-')?.0.len().saturating_add(1)));
    is_function(question, &["timeadd"]) && year.is_some_and(|digits| digits != 4) && question.ours.is_err()
}

/// L5: why an argument is not fit is told where one of them is marked only if that says nothing of what is behind the
/// mark: what is wrong with an unknown in place of that is.
fn reason_behind_mark(question: &Question<'_>) -> bool {
    let marked = question.call.args.iter().any(|arg| !all_marks(arg).is_empty());
    // Names of attributes and elements are behind the mark too.
    let hidden = matches!(question.ours, Err(message) if message.ends_with("so the reason is not shown")
        || message.contains(" required, but received "));
    let blind = |arg: &Value| if arg.is_marked() { Value::unknown(arg.ty()) } else { arg.clone() };
    let blind: Vec<Value> = question.call.args.iter().map(blind).collect();
    let of_blind = || matches!(((question.call.run)(&blind), question.ours), (Err(a), Err(b)) if a == *b);
    marked && matches!(question.theirs, Theirs::Error(_)) && (hidden || of_blind())
}

/// The place of an argument beyond the named parameters: there the first of these is 0 where its type is wrong.
fn further_argument(question: &Question<'_>) -> bool {
    let (Theirs::Error(theirs), Err(ours)) = (&question.theirs, question.ours) else { return false };
    let name = question.case.get("fn").and_then(Json::as_str).unwrap_or_default();
    let functions = plantime::function::Functions::cty();
    let named = functions.get(name).filter(|f| f.variadic().is_some()).map_or(0, |f| f.parameters().len());
    let there = question.case.get("err_arg").and_then(Json::as_u64).unwrap_or_default();
    named > 0 && *ours == format!("argument {}: {theirs}", there + named as u64)
}

/// L1: one argument is of undecided type and another is wrong whatever that becomes; there the others are not looked at.
fn every_argument_is_checked(question: &Question<'_>) -> bool {
    let undecided = question.call.args.iter().any(|arg| arg.ty() == plantime::Type::Dynamic)
        || question
            .case
            .get("types")
            .and_then(Json::as_array)
            .is_some_and(|all| all.contains(&"dynamic".into()));
    let wrong = question.answers().all(|answer| answer.is_err());
    let dynamic = matches!(&question.theirs, Theirs::Data(Json::String(ty)) if ty == "dynamic");
    op(question).starts_with("return_type") && undecided && dynamic && question.ours.is_err() && wrong
}

/// L1: what is undecided inside an argument may become what is asked for, so that another argument is wrong, or none.
fn undecided_fits(question: &Question<'_>) -> bool {
    let types = question.case.get("types").and_then(Json::as_array).into_iter().flatten();
    let types: Vec<plantime::Type> = types.filter_map(|ty| crate::notation::ty(ty).ok()).collect();
    let inside = |ty: &plantime::Type| ty.has_dynamic() && *ty != plantime::Type::Dynamic;
    let undecided = types.iter().any(inside) || question.call.args.iter().any(|arg| inside(&arg.ty()));
    let theirs =
        matches!(question.theirs, Theirs::Error(message) if message.ends_with("but received dynamic"));
    let other = match question.ours {
        Ok(got) => matches!(got, Got::Data(_)),
        Err(message) => message.starts_with("argument ") || message.starts_with("no argument: "),
    };
    matches!(op(question), "call" | "return_type" | "return_type_for_values") && undecided && theirs && other
}

/// A consonant after a sign that joins it to the one before is of one character with that: ours is right for these
/// characters, theirs for those of before Unicode 15.1.
fn clusters_of_conjuncts(question: &Question<'_>) -> bool {
    use unicode_segmentation::UnicodeSegmentation;
    let bare: Vec<Value> = question.call.args.iter().map(|arg| arg.unmark_deep().0).collect();
    let (Some(Ok(text)), Ok(Got::Value(ours))) = (bare.first().map(Value::as_str), question.ours) else {
        return false;
    };
    let Theirs::Value(Some(theirs), _) = &question.theirs else { return false };
    let joins = |c: char| unicode_normalization::char::canonical_combining_class(c) == 9;
    let new: Vec<&str> = text.graphemes(true).collect();
    let old: Vec<&str> = new.iter().flat_map(|cluster| cluster.split_inclusive(joins)).collect();
    let number = |at: usize| bare.get(at).and_then(|arg| arg.as_number().ok()?.to_i64());
    let model = |clusters: &[&str]| -> Option<Value> {
        let count = i64::try_from(clusters.len()).ok()?;
        match question.case.get("fn").and_then(Json::as_str)? {
            "reverse" => Some(Value::from(clusters.iter().rev().copied().collect::<String>())),
            "strlen" => Some(Value::from(count)),
            "substr" => {
                let (offset, length) = (number(1)?, number(2)?);
                let from = if offset < 0 { (count + offset).max(0) } else { offset };
                let all = length < 0 || length == 0 && offset < 0;
                let rest = clusters.iter().skip(usize::try_from(from).ok()?);
                let take = if all { usize::MAX } else { usize::try_from(length).ok()? };
                Some(Value::from(rest.take(take).copied().collect::<String>()))
            }
            _ => None,
        }
    };
    op(question) == "call"
        && new.len() != old.len()
        && model(&new) == Some(ours.unmark_deep().0)
        && model(&old) == Some(theirs.unmark_deep().0)
        && keeps_marks(question, ours)
}

/// An infinity as a text.
fn text_of_infinity(question: &Question<'_>) -> bool {
    let (Theirs::Value(_, theirs), Ok(Got::Value(ours))) = (&question.theirs, question.ours) else {
        return false;
    };
    let theirs = theirs.to_string().replace("\"+Inf\"", "\"inf\"").replace("\"-Inf\"", "\"-inf\"");
    let theirs = serde_json::from_str(&theirs).ok().and_then(|json| crate::notation::value(&json).ok());
    question.is_wholly_known() && theirs.as_ref() == Some(ours)
}

/// L9: zero and negative zero are one number, so one member of a set and one divisor.
fn negative_zero(question: &Question<'_>) -> bool {
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

/// Whether a type in the notation has optional attributes.
pub(crate) fn has_optional(json: &Json) -> bool {
    *json != without_optional(json)
}

/// The type of the result there is not the one that was asked for: a null keeps optional attributes in its type,
/// or an attribute is gone.
fn type_asked_for(question: &Question<'_>) -> bool {
    let (Theirs::Value(Some(theirs), json), Ok(Got::Value(ours))) = (&question.theirs, question.ours) else {
        return false;
    };
    let Some(Ok(wanted)) = question.case.get("type").map(constraint) else { return false };
    op(question) == "convert"
        && !wanted.as_type().has_dynamic()
        && ours.ty() == wanted.to_type()
        && (has_optional(json) || theirs.ty() != ours.ty())
        && same_marks(theirs, ours)
        && question.is_sound(ours)
}

/// go-cty's lengths are Go's native integers: the greatest of them bounds there, and is refused as a bound.
fn native_length(question: &Question<'_>) -> bool {
    const GREATEST: &str = "9223372036854775807";
    let bound = |json: &Json| json.get("num").and_then(Json::as_str) == Some(GREATEST);
    match (&question.theirs, question.ours) {
        (Theirs::Error(message), Ok(_)) => {
            let args = question.case.get("args").and_then(Json::as_array);
            op(question) == "assume"
                && message.contains(GREATEST)
                && args.is_some_and(|args| args.iter().any(bound))
        }
        (Theirs::Value(Some(theirs), json), Ok(Got::Value(ours))) => {
            let max = json.get("ref").and_then(|facts| facts.get("max")).and_then(Json::as_str);
            is_function(question, &["length"])
                && max == Some(GREATEST)
                && same_marks(theirs, ours)
                && theirs.range().number_range().map(plantime::NumberRange::lower)
                    == ours.range().number_range().map(plantime::NumberRange::lower)
        }
        _ => false,
    }
}

/// L9: two unknowns of which nothing more is known than the type are the same.
fn nothing_learned(question: &Question<'_>) -> bool {
    fn bare(json: &Json) -> Json {
        match json {
            Json::Object(members) => members
                .iter()
                .filter(|(name, facts)| {
                    let empty = facts.as_object().is_some_and(serde_json::Map::is_empty);
                    !(*name == "ref" && empty && members.contains_key("unk"))
                })
                .map(|(name, json)| (name.clone(), bare(json)))
                .collect(),
            Json::Array(items) => items.iter().map(bare).collect(),
            json => json.clone(),
        }
    }
    let args = question.case.get("args").and_then(Json::as_array).map(Vec::as_slice);
    let Some([a, b]) = args else { return false };
    op(question) == "raw_equals"
        && matches!(question.ours, Ok(Got::Data(Json::Bool(true))))
        && a != b
        && bare(a) == bare(b)
}

/// An unknown and a null have no elements that could be read.
fn nothing_to_iterate(question: &Question<'_>) -> bool {
    let arg = question.call.args.first();
    op(question) == "can_iterate_elements" && arg.is_some_and(|arg| !arg.is_known() || arg.is_null())
}

/// A range says what is known of the content; it is no value and carries no marks.
fn range_of_marked(question: &Question<'_>) -> bool {
    let marked = question.call.args.first().is_some_and(Value::is_marked);
    op(question) == "range" && marked && matches!(question.theirs, Theirs::Error(_))
}

fn text_of<'a>(question: &'a Question<'_>) -> &'a str {
    question.case.get("text").and_then(Json::as_str).unwrap_or_default()
}

/// A closing bracket after the type.
fn text_after_type(question: &Question<'_>) -> bool {
    let closed = text_of(question).trim_end().strip_suffix([']', '}']).unwrap_or_default();
    op(question) == "type_json_parse"
        && question.ours.is_err()
        && plantime::Type::from_json_text(closed).is_ok()
}

/// Binary exponents, and numbers beyond the limit on digits.
fn number_grammar(question: &Question<'_>) -> bool {
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

/// L1, its named exception: refining a value of unknown type asks for the type.
fn needs_type(question: &Question<'_>) -> bool {
    let untyped = question.call.args.first().is_some_and(|arg| arg.ty() == plantime::Type::Dynamic);
    refines(question) && untyped && question.ours.is_err()
}

/// L6: a length above the limit stays a refinement; there it is a list of that many unknowns.
fn collapse_limit(question: &Question<'_>) -> bool {
    let Theirs::Error(message) = question.theirs else { return false };
    refines(question) && message.contains("makeslice") && question.ours.is_ok()
}

/// L1: what may become a value of several types is not wholly known.
fn undecided_element_type(question: &Question<'_>) -> bool {
    let mut undecided = false;
    for arg in &question.call.args {
        arg.walk(|_, part| {
            let open = part.ty().element_type().is_some_and(plantime::Type::has_dynamic);
            undecided |= open && part.is_known() && !part.is_wholly_known();
            !undecided
        });
    }
    op(question) == "is_wholly_known" && undecided && answers(question, false)
}

/// L5: the answer is that for the value without marks.
fn looks_below_marks(question: &Question<'_>) -> bool {
    let marked = question.call.args.iter().any(Value::contains_marks);
    let erased =
        matches!((question.erased(), question.ours), (Ok(Got::Data(a)), Ok(Got::Data(b))) if a == *b);
    op(question) == "has_wholly_known_type" && marked && erased
}

fn answers(question: &Question<'_>, truth: bool) -> bool {
    matches!(question.ours, Ok(Got::Data(Json::Bool(answer))) if *answer == truth)
}

/// L9: paths are the same when their steps are: ours is what the set of their texts gives, and what is neither about
/// a key that is unknown, null or marked nor about a name that occurs in another normal form is as it is there.
fn same_path(question: &Question<'_>) -> bool {
    let Ok(Got::Data(ours)) = question.ours else { return false };
    let paths = question.case.get("sets").and_then(Json::as_array).into_iter().flatten();
    let paths: Vec<&Json> =
        paths.filter_map(Json::as_array).flatten().chain(question.case.get("path")).collect();
    let names: Vec<String> = paths.iter().flat_map(|path| path_sets::names_in_other_form(path)).collect();
    let odd = |path: &Json| path.as_array().into_iter().flatten().any(|step| is_odd(step, &names));
    let without_odd = |list: &Json| -> Option<Vec<String>> {
        let paths = list.as_array()?.iter().filter(|path| !odd(path));
        let mut texts: Vec<String> = paths.map(path_sets::text).collect();
        texts.sort_unstable();
        Some(texts)
    };
    op(question).starts_with("pathset_")
        && paths.iter().any(|path| odd(path))
        && path_sets::model(question.case).as_ref() == Some(ours)
        && match &question.theirs {
            Theirs::Error(message) => message.contains("marked"),
            Theirs::Data(theirs) => without_odd(theirs) == without_odd(ours),
            Theirs::Value(..) => false,
        }
}

/// A key that go-cty's `Equals` answers for in a way of its own: unknown, null or marked. Or one of these names.
fn is_odd(step: &Json, names: &[String]) -> bool {
    match (step.get("attr").and_then(Json::as_str), step.get("index").map(crate::notation::value)) {
        (Some(name), _) => names.contains(&plantime::text::nfc(name).to_string()),
        (None, Some(Ok(key))) => !key.is_wholly_known() || key.is_null() || key.contains_marks(),
        _ => false,
    }
}

/// L9: a name in a path is the same name in each normal form: it is found, or equal, or marked, where it is not there.
fn names_in_normal_form(question: &Question<'_>) -> bool {
    let one = |name: &str| question.case.get(name).into_iter();
    let many = |name: &str| question.case.get(name).and_then(Json::as_array).into_iter().flatten();
    let paths = one("path").chain(many("paths")).chain(many("pvm").filter_map(|place| place.get("path")));
    if let ("json_unmarshal", Theirs::Error(message), Ok(Got::Value(_))) =
        (op(question), &question.theirs, question.ours)
    {
        let name = message.strip_prefix("unsupported attribute ").map(|name| name.trim_matches('"'));
        return name.is_some_and(|name| plantime::text::nfc(name) != name);
    }
    let in_other_form = paths.into_iter().any(|path| !path_sets::names_in_other_form(path).is_empty());
    in_other_form
        && match (op(question), &question.theirs, question.ours) {
            ("path_apply" | "path_last_step", Theirs::Error(message), Ok(Got::Value(_))) => {
                message.contains("object has no attribute")
            }
            ("path_equals" | "path_has_prefix", Theirs::Data(Json::Bool(false)), Ok(Got::Data(ours))) => {
                *ours == Json::Bool(true)
            }
            ("mark_with_paths", Theirs::Value(Some(theirs), _), Ok(Got::Value(ours))) => {
                theirs.unmark_deep().0 == ours.unmark_deep().0
                    && all_marks(theirs).iter().all(|mark| all_marks(ours).contains(mark))
            }
            _ => false,
        }
}

/// Reading JSON is strict unless asked otherwise: here it refuses, and the lenient reading gives what is recorded.
fn strict_reading(question: &Question<'_>) -> bool {
    let Some(lenient) = json::lenient_answer(question.case).filter(|_| question.ours.is_err()) else {
        return false;
    };
    let theirs = match &question.theirs {
        Theirs::Error(_) => return false,
        Theirs::Value(value, json) => Theirs::Value(value.clone(), json),
        // Read as data where ours is an error.
        Theirs::Data(json) => Theirs::Data(json),
    };
    let Question { case, call, .. } = *question;
    Question { case, call, theirs, ours: &lenient }.is_equal()
}

/// L5: marks that are put at one place twice are all there.
fn marks_put_twice(question: &Question<'_>) -> bool {
    let (Theirs::Value(Some(theirs), _), Ok(Got::Value(ours))) = (&question.theirs, question.ours) else {
        return false;
    };
    let places = question.case.get("pvm").and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
    let twice = |place: &Json| places.iter().filter(|other| other["path"] == place["path"]).count() > 1;
    op(question) == "mark_with_paths"
        && places.iter().any(twice)
        && theirs.unmark_deep().0 == ours.unmark_deep().0
        && all_marks(theirs).iter().all(|mark| all_marks(ours).contains(mark))
}
