//! Plans, in JSON and binary, states and provider schemas: whatever a file says, it is read in the same way twice, and what is
//! read can be asked, printed, written and read again.

use std::io::{Cursor, Write as _};
use std::sync::OnceLock;

use plantime::source::Source;
use plantime::{Type, Value};
use plantime_schema::{ProviderSchemas, Schema};
use plantime_terraform::plan::{
    CheckOptions, Colour, Obligations, Plan, PlanDocument, RulesFile, State, check,
};
use serde_core::Deserialize as _;
use serde_core::de::IgnoredAny;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::bounds;

const RULES: &str = r#"
assume "aws_vpc" {
  id = assumed(notnull(stringprefix("vpc-")))
}

rule "vpc" {
  resource = "aws_vpc"
  attribute "id" { starts_with = "vpc-" }
  attribute "tags" { not_null = true }
}

rule "subnet" {
  resource       = "*"
  severity       = "warning"
  exactly_one_of = ["cidr_block", "ipv4_ipam_pool_id"]
}

rule "output" {
  output = "vpc_id"
  value { not_null = true }
}
"#;

/// Schemas that know the resources of the seeds.
fn network() -> &'static ProviderSchemas {
    static SCHEMAS: OnceLock<ProviderSchemas> = OnceLock::new();
    SCHEMAS.get_or_init(|| {
        let file = include_bytes!("../../examples/network/provider-schemas.json");
        ProviderSchemas::from_json(file).expect("a schema file")
    })
}

fn rules() -> &'static RulesFile {
    static RULE_SET: OnceLock<RulesFile> = OnceLock::new();
    RULE_SET.get_or_init(|| RulesFile::read(Source::new("rules.hcl", RULES)).expect("a rules file"))
}

/// What is read as a document is JSON, whatever stands in the parts of it that are passed over.
fn is_json(text: &[u8]) -> bool {
    let mut reader = serde_json::Deserializer::from_slice(text);
    IgnoredAny::deserialize(&mut reader).is_ok() && reader.end().is_ok()
}

/// A text as a plan, as a state, and as obligations.
pub fn plan(text: &[u8]) {
    let bare = bounds::read(text, || Plan::read(text, &ProviderSchemas::new()));
    let typed = bounds::read(text, || Plan::read(text, network()));
    if let (Ok(bare), Ok(typed)) = (&bare, &typed) {
        let addresses = |plan: &Plan| {
            let changes = plan.resource_changes.iter().chain(&plan.resource_drift);
            changes.map(|change| change.address.clone()).collect::<Vec<_>>()
        };
        assert_eq!(addresses(bare), addresses(typed));
    }
    for (read, schemas) in [(bare, &ProviderSchemas::new()), (typed, network())] {
        match (read, Plan::read(text, schemas)) {
            (Ok(plan), Ok(again)) => {
                assert_eq!(format!("{plan:?}"), format!("{again:?}"));
                assert!(is_json(text));
                answers(&plan, text, schemas);
            }
            (Err(error), Err(again)) => {
                assert_eq!((error.message(), error.path()), (again.message(), again.path()));
                assert!(!error.message().is_empty());
            }
            _ => panic!("read twice, two answers"),
        }
        match (bounds::read(text, || State::read(text, schemas)), State::read(text, schemas)) {
            (Ok(state), Ok(again)) => {
                assert_eq!(state, again);
                assert!(is_json(text));
            }
            (Err(error), Err(again)) => assert_eq!(error.message(), again.message()),
            _ => panic!("read twice, two answers"),
        }
    }
    if let Ok(obligations) = bounds::read(text, || Obligations::read(text)) {
        let again = serde_json::to_vec(&obligations.to_json()).expect("JSON can be written");
        assert_eq!(Obligations::read(&again).as_ref(), Ok(&obligations));
    }
}

/// Bytes as a binary plan: as its archive, or as the message inside.
pub fn binary(bytes: &[u8]) {
    if Plan::is_binary(bytes) {
        let read = || Plan::read_binary(bytes, network()).map(|plan| format!("{plan:?}"));
        return assert_eq!(
            read().map_err(|error| error.to_string()),
            read().map_err(|error| error.to_string())
        );
    }
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    writer.start_file("tfplan", stored).expect("an archive in memory");
    writer.write_all(bytes).expect("an archive in memory");
    let archive = writer.finish().expect("an archive in memory").into_inner();
    for schemas in [&ProviderSchemas::new(), network()] {
        let read = bounds::read(bytes, || Plan::read_binary(&archive, schemas));
        match (read, Plan::read_binary(&archive, schemas)) {
            (Ok(plan), Ok(again)) => {
                assert_eq!(format!("{plan:?}"), format!("{again:?}"));
                as_json(&plan, schemas);
                answers(&plan, &archive, schemas);
            }
            (Err(error), Err(again)) => {
                assert_eq!((error.message(), error.path()), (again.message(), again.path()));
                assert!(!error.message().is_empty());
            }
            _ => panic!("read twice, two answers"),
        }
    }
}

/// The JSON of a binary plan has its changes.
fn as_json(plan: &Plan, schemas: &ProviderSchemas) {
    let Ok(text) = plan.to_json_text(&ProviderSchemas::new()) else { return };
    assert!(is_json(text.as_bytes()));
    let Ok(document) = PlanDocument::parse(text.as_bytes()) else { return };
    let mut written = Vec::new();
    document.write_json_with_refinements(&mut written, plan).expect("memory can be written");
    assert!(is_json(&written));
    // A change without a type is no change in JSON.
    if let Ok(again) = Plan::read(&written, schemas) {
        assert_eq!(again.resource_changes.len(), plan.resource_changes.len());
        assert_eq!(again.output_changes.len(), plan.output_changes.len());
    }
}

/// Rules are asked of the plan, and what they answer is told and written.
fn answers(plan: &Plan, text: &[u8], schemas: &ProviderSchemas) {
    for show_values in [false, true] {
        let against = CheckOptions {
            rules: rules().clone(),
            schemas: schemas.clone(),
            configuration: None,
            show_values,
            facts: Default::default(),
        };
        match check("plan.json", plan, &against) {
            Ok(report) => {
                let again = check("plan.json", plan, &against).expect("the same answers");
                assert_eq!(report.text(Colour::Never), again.text(Colour::Never));
                assert_eq!(report.to_json(), again.to_json());
                let obligations = report.obligations(text);
                let written = serde_json::to_vec(&obligations.to_json()).expect("JSON can be written");
                assert_eq!(Obligations::read(&written), Ok(obligations));
            }
            Err(problems) => assert!(!problems.is_empty()),
        }
    }
}

/// A text as provider schemas.
pub fn schemas(text: &[u8]) {
    let read = bounds::read(text, || ProviderSchemas::from_json(text));
    let again = ProviderSchemas::from_json(text);
    let schemas = match (read, again) {
        (Ok(schemas), Ok(again)) => {
            assert_eq!(schemas, again);
            schemas
        }
        (Err(error), Err(again)) => {
            assert_eq!((error.message(), error.path()), (again.message(), again.path()));
            return assert!(!error.message().is_empty());
        }
        _ => panic!("read twice, two answers"),
    };
    assert!(is_json(text));
    if let Ok(json) = schemas.to_json() {
        let written = serde_json::to_vec(&json).expect("JSON can be written");
        let again = ProviderSchemas::from_json(&written).expect("what was written reads");
        assert_eq!(again, schemas);
        assert_eq!(again.to_json().as_ref(), Ok(&json));
    }
    for provider in schemas.providers.values() {
        let resources = provider.resource_schemas.values().chain(provider.data_source_schemas.values());
        resources.chain(&provider.provider).for_each(|schema| used(schema, text));
    }
}

/// The type that a schema implies holds values, and they get the marks of the schema.
fn used(schema: &Schema, text: &[u8]) {
    let Ok(ty) = bounds::read(text, || schema.implied_type()) else { return };
    assert!(matches!(ty, Type::Object(_)));
    for value in [Value::null(ty.clone()), Value::unknown(ty.clone())] {
        let marks = schema.marks_for(&value);
        assert!(marks.is_empty(), "nothing is inside");
    }
    let Type::Object(object) = ty else { return };
    let nulls = object.iter().map(|(name, ty)| (name, Value::null(ty.clone())));
    let Ok(nulls) = Value::object(nulls) else { return };
    let marks = schema.marks_for(&nulls);
    let marked = nulls.mark_with_paths(&marks);
    assert_eq!(marked.contains_marks(), !marks.is_empty());
}
