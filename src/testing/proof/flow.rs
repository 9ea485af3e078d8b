//! The law of marks as information flow: what stands behind a mark shows nowhere, and a mark that an answer has once all
//! is known is on it before.

use std::collections::{BTreeMap, HashMap};

use crate::{Mark, Path, Type, Value};

use super::super::concrete::Ty;
use super::super::domain::Domain;
use super::super::flow::{self, Hidden, Seen, behind_mark, told_apart};
use super::super::gamma::Abs;
use super::super::report::{Found, Law};
use super::abstracts::operands;
use super::{Places, Proof, said};

/// About how many combinations of operands are tried for each operand that is marked, at its top and inside.
const TRIED: usize = 2_500;
/// How many contents stand behind one mark.
const CONTENTS: usize = 6;
/// How many parts of an operand are marked, one at a time.
const PARTS: usize = 4;
/// How many of the things that operands may become are tried.
const OUTCOMES: usize = 4;

/// A mark on one operand, or on one part of it, at a time, with several contents behind it.
pub(super) fn hold(proof: &Proof<'_>, domains: &[Domain], found: &mut Found) {
    let mut tried = Tried { proof, domains, found, contents: HashMap::new() };
    for operand in 0..domains.len() {
        tried.at_top(operand);
        tried.inside(operand);
    }
}

fn mark() -> Mark {
    Mark::new("m")
}

struct Tried<'t, 'p> {
    proof: &'t Proof<'p>,
    domains: &'t [Domain],
    found: &'t mut Found,
    /// By their type.
    contents: HashMap<Type, Vec<Value>>,
}

impl Tried<'_, '_> {
    /// Combinations of operands where this one has some choices of its own.
    fn combinations(&self, operand: usize, choices: usize) -> Places {
        let lengths = self.domains.iter().map(|domain| domain.abstracts().len()).enumerate();
        let lengths = lengths.map(|(i, length)| if i == operand { choices } else { length });
        Places::at_most(lengths.collect(), TRIED)
    }

    /// The whole operand is marked: whatever of its type it is, the answer looks the same.
    fn at_top(&mut self, operand: usize) {
        let mut of_type: BTreeMap<Ty, Vec<usize>> = BTreeMap::new();
        for (i, (value, abs)) in self.domains[operand].values().abstracts.iter().enumerate() {
            if !value.contains_marks() {
                of_type.entry(abs.ty()).or_default().push(i);
            }
        }
        let of_type: Vec<Vec<usize>> = of_type.into_values().filter(|alike| alike.len() > 1).collect();
        for (turn, mut places) in self.combinations(operand, of_type.len()).enumerate() {
            let alike = &of_type[places[operand]];
            let every = alike.len().div_ceil(CONTENTS);
            let some = alike.iter().skip(turn % every).step_by(every);
            places[operand] = alike[0];
            let own = &self.domains[operand].values().abstracts;
            let contents: Vec<Value> = some.map(|i| own[*i].0.clone()).collect();
            let Some(first) = contents.first() else { continue };
            let values = behind_mark(first, &Path::new(), &mark(), &contents);
            self.look_the_same(operand, &places, &Path::new(), &values);
        }
    }

    /// A part of the operand is marked.
    fn inside(&mut self, operand: usize) {
        let own = &self.domains[operand].values().abstracts;
        let with_parts: Vec<usize> = (0..own.len())
            .filter(|i| own[*i].0.parts().nth(1).is_some() && !own[*i].0.contains_marks())
            .collect();
        for (turn, mut places) in self.combinations(operand, with_parts.len()).enumerate() {
            places[operand] = with_parts[places[operand]];
            let whole = self.domains[operand].values().abstracts[places[operand]].0.clone();
            for (place, part) in whole.parts().skip(1).take(PARTS) {
                let contents = self.contents_of(&part.ty());
                let values = behind_mark(&whole, &place, &mark(), &contents);
                self.look_the_same(operand, &places, &place, &values);
                self.keep(operand, &places, &place, turn);
            }
        }
    }

    /// Some that are at hand, and some that are told apart easily.
    fn contents_of(&mut self, ty: &Type) -> Vec<Value> {
        if let Some(contents) = self.contents.get(ty) {
            return contents.clone();
        }
        let mut contents = flow::contents(ty);
        let at_hand = self.domains.iter().flat_map(Domain::abstracts);
        let at_hand: Vec<&Value> =
            at_hand.filter(|value| value.has_type(ty) && !value.contains_marks()).collect();
        let every = at_hand.len().div_ceil(CONTENTS).max(1);
        contents.extend(at_hand.into_iter().step_by(every).cloned());
        self.contents.insert(ty.clone(), contents.clone());
        contents
    }

    fn look_the_same(&mut self, operand: usize, places: &[usize], place: &Path, values: &[Hidden]) {
        let (proof, found) = (self.proof, &mut *self.found);
        let (others, abs) = operands(self.domains, places);
        let look = |value: &Value| {
            let mut operands = others.clone();
            operands[operand] = value;
            match proof.call(&operands, found) {
                Ok(answer) if proof.types_follow_values => Seen::of_any_type(&answer),
                Ok(answer) => Seen::of(&answer),
                Err(error) => Seen::Error(error),
            }
        };
        let Some([(one, one_seen), (other, other_seen)]) = told_apart(values, look) else { return };
        self.found.add(Law::Marks, &abs, || {
            let told = |(hidden, seen): (&Hidden, Seen)| {
                format!("with {:?} behind the mark it is {seen}", hidden.content)
            };
            let marked =
                if place.is_empty() { "is marked".to_owned() } else { format!("is marked at {place}") };
            format!(
                "{} shows what is behind a mark where operand {} {marked}:\n{}\n{}",
                proof.text(&others),
                operand + 1,
                told((one, one_seen)),
                told((other, other_seen))
            )
        });
    }

    /// A mark that the answer has once all is known is on it before, at its place or above.
    fn keep(&mut self, operand: usize, places: &[usize], place: &Path, turn: usize) {
        let (mut values, abs) = operands(self.domains, places);
        let at = [(place.clone(), mark().into())];
        let marked = values[operand].mark_with_paths(&at);
        let bare = std::mem::replace(&mut values[operand], &marked);
        if values.iter().all(|value| value.is_wholly_known()) {
            return;
        }
        let Ok(before) = self.proof.call(&values, self.found) else { return };
        let (_, before_marks) = Abs::with_marks(&before);
        for outcome in 0..OUTCOMES {
            let known: Vec<&Value> = self
                .domains
                .iter()
                .zip(places)
                .enumerate()
                .filter_map(|(i, (domain, place))| {
                    let gamma = domain.values().gamma.get(*place)?;
                    let chosen = gamma.get((turn + outcome) * (i + 3) % gamma.len().max(1))?;
                    Some(&domain.values().concretes[*chosen].0)
                })
                .collect();
            if known.len() != places.len() {
                return;
            }
            let mut known = known;
            let marked = known[operand].mark_with_paths(&at);
            known[operand] = &marked;
            let Ok(after) = self.proof.call(&known, self.found) else { continue };
            let is_kept = |(place, mark): &(Vec<String>, Mark)| {
                before_marks.iter().any(|(above, other)| mark == other && place.starts_with(above))
            };
            if Abs::with_marks(&after).1.iter().all(is_kept) {
                continue;
            }
            let proof = self.proof;
            values[operand] = bare;
            self.found.add(Law::Marks, &abs, || {
                let answer = |answer| said(&Ok(answer));
                format!(
                    "{} {}\nloses the mark that operand {} has at {place}: with {} it {}",
                    proof.text(&values),
                    answer(before),
                    operand + 1,
                    proof.text(&known),
                    answer(after)
                )
            });
            return;
        }
    }
}
