//! A report as Markdown, for a pull request or the summary of a job: the verdict first.

use std::fmt::Write as _;
use std::io;

use super::PlanReport;
use super::decision::{FailureEntry, OpenGroup, Verdict};
use super::finding::Location;
use super::input_error::InputError;
use super::render::{AnswerKind, Message, printable_in_line};
use super::sarif::artifact_link;
use super::summary::Summary;

/// The numbers of failures, unknown values, answers of each and other entries that are written: a comment on GitHub has 65,536
/// characters at most.
const FAILURES: usize = 50;
const UNKNOWNS: usize = 20;
const ANSWERS: usize = 5;
const ENTRIES: usize = 100;

impl PlanReport {
    /// Writes the report as Markdown of GitHub: one line that says pass, fail or open with the counts; the failures with what to
    /// change; what is open, by the unknown value that it waits for; and, folded, the rules with their answers and the notes.
    ///
    /// Texts of the plan and the rules become no markup, link or mention. At most 50 failures are written, and how many more there
    /// are. Marked content appears nowhere.
    ///
    /// ```
    /// use plantime_terraform::plan::{CheckOptions, Plan, RulesFile, check};
    /// use plantime::source::Source;
    /// use plantime_schema::ProviderSchemas;
    ///
    /// let json = br#"{"format_version": "1.2", "resource_changes": [{
    ///     "address": "random_id.s", "mode": "managed", "type": "random_id", "name": "s", "provider_name": "random",
    ///     "change": {"actions": ["create"], "before": null, "after": {"byte_length": 4}, "after_unknown": {}, "after_sensitive": {}}}]}"#;
    /// let plan = Plan::read(json, &ProviderSchemas::new())?;
    /// let rules = "rule \"long\" {\n  resource = \"random_id\"\n  attribute \"byte_length\" { min = 8 }\n}";
    /// let rules = RulesFile::read(Source::new("rules.hcl", rules)).unwrap();
    /// let against = CheckOptions { rules, schemas: ProviderSchemas::new(), configuration: None, show_values: false, facts: Default::default() };
    /// let mut text = Vec::new();
    /// check("plan.json", &plan, &against).unwrap().write_markdown(&mut text)?;
    /// assert!(String::from_utf8(text)?.starts_with("## fail: `plan.json`\n\n**1 failure**, 0 open, 0 pass\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write_markdown(&self, mut writer: impl io::Write) -> io::Result<()> {
        let mut out = format!("## {}: {}\n\n", self.verdict().word(), code(&self.name));
        let counts = self.verdict_counts();
        let (first, rest) = counts.split_once(',').unwrap_or((&counts, ""));
        let comma = if rest.is_empty() { "" } else { "," };
        // Writing to a string cannot fail.
        let _ = match self.verdict() {
            Verdict::Fail => writeln!(out, "**{first}**{comma}{rest}"),
            _ => writeln!(out, "{counts}"),
        };
        for gap in &self.gaps {
            let _ = writeln!(out, "\n> {}", text(&gap.to_string()));
        }
        self.push_failures(&mut out);
        self.push_open(&mut out);
        self.push_not_asked(&mut out);
        self.push_rule_table(&mut out);
        self.push_notes(&mut out);
        writer.write_all(out.as_bytes())
    }

    /// Adds the failures, each with its place, what is wrong, and what to do.
    fn push_failures(&self, out: &mut String) {
        let entries = self.failure_entries();
        let contradicted: Vec<_> = self.checked.iter().flat_map(|checked| &checked.contradicted).collect();
        if entries.is_empty() && contradicted.is_empty() && self.expired.is_empty() {
            return;
        }
        out.push_str("\n### Failures\n\n");
        for expired in &self.expired {
            let _ = writeln!(out, "- {} Its reason was: {}", text(&expired.message()), text(&expired.reason));
        }
        for one in contradicted.iter().take(FAILURES) {
            let message = Message::contradiction(one);
            let _ = writeln!(out, "- **assumption** {}", text(&message.details.join(" ")));
        }
        for entry in entries.iter().take(FAILURES) {
            self.push_failure(out, entry);
        }
        push_more(out, entries.len().max(contradicted.len()), FAILURES);
    }

    /// Adds one failure.
    fn push_failure(&self, out: &mut String, entry: &FailureEntry<'_>) {
        let FailureEntry { checked, answer, failure, .. } = entry;
        let metadata = self.metadata(&answer.rule);
        let id = match metadata.map(|metadata| (metadata.id.as_deref(), metadata.link.as_deref())) {
            Some((id, Some(link))) => format!("[{}](<{}>) ", text(id.unwrap_or("rule")), artifact_link(link)),
            Some((Some(id), None)) => format!("{} ", text(id)),
            _ => String::new(),
        };
        let kind = match AnswerKind::of(answer) {
            AnswerKind::Warning => " (warning)",
            _ => "",
        };
        let place =
            self.failure_place(checked, answer).map(|place| format!(", {}", code(&place_in_words(&place))));
        let _ = writeln!(
            out,
            "- {id}**{}**{kind} at {}{}",
            text(&answer.rule),
            code(checked.address()),
            place.unwrap_or_default()
        );
        let message =
            Message::failure(checked.address(), answer, failure, (self.description(&answer.rule), None));
        let _ = writeln!(out, "  {}", text(&message.details.join(" ")));
        for value in message.values.iter().take(ANSWERS) {
            let _ = writeln!(out, "  - {}", code(value));
        }
        let _ = writeln!(out, "  - {}", text(&self.next_step(checked, answer, failure)));
    }

    /// Adds what is open, by the unknown value that it waits for.
    fn push_open(&self, out: &mut String) {
        let groups = self.open_groups();
        if groups.is_empty() {
            return;
        }
        out.push_str("\n### Open, by the unknown value that decides it\n\n");
        for OpenGroup { unknown, answers } in groups.iter().take(UNKNOWNS) {
            let name = if unknown.is_empty() { "no single value".to_owned() } else { code(unknown) };
            let noun = super::render::plural(answers.len(), "answer");
            let _ = writeln!(out, "- {name}: {} {noun}", answers.len());
            for (_, checked, answer, reason) in answers.iter().take(ANSWERS) {
                let claim = self.claim_or_reason(answer);
                let _ = write!(
                    out,
                    "  - **{}** at {}: {}",
                    text(&answer.rule),
                    code(checked.address()),
                    text(&claim)
                );
                match reason.passes_if() {
                    passes if passes.is_empty() => out.push('\n'),
                    passes => {
                        let _ = writeln!(out, "; passes if {}", text(&passes));
                    }
                }
            }
            push_more_below(out, answers.len(), ANSWERS);
        }
        push_more(out, groups.len(), UNKNOWNS);
    }

    /// Adds what is not asked.
    fn push_not_asked(&self, out: &mut String) {
        let not_asked: Vec<(String, String)> = self.not_asked().collect();
        if not_asked.is_empty() {
            return;
        }
        out.push_str("\n### Not asked\n\n");
        for (what, why) in not_asked.iter().take(ENTRIES) {
            let _ = writeln!(out, "- {}: {}", text(what), text(why));
        }
        push_more(out, not_asked.len(), ENTRIES);
    }

    /// Adds how each rule was answered, folded.
    fn push_rule_table(&self, out: &mut String) {
        let rules = self.rule_answers();
        if rules.is_empty() {
            return;
        }
        let _ = write!(out, "\n<details><summary>Rules: {}</summary>\n\n| rule |", rules.len());
        let kinds: Vec<AnswerKind> = AnswerKind::NAMES.iter().map(|(_, kind)| *kind).collect();
        for kind in &kinds {
            let _ = write!(out, " {} |", kind.word());
        }
        out.push_str("\n|---|");
        kinds.iter().for_each(|_| out.push_str("---:|"));
        out.push('\n');
        for rule in rules.iter().take(ENTRIES) {
            let _ = write!(out, "| {} |", text(rule.name));
            for kind in &kinds {
                match rule.counts.get(kind) {
                    Some(count) => {
                        let _ = write!(out, " {count} |");
                    }
                    None => out.push_str(" |"),
                }
            }
            out.push('\n');
        }
        out.push('\n');
        push_more(out, rules.len(), ENTRIES);
        out.push_str("</details>\n");
    }

    /// Adds warnings and notes, folded.
    fn push_notes(&self, out: &mut String) {
        let mut notes: Vec<String> = Vec::new();
        for (position, warning) in &self.warnings {
            notes.push(format!("{}: {warning}", self.rule_location(*position)));
        }
        for fact in &self.contradicted_facts {
            notes.push(format!("{}.{}: {} ({})", fact.address, fact.path, fact.message, fact.origin));
        }
        notes.extend(self.notes.iter().cloned());
        if notes.is_empty() {
            return;
        }
        let _ = write!(out, "\n<details><summary>Notes: {}</summary>\n\n", notes.len());
        for note in notes.iter().take(ENTRIES) {
            let _ = writeln!(out, "- {}", text(note));
        }
        push_more(out, notes.len(), ENTRIES);
        out.push_str("\n</details>\n");
    }
}

impl Summary {
    /// The verdict on several plans in Markdown: one line that says pass, fail or open with the counts, and the inputs that are
    /// unusable.
    ///
    /// ```
    /// use plantime_terraform::plan::{InputError, Summary};
    ///
    /// let text = Summary::default().markdown_verdict(&[InputError::input("plan.json", "no such file")]);
    /// assert!(text.starts_with("# fail: 0 plans\n") && text.contains("unusable"));
    /// ```
    pub fn markdown_verdict(&self, errors: &[InputError]) -> String {
        let plans = self.plans();
        let verdict = match () {
            () if self.totals().failed() || self.is_errored() || !errors.is_empty() => Verdict::Fail,
            () if self.is_open() || plans == 0 => Verdict::Open,
            () => Verdict::Pass,
        };
        let mut out = format!("# {}: {plans} {}\n\n", verdict.word(), super::render::plural(plans, "plan"));
        // Without the time, which differs from run to run.
        let counts = self.text(0.0);
        let counts = counts.lines().next().and_then(|line| line.split(". ").next()).unwrap_or_default();
        let _ = writeln!(out, "{}", text(counts.trim_start_matches("Checks: ")));
        for error in errors.iter().take(FAILURES) {
            let _ = writeln!(out, "\n> unusable: {}", text(&error.to_string()));
        }
        out
    }
}

/// Adds how many entries of a list are not written.
fn push_more(out: &mut String, count: usize, written: usize) {
    if let Some(more) = count.checked_sub(written).filter(|more| *more > 0) {
        let _ = writeln!(out, "- and {more} more");
    }
}

/// Adds how many entries of a list inside a list are not written.
fn push_more_below(out: &mut String, count: usize, written: usize) {
    if count > written {
        out.push_str("  ");
        push_more(out, count, written);
    }
}

/// A place as `main.tf:12`.
fn place_in_words(place: &Location) -> String {
    match place.line {
        Some(line) => format!("{}:{line}", place.file),
        None => place.file.clone(),
    }
}

/// A text of an input as code in a line, in which nothing is markup: between more backticks than it has in a row.
pub(super) fn code(text: &str) -> String {
    let text = printable_in_line(text);
    let (mut longest, mut row): (usize, usize) = (0, 0);
    for c in text.chars() {
        row = if c == '`' { row.saturating_add(1) } else { 0 };
        longest = longest.max(row);
    }
    let fence = "`".repeat(longest.saturating_add(1));
    let blank = if text.starts_with('`') || text.ends_with('`') || text.is_empty() { " " } else { "" };
    format!("{fence}{blank}{text}{blank}{fence}")
}

/// A text of an input as text in a line of Markdown: no markup, no link, no mention.
///
/// ```
/// use plantime_terraform::plan::markdown_text;
///
/// assert_eq!(markdown_text("<b> *x*"), "&lt;b&gt; \\*x\\*");
/// ```
pub fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in printable_in_line(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            // A blank without width behind it: GitHub mentions whom an at sign names, escaped or not.
            '@' => out.push_str("@\u{200b}"),
            // Numbers of issues.
            '#' => out.push_str("\\#\u{200b}"),
            '-' | '+' | '=' if !out.is_empty() => out.push(c),
            '\\' | '`' | '*' | '_' | '[' | ']' | '(' | ')' | '-' | '+' | '=' | '.' | '|' | '~' | ':'
            | '$' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_become_no_markup() {
        assert_eq!(code("a.b"), "`a.b`");
        assert_eq!(code("a`b``c"), "```a`b``c```");
        assert_eq!(code("`a"), "`` `a ``");
        assert_eq!(code("a\n# b"), "`a\\n# b`");
        assert_eq!(
            text("<b>*x* [a](b) @team #1\n- x"),
            "&lt;b&gt;\\*x\\* \\[a\\]\\(b\\) @\u{200b}team \\#\u{200b}1\\\\n- x"
        );
        assert_eq!(text("https://a.example"), "https\\://a\\.example");
    }
}
