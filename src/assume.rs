//! Assumptions: what the author of a configuration knows beyond the plan, checked again at apply.
//!
//! An assumption on an unknown value narrows it; on a known value it is a check. If it succeeds at plan and
//! gives `w`, then for every value that the unknown may become, the same assumption succeeds at apply exactly
//! when that value is one of `w`'s outcomes. Null satisfies every assumption but *not null*, at plan and at apply.

use crate::error::{Error, Kind, Result};
use crate::path::{Path, Step};
use crate::refinement::{LengthRange, Nullness, NumberRange, Range, Refinement};
use crate::types::Type;
use crate::value::{
    Container, Value, View, build_list, build_map, canonical, equality, narrow_set, view_below_marks,
};

impl Value {
    /// The value under an assumption.
    ///
    /// | value | gives |
    /// |---|---|
    /// | unknown | narrowed, which may make it known ([`Value::refined`]) |
    /// | known, and the assumption holds | itself; a set with undecided members narrows its length |
    /// | null | itself, unless *not null* is assumed |
    /// | anything that contradicts it | an error |
    /// | unknown of unknown type | an error that asks for a type |
    ///
    /// ```
    /// use plantime::{Refinement, Type, Value};
    ///
    /// let vpc: Refinement = r#"notnull(stringprefix("vpc-"))"#.parse()?;
    /// let id = Value::unknown(Type::String).assume(&vpc)?;
    /// assert_eq!(id.not_equal(&Value::from(""))?, Value::from(true));
    /// assert_eq!(Value::from("vpc-1").assume(&vpc)?, Value::from("vpc-1"));
    /// assert!(Value::from("v").assume(&vpc).unwrap_err().is_contradiction());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// Marks stay where they are.
    ///
    /// # Errors
    ///
    /// [`is_contradiction`](Error::is_contradiction) when the assumption cannot be upheld,
    /// [`is_type_mismatch`](Error::is_type_mismatch) when it is of another kind than the value,
    /// [`needs_type`](Error::needs_type) when the type of the value is not known.
    pub fn assume(&self, assumption: &Refinement) -> Result<Value> {
        if assumption.is_trivial() {
            return Ok(self.clone());
        }
        let ty = self.ty();
        if ty == Type::Dynamic && (!self.is_null() || *assumption.range() != Range::Any) {
            return Err(needs_type());
        }
        if !assumption.applies_to(&ty) && ty != Type::Dynamic {
            return Err(Error::new(
                Kind::TypeMismatch,
                format!("a {} cannot be assumed to be {assumption}", ty.friendly_name()),
            ));
        }
        match self {
            Value::Dynamic(_) => Err(needs_type()),
            Value::Unknown(_) => Ok(canonical(ty, assumption.clone()).with_marks(self.marks())),
            Value::Refined(_) => {
                let known = self.range();
                let met = known.refinement().meet(assumption).map_err(|_| self.not_upheld(assumption))?;
                Ok(canonical(ty, met).with_marks(self.marks()))
            }
            Value::Partial(_) | Value::Known(_) => self.check(assumption),
        }
    }

    fn check(&self, assumption: &Refinement) -> Result<Value> {
        if self.is_null() {
            return match assumption.nullness() {
                Nullness::NotNull => Err(self.not_upheld(assumption)),
                Nullness::Nullable | Nullness::Null => Ok(self.clone()),
            };
        }
        if assumption.nullness() == Nullness::Null {
            return Err(self.not_upheld(assumption));
        }
        let holds = match (view_below_marks(self), assumption.range()) {
            (_, Range::Any) => true,
            (View::String(text), Range::Prefix(prefix)) => text.starts_with(prefix.as_str()),
            (View::Number(number), Range::Number(range)) => range.contains(number),
            (View::List(list), Range::Length(range)) => range.contains(list.len() as u64),
            (View::Map(map), Range::Length(range)) => range.contains(map.len() as u64),
            (View::Set(_), Range::Length(range)) => {
                let narrowed = match self.container() {
                    Some(Container::Set(set)) => narrow_set(set, range),
                    _ => None,
                };
                let narrowed = narrowed.ok_or_else(|| self.not_upheld(assumption))?;
                return Ok(narrowed.with_marks(self.marks()));
            }
            _ => false,
        };
        if holds { Ok(self.clone()) } else { Err(self.not_upheld(assumption)) }
    }

    #[cold]
    fn not_upheld(&self, assumption: &Refinement) -> Error {
        let what = match self {
            value if value.is_marked() => String::new(),
            value if value.is_null() => ", but the value is null".to_owned(),
            Value::Refined(refined) => format!(", but the value is {}", refined.0.refinement),
            _ => String::new(),
        };
        Error::new(Kind::Contradiction, format!("assumption was not upheld: {assumption} is assumed{what}"))
    }

    /// Assumes that the value is not null.
    ///
    /// # Errors
    ///
    /// As for [`assume`](Value::assume).
    pub fn assume_not_null(&self) -> Result<Value> {
        self.assume(&Refinement::not_null())
    }

    /// Assumes that a string, unless null, starts with `prefix`. The whole prefix counts.
    ///
    /// # Errors
    ///
    /// As for [`assume`](Value::assume).
    pub fn assume_string_prefix(&self, prefix: &str) -> Result<Value> {
        self.assume_of_kind(&Type::String, &Refinement::prefix(prefix))
    }

    /// Assumes that a number, unless null, lies in an interval.
    ///
    /// # Errors
    ///
    /// As for [`assume`](Value::assume).
    pub fn assume_number_range(&self, range: NumberRange) -> Result<Value> {
        self.assume_of_kind(&Type::Number, &Refinement::number(range))
    }

    /// Assumes that a list, unless null, has from `min` to `max` elements.
    ///
    /// # Errors
    ///
    /// As for [`assume`](Value::assume), and [`is_argument`](Error::is_argument) when `min` is above `max`.
    pub fn assume_list_length(&self, min: u64, max: u64) -> Result<Value> {
        self.assume_length(&self.list_kind()?, between(min, max)?)
    }

    /// Assumes that a list, unless null, has at least `min` elements.
    ///
    /// # Errors
    ///
    /// As for [`assume`](Value::assume).
    pub fn assume_list_length_min(&self, min: u64) -> Result<Value> {
        self.assume_length(&self.list_kind()?, LengthRange::at_least(min))
    }

    /// Assumes that a list, unless null, has at most `max` elements.
    ///
    /// # Errors
    ///
    /// As for [`assume`](Value::assume).
    pub fn assume_list_length_max(&self, max: u64) -> Result<Value> {
        self.assume_length(&self.list_kind()?, LengthRange::at_most(max))
    }

    /// Assumes that a set, unless null, has from `min` to `max` members in the end.
    ///
    /// # Errors
    ///
    /// As for [`assume_list_length`](Value::assume_list_length).
    pub fn assume_set_length(&self, min: u64, max: u64) -> Result<Value> {
        self.assume_length(&self.set_kind()?, between(min, max)?)
    }

    /// Assumes that a set, unless null, has at least `min` members in the end.
    ///
    /// # Errors
    ///
    /// As for [`assume`](Value::assume).
    pub fn assume_set_length_min(&self, min: u64) -> Result<Value> {
        self.assume_length(&self.set_kind()?, LengthRange::at_least(min))
    }

    /// Assumes that a set, unless null, has at most `max` members in the end.
    ///
    /// # Errors
    ///
    /// As for [`assume`](Value::assume).
    pub fn assume_set_length_max(&self, max: u64) -> Result<Value> {
        self.assume_length(&self.set_kind()?, LengthRange::at_most(max))
    }

    /// Assumes that a map, unless null, has from `min` to `max` entries.
    ///
    /// # Errors
    ///
    /// As for [`assume_list_length`](Value::assume_list_length).
    pub fn assume_map_length(&self, min: u64, max: u64) -> Result<Value> {
        self.assume_length(&self.map_kind()?, between(min, max)?)
    }

    /// Assumes that a map, unless null, has at least `min` entries.
    ///
    /// # Errors
    ///
    /// As for [`assume`](Value::assume).
    pub fn assume_map_length_min(&self, min: u64) -> Result<Value> {
        self.assume_length(&self.map_kind()?, LengthRange::at_least(min))
    }

    /// Assumes that a map, unless null, has at most `max` entries.
    ///
    /// # Errors
    ///
    /// As for [`assume`](Value::assume).
    pub fn assume_map_length_max(&self, max: u64) -> Result<Value> {
        self.assume_length(&self.map_kind()?, LengthRange::at_most(max))
    }

    fn assume_of_kind(&self, wanted: &Type, assumption: &Refinement) -> Result<Value> {
        let ty = self.ty();
        if ty == Type::Dynamic {
            return Err(needs_type());
        }
        if ty != *wanted {
            return Err(Error::mismatch(wanted, &ty));
        }
        self.assume(assumption)
    }

    fn assume_length(&self, wanted: &Type, length: LengthRange) -> Result<Value> {
        let ty = self.ty();
        let same_kind = matches!(
            (wanted, &ty),
            (Type::List(_), Type::List(_)) | (Type::Set(_), Type::Set(_)) | (Type::Map(_), Type::Map(_))
        );
        if ty == Type::Dynamic {
            return Err(needs_type());
        }
        if same_kind { self.assume(&Refinement::length(length)) } else { Err(Error::mismatch(wanted, &ty)) }
    }

    fn list_kind(&self) -> Result<Type> {
        Type::list(Type::Dynamic)
    }

    fn set_kind(&self) -> Result<Type> {
        Type::set(Type::Dynamic)
    }

    fn map_kind(&self) -> Result<Type> {
        Type::map(Type::Dynamic)
    }

    /// Assumes that the value will be `assumed`, and gives `assumed`.
    ///
    /// At plan it fails when the two can certainly not be equal; at apply it succeeds exactly when the value
    /// equals the assumed one. The result carries `assumed`'s own marks and those of the value, each at its
    /// place, without *sensitive* and *ephemeral*: what is assumed was already written down. Marks at places
    /// that `assumed` does not have are kept at the nearest place above.
    ///
    /// ```
    /// use plantime::{Type, Value};
    ///
    /// let arn = Value::unknown(Type::String).assume_equal(&Value::from("arn:aws:s3:::logs"))?;
    /// assert_eq!(arn, Value::from("arn:aws:s3:::logs"));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`is_type_mismatch`](Error::is_type_mismatch) when the value is of another type than `assumed`,
    /// [`is_contradiction`](Error::is_contradiction) when it certainly differs. The values never appear in the
    /// message.
    pub fn assume_equal(&self, assumed: &Value) -> Result<Value> {
        let (ty, wanted) = (self.ty(), assumed.ty());
        if !ty.compatible(&wanted) {
            let message = format!(
                "actual value type {} does not match assumed value type {}",
                ty.friendly_name(),
                wanted.friendly_name()
            );
            return Err(Error::new(Kind::TypeMismatch, message).with_types(wanted, ty));
        }
        if equality::equal(self, assumed) == Some(false) {
            return Err(Error::new(Kind::Contradiction, "the actual value does not match the assumed value"));
        }
        if !self.contains_marks() {
            return Ok(assumed.clone());
        }
        let (_, places) = self.unmark_deep_with_paths();
        let places: Vec<_> = places
            .into_iter()
            .map(|(path, marks)| {
                let kept = marks
                    .iter()
                    .filter(|mark| !matches!(mark.name(), "sensitive" | "ephemeral"))
                    .cloned()
                    .collect();
                (nearest_place(assumed, path), kept)
            })
            .collect();
        Ok(assumed.mark_with_paths(&places))
    }

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

/// The longest beginning of a path that leads somewhere in the value.
fn nearest_place(value: &Value, mut path: Path) -> Path {
    while !path.is_empty() && value.get(&path).is_err() {
        path.pop();
    }
    path
}

fn between(min: u64, max: u64) -> Result<LengthRange> {
    LengthRange::new(min, Some(max)).map_err(|_| {
        Error::new(Kind::Argument, format!("the minimum length {min} is above the maximum length {max}"))
    })
}

#[cold]
fn needs_type() -> Error {
    Error::new(Kind::NeedsType, "the given value must have a known type: attach one with `assume_type` first")
}
