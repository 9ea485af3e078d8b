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
//! **Null** passes every rule on a value except [`NotNull`](Rule::NotNull). So an unknown that may turn out null never fails
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
mod evaluate;
pub mod json_schema;
mod keywords;
mod languages;
mod path_expr;
mod request;
pub mod set;
mod structure;
mod validators;

pub use answer::diagnostic::{Diagnostic, Diagnostics, Severity};
pub use answer::message::{Fields, Template};
pub use answer::misuse::Misuse;
pub use answer::outcome::Outcome;
pub use answer::verdict::Verdict;
pub use answer::why::Why;
pub use decide::custom::Custom;
pub use decide::force_new::{ForceNew, Replaces};
pub use decide::lengths::Unit;
pub use decide::required::Requirement;
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

pub(crate) use evaluate::each_place::{PlaceAnswer, at_each_place};
pub(crate) use keywords::{each, own_name};
pub(crate) use structure::undecided::{path_by_keys, rule_by_keys};

use crate::number::Number;
use crate::types::Type;
use crate::value::Value;

/// A rule, as plain data.
///
/// Equality compares the data; a [`Custom`] rule equals its clones. `Display` and `Debug` write the rule as one
/// line (`all(not_null, starts_with("vpc-"))`); [`describe`](Rule::describe) describes it in words.
#[derive(Clone, PartialEq)]
pub enum Rule {
    /// The value is not null.
    NotNull,
    /// The value is null.
    IsNull,
    /// Equal to a value, as [`Value::equals`] understands it. Reads values of the operand's type.
    Equals(Value),
    /// Equal to one of some values. Reads values of the type of some operand.
    OneOf(Vec<Value>),
    /// Equal to none of some values. Reads values of the type of some operand.
    NoneOf(Vec<Value>),
    /// A string with this prefix.
    StartsWith(String),
    /// A string with this suffix.
    EndsWith(String),
    /// A string that contains this string; a list, set or tuple with an element that equals this value.
    Contains(Value),
    /// A minimum length: code points of a string, elements of a list, set, map or tuple, attributes of an object.
    MinLen(u64),
    /// A maximum length.
    MaxLen(u64),
    /// An exact length.
    Len(u64),
    /// A minimum length of a string, in another unit than [`MinLen`](Rule::min_len).
    MinLenIn(Unit, u64),
    /// A maximum length of a string, in another unit.
    MaxLenIn(Unit, u64),
    /// An exact length of a string, in another unit.
    LenIn(Unit, u64),
    /// A number that is at least this one.
    Min(Number),
    /// A number that is at most this one.
    Max(Number),
    /// A string that is this one or sorts after it, by code points.
    NotBefore(String),
    /// A string that is this one or sorts before it.
    NotAfter(String),
    /// A multiple of a number; the sign does not matter. The only multiple of 0, and of an infinity, is 0.
    MultipleOf(Number),
    /// An even number.
    Even,
    /// An odd number: a whole one that is not even.
    Odd,
    /// A string that has a format.
    Format(Format),
    /// A string that is one of these, ignoring case.
    OneOfIgnoringCase(Words),
    /// A string that is none of these, ignoring case.
    NoneOfIgnoringCase(Words),
    /// No element, member, entry or attribute is null.
    NoNulls,
    /// No two elements of a list, set or tuple are equal; two nulls are.
    Unique,
    /// A map with this key, or an object with this attribute, whatever its value.
    HasKey(String),
    /// A string in which a regular expression finds a match; [`Pattern`] says what its syntax means.
    Matches(Pattern),
    /// Exactly one of these parts is not null.
    ExactlyOneOf(Vec<PathExpr>),
    /// At least one of these parts is not null.
    AtLeastOneOf(Vec<PathExpr>),
    /// At most one of these parts is not null.
    Conflicting(Vec<PathExpr>),
    /// All of these parts are null, or none is.
    RequiredTogether(Vec<PathExpr>),
    /// A string that is not empty, or a number that is not 0.
    NotZero,
    /// A value of a type, or of one that it covers.
    TypeIs(Type),
    /// A whole number from 1 to 65535.
    Port,
    /// A whole number from 0 to 65535.
    PortOrZero,
    /// A string that is a URL with a host and one of some schemes.
    Url(Schemes),
    /// A string that is the CIDR block of a network, with a prefix length in a range.
    CidrNetwork(Networks),
    /// The rule holds for each key of a map, or the name of each attribute of an object.
    Keys(Nested),
    /// If the part at the first path is not null, the others are not null either.
    AlsoRequires(PathExpr, Vec<PathExpr>),
    /// If a part equals one of some values, some others are not null.
    RequiredWhen(Box<Requirement>),
    /// The part at the first path is null. If not, a warning names the write-only part at the second path to use instead.
    PreferWriteOnly(PathExpr, PathExpr),
    /// Exactly one element of a map or attribute of an object is not null: of those with these keys, or of all. A missing
    /// key is null.
    OneNotNull(Option<Vec<String>>),
    /// A number that is at least the sum of the numbers at some paths; a null counts as 0.
    AtLeastSumOf(Vec<PathExpr>),
    /// A number that is at most the sum of the numbers at some paths; a null counts as 0.
    AtMostSumOf(Vec<PathExpr>),
    /// A number that is the sum of the numbers at some paths; a null counts as 0.
    EqualToSumOf(Vec<PathExpr>),
    /// A number that is the product of the numbers at some paths; it passes if one of those is null.
    EqualToProductOf(Vec<PathExpr>),
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
    /// On a change: a number that does not become smaller.
    OnlyIncrease,
    /// On a change: a number that does not become larger.
    OnlyDecrease,
    /// On a change: a multiple of the value before.
    MultipleOfOld,
    /// On a change: equal to the value before.
    Immutable,
    /// A Rust function.
    Custom(Custom),
}
