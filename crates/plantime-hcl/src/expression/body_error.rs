//! The first syntax error of a file in the native syntax of HCL, as the parser of HCL finds it.
//!
//! The parser used for reading says where it stopped, not what HCL would say there. So a file that it refuses is read once more, with
//! the grammar of HCL alone, up to the first error. Nothing is built.

use std::ops::Range;

use plantime::source::Source;

use super::diagnostic::Diagnostic;
use tokens::{Kind, Token, tokens};

mod expressions;
mod tokens;

/// The maximum depth of nested expressions and blocks that are read.
const DEPTH: usize = 200;

/// An error; `None` where another reader has to say what is wrong.
type Found = Option<(Range<usize>, &'static str, String)>;

const NO_EXPRESSION: &str = "Expected the start of an expression, but found an invalid expression token.";
const NO_DEFINITION: &str = "An argument or block definition is required here.";

/// The errors in single tokens, and the first error in their order; none if the text is right, or if another reader has to
/// say what is wrong.
pub fn body_errors(source: &Source) -> Vec<Diagnostic> {
    let tokens = tokens(source.text());
    let invalid = tokens.iter().filter_map(|token| Some((token.span.clone(), invalid_token(source, token)?)));
    let mut errors: Vec<Diagnostic> = invalid
        .take(1)
        .map(|(span, (summary, detail))| Diagnostic::new(source, span, summary, detail))
        .collect();
    let mut parser = Parser { text: source.text(), tokens, at: 0, newlines: vec![true], depth: 0 };
    if let Err(Some((span, summary, detail))) = parser.read_body(None) {
        errors.push(Diagnostic::new(source, span, summary, detail));
    }
    errors
}

/// What is wrong with a token that the language does not have.
fn invalid_token(source: &Source, token: &Token) -> Option<(&'static str, String)> {
    if token.kind != Kind::Invalid {
        return None;
    }
    let text = source.text().get(token.span.clone())?;
    let bitwise =
        |hint: &str| ("Unsupported operator", format!("Bitwise operators are not supported.{hint}"));
    let character = |detail: &str| ("Invalid character", detail.to_owned());
    Some(match text {
        "&" => bitwise(" Did you mean boolean AND (\"&&\")?"),
        "|" => bitwise(" Did you mean boolean OR (\"||\")?"),
        "~" => bitwise(" Did you mean boolean NOT (\"!\")?"),
        "^" => bitwise(""),
        "`" => character(
            "The \"`\" character is not valid. To create a multi-line string, use the \"heredoc\" syntax, like \"<<EOT\".",
        ),
        "'" => character("Single quotes are not valid. Use double quotes (\") to enclose strings."),
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

/// Reads tokens by the grammar of HCL.
struct Parser<'t> {
    text: &'t str,
    /// The last one is the end of the file.
    tokens: Vec<Token>,
    at: usize,
    /// Whether line ends are tokens, for each bracket that is open.
    newlines: Vec<bool>,
    depth: usize,
}

type Read<T = ()> = Result<T, Found>;

impl Parser<'_> {
    /// The next token.
    fn peek(&mut self) -> Token {
        let skips = self.newlines.last() == Some(&false);
        while skips && self.tokens.get(self.at).is_some_and(|token| token.kind == Kind::Newline) {
            self.at = self.at.saturating_add(1);
        }
        self.tokens
            .get(self.at)
            .or(self.tokens.last())
            .cloned()
            .unwrap_or(Token { kind: Kind::End, span: 0..0 })
    }

    /// Takes the next token.
    fn read(&mut self) -> Token {
        let token = self.peek();
        self.at = self.at.saturating_add(1).min(self.tokens.len());
        token
    }

    /// Whether the next token is of a kind.
    fn next_is(&mut self, kind: Kind) -> bool {
        self.peek().kind == kind
    }

    /// Whether the next token is a keyword.
    fn next_is_word(&mut self, word: &str) -> bool {
        let token = self.peek();
        token.kind == Kind::Name && self.text.get(token.span) == Some(word)
    }

    /// Reads the next token if it is of this kind; returns whether it is.
    fn accept(&mut self, kind: Kind) -> bool {
        let is_next = self.next_is(kind);
        if is_next {
            self.read();
        }
        is_next
    }

    /// Reads the next token if it is this word; returns whether it is.
    fn accept_word(&mut self, word: &str) -> bool {
        let is_next = self.next_is_word(word);
        if is_next {
            self.read();
        }
        is_next
    }

    /// An error at a token.
    fn error<T>(token: &Token, summary: &'static str, detail: impl Into<String>) -> Read<T> {
        Err(Some((token.span.clone(), summary, detail.into())))
    }

    /// The token that closes the bracket which is open, or the end of the file.
    fn closing(&mut self, open: Kind, close: Kind) -> Token {
        let mut inner = 0_usize;
        loop {
            let token = self.read();
            match token.kind {
                Kind::End => return token,
                kind if kind == open => inner = inner.saturating_add(1),
                kind if kind == close && inner == 0 => return token,
                kind if kind == close => inner = inner.saturating_sub(1),
                _ => {}
            }
        }
    }

    /// Reads with line ends as tokens, or without.
    fn with_newlines<T>(&mut self, are_tokens: bool, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth >= DEPTH {
            return Err(None);
        }
        self.depth = self.depth.saturating_add(1);
        self.newlines.push(are_tokens);
        let result = read(self);
        self.newlines.pop();
        self.depth = self.depth.saturating_sub(1);
        result
    }

    /// Reads past arguments and blocks, up to the end of the block that begins at `open`, or of the file.
    fn read_body(&mut self, open: Option<&Token>) -> Read {
        loop {
            let next = self.peek();
            match (next.kind, open) {
                (Kind::CloseBrace, Some(_)) | (Kind::End, None) => {
                    self.read();
                    return Ok(());
                }
                (Kind::Newline, _) => {
                    self.read();
                }
                (Kind::Name, _) => self.read_item()?,
                (Kind::OpenQuote, _) => {
                    return Self::error(&next, "Invalid argument name", "Argument names must not be quoted.");
                }
                (Kind::End, Some(open)) => {
                    let detail = "There is no closing brace for this block before the end of the file. This may be caused by \
                                  incorrect brace nesting elsewhere in this file.";
                    return Self::error(open, "Unclosed configuration block", detail);
                }
                _ => return Self::error(&next, "Argument or block definition required", NO_DEFINITION),
            }
        }
    }

    /// Reads past an argument or a block.
    fn read_item(&mut self) -> Read {
        let name = self.read();
        match self.peek().kind {
            Kind::Equal => {
                self.read();
                self.read_expression()?;
                let end = self.peek();
                match end.kind {
                    Kind::Newline | Kind::End => Ok(()),
                    Kind::Comma => {
                        let detail = "Argument definitions must be separated by newlines, not commas. An argument definition must \
                                      end with a newline.";
                        Self::error(&end, "Unexpected comma after argument", detail)
                    }
                    _ => {
                        let detail = "An argument definition must end with a newline.";
                        Self::error(&end, "Missing newline after argument", detail)
                    }
                }
            }
            Kind::OpenQuote | Kind::OpenBrace | Kind::Name => self.read_block(),
            _ => Self::definition_required(&name),
        }
    }

    /// The error for a name that begins no argument and no block.
    fn definition_required(name: &Token) -> Read {
        let detail = format!(
            "{NO_DEFINITION} To set an argument, use the equals sign \"=\" to introduce the argument value."
        );
        Self::error(name, "Argument or block definition required", detail)
    }

    /// Reads past the rest of a block, after its kind.
    fn read_block(&mut self) -> Read {
        let open = loop {
            let next = self.peek();
            let detail = match next.kind {
                Kind::OpenBrace => break self.read(),
                Kind::OpenQuote => {
                    self.read_label()?;
                    continue;
                }
                Kind::Name => {
                    self.read();
                    continue;
                }
                Kind::Equal => {
                    "The equals sign \"=\" indicates an argument definition, and must not be used when defining a block."
                }
                Kind::Newline => {
                    "A block definition must have block content delimited by \"{\" and \"}\", starting on the same line as the \
                     block header."
                }
                _ => "Either a quoted string block label or an opening brace (\"{\") is expected here.",
            };
            return Self::error(&next, "Invalid block definition", detail);
        };
        self.with_newlines(true, |parser| match parser.peek().kind {
            Kind::Newline | Kind::End | Kind::CloseBrace => parser.read_body(Some(&open)),
            _ => parser.read_single_argument(),
        })?;
        let end = self.peek();
        match end.kind {
            Kind::Newline | Kind::End => Ok(()),
            _ => {
                let detail = "A block definition must end with a newline.";
                Self::error(&end, "Missing newline after block definition", detail)
            }
        }
    }

    /// Reads past the only argument of a block on one line, and the brace after it.
    fn read_single_argument(&mut self) -> Read {
        let name = self.read();
        if name.kind != Kind::Name {
            return Self::error(&name, "Argument or block definition required", NO_DEFINITION);
        }
        match self.peek().kind {
            Kind::Equal => {
                self.read();
                self.read_expression()?;
            }
            Kind::OpenQuote | Kind::OpenBrace | Kind::Name => {
                let detail = format!(
                    "A single-line block definition can contain only a single argument. If you meant to define argument {:?}, use an \
                     equals sign to assign it a value. To define a nested block, place it on a line of its own within its parent \
                     block.",
                    self.text.get(name.span.clone()).unwrap_or_default()
                );
                return Self::error(&name, "Argument definition required", detail);
            }
            _ => return Self::definition_required(&name),
        }
        let end = self.read();
        let detail = match end.kind {
            Kind::CloseBrace => return Ok(()),
            Kind::Comma => {
                "Single-line block syntax can include only one argument definition. To define multiple arguments, use the \
                 multi-line block syntax with one argument definition per line."
            }
            Kind::Newline => {
                "An argument definition on the same line as its containing block creates a single-line block definition, which \
                 must also be closed on the same line. Place the block's closing brace immediately after the argument definition."
            }
            _ => {
                "A single-line block definition must end with a closing brace immediately after its single argument definition."
            }
        };
        Self::error(&end, "Invalid single-argument block definition", detail)
    }

    /// Reads past a label in quotes.
    fn read_label(&mut self) -> Read {
        self.read();
        loop {
            let token = self.read();
            match token.kind {
                Kind::CloseQuote => return Ok(()),
                Kind::Literal => self.check_escapes(&token)?,
                Kind::Interpolation | Kind::Directive => {
                    let sign = if token.kind == Kind::Interpolation { '$' } else { '%' };
                    let detail = format!(
                        "Template sequences are not allowed in this string. To include a literal \"{sign}\", double it (as \
                         \"{sign}{sign}\") to escape it."
                    );
                    return Self::error(&token, "Invalid string literal", detail);
                }
                Kind::End => {
                    let detail = "Unable to find the closing quote mark before the end of the file.";
                    return Self::error(&token, "Unterminated string literal", detail);
                }
                _ => {
                    let detail = "This item is not valid in a string literal.";
                    return Self::error(&token, "Invalid string literal", detail);
                }
            }
        }
    }

    /// Checks the escape sequences of a text in quotes.
    fn check_escapes(&self, token: &Token) -> Read {
        let text = self.text.get(token.span.clone()).unwrap_or_default();
        let mut characters = text.char_indices();
        while let Some((at, c)) = characters.next() {
            if c != '\\' {
                continue;
            }
            let Some((_, selector)) = characters.next() else { return Err(None) };
            let start = token.span.start.saturating_add(at);
            let digits = text.get(at.saturating_add(2)..).unwrap_or_default();
            let count = digits.chars().take_while(char::is_ascii_hexdigit).count();
            let (length, detail) = match selector {
                'n' | 'r' | 't' | '"' | '\\' => continue,
                'u' if count >= 4 => continue,
                'U' if count >= 8 => continue,
                'u' => {
                    (count, "The \\u escape sequence must be followed by four hexadecimal digits.".to_owned())
                }
                'U' => (
                    count,
                    "The \\U escape sequence must be followed by eight hexadecimal digits.".to_owned(),
                ),
                _ => (0, format!("The symbol \"{selector}\" is not a valid escape sequence selector.")),
            };
            let end = start.saturating_add(1).saturating_add(selector.len_utf8()).saturating_add(length);
            return Err(Some((start..end, "Invalid escape sequence", detail)));
        }
        Ok(())
    }
}
