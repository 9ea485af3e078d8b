//! Which member of the prior set each member of a configured set continues.

use std::collections::{BTreeMap, VecDeque};

use plantime::{SetView, Value, View};

use super::layout::{Entry, Layout, null};
use super::origin::may_come_from;

/// The maximum number of index tables. There is one for each choice of computed attributes that the configuration leaves
/// null; more are very rare, and then the attributes that are not computed are the only key.
const TABLES: usize = 64;

/// The maximum number of comparisons of a member that is not wholly known with a prior member.
const PAIRS: usize = 4096;

/// The maximum number of prior members that one member is compared with because their attributes are equal and only
/// their nested objects differ.
const ALIKE: usize = 64;

/// What a member of a configured set continues.
pub(super) enum Prior<'v> {
    /// This member of the prior set.
    Member(&'v Value),
    /// The member continues no prior member.
    Nothing,
    /// Unknown values decide whether the member continues a prior member, and which.
    Undecided,
}

/// The prior member that each member of the configured set continues, in iteration order.
///
/// A member takes the first prior member that may have come from it and that no member before it took. A prior member that
/// an unknown member may turn out to take is contested: each member that could take it gets [`Prior::Undecided`].
pub(super) fn priors<'v>(
    layout: &Layout<'_>,
    prior: &SetView<'v>,
    config: &SetView<'v>,
) -> Vec<(&'v Value, Prior<'v>)> {
    let old: Vec<&Value> = prior.iter().collect();
    if old.is_empty() {
        return config.iter().map(|member| (member, Prior::Nothing)).collect();
    }
    if !prior.not_wholly_known().is_empty() {
        return config.iter().map(|member| (member, Prior::Undecided)).collect();
    }
    let Some(contested) = contested(layout, &old, config.not_wholly_known()) else {
        return config.iter().map(|member| (member, Prior::Undecided)).collect();
    };
    if contested.len().saturating_mul(config.member_count()) > PAIRS.saturating_mul(ALIKE) {
        return config.iter().map(|member| (member, Prior::Undecided)).collect();
    }
    let mut index = Index::new(layout, old);
    let chosen = |member: &'v Value| {
        if !member.is_wholly_known() {
            let candidates = index.places().any(|(_, old)| may_come_from(layout, old, member) != Some(false));
            return (member, if candidates { Prior::Undecided } else { Prior::Nothing });
        }
        let is_contested = |place: &usize| {
            let old = index.old.get(*place);
            old.is_some_and(|old| may_come_from(layout, old, member) == Some(true))
        };
        if contested.iter().any(is_contested) {
            return (member, Prior::Undecided);
        }
        (member, index.take(member))
    };
    config.iter().map(chosen).collect()
}

/// The places of the prior members that a member with unknown parts may turn out to take; `None` if there are too many to
/// compare.
fn contested(layout: &Layout<'_>, old: &[&Value], undecided: &[Value]) -> Option<Vec<usize>> {
    if old.len().saturating_mul(undecided.len()) > PAIRS {
        return None;
    }
    let may_be_taken =
        |old: &Value| undecided.iter().any(|member| may_come_from(layout, old, member) != Some(false));
    Some(old.iter().enumerate().filter(|(_, old)| may_be_taken(old)).map(|(place, _)| place).collect())
}

/// Which attributes are compared, one entry for each attribute of the object: all but computed ones that are null in the
/// configuration.
type Mask = Vec<bool>;

/// The values of the attributes that are compared.
type Key<'v> = Vec<&'v Value>;

/// Prior members by those of their attributes that the configuration decides, so that a set of many blocks is not
/// compared pair by pair.
struct Index<'l, 's, 'v> {
    layout: &'l Layout<'s>,
    old: Vec<&'v Value>,
    taken: Vec<bool>,
    tables: BTreeMap<Mask, BTreeMap<Key<'v>, VecDeque<usize>>>,
}

impl<'l, 's, 'v> Index<'l, 's, 'v> {
    fn new(layout: &'l Layout<'s>, old: Vec<&'v Value>) -> Index<'l, 's, 'v> {
        Index { layout, taken: vec![false; old.len()], old, tables: BTreeMap::new() }
    }

    /// The prior members with their places.
    fn places(&self) -> impl Iterator<Item = (usize, &'v Value)> {
        self.old.iter().copied().enumerate()
    }

    /// Takes the first prior member that is still free and may have come from `member`, which is wholly known.
    fn take(&mut self, member: &'v Value) -> Prior<'v> {
        // A lookup finds the first member that agrees in the nested objects too; those before it are compared one by one.
        let same = self.first(member, Inside::Counts);
        let alike = self.first(member, Inside::IsCompared);
        let place = match (same, alike) {
            (Some(Some(same)), Some(Some(alike))) => Some(same.min(alike)),
            (Some(Some(same)), _) => Some(same),
            (_, Some(alike)) => alike,
            (_, None) => return Prior::Undecided,
        };
        let Some(place) = place else { return Prior::Nothing };
        if let Some(taken) = self.taken.get_mut(place) {
            *taken = true;
        }
        self.old.get(place).map_or(Prior::Nothing, |old| Prior::Member(old))
    }

    /// The place of the first prior member with the same key that may have come from this one; `None` if too many have
    /// the same key.
    fn first(&mut self, member: &'v Value, inside: Inside) -> Option<Option<usize>> {
        let mut mask = mask(self.layout, Some(member), inside);
        if !self.tables.contains_key(&mask) && self.tables.len() >= TABLES {
            mask = self::mask(self.layout, None, inside);
        }
        let key = key(self.layout, &mask, member);
        if !self.tables.contains_key(&mask) {
            let mut table: BTreeMap<Key<'v>, VecDeque<usize>> = BTreeMap::new();
            for (place, old) in self.places() {
                table.entry(self::key(self.layout, &mask, old)).or_default().push_back(place);
            }
            self.tables.insert(mask.clone(), table);
        }
        let Some(places) = self.tables.get_mut(&mask).and_then(|table| table.get_mut(&key)) else {
            return Some(None);
        };
        let is_free = |place: &usize| self.taken.get(*place) == Some(&false);
        while places.front().is_some_and(|place| !is_free(place)) {
            places.pop_front();
        }
        let fits = |place: &usize| {
            let old = self.old.get(*place);
            is_free(place) && old.is_some_and(|old| may_come_from(self.layout, old, member) == Some(true))
        };
        let found = places.iter().copied().take(ALIKE).find(fits);
        if found.is_none() && places.len() > ALIKE { None } else { Some(found) }
    }
}

/// Whether the nested objects of a member are part of its key.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    /// The nested objects are part of the key.
    Counts,
    /// The nested objects are not part of the key: they are compared after the lookup.
    IsCompared,
}

/// For each attribute and nested block type, whether it is part of the key. Left out are attributes that are computed and null
/// in `config` (without `config`, all that are computed), and nested attributes and blocks unless `inside` includes them.
fn mask(layout: &Layout<'_>, config: Option<&Value>, inside: Inside) -> Mask {
    let part = |name: &str| match config.map(Value::view_below_marks) {
        Some(View::Object(object)) => object.get(name),
        _ => None,
    };
    let counts = |(name, entry): (&str, &Entry<'_>)| match entry {
        Entry::Attribute { attribute, nested: None, .. } => {
            !attribute.computed || part(name).is_some_and(|value| null(value) == Some(false))
        }
        Entry::Attribute { nested: Some(_), .. } | Entry::Blocks(_) => inside == Inside::Counts,
    };
    layout.entries().map(counts).collect()
}

/// The values of the attributes and blocks that are part of the key.
fn key<'v>(layout: &Layout<'_>, mask: &Mask, member: &'v Value) -> Key<'v> {
    let View::Object(object) = member.view_below_marks() else { return Key::new() };
    let counted = layout.entries().zip(mask).filter(|(_, counts)| **counts);
    counted.filter_map(|((name, _), _)| object.get(name)).collect()
}
