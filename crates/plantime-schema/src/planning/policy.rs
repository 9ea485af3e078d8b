//! Chooses the values that the configuration does not set. One walk over prior state and configuration (`proposed.rs`) builds
//! core's proposal and the plan of a provider; they differ in their policy only.

use crate::schema::Attribute;
use plantime::{Result, SetView, Step, Type, Value};

use super::layout::Entry;
use super::set_priors::Prior;

/// Chooses the values at one place of a proposal. The default methods choose as core does: computed values are carried over
/// from the prior state, all others come from the configuration.
///
/// `exists` says that the object with the attribute continues a prior one; `prior` is the prior value unless it is null.
pub(super) trait Policy: Sized {
    /// The policy for a part of the value at this place.
    fn child(&self, step: &Step) -> Self;

    /// The value of an attribute that is configured, or not computed.
    fn configured_value(
        &self,
        _attribute: &Attribute,
        _prior: Option<&Value>,
        config: Value,
    ) -> Result<Value> {
        Ok(config)
    }

    /// The value of a computed attribute of this type that the configuration leaves null. `kept` is the one that is carried
    /// over.
    fn computed_value(
        &self,
        _attribute: &Attribute,
        _ty: &Type,
        _exists: bool,
        _prior: Option<&Value>,
        kept: Value,
    ) -> Result<Value> {
        Ok(kept)
    }

    /// The value of a block that is null in the configuration and whose prior value is carried over as a whole.
    fn carried_block(&self, prior: &Value, _config: &Value) -> Value {
        prior.clone()
    }

    /// Called with the chosen value of each attribute and of the blocks of each type: a provider records here what forces
    /// a replacement.
    fn record_planned(
        &self,
        _entry: &Entry<'_>,
        _exists: bool,
        _prior: Option<&Value>,
        _config: &Value,
        _value: &Value,
    ) -> Result<()> {
        Ok(())
    }

    /// A prior object of a list or map is removed: nothing in the configuration corresponds to it.
    fn record_removed(&self, _prior: &Value) {}

    /// Called with each set of objects: its prior value, and the configured members with the prior ones that they continue.
    fn record_continued_members(&self, _prior: &SetView<'_>, _continued: &[(&Value, Prior<'_>)]) {}
}

/// The policy of core.
pub(super) struct Core;

impl Policy for Core {
    fn child(&self, _step: &Step) -> Core {
        Core
    }
}
