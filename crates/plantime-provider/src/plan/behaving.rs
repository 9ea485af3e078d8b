//! The plan of a resource type that says how its attributes behave.

#[cfg(test)]
mod tests;

use plantime::{Mark, Marks, Path, Result, Type, Value, rule};
use plantime_schema::Schema;
use plantime_schema::planning::{Behaviours, PlanError, plan_resource};

use super::{Change, Plan, choose};
use crate::diagnostic::{Diagnostic, Outcome};

/// What rules say of a configuration: errors and warnings. They show nothing that is sensitive.
pub(crate) fn problems(schema: &Schema, behaviours: &Behaviours, config: &Value) -> Outcome<Vec<Diagnostic>> {
    match plan_resource(schema.block(), behaviours, &Value::null(Type::Dynamic), &hidden(schema, config)?) {
        Ok(planned) => Ok(planned.warnings.warnings().map(diagnostic).collect()),
        Err(PlanError::Configuration(found)) => {
            Ok(found.errors().chain(found.warnings()).map(diagnostic).collect())
        }
        Err(PlanError::Input(error)) => Err(error.into()),
        Err(error) => Err(error.to_string().into()),
    }
}

/// The plan of a change. It counts as known what is sensitive, and says nothing of it.
pub(super) fn plan(change: &Change, schema: &Schema, behaviours: &Behaviours) -> Outcome<Plan> {
    let block = schema.block();
    if let Ok(planned) = plan_resource(block, behaviours, &change.prior, &change.config) {
        let paths = planned.requires_replace.into_iter().map(|replacement| replacement.path);
        return Ok(Plan { requires_replace: paths.collect(), ..Plan::new(planned.value) });
    }
    // Once more, for texts without what is sensitive.
    let (prior, config) = (hidden(schema, &change.prior)?, hidden(schema, &change.config)?);
    let list: Vec<Diagnostic> = match plan_resource(block, behaviours, &prior, &config) {
        Err(PlanError::Configuration(found)) => found.errors().map(diagnostic).collect(),
        Err(PlanError::Input(error)) => return Err(error.into()),
        _ => vec![Diagnostic::error("A rule about a sensitive value is violated")],
    };
    Err(crate::Diagnostics::new(list))
}

/// The write-only parts of a configuration that are set.
pub(crate) fn write_only(schema: &Schema, config: &Value) -> Result<Vec<Path>> {
    let stored = choose::object(schema.block(), Some(config), config)?;
    let mut found = Vec::new();
    config.walk(|path, part| {
        let is_secret = !part.is_null() && stored.get(path).is_ok_and(|stored| stored.is_null());
        if is_secret {
            found.push(path.clone());
        }
        !is_secret
    });
    Ok(found)
}

/// The value in which what is sensitive or write-only is marked so.
fn hidden(schema: &Schema, value: &Value) -> Result<Value> {
    let sensitive = || Marks::from(Mark::SENSITIVE);
    let marked = schema.marks_for(value).into_iter().filter(|(_, marks)| marks.contains(&Mark::SENSITIVE));
    let paths: Vec<(Path, Marks)> = marked
        .map(|(path, _)| path)
        .chain(write_only(schema, value)?)
        .map(|path| (path, sensitive()))
        .collect();
    Ok(value.mark_with_paths(&paths))
}

/// What a rule found, for the host.
fn diagnostic(found: &rule::Diagnostic) -> Diagnostic {
    let base = match found.severity {
        rule::Severity::Warning => Diagnostic::warning(found.summary.clone()),
        _ => Diagnostic::error(found.summary.clone()),
    };
    base.detail(found.detail.clone()).at(found.path.clone())
}
