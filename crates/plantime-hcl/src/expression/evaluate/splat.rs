//! Splats: `xs[*].a` and `xs.*.a`.

use plantime::unstable::value::refinement_of_outcomes;
use plantime::{LengthRange, Refinement, Type, Value, View};

use super::cases::join_or_unknown;
use super::iterate::{Items, has_keys, origin_at};
use super::masks::masked_type;
use super::structure::Structure;
use super::{ElementOrigin, Evaluated, Evaluator, Frame, Place, ValueFacts, unknown_with_marks_of};
use crate::expression::tree::{Kind, Node, Span};

impl Evaluator<'_> {
    /// The possible values of a node. A splat of a single value that may be null has two, a tuple without elements and one
    /// with one element: they have no common type, so that their join would be wholly unknown. Every other node has one.
    pub(super) fn alternatives(&self, node: &Node, frame: Option<&Frame<'_>>) -> Evaluated<Vec<Value>> {
        match &node.kind {
            Kind::Wrapped(inner) | Kind::Parenthesis(inner) => self.alternatives(inner, frame),
            Kind::Splat { of, each, marker } => {
                self.count_steps(1, node)?;
                let value = self.value(of, frame)?;
                self.splat_alternatives(&value, (of, each), marker, node, frame)
            }
            _ => Ok(vec![self.value(node, frame)?]),
        }
    }

    /// Evaluates a splat: applies `each` to every element of `of`. A value that is no collection counts as one
    /// element, null as none.
    pub(super) fn splat(
        &self,
        of: &Node,
        each: &Node,
        marker: &Span,
        node: &Node,
        frame: Option<&Frame<'_>>,
    ) -> Evaluated {
        let value = match self.structure(of, frame)? {
            Structure::Members(members) => {
                return Ok(self.splat_members(each, &members, node, frame)?.value());
            }
            collection => collection.into_value(),
        };
        let alternatives = self.splat_alternatives(&value, (of, each), marker, node, frame)?;
        Ok(join_if_same_type(&alternatives))
    }

    /// The possible values of a splat of this value.
    pub(super) fn splat_alternatives(
        &self,
        value: &Value,
        (of, each): (&Node, &Node),
        marker: &Span,
        node: &Node,
        frame: Option<&Frame<'_>>,
    ) -> Evaluated<Vec<Value>> {
        let (bare, marks) = value.clone().unmark();
        if !marks.is_empty() {
            self.state.used_marks.borrow_mut().extend_from(&marks);
        }
        let bare = match !marks.is_empty() && self.state.masked.get() && !bare.is_null() {
            true => Value::unknown(masked_type(&bare.ty())),
            false => bare,
        };
        let element_of = |value: &Value, origin: ElementOrigin<'_>| {
            self.count_iteration(node)?;
            self.value(each, Some(&Frame::Element { parent: frame, value, origin }))
        };
        let element = |value: &Value| element_of(value, ElementOrigin::Unknown);
        let ty = bare.ty();
        let is_sequence = matches!(ty, Type::List(_) | Type::Set(_) | Type::Tuple(_));
        if bare.is_certainly_null() {
            if is_sequence {
                let place = Place { span: marker, about: of, frame };
                let detail = "Splat expressions (with the * symbol) cannot be applied to null sequences.";
                return Err(self.problem(place, "Splat of null value", detail));
            }
            if !bare.is_known() && ty == Type::Dynamic {
                // A null list or set would be an error; the null of another type is an empty tuple.
                self.may_fail();
            }
            return Ok(vec![empty_tuple().with_marks(&marks)]);
        }
        if ty == Type::Dynamic {
            self.may_fail();
            // Whether it fails may be behind a mark too.
            let any = Frame::Element { parent: frame, value: &bare, origin: ElementOrigin::Unknown };
            let (inner, used) = self.with_used_marks(|| self.value(each, Some(&any)));
            return match inner {
                Ok(inner) => Ok(vec![unknown_with_marks_of([value]).with_marks(&inner.all_marks())]),
                Err(problems) if problems.is_limit() => Err(problems),
                // Each element fails, so there is none: null, an empty tuple or an empty collection.
                Err(_) => {
                    let list = Value::list_of(Type::Dynamic, Vec::<Value>::new()).ok();
                    let empty = [Some(empty_tuple()), list].into_iter().flatten();
                    Ok(empty.map(|result| result.with_marks(&marks).with_marks(&used)).collect())
                }
            };
        }
        if !is_sequence {
            // A single value is a tuple of itself, null a tuple of nothing.
            if bare.may_be_null() {
                let not_null = bare.assume_not_null().unwrap_or_else(|_| bare.clone());
                let none = empty_tuple().with_marks(&marks);
                // If the element certainly fails, the value has to be null; why it fails may be behind a mark.
                let inner = match self.with_used_marks(|| element_of(&not_null, ElementOrigin::Whole(of))) {
                    (Ok(inner), _) => inner,
                    (Err(problems), _) if problems.is_limit() || self.scope.is_validation => {
                        return Err(problems);
                    }
                    (Err(_), used) => {
                        self.may_fail();
                        return Ok(vec![none.with_marks(&used)]);
                    }
                };
                let one = Value::tuple([inner]).map_err(|error| self.too_large(&error, node, frame))?;
                let all = unknown_with_marks_of([value, &one]).marks().clone();
                return Ok(vec![none.with_marks(&all), one.with_marks(&all)]);
            }
            let inner = element_of(&bare, ElementOrigin::Whole(of))?;
            let tuple = Value::tuple([inner]).map_err(|error| self.too_large(&error, node, frame))?;
            return Ok(vec![tuple.with_marks(&marks)]);
        }
        if bare.may_be_null() {
            self.may_fail();
        }
        if matches!((&each.kind, bare.view()), (Kind::Element, View::List(_))) {
            return Ok(vec![value.clone()]);
        }
        let empty_list = |ty: &Type| match self.result_type_for(ty, &element) {
            // An empty list whose type is not decided yet.
            Some(ty) if ty.has_dynamic() && !bare.is_wholly_known() => {
                unknown_list(&Value::unknown(ty), LengthRange::exactly(0))
            }
            ty => Value::list_of(ty.unwrap_or(Type::Dynamic), Vec::<Value>::new())
                .unwrap_or_else(|_| Value::dynamic()),
        };
        let has_keys = has_keys(&bare);
        let over = |_: &Value, items: Items| match items {
            Items::Known(items) => {
                let mut values = Vec::with_capacity(items.len());
                for (key, item) in &items {
                    values.push(element_of(item, origin_at(has_keys, of, key))?);
                }
                let result = match ty.element_type() {
                    None => Value::tuple(values),
                    Some(ty) if values.is_empty() => Ok(empty_list(ty)),
                    Some(_) => {
                        let other = unknown_with_marks_of(&values);
                        Value::list(values).or(Ok(other))
                    }
                };
                result.map_err(|error| self.too_large(&error, node, frame))
            }
            Items::Unknown { value: item, length, .. } => {
                Ok(match self.with_used_marks(|| element(&item)) {
                    (Ok(inner), _) => unknown_list(&inner, length),
                    (Err(problems), _) if problems.is_limit() => return Err(problems),
                    // Each element fails, so there is none.
                    (Err(problems), _) if length.lower() > 0 || self.scope.is_validation => {
                        return Err(problems);
                    }
                    (Err(_), used) => {
                        self.may_fail();
                        ty.element_type().map_or_else(Value::dynamic, empty_list).with_marks(&used)
                    }
                })
            }
            Items::None => Ok(Value::dynamic()),
        };
        let results = self.results_of_each_case(&bare, over, |item| element(item).map(drop))?;
        Ok(results.into_iter().map(|result| result.with_marks(&marks)).collect())
    }

    /// The type that `element` gives for an unknown element of the type `ty`; `None` if it fails. A splat of no elements has it as
    /// its element type.
    fn result_type_for(&self, ty: &Type, element: &dyn Fn(&Value) -> Evaluated) -> Option<Type> {
        let before = self.state.may_fail.get();
        let result = element(&Value::unknown(ty.clone()));
        self.state.may_fail.set(before);
        result.ok().map(|value| value.ty())
    }
}

/// The join of values of one type, such as lists of several lengths; otherwise an unknown with the marks of all: tuples of several
/// lengths have no common type.
pub(super) fn join_if_same_type(alternatives: &[Value]) -> Value {
    match alternatives {
        [first, rest @ ..] if rest.iter().all(|value| value.ty() == first.ty()) => {
            join_or_unknown(alternatives)
        }
        all => unknown_with_marks_of(all),
    }
}

/// The tuple without elements.
fn empty_tuple() -> Value {
    Value::tuple(Vec::<Value>::new()).unwrap_or_else(|_| Value::dynamic())
}

/// A list of this number of elements like the given one.
fn unknown_list(element: &Value, length: LengthRange) -> Value {
    let list = Type::list(element.ty()).ok().and_then(|ty| {
        let elements = Refinement::elements(refinement_of_outcomes(element)).unwrap_or_default();
        Value::refined(ty, elements.with_length(length).and_not_null()).ok()
    });
    list.unwrap_or_else(Value::dynamic).with_marks(&element.all_marks())
}
