//! A value for programmers: exact, on one line, linear in the size of the value and its type, free of marked content.
//!
//! Written by hand so that `{:#?}` of a deep value costs no more stack than `{:?}`.

use std::fmt;

use crate::types::Type;

use super::repr::Container;
use super::{
    Dynamic, Known, ListView, MapView, ObjectView, Partial, Refined, SetView, TupleView, Unknown, Value, View,
};

type Out<'a, 'b> = &'a mut fmt::Formatter<'b>;

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        value(f, self, false)
    }
}

/// `said`: a collection around it says the type. Then `_` stands in its place: a thousand unknowns of one large type
/// would be a text of their sizes multiplied.
fn value(f: Out<'_, '_>, value: &Value, said: bool) -> fmt::Result {
    let ty = |ty| Shown { ty, said, hides: false };
    match value.view() {
        View::Marked(view) => {
            let ty = Shown { ty: &value.ty(), said, hides: true };
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
        View::List(view) => list(f, &view, said),
        View::Set(view) => set(f, &view, said),
        View::Map(view) => map(f, &view, said),
        View::Tuple(view) => tuple(f, &view, said),
        View::Object(view) => object(f, &view, said),
    }
}

/// A type, or `_` if a collection around it has printed it.
struct Shown<'a> {
    ty: &'a Type,
    said: bool,
    /// Whether it is that of something marked: names of attributes and how many parts there are is content, as of what
    /// was decoded from a marked text.
    hides: bool,
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shown { said: true, .. } => f.write_str("_"),
            Shown { hides: true, ty, .. } => kind(f, ty),
            Shown { ty, .. } => fmt::Display::fmt(ty, f),
        }
    }
}

/// The type without what is in tuples and objects.
fn kind(f: Out<'_, '_>, mut ty: &Type) -> fmt::Result {
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

pub(super) fn list(f: Out<'_, '_>, list: &ListView<'_>, said: bool) -> fmt::Result {
    let said = head(f, "list", list.element_type(), list.iter(), said)?;
    if list.is_empty() { Ok(()) } else { items(f, "[", list.iter(), said) }
}

pub(super) fn tuple(f: Out<'_, '_>, tuple: &TupleView<'_>, said: bool) -> fmt::Result {
    items(f, "tuple[", tuple.iter(), said)
}

pub(super) fn set(f: Out<'_, '_>, set: &SetView<'_>, said: bool) -> fmt::Result {
    let said = head(f, "set", set.element_type(), set.iter(), said)?;
    if set.member_count() == 0 {
        return Ok(());
    }
    items(f, "[", set.iter(), said)?;
    let length = set.length();
    match length.upper() {
        Some(max) if max != length.lower() => write!(f, ".length({}, {max})", length.lower()),
        _ if !set.undecided().is_empty() => write!(f, ".length({})", length.lower()),
        _ => Ok(()),
    }
}

pub(super) fn map(f: Out<'_, '_>, map: &MapView<'_>, said: bool) -> fmt::Result {
    let said = head(f, "map", map.element_type(), map.iter().map(|(_, value)| value), said)?;
    if map.is_empty() { Ok(()) } else { entries(f, "{", map.iter(), said) }
}

pub(super) fn object(f: Out<'_, '_>, object: &ObjectView<'_>, said: bool) -> fmt::Result {
    entries(f, "object{", object.iter(), said)
}

/// Writes the name of a collection, with the element type where the elements do not show it or would each repeat a
/// compound one. Returns whether the type was written.
fn head<'a>(
    f: Out<'_, '_>,
    kind: &str,
    element: &Type,
    items: impl ExactSizeIterator<Item = &'a Value>,
    said: bool,
) -> Result<bool, fmt::Error> {
    let compound = element.depth() > 0;
    let (mut say, mut hides) = (items.len() == 0, false);
    if !said && compound {
        // To the end: a mark on the last element hides what is said first.
        for item in items {
            say = say || hides_type(item);
            hides |= item.contains_marks();
        }
    }
    f.write_str(kind)?;
    if say {
        write!(f, "_of({})", Shown { ty: element, said, hides })?;
    }
    Ok(said || say)
}

/// Whether something in it does not show its type.
fn hides_type(value: &Value) -> bool {
    match value.container() {
        _ if value.is_marked() => true,
        None => !value.is_known() || value.is_null(),
        Some(Container::Tuple(node)) => any_hides_type(&node.items),
        Some(Container::Object(node)) => any_hides_type(&node.slots),
        Some(container) => {
            let mut children = container.children();
            children.next().is_none_or(hides_type) || children.any(hides_type)
        }
    }
}

fn any_hides_type(values: &[Value]) -> bool {
    values.iter().any(hides_type)
}

fn items<'a>(f: Out<'_, '_>, open: &str, items: impl Iterator<Item = &'a Value>, said: bool) -> fmt::Result {
    f.write_str(open)?;
    for (i, item) in items.enumerate() {
        f.write_str(if i > 0 { ", " } else { "" })?;
        value(f, item, said)?;
    }
    f.write_str("]")
}

fn entries<'a>(
    f: Out<'_, '_>,
    open: &str,
    entries: impl Iterator<Item = (&'a str, &'a Value)>,
    said: bool,
) -> fmt::Result {
    f.write_str(open)?;
    for (i, (name, element)) in entries.enumerate() {
        f.write_str(if i > 0 { ", " } else { "" })?;
        crate::text::write_quoted(f, name)?;
        f.write_str(": ")?;
        value(f, element, said)?;
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
