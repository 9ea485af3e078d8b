//! Rules across fields: which of several parts are null.

use crate::path::Path;
use crate::refinement::Nullness;

use crate::rule::answer::diagnostic::detail;
use crate::rule::describe::list;
use crate::rule::evaluate::at;
use crate::rule::{Diagnostic, How, Misuse, Outcome, PathExpr, Request, Rule, Why};

/// The operands sorted by what is known of them: set, null, or neither; and the inputs that these wait for.
pub(in crate::rule) struct Operands<'p> {
    pub(in crate::rule) set: Vec<&'p PathExpr>,
    pub(in crate::rule) null: Vec<&'p PathExpr>,
    pub(in crate::rule) open: Vec<&'p PathExpr>,
    pub(in crate::rule) inputs: Vec<Path>,
}

#[inline(never)]
pub(in crate::rule) fn check(rule: &Rule, request: &Request<'_>) -> Result<Outcome, Misuse> {
    let (Rule::ExactlyOneOf(paths)
    | Rule::AtLeastOneOf(paths)
    | Rule::Conflicting(paths)
    | Rule::RequiredTogether(paths)) = rule
    else {
        return Ok(Outcome::Pass);
    };
    let operands = read(paths, request)?;
    let (set, null, open) = (operands.set.len(), operands.null.len(), operands.open.len());
    let all_null = |rule| each_open(&operands, Rule::IsNull, rule);
    let (holds, obligation): (Option<bool>, Rule) = match rule {
        Rule::ExactlyOneOf(_) => match (set, open) {
            (1, 0) => (Some(true), Rule::NotNull),
            (0, 0) | (2.., _) => (Some(false), Rule::NotNull),
            (1, _) => (None, all_null(rule)),
            (0, 1) => (None, at_least_one(&operands)),
            (0, _) => (None, Rule::ExactlyOneOf(open_paths(&operands))),
        },
        Rule::AtLeastOneOf(_) => match (set, open) {
            (1.., _) => (Some(true), Rule::NotNull),
            (0, 0) => (Some(false), Rule::NotNull),
            (0, _) => (None, at_least_one(&operands)),
        },
        Rule::Conflicting(_) => match (set, open) {
            (2.., _) => (Some(false), Rule::NotNull),
            (1, 0) | (0, 0 | 1) => (Some(true), Rule::NotNull),
            (1, _) => (None, all_null(rule)),
            (0, _) => (None, Rule::Conflicting(open_paths(&operands))),
        },
        _ => match (set, null, open) {
            (1.., 1.., _) => (Some(false), Rule::NotNull),
            (_, _, 0) | (0, 0, 1) => (Some(true), Rule::NotNull),
            (1.., 0, _) => (None, all_set(&operands, rule)),
            (0, 1.., _) => (None, all_null(rule)),
            (0, 0, _) => (None, Rule::RequiredTogether(open_paths(&operands))),
        },
    };
    Ok(match holds {
        Some(true) => Outcome::Pass,
        Some(false) => fail(rule, &operands, paths, request),
        None => Outcome::Undetermined(Why::new(operands.inputs).with_obligation(obligation)),
    })
}

pub(in crate::rule) fn read<'p>(
    paths: &'p [PathExpr],
    request: &Request<'_>,
) -> Result<Operands<'p>, Misuse> {
    let mut operands = Operands { set: Vec::new(), null: Vec::new(), open: Vec::new(), inputs: Vec::new() };
    for path in paths {
        let mut inputs = Vec::new();
        let into = match is_set(path, request, &mut inputs)? {
            Some(true) => &mut operands.set,
            Some(false) => &mut operands.null,
            None => {
                operands.inputs.append(&mut inputs);
                &mut operands.open
            }
        };
        into.push(path);
    }
    Ok(operands)
}

/// Whether some match is certainly not null, or all are certainly null.
pub(in crate::rule) fn is_set(
    path: &PathExpr,
    request: &Request<'_>,
    inputs: &mut Vec<Path>,
) -> Result<Option<bool>, Misuse> {
    let (base, found) = at::matches(path, request)?;
    let mut answer = Some(false);
    for found in &found {
        let set = match found.how {
            How::StoppedAtNull | How::Missing => Some(false),
            How::Exact if request.not_null && found.path.is_empty() && path.parents() == 0 => Some(true),
            How::Exact => match found.value.range().nullness() {
                Nullness::NotNull => Some(true),
                Nullness::Null => Some(false),
                Nullness::Nullable => None,
            },
            How::StoppedAtUnknown => found.leads_nowhere().then_some(false),
        };
        match set {
            Some(true) => return Ok(Some(true)),
            Some(false) => {}
            None => {
                inputs.push(base.path.clone().join(&found.path));
                answer = None;
            }
        }
    }
    Ok(answer)
}

fn open_paths(operands: &Operands<'_>) -> Vec<PathExpr> {
    operands.open.iter().map(|path| (*path).clone()).collect()
}

fn at_least_one(operands: &Operands<'_>) -> Rule {
    match operands.open.as_slice() {
        [only] if !only.has_wildcard() => Rule::at((*only).clone(), Rule::NotNull)
            .unwrap_or_else(|_| Rule::AtLeastOneOf(open_paths(operands))),
        _ => Rule::AtLeastOneOf(open_paths(operands)),
    }
}

/// The rule that every unknown operand is null: all matches of its path are.
fn each_open(operands: &Operands<'_>, wanted: Rule, whole: &Rule) -> Rule {
    let parts: Result<Vec<Rule>, _> =
        operands.open.iter().map(|path| Rule::at((*path).clone(), wanted.clone())).collect();
    match parts {
        Ok(mut parts) if parts.len() == 1 => parts.pop().unwrap_or_else(|| whole.clone()),
        parts => parts.and_then(Rule::all).unwrap_or_else(|_| whole.clone()),
    }
}

/// The rule that every unknown operand is set: at least one match of its path is.
pub(in crate::rule) fn all_set(operands: &Operands<'_>, whole: &Rule) -> Rule {
    let parts: Result<Vec<Rule>, _> = operands
        .open
        .iter()
        .map(|path| {
            if path.has_wildcard() {
                Ok(Rule::AtLeastOneOf(vec![(*path).clone()]))
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

fn fail(rule: &Rule, operands: &Operands<'_>, paths: &[PathExpr], request: &Request<'_>) -> Outcome {
    let all = list(paths);
    let (summary, sentence) = match rule {
        Rule::ExactlyOneOf(_) if operands.set.is_empty() => (
            "Missing Attribute Configuration",
            format!("Exactly one of these attributes must be configured: [{all}]"),
        ),
        Rule::ExactlyOneOf(_) => (
            "Invalid Attribute Combination",
            format!("Exactly one of these attributes must be configured: [{all}]"),
        ),
        Rule::AtLeastOneOf(_) => (
            "Missing Attribute Configuration",
            format!("At least one of these attributes must be configured: [{all}]"),
        ),
        Rule::Conflicting(_) => (
            "Invalid Attribute Combination",
            format!("These attributes cannot be configured together: [{all}]"),
        ),
        _ => (
            "Invalid Attribute Combination",
            format!("These attributes must be configured together: [{all}]"),
        ),
    };
    let sentence = placed(sentence, request);
    let failure = match (operands.set.as_slice(), operands.null.as_slice()) {
        ([], _) => "all are null".to_owned(),
        (set, []) => format!("{} {} not null", list(set), if set.len() == 1 { "is" } else { "are" }),
        (set, null) => {
            let (is, are) =
                (if set.len() == 1 { "is" } else { "are" }, if null.len() == 1 { "is" } else { "are" });
            format!("{} {is} not null, {} {are} null", list(set), list(null))
        }
    };
    Outcome::fail(Diagnostic::error(summary, sentence, request.path.clone(), failure))
}

/// The sentence with the place of the value that it is about.
pub(in crate::rule) fn placed(sentence: String, request: &Request<'_>) -> String {
    if request.path.is_empty() {
        return sentence;
    }
    detail(&request.path, &format!("is not valid: {}", lower_first(&sentence)))
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => format!("{}{}", first.to_lowercase(), chars.as_str()),
        None => String::new(),
    }
}
