//! The plan of the values that a test writes.

use std::sync::Arc;

use super::{ObjectKind, PlannedObject, RuleTest, TestFile, without_line};
use crate::plan::address::{Key, parse_instance};
use crate::plan::knowledge::schema_of;
use crate::plan::without_plan::ReadPlaces;
use crate::plan::{Action, Change, Importing, Mode, Plan, ResourceChange, RulesFile, Sensitivity};
use plantime::source::Problem;
use plantime::{Type, Value, View};
use plantime_schema::{Block, Nesting, ProviderSchemas};

impl TestFile {
    /// The plan of the values that a test writes. What is not written is null: with a schema all its attributes are there, without one
    /// those that the rules read.
    ///
    /// # Errors
    ///
    /// Each value that does not fit its schema.
    pub(super) fn plan(
        &self,
        test: &RuleTest,
        objects: &[PlannedObject],
        (rules, schemas): (&RulesFile, &ProviderSchemas),
    ) -> Result<Plan, Vec<Problem>> {
        let places = ReadPlaces::new(rules);
        let mut plan = Plan {
            terraform_version: test.terraform_version.clone(),
            complete: (!test.is_complete).then_some(false),
            ..Plan::default()
        };
        let mut problems = Vec::new();
        for object in objects {
            match object.kind {
                ObjectKind::Resource(mode) => match resource(object, mode, &places, schemas) {
                    Ok(change) => plan.resource_changes.push(Arc::new(change)),
                    // A schema may say that what stands in the line is sensitive.
                    Err(message) => {
                        problems.push(without_line(&self.source.problem_at(object.position, message)));
                    }
                },
                ObjectKind::Output => {
                    let change = change_of(object, object.value.clone(), object.change.before.clone());
                    plan.output_changes.insert(object.address.clone(), change);
                }
                ObjectKind::Variable => {
                    plan.variables.insert(object.address.clone(), object.value.clone());
                }
            }
        }
        if problems.is_empty() { Ok(plan) } else { Err(problems) }
    }
}

/// The change of a resource.
fn resource(
    object: &PlannedObject,
    mode: Mode,
    places: &ReadPlaces<'_>,
    schemas: &ProviderSchemas,
) -> Result<ResourceChange, String> {
    let (address, key) =
        parse_instance(&object.address).ok_or_else(|| "this is no address of a resource".to_owned())?;
    let index = key.and_then(|key| match key {
        Key::Index(index) => Some(Value::from(index)),
        Key::Text(text) => Some(Value::from(text)),
        Key::Any => None,
    });
    let implied = || implied_provider(mode, &address.type_name, schemas);
    let provider = object.provider.clone().unwrap_or_else(implied);
    let mut change = ResourceChange {
        address: object.address.clone(),
        previous_address: object.change.previous_address.clone().map(String::into_boxed_str),
        module_address: address.module_address(),
        mode,
        type_name: address.type_name.as_str().into(),
        name: address.name.as_str().into(),
        index,
        has_unknown_index: false,
        provider_name: provider.into(),
        deposed: None,
        action_reason: None,
        change: Change::default(),
    };
    let written = &object.change.before;
    let before = written.as_ref().map(|before| merged(&object.value, before));
    let schema = schema_of(schemas, &change);
    let fit = |value: Value| match schema {
        Some(schema) => {
            let whole = with_nulls(&value, schema.block());
            let value = schema
                .block()
                .coerce(&whole)
                .map_err(|error| format!("this does not fit the schema: {error}"))?;
            Ok::<Value, String>(value.mark_with_paths(&schema.marks_for(&value)))
        }
        None => Ok(with_null_attributes(&value, places.attributes(&change))),
    };
    let (value, before) = (fit(object.value.clone())?, before.map(fit).transpose()?);
    change.change = change_of(object, value, before);
    Ok(change)
}

/// The change of a value. Its actions are those that the block `change` writes; otherwise they follow from whether there is a value before and after.
fn change_of(object: &PlannedObject, value: Value, before: Option<Value>) -> Change {
    let written = &object.change;
    let is_data = object.kind == ObjectKind::Resource(Mode::Data);
    let actions = match (written.actions.as_slice(), &before) {
        ([], _) if is_data && !value.is_wholly_known() => vec![Action::Read],
        ([], _) if is_data => vec![Action::NoOp],
        ([], None) if written.previous_address.is_some() || written.import_id.is_some() => vec![Action::NoOp],
        ([], None) => vec![Action::Create],
        ([], Some(before)) if *before == value => vec![Action::NoOp],
        ([], Some(_)) => vec![Action::Update],
        (actions, _) => actions.to_vec(),
    };
    let goes = actions.iter().all(|action| matches!(action, Action::Delete | Action::Forget));
    let stays = actions.iter().all(|action| *action == Action::NoOp);
    let has_before = !matches!(actions.as_slice(), [Action::Create | Action::Read]);
    let prior = || before.clone().unwrap_or_else(|| value.clone());
    Change {
        before: (has_before || stays).then(prior).or_else(|| before.clone()),
        after: (!goes).then(|| value.clone()),
        actions,
        before_sensitivity: Sensitivity::Stated,
        after_sensitivity: Sensitivity::Stated,
        replace_paths: written.replace_paths.clone(),
        importing: written
            .import_id
            .clone()
            .map(|id| Box::new(Importing { id: Some(id), ..Importing::default() })),
        ..Change::default()
    }
}

/// The value before: what `before` names, and all else as it is planned.
fn merged(planned: &Value, before: &Value) -> Value {
    let (View::Object(planned), View::Object(written)) = (planned.view(), before.view()) else {
        return before.clone();
    };
    let rest = planned.iter().filter(|(name, _)| written.get(name).is_none());
    Value::object(rest.chain(written.iter()).map(|(name, part)| (name, part.clone())))
        .unwrap_or_else(|_| before.clone())
}

/// The provider of a type where nobody says otherwise: the one among the schemas that has the type, else that of HashiCorp by the
/// beginning of the type.
pub(super) fn implied_provider(mode: Mode, ty: &str, schemas: &ProviderSchemas) -> String {
    let has = |name: &&String| match mode {
        Mode::Data => schemas.data_source(name, ty).is_some(),
        _ => schemas.resource(name, ty).is_some(),
    };
    match (schemas.providers.keys().find(has), ty.split('_').next().unwrap_or_default()) {
        (Some(name), _) => name.clone(),
        (None, "terraform") => "terraform.io/builtin/terraform".to_owned(),
        (None, name) => format!("registry.terraform.io/hashicorp/{name}"),
    }
}

/// The object with a null for each of these attributes that is not written.
fn with_null_attributes<'n>(value: &Value, names: impl IntoIterator<Item = &'n str>) -> Value {
    let View::Object(object) = value.view() else { return value.clone() };
    let null = Value::null(Type::Dynamic);
    let missing = names.into_iter().filter(|name| object.get(name).is_none()).map(|name| (name, &null));
    let parts = object.iter().chain(missing).map(|(name, part)| (name.to_owned(), part.clone()));
    Value::object(parts).unwrap_or_else(|_| value.clone())
}

/// The object with nulls for the required attributes that are not written, and with a single block where its schema has no list.
fn with_nulls(value: &Value, block: &Block) -> Value {
    let (bare, marks) = value.clone().unmark();
    let View::Object(object) = bare.view() else { return value.clone() };
    let mut parts: Vec<(String, Value)> = Vec::new();
    for (name, part) in object.iter() {
        let part = match block.block_types.get(name) {
            Some(nested) => {
                let is_single = matches!(nested.nesting, Nesting::Single | Nesting::Group);
                let only = match part.view() {
                    View::Tuple(tuple) if is_single && tuple.len() == 1 => tuple.iter().next().cloned(),
                    _ => None,
                };
                match only {
                    Some(only) => with_nulls(&only, &nested.block),
                    None if is_single => with_nulls(part, &nested.block),
                    None => part
                        .map_children(|_, child| with_nulls(child, &nested.block))
                        .unwrap_or_else(|| part.clone()),
                }
            }
            None => part.clone(),
        };
        parts.push((name.to_owned(), part));
    }
    let missing = block.attributes.keys().filter(|name| object.get(name).is_none());
    parts.extend(missing.map(|name| (name.clone(), Value::null(Type::Dynamic))));
    Value::object(parts).map_or_else(|_| value.clone(), |object| object.with_marks(&marks))
}
