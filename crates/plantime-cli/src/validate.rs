//! `plantime validate`.

use std::process::ExitCode;
use std::sync::Arc;

use plantime_hcl::Diagnostic;
use plantime_terraform::configuration::{Configuration, SensitiveOrigin, Sensitivity};
use plantime_terraform::plan::{InputError, printable};
use serde_json::{Value as Json, json};

use crate::args::Validate;
use crate::folder::{self, Folder};
use crate::{input, output};

/// Runs `plantime validate`: writes the problems of the configuration, and returns the exit status.
pub(crate) fn validate(arguments: &Validate) -> ExitCode {
    let (problems, sensitivity) = match problems(arguments) {
        Ok(found) => found,
        Err(errors) => {
            output::errors(&errors);
            return ExitCode::from(2);
        }
    };
    let errors = problems.iter().filter(|problem| !problem.is_warning()).count();
    let text = match arguments.format.as_str() {
        "json" => json_text(&problems, errors, sensitivity.as_ref()),
        _ => {
            let list = sensitivity.as_ref().map(sensitive_text).unwrap_or_default();
            format!("{}{list}", text(&problems, errors))
        }
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

/// The problems of the configuration, and what is sensitive in it, if that is wanted.
type Found = (Vec<Diagnostic>, Option<Sensitivity>);

fn problems(arguments: &Validate) -> Result<Found, Vec<InputError>> {
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
    let files = || Arc::new(Folder { folder: arguments.folder.clone(), limit });
    let sensitivity = arguments.sensitive.then(|| Configuration::sensitivity(files(), Some(&schemas)));
    Ok((Configuration::validate(files(), Some(&schemas)), sensitivity))
}

/// One line for each value that derives from a sensitive one, and for each that does not any more.
fn sensitive_text(sensitivity: &Sensitivity) -> String {
    let place =
        |place: &Option<String>| place.as_ref().map(|place| format!("  ({place})")).unwrap_or_default();
    let mut text = String::from("\nSensitive values:\n");
    for (position, value) in sensitivity.values.iter().enumerate() {
        let way = sensitivity.path(position).join(" <- ");
        let origin = sensitivity.values.get(last_position(sensitivity, position)).unwrap_or(value).origin;
        let reason = match origin {
            SensitiveOrigin::Variable => "sensitive variable",
            SensitiveOrigin::Output => "sensitive output",
            SensitiveOrigin::Schema => "sensitive in its schema",
            _ => "made sensitive by its expression",
        };
        text.push_str(&format!("  {way}: {reason}{}\n", place(&value.place)));
    }
    if sensitivity.values.is_empty() {
        text.push_str("  none\n");
    }
    if !sensitivity.ends.is_empty() {
        text.push_str("\nMade of sensitive values, but not sensitive:\n");
    }
    for end in &sensitivity.ends {
        let way = sensitivity.path(end.of).join(" <- ");
        let reason =
            if end.is_by_nonsensitive { "calls nonsensitive" } else { "has nothing of it in its value" };
        text.push_str(&format!("  {} <- {way}: {reason}{}\n", end.name, place(&end.place)));
    }
    text.lines().map(|line| format!("{}\n", printable(line))).collect()
}

/// The position of the value that a value derives from in the end.
fn last_position(sensitivity: &Sensitivity, position: usize) -> usize {
    let mut last = position;
    for _ in 0..sensitivity.values.len() {
        match sensitivity.values.get(last).and_then(|value| value.via) {
            Some(via) => last = via,
            None => break,
        }
    }
    last
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
fn json_text(problems: &[Diagnostic], errors: usize, sensitivity: Option<&Sensitivity>) -> String {
    let diagnostics: Vec<Json> = problems.iter().map(diagnostic).collect();
    let mut document = json!({
        "format_version": "1.0",
        "valid": errors == 0,
        "error_count": errors,
        "warning_count": problems.len().saturating_sub(errors),
        "diagnostics": diagnostics,
    });
    if let (Some(sensitivity), Some(object)) = (sensitivity, document.as_object_mut()) {
        let values = sensitivity.values.iter().enumerate().map(
            |(position, value)| json!({"name": value.name, "place": value.place, "path": sensitivity.path(position)}),
        );
        let ends = sensitivity.ends.iter().map(|end| {
            json!({"name": end.name, "place": end.place, "path": sensitivity.path(end.of), "nonsensitive": end.is_by_nonsensitive})
        });
        object.insert("sensitive".to_owned(), values.collect());
        object.insert("sensitive_ends".to_owned(), ends.collect());
    }
    format!("{document:#}\n")
}

/// The beginning of a line of the source: many problems in one long line would otherwise take its square.
fn beginning(line: &str) -> &str {
    /// The maximum number of bytes that the JSON form shows.
    const SHOWN: usize = 500;
    let end = (0..=SHOWN.min(line.len())).rev().find(|at| line.is_char_boundary(*at));
    line.get(..end.unwrap_or_default()).unwrap_or_default()
}

fn diagnostic(problem: &Diagnostic) -> Json {
    if problem.is_global() {
        let severity = if problem.is_warning() { "warning" } else { "error" };
        return json!({"severity": severity, "summary": problem.summary(), "detail": problem.detail()});
    }
    let (start, end, span) = (problem.position(), problem.end_position(), problem.span());
    let place = |position: plantime::source::Position, byte: usize| json!({"line": position.line, "column": position.column, "byte": byte});
    let line_start = problem.source().text().get(..span.start).and_then(|before| before.rfind('\n'));
    let line_start = line_start.map_or(0, |at| at.saturating_add(1));
    let lines = (start.line..=end.line.max(start.line)).take(20);
    let code: Vec<&str> = lines.filter_map(|line| problem.source().line(line)).map(beginning).collect();
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
