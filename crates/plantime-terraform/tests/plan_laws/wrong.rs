//! Violations of a law, counted by what they are about.

use std::collections::BTreeMap;

/// Violations, each with an example.
#[derive(Default)]
pub(crate) struct Wrong(BTreeMap<String, (usize, String)>);

impl Wrong {
    /// Counts a violation; the first example of its kind is kept.
    pub(crate) fn add(&mut self, kind: String, example: impl FnOnce() -> String) {
        self.0.entry(kind).or_insert_with(|| (0, example())).0 += 1;
    }

    /// Fails if there are any.
    #[track_caller]
    pub(crate) fn assert_none(self, law: &str) {
        if self.0.is_empty() {
            return;
        }
        let total: usize = self.0.values().map(|(count, _)| count).sum();
        let mut rows: Vec<_> = self.0.into_iter().collect();
        rows.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
        let more = rows.len().saturating_sub(limit());
        let rows: Vec<String> = rows
            .into_iter()
            .take(limit())
            .map(|(kind, (count, example))| format!("{count:6}  {kind}\n        {example}"))
            .collect();
        panic!("{law}: {total} violations\n{}\n(and {more} kinds more)", rows.join("\n"));
    }
}

/// How many kinds of violations are shown: `PLAN_LAWS_SHOW`, or 40.
fn limit() -> usize {
    std::env::var("PLAN_LAWS_SHOW").ok().and_then(|count| count.parse().ok()).unwrap_or(40)
}
