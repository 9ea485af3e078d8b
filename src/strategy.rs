//! Strategies for the crate proptest (feature `proptest`): the values of [`sample`](crate::sample), with shrinking.
//!
//! | strategy | values |
//! |---|---|
//! | [`weakened`], [`weakened_of`], [`weakening_of`] | a concrete value and one that may become it ([`Weakened`]) |
//! | [`wider_than`] | a value that contains a given one |
//! | [`concrete`], [`concrete_of`], [`value`] | wholly known values; values of every level |
//! | [`ty`], [`constraint`], [`constraint_for`] | types; constraints with optional attributes and defaults |
//! | [`refinement`], [`refinement_of`], [`refinement_holding`] | refinements of any kind, for a type, or that hold for a value |
//! | [`number`], [`text`], [`mark`] | scalars and marks |
//! | [`marked`] | a given value with marks at random places |
//! | [`path`], [`path_in`] | paths; paths to a part of a value |
//! | `rule_for` (feature `rules`) | rules that can read a type |
//!
//! ```
//! use plantime::Value;
//! use plantime::sample::{Size, may_become};
//! use plantime::strategy::weakened;
//! use proptest::test_runner::TestRunner;
//!
//! // An operation of your own: whatever a value becomes, so does the answer.
//! let first = |value: &Value| value.index(&Value::from(0));
//! let law = |pair: plantime::sample::Weakened| {
//!     if let Ok(apply) = first(pair.concrete()) {
//!         assert!(may_become(&first(pair.value()).unwrap(), &apply), "{pair:?}");
//!     }
//!     Ok(())
//! };
//! TestRunner::deterministic().run(&weakened(Size::default()), law).unwrap();
//! ```
//!
//! Build a strategy of your own with [`Sampled::new`].
//!
//! # Shrinking
//!
//! A pair shrinks in two directions: to a smaller concrete value (one element in place of the whole, fewer
//! elements, shorter strings, simpler numbers), and to a more known value (parts of the concrete value in place of
//! weakened ones). It stays a pair: [`Weakened::new`] checks each step. If no element of a collection can be left
//! out and no simpler type can be given to all, the collection becomes a tuple or an object, whose elements shrink
//! on their own. Types, constraints, refinements, paths and rules shrink to their parts and to fewer of them. What
//! the caller gives (the type of the values, the value to weaken) stays.

use std::fmt;
use std::sync::Arc;

use proptest::strategy::{NewTree, Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use crate::constraint::TypeConstraint;
use crate::mark::Mark;
use crate::number::Number;
use crate::path::Path;
use crate::refinement::Refinement;
#[cfg(feature = "rules")]
use crate::rule::Rule;
use crate::sample::{Sampler, Seed, Size, Weakened};
use crate::types::Type;
use crate::value::Value;

mod scalars;
mod tree;
mod types;
mod values;

#[cfg(feature = "rules")]
mod rules;

pub use tree::Shrinking;

/// Generates a value from the choices of a sampler.
type Make<T> = Arc<dyn Fn(&mut Sampler<'_>) -> T + Send + Sync>;
/// Lists the values that are simpler than a given value, the simplest first.
type Smaller<T> = Arc<dyn Fn(&T) -> values::Steps<T> + Send + Sync>;

/// A strategy that generates values with a [`Sampler`] and shrinks them by trying simpler values. All strategies of
/// this module are of this type; build one of your own with [`Sampled::new`].
pub struct Sampled<T> {
    size: Size,
    make: Make<T>,
    /// The simpler values of a value, the simplest first.
    smaller: Smaller<T>,
}

impl<T> Sampled<T> {
    /// A strategy that generates values with a sampler of this size. `smaller` returns the values that are simpler
    /// than a value, the simplest first; it must never lead back to the same value, not even in several steps. The
    /// rest of its values is not used once one of them fails.
    ///
    /// ```
    /// use plantime::sample::Size;
    /// use plantime::strategy::Sampled;
    ///
    /// let even = Sampled::new(
    ///     Size::default(),
    ///     |sampler| sampler.below(1000) * 2,
    ///     |number: &usize| if *number > 0 { vec![0, number - 2] } else { vec![] },
    /// );
    /// # let _ = even;
    /// ```
    pub fn new<I: IntoIterator<Item = T, IntoIter: 'static>>(
        size: Size,
        make: impl Fn(&mut Sampler<'_>) -> T + Send + Sync + 'static,
        smaller: impl Fn(&T) -> I + Send + Sync + 'static,
    ) -> Sampled<T> {
        let smaller = move |value: &T| -> values::Steps<T> { Box::new(smaller(value).into_iter()) };
        Sampled { size, make: Arc::new(make), smaller: Arc::new(smaller) }
    }
}

impl<T> Clone for Sampled<T> {
    fn clone(&self) -> Sampled<T> {
        Sampled { size: self.size, make: self.make.clone(), smaller: self.smaller.clone() }
    }
}

impl<T> fmt::Debug for Sampled<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sampled").field("size", &self.size).finish_non_exhaustive()
    }
}

impl<T: Clone + fmt::Debug> Strategy for Sampled<T> {
    type Tree = Shrinking<T>;
    type Value = T;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Sampled<T>> {
        let seed = proptest::num::u64::ANY.new_tree(runner)?.current();
        let value = (self.make)(&mut Sampler::new(&mut Seed::new(seed), self.size));
        Ok(Shrinking::new(value, self.smaller.clone()))
    }
}

/// A strategy for pairs of a concrete value of any type and a value that may become it.
pub fn weakened(size: Size) -> Sampled<Weakened> {
    Sampled::new(size, |sampler| sampler.pair(), |pair| values::pairs(pair, true))
}

/// A strategy for pairs of a concrete value of this type and a value that may become it. Pairs shrink within the
/// type.
pub fn weakened_of(ty: Type, size: Size) -> Sampled<Weakened> {
    Sampled::new(size, move |sampler| sampler.pair_of_type(&ty), |pair| values::pairs(pair, false))
}

/// A strategy for pairs of this concrete value and a value that may become it. Pairs shrink to more known values
/// only.
pub fn weakening_of(concrete: Value) -> Sampled<Weakened> {
    let make = move |sampler: &mut Sampler<'_>| sampler.pair_of(concrete.clone());
    Sampled::new(Size::default(), make, values::more_known)
}

/// A strategy for values that contain this value, which may be of any level of known-ness. They are of its type or
/// of a type that covers it, and shrink to the value.
pub fn wider_than(value: Value) -> Sampled<Value> {
    let narrow = value.clone();
    Sampled::new(
        Size::default(),
        move |sampler| sampler.weakened(&value),
        move |wide| if *wide == narrow { Vec::new() } else { vec![narrow.clone()] },
    )
}

/// A strategy for wholly known values of any type.
pub fn concrete(size: Size) -> Sampled<Value> {
    Sampled::new(size, |sampler| sampler.concrete(), |value| values::smaller(value, true))
}

/// A strategy for wholly known values of this type.
pub fn concrete_of(ty: Type, size: Size) -> Sampled<Value> {
    Sampled::new(size, move |sampler| sampler.concrete_of(&ty), |value| values::smaller(value, false))
}

/// A strategy for values of any type and level of known-ness, without marks.
pub fn value(size: Size) -> Sampled<Value> {
    Sampled::new(size, |sampler| sampler.pair().into_parts().1, |value| values::smaller(value, true))
}

/// A strategy for this value with marks at up to three places. It shrinks to fewer marks.
pub fn marked(value: Value) -> Sampled<Value> {
    Sampled::new(Size::default(), move |sampler| sampler.marked(&value), values::fewer_marks)
}

/// A strategy for types, which contain `dynamic` only if requested.
pub fn ty(size: Size, dynamic: bool) -> Sampled<Type> {
    Sampled::new(size, move |sampler| sampler.ty(dynamic), types::smaller)
}

/// A strategy for constraints with `any`, optional attributes and defaults inside.
pub fn constraint(size: Size) -> Sampled<TypeConstraint> {
    Sampled::new(size, |sampler| sampler.constraint(), types::smaller_constraints)
}

/// A strategy for constraints to which values of this type often convert.
pub fn constraint_for(ty: Type, size: Size) -> Sampled<TypeConstraint> {
    Sampled::new(size, move |sampler| sampler.constraint_for(&ty), types::smaller_constraints)
}

/// A strategy for refinements of any kind.
pub fn refinement() -> Sampled<Refinement> {
    Sampled::new(Size::default(), |sampler| sampler.refinement(), scalars::refinements)
}

/// A strategy for refinements that apply to the type.
pub fn refinement_of(ty: Type) -> Sampled<Refinement> {
    Sampled::new(Size::default(), move |sampler| sampler.refinement_of(&ty), scalars::refinements)
}

/// A strategy for refinements that hold for everything the value may become. They shrink to simpler ones that hold
/// too.
pub fn refinement_holding(value: Value) -> Sampled<Refinement> {
    let own = value.range().refinement().clone();
    Sampled::new(
        Size::default(),
        move |sampler| sampler.refinement_holding(&value),
        move |refinement| {
            let mut simpler = scalars::refinements(refinement);
            simpler.retain(|simpler| simpler.contains(&own));
            simpler
        },
    )
}

/// A strategy for numbers of every size, the infinities included.
pub fn number() -> Sampled<Number> {
    Sampled::new(Size::default(), |sampler| sampler.number(), scalars::numbers)
}

/// A strategy for strings in normal form.
pub fn text(size: Size) -> Sampled<String> {
    Sampled::new(size, |sampler| sampler.text(), |text| scalars::texts(text))
}

/// A strategy for marks.
pub fn mark() -> Sampled<Mark> {
    Sampled::new(Size::default(), |sampler| sampler.mark(), scalars::marks)
}

/// A strategy for paths.
pub fn path(size: Size) -> Sampled<Path> {
    Sampled::new(size, |sampler| sampler.path(), scalars::paths)
}

/// A strategy for paths to a place inside this value. They shrink by dropping the last step.
pub fn path_in(value: Value) -> Sampled<Path> {
    let make = move |sampler: &mut Sampler<'_>| sampler.path_in(&value);
    Sampled::new(Size::default(), make, |path: &Path| {
        let mut above = path.clone();
        above.pop().map(|_| above)
    })
}

/// A strategy for rules that can read values of this type.
#[cfg(feature = "rules")]
pub fn rule_for(ty: Type, size: Size) -> Sampled<Rule> {
    let wanted = ty.clone();
    Sampled::new(
        size,
        move |sampler| sampler.rule_for(&ty),
        move |rule| {
            let mut simpler = rules::smaller(rule);
            simpler.retain(|rule| rule.check_type(&wanted).is_ok());
            simpler
        },
    )
}
