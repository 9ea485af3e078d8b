//! Checks soundness, optimality, monotonicity and determinism of calls with operands that need not be known.

use crate::Value;

use super::super::domain::Domain;
use super::super::gamma::{Abs, Bits};
use super::super::report::{Collected, Findings, Law};
use super::answers::Answers;
use super::concretes::Concretes;
use super::{Answer, Combinations, Proof, answer_text};

/// The maximum number of calls that are repeated to check determinism.
const REPEATED_CALLS: usize = 5_000;

/// The abstract values at these indices, one into each domain, and their models.
pub(super) fn operands<'d>(domains: &'d [Domain], places: &[usize]) -> (Vec<&'d Value>, Vec<&'d Abs>) {
    let all = places.iter().zip(domains).map(|(i, domain)| &domain.values().abstracts[*i]);
    all.map(|(value, abs)| (value, abs)).unzip()
}

/// Checks soundness, optimality and monotonicity of all calls with abstract operands, by comparing them with `table`.
pub(super) fn check(proof: &Proof<'_>, domains: &[Domain], table: &Concretes, all: &mut Findings) {
    let mut tried = AbstractCalls {
        proof,
        domains,
        table,
        all,
        answers: Answers::new(&table.outcomes, domains),
        numbers: Vec::new(),
    };
    tried.choose_operands(&mut Vec::new(), &[]);
    tried.check_monotonicity();
}

/// The state of the check of all calls with abstract operands, and the answer to each call made so far.
struct AbstractCalls<'t, 'p> {
    proof: &'t Proof<'p>,
    domains: &'t [Domain],
    table: &'t Concretes,
    all: &'t mut Findings,
    answers: Answers<'t>,
    /// The number of the answer to each call; `None` is an error.
    numbers: Vec<Option<usize>>,
}

impl AbstractCalls<'_, '_> {
    /// Chooses the remaining operands in all ways, and makes and checks each call. `chosen` holds the indices of the
    /// operands chosen so far. `reached` holds, for each combination of concrete values of the other operands, the
    /// set of results that the chosen operands can lead to.
    fn choose_operands(&mut self, chosen: &mut Vec<usize>, reached: &[Bits]) {
        let Some(domain) = self.domains.get(chosen.len()) else {
            let mut wanted = Bits::none(self.table.outcomes.len());
            match reached {
                [reached] => wanted.add(reached),
                _ => self.table.table.iter().flatten().for_each(|outcome| wanted.insert(*outcome as usize)),
            }
            self.call(chosen, &wanted);
            return;
        };
        let rest = self.table.strides[chosen.len()];
        for (place, gamma) in domain.values().gamma.iter().enumerate() {
            let mut next = vec![Bits::none(self.table.outcomes.len()); rest];
            for &con in gamma {
                for (i, next) in next.iter_mut().enumerate() {
                    let from = con * rest + i;
                    if chosen.is_empty() {
                        self.table.table[from].iter().for_each(|outcome| next.insert(*outcome as usize));
                    } else {
                        next.add(&reached[from]);
                    }
                }
            }
            chosen.push(place);
            self.choose_operands(chosen, &next);
            chosen.pop();
        }
    }

    /// Makes one call, and checks that its answer may become every result in `wanted` and nothing more than
    /// necessary.
    fn call(&mut self, places: &[usize], wanted: &Bits) {
        let (proof, table, domains) = (self.proof, self.table, self.domains);
        let (values, abs) = operands(domains, places);
        let answer = proof.call(&values, &mut self.all.found);
        let text = || format!("{} {}", proof.text(&values), answer_text(&answer));
        let instance = |outcome: usize| {
            let example = table.example(domains, places, Some(outcome)).unwrap_or_default();
            format!("{} = {:?}", proof.text(&example), table.outcomes[outcome].value())
        };
        let number = match &answer {
            Err(_) => {
                if let Some(outcome) = wanted.iter().next() {
                    self.all
                        .found
                        .add(Law::Soundness, &abs, || format!("{}\nbut {}", text(), instance(outcome)));
                }
                None
            }
            Ok(value) => {
                let number = self.answers.index_of(value);
                if let Some(outcome) = self.answers.outside(number, wanted) {
                    self.all
                        .found
                        .add(Law::Soundness, &abs, || format!("{}\nbut {}", text(), instance(outcome)));
                } else if wanted.is_empty() {
                    if !self.all.ledger.excuses(&abs) {
                        self.all.imprecise.add(Law::CertainFailure, &abs, || {
                            format!("{}\nbut all that can come of it is an error", text())
                        });
                    }
                } else if let Some(better) = self.answers.better(number, wanted)
                    && !self.all.ledger.excuses(&abs)
                {
                    self.all.imprecise.add(Law::Optimality, &abs, || {
                        format!("{}\nbut {better:?} contains all that can come of it", text())
                    });
                }
                Some(number)
            }
        };
        self.numbers.push(number);
    }

    /// Checks that knowing more about an operand never makes an answer less known.
    fn check_monotonicity(&mut self) {
        let lengths: Vec<usize> = self.domains.iter().map(|domain| domain.abstracts().len()).collect();
        for (operand, domain) in self.domains.iter().enumerate() {
            let stride: usize = lengths[operand + 1..].iter().product();
            let block = stride * lengths[operand];
            for &(wide, narrow) in &domain.values().covering {
                for start in (0..self.numbers.len()).step_by(block.max(1)) {
                    for rest in 0..stride {
                        let [wide, narrow] = [wide, narrow].map(|place| start + place * stride + rest);
                        self.compare(&lengths, wide, narrow);
                    }
                }
            }
        }
    }

    /// Checks that the answer to the call `narrow` may become nothing that the answer to the call `wide` may not.
    /// Both are indices of calls that differ in one operand, where the operand of `wide` contains that of `narrow`.
    fn compare(&mut self, lengths: &[usize], wide: usize, narrow: usize) {
        let why = match (self.numbers[wide], self.numbers[narrow]) {
            (_, None) => return,
            (None, Some(_)) => None,
            (Some(a), Some(b)) if a == b || self.answers.within(b, a) => return,
            (Some(a), Some(b)) => self.answers.difference(b, a),
        };
        let places = |mut place: usize| {
            let mut places: Vec<usize> = Vec::new();
            for length in lengths.iter().rev() {
                places.insert(0, place % length);
                place /= length;
            }
            places
        };
        let (wide, wide_abs) = operands(self.domains, &places(wide));
        let (narrow, _) = operands(self.domains, &places(narrow));
        let (proof, mut ignored) = (self.proof, Collected::default());
        self.all.found.add(Law::Monotonicity, &wide_abs, || {
            let mut line = |operands: &[&Value]| {
                let answer: Answer = proof.call(operands, &mut ignored);
                format!("{} {}", proof.text(operands), answer_text(&answer))
            };
            let lines = format!("{}\nbut {}", line(&wide), line(&narrow));
            why.map_or_else(|| lines.clone(), |why| format!("{lines}\nwhich may become {why:?}"))
        });
    }
}

/// Checks determinism: makes some of the calls twice and compares the answers.
pub(super) fn check_determinism(proof: &Proof<'_>, domains: &[Domain], found: &mut Collected) {
    let lengths = domains.iter().map(|domain| domain.abstracts().len()).collect();
    for places in Combinations::at_most(lengths, REPEATED_CALLS) {
        let (values, abs) = operands(domains, &places);
        let (once, again) = (proof.call(&values, found), proof.call(&values, found));
        if once != again {
            found.add(Law::Determinism, &abs, || {
                format!("{} {}\nand then {}", proof.text(&values), answer_text(&once), answer_text(&again))
            });
        }
    }
}
