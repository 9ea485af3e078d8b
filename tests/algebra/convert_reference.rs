//! Conversion and unification of concrete values and types: the reference, written from what cty documents and does.

use std::collections::{BTreeMap, BTreeSet};

use plantime::{AttributeConstraint, Type, TypeConstraint};

use super::concrete::{Con, Num, Ty};
use super::gamma::Abs;

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Want {
    Any,
    Bool,
    Num,
    Str,
    List(Box<Want>),
    Set(Box<Want>),
    Map(Box<Want>),
    Tuple(Vec<Want>),
    Object(BTreeMap<String, Attribute>),
    /// Capsules.
    Capsule(Ty),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Attribute {
    pub(crate) want: Want,
    pub(crate) optional: bool,
    /// Already converted, and not null.
    pub(crate) default: Option<Con>,
}

impl Want {
    pub(crate) fn of(constraint: &TypeConstraint) -> Want {
        let element = || Box::new(Want::of(&constraint.element().unwrap()));
        match constraint.as_type() {
            Type::Dynamic => Want::Any,
            Type::Bool => Want::Bool,
            Type::Number => Want::Num,
            Type::String => Want::Str,
            ty @ Type::Capsule(_) => Want::Capsule(Ty::of(ty)),
            Type::List(_) => Want::List(element()),
            Type::Set(_) => Want::Set(element()),
            Type::Map(_) => Want::Map(element()),
            Type::Tuple(ty) => {
                Want::Tuple((0..ty.len()).map(|i| Want::of(&constraint.element_at(i).unwrap())).collect())
            }
            Type::Object(ty) => Want::Object(
                ty.attribute_names()
                    .map(|name| (name.to_owned(), Attribute::of(&constraint.attribute(name).unwrap())))
                    .collect(),
            ),
        }
    }

    pub(crate) fn plain(ty: &Ty) -> Want {
        Want::of(&ty.to_type().into())
    }

    pub(crate) fn ty(&self) -> Ty {
        match self {
            Want::Any => Ty::Dyn,
            Want::Bool => Ty::Bool,
            Want::Num => Ty::Num,
            Want::Str => Ty::Str,
            Want::Capsule(ty) => ty.clone(),
            Want::List(element) => Ty::List(Box::new(element.ty())),
            Want::Set(element) => Ty::Set(Box::new(element.ty())),
            Want::Map(element) => Ty::Map(Box::new(element.ty())),
            Want::Tuple(parts) => Ty::Tuple(parts.iter().map(Want::ty).collect()),
            Want::Object(parts) => {
                Ty::Object(parts.iter().map(|(name, part)| (name.clone(), part.want.ty())).collect())
            }
        }
    }

    pub(crate) fn has_optional(&self) -> bool {
        match self {
            Want::Any | Want::Bool | Want::Num | Want::Str | Want::Capsule(_) => false,
            Want::List(element) | Want::Set(element) | Want::Map(element) => element.has_optional(),
            Want::Tuple(parts) => parts.iter().any(Want::has_optional),
            Want::Object(parts) => parts.values().any(|part| part.optional || part.want.has_optional()),
        }
    }
}

impl Attribute {
    fn of(attribute: &AttributeConstraint) -> Attribute {
        let default = attribute.default().map(|default| con(&Abs::of(default)));
        Attribute {
            want: Want::of(attribute.constraint()),
            optional: attribute.is_optional(),
            default: default.filter(|default| !default.is_null()),
        }
    }

    fn missing(&self) -> Abs {
        self.default.as_ref().map_or_else(|| Abs::Null(self.want.ty()), abs)
    }

    fn filled(&self, value: Abs) -> Abs {
        match value {
            Abs::Null(_) if self.default.is_some() => self.missing(),
            value => value,
        }
    }
}

/// A concrete value as the abstract one that can become nothing else.
pub(crate) fn abs(con: &Con) -> Abs {
    match con {
        Con::Null(ty) => Abs::Null(ty.clone()),
        Con::Bool(truth) => Abs::Bool(*truth),
        Con::Num(number) => Abs::Num(number.clone()),
        Con::Str(text) => Abs::Str(text.clone()),
        Con::Capsule(capsule) => Abs::Capsule(capsule.clone()),
        Con::List(ty, items) => Abs::List(ty.clone(), items.iter().map(abs).collect()),
        Con::Set(ty, items) => set(ty.clone(), items.iter().map(abs).collect()),
        Con::Map(ty, entries) => Abs::Map(ty.clone(), named(entries, abs)),
        Con::Tuple(parts) => Abs::Tuple(parts.iter().map(abs).collect()),
        Con::Object(parts) => Abs::Object(named(parts, abs)),
    }
}

fn named<A, B>(parts: &BTreeMap<String, A>, f: impl Fn(&A) -> B) -> BTreeMap<String, B> {
    parts.iter().map(|(name, part)| (name.clone(), f(part))).collect()
}

fn set(element: Ty, members: BTreeSet<Abs>) -> Abs {
    let count = members.len() as u64;
    let known = members.into_iter().collect();
    Abs::Set { element, known, undecided: Vec::new(), length: (count, Some(count)) }
}

/// A wholly known abstract value as a concrete one.
pub(crate) fn con(value: &Abs) -> Con {
    match value {
        Abs::Null(ty) => Con::Null(ty.clone()),
        Abs::Bool(truth) => Con::Bool(*truth),
        Abs::Num(number) => Con::Num(number.clone()),
        Abs::Str(text) => Con::Str(text.clone()),
        Abs::Capsule(capsule) => Con::Capsule(capsule.clone()),
        Abs::List(ty, items) => Con::List(ty.clone(), items.iter().map(con).collect()),
        Abs::Set { element, known, undecided, .. } => {
            Con::Set(element.clone(), known.iter().chain(undecided).map(con).collect())
        }
        Abs::Map(ty, entries) => Con::Map(ty.clone(), named(entries, con)),
        Abs::Tuple(parts) => Con::Tuple(parts.iter().map(con).collect()),
        Abs::Object(parts) => Con::Object(named(parts, con)),
        Abs::Dynamic | Abs::Unknown(..) => panic!("{value:?} is not known"),
    }
}

/// What conversion gives, `None` for an error. It is not concrete where untyped nulls become elements of a
/// collection: of which type they are is undecided then.
pub(crate) fn converted(value: &Con, want: &Want) -> Option<Abs> {
    if !want.has_optional() && value.ty() == want.ty() {
        return Some(abs(value));
    }
    available(&value.ty(), want, false).then(|| run(value, want)).flatten()
}

/// Whether values of a type convert, by the types alone; `safe`: every one does.
pub(crate) fn available(from: &Ty, want: &Want, safe: bool) -> bool {
    match (from, want) {
        (_, Want::Any) | (Ty::Bool | Ty::Num, Want::Str) => true,
        (from, want) if !want.has_optional() && *from == want.ty() => true,
        (Ty::Dyn, _) | (Ty::Str, Want::Bool | Want::Num) => !safe,
        (Ty::List(from), Want::Set(want)) => !safe && available(from, want, safe),
        (Ty::List(from) | Ty::Set(from), Want::List(want) | Want::Set(want))
        | (Ty::Map(from), Want::Map(want)) => available(from, want, safe),
        (Ty::Map(from), Want::Object(parts)) => {
            !safe && parts.values().all(|part| part.optional || available(from, &part.want, safe))
        }
        (Ty::Tuple(parts), Want::List(want) | Want::Set(want)) => all_to(parts.iter(), (want, false), safe),
        (Ty::Object(parts), Want::Map(want)) => all_to(parts.values(), (want, true), safe),
        (Ty::Tuple(parts), Want::Tuple(wanted)) => {
            parts.len() == wanted.len()
                && parts.iter().zip(wanted).all(|(from, want)| available(from, want, safe))
        }
        (Ty::Object(parts), Want::Object(wanted)) => {
            wanted.iter().all(|(name, part)| match parts.get(name) {
                Some(from) => available(from, &part.want, safe),
                None => part.optional,
            })
        }
        _ => false,
    }
}

fn all_to<'a>(
    types: impl Iterator<Item = &'a Ty> + Clone,
    (want, to_map): (&Want, bool),
    safe: bool,
) -> bool {
    if types.clone().next().is_none() {
        return true;
    }
    let element = agreed(types.clone(), (want, to_map), safe);
    element.is_some_and(|element| types.clone().all(|ty| available(ty, &element, safe)))
}

/// What parts of different types are converted to: where any type will do, the one they have in common. In a map, untyped
/// nulls take the type of the others, if that is one.
fn agreed<'a>(
    types: impl Iterator<Item = &'a Ty>,
    (want, to_map): (&Want, bool),
    safe: bool,
) -> Option<Want> {
    if *want != Want::Any {
        return Some(want.clone());
    }
    let types: Vec<Ty> = types.cloned().collect();
    match unified(&types, safe) {
        Some(Ty::Dyn) if types.iter().any(|ty| *ty != Ty::Dyn) => {
            let typed: BTreeSet<&Ty> = types.iter().filter(|ty| **ty != Ty::Dyn).collect();
            (to_map && !safe && typed.len() == 1).then(|| typed.into_iter().next().map(Want::plain)).flatten()
        }
        found => found.map(|ty| Want::plain(&ty)),
    }
}

fn run(value: &Con, want: &Want) -> Option<Abs> {
    match (value, want) {
        (value, Want::Any) => Some(abs(value)),
        (Con::Null(ty), want) => Some(Abs::Null(replaced(ty, want))),
        (Con::Bool(_), Want::Bool)
        | (Con::Num(_), Want::Num)
        | (Con::Str(_), Want::Str)
        | (Con::Capsule(_), Want::Capsule(_)) => Some(abs(value)),
        (Con::Bool(truth), Want::Str) => Some(Abs::Str(truth.to_string())),
        (Con::Num(number), Want::Str) => Some(Abs::Str(number.text())),
        (Con::Str(text), Want::Num) => number(text).map(Abs::Num),
        (Con::Str(text), Want::Bool) => match text.as_str() {
            "true" | "1" => Some(Abs::Bool(true)),
            "false" | "0" => Some(Abs::Bool(false)),
            _ => None,
        },
        (Con::List(own, items), Want::List(_) | Want::Set(_)) => sequence(items.iter(), Some(own), want),
        (Con::Set(own, items), Want::List(_) | Want::Set(_)) => sequence(in_order(items), Some(own), want),
        (Con::Tuple(items), Want::List(_) | Want::Set(_)) => sequence(items.iter(), None, want),
        (Con::Map(own, entries), Want::Map(_)) => mapping(entries, Some(own), want),
        (Con::Object(parts), Want::Map(_)) => mapping(parts, None, want),
        (Con::Map(ty, entries), Want::Object(wanted)) => {
            let attribute = |(name, part): (&String, &Attribute)| {
                let value = match entries.get(name) {
                    None if part.optional => part.missing(),
                    None => return None,
                    Some(_) if !available(ty, &part.want, false) => return None,
                    Some(item) => part.filled(run(item, &part.want)?),
                };
                Some((name.clone(), value))
            };
            wanted.iter().map(attribute).collect::<Option<_>>().map(Abs::Object)
        }
        (Con::Object(parts), Want::Object(wanted)) => {
            let attribute = |(name, part): (&String, &Attribute)| {
                let value = match parts.get(name) {
                    None => part.missing(),
                    Some(item) => part.filled(run(item, &part.want)?),
                };
                Some((name.clone(), value))
            };
            wanted.iter().map(attribute).collect::<Option<_>>().map(Abs::Object)
        }
        (Con::Tuple(parts), Want::Tuple(wanted)) => {
            let parts = parts.iter().zip(wanted).map(|(part, want)| run(part, want));
            parts.collect::<Option<_>>().map(Abs::Tuple)
        }
        (value, want) => panic!("{value:?} to {want:?}: not available"),
    }
}

/// The members of a set in cty's order: nulls last, primitives by value, all else by the text of their keys.
fn in_order(items: &BTreeSet<Con>) -> impl Iterator<Item = &Con> + Clone {
    let mut items: Vec<&Con> = items.iter().collect();
    items.sort_by_key(|item| {
        let compound = !matches!(item, Con::Bool(_) | Con::Num(_) | Con::Str(_));
        (item.is_null(), compound.then(|| key_text(item)))
    });
    items.into_iter()
}

fn key_text(con: &Con) -> String {
    let list = |items: &mut dyn Iterator<Item = &Con>| {
        items.map(|item| format!("{};", key_text(item))).collect::<String>()
    };
    match con {
        Con::Null(_) => "~".to_owned(),
        Con::Bool(truth) => if *truth { "T" } else { "F" }.to_owned(),
        Con::Num(Num::Inf) => "+Inf".to_owned(),
        Con::Num(number) => number.text(),
        Con::Str(text) => format!("{text:?}"),
        Con::Capsule(capsule) => format!("{capsule:?}"),
        Con::List(_, items) => format!("[{}]", list(&mut items.iter())),
        Con::Set(_, items) => format!("[{}]", list(&mut in_order(items))),
        Con::Map(_, entries) => {
            let entries = entries.iter().map(|(key, item)| format!("{key:?}:{};", key_text(item)));
            format!("{{{}}}", entries.collect::<String>())
        }
        Con::Tuple(parts) => format!("<{}>", list(&mut parts.iter())),
        Con::Object(parts) => format!("<{}>", list(&mut parts.values())),
    }
}

fn sequence<'a>(items: impl Iterator<Item = &'a Con> + Clone, own: Option<&Ty>, want: &Want) -> Option<Abs> {
    let (Want::List(element) | Want::Set(element)) = want else { unreachable!() };
    let (ty, parts) = parts(items.collect(), own, (element, false), matches!(want, Want::List(_)))?;
    Some(match want {
        Want::List(_) => Abs::List(ty, parts),
        _ => set_of(ty, parts),
    })
}

/// A set of members; ones of an undecided type may be equal or not.
fn set_of(ty: Ty, parts: Vec<Abs>) -> Abs {
    if ty.has_dynamic() && !parts.is_empty() {
        let parts: BTreeSet<Abs> = parts.into_iter().collect();
        let length = (1, Some(parts.len() as u64));
        return Abs::Set { element: ty, known: Vec::new(), undecided: parts.into_iter().collect(), length };
    }
    set(ty, parts.into_iter().collect())
}

fn mapping(entries: &BTreeMap<String, Con>, own: Option<&Ty>, want: &Want) -> Option<Abs> {
    let Want::Map(element) = want else { unreachable!() };
    let (ty, parts) = parts(entries.values().collect(), own, (element, true), false)?;
    Some(Abs::Map(ty, entries.keys().cloned().zip(parts).collect()))
}

/// The elements of a collection with their type. `own` is the element type of what they come from.
fn parts(
    items: Vec<&Con>,
    own: Option<&Ty>,
    (element, to_map): (&Want, bool),
    reunite: bool,
) -> Option<(Ty, Vec<Abs>)> {
    if items.is_empty() {
        let ty = own.map_or_else(|| element.ty(), |own| replaced(own, element));
        return Some((ty, Vec::new()));
    }
    let types: Vec<Ty> = items.iter().map(|item| item.ty()).collect();
    let element =
        if own.is_some() { element.clone() } else { agreed(types.iter(), (element, to_map), false)? };
    let parts: Vec<Abs> = items.into_iter().map(|item| run(item, &element)).collect::<Option<_>>()?;
    let types: Vec<Ty> = parts.iter().map(Abs::ty).collect();
    if types.iter().all(|ty| *ty == types[0]) {
        return Some((types[0].clone(), parts));
    }
    let has_parts = matches!(element, Want::List(_) | Want::Set(_) | Want::Map(_) | Want::Object(_));
    if !(reunite || to_map && has_parts) {
        return None;
    }
    // Where only `any` is above all of them, what is untyped takes the type of the others.
    let common = match unified(&types, true)? {
        common if common.has_dynamic() => unified(&types, false)?,
        common => common,
    };
    let want = Want::plain(&common);
    let parts: Vec<Abs> = parts.iter().map(|part| run(&con(part), &want)).collect::<Option<_>>()?;
    parts.iter().all(|part| part.ty() == common).then_some((common, parts))
}

/// The type of the null that a null of the type becomes.
fn replaced(from: &Ty, want: &Want) -> Ty {
    let of_parts = |parts: Vec<&Ty>, element: &Want, to_map: bool| {
        let parts: Vec<Ty> = parts.into_iter().map(|part| replaced(part, element)).collect();
        let found = match element {
            Want::Any => agreed(parts.iter(), (element, to_map), false).map(|want| want.ty()),
            _ => unified(&parts, false),
        };
        found.unwrap_or_else(|| element.ty())
    };
    match (from, want) {
        (from, Want::Any) => from.clone(),
        (Ty::List(from) | Ty::Set(from), Want::List(want)) => Ty::List(Box::new(replaced(from, want))),
        (Ty::List(from) | Ty::Set(from), Want::Set(want)) => Ty::Set(Box::new(replaced(from, want))),
        (Ty::Map(from), Want::Map(want)) => Ty::Map(Box::new(replaced(from, want))),
        (Ty::Tuple(parts), Want::List(want)) if !parts.is_empty() => {
            Ty::List(Box::new(of_parts(parts.iter().collect(), want, false)))
        }
        (Ty::Tuple(parts), Want::Set(want)) if !parts.is_empty() => {
            Ty::Set(Box::new(of_parts(parts.iter().collect(), want, false)))
        }
        (Ty::Object(parts), Want::Map(want)) if !parts.is_empty() => {
            Ty::Map(Box::new(of_parts(parts.values().collect(), want, true)))
        }
        (Ty::Map(element), Want::Object(wanted)) => {
            Ty::Object(named(wanted, |part| replaced(element, &part.want)))
        }
        (Ty::Object(parts), Want::Object(wanted)) => Ty::Object(
            wanted
                .iter()
                .map(|(name, part)| {
                    let ty = parts.get(name).map_or_else(|| part.want.ty(), |ty| replaced(ty, &part.want));
                    (name.clone(), ty)
                })
                .collect(),
        ),
        (Ty::Tuple(parts), Want::Tuple(wanted)) if parts.len() == wanted.len() => {
            Ty::Tuple(parts.iter().zip(wanted).map(|(from, want)| replaced(from, want)).collect())
        }
        (_, want) => want.ty(),
    }
}

/// The number that a text is.
fn number(text: &str) -> Option<Num> {
    let (negative, rest) = match text.strip_prefix(['-', '+']) {
        Some(rest) => (text.starts_with('-'), rest),
        None => (false, text),
    };
    if rest == "inf" || rest == "Inf" {
        return Some(if negative { Num::NegInf } else { Num::Inf });
    }
    let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent),
        None => (rest, "0"),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let exponent_digits = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
    for digits in [digits.as_str(), exponent_digits] {
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
    }
    // In plain notation, with zeros to have the point among the digits.
    let places = fraction.len() as i64 - exponent.parse::<i64>().unwrap();
    let digits = format!("0{digits}{}", "0".repeat(usize::try_from(-places).unwrap_or(0)));
    let places = usize::try_from(places).unwrap_or(0);
    let digits = format!("{digits:0>width$}", width = places + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    let plain = if fraction.is_empty() { whole.to_owned() } else { format!("{whole}.{fraction}") };
    Num::parse(&if negative { format!("-{plain}") } else { plain })
}

/// The common type of some types.
pub(crate) fn unified(types: &[Ty], safe: bool) -> Option<Ty> {
    let has = |of: fn(&Ty) -> bool| types.iter().any(of);
    let dynamic = has(|ty| *ty == Ty::Dyn);
    let rest: Vec<&Ty> = types.iter().filter(|ty| **ty != Ty::Dyn).collect();
    let all = |of: fn(&Ty) -> bool| !rest.is_empty() && rest.iter().all(|ty| of(ty));
    let (list, set) = (|ty: &Ty| matches!(ty, Ty::List(_)), |ty: &Ty| matches!(ty, Ty::Set(_)));
    let (map, tuple) = (|ty: &Ty| matches!(ty, Ty::Map(_)), |ty: &Ty| matches!(ty, Ty::Tuple(_)));
    let object = |ty: &Ty| matches!(ty, Ty::Object(_));
    let elements = || -> Vec<Ty> {
        let element = |ty: &&Ty| match ty {
            Ty::List(ty) | Ty::Set(ty) | Ty::Map(ty) => Some((**ty).clone()),
            _ => None,
        };
        rest.iter().filter_map(element).collect()
    };
    let parts = || -> Vec<Ty> {
        let parts = |ty: &&Ty| match ty {
            Ty::Tuple(parts) => parts.clone(),
            Ty::Object(parts) => parts.values().cloned().collect(),
            _ => Vec::new(),
        };
        rest.iter().flat_map(parts).collect()
    };
    if all(list) || all(set) || all(map) {
        if dynamic {
            return Some(Ty::Dyn);
        }
        let element = Box::new(unified(&elements(), safe)?);
        return Some(if all(list) {
            Ty::List(element)
        } else if all(set) {
            Ty::Set(element)
        } else {
            Ty::Map(element)
        });
    }
    if all(tuple) || all(object) {
        return if dynamic { Some(Ty::Dyn) } else { structures(&rest, &parts(), safe) };
    }
    if has(object) && has(tuple) {
        return None;
    }
    let of_both = |kind: fn(Box<Ty>) -> Ty| {
        let mut of_parts = parts();
        let mut all = elements();
        if !of_parts.is_empty() {
            of_parts = vec![unified(&of_parts, safe)?];
        }
        all.extend(of_parts);
        Some(kind(Box::new(unified(&all, safe)?)))
    };
    let only =
        |a: fn(&Ty) -> bool, b: fn(&Ty) -> bool| rest.iter().all(|ty| a(ty) || b(ty)) && has(a) && has(b);
    if only(map, object)
        && !dynamic
        && let Some(found) = of_both(Ty::Map)
    {
        return Some(found);
    }
    if only(list, tuple)
        && !dynamic
        && let Some(found) = of_both(Ty::List)
    {
        return Some(found);
    }
    by_generality(types, safe)
}

/// Of tuples or of objects.
fn structures(types: &[&Ty], parts: &[Ty], safe: bool) -> Option<Ty> {
    match types[0] {
        Ty::Tuple(first) => {
            let columns: Option<Vec<Vec<Ty>>> = (0..first.len())
                .map(|i| {
                    types
                        .iter()
                        .map(|ty| if let Ty::Tuple(parts) = ty { parts.get(i).cloned() } else { None })
                        .collect()
                })
                .collect();
            let same_length =
                types.iter().all(|ty| matches!(ty, Ty::Tuple(parts) if parts.len() == first.len()));
            match columns {
                Some(columns) if same_length => {
                    let unified = columns.iter().map(|column| unified(column, safe));
                    Some(Ty::Tuple(unified.collect::<Option<_>>()?))
                }
                _ => Some(Ty::List(Box::new(unified(parts, safe)?))),
            }
        }
        Ty::Object(first) => {
            let same_names =
                types.iter().all(|ty| matches!(ty, Ty::Object(parts) if parts.keys().eq(first.keys())));
            if !same_names {
                return Some(Ty::Map(Box::new(unified(parts, safe)?)));
            }
            let column = |name: &String| -> Vec<Ty> {
                let part =
                    |ty: &&Ty| if let Ty::Object(parts) = ty { parts.get(name).cloned() } else { None };
                types.iter().filter_map(part).collect()
            };
            let unified = first.keys().map(|name| Some((name.clone(), unified(&column(name), safe)?)));
            Some(Ty::Object(unified.collect::<Option<_>>()?))
        }
        _ => None,
    }
}

/// The first type, the more general ones first, that all others convert to.
fn by_generality(types: &[Ty], safe: bool) -> Option<Ty> {
    let mut left: Vec<usize> = (0..types.len()).collect();
    let mut ready: Vec<usize> = Vec::new();
    let mut done: Vec<usize> = Vec::new();
    loop {
        // What nothing that is left is more general than, in the order in which that comes about.
        let free: Vec<usize> = left
            .iter()
            .copied()
            .filter(|i| (0..types.len()).all(|j| done.contains(&j) || !is_above(&types[j], &types[*i])))
            .collect();
        left.retain(|i| !free.contains(i));
        ready.extend(free);
        if ready.is_empty() {
            return None;
        }
        let candidate = ready.remove(0);
        let want = Want::plain(&types[candidate]);
        if types.iter().all(|ty| *ty == types[candidate] || available(ty, &want, safe)) {
            return Some(types[candidate].clone());
        }
        done.push(candidate);
    }
}

fn is_above(a: &Ty, b: &Ty) -> bool {
    let every = |pairs: &mut dyn Iterator<Item = (&Ty, &Ty)>| {
        let pairs: Vec<(&Ty, &Ty)> = pairs.collect();
        pairs.iter().all(|(a, b)| a == b || is_above(a, b)) && pairs.iter().any(|(a, b)| a != b)
    };
    match (a, b) {
        (Ty::Dyn, _) => false,
        (_, Ty::Dyn) => true,
        (Ty::Str, Ty::Bool | Ty::Num)
        | (Ty::List(_), Ty::Tuple(_) | Ty::Set(_))
        | (Ty::Tuple(_), Ty::Set(_))
        | (Ty::Map(_), Ty::Object(_)) => true,
        (Ty::List(a), Ty::List(b)) | (Ty::Set(a), Ty::Set(b)) | (Ty::Map(a), Ty::Map(b)) => is_above(a, b),
        (Ty::Tuple(a), Ty::Tuple(b)) => a.len() == b.len() && every(&mut a.iter().zip(b)),
        (Ty::Object(a), Ty::Object(b)) => a.keys().eq(b.keys()) && every(&mut a.values().zip(b.values())),
        _ => false,
    }
}
