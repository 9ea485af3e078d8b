//! What Terraform's core does with a schema around a provider: it proposes a new state from the prior state and the
//! configuration, and holds what the provider plans and applies against it. Feature `schema`.
//!
//! | question | function |
//! |---|---|
//! | what does core propose to the provider? | [`proposed_new`], [`planned_unknown`] |
//! | may the provider plan this? | [`assert_plan_valid`] |
//! | is what it returns what it planned? | [`assert_object_compatible`] |
//! | does a later plan keep what an earlier one promised? | [`refines()`], [`assert_refines`] |
//! | how does core print a value there? | [`GoSyntax`] |
//!
//! Core asks these questions in this order:
//!
//! ```
//! use plantime::planning::proposed_new;
//! use plantime::schema::{Attribute, AttributeType, Schema, Block};
//! use plantime::{Type, value};
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

mod compatible;
mod go_syntax;
mod layout;
mod matching;
mod origin;
mod plan_valid;
mod proposed;
mod refines;
mod set_priors;
#[cfg(test)]
mod tests;
mod violation;

pub use compatible::{assert_object_compatible, assert_refines};
pub use go_syntax::GoSyntax;
pub use plan_valid::assert_plan_valid;
pub use proposed::{planned_unknown, proposed_new};
pub use refines::refines;
pub use violation::{TypeSystem, Verdict, Violation};
