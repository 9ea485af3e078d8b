//! Requests: a value to check, its place, and its surroundings.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use crate::path::Path;
use crate::value::Value;

/// A value to check, its path, and what a rule may read beside it: the value that contains it, the value before the
/// change, and the caller's data.
///
/// ```
/// use plantime::rule::{Request, Rule};
/// use plantime::{Path, Value};
///
/// let id = Value::from("subnet-1");
/// let outcome = Rule::starts_with("vpc-").check(&Request::new(&id).at(Path::new().attr("vpc_id")))?;
/// let diagnostic = &outcome.diagnostics()[0];
/// assert_eq!(diagnostic.detail, r#"Attribute vpc_id value must start with "vpc-", got: "subnet-1""#);
/// # Ok::<(), plantime::rule::Misuse>(())
/// ```
#[derive(Clone)]
pub struct Request<'a> {
    /// The value to check.
    pub(super) value: &'a Value,
    /// Its path from the root.
    pub(super) path: Path,
    /// The root that contains it; the value itself if it stands alone.
    pub(super) root: &'a Value,
    /// The value before the change, at the same path; `None` if the value is created.
    pub(super) before: Option<&'a Value>,
    /// The caller's data for rules that are functions.
    pub(super) data: Option<&'a dyn Any>,
    /// What rules see beside the value and the caller's data: the plan that a condition is evaluated on.
    pub(super) surroundings: Option<&'a dyn Any>,
    /// The type name of the resource or data source.
    pub(super) type_name: Option<&'a str>,
    /// The root before the change, if this request is about an element or attribute that a path leads to; see
    /// [`before_root`](Request::before_root).
    pub(super) before_root: Option<&'a Value>,
    /// Whether the caller named a root that contains the value.
    pub(super) is_within: bool,
    /// Whether the value is an element or attribute that a rule's path led to, and not the value that the caller asked
    /// about.
    pub(super) is_part: bool,
    /// Whether the value is known not to be null although its type is dynamic, so that no refinement says it.
    pub(super) not_null: bool,
    /// The values that contain this one, where the caller has them; saves looking them up in the root.
    pub(super) above: Option<&'a Arc<Above>>,
    /// Whether the rule was found to read the type of the value, and its paths to exist in it, so that it is not
    /// checked again. Only set if no type in it is undecided.
    pub(super) types_checked: bool,
    /// Whether the value is known, and the fast path for known values was tried on it without finding that the rule
    /// holds. Then it is not tried again.
    pub(super) is_failing: bool,
}

/// A value that contains another one, and the values that contain it in turn.
pub(super) struct Above {
    /// The containing value.
    pub(super) value: Value,
    /// The value that contains this one; `None` for the outermost.
    pub(super) above: Option<Arc<Above>>,
}

impl Above {
    /// The value this many levels out: this one for 1 (and 0), the value that contains it for 2. `None` beyond the
    /// outermost.
    pub(super) fn levels_out(self: &Arc<Above>, steps: usize) -> Option<&Value> {
        let mut here = self;
        for _ in 1..steps {
            here = here.above.as_ref()?;
        }
        Some(&here.value)
    }
}

impl<'a> Request<'a> {
    /// A request for a value that stands alone: no path, no containing value and no value before.
    ///
    /// [Example](Request)
    pub fn new(value: &'a Value) -> Request<'a> {
        Request {
            value,
            path: Path::new(),
            root: value,
            before: None,
            data: None,
            surroundings: None,
            type_name: None,
            before_root: None,
            is_within: false,
            is_part: false,
            not_null: false,
            above: None,
            types_checked: false,
            is_failing: false,
        }
    }

    /// Sets the path of the value, which messages show. With [`within`](Request::within) it is the path from the root.
    ///
    /// [Example](Request)
    #[must_use]
    pub fn at(mut self, path: Path) -> Request<'a> {
        self.path = path;
        self
    }

    /// Sets the root that contains the value, for rules whose paths lead out of it with `<`.
    ///
    /// ```
    /// use plantime::rule::{Request, Rule};
    /// use plantime::value;
    ///
    /// let vpc = value!({ "main": true, "name": "web" })?;
    /// let name = vpc.at("name")?;
    /// let request = Request::new(&name).at("name".parse()?).within(&vpc);
    /// assert_eq!((request.value(), request.root()), (&name, &vpc));
    /// let in_main = Rule::at("<.main".parse()?, Rule::equals(true))?;
    /// assert!(in_main.check(&request)?.is_pass());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    #[must_use]
    pub fn within(mut self, root: &'a Value) -> Request<'a> {
        self.root = root;
        self.is_within = true;
        self
    }

    /// Sets the value before the change. Without it, rules on changes pass: the value is created.
    ///
    /// ```
    /// use plantime::Value;
    /// use plantime::rule::{Request, Rule};
    ///
    /// let (old, new) = (Value::from(50), Value::from(20));
    /// let request = Request::new(&new).before(&old);
    /// assert_eq!(request.value_before(), Some(&old));
    /// assert!(Rule::only_increase().check(&request)?.is_fail());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    #[must_use]
    pub fn before(mut self, before: &'a Value) -> Request<'a> {
        self.before = Some(before);
        self
    }

    /// Sets the caller's data, which [`Custom`](super::Custom) rules can read.
    ///
    /// ```
    /// use plantime::Value;
    /// use plantime::rule::{Custom, Outcome, Request, Rule};
    ///
    /// let in_region = Custom::new("in_region", |request| {
    ///     let regions = request.data().and_then(|data| data.downcast_ref::<Vec<Value>>());
    ///     let of_network = request.type_name() == Some("aws_vpc");
    ///     assert!(of_network && regions.is_some_and(|regions| regions.contains(request.value())));
    ///     Ok(Outcome::Pass)
    /// });
    /// let (region, regions) = (Value::from("eu-west-1"), vec![Value::from("eu-west-1")]);
    /// let request = Request::new(&region).with_data(&regions).of_type("aws_vpc");
    /// assert!(Rule::Custom(in_region).check(&request)?.is_pass());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    #[must_use]
    pub fn with_data(mut self, data: &'a dyn Any) -> Request<'a> {
        self.data = Some(data);
        self
    }

    /// Sets the type name of the resource or data source, which [`Custom`](super::Custom) rules can read.
    ///
    /// [Example](Request::with_data)
    #[must_use]
    pub fn of_type(mut self, name: &'a str) -> Request<'a> {
        self.type_name = Some(name);
        self
    }

    /// The value to check.
    ///
    /// [Example](Request::within)
    pub fn value(&self) -> &'a Value {
        self.value
    }

    /// The path of the value to check, from the root.
    ///
    /// [Example](crate::rule::Outcome::fail)
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The root that contains the value; the value itself if it stands alone.
    ///
    /// [Example](Request::within)
    pub fn root(&self) -> &'a Value {
        self.root
    }

    /// The value before the change; `None` if the caller did not set it, as for a value that is created.
    ///
    /// [Example](Request::before)
    pub fn value_before(&self) -> Option<&'a Value> {
        self.before
    }

    /// The type name of the resource or data source, such as `aws_vpc`; `None` for a provider, or if the caller did not
    /// set it.
    ///
    /// [Example](Request::with_data)
    pub fn type_name(&self) -> Option<&'a str> {
        self.type_name
    }

    /// The data that the caller set with [`with_data`](Request::with_data).
    ///
    /// [Example](Request::with_data)
    pub fn data(&self) -> Option<&'a dyn Any> {
        self.data
    }

    /// Sets what rules see beside the value and the caller's data.
    #[doc(hidden)]
    #[must_use]
    pub fn with_surroundings(mut self, surroundings: &'a dyn Any) -> Request<'a> {
        self.surroundings = Some(surroundings);
        self
    }

    /// What [`with_surroundings`](Request::with_surroundings) set.
    #[doc(hidden)]
    pub fn surroundings(&self) -> Option<&'a dyn Any> {
        self.surroundings
    }

    /// The root before the change; `None` if there is none, or only the value before at the path is given.
    pub(super) fn before_root(&self) -> Option<&'a Value> {
        match (self.is_part, self.is_within) {
            (true, _) => self.before_root,
            (false, true) => None,
            (false, false) => self.before,
        }
    }

    /// The same request for another value at the same path.
    pub(super) fn with_value<'b>(&self, value: &'b Value) -> Request<'b>
    where
        'a: 'b,
    {
        Request {
            value,
            path: self.path.clone(),
            root: self.root,
            before: self.before,
            data: self.data,
            surroundings: self.surroundings,
            type_name: self.type_name,
            before_root: self.before_root,
            is_within: self.is_within,
            is_part: self.is_part,
            not_null: false,
            above: self.above,
            types_checked: false,
            is_failing: false,
        }
    }
}

impl fmt::Debug for Request<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Request({:?} at {})", self.value, self.path)
    }
}
