//! The private representation of the five levels. The constructors keep its invariants.

use std::sync::Arc;

use crate::capsule::Content;
use crate::mark::{Marks, NO_MARKS};
use crate::number::Number;
use crate::refinement::Refinement;
use crate::text::Text;
use crate::types::{ListType, MapType, ObjectType, SetType, TupleType, Type};

use super::{Known, Value};

/// An unknown of known type, which is never `Type::Dynamic`.
#[derive(Clone)]
pub(crate) enum UnknownRepr {
    Plain(Type),
    Marked(Arc<(Type, Marks)>),
}

/// An unknown with a refinement in canonical form: it restricts the outcomes, but leaves more than one.
pub(crate) struct RefinedNode {
    pub(crate) ty: Type,
    pub(crate) refinement: Refinement,
    pub(crate) marks: Marks,
}

/// A container that is not wholly known.
#[derive(Clone)]
pub(crate) enum PartialRepr {
    Bare(Container),
    Marked(Arc<(Container, Marks)>),
}

/// A wholly known value.
#[derive(Clone)]
pub(crate) enum KnownRepr {
    Null(Type),
    Bool(bool),
    Number(Number),
    String(Text),
    Capsule(Content),
    Container(Container),
    /// The value inside is not marked at its top.
    Marked(Arc<(KnownRepr, Marks)>),
}

/// The five containers, the same for level 4 and level 5.
#[derive(Clone)]
pub(crate) enum Container {
    List(Arc<ListNode>),
    Set(Arc<SetNode>),
    Map(Arc<MapNode>),
    Tuple(Arc<TupleNode>),
    Object(Arc<ObjectNode>),
}

/// Facts about everything inside a container, stored in it so that questions about all depths take O(1).
#[derive(Clone, Copy)]
pub(crate) struct Inside {
    /// The number of values, counting the container itself and everything inside it.
    pub(crate) size: u32,
    /// Whether any value inside carries a mark.
    pub(crate) marks: bool,
    /// Whether all values inside are wholly known.
    pub(crate) known: bool,
}

impl Inside {
    /// The facts about a container of these children.
    pub(crate) fn of<'a>(children: impl Iterator<Item = &'a Value>) -> Inside {
        let mut inside = Inside { size: 1, marks: false, known: true };
        for child in children {
            inside.add(child);
        }
        inside
    }

    /// Adds the facts about one more child.
    #[inline]
    pub(crate) fn add(&mut self, child: &Value) {
        match child.container() {
            Some(container) => {
                let below = container.inside();
                self.size = self.size.saturating_add(below.size);
                self.marks |= below.marks || child.is_marked();
            }
            None => {
                self.size = self.size.saturating_add(1);
                self.marks |= child.is_marked();
            }
        }
        self.known &= child.is_wholly_known();
    }
}

/// The shared content of a list: its type, its elements and the facts about them.
pub(crate) struct ListNode {
    pub(crate) ty: ListType,
    pub(crate) items: Box<[Value]>,
    pub(crate) inside: Inside,
}

/// The shared content of a set. Its members carry no marks: building the set moves them to the set itself.
pub(crate) struct SetNode {
    pub(crate) ty: SetType,
    /// The wholly known members, in the total order, without duplicates.
    pub(crate) known: Box<[Value]>,
    /// The members that are not wholly known, in the total order. Two that look the same may become different values,
    /// so duplicates stay.
    pub(crate) not_wholly_known: Box<[Value]>,
    pub(crate) inside: Inside,
    /// The minimum and maximum number of members of the set in the end.
    pub(crate) length: (u64, u64),
    /// The iteration order, if it is not `known` without null, then `not_wholly_known`, then null: indexes into `known`
    /// followed by `not_wholly_known`.
    pub(crate) order: Option<Box<[u32]>>,
}

/// The shared content of a map: its type, its entries and the facts about them.
pub(crate) struct MapNode {
    pub(crate) ty: MapType,
    /// Sorted by key.
    pub(crate) entries: Box<[(Text, Value)]>,
    pub(crate) inside: Inside,
}

/// The shared content of a tuple: its type, its elements and the facts about them.
pub(crate) struct TupleNode {
    pub(crate) ty: TupleType,
    pub(crate) items: Box<[Value]>,
    pub(crate) inside: Inside,
}

/// The shared content of an object: its type, its attribute values and the facts about them.
pub(crate) struct ObjectNode {
    pub(crate) ty: ObjectType,
    /// One value for each attribute, in the order of the type.
    pub(crate) slots: Box<[Value]>,
    pub(crate) inside: Inside,
}

impl UnknownRepr {
    /// The type of the unknown.
    pub(crate) fn ty(&self) -> &Type {
        match self {
            UnknownRepr::Plain(ty) => ty,
            UnknownRepr::Marked(node) => &node.0,
        }
    }

    /// The marks at the top of the value; empty if it has none.
    pub(crate) fn marks(&self) -> &Marks {
        match self {
            UnknownRepr::Plain(_) => &NO_MARKS,
            UnknownRepr::Marked(node) => &node.1,
        }
    }
}

impl PartialRepr {
    /// The container without the marks at its top.
    pub(crate) fn container(&self) -> &Container {
        match self {
            PartialRepr::Bare(container) => container,
            PartialRepr::Marked(node) => &node.0,
        }
    }

    /// The type of the value.
    pub(crate) fn ty(&self) -> Type {
        self.container().ty()
    }

    /// The marks at the top of the value; empty if it has none.
    pub(crate) fn marks(&self) -> &Marks {
        match self {
            PartialRepr::Bare(_) => &NO_MARKS,
            PartialRepr::Marked(node) => &node.1,
        }
    }

    /// Whether the value or anything inside it carries a mark.
    pub(crate) fn contains_marks(&self) -> bool {
        match self {
            PartialRepr::Bare(container) => container.marks_inside(),
            PartialRepr::Marked(_) => true,
        }
    }
}

impl KnownRepr {
    /// The value without its marks.
    pub(crate) fn bare(&self) -> &KnownRepr {
        match self {
            KnownRepr::Marked(node) => &node.0,
            bare => bare,
        }
    }

    /// Whether the value is null.
    pub(crate) fn is_null(&self) -> bool {
        matches!(self.bare(), KnownRepr::Null(_))
    }

    /// The type of the value.
    pub(crate) fn ty(&self) -> Type {
        match self.bare() {
            KnownRepr::Null(ty) => ty.clone(),
            KnownRepr::Bool(_) => Type::Bool,
            KnownRepr::Number(_) => Type::Number,
            KnownRepr::String(_) => Type::String,
            KnownRepr::Capsule(content) => Type::Capsule(content.ty()),
            KnownRepr::Container(container) => container.ty(),
            // Never reached: `bare` has removed the only wrapper.
            KnownRepr::Marked(_) => Type::Dynamic,
        }
    }

    /// The marks at the top of the value; empty if it has none.
    pub(crate) fn marks(&self) -> &Marks {
        match self {
            KnownRepr::Marked(node) => &node.1,
            _ => &NO_MARKS,
        }
    }

    /// Whether the value or anything inside it carries a mark.
    pub(crate) fn contains_marks(&self) -> bool {
        match self {
            KnownRepr::Marked(_) => true,
            KnownRepr::Container(container) => container.marks_inside(),
            _ => false,
        }
    }
}

impl Container {
    /// The type of the container.
    pub(crate) fn ty(&self) -> Type {
        match self {
            Container::List(node) => Type::List(node.ty.clone()),
            Container::Set(node) => Type::Set(node.ty.clone()),
            Container::Map(node) => Type::Map(node.ty.clone()),
            Container::Tuple(node) => Type::Tuple(node.ty.clone()),
            Container::Object(node) => Type::Object(node.ty.clone()),
        }
    }

    /// Whether a value inside the container carries a mark.
    pub(crate) fn marks_inside(&self) -> bool {
        self.inside().marks
    }

    /// The facts about everything inside the container.
    pub(crate) fn inside(&self) -> Inside {
        match self {
            Container::List(node) => node.inside,
            Container::Set(node) => node.inside,
            Container::Map(node) => node.inside,
            Container::Tuple(node) => node.inside,
            Container::Object(node) => node.inside,
        }
    }

    /// Whether each child's type means the same inside and outside the container: false only for a collection whose
    /// element type contains `dynamic`.
    pub(crate) fn is_of_decided_parts(&self) -> bool {
        match self {
            Container::List(node) => !node.ty.element().has_dynamic(),
            Container::Set(node) => !node.ty.element().has_dynamic(),
            Container::Map(node) => !node.ty.element().has_dynamic(),
            Container::Tuple(_) | Container::Object(_) => true,
        }
    }

    /// The number of children.
    pub(crate) fn child_count(&self) -> usize {
        match self {
            Container::List(node) => node.items.len(),
            Container::Set(node) => node.member_count(),
            Container::Map(node) => node.entries.len(),
            Container::Tuple(node) => node.items.len(),
            Container::Object(node) => node.slots.len(),
        }
    }

    /// Whether both containers are the same allocation in memory.
    pub(crate) fn same(&self, other: &Container) -> bool {
        match (self, other) {
            (Container::List(a), Container::List(b)) => Arc::ptr_eq(a, b),
            (Container::Set(a), Container::Set(b)) => Arc::ptr_eq(a, b),
            (Container::Map(a), Container::Map(b)) => Arc::ptr_eq(a, b),
            (Container::Tuple(a), Container::Tuple(b)) => Arc::ptr_eq(a, b),
            (Container::Object(a), Container::Object(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

impl SetNode {
    /// The type of the members.
    pub(crate) fn element_type(&self) -> &Type {
        self.ty.element()
    }

    /// The number of members, some of which may turn out equal.
    pub(crate) fn member_count(&self) -> usize {
        self.known.len().saturating_add(self.not_wholly_known.len())
    }
}

impl Value {
    /// The number of values in it, counting itself and everything inside. O(1).
    pub(crate) fn size(&self) -> u32 {
        self.container().map_or(1, |container| container.inside().size)
    }

    /// The representation of a wholly known value of any kind, without the marks at its top; `None` for other values.
    pub(crate) fn known_primitive(&self) -> Option<&KnownRepr> {
        match self {
            Value::Known(known) => Some(known.0.bare()),
            _ => None,
        }
    }

    /// The number, marked or not; `None` for other values.
    pub(crate) fn number(&self) -> Option<&Number> {
        match self {
            Value::Known(Known(KnownRepr::Number(number))) => Some(number),
            Value::Known(known) => match known.0.bare() {
                KnownRepr::Number(number) => Some(number),
                _ => None,
            },
            _ => None,
        }
    }

    /// The container, marked or not, wholly known or not; `None` for other values.
    #[inline]
    pub(crate) fn container(&self) -> Option<&Container> {
        match self {
            Value::Partial(partial) => Some(partial.0.container()),
            Value::Known(known) => match known.0.bare() {
                KnownRepr::Container(container) => Some(container),
                _ => None,
            },
            _ => None,
        }
    }
}
