//! Rules files: what they hold, and how they are read.
//!
//! | file | does |
//! |---|---|
//! | `rules_file` | assumptions and named rules as data |
//! | `subject` | what a rule is about |
//! | `metadata`, `severity_level` | what a rule says about itself |
//! | `skip`, `day` | exceptions, and when they end |
//! | `on_null` | what a null answers |
//! | `reader` | reads them from HCL |

pub(super) mod day;
pub(super) mod metadata;
pub(super) mod on_null;
mod reader;
pub(super) mod rules_file;
pub(super) mod severity_level;
pub(super) mod skip;
pub(super) mod subject;
