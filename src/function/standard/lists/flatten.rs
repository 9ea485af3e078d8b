//! `flatten` and `chunklist`: nested lists as one list, and one list as several.

use std::borrow::Cow;

use crate::convert::convert;
use crate::error::Result;
use crate::function::standard::StandardFunction;
use crate::function::standard::collections::{
    check_added_elements, elements_of, integer_argument, integer_range, invalid_argument, length_of,
    list_of_elements_from, refined_elements, unknown_list_with,
};
use crate::function::{Arguments, Function, MarkHandling, Parameter, work};
use crate::mark::GatheredMarks;
use crate::refinement::LengthRange;
use crate::types::Type;
use crate::value::{Value, View, elements_of_all, equality, view_below_marks};

/// Adds `flatten` and `chunklist`.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    let flatten = Function::new("flatten")
        .description(
            "A list in which each element that is itself a list, set or tuple is replaced by its elements.",
        )
        .parameter(Parameter::new("list", Type::Dynamic).marks(MarkHandling::Carried))
        .returns_by(|arguments| match arguments.at(0).is_wholly_known() {
            true => Ok(flatten(arguments)?.ty()),
            false => Ok(Type::Dynamic),
        })
        .not_null()
        .body_for_all(flatten);
    functions.push(StandardFunction::shared(flatten, "the elements, if the lengths of all lists are known"));
    let Ok(any) = Type::list(Type::Dynamic) else { return };
    let chunks = Function::new("chunklist")
        .description("The list, split into lists of a size; the last one may be shorter.")
        .parameter(Parameter::new("list", any).marks(MarkHandling::Carried))
        .parameter(Parameter::new("size", Type::Number))
        .returns_by(|arguments| Type::list(arguments.at(0).ty()))
        .not_null()
        .body_for_all(|arguments| chunklist(arguments).map(work::charged));
    let note = "the lists, if the size is known; else bounds of their number";
    functions.push(StandardFunction::shared(chunks, note));
}

/// Computes `flatten`: a tuple of the elements of a list, where lists inside it are replaced by their elements, at
/// every depth. Unknown, of type `dynamic`, if the number of elements is not known.
fn flatten(arguments: &Arguments<'_>) -> Result<Value> {
    let list = arguments.at(0);
    if !matches!(list.ty(), Type::List(_) | Type::Set(_) | Type::Tuple(_) | Type::Dynamic) {
        return Err(invalid_argument("can only flatten lists, sets and tuples"));
    }
    let mut flat = Flattened::default();
    match flat.add_elements_of(list)? {
        Some(()) => Ok(Value::tuple(flat.elements)?.with_marks(&flat.marks.into_marks())),
        // The number of elements is not known, and it is part of the type of a tuple.
        None => Ok(Value::dynamic()),
    }
}

/// Collects the elements for `flatten`.
#[derive(Default)]
struct Flattened {
    elements: Vec<Value>,
    /// The marks of the inner lists, which the result gets.
    marks: GatheredMarks,
    /// The number of elements of all lists so far.
    total: u64,
    /// The number of elements of the longest list so far.
    longest: u64,
}

impl Flattened {
    /// Adds the elements of a list, set or tuple, and of the lists inside it. `None` if their number or order is not
    /// known.
    fn add_elements_of(&mut self, list: &Value) -> Result<Option<()>> {
        let elements = match view_below_marks(list) {
            View::Set(set) if set.member_count() == 1 => set.iter().map(Value::outside_collection).collect(),
            View::Set(set) if !list.is_wholly_known() && !set.element_type().has_dynamic() => {
                let ty = Type::list(set.element_type().clone())?;
                let Ok(sorted) = convert(list, &ty.into()) else { return Ok(None) };
                match elements_of(&sorted) {
                    Some(items) => Cow::Owned(items.into_owned()),
                    None => return Ok(None),
                }
            }
            _ if is_certainly_empty(list) => return Ok(Some(())),
            _ => match elements_of(list) {
                Some(items) => items,
                None => return Ok(None),
            },
        };
        // A list that occurs many times shares its memory, so a small value can flatten to a huge one.
        let length = elements.len() as u64;
        self.longest = self.longest.max(length);
        self.total = self.total.saturating_add(length);
        check_added_elements(self.total.saturating_sub(self.longest))?;
        for element in elements.iter() {
            match element.ty() {
                // A null list stays as an element, while another list would disappear: that the element is there
                // reveals that the list is null, so the result gets its marks (L5).
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
                    if self.add_elements_of(element)?.is_none() {
                        return Ok(None);
                    }
                }
                _ => self.elements.push(element.clone()),
            }
        }
        Ok(Some(()))
    }
}

/// Whether the list, set or tuple certainly has no elements.
fn is_certainly_empty(list: &Value) -> bool {
    !matches!(list, Value::Dynamic(_)) && length_of(list).upper() == Some(0)
}

/// Computes `chunklist`: splits a list into lists of a size, of which the last may be shorter. A size of 0 means one
/// chunk with all elements.
fn chunklist(arguments: &Arguments<'_>) -> Result<Value> {
    let list = arguments.at(0);
    let negative = || invalid_argument("the size argument must be positive");
    if arguments.at(1).is_known() && integer_argument(arguments, 1, "size")? < 0 {
        return Err(negative());
    }
    let (min_size, max_size) = integer_range(arguments.at(1))
        .ok_or_else(|| invalid_argument("invalid size: it can be no whole number"))?;
    let (min_size, max_size) =
        (u64::try_from(min_size).unwrap_or(0), u64::try_from(max_size).map_err(|_| negative())?);
    let ty = list.ty();
    let length = length_of(list);
    let is_one_chunk = min_size == 0 || length.upper().is_some_and(|max| max <= min_size);
    if min_size == max_size && length.lower() > 0 && is_one_chunk {
        let chunk = if list.is_known() { list.clone() } else { list.assume_not_null()? };
        return Value::list_of(ty, [chunk]);
    }
    if let View::List(elements) = view_below_marks(list)
        && (min_size == max_size || length.upper() == Some(0))
    {
        let size = usize::try_from(min_size).unwrap_or(usize::MAX).max(1);
        let chunks = elements.as_slice().chunks(size);
        let chunks =
            chunks.map(|chunk| Value::list_of(elements.element_type().clone(), chunk.iter().cloned()));
        return list_of_elements_from(list, &ty, chunks.collect::<Result<_>>()?);
    }
    let chunk_count = |length: u64, size: u64| if size == 0 { length.min(1) } else { length.div_ceil(size) };
    // The largest size gives the fewest chunks, except that size 0 gives one.
    let min = if min_size == 0 { length.lower().min(1) } else { chunk_count(length.lower(), max_size) };
    let max = length.upper().map(|max| chunk_count(max, if max_size == 0 { 0 } else { min_size.max(1) }));
    let max = if max_size == 0 { Some(max.unwrap_or(1)) } else { max };
    let chunks = LengthRange::new(min, max).unwrap_or_default();
    let chunk = refined_elements(LengthRange::at_least(1), elements_of_all([list]));
    let whole = unknown_list_with(&ty, chunks, chunk)?;
    Ok(if list.contains_marks() { whole.with_marks(&list.unmark_deep().1) } else { whole })
}
