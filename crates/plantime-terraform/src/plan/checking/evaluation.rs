//! Evaluates one rule on one resource or output.

use std::any::Any;
use std::collections::BTreeSet;
use std::sync::Arc;

use super::conceal;
use super::operands::operands;
use super::prepared_rule::top_level_name;
use super::prepared_rule::{PreparedRule, PreparedTest};
use super::readings::Readings;
use super::same_as::{AssumedCopies, SameAsTargets, copies_of_one};
use crate::plan::checking::compiled_test::CompiledTest;
use crate::plan::condition::{Found, Surroundings, error_message};
use crate::plan::knowledge::PlaceNames;
use crate::plan::knowledge::configuration::Copies;
use crate::plan::report::render::short_statement;
use crate::plan::report::{
    AppliedSkip, Failure, OpenComparison, OpenCondition, Reason, Side, TestAnswer, TestVerdict,
};
use crate::plan::rules::on_null::{OnNull, outcome_without_nulls};
use crate::plan::rules::rules_file::{NamedRule, Test};
use crate::plan::rules::skip::RuleSkip;
use plantime::rule::{
    Diagnostic, Diagnostics, ExprStep, Fields, How, Misuse, Outcome, PathExpr, Request, Rule, Severity, Why,
};
use plantime::source::Position;
use plantime::unstable::rule::GuardAnswer;
use plantime::unstable::rule::PlaceAnswer;
use plantime::{Path, Step, Type, Value};

/// One side (planned or prior) of the change of a resource or output, with the inputs that rules are evaluated with.
pub(super) struct EvaluatedValue<'a> {
    pub(super) address: &'a str,
    /// The resource type; none of an output.
    pub(super) type_name: Option<&'a str>,
    /// The caller's data for custom rules.
    pub(super) data: Option<&'a dyn Any>,
    /// The value as the plan has it, without assumptions.
    pub(super) raw: &'a Value,
    /// The value that rules are evaluated on, with assumptions applied.
    pub(super) value: &'a Value,
    /// The prior value, for rules about changes.
    pub(super) before: Option<&'a Value>,
    /// Whether `value` is the planned or the prior value of the change.
    pub(super) side: Side,
    /// The type that the schema declares. A part that is `dynamic` there has the type that the plan's JSON implies.
    pub(super) declared: &'a Type,
    /// Returns the references that the attribute at a path was written with.
    pub(super) depends_on: &'a dyn Fn(&Path) -> Vec<String>,
    /// The places that rules compare values with, and the values that are copies of others; nothing where one value is
    /// evaluated by itself.
    pub(super) same_as: Option<&'a SameAsTargets>,
    pub(super) copies: Option<&'a Copies>,
    /// The cached readings of the value's arrays as sets.
    pub(super) readings: Readings,
    /// What conditions see beside the value; `None` if no rule has a condition.
    pub(super) surroundings: Option<&'a Surroundings>,
}

/// The answers of the rules that were evaluated on a resource or output, and what the evaluation found beside them.
#[derive(Default)]
pub(super) struct EvaluationResults {
    pub(super) answers: Vec<TestAnswer>,
    /// Mistakes in the rules.
    pub(super) problems: Vec<(Position, String)>,
    /// The tests that found an element or attribute at their path.
    pub(super) exists: Vec<Position>,
    /// The tests whose path leads to nothing here, which counts as null.
    pub(super) missing: Vec<Position>,
    /// The unknown places that have a decided answer all the same.
    pub(super) answered: BTreeSet<Path>,
    /// The assumptions, on which the answers rest, that one place has the value of another.
    pub(super) copies: AssumedCopies,
}

/// The outcome of a test at one place of the value.
struct PlaceResult {
    /// The path of the place, as messages show it.
    path: Path,
    /// The part of the test's path that could not be followed into the value.
    rest: PathExpr,
    /// The type of the value at the place; dynamic where the path could not be followed to its end.
    ty: Type,
    /// The values that a message shows, with their paths.
    values: Vec<(Path, Value)>,
    /// The path expression that matches this place alone.
    exactly: Option<PathExpr>,
    /// Whether the place is a member of a set (or of an array that may be a set), or lies in one. No path surely leads to a
    /// member, so the obligation is the whole test.
    is_in_set: bool,
    outcome: Outcome,
    /// Whether the value is a null that may be shown, and the test does not test for null itself.
    is_null: bool,
    /// The lines of the configuration that the outcome of `same_as` rests on.
    assumed_in: Vec<String>,
}

impl EvaluatedValue<'_> {
    /// Evaluates one rule on this resource or output, and adds its answers to `out`.
    pub(super) fn evaluate(
        &self,
        rule: &PreparedRule<'_>,
        name: &Arc<str>,
        skip: Option<&RuleSkip>,
        out: &mut EvaluationResults,
    ) {
        let named = rule.named;
        let answer_whole = |verdict: TestVerdict, out: &mut EvaluationResults| {
            out.answers.push(TestAnswer {
                rule: Arc::clone(name),
                severity: named.severity,
                path: Path::new(),
                rest: PathExpr::new(),
                claim: named.description.as_deref().unwrap_or_default().into(),
                verdict,
                is_null: false,
                is_known: false,
                side: self.side,
                position: named.position,
            });
        };
        if let Some(skip) = skip {
            return answer_whole(
                TestVerdict::Skipped(Box::new(AppliedSkip {
                    reason: skip.reason.clone(),
                    until: skip.until,
                    position: skip.position,
                })),
                out,
            );
        }
        let place = |problem: &String| format!("{}: {problem}", self.address);
        out.problems.extend(rule.problems.iter().map(|(position, problem)| (*position, place(problem))));
        let guard = match &rule.guard {
            Some(guard) => GuardAnswer::new(guard, self.guard_outcome(guard)),
            None => GuardAnswer::Holds,
        };
        let of_guard = self.take_found(named.position, out);
        if !matches!(guard, GuardAnswer::Undetermined { .. }) {
            self.assume_copies(&of_guard, out);
        }
        if matches!(guard, GuardAnswer::DoesNotHold) {
            return answer_whole(TestVerdict::NotApplicable("`when` does not hold".into()), out);
        }
        for test in &rule.tests {
            let row =
                |path: Path, rest: PathExpr, ty: &Type, verdict: TestVerdict, is_null: bool| TestAnswer {
                    rule: Arc::clone(name),
                    severity: match &verdict {
                        TestVerdict::Fail(failure)
                            if !failure.diagnostics.has_error() && !named.metadata.warnings_fail =>
                        {
                            Severity::Warning
                        }
                        _ => named.severity,
                    },
                    path,
                    rest,
                    claim: test.claim(ty),
                    is_null: is_null && matches!(verdict, TestVerdict::Pass),
                    is_known: false,
                    verdict,
                    side: self.side,
                    position: test.test.position,
                };
            let is_same_as = test.test.same_as.is_some();
            if self.side == Side::Prior && (is_same_as || test.compiled.rule.reads_before()) {
                let verdict = TestVerdict::NotApplicable(match is_same_as {
                    true => "`same_as` is about planned values".into(),
                    false => "a comparison with the value before is about planned values".into(),
                });
                out.answers.push(row(Path::new(), PathExpr::new(), &Type::Dynamic, verdict, false));
                continue;
            }
            let places = match self.place_results(test, out) {
                Ok(places) => places,
                // The declared type allows the path, so the value is of a kind that the rule does not expect.
                Err(misuse) => vec![self.unreachable_result(test, &misuse)],
            };
            let found = self.take_found(test.test.position, out);
            let waits_for: Vec<&String> = found.waits_for.iter().chain(&of_guard.waits_for).collect();
            if places.is_empty() {
                let written = test.test.path.clone().unwrap_or_default();
                let verdict = TestVerdict::NotApplicable(format!("there is no {written}").into());
                out.answers.push(row(Path::new(), PathExpr::new(), &Type::Dynamic, verdict, false));
            }
            for place in places {
                // A null has no elements, as an empty list has none: nothing there is not null.
                let is_of_elements = matches!(place.rest.steps(), [ExprStep::AnyElement, ..]);
                let is_null = |value: &Value| value.is_null() && !value.is_marked();
                if is_of_elements
                    && !place.is_null
                    && place.outcome.is_pass()
                    && place.values.iter().all(|(_, value)| is_null(value))
                {
                    let written = test.test.path.clone().unwrap_or_default();
                    let verdict = TestVerdict::NotApplicable(format!("there is no {written}").into());
                    out.answers.push(row(place.path, place.rest, &Type::Dynamic, verdict, false));
                    continue;
                }
                let mut place = self.without_hidden_paths(place, &test.compiled);
                let mut verdict = self.test_verdict(test, named.severity, &guard, &mut place);
                if let TestVerdict::Fail(failure) = &mut verdict {
                    failure.decided_by.clone_from(&found.decided);
                }
                match &mut verdict {
                    TestVerdict::Undetermined(reason) => {
                        let more = waits_for.iter().filter(|name| !reason.depends_on.contains(name));
                        let more: Vec<String> = more.map(|name| String::clone(name)).collect();
                        reason.depends_on.extend(more);
                    }
                    _ => self.assume_copies(&found, out),
                }
                let mut answer = row(place.path, place.rest, &place.ty, verdict, place.is_null);
                if let (TestVerdict::Pass, [_, ..]) = (&answer.verdict, place.assumed_in.as_slice()) {
                    answer.claim =
                        format!("{}, assumed: configuration {}", answer.claim, place.assumed_in.join(", "))
                            .into();
                }
                out.answers.push(answer);
            }
        }
    }

    /// Takes what conditions found beside their answers, and adds the problems.
    fn take_found(&self, position: Position, out: &mut EvaluationResults) -> Found {
        let Some(surroundings) = self.surroundings else { return Found::default() };
        let mut found = surroundings.found.take();
        out.problems
            .extend(std::mem::take(&mut found.problems).into_iter().map(|problem| (position, problem)));
        found
    }

    /// Adds the assumptions that a decided answer of conditions rests on.
    fn assume_copies(&self, found: &Found, out: &mut EvaluationResults) {
        let Some(surroundings) = self.surroundings else { return };
        let pairs = found.taken_for_one.iter();
        let assumed = pairs.flat_map(|places| copies_of_one(&surroundings.facts, places));
        out.copies.extend(assumed.map(|copy| ((copy.place.clone(), copy.of.clone()), copy)));
    }

    /// The outcome of a rule's guard on the whole value. A guard that cannot read the value fails.
    fn guard_outcome(&self, guard: &Rule) -> Outcome {
        let outcome = match self.whole_answer(guard, &operands(guard)) {
            Ok(outcome) => outcome,
            Err(misuse) => Outcome::Fail(self.unreadable_diagnostics(&misuse, misuse.path(), false)),
        };
        conceal::concealed_outcome(outcome, self.value, guard)
    }

    /// The request with the resource type and the caller's data added, which custom rules can read.
    pub(super) fn with_function_data<'r>(&'r self, request: Request<'r>) -> Request<'r> {
        let request = self.type_name.into_iter().fold(request, Request::of_type);
        let request = match self.surroundings {
            Some(surroundings) => request.with_surroundings(surroundings),
            None => request,
        };
        self.data.into_iter().fold(request, Request::with_data)
    }

    /// The request that evaluates a rule on the whole value.
    pub(super) fn whole_request(&self) -> Request<'_> {
        let request = self.with_function_data(Request::new(self.value));
        match self.before {
            Some(before) => request.before(before),
            None => request,
        }
    }

    /// The results of a test at each place that its path matches; of a test without a path, one result for the whole
    /// value. Adds to `out` whether the path exists.
    fn place_results(
        &self,
        test: &PreparedTest<'_>,
        out: &mut EvaluationResults,
    ) -> Result<Vec<PlaceResult>, Misuse> {
        let mut names = PlaceNames::new(self.value);
        let answers = test.compiled.answers(&self.whole_request(), &mut |path| names.display_path(path));
        let found = match answers.transpose() {
            Ok(Some(found)) => found,
            Ok(None) => return Ok(vec![self.whole_result(test, out)]),
            // Only a binary plan says that the array is a set: the answer is that for the JSON of the same plan.
            Err(misuse) => match self.sides_with_arrays(test.compiled.path.as_ref()) {
                Some((value, before)) => {
                    return self.with_sides(&value, before.as_ref()).place_results(test, out);
                }
                None => return Err(misuse),
            },
        };
        let mut names = PlaceNames::new(self.value);
        if found.iter().any(|place| place.how == How::Exact) {
            out.exists.push(test.test.position);
        } else if found.iter().any(|place| place.how == How::Missing && !place.value.is_marked()) {
            out.missing.push(test.test.position);
        }
        Ok(found.into_iter().map(|place| self.place_result(test, place, &mut names, out)).collect())
    }

    /// The result of a test at one place, after the test's setting for nulls (`null = …`) is applied. Adds an unknown
    /// place with a known answer to `out`.
    fn place_result(
        &self,
        test: &PreparedTest<'_>,
        mut found: PlaceAnswer,
        names: &mut PlaceNames<'_>,
        out: &mut EvaluationResults,
    ) -> PlaceResult {
        let name = names.display_path(&found.path);
        let outcome = std::mem::replace(&mut found.outcome, Ok(Outcome::Pass));
        let mut assumed_in = Vec::new();
        let outcome = match self.place_answer(&test.compiled, &found, &name, outcome) {
            Ok(outcome) => match &test.test.same_as {
                // The rule of such a test says at most that null fails.
                Some(target) if outcome.is_pass() => {
                    let compared = self.same_as_outcome(target, (&found.path, &found.value), out);
                    assumed_in = compared.assumed_in;
                    compared.outcome
                }
                _ => outcome,
            },
            Err(misuse) => {
                // The value that cannot be read may also be an operand, so its marks count too.
                let beside = !operands(&test.compiled.rule).is_empty() && self.value.contains_marks();
                let hidden = found.is_sealed || found.value.contains_marks() || beside;
                Outcome::Fail(self.unreadable_diagnostics(&misuse, &name, hidden))
            }
        };
        let is_unknown =
            self.raw.get(&found.path).is_ok_and(|raw| !raw.is_known()) || !found.value.is_known();
        let CompiledTest { rule, path, on_null, .. } = &test.compiled;
        let place = found.exactly.as_ref().or(path.as_ref());
        let outcome = on_null.outcome(outcome, rule, found.may_be_null, (place, &name));
        if is_unknown && !outcome.is_undetermined() {
            out.answered.insert(name.clone());
        }
        let is_null = found.value.is_null()
            && !found.value.is_marked()
            && !matches!(rule, Rule::IsNull | Rule::NotNull);
        let mut values = vec![(name.clone(), found.value.clone())];
        if let (Outcome::Fail(_), Some(exactly)) = (&outcome, &found.exactly) {
            values.extend(self.operand_values(test, exactly, names));
        }
        PlaceResult {
            ty: if found.rest.is_empty() { found.value.ty() } else { Type::Dynamic },
            values,
            path: name,
            rest: found.rest,
            is_in_set: (found.exactly.is_none() && !found.is_sealed)
                || self.may_be_in_set(&test.compiled, &found.path),
            exactly: found.exactly,
            outcome,
            is_null,
            assumed_in,
        }
    }

    /// The values that a test's rule reads beside or below a place, with their paths, for messages. Leaves out paths
    /// with wildcards, which may match thousands of values.
    fn operand_values(
        &self,
        test: &PreparedTest<'_>,
        place: &PathExpr,
        names: &mut PlaceNames<'_>,
    ) -> Vec<(Path, Value)> {
        let mut values = Vec::new();
        for operand in operands(&test.compiled.rule) {
            if operand.is_empty() || operand.steps().contains(&ExprStep::AnyElement) {
                continue;
            }
            let steps = place.steps().iter().chain(operand.steps()).cloned();
            let Ok(path) = PathExpr::from_steps(steps) else { continue };
            // Whether a marked value has such a part is content (L5).
            if path.steps().len() > 1 && conceal::has_marks(self.value, top_level_name(&path)) {
                continue;
            }
            let found = path.matches(self.value).unwrap_or_default();
            values.extend(found.into_iter().map(|found| (names.display_path(&found.path), found.value)));
        }
        values
    }

    /// The result of a test of the whole value.
    fn whole_result(&self, test: &PreparedTest<'_>, out: &mut EvaluationResults) -> PlaceResult {
        let values = test.operands.iter().flat_map(|path| path.matches(self.value).unwrap_or_default());
        // Several operands may match one place.
        let mut seen = BTreeSet::new();
        let values = values.filter(|found| seen.insert(found.path.clone()));
        let mut values: Vec<(Path, Value)> = values.map(|found| (found.path, found.value)).collect();
        if test.operands.is_empty() {
            values.push((Path::new(), self.value.clone()));
        }
        let mut assumed_in = Vec::new();
        let outcome = if let Some(target) = &test.test.same_as {
            let compared = self.same_as_outcome(target, (&Path::new(), self.value), out);
            assumed_in = compared.assumed_in;
            Ok(compared.outcome)
        } else if test.test.is_denial() {
            self.denial_outcome(test.test)
        } else {
            self.whole_answer(&test.compiled.rule, &test.operands).and_then(|outcome| {
                let Some(strict) = test.compiled.strict.as_ref().filter(|_| !outcome.is_fail()) else {
                    return Ok(outcome);
                };
                Ok(outcome_without_nulls(outcome, self.whole_answer(strict, &test.operands)?, strict))
            })
        };
        let outcome = outcome.unwrap_or_else(|misuse| {
            let hidden = self.value.contains_marks();
            Outcome::Fail(self.unreadable_diagnostics(&misuse, misuse.path(), hidden))
        });
        if !outcome.is_undetermined() {
            let is_unknown = |path: &Path| self.raw.get(path).is_ok_and(|raw| !raw.is_known());
            let unknown = values.iter().filter(|(path, _)| is_unknown(path));
            out.answered.extend(unknown.map(|(path, _)| path.clone()));
        }
        let is_null = test.operands.is_empty()
            && test.test.assertion.is_none()
            && self.value.is_null()
            && !self.value.is_marked()
            && !matches!(test.compiled.rule, Rule::IsNull | Rule::NotNull);
        PlaceResult {
            path: Path::new(),
            rest: PathExpr::new(),
            ty: Type::Dynamic,
            values,
            exactly: None,
            is_in_set: false,
            outcome,
            is_null,
            assumed_in,
        }
    }

    /// The result without paths into marked containers: each is cut off at the container (L5). The test as a rule on the whole
    /// value becomes the obligation, unless nothing that it reads at this place is marked.
    fn without_hidden_paths(&self, place: PlaceResult, test: &CompiledTest) -> PlaceResult {
        let here = place.exactly.as_ref().filter(|_| self.value.contains_marks());
        let here = here.and_then(|path| Rule::at(path.clone(), test.rule.clone()).ok());
        let rule = here.as_ref().filter(|rule| conceal::reads_nothing_marked(rule, self.value));
        let rule = rule.unwrap_or(&test.whole);
        let outcome = conceal::concealed_outcome(place.outcome, self.value, rule);
        let mut values: Vec<(Path, Value)> = Vec::new();
        for (path, value) in place.values {
            let shown = match conceal::marked_container(self.value, &path) {
                Some(container) => {
                    let value = self.value.get(&container).unwrap_or(value);
                    (container, value)
                }
                None => (path, value),
            };
            if !values.iter().any(|(known, _)| *known == shown.0) {
                values.push(shown);
            }
        }
        PlaceResult { outcome, values, ..place }
    }

    /// The failure of a test whose path cannot be followed, because it leads through a value of another kind.
    fn unreachable_result(&self, test: &PreparedTest<'_>, misuse: &Misuse) -> PlaceResult {
        let hidden = self.is_in_marked_value(misuse.path());
        // The place is named as far as the path could be followed.
        let path = misuse.path().clone();
        let steps = test.compiled.path.iter().flat_map(|path| path.steps()).skip(path.len());
        let shown =
            hidden.then(|| (path.clone(), self.value.get(&path).unwrap_or_else(|_| self.value.clone())));
        PlaceResult {
            rest: PathExpr::from_steps(steps.cloned()).unwrap_or_default(),
            path,
            ty: Type::Dynamic,
            values: shown.into_iter().collect(),
            exactly: None,
            is_in_set: false,
            outcome: Outcome::Fail(self.unreadable_diagnostics(misuse, misuse.path(), hidden)),
            is_null: false,
            assumed_in: Vec::new(),
        }
    }

    /// Whether the value at a path, or a container on the way to it, is marked.
    fn is_in_marked_value(&self, path: &Path) -> bool {
        let prefixes = (0..=path.len()).filter_map(|steps| path.steps().get(..steps).map(Path::from));
        prefixes.filter_map(|prefix| self.value.get(&prefix).ok()).any(|part| part.is_marked())
    }

    /// The failure of a `deny = true` rule, which fails wherever it applies.
    fn denial_outcome(&self, test: &Test) -> Result<Outcome, Misuse> {
        let what = test.description.as_deref().unwrap_or("denied");
        let detail = format!("{}: this change is {what}.", self.address);
        Ok(Outcome::fail(Diagnostic::error("Change Denied", detail, Path::new(), format!("it is {what}"))))
    }

    /// The diagnostics for a value that the rule cannot read. Without a schema such a mistake appears only when the
    /// rule is evaluated. With `hidden`, they do not describe the value.
    pub(super) fn unreadable_diagnostics(&self, misuse: &Misuse, path: &Path, hidden: bool) -> Diagnostics {
        let failure = if hidden {
            "the value is sensitive and of a type that the rule cannot read".to_owned()
        } else {
            misuse.message().to_owned()
        };
        let detail = if path.is_empty() { failure.clone() } else { format!("Attribute {path}: {failure}.") };
        std::iter::once(Diagnostic::error("Invalid Attribute Type", detail, path.clone(), failure)).collect()
    }

    /// The verdict for the result of a test under the guard of its rule. Takes the outcome and the values out of the
    /// result.
    fn test_verdict(
        &self,
        test: &PreparedTest<'_>,
        severity: Severity,
        guard: &GuardAnswer,
        place: &mut PlaceResult,
    ) -> TestVerdict {
        let CompiledTest { rule, whole, path, on_null, .. } = &test.compiled;
        let mut outcome = std::mem::replace(&mut place.outcome, Outcome::Pass);
        let is_guarded = matches!(guard, GuardAnswer::Undetermined { .. });
        // No path surely leads to a member of a set, so under a guard too the whole test remains.
        let exactly = place.exactly.as_ref().filter(|_| !place.is_in_set);
        if is_guarded && place.is_in_set {
            outcome = outcome.with_obligation(whole);
        }
        let outcome = guard.apply(outcome, || {
            let at_place = exactly.and_then(|path| Rule::at(path.clone(), rule.clone()).ok());
            at_place.unwrap_or_else(|| Rule::clone(whole))
        });
        match outcome {
            Outcome::Pass => TestVerdict::Pass,
            Outcome::Fail(diagnostics) => {
                let is_at_place = !place.path.is_empty();
                let values = std::mem::take(&mut place.values);
                let failure = self.test_failure(test.test, severity, diagnostics, is_at_place, values);
                TestVerdict::Fail(Box::new(failure))
            }
            Outcome::Undetermined(why) => TestVerdict::Undetermined(Box::new(Reason {
                depends_on: self.references_behind(&why),
                why,
                test: Arc::clone(whole),
                is_all_of_it: place.is_in_set && !is_guarded,
                null_says_nothing: *on_null == OnNull::Undetermined,
                about: place.exactly.take().or_else(|| path.clone()).unwrap_or_default(),
                message: test.test.message.clone(),
                condition: self.open_condition(test),
                not_askable: None,
                same_as: test
                    .test
                    .same_as
                    .as_ref()
                    .map(|place| Box::new(OpenComparison { place: place.clone(), is_guarded })),
            })),
        }
    }

    /// What the conditions of a test are asked with; `None` if it has none.
    fn open_condition(&self, test: &PreparedTest<'_>) -> Option<Box<OpenCondition>> {
        let surroundings = self.surroundings?;
        let (each, assertion) = (surroundings.each.borrow().clone(), test.test.assertion.clone());
        Some(Box::new(OpenCondition { each, assertion }))
    }

    /// The failure with the author's message filled in and the values that the message shows.
    fn test_failure(
        &self,
        test: &Test,
        severity: Severity,
        diagnostics: Diagnostics,
        is_at_place: bool,
        values: Vec<(Path, Value)>,
    ) -> Failure {
        let of_assertion = test.assertion.as_ref().zip(self.surroundings).map(|(assertion, surroundings)| {
            let text = error_message(
                &assertion.error_message,
                &assertion.locals,
                surroundings,
                (self.value, self.before),
            );
            text.unwrap_or_else(|problem| format!("the condition is false ({problem})"))
        });
        let of_template = test.message.as_ref().map(|template| {
            let (key, value) = match values.as_slice() {
                // The value at a place comes before those that it is compared with.
                [(path, value), rest @ ..] if !path.is_empty() && (is_at_place || rest.is_empty()) => {
                    (last_step_name(path), value.clone())
                }
                _ => (self.address.to_owned(), self.value.clone()),
            };
            let desc = test.description.clone().unwrap_or_else(|| test.rule.describe());
            let failures: Vec<&str> =
                diagnostics.iter().map(|diagnostic| diagnostic.failure.as_str()).collect();
            template.render(&Fields { key: &key, value: &value, desc: &desc, failure: &failures.join("; ") })
        });
        let message = of_assertion.or(of_template);
        let diagnostics = diagnostics.with_severity(severity);
        let faults = diagnostics.iter().filter_map(|diagnostic| part_at_fault(&diagnostic.path, &values));
        let faults: Vec<(Path, Value)> = faults.collect();
        let mut seen = BTreeSet::new();
        let looked_at = values.into_iter().chain(faults).filter(|(path, _)| seen.insert(path.clone()));
        let mut looked_at: Vec<(Path, String)> =
            looked_at.map(|(path, value)| (path, short_statement(&value))).collect();
        looked_at.shrink_to_fit();
        let has_own_words = test.description.is_some() && !test.is_denial();
        // The subject as a whole says nothing of a condition; what decided it is told apart.
        if test.assertion.is_some() {
            looked_at.clear();
        }
        let is_denial = test.is_denial();
        Failure {
            diagnostics,
            has_own_words,
            message,
            values: looked_at,
            decided: Vec::new(),
            decided_by: Vec::new(),
            source_line: None,
            is_denial,
        }
    }

    /// The references of the configuration that the unknown inputs of an undetermined answer depend on; the path of
    /// the input itself where there is no reference.
    pub(super) fn references_behind(&self, why: &Why) -> Vec<String> {
        let mut named = Vec::new();
        for input in why.inputs() {
            let references = (self.depends_on)(input);
            let own = input.after_name(self.address);
            for reference in if references.is_empty() { vec![own] } else { references } {
                if !named.contains(&reference) {
                    named.push(reference);
                }
            }
        }
        named.shrink_to_fit();
        named
    }
}

/// The undetermined answer of a rule that cannot be asked: `note` says why.
pub(super) fn undecided_answer(named: &NamedRule, note: &str, waits_for: &[String]) -> TestAnswer {
    TestAnswer {
        rule: named.name.as_str().into(),
        severity: named.severity,
        path: Path::new(),
        rest: PathExpr::new(),
        claim: named.description.as_deref().unwrap_or_default().into(),
        verdict: TestVerdict::Undetermined(Box::new(Reason {
            depends_on: waits_for.to_vec(),
            why: Why::new([]).with_note(note),
            test: Arc::new(Rule::IsNull),
            null_says_nothing: false,
            is_all_of_it: false,
            about: PathExpr::new(),
            message: None,
            same_as: None,
            condition: None,
            not_askable: Some("which times the rule is asked is not known at plan"),
        })),
        is_null: false,
        is_known: false,
        side: Side::Planned,
        position: named.position,
    }
}

/// The path and value that a diagnostic blames, if that lies in one of the shown `values`. In these paths members of
/// sets are named by position.
fn part_at_fault(path: &Path, values: &[(Path, Value)]) -> Option<(Path, Value)> {
    let (place, value) = values.iter().rev().find(|(place, _)| path.starts_with(place))?;
    let below = Path::from(path.steps().get(place.len()..)?);
    value.get(&below).ok().map(|part| (path.clone(), part))
}

/// The last step of a path as text, which messages call the key.
pub(in crate::plan) fn last_step_name(path: &Path) -> String {
    match path.steps().last() {
        Some(Step::Attr(name)) => name.as_str().to_owned(),
        Some(Step::Index(key)) => match key.as_str() {
            Ok(key) => key.to_owned(),
            Err(_) => path.to_string(),
        },
        None => String::new(),
    }
}
