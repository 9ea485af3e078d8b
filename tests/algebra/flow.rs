//! Information flow (L5): what stands behind a mark shows in no answer, no text, no error and nothing that is written.
//!
//! Every operation of values is tried here, and every way to write one. The functions are tried in `tests/functions`.
//! Left out is what is there to reach what is marked: `unmark`, `range`, `view`, `parts` and the like, and the serial
//! form, which stores a value with its marks and what they hide.

use plantime::testing::flow::{Hidden, Seen, behind_mark, contents, distinguishable};
use plantime::{Path, Result, Type, TypeConstraint, Value, bridge, convert, json, msgpack};
use rayon::prelude::*;

use super::gamma::Abs;
use super::laws::{Violations, kinds};
use super::marks::{Two, mark, on_one, on_two};
use super::universe::{refinements, world};

/// A way to look at a value that is marked somewhere.
struct Look {
    name: String,
    look: Box<dyn Fn(&Value) -> Seen + Send + Sync>,
}

fn seen(answer: Result<Value>) -> Seen {
    answer.map_or_else(|error| Seen::Error(error.to_string()), |value| Seen::of(&value))
}

/// For operations that give back one of several values, which can be of several types.
fn seen_of_any_type(answer: Result<Value>) -> Seen {
    answer.map_or_else(|error| Seen::Error(error.to_string()), |value| Seen::of_any_type(&value))
}

fn written(answer: Result<impl AsRef<[u8]>>) -> Seen {
    match answer {
        Ok(bytes) => Seen::Answer { text: format!("{:?}", bytes.as_ref()), ty: None },
        Err(error) => Seen::Error(error.to_string()),
    }
}

fn look(name: impl Into<String>, look: impl Fn(&Value) -> Seen + Send + Sync + 'static) -> Look {
    Look { name: name.into(), look: Box::new(look) }
}

/// All operations and writers, with each of the others as a further operand where there is one.
fn looks(others: &[Value]) -> Vec<Look> {
    let mut all = Vec::new();
    for (name, one) in on_one() {
        all.push(look(name, move |value| seen(one(value))));
    }
    let sets: [(&str, Two); 7] = [
        ("union", Value::union),
        ("intersection", Value::intersection),
        ("difference", Value::difference),
        ("symmetric_difference", Value::symmetric_difference),
        ("assume_equal", Value::assume_equal),
        ("join", |a, b| Value::join(&[a, b])),
        ("concat_text", |a, b| Value::concat_text(&[a, b])),
    ];
    for (name, two) in on_two().into_iter().chain(sets) {
        // Which part is reached says of which type it is, and so does what was assumed.
        let see = if matches!(name, "index" | "join" | "assume_equal") { seen_of_any_type } else { seen };
        for other in others {
            let (other, same) = (other.clone(), other.clone());
            all.push(look(format!("{name} on the left"), move |value| see(two(value, &other))));
            all.push(look(format!("{name} on the right"), move |value| see(two(&same, value))));
        }
    }
    for other in others {
        let (other, same) = (other.clone(), other.clone());
        all.push(look("conditional", move |value| {
            seen_of_any_type(value.conditional(&Value::from("yes"), &Value::from(1)))
        }));
        all.push(look("conditional, a result", move |value| {
            seen_of_any_type(same.conditional(value, &Value::from("no")))
        }));
        all.push(look("type_and_refinement_allow", move |value| {
            seen(value.type_and_refinement_allow(&other))
        }));
    }
    for refinement in refinements().into_iter().step_by(5) {
        all.push(look("assume", move |value| seen(value.assume(&refinement))));
    }
    all.push(look("assume_not_null", |value| seen(value.assume_not_null())));
    for text in [
        "any",
        "bool",
        "string",
        "list(any)",
        "set(any)",
        "map(any)",
        "tuple([bool, any])",
        "object({a = bool})",
    ] {
        let target: TypeConstraint = text.parse().unwrap();
        let ty = target.as_type().clone();
        all.push(look(format!("convert to {text}"), move |value| seen(convert(value, &target))));
        all.push(look(format!("assume_type {text}"), move |value| seen(value.assume_type(&ty))));
    }
    for text in ["a", "[0]", "[\"a\"]", "a[0]"] {
        let path: Path = text.parse().unwrap();
        all.push(look(format!("get {text}"), move |value| seen(value.get(&path))));
    }
    all.push(look("as_bool", |value| written(value.as_bool().map(|truth| truth.to_string()))));
    all.push(look("as_number", |value| written(value.as_number().map(ToString::to_string))));
    all.push(look("as_str", |value| written(value.as_str().map(str::to_owned))));
    all.push(look("text", |value| written(Ok(format!("{value} {value:?} {value:#?} {:?}", value.view())))));
    all.push(look("json", |value| written(json::to_vec(value))));
    all.push(look("json of any type", |value| written(json::to_vec_as(value, &Type::Dynamic))));
    all.push(look("json of its type", |value| written(json::to_vec_as(value, &value.ty()))));
    all.push(look("msgpack", |value| written(msgpack::to_vec(value, &value.ty()))));
    all.push(look("msgpack of any type", |value| written(msgpack::to_vec(value, &Type::Dynamic))));
    all.push(look("bridge", |value| {
        written(bridge::from_value::<serde_json::Value>(value).map(|json| json.to_string()))
    }));
    all.push(look("bridge to a list", |value| {
        written(bridge::from_value::<Vec<Option<bool>>>(value).map(|list| format!("{list:?}")))
    }));
    all.push(look("bridge to what is planned", |value| {
        written(bridge::from_value::<bridge::Planned<Vec<bool>>>(value).map(|_| "read"))
    }));
    all
}

#[test]
fn what_stands_behind_a_mark_shows_nowhere() {
    let world = world();
    let values: Vec<(Value, Abs)> = [&world.s.abstracts[..], &world.nested.abstracts[..]]
        .concat()
        .iter()
        .map(|i| (world.abstracts[*i].value.clone(), world.abstracts[*i].abs.clone()))
        .collect();
    let others: Vec<Value> =
        values.iter().step_by(values.len() / 9).map(|(value, _)| value.clone()).collect();
    let looks = looks(&others);
    let hosts: Vec<(Abs, Path, Vec<Hidden>)> = values
        .iter()
        .flat_map(|(value, abs)| {
            value.parts().take(3).map(move |(place, part)| {
                let hidden = behind_mark(value, &place, &mark(), &contents(&part.ty()));
                (abs.clone(), place, hidden)
            })
        })
        .filter(|(_, _, hidden)| hidden.len() > 1)
        .collect();
    println!("{} values marked at a place, {} ways to look at each", hosts.len(), looks.len());
    let wrong = hosts.par_iter().map(|(abs, place, hidden)| {
        let mut wrong = Violations::default();
        for look in &looks {
            if let Some([(one, one_seen), (other, other_seen)]) = distinguishable(hidden, &*look.look) {
                let marked = if place.is_empty() { "marked" } else { "marked inside" };
                wrong.add(kinds(&format!("{} {marked}", look.name), &[abs]), || {
                    format!(
                        "{:?}: {one_seen}, and {:?}: {other_seen}, at {place}",
                        one.content, other.content
                    )
                });
            }
        }
        wrong
    });
    let wrong = wrong.reduce(Violations::default, |mut all, found| {
        all.merge(found);
        all
    });
    wrong.none("what stands behind a mark");
}

/// How many elements a marked sequence has is content, also in the error for an index that it does not have.
#[test]
fn an_index_into_a_marked_sequence_does_not_tell_its_length() {
    let known = (0..4).map(|count| Value::list_of(Type::String, vec![Value::from("s"); count]).unwrap());
    let unknown = ["length(33)", "lengthmax(2)", "notnull(lengthmax(1))"]
        .map(|known| Value::refined("list(string)".parse().unwrap(), known.parse().unwrap()).unwrap());
    let far = Value::refined(Type::Number, "notnull(numbermin(100))".parse().unwrap()).unwrap();
    for key in [Value::from(100), Value::from(-1), far] {
        let told: std::collections::BTreeSet<String> = known
            .clone()
            .chain(unknown.clone())
            .map(|list| list.mark(mark()).index(&key).unwrap_err().to_string())
            .collect();
        assert_eq!(told.len(), 1, "{told:?}");
    }
}

/// Why an operation on numbers has no result is content too.
#[test]
fn an_error_of_arithmetic_does_not_tell_what_a_marked_operand_is() {
    let refined = |text: &str| Value::refined(Type::Number, text.parse().unwrap()).unwrap();
    let infinities = ["inf", "-inf"].map(|text| Value::from(text.parse::<plantime::Number>().unwrap()));
    let unknown =
        ["notnull()", "notnull(numbermin(1))", "notnull(oneof(0, 2))", "notnull(numbermultiple(4))"];
    let operands: Vec<Value> = [0, 1, -1, 4]
        .map(Value::from)
        .into_iter()
        .chain(infinities)
        .chain(unknown.map(refined))
        .chain([Value::unknown(Type::Number)])
        .collect();
    let mut wrong = Vec::new();
    for (name, two) in on_two() {
        for other in operands.iter().flat_map(|other| [other.clone(), other.clone().mark(mark())]) {
            for turned in [false, true] {
                let told: std::collections::BTreeMap<String, &Value> = operands
                    .iter()
                    .filter_map(|content| {
                        let marked = content.clone().mark(mark());
                        let result = if turned { two(&other, &marked) } else { two(&marked, &other) };
                        Some((result.err()?.to_string(), content))
                    })
                    .collect();
                if told.len() > 1 {
                    wrong.push(format!("{name} with {other:?}: {told:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}: {:#?}", wrong.len(), &wrong[..wrong.len().min(12)]);
}
