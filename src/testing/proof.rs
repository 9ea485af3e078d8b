//! Checks all laws on an operation.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use crate::Value;

use super::domain::Domain;
use super::ledger::Row;
use super::report::{Collected, Counted, Findings, Law, Report};

mod abstracts;
mod answers;
mod concretes;
mod flow;
mod marks;

use concretes::Concretes;

/// The maximum number of combinations of wholly known operands, and likewise of abstract operands, that one choice of
/// domains may have. More are a violation of [`Law::Budget`], and nothing is called.
const MAX_CALLS: usize = 20_000_000;
/// The number of panics after which the check stops.
const MAX_PANICS: usize = 5;

/// The result of one call of the checked operation: a value, or the text of the error.
type Answer = Result<Value, String>;
/// The operation to check, called with a slice of its operands.
type Call<'a> = dyn Fn(&[&Value]) -> Answer + 'a;
/// The second implementation that the answers for wholly known operands are compared with; `None` is an error.
type Reference<'a> = dyn Fn(&[&Value]) -> Option<Value> + 'a;

/// A check of an operation against all laws. Made by [`unary`], [`binary`] and [`variadic`].
///
/// [`assert`](Proof::assert) calls the operation with every combination of the values of its [domains](Domain), and
/// fails the test if a law is broken:
///
/// | law | what is checked |
/// |---|---|
/// | totality | nothing panics |
/// | known in, known out | wholly known operands give a wholly known answer or an error, and the same as the [reference](Proof::reference) if there is one |
/// | soundness | the answer for unknown operands contains the answer for each choice of values for them; it is an error only if all of these are errors |
/// | monotonicity | knowing more never makes the answer less known |
/// | determinism | the same call gives the same answer |
/// | marks | a mark on an operand, or inside it, changes no answer; a mark on an operand is on the answer; a mark inside an operand that is on the answer for known values is on the answer for unknown ones too |
/// | marks | operands that differ only in marked content give answers that look the same: value, marks and their places, type, text, error |
/// | optimality | only if [asked for](Proof::optimal): no more known answer would be sound |
///
/// All other answers are compared with those for known operands, so a test that these are right belongs beside the
/// check, or a reference.
#[must_use = "a proof is tried with `assert` or `report`"]
pub struct Proof<'a> {
    name: String,
    call: Box<Call<'a>>,
    /// The number of operands; `None` if the operation takes any number.
    operands: Option<usize>,
    reference: Option<Box<Reference<'a>>>,
    /// The combinations to try: each has one domain for each operand.
    tries: Vec<Vec<Domain>>,
    default_tries: bool,
    optimal: bool,
    marks: bool,
    types_follow_values: bool,
    allowed: Vec<Row>,
}

/// A check of an operation on one value, which ranges over [`Domain::medium`] and [`Domain::nested`]. `name` stands
/// for the operation in messages. Nothing is called before [`assert`](Proof::assert) or [`report`](Proof::report).
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
    Proof::new(name, call, Some(1), vec![vec![Domain::medium()], vec![Domain::nested()]])
}

/// A check of an operation on two values, each from [`Domain::small`]; otherwise as [`unary`].
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
    Proof::new(name, call, Some(2), vec![vec![Domain::small(), Domain::small()]])
}

/// A check of an operation on any number of values: with none, with one from [`Domain::small`], and with two and
/// three from [`Domain::scalars`]; otherwise as [`unary`]. For an operation on exactly three values, give three
/// domains with [`on`](Proof::on).
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
    Proof::new(name, call, None, vec![vec![], vec![Domain::small()], scalars(2), scalars(3)])
}

/// The error of a call with a number of operands that the operation does not take. [`Proof::report`] makes no such call.
const WRONG_NUMBER: &str = "a domain for each operand is needed";

impl<'a> Proof<'a> {
    /// A check of the operation in which each item of `tries` gives one domain for each operand.
    fn new(
        name: &str,
        call: impl Fn(&[&Value]) -> Answer + 'a,
        operands: Option<usize>,
        tries: Vec<Vec<Domain>>,
    ) -> Proof<'a> {
        Proof {
            name: name.to_owned(),
            call: Box::new(call),
            operands,
            reference: None,
            tries,
            default_tries: true,
            optimal: false,
            marks: true,
            types_follow_values: false,
            allowed: Vec::new(),
        }
    }

    /// Uses these domains, one for each operand, in place of the default ones. A second call adds a combination. With a
    /// number of domains other than the number of operands, nothing is called: that is a violation of [`Law::Budget`].
    pub fn on(mut self, domains: impl IntoIterator<Item = Domain>) -> Proof<'a> {
        if self.default_tries {
            self.tries.clear();
            self.default_tries = false;
        }
        self.tries.push(domains.into_iter().collect());
        self
    }

    /// Compares the answers for wholly known operands with a second implementation; `None` is an error.
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

    /// Adds the law of optimality: no abstract value of the domains, nor of [`Domain::small`], contains all
    /// possible results and less than the answer does, and a call that fails for all values that the operands may
    /// become fails at once. Without this law, such answers are only counted.
    ///
    /// An answer is compared with the values of the domains, so these must reach beyond the bounds that it can
    /// have.
    pub fn optimal(mut self) -> Proof<'a> {
        self.optimal = true;
        self
    }

    /// Accepts answers for operands of these kinds that are less precise than possible. A kind is a level and a
    /// type, such as `refined string`, `unknown list(bool)`, `partial set(bool)` or `dynamic`; `*` is any. At least
    /// one call and at most 0.5 % of the calls must be of these kinds.
    pub fn allow(mut self, operands: &[&str], reason: &str) -> Proof<'a> {
        let operands = operands.iter().map(|&operand| operand.to_owned()).collect();
        self.allowed.push(Row { operands, reason: reason.to_owned() });
        self
    }

    /// Does not check the law of marks, for an operation that is never called with marked operands.
    pub fn without_marks(mut self) -> Proof<'a> {
        self.marks = false;
        self
    }

    /// Declares that the type of the result depends on the values of operands, as with a decoder. Then the type of
    /// a marked answer may reveal marked content, since a program needs the type to continue. Unmarked values and
    /// texts still may not.
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

    /// Checks all laws and reports the violations.
    pub fn report(self) -> Report {
        let start = Instant::now();
        let mut all = Findings::new(self.allowed.clone());
        let mut counted = Counted::default();
        for domains in &self.tries {
            self.try_on(domains, &mut all, &mut counted);
            if all.found.count(Law::Totality) >= MAX_PANICS {
                break;
            }
        }
        if self.marks && all.found.count(Law::Totality) == 0 {
            for count in self.arities() {
                marks::check_secrets(&self, count, &mut all.found);
            }
        }
        all.report(self.name, counted, start, self.optimal)
    }

    /// Checks all laws, prints the counts, and fails the test if a law is broken.
    ///
    /// # Panics
    ///
    /// With an example of each kind of violation.
    #[track_caller]
    pub fn assert(self) {
        self.report().assert();
    }

    /// The distinct numbers of operands that the operation is called with, ascending.
    fn arities(&self) -> Vec<usize> {
        let is_taken = |count: &usize| self.operands.is_none_or(|operands| operands == *count);
        let mut arities: Vec<usize> = self.tries.iter().map(Vec::len).filter(is_taken).collect();
        arities.sort_unstable();
        arities.dedup();
        arities
    }

    /// Checks all laws with operands from these domains, one for each operand. Adds the violations to `all` and the
    /// numbers of calls to `counted`; stops early after panics or when there are too many combinations.
    fn try_on(&self, domains: &[Domain], all: &mut Findings, counted: &mut Counted) {
        if let Some(operands) = self.operands.filter(|operands| *operands != domains.len()) {
            all.found.add(Law::Budget, &[], || {
                format!("the number of domains is {}, the number of operands {operands}", domains.len())
            });
            return;
        }
        let product = |length: fn(&Domain) -> usize| {
            let all = domains.iter().map(length).try_fold(1, usize::checked_mul);
            all.filter(|calls| *calls <= MAX_CALLS)
        };
        let concrete = product(|domain| domain.concretes().len());
        let abstracts = product(|domain| domain.abstracts().len());
        let (Some(concrete), Some(abstracts)) = (concrete, abstracts) else {
            all.found.add(Law::Budget, &[], || {
                format!(
                    "the domains of the {} operands have more than {MAX_CALLS} combinations",
                    domains.len()
                )
            });
            return;
        };
        counted.abstract_values += domains.iter().map(|domain| domain.abstracts().len()).max().unwrap_or(0);
        counted.concrete_calls += concrete;
        counted.abstract_calls += abstracts;
        let table = Concretes::of(self, domains, &mut all.found);
        if all.found.count(Law::Totality) >= MAX_PANICS || all.found.count(Law::Budget) > 0 {
            return;
        }
        abstracts::check(self, domains, &table, all);
        if all.found.count(Law::Totality) > 0 {
            return;
        }
        abstracts::check_determinism(self, domains, &mut all.found);
        if self.marks {
            marks::check(self, domains, &mut all.found);
            flow::check(self, domains, &mut all.found);
        }
    }

    /// Calls the operation. A panic is added to `found` as a violation of totality, and answered as an error.
    fn call(&self, operands: &[&Value], found: &mut Collected) -> Answer {
        catch_unwind(AssertUnwindSafe(|| (self.call)(operands))).unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no text");
            found.add(Law::Totality, &[], || format!("{} panics: {text}", self.text(operands)));
            Err(format!("panic: {text}"))
        })
    }

    /// The call as text for messages, such as `add(1, unknown number)`.
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

/// The result of a call as text for messages: `= ` and the value, or `is an error: ` and its text.
fn answer_text(answer: &Answer) -> String {
    match answer {
        Ok(value) => format!("= {value:?}"),
        Err(error) => format!("is an error: {error}"),
    }
}

/// Iterates over the combinations of one index into each of several lists, given by their lengths. The last index
/// changes fastest; there is no combination if a list is empty.
struct Combinations {
    lengths: Vec<usize>,
    /// The next combination; `None` after the last.
    next: Option<Vec<usize>>,
    /// The number of combinations to go on by, in the order of all.
    step: usize,
}

impl Combinations {
    /// Iterates over all combinations.
    fn all(lengths: Vec<usize>) -> Combinations {
        Combinations::at_most(lengths, usize::MAX)
    }

    /// Iterates over at most `most` combinations, evenly spread over all of them.
    fn at_most(lengths: Vec<usize>, most: usize) -> Combinations {
        let all = lengths.iter().fold(1_usize, |all, length| all.saturating_mul(*length));
        let next = (all > 0).then(|| vec![0; lengths.len()]);
        // A step with a common divisor with a length would choose the same operand again and again.
        let step = all.div_ceil(most).max(1);
        let step = if step > 1 { step | 1 } else { step };
        Combinations { lengths, next, step }
    }
}

impl Iterator for Combinations {
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
