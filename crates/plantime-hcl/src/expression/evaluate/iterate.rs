//! `for` expressions, and the items that they and other constructs iterate.

use std::collections::{BTreeMap, BTreeSet};

use plantime::unstable::value::only_member;
use plantime::{Bound, LengthRange, Marks, NumberRange, Refinement, Type, Value, View, convert};

use super::masks::masked_type;
use super::structure::Structure;
use super::{ElementOrigin, Evaluated, Evaluator, Frame, Place, unknown_with_marks_of};
use crate::expression::references::{Reference, references};
use crate::expression::tree::{For, Kind, Node};

/// The maximum number of elements of an unknown list of known length that are iterated.
const MAX_UNKNOWN_ITEMS: u64 = 4096;

/// The items of a collection, to iterate over.
pub(super) enum Items {
    /// Keys and values.
    Known(Vec<(Value, Value)>),
    /// An unknown number of items, all like this key and value.
    Unknown { key: Value, value: Value, length: LengthRange },
    /// It is no collection.
    None,
}

/// The items of a collection that has no marks and is not null. For those of a set key and value are the same.
pub(super) fn items(collection: &Value) -> Items {
    let numbered = |values: &mut dyn Iterator<Item = Value>| {
        Items::Known((0_u64..).zip(values).map(|(at, value)| (Value::from(at), value)).collect())
    };
    let unknown = |key, value, length| Items::Unknown { key, value, length };
    let any = || unknown(Value::dynamic(), Value::dynamic(), LengthRange::default());
    match collection.view() {
        View::Dynamic => any(),
        View::Tuple(tuple) => numbered(&mut tuple.iter().cloned()),
        View::List(list) if list.element_type().has_dynamic() => {
            let at = |at: usize| collection.index(&Value::from(at)).unwrap_or_else(|_| Value::dynamic());
            numbered(&mut (0..list.len()).map(at))
        }
        View::List(list) => numbered(&mut list.iter().cloned()),
        View::Map(map) if map.element_type().has_dynamic() => {
            let at = |key: &str| collection.index(&Value::from(key)).unwrap_or_else(|_| Value::dynamic());
            Items::Known(map.iter().map(|(key, _)| (Value::from(key), at(key))).collect())
        }
        View::Map(map) => {
            Items::Known(map.iter().map(|(key, value)| (Value::from(key), value.clone())).collect())
        }
        View::Object(object) => {
            let mut entries: Vec<_> =
                object.iter().map(|(name, value)| (Value::from(name), value.clone())).collect();
            entries
                .sort_by(|(a, _), (b, _)| a.as_str().unwrap_or_default().cmp(b.as_str().unwrap_or_default()));
            Items::Known(entries)
        }
        View::Set(set) => items_of_set(collection, set.element_type(), set.length()),
        View::Unknown(range) => {
            let length = range.length_range().unwrap_or_default();
            match range.ty() {
                Type::Dynamic => any(),
                Type::List(ty) => {
                    let value = range.unknown_element(ty.element());
                    match length.exact() {
                        Some(count) if count <= MAX_UNKNOWN_ITEMS => {
                            numbered(&mut (0..count).map(|_| value.clone()))
                        }
                        _ => unknown(place_in(length), value, length),
                    }
                }
                Type::Set(_) | Type::Map(_) if length.upper() == Some(0) => Items::Known(Vec::new()),
                Type::Set(ty) => items_of_set(collection, ty.element(), length),
                Type::Map(ty) => {
                    let (key, value) = (range.unknown_key(), range.unknown_element(ty.element()));
                    match length.exact() {
                        Some(count) if count <= MAX_UNKNOWN_ITEMS => {
                            Items::Known((0..count).map(|_| (key.clone(), value.clone())).collect())
                        }
                        _ => unknown(key, value, length),
                    }
                }
                Type::Tuple(_) => numbered(&mut range.unknown_parts().into_iter()),
                Type::Object(ty) => {
                    let mut names: Vec<&str> = ty.attribute_names().collect();
                    names.sort_unstable();
                    let entry = |name: &str| {
                        (
                            Value::from(name),
                            range.unknown_attribute(name, ty.get(name).unwrap_or(&Type::Dynamic)),
                        )
                    };
                    Items::Known(names.into_iter().map(entry).collect())
                }
                _ => Items::None,
            }
        }
        _ => Items::None,
    }
}

/// Whether the items of a collection have keys: the members of a set have none.
pub(super) fn has_keys(collection: &Value) -> bool {
    match collection.view() {
        View::Set(_) => false,
        View::Unknown(range) => !matches!(range.ty(), Type::Set(_)),
        _ => true,
    }
}

/// Where the item at a key of a collection comes from, if its items have keys.
pub(super) fn origin_at<'k>(has_keys: bool, node: &'k Node, key: &'k Value) -> ElementOrigin<'k> {
    if has_keys { ElementOrigin::At(node, key) } else { ElementOrigin::Unknown }
}

/// An unknown index into a list whose length is in this range.
fn place_in(length: LengthRange) -> Value {
    let last = length.upper().and_then(|most| most.checked_sub(1));
    let last = last.map_or(Bound::Unbounded, |last| Bound::Inclusive(last.into()));
    let range = NumberRange::new(Bound::Inclusive(0.into()), last).map(Refinement::number);
    let place = range.and_then(|range| Value::refined(Type::Number, range.and_not_null()));
    place.unwrap_or_else(|_| Value::unknown_not_null(Type::Number))
}

/// The items of a set: those of the list that it converts to, as the order of unknown members is not known.
fn items_of_set(set: &Value, element: &Type, length: LengthRange) -> Items {
    let value = Value::unknown(element.clone());
    let unknown = |value: Value, length| Items::Unknown { key: value.clone(), value, length };
    if let Some(only) = only_member(set) {
        return Items::Known(vec![(only.clone(), only)]);
    }
    let Ok(list) = Type::list(element.clone()) else { return unknown(value, length) };
    match convert(set, &list.into()) {
        Ok(list) if !list.is_null() => match items(&list) {
            Items::Known(items) => {
                Items::Known(items.into_iter().map(|(_, value)| (value.clone(), value)).collect())
            }
            Items::Unknown { value, length, .. } => unknown(value, length),
            Items::None => unknown(value, length),
        },
        _ => unknown(value, length),
    }
}

/// Whether the key does not depend on the iteration: its expression refers to no name that the `for` binds, and calls no function, as
/// some give another value each time.
fn is_loop_invariant(each: &For, key: &Node) -> bool {
    let is_bound = |root: &str| root == &*each.value || each.key.as_deref() == Some(root);
    if references(key).iter().any(|reference| is_bound(reference.root())) {
        return false;
    }
    let mut nodes = vec![key];
    while let Some(node) = nodes.pop() {
        if matches!(node.kind, Kind::Call(_)) {
            return false;
        }
        nodes.extend(node.children());
    }
    true
}

/// The maximum number of keys that are compared by the values that each may become.
const MAX_COMPARED_KEYS: usize = 64;

/// Whether at least two keys are certainly equal, because n unknown keys have fewer than n possible values: of three keys that are each
/// `true` or `false`, two are equal. Compares only the first [`MAX_COMPARED_KEYS`] unknown keys, so `false` decides nothing.
fn keys_must_repeat(items: &[&Item]) -> bool {
    let open = items.iter().filter_map(|item| item.unknown_key.as_ref()).take(MAX_COMPARED_KEYS);
    let mut choices: Vec<BTreeSet<String>> = open
        .filter_map(|key| key.range().refinement().string_language()?.language().members())
        .map(|values| values.into_iter().collect())
        .collect();
    choices.sort_by_key(BTreeSet::len);
    let known: BTreeSet<&str> = items.iter().filter_map(|item| item.key.as_deref()).collect();
    // Those with few values first: any number of keys needs as many values, apart from those of the known keys.
    let (mut possible, mut count) = (BTreeSet::new(), 0_usize);
    for choice in choices {
        possible.extend(choice.into_iter().filter(|value| !known.contains(value.as_str())));
        count = count.saturating_add(1);
        if possible.len() < count {
            return true;
        }
    }
    false
}

/// The result of one iteration.
struct Item {
    /// The key in the result: none for a tuple, or if it is not known.
    key: Option<String>,
    /// The key, if it is not known.
    unknown_key: Option<Value>,
    /// Whether the key has marks, and so must not be shown.
    is_key_marked: bool,
    value: Value,
    /// Whether it may be left out: its condition is not known.
    may_be_left_out: bool,
}

/// The results of all iterations.
#[derive(Default)]
struct Outcome {
    items: Vec<Item>,
    /// Whether it is unknown which items the result has, or which keys.
    is_open: bool,
    /// The marks of conditions, keys, and of values that may be there.
    marks: Marks,
}

impl Evaluator<'_> {
    /// Evaluates a `for` expression over a known, partially known or unknown collection.
    pub(super) fn for_expression(&self, each: &For, node: &Node, frame: Option<&Frame<'_>>) -> Evaluated {
        match self.structure(&each.collection, frame)? {
            Structure::Members(members) if each.result_key.is_none() => {
                Ok(self.for_members(each, &members, node, frame, false)?.value())
            }
            collection => self.for_value(each, &collection.into_value(), node, frame),
        }
    }

    /// The value of a `for` expression over a collection.
    pub(super) fn for_value(
        &self,
        each: &For,
        collection: &Value,
        node: &Node,
        frame: Option<&Frame<'_>>,
    ) -> Evaluated {
        let (collection, marks) = self.iterable(collection, &each.collection, "'for' expression", frame)?;
        let over = |case: &Value, items| self.for_items(each, (case, items), node, frame);
        let try_item = |item: &Value| {
            self.count_iteration(node)?;
            self.iteration(each, (item, item), ElementOrigin::Unknown, &mut Outcome::default(), frame)
        };
        let result = self.of_each_case(&collection, over, try_item);
        let result = result.map_err(|problems| problems.reported_once_known_if(!collection.is_known()))?;
        Ok(result.with_marks(&marks))
    }

    /// The result of a `for` expression over some items.
    fn for_items(
        &self,
        each: &For,
        (collection, items): (&Value, Items),
        node: &Node,
        frame: Option<&Frame<'_>>,
    ) -> Evaluated {
        let mut outcome = Outcome::default();
        // One item stands for all, so the number of items does not show that keys repeat.
        let has_several = matches!(&items, Items::Unknown { length, .. } if length.lower() > 1);
        let has_keys = has_keys(collection);
        match items {
            Items::Known(items) => {
                if items.is_empty() {
                    self.check_condition_without_items(each, frame)?;
                }
                for (key, value) in &items {
                    self.count_iteration(node)?;
                    let origin = origin_at(has_keys, &each.collection, key);
                    self.iteration(each, (key, value), origin, &mut outcome, frame)?;
                }
            }
            Items::Unknown { key, value, length } => {
                if each.result_key.is_some() && !each.groups && length.upper().is_none_or(|most| most > 1) {
                    // Two items may have one key.
                    self.may_fail();
                }
                let origin = ElementOrigin::Unknown;
                let (result, used) = self
                    .with_used_marks(|| self.iteration(each, (&key, &value), origin, &mut outcome, frame));
                outcome.marks.extend_from(&used);
                match result {
                    Err(problems) if problems.is_limit() || length.lower() > 0 => return Err(problems),
                    // Each item fails, so there is none.
                    Err(_) => {
                        self.check_condition_without_items(each, frame)?;
                        self.may_fail();
                        outcome = Outcome { marks: outcome.marks, ..Outcome::default() };
                    }
                    // What is certain of each item is the marks: each length is another type.
                    Ok(()) => outcome.is_open |= !outcome.items.is_empty(),
                }
            }
            Items::None => {}
        }
        let is_open = outcome.is_open;
        let (item_marks, items) = (outcome.marks, outcome.items);
        if let Some(key) = each.result_key.as_ref().filter(|_| !each.groups) {
            self.check_repeated_keys(&items, has_several, each, key, frame)?;
        }
        let result = if is_open {
            unknown_with_marks_of(items.iter().map(|item| &item.value))
        } else if each.result_key.is_some() {
            self.object_from_items(items, each.groups, node, frame)?
        } else {
            let values = items.into_iter().map(|item| item.value);
            Value::tuple(values).map_err(|error| self.too_large(&error, node, frame))?
        };
        Ok(result.with_marks(&item_marks))
    }

    /// Evaluates the condition of a `for` over an empty collection with unknown items, as HCL does before it iterates: one that is no
    /// condition is an error even so. With items this tells nothing that they do not.
    pub(super) fn check_condition_without_items(
        &self,
        each: &For,
        frame: Option<&Frame<'_>>,
    ) -> Evaluated<()> {
        // In a rule it is an error of the members alone: else it may be one of members that turn out not to be there.
        let Some(condition) = each.condition.as_ref().filter(|_| !self.scope.is_for_rules) else {
            return Ok(());
        };
        let any = Value::dynamic();
        let key = each.key.as_deref().map(|name| (name, &any));
        let value = (&*each.value, &any);
        let items = Frame::Loop { parent: frame, key, value, origin: ElementOrigin::Unknown };
        let before = self.state.may_fail.replace(false);
        let included = self.included(condition, &items);
        // The items stay unknown, so that alone is never an error. What else is unknown may become one.
        let is_open = |reference: &&Reference| {
            let is_bound = reference.root() == &*each.value || each.key.as_deref() == Some(reference.root());
            !is_bound && self.quiet_reference(reference, frame).is_some_and(|value| !value.is_wholly_known())
        };
        let may_fail = self.state.may_fail.get() && references(condition).iter().any(is_open);
        self.state.may_fail.set(before || may_fail);
        included.map(drop)
    }

    /// Evaluates the collection of an iteration. Returns it without its marks, and its marks. `what` names the
    /// construct in errors.
    pub(super) fn collection(
        &self,
        collection: &Node,
        what: &str,
        frame: Option<&Frame<'_>>,
    ) -> Evaluated<(Value, Marks)> {
        let value = self.value(collection, frame)?;
        self.iterable(&value, collection, what, frame)
    }

    /// As [`collection`](Evaluator::collection), for the value of the collection.
    pub(super) fn iterable(
        &self,
        value: &Value,
        collection: &Node,
        what: &str,
        frame: Option<&Frame<'_>>,
    ) -> Evaluated<(Value, Marks)> {
        let place = Place { span: &collection.span, about: collection, frame };
        let (bare, marks) = value.clone().unmark();
        if bare.is_certainly_null() {
            let detail = format!("A null value cannot be used as the collection in a {what}.");
            return Err(self.problem(place, "Iteration over null value", detail));
        }
        if bare.may_be_null() {
            self.may_fail();
        }
        // Problems of single items would tell what is behind the mark.
        let bare = match !marks.is_empty() && self.state.masked.get() {
            true => Value::unknown(masked_type(&bare.ty())),
            false => bare,
        };
        if !marks.is_empty() {
            self.state.used_marks.borrow_mut().extend_from(&marks);
        }
        match bare.ty() {
            ty if ty.is_primitive() || matches!(ty, Type::Capsule(_)) => {
                let kind = bare.ty().friendly_name().into_owned();
                let detail = format!("A value of type {kind} cannot be used as the collection in a {what}.");
                Err(self.problem(place, "Iteration over non-iterable value", detail))
            }
            _ => Ok((bare, marks)),
        }
    }

    /// One iteration: condition, key and value.
    fn iteration(
        &self,
        each: &For,
        (key, value): (&Value, &Value),
        origin: ElementOrigin<'_>,
        outcome: &mut Outcome,
        frame: Option<&Frame<'_>>,
    ) -> Evaluated<()> {
        let frame = Frame::of_item(each, frame, (key, value), origin);
        let mut may_be_left_out = false;
        if let Some(condition) = &each.condition {
            let (included, marks) = self.included(condition, &frame)?;
            if !marks.is_empty() {
                outcome.marks.extend_from(&marks);
            }
            match included {
                Some(false) => return Ok(()),
                Some(true) => {}
                None => may_be_left_out = true,
            }
        }
        let (evaluated, used) = self.with_used_marks(|| self.key_and_value(each, outcome, &frame));
        match evaluated {
            Ok(item) => {
                outcome.is_open |= may_be_left_out || each.result_key.is_some() && item.key.is_none();
                outcome.items.push(Item { may_be_left_out, ..item });
            }
            // An item that may be left out and has no value is left out.
            Err(problems) if may_be_left_out && !problems.is_limit() => {
                self.may_fail();
                outcome.marks.extend_from(&used);
            }
            Err(problems) => return Err(problems),
        }
        Ok(())
    }

    /// Whether the `if` of an iteration holds, if that is known, and the marks of the answer.
    pub(super) fn included(&self, condition: &Node, frame: &Frame<'_>) -> Evaluated<(Option<bool>, Marks)> {
        let place = Place { span: &condition.span, about: condition, frame: Some(frame) };
        let (value, marks) = self.value(condition, Some(frame))?.unmark();
        if let View::Bool(included) = value.view() {
            return Ok((Some(included), marks));
        }
        if value.is_certainly_null() {
            let detail = "The value of the 'if' clause must not be null.";
            return Err(self.problem(place, "Condition is null", detail));
        }
        if value.may_be_null() {
            self.may_fail();
        }
        let truth = self.converted(&value, &Type::Bool.into()).map_err(|message| {
            let detail = format!("The 'if' clause value is invalid: {message}.");
            self.problem(place, "Invalid 'for' condition", detail)
        })?;
        if truth.is_certainly_null() {
            let detail = "The value of the 'if' clause must not be null.";
            return Err(self.problem(place, "Condition is null", detail));
        }
        Ok((truth.as_bool().ok(), marks))
    }

    /// Evaluates the key and the value of one iteration of a `for` expression.
    fn key_and_value(&self, each: &For, outcome: &mut Outcome, frame: &Frame<'_>) -> Evaluated<Item> {
        let Some(node) = &each.result_key else {
            let value = self.value(&each.result, Some(frame))?;
            return Ok(Item {
                key: None,
                unknown_key: None,
                is_key_marked: false,
                value,
                may_be_left_out: false,
            });
        };
        let place = Place { span: &node.span, about: node, frame: Some(frame) };
        let (key, marks) = self.value(node, Some(frame))?.unmark();
        if !marks.is_empty() {
            outcome.marks.extend_from(&marks);
        }
        if key.is_certainly_null() {
            let detail = "Key expression in 'for' expression must not produce a null value.";
            return Err(self.problem(place, "Invalid object key", detail));
        }
        if key.may_be_null() {
            self.may_fail();
        }
        let key = self.converted(&key, &Type::String.into()).map_err(|message| {
            let detail = format!("The key expression produced an invalid result: {message}.");
            self.problem(place, "Invalid object key", detail)
        })?;
        let (key, unknown_key) = match key.as_str() {
            Ok(known) => (Some(known.to_owned()), None),
            Err(_) => (None, Some(key)),
        };
        if key.is_none() {
            // Two keys may turn out the same.
            self.may_fail();
        }
        let (value, is_key_marked) = (self.value(&each.result, Some(frame))?, !marks.is_empty());
        Ok(Item { key, unknown_key, is_key_marked, value, may_be_left_out: false })
    }

    /// An error if two items that are certainly there certainly have the same key, even if it is not known.
    fn check_repeated_keys(
        &self,
        items: &[Item],
        has_several: bool,
        each: &For,
        key_node: &Node,
        frame: Option<&Frame<'_>>,
    ) -> Evaluated<()> {
        let certain: Vec<&Item> = items.iter().filter(|item| !item.may_be_left_out).collect();
        let mut seen = BTreeSet::new();
        let known = certain.iter().find(|item| item.key.as_deref().is_some_and(|key| !seen.insert(key)));
        let is_same = || (certain.len() > 1 || has_several) && is_loop_invariant(each, key_node);
        let repeated = match known {
            Some(item) => *item,
            None if is_same() || keys_must_repeat(&certain) => {
                let open = certain.iter().find(|item| item.key.is_none());
                let Some(item) = open.or(certain.first()) else { return Ok(()) };
                *item
            }
            None => return Ok(()),
        };
        let key = match &repeated.key {
            Some(key) if !repeated.is_key_marked => format!("the key {}", Value::from(key.as_str())),
            Some(_) => "the same key".to_owned(),
            None => "the same key, which is not known yet,".to_owned(),
        };
        let place = Place { span: &key_node.span, about: key_node, frame };
        let detail = format!(
            "Two different items produced {key} in this 'for' expression. If duplicates are expected, use the \
             ellipsis (...) after the value expression to enable grouping by key."
        );
        let problem = self.problem(place, "Duplicate object key", detail);
        Err(problem.reported_once_known_if(known.is_none()))
    }

    /// Builds an object from items whose keys are known. With `groups`, an attribute is the tuple of all values of its key.
    fn object_from_items(
        &self,
        items: Vec<Item>,
        groups: bool,
        node: &Node,
        frame: Option<&Frame<'_>>,
    ) -> Evaluated {
        let mut grouped: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for item in items {
            let values = grouped.entry(item.key.unwrap_or_default()).or_default();
            values.push(item.value);
        }
        let attributes = grouped.into_iter().map(|(key, mut values)| match groups {
            true => Ok((key, Value::tuple(values)?)),
            false => Ok((key, values.pop().unwrap_or_else(Value::dynamic))),
        });
        let attributes: plantime::Result<Vec<_>> = attributes.collect();
        attributes.and_then(Value::object).map_err(|error| self.too_large(&error, node, frame))
    }
}
