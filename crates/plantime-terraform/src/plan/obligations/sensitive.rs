//! What a plan marks as sensitive, kept for the values of the state: who wrote the state may not know of the marks.

use std::collections::{BTreeMap, BTreeSet};

use super::{Obligation, Obligations};
use crate::plan::condition::RecordedFacts;
use crate::plan::report::PlanReport;
use plantime::{Mark, Path, Step, Value, View};

impl PlanReport {
    /// The places that the plan marks, before or after, in the resources and outputs that obligations are about.
    pub(super) fn marked_places(
        &self,
        obligations: &[Obligation],
        facts: Option<&RecordedFacts>,
    ) -> BTreeMap<String, Vec<Path>> {
        let of_conditions: Vec<String> = facts.into_iter().flat_map(RecordedFacts::addresses).collect();
        let mut addresses: BTreeSet<&str> = of_conditions.iter().map(String::as_str).collect();
        for obligation in obligations {
            addresses.insert(&obligation.address);
            addresses.extend(obligation.compared_with().map(|place| &*place.address));
        }
        let mut all = BTreeMap::new();
        let changes = self.condition_facts.iter().flat_map(|facts| facts.all_changes());
        for change in changes.filter(|change| addresses.contains(&*change.address)) {
            let mut places = BTreeMap::new();
            for side in [&change.change.before, &change.change.after].into_iter().flatten() {
                add_marked(side, &Path::new(), &mut places);
            }
            if !places.is_empty() {
                all.insert(change.address.clone(), places.into_values().collect());
            }
        }
        for checked in self.checked.iter().filter(|checked| addresses.contains(checked.address())) {
            let mut places = BTreeMap::new();
            match checked.change() {
                Some(resource) => {
                    let change = &resource.change;
                    for side in [&change.before, &change.after].into_iter().flatten() {
                        add_marked(side, &Path::new(), &mut places);
                    }
                }
                None => {
                    for shown in &checked.shown {
                        for side in [shown.before.as_ref(), Some(&shown.after)].into_iter().flatten() {
                            add_marked(side, &Path::new(), &mut places);
                        }
                    }
                }
            }
            if !places.is_empty() {
                all.insert(checked.address().to_owned(), places.into_values().collect());
            }
        }
        all
    }
}

/// Adds the outermost marked places of a value by their text. A list or set counts as a whole: its elements may be at other
/// positions after the apply.
fn add_marked(value: &Value, at: &Path, places: &mut BTreeMap<String, Path>) {
    if !value.contains_marks() {
        return;
    }
    let add_part = |step: Step, part: &Value, places: &mut BTreeMap<String, Path>| {
        let mut inner = at.clone();
        inner.push(step);
        add_marked(part, &inner, places);
    };
    match value.view() {
        View::Object(object) => {
            object.iter().for_each(|(name, part)| add_part(Step::attr(name), part, places));
        }
        View::Map(map) => map.iter().for_each(|(key, part)| add_part(Step::index(key), part, places)),
        _ => drop(places.insert(at.to_string(), at.clone())),
    }
}

impl Obligations {
    /// The value of a resource or output in a state, with what the plan marked there marked too.
    pub(super) fn hidden_as_in_plan(&self, value: Value, address: &str) -> Value {
        match self.sensitive.get(address) {
            None => value,
            Some(places) => hidden_at(&value, &places.iter().map(Path::steps).collect::<Vec<_>>()),
        }
    }
}

/// The value with the places marked that these steps lead to. Where the value is of another kind than the plan's was, it is
/// marked as a whole.
fn hidden_at(value: &Value, places: &[&[Step]]) -> Value {
    if places.is_empty() || value.is_marked() {
        return value.clone();
    }
    let mut below: BTreeMap<&str, Vec<&[Step]>> = BTreeMap::new();
    for place in places {
        let name = place.split_first().and_then(|(first, rest)| Some((name(first)?, rest)));
        let Some((name, rest)) = name else { return value.clone().mark(Mark::SENSITIVE) };
        below.entry(name).or_default().push(rest);
    }
    match value.view() {
        View::Object(_) | View::Map(_) => value.rebuilt(&mut |step, part| {
            let places = name(&step).and_then(|name| below.get(name));
            places.map_or_else(|| part.clone(), |places| hidden_at(part, places))
        }),
        View::Null(_) | View::Unknown(_) | View::Dynamic => value.clone(),
        _ => value.clone().mark(Mark::SENSITIVE),
    }
}

/// The name of the attribute, or the key of the map, that a step leads to.
fn name(step: &Step) -> Option<&str> {
    match step {
        Step::Attr(name) => Some(name.as_str()),
        Step::Index(key) => key.as_str().ok(),
    }
}
