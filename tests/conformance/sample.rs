//! Concretisation: some of the concrete values that a value may become.
//!
//! Candidates come from everything that stands in the case and from a few values of each type; a candidate is kept
//! when [`within`](crate::within) says that the value may become it. No operation of the library takes part.

use std::str::FromStr;

use plantime::{Number, Type, Value, View};

use crate::within::{covers, within};

mod sized;

use sized::{lengths, sized, sized_of_numerals, sized_otherwise};

/// Concrete values, texts, numbers and lengths that occur in a case, and their neighbours.
pub(crate) struct Pool {
    values: Vec<Value>,
    types: Vec<Type>,
}

/// How many values to try for one argument, and how many combinations for all.
const PER_ARGUMENT: usize = 40;
const COMBINATIONS: usize = 1200;

impl Pool {
    pub(crate) fn of<'a>(values: impl IntoIterator<Item = &'a Value>) -> Pool {
        let mut pool = Pool { values: Vec::new(), types: vec![Type::String, Type::Number, Type::Bool] };
        for value in values {
            pool.kind(&value.ty());
            pool.take(&value.unmark_deep().0);
        }
        pool
    }

    fn add(&mut self, value: Value) {
        if self.values.len() < 120 && !self.values.contains(&value) {
            self.values.push(value);
        }
    }

    fn text(&mut self, text: &str) {
        self.add(Value::from(text));
        self.add(Value::from(format!("{text}x")));
        let mut shorter = text.chars();
        shorter.next_back();
        self.add(Value::from(shorter.as_str()));
    }

    fn number(&mut self, number: &Number) {
        self.add(Value::from(number));
        for step in ["1", "-1", "0.5", "-0.5", "1e-30", "-1e-30"] {
            if let Some(next) = Number::from_str(step).ok().and_then(|step| number.add(&step).ok()) {
                self.add(Value::from(next));
            }
        }
        self.add(Value::from(number.negate()));
    }

    fn take(&mut self, value: &Value) {
        if value.is_wholly_known() {
            self.add(value.clone());
        }
        match value.view() {
            View::String(text) => self.text(text),
            View::Number(number) => self.number(number),
            View::Unknown(range) => {
                if let Some(prefix) = range.prefix() {
                    self.text(prefix);
                }
                if let Some(interval) = range.number_range() {
                    [interval.lower(), interval.upper()]
                        .into_iter()
                        .filter_map(|bound| bound.number())
                        .for_each(|number| self.number(number));
                }
                if let Some(length) = range.length_range() {
                    self.number(&Number::from(length.lower()));
                    length.upper().into_iter().for_each(|max| self.number(&Number::from(max)));
                }
            }
            View::List(list) => list.iter().for_each(|item| self.take(item)),
            View::Tuple(tuple) => tuple.iter().for_each(|item| self.take(item)),
            View::Set(set) => set.iter().for_each(|item| self.take(item)),
            View::Map(map) => map.iter().for_each(|(key, item)| {
                self.add(Value::from(key));
                self.take(item);
            }),
            View::Object(object) => object.iter().for_each(|(_, item)| self.take(item)),
            _ => {}
        }
    }

    /// A type that an undecided part may turn out to be, and the types in it.
    fn kind(&mut self, ty: &Type) {
        let ty = &decide(ty, &Type::String);
        if !self.types.contains(ty) && self.types.len() < 12 {
            self.types.push(ty.clone());
        }
        match ty {
            Type::Tuple(tuple) => tuple.iter().for_each(|ty| self.kind(ty)),
            Type::Object(object) => object.iter().for_each(|(_, ty)| self.kind(ty)),
            ty => ty.element_type().into_iter().for_each(|ty| self.kind(ty)),
        }
    }
}

/// Combinations of concrete values that the arguments may become.
pub(crate) fn combinations(args: &[Value], mut pool: Pool) -> Vec<Vec<Value>> {
    // What a partly known container may become is worth a try for the unknown beside it.
    let containers = args.iter().filter(|arg| args.len() > 1 && arg.is_known() && !arg.is_wholly_known());
    let shared: Vec<Value> = containers.flat_map(|arg| concretise(arg, &pool)).collect();
    shared.into_iter().for_each(|value| pool.add(value));
    let each: Vec<Vec<Value>> = args.iter().map(|arg| concretise(arg, &pool)).collect();
    let mut found = product(&each, COMBINATIONS);
    // All that can be empty at once: the least length of a result.
    let least: Vec<Vec<Value>> = each.iter().map(|values| empties(values)).collect();
    found.extend(product(&least, EMPTY));
    found
}

/// How many combinations of empty collections are tried.
const EMPTY: usize = 64;

/// What is of no decided type may be any of these: with numbers inside as well, so that an answer which says "a string" of
/// its elements is seen to be wrong.
const ANY: [&str; 8] = [
    "list(string)",
    "map(string)",
    "set(string)",
    "tuple([])",
    "object({})",
    "list(number)",
    "map(number)",
    "set(number)",
];

/// The empty collections among the values; one of them where there is none.
fn empties(values: &[Value]) -> Vec<Value> {
    let is_empty =
        |value: &&Value| value.range().length_range().is_some_and(|length| length.exact() == Some(0));
    let empty: Vec<Value> = values.iter().filter(is_empty).cloned().collect();
    if empty.is_empty() { values.first().cloned().into_iter().collect() } else { empty }
}

/// Concrete values that the value may become, without marks.
pub(crate) fn concretise(value: &Value, pool: &Pool) -> Vec<Value> {
    let value = value.unmark_deep().0;
    let mut found = some_of(&value, pool, PER_ARGUMENT);
    found.retain(|concrete| concrete.is_wholly_known() && within(&value, concrete));
    found
}

/// Candidates; not all of them are concretisations.
fn some_of(value: &Value, pool: &Pool, most: usize) -> Vec<Value> {
    if value.is_wholly_known() {
        return vec![value.clone()];
    }
    let parts = (most / 3).max(2);
    let mut found = match value.view() {
        View::Unknown(range) => of_type(range.ty(), Some(value), pool, most),
        View::Tuple(tuple) => {
            let each: Vec<_> = tuple.iter().map(|item| some_of(item, pool, parts)).collect();
            product(&each, most).into_iter().filter_map(|items| Value::tuple(items).ok()).collect()
        }
        View::Object(object) => {
            let names: Vec<&str> = object.iter().map(|(name, _)| name).collect();
            let each: Vec<_> = object.iter().map(|(_, item)| some_of(item, pool, parts)).collect();
            let built = product(&each, most).into_iter();
            built.filter_map(|items| Value::object(names.iter().zip(items)).ok()).collect()
        }
        View::List(_) | View::Set(_) | View::Map(_) => collection(value, pool, most),
        _ => of_type(&Type::Dynamic, None, pool, most),
    };
    dedup(&mut found);
    found
}

fn collection(value: &Value, pool: &Pool, most: usize) -> Vec<Value> {
    let ty = value.ty();
    let Some(element) = ty.element_type() else { return Vec::new() };
    let mut found = Vec::new();
    // One element type for all elements.
    for element in instances(element, pool) {
        let parts = (most / 3).max(2);
        let given = |item: &Value| {
            let item = typed(item, &element);
            if item.is_wholly_known() { vec![item] } else { some_of(&item, pool, parts) }
        };
        match value.view() {
            View::List(list) => {
                let each: Vec<_> = list.iter().map(given).collect();
                let built = product(&each, most).into_iter();
                found.extend(built.filter_map(|items| Value::list_of(element.clone(), items).ok()));
            }
            View::Set(set) => {
                let each: Vec<_> = set.iter().map(given).collect();
                let built = product(&each, most).into_iter();
                found.extend(built.filter_map(|items| Value::set_of(element.clone(), items).ok()));
            }
            View::Map(map) => {
                let names: Vec<&str> = map.iter().map(|(name, _)| name).collect();
                let each: Vec<_> = map.iter().map(|(_, item)| given(item)).collect();
                let built = product(&each, most).into_iter();
                found.extend(
                    built.filter_map(|items| Value::map_of(element.clone(), names.iter().zip(items)).ok()),
                );
            }
            _ => {}
        }
    }
    found
}

/// An element as one of a decided type; itself where its type is decided already.
fn typed(value: &Value, ty: &Type) -> Value {
    if !value.ty().has_dynamic() {
        return value.clone();
    }
    match (value.view(), ty) {
        (View::Null(_), ty) => Value::null(ty.clone()),
        (View::Dynamic, ty) => Value::unknown(ty.clone()),
        (View::Unknown(range), ty) => Value::refined(ty.clone(), range.refinement().clone())
            .unwrap_or_else(|_| Value::unknown(ty.clone())),
        (View::List(list), Type::List(ty)) => {
            let items = list.iter().map(|item| typed(item, ty.element()));
            Value::list_of(ty.element().clone(), items).unwrap_or_else(|_| value.clone())
        }
        (View::Set(set), Type::Set(ty)) => {
            let items = set.iter().map(|item| typed(item, ty.element()));
            Value::set_of(ty.element().clone(), items).unwrap_or_else(|_| value.clone())
        }
        (View::Map(map), Type::Map(ty)) => {
            let items = map.iter().map(|(name, item)| (name, typed(item, ty.element())));
            Value::map_of(ty.element().clone(), items).unwrap_or_else(|_| value.clone())
        }
        (View::Tuple(tuple), Type::Tuple(ty)) => {
            let items = tuple.iter().zip(ty.iter()).map(|(item, ty)| typed(item, ty));
            Value::tuple(items).unwrap_or_else(|_| value.clone())
        }
        (View::Object(object), Type::Object(ty)) => {
            let items = object.iter().zip(ty.iter()).map(|((name, item), (_, ty))| (name, typed(item, ty)));
            Value::object(items).unwrap_or_else(|_| value.clone())
        }
        _ => value.clone(),
    }
}

/// Types that a type with undecided parts may turn out to be; itself where all is decided.
fn instances(ty: &Type, pool: &Pool) -> Vec<Type> {
    if !ty.has_dynamic() {
        return vec![ty.clone()];
    }
    let mut found: Vec<Type> = pool.types.iter().filter(|other| covers(ty, other)).cloned().collect();
    for decided in [Type::String, Type::Number, Type::Bool] {
        let instance = decide(ty, &decided);
        if !found.contains(&instance) {
            found.push(instance);
        }
    }
    found.truncate(8);
    found
}

/// The type with strings in the place of all that has no parts.
fn in_texts(ty: &Type) -> Type {
    let built = match ty {
        Type::Bool | Type::Number => return Type::String,
        Type::List(list) => Type::list(in_texts(list.element())),
        Type::Set(set) => Type::set(in_texts(set.element())),
        Type::Map(map) => Type::map(in_texts(map.element())),
        Type::Tuple(tuple) => Type::tuple(tuple.iter().map(in_texts)),
        Type::Object(object) => Type::object(object.iter().map(|(name, ty)| (name, in_texts(ty)))),
        ty => return ty.clone(),
    };
    built.unwrap_or_else(|_| ty.clone())
}

fn decide(ty: &Type, decided: &Type) -> Type {
    let built = match ty {
        Type::Dynamic => return decided.clone(),
        Type::List(list) => Type::list(decide(list.element(), decided)),
        Type::Set(set) => Type::set(decide(set.element(), decided)),
        Type::Map(map) => Type::map(decide(map.element(), decided)),
        Type::Tuple(tuple) => Type::tuple(tuple.iter().map(|ty| decide(ty, decided))),
        Type::Object(object) => Type::object(object.iter().map(|(name, ty)| (name, decide(ty, decided)))),
        ty => return ty.clone(),
    };
    built.unwrap_or_else(|_| ty.clone())
}

/// Candidates of a type; `bounds` is the unknown whose bounds give hints.
fn of_type(ty: &Type, bounds: Option<&Value>, pool: &Pool, most: usize) -> Vec<Value> {
    let mut found = vec![Value::null(ty.clone())];
    if ty.has_dynamic() {
        found.extend(instances(ty, pool).into_iter().map(Value::null));
    }
    let hint = |value: &Value| bounds.is_none_or(|bounds| within(bounds, value));
    found.extend(pool.values.iter().filter(|value| covers(ty, &value.ty()) && hint(value)).cloned());
    let parts = (most / 4).clamp(2, 8);
    if matches!(ty, Type::Tuple(_) | Type::Object(_)) && ty.has_dynamic() {
        // One of each type that the case names, whatever else is found.
        found.extend(instances(ty, pool).iter().filter_map(|ty| {
            let one = of_type(ty, None, pool, 2);
            one.into_iter().find(|value| !value.is_null())
        }));
    }
    match ty {
        Type::Dynamic => {
            for ty in &pool.types {
                found.extend(of_type(ty, None, pool, 6));
                // Beside a collection of it, one of texts: the common type can be that.
                if ty.is_collection() {
                    found.extend(of_type(&in_texts(ty), None, pool, 3));
                }
            }
            for text in ANY {
                if let Ok(ty) = text.parse::<Type>() {
                    found.extend(of_type(&ty, None, pool, 3));
                }
            }
            return found;
        }
        // The recorded cases have none.
        Type::Capsule(_) => {}
        Type::Bool => found.extend([true, false].map(Value::from)),
        Type::Number => {
            let texts = ["inf", "0", "-inf", "1", "-1", "5", "1000", "0.5", "1e40"];
            let numbers = texts.iter().filter_map(|text| text.parse::<Number>().ok());
            // The infinities early: what is cut off is at the end.
            found.splice(1..1, numbers.map(Value::from));
        }
        Type::String => {
            let prefix = bounds.map(Value::range).and_then(|range| range.prefix().map(str::to_owned));
            let prefix = prefix.unwrap_or_default();
            let rests = ["", "a", "b", "1", "\u{301}", "\"", "0.5", "e5", "]", " "];
            found.extend(rests.map(|rest| Value::from(format!("{prefix}{rest}"))));
        }
        Type::Tuple(tuple) => {
            let each: Vec<_> = tuple.iter().map(|ty| of_type(ty, None, pool, parts)).collect();
            found.extend(product(&each, most).into_iter().filter_map(|items| Value::tuple(items).ok()));
        }
        Type::Object(object) => {
            let each: Vec<_> = object.iter().map(|(_, ty)| of_type(ty, None, pool, parts)).collect();
            let built = product(&each, most).into_iter();
            found.extend(built.filter_map(|items| Value::object(object.attribute_names().zip(items)).ok()));
        }
        Type::List(_) | Type::Set(_) | Type::Map(_) => {
            let element = ty.element_type().cloned().unwrap_or(Type::Dynamic);
            found.extend(sized(ty, &element, 0, &[]));
            for element in instances(&element, pool) {
                let mut items = of_type(&element, None, pool, 12);
                dedup(&mut items);
                items.retain(Value::is_wholly_known);
                // A few ways to begin, so that neither null nor one text stands in every collection.
                for length in lengths(bounds, pool) {
                    found.extend(sized_of_numerals(ty, &element, length));
                    found.extend(sized_otherwise(ty, &element, length, &items, pool));
                    if let (Type::List(_), 1..=3) = (ty, length) {
                        found.extend(Value::list_of(
                            element.clone(),
                            vec![Value::null(element.clone()); length],
                        ));
                    }
                    for start in 0..if length == 0 { 1 } else { items.len().min(4) } {
                        items.rotate_left(start);
                        found.extend(sized(ty, &element, length, &items));
                    }
                }
            }
        }
    }
    dedup(&mut found);
    found.retain(|value| value.is_wholly_known() && hint(value));
    found.truncate(most.max(2) * 3);
    found
}

fn dedup(values: &mut Vec<Value>) {
    let mut seen = std::collections::BTreeSet::new();
    values.retain(|value| seen.insert(value.clone()));
}

/// All combinations, or that many of them: each value of each list occurs, and then others in a fixed
/// scattered order.
fn product(each: &[Vec<Value>], most: usize) -> Vec<Vec<Value>> {
    let count = each.iter().try_fold(1_usize, |count, list| count.checked_mul(list.len()));
    if each.iter().any(Vec::is_empty) {
        return Vec::new();
    }
    let pick = |mut place: usize| -> Vec<Value> {
        each.iter()
            .map(|list| {
                let item = list[place % list.len()].clone();
                place /= list.len();
                item
            })
            .collect()
    };
    match count {
        Some(count) if count <= most => (0..count).map(pick).collect(),
        _ => {
            let longest = each.iter().map(Vec::len).max().unwrap_or(0);
            let mut found: Vec<Vec<Value>> = (0..longest)
                .map(|i| each.iter().map(|list| list[i % list.len()].clone()).collect())
                .collect();
            let mut state = 0x2545_f491_4f6c_dd1d_u64;
            while found.len() < most.max(longest) {
                let combination = each.iter().map(|list| {
                    state ^= state << 13;
                    state ^= state >> 7;
                    state ^= state << 17;
                    list[usize::try_from(state % (list.len() as u64)).unwrap_or(0)].clone()
                });
                found.push(combination.collect());
            }
            found
        }
    }
}
