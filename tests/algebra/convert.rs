//! The laws of conversion, for many constraints, and those of the queries about it.

use plantime::TypeConstraint;

mod concretes;
mod defaults;
mod laws;
mod marks;
mod parts;
mod safety;
mod sources;

/// What is converted to.
const TARGETS: [&str; 55] = [
    "any",
    "bool",
    "number",
    "string",
    "list(any)",
    "set(any)",
    "map(any)",
    "list(bool)",
    "set(bool)",
    "map(bool)",
    "list(number)",
    "set(number)",
    "map(number)",
    "list(string)",
    "set(string)",
    "map(string)",
    "list(list(any))",
    "list(list(string))",
    "list(set(bool))",
    "list(set(any))",
    "list(map(any))",
    "list(tuple([string, any]))",
    "list(object({a = any, b = optional(any, 1)}))",
    "list(object({a = optional(string, \"x\")}))",
    "set(list(any))",
    "set(list(string))",
    "set(set(bool))",
    "set(tuple([any]))",
    "set(object({a = any}))",
    "set(object({a = any, b = optional(any, 1)}))",
    "map(list(bool))",
    "map(object({a = any, b = optional(any, 1)}))",
    "map(object({a = string}))",
    "map(list(any))",
    "set(set(any))",
    "tuple([])",
    "tuple([any])",
    "tuple([string])",
    "tuple([any, any])",
    "tuple([bool, string])",
    "tuple([list(any)])",
    "tuple([object({a = optional(bool, true)})])",
    "object({})",
    "object({a = any})",
    "object({a = string})",
    "object({a = bool, b = any})",
    "object({a = list(any)})",
    "object({a = set(number)})",
    "object({a = optional(string)})",
    "object({a = optional(string, \"x\")})",
    "object({a = optional(any), b = optional(number, 1)})",
    "object({a = optional(bool, true), b = optional(number)})",
    "object({a = optional(list(string), [])})",
    "object({a = optional(list(any), [true])})",
    "object({a = optional(object({b = optional(bool, true)}), {}), c = optional(string, null)})",
];

fn to(text: &str) -> TypeConstraint {
    text.parse().unwrap()
}

/// All sequences of up to `most` items.
fn sequences<T: Clone>(items: &[T], most: usize) -> Vec<Vec<T>> {
    let mut all = vec![Vec::new()];
    let mut start = 0;
    for _ in 0..most {
        let end = all.len();
        for i in start..end {
            all.extend(
                items
                    .iter()
                    .map(|item| [all[i].as_slice(), std::slice::from_ref(item)].concat())
                    .collect::<Vec<_>>(),
            );
        }
        start = end;
    }
    all
}
