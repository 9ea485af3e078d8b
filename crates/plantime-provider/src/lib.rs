#![doc = include_str!("../README.md")]

mod answer;
mod built;
mod call;
mod data_source;
mod diagnostic;
mod ephemeral;
mod erased;
mod function;
mod functions;
mod grpc;
mod handshake;
mod harness;
mod listen;
mod log;
mod message;
mod plan;
mod provider;
mod proxy;
mod raw;
mod resource;
mod schema;
mod serve;
mod timeouts;
mod tls;
mod wire;

pub use call::{Call, Cancelled};
pub use data_source::DataSource;
pub use diagnostic::{Diagnostic, Diagnostics, Outcome, Severity};
pub use ephemeral::{EphemeralResource, Opened};
pub use function::{Function, Parameter, Signature};
pub use functions::functions_provider;
pub use harness::{Harness, Life, Report, Violation};
pub use plan::{Change, Deferral, Plan};
pub use provider::Provider;
#[cfg(any(test, feature = "fuzzing"))]
pub use proxy::fuzzing;
pub use proxy::proxy;
pub use resource::{MoveSource, Resource, SameMeaning};
pub use schema::{SchemaBuilder, schema, with_attributes};
pub use serve::serve;
pub use timeouts::Operation;
