//! The law of marks (L5): they change no answer, and none is lost.

use plantime::{Error, LengthRange, Mark, Refinement, Result, Type, Value, View};
use rayon::prelude::*;

use super::arithmetic::{ARITHMETIC, SIGNS};
use super::concrete::{Con, Num};
use super::gamma::Abs;
use super::laws::{BINARY, UNARY, Violations, kinds};
use super::universe::{refinements, world};

/// Which marks an operation puts at the top of its result, beside those at the top of its operands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    /// None: contents are not read.
    NotRead,
    /// Those of every depth, of both operands.
    Read,
    /// Those of elements that the other operand can reach, which they carry with them.
    Carried,
}

/// The retention table.
const RETENTION: [(&str, Inside); 21] = [
    ("equals", Inside::Read),
    ("not_equal", Inside::Read),
    ("and", Inside::NotRead),
    ("or", Inside::NotRead),
    ("not", Inside::NotRead),
    ("less_than", Inside::NotRead),
    ("greater_than", Inside::NotRead),
    ("less_than_or_equal", Inside::NotRead),
    ("greater_than_or_equal", Inside::NotRead),
    ("length", Inside::NotRead),
    ("index", Inside::Carried),
    ("has_index", Inside::NotRead),
    ("has_element", Inside::Read),
    ("get_attr", Inside::Carried),
    ("add", Inside::NotRead),
    ("subtract", Inside::NotRead),
    ("multiply", Inside::NotRead),
    ("divide", Inside::NotRead),
    ("modulo", Inside::NotRead),
    ("negate", Inside::NotRead),
    ("absolute", Inside::NotRead),
];

pub(crate) type Two = fn(&Value, &Value) -> Result<Value>;
pub(crate) type One = fn(&Value) -> Result<Value>;

pub(crate) fn on_two() -> Vec<(&'static str, Two)> {
    let arithmetic = ARITHMETIC.iter().map(|op| (op.name, op.library));
    BINARY.iter().map(|op| (op.name, op.library)).chain(arithmetic).collect()
}

pub(crate) fn on_one() -> Vec<(&'static str, One)> {
    let signs = SIGNS.iter().map(|op| (op.name, op.library));
    UNARY.iter().map(|op| (op.name, op.library)).chain(signs).collect()
}

fn inside(name: &str) -> Inside {
    RETENTION.iter().find(|(operation, _)| *operation == name).unwrap().1
}

pub(crate) fn mark() -> Mark {
    Mark::new("m")
}

/// The value with the mark at each place inside it, one at a time. A mark on a member goes to the set.
pub(crate) fn marked_inside(value: &Value) -> Vec<Value> {
    let variants = |part: &Value| [vec![part.clone().mark(mark())], marked_inside(part)].concat();
    let each = |parts: &[Value], build: &dyn Fn(Vec<Value>) -> Result<Value>| -> Vec<Value> {
        let mut all = Vec::new();
        for (i, part) in parts.iter().enumerate() {
            for variant in variants(part) {
                let mut parts = parts.to_vec();
                parts[i] = variant;
                all.push(build(parts).unwrap());
            }
        }
        all
    };
    match value.view() {
        View::List(list) => {
            let parts: Vec<Value> = list.iter().cloned().collect();
            each(&parts, &|parts| Value::list_of(list.element_type().clone(), parts))
        }
        View::Tuple(tuple) => {
            let parts: Vec<Value> = tuple.iter().cloned().collect();
            each(&parts, &|parts| Value::tuple(parts))
        }
        View::Map(map) => {
            let (keys, parts): (Vec<&str>, Vec<Value>) = map.iter().map(|(k, v)| (k, v.clone())).unzip();
            each(&parts, &|parts| Value::map_of(map.element_type().clone(), keys.iter().zip(parts)))
        }
        View::Object(object) => {
            let (names, parts): (Vec<&str>, Vec<Value>) = object.iter().map(|(k, v)| (k, v.clone())).unzip();
            each(&parts, &|parts| Value::object(names.iter().zip(parts)))
        }
        View::Set(set) => {
            let parts: Vec<Value> = set.known().iter().chain(set.not_wholly_known()).cloned().collect();
            each(&parts, &|parts| {
                Value::set_of(set.element_type().clone(), parts)?.assume(&Refinement::length(set.length()))
            })
        }
        _ => Vec::new(),
    }
}

fn kind_of(error: &Error) -> [bool; 7] {
    [
        error.is_type_mismatch(),
        error.is_null(),
        error.is_unknown(),
        error.is_marked(),
        error.is_not_found(),
        error.is_contradiction(),
        error.needs_type(),
    ]
}

/// Erasure: the same answer, marks aside. Gives the places of the mark in the answer.
fn erased(
    marked: &Result<Value>,
    bare: &Result<Value>,
    wrong: &mut Violations,
    call: &dyn Fn() -> String,
) -> Option<Vec<Vec<String>>> {
    match (marked, bare) {
        (Ok(marked), Ok(bare)) => {
            let ((marked, places), (bare, none)) = (Abs::with_marks(marked), Abs::with_marks(bare));
            assert!(none.is_empty());
            if marked != bare {
                wrong.add("erasure", || format!("{} = {marked:?}, not {bare:?}", call()));
                return None;
            }
            if places.iter().any(|(_, found)| *found != mark()) {
                wrong.add("a mark of nobody's", call);
            }
            Some(places.into_iter().map(|(place, _)| place).collect())
        }
        (Err(marked), Err(bare)) => {
            if kind_of(marked) != kind_of(bare) {
                wrong.add("erasure of errors", || format!("{}: {marked}, not {bare}", call()));
            }
            None
        }
        _ => {
            wrong.add("erasure", || format!("{} = {marked:?}, not {bare:?}", call()));
            None
        }
    }
}

/// Whether the key can select the element.
fn reaches(key: &Abs, step: &str) -> bool {
    let place = step.parse::<i64>().is_ok_and(|place| key.may_become(&Con::Num(Num::whole(place))));
    place || key.may_become(&Con::Str(step.to_owned()))
}

/// One operand marked at one place: where the mark must be in the answer.
fn retained(op: &str, [a, b]: [&Abs; 2], place: &[String], left: bool, found: &[Vec<String>]) -> bool {
    let at_top = found.iter().any(Vec::is_empty);
    if place.is_empty() {
        return at_top;
    }
    match inside(op) {
        Inside::NotRead => found.is_empty(),
        Inside::Read => at_top == (matches!(a, Abs::Null(_)) == matches!(b, Abs::Null(_))),
        Inside::Carried => {
            let (first, rest) = place.split_first().unwrap();
            let reached = left && reaches(b, first);
            let stays =
                rest.is_empty() && at_top || !rest.is_empty() && (at_top || found.iter().any(|f| f == rest));
            // Where one element is reached, what is inside it stays at its place.
            let exact = !b.is_wholly_known() || found == [rest];
            if reached { stays && exact } else { found.is_empty() }
        }
    }
}

/// The operand marked at one place: where the mark must be in the answer.
fn retained_of_one(op: &str, place: &[String], found: &[Vec<String>]) -> bool {
    match place.split_first() {
        None => found == [Vec::<String>::new()],
        // The attribute that the law tests ask for.
        Some((first, rest)) if inside(op) == Inside::Carried && first == "a" => found == [rest],
        Some(_) => found.is_empty(),
    }
}

#[test]
fn marks_change_no_answer_and_none_is_lost() {
    let world = world();
    let entries = |indices: &[usize]| -> Vec<(Value, Abs)> {
        indices.iter().map(|i| (world.abstracts[*i].value.clone(), world.abstracts[*i].abs.clone())).collect()
    };
    let s = entries(&world.s.abstracts);
    let nested = entries(&world.nested.abstracts);
    let tops: Vec<(Value, Abs)> =
        s.iter().map(|(value, abs)| (value.clone().mark(mark()), abs.clone())).collect();
    let deep: Vec<(Value, Value, Abs)> = nested
        .iter()
        .chain(&s)
        .flat_map(|(value, abs)| {
            marked_inside(value).into_iter().map(|marked| (marked, value.clone(), abs.clone()))
        })
        .collect();
    let wrong = on_two().into_par_iter().map(|(name, library)| {
        let mut wrong = Violations::default();
        for ((a_marked, a), (a_bare, _)) in tops.iter().zip(&s) {
            for ((b_marked, b), (b_bare, _)) in tops.iter().zip(&s) {
                let bare = library(a_bare, b_bare);
                for answer in [library(a_marked, b_bare), library(a_bare, b_marked)] {
                    let call = || format!("{}({a:?}, {b:?})", name);
                    if let Some(found) = erased(&answer, &bare, &mut wrong, &call)
                        && !found.contains(&Vec::new())
                    {
                        wrong.add(kinds(&format!("{} top", name), &[a, b]), call);
                    }
                }
            }
        }
        if inside(name) == Inside::NotRead {
            return wrong;
        }
        for (marked, a_bare, a) in &deep {
            let (_, places) = Abs::with_marks(marked);
            let [(place, _)] = places.as_slice() else { panic!("{marked:?}: {places:?}") };
            for (b_bare, b) in &s {
                let bare = library(a_bare, b_bare);
                let call = || format!("{}({a:?} marked at {place:?}, {b:?})", name);
                if let Some(found) = erased(&library(marked, b_bare), &bare, &mut wrong, &call)
                    && !retained(name, [a, b], place, true, &found)
                {
                    wrong.add(kinds(&format!("{} left", name), &[a, b]), || format!("{}: {found:?}", call()));
                }
                let bare = library(b_bare, a_bare);
                let call = || format!("{}({b:?}, {a:?} marked at {place:?})", name);
                if let Some(found) = erased(&library(b_bare, marked), &bare, &mut wrong, &call)
                    && !retained(name, [b, a], place, false, &found)
                {
                    wrong
                        .add(kinds(&format!("{} right", name), &[b, a]), || format!("{}: {found:?}", call()));
                }
            }
        }
        wrong
    });
    let mut wrong = wrong.reduce(Violations::default, |mut all, found| {
        all.merge(found);
        all
    });
    for (name, library) in on_one() {
        for (value, abs) in s.iter().chain(&nested) {
            let bare = library(value);
            let call = || format!("{}({abs:?})", name);
            if let Some(found) = erased(&library(&value.clone().mark(mark())), &bare, &mut wrong, &call)
                && found != [Vec::<String>::new()]
            {
                wrong.add(kinds(name, &[abs]), call);
            }
            for marked in marked_inside(value) {
                let (_, places) = Abs::with_marks(&marked);
                let [(place, _)] = places.as_slice() else { panic!("{marked:?}: {places:?}") };
                if let Some(found) = erased(&library(&marked), &bare, &mut wrong, &call)
                    && !retained_of_one(name, place, &found)
                {
                    wrong.add(kinds(&format!("{} inside", name), &[abs]), call);
                }
            }
        }
    }
    wrong.none("marks");
}

#[test]
fn assumptions_leave_marks_where_they_are() {
    let world = world();
    let mut wrong = Violations::default();
    let refinements = refinements();
    for &i in world.s.abstracts.iter().chain(&world.nested.abstracts) {
        let (value, abs) = (&world.abstracts[i].value, &world.abstracts[i].abs);
        let bare: Vec<Result<Value>> =
            refinements.iter().map(|refinement| value.assume(refinement)).collect();
        for marked in [vec![value.clone().mark(mark())], marked_inside(value)].concat() {
            let places: Vec<Vec<String>> =
                Abs::with_marks(&marked).1.into_iter().map(|(place, _)| place).collect();
            for (refinement, bare) in refinements.iter().zip(&bare) {
                let call = || format!("{abs:?} marked at {places:?} assumed {refinement}");
                if let Some(found) = erased(&marked.assume(refinement), bare, &mut wrong, &call)
                    && found != places
                {
                    wrong.add(kinds("assume", &[abs]), || format!("{}: {found:?}", call()));
                }
            }
        }
    }
    wrong.none("assume");
}

/// The assumed value takes the other marks of the value, but not what says that it must not be seen.
#[test]
fn assume_equal_keeps_marks_but_sensitive_and_ephemeral() {
    let world = world();
    let mut wrong = Violations::default();
    for &i in world.s.abstracts.iter().chain(&world.nested.abstracts) {
        let (value, abs) = (&world.abstracts[i].value, &world.abstracts[i].abs);
        if !abs.is_wholly_known() {
            continue;
        }
        for marked in [vec![value.clone().mark(mark())], marked_inside(value)].concat() {
            if Abs::with_marks(&marked.assume_equal(value).unwrap()) != Abs::with_marks(&marked) {
                wrong.add(kinds("assume_equal", &[abs]), || format!("{marked:?}"));
            }
        }
        for gone in [Mark::SENSITIVE, Mark::EPHEMERAL] {
            if !Abs::with_marks(&value.clone().mark(gone.clone()).assume_equal(value).unwrap()).1.is_empty() {
                wrong.add(kinds("assume_equal keeps", &[abs]), || format!("{gone}"));
            }
        }
    }
    wrong.none("assume_equal");
}

/// No text shows what is marked: neither the answer nor an error.
#[test]
fn no_text_shows_what_is_marked() {
    const SECRET: &str = "hunter2";
    let secret = Value::from(SECRET).mark(Mark::SENSITIVE);
    let number = Value::from(731_529).mark(Mark::SENSITIVE);
    let list = Value::list([secret.clone()]).unwrap();
    let unknown = Value::unknown(Type::String).assume_string_prefix(SECRET).unwrap().mark(Mark::SENSITIVE);
    let values = [
        secret.clone(),
        number.clone(),
        list,
        unknown,
        Value::tuple([secret.clone(), number.clone()]).unwrap(),
        Value::set([secret]).unwrap(),
        Value::map([("k", number)]).unwrap(),
        Value::from(1),
        Value::unknown(Type::Bool),
        Value::dynamic(),
    ];
    let check = |answer: Result<Value>| {
        let text = match answer {
            Ok(value) => format!("{value} {value:?} {value:#?} {:?}", value.view()),
            Err(error) => format!("{error} {error:?}"),
        };
        assert!(!text.contains(SECRET) && !text.contains("731529"), "{text}");
    };
    let prefix = Refinement::prefix("x").and_not_null();
    let length = Refinement::length(LengthRange::at_least(9));
    for a in &values {
        check(Ok(a.clone()));
        check(a.assume(&prefix));
        check(a.assume(&length));
        check(a.assume(&Refinement::number_at_most(3)));
        on_one().iter().for_each(|(_, library)| check(library(a)));
        for b in &values {
            on_two().iter().for_each(|(_, library)| check(library(a, b)));
            check(a.assume_equal(b));
        }
    }
}
