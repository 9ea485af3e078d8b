//! A report as SARIF 2.1.0, the form in which code scanning takes results.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use serde_json::{Value as Json, json};

use super::PlanReport;
use super::finding::{Finding, FindingKind, Location};
use super::reference::artifact_uri;
use super::render::{AnswerKind, printable};
use crate::plan::rules::severity_level::SeverityLevel;

/// Where the documentation is.
const INFORMATION: &str = "https://docs.rs/plantime-terraform";

/// What a run of SARIF has besides the results, for one report or for several: GitHub takes 20 runs at most, and so all plans of a
/// check are one.
///
/// ```
/// use plantime_terraform::plan::{CheckOptions, Plan, RulesFile, SarifRun, check};
/// use plantime::source::Source;
/// use plantime_schema::ProviderSchemas;
///
/// let plan = Plan::read(br#"{"format_version": "1.2", "resource_changes": []}"#, &ProviderSchemas::new())?;
/// let rules = RulesFile::read(Source::new("rules.hcl", "")).unwrap();
/// let against = CheckOptions { rules, schemas: ProviderSchemas::new(), configuration: None, show_values: false, facts: Default::default() };
/// let report = check("plan.json", &plan, &against).unwrap();
/// let mut run = SarifRun::START.as_bytes().to_vec();
/// report.write_sarif_results(&mut run, true)?;
/// run.extend(SarifRun::of(&report).and(SarifRun::of(&report)).end().into_bytes());
/// let run: serde_json::Value = serde_json::from_slice(&run)?;
/// assert_eq!(run["invocations"].as_array().map(Vec::len), Some(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct SarifRun {
    /// The name of the only plan.
    name: Option<String>,
    rules: BTreeMap<String, Json>,
    invocations: Vec<Json>,
}

impl SarifRun {
    /// What comes before the first result.
    ///
    /// [Example](SarifRun)
    pub const START: &'static str = "{\"results\":[";

    /// What a report adds to the run besides its results.
    ///
    /// [Example](SarifRun)
    pub fn of(report: &PlanReport) -> SarifRun {
        let answers = report.checked.iter().flat_map(|checked| &checked.answers);
        let mut names: BTreeSet<&str> = answers.map(|answer| &*answer.rule).collect();
        names.extend((!report.expired.is_empty()).then_some("skip"));
        let is_contradicted = report.checked.iter().any(|checked| !checked.contradicted.is_empty());
        names.extend(is_contradicted.then_some("assumption"));
        let rules = names.into_iter().map(|name| (report.sarif_rule_id(name), report.sarif_rule(name)));
        let invocation = json!({
            "executionSuccessful": !report.gaps.iter().any(|gap| report.is_failure(*gap)),
            "toolExecutionNotifications": report.sarif_notifications(),
            "properties": {"plan": printable(&report.name)},
        });
        SarifRun { name: Some(report.name.clone()), rules: rules.collect(), invocations: vec![invocation] }
    }

    /// What two reports add.
    ///
    /// [Example](SarifRun)
    #[must_use]
    pub fn and(mut self, other: SarifRun) -> SarifRun {
        let name = match (self.invocations.is_empty(), other.invocations.is_empty()) {
            (_, true) => self.name,
            (true, _) => other.name,
            _ => None,
        };
        self.rules.extend(other.rules);
        self.invocations.extend(other.invocations);
        SarifRun { name, rules: self.rules, invocations: self.invocations }
    }

    /// Adds a note to the run.
    ///
    /// ```
    /// use plantime_terraform::plan::SarifRun;
    ///
    /// let mut run = SarifRun::default();
    /// run.add_note("nothing was checked");
    /// assert!(run.end().contains("\"invocations\":[]"));
    /// ```
    pub fn add_note(&mut self, text: &str) {
        let notifications =
            self.invocations.last_mut().and_then(|last| last.get_mut("toolExecutionNotifications"));
        if let Some(notifications) = notifications.and_then(Json::as_array_mut) {
            notifications.push(json!({"level": "note", "message": {"text": printable(text)}}));
        }
    }

    /// What comes after the last result.
    ///
    /// [Example](SarifRun)
    pub fn end(&self) -> String {
        let rules: Vec<&Json> = self.rules.values().collect();
        let driver = json!({
            "name": "plantime", "version": env!("CARGO_PKG_VERSION"), "informationUri": INFORMATION, "rules": rules,
        });
        let details = json!({"id": printable(self.name.as_deref().unwrap_or("plantime"))});
        let (tool, invocations) = (json!({"driver": driver}), json!(self.invocations));
        format!("],\n\"tool\":{tool},\"automationDetails\":{details},\"invocations\":{invocations}}}")
    }
}

impl PlanReport {
    /// Writes the report as a `run` of SARIF 2.1.0: an element of `runs` in a document. [`SarifRun`] makes one of several reports.
    ///
    /// | answer | result |
    /// |---|---|
    /// | fail | `"kind": "fail"`, level `error` where it fails the run, else `warning`, or `note` of the severities low and info |
    /// | fail, known by a baseline | `"kind": "fail"`, level `note`, `"baselineState": "unchanged"`, suppressed |
    /// | undetermined | `"kind": "open"`, level `none` |
    /// | skipped | `"kind": "notApplicable"`, level `none` |
    /// | pass | none |
    /// | contradicted assumption | `"kind": "fail"`, level `error`, of the rule `assumption` |
    /// | skip that no longer counts | `"kind": "fail"`, level `error`, of the rule `skip` |
    ///
    /// A rule has the id that its author gave it, else its name; its link is `helpUri`, its tags are `properties.tags`.
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
        writer.write_all(SarifRun::START.as_bytes())?;
        self.write_sarif_results(&mut writer, true)?;
        writer.write_all(SarifRun::of(self).end().as_bytes())
    }

    /// Writes the results of the report, separated by commas: elements of `results` in a run. Where it is not the only plan of the
    /// run, messages and fingerprints name it. Writes nothing if there is no result.
    ///
    /// [Example](SarifRun)
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write_sarif_results(&self, mut writer: impl io::Write, is_only_plan: bool) -> io::Result<()> {
        let mut is_first = true;
        for finding in self.findings() {
            let Some(result) = self.sarif_result(&finding, is_only_plan) else { continue };
            write!(writer, "{}\n{result}", if std::mem::take(&mut is_first) { "" } else { "," })?;
        }
        Ok(())
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

    /// The id of a rule: the one that its author gave it, else its name.
    fn sarif_rule_id(&self, name: &str) -> String {
        printable(self.metadata(name).and_then(|metadata| metadata.id.as_deref()).unwrap_or(name))
    }

    /// A rule with what its author says about it.
    fn sarif_rule(&self, name: &str) -> Json {
        let mut rule = serde_json::Map::new();
        rule.insert("id".to_owned(), json!(self.sarif_rule_id(name)));
        let description = match name {
            "assumption" => Some("The plan contradicts an assumption"),
            "skip" => Some("A skip whose last day is past"),
            name => self.description(name),
        };
        if let Some(description) = description {
            rule.insert("shortDescription".to_owned(), json!({"text": printable(description)}));
        }
        if let Some(metadata) = self.metadata(name) {
            rule.insert("name".to_owned(), json!(printable(name)));
            let sentence = metadata.sentence().unwrap_or_else(|| name.to_owned());
            rule.insert("help".to_owned(), json!({"text": printable(&sentence)}));
            if let Some(link) = &metadata.link {
                rule.insert("helpUri".to_owned(), json!(artifact_link(link)));
            }
            let tags: Vec<_> = metadata.tags.iter().map(|tag| printable(tag)).collect();
            let mut properties = json!({"tags": tags, "severity": metadata.level.name()});
            if let (Some(owner), Some(properties)) = (&metadata.owner, properties.as_object_mut()) {
                properties.insert("owner".to_owned(), json!(printable(owner)));
            }
            rule.insert("properties".to_owned(), properties);
        }
        Json::Object(rule)
    }

    /// A finding as a result; `None` for a test that passes.
    fn sarif_result(&self, finding: &Finding<'_>, is_only_plan: bool) -> Option<Json> {
        let level = || self.metadata(finding.rule).map(|metadata| metadata.level).unwrap_or_default();
        let (kind, level) = match finding.kind {
            FindingKind::Contradicted | FindingKind::Expired | FindingKind::Answer(AnswerKind::Fail) => {
                ("fail", "error")
            }
            FindingKind::Answer(AnswerKind::Warning) => match level() {
                SeverityLevel::Info | SeverityLevel::Low => ("fail", "note"),
                _ => ("fail", "warning"),
            },
            FindingKind::Answer(AnswerKind::Known) => ("fail", "note"),
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
        let of_plan = |separator: &str| match is_only_plan {
            true => String::new(),
            false => format!("{}{separator}", self.name),
        };
        let message = format!("{}{}: {}", of_plan(": "), finding.address, finding.message);
        let fingerprint = format!("{}{}|{}|{}", of_plan("|"), finding.rule, finding.address, finding.claim);
        let mut result = json!({
            "ruleId": self.sarif_rule_id(finding.rule),
            "kind": kind,
            "level": level,
            "message": {"text": printable(&message)},
            "locations": [location],
            // Stays the same while lines move.
            "partialFingerprints": {"ruleAndPlace/v1": printable(&fingerprint)},
        });
        if let (FindingKind::Answer(AnswerKind::Known), Some(result)) = (finding.kind, result.as_object_mut())
        {
            result.insert("baselineState".to_owned(), json!("unchanged"));
            let suppression = json!([{"kind": "external", "justification": "known: it is in the baseline"}]);
            result.insert("suppressions".to_owned(), suppression);
        }
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
}

/// The address of a page with everything escaped that a URI does not have.
pub(super) fn artifact_link(link: &str) -> String {
    let mut out = String::with_capacity(link.len());
    for c in link.chars() {
        match c {
            c if c.is_ascii_graphic() && !"\"<>\\^`{|}".contains(c) => out.push(c),
            c => {
                let mut bytes = [0; 4];
                c.encode_utf8(&mut bytes).bytes().for_each(|byte| out.push_str(&format!("%{byte:02X}")));
            }
        }
    }
    out
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
