//! Sort keys: 128 bits of each value that compare like the total order of values of one type.

use crate::number::Number;

use crate::value::repr::{Container, KnownRepr};
use crate::value::{Known, Value};

/// The sort key of a wholly known value without capsules. It is monotone: a < b implies key(a) <= key(b).
pub(in crate::value) fn of(value: &Value) -> u128 {
    let mut key = SortKey { bits: 0, left: u128::BITS };
    key.push_value(value);
    key.bits.checked_shl(key.left).unwrap_or(0)
}

/// A sort key while it is built: the bits so far and the number of bits left.
struct SortKey {
    bits: u128,
    left: u32,
}

impl SortKey {
    /// Adds the bits of a value. Returns whether values with these bits are all equal: only then may the bits of the
    /// next value follow, since the order looks at them only if all before is equal.
    fn push_value(&mut self, value: &Value) -> bool {
        let Value::Known(Known(known)) = value else { return false };
        let known = known.bare();
        // Null comes last.
        self.push_bits(1, known.is_null().into());
        match known {
            KnownRepr::Null(_) => true,
            KnownRepr::Bool(truth) => {
                self.push_bits(1, (*truth).into());
                true
            }
            KnownRepr::Number(number) => {
                self.push_bits(u64::BITS, order_bits(number).into());
                false
            }
            KnownRepr::String(text) => self.push_text(text.as_str()),
            KnownRepr::Container(container) => self.push_container(container),
            KnownRepr::Capsule(_) | KnownRepr::Marked(_) => false,
        }
    }

    /// Adds the bits of a container; returns as [`SortKey::push_value`] does.
    fn push_container(&mut self, container: &Container) -> bool {
        match container {
            Container::Tuple(node) => self.push_children(&node.items),
            Container::Object(node) => self.push_children(&node.slots),
            Container::List(node) => self.push_first_element(node.items.first()),
            Container::Set(node) => self.push_first_element(node.known.first()),
            Container::Map(node) => {
                self.push_bits(1, (!node.entries.is_empty()).into());
                node.entries.first().is_none_or(|(key, _)| self.push_text(key.as_str()))
            }
        }
    }

    /// Adds the bits of the children up to the first whose bits do not determine it; returns as
    /// [`SortKey::push_value`] does.
    // A loop: a deep value recurses through here, and stack frames are large in a debug build.
    fn push_children(&mut self, parts: &[Value]) -> bool {
        for part in parts {
            if self.left == 0 || !self.push_value(part) {
                return false;
            }
        }
        true
    }

    /// Adds a bit for a collection that is not empty, and the bits of its first element. Returns whether it is empty:
    /// empty collections sort first and are all equal.
    fn push_first_element(&mut self, part: Option<&Value>) -> bool {
        self.push_bits(1, part.is_some().into());
        match part {
            Some(part) => {
                self.push_value(part);
                false
            }
            None => true,
        }
    }

    /// Adds the first 16 bytes of a string. Returns false: strings of the same start may differ.
    fn push_text(&mut self, text: &str) -> bool {
        let mut start = [0; 16];
        for (place, byte) in start.iter_mut().zip(text.as_bytes()) {
            *place = *byte;
        }
        self.push_bits(u128::BITS, u128::from_be_bytes(start));
        false
    }

    /// Adds the upper bits of a number of this width, at most as many as are left.
    fn push_bits(&mut self, width: u32, bits: u128) {
        let fit = width.min(self.left);
        let bits = bits.checked_shr(width.saturating_sub(fit)).unwrap_or(0);
        self.bits = self.bits.checked_shl(fit).unwrap_or(0) | bits;
        self.left = self.left.saturating_sub(fit);
    }
}

/// The number rounded down to an integer, as bits whose unsigned order is the order of the numbers.
fn order_bits(number: &Number) -> u64 {
    (number.floor_to_i64() as u64) ^ (1 << 63)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Type;

    fn values(ty: &str, items: &[&str]) -> Vec<Value> {
        let ty: Type = ty.parse().unwrap();
        let number = |text: &&str| Value::from(text.parse::<Number>().unwrap());
        let mut all: Vec<Value> = match ty {
            Type::Number => items.iter().map(number).collect(),
            Type::Bool => items.iter().map(|text| Value::from(*text == "true")).collect(),
            _ => items.iter().map(|text| Value::from(*text)).collect(),
        };
        all.push(Value::null(ty));
        all
    }

    /// All of one or two parts, made into one value each.
    fn built(parts: &[Value], build: impl Fn(Vec<Value>) -> Value) -> Vec<Value> {
        let one = parts.iter().map(|part| vec![part.clone()]);
        let two = parts.iter().flat_map(|a| parts.iter().map(|b| vec![a.clone(), b.clone()]));
        one.chain(two).chain([Vec::new()]).map(build).collect()
    }

    fn in_order(values: &[Value]) {
        for a in values {
            for b in values.iter().filter(|b| a < b) {
                assert!(of(a) <= of(b), "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn the_lesser_value_has_the_lesser_key() {
        let large = "9".repeat(40);
        let numbers = [
            "-inf",
            "inf",
            "0",
            "-1",
            "1",
            "0.5",
            "-0.5",
            "1.5",
            "9223372036854775807",
            "-9223372036854775808",
        ];
        let long =
            ["9223372036854775808.5", "1e-30", "-1e-30", "123456789012345678901234567890.5", large.as_str()];
        let numbers = values("number", &[numbers.as_slice(), &long].concat());
        let texts =
            values("string", &["", "\0", "a", "a\0", "ab", "aaaaaaaaaaaaaaaab", "aaaaaaaaaaaaaaaac", "é"]);
        let bools = values("bool", &["true", "false"]);
        for parts in [&numbers, &texts, &bools] {
            in_order(parts);
            let ty = parts[0].ty();
            in_order(&built(parts, |items| Value::list_of(ty.clone(), items).unwrap()));
            in_order(&built(parts, |items| Value::set_of(ty.clone(), items).unwrap()));
            in_order(&built(parts, |items| {
                Value::map_of(ty.clone(), ["a", "b"].into_iter().zip(items)).unwrap()
            }));
            let pairs = built(parts, |items| Value::tuple(items).unwrap());
            in_order(&pairs.into_iter().filter(|pair| pair.size() == 3).collect::<Vec<_>>());
        }
        let mixed = bools.iter().flat_map(|a| texts.iter().map(|b| [("a", a.clone()), ("b", b.clone())]));
        in_order(&mixed.map(|parts| Value::object(parts).unwrap()).collect::<Vec<_>>());
    }

    #[test]
    fn sorting_by_keys_gives_the_same_order() {
        let ty: Type = "set(object({a = bool, b = string}))".parse().unwrap();
        let objects = (0..200_u64).map(|i| {
            let text = Value::from(format!("text-{}", i.wrapping_mul(7919) % 101));
            Value::object([("a", Value::from(i % 3 == 0)), ("b", text)]).unwrap()
        });
        let element = ty.element_type().unwrap();
        let sorted = crate::value::order::sorted(objects.clone().collect(), element);
        let mut plain: Vec<Value> = objects.collect();
        plain.sort();
        assert_eq!(sorted, plain);
    }
}
