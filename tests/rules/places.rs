//! Where a path leads in a concrete value, written apart from the crate's own.

use plantime::rule::PathExpr;

use crate::concrete::{C, Ty};

/// A step of a path as these tests write it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum To {
    Name(&'static str),
    Key(&'static str),
    Index(usize),
    Each,
}

pub(crate) fn expression(steps: &[To]) -> PathExpr {
    let text = |(i, step): (usize, &To)| match step {
        To::Name(name) if i == 0 => (*name).to_owned(),
        To::Name(name) => format!(".{name}"),
        To::Key(key) => format!("[\"{key}\"]"),
        To::Index(index) => format!("[{index}]"),
        To::Each => "[*]".to_owned(),
    };
    steps.iter().enumerate().map(text).collect::<String>().parse().unwrap()
}

/// A place: how it is reached, what is there, and whether a `[*]` stopped at a null above it.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    taken: Vec<Option<To>>,
    pub(crate) part: C,
    pub(crate) no_elements: bool,
}

/// All places that a path leads to. What is below a null, or not there, is null.
pub(crate) fn places(steps: &[To], value: &C) -> Vec<Place> {
    let mut here = vec![Place { taken: Vec::new(), part: value.clone(), no_elements: false }];
    for (i, step) in steps.iter().enumerate() {
        let below_each = steps[i..].contains(&To::Each);
        here = here.into_iter().flat_map(|place| next(place, *step, below_each)).collect();
    }
    here
}

fn next(place: Place, step: To, below_each: bool) -> Vec<Place> {
    let null = || C::Null(Ty::Any);
    let to = |taken: Option<To>, part: &C| Place {
        taken: place.taken.iter().copied().chain([taken]).collect(),
        part: part.clone(),
        no_elements: place.no_elements,
    };
    let lost = |below_each: bool| {
        vec![Place {
            taken: place.taken.iter().copied().chain([Some(step)]).collect(),
            part: null(),
            no_elements: place.no_elements || below_each,
        }]
    };
    match (step, &place.part) {
        (To::Each, C::List(_, items) | C::Tuple(items)) => {
            items.iter().enumerate().map(|(i, item)| to(Some(To::Index(i)), item)).collect()
        }
        (To::Each, C::Map(_, entries) | C::Object(entries)) => {
            entries.iter().map(|(key, item)| to(Some(To::Key(key)), item)).collect()
        }
        (To::Each, C::Set(_, members)) => members.iter().map(|member| to(None, member)).collect(),
        (To::Index(index), C::List(_, items) | C::Tuple(items)) => {
            items.get(index).map_or_else(|| lost(false), |item| vec![to(Some(step), item)])
        }
        (To::Name(key) | To::Key(key), C::Map(_, entries) | C::Object(entries)) => {
            entries.get(key).map_or_else(|| lost(false), |item| vec![to(Some(step), item)])
        }
        _ => lost(below_each),
    }
}

impl Place {
    /// What stood here in another value: null where that has no such part, nothing where a member of a set is meant,
    /// here or there.
    pub(crate) fn before(&self, before: &C) -> Option<C> {
        let mut here = before.clone();
        if self.taken.contains(&None) {
            return None;
        }
        for step in &self.taken {
            let part = match (step, &here) {
                (_, C::Set(..)) => return None,
                (Some(To::Name(key) | To::Key(key)), C::Map(_, entries) | C::Object(entries)) => {
                    entries.get(key)
                }
                (Some(To::Index(index)), C::List(_, items) | C::Tuple(items)) => items.get(*index),
                _ => None,
            };
            here = part.cloned().unwrap_or(C::Null(Ty::Any));
        }
        Some(here)
    }
}
