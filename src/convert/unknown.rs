//! Conversion of unknown values: which facts about them remain, and which conversions certainly fail.

use std::sync::OnceLock;

use crate::constraint::TypeConstraint;
use crate::error::Result;
use crate::language::Language;
use crate::number::Number;
use crate::refinement::{LengthRange, Nullness, Range, Refinement, StringLanguage};
use crate::types::{MapType, ObjectType, Type};
use crate::value::{Value, ValueRange, canonical, join, refinement_of_outcomes, within_capacity};

use super::available::{Mode, available};
use super::mismatch::mismatch;
use super::primitive::{BOOLS, not_a_bool, not_a_number};
use super::table::Conversion;
use super::target::Target;
use super::{capsule, integer_text, number_text, result_type, set, structure};

/// Converts an unknown of known type. If only its null converts, the result is null.
pub(super) fn convert(range: &ValueRange, target: &mut Target) -> Result<Value> {
    match range.nullness() {
        Nullness::Null => Ok(null_of(range, target.constraint())),
        Nullness::NotNull => convert_not_null(range, target),
        Nullness::Nullable => {
            let converted = convert_not_null(range, target);
            or_null(converted, range, target.constraint())
        }
    }
}

/// The converted null of an unknown.
#[inline(never)]
fn null_of(range: &ValueRange, to: &TypeConstraint) -> Value {
    canonical(result_type::of_nulls(range.ty(), to), Refinement::null())
}

/// The join of the converted null and, if they convert, the converted other outcomes.
#[inline(never)]
fn or_null(not_null: Result<Value>, range: &ValueRange, to: &TypeConstraint) -> Result<Value> {
    if let Ok(text) = not_null.as_ref().map_or(Err(()), |value| value.as_str().map_err(|_| ())) {
        // The join of a known string and null is only a prefix.
        let text = Refinement::one_of([text]).unwrap_or_else(|_| Refinement::prefix(text));
        return Ok(canonical(Type::String, text));
    }
    match not_null {
        Ok(value) => Ok(join(&[&value, &null_of(range, to)]).unwrap_or(value)),
        Err(_) if !available(range.ty(), to, Mode::Open) => Err(mismatch(range.ty(), to)),
        Err(_) => Ok(null_of(range, to)),
    }
}

/// Converts the outcomes of an unknown other than null.
fn convert_not_null(range: &ValueRange, target: &mut Target) -> Result<Value> {
    let (from, to) = (range.ty(), target.constraint().to_type());
    match Conversion::of(from, &to) {
        Conversion::Capsule => capsule::from_unknown(range, target.constraint()),
        Conversion::ToString => Ok(to_string(range)),
        Conversion::FromString if to == Type::Bool => to_bool(range),
        Conversion::FromString => to_number(range),
        Conversion::Elements { from, .. } => collection_of_unknown(range, from, target.constraint()),
        Conversion::MapToObject(map, object) => object_of_map(range, map, object, target),
        Conversion::ToCollection(_) | Conversion::TupleToTuple(..) | Conversion::ObjectToObject(..) => {
            structure_of_unknown(range, target)
        }
        Conversion::Unchanged | Conversion::FromAny | Conversion::Impossible => {
            Err(mismatch(from, target.constraint()))
        }
    }
}

/// Converts a collection to one of the same length, except that members of a set may become equal.
#[inline(never)]
fn collection_of_unknown(range: &ValueRange, from: &Type, to: &TypeConstraint) -> Result<Value> {
    if !available(from, &to.element_or_any(), Mode::Open) {
        return Err(mismatch(range.ty(), to));
    }
    let (element, length) = converted_elements(range, from, to)?;
    if let (Type::Set(_), Type::List(_), Some(count)) = (range.ty(), to.as_type(), length.exact())
        && let Some(list) = set::list_of_unknowns(&range.unknown_element(from), count, to)
    {
        return list;
    }
    // An empty collection has no element that could take a default.
    let ty = if length.exact() == Some(0) {
        result_type::of_nulls(range.ty(), to)
    } else {
        result_type::of_any(range.ty(), to)
    };
    let keys = range.refinement().key_range().clone();
    let said = Range::of_elements(length, element, keys).map(Refinement::of).unwrap_or_default();
    let said = said.and_not_null().fitted_to(&ty);
    Ok(canonical(ty, said))
}

/// Converts a tuple or an object of unknown children.
#[inline(never)]
fn structure_of_unknown(range: &ValueRange, target: &mut Target) -> Result<Value> {
    let ty = range.ty();
    match unknown_children(range) {
        Ok(whole) => {
            let converted = target.convert(&whole);
            converted
                .map(|converted| unknown_if_plain(converted, result_type::of_any(ty, target.constraint())))
        }
        Err(error) => Err(error),
    }
}

/// The tuple or object of this range whose children are unknown, refined by what is known of each.
#[inline(never)]
fn unknown_children(range: &ValueRange) -> Result<Value> {
    match range.ty() {
        Type::Tuple(_) => Value::tuple(range.unknown_parts()),
        Type::Object(object) => Value::object(object.attribute_names().zip(range.unknown_parts())),
        ty => Ok(Value::unknown(ty.clone())),
    }
}

/// Replaces an object or tuple whose children are all unknown without refinement by the unknown of its type, not null;
/// returns other values as they are.
fn unknown_if_plain(value: Value, cover: Type) -> Value {
    let says_nothing = |part: &Value| matches!(part, Value::Unknown(_) | Value::Dynamic(_));
    let plain = match value.view() {
        crate::View::Tuple(tuple) => tuple.iter().all(says_nothing),
        crate::View::Object(object) => object.iter().all(|(_, part)| says_nothing(part)),
        _ => false,
    };
    if plain && value.has_type(&cover) { canonical(cover, Refinement::not_null()) } else { value }
}

/// Converts an unknown bool or number to a string: of a bool one of two, of integers one of their texts, of other numbers
/// one with the common prefix of its outcomes.
fn to_string(range: &ValueRange) -> Value {
    if *range.ty() == Type::Bool {
        return canonical(Type::String, Refinement::some_of(&["false", "true"]).and_not_null());
    }
    let prefix = range.number_range().map(number_text::shared_prefix).unwrap_or_default();
    if let Some(number) = range.number_range().and_then(|range| range.singleton()) {
        return Value::from(number.to_string());
    }
    let text = Refinement::prefix(&prefix).and_not_null();
    let text = match range.refinement().range() {
        Range::Numbers(few) => {
            let texts: Vec<String> = few.as_slice().iter().map(Number::to_string).collect();
            Refinement::some_of(&texts.iter().map(String::as_str).collect::<Vec<_>>()).and_not_null()
        }
        Range::Multiples(multiples) => text.meet(&integer_text::texts_of(multiples)).unwrap_or(text),
        _ => text,
    };
    canonical(Type::String, text)
}

/// Converts an unknown string to a number, with the sign that its prefix tells; an error if no number has the prefix, or
/// none is in its language. Of a bounded number of strings, the narrowest range of their numbers; of digits alone, an
/// integer with as many.
fn to_number(range: &ValueRange) -> Result<Value> {
    if let Some(known) = range.refinement().string_language() {
        if known.language().is_disjoint(numerals()) {
            return Err(not_a_number());
        }
        if let Some(strings) = known.language().members() {
            let numbers = strings.iter().filter_map(|text| text.parse::<Number>().ok());
            let numbers = Range::of_numbers(numbers.collect()).ok_or_else(not_a_number)?;
            return Ok(canonical(Type::Number, Refinement::of(numbers).and_not_null()));
        }
    }
    let known = match range.prefix() {
        Some(prefix) => {
            let numbers = number_text::numbers_with_prefix(prefix).ok_or_else(not_a_number)?;
            Refinement::number(numbers).and_not_null()
        }
        None => Refinement::not_null(),
    };
    let Some(strings) = range.refinement().string_language().map(StringLanguage::language) else {
        return Ok(canonical(Type::Number, known));
    };
    let told = match strings.is_subset(integer_text::digits()) {
        true => Refinement::integer_in(&integer_text::interval_of_digits(strings, 10)),
        false => Refinement::number(integer_text::interval_by_sign(strings)),
    };
    Ok(canonical(Type::Number, known.meet(&told).unwrap_or(known)))
}

/// The strings that [`Number`] reads.
fn numerals() -> &'static Language {
    static NUMERALS: OnceLock<Language> = OnceLock::new();
    NUMERALS.get_or_init(|| {
        let pattern = r"^[+-]?(?:[iI]nf|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)$";
        let read = crate::regexp::language(pattern);
        read.ok().and_then(std::result::Result::ok).unwrap_or_else(Language::all)
    })
}

/// Converts an unknown string to a bool; known if its prefix or its language allows only one.
fn to_bool(range: &ValueRange) -> Result<Value> {
    let prefix = range.prefix().unwrap_or_default();
    let language = range.refinement().string_language();
    let is_possible = |word: &str| {
        language.map_or_else(|| word.starts_with(prefix), |known| known.language().contains(word))
    };
    let mut possible = BOOLS.iter().filter(|(word, _)| is_possible(word)).map(|(_, bool)| *bool);
    match possible.next() {
        None => Err(not_a_bool(None)),
        Some(first) if possible.all(|other| other == first) => Ok(Value::from(first)),
        Some(_) => Ok(canonical(Type::Bool, Refinement::not_null())),
    }
}

/// What is known of the elements and the length of the converted collection; an error if its elements do not convert and it
/// certainly has some.
fn converted_elements(
    range: &ValueRange,
    from: &Type,
    to: &TypeConstraint,
) -> Result<(Refinement, LengthRange)> {
    let length = converted_length(range, to);
    let of_elements = range.refinement().element();
    // Of the conversion of any value nothing is known but its type.
    if *from == Type::Dynamic && !to.element_or_any().has_optional() {
        return Ok((Refinement::any(), length));
    }
    // Elements that are converted to their own type stay as they are, unless a null attribute takes its default.
    if !to.element_or_any().has_optional() && to.element_or_any().to_type() == *from {
        return Ok((of_elements.clone(), length));
    }
    match Target::new(to.element_or_any().into_owned()).convert(&range.unknown_element(from)) {
        Ok(element) => Ok((refinement_of_outcomes(&element), length)),
        Err(_) if of_elements.is_trivial() => Ok((Refinement::any(), length)),
        Err(_) if length.lower() == 0 => Ok((Refinement::any(), LengthRange::exactly(0))),
        Err(error) => Err(error),
    }
}

/// The length range of the converted collection.
fn converted_length(range: &ValueRange, to: &TypeConstraint) -> LengthRange {
    let length =
        within_capacity(range.ty(), range.refinement().element(), range.length_range().unwrap_or_default());
    let (Type::Set(_), Some(from)) = (to.as_type(), range.ty().element_type()) else { return length };
    // Equal elements stay equal, and a set of their type has a limited number of members.
    let length = match Type::set(from.clone()) {
        Ok(distinct) => {
            let most = within_capacity(&distinct, range.refinement().element(), LengthRange::default())
                .upper()
                .unwrap_or(u64::MAX);
            LengthRange::new(
                length.lower().min(most),
                length.upper().map_or(Some(most), |upper| Some(upper.min(most))),
            )
            .unwrap_or(length)
        }
        Err(_) => length,
    };
    if matches!(range.ty(), Type::Set(_)) && keeps_distinct(from, &to.element_or_any()) {
        return length;
    }
    LengthRange::new(length.lower().min(1), length.upper()).unwrap_or_default()
}

/// Whether different values of a type stay different when they are converted to the constraint.
pub(super) fn keeps_distinct(from: &Type, to: &TypeConstraint) -> bool {
    !to.has_optional() && stay_distinct(from, to.as_type())
}

/// As [`keeps_distinct`], without optional attributes.
fn stay_distinct(from: &Type, to: &Type) -> bool {
    let element = to.element_type().unwrap_or(&Type::Dynamic);
    match Conversion::of(from, to) {
        Conversion::Unchanged | Conversion::ToString => true,
        Conversion::Elements { from, is_list_to_set } => !is_list_to_set && stay_distinct(from, element),
        Conversion::ToCollection(mut children) => {
            !matches!(to, Type::Set(_)) && children.all(|from| stay_distinct(from, element))
        }
        Conversion::TupleToTuple(from, to) => {
            from.len() == to.len() && from.iter().zip(to).all(|(from, to)| stay_distinct(from, to))
        }
        Conversion::ObjectToObject(from, to) => {
            from.attribute_names().eq(to.attribute_names())
                && from.iter().zip(to.iter()).all(|((_, from), (_, to))| stay_distinct(from, to))
        }
        Conversion::Capsule => from == to,
        Conversion::FromAny
        | Conversion::FromString
        | Conversion::MapToObject(..)
        | Conversion::Impossible => false,
    }
}

/// The narrowest value that contains the conversion of every value of any type except null.
pub(super) fn of_any_type(target: &mut Target) -> Result<Value> {
    let ty = target.constraint().to_type();
    let mut children = Vec::new();
    match &ty {
        Type::Dynamic => Ok(Value::dynamic()),
        Type::Tuple(tuple) => {
            for element in (0..tuple.len()).filter_map(|index| target.constraint().element_at(index)) {
                children.push(Target::new(element.into_owned()).convert(&Value::dynamic())?);
            }
            Ok(unknown_if_plain(Value::tuple(children)?, ty))
        }
        Type::Object(object) => {
            for attribute in target.attributes() {
                let given = attribute.convert(&Value::dynamic())?;
                children.push(attribute.or_missing(given));
            }
            let whole = Value::object(object.attribute_names().zip(children))?;
            Ok(unknown_if_plain(whole, ty))
        }
        _ if target.constraint().has_optional() => {
            let element = Target::new(target.constraint().element_or_any().into_owned());
            let element = { element }.convert(&Value::dynamic())?;
            let elements =
                Range::of_elements(LengthRange::default(), refinement_of_outcomes(&element), Range::Any);
            let said = elements.map(Refinement::of).unwrap_or_default().and_not_null();
            Ok(canonical(ty.clone(), said.fitted_to(&ty)))
        }
        _ => Ok(canonical(ty, Refinement::not_null())),
    }
}

/// The narrowest value that contains the conversions of all values of all types, null among them. An attribute with a default is
/// not null in it.
pub(super) fn of_any_type_or_null(target: &mut Target) -> Result<Value> {
    let null = Value::null(target.constraint().to_type());
    let not_null = of_any_type(target)?;
    Ok(join(&[&not_null, &null]).unwrap_or(not_null))
}

/// Converts an unknown map to an object.
fn object_of_map(
    range: &ValueRange,
    map: &MapType,
    object: &ObjectType,
    target: &mut Target,
) -> Result<Value> {
    let most = range.length_range().and_then(|length| length.upper());
    let element = range.unknown_element(map.element());
    let mut required = 0_u64;
    let mut slots = Vec::with_capacity(object.len());
    for (attribute, name) in target.attributes().iter_mut().zip(object.attribute_names()) {
        let is_optional = attribute.constraint.is_optional();
        if !is_optional {
            required = required.saturating_add(1);
            if most.is_some_and(|most| most < required) {
                return Err(structure::no_element(name));
            }
        }
        let converts = range.may_have_key(&Value::from(name))
            && most != Some(0)
            && available(map.element(), attribute.constraint.constraint(), Mode::Open);
        let given = if converts { attribute.convert(&element).ok() } else { None };
        slots.push(match given {
            Some(given) => attribute.or_missing(given),
            None if is_optional => attribute.value_if_missing(),
            None if !range.may_have_key(&Value::from(name)) => return Err(structure::no_element(name)),
            None => return Err(mismatch(range.ty(), target.constraint())),
        });
    }
    let whole = Value::object(object.attribute_names().zip(slots))?;
    Ok(unknown_if_plain(whole, result_type::of_any(range.ty(), target.constraint())))
}
