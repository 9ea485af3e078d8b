//! The states inside a plan.

use crate::plan::{PlanDocument, State};
use plantime::Result;
use plantime_schema::ProviderSchemas;

/// The states inside a plan: what Terraform or OpenTofu stored last, and what the plan starts from.
///
/// A plan has them beside its changes; [`Plan`](crate::plan::Plan) has only the data sources of them, since a state may be as
/// large as everything else. What they differ in was changed outside.
///
/// ```
/// use plantime_terraform::plan::PlanStates;
/// use plantime_schema::ProviderSchemas;
///
/// let json = br#"{"format_version": "1.2", "resource_changes": [], "prior_state": {"format_version": "1.0", "values":
///     {"root_module": {"resources": [{"address": "random_id.s", "mode": "managed", "type": "random_id", "name": "s",
///     "provider_name": "random", "schema_version": 0, "values": {"hex": "5676a737"}, "depends_on": ["random_pet.p"]}]}}}}"#;
/// let states = PlanStates::read(json, &ProviderSchemas::new())?;
/// assert_eq!(states.prior.unwrap().resource("random_id.s").unwrap().depends_on, ["random_pet.p"]);
/// assert!(states.previous.is_none());
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct PlanStates {
    /// The state as it was stored before the plan, without what the refresh found. Only a binary plan has it (`tfstate-prev`).
    pub previous: Option<State>,
    /// The state after the refresh, which the plan starts from: `prior_state` in JSON, `tfstate` in a binary plan.
    pub prior: Option<State>,
}

impl PlanStates {
    /// Reads the state inside a plan in JSON into values with the types of these schemas.
    ///
    /// [Example](PlanStates)
    ///
    /// # Errors
    ///
    /// When the text is no plan, or its `prior_state` no state, as for [`State::read`].
    pub fn read(json: &[u8], schemas: &ProviderSchemas) -> Result<PlanStates> {
        let document = PlanDocument::parse(json)?;
        let prior = document.property("prior_state").filter(|text| *text != "null");
        let prior = prior.map(|text| State::read(text.as_bytes(), schemas)).transpose()?;
        Ok(PlanStates { previous: None, prior })
    }

    /// Reads the states inside a binary plan into values with the types of these schemas and of those inside the plan. The
    /// `format_version` of both is `stored 4`.
    ///
    /// ```
    /// use plantime_terraform::plan::PlanStates;
    /// use plantime_schema::ProviderSchemas;
    ///
    /// assert!(PlanStates::read_binary(b"no plan", &ProviderSchemas::new()).is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Plan::read_binary`](crate::plan::Plan::read_binary).
    pub fn read_binary(bytes: &[u8], schemas: &ProviderSchemas) -> Result<PlanStates> {
        super::binary::read_binary_states(bytes, schemas)
    }
}
