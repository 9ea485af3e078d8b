//! The type that several parts of a tuple or an object have in common: knowing more of one of them never makes it less decided.

use std::collections::HashMap;

use plantime::{Nullness, Refinement, Type, Value, View, convert};

use super::super::laws::Violations;
use super::super::universe::ty;
use super::to;

/// Parts of every kind, decided and not, among them tuples of two and three parts of which some are undecided.
const TYPES: [&str; 19] = [
    "bool",
    "number",
    "string",
    "list(bool)",
    "list(string)",
    "set(bool)",
    "map(string)",
    "tuple([bool])",
    "tuple([bool, number])",
    "tuple([string, bool])",
    "object({a = bool})",
    "object({a = bool, b = number})",
    "list(dynamic)",
    "map(dynamic)",
    "tuple([dynamic])",
    "tuple([dynamic, string])",
    "tuple([string, dynamic, dynamic])",
    "tuple([bool, dynamic, number])",
    "object({a = dynamic, b = dynamic, c = string})",
];

fn parts() -> Vec<Value> {
    let mut all =
        vec![Value::dynamic(), Value::null(Type::Dynamic), Value::from("x"), Value::list(["x"]).unwrap()];
    for ty in TYPES.map(ty) {
        all.push(Value::unknown(ty.clone()));
        // A null of an undecided type is a value of its own; an unknown that is null may be one of any type it covers.
        all.push(Value::null(ty.clone()));
        if ty.has_dynamic() {
            all.push(Value::refined(ty.clone(), Refinement::null()).unwrap());
        }
        match &ty {
            Type::Tuple(parts) if ty.has_dynamic() => {
                all.push(Value::tuple(parts.iter().cloned().map(Value::unknown)).unwrap());
            }
            Type::Object(parts) if ty.has_dynamic() => {
                let unknown = parts.iter().map(|(name, ty)| (name, Value::unknown(ty.clone())));
                all.push(Value::object(unknown).unwrap());
            }
            _ => {}
        }
    }
    all
}

/// Whether all that the second may become, the first may become too.
fn holds(wide: &Value, narrow: &Value) -> bool {
    match (wide.view(), narrow.view()) {
        (View::Dynamic, _) => true,
        (View::Unknown(range), _) => {
            let allowed = range.nullness() == Nullness::Nullable
                || range.nullness() == Nullness::Null && narrow.range().nullness() == Nullness::Null;
            range.ty().covers(&narrow.ty()) && allowed
        }
        (View::Tuple(a), View::Tuple(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| holds(a, b))
        }
        (View::Object(a), View::Object(b)) => {
            a.ty().attribute_names().eq(b.ty().attribute_names())
                && a.iter().zip(b.iter()).all(|((_, a), (_, b))| holds(a, b))
        }
        _ => wide == narrow,
    }
}

#[test]
fn knowing_more_of_a_part_never_undecides_the_common_type() {
    let parts = parts();
    let narrower: Vec<Vec<usize>> = parts
        .iter()
        .map(|wide| (0..parts.len()).filter(|&i| *wide != parts[i] && holds(wide, &parts[i])).collect())
        .collect();
    let mut wrong = Violations::default();
    let mut held = 0;
    for target in ["list(any)", "map(any)"] {
        let constraint = to(target);
        let common = |choice: &[usize]| {
            let chosen = choice.iter().map(|&i| parts[i].clone());
            let whole = match constraint.as_type() {
                Type::Map(_) => Value::object(["a", "b", "c"].into_iter().zip(chosen)),
                _ => Value::tuple(chosen),
            };
            convert(&whole.unwrap(), &constraint).ok().map(|value| value.ty())
        };
        let mut found: HashMap<[usize; 3], Option<Type>> = HashMap::new();
        for a in 0..parts.len() {
            for b in a..parts.len() {
                for c in b..parts.len() {
                    found.insert([a, b, c], common(&[a, b, c]));
                }
            }
        }
        for (choice, wide) in &found {
            for place in 0..choice.len() {
                for &narrow in &narrower[choice[place]] {
                    let mut with = *choice;
                    with[place] = narrow;
                    with.sort_unstable();
                    held += 1;
                    let fine = match (wide, &found[&with]) {
                        (_, None) => true,
                        (None, Some(_)) => false,
                        (Some(wide), Some(narrow)) => wide.covers(narrow),
                    };
                    if !fine {
                        let ty = |ty: &Option<Type>| ty.as_ref().map(Type::to_string);
                        wrong.add(format!("L3 {target}"), || {
                            let [less, more] = [choice, &with].map(|some| some.map(|i| &parts[i]));
                            format!("{less:?} = {:?}, but {more:?} = {:?}", ty(wide), ty(&found[&with]))
                        });
                    }
                }
            }
        }
    }
    assert!(held > 100_000, "{held}");
    wrong.none("the common type of parts");
}
