//! Reads `skip` blocks, and finds the rules that they name.

use std::collections::{BTreeMap, BTreeSet};

use super::{Reader, unknown_name};
use crate::plan::rules::day::Day;
use crate::plan::rules::rules_file::RulesFile;
use crate::plan::rules::skip::{RuleSkip, SkippedNames};
use plantime_hcl::{Argument, Block};

/// The arguments of a `skip` block.
const ARGUMENTS: [&str; 5] = ["address", "ids", "reason", "tags", "until"];

impl Reader {
    /// Reads a `skip` block; `None` after a problem. The rules that it names are found later, as they may be in another file.
    pub(super) fn read_skip(&mut self, block: &Block) -> Option<RuleSkip> {
        let (mut address, mut reason, mut until) = (None, None, None);
        let mut named = SkippedNames::default();
        let mut names_rules = !block.labels.is_empty();
        for attribute in &block.body.arguments {
            match &*attribute.name {
                "address" => address = Some(self.read_address(attribute)),
                "reason" => reason = Some(self.read_text(attribute)),
                "until" => until = Some(self.read_day(attribute)),
                "ids" => (named.ids, names_rules) = (self.read_names(attribute), true),
                "tags" => (named.tags, names_rules) = (self.read_names(attribute), true),
                other => {
                    let message = unknown_name("argument", other, &ARGUMENTS);
                    self.add_problem(attribute, message);
                }
            }
        }
        match block.labels.as_slice() {
            [] => {}
            [label] => named.rule = Some(label.to_string()),
            _ => self.add_problem(block, "`skip` takes one label: skip \"…\""),
        }
        if !names_rules {
            self.add_problem(block, "`skip` names no rule: skip \"RULE\", or `ids` or `tags` in it");
        }
        for inner in &block.body.blocks {
            self.add_problem(inner, format!("`skip` takes {}, and no blocks", ARGUMENTS.join(", ")));
        }
        for (name, missing) in [("address", address.is_none()), ("reason", reason.is_none())] {
            if missing {
                self.add_problem(block, format!("`skip` needs `{name}`"));
            }
        }
        let until = match until {
            None => None,
            Some(day) => Some(day?),
        };
        Some(RuleSkip {
            named,
            rules: Vec::new(),
            address: address??,
            reason: reason??,
            until,
            position: self.position_of(block),
        })
    }

    /// Reads a day.
    fn read_day(&mut self, attribute: &Argument) -> Option<Day> {
        let text = self.read_text(attribute)?;
        match text.parse() {
            Ok(day) => Some(day),
            Err(error) => {
                self.add_problem(&attribute.expression, format!("{error}"));
                None
            }
        }
    }

    /// Finds the rules that each `skip` block names, and reports names, ids and tags that no rule has.
    pub(super) fn resolve_skips(&mut self, read: &mut RulesFile) {
        // Every rule is known by name only if every rule could be read.
        if !self.problems.is_empty() {
            return;
        }
        let (mut names, mut ids, mut tags) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        for (at, rule) in read.rules.iter().enumerate() {
            names.insert(rule.name.as_str(), vec![at]);
            ids.extend(rule.metadata.id.iter().map(|id| (id.as_str(), vec![at])));
            for tag in &rule.metadata.tags {
                tags.entry(tag.as_str()).or_insert_with(Vec::new).push(at);
            }
        }
        let mut problems = Vec::new();
        for skip in &mut read.skips {
            let mut rules = BTreeSet::new();
            let SkippedNames { rule, ids: of_ids, tags: of_tags } = &skip.named;
            let named = rule.iter().map(|name| ("rule", &names, name));
            let named = named.chain(of_ids.iter().map(|id| ("id", &ids, id)));
            for (what, known, name) in named.chain(of_tags.iter().map(|tag| ("tag", &tags, tag))) {
                match known.get(name.as_str()) {
                    Some(found) => rules.extend(found.iter().copied()),
                    None => {
                        let known: Vec<&str> = known.keys().copied().collect();
                        problems.push((skip.position, unknown_name(what, name, &known)));
                    }
                }
            }
            let rules = rules.into_iter().filter_map(|at| Some(read.rules.get(at)?.name.clone()));
            skip.rules = rules.collect();
        }
        for (position, message) in problems {
            self.problems.push(self.source.problem_at(position, message));
        }
    }
}
