//! The syntax of regular expressions in Go, written as that of the crate `regex`.
//!
//! Both are RE2's. Of Go alone are `\Q…\E`, groups of one name, names that begin with a digit, and `{` as itself where
//! no numbers follow; there `\w`, `\d`, `\s` and `\b` are about ASCII, and a number of repetitions is at most 1,000.

mod class;
mod escape;

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

#[cfg(test)]
mod tests {
    use regex::Regex;

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
