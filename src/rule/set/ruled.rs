//! Ruled types: types with rules at their nodes.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::constraint::TypeConstraint;
use crate::convert::convert;
use crate::error::Result;
use crate::rule::PathExpr;
use crate::types::Type;
use crate::value::Value;

use super::places::{self, NodeKind, PLACES};
use super::text::NodeTexts;
use super::tree::Tree;
use super::{Checking, Report, RuleSet, SetRule, item, walk};

/// A change that a layer makes to the rules of a node.
///
/// ```
/// use plantime::rule::set::{Edit, RuleSet, RuledType};
/// use plantime::{Type, value};
///
/// let base = RuledType::new("object({port = number})".parse::<Type>()?)
///     .at("port", RuleSet::keywords([("min", 1024), ("max", 65535)])?)?;
/// let layer = base.clone().edit("port", Edit::Remove(vec!["min".to_owned()]))?;
/// assert!(base.check(&value!({ "port": 80 })?)?.outcome().is_fail());
/// assert!(layer.check(&value!({ "port": 80 })?)?.outcome().is_pass());
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Debug)]
pub enum Edit {
    /// Replaces all rules. An empty set leaves the node without rules, not even the defaults for its kind.
    Replace(RuleSet),
    /// Merges these rules into the present ones, as [`RuleSet::merge`] does.
    Merge(RuleSet),
    /// Removes the rules of these names.
    Remove(Vec<String>),
    /// Removes the rules for which a function returns true: see [`Edit::remove_if`].
    RemoveIf(Predicate),
}

/// A function that selects rules: true for a rule that [`Edit::RemoveIf`] removes.
#[derive(Clone)]
pub struct Predicate(Arc<dyn Fn(&SetRule) -> bool + Send + Sync>);

impl Edit {
    /// Removes the rules for which the function returns true.
    ///
    /// ```
    /// use plantime::rule::{Rule, Severity};
    /// use plantime::rule::set::{Edit, RuleSet, RuledType, SetRule};
    /// use plantime::Type;
    ///
    /// let set = RuleSet::new([Rule::min_len(1)]).with(SetRule::new(Rule::max_len(9)).warning());
    /// let name = RuledType::new(Type::String).at("", set)?;
    /// let strict = name.edit("", Edit::remove_if(|rule| rule.severity() == Severity::Warning))?;
    /// assert_eq!(strict.rules_at("")?.unwrap().to_string(), "min_len(1)");
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn remove_if(gone: impl Fn(&SetRule) -> bool + Send + Sync + 'static) -> Edit {
        Edit::RemoveIf(Predicate(Arc::new(gone)))
    }
}

impl fmt::Debug for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Predicate")
    }
}

/// A type with rules at its nodes, which hold for every value of the type.
///
/// A node is the whole (the empty path), an attribute (`db.port`), each element of a list, set or map (`ports[*]`), or an
/// element of a tuple (`pair[0]`). The type is a [`TypeConstraint`], so attributes may have defaults, and a default may
/// violate the rules of its own node: that is *required input*.
///
/// ```
/// use plantime::TypeConstraint;
/// use plantime::rule::Rule;
/// use plantime::rule::set::{RuleSet, RuledType};
/// use plantime::value;
///
/// let ty: TypeConstraint = r#"object({
///     username = optional(string, ""),
///     ports    = optional(list(number), [])
/// })"#.parse()?;
/// let config = RuledType::new(ty)
///     .at("username", RuleSet::new([Rule::min_len(1)]))?
///     .at("ports[*]", RuleSet::new([Rule::min(1024), Rule::max(65535)]))?;
///
/// let report = config.check(&config.fill(&value!({ "ports": [8080, 80] })?)?)?;
/// assert_eq!(report.messages(), [
///     r#""1" requires a valid value (at least 1024); it is 80."#,
///     r#""username" requires a valid value (a length of at least 1); it is a length of 0."#,
/// ]);
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct RuledType {
    /// The type.
    pub(super) constraint: TypeConstraint,
    /// The name of the root in reports; `document` if there is none.
    pub(super) name: Option<String>,
    /// The rules at each place of the type that has some.
    pub(super) places: BTreeMap<PathExpr, Place>,
    /// The default rules of this layer that are not assigned to places yet: each with the path of the node below which
    /// they apply, and the kind of type that they apply to.
    pub(super) defaults: Vec<(PathExpr, NodeKind, Arc<RuleSet>)>,
    /// What the author says of the nodes.
    pub(super) texts: NodeTexts,
    /// The places with rules as a tree, built at the first check.
    pub(super) tree: OnceLock<Arc<Tree>>,
}

/// The rules and default rules at one place of a type.
#[derive(Clone, Debug, Default)]
pub(super) struct Place {
    /// The edits of all layers in order, kept so that an overlay can apply them to another base.
    pub(super) edits: Vec<Edit>,
    /// The rules that result from the edits; `None` if there are none, so that the default rules apply.
    pub(super) own: Option<Arc<RuleSet>>,
    /// The default rules, from the topmost layer that has some.
    pub(super) default: Option<Arc<RuleSet>>,
}

impl Place {
    /// Applies an edit to the rules, and records it for later overlays.
    pub(super) fn edit(&mut self, edit: Edit) {
        let own = self.own.take();
        let taken = |own: Option<Arc<RuleSet>>| own.map(Arc::unwrap_or_clone);
        self.own = match &edit {
            Edit::Replace(set) => Some(set.clone()),
            Edit::Merge(set) => Some(taken(own).unwrap_or_default().merge(set)),
            Edit::Remove(names) => retained(taken(own), |item| {
                !item.name().is_some_and(|name| names.iter().any(|gone| gone == name))
            }),
            Edit::RemoveIf(gone) => retained(taken(own), |item| !gone.0(item)),
        }
        .map(Arc::new);
        self.edits.push(edit);
    }

    /// The rules that apply at this place: its own rules, otherwise the default rules; `None` without both.
    pub(super) fn resolved(&self) -> Option<&Arc<RuleSet>> {
        self.own.as_ref().or(self.default.as_ref())
    }
}

/// The rules for which `keep` returns true. `None` if that removed all of them, so that the default rules apply; a
/// set that was empty before stays.
fn retained(own: Option<RuleSet>, keep: impl FnMut(&SetRule) -> bool) -> Option<RuleSet> {
    let had = own?;
    let was_empty = had.is_empty();
    let set = had.retain(keep);
    (was_empty || !set.is_empty()).then_some(set)
}

impl RuledType {
    /// A type without rules. A [`Type`] is a constraint in which nothing is optional.
    ///
    /// [Example](RuledType)
    pub fn new(constraint: impl Into<TypeConstraint>) -> RuledType {
        RuledType {
            constraint: constraint.into(),
            name: None,
            places: BTreeMap::new(),
            defaults: Vec::new(),
            texts: NodeTexts::new(),
            tree: OnceLock::new(),
        }
    }

    /// Sets the name of the root in reports; without one it is `document`.
    ///
    /// [Example](super::Report)
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> RuledType {
        self.name = Some(name.into());
        self
    }

    /// Sets the rules at a node, and removes those that were there. In an overlay it [replaces](Edit::Replace) those of the
    /// layers below.
    ///
    /// [Example](RuledType)
    ///
    /// # Errors
    ///
    /// When the type has no such node, with the nearest name; when a rule cannot read the type of the node, or looks at
    /// parts that are not there; for a guard on the parent of the whole; and [`is_limit`](crate::Error::is_limit) above
    /// [`PLACES`](super::PLACES) or when rules nest too deep.
    pub fn at(self, node: &str, set: RuleSet) -> Result<RuledType> {
        self.edit(node, Edit::Replace(set))
    }

    /// Changes the rules at a node.
    ///
    /// [Example](Edit)
    ///
    /// # Errors
    ///
    /// As for [`at`](RuledType::at).
    pub fn edit(mut self, node: &str, edit: Edit) -> Result<RuledType> {
        let path: PathExpr = node.parse()?;
        let ty = places::node(self.constraint.as_type(), &path)?;
        if let Edit::Replace(set) | Edit::Merge(set) = &edit {
            check_set(set, &path, &ty)?;
        }
        self.place(path)?.edit(edit);
        Ok(self)
    }

    /// Sets default rules for all nodes of a kind below a node that have no rules of their own. Of several defaults
    /// for a node, the nearest from above applies.
    ///
    /// They belong to this layer: if it is an overlay, nodes that only the base has do not get them. And they are resolved
    /// last: a node that gets rules from any layer does not get the defaults.
    ///
    /// ```
    /// use plantime::rule::Rule;
    /// use plantime::rule::set::{NodeKind, RuleSet, RuledType};
    /// use plantime::{Type, value};
    ///
    /// let db = RuledType::new("object({host = string, user = string, note = string})".parse::<Type>()?)
    ///     .defaults_for("", NodeKind::String, RuleSet::new([Rule::min_len(1)]))?
    ///     .at("note", RuleSet::default())?;
    /// assert_eq!(db.check(&value!({ "host": "", "user": "", "note": "" })?)?.violations().count(), 2);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`at`](RuledType::at), for each node below.
    pub fn defaults_for(mut self, node: &str, kind: NodeKind, set: RuleSet) -> Result<RuledType> {
        let path: PathExpr = node.parse()?;
        let ty = places::node(self.constraint.as_type(), &path)?;
        for (below, ty) in places::nodes(&ty)? {
            if NodeKind::of(&ty) == Some(kind) && !below.is_empty() {
                let place = PathExpr::from_steps(path.steps().iter().chain(below.steps()).cloned())?;
                check_set(&set, &place, &ty)?;
            }
        }
        self.defaults.push((path, kind, Arc::new(set)));
        self.tree = OnceLock::new();
        Ok(self)
    }

    /// Adds all rules and texts of another ruled type at and below a node, so that a shape that several types share is given its rules
    /// once.
    ///
    /// ```
    /// use plantime::Type;
    /// use plantime::rule::set::{RuleSet, RuledType};
    ///
    /// let listener = RuledType::new("object({port = number})".parse::<Type>()?)
    ///     .at("port", RuleSet::keywords([("min", 1024)])?)?;
    /// let proxy = RuledType::new("object({inside = object({port = number}), outside = object({port = number})})".parse::<Type>()?)
    ///     .include("inside", &listener)?
    ///     .include("outside", &listener)?;
    /// assert_eq!(proxy.rules_at("outside.port")?, listener.rules_at("port")?);
    /// assert_eq!(proxy.rules_at("outside")?, None);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`at`](RuledType::at), for each of its nodes.
    pub fn include(mut self, node: &str, other: &RuledType) -> Result<RuledType> {
        let base: PathExpr = node.parse()?;
        let ty = self.constraint.as_type().clone();
        for (path, place) in other.with_defaults()? {
            let path = PathExpr::from_steps(base.steps().iter().chain(path.steps()).cloned())?;
            let part = places::node(&ty, &path)?;
            for set in [&place.own, &place.default].into_iter().flatten() {
                check_set(set, &path, &part)?;
            }
            let here = self.place(path)?;
            place.edits.into_iter().for_each(|edit| here.edit(edit));
            here.default = place.default.or(here.default.take());
        }
        for (path, _) in other.texts.iter() {
            places::node(&ty, &PathExpr::from_steps(base.steps().iter().chain(path.steps()).cloned())?)?;
        }
        self.texts.include(&base, &other.texts)?;
        Ok(self)
    }

    /// The entry of the place at a path, created if needed. Fails above [`PLACES`].
    pub(super) fn place(&mut self, path: PathExpr) -> Result<&mut Place> {
        self.tree = OnceLock::new();
        if self.places.len() >= PLACES && !self.places.contains_key(&path) {
            return Err(places::too_many());
        }
        Ok(self.places.entry(path).or_default())
    }

    /// The places with rules, after the default rules of this layer have been assigned to its places.
    pub(super) fn with_defaults(&self) -> Result<BTreeMap<PathExpr, Place>> {
        let mut all = self.places.clone();
        let mut defaults: Vec<_> = self.defaults.iter().collect();
        // Later ones overwrite earlier ones: the nearest ancestor comes last, and of two at one node the later.
        defaults.sort_by_key(|(path, _, _)| path.steps().len());
        for (path, kind, set) in defaults {
            let ty = places::node(self.constraint.as_type(), path)?;
            for (below, ty) in places::nodes(&ty)? {
                if NodeKind::of(&ty) == Some(*kind) && !below.is_empty() {
                    let place = PathExpr::from_steps(path.steps().iter().chain(below.steps()).cloned())?;
                    if all.len() >= PLACES && !all.contains_key(&place) {
                        return Err(places::too_many());
                    }
                    all.entry(place).or_default().default = Some(Arc::clone(set));
                }
            }
        }
        Ok(all)
    }

    /// The places with rules as a tree, built at the first call.
    pub(super) fn tree(&self) -> Result<&Tree> {
        if let Some(tree) = self.tree.get() {
            return Ok(tree);
        }
        let places = self.with_defaults()?;
        let sets = places.iter().filter_map(|(path, place)| Some((path, &**place.resolved()?)));
        let tree = Arc::new(Tree::new(self.constraint.as_type(), sets)?);
        Ok(self.tree.get_or_init(|| tree))
    }

    /// The type with its optional attributes and defaults.
    ///
    /// [Example](RuledType::fill)
    pub fn constraint(&self) -> &TypeConstraint {
        &self.constraint
    }

    /// The name of the root in reports.
    ///
    /// [Example](RuledType::fill)
    pub fn name(&self) -> &str {
        self.name.as_deref().unwrap_or("document")
    }

    /// The rules at a node, after all layers and defaults.
    ///
    /// [Example](RuledType::include)
    ///
    /// # Errors
    ///
    /// When the type has no such node.
    pub fn rules_at(&self, node: &str) -> Result<Option<RuleSet>> {
        let path: PathExpr = node.parse()?;
        places::node(self.constraint.as_type(), &path)?;
        let places = self.with_defaults()?;
        Ok(places.get(&path).and_then(Place::resolved).map(|set| RuleSet::clone(set)))
    }

    /// Converts the value to the type; missing attributes get their defaults.
    ///
    /// ```
    /// use plantime::rule::set::RuledType;
    /// use plantime::{TypeConstraint, value};
    ///
    /// let listener: TypeConstraint = "object({port = optional(number, 443)})".parse()?;
    /// let listener = RuledType::new(listener).named("listener");
    /// assert_eq!(listener.fill(&value!({})?)?, value!({ "port": 443 })?);
    /// assert!(listener.constraint().has_optional() && listener.name() == "listener");
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`convert`].
    pub fn fill(&self, value: &Value) -> Result<Value> {
        convert(value, &self.constraint)
    }

    /// Evaluates all rules on a value of the type, leaves first.
    ///
    /// [Example](RuledType)
    ///
    /// # Errors
    ///
    /// When the value is not of the type, so that a rule cannot read it or an attribute is missing.
    pub fn check(&self, value: &Value) -> Result<Report> {
        self.check_with(value, &Checking::default())
    }

    /// Checks inputs or outputs, with places to skip and data for functions.
    ///
    /// [Example](super::Checking)
    ///
    /// # Errors
    ///
    /// As for [`check`](RuledType::check).
    pub fn check_with(&self, value: &Value, checking: &Checking<'_>) -> Result<Report> {
        walk::check(self.tree()?, self.name.as_deref(), value, checking)
    }
}

/// Checks that the rules of a set can read values of the type `ty` at `path`, and that a guard on the parent is not
/// at the root.
fn check_set(set: &RuleSet, path: &PathExpr, ty: &Type) -> Result<()> {
    if path.is_empty() && set.guard.as_ref().is_some_and(super::Guard::needs_parent) {
        return Err(item::argument_error("a guard on the parent stands at a part: the whole has no parent"));
    }
    let guard = set.guard_rule(path.steps().len())?;
    for compiled in set.compile(guard.as_ref())? {
        compiled.guarded_rule().check_type(ty).map_err(crate::error::Error::from).map_err(|error| {
            let message = if path.is_empty() {
                error.message().to_owned()
            } else {
                format!("the rules at {path}: {}", error.message())
            };
            error.with_message(message)
        })?;
    }
    Ok(())
}
