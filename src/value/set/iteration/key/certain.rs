//! How the key texts of values compare that are not wholly known: the same for everything that the values may become, or
//! not certain.
//!
//! Both values are walked side by side, as known ones are. At a part that is not known the texts lie between two starts: the
//! texts of a string with a prefix begin with the prefix, those of a number in `[80, 443]` with a digit. Numbers are texts
//! here, so that 443 comes before 80; null (`~`) comes after everything else of its type.

use std::borrow::Cow;
use std::cmp::Ordering;

use crate::number::Number;
use crate::refinement::{Bound, NumberRange, Range};
use crate::types::Type;
use crate::value::equality::{is_always_null, may_be_null};
use crate::value::{Value, ValueRange, View, view};

use super::{KeyStart, compare_keys, compare_quoted, number_text};

/// The number of bytes by which a part that is not known is compared.
const COMPARED: usize = 64;

/// The start of a key text, as far as it is compared.
type Start = KeyStart<COMPARED>;

/// How the key texts of two values of the same type compare, whatever the values become; `None` if that is not certain.
pub(in crate::value::set) fn order(a: &Value, b: &Value) -> Option<Ordering> {
    if a.is_wholly_known() && b.is_wholly_known() {
        return Some(compare_keys(a, b));
    }
    let (Some((a_parts, close)), Some((b_parts, _))) = (parts(a), parts(b)) else {
        return Span::of(a).order(&Span::of(b));
    };
    let (mut a_parts, mut b_parts) = (a_parts.into_iter(), b_parts.into_iter());
    loop {
        let found = match (a_parts.next(), b_parts.next()) {
            (Some((a_key, a)), Some((b_key, b))) => match a_key.zip(b_key) {
                Some((a_key, b_key)) if a_key != b_key => compare_quoted(a_key, b_key),
                _ => order(&a, &b)?,
            },
            (Some(part), None) => return Span::of_part(&part).order(&Span::starting(close)),
            (None, Some(part)) => return Span::starting(close).order(&Span::of_part(&part)),
            (None, None) => return Some(Ordering::Equal),
        };
        if found.is_ne() {
            return Some(found);
        }
    }
}

/// A child of a container, and its key in a map.
type Part<'a> = (Option<&'a str>, Cow<'a, Value>);

/// The children of a value in the order of its key text, and the closing bracket. `None` if they are not known one by one: of
/// a set that is not wholly known, which may have fewer members, and of an unknown value that is no object or tuple.
fn parts(value: &Value) -> Option<(Vec<Part<'_>>, &'static [u8])> {
    fn without_keys<'a>(parts: impl Iterator<Item = &'a Value>) -> Vec<Part<'a>> {
        parts.map(|part| (None, Cow::Borrowed(part))).collect()
    }
    Some(match view::below_marks(value) {
        View::List(list) => (without_keys(list.iter()), b"]"),
        View::Tuple(tuple) => (without_keys(tuple.iter()), b">"),
        View::Object(object) => (without_keys(object.iter().map(|(_, part)| part)), b">"),
        View::Map(map) => (map.iter().map(|(key, part)| (Some(key), Cow::Borrowed(part))).collect(), b"}"),
        View::Unknown(range)
            if matches!(range.ty(), Type::Tuple(_) | Type::Object(_)) && !may_be_null(value) =>
        {
            (range.unknown_parts().into_iter().map(|part| (None, Cow::Owned(part))).collect(), b">")
        }
        _ => return None,
    })
}

/// Between which two starts the key texts of a value lie. Each text, cut to the length of a start, is not before `least` and
/// not after `most`.
struct Span {
    least: Start,
    most: Start,
}

impl Span {
    /// The span of all texts that begin with one text.
    fn starting(text: &[u8]) -> Span {
        Span::between(text, text)
    }

    /// The span between two texts.
    fn between(least: &[u8], most: &[u8]) -> Span {
        let start = |text| {
            let mut start = Start::new();
            start.push(text);
            start
        };
        Span { least: start(least), most: start(most) }
    }

    /// The span of a child with its key.
    fn of_part((key, part): &Part<'_>) -> Span {
        if key.is_some() { Span::starting(b"\"") } else { Span::of(part) }
    }

    /// The span of a value.
    fn of(value: &Value) -> Span {
        if value.ty().has_capsule() || value.ty().has_dynamic() {
            return Span::starting(b"");
        }
        if value.is_wholly_known() {
            let mut start = Start::new();
            start.push_value(value);
            start.push(b";");
            return Span { least: start, most: start };
        }
        if is_always_null(value) {
            return Span::starting(b"~");
        }
        let mut span = Span::of_not_null(&value.range());
        if may_be_null(value) {
            span.most = Span::starting(b"~").most;
        }
        span
    }

    /// The span of values in this range that are not null.
    fn of_not_null(range: &ValueRange) -> Span {
        match range.ty() {
            Type::Bool => Span::between(b"F", b"T"),
            Type::Number => Span::of_numbers(range),
            Type::String => Span::of_strings(range),
            Type::List(_) | Type::Set(_) => Span::starting(b"["),
            Type::Map(_) => Span::starting(b"{"),
            Type::Tuple(_) | Type::Object(_) => Span::starting(b"<"),
            Type::Dynamic | Type::Capsule(_) => Span::starting(b""),
        }
    }

    /// The span of strings in this range.
    fn of_strings(range: &ValueRange) -> Span {
        let quoted = |text: &str| {
            let mut start = Start::new();
            start.push_quoted(text);
            start
        };
        let members = range.refinement().string_language().and_then(|language| language.language().members());
        let starts = members.into_iter().flatten().map(|text| quoted(&text));
        if let Some(span) = Span::of_all(starts) {
            return span;
        }
        let mut start = Start::new();
        start.push_quote_start(range.prefix().unwrap_or_default());
        Span { least: start, most: start }
    }

    /// The span of numbers in this range.
    fn of_numbers(range: &ValueRange) -> Span {
        if let Range::Numbers(few) = range.refinement().range() {
            let texts = few.as_slice().iter().map(|number| {
                let mut start = Start::new();
                start.push(number_text(number).as_bytes());
                start.push(b";");
                start
            });
            if let Some(span) = Span::of_all(texts) {
                return span;
            }
        }
        match range.number_range() {
            Some(range) => Span::of_interval(range),
            None => Span::between(b"+", b"9"),
        }
    }

    /// The span of the numbers of an interval.
    fn of_interval(range: &NumberRange) -> Span {
        let may_be_infinite = match range.upper() {
            Bound::Unbounded => true,
            Bound::Inclusive(most) => *most == Number::INFINITY,
            Bound::Exclusive(_) => false,
        };
        let (lower, upper) = (range.lower().number(), range.upper().number());
        let may_be_negative = lower.is_none_or(Number::is_negative);
        let is_negative = match range.upper() {
            Bound::Unbounded => false,
            Bound::Inclusive(most) => most.is_negative(),
            Bound::Exclusive(most) => most.is_negative() || most.is_zero(),
        };
        if is_negative {
            // Without their signs the order is the same.
            let (least, most) = first_digits(upper.map(Number::absolute), lower.map(Number::absolute));
            let most = match range.lower() {
                Bound::Inclusive(least) if *least != Number::NEG_INFINITY => most,
                Bound::Exclusive(_) => most,
                Bound::Unbounded | Bound::Inclusive(_) => "I".to_owned(),
            };
            return Span::between(format!("-{least}").as_bytes(), format!("-{most}").as_bytes());
        }
        let (least, most) = first_digits(lower.cloned(), upper.cloned());
        let least = match (may_be_infinite, may_be_negative) {
            (true, _) => "+",
            (false, true) => "-",
            (false, false) => &least,
        };
        Span::between(least.as_bytes(), if may_be_negative { "9" } else { most.as_str() }.as_bytes())
    }

    /// The span that contains several whole texts; `None` if there are none.
    fn of_all(starts: impl Iterator<Item = Start>) -> Option<Span> {
        let all: Vec<Start> = starts.collect();
        let least = all.iter().min_by(|a, b| a.written().cmp(b.written()))?;
        let most = all.iter().max_by(|a, b| a.written().cmp(b.written()))?;
        Some(Span { least: *least, most: *most })
    }

    /// How the texts of two spans compare, if that is certain. Never equal: texts that begin alike may go on differently.
    fn order(&self, other: &Span) -> Option<Ordering> {
        let is_before = |a: &Start, b: &Start| {
            a.written().iter().zip(b.written()).find(|(a, b)| a != b).is_some_and(|(a, b)| a < b)
        };
        if is_before(&self.most, &other.least) {
            return Some(Ordering::Less);
        }
        is_before(&other.most, &self.least).then_some(Ordering::Greater)
    }
}

/// The least and the greatest first digits of the texts of the numbers from `least` to `most`, none of which is negative or infinite.
/// `None` is no bound. If all have equally many digits before the point, these are returned, else one digit.
fn first_digits(least: Option<Number>, most: Option<Number>) -> (String, String) {
    let whole = |number: Option<Number>| {
        let number = number?.significant()?;
        let digits = number.digits.to_string();
        let point = (digits.len() as i64).saturating_add(number.exponent);
        (number.digits > 0 && point > 0).then_some((digits, point))
    };
    // Of a number below 1 the text may begin with each digit, 0 among them.
    let Some((least, least_point)) = whole(least) else { return ("0".to_owned(), "9".to_owned()) };
    let Some((most, most_point)) = whole(most).filter(|(_, point)| *point == least_point) else {
        // The numbers reach over a power of ten, so that their texts begin with 1 too, and with 9.
        return ("1".to_owned(), "9".to_owned());
    };
    // Larger ones are written with an exponent, after one digit.
    let kept = usize::try_from(least_point)
        .ok()
        .filter(|_| least_point == most_point && least_point <= 10)
        .unwrap_or(1);
    let start = |digits: String| digits.chars().chain(std::iter::repeat('0')).take(kept).collect::<String>();
    (start(least), start(most))
}
