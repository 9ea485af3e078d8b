//! `plantime validate`.

use std::process::ExitCode;
use std::sync::Arc;

use plantime_hcl::Diagnostic;
use plantime_terraform::configuration::{Configuration, SensitiveOrigin, SensitiveValue, Sensitivity};
use plantime_terraform::plan::{InputError, printable, printable_in_line, printable_json};
use serde_json::{Value as Json, json};

use crate::args::Validate;
use crate::folder::{self, Folder};
use crate::{input, output};

/// Runs `plantime validate`: writes the problems of the configuration, and returns the exit status.
pub(crate) fn validate(arguments: &Validate) -> ExitCode {
    let Found { problems, sensitivity, not_checked } = match problems(arguments) {
        Ok(found) => found,
        Err(errors) => {
            output::errors(&errors);
            return ExitCode::from(2);
        }
    };
    let errors = problems.iter().filter(|problem| !problem.is_warning()).count();
    let text = match arguments.format.as_str() {
        "json" => json_text(&problems, errors, &not_checked, sensitivity.as_ref()),
        _ => {
            let list = sensitivity.as_ref().map(sensitive_text).unwrap_or_default();
            format!("{}{list}", text(&problems, errors, &not_checked))
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

/// What is found in a configuration.
struct Found {
    problems: Vec<Diagnostic>,
    /// What is sensitive in it, if that is wanted.
    sensitivity: Option<Sensitivity>,
    /// The resources whose arguments were not checked.
    not_checked: Vec<String>,
}

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
    let not_checked = Configuration::not_checked(files(), Some(&schemas));
    Ok(Found { problems: Configuration::validate(files(), Some(&schemas)), sensitivity, not_checked })
}

/// The maximum number of names that begin the way from a value to what it derives from in the end: the ways of a chain of
/// values are as long as the chain.
const BEGINNING: usize = 10;

/// The ways from sensitive values to those that they derive from in the end.
struct Ways<'s> {
    of: &'s Sensitivity,
    /// For each value, the position of the last value of its way, and the number of values on it.
    ends: Vec<(usize, usize)>,
}

impl<'s> Ways<'s> {
    /// The ways of all values, in time in proportion to their number.
    fn new(of: &'s Sensitivity) -> Ways<'s> {
        let mut ends: Vec<Option<(usize, usize)>> = vec![None; of.values.len()];
        for start in 0..of.values.len() {
            let (mut pending, mut next) = (Vec::new(), Some(start));
            // What is followed again has no end: the way ends there.
            let mut known = None;
            while let Some(position) = next {
                let Some(end) = ends.get_mut(position) else { break };
                if end.is_some() {
                    known = *end;
                    break;
                }
                *end = Some((position, 1));
                pending.push(position);
                next = of.values.get(position).and_then(|value| value.via);
            }
            let last = pending.last().copied().unwrap_or(start);
            let (last, mut length) = known.filter(|(end, _)| *end != start).unwrap_or((last, 0));
            for position in pending.into_iter().rev() {
                length = length.saturating_add(1);
                if let Some(end) = ends.get_mut(position) {
                    *end = Some((last, length));
                }
            }
        }
        Ways { of, ends: ends.into_iter().map(Option::unwrap_or_default).collect() }
    }

    /// The value that a value derives from in the end.
    fn last(&self, position: usize) -> Option<&'s SensitiveValue> {
        self.of.values.get(self.ends.get(position)?.0)
    }

    /// The first names of the way from a value, the number of names that are left out, and the last name.
    fn names(&self, position: usize) -> (Vec<&'s str>, usize) {
        let (last, length) = self.ends.get(position).copied().unwrap_or_default();
        let (mut names, mut next) = (Vec::new(), Some(position));
        let shown = if length <= BEGINNING.saturating_add(2) { length } else { BEGINNING };
        while let Some(value) = next.and_then(|position| self.of.values.get(position))
            && names.len() < shown
        {
            names.push(value.name.as_str());
            next = value.via;
        }
        let omitted = length.saturating_sub(shown).saturating_sub(1);
        if shown < length {
            names.extend(self.of.values.get(last).map(|value| value.name.as_str()));
        }
        (names, omitted)
    }

    /// The way from a value as text.
    fn text(&self, position: usize) -> String {
        let (mut names, omitted) = self.names(position);
        let more = format!("({omitted} more)");
        if omitted > 0 {
            names.insert(names.len().saturating_sub(1), &more);
        }
        names.join(" <- ")
    }
}

/// One line for each value that derives from a sensitive one, and for each that does not any more.
fn sensitive_text(sensitivity: &Sensitivity) -> String {
    let place =
        |place: &Option<String>| place.as_ref().map(|place| format!("  ({place})")).unwrap_or_default();
    let ways = Ways::new(sensitivity);
    let mut lines = vec![String::new(), "Sensitive values:".to_owned()];
    for (position, value) in sensitivity.values.iter().enumerate() {
        let reason = match ways.last(position).unwrap_or(value).origin {
            SensitiveOrigin::Variable => "sensitive variable",
            SensitiveOrigin::Output => "sensitive output",
            SensitiveOrigin::Schema => "sensitive in its schema",
            _ => "made sensitive by its expression",
        };
        lines.push(format!("  {}: {reason}{}", ways.text(position), place(&value.place)));
    }
    if sensitivity.values.is_empty() {
        lines.push("  none".to_owned());
    }
    if !sensitivity.ends.is_empty() {
        lines.extend([String::new(), "Made of sensitive values, but not sensitive:".to_owned()]);
    }
    for end in &sensitivity.ends {
        let reason =
            if end.is_by_nonsensitive { "calls nonsensitive" } else { "has nothing of it in its value" };
        lines.push(format!("  {} <- {}: {reason}{}", end.name, ways.text(end.of), place(&end.place)));
    }
    lines.iter().map(|line| printable_in_line(line) + "\n").collect()
}

/// Each problem in a box, and the result in a line.
fn text(problems: &[Diagnostic], errors: usize, not_checked: &[String]) -> String {
    let mut text: String = problems.iter().map(|problem| format!("{}\n", problem.to_text())).collect();
    let warnings = problems.len().saturating_sub(errors);
    let so_far = if not_checked.is_empty() { "" } else { ", as far as it was checked" };
    text.push_str(&match (errors, warnings) {
        (0, 0) => format!("The configuration is valid{so_far}.\n"),
        (0, _) => format!("The configuration is valid{so_far}, with {}.\n", counted(warnings, "warning")),
        (_, 0) => format!("{}.\n", counted(errors, "error")),
        _ => format!("{}, {}.\n", counted(errors, "error"), counted(warnings, "warning")),
    });
    if !not_checked.is_empty() {
        text.push_str(&format!(
            "Not checked are the arguments of {}, whose providers have no schemas here (--schemas): {}.\n",
            counted(not_checked.len(), "resource"),
            not_checked.join(", "),
        ));
    }
    // The lines of the configuration may hold what moves the cursor.
    text.lines().map(|line| format!("{}\n", printable(line))).collect()
}

fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// The form of `terraform validate -json`, with the resources whose arguments were not checked.
fn json_text(
    problems: &[Diagnostic],
    errors: usize,
    not_checked: &[String],
    sensitivity: Option<&Sensitivity>,
) -> String {
    let diagnostics: Vec<Json> = problems.iter().map(diagnostic).collect();
    let mut document = json!({
        "format_version": "1.0",
        "valid": errors == 0,
        "error_count": errors,
        "warning_count": problems.len().saturating_sub(errors),
        "diagnostics": diagnostics,
        "not_checked": not_checked,
    });
    if let (Some(sensitivity), Some(object)) = (sensitivity, document.as_object_mut()) {
        let ways = Ways::new(sensitivity);
        let with_way = |mut json: Json, position: usize| {
            let (names, omitted) = ways.names(position);
            if let Some(object) = json.as_object_mut() {
                object.insert("path".to_owned(), json!(names));
                // Before the last name.
                if omitted > 0 {
                    object.insert("omitted".to_owned(), omitted.into());
                }
            }
            json
        };
        let values =
            sensitivity.values.iter().enumerate().map(|(position, value)| {
                with_way(json!({"name": value.name, "place": value.place}), position)
            });
        let ends = sensitivity.ends.iter().map(|end| {
            let json = json!({"name": end.name, "place": end.place, "nonsensitive": end.is_by_nonsensitive});
            with_way(json, end.of)
        });
        object.insert("sensitive".to_owned(), values.collect());
        object.insert("sensitive_ends".to_owned(), ends.collect());
    }
    printable_json(&document) + "\n"
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
