//! Concrete values and types, written apart from the crate's own.

use std::collections::{BTreeMap, BTreeSet};

use plantime::{Number, Type, Value};

/// A type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ty {
    Any,
    Bool,
    Num,
    Str,
    List(Box<Ty>),
    Set(Box<Ty>),
    Map(Box<Ty>),
    Tuple(Vec<Ty>),
    Object(BTreeMap<&'static str, Ty>),
}

pub(crate) fn list(ty: Ty) -> Ty {
    Ty::List(Box::new(ty))
}

pub(crate) fn set(ty: Ty) -> Ty {
    Ty::Set(Box::new(ty))
}

pub(crate) fn map(ty: Ty) -> Ty {
    Ty::Map(Box::new(ty))
}

/// A concrete value. Numbers count quarters; the two ends of `i64` are the infinities.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum C {
    Null(Ty),
    Bool(bool),
    Num(i64),
    Str(String),
    List(Ty, Vec<C>),
    Set(Ty, BTreeSet<C>),
    Map(Ty, BTreeMap<&'static str, C>),
    Tuple(Vec<C>),
    Object(BTreeMap<&'static str, C>),
}

pub(crate) const INF: i64 = i64::MAX;
pub(crate) const NEG_INF: i64 = i64::MIN;

impl Ty {
    pub(crate) fn to_type(&self) -> Type {
        match self {
            Ty::Any => Type::Dynamic,
            Ty::Bool => Type::Bool,
            Ty::Num => Type::Number,
            Ty::Str => Type::String,
            Ty::List(ty) => Type::list(ty.to_type()).unwrap(),
            Ty::Set(ty) => Type::set(ty.to_type()).unwrap(),
            Ty::Map(ty) => Type::map(ty.to_type()).unwrap(),
            Ty::Tuple(types) => Type::tuple(types.iter().map(Ty::to_type)).unwrap(),
            Ty::Object(types) => Type::object(types.iter().map(|(name, ty)| (*name, ty.to_type()))).unwrap(),
        }
    }

    /// Whether values of the concrete type are among those of this one.
    pub(crate) fn covers(&self, other: &Ty) -> bool {
        match (self, other) {
            (Ty::Any, _) => true,
            (Ty::List(a), Ty::List(b)) | (Ty::Set(a), Ty::Set(b)) | (Ty::Map(a), Ty::Map(b)) => a.covers(b),
            (Ty::Tuple(a), Ty::Tuple(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.covers(b)),
            (Ty::Object(a), Ty::Object(b)) => {
                a.keys().eq(b.keys()) && a.values().zip(b.values()).all(|(a, b)| a.covers(b))
            }
            (a, b) => a == b,
        }
    }
}

impl C {
    pub(crate) fn ty(&self) -> Ty {
        match self {
            C::Null(ty) => ty.clone(),
            C::Bool(_) => Ty::Bool,
            C::Num(_) => Ty::Num,
            C::Str(_) => Ty::Str,
            C::List(ty, _) => list(ty.clone()),
            C::Set(ty, _) => set(ty.clone()),
            C::Map(ty, _) => map(ty.clone()),
            C::Tuple(parts) => Ty::Tuple(parts.iter().map(C::ty).collect()),
            C::Object(parts) => Ty::Object(parts.iter().map(|(name, part)| (*name, part.ty())).collect()),
        }
    }

    pub(crate) fn is_null(&self) -> bool {
        matches!(self, C::Null(_))
    }

    pub(crate) fn to_value(&self) -> Value {
        match self {
            C::Null(ty) => Value::null(ty.to_type()),
            C::Bool(truth) => Value::from(*truth),
            C::Num(quarters) => Value::from(number(*quarters)),
            C::Str(text) => Value::from(text),
            C::List(ty, items) => Value::list_of(ty.to_type(), items.iter().map(C::to_value)).unwrap(),
            C::Set(ty, items) => Value::set_of(ty.to_type(), items.iter().map(C::to_value)).unwrap(),
            C::Map(ty, entries) => {
                Value::map_of(ty.to_type(), entries.iter().map(|(key, item)| (*key, item.to_value())))
                    .unwrap()
            }
            C::Tuple(items) => Value::tuple(items.iter().map(C::to_value)).unwrap(),
            C::Object(parts) => {
                Value::object(parts.iter().map(|(name, part)| (*name, part.to_value()))).unwrap()
            }
        }
    }
}

pub(crate) fn number(quarters: i64) -> Number {
    match quarters {
        INF => Number::INFINITY,
        NEG_INF => Number::NEG_INFINITY,
        quarters => Number::from(quarters).divide(&Number::from(4)).unwrap(),
    }
}
