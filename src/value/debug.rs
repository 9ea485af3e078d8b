//! `Debug` of values: exact, on one line, linear in the size of the value and its type, without marked content.
//!
//! Written by hand so that `{:#?}` of a deep value costs no more stack than `{:?}`.

use std::fmt;

use crate::types::Type;

use super::repr::Container;
use super::{
    Dynamic, Known, ListView, MapView, ObjectView, Partial, Refined, SetView, TupleView, Unknown, Value, View,
};

/// The formatter to which the functions of this module write.
type Out<'a, 'b> = &'a mut fmt::Formatter<'b>;

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_value(f, self, false)
    }
}

/// Writes a value. `type_shown` says that an enclosing collection has written the type: then `_` is written in place of
/// it, since a thousand unknowns of one large type would repeat the type a thousand times.
fn write_value(f: Out<'_, '_>, value: &Value, type_shown: bool) -> fmt::Result {
    let ty = |ty| ShownType { ty, type_shown, is_marked: false };
    match value.view() {
        View::Marked(view) => {
            let ty = ShownType { ty: &value.ty(), type_shown, is_marked: true };
            write!(f, "{ty}.marks({})", view.marks())
        }
        View::Dynamic => f.write_str("dynamic"),
        View::Unknown(range) => match range.refinement() {
            refinement if refinement.is_trivial() => write!(f, "unknown({})", ty(range.ty())),
            refinement => write!(f, "unknown({}, {refinement})", ty(range.ty())),
        },
        View::Null(null) => write!(f, "null({})", ty(&null)),
        View::Bool(truth) => write!(f, "{truth}"),
        View::Number(number) => write!(f, "{number}"),
        View::String(text) => crate::text::write_quoted(f, text),
        View::Capsule(capsule) => write!(f, "{:?}", capsule.ty()),
        View::List(view) => list(f, &view, type_shown),
        View::Set(view) => set(f, &view, type_shown),
        View::Map(view) => map(f, &view, type_shown),
        View::Tuple(view) => tuple(f, &view, type_shown),
        View::Object(view) => object(f, &view, type_shown),
    }
}

/// Formats a type, or `_` if an enclosing collection has written it.
struct ShownType<'a> {
    ty: &'a Type,
    type_shown: bool,
    /// Whether the type belongs to a marked value, so that tuples and objects are not written out: attribute names and
    /// the number of elements may be content, for example of a value decoded from a marked string.
    is_marked: bool,
}

impl fmt::Display for ShownType<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ShownType { type_shown: true, .. } => f.write_str("_"),
            ShownType { is_marked: true, ty, .. } => write_kind(f, ty),
            ShownType { ty, .. } => fmt::Display::fmt(ty, f),
        }
    }
}

/// Writes the type with tuples and objects as their kind only, without elements and attributes.
fn write_kind(f: Out<'_, '_>, mut ty: &Type) -> fmt::Result {
    let mut open = 0_usize;
    loop {
        let (name, element) = match ty {
            Type::List(list) => ("list(", list.element()),
            Type::Set(set) => ("set(", set.element()),
            Type::Map(map) => ("map(", map.element()),
            Type::Tuple(_) => break f.write_str("tuple")?,
            Type::Object(_) => break f.write_str("object")?,
            ty => break fmt::Display::fmt(ty, f)?,
        };
        f.write_str(name)?;
        open = open.saturating_add(1);
        ty = element;
    }
    (0..open).try_for_each(|_| f.write_str(")"))
}

/// Writes a list. `type_shown` says that an enclosing collection has written its type.
pub(super) fn list(f: Out<'_, '_>, list: &ListView<'_>, type_shown: bool) -> fmt::Result {
    let type_shown = write_head(f, "list", list.element_type(), list.iter(), type_shown)?;
    if list.is_empty() { Ok(()) } else { items(f, "[", list.iter(), type_shown) }
}

/// Writes a tuple. `type_shown` says that an enclosing collection has written its type.
pub(super) fn tuple(f: Out<'_, '_>, tuple: &TupleView<'_>, type_shown: bool) -> fmt::Result {
    items(f, "tuple[", tuple.iter(), type_shown)
}

/// Writes a set, with the range of its length if it has undecided members. `type_shown` says that an enclosing
/// collection has written its type.
pub(super) fn set(f: Out<'_, '_>, set: &SetView<'_>, type_shown: bool) -> fmt::Result {
    let type_shown = write_head(f, "set", set.element_type(), set.iter(), type_shown)?;
    if set.member_count() == 0 {
        return Ok(());
    }
    items(f, "[", set.iter(), type_shown)?;
    let length = set.length();
    match length.upper() {
        Some(max) if max != length.lower() => write!(f, ".length({}, {max})", length.lower()),
        _ if !set.not_wholly_known().is_empty() => write!(f, ".length({})", length.lower()),
        _ => Ok(()),
    }
}

/// Writes a map. `type_shown` says that an enclosing collection has written its type.
pub(super) fn map(f: Out<'_, '_>, map: &MapView<'_>, type_shown: bool) -> fmt::Result {
    let type_shown =
        write_head(f, "map", map.element_type(), map.iter().map(|(_, value)| value), type_shown)?;
    if map.is_empty() { Ok(()) } else { entries(f, "{", map.iter(), type_shown) }
}

/// Writes an object. `type_shown` says that an enclosing collection has written its type.
pub(super) fn object(f: Out<'_, '_>, object: &ObjectView<'_>, type_shown: bool) -> fmt::Result {
    entries(f, "object{", object.iter(), type_shown)
}

/// Writes the name of a collection, with the element type if the elements do not show it or would each repeat a
/// compound one. Returns whether the type is written, here or by an enclosing collection.
fn write_head<'a>(
    f: Out<'_, '_>,
    kind: &str,
    element: &Type,
    items: impl ExactSizeIterator<Item = &'a Value>,
    type_shown: bool,
) -> Result<bool, fmt::Error> {
    let compound = element.depth() > 0;
    let (mut show_type, mut is_marked) = (items.len() == 0, false);
    if !type_shown && compound {
        // No early exit: a mark on the last element hides details of the element type, which is written first.
        for item in items {
            show_type = show_type || hides_type(item);
            is_marked |= item.contains_marks();
        }
    }
    f.write_str(kind)?;
    if show_type {
        write!(f, "_of({})", ShownType { ty: element, type_shown, is_marked })?;
    }
    Ok(type_shown || show_type)
}

/// Whether the debug form of a value does not show the type of the value or of a value inside it: it is marked,
/// unknown, null or an empty collection.
fn hides_type(value: &Value) -> bool {
    match value.container() {
        _ if value.is_marked() => true,
        None => !value.is_known() || value.is_null(),
        Some(Container::Tuple(node)) => some_hide_type(&node.items),
        Some(Container::Object(node)) => some_hide_type(&node.slots),
        Some(container) => {
            let mut children = container.children();
            children.next().is_none_or(hides_type) || children.any(hides_type)
        }
    }
}

/// Whether the debug form of some of these values does not show a type; see `hides_type`.
fn some_hide_type(values: &[Value]) -> bool {
    values.iter().any(hides_type)
}

/// Writes elements or members, separated by commas, between the opening text `open` and `]`.
fn items<'a>(
    f: Out<'_, '_>,
    open: &str,
    items: impl Iterator<Item = &'a Value>,
    type_shown: bool,
) -> fmt::Result {
    f.write_str(open)?;
    for (i, item) in items.enumerate() {
        f.write_str(if i > 0 { ", " } else { "" })?;
        write_value(f, item, type_shown)?;
    }
    f.write_str("]")
}

/// Writes map entries or attributes, separated by commas, between the opening text `open` and `}`.
fn entries<'a>(
    f: Out<'_, '_>,
    open: &str,
    entries: impl Iterator<Item = (&'a str, &'a Value)>,
    type_shown: bool,
) -> fmt::Result {
    f.write_str(open)?;
    for (i, (name, element)) in entries.enumerate() {
        f.write_str(if i > 0 { ", " } else { "" })?;
        crate::text::write_quoted(f, name)?;
        f.write_str(": ")?;
        write_value(f, element, type_shown)?;
    }
    f.write_str("}")
}

macro_rules! debug_payload {
    ($($payload:ident),*) => {$(
        impl fmt::Debug for $payload {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&Value::$payload(self.clone()), f)
            }
        }
    )*};
}

debug_payload!(Dynamic, Unknown, Refined, Partial, Known);
