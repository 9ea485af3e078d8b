//! An upper bound of two sets.

use std::cmp::Ordering;

use crate::refinement::{LengthRange, Nullness, Refinement};
use crate::types::{SetType, Type};

use super::finite;
use crate::value::equality::{is_always_null, may_be_null};
use crate::value::join::members;
use crate::value::repr::Container;
use crate::value::{Value, order, range, refined, set};

/// Up to this many members, an unknown set of exact length is looked at as that many unknown members.
const EXPANDED: u64 = 4;

/// The members of a set that is not null.
struct Members<'a> {
    known: &'a [Value],
    undecided: Vec<Value>,
    length: (u64, u64),
}

impl<'a> Members<'a> {
    fn of(value: &'a Value) -> Option<Members<'a>> {
        match value.container() {
            Some(Container::Set(node)) => {
                Some(Members { known: &node.known, undecided: node.undecided.to_vec(), length: node.length })
            }
            Some(_) => None,
            None => {
                let refinement = value.refinement().filter(|all| all.nullness() == Nullness::NotNull)?;
                let length = refinement.length_range()?.exact().filter(|length| *length <= EXPANDED)?;
                let Type::Set(ty) = value.ty() else { return None };
                let undecided = vec![Value::unknown(ty.element().clone()); usize::try_from(length).ok()?];
                Some(Members { known: &[], undecided, length: (length, length) })
            }
        }
    }

    fn count(&self) -> usize {
        self.known.len().saturating_add(self.undecided.len())
    }

    fn all(&self) -> impl Iterator<Item = &Value> {
        self.known.iter().chain(&self.undecided)
    }

    /// Whether the set may have null and nothing else.
    fn may_be_null_alone(&self) -> bool {
        self.length.0 <= 1 && self.all().all(may_be_null)
    }
}

/// Two sets that are joined.
struct Both<'a> {
    a: Members<'a>,
    b: Members<'a>,
    /// The members that both have for certain.
    always: Vec<Value>,
}

/// A set of the members that both have for certain, and of as many others as the larger one may have, each of which
/// may be what any member of the two may be. `None` where one is empty and the other is not, or much larger, and for
/// what is no set of certain members.
///
/// There is no least set: `{1, 5}` and `{2, 6}` are held by a set of one in `[1, 2]` and one in `[5, 6]`, and by a set of
/// one in `[1, 6]` and one in `[2, 5]`, and what both of these hold is no set that can be written down. So no upper
/// bound is monotone and also gives back a set joined with itself; which pairs would say most is not looked for.
pub(in crate::value) fn sets(a: &Value, b: &Value, ty: SetType) -> Option<Value> {
    if let Some(least) = finite::join(a, b, &ty) {
        return Some(least);
    }
    let both = Both::of(a, b, &ty)?;
    let any = both.any(&ty)?;
    both.with(&any, ty)
}

// Apart from each other: deep values come through `any`, and each frame counts in a debug build.

impl<'a> Both<'a> {
    #[inline(never)]
    fn of(a: &'a Value, b: &'a Value, ty: &SetType) -> Option<Both<'a>> {
        let same_type = a.ty() == b.ty();
        let (a, b) = (Members::of(a)?, Members::of(b)?);
        // So that the work is in proportion to the smaller one.
        let room = |count: usize| count.saturating_mul(2).saturating_add(8);
        let (in_a, in_b) = (a.count(), b.count());
        if in_a == 0 || in_b == 0 || in_a > room(in_b) || in_b > room(in_a) {
            return None;
        }
        let always = if same_type {
            common(a.known, b.known)
        } else {
            let null = [a.known, b.known].iter().all(|known| known.iter().any(Value::is_null));
            vec![Value::null(ty.element().clone()); usize::from(null)]
        };
        Some(Both { a, b, always })
    }

    /// The join of all members of both sets.
    #[inline(never)]
    fn any(&self, ty: &SetType) -> Option<Value> {
        // Each member once: with one more at every level the work would double with each.
        let mut all = self.a.all().chain(self.b.all());
        let mut joined = all.next()?.clone();
        for member in all {
            joined = members(&joined, member, ty);
        }
        Some(joined)
    }

    #[inline(never)]
    fn with(self, any: &Value, ty: SetType) -> Option<Value> {
        let Both { a, b, always: mut all } = self;
        let least = a.length.0.min(b.length.0);
        let most = a.length.1.max(b.length.1);
        let mut more = usize::try_from(most).ok()?.saturating_sub(all.len());
        // One null is all the nulls of a set.
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

/// The known members that both sets have.
fn common(a: &[Value], b: &[Value]) -> Vec<Value> {
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

fn not_null(value: &Value) -> Value {
    let refinement = match value {
        Value::Unknown(_) => Refinement::any(),
        Value::Refined(_) if !is_always_null(value) => range::of(value).refinement().clone(),
        _ => return value.clone(),
    };
    refined::canonical(value.ty(), refinement.and_not_null())
}
