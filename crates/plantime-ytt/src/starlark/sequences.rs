//! The built-in functions `enumerate`, `max`, `min`, `range`, `reversed`, `set`, `sorted` and `zip`.

use super::builtins::elements;
use super::error::Failure;
use super::interpreter::Interpreter;
use super::value::{Arguments, Builtin, Value};

/// Returns pairs of the positions and the elements of a sequence.
pub(super) fn enumerate(
    this: &mut Interpreter<'_>,
    f: &Builtin,
    arguments: Arguments,
) -> Result<Value, Failure> {
    let [value, start] = arguments.positions(&f.name, 1)?;
    let start = start.map_or(Ok(0), |start| f.int("2", &start))?;
    let mut pairs = Vec::new();
    for (index, item) in elements(this, f, &value.unwrap_or(Value::None))?.into_iter().enumerate() {
        let index = start.saturating_add(i64::try_from(index).unwrap_or(i64::MAX));
        pairs.push(this.heap.tuple(vec![Value::int(index), item])?);
    }
    this.heap.list(pairs)
}

/// Returns the least or the greatest of some values.
pub(super) fn extreme(
    this: &mut Interpreter<'_>,
    f: &Builtin,
    arguments: Arguments,
) -> Result<Value, Failure> {
    let key = arguments.keywords.iter().find(|(name, _)| &**name == "key").map(|(_, key)| key.clone());
    if let Some((name, _)) = arguments.keywords.iter().find(|(name, _)| &**name != "key") {
        return Err(format!("{}: unexpected keyword argument {}", f.name, crate::quoted::quoted(name)).into());
    }
    let items = match arguments.positional.as_slice() {
        [] => return Err(format!("{} requires at least one positional argument", f.name).into()),
        [only] => {
            let items = this.iterate(only)?;
            items.ok_or_else(|| format!("{}: {} value is not iterable", f.name, only.type_name()))?
        }
        several => several.to_vec(),
    };
    let mut best: Option<(Value, Value)> = None;
    let operator = if &*f.name == "max" { ">" } else { "<" };
    for item in items {
        let rank = match &key {
            Some(key) => {
                this.call(key, Arguments { positional: vec![item.clone()], keywords: Vec::new() })?
            }
            None => item.clone(),
        };
        let better = match &best {
            Some((_, before)) => this.binary(operator, &rank, before)?.truth()?,
            None => true,
        };
        if better {
            best = Some((item, rank));
        }
    }
    Ok(best.map(|(item, _)| item).ok_or_else(|| format!("{}: argument is an empty sequence", f.name))?)
}

/// Returns a sequence of ints.
pub(super) fn range(_: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [first, stop, step] = arguments.positions(&f.name, 1)?;
    let first = f.int("1", &first.unwrap_or(Value::None))?;
    let (start, stop) = match stop {
        Some(stop) => (first, f.int("2", &stop)?),
        None => (0, first),
    };
    let step = step.map_or(Ok(1), |step| f.int("3", &step))?;
    if step == 0 {
        return Err("range: step argument must not be zero".into());
    }
    Ok(Value::Range { start, stop, step })
}

/// Returns the elements of a sequence from last to first.
pub(super) fn reversed(
    this: &mut Interpreter<'_>,
    f: &Builtin,
    arguments: Arguments,
) -> Result<Value, Failure> {
    let value = f.one(&arguments)?;
    let mut items = elements(this, f, &value)?;
    items.reverse();
    this.heap.list(items)
}

/// Returns a set of the elements of a sequence.
pub(super) fn set(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [value] = arguments.positions(&f.name, 0)?;
    let items = value.map_or(Ok(Vec::new()), |value| elements(this, f, &value))?;
    this.heap.set(items).map_err(|failure| match failure {
        Failure::Error(error) => format!("set: {}", error.message).into(),
        other => other,
    })
}

/// Returns the elements of a sequence in order.
pub(super) fn sorted(
    this: &mut Interpreter<'_>,
    f: &Builtin,
    arguments: Arguments,
) -> Result<Value, Failure> {
    let [value, reverse, key] = arguments.named(&f.name, ["iterable", "reverse?", "key?"])?;
    let value = value.unwrap_or(Value::None);
    let items = this.iterate(&value)?.ok_or_else(|| f.wrong("iterable", &value, "iterable"))?;
    let reverse = reverse.unwrap_or(Value::None).truth()?;
    let mut ranked = Vec::new();
    for item in items {
        let rank = match key.as_ref().filter(|key| !matches!(key, Value::None)) {
            Some(key) => {
                this.call(key, Arguments { positional: vec![item.clone()], keywords: Vec::new() })?
            }
            None => item.clone(),
        };
        ranked.push((rank, item));
    }
    let mut failure = None;
    ranked.sort_by(|(left, _), (right, _)| {
        if failure.is_some() {
            return std::cmp::Ordering::Equal;
        }
        let order = if reverse { this.order("<", right, left, 0) } else { this.order("<", left, right, 0) };
        order
            .unwrap_or_else(|error| {
                failure = Some(error);
                None
            })
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    if let Some(failure) = failure {
        return Err(failure);
    }
    this.heap.list(ranked.into_iter().map(|(_, item)| item).collect())
}

/// Returns tuples of the elements at the same positions of several sequences.
pub(super) fn zip(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let mut columns = Vec::new();
    for (index, value) in arguments.positional.iter().enumerate() {
        let items = this.iterate(value)?;
        let position = index.saturating_add(1);
        let kind = value.type_name();
        columns
            .push(items.ok_or_else(|| format!("{}: argument #{position} is not iterable: {kind}", f.name))?);
    }
    let length = columns.iter().map(Vec::len).min().unwrap_or(0);
    let mut rows = Vec::new();
    for index in 0..length {
        let row = columns.iter().filter_map(|column| column.get(index).cloned()).collect();
        rows.push(this.heap.tuple(row)?);
    }
    this.heap.list(rows)
}
