//! What a provider returns, held against its schema and its plan: what is wrong names the place, with the text of the host.
//!
//! Hosts check the same, but what they show of it names the place only where the configuration has it, which it never has of what is
//! computed.

use plantime::{Path, Step, Type, Value, View};
use plantime_schema::Schema;
use plantime_schema::planning::{TypeSystem, assert_object_compatible, assert_refines};

use crate::diagnostic::{Diagnostic, Diagnostics, Outcome};
use crate::plan::write_only;
use crate::provider::Provider;
use crate::wire;

/// What returned a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Returned {
    Planned,
    Applied,
    Read,
    Imported,
    OfData,
    Opened,
}

impl Returned {
    /// The summary of an error about a value that is none of the schema.
    fn summary(self) -> &'static str {
        match self {
            Returned::Planned => "Provider produced invalid plan",
            Returned::Applied | Returned::Read | Returned::OfData => "Provider produced invalid object",
            Returned::Imported => "Provider produced invalid object for import",
            Returned::Opened => "Provider produced invalid ephemeral resource instance",
        }
    }

    /// What the provider did.
    fn verb(self) -> &'static str {
        match self {
            Returned::Planned => "planned an invalid value",
            Returned::Applied => "produced an invalid value after apply",
            Returned::Read => "produced an invalid value during refresh",
            Returned::Imported => "produced an invalid value during import",
            Returned::OfData => "produced an invalid value",
            Returned::Opened => "produced an invalid value",
        }
    }
}

/// The end of every text about a promise that a provider does not keep.
const BUG: &str =
    "This is a bug in the provider, which should be reported in the provider's own issue tracker.";

/// The place in a text, as hosts write it.
fn place(path: &Path) -> String {
    let mut text = String::new();
    for step in path.steps() {
        match step {
            Step::Attr(name) => text.push_str(&format!(".{}", name.as_str())),
            // The step to a member of a set is the member, with all that may be secret in it.
            Step::Index(key) => match key.view() {
                View::String(key) => text.push_str(&format!("[{key:?}]")),
                View::Number(index) => text.push_str(&format!("[{index}]")),
                _ => text.push_str("[...]"),
            },
        }
    }
    text
}

/// Fails if the value does not conform to the schema, with an error for each place.
pub(super) fn typed(
    provider: &Provider,
    of: &str,
    schema: &Schema,
    value: &Value,
    returned: Returned,
) -> Outcome<()> {
    let mut wrong = Vec::new();
    misfits(value, schema.implied_type()?, &mut Path::new(), &mut wrong);
    let diagnostic = |(path, text): (Path, String)| {
        let place = place(&path);
        let colon = if place.is_empty() { "" } else { ": " };
        let detail = format!(
            "Provider {:?} {} for {of}: {place}{colon}{text}.\n\n{BUG}",
            provider.name,
            returned.verb()
        );
        Diagnostic::error(returned.summary()).detail(detail).at(path)
    };
    if wrong.is_empty() { Ok(()) } else { Err(Diagnostics::new(wrong.into_iter().map(diagnostic).collect())) }
}

/// Like [`typed`], and fails where a part of the value is unknown, or a write-only attribute is set.
pub(super) fn known(
    provider: &Provider,
    of: &str,
    schema: &Schema,
    value: &Value,
    returned: Returned,
) -> Outcome<()> {
    typed(provider, of, schema, value, returned)?;
    let wrong = unknown_or_write_only(provider, of, schema, value, returned)?;
    if wrong.is_empty() { Ok(()) } else { Err(Diagnostics::new(wrong)) }
}

/// Errors for the unknown parts of a value, and for write-only attributes that it sets.
fn unknown_or_write_only(
    provider: &Provider,
    of: &str,
    schema: &Schema,
    value: &Value,
    returned: Returned,
) -> Outcome<Vec<Diagnostic>> {
    let mut found = Vec::new();
    value.walk(|path, part| {
        let is_open = matches!(part.view(), View::Unknown(_) | View::Dynamic);
        if is_open {
            let place = place(path);
            let (summary, detail) = match returned {
                Returned::Applied => (
                    "Provider returned invalid result object after apply",
                    format!(
                        "After the apply operation, the provider still indicated an unknown value for {of}{place}. All values must be known after apply, so this is always a bug in the provider and should be reported in the provider's own repository. The other known object values are saved in the state."
                    ),
                ),
                _ => (
                    returned.summary(),
                    format!("Provider {:?} produced a value for {of} that is not wholly known: {place} is unknown.\n\n{BUG}", provider.name),
                ),
            };
            found.push(Diagnostic::error(summary).detail(detail).at(path.clone()));
        }
        !is_open
    });
    for path in write_only(schema, value)? {
        let place = place(&path);
        found.push(
            Diagnostic::error("Write-only attribute set")
                .detail(format!("Provider {:?} returned a value for the write-only attribute \"{of}{place}\". Write-only attributes cannot be read back from the provider. {BUG}", provider.name))
                .at(path),
        );
    }
    Ok(found)
}

/// The promises that the state after an apply does not keep: it is to be wholly known, and what was planned.
pub(super) fn broken(
    provider: &Provider,
    of: &str,
    schema: &Schema,
    planned: &Value,
    state: &Value,
    system: TypeSystem,
) -> Outcome<Vec<Diagnostic>> {
    let mut found = unknown_or_write_only(provider, of, schema, state, Returned::Applied)?;
    // What is said above is not said again.
    let said: Vec<Path> = found.iter().map(|one| one.path.clone()).collect();
    let mut violations = match system {
        TypeSystem::Strict => assert_object_compatible(schema.block(), planned, state, system)?.violations,
        _ => Vec::new(),
    };
    if violations.is_empty() && said.is_empty() {
        // What core does not compare, or tolerates: facts about what was unknown.
        let secret = schema.marks_for(planned);
        let hidden = |value: &Value| value.mark_with_paths(&secret);
        planned.walk(|path, part| {
            let is_open = matches!(part.view(), View::Unknown(_));
            if is_open
                && let Ok(actual) = state.get(path)
                && !part.may_become(&actual)
            {
                let parts = hidden(planned).get(path).and_then(|part| Ok((part, hidden(state).get(path)?)));
                let broken = parts.map(|(part, actual)| assert_refines(&part, &actual)).unwrap_or_default();
                let texts =
                    broken.iter().map(|one| (path.clone(), format!("{}: {}", place(path), one.message())));
                found.extend(texts.map(|(path, text)| inconsistent(provider, of, path, &text)));
            }
            !is_open
        });
        if found.is_empty() && system == TypeSystem::Strict && !planned.may_become(state) {
            violations = assert_refines(&hidden(planned), &hidden(state));
        }
    }
    for violation in violations.iter().filter(|violation| !said.contains(violation.path())) {
        found.push(inconsistent(provider, of, violation.path().clone(), &violation.to_string()));
    }
    Ok(found)
}

/// The error about a value that is not what was planned.
fn inconsistent(provider: &Provider, of: &str, path: Path, text: &str) -> Diagnostic {
    let detail = format!(
        "When applying changes to {of}, provider {:?} produced an unexpected new value: {text}.\n\n{BUG}",
        provider.name
    );
    Diagnostic::error("Provider produced inconsistent result after apply").detail(detail).at(path)
}

/// Adds the places where a value has another type, with what the type wants there.
fn misfits(value: &Value, ty: &Type, path: &mut Path, wrong: &mut Vec<(Path, String)>) {
    if ty.covers(&value.ty()) {
        return;
    }
    let before = wrong.len();
    match (value.view(), ty) {
        (View::Object(entries), Type::Object(object)) => {
            for (name, _) in entries.iter().filter(|(name, _)| object.get(name).is_none()) {
                wrong.push((path.clone().attr(name), format!("unsupported attribute {name:?}")));
            }
            for (name, ty) in object.iter() {
                match entries.get(name) {
                    Some(part) => {
                        path.push(Step::attr(name));
                        misfits(part, ty, path, wrong);
                        path.pop();
                    }
                    None => wrong.push((path.clone().attr(name), format!("attribute {name:?} is required"))),
                }
            }
        }
        (_, Type::List(_) | Type::Set(_) | Type::Map(_)) if value.elements().next().is_some() => {
            let element = match ty {
                Type::List(list) => list.element(),
                Type::Set(set) => set.element(),
                Type::Map(map) => map.element(),
                _ => return,
            };
            for (step, part) in value.elements() {
                path.push(step);
                misfits(part, element, path, wrong);
                path.pop();
            }
        }
        _ => {}
    }
    // A list may be sent as a tuple, and a null is one of each type.
    if wrong.len() == before && wire::encode(value, ty).is_err() {
        let (is, wanted) = (value.ty(), ty);
        wrong.push((path.clone(), format!("{wanted} is required, but this is {is}")));
    }
}

/// The value as one of the type itself, such as a list that was returned as a tuple.
pub(super) fn normalized(value: Value, ty: &Type) -> plantime::Result<Value> {
    if ty.covers(&value.ty()) { Ok(value) } else { wire::decode(Some(&wire::encode(&value, ty)?), ty) }
}

/// The value in which nothing is set that is stored nowhere.
pub(super) fn without_write_only(schema: &Schema, value: Value) -> plantime::Result<Value> {
    let secret = write_only(schema, &value)?;
    if secret.is_empty() {
        return Ok(value);
    }
    value.transform(|path, part| Ok(if secret.contains(path) { Value::null(part.ty()) } else { part }))
}
