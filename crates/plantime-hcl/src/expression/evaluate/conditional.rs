//! `condition ? a : b`, and the common type of the two results.

use plantime::{LengthRange, Marks, Refinement, Safety, Type, Value, View, unify};

use super::attempt::marks_of_success;
use super::{Evaluated, Evaluator, Frame, Place};
use crate::expression::diagnostic::{Diagnostic, Diagnostics};
use crate::expression::tree::{Binary, Kind, Node, Span};

/// An evaluated result of a conditional.
pub(super) struct Branch {
    pub(super) value: Evaluated,
    /// The marks of what was used for it.
    pub(super) marks: Marks,
    pub(super) may_fail: bool,
}

impl Evaluator<'_> {
    /// Evaluates `condition ? yes : no`. Both branches are evaluated, since their types must have a common type; a
    /// failure of the branch that is not selected is no error, and such a branch has no type. With an unknown condition the
    /// result covers both branches; if one of them fails, it is the other.
    pub(super) fn conditional(
        &self,
        [condition, yes, no]: &[Node; 3],
        node: &Node,
        frame: Option<&Frame<'_>>,
    ) -> Evaluated {
        let before = self.state.may_fail.replace(false);
        let (yes_value, yes_marks) = self.with_used_marks(|| self.value(yes, frame));
        let yes_may_fail = self.state.may_fail.replace(false);
        let (no_value, no_marks) = self.with_used_marks(|| self.value(no, frame));
        let no_may_fail = self.state.may_fail.replace(before);
        let yes_branch = Branch { value: yes_value, marks: yes_marks, may_fail: yes_may_fail };
        let no_branch = Branch { value: no_value, marks: no_marks, may_fail: no_may_fail };
        let condition_value = || self.condition(condition, frame);
        self.chosen((condition, yes, no), condition_value, (yes_branch, no_branch), node, frame)
    }

    /// The result of a conditional whose branches are evaluated.
    pub(super) fn chosen(
        &self,
        (condition, yes, no): (&Node, &Node, &Node),
        condition_value: impl FnOnce() -> Evaluated,
        (yes_branch, no_branch): (Branch, Branch),
        node: &Node,
        frame: Option<&Frame<'_>>,
    ) -> Evaluated {
        let Branch { value: yes_value, marks: yes_marks, may_fail: yes_may_fail } = yes_branch;
        let Branch { value: no_value, marks: no_marks, may_fail: no_may_fail } = no_branch;
        for result in [&yes_value, &no_value] {
            if let Err(problems) = result
                && problems.is_limit()
            {
                return Err(problems.clone());
            }
        }
        let (yes_value, no_value) = (
            self.where_not_null(yes_value, condition, yes, Binary::NotEqual),
            self.where_not_null(no_value, condition, no, Binary::Equal),
        );
        let span = yes.span.start..no.span.end;
        let values = match (&yes_value, &no_value) {
            (Ok(a), Ok(b)) => Some(match self.with_common_type(a, b, &span, node, frame) {
                Ok((yes, no)) => (
                    self.beside(yes, a, (no_may_fail, &no_marks)),
                    self.beside(no, b, (yes_may_fail, &yes_marks)),
                ),
                Err(problems) if problems.is_limit() || !(yes_may_fail || no_may_fail) => {
                    return Err(problems);
                }
                // Without a common type one of them fails, or the whole.
                Err(problems) => {
                    self.may_fail();
                    let alone = |value: &Value, other_may_fail, marks| match other_may_fail {
                        true => Ok(value.clone().with_marks(marks)),
                        false => Err(problems.clone()),
                    };
                    (alone(a, no_may_fail, &no_marks), alone(b, yes_may_fail, &yes_marks))
                }
            }),
            _ => None,
        };
        let (truth, marks) = condition_value()?.unmark();
        let result = match truth.as_bool() {
            Ok(truth) => {
                // As in Terraform, the result has the marks of the whole of both results, whichever is chosen; of one that fails those
                // of what it used, since it would not fail for other content.
                let of_both =
                    [(&yes_value, &yes_marks), (&no_value, &no_marks)].map(|(value, used)| match value {
                        Ok(value) if value.is_marked() => value.marks().clone(),
                        Ok(_) => Marks::new(),
                        Err(_) => marks_of_success(used),
                    });
                let (given, may_fail) =
                    if truth { (yes_value, yes_may_fail) } else { (no_value, no_may_fail) };
                if may_fail {
                    self.may_fail();
                }
                let chosen = match values {
                    Some((a, b)) => {
                        if truth {
                            a
                        } else {
                            b
                        }
                    }
                    // The other result has no type that could matter.
                    None => given,
                };
                chosen.map(|value| of_both.iter().fold(value, |value, marks| value.with_marks(marks)))
            }
            Err(_) => {
                let certain = !yes_may_fail && !no_may_fail;
                match values.unwrap_or((yes_value, no_value)) {
                    (Ok(a), Ok(b)) => {
                        if !certain {
                            self.may_fail();
                        }
                        let both = truth.conditional(&a, &b);
                        Ok(both.unwrap_or_else(|_| super::unknown_with_marks_of([&a, &b])))
                    }
                    // The condition must choose the other one.
                    (Ok(only), Err(_)) => {
                        self.may_fail();
                        Ok(only.with_marks(&no_marks))
                    }
                    (Err(_), Ok(only)) => {
                        self.may_fail();
                        Ok(only.with_marks(&yes_marks))
                    }
                    (Err(mut problems), Err(more)) => {
                        problems.extend(more);
                        Err(problems)
                    }
                }
            }
        };
        result.map(|value| value.with_marks(&marks))
    }

    /// A result that was converted to the common type of both: where the other one may fail, and so may have no type, it may be
    /// the value as it is, too.
    fn beside(
        &self,
        converted: Evaluated,
        own: &Value,
        (other_may_fail, marks): (bool, &Marks),
    ) -> Evaluated {
        if !other_may_fail {
            return converted;
        }
        match converted {
            Ok(converted) if converted == *own => Ok(converted),
            Ok(converted) => {
                let either = Value::unknown(Type::Bool).conditional(&converted, own);
                let either = either.unwrap_or_else(|_| super::unknown_with_marks_of([&converted, own]));
                Ok(either.with_marks(marks))
            }
            Err(_) => {
                self.may_fail();
                Ok(own.clone().with_marks(marks))
            }
        }
    }

    /// The value of a branch `a` that a condition such as `a == null` selects only where it is not null, or that is the condition
    /// itself. `operator` compares with null there.
    fn where_not_null(
        &self,
        value: Evaluated,
        condition: &Node,
        branch: &Node,
        operator: Binary,
    ) -> Evaluated {
        let is_null = |node: &Node| matches!(&node.kind, Kind::Literal(literal) if literal.is_null());
        let is_branch =
            |node: &Node| match (&without_parentheses(node).kind, &without_parentheses(branch).kind) {
                (Kind::Reference(compared), Kind::Reference(selected)) => {
                    compared.to_string() == selected.to_string()
                }
                _ => false,
            };
        let is_not_null = match &without_parentheses(condition).kind {
            Kind::Binary(chain) => chain.as_pair().is_some_and(|(compared, left, right)| {
                compared == operator
                    && (is_null(right) && is_branch(left) || is_null(left) && is_branch(right))
            }),
            // A condition that is null is an error.
            Kind::Reference(_) => is_branch(condition),
            _ => false,
        };
        if !is_not_null {
            return value;
        }
        value.map(|value| match value.is_known() || value.is_certainly_null() {
            true => value,
            false => value.assume_not_null().unwrap_or(value),
        })
    }

    /// The condition as a bool that is not null.
    pub(super) fn condition(&self, node: &Node, frame: Option<&Frame<'_>>) -> Evaluated {
        let value = self.value(node, frame)?;
        let place = Place { span: &node.span, about: node, frame };
        let is_null = || {
            let detail = "The condition value is null. Conditions must either be true or false.";
            self.problem(place, "Null condition", detail)
        };
        if value.is_certainly_null() {
            return Err(is_null());
        }
        if value.may_be_null() {
            self.may_fail();
        }
        let truth = self.converted(&value, &Type::Bool.into()).map_err(|_| {
            let detail = "The condition expression must be of type bool.";
            self.problem(place, "Incorrect condition type", detail).reported_once_known_if(!value.is_known())
        })?;
        // Of strings that convert to no bool only null is left.
        if truth.is_certainly_null() { Err(is_null()) } else { Ok(truth) }
    }

    /// Both results, converted to their common type. That one of them does not convert is a problem only if it is chosen.
    fn with_common_type(
        &self,
        a: &Value,
        b: &Value,
        span: &Span,
        node: &Node,
        frame: Option<&Frame<'_>>,
    ) -> Evaluated<(Evaluated, Evaluated)> {
        let (a_type, b_type) = (a.ty(), b.ty());
        let place = Place { span, about: node, frame };
        let is_untyped_null = |value: &Value, ty: &Type| value.is_null() && *ty == Type::Dynamic;
        // A null takes the type of the other result, whichever that will be.
        let target = match (is_untyped_null(a, &a_type), is_untyped_null(b, &b_type)) {
            (true, true) => return Ok((Ok(a.clone()), Ok(b.clone()))),
            (true, false) if is_open(b, &b_type) => return Ok((Ok(null_like(a, &b_type)), Ok(b.clone()))),
            (false, true) if is_open(a, &a_type) => return Ok((Ok(a.clone()), Ok(null_like(b, &a_type)))),
            (true, false) => Some(b_type.clone()),
            (false, true) => Some(a_type.clone()),
            (false, false) if a_type == b_type && !a_type.has_dynamic() => {
                return Ok((Ok(a.clone()), Ok(b.clone())));
            }
            (false, false) => None,
        };
        if target.is_none() && (is_open(a, &a_type) || is_open(b, &b_type)) {
            return self.with_open_type((a, &a_type), (b, &b_type), place);
        }
        let target = target.or_else(|| unify(&[a_type.clone(), b_type.clone()], Safety::Unsafe));
        let Some(target) = target else {
            let reason = if a.contains_marks() || b.contains_marks() {
                kinds(&a_type, &b_type)
            } else {
                mismatch(&a_type, &b_type)
            };
            return Err(self.inconsistent(reason, place));
        };
        let [a, b] = [(a, "true"), (b, "false")].map(|(value, which)| {
            let before = self.state.may_fail.get();
            let converted = self.converted(value, &target.clone().into()).map_err(|message| {
                let detail = format!("The {which} result value has the wrong type: {message}.");
                self.problem(place, "Inconsistent conditional result types", detail)
            });
            // A result that is not chosen does not fail; one that is was converted as its type demands.
            self.state.may_fail.set(before);
            converted
        });
        if a.is_err() || b.is_err() {
            self.may_fail();
        }
        Ok((a, b))
    }

    /// Results of which one has a type that is not decided. With a string the common type is string, if there is one.
    fn with_open_type(
        &self,
        (a, a_type): (&Value, &Type),
        (b, b_type): (&Value, &Type),
        place: Place<'_>,
    ) -> Evaluated<(Evaluated, Evaluated)> {
        if !may_have_common_type(a_type, b_type) {
            return Err(self.inconsistent(kinds(a_type, b_type), place));
        }
        self.may_fail();
        if *a_type != Type::String && *b_type != Type::String {
            let open = |value: &Value, own, other| {
                let marks = super::unknown_with_marks_of([value]).marks().clone();
                converted_to_common_type(value, own, other).unwrap_or_else(Value::dynamic).with_marks(&marks)
            };
            return Ok((Ok(open(a, a_type, b_type)), Ok(open(b, b_type, a_type))));
        }
        let [a, b] = [a, b].map(|value| self.converted(value, &Type::String.into()));
        match (a, b) {
            (Ok(a), Ok(b)) => Ok((Ok(a), Ok(b))),
            _ => Err(self.inconsistent(kinds(a_type, b_type), place)),
        }
    }

    /// The error for branches without a common type.
    #[cold]
    fn inconsistent(&self, reason: String, place: Place<'_>) -> Diagnostics {
        let detail = format!("The true and false result expressions must have consistent types. {reason}");
        // Terraform shows no values here.
        Diagnostic::new(self.source(), place.span.clone(), "Inconsistent conditional result types", detail)
            .into()
    }
}

/// The node without the parentheses around it.
fn without_parentheses(node: &Node) -> &Node {
    let mut node = node;
    while let Kind::Parenthesis(inner) = &node.kind {
        node = inner;
    }
    node
}

/// An untyped null that takes the type of another value, which is not decided yet.
fn null_like(null: &Value, ty: &Type) -> Value {
    let typed = Value::refined(ty.clone(), Refinement::null()).unwrap_or_else(|_| Value::dynamic());
    typed.with_marks(null.marks())
}

/// Kinds of types that have a common type with each other, and with no others.
#[derive(PartialEq, Eq)]
enum Family {
    Primitive,
    Sequence,
    Mapping,
}

impl Family {
    /// The family of a type, if it has one and that is decided.
    fn of(ty: &Type) -> Option<Family> {
        match ty {
            Type::Bool | Type::Number | Type::String => Some(Family::Primitive),
            Type::List(_) | Type::Set(_) | Type::Tuple(_) => Some(Family::Sequence),
            Type::Map(_) | Type::Object(_) => Some(Family::Mapping),
            Type::Dynamic | Type::Capsule(_) => None,
        }
    }
}

/// Whether two types can have a common type once each `dynamic` in them is decided. False if they, or parts at the same
/// place in them, belong to different families.
fn may_have_common_type(a: &Type, b: &Type) -> bool {
    let (Some(a_family), Some(b_family)) = (Family::of(a), Family::of(b)) else { return true };
    if a_family != b_family {
        return false;
    }
    match (a, b) {
        (Type::Tuple(a), Type::Tuple(b)) if a.len() == b.len() => {
            a.iter().zip(b.iter()).all(|(a, b)| may_have_common_type(a, b))
        }
        (Type::Tuple(tuple), other) | (other, Type::Tuple(tuple)) => match other.element_type() {
            Some(element) => tuple.iter().all(|ty| may_have_common_type(ty, element)),
            None => true,
        },
        (a, b) => match (a.element_type(), b.element_type()) {
            (Some(a), Some(b)) => may_have_common_type(a, b),
            _ => true,
        },
    }
}

/// What is known of a value after its conversion to the common type of both results, where one of the types contains `dynamic`: whether it is
/// null, its kind of collection, its length and its keys. `None` if not even the kind is certain.
fn converted_to_common_type(value: &Value, own: &Type, other: &Type) -> Option<Value> {
    let (bare, _) = value.clone().unmark_deep();
    let ty = match common_type_with_unknown(own, other) {
        Some(ty) => ty,
        // The null of whatever the common type is.
        None if bare.is_certainly_null() => Type::Dynamic,
        None => return None,
    };
    if bare.is_certainly_null() {
        return Value::refined(ty, Refinement::null()).ok();
    }
    if let Type::Capsule(_) = ty {
        return if ty == *own { Some(bare) } else { Some(Value::unknown(ty)) };
    }
    let element = ty.element_type().cloned().unwrap_or(Type::Dynamic);
    let part = |part: &Value| match part.is_certainly_null() {
        true => Value::null(element.clone()),
        false if part.may_be_null() => Value::unknown(element.clone()),
        false => Value::unknown_not_null(element.clone()),
    };
    match (&ty, bare.view()) {
        (Type::List(_), View::List(list)) if !list.is_empty() => {
            return Value::list_of(element.clone(), list.iter().map(part)).ok();
        }
        (Type::List(_), View::Tuple(tuple)) if !tuple.is_empty() => {
            return Value::list_of(element.clone(), tuple.iter().map(part)).ok();
        }
        (Type::Map(_), View::Map(map)) if !map.is_empty() => {
            return Value::map_of(element.clone(), map.iter().map(|(key, value)| (key, part(value)))).ok();
        }
        (Type::Map(_), View::Object(object)) if !object.is_empty() => {
            return Value::map_of(element.clone(), object.iter().map(|(key, value)| (key, part(value)))).ok();
        }
        _ => {}
    }
    let mut refinement = match bare.may_be_null() {
        true => Refinement::any(),
        false => Refinement::not_null(),
    };
    let length = match own {
        Type::Tuple(own) => Some(LengthRange::exactly(own.len() as u64)),
        Type::Object(own) => Some(LengthRange::exactly(own.len() as u64)),
        _ => bare.range().length_range().or_else(|| known_length(&bare)),
    };
    // Members of a set may turn out the same.
    let length = match (&ty, length) {
        (Type::List(_) | Type::Map(_), length) => length,
        (Type::Set(_), Some(length)) => LengthRange::new(length.lower().min(1), length.upper()).ok(),
        _ => None,
    };
    if let Some(length) = length {
        refinement = refinement.meet(&Refinement::length(length)).unwrap_or(refinement);
    }
    Value::refined(ty, refinement).ok()
}

/// Whether a conversion to this type can be undone: to primitives, and to collections of such. A conversion to an object drops attributes, one
/// from a tuple the types of its elements.
fn converts_both_ways(ty: &Type) -> bool {
    ty.is_primitive() || ty.element_type().is_some_and(converts_both_ways)
}

/// The common type of two types, as far as it is known: one of them contains `dynamic`, a type that is not known yet, and so may the
/// result. `None` if nothing is known of it.
fn common_type_with_unknown(own: &Type, other: &Type) -> Option<Type> {
    let element = || match (own.element_type(), other.element_type(), own, other) {
        (Some(own), Some(other), ..) => common_type_with_unknown(own, other),
        (Some(own), None, _, Type::Dynamic) => common_type_with_unknown(own, &Type::Dynamic),
        (None, Some(other), Type::Dynamic, _) => common_type_with_unknown(&Type::Dynamic, other),
        _ => None,
    };
    let element = || element().unwrap_or(Type::Dynamic);
    match (own, other) {
        (Type::List(_) | Type::Tuple(_), Type::List(_)) | (Type::List(_), Type::Tuple(_)) => {
            Type::list(element())
        }
        // A set of such elements converts to the list and back, so the common type is the list; likewise an object and the map.
        (Type::Set(_) | Type::Dynamic, list @ Type::List(_))
        | (list @ Type::List(_), Type::Set(_) | Type::Dynamic)
            if converts_both_ways(list) =>
        {
            Type::list(element())
        }
        (Type::Object(_) | Type::Dynamic, map @ Type::Map(_))
        | (map @ Type::Map(_), Type::Object(_) | Type::Dynamic)
            if converts_both_ways(map) =>
        {
            Type::map(element())
        }
        (Type::Tuple(own), Type::Tuple(other)) if own.len() != other.len() => Type::list(Type::Dynamic),
        (Type::Set(_) | Type::Tuple(_), Type::Set(_)) | (Type::Set(_), Type::Tuple(_)) => {
            Type::set(Type::Dynamic)
        }
        (Type::Map(_), Type::Map(_)) => Type::map(element()),
        (Type::Dynamic, ty @ Type::Capsule(capsule)) | (ty @ Type::Capsule(capsule), Type::Dynamic)
            if !capsule.has_conversions() =>
        {
            Ok(ty.clone())
        }
        (Type::Tuple(own), Type::Tuple(other)) if own.len() == other.len() => {
            Type::tuple(std::iter::repeat_n(Type::Dynamic, own.len()))
        }
        _ => return None,
    }
    .ok()
}

/// The length of a known list or set; `None` for other values.
fn known_length(value: &Value) -> Option<LengthRange> {
    match value.view() {
        View::List(list) => Some(LengthRange::exactly(list.len() as u64)),
        View::Set(set) => Some(set.length()),
        _ => None,
    }
}

/// Whether the type of a value is still to be decided: a part that is not known has a type that is not decided. What else is not known
/// does not matter, and so no mark does.
fn is_open(value: &Value, ty: &Type) -> bool {
    if value.is_wholly_known() || !ty.has_dynamic() {
        return false;
    }
    let is_open_part = |part: &Value| is_open(part, &part.ty());
    match value.clone().unmark().0.view() {
        View::Tuple(tuple) => tuple.iter().any(is_open_part),
        View::Object(object) => object.iter().any(|(_, part)| is_open_part(part)),
        // The type of all elements stands in the type of the list.
        _ => true,
    }
}

/// Why two types have no common type.
fn mismatch(a: &Type, b: &Type) -> String {
    match (a, b) {
        (Type::Object(a), Type::Object(b)) => {
            for (name, a) in a.iter() {
                match b.get(name) {
                    None => {
                        return format!(
                            "The 'true' value includes object attribute {name:?}, which is absent in the 'false' value."
                        );
                    }
                    Some(b) if unify(&[a.clone(), b.clone()], Safety::Unsafe).is_none() || a != b => {
                        return format!("Type mismatch for object attribute {name:?}: {}", mismatch(a, b));
                    }
                    Some(_) => {}
                }
            }
            match b.iter().find(|(name, _)| a.get(name).is_none()) {
                Some((name, _)) => format!(
                    "The 'false' value includes object attribute {name:?}, which is absent in the 'true' value."
                ),
                None => "The 'true' value is object, but the 'false' value is object.".to_owned(),
            }
        }
        (Type::Tuple(a), Type::Tuple(b)) if a.len() != b.len() => {
            format!("The 'true' tuple has length {}, but the 'false' tuple has length {}.", a.len(), b.len())
        }
        (Type::Tuple(a), Type::Tuple(b)) => {
            let different = a.iter().zip(b.iter()).enumerate().find(|(_, (a, b))| a != b);
            match different {
                Some((i, (a, b))) => format!("Type mismatch for tuple element {i}: {}", mismatch(a, b)),
                None => kinds(&Type::Tuple(a.clone()), &Type::Tuple(b.clone())),
            }
        }
        _ => kinds(a, b),
    }
}

/// The kinds of two types.
fn kinds(a: &Type, b: &Type) -> String {
    format!("The 'true' value is {}, but the 'false' value is {}.", a.friendly_name(), b.friendly_name())
}
