//! Reads the planned values that a test writes: blocks `resource`, `data`, `output` and `variable`.

use std::collections::BTreeMap;

use super::super::{Reader, unknown_name};
use crate::plan::rule_tests::{ObjectKind, PlannedObject, WrittenChange};
use crate::plan::{Action, Mode};
use plantime::Value;
use plantime::function::Functions;
use plantime_hcl::{Block, Body, Item};

/// What a block of a configuration has beside its attributes.
pub(in crate::plan) const META_ARGUMENTS: [&str; 7] =
    ["connection", "count", "depends_on", "dynamic", "for_each", "lifecycle", "provisioner"];

/// The arguments of a block `change`.
const CHANGE: [&str; 5] = ["actions", "before", "import_id", "previous_address", "replace_paths"];

impl Reader {
    /// Reads a block that stands for a value of the plan; `None` after a problem.
    pub(super) fn read_object(&mut self, block: &Block, functions: &Functions) -> Option<PlannedObject> {
        let (kind, address) = match (&*block.kind, block.labels.as_slice()) {
            ("output" | "variable", [name]) => {
                let kind = if &*block.kind == "output" { ObjectKind::Output } else { ObjectKind::Variable };
                (kind, name.to_string())
            }
            ("output" | "variable", _) => {
                self.single_label(block)?;
                return None;
            }
            ("resource", [address]) => self.read_full_address(block, address)?,
            ("resource", [ty, name]) => (ObjectKind::Resource(Mode::Managed), format!("{ty}.{name}")),
            ("data", [ty, name]) => (ObjectKind::Resource(Mode::Data), format!("data.{ty}.{name}")),
            (kind, _) => {
                self.add_problem(
                    block,
                    format!("write {kind} \"TYPE\" \"NAME\" {{ … }}, or resource \"ADDRESS\" {{ … }}"),
                );
                return None;
            }
        };
        let position = self.position_of(block);
        let is_resource = matches!(kind, ObjectKind::Resource(_));
        if is_resource && crate::plan::address::parse_instance(&address).is_none() {
            self.add_problem(block, format!("{address:?} is no address of a resource"));
            return None;
        }
        let change = self.read_change(&block.body, functions)?;
        let (value, provider) = match is_resource {
            true => {
                let provider = block.body.argument("provider").map(|argument| self.read_text(argument));
                (self.read_body(&block.body, functions, true)?, provider.flatten())
            }
            false => (self.read_single_value(block, functions)?, None),
        };
        Some(PlannedObject { kind, address, value, provider, change, position })
    }

    /// The kind and the address of a resource whose only label is its whole address.
    fn read_full_address(&mut self, block: &Block, address: &str) -> Option<(ObjectKind, String)> {
        match crate::plan::address::parse_instance(address) {
            Some((parsed, _)) => Some((ObjectKind::Resource(parsed.mode), address.to_owned())),
            None => {
                let message = format!(
                    "{address:?} is no address of a resource: write module.net.aws_subnet.a, or two labels"
                );
                self.add_problem(block, message);
                None
            }
        }
    }

    /// The argument `value` of an output or variable.
    fn read_single_value(&mut self, block: &Block, functions: &Functions) -> Option<Value> {
        for argument in block.body.arguments.iter().filter(|argument| &*argument.name != "value") {
            let message = unknown_name("argument", &argument.name, &["value"]);
            self.add_problem(argument, message);
        }
        for inner in
            block.body.blocks.iter().filter(|inner| &*inner.kind != "change" || &*block.kind == "variable")
        {
            let message = unknown_name("block", &inner.kind, &["change"]);
            self.add_problem(inner, message);
        }
        let Some(value) = block.body.argument("value") else {
            self.add_problem(block, format!("`{}` needs a `value`", block.kind));
            return None;
        };
        self.value_of(&value.expression, functions)
    }

    /// The object that the arguments and blocks of a body stand for. Blocks of one kind are a list. `is_outermost`: of a resource,
    /// which has `change` and `provider` beside its attributes.
    fn read_body(&mut self, body: &Body, functions: &Functions, is_outermost: bool) -> Option<Value> {
        let mut attributes: BTreeMap<String, Value> = BTreeMap::new();
        let mut lists: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
        let mut is_right = true;
        for item in body.items() {
            match item {
                Item::Argument(argument) if is_outermost && &*argument.name == "provider" => {}
                Item::Argument(argument) if is_outermost && META_ARGUMENTS.contains(&&*argument.name) => {
                    self.add_problem(argument, of_configurations(&argument.name));
                    is_right = false;
                }
                Item::Argument(argument) => match self.value_of(&argument.expression, functions) {
                    Some(value) => drop(attributes.insert(argument.name.to_string(), value)),
                    None => is_right = false,
                },
                Item::Block(block) if is_outermost && &*block.kind == "change" => {}
                Item::Block(block) if is_outermost && META_ARGUMENTS.contains(&&*block.kind) => {
                    self.add_problem(block, of_configurations(&block.kind));
                    is_right = false;
                }
                Item::Block(block) if !block.labels.is_empty() => {
                    self.add_problem(block, format!("a block `{}` has no label here", block.kind));
                    is_right = false;
                }
                Item::Block(block) => match self.read_body(&block.body, functions, false) {
                    Some(value) => lists.entry(&block.kind).or_default().push(value),
                    None => is_right = false,
                },
            }
        }
        for (kind, values) in lists {
            let Ok(list) = Value::tuple(values) else { return None };
            if attributes.insert(kind.to_owned(), list).is_some()
                && let Some(argument) = body.argument(kind)
            {
                self.add_problem(argument, format!("`{kind}` is an argument and a block"));
                is_right = false;
            }
        }
        is_right.then(|| Value::object(attributes).ok()).flatten()
    }

    /// Reads the block `change`, if there is one; `None` after a problem.
    fn read_change(&mut self, body: &Body, functions: &Functions) -> Option<WrittenChange> {
        let mut change = WrittenChange::default();
        let mut blocks = body.blocks.iter().filter(|block| &*block.kind == "change");
        let Some(block) = blocks.next() else { return Some(change) };
        self.expect_no_label(block);
        if let Some(second) = blocks.next() {
            self.add_problem(second, "a second block `change`");
            return None;
        }
        for inner in &block.body.blocks {
            self.add_problem(inner, "`change` holds arguments: write before = { … }");
        }
        let count = self.problems.len();
        for argument in &block.body.arguments {
            match &*argument.name {
                "actions" => change.actions = self.read_plan_actions(argument),
                "before" => change.before = self.value_of(&argument.expression, functions),
                "previous_address" => change.previous_address = self.read_text(argument),
                "import_id" => change.import_id = self.read_text(argument),
                "replace_paths" => {
                    for (text, place) in self.read_texts(argument) {
                        match text.parse() {
                            Ok(path) => change.replace_paths.push(path),
                            Err(error) => {
                                self.problems.push(self.source.problem_at(place, format!("{error}")))
                            }
                        }
                    }
                }
                other => {
                    let message = unknown_name("argument", other, &CHANGE);
                    self.add_problem(argument, message);
                }
            }
        }
        (self.problems.len() == count).then_some(change)
    }

    /// Reads the actions of a plan: `["update"]`, `["delete", "create"]`; also `replace`, which is the latter.
    fn read_plan_actions(&mut self, argument: &plantime_hcl::Argument) -> Vec<Action> {
        const KNOWN: [Action; 6] =
            [Action::NoOp, Action::Create, Action::Read, Action::Update, Action::Delete, Action::Forget];
        let names: Vec<&str> = KNOWN.iter().map(Action::as_str).chain(["replace"]).collect();
        let mut actions = Vec::new();
        for (text, place) in self.read_texts(argument) {
            match KNOWN.iter().find(|action| action.as_str() == text) {
                Some(action) => actions.push(action.clone()),
                None if text == "replace" => actions.extend([Action::Delete, Action::Create]),
                None => {
                    let message = unknown_name("action", &text, &names);
                    self.problems.push(self.source.problem_at(place, message));
                }
            }
        }
        actions
    }
}

/// The message for what only a configuration has.
fn of_configurations(name: &str) -> String {
    format!("`{name}` belongs into a configuration: here are planned values, one block for each instance")
}
