//! A model of concrete (wholly known) values that does not use the library's equality, order, ranges and
//! refinements, so that these are compared with something independent.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Value, View};

mod num;
mod ty;

pub use num::Num;
pub use ty::Ty;

/// The message of the panic if building a value from its model fails.
const WELL_TYPED: &str = "parts of the type that stands beside them";

/// The model of a wholly known value. The element type of a collection that is not empty contains no dynamic type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Con {
    /// The null of a type.
    Null(Ty),
    /// A bool.
    Bool(bool),
    /// A number.
    Num(Num),
    /// A string.
    Str(String),
    /// A capsule, which the model does not look into.
    Capsule(Value),
    /// A list with its element type.
    List(Ty, Vec<Con>),
    /// A set with its element type.
    Set(Ty, BTreeSet<Con>),
    /// A map with its element type.
    Map(Ty, BTreeMap<String, Con>),
    /// A tuple.
    Tuple(Vec<Con>),
    /// An object.
    Object(BTreeMap<String, Con>),
}

impl Con {
    /// The model of a wholly known value, without its marks; `None` if something is unknown or an element type is
    /// undecided.
    pub fn of(value: &Value) -> Option<Con> {
        fn all<'a>(parts: impl IntoIterator<Item = &'a Value>) -> Option<Vec<Con>> {
            parts.into_iter().map(Con::of).collect()
        }
        let element = |ty: &crate::Type, empty: bool| {
            let ty = Ty::of(ty);
            (empty || !ty.has_dynamic()).then_some(ty)
        };
        Some(match value.view() {
            View::Marked(marked) => return Con::of(&marked.value()),
            View::Dynamic | View::Unknown(_) => return None,
            View::Null(ty) => Con::Null(Ty::of(&ty)),
            View::Bool(truth) => Con::Bool(truth),
            View::Number(number) => Con::Num(Num::from(number)),
            View::String(text) => Con::Str(text.to_owned()),
            View::Capsule(_) => Con::Capsule(value.clone()),
            View::List(list) => Con::List(element(list.element_type(), list.is_empty())?, all(list.iter())?),
            View::Set(set) => Con::Set(
                element(set.element_type(), set.member_count() == 0)?,
                all(set.known().iter().chain(set.not_wholly_known()))?.into_iter().collect(),
            ),
            View::Map(map) => Con::Map(
                element(map.element_type(), map.is_empty())?,
                map.iter()
                    .map(|(key, item)| Some((key.to_owned(), Con::of(item)?)))
                    .collect::<Option<_>>()?,
            ),
            View::Tuple(tuple) => Con::Tuple(all(tuple.iter())?),
            View::Object(object) => Con::Object(
                object
                    .iter()
                    .map(|(name, part)| Some((name.to_owned(), Con::of(part)?)))
                    .collect::<Option<_>>()?,
            ),
        })
    }

    /// Whether the value is null.
    pub fn is_null(&self) -> bool {
        matches!(self, Con::Null(_))
    }

    /// The type of the value.
    pub fn ty(&self) -> Ty {
        match self {
            Con::Null(ty) => ty.clone(),
            Con::Bool(_) => Ty::Bool,
            Con::Num(_) => Ty::Num,
            Con::Str(_) => Ty::Str,
            Con::Capsule(capsule) => Ty::of(&capsule.ty()),
            Con::List(ty, _) => Ty::List(Box::new(ty.clone())),
            Con::Set(ty, _) => Ty::Set(Box::new(ty.clone())),
            Con::Map(ty, _) => Ty::Map(Box::new(ty.clone())),
            Con::Tuple(parts) => Ty::Tuple(parts.iter().map(Con::ty).collect()),
            Con::Object(parts) => {
                Ty::Object(parts.iter().map(|(name, part)| (name.clone(), part.ty())).collect())
            }
        }
    }

    /// Converts the model to a value of the library.
    ///
    /// # Panics
    ///
    /// If an element is not of the element type of its collection, or the value nests deeper than
    /// [`limits::DEPTH`](crate::limits::DEPTH).
    pub fn value(&self) -> Value {
        match self {
            Con::Null(ty) => Value::null(ty.to_type()),
            Con::Bool(truth) => Value::from(*truth),
            Con::Num(number) => Value::from(number.number()),
            Con::Str(text) => Value::from(text.as_str()),
            Con::Capsule(capsule) => capsule.clone(),
            Con::List(ty, items) => {
                Value::list_of(ty.to_type(), items.iter().map(Con::value)).expect(WELL_TYPED)
            }
            Con::Set(ty, items) => {
                Value::set_of(ty.to_type(), items.iter().map(Con::value)).expect(WELL_TYPED)
            }
            Con::Map(ty, entries) => {
                Value::map_of(ty.to_type(), entries.iter().map(|(key, item)| (key, item.value())))
                    .expect(WELL_TYPED)
            }
            Con::Tuple(parts) => Value::tuple(parts.iter().map(Con::value)).expect(WELL_TYPED),
            Con::Object(parts) => {
                Value::object(parts.iter().map(|(name, part)| (name, part.value()))).expect(WELL_TYPED)
            }
        }
    }
}

/// The result of an operation on wholly known values, as a model; `None` if the operation is an error.
pub type Outcome = Option<Con>;
