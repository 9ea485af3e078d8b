//! A schema with its attributes and blocks in the order of the object type, computed once, so that a value and its schema are
//! walked together.

use crate::error::Result;
use crate::path::Step;
use crate::schema::{
    Attribute, AttributeType, Block, DeclaredMap, NestedBlock, NestedType, Nesting, nest_type,
};
use crate::types::{ObjectType, Type};
use crate::value::{Value, View, view_below_marks};

/// The attributes and nested block types of a block, or the nested attributes of an attribute.
pub(super) struct Layout<'s> {
    pub(super) ty: ObjectType,
    /// In the order of the attributes of the object type.
    entries: Vec<Entry<'s>>,
}

/// An attribute or a nested block type.
pub(super) enum Entry<'s> {
    /// An attribute; `nested` if it has nested attributes.
    Attribute { attribute: &'s Attribute, ty: Type, nested: Option<Nest<'s>> },
    /// A nested block type.
    Blocks(Nest<'s>),
}

/// The objects of a nested block type, or of an attribute with nested attributes.
pub(super) struct Nest<'s> {
    pub(super) nesting: Nesting,
    pub(super) is_block: bool,
    /// The type of all of them together: `dynamic` for a list or map of blocks with `dynamic` inside.
    ty: Type,
    /// One object.
    pub(super) item: Layout<'s>,
}

impl<'s> Layout<'s> {
    /// The layout of a block.
    pub(super) fn of(block: &'s Block) -> Result<Layout<'s>> {
        let blocks = block.block_types.iter().map(|(name, nested)| {
            let nest = Nest::of_block(nested).map_err(|error| error.under(Step::attr(name)))?;
            Ok((name.as_str(), Entry::Blocks(nest)))
        });
        Layout::new(attributes(&block.attributes).chain(blocks).collect::<Result<_>>()?)
    }

    fn new(parts: Vec<(&str, Entry<'s>)>) -> Result<Layout<'s>> {
        // No two names are equal, or there is no such type. So each position gets one entry.
        let ty = ObjectType::new(parts.iter().map(|(name, entry)| (name, entry.ty())))?;
        let mut placed: Vec<(Option<usize>, Entry<'s>)> =
            parts.into_iter().map(|(name, entry)| (ty.index_of(name), entry)).collect();
        placed.sort_by_key(|(place, _)| *place);
        Ok(Layout { entries: placed.into_iter().map(|(_, entry)| entry).collect(), ty })
    }

    /// The attributes and nested block types with their names, sorted by name.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&str, &Entry<'s>)> {
        self.ty.attribute_names().zip(&self.entries)
    }

    /// The type of the object.
    pub(super) fn object_type(&self) -> Type {
        Type::Object(self.ty.clone())
    }
}

/// An entry for each attribute.
fn attributes<'s>(
    attributes: &'s DeclaredMap<Attribute>,
) -> impl Iterator<Item = Result<(&'s str, Entry<'s>)>> {
    attributes.iter().map(|(name, attribute)| {
        let entry = Entry::of_attribute(attribute).map_err(|error| error.under(Step::attr(name)))?;
        Ok((name.as_str(), entry))
    })
}

impl<'s> Entry<'s> {
    fn of_attribute(attribute: &'s Attribute) -> Result<Entry<'s>> {
        Ok(match &attribute.ty {
            AttributeType::Plain(ty) => Entry::Attribute { attribute, ty: ty.clone(), nested: None },
            AttributeType::Nested(nested) => {
                let nest = Nest::of_attributes(nested)?;
                Entry::Attribute { attribute, ty: nest.ty.clone(), nested: Some(nest) }
            }
        })
    }

    /// The type of its value.
    pub(super) fn ty(&self) -> Type {
        match self {
            Entry::Attribute { ty, .. } => ty.clone(),
            Entry::Blocks(nest) => nest.ty.clone(),
        }
    }
}

impl<'s> Nest<'s> {
    fn of_block(nested: &'s NestedBlock) -> Result<Nest<'s>> {
        let item = Layout::of(&nested.block)?;
        let pattern = nest_type(nested.nesting, item.object_type())?;
        let undecided = matches!(nested.nesting, Nesting::List | Nesting::Map) && pattern.has_dynamic();
        let ty = if undecided { Type::Dynamic } else { pattern };
        Ok(Nest { nesting: nested.nesting, is_block: true, ty, item })
    }

    fn of_attributes(nested: &'s NestedType) -> Result<Nest<'s>> {
        let item = Layout::new(attributes(&nested.attributes).collect::<Result<_>>()?)?;
        let ty = nest_type(nested.nesting, item.object_type())?;
        Ok(Nest { nesting: nested.nesting, is_block: false, ty, item })
    }

    /// Whether there may be several objects.
    pub(super) fn is_collection(&self) -> bool {
        match self.nesting {
            Nesting::Single | Nesting::Group => false,
            Nesting::List | Nesting::Set | Nesting::Map => true,
        }
    }

    /// These objects as a value of the same kind as `like`, with their keys if it is a map or an object.
    pub(super) fn collect(&self, like: &Value, items: Vec<(Step, Value)>) -> Result<Value> {
        let object = || self.item.object_type();
        let keyed = |items: Vec<(Step, Value)>| {
            items.into_iter().map(|(step, value)| (key_of(&step).unwrap_or_default().to_owned(), value))
        };
        let values = |items: Vec<(Step, Value)>| items.into_iter().map(|(_, value)| value);
        match view_below_marks(like) {
            View::Map(_) => Value::map_of(object(), keyed(items)),
            View::Object(_) => Value::object(keyed(items)),
            View::Tuple(_) => Value::tuple(values(items)),
            View::Set(_) => Value::set_of(object(), values(items)),
            _ => Value::list_of(object(), values(items)),
        }
    }
}

/// The key of a map's element, or the name of an object's attribute.
pub(super) fn key_of(step: &Step) -> Option<&str> {
    match step {
        Step::Attr(name) => Some(name.as_str()),
        Step::Index(key) => key.as_str().ok(),
    }
}

/// Whether a value is certainly null (`Some(true)`), certainly not (`Some(false)`), or may be.
pub(super) fn null(value: &Value) -> Option<bool> {
    use crate::refinement::Nullness;

    match view_below_marks(value) {
        View::Null(_) => Some(true),
        View::Dynamic => None,
        View::Unknown(range) => match range.nullness() {
            Nullness::NotNull => Some(false),
            Nullness::Null => Some(true),
            Nullness::Nullable => None,
        },
        _ => Some(false),
    }
}

/// Whether a value is unknown as a whole.
pub(super) fn is_unknown(value: &Value) -> bool {
    matches!(view_below_marks(value), View::Dynamic | View::Unknown(_))
}
