//! Concrete values that conversions tell apart, beside those of the universes.

use std::collections::BTreeSet;

use super::super::concrete::{Con, Num, Ty};
use super::sequences;

/// Texts that are a number or a bool, or nearly.
pub(super) const TEXTS: [&str; 49] = [
    "true", "false", "True", "tr", "0", "1", "5", "05", "50", "5e-1", "5e0", "5e1", "5e-0", "-", "-0", "-1",
    "-5", "-5e-1", "-50", "-0.5", "+5", "+0", "+.5", "+inf", "inf", "-inf", "Inf", "infinity", ".5", ".0",
    ".5e1", ".25", "0.5", "0.0", "0.5e1", "5.", "5.5", "1e1", "vpc-", "vpc-1", "t", "i", "F", "5.0e-1",
    "05e-1", "0500", "1e-1", "5000", "-2000",
];

/// The texts that stand inside of containers.
fn inner_texts() -> Vec<Con> {
    let texts =
        ["true", "t", "z", "0", "1", "01", "05", "5e-1", "-1", "-0"].map(|text| Con::Str(text.to_owned()));
    texts.into_iter().chain([Con::Null(Ty::Str)]).collect()
}

pub(super) fn more_concretes() -> BTreeSet<Con> {
    let mut all: BTreeSet<Con> = TEXTS.iter().map(|text| Con::Str((*text).to_owned())).collect();
    let texts = inner_texts();
    for items in sequences(&texts, 3) {
        all.insert(Con::Set(Ty::Str, items.iter().cloned().collect()));
        for keys in [["a", "b", "z"], ["b", "z", "a"]] {
            let entries = keys.iter().map(|key| (*key).to_owned()).zip(items.iter().cloned());
            all.insert(Con::Map(Ty::Str, entries.collect()));
        }
        if items.len() < 3 {
            all.insert(Con::Tuple(items.clone()));
        }
        all.insert(Con::List(Ty::Str, items));
    }
    for text in &texts {
        let object = |names: &[&str]| {
            Con::Object(names.iter().map(|name| ((*name).to_owned(), text.clone())).collect())
        };
        all.extend([object(&["a"]), object(&["b"])]);
        for other in &texts {
            all.insert(Con::Object([("a".to_owned(), text.clone()), ("b".to_owned(), other.clone())].into()));
        }
        for truth in [Con::Bool(true), Con::Bool(false), Con::Null(Ty::Bool)] {
            let pair = [("a".to_owned(), truth), ("b".to_owned(), text.clone())];
            all.insert(Con::Object(pair.into()));
        }
    }
    // Two tuples of which neither begins with a text.
    let begins_with_null = Con::Tuple(vec![Con::Null(Ty::Num), Con::Bool(true)]);
    all.insert(Con::Tuple(vec![begins_with_null.clone(), begins_with_null]));
    // Collections of what is in tuples and lists, so that an undecided element type can be theirs.
    for inner in [Con::Bool(true), Con::Null(Ty::Bool), Con::Num(Num::whole(1)), Con::Str("true".to_owned())]
    {
        let ty = inner.ty();
        let singles = [
            Con::Tuple(vec![inner.clone()]),
            Con::List(ty.clone(), vec![inner.clone()]),
            Con::Set(ty.clone(), [inner.clone()].into()),
            Con::Object([("a".to_owned(), inner.clone())].into()),
            Con::Map(ty.clone(), [("a".to_owned(), inner.clone())].into()),
            Con::List(ty.clone(), vec![]),
        ];
        for single in singles {
            let ty = single.ty();
            for items in sequences(&[single, Con::Null(ty.clone())], 3) {
                for keys in [["a", "b", "z"], ["b", "z", "a"]] {
                    let entries = keys.iter().map(|key| (*key).to_owned()).zip(items.iter().cloned());
                    all.insert(Con::Map(ty.clone(), entries.collect()));
                }
                all.insert(Con::Set(ty.clone(), items.iter().cloned().collect()));
                if items.len() == 1 {
                    all.insert(Con::Object([("a".to_owned(), items[0].clone())].into()));
                    all.insert(Con::Tuple(items.clone()));
                }
                all.insert(Con::List(ty.clone(), items));
            }
        }
    }
    // Three members that are different, of types with parts.
    let truths = [Con::Bool(true), Con::Bool(false), Con::Null(Ty::Bool)];
    let numbers = [Con::Num(Num::whole(0)), Con::Num(Num::whole(1)), Con::Null(Ty::Num)];
    let words = [Con::Str("z".to_owned()), Con::Str("t".to_owned()), Con::Null(Ty::Str)];
    let of_each = |of: &dyn Fn(usize) -> Con| [0, 1, 2].map(of).to_vec();
    for items in [
        of_each(&|i| Con::Tuple(vec![truths[i].clone()])),
        of_each(&|i| Con::Tuple(vec![numbers[i].clone()])),
        of_each(&|i| Con::Tuple(vec![numbers[i].clone(), truths[i].clone()])),
        of_each(&|i| Con::Tuple(vec![words[i].clone(), truths[i].clone()])),
        of_each(&|i| Con::Object([("a".to_owned(), truths[i].clone())].into())),
        of_each(&|i| Con::List(Ty::Bool, truths[..i].to_vec())),
        of_each(&|i| Con::List(Ty::Bool, truths[i..].to_vec())),
        of_each(&|i| Con::Set(Ty::Bool, truths[..i].iter().cloned().collect())),
        of_each(&|i| Con::Set(Ty::Bool, truths[i..].iter().cloned().collect())),
        of_each(&|i| Con::Map(Ty::Bool, [("a".to_owned(), truths[i].clone())].into())),
    ] {
        let ty = items[0].ty();
        all.insert(Con::Set(ty.clone(), items.iter().cloned().collect()));
        for items in sequences(&items, 2) {
            all.insert(Con::Set(ty.clone(), items.iter().cloned().collect()));
            all.insert(Con::List(ty.clone(), items));
        }
        all.insert(Con::List(ty, items));
    }
    // Two of different types.
    let kinds = [
        vec![Con::Bool(true), Con::Bool(false), Con::Null(Ty::Bool)],
        [-8000, -4, 0, 2, 4, 8, 20_000].map(|quarters| Con::Num(Num::Quarters(quarters))).to_vec(),
        vec![Con::Num(Num::NegInf), Con::Num(Num::Inf), Con::Null(Ty::Num)],
        ["a", "b", "inf", "-inf", "false", "00"].map(|text| Con::Str(text.to_owned())).to_vec(),
        vec![
            Con::Null(Ty::Dyn),
            Con::Tuple(vec![Con::Bool(true)]),
            Con::List(Ty::Bool, vec![Con::Bool(true)]),
        ],
        texts.clone(),
        vec![Con::Object([("a".to_owned(), Con::Bool(true))].into()), Con::List(Ty::Bool, vec![])],
        vec![Con::List(Ty::Bool, truths.to_vec()), Con::List(Ty::Bool, vec![Con::Bool(true); 3])],
        vec![Con::Tuple(vec![Con::Str("true".to_owned()), Con::Bool(true)])],
        sequences(&[Con::Str("true".to_owned())], 3)
            .into_iter()
            .map(|items| Con::List(Ty::Str, items))
            .collect(),
        vec![Con::List(Ty::Dyn, vec![]), Con::Null(Ty::List(Box::new(Ty::Str)))],
        // A list of any type may be one of strings that are neither bools nor numbers.
        vec![Con::List(Ty::Str, vec![Con::Str("z".to_owned())])],
        vec![Con::Set(
            Ty::Map(Box::new(Ty::Bool)),
            [[].into(), [("z".to_owned(), Con::Bool(true))].into()].map(|of| Con::Map(Ty::Bool, of)).into(),
        )],
        // A list that becomes a set beside this set, as an object can lose attributes.
        vec![
            Con::List(Con::Object([("a".to_owned(), Con::Bool(true))].into()).ty(), vec![]),
            Con::Set(Con::Object([].into()).ty(), [Con::Object([].into())].into()),
        ],
        vec![Con::Map(Ty::Bool, [("a".to_owned(), Con::Bool(true))].into()), Con::Map(Ty::Dyn, [].into())],
        vec![Con::Map(Ty::Str, [("a".to_owned(), Con::Str("a".to_owned()))].into())],
        vec![Con::Set(Ty::Str, [Con::Str("a".to_owned())].into())],
    ];
    let parts: Vec<Con> = kinds.concat();
    for a in &parts {
        all.insert(a.clone());
        all.insert(Con::Tuple(vec![a.clone()]));
        for b in &parts {
            all.insert(Con::Tuple(vec![a.clone(), b.clone()]));
            all.insert(Con::Object([("a".to_owned(), a.clone()), ("b".to_owned(), b.clone())].into()));
        }
        if a.ty().has_dynamic() {
            continue;
        }
        for name in ["a", "b", "z"] {
            all.insert(Con::Object([(name.to_owned(), a.clone())].into()));
            all.insert(Con::Map(a.ty(), [(name.to_owned(), a.clone())].into()));
        }
        all.insert(Con::List(a.ty(), vec![a.clone()]));
        all.insert(Con::Set(a.ty(), [a.clone()].into()));
        for b in &parts {
            let pair = [("a".to_owned(), a.clone()), ("b".to_owned(), b.clone())];
            if a.ty() == b.ty() {
                all.insert(Con::List(a.ty(), vec![a.clone(), b.clone()]));
                all.insert(Con::Set(a.ty(), [a.clone(), b.clone()].into()));
                all.insert(Con::Map(a.ty(), pair.into()));
            }
        }
    }
    all
}
