//! What a value is converted to: a type, with attributes that may be left out.

use std::borrow::Cow;
use std::sync::Arc;

use crate::error::Result;
use crate::types::{ObjectType, Type};
use crate::value::Value;

mod conformance;
mod json;
#[cfg(test)]
mod tests;

/// A type as a conversion target: a [`Type`] in which attributes of objects may be optional, with a default.
///
/// No value has such a type; [`convert`](crate::convert()) fills in what is left out. The text form is that of Terraform's and
/// OpenTofu's type constraints:
///
/// | form | |
/// |---|---|
/// | `bool`, `number`, `string`, `any` | as in [`Type`] (`dynamic` is read too) |
/// | `list(T)`, `set(T)`, `map(T)`, `tuple([T, …])` | |
/// | `object({a = T, b = optional(T), c = optional(T, default)})` | a default is a constant: `true`, `-1.5`, `"text"`, `null`, `[…]`, `{…}` |
///
/// ```
/// use plantime::{TypeConstraint, Value, convert};
///
/// let bucket: TypeConstraint = "object({name = string, tags = optional(map(string), {})})".parse()?;
/// let given = Value::object([("name", "logs")])?;
/// let got = convert(&given, &bucket)?;
/// assert_eq!(got.ty(), bucket.to_type());
/// assert_eq!(got.to_string(), r#"{name = "logs", tags = {}}"#);
/// assert_eq!(bucket.to_string(), "object({name = string, tags = optional(map(string), {})})");
/// # Ok::<(), plantime::Error>(())
/// ```
///
/// Two constraints are equal when type, optional attributes and defaults are.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeConstraint {
    /// The whole type, as if nothing were optional.
    ty: Type,
    /// Where the optional attributes are; none where there are none.
    parts: Option<Arc<Parts>>,
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Parts {
    Element(TypeConstraint),
    Elements(Box<[TypeConstraint]>),
    /// In the order of the object type.
    Attributes(Box<[AttributeConstraint]>),
}

/// What an attribute of an object must be, and whether it may be left out.
///
/// ```
/// use plantime::{AttributeConstraint, Type, TypeConstraint, Value};
///
/// let port = AttributeConstraint::with_default(Type::Number, &Value::from(443))?;
/// let listener = TypeConstraint::object([("port", port), ("host", AttributeConstraint::required(Type::String))])?;
/// assert_eq!(listener.to_string(), "object({host = string, port = optional(number, 443)})");
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AttributeConstraint {
    constraint: TypeConstraint,
    optional: bool,
    default: Option<Value>,
}

impl AttributeConstraint {
    /// An attribute that must be there.
    pub fn required(constraint: impl Into<TypeConstraint>) -> AttributeConstraint {
        AttributeConstraint { constraint: constraint.into(), optional: false, default: None }
    }

    /// An attribute that may be left out; it is null then.
    pub fn optional(constraint: impl Into<TypeConstraint>) -> AttributeConstraint {
        AttributeConstraint { constraint: constraint.into(), optional: true, default: None }
    }

    /// An attribute that has this value, which is of its type already, when it is left out or null.
    pub(crate) fn with_converted_default(constraint: TypeConstraint, default: Value) -> AttributeConstraint {
        AttributeConstraint { constraint, optional: true, default: Some(default) }
    }

    /// What the attribute must be.
    pub fn constraint(&self) -> &TypeConstraint {
        &self.constraint
    }

    /// Whether the attribute may be left out.
    pub fn is_optional(&self) -> bool {
        self.optional
    }

    /// The value in place of one left out or null, already converted; none is null.
    pub fn default(&self) -> Option<&Value> {
        self.default.as_ref()
    }

    fn is_plain(&self) -> bool {
        !self.optional && self.constraint.parts.is_none()
    }
}

impl From<Type> for TypeConstraint {
    fn from(ty: Type) -> TypeConstraint {
        TypeConstraint { ty, parts: None }
    }
}

impl From<&Type> for TypeConstraint {
    fn from(ty: &Type) -> TypeConstraint {
        TypeConstraint::from(ty.clone())
    }
}

impl TypeConstraint {
    /// The constraint that every value satisfies: `any`.
    pub const ANY: TypeConstraint = TypeConstraint { ty: Type::Dynamic, parts: None };

    /// Lists whose elements are this.
    ///
    /// # Errors
    ///
    /// [`is_limit`](crate::Error::is_limit) above [`limits::DEPTH`](crate::limits::DEPTH) levels, here and below.
    pub fn list(element: impl Into<TypeConstraint>) -> Result<TypeConstraint> {
        TypeConstraint::collection(Type::list, element.into())
    }

    /// Sets whose members are this.
    ///
    /// # Errors
    ///
    /// As [`list`](TypeConstraint::list).
    pub fn set(element: impl Into<TypeConstraint>) -> Result<TypeConstraint> {
        TypeConstraint::collection(Type::set, element.into())
    }

    /// Maps whose elements are this.
    ///
    /// # Errors
    ///
    /// As [`list`](TypeConstraint::list).
    pub fn map(element: impl Into<TypeConstraint>) -> Result<TypeConstraint> {
        TypeConstraint::collection(Type::map, element.into())
    }

    fn collection(of: fn(Type) -> Result<Type>, element: TypeConstraint) -> Result<TypeConstraint> {
        let ty = of(element.ty.clone())?;
        let parts = element.parts.is_some().then(|| Arc::new(Parts::Element(element)));
        Ok(TypeConstraint { ty, parts })
    }

    /// Tuples with these elements.
    ///
    /// # Errors
    ///
    /// As [`list`](TypeConstraint::list).
    pub fn tuple(elements: impl IntoIterator<Item = impl Into<TypeConstraint>>) -> Result<TypeConstraint> {
        let elements: Box<[TypeConstraint]> = elements.into_iter().map(Into::into).collect();
        let ty = Type::tuple(elements.iter().map(|element| element.ty.clone()))?;
        let plain = elements.iter().all(|element| element.parts.is_none());
        Ok(TypeConstraint { ty, parts: (!plain).then(|| Arc::new(Parts::Elements(elements))) })
    }

    /// Objects with these attributes.
    ///
    /// # Errors
    ///
    /// As [`list`](TypeConstraint::list), and [`is_syntax`](crate::Error::is_syntax) when two names are equal once
    /// normalised.
    pub fn object(
        attributes: impl IntoIterator<Item = (impl AsRef<str>, AttributeConstraint)>,
    ) -> Result<TypeConstraint> {
        let attributes: Vec<_> = attributes
            .into_iter()
            .map(|(name, attribute)| (crate::text::nfc(name.as_ref()).into_owned(), attribute))
            .collect();
        let object = ObjectType::new(attributes.iter().map(|(name, a)| (name, a.constraint.ty.clone())))?;
        let plain = attributes.iter().all(|(_, attribute)| attribute.is_plain());
        let mut attributes = attributes;
        attributes.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        let attributes = attributes.into_iter().map(|(_, attribute)| attribute).collect();
        let parts = (!plain).then(|| Arc::new(Parts::Attributes(attributes)));
        Ok(TypeConstraint { ty: Type::Object(object), parts })
    }

    /// The type without optional attributes: of an object it has all of them.
    pub fn to_type(&self) -> Type {
        self.ty.clone()
    }

    /// The same type as [`to_type`](TypeConstraint::to_type), borrowed.
    pub fn as_type(&self) -> &Type {
        &self.ty
    }

    /// Whether some attribute is optional, at any depth. O(1).
    pub fn has_optional(&self) -> bool {
        self.parts.is_some()
    }

    /// What the elements of the list, set or map must be.
    pub fn element(&self) -> Option<Cow<'_, TypeConstraint>> {
        match self.parts.as_deref() {
            Some(Parts::Element(element)) => Some(Cow::Borrowed(element)),
            Some(_) => None,
            None => self.ty.element_type().map(|ty| Cow::Owned(ty.into())),
        }
    }

    /// The constraint of the elements of the list, set or map; `any` for other types, which have no elements.
    pub(crate) fn element_or_any(&self) -> Cow<'_, TypeConstraint> {
        self.element().unwrap_or(Cow::Borrowed(&TypeConstraint::ANY))
    }

    /// What the element of the tuple at a position must be.
    pub fn element_at(&self, index: usize) -> Option<Cow<'_, TypeConstraint>> {
        match (self.parts.as_deref(), &self.ty) {
            (Some(Parts::Elements(elements)), _) => elements.get(index).map(Cow::Borrowed),
            (None, Type::Tuple(tuple)) => tuple.get(index).map(|ty| Cow::Owned(ty.into())),
            _ => None,
        }
    }

    /// What the attribute of that name must be.
    pub fn attribute(&self, name: &str) -> Option<Cow<'_, AttributeConstraint>> {
        let Type::Object(object) = &self.ty else { return None };
        self.attribute_at(object.index_of(name)?)
    }

    /// What the attribute at a position of the object type must be.
    pub(crate) fn attribute_at(&self, index: usize) -> Option<Cow<'_, AttributeConstraint>> {
        match (self.parts.as_deref(), &self.ty) {
            (Some(Parts::Attributes(attributes)), _) => attributes.get(index).map(Cow::Borrowed),
            (None, Type::Object(object)) => {
                object.type_at(index).map(|ty| Cow::Owned(AttributeConstraint::required(ty)))
            }
            _ => None,
        }
    }

    /// The same with every attribute optional, at any depth.
    pub(crate) fn with_optional_attributes(&self) -> Result<TypeConstraint> {
        match &self.ty {
            Type::List(_) | Type::Set(_) | Type::Map(_) => {
                let Some(element) = self.element() else { return Ok(self.clone()) };
                let element = element.with_optional_attributes()?;
                match &self.ty {
                    Type::List(_) => TypeConstraint::list(element),
                    Type::Set(_) => TypeConstraint::set(element),
                    _ => TypeConstraint::map(element),
                }
            }
            Type::Tuple(tuple) => {
                let elements = (0..tuple.len()).filter_map(|place| self.element_at(place));
                let elements: Result<Vec<_>> =
                    elements.map(|element| element.with_optional_attributes()).collect();
                TypeConstraint::tuple(elements?)
            }
            Type::Object(object) => {
                let mut attributes = Vec::with_capacity(object.len());
                for (place, name) in object.attribute_names().enumerate() {
                    let Some(attribute) = self.attribute_at(place) else { continue };
                    let constraint = attribute.constraint.with_optional_attributes()?;
                    let default = attribute.default.clone();
                    attributes.push((name, AttributeConstraint { constraint, optional: true, default }));
                }
                TypeConstraint::object(attributes)
            }
            _ => Ok(self.clone()),
        }
    }

    /// What it is called in messages, as [`Type::friendly_name`].
    pub fn friendly_name(&self) -> Cow<'static, str> {
        self.ty.friendly_name()
    }

    /// The name for messages that say which type is expected, as [`Type::friendly_name_for_constraint`].
    pub fn friendly_name_for_constraint(&self) -> Cow<'static, str> {
        self.ty.friendly_name_for_constraint()
    }
}
