//! Attributes from the fields of a Rust struct, by serde.

use serde_core::de::DeserializeOwned;

use plantime::bridge::implied_constraint;
use plantime::unstable::error::Kind;
use plantime::{Error, Result, Type, TypeConstraint};

use super::{Attribute, AttributeType, BlockBuilder, DeclaredMap, NestedType, Nesting};

impl BlockBuilder {
    /// Adds an attribute for each field of a struct that serde reads, by the names that serde gives them, sorted.
    ///
    /// | field | attribute |
    /// |---|---|
    /// | `Option` | optional |
    /// | any other | required |
    /// | a struct; a list or a map of structs | nested attributes, which are made in the same way |
    /// | what else [`implied_type`](plantime::bridge::implied_type) knows | of that type |
    ///
    /// The struct does not say which attributes the provider sets: declare these with
    /// [`computed`](BlockBuilder::computed). Change anything else with [`edit`](BlockBuilder::edit).
    ///
    /// ```
    /// use plantime_schema::{Block, Schema};
    /// use plantime::value;
    /// use serde::Deserialize;
    ///
    /// #[derive(Deserialize)]
    /// # #[allow(dead_code)]
    /// struct Rule {
    ///     port: u16,
    ///     note: Option<String>,
    /// }
    ///
    /// #[derive(Deserialize)]
    /// # #[allow(dead_code)]
    /// struct Firewall {
    ///     name: String,
    ///     rules: Option<Vec<Rule>>,
    ///     id: Option<String>,
    ///     token: Option<String>,
    /// }
    ///
    /// let block = Block::builder()
    ///     .fields_of::<Firewall>()?
    ///     .computed("id")
    ///     .edit("token", |token| token.sensitive = true)
    ///     .build()?;
    /// let schema = Schema::new(0, block);
    /// let ty = "object({id = string, name = string, rules = list(object({note = string, port = number})), token = string})";
    /// assert_eq!(schema.implied_type()?, &ty.parse()?);
    /// let attribute = |name| schema.block().attributes.get(name).unwrap();
    /// assert!(attribute("name").required && attribute("rules").optional && attribute("token").sensitive);
    /// assert!(attribute("id").computed && attribute("id").optional);
    ///
    /// let given = schema.block().coerce(&value!({ "name": "web", "rules": [{ "port": 80 }] })?)?;
    /// assert_eq!(given.get_attr("rules")?.to_string(), "[{note = null, port = 80}]");
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`implied_type`](plantime::bridge::implied_type), and [`is_argument`](Error::is_argument) for a type that is no struct.
    pub fn fields_of<T: DeserializeOwned>(mut self) -> Result<BlockBuilder> {
        let constraint = implied_constraint::<T>()?;
        let Type::Object(_) = constraint.as_type() else {
            let ty = constraint.to_type();
            let message =
                format!("attributes are made from the fields of a struct, and this type reads {ty}");
            return Err(Error::new(Kind::Argument, message));
        };
        for (name, attribute) in fields(&constraint) {
            self = self.attribute(&name, attribute);
        }
        Ok(self)
    }

    /// Declares that the provider sets an attribute. A required attribute becomes one that only the provider sets; an
    /// optional one may then be set by the configuration or the provider.
    ///
    /// A name that is no attribute is an error of [`build`](BlockBuilder::build).
    ///
    /// [Example](BlockBuilder::fields_of)
    #[must_use]
    pub fn computed(self, name: &str) -> BlockBuilder {
        self.edit(name, |attribute| (attribute.required, attribute.computed) = (false, true))
    }
}

/// The attributes that the fields of a struct become.
fn fields(constraint: &TypeConstraint) -> DeclaredMap<Attribute> {
    let mut attributes = DeclaredMap::new();
    let Type::Object(object) = constraint.as_type() else { return attributes };
    for name in object.attribute_names() {
        let Some(field) = constraint.attribute(name) else { continue };
        let mut attribute = Attribute::new(attribute_type(field.constraint()));
        (attribute.required, attribute.optional) = (!field.is_optional(), field.is_optional());
        attributes.insert(name.to_owned(), attribute);
    }
    attributes
}

/// The type of the attribute for a field: nested attributes for a struct, and for a list or map of structs.
fn attribute_type(constraint: &TypeConstraint) -> AttributeType {
    let nested = |nesting, of: &TypeConstraint| NestedType::new(nesting, fields(of));
    let collection = match constraint.as_type() {
        Type::Object(_) => return nested(Nesting::Single, constraint).into(),
        Type::List(_) => Nesting::List,
        Type::Map(_) => Nesting::Map,
        _ => return constraint.to_type().into(),
    };
    match constraint.element() {
        Some(element) if matches!(element.as_type(), Type::Object(_)) => nested(collection, &element).into(),
        _ => constraint.to_type().into(),
    }
}
