//! Collections whose members may not all be there.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use plantime::{LengthRange, Marks, Type, Value};

use super::dependencies::Dependency;

/// A collection of which it may be unknown which members are there: the resources of an incomplete plan, or what an unknown `if`
/// selects.
pub struct Members {
    items: Vec<Member>,
    further: Option<Further>,
    marks: Marks,
    shape: Shape,
    /// The value of the whole, once it was asked for.
    value: OnceLock<Value>,
    /// The marks of the whole and of all in it, once they were asked for.
    all_marks: OnceLock<Marks>,
    /// Whether several expressions use it, so that an index pays.
    is_shared: bool,
    /// The number of members that are there for certain, once it was asked for.
    certain_count: OnceLock<usize>,
    /// The indexes by the path from a member to the indexed value.
    indexes: Mutex<HashMap<Box<str>, Arc<Index>>>,
    /// What expressions made of the collection that depend on nothing else, by their text.
    derived: Mutex<HashMap<Box<str>, Derived>>,
}

/// What an expression made of a collection.
#[derive(Clone)]
pub(super) struct Derived {
    pub(super) members: Arc<Members>,
    /// Whether the expression may fail for some values of the unknowns.
    pub(super) may_fail: bool,
    /// The marks of what it used.
    pub(super) used_marks: Marks,
}

/// The maximum number of expressions whose results one collection keeps.
const MAX_DERIVED: usize = 256;

/// What a complete collection is as a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Tuple,
    /// A list of distinct elements of this type.
    List(Type),
    /// A set of elements of this type.
    Set(Type),
}

/// A member of [`Members`].
#[derive(Clone, Debug)]
pub struct Member {
    /// The value of the member, if it is there.
    pub value: Value,
    /// Whether the member is there for certain.
    pub is_certain: bool,
    /// The name of the value. Parts of two values with one origin are equal, even while they are unknown.
    pub origin: Option<Dependency>,
}

/// Members that may be there beside the listed ones.
#[derive(Clone, Debug)]
pub struct Further {
    /// What is known of each of them.
    pub value: Value,
    /// How many of them there are.
    pub count: LengthRange,
}

/// Functions of a scope that give [`Members`].
pub trait MemberFunctions {
    /// The names of the functions.
    fn names(&self) -> &[&str];

    /// The result of a function for the values of its arguments; `None` if it is none of these functions.
    ///
    /// # Errors
    ///
    /// Why the call fails, as the end of a sentence: `the pattern is not constant`.
    fn call(&self, name: &str, arguments: &[Value]) -> Option<Result<Arc<Members>, String>>;
}

impl Member {
    /// A member that is there for certain.
    pub fn certain(value: Value) -> Member {
        Member { value, is_certain: true, origin: None }
    }

    /// A member that may be there.
    pub fn possible(value: Value) -> Member {
        Member { value, is_certain: false, origin: None }
    }

    /// The member with the name of its value.
    #[must_use]
    pub fn of(mut self, origin: Dependency) -> Member {
        self.origin = Some(origin);
        self
    }
}

impl Members {
    /// A collection with these members and no further ones.
    pub fn new(items: Vec<Member>) -> Members {
        Members {
            items,
            further: None,
            marks: Marks::new(),
            shape: Shape::Tuple,
            value: OnceLock::new(),
            all_marks: OnceLock::new(),
            is_shared: true,
            certain_count: OnceLock::new(),
            indexes: Mutex::new(HashMap::new()),
            derived: Mutex::new(HashMap::new()),
        }
    }

    /// The collection with an open end: any number of members may be there beside the listed ones, each like `value`. What an
    /// expression does with them may fail as for `value`.
    #[must_use]
    pub fn with_open_end(self, value: Value) -> Members {
        self.with_further(Some(Further { value, count: LengthRange::at_least(0) }))
    }

    /// The collection with these further members.
    #[must_use]
    pub(super) fn with_further(mut self, further: Option<Further>) -> Members {
        self.further = further.filter(|further| further.count.upper() != Some(0));
        self
    }

    /// The collection with marks: those of what decides which members are there.
    #[must_use]
    pub fn with_marks(mut self, marks: &Marks) -> Members {
        self.marks.extend_from(marks);
        self
    }

    /// The collection as one that several expressions use.
    #[must_use]
    pub(super) fn for_many_uses(mut self) -> Members {
        self.is_shared = true;
        self
    }

    /// The collection as one that a single expression uses.
    #[must_use]
    pub(super) fn for_one_use(mut self) -> Members {
        self.is_shared = false;
        self
    }

    /// Whether several expressions use the collection, so that an index pays.
    pub(super) fn is_shared(&self) -> bool {
        self.is_shared
    }

    /// Whether the members have no order, or the listed order only if all of them are different.
    pub(super) fn is_set(&self) -> bool {
        self.shape != Shape::Tuple
    }

    /// The marks of the collection and of all in it.
    pub(super) fn all_marks(&self) -> &Marks {
        self.all_marks.get_or_init(|| {
            let mut marks = self.marks.clone();
            let further = self.further.as_ref().map(|further| &further.value);
            let values = self.items.iter().map(|member| &member.value).chain(further);
            for value in values.filter(|value| value.contains_marks()) {
                marks.extend_from(&value.unmark_deep().1);
            }
            marks
        })
    }

    /// The collection with another shape.
    #[must_use]
    pub(super) fn with_shape(mut self, shape: Shape) -> Members {
        self.shape = shape;
        self
    }

    /// The members that are or may be there, in order.
    pub fn items(&self) -> &[Member] {
        &self.items
    }

    /// The members that may be there beside these.
    pub fn further(&self) -> Option<&Further> {
        self.further.as_ref()
    }

    /// The marks of what decides which members are there.
    pub fn marks(&self) -> &Marks {
        &self.marks
    }

    /// Whether it is known which members are there.
    pub fn is_complete(&self) -> bool {
        self.further.is_none() && self.certain_count() == self.items.len()
    }

    /// The number of listed members that are there for certain.
    fn certain_count(&self) -> usize {
        *self.certain_count.get_or_init(|| self.items.iter().filter(|member| member.is_certain).count())
    }

    /// Whether it is known which members are there, and what they are.
    pub(super) fn is_wholly_known(&self) -> bool {
        self.is_complete() && self.items.iter().all(|member| member.value.is_wholly_known())
    }

    /// The number of members that there may be.
    pub fn count(&self) -> LengthRange {
        let certain = self.certain_count() as u64;
        let further = self.further.as_ref().map_or(LengthRange::exactly(0), |further| further.count);
        let upper = further.upper().map(|upper| upper.saturating_add(self.items.len() as u64));
        LengthRange::new(certain.saturating_add(further.lower()), upper).unwrap_or_default()
    }

    /// The tuple of the members if the collection is complete; else an unknown with the marks of all.
    pub fn value(&self) -> Value {
        self.value.get_or_init(|| self.built_value()).clone()
    }

    fn built_value(&self) -> Value {
        let values = || self.items.iter().map(|member| &member.value);
        let built = match &self.shape {
            _ if !self.is_complete() => None,
            Shape::Tuple => Value::tuple(values().cloned()).ok(),
            Shape::List(ty) => Value::list_of(ty.clone(), values().cloned()).ok(),
            Shape::Set(ty) => Value::set_of(ty.clone(), values().cloned()).ok(),
        };
        let further = self.further.as_ref().map(|further| &further.value);
        built
            .unwrap_or_else(|| super::evaluate::unknown_with_marks_of(values().chain(further)))
            .with_marks(&self.marks)
    }

    /// What the expression with a text made of the collection; `None` if it is not kept.
    pub(super) fn derived(&self, text: &str) -> Option<Derived> {
        self.derived.lock().unwrap_or_else(PoisonError::into_inner).get(text).cloned()
    }

    /// Keeps what the expression with a text made of the collection.
    pub(super) fn keep_derived(&self, text: &str, derived: Derived) {
        let mut all = self.derived.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() < MAX_DERIVED {
            all.insert(text.into(), derived);
        }
    }

    /// The index by the value at a path of each member, which is built with `build` when it is first asked for.
    pub(super) fn index(&self, path: &str, build: impl FnOnce() -> Index) -> Arc<Index> {
        let lock = || self.indexes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(index) = lock().get(path) {
            return index.clone();
        }
        let index = Arc::new(build());
        lock().insert(path.into(), index.clone());
        index
    }
}

impl fmt::Debug for Members {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Members")
            .field("items", &self.items)
            .field("further", &self.further)
            .field("marks", &self.marks)
            .finish_non_exhaustive()
    }
}

/// Where members are by the known scalar that each has at a path.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// The positions of the members with each value, in order.
    known: HashMap<Value, Vec<usize>>,
    /// The positions of members by the kind of their known values: bools, numbers, strings.
    by_kind: [Vec<usize>; 3],
    /// The positions of the members that have none: it is unknown, null, marked, a container, or missing.
    others: Vec<usize>,
}

/// The kind of a known scalar that is not marked: 0 for bools, 1 for numbers, 2 for strings; `None` for all else.
pub(super) fn scalar_kind(value: &Value) -> Option<usize> {
    match value {
        _ if value.is_marked() || value.is_null() => None,
        _ if value.as_bool().is_ok() => Some(0),
        _ if value.as_number().is_ok() => Some(1),
        _ if value.as_str().is_ok() => Some(2),
        _ => None,
    }
}

impl Index {
    /// The index of members by these values, `None` where a member has none.
    pub(super) fn new(values: impl Iterator<Item = Option<Value>>) -> Index {
        let mut index = Index::default();
        for (position, value) in values.enumerate() {
            let kind = value.as_ref().and_then(scalar_kind).and_then(|kind| index.by_kind.get_mut(kind));
            match (value, kind) {
                (Some(value), Some(kind)) => {
                    kind.push(position);
                    index.known.entry(value).or_default().push(position);
                }
                _ => index.others.push(position),
            }
        }
        index
    }

    /// The positions of the members whose value is known and equals one of these, and of those that have none, in order. Adds those whose
    /// value is of one of these kinds, whatever it is.
    pub(super) fn candidates(&self, values: &[Value], kinds: &[usize]) -> Vec<usize> {
        let mut found = self.others.clone();
        for value in values {
            found.extend(self.known.get(value).into_iter().flatten());
        }
        for kind in kinds {
            found.extend(self.by_kind.get(*kind).into_iter().flatten());
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Whether there is a member of this kind.
    pub(super) fn has_kind(&self, kind: usize) -> bool {
        self.by_kind.get(kind).is_some_and(|positions| !positions.is_empty())
    }
}
