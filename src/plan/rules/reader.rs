//! Reads a rules file.

mod argument;
mod assume;
mod body;
mod syntax;
mod text;

use std::collections::BTreeMap;

use hcl_edit::Span;
use hcl_edit::expr::Expression;
use hcl_edit::structure::{Attribute, Block, Body};

use super::rules_file::{NamedRule, OnNull, PlannedAction, RuleSkip, RulesFile, Subject};
use crate::plan::address::AddressPattern;
use crate::plan::source::{Position, Problem, Source};
use crate::rule::Severity;
use crate::rule::nearest;

impl RulesFile {
    /// Reads a rules file.
    ///
    /// ```
    /// use plantime::plan::{RulesFile, Source};
    ///
    /// let text = "rule \"r\" {\n  resource = \"aws_vpc\"\n  attribute \"id\" { start_with = \"vpc-\" }\n}\n";
    /// let problems = RulesFile::read(Source::new("rules.hcl", text)).unwrap_err();
    /// assert_eq!(
    ///     problems[0].to_string(),
    ///     "rules.hcl:3:20: unknown rule `start_with`; the nearest is `starts_with`",
    /// );
    /// ```
    ///
    /// # Errors
    ///
    /// Everything that is wrong, in the order of the file; or the place from which it is no HCL.
    pub fn read(source: Source) -> Result<RulesFile, Vec<Problem>> {
        RulesFile::read_files([source])
    }

    /// Reads several rules files as one set of rules: a `skip` may leave out a rule of another file, and no two rules
    /// have the same name.
    ///
    /// ```
    /// use plantime::plan::{RulesFile, Source};
    ///
    /// let rule = "rule \"r\" {\n  resource = \"aws_vpc\"\n  attribute \"id\" { not_null = true }\n}\n";
    /// let skip = "skip \"r\" {\n  address = \"aws_vpc.old\"\n  reason  = \"it goes soon\"\n}\n";
    /// let files = [Source::new("rules.hcl", rule), Source::new("skips.hcl", skip)];
    /// let rules = RulesFile::read_files(files.clone()).unwrap();
    /// assert_eq!(rules.source.file(rules.skips[0].position).name(), "skips.hcl");
    ///
    /// let problems = RulesFile::read_files([files[0].clone(), Source::new("more.hcl", rule)]).unwrap_err();
    /// assert_eq!(problems[0].to_string(), "more.hcl:1:1: a second rule `r`; the first is at rules.hcl:1:1");
    /// ```
    ///
    /// # Errors
    ///
    /// As [`read`](RulesFile::read), in the order of the files.
    pub fn read_files(files: impl IntoIterator<Item = Source>) -> Result<RulesFile, Vec<Problem>> {
        let source = Source::of_files(files);
        let mut reader = Reader { source: source.clone(), problems: Vec::new(), names: BTreeMap::new() };
        let mut read = RulesFile {
            source: source.clone(),
            assumptions: Vec::new(),
            forces_new: Vec::new(),
            rules: Vec::new(),
            skips: Vec::new(),
            on_null: OnNull::default(),
        };
        for file in source.files() {
            reader.source = file.clone();
            match syntax::body(file) {
                Ok(body) => reader.file(&body, &mut read),
                Err(problems) => reader.problems.extend(problems),
            }
        }
        reader.source = source;
        reader.skipped_rules_are_there(&read);
        if reader.problems.is_empty() {
            return Ok(read);
        }
        reader.problems.sort_by_key(Problem::position);
        Err(reader.problems)
    }
}

/// Reads on after a problem, so that one run tells all of them. A part with a problem reads as `None`.
struct Reader {
    /// The file that is being read.
    source: Source,
    problems: Vec<Problem>,
    /// The rules so far, of all files.
    names: BTreeMap<String, Position>,
}

impl Reader {
    fn file(&mut self, body: &Body, read: &mut RulesFile) {
        for attribute in body.attributes() {
            if attribute.key.as_str() == "null" {
                read.on_null = self.on_null(attribute).unwrap_or_default();
                continue;
            }
            let message = format!("`{}` must stand in a block: assume, rule or skip", attribute.key.as_str());
            self.problem(attribute, message);
        }
        for block in body.blocks() {
            match block.ident.as_str() {
                "assume" => self.assume(block, read),
                "rule" => {
                    let Some(rule) = self.rule(block) else { continue };
                    match self.names.get(&rule.name) {
                        None => {
                            self.names.insert(rule.name.clone(), rule.position);
                        }
                        Some(first) => {
                            let first = self.place_in_words(*first, &read.source);
                            let message = format!("a second rule `{}`; the first is {first}", rule.name);
                            self.problem(block, message);
                        }
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
    }

    /// A place in words: `in line 3`, or `at other.hcl:3:1`.
    fn place_in_words(&self, position: Position, all: &Source) -> String {
        match all.file(position) {
            file if *file == self.source => format!("in line {}", position.line),
            file => format!("at {}:{position}", file.name()),
        }
    }

    fn skipped_rules_are_there(&mut self, read: &RulesFile) {
        // Every rule is known by name only if every rule could be read.
        if !self.problems.is_empty() {
            return;
        }
        for skip in read.skips.iter().filter(|skip| !self.names.contains_key(&skip.rule)) {
            let names: Vec<&str> = self.names.keys().map(String::as_str).collect();
            let message = unknown("rule", &skip.rule, &names);
            self.problems.push(self.source.problem_at(skip.position, message));
        }
    }

    fn rule(&mut self, block: &Block) -> Option<NamedRule> {
        let name = self.label(block);
        let (mut resource, mut output, mut null) = (None, None, None);
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
                "null" => null = self.on_null(attribute),
                _ => {}
            }
        }
        self.tests(&block.body, output.is_some(), &mut rule);
        for test in &mut rule.tests {
            test.null = test.null.or(null);
        }
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

    /// What a null gives.
    fn on_null(&mut self, attribute: &Attribute) -> Option<OnNull> {
        let text = self.text(attribute)?;
        let on_null = OnNull::named(&text);
        if on_null.is_none() {
            let message = format!("`null` is \"pass\", \"fail\" or \"undetermined\", not \"{text}\"");
            self.problem(&attribute.value, message);
        }
        on_null
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

    fn skip(&mut self, block: &Block) -> Option<RuleSkip> {
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
        Some(RuleSkip { rule: rule?, address: address??, reason: reason??, position: self.position(block) })
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
