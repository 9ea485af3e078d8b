//! Matches the members of two sets one to one.

use std::collections::BTreeMap;

use plantime::{Value, View};

/// The maximum number of members of a group that are matched one by one. Each is compared with each.
pub(super) const MATCHED: usize = 64;

/// Members of two sets that may match each other: a member of one group never matches a member of another.
#[derive(Default)]
pub(super) struct Group<'v> {
    /// Earlier members without a partner so far.
    pub(super) earlier: Vec<&'v Value>,
    /// Later members that need an earlier member as partner.
    pub(super) later: Vec<&'v Value>,
    /// All later members.
    pub(super) all_later: Vec<&'v Value>,
}

impl Group<'_> {
    /// Whether the group is small enough to compare each member with each.
    pub(super) fn is_small(&self) -> bool {
        self.earlier.len() <= MATCHED
    }
}

/// Splits the members into groups: objects are in one group if they agree in all attributes that are wholly known in every
/// earlier object. So blocks whose ids are not known yet are matched by their arguments. With `together` there is one group.
pub(super) fn groups(whole: Group<'_>, together: bool) -> Vec<Group<'_>> {
    let names = if together { Vec::new() } else { known_attributes(&whole.earlier) };
    if names.is_empty() {
        return vec![whole];
    }
    let key = |member: &'_ Value| -> Vec<Value> {
        let View::Object(object) = member.view_below_marks() else { return Vec::new() };
        names.iter().filter_map(|name| object.get(name).cloned()).collect()
    };
    let mut groups: BTreeMap<Vec<Value>, Group<'_>> = BTreeMap::new();
    for member in whole.earlier {
        groups.entry(key(member)).or_default().earlier.push(member);
    }
    for member in whole.later {
        groups.entry(key(member)).or_default().later.push(member);
    }
    for member in whole.all_later {
        groups.entry(key(member)).or_default().all_later.push(member);
    }
    groups.into_values().collect()
}

/// The names of the attributes that are wholly known in every one of these objects.
fn known_attributes<'v>(members: &[&'v Value]) -> Vec<&'v str> {
    let Some((View::Object(first), rest)) =
        members.split_first().map(|(first, rest)| (first.view_below_marks(), rest))
    else {
        return Vec::new();
    };
    let is_known = |member: &Value, name: &str| match member.view_below_marks() {
        View::Object(object) => object.get(name).is_some_and(Value::is_wholly_known),
        _ => false,
    };
    let known = first.iter().filter(|(_, value)| value.is_wholly_known()).map(|(name, _)| name);
    known.filter(|name| rest.iter().all(|member| is_known(member, name))).collect()
}

/// The rows that are left over when each row gets one of its possible places and no place is used twice. A maximum matching
/// by augmenting paths, so as few as possible are left over.
pub(super) fn unassigned(rows: &[Vec<usize>], places: usize) -> Vec<usize> {
    let mut holders: Vec<Option<usize>> = vec![None; places];
    let is_left = |row: &usize| !assign(*row, rows, &mut holders, &mut vec![false; places]);
    (0..rows.len()).filter(is_left).collect()
}

/// Gives a row a place, and other places to the rows that lose theirs; false if that is impossible.
fn assign(row: usize, rows: &[Vec<usize>], holders: &mut [Option<usize>], seen: &mut [bool]) -> bool {
    let Some(places) = rows.get(row) else { return false };
    places.iter().any(|&place| {
        let Some(visited) = seen.get_mut(place) else { return false };
        if std::mem::replace(visited, true) {
            return false;
        }
        let holder = holders.get(place).copied().flatten();
        if holder.is_some_and(|holder| !assign(holder, rows, holders, seen)) {
            return false;
        }
        if let Some(held) = holders.get_mut(place) {
            *held = Some(row);
        }
        true
    })
}
