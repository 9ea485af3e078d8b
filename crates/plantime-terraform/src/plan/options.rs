//! What a plan was asked for: its mode, the addresses that it was restricted to, and where its state is stored.

use plantime::Value;

/// How a plan was made. A plan in JSON says nothing of it; a binary plan does.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct PlanOptions {
    /// The purpose of the plan; `None` if the plan was read from JSON, which does not say it.
    pub mode: Option<PlanMode>,
    /// The addresses that the plan is restricted to (`-target`).
    pub targets: Vec<String>,
    /// The addresses that the plan leaves out (`-exclude` of OpenTofu).
    pub excluded: Vec<String>,
    /// The addresses of resources that are to be replaced (`-replace`).
    pub replace: Vec<String>,
    /// The addresses of actions that are to be invoked (`-invoke`).
    pub invoked_actions: Vec<String>,
    /// The names of the variables whose values the apply has to be given again: the plan does not have them.
    pub apply_time_variables: Vec<String>,
    /// Where the state is stored.
    pub backend: Option<Backend>,
}

/// The purpose of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum PlanMode {
    /// To make the objects match the configuration.
    Normal,
    /// To destroy all objects (`-destroy`).
    Destroy,
    /// To update the state to the objects as they are, and change none (`-refresh-only`).
    RefreshOnly,
}

/// Where the state of a plan is stored.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Backend {
    /// The type of the backend, such as `local` or `s3`.
    pub type_name: String,
    /// The workspace, `default` if no other was selected.
    pub workspace: String,
    /// The configuration of the backend. It may have credentials, so all of it is marked sensitive.
    pub config: Option<Value>,
    /// The provider that stores the state (a state store of Terraform 1.15); `None` for a backend.
    pub provider: Option<StateStoreProvider>,
}

/// The provider that stores the state.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct StateStoreProvider {
    /// The address of the provider.
    pub source: String,
    /// The version of the provider.
    pub version: String,
    /// The configuration of the provider. It may have credentials, so all of it is marked sensitive.
    pub config: Option<Value>,
}

/// What Terraform keeps of a call of a provider's function while planning, to find out whether it returns the same at the
/// apply: hashes, not the arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct FunctionCall {
    /// The hash of the provider, the function and its arguments.
    pub key: Box<[u8]>,
    /// The hash of the result.
    pub result: Box<[u8]>,
}
