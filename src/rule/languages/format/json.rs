//! JSON, read character by character: the beginning of a text is enough to see that it can become none.

/// What may stand next.
#[derive(Clone, Copy, PartialEq)]
enum At {
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
    /// So many hexadecimal digits are missing.
    Hex {
        is_name: bool,
        missing: u8,
    },
    /// Inside a literal, of which this is missing.
    Literal(&'static str),
    Number(Number),
}

/// How far a number has come.
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
    fn may_end(self) -> bool {
        matches!(self, Number::Zero | Number::Whole | Number::Fraction | Number::Exponent)
    }

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

struct Reader {
    at: At,
    /// For each open container whether it is an object.
    open: Vec<bool>,
}

pub(super) fn accepts(text: &str) -> bool {
    read(text).is_some_and(|reader| {
        let ended = match reader.at {
            At::AfterValue => true,
            At::Number(number) => number.may_end(),
            _ => false,
        };
        ended && reader.open.is_empty()
    })
}

/// Whether the string is a prefix of some JSON text.
pub(super) fn may_go_on(prefix: &str) -> bool {
    read(prefix).is_some()
}

fn read(text: &str) -> Option<Reader> {
    let mut reader = Reader { at: At::Value { or_end: false }, open: Vec::new() };
    for c in text.chars() {
        reader.at = reader.after(c)?;
    }
    Some(reader)
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

impl Reader {
    fn after(&mut self, c: char) -> Option<At> {
        Some(match (self.at, c) {
            (At::Value { .. } | At::Name { .. } | At::Colon | At::AfterValue, c) if is_space(c) => self.at,
            (At::Value { or_end: true }, ']') | (At::Name { or_end: true }, '}') => self.end(c)?,
            (At::Value { .. }, c) => self.value(c)?,
            (At::Name { .. }, '"') => At::String { is_name: true },
            (At::Colon, ':') => At::Value { or_end: false },
            (At::AfterValue, ',') => match self.open.last()? {
                true => At::Name { or_end: false },
                false => At::Value { or_end: false },
            },
            (At::AfterValue, c) => self.end(c)?,
            (At::String { is_name: true }, '"') => At::Colon,
            (At::String { is_name: false }, '"') => At::AfterValue,
            (At::String { is_name }, '\\') => At::Escape { is_name },
            (At::String { .. }, '\0'..='\x1f') => return None,
            (At::String { .. }, _) => self.at,
            (At::Escape { is_name }, '"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't') => {
                At::String { is_name }
            }
            (At::Escape { is_name }, 'u') => At::Hex { is_name, missing: 4 },
            (At::Hex { is_name, missing: 1 }, c) if c.is_ascii_hexdigit() => At::String { is_name },
            (At::Hex { is_name, missing }, c) if c.is_ascii_hexdigit() => {
                At::Hex { is_name, missing: missing.saturating_sub(1) }
            }
            (At::Literal(rest), c) => match rest.strip_prefix(c)? {
                "" => At::AfterValue,
                rest => At::Literal(rest),
            },
            (At::Number(number), c) => match number.after(c) {
                Some(number) => At::Number(number),
                None if number.may_end() => {
                    self.at = At::AfterValue;
                    self.after(c)?
                }
                None => return None,
            },
            _ => return None,
        })
    }

    fn value(&mut self, c: char) -> Option<At> {
        Some(match c {
            '{' => {
                self.open.push(true);
                At::Name { or_end: true }
            }
            '[' => {
                self.open.push(false);
                At::Value { or_end: true }
            }
            '"' => At::String { is_name: false },
            't' => At::Literal("rue"),
            'f' => At::Literal("alse"),
            'n' => At::Literal("ull"),
            '-' => At::Number(Number::Minus),
            '0' => At::Number(Number::Zero),
            '1'..='9' => At::Number(Number::Whole),
            _ => return None,
        })
    }

    fn end(&mut self, c: char) -> Option<At> {
        let object = self.open.pop()?;
        (c == if object { '}' } else { ']' }).then_some(At::AfterValue)
    }
}
