//! Identities of objects: the attributes that a resource type names, with their types in its schema.

use std::collections::BTreeMap;

use plantime::{Error, Result, Type, Value};

use super::{Server, diagnostics, split};
use crate::diagnostic::{Diagnostics, Outcome};
use crate::erased::{AnyResource, catch_panic_now};
use crate::message::schema::{IdentityAttribute, IdentitySchema};
use crate::message::{IdentityData, calls};
use crate::provider::Served;
use crate::wire;

impl Server {
    /// The identities of all resource types that have one.
    pub(super) fn identity_schemas(&self) -> calls::IdentitySchemasResponse {
        let of = |(name, served): (&String, &Served<dyn AnyResource>)| {
            Ok(identity_schema(served)?.map(|schema| (name.clone(), schema)))
        };
        let schemas: Result<Vec<_>> = self.provider.resources.iter().map(of).collect();
        match schemas {
            Ok(schemas) => calls::IdentitySchemasResponse {
                identity_schemas: schemas.into_iter().flatten().collect(),
                diagnostics: Vec::new(),
            },
            Err(error) => calls::IdentitySchemasResponse {
                identity_schemas: BTreeMap::new(),
                diagnostics: diagnostics(Some(Diagnostics::from(error))),
            },
        }
    }

    /// Reads a stored identity with the current schema. All identities have version 0.
    pub(super) fn upgrade_identity(
        &self,
        request: calls::UpgradeIdentityRequest,
    ) -> calls::UpgradeIdentityResponse {
        let upgraded = || -> Outcome<_> {
            let served = self.provider.find_resource(&request.type_name)?;
            let ty = value_type(&served)?;
            let json = request.raw_identity.as_ref().map(|raw| &raw.json).filter(|json| !json.is_empty());
            let json = json.ok_or("The stored identity is not JSON")?;
            let stored = serde_json::from_slice(json).map_err(|_| "The stored identity is not JSON")?;
            Ok(IdentityData { identity_data: Some(wire::encode(&wire::fit_state(stored, &ty)?, &ty)?) })
        };
        let (upgraded_identity, diagnostics) = split(upgraded());
        calls::UpgradeIdentityResponse { upgraded_identity, diagnostics }
    }
}

/// The names of the identity of a resource type, each with its type in the schema.
fn attributes(served: &Served<dyn AnyResource>) -> Result<Vec<(&'static str, Type)>> {
    let Type::Object(object) = served.schema.implied_type()? else { return Ok(Vec::new()) };
    let unknown = |name| Error::custom(format!("the identity has {name}, which is no attribute"));
    let typed = |name| Ok((name, object.get(name).cloned().ok_or_else(|| unknown(name))?));
    catch_panic_now(|| served.item.identity()).map_err(Error::custom)?.into_iter().map(typed).collect()
}

/// The type of the identities of a resource type.
pub(super) fn value_type(served: &Served<dyn AnyResource>) -> Result<Type> {
    Type::object(attributes(served)?)
}

/// The message with the attributes of an identity; `None` for a type without one.
fn identity_schema(served: &Served<dyn AnyResource>) -> Result<Option<IdentitySchema>> {
    let described = |(name, ty): (&str, Type)| {
        Ok(IdentityAttribute {
            name: name.to_owned(),
            r#type: ty.to_json_text()?.into_bytes(),
            required_for_import: true,
            optional_for_import: false,
            description: String::new(),
        })
    };
    let attributes = attributes(served)?.into_iter().map(described).collect::<Result<Vec<_>>>()?;
    Ok((!attributes.is_empty()).then_some(IdentitySchema { version: 0, identity_attributes: attributes }))
}

/// The identity of the object with this state; `None` where it is not known yet, where there is no object, or no identity.
pub(super) fn identity_of(served: &Served<dyn AnyResource>, state: &Value) -> Result<Option<IdentityData>> {
    let attributes = attributes(served)?;
    if attributes.is_empty() || state.is_null() {
        return Ok(None);
    }
    let known = attributes.iter().map(|(name, _)| Ok((*name, state.get_attr(name)?)));
    let identity = Value::object(known.collect::<Result<Vec<_>>>()?)?;
    let is_whole = identity.is_wholly_known()
        && attributes.iter().all(|(name, _)| identity.get_attr(name).is_ok_and(|value| !value.is_null()));
    if !is_whole {
        return Ok(None);
    }
    Ok(Some(IdentityData { identity_data: Some(wire::encode(&identity, &value_type(served)?)?) }))
}
