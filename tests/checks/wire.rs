//! MessagePack: hostile bytes are an error, and what is read or given is written so that it reads as no less.

use plantime::sample::{Sampler, Weakened, may_become};
use plantime::{Type, Value, msgpack};

use super::bounds;
use super::inclusion::may_include;

/// What the first byte of an input says the rest is read as.
const TYPES: [&str; 16] = [
    "dynamic",
    "string",
    "number",
    "bool",
    "list(string)",
    "set(number)",
    "map(bool)",
    "list(dynamic)",
    "set(dynamic)",
    "map(dynamic)",
    "tuple([string, dynamic])",
    "object({a = string, b = dynamic})",
    "list(object({a = dynamic, n = number}))",
    "set(list(set(string)))",
    "list(list(dynamic))",
    "map(object({}))",
];

/// Bytes of any origin, as a value of one of the types.
pub fn bytes(input: &[u8]) {
    let Some((first, rest)) = input.split_first() else { return };
    let ty: Type = TYPES[usize::from(*first) % TYPES.len()].parse().expect("it is a type");
    let strict = bounds::read(rest, || msgpack::from_slice(rest, &ty));
    let lenient = bounds::read(rest, || msgpack::lenient::from_slice(rest, &ty));
    match (&strict, &lenient) {
        (Ok(strict), Ok(lenient)) => assert_eq!(strict, lenient),
        (Err(error), _) => assert!(!error.message().is_empty()),
        (Ok(value), Err(error)) => panic!("{value:?} and {error}"),
    }
    if let Ok(value) = lenient {
        assert!(ty.covers(&value.ty()), "{value:?} is no {ty}");
        written(&value, &ty);
        written(&value, &Type::Dynamic);
    }
    if let Ok(implied) = bounds::read(rest, || msgpack::implied_type(rest))
        && let Ok(value) = bounds::read(rest, || msgpack::from_slice(rest, &implied))
    {
        written(&value, &implied);
    }
}

/// The bytes of a value read as one that includes it, and are written from that again.
#[track_caller]
fn written(value: &Value, ty: &Type) -> Option<Value> {
    let bytes = match msgpack::to_vec(value, ty) {
        Ok(bytes) => bytes,
        // One level more than there may be, or nothing that can be written.
        Err(error) => {
            assert!(error.is_limit() || error.is_marked() || error.is_type_mismatch(), "{value:?}: {error}");
            return None;
        }
    };
    let read = msgpack::from_slice(&bytes, ty).unwrap_or_else(|error| panic!("{value:?}: {error}"));
    assert!(may_include(&read, value), "{value:?} is read as {read:?}");
    // What the wire cannot say is lost at once. In a set the order of undecided members can go with it.
    let again = msgpack::to_vec(&read, ty).expect("what was read can be written");
    assert_eq!(msgpack::from_slice(&again, ty).as_ref(), Ok(&read), "{value:?}");
    assert!(again == bytes || read != *value, "{value:?} is written in two ways");
    let mut streamed = Vec::new();
    msgpack::to_writer(&mut streamed, value, ty).expect("a vector takes everything");
    assert_eq!(streamed, bytes);
    Some(read)
}

/// What the concrete value is, the weakened one may still become when it was written and read again.
#[track_caller]
pub fn round_trip(pair: &Weakened) {
    for ty in [pair.value().ty(), Type::Dynamic] {
        let Some(read) = written(pair.value(), &ty) else { continue };
        if pair.concrete().is_wholly_known() && !pair.concrete().contains_marks() {
            assert!(may_become(&read, pair.concrete()), "{:?} is read as {read:?}", pair.value());
        }
        if pair.value().is_wholly_known() {
            assert_eq!(read, *pair.value());
        }
    }
}

/// A random value in place of bytes.
pub fn any(sampler: &mut Sampler<'_>) {
    round_trip(&sampler.pair());
}
