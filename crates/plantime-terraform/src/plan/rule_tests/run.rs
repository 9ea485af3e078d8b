//! Runs a test: asks the rules that it names about its subject.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::differences::{GivenAnswers, add_answers, has_part};
use super::{Answer, Difference, ExpectedAnswers, RuleTest, TestFile, TestSubject, without_secret_line};
use crate::plan::report::PlanReport;
use crate::plan::{
    CheckOptions, Configuration, InputError, Plan, ProviderFacts, RulesFile, check_askable,
    check_configuration,
};
use plantime::Value;
use plantime::source::{Position, Problem, Source};
use plantime::unstable::text::nearest;
use plantime_schema::ProviderSchemas;

/// What a test is run with: the rules, and what its files hold.
///
/// [Example](crate::plan::rule_tests)
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TestInputs {
    /// All rules; those that the test expects answers of are asked.
    pub rules: Arc<RulesFile>,
    /// The schemas that the test names.
    pub schemas: ProviderSchemas,
    /// The configuration in the folder that the test names, or inside its plan.
    pub configuration: Option<Configuration>,
    /// The plan that the test names.
    pub plan: Option<Plan>,
    /// The facts about the values that providers choose.
    pub facts: ProviderFacts,
}

impl TestInputs {
    /// Rules alone: for a test that names no files.
    ///
    /// [Example](crate::plan::rule_tests)
    pub fn new(rules: impl Into<Arc<RulesFile>>) -> TestInputs {
        TestInputs {
            rules: rules.into(),
            schemas: ProviderSchemas::new(),
            configuration: None,
            plan: None,
            facts: ProviderFacts::default(),
        }
    }
}

/// What came out of a test.
///
/// [Example](crate::plan::rule_tests)
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TestOutcome {
    /// The name of the test.
    pub name: String,
    /// Where the test is written.
    pub position: Position,
    /// What is not as expected.
    pub differences: Vec<Difference>,
    /// Why the test could not be run.
    pub errors: Vec<InputError>,
    /// The answers of each rule that were given as they are expected.
    pub seen: BTreeMap<String, BTreeSet<Answer>>,
}

impl TestOutcome {
    /// A test that could not be run.
    ///
    /// ```
    /// use plantime::source::Source;
    /// use plantime_terraform::plan::InputError;
    /// use plantime_terraform::plan::rule_tests::{TestFile, TestOutcome};
    ///
    /// let text = "test \"t\" {\n  plan = \"p.json\"\n  expect \"r\" {}\n}\n";
    /// let file = TestFile::read(Source::new("a.test.hcl", text)).unwrap();
    /// let outcome = TestOutcome::unusable(&file.tests[0], vec![InputError::input("p.json", "no such file")]);
    /// assert!(!outcome.is_pass());
    /// ```
    pub fn unusable(test: &RuleTest, errors: Vec<InputError>) -> TestOutcome {
        TestOutcome {
            name: test.name.clone(),
            position: test.position,
            differences: Vec::new(),
            errors,
            seen: BTreeMap::new(),
        }
    }

    /// Whether all is as expected.
    ///
    /// [Example](TestOutcome::unusable)
    pub fn is_pass(&self) -> bool {
        self.differences.is_empty() && self.errors.is_empty()
    }
}

/// The subject of a test, ready to be asked about.
enum Prepared<'t> {
    Plan(&'t Plan),
    Planned(Box<Plan>),
    Configuration(BTreeMap<String, Value>),
}

/// The reports of a test, and the errors of its rules by name.
#[derive(Default)]
struct Asked {
    reports: Vec<PlanReport>,
    errors: BTreeMap<String, Vec<Problem>>,
}

impl TestFile {
    /// Runs a test of this file.
    ///
    /// [Example](crate::plan::rule_tests)
    pub fn run(&self, test: &RuleTest, inputs: &TestInputs) -> TestOutcome {
        match self.outcome(test, inputs) {
            Ok(outcome) => outcome,
            Err(problems) => {
                let shown = problems.into_iter().map(without_secret_line).map(InputError::from);
                TestOutcome::unusable(test, shown.collect())
            }
        }
    }

    fn outcome(&self, test: &RuleTest, inputs: &TestInputs) -> Result<TestOutcome, Vec<Problem>> {
        let names = self.rules_of(test, &inputs.rules)?;
        let asked = self.asked(test, inputs, &names)?;
        Ok(self.compared(test, &names, &asked))
    }

    /// The answers of the rules that a test names.
    ///
    /// # Errors
    ///
    /// What is wrong with the test, or with a rule in it.
    pub(super) fn answers(&self, test: &RuleTest, inputs: &TestInputs) -> Result<GivenAnswers, Vec<Problem>> {
        let names = self.rules_of(test, &inputs.rules)?;
        let asked = self.asked(test, inputs, &names)?;
        let mut given = GivenAnswers::new();
        asked.reports.iter().for_each(|report| add_answers(report, &mut given));
        match asked.errors.into_values().next() {
            Some(problems) => Err(problems),
            None => Ok(given),
        }
    }

    /// Asks the rules that a test names.
    fn asked(
        &self,
        test: &RuleTest,
        inputs: &TestInputs,
        names: &BTreeMap<&str, &str>,
    ) -> Result<Asked, Vec<Problem>> {
        let mut against = CheckOptions {
            rules: inputs.rules.only(&names.values().copied().collect()),
            schemas: inputs.schemas.clone(),
            configuration: inputs.configuration.clone(),
            show_values: false,
            facts: inputs.facts.clone(),
        };
        if let TestSubject::Configuration(text) = &test.subject {
            let files = BTreeMap::from([("main.tf".to_owned(), text.as_bytes().to_vec())]);
            let folder = format!("{}: ", self.source.name());
            against.configuration = Some(Configuration::open_tolerantly(Arc::new(files), &folder)?);
        }
        let variables = self.give_variables(test, &mut against)?;
        against.rules.parameters.values()?;
        let subject = match (&test.subject, &inputs.plan) {
            (TestSubject::Planned(objects), _) => {
                let plan = self.plan(test, objects, (&against.rules, &against.schemas))?;
                Prepared::Planned(Box::new(plan))
            }
            (TestSubject::Plan { .. }, Some(plan)) => Prepared::Plan(plan),
            (TestSubject::Plan { .. }, None) => {
                return Err(vec![self.source.problem_at(test.position, "the plan of the test was not read")]);
            }
            _ => Prepared::Configuration(variables),
        };
        ask(test, &subject, &against, names)
    }

    /// The name of the rule that each expectation is about; for an instance of a rule with `for_each`, that of the rule.
    fn rules_of<'t>(
        &self,
        test: &'t RuleTest,
        rules: &RulesFile,
    ) -> Result<BTreeMap<&'t str, &'t str>, Vec<Problem>> {
        let known: BTreeSet<&str> = rules.rules.iter().map(|rule| rule.name.as_str()).collect();
        let (mut names, mut problems) = (BTreeMap::new(), Vec::new());
        for expected in &test.expectations {
            let written = expected.rule.as_str();
            let base = written.split_once('[').map_or(written, |(base, _)| base);
            match [written, base].into_iter().find(|name| known.contains(name)) {
                Some(name) => drop(names.insert(written, name)),
                None => {
                    let near = nearest(base, known.iter().copied())
                        .map_or_else(String::new, |near| format!("; the nearest is `{near}`"));
                    let message = format!("there is no rule `{base}`{near}");
                    problems.push(self.source.problem_at(expected.position, message));
                }
            }
        }
        if problems.is_empty() { Ok(names) } else { Err(problems) }
    }

    /// Gives the rules their variables, and returns those of the configuration. Those of the test itself may be of either.
    fn give_variables(
        &self,
        test: &RuleTest,
        against: &mut CheckOptions,
    ) -> Result<BTreeMap<String, Value>, Vec<Problem>> {
        let names: Vec<String> = against.rules.parameters.names().map(str::to_owned).collect();
        let configuration =
            against.configuration.as_ref().filter(|_| !matches!(test.subject, TestSubject::Plan { .. }));
        let (mut parameters, mut variables, mut problems) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
        let all =
            self.variables.iter().map(|one| (one, true)).chain(test.variables.iter().map(|one| (one, false)));
        for ((name, (value, position)), is_of_file) in all {
            let of_rules = names.contains(name);
            if of_rules {
                parameters.insert(name.clone(), value.clone());
            }
            let found = configuration.map(|read| read.read_variable(name, &Source::new("", "0")));
            let hint = match found {
                Some(Ok(_)) => {
                    variables.insert(name.clone(), value.clone());
                    continue;
                }
                Some(Err(problem)) if !is_of_file => format!(", and {}", problem.message()),
                _ => String::new(),
            };
            if !of_rules {
                let near = nearest(name, names.iter().map(String::as_str))
                    .map_or_else(String::new, |near| format!("; the nearest is `{near}`"));
                let message = format!("no rules file has a variable `{name}`{near}{hint}");
                problems.push(self.source.problem_at(*position, message));
            }
        }
        if problems.is_empty()
            && let Err(messages) = against.rules.set_parameters(parameters)
        {
            problems
                .extend(messages.into_iter().map(|message| self.source.problem_at(test.position, message)));
        }
        if problems.is_empty() { Ok(variables) } else { Err(problems) }
    }

    /// Compares what was answered with what is expected.
    fn compared(&self, test: &RuleTest, names: &BTreeMap<&str, &str>, asked: &Asked) -> TestOutcome {
        let mut outcome = TestOutcome::unusable(test, Vec::new());
        let mut given = GivenAnswers::new();
        for report in &asked.reports {
            add_answers(report, &mut given);
        }
        let why_none = |rule: &str| {
            let unmatched = asked.reports.iter().flat_map(|report| &report.unmatched);
            let of_rule = unmatched.filter(|one| one.name == rule);
            of_rule.map(|one| format!("The rule is not asked: {}.", one.reason)).collect()
        };
        for expected in &test.expectations {
            let name = names.get(expected.rule.as_str()).copied().unwrap_or_default();
            let errors = asked.errors.get(name).map_or(&[][..], Vec::as_slice);
            let (differences, seen) = match (&expected.error, errors) {
                (None, []) => expected.compare(&given, &why_none),
                (stated, errors) => (expected.compare_error(stated.as_ref(), errors), BTreeSet::new()),
            };
            outcome.differences.extend(differences);
            outcome.seen.entry(name.to_owned()).or_default().extend(seen);
        }
        let contradicted: BTreeSet<String> = asked.reports.iter().flat_map(contradictions).collect();
        outcome.differences.extend(contradicted.into_iter().map(|message| Difference {
            position: test.position,
            rule: None,
            address: None,
            expected: None,
            given: None,
            message,
            reasons: Vec::new(),
        }));
        outcome.differences.sort_by_key(|difference| difference.position);
        outcome
    }
}

impl ExpectedAnswers {
    /// The difference between the error that is expected of a rule, if one is, and its errors.
    fn compare_error(&self, stated: Option<&(String, Position)>, errors: &[Problem]) -> Vec<Difference> {
        let texts: Vec<String> = errors.iter().map(Problem::to_string).collect();
        let (message, position) = match stated {
            Some((part, _)) if texts.iter().any(|text| has_part(text, part)) => return Vec::new(),
            Some((part, position)) if texts.is_empty() => {
                (format!("expected the error {part:?}, given none"), *position)
            }
            Some((part, position)) => (format!("no error has the part {part:?}"), *position),
            None => ("the rule is an error here".to_owned(), self.position),
        };
        let mut difference = self.difference(position, "");
        difference.address = None;
        difference.message = message;
        difference.reasons = texts;
        vec![difference]
    }
}

/// The assumptions that a plan contradicts, in words.
fn contradictions(report: &PlanReport) -> Vec<String> {
    let of_resource = |checked: &crate::plan::CheckedResource| {
        let address = checked.address().to_owned();
        let message = move |one: &crate::plan::ContradictedAssumption| {
            format!("the values contradict an assumption: {address}.{}: {}", one.path, one.message)
        };
        checked.contradicted.iter().map(message).collect::<Vec<_>>()
    };
    report.checked.iter().flat_map(of_resource).collect()
}

/// Asks the rules of a test. Where one of them is an error, each is asked alone, so that the others have answers.
///
/// # Errors
///
/// What is wrong beside the rules, so that all of them are errors.
fn ask(
    test: &RuleTest,
    subject: &Prepared<'_>,
    against: &CheckOptions,
    names: &BTreeMap<&str, &str>,
) -> Result<Asked, Vec<Problem>> {
    let mut asked = Asked::default();
    let report = |against: &CheckOptions| match subject {
        Prepared::Plan(plan) => check_askable(&test.name, plan, against),
        Prepared::Planned(plan) => check_askable(&test.name, plan, against),
        Prepared::Configuration(variables) => check_configuration(&test.name, variables, against),
    };
    match report(against) {
        Ok(report) => asked.reports.push(report),
        Err(problems) => {
            let none = CheckOptions { rules: against.rules.only(&BTreeSet::new()), ..against.clone() };
            if report(&none).is_err() {
                return Err(problems);
            }
            let names: BTreeSet<&str> = names.values().copied().collect();
            for name in names {
                let alone = against.rules.only(&BTreeSet::from([name]));
                match report(&CheckOptions { rules: alone, ..against.clone() }) {
                    Ok(report) => asked.reports.push(report),
                    Err(problems) => drop(asked.errors.insert(name.to_owned(), problems)),
                }
            }
        }
    }
    for report in &asked.reports {
        for (rule, problem) in &report.lacking {
            asked.errors.entry(rule.clone()).or_default().push(problem.clone());
        }
    }
    Ok(asked)
}
