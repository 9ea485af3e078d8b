//! The type of a block and of each of its attributes and nested blocks, computed once for all blocks of a type.

use crate::constraint::{AttributeConstraint, TypeConstraint};
use crate::error::{Error, Result};
use crate::path::Step;
use crate::types::{ObjectType, Type};

use super::implied::nest_type;
use super::{Attribute, AttributeType, Block, NestedBlock, NestedType, Nesting};

/// The object type of a block, and what each of its attributes and nested block types is.
pub(super) struct Expected {
    pub(super) ty: ObjectType,
    /// By the position of the attribute in the type.
    entries: Vec<Entry>,
}

/// An attribute or a nested block type.
pub(super) enum Entry {
    /// An attribute: the constraint that its value is converted to, and whether it must be set.
    Attribute { constraint: TypeConstraint, required: bool },
    /// A nested block type.
    Blocks(ExpectedBlocks),
}

/// A nested block type: how its blocks become one value, and the type of that value.
pub(super) struct ExpectedBlocks {
    pub(super) nesting: Nesting,
    /// The type of all of them together: `dynamic` for a list or map of blocks with `dynamic` inside.
    pub(super) ty: Type,
    /// One block.
    pub(super) item: Expected,
}

impl Expected {
    /// Computes it from the schema of a block.
    pub(super) fn of(block: &Block) -> Result<Expected> {
        let mut parts = Vec::with_capacity(block.attributes.len().saturating_add(block.block_types.len()));
        for (name, attribute) in &block.attributes {
            let entry = Entry::of_attribute(attribute).map_err(|error| error.under(Step::attr(name)))?;
            parts.push((name.as_str(), entry));
        }
        for (name, nested) in &block.block_types {
            let blocks = ExpectedBlocks::of(nested).map_err(|error| error.under(Step::attr(name)))?;
            parts.push((name.as_str(), Entry::Blocks(blocks)));
        }
        // No two names are equal, or there is no such type. So each position gets one entry.
        let ty = ObjectType::new(parts.iter().map(|(name, entry)| (name, entry.ty())))?;
        let mut placed: Vec<(Option<usize>, Entry)> =
            parts.into_iter().map(|(name, entry)| (ty.index_of(name), entry)).collect();
        placed.sort_by_key(|(place, _)| *place);
        Ok(Expected { entries: placed.into_iter().map(|(_, entry)| entry).collect(), ty })
    }

    /// The attributes and nested block types with their names, sorted by name.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&str, &Entry)> {
        self.ty.attribute_names().zip(&self.entries)
    }
}

impl Entry {
    fn of_attribute(attribute: &Attribute) -> Result<Entry> {
        Ok(Entry::Attribute {
            constraint: attribute_constraint(attribute)?,
            required: !attribute.optional && !attribute.computed,
        })
    }

    /// The type of its value.
    fn ty(&self) -> Type {
        match self {
            Entry::Attribute { constraint, .. } => constraint.to_type(),
            Entry::Blocks(blocks) => blocks.ty.clone(),
        }
    }
}

impl ExpectedBlocks {
    fn of(nested: &NestedBlock) -> Result<ExpectedBlocks> {
        let item = Expected::of(&nested.block)?;
        let pattern = nest_type(nested.nesting, Type::Object(item.ty.clone()))?;
        let undecided = matches!(nested.nesting, Nesting::List | Nesting::Map) && pattern.has_dynamic();
        let ty = if undecided { Type::Dynamic } else { pattern };
        Ok(ExpectedBlocks { nesting: nested.nesting, ty, item })
    }
}

/// The constraint that the value of an attribute is converted to.
///
/// # Errors
///
/// As [`Block::implied_type`].
pub(crate) fn attribute_constraint(attribute: &Attribute) -> Result<TypeConstraint> {
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
