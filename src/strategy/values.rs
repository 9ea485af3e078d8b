//! Simpler values, and simpler pairs that stay pairs.

use super::scalars::of_value;
use super::types::{with, without};
use crate::mark::Marks;
use crate::path::Path;
use crate::sample::Weakened;
use crate::types::Type;
use crate::value::{Value, View, view_below_marks};

/// A container taken apart: what it is put together from again.
struct Shape {
    ty: Type,
    names: Vec<String>,
    parts: Vec<Value>,
}

impl Shape {
    /// None for what has no parts.
    fn of(value: &Value) -> Option<Shape> {
        let (names, parts): (Vec<String>, Vec<Value>) = match view_below_marks(value) {
            View::List(list) => (Vec::new(), list.iter().cloned().collect()),
            View::Tuple(tuple) => (Vec::new(), tuple.iter().cloned().collect()),
            View::Set(set) => (Vec::new(), set.iter().cloned().collect()),
            View::Map(map) => map.iter().map(|(key, part)| (key.to_owned(), part.clone())).unzip(),
            View::Object(object) => object.iter().map(|(name, part)| (name.to_owned(), part.clone())).unzip(),
            _ => return None,
        };
        Some(Shape { ty: value.ty(), names, parts })
    }

    /// Whether parts may change their types, and how many there are.
    fn is_structure(&self) -> bool {
        matches!(self.ty, Type::Tuple(_) | Type::Object(_))
    }

    /// The same kind of container of other parts. None where a collection would have parts of several types.
    fn of_parts(&self, names: &[String], parts: Vec<Value>) -> Option<Value> {
        let element = || {
            let own = self.ty.element_type()?.clone();
            Some(parts.first().map(Value::ty).filter(|ty| *ty != own).unwrap_or(own))
        };
        match &self.ty {
            Type::List(_) => Value::list_of(element()?, parts).ok(),
            Type::Set(_) => Value::set_of(element()?, parts).ok(),
            Type::Map(_) => Value::map_of(element()?, names.iter().zip(parts)).ok(),
            Type::Tuple(_) => Value::tuple(parts).ok(),
            _ => Value::object(names.iter().zip(parts)).ok(),
        }
    }

    fn without(&self, place: usize) -> Option<Value> {
        let names = if self.names.is_empty() { Vec::new() } else { without(&self.names, place) };
        self.of_parts(&names, without(&self.parts, place))
    }

    fn with(&self, place: usize, part: Value) -> Option<Value> {
        self.of_parts(&self.names, with(&self.parts, place, part))
    }

    /// The first or the second half of the parts.
    fn half(&self, first: bool) -> Option<Value> {
        let middle = self.parts.len().div_ceil(2);
        if middle == self.parts.len() {
            return None;
        }
        let half = |count: usize| if first { 0..middle } else { middle..count };
        let names = self.names.get(half(self.names.len())).unwrap_or_default();
        self.of_parts(names, self.parts.get(half(self.parts.len()))?.to_vec())
    }
}

/// Simpler values; of other types too where these may change.
pub(super) fn smaller(value: &Value, free: bool) -> Vec<Value> {
    let Some(shape) = Shape::of(value) else { return of_value(value) };
    let mut simpler = Vec::new();
    if free {
        simpler.extend(shape.parts.iter().cloned());
    }
    if free || !shape.is_structure() {
        simpler.extend([shape.half(true), shape.half(false)].into_iter().flatten());
        simpler.extend((0..shape.parts.len()).filter_map(|place| shape.without(place)));
    }
    let free = free && shape.is_structure();
    for (place, part) in shape.parts.iter().enumerate() {
        simpler.extend(smaller(part, free).into_iter().filter_map(|part| shape.with(place, part)));
    }
    if !free {
        simpler.retain(|simpler| simpler.has_type(&shape.ty));
    }
    simpler
}

/// Simpler pairs: with a smaller concrete value, or with one that is more known. `free`: of other types too.
pub(super) fn pairs(pair: &Weakened, free: bool) -> Vec<Weakened> {
    let (concrete, value) = (pair.concrete(), pair.value());
    let mut simpler = more_known(pair);
    let (Some(own), Some(weak)) = (Shape::of(concrete), Shape::of(value)) else {
        // Hidden altogether, or without parts.
        let smaller = smaller(concrete, free);
        simpler.extend(smaller.into_iter().filter_map(|concrete| still(concrete, value)));
        return simpler;
    };
    let alike = own.parts.len() == weak.parts.len() && !matches!(own.ty, Type::Set(_));
    if !alike {
        let smaller = smaller(concrete, free);
        simpler.extend(smaller.into_iter().filter_map(|concrete| still(concrete, value)));
        return simpler;
    }
    let both = |concrete: Option<Value>, value: Option<Value>| Weakened::new(concrete?, value?);
    if free {
        let parts = own.parts.iter().zip(&weak.parts);
        simpler.extend(parts.filter_map(|(own, weak)| Weakened::new(own.clone(), weak.clone())));
    }
    if free || !own.is_structure() {
        simpler.extend([true, false].into_iter().filter_map(|first| both(own.half(first), weak.half(first))));
        simpler
            .extend((0..own.parts.len()).filter_map(|place| both(own.without(place), weak.without(place))));
    }
    let inside = free && own.is_structure();
    for (place, (part, hidden)) in own.parts.iter().zip(&weak.parts).enumerate() {
        // In a list of undecided elements a part on its own need not contain the other.
        let Some(part) = Weakened::new(part.clone(), hidden.clone()) else { continue };
        for part in pairs(&part, inside) {
            let (part, hidden) = part.into_parts();
            simpler.extend(both(own.with(place, part), weak.with(place, hidden)));
        }
    }
    simpler
}

/// The pair of a smaller concrete value: with the same weakened one, or one of its type of which nothing is known.
fn still(concrete: Value, value: &Value) -> Option<Weakened> {
    Weakened::new(concrete.clone(), value.clone())
        .or_else(|| Weakened::new(concrete.clone(), Value::unknown(value.ty())))
        .or_else(|| {
            let ty = concrete.ty();
            Weakened::new(concrete, Value::unknown(ty)).filter(|_| !value.is_known())
        })
}

/// The same concrete value, and more of it known: all, or what is hidden at one place.
pub(super) fn more_known(pair: &Weakened) -> Vec<Weakened> {
    let (concrete, value) = (pair.concrete(), pair.value());
    if value.is_wholly_known() {
        return Vec::new();
    }
    let mut simpler: Vec<Weakened> = Weakened::new(concrete.clone(), concrete.clone()).into_iter().collect();
    if let (Some(own), Some(weak)) = (Shape::of(concrete), Shape::of(value))
        && own.parts.len() == weak.parts.len()
        && !matches!(own.ty, Type::Set(_))
    {
        for (place, (part, hidden)) in own.parts.iter().zip(&weak.parts).enumerate() {
            let Some(part) = Weakened::new(part.clone(), hidden.clone()) else { continue };
            for part in more_known(&part) {
                let weaker = weak.with(place, part.into_parts().1);
                simpler.extend(weaker.and_then(|value| Weakened::new(concrete.clone(), value)));
            }
        }
    }
    simpler.retain(|simpler| simpler.value() != value);
    simpler
}

/// The value with one mark less, or without any.
pub(super) fn fewer_marks(value: &Value) -> Vec<Value> {
    let (bare, places) = value.unmark_deep_with_paths();
    let places: Vec<(Path, Marks)> = places
        .into_iter()
        .flat_map(|(path, marks)| {
            let each: Vec<(Path, Marks)> =
                marks.iter().map(|mark| (path.clone(), Marks::from(mark.clone()))).collect();
            each
        })
        .collect();
    let mut simpler = if places.is_empty() { Vec::new() } else { vec![bare.clone()] };
    if places.len() > 1 {
        simpler.extend((0..places.len()).map(|place| bare.mark_with_paths(&without(&places, place))));
    }
    simpler
}
