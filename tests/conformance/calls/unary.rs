//! Questions about one value, and functions of one text.

use plantime::{Bound, Mark, Number, Refinement, Type, Value, View, text};
use serde_json::{Value as Json, json};

use super::{Answer, Call, Got, data, found};
use crate::notation::{
    self, Read, Unread, end, lengths, numbers, same, write, write_marks, write_path, write_type,
};

pub(super) fn call(op: &str, case: &Json) -> Option<Read<Call>> {
    Some(match op {
        "normalize" => of_text(case, |text| data(&*text::nfc(text))),
        "parse_number" => of_text(case, |text| {
            text.parse::<Number>().map(|number| Got::Value(Value::from(number))).map_err(|e| e.to_string())
        }),
        "safe_known_prefix" => of_text(case, |text| data(text::stable_prefix(&text::nfc(text))))
            .map(|call| Call { better: Some(keeps_more), ..call }),
        "range" => of_value(case, |value| found(range(value))).map(|call| Call {
            read: read_range,
            own_form: true,
            ..call
        }),
        "mark" | "has_mark" => {
            let Some(mark) = case.get("mark").and_then(Json::as_str).map(Mark::new) else {
                return Some(Err(Unread::Bad("no mark".into())));
            };
            let adds = op == "mark";
            of_value(case, move |value| {
                if adds {
                    found(Ok(value.clone().mark(mark.clone())))
                } else {
                    data(value.marks().contains(&mark))
                }
            })
        }
        // What is not known becomes null, whatever it may become.
        "unknown_as_null" => of_value(case, |value| found(value.unknown_as_null()))
            .map(|call| Call { vary: |_| false, ..call }),
        "elements" | "deep_values" => of_value(case, question(op)?)
            .map(|call| Call { better: Some(but_for_the_order_of_undecided_members), ..call }),
        _ => of_value(case, question(op)?),
    })
}

/// The members of a set that are not wholly known have an order on each side, and it is another one. Known ones stand in the
/// same order.
fn but_for_the_order_of_undecided_members(theirs: &Json, ours: &Json, _case: &Json) -> bool {
    fn is_undecided(place: &Json) -> bool {
        match place {
            Json::Object(members) => {
                members.contains_key("unk")
                    || members.contains_key("dyn")
                    || members.values().any(is_undecided)
            }
            Json::Array(items) => items.iter().any(is_undecided),
            _ => false,
        }
    }
    // The key, or the path.
    let place = |entry: &Json| entry.get(0).or(entry.get("path")).cloned().unwrap_or_default();
    let split = |json: &Json| -> (Vec<Json>, Vec<Json>) {
        json.as_array()
            .cloned()
            .unwrap_or_default()
            .into_iter()
            .partition(|entry| is_undecided(&place(entry)))
    };
    let ((there, decided_there), (mut here, decided_here)) = (split(theirs), split(ours));
    let found = there.iter().all(|entry| {
        let at = here.iter().position(|other| same(entry, other));
        at.map(|at| here.swap_remove(at)).is_some()
    });
    found && here.is_empty() && same(&Json::Array(decided_there), &Json::Array(decided_here))
}

fn question(op: &str) -> Option<fn(&Value) -> Answer> {
    Some(match op {
        "value" => |value| found(Ok(value.clone())),
        "is_known" => |value| data(value.is_known()),
        "is_wholly_known" => |value| data(value.is_wholly_known()),
        "is_null" => |value| data(value.is_null()),
        "has_wholly_known_type" => |value| data(has_wholly_known_type(value)),
        "is_marked" => |value| data(value.is_marked()),
        "contains_marked" => |value| data(value.contains_marks()),
        "can_iterate_elements" => |value| data(elements(value).is_some()),
        "not" => |value| found(value.not()),
        "negate" => |value| found(value.negate()),
        "absolute" => |value| found(value.absolute()),
        "length" => |value| found(value.length()),
        "length_int" => length_int,
        "type" => |value| data(write_type(&value.ty())),
        "type_friendly_name" => |value| data(&*value.ty().friendly_name()),
        "unmark" => |value| {
            let (value, marks) = value.clone().unmark();
            data(json!({"v": write(&value), "marks": write_marks(&marks)}))
        },
        "unmark_deep" => |value| {
            let (value, marks) = value.unmark_deep();
            data(json!({"v": write(&value), "marks": write_marks(&marks)}))
        },
        "unmark_deep_with_paths" => |value| {
            let (value, places) = value.unmark_deep_with_paths();
            let mut places: Vec<Json> = places
                .iter()
                .map(|(path, marks)| json!({"path": write_path(path), "marks": write_marks(marks)}))
                .collect();
            places.sort_by_key(Json::to_string);
            data(json!({"v": write(&value), "pvm": places}))
        },
        "elements" => |value| match elements(value) {
            Some(elements) => {
                data(elements.into_iter().map(|(k, v)| json!([write(&k), write(&v)])).collect::<Json>())
            }
            None => Err("no elements to read".into()),
        },
        "deep_values" => |value| {
            let mut parts = Vec::new();
            value.walk(|path, part| {
                parts.push(json!({"path": write_path(path), "v": write(part)}));
                true
            });
            data(parts)
        },
        _ => return None,
    })
}

fn of_value(case: &Json, run: impl Fn(&Value) -> Answer + 'static) -> Read<Call> {
    let args = super::args(case)?;
    if args.len() != 1 {
        return Err(Unread::LeftOut("number-of-arguments"));
    }
    Call::of(args, move |args| run(&args[0]))
}

fn of_text(case: &Json, run: impl Fn(&str) -> Answer + 'static) -> Read<Call> {
    let text = super::text(case)?;
    Call::of(Vec::new(), move |_| run(&text))
}

/// The elements with their keys, in order of iteration; none for what has no elements that can be read.
fn elements(value: &Value) -> Option<Vec<(Value, Value)>> {
    let numbered = |items: std::slice::Iter<'_, Value>| {
        items.enumerate().map(|(i, item)| (Value::from(i), item.clone())).collect()
    };
    match value.view() {
        View::List(list) => Some(numbered(list.iter())),
        View::Tuple(tuple) => Some(numbered(tuple.iter())),
        View::Set(set) => Some(set.iter().map(|member| (member.clone(), member.clone())).collect()),
        View::Map(map) => Some(map.iter().map(|(key, item)| (Value::from(key), item.clone())).collect()),
        View::Object(object) => {
            Some(object.iter().map(|(name, item)| (Value::from(name), item.clone())).collect())
        }
        _ => None,
    }
}

/// How many elements there are to read; tuples and objects have it in their type.
fn length_int(value: &Value) -> Answer {
    let count = match (value.view(), value.ty()) {
        (View::Marked(_), _) => None,
        (_, Type::Tuple(ty)) => Some(ty.len()),
        (_, Type::Object(ty)) => Some(ty.len()),
        (View::List(list), _) => Some(list.len()),
        (View::Map(map), _) => Some(map.len()),
        (View::Set(set), _) => Some(set.member_count()),
        _ => None,
    };
    count.map_or_else(|| Err("no elements to count".into()), data)
}

/// Whether no part is an unknown whose type is undecided.
fn has_wholly_known_type(value: &Value) -> bool {
    let mut decided = true;
    value.walk(|_, part| {
        decided &= part.is_known() || !part.ty().has_dynamic();
        decided
    });
    decided
}

/// The range of a value, as an unknown value of which just that is known.
fn range(value: &Value) -> plantime::Result<Value> {
    let range = value.range();
    match range.ty() {
        Type::Dynamic if range.nullness() == plantime::Nullness::Null => Ok(Value::null(Type::Dynamic)),
        ty => Value::refined(ty.clone(), range.refinement().clone()),
    }
}

fn read_range(json: &Json) -> Read<Value> {
    let ty = notation::ty(json.get("type").unwrap_or(&Json::Null))?;
    if ty == Type::Dynamic {
        return Ok(Value::dynamic());
    }
    let is = |name: &str| json.get(name).and_then(Json::as_bool).unwrap_or(false);
    let mut parts = vec![match (is("not_null"), is("could_be_null")) {
        (true, _) => Refinement::not_null(),
        (false, true) => Refinement::any(),
        (false, false) => return Err(Unread::Bad("a range that excludes all".into())),
    }];
    if let Some(prefix) = json.get("prefix").and_then(Json::as_str) {
        parts.push(Refinement::prefix(prefix));
    }
    let bound = |at: &str, inclusive: &str| match json.get(at).and_then(|bound| bound.get("num")) {
        Some(Json::String(number)) => {
            number.parse().map_or(Bound::Unbounded, |number| end(number, is(inclusive)))
        }
        _ => Bound::Unbounded,
    };
    parts.push(numbers(bound("min", "min_inc"), bound("max", "max_inc")));
    let length = |name: &str| json.get(name).and_then(Json::as_u64);
    parts.push(lengths(
        length("len_min").unwrap_or(0),
        length("len_max").filter(|max| i64::try_from(*max).is_ok_and(|max| max < i64::MAX)),
    ));
    let all = parts.iter().try_fold(Refinement::any(), |all, part| all.meet(part));
    let all = all.map_err(|_| Unread::Nothing)?;
    Value::refined(ty, all).map_err(|error| Unread::Bad(error.to_string()))
}

/// A longer prefix is better, if it stays one whatever text follows.
fn keeps_more(theirs: &Json, ours: &Json, case: &Json) -> bool {
    let (Some(theirs), Some(ours), Ok(text)) = (theirs.as_str(), ours.as_str(), super::text(case)) else {
        return false;
    };
    // Marks of several classes, letters that compose, jamo, regional indicators, joiners, and plain text.
    const REST: [&str; 14] = [
        "",
        "a",
        "\u{300}",
        "\u{301}",
        "\u{316}",
        "\u{338}",
        "\u{323}\u{307}",
        "\u{1161}",
        "\u{11a8}",
        "\u{3099}",
        "\u{1f1fa}",
        "\u{200d}",
        "\u{fe0f}",
        "\u{5b0}\u{94d}",
    ];
    ours.starts_with(theirs) && REST.iter().all(|rest| text::nfc(&format!("{text}{rest}")).starts_with(ours))
}
