//! Parses the JSON syntax of HCL: JSON with the place of each value and name, and errors in the words of Terraform.

use std::ops::Range;

use plantime::source::Source;
use plantime::unstable::json::{Reader, Token};
use plantime::unstable::text::near_name;

use crate::expression::{Diagnostic, Problems};

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

/// Parses a source as JSON. The problems are added to `problems`; `None` if there is one.
pub fn parse_json(source: &Source, problems: &mut Problems) -> Option<JsonNode> {
    let text = source.text();
    let mut parser = Parser { reader: Reader::new(text.as_bytes()).ok()?, source, problems, errors: 0 };
    let node = parser.value(false)?;
    if parser.errors == 0 && parser.reader.end().is_err() {
        let at = parser.reader.at();
        let end = at.saturating_add(parser.word_length(at));
        parser.report(
            at..end,
            "Extraneous data after value",
            "Extra characters appear after the JSON value.",
        );
    }
    (parser.errors == 0).then_some(node)
}

/// Builds nodes from what the reader of JSON reads, and says what is wrong where it stops.
struct Parser<'s> {
    reader: Reader<'s>,
    source: &'s Source,
    problems: &'s mut Problems,
    errors: usize,
}

const NO_VALUE: &str = "A JSON value must start with a brace, a bracket, a number, a string, or a keyword.";

impl Parser<'_> {
    #[cold]
    fn report(&mut self, span: Range<usize>, summary: &str, detail: impl Into<String>) {
        self.errors = self.errors.saturating_add(1);
        self.problems.push(Diagnostic::new(self.source, span, summary, detail));
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.source.text().as_bytes().get(at).copied()
    }

    /// The number of bytes from a place on that belong to one token.
    fn word_length(&self, at: usize) -> usize {
        let rest = self.source.text().get(at..).unwrap_or_default();
        let run = |belongs: fn(u8) -> bool| rest.bytes().take_while(|byte| belongs(*byte)).count();
        match rest.as_bytes().first() {
            Some(b'a'..=b'z' | b'A'..=b'Z') => run(|byte| byte.is_ascii_alphabetic() || byte == b'_'),
            Some(b'0'..=b'9' | b'+' | b'-' | b'.') => {
                run(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'))
            }
            Some(b'"') => self.string_length(at),
            _ => rest.chars().next().map_or(0, char::len_utf8),
        }
    }

    /// The number of bytes of the string at a place, up to its closing quote or a control character.
    fn string_length(&self, at: usize) -> usize {
        let rest = self.source.text().as_bytes().get(at..).unwrap_or_default();
        let (mut end, mut escaped) = (1_usize, false);
        while let Some(byte) = rest.get(end).filter(|byte| **byte >= b' ') {
            end = end.saturating_add(1);
            match byte {
                b'\\' => escaped = !escaped,
                b'"' if !escaped => break,
                _ => escaped = false,
            }
        }
        end
    }

    /// Reads a value. After an error in a scalar it is null, and reading goes on; `None` after any other error.
    fn value(&mut self, in_array: bool) -> Option<JsonNode> {
        let kind = self.reader.peek();
        let start = self.reader.at();
        let span = start..start.saturating_add(self.word_length(start));
        let word = self.source.text().get(span.clone()).unwrap_or_default();
        let is_whole = |reader: &Reader<'_>| reader.at() == span.end;
        let scalar = match (kind, word.as_bytes().first()) {
            (Ok(Token::Object), _) => return self.object(start),
            (Ok(Token::Array), _) => return self.array(start),
            (Ok(Token::Null), _) if word == "null" => self.reader.null().ok().map(|()| JsonKind::Null),
            (Ok(Token::Bool), _) if matches!(word, "true" | "false") => {
                self.reader.bool().ok().map(JsonKind::Bool)
            }
            (Ok(Token::Number), _) => match self.reader.number() {
                Ok(digits) if is_whole(&self.reader) => Some(JsonKind::Number(digits.to_owned())),
                _ => self.report_invalid_number(span.clone()),
            },
            (Ok(Token::String), _) => match self.reader.string() {
                Ok(text) => Some(JsonKind::String(text.text().into_owned())),
                Err(_) => self.report_invalid_string(span.clone()),
            },
            (_, Some(b'a'..=b'z' | b'A'..=b'Z')) => self.report_invalid_keyword(span.clone(), word),
            (_, Some(b'+' | b'.')) => self.report_invalid_number(span.clone()),
            (_, first) => {
                let (summary, detail) = match first {
                    Some(b'}') => ("Missing JSON value", NO_VALUE),
                    Some(b']') if in_array || self.reader.depth() > 0 => {
                        ("Missing array element value", NO_VALUE)
                    }
                    None => ("Missing value", "The JSON data ends prematurely."),
                    _ => ("Invalid start of value", NO_VALUE),
                };
                self.report(span, summary, detail);
                return None;
            }
        };
        match scalar {
            Some(kind) => Some(JsonNode { span: start..self.reader.at(), kind }),
            None => {
                let depth = self.reader.depth();
                self.reader.go_to(span.end, depth);
                Some(JsonNode { span, kind: JsonKind::Null })
            }
        }
    }

    #[cold]
    fn report_invalid_number(&mut self, span: Range<usize>) -> Option<JsonKind> {
        self.report(span, "Invalid JSON number", "There is a syntax error in the given JSON number.");
        None
    }

    #[cold]
    fn report_invalid_string(&mut self, span: Range<usize>) -> Option<JsonKind> {
        // Behind the byte that is wrong.
        let at = self.reader.at().saturating_add(1).min(span.end);
        let problem = Diagnostic::new(
            self.source,
            at..at.saturating_add(1),
            "Invalid JSON string",
            "There is a syntax error in the given JSON string.",
        );
        self.errors = self.errors.saturating_add(1);
        self.problems.push(problem.with_context(span));
        None
    }

    #[cold]
    fn report_invalid_keyword(&mut self, span: Range<usize>, word: &str) -> Option<JsonKind> {
        let detail = match word {
            "undefined" | "NaN" | "Infinity" => {
                format!("The JavaScript identifier {word:?} cannot be used in JSON.")
            }
            _ => {
                let near = near_name(word, ["true", "false", "null"].into_iter());
                let hint = near.map(|near| format!(" Did you mean {near:?}?")).unwrap_or_default();
                format!("{word:?} is not a valid JSON keyword.{hint}")
            }
        };
        self.report(span, "Invalid JSON keyword", detail);
        None
    }

    /// Enters an array or object.
    fn enter(&mut self, open: usize) -> Option<()> {
        let entered = self.reader.enter();
        if let Err(error) = &entered {
            let message = error.message();
            let message = message.split_once(" at line ").map_or(message, |(message, _)| message);
            let span = open..open.saturating_add(1);
            let problem = Diagnostic::new(self.source, span, "Expression too complex", format!("{message}."));
            self.errors = self.errors.saturating_add(1);
            self.problems.push(problem.of_limit());
        }
        entered.ok()
    }

    fn array(&mut self, open: usize) -> Option<JsonNode> {
        self.enter(open)?;
        let mut items = Vec::new();
        let mut first = true;
        loop {
            match self.reader.element(std::mem::take(&mut first)) {
                Ok(true) => items.push(self.value(true)?),
                Ok(false) => {
                    return Some(JsonNode { span: open..self.reader.at(), kind: JsonKind::Array(items) });
                }
                Err(_) => {
                    self.report_missing_comma(open, true);
                    return None;
                }
            }
        }
    }

    fn object(&mut self, open: usize) -> Option<JsonNode> {
        self.enter(open)?;
        let mut properties = Vec::new();
        let mut first = true;
        loop {
            let mut before = self.reader;
            let is_first = std::mem::take(&mut first);
            match self.reader.key(is_first) {
                Ok(Some(name)) => {
                    // The name is behind the comma.
                    let _ = before.element(is_first);
                    let _ = before.peek();
                    let start = before.at();
                    let span = start..start.saturating_add(self.string_length(start));
                    let value = self.value(false)?;
                    properties.push(JsonProperty { name: name.text().into_owned(), span, value });
                }
                Ok(None) => {
                    return Some(JsonNode {
                        span: open..self.reader.at(),
                        kind: JsonKind::Object(properties),
                    });
                }
                Err(_) => {
                    self.report_invalid_property(open, before, is_first);
                    return None;
                }
            }
        }
    }

    /// Reports what is wrong where the reader has stopped before or in a property.
    #[cold]
    fn report_invalid_property(&mut self, open: usize, mut before: Reader<'_>, is_first: bool) {
        let at = self.reader.at();
        let next = self.byte(at);
        let span = at..at.saturating_add(self.word_length(at));
        // Where the name should begin; the comma before it is there if there is no error.
        let mut probe = before;
        let has_comma = is_first || probe.element(false).is_ok_and(|more| more);
        let _ = before.element(is_first);
        let _ = before.peek();
        let name = before.at();
        if !has_comma || !is_first && self.byte(name) == Some(b'}') {
            return self.report_missing_comma(open, false);
        }
        if self.byte(name) != Some(b'"') {
            let span = name..name.saturating_add(self.word_length(name));
            self.value(false);
            let detail = "A JSON object property name must be a string";
            return self.report(span, "Invalid object property name", detail);
        }
        let name_end = name.saturating_add(self.string_length(name));
        if at < name_end {
            self.report_invalid_string(name..name_end);
            return;
        }
        let (summary, detail) = match next {
            Some(b'}' | b',') => {
                ("Missing object value", "A JSON object attribute must have a value, introduced by a colon.")
            }
            Some(b'=') => (
                "Missing property value colon",
                "JSON uses a colon as its name/value delimiter, not an equals sign.",
            ),
            _ => (
                "Missing property value colon",
                "A colon must appear between an object property's name and its value.",
            ),
        };
        self.report(span, summary, detail);
    }

    /// Reports that a comma or the closing bracket of an array or object is missing.
    #[cold]
    fn report_missing_comma(&mut self, open: usize, is_array: bool) {
        let at = self.reader.at();
        let span = at..at.saturating_add(self.word_length(at));
        let before = self.source.text().get(..at).unwrap_or_default();
        let comma = before.trim_end().len().saturating_sub(1);
        let is_trailing = self.byte(comma) == Some(b',');
        let (span, summary, detail) = match (self.byte(at), is_array) {
            (Some(b']'), true) if is_trailing => (
                comma..comma.saturating_add(1),
                "Trailing comma in array",
                "JSON does not permit a trailing comma after the final value in an array.",
            ),
            (Some(b'}'), false) if is_trailing => (
                comma..comma.saturating_add(1),
                "Trailing comma in object",
                "JSON does not permit a trailing comma after the final property in an object.",
            ),
            (None, true) => (
                open..open.saturating_add(1),
                "Unclosed object",
                "No closing bracket was found for this JSON array.",
            ),
            (None, false) => (
                open..open.saturating_add(1),
                "Unclosed object",
                "No closing brace was found for this JSON object.",
            ),
            (Some(b':'), true) => {
                (span, "Invalid array value", "A colon is not used to introduce values in a JSON array.")
            }
            (Some(b'}'), true) => {
                (span, "Mismatched brackets", "A JSON array must be closed with a bracket, not a brace.")
            }
            (Some(b']'), false) => {
                (span, "Mismatched braces", "A JSON object must be closed with a brace, not a bracket.")
            }
            (_, true) => (
                span,
                "Missing attribute seperator comma",
                "A comma must appear between each value in an array.",
            ),
            (_, false) => (
                span,
                "Missing attribute seperator comma",
                "A comma must appear between each property definition in an object.",
            ),
        };
        self.report(span, summary, detail);
    }
}

#[cfg(test)]
mod tests {
    use super::{JsonKind, parse_json};
    use crate::expression::Problems;
    use plantime::source::Source;

    fn problems(text: &str) -> Vec<String> {
        let mut problems = Problems::default();
        assert!(parse_json(&Source::new("a.json", text), &mut problems).is_none(), "{text}");
        problems
            .iter()
            .map(|problem| format!("{} {}", problem.position().column, problem.summary()))
            .collect()
    }

    #[test]
    fn parts_have_their_places() {
        let text = r#" {"a": [1, "x\u00e9\n\ud83d\ude00"], "b": null}"#;
        let node = parse_json(&Source::new("a.json", text), &mut Problems::default()).unwrap();
        let JsonKind::Object(properties) = &node.kind else { panic!("no object") };
        let names: Vec<&str> = properties.iter().map(|property| &text[property.span.clone()]).collect();
        assert_eq!(names, ["\"a\"", "\"b\""]);
        let JsonKind::Array(items) = &properties[0].value.kind else { panic!("no array") };
        assert_eq!(&text[items[0].span.clone()], "1");
        assert!(matches!(&items[1].kind, JsonKind::String(text) if text == "x\u{e9}\n\u{1f600}"));
    }

    #[test]
    fn wrong_documents_are_refused() {
        for (text, expected) in [
            ("", "1 Missing value"),
            ("{\"a\": 1", "1 Unclosed object"),
            ("[1", "1 Unclosed object"),
            ("[1,]", "3 Trailing comma in array"),
            ("{\"a\": 1,}", "8 Trailing comma in object"),
            ("{\"a\" 1}", "6 Missing property value colon"),
            ("{\"a\" = 1}", "6 Missing property value colon"),
            ("{\"a\"}", "5 Missing object value"),
            ("{1: 2}", "2 Invalid object property name"),
            ("{\"a\": 1 \"b\": 2}", "9 Missing attribute seperator comma"),
            ("{\"a\": 1]", "8 Mismatched braces"),
            ("[1}", "3 Mismatched brackets"),
            ("1 2", "3 Extraneous data after value"),
            ("tru", "1 Invalid JSON keyword"),
            ("01", "1 Invalid JSON number"),
            ("'a'", "1 Invalid start of value"),
        ] {
            assert_eq!(problems(text), [expected], "{text}");
        }
        assert_eq!(problems("{"), ["2 Missing value", "2 Invalid object property name"]);
        assert_eq!(problems("[tru, 01]").len(), 2);
        assert_eq!(problems("{\"a\": \"\\x\"}")[0].split_once(' ').unwrap().1, "Invalid JSON string");
        assert_eq!(problems(&"[".repeat(100_000))[0].split_once(' ').unwrap().1, "Expression too complex");
    }
}
