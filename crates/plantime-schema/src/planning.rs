//! What Terraform's core does with a schema around a provider: it proposes a new state from the prior state and the
//! configuration, and checks the values that the provider plans and applies.
//!
//! | question | function |
//! |---|---|
//! | what does core propose to the provider? | [`proposed_new`], [`planned_unknown`] |
//! | may the provider plan this? | [`assert_plan_valid`] |
//! | is what it returns what it planned? | [`assert_object_compatible`] |
//! | does a later plan keep what an earlier one promised? | [`refines()`], [`assert_refines`] |
//! | how does core print a value there? | [`GoSyntax`] |
//! | what is wrong with a configuration before anything is planned? | [`check_configuration`] |
//! | what do core and a provider with some behaviours plan together? | [`plan_resource`] |
//!
//! Core asks these questions in this order:
//!
//! ```
//! use plantime_schema::planning::proposed_new;
//! use plantime_schema::{Attribute, AttributeType, Block, Schema};
//! use plantime::Type;
//! use plantime::value;
//!
//! let mut name = Attribute::new(AttributeType::Plain(Type::String));
//! name.required = true;
//! let mut id = Attribute::new(AttributeType::Plain(Type::String));
//! id.computed = true;
//! let mut block = Block::default();
//! block.attributes.extend([("name".to_owned(), name), ("id".to_owned(), id)]);
//!
//! let prior = value!({ "id": "i-1", "name": "web" })?;
//! let config = block.coerce(&value!({ "name": "db" })?)?;
//! assert_eq!(proposed_new(&block, &prior, &config)?, value!({ "id": "i-1", "name": "db" })?);
//! # Ok::<(), plantime::Error>(())
//! ```

mod behaviour;
mod behaviour_check;
mod behaviours;
mod compatible;
mod customize;
mod customizing;
mod fill;
mod go_syntax;
mod layout;
mod matching;
mod origin;
mod plan_resource;
mod plan_valid;
mod policy;
mod proposed;
mod provider;
mod refines;
mod replacement;
mod requirements;
mod sdk_state;
mod set_priors;
#[cfg(test)]
mod tests;
mod violation;

pub use behaviour::Behaviour;
pub use behaviours::Behaviours;
pub use compatible::{assert_object_compatible, assert_refines};
pub use customize::CustomizeDiff;
pub use go_syntax::GoSyntax;
pub use plan_resource::{PlanError, PlanObligation, Planned, check_configuration, plan_resource};
pub use plan_valid::assert_plan_valid;
pub use proposed::{planned_unknown, proposed_new};
pub use refines::refines;
pub use replacement::{Replacement, Trigger};
pub use violation::{TypeSystem, Verdict, Violation};
