//! Laws of the plan layer: what `check` answers on a plan holds after every apply that the plan allows.
//!
//! The laws use the public interface alone: the JSON text of a plan, the text of a rules file, the JSON of the report,
//! the obligations. Plans are enumerated over small universes. Each comes with its completions: everything that the
//! unknown places may turn out to be, by the *true* types of the provider. What a rule means is written down a second
//! time, on the trees of these tests (`meaning.rs`), and compared with the answers.
//!
//! | file | law |
//! |---|---|
//! | `soundness.rs` | a decided answer holds for every completion, whatever the true types are; known in, known out |
//! | `values.rs` | whether a rule can be asked depends on the declared types, not on the values |
//! | `reasons.rs` | once the inputs of an undetermined answer are known, it is decided |
//! | `assumed.rs` | answers under an assumption hold where it holds, and its obligation says where it does |
//! | `views.rs` | a schema may decide more, and turns no decided answer around |
//! | `presence.rs` | every resource that a rule speaks of has an answer, and the same one in any company |
//! | `upheld.rs` | obligations are upheld exactly where the rules hold after the apply |
//! | `masks.rs` | masks of unexpected forms make nothing known and nothing public; errors show no key |
//! | `nulls.rs` | what `null = …` answers, also inside combinators |
//! | `readings.rs` | a state read with other schemas is verified the same |
//! | `reports.rs` | what each form of a report says of the plan as a whole, and beside sensitive values |
//! | `marked_rules.rs` | no report on a rule of any kind says content behind a mark |
//! | `received.rs` | what a function in a rules file receives |
//! | `secrets.rs` | no output depends on content behind a mark, except by the verdicts |
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test says what it expects by failing"
)]

mod asking;
mod assumed;
mod cases;
mod completions;
mod hidden;
mod kind;
mod marked_rules;
mod masks;
mod meaning;
mod nulls;
mod plans;
mod presence;
mod readings;
mod reasons;
mod received;
mod reports;
mod rules;
mod secrets;
mod soundness;
mod spellings;
mod threads;
mod tree;
mod universe;
mod upheld;
mod values;
mod views;
mod wrong;
