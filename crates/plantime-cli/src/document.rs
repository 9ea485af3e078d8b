//! The output of `plantime check`, written plan by plan as the checks finish.

use std::io::{self, BufWriter, Write};

use plantime_terraform::plan::{
    Baseline, DiagnosticStyle, HtmlPage, InputError, PlanReport, REPORT_FORMAT_VERSION, SarifRun, Summary,
    TextStyle, markdown_text, printable_in_line, printable_json,
};
use serde_json::Value as Json;

use crate::args::{Check, ReportFormat as Format};
use crate::bundle;
use crate::output::{self, Sink};
use crate::snippets;

/// How reports are written: in which format and style.
#[derive(Clone, Copy)]
pub(crate) struct Form {
    format: Format,
    style: TextStyle,
    is_quiet: bool,
    /// Whether the reports are of several plans.
    has_several: bool,
}

impl Form {
    /// The form for several plans.
    pub(crate) fn for_several(self) -> Form {
        Form { has_several: true, ..self }
    }

    /// The form that the options of the command ask for.
    pub(crate) fn of(arguments: &Check) -> Form {
        let look = if arguments.diagnostics == "snippets" {
            DiagnosticStyle::Own(snippets::draw)
        } else {
            DiagnosticStyle::Boxes
        };
        let style = TextStyle::new(output::colour(&arguments.output)).diagnostics(look);
        let style = match arguments {
            Check { quiet: true, .. } => style.quiet(),
            Check { only, .. } if !only.is_empty() => style.only(only.iter().copied()),
            _ => style,
        };
        Form { format: arguments.format, style, is_quiet: arguments.quiet, has_several: false }
    }

    /// The text before the report of the bundled plan; empty for other formats and with `--quiet`.
    pub(crate) fn introduction(self) -> String {
        match self.format {
            Format::Text if !self.is_quiet => bundle::INTRODUCTION.to_owned(),
            _ => String::new(),
        }
    }

    /// What the report of one plan has besides its results in SARIF; nothing in other formats.
    pub(crate) fn sarif_run(self, report: &PlanReport) -> SarifRun {
        if self.format == Format::Sarif { SarifRun::of(report) } else { SarifRun::default() }
    }

    /// The report of one plan, in memory.
    pub(crate) fn part(self, report: &PlanReport) -> String {
        let mut part = Vec::new();
        match self.write(report, &mut part) {
            Ok(()) => String::from_utf8(part).unwrap_or_default(),
            Err(_) => String::new(),
        }
    }

    /// Writes the report of one plan.
    fn write(self, report: &PlanReport, writer: &mut impl Write) -> io::Result<()> {
        match self.format {
            Format::Text => {
                report.write_text(&mut *writer, self.style)?;
                writer.write_all(b"\n")
            }
            Format::Json => report.write_json(writer, 2),
            Format::Sarif => report.write_sarif_results(writer, !self.has_several),
            Format::Junit => report.write_junit(writer),
            Format::Github => report.write_github(writer),
            Format::Html => report.write_html(writer),
            Format::Markdown => report.write_markdown(writer),
        }
    }
}

/// The lines of a text after the totals.
pub(crate) struct Besides {
    /// The failures of the baseline that no longer fail; `None` without a baseline.
    pub(crate) vanished: Option<Baseline>,
    /// What to do next; not with `--quiet`.
    pub(crate) steps: String,
    /// Why the status is not 0, where no answer says it.
    pub(crate) status: String,
}

/// The output written so far. After a failed write nothing more is written, and the error is kept for
/// [`finish`](Document::finish).
pub(crate) struct Document {
    form: Form,
    sink: Sink,
    parts: usize,
    /// The reports in Markdown, which come after the verdict on all of them.
    held: String,
    /// What a document of SARIF has after the results, and whether it has results yet.
    sarif: (SarifRun, bool),
    failed: Option<InputError>,
}

impl Document {
    /// A document without reports, which is written to `sink`.
    pub(crate) fn new(form: Form, sink: Sink) -> Document {
        Document {
            form,
            sink,

            held: String::new(),
            parts: 0,
            sarif: (SarifRun::default(), false),
            failed: None,
        }
    }

    /// Writes the report of one plan, which [`Form::part`] returned.
    pub(crate) fn part(&mut self, part: &str) {
        self.begin_part(None);
        if self.form.format == Format::Markdown {
            self.held.push('\n');
            self.held.push_str(part);
            return;
        }
        if self.form.format == Format::Sarif && !part.is_empty() && std::mem::replace(&mut self.sarif.1, true)
        {
            self.text(",");
        }
        self.text(part);
    }

    /// Adds what a report has besides its results in SARIF; nothing in other formats.
    pub(crate) fn add_sarif(&mut self, run: SarifRun) {
        self.sarif.0 = std::mem::take(&mut self.sarif.0).and(run);
    }

    /// Writes the report of one plan piece by piece, after `introduction`: the report of a large plan is larger than
    /// the plan.
    pub(crate) fn report(&mut self, introduction: &str, report: &PlanReport) {
        self.begin_part(Some(&report.name));
        self.text(introduction);
        let form = self.form;
        let mut writer = BufWriter::with_capacity(1 << 16, self);
        // What went wrong is kept by the document.
        let _ = form.write(report, &mut writer).and_then(|()| writer.flush());
    }

    /// Writes what separates the next report from what was written before: the head of the document, or a comma.
    fn begin_part(&mut self, name: Option<&str>) {
        match self.form.format {
            Format::Text | Format::Github | Format::Markdown => {}
            Format::Html if self.parts == 0 => self.text(&HtmlPage::start(&title(name))),
            Format::Html => {}
            Format::Sarif if self.parts == 0 => self.text(&(SARIF_HEAD.to_owned() + SarifRun::START)),
            Format::Sarif => {}
            Format::Junit if self.parts == 0 => self.text(JUNIT_HEAD),
            Format::Junit => {}
            Format::Json if self.parts == 0 => self.text(&format!("{}\n    ", head())),
            Format::Json => self.text(",\n    "),
        }
        self.parts = self.parts.saturating_add(1);
    }

    /// Writes the end of the document: the totals, in JSON also the errors, in text also what stands `besides`.
    pub(crate) fn end(&mut self, summary: &Summary, errors: &[InputError], seconds: f64, besides: &Besides) {
        let vanished = besides.vanished.as_ref().map(vanished_lines).unwrap_or_default();
        match self.form.format {
            Format::Text if self.parts == 0 => {}
            Format::Github => {
                let lines = vanished
                    .lines()
                    .map(|line| format!("::notice title=plantime::{}\n", line.replace('%', "%25")));
                self.text(&lines.collect::<String>());
            }
            Format::Html => {
                let head = if self.parts == 0 { HtmlPage::start(&title(None)) } else { String::new() };
                let errors: String = errors.iter().map(|error| format!("error: {error}\n")).collect();
                self.text(
                    &(head
                        + &HtmlPage::end(&(errors + &summary.text(seconds) + &vanished + &besides.status))),
                );
            }
            Format::Markdown => {
                let text = markdown_end(summary, errors, &vanished, std::mem::take(&mut self.held));
                self.text(&text);
            }
            Format::Sarif => {
                let text = match self.parts {
                    0 => format!("{SARIF_HEAD}\n]}}\n"),
                    _ => {
                        vanished.lines().for_each(|line| self.sarif.0.add_note(line));
                        format!("{}\n]}}\n", self.sarif.0.end())
                    }
                };
                self.text(&text);
            }
            Format::Junit => {
                let head = if self.parts == 0 { JUNIT_HEAD } else { "" };
                let of_baseline = match &besides.vanished {
                    Some(vanished) => PlanReport::junit_of_baseline(vanished),
                    None => String::new(),
                };
                self.text(&format!("{head}{of_baseline}</testsuites>\n"));
            }
            Format::Text if self.form.is_quiet => {
                let text = summary.text(seconds);
                let totals = text.lines().next().unwrap_or_default();
                self.text(&format!("{totals}\n{vanished}{}", besides.status));
            }
            Format::Text => {
                self.text(&(summary.text(seconds) + &vanished + &besides.status + &besides.steps));
            }
            Format::Json => {
                let head = if self.parts == 0 { head() } else { "\n  ".to_owned() };
                let errors = indented(&errors.iter().map(InputError::to_json).collect(), 2);
                let summary = indented(&summary.totals().to_json(), 2);
                let baseline = match &besides.vanished {
                    Some(vanished) => format!("  \"vanished\": {},\n", indented(&vanished.to_json(), 2)),
                    None => String::new(),
                };
                self.text(&format!(
                    "{head}],\n  \"errors\": {errors},\n{baseline}  \"summary\": {summary}\n}}\n"
                ));
            }
        }
    }

    /// Moves the written file to its place. Returns the error if not everything could be written, else `None`.
    pub(crate) fn finish(self) -> Option<InputError> {
        match self.failed {
            None => self.sink.finish().err(),
            failed => failed,
        }
    }

    /// Writes a string; a failure is kept in `failed`.
    fn text(&mut self, text: &str) {
        // What went wrong is kept.
        let _ = self.write_all(text.as_bytes());
    }
}

/// After something went wrong nothing more is written.
impl Write for Document {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.failed.is_none() {
            self.failed = self.sink.write(bytes).err();
        }
        match self.failed {
            None => Ok(bytes.len()),
            Some(_) => Err(io::ErrorKind::Other.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The lines that name the failures of the baseline that no longer fail.
pub(crate) fn vanished_lines(vanished: &Baseline) -> String {
    let lines = vanished.failures().map(|known| {
        format!("In the baseline, and no longer failing: {}\n", printable_in_line(&known.to_string()))
    });
    lines.collect()
}

/// The title of a page of reports: with the name of the plan where it is the only one.
fn title(name: Option<&str>) -> String {
    match name {
        Some(name) => format!("{name} · plantime check"),
        None => "plantime check".to_owned(),
    }
}

/// The Markdown of a run: with several plans or unusable inputs the verdict on all of it, then the `reports`, then what is vanished
/// from the baseline.
pub(crate) fn markdown_end(
    summary: &Summary,
    errors: &[InputError],
    vanished: &str,
    reports: String,
) -> String {
    let mut out = String::new();
    if summary.plans() != 1 || !errors.is_empty() {
        out.push_str(&summary.markdown_verdict(errors));
    }
    out.push_str(&reports);
    if !vanished.is_empty() {
        out.push_str("\n### No longer failing\n\n");
        vanished.lines().for_each(|line| out.push_str(&format!("- {}\n", markdown_text(line))));
    }
    out
}

/// The start of a SARIF document, up to the list of runs.
const SARIF_HEAD: &str =
    "{\"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\", \"version\": \"2.1.0\", \"runs\": [\n";

/// The start of a JUnit document, up to the first suite.
const JUNIT_HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"plantime\">\n";

/// The start of a JSON document, up to the list of plans.
fn head() -> String {
    format!("{{\n  \"format_version\": \"{REPORT_FORMAT_VERSION}\",\n  \"plans\": [")
}

/// The JSON on several lines, with `by` spaces before each but the first. Correct since no string in JSON contains a
/// line break.
fn indented(json: &Json, by: usize) -> String {
    printable_json(json).replace('\n', &format!("\n{:by$}", ""))
}
