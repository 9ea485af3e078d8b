//! What the types alone say of a conversion is what the values do: for every pair of a type and a constraint.

use std::collections::{BTreeMap, BTreeSet};

use plantime::{Safety, TypeConstraint, conversion, convert};
use rayon::prelude::*;

use super::super::concrete::{Con, Num, Ty};
use super::super::convert_reference::{Want, available, con, converted};
use super::super::laws::Violations;
use super::sources::sources;
use super::{TARGETS, to};

/// How many values are tried of each type.
const VALUES: usize = 14;

fn of(kind: fn(Box<Ty>) -> Ty, element: &Ty) -> Ty {
    kind(Box::new(element.clone()))
}

fn collections(element: &Ty) -> [Ty; 3] {
    [of(Ty::List, element), of(Ty::Set, element), of(Ty::Map, element)]
}

/// A tuple and an object of two parts.
fn pairs(a: &Ty, b: &Ty) -> [Ty; 2] {
    let parts = [("a".to_owned(), a.clone()), ("b".to_owned(), b.clone())];
    [Ty::Tuple(vec![a.clone(), b.clone()]), Ty::Object(parts.into())]
}

fn single(a: &Ty) -> [Ty; 2] {
    [Ty::Tuple(vec![a.clone()]), Ty::Object([("a".to_owned(), a.clone())].into())]
}

/// Types up to three levels deep; not all of the deeper ones.
fn types() -> BTreeSet<Ty> {
    let leaves = [Ty::Bool, Ty::Num, Ty::Str, Ty::Dyn];
    let mut flat: BTreeSet<Ty> = [Ty::Tuple(vec![]), Ty::Object(BTreeMap::new())].into();
    for a in &leaves {
        flat.extend(collections(a));
        flat.extend(single(a));
        flat.extend(leaves.iter().flat_map(|b| pairs(a, b)));
    }
    let mut all: BTreeSet<Ty> = leaves.iter().chain(&flat).cloned().collect();
    all.extend(flat.iter().flat_map(collections));
    all.extend(flat.iter().flat_map(single));
    let of_leaves = leaves.iter().flat_map(collections);
    let some: Vec<Ty> = of_leaves
        .chain([Ty::Tuple(vec![]), Ty::Tuple(vec![Ty::Num]), Ty::Tuple(vec![Ty::Num, Ty::Bool]), Ty::Str])
        .chain([Ty::Dyn, Ty::Object([("a".to_owned(), Ty::Num)].into())])
        .collect();
    for a in &some {
        for b in &some {
            all.extend(pairs(a, b));
            all.extend(collections(&Ty::Tuple(vec![a.clone(), b.clone()])));
        }
        for outer in collections(a).iter().flat_map(collections) {
            all.extend(collections(&outer));
            all.insert(outer);
        }
    }
    all
}

/// Concrete values of a type, null first, then empty ones, then ones with all kinds of parts.
fn values(ty: &Ty, most: usize) -> Vec<Con> {
    let mut all = vec![Con::Null(ty.clone())];
    match ty {
        Ty::Bool => all.push(Con::Bool(true)),
        Ty::Num => all.push(Con::Num(Num::whole(1))),
        Ty::Str => all.extend(["1", "a", "true"].map(|text| Con::Str(text.to_owned()))),
        Ty::Dyn | Ty::Capsule(_) => {}
        Ty::List(element) | Ty::Set(element) | Ty::Map(element) => {
            let build = |items: &[Con]| match ty {
                Ty::List(_) => Con::List((**element).clone(), items.to_vec()),
                Ty::Set(_) => Con::Set((**element).clone(), items.iter().cloned().collect()),
                _ => Con::Map(
                    (**element).clone(),
                    ["a", "b"].map(str::to_owned).into_iter().zip(items.iter().cloned()).collect(),
                ),
            };
            all.push(build(&[]));
            // What is not empty and of an undecided type is not concrete.
            if !element.has_dynamic() {
                let parts = values(element, 5);
                all.extend(parts.windows(2).map(&build));
                all.extend(parts.iter().rev().map(|part| build(std::slice::from_ref(part))));
                all.extend(parts.first().zip(parts.last()).map(|(a, b)| build(&[b.clone(), a.clone()])));
            }
        }
        Ty::Tuple(parts) => {
            all.extend(products(parts.iter(), most).into_iter().map(Con::Tuple));
        }
        Ty::Object(parts) => {
            let named = |items: Vec<Con>| Con::Object(parts.keys().cloned().zip(items).collect());
            all.extend(products(parts.values(), most).into_iter().map(named));
        }
    }
    all.truncate(most);
    all
}

/// Values for each of some types, each value of each type at least once; all of them for at most two.
fn products<'a>(types: impl Iterator<Item = &'a Ty>, most: usize) -> Vec<Vec<Con>> {
    let each: Vec<Vec<Con>> = types.map(|ty| values(ty, most.min(5))).collect();
    match each.as_slice() {
        [a, b] => {
            // The later ones first: they have more in them.
            let pair = |a: &Con| b.iter().rev().map(|b| vec![a.clone(), b.clone()]).collect::<Vec<_>>();
            a.iter().rev().flat_map(pair).collect()
        }
        each => {
            let longest = each.iter().map(Vec::len).max().unwrap_or(1);
            let row = |i: usize| each.iter().map(|values| values[i % values.len()].clone()).collect();
            (0..longest).map(row).collect()
        }
    }
}

/// The constraints of the other laws, and more with `any` and defaults further inside.
fn targets() -> Vec<TypeConstraint> {
    let kinds = ["list", "set", "map"];
    let mut texts: BTreeSet<String> = TARGETS.iter().map(|text| (*text).to_owned()).collect();
    let inner = [
        "any",
        "tuple([any, any])",
        "object({a = any})",
        "object({a = optional(list(any), [true])})",
        "object({a = optional(list(any)), b = optional(any)})",
    ];
    for a in kinds {
        for b in kinds {
            texts.extend(inner.iter().map(|inner| format!("{a}({b}({inner}))")));
            texts.extend(kinds.iter().map(|c| format!("{a}({b}({c}(any)))")));
            texts.insert(format!("tuple([{a}(any), {b}(any)])"));
            texts.insert(format!("object({{a = {a}({b}(any))}})"));
            texts.insert(format!("{a}(tuple([{b}(any)]))"));
        }
        texts.extend(inner.iter().map(|inner| format!("{a}({inner})")));
        texts.insert(format!("{a}(set(list(number)))"));
    }
    texts.iter().map(|text| to(text)).collect()
}

/// | answer | what the values of the type do |
/// |---|---|
/// | safe | every one converts |
/// | unsafe | some convert; where cty's matrix says safe, some do not (but for undecided types and defaults) |
/// | none | none converts |
#[test]
fn a_safe_conversion_never_fails_and_one_that_there_is_not_always_does() {
    let mut by_type: BTreeMap<Ty, Vec<Con>> = BTreeMap::new();
    for ty in types() {
        by_type.insert(ty.clone(), values(&ty, VALUES));
    }
    for con in sources().concretes {
        by_type.entry(con.ty()).or_default().push(con);
    }
    let by_type: Vec<(Ty, Vec<Con>)> = by_type.into_iter().collect();
    let targets = targets();
    let done: Vec<(Violations, [usize; 3])> = by_type
        .par_iter()
        .map(|(ty, cons)| {
            let mut wrong = Violations::default();
            let mut counts = [0; 3];
            let from = ty.to_type();
            let values: Vec<plantime::Value> = cons.iter().map(Con::value).collect();
            for target in &targets {
                let want = Want::of(target);
                let found = conversion(&from, target);
                counts[match found {
                    Some(Safety::Safe) => 0,
                    Some(Safety::Unsafe) => 1,
                    None => 2,
                }] += 1;
                let mut failed = Vec::new();
                for (source, value) in cons.iter().zip(&values) {
                    let answer = convert(value, target);
                    let wanted = converted(source, &want);
                    let same = match (&answer, &wanted) {
                        (Ok(answer), Some(wanted)) if wanted.is_wholly_known() => {
                            Con::of(answer).as_ref() == Some(&con(wanted))
                        }
                        (Ok(answer), Some(_)) => !answer.is_wholly_known(),
                        (answer, wanted) => answer.is_err() == wanted.is_none(),
                    };
                    if !same {
                        wrong.add(format!("reference {target}"), || {
                            format!("{source:?} = {answer:?}, not {wanted:?}")
                        });
                    }
                    if answer.is_err() {
                        failed.push(source);
                    }
                }
                let by_matrix = if available(ty, &want, true) {
                    Some(Safety::Safe)
                } else {
                    available(ty, &want, false).then_some(Safety::Unsafe)
                };
                let known = !ty.has_dynamic() && !want.has_optional();
                let same = found == by_matrix
                    || by_matrix == Some(Safety::Safe)
                        && found == Some(Safety::Unsafe)
                        && (!failed.is_empty() || !known);
                if !same {
                    wrong.add("matrix", || format!("{ty:?} to {target}: {found:?}, not {by_matrix:?}"));
                }
                let fine = match found {
                    Some(Safety::Safe) => failed.is_empty(),
                    Some(Safety::Unsafe) => failed.len() < cons.len(),
                    None => failed.len() == cons.len(),
                };
                if !fine {
                    wrong.add(format!("{found:?}"), || {
                        format!(
                            "{ty:?} to {target}: {} of {} fail, as {:?}",
                            failed.len(),
                            cons.len(),
                            failed.first()
                        )
                    });
                }
            }
            (wrong, counts)
        })
        .collect();
    let mut wrong = Violations::default();
    let mut all = [0; 3];
    for (found, counts) in done {
        wrong.merge(found);
        (0..3).for_each(|i| all[i] += counts[i]);
    }
    let [safe, not_safe, none] = all;
    println!(
        "{} types, {} constraints: {safe} safe, {not_safe} unsafe, {none} none",
        by_type.len(),
        targets.len()
    );
    wrong.none("conversion");
}
