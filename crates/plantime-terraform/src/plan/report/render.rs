//! The report as text for people: for each resource the planned values, the answers and the failures; at the end one line
//! for each failure.

mod answer_rows;
mod boxes;
mod groups;
mod message;
mod recap;
mod statement;
mod style;
mod terminal;

pub(super) use message::claim_at;
pub(crate) use statement::{short_statement, statement};

use std::collections::BTreeMap;
use std::io;

pub(super) use self::groups::Groups;
pub use self::message::Message;
pub use self::style::{AnswerKind, TextStyle};
pub(in crate::plan) use self::terminal::{
    BOLD, CYAN, DIM, GREEN, Markup, RED, TerminalText, YELLOW, push_html,
};
pub use self::terminal::{Colour, printable, printable_in_line, printable_json};
use super::reference::line_reference;
use super::{ChangeCounts, CheckedResource, PlanReport, RulesFileCounts, TestAnswer, TestVerdict};
use crate::plan::knowledge::Origin;
use crate::plan::read::gap::Gap;
use crate::plan::rendering::attributes::{DrawnAttribute, LineComment, draw_attributes};
use crate::plan::rendering::resource::planned_header;
use plantime::source::{Position, Source};

/// How the text of a report draws a diagnostic.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub enum DiagnosticStyle {
    /// In the boxes of Terraform: the line of the rules file, the values involved, what must hold.
    #[default]
    Boxes,
    /// By a function of your own, which gives the lines of a message; the last one ends with a line end. What it gives is
    /// written as it is: make the texts of the message [`printable`].
    Own(fn(&Message, &Source, Colour) -> String),
}

/// The length in bytes from which pending text of a report is handed to the writer.
const PIECE: usize = 1 << 16;

impl PlanReport {
    /// The report as text, without the totals.
    ///
    /// [Example](PlanReport)
    pub fn text(&self, colour: Colour) -> String {
        self.text_with(TextStyle::new(colour))
    }

    /// The report as text; the style selects which answers it shows and how. Ends with a list of the failures, one on
    /// each line.
    ///
    /// [Example](TextStyle)
    pub fn text_with(&self, style: TextStyle) -> String {
        let mut out = TerminalText::new(style.colour);
        // The text is not flushed to a writer, so there is no error.
        let _ = self.write_all(&mut out, style, |_| Ok(()));
        out.text
    }

    /// Writes [`text_with`](PlanReport::text_with) piece by piece: of a large plan it is larger than the plan.
    ///
    /// [Example](TextStyle)
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write_text(&self, mut writer: impl io::Write, style: TextStyle) -> io::Result<()> {
        let mut out = TerminalText::new(style.colour);
        self.write_all(&mut out, style, |text| {
            writer.write_all(text.as_bytes())?;
            text.clear();
            Ok(())
        })
    }

    /// Writes the report to `out`. Calls `flush` with the text whenever it is longer than [`PIECE`], and at the end.
    fn write_all(
        &self,
        out: &mut TerminalText,
        style: TextStyle,
        mut flush: impl FnMut(&mut String) -> io::Result<()>,
    ) -> io::Result<()> {
        self.write_preamble(out, style);
        let mut groups = Groups::new(self, style);
        for checked in &self.checked {
            self.write_resource(out, checked, style, &mut groups);
            if out.text.len() > PIECE {
                flush(&mut out.text)?;
            }
        }
        let mut is_first = true;
        self.write_expired(out, &mut is_first);
        for checked in &self.checked {
            self.write_failures(out, checked, &mut is_first);
            if out.text.len() > PIECE {
                flush(&mut out.text)?;
            }
        }
        flush(&mut out.text)
    }

    /// Writes what concerns the whole plan: the first lines, warnings, contradicted facts.
    pub(super) fn write_preamble(&self, out: &mut TerminalText, style: TextStyle) {
        self.write_head(out, style);
        let is_unmatched = |position| self.unmatched.iter().any(|one| one.position == position);
        let warnings = self.warnings.iter();
        for (position, message) in warnings.filter(|(at, _)| !style.is_quiet || is_unmatched(*at)) {
            out.line("");
            Message::note(*position, message).draw(out, &self.rules, style.diagnostics);
        }
        for expired in self.expired.iter().filter(|_| style.shows(AnswerKind::Fail)) {
            out.line("");
            Message::expired(expired).draw(out, &self.rules, style.diagnostics);
        }
        for contradicted in self.contradicted_facts.iter().filter(|_| !style.is_quiet) {
            out.line("");
            Message::contradicted_fact(contradicted).draw(out, &self.rules, style.diagnostics);
        }
    }

    /// Writes the first lines: the plan, its changes and gaps, the rules file, the notes.
    fn write_head(&self, out: &mut TerminalText, style: TextStyle) {
        let version = match &self.terraform_version {
            Some(version) => format!(" · Terraform {version}"),
            None => String::new(),
        };
        let ChangeCounts { add, change, destroy, outputs } = self.changes;
        let mut changes = Vec::new();
        for (count, what) in [(add, "add"), (change, "change"), (destroy, "destroy")] {
            if count > 0 {
                changes.push(format!("{count} to {what}"));
            }
        }
        let changes = match (changes.is_empty(), outputs) {
            _ if self.gaps.contains(&Gap::NoPlan) => "configuration without a plan".to_owned(),
            (true, 0) => "no changes".to_owned(),
            // As Terraform's summary, the line counts outputs only where nothing else changes.
            (true, count) => format!("{count} {} to change", plural(count, "output")),
            (false, _) => changes.join(", "),
        };
        let RulesFileCounts { assumptions, rules, skips } = self.counts;
        let counts = [(assumptions, "assumption"), (rules, "rule"), (skips, "skip")];
        let counts: Vec<String> = counts
            .iter()
            .filter(|(n, _)| *n > 0)
            .map(|(n, noun)| format!("{n} {}", plural(*n, noun)))
            .collect();
        let counts = if counts.is_empty() { "nothing".to_owned() } else { counts.join(", ") };
        out.line_of(format_args!("{}{version} · {changes} · {}: {counts}", self.name, self.rules.name()));
        if !self.gaps.is_empty() {
            out.line("");
        }
        for gap in &self.gaps {
            out.bold(&format!("  ! {gap}"));
            out.line("");
        }
        let notes = if style.is_quiet { &self.rule_notes } else { &self.notes };
        let unasked = if style.shows_all() { Vec::new() } else { self.unasked_notes() };
        let notes: Vec<&String> = notes.iter().chain(&unasked).collect();
        if !notes.is_empty() {
            out.line("");
        }
        for note in notes {
            out.dim(&format!("  # {note}"));
            out.line("");
        }
    }

    /// Which rules were not asked of which resources: where not all resources are shown, it would look like passed.
    fn unasked_notes(&self) -> Vec<String> {
        let mut by_rule: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for checked in &self.checked {
            for rule in &checked.unasked {
                by_rule.entry(rule).or_default().push(checked.address());
            }
        }
        let is_configuration = self.gaps.contains(&Gap::NoPlan);
        let notes = by_rule.into_iter().map(|(rule, addresses)| {
            let resources = addresses.join(", ");
            if is_configuration {
                return format!("rule {rule} is about changes, and is not asked of {resources}");
            }
            format!("rule {rule} is about what the plan does not have, and is not asked of {resources}")
        });
        notes.collect()
    }

    /// Writes one resource or output: its attributes, then its answers, then its failures. `groups` says which
    /// failures share a box.
    fn write_resource(
        &self,
        out: &mut TerminalText,
        checked: &CheckedResource,
        style: TextStyle,
        groups: &mut Groups,
    ) {
        let contradicted = style.contradictions(checked);
        let answers = || style.answers(checked);
        if !style.shows_all() && contradicted.is_empty() && answers().next().is_none() {
            return;
        }
        out.line("");
        out.bold(&format!("  # {}", checked.title()));
        if let Some(place) = &checked.declared {
            out.dim(&format!(" ({place})"));
        }
        out.line("");
        self.write_content(out, checked, style, groups);
    }

    /// Writes a resource or output without its title.
    pub(super) fn write_content(
        &self,
        out: &mut TerminalText,
        checked: &CheckedResource,
        style: TextStyle,
        groups: &mut Groups,
    ) {
        let contradicted = style.contradictions(checked);
        let answers = || style.answers(checked);
        if !style.is_quiet {
            self.write_attributes(out, checked);
            let replacement = checked.replacement.as_deref();
            if !checked.unasked.is_empty() || replacement.is_some() || answers().next().is_some() {
                out.line("");
            }
            replacement.into_iter().for_each(|replacement| self.write_replacement(out, replacement));
            answer_rows::write_unasked_rules(out, &checked.unasked, checked.change());
        }
        answers().for_each(|answer| self.write_answer_row(out, answer));
        for contradicted in contradicted {
            out.line("");
            Message::contradiction(contradicted).draw(out, &self.rules, style.diagnostics);
        }
        for answer in answers() {
            let TestVerdict::Fail(failure) = &answer.verdict else { continue };
            // A row says it: the failures that are new have the boxes.
            if answer.is_known {
                continue;
            }
            let Some(group) = groups.next() else { continue };
            let description = self.description(&answer.rule);
            let about = (description, self.metadata(&answer.rule));
            let mut message = Message::failure(checked.address(), answer, failure, about);
            message.details.extend(group.other_addresses(self));
            message.details.push(self.next_step(checked, answer, failure));
            out.line("");
            message.draw(out, &self.rules, style.diagnostics);
        }
    }

    /// Writes the attributes of a resource or output as Terraform's plan does.
    fn write_attributes(&self, out: &mut TerminalText, checked: &CheckedResource) {
        let shown = checked.shown.iter();
        let attributes: Vec<DrawnAttribute<'_>> = shown
            .map(|shown| DrawnAttribute {
                name: &shown.name,
                before: shown.before.as_ref(),
                after: &shown.after,
                forces_replacement: shown.forces_replacement,
                comment: shown.origin.as_deref().map(|origin| self.origin_comment(origin)),
            })
            .collect();
        let markup = out.markup();
        let Some(change) = checked.change() else {
            out.text.push_str(&draw_attributes(markup, &attributes, None, &[], 0));
            return;
        };
        out.text.push_str(&planned_header(markup, change));
        out.line(" {");
        let block = checked.block.as_deref();
        let replace_paths = &change.change.replace_paths;
        out.text.push_str(&draw_attributes(markup, &attributes, block, replace_paths, 1));
        if checked.hidden > 0 {
            let noun = plural(checked.hidden, "attribute");
            out.dim(&format!("        # ({} {noun} without a rule hidden)", checked.hidden));
            out.line("");
        }
        out.line("    }");
    }

    /// The comment that names the origin of a fact: a place in the rules file or the configuration.
    fn origin_comment(&self, origin: &Origin) -> LineComment {
        let (text, reference) = match origin {
            Origin::Assumed(position) => {
                let reference = line_reference(self.rules.file(*position).name(), position.line);
                (format!("assumed, {}", self.rule_location(*position)), Some(reference))
            }
            Origin::Configuration(place) => {
                let reference =
                    place.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?)));
                (origin.to_string(), reference.map(|(file, line)| line_reference(file, line)))
            }
            Origin::Schema(_) | Origin::Catalogue(_) => (origin.to_string(), None),
        };
        LineComment { text, reference }
    }

    /// The file and line of a position in the rules file: `rules.hcl:3`.
    pub(in crate::plan) fn rule_location(&self, position: Position) -> String {
        format!("{}:{}", file_name(self.rules.file(position)), position.line)
    }
}

/// The word for an answer in the report, such as `pass`.
pub(crate) fn answer_word(answer: &TestAnswer) -> &'static str {
    AnswerKind::of(answer).word()
}

/// The name of a file without its folders.
pub(in crate::plan) fn file_name(source: &Source) -> &str {
    source.name().rsplit(['/', '\\']).next().unwrap_or_default()
}

/// The first five names, and how many more there are: `a, b, c, d, e and 3 more`.
pub(in crate::plan) fn first_few(all: &[String]) -> String {
    /// The number of names that are listed.
    const SHOWN: usize = 5;
    list_with_more(all.get(..SHOWN).unwrap_or(all), all.len().saturating_sub(SHOWN))
}

/// The names separated by commas, and how many `more` there are: `a, b and 3 more`.
fn list_with_more(shown: &[String], more: usize) -> String {
    match more {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// The noun, with an `s` unless the count is 1.
pub(in crate::plan) fn plural(count: usize, noun: &str) -> String {
    if count == 1 { noun.to_owned() } else { format!("{noun}s") }
}
