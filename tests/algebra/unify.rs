//! The laws of the common type of several types, on all pairs and triples of small types.

use plantime::{Safety, Type, conversion, unify};

use super::concrete::Ty;
use super::convert_reference::unified;
use super::laws::Violations;
use super::universe::ty;

const TYPES: [&str; 28] = [
    "any",
    "bool",
    "number",
    "string",
    "list(any)",
    "list(bool)",
    "list(number)",
    "list(string)",
    "list(list(bool))",
    "list(tuple([bool]))",
    "set(any)",
    "set(bool)",
    "set(string)",
    "map(any)",
    "map(bool)",
    "map(string)",
    "map(object({a = bool}))",
    "tuple([])",
    "tuple([any])",
    "tuple([bool])",
    "tuple([string])",
    "tuple([bool, number])",
    "tuple([list(string)])",
    "object({})",
    "object({a = any})",
    "object({a = bool})",
    "object({a = string})",
    "object({b = number})",
];

/// All sequences of one to three types.
fn sequences() -> Vec<Vec<Type>> {
    let types = TYPES.map(ty);
    let mut all = Vec::new();
    for a in &types {
        all.push(vec![a.clone()]);
        for b in &types {
            all.push(vec![a.clone(), b.clone()]);
            all.extend(types.iter().map(|c| vec![a.clone(), b.clone(), c.clone()]));
        }
    }
    all
}

#[test]
fn a_common_type_is_the_one_of_the_reference_and_all_convert_to_it() {
    let mut wrong = Violations::default();
    let (mut found_some, mut found_none) = (0, 0);
    for types in sequences() {
        let model: Vec<Ty> = types.iter().map(Ty::of).collect();
        for safety in [Safety::Safe, Safety::Unsafe] {
            let found = unify(&types, safety);
            let wanted = unified(&model, safety == Safety::Safe);
            if found.as_ref().map(Ty::of) != wanted {
                wrong.add(format!("{safety:?}"), || format!("{types:?}: {found:?}, not {wanted:?}"));
            }
            if unify(&types, safety) != found {
                wrong.add("another answer", || format!("{types:?}"));
            }
            let Some(common) = found else {
                found_none += 1;
                continue;
            };
            found_some += 1;
            for from in &types {
                let safe = conversion(from, &(&common).into());
                if safe.is_none() || safety == Safety::Safe && safe != Some(Safety::Safe) {
                    wrong.add("conversion", || format!("{types:?} to {common}: {from} is {safe:?}"));
                }
            }
            // That a type comes twice says nothing.
            let twice = [types.as_slice(), &types[..1]].concat();
            if unify(&twice, safety).as_ref() != Some(&common) {
                wrong.add("twice", || format!("{twice:?}: {:?}, not {common}", unify(&twice, safety)));
            }
        }
    }
    println!("unify: {found_some} with a common type, {found_none} without");
    assert!(unify(&[], Safety::Safe).is_none());
    wrong.none("unify");
}
