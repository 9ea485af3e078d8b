//! The types of a schema file for provider functions and resource identities.

use std::collections::BTreeMap;

use plantime::Type;

use super::Other;

/// A function that a provider offers.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Function {
    /// What the function does, at length.
    pub description: Option<String>,
    /// What the function does, in one line.
    pub summary: Option<String>,
    /// Why the function should no longer be used.
    pub deprecation_message: Option<String>,
    /// The type of the function's result.
    pub return_type: Type,
    /// The parameters in order.
    pub parameters: Vec<Parameter>,
    /// The parameter that takes any number of further arguments.
    pub variadic_parameter: Option<Parameter>,
    /// Keys that this version does not know.
    pub other: Other,
}

/// A parameter of a [`Function`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Parameter {
    /// The name of the parameter.
    pub name: String,
    /// What the parameter is for.
    pub description: Option<String>,
    /// The type of the argument.
    pub ty: Type,
    /// Whether null may be passed.
    pub is_nullable: bool,
    /// Keys that this version does not know.
    pub other: Other,
}

/// The attributes that identify a resource among those of its type.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct IdentitySchema {
    /// The version of the identity, counted by the provider.
    pub version: u64,
    /// The attributes of the identity, by name.
    pub attributes: BTreeMap<String, IdentityAttribute>,
    /// Keys that this version does not know.
    pub other: Other,
}

/// An attribute of an [`IdentitySchema`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct IdentityAttribute {
    /// The type of the attribute.
    pub ty: Type,
    /// What the attribute is for.
    pub description: Option<String>,
    /// Whether an import must set the attribute.
    pub required_for_import: bool,
    /// Whether an import may set the attribute.
    pub optional_for_import: bool,
    /// Keys that this version does not know.
    pub other: Other,
}

impl IdentityAttribute {
    /// An attribute of this type, which an import neither must nor may set.
    ///
    /// ```
    /// use plantime::Type;
    /// use plantime_schema::IdentityAttribute;
    ///
    /// let mut id = IdentityAttribute::new(Type::String);
    /// id.required_for_import = true;
    /// assert!(!id.optional_for_import);
    /// ```
    pub fn new(ty: Type) -> IdentityAttribute {
        IdentityAttribute {
            ty,
            description: None,
            required_for_import: false,
            optional_for_import: false,
            other: Other::default(),
        }
    }
}
