//! What a check writes, part by part as plans are done.

use std::io::{self, BufWriter, Write};

use plantime::plan::{DiagnosticStyle, InputError, PlanReport, REPORT_FORMAT_VERSION, Summary, TextStyle};
use serde_json::Value as Json;

use crate::args::{Check, Format};
use crate::bundle;
use crate::output::{self, Sink};
use crate::snippets;

/// How reports are written.
#[derive(Clone, Copy)]
pub(crate) struct Form {
    format: Format,
    style: TextStyle,
    is_quiet: bool,
}

impl Form {
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
        Form { format: arguments.format, style, is_quiet: arguments.quiet }
    }

    /// What stands before the report of the bundled plan.
    pub(crate) fn introduction(self) -> String {
        match self.format {
            Format::Text if !self.is_quiet => bundle::INTRODUCTION.to_owned(),
            Format::Text | Format::Json => String::new(),
        }
    }

    /// The part of one plan.
    pub(crate) fn part(self, report: &PlanReport) -> String {
        let mut part = Vec::new();
        match self.write(report, &mut part) {
            Ok(()) => String::from_utf8(part).unwrap_or_default(),
            Err(_) => String::new(),
        }
    }

    fn write(self, report: &PlanReport, writer: &mut impl Write) -> io::Result<()> {
        match self.format {
            Format::Text => {
                report.write_text(&mut *writer, self.style)?;
                writer.write_all(b"\n")
            }
            Format::Json => report.write_json(writer, 2),
        }
    }
}

/// The document so far.
pub(crate) struct Document {
    form: Form,
    sink: Sink,
    parts: usize,
    failed: Option<InputError>,
}

impl Document {
    pub(crate) fn new(form: Form, sink: Sink) -> Document {
        Document { form, sink, parts: 0, failed: None }
    }

    pub(crate) fn part(&mut self, part: &str) {
        self.begin_part();
        self.text(part);
    }

    /// The part of a plan, as it is made: that of a large plan is larger than the plan.
    pub(crate) fn report(&mut self, introduction: &str, report: &PlanReport) {
        self.begin_part();
        self.text(introduction);
        let form = self.form;
        let mut writer = BufWriter::with_capacity(1 << 16, self);
        // What went wrong is kept by the document.
        let _ = form.write(report, &mut writer).and_then(|()| writer.flush());
    }

    fn begin_part(&mut self) {
        match self.form.format {
            Format::Text => {}
            Format::Json if self.parts == 0 => self.text(&format!("{}\n    ", head())),
            Format::Json => self.text(",\n    "),
        }
        self.parts = self.parts.saturating_add(1);
    }

    /// The end of the document; in a text, with lines about what else there is.
    pub(crate) fn end(&mut self, summary: &Summary, errors: &[InputError], seconds: f64, besides: &str) {
        match self.form.format {
            Format::Text if self.parts == 0 => {}
            Format::Text if self.form.is_quiet => {
                let text = summary.text(seconds);
                let totals = text.lines().next().unwrap_or_default();
                self.text(&format!("{totals}\n"));
            }
            Format::Text => self.text(&(summary.text(seconds) + besides)),
            Format::Json => {
                let head = if self.parts == 0 { head() } else { "\n  ".to_owned() };
                let errors = indented(&errors.iter().map(InputError::to_json).collect(), 2);
                let summary = indented(&summary.totals().to_json(), 2);
                self.text(&format!("{head}],\n  \"errors\": {errors},\n  \"summary\": {summary}\n}}\n"));
            }
        }
    }

    /// Puts it in its place; why not all of it could be written.
    pub(crate) fn finish(self) -> Option<InputError> {
        match self.failed {
            None => self.sink.finish().err(),
            failed => failed,
        }
    }

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

fn head() -> String {
    format!("{{\n  \"format_version\": \"{REPORT_FORMAT_VERSION}\",\n  \"plans\": [")
}

/// No text in JSON has a line break in it.
fn indented(json: &Json, by: usize) -> String {
    format!("{json:#}").replace('\n', &format!("\n{:by$}", ""))
}
