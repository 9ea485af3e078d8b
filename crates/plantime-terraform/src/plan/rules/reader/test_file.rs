//! Reads test files.

mod objects;

pub(in crate::plan) use objects::META_ARGUMENTS;

use std::collections::{BTreeMap, BTreeSet};

use super::{FREEDOM, Literal as _, Reader, syntax_problems, unknown_name};
use crate::plan::condition::functions_with;
use crate::plan::rule_tests::{
    Answer, ExpectedAnswers, GivenValues, ObjectKind, PLAN, PlannedObject, RuleTest, TestFile, TestSubject,
    without_secret_line,
};
use plantime::function::{Function, Functions};
use plantime::source::{Position, Problem, Source};
use plantime::{Mark, Type, Value};
use plantime_hcl::unstable::{Problems, parse_body};
use plantime_hcl::{Argument, Block, Body, Expression, Scope};

/// The arguments of a test, and its blocks.
const ARGUMENTS: [&str; 7] =
    ["description", "configuration", "config", "plan", "schemas", "terraform_version", "complete"];
const BLOCKS: [&str; 6] = ["resource", "data", "output", "variable", "variables", "expect"];

/// The example of a subject that messages show.
const SUBJECTS: &str = "`configuration`, `plan`, `config`, or blocks `resource`, `data` and `output`";

/// Reads a test file.
pub(in crate::plan) fn read_test_file(source: Source) -> Result<TestFile, Vec<Problem>> {
    let mut problems = Problems::default();
    let body = parse_body(&source, FREEDOM, &mut problems);
    if problems.added_count() > 0 {
        let problems = syntax_problems(&source, problems.iter());
        return Err(problems.into_iter().map(without_secret_line).collect());
    }
    let mut reader = Reader::new(source.clone());
    let mut file = TestFile { source, rules: Vec::new(), tests: Vec::new(), variables: BTreeMap::new() };
    let functions = functions();
    for argument in &body.arguments {
        match &*argument.name {
            "rules" => file.rules = reader.read_texts(argument).into_iter().map(|(text, _)| text).collect(),
            other => {
                let message = unknown_name("argument", other, &["rules"]);
                reader.add_problem(argument, message);
            }
        }
    }
    let mut names: BTreeMap<String, Position> = BTreeMap::new();
    for block in &body.blocks {
        match &*block.kind {
            "variables" => reader.read_given(block, &functions, &mut file.variables),
            "test" => {
                let Some(test) = reader.read_test(block, &functions) else { continue };
                if let Some(first) = names.insert(test.name.clone(), test.position) {
                    let message =
                        format!("a second test `{}`; the first is in line {}", test.name, first.line);
                    reader.add_problem(block, message);
                }
                file.tests.push(test);
            }
            other => {
                let message = unknown_name("block", other, &["test", "variables"]);
                reader.add_problem(block, message);
            }
        }
    }
    if reader.problems.is_empty() && file.tests.is_empty() {
        reader.problems.push(file.source.problem(0, "there is no test: write test \"NAME\" { … }"));
    }
    reader.problems.sort_by_key(Problem::position);
    match reader.problems.is_empty() {
        true => Ok(file),
        false => Err(reader.problems.into_iter().map(without_secret_line).collect()),
    }
}

/// The functions that the values in a test file may call: those of conditions, and `unknown`.
fn functions() -> Functions {
    let mut functions = functions_with(&crate::configuration::Inputs::new());
    functions.insert(Function::new("unknown").returns(Type::Dynamic).body(|_| Ok(Value::dynamic())));
    functions
}

impl Reader {
    /// Reads a block `test`; `None` after a problem with its name.
    fn read_test(&mut self, block: &Block, functions: &Functions) -> Option<RuleTest> {
        let name = self.single_label(block)?;
        let mut variables = BTreeMap::new();
        let (mut schemas, mut terraform_version, mut is_complete) = (Vec::new(), None, true);
        let (mut configuration, mut config, mut plan) = (None, None, None);
        for argument in &block.body.arguments {
            match &*argument.name {
                "description" => drop(self.read_text(argument)),
                "configuration" => configuration = self.read_configuration(argument),
                "config" => config = self.read_text(argument),
                "plan" => plan = self.read_text(argument),
                "schemas" => schemas = self.read_texts(argument).into_iter().map(|(text, _)| text).collect(),
                "terraform_version" => terraform_version = self.read_text(argument),
                "complete" => match argument.expression.as_literal().and_then(|value| value.as_bool().ok()) {
                    Some(complete) => is_complete = complete,
                    None => self.add_problem(&argument.expression, "`complete` takes true or false"),
                },
                other => {
                    let message = unknown_name("argument", other, &ARGUMENTS);
                    self.add_problem(argument, message);
                }
            }
        }
        let (mut objects, mut expectations): (Vec<PlannedObject>, Vec<ExpectedAnswers>) =
            (Vec::new(), Vec::new());
        let mut rules = BTreeSet::new();
        for inner in &block.body.blocks {
            match &*inner.kind {
                "variables" => self.read_given(inner, functions, &mut variables),
                "expect" => expectations.extend(self.read_expectation(inner, &mut rules)),
                "resource" | "data" | "output" | "variable" => {
                    objects.extend(self.read_object(inner, functions))
                }
                other => {
                    let message = unknown_name("block", other, &BLOCKS);
                    self.add_problem(inner, message);
                }
            }
        }
        self.check_objects(&objects);
        if expectations.is_empty() && self.problems.is_empty() {
            self.add_problem(block, format!("test `{name}` expects nothing: write expect \"RULE\" {{ … }}"));
        }
        let has = |name: &str| block.body.argument(name).is_some();
        let subjects =
            [has("configuration"), has("plan"), !objects.is_empty() || self.has_objects(&block.body)];
        let subject = match (subjects, config) {
            ([true, false, false], None) => TestSubject::Configuration(configuration.unwrap_or_default()),
            ([false, true, false], config) => TestSubject::Plan { plan: plan.unwrap_or_default(), config },
            ([false, false, true], None) => TestSubject::Planned(objects),
            ([false, false, false], Some(folder)) => TestSubject::Folder(folder),
            _ => {
                if self.problems.is_empty() {
                    self.add_problem(block, format!("a test has one subject: {SUBJECTS}"));
                }
                TestSubject::Planned(Vec::new())
            }
        };
        let of_values =
            ["terraform_version", "complete"].into_iter().filter_map(|name| block.body.argument(name));
        for argument in of_values.filter(|_| !matches!(subject, TestSubject::Planned(_))) {
            let message =
                format!("`{}` belongs to planned values, which the test has none of", argument.name);
            self.add_problem(argument, message);
        }
        let position = self.position_of(block);
        Some(RuleTest {
            name,
            position,
            subject,
            schemas,
            variables,
            terraform_version,
            is_complete,
            expectations,
        })
    }

    /// Whether a test writes planned values, also wrong ones.
    fn has_objects(&self, body: &Body) -> bool {
        body.blocks.iter().any(|block| matches!(&*block.kind, "resource" | "data" | "output" | "variable"))
    }

    /// Reads a block `variables`.
    fn read_given(&mut self, block: &Block, functions: &Functions, given: &mut GivenValues) {
        self.expect_no_label(block);
        for inner in &block.body.blocks {
            self.add_problem(inner, "`variables` holds arguments: write NAME = VALUE");
        }
        for argument in &block.body.arguments {
            let Some(value) = self.value_of(&argument.expression, functions) else { continue };
            given.insert(argument.name.to_string(), (value, self.position_of(argument)));
        }
    }

    /// Reads a block `expect`; `None` after a problem with its label.
    fn read_expectation(&mut self, block: &Block, rules: &mut BTreeSet<String>) -> Option<ExpectedAnswers> {
        let rule = self.single_label(block)?;
        if !rules.insert(rule.clone()) {
            self.add_problem(block, format!("a second `expect` of rule `{rule}` in this test"));
        }
        let position = self.source.position(block.label_span(0).start);
        let mut expected =
            ExpectedAnswers { rule, position, answers: BTreeMap::new(), messages: Vec::new(), error: None };
        for inner in &block.body.blocks {
            self.add_problem(inner, "`expect` holds arguments such as pass = [\"aws_vpc.main\"]");
        }
        for argument in &block.body.arguments {
            match (&*argument.name, Answer::named(&argument.name)) {
                (_, Some(answer)) => {
                    for (address, place) in self.read_texts(argument) {
                        self.add_answer(&mut expected, address, answer, place);
                    }
                }
                ("answer", _) => {
                    let place = self.position_of(&argument.expression);
                    let Some(text) = self.read_text(argument) else { continue };
                    match Answer::named(&text) {
                        Some(answer) => self.add_answer(&mut expected, PLAN.to_owned(), answer, place),
                        None => {
                            let message = unknown_name("answer", &text, &Answer::NAMES);
                            self.add_problem(&argument.expression, message);
                        }
                    }
                }
                ("messages", _) => expected.messages = self.read_texts(argument),
                ("error", _) => {
                    let place = self.position_of(&argument.expression);
                    expected.error = self.read_text(argument).map(|text| (text, place));
                }
                (other, _) => {
                    let names = [&Answer::NAMES[..], &["answer", "messages", "error"]].concat();
                    let message = unknown_name("argument", other, &names);
                    self.add_problem(argument, message);
                }
            }
        }
        if expected.error.is_some() && !(expected.answers.is_empty() && expected.messages.is_empty()) {
            self.add_problem(block, "a rule that is an error has no answers: write `error` alone");
        }
        Some(expected)
    }

    /// Adds the answer that is expected at an address, which has no other one.
    fn add_answer(
        &mut self,
        expected: &mut ExpectedAnswers,
        address: String,
        answer: Answer,
        place: Position,
    ) {
        if let Some((first, at)) = expected.answers.get(&address) {
            let message = format!("{address} has an answer already: {} in line {}", first.name(), at.line);
            self.problems.push(self.source.problem_at(place, message));
            return;
        }
        expected.answers.insert(address, (answer, place));
    }

    /// Reads a text or a list of texts, each with its place.
    fn read_texts(&mut self, argument: &Argument) -> Vec<(String, Position)> {
        let items = argument.expression.items().unwrap_or_else(|| vec![argument.expression.clone()]);
        let mut texts = Vec::new();
        for item in items {
            match item.as_text() {
                Some(text) => texts.push((text, self.position_of(&item))),
                None => {
                    let message = format!(
                        "`{}` takes a text or a list of texts, not {}",
                        argument.name,
                        item.description()
                    );
                    self.add_problem(&item, message);
                }
            }
        }
        texts
    }

    /// Reads the text of a configuration: a heredoc is taken as it is, so that `${…}` in it belongs to the configuration. Its lines
    /// have the numbers of the test file.
    fn read_configuration(&mut self, argument: &Argument) -> Option<String> {
        let written = self.source.text().get(argument.expression.span()).unwrap_or_default();
        let Some(rest) = written.strip_prefix("<<") else { return self.read_text(argument) };
        let (head, rest) = rest.split_once('\n').unwrap_or((rest, ""));
        let marker = head.trim().trim_start_matches('-');
        let before = self.position_of(&argument.expression).line;
        let mut text = "\n".repeat(before);
        for line in rest.lines().take_while(|line| line.trim() != marker) {
            text.push_str(line);
            text.push('\n');
        }
        Some(text)
    }

    /// The value of an expression, in which `unknown(…)`, `assumed(…)` and `sensitive(…)` stand for values that are not known or not
    /// shown; `None` after a problem.
    fn value_of(&mut self, expression: &Expression, functions: &Functions) -> Option<Value> {
        if let Some((name, arguments)) = expression.as_call() {
            match (name, arguments.as_slice()) {
                ("unknown", [ty, refinements @ ..]) => return self.read_unknown(expression, ty, refinements),
                ("assumed", _) => {
                    let refinement = self.read_assumed(expression)?;
                    return self.narrowed(expression, Value::dynamic().assume_with_type(&refinement));
                }
                ("sensitive", [inner]) => {
                    return Some(self.value_of(inner, functions)?.mark(Mark::SENSITIVE));
                }
                _ => {}
            }
        }
        if let Some(items) = expression.items() {
            let values: Option<Vec<Value>> =
                items.iter().map(|item| self.value_of(item, functions)).collect();
            return self.narrowed(expression, Value::tuple(values?));
        }
        if let Some(entries) = expression.entries() {
            let mut attributes = Vec::new();
            for (key, value) in &entries {
                let value = self.value_of(value, functions);
                attributes.push((self.key_of(key, functions)?, value?));
            }
            return self.narrowed(expression, Value::object(attributes));
        }
        let none = BTreeMap::<String, Value>::new();
        match expression.evaluate(&Scope::new(&none).with_functions(functions)) {
            Ok(value) => Some(value),
            Err(problems) => {
                for problem in problems.iter() {
                    let message = format!("{}: {}", problem.summary(), problem.detail());
                    self.problems.push(self.source.problem_at(problem.position(), message));
                }
                None
            }
        }
    }

    /// The key of an entry of an object; `None` after a problem.
    fn key_of(&mut self, key: &Expression, functions: &Functions) -> Option<String> {
        if let Some(name) = key.as_reference().filter(|name| name.steps().is_empty()) {
            return Some(name.root().to_owned());
        }
        let value = self.value_of(key, functions)?;
        match plantime::convert(&value, &Type::String.into())
            .ok()
            .and_then(|key| Some(key.as_str().ok()?.to_owned()))
        {
            Some(key) => Some(key),
            None => {
                self.add_problem(key, "a key is a text");
                None
            }
        }
    }

    /// Reads `unknown(TYPE, REFINEMENT, …)`: an unknown value of a type, with what is known of it.
    fn read_unknown(
        &mut self,
        call: &Expression,
        ty: &Expression,
        refinements: &[Expression],
    ) -> Option<Value> {
        let none = BTreeMap::<String, Value>::new();
        let ty = match ty.type_constraint(&Scope::new(&none)) {
            Ok(ty) => ty.to_type(),
            Err(problems) => {
                let problem = problems.first();
                let message = format!(
                    "{}: {} Write unknown(), unknown(string) or unknown(list(string), notnull()).",
                    problem.summary(),
                    problem.detail()
                );
                self.add_problem(ty, message);
                return None;
            }
        };
        let value = Value::unknown(ty);
        if refinements.is_empty() {
            return Some(value);
        }
        let refinement = self.read_refinement(call, refinements)?;
        self.narrowed(call, value.assume_with_type(&refinement))
    }

    /// The value, or a problem at the expression.
    fn narrowed(&mut self, expression: &Expression, value: plantime::Result<Value>) -> Option<Value> {
        match value {
            Ok(value) => Some(value),
            Err(error) => {
                self.add_problem(expression, error.to_string());
                None
            }
        }
    }

    /// Reports what is written twice.
    fn check_objects(&mut self, objects: &[PlannedObject]) {
        let mut first: BTreeMap<(ObjectKind, &str), Position> = BTreeMap::new();
        for object in objects {
            if let Some(at) = first.insert((object.kind, &object.address), object.position) {
                let message = format!("{} stands in line {} already", object.address, at.line);
                self.problems.push(self.source.problem_at(object.position, message));
            }
        }
    }
}
