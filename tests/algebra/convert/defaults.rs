//! Defaults of attributes whose type is undecided: what is null or empty takes none of them.

use plantime::testing::may_become;
use plantime::{LengthRange, Refinement, Type, Value, convert};

use super::super::laws::Violations;
use super::super::universe::ty;
use super::to;

/// What is wanted of an element: an attribute that is there, and one that is left out.
fn wanted() -> Vec<String> {
    let mut all = Vec::new();
    for given in ["any", "set(any)", "bool"] {
        for missing in
            ["optional(any, 1)", "optional(any)", "optional(list(any), [true])", "optional(string, \"x\")"]
        {
            all.push(format!("object({{a = {given}, b = {missing}}})"));
        }
    }
    all
}

/// Known objects, null among them.
fn elements(ty: &Type) -> Vec<Value> {
    let object = |a: Value| Value::object([("a", a)]).unwrap();
    let known = match ty {
        Type::Object(object_type) => match object_type.get("a") {
            Some(Type::Bool) => vec![object(true.into()), object(Value::null(Type::Bool))],
            _ => vec![
                object(Value::list([true]).unwrap()),
                object(Value::list_of(Type::Bool, Vec::<Value>::new()).unwrap()),
            ],
        },
        _ => vec![Value::map([("a", true)]).unwrap(), Value::map([("a", true), ("b", false)]).unwrap()],
    };
    known.into_iter().chain([Value::null(ty.clone())]).collect()
}

/// Known collections of up to two of the elements, null among them.
fn collections(ty: &Type) -> Vec<Value> {
    let element = ty.element_type().unwrap();
    let elements = elements(element);
    let mut all = vec![Value::null(ty.clone())];
    for items in super::sequences(&elements, 2) {
        all.push(
            match ty {
                Type::List(_) => Value::list_of(element.clone(), items),
                Type::Set(_) => Value::set_of(element.clone(), items),
                _ => Value::map_of(element.clone(), ["x", "y"].into_iter().zip(items)),
            }
            .unwrap(),
        );
    }
    all
}

fn unknowns(ty: &Type) -> Vec<Value> {
    let lengths = [(0, None), (0, Some(0)), (0, Some(1)), (1, None), (1, Some(1)), (2, Some(2))];
    let lengths = lengths.map(|(least, most)| Refinement::length(LengthRange::new(least, most).unwrap()));
    let refinements = lengths.into_iter().flat_map(|length| [length.clone(), length.and_not_null()]);
    refinements.map(|refinement| Value::refined(ty.clone(), refinement).unwrap()).collect()
}

#[test]
fn an_unknown_collection_becomes_what_every_known_one_becomes() {
    let mut wrong = Violations::default();
    let mut held = 0;
    for element in ["object({a = bool})", "object({a = list(bool)})", "map(bool)"] {
        for kind in ["list", "set", "map"] {
            let ty = ty(&format!("{kind}({element})"));
            let known = collections(&ty);
            for wanted in wanted() {
                let target = to(&format!("{kind}({wanted})"));
                for unknown in unknowns(&ty) {
                    let plan = convert(&unknown, &target);
                    for apply in known.iter().filter(|known| may_become(&unknown, known)) {
                        let Ok(outcome) = convert(apply, &target) else { continue };
                        held += 1;
                        let fits = |plan: &Value| {
                            if outcome.is_wholly_known() {
                                may_become(plan, &outcome)
                            } else {
                                plan.ty().covers(&outcome.ty())
                            }
                        };
                        if !plan.as_ref().is_ok_and(fits) {
                            wrong.add(format!("L1 {target}"), || {
                                format!("{unknown:?} = {plan:?}, but {apply:?} = {outcome:?}")
                            });
                        }
                    }
                }
            }
        }
    }
    assert!(held > 5_000, "{held}");
    wrong.none("defaults below any");
}
