//! What begins with a backslash.

use regex::Regex;

use super::{ESCAPE, RANGE, Read, Reader, fault, literal, start};

impl Reader<'_> {
    pub(super) fn escape(&mut self) -> Read<()> {
        if let Some(quoted) = self.rest.strip_prefix("\\Q") {
            let text = quoted.split("\\E").next().unwrap_or_default();
            text.chars().for_each(|c| literal(&mut self.out.text, c));
            self.operand |= !text.is_empty();
            let whole = text.len().saturating_add(2);
            self.skip(if quoted.len() > text.len() { whole.saturating_add(2) } else { whole });
            return Ok(());
        }
        self.operand = true;
        match self.rest.chars().nth(1) {
            Some(sign @ ('A' | 'z')) => {
                self.out.text.extend(['\\', sign]);
                self.skip(2);
            }
            Some(sign @ ('b' | 'B')) => {
                self.out.text.push_str(if sign == 'b' { "(?-u:\\b)" } else { "(?-u:\\B)" });
                self.skip(2);
            }
            Some(sign) if perl_class(sign).is_some() => {
                let class = perl_class(sign).unwrap_or_default();
                self.out.text.extend(["(?-i:", class, ")"]);
                self.skip(2);
            }
            Some('p' | 'P') => self.property()?,
            _ => {
                let (c, length) = escaped(self.rest)?;
                self.literal(c, length);
            }
        }
        Ok(())
    }

    /// A property of Unicode: `\pL`, `\p{Greek}`, `\P{^Greek}`.
    pub(super) fn property(&mut self) -> Read<()> {
        let name = self.rest.get(2..).unwrap_or_default();
        let length = match name.chars().next() {
            Some('{') => match name.find('}') {
                Some(end) => end.saturating_add(3),
                None => return fault(RANGE, self.rest),
            },
            Some(c) => c.len_utf8().saturating_add(2),
            None => return fault(RANGE, self.rest),
        };
        let text = start(self.rest, length);
        let is_name = |c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '{' | '}' | '^');
        if !text.chars().skip(1).all(is_name) || Regex::new(text).is_err() {
            return fault(RANGE, text);
        }
        self.copy(length);
        Ok(())
    }
}

pub(super) fn perl_class(sign: char) -> Option<&'static str> {
    Some(match sign {
        'd' => "[0-9]",
        'D' => "[^0-9]",
        's' => "[\\t\\n\\f\\r ]",
        'S' => "[^\\t\\n\\f\\r ]",
        'w' => "[0-9A-Za-z_]",
        'W' => "[^0-9A-Za-z_]",
        _ => return None,
    })
}

/// The character that an escape stands for, and how many bytes it takes.
pub(super) fn escaped(text: &str) -> Read<(char, usize)> {
    let Some(sign) = text.chars().nth(1) else { return fault("trailing backslash at end of expression", "") };
    let rest = text.get(1..).unwrap_or_default();
    let own = sign.len_utf8().saturating_add(1);
    let code = |digits: &str, radix, length| {
        let c = u32::from_str_radix(digits, radix).ok().and_then(char::from_u32);
        c.map_or_else(|| fault(ESCAPE, start(text, own)), |c| Ok((c, length)))
    };
    match sign {
        'a' => Ok(('\u{7}', 2)),
        'f' => Ok(('\u{c}', 2)),
        'n' => Ok(('\n', 2)),
        'r' => Ok(('\r', 2)),
        't' => Ok(('\t', 2)),
        'v' => Ok(('\u{b}', 2)),
        'x' => match rest.strip_prefix("x{").and_then(|digits| digits.split_once('}')) {
            Some((digits, _)) => code(digits, 16, digits.len().saturating_add(4)),
            None => code(rest.get(1..3).unwrap_or("x"), 16, 4),
        },
        '0'..='7' => {
            let digits = rest.bytes().take(3).take_while(|c| (b'0'..=b'7').contains(c)).count();
            // One digit is a reference to a group, which there is not, unless it is 0.
            if sign != '0' && digits < 2 {
                fault(ESCAPE, start(text, own))
            } else {
                code(start(rest, digits), 8, digits.saturating_add(1))
            }
        }
        sign if sign.is_ascii() && !sign.is_ascii_alphanumeric() => Ok((sign, 2)),
        _ => fault(ESCAPE, start(text, own)),
    }
}
