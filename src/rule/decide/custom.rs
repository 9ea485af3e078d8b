//! Rules that are Rust functions.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use crate::path::Path;
use crate::rule::answer::verdict::Failure;
use crate::rule::{Diagnostic, Misuse, Outcome, Request, Rule, Verdict, Why};
use crate::value::Value;

/// The function behind a [`Custom`] rule.
type Check = dyn Fn(&Request<'_>) -> Result<Outcome, Misuse> + Send + Sync;

/// A rule of your own: a function with a name. Two are equal if they have the same name and the same function, as a
/// rule and its clones have.
///
/// If a value may turn out null, the function is called twice: with the null, and with the value that is not null.
///
/// ```
/// use plantime::rule::{Custom, Rule};
/// use plantime::{Type, Value};
///
/// let even = Rule::Custom(Custom::of_known("is_even", |value| match value.as_number() {
///     Ok(number) if number.to_i64().is_some_and(|number| number % 2 == 0) => Ok(()),
///     _ => Err("it is odd".to_owned()),
/// }));
/// assert!(even.check_value(&Value::from(4))?.is_pass());
/// assert!(even.check_value(&Value::from(5))?.is_fail());
/// assert!(even.check_value(&Value::unknown(Type::Number))?.is_undetermined());
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone)]
pub struct Custom {
    /// Behind one pointer, so that no other rule is larger for it.
    parts: Arc<Parts>,
}

/// What a rule of your own is made of.
#[derive(Clone)]
struct Parts {
    /// The name, for reports.
    name: Arc<str>,
    /// The function.
    check: Arc<Check>,
    /// Whether it may read the value before the change.
    reads_before: bool,
    /// What the caller keeps with it.
    data: Option<Arc<dyn Any + Send + Sync>>,
}

impl Custom {
    /// A rule of this name from a function that receives the whole request, including unknown and marked values, and
    /// returns the outcome.
    ///
    /// What the failure of a marked value says is shown as it is: it must not quote the value.
    /// `testing::rule` (feature `testing`) finds a rule that does.
    ///
    /// [`Outcome::fail`] and [`Why::new`](crate::rule::Why::new) have examples.
    pub fn new(
        name: &str,
        check: impl Fn(&Request<'_>) -> Result<Outcome, Misuse> + Send + Sync + 'static,
    ) -> Custom {
        let check = Arc::new(check);
        Custom { parts: Arc::new(Parts { name: name.into(), check, reads_before: true, data: None }) }
    }

    /// A rule on wholly known values, which the function receives without marks. An error is the failure, such as `it
    /// is odd`. Null passes; a value that is not wholly known is undetermined. The failure of a marked value is not
    /// shown.
    ///
    /// [Example](Custom)
    pub fn of_known(
        name: &str,
        check: impl Fn(&Value) -> Result<(), String> + Send + Sync + 'static,
    ) -> Custom {
        Custom::of(name, check)
    }

    /// A rule on wholly known values, from a function that returns something that becomes a [`Verdict`]: a bool, `()`,
    /// a pair, or a result.
    ///
    /// ```
    /// use plantime::Value;
    /// use plantime::rule::{Custom, Rule};
    ///
    /// let spelled = Custom::of("is_lower_case", |value| value.as_str().is_ok_and(|s| s.to_lowercase() == s));
    /// let outcome = Rule::Custom(spelled).check_value(&Value::from("A"))?;
    /// assert_eq!(outcome.diagnostics()[0].failure, r#""is_lower_case()" returned False."#);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn of<V: Into<Verdict>>(name: &str, check: impl Fn(&Value) -> V + Send + Sync + 'static) -> Custom {
        let own: Arc<str> = name.into();
        Custom::new(name, move |request| {
            let value = request.value();
            if value.is_null() {
                return Ok(Outcome::Pass);
            }
            if !value.is_wholly_known() {
                return Ok(Outcome::Undetermined(Why::of_unknown_parts(request)));
            }
            let (bare, marks) = value.unmark_deep();
            let Verdict(Some(Failure { message, path })) = check(&bare).into() else {
                return Ok(Outcome::Pass);
            };
            // The path that the function returns can contain map keys, which are content (L5).
            let (failure, place) = match message {
                Some(message) if marks.is_empty() => (message, path),
                None if marks.is_empty() => (format!("\"{own}()\" returned False."), path),
                _ => (format!("it is {value}"), Path::new()),
            };
            let place = request.path().clone().join(&place);
            Ok(failure_at(&own, failure, place))
        })
    }

    /// A rule on a change: the function receives the value before and the planned value, without marks. An error is the
    /// failure, such as `it goes from 5 to 9`. It is not shown if either value is marked.
    ///
    /// | before | after | answer |
    /// |---|---|---|
    /// | none (created) | anything | pass |
    /// | null, or anything | anything, or null | pass |
    /// | not wholly known, or anything | anything, or not wholly known | undetermined |
    /// | a value | a value | the function's |
    ///
    /// ```
    /// use plantime::Value;
    /// use plantime::rule::{Custom, Request, Rule};
    ///
    /// let append_only = Rule::Custom(Custom::of_change("append_only", |before, after| {
    ///     let (before, after) = (before.as_str().unwrap_or_default(), after.as_str().unwrap_or_default());
    ///     if after.starts_with(before) { Ok(()) } else { Err(format!("it began with {before:?}")) }
    /// }));
    /// let (before, after) = (Value::from("a"), Value::from("ab"));
    /// assert!(append_only.check(&Request::new(&after).before(&before))?.is_pass());
    /// assert!(append_only.check(&Request::new(&before).before(&after))?.is_fail());
    /// # Ok::<(), plantime::rule::Misuse>(())
    /// ```
    pub fn of_change(
        name: &str,
        check: impl Fn(&Value, &Value) -> Result<(), String> + Send + Sync + 'static,
    ) -> Custom {
        let own: Arc<str> = name.into();
        Custom::new(name, move |request| {
            let (Some(before), after) = (request.value_before(), request.value()) else {
                return Ok(Outcome::Pass);
            };
            if before.is_null() || after.is_null() {
                return Ok(Outcome::Pass);
            }
            if !before.is_wholly_known() || !after.is_wholly_known() {
                return Ok(Outcome::Undetermined(Why::of_unknown_parts(request)));
            }
            let ((before, hidden), (bare, marks)) = (before.unmark_deep(), after.unmark_deep());
            let failure = check(&before, &bare).err();
            let shown = hidden.is_empty() && marks.is_empty();
            Ok(failure.map_or(Outcome::Pass, |failure| {
                failure_at(
                    &own,
                    if shown { failure } else { format!("it is {after}") },
                    request.path().clone(),
                )
            }))
        })
    }

    /// The same rule, known not to depend on the value before a change: it is asked of what a plan destroys too, where rules on changes
    /// have nothing to say.
    ///
    /// ```
    /// use plantime::Value;
    /// use plantime::rule::{Custom, Rule};
    ///
    /// let named = Custom::of_known("named", |value| match value.as_str() {
    ///     Ok(name) if !name.is_empty() => Ok(()),
    ///     _ => Err("it has no name".to_owned()),
    /// });
    /// let rule = Rule::Custom(named.without_before());
    /// assert!(rule.check_value(&Value::from(""))?.is_fail());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    #[must_use]
    pub fn without_before(mut self) -> Custom {
        Arc::make_mut(&mut self.parts).reads_before = false;
        self
    }

    /// The same rule with data that [`data`](Custom::data) finds again, in the rule that an undetermined answer leaves too: what the
    /// function was made of, say, so that it can be stored.
    ///
    /// ```
    /// use plantime::rule::{Custom, Rule};
    /// use plantime::{Type, Value};
    ///
    /// let short = |length: usize| {
    ///     let rule = Custom::of_known("short", move |value| match value.as_str() {
    ///         Ok(text) if text.len() <= length => Ok(()),
    ///         _ => Err("it is long".to_owned()),
    ///     });
    ///     Rule::Custom(rule.with_data(length))
    /// };
    /// let outcome = short(8).check_value(&Value::unknown(Type::String))?;
    /// let Some(Rule::Custom(left)) = outcome.why().and_then(|why| why.obligation()) else { panic!() };
    /// assert_eq!(left.data::<usize>(), Some(&8));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    #[must_use]
    pub fn with_data<T: Any + Send + Sync>(mut self, data: T) -> Custom {
        Arc::make_mut(&mut self.parts).data = Some(Arc::new(data));
        self
    }

    /// The data of [`with_data`](Custom::with_data), if it is of this type.
    ///
    /// [Example](Custom::with_data)
    pub fn data<T: Any>(&self) -> Option<&T> {
        self.parts.data.as_ref()?.downcast_ref()
    }

    /// Whether the function may read the value before the change.
    pub(in crate::rule) fn reads_before(&self) -> bool {
        self.parts.reads_before
    }

    /// The name that reports give the rule.
    ///
    /// [Example](Custom)
    pub fn name(&self) -> &str {
        &self.parts.name
    }

    /// Calls the function. An undetermined outcome without an obligation gets the whole rule as its obligation.
    pub(in crate::rule) fn check(&self, request: &Request<'_>) -> Result<Outcome, Misuse> {
        let mut outcome = (self.parts.check)(request)?;
        if let Outcome::Undetermined(why) = &mut outcome {
            why.set_default_obligation(|| Rule::Custom(self.clone()));
        }
        Ok(outcome)
    }
}

/// The failed outcome of the function `name`, with one diagnostic at the path `place`. `failure` says what is wrong
/// with the value.
fn failure_at(name: &str, failure: String, place: Path) -> Outcome {
    let requirement = format!("value must satisfy {name}: {failure}");
    let detail = crate::rule::answer::diagnostic::detail(&place, &[&requirement]);
    Outcome::fail(Diagnostic::error("Invalid Attribute Value", detail, place, failure))
}

impl PartialEq for Custom {
    fn eq(&self, other: &Custom) -> bool {
        // Different functions can have the same name, so the name alone does not make two rules equal.
        self.parts.name == other.parts.name && Arc::ptr_eq(&self.parts.check, &other.parts.check)
    }
}

impl Eq for Custom {}

impl std::hash::Hash for Custom {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        // Equal functions have the same name; few different ones have.
        self.parts.name.hash(state);
    }
}

impl fmt::Debug for Custom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "custom({})", self.parts.name)
    }
}
