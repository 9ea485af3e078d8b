//! What an operand ranges over while an operation is tried.

use std::collections::{BTreeSet, HashSet};
use std::sync::{Arc, OnceLock};

use crate::{Type, Value};

use super::concrete::{Con, Num, Ty};
use super::gamma::{Abs, Bits};
use super::parallel;
use super::universe::{self, World, world};

mod scalars;
mod weaken;

/// The values that an operand ranges over: abstract ones, and concrete ones that these may become.
///
/// | domain | abstract values | for |
/// |---|---|---|
/// | [`scalars`](Domain::scalars) | few bools, numbers and strings | operations on three or more values |
/// | [`small`](Domain::small) | all kinds of scalars, containers of at most two bools | operations on two values |
/// | [`medium`](Domain::medium) | more bounds, more text, containers of at most three bools | operations on one value |
/// | [`nested`](Domain::nested) | one container around a few values of each type | operations that look into containers |
/// | [`around`](Domain::around) | your own values, and what may become them | operations that read a format |
///
/// Concrete values reach beyond every bound of the abstract ones, and some lie far away, so that a bound does not look
/// like a constant, nor a range without a bound like one that ends.
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

#[derive(Debug)]
pub(super) struct Values {
    pub(super) abstracts: Vec<(Value, Abs)>,
    pub(super) concretes: Vec<(Value, Con)>,
    /// The places of the concrete values that each abstract one may become.
    pub(super) gamma: Vec<Vec<usize>>,
    /// Places of abstract values: the first may become more than the second, with nothing between.
    pub(super) covering: Vec<(usize, usize)>,
}

impl Domain {
    /// Abstract values, and concrete ones that they may become. A wholly known value among the abstract ones is both;
    /// one that is not wholly known among the concrete ones is left out, and so is an abstract value that can become
    /// none of them.
    pub fn new(
        abstracts: impl IntoIterator<Item = Value>,
        concretes: impl IntoIterator<Item = Value>,
    ) -> Domain {
        let cons = concretes.into_iter().filter_map(|value| Con::of(&value)).collect();
        Domain::of_cons(abstracts.into_iter().collect(), cons)
    }

    fn of_cons(abstracts: Vec<Value>, mut cons: BTreeSet<Con>) -> Domain {
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

    fn of_world(
        cache: &'static OnceLock<Domain>,
        choose: impl Fn(&World) -> (&[usize], BTreeSet<Con>),
    ) -> Domain {
        let domain = cache.get_or_init(|| {
            let world = world();
            let (abstracts, mut cons) = choose(world);
            cons.extend(far());
            Domain::of_cons(abstracts.iter().map(|i| world.abstracts[*i].value.clone()).collect(), cons)
        });
        domain.clone()
    }

    /// A few bools, numbers and strings, and what is of no known type.
    pub fn scalars() -> Domain {
        static DOMAIN: OnceLock<Domain> = OnceLock::new();
        DOMAIN.get_or_init(|| Domain::new(scalars::abstracts(), scalars::concretes())).clone()
    }

    /// Every kind of scalar, infinities included, and containers of at most two bools.
    pub fn small() -> Domain {
        static DOMAIN: OnceLock<Domain> = OnceLock::new();
        Domain::of_world(&DOMAIN, |world| (&world.s.abstracts, universe::small_concretes()))
    }

    /// The same with more bounds, more text (of combining characters too), and containers of at most three bools.
    pub fn medium() -> Domain {
        static DOMAIN: OnceLock<Domain> = OnceLock::new();
        Domain::of_world(&DOMAIN, |world| (&world.m.abstracts, world.cons(&world.m)))
    }

    /// One container around a few values of each type.
    pub fn nested() -> Domain {
        static DOMAIN: OnceLock<Domain> = OnceLock::new();
        Domain::of_world(&DOMAIN, |world| (&world.nested.abstracts, world.cons(&world.nested)))
    }

    /// Values of your own, and around each of them what may become it: the unknown of its type with what a
    /// prefix, bounds or a length say, with and without null, containers of which a part is unknown, and the value
    /// of unknown type.
    pub fn around<V: Into<Value>>(values: impl IntoIterator<Item = V>) -> Domain {
        Domain::new([], []).with(values)
    }

    /// This domain, and values of your own as [`around`](Domain::around) has them.
    #[must_use]
    pub fn with<V: Into<Value>>(&self, values: impl IntoIterator<Item = V>) -> Domain {
        let values: Vec<Value> = values.into_iter().map(Into::into).collect();
        let own = self.0.abstracts.iter().map(|(value, _)| value.clone());
        let abstracts = own.chain(values.iter().flat_map(weaken::weaker)).collect();
        let mut cons: BTreeSet<Con> = self.0.concretes.iter().map(|(_, con)| con.clone()).collect();
        cons.extend(strangers());
        for con in values.iter().filter_map(Con::of) {
            cons.insert(Con::Null(con.ty()));
            cons.extend(weaken::beside(&con));
            cons.insert(con);
        }
        Domain::of_cons(abstracts, cons)
    }

    /// The values that may be of a type, for an operation that takes no others; a few others stay, so that this is
    /// tried too.
    #[must_use]
    pub fn of(&self, ty: &Type) -> Domain {
        let wanted = Ty::of(ty);
        let fits = |ty: &Ty| wanted.agrees_with(ty);
        let strangers: BTreeSet<Con> = strangers().into_iter().collect();
        let abstracts = self.0.abstracts.iter().filter(|(_, abs)| fits(&abs.ty()));
        let abstracts: Vec<Value> =
            abstracts.map(|(value, _)| value.clone()).chain(strangers.iter().map(Con::value)).collect();
        let cons = self.0.concretes.iter().map(|(_, con)| con);
        let cons = cons.filter(|con| fits(&con.ty())).cloned().chain(strangers).collect();
        Domain::of_cons(abstracts, cons)
    }

    /// The abstract values of the domain.
    pub fn abstracts(&self) -> impl ExactSizeIterator<Item = &Value> {
        self.0.abstracts.iter().map(|(value, _)| value)
    }

    /// The concrete values of the domain.
    pub fn concretes(&self) -> impl ExactSizeIterator<Item = &Value> {
        self.0.concretes.iter().map(|(value, _)| value)
    }

    /// The concrete values of this domain that a value may become.
    pub fn concretisations(&self, value: &Value) -> impl Iterator<Item = &Value> {
        let abs = Abs::of(value);
        self.0.concretes.iter().filter(move |(_, con)| abs.may_become(con)).map(|(value, _)| value)
    }

    pub(super) fn values(&self) -> &Values {
        &self.0
    }
}

/// Values far from every bound, so that what has no bound is told from what has one.
pub(super) fn far() -> Vec<Con> {
    let number = |number| Con::Num(Num::whole(number));
    vec![
        number(1_000_000_007),
        number(-1_000_000_007),
        Con::Str("zq".to_owned()),
        Con::List(Ty::Bool, vec![Con::Bool(true); 7]),
    ]
}

/// A value of each of a few types.
fn strangers() -> Vec<Con> {
    vec![Con::Bool(true), Con::Num(Num::whole(0)), Con::Str("a".to_owned()), Con::Tuple(Vec::new())]
}
