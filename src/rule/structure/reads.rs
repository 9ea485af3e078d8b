//! Which types a rule can read.

use crate::path::Path;
use crate::types::Type;
use crate::value::Value;

use crate::rule::path_expr::concrete;
use crate::rule::{ExprStep, Misuse, PathExpr, Requirement, Rule};

/// Checks every rule inside `rule`, as far as types are known.
pub(in crate::rule) fn check(rule: &Rule, ty: &Type, path: &Path) -> Result<(), Misuse> {
    if fits(rule, ty) { Ok(()) } else { check_in_words(rule, ty, path) }
}

/// Whether the rule, and every rule inside it, can certainly read values of the type. It makes no error text, so it is
/// cheap enough to ask for each value. False means "not certain": ask [`check`], which also says what is wrong.
pub(in crate::rule) fn fits(rule: &Rule, ty: &Type) -> bool {
    match rule {
        Rule::At(place, rule) if place.parents() > 0 => fits(rule, &Type::Dynamic),
        Rule::At(place, rule) => fits_at(place.steps(), rule, ty),
        Rule::Keys(inside) => problem(rule, ty).is_none() && fits(inside, &Type::String),
        Rule::All(rules) | Rule::Any(rules) | Rule::Sequence(rules) => {
            rules.iter().all(|rule| fits(rule, ty))
        }
        Rule::Not(rule) => fits(rule, ty),
        Rule::Implies(a, b) | Rule::When(a, b) => fits(a, ty) && fits(b, ty),
        Rule::ExactlyOneOf(paths)
        | Rule::AtLeastOneOf(paths)
        | Rule::Conflicting(paths)
        | Rule::RequiredTogether(paths) => {
            paths.iter().all(|path| path.parents() > 0 || fits_at(path.steps(), &Rule::NotNull, ty))
        }
        Rule::AlsoRequires(..)
        | Rule::RequiredWhen(_)
        | Rule::PreferWriteOnly(..)
        | Rule::AtLeastSumOf(_)
        | Rule::AtMostSumOf(_)
        | Rule::EqualToSumOf(_)
        | Rule::EqualToProductOf(_) => false,
        rule => problem(rule, ty).is_none(),
    }
}

/// Follows steps that go inward. Rules nest, and each frame counts in a debug build.
#[inline(never)]
fn fits_at(steps: &[ExprStep], rule: &Rule, ty: &Type) -> bool {
    let mut here = ty;
    for step in steps {
        let part = match (step, here) {
            (_, Type::Dynamic) => Some(here),
            (ExprStep::AnyElement, Type::Tuple(ty)) if ty.is_empty() => return true,
            (ExprStep::AnyElement, Type::Object(ty)) if ty.is_empty() => return true,
            (ExprStep::Attr(name), Type::Object(ty)) => ty.get(name),
            (ExprStep::Key(name), Type::Object(ty)) => Some(ty.get(name).unwrap_or(&Type::Dynamic)),
            (ExprStep::Index(index), Type::Tuple(ty)) => {
                let part = usize::try_from(*index).ok().and_then(|index| ty.get(index));
                Some(part.unwrap_or(&Type::Dynamic))
            }
            (ExprStep::Attr(_) | ExprStep::Key(_) | ExprStep::AnyElement, Type::Map(ty)) => {
                Some(ty.element())
            }
            (ExprStep::Index(_) | ExprStep::AnyElement, Type::List(ty)) => Some(ty.element()),
            (ExprStep::AnyElement, Type::Set(ty)) => Some(ty.element()),
            (ExprStep::AnyElement, Type::Tuple(ty)) => the_only(ty.iter()),
            (ExprStep::AnyElement, Type::Object(ty)) => the_only(ty.iter().map(|(_, ty)| ty)),
            _ => None,
        };
        match part {
            Some(part) => here = part,
            None => return false,
        }
    }
    fits(rule, here)
}

/// The type that all of some are, if there is one. Types of one origin compare without a look inside.
fn the_only<'t>(mut types: impl Iterator<Item = &'t Type>) -> Option<&'t Type> {
    let first = types.next()?;
    types.all(|ty| ty == first).then_some(first)
}

pub(in crate::rule) fn check_in_words(rule: &Rule, ty: &Type, path: &Path) -> Result<(), Misuse> {
    match rule {
        Rule::At(place, rule) => {
            let types = place.types(ty).map_err(|error| Misuse::from_error(&error, path))?;
            let below = concrete(place.steps(), path.clone());
            types.iter().try_for_each(|ty| check_in_words(rule, ty, &below))
        }
        Rule::Keys(inside) => of_keys(rule, inside, ty, path),
        Rule::All(rules) | Rule::Any(rules) | Rule::Sequence(rules) => {
            rules.iter().try_for_each(|rule| check_in_words(rule, ty, path))
        }
        Rule::Not(rule) => check_in_words(rule, ty, path),
        Rule::Implies(a, b) | Rule::When(a, b) => {
            check_in_words(a, ty, path)?;
            check_in_words(b, ty, path)
        }
        rule => of_operands(rule, ty, path),
    }
}

// In functions of their own: rules nest, and each frame counts in a debug build.

#[inline(never)]
fn of_keys(rule: &Rule, inside: &Rule, ty: &Type, path: &Path) -> Result<(), Misuse> {
    single(rule, ty, path)?;
    let mut below = path.clone();
    below.push(crate::path::Step::Index(Value::unknown(Type::String)));
    check_in_words(inside, &Type::String, &below)
}

#[inline(never)]
fn of_operands(rule: &Rule, ty: &Type, path: &Path) -> Result<(), Misuse> {
    if let Rule::RequiredWhen(requirement) = rule {
        condition(rule, requirement, ty, path)?;
        return requirement.required.iter().try_for_each(|place| operand(place, ty, path));
    }
    rule.operands().into_iter().try_for_each(|place| operand(place, ty, path))?;
    single(rule, ty, path)
}

/// Whether what decides can equal some of the values at all.
fn condition(rule: &Rule, requirement: &Requirement, ty: &Type, path: &Path) -> Result<(), Misuse> {
    let types = requirement.path.types(ty).map_err(|error| Misuse::from_error(&error, path))?;
    let Some(first) = requirement.one_of.first() else { return Ok(()) };
    let possible = types.iter().any(|ty| requirement.one_of.iter().any(|value| comparable(value, ty)));
    match types.first() {
        Some(ty) if !possible => {
            let place = concrete(requirement.path.steps(), path.clone());
            Err(Misuse::new(place, never_equal(rule, ty, first)))
        }
        _ => Ok(()),
    }
}

fn operand(place: &PathExpr, ty: &Type, path: &Path) -> Result<(), Misuse> {
    place.check_type(ty).map_err(|error| Misuse::from_error(&error, path))
}

/// Checks one rule on one value.
pub(in crate::rule) fn single(rule: &Rule, ty: &Type, path: &Path) -> Result<(), Misuse> {
    match problem(rule, ty) {
        None => Ok(()),
        Some(message) => Err(Misuse::new(path.clone(), message)),
    }
}

/// Why one rule cannot read values of a type.
fn problem(rule: &Rule, ty: &Type) -> Option<String> {
    if *ty == Type::Dynamic {
        return None;
    }
    match rule {
        Rule::StartsWith(_)
        | Rule::EndsWith(_)
        | Rule::NotBefore(_)
        | Rule::NotAfter(_)
        | Rule::Matches(_)
        | Rule::Format(_)
        | Rule::OneOfIgnoringCase(_)
        | Rule::NoneOfIgnoringCase(_)
        | Rule::Url(_)
        | Rule::CidrNetwork(_)
        | Rule::MinLenIn(..)
        | Rule::MaxLenIn(..)
        | Rule::LenIn(..) => (*ty != Type::String).then(|| needs(rule, "a string", ty)),
        Rule::Min(_)
        | Rule::Max(_)
        | Rule::MultipleOf(_)
        | Rule::Even
        | Rule::Odd
        | Rule::Port
        | Rule::PortOrZero
        | Rule::AtLeastSumOf(_)
        | Rule::AtMostSumOf(_)
        | Rule::EqualToSumOf(_)
        | Rule::EqualToProductOf(_)
        | Rule::OnlyIncrease
        | Rule::OnlyDecrease
        | Rule::MultipleOfOld => (*ty != Type::Number).then(|| needs(rule, "a number", ty)),
        Rule::MinLen(_) | Rule::MaxLen(_) | Rule::Len(_) => {
            matches!(ty, Type::Bool | Type::Number | Type::Capsule(_))
                .then(|| needs(rule, "a string or collection", ty))
        }
        Rule::NoNulls => (ty.is_primitive() || matches!(ty, Type::Capsule(_)))
            .then(|| needs(rule, "a collection, tuple or object", ty)),
        Rule::Unique => (!matches!(ty, Type::List(_) | Type::Set(_) | Type::Tuple(_)))
            .then(|| needs(rule, "a list, set or tuple", ty)),
        Rule::HasKey(_) | Rule::OneNotNull(_) | Rule::Keys(_) => {
            (!matches!(ty, Type::Map(_) | Type::Object(_))).then(|| needs(rule, "a map or object", ty))
        }
        Rule::NotZero => {
            (!matches!(ty, Type::String | Type::Number)).then(|| needs(rule, "a string or number", ty))
        }
        Rule::Contains(wanted) => contains(rule, wanted, ty),
        Rule::Equals(operand) => (!comparable(operand, ty)).then(|| never_equal(rule, ty, operand)),
        Rule::OneOf(operands) | Rule::NoneOf(operands) => match operands.first() {
            Some(first) if !operands.iter().any(|operand| comparable(operand, ty)) => {
                Some(never_equal(rule, ty, first))
            }
            _ => None,
        },
        _ => None,
    }
}

fn contains(rule: &Rule, wanted: &Value, ty: &Type) -> Option<String> {
    let possible = match ty {
        Type::String => {
            let text = matches!(wanted.ty(), Type::String | Type::Dynamic) && !wanted.is_null();
            return (!text).then(|| format!("{} in a string needs a string", rule.name()));
        }
        Type::List(ty) => comparable(wanted, ty.element()),
        Type::Set(ty) => comparable(wanted, ty.element()),
        Type::Tuple(ty) => ty.is_empty() || ty.iter().any(|ty| comparable(wanted, ty)),
        ty => return Some(needs(rule, "a string, list, set or tuple", ty)),
    };
    (!possible).then(|| {
        let (kind, wanted) = (with_article(ty), with_article(&wanted.ty()));
        format!("{} cannot find {wanted} in {kind}", rule.name())
    })
}

/// Whether the rule can read every type that the value may turn out to have.
pub(in crate::rule) fn certainly(rule: &Rule, value: &Value) -> bool {
    let ty = value.ty();
    if !ty.has_dynamic() || value.is_wholly_known() {
        return true;
    }
    let covered = |operand: &Value, ty: &Type| operand.is_null() || operand.ty().covers(ty);
    match rule {
        Rule::Equals(operand) => covered(operand, &ty),
        Rule::OneOf(operands) | Rule::NoneOf(operands) => {
            operands.is_empty() || operands.iter().any(|operand| covered(operand, &ty))
        }
        Rule::Contains(wanted) => match &ty {
            Type::Tuple(ty) => ty.is_empty() || ty.iter().any(|ty| covered(wanted, ty)),
            ty => ty.element_type().is_some_and(|ty| covered(wanted, ty)),
        },
        Rule::NotNull | Rule::IsNull | Rule::TypeIs(_) | Rule::Immutable => true,
        _ if ty == Type::Dynamic => false,
        _ => true,
    }
}

/// Whether a value of the type may equal the operand, or fail to: nulls equal each other whatever their types.
fn comparable(operand: &Value, ty: &Type) -> bool {
    operand.is_null() || ty.compatible(&operand.ty())
}

#[cold]
fn needs(rule: &Rule, wanted: &str, ty: &Type) -> String {
    format!("{} needs {wanted}, but the value is {}", rule.name(), with_article(ty))
}

#[cold]
fn never_equal(rule: &Rule, ty: &Type, operand: &Value) -> String {
    let (have, wanted) = (with_article(ty), with_article(&operand.ty()));
    format!("{} compares with {wanted}, but the value is {have}", rule.name())
}

fn with_article(ty: &Type) -> String {
    let name = ty.friendly_name();
    let article = if name.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {name}")
}
