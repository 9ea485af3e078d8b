//! The fuzz targets by name: what each does with an input.

use arbitrary::Unstructured;
use plantime::sample::{Sampler, Size};

use super::{bridge, convert, json, languages, operations, refinements, rules, schemas, serial, texts, wire};

/// What a target does with an input.
pub type Check = fn(&[u8]);

/// Name and check of each target.
pub const TARGETS: [(&str, Check); 14] = [
    ("convert", |input| sampled(input, convert::any)),
    ("languages", languages::any),
    ("refinement_laws", |input| sampled(input, refinements::any)),
    ("ops_soundness", |input| sampled(input, operations::any)),
    ("number_text", |input| {
        text(input, texts::number);
        sampled(input, |sampler| texts::arithmetic(&sampler.number(), &sampler.number()));
    }),
    ("json_decode", json::decode),
    ("type_json", |input| text(input, json::ty)),
    ("type_text", |input| text(input, texts::ty)),
    ("path_text", |input| text(input, texts::path)),
    ("json_schema", |input| {
        text(input, schemas::document);
        sampled(input, schemas::any);
    }),
    ("self_describing", |input| {
        serial::read(input);
        sampled(input, serial::any);
    }),
    ("bridge", |input| {
        bridge::bytes(input);
        sampled(input, bridge::sampled);
    }),
    ("msgpack_decode", |input| {
        wire::bytes(input);
        sampled(input, wire::any);
    }),
    ("rules_file", |input| sampled(input, rules::any)),
];

/// Runs a target.
pub fn run(name: &str, input: &[u8]) {
    let (_, check) = TARGETS.iter().find(|(target, _)| *target == name).expect("a target of that name");
    check(input);
}

fn text(input: &[u8], check: fn(&str)) {
    if let Ok(text) = std::str::from_utf8(input) {
        check(text);
    }
}

fn sampled(input: &[u8], check: fn(&mut Sampler<'_>)) {
    let size = Size { depth: 5, parts: input.len().clamp(4, 128), width: 16, text: 8 };
    check(&mut Sampler::new(&mut Unstructured::new(input), size));
}
