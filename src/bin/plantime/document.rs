//! What a check writes, part by part as plans are done.

use plantime::plan::{Colour, Look, REPORT_FORMAT_VERSION, Report, Summary, Unusable};
use serde_json::Value as Json;

use crate::args::{Check, Format};
use crate::bundle;
use crate::output::{self, Sink};

/// How reports are written.
#[derive(Clone, Copy)]
pub(crate) struct Form {
    format: Format,
    colour: Colour,
    look: Look,
}

impl Form {
    pub(crate) fn of(arguments: &Check) -> Form {
        let look = if arguments.diagnostics == "snippets" { Look::Snippets } else { Look::Boxes };
        Form { format: arguments.format, colour: output::colour(&arguments.output), look }
    }

    /// What stands before the report of the bundled plan.
    pub(crate) fn introduction(self) -> String {
        match self.format {
            Format::Text => bundle::INTRODUCTION.to_owned(),
            Format::Json => String::new(),
        }
    }

    pub(crate) fn part(self, report: &Report) -> String {
        match self.format {
            Format::Text => report.text_as(self.colour, self.look) + "\n",
            Format::Json => indented(&report.to_json(), 4),
        }
    }
}

/// The document so far.
pub(crate) struct Document {
    format: Format,
    sink: Sink,
    parts: usize,
    failed: Option<Unusable>,
}

impl Document {
    pub(crate) fn new(form: Form, sink: Sink) -> Document {
        Document { format: form.format, sink, parts: 0, failed: None }
    }

    pub(crate) fn part(&mut self, part: &str) {
        match self.format {
            Format::Text => self.write(part),
            Format::Json if self.parts == 0 => self.write(&format!("{}\n    {part}", head())),
            Format::Json => self.write(&format!(",\n    {part}")),
        }
        self.parts = self.parts.saturating_add(1);
    }

    /// The end of the document; in a text, with a line about what was written besides.
    pub(crate) fn end(
        &mut self,
        summary: &Summary,
        errors: &[Unusable],
        seconds: f64,
        besides: Option<&str>,
    ) {
        match self.format {
            Format::Text if self.parts == 0 => {}
            Format::Text => self.write(&(summary.text(seconds) + besides.unwrap_or_default())),
            Format::Json => {
                let head = if self.parts == 0 { head() } else { "\n  ".to_owned() };
                let errors = indented(&errors.iter().map(Unusable::to_json).collect(), 2);
                let summary = indented(&summary.totals().to_json(), 2);
                self.write(&format!("{head}],\n  \"errors\": {errors},\n  \"summary\": {summary}\n}}\n"));
            }
        }
    }

    /// Puts it in its place; why not all of it could be written.
    pub(crate) fn finish(self) -> Option<Unusable> {
        match self.failed {
            None => self.sink.finish().err(),
            failed => failed,
        }
    }

    fn write(&mut self, text: &str) {
        if self.failed.is_none() {
            self.failed = self.sink.write(text).err();
        }
    }
}

fn head() -> String {
    format!("{{\n  \"format_version\": \"{REPORT_FORMAT_VERSION}\",\n  \"plans\": [")
}

/// No text in JSON has a line break in it.
fn indented(json: &Json, by: usize) -> String {
    format!("{json:#}").replace('\n', &format!("\n{:by$}", ""))
}
