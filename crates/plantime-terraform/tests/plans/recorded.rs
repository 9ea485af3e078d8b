//! Calls between Terraform's core and a provider, as they were recorded.

use std::fs;

use plantime::{Result, Value, msgpack};
use plantime_schema::{ProviderSchemas, Schema};
use serde_json::Value as Json;

use super::collection;

/// A call, with the schema that its values have.
pub(crate) struct Recorded<'a> {
    pub(crate) schema: &'a Schema,
    pub(crate) rpc: &'a str,
    line: &'a Json,
}

impl Recorded<'_> {
    /// A value of the request.
    pub(crate) fn value(&self, key: &str) -> Option<Value> {
        let bytes = bytes(self.line["request"][key]["msgpack"].as_str()?);
        Some(msgpack::from_slice(&bytes, self.schema.implied_type().unwrap()).unwrap())
    }

    /// A value of the response as core reads it, or why it cannot be one.
    pub(crate) fn answer(&self, key: &str) -> Option<Result<Value>> {
        let bytes = bytes(self.line["response"][key]["msgpack"].as_str()?);
        Some(msgpack::lenient::from_slice(&bytes, self.schema.implied_type().unwrap()))
    }
}

/// Every recorded call about a resource or data source.
pub(crate) fn recorded(visit: &mut dyn FnMut(&Recorded<'_>)) {
    let Some(root) = collection() else { return };
    let (log, schemas) = (
        root.join("provider-rpc/rpc-log.jsonl.gz"),
        root.join("provider-schemas/own/probe_and_builtin.json"),
    );
    if !log.is_file() || !schemas.is_file() {
        println!("skipped: there is no {} or no {}", log.display(), schemas.display());
        return;
    }
    let schemas = ProviderSchemas::from_json(&fs::read(schemas).unwrap()).unwrap();
    let provider = &schemas.providers["registry.terraform.io/h6/probe"];
    for line in crate::packed::lines(fs::File::open(log).unwrap()) {
        let line: Json = serde_json::from_str(&line).unwrap();
        let Some(name) = line["request"]["type_name"].as_str() else { continue };
        let rpc = line["rpc"].as_str().unwrap();
        let of_kind =
            if rpc.contains("Data") { &provider.data_source_schemas } else { &provider.resource_schemas };
        visit(&Recorded { schema: &of_kind[name], rpc, line: &line });
    }
}

pub(crate) fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}
