//! The problems of single tokens, in the words of Terraform.

use super::lexer::Kind;

/// The summary and the detail for a token that is not part of the language; `None` once enough tokens of its kind were reported.
/// `reported` counts them: bitwise operators, backticks, single quotes, semicolons.
#[cold]
pub(super) fn invalid_token(
    text: &str,
    kind: Kind,
    reported: &mut [usize; 4],
) -> Option<(&'static str, String)> {
    if kind == Kind::QuotedNewline {
        let detail = "Quoted strings may not be split over multiple lines. To produce a multi-line string, either use the \\n \
                      escape to represent a newline character or use the \"heredoc\" multi-line template syntax.";
        return Some(("Invalid multi-line string", detail.to_owned()));
    }
    let [bitwise, backticks, apostrophes, semicolons] = reported;
    // The opening and the closing quote are one problem.
    let is_opening = |count: &mut usize| {
        let is_opening = count.is_multiple_of(2);
        *count = if *count <= 2 { count.saturating_add(1) } else { *count };
        is_opening
    };
    let up_to = |count: &mut usize, most: usize| {
        *count = count.saturating_add(1);
        *count <= most
    };
    let operator =
        |hint: &str| ("Unsupported operator", format!("Bitwise operators are not supported.{hint}"));
    let character = |detail: &str| ("Invalid character", detail.to_owned());
    Some(match text {
        "&" | "|" | "~" | "^" if !up_to(bitwise, 4) => return None,
        "&" => operator(" Did you mean boolean AND (\"&&\")?"),
        "|" => operator(" Did you mean boolean OR (\"||\")?"),
        "~" => operator(" Did you mean boolean NOT (\"!\")?"),
        "^" => operator(""),
        "`" if !is_opening(backticks) => return None,
        "`" => character(
            "The \"`\" character is not valid. To create a multi-line string, use the \"heredoc\" syntax, like \"<<EOT\".",
        ),
        "'" if !is_opening(apostrophes) => return None,
        "'" => character("Single quotes are not valid. Use double quotes (\") to enclose strings."),
        ";" if !up_to(semicolons, 1) => return None,
        ";" => character(
            "The \";\" character is not valid. Use newlines to separate arguments and blocks, and commas to separate items in \
             collection values.",
        ),
        "“" | "”" | "‘" | "’" => character(
            "\"Curly quotes\" are not valid here. These can sometimes be inadvertently introduced when sharing code via documents \
             or discussion forums. It might help to replace the character with a \"straight quote\".",
        ),
        _ => character("This character is not used within the language."),
    })
}
