//! Serialization of signatures, in the JSON format of `terraform metadata functions -json`.

use serde_core::ser::{Serialize, SerializeMap, SerializeSeq, SerializeStruct, Serializer};

use crate::types::Type;

use super::{Function, Functions, Parameter};

/// The version of the JSON format that is written.
const FORMAT_VERSION: &str = "1.0";

/// `{"format_version": "1.0", "function_signatures": {NAME: SIGNATURE, …}}`
///
/// ```
/// use plantime::function::Functions;
///
/// let json = serde_json::to_value(Functions::standard())?;
/// let max = &json["function_signatures"]["max"];
/// assert_eq!(max["return_type"], "number");
/// assert_eq!(max["variadic_parameter"]["name"], "numbers");
/// # Ok::<(), serde_json::Error>(())
/// ```
impl Serialize for Functions {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("Functions", 2)?;
        out.serialize_field("format_version", FORMAT_VERSION)?;
        out.serialize_field("function_signatures", &Signatures(self))?;
        out.end()
    }
}

/// Serializes a table of functions as a map from names to signatures.
struct Signatures<'a>(&'a Functions);

impl Serialize for Signatures<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|function| (function.name(), function)))
    }
}

/// `{"description": …, "return_type": TYPE, "parameters": […], "variadic_parameter": …}`; absent fields are left out.
impl Serialize for Function {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_map(None)?;
        if !self.description().is_empty() {
            out.serialize_entry("description", self.description())?;
        }
        out.serialize_entry("return_type", &TypeJson(&self.declared_type()))?;
        if !self.parameters().is_empty() {
            out.serialize_entry("parameters", self.parameters())?;
        }
        if let Some(variadic) = self.variadic() {
            out.serialize_entry("variadic_parameter", variadic)?;
        }
        out.end()
    }
}

/// `{"name": …, "description": …, "is_nullable": true, "type": TYPE}`; absent and false fields are left out.
impl Serialize for Parameter {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_map(None)?;
        out.serialize_entry("name", self.name())?;
        if !self.description().is_empty() {
            out.serialize_entry("description", self.description())?;
        }
        if self.allows_null() {
            out.serialize_entry("is_nullable", &true)?;
        }
        out.serialize_entry("type", &TypeJson(self.ty()))?;
        out.end()
    }
}

/// Serializes a type in cty's JSON format. A capsule type has no such format and becomes its name.
struct TypeJson<'a>(&'a Type);

impl Serialize for TypeJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let collection = |serializer: S, kind: &str, element: &Type| {
            let mut out = serializer.serialize_seq(Some(2))?;
            out.serialize_element(kind)?;
            out.serialize_element(&TypeJson(element))?;
            out.end()
        };
        match self.0 {
            Type::List(ty) => collection(serializer, "list", ty.element()),
            Type::Set(ty) => collection(serializer, "set", ty.element()),
            Type::Map(ty) => collection(serializer, "map", ty.element()),
            Type::Tuple(ty) => {
                let mut out = serializer.serialize_seq(Some(2))?;
                out.serialize_element("tuple")?;
                out.serialize_element(&ty.iter().map(TypeJson).collect::<Vec<_>>())?;
                out.end()
            }
            Type::Object(ty) => {
                let mut out = serializer.serialize_seq(Some(2))?;
                out.serialize_element("object")?;
                out.serialize_element(&Attributes(ty))?;
                out.end()
            }
            ty => serializer.serialize_str(&ty.friendly_name()),
        }
    }
}

/// Serializes the attributes of an object type as a map from names to types.
struct Attributes<'a>(&'a crate::types::ObjectType);

impl Serialize for Attributes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, ty)| (name, TypeJson(ty))))
    }
}
