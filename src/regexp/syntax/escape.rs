//! Parses escapes.

use regex_syntax::hir::Look;

use super::{ESCAPE, Parsed, Parser, class, fault, start};
use crate::regexp::tree::Node;

impl Parser<'_> {
    /// Parses an escape: a class, an anchor, a quoted part (`\Q…\E`) or a character.
    pub(super) fn escape(&mut self) -> Parsed<()> {
        if let Some(quoted) = self.rest.strip_prefix("\\Q") {
            let (text, after) = quoted.split_once("\\E").unwrap_or((quoted, ""));
            for c in text.chars() {
                self.literal(c, 0)?;
            }
            self.rest = after;
            return Ok(());
        }
        match self.rest.chars().nth(1) {
            Some('A') => self.look(Look::Start, 2),
            Some('z') => self.look(Look::End, 2),
            Some('b') => self.look(Look::WordAscii, 2),
            Some('B') => self.look(Look::WordAsciiNegate, 2),
            _ if class::is_named(self.rest) => self.class_node(class::length(self.rest)?),
            _ => {
                let (c, length) = escaped_code_point(self.rest)?;
                match char::from_u32(c) {
                    Some(c) => self.literal(c, length),
                    None => self.push_operand(Node::Never, length),
                }
            }
        }
    }
}

/// The code point of the escape at the start of the text, and the length of the escape in bytes.
pub(super) fn escaped_code_point(text: &str) -> Parsed<(u32, usize)> {
    let Some(sign) = text.chars().nth(1) else { return fault("trailing backslash at end of expression", "") };
    let rest = text.get(1..).unwrap_or_default();
    let own = sign.len_utf8().saturating_add(1);
    match sign {
        'a' => Ok((0x07, 2)),
        'f' => Ok((0x0c, 2)),
        'n' => Ok((0x0a, 2)),
        'r' => Ok((0x0d, 2)),
        't' => Ok((0x09, 2)),
        'v' => Ok((0x0b, 2)),
        'x' => hexadecimal(text),
        '0'..='7' => {
            let digits = rest.bytes().take(3).take_while(|c| (b'0'..=b'7').contains(c)).count();
            // One digit is a backreference, which RE2 does not support, unless it is 0.
            if sign != '0' && digits < 2 {
                return fault(ESCAPE, start(text, own));
            }
            match u32::from_str_radix(start(rest, digits), 8) {
                Ok(code) => Ok((code, digits.saturating_add(1))),
                Err(_) => fault(ESCAPE, start(text, own)),
            }
        }
        sign if sign.is_ascii() && !sign.is_ascii_alphanumeric() => Ok((u32::from(sign), 2)),
        _ => fault(ESCAPE, start(text, own)),
    }
}

/// The code point of `\x7F` or `\x{10FFFF}` at the start of the text, and the length of the escape in bytes. An error
/// quotes the text up to the first invalid character, as Go does.
fn hexadecimal(text: &str) -> Parsed<(u32, usize)> {
    let is_braced = text.starts_with("\\x{");
    let (mut code, mut digits) = (0_u32, 0_usize);
    for (at, c) in text.char_indices().skip(if is_braced { 3 } else { 2 }) {
        let length = at.saturating_add(c.len_utf8());
        match c.to_digit(16) {
            None if c == '}' && is_braced && digits > 0 => return Ok((code, length)),
            Some(digit) if code <= 0x10_FFFF / 16 => {
                code = code.saturating_mul(16).saturating_add(digit);
                digits = digits.saturating_add(1);
                if !is_braced && digits == 2 {
                    return Ok((code, length));
                }
                if code > 0x10_FFFF {
                    return fault(ESCAPE, start(text, length));
                }
            }
            // Go reads two characters before it checks them.
            _ if !is_braced && digits == 0 => {
                let next = text.get(length..).and_then(|rest| rest.chars().next());
                return fault(ESCAPE, start(text, length.saturating_add(next.map_or(0, char::len_utf8))));
            }
            _ => return fault(ESCAPE, start(text, length)),
        }
    }
    fault(ESCAPE, text)
}
