//! The named reasons for which an answer may differ: each is a test of the case, and a paragraph in
//! `deviations.toml` and COMPATIBILITY.md.

use serde_json::Value as Json;

use crate::calls::convert::without_optional;
use crate::calls::{Answer, Got};
use crate::verdict::{Question, answer};

mod forms;
mod functions;
mod influence;
mod known;
mod marks;
mod msgpack;
mod negative_zero;
mod numbers;
mod paths;
mod refinements;
mod tight;

pub(crate) use known::holds_types_of_outcomes;
pub(crate) use marks::keeps_marks;

type Test = fn(&Question<'_>) -> bool;

/// In the order in which they are tried.
pub(crate) const REASONS: &[(&str, Test)] = &[
    ("native-length", refinements::native_length),
    ("answer-there-excludes-outcomes", known::excludes_outcomes),
    ("error-there-though-outcomes-exist", known::error_though_outcomes),
    ("known-in-known-out", known::known_in),
    ("marks", marks::marks),
    ("prefix-of-known-text", refinements::prefix_of_known_text),
    ("null-satisfies", refinements::null_satisfies),
    ("null-operand", refinements::null_operand),
    ("infinity-is-in-range", refinements::infinity_is_in_range),
    ("negative-zero", negative_zero::negative_zero),
    ("remainder", numbers::remainder),
    ("exact-decimals", numbers::exact_decimals),
    ("shortest-decimal", numbers::shortest_decimal),
    ("defined-on-all-numbers", numbers::defined_on_all_numbers),
    ("reason-behind-mark", marks::reason_behind_mark),
    ("place-behind-mark", marks::place_behind_mark),
    ("four-digit-years", functions::four_digit_years),
    ("further-argument", functions::further_argument),
    ("every-argument-is-checked", functions::every_argument_is_checked),
    ("undecided-fits", functions::undecided_fits),
    ("clusters-of-conjuncts", functions::clusters_of_conjuncts),
    ("text-of-infinity", numbers::text_of_infinity),
    ("type-asked-for", forms::type_asked_for),
    ("nothing-to-iterate", known::nothing_to_iterate),
    ("range-of-marked", marks::range_of_marked),
    ("text-after-type", forms::text_after_type),
    ("no-conversion-to-it", forms::no_conversion_to_it),
    ("number-grammar", numbers::number_grammar),
    ("needs-type", known::needs_type),
    ("collapse-limit", refinements::collapse_limit),
    ("undecided-element-type", known::undecided_element_type),
    ("looks-below-marks", marks::looks_below_marks),
    ("marks-put-twice", marks::marks_put_twice),
    ("nothing-learned", known::nothing_learned),
    ("same-path", paths::same_path),
    ("names-in-normal-form", paths::names_in_normal_form),
    ("strict-reading", forms::strict_reading),
    ("unknown-refinement-keys", msgpack::keys_passed_over),
    ("text-is-utf8", msgpack::not_utf8),
    ("refinement-leaves-nothing", msgpack::nothing_left),
    ("wire-of-another-type", msgpack::of_another_type),
    ("wire-keys-are-text", msgpack::keys_are_text),
];

pub(crate) fn find(question: &Question<'_>) -> Option<&'static str> {
    REASONS.iter().find(|(_, test)| test(question)).map(|(name, _)| *name)
}

/// Whether the type of a function's result is asked for.
pub(crate) fn asks_for_type(question: &Question<'_>) -> bool {
    op(question).contains("return_type")
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

/// Whether a type in the notation has optional attributes.
pub(crate) fn has_optional(json: &Json) -> bool {
    *json != without_optional(json)
}

fn text_of<'a>(question: &'a Question<'_>) -> &'a str {
    question.case.get("text").and_then(Json::as_str).unwrap_or_default()
}

/// Whether ours is an error with these words, or with none that say more because an argument is marked.
fn message_has(question: &Question<'_>, words: &str) -> bool {
    let marked = || question.call.args.iter().any(plantime::Value::contains_marks);
    matches!(question.ours, Err(message) if message.contains(words)
        || message.contains(marks::HIDDEN) && marked())
}

/// The answer of this crate to another case.
fn answer_to(case: &Json) -> Option<Answer> {
    crate::calls::call(case).ok().map(|call| answer(&call))
}

fn answers(question: &Question<'_>, truth: bool) -> bool {
    matches!(question.ours, Ok(Got::Data(Json::Bool(answer))) if *answer == truth)
}
