//! Rules compiled for the values of one type, for wholly known values.
//!
//! Whether a rule can read a type, the slot (index) of an attribute in its object and whether a null passes depend on
//! the type alone. They are computed once for each type, and each value is then only compared. [`cache`] stores the
//! compiled form beside the rule.

pub(in crate::rule) mod cache;
mod compile;

use crate::number::Number;
use crate::rule::{PathExpr, Pattern, PresenceRule, Rule, Rules};
use crate::text::Text;
use crate::types::Type;
use crate::value::{Container, KnownContent, Value};

use super::known::{all_hold, holds_for_value};

/// A rule compiled for one type that it can read; evaluates wholly known values of that type.
pub(in crate::rule) struct TypedRule {
    /// Whether the rule holds for null; `None` where only the slow path can tell.
    of_null: Option<bool>,
    /// The test for all values that are not null.
    test: CompiledCondition,
}

/// A compiled condition on a value that is not null, for one type. [`CompiledCondition::holds`] evaluates it.
enum CompiledCondition {
    /// Holds for all values (true) or for none (false).
    Always(bool),
    /// All of the tests hold.
    All(Box<[CompiledCondition]>),
    /// At least one of the tests holds.
    Any(Box<[CompiledCondition]>),
    /// The test does not hold.
    Not(Box<CompiledCondition>),
    /// If the first test holds, the second does.
    Implies(Box<(CompiledCondition, CompiledCondition)>),
    /// The rule holds for the attribute of an object in this slot: its index in the order of attribute names.
    Attribute(usize, Box<TypedRule>),
    /// The rule holds for the element of a list or tuple at this index; for null if the list is shorter.
    Element(usize, Box<TypedRule>),
    /// The rule holds for the entry of a map with this key; for null if there is none.
    Entry(Text, Box<TypedRule>),
    /// The rule holds for each element, member, entry or attribute; all are of one type.
    Each(Box<TypedRule>),
    /// Each rule holds for the element of a tuple, or attribute of an object, at the same index.
    EachSlot(Box<[TypedRule]>),
    /// The rule holds for each key of a map.
    Keys(Box<TypedRule>),
    /// The number of values that are not null satisfies the presence rule. Each `TypedRule` tests one path for null.
    Presence(PresenceRule, Box<[TypedRule]>),
    /// A string of at least this many code points.
    MinChars(u64),
    /// A string of at most this many code points.
    MaxChars(u64),
    /// A string that starts with this one.
    Prefix(Text),
    /// A string that ends with this one.
    Suffix(Text),
    /// A string that contains this one.
    Infix(Text),
    /// A string that is one of these.
    OneOfTexts(Box<[Text]>),
    /// A string that matches the regular expression.
    Matches(Pattern),
    /// A number that is at least this one.
    Min(Number),
    /// A number that is at most this one.
    Max(Number),
    /// A multiple of this integer, which is at least 1. Numbers that do not fit `i64` are tested by the rule itself.
    MultipleOf(i64, Rule),
    /// A rule without nested rules that is evaluated as it is.
    Single(Rule),
}

/// Whether the rule holds for a wholly known value of the type `ty`, by its compiled form for that type; false also
/// where only the slow path can tell. `None` if there is no compiled form: the rule has no nested rules, cannot read
/// the type, or is evaluated for the first time. A value that is not wholly known has none either.
pub(in crate::rule) fn passes(rule: &Rule, value: &Value, ty: &Type) -> Option<bool> {
    if rule.depth() == 1 || !value.is_wholly_known() || ty.has_dynamic() {
        return None;
    }
    #[cfg(test)]
    if tests::are_fast_paths_off() {
        return None;
    }
    // Every nested rule has to be compiled, whatever the others answer: that proves that it can read the type.
    let holds = match rule {
        Rule::All(rules) | Rule::Sequence(rules) => {
            all_hold(rules.typed_rules(ty)?.iter().map(|rule| rule.holds(value)))
        }
        Rule::Any(rules) => any_holds(rules.typed_rules(ty)?.iter().map(|rule| rule.holds(value))),
        Rule::At(path, nested) => nested.typed_rule(path, ty)?.holds(value),
        Rule::Not(nested) => {
            let nested = nested.typed_rule(&PathExpr::new(), ty)?;
            if value.is_null() { Some(true) } else { nested.holds(value).map(|holds| !holds) }
        }
        Rule::Implies(condition, nested) | Rule::When(condition, nested) => {
            let whole = PathExpr::new();
            let (condition, nested) = (condition.typed_rule(&whole, ty)?, nested.typed_rule(&whole, ty)?);
            match condition.holds(value) {
                _ if value.is_null() && matches!(rule, Rule::Implies(..)) => Some(true),
                Some(true) => nested.holds(value),
                condition => condition.map(|holds| !holds),
            }
        }
        _ => return None,
    };
    Some(holds == Some(true))
}

/// The compiled form of each rule for the type of a value. `None` where [`passes`] has none either.
pub(in crate::rule) fn compiled<'r>(rules: &'r Rules, value: &Value) -> Option<&'r [TypedRule]> {
    let ty = value.ty();
    if value.is_wholly_known() && !ty.has_dynamic() { rules.typed_rules(&ty) } else { None }
}

/// Whether one of the answers is true. Stops at the first that is true or `None`, and returns that; false if all are
/// false.
fn any_holds(answers: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    for answer in answers {
        if answer? {
            return Some(true);
        }
    }
    Some(false)
}

impl TypedRule {
    /// Whether the rule holds for a value of the type that it was compiled for; `None` where only the slow path can
    /// tell.
    pub(in crate::rule) fn holds(&self, value: &Value) -> Option<bool> {
        match value.known_primitive()? {
            KnownContent::Null(_) => self.of_null,
            content => self.test.holds(value, content),
        }
    }
}

impl CompiledCondition {
    /// Whether the test holds for a value that is not null; `content` is that of the value, below any mark. `None`
    /// where only the slow path can tell.
    fn holds(&self, value: &Value, content: &KnownContent) -> Option<bool> {
        use KnownContent::{Container as In, Number, String};
        match (self, content) {
            (CompiledCondition::Always(holds), _) => Some(*holds),
            (CompiledCondition::All(tests), _) => {
                all_hold(tests.iter().map(|test| test.holds(value, content)))
            }
            (CompiledCondition::Any(tests), _) => {
                any_holds(tests.iter().map(|test| test.holds(value, content)))
            }
            (CompiledCondition::Not(test), _) => Some(!test.holds(value, content)?),
            (CompiledCondition::Implies(tests), _) => match tests.0.holds(value, content)? {
                true => tests.1.holds(value, content),
                false => Some(true),
            },
            (CompiledCondition::Attribute(slot, rule), In(Container::Object(node))) => {
                rule.holds(node.slots.get(*slot)?)
            }
            (CompiledCondition::Element(index, rule), In(Container::List(node))) => {
                rule.holds_for_part(node.items.get(*index))
            }
            (CompiledCondition::Element(index, rule), In(Container::Tuple(node))) => {
                rule.holds_for_part(node.items.get(*index))
            }
            (CompiledCondition::Entry(key, rule), In(Container::Map(node))) => {
                let place = node.entries.binary_search_by(|(name, _)| name.cmp(key));
                rule.holds_for_part(
                    place.ok().and_then(|place| node.entries.get(place)).map(|(_, part)| part),
                )
            }
            (CompiledCondition::Each(rule), In(container)) => holds_for_each(rule, container),
            (CompiledCondition::EachSlot(rules), In(Container::Tuple(node))) => {
                holds_for_slots(rules, &node.items)
            }
            (CompiledCondition::EachSlot(rules), In(Container::Object(node))) => {
                holds_for_slots(rules, &node.slots)
            }
            (CompiledCondition::Keys(rule), In(Container::Map(node))) => {
                let key = |name: &Text| rule.holds(&Value::from(name.as_str()));
                all_hold(node.entries.iter().map(|(name, _)| key(name)))
            }
            (CompiledCondition::Presence(presence, parts), _) => presence_holds(*presence, parts, value),
            (CompiledCondition::MinChars(least), String(text)) => Some(has_at_least(text, *least)),
            (CompiledCondition::MaxChars(most), String(text)) => {
                Some(most.checked_add(1).is_none_or(|more| !has_at_least(text, more)))
            }
            (CompiledCondition::Prefix(start), String(text)) => Some(text.starts_with(start.as_str())),
            (CompiledCondition::Suffix(end), String(text)) => Some(text.ends_with(end.as_str())),
            (CompiledCondition::Infix(part), String(text)) => Some(text.contains(part.as_str())),
            (CompiledCondition::OneOfTexts(texts), String(text)) => Some(texts.iter().any(|one| one == text)),
            (CompiledCondition::Matches(pattern), String(text)) => Some(pattern.is_match(text)),
            (CompiledCondition::Min(least), Number(number)) => Some(number >= least),
            (CompiledCondition::Max(most), Number(number)) => Some(number <= most),
            (CompiledCondition::MultipleOf(divisor, rule), Number(number)) => match number.to_i64() {
                Some(number) => number.checked_rem(*divisor).map(|rest| rest == 0),
                None => holds_for_value(rule, value),
            },
            (CompiledCondition::Single(rule), _) => holds_for_value(rule, value),
            _ => None,
        }
    }
}

impl TypedRule {
    /// Whether the rule holds for an element, or for null if `part` is `None`. Returns `None` where only the slow path can
    /// tell.
    fn holds_for_part(&self, part: Option<&Value>) -> Option<bool> {
        part.map_or(self.of_null, |part| self.holds(part))
    }
}

/// Whether the number of values that are not null satisfies the presence rule. `parts` are compiled forms of `is_null`
/// at each path of the rule. `None` where only the slow path can tell.
#[inline(never)]
fn presence_holds(presence: PresenceRule, parts: &[TypedRule], value: &Value) -> Option<bool> {
    let mut set = 0_usize;
    for part in parts {
        set = set.saturating_add(usize::from(!part.holds(value)?));
    }
    Some(presence.holds(set, parts.len()))
}

/// Whether the rule holds for each element, member, entry or attribute of a container. `None` where only the slow path
/// can tell, as for a set with unknown members.
#[inline(never)]
fn holds_for_each(rule: &TypedRule, container: &Container) -> Option<bool> {
    let all = |parts: &[Value]| all_hold(parts.iter().map(|part| rule.holds(part)));
    match container {
        Container::List(node) => all(&node.items),
        Container::Tuple(node) => all(&node.items),
        Container::Object(node) => all(&node.slots),
        Container::Map(node) => all_hold(node.entries.iter().map(|(_, part)| rule.holds(part))),
        Container::Set(node) => {
            if node.not_wholly_known.is_empty() {
                all(&node.known)
            } else {
                None
            }
        }
    }
}

/// Whether each rule holds for the element or attribute at the same index. `None` if the numbers of both differ, or
/// where only the slow path can tell.
#[inline(never)]
fn holds_for_slots(rules: &[TypedRule], parts: &[Value]) -> Option<bool> {
    let same = rules.len() == parts.len();
    let hold = || all_hold(rules.iter().zip(parts).map(|(rule, part)| rule.holds(part)));
    same.then(hold)?
}

/// Whether a string has at least `least` code points. A code point takes one to four bytes, so the length in bytes
/// mostly decides.
fn has_at_least(text: &str, least: u64) -> bool {
    let bytes = text.len() as u64;
    bytes >= least && (bytes / 4 >= least || text.is_ascii() || text.chars().count() as u64 >= least)
}

#[cfg(test)]
pub(in crate::rule::evaluate) mod tests;
