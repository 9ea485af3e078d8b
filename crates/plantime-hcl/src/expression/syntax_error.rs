//! Syntax errors in the words of Terraform.

use plantime::source::Source;

use super::diagnostic::Diagnostic;
use super::template_error::{sequence_at, template_error};

/// The problem for a syntax error that hcl-edit reports at a byte of a source, with the summary that Terraform gives where the
/// message tells which error it is, else `Invalid expression`.
///
/// ```
/// use plantime_hcl::syntax_error;
/// use plantime::source::Source;
///
/// let text = "name = 'web'";
/// let error = hcl_edit::parser::parse_body(text).unwrap_err();
/// let problem = syntax_error(&Source::new("main.tf", text), error.location().offset(), error.message());
/// assert_eq!(problem.summary(), "Invalid character");
/// ```
pub fn syntax_error(source: &Source, place: usize, message: &str) -> Diagnostic {
    // The parser tries a block, an attribute, an expression: of an error in a template it knows the beginning of one of these.
    let is_vague = [
        "block body",
        "expression",
        "template",
        "%{",
        "endif",
        "endfor",
        "string",
        "heredoc",
        "expected `}`",
        "expected `]`",
    ];
    if is_vague.iter().any(|word| message.contains(word))
        && let Some(problem) = template_error(source)
        && problem.span().end >= place
    {
        return problem;
    }
    if let Some(problem) = error_in_sequence(source, place, message) {
        return problem;
    }
    let rest = source.text().get(place..).unwrap_or_default();
    let before = source.text().get(..place).unwrap_or_default();
    let next = rest.chars().next();
    let mut span = place..place.saturating_add(next.map_or(0, char::len_utf8));
    let is_json = source.name().ends_with(".json");
    if let Some((at, summary, detail)) = foreign_character(source, place, message).filter(|_| !is_json) {
        let length = source.text().get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        return Diagnostic::new(source, at..at.saturating_add(length), summary, detail);
    }
    let (summary, detail): (&str, String) = if is_json
        && next == Some('}')
        && before.trim_end().ends_with(',')
    {
        (
            "Trailing comma in object",
            "JSON does not permit a trailing comma after the final property in an object.".to_owned(),
        )
    } else if next == Some('\'') || message.contains("expression") && before.ends_with('\'') {
        (
            "Invalid character",
            "Single quotes are not valid. Use double quotes (\") to enclose strings.".to_owned(),
        )
    } else if message.contains("invalid escape sequence") {
        let escape = before.rfind('\\').unwrap_or(place);
        let symbol = source.text().get(escape..).and_then(|rest| rest.chars().nth(1)).unwrap_or_default();
        span = escape..escape.saturating_add(1).saturating_add(symbol.len_utf8());
        (
            "Invalid escape sequence",
            format!("The symbol \"{symbol}\" is not a valid escape sequence selector."),
        )
    } else if message.contains("nesting depth") || message.contains("chained binary") {
        ("Expression too complex", format!("{}.", capitalized(message)))
    } else if message.contains("expected `:`") {
        (
            "Missing false expression in conditional",
            "The conditional operator (...?...:...) requires a false expression, delimited by a colon."
                .to_owned(),
        )
    } else if message.contains("expected `]`") && (rest.starts_with("...") || before.ends_with("..")) {
        (
            "Invalid 'for' expression",
            "Grouping ellipsis (...) cannot be used when building a tuple.".to_owned(),
        )
    } else if message.contains("expected `]`") {
        ("Missing item separator", "Expected a comma to mark the beginning of the next item.".to_owned())
    } else if message.contains("object item") || message.contains("object value assignment") {
        (
            "Missing attribute separator",
            "Expected a newline or comma to mark the beginning of the next attribute.".to_owned(),
        )
    } else if message.contains("endif")
        || message.contains("endfor")
        || rest.is_empty() && message.contains("%{")
    {
        ("Unexpected end of template", "A directive is missing its corresponding end directive.".to_owned())
    } else if message.contains("invalid attribute; expected `=`")
        || message.contains("invalid structure; expected `{`, `=`")
    {
        (
            "Argument or block definition required",
            "An argument or block definition is required here. To set an argument, use the equals sign \"=\" to introduce the \
             argument value."
                .to_owned(),
        )
    } else if message.contains("heredoc end delimiter") {
        span = source.text().len()..source.text().len();
        ("Unterminated template string", "No closing marker was found for the string.".to_owned())
    } else if message.contains("expected newline or eof") {
        ("Missing newline after argument", "An argument definition must end with a newline.".to_owned())
    } else if message.contains("invalid block body") {
        let line = before.rsplit('\n').next().unwrap_or_default();
        match line.contains('{') && !line.trim_end().ends_with('{') {
            true => (
                "Invalid single-argument block definition",
                "An argument definition on the same line as its containing block creates a single-line block definition, which \
                 must also be closed on the same line. Place the block's closing brace immediately after the argument \
                 definition."
                    .to_owned(),
            ),
            // In a line of its own: a block in one line is read otherwise.
            false if line.trim().is_empty() && is_quoted_name(rest) => {
                ("Invalid argument name", "Argument names must not be quoted.".to_owned())
            }
            false => (
                "Argument or block definition required",
                "An argument or block definition is required here.".to_owned(),
            ),
        }
    } else if message.contains("invalid expression") {
        (
            "Invalid expression",
            "Expected the start of an expression, but found an invalid expression token.".to_owned(),
        )
    } else {
        ("Invalid expression", format!("{}.", capitalized(message)))
    };
    Diagnostic::new(source, span, summary, detail)
}

/// The character that the language does not have at the place of an error, or in the line that is no argument, with the summary
/// and the detail.
fn foreign_character(source: &Source, place: usize, message: &str) -> Option<(usize, &'static str, String)> {
    let text = source.text();
    let rest = text.get(place..)?;
    let line = rest.split('\n').next().unwrap_or_default();
    // An argument that cannot be read is reported where it begins.
    let is_whole = message.contains("invalid block body");
    let at = match is_whole {
        true => {
            let mut in_quotes = false;
            let mut before = ' ';
            let mut found = None;
            for (at, c) in line.char_indices() {
                in_quotes ^= c == '"' && before != '\\';
                let next = line.get(at..).and_then(|rest| rest.chars().nth(1));
                if !in_quotes && matches!(c, '&' | '|') && before != c && next != Some(c) {
                    found = Some(at);
                    break;
                }
                before = c;
            }
            place.saturating_add(found?)
        }
        false => place.saturating_add(line.len().saturating_sub(line.trim_start().len())),
    };
    let mut following = text.get(at..)?.chars();
    let (found, next) = (following.next()?, following.next());
    let is_expected = message.contains("invalid expression") || message.contains("expected newline");
    let operator =
        |hint: &str| ("Unsupported operator", format!("Bitwise operators are not supported.{hint}"));
    let (summary, detail) = match found {
        '&' if next != Some('&') => operator(" Did you mean boolean AND (\"&&\")?"),
        '|' if next != Some('|') => operator(" Did you mean boolean OR (\"||\")?"),
        _ if !is_expected => return None,
        '~' => operator(" Did you mean boolean NOT (\"!\")?"),
        '^' => operator(""),
        '`' => (
            "Invalid character",
            "The \"`\" character is not valid. To create a multi-line string, use the \"heredoc\" syntax, like \"<<EOT\"."
                .to_owned(),
        ),
        ';' => (
            "Invalid character",
            "The \";\" character is not valid. Use newlines to separate arguments and blocks, and commas to separate items in \
             collection values."
                .to_owned(),
        ),
        // What follows the marker of a heredoc is no expression: that is the error, as it comes first.
        '\\' if ends_with_heredoc_marker(text.get(..at).unwrap_or_default()) => return None,
        '@' | '$' | '\\' => ("Invalid character", "This character is not used within the language.".to_owned()),
        ',' if message.contains("expected newline") => (
            "Unexpected comma after argument",
            "Argument definitions must be separated by newlines, not commas. An argument definition must end with a newline."
                .to_owned(),
        ),
        _ => return None,
    };
    Some((at, summary, detail))
}

/// Whether a text ends with the marker that begins a heredoc: `<<EOT`, `<<-EOT`.
fn ends_with_heredoc_marker(text: &str) -> bool {
    let before = text.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_');
    before.len() < text.len() && (before.ends_with("<<") || before.ends_with("<<-"))
}

/// Whether a text begins with a name in quotes and an equals sign: `"name" = …`.
fn is_quoted_name(text: &str) -> bool {
    let name = text.strip_prefix('"').and_then(|rest| rest.split_once('"'));
    name.is_some_and(|(name, rest)| {
        !name.contains('\n') && rest.trim_start().strip_prefix('=').is_some_and(|rest| !rest.starts_with('='))
    })
}

/// The problem for an error inside `${…}` or `%{…}`, or in the head of a `for`.
fn error_in_sequence(source: &Source, place: usize, message: &str) -> Option<Diagnostic> {
    let rest = source.text().get(place..)?;
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let word = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    let first = rest.chars().next().map_or(0, char::len_utf8);
    let span = place..place.saturating_add(word.max(first));
    if message.contains("expected `in`") {
        let (summary, detail) = match sequence_at(source, place) {
            Some(Some("for")) => {
                ("Invalid 'for' directive", "For directive requires 'in' keyword after names.")
            }
            _ => (
                "Invalid 'for' expression",
                "For expression requires the 'in' keyword after its name declarations.",
            ),
        };
        return Some(Diagnostic::new(source, span, summary, detail));
    }
    if !message.contains("expected `}`") {
        return None;
    }
    let (summary, detail) = match sequence_at(source, place)? {
        Some(keyword) => (
            format!("Extra characters in {keyword} marker"),
            "Expected a closing brace to end the sequence, but found extra characters.",
        ),
        None => (
            "Extra characters after interpolation expression".to_owned(),
            "Expected a closing brace to end the interpolation expression, but found extra characters.\n\nThis can happen when \
             you include interpolation syntax for another language, such as shell scripting, but forget to escape the \
             interpolation start token. If this is an embedded sequence for another language, escape it by starting with \
             \"$${\" instead of just \"${\".",
        ),
    };
    Some(Diagnostic::new(source, span, summary, detail))
}

/// The message with its first letter in upper case.
fn capitalized(message: &str) -> String {
    let mut letters = message.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
