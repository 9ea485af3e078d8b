//! Draws the change of a resource: what happens to it and why, then its body.

use super::change_node::{Act, ChangeNode};
use super::compare::{Manner, Sides, Undeclared, compare_block};
use super::draw::Painter;
use super::places::Places;
use super::sheet::Ink;
use crate::mark::Mark;
use crate::plan::checking::is_unstated;
use crate::plan::knowledge::side_marks::sides_with_common_marks;
use crate::plan::{Action, Mode, ResourceChange};
use crate::schema::{ProviderSchemas, Schema};
use crate::value::{Value, View};

/// The name of the program that planned, for the sentences that name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Program {
    Terraform,
    OpenTofu,
}

impl Program {
    /// The name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Program::Terraform => "Terraform",
            Program::OpenTofu => "OpenTofu",
        }
    }
}

/// In which part of a plan a resource is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    /// What has changed outside.
    Drift,
    /// What is planned.
    Planned,
}

/// A resource with the tree of its change.
pub(super) struct DrawnResource<'p> {
    pub(super) resource: &'p ResourceChange,
    pub(super) body: ChangeNode,
    section: Section,
    program: Program,
    /// Whether values are not drawn because nothing says what is sensitive.
    is_unstated: bool,
}

/// The value with each of its attributes marked.
fn hidden_attributes(value: &Value) -> Value {
    value.rebuilt(&mut |_, attribute| attribute.clone().mark(Mark::SENSITIVE))
}

/// The schema of a resource, where there is one that can be read.
fn schema_of<'s>(resource: &ResourceChange, schemas: &'s ProviderSchemas) -> Option<&'s Schema> {
    let (provider, name) = (&resource.provider_name, &resource.type_name);
    match resource.mode {
        Mode::Managed => schemas.resource(provider, name),
        Mode::Data => schemas.data_source(provider, name),
        Mode::Ephemeral => schemas.ephemeral_resource(provider, name),
        Mode::Other => None,
    }
}

impl<'p> DrawnResource<'p> {
    /// Compares both sides of a resource.
    pub(super) fn new(
        resource: &'p ResourceChange,
        schemas: &ProviderSchemas,
        section: Section,
        relevant: Places<'_>,
        (program, manner): (Program, Manner),
    ) -> DrawnResource<'p> {
        let change = &resource.change;
        let is_unstated = !manner.shows_unstated && is_unstated(resource, schemas);
        let (before, after) = if is_unstated {
            (change.before.as_ref().map(hidden_attributes), change.after.as_ref().map(hidden_attributes))
        } else if manner.is_discreet {
            sides_with_common_marks(change)
        } else {
            (change.before.clone(), change.after.clone())
        };
        let is_forgotten = change.actions == [Action::Forget];
        let sides = Sides {
            before: before.as_ref(),
            after: if is_forgotten { before.as_ref() } else { after.as_ref() },
            forcing: Places::of(&change.replace_paths),
            relevant,
        };
        let schema = schema_of(resource, schemas).map(Schema::block);
        let is_builtin = resource.provider_name.ends_with("/builtin/terraform");
        let undeclared = if is_builtin { Undeclared::Anything } else { Undeclared::Text };
        let mut body = compare_block(&sides, schema, undeclared, manner);
        body.forces_replacement = false;
        DrawnResource { resource, body, section, program, is_unstated }
    }

    /// Whether there is something to draw: a change, a move or an import.
    pub(super) fn is_drawn(&self) -> bool {
        let (resource, change) = (self.resource, &self.resource.change);
        if self.section == Section::Drift {
            return resource.mode == Mode::Managed && (self.body.act != Act::Same || self.has_moved());
        }
        let is_vanishing_data = resource.mode != Mode::Managed && change.actions == [Action::Delete];
        !is_vanishing_data && (!change.is_no_op() || self.has_moved() || change.importing.is_some())
    }

    /// Whether it has another address than before.
    fn has_moved(&self) -> bool {
        self.resource.previous_address.as_ref().is_some_and(|previous| *previous != self.resource.address)
    }

    /// The symbol of what happens to it, in its columns.
    fn symbol(&self) -> (&'static str, Vec<(Ink, &'static str)>) {
        if self.section == Section::Drift {
            return match self.body.act {
                Act::Same => ("    ", vec![]),
                Act::Create => ("  ", vec![(Ink::Green, "+"), (Ink::Plain, " ")]),
                Act::Delete => ("  ", vec![(Ink::Red, "-"), (Ink::Plain, " ")]),
                Act::Update => ("  ", vec![(Ink::Yellow, "~"), (Ink::Plain, " ")]),
            };
        }
        match self.resource.change.actions.as_slice() {
            [Action::Create] => ("  ", vec![(Ink::Green, "+"), (Ink::Plain, " ")]),
            [Action::Update] => ("  ", vec![(Ink::Yellow, "~"), (Ink::Plain, " ")]),
            [Action::Delete] => ("  ", vec![(Ink::Red, "-"), (Ink::Plain, " ")]),
            [Action::Read] => (" ", vec![(Ink::Cyan, "<="), (Ink::Plain, " ")]),
            [Action::Delete, Action::Create] => {
                ("", vec![(Ink::Red, "-"), (Ink::Plain, "/"), (Ink::Green, "+"), (Ink::Plain, " ")])
            }
            [Action::Create, Action::Delete] => {
                ("", vec![(Ink::Green, "+"), (Ink::Plain, "/"), (Ink::Red, "-"), (Ink::Plain, " ")])
            }
            [Action::Forget, Action::Create] => {
                ("", vec![(Ink::Red, "."), (Ink::Plain, "/"), (Ink::Green, "+"), (Ink::Plain, " ")])
            }
            [Action::Forget] => (forget_indent(self.program), vec![(Ink::Red, "."), (Ink::Plain, " ")]),
            actions if actions.iter().any(|action| matches!(action, Action::Other(_))) => {
                ("  ", vec![(Ink::Yellow, "?"), (Ink::Plain, " ")])
            }
            _ => ("    ", vec![]),
        }
    }

    /// Draws the symbol and the sentence of what happens to it, on one line without its end.
    pub(super) fn draw_summary(&self, painter: &mut Painter<'_>) {
        for (ink, text) in self.symbol().1 {
            painter.sheet.put(ink, text);
        }
        painter.sheet.put(Ink::Bold, &self.subject());
        painter.sheet.plain(" ");
        self.draw_happening(painter);
    }

    /// The columns before its comments.
    fn comment_indent(&self) -> &'static str {
        let is_forgotten =
            self.resource.change.actions == [Action::Forget] && self.section == Section::Planned;
        if is_forgotten { forget_indent(self.program) } else { "  " }
    }

    /// Draws it: what happens to it, why, the header and the body.
    pub(super) fn draw(&self, painter: &mut Painter<'_>) {
        let indent = self.comment_indent();
        painter.sheet.plain(indent);
        painter.sheet.put(Ink::Bold, &format!("# {}", self.subject()));
        painter.sheet.plain(" ");
        self.draw_happening(painter);
        painter.sheet.end_line();
        self.draw_content(painter);
    }

    /// Draws why it happens, the header and the body.
    pub(super) fn draw_content(&self, painter: &mut Painter<'_>) {
        let indent = self.comment_indent();
        for reason in self.reasons() {
            painter.sheet.plain(indent);
            painter.sheet.plain(&format!("# ({reason})"));
            painter.sheet.end_line();
        }
        let (columns, symbol) = self.symbol();
        painter.sheet.plain(columns);
        for (ink, text) in symbol {
            painter.sheet.put(ink, text);
        }
        painter.sheet.plain(&format!("{} ", header(self.resource)));
        painter.draw_body(&self.body);
        painter.sheet.end_line();
    }

    /// What the comment speaks of: the address, and the key of a deposed object.
    fn subject(&self) -> String {
        let resource = self.resource;
        let address = match &resource.previous_address {
            Some(previous) if self.is_only_moved() => previous,
            _ => &resource.address,
        };
        match &resource.deposed {
            Some(key) => format!("{address} (deposed object {key})"),
            None => address.clone(),
        }
    }

    /// Whether nothing happens to it but the move.
    fn is_only_moved(&self) -> bool {
        let is_still = match self.section {
            Section::Drift => self.body.act == Act::Same,
            Section::Planned => self.resource.change.is_no_op(),
        };
        is_still && self.has_moved()
    }

    /// Draws what happens to it, in the words of the program.
    fn draw_happening(&self, painter: &mut Painter<'_>) {
        let sheet = &mut *painter.sheet;
        if self.section == Section::Drift {
            let words = match self.body.act {
                Act::Delete => "has been deleted".to_owned(),
                Act::Same if self.has_moved() => format!("has moved to {}", self.resource.address),
                _ => "has changed".to_owned(),
            };
            return sheet.plain(&words);
        }
        let change = &self.resource.change;
        match change.actions.as_slice() {
            [Action::Create] => sheet.plain("will be created"),
            [Action::Read] => sheet.plain("will be read during apply"),
            [Action::Update] => sheet.plain("will be updated in-place"),
            [Action::Delete] => {
                sheet.plain("will be ");
                sheet.put(Ink::Red, "destroyed");
            }
            [Action::Forget] => sheet.plain(match self.program {
                Program::Terraform => "will no longer be managed by Terraform, but will not be destroyed",
                Program::OpenTofu => "will be removed from the OpenTofu state but will not be destroyed",
            }),
            _ if change.is_replacement() => {
                let (start, end) = match self.resource.action_reason.as_deref() {
                    Some("replace_because_tainted") => ("is tainted, so it must be ", "replaced"),
                    Some("replace_by_request") => ("will be ", "replaced, as requested"),
                    Some("replace_by_triggers") => {
                        ("will be ", "replaced due to changes in replace_triggered_by")
                    }
                    _ => ("must be ", "replaced"),
                };
                let (red, rest) = end.split_at_checked("replaced".len()).unwrap_or((end, ""));
                sheet.plain(start);
                sheet.put(Ink::Red, red);
                sheet.plain(rest);
            }
            _ if self.is_only_moved() => sheet.plain(&format!("has moved to {}", self.resource.address)),
            _ if change.importing.is_some() => sheet.plain("will be imported"),
            actions => match actions.iter().find(|action| matches!(action, Action::Other(_))) {
                // An action that this version does not know may do anything, so nothing is claimed.
                Some(action) => {
                    sheet.plain(&format!("has an action that is not known here: {}", action.as_str()));
                }
                None => sheet.plain("stays as it is"),
            },
        }
    }

    /// Why it happens, in the words of the program: each becomes a comment in brackets.
    fn reasons(&self) -> Vec<String> {
        let resource = self.resource;
        let mut reasons = Vec::new();
        if self.section == Section::Drift {
            if self.has_moved() && self.body.act != Act::Same {
                reasons.extend(resource.previous_address.as_ref().map(|from| format!("moved from {from}")));
            }
            return reasons;
        }
        reasons.extend(self.action_reason());
        if resource.deposed.is_some() && resource.change.actions == [Action::Delete] {
            reasons.push("left over from a partially-failed replacement of this instance".to_owned());
        }
        if self.has_moved() && !resource.change.is_no_op() {
            reasons.extend(resource.previous_address.as_ref().map(|from| format!("moved from {from}")));
        }
        if let Some(importing) = resource.change.importing.as_deref() {
            if resource.change.is_no_op() && !self.is_only_moved() {
                // The sentence above says it.
            } else if let Some(id) = &importing.id {
                reasons.push(format!("imported from {}", crate::text::QuotedInMessage(id)));
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
        let whole = || without_instance(resource);
        let key = || resource.index.as_ref().map(index_text);
        if resource.change.actions == [Action::Forget] && self.program == Program::Terraform {
            return Some("destroy = false is set in the configuration".to_owned());
        }
        Some(match resource.action_reason.as_deref()? {
            "delete_because_no_resource_config" => format!("because {} is not in configuration", whole()),
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

/// The columns before the symbol of what is forgotten, and before the comments on it.
fn forget_indent(program: Program) -> &'static str {
    match program {
        Program::Terraform => " ",
        Program::OpenTofu => "  ",
    }
}

/// The line that opens a resource: `resource "aws_vpc" "main"`.
fn header(resource: &ResourceChange) -> String {
    let kind = match resource.mode {
        Mode::Data => "data",
        Mode::Ephemeral => "ephemeral",
        Mode::Managed | Mode::Other => "resource",
    };
    let quoted = crate::text::QuotedInMessage;
    format!("{kind} {} {}", quoted(&resource.type_name), quoted(&resource.name))
}

/// The address of the resource without the key of the instance.
fn without_instance(resource: &ResourceChange) -> String {
    let module = resource.module_address.as_deref().map(|module| format!("{module}.")).unwrap_or_default();
    format!("{module}{}{}.{}", resource.mode.prefix(), resource.type_name, resource.name)
}

/// An instance key as addresses have it: `[0]`, `["a"]`.
fn index_text(index: &Value) -> String {
    match index.view() {
        View::String(text) => format!("[{}]", crate::text::QuotedInMessage(text)),
        _ => format!("[{index}]"),
    }
}
