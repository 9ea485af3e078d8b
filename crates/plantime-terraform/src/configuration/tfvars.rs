//! The values of variables that lie beside a root module: `terraform.tfvars`, `*.auto.tfvars`, and both in JSON.

use std::collections::BTreeMap;

use super::files::Files;
use super::module::source;
use super::validate::constant_problems;
use plantime::Value;
use plantime::source::Source;
use plantime_hcl::Body;
use plantime_hcl::unstable::Problems;
use plantime_hcl::unstable::{JsonKind, parse_json};
use plantime_hcl::{Diagnostic, Diagnostics, Expression, Scope};

/// The values of variables in all these files; if several files set a variable, the last of them counts.
pub(super) fn read(files: &dyn Files, problems: &mut Problems) -> BTreeMap<String, Value> {
    let mut names: Vec<String> = files.entries("");
    names.retain(|name| {
        matches!(name.as_str(), "terraform.tfvars" | "terraform.tfvars.json")
            || name.ends_with(".auto.tfvars")
            || name.ends_with(".auto.tfvars.json")
    });
    names.sort_by_key(|name| (!name.starts_with("terraform.tfvars"), name.clone()));
    let mut values = BTreeMap::new();
    for name in names {
        let Some(source) = source(files, &name, problems) else { continue };
        values.extend(read_file(&source, problems));
    }
    values
}

/// The values in one file.
pub(super) fn read_file(source: &Source, problems: &mut Problems) -> BTreeMap<String, Value> {
    let mut expressions: Vec<(String, Expression)> = Vec::new();
    if source.name().ends_with(".json") {
        // Strings are values, not templates.
        let Some(JsonKind::Object(properties)) = parse_json(source, problems).map(|json| json.kind) else {
            return BTreeMap::new();
        };
        return match plantime::json::from_str(source.text()) {
            Ok(values) => {
                let value = |name: &str| values.get_attr(name).ok();
                properties.iter().filter_map(|one| Some((one.name.clone(), value(&one.name)?))).collect()
            }
            Err(error) => {
                let message = format!("{}.", error.message());
                problems.push(Diagnostic::new(source, 0..0, "Invalid JSON value", message));
                BTreeMap::new()
            }
        };
    } else {
        let body: Body = Body::parse_file(source, problems);
        expressions
            .extend(body.arguments.into_iter().map(|argument| (argument.name.into(), argument.expression)));
    }
    let scope = BTreeMap::new();
    let mut values = BTreeMap::new();
    for (name, expression) in expressions {
        let reference_problems = constant_problems(&expression);
        if !reference_problems.is_empty() {
            problems.extend(reference_problems);
            continue;
        }
        match expression.evaluate(&Scope::new(&scope)) {
            Ok(value) => drop(values.insert(name, value)),
            Err(more) => problems.extend(more.iter().cloned()),
        }
    }
    values
}

/// The values in a text, for [`super::read_variables`].
pub(super) fn read_text(source: &Source) -> Result<BTreeMap<String, Value>, Diagnostics> {
    let mut problems = Problems::default();
    let values = read_file(source, &mut problems);
    Diagnostics::of(problems).map_or(Ok(values), Err)
}
