//! The model of types.

use std::collections::BTreeMap;

use crate::{CapsuleType, Type};

/// The message of the panic if converting a type of the model fails.
const WITHIN: &str = "a type within the limits";

/// The model of a type: like [`Type`], but compared without the code of the library.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ty {
    /// The dynamic type, which stands for one unknown type.
    Dyn,
    /// Bools.
    Bool,
    /// Numbers.
    Num,
    /// Strings.
    Str,
    /// Lists.
    List(Box<Ty>),
    /// Sets.
    Set(Box<Ty>),
    /// Maps.
    Map(Box<Ty>),
    /// Tuples.
    Tuple(Vec<Ty>),
    /// Objects.
    Object(BTreeMap<String, Ty>),
    /// Capsules.
    Capsule(CapsuleType),
}

impl Ty {
    /// The model of a type.
    pub fn of(ty: &Type) -> Ty {
        match ty {
            Type::Dynamic => Ty::Dyn,
            Type::Bool => Ty::Bool,
            Type::Number => Ty::Num,
            Type::String => Ty::Str,
            Type::List(ty) => Ty::List(Box::new(Ty::of(ty.element()))),
            Type::Set(ty) => Ty::Set(Box::new(Ty::of(ty.element()))),
            Type::Map(ty) => Ty::Map(Box::new(Ty::of(ty.element()))),
            Type::Capsule(ty) => Ty::Capsule(*ty),
            Type::Tuple(ty) => Ty::Tuple(ty.iter().map(Ty::of).collect()),
            Type::Object(ty) => {
                Ty::Object(ty.iter().map(|(name, ty)| (name.to_owned(), Ty::of(ty))).collect())
            }
        }
    }

    /// Converts the model to a type of the library.
    ///
    /// # Panics
    ///
    /// If it nests deeper than [`limits::DEPTH`](crate::limits::DEPTH).
    pub fn to_type(&self) -> Type {
        match self {
            Ty::Dyn => Type::Dynamic,
            Ty::Bool => Type::Bool,
            Ty::Num => Type::Number,
            Ty::Str => Type::String,
            Ty::Capsule(ty) => Type::Capsule(*ty),
            Ty::List(ty) => Type::list(ty.to_type()).expect(WITHIN),
            Ty::Set(ty) => Type::set(ty.to_type()).expect(WITHIN),
            Ty::Map(ty) => Type::map(ty.to_type()).expect(WITHIN),
            Ty::Tuple(parts) => Type::tuple(parts.iter().map(Ty::to_type)).expect(WITHIN),
            Ty::Object(parts) => {
                Type::object(parts.iter().map(|(name, ty)| (name, ty.to_type()))).expect(WITHIN)
            }
        }
    }

    /// Whether the type contains a dynamic type.
    pub fn has_dynamic(&self) -> bool {
        match self {
            Ty::Dyn => true,
            Ty::Bool | Ty::Num | Ty::Str | Ty::Capsule(_) => false,
            Ty::List(ty) | Ty::Set(ty) | Ty::Map(ty) => ty.has_dynamic(),
            Ty::Tuple(parts) => parts.iter().any(Ty::has_dynamic),
            Ty::Object(parts) => parts.values().any(Ty::has_dynamic),
        }
    }

    /// Whether `other` is this type with each dynamic type in it replaced by some type, not always the same one.
    pub fn covers(&self, other: &Ty) -> bool {
        match (self, other) {
            (Ty::Dyn, _) => true,
            (Ty::List(a), Ty::List(b)) | (Ty::Set(a), Ty::Set(b)) | (Ty::Map(a), Ty::Map(b)) => a.covers(b),
            (Ty::Tuple(a), Ty::Tuple(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.covers(b)),
            (Ty::Object(a), Ty::Object(b)) => {
                a.keys().eq(b.keys()) && a.values().zip(b.values()).all(|(a, b)| a.covers(b))
            }
            (a, b) => a == b,
        }
    }

    /// Whether both types can become the same type by replacing dynamic types.
    pub fn agrees_with(&self, other: &Ty) -> bool {
        self.decided_by(other).is_some()
    }

    /// The type that both types become when each dynamic type is replaced by the type at its place in the other.
    /// `None` if they differ elsewhere.
    pub fn decided_by(&self, wanted: &Ty) -> Option<Ty> {
        Some(match (self, wanted) {
            (Ty::Dyn, wanted) => wanted.clone(),
            (own, Ty::Dyn) => own.clone(),
            (Ty::List(a), Ty::List(b)) => Ty::List(Box::new(a.decided_by(b)?)),
            (Ty::Set(a), Ty::Set(b)) => Ty::Set(Box::new(a.decided_by(b)?)),
            (Ty::Map(a), Ty::Map(b)) => Ty::Map(Box::new(a.decided_by(b)?)),
            (Ty::Tuple(a), Ty::Tuple(b)) if a.len() == b.len() => {
                Ty::Tuple(a.iter().zip(b).map(|(a, b)| a.decided_by(b)).collect::<Option<_>>()?)
            }
            (Ty::Object(a), Ty::Object(b)) if a.keys().eq(b.keys()) => Ty::Object(
                a.iter()
                    .zip(b.values())
                    .map(|((name, a), b)| Some((name.clone(), a.decided_by(b)?)))
                    .collect::<Option<_>>()?,
            ),
            (a, b) if a == b => a.clone(),
            _ => return None,
        })
    }
}
