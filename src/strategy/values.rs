//! Shrinks values, and pairs that stay pairs.

use std::rc::Rc;

use super::scalars::of_value;
use super::types::{with, without};
use crate::mark::Marks;
use crate::path::Path;
use crate::sample::{Weakened, may_become};
use crate::types::Type;
use crate::value::{Value, View, view_below_marks};

/// A container split into its type, its keys or attribute names (none for lists, sets and tuples) and its children,
/// so that it can be rebuilt from simpler ones.
struct Container {
    ty: Type,
    names: Vec<String>,
    parts: Vec<Value>,
}

impl Container {
    /// Splits a container; `None` for other values. Marks on the container itself are dropped.
    fn of(value: &Value) -> Option<Container> {
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
            // Outside the collection, a part may become what it may become inside: a null of any type.
            parts = parts.iter().map(Value::outside_collection).collect();
        }
        Some(Container { ty, names, parts })
    }

    /// Whether the value is a tuple or object: its children may change their types and number without regard to the
    /// others.
    fn is_structure(&self) -> bool {
        matches!(self.ty, Type::Tuple(_) | Type::Object(_))
    }

    /// Builds a container of the same kind from other names and children; `None` if it cannot be built, as when the
    /// elements of a collection would be of several types.
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

    /// The container without the child at index `place`; `None` if it cannot be built.
    fn without(&self, place: usize) -> Option<Value> {
        let names = if self.names.is_empty() { Vec::new() } else { without(&self.names, place) };
        self.of_parts(&names, without(&self.parts, place))
    }

    /// The container with the child at index `place` replaced; `None` if it cannot be built.
    fn with(&self, place: usize, part: Value) -> Option<Value> {
        self.of_parts(&self.names, with(&self.parts, place, part))
    }

    /// The container with the name at index `place` replaced by a single letter that is not in use. `None` if the
    /// name is short already, or there is none.
    fn with_short_name(&self, place: usize) -> Option<Value> {
        let is_free = |letter: &&str| self.names.iter().all(|name| name != letter);
        let letter = ["a", "b", "c", "d", "e"].into_iter().find(is_free)?;
        self.names.get(place).filter(|name| name.len() > 1)?;
        self.of_parts(&with(&self.names, place, letter.to_owned()), self.parts.clone())
    }

    /// The container with only the first half of its children (`place` 0) or the second half (1). `None` for another
    /// `place` and for containers of fewer than two children.
    fn half(&self, place: usize) -> Option<Value> {
        let middle = self.parts.len().div_ceil(2);
        let half = |count: usize| if place == 0 { 0..middle } else { middle..count };
        if middle == self.parts.len() || place > 1 {
            return None;
        }
        let names = self.names.get(half(self.names.len())).unwrap_or_default();
        self.of_parts(names, self.parts.get(half(self.parts.len()))?.to_vec())
    }

    /// The elements of a list or set as a tuple, or the entries of a map as an object, in which each can shrink to a
    /// type of its own. `None` for other containers, and if the element type is primitive.
    fn as_structure(&self) -> Option<Value> {
        self.ty.element_type().filter(|element| !element.is_primitive())?;
        match &self.ty {
            Type::List(_) | Type::Set(_) => Value::tuple(self.parts.clone()).ok(),
            Type::Map(_) => Value::object(self.names.iter().zip(self.parts.clone())).ok(),
            _ => None,
        }
    }
}

/// The simpler values of a value, the simplest first. They are computed one by one, since the iteration ends with the
/// first for which the test fails.
pub(super) type Steps<T> = Box<dyn Iterator<Item = T>>;

/// The results of `edit` on `shape` for each index from 0 to `count`, without those that are `None`; computed lazily.
fn edit_each<S: 'static, T: 'static>(
    shape: &Rc<S>,
    count: usize,
    edit: impl Fn(&S, usize) -> Option<T> + 'static,
) -> Steps<T> {
    let shape = shape.clone();
    Box::new((0..count).filter_map(move |place| edit(&shape, place)))
}

/// The values that are simpler than a value. With `free` they may be of other types, otherwise they have the same
/// type.
pub(super) fn smaller(value: &Value, free: bool) -> Steps<Value> {
    let Some(shape) = Container::of(value).map(Rc::new) else { return Box::new(of_value(value).into_iter()) };
    let count = shape.parts.len();
    let mut steps: Vec<Steps<Value>> = Vec::new();
    if free {
        steps.push(edit_each(&shape, count, |shape, place| shape.parts.get(place).cloned()));
    }
    if free || !shape.is_structure() {
        steps.push(edit_each(&shape, count, Container::half));
        steps.push(edit_each(&shape, count, Container::without));
        steps.push(edit_each(&shape, count, Container::with_short_name));
    }
    if free {
        steps.push(edit_each(&shape, 1, |shape, _| shape.as_structure()));
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

/// A pair of containers split into their children: the concrete value, and the value that may become it. The children
/// at the same index correspond.
struct PairParts {
    concrete: Value,
    own: Container,
    weak: Container,
}

impl PairParts {
    /// Splits a pair; `None` if the two values are no containers or their children do not correspond.
    fn of(pair: &Weakened) -> Option<Rc<PairParts>> {
        let (mut own, weak) = (Container::of(pair.concrete())?, Container::of(pair.value())?);
        if let Type::Set(_) = own.ty {
            own.parts = match_members(&own.parts, &weak.parts)?;
        }
        let alike = own.parts.len() == weak.parts.len();
        alike.then(|| Rc::new(PairParts { concrete: pair.concrete().clone(), own, weak }))
    }

    /// The pair of the two children at index `place`. `None` if the one alone need not contain the other, as in a
    /// list of undecided elements.
    fn part(&self, place: usize) -> Option<Weakened> {
        Weakened::new(self.own.parts.get(place)?.clone(), self.weak.parts.get(place)?.clone())
    }

    /// The pair after the same edit of both containers; `None` if that fails or they are no longer a pair.
    fn edited(&self, edit: impl Fn(&Container) -> Option<Value>) -> Option<Weakened> {
        Weakened::new(edit(&self.own)?, edit(&self.weak)?)
    }

    /// The pair with the children at index `place` replaced by those of another pair; `None` if the result is no
    /// pair.
    fn with(&self, place: usize, part: Weakened) -> Option<Weakened> {
        let (part, hidden) = part.into_parts();
        Weakened::new(self.own.with(place, part)?, self.weak.with(place, hidden)?)
    }

    /// The pair with one child of the abstract value replaced by a more known one; the concrete value stays. `None`
    /// if the result is no pair.
    fn with_more_known(&self, place: usize, part: Weakened) -> Option<Weakened> {
        Weakened::new(self.concrete.clone(), self.weak.with(place, part.into_parts().1)?)
    }
}

/// For each member in `weak` a member of `own` that it may become, such that each of `own` is used at least once.
/// `None` if the greedy search finds no such assignment.
fn match_members(own: &[Value], weak: &[Value]) -> Option<Vec<Value>> {
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

/// The pairs that are simpler than a pair: with a smaller concrete value, or a more known abstract one. With `free`
/// the values may be of other types.
pub(super) fn pairs(pair: &Weakened, free: bool) -> Steps<Weakened> {
    let value = pair.value().clone();
    let smaller = smaller(pair.concrete(), free);
    if value.is_wholly_known() {
        return Box::new(smaller.filter_map(|smaller| Weakened::new(smaller.clone(), smaller)));
    }
    let mut steps = vec![more_known(pair)];
    let Some(pair_parts) = PairParts::of(pair) else {
        steps.push(Box::new(smaller.filter_map(move |concrete| pair_of(concrete, &value))));
        return Box::new(steps.into_iter().flatten());
    };
    let count = pair_parts.own.parts.len();
    if free {
        steps.push(edit_each(&pair_parts, count, PairParts::part));
    }
    if free || !pair_parts.own.is_structure() {
        steps.push(edit_each(&pair_parts, count, |pair_parts, place| {
            pair_parts.edited(|shape| shape.half(place))
        }));
        steps.push(edit_each(&pair_parts, count, |pair_parts, place| {
            pair_parts.edited(|shape| shape.without(place))
        }));
        steps.push(edit_each(&pair_parts, count, |pair_parts, place| {
            pair_parts.edited(|shape| shape.with_short_name(place))
        }));
    }
    if free {
        steps.push(edit_each(&pair_parts, 1, |pair_parts, _| pair_parts.edited(Container::as_structure)));
    }
    let inside = free && pair_parts.own.is_structure();
    let whole = pair_parts.clone();
    steps.push(Box::new((0..count).flat_map(move |place| {
        let whole = whole.clone();
        let parts = whole.part(place).map(|part| pairs(&part, inside));
        parts.into_iter().flatten().filter_map(move |part| whole.with(place, part))
    })));
    Box::new(steps.into_iter().flatten())
}

/// A pair of `concrete` with the abstract value `value`, or else with an unknown without refinement, of the type of
/// `value` or of `concrete`.
fn pair_of(concrete: Value, value: &Value) -> Option<Weakened> {
    Weakened::new(concrete.clone(), value.clone())
        .or_else(|| Weakened::new(concrete.clone(), Value::unknown(value.ty())))
        .or_else(|| {
            let ty = concrete.ty();
            Weakened::new(concrete, Value::unknown(ty))
        })
}

/// Pairs of the same concrete value with a more known abstract value: wholly known, or more known in one child. Empty
/// if it is wholly known already.
pub(super) fn more_known(pair: &Weakened) -> Steps<Weakened> {
    let (concrete, value) = (pair.concrete().clone(), pair.value().clone());
    if value.is_wholly_known() {
        return Box::new(std::iter::empty());
    }
    let pair_parts = PairParts::of(pair);
    let count = pair_parts.as_ref().map_or(0, |pair_parts| pair_parts.own.parts.len());
    let parts = (0..count).zip(std::iter::repeat(pair_parts)).flat_map(|(place, pair_parts)| {
        let more =
            pair_parts.as_ref().and_then(|pair_parts| pair_parts.part(place)).map(|part| more_known(&part));
        more.into_iter().flatten().filter_map(move |part| pair_parts.as_ref()?.with_more_known(place, part))
    });
    let all = Weakened::new(concrete.clone(), concrete);
    Box::new(all.into_iter().chain(parts).filter(move |simpler| *simpler.value() != value))
}

/// The value without any marks, and, if there are several, the value without each one of them.
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
