//! Describes rules in Markdown.

use crate::rule::{PathExpr, Rule};

use super::{Mood, clause, join_paths};

/// Appends the description of a rule as Markdown list items to `out`: one line, or a nested list for rules with
/// nested rules. `subject` is the path to the value, `depth` the level of the list.
pub(super) fn markdown(rule: &Rule, subject: &PathExpr, depth: usize, out: &mut String) {
    let (heading, rules): (&str, Vec<&Rule>) = match rule {
        Rule::All(rules) => ("all of", rules.iter().collect()),
        Rule::Sequence(rules) => ("all of, one after the other", rules.iter().collect()),
        Rule::Any(rules) => ("at least one of", rules.iter().collect()),
        Rule::Implies(condition, rule) | Rule::When(condition, rule) => {
            ("if the first, then the second", vec![condition, rule])
        }
        Rule::At(path, rule) => return markdown(rule, &join_paths(subject, path), depth, out),
        rule => {
            let indent = "  ".repeat(depth);
            let text = clause(rule, &PathExpr::new(), None, Mood::Is);
            let place = if subject.is_empty() { String::new() } else { format!("`{subject}` ") };
            out.push_str(&format!("{indent}- {place}{}\n", escaped(&text)));
            return;
        }
    };
    let indent = "  ".repeat(depth);
    out.push_str(&format!("{indent}- {heading}:\n"));
    for rule in rules {
        markdown(rule, subject, depth.saturating_add(1), out);
    }
}

/// The string with a backslash before each character that Markdown would interpret.
pub(in crate::rule) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '*' | '_' | '`' | '[' | ']' | '<' | '\\' | '#' | '|') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
