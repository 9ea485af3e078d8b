//! Actions that an apply invokes, and changes that are left to a later plan.

use std::fmt;
use std::sync::Arc;

use super::ResourceChange;
use plantime::Value;

/// A change that is left to a later plan, because not enough is known yet.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct DeferredChange {
    /// Why the change is left to a later plan, as one of Terraform's constants (`instance_count_unknown`,
    /// `provider_config_unknown`).
    pub reason: Option<Box<str>>,
    /// What is known of the change.
    pub change: Option<Arc<ResourceChange>>,
}

/// An action of a provider that an apply invokes (Terraform 1.14).
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ActionInvocation {
    /// The full address, such as `action.aws_lambda_invoke.notify`.
    pub address: String,
    /// The type of the action, such as `aws_lambda_invoke`.
    pub type_name: String,
    /// The name in the configuration.
    pub name: String,
    /// The address of the provider.
    pub provider_name: String,
    /// The arguments; `None` if there are none.
    pub config: Option<Value>,
    /// What invokes it; `None` if the plan does not say it.
    pub trigger: Option<ActionTrigger>,
    /// Why the invocation is left to a later plan, as one of Terraform's constants; `None` if it is not.
    pub deferred: Option<Box<str>>,
}

/// What invokes an action.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ActionTrigger {
    /// The change of a resource, by an `action_trigger` in its `lifecycle`.
    Lifecycle {
        /// The address of the resource.
        resource: String,
        /// When the action is invoked: `before_create`, `after_update` and so on.
        event: String,
        /// The index of the `action_trigger` block in the resource, from 0.
        block_index: u64,
        /// The index of the action in that block, from 0.
        action_index: u64,
        /// What happens if the action fails: `halt`, `taint` or `continue`; `None` if the plan does not say it.
        on_failure: Option<String>,
    },
    /// The command line (`-invoke`).
    Invoked {
        /// The address of the resource that the action is invoked for, if it is for one.
        resource: Option<String>,
    },
}

/// What invokes the action, in words: `before_create of aws_lambda_function.x (action_trigger 0, action 1)`.
impl fmt::Display for ActionTrigger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ActionTrigger::Lifecycle { resource, event, block_index, action_index, on_failure } => {
                write!(f, "{event} of {resource} (action_trigger {block_index}, action {action_index}")?;
                if let Some(on_failure) = on_failure {
                    write!(f, ", on failure {on_failure}")?;
                }
                f.write_str(")")
            }
            ActionTrigger::Invoked { resource: Some(resource) } => write!(f, "invoked for {resource}"),
            ActionTrigger::Invoked { resource: None } => f.write_str("invoked"),
        }
    }
}
