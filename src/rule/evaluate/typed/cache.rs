//! Caches the compiled forms of a rule, one for each of the first types that it is evaluated on.

use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::rule::{PathExpr, Rule};
use crate::types::Type;

use super::{TypedRule, compile};

/// The maximum number of types for which a rule is compiled. On values of further types it is evaluated uncompiled.
const TYPES: usize = 4;

/// A cache of the compiled forms of one or several rules, stored beside the rules. Filled when the rules are evaluated
/// for the second time.
#[derive(Default)]
pub(in crate::rule) struct TypedRules {
    /// Whether the rules were evaluated before: compiling takes longer than the one evaluation that many rules get.
    asked: AtomicBool,
    /// The first entry of a linked list; empty until the second evaluation.
    first: OnceLock<Box<Entry>>,
}

/// One compiled form: rules on the values that a path leads to, for one type of the value that the path starts from. An
/// item of a linked list.
struct Entry {
    path: PathExpr,
    ty: Type,
    /// The compiled rules; `None` if they cannot be compiled, so that it is not tried again.
    rules: Option<Box<[TypedRule]>>,
    next: OnceLock<Box<Entry>>,
}

impl TypedRules {
    /// The compiled forms of `rules` for values of a type, one for each rule. `None` at the first call, if they cannot
    /// be compiled, and if the cache is full.
    pub(in crate::rule) fn of_values(&self, rules: &[Rule], ty: &Type) -> Option<&[TypedRule]> {
        self.get(&PathExpr::new(), ty, || compile::rules(rules, ty))
    }

    /// The compiled form of a rule at a path, for values of a type that the path starts from. `None` at the first call,
    /// if it cannot be compiled, and if the cache is full.
    pub(in crate::rule) fn at_path(&self, rule: &Rule, path: &PathExpr, ty: &Type) -> Option<&TypedRule> {
        self.get(path, ty, || compile::rule_at(path, rule, ty))?.first()
    }

    /// The cached entry for a path and a type; `compile` makes a missing one. `None` at the first call, if `compile`
    /// returns `None`, and if [`TYPES`] other entries are cached.
    fn get(
        &self,
        path: &PathExpr,
        ty: &Type,
        compile: impl Fn() -> Option<Box<[TypedRule]>>,
    ) -> Option<&[TypedRule]> {
        if !self.asked.load(Ordering::Relaxed) {
            self.asked.store(true, Ordering::Relaxed);
            return None;
        }
        let new = || {
            Box::new(Entry { path: path.clone(), ty: ty.clone(), rules: compile(), next: OnceLock::new() })
        };
        let mut place = &self.first;
        for _ in 0..TYPES {
            let entry = place.get_or_init(new);
            if entry.ty == *ty && entry.path == *path {
                return entry.rules.as_deref();
            }
            place = &entry.next;
        }
        None
    }
}

impl fmt::Debug for TypedRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TypedRules")
    }
}
