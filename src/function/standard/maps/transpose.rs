//! Keys and values changed about, and values found by their keys.

use std::collections::{BTreeMap, HashSet};

use crate::constraint::TypeConstraint;
use crate::convert::{Safety, convert, unify};
use crate::error::{Error, Result};
use crate::function::standard::Standard;
use crate::function::standard::collections::{
    check_number, items, length_of, list_from, unfit, unknown_list,
};
use crate::function::{Arguments, Function, Parameter};
use crate::refinement::{LengthRange, Refinement};
use crate::types::Type;
use crate::value::{Value, View, canonical, equality, view_below_marks};

pub(super) fn add_to(all: &mut Vec<Standard>) {
    let (Ok(any), Ok(texts)) = (Type::list(Type::Dynamic), Type::list(Type::String)) else { return };
    let Ok(lists) = Type::map(texts) else { return };
    let transpose = Function::new("transpose")
        .description("A map from each text in the lists of a map to the keys of the lists that it is in.")
        .parameter(Parameter::new("values", lists.clone()))
        .returns(lists)
        .not_null()
        .body_for_all(transpose);
    all.push(Standard::language(transpose));
    let matchkeys = Function::new("matchkeys")
        .description("The elements of a list whose keys, in a list as long, are among those searched for.")
        .parameter(Parameter::new("values", any.clone()))
        .parameter(Parameter::new("keys", any.clone()))
        .parameter(Parameter::new("searchset", any))
        .returns_by(|arguments| {
            key_type(arguments)?;
            Ok(arguments.at(0).ty())
        })
        .not_null()
        .body_for_all(matchkeys);
    all.push(Standard::language(matchkeys));
}

fn transpose(arguments: &Arguments<'_>) -> Result<Value> {
    let map = arguments.at(0);
    let Type::Map(ty) = arguments.ty() else { return Ok(Value::dynamic()) };
    let mut found: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    let (mut is_whole, mut most) = (map.is_known(), map.is_known().then_some(0_u64));
    if let View::Map(lists) = view_below_marks(map) {
        check_number(lists.iter().map(|(_, list)| length_of(list).lower()))?;
        for (key, list) in lists.iter() {
            if equality::is_always_null(list) {
                return Err(null_text());
            }
            most = most.and_then(|most| Some(most.saturating_add(length_of(list).upper()?)));
            let View::List(texts) = view_below_marks(list) else {
                is_whole = false;
                continue;
            };
            for text in texts.iter() {
                match text.as_str() {
                    Ok(text) => found.entry(text).or_default().push(Value::from(key)),
                    Err(_) if equality::is_always_null(text) => return Err(null_text()),
                    Err(_) => is_whole = false,
                }
            }
        }
    }
    if is_whole {
        let lists = found.into_iter().map(|(text, keys)| Ok((text, Value::list_of(Type::String, keys)?)));
        return Value::map_of(ty.element().clone(), lists.collect::<Result<Vec<_>>>()?);
    }
    let length = LengthRange::new(found.len() as u64, most).unwrap_or_default();
    Ok(canonical(arguments.ty().clone(), Refinement::length(length).and_not_null()))
}

#[cold]
fn null_text() -> Error {
    unfit("input list must not contain null string")
}

/// The type in which keys are compared; none while it is not decided.
fn key_type(arguments: &Arguments<'_>) -> Result<Option<Type>> {
    let keys = [arguments.at(1), arguments.at(2)];
    let types = keys.map(Value::ty);
    if keys.iter().zip(&types).any(|(keys, ty)| ty.has_dynamic() && !keys.is_wholly_known()) {
        return Ok(None);
    }
    let common = unify(&types, Safety::Unsafe);
    common.map(Some).ok_or_else(|| unfit("keys and searchset must be of the same type"))
}

fn matchkeys(arguments: &Arguments<'_>) -> Result<Value> {
    let values = arguments.at(0);
    let different = || unfit("length of keys and values should be equal");
    let length = length_of(values).meet(length_of(arguments.at(1))).ok_or_else(different)?;
    let element = values.ty().element_type().cloned().unwrap_or(Type::Dynamic);
    let some = |fewest: u64, most: Option<u64>| {
        unknown_list(&element, LengthRange::new(fewest, most).unwrap_or_default())
    };
    if length_of(arguments.at(2)).upper() == Some(0) {
        return if values.is_wholly_known() {
            list_from(values, &element, Vec::new())
        } else {
            some(0, Some(0))
        };
    }
    let Some(ty) = key_type(arguments)? else { return some(0, length.upper()) };
    let wanted = TypeConstraint::from(ty);
    let (keys, searched) = (convert(arguments.at(1), &wanted)?, convert(arguments.at(2), &wanted)?);
    let Some(keys) = items(&keys) else { return some(0, length.upper()) };
    let searched_for = items(&searched);
    let mut searched = Searched::new(searched_for.as_deref(), &searched);
    let fits: Vec<Option<bool>> = keys.iter().map(|key| searched.has(key)).collect();
    let certain = fits.iter().filter(|fits| **fits == Some(true)).count() as u64;
    let possible = fits.iter().filter(|fits| **fits != Some(false)).count() as u64;
    match view_below_marks(values) {
        View::List(values_there) if certain == possible => {
            let fitting = values_there.iter().zip(&fits).filter(|(_, fits)| **fits == Some(true));
            list_from(values, &element, fitting.map(|(value, _)| value.clone()).collect())
        }
        _ => some(certain, Some(possible)),
    }
}

/// What is searched for, so that each key is looked for once.
struct Searched<'a> {
    known: HashSet<&'a Value>,
    others: Vec<&'a Value>,
    /// One that all may be, where it is not known how many there are.
    any: Option<Value>,
    /// So many pairs are compared, beyond which it is not found out what is the same.
    pairs: usize,
}

const PAIRS: usize = 1 << 20;

impl<'a> Searched<'a> {
    fn new(items: Option<&'a [Value]>, list: &Value) -> Searched<'a> {
        let element = || Value::unknown(list.ty().element_type().cloned().unwrap_or(Type::Dynamic));
        let any = items.is_none().then(element);
        let (known, others): (Vec<_>, Vec<_>) =
            items.unwrap_or_default().iter().partition(|item| item.is_wholly_known());
        Searched { known: known.into_iter().collect(), others, any, pairs: PAIRS }
    }

    /// Whether a key is among them.
    fn has(&mut self, key: &Value) -> Option<bool> {
        if let Some(any) = &self.any {
            return equality::equal(key, any).filter(|equal| !equal);
        }
        if self.known.contains(key) {
            return Some(true);
        }
        // What is known differs from all that are known.
        let known = (!key.is_wholly_known()).then_some(&self.known).into_iter().flatten();
        let pairs = if key.is_wholly_known() { 0 } else { self.known.len() };
        self.pairs = self.pairs.checked_sub(pairs.saturating_add(self.others.len()))?;
        let mut answer = Some(false);
        for other in known.chain(&self.others) {
            match equality::equal(key, other) {
                Some(true) => return Some(true),
                Some(false) => {}
                None => answer = None,
            }
        }
        answer
    }
}
