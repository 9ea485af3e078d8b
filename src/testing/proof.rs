//! Trying all laws on an operation.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use crate::Value;

use super::domain::Domain;
use super::ledger::Row;
use super::report::{Counted, Findings, Found, Law, Report};

mod abstracts;
mod answers;
mod concretes;
mod flow;
mod marks;

use concretes::Concretes;

/// The most calls with wholly known operands, and the most with others.
const CALLS: usize = 20_000_000;
/// After so many panics nothing more is tried.
const PANICS: usize = 5;

/// What a call gives: an answer, or the text of an error.
type Answer = Result<Value, String>;
type Call<'a> = dyn Fn(&[&Value]) -> Answer + 'a;
type Reference<'a> = dyn Fn(&[&Value]) -> Option<Value> + 'a;

/// An operation that is about to be proven. Made by [`unary`], [`binary`] and [`variadic`].
///
/// [`assert`](Proof::assert) tries the operation on every combination of the values of its [domains](Domain), and
/// fails the test if a law does not hold:
///
/// | law | what is tried |
/// |---|---|
/// | totality | nothing panics |
/// | known in, known out | wholly known operands give a wholly known answer or an error, and the [reference](Proof::reference)'s if there is one |
/// | soundness | what unknown operands give contains what each choice of values for them gives; it is an error only if all of these are |
/// | monotonicity | knowing more never makes the answer less known |
/// | determinism | the same again gives the same |
/// | marks | a mark on an operand, or inside it, changes no answer; one on an operand is on the answer, and one inside is on it before if it is there once all is known |
/// | marks | operands that differ only behind a mark look the same: answer, marks and their places, type, text, error |
/// | optimality | only if [asked for](Proof::optimal): no more known answer would be sound |
///
/// The answers for known operands are what all else is held against, so a test that these are right belongs beside
/// it, or a reference.
#[must_use = "a proof is tried with `assert` or `report`"]
pub struct Proof<'a> {
    name: String,
    call: Box<Call<'a>>,
    reference: Option<Box<Reference<'a>>>,
    /// For each try, one domain for each operand.
    tries: Vec<Vec<Domain>>,
    default_tries: bool,
    optimal: bool,
    marks: bool,
    types_follow_values: bool,
    allowed: Vec<Row>,
}

/// An operation on one value, tried on [`Domain::medium`] and [`Domain::nested`].
///
/// ```
/// use plantime::testing;
///
/// testing::unary("double", |a| a.add(a)).assert();
/// ```
pub fn unary<'a, E: fmt::Display>(name: &str, call: impl Fn(&Value) -> Result<Value, E> + 'a) -> Proof<'a> {
    let call = move |operands: &[&Value]| match operands {
        [a] => call(a).map_err(|error| error.to_string()),
        _ => Err(WRONG_NUMBER.to_owned()),
    };
    Proof::new(name, call, vec![vec![Domain::medium()], vec![Domain::nested()]])
}

/// An operation on two values, tried on [`Domain::small`] each.
///
/// ```
/// use plantime::testing::{self, Domain};
/// use plantime::{Type, Value};
///
/// let numbers = Domain::small().of(&Type::Number);
/// testing::binary("distance", |a, b| a.subtract(b)?.absolute()).on([numbers.clone(), numbers]).assert();
/// ```
pub fn binary<'a, E: fmt::Display>(
    name: &str,
    call: impl Fn(&Value, &Value) -> Result<Value, E> + 'a,
) -> Proof<'a> {
    let call = move |operands: &[&Value]| match operands {
        [a, b] => call(a, b).map_err(|error| error.to_string()),
        _ => Err(WRONG_NUMBER.to_owned()),
    };
    Proof::new(name, call, vec![vec![Domain::small(), Domain::small()]])
}

/// An operation on any number of values, tried on none, on one of [`Domain::small`], and on two and three of
/// [`Domain::scalars`]. For an operation on exactly three values, give three domains with [`on`](Proof::on).
///
/// ```
/// use plantime::{Value, testing};
///
/// testing::variadic("any", |bools| {
///     bools.iter().try_fold(Value::from(false), |any, bool| any.or(bool))
/// })
/// .assert();
/// ```
pub fn variadic<'a, E: fmt::Display>(
    name: &str,
    call: impl Fn(&[&Value]) -> Result<Value, E> + 'a,
) -> Proof<'a> {
    let call = move |operands: &[&Value]| call(operands).map_err(|error| error.to_string());
    let scalars = |count| vec![Domain::scalars(); count];
    Proof::new(name, call, vec![vec![], vec![Domain::small()], scalars(2), scalars(3)])
}

const WRONG_NUMBER: &str = "a domain for each operand is needed";

impl<'a> Proof<'a> {
    fn new(name: &str, call: impl Fn(&[&Value]) -> Answer + 'a, tries: Vec<Vec<Domain>>) -> Proof<'a> {
        Proof {
            name: name.to_owned(),
            call: Box::new(call),
            reference: None,
            tries,
            default_tries: true,
            optimal: false,
            marks: true,
            types_follow_values: false,
            allowed: Vec::new(),
        }
    }

    /// Tries the operation on these domains, one for each operand, instead of the ones it starts with. Called again,
    /// it adds a try.
    pub fn on(mut self, domains: impl IntoIterator<Item = Domain>) -> Proof<'a> {
        if self.default_tries {
            self.tries.clear();
            self.default_tries = false;
        }
        self.tries.push(domains.into_iter().collect());
        self
    }

    /// What the operation gives for wholly known operands, written a second time; none is an error.
    ///
    /// ```
    /// use plantime::{Value, testing};
    ///
    /// testing::unary("not", Value::not)
    ///     .reference(|operands| match operands {
    ///         [a] => a.as_bool().ok().map(|truth| Value::from(!truth)),
    ///         _ => None,
    ///     })
    ///     .assert();
    /// ```
    pub fn reference(mut self, reference: impl Fn(&[&Value]) -> Option<Value> + 'a) -> Proof<'a> {
        self.reference = Some(Box::new(reference));
        self
    }

    /// Makes a law of it that no answer could say more: no abstract value of the domains, nor of [`Domain::small`],
    /// contains all that can come of the operands and less besides, and what fails for all of these fails at once.
    /// Without, such answers are counted.
    ///
    /// An answer is held against the values of the domains, so these must reach beyond the bounds that it can have.
    pub fn optimal(mut self) -> Proof<'a> {
        self.optimal = true;
        self
    }

    /// Lets answers for operands of these kinds say less than they could. A kind is a level and a type, such as
    /// `refined string`, `unknown list(bool)`, `partial set(bool)` or `dynamic`; `*` is any. At most 0.5 % of the
    /// calls, and at least one, have to be of these kinds.
    pub fn allow(mut self, operands: &[&str], reason: &str) -> Proof<'a> {
        let operands = operands.iter().map(|&operand| operand.to_owned()).collect();
        self.allowed.push(Row { operands, reason: reason.to_owned() });
        self
    }

    /// Leaves the law of marks out, for an operation that is never called with marked operands.
    pub fn without_marks(mut self) -> Proof<'a> {
        self.marks = false;
        self
    }

    /// Says that the type of the result follows from the values of operands, as that of a decoder does: then the type
    /// of what is marked may tell what stands behind the mark, since a program needs it to go on. What is not marked,
    /// and every text, still may not.
    ///
    /// ```
    /// use plantime::function::Functions;
    /// use plantime::testing;
    ///
    /// testing::unary("jsondecode", |text| Functions::standard().call("jsondecode", std::slice::from_ref(text)))
    ///     .types_follow_values()
    ///     .assert();
    /// ```
    pub fn types_follow_values(mut self) -> Proof<'a> {
        self.types_follow_values = true;
        self
    }

    /// Tries all laws and reports what breaks them.
    pub fn report(self) -> Report {
        let start = Instant::now();
        let mut all = Findings::new(self.allowed.clone());
        let mut counted = Counted::default();
        for domains in &self.tries {
            self.try_on(domains, &mut all, &mut counted);
            if all.found.count(Law::Totality) >= PANICS {
                break;
            }
        }
        if self.marks && all.found.count(Law::Totality) == 0 {
            for count in self.arities() {
                marks::secrets(&self, count, &mut all.found);
            }
        }
        all.report(self.name, counted, start, self.optimal)
    }

    /// Tries all laws, prints what was tried, and fails the test if a law does not hold.
    ///
    /// # Panics
    ///
    /// With an example of each kind of violation.
    #[track_caller]
    pub fn assert(self) {
        self.report().assert();
    }

    fn arities(&self) -> Vec<usize> {
        let mut arities: Vec<usize> = self.tries.iter().map(Vec::len).collect();
        arities.sort_unstable();
        arities.dedup();
        arities
    }

    fn try_on(&self, domains: &[Domain], all: &mut Findings, counted: &mut Counted) {
        let product = |length: fn(&Domain) -> usize| {
            let all = domains.iter().map(length).try_fold(1, usize::checked_mul);
            all.filter(|calls| *calls <= CALLS)
        };
        let concrete = product(|domain| domain.concretes().len());
        let abstracts = product(|domain| domain.abstracts().len());
        let (Some(concrete), Some(abstracts)) = (concrete, abstracts) else {
            all.found.add(Law::Budget, &[], || {
                format!("the domains of the {} operands have more than {CALLS} combinations", domains.len())
            });
            return;
        };
        counted.abstract_values += domains.iter().map(|domain| domain.abstracts().len()).max().unwrap_or(0);
        counted.concrete_calls += concrete;
        counted.abstract_calls += abstracts;
        let table = Concretes::of(self, domains, &mut all.found);
        if all.found.count(Law::Totality) >= PANICS || all.found.count(Law::Budget) > 0 {
            return;
        }
        abstracts::hold(self, domains, &table, all);
        if all.found.count(Law::Totality) > 0 {
            return;
        }
        abstracts::same_again(self, domains, &mut all.found);
        if self.marks {
            marks::hold(self, domains, &mut all.found);
            flow::hold(self, domains, &mut all.found);
        }
    }

    /// One call; a panic is a violation and an error.
    fn call(&self, operands: &[&Value], found: &mut Found) -> Answer {
        catch_unwind(AssertUnwindSafe(|| (self.call)(operands))).unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no text");
            found.add(Law::Totality, &[], || format!("{} panics: {text}", self.text(operands)));
            Err(format!("panic: {text}"))
        })
    }

    fn text(&self, operands: &[&Value]) -> String {
        let operands: Vec<String> = operands.iter().map(|operand| format!("{operand:?}")).collect();
        format!("{}({})", self.name, operands.join(", "))
    }
}

impl fmt::Debug for Proof<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Proof").field("name", &self.name).finish_non_exhaustive()
    }
}

/// How an answer reads in an example.
fn said(answer: &Answer) -> String {
    match answer {
        Ok(value) => format!("= {value:?}"),
        Err(error) => format!("is an error: {error}"),
    }
}

/// All combinations of one place of each of several lists, in order: counts up with the last one fastest.
struct Places {
    lengths: Vec<usize>,
    next: Option<Vec<usize>>,
    step: usize,
}

impl Places {
    /// Every combination.
    fn all(lengths: Vec<usize>) -> Places {
        Places::at_most(lengths, usize::MAX)
    }

    /// About so many of them, evenly spread.
    fn at_most(lengths: Vec<usize>, most: usize) -> Places {
        let all = lengths.iter().fold(1_usize, |all, length| all.saturating_mul(*length));
        let next = (all > 0).then(|| vec![0; lengths.len()]);
        // One more than a divisor of a length would meet the same operand again and again.
        let step = all.div_ceil(most).max(1);
        let step = if step > 1 { step | 1 } else { step };
        Places { lengths, next, step }
    }
}

impl Iterator for Places {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        let here = self.next.take()?;
        let mut carry = self.step;
        let mut next = here.clone();
        for (place, length) in next.iter_mut().zip(&self.lengths).rev() {
            let sum = *place + carry;
            *place = sum % length;
            carry = sum / length;
        }
        self.next = (carry == 0).then_some(next);
        Some(here)
    }
}
