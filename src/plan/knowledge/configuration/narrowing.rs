//! Narrows the unknown parts of a planned value by the configured value.

use crate::path::Path;
use crate::refinement::{Nullness, Refinement};
use crate::schema::{Block, Nesting};
use crate::types::Type;
use crate::value::{Value, View};

/// What the configuration says of the parts of a planned value.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The narrowed parts, with what is assumed of each. Behind a mark a refinement is content (L5), and only that the value is
    /// not null is stated.
    pub(super) facts: Vec<(Path, Option<Refinement>)>,
    /// The parts that the configuration contradicts, and what it says.
    pub(super) against: Vec<(Path, String)>,
}

/// What a schema says of a place in a value.
#[derive(Clone, Copy)]
pub(super) enum Place<'s> {
    /// The object of a resource or of one nested block.
    Block(&'s Block),
    /// The collection of nested blocks of one kind.
    Blocks(&'s Block),
    /// An attribute, or a part of one.
    Attribute {
        /// Whether the provider may choose the value where the configuration has null.
        is_computed: bool,
    },
    /// A value that no provider changes, or a part of one.
    Exact,
}

/// The planned value with its unknown parts narrowed by the configured value; `None` if nothing is narrower. The prior value
/// is given where the provider may keep it. Known parts are compared with the configuration where `is_created`.
pub(super) fn narrowed(
    planned: &Value,
    configured: &Value,
    place: Place<'_>,
    prior: Option<&Value>,
    is_created: bool,
) -> (Option<Value>, Found) {
    let mut narrowing = ConfiguredParts { prior, is_created, found: Found::default() };
    let value = narrowing.part(planned, configured, place, &Path::new(), false);
    (value, narrowing.found)
}

/// One value that is being narrowed part by part.
struct ConfiguredParts<'v> {
    prior: Option<&'v Value>,
    is_created: bool,
    found: Found,
}

impl ConfiguredParts<'_> {
    /// The narrowed part, or `None` if it stays as it is.
    fn part(
        &mut self,
        planned: &Value,
        configured: &Value,
        place: Place<'_>,
        path: &Path,
        is_hidden: bool,
    ) -> Option<Value> {
        if planned.is_marked() || configured.is_marked() {
            let (planned, marks) = planned.clone().unmark();
            let (configured, more) = configured.clone().unmark();
            let narrowed = self.part(&planned, &configured, place, path, true)?;
            // Facts about a sensitive value are sensitive too.
            return Some(narrowed.with_marks(&marks).with_marks(&more));
        }
        let mut changed = false;
        let mut child = |planned: &Value, configured: Option<&Value>, place, path: Path| {
            let narrowed =
                configured.and_then(|configured| self.part(planned, configured, place, &path, is_hidden));
            changed |= narrowed.is_some();
            narrowed.unwrap_or_else(|| planned.clone())
        };
        let built = match (planned.view(), configured.view()) {
            (View::Object(planned), View::Object(configured)) => {
                let children = planned.iter().map(|(name, value)| {
                    let narrowed = child(
                        value,
                        configured.get(name),
                        attribute_place(place, name),
                        path.clone().attr(name),
                    );
                    (name, narrowed)
                });
                Value::object(children)
            }
            (View::Map(planned), View::Map(configured)) => {
                let place = element_place(place);
                let entries = planned.iter().map(|(key, value)| {
                    (key, child(value, configured.get(key), place, path.clone().index(key)))
                });
                Value::map_of(planned.element_type().clone(), entries)
            }
            (View::List(planned), View::List(configured)) if planned.len() == configured.len() => {
                let place = element_place(place);
                let items = planned.iter().enumerate();
                let items =
                    items.map(|(i, value)| child(value, configured.get(i), place, path.clone().index(i)));
                Value::list_of(planned.element_type().clone(), items)
            }
            (View::Tuple(planned), View::Tuple(configured)) if planned.len() == configured.len() => {
                let place = element_place(place);
                let items = planned.iter().enumerate();
                let items =
                    items.map(|(i, value)| child(value, configured.get(i), place, path.clone().index(i)));
                Value::tuple(items)
            }
            (View::Dynamic | View::Unknown(_), _) => {
                return self.unknown_part(planned, configured, place, path, is_hidden);
            }
            _ => {
                self.compare_known(planned, configured, path, is_hidden);
                return None;
            }
        };
        built.ok().filter(|_| changed)
    }

    /// The unknown part narrowed by what is configured; `None` if that says nothing new.
    fn unknown_part(
        &mut self,
        planned: &Value,
        configured: &Value,
        place: Place<'_>,
        path: &Path,
        is_hidden: bool,
    ) -> Option<Value> {
        let (configured, marks) = configured.unmark_deep();
        if configured.is_null() {
            return None;
        }
        let is_hidden = is_hidden || !marks.is_empty();
        let is_computed = matches!(place, Place::Attribute { is_computed: true });
        // A null in the configuration leaves the attribute to the provider.
        if is_computed && configured.range().nullness() != Nullness::NotNull {
            return None;
        }
        // Where the schema takes any type, the value has the type that it is configured with.
        let typed = match planned.ty() {
            Type::Dynamic if self.prior.is_none() => Value::unknown(configured.ty()),
            _ => planned.clone(),
        };
        let refinement = self.refinement(&configured, &typed.ty(), path)?;
        match typed.assume(&refinement) {
            Ok(narrower) if narrower == *planned => None,
            Ok(narrower) => {
                let stated = match is_hidden {
                    false => Some(refinement),
                    true => (refinement.nullness() == Nullness::NotNull).then(Refinement::not_null),
                };
                self.found.facts.push((path.clone(), stated.filter(|stated| !stated.is_trivial())));
                Some(narrower.with_marks(&marks))
            }
            Err(error) => {
                if error.is_contradiction() {
                    let message = if is_hidden { String::from(HIDDEN) } else { error.message().to_owned() };
                    self.found.against.push((path.clone(), message));
                }
                None
            }
        }
    }

    /// The refinement that holds of a part of type `ty` where it is configured with this value.
    fn refinement(&self, configured: &Value, ty: &Type, path: &Path) -> Option<Refinement> {
        if *ty == Type::Dynamic {
            return None;
        }
        let range = configured.range();
        let refinement = if keeps_refinement(&configured.ty(), ty) {
            range.refinement().clone()
        } else if range.is_not_null() {
            Refinement::not_null()
        } else {
            return None;
        };
        let Some(prior) = self.prior else { return Some(refinement) };
        let prior = prior.get(path).ok()?;
        if !prior.is_null() && !keeps_refinement(&prior.ty(), ty) {
            return None;
        }
        Some(refinement.join(prior.range().refinement()))
    }

    /// Reports a known part of a new resource that differs from the configured value.
    fn compare_known(&mut self, planned: &Value, configured: &Value, path: &Path, is_hidden: bool) {
        if !self.is_created || is_hidden || planned.ty() != configured.ty() || configured.is_null() {
            return;
        }
        let is_primitive = matches!(planned.ty(), Type::Bool | Type::Number | Type::String);
        if !is_primitive {
            return;
        }
        let contradiction = match configured.view() {
            View::Unknown(_) => match planned.assume(configured.range().refinement()) {
                Err(error) if error.is_contradiction() && !planned.is_null() => error.message().to_owned(),
                _ => return,
            },
            _ if planned != configured => format!("is {planned}, and is configured as {configured}"),
            _ => return,
        };
        self.found.against.push((path.clone(), contradiction));
    }
}

/// The message of a contradiction behind a mark.
const HIDDEN: &str = "is configured otherwise";

/// The place of an attribute or kind of blocks in an object.
fn attribute_place<'s>(place: Place<'s>, name: &str) -> Place<'s> {
    let block = match place {
        Place::Block(block) | Place::Blocks(block) => block,
        // The attributes inside of an attribute may be computed each by itself.
        Place::Attribute { .. } => return Place::Attribute { is_computed: true },
        Place::Exact => return place,
    };
    if let Some(nested) = block.block_types.get(name) {
        return match nested.nesting {
            Nesting::Single | Nesting::Group => Place::Block(&nested.block),
            _ => Place::Blocks(&nested.block),
        };
    }
    Place::Attribute { is_computed: block.attributes.get(name).is_none_or(|attribute| attribute.computed) }
}

/// The place of an element in a collection.
fn element_place(place: Place<'_>) -> Place<'_> {
    match place {
        Place::Block(block) | Place::Blocks(block) => Place::Block(block),
        Place::Attribute { .. } | Place::Exact => place,
    }
}

/// Whether a refinement still holds after the conversion from one type to another.
fn keeps_refinement(from: &Type, to: &Type) -> bool {
    match (from, to) {
        (Type::List(_), Type::List(_)) | (Type::Map(_), Type::Map(_)) => true,
        // In a set, converted members may become equal, which changes the length.
        _ => from == to && !from.has_dynamic(),
    }
}
