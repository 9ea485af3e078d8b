//! Values in the syntax of Go, as cty prints them for developers of providers.

use std::fmt::{self, Display, Formatter, Write as _};

use plantime::unstable::refinement::RangeKind;
use plantime::unstable::text::QuotedInMessage;
use plantime::{Bound, LengthRange, Nullness, Number, NumberRange, Refinement, Type, Value, View};

/// The text in place of a marked part.
const HIDDEN: &str = "(sensitive value)";

/// A value in the syntax of Go, as cty prints it and as core shows it to developers of providers.
///
/// | value | text |
/// |---|---|
/// | unknown | `cty.DynamicVal`, `cty.UnknownVal(cty.String)`, `cty.UnknownVal(cty.String).RefineNotNull()`, `cty.UnknownVal(cty.String).Refine().NotNull().StringPrefixFull("vpc-").NewValue()` |
/// | null | `cty.NullVal(cty.String)` |
/// | bool, string | `cty.True`, `cty.StringVal("a")` |
/// | number | `cty.NumberIntVal(1e+06)`; `cty.NumberFloatVal(0.5)` if it is a binary float, else `cty.MustParseNumberVal("0.1")` |
/// | list, set, tuple | `cty.ListVal([]cty.Value{…})`, `cty.ListValEmpty(cty.String)`, `cty.EmptyTupleVal` |
/// | map, object | `cty.ObjectVal(map[string]cty.Value{"a":cty.True})`, `cty.MapValEmpty(cty.Bool)` |
/// | marked | `(sensitive value)`: what is behind a mark is not shown |
///
/// Of a refinement of strings to a language only the prefix is printed: cty has no other refinement of strings.
///
/// ```
/// use plantime_schema::planning::GoSyntax;
/// use plantime::{Type, Value};
///
/// let planned = Value::list([Value::from(1), Value::unknown(Type::Number)])?;
/// assert_eq!(
///     GoSyntax(&planned).to_string(),
///     "cty.ListVal([]cty.Value{cty.NumberIntVal(1), cty.UnknownVal(cty.Number)})"
/// );
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct GoSyntax<'v>(pub &'v Value);

impl Display for GoSyntax<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0.view() {
            View::Marked(_) => f.write_str(HIDDEN),
            View::Dynamic => f.write_str("cty.DynamicVal"),
            View::Unknown(range) => {
                write!(f, "cty.UnknownVal({})", GoType(range.ty()))?;
                refinement(f, range.refinement())
            }
            View::Null(ty) => write!(f, "cty.NullVal({})", GoType(&ty)),
            View::Bool(true) => f.write_str("cty.True"),
            View::Bool(false) => f.write_str("cty.False"),
            View::Number(value) => number(f, value),
            View::String(text) => write!(f, "cty.StringVal({})", QuotedInMessage(text)),
            View::Capsule(_) => write!(f, "cty.CapsuleVal({})", GoType(&self.0.ty())),
            View::List(list) if list.is_empty() => empty(f, "List", list.element_type()),
            View::List(list) => items(f, "List", list.iter()),
            View::Set(set) if set.member_count() == 0 => empty(f, "Set", set.element_type()),
            View::Set(set) => items(f, "Set", set.iter()),
            View::Tuple(tuple) if tuple.is_empty() => f.write_str("cty.EmptyTupleVal"),
            View::Tuple(tuple) => items(f, "Tuple", tuple.iter()),
            View::Map(map) if map.is_empty() => empty(f, "Map", map.element_type()),
            View::Map(map) => entries(f, "Map", map.iter()),
            View::Object(object) if object.is_empty() => f.write_str("cty.EmptyObjectVal"),
            View::Object(object) => entries(f, "Object", object.iter()),
        }
    }
}

/// Writes an empty collection, such as `cty.ListValEmpty(cty.String)`.
fn empty(f: &mut Formatter<'_>, kind: &str, element: &Type) -> fmt::Result {
    write!(f, "cty.{kind}ValEmpty({})", GoType(element))
}

/// Writes a list, set or tuple as a call of cty's `ListVal`, `SetVal` or `TupleVal`; `kind` is `List`, `Set` or
/// `Tuple`.
fn items<'v>(f: &mut Formatter<'_>, kind: &str, items: impl Iterator<Item = &'v Value>) -> fmt::Result {
    write!(f, "cty.{kind}Val([]cty.Value{{")?;
    for (place, item) in items.enumerate() {
        write!(f, "{}{}", if place == 0 { "" } else { ", " }, GoSyntax(item))?;
    }
    f.write_str("})")
}

/// Writes a map or object as a call of cty's `MapVal` or `ObjectVal`; `kind` is `Map` or `Object`.
fn entries<'v>(
    f: &mut Formatter<'_>,
    kind: &str,
    entries: impl Iterator<Item = (&'v str, &'v Value)>,
) -> fmt::Result {
    write!(f, "cty.{kind}Val(map[string]cty.Value{{")?;
    for (place, (key, item)) in entries.enumerate() {
        write!(f, "{}{}:{}", if place == 0 { "" } else { ", " }, QuotedInMessage(key), GoSyntax(item))?;
    }
    f.write_str("})")
}

/// Writes the refinement of an unknown, as calls of cty's refinement builder.
fn refinement(f: &mut Formatter<'_>, refinement: &Refinement) -> fmt::Result {
    let not_null = refinement.nullness() == Nullness::NotNull;
    let mut facts = String::new();
    match RangeKind::of(refinement.range()) {
        RangeKind::Any | RangeKind::Structure(_) => {}
        RangeKind::Prefix(prefix) => strings(&mut facts, prefix.as_str())?,
        RangeKind::Language(language) => strings(&mut facts, language.prefix())?,
        RangeKind::Number(range) => numbers(&mut facts, range)?,
        RangeKind::Multiples(multiples) => numbers(&mut facts, &multiples.stated_range())?,
        // cty has no refinement of a few numbers.
        RangeKind::Numbers(few) => numbers(&mut facts, few.range())?,
        RangeKind::Length(range) => lengths(&mut facts, *range)?,
        // cty has no refinement of elements and attributes.
        RangeKind::Elements(elements) => lengths(&mut facts, elements.length())?,
    }
    match (not_null, facts.is_empty()) {
        (false, true) => Ok(()),
        (true, true) => f.write_str(".RefineNotNull()"),
        (_, false) => {
            let not_null = if not_null { ".NotNull()" } else { "" };
            write!(f, ".Refine(){not_null}{facts}.NewValue()")
        }
    }
}

/// Writes the call for a known prefix.
fn strings(out: &mut String, prefix: &str) -> fmt::Result {
    if prefix.is_empty() { Ok(()) } else { write!(out, ".StringPrefixFull({})", QuotedInMessage(prefix)) }
}

/// Writes the calls for the bounds of a number.
fn numbers(out: &mut String, range: &NumberRange) -> fmt::Result {
    for (name, bound) in [("Lower", range.lower()), ("Upper", range.upper())] {
        if let Bound::Inclusive(limit) | Bound::Exclusive(limit) = bound {
            let limit = Value::from(limit.clone());
            write!(out, ".Number{name}Bound({}, {})", GoSyntax(&limit), bound.is_inclusive())?;
        }
    }
    Ok(())
}

/// Writes the calls for the bounds of a length.
fn lengths(out: &mut String, range: LengthRange) -> fmt::Result {
    if range.lower() > 0 {
        write!(out, ".CollectionLengthLowerBound({})", range.lower())?;
    }
    match range.upper() {
        Some(upper) => write!(out, ".CollectionLengthUpperBound({upper})"),
        None => Ok(()),
    }
}

/// Writes a number with the shortest call of cty that builds it.
fn number(f: &mut Formatter<'_>, value: &Number) -> fmt::Result {
    if value.is_infinite() {
        return f.write_str(if value.is_negative() {
            "cty.NegativeInfinity"
        } else {
            "cty.PositiveInfinity"
        });
    }
    let text = value.to_string();
    if value.is_integer() {
        write!(f, "cty.NumberIntVal({})", General(&text))
    } else if is_binary(value, &text) {
        write!(f, "cty.NumberFloatVal({})", General(&format!("{}", value.to_f64())))
    } else {
        write!(f, "cty.MustParseNumberVal({})", QuotedInMessage(&text))
    }
}

/// The maximum number of digits after the point of a binary float of 64 bits.
const DIGITS: usize = 1074;

/// Whether a number that is no integer is exactly a binary float of 64 bits.
fn is_binary(value: &Number, text: &str) -> bool {
    let digits = text.split_once('.').map_or(0, |(_, digits)| digits.len());
    digits <= DIGITS && format!("{:.DIGITS$}", value.to_f64()).trim_end_matches('0') == text
}

/// A plain decimal as Go's `%g` prints it: with an exponent below -4 and from 6 on.
struct General<'t>(&'t str);

impl Display for General<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (sign, digits) = match self.0.strip_prefix('-') {
            Some(digits) => ("-", digits),
            None => ("", self.0),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let all = format!("{whole}{fraction}");
        let significant = all.trim_start_matches('0');
        let leading = all.len().saturating_sub(significant.len());
        // The exponent of the first digit that is not 0.
        let place = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        let exponent = place(whole.len()).saturating_sub(place(leading)).saturating_sub(1);
        let significant = significant.trim_end_matches('0');
        let Some((first, rest)) = significant.split_at_checked(1) else { return f.write_str(self.0) };
        if (-4..6).contains(&exponent) {
            return f.write_str(self.0);
        }
        let point = if rest.is_empty() { "" } else { "." };
        let mark = if exponent < 0 { '-' } else { '+' };
        write!(f, "{sign}{first}{point}{rest}e{mark}{:02}", exponent.unsigned_abs())
    }
}

/// A type in the syntax of Go.
struct GoType<'t>(&'t Type);

impl Display for GoType<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Type::Dynamic => f.write_str("cty.DynamicPseudoType"),
            Type::Bool => f.write_str("cty.Bool"),
            Type::Number => f.write_str("cty.Number"),
            Type::String => f.write_str("cty.String"),
            Type::List(ty) => write!(f, "cty.List({})", GoType(ty.element())),
            Type::Set(ty) => write!(f, "cty.Set({})", GoType(ty.element())),
            Type::Map(ty) => write!(f, "cty.Map({})", GoType(ty.element())),
            Type::Tuple(ty) if ty.is_empty() => f.write_str("cty.EmptyTuple"),
            Type::Tuple(ty) => {
                f.write_str("cty.Tuple([]cty.Type{")?;
                for (place, element) in ty.iter().enumerate() {
                    write!(f, "{}{}", if place == 0 { "" } else { ", " }, GoType(element))?;
                }
                f.write_str("})")
            }
            Type::Object(ty) if ty.is_empty() => f.write_str("cty.EmptyObject"),
            Type::Object(ty) => {
                f.write_str("cty.Object(map[string]cty.Type{")?;
                for (place, (name, attribute)) in ty.iter().enumerate() {
                    let comma = if place == 0 { "" } else { ", " };
                    write!(f, "{comma}{}:{}", QuotedInMessage(name), GoType(attribute))?;
                }
                f.write_str("})")
            }
            Type::Capsule(_) => write!(f, "cty.Capsule({})", QuotedInMessage(&self.0.to_string())),
        }
    }
}
