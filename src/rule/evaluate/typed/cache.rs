//! The compiled forms of a rule, one for each of the first types that it is evaluated on.

use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::rule::{PathExpr, Rule};
use crate::types::Type;

use super::{TypedRule, compile};

/// For how many types a rule is compiled. On values of other types it is evaluated as it is.
const TYPES: usize = 4;

/// The compiled forms of one or several rules. They stand beside the rules, so that whoever evaluates a rule on many
/// values gets them without asking.
#[derive(Default)]
pub(in crate::rule) struct TypedRules {
    /// Whether the rules were asked for before: compiling takes longer than the one evaluation that many rules get.
    asked: AtomicBool,
    first: OnceLock<Box<Entry>>,
}

/// The rules at the end of a path, compiled for the type that the path starts from.
struct Entry {
    path: PathExpr,
    ty: Type,
    /// `None` where they cannot be compiled.
    rules: Option<Box<[TypedRule]>>,
    next: OnceLock<Box<Entry>>,
}

impl TypedRules {
    /// Rules on values of a type, compiled. `None` at the first call, and where they cannot be compiled.
    pub(in crate::rule) fn of_values(&self, rules: &[Rule], ty: &Type) -> Option<&[TypedRule]> {
        self.get(&PathExpr::new(), ty, || compile::rules(rules, ty))
    }

    /// A rule at the end of a path in values of a type, compiled. `None` as above.
    pub(in crate::rule) fn at_path(&self, rule: &Rule, path: &PathExpr, ty: &Type) -> Option<&TypedRule> {
        self.get(path, ty, || compile::rule_at(path, rule, ty))?.first()
    }

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
