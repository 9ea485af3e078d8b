//! Draws a message as compilers do: the source line, and a pointer to the place in it.

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use plantime::rule::Severity;
use plantime::source::Source;
use plantime_terraform::plan::{Colour, Message, printable, printable_in_line};

/// The message as text: its title, the line of the rules file that it is about with a pointer to the place, its
/// values and details.
pub(crate) fn draw(message: &Message, rules: &Source, colour: Colour) -> String {
    let level = match message.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let values: Vec<String> = message.values.iter().map(|value| printable_in_line(value)).collect();
    // No line of a message begins as a line of the report does.
    let detail = |detail: &String| printable(detail).replace('\n', "\n│ ");
    let details: Vec<String> = message.details.iter().map(detail).collect();
    let mut group: Group<'_> = Group::with_title(level.primary_title(printable_in_line(&message.summary)));
    if let Some(position) = message.position {
        let rules = rules.file(position);
        let line = rules.line(position.line).unwrap_or_default();
        let (before, rest) = split(line, position.column.saturating_sub(1));
        let (before, line) = (printable(before), printable(line));
        // The word that stands there: the keyword of the test.
        let word = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').map(char::len_utf8).sum();
        let start = before.len().min(line.len());
        let end = start.saturating_add(word).min(line.len());
        let label = match &message.rule {
            Some(rule) => printable_in_line(&format!("in rule \"{rule}\"")),
            None => String::new(),
        };
        let annotation = AnnotationKind::Primary.span(start..end);
        let annotation = if label.is_empty() { annotation } else { annotation.label(label) };
        let snippet = Snippet::source(line).line_start(position.line).path(printable_in_line(rules.name()));
        group = group.element(snippet.annotation(annotation));
    }
    let written =
        message.source_line.as_ref().and_then(|written| Some((written, printable(written.text.as_deref()?))));
    if let Some((written, text)) = &written {
        let (start, end) = (text.len().saturating_sub(text.trim_start().len()), text.trim_end().len());
        let annotation = AnnotationKind::Context.span(start..end.max(start)).label("written here");
        let snippet =
            Snippet::source(text.as_str()).line_start(written.line).path(printable_in_line(&written.file));
        group = group.element(snippet.annotation(annotation));
    }
    let group = values.into_iter().fold(group, |group, value| group.element(Level::NOTE.message(value)));
    let group =
        details.into_iter().fold(group, |group, detail| group.element(Level::HELP.no_name().message(detail)));
    let renderer = match colour {
        Colour::Never => Renderer::plain(),
        Colour::Always => Renderer::styled(),
    };
    renderer.decor_style(DecorStyle::Unicode).render(&[group]) + "\n"
}

/// Splits a line at a column, counted in code points from 0: the part before it and the rest.
fn split(line: &str, column: usize) -> (&str, &str) {
    let at = line.char_indices().nth(column).map_or(line.len(), |(at, _)| at);
    line.split_at_checked(at).unwrap_or((line, ""))
}
