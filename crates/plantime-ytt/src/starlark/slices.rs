//! Slices: parts of strings, lists and tuples.

use num_bigint::BigInt;

use super::error::Failure;
use super::interpreter::Interpreter;
use super::value::Value;

impl Interpreter<'_> {
    /// Returns the elements of a value from a start to an end, by steps.
    pub(super) fn slice(&mut self, value: &Value, bounds: [Option<Value>; 3]) -> Result<Value, Failure> {
        let length = match value.known()? {
            Value::Text(text) => text.len(),
            Value::List(list) => list.items.borrow().len(),
            Value::Tuple(items) => items.len(),
            Value::Range { .. } => usize::try_from(value.range_length()).unwrap_or(0),
            other => return Err(format!("invalid slice operand {}", other.type_name()).into()),
        };
        let indices = slice_indices(length, &bounds)?;
        self.heap.work(indices.len())?;
        match value {
            Value::Text(text) => {
                let bytes: Vec<u8> = indices.iter().filter_map(|index| text.get(*index).copied()).collect();
                self.heap.text(bytes)
            }
            _ => {
                let all = self.iterate(value)?.unwrap_or_default();
                let items = indices.iter().filter_map(|index| all.get(*index).cloned()).collect();
                if let Value::Tuple(_) = value { self.heap.tuple(items) } else { self.heap.list(items) }
            }
        }
    }
}

/// Returns the positions that a slice selects.
fn slice_indices(length: usize, bounds: &[Option<Value>; 3]) -> Result<Vec<usize>, Failure> {
    let [start, stop, step] = bounds;
    let number = |bound: &Option<Value>, name: &str| match bound {
        None | Some(Value::None) => Ok(None),
        Some(Value::Int(int)) => {
            let limit = if *int < BigInt::ZERO { i64::MIN / 2 } else { i64::MAX / 2 };
            Ok(Some(i64::try_from(int).unwrap_or(limit)))
        }
        Some(Value::Unknown(path)) => Err(Failure::Undetermined(path.clone())),
        Some(other) => Err(format!("invalid {name} index: got {}, want int", other.type_name()).into()),
    };
    let step = number(step, "slice step")?.unwrap_or(1);
    if step == 0 {
        return Err("zero is not a valid slice step".into());
    }
    let length = i64::try_from(length).unwrap_or(i64::MAX / 4);
    let (low, high) = if step > 0 { (0, length) } else { (-1, length.saturating_sub(1)) };
    let clamp = |bound: Option<i64>, default: i64| match bound {
        None => default,
        Some(bound) if bound < 0 => bound.saturating_add(length).clamp(low, high),
        Some(bound) => bound.clamp(low, high),
    };
    let (first, last) = if step > 0 { (low, high) } else { (high, low) };
    let start = clamp(number(start, "start")?, first);
    let stop = clamp(number(stop, "end")?, last);
    let mut indices = Vec::new();
    let mut at = start;
    while (step > 0 && at < stop) || (step < 0 && at > stop) {
        indices.extend(usize::try_from(at));
        at = at.saturating_add(step);
    }
    Ok(indices)
}
