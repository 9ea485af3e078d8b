//! Describes rules in words.

mod display;
mod markdown;
mod requirement;
mod verb;

pub(super) use markdown::escaped;
pub(super) use requirement::{requirement, requirement_not};
pub(super) use verb::{Phrase, quoted};

use crate::types::Type;
use crate::value::Value;

use super::decide::sums;
use super::{ExprStep, PathExpr, PresenceRule, RequiresRule, Rule};
use markdown::markdown;
use verb::verb;

/// The form of a description.
#[derive(Clone, Copy, PartialEq)]
enum Mood {
    /// What a rule requires: `starts with "a"`.
    Is,
    /// What must become known for the rule to pass: `turns out to start with "a"`.
    TurnsOut,
}

impl Rule {
    /// What the rule requires, in words: `starts with "vpc-"`, `vpc_id is not null`, `exactly one of a, b is set`.
    ///
    /// ```
    /// use plantime::rule::Rule;
    ///
    /// let rule = Rule::at("vpc_id".parse()?, Rule::starts_with("vpc-"))?;
    /// assert_eq!(rule.describe(), r#"vpc_id starts with "vpc-""#);
    /// assert_eq!(Rule::min_len(16).describe(), "has a length of at least 16");
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
    /// assert_eq!(Rule::min_len(16).describe_for(&Type::String), "has at least 16 characters");
    /// ```
    pub fn describe_for(&self, ty: &Type) -> String {
        clause(self, &PathExpr::new(), Some(ty), Mood::Is)
    }

    /// The description as Markdown: one line, or a nested list for rules with rules inside.
    ///
    /// ```
    /// use plantime::rule::Rule;
    ///
    /// assert_eq!(Rule::min(1).markdown(), "- is at least 1");
    /// let rule = Rule::all([Rule::min(1), Rule::any([Rule::even(), Rule::max(9)])?])?;
    /// assert!(rule.markdown().lines().count() > 2);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn markdown(&self) -> String {
        let mut out = String::new();
        markdown(self, &PathExpr::new(), 0, &mut out);
        out.truncate(out.trim_end().len());
        out
    }

    /// Says what must become known for the rule to hold: `it turns out null`.
    #[doc(hidden)]
    pub fn turns_out(&self) -> String {
        clause(self, &PathExpr::new(), None, Mood::TurnsOut)
    }
}

/// Describes a rule in a clause. `subject` is the path from the value of the whole description to the one that the
/// rule is about; `ty` is the type of that value, if known.
fn clause(rule: &Rule, subject: &PathExpr, ty: Option<&Type>, mood: Mood) -> String {
    match rule {
        Rule::At(path, rule) => {
            let place = join_paths(subject, path);
            let types = ty.and_then(|ty| path.types(ty).ok());
            let part = types.as_deref().and_then(|types| if let [ty] = types { Some(ty) } else { None });
            clause(rule, &place, part, mood)
        }
        Rule::All(rules) | Rule::Sequence(rules) => {
            join_clauses(rules, subject, ty, mood, " and ", "holds always")
        }
        Rule::Any(rules) => join_clauses(rules, subject, ty, mood, " or ", "never holds"),
        Rule::Not(rule) => not_clause(rule, subject, ty, mood),
        Rule::Implies(condition, rule) | Rule::When(condition, rule) => {
            implication_clause((condition, rule), subject, ty, mood)
        }
        Rule::Keys(rule) => keys_clause(rule, subject, mood),
        rule => leaf_clause(rule, subject, ty, mood),
    }
}

/// Describes the negation of a rule in a clause.
#[inline(never)]
fn not_clause(rule: &Rule, subject: &PathExpr, ty: Option<&Type>, mood: Mood) -> String {
    match (verb(rule, ty), rule, mood) {
        (Some(verb), _, Mood::Is) => with_subject(subject, &verb.negated()),
        (Some(verb), _, Mood::TurnsOut) => turns_out(subject, &verb.turns_out_not()),
        // For a single place, "not (x is null)" is plainly "x is not null". Other rules cannot be turned around, as null passes them.
        (None, Rule::At(path, part), _)
            if !path.has_wildcard() && matches!(**part, Rule::NotNull | Rule::IsNull) =>
        {
            let opposite = if **part == Rule::NotNull { Rule::IsNull } else { Rule::NotNull };
            clause(&opposite, &join_paths(subject, path), None, mood)
        }
        (None, Rule::At(path, part), _) => match (path.steps(), &**part) {
            // Not every element breaks the rule: how `some` is built.
            ([ExprStep::AnyElement], Rule::Not(element)) => {
                format!("for some element: {}", clause(element, &join_paths(subject, path), None, mood))
            }
            _ => format!("not ({})", clause(rule, subject, ty, mood)),
        },
        (None, ..) => format!("not ({})", clause(rule, subject, ty, mood)),
    }
}

/// Describes a rule under a condition in a clause: `if a, then b`, or `b whenever a`.
#[inline(never)]
fn implication_clause(
    (condition, rule): (&Rule, &Rule),
    subject: &PathExpr,
    ty: Option<&Type>,
    mood: Mood,
) -> String {
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

/// Describes a rule on every key of a map in a clause: `each key starts with "a"`.
#[inline(never)]
fn keys_clause(rule: &Rule, subject: &PathExpr, mood: Mood) -> String {
    let each = clause(rule, &PathExpr::new(), Some(&Type::String), Mood::Is);
    let each = if is_compound(rule) { format!("each key ({each})") } else { format!("each key {each}") };
    let turns_out = if mood == Mood::Is { "" } else { "it turns out that " };
    in_place(subject, format!("{turns_out}{each}"))
}

/// Describes a rule without nested rules in a clause. Not inlined: rules nest up to 256 deep, and a debug build has 1
/// MiB of stack for all their frames.
#[inline(never)]
fn leaf_clause(rule: &Rule, subject: &PathExpr, ty: Option<&Type>, mood: Mood) -> String {
    match rule {
        Rule::Presence(presence, paths) => in_place(subject, presence_words(*presence, paths, mood)),
        Rule::Requires(RequiresRule::AlsoRequires(path, others)) => {
            let (if_set, set) = (format!("{path} is set"), must_be_set(others, mood));
            in_place(subject, if_then(&if_set, &set, mood))
        }
        Rule::Requires(RequiresRule::RequiredWhen(requirement)) => {
            let asked = condition(&requirement.path, &requirement.one_of);
            in_place(subject, if_then(&asked, &must_be_set(&requirement.required, mood), mood))
        }
        Rule::Requires(RequiresRule::PreferWriteOnly(path, alternative)) => {
            let verb = if mood == Mood::Is { "is null" } else { "turns out null" };
            in_place(subject, format!("{path} {verb}, as {alternative} is write-only"))
        }
        Rule::Total(total, paths) if !subject.is_empty() => {
            let paths: Vec<PathExpr> = paths.iter().map(|path| join_paths(subject, path)).collect();
            let words = sums::words(*total, &paths);
            if mood == Mood::Is {
                with_subject(subject, &format!("is {words}"))
            } else {
                turns_out(subject, &format!("to be {words}"))
            }
        }
        rule => match (verb(rule, ty), mood) {
            (Some(verb), Mood::Is) => with_subject(subject, &verb.third()),
            (Some(verb), Mood::TurnsOut) => turns_out(subject, &verb.turns_out()),
            (None, _) => String::new(),
        },
    }
}

/// Says how many of the values at the paths are not null: `exactly one of a, b is set`.
fn presence_words(presence: PresenceRule, paths: &[PathExpr], mood: Mood) -> String {
    let (how, is, turns_out) = match presence {
        PresenceRule::ExactlyOneOf if mood == Mood::TurnsOut && paths.len() == 2 => {
            return "exactly one of the two turns out null".to_owned();
        }
        PresenceRule::ExactlyOneOf => ("exactly one", "is set", "turns out not null"),
        PresenceRule::AtLeastOneOf => ("at least one", "is set", "turns out not null"),
        PresenceRule::Conflicting => ("at most one", "is set", "turns out not null"),
        PresenceRule::RequiredTogether => ("all or none", "are set", "turn out not null"),
    };
    let verb = if mood == Mood::Is { is } else { turns_out };
    format!("{how} of {} {verb}", comma_list(paths))
}

/// Joins a condition and a requirement: `if a is set, then b is set`, or `b is set whenever a is set`.
fn if_then(condition: &str, rule: &str, mood: Mood) -> String {
    match mood {
        Mood::Is => format!("if {condition}, then {rule}"),
        Mood::TurnsOut => format!("{rule} whenever {condition}"),
    }
}

/// Says that the values at all paths are not null: `a, b are set`.
fn must_be_set(paths: &[PathExpr], mood: Mood) -> String {
    let (paths, one) = (comma_list(paths), paths.len() == 1);
    match mood {
        Mood::Is => format!("{paths} {} set", if one { "is" } else { "are" }),
        Mood::TurnsOut => format!("{paths} {} out not null", if one { "turns" } else { "turn" }),
    }
}

/// Says that the value at a path is one of the values: `mode is "a"`, `mode is one of "a", "b"`. Values that are
/// marked are not shown.
pub(super) fn condition(path: &PathExpr, values: &[Value]) -> String {
    let place = if path.is_empty() { "the value".to_owned() } else { path.to_string() };
    match values {
        [value] => format!("{place} is {value}"),
        values => format!("{place} is one of {}", comma_list(values)),
    }
}

/// The path `subject` followed by `path`.
fn join_paths(subject: &PathExpr, path: &PathExpr) -> PathExpr {
    // The joined path can exceed the limit only if the rule cannot be checked either, so any text will do.
    PathExpr::from_steps(subject.steps().iter().chain(path.steps()).cloned()).unwrap_or_else(|_| path.clone())
}

/// Describes several rules in one clause, joined by `joint` such as ` and `; the predicate `none` if there are no
/// rules.
fn join_clauses(
    rules: &[Rule],
    subject: &PathExpr,
    ty: Option<&Type>,
    mood: Mood,
    joint: &str,
    none: &str,
) -> String {
    if rules.is_empty() {
        return with_subject(subject, none);
    }
    let one = rules.len() == 1;
    let parts = rules.iter().map(|rule| {
        let part = clause(rule, subject, ty, mood);
        if is_compound(rule) && !one { format!("({part})") } else { part }
    });
    parts.collect::<Vec<String>>().join(joint)
}

/// Whether the clause of the rule contains `and`, `or` or `if`, so that it needs parentheses inside another clause.
fn is_compound(rule: &Rule) -> bool {
    match rule {
        Rule::At(_, rule) => is_compound(rule),
        Rule::All(rules) | Rule::Any(rules) | Rule::Sequence(rules) => match &**rules {
            [rule] => is_compound(rule),
            rules => !rules.is_empty(),
        },
        Rule::Implies(..) | Rule::When(..) => true,
        Rule::Requires(RequiresRule::AlsoRequires(..) | RequiresRule::RequiredWhen(_)) => true,
        _ => false,
    }
}

/// The predicate `what`, after the subject unless that is the value itself: `a starts with "b"`.
fn with_subject(subject: &PathExpr, what: &str) -> String {
    if subject.is_empty() { what.to_owned() } else { format!("{subject} {what}") }
}

/// The predicate `what` after `turns out` and the subject, which is `it` for the value itself: `it turns out null`.
fn turns_out(subject: &PathExpr, what: &str) -> String {
    if subject.is_empty() { format!("it turns out {what}") } else { format!("{subject} turns out {what}") }
}

/// Prefixes a sentence with the place that it is about: `in a.b, …`; unchanged for the value itself.
fn in_place(subject: &PathExpr, what: String) -> String {
    if subject.is_empty() { what } else { format!("in {subject}, {what}") }
}

/// Writes the items separated by commas.
pub(super) fn comma_list(items: &[impl ToString]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<String>>().join(", ")
}
