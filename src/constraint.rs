//! Type constraints: the targets of conversions, types in which attributes may be optional.

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
/// No value has such a type; [`convert`](crate::convert()) fills in missing attributes. The text form is that of type
/// constraints in Terraform and OpenTofu:
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
    /// The type with all attributes required.
    ty: Type,
    /// The constraints one level below; `None` if no attribute is optional at any depth.
    inner: Option<Arc<InnerConstraints>>,
}

/// The constraints one level below a constraint with optional attributes.
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
enum InnerConstraints {
    Element(TypeConstraint),
    Elements(Box<[TypeConstraint]>),
    /// In the order of the object type.
    Attributes(Box<[AttributeConstraint]>),
}

/// The constraint of an object attribute: its type, whether it is optional, and its default.
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
    /// The constraint of an attribute that every object must have.
    ///
    /// ```
    /// use plantime::{AttributeConstraint, Type, TypeConstraint, convert, value};
    ///
    /// let server = TypeConstraint::object([
    ///     ("name", AttributeConstraint::required(Type::String)),
    ///     ("zone", AttributeConstraint::optional(Type::String)),
    /// ])?;
    /// assert_eq!(server.to_string(), "object({name = string, zone = optional(string)})");
    /// let web = convert(&value!({ "name": "web" })?, &server)?;
    /// assert!(web.at("zone")?.is_null());
    /// assert!(convert(&value!({ "zone": "a" })?, &server).is_err());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn required(constraint: impl Into<TypeConstraint>) -> AttributeConstraint {
        AttributeConstraint { constraint: constraint.into(), optional: false, default: None }
    }

    /// The constraint of an optional attribute without a default, which is null if it is missing.
    ///
    /// [Example](AttributeConstraint::required)
    pub fn optional(constraint: impl Into<TypeConstraint>) -> AttributeConstraint {
        AttributeConstraint { constraint: constraint.into(), optional: true, default: None }
    }

    /// The constraint of an optional attribute with a default, which has been converted already.
    pub(crate) fn with_converted_default(constraint: TypeConstraint, default: Value) -> AttributeConstraint {
        AttributeConstraint { constraint, optional: true, default: Some(default) }
    }

    /// The type constraint of the attribute.
    ///
    /// ```
    /// use plantime::{Type, TypeConstraint, Value};
    ///
    /// let listener: TypeConstraint = "object({port = optional(number, 443)})".parse()?;
    /// let port = listener.attribute("port").unwrap();
    /// assert_eq!(port.constraint().as_type(), &Type::Number);
    /// assert!(port.is_optional());
    /// assert_eq!(port.default(), Some(&Value::from(443)));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn constraint(&self) -> &TypeConstraint {
        &self.constraint
    }

    /// Whether the attribute may be missing.
    ///
    /// [Example](AttributeConstraint::constraint)
    pub fn is_optional(&self) -> bool {
        self.optional
    }

    /// The value of the attribute if it is missing or null, already converted; `None` means null.
    ///
    /// [Example](AttributeConstraint::constraint)
    pub fn default(&self) -> Option<&Value> {
        self.default.as_ref()
    }

    /// Whether the attribute is required, and nothing in it is optional.
    fn is_plain(&self) -> bool {
        !self.optional && self.constraint.inner.is_none()
    }
}

impl From<Type> for TypeConstraint {
    fn from(ty: Type) -> TypeConstraint {
        TypeConstraint { ty, inner: None }
    }
}

impl From<&Type> for TypeConstraint {
    fn from(ty: &Type) -> TypeConstraint {
        TypeConstraint::from(ty.clone())
    }
}

impl TypeConstraint {
    /// The constraint that every value satisfies: `any`.
    pub const ANY: TypeConstraint = TypeConstraint { ty: Type::Dynamic, inner: None };

    /// The constraint of lists with this element constraint.
    ///
    /// ```
    /// use plantime::TypeConstraint;
    ///
    /// let listener: TypeConstraint = "object({port = optional(number, 443)})".parse()?;
    /// let listeners = TypeConstraint::list(listener)?;
    /// assert_eq!(listeners.to_string(), "list(object({port = optional(number, 443)}))");
    /// // A converted value has every attribute.
    /// assert_eq!(listeners.to_type().to_string(), "list(object({port = number}))");
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`is_limit`](crate::Error::is_limit) above [`limits::DEPTH`](crate::limits::DEPTH) levels, here and below.
    pub fn list(element: impl Into<TypeConstraint>) -> Result<TypeConstraint> {
        TypeConstraint::collection(Type::list, element.into())
    }

    /// The constraint of sets with this element constraint.
    ///
    /// [Example](TypeConstraint::list)
    ///
    /// # Errors
    ///
    /// As [`list`](TypeConstraint::list).
    pub fn set(element: impl Into<TypeConstraint>) -> Result<TypeConstraint> {
        TypeConstraint::collection(Type::set, element.into())
    }

    /// The constraint of maps with this element constraint.
    ///
    /// [Example](TypeConstraint::list)
    ///
    /// # Errors
    ///
    /// As [`list`](TypeConstraint::list).
    pub fn map(element: impl Into<TypeConstraint>) -> Result<TypeConstraint> {
        TypeConstraint::collection(Type::map, element.into())
    }

    /// The constraint of collections with this element constraint; `of` builds the collection type.
    fn collection(of: fn(Type) -> Result<Type>, element: TypeConstraint) -> Result<TypeConstraint> {
        let ty = of(element.ty.clone())?;
        let inner = element.inner.is_some().then(|| Arc::new(InnerConstraints::Element(element)));
        Ok(TypeConstraint { ty, inner })
    }

    /// The constraint of tuples with these element constraints.
    ///
    /// ```
    /// use plantime::{Type, TypeConstraint};
    ///
    /// let pair = TypeConstraint::tuple([Type::String, Type::Dynamic])?;
    /// assert_eq!(pair.to_string(), "tuple([string, any])");
    /// assert_eq!(pair.element_at(0).unwrap().as_type(), &Type::String);
    /// assert!(pair.element_at(2).is_none() && pair.element().is_none());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`list`](TypeConstraint::list).
    pub fn tuple(elements: impl IntoIterator<Item = impl Into<TypeConstraint>>) -> Result<TypeConstraint> {
        let elements: Box<[TypeConstraint]> = elements.into_iter().map(Into::into).collect();
        let ty = Type::tuple(elements.iter().map(|element| element.ty.clone()))?;
        let plain = elements.iter().all(|element| element.inner.is_none());
        Ok(TypeConstraint { ty, inner: (!plain).then(|| Arc::new(InnerConstraints::Elements(elements))) })
    }

    /// The constraint of objects with these attributes.
    ///
    /// [Example](AttributeConstraint::required)
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
        let inner = (!plain).then(|| Arc::new(InnerConstraints::Attributes(attributes)));
        Ok(TypeConstraint { ty: Type::Object(object), inner })
    }

    /// The type that converted values have: with all attributes, none of them optional.
    ///
    /// [Example](TypeConstraint::list)
    pub fn to_type(&self) -> Type {
        self.ty.clone()
    }

    /// The same type as [`to_type`](TypeConstraint::to_type), borrowed.
    ///
    /// [Example](TypeConstraint::element)
    pub fn as_type(&self) -> &Type {
        &self.ty
    }

    /// Whether some attribute is optional, at any depth. O(1).
    ///
    /// [Example](TypeConstraint::element)
    pub fn has_optional(&self) -> bool {
        self.inner.is_some()
    }

    /// The constraint of the elements of a list, set or map; `None` for other types.
    ///
    /// ```
    /// use plantime::{Type, TypeConstraint};
    ///
    /// let listeners: TypeConstraint = "list(object({port = optional(number)}))".parse()?;
    /// assert!(listeners.has_optional());
    /// let port = listeners.element().unwrap().attribute("port").unwrap().constraint().clone();
    /// assert_eq!(port.as_type(), &Type::Number);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn element(&self) -> Option<Cow<'_, TypeConstraint>> {
        match self.inner.as_deref() {
            Some(InnerConstraints::Element(element)) => Some(Cow::Borrowed(element)),
            Some(_) => None,
            None => self.ty.element_type().map(|ty| Cow::Owned(ty.into())),
        }
    }

    /// The constraint of the elements of the list, set or map; `any` for other types, which have no elements.
    pub(crate) fn element_or_any(&self) -> Cow<'_, TypeConstraint> {
        self.element().unwrap_or(Cow::Borrowed(&TypeConstraint::ANY))
    }

    /// The constraint of the tuple element at a position.
    ///
    /// [Example](TypeConstraint::tuple)
    pub fn element_at(&self, index: usize) -> Option<Cow<'_, TypeConstraint>> {
        match (self.inner.as_deref(), &self.ty) {
            (Some(InnerConstraints::Elements(elements)), _) => elements.get(index).map(Cow::Borrowed),
            (None, Type::Tuple(tuple)) => tuple.get(index).map(|ty| Cow::Owned(ty.into())),
            _ => None,
        }
    }

    /// The constraint of the attribute with this name.
    ///
    /// [Example](AttributeConstraint::constraint)
    pub fn attribute(&self, name: &str) -> Option<Cow<'_, AttributeConstraint>> {
        let Type::Object(object) = &self.ty else { return None };
        self.attribute_at(object.index_of(name)?)
    }

    /// The constraint of the attribute at this position of the object type.
    pub(crate) fn attribute_at(&self, index: usize) -> Option<Cow<'_, AttributeConstraint>> {
        match (self.inner.as_deref(), &self.ty) {
            (Some(InnerConstraints::Attributes(attributes)), _) => attributes.get(index).map(Cow::Borrowed),
            (None, Type::Object(object)) => {
                object.type_at(index).map(|ty| Cow::Owned(AttributeConstraint::required(ty)))
            }
            _ => None,
        }
    }

    /// The constraint with every attribute optional, at any depth.
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

    /// The name of the type in messages, as [`Type::friendly_name`].
    ///
    /// ```
    /// use plantime::TypeConstraint;
    ///
    /// let any: TypeConstraint = "list(any)".parse()?;
    /// assert_eq!(any.friendly_name(), "list of dynamic");
    /// assert_eq!(any.friendly_name_for_constraint(), "list of any single type");
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn friendly_name(&self) -> Cow<'static, str> {
        self.ty.friendly_name()
    }

    /// The name for messages that say which type is expected, as [`Type::friendly_name_for_constraint`].
    ///
    /// [Example](TypeConstraint::friendly_name)
    pub fn friendly_name_for_constraint(&self) -> Cow<'static, str> {
        self.ty.friendly_name_for_constraint()
    }
}
