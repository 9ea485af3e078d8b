//! A schema with its attributes and blocks in the order of the object type, computed once, so that a value and its schema are
//! walked together.

use plantime::{AttributeConstraint, Error, ObjectType, Result, Step, Type, TypeConstraint, Value};

use super::implied::nest_type;
use super::{Attribute, AttributeType, Block, DeclaredMap, NestedBlock, NestedType, Nesting};

/// The attributes and nested block types of a block, or the nested attributes of an attribute.
pub(crate) struct Layout<'s> {
    pub(crate) ty: ObjectType,
    /// One entry for each attribute of the object type, in the same order.
    entries: Vec<Entry<'s>>,
}

/// An attribute or a nested block type.
pub(crate) enum Entry<'s> {
    /// An attribute: its declaration, the constraint that its value is converted to, and the type of that constraint.
    /// `nested` is `Some` if it has nested attributes.
    Attribute { attribute: &'s Attribute, constraint: TypeConstraint, ty: Type, nested: Option<Nest<'s>> },
    /// A nested block type.
    Blocks(Nest<'s>),
}

/// The objects of a nested block type, or of an attribute with nested attributes.
pub(crate) struct Nest<'s> {
    pub(crate) nesting: Nesting,
    pub(crate) is_block: bool,
    /// The type of the whole value (one object, or the collection of all): `dynamic` for a list or map of blocks with
    /// `dynamic` inside.
    pub(crate) ty: Type,
    /// The layout of each object.
    pub(crate) item: Layout<'s>,
}

impl<'s> Layout<'s> {
    /// The layout of a block.
    pub(crate) fn of(block: &'s Block) -> Result<Layout<'s>> {
        let blocks = block.block_types.iter().map(|(name, nested)| {
            let nest = Nest::of_block(nested).map_err(|error| error.under(Step::attr(name)))?;
            Ok((name.as_str(), Entry::Blocks(nest)))
        });
        Layout::new(attributes(&block.attributes).chain(blocks).collect::<Result<_>>()?)
    }

    fn new(parts: Vec<(&str, Entry<'s>)>) -> Result<Layout<'s>> {
        // `ObjectType::new` fails if two names are equal, so each position gets exactly one entry.
        let ty = ObjectType::new(parts.iter().map(|(name, entry)| (name, entry.ty())))?;
        let mut placed: Vec<(Option<usize>, Entry<'s>)> =
            parts.into_iter().map(|(name, entry)| (ty.index_of(name), entry)).collect();
        placed.sort_by_key(|(place, _)| *place);
        Ok(Layout { entries: placed.into_iter().map(|(_, entry)| entry).collect(), ty })
    }

    /// The attributes and nested block types with their names, sorted by name.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (&str, &Entry<'s>)> {
        self.ty.attribute_names().zip(&self.entries)
    }

    /// The attribute or nested block type of a name.
    pub(crate) fn get(&self, name: &str) -> Option<&Entry<'s>> {
        self.entries.get(self.ty.index_of(name)?)
    }

    /// The type of the object.
    pub(crate) fn object_type(&self) -> Type {
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
    /// The entry of an attribute.
    fn of_attribute(attribute: &'s Attribute) -> Result<Entry<'s>> {
        let constraint = attribute_constraint(attribute)?;
        let nested = match &attribute.ty {
            AttributeType::Plain(_) => None,
            AttributeType::Nested(nested) => Some(Nest::of_attributes(nested)?),
        };
        Ok(Entry::Attribute { attribute, ty: constraint.to_type(), constraint, nested })
    }

    /// The type of its value.
    pub(crate) fn ty(&self) -> Type {
        match self {
            Entry::Attribute { ty, .. } => ty.clone(),
            Entry::Blocks(nest) => nest.ty.clone(),
        }
    }
}

impl<'s> Nest<'s> {
    /// The nested objects of a block type.
    fn of_block(nested: &'s NestedBlock) -> Result<Nest<'s>> {
        let item = Layout::of(&nested.block)?;
        let pattern = nest_type(nested.nesting, item.object_type())?;
        let undecided = matches!(nested.nesting, Nesting::List | Nesting::Map) && pattern.has_dynamic();
        let ty = if undecided { Type::Dynamic } else { pattern };
        Ok(Nest { nesting: nested.nesting, is_block: true, ty, item })
    }

    /// The nested objects of an attribute.
    fn of_attributes(nested: &'s NestedType) -> Result<Nest<'s>> {
        let item = Layout::new(attributes(&nested.attributes).collect::<Result<_>>()?)?;
        let ty = nest_type(nested.nesting, item.object_type())?;
        Ok(Nest { nesting: nested.nesting, is_block: false, ty, item })
    }

    /// Whether there may be several objects.
    pub(crate) fn is_collection(&self) -> bool {
        match self.nesting {
            Nesting::Single | Nesting::Group => false,
            Nesting::List | Nesting::Set | Nesting::Map => true,
        }
    }

    /// These objects as the collection of their nesting mode, each with the step to it.
    pub(crate) fn collect(&self, items: Vec<(Step, Value)>) -> Result<Value> {
        let object = || self.item.object_type();
        let keyed = |items: Vec<(Step, Value)>| {
            items.into_iter().map(|(step, value)| (step.name().unwrap_or_default().to_owned(), value))
        };
        let values = |items: Vec<(Step, Value)>| items.into_iter().map(|(_, value)| value);
        let undecided = self.ty == Type::Dynamic;
        match self.nesting {
            Nesting::Map if undecided => Value::object(keyed(items)),
            Nesting::Map => Value::map_of(object(), keyed(items)),
            Nesting::Set => Value::set_of(object(), values(items)),
            _ if undecided => Value::tuple(values(items)),
            Nesting::List | Nesting::Single | Nesting::Group => Value::list_of(object(), values(items)),
        }
    }
}

/// The constraint that the value of an attribute is converted to.
///
/// # Errors
///
/// As [`Block::implied_type`].
pub fn attribute_constraint(attribute: &Attribute) -> Result<TypeConstraint> {
    match &attribute.ty {
        AttributeType::Plain(ty) => Ok(ty.into()),
        AttributeType::Nested(nested) => nested_constraint(nested),
    }
}

/// The constraint of an object, or collection of objects, with nested attributes. Attributes that are optional or computed
/// may be missing.
fn nested_constraint(nested: &NestedType) -> Result<TypeConstraint> {
    let attribute = |(name, attribute): (&String, &Attribute)| -> Result<(String, AttributeConstraint)> {
        let constraint =
            attribute_constraint(attribute).map_err(|error: Error| error.under(Step::attr(name)))?;
        let may_be_missing = attribute.optional || attribute.computed;
        let as_constraint =
            if may_be_missing { AttributeConstraint::optional } else { AttributeConstraint::required };
        Ok((name.clone(), as_constraint(constraint)))
    };
    let object =
        TypeConstraint::object(nested.attributes.iter().map(attribute).collect::<Result<Vec<_>>>()?)?;
    match nested.nesting {
        Nesting::Single | Nesting::Group => Ok(object),
        Nesting::List => TypeConstraint::list(object),
        Nesting::Set => TypeConstraint::set(object),
        Nesting::Map => TypeConstraint::map(object),
    }
}
