//! Renders one resource: the sentence about its action, the reasons, the block with its differences.

use super::compare::{CompareOptions, Sides, Undeclared, compare_block};
use super::diff_node::{DiffAction, DiffNode};
use super::relative_paths::RelativePaths;
use super::styled_text::{Style, StyledText};
use super::write::DiffWriter;
use crate::plan::checking::is_unstated;
use crate::plan::knowledge::side_marks::sides_with_common_marks;
use crate::plan::report::render::Markup;
use crate::plan::words::{Program, action_words, header};
use crate::plan::{Action, Mode, ResourceChange};
use plantime::{Mark, Value, View};
use plantime_schema::{ProviderSchemas, Schema};

/// The section of the text that a resource is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    /// Changes made outside of Terraform.
    Drift,
    /// Planned changes.
    Planned,
}

/// A resource, and the difference between its values before and after.
pub(super) struct ResourceDiff<'p> {
    pub(super) resource: &'p ResourceChange,
    pub(super) body: DiffNode,
    section: Section,
    program: Program,
    /// Whether all values are hidden, because neither the plan nor a schema says which are sensitive.
    is_unstated: bool,
}

/// The indent of the symbol of an action, and the parts of the symbol with their styles.
type Symbol = (&'static str, &'static [(Style, &'static str)]);

const CREATE: Symbol = ("  ", &[(Style::Green, "+")]);
const UPDATE: Symbol = ("  ", &[(Style::Yellow, "~")]);
const DELETE: Symbol = ("  ", &[(Style::Red, "-")]);
const NO_SYMBOL: Symbol = ("    ", &[]);

/// The symbol of planned actions.
fn planned_symbol(actions: &[Action], program: Program) -> Symbol {
    const SLASH: (Style, &str) = (Style::Plain, "/");
    match actions {
        [Action::Create] => CREATE,
        [Action::Update] => UPDATE,
        [Action::Delete] => DELETE,
        [Action::Read] => (" ", &[(Style::Cyan, "<=")]),
        [Action::Delete, Action::Create] => ("", &[(Style::Red, "-"), SLASH, (Style::Green, "+")]),
        [Action::Create, Action::Delete] => ("", &[(Style::Green, "+"), SLASH, (Style::Red, "-")]),
        [Action::Forget, Action::Create] => ("", &[(Style::Red, "."), SLASH, (Style::Green, "+")]),
        [Action::Forget] => (forget_indent(program), &[(Style::Red, ".")]),
        actions if actions.iter().any(|action| matches!(action, Action::Other(_))) => {
            ("  ", &[(Style::Yellow, "?")])
        }
        _ => NO_SYMBOL,
    }
}

/// The symbol of a planned change and the header of its block: `  + resource "aws_vpc" "main"`.
pub(in crate::plan) fn planned_header(markup: Markup, resource: &ResourceChange) -> String {
    let mut output = StyledText::new(markup);
    let (indent, parts) = planned_symbol(&resource.change.actions, Program::of(resource));
    output.plain(indent);
    output.symbol(parts);
    output.plain(&header(resource));
    output.text
}

/// The object with each attribute marked as sensitive.
fn hidden_attributes(value: &Value) -> Value {
    value.rebuilt(&mut |_, attribute| attribute.clone().mark(Mark::SENSITIVE))
}

/// The schema of a resource, data source or ephemeral resource.
fn schema_of<'s>(resource: &ResourceChange, schemas: &'s ProviderSchemas) -> Option<&'s Schema> {
    let (provider, name) = (&resource.provider_name, &resource.type_name);
    match resource.mode {
        Mode::Managed => schemas.resource(provider, name),
        Mode::Data => schemas.data_source(provider, name),
        Mode::Ephemeral => schemas.ephemeral_resource(provider, name),
        Mode::Other => None,
    }
}

impl<'p> ResourceDiff<'p> {
    /// Compares the values of a resource before and after.
    pub(super) fn new(
        resource: &'p ResourceChange,
        schemas: &ProviderSchemas,
        section: Section,
        relevant_paths: RelativePaths<'_>,
        (program, options): (Program, CompareOptions),
    ) -> ResourceDiff<'p> {
        let change = &resource.change;
        let is_unstated = !options.shows_unstated && is_unstated(resource, schemas);
        let (before, after) = if is_unstated {
            (change.before.as_ref().map(hidden_attributes), change.after.as_ref().map(hidden_attributes))
        } else if options.hides_marked_content {
            sides_with_common_marks(change)
        } else {
            (change.before.clone(), change.after.clone())
        };
        let is_forgotten = change.actions == [Action::Forget];
        let sides = Sides {
            before: before.as_ref(),
            after: if is_forgotten { before.as_ref() } else { after.as_ref() },
            replace_paths: RelativePaths::of(&change.replace_paths),
            relevant_paths,
            tells_empty: false,
        };
        let is_relevant = section == Section::Planned || sides.relevant_paths.overlap_value();
        let sides = if is_relevant { sides } else { sides.unchanged() };
        let schema = schema_of(resource, schemas).map(Schema::block);
        let is_builtin = resource.provider_name.ends_with("/builtin/terraform");
        let undeclared = if is_builtin { Undeclared::Anything } else { Undeclared::Text };
        let mut body = compare_block(&sides, schema, undeclared, options);
        body.forces_replacement = false;
        ResourceDiff { resource, body, section, program, is_unstated }
    }

    /// Whether the text contains the resource: it changes, moves or is imported.
    pub(super) fn has_visible_change(&self) -> bool {
        match self.section {
            Section::Drift => {
                self.resource.mode == Mode::Managed
                    && (self.body.action != DiffAction::Unchanged || has_moved(self.resource))
            }
            Section::Planned => is_listed(self.resource),
        }
    }

    /// What happened to an object that changed outside of Terraform.
    fn drift(&self) -> DiffAction {
        let is_gone = self.resource.change.actions == [Action::Delete];
        if is_gone && self.body.action != DiffAction::Unchanged {
            DiffAction::Delete
        } else {
            self.body.action
        }
    }

    /// The indent of the symbol of its action, and the parts of the symbol with their styles.
    fn symbol(&self) -> Symbol {
        match self.section {
            Section::Planned => planned_symbol(&self.resource.change.actions, self.program),
            Section::Drift => match self.drift() {
                DiffAction::Unchanged => NO_SYMBOL,
                DiffAction::Create => CREATE,
                DiffAction::Delete => DELETE,
                DiffAction::Update => UPDATE,
            },
        }
    }

    /// Writes the symbol of its action, and a space if there is one.
    fn write_symbol(&self, writer: &mut DiffWriter<'_>) {
        writer.output.symbol(self.symbol().1);
    }

    /// Writes the symbol, the address and the action, without a line end.
    pub(super) fn write_summary(&self, writer: &mut DiffWriter<'_>) {
        self.write_symbol(writer);
        writer.output.styled(Style::Bold, &self.subject());
        writer.output.plain(" ");
        self.write_action(writer);
    }

    /// The indent of its comments.
    fn comment_indent(&self) -> &'static str {
        let is_forgotten =
            self.resource.change.actions == [Action::Forget] && self.section == Section::Planned;
        if is_forgotten { forget_indent(self.program) } else { "  " }
    }

    /// Writes the resource: the sentence about its action, the reasons, the block.
    pub(super) fn write(&self, writer: &mut DiffWriter<'_>) {
        let indent = self.comment_indent();
        writer.output.plain(indent);
        writer.output.styled(Style::Bold, &format!("# {}", self.subject()));
        writer.output.plain(" ");
        self.write_action(writer);
        writer.output.end_line();
        self.write_content(writer);
    }

    /// Writes the reasons for the action as comments, then the block with its attributes.
    pub(super) fn write_content(&self, writer: &mut DiffWriter<'_>) {
        let indent = self.comment_indent();
        for reason in self.reasons() {
            writer.output.plain(indent);
            writer.output.plain(&format!("# ({reason})"));
            writer.output.end_line();
        }
        let change = &self.resource.change;
        if change.importing.is_some() && change.has_action(&Action::Delete) {
            writer.output.plain(indent);
            writer.output.plain("# Warning: this will destroy the imported resource");
            writer.output.end_line();
        }
        writer.output.plain(self.symbol().0);
        self.write_symbol(writer);
        writer.output.plain(&format!("{} ", header(self.resource)));
        writer.write_body(&self.body, self.resource.change.importing.is_some());
        writer.output.end_line();
    }

    /// The address as the first comment has it, with the key of a deposed object.
    fn subject(&self) -> String {
        let resource = self.resource;
        let address = match &resource.previous_address {
            Some(previous) if self.is_only_moved() => &**previous,
            _ => resource.address.as_str(),
        };
        match &resource.deposed {
            Some(key) => format!("{address} (deposed object {key})"),
            None => address.to_owned(),
        }
    }

    /// Whether it moves and does not change.
    fn is_only_moved(&self) -> bool {
        let is_still = match self.section {
            Section::Drift => self.body.action == DiffAction::Unchanged,
            Section::Planned => self.resource.change.is_no_op(),
        };
        is_still && has_moved(self.resource)
    }

    /// Writes the action in the words of the program: `will be created`.
    fn write_action(&self, writer: &mut DiffWriter<'_>) {
        let output = &mut *writer.output;
        if self.section == Section::Drift {
            let words = match self.drift() {
                DiffAction::Delete => "has been deleted".to_owned(),
                DiffAction::Unchanged if has_moved(self.resource) => {
                    format!("has moved to {}", self.resource.address)
                }
                _ => "has changed".to_owned(),
            };
            return output.plain(&words);
        }
        if self.resource.change.actions == [Action::Forget] {
            return output.plain(match self.program {
                Program::Terraform => "will no longer be managed by Terraform, but will not be destroyed",
                Program::OpenTofu => "will be removed from the OpenTofu state but will not be destroyed",
            });
        }
        if self.is_only_moved() {
            return output.plain(&format!("has moved to {}", self.resource.address));
        }
        let (before, highlighted, after) = action_words(self.resource);
        output.plain(&before);
        output.styled(Style::Red, highlighted);
        output.plain(after);
    }

    /// The reasons in the words of the program: each becomes a comment in brackets.
    fn reasons(&self) -> Vec<String> {
        let resource = self.resource;
        let mut reasons = Vec::new();
        if self.section == Section::Drift {
            if has_moved(self.resource) && self.body.action != DiffAction::Unchanged {
                reasons.extend(resource.previous_address.as_ref().map(|from| format!("moved from {from}")));
            }
            return reasons;
        }
        reasons.extend(self.action_reason());
        if resource.deposed.is_some() && resource.change.actions == [Action::Delete] {
            reasons.push("left over from a partially-failed replacement of this instance".to_owned());
        }
        if has_moved(self.resource) && !resource.change.is_no_op() {
            reasons.extend(resource.previous_address.as_ref().map(|from| format!("moved from {from}")));
        }
        if let Some(importing) = resource.change.importing.as_deref() {
            if resource.change.is_no_op() && !self.is_only_moved() {
                // The comment above already says that it will be imported.
            } else if let Some(id) = &importing.id {
                // Terraform does not escape quotes in it.
                reasons.push(format!("imported from \"{id}\""));
            } else if importing.unknown {
                reasons.push("will be imported first, from an id that is known after apply".to_owned());
            } else if importing.identity.is_some() {
                reasons.push("imported using its resource identity".to_owned());
            }
        }
        if self.is_unstated {
            reasons.push(
                "its values are not shown: neither the plan nor a schema says what is sensitive".to_owned(),
            );
        }
        if resource.change.generated_config.is_some() {
            reasons.push("config will be generated".to_owned());
        }
        reasons
    }

    /// The reason that the plan gives for the action.
    fn action_reason(&self) -> Option<String> {
        let resource = self.resource;
        let key = || resource.index.as_ref().map(index_text);
        if resource.change.actions == [Action::Forget] && self.program == Program::Terraform {
            return Some("destroy = false is set in the configuration".to_owned());
        }
        Some(match resource.action_reason.as_deref()? {
            // Terraform names the resource without its module.
            "delete_because_no_resource_config" => {
                format!("because {}.{} is not in configuration", resource.type_name, resource.name)
            }
            "delete_because_no_module" => {
                format!("because {} is not in configuration", resource.module_address.as_deref()?)
            }
            "delete_because_wrong_repetition" => match resource.index.as_ref().map(Value::view) {
                None => "because resource uses count or for_each".to_owned(),
                Some(View::Number(_)) => "because resource does not use count".to_owned(),
                Some(_) => "because resource does not use for_each".to_owned(),
            },
            "delete_because_count_index" => format!("because index {} is out of range for count", key()?),
            "delete_because_each_key" => format!("because key {} is not in for_each map", key()?),
            "delete_because_enabled_false" => "because enabled is false".to_owned(),
            "delete_because_no_move_target" => {
                let from = resource.previous_address.as_deref().unwrap_or(&resource.address);
                format!("because {from} was moved to {}, which is not in configuration", resource.address)
            }
            "read_because_config_unknown" => "config refers to values not yet known".to_owned(),
            "read_because_dependency_pending" => {
                "depends on a resource or a module with changes pending".to_owned()
            }
            "read_because_check_nested" => "config will be reloaded to verify a check block".to_owned(),
            _ => return None,
        })
    }
}

/// Whether the address of a resource changes.
fn has_moved(resource: &ResourceChange) -> bool {
    resource.previous_address.as_ref().is_some_and(|previous| **previous != *resource.address)
}

/// Whether the planned changes contain a resource: it changes, moves or is imported. A data source that is removed from
/// the state is no change.
pub(super) fn is_listed(resource: &ResourceChange) -> bool {
    let change = &resource.change;
    let is_removed_data = resource.mode != Mode::Managed && change.actions == [Action::Delete];
    !is_removed_data && (!change.is_no_op() || has_moved(resource) || change.importing.is_some())
}

/// The indent of the symbol of a forgotten resource, and of its comments.
fn forget_indent(program: Program) -> &'static str {
    match program {
        Program::Terraform => " ",
        Program::OpenTofu => "  ",
    }
}

/// An instance key as addresses have it: `[0]`, `["a"]`.
fn index_text(index: &Value) -> String {
    match index.view() {
        View::String(text) => format!("[{}]", plantime::unstable::text::QuotedInMessage(text)),
        _ => format!("[{index}]"),
    }
}
