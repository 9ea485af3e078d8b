//! plantime
