//! What a provider does with a resource.

use std::collections::BTreeMap;

use plantime::unstable::error::Kind;
use plantime::unstable::text::nearest;
use plantime::{Error, Path, Result};

use super::behaviour::Behaviour;
use super::customize::CustomizeDiff;
use super::layout::{Entry, Layout};
use super::violation::TypeSystem;

/// What a provider does with a resource: the behaviour of each attribute and block type, and what it changes in the plan
/// as a whole.
///
/// The SDK and the framework plan different values for computed attributes that are not configured:
///
/// | | [`sdk`](Behaviours::sdk) | [`framework`](Behaviours::framework) |
/// |---|---|---|
/// | a new resource, a replaced one | unknown | unknown |
/// | an update | the prior value | unknown, unless the [state is used](Behaviour::use_state_for_unknown) |
/// | a new object in a list or map, on update | null, if it is a string, number or bool and nothing is [promised](Behaviour::promise): the SDK sees no difference | unknown |
/// | a new object in a set, on update | unknown | unknown |
/// | nothing changes | the prior value | the prior value |
///
/// [Example](super::plan_resource)
#[derive(Clone, Debug)]
pub struct Behaviours {
    pub(super) style: Style,
    pub(super) each: BTreeMap<String, Behaviour>,
    pub(super) customize: Vec<CustomizeDiff>,
}

/// The library that the provider is built with, where the rules of the two differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Sdk,
    Framework,
}

impl Behaviours {
    /// Behaviours without entries, of a provider that is built with the SDK (`terraform-plugin-sdk/v2`).
    ///
    /// [Example](super::plan_resource)
    pub fn sdk() -> Behaviours {
        Behaviours { style: Style::Sdk, each: BTreeMap::new(), customize: Vec::new() }
    }

    /// Behaviours without entries, of a provider that is built with the plugin framework.
    ///
    /// [Example](super::plan_resource)
    pub fn framework() -> Behaviours {
        Behaviours { style: Style::Framework, ..Behaviours::sdk() }
    }

    /// The type system that a provider with these behaviours has to declare: the [legacy](TypeSystem::Legacy) one of the SDK,
    /// whose state functions and defaults plan other values than the configured ones.
    ///
    /// ```
    /// use plantime_schema::planning::{Behaviours, TypeSystem};
    ///
    /// assert_eq!(Behaviours::sdk().type_system(), TypeSystem::Legacy);
    /// assert_eq!(Behaviours::framework().type_system(), TypeSystem::Strict);
    /// ```
    pub fn type_system(&self) -> TypeSystem {
        match self.style {
            Style::Sdk => TypeSystem::Legacy,
            Style::Framework => TypeSystem::Strict,
        }
    }

    /// Sets the behaviour of an attribute or block type; a behaviour that was set before is replaced. The path has the
    /// names from the resource on, with dots, such as `disk.size`; it is the same whether `disk` is one block, a list
    /// or a set.
    ///
    /// [Example](super::plan_resource)
    #[must_use]
    pub fn at(mut self, path: impl Into<String>, behaviour: Behaviour) -> Behaviours {
        self.each.insert(path.into(), behaviour);
        self
    }

    /// Adds a change of the plan as a whole, after those that are there.
    ///
    /// [Example](CustomizeDiff)
    #[must_use]
    pub fn customize(mut self, change: CustomizeDiff) -> Behaviours {
        self.customize.push(change);
        self
    }

    /// The behaviours as a tree along the names.
    ///
    /// # Errors
    ///
    /// If one is for an attribute or block type that the schema does not have.
    pub(super) fn tree<'b>(&'b self, layout: &Layout<'_>) -> Result<Node<'b>> {
        let mut root = Node::default();
        for (path, behaviour) in &self.each {
            let names: Vec<&str> = path.split('.').collect();
            exists(layout, &names)?;
            root.insert(&names, behaviour);
        }
        Ok(root)
    }
}

/// An error if the schema does not have the attribute or block type.
pub(super) fn exists(layout: &Layout<'_>, names: &[&str]) -> Result<()> {
    let Some((name, rest)) = names.split_first() else { return Ok(()) };
    let Some(entry) = layout.get(name) else {
        let near = nearest(name, layout.entries().map(|(own, _)| own));
        let advice = near.map(|near| format!("; did you mean \"{near}\"?")).unwrap_or_default();
        return Err(Error::new(
            Kind::NotFound,
            format!("no attribute or block type is named \"{name}\"{advice}"),
        ));
    };
    let inside = match entry {
        Entry::Attribute { nested, .. } => nested.as_ref(),
        Entry::Blocks(nest) => Some(nest),
    };
    match inside {
        _ if rest.is_empty() => Ok(()),
        Some(nest) => exists(&nest.item, rest).map_err(|error| error.under(plantime::Step::attr(name))),
        None => Err(Error::new(Kind::NotFound, "it has no nested attributes").at(Path::new().attr(name))),
    }
}

/// An attribute or block type with its behaviour, and those inside it that have a behaviour.
#[derive(Debug, Default)]
pub(super) struct Node<'b> {
    pub(super) behaviour: Option<&'b Behaviour>,
    pub(super) inside: BTreeMap<&'b str, Node<'b>>,
    /// Whether a change inside may force a replacement.
    pub(super) replaces_inside: bool,
    /// Whether a place inside has a default or a state function, which changes configured values.
    pub(super) fills_inside: bool,
}

impl<'b> Node<'b> {
    fn insert(&mut self, names: &[&'b str], behaviour: &'b Behaviour) {
        let Some((name, rest)) = names.split_first() else {
            self.behaviour = Some(behaviour);
            return;
        };
        self.replaces_inside |= behaviour.replaces.is_some();
        self.fills_inside |= behaviour.default.is_some() || behaviour.state.is_some();
        self.inside.entry(name).or_default().insert(rest, behaviour);
    }
}
