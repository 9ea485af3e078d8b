//! A report as a person reads it: per resource the planned values, then the answers, then what is wrong.

mod boxes;
mod message;
mod out;
mod planned;
#[cfg(feature = "cli")]
mod snippets;
mod statement;

pub(crate) use statement::statement;

use std::io;

use self::message::Message;
pub(super) use self::out::Out;
pub use self::out::{Colour, printable};
use self::planned::Planned;
use super::knowledge::Origin;
use super::replacement::{ForcedBy, Replacement};
use super::report::{Answer, Checked, Report, Shown, Side, Verdict};
use super::source::{Position, Source};
use super::title::symbol;
use crate::rule::{Replaces, Severity};

/// How a report draws what is wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Look {
    /// In the boxes of Terraform: the line of the rules file, the values involved, what must hold.
    #[default]
    Boxes,
    /// As compilers do, with a pointer to the place in the line (drawn by the crate annotate-snippets).
    #[cfg(feature = "cli")]
    Snippets,
}

/// How many bytes of a report are written at once, about.
const PIECE: usize = 1 << 16;

impl Report {
    /// The whole report but for the totals.
    pub fn text(&self, colour: Colour) -> String {
        self.text_as(colour, Look::default())
    }

    /// The same, with what is wrong drawn in another way.
    pub fn text_as(&self, colour: Colour, look: Look) -> String {
        let mut out = Out::new(colour);
        // Nothing is handed on, so nothing goes wrong.
        let _ = self.draw(&mut out, look, |_| Ok(()));
        out.text
    }

    /// Writes [`text_as`](Report::text_as) piece by piece: of a large plan it is larger than the plan.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write_text(&self, mut writer: impl io::Write, colour: Colour, look: Look) -> io::Result<()> {
        let mut out = Out::new(colour);
        self.draw(&mut out, look, |text| {
            writer.write_all(text.as_bytes())?;
            text.clear();
            Ok(())
        })
    }

    /// Draws the report. What there is of it so far is `taken` from time to time, and at the end.
    fn draw(
        &self,
        out: &mut Out,
        look: Look,
        mut taken: impl FnMut(&mut String) -> io::Result<()>,
    ) -> io::Result<()> {
        self.head(out);
        for (position, message) in &self.warnings {
            out.line("");
            Message::note(*position, message).draw(out, &self.rules, look);
        }
        for checked in &self.checked {
            self.one(out, checked, look);
            if out.text.len() > PIECE {
                taken(&mut out.text)?;
            }
        }
        taken(&mut out.text)
    }

    fn head(&self, out: &mut Out) {
        let version = match &self.terraform_version {
            Some(version) => format!(" · Terraform {version}"),
            None => String::new(),
        };
        let [add, change, destroy] = self.changes;
        let mut changes = Vec::new();
        for (count, what) in [(add, "add"), (change, "change"), (destroy, "destroy")] {
            if count > 0 {
                changes.push(format!("{count} to {what}"));
            }
        }
        let changes = if changes.is_empty() { "no changes".to_owned() } else { changes.join(", ") };
        let [assumptions, rules, skips] = self.counts;
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
        if !self.notes.is_empty() {
            out.line("");
        }
        for note in &self.notes {
            out.dim(&format!("  # {note}"));
            out.line("");
        }
    }

    fn one(&self, out: &mut Out, checked: &Checked, look: Look) {
        out.line("");
        out.bold(&format!("  # {}", checked.title));
        out.line("");
        self.values(out, checked);
        if !checked.answers.is_empty() || checked.replacement.is_some() {
            out.line("");
        }
        checked.replacement.iter().for_each(|replacement| self.replacement(out, replacement));
        for answer in &checked.answers {
            self.row(out, answer);
        }
        for contradicted in &checked.contradicted {
            out.line("");
            Message::contradiction(contradicted).draw(out, &self.rules, look);
        }
        for answer in &checked.answers {
            if let Verdict::Fail(failure) = &answer.verdict {
                out.line("");
                Message::failure(&checked.address, answer, failure).draw(out, &self.rules, look);
            }
        }
    }

    fn values(&self, out: &mut Out, checked: &Checked) {
        let comments: Vec<Option<String>> = checked.shown.iter().map(|shown| self.comments(shown)).collect();
        let attributes: Vec<(&str, Planned<'_>)> = checked
            .shown
            .iter()
            .zip(&comments)
            .map(|(shown, comment)| {
                let planned = Planned {
                    before: shown.before.as_ref(),
                    after: Some(&shown.after),
                    comment: comment.as_deref(),
                };
                (shown.name.as_str(), planned)
            })
            .collect();
        let mut text = String::new();
        let symbol = symbol(&checked.actions);
        if checked.header.is_empty() {
            planned::attributes(&mut text, 2, &attributes);
            out.plan(&text);
            return;
        }
        out.plan(&format!("{symbol} {} {{\n", checked.header));
        planned::attributes(&mut text, 6, &attributes);
        out.plan(&text);
        if checked.hidden > 0 {
            let noun = plural(checked.hidden, "attribute");
            out.dim(&format!("        # ({} {noun} without a rule hidden)", checked.hidden));
            out.line("");
        }
        out.line("    }");
    }

    /// What stands behind a value: in the manner of the plan renderer, that it forces a replacement.
    fn comments(&self, shown: &Shown) -> Option<String> {
        let forces = shown.forces_replacement.then(|| "forces replacement".to_owned());
        let origin = shown.origin.as_ref().map(|origin| self.comment(origin));
        let comments: Vec<String> = forces.into_iter().chain(origin).collect();
        (!comments.is_empty()).then(|| comments.join(", "))
    }

    fn comment(&self, origin: &Origin) -> String {
        match origin {
            Origin::Assumed(position) => format!("assumed, {}", self.line(*position)),
            Origin::From(source) => format!("from {source}"),
            Origin::Written(place) => format!("written in {place}"),
        }
    }

    /// A line of the rules: `rules.hcl:3`.
    fn line(&self, position: Position) -> String {
        format!("{}:{}", short(self.rules.file(position)), position.line)
    }

    /// `may replace`, yes, no or maybe, and what forces it.
    fn replacement(&self, out: &mut Out, replacement: &Replacement) {
        let forced_by = |forced_by: &ForcedBy| {
            let ForcedBy { what, is_certain, position } = forced_by;
            let stated = position.map(|position| format!(" ({})", self.line(position)));
            let certainty = if *is_certain { "" } else { ", and may turn out as it was" };
            format!("{what} forces replacement{}{certainty}", stated.unwrap_or_default())
        };
        let mut reasons: Vec<String> = replacement.forced_by.iter().map(forced_by).collect();
        if let Replaces::No = replacement.answer {
            reasons.push("nothing changes that forces replacement".to_owned());
        }
        let mut word = replacement.word();
        for reason in &reasons {
            out.word("    ", if word.is_empty() { "" } else { "may replace" }, 14);
            out.line_of(format_args!("{word:<18} {reason}"));
            word = "";
        }
        if !replacement.depends_on.is_empty() {
            out.dim(&format!("                  {:<18} ", "depends on"));
            out.line(&few(&replacement.depends_on));
        }
    }

    fn row(&self, out: &mut Out, answer: &Answer) {
        let path = answer.place();
        let claim = match (path.is_empty(), answer.claim.is_empty()) {
            (true, _) => answer.claim.clone(),
            (false, true) => path,
            (false, false) => format!("{path} {}", answer.claim),
        };
        let claim = match &answer.verdict {
            Verdict::Skipped(reason, position) => {
                format!("{}, {reason}", self.line(*position))
            }
            Verdict::NotApplicable(why) => why.clone(),
            _ if answer.is_null => format!("{claim} (null: not set)"),
            _ if answer.side == Side::Prior && !claim.is_empty() => format!("{claim} (before)"),
            _ => claim,
        };
        out.word("    ", word(answer), 14);
        out.line_of(format_args!("{:<18} {claim}", answer.rule));
        let Verdict::Undetermined(reason) = &answer.verdict else { return };
        let mut detail = |name: &str, text: &str| {
            if !text.is_empty() {
                out.dim(&format!("                  {name:<18} "));
                out.line(text);
            }
        };
        detail("depends on", &few(&reason.depends_on));
        for note in reason.why.notes() {
            detail("known so far", &note);
        }
        detail("passes if", &reason.why.passes_if());
    }
}

/// The word of an answer.
pub(crate) fn word(answer: &Answer) -> &'static str {
    match (&answer.verdict, answer.severity) {
        (Verdict::Pass | Verdict::NotApplicable(_), _) => "pass",
        (Verdict::Fail(_), Severity::Error) => "fail",
        (Verdict::Fail(_), Severity::Warning) => "warning",
        (Verdict::Undetermined(_), _) => "undetermined",
        (Verdict::Skipped(..), _) => "skipped",
    }
}

/// The file's name without its folders.
fn short(source: &Source) -> &str {
    source.name().rsplit(['/', '\\']).next().unwrap_or_default()
}

fn few(all: &[String]) -> String {
    const SHOWN: usize = 5;
    let shown: Vec<&str> = all.iter().take(SHOWN).map(String::as_str).collect();
    match all.len().saturating_sub(SHOWN) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

pub(super) fn plural(count: usize, noun: &str) -> String {
    if count == 1 { noun.to_owned() } else { format!("{noun}s") }
}
