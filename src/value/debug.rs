//! A value for programmers: exact, on one line, linear in the size of the value, free of marked content.
//!
//! Written by hand so that `{:#?}` of a deep value costs no more stack than `{:?}`.

use std::fmt;

use super::{
    Dynamic, Known, ListView, MapView, ObjectView, Partial, Refined, SetView, TupleView, Unknown, Value, View,
};

type Out<'a, 'b> = &'a mut fmt::Formatter<'b>;

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.view() {
            View::Marked(view) => write!(f, "{:?}.marks({})", self.ty(), view.marks()),
            View::Dynamic => f.write_str("dynamic"),
            View::Unknown(range) => match range.refinement() {
                refinement if refinement.is_trivial() => write!(f, "unknown({})", range.ty()),
                refinement => write!(f, "unknown({}, {refinement})", range.ty()),
            },
            View::Null(ty) => write!(f, "null({ty})"),
            View::Bool(truth) => write!(f, "{truth}"),
            View::Number(number) => write!(f, "{number}"),
            View::String(text) => crate::text::write_quoted(f, text),
            View::Capsule(capsule) => write!(f, "{:?}", capsule.ty()),
            View::List(view) => list(f, &view),
            View::Set(view) => set(f, &view),
            View::Map(view) => map(f, &view),
            View::Tuple(view) => tuple(f, &view),
            View::Object(view) => object(f, &view),
        }
    }
}

pub(super) fn list(f: Out<'_, '_>, list: &ListView<'_>) -> fmt::Result {
    if list.is_empty() {
        return write!(f, "list_of({})", list.element_type());
    }
    items(f, "list[", list.iter(), "]")
}

pub(super) fn tuple(f: Out<'_, '_>, tuple: &TupleView<'_>) -> fmt::Result {
    items(f, "tuple[", tuple.iter(), "]")
}

pub(super) fn set(f: Out<'_, '_>, set: &SetView<'_>) -> fmt::Result {
    if set.member_count() == 0 {
        return write!(f, "set_of({})", set.element_type());
    }
    items(f, "set[", set.iter(), "]")?;
    let length = set.length();
    match length.upper() {
        Some(max) if max != length.lower() => write!(f, ".length({}, {max})", length.lower()),
        _ if !set.undecided().is_empty() => write!(f, ".length({})", length.lower()),
        _ => Ok(()),
    }
}

pub(super) fn map(f: Out<'_, '_>, map: &MapView<'_>) -> fmt::Result {
    if map.is_empty() {
        return write!(f, "map_of({})", map.element_type());
    }
    entries(f, "map{", map.iter())
}

pub(super) fn object(f: Out<'_, '_>, object: &ObjectView<'_>) -> fmt::Result {
    entries(f, "object{", object.iter())
}

fn items<'a>(f: Out<'_, '_>, open: &str, items: impl Iterator<Item = &'a Value>, close: &str) -> fmt::Result {
    f.write_str(open)?;
    for (i, item) in items.enumerate() {
        f.write_str(if i > 0 { ", " } else { "" })?;
        fmt::Debug::fmt(item, f)?;
    }
    f.write_str(close)
}

fn entries<'a>(
    f: Out<'_, '_>,
    open: &str,
    entries: impl Iterator<Item = (&'a str, &'a Value)>,
) -> fmt::Result {
    f.write_str(open)?;
    for (i, (name, value)) in entries.enumerate() {
        f.write_str(if i > 0 { ", " } else { "" })?;
        crate::text::write_quoted(f, name)?;
        f.write_str(": ")?;
        fmt::Debug::fmt(value, f)?;
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
