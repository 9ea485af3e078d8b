//! The assumption of a type: deciding what is undecided.

use crate::error::{Error, Result};
use crate::path::Step;
use crate::refinement::Refinement;
use crate::types::Type;
use crate::value::{Container, Value, View, build_list, build_map, canonical, view_below_marks};

impl Value {
    /// The value with a type attached: each part whose type is undecided takes the type it has in `ty`.
    ///
    /// | part | gives |
    /// |---|---|
    /// | unknown of unknown type | unknown of the type |
    /// | untyped null | null of the type |
    /// | unknown, or collection, of a type that contains dynamic | the same of the type |
    /// | of a type that `ty` covers | itself |
    /// | anything else | an error |
    ///
    /// ```
    /// use plantime::{Type, Value};
    ///
    /// let settings = Value::dynamic().assume_type(&"object({name = string})".parse()?)?;
    /// assert_eq!(settings.ty().to_string(), "object({name = string})");
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// This is no conversion: a number is not made a string.
    ///
    /// # Errors
    ///
    /// [`is_type_mismatch`](Error::is_type_mismatch), with the path of the part.
    pub fn assume_type(&self, ty: &Type) -> Result<Value> {
        attach(self, ty)
    }
}

fn attach(value: &Value, ty: &Type) -> Result<Value> {
    let own = value.ty();
    if !own.has_dynamic() {
        return if ty.covers(&own) { Ok(value.clone()) } else { Err(Error::mismatch(ty, &own)) };
    }
    let at = |step: Step| move |error: Error| error.under(step);
    let attached = match (value, ty) {
        (_, Type::Dynamic) => return Ok(value.clone()),
        _ if own == *ty => return Ok(value.clone()),
        (Value::Dynamic(_), ty) => Value::unknown(ty.clone()),
        _ if !own.compatible(ty) => return Err(Error::mismatch(ty, &own)),
        (Value::Unknown(_), ty) => Value::unknown(decided(&own, ty)),
        (Value::Refined(refined), ty) => canonical(decided(&own, ty), refined.0.refinement.clone()),
        (value, ty) if value.is_null() => Value::null(decided(&own, ty)),
        (value, ty) => match (value.container(), ty) {
            (Some(Container::Tuple(node)), Type::Tuple(ty)) => {
                let parts = node.items.iter().zip(ty.iter()).enumerate();
                let parts: Result<Vec<Value>> =
                    parts.map(|(i, (part, ty))| attach(part, ty).map_err(at(Step::index(i)))).collect();
                Value::tuple(parts?)?
            }
            (Some(Container::Object(node)), Type::Object(ty)) => {
                let parts: Result<Vec<(&str, Value)>> = node
                    .slots
                    .iter()
                    .zip(ty.iter())
                    .map(|(part, (name, ty))| Ok((name, attach(part, ty).map_err(at(Step::attr(name)))?)))
                    .collect();
                Value::object(parts?)?
            }
            (Some(Container::List(node)), _) => {
                let Type::List(ty) = decided(&own, ty) else { return Err(Error::mismatch(ty, &own)) };
                let parts: Result<Vec<Value>> = node
                    .items
                    .iter()
                    .enumerate()
                    .map(|(i, part)| attach(part, ty.element()).map_err(at(Step::index(i))))
                    .collect();
                build_list(ty, parts?)
            }
            (Some(Container::Map(node)), _) => {
                let Type::Map(ty) = decided(&own, ty) else { return Err(Error::mismatch(ty, &own)) };
                let parts: Result<Vec<_>> = node
                    .entries
                    .iter()
                    .map(|(key, part)| {
                        let part = attach(part, ty.element()).map_err(at(Step::index(key.as_str())))?;
                        Ok((key.clone(), part))
                    })
                    .collect();
                build_map(ty, parts?)
            }
            (Some(Container::Set(node)), _) => {
                let Type::Set(ty) = decided(&own, ty) else { return Err(Error::mismatch(ty, &own)) };
                let members = node.known.iter().chain(&node.undecided);
                let members: Result<Vec<Value>> = members.map(|part| attach(part, ty.element())).collect();
                let length = view_below_marks(value);
                let set = Value::set_of(ty.element().clone(), members?)?;
                match length {
                    View::Set(view) => set.assume(&Refinement::length(view.length()))?,
                    _ => set,
                }
            }
            _ => return Err(Error::mismatch(ty, &own)),
        },
    };
    Ok(attached.with_marks(value.marks()))
}

/// `own` with each dynamic replaced by what stands there in `wanted`; the two are compatible.
fn decided(own: &Type, wanted: &Type) -> Type {
    let met = match (own, wanted) {
        (Type::Dynamic, wanted) => return wanted.clone(),
        (Type::List(own), Type::List(wanted)) => Type::list(decided(own.element(), wanted.element())),
        (Type::Set(own), Type::Set(wanted)) => Type::set(decided(own.element(), wanted.element())),
        (Type::Map(own), Type::Map(wanted)) => Type::map(decided(own.element(), wanted.element())),
        (Type::Tuple(own), Type::Tuple(wanted)) => {
            Type::tuple(own.iter().zip(wanted.iter()).map(|(own, wanted)| decided(own, wanted)))
        }
        (Type::Object(own), Type::Object(wanted)) => Type::object(
            own.iter().zip(wanted.iter()).map(|((name, own), (_, wanted))| (name, decided(own, wanted))),
        ),
        (own, _) => return own.clone(),
    };
    met.unwrap_or_else(|_| own.clone())
}
