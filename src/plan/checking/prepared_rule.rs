//! The rules of a rules file, prepared once for all resources of one type.

use std::cell::RefCell;
use std::collections::BTreeSet;

use super::operands::{attributes, operands};
use crate::plan::ResourceChange;
use crate::plan::rules::rules_file::{NamedRule, OnNull, RulesFile, Subject, Test};
use crate::plan::source::Position;
use crate::rule::{ExprStep, PathExpr, Rule, path_by_keys, rule_by_keys};
use crate::types::Type;

/// A rule, with its paths and tests as they are evaluated on values of one declared type.
pub(super) struct PreparedRule<'r> {
    pub(super) named: &'r NamedRule,
    /// The attributes that the rule looks at.
    pub(super) attributes: BTreeSet<String>,
    pub(super) guard: Option<Rule>,
    pub(super) tests: Vec<PreparedTest<'r>>,
    /// The type has none of the attributes that these tests, or the guard, are about.
    pub(super) absent: Vec<Absent>,
    /// Mistakes in the rule: a place that the type does not have, a rule that cannot read the type there.
    pub(super) problems: Vec<(Position, String)>,
}

impl PreparedRule<'_> {
    /// Whether there is nothing to evaluate on this type.
    pub(super) fn is_idle(&self) -> bool {
        self.tests.is_empty() && self.problems.is_empty()
    }
}

/// An attribute that a rule about several types is about, and that one of these types does not have.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Absent {
    pub(super) attribute: String,
}

/// A test, as it is evaluated.
pub(super) struct PreparedTest<'r> {
    pub(super) test: &'r Test,
    pub(super) path: Option<PathExpr>,
    pub(super) rule: Rule,
    /// The rule at the path, on the value as a whole.
    pub(super) everywhere: Rule,
    /// The places that a test of the whole value looks at.
    pub(super) operands: Vec<PathExpr>,
    pub(super) on_null: OnNull,
    claims: Claims,
}

/// What is tested, in words, for the types that were met: those of most places are a few.
type Claims = RefCell<Vec<(Type, String)>>;

/// How many types words are kept for.
const TYPES: usize = 8;

impl PreparedTest<'_> {
    /// What is tested of a value of this type, in words; a test of a whole value says so.
    pub(super) fn claim(&self, ty: &Type) -> String {
        let mut claims = self.claims.borrow_mut();
        if let Some((_, claim)) = claims.iter().find(|(known, _)| known == ty) {
            return claim.clone();
        }
        let test = self.test;
        let claim = test.description.clone().unwrap_or_else(|| test.rule.describe_for(ty));
        let is_whole = test.path.is_none() && !test.is_denial() && operands(&test.rule).is_empty();
        let claim = if is_whole { format!("value {claim}") } else { claim };
        if claims.len() < TYPES {
            claims.push((ty.clone(), claim.clone()));
        }
        claim
    }
}

/// The rules that are about resources of the type of this one, by position in the file, prepared for its declared type.
pub(super) fn about<'r>(
    change: &ResourceChange,
    rules: &'r RulesFile,
    declared: &Type,
) -> Vec<(usize, PreparedRule<'r>)> {
    let is_about = |rule: &NamedRule| match &rule.subject {
        Subject::Resource(pattern) => pattern.matches_type(change),
        _ => false,
    };
    let of_type = rules.rules.iter().enumerate().filter(|(_, rule)| is_about(rule));
    of_type.map(|(index, rule)| (index, prepared(rule, declared, rules.on_null))).collect()
}

/// Prepares a rule for values of a declared type. A part of that type that is `dynamic` is not decided: a name below it
/// is read as a key, which may be missing.
pub(super) fn prepared<'r>(named: &'r NamedRule, declared: &Type, on_null: OnNull) -> PreparedRule<'r> {
    let several = matches!(&named.subject, Subject::Resource(pattern) if pattern.type_name().contains('*'));
    let mut rule = PreparedRule {
        named,
        attributes: attributes(named),
        guard: None,
        tests: Vec::new(),
        absent: Vec::new(),
        problems: Vec::new(),
    };
    let whole = PathExpr::new();
    if let Some(guard) = &named.guard {
        if let Some(absent) = all_absent(&operands(guard), declared).filter(|_| several) {
            rule.absent.push(absent);
            return rule;
        }
        let guard = rule_by_keys(guard, &whole, declared, several);
        match guard.check_type(declared) {
            Ok(()) => rule.guard = Some(guard),
            Err(misuse) => {
                rule.problems.push((named.position, misuse.to_string()));
                return rule;
            }
        }
    }
    for test in &named.tests {
        match prepared_test(test, declared, several, on_null) {
            Ok(test) => rule.tests.push(test),
            Err(Unprepared::Absent(absent)) => rule.absent.push(absent),
            Err(Unprepared::Problem(problem)) => rule.problems.push((test.position, problem)),
        }
    }
    rule
}

/// Why a test cannot be evaluated on values of a type.
enum Unprepared {
    Absent(Absent),
    Problem(String),
}

fn prepared_test<'r>(
    test: &'r Test,
    declared: &Type,
    several: bool,
    default: OnNull,
) -> Result<PreparedTest<'r>, Unprepared> {
    let on_null = test.null.unwrap_or(default);
    let Some(written) = &test.path else {
        let operands = operands(&test.rule);
        if let Some(absent) = all_absent(&operands, declared).filter(|_| several) {
            return Err(Unprepared::Absent(absent));
        }
        let rule = rule_by_keys(&test.rule, &PathExpr::new(), declared, several);
        rule.check_type(declared).map_err(|misuse| Unprepared::Problem(misuse.to_string()))?;
        let operands = operands.iter().map(|path| path_by_keys(path, declared, several)).collect();
        return Ok(PreparedTest {
            test,
            path: None,
            everywhere: rule.clone(),
            rule,
            operands,
            on_null,
            claims: Claims::default(),
        });
    };
    let path = path_by_keys(written, declared, false);
    if let Err(error) = path.check_type(declared) {
        let absent = root(written).filter(|_| several && error.is_not_found());
        return Err(match absent {
            Some(attribute) => Unprepared::Absent(Absent { attribute: attribute.to_owned() }),
            None => Unprepared::Problem(error.to_string()),
        });
    }
    let rule = rule_by_keys(&test.rule, written, declared, several);
    let problem = |error: &dyn std::fmt::Display| Unprepared::Problem(error.to_string());
    let rule = match on_null {
        OnNull::Fail if rule != Rule::IsNull => {
            Rule::all([Rule::NotNull, rule]).map_err(|error| problem(&error))?
        }
        _ => rule,
    };
    let everywhere = Rule::at(path.clone(), rule.clone()).map_err(|error| problem(&error))?;
    everywhere.check_type(declared).map_err(|misuse| problem(&misuse))?;
    Ok(PreparedTest {
        test,
        path: Some(path),
        rule,
        everywhere,
        operands: Vec::new(),
        on_null,
        claims: Claims::default(),
    })
}

/// The first attribute, where the type has none of the places.
fn all_absent(places: &[PathExpr], declared: &Type) -> Option<Absent> {
    let absent = |path: &PathExpr| {
        path_by_keys(path, declared, false).check_type(declared).is_err_and(|error| error.is_not_found())
    };
    let first = places.first()?;
    places.iter().all(absent).then(|| Absent { attribute: root(first).unwrap_or_default().to_owned() })
}

/// The attribute that a path begins with.
pub(super) fn root(path: &PathExpr) -> Option<&str> {
    match path.steps().first() {
        Some(ExprStep::Attr(name)) => Some(name),
        _ => None,
    }
}
