//! Reads conditions, and the values that they name: `assert`, `condition`, `locals`, `variable`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::body::{Level, Member};
use super::{Reader, unknown_name};
use crate::plan::address::AddressPattern;
use crate::plan::checking::operands;
use crate::plan::condition::{Assertion, Condition, Locals, ModuleNamePattern, function_names, is_function};
use crate::plan::rules::rules_file::{NamedRule, RulesFile, Subject, Test};
use plantime::rule::Rule;
use plantime_hcl::{Argument, Block, Body, Expression, Reference, ReferenceKey};

/// The names that conditions begin references with.
const ROOTS: [&str; 9] = ["self", "subject", "before", "after", "plan", "var", "local", "each", "terraform"];

impl Reader {
    /// Reads the blocks `variable` and `locals` of a file.
    pub(super) fn read_values(&mut self, body: &Body, blocks: &mut Vec<Block>, locals: &mut Locals) {
        for block in &body.blocks {
            match &*block.kind {
                "variable" => {
                    let Some(name) = self.single_label(block) else { continue };
                    let is_same = |other: &&Block| other.labels.first().is_some_and(|label| **label == *name);
                    if blocks.iter().any(|other| is_same(&other)) {
                        self.add_problem(block, format!("a second variable `{name}`"));
                    }
                    blocks.push(block.clone());
                }
                "locals" => self.read_locals(block, locals),
                _ => {}
            }
        }
    }

    /// The values of the blocks `locals` of a rule.
    pub(super) fn locals_of(&mut self, body: &Body) -> Arc<Locals> {
        let mut locals = Locals::new();
        for block in body.blocks.iter().filter(|block| &*block.kind == "locals") {
            self.read_locals(block, &mut locals);
        }
        Arc::new(locals)
    }

    /// Adds the values of a block `locals`.
    fn read_locals(&mut self, block: &Block, locals: &mut Locals) {
        self.expect_no_label(block);
        for inner in &block.body.blocks {
            self.add_problem(inner, "`locals` takes names with their values, and no blocks");
        }
        for argument in &block.body.arguments {
            let value = Condition::new(argument.expression.clone());
            if locals.insert(argument.name.to_string(), value).is_some() {
                self.add_problem(argument, format!("a second local `{}`", argument.name));
            }
        }
    }

    /// Reads a block `assert` as a test; `None` after a problem.
    pub(super) fn read_assert(&mut self, block: &Block, locals: &Arc<Locals>) -> Option<Test> {
        self.expect_no_label(block);
        for inner in &block.body.blocks {
            self.add_problem(inner, "`assert` takes `condition` and `error_message`, and no blocks");
        }
        for argument in &block.body.arguments {
            if !matches!(&*argument.name, "condition" | "error_message") {
                let message = unknown_name("argument", &argument.name, &["condition", "error_message"]);
                self.add_problem(argument, message);
            }
        }
        let mut missing = |name: &str| {
            self.add_problem(block, format!("`assert` needs `{name}`"));
        };
        let (condition, message) = (block.body.argument("condition"), block.body.argument("error_message"));
        if condition.is_none() {
            missing("condition");
        }
        if message.is_none() {
            missing("error_message");
        }
        let (condition, message) = (condition?, message?);
        let position = self.position_of(condition);
        let condition = Condition::new(condition.expression.clone());
        let error_message = Condition::new(message.expression.clone());
        Some(Test {
            path: None,
            rule: self.condition_rule(&condition, locals),
            same_as: None,
            assertion: Some(Arc::new(Assertion { condition, error_message, locals: Arc::clone(locals) })),
            description: None,
            message: None,
            null: None,
            position,
        })
    }

    /// The rule that a condition holds; remembers the condition as one of the rule that is being read.
    fn condition_rule(&mut self, condition: &Condition, locals: &Arc<Locals>) -> Rule {
        self.conditions.push(condition.clone());
        condition.rule(locals)
    }

    /// Reads the argument `condition` beside other tests; `None` after a problem.
    pub(super) fn read_condition(&mut self, argument: &Argument, level: Level) -> Option<Member> {
        if !matches!(level, Level::Resource | Level::Output) {
            let message = "`condition` is about the whole subject: write it outside of blocks for a place";
            self.add_problem(argument, message);
            return None;
        }
        let locals = Arc::clone(&self.locals);
        let rule = self.condition_rule(&Condition::new(argument.expression.clone()), &locals);
        Some(Member { rule, description: None, position: self.position_of(argument) })
    }

    /// Reads the subject `variable`, `module` or `provider`: a pattern of names, or a list of them.
    pub(super) fn read_named_subject(&mut self, argument: &Argument) -> Option<Subject> {
        let (kind, expression) = (&*argument.name, &argument.expression);
        let items = expression.items().unwrap_or_else(|| vec![expression.clone()]);
        let mut patterns = Vec::new();
        for item in &items {
            let text = item.as_literal().and_then(|value| value.as_str().ok().map(str::to_owned));
            let Some(text) = text else {
                let message =
                    format!("`{kind}` takes a text, or a list of texts, not {}", item.description());
                self.add_problem(item, message);
                return None;
            };
            match text.parse::<ModuleNamePattern>() {
                Ok(pattern) => patterns.push(pattern),
                Err(error) => {
                    self.add_problem(item, error.message().to_owned());
                    return None;
                }
            }
        }
        if patterns.is_empty() {
            self.add_problem(expression, format!("`{kind}` is empty"));
            return None;
        }
        Some(match kind {
            "variable" => Subject::Variable(patterns),
            "module" => Subject::Module(patterns),
            _ => Subject::Provider(patterns),
        })
    }

    /// Reports tests that the subject of a rule does not have: without a subject there are only conditions.
    pub(super) fn check_subject(&mut self, block: &Block, rule: &NamedRule) {
        let is_plan = matches!(rule.subject, Subject::Plan);
        let of_place = |inner: &Block| matches!(&*inner.kind, "attribute" | "change" | "value");
        let has_places = block.body.blocks.iter().any(of_place)
            || rule
                .tests
                .iter()
                .any(|test| test.path.is_some() || test.is_denial() || !operands(&test.rule).is_empty());
        if is_plan && (has_places || rule.tests.is_empty()) && self.problems.is_empty() {
            let message = format!(
                "rule `{}` does not say its `resource`, or its `output`: without them it has only blocks `assert`",
                rule.name
            );
            self.add_problem(block, message);
        }
        if !rule.actions.is_empty() && !matches!(rule.subject, Subject::Resource(_) | Subject::Output(_)) {
            self.add_problem(block, "`actions` is about resources and outputs");
        }
    }

    /// Reports the names in conditions that do not exist, and locals that refer to each other in a circle.
    pub(super) fn check_names(&mut self, read: &RulesFile) {
        let parameters: Vec<&str> = read.parameters.names().collect();
        let own = Names { parameters: &parameters, file: &read.locals, rule: None, has_each: false };
        for local in read.locals.values() {
            self.check_expression(&local.expression, &own);
        }
        self.check_cycles(&read.locals, &read.locals);
        for rule in &read.rules {
            let own = Names { rule: Some(&rule.locals), has_each: rule.for_each.is_some(), ..own };
            for (name, local) in &*rule.locals {
                if read.locals.contains_key(name) {
                    self.add_problem(&local.expression, format!("`{name}` is a local of the file too"));
                }
                self.check_expression(&local.expression, &own);
            }
            let mut all = Locals::clone(&read.locals);
            all.extend(rule.locals.iter().map(|(name, local)| (name.clone(), local.clone())));
            self.check_cycles(&rule.locals, &all);
            let messages = rule.tests.iter().filter_map(|test| Some(&test.assertion.as_ref()?.error_message));
            for condition in rule.conditions.iter().chain(&rule.for_each).chain(messages) {
                self.check_expression(&condition.expression, &own);
            }
        }
    }

    /// Reports the names in an expression that do not exist.
    fn check_expression(&mut self, expression: &Expression, names: &Names<'_>) {
        for (name, span) in expression.function_names() {
            if !is_function(name) {
                let known: Vec<&str> = function_names().collect();
                let message = unknown_name("function", name, &known);
                let position = self.source.position(span.start);
                self.problems.push(self.source.problem_at(position, message));
            }
        }
        for call in expression.calls() {
            let at = match &*call.name {
                "resources" | "changes" | "outputs" | "variables" | "modules" | "providers" => 0,
                "referrers" | "referents" => 1,
                _ => continue,
            };
            let (Some(pattern), false) = (call.arguments.get(at), call.expands) else { continue };
            let of_resources = !matches!(&*call.name, "outputs" | "variables" | "modules" | "providers");
            self.check_pattern(pattern, of_resources);
        }
        for reference in expression.references() {
            if let Some(message) = names.problem(reference) {
                let position = expression.source().position(reference.span().start);
                self.problems.push(self.source.problem_at(position, message));
            }
        }
    }

    /// Reports a pattern that depends on a subject or a plan, and one that is none: else a misspelt type would be asked in silence.
    fn check_pattern(&mut self, pattern: &Expression, of_resources: bool) {
        let is_constant = |one: &&Reference| matches!(one.root(), "var" | "local");
        if let Some(reference) = pattern.references().into_iter().find(|one| !is_constant(one)) {
            let message = format!(
                "a pattern is a text, or a list of texts, that does not depend on `{}`: write it here, in a local or a variable",
                reference.root()
            );
            self.add_problem(pattern, message);
            return;
        }
        let items = pattern.items().unwrap_or_else(|| vec![pattern.clone()]);
        for item in &items {
            let Some(text) = item.as_literal().and_then(|value| value.as_str().ok().map(str::to_owned))
            else {
                continue;
            };
            let problem = match of_resources {
                true => text.parse::<AddressPattern>().err(),
                false => text.parse::<ModuleNamePattern>().err(),
            };
            if let Some(error) = problem {
                self.add_problem(item, error.message().to_owned());
            }
        }
    }

    /// Reports locals that refer to themselves, through others too.
    fn check_cycles(&mut self, asked: &Locals, all: &Locals) {
        let mut done: BTreeSet<&str> = BTreeSet::new();
        for start in asked.keys() {
            // Depth first; the path from the start is on the stack, each name with those it refers to that are left.
            let refers = |name: &str| -> Vec<&str> {
                let Some((_, local)) = all.get_key_value(name) else { return Vec::new() };
                let named = local.expression.references().into_iter().filter(|one| one.root() == "local");
                let named = named.filter_map(|one| first_name(one).map(str::to_owned));
                named.filter_map(|name| all.get_key_value(&*name).map(|(name, _)| name.as_str())).collect()
            };
            if done.contains(start.as_str()) {
                continue;
            }
            let mut path: Vec<(&str, Vec<&str>)> = vec![(start, refers(start))];
            while let Some((name, left)) = path.last_mut() {
                let Some(next) = left.pop() else {
                    done.insert(name);
                    path.pop();
                    continue;
                };
                if path.iter().any(|(name, _)| *name == next) {
                    if let Some(local) = all.get(next) {
                        self.add_problem(&local.expression, format!("the local `{next}` refers to itself"));
                    }
                    return;
                }
                if !done.contains(next) {
                    let named = refers(next);
                    path.push((next, named));
                }
            }
        }
    }
}

/// The names that an expression may use.
#[derive(Clone, Copy)]
struct Names<'n> {
    parameters: &'n [&'n str],
    file: &'n Locals,
    rule: Option<&'n Locals>,
    has_each: bool,
}

/// The first name after the root of a reference.
fn first_name(reference: &Reference) -> Option<&str> {
    match reference.steps().first()?.key() {
        ReferenceKey::Attribute(name) => Some(name),
        ReferenceKey::Index(_) => None,
    }
}

impl Names<'_> {
    /// What is wrong with a reference: it names nothing.
    fn problem(&self, reference: &Reference) -> Option<String> {
        let name = first_name(reference);
        match (reference.root(), name) {
            ("var", Some(name)) if self.parameters.contains(&name) => None,
            ("var", Some(name)) => Some(format!(
                "{}; a variable of the plan is plan.variables.{name}",
                unknown_name("variable", name, self.parameters)
            )),
            ("local", Some(name)) if self.file.contains_key(name) => None,
            ("local", Some(name)) if self.rule.is_some_and(|rule| rule.contains_key(name)) => None,
            ("local", Some(name)) => {
                let known: BTreeMap<&str, ()> = self
                    .file
                    .keys()
                    .chain(self.rule.into_iter().flat_map(Locals::keys))
                    .map(|name| (name.as_str(), ()))
                    .collect();
                Some(unknown_name("local", name, &known.into_keys().collect::<Vec<_>>()))
            }
            ("var" | "local", None) => Some(format!("`{}` needs the name of a value", reference.root())),
            ("each", _) if !self.has_each => Some("`each` is of rules with `for_each`".to_owned()),
            ("self" | "subject" | "before" | "after", _) if self.rule.is_none() => {
                Some(format!("`{}` is of a rule: write this local in the rule", reference.root()))
            }
            ("terraform", Some("workspace")) => None,
            ("terraform", _) => Some("of `terraform` there is `terraform.workspace`".to_owned()),
            (root, _) if ROOTS.contains(&root) => None,
            (root, _) => Some(unknown_name("name", root, &ROOTS)),
        }
    }
}
