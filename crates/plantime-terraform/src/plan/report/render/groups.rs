//! Groups failures that differ only in their address, so that they share one box.

use std::collections::HashMap;
use std::fmt::{self, Write as _};
use std::hash::{BuildHasher, DefaultHasher, Hash, Hasher, RandomState};

use super::message::truncated_part;
use super::{AnswerKind, TextStyle, list_with_more};
use crate::plan::report::{Failure, PlanReport, TestAnswer, TestVerdict};

/// The maximum number of other addresses that a box lists.
const NAMED: usize = 5;

/// Which failures share a box, as an iterator over the failures of a report: the group for the first failure of each
/// group, whose box is drawn, and `None` for the others.
pub(in crate::plan::report) struct Groups(std::vec::IntoIter<Option<Group>>);

/// The failures that share one box: the resources after the first one, as indexes into the report's resources.
pub(super) struct Group {
    /// The resources after the first one that the box names.
    named: Vec<usize>,
    /// The number of further resources, which the box does not name.
    more: usize,
    /// The last resource: several of its answers may be in the group.
    last: usize,
}

impl Groups {
    /// Groups the failures of a report that the style shows. Compares the texts that would be printed, so that
    /// nothing behind a mark decides which failures are equal. Keeps only the hash of each text: all texts of a large
    /// plan are larger than the plan.
    pub(in crate::plan::report) fn new(report: &PlanReport, style: TextStyle) -> Groups {
        let mut groups: Vec<Option<Group>> = Vec::new();
        let mut first: HashMap<[u64; 2], usize> = HashMap::new();
        // Two random keys: nobody can craft a plan in which different boxes have one hash.
        let hashers = [RandomState::new(), RandomState::new()];
        for (resource, checked) in report.checked.iter().enumerate() {
            for answer in checked.answers.iter().filter(|answer| style.shows(AnswerKind::of(answer))) {
                let TestVerdict::Fail(failure) = &answer.verdict else { continue };
                if answer.is_known {
                    continue;
                }
                let mut hash = TextHash(hashers.each_ref().map(BuildHasher::build_hasher));
                hash.add_failure(checked.address(), answer, failure);
                let hash = hash.0.map(|hasher| hasher.finish());
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

    /// The group of the next failure if its box is to be drawn; `None` if it is in the box of an earlier failure.
    pub(super) fn next(&mut self) -> Option<Group> {
        self.0.next().flatten()
    }
}

/// The hash of the text in a failure's box.
struct TextHash([DefaultHasher; 2]);

impl TextHash {
    /// Adds the text in a failure's box without the resource's address, so that equal failures of different resources
    /// have one hash. The rule's description is left out, since it follows from the rule.
    fn add_failure(&mut self, address: &str, answer: &TestAnswer, failure: &Failure) {
        let TestAnswer { rule, severity, position, .. } = answer;
        for hasher in &mut self.0 {
            (rule, severity, position, failure.has_own_words, failure.values.len()).hash(hasher);
        }
        self.add_text(failure.diagnostics.first().map_or("", |first| &first.summary));
        for (path, value) in &failure.values {
            // By its text: a path may have a key that is marked, which shows nowhere (L5).
            self.add_text(path);
            self.add_text(truncated_part(value).0);
        }
        if let Some(message) = &failure.message {
            return self.add_text(message.strip_prefix(address).unwrap_or(message));
        }
        if failure.has_own_words {
            self.add_text(&answer.path);
            self.add_text(&answer.rest);
            self.add_text(&answer.claim);
        }
        for diagnostic in &failure.diagnostics {
            self.add_text(diagnostic.detail.strip_prefix(address).unwrap_or(&diagnostic.detail));
        }
    }

    /// Adds a text and a byte that no text contains, so that the same characters divided into other texts give
    /// another hash.
    fn add_text(&mut self, text: impl fmt::Display) {
        let _ = write!(self, "{text}");
        self.0.iter_mut().for_each(|hasher| hasher.write_u8(u8::MAX));
    }
}

impl fmt::Write for TextHash {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.iter_mut().for_each(|hasher| hasher.write(text.as_bytes()));
        Ok(())
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

    /// The line that lists the other resources, such as `Also: aws_subnet.a, aws_subnet.b and 38 more`; `None` if
    /// there are none.
    pub(super) fn other_addresses(&self, report: &PlanReport) -> Option<String> {
        let named = self.named.iter().filter_map(|resource| report.checked.get(*resource));
        let named: Vec<String> = named.map(|checked| checked.address().to_owned()).collect();
        (!named.is_empty()).then(|| format!("Also: {}", list_with_more(&named, self.more)))
    }
}
