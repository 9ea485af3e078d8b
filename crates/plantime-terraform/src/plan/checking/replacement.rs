//! Whether a planned change makes a new object in place of the old one.

use crate::plan::address::AddressPattern;
use crate::plan::knowledge::Planned;
use plantime::rule::{ForceNew, Misuse, Replaces, Request, Why};
use plantime::source::Position;
use plantime::unstable::value::equal;
use plantime::{Path, Type, Value};

/// A `change` block in an `assume` block of a rules file: which changes of an attribute make the provider replace the
/// resource.
#[derive(Clone, Debug, PartialEq)]
pub struct ForcesNew {
    /// The resources that the block is about.
    pub target: AddressPattern,
    /// The attribute, and which changes of it replace the resource.
    pub force_new: ForceNew,
    /// The location of the block in the rules file.
    pub position: Position,
}

/// Whether a planned change replaces the object (destroys it and creates a new one), and why.
///
/// | the plan | the rules file | answer |
/// |---|---|---|
/// | replaces | anything | yes: the plan is a fact |
/// | changes in place, or not | a part changes that forces it | yes |
/// | | such a part may change | maybe |
/// | | no such part changes | no |
/// | | says nothing | none |
#[derive(Clone, Debug, PartialEq)]
pub struct Replacement {
    /// Whether the change replaces the object: yes, no or maybe.
    pub answer: Replaces,
    /// The attributes, or the plan's reason, that force the replacement or may force it.
    pub forced_by: Vec<ForcedBy>,
    /// What a `maybe` depends on: the references that the unknown inputs were written with; the inputs themselves where the
    /// provider decides them.
    pub depends_on: Vec<String>,
    /// Whether a `change` block of the rules file is about this resource.
    pub(in crate::plan) is_in_rules_file: bool,
}

/// An attribute, or the plan's reason, that forces a replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForcedBy {
    /// The path of the attribute; where no attribute forces it, the reason that the plan gives.
    pub what: String,
    /// Whether the attribute is known to change.
    pub is_certain: bool,
    /// Whether the attribute is known to stay as it was, so that the plan alone says that it forces a replacement; never
    /// true of an attribute that is marked.
    pub is_unchanged: bool,
    /// The position of the `change` block in the rules file that says so; `None` if the plan says it.
    pub position: Option<Position>,
}

impl Replacement {
    /// The answer as a word: `yes`, `no` or `maybe`.
    pub fn word(&self) -> &'static str {
        match self.answer {
            Replaces::Yes => "yes",
            Replaces::No => "no",
            Replaces::Maybe(_) => "maybe",
        }
    }
}

/// Whether the change of a resource replaces it; `None` if neither the plan nor `stated`, the `change` blocks about it in
/// the rules file, says anything about it. Also returns the mistakes in these blocks.
pub(super) fn replacement(
    resource: &Planned<'_>,
    stated: &[&ForcesNew],
) -> (Option<Replacement>, Vec<(Position, Misuse)>) {
    let change = &resource.change.change;
    let Some(before) = &resource.before else { return (None, Vec::new()) };
    let planned = change.is_replacement();
    let mut forced_by = if planned { reasons_of_the_plan(resource, before) } else { Vec::new() };
    let (mut answer, mut misused, mut is_in_rules_file) = (Replaces::No, Vec::new(), false);
    let request = Request::new(&resource.after).before(before);
    for stated in stated {
        let path = stated.force_new.path();
        // A block about several types skips the types without the part.
        let several = stated.target.type_name().contains('*');
        if several && path.check_type(&resource.after.ty()).is_err() {
            continue;
        }
        match stated.force_new.check(&request) {
            Err(misuse) => misused.push((stated.position, misuse)),
            Ok(own) => {
                is_in_rules_file = true;
                let what = path.to_string();
                if own != Replaces::No && !forced_by.iter().any(|known| known.what == what) {
                    let is_certain = own == Replaces::Yes;
                    let position = Some(stated.position);
                    forced_by.push(ForcedBy { what, is_certain, is_unchanged: false, position });
                }
                answer = combined(answer, own);
            }
        }
    }
    if !planned && !is_in_rules_file {
        return (None, misused);
    }
    let answer = if planned { Replaces::Yes } else { answer };
    (Some(Replacement { answer, forced_by, depends_on: Vec::new(), is_in_rules_file }), misused)
}

/// The answer of two `change` blocks together: yes if one says yes, else maybe if one says maybe.
fn combined(a: Replaces, b: Replaces) -> Replaces {
    match (a, b) {
        (Replaces::Yes, _) | (_, Replaces::Yes) => Replaces::Yes,
        (Replaces::No, other) | (other, Replaces::No) => other,
        (Replaces::Maybe(a), Replaces::Maybe(b)) => {
            Replaces::Maybe(Why::new(a.inputs().iter().chain(b.inputs()).cloned()))
        }
    }
}

/// The attributes that force the replacement according to the plan; if it names none, the plan's reason as a word.
fn reasons_of_the_plan(resource: &Planned<'_>, before: &Value) -> Vec<ForcedBy> {
    let change = &resource.change.change;
    let mut forced_by: Vec<ForcedBy> = Vec::new();
    for path in &change.replace_paths {
        let what = visible_path(path, before, &resource.after).to_string();
        let (before, after) = (value_at(before, path), value_at(&resource.after, path));
        let is_equal = equal(&before, &after);
        let is_certain = is_equal == Some(false);
        // That a sensitive value stays the same is content (L5).
        let is_marked = before.contains_marks() || after.contains_marks();
        let is_unchanged = is_equal == Some(true) && !is_marked && what == path.to_string();
        match forced_by.iter_mut().find(|known| known.what == what) {
            Some(known) => {
                known.is_certain |= is_certain;
                known.is_unchanged &= is_unchanged;
            }
            None => forced_by.push(ForcedBy { what, is_certain, is_unchanged, position: None }),
        }
    }
    if forced_by.is_empty() {
        let what = match resource.change.action_reason.as_deref() {
            Some("replace_because_tainted") => "its being tainted",
            Some("replace_by_request") => "a request",
            Some("replace_by_triggers") => "replace_triggered_by",
            _ => "the provider",
        };
        forced_by.push(ForcedBy {
            what: what.to_owned(),
            is_certain: true,
            is_unchanged: false,
            position: None,
        });
    }
    forced_by
}

/// The value at a path; null if the path leads to nothing, unknown if that cannot be decided.
fn value_at(value: &Value, path: &Path) -> Value {
    value.get(path).unwrap_or_else(|error| match error.is_not_found() {
        true => Value::null(Type::Dynamic),
        false => Value::dynamic(),
    })
}

/// The path up to the first value that is marked in `before` or `after`: the path below a mark is content (L5).
fn visible_path(path: &Path, before: &Value, after: &Value) -> Path {
    let mut shown = Path::new();
    let mut sides = [before.clone(), after.clone()];
    for step in path.steps() {
        if sides.iter().any(Value::is_marked) {
            break;
        }
        let next = Path::from(std::slice::from_ref(step));
        sides = sides.map(|side| side.get(&next).unwrap_or_else(|_| Value::dynamic()));
        shown.push(step.clone());
    }
    shown
}
