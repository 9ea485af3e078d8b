//! The facts that a provider schema promises of every value after an apply.

use super::stated::{StatedFact, schema_origin};
use plantime::rule::{ExprStep, PathExpr};
use plantime::{LengthRange, Refinement};
use plantime_schema::{Attribute, AttributeType, Block, NestedBlock, Nesting};

/// The facts about a resource type that follow from its block.
///
/// A required argument has a value in the configuration, which the provider keeps. Blocks in a list, set or map are empty
/// where there are none, and a group is an object; a single block may be null. Nothing is said inside a group, which stands
/// for itself where the configuration leaves it out.
pub(super) fn promised(type_name: &str, block: &Block) -> Vec<StatedFact> {
    let mut promises = Promises { type_name, steps: Vec::new(), facts: Vec::new() };
    promises.add_block(block);
    promises.facts
}

/// The facts found so far, and the steps to the present block.
struct Promises<'s> {
    type_name: &'s str,
    steps: Vec<ExprStep>,
    facts: Vec<StatedFact>,
}

impl Promises<'_> {
    /// Adds the fact that a refinement holds at the present place.
    fn add(&mut self, refinement: Refinement, why: &str) {
        // Blocks nest no deeper than a path may be.
        if let Ok(path) = PathExpr::from_steps(self.steps.iter().cloned()) {
            let origin = schema_origin(self.type_name, &path, why);
            self.facts.push(StatedFact::new(path, refinement, origin));
        }
    }

    /// Adds the facts about the attributes and blocks of a block.
    fn add_block(&mut self, block: &Block) {
        self.add_attributes(block.attributes.sorted());
        for (name, nested) in block.block_types.sorted() {
            self.steps.push(ExprStep::Attr(name.clone()));
            self.add_nested(nested);
            self.steps.pop();
        }
    }

    /// Adds the facts about attributes, and about those of nested types.
    fn add_attributes<'a>(&mut self, attributes: impl IntoIterator<Item = (&'a String, &'a Attribute)>) {
        for (name, attribute) in attributes {
            self.steps.push(ExprStep::Attr(name.clone()));
            // The value of a write-only argument is in no state.
            if attribute.required && !attribute.write_only {
                self.add(Refinement::not_null(), "is required");
            }
            if let AttributeType::Nested(nested) = &attribute.ty {
                let steps = self.steps.len();
                self.steps.extend(element_step(nested.nesting));
                self.add_attributes(nested.attributes.sorted());
                self.steps.truncate(steps);
            }
            self.steps.pop();
        }
    }

    /// Adds the facts about nested blocks.
    fn add_nested(&mut self, nested: &NestedBlock) {
        let least = match nested.nesting {
            Nesting::Single => 0,
            // Members of a set may turn out equal.
            Nesting::Set | Nesting::Map => nested.min_items.min(1),
            _ => nested.min_items,
        };
        match nested.nesting {
            Nesting::Single => {}
            Nesting::Group => return self.add(Refinement::not_null(), "is a group"),
            _ if least > 0 => {
                let length = Refinement::length(LengthRange::at_least(least)).and_not_null();
                self.add(length, &format!("has at least {least}"));
            }
            _ => self.add(Refinement::not_null(), "is a nested block"),
        }
        let steps = self.steps.len();
        self.steps.extend(element_step(nested.nesting));
        self.add_block(&nested.block);
        self.steps.truncate(steps);
    }
}

/// The step into the elements of a collection of blocks or objects.
fn element_step(nesting: Nesting) -> Option<ExprStep> {
    matches!(nesting, Nesting::List | Nesting::Set | Nesting::Map).then_some(ExprStep::AnyElement)
}
