//! Narrows one resource by the facts about its type.

use std::collections::BTreeMap;

use super::stated::{FactsOfType, StatedFact};
use super::{ContradictedFact, UsedFact};
use crate::plan::knowledge::replace_part::{replace_parts, with_attributes};
use crate::plan::knowledge::{Origin, PlaceNames};
use plantime::rule::ExprStep;
use plantime::{Path, Range, Refinement, Type, Value, View};

/// The number of passes over the relations between attributes: one relation may tell what another one needs, and no type has
/// longer chains of them.
const PASSES: usize = 4;

/// The result of narrowing a resource by the facts about its type.
pub(super) struct NarrowedResource {
    /// The narrowed value; `None` if no fact says more than the plan.
    pub(super) after: Option<Value>,
    pub(super) used: Vec<UsedFact>,
    pub(super) origins: Vec<(Path, Origin)>,
    pub(super) contradicted: Vec<ContradictedFact>,
}

impl NarrowedResource {
    /// Applies the facts to the planned value of the resource at an address.
    pub(super) fn new(address: &str, planned: &Value, facts: &FactsOfType) -> NarrowedResource {
        let (bare, marks) = planned.clone().unmark();
        let is_hidden = !marks.is_empty();
        let mut narrowing = Narrowing {
            address,
            root: &bare,
            is_hidden,
            changed: BTreeMap::new(),
            found: NarrowedResource::unchanged(),
        };
        for (name, facts) in &facts.of_attributes {
            narrowing.apply(name, facts);
        }
        for _ in 0..PASSES {
            let before = narrowing.found.used.len();
            for (name, facts) in &facts.relations {
                narrowing.apply(name, facts);
            }
            if narrowing.found.used.len() == before {
                break;
            }
        }
        let Narrowing { changed, mut found, .. } = narrowing;
        if !changed.is_empty() {
            found.after = with_attributes(&bare, changed).map(|after| after.with_marks(&marks)).ok();
        }
        found
    }

    /// The result for a resource of which nothing is narrowed.
    fn unchanged() -> NarrowedResource {
        NarrowedResource { after: None, used: Vec::new(), origins: Vec::new(), contradicted: Vec::new() }
    }
}

/// A resource that is being narrowed, attribute by attribute.
struct Narrowing<'r> {
    address: &'r str,
    /// The planned value without its own marks.
    root: &'r Value,
    /// Whether the value as a whole is marked.
    is_hidden: bool,
    /// The attributes that were narrowed.
    changed: BTreeMap<String, Value>,
    found: NarrowedResource,
}

impl Narrowing<'_> {
    /// The attribute with this name, as far as it is narrowed by now; `None` if there is none.
    fn attribute(&self, name: &str) -> Option<Value> {
        if let Some(changed) = self.changed.get(name) {
            return Some(changed.clone());
        }
        match self.root.view() {
            View::Object(object) => object.get(name).cloned(),
            _ => None,
        }
    }

    /// Narrows an attribute by facts about it or about places inside it.
    fn apply(&mut self, name: &str, facts: &[StatedFact]) {
        let Some(mut value) = self.attribute(name) else { return };
        let mut changed = false;
        for fact in facts {
            let inside = fact.path.steps().get(1..).unwrap_or_default();
            // A known null has no places inside.
            if !inside.is_empty() && value.is_null() {
                continue;
            }
            let stated = if self.is_hidden && fact.is_relation() {
                None
            } else {
                fact.refinement_in(|other| self.attribute(other))
            };
            let Some(refinement) = stated else { continue };
            if let Some(narrower) = self.narrowed(name, &value, inside, fact, &refinement) {
                value = narrower;
                changed = true;
                let (path, origin) = (fact.path.clone(), fact.origin.clone());
                self.found.used.push(UsedFact { path, refinement, origin });
            }
        }
        if changed {
            self.changed.insert(name.to_owned(), value);
        }
    }

    /// The attribute with each unknown part narrowed that the fact is about; `None` if nothing changes. Records a
    /// contradiction where a part contradicts the fact.
    fn narrowed(
        &mut self,
        name: &str,
        attribute: &Value,
        inside: &[ExprStep],
        fact: &StatedFact,
        refinement: &Refinement,
    ) -> Option<Value> {
        let (mut places, mut against) = (Vec::new(), Vec::new());
        let is_hidden = self.is_hidden;
        let changed = replace_parts(attribute, inside, &mut |path, part, exists| {
            let assumed = typed(part, fact.ty.as_ref(), refinement).assume_with_type(refinement);
            match assumed {
                Ok(narrower) if !part.is_known() && narrower != *part => {
                    places.push(path.clone());
                    Some(narrower)
                }
                Ok(_) => None,
                Err(error) => {
                    // A plan of another version of the provider may lack the attribute, which then reads as null. And
                    // whether a marked value contradicts a fact is content (L5).
                    let is_told = exists && !is_hidden && !part.is_null() && !part.contains_marks();
                    if error.is_contradiction() && is_told {
                        against.push((path.clone(), error.message().to_owned()));
                    }
                    None
                }
            }
        });
        let place = |path: Path| {
            path.steps().iter().fold(Path::new().attr(name), |mut place, step| {
                place.push(step.clone());
                place
            })
        };
        for (path, message) in against {
            let contradicted = ContradictedFact {
                address: self.address.to_owned(),
                path: PlaceNames::new(self.root).display_path(&place(path)),
                origin: fact.origin.to_string(),
                message,
            };
            // Each pass may find the same contradiction.
            if !self.found.contradicted.contains(&contradicted) {
                self.found.contradicted.push(contradicted);
            }
        }
        self.found.origins.extend(places.into_iter().map(|path| (place(path), fact.origin.clone())));
        changed.ok().flatten()
    }
}

/// The value, with the type that the fact says where the plan does not tell one.
fn typed(value: &Value, stated: Option<&Type>, refinement: &Refinement) -> Value {
    match (value, refinement.range(), stated) {
        // The kind of the refinement says the type.
        (
            Value::Dynamic(_),
            Range::Prefix(_)
            | Range::Language(_)
            | Range::Number(_)
            | Range::Multiples(_)
            | Range::Numbers(_),
            _,
        ) => value.clone(),
        (Value::Dynamic(_), _, Some(stated)) => value.assume_type(stated).unwrap_or_else(|_| value.clone()),
        _ => value.clone(),
    }
}
