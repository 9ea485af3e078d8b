//! `==` and `!=` in rules: a literal takes the type of what it is compared with, and values that can never be equal are an error.

use plantime::{Type, Value, View};

use super::{Evaluated, Evaluator, Frame, Place};
use crate::expression::diagnostic::Diagnostics;
use crate::expression::tree::{Kind, Node, Unary};

/// Whether a node is a literal: a number, a bool, a string, or a tuple or object that is written out.
pub(super) fn is_literal(node: &Node) -> bool {
    match &node.kind {
        Kind::Wrapped(inner) | Kind::Parenthesis(inner) => is_literal(inner),
        Kind::Literal(value) => !value.is_null(),
        Kind::Tuple(_) | Kind::Object(_) => true,
        Kind::Unary(Unary::Negate, operand) => matches!(operand.kind, Kind::Literal(_)),
        _ => false,
    }
}

/// A literal as a value of another type.
enum Converted {
    Value(Value),
    /// No value of the type equals it, though one of another shape would.
    Unequal,
    /// It is of another kind than the type.
    Never,
}

impl Evaluator<'_> {
    /// Both operands of `==` in a rule, of which a literal is converted to the type of the other one. `None` if they are not equal.
    pub(super) fn comparable(
        &self,
        [a, b]: [&Value; 2],
        [left, right]: [&Node; 2],
        whole: &Node,
        frame: Option<&Frame<'_>>,
    ) -> Evaluated<Option<[Value; 2]>> {
        let (left_is_literal, right_is_literal) = (is_literal(left), is_literal(right));
        let mut is_never = false;
        if right_is_literal {
            match self.literal_as(b, &a.ty(), a) {
                Converted::Value(b) => return Ok(Some([a.clone(), b])),
                Converted::Unequal => return Ok(None),
                Converted::Never => is_never = true,
            }
        }
        if left_is_literal {
            match self.literal_as(a, &b.ty(), b) {
                Converted::Value(a) => return Ok(Some([a, b.clone()])),
                Converted::Unequal => return Ok(None),
                Converted::Never => is_never = true,
            }
        }
        if !left_is_literal && !right_is_literal {
            // Null may be compared with everything.
            let is_untyped_null = |value: &Value| value.is_certainly_null() && value.ty() == Type::Dynamic;
            let is_of_any_type = |value: &Value| !value.is_certainly_null() && value.ty() == Type::Dynamic;
            if [a, b].into_iter().any(is_of_any_type) && ![a, b].into_iter().any(is_untyped_null) {
                self.may_fail();
            }
            is_never = kind_of(&a.ty()).zip(kind_of(&b.ty())).is_some_and(|(a, b)| a != b);
        }
        match is_never {
            true => Err(self.never_equal(a, b, whole, frame)),
            false => Ok(Some([a.clone(), b.clone()])),
        }
    }

    #[cold]
    fn never_equal(&self, a: &Value, b: &Value, whole: &Node, frame: Option<&Frame<'_>>) -> Diagnostics {
        let place = Place { span: &whole.span, about: whole, frame };
        let [a, b] = [a, b].map(|value| match value.contains_marks() {
            true => value.visible_type(),
            false => value.ty().friendly_name().into_owned(),
        });
        let detail = format!(
            "These values can never be equal: the left one is of type {a}, the right one of type {b}."
        );
        self.problem(place, "Invalid comparison", detail)
    }

    /// A literal as a value of this type; `other` is the value that it is compared with.
    fn literal_as(&self, literal: &Value, ty: &Type, other: &Value) -> Converted {
        let (bare, marks) = literal.clone().unmark();
        if *ty == Type::Dynamic || bare.ty() == Type::Dynamic && !bare.is_null() {
            // It may turn out to be of a type that the other one does not convert to; a null is compared with everything.
            let is_open = |value: &Value| !value.is_wholly_known() && !value.is_certainly_null();
            if !bare.is_null() && (is_open(&bare) || is_open(other)) {
                self.may_fail();
            }
            return Converted::Value(literal.clone());
        }
        if bare.is_null() {
            return Converted::Value(Value::null(ty.clone()).with_marks(&marks));
        }
        let converted = match (ty, bare.view()) {
            (Type::Bool | Type::Number | Type::String, _) => {
                match bare.ty().is_primitive() && bare.ty() != *ty {
                    true => match self.converted(&bare, &ty.clone().into()) {
                        Ok(value) => Converted::Value(value),
                        Err(_) => Converted::Never,
                    },
                    false if bare.ty() == *ty => Converted::Value(bare.clone()),
                    false => Converted::Never,
                }
            }
            (Type::Tuple(target), View::Tuple(items)) => {
                if target.len() != items.len() {
                    return Converted::Unequal;
                }
                let pairs = items.iter().zip(target.iter());
                self.literals(pairs.map(|(item, ty)| (item, ty.clone())), other, |values| {
                    Value::tuple(values)
                })
            }
            (Type::List(list), View::Tuple(items)) => {
                let pairs = items.iter().map(|item| (item, list.element().clone()));
                self.literals(pairs, other, |values| match values.is_empty() {
                    true => Value::list_of(list.element().clone(), values),
                    false => Value::list(values),
                })
            }
            (Type::Set(set), View::Tuple(items)) => {
                let pairs = items.iter().map(|item| (item, set.element().clone()));
                self.literals(pairs, other, |values| match values.is_empty() {
                    true => Value::set_of(set.element().clone(), values),
                    false => Value::set(values),
                })
            }
            (Type::Map(map), View::Object(items)) => {
                let names: Vec<String> = items.iter().map(|(name, _)| name.to_owned()).collect();
                let pairs = items.iter().map(|(_, item)| (item, map.element().clone()));
                self.literals(pairs, other, |values| {
                    Value::map_of(map.element().clone(), names.iter().map(String::as_str).zip(values))
                })
            }
            (Type::Object(target), View::Object(items)) => {
                let names: Vec<String> = items.iter().map(|(name, _)| name.to_owned()).collect();
                if names.len() != target.len() || names.iter().any(|name| target.get(name).is_none()) {
                    return Converted::Unequal;
                }
                let ty = |name: &str| target.get(name).cloned().unwrap_or(Type::Dynamic);
                let pairs = items.iter().map(|(name, item)| (item, ty(name)));
                self.literals(pairs, other, |values| Value::object(names.iter().cloned().zip(values)))
            }
            (ty, _) if *ty == bare.ty() => Converted::Value(bare.clone()),
            _ => Converted::Never,
        };
        match converted {
            Converted::Value(value) => Converted::Value(value.with_marks(&marks)),
            other => other,
        }
    }

    /// The items of a literal, each as a value of its type.
    fn literals<'v>(
        &self,
        items: impl Iterator<Item = (&'v Value, Type)>,
        other: &Value,
        build: impl FnOnce(Vec<Value>) -> plantime::Result<Value>,
    ) -> Converted {
        let (mut values, mut is_unequal) = (Vec::new(), false);
        for (item, ty) in items {
            match self.literal_as(item, &ty, other) {
                Converted::Value(value) => values.push(value),
                Converted::Unequal => is_unequal = true,
                Converted::Never => return Converted::Never,
            }
        }
        match is_unequal {
            true => Converted::Unequal,
            // A list of values that have no common type is no value of any type.
            false => build(values).map_or(Converted::Unequal, Converted::Value),
        }
    }
}

/// The kinds of types that have values in common with no other kind.
#[derive(PartialEq)]
enum TypeKind {
    Bool,
    Number,
    String,
    List,
    Set,
    Map,
    Tuple,
    Object,
}

/// The kind of a type, if it is decided.
fn kind_of(ty: &Type) -> Option<TypeKind> {
    Some(match ty {
        Type::Bool => TypeKind::Bool,
        Type::Number => TypeKind::Number,
        Type::String => TypeKind::String,
        Type::List(_) => TypeKind::List,
        Type::Set(_) => TypeKind::Set,
        Type::Map(_) => TypeKind::Map,
        Type::Tuple(_) => TypeKind::Tuple,
        Type::Object(_) => TypeKind::Object,
        Type::Dynamic | Type::Capsule(_) => return None,
    })
}
