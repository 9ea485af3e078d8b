//! The join of two sets: a set that contains every outcome of both.

use std::cmp::Ordering;

use crate::refinement::{LengthRange, Nullness, Refinement};
use crate::types::{SetType, Type};

use super::finite;
use crate::value::equality::{is_always_null, may_be_null};
use crate::value::join::join_members;
use crate::value::repr::Container;
use crate::value::{Value, order, range, refined, set};

/// An unknown set of an exact length up to this is treated as a set of that many unknown members.
const EXPANDED: u64 = 4;

/// The members of a set that is not null, and its minimum and maximum length.
struct JoinMembers<'a> {
    known: &'a [Value],
    not_wholly_known: Vec<Value>,
    length: (u64, u64),
}

impl<'a> JoinMembers<'a> {
    /// The members of a value; `None` if it may be null, is no set, or is an unknown set without a small exact length.
    fn of(value: &'a Value) -> Option<JoinMembers<'a>> {
        match value.container() {
            Some(Container::Set(node)) => Some(JoinMembers {
                known: &node.known,
                not_wholly_known: node.not_wholly_known.to_vec(),
                length: node.length,
            }),
            Some(_) => None,
            None => {
                let refinement = value.refinement().filter(|all| all.nullness() == Nullness::NotNull)?;
                let length = refinement.length_range()?.exact().filter(|length| *length <= EXPANDED)?;
                let Type::Set(ty) = value.ty() else { return None };
                let not_wholly_known =
                    vec![
                        refined::canonical(ty.element().clone(), refinement.element().clone());
                        usize::try_from(length).ok()?
                    ];
                Some(JoinMembers { known: &[], not_wholly_known, length: (length, length) })
            }
        }
    }

    /// The number of members, known and undecided.
    fn count(&self) -> usize {
        self.known.len().saturating_add(self.not_wholly_known.len())
    }

    /// All members, the known ones first.
    fn all(&self) -> impl Iterator<Item = &Value> {
        self.known.iter().chain(&self.not_wholly_known)
    }

    /// Whether the set may turn out to contain only null.
    fn may_be_null_alone(&self) -> bool {
        self.length.0 <= 1 && self.all().all(may_be_null)
    }
}

/// The members of two sets to join.
struct JoinedSets<'a> {
    a: JoinMembers<'a>,
    b: JoinMembers<'a>,
    /// The known members that both sets have.
    always: Vec<Value>,
}

/// An upper bound of two sets: the known members that both have, and, up to the larger maximum length, further members
/// that are each the join of all members of both sets. `None` if one is empty (unless the element type is finite), if
/// one is much larger, or if a value is not a set with members (see [`JoinMembers::of`]).
///
/// A least upper bound does not exist: `{1, 5}` and `{2, 6}` are both outcomes of a set with a member in `[1, 2]` and
/// one in `[5, 6]`, and of a set with a member in `[1, 6]` and one in `[2, 5]`, and the common outcomes of these two
/// are no set that can be represented. So no upper bound is monotone and also gives a set joined with itself back;
/// this one does not search for the best pairs.
pub(in crate::value) fn join_sets(a: &Value, b: &Value, ty: SetType) -> Option<Value> {
    if let Some(least) = finite::join(a, b, &ty) {
        return Some(least);
    }
    let both = JoinedSets::of(a, b, &ty)?;
    let any = both.join_of_members(&ty)?;
    both.build(&any, ty)
}

// Separate functions: deep values are walked through `join_of_members`, and each frame counts in a debug build.

impl<'a> JoinedSets<'a> {
    #[inline(never)]
    /// Collects the members of both sets; `None` as described at [`join_sets`].
    fn of(a: &'a Value, b: &'a Value, ty: &SetType) -> Option<JoinedSets<'a>> {
        let same_type = a.ty() == b.ty();
        let (a, b) = (JoinMembers::of(a)?, JoinMembers::of(b)?);
        // Keeps the work in proportion to the smaller set.
        let room = |count: usize| count.saturating_mul(2).saturating_add(8);
        let (in_a, in_b) = (a.count(), b.count());
        if in_a == 0 || in_b == 0 || in_a > room(in_b) || in_b > room(in_a) {
            return None;
        }
        let always = if same_type {
            common_values(a.known, b.known)
        } else {
            let null = [a.known, b.known].iter().all(|known| known.iter().any(Value::is_null));
            vec![Value::null(ty.element().clone()); usize::from(null)]
        };
        Some(JoinedSets { a, b, always })
    }

    /// The join of all members of both sets.
    #[inline(never)]
    fn join_of_members(&self, ty: &SetType) -> Option<Value> {
        // Visits each member once: one more visit per level of nesting would double the work at each level.
        let mut all = self.a.all().chain(self.b.all());
        let mut joined = all.next()?.clone();
        for member in all {
            joined = join_members(&joined, member, ty);
        }
        Some(joined)
    }

    #[inline(never)]
    /// Builds the joined set, whose further members are all `join_of_members`.
    fn build(self, any: &Value, ty: SetType) -> Option<Value> {
        let JoinedSets { a, b, always: mut all } = self;
        let least = a.length.0.min(b.length.0);
        let most = a.length.1.max(b.length.1);
        let mut more = usize::try_from(most).ok()?.saturating_sub(all.len());
        // A set contains null at most once.
        if !a.may_be_null_alone() && !b.may_be_null_alone() {
            let nullable = usize::from(!all.iter().any(Value::is_null)).min(more);
            more = more.saturating_sub(nullable);
            all.extend(vec![any.clone(); nullable]);
            all.extend(vec![not_null(any); more]);
        } else {
            all.extend(vec![any.clone(); more]);
        }
        let built = set::build(ty, all);
        match built.container() {
            Some(Container::Set(node)) => set::narrow(node, &LengthRange::new(least, Some(most)).ok()?),
            _ => None,
        }
    }
}

/// The values that two sorted slices have in common.
fn common_values(a: &[Value], b: &[Value]) -> Vec<Value> {
    let mut of_b = b.iter().peekable();
    let mut both = Vec::new();
    for x in a {
        while of_b.next_if(|y| order::content(y, x) == Ordering::Less).is_some() {}
        if of_b.next_if(|y| order::content(y, x) == Ordering::Equal).is_some() {
            both.push(x.clone());
        }
    }
    both
}

/// The value refined as not null, if it is an unknown of known type.
fn not_null(value: &Value) -> Value {
    let refinement = match value {
        Value::Unknown(_) => Refinement::any(),
        Value::Refined(_) if !is_always_null(value) => range::of(value).refinement().clone(),
        _ => return value.clone(),
    };
    refined::canonical(value.ty(), refinement.and_not_null())
}
