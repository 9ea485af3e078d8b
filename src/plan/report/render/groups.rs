//! Groups failures that differ only in their address, so that they share one box.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use super::message::Message;
use super::{AnswerKind, TextStyle, list_with_more};
use crate::plan::report::{PlanReport, TestVerdict};

/// How many of the other addresses a box names.
const NAMED: usize = 5;

/// For each failure that is shown, in the order of the answers: its group, if its box is the one that is drawn.
pub(super) struct Groups(std::vec::IntoIter<Option<Group>>);

/// Failures that share a box. Resources are named by their position in the report.
pub(super) struct Group {
    /// The resources after the first, as far as they are named.
    named: Vec<usize>,
    more: usize,
    /// The last resource: several of its answers may be in the group.
    last: usize,
}

impl Groups {
    /// Groups the shown failures of a report. Compares the texts that would be printed, so that nothing behind a mark decides
    /// which failures are equal. Keeps only the hash of each text: all texts of a large plan are larger than the plan.
    pub(super) fn new(report: &PlanReport, style: TextStyle) -> Groups {
        let mut groups: Vec<Option<Group>> = Vec::new();
        let mut first: HashMap<[u64; 2], usize> = HashMap::new();
        // Two random keys: nobody can craft a plan in which different boxes have one hash.
        let hashers = [RandomState::new(), RandomState::new()];
        for (resource, checked) in report.checked.iter().enumerate() {
            for answer in checked.answers.iter().filter(|answer| style.shows(AnswerKind::of(answer))) {
                let TestVerdict::Fail(failure) = &answer.verdict else { continue };
                let description = report.description(&answer.rule);
                let message = Message::failure(&checked.address, answer, failure, description);
                let text = message.without_address(&checked.address);
                let hash = hashers.each_ref().map(|hasher| hasher.hash_one(&text));
                match first.get(&hash).and_then(|at| groups.get_mut(*at)?.as_mut()) {
                    Some(group) => {
                        group.add_resource(resource);
                        groups.push(None);
                    }
                    None => {
                        first.insert(hash, groups.len());
                        groups.push(Some(Group { named: Vec::new(), more: 0, last: resource }));
                    }
                }
            }
        }
        Groups(groups.into_iter())
    }

    /// The group of the next failure, if its box is to be drawn.
    pub(super) fn next(&mut self) -> Option<Group> {
        self.0.next().flatten()
    }
}

impl Group {
    /// Adds a resource that has the same failure.
    fn add_resource(&mut self, resource: usize) {
        if self.last == resource {
            return;
        }
        self.last = resource;
        if self.named.len() < NAMED {
            self.named.push(resource);
        } else {
            self.more = self.more.saturating_add(1);
        }
    }

    /// `Also: aws_subnet.a, aws_subnet.b and 38 more`
    pub(super) fn other_addresses(&self, report: &PlanReport) -> Option<String> {
        let named = self.named.iter().filter_map(|resource| report.checked.get(*resource));
        let named: Vec<String> = named.map(|checked| checked.address.clone()).collect();
        (!named.is_empty()).then(|| format!("Also: {}", list_with_more(&named, self.more)))
    }
}
