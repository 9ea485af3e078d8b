//! Compares both sides of a value, part by part.
//!
//! | file | compares |
//! |---|---|
//! | this one | a value: by its kinds on both sides, its marks, whether it is known |
//! | `block` | blocks, by their schema |
//! | `elements` | lists, tuples and sets |
//! | `entries` | maps and objects |
//! | `json_text` | strings that are JSON |
//! | `identity` | whether elements are the same |

mod block;
mod elements;
mod entries;
mod identity;
mod json_text;

pub(super) use block::{Undeclared, compare_block};

use crate::schema::{Attribute, AttributeType, NestedType, Nesting};
use crate::types::Type;
use crate::value::{Value, View};

use super::change_node::{Act, ChangeNode, Shape};
use super::places::Places;
use crate::plan::knowledge::side_marks::is_marked_by_other_side;

/// What is declared of a value, which decides how its containers are compared.
#[derive(Clone, Copy, Debug)]
pub(super) enum Declared<'s> {
    /// Nothing: arrays are lists, and objects may have attributes that are null. So it is of outputs and of attributes of
    /// dynamic type.
    Nothing,
    /// The type. A null attribute is one that is not set.
    Type(&'s Type),
    /// Nested attributes: a collection of objects.
    Nested(&'s NestedType),
    /// One object of nested attributes.
    NestedObject(&'s NestedType),
}

impl<'s> Declared<'s> {
    /// What the schema of an attribute declares.
    pub(super) fn of_attribute(attribute: &'s Attribute) -> Declared<'s> {
        match &attribute.ty {
            AttributeType::Plain(ty) => Declared::Type(ty),
            AttributeType::Nested(nested) => match nested.nesting {
                Nesting::Single | Nesting::Group => Declared::NestedObject(nested),
                _ => Declared::Nested(nested),
            },
        }
    }

    /// What is declared of the element at an index; of a map's elements, of any index.
    fn element(self, index: usize) -> Declared<'s> {
        let typed = |ty: Option<&'s Type>| ty.map_or(Declared::Nothing, Declared::Type);
        match self {
            Declared::Type(Type::Tuple(tuple)) => typed(tuple.elements().get(index)),
            Declared::Type(ty) => typed(ty.element_type()),
            Declared::Nested(nested) => Declared::NestedObject(nested),
            Declared::Nothing | Declared::NestedObject(_) => Declared::Nothing,
        }
    }

    /// What is declared of the attribute of an object.
    fn attribute(self, name: &str) -> Declared<'s> {
        match self {
            Declared::Type(Type::Object(object)) => {
                object.get(name).map_or(Declared::Nothing, Declared::Type)
            }
            Declared::NestedObject(nested) => {
                nested.attributes.get(name).map_or(Declared::Nothing, Declared::of_attribute)
            }
            _ => Declared::Nothing,
        }
    }

    /// Whether the schema says that no plan or state holds the attribute of an object.
    fn is_write_only(self, name: &str) -> bool {
        match self {
            Declared::NestedObject(nested) => {
                nested.attributes.get(name).is_some_and(|attribute| attribute.write_only)
            }
            _ => false,
        }
    }
}

/// How values are compared, the same for a whole plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner {
    /// Lists of the same length are compared by position.
    pub(super) by_position: bool,
    /// Nothing that is behind a mark decides anything but whether the value changes.
    pub(super) is_discreet: bool,
    /// Values are drawn of which neither the plan nor a schema says whether they are sensitive.
    pub(super) shows_unstated: bool,
}

/// Both sides of a value, and what is said of places in it.
#[derive(Clone)]
pub(super) struct Sides<'v, 'p> {
    /// The value before; `None` if there is none.
    pub(super) before: Option<&'v Value>,
    /// The planned value; `None` if there will be none.
    pub(super) after: Option<&'v Value>,
    /// The places that force a replacement.
    pub(super) forcing: Places<'p>,
    /// The places whose change matters: others are drawn as unchanged.
    pub(super) relevant: Places<'p>,
}

impl<'v, 'p> Sides<'v, 'p> {
    /// The same on both sides.
    fn unchanged(self) -> Sides<'v, 'p> {
        Sides { before: self.after, relevant: Places::all(), ..self }
    }

    /// The part with a name on both sides.
    fn below_name(&self, name: &str, before: Option<&'v Value>, after: Option<&'v Value>) -> Sides<'v, 'p> {
        let relevant = self.relevant.below_name(name).with_parts();
        let sides = Sides { before, after, forcing: self.forcing.below_name(name), relevant };
        if sides.relevant.touches() { sides } else { sides.unchanged() }
    }

    /// The element at an index on both sides.
    fn below_index(
        &self,
        index: usize,
        before: Option<&'v Value>,
        after: Option<&'v Value>,
    ) -> Sides<'v, 'p> {
        let relevant = self.relevant.below_index(index).with_parts();
        let sides = Sides { before, after, forcing: self.forcing.below_index(index), relevant };
        if sides.relevant.touches() { sides } else { sides.unchanged() }
    }

    /// The sides without nulls: where a null is an attribute that is not set.
    fn without_nulls(mut self, manner: Manner) -> Sides<'v, 'p> {
        let is_set = |side: &&Value| !(side.is_null() && (!manner.is_discreet || !side.is_marked()));
        self.before = self.before.filter(is_set);
        self.after = self.after.filter(is_set);
        self
    }
}

/// The kinds of values that are compared part by part.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Null,
    Scalar,
    Sequence,
    Set,
    Map,
    Object,
}

/// The kind of a known value.
fn kind(value: &Value, declared: Declared<'_>) -> Kind {
    let is_open = matches!(declared, Declared::Nothing);
    let nesting = match declared {
        Declared::Nested(nested) => Some(nested.nesting),
        _ => None,
    };
    match crate::value::view_below_marks(value) {
        View::Null(_) => Kind::Null,
        // Where the type of an attribute inside is dynamic, the collection is a tuple or an object.
        View::Tuple(_) if nesting == Some(Nesting::Set) => Kind::Set,
        View::Object(_) if nesting == Some(Nesting::Map) => Kind::Map,
        View::Set(_) if !is_open => Kind::Set,
        View::List(_) | View::Tuple(_) | View::Set(_) => Kind::Sequence,
        View::Map(_) if !is_open => Kind::Map,
        View::Map(_) | View::Object(_) => Kind::Object,
        _ => Kind::Scalar,
    }
}

/// What happens to a container by its presence alone: neither absent nor null.
fn presence(sides: &Sides<'_, '_>) -> Act {
    let is_there =
        |side: Option<&Value>| side.is_some_and(|value| kind(value, Declared::Nothing) != Kind::Null);
    Act::of_presence(is_there(sides.before), is_there(sides.after))
}

/// Whether a value is unknown as a whole.
pub(super) fn is_unknown(value: &Value) -> bool {
    matches!(crate::value::view_below_marks(value), View::Unknown(_) | View::Dynamic)
}

/// The change of a value.
pub(super) fn compare(sides: &Sides<'_, '_>, declared: Declared<'_>, manner: Manner) -> ChangeNode {
    let mut node = compare_content(sides, declared, manner);
    // Terraform does not say it of values of dynamic type.
    let is_open = matches!(declared, Declared::Nothing | Declared::Type(Type::Dynamic));
    node.forces_replacement = !is_open && sides.forcing.is_here();
    node
}

fn compare_content(sides: &Sides<'_, '_>, declared: Declared<'_>, manner: Manner) -> ChangeNode {
    let is_marked = |side: Option<&Value>| side.is_some_and(Value::is_marked);
    if is_marked(sides.before) || is_marked(sides.after) {
        let is_own = |side: Option<&Value>| is_marked(side) && !side.is_some_and(is_marked_by_other_side);
        return sensitive(sides, is_own(sides.before), is_own(sides.after));
    }
    let declared = match declared {
        Declared::Type(Type::Dynamic) => Declared::Nothing,
        declared => declared,
    };
    if let Some(after) = sides.after.filter(|after| is_unknown(after)) {
        let before = sides.before.map(|before| Box::new(deletion(before, declared, manner)));
        let act = if before.is_some() { Act::Update } else { Act::Create };
        return ChangeNode::new(act, Shape::Unknown { before, after: after.clone() });
    }
    let kinds = (
        sides.before.map(|before| kind(before, declared)).filter(|kind| *kind != Kind::Null),
        sides.after.map(|after| kind(after, declared)).filter(|kind| *kind != Kind::Null),
    );
    match kinds {
        (Some(before), Some(after)) if before != after => {
            let sides_of = |before, after| Sides { before, after, ..sides.clone() };
            let becomes = (
                compare(&sides_of(sides.before, None), declared, manner),
                compare(&sides_of(None, sides.after), declared, manner),
            );
            ChangeNode::new(Act::Update, Shape::Becomes(Box::new(becomes)))
        }
        (Some(Kind::Sequence), _) | (_, Some(Kind::Sequence)) => {
            elements::compare_sequences(sides, declared, manner)
        }
        (Some(Kind::Set), _) | (_, Some(Kind::Set)) => elements::compare_sets(sides, declared, manner),
        (Some(Kind::Map), _) | (_, Some(Kind::Map)) => entries::compare_maps(sides, declared, manner),
        (Some(Kind::Object), _) | (_, Some(Kind::Object)) => {
            entries::compare_objects(sides, declared, manner)
        }
        _ => json_text::compare_json(sides, manner).unwrap_or_else(|| scalar(sides)),
    }
}

/// The change of a string, number or bool.
fn scalar(sides: &Sides<'_, '_>) -> ChangeNode {
    let act = match (sides.before, sides.after) {
        (Some(before), Some(after)) if identity::is_same_content(before, after) => Act::Same,
        (Some(_), Some(_)) => Act::Update,
        (before, after) => Act::of_presence(before.is_some(), after.is_some()),
    };
    ChangeNode::new(act, Shape::Scalar { before: sides.before.cloned(), after: sides.after.cloned() })
}

/// The change of a value that is marked on one side or both.
fn sensitive(sides: &Sides<'_, '_>, was_sensitive: bool, is_sensitive: bool) -> ChangeNode {
    let content = match (sides.before, sides.after) {
        (Some(before), Some(after)) if identity::is_same_content(before, after) => Act::Same,
        (Some(_), Some(_)) => Act::Update,
        (before, after) => Act::of_presence(before.is_some(), after.is_some()),
    };
    let act = if content == Act::Same && was_sensitive != is_sensitive { Act::Update } else { content };
    ChangeNode::new(act, Shape::Sensitive { was_sensitive, is_sensitive, content })
}

/// The change of a value that goes.
fn deletion(before: &Value, declared: Declared<'_>, manner: Manner) -> ChangeNode {
    let sides =
        Sides { before: Some(before), after: None, forcing: Places::default(), relevant: Places::all() };
    compare(&sides, declared, manner)
}
