//! Rules in words.

mod display;
mod markdown;
mod requirement;
mod verb;

pub(super) use markdown::escaped;
pub(super) use requirement::{requirement, requirement_not};
pub(super) use verb::quoted;

use crate::types::Type;
use crate::value::Value;

use super::decide::sums;
use super::{PathExpr, Rule};
use markdown::markdown;
use verb::verb;

/// A known rule says how things are (`starts with "a"`), an open one how they must turn out.
#[derive(Clone, Copy, PartialEq)]
enum Mood {
    Is,
    TurnsOut,
}

impl Rule {
    /// What the rule requires, in words: `starts with "vpc-"`, `vpc_id is not null`, `exactly one of a, b is set`.
    ///
    /// ```
    /// use plantime::rule::Rule;
    ///
    /// let rule = Rule::at("vpc_id".parse()?, Rule::StartsWith("vpc-".into()))?;
    /// assert_eq!(rule.describe(), r#"vpc_id starts with "vpc-""#);
    /// assert_eq!(Rule::MinLen(16).describe(), "has a length of at least 16");
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// Operands that are marked are not shown.
    pub fn describe(&self) -> String {
        clause(self, &PathExpr::new(), None, Mood::Is)
    }

    /// What the rule requires of values of a type, which decides what a length counts: `has at least 16
    /// characters`.
    ///
    /// ```
    /// use plantime::Type;
    /// use plantime::rule::Rule;
    ///
    /// assert_eq!(Rule::MinLen(16).describe_for(&Type::String), "has at least 16 characters");
    /// ```
    pub fn describe_for(&self, ty: &Type) -> String {
        clause(self, &PathExpr::new(), Some(ty), Mood::Is)
    }

    /// The description as Markdown: one line, or a nested list for rules with rules inside.
    pub fn markdown(&self) -> String {
        let mut out = String::new();
        markdown(self, &PathExpr::new(), 0, &mut out);
        out.truncate(out.trim_end().len());
        out
    }

    /// What must turn out for the rule to hold: `it turns out null`.
    pub(crate) fn turns_out(&self) -> String {
        clause(self, &PathExpr::new(), None, Mood::TurnsOut)
    }
}

fn clause(rule: &Rule, subject: &PathExpr, ty: Option<&Type>, mood: Mood) -> String {
    match rule {
        Rule::At(path, rule) => {
            let place = join(subject, path);
            let types = ty.and_then(|ty| path.types(ty).ok());
            let part = types.as_deref().and_then(|types| if let [ty] = types { Some(ty) } else { None });
            clause(rule, &place, part, mood)
        }
        Rule::All(rules) | Rule::Sequence(rules) => series(rules, subject, ty, mood, " and ", "holds always"),
        Rule::Any(rules) => series(rules, subject, ty, mood, " or ", "never holds"),
        Rule::Not(rule) => not(rule, subject, ty, mood),
        Rule::Implies(condition, rule) | Rule::When(condition, rule) => {
            implies((condition, rule), subject, ty, mood)
        }
        Rule::Keys(rule) => of_keys(rule, subject, mood),
        rule => single(rule, subject, ty, mood),
    }
}

#[inline(never)]
fn not(rule: &Rule, subject: &PathExpr, ty: Option<&Type>, mood: Mood) -> String {
    match (verb(rule, ty), rule, mood) {
        (Some(verb), _, Mood::Is) => said(subject, &verb.negated()),
        (Some(verb), _, Mood::TurnsOut) => turns(subject, &verb.turns_out_not()),
        // At one place, what is not null is null; of anything else, null passes the rule inside.
        (None, Rule::At(path, part), _)
            if !path.has_wildcard() && matches!(**part, Rule::NotNull | Rule::IsNull) =>
        {
            let opposite = if **part == Rule::NotNull { Rule::IsNull } else { Rule::NotNull };
            clause(&opposite, &join(subject, path), None, mood)
        }
        (None, ..) => format!("not ({})", clause(rule, subject, ty, mood)),
    }
}

#[inline(never)]
fn implies((condition, rule): (&Rule, &Rule), subject: &PathExpr, ty: Option<&Type>, mood: Mood) -> String {
    match mood {
        Mood::Is => {
            let (condition, rule) = (clause(condition, subject, ty, mood), clause(rule, subject, ty, mood));
            format!("if {condition}, then {rule}")
        }
        Mood::TurnsOut => {
            let part = |rule: &Rule| {
                let words = clause(rule, subject, ty, mood);
                if is_compound(rule) { format!("({words})") } else { words }
            };
            format!("{} whenever {}", part(rule), part(condition))
        }
    }
}

#[inline(never)]
fn of_keys(rule: &Rule, subject: &PathExpr, mood: Mood) -> String {
    let each = clause(rule, &PathExpr::new(), Some(&Type::String), Mood::Is);
    let each = if is_compound(rule) { format!("each key ({each})") } else { format!("each key {each}") };
    let turns_out = if mood == Mood::Is { "" } else { "it turns out that " };
    within(subject, format!("{turns_out}{each}"))
}

/// The words of a rule without rules inside. A function of its own keeps the frames of nested rules small.
#[inline(never)]
fn single(rule: &Rule, subject: &PathExpr, ty: Option<&Type>, mood: Mood) -> String {
    match rule {
        Rule::ExactlyOneOf(paths) => match (mood, paths.len()) {
            (Mood::Is, _) => within(subject, format!("exactly one of {} is set", list(paths))),
            (Mood::TurnsOut, 2) => within(subject, "exactly one of the two turns out null".to_owned()),
            (Mood::TurnsOut, _) => {
                within(subject, format!("exactly one of {} turns out not null", list(paths)))
            }
        },
        Rule::AtLeastOneOf(paths) => {
            let verb = if mood == Mood::Is { "is set" } else { "turns out not null" };
            within(subject, format!("at least one of {} {verb}", list(paths)))
        }
        Rule::Conflicting(paths) => {
            let verb = if mood == Mood::Is { "is set" } else { "turns out not null" };
            within(subject, format!("at most one of {} {verb}", list(paths)))
        }
        Rule::RequiredTogether(paths) => {
            let verb = if mood == Mood::Is { "are set" } else { "turn out not null" };
            within(subject, format!("all or none of {} {verb}", list(paths)))
        }
        Rule::AlsoRequires(path, others) => {
            let (if_set, set) = (format!("{path} is set"), required(others, mood));
            within(subject, conditional(&if_set, &set, mood))
        }
        Rule::RequiredWhen(requirement) => {
            let asked = condition(&requirement.path, &requirement.one_of);
            within(subject, conditional(&asked, &required(&requirement.required, mood), mood))
        }
        Rule::PreferWriteOnly(path, alternative) => {
            let verb = if mood == Mood::Is { "is null" } else { "turns out null" };
            within(subject, format!("{path} {verb}, as {alternative} is write-only"))
        }
        Rule::AtLeastSumOf(paths)
        | Rule::AtMostSumOf(paths)
        | Rule::EqualToSumOf(paths)
        | Rule::EqualToProductOf(paths)
            if !subject.is_empty() =>
        {
            let paths: Vec<PathExpr> = paths.iter().map(|path| join(subject, path)).collect();
            let words = sums::words(rule, &paths);
            if mood == Mood::Is {
                said(subject, &format!("is {words}"))
            } else {
                turns(subject, &format!("to be {words}"))
            }
        }
        rule => match (verb(rule, ty), mood) {
            (Some(verb), Mood::Is) => said(subject, &verb.third),
            (Some(verb), Mood::TurnsOut) => turns(subject, &verb.turns_out()),
            (None, _) => String::new(),
        },
    }
}

fn conditional(condition: &str, rule: &str, mood: Mood) -> String {
    match mood {
        Mood::Is => format!("if {condition}, then {rule}"),
        Mood::TurnsOut => format!("{rule} whenever {condition}"),
    }
}

fn required(paths: &[PathExpr], mood: Mood) -> String {
    let (paths, one) = (list(paths), paths.len() == 1);
    match mood {
        Mood::Is => format!("{paths} {} set", if one { "is" } else { "are" }),
        Mood::TurnsOut => format!("{paths} {} out not null", if one { "turns" } else { "turn" }),
    }
}

/// `mode is "a"`, `mode is one of "a", "b"`. Values that are marked are not shown.
pub(super) fn condition(path: &PathExpr, values: &[Value]) -> String {
    let place = if path.is_empty() { "the value".to_owned() } else { path.to_string() };
    match values {
        [value] => format!("{place} is {value}"),
        values => format!("{place} is one of {}", list(values)),
    }
}

fn join(subject: &PathExpr, path: &PathExpr) -> PathExpr {
    // Longer than the limit only where the rule could not be checked either.
    PathExpr::from_steps(subject.steps().iter().chain(path.steps()).cloned()).unwrap_or_else(|_| path.clone())
}

fn series(
    rules: &[Rule],
    subject: &PathExpr,
    ty: Option<&Type>,
    mood: Mood,
    joint: &str,
    none: &str,
) -> String {
    if rules.is_empty() {
        return said(subject, none);
    }
    let one = rules.len() == 1;
    let parts = rules.iter().map(|rule| {
        let part = clause(rule, subject, ty, mood);
        if is_compound(rule) && !one { format!("({part})") } else { part }
    });
    parts.collect::<Vec<String>>().join(joint)
}

/// Whether the words of the rule have an `and`, `or` or `if` of their own.
fn is_compound(rule: &Rule) -> bool {
    match rule {
        Rule::At(_, rule) => is_compound(rule),
        Rule::All(rules) | Rule::Any(rules) | Rule::Sequence(rules) => match &**rules {
            [rule] => is_compound(rule),
            rules => !rules.is_empty(),
        },
        Rule::Implies(..) | Rule::When(..) | Rule::AlsoRequires(..) | Rule::RequiredWhen(_) => true,
        _ => false,
    }
}

fn said(subject: &PathExpr, what: &str) -> String {
    if subject.is_empty() { what.to_owned() } else { format!("{subject} {what}") }
}

fn turns(subject: &PathExpr, what: &str) -> String {
    if subject.is_empty() { format!("it turns out {what}") } else { format!("{subject} turns out {what}") }
}

fn within(subject: &PathExpr, what: String) -> String {
    if subject.is_empty() { what } else { format!("in {subject}, {what}") }
}

pub(super) fn list(items: &[impl ToString]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<String>>().join(", ")
}
