//! Reads the tests of a rule: keywords, blocks about a path, and combinators.

use std::sync::Arc;

use super::argument::split_description;
use super::{Literal as _, Reader, unknown_name};
use crate::plan::plan_place::PlanPlace;
use crate::plan::rules::rules_file::{NamedRule, Test};
use plantime::Result;
use plantime::rule::{Argument as Operand, PathExpr, Rule, Template};
use plantime::source::Position;
use plantime::unstable::rule::{each, primary_name};
use plantime_hcl::{Argument, Block, Body, Item};

/// The kind of block whose body is read. It decides which keywords and blocks may be in the body.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    /// A rule about resources, or a combinator in it.
    Resource,
    /// A rule about an output, or a combinator in it.
    Output,
    /// The value at a place.
    Value,
    /// The change of the value at a place.
    Change,
    /// The value at a place and its change, together.
    Part,
}

/// Arguments of a rule that are no tests.
pub(super) const RULE_ARGUMENTS: &[&str] = &[
    "resource",
    "output",
    "variable",
    "module",
    "provider",
    "for_each",
    "description",
    "id",
    "link",
    "tags",
    "owner",
    "severity",
    "actions",
    "message",
    "deny",
    "null",
    "optional",
];
/// The blocks that combine rules.
const COMBINATORS: &[&str] = &["all", "any", "sequence", "not", "implies", "keys", "each", "some"];

/// One rule that was read from a keyword or block, with the author's description and its position.
pub(super) struct Member {
    pub(super) rule: Rule,
    pub(super) description: Option<String>,
    pub(super) position: Position,
}

impl Reader {
    /// Reads the tests and the guard of a rule.
    pub(super) fn read_tests(&mut self, body: &Body, level: Level, rule: &mut NamedRule) {
        let message =
            body.argument("message").and_then(|attribute| self.read_template(attribute)).map(Arc::new);
        for item in body.items() {
            match item {
                Item::Argument(attribute) if &*attribute.name == "deny" => {
                    rule.tests.extend(self.read_denial(attribute, message.as_ref()));
                }
                Item::Argument(attribute) if RULE_ARGUMENTS.contains(&&*attribute.name) => {}
                Item::Argument(attribute) if &*attribute.name == "condition" => {
                    self.add_problem(
                        attribute,
                        "`condition` belongs into a block `assert`, with its `error_message`",
                    );
                }
                Item::Argument(attribute) => {
                    let member = self.read_keyword(attribute, level);
                    rule.tests.extend(member.map(|member| member.into_test(None, message.as_ref())));
                }
                Item::Block(block) => match &*block.kind {
                    "when" => {
                        if rule.guard.is_some() {
                            self.add_problem(block, "a second `when`; put both conditions into one");
                        }
                        self.expect_no_label(block);
                        self.locals.clone_from(&rule.locals);
                        let guards = self.read_members(&block.body, level);
                        rule.guard = self.conjunction(block, guards);
                        if rule.guard.is_none() && self.problems.is_empty() {
                            self.add_problem(block, "`when` needs a condition");
                        }
                    }
                    "attribute" | "change" | "value" => {
                        self.read_place_block(block, level, message.as_ref(), rule)
                    }
                    "assert" => rule.tests.extend(self.read_assert(block, &rule.locals)),
                    "locals" => {}
                    _ => {
                        self.locals.clone_from(&rule.locals);
                        let member = self.read_combinator(block, level);
                        rule.tests.extend(member.map(|member| member.into_test(None, message.as_ref())));
                    }
                },
            }
        }
    }

    /// Reads an `attribute`, `change` or `value` block of a rule: each keyword in it becomes a test. `outer` is the
    /// message of the rule.
    fn read_place_block(
        &mut self,
        block: &Block,
        level: Level,
        outer: Option<&Arc<Template>>,
        rule: &mut NamedRule,
    ) {
        let Some((path, inner)) = self.read_place_header(block, level) else { return };
        let own =
            block.body.argument("message").and_then(|attribute| self.read_template(attribute)).map(Arc::new);
        let message = own.as_ref().or(outer);
        let same_as = block.body.argument("same_as").filter(|_| inner == Level::Value);
        let same_as = same_as.and_then(|attribute| self.read_same_as(attribute, path.clone(), message));
        let members = self.read_members_but(&block.body, inner, &["message", "null", "same_as"]);
        if members.is_empty() && same_as.is_none() && self.problems.is_empty() {
            self.add_problem(
                block,
                format!("`{}` tests nothing: it needs a keyword such as `not_null`", &*block.kind),
            );
        }
        let null = block.body.argument("null").and_then(|attribute| self.read_on_null(attribute));
        let tests = members.into_iter().map(|member| member.into_test(path.clone(), message)).chain(same_as);
        rule.tests.extend(tests.map(|test| Test { null, ..test }));
    }

    /// Reads `same_as = "PLACE"`, or a pair `["text", "PLACE"]`: a comparison with another place of the plan.
    fn read_same_as(
        &mut self,
        attribute: &Argument,
        path: Option<PathExpr>,
        message: Option<&Arc<Template>>,
    ) -> Option<Test> {
        let (argument, description) = split_description(Operand::Text, &attribute.expression);
        let Some(text) = argument.as_text() else {
            self.add_problem(
                &argument,
                "`same_as` takes the place of another value, such as \"aws_subnet.a.vpc_id\"",
            );
            return None;
        };
        let place = match text.parse::<PlanPlace>() {
            Ok(place) => place,
            Err(error) => {
                self.add_problem(&argument, error.message().to_owned());
                return None;
            }
        };
        let (rule, position) = (Rule::all([]).ok()?, self.position_of(attribute));
        let test = Member { rule, description, position }.into_test(path, message);
        Some(Test { same_as: Some(place), ..test })
    }

    /// Reads `deny = true`: a test that nothing satisfies, so that the rule fails wherever it applies.
    fn read_denial(&mut self, attribute: &Argument, message: Option<&Arc<Template>>) -> Option<Test> {
        match attribute.expression.as_literal().and_then(|value| value.as_bool().ok()) {
            Some(true) => {}
            Some(false) => return None,
            None => {
                self.add_problem(&attribute.expression, "`deny` takes true or false");
                return None;
            }
        }
        let rule = Rule::any([]).ok()?;
        let position = self.position_of(attribute);
        let member = Member { rule, description: Some("denied".to_owned()), position };
        Some(member.into_test(None, message))
    }

    /// Reads the label of an `attribute`, `change` or `value` block: the path (`None` for the whole value), and the
    /// kind of its body. `None` after a problem.
    fn read_place_header(&mut self, block: &Block, level: Level) -> Option<(Option<PathExpr>, Level)> {
        let name = &*block.kind;
        let inner = match (name, level) {
            ("value", Level::Output) => {
                self.expect_no_label(block);
                return Some((None, Level::Value));
            }
            ("value", _) => {
                self.add_problem(
                    block,
                    "`value` is for rules about an `output`; a resource has `attribute \"PATH\"`",
                );
                return None;
            }
            ("change", Level::Value | Level::Change | Level::Part) => {
                self.add_problem(block, "`change` cannot stand in a block for a place");
                return None;
            }
            ("change", _) => Level::Change,
            ("attribute", Level::Change) => {
                self.add_problem(block, "`attribute` cannot stand in `change`");
                return None;
            }
            _ => Level::Value,
        };
        let label = self.single_label(block)?;
        match label.parse() {
            Ok(path) => Some((Some(path), inner)),
            Err(error) => {
                self.add_problem(block, error.to_string());
                None
            }
        }
    }

    /// Reads each keyword and block of a body as one rule of the list.
    pub(super) fn read_members(&mut self, body: &Body, level: Level) -> Vec<Member> {
        self.read_members_but(body, level, &["message", "null"])
    }

    /// Reads each keyword and block of a body but these arguments.
    fn read_members_but(&mut self, body: &Body, level: Level, others: &[&str]) -> Vec<Member> {
        let mut members = Vec::new();
        for item in body.items() {
            match item {
                Item::Argument(attribute) if others.contains(&&*attribute.name) => {}
                Item::Argument(attribute) if &*attribute.name == "condition" => {
                    members.extend(self.read_condition(attribute, level));
                }
                Item::Argument(attribute) => members.extend(self.read_keyword(attribute, level)),
                Item::Block(block) => match &*block.kind {
                    "attribute" | "change" | "value" => {
                        let Some((path, inner)) = self.read_place_header(block, level) else { continue };
                        if let Some(message) = block.body.argument("message") {
                            self.add_problem(
                                message,
                                "`message` belongs into the rule, or into a block of the rule itself",
                            );
                        }
                        if let Some(null) = block.body.argument("null") {
                            self.add_problem(
                                null,
                                "`null` belongs into the rule, or into a block of the rule itself",
                            );
                        }
                        let position = self.position_of(block);
                        let inside = self.read_members(&block.body, inner);
                        let Some(rule) = self.conjunction(block, inside) else { continue };
                        let rule = match path {
                            Some(path) => Rule::at(path, rule),
                            None => Ok(rule),
                        };
                        let Some(rule) = self.checked_rule(block, rule) else { continue };
                        members.push(Member { rule, description: None, position });
                    }
                    _ => members.extend(self.read_combinator(block, level)),
                },
            }
        }
        members
    }

    /// Reads a block that combines rules: `all`, `any`, `sequence`, `not`, `implies`, `keys`, `each` or `some`. `None` after
    /// a problem.
    fn read_combinator(&mut self, block: &Block, level: Level) -> Option<Member> {
        let position = self.position_of(block);
        let name = primary_name(&block.kind);
        if !COMBINATORS.contains(&name) {
            let mut known = COMBINATORS.to_vec();
            known.extend(["attribute", "change", "value", "when"]);
            let message = unknown_name("block", name, &known);
            self.add_problem(block, message);
            return None;
        }
        self.expect_no_label(block);
        if matches!(name, "keys" | "each" | "some") && !matches!(level, Level::Value | Level::Part) {
            self.add_problem(block, format!("`{name}` belongs into a block `attribute \"PATH\"`"));
            return None;
        }
        let rule = if name == "implies" {
            let (condition, consequence) = self.read_implies(block, level)?;
            Rule::implies(condition, consequence)
        } else {
            let members: Vec<Rule> =
                self.read_members(&block.body, level).into_iter().map(|member| member.rule).collect();
            if members.is_empty() {
                if self.problems.is_empty() {
                    self.add_problem(block, format!("`{name}` needs something to test"));
                }
                return None;
            }
            match name {
                "all" => Rule::all(members),
                "any" => Rule::any(members),
                "sequence" => Rule::sequence(members),
                "keys" => single_or_all(members).and_then(Rule::keys),
                "each" => single_or_all(members).and_then(each),
                // Not every element breaks the rule.
                "some" => single_or_all(members).and_then(Rule::not).and_then(each).and_then(Rule::not),
                _ => single_or_all(members).and_then(Rule::not),
            }
        };
        let rule = self.checked_rule(block, rule)?;
        Some(Member { rule, description: None, position })
    }

    /// Reads a block `implies { if { … } then { … } }` as its condition and consequence.
    fn read_implies(&mut self, block: &Block, level: Level) -> Option<(Rule, Rule)> {
        let (mut condition, mut consequence) = (None, None);
        let mut well_formed = block.body.arguments.is_empty();
        for inner in &block.body.blocks {
            let slot = match &*inner.kind {
                "if" => &mut condition,
                "then" => &mut consequence,
                _ => {
                    well_formed = false;
                    continue;
                }
            };
            well_formed &= slot.is_none();
            let members = self.read_members(&inner.body, level);
            *slot = self.conjunction(inner, members);
        }
        match (condition, consequence) {
            (Some(condition), Some(consequence)) if well_formed => Some((condition, consequence)),
            _ => {
                if self.problems.is_empty() {
                    self.add_problem(block, "`implies` takes one block `if` and one block `then`");
                }
                None
            }
        }
    }

    /// One rule that requires all `members`; `None` if there are none, or if it would nest too deep, which is
    /// reported at `block`.
    pub(super) fn conjunction(&mut self, block: &Block, members: Vec<Member>) -> Option<Rule> {
        let rules: Vec<Rule> = members.into_iter().map(|member| member.rule).collect();
        if rules.is_empty() { None } else { self.checked_rule(block, single_or_all(rules)) }
    }

    /// The rule; `None` if it nests too deep, which is reported at `block`.
    fn checked_rule(&mut self, block: &Block, rule: Result<Rule>) -> Option<Rule> {
        rule.map_err(|error| self.add_problem(block, error.to_string())).ok()
    }

    /// Reads a keyword with its argument as a rule.
    fn read_keyword(&mut self, attribute: &Argument, level: Level) -> Option<Member> {
        let position = self.position_of(attribute);
        let (rule, description) = self.rule_of(attribute, level)?;
        Some(Member { rule, description, position })
    }

    /// Reads the template of an author's message.
    fn read_template(&mut self, attribute: &Argument) -> Option<Template> {
        let text = self.read_text(attribute)?;
        match text.parse() {
            Ok(template) => Some(template),
            Err(error) => {
                self.add_problem(&attribute.expression, format!("{error}"));
                None
            }
        }
    }

    /// Reports a label on a block that takes none.
    pub(super) fn expect_no_label(&mut self, block: &Block) {
        if !block.labels.is_empty() {
            self.add_problem(block, format!("`{}` takes no label", &*block.kind));
        }
    }
}

impl Member {
    /// The rule as a test at a path (`None`: on the whole value) with the author's message.
    fn into_test(self, path: Option<PathExpr>, message: Option<&Arc<Template>>) -> Test {
        let Member { rule, description, position } = self;
        Test {
            path,
            rule,
            same_as: None,
            assertion: None,
            description,
            message: message.cloned(),
            null: None,
            position,
        }
    }
}

/// The only rule of a list, or a rule that requires all of them.
fn single_or_all(mut rules: Vec<Rule>) -> Result<Rule> {
    match rules.pop() {
        Some(only) if rules.is_empty() => Ok(only),
        last => {
            rules.extend(last);
            Rule::all(rules)
        }
    }
}
