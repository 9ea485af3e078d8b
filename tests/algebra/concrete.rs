//! Concrete values and the operations on them: the reference that the library is held against. Nothing here
//! uses the library's own equality, order, ranges or refinements.

use std::collections::{BTreeMap, BTreeSet};

use plantime::{Type, Value};

/// A type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Ty {
    Dyn,
    Bool,
    Num,
    Str,
    List(Box<Ty>),
    Set(Box<Ty>),
    Map(Box<Ty>),
    Tuple(Vec<Ty>),
    Object(BTreeMap<String, Ty>),
}

impl Ty {
    pub(crate) fn of(ty: &Type) -> Ty {
        match ty {
            Type::Dynamic => Ty::Dyn,
            Type::Bool => Ty::Bool,
            Type::Number => Ty::Num,
            Type::String => Ty::Str,
            Type::List(ty) => Ty::List(Box::new(Ty::of(ty.element()))),
            Type::Set(ty) => Ty::Set(Box::new(Ty::of(ty.element()))),
            Type::Map(ty) => Ty::Map(Box::new(Ty::of(ty.element()))),
            Type::Tuple(ty) => Ty::Tuple(ty.iter().map(Ty::of).collect()),
            Type::Object(ty) => {
                Ty::Object(ty.iter().map(|(name, ty)| (name.to_owned(), Ty::of(ty))).collect())
            }
        }
    }

    pub(crate) fn to_type(&self) -> Type {
        match self {
            Ty::Dyn => Type::Dynamic,
            Ty::Bool => Type::Bool,
            Ty::Num => Type::Number,
            Ty::Str => Type::String,
            Ty::List(ty) => Type::list(ty.to_type()).unwrap(),
            Ty::Set(ty) => Type::set(ty.to_type()).unwrap(),
            Ty::Map(ty) => Type::map(ty.to_type()).unwrap(),
            Ty::Tuple(parts) => Type::tuple(parts.iter().map(Ty::to_type)).unwrap(),
            Ty::Object(parts) => Type::object(parts.iter().map(|(name, ty)| (name, ty.to_type()))).unwrap(),
        }
    }

    pub(crate) fn has_dynamic(&self) -> bool {
        match self {
            Ty::Dyn => true,
            Ty::Bool | Ty::Num | Ty::Str => false,
            Ty::List(ty) | Ty::Set(ty) | Ty::Map(ty) => ty.has_dynamic(),
            Ty::Tuple(parts) => parts.iter().any(Ty::has_dynamic),
            Ty::Object(parts) => parts.values().any(Ty::has_dynamic),
        }
    }

    /// Whether `other` is this type with each dynamic replaced by some type.
    pub(crate) fn covers(&self, other: &Ty) -> bool {
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
}

impl Ty {
    /// Whether some type is covered by both.
    pub(crate) fn agrees_with(&self, other: &Ty) -> bool {
        decide(self, other).is_some()
    }
}

/// A number of the universes: a whole number of quarters, or an infinity. Ordered by value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Num {
    NegInf,
    Quarters(i64),
    Inf,
}

impl Num {
    pub(crate) const fn whole(number: i64) -> Num {
        Num::Quarters(number * 4)
    }

    pub(crate) fn parse(text: &str) -> Num {
        let (sign, digits) = match text.strip_prefix('-') {
            Some(digits) => (-1, digits),
            None => (1, text),
        };
        let (whole, rest) = digits.split_once('.').unwrap_or((digits, "0"));
        let rest = match rest {
            "0" => 0,
            "25" => 1,
            "5" => 2,
            "75" => 3,
            _ => panic!("{text} is no number of the universes"),
        };
        match (whole, sign) {
            ("inf", 1) => Num::Inf,
            ("inf", _) => Num::NegInf,
            _ => Num::Quarters(sign * (whole.parse::<i64>().unwrap() * 4 + rest)),
        }
    }

    pub(crate) fn text(self) -> String {
        match self {
            Num::NegInf => "-inf".to_owned(),
            Num::Inf => "inf".to_owned(),
            Num::Quarters(quarters) => {
                let sign = if quarters < 0 { "-" } else { "" };
                let rest = ["", ".25", ".5", ".75"][quarters.unsigned_abs() as usize % 4];
                format!("{sign}{}{rest}", quarters.abs() / 4)
            }
        }
    }

    pub(crate) fn number(self) -> plantime::Number {
        self.text().parse().unwrap()
    }

    /// The place in a sequence that this number names, if it names one.
    fn place(self) -> Option<usize> {
        match self {
            Num::Quarters(quarters) if quarters >= 0 && quarters % 4 == 0 => Some(quarters as usize / 4),
            _ => None,
        }
    }
}

/// A wholly known value. The element type of a collection that is not empty contains no dynamic.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Con {
    Null(Ty),
    Bool(bool),
    Num(Num),
    Str(String),
    List(Ty, Vec<Con>),
    Set(Ty, BTreeSet<Con>),
    Map(Ty, BTreeMap<String, Con>),
    Tuple(Vec<Con>),
    Object(BTreeMap<String, Con>),
}

impl Con {
    pub(crate) fn is_null(&self) -> bool {
        matches!(self, Con::Null(_))
    }

    pub(crate) fn ty(&self) -> Ty {
        match self {
            Con::Null(ty) => ty.clone(),
            Con::Bool(_) => Ty::Bool,
            Con::Num(_) => Ty::Num,
            Con::Str(_) => Ty::Str,
            Con::List(ty, _) => Ty::List(Box::new(ty.clone())),
            Con::Set(ty, _) => Ty::Set(Box::new(ty.clone())),
            Con::Map(ty, _) => Ty::Map(Box::new(ty.clone())),
            Con::Tuple(parts) => Ty::Tuple(parts.iter().map(Con::ty).collect()),
            Con::Object(parts) => {
                Ty::Object(parts.iter().map(|(name, part)| (name.clone(), part.ty())).collect())
            }
        }
    }

    /// The same as a value of the library.
    pub(crate) fn value(&self) -> Value {
        match self {
            Con::Null(ty) => Value::null(ty.to_type()),
            Con::Bool(truth) => Value::from(*truth),
            Con::Num(number) => Value::from(number.number()),
            Con::Str(text) => Value::from(text.as_str()),
            Con::List(ty, items) => Value::list_of(ty.to_type(), items.iter().map(Con::value)).unwrap(),
            Con::Set(ty, items) => Value::set_of(ty.to_type(), items.iter().map(Con::value)).unwrap(),
            Con::Map(ty, entries) => {
                Value::map_of(ty.to_type(), entries.iter().map(|(key, item)| (key, item.value()))).unwrap()
            }
            Con::Tuple(parts) => Value::tuple(parts.iter().map(Con::value)).unwrap(),
            Con::Object(parts) => {
                Value::object(parts.iter().map(|(name, part)| (name, part.value()))).unwrap()
            }
        }
    }
}

/// The outcome of a concrete operation; `None` is an error.
pub(crate) type Outcome = Option<Con>;

fn truth(con: &Con) -> Option<bool> {
    match con {
        Con::Bool(truth) => Some(*truth),
        _ => None,
    }
}

fn number(con: &Con) -> Option<Num> {
    match con {
        Con::Num(number) => Some(*number),
        _ => None,
    }
}

/// Two nulls are equal, whatever their types; all else by type and content.
pub(crate) fn equal(a: &Con, b: &Con) -> bool {
    a.is_null() && b.is_null() || a == b
}

pub(crate) fn equals(a: &Con, b: &Con) -> Outcome {
    Some(Con::Bool(equal(a, b)))
}

pub(crate) fn not_equal(a: &Con, b: &Con) -> Outcome {
    Some(Con::Bool(!equal(a, b)))
}

pub(crate) fn and(a: &Con, b: &Con) -> Outcome {
    let (a, b) = (truth(a)?, truth(b)?);
    Some(Con::Bool(a && b))
}

pub(crate) fn or(a: &Con, b: &Con) -> Outcome {
    let (a, b) = (truth(a)?, truth(b)?);
    Some(Con::Bool(a || b))
}

pub(crate) fn not(a: &Con) -> Outcome {
    Some(Con::Bool(!truth(a)?))
}

pub(crate) fn less_than(a: &Con, b: &Con) -> Outcome {
    Some(Con::Bool(number(a)? < number(b)?))
}

pub(crate) fn greater_than(a: &Con, b: &Con) -> Outcome {
    Some(Con::Bool(number(a)? > number(b)?))
}

pub(crate) fn less_than_or_equal(a: &Con, b: &Con) -> Outcome {
    Some(Con::Bool(number(a)? <= number(b)?))
}

pub(crate) fn greater_than_or_equal(a: &Con, b: &Con) -> Outcome {
    Some(Con::Bool(number(a)? >= number(b)?))
}

pub(crate) fn length(a: &Con) -> Outcome {
    let length = match a {
        Con::List(_, items) => items.len(),
        Con::Set(_, items) => items.len(),
        Con::Map(_, entries) => entries.len(),
        Con::Tuple(parts) => parts.len(),
        Con::Object(parts) => parts.len(),
        _ => return None,
    };
    Some(Con::Num(Num::whole(length as i64)))
}

pub(crate) fn index(a: &Con, key: &Con) -> Outcome {
    match (a, key) {
        (Con::List(_, items) | Con::Tuple(items), Con::Num(place)) => items.get(place.place()?).cloned(),
        (Con::Map(ty, entries), Con::Str(key)) => {
            Some(entries.get(key).cloned().unwrap_or_else(|| Con::Null(ty.clone())))
        }
        _ => None,
    }
}

/// Attaching a type to what has none yet.
pub(crate) fn assume_type(a: &Con, wanted: &Ty) -> Outcome {
    let own = a.ty();
    if !own.has_dynamic() {
        return wanted.covers(&own).then(|| a.clone());
    }
    match (a, wanted) {
        (_, Ty::Dyn) => Some(a.clone()),
        (Con::Null(own), wanted) => Some(Con::Null(decide(own, wanted)?)),
        (Con::List(own, _), Ty::List(wanted)) => Some(Con::List(decide(own, wanted)?, Vec::new())),
        (Con::Set(own, _), Ty::Set(wanted)) => Some(Con::Set(decide(own, wanted)?, BTreeSet::new())),
        (Con::Map(own, _), Ty::Map(wanted)) => Some(Con::Map(decide(own, wanted)?, BTreeMap::new())),
        (Con::Tuple(parts), Ty::Tuple(wanted)) if parts.len() == wanted.len() => Some(Con::Tuple(
            parts.iter().zip(wanted).map(|(a, ty)| assume_type(a, ty)).collect::<Option<_>>()?,
        )),
        (Con::Object(parts), Ty::Object(wanted)) if parts.keys().eq(wanted.keys()) => {
            let parts = parts.iter().zip(wanted.values());
            Some(Con::Object(
                parts
                    .map(|((name, a), ty)| Some((name.clone(), assume_type(a, ty)?)))
                    .collect::<Option<_>>()?,
            ))
        }
        _ => None,
    }
}

/// `own` with its dynamics replaced by what stands there in `wanted`, if the rest agrees.
fn decide(own: &Ty, wanted: &Ty) -> Option<Ty> {
    Some(match (own, wanted) {
        (Ty::Dyn, wanted) => wanted.clone(),
        (own, Ty::Dyn) => own.clone(),
        (Ty::List(a), Ty::List(b)) => Ty::List(Box::new(decide(a, b)?)),
        (Ty::Set(a), Ty::Set(b)) => Ty::Set(Box::new(decide(a, b)?)),
        (Ty::Map(a), Ty::Map(b)) => Ty::Map(Box::new(decide(a, b)?)),
        (Ty::Tuple(a), Ty::Tuple(b)) if a.len() == b.len() => {
            Ty::Tuple(a.iter().zip(b).map(|(a, b)| decide(a, b)).collect::<Option<_>>()?)
        }
        (Ty::Object(a), Ty::Object(b)) if a.keys().eq(b.keys()) => Ty::Object(
            a.iter()
                .zip(b.values())
                .map(|((name, a), b)| Some((name.clone(), decide(a, b)?)))
                .collect::<Option<_>>()?,
        ),
        (a, b) if a == b => a.clone(),
        _ => return None,
    })
}
