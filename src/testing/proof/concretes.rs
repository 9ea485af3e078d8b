//! All calls with wholly known operands, whose results the answers for abstract operands are compared with.

use std::collections::HashMap;

use crate::Value;

use super::super::concrete::Con;
use super::super::domain::Domain;
use super::super::gamma::Abs;
use super::super::report::{Collected, Law};
use super::{Combinations, MAX_PANICS, Proof, answer_text};

/// The maximum number of distinct results of an operation on wholly known operands; more are a violation of the
/// budget.
const OUTCOMES: usize = 20_000;

/// The distinct results of all calls with wholly known operands, and which call gave which result.
pub(super) struct Concretes {
    pub(super) outcomes: Vec<Con>,
    /// For each combination of operands the index of the result; `None` is an error.
    pub(super) table: Vec<Option<u32>>,
    /// For each operand, the number of combinations of those after it.
    pub(super) strides: Vec<usize>,
}

impl Concretes {
    /// Calls the operation with every combination of concrete operands. Adds to `found` each panic, each answer that
    /// is not wholly known (L4) and each answer that differs from the reference.
    pub(super) fn of(proof: &Proof<'_>, domains: &[Domain], found: &mut Collected) -> Concretes {
        let lengths: Vec<usize> = domains.iter().map(|domain| domain.concretes().len()).collect();
        let mut strides = vec![1; lengths.len()];
        for i in (1..lengths.len()).rev() {
            strides[i - 1] = strides[i] * lengths[i];
        }
        let mut all = Concretes { outcomes: Vec::new(), table: Vec::new(), strides };
        let mut places: HashMap<Con, u32> = HashMap::new();
        for operands in Combinations::all(lengths) {
            let operands: Vec<&Value> =
                operands.iter().zip(domains).map(|(i, domain)| &domain.values().concretes[*i].0).collect();
            let answer = proof.call(&operands, found);
            if found.count(Law::Totality) >= MAX_PANICS {
                break;
            }
            let kinds = || operands.iter().map(|operand| Abs::of(operand)).collect::<Vec<Abs>>();
            let outcome = match &answer {
                Ok(value) => {
                    let con = Con::of(value).filter(|_| value.is_wholly_known());
                    if con.is_none() {
                        found.add(Law::KnownInKnownOut, &kinds().iter().collect::<Vec<_>>(), || {
                            format!("{} {}", proof.text(&operands), answer_text(&answer))
                        });
                    }
                    con
                }
                Err(_) => None,
            };
            if let Some(reference) = &proof.reference {
                let wanted = reference(&operands);
                if outcome != wanted.as_ref().and_then(Con::of) {
                    found.add(Law::Reference, &kinds().iter().collect::<Vec<_>>(), || {
                        let wanted =
                            wanted.map_or_else(|| "an error".to_owned(), |value| format!("{value:?}"));
                        format!(
                            "{} {}\nbut the reference has {wanted}",
                            proof.text(&operands),
                            answer_text(&answer)
                        )
                    });
                }
            }
            let outcome = outcome.map(|con| match places.get(&con) {
                Some(place) => *place,
                None => {
                    let place = u32::try_from(all.outcomes.len()).unwrap_or(u32::MAX);
                    all.outcomes.push(con.clone());
                    places.insert(con, place);
                    place
                }
            });
            all.table.push(outcome);
            if all.outcomes.len() > OUTCOMES {
                found.add(Law::Budget, &[], || {
                    format!("more than {OUTCOMES} different answers: take smaller domains")
                });
                break;
            }
        }
        all
    }

    /// Wholly known operands for which the operation gives the result with index `outcome` (`None`: an error), chosen
    /// from the values that the abstract operands may become. `abstracts` are indices into the domains; `None` if no
    /// such operands exist.
    pub(super) fn example<'d>(
        &self,
        domains: &'d [Domain],
        abstracts: &[usize],
        outcome: Option<usize>,
    ) -> Option<Vec<&'d Value>> {
        let gammas: Vec<&Vec<usize>> =
            abstracts.iter().zip(domains).map(|(i, domain)| &domain.values().gamma[*i]).collect();
        let mut choices = Combinations::all(gammas.iter().map(|gamma| gamma.len()).collect());
        choices.find_map(|choice| {
            let cons: Vec<usize> = choice.iter().zip(&gammas).map(|(i, gamma)| gamma[*i]).collect();
            let place: usize = cons.iter().zip(&self.strides).map(|(i, stride)| i * stride).sum();
            let gives = self.table[place].map(|place| place as usize);
            let operands = || cons.iter().zip(domains).map(|(i, domain)| &domain.values().concretes[*i].0);
            (gives == outcome).then(|| operands().collect())
        })
    }
}
