//! The plan of a change that follows from the schema alone.

use plantime::schema::Schema;
use plantime::{Path, Refinement, Result, Value, View};

use crate::schema::with_attributes;

/// A change that a user asks for.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Change {
    /// The state before; null for an object that is to be created.
    pub prior: Value,
    /// The configuration with the prior values of computed attributes; null for an object that is to be deleted.
    pub proposed: Value,
    /// The configuration; null for an object that is to be deleted.
    pub config: Value,
}

/// The plan of a change.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Plan {
    /// The state after the apply, where what the provider will choose is unknown.
    pub planned: Value,
    /// The attributes whose change replaces the object.
    pub requires_replace: Vec<Path>,
}

impl Change {
    /// Whether the object is created.
    pub fn is_create(&self) -> bool {
        self.prior.is_null() && !self.proposed.is_null()
    }

    /// Whether the object is deleted.
    pub fn is_delete(&self) -> bool {
        self.proposed.is_null()
    }

    /// The plan from the schema: of an object that is created, each computed attribute that the configuration does not
    /// set is unknown, with the facts about it; of one that is updated, it keeps its value.
    pub(crate) fn default_plan(
        &self,
        schema: &Schema,
        facts: &[(&'static str, Refinement)],
        replaced_by: &[&'static str],
    ) -> Result<Plan> {
        let mut planned = self.proposed.clone();
        let mut requires_replace = Vec::new();
        if self.is_create() {
            planned = with_attributes(&planned, self.unknown_attributes(schema, facts)?)?;
        } else if !self.is_delete() {
            for name in replaced_by {
                if self.prior.get_attr(name)? != self.proposed.get_attr(name)? {
                    requires_replace.push(Path::new().attr(name));
                }
            }
        }
        Ok(Plan { planned, requires_replace })
    }

    /// The computed attributes that the configuration does not set, as unknown values with the facts about them.
    fn unknown_attributes<'a>(
        &self,
        schema: &'a Schema,
        facts: &[(&'static str, Refinement)],
    ) -> Result<Vec<(&'a str, Value)>> {
        let View::Object(config) = self.config.view() else { return Ok(Vec::new()) };
        let mut unknown = Vec::new();
        for (name, attribute) in &schema.block().attributes {
            let Some(value) = config.get(name).filter(|value| attribute.computed && value.is_null()) else {
                continue;
            };
            let known = facts.iter().find(|(of, _)| of == name).map(|(_, fact)| fact.clone());
            let chosen = match known {
                Some(fact) => Value::unknown(value.ty()).assume(&fact)?,
                None => Value::unknown(value.ty()),
            };
            unknown.push((name.as_str(), chosen));
        }
        Ok(unknown)
    }
}
