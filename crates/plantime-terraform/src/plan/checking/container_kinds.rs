//! Other readings of values whose kind the plan does not say.
//!
//! JSON writes a list, a set and a tuple alike, and a map and an object. Where no schema decides which it is, a plan is
//! read with tuples and objects. As a set, members that are unknown may turn out equal, so it may end up shorter, and in
//! another order; as a map, an object has a type for all its elements. An answer is given only where every reading that
//! the rule can read gives it.

use plantime::{LengthRange, ObjectType, Refinement, Type, Value, View, convert};

/// The depths at which JSON arrays are read as sets, rather than lists: bit N stands for arrays inside N other
/// arrays. Arrays of one depth are read alike, since the elements of a collection are of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::plan) struct SetDepths(u8);

/// The last depth with a bit of its own; it also stands for all deeper ones.
const DEEPEST: u8 = 3;

impl SetDepths {
    /// All combinations of depths that read at least one array as a set, for a value whose arrays nest `levels` deep.
    pub(in crate::plan) fn all_with_sets(levels: usize) -> impl Iterator<Item = SetDepths> + Clone {
        let bits = u8::try_from(levels).unwrap_or(u8::MAX).min(DEEPEST.saturating_add(1));
        (1..1_u8 << bits).map(SetDepths)
    }

    /// The same depths counted from inside `arrays` arrays.
    pub(super) fn below(self, arrays: usize) -> SetDepths {
        let deepest = self.0 & (1 << DEEPEST);
        let shift = u32::try_from(arrays).unwrap_or(u32::MAX).min(u32::from(DEEPEST));
        SetDepths(self.0 >> shift | deepest)
    }

    /// Whether the outermost array is read as a set.
    pub(super) fn has_outermost(self) -> bool {
        self.0 & 1 == 1
    }

    /// Whether no array is read as a set.
    fn is_none(self) -> bool {
        self.0 == 0
    }
}

/// How many arrays nest in a value whose kind (list, set or tuple) the declared type leaves open; 0 if there are
/// none.
pub(in crate::plan) fn array_depth(value: &Value, declared: &Type) -> usize {
    if !declared.has_dynamic() || value.is_null() || !value.is_known() {
        return 0;
    }
    let (bare, _) = value.clone().unmark();
    let own = usize::from(matches!((bare.view(), declared), (View::Tuple(_), Type::Dynamic)));
    let inside = match bare.view() {
        View::Object(object) => {
            object.iter().map(|(name, part)| array_depth(part, &attribute_type(declared, name))).max()
        }
        View::Tuple(tuple) => {
            tuple.iter().enumerate().map(|(at, part)| array_depth(part, &tuple_slot_type(declared, at))).max()
        }
        View::Map(map) => map.iter().map(|(_, part)| array_depth(part, &element_type(declared))).max(),
        View::List(list) => list.iter().map(|part| array_depth(part, &element_type(declared))).max(),
        _ => None,
    };
    own.saturating_add(inside.unwrap_or(0))
}

/// The value with its arrays of undecided kind at these depths read as sets. An array that cannot be a set stays as
/// it is.
pub(in crate::plan) fn with_sets(value: &Value, declared: &Type, depths: SetDepths) -> Value {
    if depths.is_none() || !declared.has_dynamic() || value.is_null() || !value.is_known() {
        return value.clone();
    }
    let (bare, marks) = value.clone().unmark();
    let read = match (bare.view(), declared) {
        (View::Tuple(tuple), Type::Dynamic) => {
            let parts = tuple.iter().map(|part| with_sets(part, &Type::Dynamic, depths.below(1)));
            let parts: Vec<Value> = parts.collect();
            if depths.has_outermost() && can_be_set(&parts) {
                Some(as_set(parts))
            } else {
                Value::tuple(parts).ok()
            }
        }
        (View::Object(object), declared) => {
            let part = |(name, part): (&str, &Value)| {
                (name.to_owned(), with_sets(part, &attribute_type(declared, name), depths))
            };
            Value::object(object.iter().map(part)).ok()
        }
        (View::Tuple(tuple), declared) => {
            let parts = tuple.iter().enumerate();
            Value::tuple(parts.map(|(at, part)| with_sets(part, &tuple_slot_type(declared, at), depths))).ok()
        }
        (View::Map(map), declared) => {
            let part = |(key, part): (&str, &Value)| {
                (key.to_owned(), with_sets(part, &element_type(declared), depths))
            };
            Value::map(map.iter().map(part)).ok()
        }
        (View::List(list), declared) => {
            Value::list(list.iter().map(|part| with_sets(part, &element_type(declared), depths))).ok()
        }
        _ => None,
    };
    read.unwrap_or(bare).with_marks(&marks)
}

/// The value with its sets of undeclared kind read as arrays, as JSON has them: a binary plan says that they are sets, and
/// gives the members in the same order. `None` if there are no such sets.
pub(super) fn with_arrays(value: &Value, declared: &Type) -> Option<Value> {
    if !declared.has_dynamic() || value.is_null() || !value.is_known() {
        return None;
    }
    let (bare, marks) = value.clone().unmark();
    let mut is_changed = false;
    let mut read = |part: &Value, declared: &Type| match with_arrays(part, declared) {
        Some(read) => {
            is_changed = true;
            read
        }
        None => part.clone(),
    };
    let built = match (bare.view(), declared) {
        (View::Set(set), Type::Dynamic) => {
            let parts: Vec<Value> = set.iter().map(|part| read(part, &Type::Dynamic)).collect();
            is_changed = true;
            Value::tuple(parts)
        }
        (View::Object(object), declared) => Value::object(
            object.iter().map(|(name, part)| (name.to_owned(), read(part, &attribute_type(declared, name)))),
        ),
        (View::Tuple(tuple), declared) => Value::tuple(
            tuple.iter().enumerate().map(|(at, part)| read(part, &tuple_slot_type(declared, at))),
        ),
        (View::Map(map), declared) => {
            Value::object(map.iter().map(|(key, part)| (key.to_owned(), read(part, &element_type(declared)))))
        }
        (View::List(list), declared) => {
            Value::tuple(list.iter().map(|part| read(part, &element_type(declared))))
        }
        _ => return None,
    };
    built.ok().filter(|_| is_changed).map(|built| built.with_marks(&marks))
}

/// The declared type of an attribute of a value of type `declared`; dynamic if that is no object type with the
/// attribute.
fn attribute_type(declared: &Type, name: &str) -> Type {
    match declared {
        Type::Object(ty) => ty.get(name).cloned().unwrap_or(Type::Dynamic),
        _ => Type::Dynamic,
    }
}

/// The declared type of the tuple element at index `at`; dynamic if the declared type is no tuple type with that
/// element.
fn tuple_slot_type(declared: &Type, at: usize) -> Type {
    match declared {
        Type::Tuple(ty) => ty.get(at).cloned().unwrap_or(Type::Dynamic),
        _ => Type::Dynamic,
    }
}

/// The element type of a declared collection type; dynamic if it is not a collection.
fn element_type(declared: &Type) -> Type {
    declared.element_type().cloned().unwrap_or(Type::Dynamic)
}

/// The object as a map; `None` if the value is no object, or its attributes have no common type.
pub(super) fn object_as_map(value: &Value) -> Option<Value> {
    let (bare, marks) = value.clone().unmark();
    let View::Object(object) = bare.view() else { return None };
    let entries: Vec<(String, Value)> =
        object.iter().map(|(name, part)| (name.to_owned(), part.clone())).collect();
    let element = entries
        .iter()
        .map(|(_, part)| part.ty())
        .try_fold(Type::Dynamic, |all, ty| common_type(&all, &ty))?;
    let entries: plantime::Result<Vec<(String, Value)>> = entries
        .into_iter()
        .map(|(name, part)| Ok((name, convert(&part, &element.clone().into())?)))
        .collect();
    Value::map_of(element, entries.ok()?).ok().map(|map| map.with_marks(&marks))
}

/// Whether an array may be a set: its known members are distinct, and its primitive members have one type.
fn can_be_set(elements: &[Value]) -> bool {
    let mut known: Vec<&Value> = elements.iter().filter(|element| element.is_wholly_known()).collect();
    known.sort();
    if known.windows(2).any(|pair| matches!(pair, [a, b] if a == b)) {
        return false;
    }
    let mut primitive: Option<Type> = None;
    for element in elements.iter().filter(|element| !element.is_null() && element.is_known()) {
        let ty = element.ty();
        // `as_set` finds the common type of compound members.
        let ty = if ty.is_primitive() { ty } else { Type::Dynamic };
        match &primitive {
            None => primitive = Some(ty),
            Some(first) if *first != ty => return false,
            Some(_) => {}
        }
    }
    true
}

/// The set of these members; if they have no common type, an unknown set with the bounds of its length.
fn as_set(members: Vec<Value>) -> Value {
    let element = members.iter().map(Value::ty).try_fold(Type::Dynamic, |all, ty| common_type(&all, &ty));
    let built = element.and_then(|element| {
        let converted: plantime::Result<Vec<Value>> =
            members.iter().map(|member| convert(member, &element.clone().into())).collect();
        Value::set_of(element, converted.ok()?).ok()
    });
    built.unwrap_or_else(|| {
        let longest = u64::try_from(members.len()).unwrap_or(u64::MAX);
        let unknown = Value::unknown(Type::set(Type::Dynamic).unwrap_or(Type::Dynamic));
        let length = LengthRange::new(longest.min(1), Some(longest));
        match length.map(|length| unknown.assume(&Refinement::length(length).and_not_null())) {
            Ok(Ok(set)) => set,
            _ => unknown,
        }
    })
}

/// The type that values of both types can be read as, where `dynamic` takes the type of the other one; `None` if
/// there is none.
fn common_type(a: &Type, b: &Type) -> Option<Type> {
    match (a, b) {
        (Type::Dynamic, ty) | (ty, Type::Dynamic) => Some(ty.clone()),
        (a, b) if a == b => Some(a.clone()),
        (Type::Set(a), Type::Set(b)) => Type::set(common_type(a.element(), b.element())?).ok(),
        (Type::List(a), Type::List(b)) => Type::list(common_type(a.element(), b.element())?).ok(),
        (Type::Map(a), Type::Map(b)) => Type::map(common_type(a.element(), b.element())?).ok(),
        (Type::Object(a), Type::Object(b)) if a.len() == b.len() => {
            let part = |(name, ty): (&str, &Type)| Some((name.to_owned(), common_type(ty, b.get(name)?)?));
            let parts: Option<Vec<(String, Type)>> = a.iter().map(part).collect();
            ObjectType::new(parts?).ok().map(Type::Object)
        }
        _ => None,
    }
}

/// Whether an object holds two or more arrays side by side: one may be a list and the other a set. Arrays inside
/// arrays are distinguished by their depth instead.
pub(super) fn has_sibling_arrays(value: &Value) -> bool {
    /// Whether a value is an array, or an object with an array inside.
    fn has_array(value: &Value) -> bool {
        match value.view() {
            View::Tuple(_) => true,
            View::Object(object) => object.iter().any(|(_, part)| has_array(part)),
            _ => false,
        }
    }
    match value.view() {
        View::Object(object) => {
            object.iter().filter(|(_, part)| has_array(part)).count() > 1
                || object.iter().any(|(_, part)| has_sibling_arrays(part))
        }
        View::Tuple(tuple) => tuple.iter().any(has_sibling_arrays),
        _ => false,
    }
}

/// The object in which nothing is known of the arrays in one attribute.
pub(super) fn with_attribute_without_arrays(value: &Value, name: &str) -> Value {
    /// The value with unknown ones in place of the arrays in it. Values nest no deeper than the limit of plantime.
    fn without_arrays(value: &Value) -> Value {
        match value.view() {
            View::Marked(marked) => without_arrays(&marked.value()).with_marks(marked.marks()),
            View::Tuple(_) => Value::dynamic(),
            View::Object(_) => {
                value.map_children(|_, part| without_arrays(part)).unwrap_or_else(|| value.clone())
            }
            _ => value.clone(),
        }
    }
    let (bare, marks) = value.clone().unmark();
    let blurred = bare.map_children(|step, part| match step.name() {
        Some(own) if own == name => without_arrays(part),
        _ => part.clone(),
    });
    blurred.map_or_else(|| value.clone(), |blurred| blurred.with_marks(&marks))
}

/// The object with the arrays of one attribute read as sets at these depths.
pub(super) fn with_attribute_as_sets(value: &Value, name: &str, declared: &Type, depths: SetDepths) -> Value {
    let (bare, marks) = value.clone().unmark();
    let View::Object(object) = bare.view() else { return value.clone() };
    let declared = match declared {
        Type::Object(ty) => ty.get(name).cloned().unwrap_or(Type::Dynamic),
        _ => Type::Dynamic,
    };
    let parts = object.iter().map(|(own, part)| {
        let part = if own == name { with_sets(part, &declared, depths) } else { part.clone() };
        (own.to_owned(), part)
    });
    Value::object(parts).map_or_else(|_| value.clone(), |read| read.with_marks(&marks))
}
