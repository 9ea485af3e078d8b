//! A report as JSON.
//!
//! Reports are written as they are: no tree of the document is built, which would take more memory than the plan.

use std::fmt::Display;
use std::io;

use serde_core::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value as Json;

use super::input_error::InputError;
use super::json_lines::Lines;
use super::render::answer_word;
use super::{
    CheckedResource, PlanReport, Reason, ShownAttribute, Side, TestAnswer, TestVerdict, Totals, Unmatched,
    UnmatchedKind,
};
use crate::plan::checking::replacement::{ForcedBy, Replacement};
use crate::plan::knowledge::facts::ContradictedFact;
use crate::plan::knowledge::{ContradictedAssumption, Origin};
use crate::plan::read::gap::Gap;
use crate::plan::rules::metadata::{RuleMetadata, RuleSummary};
use crate::plan::rules::severity_level::SeverityLevel;
use crate::plan::rules::skip::ExpiredSkip;
use crate::plan::{Action, Check, CheckStatus, CustomCondition};
use plantime::rule::{Diagnostic, Severity};
use plantime::source::{Position, Source};

/// The version of the JSON form. Its major number changes when programs that read the form would break.
pub const REPORT_FORMAT_VERSION: &str = "1.0";

/// Reports as one JSON document.
///
/// ```text
/// {
///   "format_version": "1.0",
///   "plans": [{
///     "plan": "plan.json",               the plan's name
///     "terraform_version": "1.15.5",     or null
///     "gaps": [{                         what the plan leaves out of the configuration; nearly always none
///       "gap": "errored",                "errored", "incomplete", "deferred", "not_applyable", "no_plan", "missing_modules" or "unlisted"
///       "message": "…"
///     }],
///     "own_checks": [{                   what the configuration's own conditions gave
///       "kind": "check", "address": "check.health", "status": "pass", "problems": ["…"]
///     }],
///     "custom_conditions": [{               the same conditions, evaluated here with all that is assumed; only with a configuration
///       "kind": "precondition", "object": "resource", "address": "aws_vpc.main", "place": "main.tf:14",
///       "status": "unknown",             "pass", "fail", "error" or "unknown"
///       "message": "…",                  the module's message of a failure, or null
///       "depends_on": ["aws_vpc.main.id"],
///       "terraform": "unknown"           what the plan says of the object, or null
///     }],
///     "rules": "rules.hcl",
///     "rule_list": [{                    every rule, by name
///       "rule": "no-world", "severity": "high", "position": {…},    severity as it is written; "error" without it
///       "id": "NET-1", "link": "https://…", "tags": ["network"], "owner": "…", "description": "…"    where it says so
///     }],
///     "resources": [{                    those with an answer, an assumption or a contradiction; outputs too
///       "address": "module.net.aws_subnet.app[0]",    "output.NAME" for an output
///       "type": "aws_subnet",            null for an output
///       "module": "module.net",          null in the root module
///       "index": 0,                      the key of an instance, a number or a text; or null
///       "actions": ["create"],
///       "declared": "main.tf:12",        file and line of its block, or null; only where the configuration was read
///       "not_asked": ["no-world"],       rules that are about what is planned, where it is only destroyed; or about changes, where there is no plan
///       "each_if_any": false             true: it represents each instance of an unknown number, maybe none; only without a plan
///     }],
///     "answers": [{                      one for each rule, address and path
///       "rule": "no-world",
///       "description": "…",              what the rule is about, if it says so
///       "severity": "error",             as the rule says: "info" to "critical"
///       "fails": true,                   of a failure: whether it fails the run
///       "known": true,                   only of a failure that the baseline knows
///       "id": "NET-1",                   the id of the rule, if it has one
///       "address": "aws_security_group.web",    "output.NAME" for an output
///       "path": "ingress[0].cidr_blocks[0]",    "" for the resource as a whole
///       "claim": "none of \"0.0.0.0/0\"",
///       "outcome": "fail",               "pass", "fail", "undetermined" or "skipped"
///       "position": {"file": "rules.hcl", "line": 64, "column": 49},
///       "side": "before",                only where it is about the value before the change
///       "null": true,                    only of a pass because the value is null: it is not set
///       "diagnostics": [{                 of a failure, each once
///         "severity": "error",           or "warning": no more than that of the rule
///         "summary": "…",
///         "detail": "…",
///         "path": "…"                    the part at fault
///       }],
///       "next": "…",                     of a failure: the line to change, and what would pass
///       "message": "…",                  of a failure: the author's own, if there is one
///       "written": "main.tf:14",         of a failure: file and line that the value is written in, if that is known
///       "why": {                         of an undetermined answer
///         "inputs": ["vpc_id"],          unknown places in the resource
///         "depends_on": ["aws_vpc.main.id"],    the references they were written with, or themselves
///         "known_so_far": ["…"],
///         "obligation": "starts_with(\"vpc-\")",
///         "passes_if": "it turns out to start with \"vpc-\""
///       },
///       "reason": "…",                   of a skip; of a pass without a test
///       "skip": {"file": …, "line": …, "column": …},    where a skip stands
///       "until": "2026-12-31"            the last day on which the skip counts, if it ends
///     }],
///     "replacements": [{                 resources of which the plan or the rules file says whether they are replaced
///       "address": "aws_db_instance.orders",
///       "answer": "maybe",               "yes", "no" or "maybe"
///       "forced_by": [{"what": "engine", "certain": false, "position": {…} or null}],   null: the plan says so
///       "depends_on": ["var.engine"]     of a maybe
///     }],
///     "contradictions": [{"address": "…", "path": "…", "message": "…", "position": {…} or null}],
///     "expired_skips": [{                skips whose last day is past; each fails the run
///       "of": "\"no-world\"", "address": "…", "reason": "…", "until": "2026-12-31", "position": {…}
///     }],
///     "warnings": [{"message": "…", "position": {…}}],
///     "contradicted_facts": [{"address": "…", "path": "…", "origin": "…", "message": "…"}],    of schemas and catalogues
///     "notes": ["…"],                  what a reader should know of the inputs
///     "unmatched": [{                    rules, skips and patterns that match nothing
///       "kind": "rule",                  "rule", "skip" or "pattern"
///       "rule": "no-world", "reason": "no matching resources", "position": {…}
///     }],
///     "knowledge": [{"address": "…", "attribute": "…", "value": "…", "assumed": {…}, "from": "…", "written": "…", "schema": "…",
///                    "catalogue": "…"}],
///     "unknown": {"attributes": 113, "answered": 11, "wanted": [{"reference": "…", "rules": 1}]},
///     "summary": {"pass": 8, "fail": 1, "warned": 0, "undetermined": 2, "skipped": 1, "contradicted": 0, "expired": 0, "known": 0}
///   }],
///   "errors": [{                         inputs that are unusable
///     "input": "plan.json",              or null
///     "position": {"file": …, "line": …, "column": …},    where in a text, or null
///     "message": "no such file or directory"
///   }],
///   "vanished": [{"rule": "…", "address": "…", "place": "…"}],    only of the command with a baseline: its failures that no longer fail
///   "summary": {…}                       all plans together
/// }
/// ```
///
/// Marked content appears nowhere.
pub fn to_json(reports: &[PlanReport], errors: &[InputError]) -> Json {
    let totals = reports.iter().map(PlanReport::totals).fold(Totals::default(), Totals::and);
    serde_json::json!({
        "format_version": REPORT_FORMAT_VERSION,
        "plans": reports.iter().map(PlanReport::to_json).collect::<Vec<_>>(),
        "errors": errors.iter().map(InputError::to_json).collect::<Vec<_>>(),
        "summary": totals.to_json(),
    })
}

/// Writes the properties of an object in this order.
macro_rules! object {
    ($serializer:expr, $($key:literal: $value:expr),* $(,)?) => {{
        let mut map = $serializer.serialize_map(None)?;
        $(map.serialize_entry($key, &$value)?;)*
        map
    }};
}

/// Serializes the items of an iterator, which the function returns, as an array.
struct ArrayOf<F>(F);

impl<F: Fn() -> I, I: Iterator<Item: Serialize>> Serialize for ArrayOf<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

/// Serializes a `Display` value as a string, without building the string.
struct DisplayText<T>(T);

impl<T: Display> Serialize for DisplayText<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// One plan's part of [`to_json`].
impl Serialize for PlanReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let rules = &self.rules;
        let checked = || self.checked.iter();
        object!(serializer,
            "plan": self.name,
            "terraform_version": self.terraform_version,
            "gaps": self.gaps,
            "own_checks": ArrayOf(|| self.own_checks.iter().map(OwnCheckJson)),
            "custom_conditions": ArrayOf(|| self.conditions.iter().map(CustomConditionJson)),
            "rules": rules.name(),
            "rule_list": ArrayOf(|| self.rule_summaries.iter().map(|(name, rule)| RuleJson { rules, name, rule })),
            "resources": ArrayOf(|| checked().map(Resource)),
            "answers": ArrayOf(|| checked().flat_map(|of| of.answers.iter().map(move |answer| {
                At { rules, of, is: AnswerJson::new(self, of, answer) }
            }))),
            "replacements": ArrayOf(|| checked().filter_map(|of| Some(At { rules, of, is: of.replacement.as_deref()? }))),
            "contradictions": ArrayOf(|| checked().flat_map(|of| of.contradicted.iter().map(|one| At { rules, of, is: one }))),
            "expired_skips": ArrayOf(|| self.expired.iter().map(|skip| ExpiredJson(rules, skip))),
            "warnings": ArrayOf(|| self.warnings.iter().map(|warning| WarningJson(rules, warning))),
            "contradicted_facts": ArrayOf(|| self.contradicted_facts.iter().map(ContradictedFactJson)),
            "notes": self.notes,
            "unmatched": ArrayOf(|| self.unmatched.iter().map(|one| UnmatchedJson(rules, one))),
            "knowledge": ArrayOf(|| checked().flat_map(|of| {
                let known = of.shown.iter().filter_map(|shown| Some((shown, shown.origin.as_deref()?)));
                known.map(|known| At { rules, of, is: known }).collect::<Vec<_>>()
            })),
            "unknown": UnknownJson(self),
            "summary": self.totals(),
        )
        .end()
    }
}

impl PlanReport {
    /// The JSON form of this plan's report: an entry of `plans` in [`to_json`].
    ///
    /// [Example](to_json)
    pub fn to_json(&self) -> Json {
        serde_json::to_value(self).unwrap_or_default()
    }

    /// Writes [`to_json`](PlanReport::to_json) with each answer on a line of its own, as the command does. `indent` is how
    /// many arrays and objects enclose it.
    ///
    /// ```
    /// use plantime_terraform::plan::{CheckOptions, Plan, RulesFile, check};
    /// use plantime::source::Source;
    /// use plantime_schema::ProviderSchemas;
    ///
    /// let plan = Plan::read(br#"{"format_version": "1.2", "resource_changes": []}"#, &ProviderSchemas::new())?;
    /// let rules = RulesFile::read(Source::new("rules.hcl", "")).unwrap();
    /// let against = CheckOptions { rules, schemas: ProviderSchemas::new(), configuration: None, show_values: false, facts: Default::default() };
    /// let report = check("plan.json", &plan, &against).unwrap();
    /// let mut text = Vec::new();
    /// report.write_json(&mut text, 0)?;
    /// assert_eq!(serde_json::from_slice::<serde_json::Value>(&text)?, report.to_json());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write_json(&self, writer: impl io::Write, indent: usize) -> io::Result<()> {
        /// The depth down to which elements have lines of their own: the report's properties, and the answers in its arrays.
        const DEPTH: usize = 2;
        let lines = Lines::new(indent, DEPTH);
        self.serialize(&mut serde_json::Serializer::with_formatter(writer, lines)).map_err(io::Error::from)
    }
}

/// Serializes a statement `is` (such as an answer) about the resource or output `of`. `rules` is the rules file, for
/// positions.
struct At<'a, T> {
    rules: &'a Source,
    of: &'a CheckedResource,
    is: T,
}

/// Serializes the properties of a resource or output that the report repeats for it.
struct Resource<'a>(&'a CheckedResource);

impl Serialize for Resource<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let checked = self.0;
        object!(serializer,
            "address": checked.address(),
            "type": checked.type_name(),
            "module": checked.module(),
            "index": checked.index().and_then(|index| plantime::unstable::json::lossless_or_text(index).ok()),
            "actions": ArrayOf(|| checked.actions().iter().map(Action::as_str)),
            "declared": checked.declared,
            "not_asked": checked.unasked,
            "each_if_any": checked.is_each_if_any(),
        )
        .end()
    }
}

/// An answer, what its rule is about, and what to do about a failure.
struct AnswerJson<'a> {
    answer: &'a TestAnswer,
    description: Option<&'a str>,
    metadata: Option<&'a RuleMetadata>,
    next: Option<String>,
}

impl<'a> AnswerJson<'a> {
    fn new(report: &'a PlanReport, of: &CheckedResource, answer: &'a TestAnswer) -> AnswerJson<'a> {
        let next = match &answer.verdict {
            TestVerdict::Fail(failure) => Some(report.next_step(of, answer, failure)),
            _ => None,
        };
        let (description, metadata) = (report.description(&answer.rule), report.metadata(&answer.rule));
        AnswerJson { answer, description, metadata, next }
    }
}

impl Serialize for At<'_, AnswerJson<'_>> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let At { rules, of, is: AnswerJson { answer, description, metadata, next } } = self;
        let outcome = match answer_word(answer) {
            "warning" | "known" => "fail",
            word => word,
        };
        let mut map = object!(serializer,
            "rule": &*answer.rule,
            "severity": severity_name(answer, *metadata),
            "address": of.address(),
            "path": answer.place(),
            "claim": &*answer.claim,
            "outcome": outcome,
            "position": Place(rules, answer.position),
        );
        if let Some(id) = metadata.and_then(|metadata| metadata.id.as_ref()) {
            map.serialize_entry("id", id)?;
        }
        if let Some(description) = description {
            map.serialize_entry("description", description)?;
        }
        if answer.side == Side::Prior {
            map.serialize_entry("side", "before")?;
        }
        if answer.is_null {
            map.serialize_entry("null", &true)?;
        }
        match &answer.verdict {
            TestVerdict::Pass => {}
            TestVerdict::NotApplicable(reason) => map.serialize_entry("reason", &**reason)?,
            TestVerdict::Skipped(skip) => {
                map.serialize_entry("reason", &skip.reason)?;
                map.serialize_entry("skip", &Place(rules, skip.position))?;
                if let Some(day) = &skip.until {
                    map.serialize_entry("until", &DisplayText(day))?;
                }
            }
            TestVerdict::Fail(failure) => {
                map.serialize_entry("fails", &(answer.severity == Severity::Error && !answer.is_known))?;
                if answer.is_known {
                    map.serialize_entry("known", &true)?;
                }
                map.serialize_entry(
                    "diagnostics",
                    &ArrayOf(|| failure.diagnostics.iter().map(DiagnosticJson)),
                )?;
                map.serialize_entry("next", next)?;
                if let Some(message) = &failure.message {
                    map.serialize_entry("message", message)?;
                }
                if let Some(written) = &failure.source_line {
                    map.serialize_entry("written", &format!("{}:{}", written.file, written.line))?;
                }
            }
            TestVerdict::Undetermined(reason) => map.serialize_entry("why", &WhyJson(reason))?,
        }
        map.end()
    }
}

/// The severity of the rule of an answer, as its author wrote it; `warning` where the failure is a warning whatever the rule is.
fn severity_name(answer: &TestAnswer, metadata: Option<&RuleMetadata>) -> &'static str {
    let level = metadata.map(|metadata| metadata.level).unwrap_or_default();
    match (answer.severity, level) {
        (Severity::Warning, SeverityLevel::Error) => "warning",
        (_, level) => level.name(),
    }
}

/// Serializes a rule with what its author says about it.
struct RuleJson<'a> {
    rules: &'a Source,
    name: &'a str,
    rule: &'a RuleSummary,
}

impl Serialize for RuleJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let RuleJson { rules, name, rule: RuleSummary { description, metadata, position } } = self;
        let mut map = object!(serializer,
            "rule": name,
            "severity": metadata.level.name(),
            "position": Place(rules, *position),
        );
        let texts = [
            ("id", &metadata.id),
            ("link", &metadata.link),
            ("owner", &metadata.owner),
            ("description", description),
        ];
        for (name, text) in texts {
            if let Some(text) = text {
                map.serialize_entry(name, text)?;
            }
        }
        if !metadata.tags.is_empty() {
            map.serialize_entry("tags", &metadata.tags)?;
        }
        map.end()
    }
}

/// Serializes a skip that no longer counts.
struct ExpiredJson<'a>(&'a Source, &'a ExpiredSkip);

impl Serialize for ExpiredJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ExpiredJson(rules, ExpiredSkip { of, address, reason, until, position }) = self;
        object!(serializer,
            "of": of,
            "address": address,
            "reason": reason,
            "until": DisplayText(until),
            "position": Place(rules, *position),
        )
        .end()
    }
}

/// Serializes a diagnostic.
struct DiagnosticJson<'a>(&'a Diagnostic);

impl Serialize for DiagnosticJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let one = self.0;
        object!(serializer,
            "severity": DisplayText(one.severity),
            "summary": one.summary,
            "detail": one.detail,
            "path": DisplayText(&one.path),
        )
        .end()
    }
}

/// Serializes the reason why an answer is undetermined.
struct WhyJson<'a>(&'a Reason);

impl Serialize for WhyJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Reason { why, depends_on, .. } = self.0;
        object!(serializer,
            "inputs": ArrayOf(|| why.inputs().iter().map(DisplayText)),
            "depends_on": depends_on,
            "known_so_far": why.notes(),
            "obligation": why.obligation().map(DisplayText),
            "passes_if": self.0.passes_if(),
        )
        .end()
    }
}

impl Serialize for At<'_, &Replacement> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let At { rules, of, is: replacement } = self;
        object!(serializer,
            "address": of.address(),
            "answer": replacement.word(),
            "forced_by": ArrayOf(|| replacement.forced_by.iter().map(|one| ForcedByJson(rules, one))),
            "depends_on": replacement.depends_on,
        )
        .end()
    }
}

/// Serializes an attribute or reason that forces a replacement.
struct ForcedByJson<'a>(&'a Source, &'a ForcedBy);

impl Serialize for ForcedByJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ForcedByJson(rules, one) = self;
        object!(serializer,
            "what": one.what,
            "certain": one.is_certain,
            "unchanged": one.is_unchanged,
            "position": one.position.map(|position| Place(rules, position)),
        )
        .end()
    }
}

impl Serialize for At<'_, &ContradictedAssumption> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let At { rules, is: one, .. } = self;
        object!(serializer,
            "address": one.address,
            "path": DisplayText(&one.path),
            "message": one.message,
            "position": one.position.map(|position| Place(rules, position)),
        )
        .end()
    }
}

impl Serialize for At<'_, (&ShownAttribute, &Origin)> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let At { rules, of, is: (shown, origin) } = self;
        let mut map = object!(serializer,
            "address": of.address(),
            "attribute": shown.name,
            "value": DisplayText(&shown.after),
        );
        match origin {
            Origin::Assumed(position) => map.serialize_entry("assumed", &Place(rules, *position))?,
            Origin::Configuration(place) => map.serialize_entry("configuration", place)?,
            Origin::Schema(stated) => map.serialize_entry("schema", stated)?,
            Origin::Catalogue(stated) => map.serialize_entry("catalogue", stated)?,
        }
        map.end()
    }
}

/// Serializes a warning about the rules file.
struct WarningJson<'a>(&'a Source, &'a (Position, String));

impl Serialize for WarningJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let WarningJson(rules, (position, message)) = self;
        object!(serializer, "message": message, "position": Place(rules, *position)).end()
    }
}

/// Serializes a fact that the plan contradicts.
struct ContradictedFactJson<'a>(&'a ContradictedFact);

impl Serialize for ContradictedFactJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ContradictedFact { address, path, origin, message } = self.0;
        object!(serializer, "address": address, "path": DisplayText(path), "origin": origin, "message": message).end()
    }
}

/// Serializes a rule or skip that matches nothing.
struct UnmatchedJson<'a>(&'a Source, &'a Unmatched);

impl Serialize for UnmatchedJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let UnmatchedJson(rules, one) = self;
        let kind = match one.kind {
            UnmatchedKind::Rule => "rule",
            UnmatchedKind::Skip => "skip",
            UnmatchedKind::Pattern => "pattern",
        };
        object!(serializer,
            "kind": kind,
            "rule": one.name,
            "address": one.address,
            "reason": one.reason,
            "position": Place(rules, one.position),
        )
        .end()
    }
}

/// Serializes the counts of unknown places, and the unknowns that rules are undetermined because of.
struct UnknownJson<'a>(&'a PlanReport);

impl Serialize for UnknownJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let report = self.0;
        let wanted = report.wanted();
        object!(serializer,
            "attributes": report.unknown,
            "answered": report.answered,
            "wanted": ArrayOf(|| wanted.iter().map(WantedJson)),
        )
        .end()
    }
}

/// Serializes an unknown and the number of rules that are undetermined because of it.
struct WantedJson<'a>(&'a (&'a str, usize));

impl Serialize for WantedJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (reference, rules) = self.0;
        object!(serializer, "reference": reference, "rules": rules).end()
    }
}

/// Serializes a position in a rules file, with the name of the file.
struct Place<'a>(&'a Source, Position);

impl Serialize for Place<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Place(rules, position) = self;
        object!(serializer,
            "file": rules.file(*position).name(),
            "line": position.line,
            "column": position.column,
        )
        .end()
    }
}

impl Serialize for Gap {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        object!(serializer, "gap": self.word(), "message": DisplayText(self)).end()
    }
}

/// Serializes a result of a check in the Terraform configuration itself, such as a precondition.
struct OwnCheckJson<'a>(&'a Check);

/// Serializes a condition of the configuration that was evaluated here.
struct CustomConditionJson<'a>(&'a CustomCondition);

impl Serialize for CustomConditionJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let one = self.0;
        object!(serializer,
            "kind": one.kind,
            "object": one.object,
            "address": one.address,
            "place": one.place,
            "status": one.status.as_str(),
            "message": one.message,
            "depends_on": one.depends_on,
            "terraform": one.terraform.as_ref().map(CheckStatus::as_str),
        )
        .end()
    }
}

impl Serialize for OwnCheckJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let check = self.0;
        let status = check.status.as_str();
        object!(serializer,
            "kind": check.kind,
            "address": check.address,
            "status": status,
            "problems": ArrayOf(|| check.instances.iter().flat_map(|instance| &instance.problems)),
        )
        .end()
    }
}

impl Serialize for Totals {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        object!(serializer,
            "pass": self.pass,
            "fail": self.fail,
            "warned": self.warned,
            "undetermined": self.undetermined,
            "skipped": self.skipped,
            "contradicted": self.contradicted,
            "expired": self.expired,
            "known": self.known,
        )
        .end()
    }
}

impl Totals {
    /// The `summary` of [`to_json`].
    ///
    /// [Example](to_json)
    pub fn to_json(&self) -> Json {
        serde_json::to_value(self).unwrap_or_default()
    }
}
