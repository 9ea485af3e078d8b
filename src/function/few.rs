//! Arguments that can become only a few things: the result is what the body gives for each.

use smallvec::SmallVec;

use crate::error::Result;
use crate::value::Value;

use super::ready::Ready;
use super::{Arguments, Function};

/// The body is called at most so often for arguments that can become only a few things.
const FEW: usize = 16;

impl Function {
    /// The results of all that the arguments may become, joined, where that is only a few things.
    pub(super) fn of_few(&self, ready: &Ready) -> Result<Option<Value>> {
        let Some(choices) = choices(&ready.values) else { return Ok(None) };
        let (mut results, mut failed) = (Vec::new(), None);
        for choice in choices {
            let ty = self.0.type_for(&choice);
            let result = ty.and_then(|ty| {
                let result = (self.0.body)(&Arguments::new(&choice, &ty))?;
                self.kept(result, &ty)
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

/// All that the arguments may become, where that is only a few things and none has a place for marks inside.
fn choices(values: &[Value]) -> Option<Vec<SmallVec<[Value; 4]>>> {
    let mut choices = vec![SmallVec::new()];
    for value in values {
        let outcomes = match value {
            value if value.is_wholly_known() => vec![value.clone()],
            value if value.contains_marks() => return None,
            // A null of an undecided type is one of any type.
            value if value.ty().has_dynamic() => return None,
            value => value.outcomes()?,
        };
        if choices.len().saturating_mul(outcomes.len()) > FEW {
            return None;
        }
        let with = |choice: &SmallVec<[Value; 4]>, outcome: &Value| {
            choice.iter().cloned().chain([outcome.clone()]).collect()
        };
        choices = choices
            .iter()
            .flat_map(|choice| outcomes.iter().map(move |outcome| with(choice, outcome)))
            .collect();
    }
    Some(choices)
}
