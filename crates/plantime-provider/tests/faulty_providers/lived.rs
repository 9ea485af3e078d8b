//! Faults that are found while objects live.

use plantime::rule::Rule;
use plantime::rule::set::RuleSet;
use plantime::{Path, Type, Value, View};
use plantime_provider::{Diagnostic, Diagnostics, Plan, with_attributes};
use plantime_schema::planning::{Behaviour, Behaviours};
use serde_json::json;

use crate::made::{GIVEN, GOOD, Given, Made, Row, base, lived, made, opened, read_data, set};

pub(crate) const LIVED: &[Row] = &[
    (
        "id left unknown",
        || {
            lived(Made {
                create: |planned, _| Ok(with_attributes(&planned, [("zone", "z".into())])?),
                ..GOOD
            })
        },
        "the provider still indicated an unknown value for demo_x.id",
    ),
    (
        "computed value left unknown by update",
        || {
            lived(Made {
                plan: |change, plan| {
                    let open = set(&plan.planned, "zone", Value::unknown(Type::String));
                    Ok(if change.is_delete() || change.is_create() { plan } else { Plan::new(open?) })
                },
                update: |planned, _| Ok(planned),
                ..GOOD
            })
        },
        "the provider still indicated an unknown value for demo_x.zone",
    ),
    (
        "attribute too many",
        || lived(Made { create: |planned, _| set(&made(&planned)?, "colour", "red".into()), ..GOOD }),
        r#"produced an invalid value after apply for demo_x: .colour: unsupported attribute "colour""#,
    ),
    (
        "attribute too few",
        || {
            lived(Made {
                create: |planned, _| {
                    let state = made(&planned)?;
                    let View::Object(parts) = state.view() else { return Ok(planned) };
                    let rest = parts.iter().filter(|(name, _)| *name != "zone");
                    Ok(Value::object(rest.map(|(name, part)| (name, part.clone())))?)
                },
                ..GOOD
            })
        },
        r#"for demo_x: .zone: attribute "zone" is required"#,
    ),
    (
        "attribute of another type",
        || lived(Made { create: |planned, _| set(&made(&planned)?, "zone", Value::list(["z"])?), ..GOOD }),
        "for demo_x: .zone: string is required, but this is list(string)",
    ),
    (
        "fact broken",
        || lived(Made { create: |planned, _| set(&made(&planned)?, "id", "x-1".into()), ..GOOD }),
        r#".id: final value cty.StringVal("x-1") does not conform to planning placeholder cty.UnknownVal(cty.String).Refine().NotNull().StringPrefixFull("i-").NewValue()"#,
    ),
    (
        "id null in spite of a fact",
        || {
            lived(Made {
                create: |planned, _| set(&made(&planned)?, "id", Value::null(Type::String)),
                ..GOOD
            })
        },
        ".id: final value",
    ),
    (
        "configured value changed",
        || lived(Made { create: |planned, _| set(&made(&planned)?, "name", "A".into()), ..GOOD }),
        r#"When applying changes to demo_x, provider "demo" produced an unexpected new value: .name: was cty.StringVal("a"), but now cty.StringVal("A")"#,
    ),
    (
        "configured value dropped",
        || {
            lived(Made {
                create: |planned, _| set(&made(&planned)?, "name", Value::null(Type::String)),
                ..GOOD
            })
        },
        r#".name: was cty.StringVal("a"), but now null"#,
    ),
    (
        "null becomes a value",
        || {
            lived(Made {
                schema: || base().optional("size", Type::Number).build(),
                create: |planned, _| set(&made(&planned)?, "size", 1.into()),
                import: |_, _| Err("none".into()),
                ..GOOD
            })
        },
        ".size: was null, but now cty.NumberIntVal(1)",
    ),
    (
        "element of a map lost",
        || {
            lived(Made {
                create: |planned, _| set(&made(&planned)?, "tags", Value::map([("l", "v")])?),
                ..GOOD
            })
        },
        ".tags: element \"k\" has vanished",
    ),
    (
        "sensitive value changed",
        || {
            lived(Made {
                schema: || base().sensitive("token").build(),
                create: |planned, _| set(&made(&planned)?, "token", "hunter3!".into()),
                ..GOOD
            })
        },
        "inconsistent values for sensitive attribute",
    ),
    (
        "write-only value stored",
        || {
            lived(Made {
                schema: || base().write_only("token").build(),
                create: |planned, call| {
                    let token = call.config().ok_or("none")?.get_attr("token")?;
                    set(&made(&planned)?, "token", token)
                },
                ..GOOD
            })
        },
        r#"returned a value for the write-only attribute "demo_x.token""#,
    ),
    (
        "write-only value read back",
        || {
            lived(Made {
                schema: || base().write_only("token").build(),
                read: |state, _| Ok(Some(set(&state, "token", "hunter2!".into())?)),
                ..GOOD
            })
        },
        r#"returned a value for the write-only attribute "demo_x.token""#,
    ),
    (
        "update loses the id",
        || lived(Made { update: |planned, _| set(&planned, "id", Value::null(Type::String)), ..GOOD }),
        r#".id: was cty.StringVal("i-1"), but now null"#,
    ),
    (
        "warning as failure of create",
        || {
            lived(Made {
                create: |planned, _| {
                    Err(Diagnostics::from(Diagnostic::warning("quota")).and_state(made(&planned)?))
                },
                ..GOOD
            })
        },
        "The provider failed without an error in `create`",
    ),
    (
        "warning as failure of plan",
        || lived(Made { plan: |_, _| Err(Diagnostic::warning("old name").into()), ..GOOD }),
        "The provider failed without an error in `plan`",
    ),
    (
        "empty failure of validate",
        || lived(Made { validate: |_| Err(Diagnostics::new(Vec::new())), ..GOOD }),
        "The provider failed without an error in `validate`",
    ),
    (
        "warning as failure of read",
        || lived(Made { read: |_, _| Err(Diagnostic::warning("slow").into()), ..GOOD }),
        "The provider failed without an error in `read`",
    ),
    (
        "warning as failure of delete",
        || lived(Made { delete: |_| Err(Diagnostic::warning("slow").into()), ..GOOD }),
        "The provider failed without an error in `delete`",
    ),
    (
        "plan of another value",
        || {
            lived(Made {
                plan: |change, plan| {
                    Ok(if change.is_delete() {
                        plan
                    } else {
                        Plan::new(set(&plan.planned, "name", "N".into())?)
                    })
                },
                ..GOOD
            })
        },
        r#".name: planned value cty.StringVal("N") does not match config value cty.StringVal("a")"#,
    ),
    (
        "plan of another type",
        || {
            lived(Made {
                plan: |change, plan| {
                    Ok(if change.is_delete() {
                        plan
                    } else {
                        Plan::new(set(&plan.planned, "zone", Value::list(["z"])?)?)
                    })
                },
                ..GOOD
            })
        },
        "planned an invalid value for demo_x: .zone: string is required, but this is list(string)",
    ),
    (
        "plan with an attribute too many",
        || {
            lived(Made {
                plan: |change, plan| {
                    Ok(if change.is_delete() {
                        plan
                    } else {
                        Plan::new(set(&plan.planned, "colour", "c".into())?)
                    })
                },
                ..GOOD
            })
        },
        r#"planned an invalid value for demo_x: .colour: unsupported attribute "colour""#,
    ),
    (
        "replacement of what is not there",
        || {
            lived(Made {
                plan: |_, mut plan| {
                    plan.requires_replace.push(Path::new().attr("colour"));
                    Ok(plan)
                },
                ..GOOD
            })
        },
        ".colour: requires replacement, but there is no such attribute",
    ),
    (
        "difference that never ends",
        || {
            lived(Made {
                plan: |change, plan| {
                    let open = set(&plan.planned, "zone", Value::unknown(Type::String));
                    Ok(if change.is_delete() { plan } else { Plan::new(open?) })
                },
                ..GOOD
            })
        },
        ".zone: is planned to change although nothing changed",
    ),
    (
        "read of another value",
        || lived(Made { read: |state, _| Ok(Some(set(&state, "zone", "Z".into())?)), ..GOOD }),
        ".zone: is another value than the one that was just applied",
    ),
    (
        "read of another type",
        || lived(Made { read: |state, _| Ok(Some(set(&state, "zone", Value::list(["z"])?)?)), ..GOOD }),
        "produced an invalid value during refresh for demo_x: .zone: string is required",
    ),
    (
        "read of an unknown value",
        || {
            lived(Made {
                read: |state, _| Ok(Some(set(&state, "zone", Value::unknown(Type::String))?)),
                ..GOOD
            })
        },
        "a value for demo_x that is not wholly known: .zone is unknown",
    ),
    (
        "object gone",
        || lived(Made { read: |_, _| Ok(None), ..GOOD }),
        "the object is gone right after it was applied",
    ),
    (
        "private state lost",
        || {
            lived(Made {
                read: |state, call| {
                    call.set_private("etag", json!(null));
                    Ok(Some(state))
                },
                ..GOOD
            })
        },
        "the private state is lost",
    ),
    (
        "upgrade loses",
        || {
            lived(Made {
                upgrade: |mut state| {
                    if let Some(state) = state.as_object_mut() {
                        state.remove("token");
                    }
                    Ok(state)
                },
                ..GOOD
            })
        },
        ".token: was stored, and is null after the upgrade",
    ),
    (
        "upgrade to another type",
        || {
            lived(Made {
                upgrade: |mut state| {
                    if let Some(state) = state.as_object_mut() {
                        state.insert("zone".to_owned(), json!([]));
                    }
                    Ok(state)
                },
                ..GOOD
            })
        },
        "zone",
    ),
    (
        "import of an unknown value",
        || lived(Made { import: |_, call| call.object_with([("id", Value::unknown(Type::String))]), ..GOOD }),
        "a value for demo_x that is not wholly known: .id is unknown",
    ),
    (
        "import of what is not there",
        || lived(Made { import: |_, call| call.object_with([("idd", "i-1".into())]), ..GOOD }),
        r#"idd: no such attribute; did you mean "id"?"#,
    ),
    (
        "import without id",
        || lived(Made { import: |_, call| call.object_with([("name", "a".into())]), ..GOOD }),
        ".id: is null: nothing tells which object was imported",
    ),
    (
        "panic in create",
        || lived(Made { create: |_, _| panic!("the region is gone"), ..GOOD }),
        "The provider panicked: the region is gone",
    ),
    (
        "secret in another place",
        || {
            lived(Made {
                schema: || base().sensitive("token").build(),
                create: |planned, _| {
                    let token = planned.get_attr("token")?;
                    set(&made(&planned)?, "zone", token)
                },
                ..GOOD
            })
        },
        ".zone: shows content of a sensitive attribute",
    ),
    (
        "secret in an error",
        || {
            lived(Made {
                schema: || base().sensitive("token").build(),
                create: |planned, _| {
                    let token = planned.get_attr("token")?;
                    Err(format!("no login with {}", token.as_str().unwrap_or_default()).into())
                },
                ..GOOD
            })
        },
        "a diagnostic shows content of a sensitive attribute",
    ),
    (
        "rule that refuses all",
        || {
            lived(Made {
                behaviours: || {
                    Some(
                        Behaviours::framework()
                            .at("name", Behaviour::new().validate(RuleSet::new([Rule::min_len(9)]))),
                    )
                },
                ..GOOD
            })
        },
        "name string length must be at least 9",
    ),
    (
        "data source of another type",
        || read_data(Given { give: |config| set(&config, "out", Value::list(["o"])?), ..GIVEN }),
        "for data.demo_d: .out: string is required, but this is list(string)",
    ),
    (
        "data source with an attribute too many",
        || read_data(Given { give: |config| set(&config, "more", "m".into()), ..GIVEN }),
        r#"for data.demo_d: .more: unsupported attribute "more""#,
    ),
    (
        "data source that changes its configuration",
        || {
            read_data(Given {
                give: |config| Ok(with_attributes(&config, [("name", "m".into()), ("out", "o".into())])?),
                ..GIVEN
            })
        },
        r#".name: result cty.StringVal("m") does not match config value cty.StringVal("n")"#,
    ),
    (
        "data source that is unknown",
        || read_data(Given { give: |config| set(&config, "out", Value::unknown(Type::String)), ..GIVEN }),
        "a value for data.demo_d that is not wholly known: .out is unknown",
    ),
    (
        "ephemeral resource that is unknown",
        || opened(Given { give: |config| set(&config, "out", Value::unknown(Type::String)), ..GIVEN }),
        "a value for demo_e that is not wholly known: .out is unknown",
    ),
    (
        "ephemeral resource of another type",
        || opened(Given { give: |config| set(&config, "out", Value::list(["o"])?), ..GIVEN }),
        "for demo_e: .out: string is required, but this is list(string)",
    ),
    (
        "warning as failure of open",
        || opened(Given { give: |_| Err(Diagnostic::warning("old").into()), ..GIVEN }),
        "The provider failed without an error in `open`",
    ),
];
