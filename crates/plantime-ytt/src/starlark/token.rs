//! Tokens of Starlark, with their lines.

use std::fmt;
use std::rc::Rc;

use num_bigint::BigInt;

use super::error::SyntaxError;

/// A token.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Token {
    Name(Rc<str>),
    /// A reserved word that has a meaning.
    Word(&'static str),
    /// A word that is reserved and has no meaning, such as `class`.
    Illegal,
    Int(BigInt),
    Float(f64),
    Text(Rc<[u8]>),
    /// An operator or a bracket.
    Sign(&'static str),
    Newline,
    /// The start of a node of a template, by its number.
    Node(usize),
    /// The end of the node that was started last.
    NodeEnd,
    End,
}

/// Writes the token as syntax errors name it.
impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Name(_) => f.write_str("identifier"),
            Token::Word(word) => f.write_str(word),
            Token::Illegal => f.write_str("illegal token"),
            Token::Int(_) => f.write_str("int literal"),
            Token::Float(_) => f.write_str("float literal"),
            Token::Text(_) => f.write_str("string literal"),
            Token::Sign(sign) => write!(f, "'{sign}'"),
            Token::Newline | Token::Node(_) | Token::NodeEnd => f.write_str("newline"),
            Token::End => f.write_str("end of file"),
        }
    }
}

const WORDS: [&str; 17] = [
    "and", "break", "continue", "def", "elif", "else", "end", "for", "if", "in", "lambda", "load", "not",
    "or", "pass", "return", "while",
];
const ILLEGAL: [&str; 16] = [
    "as", "assert", "class", "del", "except", "finally", "from", "global", "import", "is", "nonlocal",
    "raise", "try", "with", "yield", "async",
];
/// Longer signs first, so that the first match is the longest.
const SIGNS: [&str; 43] = [
    "**=", "//=", "<<=", ">>=", "**", "//", "<<", ">>", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "%=",
    "&=", "|=", "^=", "+", "-", "*", "/", "%", "&", "|", "^", "~", "<", ">", "=", "(", ")", "[", "]", "{",
    "}", ",", ":", ".", ";", "!",
];

/// A token and the number of its line.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    pub(crate) token: Token,
    pub(crate) line: usize,
}

/// Returns the tokens of a text whose first line has a number. Line breaks within brackets are left out.
pub(crate) fn tokens(text: &str, first_line: usize) -> Result<Vec<Placed>, SyntaxError> {
    let mut lexer = Lexer { rest: text, line: first_line, brackets: 0, tokens: Vec::new() };
    while lexer.next()? {}
    Ok(lexer.tokens)
}

/// Splits text into tokens.
struct Lexer<'t> {
    rest: &'t str,
    line: usize,
    brackets: usize,
    tokens: Vec<Placed>,
}

impl<'t> Lexer<'t> {
    /// Adds a token at the current line.
    fn push(&mut self, token: Token) {
        self.tokens.push(Placed { token, line: self.line });
    }

    /// Returns an error at the current line.
    fn error<T>(&self, message: impl Into<String>) -> Result<T, SyntaxError> {
        Err(SyntaxError { message: message.into(), line: self.line })
    }

    /// Takes so many bytes of the text.
    fn skip(&mut self, bytes: usize) -> &'t str {
        let (skipped, rest) = self.rest.split_at_checked(bytes).unwrap_or((self.rest, ""));
        self.rest = rest;
        skipped
    }

    /// Reads a token; `false` at the end of the text.
    fn next(&mut self) -> Result<bool, SyntaxError> {
        let Some(first) = self.rest.chars().next() else { return Ok(false) };
        match first {
            '\n' => {
                self.skip(1);
                if self.brackets == 0 {
                    self.push(Token::Newline);
                }
                self.line = self.line.saturating_add(1);
            }
            '\\' if !self.rest.starts_with("\\\n") => return self.error("stray backslash in program"),
            '\\' => {
                self.skip(2);
                self.line = self.line.saturating_add(1);
            }
            '#' => {
                let end = self.rest.find('\n').unwrap_or(self.rest.len());
                self.skip(end);
            }
            first if first.is_whitespace() => {
                self.skip(first.len_utf8());
            }
            '"' | '\'' => self.string(false)?,
            'r' if self.rest.starts_with(r#"r""#) || self.rest.starts_with("r'") => {
                self.skip(1);
                self.string(true)?;
            }
            first if first.is_alphabetic() || first == '_' => self.word(),
            first if first.is_ascii_digit() => self.number()?,
            '.' if self.rest.chars().nth(1).is_some_and(|second| second.is_ascii_digit()) => self.number()?,
            first => {
                let Some(sign) = SIGNS.iter().find(|sign| self.rest.starts_with(**sign)) else {
                    return self.error(format!("unexpected input character {first:?}"));
                };
                match *sign {
                    "(" | "[" | "{" => self.brackets = self.brackets.saturating_add(1),
                    ")" | "]" | "}" => self.brackets = self.brackets.saturating_sub(1),
                    "!" => return self.error("unexpected input character '!'"),
                    _ => {}
                }
                self.skip(sign.len());
                self.push(Token::Sign(sign));
            }
        }
        Ok(true)
    }

    /// Reads a name or a reserved word.
    fn word(&mut self) {
        let end = self.rest.find(|char: char| !char.is_alphanumeric() && char != '_');
        let word = self.skip(end.unwrap_or(self.rest.len()));
        let token = match WORDS.iter().find(|reserved| **reserved == word) {
            Some(reserved) => Token::Word(reserved),
            // `assert` is reserved in the language, but a module of ytt has this name.
            None if word != "assert" && ILLEGAL.contains(&word) => Token::Illegal,
            None => Token::Name(word.into()),
        };
        self.push(token);
    }

    /// Reads an int or a float.
    fn number(&mut self) -> Result<(), SyntaxError> {
        let bytes = self.rest.as_bytes();
        let radix = match bytes {
            [b'0', b'x' | b'X', ..] => 16,
            [b'0', b'o' | b'O', ..] => 8,
            [b'0', b'b' | b'B', ..] => 2,
            _ => 10,
        };
        if radix != 10 {
            self.skip(2);
            let end = self.rest.find(|char: char| !char.is_digit(radix)).unwrap_or(self.rest.len());
            let digits = self.skip(end);
            let Some(int) = BigInt::parse_bytes(digits.as_bytes(), radix) else {
                return self.error("invalid int literal");
            };
            self.push(Token::Int(int));
            return Ok(());
        }
        let digits = |from: usize| {
            let after = bytes.iter().skip(from).take_while(|byte| byte.is_ascii_digit()).count();
            from.saturating_add(after)
        };
        let whole = digits(0);
        let mut end = whole;
        if bytes.get(end) == Some(&b'.') {
            end = digits(end.saturating_add(1));
        }
        if let Some(b'e' | b'E') = bytes.get(end) {
            let sign = usize::from(matches!(bytes.get(end.saturating_add(1)), Some(b'+' | b'-')));
            let start = end.saturating_add(1).saturating_add(sign);
            let after = digits(start);
            if after > start {
                end = after;
            }
        }
        let text = self.skip(end);
        if end > whole {
            let Ok(float) = text.parse() else { return self.error("invalid float literal") };
            self.push(Token::Float(float));
            return Ok(());
        }
        if text.len() > 1 && text.starts_with('0') {
            let digits = text.trim_start_matches('0');
            return self.error(format!("obsolete form of octal literal; use 0o{digits}"));
        }
        if text.len() > 4_000 {
            return self.error("the int literal is too long");
        }
        let Some(int) = BigInt::parse_bytes(text.as_bytes(), 10) else {
            return self.error("invalid int literal");
        };
        self.push(Token::Int(int));
        Ok(())
    }

    /// Reads a string after its prefix; `raw` leaves backslashes as they are.
    fn string(&mut self, raw: bool) -> Result<(), SyntaxError> {
        let quote = if self.rest.starts_with('"') { "\"" } else { "'" };
        let line = self.line;
        let triple = self.rest.starts_with(&quote.repeat(3));
        let close = quote.repeat(if triple { 3 } else { 1 });
        self.skip(close.len());
        let mut text = Vec::new();
        loop {
            if self.rest.starts_with(&close) {
                self.skip(close.len());
                self.tokens.push(Placed { token: Token::Text(text.into()), line });
                return Ok(());
            }
            let Some(char) = self.rest.chars().next() else {
                return self.error(if triple {
                    "unexpected EOF in string"
                } else {
                    "unexpected newline in string"
                });
            };
            let skipped = self.skip(char.len_utf8());
            match char {
                '\n' if !triple => return self.error("unexpected newline in string"),
                '\n' => {
                    self.line = self.line.saturating_add(1);
                    text.push(b'\n');
                }
                '\\' if raw => {
                    text.push(b'\\');
                    if let Some(next) = self.rest.chars().next() {
                        text.extend(self.skip(next.len_utf8()).bytes());
                    }
                }
                '\\' => self.escape(&mut text)?,
                _ => text.extend(skipped.bytes()),
            }
        }
    }

    /// Reads an escape after its backslash; one that is unknown stands for itself.
    fn escape(&mut self, text: &mut Vec<u8>) -> Result<(), SyntaxError> {
        let Some(char) = self.rest.chars().next() else { return self.error("unexpected newline in string") };
        let taken = self.skip(char.len_utf8());
        match char {
            'a' => text.push(7),
            'b' => text.push(8),
            'f' => text.push(12),
            'n' => text.push(b'\n'),
            'r' => text.push(b'\r'),
            't' => text.push(b'\t'),
            'v' => text.push(11),
            '\n' => self.line = self.line.saturating_add(1),
            '\\' | '\'' | '"' => text.extend(taken.bytes()),
            'x' => {
                let digits = self.skip(2);
                match u8::from_str_radix(digits, 16) {
                    Ok(byte) if digits.len() == 2 => text.push(byte),
                    _ => return self.error(format!("invalid escape sequence \\x{digits}")),
                }
            }
            '0'..='7' => {
                let more = self.rest.bytes().take(2).take_while(|byte| (b'0'..=b'7').contains(byte)).count();
                let digits = format!("{char}{}", self.skip(more));
                match u8::from_str_radix(&digits, 8) {
                    Ok(byte) => text.push(byte),
                    Err(_) => return self.error(format!("invalid escape sequence \\{digits}")),
                }
            }
            _ => {
                text.push(b'\\');
                text.extend(taken.bytes());
            }
        }
        Ok(())
    }
}
