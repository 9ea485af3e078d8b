//! Many patterns of addresses, found by the resource that they may match.

use std::collections::HashMap;

use super::{AddressPattern, Key, Segment, parse_modules};
use crate::plan::change::{Mode, ResourceChange};
use plantime::Value;

/// Patterns by what they say literally, so that a resource is compared with few of them: each has a position.
#[derive(Debug, Default)]
pub(in crate::plan) struct PatternIndex {
    /// The positions of the patterns whose type has no wildcard, by what they say of type, module, name and key.
    literal: HashMap<Part, Vec<usize>>,
    /// The positions of the others.
    others: Vec<usize>,
}

/// What a pattern says literally.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Part {
    mode: Mode,
    type_name: String,
    module: ModulePart,
    /// The name of the resource and its instance key; `None` if the pattern leaves it open.
    resource: Option<(String, Option<String>)>,
}

/// What a pattern says literally of the module.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum ModulePart {
    /// Nothing.
    Open,
    /// The names of the calls.
    Names(Vec<String>),
    /// The names with a key each, or none.
    Instances(Vec<(String, Option<String>)>),
}

impl PatternIndex {
    /// The index of patterns, each with the position that it is found by, in ascending order.
    pub(in crate::plan) fn new<'p>(
        patterns: impl IntoIterator<Item = (usize, &'p AddressPattern)>,
    ) -> PatternIndex {
        let mut index = PatternIndex::default();
        for (position, pattern) in patterns {
            match Part::of_pattern(pattern) {
                Some(part) => index.literal.entry(part).or_default().push(position),
                None => index.others.push(position),
            }
        }
        index
    }

    /// The positions of the patterns that may match a resource, in ascending order: all that do are among them.
    pub(in crate::plan) fn candidates(&self, change: &ResourceChange) -> Vec<usize> {
        let mut found = self.others.clone();
        if self.literal.is_empty() {
            return found;
        }
        let modules = change.module_address.as_deref().map_or(Some(Vec::new()), parse_modules);
        let modules = modules.unwrap_or_default();
        let key = change.index.as_ref().map(|key| match key.as_str() {
            Ok(text) => key_part(&Key::Text(text.to_owned())),
            Err(_) => key.to_string(),
        });
        let instances = |segment: &Segment| (segment.name.clone(), segment.key.as_ref().map(key_part));
        let names = ModulePart::Names(modules.iter().map(|segment| segment.name.clone()).collect());
        let instances = ModulePart::Instances(modules.iter().map(instances).collect());
        let mut part = Part {
            mode: change.mode,
            type_name: change.type_name.to_string(),
            module: ModulePart::Open,
            resource: None,
        };
        for module in [ModulePart::Open, names, instances] {
            part.module = module;
            let mut resources = vec![None, Some((change.name.to_string(), None))];
            resources.extend(key.as_ref().map(|key| Some((change.name.to_string(), Some(key.clone())))));
            for resource in resources {
                part.resource = resource;
                found.extend(self.literal.get(&part).into_iter().flatten());
            }
        }
        found.sort_unstable();
        found
    }
}

impl Part {
    /// The parts of a pattern without wildcards, under which the index finds it; `None` if its type has a wildcard.
    fn of_pattern(pattern: &AddressPattern) -> Option<Part> {
        let is_open = |name: &str| name.contains('*');
        if is_open(&pattern.type_name) {
            return None;
        }
        let resource = pattern.resource.as_ref().filter(|resource| !is_open(&resource.name));
        let module = match &pattern.modules {
            Some(modules) if !modules.iter().any(|segment| is_open(&segment.name)) => {
                let key =
                    |segment: &Segment| segment.key.as_ref().filter(|key| **key != Key::Any).map(key_part);
                // A module without a key stands for each of its instances.
                match modules.iter().all(|segment| key(segment).is_some()) && !modules.is_empty() {
                    true => {
                        ModulePart::Instances(modules.iter().map(|of| (of.name.clone(), key(of))).collect())
                    }
                    false => ModulePart::Names(modules.iter().map(|of| of.name.clone()).collect()),
                }
            }
            _ => ModulePart::Open,
        };
        Some(Part {
            mode: pattern.mode,
            type_name: pattern.type_name.clone(),
            module,
            resource: resource.map(|resource| {
                let key = resource.key.as_ref().filter(|key| **key != Key::Any);
                (resource.name.clone(), key.map(key_part))
            }),
        })
    }
}

/// An instance key as text: a number is not the text with its digits.
fn key_part(key: &Key) -> String {
    match key {
        Key::Any => "*".to_owned(),
        Key::Index(index) => index.to_string(),
        // As values hold it, in normalization form C.
        Key::Text(text) => format!("\"{}", Value::from(text).as_str().unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Plan;
    use plantime_schema::ProviderSchemas;
    use serde_json::json;

    #[test]
    fn what_matches_is_found() {
        let patterns = [
            "x_y",
            "data.x_y",
            "x_*",
            "*.a",
            "x_y.a",
            "x_y.a[*]",
            "x_y.a[0]",
            "x_y.a[\"0\"]",
            "x_y.a[\"k\"]",
            "x_y.*",
            "x_z.a",
            "module.m",
            "module.m.x_y.a",
            "module.m[*].x_y.a",
            "module.m[\"k\"].x_y.a",
            "module.m[0].x_y.*",
            "module.*.x_y.a[0]",
            "module.m[\"k\"].module.n.x_y.a",
            "module.m.module.n[0].x_y.a",
            "module.m[\"k\"].module.n[0].x_y.a",
            "module.m[*].module.n[0].data.x_y.a",
        ];
        let patterns: Vec<AddressPattern> = patterns.iter().map(|text| text.parse().unwrap()).collect();
        let index = PatternIndex::new(patterns.iter().enumerate());
        let modules = [
            None,
            Some("module.m"),
            Some("module.m[\"k\"]"),
            Some("module.m[0]"),
            Some("module.m[\"k\"].module.n"),
            Some("module.m[\"k\"].module.n[0]"),
            Some("module.m.module.n[0]"),
            Some("module.o"),
        ];
        let (mut resources, mut found) = (Vec::new(), Vec::new());
        for module in modules {
            for (mode, ty) in [("managed", "x_y"), ("data", "x_y"), ("managed", "x_z"), ("managed", "q")] {
                for (name, key) in [
                    ("a", json!(null)),
                    ("a", json!(0)),
                    ("a", json!("0")),
                    ("a", json!("k")),
                    ("b", json!(1)),
                ] {
                    let mut resource = json!({"address": format!("{}", resources.len()), "mode": mode, "type": ty, "name": name,
                        "provider_name": "p", "change": {"actions": ["no-op"], "before": {}, "after": {}}});
                    if let Some(module) = module {
                        resource["module_address"] = module.into();
                    }
                    if !key.is_null() {
                        resource["index"] = key;
                    }
                    resources.push(resource);
                }
            }
        }
        let plan = json!({"format_version": "1.2", "resource_changes": resources});
        let plan = Plan::read(plan.to_string().as_bytes(), &ProviderSchemas::new()).unwrap();
        for change in &plan.resource_changes {
            let matching = |at: &usize| patterns[*at].matches(change);
            let all: Vec<usize> = (0..patterns.len()).filter(matching).collect();
            let candidates = index.candidates(change);
            assert!(candidates.is_sorted() && candidates.windows(2).all(|pair| pair[0] != pair[1]));
            assert_eq!(candidates.into_iter().filter(matching).collect::<Vec<_>>(), all, "{change:?}");
            found.extend(all);
        }
        assert!(found.len() > 200, "{}", found.len());
    }
}
