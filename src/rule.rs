//! Rules: plain data that answers pass, fail or undetermined, also for values that are not known yet.
//!
//! A [`Rule`] is checked against a [`Request`]: a value, its place, and what is around it. The answer is an
//! [`Outcome`]. `Pass` and `Fail` hold whatever the value turns out to be; `Undetermined` says [`Why`], and leaves
//! an *obligation*: the rule without what is already decided, which can be stored and checked again when more is
//! known.
//!
//! ```
//! use plantime::rule::Rule;
//! use plantime::{Refinement, Type, Value};
//!
//! let id = Value::refined(Type::String, Refinement::prefix("vpc-").and_not_null())?;
//! assert!(Rule::StartsWith("vpc-".into()).check_value(&id)?.is_pass());
//! assert!(Rule::StartsWith("subnet-".into()).check_value(&id)?.is_fail());
//! assert!(Rule::StartsWith("vpc-0".into()).check_value(&id)?.is_undetermined());
//! # Ok::<(), plantime::Error>(())
//! ```
//!
//! # Semantics
//!
//! The answer is defined by the concrete values that a value may become: *pass* when the rule holds for all of
//! them, *fail* when it holds for none, else *undetermined*. So a wholly known value is never undetermined.
//!
//! **Null** passes every rule on a value but [`NotNull`](Rule::NotNull). An unknown that may turn out null
//! therefore never fails such a rule: where every other outcome fails, the answer is undetermined and the
//! obligation is `is_null`.
//!
//! **Types**: a known type that a rule cannot read (a prefix of a list) is [`Misuse`], an error and no answer, and
//! no combinator makes a pass of it. An undecided type that may turn out such a one is undetermined, and so is every
//! rule around it, whatever the rules beside it say.
//!
//! **Marks** never change an answer. The content of a marked value appears in no message.
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
//! They look at the outcomes that are null and those that are not apart, so that `all(not_null,
//! starts_with("a"))` on an unknown that starts with `b` fails, although each part alone is undetermined. `not` swaps
//! pass and fail; `not` and `implies` are about values that are not null: null passes both, whatever is inside.
//! So no value would break `not(is_null)`, `implies(is_null, a)` or `implies(a, not_null)`; they are refused when they
//! are made: write `not_null`, or put the rule on the part inside, as in `not(at(name, is_null))`.
//!
//! # Across fields
//!
//! With `T` operands certainly not null, `F` certainly null, and `U` the rest:
//!
//! | rule | pass | fail | obligation otherwise |
//! |---|---|---|---|
//! | `exactly_one_of` | T = 1, U = 0 | T ≥ 2, or T = U = 0 | T = 1: all of U are null; else exactly one of U |
//! | `at_least_one_of` | T ≥ 1 | T = U = 0 | at least one of U |
//! | `conflicting` | T + U ≤ 1 | T ≥ 2 | T = 1: all of U are null; else no two of U |
//! | `required_together` | U = 0, and T = 0 or F = 0 | T ≥ 1 and F ≥ 1 | T ≥ 1: none of U is null; F ≥ 1: all of U are; else U together |
//!
//! `also_requires` and `required_when` ask that some parts are set; say `S` if all are, `N` if one is null:
//!
//! | first path set, or condition true | the others | answer | obligation otherwise |
//! |---|---|---|---|
//! | no | anything | pass | |
//! | anything | S | pass | |
//! | yes | N | fail | |
//! | yes | open | undetermined | none of the open ones is null |
//! | open | N | undetermined | the first path is null; the condition does not hold |
//! | open | open | undetermined | the rule on the open ones |
//!
//! Sums and products of other parts are intervals, and hold or fail by them, exactly: a null counts as 0 in a sum and
//! lets a product pass; opposite infinities have no sum, and 0 and an infinity no product, which fails.
//!
//! The answer never depends on the order of the paths. What stands below a null is null, what stands below an unknown
//! is unknown, and each path is an operand of its own, however far it could be followed
//! ([`How`]).
//!
//! One path is one operand; with `[*]` it counts as not null when some match is.

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
/// line (`all(not_null, starts_with("vpc-"))`); [`describe`](Rule::describe) says it in words.
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
    /// A string that starts with a text.
    StartsWith(String),
    /// A string that ends with a text.
    EndsWith(String),
    /// A string with a text inside; a list, set or tuple with an element equal to a value.
    Contains(Value),
    /// At least so long: code points of a string, elements of a list, set, map or tuple, attributes of an object.
    MinLen(u64),
    /// At most so long.
    MaxLen(u64),
    /// Exactly so long.
    Len(u64),
    /// At least so long, counted in another way than [`MinLen`](Rule::MinLen): a string.
    MinLenIn(Unit, u64),
    /// At most so long, counted in another way: a string.
    MaxLenIn(Unit, u64),
    /// Exactly so long, counted in another way: a string.
    LenIn(Unit, u64),
    /// A number that is at least so large.
    Min(Number),
    /// A number that is at most so large.
    Max(Number),
    /// A string that is not before a text, as [`Value`] orders strings: by code points.
    NotBefore(String),
    /// A string that is not after a text.
    NotAfter(String),
    /// A multiple of a number: of 0, of an infinity, that is 0 alone. A sign does not matter.
    MultipleOf(Number),
    /// An even number.
    Even,
    /// An odd number: a whole one that is not even.
    Odd,
    /// A string of a form.
    Format(Format),
    /// A string that is one of some, upper and lower case being the same.
    OneOfIgnoringCase(Words),
    /// A string that is none of some, upper and lower case being the same.
    NoneOfIgnoringCase(Words),
    /// No element, member, entry or attribute is null.
    NoNulls,
    /// No two elements of a list, set or tuple are equal; two nulls are.
    Unique,
    /// A map with a key, or an object with an attribute, whatever stands there.
    HasKey(String),
    /// A string in which a regular expression finds a match; [`Pattern`] says what its syntax means.
    Matches(Pattern),
    /// Exactly one of some parts is not null.
    ExactlyOneOf(Vec<PathExpr>),
    /// At least one of some parts is not null.
    AtLeastOneOf(Vec<PathExpr>),
    /// No two of some parts are not null.
    Conflicting(Vec<PathExpr>),
    /// All of some parts are null, or none is.
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
    /// A string that is the CIDR block of a network of so many bits.
    CidrNetwork(Networks),
    /// The rule holds for each key of a map, or the name of each attribute of an object.
    Keys(Nested),
    /// Where the part at a path is not null, neither are some others.
    AlsoRequires(PathExpr, Vec<PathExpr>),
    /// Where a part equals one of some values, some others are not null.
    RequiredWhen(Box<Requirement>),
    /// The part at a path is null: where it is not, a warning names the write-only part to use in its place.
    PreferWriteOnly(PathExpr, PathExpr),
    /// Of the elements of a map or the attributes of an object, exactly one is not null; of these keys, or of all. A
    /// key that is not there is null.
    OneNotNull(Option<Vec<String>>),
    /// A number that is at least the sum of the numbers at some paths; a null counts as 0.
    AtLeastSumOf(Vec<PathExpr>),
    /// A number that is at most the sum of the numbers at some paths; a null counts as 0.
    AtMostSumOf(Vec<PathExpr>),
    /// A number that is the sum of the numbers at some paths; a null counts as 0.
    EqualToSumOf(Vec<PathExpr>),
    /// A number that is the product of the numbers at some paths, or one of those is null.
    EqualToProductOf(Vec<PathExpr>),
    /// The rule holds at every match of a path, which starts at the value of the request.
    At(PathExpr, Nested),
    /// All rules hold.
    All(Rules),
    /// All rules hold, asked one after the other: of those that do not, the first is told.
    Sequence(Rules),
    /// At least one rule holds.
    Any(Rules),
    /// The rule does not hold, or the value is null.
    Not(Nested),
    /// Where the first rule holds, the second holds too; or the value is null.
    Implies(Nested, Nested),
    /// Guard: where the first rule holds, the second holds too.
    When(Nested, Nested),
    /// Against the value before: a number that does not get smaller.
    OnlyIncrease,
    /// Against the value before: a number that does not get larger.
    OnlyDecrease,
    /// Against the value before: a multiple of it.
    MultipleOfOld,
    /// Against the value before: equal to it.
    Immutable,
    /// A function of your own.
    Custom(Custom),
}
