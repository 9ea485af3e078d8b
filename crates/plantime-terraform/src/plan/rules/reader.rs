//! Reads a rules file.

mod argument;
mod assume;
mod body;
mod condition;
mod metadata;
mod right_form;
mod skip;
mod test_file;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use plantime_hcl::unstable::{Freedom, Problems, format_freely, parse_body};
use plantime_hcl::{Argument, Block, Body, Diagnostic, Expression};
use std::sync::Arc;

use self::body::Level;
pub(in crate::plan) use self::test_file::{META_ARGUMENTS, read_test_file};
use super::rules_file::{NamedRule, PlannedAction, RulesFile, Subject};
use crate::plan::address::AddressPattern;
use crate::plan::condition::{Condition, Locals, Parameters};
use crate::plan::rules::on_null::OnNull;
use crate::plan::rules::severity_level::SeverityLevel;
use plantime::rule::Severity;
use plantime::source::{Position, Problem, Source};
use plantime::unstable::text::nearest;

impl RulesFile {
    /// Reads a rules file.
    ///
    /// ```
    /// use plantime_terraform::plan::RulesFile;
    /// use plantime::source::Source;
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
    /// Everything that is wrong, in the order of the file. Where the file is no HCL, the problems are those that Terraform tells of
    /// such a text.
    pub fn read(source: Source) -> Result<RulesFile, Vec<Problem>> {
        RulesFile::read_files([source])
    }

    /// Reads several rules files as one set of rules: a `skip` may leave out a rule of another file, and no two rules
    /// have the same name.
    ///
    /// ```
    /// use plantime_terraform::plan::RulesFile;
    /// use plantime::source::Source;
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
        let mut reader = Reader::new(source.clone());
        let mut read = RulesFile {
            source: source.clone(),
            assumptions: Vec::new(),
            forces_new: Vec::new(),
            rules: Vec::new(),
            skips: Vec::new(),
            on_null: OnNull::default(),
            parameters: Parameters::default(),
            locals: Arc::default(),
            day: None,
            left_out: 0,
        };
        let (mut blocks, mut locals) = (Vec::new(), Locals::new());
        for file in source.files() {
            reader.source = file.clone();
            let mut problems = Problems::default();
            let body = parse_body(file, FREEDOM, &mut problems);
            match problems.added_count() {
                0 => {
                    reader.read_values(&body, &mut blocks, &mut locals);
                    reader.read_file(&body, &mut read);
                }
                _ => reader.problems.extend(syntax_problems(file, problems.iter())),
            }
        }
        reader.source = source;
        (read.parameters, read.locals) = (Parameters::of_blocks(blocks), Arc::new(locals));
        reader.check_names(&read);
        reader.resolve_skips(&mut read);
        if reader.problems.is_empty() {
            return Ok(read);
        }
        reader.problems.sort_by_key(Problem::position);
        Err(reader.problems)
    }
}

impl RulesFile {
    /// The text of a rules file in the canonical format, comments included: only blanks between tokens and the quotes of labels
    /// change.
    ///
    /// ```
    /// use plantime_terraform::plan::RulesFile;
    /// use plantime::source::Source;
    ///
    /// let text = "rule \"r\" {\nresource=\"aws_vpc\" # all\n  attribute \"id\" {not_null=true}\n}\n";
    /// let formatted = RulesFile::format(&Source::new("rules.hcl", text)).unwrap();
    /// assert_eq!(formatted, "rule \"r\" {\n  resource = \"aws_vpc\" # all\n  attribute \"id\" { not_null = true }\n}\n");
    /// ```
    ///
    /// # Errors
    ///
    /// Everything for which it is no HCL.
    pub fn format(source: &Source) -> Result<String, Vec<Problem>> {
        format_freely(source, FREEDOM).map_err(|problems| syntax_problems(source, problems.iter()))
    }
}

/// The number of problems with which the nearest right form is shown: finding it takes as much as reading the block many times.
const WITH_RIGHT_FORM: usize = 20;

/// The problems of a file that is no HCL.
fn syntax_problems<'p>(file: &Source, problems: impl IntoIterator<Item = &'p Diagnostic>) -> Vec<Problem> {
    let mut last_line = 0;
    let problem = |(at, problem): (usize, &Diagnostic)| {
        let mut message = format!("{}: {}", problem.summary(), problem.detail());
        // Once for each line.
        let line = problem.position().line;
        if at < WITH_RIGHT_FORM
            && std::mem::replace(&mut last_line, line) != line
            && let Some(right) = right_form::right_form(file, problem)
        {
            let _ = write!(message, " Write: {right}");
        }
        file.problem_at(problem.position(), message)
    };
    problems.into_iter().enumerate().map(problem).collect()
}

/// How the HCL of rules files is read: more freely than that of Terraform, and with the problems of each block.
pub(crate) const FREEDOM: Freedom = Freedom { blocks_on_one_line: true, problems_of_each_block: true };

/// Reads rules files. Continues after a problem, so that one run reports all of them; its functions return `None`
/// after a problem.
struct Reader {
    /// The file that is being read.
    source: Source,
    problems: Vec<Problem>,
    /// The names of the rules that were read so far, from all files, with their positions.
    names: BTreeMap<String, Position>,
    /// The locals of the rule that is being read.
    locals: Arc<Locals>,
    /// Its conditions that were read so far.
    conditions: Vec<Condition>,
    /// Their ids.
    ids: BTreeMap<String, Position>,
}

impl Reader {
    /// A reader of a file, which has read nothing yet.
    fn new(source: Source) -> Reader {
        Reader {
            source,
            problems: Vec::new(),
            names: BTreeMap::new(),
            ids: BTreeMap::new(),
            locals: Arc::default(),
            conditions: Vec::new(),
        }
    }

    /// Adds the blocks of one file to `read`.
    fn read_file(&mut self, body: &Body, read: &mut RulesFile) {
        for attribute in &body.arguments {
            if &*attribute.name == "null" {
                read.on_null = self.read_on_null(attribute).unwrap_or_default();
                continue;
            }
            let message = format!("`{}` must stand in a block: assume, rule or skip", &*attribute.name);
            self.add_problem(attribute, message);
        }
        for block in &body.blocks {
            match &*block.kind {
                "assume" => self.read_assume_block(block, read),
                "rule" => {
                    let Some(rule) = self.read_rule(block) else { continue };
                    match self.names.get(&rule.name) {
                        None => {
                            self.names.insert(rule.name.clone(), rule.position);
                        }
                        Some(first) => {
                            let first = self.place_in_words(*first, &read.source);
                            let message = format!("a second rule `{}`; the first is {first}", rule.name);
                            self.add_problem(block, message);
                        }
                    }
                    if let Some(id) = &rule.metadata.id {
                        self.check_id(block, id, rule.position, &read.source);
                    }
                    read.rules.push(rule);
                }
                "skip" => read.skips.extend(self.read_skip(block)),
                "locals" | "variable" => {}
                other => {
                    let message =
                        unknown_name("block", other, &["assume", "rule", "skip", "locals", "variable"]);
                    self.add_problem(block, message);
                }
            }
        }
    }

    /// The position of another rule for a message: `in line 3`, or `at other.hcl:3:1` if it is in another file. `all`
    /// has all files.
    fn place_in_words(&self, position: Position, all: &Source) -> String {
        match all.file(position) {
            file if *file == self.source => format!("in line {}", position.line),
            file => format!("at {}:{position}", file.name()),
        }
    }

    /// Reads a `rule` block; `None` after a problem.
    fn read_rule(&mut self, block: &Block) -> Option<NamedRule> {
        let name = self.single_label(block);
        let (mut resource, mut output, mut null, mut other) = (None, None, None, None);
        let mut rule = NamedRule {
            name: name.unwrap_or_default(),
            description: None,
            metadata: self.read_metadata(&block.body),
            severity: Severity::Error,
            subject: Subject::Output(Vec::new()),
            actions: Vec::new(),
            optional: false,
            guard: None,
            tests: Vec::new(),
            locals: self.locals_of(&block.body),
            for_each: None,
            conditions: Vec::new(),
            position: self.position_of(block),
        };
        for attribute in &block.body.arguments {
            match &*attribute.name {
                "description" => rule.description = self.read_text(attribute),
                "resource" => resource = Some(self.read_addresses(attribute)),
                "output" => output = Some(self.read_outputs(attribute)),
                "variable" | "module" | "provider" => other = Some(self.read_named_subject(attribute)),
                "for_each" => rule.for_each = Some(Condition::new(attribute.expression.clone())),
                "actions" => rule.actions = self.read_actions(attribute),
                "null" => null = self.read_on_null(attribute),
                "optional" => {
                    match attribute.expression.as_literal().and_then(|value| value.as_bool().ok()) {
                        Some(optional) => rule.optional = optional,
                        None => self.add_problem(&attribute.expression, "`optional` takes true or false"),
                    }
                }
                _ => {}
            }
        }
        rule.severity = rule.metadata.level.severity(SeverityLevel::default());
        let has_resource = resource.is_some();
        let level = if has_resource { Level::Resource } else { Level::Output };
        self.read_tests(&block.body, level, &mut rule);
        rule.conditions = std::mem::take(&mut self.conditions);
        for test in &mut rule.tests {
            test.null = test.null.or(null);
        }
        match (resource, output, other) {
            (Some(Some(resource)), None, None) => rule.subject = Subject::Resource(resource),
            (None, Some(Some(output)), None) => rule.subject = Subject::Output(output),
            (None, None, Some(Some(other))) => rule.subject = other,
            (None, None, None) => rule.subject = Subject::Plan,
            (Some(None), None, None) | (None, Some(None), None) | (None, None, Some(None)) => {}
            _ => self.add_problem(
                block,
                "a rule speaks of one kind of subject: a `resource`, an `output`, a `variable`, a `module` or a `provider`",
            ),
        }
        self.check_subject(block, &rule);
        if rule.tests.is_empty() && self.problems.is_empty() {
            let message =
                format!("rule `{}` tests nothing: it needs an `attribute` block or its like", rule.name);
            self.add_problem(block, message);
        }
        Some(rule)
    }

    /// Reads the argument `null`: the answer of a test for a null value.
    fn read_on_null(&mut self, attribute: &Argument) -> Option<OnNull> {
        let text = self.read_text(attribute)?;
        let on_null = OnNull::named(&text);
        if on_null.is_none() {
            let message = format!("`null` is \"pass\", \"fail\" or \"undetermined\", not \"{text}\"");
            self.add_problem(&attribute.expression, message);
        }
        on_null
    }

    /// Reads the argument `actions`: a list of the names of planned actions. Invalid names are reported and left out.
    fn read_actions(&mut self, attribute: &Argument) -> Vec<PlannedAction> {
        let names: Vec<&str> = PlannedAction::NAMES.iter().map(|(name, _)| *name).collect();
        let Some(items) = attribute.expression.items() else {
            self.add_problem(
                &attribute.expression,
                "`actions` takes a list such as [\"create\", \"update\"]",
            );
            return Vec::new();
        };
        if items.is_empty() {
            self.add_problem(&attribute.expression, "`actions` is empty; leave it out for all actions");
        }
        let mut actions = Vec::new();
        for item in &items {
            match item.as_text() {
                Some(name) => match PlannedAction::named(&name) {
                    Some(action) => actions.push(action),
                    None => self.add_problem(item, unknown_name("action", &name, &names)),
                },
                None => self.add_problem(item, "an action is a text such as \"create\""),
            }
        }
        actions
    }

    /// Reads an address pattern.
    fn read_address(&mut self, attribute: &Argument) -> Option<AddressPattern> {
        let text = self.read_text(attribute)?;
        self.parse_address(&text, &attribute.expression)
    }

    /// Parses an address pattern; a problem is reported at the position of `place`.
    fn parse_address(&mut self, text: &str, place: &impl Placed) -> Option<AddressPattern> {
        match text.parse() {
            Ok(address) => Some(address),
            Err(error) => {
                self.add_problem(place, format!("{error}"));
                None
            }
        }
    }

    /// The label of a block that must have exactly one; else reports a problem.
    fn single_label(&mut self, block: &Block) -> Option<String> {
        match block.labels.as_slice() {
            [label] => Some(label.to_string()),
            _ => {
                let kind = &block.kind;
                self.add_problem(block, format!("`{kind}` takes one label: {kind} \"…\""));
                None
            }
        }
    }

    /// Reads a string without templates; reports a problem for anything else.
    fn read_text(&mut self, attribute: &Argument) -> Option<String> {
        let text = attribute.expression.as_text();
        if text.is_none() {
            let message =
                format!("`{}` takes a text, not {}", attribute.name, attribute.expression.description());
            self.add_problem(&attribute.expression, message);
        }
        text
    }

    /// The position of an expression or block in the file.
    fn position_of(&self, place: &impl Placed) -> Position {
        self.source.position(place.start())
    }

    /// Records a problem at an expression or block.
    fn add_problem(&mut self, place: &impl Placed, message: impl Into<String>) {
        let position = self.position_of(place);
        self.problems.push(self.source.problem_at(position, message));
    }
}

/// What has a place in a file.
trait Placed {
    /// The byte at which it begins.
    fn start(&self) -> usize;
}

impl Placed for Argument {
    fn start(&self) -> usize {
        self.span.start
    }
}

impl Placed for Block {
    fn start(&self) -> usize {
        self.span.start
    }
}

impl Placed for Expression {
    fn start(&self) -> usize {
        self.span().start
    }
}

/// Literals of rules files.
trait Literal {
    /// The text, if it is one without templates.
    fn as_text(&self) -> Option<String>;
}

impl Literal for Expression {
    fn as_text(&self) -> Option<String> {
        Some(self.as_literal()?.as_str().ok()?.to_owned())
    }
}

/// The message for an unknown name of a kind `what`, with the nearest known name: `unknown WHAT NAME; the nearest is
/// …`.
fn unknown_name(what: &str, name: &str, known: &[&str]) -> String {
    match nearest(name, known.iter().copied()) {
        Some(nearest) => format!("unknown {what} `{name}`; the nearest is `{nearest}`"),
        None => format!("unknown {what} `{name}`"),
    }
}
