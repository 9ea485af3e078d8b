//! Recognises JSON character by character, so that a prefix that no JSON text has is refused as early as possible.

/// What the reader of a JSON text expects next.
#[derive(Clone, Copy, PartialEq)]
enum Expected {
    /// A value; after `[` also the end of the array.
    Value {
        or_end: bool,
    },
    /// A name; after `{` also the end of the object.
    Name {
        or_end: bool,
    },
    Colon,
    /// After a value: a comma, the end of what it is in, or of the text.
    AfterValue,
    String {
        is_name: bool,
    },
    Escape {
        is_name: bool,
    },
    /// Inside `\u`: `missing` hexadecimal digits must follow.
    Hex {
        is_name: bool,
        missing: u8,
    },
    /// Inside `true`, `false` or `null`: this rest of it must follow.
    Literal(&'static str),
    Number(Number),
}

/// How far a number has been read.
#[derive(Clone, Copy, PartialEq)]
enum Number {
    Minus,
    Zero,
    Whole,
    Point,
    Fraction,
    E,
    Sign,
    Exponent,
}

impl Number {
    /// Whether the number is complete.
    fn may_end(self) -> bool {
        matches!(self, Number::Zero | Number::Whole | Number::Fraction | Number::Exponent)
    }

    /// The state after a character; `None` if it cannot follow.
    fn after(self, c: char) -> Option<Number> {
        Some(match (self, c) {
            (Number::Minus, '0') => Number::Zero,
            (Number::Minus, '1'..='9') | (Number::Whole, '0'..='9') => Number::Whole,
            (Number::Zero | Number::Whole, '.') => Number::Point,
            (Number::Point | Number::Fraction, '0'..='9') => Number::Fraction,
            (Number::Zero | Number::Whole | Number::Fraction, 'e' | 'E') => Number::E,
            (Number::E, '+' | '-') => Number::Sign,
            (Number::E | Number::Sign | Number::Exponent, '0'..='9') => Number::Exponent,
            _ => return None,
        })
    }
}

/// The state of the reader.
struct Reader {
    /// What may come next.
    at: Expected,
    /// For each open container, whether it is an object.
    open: Vec<bool>,
}

/// Whether the string is JSON.
pub(super) fn accepts(text: &str) -> bool {
    read_all(text).is_some_and(|reader| {
        let ended = match reader.at {
            Expected::AfterValue => true,
            Expected::Number(number) => number.may_end(),
            _ => false,
        };
        ended && reader.open.is_empty()
    })
}

/// Whether the string is a prefix of some JSON text.
pub(super) fn is_prefix(prefix: &str) -> bool {
    read_all(prefix).is_some()
}

/// Reads all characters; `None` if they are not a prefix of JSON.
fn read_all(text: &str) -> Option<Reader> {
    let mut reader = Reader { at: Expected::Value { or_end: false }, open: Vec::new() };
    for c in text.chars() {
        reader.at = reader.after(c)?;
    }
    Some(reader)
}

/// Whether it is white space of JSON.
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

impl Reader {
    /// Reads a character; `None` if it cannot follow.
    fn after(&mut self, c: char) -> Option<Expected> {
        Some(match (self.at, c) {
            (Expected::Value { .. } | Expected::Name { .. } | Expected::Colon | Expected::AfterValue, c)
                if is_space(c) =>
            {
                self.at
            }
            (Expected::Value { or_end: true }, ']') | (Expected::Name { or_end: true }, '}') => {
                self.end(c)?
            }
            (Expected::Value { .. }, c) => self.value(c)?,
            (Expected::Name { .. }, '"') => Expected::String { is_name: true },
            (Expected::Colon, ':') => Expected::Value { or_end: false },
            (Expected::AfterValue, ',') => match self.open.last()? {
                true => Expected::Name { or_end: false },
                false => Expected::Value { or_end: false },
            },
            (Expected::AfterValue, c) => self.end(c)?,
            (Expected::String { is_name: true }, '"') => Expected::Colon,
            (Expected::String { is_name: false }, '"') => Expected::AfterValue,
            (Expected::String { is_name }, '\\') => Expected::Escape { is_name },
            (Expected::String { .. }, '\0'..='\x1f') => return None,
            (Expected::String { .. }, _) => self.at,
            (Expected::Escape { is_name }, '"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't') => {
                Expected::String { is_name }
            }
            (Expected::Escape { is_name }, 'u') => Expected::Hex { is_name, missing: 4 },
            (Expected::Hex { is_name, missing: 1 }, c) if c.is_ascii_hexdigit() => {
                Expected::String { is_name }
            }
            (Expected::Hex { is_name, missing }, c) if c.is_ascii_hexdigit() => {
                Expected::Hex { is_name, missing: missing.saturating_sub(1) }
            }
            (Expected::Literal(rest), c) => match rest.strip_prefix(c)? {
                "" => Expected::AfterValue,
                rest => Expected::Literal(rest),
            },
            (Expected::Number(number), c) => match number.after(c) {
                Some(number) => Expected::Number(number),
                None if number.may_end() => {
                    self.at = Expected::AfterValue;
                    self.after(c)?
                }
                None => return None,
            },
            _ => return None,
        })
    }

    /// Reads the first character of a value.
    fn value(&mut self, c: char) -> Option<Expected> {
        Some(match c {
            '{' => {
                self.open.push(true);
                Expected::Name { or_end: true }
            }
            '[' => {
                self.open.push(false);
                Expected::Value { or_end: true }
            }
            '"' => Expected::String { is_name: false },
            't' => Expected::Literal("rue"),
            'f' => Expected::Literal("alse"),
            'n' => Expected::Literal("ull"),
            '-' => Expected::Number(Number::Minus),
            '0' => Expected::Number(Number::Zero),
            '1'..='9' => Expected::Number(Number::Whole),
            _ => return None,
        })
    }

    /// Reads a character after a value.
    fn end(&mut self, c: char) -> Option<Expected> {
        let object = self.open.pop()?;
        (c == if object { '}' } else { ']' }).then_some(Expected::AfterValue)
    }
}
