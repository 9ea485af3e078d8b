//! The types that attributes accept.

use crate::schema::{Attribute, AttributeType, NestedType, Nesting};
use crate::types::Type;
use crate::{AttributeConstraint, TypeConstraint};

/// The type that an attribute accepts. Attributes inside it that are not required may be left out.
pub(super) fn attribute_constraint(attribute: &Attribute) -> TypeConstraint {
    match &attribute.ty {
        AttributeType::Plain(ty) => ty.clone().into(),
        AttributeType::Nested(nested) => nested_constraint(nested).unwrap_or_else(|_| Type::Dynamic.into()),
    }
}

fn nested_constraint(nested: &NestedType) -> crate::Result<TypeConstraint> {
    let attributes = nested.attributes.iter().map(|(name, attribute)| {
        let constraint = attribute_constraint(attribute);
        let constraint = match attribute.required {
            true => AttributeConstraint::required(constraint),
            false => AttributeConstraint::optional(constraint),
        };
        (name.as_str(), constraint)
    });
    let object = TypeConstraint::object(attributes)?;
    match nested.nesting {
        Nesting::Single | Nesting::Group => Ok(object),
        Nesting::List => TypeConstraint::list(object),
        Nesting::Set => TypeConstraint::set(object),
        Nesting::Map => TypeConstraint::map(object),
    }
}
