//! A model of abstract values, and what they may become, built from the public view of a value alone.

use std::collections::BTreeMap;

use crate::{Mark, Value, View};

use super::concrete::{Con, Num, Ty};

mod bits;
mod claim;

pub use bits::Bits;
pub use claim::{Claim, Within};

/// The model of an abstract value, as its view shows it, without marks. Two values with the same view have the same
/// model.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Abs {
    /// An unknown value of unknown type.
    Dynamic,
    /// An unknown value of a type, with its facts.
    Unknown(Ty, Claim),
    /// The null of a type.
    Null(Ty),
    /// A bool.
    Bool(bool),
    /// A number.
    Num(Num),
    /// A string.
    Str(String),
    /// A capsule.
    Capsule(Value),
    /// A list with its element type.
    List(Ty, Vec<Abs>),
    /// A set.
    Set {
        /// The element type.
        element: Ty,
        /// The wholly known members.
        known: Vec<Abs>,
        /// The members that are not wholly known.
        undecided: Vec<Abs>,
        /// The minimum and the maximum length.
        length: (u64, Option<u64>),
    },
    /// A map with its element type.
    Map(Ty, BTreeMap<String, Abs>),
    /// A tuple.
    Tuple(Vec<Abs>),
    /// An object.
    Object(BTreeMap<String, Abs>),
}

impl Abs {
    /// The model of a value, without its marks.
    pub fn of(value: &Value) -> Abs {
        Abs::read(value, &mut Vec::new(), &mut Vec::new())
    }

    /// The model of a value, and its marks with their places.
    pub fn with_marks(value: &Value) -> (Abs, Vec<(Vec<String>, Mark)>) {
        let mut marks = Vec::new();
        let abs = Abs::read(value, &mut Vec::new(), &mut marks);
        (abs, marks)
    }

    /// The model of a value at `place`; adds the marks inside it to `marks`.
    fn read(value: &Value, place: &mut Vec<String>, marks: &mut Vec<(Vec<String>, Mark)>) -> Abs {
        fn at(
            step: String,
            part: &Value,
            place: &mut Vec<String>,
            marks: &mut Vec<(Vec<String>, Mark)>,
        ) -> Abs {
            place.push(step);
            let part = Abs::read(part, place, marks);
            place.pop();
            part
        }
        match value.view() {
            View::Marked(marked) => {
                marks.extend(marked.marks().iter().map(|mark| (place.clone(), mark.clone())));
                Abs::read(&marked.value(), place, marks)
            }
            View::Dynamic => Abs::Dynamic,
            View::Unknown(range) => Abs::Unknown(Ty::of(range.ty()), Claim::of(range.refinement())),
            View::Null(ty) => Abs::Null(Ty::of(&ty)),
            View::Bool(truth) => Abs::Bool(truth),
            View::Number(number) => Abs::Num(Num::from(number)),
            View::String(text) => Abs::Str(text.to_owned()),
            View::Capsule(_) => Abs::Capsule(value.clone()),
            View::List(list) => Abs::List(
                Ty::of(list.element_type()),
                list.iter().enumerate().map(|(i, part)| at(i.to_string(), part, place, marks)).collect(),
            ),
            View::Set(set) => Abs::Set {
                element: Ty::of(set.element_type()),
                known: set.known().iter().map(|part| at("set".to_owned(), part, place, marks)).collect(),
                undecided: set
                    .not_wholly_known()
                    .iter()
                    .map(|part| at("set".to_owned(), part, place, marks))
                    .collect(),
                length: (set.length().lower(), set.length().upper()),
            },
            View::Map(map) => Abs::Map(
                Ty::of(map.element_type()),
                map.iter()
                    .map(|(key, part)| (key.to_owned(), at(key.to_owned(), part, place, marks)))
                    .collect(),
            ),
            View::Tuple(tuple) => Abs::Tuple(
                tuple.iter().enumerate().map(|(i, part)| at(i.to_string(), part, place, marks)).collect(),
            ),
            View::Object(object) => Abs::Object(
                object
                    .iter()
                    .map(|(name, part)| (name.to_owned(), at(name.to_owned(), part, place, marks)))
                    .collect(),
            ),
        }
    }

    /// Whether the value may become `con`.
    pub fn may_become(&self, con: &Con) -> bool {
        self.becomes(con, false)
    }

    /// Whether the value may become `con`. `open` is true inside a collection with an undecided element type: each
    /// dynamic type there is decided together with the element type, so a null or an empty collection counts as one
    /// of any such type.
    fn becomes(&self, con: &Con, open: bool) -> bool {
        let fits = |own: &Ty, found: &Ty| if open { own.covers(found) } else { own == found };
        match (self, con) {
            (Abs::Dynamic, _) => true,
            (Abs::Unknown(ty, claim), con) => ty.covers(&con.ty()) && claim.holds(con),
            (Abs::Null(own), Con::Null(ty)) => fits(own, ty),
            (Abs::Bool(a), Con::Bool(b)) => a == b,
            (Abs::Num(a), Con::Num(b)) => a == b,
            (Abs::Str(a), Con::Str(b)) => a == b,
            (Abs::Capsule(a), Con::Capsule(b)) => a == b,
            (Abs::List(own, parts), Con::List(ty, items)) => {
                may_become_collection(own, ty, parts.is_empty(), open)
                    && parts.len() == items.len()
                    && parts
                        .iter()
                        .zip(items)
                        .all(|(part, item)| part.becomes(item, open || own.has_dynamic()))
            }
            (Abs::Map(own, parts), Con::Map(ty, entries)) => {
                may_become_collection(own, ty, parts.is_empty(), open)
                    && parts.keys().eq(entries.keys())
                    && parts
                        .values()
                        .zip(entries.values())
                        .all(|(part, item)| part.becomes(item, open || own.has_dynamic()))
            }
            (Abs::Set { element, known, undecided, length: (min, max) }, Con::Set(ty, members)) => {
                let count = members.len() as u64;
                if !may_become_collection(element, ty, known.is_empty() && undecided.is_empty(), open)
                    || count < *min
                    || max.is_some_and(|max| max < count)
                {
                    return false;
                }
                let open = open || element.has_dynamic();
                let choices: Vec<Vec<usize>> = known
                    .iter()
                    .chain(undecided)
                    .map(|part| {
                        let fitting =
                            members.iter().enumerate().filter(|(_, member)| part.becomes(member, open));
                        fitting.map(|(i, _)| i).collect()
                    })
                    .collect();
                can_cover_all(&choices, &mut vec![0; members.len()], members.len())
            }
            (Abs::Tuple(parts), Con::Tuple(items)) => {
                parts.len() == items.len()
                    && parts.iter().zip(items).all(|(part, item)| part.becomes(item, open))
            }
            (Abs::Object(parts), Con::Object(items)) => {
                parts.keys().eq(items.keys())
                    && parts.values().zip(items.values()).all(|(part, item)| part.becomes(item, open))
            }
            _ => false,
        }
    }

    /// The kind of the value, for the precision ledger: its level and its type.
    pub fn kind(&self) -> String {
        match self {
            Abs::Dynamic => "dynamic".to_owned(),
            Abs::Unknown(ty, claim) => {
                let refined = *claim != Claim { null: true, other: true, range: Within::Any };
                format!("{} {}", if refined { "refined" } else { "unknown" }, ty.to_type())
            }
            Abs::Null(ty) => format!("null {}", ty.to_type()),
            known if known.is_wholly_known() => format!("known {}", known.ty().to_type()),
            partial => format!("partial {}", partial.ty().to_type()),
        }
    }

    /// The type, as far as it is known.
    pub fn ty(&self) -> Ty {
        match self {
            Abs::Dynamic => Ty::Dyn,
            Abs::Unknown(ty, _) | Abs::Null(ty) => ty.clone(),
            Abs::Bool(_) => Ty::Bool,
            Abs::Num(_) => Ty::Num,
            Abs::Str(_) => Ty::Str,
            Abs::Capsule(capsule) => Ty::of(&capsule.ty()),
            Abs::List(ty, _) => Ty::List(Box::new(ty.clone())),
            Abs::Set { element, .. } => Ty::Set(Box::new(element.clone())),
            Abs::Map(ty, _) => Ty::Map(Box::new(ty.clone())),
            Abs::Tuple(parts) => Ty::Tuple(parts.iter().map(Abs::ty).collect()),
            Abs::Object(parts) => {
                Ty::Object(parts.iter().map(|(name, part)| (name.clone(), part.ty())).collect())
            }
        }
    }

    /// Whether all parts of the value are known.
    pub fn is_wholly_known(&self) -> bool {
        match self {
            Abs::Dynamic | Abs::Unknown(..) => false,
            Abs::Null(_) | Abs::Bool(_) | Abs::Num(_) | Abs::Str(_) | Abs::Capsule(_) => true,
            Abs::List(ty, parts) => {
                parts.is_empty() || !ty.has_dynamic() && parts.iter().all(Abs::is_wholly_known)
            }
            Abs::Set { element, known, undecided, .. } => {
                undecided.is_empty() && (known.is_empty() || !element.has_dynamic())
            }
            Abs::Map(ty, parts) => {
                parts.is_empty() || !ty.has_dynamic() && parts.values().all(Abs::is_wholly_known)
            }
            Abs::Tuple(parts) => parts.iter().all(Abs::is_wholly_known),
            Abs::Object(parts) => parts.values().all(Abs::is_wholly_known),
        }
    }
}

/// Whether a collection of element type `own` may become one of element type `ty`.
fn may_become_collection(own: &Ty, ty: &Ty, empty: bool, open: bool) -> bool {
    if empty && !open { own == ty } else { own.covers(ty) }
}

/// Whether each member can be assigned one of its choices so that all places are covered.
fn can_cover_all(choices: &[Vec<usize>], taken: &mut Vec<usize>, free: usize) -> bool {
    let Some((first, rest)) = choices.split_first() else { return free == 0 };
    if free > choices.len() {
        return false;
    }
    first.iter().any(|&place| {
        taken[place] += 1;
        let free = if taken[place] == 1 { free - 1 } else { free };
        let found = can_cover_all(rest, taken, free);
        taken[place] -= 1;
        found
    })
}
