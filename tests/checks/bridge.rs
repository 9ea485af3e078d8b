//! The bridge: what is made of a Rust value is read as the same, and whatever is read is a value or an error.

use std::collections::BTreeMap;
use std::fmt::Debug;

use plantime::bridge::{Planned, from_value, to_value, to_value_as};
use plantime::sample::Sampler;
use plantime::{Number, Type, Value};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Kind {
    Unit,
    Content(u8),
    Pair(i8, String),
    Fields { on: Option<bool>, inner: Vec<Kind> },
}

/// One of everything.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    flag: bool,
    count: i64,
    wide: (i128, u128),
    share: f64,
    small: f32,
    name: String,
    letter: char,
    maybe: Option<u8>,
    list: Vec<i32>,
    texts: Vec<Option<String>>,
    map: BTreeMap<String, u16>,
    keys: BTreeMap<i16, Planned<String>>,
    kinds: Vec<Kind>,
    planned: Planned<String>,
    several: Planned<Vec<u8>>,
    number: Number,
    value: Value,
    values: Vec<Value>,
    inner: Vec<Record>,
    next: Option<Box<Record>>,
}

fn text(sampler: &mut Sampler<'_>) -> String {
    // Text of a value is in normal form.
    Value::from(sampler.text()).as_str().unwrap_or_default().to_owned()
}

fn any<T>(sampler: &mut Sampler<'_>, most: usize, mut item: impl FnMut(&mut Sampler<'_>) -> T) -> Vec<T> {
    (0..sampler.below(most)).map(|_| item(sampler)).collect()
}

fn planned<T: DeserializeOwned>(sampler: &mut Sampler<'_>, ty: &Type) -> Planned<T> {
    let pair = sampler.pair_of_type(ty);
    from_value(pair.value()).unwrap_or_default()
}

fn integer<T: TryFrom<i128>>(sampler: &mut Sampler<'_>) -> T {
    let number = sampler.number().to_i128().unwrap_or_default();
    T::try_from(number).ok().or_else(|| T::try_from(number & 0x7f).ok()).expect("an integer of seven bits")
}

fn kind(sampler: &mut Sampler<'_>, levels: usize) -> Kind {
    match sampler.below(4) {
        0 => Kind::Unit,
        1 => Kind::Content(integer(sampler)),
        2 => Kind::Pair(integer(sampler), text(sampler)),
        _ if levels == 0 => Kind::Unit,
        _ => Kind::Fields {
            on: [None, Some(false), Some(true)][sampler.below(3)],
            inner: any(sampler, 3, |sampler| kind(sampler, levels - 1)),
        },
    }
}

pub fn record(sampler: &mut Sampler<'_>, levels: usize) -> Record {
    let numbers = Type::list(Type::Number).expect("a type");
    let share = sampler.number().to_f64();
    Record {
        flag: sampler.chance(1, 2),
        count: integer(sampler),
        wide: (integer(sampler), integer(sampler)),
        small: sampler.number().to_f32(),
        share,
        name: text(sampler),
        letter: text(sampler).chars().next().unwrap_or('a'),
        maybe: sampler.chance(1, 2).then(|| integer(sampler)),
        list: any(sampler, 4, integer),
        texts: any(sampler, 4, |sampler| sampler.chance(1, 2).then(|| text(sampler))),
        map: any(sampler, 4, |sampler| (text(sampler), integer(sampler))).into_iter().collect(),
        keys: any(sampler, 4, |sampler| (integer(sampler), planned(sampler, &Type::String)))
            .into_iter()
            .collect(),
        kinds: any(sampler, 4, |sampler| kind(sampler, 2)),
        planned: planned(sampler, &Type::String),
        several: planned(sampler, &numbers),
        number: sampler.number(),
        value: value(sampler),
        values: any(sampler, 4, value),
        inner: if levels == 0 { Vec::new() } else { any(sampler, 3, |sampler| record(sampler, levels - 1)) },
        next: (levels > 0 && sampler.chance(1, 2)).then(|| Box::new(record(sampler, levels - 1))),
    }
}

fn value(sampler: &mut Sampler<'_>) -> Value {
    let pair = sampler.pair();
    if sampler.chance(1, 3) { sampler.marked(pair.value()) } else { pair.value().clone() }
}

/// What is made is read as the same, and is what it is as a value of its own type.
#[track_caller]
pub fn round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(rust: &T) {
    let value = to_value(rust).unwrap_or_else(|error| panic!("{error}: {rust:?}"));
    match from_value::<T>(&value) {
        Ok(read) => assert_eq!(read, *rust, "{value:?}"),
        Err(error) => panic!("{error}: {value:?}"),
    }
    let again = to_value_as(rust, &value.ty().into());
    // A refinement of an undecided type is settled by conversion.
    if !value.ty().has_dynamic() {
        assert_eq!(again, Ok(value));
    }
}

/// Whatever a value is read as is made again, and read and made as the same.
#[track_caller]
fn read<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &Value) {
    match from_value::<T>(value) {
        Ok(read) => {
            let made = to_value(&read).unwrap_or_else(|error| panic!("{error}: {read:?}"));
            let again = from_value::<T>(&made).unwrap_or_else(|error| panic!("{error}: {made:?}"));
            // Not `again == read`: serde_json tells 1.0, to which a fraction may have been rounded, from 1.
            assert_eq!(to_value(&again), Ok(made), "{value:?} as {read:?}, then {again:?}");
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// A value as Rust types of all kinds.
#[track_caller]
pub fn reads(value: &Value) {
    assert_eq!(to_value(value).as_ref(), Ok(value));
    assert_eq!(from_value::<Value>(value).as_ref(), Ok(value));
    read::<bool>(value);
    read::<i64>(value);
    read::<u128>(value);
    read::<f32>(value);
    read::<f64>(value);
    read::<Number>(value);
    read::<char>(value);
    read::<String>(value);
    read::<Option<String>>(value);
    read::<Planned<Option<bool>>>(value);
    read::<Planned<String>>(value);
    read::<Planned<Vec<u8>>>(value);
    read::<Planned<Vec<Planned<f64>>>>(value);
    read::<Vec<Planned<BTreeMap<String, String>>>>(value);
    read::<Vec<Value>>(value);
    read::<(Value, Value)>(value);
    read::<BTreeMap<String, Value>>(value);
    read::<BTreeMap<i64, Option<Planned<u8>>>>(value);
    read::<Kind>(value);
    read::<Record>(value);
    read::<Planned<serde_json::Value>>(value);
    read::<Vec<serde_json::Value>>(value);
    read::<serde_json::Value>(value);
}

pub fn sampled(sampler: &mut Sampler<'_>) {
    round_trip(&record(sampler, 2));
    sampler.refill();
    let value = value(sampler);
    reads(&value);
}

/// Bytes as JSON: a document becomes a value and a document again; and a `Planned` from a format.
pub fn bytes(input: &[u8]) {
    if let Ok(document) = serde_json::from_slice::<serde_json::Value>(input) {
        let value = to_value(&document);
        // Two names that are one in normal form.
        let twice = value.as_ref().is_err_and(|error| error.is_argument());
        match &value {
            Ok(value) => reads(value),
            Err(error) => assert!(twice || error.is_limit(), "{error}"),
        }
    }
    for_people::<Planned<Vec<Planned<String>>>>(input);
    for_people::<Planned<BTreeMap<i64, Planned<Option<u8>>>>>(input);
    for_people::<Planned<Kind>>(input);
    for_people::<Planned<Value>>(input);
    if let Ok(planned) = postcard::from_bytes::<Planned<String>>(input) {
        let bytes = postcard::to_stdvec(&planned).expect("a form");
        assert_eq!(postcard::from_bytes::<Planned<String>>(&bytes).as_ref(), Ok(&planned));
    }
}

#[track_caller]
fn for_people<T: Serialize + DeserializeOwned + PartialEq + Debug>(input: &[u8]) {
    if let Ok(read) = serde_json::from_slice::<T>(input) {
        let text = serde_json::to_string(&read).expect("a form");
        match serde_json::from_str::<T>(&text) {
            Ok(again) => assert_eq!(again, read, "{text}"),
            Err(error) => panic!("{error}: {text}"),
        }
    }
}
