//! The real terraform plans, applies and destroys with providers of this crate. Skipped where there is no terraform.

#![cfg(unix)]
#![allow(missing_docs, clippy::expect_used)]

mod features;
mod functions;
mod proxy;
mod resources;
mod robust;
mod support;
