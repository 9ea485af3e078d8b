//! What a proposal puts in place of what the configuration leaves open: one walk over prior state and configuration serves
//! core's proposal and the plan of a provider.

use crate::error::Result;
use crate::path::Step;
use crate::schema::Attribute;
use crate::types::Type;
use crate::value::{SetView, Value};

use super::layout::Entry;
use super::set_priors::Prior;

/// The choices of a proposal at one place. The methods do what core does: it carries over what is computed, and takes
/// everything else from the configuration.
///
/// `exists` says that the object with the attribute continues a prior one; `prior` is the prior value unless it is null.
pub(super) trait Policy: Sized {
    /// The policy for a part of the value at this place.
    fn child(&self, step: &Step) -> Self;

    /// The value of an attribute that is configured, or not computed.
    fn configured(&self, _attribute: &Attribute, _prior: Option<&Value>, config: Value) -> Result<Value> {
        Ok(config)
    }

    /// The value of a computed attribute of this type that the configuration leaves null. `kept` is the one that is carried
    /// over.
    fn computed(
        &self,
        _attribute: &Attribute,
        _ty: &Type,
        _exists: bool,
        _prior: Option<&Value>,
        kept: Value,
    ) -> Result<Value> {
        Ok(kept)
    }

    /// The value of a block that is carried over as a whole, since it is null in the configuration.
    fn whole(&self, prior: &Value, _config: &Value) -> Value {
        prior.clone()
    }

    /// Looks at the value of an attribute or of the blocks of a type, once it is chosen.
    fn planned(
        &self,
        _entry: &Entry<'_>,
        _exists: bool,
        _prior: Option<&Value>,
        _config: &Value,
        _value: &Value,
    ) -> Result<()> {
        Ok(())
    }

    /// Looks at a prior object of a list or map that nothing in the configuration continues.
    fn removed(&self, _prior: &Value) {}

    /// Looks at which prior members of a set the configured members continue.
    fn members_continued(&self, _prior: &SetView<'_>, _continued: &[(&Value, Prior<'_>)]) {}
}

/// The policy of core.
pub(super) struct Core;

impl Policy for Core {
    fn child(&self, _step: &Step) -> Core {
        Core
    }
}
