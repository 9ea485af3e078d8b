//! The entries of dicts and sets, in the order of insertion.

use std::collections::HashMap;

use num_bigint::BigInt;

use super::error::Failure;
use super::value::Value;

/// The largest depth of tuples within a key.
const MAX_DEPTH: usize = 50;

/// A key in a form that can be hashed: two keys are equal exactly if their forms are.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum KeyId {
    None,
    Bool(bool),
    Int(BigInt),
    /// A float that is no whole number, by its bits.
    Float(u64),
    Text(Vec<u8>),
    Tuple(Vec<KeyId>),
    Range(i64, i64, i64),
    /// A function, or a method of a value, by its address.
    Address(usize),
}

/// Returns the hashable form of a key; the error says that its type has none.
pub(crate) fn key_id(key: &Value, depth: usize) -> Result<KeyId, Failure> {
    Ok(match key.known()? {
        Value::None => KeyId::None,
        Value::Bool(bool) => KeyId::Bool(*bool),
        Value::Int(int) => KeyId::Int(int.clone()),
        Value::Float(float) => match super::number::whole(*float) {
            Some(int) => KeyId::Int(int),
            None => KeyId::Float(float.to_bits()),
        },
        Value::Text(text) => KeyId::Text(text.to_vec()),
        Value::Tuple(_) if depth > MAX_DEPTH => {
            return Err(Failure::Limit("tuples within a key are nested too deeply".to_owned()));
        }
        Value::Tuple(items) => {
            let depth = depth.saturating_add(1);
            KeyId::Tuple(items.iter().map(|item| key_id(item, depth)).collect::<Result<_, _>>()?)
        }
        Value::Range { start, stop, step } => KeyId::Range(*start, *stop, *step),
        Value::Function(function) => KeyId::Address(std::rc::Rc::as_ptr(function).addr()),
        Value::Builtin(builtin) if builtin.receiver.is_some() => {
            KeyId::Address(std::rc::Rc::as_ptr(builtin).addr())
        }
        Value::Builtin(builtin) => KeyId::Text(builtin.name.as_bytes().to_vec()),
        other => return Err(format!("unhashable type: {}", other.type_name()).into()),
    })
}

/// Keys and values in the order of insertion. A set has keys alone.
#[derive(Default)]
pub(crate) struct Entries {
    index: HashMap<KeyId, usize>,
    /// An entry that was removed is `None`.
    slots: Vec<Option<(Value, Value)>>,
    /// All slots before this one are `None`, so that removing the first entry again and again takes linear time.
    start: usize,
}

impl Entries {
    /// The number of entries.
    pub(crate) fn len(&self) -> usize {
        self.index.len()
    }

    /// The value of a key; the error is that the key's type cannot be one.
    pub(crate) fn get(&self, key: &Value) -> Result<Option<&Value>, Failure> {
        let index = self.index.get(&key_id(key, 0)?);
        Ok(index.and_then(|index| self.slots.get(*index)?.as_ref()).map(|(_, value)| value))
    }

    /// Sets the value of a key, which keeps its place in the order if it is there already.
    pub(crate) fn insert(&mut self, key: Value, value: Value) -> Result<(), Failure> {
        let id = key_id(&key, 0)?;
        match self.index.get(&id).and_then(|index| self.slots.get_mut(*index)) {
            Some(slot) => match slot {
                Some((_, present)) => *present = value,
                None => *slot = Some((key, value)),
            },
            None => {
                self.index.insert(id, self.slots.len());
                self.slots.push(Some((key, value)));
            }
        }
        Ok(())
    }

    /// Removes a key; returns it with its value, or `None` if it is not there. Takes constant time on average.
    pub(crate) fn remove(&mut self, key: &Value) -> Result<Option<(Value, Value)>, Failure> {
        let index = self.index.remove(&key_id(key, 0)?);
        let entry = index.and_then(|index| self.slots.get_mut(index)?.take());
        while let Some(None) = self.slots.get(self.start) {
            self.start = self.start.saturating_add(1);
        }
        if self.slots.len() > self.index.len().saturating_mul(2).saturating_add(8) {
            self.slots.retain(Option::is_some);
            self.start = 0;
            for (position, (key, _)) in self.slots.iter().flatten().enumerate() {
                self.index.insert(key_id(key, 0)?, position);
            }
        }
        Ok(entry)
    }

    /// Removes all entries.
    pub(crate) fn clear(&mut self) {
        *self = Entries::default();
    }

    /// The keys with their values, in the order in which the keys were inserted.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &(Value, Value)> {
        self.slots.iter().skip(self.start).flatten()
    }

    /// The keys, in the order in which they were inserted.
    pub(crate) fn keys(&self) -> Vec<Value> {
        self.iter().map(|(key, _)| key.clone()).collect()
    }
}
