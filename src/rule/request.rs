//! What a rule is checked against.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use crate::path::Path;
use crate::value::Value;

/// A value to check, its place, and what is around it.
///
/// ```
/// use plantime::rule::{Request, Rule};
/// use plantime::{Path, Value};
///
/// let id = Value::from("subnet-1");
/// let outcome = Rule::StartsWith("vpc-".into()).check(&Request::new(&id).at(Path::new().attr("vpc_id")))?;
/// let diagnostic = &outcome.diagnostics()[0];
/// assert_eq!(diagnostic.detail, r#"Attribute vpc_id value must start with "vpc-", got: "subnet-1""#);
/// # Ok::<(), plantime::rule::Misuse>(())
/// ```
#[derive(Clone)]
pub struct Request<'a> {
    pub(super) value: &'a Value,
    pub(super) path: Path,
    pub(super) root: &'a Value,
    pub(super) before: Option<&'a Value>,
    pub(super) data: Option<&'a dyn Any>,
    pub(super) type_name: Option<&'a str>,
    /// The root before the change, for a part; see [`before_root`](Request::before_root).
    pub(super) before_root: Option<&'a Value>,
    /// The value is itself a part of the root.
    pub(super) is_within: bool,
    /// A part of the value that was asked about, rather than this value itself.
    pub(super) is_part: bool,
    /// Known not to be null, where the value itself cannot say so: it is of unknown type.
    pub(super) not_null: bool,
    /// What the value is a part of, where that is at hand; else it is looked up in the root.
    pub(super) above: Option<&'a Arc<Above>>,
    /// The rule can read the type of the value, and of each part of it: nothing in it is undecided, so the parts are of
    /// the types that were looked at.
    pub(super) types_checked: bool,
    /// The value is known, and the rule was found not to hold for it.
    pub(super) is_failing: bool,
}

/// A value that holds another one, and so on to the root.
pub(super) struct Above {
    pub(super) value: Value,
    pub(super) above: Option<Arc<Above>>,
}

impl Above {
    /// The value this many levels out.
    pub(super) fn out(self: &Arc<Above>, steps: usize) -> Option<&Value> {
        let mut here = self;
        for _ in 1..steps {
            here = here.above.as_ref()?;
        }
        Some(&here.value)
    }
}

impl<'a> Request<'a> {
    /// A request for a value without a place or anything around it.
    pub fn new(value: &'a Value) -> Request<'a> {
        Request {
            value,
            path: Path::new(),
            root: value,
            before: None,
            data: None,
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

    /// Sets the place of the value, which messages name. With [`within`](Request::within) it is the path from the
    /// root.
    #[must_use]
    pub fn at(mut self, path: Path) -> Request<'a> {
        self.path = path;
        self
    }

    /// Sets the whole configuration that the value is part of, for rules that look around with `<`.
    #[must_use]
    pub fn within(mut self, root: &'a Value) -> Request<'a> {
        self.root = root;
        self.is_within = true;
        self
    }

    /// Sets the value before the change. Without it, rules on changes pass: something is created.
    #[must_use]
    pub fn before(mut self, before: &'a Value) -> Request<'a> {
        self.before = Some(before);
        self
    }

    /// Sets data for [`Custom`](super::Custom) rules.
    #[must_use]
    pub fn with_data(mut self, data: &'a dyn Any) -> Request<'a> {
        self.data = Some(data);
        self
    }

    /// Sets the type name of the resource or data source, for [`Custom`](super::Custom) rules.
    #[must_use]
    pub fn of_type(mut self, name: &'a str) -> Request<'a> {
        self.type_name = Some(name);
        self
    }

    /// The value to check.
    pub fn value(&self) -> &'a Value {
        self.value
    }

    /// The place of the value to check.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The whole configuration that the value belongs to; the value itself when it stands alone.
    pub fn root(&self) -> &'a Value {
        self.root
    }

    /// The value before the change.
    pub fn value_before(&self) -> Option<&'a Value> {
        self.before
    }

    /// The type name of the resource or data source that is checked, such as `aws_vpc`; none of a provider, or where
    /// nobody said it.
    pub fn type_name(&self) -> Option<&'a str> {
        self.type_name
    }

    /// The caller's own data.
    pub fn data(&self) -> Option<&'a dyn Any> {
        self.data
    }

    /// The root before the change; none where only the value before is known.
    pub(super) fn before_root(&self) -> Option<&'a Value> {
        match (self.is_part, self.is_within) {
            (true, _) => self.before_root,
            (false, true) => None,
            (false, false) => self.before,
        }
    }

    /// The same for another value at the same place.
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
