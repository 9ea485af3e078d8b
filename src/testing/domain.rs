//! The sets of values that an operand ranges over while an operation is checked.

use std::collections::{BTreeSet, HashSet};
use std::sync::{Arc, OnceLock};

use crate::{Type, Value};

use super::concrete::{Con, Num, Ty};
use super::gamma::{Abs, Bits};
use super::parallel;
use super::universe::{self, World, world};

mod scalars;
mod weaken;

/// The values that an operand ranges over: abstract values, and concrete values that these may become.
///
/// | domain | abstract values | for |
/// |---|---|---|
/// | [`scalars`](Domain::scalars) | few bools, numbers and strings | operations on three or more values |
/// | [`small`](Domain::small) | all kinds of scalars, containers of at most two bools | operations on two values |
/// | [`medium`](Domain::medium) | more bounds, more text, containers of at most three bools | operations on one value |
/// | [`nested`](Domain::nested) | one container around a few values of each type | operations that look into containers |
/// | [`around`](Domain::around) | your own values, and values that may become them | operations that read a format |
///
/// The concrete values reach beyond every bound of the abstract ones, and some lie far away. Otherwise a bound
/// could look like a constant, and a range without a bound like one with a bound.
///
/// ```
/// use plantime::testing::Domain;
/// use plantime::{Type, Value};
///
/// let numbers = Domain::small().of(&Type::Number);
/// let unknown = Value::unknown(Type::Number);
/// assert!(numbers.abstracts().any(|value| *value == unknown));
/// assert!(numbers.concretisations(&unknown).any(|value| value.is_null()));
///
/// let cidrs = Domain::around(["10.0.0.0/8", "10.0.128.0/17", "no address"]);
/// assert!(cidrs.abstracts().any(|value| value.range().prefix() == Some("10.0.")));
/// ```
#[derive(Clone, Debug)]
pub struct Domain(Arc<Values>);

/// The values of a domain, each with its model, and which value may become which.
#[derive(Debug)]
pub(super) struct Values {
    pub(super) abstracts: Vec<(Value, Abs)>,
    pub(super) concretes: Vec<(Value, Con)>,
    /// For each abstract value the indices of the concrete values that it may become.
    pub(super) gamma: Vec<Vec<usize>>,
    /// Pairs of indices of abstract values: the first contains the second, with nothing between.
    pub(super) covering: Vec<(usize, usize)>,
}

impl Domain {
    /// A domain of these abstract values, and of the concrete values that they may become. A wholly known value
    /// among the abstract ones counts as both. A concrete value that is not wholly known is left out, and so is an
    /// abstract value that can become none of the concrete ones.
    pub fn new(
        abstracts: impl IntoIterator<Item = Value>,
        concretes: impl IntoIterator<Item = Value>,
    ) -> Domain {
        let cons = concretes.into_iter().filter_map(|value| Con::of(&value)).collect();
        Domain::from_model(abstracts.into_iter().collect(), cons)
    }

    /// A domain of these abstract values, and of the concrete values whose models are given. Wholly known abstract
    /// values are added to the concrete ones; abstract values that can become no concrete value of the domain are
    /// left out.
    fn from_model(abstracts: Vec<Value>, mut cons: BTreeSet<Con>) -> Domain {
        cons.extend(abstracts.iter().filter_map(Con::of));
        let mut seen = HashSet::new();
        let abstracts = abstracts.into_iter().map(|value| {
            let abs = Abs::of(&value);
            (value, abs)
        });
        let abstracts: Vec<(Value, Abs)> = abstracts.filter(|(_, abs)| seen.insert(abs.clone())).collect();
        let concretes: Vec<(Value, Con)> = cons.into_iter().map(|con| (con.value(), con)).collect();
        let gammas = parallel::map(&abstracts, |(_, abs)| {
            let mut gamma = Bits::none(concretes.len());
            for (i, (_, con)) in concretes.iter().enumerate() {
                if abs.may_become(con) {
                    gamma.insert(i);
                }
            }
            gamma
        });
        let (abstracts, gammas): (Vec<_>, Vec<Bits>) =
            abstracts.into_iter().zip(gammas).filter(|(_, gamma)| !gamma.is_empty()).unzip();
        let covering = universe::covering(&gammas.iter().collect::<Vec<_>>());
        let gamma = gammas.iter().map(|gamma| gamma.iter().collect()).collect();
        Domain(Arc::new(Values { abstracts, concretes, gamma, covering }))
    }

    /// A domain of test values from the fixed universe, built at the first call and then cached in `cache`. `choose`
    /// gives the indices of the abstract values and the models of the concrete ones.
    fn from_world(
        cache: &'static OnceLock<Domain>,
        choose: impl Fn(&World) -> (&[usize], BTreeSet<Con>),
    ) -> Domain {
        let domain = cache.get_or_init(|| {
            let world = world();
            let (abstracts, mut cons) = choose(world);
            cons.extend(far());
            Domain::from_model(abstracts.iter().map(|i| world.abstracts[*i].value.clone()).collect(), cons)
        });
        domain.clone()
    }

    /// A few bools, numbers and strings, and values of unknown type.
    pub fn scalars() -> Domain {
        static DOMAIN: OnceLock<Domain> = OnceLock::new();
        DOMAIN.get_or_init(|| Domain::new(scalars::abstracts(), scalars::concretes())).clone()
    }

    /// Every kind of scalar, infinities included, and containers of at most two bools.
    pub fn small() -> Domain {
        static DOMAIN: OnceLock<Domain> = OnceLock::new();
        Domain::from_world(&DOMAIN, |world| (&world.s.abstracts, universe::small_concretes()))
    }

    /// Like [`small`](Domain::small), with more bounds, more strings (also with combining characters), and
    /// containers of at most three bools.
    pub fn medium() -> Domain {
        static DOMAIN: OnceLock<Domain> = OnceLock::new();
        Domain::from_world(&DOMAIN, |world| (&world.m.abstracts, world.cons(&world.m)))
    }

    /// One container around a few values of each type.
    pub fn nested() -> Domain {
        static DOMAIN: OnceLock<Domain> = OnceLock::new();
        Domain::from_world(&DOMAIN, |world| (&world.nested.abstracts, world.cons(&world.nested)))
    }

    /// Your own values, and for each of them values that may become it: unknowns of its type with and without a
    /// prefix, bounds or a length, with and without null; containers with an unknown element; and the value of
    /// unknown type.
    pub fn around<V: Into<Value>>(values: impl IntoIterator<Item = V>) -> Domain {
        Domain::new([], []).with(values)
    }

    /// A domain of the values of this one and your own values, which are added as by [`around`](Domain::around).
    #[must_use]
    pub fn with<V: Into<Value>>(&self, values: impl IntoIterator<Item = V>) -> Domain {
        let values: Vec<Value> = values.into_iter().map(Into::into).collect();
        let own = self.0.abstracts.iter().map(|(value, _)| value.clone());
        let abstracts = own.chain(values.iter().flat_map(weaken::weaker)).collect();
        let mut cons: BTreeSet<Con> = self.0.concretes.iter().map(|(_, con)| con.clone()).collect();
        cons.extend(values_of_other_types());
        for con in values.iter().filter_map(Con::of) {
            cons.insert(Con::Null(con.ty()));
            cons.extend(weaken::neighbours(&con));
            cons.insert(con);
        }
        Domain::from_model(abstracts, cons)
    }

    /// The values of this domain whose type is, or may become, the given type, for an operation that accepts no
    /// others. A few values of other types are added, so that they are tried too.
    #[must_use]
    pub fn of(&self, ty: &Type) -> Domain {
        let wanted = Ty::of(ty);
        let fits = |ty: &Ty| wanted.agrees_with(ty);
        let strangers: BTreeSet<Con> = values_of_other_types().into_iter().collect();
        let abstracts = self.0.abstracts.iter().filter(|(_, abs)| fits(&abs.ty()));
        let abstracts: Vec<Value> =
            abstracts.map(|(value, _)| value.clone()).chain(strangers.iter().map(Con::value)).collect();
        let cons = self.0.concretes.iter().map(|(_, con)| con);
        let cons = cons.filter(|con| fits(&con.ty())).cloned().chain(strangers).collect();
        Domain::from_model(abstracts, cons)
    }

    /// The abstract values of the domain.
    pub fn abstracts(&self) -> impl ExactSizeIterator<Item = &Value> {
        self.0.abstracts.iter().map(|(value, _)| value)
    }

    /// The concrete values of the domain.
    pub fn concretes(&self) -> impl ExactSizeIterator<Item = &Value> {
        self.0.concretes.iter().map(|(value, _)| value)
    }

    /// The concrete values of this domain that `value` may become.
    pub fn concretisations(&self, value: &Value) -> impl Iterator<Item = &Value> {
        let abs = Abs::of(value);
        self.0.concretes.iter().filter(move |(_, con)| abs.may_become(con)).map(|(value, _)| value)
    }

    /// The values of the domain with their models, and which value may become which.
    pub(super) fn values(&self) -> &Values {
        &self.0
    }
}

/// Models of values far from every bound of the abstract values, which distinguish a range without a bound from one
/// with a bound.
pub(super) fn far() -> Vec<Con> {
    let number = |number| Con::Num(Num::whole(number));
    vec![
        number(1_000_000_007),
        number(-1_000_000_007),
        Con::Str("zq".to_owned()),
        Con::List(Ty::Bool, vec![Con::Bool(true); 7]),
    ]
}

/// One value each of bool, number, string and tuple. They are added to a domain of one type, so that an operation is
/// also called with operands of a type that it does not accept.
fn values_of_other_types() -> Vec<Con> {
    vec![Con::Bool(true), Con::Num(Num::whole(0)), Con::Str("a".to_owned()), Con::Tuple(Vec::new())]
}
