//! Which types a rule can read.

use crate::path::Path;
use crate::types::Type;
use crate::value::Value;

use super::path_expr::concrete;
use super::{Misuse, PathExpr, Requirement, Rule};

/// Checks every rule inside `rule`, as far as types are known.
pub(super) fn check(rule: &Rule, ty: &Type, path: &Path) -> Result<(), Misuse> {
    match rule {
        Rule::At(place, rule) => {
            let types = place.types(ty).map_err(|error| Misuse::from_error(&error, path))?;
            let below = concrete(place.steps(), path.clone());
            types.iter().try_for_each(|ty| check(rule, ty, &below))
        }
        Rule::Keys(inside) => of_keys(rule, inside, ty, path),
        Rule::All(rules) | Rule::Any(rules) | Rule::Sequence(rules) => {
            rules.iter().try_for_each(|rule| check(rule, ty, path))
        }
        Rule::Not(rule) => check(rule, ty, path),
        Rule::Implies(a, b) | Rule::When(a, b) => {
            check(a, ty, path)?;
            check(b, ty, path)
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
    check(inside, &Type::String, &below)
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
pub(super) fn single(rule: &Rule, ty: &Type, path: &Path) -> Result<(), Misuse> {
    if *ty == Type::Dynamic {
        return Ok(());
    }
    let problem = match rule {
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
    };
    match problem {
        None => Ok(()),
        Some(message) => Err(Misuse::new(path.clone(), message)),
    }
}

fn contains(rule: &Rule, wanted: &Value, ty: &Type) -> Option<String> {
    let elements: Vec<&Type> = match ty {
        Type::String => {
            let text = matches!(wanted.ty(), Type::String | Type::Dynamic) && !wanted.is_null();
            return (!text).then(|| format!("{} in a string needs a string", rule.name()));
        }
        Type::List(ty) => vec![ty.element()],
        Type::Set(ty) => vec![ty.element()],
        Type::Tuple(ty) => ty.iter().collect(),
        ty => return Some(needs(rule, "a string, list, set or tuple", ty)),
    };
    let possible = elements.is_empty() || elements.iter().any(|ty| comparable(wanted, ty));
    (!possible).then(|| {
        let (kind, wanted) = (with_article(ty), with_article(&wanted.ty()));
        format!("{} cannot find {wanted} in {kind}", rule.name())
    })
}

/// Whether the rule can read every type that the value may turn out to have.
pub(super) fn certainly(rule: &Rule, value: &Value) -> bool {
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
