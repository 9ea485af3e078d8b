//! `plantime validate`.

use std::process::ExitCode;
use std::sync::Arc;

use plantime::configuration::Configuration;
use plantime::expression::Diagnostic;
use plantime::plan::{InputError, printable};
use serde_json::{Value as Json, json};

use crate::args::Validate;
use crate::folder::{self, Folder};
use crate::{input, output};

/// Runs `plantime validate`: writes the problems of the configuration, and returns the exit status.
pub(crate) fn validate(arguments: &Validate) -> ExitCode {
    let problems = match problems(arguments) {
        Ok(problems) => problems,
        Err(errors) => {
            output::errors(&errors);
            return ExitCode::from(2);
        }
    };
    let errors = problems.iter().filter(|problem| !problem.is_warning()).count();
    let text = match arguments.format.as_str() {
        "json" => json_text(&problems, errors),
        _ => text(&problems, errors),
    };
    let written = output::write(text.as_bytes()).err();
    let status = match (&written, errors) {
        (Some(_), _) => 2,
        (None, 0) => 0,
        (None, _) => 1,
    };
    output::errors(&Vec::from_iter(written));
    ExitCode::from(status)
}

fn problems(arguments: &Validate) -> Result<Vec<Diagnostic>, Vec<InputError>> {
    let limit = arguments.max_input_size;
    let mut errors = Vec::new();
    let schemas = input::schemas(&arguments.schemas, limit, &mut errors);
    let shown = arguments.folder.display().to_string();
    if !arguments.folder.is_dir() {
        errors.push(InputError::input(shown, "no such folder"));
    } else if folder::inputs(&arguments.folder).is_empty() {
        errors.push(InputError::input(shown, "no *.tf files"));
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let files = Folder { folder: arguments.folder.clone(), limit };
    Ok(Configuration::validate(Arc::new(files), Some(&schemas)))
}

/// Each problem in a box, and the result in a line.
fn text(problems: &[Diagnostic], errors: usize) -> String {
    let mut text: String = problems.iter().map(|problem| format!("{}\n", problem.to_text())).collect();
    let warnings = problems.len().saturating_sub(errors);
    text.push_str(&match (errors, warnings) {
        (0, 0) => "The configuration is valid.\n".to_owned(),
        (0, _) => format!("The configuration is valid, with {}.\n", counted(warnings, "warning")),
        (_, 0) => format!("{}.\n", counted(errors, "error")),
        _ => format!("{}, {}.\n", counted(errors, "error"), counted(warnings, "warning")),
    });
    // The lines of the configuration may hold what moves the cursor.
    text.lines().map(|line| format!("{}\n", printable(line))).collect()
}

fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// The form of `terraform validate -json`.
fn json_text(problems: &[Diagnostic], errors: usize) -> String {
    let diagnostics: Vec<Json> = problems.iter().map(diagnostic).collect();
    let document = json!({
        "format_version": "1.0",
        "valid": errors == 0,
        "error_count": errors,
        "warning_count": problems.len().saturating_sub(errors),
        "diagnostics": diagnostics,
    });
    format!("{document:#}\n")
}

fn diagnostic(problem: &Diagnostic) -> Json {
    let (start, end, span) = (problem.position(), problem.end_position(), problem.span());
    let place = |position: plantime::plan::Position, byte: usize| json!({"line": position.line, "column": position.column, "byte": byte});
    let line_start = problem.source().text().get(..span.start).and_then(|before| before.rfind('\n'));
    let line_start = line_start.map_or(0, |at| at.saturating_add(1));
    let lines = (start.line..=end.line.max(start.line)).take(20);
    let code: Vec<&str> = lines.filter_map(|line| problem.source().line(line)).collect();
    let values: Vec<Json> = problem
        .values()
        .iter()
        .map(|value| json!({"traversal": value.reference, "statement": value.statement}))
        .collect();
    json!({
        "severity": if problem.is_warning() { "warning" } else { "error" },
        "summary": problem.summary(),
        "detail": problem.detail(),
        "range": {
            "filename": problem.source().name(),
            "start": place(start, span.start),
            "end": place(end, span.end),
        },
        "snippet": {
            "context": problem.context(),
            "code": code.join("\n"),
            "start_line": start.line,
            "highlight_start_offset": span.start.saturating_sub(line_start),
            "highlight_end_offset": span.end.saturating_sub(line_start),
            "values": values,
        },
    })
}
