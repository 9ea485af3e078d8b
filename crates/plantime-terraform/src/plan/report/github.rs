//! A report as commands of GitHub's workflows, which annotate the lines of a pull request.

use std::io;

use super::PlanReport;
use super::finding::FindingKind;
use super::render::{AnswerKind, printable};

impl PlanReport {
    /// Writes the report as workflow commands of GitHub Actions: a line for each failure (`::error`, `::warning`) and each
    /// undetermined answer (`::notice`), for each gap of the plan, and for each rule or skip that matches nothing, at the block of the resource in the configuration, where that was read, else at
    /// the rule. Marked content appears nowhere.
    ///
    /// ```
    /// use plantime_terraform::plan::{CheckOptions, Plan, RulesFile, check};
    /// use plantime::source::Source;
    /// use plantime_schema::ProviderSchemas;
    ///
    /// let json = br#"{"format_version": "1.2", "resource_changes": [{
    ///     "address": "random_id.s", "mode": "managed", "type": "random_id", "name": "s", "provider_name": "random",
    ///     "change": {"actions": ["create"], "before": null, "after": {"byte_length": 4}, "after_unknown": {}, "after_sensitive": {}}}]}"#;
    /// let plan = Plan::read(json, &ProviderSchemas::new())?;
    /// let rules = "rule \"long\" {\n  resource = \"random_id\"\n  attribute \"byte_length\" { min = 8 }\n}";
    /// let rules = RulesFile::read(Source::new("rules.hcl", rules)).unwrap();
    /// let against = CheckOptions { rules, schemas: ProviderSchemas::new(), configuration: None, show_values: false, facts: Default::default() };
    /// let mut lines = Vec::new();
    /// check("plan.json", &plan, &against).unwrap().write_github(&mut lines)?;
    /// let lines = String::from_utf8(lines)?;
    /// assert!(lines.starts_with("::error file=rules.hcl,line=3,title=long::random_id.s: "), "{lines}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write_github(&self, mut writer: impl io::Write) -> io::Result<()> {
        for gap in &self.gaps {
            let command = if self.is_failure(*gap) { "error" } else { "warning" };
            writeln!(writer, "::{command} title=plantime::{}", data(&format!("{}: {gap}", self.name)))?;
        }
        for (what, why) in self.not_asked() {
            let message = data(&format!("{}: {what}: {why}", self.name));
            writeln!(writer, "::notice title=plantime::{message}")?;
        }
        for finding in self.findings() {
            let command = match finding.kind {
                FindingKind::Contradicted | FindingKind::Expired | FindingKind::Answer(AnswerKind::Fail) => {
                    "error"
                }
                FindingKind::Answer(AnswerKind::Warning) => "warning",
                FindingKind::Answer(AnswerKind::Undetermined | AnswerKind::Known) => "notice",
                FindingKind::Answer(AnswerKind::Pass | AnswerKind::Skipped) => continue,
            };
            let mut properties = String::new();
            if let Some(place) = finding.primary_location() {
                properties.push_str(&format!("file={},", property(&place.file)));
                if let Some(line) = place.line {
                    properties.push_str(&format!("line={line},"));
                }
            }
            let title = match self.metadata(finding.rule).and_then(|metadata| metadata.id.as_deref()) {
                Some(id) => format!("{id} {}", finding.rule),
                None => finding.rule.to_owned(),
            };
            properties.push_str(&format!("title={}", property(&title)));
            let known =
                if finding.kind == FindingKind::Answer(AnswerKind::Known) { "known failure: " } else { "" };
            let message = data(&format!("{known}{}: {}", finding.address, finding.message));
            writeln!(writer, "::{command} {properties}::{message}")?;
        }
        Ok(())
    }
}

/// Escapes text as the message of a workflow command, which takes one line.
fn data(text: &str) -> String {
    printable(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes text as the value of a property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
