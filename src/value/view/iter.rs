//! The iterators of the views.

use std::iter::{Enumerate, FusedIterator};
use std::slice::Iter;

use crate::text::Text;
use crate::types::ObjectType;
use crate::value::{Value, set};

use super::{ListView, MapView, ObjectView, SetView, TupleView};

/// The entries of a map, by key.
#[derive(Clone)]
#[must_use = "iterators do nothing unless they are read"]
pub struct Entries<'a>(pub(super) Iter<'a, (Text, Value)>);

impl<'a> Iterator for Entries<'a> {
    type Item = (&'a str, &'a Value);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|(key, value)| (key.as_str(), value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

/// The attributes of an object, by name.
#[derive(Clone)]
#[must_use = "iterators do nothing unless they are read"]
pub struct Attributes<'a> {
    pub(super) ty: &'a ObjectType,
    pub(super) slots: Enumerate<Iter<'a, Value>>,
}

impl<'a> Iterator for Attributes<'a> {
    type Item = (&'a str, &'a Value);

    fn next(&mut self) -> Option<Self::Item> {
        let (place, value) = self.slots.next()?;
        Some((self.ty.name_at(place)?, value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.slots.size_hint()
    }
}

/// The members of a set, in [iteration order](SetView::iter).
#[derive(Clone)]
#[must_use = "iterators do nothing unless they are read"]
pub struct Members<'a>(pub(super) set::iteration::Members<'a>);

impl<'a> Iterator for Members<'a> {
    type Item = &'a Value;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

macro_rules! into_iterator {
    ($($view:ident: $item:ty, $iter:ty;)*) => {$(
        impl<'a> IntoIterator for $view<'a> {
            type Item = $item;
            type IntoIter = $iter;

            fn into_iter(self) -> Self::IntoIter {
                self.iter()
            }
        }

        impl<'a> IntoIterator for &$view<'a> {
            type Item = $item;
            type IntoIter = $iter;

            fn into_iter(self) -> Self::IntoIter {
                self.iter()
            }
        }
    )*};
}

into_iterator! {
    ListView: &'a Value, Iter<'a, Value>;
    TupleView: &'a Value, Iter<'a, Value>;
    SetView: &'a Value, Members<'a>;
    MapView: (&'a str, &'a Value), Entries<'a>;
    ObjectView: (&'a str, &'a Value), Attributes<'a>;
}

macro_rules! exact {
    ($($iter:ident),*) => {$(
        impl ExactSizeIterator for $iter<'_> {}

        impl FusedIterator for $iter<'_> {}

        impl std::fmt::Debug for $iter<'_> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_list().entries(self.clone()).finish()
            }
        }
    )*};
}

exact!(Entries, Attributes, Members);
