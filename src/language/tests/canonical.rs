//! Equal languages are equal values.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::super::alphabet::Alphabet;
use super::super::dfa::Dfa;
use super::super::minimise::minimise;
use super::{Language, Random, strings};

/// Two automata of up to four states that differ do so for a string of at most six letters: there are 127 of them.
fn strings_accepted(targets: &[u32], accepting: &[bool]) -> u128 {
    let mut states = vec![0_u32];
    let mut bits = 0_u128;
    let mut at = 0;
    while at < 127 {
        let state = states[at] as usize;
        bits |= u128::from(accepting[state]) << at;
        states.extend([targets[state * 2], targets[state * 2 + 1]]);
        at += 1;
    }
    bits
}

#[test]
fn equal_languages_are_equal_over_all_automata_of_up_to_four_states() {
    let mut by_language: HashMap<Language, u128> = HashMap::new();
    let mut by_strings: HashMap<u128, Language> = HashMap::new();
    let mut count = 0;
    for states in 1..=4_u32 {
        for code in 0..states.pow(states * 2) {
            let targets: Vec<u32> = (0..states * 2).map(|place| code / states.pow(place) % states).collect();
            let mut reached = vec![0_u32];
            for at in 0..states as usize {
                let Some(state) = reached.get(at).copied() else { break };
                for target in &targets[state as usize * 2..][..2] {
                    if !reached.contains(target) {
                        reached.push(*target);
                    }
                }
            }
            // An automaton with states that are not reached is one of fewer states.
            if reached.len() < states as usize {
                continue;
            }
            for bits in 0..1_u32 << states {
                let accepting: Vec<bool> = (0..states).map(|state| bits >> state & 1 == 1).collect();
                let accepted = strings_accepted(&targets, &accepting);
                // Class 1 is `a`, class 2 is `b`, and all others lead to a dead state.
                let runs = vec![(0, 0), (0x61, 1), (0x62, 2), (0x63, 0)];
                let rows = targets.chunks(2).flat_map(|row| [states, row[0], row[1]]);
                let dfa = Dfa {
                    alphabet: Alphabet { runs, classes: 3 },
                    accepting: accepting.into_iter().chain([false]).collect(),
                    targets: rows.chain([states; 3]).collect(),
                };
                let language = minimise(&dfa).unwrap();
                count += 1;
                match by_language.entry(language.clone()) {
                    Entry::Occupied(same) => assert_eq!(*same.get(), accepted),
                    Entry::Vacant(new) => drop(new.insert(accepted)),
                }
                assert_eq!(*by_strings.entry(accepted).or_insert_with(|| language.clone()), language);
            }
        }
    }
    println!("{count} automata, {} languages", by_language.len());
    assert_eq!(by_language.len(), by_strings.len());
}

#[test]
fn different_ways_to_one_language_are_equal() {
    let mut random = Random(7);
    for _ in 0..300 {
        let (a, b) = (random.language(), random.language());
        let both = a.meet(&b).unwrap();
        // De Morgan, absorption, and twice the complement.
        assert_eq!(both, a.complement().join(&b.complement()).unwrap().complement());
        assert_eq!(a.join(&both).unwrap(), a);
        assert_eq!(a.complement().complement(), a);
        assert_eq!(a.difference(&b).unwrap(), a.meet(&b.complement()).unwrap());
        assert_eq!(a.difference(&b).unwrap().join(&both).unwrap(), a);
        assert_eq!(a.reverse().unwrap().reverse().unwrap(), a);
        assert_eq!(a.cmp(&b).is_eq(), a == b);
    }
}

#[test]
fn a_language_that_is_finite_is_that_of_its_strings() {
    let mut random = Random(8);
    let all = strings(&['a', 'b', 'é'], 3);
    for _ in 0..500 {
        let count = random.below(12);
        let mut chosen: Vec<&str> = (0..count)
            .map(|_| all[usize::try_from(random.below(all.len() as u64)).unwrap()].as_str())
            .collect();
        let language = Language::one_of(&chosen).unwrap();
        chosen.sort_unstable();
        chosen.dedup();
        assert_eq!(language.members().unwrap(), chosen);
        let mut joined = Language::empty();
        for text in &chosen {
            joined = joined.join(&Language::literal(text).unwrap()).unwrap();
        }
        assert_eq!(joined, language);
        let only = if let [only] = chosen[..] { Some(only.to_owned()) } else { None };
        assert_eq!(language.as_literal(), only);
    }
}
