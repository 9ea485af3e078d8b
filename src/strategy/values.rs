//! Simpler values, and simpler pairs that stay pairs.

use std::rc::Rc;

use super::scalars::of_value;
use super::types::{with, without};
use crate::mark::Marks;
use crate::path::Path;
use crate::sample::{Weakened, may_become};
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
        let (names, mut parts): (Vec<String>, Vec<Value>) = match view_below_marks(value) {
            View::List(list) => (Vec::new(), list.iter().cloned().collect()),
            View::Tuple(tuple) => (Vec::new(), tuple.iter().cloned().collect()),
            View::Set(set) => (Vec::new(), set.iter().cloned().collect()),
            View::Map(map) => map.iter().map(|(key, part)| (key.to_owned(), part.clone())).unzip(),
            View::Object(object) => object.iter().map(|(name, part)| (name.to_owned(), part.clone())).unzip(),
            _ => return None,
        };
        let ty = value.ty();
        if ty.element_type().is_some_and(Type::has_dynamic) {
            // On its own, a part may become what it may become in the collection: a null of any type.
            parts = parts.iter().map(Value::opened).collect();
        }
        Some(Shape { ty, names, parts })
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

    /// With a name of one letter in place of a longer one.
    fn with_short_name(&self, place: usize) -> Option<Value> {
        let is_free = |letter: &&str| self.names.iter().all(|name| name != letter);
        let letter = ["a", "b", "c", "d", "e"].into_iter().find(is_free)?;
        self.names.get(place).filter(|name| name.len() > 1)?;
        self.of_parts(&with(&self.names, place, letter.to_owned()), self.parts.clone())
    }

    /// The first half of the parts, or the second one.
    fn half(&self, place: usize) -> Option<Value> {
        let middle = self.parts.len().div_ceil(2);
        let half = |count: usize| if place == 0 { 0..middle } else { middle..count };
        if middle == self.parts.len() || place > 1 {
            return None;
        }
        let names = self.names.get(half(self.names.len())).unwrap_or_default();
        self.of_parts(names, self.parts.get(half(self.parts.len()))?.to_vec())
    }

    /// The parts of a collection as a tuple or an object, in which each may have a type of its own. None where there is
    /// no simpler type than the one they have.
    fn as_structure(&self) -> Option<Value> {
        self.ty.element_type().filter(|element| !element.is_primitive())?;
        match &self.ty {
            Type::List(_) | Type::Set(_) => Value::tuple(self.parts.clone()).ok(),
            Type::Map(_) => Value::object(self.names.iter().zip(self.parts.clone())).ok(),
            _ => None,
        }
    }
}

/// What is simpler, the simplest first. Made one by one: it ends with the first that fails.
pub(super) type Steps<T> = Box<dyn Iterator<Item = T>>;

/// What one edit gives at each place of something with parts.
fn each<S: 'static, T: 'static>(
    shape: &Rc<S>,
    count: usize,
    edit: impl Fn(&S, usize) -> Option<T> + 'static,
) -> Steps<T> {
    let shape = shape.clone();
    Box::new((0..count).filter_map(move |place| edit(&shape, place)))
}

/// Simpler values; of other types too where these may change.
pub(super) fn smaller(value: &Value, free: bool) -> Steps<Value> {
    let Some(shape) = Shape::of(value).map(Rc::new) else { return Box::new(of_value(value).into_iter()) };
    let count = shape.parts.len();
    let mut steps: Vec<Steps<Value>> = Vec::new();
    if free {
        steps.push(each(&shape, count, |shape, place| shape.parts.get(place).cloned()));
    }
    if free || !shape.is_structure() {
        steps.push(each(&shape, count, Shape::half));
        steps.push(each(&shape, count, Shape::without));
        steps.push(each(&shape, count, Shape::with_short_name));
    }
    if free {
        steps.push(each(&shape, 1, |shape, _| shape.as_structure()));
    }
    let inside = free && shape.is_structure();
    let whole = shape.clone();
    steps.push(Box::new((0..count).flat_map(move |place| {
        let whole = whole.clone();
        let parts = whole.parts.get(place).map(|part| smaller(part, inside));
        parts.into_iter().flatten().filter_map(move |part| whole.with(place, part))
    })));
    let steps = steps.into_iter().flatten();
    if free { Box::new(steps) } else { Box::new(steps.filter(move |simpler| simpler.has_type(&shape.ty))) }
}

/// A concrete value taken apart, and beside it the value that may become it.
struct Both {
    concrete: Value,
    own: Shape,
    weak: Shape,
}

impl Both {
    /// None where the parts of one do not stand for those of the other.
    fn of(pair: &Weakened) -> Option<Rc<Both>> {
        let (mut own, weak) = (Shape::of(pair.concrete())?, Shape::of(pair.value())?);
        if let Type::Set(_) = own.ty {
            own.parts = matched(&own.parts, &weak.parts)?;
        }
        let alike = own.parts.len() == weak.parts.len();
        alike.then(|| Rc::new(Both { concrete: pair.concrete().clone(), own, weak }))
    }

    /// None where a part on its own need not contain the other, as in a list of undecided elements.
    fn part(&self, place: usize) -> Option<Weakened> {
        Weakened::new(self.own.parts.get(place)?.clone(), self.weak.parts.get(place)?.clone())
    }

    fn edited(&self, edit: impl Fn(&Shape) -> Option<Value>) -> Option<Weakened> {
        Weakened::new(edit(&self.own)?, edit(&self.weak)?)
    }

    fn with(&self, place: usize, part: Weakened) -> Option<Weakened> {
        let (part, hidden) = part.into_parts();
        Weakened::new(self.own.with(place, part)?, self.weak.with(place, hidden)?)
    }

    fn with_more_known(&self, place: usize, part: Weakened) -> Option<Weakened> {
        Weakened::new(self.concrete.clone(), self.weak.with(place, part.into_parts().1)?)
    }
}

/// For each member of a set what it may become, out of the members of another, each at least once.
fn matched(own: &[Value], weak: &[Value]) -> Option<Vec<Value>> {
    let mut used = vec![false; own.len()];
    let mut matched: Vec<Option<Value>> = vec![None; weak.len()];
    let known_first = [true, false].into_iter().flat_map(|known| {
        weak.iter().enumerate().filter(move |(_, member)| member.is_wholly_known() == known)
    });
    for (place, member) in known_first {
        let fits =
            |new: bool| own.iter().zip(&used).position(|(own, used)| *used != new && may_become(member, own));
        let found = fits(true).or_else(|| fits(false))?;
        used.get_mut(found).into_iter().for_each(|used| *used = true);
        matched.get_mut(place).into_iter().for_each(|matched| *matched = own.get(found).cloned());
    }
    used.iter().all(|used| *used).then(|| matched.into_iter().flatten().collect())
}

/// Simpler pairs: with a smaller concrete value, or with one that is more known. `free`: of other types too.
pub(super) fn pairs(pair: &Weakened, free: bool) -> Steps<Weakened> {
    let value = pair.value().clone();
    let smaller = smaller(pair.concrete(), free);
    if value.is_wholly_known() {
        return Box::new(smaller.filter_map(|smaller| Weakened::new(smaller.clone(), smaller)));
    }
    let mut steps = vec![more_known(pair)];
    let Some(both) = Both::of(pair) else {
        steps.push(Box::new(smaller.filter_map(move |concrete| still(concrete, &value))));
        return Box::new(steps.into_iter().flatten());
    };
    let count = both.own.parts.len();
    if free {
        steps.push(each(&both, count, Both::part));
    }
    if free || !both.own.is_structure() {
        steps.push(each(&both, count, |both, place| both.edited(|shape| shape.half(place))));
        steps.push(each(&both, count, |both, place| both.edited(|shape| shape.without(place))));
        steps.push(each(&both, count, |both, place| both.edited(|shape| shape.with_short_name(place))));
    }
    if free {
        steps.push(each(&both, 1, |both, _| both.edited(Shape::as_structure)));
    }
    let inside = free && both.own.is_structure();
    let whole = both.clone();
    steps.push(Box::new((0..count).flat_map(move |place| {
        let whole = whole.clone();
        let parts = whole.part(place).map(|part| pairs(&part, inside));
        parts.into_iter().flatten().filter_map(move |part| whole.with(place, part))
    })));
    Box::new(steps.into_iter().flatten())
}

/// The pair of a smaller concrete value: with the same weakened one, or one of which nothing is known but its type.
fn still(concrete: Value, value: &Value) -> Option<Weakened> {
    Weakened::new(concrete.clone(), value.clone())
        .or_else(|| Weakened::new(concrete.clone(), Value::unknown(value.ty())))
        .or_else(|| {
            let ty = concrete.ty();
            Weakened::new(concrete, Value::unknown(ty))
        })
}

/// The same concrete value, and more of it known: all, or what is hidden at one place.
pub(super) fn more_known(pair: &Weakened) -> Steps<Weakened> {
    let (concrete, value) = (pair.concrete().clone(), pair.value().clone());
    if value.is_wholly_known() {
        return Box::new(std::iter::empty());
    }
    let both = Both::of(pair);
    let count = both.as_ref().map_or(0, |both| both.own.parts.len());
    let parts = (0..count).zip(std::iter::repeat(both)).flat_map(|(place, both)| {
        let more = both.as_ref().and_then(|both| both.part(place)).map(|part| more_known(&part));
        more.into_iter().flatten().filter_map(move |part| both.as_ref()?.with_more_known(place, part))
    });
    let all = Weakened::new(concrete.clone(), concrete);
    Box::new(all.into_iter().chain(parts).filter(move |simpler| *simpler.value() != value))
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
