//! Known failures: those that a run had when somebody decided that only new ones fail.

use std::collections::BTreeMap;
use std::fmt;

use crate::plan::report::{PlanReport, TestVerdict};
use plantime::unstable::error::Kind;
use plantime::{Error, Result};
use serde_json::{Value as Json, json};

/// The version of the form of a baseline.
const FORMAT_VERSION: &str = "1.0";

/// The known failures of a run: a failure that is among them is counted and does not fail the run, any other does.
///
/// A failure is known by the rule, the address and the place, and, where a run has several plans, by the name of the plan. Of several
/// failures of one rule at one place as many are known as there were. The form holds no values:
///
/// ```text
/// {
///   "format_version": "1.0",
///   "failures": [
///     {"rule": "no-world", "address": "aws_security_group.web", "place": "ingress[0].cidr_blocks[0]"},
///     {"plan": "plans/b.json", "rule": "tags", "address": "aws_vpc.main", "place": "", "count": 2}
///   ]
/// }
/// ```
///
/// ```
/// use plantime_terraform::plan::{Baseline, CheckOptions, Plan, RulesFile, check};
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
/// let mut report = check("plan.json", &plan, &against).unwrap();
///
/// let mut baseline = Baseline::default();
/// baseline.add(&report, None);
/// assert_eq!(Baseline::read(baseline.to_text().as_bytes())?, baseline);
///
/// let found = report.mark_known(&baseline, None);
/// assert_eq!((report.totals().fail, report.totals().known), (0, 1));
/// assert_eq!(baseline.without(&found), Baseline::default());
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    /// The number of failures of each rule at each place.
    failures: BTreeMap<KnownFailure, usize>,
}

/// A failure that a baseline knows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct KnownFailure {
    /// The name of the plan, where the run had several.
    pub plan: Option<String>,
    /// The name of the rule.
    pub rule: String,
    /// The address of the resource or output.
    pub address: String,
    /// The place of the tested value: `ingress[0].cidr_blocks[1]`; empty for the whole resource.
    pub place: String,
}

impl fmt::Display for KnownFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let KnownFailure { plan, rule, address, place } = self;
        if let Some(plan) = plan {
            write!(f, "{plan}: ")?;
        }
        let dot = if place.is_empty() || place.starts_with('[') { "" } else { "." };
        write!(f, "{rule} at {address}{dot}{place}")
    }
}

impl Baseline {
    /// The baseline in the text of a file that [`to_text`](Baseline::to_text) wrote.
    ///
    /// [Example](Baseline)
    ///
    /// # Errors
    ///
    /// When it is no JSON, or not of this form.
    pub fn read(json: &[u8]) -> Result<Baseline> {
        let invalid = |why: String| Error::new(Kind::Syntax, why);
        let read: Json =
            serde_json::from_slice(json).map_err(|error| invalid(format!("no JSON: {error}")))?;
        let version = read.get("format_version").and_then(Json::as_str);
        if version.and_then(|version| version.split('.').next()) != Some("1") {
            return Err(invalid(
                "no baseline: expected \"format_version\": \"1.0\", as --write-baseline writes it".to_owned(),
            ));
        }
        let Some(failures) = read.get("failures").and_then(Json::as_array) else {
            return Err(invalid("no baseline: expected a list \"failures\"".to_owned()));
        };
        let mut baseline = Baseline::default();
        for (at, failure) in failures.iter().enumerate() {
            let text = |name: &str| {
                let text = failure.get(name).and_then(Json::as_str).map(str::to_owned);
                text.ok_or_else(|| invalid(format!("failures[{at}]: expected a text \"{name}\"")))
            };
            let plan = match failure.get("plan") {
                None => None,
                Some(_) => Some(text("plan")?),
            };
            let count = match failure.get("count") {
                None => 1,
                Some(count) => count
                    .as_u64()
                    .and_then(|count| usize::try_from(count).ok())
                    .ok_or_else(|| invalid(format!("failures[{at}]: expected a whole number \"count\"")))?,
            };
            let known =
                KnownFailure { plan, rule: text("rule")?, address: text("address")?, place: text("place")? };
            baseline.add_failures(known, count);
        }
        Ok(baseline)
    }

    /// Adds the failures of a report. `plan` names the plan where the run has several.
    ///
    /// [Example](Baseline)
    pub fn add(&mut self, report: &PlanReport, plan: Option<&str>) {
        for checked in &report.checked {
            for answer in &checked.answers {
                if matches!(answer.verdict, TestVerdict::Fail(_)) {
                    let known = KnownFailure {
                        plan: plan.map(str::to_owned),
                        rule: answer.rule.to_string(),
                        address: checked.address().to_owned(),
                        place: answer.place(),
                    };
                    self.add_failures(known, 1);
                }
            }
        }
    }

    /// Adds all failures of another baseline.
    ///
    /// [Example](Baseline::len)
    pub fn extend(&mut self, other: Baseline) {
        for (known, count) in other.failures {
            self.add_failures(known, count);
        }
    }

    fn add_failures(&mut self, known: KnownFailure, count: usize) {
        if count > 0 {
            let all = self.failures.entry(known).or_default();
            *all = all.saturating_add(count);
        }
    }

    /// The failures that are not among others: those of a baseline that no longer fail.
    ///
    /// [Example](Baseline)
    #[must_use]
    pub fn without(&self, others: &Baseline) -> Baseline {
        let mut rest = Baseline::default();
        for (known, count) in &self.failures {
            let found = others.failures.get(known).copied().unwrap_or_default();
            rest.add_failures(known.clone(), count.saturating_sub(found));
        }
        rest
    }

    /// The number of failures.
    ///
    /// ```
    /// use plantime_terraform::plan::Baseline;
    ///
    /// let json = br#"{"format_version": "1.0", "failures": [{"rule": "r", "address": "aws_vpc.a", "place": "tags", "count": 2}]}"#;
    /// let mut baseline = Baseline::read(json)?;
    /// baseline.extend(baseline.clone());
    /// assert_eq!((baseline.len(), baseline.is_empty(), baseline.failures().count()), (4, false, 1));
    /// assert_eq!(baseline.failures().next().unwrap().to_string(), "r at aws_vpc.a.tags");
    /// assert_eq!(baseline.to_json()[0]["count"], 4);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn len(&self) -> usize {
        self.failures.values().fold(0, |all, count| all.saturating_add(*count))
    }

    /// Whether there is no failure.
    ///
    /// [Example](Baseline::len)
    pub fn is_empty(&self) -> bool {
        self.failures.is_empty()
    }

    /// The failures, each place once, in their order.
    ///
    /// [Example](Baseline::len)
    pub fn failures(&self) -> impl Iterator<Item = &KnownFailure> {
        self.failures.keys()
    }

    /// The failures as JSON: a list of objects.
    ///
    /// [Example](Baseline::len)
    pub fn to_json(&self) -> Json {
        self.failures.iter().map(|(known, count)| known_json(known, *count)).collect()
    }

    /// The text of the file: sorted, a failure on each line, so that versions of it can be compared.
    ///
    /// [Example](Baseline)
    pub fn to_text(&self) -> String {
        let lines: Vec<String> = self
            .failures
            .iter()
            .map(|(known, count)| format!("\n    {}", known_json(known, *count)))
            .collect();
        let end = if lines.is_empty() { "" } else { "\n  " };
        format!(
            "{{\n  \"format_version\": \"{FORMAT_VERSION}\",\n  \"failures\": [{}{end}]\n}}\n",
            lines.join(",")
        )
    }
}

/// A failure as JSON.
fn known_json(known: &KnownFailure, count: usize) -> Json {
    let KnownFailure { plan, rule, address, place } = known;
    let mut json = json!({"rule": rule, "address": address, "place": place});
    if let Some(object) = json.as_object_mut() {
        if let Some(plan) = plan {
            object.insert("plan".to_owned(), json!(plan));
        }
        if count > 1 {
            object.insert("count".to_owned(), json!(count));
        }
    }
    json
}

impl PlanReport {
    /// Marks the failures that a baseline knows: they are counted as known, and do not fail the run. Returns those that were found.
    ///
    /// [Example](Baseline)
    pub fn mark_known(&mut self, baseline: &Baseline, plan: Option<&str>) -> Baseline {
        let mut found = Baseline::default();
        for checked in &mut self.checked {
            let address = checked.address().to_owned();
            for answer in &mut checked.answers {
                if !matches!(answer.verdict, TestVerdict::Fail(_)) {
                    continue;
                }
                let known = KnownFailure {
                    plan: plan.map(str::to_owned),
                    rule: answer.rule.to_string(),
                    address: address.clone(),
                    place: answer.place(),
                };
                let marked = found.failures.get(&known).copied().unwrap_or_default();
                if baseline.failures.get(&known).is_some_and(|count| marked < *count) {
                    answer.is_known = true;
                    found.add_failures(known, 1);
                }
            }
        }
        found
    }
}
