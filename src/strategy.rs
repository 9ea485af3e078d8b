//! Strategies of the crate proptest (feature `proptest`): the values of [`sample`](crate::sample), with shrinking.
//!
//! | strategy | gives |
//! |---|---|
//! | [`weakened`], [`weakened_of`], [`weakening_of`] | a concrete value and one that may become it ([`Weakened`]) |
//! | [`wider_than`] | a value that contains a given one |
//! | [`concrete`], [`concrete_of`], [`value`] | wholly known values; values of every level |
//! | [`ty`], [`constraint`], [`constraint_for`] | types; constraints with optional attributes and defaults |
//! | [`refinement`], [`refinement_of`], [`refinement_holding`] | refinements of any kind, for a type, or true of a value |
//! | [`number`], [`text`], [`mark`] | what values are made of |
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
//! A strategy of your own is made with [`Sampled::new`].
//!
//! # Shrinking
//!
//! A pair shrinks to a smaller concrete value (a part in place of the whole, fewer elements, shorter text, simpler
//! numbers) and towards known (a part of the concrete value in place of what was weakened), and stays a pair:
//! [`Weakened::new`] is asked of each step. Where no part of a collection can be left out, and no other type be given to
//! all, it becomes a tuple or an object, the parts of which shrink on their own. Types, constraints, refinements, paths and rules shrink to their parts and
//! to fewer of them. What is given along (a type to be of, a value to weaken) stays.

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

type Make<T> = Arc<dyn Fn(&mut Sampler<'_>) -> T + Send + Sync>;
type Smaller<T> = Arc<dyn Fn(&T) -> values::Steps<T> + Send + Sync>;

/// A strategy that draws from a [`Sampler`] and shrinks by trying simpler values: all of this module are, and with
/// [`Sampled::new`] one of your own.
pub struct Sampled<T> {
    size: Size,
    make: Make<T>,
    /// Simpler ones, the simplest first.
    smaller: Smaller<T>,
}

impl<T> Sampled<T> {
    /// A strategy that makes values with a sampler of this size. `smaller` gives what is simpler than a value, the
    /// simplest first; it must not lead back to the value, not on a detour either. It is not asked on once one of them
    /// fails.
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

/// A concrete value of any type, and a value that may become it.
pub fn weakened(size: Size) -> Sampled<Weakened> {
    Sampled::new(size, |sampler| sampler.pair(), |pair| values::pairs(pair, true))
}

/// A concrete value of this type, and a value that may become it. Shrinks within the type.
pub fn weakened_of(ty: Type, size: Size) -> Sampled<Weakened> {
    Sampled::new(size, move |sampler| sampler.pair_of_type(&ty), |pair| values::pairs(pair, false))
}

/// This concrete value, and a value that may become it. Shrinks towards known only.
pub fn weakening_of(concrete: Value) -> Sampled<Weakened> {
    let make = move |sampler: &mut Sampler<'_>| sampler.pair_of(concrete.clone());
    Sampled::new(Size::default(), make, values::more_known)
}

/// A value that contains this one, whatever its level: of its type or of a type that covers it. Shrinks to the value.
pub fn wider_than(value: Value) -> Sampled<Value> {
    let narrow = value.clone();
    Sampled::new(
        Size::default(),
        move |sampler| sampler.weakened(&value),
        move |wide| if *wide == narrow { Vec::new() } else { vec![narrow.clone()] },
    )
}

/// A wholly known value of any type.
pub fn concrete(size: Size) -> Sampled<Value> {
    Sampled::new(size, |sampler| sampler.concrete(), |value| values::smaller(value, true))
}

/// A wholly known value of this type.
pub fn concrete_of(ty: Type, size: Size) -> Sampled<Value> {
    Sampled::new(size, move |sampler| sampler.concrete_of(&ty), |value| values::smaller(value, false))
}

/// A value of any type and level, without marks.
pub fn value(size: Size) -> Sampled<Value> {
    Sampled::new(size, |sampler| sampler.pair().into_parts().1, |value| values::smaller(value, true))
}

/// This value with marks at up to three places. Shrinks to fewer marks.
pub fn marked(value: Value) -> Sampled<Value> {
    Sampled::new(Size::default(), move |sampler| sampler.marked(&value), values::fewer_marks)
}

/// A type, with `dynamic` in it where asked for.
pub fn ty(size: Size, dynamic: bool) -> Sampled<Type> {
    Sampled::new(size, move |sampler| sampler.ty(dynamic), types::smaller)
}

/// A constraint with `any`, optional attributes and defaults in it.
pub fn constraint(size: Size) -> Sampled<TypeConstraint> {
    Sampled::new(size, |sampler| sampler.constraint(), types::smaller_constraints)
}

/// A constraint to which values of this type often convert.
pub fn constraint_for(ty: Type, size: Size) -> Sampled<TypeConstraint> {
    Sampled::new(size, move |sampler| sampler.constraint_for(&ty), types::smaller_constraints)
}

/// A refinement of any kind.
pub fn refinement() -> Sampled<Refinement> {
    Sampled::new(Size::default(), |sampler| sampler.refinement(), scalars::refinements)
}

/// A refinement that applies to the type.
pub fn refinement_of(ty: Type) -> Sampled<Refinement> {
    Sampled::new(Size::default(), move |sampler| sampler.refinement_of(&ty), scalars::refinements)
}

/// A refinement that holds for everything the value may become. Shrinks to ones that do.
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

/// A text in normal form.
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

/// A path to a part of this value. Shrinks to parts around it.
pub fn path_in(value: Value) -> Sampled<Path> {
    let make = move |sampler: &mut Sampler<'_>| sampler.path_in(&value);
    Sampled::new(Size::default(), make, |path: &Path| {
        let mut above = path.clone();
        above.pop().map(|_| above)
    })
}

/// A rule that can read values of this type.
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
