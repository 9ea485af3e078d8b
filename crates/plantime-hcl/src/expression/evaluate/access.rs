//! Variables, attributes and keys.

use plantime::{Number, Path, Type, Value, View, convert};

use super::structure::Structure;
use super::{Evaluated, Evaluator, Frame, Place, unknown_with_marks_of};
use crate::expression::members::Members;
use crate::expression::references::{Reference, ReferenceKey, ReferenceStep};
use crate::expression::tree::{Node, Step, StepKind};

/// What every problem of a key begins with.
const NO_ELEMENT: &str = "The given key does not identify an element in this collection value";

impl Evaluator<'_> {
    /// The value of a variable, and of the attributes and constant keys after it.
    pub(super) fn reference(
        &self,
        reference: &Reference,
        node: &Node,
        frame: Option<&Frame<'_>>,
    ) -> Evaluated {
        let (mut value, read) = match frame.and_then(|frame| frame.look_up(&reference.root)) {
            Some(value) => (self.used(value.clone()), 0),
            None if self.scope.is_for_rules => self.reference_of_rule(reference, node, frame)?,
            None => match self.scope.variables.resolve(reference) {
                Ok(resolved) => (self.used(resolved.value), resolved.steps),
                Err(unresolved) => {
                    let span = reference.span_of(unresolved.steps);
                    let place = Place { span: &span, about: node, frame };
                    return Err(self.problem(place, &unresolved.summary, unresolved.detail));
                }
            },
        };
        let mut is_late = false;
        for step in reference.steps.get(read..).unwrap_or_default() {
            let span = step.span();
            let place = Place { span: &span, about: node, frame };
            let next = match &step.key {
                ReferenceKey::Attribute(name) => self.attribute(&value, name, place),
                ReferenceKey::Index(key) => self.index(&value, key, place),
            };
            let next = next.map_err(|problems| problems.reported_once_known_if(is_late))?;
            is_late |= matches!(step.key, ReferenceKey::Index(_)) && is_unknown_object(&value);
            value = next;
        }
        Ok(value)
    }

    /// As [`reference`](Evaluator::reference), in a rule: the value of the first steps, and their number. A member of a collection that is not
    /// complete is known if it and those before it are there for certain.
    #[inline(never)]
    fn reference_of_rule(
        &self,
        reference: &Reference,
        node: &Node,
        frame: Option<&Frame<'_>>,
    ) -> Evaluated<(Value, usize)> {
        let variables = self.scope.variables;
        if variables.may_fail(reference) {
            self.may_fail();
        }
        let is_index = |step: &ReferenceStep| matches!(step.key, ReferenceKey::Index(_));
        if let Some(steps) = reference.steps.iter().position(is_index)
            && let Some(ReferenceStep { key: ReferenceKey::Index(key), .. }) = reference.steps.get(steps)
            && let Some(Ok(members)) = variables.members(&reference.shortened(steps))
            && let Some(member) = certain_at(&members, key)
        {
            return Ok((self.used(member), steps.saturating_add(1)));
        }
        match variables.resolve(reference) {
            Ok(resolved) => Ok((self.used(resolved.value), resolved.steps)),
            Err(unresolved) => {
                let span = reference.span_of(unresolved.steps);
                let place = Place { span: &span, about: node, frame };
                Err(self.problem(place, &unresolved.summary, unresolved.detail))
            }
        }
    }

    /// Evaluates the steps after a node: attributes and indexes, from left to right.
    pub(super) fn access(
        &self,
        of: &Node,
        steps: &[Step],
        node: &Node,
        frame: Option<&Frame<'_>>,
    ) -> Evaluated {
        let alternatives = match self.may_be_members(of) {
            true => match (self.structure(of, frame)?, steps) {
                (Structure::Members(members), [Step { kind: StepKind::Index(key), .. }, rest @ ..])
                    if !members.is_complete() =>
                {
                    let key = self.value(key, frame)?;
                    if let Some(member) = certain_at(&members, &key) {
                        return self.apply_steps(&member, rest, node, frame);
                    }
                    vec![members.value()]
                }
                (structure, _) => structure.into_alternatives(),
            },
            false => self.alternatives(of, frame)?,
        };
        if let [only] = alternatives.as_slice() {
            return self.apply_steps(only, steps, node, frame);
        }
        // The keys are evaluated for each alternative, so cases inside them would multiply.
        let before = self.state.in_cases.replace(true);
        let result = self.of_alternatives(alternatives, |value| self.apply_steps(value, steps, node, frame));
        self.state.in_cases.set(before);
        result
    }

    /// Applies attribute and index steps to a value, one after the other.
    fn apply_steps(&self, from: &Value, steps: &[Step], node: &Node, frame: Option<&Frame<'_>>) -> Evaluated {
        let mut value = from.clone();
        let mut is_late = false;
        for step in steps {
            let place = Place { span: &step.span, about: node, frame };
            let next = match &step.kind {
                StepKind::Attribute(name) => self.attribute(&value, name, place),
                StepKind::Index(key) => {
                    let key = self.value(key, frame)?;
                    self.index(&value, &key, place)
                }
            };
            let next = next.map_err(|problems| problems.reported_once_known_if(is_late))?;
            is_late |= matches!(step.kind, StepKind::Index(_)) && is_unknown_object(&value);
            value = next;
        }
        Ok(value)
    }

    /// The attribute of an object, or the element of a map.
    fn attribute(&self, value: &Value, name: &str, place: Place<'_>) -> Evaluated {
        if value.is_certainly_null() {
            return Err(self.problem(
                place,
                "Attempt to get attribute from null value",
                "This value is null, so it does not have any attributes.",
            ));
        }
        if value.may_be_null() {
            self.may_fail();
        }
        let ty = value.ty();
        let unsupported = |detail: String| self.problem(place, "Unsupported attribute", detail);
        match &ty {
            Type::Dynamic => {
                self.may_fail();
                Ok(unknown_with_marks_of([value]))
            }
            Type::Object(_) => value.get_attr(name).map_err(|_| {
                unsupported(format!("This object does not have an attribute named {}.", Value::from(name)))
            }),
            Type::Map(_) => {
                let key = Value::from(name);
                self.note_doubt(value, &key);
                value.get(&Path::new().index(key)).map_err(|_| {
                    let detail =
                        format!("This map does not have an element with the key {}.", Value::from(name));
                    let problem = self.problem(place, "Missing map element", detail);
                    problem.reported_once_known_if(matches!(value, Value::Unknown(_) | Value::Refined(_)))
                })
            }
            Type::List(list) if matches!(list.element(), Type::Object(_)) => Err(unsupported(format!(
                "Can't access attributes on a list of objects. Did you mean to access attribute {} for a specific \
                 element of the list, or across all elements of the list?",
                Value::from(name)
            ))),
            Type::Set(set) if matches!(set.element(), Type::Object(_)) => Err(unsupported(
                "Can't access attributes on a set of objects. Did you mean to access an attribute across all elements \
                 of the set?"
                    .to_owned(),
            )),
            Type::Bool | Type::Number | Type::String => Err(unsupported(format!(
                "Can't access attributes on a primitive-typed value ({}).",
                ty.friendly_name()
            ))),
            _ => Err(unsupported("This value does not have any attributes.".to_owned())),
        }
    }

    /// The element at a key. While the type of the value or of the key is unknown, Terraform checks neither, so it
    /// reports an error only once both are known.
    fn index(&self, value: &Value, key: &Value, place: Place<'_>) -> Evaluated {
        let is_late = value.ty() == Type::Dynamic || key.ty() == Type::Dynamic;
        let found = self.element(value, key, place);
        let is_late = is_late && !value.is_certainly_null() && !key.is_certainly_null();
        found.map_err(|problems| problems.reported_once_known_if(is_late))
    }

    fn element(&self, value: &Value, key: &Value, place: Place<'_>) -> Evaluated {
        if value.is_certainly_null() {
            return Err(self.problem(
                place,
                "Attempt to index null value",
                "This value is null, so it does not have any indices.",
            ));
        }
        let invalid = |detail: String| self.problem(place, "Invalid index", detail);
        if key.is_certainly_null() {
            return Err(invalid("Can't use a null value as an indexing key.".to_owned()));
        }
        if value.may_be_null() || key.may_be_null() {
            self.may_fail();
        }
        let converted = |ty: Type| {
            self.converted(key, &ty.into()).map_err(|message| invalid(format!("{NO_ELEMENT}: {message}.")))
        };
        match value.ty() {
            Type::Dynamic => {
                // No value has a key that is no text.
                converted(Type::String)?;
                self.may_fail();
                Ok(unknown_with_marks_of([value, key]))
            }
            ty @ (Type::List(_) | Type::Tuple(_)) => {
                let key = converted(Type::Number)?;
                self.note_doubt(value, &key);
                // The type of a tuple has its length, so Terraform reports such an index at once.
                let is_late = !key.is_known() || !value.is_known() && matches!(ty, Type::List(_));
                value.get(&Path::new().index(key.clone())).map_err(|_| {
                    let problem = invalid(format!("{NO_ELEMENT}{}.", why_no_element(value, &key)));
                    problem.reported_once_known_if(is_late)
                })
            }
            Type::Map(_) => {
                let text = converted(Type::String)?;
                self.note_doubt(value, &text);
                let reached = entries_at(value, key, &text);
                let reached = reached.as_ref().unwrap_or(value);
                let is_late = !text.is_known() || !value.is_known();
                reached
                    .get(&Path::new().index(text))
                    .map_err(|_| invalid(format!("{NO_ELEMENT}.")).reported_once_known_if(is_late))
            }
            Type::Object(_) => self.attribute_at(value, key, &converted(Type::String)?, place),
            Type::Set(_) => Err(invalid(
                "Elements of a set are identified only by their value and don't have any separate index or key to \
                 select with, so it's only possible to perform operations across all elements of the set."
                    .to_owned(),
            )),
            _ => Err(invalid("This value does not have any indices.".to_owned())),
        }
    }

    /// The attribute that a key selects; for an unknown key, what all attributes have in common that it may select.
    /// `given` is the key as it is, `key` the key as a string.
    fn attribute_at(&self, value: &Value, given: &Value, key: &Value, place: Place<'_>) -> Evaluated {
        let missing = || {
            let problem = self.problem(place, "Invalid index", format!("{NO_ELEMENT}."));
            problem.reported_once_known_if(!value.is_known() || !key.is_known())
        };
        let (bare, marks) = key.clone().unmark();
        let selected = match bare.as_str() {
            Ok(name) => value.get_attr(name).map_err(|_| missing()),
            Err(_) => {
                self.may_fail();
                let Type::Object(ty) = value.ty() else { return Err(missing()) };
                let given = given.clone().unmark().0;
                let names = ty.attribute_names().filter(|name| may_be_name(&given, &bare, name));
                let values: Vec<Value> = names.filter_map(|name| value.get_attr(name).ok()).collect();
                Value::join(&values.iter().collect::<Vec<_>>()).map_err(|_| missing())
            }
        };
        selected.map(|selected| selected.with_marks(&marks))
    }

    /// Records that the access may fail, unless the element certainly exists.
    fn note_doubt(&self, value: &Value, key: &Value) {
        if value.is_wholly_known() && key.is_wholly_known() {
            return;
        }
        let has = value.has_index(key).map(|has| has.unmark().0);
        if value.may_be_null() || !has.is_ok_and(|has| has.as_bool() == Ok(true)) {
            self.may_fail();
        }
    }
}

/// The member at an index; `None` if it, or one before it, may not be there.
fn certain_at(members: &Members, key: &Value) -> Option<Value> {
    let position = plantime::Step::Index(key.clone()).position().filter(|_| !members.is_set())?;
    let first = members.items().get(..=position)?;
    let is_certain = first.iter().all(|member| member.is_certain);
    first.last().filter(|_| is_certain).map(|member| member.value.clone().with_marks(members.marks()))
}

/// Whether the value is an unknown object: an index into one selects an attribute whose type Terraform leaves open.
fn is_unknown_object(value: &Value) -> bool {
    matches!(value.ty(), Type::Object(_)) && !value.is_known()
}

/// The map with only the entries that an unknown key may select; `None` if these are all entries, or the key is known.
/// `given` is the key as it is, `text` the key as a string.
fn entries_at(map: &Value, given: &Value, text: &Value) -> Option<Value> {
    let [(given, _), (text, _)] = [given, text].map(|key| key.clone().unmark());
    let (bare, marks) = map.clone().unmark();
    let View::Map(view) = bare.view() else { return None };
    if text.is_known() {
        return None;
    }
    let reached: Vec<(&str, Value)> = view
        .iter()
        .filter(|(name, _)| may_be_name(&given, &text, name))
        .map(|(name, value)| (name, value.clone()))
        .collect();
    if reached.len() == view.len() {
        return None;
    }
    let reached = Value::map_of(view.element_type().clone(), reached).ok()?;
    Some(reached.with_marks(&marks))
}

/// Whether a key may turn out to be the name of an attribute. `given` is the key as it is, `text` the key as a string.
fn may_be_name(given: &Value, text: &Value, name: &str) -> bool {
    let name = Value::from(name);
    match given.ty() {
        // Not each string is the text of a bool or a number.
        ty @ (Type::Bool | Type::Number) => convert(&name, &ty.into()).is_ok_and(|key| {
            given.may_become(&key) && convert(&key, &Type::String.into()).is_ok_and(|text| text == name)
        }),
        _ => text.may_become(&name),
    }
}

/// Why a list or tuple has no element at a key; nothing if that would tell what is behind a mark.
fn why_no_element(value: &Value, key: &Value) -> &'static str {
    if value.is_marked() || key.is_marked() {
        return "";
    }
    let range = value.range();
    let is_empty = match value.length().and_then(|length| length.as_number().cloned()) {
        Ok(length) => length.is_zero(),
        Err(_) => range.length_range().is_some_and(|length| length.upper() == Some(0)),
    };
    match key.as_number() {
        _ if is_empty => ": the collection has no elements",
        Ok(number) if !number.is_integer() => {
            ": indexing a sequence requires a whole number, but the given index has a fractional part"
        }
        Ok(number) if *number < Number::from(0) => ": a negative number is not a valid index for a sequence",
        // Terraform gives this reason for the first index behind the end only.
        Ok(number) if value.length().is_ok_and(|length| length == Value::from(number.clone())) => {
            ": the given index is greater than or equal to the length of the collection"
        }
        _ => "",
    }
}
