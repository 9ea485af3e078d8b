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
    /// The positions of the others, by the modules that they begin with.
    others: ModuleNode,
}

/// Patterns that begin with the same modules.
#[derive(Debug, Default)]
struct ModuleNode {
    /// The positions of the patterns of which no further module is literal, by their type; `None`: it has a wildcard.
    patterns: HashMap<Option<String>, Vec<usize>>,
    /// Those with a further module, by its name and its key; `None`: every key.
    below: HashMap<(String, Option<String>), ModuleNode>,
}

impl ModuleNode {
    /// Adds a pattern with its position.
    fn add(&mut self, position: usize, pattern: &AddressPattern) {
        let mut node = self;
        for module in pattern.modules.iter().flat_map(|modules| &modules.first) {
            if module.name.contains('*') {
                break;
            }
            let key = module.key.as_ref().filter(|key| **key != Key::Any).map(key_part);
            node = node.below.entry((module.name.clone(), key)).or_default();
        }
        let is_open = pattern.type_name.contains('*');
        let ty = if is_open { None } else { Some(pattern.type_name.clone()) };
        node.patterns.entry(ty).or_default().push(position);
    }

    /// Adds the positions of the patterns that may match a resource of this type in these modules.
    fn find(&self, type_name: &Option<String>, modules: &[Segment], found: &mut Vec<usize>) {
        let mut nodes = vec![self];
        let mut modules = modules.iter();
        // Each node is visited once at most, and only those whose modules lead to the resource.
        while !nodes.is_empty() {
            for node in &nodes {
                found.extend(node.patterns.get(&None).into_iter().flatten());
                found.extend(node.patterns.get(type_name).into_iter().flatten());
            }
            let Some(module) = modules.next() else { break };
            let every = (module.name.clone(), None);
            let one = module.key.as_ref().map(|key| (module.name.clone(), Some(key_part(key))));
            nodes = nodes
                .into_iter()
                .flat_map(|node| {
                    let one = one.as_ref().and_then(|one| node.below.get(one));
                    node.below.get(&every).into_iter().chain(one)
                })
                .collect();
        }
    }
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
    /// The index of patterns, each with the position that it is found by, in ascending order. Several patterns may have one position.
    pub(in crate::plan) fn new<'p>(
        patterns: impl IntoIterator<Item = (usize, &'p AddressPattern)>,
    ) -> PatternIndex {
        let mut index = PatternIndex::default();
        for (position, pattern) in patterns {
            match Part::of_pattern(pattern) {
                Some(part) => index.literal.entry(part).or_default().push(position),
                None => index.others.add(position, pattern),
            }
        }
        index
    }

    /// The positions of the patterns that may match a resource, in ascending order: all that do are among them.
    pub(in crate::plan) fn candidates(&self, change: &ResourceChange) -> Vec<usize> {
        let modules = change.module_address.as_deref().map_or(Some(Vec::new()), parse_modules);
        let modules = modules.unwrap_or_default();
        let mut found = Vec::new();
        self.others.find(&Some(change.type_name.to_string()), &modules, &mut found);
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
        found.dedup();
        found
    }
}

impl Part {
    /// The parts of a pattern without wildcards, under which the index finds it; `None` if its type has a wildcard, or it has `**`.
    fn of_pattern(pattern: &AddressPattern) -> Option<Part> {
        let is_open = |name: &str| name.contains('*');
        let is_deep = pattern.modules.as_ref().is_some_and(|modules| modules.last.is_some());
        if is_open(&pattern.type_name) || is_deep {
            return None;
        }
        let resource = pattern.resource.as_ref().filter(|resource| !is_open(&resource.name));
        let module = match pattern.modules.as_ref().map(|modules| &modules.first) {
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
            "**",
            "data.*",
            "**.x_y.a",
            "module.m.**",
            "module.m[\"k\"].**",
            "module.m.**.x_y.a[0]",
            "module.m.**.data.*",
            "module.m.**.module.n.x_y.*",
            "module.*.**",
            "**.module.n[0]",
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

    #[test]
    fn skips_of_many_modules_are_found_by_the_module() {
        let patterns: Vec<AddressPattern> =
            (0..1_000).map(|n| format!("module.m{n}.**").parse().unwrap()).collect();
        let index = PatternIndex::new(patterns.iter().enumerate());
        let resource = json!({"address": "module.m7.module.n.x_y.a", "module_address": "module.m7.module.n", "mode": "managed",
            "type": "x_y", "name": "a", "provider_name": "p", "change": {"actions": ["no-op"], "before": {}, "after": {}}});
        let plan = json!({"format_version": "1.2", "resource_changes": [resource]});
        let plan = Plan::read(plan.to_string().as_bytes(), &ProviderSchemas::new()).unwrap();
        assert_eq!(index.candidates(&plan.resource_changes[0]), [7]);
    }
}
