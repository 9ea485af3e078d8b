//! Faults that are found when a provider is built.

use plantime::{Refinement, Type, value};
use plantime_provider::{Parameter, schema};
use plantime_schema::planning::{Behaviour, Behaviours};
use plantime_schema::{Attribute, Block, NestedBlock};

use crate::made::{First, GIVEN, GOOD, Given, Made, Row, base, built, demo, of_schema, one};

pub(crate) const BUILT: &[Row] = &[
    (
        "sensitive misspelt",
        || of_schema(|| base().sensitive("tokn").build()),
        r#"demo_x: tokn: no such attribute to be sensitive; did you mean "token"?"#,
    ),
    (
        "write-only misspelt",
        || of_schema(|| base().write_only("tokn").build()),
        r#"demo_x: tokn: no such attribute to be write-only; did you mean "token"?"#,
    ),
    (
        "deprecated misspelt",
        || of_schema(|| base().deprecated("nme", "no").build()),
        r#"demo_x: nme: no such attribute to be deprecated; did you mean "name"?"#,
    ),
    (
        "described misspelt",
        || of_schema(|| base().describe("nothing", "no").build()),
        "demo_x: nothing: no such attribute to be described",
    ),
    (
        "a block made sensitive",
        || {
            of_schema(|| {
                base().timeouts(&[plantime_provider::Operation::Create]).sensitive("timeouts").build()
            })
        },
        "demo_x: timeouts: it is a block type, which cannot be sensitive",
    ),
    (
        "attribute twice",
        || of_schema(|| base().required("name", Type::Number).build()),
        "demo_x: name: name defined twice",
    ),
    (
        "block twice",
        || {
            of_schema(|| {
                base()
                    .block("disk", NestedBlock::single(Block::default()))
                    .block("disk", NestedBlock::list(Block::default()))
                    .build()
            })
        },
        "demo_x: disk: name defined twice",
    ),
    (
        "attribute and block",
        || of_schema(|| base().block("name", NestedBlock::single(Block::default())).build()),
        "demo_x: name: name defined as both attribute and child block type",
    ),
    (
        "attributes of a struct twice",
        || {
            of_schema(|| {
                base()
                    .with(
                        Block::builder().attribute("zone", Attribute::optional(Type::Bool)).build().unwrap(),
                    )
                    .build()
            })
        },
        "demo_x: zone: name defined twice",
    ),
    (
        "attribute of nobody",
        || {
            of_schema(|| {
                base().attribute("size", plantime_schema::Attribute::new(Type::Number.into())).build()
            })
        },
        "demo_x: size: must set Optional, Required or Computed",
    ),
    (
        "attribute with capitals",
        || of_schema(|| base().optional("Size", Type::Number).build()),
        "demo_x: Size: name may contain only lowercase letters, digits and underscores",
    ),
    (
        "reserved name",
        || of_schema(|| base().optional("count", Type::Number).build()),
        "demo_x: count: the name is reserved by the language",
    ),
    (
        "write-only and computed",
        || of_schema(|| base().write_only("id").build()),
        "demo_x: id: cannot be both write-only and computed",
    ),
    (
        "limits of blocks crossed",
        || {
            of_schema(|| {
                base().block("disk", NestedBlock::list(Block::default()).at_least(3).at_most(2)).build()
            })
        },
        "demo_x: disk: MinItems must be less than or equal to MaxItems",
    ),
    (
        "fact misspelt",
        || {
            built(
                demo().resource("demo_x", Made { facts: || vec![("idd", Refinement::prefix("i-"))], ..GOOD }),
            )
        },
        r#""id""#,
    ),
    (
        "fact of another type",
        || {
            built(demo().resource(
                "demo_x",
                Made {
                    facts: || vec![("id", Refinement::length(plantime::LengthRange::exactly(1)))],
                    ..GOOD
                },
            ))
        },
        "facts: id: the promise does not fit the type string",
    ),
    (
        "fact about what is configured",
        || {
            built(
                demo()
                    .resource("demo_x", Made { facts: || vec![("name", Refinement::prefix("i-"))], ..GOOD }),
            )
        },
        "facts: name: a promise is for computed attributes",
    ),
    (
        "replacement misspelt",
        || built(demo().resource("demo_x", Made { replaced_by: || vec!["nam"], ..GOOD })),
        r#"demo_x: replaced_by: no attribute or block type is named "nam"; did you mean "name"?"#,
    ),
    (
        "identity misspelt",
        || built(demo().resource("demo_x", Made { identity: || vec!["idd"], ..GOOD })),
        r#"demo_x: identity: no attribute is named "idd"; did you mean "id"?"#,
    ),
    (
        "equality misspelt",
        || built(demo().resource("demo_x", Made { same: || vec![("nam", |_, _| true)], ..GOOD })),
        "demo_x: semantic_equality: nam: ",
    ),
    (
        "behaviour misspelt",
        || {
            built(demo().resource(
                "demo_x",
                Made {
                    behaviours: || Some(Behaviours::framework().at("nam", Behaviour::new().force_new())),
                    ..GOOD
                },
            ))
        },
        r#"demo_x: behaviours: no attribute or block type is named "nam"; did you mean "name"?"#,
    ),
    (
        "default of what is required",
        || {
            built(demo().resource(
                "demo_x",
                Made {
                    behaviours: || {
                        Some(Behaviours::framework().at("name", Behaviour::new().default_value("x")))
                    },
                    ..GOOD
                },
            ))
        },
        "demo_x: behaviours: name: a required attribute has no default",
    ),
    (
        "default of another type",
        || {
            built(demo().resource(
                "demo_x",
                Made {
                    behaviours: || {
                        Some(
                            Behaviours::framework()
                                .at("zone", Behaviour::new().default_value(value!({}).unwrap())),
                        )
                    },
                    ..GOOD
                },
            ))
        },
        "demo_x: behaviours: zone: the default does not fit",
    ),
    (
        "type without prefix",
        || built(demo().resource("vpc", GOOD)),
        r#"vpc: the name must begin with "demo_"; did you mean "demo_vpc"?"#,
    ),
    (
        "type of another provider",
        || built(demo().resource("other_name", GOOD)),
        r#"other_name: the name must begin with "demo_"; did you mean "demo_other_name"?"#,
    ),
    (
        "prefix misspelt",
        || built(demo().data_source("dmo_zone", GIVEN)),
        r#"dmo_zone: the name must begin with "demo_"; did you mean "demo_zone"?"#,
    ),
    (
        "ephemeral type without prefix",
        || built(demo().ephemeral_resource("token", GIVEN)),
        r#"token: the name must begin with "demo_"; did you mean "demo_token"?"#,
    ),
    (
        "type twice",
        || built(demo().resource("demo_x", GOOD).resource("demo_x", GOOD)),
        "demo_x: the resource type is given twice",
    ),
    (
        "data source twice",
        || built(demo().data_source("demo_d", GIVEN).data_source("demo_d", GIVEN)),
        "demo_d: the data source is given twice",
    ),
    (
        "ephemeral type twice",
        || built(demo().ephemeral_resource("demo_e", GIVEN).ephemeral_resource("demo_e", GIVEN)),
        "demo_e: the ephemeral resource type is given twice",
    ),
    (
        "function twice",
        || built(demo().function("f", First(one)).function("f", First(one))),
        "f: the function is given twice",
    ),
    (
        "function that cannot be called",
        || built(demo().function("to-text", First(one))),
        "to-text: the name may contain only lowercase letters",
    ),
    (
        "parameter twice",
        || built(demo().function("f", First(|| one().parameter(Parameter::new("text", Type::Bool))))),
        r#"f: parameter "text": name defined twice"#,
    ),
    (
        "two variadic parameters",
        || {
            built(demo().function(
                "f",
                First(|| {
                    one().variadic(Parameter::new("a", Type::Bool)).variadic(Parameter::new("b", Type::Bool))
                }),
            ))
        },
        "f: there are two variadic parameters",
    ),
    (
        "write-only in a data source",
        || {
            built(demo().data_source(
                "demo_d",
                Given {
                    schema: || schema().required("name", Type::String).write_only("name").build(),
                    ..GIVEN
                },
            ))
        },
        "demo_d: name: only attributes of resources can be write-only",
    ),
    (
        "write-only in an ephemeral resource",
        || {
            built(demo().ephemeral_resource(
                "demo_e",
                Given {
                    schema: || schema().required("name", Type::String).write_only("name").build(),
                    ..GIVEN
                },
            ))
        },
        "demo_e: name: only attributes of resources can be write-only",
    ),
    (
        "computed in the provider's configuration",
        || built(demo().configured(schema().computed("id", Type::String).build(), |_| async { Ok(()) })),
        "the provider's configuration: id: the configuration of a provider has nothing that is computed",
    ),
    (
        "misspelt in the provider's configuration",
        || {
            built(
                demo().configured(
                    schema().optional("token", Type::String).sensitive("tokn").build(),
                    |_| async { Ok(()) },
                ),
            )
        },
        "the provider's configuration: tokn: no such attribute to be sensitive",
    ),
    (
        "configured twice",
        || {
            built(
                demo()
                    .configured(schema().build(), |_| async { Ok(()) })
                    .configured(schema().build(), |_| async { Ok(()) }),
            )
        },
        "the provider: it is configured twice",
    ),
    (
        "misspelt in provider_meta",
        || built(demo().meta(schema().optional("m", Type::String).write_only("n").build())),
        "provider_meta: n: no such attribute to be write-only",
    ),
];
