//! Reads a rules file.

mod argument;
mod assume;
mod body;
mod text;

use std::collections::BTreeSet;

use hcl_edit::Span;
use hcl_edit::expr::Expression;
use hcl_edit::structure::{Attribute, Block, Body};

use super::address::AddressPattern;
use super::hcl;
use super::rule_set::{NamedRule, PlannedAction, RuleSet, Skip, Subject};
use super::source::{Position, Problem, Source};
use crate::rule::Severity;
use crate::rule::nearest;

impl RuleSet {
    /// Reads a rules file.
    ///
    /// ```
    /// use plantime::plan::{RuleSet, Source};
    ///
    /// let text = "rule \"r\" {\n  resource = \"aws_vpc\"\n  attribute \"id\" { start_with = \"vpc-\" }\n}\n";
    /// let problems = RuleSet::read(Source::new("rules.hcl", text)).unwrap_err();
    /// assert_eq!(
    ///     problems[0].to_string(),
    ///     "rules.hcl:3:20: unknown rule `start_with`; the nearest is `starts_with`",
    /// );
    /// ```
    ///
    /// # Errors
    ///
    /// Everything that is wrong, in the order of the file; or the place from which it is no HCL.
    pub fn read(source: Source) -> Result<RuleSet, Vec<Problem>> {
        let body = match hcl::body(source.text()) {
            Ok(body) => body,
            Err((place, message)) => {
                let place = source.position(place);
                // What people meet first.
                let line = source.line(place.line).unwrap_or_default();
                let before: String = line.chars().take(place.column.saturating_sub(1)).collect();
                let hint =
                    if before.contains('{') && line.trim_end().ends_with('}') && !message.contains("nest") {
                        " (a block on one line holds one argument and no block)"
                    } else {
                        ""
                    };
                return Err(vec![source.problem_at(place, format!("{message}{hint}"))]);
            }
        };
        let mut reader = Reader { source: source.clone(), problems: Vec::new() };
        let mut read = RuleSet {
            source,
            assumptions: Vec::new(),
            forces_new: Vec::new(),
            rules: Vec::new(),
            skips: Vec::new(),
        };
        reader.file(&body, &mut read);
        if reader.problems.is_empty() {
            return Ok(read);
        }
        reader.problems.sort_by_key(Problem::position);
        Err(reader.problems)
    }
}

/// Reads on after a problem, so that one run tells all of them. A part with a problem reads as `None`.
struct Reader {
    source: Source,
    problems: Vec<Problem>,
}

impl Reader {
    fn file(&mut self, body: &Body, read: &mut RuleSet) {
        for attribute in body.attributes() {
            let message = format!("`{}` must stand in a block: assume, rule or skip", attribute.key.as_str());
            self.problem(attribute, message);
        }
        let mut names = BTreeSet::new();
        for block in body.blocks() {
            match block.ident.as_str() {
                "assume" => self.assume(block, read),
                "rule" => {
                    let Some(rule) = self.rule(block) else { continue };
                    if !names.insert(rule.name.clone()) {
                        self.problem(block, format!("a second rule `{}`", rule.name));
                    }
                    read.rules.push(rule);
                }
                "skip" => read.skips.extend(self.skip(block)),
                "locals" => self.problem(block, "`locals` is not supported yet"),
                other => {
                    let message = unknown("block", other, &["assume", "rule", "skip"]);
                    self.problem(block, message);
                }
            }
        }
        // Every rule is known by name only if every rule could be read.
        if self.problems.is_empty() {
            for skip in &read.skips {
                if !names.contains(&skip.rule) {
                    let names: Vec<&str> = names.iter().map(String::as_str).collect();
                    let message = unknown("rule", &skip.rule, &names);
                    self.problems.push(self.source.problem_at(skip.position, message));
                }
            }
        }
    }

    fn rule(&mut self, block: &Block) -> Option<NamedRule> {
        let name = self.label(block);
        let (mut resource, mut output) = (None, None);
        let mut rule = NamedRule {
            name: name.unwrap_or_default(),
            description: None,
            severity: Severity::Error,
            subject: Subject::Output(String::new()),
            actions: Vec::new(),
            guard: None,
            tests: Vec::new(),
            position: self.position(block),
        };
        for attribute in block.body.attributes() {
            match attribute.key.as_str() {
                "description" => rule.description = self.text(attribute),
                "resource" => resource = Some(self.address(attribute)),
                "output" => output = Some(self.text(attribute)),
                "severity" => rule.severity = self.severity(attribute).unwrap_or(Severity::Error),
                "actions" => rule.actions = self.actions(attribute),
                _ => {}
            }
        }
        self.tests(&block.body, output.is_some(), &mut rule);
        match (resource, output) {
            (Some(Some(resource)), None) => rule.subject = Subject::Resource(resource),
            (None, Some(Some(output))) => rule.subject = Subject::Output(output),
            (Some(_), Some(_)) => {
                self.problem(block, "a rule speaks of a `resource` or of an `output`, not of both")
            }
            (None, None) => {
                let message = format!("rule `{}` does not say its `resource`, or its `output`", rule.name);
                self.problem(block, message);
            }
            _ => {}
        }
        if rule.tests.is_empty() && self.problems.is_empty() {
            let message =
                format!("rule `{}` tests nothing: it needs an `attribute` block or its like", rule.name);
            self.problem(block, message);
        }
        Some(rule)
    }

    fn severity(&mut self, attribute: &Attribute) -> Option<Severity> {
        let text = self.text(attribute)?;
        match text.as_str() {
            "error" => Some(Severity::Error),
            "warning" => Some(Severity::Warning),
            _ => {
                let message = format!("`severity` is \"error\" or \"warning\", not \"{text}\"");
                self.problem(&attribute.value, message);
                None
            }
        }
    }

    fn actions(&mut self, attribute: &Attribute) -> Vec<PlannedAction> {
        let names: Vec<&str> = PlannedAction::NAMES.iter().map(|(name, _)| *name).collect();
        let Expression::Array(array) = &attribute.value else {
            self.problem(&attribute.value, "`actions` takes a list such as [\"create\", \"update\"]");
            return Vec::new();
        };
        if array.is_empty() {
            self.problem(&attribute.value, "`actions` is empty; leave it out for all actions");
        }
        let mut actions = Vec::new();
        for item in array.iter() {
            match item.as_str() {
                Some(name) => match PlannedAction::named(name) {
                    Some(action) => actions.push(action),
                    None => self.problem(item, unknown("action", name, &names)),
                },
                None => self.problem(item, "an action is a text such as \"create\""),
            }
        }
        actions
    }

    fn skip(&mut self, block: &Block) -> Option<Skip> {
        let rule = self.label(block);
        let (mut address, mut reason) = (None, None);
        for attribute in block.body.attributes() {
            match attribute.key.as_str() {
                "address" => address = Some(self.address(attribute)),
                "reason" => reason = Some(self.text(attribute)),
                other => {
                    let message = unknown("argument", other, &["address", "reason"]);
                    self.problem(attribute, message);
                }
            }
        }
        for inner in block.body.blocks() {
            self.problem(inner, "`skip` takes `address` and `reason`, and no blocks");
        }
        for (name, missing) in [("address", address.is_none()), ("reason", reason.is_none())] {
            if missing {
                self.problem(block, format!("`skip` needs `{name}`"));
            }
        }
        Some(Skip { rule: rule?, address: address??, reason: reason??, position: self.position(block) })
    }

    fn address(&mut self, attribute: &Attribute) -> Option<AddressPattern> {
        let text = self.text(attribute)?;
        self.parse_address(&text, &attribute.value)
    }

    fn parse_address(&mut self, text: &str, place: &impl Span) -> Option<AddressPattern> {
        match text.parse() {
            Ok(address) => Some(address),
            Err(error) => {
                self.problem(place, format!("{error}"));
                None
            }
        }
    }

    /// The one label of a block.
    fn label(&mut self, block: &Block) -> Option<String> {
        match block.labels.as_slice() {
            [label] => Some(label.as_str().to_owned()),
            _ => {
                let kind = block.ident.as_str();
                self.problem(block, format!("`{kind}` takes one label: {kind} \"…\""));
                None
            }
        }
    }

    fn text(&mut self, attribute: &Attribute) -> Option<String> {
        if let Expression::String(text) = &attribute.value {
            return Some(text.as_str().to_owned());
        }
        if let Expression::HeredocTemplate(heredoc) = &attribute.value
            && let Some(text) = text::literal(heredoc)
        {
            return Some(text);
        }
        let message =
            format!("`{}` takes a text, not {}", attribute.key.as_str(), text::kind(&attribute.value));
        self.problem(&attribute.value, message);
        None
    }

    fn position(&self, place: &impl Span) -> Position {
        self.source.position(place.span().map_or(0, |span| span.start))
    }

    fn problem(&mut self, place: &impl Span, message: impl Into<String>) {
        let position = self.position(place);
        self.problems.push(self.source.problem_at(position, message));
    }
}

/// `unknown WHAT NAME; the nearest is …`
fn unknown(what: &str, name: &str, known: &[&str]) -> String {
    match nearest(name, known.iter().copied()) {
        Some(nearest) => format!("unknown {what} `{name}`; the nearest is `{nearest}`"),
        None => format!("unknown {what} `{name}`"),
    }
}
