//! cty's rules of the common type, as its documents and answers tell them: which types convert is asked of the crate
//! (`conversion`, whose laws are in `convert.rs`), everything else stands here once more, by another route. The
//! answer may depend on the order of the types: where several of them would do, the first one is meant.

use plantime::{Safety, Type, conversion};

/// Whether a type becomes another that several have in common: nothing becomes a capsule.
pub(crate) fn converts(from: &Type, to: &Type, safety: Safety) -> bool {
    if makes_capsule(from, to) {
        return false;
    }
    match conversion(from, &to.into()) {
        Some(Safety::Safe) => true,
        Some(Safety::Unsafe) => safety == Safety::Unsafe,
        None => false,
    }
}

fn makes_capsule(from: &Type, to: &Type) -> bool {
    match (from, to) {
        // Untyped, it is a null.
        (from, to) if from == to || *from == Type::Dynamic => false,
        (_, Type::Capsule(_)) => true,
        (Type::Map(map), Type::Object(object)) => {
            object.iter().any(|(_, ty)| makes_capsule(map.element(), ty))
        }
        (Type::Object(from), Type::Object(object)) => {
            object.iter().any(|(name, ty)| from.get(name).is_some_and(|from| makes_capsule(from, ty)))
        }
        (Type::Tuple(from), Type::Tuple(tuple)) => {
            from.iter().zip(tuple.iter()).any(|(from, ty)| makes_capsule(from, ty))
        }
        (from, to) => {
            to.element_type().is_some_and(|to| parts(from).iter().any(|part| makes_capsule(part, to)))
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Dynamic,
    Single,
    List,
    Set,
    Map,
    Tuple,
    Object,
}

fn kind(ty: &Type) -> Kind {
    match ty {
        Type::Dynamic => Kind::Dynamic,
        Type::List(_) => Kind::List,
        Type::Set(_) => Kind::Set,
        Type::Map(_) => Kind::Map,
        Type::Tuple(_) => Kind::Tuple,
        Type::Object(_) => Kind::Object,
        _ => Kind::Single,
    }
}

/// The parts of structures and of collections, in order.
fn parts(ty: &Type) -> Vec<Type> {
    match ty {
        Type::Tuple(tuple) => tuple.iter().cloned().collect(),
        Type::Object(object) => object.iter().map(|(_, ty)| ty.clone()).collect(),
        ty => ty.element_type().into_iter().cloned().collect(),
    }
}

fn all_parts(types: &[Type], of: Kind) -> Vec<Type> {
    types.iter().filter(|ty| kind(ty) == of).flat_map(parts).collect()
}

pub(crate) fn unified(types: &[Type], safety: Safety) -> Option<Type> {
    let first = types.first()?;
    if types.iter().all(|ty| ty == first) {
        return Some(first.clone());
    }
    let has = |wanted: Kind| types.iter().any(|ty| kind(ty) == wanted);
    let only = |wanted: &[Kind]| types.iter().all(|ty| wanted.contains(&kind(ty)));
    for of in [Kind::List, Kind::Set, Kind::Map, Kind::Tuple, Kind::Object] {
        if has(of) && only(&[of, Kind::Dynamic]) {
            return if has(Kind::Dynamic) { Some(Type::Dynamic) } else { of_one_kind(types, of, safety) };
        }
    }
    if has(Kind::Tuple) && has(Kind::Object) {
        return None;
    }
    for (collection, structure) in [(Kind::Map, Kind::Object), (Kind::List, Kind::Tuple)] {
        // What is dynamic makes the collections dynamic, and that is no collection.
        if has(collection)
            && has(structure)
            && only(&[collection, structure])
            && let Some(found) = of_two_kinds(types, collection, structure, safety)
        {
            return Some(found);
        }
    }
    candidates(types).into_iter().find(|ty| takes_all(ty, types, safety))
}

fn takes_all(target: &Type, types: &[Type], safety: Safety) -> bool {
    types.iter().all(|ty| ty == target || converts(ty, target, safety))
}

fn of(kind: Kind, element: Type) -> Type {
    match kind {
        Kind::List | Kind::Tuple => Type::list(element),
        Kind::Set => Type::set(element),
        _ => Type::map(element),
    }
    .unwrap()
}

fn of_one_kind(types: &[Type], kind: Kind, safety: Safety) -> Option<Type> {
    let of_all = || {
        let common = of(kind, unified(&all_parts(types, kind), safety)?);
        takes_all(&common, types, safety).then_some(common)
    };
    let columns = |width: usize| -> Option<Vec<Type>> {
        let column =
            |i: usize| -> Vec<Type> { types.iter().filter_map(|ty| parts(ty).get(i).cloned()).collect() };
        (0..width).map(|i| unified(&column(i), safety)).collect()
    };
    match &types[0] {
        Type::Tuple(first) => {
            let equal = types.iter().all(|ty| parts(ty).len() == first.len());
            if equal { Some(Type::tuple(columns(first.len())?).unwrap()) } else { of_all() }
        }
        Type::Object(first) => {
            let names = |ty: &Type| match ty {
                Type::Object(object) => object.attribute_names().map(str::to_owned).collect(),
                _ => Vec::new(),
            };
            let own = names(&types[0]);
            if types.iter().any(|ty| names(ty) != own) {
                return of_all();
            }
            Some(Type::object(own.into_iter().zip(columns(first.len())?)).unwrap())
        }
        _ => of_all(),
    }
}

fn of_two_kinds(types: &[Type], collection: Kind, structure: Kind, safety: Safety) -> Option<Type> {
    let mut elements = all_parts(types, collection);
    let parts = all_parts(types, structure);
    if !parts.is_empty() {
        elements.push(unified(&parts, safety)?);
    }
    let common = of(collection, unified(&elements, safety)?);
    takes_all(&common, types, safety).then_some(common)
}

/// The types, each after all that are more general, as early as that allows in the order in which they are given.
fn candidates(types: &[Type]) -> Vec<Type> {
    let mut above: Vec<usize> =
        types.iter().map(|ty| types.iter().filter(|other| is_above(other, ty)).count()).collect();
    let mut queue: Vec<usize> = (0..types.len()).filter(|i| above[*i] == 0).collect();
    let mut next = 0;
    while let Some(&i) = queue.get(next) {
        next += 1;
        for j in 0..types.len() {
            if is_above(&types[i], &types[j]) {
                above[j] -= 1;
                if above[j] == 0 {
                    queue.push(j);
                }
            }
        }
    }
    assert_eq!(queue.len(), types.len(), "more general in a circle");
    queue.into_iter().map(|i| types[i].clone()).collect()
}

/// Whether one type is more general than another.
fn is_above(a: &Type, b: &Type) -> bool {
    use Kind::{Dynamic, List, Map, Object, Set, Tuple};
    let each_part = || {
        let (a, b) = (parts(a), parts(b));
        a != b && a.iter().zip(&b).all(|(a, b)| a == b || is_above(a, b))
    };
    match (kind(a), kind(b)) {
        (Dynamic, _) => false,
        (_, Dynamic) | (List, Tuple | Set) | (Tuple, Set) | (Map, Object) => true,
        (List, List) | (Set, Set) | (Map, Map) => each_part(),
        (Tuple, Tuple) => parts(a).len() == parts(b).len() && each_part(),
        (Object, Object) => match (a, b) {
            (Type::Object(x), Type::Object(y)) => x.attribute_names().eq(y.attribute_names()) && each_part(),
            _ => false,
        },
        _ => *a == Type::String && matches!(b, Type::Bool | Type::Number),
    }
}
