//! What Terraform's core does with a schema around a provider: it proposes a new state from the prior state and the
//! configuration, and holds what the provider plans and applies against it. Feature `schema`.
//!
//! | question | function |
//! |---|---|
//! | what does core propose to the provider? | [`proposed_new`], [`planned_unknown`] |
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

mod layout;
mod origin;
mod proposed;
mod set_priors;
#[cfg(test)]
mod tests;

pub use proposed::{planned_unknown, proposed_new};
