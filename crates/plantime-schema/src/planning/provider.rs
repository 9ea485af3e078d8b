//! The choices of a provider in the plan of a resource.

use std::cell::RefCell;
use std::collections::BTreeSet;

use crate::schema::Attribute;
use plantime::rule::{Replaces, Request, Why};
use plantime::unstable::value::equal;
use plantime::unstable::value::join;
use plantime::{LengthRange, Path, Result, SetView, Step, Type, Value, View};

use super::behaviour::{Behaviour, Keeps, ReplaceWhen};
use super::behaviours::{Node, Style};
use super::layout::{Entry, is_unknown, null};
use super::policy::Policy;
use super::replacement::{Replacement, Trigger};
use super::sdk_state::is_empty;
use super::set_priors::Prior;

/// The inputs that are the same for a whole walk.
pub(super) struct Walk<'a> {
    pub(super) style: Style,
    /// Whether the object is replaced; `None` if that depends on unknowns.
    pub(super) replaced: Option<bool>,
    /// Whether the resource changes at all; `None` if that depends on unknowns.
    pub(super) changed: Option<bool>,
    /// The configuration without defaults.
    pub(super) config: &'a Value,
    /// Collects the changes that force a replacement.
    pub(super) replacements: Option<&'a RefCell<Vec<Replacement>>>,
}

/// The choices of the provider at one place of the resource.
pub(super) struct Provider<'a> {
    pub(super) walk: &'a Walk<'a>,
    pub(super) node: Option<&'a Node<'a>>,
    pub(super) path: Path,
    /// Whether the place is inside a member of a set, which the SDK compares as a whole.
    pub(super) in_set: bool,
}

impl Policy for Provider<'_> {
    fn child(&self, step: &Step) -> Self {
        let node = match step {
            Step::Attr(name) => self.node.and_then(|node| node.inside.get(name.as_str())),
            Step::Index(_) => self.node,
        };
        // The path is only for what the author of the behaviours may want to know.
        let path = match node {
            Some(_) => {
                let mut path = self.path.clone();
                path.push(match step {
                    // The step into a set is the member itself, which is content.
                    Step::Index(key) if key.contains_marks() => Step::Index(Value::unknown(key.ty())),
                    step => step.clone(),
                });
                path
            }
            None => Path::new(),
        };
        // The step into a set has the member as its key.
        let in_set = self.in_set || matches!(step, Step::Index(key) if !key.ty().is_primitive());
        Provider { walk: self.walk, node, path, in_set }
    }

    fn configured_value(&self, attribute: &Attribute, prior: Option<&Value>, config: Value) -> Result<Value> {
        if attribute.write_only {
            return Ok(Value::null(config.ty()));
        }
        let config = self.kept_if_empty(prior, config);
        let suppress = self.behaviour().and_then(|behaviour| behaviour.suppress.as_ref());
        let (Some(rule), Some(prior), Some(false) | None) = (suppress, prior, self.walk.replaced) else {
            return Ok(config);
        };
        if null(&config) == Some(true) {
            return Ok(config);
        }
        let set = config.assume_not_null().unwrap_or_else(|_| config.clone());
        let request = Request::new(&set).before(prior).at(self.path.clone());
        let outcome = rule.check(&request)?;
        let marks = [prior.unmark_deep().1, config.unmark_deep().1];
        let chosen = match (&outcome, self.walk.replaced) {
            _ if outcome.is_fail() => set,
            (_, Some(_)) if outcome.is_pass() => prior.clone(),
            _ => either(prior, &set),
        };
        let value = match null(&config) {
            Some(_) => chosen,
            None => either(&Value::null(config.ty()), &chosen),
        };
        Ok(marks.iter().fold(value, |value, marks| value.with_marks(marks)))
    }

    fn computed_value(
        &self,
        attribute: &Attribute,
        ty: &Type,
        exists: bool,
        prior: Option<&Value>,
        kept: Value,
    ) -> Result<Value> {
        if attribute.write_only {
            return Ok(Value::null(ty.clone()));
        }
        let later = || -> Result<Value> {
            let promise = self.behaviour().and_then(|behaviour| behaviour.promise.clone());
            let value = match promise {
                Some(promise) => Value::refined(ty.clone(), promise)?,
                None => Value::unknown(ty.clone()),
            };
            Ok(value.with_marks(kept.marks()))
        };
        let updated = || {
            if !exists {
                // In a list of an object that exists, the SDK sees no difference between what is absent and what is empty.
                let is_primitive = matches!(ty, Type::String | Type::Number | Type::Bool);
                let is_promised = self.behaviour().is_some_and(|behaviour| behaviour.promise.is_some());
                let is_same = self.walk.style == Style::Sdk && !self.in_set && is_primitive && !is_promised;
                return if is_same { Ok(kept.clone()) } else { later() };
            }
            match (self.walk.style, self.walk.changed) {
                // The SDK counts the elements of a computed list or set anew as long as there are none in the state.
                (Style::Sdk, _)
                    if prior.is_none() && !self.in_set && matches!(ty, Type::List(_) | Type::Set(_)) =>
                {
                    later()
                }
                (Style::Sdk, _) | (_, Some(false)) => Ok(kept.clone()),
                (_, changed) => {
                    let keeps = self.behaviour().and_then(|behaviour| behaviour.keeps);
                    let value = match (keeps, prior) {
                        (Some(_), Some(prior)) => prior.clone().with_marks(kept.marks()),
                        (Some(Keeps::All), None) => kept.clone(),
                        _ => later()?,
                    };
                    Ok(if changed.is_some() { value } else { either(&kept, &value) })
                }
            }
        };
        match self.walk.replaced {
            Some(true) => later(),
            Some(false) => updated(),
            None => Ok(either(&updated()?, &later()?)),
        }
    }

    fn carried_block(&self, prior: &Value, config: &Value) -> Value {
        if self.walk.replaced.is_some() { prior.clone() } else { either(prior, config) }
    }

    fn record_planned(
        &self,
        entry: &Entry<'_>,
        exists: bool,
        prior: Option<&Value>,
        config: &Value,
        value: &Value,
    ) -> Result<()> {
        let (Some(found), Some(node)) = (self.walk.replacements, self.node) else { return Ok(()) };
        let is_block = matches!(entry, Entry::Blocks(_));
        if let Some(behaviour) = node.behaviour {
            let new_and_computed = match entry {
                Entry::Attribute { attribute, .. } => {
                    !exists && attribute.computed && null(config) == Some(true)
                }
                Entry::Blocks(_) => false,
            };
            // Where the object is new, the SDK sees no difference in what is not known.
            if !(new_and_computed && self.walk.style == Style::Sdk)
                && let Some(one) = self.replacement(behaviour, is_block, prior, config, value)?
            {
                found.borrow_mut().push(one);
            }
        }
        if node.replaces_inside {
            if is_unknown(value) {
                let path = self.path.clone();
                found.borrow_mut().push(Replacement::possible(
                    path.clone(),
                    Why::new([path]),
                    Trigger::Change,
                ));
            } else if let (Some(true), Some(prior)) = (null(value), prior) {
                self.record_removed(prior);
            }
        }
        Ok(())
    }

    fn record_removed(&self, prior: &Value) {
        self.vanished(prior, true);
    }

    fn record_continued_members(&self, prior: &SetView<'_>, continued: &[(&Value, Prior<'_>)]) {
        if self.walk.replacements.is_none() || !self.node.is_some_and(|node| node.replaces_inside) {
            return;
        }
        // By address: members of a set are many, and compared by content elsewhere.
        let kept: BTreeSet<*const Value> = continued
            .iter()
            .filter_map(|(_, prior)| match prior {
                Prior::Member(member) => Some(std::ptr::from_ref(*member)),
                Prior::Nothing | Prior::Undecided => None,
            })
            .collect();
        let certain = !continued.iter().any(|(_, prior)| matches!(prior, Prior::Undecided));
        for member in prior.iter().filter(|member| !kept.contains(&std::ptr::from_ref(*member))) {
            self.child(&Step::Index(member.clone())).vanished(member, certain);
        }
    }
}

impl Provider<'_> {
    /// The behaviour of this place, if it has one.
    fn behaviour(&self) -> Option<&Behaviour> {
        self.node.and_then(|node| node.behaviour)
    }

    /// The replacement that a change from the prior value to the planned one forces, as the behaviour says; `None` if none.
    pub(super) fn replacement(
        &self,
        behaviour: &Behaviour,
        is_block: bool,
        prior: Option<&Value>,
        config: &Value,
        value: &Value,
    ) -> Result<Option<Replacement>> {
        let Some(when) = &behaviour.replaces else { return Ok(None) };
        let differs = match (prior, is_block && self.walk.style == Style::Sdk) {
            (prior, true) => number_differs(prior, value),
            (Some(prior), false) => equal(prior, value).map(|equal| !equal),
            (None, false) if self.walk.style == Style::Sdk => self.differs_from_null(value),
            (None, false) => null(value).map(|is_null| !is_null),
        };
        let holds = match when {
            _ if differs == Some(false) => return Ok(None),
            ReplaceWhen::Changed => Ok(Some(true)),
            ReplaceWhen::ChangedAnd(rule) => {
                let request = Request::new(value).at(self.path.clone());
                let request = prior.into_iter().fold(request, Request::before);
                let outcome = rule.check(&request)?;
                outcome.why().cloned().map_or(Ok(Some(outcome.is_pass())), Err)
            }
            ReplaceWhen::ChangedAndConfigured => Ok(self.is_configured(behaviour, config)),
        };
        let why = || Why::new([self.path.clone()]);
        let trigger = match when {
            ReplaceWhen::Changed => Trigger::Change,
            ReplaceWhen::ChangedAnd(_) => Trigger::Condition,
            ReplaceWhen::ChangedAndConfigured => Trigger::Configured,
        };
        let replaces = match (differs, holds) {
            (_, Ok(Some(false))) => return Ok(None),
            (Some(true), Ok(Some(true))) => Replaces::Yes,
            (_, Err(why)) => Replaces::Maybe(why),
            _ => Replaces::Maybe(why()),
        };
        Ok(Some(Replacement { path: self.path.clone(), replaces, trigger }))
    }

    /// The configured value of an attribute, or the prior one where that is empty and the configuration leaves it out: the SDK sees
    /// no difference between the two.
    fn kept_if_empty(&self, prior: Option<&Value>, config: Value) -> Value {
        let Some(prior) = prior.filter(|prior| is_empty(prior) != Some(false)) else { return config };
        if self.walk.style != Style::Sdk || self.in_set {
            return config;
        }
        match (null(&config), self.walk.replaced, is_empty(prior)) {
            (Some(false), _, _) | (_, Some(true), _) => config,
            (Some(true), Some(false), Some(true)) => prior.clone().with_marks(config.marks()),
            _ => either(&config, prior).with_marks(config.marks()).with_marks(prior.marks()),
        }
    }

    /// Whether the SDK sees a difference between null and the value: none for an empty string or collection, and for another empty
    /// value only if something else changes too.
    fn differs_from_null(&self, value: &Value) -> Option<bool> {
        let is_text = matches!(value.ty(), Type::String | Type::List(_) | Type::Set(_) | Type::Map(_));
        match (null(value), is_empty(value)) {
            (Some(true), _) => Some(false),
            (_, Some(true)) => {
                if is_text {
                    Some(false)
                } else {
                    self.walk.changed
                }
            }
            (Some(false), Some(false)) => Some(true),
            _ => None,
        }
    }

    /// Whether the configuration sets the value. If the attribute has a default, its path is looked up in the
    /// configuration without defaults; `None` if that has no such path, as inside a set.
    fn is_configured(&self, behaviour: &Behaviour, config: &Value) -> Option<bool> {
        let is_null = if behaviour.default.is_none() {
            null(config)
        } else {
            self.walk.config.get(&self.path).ok().as_ref().and_then(null)
        };
        is_null.map(|is_null| !is_null)
    }

    /// Records the replacements that a removed object forces: for the SDK each value in it changes, the framework compares
    /// planned values only.
    fn vanished(&self, prior: &Value, certain: bool) {
        let (Some(found), Some(node)) = (self.walk.replacements, self.node) else { return };
        if self.walk.style == Style::Framework || !node.replaces_inside {
            return;
        }
        match prior.view_below_marks() {
            View::Object(object) => {
                for (name, inside) in &node.inside {
                    let Some(value) = object.get(name) else { continue };
                    let place = self.child(&Step::attr(name));
                    let when = inside.behaviour.and_then(|behaviour| behaviour.replaces.as_ref());
                    if let (Some(when), false) = (when, null(value) == Some(true)) {
                        let is_sure = certain && null(value) == Some(false);
                        let path = place.path.clone();
                        found.borrow_mut().push(match (when, is_sure) {
                            (ReplaceWhen::Changed, true) => {
                                Replacement { path, replaces: Replaces::Yes, trigger: Trigger::Change }
                            }
                            // It is not configured any more.
                            (ReplaceWhen::ChangedAndConfigured, true) => continue,
                            _ => Replacement::possible(path.clone(), Why::new([path]), Trigger::Change),
                        });
                    }
                    place.vanished(value, certain);
                }
            }
            View::List(_) | View::Set(_) | View::Map(_) | View::Tuple(_) => {
                for (step, item) in prior.elements() {
                    self.child(&step).vanished(item, certain);
                }
            }
            _ => {}
        }
    }
}

/// A value that may become everything that `a` or `b` may become.
pub(super) fn either(a: &Value, b: &Value) -> Value {
    join(&[a, b]).unwrap_or_else(Value::dynamic)
}

/// Whether the number of blocks differs.
fn number_differs(prior: Option<&Value>, value: &Value) -> Option<bool> {
    let none = LengthRange::exactly(0);
    let count = |value: &Value| -> Option<LengthRange> {
        match value.view_below_marks() {
            View::Null(_) => Some(none),
            View::Tuple(tuple) => Some(LengthRange::exactly(tuple.len() as u64)),
            View::Object(_) => Some(LengthRange::exactly(1)),
            _ if null(value) != Some(false) => None,
            _ => value.range().length_range(),
        }
    };
    let (before, after) = (prior.map_or(Some(none), count)?, count(value)?);
    match (before.exact(), after.exact()) {
        (Some(before), Some(after)) => Some(before != after),
        _ if before.meet(after).is_none() => Some(true),
        _ => None,
    }
}
