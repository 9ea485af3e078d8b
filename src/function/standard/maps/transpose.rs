//! `transpose` and `matchkeys`: a map of lists with keys and elements swapped, and the values whose keys are in a list.

use std::collections::{BTreeMap, HashSet};

use crate::constraint::TypeConstraint;
use crate::convert::{Safety, convert, unify};
use crate::error::{Error, Result};
use crate::function::standard::StandardFunction;
use crate::function::standard::collections::{
    check_total_elements, elements_of, invalid_argument, length_of, list_of_elements_from, refined_elements,
    unknown_list_with,
};
use crate::function::{Arguments, Function, Parameter, work};
use crate::refinement::{LengthRange, Refinement};
use crate::types::Type;
use crate::value::{Value, View, canonical, elements_of_all, equality, view_below_marks};

/// Adds `transpose` and `matchkeys`.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    let (Ok(any), Ok(texts)) = (Type::list(Type::Dynamic), Type::list(Type::String)) else { return };
    let Ok(lists) = Type::map(texts) else { return };
    let transpose = Function::new("transpose")
        .description("A map from each string in the lists of a map to the keys of the lists that contain it.")
        .parameter(Parameter::new("values", lists.clone()))
        .returns(lists)
        .not_null()
        .body_for_all(transpose);
    functions.push(StandardFunction::language_only(transpose, "bounds of the number of keys"));
    let matchkeys = Function::new("matchkeys")
        .description(
            "The values of a list whose keys, in a second list of the same length, are in a third list.",
        )
        .parameter(Parameter::new("values", any.clone()))
        .parameter(Parameter::new("keys", any.clone()))
        .parameter(Parameter::new("searchset", any))
        .returns_by(|arguments| {
            common_key_type(arguments)?;
            Ok(arguments.at(0).ty())
        })
        .not_null()
        .body_for_all(matchkeys);
    let note = "the values, if it is known which keys match; else bounds of the length, and what is known of all elements";
    functions.push(StandardFunction::language_only(matchkeys, note));
}

/// Computes `transpose`: a map from each string in the lists of a map to the keys whose lists contain it. Bounds of the
/// length if not all strings are known.
fn transpose(arguments: &Arguments<'_>) -> Result<Value> {
    let map = arguments.at(0);
    let Type::Map(ty) = arguments.ty() else { return Ok(Value::dynamic()) };
    let mut keys_of: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    let (mut is_complete, mut max) = (map.is_known(), map.is_known().then_some(0_u64));
    if let View::Map(lists) = view_below_marks(map) {
        check_total_elements(lists.iter().map(|(_, list)| length_of(list).lower()))?;
        for (key, list) in lists.iter() {
            if equality::is_always_null(list) {
                return Err(null_string());
            }
            max = max.and_then(|max| Some(max.saturating_add(length_of(list).upper()?)));
            let View::List(strings) = view_below_marks(list) else {
                is_complete = false;
                continue;
            };
            let key = Value::from(key);
            for string in strings.iter() {
                match string.as_str() {
                    Ok(string) => keys_of.entry(string).or_default().push(key.clone()),
                    Err(_) if equality::is_always_null(string) => return Err(null_string()),
                    Err(_) => is_complete = false,
                }
            }
        }
    }
    if is_complete {
        let lists =
            keys_of.into_iter().map(|(string, keys)| Ok((string, Value::list_of(Type::String, keys)?)));
        return Value::map_of(ty.element().clone(), lists.collect::<Result<Vec<_>>>()?).map(work::charged);
    }
    let length = LengthRange::new(keys_of.len() as u64, max).unwrap_or_default();
    let keys = refined_elements(LengthRange::at_least(1), Refinement::not_null());
    Ok(canonical(arguments.ty().clone(), refined_elements(length, keys)))
}

/// The error of `transpose` for a null list or a null string in a list.
#[cold]
fn null_string() -> Error {
    invalid_argument("input list must not contain null string")
}

/// The type that the keys and the searched keys of `matchkeys` are converted to before they are compared; an error if
/// they have none in common. `None` while their types are undecided.
fn common_key_type(arguments: &Arguments<'_>) -> Result<Option<Type>> {
    let keys = [arguments.at(1), arguments.at(2)];
    let types = keys.map(Value::ty);
    if keys.iter().zip(&types).any(|(keys, ty)| ty.has_dynamic() && !keys.is_wholly_known()) {
        return Ok(None);
    }
    let common = unify(&types, Safety::Unsafe);
    common.map(Some).ok_or_else(|| invalid_argument("keys and searchset must be of the same type"))
}

/// Computes `matchkeys`: the values whose key, the element at the same index of a second list, is in a third list. If
/// unknown keys may match, an unknown list with bounds of its length.
fn matchkeys(arguments: &Arguments<'_>) -> Result<Value> {
    let values = arguments.at(0);
    let different = || invalid_argument("length of keys and values should be equal");
    let length = length_of(values).meet(length_of(arguments.at(1))).ok_or_else(different)?;
    let element = values.ty().element_type().cloned().unwrap_or(Type::Dynamic);
    let unknown_values = |min: u64, max: Option<u64>| {
        let length = LengthRange::new(min, max).unwrap_or_default();
        unknown_list_with(&element, length, elements_of_all([values]))
    };
    if length_of(arguments.at(2)).upper() == Some(0) {
        return if values.is_wholly_known() {
            list_of_elements_from(values, &element, Vec::new())
        } else {
            unknown_values(0, Some(0))
        };
    }
    let Some(ty) = common_key_type(arguments)? else { return unknown_values(0, length.upper()) };
    let target = TypeConstraint::from(ty);
    let (keys, search_set) = (convert(arguments.at(1), &target)?, convert(arguments.at(2), &target)?);
    let Some(keys) = elements_of(&keys) else { return unknown_values(0, length.upper()) };
    let searched = elements_of(&search_set);
    let mut searched = SearchedKeys::new(searched.as_deref(), &search_set);
    let matches: Vec<Option<bool>> = keys.iter().map(|key| searched.contains(key)).collect();
    let certain = matches.iter().filter(|matches| **matches == Some(true)).count() as u64;
    let possible = matches.iter().filter(|matches| **matches != Some(false)).count() as u64;
    match view_below_marks(values) {
        View::List(elements) if certain == possible => {
            let matching = elements.iter().zip(&matches).filter(|(_, matches)| **matches == Some(true));
            list_of_elements_from(values, &element, matching.map(|(value, _)| value.clone()).collect())
        }
        _ => unknown_values(certain, Some(possible)),
    }
}

/// The keys in the third argument of `matchkeys`. Known keys are hashed, so that a known key is looked up without
/// comparing all pairs.
struct SearchedKeys<'a> {
    /// The keys that are wholly known.
    known: HashSet<&'a Value>,
    not_wholly_known: Vec<&'a Value>,
    /// An unknown of the element type, if the number of searched keys is not known.
    unknown_element: Option<Value>,
    /// The number of pairs of keys that may still be compared. Beyond that, `contains` returns `None`.
    pairs_left: usize,
}

/// The maximum number of pairs of keys that one call of `matchkeys` compares.
const MAX_PAIRS: usize = 1 << 20;

impl<'a> SearchedKeys<'a> {
    /// The searched keys `list`. `items` are its elements, `None` if their number is not known.
    fn new(items: Option<&'a [Value]>, list: &Value) -> SearchedKeys<'a> {
        let element = || Value::unknown(list.ty().element_type().cloned().unwrap_or(Type::Dynamic));
        let unknown_element = items.is_none().then(element);
        let (known, not_wholly_known): (Vec<_>, Vec<_>) =
            items.unwrap_or_default().iter().partition(|item| item.is_wholly_known());
        SearchedKeys {
            known: known.into_iter().collect(),
            not_wholly_known,
            unknown_element,
            pairs_left: MAX_PAIRS,
        }
    }

    /// Whether a key equals one of the searched keys. `None` if that depends on unknowns, or too many pairs were
    /// compared.
    fn contains(&mut self, key: &Value) -> Option<bool> {
        if let Some(element) = &self.unknown_element {
            return equality::equal(key, element).filter(|equal| !equal);
        }
        if self.known.contains(key) {
            return Some(true);
        }
        // A known key that is not in the hash set differs from all known keys.
        let known = (!key.is_wholly_known()).then_some(&self.known).into_iter().flatten();
        let pairs = if key.is_wholly_known() { 0 } else { self.known.len() };
        self.pairs_left = self.pairs_left.checked_sub(pairs.saturating_add(self.not_wholly_known.len()))?;
        equality::any_equal(known.chain(&self.not_wholly_known).copied(), key)
    }
}
