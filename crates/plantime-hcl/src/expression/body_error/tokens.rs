//! The tokens of a text in the native syntax of HCL.

use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Newline,
    Name,
    Number,
    OpenParenthesis,
    CloseParenthesis,
    OpenBracket,
    CloseBracket,
    OpenBrace,
    CloseBrace,
    Equal,
    Comma,
    Dot,
    Colon,
    DoubleColon,
    Question,
    Arrow,
    Ellipsis,
    Star,
    Minus,
    Bang,
    /// Any other operator between two operands.
    Operator,
    OpenQuote,
    CloseQuote,
    OpenHeredoc,
    CloseHeredoc,
    /// Text of a template.
    Literal,
    /// A line end in quotes.
    QuotedNewline,
    /// `${`.
    Interpolation,
    /// `%{`.
    Directive,
    /// The brace that ends an interpolation or a directive.
    SequenceEnd,
    /// A character that the language does not have.
    Invalid,
    /// The end of the file.
    End,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) span: Range<usize>,
}

/// What surrounds the position of the scan.
enum Frame<'t> {
    /// Code, inside this number of braces; of a sequence in a template, or of the file.
    Code {
        braces: usize,
        is_sequence: bool,
    },
    Quoted,
    /// The word that ends the template.
    Heredoc(&'t str),
}

/// The tokens without white space and comments. The last one is the end.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut scan = Scan {
        text,
        at: 0,
        last_comment_end: text.rfind("*/").unwrap_or(0),
        frames: vec![Frame::Code { braces: 0, is_sequence: false }],
        tokens: Vec::new(),
    };
    while scan.at < text.len() {
        match scan.frames.last() {
            Some(Frame::Quoted) => scan.quoted(),
            Some(Frame::Heredoc(word)) => {
                let word = *word;
                scan.heredoc(word);
            }
            _ => scan.code(),
        }
    }
    scan.push(Kind::End, 0);
    scan.tokens
}

struct Scan<'t> {
    text: &'t str,
    at: usize,
    /// The place of the last `*/`: nothing behind it is a comment of several lines.
    last_comment_end: usize,
    frames: Vec<Frame<'t>>,
    tokens: Vec<Token>,
}

/// The operators and signs of two and three characters, before those of one that they begin with.
const LONG: [(&str, Kind); 11] = [
    ("...", Kind::Ellipsis),
    ("==", Kind::Operator),
    ("!=", Kind::Operator),
    (">=", Kind::Operator),
    ("<=", Kind::Operator),
    ("=>", Kind::Arrow),
    ("&&", Kind::Operator),
    ("||", Kind::Operator),
    ("::", Kind::DoubleColon),
    (">", Kind::Operator),
    ("<", Kind::Operator),
];

impl<'t> Scan<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Adds a token of this length at the place, and goes behind it.
    fn push(&mut self, kind: Kind, length: usize) {
        let end = self.at.saturating_add(length);
        self.tokens.push(Token { kind, span: self.at..end });
        self.at = end;
    }

    /// Reads a token of code, white space or a comment.
    fn code(&mut self) {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return };
        if first == '#' || rest.starts_with("//") {
            self.at = self.at.saturating_add(rest.find('\n').unwrap_or(rest.len()));
            return;
        }
        if rest.starts_with("/*")
            && self.at.saturating_add(1) < self.last_comment_end
            && let Some(end) = rest.find("*/")
        {
            self.at = self.at.saturating_add(end).saturating_add(2);
            return;
        }
        if matches!(first, ' ' | '\t' | '\r') {
            self.at = self.at.saturating_add(1);
            return;
        }
        if first.is_alphabetic() || first == '_' {
            let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-'));
            return self.push(Kind::Name, length.unwrap_or(rest.len()));
        }
        if first.is_ascii_digit() {
            return self.push(Kind::Number, number_length(rest));
        }
        if let Some((word, length)) = heredoc_marker(rest) {
            self.push(Kind::OpenHeredoc, length);
            return self.frames.push(Frame::Heredoc(word));
        }
        if let Some((sign, kind)) = LONG.iter().find(|(sign, _)| rest.starts_with(sign)) {
            return self.push(*kind, sign.len());
        }
        let is_end = rest.starts_with('}') || rest.starts_with("~}");
        match self.frames.last_mut() {
            Some(Frame::Code { braces: 0, is_sequence: true }) if is_end => {
                self.push(Kind::SequenceEnd, if first == '~' { 2 } else { 1 });
                self.frames.pop();
                return;
            }
            Some(Frame::Code { braces, .. }) if first == '{' => *braces = braces.saturating_add(1),
            Some(Frame::Code { braces, .. }) if first == '}' => *braces = braces.saturating_sub(1),
            _ => {}
        }
        let kind = match first {
            '\n' => Kind::Newline,
            '(' => Kind::OpenParenthesis,
            ')' => Kind::CloseParenthesis,
            '[' => Kind::OpenBracket,
            ']' => Kind::CloseBracket,
            '{' => Kind::OpenBrace,
            '}' => Kind::CloseBrace,
            '=' => Kind::Equal,
            ',' => Kind::Comma,
            '.' => Kind::Dot,
            ':' => Kind::Colon,
            '?' => Kind::Question,
            '*' => Kind::Star,
            '-' => Kind::Minus,
            '!' => Kind::Bang,
            '+' | '/' | '%' => Kind::Operator,
            '"' => Kind::OpenQuote,
            _ => Kind::Invalid,
        };
        self.push(kind, first.len_utf8());
        if kind == Kind::OpenQuote {
            self.frames.push(Frame::Quoted);
        }
    }

    /// Reads a token of a text in quotes.
    fn quoted(&mut self) {
        let rest = self.rest();
        if rest.starts_with('"') {
            self.push(Kind::CloseQuote, 1);
            self.frames.pop();
            return;
        }
        if rest.starts_with('\n') {
            return self.push(Kind::QuotedNewline, 1);
        }
        if self.sequence() {
            return;
        }
        let mut length = 0_usize;
        while let Some(c) = rest.get(length..).and_then(|rest| rest.chars().next()) {
            let rest = rest.get(length..).unwrap_or_default();
            length = match literal_length(rest) {
                Some(0) => break,
                Some(escaped) => length.saturating_add(escaped),
                None if matches!(c, '"' | '\n') => break,
                None if c == '\\' => {
                    let next = rest.chars().nth(1).map_or(0, char::len_utf8);
                    length.saturating_add(1).saturating_add(next)
                }
                None => length.saturating_add(c.len_utf8()),
            };
        }
        self.push(Kind::Literal, length.max(1));
    }

    /// Reads a token of a heredoc.
    fn heredoc(&mut self, word: &str) {
        let rest = self.rest();
        let is_at_line_start = self.text.get(..self.at).is_some_and(|before| before.ends_with('\n'));
        if is_at_line_start {
            let line = rest.find('\n').unwrap_or(rest.len());
            if rest.get(..line).is_some_and(|line| line.trim() == word) {
                self.push(Kind::CloseHeredoc, line);
                self.frames.pop();
                return;
            }
        }
        if self.sequence() {
            return;
        }
        let mut length = 0_usize;
        while let Some(part) = rest.get(length..)
            && let Some(c) = part.chars().next()
        {
            length = match literal_length(part) {
                Some(0) => break,
                Some(escaped) => length.saturating_add(escaped),
                None => length.saturating_add(c.len_utf8()),
            };
            if c == '\n' {
                break;
            }
        }
        self.push(Kind::Literal, length.max(1));
    }

    /// Reads the start of a sequence, if there is one.
    fn sequence(&mut self) -> bool {
        let rest = self.rest();
        if literal_length(rest) != Some(0) {
            return false;
        }
        let kind = if rest.starts_with('$') { Kind::Interpolation } else { Kind::Directive };
        self.push(kind, if rest.get(2..3) == Some("~") { 3 } else { 2 });
        self.frames.push(Frame::Code { braces: 0, is_sequence: true });
        true
    }
}

/// 0 if the text begins with `${` or `%{`, the length of the escape if it begins with `$${` or `%%{`; `None` for all
/// other texts.
fn literal_length(text: &str) -> Option<usize> {
    match () {
        () if text.starts_with("$${") || text.starts_with("%%{") => Some(3),
        () if text.starts_with("${") || text.starts_with("%{") => Some(0),
        () => None,
    }
}

/// The length of the number that a text begins with.
fn number_length(text: &str) -> usize {
    let digits = |from: usize| {
        let rest = text.get(from..).unwrap_or_default();
        from.saturating_add(rest.bytes().take_while(u8::is_ascii_digit).count())
    };
    let mut end = digits(0);
    let fraction = digits(end.saturating_add(1));
    if text.get(end..).is_some_and(|rest| rest.starts_with('.')) && fraction > end.saturating_add(1) {
        end = fraction;
    }
    if text.get(end..).is_some_and(|rest| rest.starts_with(['e', 'E'])) {
        let sign = text.get(end.saturating_add(1)..).is_some_and(|rest| rest.starts_with(['+', '-']));
        let first = end.saturating_add(1).saturating_add(usize::from(sign));
        let exponent = digits(first);
        end = if exponent > first { exponent } else { end };
    }
    end
}

/// The word that ends the heredoc which begins here, and the length of its first line.
fn heredoc_marker(text: &str) -> Option<(&str, usize)> {
    let marker = text.strip_prefix("<<")?;
    let marker = marker.strip_prefix('-').unwrap_or(marker);
    let length =
        marker.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')).unwrap_or(marker.len());
    let (word, rest) = marker.split_at_checked(length)?;
    let behind = rest.strip_prefix('\r').unwrap_or(rest).strip_prefix('\n')?;
    (!word.is_empty()).then(|| (word, text.len().saturating_sub(behind.len())))
}
