//! The universes: small, closed sets of abstract and concrete values on which every operation is checked.
//!
//! Concrete values reach at least one step beyond every bound of the abstract ones (two for a minimum length).
//! Otherwise a bound would look like a constant, and a right answer like an imprecise one.

use std::collections::{BTreeSet, HashMap};
use std::sync::OnceLock;

use crate::{Type, Value};

use super::concrete::{Con, Num, Ty};
use super::gamma::{Abs, Bits};
use super::parallel;

mod abstracts;
mod capsules;
mod combine;
mod concretes;
mod elements;
mod nested;
mod refinements;
mod size;
mod undecided;

pub use refinements::{
    element_refinements, key_refinements, length_refinements, number_refinements, refinements,
};

use size::{M, S};

/// Why building the universes cannot fail.
const FIXED: &str = "the universes are fixed";

/// An abstract value with the concrete values that it may become.
#[derive(Debug)]
pub struct Entry {
    /// The value of the library.
    pub value: Value,
    /// The model of the value.
    pub abs: Abs,
    /// The concrete values of the world that it may become.
    pub gamma: Bits,
}

/// One of the universes: its abstract and concrete values, out of those of the world.
#[derive(Debug)]
pub struct Universe {
    /// The name of the size: `S`, `M` or `nested`.
    pub name: &'static str,
    /// Indices of abstract values in [`World::abstracts`].
    pub abstracts: Vec<usize>,
    /// Indices of concrete values in [`World::concretes`].
    pub concretes: Vec<usize>,
    /// The concrete values as a set of numbers of the world.
    pub mask: Bits,
    /// Pairs of indices in `abstracts`: the first contains the second, with nothing between.
    pub covering: Vec<(usize, usize)>,
}

/// All universes, with one numbering of their concrete values.
#[derive(Debug)]
pub struct World {
    /// The concrete values, including those that operations of the library return.
    pub concretes: Vec<Con>,
    /// The index of each in `concretes`.
    pub number_of: HashMap<Con, usize>,
    /// The abstract values of the world.
    pub abstracts: Vec<Entry>,
    /// Every kind of scalar, and containers of at most two bools.
    pub s: Universe,
    /// Like `small`, with more bounds, more strings, and containers of at most three bools.
    pub m: Universe,
    /// One container around a few values of each type of S.
    pub nested: Universe,
}

/// The maximum number of abstract values of the nested universe.
const NESTED: usize = 850;

/// The world, built at the first call.
pub fn world() -> &'static World {
    static WORLD: OnceLock<World> = OnceLock::new();
    WORLD.get_or_init(build)
}

/// The abstract values of all universes, built again: for a test that values built twice are equal.
pub fn rebuilt() -> Vec<Value> {
    [abstracts::abstracts(&S), abstracts::abstracts(&M), nested::abstracts()].concat()
}

impl World {
    /// The concrete values of the world that an abstract value may become.
    pub fn gamma(&self, abs: &Abs) -> Bits {
        let mut gamma = Bits::none(self.concretes.len());
        for (i, con) in self.concretes.iter().enumerate() {
            if abs.may_become(con) {
                gamma.insert(i);
            }
        }
        gamma
    }

    /// The concrete values of a universe.
    pub(super) fn cons(&self, universe: &Universe) -> BTreeSet<Con> {
        universe.concretes.iter().map(|i| self.concretes[*i].clone()).collect()
    }

    /// Concrete values of the world as a set.
    ///
    /// # Panics
    ///
    /// If one is not of this world.
    pub fn bits<'a>(&self, cons: impl IntoIterator<Item = &'a Con>) -> Bits {
        let mut bits = Bits::none(self.concretes.len());
        cons.into_iter().for_each(|con| bits.insert(self.number_of[con]));
        bits
    }
}

/// Builds all universes. The slow part of a first test: [`world`] does it once.
fn build() -> World {
    // S and nested share their concrete values, so that the values of each can become those of the other.
    let con_n: BTreeSet<Con> = concretes::concretes(&S).into_iter().chain(nested::concretes()).collect();
    let (con_s, con_m) = (con_n.clone(), concretes::concretes(&M));
    let mut all: BTreeSet<Con> = con_s.iter().chain(&con_m).chain(&con_n).cloned().collect();
    // Add the values that operations may return.
    all.extend((0..=4).map(|n| Con::Num(Num::whole(n))));
    for con in all.clone() {
        collect_parts(&con, &mut all);
    }
    let concretes: Vec<Con> = all.into_iter().collect();
    let number_of = concretes.iter().cloned().enumerate().map(|(i, con)| (con, i)).collect();
    let mut world = World {
        concretes,
        number_of,
        abstracts: Vec::new(),
        s: Universe::empty("S"),
        m: Universe::empty("M"),
        nested: Universe::empty("nested"),
    };
    let (abs_s, abs_m, abs_n) = (abstracts::abstracts(&S), abstracts::abstracts(&M), nested::abstracts());
    let mut place_of: HashMap<Abs, usize> = HashMap::new();
    let mut places = |world: &mut World, values: Vec<Value>| -> Vec<usize> {
        let mut places: Vec<usize> = Vec::new();
        for value in values {
            let abs = Abs::of(&value);
            let place = *place_of.entry(abs.clone()).or_insert_with(|| {
                world.abstracts.push(Entry { value, abs, gamma: Bits::none(0) });
                world.abstracts.len() - 1
            });
            if !places.contains(&place) {
                places.push(place);
            }
        }
        places
    };
    let (s, m, n) = (places(&mut world, abs_s), places(&mut world, abs_m), places(&mut world, abs_n));
    assert!(n.len() <= NESTED, "{} nested abstract values", n.len());
    let gammas = parallel::map(&world.abstracts, |entry| world.gamma(&entry.abs));
    world.abstracts.iter_mut().zip(gammas).for_each(|(entry, gamma)| entry.gamma = gamma);
    world.s = universe(&world, "S", s, &con_s);
    world.m = universe(&world, "M", m, &con_m);
    world.nested = universe(&world, "nested", n, &con_n);
    world
}

impl Universe {
    /// A universe without values.
    fn empty(name: &'static str) -> Universe {
        Universe {
            name,
            abstracts: Vec::new(),
            concretes: Vec::new(),
            mask: Bits::none(0),
            covering: Vec::new(),
        }
    }
}

/// A universe of these abstract and concrete values of the world.
fn universe(world: &World, name: &'static str, abstracts: Vec<usize>, cons: &BTreeSet<Con>) -> Universe {
    let concretes: Vec<usize> = cons.iter().map(|con| world.number_of[con]).collect();
    let mask = world.bits(cons);
    let gammas: Vec<&Bits> = abstracts.iter().map(|i| &world.abstracts[*i].gamma).collect();
    let covering = covering(&gammas);
    Universe { name, abstracts, concretes, mask, covering }
}

/// Pairs of indices: the first set contains the second, with nothing between.
pub(super) fn covering(gammas: &[&Bits]) -> Vec<(usize, usize)> {
    let mut by_size: Vec<usize> = (0..gammas.len()).collect();
    by_size.sort_by_key(|i| std::cmp::Reverse(gammas[*i].count()));
    let below = |wide: &usize| {
        let mut below: Vec<usize> = Vec::new();
        for &narrow in &by_size {
            let strictly = gammas[narrow].within(gammas[*wide]) && gammas[narrow] != gammas[*wide];
            let between =
                |other: &usize| gammas[narrow].within(gammas[*other]) && gammas[narrow] != gammas[*other];
            if strictly && !below.iter().any(between) {
                below.push(narrow);
            }
        }
        below
    };
    let places: Vec<usize> = (0..gammas.len()).collect();
    let below = parallel::map(&places, below);
    places
        .iter()
        .zip(below)
        .flat_map(|(wide, below)| below.into_iter().map(|narrow| (*wide, narrow)))
        .collect()
}

/// The concrete values of S alone, without those of the nested universe.
pub(super) fn small_concretes() -> BTreeSet<Con> {
    concretes::concretes(&S)
}

/// Adds all values inside a value, and the null that a map returns for a missing key.
fn collect_parts(con: &Con, all: &mut BTreeSet<Con>) {
    let mut add = |part: &Con| {
        if all.insert(part.clone()) {
            collect_parts(part, all);
        }
    };
    match con {
        Con::List(_, items) | Con::Tuple(items) => items.iter().for_each(&mut add),
        Con::Set(_, items) => items.iter().for_each(&mut add),
        Con::Map(ty, entries) => {
            add(&Con::Null(ty.clone()));
            entries.values().for_each(&mut add);
        }
        Con::Object(parts) => parts.values().for_each(&mut add),
        _ => {}
    }
}

/// Parses the text of a type.
///
/// # Panics
///
/// If the text is not a type.
pub fn ty(text: &str) -> Type {
    text.parse().expect("the text of a type")
}

/// The model of the type with this text.
fn model_type(text: &str) -> Ty {
    Ty::of(&ty(text))
}
