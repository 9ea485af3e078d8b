//! What an abstract value may become, read off its public view.

use std::collections::BTreeMap;

use plantime::{Bound, LengthRange, Mark, Nullness, Range, Refinement, Value, View};

use super::concrete::{Con, Num, Ty};

/// An abstract value as its view shows it, marks left out. Two values that read the same are the same.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Abs {
    Dynamic,
    Unknown(Ty, Claim),
    Null(Ty),
    Bool(bool),
    Num(Num),
    Str(String),
    List(Ty, Vec<Abs>),
    Set { element: Ty, known: Vec<Abs>, undecided: Vec<Abs>, length: (u64, Option<u64>) },
    Map(Ty, BTreeMap<String, Abs>),
    Tuple(Vec<Abs>),
    Object(BTreeMap<String, Abs>),
}

/// What is known of an unknown.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Claim {
    pub(crate) null: bool,
    pub(crate) other: bool,
    pub(crate) range: Within,
}

/// The range of what is not null.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Within {
    Any,
    Prefix(String),
    Number(Option<(Num, bool)>, Option<(Num, bool)>),
    Length(u64, Option<u64>),
}

impl Claim {
    pub(crate) fn of(refinement: &Refinement) -> Claim {
        let (null, other) = match refinement.nullness() {
            Nullness::Nullable => (true, true),
            Nullness::NotNull => (false, true),
            Nullness::Null => (true, false),
        };
        let end = |bound: &Bound| match bound {
            Bound::Unbounded => None,
            Bound::Inclusive(number) => Some((Num::parse(&number.to_string()), true)),
            Bound::Exclusive(number) => Some((Num::parse(&number.to_string()), false)),
        };
        let range = match refinement.range() {
            Range::Any => Within::Any,
            Range::Prefix(prefix) => Within::Prefix(prefix.as_str().to_owned()),
            Range::Number(range) => Within::Number(end(range.lower()), end(range.upper())),
            Range::Length(range) => Within::Length(range.lower(), range.upper()),
        };
        Claim { null, other, range }
    }

    /// Whether the value agrees, its type left aside.
    pub(crate) fn holds(&self, con: &Con) -> bool {
        if con.is_null() { self.null } else { self.other && self.range.holds(con) }
    }
}

impl Within {
    pub(crate) fn applies_to(&self, ty: &Ty) -> bool {
        match self {
            Within::Any => true,
            Within::Prefix(_) => *ty == Ty::Str,
            Within::Number(..) => *ty == Ty::Num,
            Within::Length(..) => matches!(ty, Ty::List(_) | Ty::Set(_) | Ty::Map(_)),
        }
    }

    pub(crate) fn holds(&self, con: &Con) -> bool {
        let of_length = |length: usize| match self {
            Within::Length(min, max) => *min <= length as u64 && max.is_none_or(|max| length as u64 <= max),
            _ => false,
        };
        match (self, con) {
            (Within::Any, _) => true,
            (Within::Prefix(prefix), Con::Str(text)) => text.as_bytes().starts_with(prefix.as_bytes()),
            (Within::Number(low, high), Con::Num(number)) => {
                let above = low.is_none_or(|(low, closed)| low < *number || closed && low == *number);
                let below = high.is_none_or(|(high, closed)| *number < high || closed && high == *number);
                above && below
            }
            (_, Con::List(_, items)) => of_length(items.len()),
            (_, Con::Set(_, items)) => of_length(items.len()),
            (_, Con::Map(_, entries)) => of_length(entries.len()),
            _ => false,
        }
    }
}

fn interval(range: LengthRange) -> (u64, Option<u64>) {
    (range.lower(), range.upper())
}

impl Abs {
    /// The value without its marks.
    pub(crate) fn of(value: &Value) -> Abs {
        Abs::read(value, &mut Vec::new(), &mut Vec::new())
    }

    /// The value without its marks, and these with their places.
    pub(crate) fn with_marks(value: &Value) -> (Abs, Vec<(Vec<String>, Mark)>) {
        let mut marks = Vec::new();
        let abs = Abs::read(value, &mut Vec::new(), &mut marks);
        (abs, marks)
    }

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
            View::Number(number) => Abs::Num(Num::parse(&number.to_string())),
            View::String(text) => Abs::Str(text.to_owned()),
            View::List(list) => Abs::List(
                Ty::of(list.element_type()),
                list.iter().enumerate().map(|(i, part)| at(i.to_string(), part, place, marks)).collect(),
            ),
            View::Set(set) => Abs::Set {
                element: Ty::of(set.element_type()),
                known: set.known().iter().map(|part| at("set".to_owned(), part, place, marks)).collect(),
                undecided: set
                    .undecided()
                    .iter()
                    .map(|part| at("set".to_owned(), part, place, marks))
                    .collect(),
                length: interval(set.length()),
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
    pub(crate) fn may_become(&self, con: &Con) -> bool {
        self.becomes(con, false)
    }

    /// `open`: below a collection whose element type is undecided; each dynamic of a type there is decided
    /// together with the element type, so that a null or an empty collection is one of any such type.
    fn becomes(&self, con: &Con, open: bool) -> bool {
        let fits = |own: &Ty, found: &Ty| if open { own.covers(found) } else { own == found };
        match (self, con) {
            (Abs::Dynamic, _) => true,
            (Abs::Unknown(ty, claim), con) => ty.covers(&con.ty()) && claim.holds(con),
            (Abs::Null(own), Con::Null(ty)) => fits(own, ty),
            (Abs::Bool(a), Con::Bool(b)) => a == b,
            (Abs::Num(a), Con::Num(b)) => a == b,
            (Abs::Str(a), Con::Str(b)) => a == b,
            (Abs::List(own, parts), Con::List(ty, items)) => {
                collection(own, ty, parts.is_empty(), open)
                    && parts.len() == items.len()
                    && parts
                        .iter()
                        .zip(items)
                        .all(|(part, item)| part.becomes(item, open || own.has_dynamic()))
            }
            (Abs::Map(own, parts), Con::Map(ty, entries)) => {
                collection(own, ty, parts.is_empty(), open)
                    && parts.keys().eq(entries.keys())
                    && parts
                        .values()
                        .zip(entries.values())
                        .all(|(part, item)| part.becomes(item, open || own.has_dynamic()))
            }
            (Abs::Set { element, known, undecided, length: (min, max) }, Con::Set(ty, members)) => {
                let count = members.len() as u64;
                if !collection(element, ty, known.is_empty() && undecided.is_empty(), open)
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
                onto(&choices, &mut vec![0; members.len()], members.len())
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

    /// Which kind of value it is, for the precision ledger.
    pub(crate) fn kind(&self) -> String {
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

    pub(crate) fn ty(&self) -> Ty {
        match self {
            Abs::Dynamic => Ty::Dyn,
            Abs::Unknown(ty, _) | Abs::Null(ty) => ty.clone(),
            Abs::Bool(_) => Ty::Bool,
            Abs::Num(_) => Ty::Num,
            Abs::Str(_) => Ty::Str,
            Abs::List(ty, _) => Ty::List(Box::new(ty.clone())),
            Abs::Set { element, .. } => Ty::Set(Box::new(element.clone())),
            Abs::Map(ty, _) => Ty::Map(Box::new(ty.clone())),
            Abs::Tuple(parts) => Ty::Tuple(parts.iter().map(Abs::ty).collect()),
            Abs::Object(parts) => {
                Ty::Object(parts.iter().map(|(name, part)| (name.clone(), part.ty())).collect())
            }
        }
    }

    pub(crate) fn is_wholly_known(&self) -> bool {
        match self {
            Abs::Dynamic | Abs::Unknown(..) => false,
            Abs::Null(_) | Abs::Bool(_) | Abs::Num(_) | Abs::Str(_) => true,
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
fn collection(own: &Ty, ty: &Ty, empty: bool, open: bool) -> bool {
    if empty && !open { own == ty } else { own.covers(ty) }
}

/// Whether each member can choose one of its places so that all places are taken.
fn onto(choices: &[Vec<usize>], taken: &mut Vec<usize>, free: usize) -> bool {
    let Some((first, rest)) = choices.split_first() else { return free == 0 };
    if free > choices.len() {
        return false;
    }
    first.iter().any(|&place| {
        taken[place] += 1;
        let free = if taken[place] == 1 { free - 1 } else { free };
        let found = onto(rest, taken, free);
        taken[place] -= 1;
        found
    })
}

/// A set of concrete values of a world, by number.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Bits(Vec<u64>);

impl Bits {
    pub(crate) fn none(len: usize) -> Bits {
        Bits(vec![0; len.div_ceil(64)])
    }

    pub(crate) fn insert(&mut self, i: usize) {
        self.0[i / 64] |= 1 << (i % 64);
    }

    pub(crate) fn contains(&self, i: usize) -> bool {
        self.0[i / 64] & 1 << (i % 64) != 0
    }

    pub(crate) fn within(&self, other: &Bits) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    pub(crate) fn and(&self, other: &Bits) -> Bits {
        Bits(self.0.iter().zip(&other.0).map(|(a, b)| a & b).collect())
    }

    pub(crate) fn add(&mut self, other: &Bits) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    pub(crate) fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> {
        self.0.iter().enumerate().flat_map(|(i, word)| {
            let mut word = *word;
            std::iter::from_fn(move || {
                let bit = word.trailing_zeros() as usize;
                if word == 0 {
                    return None;
                }
                word &= word - 1;
                Some(i * 64 + bit)
            })
        })
    }
}
