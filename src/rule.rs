//! Rules: conditions on values as plain data, with three outcomes: pass, fail, or undetermined for unknown values.
//!
//! A [`Rule`] is checked on a [`Request`]: a value, its path and its surroundings. The result is an [`Outcome`]. `Pass` and
//! `Fail` are final, whatever the value turns out to be. `Undetermined` has a reason ([`Why`]) and an *obligation*: the part
//! of the rule that is not decided yet, which can be stored and checked again when more is known.
//!
//! ```
//! use plantime::rule::Rule;
//! use plantime::{Refinement, Type, Value};
//!
//! let id = Value::refined(Type::String, Refinement::prefix("vpc-").and_not_null())?;
//! assert!(Rule::starts_with("vpc-").check_value(&id)?.is_pass());
//! assert!(Rule::starts_with("subnet-").check_value(&id)?.is_fail());
//! assert!(Rule::starts_with("vpc-0").check_value(&id)?.is_undetermined());
//! # Ok::<(), plantime::Error>(())
//! ```
//!
//! # Semantics
//!
//! The outcome is defined by the concrete values that a value may become: *pass* if the rule holds for all of them, *fail*
//! if it holds for none, otherwise *undetermined*. So a wholly known value is never undetermined.
//!
//! **Null** passes every rule on a value except [`NotNull`](Rule::NotNull) and those that count nulls. So an unknown that may turn out null never fails
//! such a rule: if every other value fails, the outcome is undetermined and the obligation is `is_null`.
//!
//! **Types**: checking a rule on a known type that it cannot read (a prefix of a list) is [`Misuse`], an error, and no
//! combinator turns it into a pass. On an undecided type that may turn out to be such a type, the rule is undetermined, and
//! so is every rule that contains it, whatever the rules beside it say.
//!
//! **Marks** never change an outcome. The content of a marked value appears in no message.
//!
//! # Combinators
//!
//! | `a` | `b` | `all(a, b)`, `sequence(a, b)` | `any(a, b)` | `implies(a, b)`, `when(a, b)` |
//! |---|---|---|---|---|
//! | pass | pass | pass | pass | pass |
//! | pass | fail | fail | pass | fail |
//! | pass | undetermined | undetermined | pass | undetermined |
//! | fail | fail | fail | fail | pass |
//! | fail | undetermined | fail | undetermined | pass |
//! | undetermined | pass | undetermined | pass | pass |
//! | undetermined | fail | fail | undetermined | undetermined |
//! | undetermined | undetermined | undetermined | undetermined | undetermined |
//!
//! Combinators evaluate the case that the value is null and the case that it is not separately. So `all(not_null,
//! starts_with("a"))` fails on an unknown that starts with `b`, although each rule alone is undetermined. `not` swaps pass
//! and fail; `not` and `implies` are about values that are not null: null passes both, whatever they contain. No value would
//! break `not(is_null)`, `implies(is_null, a)` or `implies(a, not_null)`, so their constructors refuse them: write
//! `not_null`, or put the rule on an attribute, as in `not(at(name, is_null))`.
//!
//! # Across fields
//!
//! `T` is the number of operands that are certainly not null, `F` that of operands that are certainly null, and `U` that of
//! the others:
//!
//! | rule | pass | fail | obligation otherwise |
//! |---|---|---|---|
//! | `exactly_one_of` | T = 1, U = 0 | T ≥ 2, or T = U = 0 | T = 1: all of U are null; else exactly one of U |
//! | `at_least_one_of` | T ≥ 1 | T = U = 0 | at least one of U |
//! | `conflicting` | T + U ≤ 1 | T ≥ 2 | T = 1: all of U are null; else no two of U |
//! | `required_together` | U = 0, and T = 0 or F = 0 | T ≥ 1 and F ≥ 1 | T ≥ 1: none of U is null; F ≥ 1: all of U are; else U together |
//!
//! `also_requires` and `required_when` require that some attributes are set. `S` means that all are, `N` that one is null:
//!
//! | first path set, or condition true | the others | outcome | obligation otherwise |
//! |---|---|---|---|
//! | no | anything | pass | |
//! | anything | S | pass | |
//! | yes | N | fail | |
//! | yes | unknown | undetermined | none of the unknown ones is null |
//! | unknown | N | undetermined | the first path is null; the condition does not hold |
//! | unknown | unknown | undetermined | the rule on the unknown ones |
//!
//! Sums and products of attributes are computed as exact intervals. A null counts as 0 in a sum and lets a product pass. The
//! rule fails if there is no sum (of opposite infinities) or no product (of 0 and an infinity).
//!
//! The outcome never depends on the order of the paths. A path that ends at a null is null, one that ends at an unknown is
//! unknown ([`How`]). Each path is one operand; with `[*]` it counts as not null if some match is.

mod answer;
mod decide;
mod describe;
pub(crate) mod evaluate;
pub mod json_schema;
pub(crate) mod keywords;
mod languages;
mod path_expr;
mod request;
pub mod set;
pub(crate) mod structure;
mod validators;

pub use answer::diagnostic::{Diagnostic, Diagnostics, Severity};
pub use answer::message::{Fields, Template};
pub use answer::misuse::Misuse;
pub use answer::outcome::Outcome;
pub use answer::verdict::Verdict;
pub use answer::why::Why;
pub use decide::change::ChangeRule;
pub use decide::cross_field::PresenceRule;
pub use decide::custom::Custom;
pub use decide::force_new::{ForceNew, Replaces};
pub use decide::lengths::{LengthRule, LengthTest, Unit};
pub use decide::members::MembersRule;
pub use decide::numbers::NumberRule;
pub use decide::required::{Requirement, RequiresRule};
pub use decide::sums::TotalRule;
pub use decide::text::TextRule;
pub use decide::value::ValueRule;
pub use keywords::manual::Manual;
pub use keywords::systems::System;
pub use keywords::{Argument, Keyword, from_keyword, keyword, keywords};
pub use languages::format::Format;
pub use languages::networks::Networks;
pub use languages::pattern::Pattern;
pub use languages::schemes::Schemes;
pub use languages::words::Words;
pub use path_expr::{ExprStep, How, PathExpr, PathMatch};
pub use request::Request;
pub use structure::nested::{Nested, Rules};
pub use validators::{Configured, Validated, Validators};

pub(crate) use keywords::operand::Operand;
pub(crate) use keywords::read::Read;

/// A rule, as plain data: a keyword with its argument, or a combination of rules.
///
/// Keywords are grouped in families, such as the rules on strings. Each keyword has a constructor:
/// `Rule::starts_with("vpc-")`.
///
/// Equality and hash compare the data; a [`Custom`] rule equals its clones. `Display` and `Debug` write the rule as one
/// line (`all(not_null, starts_with("vpc-"))`); [`describe`](Rule::describe) describes it in words.
#[derive(Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// The value is not null.
    NotNull,
    /// The value is null.
    IsNull,
    /// A rule on values of any type: equality with values, the type, zero.
    Value(ValueRule),
    /// A rule on strings.
    Text(TextRule),
    /// A rule on the length of a string, collection, tuple or object.
    Length(LengthRule),
    /// A rule on numbers.
    Number(NumberRule),
    /// A rule on elements, entries and attributes.
    Members(MembersRule),
    /// A rule on how many of the attributes or elements at some paths are not null.
    Presence(PresenceRule, Vec<PathExpr>),
    /// A comparison of a number with the sum or product of the numbers at some paths.
    Total(TotalRule, Vec<PathExpr>),
    /// A rule by which an attribute or element requires others, or should be replaced by another.
    Requires(RequiresRule),
    /// A rule on a change, which compares with the value before.
    Change(ChangeRule),
    /// The rule holds for each key of a map, or the name of each attribute of an object.
    Keys(Nested),
    /// The rule holds at every match of a path, which starts at the checked value.
    At(PathExpr, Nested),
    /// All rules hold.
    All(Rules),
    /// All rules hold, evaluated one after the other: only the first failure is reported.
    Sequence(Rules),
    /// At least one rule holds.
    Any(Rules),
    /// The rule does not hold, or the value is null.
    Not(Nested),
    /// If the first rule holds, the second holds too; or the value is null.
    Implies(Nested, Nested),
    /// If the first rule, the guard, holds, the second holds too.
    When(Nested, Nested),
    /// A Rust function.
    Custom(Custom),
}
