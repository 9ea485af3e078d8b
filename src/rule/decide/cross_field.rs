//! Rules about which of several attributes are null: `exactly_one_of` and the like.

use crate::path::Path;
use crate::refinement::Nullness;

use crate::rule::answer::diagnostic::detail;
use crate::rule::describe::comma_list;
use crate::rule::evaluate::at;
use crate::rule::keywords::{Keyword, row};
use crate::rule::{Diagnostic, How, Misuse, Outcome, PathExpr, Request, Rule, Why};

/// A rule on how many of several elements or attributes, each given by a path, are not null.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PresenceRule {
    /// Exactly one of the values is not null.
    ExactlyOneOf,
    /// At least one of the values is not null.
    AtLeastOneOf,
    /// At most one of the values is not null.
    Conflicting,
    /// All of the values are null, or none is.
    RequiredTogether,
}

impl Rule {
    /// Requires that exactly one of the values at these paths is not null.
    ///
    /// ```
    /// use plantime::rule::Rule;
    /// use plantime::{Type, Value, value};
    ///
    /// let rule = Rule::exactly_one_of(["cidr".parse()?, "pool".parse()?]);
    /// let check = |cidr: Value, pool: Value| -> plantime::Result<_> {
    ///     Ok(rule.check_value(&value!({ "cidr": cidr, "pool": pool })?)?)
    /// };
    /// let (set, null) = (Value::from("10.0.0.0/8"), Value::null(Type::String));
    /// assert!(check(set.clone(), null.clone())?.is_pass());
    /// assert!(check(set.clone(), set.clone())?.is_fail() && check(null.clone(), null.clone())?.is_fail());
    /// // The unknown has to turn out null.
    /// let outcome = check(set, Value::unknown(Type::String))?;
    /// assert_eq!(outcome.why().unwrap().passes_if(), "pool turns out null");
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn exactly_one_of(paths: impl IntoIterator<Item = PathExpr>) -> Rule {
        Rule::Presence(PresenceRule::ExactlyOneOf, paths.into_iter().collect())
    }

    /// Requires that at least one of the values at these paths is not null.
    ///
    /// The [module](crate::rule#across-fields) has the table of outcomes.
    ///
    /// ```
    /// use plantime::rule::Rule;
    /// use plantime::value;
    ///
    /// let (cidr, pool) = ("cidr".parse()?, "pool".parse()?);
    /// let (neither, one, both) = (
    ///     value!({ "cidr": null, "pool": null })?,
    ///     value!({ "cidr": "10.0.0.0/8", "pool": null })?,
    ///     value!({ "cidr": "10.0.0.0/8", "pool": "p-1" })?,
    /// );
    /// let some = Rule::at_least_one_of([cidr, pool]);
    /// assert!(some.check_value(&one)?.is_pass() && some.check_value(&neither)?.is_fail());
    /// let at_most_one = Rule::conflicting(["cidr".parse()?, "pool".parse()?]);
    /// assert!(at_most_one.check_value(&neither)?.is_pass() && at_most_one.check_value(&both)?.is_fail());
    /// let together = Rule::required_together(["cidr".parse()?, "pool".parse()?]);
    /// assert!(together.check_value(&both)?.is_pass() && together.check_value(&one)?.is_fail());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn at_least_one_of(paths: impl IntoIterator<Item = PathExpr>) -> Rule {
        Rule::Presence(PresenceRule::AtLeastOneOf, paths.into_iter().collect())
    }

    /// Requires that at most one of the values at these paths is not null.
    ///
    /// [Example](Rule::at_least_one_of)
    pub fn conflicting(paths: impl IntoIterator<Item = PathExpr>) -> Rule {
        Rule::Presence(PresenceRule::Conflicting, paths.into_iter().collect())
    }

    /// Requires that all of the values at these paths are null, or none is.
    ///
    /// [Example](Rule::at_least_one_of)
    pub fn required_together(paths: impl IntoIterator<Item = PathExpr>) -> Rule {
        Rule::Presence(PresenceRule::RequiredTogether, paths.into_iter().collect())
    }
}

impl PresenceRule {
    /// The entry of the keyword table for this rule: its name in rules files and the types that it can read.
    pub(in crate::rule) fn row(self) -> &'static Keyword {
        match self {
            PresenceRule::ExactlyOneOf => const { row("exactly_one_of") },
            PresenceRule::AtLeastOneOf => const { row("at_least_one_of") },
            PresenceRule::Conflicting => const { row("conflicting") },
            PresenceRule::RequiredTogether => const { row("required_together") },
        }
    }

    /// Whether the rule holds if `set` of its `count` paths lead to values that are not null, and the others to null.
    pub(in crate::rule) fn holds(self, set: usize, count: usize) -> bool {
        match self {
            PresenceRule::ExactlyOneOf => set == 1,
            PresenceRule::AtLeastOneOf => set > 0,
            PresenceRule::Conflicting => set < 2,
            PresenceRule::RequiredTogether => set == 0 || set == count,
        }
    }
}

/// The paths of a rule, grouped by whether the values that they lead to are null. A path with `[*]` counts as not null
/// if one of its values is not.
pub(in crate::rule) struct ClassifiedPaths<'p> {
    /// Paths that lead to a value that is certainly not null.
    pub(in crate::rule) set: Vec<&'p PathExpr>,
    /// Paths that only lead to values that are certainly null, or to none.
    pub(in crate::rule) null: Vec<&'p PathExpr>,
    /// All other paths: whether they lead to a value that is not null depends on unknowns.
    pub(in crate::rule) maybe_null: Vec<&'p PathExpr>,
    /// The paths, from the root, of the unknown values on which `maybe_null` depends.
    pub(in crate::rule) inputs: Vec<Path>,
}

impl ClassifiedPaths<'_> {
    /// Copies of the paths to values that may be null.
    pub(in crate::rule) fn maybe_null_paths(&self) -> Vec<PathExpr> {
        self.maybe_null.iter().map(|path| (*path).clone()).collect()
    }
}

/// Evaluates a rule on how many of the paths lead to values that are not null. `presence` and `paths` are the payload
/// of `rule`. An undetermined outcome carries the smallest rule that remains to be checked.
#[inline(never)]
pub(in crate::rule) fn check(
    rule: &Rule,
    presence: PresenceRule,
    paths: &[PathExpr],
    request: &Request<'_>,
) -> Result<Outcome, Misuse> {
    let operands = classify_paths(paths, request)?;
    let (set, null, open) = (operands.set.len(), operands.null.len(), operands.maybe_null.len());
    let all_null = |rule| each_satisfies(&operands, Rule::IsNull, rule);
    let open_paths = || operands.maybe_null_paths();
    let (holds, obligation): (Option<bool>, Rule) = match presence {
        PresenceRule::ExactlyOneOf => match (set, open) {
            (1, 0) => (Some(true), Rule::NotNull),
            (0, 0) | (2.., _) => (Some(false), Rule::NotNull),
            (1, _) => (None, all_null(rule)),
            (0, 1) => (None, at_least_one_set(&operands)),
            (0, _) => (None, Rule::exactly_one_of(open_paths())),
        },
        PresenceRule::AtLeastOneOf => match (set, open) {
            (1.., _) => (Some(true), Rule::NotNull),
            (0, 0) => (Some(false), Rule::NotNull),
            (0, _) => (None, at_least_one_set(&operands)),
        },
        PresenceRule::Conflicting => match (set, open) {
            (2.., _) => (Some(false), Rule::NotNull),
            (1, 0) | (0, 0 | 1) => (Some(true), Rule::NotNull),
            (1, _) => (None, all_null(rule)),
            (0, _) => (None, Rule::conflicting(open_paths())),
        },
        PresenceRule::RequiredTogether => match (set, null, open) {
            (1.., 1.., _) => (Some(false), Rule::NotNull),
            (_, _, 0) | (0, 0, 1) => (Some(true), Rule::NotNull),
            (1.., 0, _) => (None, all_set(&operands, rule)),
            (0, 1.., _) => (None, all_null(rule)),
            (0, 0, _) => (None, Rule::required_together(open_paths())),
        },
    };
    Ok(match holds {
        Some(true) => Outcome::Pass,
        Some(false) => failure(presence, &operands, paths, request),
        None => Outcome::Undetermined(Why::new(operands.inputs).with_obligation(obligation)),
    })
}

/// Follows each path from the value of the request, and groups the paths by whether they lead to a value that is not
/// null.
pub(in crate::rule) fn classify_paths<'p>(
    paths: &'p [PathExpr],
    request: &Request<'_>,
) -> Result<ClassifiedPaths<'p>, Misuse> {
    let mut operands =
        ClassifiedPaths { set: Vec::new(), null: Vec::new(), maybe_null: Vec::new(), inputs: Vec::new() };
    for path in paths {
        let mut inputs = Vec::new();
        let into = match is_set(path, request, &mut inputs)? {
            Some(true) => &mut operands.set,
            Some(false) => &mut operands.null,
            None => {
                operands.inputs.append(&mut inputs);
                &mut operands.maybe_null
            }
        };
        into.push(path);
    }
    Ok(operands)
}

/// Whether a path leads to at least one value that is certainly not null (`Some(true)`), or only to values that are
/// certainly null (`Some(false)`). For `None`, the paths of the unknown values it depends on are added to `inputs`;
/// they may be added for `Some(true)` too.
pub(in crate::rule) fn is_set(
    path: &PathExpr,
    request: &Request<'_>,
    inputs: &mut Vec<Path>,
) -> Result<Option<bool>, Misuse> {
    let (start, ends) = at::follow_path(path, request)?;
    let mut answer = Some(false);
    for end in &ends {
        let set = match end.how {
            How::StoppedAtNull | How::Missing => Some(false),
            How::Exact if request.not_null && end.path.is_empty() && path.parent_count() == 0 => Some(true),
            How::Exact => match end.value.range().nullness() {
                Nullness::NotNull => Some(true),
                Nullness::Null => Some(false),
                Nullness::Nullable => None,
            },
            How::StoppedAtUnknown => end.leads_nowhere().then_some(false),
        };
        match set {
            Some(true) => return Ok(Some(true)),
            Some(false) => {}
            None => {
                inputs.push(start.path.clone().join(&end.path));
                answer = None;
            }
        }
    }
    Ok(answer)
}

/// The obligation (the rule that remains to be checked) that one of the values that may be null turns out not null.
fn at_least_one_set(operands: &ClassifiedPaths<'_>) -> Rule {
    match operands.maybe_null.as_slice() {
        [only] if !only.has_wildcard() => Rule::at((*only).clone(), Rule::NotNull)
            .unwrap_or_else(|_| Rule::at_least_one_of(operands.maybe_null_paths())),
        _ => Rule::at_least_one_of(operands.maybe_null_paths()),
    }
}

/// The obligation that the rule `wanted` holds for every value at the paths to values that may be null. `whole`, the
/// evaluated rule, where that would nest too deep.
fn each_satisfies(operands: &ClassifiedPaths<'_>, wanted: Rule, whole: &Rule) -> Rule {
    let parts: Result<Vec<Rule>, _> =
        operands.maybe_null.iter().map(|path| Rule::at((*path).clone(), wanted.clone())).collect();
    match parts {
        Ok(mut parts) if parts.len() == 1 => parts.pop().unwrap_or_else(|| whole.clone()),
        parts => parts.and_then(Rule::all).unwrap_or_else(|_| whole.clone()),
    }
}

/// The obligation that every path to values that may be null leads to one that is not: for a path with `[*]`, one of
/// its values is enough. `whole`, the evaluated rule, where that would nest too deep.
pub(in crate::rule) fn all_set(operands: &ClassifiedPaths<'_>, whole: &Rule) -> Rule {
    let parts: Result<Vec<Rule>, _> = operands
        .maybe_null
        .iter()
        .map(|path| {
            if path.has_wildcard() {
                Ok(Rule::at_least_one_of([(*path).clone()]))
            } else {
                Rule::at((*path).clone(), Rule::NotNull)
            }
        })
        .collect();
    match parts {
        Ok(mut parts) if parts.len() == 1 => parts.pop().unwrap_or_else(|| whole.clone()),
        parts => parts.and_then(Rule::all).unwrap_or_else(|_| whole.clone()),
    }
}

/// The failed outcome of a presence rule, in the words of the Terraform plugin framework. The message lists `paths`,
/// and which of them are null.
fn failure(
    presence: PresenceRule,
    operands: &ClassifiedPaths<'_>,
    paths: &[PathExpr],
    request: &Request<'_>,
) -> Outcome {
    let all = comma_list(paths);
    let (summary, sentence) = match presence {
        PresenceRule::ExactlyOneOf if operands.set.is_empty() => (
            "Missing Attribute Configuration",
            format!("Exactly one of these attributes must be configured: [{all}]"),
        ),
        PresenceRule::ExactlyOneOf => (
            "Invalid Attribute Combination",
            format!("Exactly one of these attributes must be configured: [{all}]"),
        ),
        PresenceRule::AtLeastOneOf => (
            "Missing Attribute Configuration",
            format!("At least one of these attributes must be configured: [{all}]"),
        ),
        PresenceRule::Conflicting => (
            "Invalid Attribute Combination",
            format!("These attributes cannot be configured together: [{all}]"),
        ),
        PresenceRule::RequiredTogether => (
            "Invalid Attribute Combination",
            format!("These attributes must be configured together: [{all}]"),
        ),
    };
    let sentence = with_place(sentence, request);
    let failure = match (operands.set.as_slice(), operands.null.as_slice()) {
        ([], _) => "all are null".to_owned(),
        (set, []) => format!("{} {} not null", comma_list(set), if set.len() == 1 { "is" } else { "are" }),
        (set, null) => {
            let (is, are) =
                (if set.len() == 1 { "is" } else { "are" }, if null.len() == 1 { "is" } else { "are" });
            format!("{} {is} not null, {} {are} null", comma_list(set), comma_list(null))
        }
    };
    Outcome::fail(Diagnostic::error(summary, sentence, request.path.clone(), failure))
}

/// Prefixes the sentence of a message with the path of the value, unless the value is the root.
pub(in crate::rule) fn with_place(sentence: String, request: &Request<'_>) -> String {
    if request.path.is_empty() {
        return sentence;
    }
    detail(&request.path, &["is not valid: ", &lower_first(&sentence)])
}

/// The string with its first character in lower case.
fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => format!("{}{}", first.to_lowercase(), chars.as_str()),
        None => String::new(),
    }
}
