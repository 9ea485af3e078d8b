//! The syntax of regular expressions in Go, written as that of the crate `regex`.
//!
//! Both are RE2's. Of Go alone are `\Q…\E`, groups of one name, names that begin with a digit, and `{` as itself where
//! no numbers follow; there `\w`, `\d`, `\s` and `\b` are about ASCII, and a number of repetitions is at most 1,000.

use regex::Regex;

/// What a pattern is written as, and the names of its groups from the first on.
#[derive(Debug, Default)]
pub(super) struct Written {
    pub(super) text: String,
    pub(super) names: Vec<Option<Box<str>>>,
}

/// What is wrong, in Go's words, and where.
#[derive(Debug, PartialEq)]
pub(super) struct Fault {
    pub(super) code: &'static str,
    pub(super) part: String,
}

type Read<T> = Result<T, Fault>;

fn fault<T>(code: &'static str, part: &str) -> Read<T> {
    Err(Fault { code, part: part.to_owned() })
}

const BRACKET: &str = "missing closing ]";
const CAPTURE: &str = "invalid named capture";
const ESCAPE: &str = "invalid escape sequence";
const PERL: &str = "invalid or unsupported Perl syntax";
const RANGE: &str = "invalid character class range";
/// The classes of POSIX.
const POSIX: [&str; 14] = [
    "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space",
    "upper", "word", "xdigit",
];
/// The most repetitions.
const REPEAT: u32 = 1000;

/// Reads a pattern.
pub(super) fn written(pattern: &str) -> Read<Written> {
    let mut reader =
        Reader { rest: pattern, out: Written::default(), depth: 0, operand: false, repeated: None };
    while let Some(c) = reader.rest.chars().next() {
        let repeated = reader.repeated.take();
        reader.token(c, pattern, repeated)?;
    }
    if reader.depth > 0 { fault("missing closing )", pattern) } else { Ok(reader.out) }
}

struct Reader<'a> {
    rest: &'a str,
    out: Written,
    /// How many groups are open.
    depth: usize,
    /// Whether there is something that can be repeated.
    operand: bool,
    /// What was there when the repetition began that has just been read.
    repeated: Option<&'a str>,
}

impl<'a> Reader<'a> {
    fn token(&mut self, c: char, pattern: &str, repeated: Option<&'a str>) -> Read<()> {
        match c {
            '(' if self.rest.starts_with("(?") => self.flags()?,
            '(' => self.open(None, 1),
            ')' if self.depth == 0 => return fault("unexpected )", pattern),
            ')' => {
                self.depth = self.depth.saturating_sub(1);
                self.copy(1);
                self.operand = true;
            }
            '|' => {
                self.copy(1);
                self.operand = false;
            }
            '*' | '+' | '?' => self.repeat(1, repeated)?,
            '{' => match repetition(self.rest) {
                Some((length, true)) => self.repeat(length, repeated)?,
                Some((length, false)) => return fault("invalid repeat count", start(self.rest, length)),
                None => self.literal('{', 1),
            },
            '^' | '$' | '.' => {
                self.copy(1);
                self.operand = true;
            }
            '[' => self.class()?,
            '\\' => self.escape()?,
            c => self.literal(c, c.len_utf8()),
        }
        Ok(())
    }

    fn skip(&mut self, length: usize) {
        self.rest = self.rest.get(length..).unwrap_or_default();
    }

    /// Writes so many bytes as they are.
    fn copy(&mut self, length: usize) {
        self.out.text.push_str(start(self.rest, length));
        self.skip(length);
    }

    fn literal(&mut self, c: char, length: usize) {
        literal(&mut self.out.text, c);
        self.skip(length);
        self.operand = true;
    }

    fn open(&mut self, name: Option<&str>, length: usize) {
        self.out.names.push(name.map(Into::into));
        self.out.text.push('(');
        self.depth = self.depth.saturating_add(1);
        self.skip(length);
        self.operand = false;
    }

    fn repeat(&mut self, length: usize, repeated: Option<&'a str>) -> Read<()> {
        let before = self.rest;
        self.copy(length);
        if self.rest.starts_with('?') {
            self.copy(1);
        }
        let from = |text: &'a str| start(text, text.len().saturating_sub(self.rest.len()));
        if let Some(repeated) = repeated {
            return fault("invalid nested repetition operator", from(repeated));
        }
        if !self.operand {
            return fault("missing argument to repetition operator", from(before));
        }
        self.repeated = Some(before);
        Ok(())
    }

    /// What begins with `(?`: a group with a name, or flags.
    fn flags(&mut self) -> Read<()> {
        for begin in ["(?P<", "(?<"] {
            let Some(named) = self.rest.strip_prefix(begin) else { continue };
            let Some((name, _)) = named.split_once('>') else { return fault(CAPTURE, self.rest) };
            let length = begin.len().saturating_add(name.len()).saturating_add(1);
            let fits = !name.is_empty() && name.bytes().all(|c| c == b'_' || c.is_ascii_alphanumeric());
            if !fits {
                return fault(CAPTURE, start(self.rest, length));
            }
            self.open(Some(name), length);
            return Ok(());
        }
        let (mut minus, mut seen) = (false, false);
        for (at, c) in self.rest.char_indices().skip(2) {
            let length = at.saturating_add(c.len_utf8());
            match c {
                'i' | 'm' | 's' | 'U' => seen = true,
                '-' if !minus => (minus, seen) = (true, false),
                ':' | ')' if seen || !minus => {
                    // `(?)` is a group without flags.
                    if at > 2 || c == ':' {
                        self.out.text.push_str(start(self.rest, length));
                    }
                    self.skip(length);
                    if c == ':' {
                        self.depth = self.depth.saturating_add(1);
                        self.operand = false;
                    }
                    return Ok(());
                }
                _ => return fault(PERL, start(self.rest, length)),
            }
        }
        fault("missing closing )", self.rest)
    }

    fn escape(&mut self) -> Read<()> {
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
    fn property(&mut self) -> Read<()> {
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

    fn class(&mut self) -> Read<()> {
        let whole = self.rest;
        self.operand = true;
        let negated = whole.starts_with("[^");
        self.copy(if negated { 2 } else { 1 });
        let mut first = true;
        loop {
            match self.rest.chars().next() {
                Some(']') if !first => break,
                Some('[') if self.posix_class()? => {}
                Some('\\') if self.rest.starts_with("\\p") || self.rest.starts_with("\\P") => {
                    self.property()?
                }
                Some('\\') if self.rest.chars().nth(1).is_some_and(|sign| perl_class(sign).is_some()) => {
                    let class = self.rest.chars().nth(1).and_then(perl_class);
                    self.out.text.push_str(class.unwrap_or_default());
                    self.skip(2);
                }
                _ => self.span(whole)?,
            }
            first = false;
        }
        self.copy(1);
        Ok(())
    }

    /// `[:alpha:]`, in a class.
    fn posix_class(&mut self) -> Read<bool> {
        let Some((name, _)) = self.rest.strip_prefix("[:").and_then(|name| name.split_once(":]")) else {
            return Ok(false);
        };
        let text = start(self.rest, name.len().saturating_add(4));
        if !POSIX.contains(&name.strip_prefix('^').unwrap_or(name)) {
            return fault(RANGE, text);
        }
        self.copy(text.len());
        Ok(true)
    }

    /// A character, or from one to another.
    fn span(&mut self, class: &str) -> Read<()> {
        let before = self.rest;
        let first = self.member(class)?;
        let mut last = first;
        if self.rest.starts_with('-') && self.rest.len() > 1 && !self.rest.starts_with("-]") {
            self.skip(1);
            last = self.member(class)?;
        }
        if last < first {
            return fault(RANGE, start(before, before.len().saturating_sub(self.rest.len())));
        }
        literal(&mut self.out.text, first);
        if last > first {
            self.out.text.push('-');
            literal(&mut self.out.text, last);
        }
        Ok(())
    }

    fn member(&mut self, class: &str) -> Read<char> {
        let Some(c) = self.rest.chars().next() else { return fault(BRACKET, class) };
        let (c, length) = if c == '\\' { escaped(self.rest)? } else { (c, c.len_utf8()) };
        self.skip(length);
        Ok(c)
    }
}

/// Writes a character so that it means itself everywhere.
fn literal(out: &mut String, c: char) {
    if c.is_ascii_alphanumeric() || !c.is_ascii() {
        out.push(c);
    } else {
        out.push_str(&format!("\\x{{{:x}}}", u32::from(c)));
    }
}

fn start(text: &str, length: usize) -> &str {
    text.get(..length).unwrap_or(text)
}

fn perl_class(sign: char) -> Option<&'static str> {
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

/// How many bytes a number of repetitions takes, and whether it is one that there can be. None where it is none.
fn repetition(text: &str) -> Option<(usize, bool)> {
    let (inside, _) = text.strip_prefix('{')?.split_once('}')?;
    let number = |text: &str| -> Option<u32> {
        let digits = text.bytes().all(|c| c.is_ascii_digit()) && !text.is_empty();
        (digits && (text == "0" || !text.starts_with('0'))).then(|| text.parse().unwrap_or(u32::MAX))
    };
    let (least, most) = match inside.split_once(',') {
        None => (number(inside)?, number(inside)?),
        Some((least, "")) => (number(least)?, number(least)?),
        Some((least, most)) => (number(least)?, number(most)?),
    };
    Some((inside.len().saturating_add(2), least <= most && most <= REPEAT))
}

/// The character that an escape stands for, and how many bytes it takes.
fn escaped(text: &str) -> Read<(char, usize)> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_go_reads_is_written_so_that_it_means_the_same() {
        for (pattern, text, found) in [
            ("\\w+", "caf\u{e9}", "caf"),
            ("\\W", "a\u{e9}", "\u{e9}"),
            ("[\\W]+", "a\u{e9}-", "\u{e9}-"),
            ("[^\\d]+", "1a2", "a"),
            ("\\Q.*\\E+", "a.**", ".**"),
            ("a{,2}", "aa{,2}", "a{,2}"),
            ("a{01}", "a{01}", "a{01}"),
            ("[]a]+", "x]a", "]a"),
            ("[a&&b]+", "&&", "&&"),
            ("[a-]+", "b-a", "-a"),
            ("[[:^alpha:]]", "a1", "1"),
            ("\\bb\\B", "ab bc", "b"),
            ("(?i:K)\\w", "\u{212a}\u{212a} ka", "ka"),
            ("(?P<1>a)(?<b>b)", "ab", "ab"),
            ("\\x{41}\\101\\-", "AA-", "AA-"),
            ("\\p{Greek}\\PL", "a\u{3b1}1", "\u{3b1}1"),
            ("#  x", "#  x", "#  x"),
        ] {
            let written = written(pattern).unwrap();
            let regex = Regex::new(&written.text).unwrap();
            assert_eq!(regex.find(text).map(|found| found.as_str()), Some(found), "{pattern}");
        }
    }

    #[test]
    fn what_is_no_pattern_is_told_as_go_does() {
        for (pattern, code, part) in [
            ("(", "missing closing )", "("),
            ("a)", "unexpected )", "a)"),
            ("a(?i", "missing closing )", "(?i"),
            ("(?-)", PERL, "(?-)"),
            ("(?<a", CAPTURE, "(?<a"),
            ("|*", "missing argument to repetition operator", "*"),
            ("a*+", "invalid nested repetition operator", "*+"),
            ("a{2}{3}", "invalid nested repetition operator", "{2}{3}"),
            ("a{2,1}?", "invalid repeat count", "{2,1}"),
            ("[a", BRACKET, "[a"),
            ("[z-a]", RANGE, "z-a"),
            ("[[:foo:]]", RANGE, "[:foo:]"),
            ("\\p{Nope}", RANGE, "\\p{Nope}"),
            ("\\p{L", RANGE, "\\p{L"),
            ("\\8", ESCAPE, "\\8"),
            ("\\x{110000}", ESCAPE, "\\x"),
            ("[\\", "trailing backslash at end of expression", ""),
        ] {
            let fault = written(pattern).unwrap_err();
            assert_eq!((fault.code, fault.part.as_str()), (code, part), "{pattern}");
        }
    }
}
