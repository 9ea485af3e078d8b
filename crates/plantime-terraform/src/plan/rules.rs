//! Rules files: what they hold, and how they are read.
//!
//! | file | does |
//! |---|---|
//! | `rules_file` | assumptions and named rules as data |
//! | `subject` | what a rule is about |
//! | `metadata`, `severity_level` | what a rule says about itself |
//! | `skip`, `day` | exceptions, and when they end |
//! | `pack` | folders with rules files that have a name and a version |
//! | `select` | chooses the rules of a run |
//! | `on_null` | what a null answers |
//! | `reader` | reads them from HCL, and test files too |

pub(super) mod day;
pub(super) mod metadata;
pub(super) mod on_null;
pub(super) mod pack;
pub(in crate::plan) mod reader;
pub(super) mod rules_file;
mod select;
pub(super) mod severity_level;
pub(super) mod skip;
pub(super) mod subject;
