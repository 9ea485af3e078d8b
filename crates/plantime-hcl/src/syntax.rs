//! Reads the native syntax of HCL: tokens, and the tree of files, expressions and templates.

mod expressions;
mod format;
pub(crate) mod lexer;
mod parser;
mod templates;
mod words;

pub use format::{format, format_freely};
pub use parser::{Freedom, parse_body};
pub(crate) use parser::{parse_expression, parse_template};
