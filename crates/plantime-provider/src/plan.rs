//! The plan of a change that follows from the schema alone.

mod behaving;
mod choose;
mod meaning;
#[cfg(test)]
mod tests;

pub(crate) use self::behaving::{diagnostic, errors, hidden, problems, write_only};
pub(crate) use self::meaning::keep_same_meaning;

use plantime::rule::{How, PathExpr};
use plantime::{Path, Refinement, Result, Value, View};
use plantime_schema::Schema;
use plantime_schema::planning::{Behaviours, TypeSystem};

use crate::diagnostic::Outcome;
use crate::erased::AnyResource;

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
    /// Why the change cannot be planned yet; `None` for a plan that counts. Only where [`Call::may_defer`](crate::Call::may_defer)
    /// says so: other hosts refuse it.
    pub deferred: Option<Deferral>,
}

/// Why a change cannot be planned yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Deferral {
    /// Too much of the configuration of the resource is unknown.
    ResourceConfigUnknown,
    /// Too much of the configuration of the provider is unknown.
    ProviderConfigUnknown,
    /// What the object needs does not exist yet.
    AbsentPrerequisite,
}

impl Deferral {
    /// The number in the protocol.
    pub(crate) fn number(self) -> i32 {
        match self {
            Deferral::ResourceConfigUnknown => 1,
            Deferral::ProviderConfigUnknown => 2,
            Deferral::AbsentPrerequisite => 3,
        }
    }
}

impl Change {
    /// A change, for unit tests: a host makes the proposed state from the other two as
    /// [`proposed_new`](plantime_schema::planning::proposed_new) does.
    ///
    /// ```
    /// use plantime::{Type, Value, value};
    /// use plantime_provider::{Change, Plan};
    ///
    /// let config = value!({ "cidr": "10.0.0.0/8", "id": null })?;
    /// let change = Change::new(Value::null(Type::Dynamic), config.clone(), config.clone());
    /// assert!(change.is_create());
    /// let plan = Plan::new(config.clone());
    /// assert_eq!((&plan.planned, plan.requires_replace.len()), (&config, 0));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn new(prior: Value, proposed: Value, config: Value) -> Change {
        Change { prior, proposed, config }
    }

    /// Whether the object is created.
    pub fn is_create(&self) -> bool {
        self.prior.is_null() && !self.proposed.is_null()
    }

    /// Whether the object is deleted.
    pub fn is_delete(&self) -> bool {
        self.proposed.is_null()
    }

    /// The plan that follows from what a resource type says of itself, and the type system in which it is one. A configuration that the
    /// schema does not allow has none.
    pub(crate) fn first_plan(
        &self,
        schema: &Schema,
        resource: &dyn AnyResource,
    ) -> Outcome<(Plan, TypeSystem)> {
        let (facts, replaced_by) = (resource.facts(), resource.replaced_by());
        let behaviours = resource.behaviours();
        let system = behaviours.as_ref().map_or(TypeSystem::Strict, Behaviours::type_system);
        let plan = match behaviours {
            Some(behaviours) if !self.is_delete() => {
                let plan = behaving::plan(self, schema, &behaviours)?;
                self.with_facts(plan, &facts, &replaced_by)?
            }
            _ => {
                errors(schema, None, &self.config)?;
                self.default_plan(schema, &facts, &replaced_by)?
            }
        };
        Ok((plan, system))
    }

    /// The plan from the schema: of an object that is created, and of a block that is new in one that is updated, each computed
    /// attribute that the configuration does not set is unknown, with the facts about it. All else keeps its value, and
    /// write-only attributes are null.
    fn default_plan(
        &self,
        schema: &Schema,
        facts: &[(&'static str, Refinement)],
        replaced_by: &[&'static str],
    ) -> Result<Plan> {
        if self.is_delete() {
            return Ok(Plan::new(self.proposed.clone()));
        }
        let prior = Some(&self.prior).filter(|prior| !prior.is_null());
        let chosen = choose::object(schema.block(), prior, &self.proposed)?;
        self.with_facts(Plan::new(chosen), facts, replaced_by)
    }

    /// The plan with the facts, and with the replacements that these attributes cause.
    fn with_facts(
        &self,
        mut plan: Plan,
        facts: &[(&'static str, Refinement)],
        replaced_by: &[&'static str],
    ) -> Result<Plan> {
        plan.planned = with_facts(plan.planned, facts)?;
        if !self.is_create() {
            for name in replaced_by {
                if self.prior.get_attr(name)? != plan.planned.get_attr(name)? {
                    plan.requires_replace.push(Path::new().attr(name));
                }
            }
        }
        Ok(plan)
    }
}

impl Plan {
    /// A plan that replaces nothing.
    ///
    /// [Example](Change::new)
    pub fn new(planned: Value) -> Plan {
        Plan { planned, requires_replace: Vec::new(), deferred: None }
    }
}

/// The value whose unknown parts have the facts about them.
fn with_facts(planned: Value, facts: &[(&'static str, Refinement)]) -> Result<Value> {
    let mut narrowed: Vec<(Path, Value)> = Vec::new();
    for (place, fact) in facts {
        let expression: PathExpr = place.parse()?;
        for found in expression.matches(&planned)?.into_iter().filter(|found| found.how == How::Exact) {
            if matches!(found.value.view(), View::Unknown(_)) {
                let earlier = narrowed.iter().position(|(path, _)| *path == found.path);
                let value = match earlier {
                    Some(index) => narrowed.swap_remove(index).1,
                    None => found.value,
                };
                narrowed.push((found.path, value.assume(fact)?));
            }
        }
    }
    if narrowed.is_empty() {
        return Ok(planned);
    }
    planned.transform(|path, value| {
        let new = narrowed.iter().find(|(place, _)| place == path).map(|(_, part)| part.clone());
        Ok(new.unwrap_or(value))
    })
}
