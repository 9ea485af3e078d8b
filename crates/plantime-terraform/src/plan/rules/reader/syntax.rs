//! Reads the HCL of a rules file, a little more freely than HCL does, and tells more than the first error.

use hcl_edit::structure::Body;

use plantime::source::{Problem, Source};
use plantime_hcl::unstable::{block_braces, parse_body, with_small_numbers};

/// The maximum number of syntax errors reported for one file.
const MOST: usize = 20;

/// Parses a file as HCL; or returns the syntax errors: the first one, and the first in each block of the file after
/// that.
///
/// Positions in what is read are those of the file.
pub(super) fn parse_file(file: &Source) -> Result<Body, Vec<Problem>> {
    // Numbers are read from the text of the file, whatever the parser takes them for.
    let written = with_small_numbers(file.text());
    let first = match parse_body(&written) {
        Ok(body) => return Ok(body),
        Err(error) => error,
    };
    let text = with_blocks_on_their_own_lines(&written);
    let first = match parse_body(&text) {
        Ok(body) => return Ok(body),
        Err(_) if text == *written => first,
        Err(error) => error,
    };
    let mut problems = vec![syntax_problem(file, &first)];
    // What is open at the first error takes the file with it: then there are no blocks after it.
    for (start, end) in blocks_after(&text, first.0) {
        if problems.len() >= MOST {
            break;
        }
        let Some(block) = text.get(start..end) else { continue };
        if let Err((place, message)) = parse_body(block) {
            problems.push(syntax_problem(file, &(start.saturating_add(place), message)));
        }
    }
    Err(problems)
}

/// The problem for a syntax error with a message at a byte of the file.
fn syntax_problem(file: &Source, (place, message): &(usize, String)) -> Problem {
    let position = file.position(*place);
    let line = file.line(position.line).unwrap_or_default();
    let before: String = line.chars().take(position.column.saturating_sub(1)).collect();
    // What people meet first.
    let is_in_one_line = before.contains('{') && line.trim_end().ends_with('}') && !message.contains("nest");
    let hint = if is_in_one_line {
        " (on one line a block holds one argument, or blocks; each more stands on a line of its own)"
    } else {
        ""
    };
    file.problem_at(position, format!("{message}{hint}"))
}

/// The text with the spaces around blocks that stand inside a block of one line replaced by line breaks, as HCL
/// requires them: `when { attribute "engine" { equals = "x" } }`. It is as long as before, so that byte positions
/// stay valid.
fn with_blocks_on_their_own_lines(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let mut break_at = |place: Option<usize>| {
        if let Some(blank) =
            place.and_then(|place| bytes.get_mut(place)).filter(|byte| matches!(byte, b' ' | b'\t'))
        {
            *blank = b'\n';
        }
    };
    // The open blocks, and whether each has another block on its own line.
    let mut open: Vec<(usize, bool)> = Vec::new();
    for (place, opens) in block_braces(text) {
        if opens {
            if let Some((outer, has_block)) = open.last_mut() {
                let between = text.get(*outer..place).unwrap_or_default();
                *has_block = *has_block || !between.contains('\n');
            }
            open.push((place, false));
            continue;
        }
        let Some((opened, has_block)) = open.pop() else { continue };
        if has_block {
            break_at(opened.checked_add(1));
            break_at(place.checked_sub(1));
        }
        // What follows a block inside another.
        let rest = text.get(place.saturating_add(1)..).unwrap_or_default();
        let next = rest.trim_start_matches([' ', '\t']).chars().next();
        if !open.is_empty() && next.is_some_and(|next| !matches!(next, '\n' | '\r' | '#' | '/')) {
            break_at(place.checked_add(1));
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

/// The ranges of bytes of a file's top-level blocks that begin after byte `place`. Each begins with a line that
/// starts with a letter and has a brace, and reaches to the next one.
fn blocks_after(text: &str, place: usize) -> Vec<(usize, usize)> {
    let mut braces = block_braces(text).into_iter().peekable();
    let (mut starts, mut at, mut depth): (Vec<usize>, usize, usize) = (Vec::new(), 0, 0);
    for line in text.split_inclusive('\n') {
        while let Some((_, opens)) = braces.next_if(|(brace, _)| *brace < at) {
            depth = if opens { depth.saturating_add(1) } else { depth.saturating_sub(1) };
        }
        let begins_block = line.starts_with(|c: char| c.is_ascii_alphabetic()) && line.contains('{');
        if at > place && depth == 0 && begins_block {
            starts.push(at);
        }
        at = at.saturating_add(line.len());
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().copied().zip(ends).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn reads(text: &str) {
        let file = Source::new("rules.hcl", text);
        parse_file(&file).unwrap_or_else(|problems| panic!("{text}: {}", problems[0]));
    }

    #[track_caller]
    fn problems(text: &str) -> Vec<String> {
        let problems = parse_file(&Source::new("f", text)).expect_err("this is no HCL");
        problems.iter().map(|problem| problem.position().to_string()).collect()
    }

    #[test]
    fn blocks_may_stand_on_the_line_of_the_block_that_they_are_in() {
        reads("when { attribute \"a\" { equals = 1 } }\n");
        reads("any { not { x = 1 } not { y = \"}\" } }\n");
        reads("r \"a\" {\n  implies { if { x = 1 } then { y = { z = 1 } } }\n}\n");
        reads("a { b { c { x = 1 } } } # {\n");
        reads("a { b {} }");
    }

    #[test]
    fn what_is_read_stands_where_it_is_written() {
        let text = "when { attribute \"a\" { equals = 12 } }\n";
        let body = parse_file(&Source::new("f", text)).expect("it is read");
        let block = body.blocks().next().and_then(|block| block.body.blocks().next()).expect("a block");
        assert_eq!(
            hcl_edit::Span::span(block).map(|span| &text[span]),
            Some("attribute \"a\" { equals = 12 }")
        );
    }

    #[test]
    fn an_error_in_each_block_is_told() {
        let text = "a {\n  x = = 1\n}\nb {\n  y = 1\n}\nc {\n  z = [1,,2]\n}\nd { x = 1 y = 2 }\n";
        assert_eq!(problems(text), ["2:7", "8:10", "10:11"]);
    }

    #[test]
    fn what_is_not_closed_is_one_error() {
        assert_eq!(problems("a {\n  x = 1\nb {\n  y = 1\n}\n").len(), 1);
        assert_eq!(problems(&"a {\n".repeat(1000)).len(), 1);
    }

    #[test]
    fn errors_are_no_more_than_help() {
        assert_eq!(problems(&"a {\n  x = = 1\n}\n".repeat(1000)).len(), MOST);
    }
}
