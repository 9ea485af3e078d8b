//! A verification as JSON.

use serde_json::{Value as Json, json};

use super::{Finding, Verification, Verified, text};
use crate::plan::obligations::Expectation;

/// The version of the form: the major number changes when a program that reads it would break.
pub const VERIFICATION_FORMAT_VERSION: &str = "1.0";

impl Verification {
    /// The findings as one JSON document.
    ///
    /// ```text
    /// {
    ///   "format_version": "1.0",
    ///   "plan": "plan.json",
    ///   "sha256": "9f86d081…",             of the plan's JSON text
    ///   "terraform_version": "1.15.5",     of the state, or null
    ///   "rules": "rules.hcl",
    ///   "findings": [{                     one for each obligation
    ///     "address": "aws_vpc.main",
    ///     "path": "id",                    "" for the resource as a whole
    ///     "rule": "vpc-id",                null for an assumption
    ///     "description": "…",              what the rule is about, if it says so
    ///     "assumed": "notnull()",          of an assumption
    ///     "same_as": "aws_vpc.main.id",   of an assumption that two values are the same
    ///     "claim": "starts with \"vpc-\"", of a rule
    ///     "severity": "error",             or "warning"
    ///     "finding": "broken",             "upheld", "broken" or "not verifiable"
    ///     "breaches": [{"path": "id", "message": "…"}],    where it is broken
    ///     "origin": "…",                   of a fact of a schema or catalogue, in place of a position
    ///     "reason": "…",                   why it is not verifiable
    ///     "position": {"line": 12, "column": 5}    and the "file", where there were several rules files
    ///   }],
    ///   "summary": {"upheld": 8, "broken": 1, "warned": 0, "not_verifiable": 0}
    /// }
    /// ```
    ///
    /// Marked content appears nowhere.
    pub fn to_json(&self) -> Json {
        let totals = self.totals();
        json!({
            "format_version": VERIFICATION_FORMAT_VERSION,
            "plan": self.plan,
            "sha256": self.sha256,
            "terraform_version": self.terraform_version,
            "rules": self.rules,
            "findings": self.verified.iter().map(finding_json).collect::<Vec<_>>(),
            "summary": {
                "upheld": totals.upheld,
                "broken": totals.broken,
                "warned": totals.warned,
                "not_verifiable": totals.not_verifiable,
            },
        })
    }
}

/// One finding in JSON.
fn finding_json(verified: &Verified) -> Json {
    let obligation = &verified.obligation;
    let word = match text::finding_word(verified) {
        "warning" => "broken",
        word => word,
    };
    let mut json = json!({
        "address": obligation.address,
        "path": obligation.path.to_string(),
        "rule": obligation.rule(),
        "severity": verified.severity().to_string(),
        "finding": word,
    });
    let Some(object) = json.as_object_mut() else { return json };
    match &obligation.origin {
        Some(origin) => object.insert("origin".to_owned(), json!(origin)),
        None => object.insert("position".to_owned(), obligation.position_json()),
    };
    if let Some(description) = obligation.description() {
        object.insert("description".to_owned(), json!(description));
    }
    match &obligation.expectation {
        Expectation::Assumption(refinement) => {
            object.insert("assumed".to_owned(), json!(refinement.to_string()))
        }
        Expectation::SameAs(place) => object.insert("same_as".to_owned(), json!(place.to_string())),
        Expectation::Test(open) => object.insert("claim".to_owned(), json!(open.claim)),
    };
    match &verified.finding {
        Finding::Upheld => {}
        Finding::NotVerifiable(why) => {
            object.insert("reason".to_owned(), json!(why));
        }
        Finding::Broken(breaches) => {
            let breaches = breaches
                .iter()
                .map(|breach| json!({ "path": breach.path.to_string(), "message": breach.message }));
            object.insert("breaches".to_owned(), Json::Array(breaches.collect()));
        }
    }
    json
}
