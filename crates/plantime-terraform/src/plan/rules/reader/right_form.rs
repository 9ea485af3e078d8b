//! The nearest right form of a line that is no HCL: the first of a few small changes after which it is.

use plantime::source::Source;
use plantime_hcl::Diagnostic;
use plantime_hcl::unstable::{Problems, parse_body};

use super::FREEDOM;

/// The maximum number of bytes of a block in which a change is tried: each change reads the block once.
const BLOCK: usize = 1 << 14;

/// The right form of the lines that a problem is about, if a small change makes the block around it right, or at least moves the first
/// problem behind these lines.
pub(super) fn right_form(file: &Source, problem: &Diagnostic) -> Option<String> {
    // The mistake is elsewhere, or no other form of it is right.
    if problem.summary().starts_with("Unclosed") || problem.detail().starts_with("a number has at most") {
        return None;
    }
    let text = file.text();
    let place = problem.span().start.min(text.len());
    let (start, end) = block_around(text, place);
    let block = text.get(start..end).filter(|block| block.len() <= BLOCK)?;
    let at = place.saturating_sub(start);
    let line_start = block.get(..at)?.rfind('\n').map_or(0, |at| at.saturating_add(1));
    let rest = block.get(line_start..)?;
    let line = rest.get(..rest.find('\n').unwrap_or(rest.len()))?.trim_end_matches('\r');
    let column = at.saturating_sub(line_start).min(line.len());
    let width = problem.span().len().min(line.len().saturating_sub(column));
    let before = first_problem(block)?;
    candidates(line, column, width).into_iter().find_map(|candidate| {
        if candidate == line {
            return None;
        }
        let changed = format!(
            "{}{candidate}{}",
            block.get(..line_start)?,
            block.get(line_start.saturating_add(line.len())..)?
        );
        let is_better = match first_problem(&changed) {
            None => true,
            // The same lines must be right.
            Some(first) => first > before && first > line_start.saturating_add(candidate.len()),
        };
        is_better.then(|| candidate.lines().map(str::trim).collect::<Vec<_>>().join(" ⏎ "))
    })
}

/// Where the first problem of a text is; `None` if it has none.
fn first_problem(text: &str) -> Option<usize> {
    let mut problems = Problems::default();
    parse_body(&Source::new("", text), FREEDOM, &mut problems);
    problems.iter().map(|problem| problem.span().start).min()
}

/// The bytes of the outermost block that a place is in: from one line that begins with the kind of such a block to the next.
fn block_around(text: &str, place: usize) -> (usize, usize) {
    let begins =
        |line: &str| ["assume ", "rule ", "skip ", "locals"].iter().any(|kind| line.starts_with(kind));
    let (mut start, mut at) = (0_usize, 0_usize);
    for line in text.split_inclusive('\n') {
        if begins(line) && at <= place {
            start = at;
        } else if begins(line) && at > place {
            return (start, at);
        }
        at = at.saturating_add(line.len());
    }
    (start, text.len())
}

/// What the author of a line may have meant, what is meant most often first. `column` and `width` are the place of the problem.
fn candidates(line: &str, column: usize, width: usize) -> Vec<String> {
    let mut found = Vec::new();
    let trimmed = line.trim_end();
    let content = trimmed.trim_start();
    let indent = trimmed.get(..trimmed.len().saturating_sub(content.len())).unwrap_or_default();
    // A value is missing.
    if let Some(name) = trimmed.strip_suffix('=') {
        found.push(format!("{name}= \"…\""));
    }
    // Quotes of another kind, or one alone.
    found.push(line.replace(['“', '”', '„', '‘', '’', '\'', '`'], "\""));
    if let Some((before, word)) = trimmed.strip_suffix('"').and_then(|before| before.rsplit_once(' ')) {
        found.push(format!("{before} \"{word}\""));
    }
    // What ends a line or separates in other languages.
    found.extend([',', ';'].map(|end| trimmed.trim_end_matches(end).trim_end().to_owned()));
    for (wrong, right) in [
        ("==", "="),
        (":=", "="),
        ("=>", "="),
        (": ", " = "),
        (":", " = "),
        ("= =", "="),
        (";", ","),
        (",,", ","),
    ] {
        found.push(line.replacen(wrong, right, 1));
    }
    if let Some((name, rest)) = content.split_once(' ').filter(|_| !content.contains('=')) {
        found.push(format!("{indent}{name} = {rest}"));
    }
    found.extend(block_over_lines(trimmed, indent));
    if let (Some(before), Some(after)) = (line.get(..column), line.get(column..)) {
        // Each argument on a line of its own.
        found.push(format!("{}\n{indent}{after}", before.trim_end()));
        // Something is missing at the place, or too much, or it is a text.
        found.extend([", ", "= ", "\""].map(|missing| format!("{before}{missing}{after}")));
        found.push(format!("{before}{}", line.get(column.saturating_add(width)..).unwrap_or_default()));
        let ends = |c: char| c.is_whitespace() || matches!(c, ',' | ']' | '}' | ')');
        if let Some((word, rest)) = after.split_at_checked(after.find(ends).unwrap_or(after.len())) {
            found.push(format!("{before}\"{word}\"{rest}"));
        }
    }
    // The end is missing.
    for closing in ["\"", "]", "}", ")", "\"]", " {"] {
        found.push(format!("{trimmed}{closing}"));
        found.extend(trimmed.strip_suffix('}').map(|inner| format!("{}{closing} }}", inner.trim_end())));
    }
    found
}

/// A block of several arguments on one line, as `{ a = 1 b = 2 }` or `{ a = 1, b = 2 }`, over several lines.
fn block_over_lines(line: &str, indent: &str) -> Option<String> {
    let (head, rest) = line.split_once('{').filter(|(head, _)| !head.contains('='))?;
    let words: Vec<&str> = rest.strip_suffix('}')?.split_inclusive([' ', ',']).collect();
    let mut lines = vec![String::new()];
    for (at, word) in words.iter().enumerate() {
        let begins = words.get(at.saturating_add(1)).is_some_and(|next| next.trim() == "=");
        if begins && lines.last().is_some_and(|line| !line.trim().is_empty()) {
            lines.push(String::new());
        }
        lines.last_mut()?.push_str(word);
    }
    let lines = lines.iter().map(|line| format!("\n{indent}  {}", line.trim().trim_end_matches(',')));
    Some(format!("{head}{{{}\n{indent}}}", lines.collect::<String>()))
}
