//! Lists in lists as one, and one list as several.

use std::borrow::Cow;

use crate::convert::convert;
use crate::error::Result;
use crate::function::standard::Standard;
use crate::function::standard::collections::{
    check_more, items, length_of, list_from, unfit, unknown_list_from, whole, wholes,
};
use crate::function::{Arguments, Function, MarkHandling, Parameter};
use crate::mark::GatheredMarks;
use crate::refinement::LengthRange;
use crate::types::Type;
use crate::value::{Value, View, equality, view_below_marks};

pub(super) fn add_to(all: &mut Vec<Standard>) {
    let flatten = Function::new("flatten")
        .description("The elements of a list, and in place of each list in it the elements of that.")
        .parameter(Parameter::new("list", Type::Dynamic).marks(MarkHandling::Carried))
        .returns_by(|arguments| match arguments.at(0).is_wholly_known() {
            true => Ok(flatten(arguments)?.ty()),
            false => Ok(Type::Dynamic),
        })
        .not_null()
        .body_for_all(flatten);
    all.push(Standard::both(flatten));
    let Ok(any) = Type::list(Type::Dynamic) else { return };
    let chunks = Function::new("chunklist")
        .description("The elements of a list in lists of so many each, of which the last can have fewer.")
        .parameter(Parameter::new("list", any).marks(MarkHandling::Carried))
        .parameter(Parameter::new("size", Type::Number))
        .returns_by(|arguments| Type::list(arguments.at(0).ty()))
        .not_null()
        .body_for_all(chunks);
    all.push(Standard::both(chunks));
}

fn flatten(arguments: &Arguments<'_>) -> Result<Value> {
    let list = arguments.at(0);
    if !matches!(list.ty(), Type::List(_) | Type::Set(_) | Type::Tuple(_) | Type::Dynamic) {
        return Err(unfit("can only flatten lists, sets and tuples"));
    }
    let mut flat = Flat::default();
    match flat.add(list)? {
        Some(()) => Ok(Value::tuple(flat.elements)?.with_marks(&flat.marks.into_marks())),
        // How many there will be is not known.
        None => Ok(Value::dynamic()),
    }
}

/// The elements that have been found.
#[derive(Default)]
struct Flat {
    elements: Vec<Value>,
    marks: GatheredMarks,
    /// How many elements the lists had, and the longest of these.
    seen: u64,
    longest: u64,
}

impl Flat {
    /// None where it is not known how many there are.
    fn add(&mut self, list: &Value) -> Result<Option<()>> {
        let elements = match view_below_marks(list) {
            View::Set(set) if set.member_count() == 1 => set.iter().map(Value::opened).collect(),
            View::Set(set) if !list.is_wholly_known() && !set.element_type().has_dynamic() => {
                let ty = Type::list(set.element_type().clone())?;
                let Ok(sorted) = convert(list, &ty.into()) else { return Ok(None) };
                match items(&sorted) {
                    Some(items) => Cow::Owned(items.into_owned()),
                    None => return Ok(None),
                }
            }
            _ if is_empty(list) => return Ok(Some(())),
            _ => match items(list) {
                Some(items) => items,
                None => return Ok(None),
            },
        };
        // A list that stands in many places has little memory and many elements.
        let length = elements.len() as u64;
        self.longest = self.longest.max(length);
        self.seen = self.seen.saturating_add(length);
        check_more(self.seen.saturating_sub(self.longest))?;
        for element in elements.iter() {
            match element.ty() {
                // A list that stood here would leave no place for its mark, so that there is a place says that it is null.
                Type::List(_) | Type::Set(_) | Type::Tuple(_) if element.is_null() => {
                    self.marks.add(element.marks());
                    self.elements.push(element.clone());
                }
                _ if element.is_null() => self.elements.push(element.clone()),
                Type::Dynamic => return Ok(None),
                Type::List(_) | Type::Set(_) | Type::Tuple(_) => {
                    if equality::may_be_null(element) {
                        return Ok(None);
                    }
                    self.marks.add(element.marks());
                    if self.add(element)?.is_none() {
                        return Ok(None);
                    }
                }
                _ => self.elements.push(element.clone()),
            }
        }
        Ok(Some(()))
    }
}

fn is_empty(list: &Value) -> bool {
    !matches!(list, Value::Dynamic(_)) && length_of(list).upper() == Some(0)
}

fn chunks(arguments: &Arguments<'_>) -> Result<Value> {
    let list = arguments.at(0);
    let negative = || unfit("the size argument must be positive");
    if arguments.at(1).is_known() && whole(arguments, 1, "size")? < 0 {
        return Err(negative());
    }
    let (low, high) =
        wholes(arguments.at(1)).ok_or_else(|| unfit("invalid size: it can be no whole number"))?;
    let (low, high) = (u64::try_from(low).unwrap_or(0), u64::try_from(high).map_err(|_| negative())?);
    let ty = list.ty();
    let length = length_of(list);
    if low == high && length.lower() > 0 && (low == 0 || length.upper().is_some_and(|most| most <= low)) {
        let whole = if list.is_known() { list.clone() } else { list.assume_not_null()? };
        return Value::list_of(ty, [whole]);
    }
    if let (View::List(elements), true) = (view_below_marks(list), low == high || length.upper() == Some(0)) {
        let size = usize::try_from(low).unwrap_or(usize::MAX).max(1);
        let chunks = elements.as_slice().chunks(size);
        let chunks =
            chunks.map(|chunk| Value::list_of(elements.element_type().clone(), chunk.iter().cloned()));
        return list_from(list, &ty, chunks.collect::<Result<_>>()?);
    }
    // A size of 0 gives one.
    let chunked = |length: u64, size: u64| if size == 0 { length.min(1) } else { length.div_ceil(size) };
    let fewest = if low == 0 { length.lower().min(1) } else { chunked(length.lower(), high) };
    let most = length.upper().map(|most| chunked(most, if high == 0 { 0 } else { low.max(1) }));
    let most = if high == 0 { Some(most.unwrap_or(1)) } else { most };
    unknown_list_from(list, &ty, LengthRange::new(fewest, most).unwrap_or_default())
}
