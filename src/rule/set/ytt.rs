//! Writes reports in the format of ytt.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::path::Path;

use super::Report;

impl Report {
    /// The violations as ytt writes them. `(by: …)` is left out if the position of a rule is not known.
    ///
    /// ```text
    ///   <path>
    ///     - must be: <description> (by: <rule position>)
    ///       found: <result>
    /// <blank line>
    /// ```
    ///
    /// The path is that of the element at fault. Undetermined rules are left out.
    pub fn ytt(&self) -> String {
        self.ytt_with(|_| None)
    }

    /// As [`ytt`](Report::ytt), with a line `from: <value position>` below each path whose position the function knows.
    ///
    /// ```
    /// use plantime::rule::Rule;
    /// use plantime::rule::set::{RuleSet, RuledType};
    /// use plantime::{Type, value};
    ///
    /// let ty = RuledType::new("object({ port = number })".parse::<Type>()?)
    ///     .at("port", RuleSet::new([Rule::max(9)]).written_at("schema.yml:3"))?;
    /// let report = ty.check(&value!({ "port": 10 })?)?;
    /// let text = report.ytt_with(|_| Some("values.yml:1".to_owned()));
    /// assert_eq!(text.lines().collect::<Vec<_>>(), [
    ///     "  port",
    ///     "    from: values.yml:1",
    ///     "    - must be: a value <= 9 (by: schema.yml:3)",
    ///     "      found: value > 9",
    ///     "",
    /// ]);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn ytt_with(&self, position: impl Fn(&Path) -> Option<String>) -> String {
        // The paths in order of their first violation.
        let mut order: Vec<&Path> = Vec::new();
        let mut lines: BTreeMap<&Path, String> = BTreeMap::new();
        for answer in self.violations() {
            for (diagnostic, wording) in answer.outcome.diagnostics().iter().zip(&answer.wordings) {
                let text = lines.entry(&diagnostic.path).or_insert_with(|| {
                    order.push(&diagnostic.path);
                    String::new()
                });
                let by = answer.from.as_ref().map_or_else(String::new, |from| format!(" (by: {from})"));
                // Writing into a String cannot fail.
                let _ = writeln!(text, "    - must be: {}{by}", wording.must_be);
                if !wording.found.is_empty() {
                    let _ = writeln!(text, "      found: {}", wording.found);
                }
            }
        }
        let mut out = String::new();
        for path in order {
            let _ = writeln!(out, "  {}", self.place(path));
            if let Some(position) = position(path) {
                let _ = writeln!(out, "    from: {position}");
            }
            out.push_str(lines.get(path).map_or("", String::as_str));
            out.push('\n');
        }
        out
    }
}
