//! Reports in the shape of ytt.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::path::Path;

use super::Report;

impl Report {
    /// The violations as ytt writes them. Where the position of a rule is not known, `(by: …)` is left out.
    ///
    /// ```text
    ///   <path>
    ///     - must be: <description> (by: <rule position>)
    ///       found: <result>
    /// <blank line>
    /// ```
    ///
    /// The path is that of the part at fault. What is undetermined is not in it.
    pub fn ytt(&self) -> String {
        self.ytt_with(|_| None)
    }

    /// The same with a line `from: <value position>` below each path whose position the function knows.
    ///
    /// ```
    /// use plantime::rule::Rule;
    /// use plantime::rule::set::{RuleSet, RuledType};
    /// use plantime::{Type, value};
    ///
    /// let ty = RuledType::new("object({ port = number })".parse::<Type>()?)
    ///     .at("port", RuleSet::new([Rule::Max(9.into())]).written_at("schema.yml:3"))?;
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
        // Places in the order in which they first come.
        let mut order: Vec<&Path> = Vec::new();
        let mut lines: BTreeMap<&Path, String> = BTreeMap::new();
        for answer in self.violations() {
            for (diagnostic, said) in answer.outcome.diagnostics().iter().zip(&answer.said) {
                let text = lines.entry(&diagnostic.path).or_insert_with(|| {
                    order.push(&diagnostic.path);
                    String::new()
                });
                let by = answer.from.as_ref().map_or_else(String::new, |from| format!(" (by: {from})"));
                // Writing into a String does not fail.
                let _ = writeln!(text, "    - must be: {}{by}", said.must_be);
                if !said.found.is_empty() {
                    let _ = writeln!(text, "      found: {}", said.found);
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
