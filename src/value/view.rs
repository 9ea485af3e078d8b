//! Reading a value: one view for wholly and partly known containers.

use std::fmt;

use crate::error::{Error, Kind, Result};
use crate::mark::Marks;
use crate::number::Number;
use crate::refinement::LengthRange;
use crate::text::Text;
use crate::types::{ObjectType, TupleType, Type};

mod capsule;
mod iter;

pub use capsule::CapsuleView;
pub use iter::{Attributes, Entries, Members};

use super::repr::{Container, KnownRepr, ListNode, MapNode, ObjectNode, SetNode, TupleNode};
use super::{Known, Value, ValueRange};

/// A value in a form to match on, by kind rather than by level. See [`Value::view`].
///
/// ```
/// use plantime::{Mark, Value, View, value};
///
/// /// How many strings a value has, at any depth, behind marks too.
/// fn strings(value: &Value) -> usize {
///     match value.view() {
///         View::Marked(marked) => strings(&marked.value()),
///         View::String(_) => 1,
///         _ => value.elements().map(|(_, element)| strings(&element)).sum(),
///     }
/// }
///
/// let secret = Value::from("hunter2").mark(Mark::SENSITIVE);
/// assert_eq!(strings(&value!({ "password": secret, "names": ["a", 1] })?), 2);
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone)]
#[must_use]
pub enum View<'a> {
    /// A value with marks at its top: [`MarkedView::value`] is the value without them.
    Marked(MarkedView<'a>),
    /// Unknown of unknown type.
    Dynamic,
    /// Unknown of known type, with its range.
    Unknown(ValueRange),
    /// Null of a type.
    Null(Type),
    /// A bool.
    Bool(bool),
    /// A number.
    Number(&'a Number),
    /// A string.
    String(&'a str),
    /// A capsule.
    Capsule(CapsuleView<'a>),
    /// A list.
    List(ListView<'a>),
    /// A set.
    Set(SetView<'a>),
    /// A map.
    Map(MapView<'a>),
    /// A tuple.
    Tuple(TupleView<'a>),
    /// An object.
    Object(ObjectView<'a>),
}

/// The view of a value.
pub(super) fn of(value: &Value) -> View<'_> {
    if value.is_marked() {
        return View::Marked(MarkedView(value));
    }
    below_marks(value)
}

/// The view of a value without the marks at its top: never [`View::Marked`].
pub(crate) fn below_marks(value: &Value) -> View<'_> {
    match value {
        Value::Dynamic(_) => View::Dynamic,
        Value::Unknown(_) | Value::Refined(_) => View::Unknown(value.range()),
        Value::Partial(partial) => container_view(partial.0.container()),
        Value::Known(known) => match known.0.bare() {
            KnownRepr::Null(ty) => View::Null(ty.clone()),
            KnownRepr::Bool(truth) => View::Bool(*truth),
            KnownRepr::Number(number) => View::Number(number),
            KnownRepr::String(text) => View::String(text.as_str()),
            KnownRepr::Capsule(content) => View::Capsule(CapsuleView(content)),
            KnownRepr::Container(node) => container_view(node),
            KnownRepr::Marked(_) => View::Marked(MarkedView(value)),
        },
    }
}

/// The view of a container.
fn container_view(container: &Container) -> View<'_> {
    match container {
        Container::List(node) => View::List(ListView(node)),
        Container::Set(node) => View::Set(SetView(node)),
        Container::Map(node) => View::Map(MapView(node)),
        Container::Tuple(node) => View::Tuple(TupleView(node)),
        Container::Object(node) => View::Object(ObjectView(node)),
    }
}

/// A value with marks at its top.
///
/// ```
/// use plantime::{Mark, Value, View};
///
/// let password = Value::from("hunter2").mark(Mark::SENSITIVE);
/// let View::Marked(marked) = password.view() else { unreachable!() };
/// assert!(marked.marks().contains(&Mark::SENSITIVE));
/// assert_eq!(marked.value(), Value::from("hunter2"));
/// ```
#[derive(Clone, Copy)]
pub struct MarkedView<'a>(&'a Value);

impl<'a> MarkedView<'a> {
    /// The value without the marks at its top. O(1).
    ///
    /// [Example](MarkedView)
    pub fn value(&self) -> Value {
        self.0.clone().unmark().0
    }

    /// The marks at its top.
    ///
    /// [Example](MarkedView)
    pub fn marks(&self) -> &'a Marks {
        self.0.marks()
    }
}

/// A list, wholly known or not.
///
/// ```
/// use plantime::{Type, Value, View};
///
/// let zones = Value::list([Value::from("a"), Value::unknown(Type::String)])?;
/// let View::List(view) = zones.view() else { unreachable!() };
/// assert_eq!((view.len(), view.element_type()), (2, &Type::String));
/// assert_eq!(view.get(0), Some(&Value::from("a")));
/// assert_eq!(view.iter().filter(|zone| zone.is_known()).count(), 1);
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct ListView<'a>(&'a ListNode);

impl<'a> ListView<'a> {
    /// The type that all elements have.
    ///
    /// [Example](ListView)
    pub fn element_type(&self) -> &'a Type {
        self.0.ty.element()
    }

    /// How many elements there are.
    ///
    /// [Example](ListView)
    pub fn len(&self) -> usize {
        self.0.items.len()
    }

    /// Whether there is none.
    ///
    /// [Example](ListView)
    pub fn is_empty(&self) -> bool {
        self.0.items.is_empty()
    }

    /// The element at an index, counted from 0; `None` beyond the end.
    ///
    /// [Example](ListView)
    pub fn get(&self, index: usize) -> Option<&'a Value> {
        self.0.items.get(index)
    }

    /// The elements in order.
    ///
    /// [Example](ListView)
    pub fn iter(&self) -> std::slice::Iter<'a, Value> {
        self.0.items.iter()
    }

    /// The elements in order, as a slice.
    ///
    /// [Example](ListView)
    pub fn as_slice(&self) -> &'a [Value] {
        &self.0.items
    }
}

/// A tuple, wholly known or not.
///
/// ```
/// use plantime::{Type, Value, View, value};
///
/// let pair = value!(["web", 443])?;
/// let View::Tuple(view) = pair.view() else { unreachable!() };
/// assert_eq!(view.ty().elements(), [Type::String, Type::Number]);
/// assert_eq!(view.get(1), Some(&Value::from(443)));
/// assert_eq!(view.iter().len(), view.len());
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct TupleView<'a>(&'a TupleNode);

impl<'a> TupleView<'a> {
    /// The type of the tuple.
    ///
    /// [Example](TupleView)
    pub fn ty(&self) -> &'a TupleType {
        &self.0.ty
    }

    /// How many elements there are.
    ///
    /// [Example](TupleView)
    pub fn len(&self) -> usize {
        self.0.items.len()
    }

    /// Whether there is none.
    ///
    /// [Example](TupleView)
    pub fn is_empty(&self) -> bool {
        self.0.items.is_empty()
    }

    /// The element at an index, counted from 0; `None` beyond the end.
    ///
    /// [Example](TupleView)
    pub fn get(&self, index: usize) -> Option<&'a Value> {
        self.0.items.get(index)
    }

    /// The elements in order.
    ///
    /// [Example](TupleView)
    pub fn iter(&self) -> std::slice::Iter<'a, Value> {
        self.0.items.iter()
    }

    /// The elements in order, as a slice.
    ///
    /// [Example](TupleView)
    pub fn as_slice(&self) -> &'a [Value] {
        &self.0.items
    }
}

/// A map, wholly known or not. Keys are always known.
///
/// ```
/// use plantime::{Type, Value, View};
///
/// let tags = Value::map([("Name", Value::from("web")), ("Id", Value::unknown(Type::String))])?;
/// let View::Map(view) = tags.view() else { unreachable!() };
/// assert_eq!(view.get("Name"), Some(&Value::from("web")));
/// assert_eq!(view.iter().map(|(key, _)| key).collect::<Vec<_>>(), ["Id", "Name"]);
/// assert_eq!((view.len(), view.element_type()), (2, &Type::String));
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct MapView<'a>(&'a MapNode);

impl<'a> MapView<'a> {
    /// The type that all elements have.
    ///
    /// [Example](MapView)
    pub fn element_type(&self) -> &'a Type {
        self.0.ty.element()
    }

    /// How many entries there are.
    ///
    /// [Example](MapView)
    pub fn len(&self) -> usize {
        self.0.entries.len()
    }

    /// Whether there is none.
    ///
    /// [Example](MapView)
    pub fn is_empty(&self) -> bool {
        self.0.entries.is_empty()
    }

    /// The element at a key; `None` if the map does not have the key.
    ///
    /// [Example](MapView)
    pub fn get(&self, key: &str) -> Option<&'a Value> {
        let key = crate::text::nfc(key);
        let place = self.0.entries.binary_search_by(|(name, _)| name.as_str().cmp(&key)).ok()?;
        self.0.entries.get(place).map(|(_, value)| value)
    }

    /// The entries, sorted by key.
    ///
    /// [Example](MapView)
    pub fn iter(&self) -> Entries<'a> {
        Entries(self.0.entries.iter())
    }

    /// The entries, sorted by key, as a slice.
    pub(crate) fn as_slice(&self) -> &'a [(Text, Value)] {
        &self.0.entries
    }
}

/// An object, wholly known or not.
///
/// ```
/// use plantime::{Type, Value, View, value};
///
/// let listener = value!({ "port": 443, "host": "web" })?;
/// let View::Object(view) = listener.view() else { unreachable!() };
/// assert_eq!(view.get("port"), Some(&Value::from(443)));
/// assert_eq!(view.iter().map(|(name, _)| name).collect::<Vec<_>>(), ["host", "port"]);
/// assert_eq!(view.ty().get("port"), Some(&Type::Number));
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct ObjectView<'a>(&'a ObjectNode);

impl<'a> ObjectView<'a> {
    /// The type of the object.
    ///
    /// [Example](ObjectView)
    pub fn ty(&self) -> &'a ObjectType {
        &self.0.ty
    }

    /// How many attributes there are.
    ///
    /// [Example](ObjectView)
    pub fn len(&self) -> usize {
        self.0.slots.len()
    }

    /// Whether there is none.
    ///
    /// [Example](ObjectView)
    pub fn is_empty(&self) -> bool {
        self.0.slots.is_empty()
    }

    /// The value of the attribute with this name; `None` if the object has no such attribute.
    ///
    /// [Example](ObjectView)
    pub fn get(&self, name: &str) -> Option<&'a Value> {
        self.0.slots.get(self.0.ty.index_of(name)?)
    }

    /// The attributes, sorted by name.
    ///
    /// [Example](ObjectView)
    pub fn iter(&self) -> Attributes<'a> {
        Attributes { ty: &self.0.ty, slots: self.0.slots.iter().enumerate() }
    }
}

/// A set, wholly known or not.
///
/// Members that are not wholly known may turn out equal to others, so that the set has between
/// [`length().lower()`](LengthRange::lower) and [`length().upper()`](LengthRange::upper) members in the end.
///
/// ```
/// use plantime::{Type, Value, View};
///
/// let zones = Value::set([Value::from("b"), Value::from("a"), Value::unknown(Type::String)])?;
/// let View::Set(view) = zones.view() else { unreachable!() };
/// assert_eq!(view.known(), [Value::from("a"), Value::from("b")]);
/// assert_eq!(view.not_wholly_known(), [Value::unknown(Type::String)]);
/// // The unknown member may turn out to be "a" or "b".
/// assert_eq!((view.length().lower(), view.length().upper()), (2, Some(3)));
/// assert!(view.contains_known(&Value::from("a")));
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct SetView<'a>(&'a SetNode);

impl<'a> SetView<'a> {
    /// The type that all elements have.
    ///
    /// [Example](SetView)
    pub fn element_type(&self) -> &'a Type {
        self.0.element_type()
    }

    /// The private content of the set: its members and the facts about them.
    pub(crate) fn node(&self) -> &'a SetNode {
        self.0
    }

    /// The range of the number of members that the set has in the end.
    ///
    /// [Example](SetView)
    pub fn length(&self) -> LengthRange {
        let (min, max) = self.0.length;
        LengthRange::new(min, Some(max)).unwrap_or_default()
    }

    /// The number of members now, wholly known or not; some may turn out equal.
    ///
    /// [Example](SetView)
    pub fn member_count(&self) -> usize {
        self.0.member_count()
    }

    /// The wholly known members, in the total order of values.
    ///
    /// [Example](SetView)
    pub fn known(&self) -> &'a [Value] {
        &self.0.known
    }

    /// The members that are not wholly known. Each may turn out equal to another one or to a known member.
    ///
    /// [Example](SetView)
    pub fn not_wholly_known(&self) -> &'a [Value] {
        &self.0.not_wholly_known
    }

    /// Whether a wholly known value is certainly a member. Marks of the value do not matter.
    ///
    /// [Example](SetView)
    pub fn contains_known(&self, value: &Value) -> bool {
        super::set::contains_known(self.0, value)
    }

    /// The members in iteration order, the same as in cty: numbers by value, strings by bytes, false before true; then
    /// unknown members, then null. Compound members are ordered by the text from which cty computes their hash.
    ///
    /// [Example](SetView)
    pub fn iter(&self) -> Members<'a> {
        Members(super::set::iteration::iter(self.0))
    }
}

macro_rules! debug_as_content {
    ($($view:ident: $container:ident),*) => {$(
        impl fmt::Debug for $view<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                super::debug::$container(f, self, false)
            }
        }
    )*};
}

debug_as_content!(ListView: list, TupleView: tuple, MapView: map, ObjectView: object, SetView: set);

impl fmt::Debug for MarkedView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.0, f)
    }
}

impl fmt::Debug for View<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            View::Marked(view) => fmt::Debug::fmt(view, f),
            View::Dynamic => f.write_str("Dynamic"),
            View::Unknown(range) => write!(f, "Unknown({range:?})"),
            View::Null(ty) => write!(f, "Null({ty})"),
            View::Bool(truth) => write!(f, "Bool({truth})"),
            View::Number(number) => write!(f, "Number({number})"),
            View::String(text) => write!(f, "String({text:?})"),
            View::Capsule(view) => fmt::Debug::fmt(view, f),
            View::List(view) => fmt::Debug::fmt(view, f),
            View::Set(view) => fmt::Debug::fmt(view, f),
            View::Map(view) => fmt::Debug::fmt(view, f),
            View::Tuple(view) => fmt::Debug::fmt(view, f),
            View::Object(view) => fmt::Debug::fmt(view, f),
        }
    }
}

impl Value {
    /// The bool, if the value is a known bool without marks.
    ///
    /// ```
    /// use plantime::{Type, Value};
    ///
    /// assert!(Value::from(1).less_than(&Value::from(2))?.as_bool()?);
    /// assert!(Value::unknown(Type::Bool).as_bool().unwrap_err().is_unknown());
    /// assert!(Value::null(Type::Bool).as_bool().unwrap_err().is_null());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the value is marked, of another type, unknown or null, in this order: see the questions of
    /// [`Error`].
    pub fn as_bool(&self) -> Result<bool> {
        match self {
            Value::Known(Known(KnownRepr::Bool(truth))) => Ok(*truth),
            _ => Err(self.not_readable_as(&Type::Bool)),
        }
    }

    /// The number, if the value is a known number without marks.
    ///
    /// ```
    /// use plantime::Value;
    ///
    /// assert_eq!(Value::from(8080).as_number()?.to_u64(), Some(8080));
    /// let error = Value::from("8080").as_number().unwrap_err();
    /// assert_eq!(error.to_string(), "number required, but have string");
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`as_bool`](Value::as_bool).
    pub fn as_number(&self) -> Result<&Number> {
        match self {
            Value::Known(Known(KnownRepr::Number(number))) => Ok(number),
            _ => Err(self.not_readable_as(&Type::Number)),
        }
    }

    /// The string, if the value is a known string without marks.
    ///
    /// ```
    /// use plantime::{Mark, Value};
    ///
    /// let name = Value::from("web");
    /// assert_eq!(name.as_str()?, "web");
    /// assert!(name.mark(Mark::SENSITIVE).as_str().unwrap_err().is_marked());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`as_bool`](Value::as_bool).
    pub fn as_str(&self) -> Result<&str> {
        match self {
            Value::Known(Known(KnownRepr::String(text))) => Ok(text.as_str()),
            _ => Err(self.not_readable_as(&Type::String)),
        }
    }

    /// Why the value cannot be read as the wanted type: it is marked, of another type, unknown or null.
    #[cold]
    pub(super) fn not_readable_as(&self, wanted: &Type) -> Error {
        let ty = self.ty();
        if self.is_marked() {
            Error::new(Kind::Marked, format!("the value is marked ({}): unmark it first", self.marks()))
        } else if ty != *wanted && ty != Type::Dynamic {
            Error::mismatch(wanted, &ty)
        } else if self.is_null() {
            Error::new(Kind::Null, format!("{} required, but have null", wanted.friendly_name()))
        } else {
            Error::new(Kind::Unknown, format!("{} required, but it is not known yet", wanted.friendly_name()))
        }
    }
}
