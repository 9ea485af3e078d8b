//! A report as SARIF 2.1.0, the form in which code scanning takes results.

use std::collections::BTreeSet;
use std::io;

use serde_json::{Value as Json, json};

use super::PlanReport;
use super::finding::{Finding, FindingKind, Location};
use super::reference::artifact_uri;
use super::render::{AnswerKind, printable};

impl PlanReport {
    /// Writes the report as a `run` of SARIF 2.1.0: an element of `runs` in a document.
    ///
    /// | answer | result |
    /// |---|---|
    /// | fail | `"kind": "fail"`, level `error` or `warning` |
    /// | undetermined | `"kind": "open"`, level `none` |
    /// | skipped | `"kind": "notApplicable"`, level `none` |
    /// | pass | none |
    /// | contradicted assumption | `"kind": "fail"`, level `error`, of the rule `assumption` |
    ///
    /// Where planning failed, `executionSuccessful` is false, unless the report [allows it](PlanReport::allow_errored): resources
    /// that break a rule may be missing. Gaps of the plan, and
    /// rules and skips that match nothing, are notifications.
    ///
    /// The location is the block of the resource in the configuration, where that was read, else the rule; the address is
    /// the logical location. Marked content appears nowhere.
    ///
    /// ```
    /// use plantime_terraform::plan::{CheckOptions, Plan, RulesFile, check};
    /// use plantime::source::Source;
    /// use plantime_schema::ProviderSchemas;
    ///
    /// let plan = Plan::read(br#"{"format_version": "1.2", "resource_changes": []}"#, &ProviderSchemas::new())?;
    /// let rules = RulesFile::read(Source::new("rules.hcl", "")).unwrap();
    /// let against = CheckOptions { rules, schemas: ProviderSchemas::new(), configuration: None, show_values: false, facts: Default::default() };
    /// let mut run = Vec::new();
    /// check("plan.json", &plan, &against).unwrap().write_sarif(&mut run)?;
    /// let run: serde_json::Value = serde_json::from_slice(&run)?;
    /// assert_eq!(run["tool"]["driver"]["name"], "plantime");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write_sarif(&self, mut writer: impl io::Write) -> io::Result<()> {
        let names: BTreeSet<&str> = self.findings().map(|finding| finding.rule).collect();
        let rules: Vec<Json> = names.into_iter().map(|name| self.sarif_rule(name)).collect();
        let driver = json!({"name": "plantime", "version": env!("CARGO_PKG_VERSION"), "rules": rules});
        let invocation = json!({
            "executionSuccessful": !self.gaps.iter().any(|gap| self.is_failure(*gap)),
            "toolExecutionNotifications": self.sarif_notifications(),
        });
        let details = json!({"id": printable(&self.name)});
        write!(
            writer,
            "{{\"tool\":{},\"automationDetails\":{details},\"invocations\":[{invocation}],\"results\":[",
            json!({"driver": driver})
        )?;
        let mut is_first = true;
        for finding in self.findings() {
            let Some(result) = sarif_result(&finding) else { continue };
            write!(writer, "{}\n{result}", if std::mem::take(&mut is_first) { "" } else { "," })?;
        }
        writer.write_all(b"]}")
    }

    /// What is no result: the gaps of the plan, and the rules and skips that match nothing.
    fn sarif_notifications(&self) -> Vec<Json> {
        let gaps = self.gaps.iter().map(|gap| {
            let level = if self.is_failure(*gap) { "error" } else { "warning" };
            json!({"level": level, "message": {"text": gap.to_string()}})
        });
        let not_asked = self.not_asked().map(
            |(what, why)| json!({"level": "note", "message": {"text": printable(&format!("{what}: {why}"))}}),
        );
        gaps.chain(not_asked).collect()
    }

    /// A rule with its description.
    fn sarif_rule(&self, name: &str) -> Json {
        let mut rule = json!({"id": printable(name)});
        let description = match name {
            "assumption" => Some("The plan contradicts an assumption"),
            name => self.description(name),
        };
        if let (Some(description), Some(rule)) = (description, rule.as_object_mut()) {
            rule.insert("shortDescription".to_owned(), json!({"text": printable(description)}));
        }
        rule
    }
}

/// A finding as a result; `None` for a test that passes.
fn sarif_result(finding: &Finding<'_>) -> Option<Json> {
    let (kind, level) = match finding.kind {
        FindingKind::Contradicted | FindingKind::Answer(AnswerKind::Fail) => ("fail", "error"),
        FindingKind::Answer(AnswerKind::Warning) => ("fail", "warning"),
        FindingKind::Answer(AnswerKind::Undetermined) => ("open", "none"),
        FindingKind::Answer(AnswerKind::Skipped) => ("notApplicable", "none"),
        FindingKind::Answer(AnswerKind::Pass) => return None,
    };
    let mut location = json!({"logicalLocations": [{
        "fullyQualifiedName": printable(finding.address), "kind": "resource",
    }]});
    if let (Some(place), Some(location)) = (finding.primary_location(), location.as_object_mut()) {
        location.insert("physicalLocation".to_owned(), physical_location(place));
    }
    let mut result = json!({
        "ruleId": printable(finding.rule),
        "kind": kind,
        "level": level,
        "message": {"text": printable(&format!("{}: {}", finding.address, finding.message))},
        "locations": [location],
        // Stays the same while lines move.
        "partialFingerprints": {
            "ruleAndPlace/v1": printable(&format!("{}|{}|{}", finding.rule, finding.address, finding.claim)),
        },
    });
    if let (Some(_), Some(rule_location), Some(result)) =
        (&finding.resource_location, &finding.rule_location, result.as_object_mut())
    {
        let related = json!([{
            "id": 0, "message": {"text": "the rule"}, "physicalLocation": physical_location(rule_location),
        }]);
        result.insert("relatedLocations".to_owned(), related);
    }
    Some(result)
}

/// A place as a physical location.
fn physical_location(place: &Location) -> Json {
    let mut location = json!({"artifactLocation": {"uri": artifact_uri(&place.file)}});
    if let (Some(line), Some(location)) = (place.line.filter(|line| *line > 0), location.as_object_mut()) {
        let mut region = json!({"startLine": line});
        if let (Some(column), Some(region)) =
            (place.column.filter(|column| *column > 0), region.as_object_mut())
        {
            region.insert("startColumn".to_owned(), json!(column));
        }
        location.insert("region".to_owned(), region);
    }
    location
}
