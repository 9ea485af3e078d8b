//! The universes: small, closed worlds of abstract and concrete values in which every operation is tried out.
//!
//! Concrete values reach at least one step beyond every bound of the abstract ones (two where a bound is a least
//! length), else a bound would look like a constant and a right answer like an imprecise one.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::OnceLock;

use plantime::{Bound, LengthRange, NumberRange, Refinement, Type, Value};
use rayon::prelude::*;

use super::concrete::{Con, Num, Ty};
use super::gamma::{Abs, Bits};

/// An abstract value with what it may become.
pub(crate) struct Entry {
    pub(crate) value: Value,
    pub(crate) abs: Abs,
    pub(crate) gamma: Bits,
}

/// One of the sizes: which abstract and which concrete values of the world belong to it.
pub(crate) struct Universe {
    pub(crate) name: &'static str,
    pub(crate) abstracts: Vec<usize>,
    pub(crate) concretes: Vec<usize>,
    /// The concrete values among those of the world.
    pub(crate) mask: Bits,
    /// Pairs of places in `abstracts`: the first may become more than the second, with nothing between.
    pub(crate) covering: Vec<(usize, usize)>,
}

pub(crate) struct World {
    pub(crate) concretes: Vec<Con>,
    pub(crate) number_of: HashMap<Con, usize>,
    pub(crate) abstracts: Vec<Entry>,
    pub(crate) s: Universe,
    pub(crate) m: Universe,
    pub(crate) nested: Universe,
}

/// The most abstract values of the nested universe.
const NESTED: usize = 800;

pub(crate) fn world() -> &'static World {
    static WORLD: OnceLock<World> = OnceLock::new();
    WORLD.get_or_init(build)
}

/// The abstract values of all universes, built anew.
pub(crate) fn rebuilt() -> Vec<Value> {
    [abstracts(&S), abstracts(&M), nested_abstracts()].concat()
}

impl World {
    pub(crate) fn gamma(&self, abs: &Abs) -> Bits {
        let mut gamma = Bits::none(self.concretes.len());
        for (i, con) in self.concretes.iter().enumerate() {
            if abs.may_become(con) {
                gamma.insert(i);
            }
        }
        gamma
    }

    pub(crate) fn bits<'a>(&self, cons: impl IntoIterator<Item = &'a Con>) -> Bits {
        let mut bits = Bits::none(self.concretes.len());
        cons.into_iter().for_each(|con| bits.insert(self.number_of[con]));
        bits
    }
}

/// How far a universe of scalars and containers of bool reaches.
struct Size {
    /// Bounds of number intervals.
    bounds: &'static [i64],
    /// Known numbers among the abstract values, in quarters.
    known: &'static [i64],
    /// Concrete numbers, in quarters.
    points: std::ops::RangeInclusive<i64>,
    texts: usize,
    prefixes: usize,
    unicode: bool,
    lists: usize,
    sets: usize,
}

const S: Size = Size {
    bounds: &[0, 1],
    known: &[0, 2, 4],
    points: -2..=8,
    texts: 2,
    prefixes: 1,
    unicode: false,
    lists: 2,
    sets: 2,
};

const M: Size = Size {
    bounds: &[-1, 0, 1],
    known: &[-4, -2, 0, 2, 4, 8],
    points: -6..=12,
    texts: 4,
    prefixes: 3,
    unicode: true,
    lists: 3,
    sets: 3,
};

fn build() -> World {
    // S and nested share their concrete values, so that either can become what the other can.
    let con_n: BTreeSet<Con> = concretes(&S).into_iter().chain(nested_concretes()).collect();
    let (con_s, con_m) = (con_n.clone(), concretes(&M));
    let mut all: BTreeSet<Con> = con_s.iter().chain(&con_m).chain(&con_n).cloned().collect();
    // What operations may give.
    all.extend((0..=4).map(|n| Con::Num(Num::whole(n))));
    for con in all.clone() {
        parts(&con, &mut all);
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
    let (abs_s, abs_m, abs_n) = (abstracts(&S), abstracts(&M), nested_abstracts());
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
    let gammas: Vec<Bits> = world.abstracts.par_iter().map(|entry| world.gamma(&entry.abs)).collect();
    world.abstracts.iter_mut().zip(gammas).for_each(|(entry, gamma)| entry.gamma = gamma);
    world.s = universe(&world, "S", s, &con_s);
    world.m = universe(&world, "M", m, &con_m);
    world.nested = universe(&world, "nested", n, &con_n);
    world
}

impl Universe {
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

fn universe(world: &World, name: &'static str, abstracts: Vec<usize>, cons: &BTreeSet<Con>) -> Universe {
    let concretes: Vec<usize> = cons.iter().map(|con| world.number_of[con]).collect();
    let mask = world.bits(cons);
    let gammas: Vec<&Bits> = abstracts.iter().map(|i| &world.abstracts[*i].gamma).collect();
    let mut by_size: Vec<usize> = (0..abstracts.len()).collect();
    by_size.sort_by_key(|i| std::cmp::Reverse(gammas[*i].count()));
    let covering = (0..abstracts.len())
        .into_par_iter()
        .flat_map_iter(|wide| {
            let mut below: Vec<usize> = Vec::new();
            for &narrow in &by_size {
                let strictly = gammas[narrow].within(gammas[wide]) && gammas[narrow] != gammas[wide];
                let between = |other: &&usize| {
                    gammas[narrow].within(gammas[**other]) && gammas[narrow] != gammas[**other]
                };
                if strictly && !below.iter().any(|other| between(&other)) {
                    below.push(narrow);
                }
            }
            below.into_iter().map(move |narrow| (wide, narrow))
        })
        .collect();
    Universe { name, abstracts, concretes, mask, covering }
}

/// Everything inside, and what a map gives for a key it does not have.
fn parts(con: &Con, all: &mut BTreeSet<Con>) {
    let mut add = |part: &Con| {
        if all.insert(part.clone()) {
            parts(part, all);
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

pub(crate) fn ty(text: &str) -> Type {
    text.parse().unwrap()
}

fn own(text: &str) -> Ty {
    Ty::of(&ty(text))
}

/// All sequences of up to `most` items.
fn sequences<T: Clone>(items: &[T], most: usize) -> Vec<Vec<T>> {
    let mut all = vec![Vec::new()];
    let mut last = all.clone();
    for _ in 0..most {
        last = last
            .iter()
            .flat_map(|front: &Vec<T>| {
                items.iter().map(|item| [front.as_slice(), std::slice::from_ref(item)].concat())
            })
            .collect();
        all.extend(last.iter().cloned());
    }
    all
}

/// All choices of one item or none for each key.
fn entries<T: Clone>(keys: &[&str], items: &[T]) -> Vec<BTreeMap<String, T>> {
    keys.iter().fold(vec![BTreeMap::new()], |all, key| {
        all.iter()
            .flat_map(|front| {
                let with = items.iter().map(|item| {
                    let mut map = front.clone();
                    map.insert((*key).to_owned(), item.clone());
                    map
                });
                std::iter::once(front.clone()).chain(with)
            })
            .collect()
    })
}

fn texts(size: &Size) -> Vec<String> {
    let mut all: Vec<String> =
        sequences(&["a", "b"], size.texts).iter().map(|parts| parts.concat()).collect();
    if size.unicode {
        let more =
            ["e", "ee", "e\u{e9}", "e\u{200d}", "\u{e9}", "\u{e9}a", "\u{e9}\u{301}", "\u{301}", "\u{301}e"];
        all.extend(more.map(str::to_owned));
    }
    all
}

fn concretes(size: &Size) -> BTreeSet<Con> {
    let mut all = BTreeSet::new();
    let bools = [Con::Bool(false), Con::Bool(true), Con::Null(Ty::Bool)];
    all.extend(bools.iter().cloned());
    all.extend(size.points.clone().map(|quarters| Con::Num(Num::Quarters(quarters))));
    all.extend([Con::Num(Num::NegInf), Con::Num(Num::Inf), Con::Null(Ty::Num), Con::Null(Ty::Str)]);
    all.extend(texts(size).into_iter().map(Con::Str));
    let lists = sequences(&bools, 3);
    all.extend(lists.iter().map(|items| Con::List(Ty::Bool, items.clone())));
    all.extend(lists.iter().map(|items| Con::Set(Ty::Bool, items.iter().cloned().collect())));
    all.extend(entries(&["a", "aa", "b"], &bools).into_iter().map(|map| Con::Map(Ty::Bool, map)));
    all.extend(lists.iter().filter(|items| items.len() < 3).cloned().map(Con::Tuple));
    all.extend(entries(&["a", "b"], &bools).into_iter().filter(|map| map.len() != 1).map(Con::Object));
    all.extend(entries(&["a"], &bools).into_iter().map(Con::Object));
    // Values of a second and third type, so that an undecided type has more than one instance.
    let numbers = [Con::Num(Num::whole(0)), Con::Num(Num::whole(1)), Con::Null(Ty::Num)];
    all.extend(sequences(&numbers, 3).into_iter().map(|items| Con::List(Ty::Num, items)));
    for items in sequences(&numbers[..2], 3) {
        all.insert(Con::Set(Ty::Num, items.iter().cloned().collect()));
        if items.len() == 1 || items.len() == 2 {
            all.insert(Con::Tuple(items.clone()));
            all.insert(Con::Tuple([&bools[..1], &items[..1]].concat()));
            all.insert(Con::Tuple([&items[..1], &bools[..1]].concat()));
        }
    }
    for items in sequences(&[0, 1, 2].map(|n| Con::Num(Num::whole(n))), 3) {
        all.insert(Con::Set(Ty::Num, items.into_iter().collect()));
    }
    all.extend(numbers.iter().map(|item| Con::Set(Ty::Num, [item.clone()].into())));
    all.insert(Con::Set(Ty::Num, [numbers[0].clone(), numbers[2].clone()].into()));
    all.extend(entries(&["a", "aa", "b"], &numbers[1..]).into_iter().map(|map| Con::Map(Ty::Num, map)));
    for infinity in [Num::NegInf, Num::Inf].map(Con::Num) {
        all.extend((1..=3).map(|length| Con::List(Ty::Num, vec![infinity.clone(); length])));
        all.insert(Con::Tuple(vec![infinity.clone(), bools[0].clone()]));
        for key in texts(size) {
            let one = BTreeMap::from([(key.clone(), infinity.clone())]);
            let two = BTreeMap::from([(key, infinity.clone()), ("z".to_owned(), numbers[0].clone())]);
            all.extend([one, two].map(|map| Con::Map(Ty::Num, map)));
        }
    }
    for (ty, items) in [(Ty::Bool, &bools), (Ty::Num, &numbers)] {
        for key in texts(size) {
            for item in items {
                let one = BTreeMap::from([(key.clone(), item.clone())]);
                let two = BTreeMap::from([(key.clone(), item.clone()), ("z".to_owned(), items[0].clone())]);
                all.extend([one, two].map(|map| Con::Map(ty.clone(), map)));
            }
        }
    }
    for map in entries(&["a"], &numbers).into_iter().chain(entries(&["a", "b"], &numbers[1..])) {
        if map.len() != 1 || map.contains_key("a") {
            all.insert(Con::Object(map));
        }
    }
    let text = Con::Str("a".to_owned());
    all.insert(Con::List(Ty::Str, vec![text.clone()]));
    all.insert(Con::Set(Ty::Str, [text.clone()].into()));
    all.insert(Con::Tuple(vec![text]));
    // Lists of lists and tuples.
    let lists_of_bool = [
        Con::List(Ty::Bool, vec![]),
        Con::List(Ty::Bool, vec![bools[1].clone()]),
        Con::List(Ty::Bool, vec![bools[1].clone(); 3]),
        Con::Null(own("list(bool)")),
    ];
    let lists_of_number = [
        Con::List(Ty::Num, vec![]),
        Con::List(Ty::Num, vec![numbers[1].clone()]),
        Con::List(Ty::Num, vec![numbers[1].clone(); 3]),
        Con::Null(own("list(number)")),
    ];
    for (inner, ty) in [(&lists_of_bool, "list(bool)"), (&lists_of_number, "list(number)")] {
        for items in sequences(inner, 3) {
            all.insert(Con::Set(own(ty), items.iter().cloned().collect()));
            all.insert(Con::List(own(ty), items));
        }
    }
    for (parts, ty) in [(&bools, "tuple([bool])"), (&numbers, "tuple([number])")] {
        let mut inner: Vec<Con> = parts.iter().map(|part| Con::Tuple(vec![part.clone()])).collect();
        inner.push(Con::Null(own(ty)));
        all.extend(sequences(&inner, 3).into_iter().map(|items| Con::List(own(ty), items)));
    }
    // Types that stay undecided.
    all.insert(Con::Null(Ty::Dyn));
    for element in ["any", "list(any)", "tuple([any])"] {
        all.insert(Con::List(own(element), vec![]));
        all.insert(Con::Set(own(element), BTreeSet::new()));
        all.insert(Con::Map(own(element), BTreeMap::new()));
    }
    let lists: Vec<Con> = [&lists_of_bool[..], &lists_of_number].concat();
    let untyped = [Con::Null(Ty::Dyn), Con::Null(own("list(any)")), Con::List(Ty::Dyn, vec![])];
    let parts = [&bools[..], &numbers, &untyped[..1]].concat();
    all.extend(sequences(&parts, 2).into_iter().map(Con::Tuple));
    for part in parts.iter().chain(&lists).chain(&untyped) {
        all.insert(Con::Tuple(vec![part.clone()]));
        all.insert(Con::Object([("a".to_owned(), part.clone())].into()));
    }
    let types: BTreeSet<Ty> = all.iter().map(Con::ty).collect();
    all.extend(types.into_iter().map(Con::Null));
    all
}

/// Refinements of numbers: every end open, closed or absent.
pub(crate) fn number_refinements(bounds: &[i64]) -> Vec<Refinement> {
    let ends = |infinity: Num| {
        let mut ends = vec![Bound::Unbounded, Bound::Exclusive(infinity.number())];
        for bound in bounds {
            let number = Num::whole(*bound).number();
            ends.extend([Bound::Inclusive(number.clone()), Bound::Exclusive(number)]);
        }
        ends
    };
    let mut all = Vec::new();
    for low in ends(Num::NegInf) {
        for high in ends(Num::Inf) {
            if let Ok(range) = NumberRange::new(low.clone(), high.clone()) {
                all.push(Refinement::number(range));
            }
        }
    }
    all.push(Refinement::number(NumberRange::at_least(Num::Inf.number())));
    all.push(Refinement::number(NumberRange::at_most(Num::NegInf.number())));
    all
}

pub(crate) fn length_refinements() -> Vec<Refinement> {
    let mut all = Vec::new();
    for min in 0..=2 {
        for max in [None, Some(0), Some(1), Some(2)] {
            if let Ok(range) = LengthRange::new(min, max) {
                all.push(Refinement::length(range));
            }
        }
    }
    all
}

fn prefix_refinements(size: &Size) -> Vec<Refinement> {
    let mut all: Vec<Refinement> = sequences(&["a", "b"], size.prefixes)
        .iter()
        .map(|parts| Refinement::prefix(&parts.concat()))
        .collect();
    if size.unicode {
        all.extend(["e", "\u{e9}", "\u{301}"].map(Refinement::prefix));
    }
    all
}

/// Every refinement that the larger universes use, for assumptions.
pub(crate) fn refinements() -> Vec<Refinement> {
    let mut all = vec![Refinement::null()];
    for ranges in [number_refinements(M.bounds), length_refinements(), prefix_refinements(&M)] {
        for range in ranges {
            all.push(range.clone().and_not_null());
            all.push(range);
        }
    }
    all
}

/// An unknown of the type with each refinement, not null and nullable.
fn unknowns(ty: &Type, refinements: &[Refinement]) -> Vec<Value> {
    let mut all = vec![Value::unknown(ty.clone()), Value::null(ty.clone())];
    for refinement in refinements.iter().chain([&Refinement::any(), &Refinement::null()]) {
        all.push(Value::refined(ty.clone(), refinement.clone()).unwrap());
        all.push(Value::refined(ty.clone(), refinement.clone().and_not_null()).unwrap());
    }
    all
}

fn bools() -> [Value; 5] {
    [
        Value::from(false),
        Value::from(true),
        Value::null(Type::Bool),
        Value::unknown(Type::Bool),
        Value::refined(Type::Bool, Refinement::not_null()).unwrap(),
    ]
}

/// The set, and the set with its length narrowed in every way.
fn narrowings(set: Value) -> Vec<Value> {
    let mut all = vec![set.clone()];
    for min in 0..=3 {
        for max in min..=3 {
            all.extend(set.assume_set_length(min, max));
        }
    }
    all
}

fn abstracts(size: &Size) -> Vec<Value> {
    let bools = bools();
    let mut all = bools.to_vec();
    all.extend(size.known.iter().map(|quarters| Value::from(Num::Quarters(*quarters).number())));
    all.extend([Value::from(Num::Inf.number()), Value::from(Num::NegInf.number())]);
    all.extend(unknowns(&Type::Number, &number_refinements(size.bounds)));
    all.extend(texts(size).iter().map(|text| Value::from(text.as_str())));
    all.extend(unknowns(&Type::String, &prefix_refinements(size)));
    let lengths = length_refinements();
    let lists = sequences(&bools, size.lists);
    all.extend(lists.iter().map(|items| Value::list_of(Type::Bool, items.clone()).unwrap()));
    all.extend(unknowns(&ty("list(bool)"), &lengths));
    for items in sequences(&bools, size.sets) {
        all.extend(narrowings(Value::set_of(Type::Bool, items).unwrap()));
    }
    all.extend(unknowns(&ty("set(bool)"), &lengths));
    all.extend(entries(&["a", "b"], &bools).into_iter().map(|map| Value::map_of(Type::Bool, map).unwrap()));
    all.extend(unknowns(&ty("map(bool)"), &lengths));
    all.extend(sequences(&bools, 2).into_iter().map(|items| Value::tuple(items).unwrap()));
    all.extend(entries(&["a"], &bools).into_iter().map(|map| Value::object(map).unwrap()));
    let pairs = entries(&["a", "b"], &bools).into_iter().filter(|map| map.len() == 2);
    all.extend(pairs.map(|map| Value::object(map).unwrap()));
    for product in [
        "tuple([])",
        "tuple([bool])",
        "tuple([bool, bool])",
        "object({})",
        "object({a = bool})",
        "object({a = bool, b = bool})",
        "tuple([any])",
        "tuple([bool, any])",
        "tuple([list(any)])",
        "object({a = any})",
        "object({a = list(any)})",
    ] {
        all.extend(unknowns(&ty(product), &[]));
    }
    for collection in [
        "list(any)",
        "set(any)",
        "map(any)",
        "list(list(any))",
        "list(tuple([any]))",
        "list(number)",
        "set(number)",
        "map(number)",
    ] {
        all.extend(unknowns(&ty(collection), &lengths));
    }
    all.extend(undecided(&bools));
    all
}

/// Containers in which a type is undecided, and their like.
fn undecided(bools: &[Value]) -> Vec<Value> {
    let untyped = Value::null(Type::Dynamic);
    let dynamic = Value::dynamic();
    let mut all = vec![untyped.clone(), dynamic.clone()];
    let parts = [untyped.clone(), dynamic.clone()];
    for items in sequences(&parts, 2) {
        all.push(Value::list_of(Type::Dynamic, items.clone()).unwrap());
        all.extend(narrowings(Value::set_of(Type::Dynamic, items.clone()).unwrap()));
        if !items.is_empty() {
            all.push(Value::tuple(items.clone()).unwrap());
        }
    }
    for map in entries(&["a", "b"], &parts) {
        all.push(Value::map_of(Type::Dynamic, map).unwrap());
    }
    for part in &parts {
        all.push(Value::tuple([bools[0].clone(), part.clone()]).unwrap());
        all.push(Value::tuple([part.clone(), bools[0].clone()]).unwrap());
        all.push(Value::object([("a", part.clone())]).unwrap());
    }
    let list = ty("list(any)");
    let of_list = [
        Value::list_of(Type::Dynamic, Vec::<Value>::new()).unwrap(),
        Value::list_of(Type::Dynamic, [dynamic.clone()]).unwrap(),
        Value::unknown(list.clone()),
        Value::refined(list.clone(), Refinement::not_null()).unwrap(),
        Value::refined(list.clone(), Refinement::length(LengthRange::exactly(0)).and_not_null()).unwrap(),
        Value::null(list.clone()),
    ];
    for items in sequences(&of_list, 2) {
        all.push(Value::list_of(list.clone(), items.clone()).unwrap());
        if items.len() < 2 {
            all.push(Value::tuple(items.clone()).unwrap());
            all.push(Value::set_of(list.clone(), items.clone()).unwrap());
            all.extend(items.first().map(|item| Value::object([("a", item.clone())]).unwrap()));
        }
    }
    let tuple = ty("tuple([any])");
    let of_tuple = [
        Value::tuple([dynamic]).unwrap(),
        Value::tuple([untyped]).unwrap(),
        Value::unknown(tuple.clone()),
        Value::null(tuple.clone()),
    ];
    for items in sequences(&of_tuple, 2) {
        all.push(Value::list_of(tuple.clone(), items.clone()).unwrap());
    }
    all
}

/// The element types of the nested universe, each with a few abstract and concrete values.
struct Elements {
    ty: Type,
    abstracts: Vec<Value>,
    concretes: Vec<Con>,
}

fn elements() -> Vec<Elements> {
    let refined = |ty: &Type, refinement: Refinement| Value::refined(ty.clone(), refinement).unwrap();
    let not_null = |ty: &Type| refined(ty, Refinement::not_null());
    let number = Num::whole;
    let value = |con: &Con| con.value();
    let from = |whole| Value::from(number(whole).number());
    let at_least =
        |whole| refined(&Type::Number, Refinement::number_at_least(number(whole).number()).and_not_null());
    let prefix = |text| refined(&Type::String, Refinement::prefix(text).and_not_null());
    let flag = |truth| Con::Bool(truth);
    let list = ty("list(bool)");
    let truths = [flag(false), flag(true), Con::Null(Ty::Bool)];
    let lists: Vec<Con> = sequences(&truths[..2], 2)
        .into_iter()
        .chain([vec![truths[2].clone()], vec![truths[0].clone(); 3]])
        .map(|items| Con::List(Ty::Bool, items))
        .chain([Con::Null(Ty::of(&list))])
        .collect();
    let set = ty("set(bool)");
    let sets: BTreeSet<Con> = sequences(&truths, 3)
        .into_iter()
        .map(|items| Con::Set(Ty::Bool, items.into_iter().collect()))
        .collect();
    let sets: Vec<Con> = sets.into_iter().chain([Con::Null(Ty::of(&set))]).collect();
    let tuple = ty("tuple([number, bool])");
    let tuples: Vec<Con> = [0, 1]
        .iter()
        .flat_map(|whole| {
            [true, false].map(|truth| Con::Tuple(vec![Con::Num(number(*whole)), Con::Bool(truth)]))
        })
        .chain([Con::Null(Ty::of(&tuple))])
        .collect();
    let object = ty("object({a = bool})");
    let objects: Vec<Con> = [flag(false), flag(true), Con::Null(Ty::Bool)]
        .into_iter()
        .map(|part| Con::Object([("a".to_owned(), part)].into()))
        .chain([Con::Null(Ty::of(&object))])
        .collect();
    let numbers: Vec<Con> = [Con::Num(Num::NegInf), Con::Num(Num::Inf), Con::Null(Ty::Num)]
        .into_iter()
        .chain([-4, 0, 2, 4, 8].map(|quarters| Con::Num(Num::Quarters(quarters))))
        .collect();
    let texts: Vec<Con> = ["", "a", "aa", "ab", "b", "ba", "bb"]
        .map(|text| Con::Str(text.to_owned()))
        .into_iter()
        .chain([Con::Null(Ty::Str)])
        .collect();
    vec![
        Elements {
            ty: Type::Bool,
            abstracts: bools().to_vec(),
            concretes: vec![flag(false), flag(true), Con::Null(Ty::Bool)],
        },
        Elements {
            ty: Type::Number,
            abstracts: vec![
                from(0),
                from(1),
                Value::null(Type::Number),
                Value::unknown(Type::Number),
                not_null(&Type::Number),
                at_least(1),
                refined(&Type::Number, Refinement::number_at_most(0).and_not_null()),
                refined(&Type::Number, Refinement::number_at_most(0)),
            ],
            concretes: numbers,
        },
        Elements {
            ty: Type::String,
            abstracts: vec![
                Value::from("a"),
                Value::from("b"),
                Value::null(Type::String),
                Value::unknown(Type::String),
                prefix("a"),
                prefix("b"),
                refined(&Type::String, Refinement::prefix("a")),
            ],
            concretes: texts,
        },
        Elements {
            abstracts: vec![
                value(&lists[0]),
                value(&lists[1]),
                Value::null(list.clone()),
                Value::unknown(list.clone()),
                not_null(&list),
                Value::list([Value::unknown(Type::Bool)]).unwrap(),
                refined(&list, Refinement::length(LengthRange::at_least(1))),
            ],
            ty: list,
            concretes: lists,
        },
        Elements {
            abstracts: vec![
                value(&sets[0]),
                value(&sets[1]),
                Value::unknown(set.clone()),
                Value::set([Value::unknown(Type::Bool)]).unwrap(),
                Value::set([Value::from(true), bools()[4].clone()]).unwrap(),
            ],
            ty: set,
            concretes: sets,
        },
        Elements {
            abstracts: vec![
                value(&tuples[0]),
                Value::unknown(tuple.clone()),
                not_null(&tuple),
                Value::tuple([Value::unknown(Type::Number), Value::from(true)]).unwrap(),
                Value::tuple([from(0), Value::unknown(Type::Bool)]).unwrap(),
            ],
            ty: tuple,
            concretes: tuples,
        },
        Elements {
            abstracts: vec![
                value(&objects[0]),
                Value::null(object.clone()),
                Value::unknown(object.clone()),
                Value::object([("a", Value::unknown(Type::Bool))]).unwrap(),
            ],
            ty: object,
            concretes: objects,
        },
    ]
}

fn nested_abstracts() -> Vec<Value> {
    let mut all = Vec::new();
    for Elements { ty, abstracts, .. } in elements() {
        for (i, a) in abstracts.iter().enumerate() {
            all.push(Value::list_of(ty.clone(), [a.clone()]).unwrap());
            all.push(Value::set_of(ty.clone(), [a.clone()]).unwrap());
            all.push(Value::map_of(ty.clone(), [("a", a.clone())]).unwrap());
            all.push(Value::tuple([a.clone()]).unwrap());
            for (j, b) in abstracts.iter().enumerate() {
                all.push(Value::list_of(ty.clone(), [a.clone(), b.clone()]).unwrap());
                if j >= i {
                    let set = Value::set_of(ty.clone(), [a.clone(), b.clone()]).unwrap();
                    all.push(set.clone());
                    all.extend(set.assume_set_length(2, 2));
                    all.extend(set.assume_set_length(1, 1));
                }
                if i % 2 == 0 && j % 2 == 1 {
                    all.push(Value::map_of(ty.clone(), [("a", a.clone()), ("b", b.clone())]).unwrap());
                }
            }
        }
        for shape in [Type::list(ty.clone()), Type::map(ty.clone()), Type::set(ty.clone())] {
            all.push(Value::unknown(shape.unwrap()));
        }
    }
    let bools = bools();
    let number = Value::unknown(Type::Number);
    all.push(Value::tuple([Value::dynamic()]).unwrap());
    all.push(Value::tuple([Value::unknown(ty("list(any)"))]).unwrap());
    all.push(Value::tuple([number.clone(), bools[3].clone()]).unwrap());
    all.push(Value::object([("a", Value::dynamic())]).unwrap());
    all.push(Value::object([("a", number)]).unwrap());
    all.push(Value::list_of(Type::Dynamic, [Value::dynamic(), Value::null(Type::Dynamic)]).unwrap());
    all.push(Value::set_of(Type::Dynamic, [Value::dynamic(), Value::dynamic()]).unwrap());
    all.push(Value::map_of(Type::Dynamic, [("a", Value::dynamic())]).unwrap());
    all.push(Value::unknown(ty("list(any)")));
    all.push(Value::unknown(ty("set(any)")));
    all.push(Value::unknown(ty("map(list(any))")));
    all.push(Value::dynamic());
    all
}

fn nested_concretes() -> BTreeSet<Con> {
    let mut all = BTreeSet::new();
    for Elements { ty, concretes, .. } in elements() {
        let ty = Ty::of(&ty);
        for items in sequences(&concretes, 3) {
            if items.len() < 3 {
                all.insert(Con::List(ty.clone(), items.clone()));
            }
            if items.len() == 1 {
                all.insert(Con::Tuple(items.clone()));
            }
            all.insert(Con::Set(ty.clone(), items.into_iter().collect()));
        }
        all.extend(concretes.iter().map(|item| Con::List(ty.clone(), vec![item.clone(); 3])));
        all.extend(entries(&["a", "b"], &concretes).into_iter().map(|map| Con::Map(ty.clone(), map)));
        let three = |item: &Con| ["a", "b", "z"].map(|key| (key.to_owned(), item.clone())).into();
        all.extend(concretes.iter().map(|item| Con::Map(ty.clone(), three(item))));
        for key in texts(&S) {
            let single =
                concretes.iter().map(|item| Con::Map(ty.clone(), [(key.clone(), item.clone())].into()));
            all.extend(single);
        }
    }
    for a in [Con::Num(Num::whole(0)), Con::Num(Num::whole(1)), Con::Null(Ty::Num)] {
        all.insert(Con::Object([("a".to_owned(), a.clone())].into()));
        for b in [Con::Bool(true), Con::Bool(false), Con::Null(Ty::Bool)] {
            all.insert(Con::Tuple(vec![a.clone(), b.clone()]));
            all.insert(Con::Object([("a".to_owned(), b)].into()));
        }
    }
    all.insert(Con::Tuple(vec![Con::Null(Ty::Dyn)]));
    all.insert(Con::Tuple(vec![Con::List(Ty::Dyn, vec![])]));
    all.insert(Con::Tuple(vec![Con::List(Ty::Num, vec![Con::Num(Num::whole(0))])]));
    all.insert(Con::Object([("a".to_owned(), Con::Null(Ty::Dyn))].into()));
    all.extend([Con::Bool(true), Con::Bool(false), Con::Str("a".to_owned()), Con::Str("b".to_owned())]);
    all.extend((-1..=2).map(|n| Con::Num(Num::whole(n))));
    all.extend([Con::Num(Num::NegInf), Con::Num(Num::Inf)]);
    all.insert(Con::List(Ty::Dyn, vec![]));
    all.insert(Con::Set(Ty::Dyn, BTreeSet::new()));
    all.insert(Con::Map(Ty::Dyn, BTreeMap::new()));
    all.insert(Con::Map(own("list(any)"), BTreeMap::new()));
    all.insert(Con::Null(Ty::Dyn));
    let types: BTreeSet<Ty> = all.iter().map(Con::ty).collect();
    all.extend(types.into_iter().map(Con::Null));
    all
}
