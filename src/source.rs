//! Texts that people write, positions in them, and problems at a position.

use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

pub use crate::text::printable::printable;

/// A named text, usually a file, that finds lines and positions for messages.
///
/// ```
/// use plantime::source::Source;
///
/// let source = Source::new("rules.hcl", "rule \"r\" {\n}\n");
/// assert_eq!(source.line(2), Some("}"));
/// assert_eq!(source.position(5).to_string(), "1:6");
/// ```
///
/// Several texts that belong together, such as the rules files of a check, can form one source: [`Source::of_files`].
///
/// Clone is O(1).
#[derive(Clone)]
pub struct Source(Arc<Inner>);

/// The shared content of a source.
#[derive(Clone)]
struct Inner {
    name: String,
    text: String,
    /// The byte at which each line but the first begins.
    line_starts: Vec<usize>,
    /// The number of code points before each block of `BLOCK` bytes: the column in a long line takes no time in proportion to it.
    code_points: Vec<usize>,
    /// The outermost blocks of a configuration, once a problem has asked for them: the bytes of each, up to its closing brace,
    /// and its kind and labels.
    blocks: OnceLock<Vec<(Range<usize>, String)>>,
    /// Which of several files it is, from 0.
    number: u32,
    /// The files, where there are several.
    files: Vec<Source>,
}

/// The number of bytes after which code points are counted.
const BLOCK: usize = 4096;

/// What some editors write at the beginning of a file.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// The number of code points that begin in these bytes of a text.
fn count_code_points(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xC0 != 0x80).count()
}

/// A position in a [`Source`]: line and column, both from 1. The column counts code points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The number of the file among those of the source, from 0: see [`Source::file`].
    pub file: u32,
    /// The line, from 1.
    pub line: usize,
    /// The code point in the line, from 1.
    pub column: usize,
}

impl Position {
    /// The position at a line and a column of the first or only file.
    ///
    /// [Example](Source::problem_at)
    pub const fn at(line: usize, column: usize) -> Position {
        Position { file: 0, line, column }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

impl Source {
    /// A source with this name, usually a file name, and this text.
    ///
    /// [Example](Source)
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        let text = text.into();
        let line_starts =
            memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at.saturating_add(1)).collect();
        let mut before = 0_usize;
        let code_points = text.as_bytes().chunks(BLOCK).map(|block| {
            let here = before;
            before = before.saturating_add(count_code_points(block));
            here
        });
        let code_points = code_points.collect();
        let (name, blocks, files) = (name.into(), OnceLock::new(), Vec::new());
        Source(Arc::new(Inner { name, text, line_starts, code_points, blocks, number: 0, files }))
    }

    /// One source of several files. Its name lists all their names, and its text is empty. A position in one of the
    /// [`files`](Source::files) says which file it is in.
    ///
    /// ```
    /// use plantime::source::Source;
    ///
    /// let both = Source::of_files([Source::new("a.hcl", "a = 1"), Source::new("b.hcl", "b = 2")]);
    /// let position = both.files()[1].position(4);
    /// assert_eq!(both.name(), "a.hcl, b.hcl");
    /// assert_eq!(both.file(position).line(position.line), Some("b = 2"));
    /// assert_eq!(both.problem_at(position, "too many").to_string(), "b.hcl:1:5: too many");
    /// ```
    pub fn of_files(files: impl IntoIterator<Item = Source>) -> Source {
        let numbered = |(number, file): (u32, Source)| match file.0.number == number {
            true => file,
            false => Source(Arc::new(Inner { number, ..Arc::unwrap_or_clone(file.0) })),
        };
        let mut files: Vec<Source> = (0..).zip(files).map(numbered).collect();
        if files.len() == 1
            && let Some(only) = files.pop()
        {
            return only;
        }
        let names: Vec<&str> = files.iter().map(Source::name).collect();
        let name = names.join(", ");
        let (text, line_starts, code_points) = (String::new(), Vec::new(), Vec::new());
        let blocks = OnceLock::new();
        Source(Arc::new(Inner { name, text, line_starts, code_points, blocks, number: 0, files }))
    }

    /// The files of the source: only itself if it is a single file.
    ///
    /// [Example](Source::of_files)
    pub fn files(&self) -> &[Source] {
        if self.0.files.is_empty() { std::slice::from_ref(self) } else { &self.0.files }
    }

    /// The file that a position is in.
    ///
    /// [Example](Source::of_files)
    pub fn file(&self, position: Position) -> &Source {
        let number = usize::try_from(position.file).unwrap_or(usize::MAX);
        self.0.files.get(number).unwrap_or(self)
    }

    /// The name of the file, as messages give it.
    ///
    /// [Example](Source)
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The whole text of the file.
    ///
    /// [Example](Source)
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// The position of a byte. A byte past the end has the position of the end.
    ///
    /// ```
    /// use plantime::source::Source;
    ///
    /// let source = Source::new("rules.hcl", "a = 1\nb = 2\n");
    /// assert_eq!(source.position(10).to_string(), "2:5");
    /// ```
    pub fn position(&self, byte: usize) -> Position {
        let before = self.0.line_starts.partition_point(|start| *start <= byte);
        let start = match before.checked_sub(1) {
            Some(line) => self.0.line_starts.get(line).copied().unwrap_or_default(),
            // A mark of the byte order is not seen.
            None if self.0.text.starts_with(BYTE_ORDER_MARK) => BYTE_ORDER_MARK.len_utf8(),
            None => 0,
        };
        let column = self.code_points_before(byte).saturating_sub(self.code_points_before(start));
        Position { file: self.0.number, line: before.saturating_add(1), column: column.saturating_add(1) }
    }

    /// The outermost blocks as `find` gives them in the order of the text, found once: each of many problems names its block.
    /// Of each the bytes, up to its closing brace, and its kind and labels.
    #[doc(hidden)]
    pub fn blocks(
        &self,
        find: impl FnOnce(&str) -> Vec<(Range<usize>, String)>,
    ) -> &[(Range<usize>, String)] {
        self.0.blocks.get_or_init(|| find(&self.0.text))
    }

    /// The number of code points that begin before a byte.
    fn code_points_before(&self, byte: usize) -> usize {
        let byte = byte.min(self.0.text.len());
        let block = byte.checked_div(BLOCK).unwrap_or_default();
        let before = self.0.code_points.get(block).copied();
        match before {
            Some(before) => {
                let rest = self.0.text.as_bytes().get(block.saturating_mul(BLOCK)..byte).unwrap_or_default();
                before.saturating_add(count_code_points(rest))
            }
            // The end of a text of whole blocks.
            None => count_code_points(self.0.text.as_bytes()),
        }
    }

    /// The text of a line, counted from 1, without its line end.
    ///
    /// [Example](Source)
    pub fn line(&self, line: usize) -> Option<&str> {
        let start = match line.checked_sub(1)? {
            0 => 0,
            before => *self.0.line_starts.get(before.checked_sub(1)?)?,
        };
        let rest = self.0.text.get(start..)?;
        rest.split('\n').next().map(|line| line.trim_end_matches('\r'))
    }

    /// A range of bytes as messages write it, with lines and columns.
    ///
    /// ```
    /// use plantime::source::Source;
    ///
    /// let source = Source::new("main.tf", "a = 1\nb = 2\n");
    /// assert_eq!(source.range_text(6..11), "main.tf:2,1-6");
    /// assert_eq!(source.range_text(0..11), "main.tf:1,1-2,6");
    /// ```
    pub fn range_text(&self, span: Range<usize>) -> String {
        let (start, end) = (self.position(span.start), self.position(span.end));
        let name = self.name();
        match start.line == end.line {
            true => format!("{name}:{},{}-{}", start.line, start.column, end.column),
            false => format!("{name}:{},{}-{},{}", start.line, start.column, end.line, end.column),
        }
    }

    /// A problem at a byte.
    ///
    /// ```
    /// use plantime::source::Source;
    ///
    /// let source = Source::new("rules.hcl", "min = \"a\"");
    /// assert_eq!(source.problem(6, "a number is required").to_string(), "rules.hcl:1:7: a number is required");
    /// ```
    pub fn problem(&self, byte: usize, message: impl Into<String>) -> Problem {
        self.problem_at(self.position(byte), message)
    }

    /// A problem at a position.
    ///
    /// ```
    /// use plantime::source::{Position, Source};
    ///
    /// let source = Source::new("rules.hcl", "rule \"r\" {\n}\n");
    /// let problem = source.problem_at(Position::at(2, 1), "the rule has no test");
    /// assert_eq!(problem.to_string(), "rules.hcl:2:1: the rule has no test");
    /// assert_eq!((problem.message(), problem.source().name()), ("the rule has no test", "rules.hcl"));
    /// assert_eq!(problem.position(), Position::at(2, 1));
    /// ```
    pub fn problem_at(&self, position: Position, message: impl Into<String>) -> Problem {
        Problem { source: self.file(position).clone(), position, message: message.into() }
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Source").field(&self.0.name).finish()
    }
}

impl PartialEq for Source {
    fn eq(&self, other: &Source) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || (self.0.name == other.0.name && self.0.text == other.0.text && self.0.files == other.0.files)
    }
}

impl Eq for Source {}

/// An error in a text, with its position.
///
/// `Display` writes `FILE:LINE:COLUMN: MESSAGE`; the alternate form `{:#}` adds the line with a pointer below it.
///
/// [Example](Source::problem_at)
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    source: Source,
    position: Position,
    message: String,
}

impl Problem {
    /// The source that the problem is in.
    ///
    /// [Example](Source::problem_at)
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The position of the problem in the source.
    ///
    /// [Example](Source::problem_at)
    pub fn position(&self) -> Position {
        self.position
    }

    /// The message, without file and position.
    ///
    /// [Example](Source::problem_at)
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.source.name(), self.position, self.message)?;
        if !f.alternate() {
            return Ok(());
        }
        let Some(line) = self.source.line(self.position.line).filter(|line| line.chars().count() <= 200)
        else {
            return Ok(());
        };
        let number = self.position.line.to_string();
        // A tab before the place is kept, so that the pointer stands below it however wide tabs are.
        let before = line.chars().take(self.position.column.saturating_sub(1));
        let indent: String = before.map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
        write!(f, "\n  {number} | {line}\n  {:width$} | {indent}^", "", width = number.len())
    }
}

impl std::error::Error for Problem {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_lies_in_its_line_and_column() {
        let source = Source::new("f", "ab\ncé\u{1f600}d\n");
        for (byte, expected) in [
            (0, "1:1"),
            (2, "1:3"),
            (3, "2:1"),
            (4, "2:2"),
            (6, "2:3"),
            (10, "2:4"),
            (11, "2:5"),
            (12, "3:1"),
            (99, "3:1"),
        ] {
            assert_eq!(source.position(byte).to_string(), expected, "{byte}");
        }
        assert_eq!(source.line(1), Some("ab"));
        assert_eq!(source.line(2), Some("cé\u{1f600}d"));
        assert_eq!(source.line(3), Some(""));
        assert_eq!(source.line(4), None);
        assert_eq!(source.line(0), None);
    }

    #[test]
    fn a_problem_points_at_its_place() {
        let source = Source::new("rules.hcl", "rule \"r\" {\n\tstart = 1\n}\n");
        let problem = source.problem(12, "no such thing");
        assert_eq!(problem.to_string(), "rules.hcl:2:2: no such thing");
        assert_eq!(format!("{problem:#}"), "rules.hcl:2:2: no such thing\n  2 | \tstart = 1\n    | \t^");
    }
}
