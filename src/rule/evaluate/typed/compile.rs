//! Compiles a rule for the wholly known values of a type: into tests that compare and look up nothing by name.

use crate::path::Path;
use crate::rule::evaluate::known;
use crate::rule::structure::reads;
use crate::rule::{
    ExprStep, LengthRule, LengthTest, MembersRule, NumberRule, PathExpr, PresenceRule, Rule, TextRule, Unit,
    ValueRule,
};
use crate::text::Text;
use crate::types::Type;
use crate::value::{KnownContent, Value};

use super::{CompiledCondition, TypedRule};

/// The maximum number of tests in a compiled rule: a tuple of elements of many types has its rules once for each.
const TESTS: usize = 1 << 14;

/// The maximum depth of nested tests. Evaluating them takes a few frames of the stack for each level.
const LEVELS: usize = 48;

/// Compiles each rule for values of a type; the result has one compiled rule for each. `None` if one of the rules
/// cannot read the type or reads more than the value, or if the compiled rules become too large together.
pub(super) fn rules(rules: &[Rule], ty: &Type) -> Option<Box<[TypedRule]>> {
    let mut compiler = Compiler { left: TESTS };
    rules.iter().map(|rule| compiler.whole(rule, ty)).collect()
}

/// Compiles a rule on the values that a path leads to, for the type `ty` of the value that the path starts from. The
/// result has one element. `None` as for [`rules`], and if the path has `<`.
pub(super) fn rule_at(path: &PathExpr, rule: &Rule, ty: &Type) -> Option<Box<[TypedRule]>> {
    if path.parent_count() > 0 {
        return None;
    }
    let mut compiler = Compiler { left: TESTS };
    if path.is_empty() {
        return Some(Box::new([compiler.whole(rule, ty)?]));
    }
    let types = path.types(ty).ok()?;
    let is_readable = types.iter().all(|ty| reads::check(rule, ty, &Path::new()).is_ok());
    let is_alone = !known::reads_beyond_value(rule);
    (is_readable && is_alone)
        .then(|| compiler.part(path.steps(), rule, ty, LEVELS))?
        .map(|rule| Box::from([rule]))
}

/// Builds tests, and counts them to bound the size of a compiled rule.
struct Compiler {
    /// The number of tests that may still be built.
    left: usize,
}

impl Compiler {
    /// Compiles a rule for values of a type, after checking that it can read the type and reads nothing but the value;
    /// else `None`.
    fn whole(&mut self, rule: &Rule, ty: &Type) -> Option<TypedRule> {
        let is_readable = reads::check(rule, ty, &Path::new()).is_ok() && !known::reads_beyond_value(rule);
        if is_readable { self.part(&[], rule, ty, LEVELS) } else { None }
    }

    /// Compiles a rule on the values that the steps lead to, for the type `ty` of the value where they start, which may
    /// be null. `levels` is the number of nested tests that is still allowed. `None` if the rule becomes too large.
    fn part(&mut self, steps: &[ExprStep], rule: &Rule, ty: &Type, levels: usize) -> Option<TypedRule> {
        let of_null = known::holds_for_missing(steps, rule);
        Some(TypedRule { of_null, test: self.at(steps, rule, ty, levels)? })
    }

    /// As `part`, for a value that is not null. A missing element counts as null.
    fn at(&mut self, steps: &[ExprStep], rule: &Rule, ty: &Type, levels: usize) -> Option<CompiledCondition> {
        let Some((step, after)) = steps.split_first() else { return self.test(rule, ty, levels) };
        let levels = levels.checked_sub(1)?;
        self.left = self.left.checked_sub(1)?;
        // A missing part is null.
        let missing = || known::holds_for_missing(after, rule).map(CompiledCondition::Always);
        let mut part = |ty: &Type| self.part(after, rule, ty, levels).map(Box::new);
        match (step, ty) {
            (ExprStep::Attr(name), Type::Object(object)) => {
                let slot = object.index_of(name)?;
                Some(CompiledCondition::Attribute(slot, part(object.get(name)?)?))
            }
            (ExprStep::Key(name), Type::Object(object)) => match object.index_of(name) {
                Some(slot) => Some(CompiledCondition::Attribute(slot, part(object.get(name)?)?)),
                None => missing(),
            },
            (ExprStep::Attr(key) | ExprStep::Key(key), Type::Map(map)) => {
                Some(CompiledCondition::Entry(Text::new(key), part(map.element())?))
            }
            (ExprStep::Index(index), Type::List(list)) => match usize::try_from(*index) {
                Ok(index) => Some(CompiledCondition::Element(index, part(list.element())?)),
                Err(_) => missing(),
            },
            (ExprStep::Index(index), Type::Tuple(tuple)) => {
                let index = usize::try_from(*index).ok();
                match index.and_then(|index| Some((index, tuple.get(index)?))) {
                    Some((index, ty)) => Some(CompiledCondition::Element(index, part(ty)?)),
                    None => missing(),
                }
            }
            (ExprStep::AnyElement, Type::List(list)) => Some(CompiledCondition::Each(part(list.element())?)),
            (ExprStep::AnyElement, Type::Set(set)) => Some(CompiledCondition::Each(part(set.element())?)),
            (ExprStep::AnyElement, Type::Map(map)) => Some(CompiledCondition::Each(part(map.element())?)),
            (ExprStep::AnyElement, Type::Tuple(tuple)) => {
                self.slots(&tuple.iter().collect::<Vec<_>>(), (after, rule), levels)
            }
            (ExprStep::AnyElement, Type::Object(object)) => {
                self.slots(&object.iter().map(|(_, ty)| ty).collect::<Vec<_>>(), (after, rule), levels)
            }
            _ => None,
        }
    }

    /// Compiles a rule for each element of a tuple or attribute of an object, given their types in order; `after` are
    /// the steps from there. It is compiled only once if all are of one type.
    fn slots(
        &mut self,
        types: &[&Type],
        (after, rule): (&[ExprStep], &Rule),
        levels: usize,
    ) -> Option<CompiledCondition> {
        let Some((first, others)) = types.split_first() else { return Some(CompiledCondition::Always(true)) };
        if others.iter().all(|ty| ty == first) {
            return self.part(after, rule, first, levels).map(|rule| CompiledCondition::Each(Box::new(rule)));
        }
        types
            .iter()
            .map(|ty| self.part(after, rule, ty, levels))
            .collect::<Option<_>>()
            .map(CompiledCondition::EachSlot)
    }

    /// Compiles a rule on a value of the type `ty` that is not null. `None` if it becomes too large, or for `keys` of
    /// an object.
    fn test(&mut self, rule: &Rule, ty: &Type, levels: usize) -> Option<CompiledCondition> {
        self.left = self.left.checked_sub(1)?;
        let levels = levels.checked_sub(1)?;
        let mut inner = |rule: &Rule| self.test(rule, ty, levels);
        Some(match rule {
            Rule::At(path, rule) => return self.at(path.steps(), rule, ty, levels),
            Rule::All(rules) | Rule::Sequence(rules) => {
                conjunction(rules.iter().map(inner).collect::<Option<Vec<CompiledCondition>>>()?)
            }
            Rule::Any(rules) => CompiledCondition::Any(rules.iter().map(inner).collect::<Option<_>>()?),
            Rule::Not(rule) => CompiledCondition::Not(Box::new(inner(rule)?)),
            Rule::Implies(condition, rule) | Rule::When(condition, rule) => {
                CompiledCondition::Implies(Box::new((inner(condition)?, inner(rule)?)))
            }
            Rule::Keys(rule) => match ty {
                Type::Map(_) => {
                    CompiledCondition::Keys(Box::new(self.part(&[], rule, &Type::String, levels)?))
                }
                _ => return None,
            },
            Rule::Presence(presence, paths) => self.presence(*presence, paths, ty, levels)?,
            rule => single(rule, ty),
        })
    }

    /// Compiles a rule on how many of the paths lead to values that are not null. `levels` and `None` as for `part`.
    fn presence(
        &mut self,
        presence: PresenceRule,
        paths: &[PathExpr],
        ty: &Type,
        levels: usize,
    ) -> Option<CompiledCondition> {
        let parts = paths.iter().map(|path| self.part(path.steps(), &Rule::IsNull, ty, levels));
        Some(CompiledCondition::Presence(presence, parts.collect::<Option<_>>()?))
    }
}

/// The test that holds if all of the tests hold. Tests that always hold are left out.
fn conjunction(mut tests: Vec<CompiledCondition>) -> CompiledCondition {
    tests.retain(|test| !matches!(test, CompiledCondition::Always(true)));
    match tests.pop() {
        None => CompiledCondition::Always(true),
        Some(only) if tests.is_empty() => only,
        Some(last) => {
            tests.push(last);
            CompiledCondition::All(tests.into_boxed_slice())
        }
    }
}

/// Compiles a rule without nested rules, for a value that is not null. Rules without a special test are kept as they
/// are.
fn single(rule: &Rule, ty: &Type) -> CompiledCondition {
    let as_it_is = || CompiledCondition::Single(rule.clone());
    match (rule, ty) {
        (Rule::NotNull, _) => CompiledCondition::Always(true),
        (Rule::IsNull, _) => CompiledCondition::Always(false),
        (Rule::Length(LengthRule { unit: Unit::Elements, test, length }), Type::String) => match test {
            LengthTest::Min => CompiledCondition::MinChars(*length),
            LengthTest::Max => CompiledCondition::MaxChars(*length),
            LengthTest::Exact => as_it_is(),
        },
        (Rule::Text(TextRule::StartsWith(start)), Type::String) => {
            CompiledCondition::Prefix(Text::new(start))
        }
        (Rule::Text(TextRule::EndsWith(end)), Type::String) => CompiledCondition::Suffix(Text::new(end)),
        (Rule::Members(MembersRule::Contains(part)), Type::String) => {
            text(part).map_or_else(as_it_is, CompiledCondition::Infix)
        }
        (Rule::Text(TextRule::Matches(pattern)), Type::String) => CompiledCondition::Matches(pattern.clone()),
        (Rule::Value(ValueRule::NoneOf(operands)), Type::String) => texts(operands)
            .map_or_else(as_it_is, |texts| {
                CompiledCondition::Not(Box::new(CompiledCondition::OneOfTexts(texts)))
            }),
        (Rule::Value(rule @ (ValueRule::Equals(_) | ValueRule::OneOf(_))), Type::String) => {
            texts(rule.operands()).map_or_else(as_it_is, CompiledCondition::OneOfTexts)
        }
        (Rule::Number(NumberRule::Min(least)), Type::Number) => CompiledCondition::Min(least.clone()),
        (Rule::Number(NumberRule::Max(most)), Type::Number) => CompiledCondition::Max(most.clone()),
        (Rule::Number(NumberRule::MultipleOf(divisor)), Type::Number) => match divisor.to_i64() {
            Some(divisor) if divisor > 0 => CompiledCondition::MultipleOf(divisor, rule.clone()),
            _ => as_it_is(),
        },
        _ => as_it_is(),
    }
}

/// The contents of operands; `None` if one is not a known string.
fn texts(operands: &[Value]) -> Option<Box<[Text]>> {
    operands.iter().map(text).collect()
}

/// The content of an operand; `None` if it is not a known string.
fn text(operand: &Value) -> Option<Text> {
    match operand.known_primitive()? {
        KnownContent::String(text) => Some(text.clone()),
        _ => None,
    }
}
