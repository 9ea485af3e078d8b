#![doc = include_str!("../README.md")]

mod answer;
mod diagnostic;
mod erased;
mod functions;
mod grpc;
mod handshake;
mod kit;
mod listen;
mod message;
mod plan;
mod provider;
mod proxy;
mod schema;
mod serve;
mod tls;
mod wire;

pub use diagnostic::{Diagnostic, Diagnostics, Outcome, Severity};
pub use functions::functions_provider;
pub use kit::{DataSource, Function, Parameter, Resource, Signature};
pub use plan::{Change, Plan};
pub use provider::Provider;
pub use proxy::proxy;
pub use schema::{SchemaBuilder, schema, with_attributes};
pub use serve::serve;
