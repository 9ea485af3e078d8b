//! The value: five levels of known-ness, one variant each.

use std::sync::Arc;

use crate::error::Result;
use crate::mark::{Mark, Marks, NO_MARKS};
use crate::refinement::Refinement;
use crate::types::Type;

mod becomes;
mod build;
mod clone;
mod debug;
mod deep_marks;
mod display;
mod dynamic_elements;
pub(crate) mod equality;
mod from;
mod includes;
mod into;
pub(crate) mod join;
pub(crate) mod macros;
mod marks;
mod narrow;
mod order;
mod outcomes;
mod parts;
mod range;
mod refined;
pub(crate) mod repr;
mod same;
mod set;
mod share;
mod transform;
mod view;
mod walk;

pub use deep_marks::MarkChange;
pub use parts::{Elements, Parts};
pub use range::ValueRange;
pub use view::{
    Attributes, CapsuleView, Entries, ListView, MapView, MarkedView, Members, ObjectView, SetView, TupleView,
    View,
};

pub use build::object_node as build_object;
pub(crate) use build::tuple_of_items as build_tuple_node;
pub use build::{list_of_items as build_list, map_of_entries as build_map};
pub(crate) use build::{
    list_of_parts as build_list_of_parts, map_of_parts as build_map_of_parts, object_of_parts,
    tuple_of_parts as build_tuple,
};
pub(crate) use build::{list_of_typed, map_of_typed};
pub use includes::always_satisfies;
pub(crate) use join::{elements_of_all, join_to_prefixes, least_type};
pub use join::{join, refinement_of_outcomes};
pub(crate) use narrow::narrowed;
pub use narrow::needs_type;
pub(crate) use order::content as content_order;
pub use refined::canonical;
pub(crate) use repr::KnownRepr as KnownContent;
pub(crate) use repr::{Container, MapNode, ObjectNode, SetNode};
pub(crate) use set::algebra::{Operand as SetOperand, SetOperation, operate as operate_on_sets};
pub use set::build as build_set;
pub use set::finite::possible_sets;
pub(crate) use set::iteration::{is_certainly_before, iter as set_iter};
pub(crate) use set::membership;
pub use set::only_member;
pub(crate) use set::within_capacity;
pub(crate) use share::share_type;
pub(crate) use view::below_marks as view_below_marks;

use repr::{KnownRepr, PartialRepr, RefinedNode, UnknownRepr};

/// A value that may not be known yet. The variant *is* the level of known-ness.
///
/// | level | variant | what is known | example |
/// |---|---|---|---|
/// | 1 | [`Dynamic`](Value::Dynamic) | nothing, not even the type | an attribute whose type a server decides |
/// | 2 | [`Unknown`](Value::Unknown) | the type | an id, known after apply |
/// | 3 | [`Refined`](Value::Refined) | the type and a [`Refinement`] | a string that starts with `vpc-` |
/// | 4 | [`Partial`](Value::Partial) | the children of a container, not all of them wholly; or its element type is undecided | `["a", unknown]` |
/// | 5 | [`Known`](Value::Known) | everything; null is known too | `"vpc-0123"` |
///
/// `==`, `<` and hashing compare *representation*: two unknown strings are `==` although they may become different
/// strings. Whether two values *are* equal is answered by [`equals`](Value::equals), whose result is a value.
///
/// A value is 24 bytes, `Clone` is O(1), and it is `Send + Sync`. Read it through [`view`](Value::view).
///
/// ```
/// use plantime::{Knownness, Type, Value};
///
/// let id = Value::unknown(Type::String);
/// let list = Value::list([Value::from("a"), id.clone()])?;
/// assert_eq!(id.knownness(), Knownness::Unknown);
/// assert_eq!(list.knownness(), Knownness::Partial);
/// assert!(!list.is_wholly_known());
/// # Ok::<(), plantime::Error>(())
/// ```
pub enum Value {
    /// Unknown value of unknown type.
    Dynamic(Dynamic),
    /// Unknown value of a known type.
    Unknown(Unknown),
    /// Unknown value of a known type, with a refinement that excludes some values.
    Refined(Refined),
    /// Known container with a child that is not wholly known, or whose element type contains `dynamic`.
    Partial(Partial),
    /// Wholly known value, null included.
    Known(Known),
}

/// The payload of [`Value::Dynamic`]: its marks, if it has any.
#[derive(Clone)]
pub struct Dynamic(pub(crate) Option<Arc<Marks>>);

/// The payload of [`Value::Unknown`]: its type, and its marks if it has any.
#[derive(Clone)]
pub struct Unknown(pub(crate) UnknownRepr);

/// The payload of [`Value::Refined`]: its type, refinement and marks.
#[derive(Clone)]
pub struct Refined(pub(crate) Arc<RefinedNode>);

/// The payload of [`Value::Partial`]: its container, and its marks if it has any.
#[derive(Clone)]
pub struct Partial(pub(crate) PartialRepr);

/// The payload of [`Value::Known`]: its content, and its marks if it has any.
#[derive(Clone)]
pub struct Known(pub(crate) KnownRepr);

/// The five levels of known-ness, from least to most known.
///
/// | level | examples |
/// |---|---|
/// | `Dynamic` | an attribute whose type a server decides |
/// | `Unknown` | a string that is known after apply |
/// | `Refined` | a string that starts with `vpc-` |
/// | `Partial` | a list with an unknown element |
/// | `Known` | `"a"`, a null |
///
/// ```
/// use plantime::{Knownness, Type, Value, value};
///
/// let tags = value!({ "Name": "web", "Id": Value::unknown(Type::String) })?;
/// assert_eq!(tags.knownness(), Knownness::Partial);
/// assert!(tags.at("Id")?.knownness() < Knownness::Known);
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Knownness {
    /// [`Value::Dynamic`]
    Dynamic,
    /// [`Value::Unknown`]
    Unknown,
    /// [`Value::Refined`]
    Refined,
    /// [`Value::Partial`]
    Partial,
    /// [`Value::Known`]
    Known,
}

impl Value {
    /// The unknown value of unknown type.
    ///
    /// ```
    /// use plantime::{Type, Value};
    ///
    /// let answer = Value::dynamic();
    /// assert_eq!(answer.ty(), Type::Dynamic);
    /// assert!(!answer.is_known() && !answer.is_null());
    /// ```
    pub const fn dynamic() -> Value {
        Value::Dynamic(Dynamic(None))
    }

    /// An unknown value of a type. `Type::Dynamic` gives [`Value::dynamic`].
    ///
    /// ```
    /// use plantime::{Type, Value};
    ///
    /// let id = Value::unknown(Type::String);
    /// assert_eq!(id.to_string(), "(known after apply)");
    /// assert!(!id.equals(&Value::from("vpc-1"))?.is_known());
    /// assert_eq!(Value::unknown(Type::Dynamic), Value::dynamic());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn unknown(ty: Type) -> Value {
        match ty {
            Type::Dynamic => Value::dynamic(),
            ty => Value::Unknown(Unknown(UnknownRepr::Plain(ty))),
        }
    }

    /// An unknown value of a type with a refinement, in canonical form.
    ///
    /// | refinement | gives |
    /// |---|---|
    /// | says nothing | [`Value::unknown`] |
    /// | null, and no `dynamic` in the type | the null |
    /// | null, of type `dynamic` | a null whose type is not known; nothing else can be known of a value of unknown type |
    /// | not null, number in `[5, 5]` | the number 5 |
    /// | not null, list of length n (at most [`limits::COLLAPSE`](crate::limits::COLLAPSE)) | a list of n unknowns |
    /// | not null, set of length 1 | a set of one unknown |
    /// | not null, length 0, and no `dynamic` in the type | the empty collection |
    /// | not null, of type `object({})` or `tuple([])` | that value |
    /// | anything else | [`Value::Refined`] |
    ///
    /// ```
    /// use plantime::{Number, NumberRange, Refinement, Type, Value};
    ///
    /// let five = NumberRange::exactly(Number::from(5));
    /// assert_eq!(Value::refined(Type::Number, Refinement::number(five).and_not_null())?, Value::from(5));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`is_type_mismatch`](crate::Error::is_type_mismatch) when the refinement is of another kind than the
    /// type, [`needs_type`](crate::Error::needs_type) when it says something about a value of unknown type.
    pub fn refined(ty: Type, refinement: Refinement) -> Result<Value> {
        refined::refined(ty, refinement)
    }

    /// The null of a type. `Type::Dynamic` gives the untyped null.
    ///
    /// ```
    /// use plantime::{Type, Value};
    ///
    /// let missing = Value::null(Type::String);
    /// assert!(missing.is_null() && missing.is_wholly_known());
    /// // Null is a value: another null equals it.
    /// assert_eq!(missing.equals(&Value::null(Type::Number))?, Value::from(true));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub const fn null(ty: Type) -> Value {
        Value::Known(Known(KnownRepr::Null(ty)))
    }

    /// The level of known-ness.
    ///
    /// [Example](Knownness)
    pub const fn knownness(&self) -> Knownness {
        match self {
            Value::Dynamic(_) => Knownness::Dynamic,
            Value::Unknown(_) => Knownness::Unknown,
            Value::Refined(_) => Knownness::Refined,
            Value::Partial(_) => Knownness::Partial,
            Value::Known(_) => Knownness::Known,
        }
    }

    /// Whether the value itself is known; parts of it may be unknown.
    ///
    /// ```
    /// use plantime::{Type, Value};
    ///
    /// let cidrs = Value::list([Value::from("10.0.0.0/8"), Value::unknown(Type::String)])?;
    /// assert!(cidrs.is_known() && !cidrs.is_wholly_known());
    /// assert!(!cidrs.at(1)?.is_known());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub const fn is_known(&self) -> bool {
        matches!(self, Value::Partial(_) | Value::Known(_))
    }

    /// Whether nothing in the value is unknown. O(1).
    ///
    /// [Example](Value::is_known)
    pub const fn is_wholly_known(&self) -> bool {
        matches!(self, Value::Known(_))
    }

    /// Whether this is a (known) null, marked or not.
    ///
    /// An unknown that may turn out null is not null yet: [`range`](Value::range) says whether it can be.
    ///
    /// ```
    /// use plantime::{Mark, Nullness, Type, Value};
    ///
    /// assert!(Value::null(Type::String).mark(Mark::SENSITIVE).is_null());
    /// let id = Value::unknown(Type::String);
    /// assert!(!id.is_null());
    /// assert_eq!(id.range().nullness(), Nullness::Nullable);
    /// ```
    pub fn is_null(&self) -> bool {
        match self {
            Value::Known(known) => known.0.is_null(),
            _ => false,
        }
    }

    /// Whether the value is null in some outcome. Marks are ignored.
    ///
    /// ```
    /// use plantime::{Type, Value};
    ///
    /// let id = Value::unknown(Type::String);
    /// assert!(id.may_be_null() && Value::null(Type::String).may_be_null());
    /// assert!(!id.assume_not_null()?.may_be_null());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn may_be_null(&self) -> bool {
        equality::may_be_null(self)
    }

    /// Whether the value is null in every outcome: a known null, or an unknown refined to null. Marks are ignored.
    ///
    /// ```
    /// use plantime::{Refinement, Type, Value};
    ///
    /// let certain = Value::unknown(Type::Dynamic).assume(&Refinement::null())?;
    /// assert!(certain.is_certainly_null() && Value::null(Type::String).is_certainly_null());
    /// assert!(!Value::unknown(Type::String).is_certainly_null());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn is_certainly_null(&self) -> bool {
        equality::is_always_null(self)
    }

    /// The type. An unknown value of unknown type, and the untyped null, are of type dynamic.
    ///
    /// ```
    /// use plantime::{Type, Value, value};
    ///
    /// let port = value!({ "from": 80, "to": Value::unknown(Type::Number) })?;
    /// assert_eq!(port.ty().to_string(), "object({from = number, to = number})");
    /// assert_eq!(Value::null(Type::Dynamic).ty(), Type::Dynamic);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn ty(&self) -> Type {
        match self {
            Value::Dynamic(_) => Type::Dynamic,
            Value::Unknown(unknown) => unknown.0.ty().clone(),
            Value::Refined(refined) => refined.0.ty.clone(),
            Value::Partial(partial) => partial.0.ty(),
            Value::Known(known) => known.0.ty(),
        }
    }

    /// The range of the value, whatever its level: its type, and a refinement that holds for every outcome. Marks do
    /// not matter.
    ///
    /// ```
    /// use plantime::{Nullness, Value};
    ///
    /// let range = Value::from("vpc-0123").range();
    /// assert_eq!(range.nullness(), Nullness::NotNull);
    /// assert_eq!(range.prefix(), Some("vpc-0123"));
    /// ```
    pub fn range(&self) -> ValueRange {
        range::of(self)
    }

    /// The value in a form to match on, by kind: a list is [`View::List`] whether it is wholly or partly known.
    ///
    /// ```
    /// use plantime::{Value, View};
    ///
    /// let list = Value::list([Value::from(1), Value::unknown(plantime::Type::Number)])?;
    /// let View::List(elements) = list.view() else { unreachable!() };
    /// assert_eq!(elements.len(), 2);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn view(&self) -> View<'_> {
        view::of(self)
    }

    /// The [`view`](Value::view) of the value without the marks at its top: never [`View::Marked`]. What is read there must not
    /// reach an output without the marks.
    ///
    /// ```
    /// use plantime::{Mark, Value, View};
    ///
    /// let password = Value::from("hunter2").mark(Mark::SENSITIVE);
    /// assert!(matches!(password.view(), View::Marked(_)));
    /// assert!(matches!(password.view_below_marks(), View::String("hunter2")));
    /// ```
    pub fn view_below_marks(&self) -> View<'_> {
        view_below_marks(self)
    }

    /// Whether the value itself carries a mark.
    ///
    /// ```
    /// use plantime::{Mark, Value};
    ///
    /// let password = Value::from("hunter2").mark(Mark::SENSITIVE);
    /// let login = Value::object([("name", Value::from("root")), ("password", password)])?;
    /// assert!(login.at("password")?.is_marked());
    /// // The object itself carries no mark, but something inside it does.
    /// assert!(!login.is_marked() && login.contains_marks());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn is_marked(&self) -> bool {
        match self {
            Value::Dynamic(dynamic) => dynamic.0.is_some(),
            Value::Unknown(unknown) => matches!(unknown.0, UnknownRepr::Marked(_)),
            Value::Refined(refined) => !refined.0.marks.is_empty(),
            Value::Partial(partial) => matches!(partial.0, PartialRepr::Marked(_)),
            Value::Known(known) => matches!(known.0, KnownRepr::Marked(_)),
        }
    }

    /// The marks on the value itself. O(1).
    ///
    /// ```
    /// use plantime::{Mark, Value};
    ///
    /// let key = Value::from("k").mark(Mark::SENSITIVE).mark(Mark::EPHEMERAL);
    /// assert_eq!(key.marks().len(), 2);
    /// // Operations carry the marks of their operands.
    /// assert_eq!(key.equals(&Value::from("x"))?.marks(), key.marks());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn marks(&self) -> &Marks {
        match self {
            Value::Dynamic(dynamic) => dynamic.0.as_deref().unwrap_or(&NO_MARKS),
            Value::Unknown(unknown) => unknown.0.marks(),
            Value::Refined(refined) => &refined.0.marks,
            Value::Partial(partial) => partial.0.marks(),
            Value::Known(known) => known.0.marks(),
        }
    }

    /// Whether the value or anything inside it carries a mark. O(1).
    ///
    /// [Example](Value::is_marked)
    pub fn contains_marks(&self) -> bool {
        match self {
            Value::Partial(partial) => partial.0.contains_marks(),
            Value::Known(known) => known.0.contains_marks(),
            _ => self.is_marked(),
        }
    }

    /// The value with one more mark.
    ///
    /// ```
    /// use plantime::{Mark, Value};
    ///
    /// let password = Value::from("hunter2").mark(Mark::SENSITIVE);
    /// assert!(password.as_str().unwrap_err().is_marked());
    /// let (content, marks) = password.unmark();
    /// assert_eq!(content.as_str()?, "hunter2");
    /// assert!(marks.contains(&Mark::SENSITIVE));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    #[must_use]
    pub fn mark(self, mark: Mark) -> Value {
        self.with_marks(&Marks::from(mark))
    }
}

#[cfg(test)]
mod tests;
