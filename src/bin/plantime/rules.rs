//! `plantime rules`.

use std::process::ExitCode;

use plantime::plan::Unusable;
use plantime::rule::{Manual, keyword, keywords};
use serde_json::{Value as Json, json};

use crate::args::Rules;
use crate::output;

pub(crate) fn rules(arguments: &Rules) -> ExitCode {
    let (text, mut errors) = match manuals(arguments.name.as_deref()) {
        Ok(manuals) => (written(&manuals, &arguments.format), Vec::new()),
        Err(error) => (String::new(), vec![Unusable::new(error.to_string())]),
    };
    errors.extend(output::write(&text).err());
    output::errors(&errors);
    ExitCode::from(if errors.is_empty() { 0 } else { 2 })
}

fn manuals(name: Option<&str>) -> plantime::Result<Vec<Manual>> {
    match name {
        Some(name) => Ok(vec![keyword(name)?.manual()?]),
        None => keywords().iter().map(|keyword| keyword.manual()).collect(),
    }
}

fn written(manuals: &[Manual], format: &str) -> String {
    let each = |write: fn(&Manual) -> String| manuals.iter().map(write).collect::<Vec<_>>().join("\n");
    match format {
        "json" => format!(
            "{:#}\n",
            json!({ "format_version": "1.0", "rules": manuals.iter().map(to_json).collect::<Vec<_>>() })
        ),
        "markdown" => each(Manual::section),
        _ => each(Manual::text),
    }
}

fn to_json(manual: &Manual) -> Json {
    let systems = manual.in_systems().map(|(system, names)| (system.name().to_owned(), json!(names)));
    let systems: serde_json::Map<String, Json> = systems.collect();
    json!({
        "name": manual.keyword.name,
        "aliases": manual.keyword.aliases,
        "systems": systems,
        "takes": manual.keyword.argument.describe(),
        "short_for": manual.keyword.composed.then_some(&manual.rule),
        "description": manual.keyword.description,
        "example": manual.example,
        "says": manual.says,
        "markdown": manual.markdown,
        "on_null": manual.null,
        "on_unknown": manual.unknown,
        "message": manual.message,
    })
}
