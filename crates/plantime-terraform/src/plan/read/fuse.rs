//! Builds one value from the JSON trees that a plan keeps apart: the known values, the unknown places, what is known of
//! these, and the sensitive places.

use std::borrow::Cow;

use super::entries::{Entries, all_names};
use super::refinement::refined_unknown;
use crate::json::{Item, Node};
use plantime::unstable::json::{Token, number};
use plantime::unstable::value::{build_list, build_map, build_object, build_set};
use plantime::{
    ListType, MapType, Mark, Number, ObjectType, Path, Result, SetType, Step, TupleType, Type, Value,
};
use plantime_schema::unstable::Shape;

/// The maximum number of misfits that are reported for one value.
const NOTES: usize = 100;

/// What a value at one place is built from: a plan writes known values, unknown places and sensitive places as separate
/// JSON documents of the same shape.
#[derive(Clone, Copy, Default)]
pub(super) struct Trees<'t, 'a> {
    /// The known values.
    pub(super) known: Option<Item<'t, 'a>>,
    /// `true` where the value is unknown.
    pub(super) unknown: Option<Item<'t, 'a>>,
    /// What is known of the value where it is unknown: see [`PlanDocument`](crate::plan::PlanDocument).
    pub(super) refinements: Option<Item<'t, 'a>>,
    /// `true` where the value is sensitive.
    pub(super) sensitive: Option<Item<'t, 'a>>,
    /// What the schema says of the value beside its type, if there is a schema.
    pub(super) shape: Option<&'t Shape>,
}

/// The places where a value does not fit its type, each with a message.
pub(super) type Misfits = Vec<(Path, String)>;

/// Builds a value from its JSON trees and its type. A part that does not fit the type is read as its JSON implies, and
/// reported in `misfits`.
///
/// Elements are paired by position, those of sets too: a set is built only once all its members are.
pub(super) fn fuse(trees: Trees<'_, '_>, ty: &Type, misfits: &mut Misfits) -> Result<Value> {
    let before = misfits.len();
    let known = || trees.known.map_or(Token::Null, Item::kind);
    let is_unknown = trees.unknown.is_some_and(|mask| is_about_all(mask, known));
    let value = match is_unknown {
        true => Ok(unknown_value(trees, ty, misfits)),
        false => fuse_content(trees, ty, misfits),
    };
    if !trees.shape.is_some_and(|shape| shape.sensitive) && !is_sensitive(trees, is_unknown) {
        return value;
    }
    let value = value.map_err(unread_inside)?;
    // The paths of misfits inside a sensitive value hold keys, which are content (L5).
    if misfits.len() > before {
        misfits.truncate(before);
        add_misfit(misfits, "what is inside does not fit, and is sensitive".to_owned());
    }
    Ok(value.mark(Mark::SENSITIVE))
}

/// The error for what is inside a sensitive value: neither its path nor its message may show keys (L5).
#[cold]
fn unread_inside(error: plantime::Error) -> plantime::Error {
    error.behind_mark().with_message("what is inside cannot be read, and is sensitive".to_owned())
}

/// Whether all of a value is sensitive.
fn is_sensitive(trees: Trees<'_, '_>, is_unknown: bool) -> bool {
    let Some(mask) = trees.sensitive else { return false };
    // What is unknown as a whole has no parts that a mask could be about.
    let content = || if is_unknown { Token::Bool } else { content_kind(trees) };
    let beyond = |mask: Item<'_, '_>| {
        let length = element_count(trees);
        mask.kind() == Token::Array && mask.len() > length && mask.elements().skip(length).any(has_true)
    };
    is_about_all(mask, content) || beyond(mask)
}

/// Whether a mask says of a whole value that it is unknown or sensitive: it is `true`, or no mask that anything writes for
/// JSON of the kind `content`. So a mask of an unexpected form never makes a value known or public.
///
/// | mask | says of the whole value |
/// |---|---|
/// | `true`, `false`, `null` | yes, no, no |
/// | an object or array | no: its parts are about the parts of the value |
/// | an object or array beside a value of another kind | yes, unless nothing in it is `true` |
/// | a string or number | yes |
fn is_about_all(mask: Item<'_, '_>, content: impl FnOnce() -> Token) -> bool {
    match mask.kind() {
        Token::Bool => mask.is_true(),
        Token::Null => false,
        Token::String | Token::Number => true,
        kind @ (Token::Array | Token::Object) => {
            let content = content();
            content != Token::Null && content != kind && has_true(mask)
        }
    }
}

/// The unknown value of type `ty`, with its refinements. Those that do not fit the type are reported and ignored: a reader
/// of plans by other tools knows nothing of them.
fn unknown_value(trees: Trees<'_, '_>, ty: &Type, misfits: &mut Misfits) -> Value {
    let refined = trees.refinements.filter(|item| !item.is_null()).map(|item| refined_unknown(ty, item));
    match refined {
        Some(Ok(value)) => value,
        Some(Err(_)) => {
            add_misfit(misfits, "the refinements of the unknown value do not fit it".to_owned());
            Value::unknown(ty.clone())
        }
        None => Value::unknown(ty.clone()),
    }
}

/// The kind of JSON value at a place. Where all of a container is unknown, only the tree of unknown places has its
/// shape.
fn content_kind(trees: Trees<'_, '_>) -> Token {
    match trees.known.map(Item::kind) {
        None | Some(Token::Null) => match trees.unknown {
            Some(unknown) if has_true(unknown) => unknown.kind(),
            _ => Token::Null,
        },
        Some(kind) => kind,
    }
}

/// Whether anything in a tree of unknown or sensitive places is `true`, or is no bool, which counts as that.
pub(super) fn has_true(item: Item<'_, '_>) -> bool {
    match item.node() {
        Node::Bool(value) => value,
        Node::Array { .. } => item.elements().any(has_true),
        Node::Object { .. } => item.entries().any(|(_, item)| has_true(item)),
        Node::String(_) | Node::Number(_) => true,
        Node::Null => false,
    }
}

/// Builds a value that is not unknown as a whole. Only dispatches: this frame is on the stack once for each level of
/// a value.
fn fuse_content(trees: Trees<'_, '_>, ty: &Type, misfits: &mut Misfits) -> Result<Value> {
    match (ty, content_kind(trees)) {
        (_, Token::Null) => Ok(Value::null(ty.clone())),
        (Type::Object(ty), Token::Object) => fuse_object(trees, ty, misfits),
        (Type::Map(ty), Token::Object) => fuse_map(trees, ty, misfits),
        (Type::List(ty), Token::Array) => fuse_list(trees, ty, misfits),
        (Type::Set(ty), Token::Array) => fuse_set(trees, ty, misfits),
        (Type::Tuple(ty), Token::Array) => fuse_tuple(trees, ty, misfits),
        (Type::Dynamic, Token::Object) => fuse_implied_object(trees, misfits),
        (Type::Dynamic, Token::Array) => fuse_implied_tuple(trees, misfits),
        (_, found) => match scalar_value(trees, ty) {
            Some(value) => value,
            None => fuse_untyped(trees, ty, found, misfits),
        },
    }
}

/// Reports that the value, JSON of the kind `found`, does not fit its type, and builds it as its JSON implies.
fn fuse_untyped(trees: Trees<'_, '_>, ty: &Type, found: Token, misfits: &mut Misfits) -> Result<Value> {
    add_misfit(misfits, format!("the schema has {}, the plan {}", ty.friendly_name(), found.name()));
    fuse_content(Trees { shape: None, ..trees }, &Type::Dynamic, misfits)
}

/// Builds a map from its JSON trees; an object if its elements have no common type.
fn fuse_map(trees: Trees<'_, '_>, ty: &MapType, misfits: &mut Misfits) -> Result<Value> {
    let entries = fused_entries(trees, ty.element(), misfits)?;
    if entries.iter().all(|(_, value)| value.has_type(ty.element())) {
        let entries = entries.into_iter().map(|(key, value)| (key.as_ref().into(), value)).collect();
        return Ok(build_map(ty.clone(), entries));
    }
    let (keys, values): (Vec<_>, Vec<_>) = entries.into_iter().unzip();
    match with_common_type(values, ty.element()) {
        Ok((element, values)) => Value::map_of(element, keys.into_iter().zip(values)),
        Err(values) => Value::object(keys.into_iter().zip(values)),
    }
}

/// Builds a list from its JSON trees; a tuple if its elements have no common type.
fn fuse_list(trees: Trees<'_, '_>, ty: &ListType, misfits: &mut Misfits) -> Result<Value> {
    let items = fused_elements(trees, ElementTypes::All(ty.element()), misfits)?;
    if items.iter().all(|item| item.has_type(ty.element())) {
        return Ok(build_list(ty.clone(), items));
    }
    match with_common_type(items, ty.element()) {
        Ok((element, items)) => Value::list_of(element, items),
        Err(items) => Value::tuple(items),
    }
}

/// Builds a set from its JSON trees; a tuple if its elements have no common type.
fn fuse_set(trees: Trees<'_, '_>, ty: &SetType, misfits: &mut Misfits) -> Result<Value> {
    let items = fused_elements(trees, ElementTypes::All(ty.element()), misfits)?;
    if items.iter().all(|item| item.has_type(ty.element())) {
        return Ok(build_set(ty.clone(), items));
    }
    match with_common_type(items, ty.element()) {
        Ok((element, items)) => Value::set_of(element, items),
        Err(items) => Value::tuple(items),
    }
}

/// Builds a tuple from its JSON trees. If it has another number of elements than its type, that is reported as a misfit.
fn fuse_tuple(trees: Trees<'_, '_>, ty: &TupleType, misfits: &mut Misfits) -> Result<Value> {
    let items = fused_elements(trees, ElementTypes::Each(ty.elements()), misfits)?;
    if items.len() != ty.len() {
        add_misfit(misfits, format!("the schema has {} elements, the plan {}", ty.len(), items.len()));
    }
    Value::tuple(items)
}

/// The type of nested blocks according to the schema, where the implied type is dynamic because the blocks may
/// differ; dynamic if there are no such blocks.
fn block_type(shape: Option<&Shape>) -> &Type {
    let pattern = shape.and_then(|shape| shape.pattern.as_ref());
    pattern.and_then(Type::element_type).unwrap_or(&Type::Dynamic)
}

/// Builds the tuple that a JSON array implies.
fn fuse_implied_tuple(trees: Trees<'_, '_>, misfits: &mut Misfits) -> Result<Value> {
    Value::tuple(fused_elements(trees, ElementTypes::All(block_type(trees.shape)), misfits)?)
}

/// Builds the object that a JSON object implies.
fn fuse_implied_object(trees: Trees<'_, '_>, misfits: &mut Misfits) -> Result<Value> {
    Value::object(fused_entries(trees, block_type(trees.shape), misfits)?)
}

/// The JSON scalar as a value of a primitive type, or, if the type is dynamic, of the type that it implies. Strings
/// that spell a number or bool convert, as in cty. `None` if it does not fit the type.
fn scalar_value(trees: Trees<'_, '_>, ty: &Type) -> Option<Result<Value>> {
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

/// Builds an object with the attributes of its type from its JSON trees.
fn fuse_object(trees: Trees<'_, '_>, ty: &ObjectType, misfits: &mut Misfits) -> Result<Value> {
    let mut children = ChildTrees::new(trees);
    let mut slots = Vec::with_capacity(ty.len());
    let mut fits = true;
    for (slot, (name, declared)) in ty.iter().enumerate() {
        let shape = trees.shape.and_then(|shape| shape.attribute(slot));
        let before = misfits.len();
        let value = fuse(Trees { shape, ..children.next_named(name) }, declared, misfits);
        let value = under_step(before, value, misfits, || Step::attr(name))?;
        fits = fits && value.has_type(declared);
        slots.push(value);
    }
    match (fits, children.has_unread()) {
        (true, false) => Ok(build_object(ty.clone(), slots.into_boxed_slice())),
        (false, false) => Value::object(ty.attribute_names().zip(slots)),
        (_, true) => with_extra_attributes(trees, ty, slots, misfits),
    }
}

/// The object with the attributes added that the plan has and its schema lacks. Each is reported as a misfit and has
/// the type that its JSON implies. `slots` are the values of the other attributes, in the order of the type.
fn with_extra_attributes(
    trees: Trees<'_, '_>,
    ty: &ObjectType,
    slots: Vec<Value>,
    misfits: &mut Misfits,
) -> Result<Value> {
    let mut extra = all_names([trees.known, trees.unknown]);
    extra.retain(|name| ty.index_of(name).is_none());
    let mut attributes: Vec<(&str, Value)> = ty.attribute_names().zip(slots).collect();
    let mut children = ChildTrees::new(trees);
    for name in &extra {
        let before = misfits.len();
        add_misfit(misfits, "the schema has no such attribute".to_owned());
        let value = fuse(children.next_named(name), &Type::Dynamic, misfits);
        attributes.push((name, under_step(before, value, misfits, || Step::attr(name))?));
    }
    Value::object(attributes)
}

/// Looks up the JSON trees of each attribute of an object; the names must be requested in ascending order.
struct ChildTrees<'t, 'a> {
    known: Entries<'t, 'a>,
    unknown: Entries<'t, 'a>,
    refinements: Entries<'t, 'a>,
    sensitive: Entries<'t, 'a>,
}

impl<'t, 'a> ChildTrees<'t, 'a> {
    /// The attributes of the objects at these trees.
    fn new(trees: Trees<'t, 'a>) -> ChildTrees<'t, 'a> {
        ChildTrees {
            known: Entries::new(trees.known),
            unknown: Entries::new(trees.unknown),
            refinements: Entries::new(trees.refinements),
            sensitive: Entries::new(trees.sensitive),
        }
    }

    /// The trees of the attribute with this name, which is greater than the names requested before; without a shape.
    fn next_named(&mut self, name: &str) -> Trees<'t, 'a> {
        Trees {
            known: self.known.next_named(name),
            unknown: self.unknown.next_named(name),
            refinements: self.refinements.next_named(name),
            sensitive: self.sensitive.next_named(name),
            shape: None,
        }
    }

    /// Whether there are known or unknown attributes that were not requested.
    fn has_unread(&self) -> bool {
        self.known.has_unread() || self.unknown.has_unread()
    }
}

/// Builds the entries of an object or map, with their names in ascending order; `element` is the type of each.
/// Entries that are neither known nor unknown are left out.
fn fused_entries<'a>(
    trees: Trees<'_, 'a>,
    element: &Type,
    misfits: &mut Misfits,
) -> Result<Vec<(Cow<'a, str>, Value)>> {
    let shape = trees.shape.and_then(|shape| shape.element.as_deref());
    let mut children = ChildTrees::new(trees);
    let mut entries = Vec::new();
    for name in all_names([trees.known, trees.unknown]) {
        let below = Trees { shape, ..children.next_named(&name) };
        // `{}` in the tree of unknowns, without a known value, means that there is no such entry.
        if below.known.is_none() && !below.unknown.is_some_and(has_true) {
            continue;
        }
        let before = misfits.len();
        let value = fuse(below, element, misfits);
        let step = || if *element == Type::Dynamic { Step::attr(&name) } else { Step::index(&*name) };
        entries.push((name.clone(), under_step(before, value, misfits, step)?));
    }
    Ok(entries)
}

/// The declared types of an array's elements: one for all, or one for each.
#[derive(Clone, Copy)]
enum ElementTypes<'e> {
    All(&'e Type),
    Each(&'e [Type]),
}

impl<'e> ElementTypes<'e> {
    /// The declared type of the element at an index.
    fn get(self, index: usize) -> &'e Type {
        match self {
            ElementTypes::All(ty) => ty,
            ElementTypes::Each(types) => types.get(index).unwrap_or(&Type::Dynamic),
        }
    }
}

/// Builds the elements of an array.
fn fused_elements(
    trees: Trees<'_, '_>,
    types: ElementTypes<'_>,
    misfits: &mut Misfits,
) -> Result<Vec<Value>> {
    let shape = trees.shape.and_then(|shape| shape.element.as_deref());
    let length = element_count(trees);
    let mut known = trees.known.map(Item::elements);
    let mut unknown = trees.unknown.map(Item::elements);
    let mut refinements = trees.refinements.map(Item::elements);
    let mut sensitive = trees.sensitive.map(Item::elements);
    let mut items = Vec::with_capacity(length);
    for index in 0..length {
        let below = Trees {
            known: known.as_mut().and_then(Iterator::next),
            unknown: unknown.as_mut().and_then(Iterator::next),
            refinements: refinements.as_mut().and_then(Iterator::next),
            sensitive: sensitive.as_mut().and_then(Iterator::next),
            shape,
        };
        let before = misfits.len();
        let value = fuse(below, types.get(index), misfits);
        items.push(under_step(before, value, misfits, || Step::index(index))?);
    }
    Ok(items)
}

/// The number of elements of an array. The tree of unknown places may be longer: some writers leave out known
/// elements beside unknown ones.
fn element_count(trees: Trees<'_, '_>) -> usize {
    let of = |item: Item<'_, '_>| if item.kind() == Token::Array { item.len() } else { 0 };
    let (known, unknown) = (trees.known.map_or(0, of), trees.unknown.map_or(0, of));
    if unknown > known && trees.unknown.is_some_and(has_true) { unknown } else { known }
}

/// Converts elements to their common type where the element type is partly dynamic: a null or unknown without a type
/// takes the type of the others. `Err` with the elements as they are if their types differ.
fn with_common_type(mut items: Vec<Value>, element: &Type) -> Result<(Type, Vec<Value>), Vec<Value>> {
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

/// The value, with `step` put before the path of its error and of the misfits that were added after the first
/// `before`.
fn under_step(
    before: usize,
    value: Result<Value>,
    misfits: &mut Misfits,
    step: impl Fn() -> Step,
) -> Result<Value> {
    for (path, _) in misfits.iter_mut().skip(before) {
        *path = std::mem::take(path).under(step());
    }
    value.map_err(|error| error.under(step()))
}

/// Adds a misfit at the current place, unless there are [`NOTES`] already.
#[cold]
fn add_misfit(misfits: &mut Misfits, message: String) {
    if misfits.len() < NOTES {
        misfits.push((Path::new(), message));
    }
}
