//! Random wholly known values.

use std::collections::BTreeMap;

use super::{Sampler, Token};
use crate::types::Type;
use crate::value::Value;

impl Sampler<'_> {
    /// A random wholly known value of a random type.
    pub fn concrete(&mut self) -> Value {
        let dynamic = self.chance(1, 8);
        let ty = self.ty(dynamic);
        self.concrete_of(&ty)
    }

    /// A random wholly known value of this type.
    ///
    /// Types that contain `dynamic` have such values too: the null, and the empty collection.
    pub fn concrete_of(&mut self, ty: &Type) -> Value {
        self.spend(1);
        if self.chance(1, 12) {
            return Value::null(ty.clone());
        }
        self.not_null_of(ty).unwrap_or_else(|| Value::null(ty.clone()))
    }

    /// A random wholly known value of this type that is not null; `None` if the type has none, as `dynamic`.
    fn not_null_of(&mut self, ty: &Type) -> Option<Value> {
        match ty {
            Type::Bool => Some(Value::from(self.chance(1, 2))),
            Type::Number => Some(Value::from(self.number())),
            Type::String => Some(Value::from(self.text())),
            Type::Capsule(capsule) if capsule.is::<Token>() => Some(Value::capsule(self.token())),
            Type::List(list) => {
                let items = self.items(list.element());
                Value::list_of(list.element().clone(), items).ok()
            }
            Type::Set(set) => {
                let items = self.items(set.element());
                Value::set_of(set.element().clone(), items).ok()
            }
            Type::Map(map) => {
                let items = self.items(map.element());
                let entries: BTreeMap<String, Value> =
                    items.into_iter().map(|item| (self.name(), item)).collect();
                Value::map_of(map.element().clone(), entries).ok()
            }
            Type::Tuple(tuple) => {
                let items: Vec<Value> = tuple.iter().map(|part| self.concrete_of(part)).collect();
                Value::tuple(items).ok()
            }
            Type::Object(object) => {
                let slots: Vec<Value> = object.iter().map(|(_, part)| self.concrete_of(part)).collect();
                Value::object_of(object, slots).ok()
            }
            _ => None,
        }
    }

    /// Random elements for a collection of this element type. None if the type contains `dynamic`.
    fn items(&mut self, element: &Type) -> Vec<Value> {
        // With elements, a collection of undecided element type would not be wholly known.
        let length = if element.has_dynamic() { 0 } else { self.length(element.size()) };
        let mut items: Vec<Value> = Vec::with_capacity(length);
        let mut parts = 0;
        for _ in 0..length {
            let again = self.chance(1, 6);
            let left = self.left();
            // A copy counts as many parts as the original; otherwise values would grow exponentially with the
            // depth.
            let item = match items.last() {
                Some(last) if again && parts <= left => {
                    self.spend(parts);
                    last.clone()
                }
                _ => {
                    let item = self.concrete_of(element);
                    parts = left.saturating_sub(self.left());
                    item
                }
            };
            items.push(item);
        }
        items
    }
}
