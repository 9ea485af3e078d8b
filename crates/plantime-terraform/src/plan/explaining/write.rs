//! Explanations as text, as JSON, and as a graph in the language of Graphviz.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use serde_json::{Value as Json, json};

use super::{RootCause, RootCauses};
use crate::configuration::{ExplainedValue, Explanation, UnknownCause};
use crate::plan::printable;
use crate::plan::report::render::{plural, statement};
use plantime::unstable::text::in_one_line;

/// The version of the JSON form of explanations.
pub const EXPLANATION_FORMAT_VERSION: &str = "1.0";

/// The maximum number of root causes that the text lists.
const SHOWN_ROOTS: usize = 30;
/// The maximum number of dependents of one root cause that the text lists.
const SHOWN_DEPENDENTS: usize = 3;

/// The maximum number of dependencies of one value that the text names although they are in the tree already.
const SHOWN_REPEATED: usize = 10;
/// The maximum number of characters of a line of a file that the text shows.
const SHOWN_OF_LINE: usize = 250;

/// The maximum length in bytes of what a line of the tree begins with.
const MOST_INDENTED: usize = 300;

/// A value whose lines are still to be written.
struct PendingValue {
    position: usize,
    /// What its lines begin with.
    prefix: Rc<str>,
    /// Whether it is the last one below its parent; `None` of the requested value.
    is_last: Option<bool>,
    parent: Option<usize>,
}

impl Explanation {
    /// The explanation as text: a tree from each value that was asked for to its roots, and what would decide it. A value that
    /// several others depend on has its own branches where it comes first.
    ///
    /// [Example](crate::plan::explain)
    pub fn text(&self) -> String {
        let mut out = String::new();
        let mut seen = BTreeSet::new();
        for position in 0..self.requested {
            let Some(value) = self.values.get(position) else { continue };
            if position > 0 {
                out.push('\n');
            }
            out.push_str(&format!("{} {}\n", in_one_line(&value.name), statement(&value.value)));
            self.write_tree(position, &mut seen, &mut out);
        }
        let roots: Vec<&ExplainedValue> = self.roots().collect();
        if !roots.is_empty() {
            let decide = if roots.len() == 1 { "decides" } else { "decide" };
            out.push_str(&format!("\n{} {decide} it:\n", plural_of(roots.len(), "value")));
        }
        for root in roots.iter().take(SHOWN_ROOTS) {
            out.push_str(&format!("  {}: {}", in_one_line(&root.name), in_one_line(&root.cause.to_string())));
            let remedy = root.cause.remedy().map(|remedy| format!("; it takes {remedy}"));
            out.push_str(&format!("{}\n", remedy.unwrap_or_default()));
        }
        push_more(&mut out, roots.len(), SHOWN_ROOTS, "  ");
        printable(&out)
    }

    /// Writes the values that a value depends on as an indented tree. Not recursive, since a chain of dependencies may be
    /// long. Of the dependencies that are in the tree already, a value names at most [`SHOWN_REPEATED`].
    fn write_tree(&self, first: usize, seen: &mut BTreeSet<usize>, out: &mut String) {
        let mut todo =
            vec![PendingValue { position: first, prefix: Rc::from(""), is_last: None, parent: None }];
        // For each value, the number of its dependencies that the tree shows elsewhere already.
        let mut repeated: HashMap<usize, usize> = HashMap::new();
        while let Some(PendingValue { position, prefix, is_last, parent }) = todo.pop() {
            let Some(value) = self.values.get(position) else { continue };
            let is_first_time = seen.insert(position);
            if let (false, Some(parent)) = (is_first_time, parent) {
                let count = repeated.entry(parent).or_default();
                *count = count.saturating_add(1);
                if *count > SHOWN_REPEATED {
                    if is_last == Some(true) {
                        out.push_str(&format!(
                            "{prefix}└─ and {} more (above)\n",
                            count.saturating_sub(SHOWN_REPEATED)
                        ));
                    }
                    continue;
                }
            }
            let (head, inner) = match is_last {
                None => (String::new(), String::new()),
                Some(true) => (format!("{prefix}└─ "), format!("{prefix}   ")),
                Some(false) => (format!("{prefix}├─ "), format!("{prefix}│  ")),
            };
            // A long chain is not indented further, as the text would be quadratic.
            let inner: Rc<str> = if inner.len() > MOST_INDENTED { Rc::clone(&prefix) } else { inner.into() };
            let left_out = parent.and_then(|parent| repeated.get(&parent)?.checked_sub(SHOWN_REPEATED));
            if let (Some(true), Some(left_out @ 1..)) = (is_last, left_out) {
                out.push_str(&format!("{prefix}├─ and {left_out} more (above)\n"));
            }
            if is_last.is_some() {
                let again = if is_first_time || value.depends_on.is_empty() { "" } else { " (above)" };
                out.push_str(&format!("{head}{}{again}\n", in_one_line(&value.name)));
            }
            let bar = if value.depends_on.is_empty() || !is_first_time { "   " } else { "│  " };
            if is_first_time || value.depends_on.is_empty() {
                value.write_lines(&format!("{inner}{bar}"), is_last.is_some(), out);
            }
            if !is_first_time {
                continue;
            }
            if value.omitted > 0 {
                out.push_str(&format!("{inner}├─ and {} more\n", value.omitted));
            }
            let count = value.depends_on.len();
            for (at, inner_position) in value.depends_on.iter().enumerate().rev() {
                todo.push(PendingValue {
                    position: *inner_position,
                    prefix: Rc::clone(&inner),
                    is_last: Some(at.saturating_add(1) == count),
                    parent: Some(position),
                });
            }
        }
    }

    /// The explanation as JSON.
    ///
    /// | key | |
    /// |---|---|
    /// | `format_version` | [`EXPLANATION_FORMAT_VERSION`] |
    /// | `requested` | the names of the values that were asked for |
    /// | `values[].name`, `.address`, `.path` | the value; address and path of an attribute of a resource |
    /// | `values[].type`, `.statement` | its type, of a sensitive value only the kind, and what is known of it in words |
    /// | `values[].cause`, `.detail` | [`UnknownCause::name`], and a sentence |
    /// | `values[].is_root` | whether the chain ends here |
    /// | `values[].place`, `.line` | file and line where it is written, and the text of that line |
    /// | `values[].depends_on`, `.omitted` | the names of values in this list, and the number of further ones |
    /// | `values[].facts` | where knowledge about it comes from |
    ///
    /// [Example](crate::plan::explain)
    pub fn to_json(&self) -> Json {
        json!({
            "format_version": EXPLANATION_FORMAT_VERSION,
            "requested": self.requested().iter().map(|value| &value.name).collect::<Vec<_>>(),
            "values": self.values.iter().map(|value| self.value_json(value)).collect::<Vec<_>>(),
        })
    }

    /// An explained value as JSON, with the names of the values that it depends on.
    fn value_json(&self, value: &ExplainedValue) -> Json {
        let names = value.depends_on.iter().filter_map(|position| Some(&self.values.get(*position)?.name));
        let mut json = value_json(value);
        if let Json::Object(object) = &mut json {
            object.insert("depends_on".to_owned(), names.cloned().collect());
            object.insert("omitted".to_owned(), value.omitted.into());
        }
        json
    }

    /// The explanation as a graph in the language of Graphviz: an arrow leads from a value to what it depends on; what
    /// decides it is a box with a bold frame.
    ///
    /// [Example](crate::plan::explain)
    pub fn to_dot(&self) -> String {
        let mut out =
            "digraph why {\n  rankdir=LR;\n  node [shape=box, fontname=\"monospace\"];\n".to_owned();
        for (position, value) in self.values.iter().enumerate() {
            let mut label = format!("{}\n{}", value.name, statement(&value.value));
            if let Some(place) = &value.place {
                label.push_str(&format!("\n{place}"));
            }
            let style = if value.cause.is_root() { ", style=bold" } else { "" };
            out.push_str(&format!("  n{position} [label=\"{}\"{style}];\n", dot_text(&label)));
        }
        for (position, value) in self.values.iter().enumerate() {
            for inner in &value.depends_on {
                out.push_str(&format!("  n{position} -> n{inner};\n"));
            }
        }
        out.push_str("}\n");
        out
    }
}

impl ExplainedValue {
    /// Adds the lines below the name: where it is written, why it is not known, what is known of it.
    fn write_lines(&self, prefix: &str, with_statement: bool, out: &mut String) {
        if let Some(place) = &self.place {
            let line = self.line.as_ref().map(|line| match line.char_indices().nth(SHOWN_OF_LINE) {
                Some((end, _)) => format!(": {}…", line.get(..end).unwrap_or_default()),
                None => format!(": {line}"),
            });
            out.push_str(&format!("{prefix}{}{}\n", in_one_line(place), line.unwrap_or_default()));
        }
        let says_more = !matches!(self.cause, UnknownCause::Expression | UnknownCause::Known)
            || self.depends_on.is_empty();
        if says_more {
            out.push_str(&format!("{prefix}{}\n", in_one_line(&self.cause.to_string())));
        }
        let is_refined =
            !self.value.is_marked() && self.value.range().refinement() != &plantime::Refinement::any();
        let has_visible_type = !self.value.is_marked() && !self.value.ty().has_dynamic();
        if with_statement && (is_refined || has_visible_type) {
            out.push_str(&format!("{prefix}{}\n", statement(&self.value)));
        }
        for fact in &self.facts {
            out.push_str(&format!("{prefix}{}\n", in_one_line(fact)));
        }
    }
}

/// An explained value as JSON, without its dependencies.
fn value_json(value: &ExplainedValue) -> Json {
    json!({
        "name": value.name,
        "address": value.address,
        "path": value.address.is_some().then(|| value.path.to_string()),
        "type": value.value.visible_type(),
        "statement": statement(&value.value),
        "cause": value.cause.name(),
        "detail": value.cause.to_string(),
        "is_root": value.cause.is_root(),
        "place": value.place,
        "line": value.line,
        "facts": value.facts,
    })
}

impl RootCauses {
    /// The root causes as text: the number of dependents, the value, where it is written, what is known of it, and some dependents.
    ///
    /// [Example](crate::plan::root_causes)
    pub fn text(&self) -> String {
        let noun = if self.counts_answers { "undetermined answer" } else { "unknown value" };
        if self.total == 0 {
            return format!("There is no {noun}.\n");
        }
        let count = plural_of(self.total, noun);
        let mut out = format!("{count}, by the values that they depend on:\n");
        for root in self.roots.iter().take(SHOWN_ROOTS) {
            let RootCause { value, dependents } = root;
            out.push_str(&format!("\n{:>6}  {}\n", dependents.len(), in_one_line(&value.name)));
            value.write_lines("        ", true, &mut out);
            let others = dependents.iter().filter(|name| **name != value.name);
            for name in others.clone().take(SHOWN_DEPENDENTS) {
                out.push_str(&format!("        needed by: {}\n", in_one_line(name)));
            }
            push_more(&mut out, others.count(), SHOWN_DEPENDENTS, "        ");
        }
        push_more(&mut out, self.roots.len(), SHOWN_ROOTS, "\n");
        printable(&out)
    }

    /// The root causes as JSON: `total`, `counts_answers`, and `roots`, each with the keys of a value of
    /// [`Explanation::to_json`] and `dependents`.
    ///
    /// [Example](crate::plan::root_causes)
    pub fn to_json(&self) -> Json {
        let root = |root: &RootCause| {
            let mut json = value_json(&root.value);
            if let Json::Object(object) = &mut json {
                object.insert("dependents".to_owned(), json!(root.dependents));
            }
            json
        };
        json!({
            "format_version": EXPLANATION_FORMAT_VERSION,
            "total": self.total,
            "counts_answers": self.counts_answers,
            "roots": self.roots.iter().map(root).collect::<Vec<_>>(),
        })
    }

    /// The root causes as a graph in the language of Graphviz: an arrow leads from a dependent to the value that it depends on.
    ///
    /// [Example](crate::plan::root_causes)
    pub fn to_dot(&self) -> String {
        let mut out =
            "digraph roots {\n  rankdir=LR;\n  node [shape=box, fontname=\"monospace\"];\n".to_owned();
        for (position, root) in self.roots.iter().enumerate() {
            let label = format!("{}\n{}", root.value.name, statement(&root.value.value));
            out.push_str(&format!("  r{position} [label=\"{}\", style=bold];\n", dot_text(&label)));
            for name in root.dependents.iter().filter(|name| **name != root.value.name) {
                out.push_str(&format!("  \"{}\" -> r{position};\n", dot_text(name)));
            }
        }
        out.push_str("}\n");
        out
    }
}

/// A count with its noun, such as `3 values`.
fn plural_of(count: usize, noun: &str) -> String {
    format!("{count} {}", plural(count, noun))
}

/// Adds a line with the number of items that are not shown; adds nothing if all are shown.
fn push_more(out: &mut String, count: usize, shown: usize, prefix: &str) {
    if let Some(more) = count.checked_sub(shown).filter(|more| *more > 0) {
        out.push_str(&format!("{prefix}and {more} more\n"));
    }
}

/// Escapes text for a quoted string in the language of Graphviz.
fn dot_text(text: &str) -> String {
    let mut out = String::new();
    for line in text.split('\n') {
        if !out.is_empty() {
            out.push_str("\\n");
        }
        out.push_str(&printable(line).replace('\\', "\\\\").replace('"', "\\\""));
    }
    out
}
