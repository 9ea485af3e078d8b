//! The plan of a resource type that says how its attributes behave.

#[cfg(test)]
mod tests;

use plantime::{Mark, Marks, Path, Result, Value, rule};
use plantime_schema::Schema;
use plantime_schema::planning::{Behaviours, PlanError, check_configuration, plan_resource};

use super::{Change, Plan, choose};
use crate::diagnostic::{Diagnostic, Outcome};

/// What the schema and rules say of a configuration: errors and warnings. They show nothing that is sensitive.
///
/// A resource type that says nothing of itself is held to what both Go kits hold one to: errors in the words of the framework,
/// warnings in those of the SDK.
pub(crate) fn problems(
    schema: &Schema,
    behaviours: Option<&Behaviours>,
    config: &Value,
) -> Outcome<Vec<Diagnostic>> {
    let config = hidden(schema, config)?;
    let check = |behaviours: &Behaviours| check_configuration(schema.block(), behaviours, &config);
    let (errors, warnings) = match behaviours {
        Some(behaviours) => {
            let found = check(behaviours)?;
            (found.clone(), found)
        }
        None => (check(&Behaviours::framework())?, check(&Behaviours::sdk())?),
    };
    Ok(errors.errors().chain(warnings.warnings()).map(diagnostic).collect())
}

/// Fails with the errors that the schema and rules find in a configuration.
pub(crate) fn errors(schema: &Schema, behaviours: Option<&Behaviours>, config: &Value) -> Outcome<()> {
    let framework;
    let behaviours = match behaviours {
        Some(behaviours) => behaviours,
        None => {
            framework = Behaviours::framework();
            &framework
        }
    };
    if !check_configuration(schema.block(), behaviours, config)?.has_error() {
        return Ok(());
    }
    // Once more, for texts without what is sensitive.
    let found = check_configuration(schema.block(), behaviours, &hidden(schema, config)?)?;
    let list: Vec<Diagnostic> = found.errors().map(diagnostic).collect();
    match list.is_empty() {
        true => Err(Diagnostic::error("A rule about a sensitive value is violated").into()),
        false => Err(crate::Diagnostics::new(list)),
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
pub(crate) fn hidden(schema: &Schema, value: &Value) -> Result<Value> {
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
pub(crate) fn diagnostic(found: &rule::Diagnostic) -> Diagnostic {
    let base = match found.severity {
        rule::Severity::Warning => Diagnostic::warning(found.summary.clone()),
        _ => Diagnostic::error(found.summary.clone()),
    };
    base.detail(found.detail.clone()).at(found.path.clone())
}
