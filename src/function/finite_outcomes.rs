//! Calls whose unknown arguments have few possible values, such as a bool: the body runs for each combination.

use smallvec::SmallVec;

use crate::error::Result;
use crate::value::Value;

use super::prepare::PreparedArguments;
use super::{Arguments, Function};

/// The maximum number of combinations of argument values for which the body runs: those of four unknown bools.
const MAX_COMBINATIONS: usize = 16;

impl Function {
    /// Runs the body for each combination of values that the arguments may turn out to have, and joins the results: the
    /// join keeps the facts that all of them share. An error if the body fails for each of them. `None` if there are
    /// more combinations than [`MAX_COMBINATIONS`], or the possible values of an argument are not known.
    pub(super) fn join_of_outcomes(&self, prepared: &PreparedArguments) -> Result<Option<Value>> {
        let Some(combinations) = combinations(&prepared.values) else { return Ok(None) };
        let (mut results, mut failed) = (Vec::new(), None);
        for arguments in combinations {
            let ty = self.0.result_type(&arguments);
            let result = ty.and_then(|ty| {
                let result = (self.0.body)(&Arguments::new(&arguments, &ty))?;
                self.check_promises(result, &ty)
            });
            match result {
                Ok(result) => results.push(result),
                Err(error) => failed = Some(error),
            }
        }
        match failed {
            Some(error) if results.is_empty() => Err(error),
            _ => Value::join(&results.iter().collect::<Vec<_>>()).map(Some),
        }
    }
}

/// All combinations of values that the arguments may turn out to have, each with one value for each argument. `None` if
/// there are more than [`MAX_COMBINATIONS`], or if an unknown argument has too many possible values, has marks inside
/// or is of undecided type.
fn combinations(values: &[Value]) -> Option<Vec<SmallVec<[Value; 4]>>> {
    let mut combinations = vec![SmallVec::new()];
    for value in values {
        let outcomes = match value {
            value if value.is_wholly_known() => vec![value.clone()],
            value if value.contains_marks() => return None,
            // Of undecided type it may be a null of any type, and the body may treat these differently.
            value if value.ty().has_dynamic() => return None,
            value => value.outcomes()?,
        };
        if combinations.len().saturating_mul(outcomes.len()) > MAX_COMBINATIONS {
            return None;
        }
        let with = |arguments: &SmallVec<[Value; 4]>, outcome: &Value| {
            arguments.iter().cloned().chain([outcome.clone()]).collect()
        };
        combinations = combinations
            .iter()
            .flat_map(|arguments| outcomes.iter().map(move |outcome| with(arguments, outcome)))
            .collect();
    }
    Some(combinations)
}
