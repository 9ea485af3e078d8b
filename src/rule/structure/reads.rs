//! Checks which types a rule can read.

use crate::path::Path;
use crate::text::with_article;
use crate::types::Type;
use crate::value::Value;

use crate::rule::path_expr::append_steps;
use crate::rule::{ExprStep, MembersRule, Misuse, PathExpr, Requirement, RequiresRule, Rule, ValueRule};

/// The types of values that a rule can read, as the keyword table lists them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::rule) enum Types {
    Any,
    /// Types whose values may equal an operand of the rule, or contain it.
    OfOperand,
    String,
    Number,
    StringOrNumber,
    /// Types whose values have a length: strings, collections, tuples, objects.
    Sized,
    /// Collections, tuples and objects: types whose values have elements, entries or attributes.
    Parts,
    /// Lists, sets and tuples.
    Elements,
    /// Maps and objects.
    Keys,
}

impl Types {
    /// Whether the type certainly belongs to these types.
    fn contain(self, ty: &Type) -> bool {
        match self {
            Types::Any => true,
            Types::OfOperand => false,
            Types::String => *ty == Type::String,
            Types::Number => *ty == Type::Number,
            Types::StringOrNumber => matches!(ty, Type::String | Type::Number),
            Types::Sized => !matches!(ty, Type::Bool | Type::Number | Type::Capsule(_)),
            Types::Parts => !ty.is_primitive() && !matches!(ty, Type::Capsule(_)),
            Types::Elements => matches!(ty, Type::List(_) | Type::Set(_) | Type::Tuple(_)),
            Types::Keys => matches!(ty, Type::Map(_) | Type::Object(_)),
        }
    }

    /// Names the types in words: `a string`; `None` if the types are not restricted, or depend on the operand of the
    /// rule.
    fn noun(self) -> Option<&'static str> {
        match self {
            Types::Any | Types::OfOperand => None,
            Types::String => Some("a string"),
            Types::Number => Some("a number"),
            Types::StringOrNumber => Some("a string or number"),
            Types::Sized => Some("a string or collection"),
            Types::Parts => Some("a collection, tuple or object"),
            Types::Elements => Some("a list, set or tuple"),
            Types::Keys => Some("a map or object"),
        }
    }
}

/// Checks that the rule, and every rule inside it, can read values of the type, as far as types are known. `path` is
/// the path of the value, for the error.
pub(in crate::rule) fn check(rule: &Rule, ty: &Type, path: &Path) -> Result<(), Misuse> {
    if can_read(rule, ty) { Ok(()) } else { check_with_message(rule, ty, path) }
}

/// Whether the rule, and every rule inside it, can certainly read values of the type. It builds no error text, so it
/// is cheap enough for each value. False means "not certain": then [`check`] decides, and says what is wrong.
pub(in crate::rule) fn can_read(rule: &Rule, ty: &Type) -> bool {
    match rule {
        Rule::At(place, rule) if place.parent_count() > 0 => can_read(rule, &Type::Dynamic),
        Rule::At(place, rule) => can_read_at(place.steps(), rule, ty),
        Rule::Keys(inside) => problem(rule, ty).is_none() && can_read(inside, &Type::String),
        Rule::All(rules) | Rule::Any(rules) | Rule::Sequence(rules) => {
            rules.iter().all(|rule| can_read(rule, ty))
        }
        Rule::Not(rule) => can_read(rule, ty),
        Rule::Implies(a, b) | Rule::When(a, b) => can_read(a, ty) && can_read(b, ty),
        Rule::Presence(_, paths) => {
            paths.iter().all(|path| path.parent_count() > 0 || can_read_at(path.steps(), &Rule::NotNull, ty))
        }
        Rule::Requires(_) | Rule::Total(..) => false,
        rule => problem(rule, ty).is_none(),
    }
}

/// Whether the rule can certainly read the values that the steps lead to inside values of the type. Not inlined:
/// rules nest up to 256 deep, and a debug build has 1 MiB of stack for all their frames.
#[inline(never)]
fn can_read_at(steps: &[ExprStep], rule: &Rule, ty: &Type) -> bool {
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
            (ExprStep::AnyElement, Type::Tuple(ty)) => common_type(ty.iter()),
            (ExprStep::AnyElement, Type::Object(ty)) => common_type(ty.iter().map(|(_, ty)| ty)),
            _ => None,
        };
        match part {
            Some(part) => here = part,
            None => return false,
        }
    }
    can_read(rule, here)
}

/// The one type that all items are; `None` if they differ or there are none. Types that share a node compare by its
/// address.
fn common_type<'t>(mut types: impl Iterator<Item = &'t Type>) -> Option<&'t Type> {
    let first = types.next()?;
    types.all(|ty| ty == first).then_some(first)
}

/// As [`check`], without the fast path: finds the rule that cannot read its value, and says why.
pub(in crate::rule) fn check_with_message(rule: &Rule, ty: &Type, path: &Path) -> Result<(), Misuse> {
    match rule {
        Rule::At(place, rule) => {
            let types = place.types(ty).map_err(|error| Misuse::from_error(&error, path))?;
            let below = append_steps(place.steps(), path.clone());
            types.iter().try_for_each(|ty| check_with_message(rule, ty, &below))
        }
        Rule::Keys(inside) => check_keys(rule, inside, ty, path),
        Rule::All(rules) | Rule::Any(rules) | Rule::Sequence(rules) => {
            rules.iter().try_for_each(|rule| check_with_message(rule, ty, path))
        }
        Rule::Not(rule) => check_with_message(rule, ty, path),
        Rule::Implies(a, b) | Rule::When(a, b) => {
            check_with_message(a, ty, path)?;
            check_with_message(b, ty, path)
        }
        rule => check_operands(rule, ty, path),
    }
}

// The functions below are not inlined: rules nest up to 256 deep, and a debug build has 1 MiB of stack for all frames.

/// Checks a rule on keys: that the type has keys, and that the nested rule can read strings.
#[inline(never)]
fn check_keys(rule: &Rule, inside: &Rule, ty: &Type, path: &Path) -> Result<(), Misuse> {
    check_single(rule, ty, path)?;
    let mut below = path.clone();
    below.push(crate::path::Step::Index(Value::unknown(Type::String)));
    check_with_message(inside, &Type::String, &below)
}

/// Checks a rule without nested rules: that its paths lead to attributes or elements that the type has, and that the
/// rule can read values of the type.
#[inline(never)]
fn check_operands(rule: &Rule, ty: &Type, path: &Path) -> Result<(), Misuse> {
    if let Rule::Requires(RequiresRule::RequiredWhen(requirement)) = rule {
        check_condition(rule, requirement, ty, path)?;
        return requirement.required.iter().try_for_each(|place| check_operand(place, ty, path));
    }
    rule.operands().into_iter().try_for_each(|place| check_operand(place, ty, path))?;
    check_single(rule, ty, path)
}

/// Checks that the value which a `required_when` rule tests can equal one of the values in its condition.
fn check_condition(rule: &Rule, requirement: &Requirement, ty: &Type, path: &Path) -> Result<(), Misuse> {
    let types = requirement.path.types(ty).map_err(|error| Misuse::from_error(&error, path))?;
    let Some(first) = requirement.one_of.first() else { return Ok(()) };
    let possible = types.iter().any(|ty| requirement.one_of.iter().any(|value| comparable(value, ty)));
    match types.first() {
        Some(ty) if !possible => {
            let place = append_steps(requirement.path.steps(), path.clone());
            Err(Misuse::new(place, never_equal_message(rule, ty, first)))
        }
        _ => Ok(()),
    }
}

/// Checks that the path `place` leads to an attribute or element that values of the type have.
fn check_operand(place: &PathExpr, ty: &Type, path: &Path) -> Result<(), Misuse> {
    place.check_type(ty).map_err(|error| Misuse::from_error(&error, path))
}

/// Checks that a rule can read values of the type, without its nested rules and paths. `path` is the path of the
/// value, for the error.
pub(in crate::rule) fn check_single(rule: &Rule, ty: &Type, path: &Path) -> Result<(), Misuse> {
    match problem(rule, ty) {
        None => Ok(()),
        Some(message) => Err(Misuse::new(path.clone(), message)),
    }
}

/// Says why a rule cannot read values of the type; `None` if it can, or the type is undecided.
fn problem(rule: &Rule, ty: &Type) -> Option<String> {
    let types = rule.keyword().map_or(Types::Any, |row| row.types);
    if *ty == Type::Dynamic || types.contain(ty) {
        return None;
    }
    match rule {
        Rule::Members(MembersRule::Contains(wanted)) => contains_problem(rule, wanted, ty),
        Rule::Value(values) => match values.operands() {
            [first, ..] if !values.operands().iter().any(|operand| comparable(operand, ty)) => {
                Some(never_equal_message(rule, ty, first))
            }
            [_, ..] => None,
            [] => types.noun().map(|noun| needs_message(rule, noun, ty)),
        },
        rule => types.noun().map(|noun| needs_message(rule, noun, ty)),
    }
}

/// Says why `contains` cannot find the value `wanted` in values of the type; `None` if it can.
fn contains_problem(rule: &Rule, wanted: &Value, ty: &Type) -> Option<String> {
    let possible = match ty {
        Type::String => {
            let text = matches!(wanted.ty(), Type::String | Type::Dynamic) && !wanted.is_null();
            return (!text).then(|| format!("{} in a string needs a string", rule.name()));
        }
        Type::List(ty) => comparable(wanted, ty.element()),
        Type::Set(ty) => comparable(wanted, ty.element()),
        Type::Tuple(ty) => ty.is_empty() || ty.iter().any(|ty| comparable(wanted, ty)),
        ty => return Some(needs_message(rule, "a string, list, set or tuple", ty)),
    };
    (!possible).then(|| {
        let (kind, wanted) = (with_article(&ty.friendly_name()), with_article(&wanted.ty().friendly_name()));
        format!("{} cannot find {wanted} in {kind}", rule.name())
    })
}

/// Whether the rule can read the value whatever type it turns out to have. False is possible only for a value with
/// dynamic in its type that is not wholly known.
pub(in crate::rule) fn can_read_every_outcome(rule: &Rule, value: &Value) -> bool {
    let ty = value.ty();
    if !ty.has_dynamic() || value.is_wholly_known() {
        return true;
    }
    let covered = |operand: &Value, ty: &Type| operand.is_null() || operand.ty().covers(ty);
    match rule {
        Rule::Members(MembersRule::Contains(wanted)) => match &ty {
            Type::Tuple(ty) => ty.is_empty() || ty.iter().any(|ty| covered(wanted, ty)),
            ty => ty.element_type().is_some_and(|ty| covered(wanted, ty)),
        },
        Rule::Value(ValueRule::OneOf(operands) | ValueRule::NoneOf(operands)) if operands.is_empty() => true,
        Rule::Value(values) if !values.operands().is_empty() => {
            values.operands().iter().any(|operand| covered(operand, &ty))
        }
        rule => ty != Type::Dynamic || rule.keyword().is_some_and(|row| row.types == Types::Any),
    }
}

/// Whether a value of the type may equal the operand. A null operand is comparable with every type.
fn comparable(operand: &Value, ty: &Type) -> bool {
    operand.is_null() || ty.compatible(&operand.ty())
}

/// The message that a rule needs values of other types: `wanted` in words, such as `a string`.
#[cold]
fn needs_message(rule: &Rule, wanted: &str, ty: &Type) -> String {
    format!("{} needs {wanted}, but the value is {}", rule.name(), with_article(&ty.friendly_name()))
}

/// The message that a comparison with `operand` can never hold for values of type `ty`, because the types differ.
#[cold]
fn never_equal_message(rule: &Rule, ty: &Type, operand: &Value) -> String {
    let (have, wanted) = (with_article(&ty.friendly_name()), with_article(&operand.ty().friendly_name()));
    format!("{} compares with {wanted}, but the value is {have}", rule.name())
}
