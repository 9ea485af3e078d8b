//! Obligations to JSON.

use serde_json::{Map, Value as Json, json};

use super::{
    Expectation, OBLIGATIONS_FORMAT_VERSION, Obligation, Obligations, RemainingCondition, RemainingRule,
    UndeterminedTest,
};
use crate::plan::condition::RecordedFacts;
use crate::plan::plan_place::PlanPlace;
use plantime::rule::{Custom, Rule};
use plantime::unstable::error::Kind;
use plantime::{Error, Path, Result, Value};

/// How many levels of JSON nest around a rule in the obligations file.
const DEPTH_AROUND: usize = 3;

impl Obligations {
    /// The obligations as JSON: what `plantime check --obligations` writes.
    ///
    /// [Example](Obligations::are_of)
    pub fn to_json(&self) -> Json {
        let mut json = json!({
            "format_version": OBLIGATIONS_FORMAT_VERSION,
            "plan": self.plan,
            "sha256": self.sha256,
            "terraform_version": self.terraform_version,
            "rules": self.rules,
            "plan_facts": self.facts.as_ref().map(RecordedFacts::to_json),
            "obligations": self.obligations.iter().map(Obligation::to_json).collect::<Vec<_>>(),
        });
        if let (None, Some(object)) = (&self.facts, json.as_object_mut()) {
            object.remove("plan_facts");
        }
        if let (false, Some(object)) = (self.sensitive.is_empty(), json.as_object_mut()) {
            let text = |places: &Vec<Path>| places.iter().map(Path::to_string).collect::<Json>();
            let places = self.sensitive.iter().map(|(address, places)| (address.clone(), text(places)));
            object.insert("sensitive".to_owned(), Json::Object(places.collect()));
        }
        json
    }
}

impl Obligation {
    /// The position in JSON: line and column, and the name of the file if there are several.
    pub(in crate::plan) fn position_json(&self) -> Json {
        let (line, column) = (self.position.line, self.position.column);
        match &self.file {
            None => json!({ "line": line, "column": column }),
            Some(file) => json!({ "file": file, "line": line, "column": column }),
        }
    }

    /// The obligation as a JSON object.
    fn to_json(&self) -> Json {
        let mut object = Map::new();
        let mut put = |key: &str, value: Json| {
            object.insert(key.to_owned(), value);
        };
        put("address", json!(self.address));
        put("path", json!(self.path.to_string()));
        match &self.origin {
            Some(origin) => put("origin", json!(origin)),
            None => put("position", self.position_json()),
        }
        match &self.expectation {
            Expectation::Assumption(refinement) => put("assumed", json!(refinement.to_string())),
            Expectation::SameAs(place) => put("same_as", place_json(place)),
            Expectation::Test(open) => open.put_properties(&mut put),
        }
        Json::Object(object)
    }
}

impl UndeterminedTest {
    /// Writes the properties of a test that was undetermined, by calls of `put` with each name and value.
    fn put_properties(&self, put: &mut dyn FnMut(&str, Json)) {
        put("rule", json!(self.name));
        if let Some(description) = &self.description {
            put("description", json!(description));
        }
        put("severity", json!(self.severity.to_string()));
        put("claim", json!(self.claim));
        put("passes_if", json!(self.passes_if));
        put("waits_for", json!(self.waits_for));
        if let Some(message) = &self.message {
            put("message", json!(message.to_string()));
        }
        if let RemainingRule::SameAs(place) = &self.remaining {
            return put("same_as", place_json(place));
        }
        if let RemainingRule::Condition(left) = &self.remaining {
            return left.put_properties(put);
        }
        match self.remaining.to_json() {
            Ok((must, before)) => {
                put("must", must);
                let unless_null = self.unless_null.as_deref().and_then(|rule| rule_form(rule).ok());
                unless_null.into_iter().for_each(|rule| put("unless_null", rule));
                before.into_iter().for_each(|before| put("before", before));
            }
            Err(reason) => {
                put("must", Json::Null);
                put("not_verifiable", json!(reason));
            }
        }
    }
}

impl RemainingCondition {
    /// Writes the JSON properties of an obligation whose rule has conditions.
    fn put_properties(&self, put: &mut dyn FnMut(&str, Json)) {
        put("must", plantime::unstable::json::lossless_or_text(&self.must).unwrap_or_default());
        put("conditions", json!(self.conditions));
        if !self.locals.is_empty() {
            put("locals", json!(self.locals));
        }
        if let Some((key, value)) = &self.each {
            put("each", json!({ "key": key, "value": value }));
        }
        if let Some(message) = &self.error_message {
            put("error_message", json!(message));
        }
        if let Some(before) = &self.before {
            put("before", typed_value(before).unwrap_or_default());
        }
        if self.is_prior {
            put("is_prior", json!(true));
        }
    }
}

impl RemainingRule {
    /// The rule in JSON, and the prior value if the rule reads it; or why they cannot be written.
    fn to_json(&self) -> Result<(Json, Option<Json>), String> {
        match self {
            RemainingRule::NotWritable(reason) => Err(reason.clone()),
            RemainingRule::SameAs(place) => Err(format!("it compares with {place}")),
            RemainingRule::Condition(_) => Err("it has a condition".to_owned()),
            RemainingRule::Rule { rule, before } => {
                let must = rule_form(rule)?;
                let before =
                    before.as_ref().map(|before| typed_value(before).map_err(|error| error.to_string()));
                let before = before.transpose()?;
                Ok((must, rule.reads_before().then_some(before.unwrap_or(Json::Null))))
            }
        }
    }
}

/// A place of a plan in JSON.
fn place_json(place: &PlanPlace) -> Json {
    json!({ "address": place.address, "path": place.path.to_string() })
}

/// A rule in JSON, checked to read back as the same rule; or why it cannot be written.
pub(super) fn rule_form(rule: &Rule) -> Result<Json, String> {
    rule_form_with(rule, &[]).map(|(json, _)| json)
}

/// As [`rule_form`], for a rule with these functions; and the form that is read back.
pub(super) fn rule_form_with(rule: &Rule, functions: &[Custom]) -> Result<(Json, Value), String> {
    exact_form(rule, functions).map_err(|error| {
        if error.is_marked() {
            "it compares with a value that is marked, which is not written down".to_owned()
        } else {
            error.to_string()
        }
    })
}

/// A rule in JSON; an error if it is too deep or would not read back as the same rule.
fn exact_form(rule: &Rule, functions: &[Custom]) -> Result<(Json, Value)> {
    let form = rule.to_form()?;
    if form.ty().depth() > plantime::limits::DEPTH.saturating_sub(DEPTH_AROUND) {
        return Err(too_deep());
    }
    let json = plantime::unstable::json::lossless_or_text(&form)?;
    let form = Value::try_from(&json)?;
    match Rule::from_form_with(&form, functions) {
        Ok(read) if read == *rule => Ok((json, form)),
        _ => Err(not_read_back("the rule")),
    }
}

/// A value with its type in JSON; an error if it is too deep or would not read back as the same value.
pub(super) fn typed_value(value: &Value) -> Result<Json> {
    let json = plantime::unstable::json::lossless_or_text(value)?;
    let ty = value.ty();
    // A level of a type is two of JSON.
    if ty.depth().saturating_mul(2) >= plantime::limits::DEPTH.saturating_sub(DEPTH_AROUND) {
        return Err(too_deep());
    }
    let form: Json = serde_json::from_str(&ty.to_json_text()?).map_err(|_| too_deep())?;
    match plantime::convert(&Value::try_from(&json)?, &ty.into()) {
        Ok(read) if read == *value => Ok(json!({ "type": form, "value": json })),
        _ => Err(not_read_back("the value before")),
    }
}

/// The error for a rule or value that nests deeper than the file allows.
#[cold]
fn too_deep() -> Error {
    Error::new(Kind::Limit, "it nests too deep for the file")
}

/// The error for a rule or value, named by `what`, that would read back as another one.
#[cold]
fn not_read_back(what: &str) -> Error {
    Error::new(Kind::Argument, format!("{what} has no JSON form that reads back as the same"))
}
