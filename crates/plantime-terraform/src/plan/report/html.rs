//! Reports as an HTML page: one file that loads nothing, readable without its script.

use std::collections::BTreeMap;
use std::io;

use super::reference::line_reference;
use super::render::{AnswerKind, Markup, TerminalText, TextStyle, plural, push_html};
use super::{CheckedResource, PlanReport, TestVerdict};
use crate::plan::Colour;
use crate::plan::page::{push_entry, push_entry_end, push_foot, push_head, push_link, push_place};
use crate::plan::rules::metadata::RuleSummary;
use crate::plan::rules::severity_level::SeverityLevel;
use plantime::source::Position;

/// The kinds of entries, the most important first, in the order of the check boxes that filter by them.
const KINDS: [&str; 7] = ["fail", "warning", "known", "undetermined", "pass", "skipped", "unchecked"];

/// The number of unknown values that are listed as what undetermined answers depend on.
const ROOTS: usize = 50;

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
    /// Writes the report as a section of an [`HtmlPage`]: what concerns the whole plan, the unknown values that
    /// undetermined answers depend on, the rules, and an entry for each resource and output with its values, answers and failures. An entry can be folded; the
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
        out.text.push_str("</h2>\n<pre>");
        self.write_preamble(&mut out, style);
        out.text.push_str("</pre>\n");
        self.push_roots(&mut out.text);
        self.push_rules(&mut out.text);
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
        out.text.push_str("</section>\n");
        writer.write_all(out.text.as_bytes())
    }

    /// Adds the list of unknown values that undetermined answers depend on, those with the most answers first, each with
    /// links to their entries.
    fn push_roots(&self, out: &mut String) {
        let mut dependents: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (number, checked) in self.checked.iter().enumerate() {
            for answer in &checked.answers {
                let TestVerdict::Undetermined(reason) = &answer.verdict else { continue };
                for root in &reason.depends_on {
                    dependents.entry(root).or_default().push(number);
                }
            }
        }
        if dependents.is_empty() {
            return;
        }
        let mut roots: Vec<(&str, Vec<usize>)> = dependents.into_iter().collect();
        roots.sort_by_key(|(root, numbers)| (std::cmp::Reverse(numbers.len()), *root));
        out.push_str("<h3>Undetermined answers, by the values that they depend on</h3>\n<ul>\n");
        for (root, numbers) in roots.iter().take(ROOTS) {
            out.push_str("<li>");
            push_html(out, root);
            let count = numbers.len();
            out.push_str(&format!(": {count} {}", plural(count, "answer")));
            let mut numbers = numbers.clone();
            numbers.dedup();
            for number in numbers.iter().take(10) {
                let Some(checked) = self.checked.get(*number) else { continue };
                out.push_str(" · ");
                push_link(out, checked.address(), &format!("#{}", anchor(&self.name, *number)));
            }
            out.push_str("</li>\n");
        }
        if let Some(more) = roots.len().checked_sub(ROOTS).filter(|more| *more > 0) {
            out.push_str(&format!("<li>and {more} more</li>\n"));
        }
        out.push_str("</ul>\n");
    }
}

impl PlanReport {
    /// Adds the list of rules that have answers, in the order of the rules file, each with a link to its line, its description
    /// and how many answers of each kind it has.
    fn push_rules(&self, out: &mut String) {
        let mut rules: BTreeMap<&str, (Position, BTreeMap<&str, usize>)> = BTreeMap::new();
        for answer in self.checked.iter().flat_map(|checked| &checked.answers) {
            let (first, counts) =
                rules.entry(&*answer.rule).or_insert_with(|| (answer.position, BTreeMap::new()));
            *first = (*first).min(answer.position);
            let count = counts.entry(AnswerKind::of(answer).word()).or_default();
            *count = count.saturating_add(1);
        }
        if rules.is_empty() {
            return;
        }
        let mut rules: Vec<_> = rules.into_iter().collect();
        rules.sort_by_key(|(_, (position, _))| *position);
        out.push_str("<details open class=\"rules\"><summary>Rules</summary>\n<ul>\n");
        for (name, (position, counts)) in rules {
            out.push_str("<li>");
            push_link(out, name, &line_reference(self.rules.file(position).name(), position.line));
            for (place, (kind, count)) in counts.iter().enumerate() {
                out.push_str(if place == 0 { ": " } else { ", " });
                out.push_str(&format!("{count} <span class=\"{}\">{kind}</span>", colour_of(kind)));
            }
            self.push_about(out, name);
            out.push_str("</li>\n");
        }
        out.push_str("</ul></details>\n");
    }
}

impl PlanReport {
    /// Adds what the author says about a rule: the description, the id as a link to its page, the owner.
    fn push_about(&self, out: &mut String, rule: &str) {
        let Some(RuleSummary { description, metadata, .. }) = self.rule_summaries.get(rule) else { return };
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
