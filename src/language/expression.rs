//! Regular expressions as trees that simplify themselves while they are built, and their text.

use std::fmt::{self, Write as _};
use std::rc::Rc;

use unicode_normalization::char::canonical_combining_class;
use unicode_normalization::{IsNormalized, is_nfc_quick};

use super::alphabet::{END, Range, complement, merged};

/// A regular expression, with the approximate length of its text in characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Expression {
    pub(super) length: usize,
    kind: Rc<Kind>,
}

/// The syntax tree of an expression.
#[derive(Debug, PartialEq, Eq)]
enum Kind {
    /// One character in the sorted ranges.
    Class(Vec<Range>),
    /// All operands in order; the empty string if there are none.
    Concat(Vec<Expression>),
    /// One of at least two operands.
    Alternation(Vec<Expression>),
    /// An operand repeated at least and at most this many times; without a maximum, any number of times.
    Repeat(Expression, u32, Option<u32>),
}

impl Expression {
    /// An expression with the length of its text estimated from its operands.
    fn new(kind: Kind) -> Expression {
        let sum = |operands: &[Expression]| {
            operands.iter().map(|operand| operand.length.saturating_add(1)).fold(0, usize::saturating_add)
        };
        let length = match &kind {
            Kind::Class(ranges) => ranges.len().saturating_mul(3),
            Kind::Concat(operands) => sum(operands),
            Kind::Alternation(operands) => sum(operands).saturating_add(4),
            Kind::Repeat(operand, ..) => operand.length.saturating_add(4),
        };
        Expression { length, kind: Rc::new(kind) }
    }

    /// The expression of one character in the sorted ranges.
    pub(super) fn class(ranges: Vec<Range>) -> Expression {
        Expression::new(Kind::Class(ranges))
    }

    /// The regular expression that matches the empty string only.
    pub(super) fn empty() -> Expression {
        Expression::new(Kind::Concat(Vec::new()))
    }

    /// Whether the expression is the one that matches the empty string only.
    fn is_empty(&self) -> bool {
        matches!(&*self.kind, Kind::Concat(operands) if operands.is_empty())
    }

    /// The operands if the expression is a concatenation, else the expression itself as the only one.
    fn operands(&self) -> Vec<Expression> {
        match &*self.kind {
            Kind::Concat(operands) => operands.clone(),
            _ => vec![self.clone()],
        }
    }

    /// The operand, minimum and maximum if the expression is a repetition; else the expression itself with 1 and 1.
    fn counts(&self) -> (&Expression, u32, Option<u32>) {
        match &*self.kind {
            Kind::Repeat(operand, least, most) => (operand, *least, *most),
            _ => (self, 1, Some(1)),
        }
    }

    /// The operand repeated at least `least` and at most `most` times (`None`: any number of times).
    fn repeat(operand: &Expression, least: u32, most: Option<u32>) -> Expression {
        if (least, most) == (1, Some(1)) {
            return operand.clone();
        }
        Expression::new(Kind::Repeat(operand.clone(), least, most))
    }

    /// The concatenation of two expressions: `x` and `x{2}` become `x{3}`.
    pub(super) fn concat(&self, other: &Expression) -> Expression {
        let mut operands = self.operands();
        for next in other.operands() {
            let same = operands.last().and_then(|last| {
                let ((one, a, b), (two, c, d)) = (last.counts(), next.counts());
                let most = b.zip(d).map(|(b, d)| b.saturating_add(d));
                (one == two).then(|| Expression::repeat(one, a.saturating_add(c), most))
            });
            match same {
                Some(counted) => drop(operands.pop().map(|_| operands.push(counted))),
                None => operands.push(next),
            }
        }
        match operands.as_slice() {
            [only] => only.clone(),
            _ => Expression::new(Kind::Concat(operands)),
        }
    }

    /// The expression any number of times.
    pub(super) fn star(&self) -> Expression {
        match &*self.kind {
            _ if self.is_empty() => self.clone(),
            Kind::Repeat(operand, 0 | 1, Some(1) | None) => Expression::repeat(operand, 0, None),
            _ => Expression::repeat(self, 0, None),
        }
    }

    /// The expression made optional: it or the empty string.
    fn optional(&self) -> Expression {
        match &*self.kind {
            _ if self.is_empty() => self.clone(),
            Kind::Repeat(operand, 0 | 1, most) => Expression::repeat(operand, 0, *most),
            _ => Expression::repeat(self, 0, Some(1)),
        }
    }

    /// Either of two expressions: `[a-c]` and `d` become `[a-d]`, `x` and `x{2}` become `x{1,2}`, and what both
    /// begin or end with is written once.
    pub(super) fn or(&self, other: &Expression) -> Expression {
        if self == other || other.is_empty() && self.counts().1 == 0 {
            return self.clone();
        }
        if self.is_empty() || other.is_empty() {
            return if self.is_empty() { other.optional() } else { self.optional() };
        }
        if let (Kind::Class(a), Kind::Class(b)) = (&*self.kind, &*other.kind) {
            return Expression::class(merged(a.iter().chain(b).copied().collect()));
        }
        let ((one, a, b), (two, c, d)) = (self.counts(), other.counts());
        let touch = |end: Option<u32>, start: u32| end.is_none_or(|end| start <= end.saturating_add(1));
        if one == two && touch(b, c) && touch(d, a) {
            return Expression::repeat(one, a.min(c), b.zip(d).map(|(b, d)| b.max(d)));
        }
        let mut branches: Vec<Expression> = match &*self.kind {
            Kind::Alternation(branches) => branches.clone(),
            _ => vec![self.clone()],
        };
        let others = match &*other.kind {
            Kind::Alternation(others) => others.clone(),
            _ => vec![other.clone()],
        };
        for next in others {
            let joined =
                branches.iter().enumerate().find_map(|(at, branch)| Some((at, branch.factored(&next)?)));
            match joined {
                Some((at, joined)) => {
                    if let Some(branch) = branches.get_mut(at) {
                        *branch = joined;
                    }
                }
                None => branches.push(next),
            }
        }
        match branches.as_slice() {
            [only] => only.clone(),
            _ => Expression::new(Kind::Alternation(branches)),
        }
    }

    /// Either of two expressions without an alternation around them: equal ones as one, two classes as their union,
    /// or with a common first or last operand factored out. `None` if none of these applies.
    fn factored(&self, other: &Expression) -> Option<Expression> {
        if self == other {
            return Some(self.clone());
        }
        if let (Kind::Class(_), Kind::Class(_)) = (&*self.kind, &*other.kind) {
            return Some(self.or(other));
        }
        let (a, b) = (self.operands(), other.operands());
        let whole = |operands: Option<&[Expression]>| match operands.unwrap_or_default() {
            [only] => only.clone(),
            operands => Expression::new(Kind::Concat(operands.to_vec())),
        };
        // All that both begin with at once: one by one, long expressions would take the square of their length.
        let first = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
        if first > 0 {
            let rest = whole(a.get(first..)).or(&whole(b.get(first..)));
            return Some(whole(a.get(..first)).concat(&rest));
        }
        let last = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
        if last > 0 {
            let [a_rest, b_rest] = [&a, &b].map(|all| all.len().saturating_sub(last));
            let rest = whole(a.get(..a_rest)).or(&whole(b.get(..b_rest)));
            return Some(rest.concat(&whole(a.get(a_rest..))));
        }
        None
    }

    /// The text of a pattern that finds a match in exactly the strings of the expression.
    pub(super) fn pattern(&self) -> String {
        let mut operands = self.operands();
        let is_open = |operand: Option<&Expression>| {
            operand.is_some_and(|operand| {
                matches!(operand.counts(), (one, 0, None) if matches!(&*one.kind, Kind::Class(ranges) if is_every(ranges)))
            })
        };
        // A search begins and ends anywhere.
        let open_end = is_open(operands.last()) && operands.pop().is_some();
        let open_start = is_open(operands.first());
        if open_start {
            operands.remove(0);
        }
        let mut text = String::new();
        text.push_str(if open_start { "" } else { "^" });
        let inner = Expression::new(Kind::Concat(counted(operands)));
        // Writing to a `String` cannot fail.
        let _ = write!(text, "{inner}");
        text.push_str(if open_end { "" } else { "$" });
        text
    }

    /// Whether the expression matches one certain character and nothing else.
    fn is_char(&self) -> bool {
        matches!(&*self.kind, Kind::Class(ranges) if matches!(ranges.as_slice(), [(first, last)] if first == last))
    }

    /// Writes the expression so that a repetition operator such as `*` may follow: in a group unless it is a class.
    fn write_atom(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.kind {
            Kind::Class(_) => write!(f, "{self}"),
            _ => write!(f, "(?:{self})"),
        }
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.kind {
            Kind::Class(ranges) => write_class(f, ranges),
            Kind::Concat(operands) => operands.iter().try_for_each(|operand| match &*operand.kind {
                Kind::Alternation(_) => operand.write_atom(f),
                _ => write!(f, "{operand}"),
            }),
            Kind::Alternation(operands) => {
                let mut branches: Vec<String> = operands.iter().map(ToString::to_string).collect();
                branches.sort_unstable();
                f.write_str(&branches.join("|"))
            }
            // `::` is easier to read than `:{2}`.
            Kind::Repeat(operand, least @ 2..=3, most) if Some(*least) == *most && operand.is_char() => {
                (0..*least).try_for_each(|_| write!(f, "{operand}"))
            }
            Kind::Repeat(operand, least, most) => {
                operand.write_atom(f)?;
                match (least, most) {
                    (0, None) => f.write_str("*"),
                    (1, None) => f.write_str("+"),
                    (0, Some(1)) => f.write_str("?"),
                    (least, None) => write!(f, "{{{least},}}"),
                    (least, Some(most)) if least == most => write!(f, "{{{least}}}"),
                    (least, Some(most)) => write!(f, "{{{least},{most}}}"),
                }
            }
        }
    }
}

/// The operands of a concatenation in which three or more equal sequences in a row are replaced by one with a count,
/// such as the numbers and dots of an IP address.
fn counted(mut operands: Vec<Expression>) -> Vec<Expression> {
    let mut result = Vec::with_capacity(operands.len());
    while let Some(first) = operands.first() {
        let repeated = (2..=SEQUENCE).find_map(|length| {
            let sequence = operands.get(..length)?;
            let times = operands.chunks_exact(length).take_while(|chunk| *chunk == sequence).count();
            (times > 2).then_some((length, times))
        });
        let (length, times) = repeated.unwrap_or((1, 1));
        if times == 1 {
            result.push(first.clone());
        } else {
            let sequence = operands.get(..length).unwrap_or_default().to_vec();
            let count = u32::try_from(times).unwrap_or(u32::MAX);
            result.push(Expression::repeat(&Expression::new(Kind::Concat(sequence)), count, Some(count)));
        }
        operands.drain(..length.saturating_mul(times).min(operands.len()));
    }
    result
}

/// The maximum number of operands of a sequence that [`counted`] looks for.
const SEQUENCE: usize = 4;

/// Whether the sorted ranges contain all characters.
fn is_every(ranges: &[Range]) -> bool {
    complement(ranges).is_empty()
}

/// Writes a class of characters: a single character, `.`, or a class in brackets.
fn write_class(f: &mut fmt::Formatter<'_>, ranges: &[Range]) -> fmt::Result {
    let missing = complement(ranges);
    match (ranges, missing.as_slice()) {
        (_, []) => return f.write_str("(?s:.)"),
        (_, [(10, 10)]) => return f.write_str("."),
        ([(first, last)], _) if first == last => return write_char(f, *first, r"\.+*?()|[]{}^$"),
        _ => {}
    }
    // Classes with most characters beyond ASCII are written by those that are missing.
    let is_negated = ranges.last().is_some_and(|(_, last)| last.saturating_add(1) == END);
    f.write_str(if is_negated { "[^" } else { "[" })?;
    for (first, last) in if is_negated { missing.as_slice() } else { ranges } {
        write_char(f, *first, r"\[]^-&~")?;
        if last.saturating_sub(*first) > 1 {
            f.write_str("-")?;
        }
        if last > first {
            write_char(f, *last, r"\[]^-&~")?;
        }
    }
    f.write_str("]")
}

/// Writes a character of an expression, escaped if it is one of `special` or cannot be printed.
fn write_char(f: &mut fmt::Formatter<'_>, code: u32, special: &str) -> fmt::Result {
    match char::from_u32(code) {
        Some('\n') => f.write_str(r"\n"),
        Some('\r') => f.write_str(r"\r"),
        Some('\t') => f.write_str(r"\t"),
        Some(c) if special.contains(c) => write!(f, "\\{c}"),
        Some(c) if c.is_ascii_graphic() || c == ' ' => f.write_char(c),
        // What could combine with its neighbours would change when the pattern is normalised.
        Some(c)
            if c.is_alphanumeric()
                && canonical_combining_class(c) == 0
                && is_nfc_quick(std::iter::once(c)) == IsNormalized::Yes =>
        {
            f.write_char(c)
        }
        _ => write!(f, "\\x{{{code:x}}}"),
    }
}
