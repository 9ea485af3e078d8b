//! The tokens of a text in the native syntax of HCL.
//!
//! What a quote, a brace or a line end means depends on what is around it: code, a text in quotes, a heredoc. So the lexer keeps
//! a stack of these. It reads each byte a fixed number of times.

use std::ops::Range;

/// The kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Newline,
    /// A comment. One that begins with `#` or `//` takes the end of its line along.
    Comment,
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
    Slash,
    Percent,
    Plus,
    Minus,
    Bang,
    And,
    Or,
    EqualTo,
    NotEqualTo,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    OpenQuote,
    CloseQuote,
    /// The marker of a heredoc with the end of its line: `<<EOT`.
    OpenHeredoc,
    CloseHeredoc,
    /// Text of a template: all of it between quotes and sequences, or one line.
    Literal,
    /// Line ends in quotes.
    QuotedNewline,
    /// `${` or `${~`.
    Interpolation,
    /// `%{` or `%{~`.
    Directive,
    /// The brace that ends an interpolation or a directive: `}` or `~}`.
    SequenceEnd,
    /// A character that the language does not have here.
    Invalid,
    /// The end of the text.
    End,
}

impl Kind {
    /// Whether a token of this kind opens a bracket, a template or a sequence, which another token closes.
    pub(crate) fn is_opening(self) -> bool {
        use Kind::{
            Directive, Interpolation, OpenBrace, OpenBracket, OpenHeredoc, OpenParenthesis, OpenQuote,
        };
        matches!(
            self,
            OpenBrace | OpenBracket | OpenParenthesis | OpenQuote | OpenHeredoc | Interpolation | Directive
        )
    }

    /// Whether a token of this kind closes what another one opens.
    pub(crate) fn is_closing(self) -> bool {
        use Kind::{CloseBrace, CloseBracket, CloseHeredoc, CloseParenthesis, CloseQuote, SequenceEnd};
        matches!(self, CloseBrace | CloseBracket | CloseParenthesis | CloseQuote | CloseHeredoc | SequenceEnd)
    }
}

/// A token: its kind, and the bytes that it takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Token {
    pub(crate) fn span(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// What surrounds the position of the lexer.
#[derive(Clone)]
enum Frame<'t> {
    /// Code inside this number of braces: of the file, or of a sequence in a template.
    Code {
        braces: usize,
        is_sequence: bool,
    },
    Quoted,
    /// The word that ends the template, and whether the position is at the beginning of a line.
    Heredoc {
        word: &'t str,
        at_line_start: bool,
    },
    /// A template that is the whole text.
    Bare,
}

/// Reads the tokens of a text from front to back.
#[derive(Clone)]
pub(crate) struct Lexer<'t> {
    text: &'t str,
    at: usize,
    frames: Vec<Frame<'t>>,
    /// The byte of the last `*/` in the text, computed when a `/*` is read first. A `/*` behind it is never closed, which is known
    /// without reading the rest of the text again.
    last_comment_end: Option<usize>,
}

impl<'t> Lexer<'t> {
    /// The tokens of a file or an expression.
    pub(crate) fn of_code(text: &'t str) -> Lexer<'t> {
        Lexer::new(text, Frame::Code { braces: 0, is_sequence: false })
    }

    /// The tokens of a template without quotes.
    pub(crate) fn of_template(text: &'t str) -> Lexer<'t> {
        Lexer::new(text, Frame::Bare)
    }

    fn new(text: &'t str, frame: Frame<'t>) -> Lexer<'t> {
        let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Lexer { text, at, frames: vec![frame], last_comment_end: None }
    }

    /// Moves to the end of the text.
    pub(crate) fn go_to_end(&mut self) {
        self.at = self.text.len();
    }

    fn byte(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at.saturating_add(ahead)).copied()
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Makes a token of the next `length` bytes, and advances past them.
    fn token(&mut self, kind: Kind, length: usize) -> Token {
        let start = self.at;
        self.at = start.saturating_add(length).min(self.text.len());
        Token { kind, start, end: self.at }
    }

    /// The next token, comments among them; at the end of the text always its end.
    pub(crate) fn next(&mut self) -> Token {
        match self.frames.last_mut() {
            _ if self.at >= self.text.len() => self.token(Kind::End, 0),
            Some(Frame::Quoted) => self.quoted(),
            Some(Frame::Heredoc { word, at_line_start }) => {
                let (word, at_line_start) = (*word, *at_line_start);
                self.heredoc(word, at_line_start)
            }
            Some(Frame::Bare) => self.bare(),
            _ => self.code(),
        }
    }

    /// A token of code, behind blanks.
    fn code(&mut self) -> Token {
        while let Some(b' ' | b'\t') = self.byte(0) {
            self.at = self.at.saturating_add(1);
        }
        let Some(first) = self.byte(0) else { return self.token(Kind::End, 0) };
        let second = self.byte(1);
        let is_sequence_end =
            matches!(self.frames.last(), Some(Frame::Code { braces: 0, is_sequence: true }));
        let (kind, length) = match (first, second) {
            (b'a'..=b'z' | b'A'..=b'Z' | b'_', _) => (Kind::Name, self.name_length()),
            (b'0'..=b'9', _) => (Kind::Number, self.number_length()),
            (b'\n', _) => (Kind::Newline, 1),
            (b'\r', Some(b'\n')) => (Kind::Newline, 2),
            (b'#', _) | (b'/', Some(b'/')) => (Kind::Comment, self.line_length()),
            (b'/', Some(b'*')) => match self.comment_length() {
                Some(length) => (Kind::Comment, length),
                None => (Kind::Slash, 1),
            },
            (b'"', _) => {
                self.frames.push(Frame::Quoted);
                (Kind::OpenQuote, 1)
            }
            (b'{', _) => {
                self.change_braces(|braces| braces.saturating_add(1));
                (Kind::OpenBrace, 1)
            }
            (b'}', _) | (b'~', Some(b'}')) => {
                let is_trimmed = first == b'~';
                if is_sequence_end {
                    self.frames.pop();
                } else {
                    self.change_braces(|braces| braces.saturating_sub(1));
                }
                let is_end = is_sequence_end || is_trimmed;
                (if is_end { Kind::SequenceEnd } else { Kind::CloseBrace }, if is_trimmed { 2 } else { 1 })
            }
            (b'<', Some(b'<')) => match self.heredoc_marker() {
                Some((word, length)) => {
                    self.frames.push(Frame::Heredoc { word, at_line_start: true });
                    (Kind::OpenHeredoc, length)
                }
                None => (Kind::Less, 1),
            },
            (b'.', Some(b'.')) if self.byte(2) == Some(b'.') => (Kind::Ellipsis, 3),
            (b'=', Some(b'=')) => (Kind::EqualTo, 2),
            (b'=', Some(b'>')) => (Kind::Arrow, 2),
            (b'!', Some(b'=')) => (Kind::NotEqualTo, 2),
            (b'<', Some(b'=')) => (Kind::LessOrEqual, 2),
            (b'>', Some(b'=')) => (Kind::GreaterOrEqual, 2),
            (b'&', Some(b'&')) => (Kind::And, 2),
            (b'|', Some(b'|')) => (Kind::Or, 2),
            (b':', Some(b':')) => (Kind::DoubleColon, 2),
            (b'(', _) => (Kind::OpenParenthesis, 1),
            (b')', _) => (Kind::CloseParenthesis, 1),
            (b'[', _) => (Kind::OpenBracket, 1),
            (b']', _) => (Kind::CloseBracket, 1),
            (b'=', _) => (Kind::Equal, 1),
            (b',', _) => (Kind::Comma, 1),
            (b'.', _) => (Kind::Dot, 1),
            (b':', _) => (Kind::Colon, 1),
            (b'?', _) => (Kind::Question, 1),
            (b'*', _) => (Kind::Star, 1),
            (b'/', _) => (Kind::Slash, 1),
            (b'%', _) => (Kind::Percent, 1),
            (b'+', _) => (Kind::Plus, 1),
            (b'-', _) => (Kind::Minus, 1),
            (b'!', _) => (Kind::Bang, 1),
            (b'<', _) => (Kind::Less, 1),
            (b'>', _) => (Kind::Greater, 1),
            _ => {
                let c = self.rest().chars().next().unwrap_or_default();
                if starts_name(c) { (Kind::Name, self.name_length()) } else { (Kind::Invalid, c.len_utf8()) }
            }
        };
        self.token(kind, length)
    }

    fn change_braces(&mut self, change: impl Fn(usize) -> usize) {
        if let Some(Frame::Code { braces, .. }) = self.frames.last_mut() {
            *braces = change(*braces);
        }
    }

    /// The length of the name at the position.
    fn name_length(&self) -> usize {
        let rest = self.rest();
        let ascii =
            rest.bytes().position(|byte| !(byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')));
        let Some(end) = ascii else { return rest.len() };
        match rest.as_bytes().get(end) {
            Some(byte) if byte.is_ascii() => end,
            _ => rest.find(|c| !continues_name(c)).unwrap_or(rest.len()),
        }
    }

    /// The length of the number at the position: digits and points that do not end with a point, and exponents.
    fn number_length(&self) -> usize {
        let bytes = self.rest().as_bytes();
        let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
        let (mut at, mut end) = (0_usize, 0);
        loop {
            let next = at.saturating_add(1);
            match bytes.get(at) {
                Some(b'0'..=b'9') => (at, end) = (next, next),
                Some(b'.') => at = next,
                Some(b'e' | b'E') if digit(next) => (at, end) = (next, next),
                Some(b'e' | b'E')
                    if matches!(bytes.get(next), Some(b'+' | b'-')) && digit(next.saturating_add(1)) =>
                {
                    (at, end) = (at.saturating_add(2), at.saturating_add(2));
                }
                _ => return end,
            }
        }
    }

    /// The length of the rest of the line, with its end.
    fn line_length(&self) -> usize {
        let rest = self.rest();
        memchr::memchr(b'\n', rest.as_bytes()).map_or(rest.len(), |at| at.saturating_add(1))
    }

    /// The length of the comment of several lines at the position; `None` if it has no end.
    fn comment_length(&mut self) -> Option<usize> {
        let text = self.text;
        let last = *self.last_comment_end.get_or_insert_with(|| text.rfind("*/").unwrap_or(0));
        let from = self.at.saturating_add(2);
        if from > last {
            return None;
        }
        let end = text.get(from..)?.find("*/")?;
        Some(end.saturating_add(4))
    }

    /// The word that ends the heredoc which begins at the position, and the length of its first line.
    fn heredoc_marker(&self) -> Option<(&'t str, usize)> {
        let rest = self.rest();
        let marker = rest.strip_prefix("<<")?;
        let marker = marker.strip_prefix('-').unwrap_or(marker);
        if !marker.starts_with(starts_name) {
            return None;
        }
        // A line is not read whole for each marker in it.
        let (word, behind) = marker.split_at_checked(marker.find(|c| !continues_name(c))?)?;
        let behind = behind.strip_prefix('\r').unwrap_or(behind).strip_prefix('\n')?;
        Some((word, rest.len().saturating_sub(behind.len())))
    }

    /// The length of the text up to a quote, a line end or a sequence. `ends` are the bytes that end it.
    fn literal_length(&self, ends: impl Fn(u8) -> bool, has_escapes: bool) -> usize {
        let bytes = self.rest().as_bytes();
        let is = |at: usize, wanted: &[u8]| bytes.get(at).is_some_and(|byte| wanted.contains(byte));
        let mut at = 0_usize;
        while let Some(&byte) = bytes.get(at) {
            let [next, after] = [1, 2].map(|more| at.saturating_add(more));
            match byte {
                b'$' | b'%' if bytes.get(next) == Some(&byte) && is(after, b"{") => at = at.saturating_add(3),
                b'$' | b'%' if is(next, b"{") => return at,
                b'\\' if has_escapes => {
                    if next >= bytes.len() || is(next, b"\r\n") {
                        return at;
                    }
                    at = after;
                    // The rest of a character of several bytes.
                    while bytes.get(at).is_some_and(|byte| byte & 0xC0 == 0x80) {
                        at = at.saturating_add(1);
                    }
                }
                _ if ends(byte) => return at,
                _ => at = next,
            }
        }
        at
    }

    /// The start of a sequence, if there is one at the position.
    fn sequence(&mut self) -> Option<Token> {
        let kind = match (self.byte(0), self.byte(1)) {
            (Some(b'$'), Some(b'{')) => Kind::Interpolation,
            (Some(b'%'), Some(b'{')) => Kind::Directive,
            _ => return None,
        };
        if let Some(Frame::Heredoc { at_line_start, .. }) = self.frames.last_mut() {
            *at_line_start = false;
        }
        let length = if self.byte(2) == Some(b'~') { 3 } else { 2 };
        self.frames.push(Frame::Code { braces: 0, is_sequence: true });
        Some(self.token(kind, length))
    }

    /// A token of a text in quotes.
    fn quoted(&mut self) -> Token {
        if let Some(sequence) = self.sequence() {
            return sequence;
        }
        match self.byte(0) {
            Some(b'"') => {
                self.frames.pop();
                self.token(Kind::CloseQuote, 1)
            }
            Some(b'\n' | b'\r') => {
                let rest = self.rest();
                let length = rest.find(|c| c != '\n' && c != '\r').unwrap_or(rest.len());
                self.token(Kind::QuotedNewline, length)
            }
            _ => match self.literal_length(|byte| matches!(byte, b'"' | b'\n' | b'\r'), true) {
                // A backslash before the end of the line.
                0 => self.token(Kind::Invalid, 1),
                length => self.token(Kind::Literal, length),
            },
        }
    }

    /// The length of the text up to a line end or a sequence, and the length of that line end; 0 if there is none.
    fn line_of_literal(&self) -> (usize, usize) {
        let length = self.literal_length(|byte| matches!(byte, b'\n' | b'\r'), false);
        let line_end = match (self.byte(length), self.byte(length.saturating_add(1))) {
            (Some(b'\n'), _) => 1,
            (Some(b'\r'), Some(b'\n')) => 2,
            _ => 0,
        };
        (length, line_end)
    }

    /// A token of a heredoc.
    fn heredoc(&mut self, word: &str, at_line_start: bool) -> Token {
        if let Some(sequence) = self.sequence() {
            return sequence;
        }
        let (length, line_end) = self.line_of_literal();
        // The language has no other use of a carriage return.
        if length == 0 && line_end == 0 && self.byte(0) == Some(b'\r') {
            return self.token(Kind::Invalid, self.text.len());
        }
        if line_end > 0 && at_line_start {
            let line = self.rest().get(..length).unwrap_or_default();
            if line.trim() == word {
                self.frames.pop();
                return self.token(Kind::CloseHeredoc, length);
            }
        }
        if let Some(Frame::Heredoc { at_line_start, .. }) = self.frames.last_mut() {
            *at_line_start = line_end > 0;
        }
        self.token(Kind::Literal, length.saturating_add(line_end))
    }

    /// A token of a template without quotes.
    fn bare(&mut self) -> Token {
        if let Some(sequence) = self.sequence() {
            return sequence;
        }
        let (length, line_end) = self.line_of_literal();
        // From a carriage return that ends no line on, all is text.
        if length == 0 && line_end == 0 && self.byte(0) == Some(b'\r') {
            return self.token(Kind::Literal, self.text.len());
        }
        self.token(Kind::Literal, length.saturating_add(line_end))
    }
}

/// Whether a name may begin with this character: `ID_Start` of Unicode, or `_`.
pub(crate) fn starts_name(c: char) -> bool {
    c == '_' || unicode_ident::is_xid_start(c) || ONLY_IN_ID.contains(&c)
}

/// Whether a name may go on with this character: `ID_Continue` of Unicode, or `-`.
pub(crate) fn continues_name(c: char) -> bool {
    c == '-' || unicode_ident::is_xid_continue(c) || ONLY_IN_ID.contains(&c)
}

/// The characters of `ID_Start` that `XID_Start` lacks.
const ONLY_IN_ID: [char; 23] = [
    '\u{37a}', '\u{e33}', '\u{eb3}', '\u{309b}', '\u{309c}', '\u{fc5e}', '\u{fc5f}', '\u{fc60}', '\u{fc61}',
    '\u{fc62}', '\u{fc63}', '\u{fdfa}', '\u{fdfb}', '\u{fe70}', '\u{fe72}', '\u{fe74}', '\u{fe76}',
    '\u{fe78}', '\u{fe7a}', '\u{fe7c}', '\u{fe7e}', '\u{ff9e}', '\u{ff9f}',
];
