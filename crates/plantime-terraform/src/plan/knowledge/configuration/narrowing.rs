//! Narrows the unknown parts of a planned value to what the configured value allows.

use crate::configuration::TERRAFORM_DATA_KEEPS;
use plantime::{Error, Nullness, Path, Refinement, Step, Type, Value, View};
use plantime_schema::{Block, Nesting};

/// What the configuration says about the parts of a planned value.
#[derive(Debug, Default)]
pub(super) struct ConfiguredFacts {
    /// The narrowed parts, with the refinement assumed for each. The refinement of a marked value is content (L5): of it
    /// only not-null is given.
    pub(super) facts: Vec<(Path, Option<Refinement>)>,
    /// The parts that the configuration contradicts, with the message.
    pub(super) contradictions: Vec<(Path, String)>,
}

/// The part of a schema that a value belongs to.
#[derive(Clone, Copy)]
pub(super) enum SchemaPart<'s> {
    /// The object of a resource or of one nested block.
    Block(&'s Block),
    /// The object of a `terraform_data`, whose arguments Terraform itself plans as they are configured.
    TerraformData(&'s Block),
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

/// Narrows the unknown parts of the planned value; `None` if none becomes narrower. Pass the prior value if the provider may
/// keep it. Known parts are compared with the configuration if the resource is created (`is_created`).
pub(super) fn narrowed(
    planned: &Value,
    configured: &Value,
    schema: SchemaPart<'_>,
    prior: Option<&Value>,
    is_created: bool,
) -> (Option<Value>, ConfiguredFacts) {
    let mut narrowing = Narrower { prior, is_created, found: ConfiguredFacts::default() };
    let value = narrowing.part(planned, configured, schema, &Path::new(), false);
    (value, narrowing.found)
}

/// Narrows one planned value part by part.
struct Narrower<'v> {
    prior: Option<&'v Value>,
    is_created: bool,
    found: ConfiguredFacts,
}

impl Narrower<'_> {
    /// Narrows a part; `None` if it stays the same. `is_marked` says that a value around it is marked.
    fn part(
        &mut self,
        planned: &Value,
        configured: &Value,
        schema: SchemaPart<'_>,
        path: &Path,
        is_marked: bool,
    ) -> Option<Value> {
        if planned.is_marked() || configured.is_marked() {
            let (planned, marks) = planned.clone().unmark();
            let (configured, more) = configured.clone().unmark();
            let narrowed = self.part(&planned, &configured, schema, path, true)?;
            // Facts about a sensitive value are sensitive too.
            return Some(narrowed.with_marks(&marks).with_marks(&more));
        }
        let mut changed = false;
        let mut child = |step: &Step, planned: &Value| {
            let schema = match step {
                Step::Attr(name) => attribute_part(schema, name.as_str()),
                Step::Index(_) => element_part(schema),
            };
            let mut path = path.clone();
            path.push(step.clone());
            let configured = configured.part(step);
            let narrowed =
                configured.and_then(|configured| self.part(planned, configured, schema, &path, is_marked));
            changed |= narrowed.is_some();
            narrowed.unwrap_or_else(|| planned.clone())
        };
        let built = match (planned.view(), configured.view()) {
            (View::Object(_), View::Object(_)) | (View::Map(_), View::Map(_)) => {
                planned.map_children(&mut child)
            }
            (View::List(own), View::List(other)) if own.len() == other.len() => {
                planned.map_children(&mut child)
            }
            (View::Tuple(own), View::Tuple(other)) if own.len() == other.len() => {
                planned.map_children(&mut child)
            }
            (View::Dynamic | View::Unknown(_), _) => {
                return self.unknown_part(planned, configured, schema, path, is_marked);
            }
            _ => {
                self.compare_known(planned, configured, path, is_marked);
                return None;
            }
        };
        built.filter(|_| changed)
    }

    /// Narrows an unknown part by the configured value and records what this says as a fact. `None` if it says nothing
    /// more, or if it contradicts the plan, which is recorded as a contradiction. With `is_marked` neither shows content.
    fn unknown_part(
        &mut self,
        planned: &Value,
        configured: &Value,
        schema: SchemaPart<'_>,
        path: &Path,
        is_marked: bool,
    ) -> Option<Value> {
        let whole = configured;
        let (configured, marks) = configured.unmark_deep();
        let is_marked = is_marked || !marks.is_empty();
        // What no provider changes becomes what is configured, with all that is known of its parts.
        if matches!(schema, SchemaPart::Exact) && configured.is_known() {
            return self.exact_part(planned, (whole, &configured), path, is_marked);
        }
        if configured.is_null() {
            return None;
        }
        let is_computed = matches!(schema, SchemaPart::Attribute { is_computed: true });
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
                let stated = match is_marked {
                    false => Some(refinement),
                    true => (refinement.nullness() == Nullness::NotNull).then(Refinement::not_null),
                };
                self.found.facts.push((path.clone(), stated.filter(|stated| !stated.is_trivial())));
                Some(narrower.with_marks(&marks))
            }
            Err(error) => {
                self.contradict(&error, path, is_marked);
                None
            }
        }
    }

    /// An unknown part that becomes the known configured value: `whole`, and `configured` without its marks.
    fn exact_part(
        &mut self,
        planned: &Value,
        (whole, configured): (&Value, &Value),
        path: &Path,
        is_marked: bool,
    ) -> Option<Value> {
        if !planned.ty().covers(&configured.ty()) {
            return None;
        }
        let range = configured.range();
        let refinement = match configured.view() {
            View::String(text) => Refinement::one_of([text]).ok()?.and_not_null(),
            _ => range.refinement().clone(),
        };
        // What is known of a value of any type is at most that it is null.
        if planned.ty() == Type::Dynamic {
            if planned.is_certainly_null() && !configured.is_null() {
                return None;
            }
        } else if let Err(error) = planned.assume(&refinement) {
            self.contradict(&error, path, is_marked);
            return None;
        }
        let stated = match is_marked {
            false => Some(refinement),
            true => (refinement.nullness() == Nullness::NotNull).then(Refinement::not_null),
        };
        self.found.facts.push((path.clone(), stated.filter(|stated| !stated.is_trivial())));
        Some(whole.clone())
    }

    /// Records that the configuration contradicts a part, if the error says so.
    fn contradict(&mut self, error: &Error, path: &Path, is_marked: bool) {
        if error.is_contradiction() {
            let message = if is_marked { MARKED_CONTRADICTION } else { error.message() };
            self.found.contradictions.push((path.clone(), message.to_owned()));
        }
    }

    /// The refinement of a part of type `ty` that is configured with this value.
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
        let prior = match prior.get(path) {
            Ok(prior) => prior,
            Err(_) if is_new_key(prior, path) => return Some(refinement),
            Err(_) => return None,
        };
        if !prior.is_null() && !keeps_refinement(&prior.ty(), ty) {
            return None;
        }
        Some(refinement.join(prior.range().refinement()))
    }

    /// Records a contradiction if a known part of a created resource differs from the configured value.
    fn compare_known(&mut self, planned: &Value, configured: &Value, path: &Path, is_marked: bool) {
        if !self.is_created || is_marked || planned.ty() != configured.ty() || configured.is_null() {
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
        self.found.contradictions.push((path.clone(), contradiction));
    }
}

/// The message of a contradiction about a marked value.
const MARKED_CONTRADICTION: &str = "is configured otherwise";

/// The schema of an attribute, or of the nested blocks with this name.
fn attribute_part<'s>(schema: SchemaPart<'s>, name: &str) -> SchemaPart<'s> {
    let block = match schema {
        SchemaPart::Block(block) | SchemaPart::Blocks(block) => block,
        SchemaPart::TerraformData(_) if TERRAFORM_DATA_KEEPS.contains(&name) => return SchemaPart::Exact,
        SchemaPart::TerraformData(block) => block,
        // The attributes inside of an attribute may be computed each by itself.
        SchemaPart::Attribute { .. } => return SchemaPart::Attribute { is_computed: true },
        SchemaPart::Exact => return schema,
    };
    if let Some(nested) = block.block_types.get(name) {
        return match nested.nesting {
            Nesting::Single | Nesting::Group => SchemaPart::Block(&nested.block),
            _ => SchemaPart::Blocks(&nested.block),
        };
    }
    SchemaPart::Attribute {
        is_computed: block.attributes.get(name).is_none_or(|attribute| attribute.computed),
    }
}

/// The schema of an element of a collection.
fn element_part(schema: SchemaPart<'_>) -> SchemaPart<'_> {
    match schema {
        SchemaPart::Block(block) | SchemaPart::Blocks(block) | SchemaPart::TerraformData(block) => {
            SchemaPart::Block(block)
        }
        SchemaPart::Attribute { .. } | SchemaPart::Exact => schema,
    }
}

/// Whether a path ends at a key that a map did not have before. Then the provider plans another map, and keeps no value of the one
/// before.
fn is_new_key(prior: &Value, path: &Path) -> bool {
    let Some((Step::Index(key), parents)) = path.steps().split_last() else { return false };
    let parent = parents.iter().fold(Path::new(), |mut parent, step| {
        parent.push(step.clone());
        parent
    });
    let Ok(map) = prior.get(&parent) else { return false };
    // Which keys there are is content behind a mark.
    if map.contains_marks() {
        return false;
    }
    match (map.view(), key.as_str()) {
        (View::Map(map), Ok(key)) => map.get(key).is_none(),
        (View::Null(Type::Map(_)), Ok(_)) => true,
        _ => false,
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
