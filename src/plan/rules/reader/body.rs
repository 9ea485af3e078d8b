//! The tests in a rule: keywords, blocks for places, and the combinators.

use hcl_edit::structure::{Attribute, Block, Body, Structure};

use super::{Reader, unknown};
use crate::error::Result;
use crate::plan::rules::rules_file::{NamedRule, Test};
use crate::plan::source::Position;
use crate::rule::{PathExpr, Rule, Template, each, own_name};

/// Where a body stands: what may be written in it depends on that.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    /// A rule about resources, or a combinator in it.
    Resource,
    /// The same about an output.
    Output,
    /// The value at a place.
    Value,
    /// The change of the value at a place.
    Change,
    /// The value at a place and its change, together.
    Part,
}

/// Arguments of a rule that are no tests.
pub(super) const RULE_ARGUMENTS: &[&str] =
    &["resource", "output", "description", "severity", "actions", "message", "deny", "null"];
const COMBINATORS: &[&str] = &["all", "any", "sequence", "not", "implies", "keys", "each"];

/// A test that is read: the rule, and how the author describes it.
pub(super) struct Member {
    rule: Rule,
    description: Option<String>,
    position: Position,
}

impl Reader {
    /// Reads everything in a rule but its own arguments.
    pub(super) fn tests(&mut self, body: &Body, output: bool, rule: &mut NamedRule) {
        let level = if output { Level::Output } else { Level::Resource };
        let message = body.get_attribute("message").and_then(|attribute| self.template(attribute));
        for structure in body.iter() {
            match structure {
                Structure::Attribute(attribute) if attribute.key.as_str() == "deny" => {
                    rule.tests.extend(self.denial(attribute, message.as_ref()));
                }
                Structure::Attribute(attribute) if RULE_ARGUMENTS.contains(&attribute.key.as_str()) => {}
                Structure::Attribute(attribute) => {
                    let member = self.keyword(attribute, level);
                    rule.tests.extend(member.map(|member| member.test(None, message.as_ref())));
                }
                Structure::Block(block) => match block.ident.as_str() {
                    "when" => {
                        if rule.guard.is_some() {
                            self.problem(block, "a second `when`; put both conditions into one");
                        }
                        self.no_label(block);
                        let guards = self.members(&block.body, level);
                        rule.guard = self.all(block, guards);
                        if rule.guard.is_none() && self.problems.is_empty() {
                            self.problem(block, "`when` needs a condition");
                        }
                    }
                    "attribute" | "change" | "value" => self.place(block, level, message.as_ref(), rule),
                    _ => {
                        let member = self.combinator(block, level);
                        rule.tests.extend(member.map(|member| member.test(None, message.as_ref())));
                    }
                },
            }
        }
    }

    /// `attribute`, `change` and `value` blocks of a rule: each keyword is a test of its own.
    fn place(&mut self, block: &Block, level: Level, outer: Option<&Template>, rule: &mut NamedRule) {
        let Some((path, inner)) = self.place_of(block, level) else { return };
        let own = block.body.get_attribute("message").and_then(|attribute| self.template(attribute));
        let message = own.as_ref().or(outer);
        let members = self.members(&block.body, inner);
        if members.is_empty() && self.problems.is_empty() {
            self.problem(
                block,
                format!("`{}` tests nothing: it needs a keyword such as `not_null`", block.ident.as_str()),
            );
        }
        let null = block.body.get_attribute("null").and_then(|attribute| self.on_null(attribute));
        let tests = members.into_iter().map(|member| member.test(path.clone(), message));
        rule.tests.extend(tests.map(|test| Test { null, ..test }));
    }

    /// `deny = true`: a test that nothing satisfies, so the rule fails wherever it applies.
    fn denial(&mut self, attribute: &Attribute, message: Option<&Template>) -> Option<Test> {
        match attribute.value.as_bool() {
            Some(true) => {}
            Some(false) => return None,
            None => {
                self.problem(&attribute.value, "`deny` takes true or false");
                return None;
            }
        }
        let rule = Rule::any([]).ok()?;
        let position = self.position(attribute);
        let member = Member { rule, description: Some("denied".to_owned()), position };
        Some(member.test(None, message))
    }

    /// The path of a block for a place, and what its body may hold.
    fn place_of(&mut self, block: &Block, level: Level) -> Option<(Option<PathExpr>, Level)> {
        let name = block.ident.as_str();
        let inner = match (name, level) {
            ("value", Level::Output) => {
                self.no_label(block);
                return Some((None, Level::Value));
            }
            ("value", _) => {
                self.problem(
                    block,
                    "`value` is for rules about an `output`; a resource has `attribute \"PATH\"`",
                );
                return None;
            }
            ("change", Level::Value | Level::Change | Level::Part) => {
                self.problem(block, "`change` cannot stand in a block for a place");
                return None;
            }
            ("change", _) => Level::Change,
            ("attribute", Level::Change) => {
                self.problem(block, "`attribute` cannot stand in `change`");
                return None;
            }
            _ => Level::Value,
        };
        let label = self.label(block)?;
        match label.parse() {
            Ok(path) => Some((Some(path), inner)),
            Err(error) => {
                self.problem(block, error.to_string());
                None
            }
        }
    }

    /// What stands in a body, one rule each.
    pub(super) fn members(&mut self, body: &Body, level: Level) -> Vec<Member> {
        let mut members = Vec::new();
        for structure in body.iter() {
            match structure {
                Structure::Attribute(attribute) if matches!(attribute.key.as_str(), "message" | "null") => {}
                Structure::Attribute(attribute) => members.extend(self.keyword(attribute, level)),
                Structure::Block(block) => match block.ident.as_str() {
                    "attribute" | "change" | "value" => {
                        let Some((path, inner)) = self.place_of(block, level) else { continue };
                        if let Some(message) = block.body.get_attribute("message") {
                            self.problem(
                                message,
                                "`message` belongs into the rule, or into a block of the rule itself",
                            );
                        }
                        if let Some(null) = block.body.get_attribute("null") {
                            self.problem(
                                null,
                                "`null` belongs into the rule, or into a block of the rule itself",
                            );
                        }
                        let position = self.position(block);
                        let inside = self.members(&block.body, inner);
                        let Some(rule) = self.all(block, inside) else { continue };
                        let rule = match path {
                            Some(path) => Rule::at(path, rule),
                            None => Ok(rule),
                        };
                        let Some(rule) = self.nested(block, rule) else { continue };
                        members.push(Member { rule, description: None, position });
                    }
                    _ => members.extend(self.combinator(block, level)),
                },
            }
        }
        members
    }

    /// `all`, `any`, `sequence`, `not`, `implies`, `keys`, `each`.
    fn combinator(&mut self, block: &Block, level: Level) -> Option<Member> {
        let position = self.position(block);
        let name = own_name(block.ident.as_str());
        if !COMBINATORS.contains(&name) {
            let mut known = COMBINATORS.to_vec();
            known.extend(["attribute", "change", "value", "when"]);
            let message = unknown("block", name, &known);
            self.problem(block, message);
            return None;
        }
        self.no_label(block);
        if matches!(name, "keys" | "each") && !matches!(level, Level::Value | Level::Part) {
            self.problem(block, format!("`{name}` belongs into a block `attribute \"PATH\"`"));
            return None;
        }
        let rule = if name == "implies" {
            let (condition, consequence) = self.implies(block, level)?;
            Rule::implies(condition, consequence)
        } else {
            let members: Vec<Rule> =
                self.members(&block.body, level).into_iter().map(|member| member.rule).collect();
            if members.is_empty() {
                if self.problems.is_empty() {
                    self.problem(block, format!("`{name}` needs something to test"));
                }
                return None;
            }
            match name {
                "all" => Rule::all(members),
                "any" => Rule::any(members),
                "sequence" => Rule::sequence(members),
                "keys" => one(members).and_then(Rule::keys),
                "each" => one(members).and_then(each),
                _ => one(members).and_then(Rule::not),
            }
        };
        let rule = self.nested(block, rule)?;
        Some(Member { rule, description: None, position })
    }

    /// `implies { if { … } then { … } }`
    fn implies(&mut self, block: &Block, level: Level) -> Option<(Rule, Rule)> {
        let (mut condition, mut consequence) = (None, None);
        let mut well_formed = block.body.attributes().next().is_none();
        for inner in block.body.blocks() {
            let slot = match inner.ident.as_str() {
                "if" => &mut condition,
                "then" => &mut consequence,
                _ => {
                    well_formed = false;
                    continue;
                }
            };
            well_formed &= slot.is_none();
            let members = self.members(&inner.body, level);
            *slot = self.all(inner, members);
        }
        match (condition, consequence) {
            (Some(condition), Some(consequence)) if well_formed => Some((condition, consequence)),
            _ => {
                if self.problems.is_empty() {
                    self.problem(block, "`implies` takes one block `if` and one block `then`");
                }
                None
            }
        }
    }

    /// All members as one rule; none where there are none.
    pub(super) fn all(&mut self, block: &Block, members: Vec<Member>) -> Option<Rule> {
        let rules: Vec<Rule> = members.into_iter().map(|member| member.rule).collect();
        if rules.is_empty() { None } else { self.nested(block, one(rules)) }
    }

    /// Rules that do not nest too deep.
    fn nested(&mut self, block: &Block, rule: Result<Rule>) -> Option<Rule> {
        rule.map_err(|error| self.problem(block, error.to_string())).ok()
    }

    fn keyword(&mut self, attribute: &Attribute, level: Level) -> Option<Member> {
        let position = self.position(attribute);
        let (rule, description) = self.rule_of(attribute, level)?;
        Some(Member { rule, description, position })
    }

    fn template(&mut self, attribute: &Attribute) -> Option<Template> {
        let text = self.text(attribute)?;
        match text.parse() {
            Ok(template) => Some(template),
            Err(error) => {
                self.problem(&attribute.value, format!("{error}"));
                None
            }
        }
    }

    pub(super) fn no_label(&mut self, block: &Block) {
        if !block.labels.is_empty() {
            self.problem(block, format!("`{}` takes no label", block.ident.as_str()));
        }
    }
}

impl Member {
    fn test(self, path: Option<PathExpr>, message: Option<&Template>) -> Test {
        let Member { rule, description, position } = self;
        Test { path, rule, description, message: message.cloned(), null: None, position }
    }
}

/// The one rule, or all of them.
fn one(mut rules: Vec<Rule>) -> Result<Rule> {
    match rules.pop() {
        Some(only) if rules.is_empty() => Ok(only),
        last => {
            rules.extend(last);
            Rule::all(rules)
        }
    }
}
