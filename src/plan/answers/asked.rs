//! One resource or output, asked by every test of a rule.

use std::any::Any;
use std::collections::BTreeSet;

use crate::path::{Path, Step};
use crate::plan::knowledge::Places;
use crate::plan::render::statement;
use crate::plan::report::{Answer, Failure, Reason, Verdict};
use crate::plan::rule_set::{NamedRule, Skip, Subject, Test};
use crate::plan::source::Position;
use crate::rule::{
    ExprStep, Fields, How, Misuse, Outcome, PathExpr, PathMatch, Request, Rule, Severity, Why,
};
use crate::types::Type;
use crate::value::Value;

/// A resource or an output, as the tests see it.
pub(super) struct Asked<'a> {
    pub(super) address: String,
    /// Of a resource or data source.
    pub(super) type_name: Option<&'a str>,
    /// The caller's own.
    pub(super) data: Option<&'a dyn Any>,
    pub(super) raw: &'a Value,
    pub(super) after: &'a Value,
    pub(super) before: Option<&'a Value>,
    /// Writes the references that an unknown place was written with.
    pub(super) depends_on: &'a dyn Fn(&Path) -> Vec<String>,
}

/// What came of asking.
#[derive(Default)]
pub(super) struct Found {
    pub(super) answers: Vec<Answer>,
    /// Mistakes in the rules.
    pub(super) problems: Vec<(Position, String)>,
    /// Tests that were asked at a place which is there.
    pub(super) asked: Vec<Position>,
    /// Tests about a place which is not there, and were asked as of a null: a mistake where no resource has it.
    pub(super) missing: Vec<(Position, String)>,
    /// Unknown places that have an answer.
    pub(super) answered: BTreeSet<Path>,
}

/// The answer at one place.
struct Place {
    path: Path,
    /// What could not be followed.
    rest: PathExpr,
    /// The type of what was reached; dynamic where the path could not be followed to its end.
    ty: Type,
    verdict: Verdict,
}

impl Asked<'_> {
    pub(super) fn ask(&self, rule: &NamedRule, skip: Option<&Skip>, found: &mut Found) {
        let about = || rule.description.clone().unwrap_or_default();
        let answer = |path: Path, rest: PathExpr, claim: String, verdict: Verdict, position: Position| {
            let severity = match &verdict {
                Verdict::Fail(failure) if !failure.diagnostics.has_error() => Severity::Warning,
                _ => rule.severity,
            };
            let rule = rule.name.clone();
            Answer { rule, severity, path, rest, claim, verdict, position }
        };
        let mut once = |verdict: Verdict| {
            found.answers.push(answer(Path::new(), PathExpr::new(), about(), verdict, rule.position));
        };
        if let Some(skip) = skip {
            let verdict = Verdict::Skipped(skip.reason.clone(), skip.position);
            return once(verdict);
        }
        // A rule about several types passes over those that have not what it asks for.
        let several =
            matches!(&rule.subject, Subject::Resource(pattern) if pattern.type_name().contains('*'));
        if several && rule.guard.as_ref().is_some_and(|guard| !self.has_places(&[], guard)) {
            return;
        }
        let guard = match rule.guard.as_ref().map(|guard| guard.check(&self.whole())) {
            None | Some(Ok(Outcome::Pass)) => None,
            Some(Ok(Outcome::Fail(_))) => {
                let verdict = Verdict::NotApplicable("`when` does not hold".to_owned());
                return once(verdict);
            }
            Some(Ok(Outcome::Undetermined(_))) => rule.guard.as_ref(),
            Some(Err(misuse)) => return found.problems.push((rule.position, self.misuse(&misuse))),
        };
        for test in
            rule.tests.iter().filter(|test| !several || self.has_places(test.path.as_slice(), &test.rule))
        {
            match self.test(test, rule.severity, guard, found) {
                Ok(places) => {
                    for Place { path, rest, ty, verdict } in places {
                        found.answers.push(answer(path, rest, claim(test, &ty), verdict, test.position));
                    }
                }
                Err(message) => found.problems.push((test.position, message)),
            }
        }
    }

    /// Whether all places that a rule asks for are there.
    fn has_places(&self, paths: &[PathExpr], rule: &Rule) -> bool {
        let ty = self.after.ty();
        let inner = if paths.is_empty() { operands(rule) } else { Vec::new() };
        paths.iter().chain(&inner).all(|path| path.check_type(&ty).is_ok())
    }

    /// The request with what functions receive.
    fn receiving<'r>(&'r self, request: Request<'r>) -> Request<'r> {
        let request = self.type_name.into_iter().fold(request, Request::of_type);
        self.data.into_iter().fold(request, Request::with_data)
    }

    fn whole(&self) -> Request<'_> {
        let request = self.receiving(Request::new(self.after));
        match self.before {
            Some(before) => request.before(before),
            None => request,
        }
    }

    pub(super) fn misuse(&self, misuse: &Misuse) -> String {
        format!("{}: {misuse}", self.address)
    }

    /// The answer at each place that a test looks at.
    fn test(
        &self,
        test: &Test,
        severity: Severity,
        guard: Option<&Rule>,
        found: &mut Found,
    ) -> Result<Vec<Place>, String> {
        let mut verdicts = Vec::new();
        let whole = |verdict| Place { path: Path::new(), rest: PathExpr::new(), ty: Type::Dynamic, verdict };
        let Some(expression) = &test.path else {
            let outcome = test.rule.check(&self.whole()).map_err(|misuse| self.misuse(&misuse))?;
            let operands = operands(&test.rule);
            let values = operands.iter().flat_map(|path| path.matches(self.after).unwrap_or_default());
            // Several rules may ask about one place.
            let mut seen = BTreeSet::new();
            let values = values.filter(|found| seen.insert(found.path.clone()));
            let mut values: Vec<(Path, Value)> = values.map(|found| (found.path, found.value)).collect();
            if operands.is_empty() {
                values.push((Path::new(), self.after.clone()));
            }
            if matches!(outcome, Outcome::Pass | Outcome::Fail(_)) {
                let unknown = values.iter().filter(|(path, _)| self.is_unknown(path));
                found.answered.extend(unknown.map(|(path, _)| path.clone()));
            }
            let verdict = self.verdict((test, severity), outcome, guard, values, None)?;
            return Ok(vec![whole(verdict)]);
        };
        let address = |error| format!("{}: {error}", self.address);
        let ty = self.after.ty();
        let expression = match (expression.check_type(&ty), expression.with_keys()) {
            (Ok(()), _) => expression,
            (Err(error), with_keys) if with_keys.check_type(&ty).is_ok() => {
                found.missing.push((test.position, address(error)));
                &with_keys.clone()
            }
            (Err(error), _) => return Err(address(error)),
        };
        let matches = expression.matches(self.after).map_err(address)?;
        if matches.iter().any(|one| one.how == How::Exact) {
            found.asked.push(test.position);
        }
        if matches.is_empty() {
            let nothing = Verdict::NotApplicable(format!("there is no {expression}"));
            return Ok(vec![whole(nothing)]);
        }
        let mut places = Places::of(self.after);
        for PathMatch { path, value, .. } in matches {
            let place = places.name(&path);
            // Where the path could not be followed to its end, the rest of it is part of the question.
            let rest = PathExpr::from_steps(expression.steps().iter().skip(path.len()).cloned());
            let rest = rest.map_err(address)?;
            let exactly = exactly(expression, &path, &rest);
            let outcome = match &exactly {
                Some(exactly) => {
                    Rule::at(exactly.clone(), test.rule.clone()).map_err(address)?.check(&self.whole())
                }
                None => {
                    let rule = Rule::at(rest.clone(), test.rule.clone()).map_err(address)?;
                    let request = Request::new(&value).at(place.clone()).within(self.after);
                    rule.check(&self.receiving(request))
                }
            };
            let outcome = outcome.map_err(|misuse| self.misuse(&misuse))?;
            if !outcome.is_undetermined() && (self.is_unknown(&path) || !value.is_known()) {
                found.answered.insert(place.clone());
            }
            let ty = if rest.steps().is_empty() { value.ty() } else { Type::Dynamic };
            let verdict =
                self.verdict((test, severity), outcome, guard, vec![(place.clone(), value)], exactly)?;
            verdicts.push(Place { path: place, rest, ty, verdict });
        }
        Ok(verdicts)
    }

    fn is_unknown(&self, path: &Path) -> bool {
        self.raw.get(path).is_ok_and(|raw| !raw.is_known())
    }

    fn verdict(
        &self,
        (test, severity): (&Test, Severity),
        outcome: Outcome,
        guard: Option<&Rule>,
        values: Vec<(Path, Value)>,
        exactly: Option<PathExpr>,
    ) -> Result<Verdict, String> {
        // What the outcome is about: all places of the test, unless an expression leads to one alone.
        let everywhere = || {
            let rule = match &test.path {
                Some(path) => Rule::at(path.clone(), test.rule.clone()),
                None => Ok(test.rule.clone()),
            };
            rule.map_err(|error| error.to_string())
        };
        let is_whole = test.path.is_none();
        let (outcome, is_whole, about) = match (outcome, guard) {
            (Outcome::Fail(_) | Outcome::Undetermined(_), Some(guard)) => {
                let rule = Rule::when(guard.clone(), everywhere()?).map_err(|error| error.to_string())?;
                let outcome = rule.check(&self.whole()).map_err(|misuse| self.misuse(&misuse))?;
                (outcome, true, test.path.clone())
            }
            (outcome, _) => match exactly {
                Some(exactly) => (outcome, true, Some(exactly)),
                None => (outcome, is_whole, test.path.clone()),
            },
        };
        Ok(match outcome {
            Outcome::Pass => Verdict::Pass,
            Outcome::Fail(diagnostics) => {
                let message = test.message.as_ref().map(|template| {
                    let (key, value) = match values.as_slice() {
                        [(path, value)] if !path.is_empty() => (key(path), value.clone()),
                        _ => (self.address.clone(), self.after.clone()),
                    };
                    let desc = test.description.clone().unwrap_or_else(|| test.rule.describe());
                    let failures: Vec<&str> = diagnostics.iter().map(|one| one.failure.as_str()).collect();
                    template.render(&Fields {
                        key: &key,
                        value: &value,
                        desc: &desc,
                        failure: &failures.join("; "),
                    })
                });
                let diagnostics = diagnostics.with_severity(severity);
                let faults = diagnostics.iter().filter_map(|one| part_of(&one.path, &values));
                let faults: Vec<(Path, Value)> = faults.collect();
                let mut seen = BTreeSet::new();
                let looked_at =
                    values.into_iter().chain(faults).filter(|(path, _)| seen.insert(path.clone()));
                let looked_at = looked_at.map(|(path, value)| (path, statement(&value))).collect();
                Verdict::Fail(Failure { diagnostics, message, values: looked_at })
            }
            Outcome::Undetermined(why) => {
                let depends_on = self.inputs(&why);
                let remains = match why.obligation().filter(|_| is_whole) {
                    Some(obligation) => obligation.clone(),
                    None => everywhere()?,
                };
                let (about, message) = (about.unwrap_or_default(), test.message.clone());
                Verdict::Undetermined(Reason { why, depends_on, remains, about, message })
            }
        })
    }

    /// The references behind the unknown inputs; an input itself where it has none.
    pub(super) fn inputs(&self, why: &Why) -> Vec<String> {
        let mut named = Vec::new();
        for input in why.inputs() {
            let references = (self.depends_on)(input);
            let own =
                if input.is_empty() { self.address.clone() } else { format!("{}.{input}", self.address) };
            for reference in if references.is_empty() { vec![own] } else { references } {
                if !named.contains(&reference) {
                    named.push(reference);
                }
            }
        }
        named
    }
}

/// The part at fault, where it lies in a value that was looked at. Members of sets are named by position there.
fn part_of(path: &Path, values: &[(Path, Value)]) -> Option<(Path, Value)> {
    let (place, value) = values.iter().rev().find(|(place, _)| path.starts_with(place))?;
    let below = Path::from(path.steps().get(place.len()..)?);
    value.get(&below).ok().map(|part| (path.clone(), part))
}

/// What is tested, in words; a test of a whole value says so.
fn claim(test: &Test, ty: &Type) -> String {
    let claim = test.description.clone().unwrap_or_else(|| test.rule.describe_for(ty));
    if test.path.is_none() && operands(&test.rule).is_empty() { format!("value {claim}") } else { claim }
}

/// The expression that leads to one place, and the rest from there; none through a member of a set.
fn exactly(expression: &PathExpr, path: &Path, rest: &PathExpr) -> Option<PathExpr> {
    let steps = path.steps().iter().zip(expression.steps()).map(|(step, asked)| match (step, asked) {
        (Step::Attr(name), ExprStep::AnyElement) => Some(ExprStep::Attr(name.as_str().to_owned())),
        (Step::Index(key), ExprStep::AnyElement) => match (key.as_str(), key.as_number()) {
            (Ok(key), _) => Some(ExprStep::Key(key.to_owned())),
            (_, Ok(index)) => index.to_u64().map(ExprStep::Index),
            _ => None,
        },
        // As it is written: a key may be missing, an attribute may not.
        (_, asked) => Some(asked.clone()),
    });
    let steps: Option<Vec<ExprStep>> = steps.chain(rest.steps().iter().cloned().map(Some)).collect();
    PathExpr::from_steps(steps?).ok()
}

/// What a value is called: the last step of its path.
fn key(path: &Path) -> String {
    match path.steps().last() {
        Some(Step::Attr(name)) => name.as_str().to_owned(),
        Some(Step::Index(key)) => match key.as_str() {
            Ok(key) => key.to_owned(),
            Err(_) => path.to_string(),
        },
        None => String::new(),
    }
}

/// The paths that a rule on a whole resource looks at. Rules nest no deeper than the crate's limit.
pub(super) fn operands(rule: &Rule) -> Vec<PathExpr> {
    match rule {
        Rule::At(path, _) => vec![path.clone()],
        Rule::All(rules) | Rule::Any(rules) | Rule::Sequence(rules) => {
            rules.iter().flat_map(operands).collect()
        }
        Rule::Not(rule) => operands(rule),
        Rule::Implies(a, b) | Rule::When(a, b) => operands(a).into_iter().chain(operands(b)).collect(),
        rule => rule.operands().into_iter().cloned().collect(),
    }
}
