//! What a schema expects of a value, computed once for all blocks of a kind: types, and how each attribute converts.

use crate::constraint::{AttributeConstraint, TypeConstraint};
use crate::error::{Error, Result};
use crate::path::Step;
use crate::types::{ObjectType, Type};

use super::implied::nest_type;
use super::{Attribute, AttributeType, Block, NestedBlock, NestedType, Nesting};

/// What is expected of the value of a block.
pub(super) struct Expected {
    pub(super) ty: ObjectType,
    /// By the position of the attribute in the type.
    slots: Vec<Slot>,
}

/// What is expected under one name.
pub(super) enum Slot {
    /// An attribute.
    Attribute { constraint: TypeConstraint, required: bool },
    /// Blocks.
    Blocks(ExpectedBlocks),
}

/// What is expected of the blocks of one type.
pub(super) struct ExpectedBlocks {
    pub(super) nesting: Nesting,
    /// The type of all of them together: `dynamic` for a list or map of blocks with `dynamic` inside.
    pub(super) ty: Type,
    /// Each of them.
    pub(super) item: Expected,
}

impl Expected {
    /// What the schema of a block expects.
    pub(super) fn of(block: &Block) -> Result<Expected> {
        let mut parts = Vec::with_capacity(block.attributes.len().saturating_add(block.block_types.len()));
        for (name, attribute) in &block.attributes {
            let slot = Slot::of_attribute(attribute).map_err(|error| error.under(Step::attr(name)))?;
            parts.push((name.as_str(), slot));
        }
        for (name, nested) in &block.block_types {
            let blocks = ExpectedBlocks::of(nested).map_err(|error| error.under(Step::attr(name)))?;
            parts.push((name.as_str(), Slot::Blocks(blocks)));
        }
        // No two names are equal, or there is no such type. So each position gets one slot.
        let ty = ObjectType::new(parts.iter().map(|(name, slot)| (name, slot.ty())))?;
        let mut placed: Vec<(Option<usize>, Slot)> =
            parts.into_iter().map(|(name, slot)| (ty.index_of(name), slot)).collect();
        placed.sort_by_key(|(place, _)| *place);
        Ok(Expected { slots: placed.into_iter().map(|(_, slot)| slot).collect(), ty })
    }

    /// The names with what is expected under each, sorted by name.
    pub(super) fn slots(&self) -> impl Iterator<Item = (&str, &Slot)> {
        self.ty.attribute_names().zip(&self.slots)
    }
}

impl Slot {
    fn of_attribute(attribute: &Attribute) -> Result<Slot> {
        Ok(Slot::Attribute {
            constraint: attribute_constraint(attribute)?,
            required: !attribute.optional && !attribute.computed,
        })
    }

    /// The type of what is under the name.
    fn ty(&self) -> Type {
        match self {
            Slot::Attribute { constraint, .. } => constraint.to_type(),
            Slot::Blocks(blocks) => blocks.ty.clone(),
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

/// What the value of an attribute is converted to.
fn attribute_constraint(attribute: &Attribute) -> Result<TypeConstraint> {
    match &attribute.ty {
        AttributeType::Plain(ty) => Ok(ty.into()),
        AttributeType::Nested(nested) => nested_constraint(nested),
    }
}

/// What nested attributes are converted to: those that may be left out are optional.
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
