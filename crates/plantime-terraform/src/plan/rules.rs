//! Rules files: what they hold, and how they are read.
//!
//! | file | does |
//! |---|---|
//! | `rules_file` | assumptions, named rules and skips as data |
//! | `reader` | reads them from HCL |

pub(super) mod on_null;
mod reader;
pub(super) mod rules_file;
