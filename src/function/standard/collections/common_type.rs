//! The common type that several arguments are converted to, while some of their types may be undecided.

use crate::convert::{Safety, unify};
use crate::types::Type;

/// The common type that several values are converted to, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::function::standard) enum CommonType {
    /// The common type.
    Type(Type),
    /// The common type is not known yet, since it depends on undecided types; it is one that this type covers.
    Undecided(Type),
}

impl CommonType {
    /// The common type, or the type that covers it while it is undecided.
    pub(in crate::function::standard) fn ty(&self) -> &Type {
        match self {
            CommonType::Type(ty) | CommonType::Undecided(ty) => ty,
        }
    }

    /// The common type of collections, built by `kind` from that of their elements, which is `self`.
    fn wrap(self, kind: impl Fn(Type) -> Option<Type>) -> Option<CommonType> {
        Some(match self {
            CommonType::Type(ty) => CommonType::Type(kind(ty)?),
            CommonType::Undecided(ty) => CommonType::Undecided(kind(ty)?),
        })
    }
}

/// The common type that values of several types are converted to. Each type comes with whether it is decided: it has no
/// `dynamic` in it, or belongs to a wholly known value. `None` if the types can have no common type.
pub(in crate::function::standard) fn common_type(types: &[(Type, bool)]) -> Option<CommonType> {
    if let [(ty, _)] = types {
        return Some(CommonType::Type(ty.clone()));
    }
    if types.iter().all(|(_, decided)| *decided) {
        let types: Vec<Type> = types.iter().map(|(ty, _)| ty.clone()).collect();
        return unify(&types, Safety::Unsafe).map(CommonType::Type);
    }
    let given: Vec<Type> =
        types.iter().map(|(ty, _)| ty).filter(|ty| **ty != Type::Dynamic).cloned().collect();
    let undecided = || Some(CommonType::Undecided(Type::Dynamic));
    let Some(first) = given.first() else { return undecided() };
    let class = class_of(first);
    if given.iter().any(|ty| class_of(ty) != class) {
        // A value of unknown type may turn out to be a null without a type, which goes with every type.
        let all: Vec<Type> = types.iter().map(|(ty, _)| ty.clone()).collect();
        return unify(&all, Safety::Unsafe).and_then(|_| undecided());
    }
    if class == Class::Primitive {
        // A null without a type lifts the requirement of a common type: a list, a string and such a null have none, and
        // stay as they are. Of two values of unknown type one may be such a null.
        if types.len().saturating_sub(given.len()) > 1 {
            return undecided();
        }
        // Whatever the undecided primitive becomes, its common type with a string is string.
        return match unify(&given, Safety::Unsafe) {
            Some(Type::String) => Some(CommonType::Type(Type::String)),
            _ => undecided(),
        };
    }
    let is_all = |kind: fn(&Type) -> bool| types.iter().all(|(ty, _)| kind(ty));
    if is_all(|ty| matches!(ty, Type::List(_))) {
        return common_element_type(types)?.wrap(|ty| Type::list(ty).ok());
    }
    if is_all(|ty| matches!(ty, Type::Set(_))) {
        return common_element_type(types)?.wrap(|ty| Type::set(ty).ok());
    }
    if is_all(|ty| matches!(ty, Type::Map(_))) {
        return common_element_type(types)?.wrap(|ty| Type::map(ty).ok());
    }
    let tuple_length = |ty: &Type| if let Type::Tuple(ty) = ty { Some(ty.len()) } else { None };
    let lengths: Option<Vec<usize>> = types.iter().map(|(ty, _)| tuple_length(ty)).collect();
    let differ = |lengths: Vec<usize>| lengths.iter().any(|length| Some(length) != lengths.first());
    match lengths.is_some_and(differ) {
        true => Some(CommonType::Undecided(Type::list(Type::Dynamic).ok()?)),
        false => undecided(),
    }
}

/// Whether two of the types can never be converted to a common type, whatever undecided types become. Each type comes
/// with whether it is decided, which is ignored here.
pub(in crate::function::standard) fn have_nothing_in_common(types: &[(Type, bool)]) -> bool {
    let mut classes = types.iter().map(|(ty, _)| ty).filter(|ty| **ty != Type::Dynamic).map(class_of);
    classes.next().is_some_and(|first| first != Class::Capsule && classes.any(|class| class != first))
}

/// The common type of the elements of collections of these types; `None` if there can be none.
fn common_element_type(types: &[(Type, bool)]) -> Option<CommonType> {
    let elements = types.iter().map(|(ty, decided)| Some((ty.element_type()?.clone(), *decided)));
    common_type(&elements.collect::<Option<Vec<_>>>()?)
}

/// A class of types. Types of different classes never convert to a common type.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Primitive,
    Sequence,
    Mapping,
    /// Each capsule type defines its own conversions.
    Capsule,
}

/// The class of a type.
fn class_of(ty: &Type) -> Class {
    match ty {
        Type::Dynamic | Type::Bool | Type::Number | Type::String => Class::Primitive,
        Type::List(_) | Type::Set(_) | Type::Tuple(_) => Class::Sequence,
        Type::Map(_) | Type::Object(_) => Class::Mapping,
        Type::Capsule(_) => Class::Capsule,
    }
}
