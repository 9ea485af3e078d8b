//! Changes: of resource instances and outputs.

use plantime::{Path, Value};
use std::sync::Arc;

/// The planned change of one resource instance.
///
/// A plan may have hundreds of thousands of them. So texts that repeat are shared, and rare properties take little room
/// where they are absent.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ResourceChange {
    /// The full address, such as `module.net[0].aws_vpc.main["a"]`.
    pub address: String,
    /// The address before a move; none if the resource did not move.
    pub previous_address: Option<Box<str>>,
    /// The address of the module; `None` for the root module.
    pub module_address: Option<Box<str>>,
    /// Managed resource, data source or ephemeral resource.
    pub mode: Mode,
    /// The resource type, such as `aws_vpc`.
    pub type_name: Arc<str>,
    /// The name in the configuration.
    pub name: Arc<str>,
    /// The instance key: a number with `count`, a text with `for_each`.
    pub index: Option<Value>,
    /// Whether the instance has a key that is not known yet. Its address ends with `[*]`, in a deferred change.
    pub has_unknown_index: bool,
    /// The address of the provider.
    pub provider_name: Arc<str>,
    /// The key of an object that an earlier, failed replacement left over.
    pub deposed: Option<Box<str>>,
    /// Why the plan has these actions, as one of Terraform's constants (`replace_because_cannot_update`).
    pub action_reason: Option<Box<str>>,
    /// The values before and after, and the actions between.
    pub change: Change,
}

/// The planned change of a value: before, after, and the actions.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Change {
    /// The actions in order: a replacement has two.
    pub actions: Vec<Action>,
    /// The value before; `None` if there is no object yet.
    pub before: Option<Value>,
    /// The planned value; `None` if there will be no object.
    pub after: Option<Value>,
    /// Whether the file says which parts of `before` are sensitive.
    pub before_sensitivity: Sensitivity,
    /// Whether the file says which parts of `after` are sensitive.
    pub after_sensitivity: Sensitivity,
    /// The paths of the attributes that force a replacement.
    pub replace_paths: Vec<Path>,
    /// The existing object that the resource is imported from; `None` if it is not imported.
    pub importing: Option<Box<Importing>>,
    /// Configuration that was generated for an import.
    pub generated_config: Option<Box<str>>,
    /// The provider's identity of the resource before the change.
    pub before_identity: Option<Box<Value>>,
    /// The provider's identity of the resource after the change.
    pub after_identity: Option<Box<Value>>,
}

/// The existing object that a resource is imported from, by its id or by its identity.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Importing {
    /// The id at the provider.
    pub id: Option<String>,
    /// The identity at the provider.
    pub identity: Option<Value>,
    /// Whether the id or the identity is not known yet.
    pub unknown: bool,
}

/// Whether a file says which parts of a value are sensitive. Older formats do not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sensitivity {
    /// The file says it: a part without a mark is not sensitive.
    Stated,
    /// The file does not say it: only parts that the schema declares sensitive are marked, and others may be sensitive too.
    #[default]
    Unstated,
}

/// The kinds of resources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Mode {
    /// `resource`
    Managed,
    /// `data`
    Data,
    /// `ephemeral`
    Ephemeral,
    /// A kind that this version does not know.
    Other,
}

impl Mode {
    /// The mode that this word stands for in plan JSON.
    pub(super) fn from_text(text: &str) -> Mode {
        match text {
            "managed" => Mode::Managed,
            "data" => Mode::Data,
            "ephemeral" => Mode::Ephemeral,
            _ => Mode::Other,
        }
    }

    /// The text before the type in an address: `data.` for data sources.
    pub(super) fn prefix(self) -> &'static str {
        match self {
            Mode::Data => "data.",
            Mode::Ephemeral => "ephemeral.",
            Mode::Managed | Mode::Other => "",
        }
    }
}

/// One action of a planned change.
///
/// ```
/// use plantime_terraform::plan::{Action, Plan, example};
/// use plantime_schema::ProviderSchemas;
///
/// let plan = Plan::read(example::PLAN, &ProviderSchemas::new())?;
/// let vpc = plan.resource_change("aws_vpc.main").unwrap();
/// assert_eq!(vpc.change.actions.iter().map(Action::as_str).collect::<Vec<_>>(), ["create"]);
/// assert!(vpc.change.has_action(&Action::Create) && !vpc.change.is_no_op());
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Action {
    /// The object stays as it is.
    NoOp,
    /// The object is created.
    Create,
    /// A data source is read.
    Read,
    /// The object is changed in place.
    Update,
    /// The object is destroyed.
    Delete,
    /// The object is dropped from the state, but not destroyed.
    Forget,
    /// There is no plan: the configuration has the object, and what happens to it is not known.
    Configured,
    /// An action that this version does not know.
    Other(String),
}

impl Action {
    /// The word for the action in plan JSON.
    ///
    /// [Example](Action)
    pub fn as_str(&self) -> &str {
        match self {
            Action::NoOp => "no-op",
            Action::Create => "create",
            Action::Read => "read",
            Action::Update => "update",
            Action::Delete => "delete",
            Action::Forget => "forget",
            Action::Configured => "configured",
            Action::Other(text) => text,
        }
    }

    /// The action that this word stands for in plan JSON.
    pub(super) fn from_text(text: &str) -> Action {
        let known =
            [Action::NoOp, Action::Create, Action::Read, Action::Update, Action::Delete, Action::Forget];
        known
            .into_iter()
            .find(|action| action.as_str() == text)
            .unwrap_or_else(|| Action::Other(text.to_owned()))
    }
}

impl Change {
    /// Whether the plan leaves the object as it is.
    ///
    /// [Example](Action)
    pub fn is_no_op(&self) -> bool {
        self.actions.iter().all(|action| *action == Action::NoOp)
    }

    /// Whether the object is destroyed and created again.
    ///
    /// ```
    /// use plantime_terraform::plan::{Action, Change};
    ///
    /// let mut change = Change::default();
    /// change.actions = vec![Action::Delete, Action::Create];
    /// assert!(change.is_replacement());
    /// assert!(change.has_action(&Action::Create) && !change.is_no_op());
    /// ```
    pub fn is_replacement(&self) -> bool {
        self.actions.len() > 1 && self.actions.contains(&Action::Create)
    }

    /// Whether the planned actions contain this one.
    ///
    /// [Example](Action)
    pub fn has_action(&self, action: &Action) -> bool {
        self.actions.contains(action)
    }
}
