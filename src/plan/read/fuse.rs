//! One value from the three trees that a plan keeps apart: what is known, what is unknown, what is sensitive.

use std::borrow::Cow;

use super::entries::{Entries, names};
use crate::error::Result;
use crate::json::{Item, Node, Token, number};
use crate::mark::Mark;
use crate::number::Number;
use crate::path::{Path, Step};
use crate::schema::Shape;
use crate::types::{ListType, MapType, ObjectType, SetType, TupleType, Type};
use crate::value::{Value, build_list, build_map, build_object, build_set};

/// No more than so many places of one value are noted.
const NOTES: usize = 100;

/// The trees at one place.
#[derive(Clone, Copy, Default)]
pub(super) struct Trees<'t, 'a> {
    pub(super) known: Option<Item<'t, 'a>>,
    pub(super) unknown: Option<Item<'t, 'a>>,
    pub(super) sensitive: Option<Item<'t, 'a>>,
}

/// Where a value did not fit its type, and how.
pub(super) type Misfits = Vec<(Path, String)>;

/// The value of the trees. Where they do not fit the type, that part is as JSON implies, and a misfit is noted.
///
/// Positions pair elements, those of sets too: a set is built only when all its members are.
pub(super) fn fuse(
    trees: Trees<'_, '_>,
    ty: &Type,
    shape: Option<&Shape>,
    misfits: &mut Misfits,
) -> Result<Value> {
    let before = misfits.len();
    let value = match trees.unknown {
        Some(unknown) if unknown.is_true() => Value::unknown(ty.clone()),
        _ => content(trees, ty, shape, misfits)?,
    };
    let sensitive = trees.sensitive.is_some_and(Item::is_true) || shape.is_some_and(|shape| shape.sensitive);
    if !sensitive {
        return Ok(value);
    }
    // Keys are content.
    if misfits.len() > before {
        misfits.truncate(before);
        note(misfits, "what is inside does not fit, and is sensitive".to_owned());
    }
    Ok(value.mark(Mark::SENSITIVE))
}

/// What kind of thing stands here: where everything inside is unknown, only the tree of unknowns tells.
fn kind(trees: Trees<'_, '_>) -> Token {
    match trees.known.map(Item::kind) {
        None | Some(Token::Null) => match trees.unknown {
            Some(unknown) if has_true(unknown) => unknown.kind(),
            _ => Token::Null,
        },
        Some(kind) => kind,
    }
}

fn has_true(item: Item<'_, '_>) -> bool {
    match item.node() {
        Node::Bool(value) => value,
        Node::Array { .. } => item.elements().any(has_true),
        Node::Object { .. } => item.entries().any(|(_, item)| has_true(item)),
        _ => false,
    }
}

/// Dispatches, and no more: this is on the stack once for each level.
fn content(trees: Trees<'_, '_>, ty: &Type, shape: Option<&Shape>, misfits: &mut Misfits) -> Result<Value> {
    match (ty, kind(trees)) {
        (_, Token::Null) => Ok(Value::null(ty.clone())),
        (Type::Object(ty), Token::Object) => object(trees, ty, shape, misfits),
        (Type::Map(ty), Token::Object) => map(trees, ty, shape, misfits),
        (Type::List(ty), Token::Array) => list(trees, ty, shape, misfits),
        (Type::Set(ty), Token::Array) => set(trees, ty, shape, misfits),
        (Type::Tuple(ty), Token::Array) => tuple(trees, ty, shape, misfits),
        (Type::Dynamic, Token::Object) => implied_object(trees, shape, misfits),
        (Type::Dynamic, Token::Array) => implied_tuple(trees, shape, misfits),
        (_, found) => match scalar(trees, ty) {
            Some(value) => value,
            None => misfit(trees, ty, found, misfits),
        },
    }
}

fn misfit(trees: Trees<'_, '_>, ty: &Type, found: Token, misfits: &mut Misfits) -> Result<Value> {
    note(misfits, format!("the schema has {}, the plan {}", ty.friendly_name(), found.name()));
    content(trees, &Type::Dynamic, None, misfits)
}

fn map(trees: Trees<'_, '_>, ty: &MapType, shape: Option<&Shape>, misfits: &mut Misfits) -> Result<Value> {
    let entries = entries(trees, ty.element(), shape, misfits)?;
    if entries.iter().all(|(_, value)| value.has_type(ty.element())) {
        let entries = entries.into_iter().map(|(key, value)| (key.as_ref().into(), value)).collect();
        return Ok(build_map(ty.clone(), entries));
    }
    let (keys, values): (Vec<_>, Vec<_>) = entries.into_iter().unzip();
    match alike(values, ty.element()) {
        Ok((element, values)) => Value::map_of(element, keys.into_iter().zip(values)),
        Err(values) => Value::object(keys.into_iter().zip(values)),
    }
}

fn list(trees: Trees<'_, '_>, ty: &ListType, shape: Option<&Shape>, misfits: &mut Misfits) -> Result<Value> {
    let items = elements(trees, Elements::All(ty.element()), shape, misfits)?;
    if items.iter().all(|item| item.has_type(ty.element())) {
        return Ok(build_list(ty.clone(), items));
    }
    match alike(items, ty.element()) {
        Ok((element, items)) => Value::list_of(element, items),
        Err(items) => Value::tuple(items),
    }
}

fn set(trees: Trees<'_, '_>, ty: &SetType, shape: Option<&Shape>, misfits: &mut Misfits) -> Result<Value> {
    let items = elements(trees, Elements::All(ty.element()), shape, misfits)?;
    if items.iter().all(|item| item.has_type(ty.element())) {
        return Ok(build_set(ty.clone(), items));
    }
    match alike(items, ty.element()) {
        Ok((element, items)) => Value::set_of(element, items),
        Err(items) => Value::tuple(items),
    }
}

fn tuple(
    trees: Trees<'_, '_>,
    ty: &TupleType,
    shape: Option<&Shape>,
    misfits: &mut Misfits,
) -> Result<Value> {
    let items = elements(trees, Elements::Each(ty.elements()), shape, misfits)?;
    if items.len() != ty.len() {
        note(misfits, format!("the schema has {} elements, the plan {}", ty.len(), items.len()));
    }
    Value::tuple(items)
}

/// The element type where blocks are known to differ in type, else dynamic.
fn pattern(shape: Option<&Shape>) -> &Type {
    let pattern = shape.and_then(|shape| shape.pattern.as_ref());
    pattern.and_then(Type::element_type).unwrap_or(&Type::Dynamic)
}

fn implied_tuple(trees: Trees<'_, '_>, shape: Option<&Shape>, misfits: &mut Misfits) -> Result<Value> {
    Value::tuple(elements(trees, Elements::All(pattern(shape)), shape, misfits)?)
}

fn implied_object(trees: Trees<'_, '_>, shape: Option<&Shape>, misfits: &mut Misfits) -> Result<Value> {
    Value::object(entries(trees, pattern(shape), shape, misfits)?)
}

/// A scalar of a primitive type, or of whatever type it implies; text stands for a number or bool where it spells
/// one, as in cty. `None` where it does not fit.
fn scalar(trees: Trees<'_, '_>, ty: &Type) -> Option<Result<Value>> {
    let exact = |digits| number(digits).map(Value::from);
    Some(match (ty, trees.known?.node()) {
        (Type::String | Type::Dynamic, Node::String(text)) => Ok(Value::from(text.text())),
        (Type::String, Node::Number(digits)) => number(digits).map(|number| Value::from(number.to_string())),
        (Type::String, Node::Bool(value)) => Ok(Value::from(if value { "true" } else { "false" })),
        (Type::Number | Type::Dynamic, Node::Number(digits)) => exact(digits),
        (Type::Number, Node::String(text)) => Ok(Value::from(text.text().parse::<Number>().ok()?)),
        (Type::Bool | Type::Dynamic, Node::Bool(value)) => Ok(Value::from(value)),
        (Type::Bool, Node::String(text)) if text.is("true") => Ok(Value::from(true)),
        (Type::Bool, Node::String(text)) if text.is("false") => Ok(Value::from(false)),
        _ => return None,
    })
}

fn object(
    trees: Trees<'_, '_>,
    ty: &ObjectType,
    shape: Option<&Shape>,
    misfits: &mut Misfits,
) -> Result<Value> {
    let mut under = Under::of(trees);
    under.note_twice(misfits);
    let mut slots = Vec::with_capacity(ty.len());
    let mut fits = true;
    for (slot, (name, declared)) in ty.iter().enumerate() {
        let shape = shape.and_then(|shape| shape.attribute(slot));
        let before = misfits.len();
        let value = fuse(under.take(name), declared, shape, misfits);
        let value = at(before, value, misfits, || Step::attr(name))?;
        fits = fits && value.has_type(declared);
        slots.push(value);
    }
    match (fits, under.has_more()) {
        (true, false) => Ok(build_object(ty.clone(), slots.into_boxed_slice())),
        (false, false) => Value::object(ty.attribute_names().zip(slots)),
        (_, true) => with_extra(trees, ty, slots, misfits),
    }
}

/// Attributes that the schema does not have are kept as they are.
fn with_extra(
    trees: Trees<'_, '_>,
    ty: &ObjectType,
    slots: Vec<Value>,
    misfits: &mut Misfits,
) -> Result<Value> {
    let mut extra = names([trees.known, trees.unknown]);
    extra.retain(|name| ty.index_of(name).is_none());
    let mut attributes: Vec<(&str, Value)> = ty.attribute_names().zip(slots).collect();
    let mut under = Under::of(trees);
    for name in &extra {
        let before = misfits.len();
        note(misfits, "the schema has no such attribute".to_owned());
        let value = fuse(under.take(name), &Type::Dynamic, None, misfits);
        attributes.push((name, at(before, value, misfits, || Step::attr(name))?));
    }
    Value::object(attributes)
}

/// The trees below each name of an object.
struct Under<'t, 'a> {
    known: Entries<'t, 'a>,
    unknown: Entries<'t, 'a>,
    sensitive: Entries<'t, 'a>,
}

impl<'t, 'a> Under<'t, 'a> {
    fn of(trees: Trees<'t, 'a>) -> Under<'t, 'a> {
        Under {
            known: Entries::of(trees.known),
            unknown: Entries::of(trees.unknown),
            sensitive: Entries::of(trees.sensitive),
        }
    }

    fn note_twice(&self, misfits: &mut Misfits) {
        if let Some(twice) = self.known.twice() {
            note(misfits, format!("the plan has {twice:?} twice, the last one counts"));
        }
    }

    /// For names in ascending order.
    fn take(&mut self, name: &str) -> Trees<'t, 'a> {
        Trees {
            known: self.known.take(name),
            unknown: self.unknown.take(name),
            sensitive: self.sensitive.take(name),
        }
    }

    fn has_more(&self) -> bool {
        self.known.has_more() || self.unknown.has_more()
    }
}

/// What is under each name of an object or map: whatever is known or unknown there.
fn entries<'a>(
    trees: Trees<'_, 'a>,
    element: &Type,
    shape: Option<&Shape>,
    misfits: &mut Misfits,
) -> Result<Vec<(Cow<'a, str>, Value)>> {
    let shape = shape.and_then(|shape| shape.element.as_deref());
    let mut under = Under::of(trees);
    under.note_twice(misfits);
    let mut entries = Vec::new();
    for name in names([trees.known, trees.unknown]) {
        let below = under.take(&name);
        // Where nothing is known and nothing unknown (`{}` beside no content) there is nothing.
        if below.known.is_none() && !below.unknown.is_some_and(has_true) {
            continue;
        }
        let before = misfits.len();
        let value = fuse(below, element, shape, misfits);
        let step = || if *element == Type::Dynamic { Step::attr(&name) } else { Step::index(&*name) };
        entries.push((name.clone(), at(before, value, misfits, step)?));
    }
    Ok(entries)
}

/// The types of elements.
#[derive(Clone, Copy)]
enum Elements<'e> {
    All(&'e Type),
    Each(&'e [Type]),
}

impl<'e> Elements<'e> {
    fn get(self, index: usize) -> &'e Type {
        match self {
            Elements::All(ty) => ty,
            Elements::Each(types) => types.get(index).unwrap_or(&Type::Dynamic),
        }
    }
}

fn elements(
    trees: Trees<'_, '_>,
    types: Elements<'_>,
    shape: Option<&Shape>,
    misfits: &mut Misfits,
) -> Result<Vec<Value>> {
    let shape = shape.and_then(|shape| shape.element.as_deref());
    let length = length(trees);
    let mut known = trees.known.map(Item::elements);
    let mut unknown = trees.unknown.map(Item::elements);
    let mut sensitive = trees.sensitive.map(Item::elements);
    let mut items = Vec::with_capacity(length);
    for index in 0..length {
        let below = Trees {
            known: known.as_mut().and_then(Iterator::next),
            unknown: unknown.as_mut().and_then(Iterator::next),
            sensitive: sensitive.as_mut().and_then(Iterator::next),
        };
        let before = misfits.len();
        let value = fuse(below, types.get(index), shape, misfits);
        items.push(at(before, value, misfits, || Step::index(index))?);
    }
    Ok(items)
}

/// How many elements there are: some writers leave out known ones where others are unknown.
fn length(trees: Trees<'_, '_>) -> usize {
    let of = |item: Item<'_, '_>| if item.kind() == Token::Array { item.len() } else { 0 };
    let (known, unknown) = (trees.known.map_or(0, of), trees.unknown.map_or(0, of));
    if unknown > known && trees.unknown.is_some_and(has_true) { unknown } else { known }
}

/// Elements of one type after all, where the element type leaves something undecided: a null or unknown of no type
/// takes the type of the others. The elements as they are where they differ.
fn alike(mut items: Vec<Value>, element: &Type) -> Result<(Type, Vec<Value>), Vec<Value>> {
    let decided = items.iter().find(|item| !item.has_type(&Type::Dynamic)).map(Value::ty);
    let Some(ty) = decided.filter(|ty| element.covers(ty)) else { return Err(items) };
    for item in &mut items {
        if item.has_type(&Type::Dynamic) {
            let typed = if item.is_null() { Value::null(ty.clone()) } else { Value::unknown(ty.clone()) };
            *item = typed.with_marks(item.marks());
        }
    }
    if items.iter().all(|item| item.has_type(&ty)) { Ok((ty, items)) } else { Err(items) }
}

/// What went wrong or did not fit one level down gets the step there put before its path.
fn at(before: usize, value: Result<Value>, misfits: &mut Misfits, step: impl Fn() -> Step) -> Result<Value> {
    for (path, _) in misfits.iter_mut().skip(before) {
        *path = std::mem::take(path).under(step());
    }
    value.map_err(|error| error.under(step()))
}

#[cold]
fn note(misfits: &mut Misfits, message: String) {
    if misfits.len() < NOTES {
        misfits.push((Path::new(), message));
    }
}
