//! Reports as an HTML page: one file that loads nothing, readable without its script.

mod drawing;

use std::collections::BTreeMap;
use std::io;

use super::decision::{FailureEntry, OpenGroup, RuleAnswers, Verdict};
use super::reference::line_reference;
use super::render::{AnswerKind, Markup, Message, TerminalText, TextStyle, plural, push_html};
use super::{CheckedResource, PlanReport};
use crate::plan::Colour;
use crate::plan::page::{push_entry, push_entry_end, push_foot, push_head, push_link, push_place};
use crate::plan::rules::metadata::RuleSummary;
use crate::plan::rules::severity_level::SeverityLevel;

/// The kinds of entries, the most important first, in the order of the check boxes that filter by them.
const KINDS: [&str; 7] = ["fail", "warning", "known", "undetermined", "pass", "skipped", "unchecked"];

/// The number of unknown values that are listed as what undetermined answers depend on, and of answers of each.
const ROOTS: usize = 50;
const ANSWERS: usize = 10;

/// The number of failures that are listed at the top, and of values of each.
const FAILURES: usize = 500;
const VALUES: usize = 10;

/// The parts of a page with reports around the reports themselves.
///
/// ```
/// use plantime_terraform::plan::{CheckOptions, HtmlPage, Plan, RulesFile, check};
/// use plantime::source::Source;
/// use plantime_schema::ProviderSchemas;
///
/// let plan = Plan::read(br#"{"format_version": "1.2", "resource_changes": []}"#, &ProviderSchemas::new())?;
/// let rules = RulesFile::read(Source::new("rules.hcl", "")).unwrap();
/// let against = CheckOptions { rules, schemas: ProviderSchemas::new(), configuration: None, show_values: false, facts: Default::default() };
/// let mut page = HtmlPage::start("my plans").into_bytes();
/// check("plan.json", &plan, &against).unwrap().write_html(&mut page)?;
/// page.extend(HtmlPage::end("1 plan").into_bytes());
/// let page = String::from_utf8(page)?;
/// assert!(page.starts_with("<!doctype html>") && page.contains("<h2>plan.json</h2>"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct HtmlPage;

impl HtmlPage {
    /// The beginning of a page with a title, up to the first report.
    ///
    /// [Example](HtmlPage)
    pub fn start(title: &str) -> String {
        let mut out = String::new();
        push_head(&mut out, title, &KINDS);
        out
    }

    /// The end of a page: a text of totals, and the script.
    ///
    /// [Example](HtmlPage)
    pub fn end(totals: &str) -> String {
        let mut out = "<pre class=\"totals\">".to_owned();
        push_html(&mut out, totals);
        out.push_str("</pre>\n");
        push_foot(&mut out);
        out
    }
}

impl PlanReport {
    /// Writes the report as a section of an [`HtmlPage`]: the verdict with the counts, the rules with a bar of their answers, the
    /// failures with what to change, what is open by the unknown values that decide it, what concerns the whole plan, and, folded, an
    /// entry for each resource and output with its values, answers and failures. An entry can be folded; the
    /// script of the page filters entries by text and by their most important answer. Lines of rules files and of the configuration
    /// are links relative to the page (`./rules.hcl#L3`). Marked content appears nowhere, and
    /// texts of the plan and the rules are data: they cannot become markup.
    ///
    /// [Example](HtmlPage)
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write_html(&self, mut writer: impl io::Write) -> io::Result<()> {
        let style = TextStyle::new(Colour::Never);
        let mut out = TerminalText::of_markup(Markup::Html);
        out.text.push_str("<section>\n<h2>");
        push_html(&mut out.text, &self.name);
        out.text.push_str("</h2>\n");
        self.push_verdict(&mut out.text);
        self.push_rules(&mut out.text);
        self.push_failures_list(&mut out.text);
        self.push_roots(&mut out.text);
        out.text.push_str("<details open class=\"rules\"><summary>Plan, notes and warnings</summary>\n<pre>");
        self.write_preamble(&mut out, style);
        out.text.push_str("</pre></details>\n");
        let count = self.checked.len();
        out.text.push_str(&format!(
            "<details class=\"rules resources\"><summary>{count} {} with values and answers</summary>\n",
            plural(count, "resource")
        ));
        let mut groups = super::render::Groups::new(self, style);
        for (number, checked) in self.checked.iter().enumerate() {
            let kind = kind_of(checked);
            let summary = summary(checked, kind);
            out.text.push_str(&format!("<a id=\"{}\"></a>", anchor(&self.name, number)));
            push_entry(&mut out.text, kind, &summary);
            self.write_content(&mut out, checked, style, &mut groups);
            push_entry_end(&mut out.text);
            writer.write_all(out.text.as_bytes())?;
            out.text.clear();
        }
        out.text.push_str("</details>\n</section>\n");
        writer.write_all(out.text.as_bytes())
    }

    /// Adds the verdict: one line with the counts.
    fn push_verdict(&self, out: &mut String) {
        let word = self.verdict().word();
        let colour = match self.verdict() {
            Verdict::Fail => "r",
            Verdict::Open => "y",
            Verdict::Pass => "g",
        };
        out.push_str(&format!("<p class=\"verdict\"><strong class=\"{colour}\">{word}</strong> "));
        push_html(out, &self.verdict_counts());
        out.push_str("</p>\n");
    }

    /// Adds the failures, each with its place, what is wrong, and what to do.
    fn push_failures_list(&self, out: &mut String) {
        let entries = self.failure_entries();
        let contradicted: Vec<(usize, &CheckedResource, Message)> = self
            .checked
            .iter()
            .enumerate()
            .flat_map(|(number, checked)| {
                checked.contradicted.iter().map(move |one| (number, checked, Message::contradiction(one)))
            })
            .collect();
        if entries.is_empty() && contradicted.is_empty() && self.expired.is_empty() {
            return;
        }
        out.push_str("<h3>Failures</h3>\n<ul class=\"failures\">\n");
        for expired in &self.expired {
            out.push_str("<li><span class=\"r\">expired</span> ");
            push_html(out, &format!("{}. Its reason was: {}", expired.message(), expired.reason));
            out.push_str("</li>\n");
        }
        for (number, checked, message) in &contradicted {
            out.push_str("<li><span class=\"r\">contradicted</span> ");
            push_link(out, checked.address(), &format!("#{}", anchor(&self.name, *number)));
            push_paragraph(out, &message.details.join(" "));
            out.push_str("</li>\n");
        }
        for FailureEntry { number, checked, answer, failure } in entries.iter().take(FAILURES) {
            let kind = AnswerKind::of(answer).word();
            out.push_str(&format!("<li><span class=\"{}\">{kind}</span> ", colour_of(kind)));
            push_link(out, checked.address(), &format!("#{}", anchor(&self.name, *number)));
            out.push_str(" · <b>");
            push_html(out, &answer.rule);
            out.push_str("</b>");
            self.push_about(out, &answer.rule);
            let message = Message::failure(checked.address(), answer, failure, (None, None));
            push_paragraph(out, &message.details.join(" "));
            for value in message.values.iter().take(VALUES) {
                push_paragraph(out, value);
            }
            if let Some(place) = self.failure_place(checked, answer) {
                let line = place.line.and_then(|line| usize::try_from(line).ok()).unwrap_or(1);
                out.push_str("<div>");
                push_link(out, &format!("{}:{line}", place.file), &line_reference(&place.file, line));
                if let Some(text) = failure.source_line.as_ref().and_then(|line| line.text.as_deref()) {
                    out.push_str(" <code>");
                    push_html(out, text.trim());
                    out.push_str("</code>");
                }
                out.push_str("</div>");
            }
            push_paragraph(out, &self.next_step(checked, answer, failure));
            out.push_str("</li>\n");
        }
        if let Some(more) = entries.len().checked_sub(FAILURES).filter(|more| *more > 0) {
            out.push_str(&format!("<li>and {more} more, at the resources below</li>\n"));
        }
        out.push_str("</ul>\n");
    }

    /// Adds what is open, by the unknown values that it waits for, those with the most answers first: a drawing of how they hang
    /// together, and each with what passes.
    fn push_roots(&self, out: &mut String) {
        let groups = self.open_groups();
        if groups.is_empty() {
            return;
        }
        out.push_str("<h3>Open, by the unknown values that decide it</h3>\n");
        drawing::push_drawing(out, &groups);
        out.push_str("<ul>\n");
        for OpenGroup { unknown, answers } in groups.iter().take(ROOTS) {
            out.push_str("<li><b>");
            push_html(out, if unknown.is_empty() { "no single value" } else { unknown });
            let count = answers.len();
            out.push_str(&format!("</b>: {count} {}\n<ul>\n", plural(count, "answer")));
            for (number, checked, answer, reason) in answers.iter().take(ANSWERS) {
                out.push_str("<li>");
                push_link(out, checked.address(), &format!("#{}", anchor(&self.name, *number)));
                push_html(out, &format!(" · {}: {}", answer.rule, self.claim_or_reason(answer)));
                let passes_if = reason.passes_if();
                if !passes_if.is_empty() {
                    out.push_str(" <span class=\"soft\">passes if ");
                    push_html(out, &passes_if);
                    out.push_str("</span>");
                }
                out.push_str("</li>\n");
            }
            if let Some(more) = count.checked_sub(ANSWERS).filter(|more| *more > 0) {
                out.push_str(&format!("<li>and {more} more</li>\n"));
            }
            out.push_str("</ul></li>\n");
        }
        if let Some(more) = groups.len().checked_sub(ROOTS).filter(|more| *more > 0) {
            out.push_str(&format!("<li>and {more} more</li>\n"));
        }
        out.push_str("</ul>\n");
    }
}

/// Adds a text as a line of its own.
fn push_paragraph(out: &mut String, text: &str) {
    if !text.is_empty() {
        out.push_str("<div>");
        push_html(out, text);
        out.push_str("</div>");
    }
}

impl PlanReport {
    /// Adds the list of rules that have answers, in the order of the rules file: each with a bar of its answers, a link to the first
    /// resource with its most important answer, one to its line, and what its author says about it.
    fn push_rules(&self, out: &mut String) {
        let rules = self.rule_answers();
        if rules.is_empty() {
            return;
        }
        out.push_str("<details open class=\"rules\"><summary>Rules</summary>\n<ul class=\"bars\">\n");
        for RuleAnswers { name, counts, first } in rules {
            out.push_str("<li>");
            push_bar(out, &counts);
            match first {
                Some(number) => push_link(out, name, &format!("#{}", anchor(&self.name, number))),
                None => push_html(out, name),
            }
            for (place, (kind, count)) in counts.iter().enumerate() {
                out.push_str(if place == 0 { ": " } else { ", " });
                let kind = kind.word();
                out.push_str(&format!("{count} <span class=\"{}\">{kind}</span>", colour_of(kind)));
            }
            self.push_about(out, name);
            if let Some(summary) = self.rule_summary(name) {
                let file = self.rules.file(summary.position);
                out.push_str(" <span class=\"soft\">· ");
                let line = summary.position.line;
                push_link(out, &self.rule_location(summary.position), &line_reference(file.name(), line));
                out.push_str("</span>");
            }
            out.push_str("</li>\n");
        }
        out.push_str("</ul></details>\n");
    }
}

/// Adds a bar with the share of each kind of answers.
fn push_bar(out: &mut String, counts: &BTreeMap<AnswerKind, usize>) {
    let all = counts.values().fold(0, |all: usize, count| all.saturating_add(*count)).max(1);
    out.push_str(
        "<svg class=\"bar\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">",
    );
    let mut before: usize = 0;
    for kind in BAR {
        let Some(count) = counts.get(&kind).filter(|count| **count > 0) else { continue };
        let at = |count: usize| count.saturating_mul(1000).checked_div(all).unwrap_or_default();
        let (start, end) = (at(before), at(before.saturating_add(*count)));
        before = before.saturating_add(*count);
        out.push_str(&format!(
            "<rect class=\"{}\" x=\"{}.{}\" y=\"0\" width=\"{}.{}\" height=\"10\"/>",
            colour_of(kind.word()),
            start / 10,
            start % 10,
            end.saturating_sub(start) / 10,
            end.saturating_sub(start) % 10,
        ));
    }
    out.push_str("</svg> ");
}

/// The kinds of answers in the order of a bar.
const BAR: [AnswerKind; 6] = [
    AnswerKind::Fail,
    AnswerKind::Warning,
    AnswerKind::Known,
    AnswerKind::Undetermined,
    AnswerKind::Pass,
    AnswerKind::Skipped,
];

impl PlanReport {
    /// Adds what the author says about a rule: the description, the id as a link to its page, the owner.
    fn push_about(&self, out: &mut String, rule: &str) {
        let Some(RuleSummary { description, metadata, .. }) = self.rule_summary(rule) else { return };
        let mut parts = Vec::new();
        if let Some(description) = description {
            parts.push(escaped(description));
        }
        match (&metadata.id, &metadata.link) {
            (id, Some(link)) => {
                let mut linked = String::new();
                push_link(&mut linked, id.as_deref().unwrap_or(link), link);
                parts.push(linked);
            }
            (Some(id), None) => parts.push(escaped(id)),
            (None, None) => {}
        }
        if !matches!(metadata.level, SeverityLevel::Error | SeverityLevel::Warning) {
            parts.push(metadata.level.name().to_owned());
        }
        parts.extend(metadata.owner.as_deref().map(escaped));
        if !parts.is_empty() {
            out.push_str(&format!(" <span class=\"soft\">· {}</span>", parts.join(" · ")));
        }
    }
}

/// A text as HTML.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    push_html(&mut out, text);
    out
}

/// The name of the place of an entry. A page may have several reports, whose plans have different names.
fn anchor(plan: &str, number: usize) -> String {
    let mut name = String::from("e");
    for byte in plan.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => name.push(char::from(byte)),
            _ => name.push_str(&format!("-{byte:x}")),
        }
    }
    format!("{name}-{number}")
}

/// The most important answer of a resource or output.
fn kind_of(checked: &CheckedResource) -> &'static str {
    if !checked.contradicted.is_empty() {
        return "fail";
    }
    let has = |kind: AnswerKind| checked.answers.iter().any(|answer| AnswerKind::of(answer) == kind);
    let kinds = [
        (AnswerKind::Fail, "fail"),
        (AnswerKind::Warning, "warning"),
        (AnswerKind::Known, "known"),
        (AnswerKind::Undetermined, "undetermined"),
        (AnswerKind::Pass, "pass"),
        (AnswerKind::Skipped, "skipped"),
    ];
    kinds.into_iter().find(|(kind, _)| has(*kind)).map_or("unchecked", |(_, word)| word)
}

/// The CSS class of the colour of an answer.
fn colour_of(kind: &str) -> &'static str {
    match kind {
        "fail" => "r",
        "warning" | "known" | "undetermined" => "y",
        "pass" => "g",
        _ => "d",
    }
}

/// The summary of an entry as HTML: the most important answer, the title, the place in the configuration, how many answers.
fn summary(checked: &CheckedResource, kind: &str) -> String {
    let mut out = format!("<span class=\"{}\">{kind}</span> ", colour_of(kind));
    push_html(&mut out, &checked.title());
    if let Some(place) = &checked.declared {
        push_place(&mut out, place);
    }
    let count = checked.answers.len();
    out.push_str(&format!(" <span class=\"soft\">· {count} {}</span>", plural(count, "answer")));
    out
}
