//! Rules as schemas and back, and whatever a document says.

use plantime::rule::Rule;
use plantime::rule::json_schema::{Dialect, Reading, export, import, pointer};
use plantime::sample::{Sampler, Weakened};
use plantime::{Type, TypeConstraint, Value, json};

const DIALECTS: [Dialect; 3] = [Dialect::JsonSchema, Dialect::OpenApi, Dialect::Kubernetes];

/// What is exported and imported gives the same answers; what passes is within the refinement.
#[track_caller]
pub fn there_and_back(rule: &Rule, pair: &Weakened) {
    let form = rule.to_form();
    if let Ok(form) = &form {
        assert_eq!(Rule::from_form(form).as_ref(), Ok(rule), "{form}");
    }
    let ty = pair.concrete().ty();
    let constraint = TypeConstraint::from(&ty);
    for dialect in DIALECTS {
        let reading = Reading { dialect, ..Reading::default() };
        let schema = match export(&constraint, rule, dialect) {
            Ok(schema) => schema,
            Err(error) => {
                let capsule = ty.to_string().contains("capsule") || error.is_type_mismatch();
                assert!(form.is_err() || capsule || error.is_limit(), "{rule} on {ty}: {error}");
                continue;
            }
        };
        let read = match import(&schema, None, &reading) {
            Ok(read) => read,
            Err(error) => panic!("{rule} on {ty}: {schema} does not read: {error}"),
        };
        assert_eq!(read.constraint, constraint, "{schema}");
        assert!(read.unsupported.is_empty(), "{rule}: {:?} in {schema}", read.unsupported);
        for value in [pair.concrete(), pair.value()] {
            if value.ty() != ty {
                continue;
            }
            let name = |rule: &Rule| rule.check_value(value).map(|outcome| outcome.name()).ok();
            assert_eq!(
                name(&read.rule),
                name(rule),
                "{rule} on {value:?} came back as {} from {schema}",
                read.rule
            );
        }
        let concrete = pair.concrete();
        // What the keywords say without the key for the rest holds wherever the rule does.
        if let Ok(bare) = import(&without_rules(&schema), None, &reading)
            && bare.constraint == constraint
            && rule.check_value(concrete).is_ok_and(|outcome| outcome.is_pass())
        {
            let refused = bare.rule.check_value(concrete).is_ok_and(|outcome| outcome.is_fail());
            assert!(
                !refused,
                "{concrete:?} satisfies {rule}, but not the keywords of {schema}: {}",
                bare.rule
            );
        }
        if ty != Type::Dynamic && read.rule.check_value(concrete).is_ok_and(|outcome| outcome.is_pass()) {
            assert!(concrete.assume(&read.refinement).is_ok(), "{concrete:?}: {rule} as {}", read.refinement);
        }
    }
}

/// The schema without the keys of rules, wherever they stand.
fn without_rules(schema: &Value) -> Value {
    let all = schema.transform(|_, part| match part.view() {
        plantime::View::Object(object) if object.get("x-plantime-rules").is_some() => {
            Value::object(object.iter().filter(|(name, _)| *name != "x-plantime-rules"))
        }
        _ => Ok(part),
    });
    all.unwrap_or_else(|_| schema.clone())
}

pub fn any(sampler: &mut Sampler<'_>) {
    let pair = sampler.pair();
    sampler.refill();
    let rule = sampler.rule_for(&pair.concrete().ty());
    there_and_back(&rule, &pair);
}

/// Whatever a document says, it is read in the same way twice, and its rules answer as rules do.
pub fn document(text: &str) {
    let Ok(schema) = json::from_slice(text.as_bytes()) else { return };
    let parse = |text: &str| text.parse::<Type>().unwrap();
    let types = ["string", "number", "list(string)", "set(number)", "map(number)", "tuple([string])"];
    let objects = ["object({a=string,b=number})", "any"];
    let mut readings: Vec<Option<Type>> =
        types.iter().chain(&objects).map(|text| Some(parse(text))).collect();
    readings.push(None);
    for ty in readings {
        for dialect in DIALECTS {
            let reading = Reading { dialect, ..Reading::default() };
            match import(&schema, ty.as_ref(), &reading) {
                Ok(read) => {
                    assert_eq!(import(&schema, ty.as_ref(), &reading).unwrap().unsupported, read.unsupported);
                    for found in &read.unsupported {
                        assert!(!found.why().is_empty() && found.pointer().starts_with('/'));
                    }
                    let ty = read.constraint.to_type();
                    for value in [
                        Value::null(ty.clone()),
                        Value::unknown(ty.clone()),
                        read.unknown().unwrap_or_else(|_| Value::dynamic()),
                    ] {
                        if let Ok(outcome) = read.rule.check_value(&value) {
                            let looks_around = text.contains("x-plantime-rules");
                            assert!(
                                !value.is_wholly_known() || looks_around || !outcome.is_undetermined(),
                                "{}",
                                read.rule
                            );
                        }
                    }
                }
                Err(error) => assert!(!error.message().is_empty() && pointer(error.path()).len() < 1 << 20),
            }
        }
    }
}
