//! Where what is behind a mark decides a result: other content is put behind the mark, and the results are compared.

use plantime::{Mark, Marks, Path, Step, Type, Value, View};
use serde_json::Value as Json;

use crate::calls::Got;
use crate::sample::{Pool, concretise};
use crate::verdict::{Question, Theirs};

/// How much other content is put behind each mark.
const CONTENTS: usize = 8;

/// One marked part of an argument, and the places of the result that depend on it.
struct Marked {
    marks: Marks,
    at_top: bool,
    content: Value,
    decides: Vec<Path>,
}

pub(super) struct Influence(Vec<Marked>);

impl Influence {
    pub(super) fn of(question: &Question<'_>) -> Influence {
        let bare: Vec<Value> = question.call.args.iter().map(|arg| arg.unmark_deep().0).collect();
        let answer = (question.call.run)(&bare);
        let mut parts = Vec::new();
        for (i, arg) in question.call.args.iter().enumerate() {
            for (path, marks) in arg.unmark_deep_with_paths().1 {
                let Ok(content) = bare[i].get(&path) else { continue };
                let mut decides: Vec<Path> = Vec::new();
                for other in other_contents(&content) {
                    let mut args = bare.clone();
                    let Some(arg) = with_part(&bare[i], path.steps(), &other) else { continue };
                    args[i] = arg;
                    if let (Ok(Got::Value(a)), Ok(Got::Value(b))) = (&answer, (question.call.run)(&args)) {
                        differences(a, &b, &mut Path::default(), &mut decides);
                    }
                }
                parts.push(Marked {
                    at_top: path.is_empty(),
                    marks: kept(question, i, marks),
                    content,
                    decides,
                });
            }
        }
        Influence(parts)
    }

    /// Whether each mark is at the top where it was at the top of an operand, at or above each place that depends on what
    /// it marks, and where the recorded result has it, or deeper if it is still on what it was on.
    pub(super) fn keeps_all(&self, question: &Question<'_>, ours: &Value) -> bool {
        let places = ours.unmark_deep_with_paths().1;
        let at_or_above = |mark: &Mark, place: &Path| {
            places.iter().any(|(path, marks)| place.starts_with(path) && marks.contains(mark))
        };
        let (recorded, there) = match &question.theirs {
            Theirs::Value(Some(theirs), _) => theirs.unmark_deep_with_paths(),
            _ => (Value::dynamic(), Vec::new()),
        };
        let bare = ours.unmark_deep().0;
        // Carried over with what it was on, a mark may be deeper than there.
        let is_carried = |mark: &Mark, content: &Value| {
            let places = places.iter().filter(|(_, marks)| marks.contains(mark));
            places.into_iter().all(|(path, _)| bare.get(path).is_ok_and(|part| part == *content))
        };
        let as_there = |mark: &Mark, content: &Value| {
            there.iter().filter(|(_, marks)| marks.contains(mark)).all(|(place, _)| {
                let has = places.iter().any(|(_, marks)| marks.contains(mark));
                let known = recorded.get(place).is_ok_and(|part| part.is_known());
                has && (!known || at_or_above(mark, place) || is_carried(mark, content))
            })
        };
        self.0.iter().all(|part| {
            part.marks.iter().all(|mark| {
                (!part.at_top || ours.marks().contains(mark))
                    && part.decides.iter().all(|place| at_or_above(mark, place))
                    && as_there(mark, &part.content)
            })
        })
    }

    /// Whether each mark of the result is one that was put on the whole of an operand and is on the whole of the result, or
    /// is at a place of the recorded result, or is on what it was on, or where what it marks decides something, or on
    /// something of which so little is known that it may depend on anything.
    pub(super) fn explains_all(&self, question: &Question<'_>, ours: &Value) -> bool {
        let recorded = match &question.theirs {
            Theirs::Value(Some(theirs), _) => theirs.unmark_deep_with_paths().1,
            _ => Vec::new(),
        };
        let bare = ours.unmark_deep().0;
        let is_explained = |path: &Path, mark: &Mark| {
            let part = bare.get(path);
            let undecided =
                part.as_ref().is_ok_and(|part| !part.is_known() || matches!(part.ty(), Type::Set(_)));
            let there = recorded.iter().any(|(other, marks)| other == path && marks.contains(mark));
            self.0.iter().filter(|of| of.marks.contains(mark)).any(|of| {
                undecided
                    || there
                    || of.at_top && path.is_empty()
                    || part.as_ref().is_ok_and(|part| *part == of.content)
                    || of.decides.contains(path)
            })
        };
        let places = ours.unmark_deep_with_paths().1;
        places.iter().all(|(path, marks)| marks.iter().all(|mark| is_explained(path, mark)))
    }
}

/// The marks that an operand hands on. What `assume_equal` assumes was written down before: it drops two marks of the value.
fn kept(question: &Question<'_>, argument: usize, marks: Marks) -> Marks {
    let drops = question.case.get("fn").and_then(Json::as_str) == Some("assumeequal") && argument == 0;
    let dropped = |mark: &Mark| drops && matches!(mark.name(), "sensitive" | "ephemeral");
    marks.iter().filter(|mark| !dropped(mark)).cloned().collect()
}

/// Other values of the same type.
fn other_contents(content: &Value) -> Vec<Value> {
    let any = Value::unknown(content.ty());
    let mut others = concretise(&any, &Pool::of([content]));
    others.push(any);
    others.retain(|other| other != content);
    others.truncate(CONTENTS);
    others
}

/// The value with another part at the place.
fn with_part(value: &Value, place: &[Step], part: &Value) -> Option<Value> {
    let Some((step, rest)) = place.split_first() else { return Some(part.clone()) };
    let number = |step: &Step| match step {
        Step::Index(key) => key.as_number().ok()?.to_u64().and_then(|at| usize::try_from(at).ok()),
        Step::Attr(_) => None,
    };
    let name = match step {
        Step::Attr(name) => name.as_str().to_owned(),
        Step::Index(key) => key.as_str().unwrap_or_default().to_owned(),
    };
    let at = |i: usize, item: &Value| match number(step) == Some(i) {
        true => with_part(item, rest, part),
        false => Some(item.clone()),
    };
    let named = |key: &str, item: &Value| match key == name {
        true => Some((key.to_owned(), with_part(item, rest, part)?)),
        false => Some((key.to_owned(), item.clone())),
    };
    let built = match value.view() {
        View::List(list) => {
            let items = list.iter().enumerate().map(|(i, item)| at(i, item)).collect::<Option<Vec<_>>>()?;
            Value::list_of(list.element_type().clone(), items)
        }
        View::Tuple(tuple) => {
            Value::tuple(tuple.iter().enumerate().map(|(i, item)| at(i, item)).collect::<Option<Vec<_>>>()?)
        }
        View::Map(map) => {
            let items = map.iter().map(|(key, item)| named(key, item)).collect::<Option<Vec<_>>>()?;
            Value::map_of(map.element_type().clone(), items)
        }
        View::Object(object) => {
            Value::object(object.iter().map(|(key, item)| named(key, item)).collect::<Option<Vec<_>>>()?)
        }
        _ => return None,
    };
    built.ok()
}

/// Adds the places at which two values differ, as deep as they have the same form.
fn differences(a: &Value, b: &Value, place: &mut Path, found: &mut Vec<Path>) {
    if a == b {
        return;
    }
    let pairs: Option<Vec<(Step, Value, Value)>> = match (a.view(), b.view()) {
        (View::List(a), View::List(b)) if a.len() == b.len() => Some(numbered(a.iter(), b.iter())),
        (View::Tuple(a), View::Tuple(b)) if a.len() == b.len() => Some(numbered(a.iter(), b.iter())),
        (View::Map(a), View::Map(b)) if a.iter().map(|(key, _)| key).eq(b.iter().map(|(key, _)| key)) => {
            let keyed = |((key, a), (_, b)): ((&str, &Value), (&str, &Value))| {
                (Step::Index(Value::from(key)), a.clone(), b.clone())
            };
            Some(a.iter().zip(b.iter()).map(keyed).collect())
        }
        (View::Object(a), View::Object(b))
            if a.iter().map(|(key, _)| key).eq(b.iter().map(|(key, _)| key)) =>
        {
            let keyed = |((key, a), (_, b)): ((&str, &Value), (&str, &Value))| {
                (Step::attr(key), a.clone(), b.clone())
            };
            Some(a.iter().zip(b.iter()).map(keyed).collect())
        }
        _ => None,
    };
    match pairs {
        Some(pairs) => pairs.into_iter().for_each(|(step, a, b)| {
            place.push(step);
            differences(&a, &b, place, found);
            place.pop();
        }),
        None if !found.contains(place) => found.push(place.clone()),
        None => {}
    }
}

fn numbered<'a>(
    a: impl Iterator<Item = &'a Value>,
    b: impl Iterator<Item = &'a Value>,
) -> Vec<(Step, Value, Value)> {
    a.zip(b).enumerate().map(|(i, (a, b))| (Step::Index(Value::from(i)), a.clone(), b.clone())).collect()
}
