//! Parses JSON with the byte position of each value and name, as configurations in JSON syntax need it.

use std::ops::Range;

use plantime::limits;
use plantime::unstable::text::Cursor;

/// A value in a JSON text.
#[derive(Clone, Debug)]
pub struct JsonNode {
    /// The range of bytes that it takes.
    pub span: Range<usize>,
    /// Its content.
    pub kind: JsonKind,
}

/// The content of a JSON value, by its kind. A number keeps its text; the escapes of a string are resolved.
#[derive(Clone, Debug)]
pub enum JsonKind {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as it is written.
    Number(String),
    /// A string.
    String(String),
    /// An array.
    Array(Vec<JsonNode>),
    /// An object, in the order of the text.
    Object(Vec<JsonProperty>),
}

/// A property of an object.
#[derive(Clone, Debug)]
pub struct JsonProperty {
    /// Its name.
    pub name: String,
    /// The place of the name.
    pub span: Range<usize>,
    /// Its value.
    pub value: JsonNode,
}

/// Parses a JSON text. The error is the byte position where the text is wrong, and a message that says what is wrong there.
pub fn parse_json(text: &str) -> Result<JsonNode, (usize, String)> {
    let mut parser = Parser { cursor: Cursor::new(text), depth: 0 };
    let node = parser.value()?;
    parser.cursor.skip_space();
    match parser.cursor.rest().is_empty() {
        true => Ok(node),
        false => Err(parser.error("text after the end of the document")),
    }
}

/// Parses from front to back.
struct Parser<'t> {
    cursor: Cursor<'t>,
    depth: usize,
}

/// The result of reading a part of the text; the error is a byte position and a message.
type Parsed<T> = Result<T, (usize, String)>;

impl<'t> Parser<'t> {
    /// An error at the current position.
    #[cold]
    fn error(&self, message: &str) -> (usize, String) {
        (self.cursor.at(), message.to_owned())
    }

    /// Skips a symbol if it is next, and tells whether it was.
    fn accept(&mut self, symbol: &str) -> bool {
        let is_next = self.cursor.rest().starts_with(symbol);
        if is_next {
            self.cursor.advance(symbol.len());
        }
        is_next
    }

    /// Reads a symbol after white space; an error if another text is there.
    fn expect(&mut self, symbol: &str) -> Parsed<()> {
        self.cursor.skip_space();
        match self.accept(symbol) {
            true => Ok(()),
            false => Err(self.error(&format!("expected {symbol:?}"))),
        }
    }

    /// Reads a JSON value, with its span.
    fn value(&mut self) -> Parsed<JsonNode> {
        self.cursor.skip_space();
        let start = self.cursor.at();
        let kind = match self.cursor.peek() {
            Some('{') => self.nested(Parser::object)?,
            Some('[') => self.nested(Parser::array)?,
            Some('"') => JsonKind::String(self.string()?),
            Some('-' | '0'..='9') => self.number()?,
            _ if self.accept("null") => JsonKind::Null,
            _ if self.accept("true") => JsonKind::Bool(true),
            _ if self.accept("false") => JsonKind::Bool(false),
            _ => return Err(self.error("expected a value")),
        };
        Ok(JsonNode { span: start..self.cursor.at(), kind })
    }

    /// Calls `parse` for a container one level deeper; an error above the maximum number of levels.
    fn nested(&mut self, parse: fn(&mut Self) -> Parsed<JsonKind>) -> Parsed<JsonKind> {
        if self.depth >= limits::DEPTH {
            return Err(self.error("the document is nested too deep"));
        }
        self.depth = self.depth.saturating_add(1);
        let parsed = parse(self);
        self.depth = self.depth.saturating_sub(1);
        parsed
    }

    /// Reads a JSON object. Its properties stay in order, repeated names included.
    fn object(&mut self) -> Parsed<JsonKind> {
        self.expect("{")?;
        let mut properties = Vec::new();
        self.cursor.skip_space();
        if self.accept("}") {
            return Ok(JsonKind::Object(properties));
        }
        loop {
            self.cursor.skip_space();
            let start = self.cursor.at();
            let name = self.string()?;
            let span = start..self.cursor.at();
            self.expect(":")?;
            properties.push(JsonProperty { name, span, value: self.value()? });
            self.cursor.skip_space();
            if self.accept("}") {
                return Ok(JsonKind::Object(properties));
            }
            self.expect(",")?;
        }
    }

    /// Reads a JSON array.
    fn array(&mut self) -> Parsed<JsonKind> {
        self.expect("[")?;
        let mut items = Vec::new();
        self.cursor.skip_space();
        if self.accept("]") {
            return Ok(JsonKind::Array(items));
        }
        loop {
            items.push(self.value()?);
            self.cursor.skip_space();
            if self.accept("]") {
                return Ok(JsonKind::Array(items));
            }
            self.expect(",")?;
        }
    }

    /// Reads a number and keeps it as it is written.
    fn number(&mut self) -> Parsed<JsonKind> {
        let is_part = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | 'e' | 'E');
        let rest = self.cursor.rest();
        let written = rest.get(..rest.find(|c| !is_part(c)).unwrap_or(rest.len())).unwrap_or_default();
        self.cursor.advance(written.len());
        Ok(JsonKind::Number(written.to_owned()))
    }

    /// Reads a JSON string and resolves its escapes.
    fn string(&mut self) -> Parsed<String> {
        self.expect("\"")?;
        let mut text = String::new();
        loop {
            let rest = self.cursor.rest();
            let plain = rest.find(['"', '\\', '\n']).ok_or_else(|| self.error("the string has no end"))?;
            text.push_str(rest.get(..plain).unwrap_or_default());
            self.cursor.advance(plain);
            match self.cursor.peek() {
                Some('"') => {
                    self.cursor.advance(1);
                    return Ok(text);
                }
                Some('\\') => text.push(self.escape()?),
                _ => return Err(self.error("the string has no end")),
            }
        }
    }

    /// The character of an escape.
    fn escape(&mut self) -> Parsed<char> {
        let symbol = self.cursor.rest().chars().nth(1);
        let c = match symbol {
            Some(c @ ('"' | '\\' | '/')) => c,
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('u') => return self.code_point(),
            _ => return Err(self.error("invalid escape sequence")),
        };
        self.cursor.advance(2);
        Ok(c)
    }

    /// The character of `\uXXXX`, or of two such that are a pair of surrogates.
    fn code_point(&mut self) -> Parsed<char> {
        let first = self.code_unit()?;
        if let 0xD800..=0xDBFF = first
            && self.cursor.rest().starts_with("\\u")
        {
            let second = self.code_unit()?;
            let units = [first, second].map(|unit| u16::try_from(unit).unwrap_or_default());
            return Ok(char::decode_utf16(units).next().and_then(Result::ok).unwrap_or('\u{fffd}'));
        }
        Ok(char::from_u32(first).unwrap_or('\u{fffd}'))
    }

    /// Reads a `\uXXXX` escape: one unit of UTF-16.
    fn code_unit(&mut self) -> Parsed<u32> {
        let digits = self.cursor.rest().get(2..6).ok_or_else(|| self.error("invalid escape sequence"))?;
        let unit = u32::from_str_radix(digits, 16).map_err(|_| self.error("invalid escape sequence"))?;
        self.cursor.advance(6);
        Ok(unit)
    }
}

#[cfg(test)]
mod tests {
    use super::{JsonKind, parse_json};

    #[test]
    fn parts_have_their_places() {
        let text = r#" {"a": [1, "x\u00e9\n\ud83d\ude00"], "b": null}"#;
        let node = parse_json(text).unwrap();
        let JsonKind::Object(properties) = &node.kind else { panic!("no object") };
        assert_eq!(&text[properties[0].span.clone()], "\"a\"");
        let JsonKind::Array(items) = &properties[0].value.kind else { panic!("no array") };
        assert_eq!(&text[items[0].span.clone()], "1");
        assert!(matches!(&items[1].kind, JsonKind::String(text) if text == "x\u{e9}\n\u{1f600}"));
    }

    #[test]
    fn wrong_documents_are_refused() {
        for text in ["", "{", "[1,]", "{\"a\" 1}", "\"a", "1 2", "\"\\x\"", "tru"] {
            assert!(parse_json(text).is_err(), "{text}");
        }
        assert!(parse_json(&"[".repeat(100_000)).unwrap_err().1.contains("too deep"));
    }
}
