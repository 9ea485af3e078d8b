//! Words of Terraform's plan that the rendered plan and the reports of a check have in common.

use std::borrow::Cow;

use super::{Action, Mode, ResourceChange};
use plantime::unstable::text::QuotedInMessage;

/// The program that made the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Program {
    Terraform,
    OpenTofu,
}

impl Program {
    /// The program that planned a resource, by the registry of its provider.
    pub(super) fn of(resource: &ResourceChange) -> Program {
        match resource.provider_name.starts_with("registry.opentofu.org/") {
            true => Program::OpenTofu,
            false => Program::Terraform,
        }
    }

    /// The name of the program in sentences.
    pub(super) fn name(self) -> &'static str {
        match self {
            Program::Terraform => "Terraform",
            Program::OpenTofu => "OpenTofu",
        }
    }
}

/// The words for a planned action, such as `must be replaced`: what comes before the word that is highlighted, that word (empty
/// if there is none), and what comes after it. Nobody has words for a resource that is forgotten or moves: those of the
/// program are used.
pub(super) fn action_words(resource: &ResourceChange) -> (Cow<'static, str>, &'static str, &'static str) {
    let change = &resource.change;
    if let Some(unknown) = change.actions.iter().find(|action| matches!(action, Action::Other(_))) {
        // An action that this version does not know may do anything, so nothing is claimed.
        return (format!("has an action that is not known here: {}", unknown.as_str()).into(), "", "");
    }
    let (before, highlighted, after) = match change.actions.as_slice() {
        [Action::Configured] if resource.has_unknown_index => {
            ("is configured, each instance, if any", "", "")
        }
        [Action::Configured] => ("is configured", "", ""),
        [Action::Create] => ("will be created", "", ""),
        [Action::Read] => ("will be read during apply", "", ""),
        [Action::Update] => ("will be updated in-place", "", ""),
        [Action::Delete] => ("will be ", "destroyed", ""),
        _ if change.is_replacement() => match resource.action_reason.as_deref() {
            Some("replace_because_tainted") => match Program::of(resource) {
                Program::Terraform => ("is tainted, so must be ", "replaced", ""),
                Program::OpenTofu => ("is tainted, so it must be ", "replaced", ""),
            },
            Some("replace_by_request") => ("will be ", "replaced", ", as requested"),
            Some("replace_by_triggers") => {
                ("will be ", "replaced", " due to changes in replace_triggered_by")
            }
            _ => ("must be ", "replaced", ""),
        },
        [Action::NoOp] if resource.mode == Mode::Data => ("was read while planning", "", ""),
        _ if change.importing.is_some() => ("will be imported", "", ""),
        _ => ("stays as it is", "", ""),
    };
    (before.into(), highlighted, after)
}

/// The planned action as what the plan would do: `update it in place`.
pub(super) fn action_in_words(resource: &ResourceChange) -> String {
    let change = &resource.change;
    let words = match change.actions.as_slice() {
        [Action::Create] => "create it",
        [Action::Read] => "read it during the apply",
        [Action::Update] => "update it in place",
        [Action::Delete] => "destroy it",
        [Action::Forget] => "remove it from the state",
        _ if change.is_replacement() => "replace it",
        _ if change.importing.is_some() => "import it",
        _ => "leave it as it is",
    };
    words.to_owned()
}

/// The line that opens a resource: `resource "aws_vpc" "main"`.
pub(super) fn header(resource: &ResourceChange) -> String {
    let kind = match resource.mode {
        Mode::Data => "data",
        Mode::Ephemeral => "ephemeral",
        Mode::Managed | Mode::Other => "resource",
    };
    format!("{kind} {} {}", QuotedInMessage(&resource.type_name), QuotedInMessage(&resource.name))
}

/// The two lines of the warning that the change makes a value sensitive, or no longer sensitive, without `# `: the first begins
/// with the word `Warning`.
pub(super) fn mark_warning(becomes_sensitive: bool) -> [&'static str; 2] {
    match becomes_sensitive {
        true => [
            "Warning: this attribute value will be marked as sensitive and will not",
            "display in UI output after applying this change.",
        ],
        false => [
            "Warning: this attribute value will no longer be marked as sensitive",
            "after applying this change.",
        ],
    }
}

/// The name among known ones that a misspelt one probably means; `None` if none is near.
///
/// ```
/// use plantime_terraform::plan::nearest_name;
///
/// assert_eq!(nearest_name("aws_vcp", ["aws_vpc", "aws_subnet"]), Some("aws_vpc"));
/// assert_eq!(nearest_name("google_project", ["aws_vpc", "aws_subnet"]), None);
/// ```
pub fn nearest_name<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    plantime::unstable::text::nearest(name, known)
}
