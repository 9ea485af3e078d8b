//! Rules by which one attribute requires others (`also_requires`, `required_when`) or should be replaced by another
//! (`prefer_write_only`).

use crate::path::Path;
use crate::types::Type;
use crate::value::Value;
use crate::value::equality::{any_equal, is_always_null, may_be_null};

use super::cross_field::{ClassifiedPaths, all_set, classify_paths, is_set, with_place};
use super::finite;
use crate::rule::describe::comma_list;
use crate::rule::evaluate::at;
use crate::rule::keywords::operand::Operand;
use crate::rule::keywords::{Keyword, row};
use crate::rule::path_expr::{PathEnd, append_steps};
use crate::rule::{Diagnostic, ExprStep, How, Misuse, Outcome, PathExpr, Request, Rule, Why};

/// A rule by which one attribute or element, given by a path, requires others or should be replaced by another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RequiresRule {
    /// If the value at the first path is not null, those at the other paths are not null either.
    AlsoRequires(PathExpr, Vec<PathExpr>),
    /// If the value at one path equals one of some values, those at other paths are not null.
    RequiredWhen(Box<Requirement>),
    /// The value at the first path is null. If not, a warning names the write-only attribute at the second path to use
    /// instead.
    PreferWriteOnly(PathExpr, PathExpr),
}

impl Rule {
    /// If the value at the first path is not null, those at the other paths are not null either.
    ///
    /// ```
    /// use plantime::rule::Rule;
    /// use plantime::value;
    ///
    /// let rule = Rule::also_requires("certificate".parse()?, ["key".parse()?]);
    /// assert!(rule.check_value(&value!({ "certificate": null, "key": null })?)?.is_pass());
    /// let outcome = rule.check_value(&value!({ "certificate": "c", "key": null })?)?;
    /// assert!(outcome.is_fail());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn also_requires(path: PathExpr, others: impl IntoIterator<Item = PathExpr>) -> Rule {
        Rule::Requires(RequiresRule::AlsoRequires(path, others.into_iter().collect()))
    }

    /// If the value at one path equals one of some values, those at other paths are not null.
    ///
    /// ```
    /// use plantime::Value;
    /// use plantime::rule::{Requirement, Rule};
    /// use plantime::value;
    ///
    /// let rule = Rule::required_when(Requirement {
    ///     path: "protocol".parse()?,
    ///     one_of: vec![Value::from("https"), Value::from("tls")],
    ///     required: vec!["certificate".parse()?],
    /// });
    /// assert!(rule.check_value(&value!({ "protocol": "http", "certificate": null })?)?.is_pass());
    /// assert!(rule.check_value(&value!({ "protocol": "tls", "certificate": null })?)?.is_fail());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn required_when(requirement: Requirement) -> Rule {
        Rule::Requires(RequiresRule::RequiredWhen(Box::new(requirement)))
    }

    /// The value at the first path is null. If not, a warning names the write-only attribute at the second path to use
    /// instead.
    ///
    /// ```
    /// use plantime::rule::{Rule, Severity};
    /// use plantime::value;
    ///
    /// let rule = Rule::prefer_write_only("password".parse()?, "password_wo".parse()?);
    /// let outcome = rule.check_value(&value!({ "password": "x", "password_wo": null })?)?;
    /// assert_eq!(outcome.diagnostics()[0].severity, Severity::Warning);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn prefer_write_only(path: PathExpr, alternative: PathExpr) -> Rule {
        Rule::Requires(RequiresRule::PreferWriteOnly(path, alternative))
    }
}

impl RequiresRule {
    /// The entry of the keyword table for this rule: its name in rules files and the types that it can read.
    pub(in crate::rule) fn row(&self) -> &'static Keyword {
        match self {
            RequiresRule::AlsoRequires(..) => const { row("also_requires") },
            RequiresRule::RequiredWhen(_) => const { row("required_when") },
            RequiresRule::PreferWriteOnly(..) => const { row("prefer_write_only") },
        }
    }

    /// The argument of the rule: the requirement, or the paths.
    pub(in crate::rule) fn operand(&self) -> Operand<'_> {
        match self {
            RequiresRule::RequiredWhen(requirement) => Operand::Requirement(requirement),
            RequiresRule::AlsoRequires(..) | RequiresRule::PreferWriteOnly(..) => {
                Operand::Paths(self.paths())
            }
        }
    }

    /// All paths in the rule: first that of the condition or of the attribute to replace, then the others.
    pub(in crate::rule) fn paths(&self) -> Vec<&PathExpr> {
        match self {
            RequiresRule::AlsoRequires(path, others) => std::iter::once(path).chain(others).collect(),
            RequiresRule::RequiredWhen(requirement) => {
                std::iter::once(&requirement.path).chain(&requirement.required).collect()
            }
            RequiresRule::PreferWriteOnly(path, alternative) => vec![path, alternative],
        }
    }
}

/// Evaluates a rule of this family on the value of the request. `requires` is the payload of `rule`.
pub(in crate::rule) fn check(
    rule: &Rule,
    requires: &RequiresRule,
    request: &Request<'_>,
) -> Result<Outcome, Misuse> {
    match requires {
        RequiresRule::AlsoRequires(path, others) => also_requires(rule, path, others, request),
        RequiresRule::RequiredWhen(requirement) => required_when(rule, requirement, request),
        RequiresRule::PreferWriteOnly(path, other) => prefer_write_only(rule, path, other, request),
    }
}

/// The condition and the attributes of `required_when`: if the value at one path equals one of some values, those at
/// other paths must not be null.
///
/// A condition whose path leads to several values holds if one of them equals a given value. A missing element is null,
/// and null equals only a null among the given values.
///
/// [Example](Rule::required_when)
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Requirement {
    /// The path to the value that the condition is about.
    pub path: PathExpr,
    /// The values for which the condition holds.
    pub one_of: Vec<Value>,
    /// The paths to the values that must not be null if the condition holds.
    pub required: Vec<PathExpr>,
}

/// Evaluates `also_requires`: if the value at `path` is not null (set), those at `others` must not be null. The
/// obligation of an undetermined outcome is what remains to be checked.
///
/// | value at `path` | values at `others` | outcome |
/// |---|---|---|
/// | null, or anything | anything, or all set | pass |
/// | set | one is null | fail |
/// | set | some may be null | obligation: those must be set |
/// | may be null | one is null | obligation: `path` must be null |
/// | may be null | some may be null | obligation: the same rule on those |
#[inline(never)]
fn also_requires(
    rule: &Rule,
    path: &PathExpr,
    others: &[PathExpr],
    request: &Request<'_>,
) -> Result<Outcome, Misuse> {
    let mut inputs = Vec::new();
    let set = is_set(path, request, &mut inputs)?;
    let operands = classify_paths(others, request)?;
    if set == Some(false) || operands.null.is_empty() && operands.maybe_null.is_empty() {
        return Ok(Outcome::Pass);
    }
    let obligation = match set {
        Some(_) if !operands.null.is_empty() => {
            let asked = format!("when {path} is configured");
            return Ok(missing_failure(&asked, &operands, request));
        }
        Some(_) => all_set(&operands, rule),
        None if !operands.null.is_empty() => {
            Rule::at(path.clone(), Rule::IsNull).unwrap_or_else(|_| rule.clone())
        }
        None => Rule::also_requires(path.clone(), operands.maybe_null_paths()),
    };
    // If one of the others is null, the outcome no longer depends on those that may be null.
    if operands.null.is_empty() {
        inputs.extend(operands.inputs);
    }
    Ok(Outcome::Undetermined(Why::new(inputs).with_obligation(obligation)))
}

/// Evaluates `required_when`: if the condition of the requirement holds, the required values must not be null. `rule`
/// is the obligation of an undetermined outcome where no smaller rule says what remains to be checked.
#[inline(never)]
fn required_when(rule: &Rule, requirement: &Requirement, request: &Request<'_>) -> Result<Outcome, Misuse> {
    let mut inputs = Vec::new();
    let (holds, asked) = condition_holds(requirement, request, &mut inputs)?;
    let operands = classify_paths(&requirement.required, request)?;
    if holds == Some(false) || operands.null.is_empty() && operands.maybe_null.is_empty() {
        return Ok(Outcome::Pass);
    }
    let obligation = match holds {
        Some(_) if !operands.null.is_empty() => return Ok(missing_failure(&asked, &operands, request)),
        Some(_) => all_set(&operands, rule),
        None => {
            let left = if operands.null.is_empty() { &operands.maybe_null } else { &operands.null };
            let required = left.iter().map(|path| (*path).clone()).collect();
            Rule::required_when(Requirement { required, ..requirement.clone() })
        }
    };
    if operands.null.is_empty() {
        inputs.extend(operands.inputs);
    }
    Ok(Outcome::Undetermined(Why::new(inputs).with_obligation(obligation)))
}

/// Whether the condition of `required_when` holds: some value at its path equals one of the given values. `None` if
/// that depends on unknowns, whose paths are then added to `inputs`. The string is the condition in words for the
/// message, `when mode is "a"`, with marked content hidden; it is only filled where the condition holds.
fn condition_holds(
    requirement: &Requirement,
    request: &Request<'_>,
    inputs: &mut Vec<Path>,
) -> Result<(Option<bool>, String), Misuse> {
    let (start, ends) = at::follow_path(&requirement.path, request)?;
    let mut answer = Some(false);
    for end in &ends {
        let below = match end.how {
            How::Exact => None,
            How::StoppedAtNull | How::Missing => Some(Value::null(Type::Dynamic)),
            How::StoppedAtUnknown => Some(at::unknown_below(end)),
        };
        let part = below.as_ref().unwrap_or(&end.value);
        let is_any = end.how == How::StoppedAtUnknown && end.rest.contains(&ExprStep::AnyElement);
        let holds = match is_any {
            true => unknown_elements_match(end, &requirement.one_of),
            false => equals_one_of(part, &requirement.one_of),
        };
        match holds {
            Some(true) => {
                let what = if is_any { "known".to_owned() } else { part.to_string() };
                return Ok((Some(true), format!("when {} is {what}", requirement.path)));
            }
            Some(false) => {}
            None => {
                inputs.push(start.path.clone().join(&end.path));
                answer = None;
            }
        }
    }
    Ok((answer, String::new()))
}

/// Whether some element below an unknown collection, where the path `end` stopped, equals one of the values. `None` if
/// that depends on unknowns. A null collection counts as one null element, an empty one has none.
fn unknown_elements_match(end: &PathEnd<'_>, values: &[Value]) -> Option<bool> {
    let mut answers = Vec::new();
    if !end.value.range().is_not_null() || end.rest.len() > 1 {
        answers.push(equals_one_of(&Value::null(Type::Dynamic), values));
    }
    if !at::certainly_has_elements(end) {
        answers.push(Some(false));
    }
    if !end.leads_nowhere() {
        let elements = at::elements_below(end);
        answers.extend(elements.iter().map(|element| equals_one_of(element, values)));
    }
    let (first, rest) = answers.split_first()?;
    first.filter(|_| rest.iter().all(|answer| answer == first))
}

/// Whether a value equals one of `values`; a null equals a null. `None` if the equality depends on unknowns.
fn equals_one_of(part: &Value, values: &[Value]) -> Option<bool> {
    let among = |part: &Value| {
        any_equal(values, part).or_else(|| finite::decide_by_trying(&Rule::one_of(values), part))
    };
    if !may_be_null(part) || is_always_null(part) {
        return among(part);
    }
    let null = values.iter().any(is_always_null);
    match part.assume_not_null() {
        Ok(some) => among(&some).filter(|some| *some == null),
        Err(_) => None,
    }
}

/// Evaluates `prefer_write_only`: if the value at `path` is not null, the outcome is a warning that names
/// `alternative`, the write-only attribute to use in its place.
#[inline(never)]
fn prefer_write_only(
    rule: &Rule,
    path: &PathExpr,
    alternative: &PathExpr,
    request: &Request<'_>,
) -> Result<Outcome, Misuse> {
    let mut inputs = Vec::new();
    Ok(match is_set(path, request, &mut inputs)? {
        Some(false) => Outcome::Pass,
        Some(true) => {
            let sentence = format!(
                "The attribute {path} has a write-only alternative {alternative} available. Use the write-only \
                 alternative of the attribute when possible."
            );
            let failure = format!("{path} is not null");
            let place = operand_path(path, request);
            let summary = "Available Write-only Attribute Alternative";
            Outcome::fail(Diagnostic::warning(summary, with_place(sentence, request), place, failure))
        }
        None => Outcome::Undetermined(Why::new(inputs).with_obligation(rule.clone())),
    })
}

/// The failed outcome of a rule that required attributes which are null; the message names them. `condition` is in
/// words, such as `when mode is "a"`.
#[cold]
fn missing_failure(condition: &str, operands: &ClassifiedPaths<'_>, request: &Request<'_>) -> Outcome {
    let null = comma_list(&operands.null);
    let sentence = format!("These attributes must be configured {condition}: [{null}]");
    let failure = format!("{null} {} null", if operands.null.len() == 1 { "is" } else { "are" });
    let detail = with_place(sentence, request);
    // A single missing attribute is the place to show; for several it is the value that contains them.
    let place = match operands.null.as_slice() {
        [only] => operand_path(only, request),
        _ => request.path.clone(),
    };
    Outcome::fail(Diagnostic::error("Invalid Attribute Combination", detail, place, failure))
}

/// The path, from the root, that a diagnostic shows for a path of the rule; that of the evaluated value if the path has
/// a `[*]` or leads out of the root.
fn operand_path(path: &PathExpr, request: &Request<'_>) -> Path {
    let whole = || request.path.clone();
    if path.has_wildcard() {
        return whole();
    }
    at::path_start(path, request)
        .map_or_else(|_| whole(), |start| append_steps(path.inward_steps(), start.path))
}
