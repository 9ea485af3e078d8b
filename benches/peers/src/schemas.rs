//! Rules from JSON Schema on known values.

use std::hint::black_box;

use jsonschema::Validator;
use plantime::rule::Rule;
use plantime::rule::json_schema::{Reading, import};
use plantime::{Value, convert, json};
use serde_json::{Value as Json, json as value};

use crate::measure::by_turns;

/// A schema, and a document that satisfies it.
struct Case {
    name: &'static str,
    schema: Json,
    document: Json,
    /// The document with one fault.
    broken: fn(Json) -> Json,
}

/// A case that both sides have read.
struct Prepared {
    rule: Rule,
    value: Value,
    validator: Validator,
    document: Json,
}

pub fn measure() {
    println!("{:<28} {:>12} {:>12} {:>7}", "rules from JSON Schema", "plantime", "jsonschema", "ratio");
    for case in cases() {
        let name = case.name;
        print(name, &prepared(&case, false), PASSES);
        print(&format!("{name}, type of the value"), &prepared(&case, true), PASSES);
        let broken = Case { document: (case.broken)(case.document.clone()), ..case };
        print(&format!("{name}, one fault"), &prepared(&broken, false), FAILS);
    }
}

/// Measures one row. `sides` returns whether each side gives the answer that is expected.
fn print(name: &str, prepared: &Prepared, sides: Sides) {
    let medians =
        by_turns(15, || assert!(sides.0(black_box(prepared))), || assert!(sides.1(black_box(prepared))));
    let [ours, theirs] = [medians.ours, medians.theirs].map(|seconds| seconds * 1e9);
    println!("{name:<28} {ours:>9.0} ns {theirs:>9.0} ns {:>7.2}", medians.ratio);
}

type Sides = (fn(&Prepared) -> bool, fn(&Prepared) -> bool);

const PASSES: Sides = (
    |case| case.rule.check_value(&case.value).is_ok_and(|outcome| outcome.is_pass()),
    |case| case.validator.is_valid(&case.document),
);

/// All faults, each in words.
const FAILS: Sides = (
    |case| {
        case.rule
            .check_value(&case.value)
            .is_ok_and(|outcome| !outcome.to_string().is_empty() && outcome.is_fail())
    },
    |case| case.validator.iter_errors(&case.document).map(|error| error.to_string()).count() == 1,
);

/// Repeats the check of one row: the name of the case, with `-type` or `-fault` for the rows below it.
pub fn profile(name: &str, rounds: usize) {
    let mut case = cases().into_iter().find(|case| name.starts_with(case.name)).expect("a case of this name");
    let ours = if name.ends_with("fault") { FAILS.0 } else { PASSES.0 };
    if name.ends_with("fault") {
        case.document = (case.broken)(case.document);
    }
    let prepared = prepared(&case, name.ends_with("type"));
    for _ in 0..rounds {
        assert!(ours(black_box(&prepared)));
    }
}

/// Reads a case. `implied`: the rule is imported for the type that JSON gives the document, as that of any value from
/// elsewhere, and not for the type that the schema describes.
fn prepared(case: &Case, implied: bool) -> Prepared {
    let read = |json: &Json| json::from_slice(&serde_json::to_vec(json).expect("JSON")).expect("a value");
    let value = read(&case.document);
    let ty = implied.then(|| value.ty());
    let imported = import(&read(&case.schema), ty.as_ref(), &Reading::default()).expect("a schema");
    assert!(imported.unsupported.is_empty(), "{}: {:?}", case.name, imported.unsupported);
    let value = convert(&value, &imported.constraint).expect("a value of the type");
    let validator =
        jsonschema::options().should_validate_formats(true).build(&case.schema).expect("a schema");
    Prepared { rule: imported.rule, value, validator, document: case.document.clone() }
}

fn cases() -> Vec<Case> {
    vec![small(), medium(), list()]
}

/// An object with four attributes.
fn small() -> Case {
    Case {
        name: "small",
        schema: value!({
            "type": "object",
            "properties": {
                "name": { "type": "string", "minLength": 1, "maxLength": 64 },
                "size": { "type": "integer", "minimum": 1, "maximum": 16384 },
                "kind": { "type": "string", "enum": ["gp2", "gp3", "io1", "io2"] },
                "encrypted": { "type": "boolean" },
            },
            "required": ["name", "size", "kind"],
        }),
        document: value!({ "name": "data", "size": 100, "kind": "io1", "encrypted": true }),
        broken: |mut document| {
            document["size"] = 0.into();
            document
        },
    }
}

/// Nested objects and lists, with patterns, enums and bounds.
fn medium() -> Case {
    let port = value!({ "type": "integer", "minimum": 0, "maximum": 65535 });
    Case {
        name: "medium",
        schema: value!({
            "type": "object",
            "properties": {
                "id": { "type": "string", "pattern": "^sg-[0-9a-f]{8,17}$" },
                "name": { "type": "string", "pattern": "^[a-z][a-z0-9-]{0,62}$" },
                "region": { "type": "string", "enum": ["eu-west-1", "eu-central-1", "us-east-1", "us-west-2", "ap-south-1"] },
                "owner": {
                    "type": "object",
                    "properties": {
                        "team": { "type": "string", "minLength": 2, "maxLength": 32 },
                        "mail": { "type": "string", "pattern": "^[^@ ]+@[^@ ]+\\.[a-z]+$" },
                        "cost_centre": { "type": "integer", "minimum": 1000, "maximum": 9999 },
                    },
                    "required": ["team", "mail"],
                },
                "tags": { "type": "object", "additionalProperties": { "type": "string", "maxLength": 255 } },
                "rules": {
                    "type": "array",
                    "minItems": 1,
                    "maxItems": 60,
                    "items": {
                        "type": "object",
                        "properties": {
                            "direction": { "type": "string", "enum": ["ingress", "egress"] },
                            "protocol": { "type": "string", "enum": ["tcp", "udp", "icmp", "all"] },
                            "from": port,
                            "to": port,
                            "cidr": { "type": "string", "pattern": "^[0-9]{1,3}(\\.[0-9]{1,3}){3}/[0-9]{1,2}$" },
                            "note": { "type": "string", "maxLength": 255 },
                        },
                        "required": ["direction", "protocol", "from", "to", "cidr"],
                    },
                },
            },
            "required": ["id", "name", "region", "rules"],
        }),
        document: value!({
            "id": "sg-0123456789abcdef0",
            "name": "orders-api",
            "region": "us-east-1",
            "owner": { "team": "payments", "mail": "payments@example.com", "cost_centre": 4711 },
            "tags": { "stage": "prod", "app": "orders", "managed-by": "terraform" },
            "rules": (0..8).map(|i| value!({
                "direction": if i % 2 == 0 { "ingress" } else { "egress" },
                "protocol": "tcp",
                "from": 8000 + i,
                "to": 8000 + i,
                "cidr": format!("10.{i}.0.0/16"),
                "note": "from the other side",
            })).collect::<Vec<Json>>(),
        }),
        broken: |mut document| {
            document["rules"][6]["cidr"] = "10.6.0.0".into();
            document
        },
    }
}

/// A list of 10,000 objects.
fn list() -> Case {
    Case {
        name: "list",
        schema: value!({
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "id": { "type": "integer", "minimum": 0 },
                    "name": { "type": "string", "minLength": 1, "maxLength": 64 },
                    "zone": { "type": "string", "enum": ["a", "b", "c"] },
                    "ports": { "type": "array", "items": { "type": "integer", "minimum": 1, "maximum": 65535 } },
                    "public": { "type": "boolean" },
                },
                "required": ["id", "name", "zone"],
            },
        }),
        document: (0..10_000)
            .map(|i| {
                value!({
                    "id": i,
                    "name": format!("node-{i}"),
                    "zone": (["a", "b", "c"][i % 3]),
                    "ports": [80, 443],
                    "public": i % 2 == 0,
                })
            })
            .collect(),
        broken: |mut document| {
            document[7_000]["zone"] = "d".into();
            document
        },
    }
}
