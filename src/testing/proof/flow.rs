//! The law of marks as information flow: marked content shows nowhere, and a mark that the answer for known values
//! has is on the answer for unknown ones too.

use std::collections::{BTreeMap, HashMap};

use crate::{Mark, Path, Type, Value};

use super::super::concrete::Ty;
use super::super::domain::Domain;
use super::super::flow::{self, Hidden, Seen, behind_mark, distinguishable};
use super::super::gamma::Abs;
use super::super::report::{Collected, Law};
use super::abstracts::operands;
use super::{Combinations, Proof, answer_text};

/// The maximum number of combinations of operands that are tried for each operand, once with the whole operand marked
/// and once with an element inside it marked.
const COMBINATIONS: usize = 2_500;
/// The approximate number of different contents that are put behind one mark.
const CONTENTS: usize = 6;
/// The maximum number of elements inside an operand that are marked, one at a time.
const PARTS: usize = 4;
/// The number of combinations of known operands that the answer for unknown operands is compared with.
const OUTCOMES: usize = 4;

/// Marks one operand, or one element inside it, at a time, and checks that an observer sees the same answer whatever
/// the content behind the mark.
pub(super) fn check(proof: &Proof<'_>, domains: &[Domain], found: &mut Collected) {
    let mut tried = FlowCheck { proof, domains, found, contents: HashMap::new() };
    for operand in 0..domains.len() {
        tried.at_top(operand);
        tried.inside(operand);
    }
}

/// The mark that the check puts on operands.
fn mark() -> Mark {
    Mark::new("m")
}

/// The state of the check that marked content does not show in answers.
struct FlowCheck<'t, 'p> {
    proof: &'t Proof<'p>,
    domains: &'t [Domain],
    found: &'t mut Collected,
    /// The contents of each type.
    contents: HashMap<Type, Vec<Value>>,
}

impl FlowCheck<'_, '_> {
    /// Combinations of indices, one for each operand: into its domain, but below `choices` for the given operand.
    fn combinations(&self, operand: usize, choices: usize) -> Combinations {
        let lengths = self.domains.iter().map(|domain| domain.abstracts().len()).enumerate();
        let lengths = lengths.map(|(i, length)| if i == operand { choices } else { length });
        Combinations::at_most(lengths.collect(), COMBINATIONS)
    }

    /// Marks the whole operand, and checks that the answers for all contents of one type look the same.
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
            self.check_look(operand, &places, &Path::new(), &values);
        }
    }

    /// Marks one element inside the operand at a time, and checks that the answers for different contents look the
    /// same and that the mark is not lost.
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
                self.check_look(operand, &places, &place, &values);
                self.check_mark_stays(operand, &places, &place, turn);
            }
        }
    }

    /// Values of the type to put behind a mark: some from the domains, and some that are easily distinguished.
    /// Cached.
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

    /// Checks that the answers look the same when the operand is replaced by each of `values`, which differ only in
    /// the content behind the mark at `place`. `places` are the indices of all operands in their domains.
    fn check_look(&mut self, operand: usize, places: &[usize], place: &Path, values: &[Hidden]) {
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
        let Some([(one, one_seen), (other, other_seen)]) = distinguishable(values, look) else { return };
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

    /// Checks that a mark at `place` of the operand that reaches the answer for known values also reaches the answer
    /// for unknown ones, at the same place or above. `turn` varies the known values that are tried.
    fn check_mark_stays(&mut self, operand: usize, places: &[usize], place: &Path, turn: usize) {
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
                let answer = |answer| answer_text(&Ok(answer));
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
