//! The type that several arguments are converted to.

use crate::convert::{Safety, unify};
use crate::types::Type;

/// What is known of the common type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::function::standard) enum Common {
    Type(Type),
    /// It hangs on types that are not decided yet; it is one that this covers.
    Undecided(Type),
}

impl Common {
    pub(in crate::function::standard) fn ty(&self) -> &Type {
        match self {
            Common::Type(ty) | Common::Undecided(ty) => ty,
        }
    }

    fn of(self, kind: impl Fn(Type) -> Option<Type>) -> Option<Common> {
        Some(match self {
            Common::Type(ty) => Common::Type(kind(ty)?),
            Common::Undecided(ty) => Common::Undecided(kind(ty)?),
        })
    }
}

/// The common type of types, each with whether it is decided; none where there can be none.
pub(in crate::function::standard) fn common_type(types: &[(Type, bool)]) -> Option<Common> {
    if let [(ty, _)] = types {
        return Some(Common::Type(ty.clone()));
    }
    if types.iter().all(|(_, decided)| *decided) {
        let types: Vec<Type> = types.iter().map(|(ty, _)| ty.clone()).collect();
        return unify(&types, Safety::Unsafe).map(Common::Type);
    }
    let given: Vec<Type> =
        types.iter().map(|(ty, _)| ty).filter(|ty| **ty != Type::Dynamic).cloned().collect();
    let undecided = || Some(Common::Undecided(Type::Dynamic));
    let Some(first) = given.first() else { return undecided() };
    let class = class_of(first);
    if given.iter().any(|ty| class_of(ty) != class) {
        // What is of no type may stay so.
        let all: Vec<Type> = types.iter().map(|(ty, _)| ty.clone()).collect();
        return unify(&all, Safety::Unsafe).and_then(|_| undecided());
    }
    if class == Class::Primitive {
        // With a null of no type, what is undecided need not fit the texts: a list, a text and such a null stay what
        // they are, of no type in common. An undecided type can turn out to be that of the null as well.
        if types.len().saturating_sub(given.len()) > 1 {
            return undecided();
        }
        // Beside a text there can be nothing but texts.
        return match unify(&given, Safety::Unsafe) {
            Some(Type::String) => Some(Common::Type(Type::String)),
            _ => undecided(),
        };
    }
    let is_all = |kind: fn(&Type) -> bool| types.iter().all(|(ty, _)| kind(ty));
    if is_all(|ty| matches!(ty, Type::List(_))) {
        return of_elements(types)?.of(|ty| Type::list(ty).ok());
    }
    if is_all(|ty| matches!(ty, Type::Set(_))) {
        return of_elements(types)?.of(|ty| Type::set(ty).ok());
    }
    if is_all(|ty| matches!(ty, Type::Map(_))) {
        return of_elements(types)?.of(|ty| Type::map(ty).ok());
    }
    let tuple = |ty: &Type| if let Type::Tuple(ty) = ty { Some(ty.len()) } else { None };
    let lengths: Option<Vec<usize>> = types.iter().map(|(ty, _)| tuple(ty)).collect();
    let differ = |lengths: Vec<usize>| lengths.iter().any(|length| Some(length) != lengths.first());
    match lengths.is_some_and(differ) {
        true => Some(Common::Undecided(Type::list(Type::Dynamic).ok()?)),
        false => undecided(),
    }
}

/// Whether no type of all is what another could be converted to, whatever is undecided becomes.
pub(in crate::function::standard) fn have_nothing_in_common(types: &[(Type, bool)]) -> bool {
    let mut classes = types.iter().map(|(ty, _)| ty).filter(|ty| **ty != Type::Dynamic).map(class_of);
    classes.next().is_some_and(|first| first != Class::Capsule && classes.any(|class| class != first))
}

fn of_elements(types: &[(Type, bool)]) -> Option<Common> {
    let elements = types.iter().map(|(ty, decided)| Some((ty.element_type()?.clone(), *decided)));
    common_type(&elements.collect::<Option<Vec<_>>>()?)
}

/// Types of different classes have nothing in common.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Primitive,
    Sequence,
    Mapping,
    /// What a capsule converts to is its own business.
    Capsule,
}

fn class_of(ty: &Type) -> Class {
    match ty {
        Type::Dynamic | Type::Bool | Type::Number | Type::String => Class::Primitive,
        Type::List(_) | Type::Set(_) | Type::Tuple(_) => Class::Sequence,
        Type::Map(_) | Type::Object(_) => Class::Mapping,
        Type::Capsule(_) => Class::Capsule,
    }
}
