//! Parses HCL, and refuses text on which the parser would take exponential time.
//!
//! The parser reads an expression of two or more operators again when what follows the last operator is wrong. If that
//! is a bracket with such an expression in it, and so on, each level doubles the time: 300 bytes would take hours. No
//! real file comes near [`COSTLY_BRACKETS`] such levels.

mod json;
mod objects;

use std::borrow::Cow;
use std::collections::HashMap;

use hcl_edit::structure::Body;

use plantime::unstable::text::Cursor;

pub use json::{JsonKind, JsonNode, JsonProperty, parse_json};
pub(crate) use objects::{halves, object_pieces};
use objects::{without_items_of_large_objects, without_items_of_object_around};

/// The maximum number of brackets that may be open at once, of those that each opened after two or more operators.
const COSTLY_BRACKETS: usize = 12;

/// Parses text as HCL. The error is the byte position where the text is wrong, and a message that says what is wrong there.
pub fn parse_body(text: &str) -> Result<Body, (usize, String)> {
    if let Some(place) = costly_bracket(text) {
        return Err((place, "operators and brackets are nested too deep".to_owned()));
    }
    text.parse::<Body>().map_err(|error| (error.location().offset(), error.message().to_owned()))
}

/// Replaces each number that a float cannot hold, such as `1e400`, by another number of the same length, since the parser
/// refuses it. So callers must read numbers from the original text, not from what was parsed.
pub fn with_small_numbers(text: &str) -> Cow<'_, str> {
    let large = large_numbers(text);
    if large.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut changed = text.to_owned();
    let mut scan = Scan::new(text);
    loop {
        // Digits inside strings and heredocs are not replaced.
        let is_expression =
            !matches!(scan.open.last(), Some(OpenDelimiter::Text | OpenDelimiter::Heredoc(_)));
        let Some(place) = scan.next() else { break };
        if let Some(length) = large.get(&place).filter(|_| is_expression) {
            let zeros = "0".repeat(length.saturating_sub(2));
            changed.replace_range(place..place.saturating_add(*length), &format!("1.{zeros}"));
        }
    }
    Cow::Owned(changed)
}

/// Finds the digits in a text that may be a number too large or too long for a float: the length of each by its byte
/// position.
fn large_numbers(text: &str) -> HashMap<usize, usize> {
    let mut found = HashMap::new();
    let bytes = text.as_bytes();
    let digits = |from: usize| {
        let rest = bytes.get(from..).unwrap_or_default();
        from.saturating_add(rest.iter().take_while(|byte| byte.is_ascii_digit()).count())
    };
    let is_at = |at: usize, wanted: &[u8]| bytes.get(at).is_some_and(|byte| wanted.contains(byte));
    let mut place = 0_usize;
    let next_digit = |from: usize| bytes.get(from..).unwrap_or_default().iter().position(u8::is_ascii_digit);
    while let Some(skipped) = next_digit(place) {
        place = place.saturating_add(skipped);
        let before = place.checked_sub(1).and_then(|before| bytes.get(before));
        let is_inside =
            before.is_some_and(|c| c.is_ascii_alphanumeric() || matches!(c, b'_' | b'.') || !c.is_ascii());
        if is_inside {
            place = place.saturating_add(1);
            continue;
        }
        let mut end = digits(place);
        let fraction = digits(end.saturating_add(1));
        if is_at(end, b".") && fraction > end.saturating_add(1) {
            end = fraction;
        }
        if is_at(end, b"eE") {
            let sign = usize::from(is_at(end.saturating_add(1), b"+-"));
            let first = end.saturating_add(1).saturating_add(sign);
            let exponent = digits(first);
            end = if exponent > first { exponent } else { end };
        }
        let length = end.saturating_sub(place);
        // The least such numbers: 1e309, and 310 digits.
        let number = text.get(place..end).filter(|_| length >= 5);
        if number.and_then(|number| number.parse::<f64>().ok()).is_some_and(f64::is_infinite) {
            found.insert(place, length);
        }
        place = end;
    }
    found
}

/// The maximum number of objects and attributes with a repeated name that are made to parse.
const REPEATED_NAMES: usize = 64;

/// Parses text in which an object may have a key twice (the later one counts), or a body an attribute twice (the caller
/// reports it). The parser refuses both, so it gets a changed text of the same length: with another name in place of the
/// repeated attribute, and with an empty object in place of an object that repeats a key, whose items `object_pieces`
/// gives. An object of many items is emptied too, as the parser compares each key with all before it. Callers must read
/// names from the original text.
pub fn parse_repeated_keys(text: &str) -> Result<Body, (usize, String)> {
    parse_with_empty_objects(text, parse_body)
}

/// Parses an expression in which an object may have a key twice, as [`parse_repeated_keys`] does for a body.
pub(crate) fn parse_expression(text: &str) -> Result<hcl_edit::expr::Expression, (usize, String)> {
    parse_with_empty_objects(text, |text| {
        hcl_edit::parser::parse_expr(text)
            .map_err(|error| (error.location().offset(), error.message().to_owned()))
    })
}

fn parse_with_empty_objects<T>(
    text: &str,
    parse: impl Fn(&str) -> Result<T, (usize, String)>,
) -> Result<T, (usize, String)> {
    let text = with_small_numbers(text);
    let mut text = without_items_of_large_objects(&text).map_or(text, Cow::Owned);
    let mut result = parse(&text);
    for count in 0..REPEATED_NAMES {
        let changed = match &result {
            Err((place, message)) if message.contains("redefined object key") => {
                without_items_of_object_around(&text, *place)
            }
            Err((place, message)) if message.contains("redefined attribute") => {
                with_other_name(&text, *place, count)
            }
            _ => return result,
        };
        let Some(changed) = changed else { return result };
        text = Cow::Owned(changed);
        result = parse(&text);
    }
    result
}

/// Replaces the name at byte `place` by another one of the same length, a different one for each `count`; `None` if there is
/// no name, or no further one of that length.
fn with_other_name(text: &str, place: usize, count: usize) -> Option<String> {
    let (before, rest) = text.split_at_checked(place)?;
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    if length == 1 {
        let letters = ('A'..='Z').chain('a'..='z').rev();
        let name = { letters }.nth(count)?;
        return Some(format!("{before}{name}{}", rest.get(1..)?));
    }
    let number = format!("{count:x}");
    let filler = length.checked_sub(number.len().saturating_add(1))?;
    Some(format!("{before}Z{}{number}{}", "_".repeat(filler), rest.get(length..)?))
}

/// A delimiter that is open.
enum OpenDelimiter<'t> {
    /// A bracket, or a template inside a string. `before` is the number of operators in the expression before it. With
    /// `is_body` it encloses the body of a block, where each line is an attribute.
    Bracket { before: usize, is_body: bool },
    /// The quote of a string.
    Text,
    /// A heredoc, which ends at a line with this word.
    Heredoc(&'t str),
}

/// Scans brackets and operators, and nothing else of the syntax.
struct Scan<'t> {
    cursor: Cursor<'t>,
    open: Vec<OpenDelimiter<'t>>,
    /// The number of operators read so far in the current expression.
    operators: usize,
    /// Whether the last token is a name or a string, after which `{` begins a block.
    after_name: bool,
    costly: usize,
    /// The braces around the bodies of blocks read so far: the byte position of each, and whether it is an opening one.
    braces: Vec<(usize, bool)>,
}

/// The byte of the first bracket that nests deeper than [`COSTLY_BRACKETS`].
pub(crate) fn costly_bracket(text: &str) -> Option<usize> {
    let mut scan = Scan::new(text);
    while let Some(place) = scan.next() {
        if scan.costly > COSTLY_BRACKETS {
            return Some(place);
        }
    }
    None
}

/// Finds the braces around the bodies of blocks, in order: the byte position of each, and whether it is an opening one.
pub fn block_braces(text: &str) -> Vec<(usize, bool)> {
    let mut scan = Scan::new(text);
    while scan.next().is_some() {}
    scan.braces
}

impl<'t> Scan<'t> {
    /// A scan at the beginning of the text.
    fn new(text: &'t str) -> Scan<'t> {
        let (open, braces) = (Vec::new(), Vec::new());
        Scan { cursor: Cursor::new(text), open, operators: 0, after_name: false, costly: 0, braces }
    }

    /// Reads the next token, or the next characters of a string; returns the byte position where they begin, or `None` at the end of
    /// the text.
    fn next(&mut self) -> Option<usize> {
        let (c, place) = (self.cursor.peek()?, self.cursor.at());
        match self.open.last() {
            Some(OpenDelimiter::Text) => self.read_quoted_char(c),
            Some(OpenDelimiter::Heredoc(_)) => self.read_heredoc_char(c),
            _ => self.read_expression_token(c),
        }
        Some(place)
    }

    /// Records an opening bracket, and whether it opens the body of a block.
    fn open_bracket(&mut self, is_body: bool) {
        self.costly = self.costly.saturating_add(usize::from(self.operators >= 2));
        if is_body {
            self.braces.push((self.cursor.at(), true));
        }
        self.open.push(OpenDelimiter::Bracket { before: self.operators, is_body });
        self.operators = 0;
    }

    /// Records a closing bracket.
    fn close_bracket(&mut self) {
        if let Some(OpenDelimiter::Bracket { before, is_body }) = self.open.pop() {
            if is_body {
                self.braces.push((self.cursor.at(), false));
            }
            self.operators = before;
            self.costly = self.costly.saturating_sub(usize::from(before >= 2));
        }
    }

    /// Counts an operator of this number of bytes.
    fn read_operator(&mut self, bytes: usize) {
        self.operators = self.operators.saturating_add(1);
        self.cursor.advance(bytes);
    }

    /// Scans the token outside of strings that begins with `c`.
    fn read_expression_token(&mut self, c: char) {
        let rest = self.cursor.rest();
        let after_name = std::mem::replace(&mut self.after_name, false);
        match c {
            '#' => self.skip_line(),
            '/' if rest.starts_with("//") => self.skip_line(),
            '/' if rest.starts_with("/*") => {
                self.cursor.advance(rest.find("*/").map_or(rest.len(), |end| end.saturating_add(2)));
            }
            '"' => {
                self.open.push(OpenDelimiter::Text);
                self.cursor.advance(1);
            }
            '{' => {
                self.open_bracket(after_name);
                self.cursor.advance(1);
            }
            '(' | '[' => {
                self.open_bracket(false);
                self.cursor.advance(1);
            }
            '}' | ')' | ']' => {
                self.close_bracket();
                self.cursor.advance(1);
            }
            '\n' => {
                if matches!(self.open.last(), None | Some(OpenDelimiter::Bracket { is_body: true, .. })) {
                    self.operators = 0;
                }
                self.cursor.advance(1);
            }
            '<' if rest.starts_with("<<") && self.open_heredoc(rest) => {}
            '=' | '!' | '<' | '>' if rest.get(1..2) == Some("=") => self.read_operator(2),
            '=' | ',' | ':' | '?' => {
                self.operators = 0;
                self.cursor.advance(1);
            }
            '!' | '<' | '>' | '+' | '-' | '*' | '/' | '%' | '&' | '|' => self.read_operator(1),
            ' ' => {
                self.after_name = after_name;
                self.skip_bytes(1, |byte| byte == b' ');
            }
            c => {
                self.after_name = c.is_alphanumeric() || c == '_';
                match self.after_name {
                    true => {
                        self.skip_bytes(c.len_utf8(), |byte| byte.is_ascii_alphanumeric() || byte == b'_')
                    }
                    false => self.cursor.advance(c.len_utf8()),
                }
            }
        }
    }

    /// Moves on by this number of bytes, and by all bytes after them that are of one kind. The kind is one of ASCII, so that the scan stays
    /// between characters.
    fn skip_bytes(&mut self, first: usize, is_of_kind: impl Fn(u8) -> bool) {
        let rest = self.cursor.rest().as_bytes().get(first..).unwrap_or_default();
        let more = rest.iter().position(|byte| !is_of_kind(*byte)).unwrap_or(rest.len());
        self.cursor.advance(first.saturating_add(more));
    }

    /// Moves on to the end of the line.
    fn skip_line(&mut self) {
        let rest = self.cursor.rest();
        self.cursor.advance(rest.find('\n').unwrap_or(rest.len()));
    }

    /// Opens a heredoc if one begins here, and tells whether it does.
    fn open_heredoc(&mut self, rest: &'t str) -> bool {
        // A line is not read whole for each marker in it.
        let marker = rest.strip_prefix("<<").unwrap_or(rest);
        let marker = marker.strip_prefix('-').unwrap_or(marker).trim_start_matches([' ', '\t']);
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        let (word, behind) = marker.split_at(marker.find(|c| !is_part(c)).unwrap_or(marker.len()));
        let behind = behind.trim_start_matches([' ', '\t', '\r']);
        if word.is_empty() || !(behind.is_empty() || behind.starts_with('\n')) {
            return false;
        }
        self.skip_line();
        self.open.push(OpenDelimiter::Heredoc(word));
        true
    }

    /// Scans characters in a quoted string.
    fn read_quoted_char(&mut self, c: char) {
        match c {
            '\\' => {
                let escaped = self.cursor.rest().chars().nth(1).map_or(0, char::len_utf8);
                self.cursor.advance(escaped.saturating_add(1));
            }
            '"' | '\n' => {
                self.open.pop();
                self.after_name = true;
                self.cursor.advance(usize::from(c == '"'));
            }
            c => self.read_template_char(c),
        }
    }

    /// Scans characters in a heredoc.
    fn read_heredoc_char(&mut self, c: char) {
        if c == '\n' {
            let line = self.cursor.rest().get(1..).unwrap_or_default().lines().next().unwrap_or_default();
            if matches!(self.open.last(), Some(OpenDelimiter::Heredoc(word)) if line.trim() == *word) {
                self.open.pop();
                self.cursor.advance(line.len().saturating_add(1));
                return;
            }
        }
        self.read_template_char(c);
    }

    /// Scans characters of a string, or the opening of a template in it.
    fn read_template_char(&mut self, c: char) {
        if c.is_ascii() && c != '$' && c != '%' {
            let is_plain = |byte: u8| byte.is_ascii() && !matches!(byte, b'$' | b'%' | b'"' | b'\\' | b'\n');
            self.skip_bytes(1, is_plain);
            return;
        }
        let rest = self.cursor.rest();
        if rest.starts_with("$${") || rest.starts_with("%%{") {
            self.cursor.advance(3);
        } else if rest.starts_with("${") || rest.starts_with("%{") {
            self.open_bracket(false);
            self.cursor.advance(2);
        } else {
            self.cursor.advance(c.len_utf8());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{COSTLY_BRACKETS, costly_bracket, parse_body, parse_repeated_keys};

    #[test]
    fn what_would_take_long_is_refused() {
        for (open, at) in [("a/a/{", 4), ("a - a <= (", 9), ("a/a/\"${", 5)] {
            let text = format!("x = {}", open.repeat(COSTLY_BRACKETS));
            assert_eq!(costly_bracket(&text), None, "{text}");
            let text = format!("x = {}", open.repeat(60));
            assert_eq!(costly_bracket(&text), Some(4 + open.len() * COSTLY_BRACKETS + at), "{text}");
            assert!(parse_body(&text).unwrap_err().1.contains("nested too deep"));
        }
        assert!(costly_bracket(&format!("x = ({}", "a/\na/{".repeat(60))).is_some());
        let heredoc = format!("x = <<-EOT\n  a {}\nEOT\n", "${a+a+(".repeat(60));
        assert!(parse_body(&heredoc).is_err() && costly_bracket(&heredoc).is_some());
    }

    #[test]
    fn a_key_may_be_there_twice() {
        let text = "x = {\n  abc = 1\n  abc = [2]\n  def = 3\n  def = 4\n}\n";
        assert!(parse_body(text).is_err());
        assert_eq!(parse_repeated_keys(text).unwrap().attributes().count(), 1);
        assert!(parse_repeated_keys("x = { a = 1, \"b\" = 1, \"b\" = 2 }").is_ok());
        assert!(parse_repeated_keys("x = { a = 1, a = 2 }\ny = 1\ny = 2\n").is_ok());
    }

    #[test]
    fn numbers_that_no_float_holds_are_replaced() {
        for (text, replaced) in [
            ("x = 1e400", "x = 1.000"),
            ("x = [1e308, 12.5e+1000]", "x = [1e308, 1.00000000]"),
            ("x = \"1e400 ${1e400} # 1e400\" # 1e400", "x = \"1e400 ${1.000} # 1e400\" # 1e400"),
            ("a1e400 = 1e-400", "a1e400 = 1e-400"),
        ] {
            assert_eq!(super::with_small_numbers(text), replaced);
        }
        let digits = format!("x = {}\n", "9".repeat(400));
        assert!(parse_body(&digits).is_err() && parse_repeated_keys(&digits).is_ok());
    }

    #[test]
    fn what_files_hold_is_read() {
        let blocks = "b {\n  x = 1 + 2 - 3\n".repeat(60) + &"}\n".repeat(60);
        assert!(parse_body(&blocks).is_ok());
        let lists = format!("x = {}1{}\n", "[1 - 1, ".repeat(60), "]".repeat(60));
        assert!(parse_body(&lists).is_ok());
        let sums = "x = (1 + 2 + (3 + 4 + (5))) # (((\n".repeat(100);
        assert_eq!(costly_bracket(&sums), None);
        let text = "x = <<EOT\n- - ( - - ( - - ( $${ - - %%{\nEOT\ny = \"- - ( \\\" - - (\" /* - - ( */\n"
            .repeat(30);
        assert_eq!(costly_bracket(&text), None);
    }
}
