//! The first syntax error of a file in the native syntax of HCL, as the parser of HCL finds it.
//!
//! The parser used for reading says where it stopped, not what HCL would say there. So a file that it refuses is read once more, with
//! the grammar of HCL alone, up to the first error. Nothing is built.

use std::ops::Range;

use crate::source::Source;

use super::diagnostic::Diagnostic;
use tokens::{Kind, Token, tokens};

mod tokens;

/// The deepest expressions and blocks that are followed.
const DEPTH: usize = 200;

/// An error; `None` where another reader has to say what is wrong.
type Found = Option<(Range<usize>, &'static str, String)>;

const NO_EXPRESSION: &str = "Expected the start of an expression, but found an invalid expression token.";
const NO_DEFINITION: &str = "An argument or block definition is required here.";

/// The errors in single tokens, and the first error in their order; none if the text is right, or if another reader has to
/// say what is wrong.
pub(crate) fn body_errors(source: &Source) -> Vec<Diagnostic> {
    let tokens = tokens(source.text());
    let invalid = tokens.iter().filter_map(|token| Some((token.span.clone(), invalid_token(source, token)?)));
    let mut errors: Vec<Diagnostic> = invalid
        .take(1)
        .map(|(span, (summary, detail))| Diagnostic::new(source, span, summary, detail))
        .collect();
    let mut parser = Parser { text: source.text(), tokens, at: 0, newlines: vec![true], depth: 0 };
    if let Err(Some((span, summary, detail))) = parser.body(None) {
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

    fn read(&mut self) -> Token {
        let token = self.peek();
        self.at = self.at.saturating_add(1).min(self.tokens.len());
        token
    }

    fn is_next(&mut self, kind: Kind) -> bool {
        self.peek().kind == kind
    }

    fn is_word(&mut self, word: &str) -> bool {
        let token = self.peek();
        token.kind == Kind::Name && self.text.get(token.span) == Some(word)
    }

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

    /// Arguments and blocks, up to the end of the block that begins at `open`, or of the file.
    fn body(&mut self, open: Option<&Token>) -> Read {
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
                (Kind::Name, _) => self.item()?,
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

    /// An argument or a block.
    fn item(&mut self) -> Read {
        let name = self.read();
        match self.peek().kind {
            Kind::Equal => {
                self.read();
                self.expression()?;
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
            Kind::OpenQuote | Kind::OpenBrace | Kind::Name => self.block(),
            _ => Self::no_definition(&name),
        }
    }

    fn no_definition(name: &Token) -> Read {
        let detail = format!(
            "{NO_DEFINITION} To set an argument, use the equals sign \"=\" to introduce the argument value."
        );
        Self::error(name, "Argument or block definition required", detail)
    }

    /// A block behind its kind.
    fn block(&mut self) -> Read {
        let open = loop {
            let next = self.peek();
            let detail = match next.kind {
                Kind::OpenBrace => break self.read(),
                Kind::OpenQuote => {
                    self.label()?;
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
            Kind::Newline | Kind::End | Kind::CloseBrace => parser.body(Some(&open)),
            _ => parser.single_argument(),
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

    /// The only argument of a block in one line, and the brace behind it.
    fn single_argument(&mut self) -> Read {
        let name = self.read();
        if name.kind != Kind::Name {
            return Self::error(&name, "Argument or block definition required", NO_DEFINITION);
        }
        match self.peek().kind {
            Kind::Equal => {
                self.read();
                self.expression()?;
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
            _ => return Self::no_definition(&name),
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

    /// A label in quotes.
    fn label(&mut self) -> Read {
        self.read();
        loop {
            let token = self.read();
            match token.kind {
                Kind::CloseQuote => return Ok(()),
                Kind::Literal => self.escapes(&token)?,
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

    /// The escape sequences of a text in quotes.
    fn escapes(&self, token: &Token) -> Read {
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

    /// An expression: a conditional, or operands between operators.
    fn expression(&mut self) -> Read {
        if self.depth >= DEPTH {
            return Err(None);
        }
        self.depth = self.depth.saturating_add(1);
        loop {
            self.operand()?;
            if !matches!(self.peek().kind, Kind::Operator | Kind::Star | Kind::Minus) {
                break;
            }
            self.read();
        }
        if self.is_next(Kind::Question) {
            self.read();
            self.expression()?;
            let colon = self.read();
            if colon.kind != Kind::Colon {
                let detail = "The conditional operator (...?...:...) requires a false expression, delimited by a colon.";
                return Self::error(&colon, "Missing false expression in conditional", detail);
            }
            self.expression()?;
        }
        self.depth = self.depth.saturating_sub(1);
        Ok(())
    }

    /// A term with the steps behind it.
    fn operand(&mut self) -> Read {
        while matches!(self.peek().kind, Kind::Minus | Kind::Bang) {
            self.read();
        }
        self.term()?;
        loop {
            match self.peek().kind {
                Kind::Minus => return Ok(()),
                Kind::Dot => self.attribute()?,
                Kind::OpenBracket => {
                    self.read();
                    self.with_newlines(false, Self::index)?;
                }
                _ => return Ok(()),
            }
        }
    }

    /// The attribute behind a dot.
    fn attribute(&mut self) -> Read {
        let no_name = |token: &Token| {
            Self::error(token, "Invalid attribute name", "An attribute name is required after a dot.")
        };
        self.read();
        let name = self.peek();
        match name.kind {
            Kind::Name | Kind::Number => {
                self.read();
                Ok(())
            }
            Kind::Star => {
                self.read();
                while self.is_next(Kind::Dot) {
                    self.read();
                    match self.peek().kind {
                        Kind::Name => {
                            self.read();
                        }
                        Kind::Number | Kind::Star => return Err(None),
                        _ => return no_name(&name),
                    }
                }
                Ok(())
            }
            _ => no_name(&name),
        }
    }

    /// The index behind a bracket.
    fn index(&mut self) -> Read {
        let (summary, detail) = if self.is_next(Kind::Star) {
            self.read();
            (
                "Missing close bracket on splat index",
                "The star for a full splat operator must be immediately followed by a closing bracket (\"]\").",
            )
        } else {
            self.expression()?;
            ("Missing close bracket on index", "The index operator must end with a closing bracket (\"]\").")
        };
        if self.read().kind == Kind::CloseBracket {
            return Ok(());
        }
        self.at = self.at.min(self.tokens.len().saturating_sub(1));
        let close = self.closing(Kind::OpenBracket, Kind::CloseBracket);
        Self::error(&close, summary, detail)
    }

    fn term(&mut self) -> Read {
        let start = self.peek();
        match start.kind {
            Kind::OpenParenthesis => {
                self.read();
                self.with_newlines(false, |parser| {
                    parser.expression()?;
                    let close = parser.read();
                    if close.kind == Kind::CloseParenthesis {
                        return Ok(());
                    }
                    let detail = "Expected a closing parenthesis to terminate the expression.";
                    Self::error(&close, "Unbalanced parentheses", detail)
                })
            }
            Kind::Number => {
                self.read();
                Ok(())
            }
            Kind::Name => {
                self.read();
                match self.peek().kind {
                    Kind::OpenParenthesis | Kind::DoubleColon => self.call(&start),
                    _ => Ok(()),
                }
            }
            Kind::OpenQuote | Kind::OpenHeredoc => {
                self.read();
                self.template(start.kind == Kind::OpenQuote)
            }
            Kind::OpenBracket => {
                self.read();
                self.with_newlines(false, |parser| parser.tuple(&start))
            }
            Kind::OpenBrace => {
                self.read();
                self.newlines.push(false);
                let is_for = self.is_word("for");
                self.newlines.pop();
                match is_for {
                    true => self.with_newlines(false, |parser| parser.for_expression(&start)),
                    false => self.with_newlines(true, |parser| parser.object(&start)),
                }
            }
            Kind::End => {
                let detail = "Expected the start of an expression, but found the end of the file.";
                Self::error(&start, "Missing expression", detail)
            }
            _ => Self::error(&start, "Invalid expression", NO_EXPRESSION),
        }
    }

    /// The arguments of a function, behind the first part of its name.
    fn call(&mut self, name: &Token) -> Read {
        while self.is_next(Kind::DoubleColon) {
            self.read();
            let part = self.peek();
            if part.kind != Kind::Name {
                let detail =
                    "Function scope resolution symbol :: must be followed by a function name in this scope.";
                return Self::error(&part, "Missing function name", detail);
            }
            self.read();
        }
        let open = self.peek();
        if open.kind != Kind::OpenParenthesis {
            let detail =
                "Function selector must be followed by an open parenthesis to begin the function call.";
            return Self::error(&open, "Missing open parenthesis", detail);
        }
        self.read();
        self.with_newlines(false, |parser| {
            loop {
                if parser.is_next(Kind::CloseParenthesis) {
                    parser.read();
                    return Ok(());
                }
                parser.expression()?;
                let next = parser.read();
                match next.kind {
                    Kind::Comma => {}
                    Kind::CloseParenthesis => return Ok(()),
                    Kind::Ellipsis if parser.is_next(Kind::CloseParenthesis) => {
                        parser.read();
                        return Ok(());
                    }
                    Kind::Ellipsis => {
                        let detail = "An expanded function argument (with ...) must be immediately followed by closing \
                                      parentheses.";
                        return Self::error(&next, "Missing closing parenthesis", detail);
                    }
                    Kind::End => {
                        let detail = "There is no closing parenthesis for this function call before the end of the file. This may \
                                      be caused by incorrect parenthesis nesting elsewhere in this file.";
                        return Self::error(name, "Unterminated function call", detail);
                    }
                    _ => {
                        let detail = "A comma is required to separate each function argument from the next.";
                        return Self::error(&next, "Missing argument separator", detail);
                    }
                }
            }
        })
    }

    /// The items of a tuple, or a `for` expression, behind the bracket.
    fn tuple(&mut self, open: &Token) -> Read {
        if self.is_word("for") {
            return self.for_expression(open);
        }
        loop {
            if self.is_next(Kind::CloseBracket) {
                self.read();
                return Ok(());
            }
            self.expression()?;
            let next = self.read();
            match next.kind {
                Kind::Comma => {}
                Kind::CloseBracket => return Ok(()),
                Kind::End => {
                    let detail = "There is no corresponding closing bracket before the end of the file. This may be caused by \
                                  incorrect bracket nesting elsewhere in this file.";
                    return Self::error(open, "Unterminated tuple constructor expression", detail);
                }
                _ => {
                    let detail = "Expected a comma to mark the beginning of the next item.";
                    return Self::error(&next, "Missing item separator", detail);
                }
            }
        }
    }

    /// The items of an object, behind the brace.
    fn object(&mut self, open: &Token) -> Read {
        let unterminated = || {
            let detail = "There is no corresponding closing brace before the end of the file. This may be caused by incorrect brace \
                          nesting elsewhere in this file.";
            Self::error(open, "Unterminated object constructor expression", detail)
        };
        loop {
            match self.peek().kind {
                Kind::Newline => {
                    self.read();
                    continue;
                }
                Kind::CloseBrace => {
                    self.read();
                    return Ok(());
                }
                _ => {}
            }
            self.expression()?;
            let next = self.read();
            match next.kind {
                Kind::Equal | Kind::Colon => {}
                Kind::Newline | Kind::Comma => {
                    let detail = "Expected an attribute value, introduced by an equals sign (\"=\").";
                    return Self::error(&next, "Missing attribute value", detail);
                }
                Kind::Name => {
                    let detail = "Expected an equals sign (\"=\") to mark the beginning of the attribute value. If you intended to \
                                  given an attribute name containing periods or spaces, write the name in quotes to create a \
                                  string literal.";
                    return Self::error(&next, "Missing key/value separator", detail);
                }
                Kind::End => return unterminated(),
                _ => {
                    let detail =
                        "Expected an equals sign (\"=\") to mark the beginning of the attribute value.";
                    return Self::error(&next, "Missing key/value separator", detail);
                }
            }
            self.expression()?;
            let next = self.read();
            match next.kind {
                Kind::Comma | Kind::Newline => {}
                Kind::CloseBrace => return Ok(()),
                Kind::End => return unterminated(),
                _ => {
                    let detail = "Expected a newline or comma to mark the beginning of the next attribute.";
                    return Self::error(&next, "Missing attribute separator", detail);
                }
            }
        }
    }

    /// A `for` expression behind its bracket or brace.
    fn for_expression(&mut self, open: &Token) -> Read {
        let wrong =
            |token: &Token, detail: &'static str| Self::error(token, "Invalid 'for' expression", detail);
        let is_object = open.kind == Kind::OpenBrace;
        self.read();
        let name = self.read();
        if name.kind != Kind::Name {
            return wrong(&name, "For expression requires variable name after 'for'.");
        }
        if self.is_next(Kind::Comma) {
            self.read();
            let name = self.read();
            if name.kind != Kind::Name {
                return wrong(&name, "For expression requires value variable name after comma.");
            }
        }
        if !self.is_word("in") {
            let next = self.peek();
            return wrong(&next, "For expression requires the 'in' keyword after its name declarations.");
        }
        self.read();
        self.expression()?;
        let colon = self.read();
        if colon.kind != Kind::Colon {
            return wrong(&colon, "For expression requires a colon after the collection expression.");
        }
        let first = self.peek();
        self.expression()?;
        let has_key = self.is_next(Kind::Arrow);
        if has_key {
            self.read();
            self.expression()?;
        }
        let ellipsis = self.peek();
        if ellipsis.kind == Kind::Ellipsis {
            self.read();
        }
        if self.is_word("if") {
            self.read();
            self.expression()?;
        }
        let close = self.read();
        let wanted = if is_object { Kind::CloseBrace } else { Kind::CloseBracket };
        if close.kind != wanted {
            return wrong(&close, "Extra characters after the end of the 'for' expression.");
        }
        if is_object && !has_key {
            return wrong(&first, "Key expression is required when building an object.");
        }
        if !is_object && has_key {
            return wrong(&first, "Key expression is not valid when building a tuple.");
        }
        if !is_object && ellipsis.kind == Kind::Ellipsis {
            return wrong(&ellipsis, "Grouping ellipsis (...) cannot be used when building a tuple.");
        }
        Ok(())
    }

    /// The parts of a template, behind its quote or marker.
    fn template(&mut self, is_quoted: bool) -> Read {
        loop {
            let token = self.read();
            match token.kind {
                Kind::CloseQuote | Kind::CloseHeredoc => return Ok(()),
                Kind::Literal if is_quoted => self.escapes(&token)?,
                Kind::Literal | Kind::QuotedNewline => {}
                Kind::Interpolation => self.with_newlines(false, |parser| parser.interpolation(is_quoted))?,
                Kind::Directive => self.with_newlines(false, Self::directive)?,
                // The errors of directives, and of templates without end, are found elsewhere.
                _ => return Err(None),
            }
        }
    }

    fn interpolation(&mut self, is_quoted: bool) -> Read {
        self.expression()?;
        let close = self.read();
        let extra = "Extra characters after interpolation expression";
        let unclosed = "Unclosed template interpolation sequence";
        match close.kind {
            Kind::SequenceEnd => Ok(()),
            Kind::End => {
                let detail = "There is no closing brace for this interpolation sequence before the end of the file. This might be \
                              caused by incorrect nesting inside the given expression.";
                Self::error(&close, unclosed, detail)
            }
            Kind::Colon => {
                let detail = "Template interpolation doesn't expect a colon at this location. Did you intend this to be a literal \
                              sequence to be processed as part of another language? If so, you can escape it by starting with \
                              \"$${\" instead of just \"${\".";
                Self::error(&close, extra, detail)
            }
            Kind::OpenQuote | Kind::CloseQuote if is_quoted => {
                let detail = "There is no closing brace for this interpolation sequence before the end of the quoted template. This \
                              might be caused by incorrect nesting inside the given expression.";
                Self::error(&close, unclosed, detail)
            }
            _ => {
                let detail = "Expected a closing brace to end the interpolation expression, but found extra characters.\n\nThis can \
                              happen when you include interpolation syntax for another language, such as shell scripting, but \
                              forget to escape the interpolation start token. If this is an embedded sequence for another \
                              language, escape it by starting with \"$${\" instead of just \"${\".";
                Self::error(&close, extra, detail)
            }
        }
    }

    /// A directive; one that is wrong in itself is another reader's.
    fn directive(&mut self) -> Read {
        let is_if = self.is_word("if");
        let is_for = self.is_word("for");
        let is_plain = ["else", "endif", "endfor"].iter().any(|word| self.is_word(word));
        if !(is_if || is_for || is_plain) {
            return Err(None);
        }
        self.read();
        if is_for {
            if self.read().kind != Kind::Name {
                return Err(None);
            }
            if self.is_next(Kind::Comma) {
                self.read();
                if self.read().kind != Kind::Name {
                    return Err(None);
                }
            }
            if !self.is_word("in") {
                return Err(None);
            }
            self.read();
        }
        if is_if || is_for {
            self.expression()?;
        }
        if self.read().kind == Kind::SequenceEnd { Ok(()) } else { Err(None) }
    }
}
