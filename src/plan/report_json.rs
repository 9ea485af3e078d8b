//! A report as JSON.

use serde_json::{Map, Value as Json, json};

use super::gap::Gap;
use super::knowledge::Origin;
use super::render::word;
use super::report::{Answer, Checked, Report, Side, Totals, UnmatchedKind, Verdict};
use super::source::Position;
use super::unusable::Unusable;
use super::{Check, CheckStatus};

/// The version of the form: the major number changes when a program that reads it would break.
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
///       "gap": "errored",                "errored", "incomplete", "deferred" or "not_applyable"
///       "message": "…"
///     }],
///     "own_checks": [{                   what the configuration's own conditions gave
///       "kind": "check", "address": "check.health", "status": "pass", "problems": ["…"]
///     }],
///     "rules": "rules.hcl",
///     "answers": [{                      one for each rule, address and path
///       "rule": "no-world",
///       "severity": "error",             or "warning"
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
///       "message": "…",                  of a failure: the author's own, if there is one
///       "why": {                         of an undetermined answer
///         "inputs": ["vpc_id"],          unknown places in the resource
///         "depends_on": ["aws_vpc.main.id"],    the references they were written with, or themselves
///         "known_so_far": ["…"],
///         "obligation": "starts_with(\"vpc-\")",
///         "passes_if": "it turns out to start with \"vpc-\""
///       },
///       "reason": "…",                   of a skip; of a pass without a test
///       "skip": {"file": …, "line": …, "column": …}    where a skip stands
///     }],
///     "replacements": [{                 resources of which the plan or the rules file says whether they are replaced
///       "address": "aws_db_instance.orders",
///       "answer": "maybe",               "yes", "no" or "maybe"
///       "forced_by": [{"what": "engine", "certain": false, "position": {…} or null}],   null: the plan says so
///       "depends_on": ["var.engine"]     of a maybe
///     }],
///     "contradictions": [{"address": "…", "path": "…", "message": "…", "position": {…} or null}],
///     "warnings": [{"message": "…", "position": {…}}],
///     "notes": ["…"],                  what a reader should know of the inputs
///     "unmatched": [{                    rules and skips that nothing in the plan is about
///       "kind": "rule",                  "rule" or "skip"
///       "rule": "no-world", "reason": "no matching resources", "position": {…}
///     }],
///     "knowledge": [{"address": "…", "attribute": "…", "value": "…", "assumed": {…}, "from": "…", "written": "…"}],
///     "unknown": {"attributes": 113, "answered": 11, "wanted": [{"reference": "…", "rules": 1}]},
///     "summary": {"pass": 8, "fail": 1, "warned": 0, "undetermined": 2, "skipped": 1, "contradicted": 0}
///   }],
///   "errors": [{                         inputs that are unusable
///     "input": "plan.json",              or null
///     "position": {"file": …, "line": …, "column": …},    where in a text, or null
///     "message": "no such file or directory"
///   }],
///   "summary": {…}                       all plans together
/// }
/// ```
///
/// Marked content appears nowhere.
pub fn to_json(reports: &[Report], errors: &[Unusable]) -> Json {
    let totals = reports.iter().map(Report::totals).fold(Totals::default(), Totals::and);
    json!({
        "format_version": REPORT_FORMAT_VERSION,
        "plans": reports.iter().map(Report::to_json).collect::<Vec<_>>(),
        "errors": errors.iter().map(Unusable::to_json).collect::<Vec<_>>(),
        "summary": totals.to_json(),
    })
}

impl Report {
    /// One plan's part of [`to_json`].
    pub fn to_json(&self) -> Json {
        let answers = self
            .checked
            .iter()
            .flat_map(|checked| checked.answers.iter().map(|answer| self.answer(&checked.address, answer)));
        let contradicted = self.checked.iter().flat_map(|checked| &checked.contradicted).map(|one| {
            json!({
                "address": one.address,
                "path": one.path.to_string(),
                "message": one.message,
                "position": one.position.map(|position| self.position(position)),
            })
        });
        let warnings = self
            .warnings
            .iter()
            .map(|(position, message)| json!({ "message": message, "position": self.position(*position) }));
        let unmatched = self.unmatched.iter().map(|one| {
            let kind = match one.kind {
                UnmatchedKind::Rule => "rule",
                UnmatchedKind::Skip => "skip",
            };
            json!({ "kind": kind, "rule": one.name, "reason": one.reason, "position": self.position(one.position) })
        });
        let wanted =
            self.wanted.iter().map(|(reference, rules)| json!({ "reference": reference, "rules": rules }));
        json!({
            "plan": self.name,
            "terraform_version": self.terraform_version,
            "gaps": self.gaps.iter().map(gap).collect::<Vec<_>>(),
            "own_checks": self.own_checks.iter().map(own_check).collect::<Vec<_>>(),
            "rules": self.rules.name(),
            "answers": answers.collect::<Vec<_>>(),
            "replacements": self.checked.iter().filter_map(|checked| self.replaces(checked)).collect::<Vec<_>>(),
            "contradictions": contradicted.collect::<Vec<_>>(),
            "warnings": warnings.collect::<Vec<_>>(),
            "notes": self.notes,
            "unmatched": unmatched.collect::<Vec<_>>(),
            "knowledge": self.checked.iter().flat_map(|checked| self.knowledge(checked)).collect::<Vec<_>>(),
            "unknown": {
                "attributes": self.unknown,
                "answered": self.answered,
                "wanted": wanted.collect::<Vec<_>>(),
            },
            "summary": self.totals().to_json(),
        })
    }

    fn answer(&self, address: &str, answer: &Answer) -> Json {
        let outcome = match word(answer) {
            "warning" => "fail",
            word => word,
        };
        let mut object = Map::new();
        let mut put = |key: &str, value: Json| {
            object.insert(key.to_owned(), value);
        };
        put("rule", json!(answer.rule));
        put("severity", json!(answer.severity.to_string()));
        put("address", json!(address));
        put("path", json!(answer.place()));
        put("claim", json!(answer.claim));
        put("outcome", json!(outcome));
        put("position", self.position(answer.position));
        if answer.side == Side::Prior {
            put("side", json!("before"));
        }
        if answer.is_null {
            put("null", json!(true));
        }
        match &answer.verdict {
            Verdict::Pass => {}
            Verdict::NotApplicable(reason) => put("reason", json!(reason)),
            Verdict::Skipped(reason, position) => {
                put("reason", json!(reason));
                put("skip", self.position(*position));
            }
            Verdict::Fail(failure) => {
                let diagnostics = failure.diagnostics.iter().map(|one| {
                    json!({
                        "severity": one.severity.to_string(),
                        "summary": one.summary,
                        "detail": one.detail,
                        "path": one.path.to_string(),
                    })
                });
                put("diagnostics", Json::Array(diagnostics.collect()));
                if let Some(message) = &failure.message {
                    put("message", json!(message));
                }
            }
            Verdict::Undetermined(reason) => {
                let inputs: Vec<String> = reason.why.inputs().iter().map(ToString::to_string).collect();
                put(
                    "why",
                    json!({
                        "inputs": inputs,
                        "depends_on": reason.depends_on,
                        "known_so_far": reason.why.notes(),
                        "obligation": reason.why.obligation().map(ToString::to_string),
                        "passes_if": reason.why.passes_if(),
                    }),
                );
            }
        }
        Json::Object(object)
    }

    fn replaces(&self, checked: &Checked) -> Option<Json> {
        let replacement = checked.replacement.as_ref()?;
        let forced_by = replacement.forced_by.iter().map(|one| {
            let position = one.position.map(|position| self.position(position));
            json!({ "what": one.what, "certain": one.is_certain, "position": position })
        });
        Some(json!({
            "address": checked.address,
            "answer": replacement.word(),
            "forced_by": forced_by.collect::<Vec<_>>(),
            "depends_on": replacement.depends_on,
        }))
    }

    fn knowledge(&self, checked: &Checked) -> Vec<Json> {
        let shown = checked.shown.iter().filter_map(|shown| Some((shown, shown.origin.as_ref()?)));
        shown
            .map(|(shown, origin)| {
                let (kind, from) = match origin {
                    Origin::Assumed(position) => ("assumed", self.position(*position)),
                    Origin::From(source) => ("from", json!(source)),
                    Origin::Written(place) => ("written", json!(place)),
                };
                json!({
                    "address": checked.address,
                    "attribute": shown.name,
                    "value": shown.after.to_string(),
                    kind: from,
                })
            })
            .collect()
    }

    fn position(&self, position: Position) -> Json {
        json!({ "file": self.rules.file(position).name(), "line": position.line, "column": position.column })
    }
}

fn gap(gap: &Gap) -> Json {
    json!({ "gap": gap.word(), "message": gap.to_string() })
}

fn own_check(check: &Check) -> Json {
    let status = match &check.status {
        CheckStatus::Pass => "pass",
        CheckStatus::Fail => "fail",
        CheckStatus::Error => "error",
        CheckStatus::Unknown => "unknown",
        CheckStatus::Other(text) => text,
    };
    let problems: Vec<&String> = check.instances.iter().flat_map(|instance| &instance.problems).collect();
    json!({ "kind": check.kind, "address": check.address, "status": status, "problems": problems })
}

impl Totals {
    /// The `summary` of [`to_json`].
    pub fn to_json(&self) -> Json {
        json!({
            "pass": self.pass,
            "fail": self.fail,
            "warned": self.warned,
            "undetermined": self.undetermined,
            "skipped": self.skipped,
            "contradicted": self.contradicted,
        })
    }
}
