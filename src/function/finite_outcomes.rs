//! Calls whose unknown arguments have few possible values, such as a bool or one of a few strings: the body runs for each
//! combination.

use smallvec::SmallVec;

use crate::error::{Error, Result};
use crate::refinement::{Nullness, StringLanguage};
use crate::types::Type;
use crate::value::{Value, refinement_of_outcomes};

use super::prepare::PreparedArguments;
use super::{Arguments, Function};

/// The maximum number of combinations of argument values for which the body runs: those of four unknown bools.
const MAX_COMBINATIONS: usize = 16;

impl Function {
    /// Runs the body for each combination of values that the arguments may turn out to have, and joins the results: the
    /// join keeps the facts that all of them share. An error if the body fails for each of them. `None` if there are
    /// more combinations than [`MAX_COMBINATIONS`], or the possible values of an argument are not known.
    pub(super) fn join_of_outcomes(&self, prepared: &PreparedArguments) -> Result<Option<Value>> {
        match combinations(&prepared.values, Value::outcomes) {
            Some(combinations) => self.join_of_results(combinations),
            None => Ok(None),
        }
    }

    /// Narrows an unknown string, which is the join of the results for each combination, by what the transformer says of the
    /// call: if the join had to be widened, the transformer may say more.
    pub(super) fn met_with_transformed(&self, joined: Value, arguments: &Arguments<'_>) -> Value {
        let Some(transformer) = &self.0.transformer else { return joined };
        if joined.is_known() || joined.ty() != Type::String {
            return joined;
        }
        match transformer(arguments) {
            Ok(transformed) if transformed.ty() == Type::String => {
                joined.assume(&refinement_of_outcomes(&transformed)).unwrap_or(joined)
            }
            _ => joined,
        }
    }

    /// Narrows the unknown result of a call to the results that the body has for the strings that an argument may turn
    /// out to be, if these are few: the join of strings, numbers or bools keeps them all, or what they share. An error if
    /// the body fails for each of them. Results of other types are returned as they are: their join may say less than the
    /// given result.
    pub(super) fn narrowed_by_outcomes(&self, prepared: &PreparedArguments, result: Value) -> Result<Value> {
        let is_primitive = matches!(result.ty(), Type::String | Type::Number | Type::Bool);
        if result.is_known() || !is_primitive || !prepared.values.iter().any(is_one_of_strings) {
            return Ok(result);
        }
        let Some(combinations) = combinations(&prepared.values, outcomes_of_strings) else {
            return Ok(result);
        };
        let joined = match self.join_of_results(combinations) {
            Ok(Some(joined)) => joined,
            // A text that is too long for one of the strings says nothing of the call as a whole.
            Err(error) if !error.is_limit() => return Err(error),
            _ => return Ok(result),
        };
        if joined.is_known() {
            return Ok(joined);
        }
        let narrowed = result.assume(&refinement_of_outcomes(&joined));
        Ok(narrowed.unwrap_or(result))
    }

    /// The join of the results of the body for all these arguments; an error if it fails for each of them.
    fn join_of_results(&self, combinations: Vec<SmallVec<[Value; 4]>>) -> Result<Option<Value>> {
        let (mut results, mut failed) = (Vec::new(), None);
        for arguments in combinations {
            let ty = self.0.result_type(&arguments);
            let result = ty.and_then(|ty| {
                let result = (self.0.body)(&Arguments::new(&arguments, &ty))?;
                self.check_promises(result, &ty)
            });
            match result {
                Ok(result) => results.push(result),
                // A limit tells of one combination only, so it counts before other errors.
                Err(error) => failed = failed.filter(Error::is_limit).or(Some(error)),
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
fn combinations(
    values: &[Value],
    outcomes_of: fn(&Value) -> Option<Vec<Value>>,
) -> Option<Vec<SmallVec<[Value; 4]>>> {
    let mut combinations = vec![SmallVec::new()];
    for value in values {
        let outcomes = match value {
            value if value.is_wholly_known() => vec![value.clone()],
            value if value.contains_marks() => return None,
            // Of undecided type it may be a null of any type, and the body may treat these differently.
            value if value.ty().has_dynamic() => return None,
            value => outcomes_of(value)?,
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

/// Whether a value is an unknown string that may become few strings only.
fn is_one_of_strings(value: &Value) -> bool {
    let language = value.refinement().and_then(|known| known.string_language());
    language.is_some_and(|language| language.language().is_finite())
}

/// The values that an unknown string of a few, or another value with few outcomes, may become; `None` for more than
/// [`MAX_COMBINATIONS`] strings.
fn outcomes_of_strings(value: &Value) -> Option<Vec<Value>> {
    let Some(known) = value.refinement().filter(|known| known.string_language().is_some()) else {
        return value.outcomes();
    };
    let strings = known.string_language().map(StringLanguage::language)?.members()?;
    let null = (known.nullness() != Nullness::NotNull).then(|| Value::null(Type::String));
    let all: Vec<Value> = strings.iter().map(|text| Value::from(text.as_str())).chain(null).collect();
    (all.len() <= MAX_COMBINATIONS).then_some(all)
}
