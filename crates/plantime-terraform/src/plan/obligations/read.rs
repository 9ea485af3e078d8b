//! Obligations from JSON.

use super::{Expectation, Obligation, Obligations, RemainingCondition, RemainingRule, UndeterminedTest};
use crate::plan::condition::RecordedFacts;
use crate::plan::plan_place::PlanPlace;
use plantime::rule::{PathExpr, Rule, Severity, Template};
use plantime::source::Position;
use plantime::unstable::error::Kind;
use plantime::unstable::json::{Reader, Token, implied};
use plantime::{Error, Refinement, Result, Step, Value};
use plantime_schema::unstable::json::{array, object, read_count, read_flag, read_text};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Reads the JSON form of obligations.
pub(super) fn read_obligations(json: &[u8]) -> Result<Obligations> {
    let mut reader = Reader::new(json)?;
    if reader.peek()? != Token::Object {
        reader.skip()?;
        reader.end()?;
        return Err(not_obligations("the JSON is no object"));
    }
    let (mut version, mut plan, mut sha256, mut rules) = (None, None, None, None);
    let (mut terraform_version, mut found, mut sensitive) = (None, None, BTreeMap::new());
    let mut facts = None;
    object(&mut reader, |key, reader| {
        match key {
            "format_version" => {
                version = read_text(reader)?;
                version.as_deref().map_or(Ok(()), check_version)?;
            }
            "plan" => plan = read_text(reader)?,
            "sha256" => sha256 = read_text(reader)?,
            "terraform_version" => terraform_version = read_text(reader)?,
            "rules" => rules = read_text(reader)?,
            "sensitive" => object(reader, |address, reader| {
                let mut places = Vec::new();
                array(reader, |reader| {
                    places.extend(read_parsed(reader)?);
                    Ok(())
                })?;
                sensitive.insert(address.to_owned(), places);
                Ok(())
            })?,
            "plan_facts" => {
                reader.peek()?;
                let start = *reader;
                let read = RecordedFacts::from_json(&read_json(reader)?);
                facts = Some(read.map_err(|problem| start.error(&format!("in \"plan_facts\": {problem}")))?);
            }
            "obligations" => {
                let mut all = Vec::new();
                array(reader, |reader| {
                    all.push(read_obligation(reader)?);
                    Ok(())
                })?;
                found = Some(all);
            }
            _ => reader.skip()?,
        }
        Ok(())
    })?;
    reader.end()?;
    if version.is_none() {
        return Err(not_obligations("there is no format_version"));
    }
    let Some(obligations) = found else { return Err(not_obligations("there are no obligations in it")) };
    Ok(Obligations {
        plan: plan.unwrap_or_default(),
        sha256: sha256.unwrap_or_default(),
        terraform_version,
        rules: rules.unwrap_or_default(),
        sensitive,
        obligations,
        facts,
    })
}

/// The error for a file that holds no obligations.
#[cold]
fn not_obligations(why: &str) -> Error {
    Error::new(Kind::Syntax, format!("not a file of obligations: {why}"))
}

/// Fails unless the major number of a format version is 1.
fn check_version(version: &str) -> Result<()> {
    match version.split('.').next().and_then(|major| major.parse::<u64>().ok()) {
        Some(1) => Ok(()),
        _ => Err(Error::new(
            Kind::Argument,
            format!("obligations of format {version:?} are not supported, expected 1.x"),
        )),
    }
}

/// The properties of one obligation's JSON object, collected in whatever order they are written.
#[derive(Default)]
struct ObligationFields<'a> {
    address: Option<String>,
    path: PathExpr,
    position: Option<Position>,
    file: Option<String>,
    origin: Option<String>,
    assumed: Option<Refinement>,
    same_as: Option<PlanPlace>,
    rule: Option<String>,
    description: Option<String>,
    severity: Option<Severity>,
    claim: String,
    /// The form of a rule, and where it is.
    must: Option<(Value, Reader<'a>)>,
    unless_null: Option<Box<Rule>>,
    conditions: Option<BTreeMap<String, String>>,
    locals: BTreeMap<String, String>,
    each: Option<(Value, Value)>,
    error_message: Option<String>,
    is_prior: bool,
    before: Option<Option<Value>>,
    not_verifiable: Option<String>,
    passes_if: String,
    waits_for: Vec<String>,
    message: Option<Arc<Template>>,
}

/// Reads one obligation.
fn read_obligation(reader: &mut Reader<'_>) -> Result<Obligation> {
    let mut fields = ObligationFields::default();
    if reader.peek()? != Token::Object {
        return Err(reader.mismatch("object"));
    }
    object(reader, |key, reader| {
        match key {
            "address" => fields.address = read_text(reader)?,
            "path" => fields.path = read_parsed(reader)?.unwrap_or_default(),
            "position" => fields.position = Some(read_position(reader, &mut fields.file)?),
            "origin" => fields.origin = read_text(reader)?,
            "assumed" => fields.assumed = read_parsed(reader)?,
            "same_as" => fields.same_as = Some(read_place(reader)?),
            "rule" => fields.rule = read_text(reader)?,
            "description" => fields.description = read_text(reader)?,
            "severity" => fields.severity = read_severity(reader)?,
            "claim" => fields.claim = read_text(reader)?.unwrap_or_default(),
            "must" if reader.peek()? == Token::Null => reader.null()?,
            "must" => {
                reader.peek()?;
                let start = *reader;
                fields.must = Some((implied(reader)?, start));
            }
            "unless_null" => {
                reader.peek()?;
                let start = *reader;
                let rule = Rule::from_form(&implied(reader)?);
                let rule = rule.map_err(|error| start.locate(error.under(Step::attr("unless_null"))));
                fields.unless_null = Some(Box::new(rule?));
            }
            "conditions" => fields.conditions = Some(read_texts(reader)?),
            "locals" => fields.locals = read_texts(reader)?,
            "each" => fields.each = read_each(reader)?,
            "error_message" => fields.error_message = read_text(reader)?,
            "is_prior" => fields.is_prior = read_flag(reader)?,
            "before" => fields.before = Some(read_prior_value(reader)?),
            "not_verifiable" => fields.not_verifiable = read_text(reader)?,
            "passes_if" => fields.passes_if = read_text(reader)?.unwrap_or_default(),
            "waits_for" => array(reader, |reader| {
                fields.waits_for.extend(read_text(reader)?);
                Ok(())
            })?,
            "message" => fields.message = read_parsed(reader)?.map(Arc::new),
            _ => reader.skip()?,
        }
        Ok(())
    })?;
    let ends = |message: &str| reader.error(&format!("{message} in an obligation that ends"));
    fields.into_obligation().map_err(|problem| match problem {
        Wrong::Message(message) => ends(message),
        Wrong::Error(error) => error,
    })
}

/// What is wrong with the properties of an obligation.
enum Wrong {
    Message(&'static str),
    Error(Error),
}

impl From<&'static str> for Wrong {
    fn from(message: &'static str) -> Wrong {
        Wrong::Message(message)
    }
}

impl ObligationFields<'_> {
    /// The obligation with these properties, or what is wrong with them.
    fn into_obligation(self) -> Result<Obligation, Wrong> {
        let address = self.address.ok_or("the address is missing")?;
        let position = self.position.unwrap_or(Position::at(1, 1));
        let expectation = match (self.assumed, self.rule) {
            (Some(_), Some(_)) => return Err("there are both \"assumed\" and \"rule\"".into()),
            (Some(_), None) if self.same_as.is_some() => {
                return Err("there are both \"assumed\" and \"same_as\"".into());
            }
            (None, None) => match self.same_as {
                Some(place) => Expectation::SameAs(place),
                None => return Err("there is neither \"assumed\" nor \"rule\"".into()),
            },
            (Some(refinement), None) => Expectation::Assumption(refinement),
            (None, Some(name)) => {
                let remaining = match (self.must, self.not_verifiable) {
                    (Some(_), Some(_)) => {
                        return Err("there are both \"must\" and \"not_verifiable\"".into());
                    }
                    (None, None) => match self.same_as {
                        Some(place) => RemainingRule::SameAs(place),
                        None => return Err("there is neither \"must\" nor \"not_verifiable\"".into()),
                    },
                    (Some((must, start)), None) => match self.conditions {
                        Some(conditions) => RemainingRule::Condition(Box::new(RemainingCondition {
                            must,
                            conditions,
                            locals: self.locals,
                            each: self.each,
                            error_message: self.error_message,
                            before: self.before.flatten(),
                            is_prior: self.is_prior,
                        })),
                        None => {
                            let rule = Rule::from_form(&must);
                            let rule = rule.map_err(|error| {
                                Wrong::Error(start.locate(error.under(Step::attr("must"))))
                            })?;
                            if rule.reads_before() && self.before.is_none() {
                                return Err("\"before\" is missing beside a rule about a change".into());
                            }
                            RemainingRule::Rule { rule, before: self.before.flatten() }
                        }
                    },
                    (None, Some(reason)) => RemainingRule::NotWritable(reason),
                };
                Expectation::Test(UndeterminedTest {
                    name,
                    description: self.description,
                    severity: self.severity.unwrap_or(Severity::Error),
                    claim: self.claim,
                    unless_null: self.unless_null.filter(|_| matches!(remaining, RemainingRule::Rule { .. })),
                    remaining,
                    passes_if: self.passes_if,
                    waits_for: self.waits_for,
                    message: self.message,
                })
            }
        };
        Ok(Obligation {
            address,
            path: self.path,
            position,
            file: self.file,
            origin: self.origin,
            expectation,
        })
    }
}

/// Reads a place of a plan: an address and a path.
fn read_place(reader: &mut Reader<'_>) -> Result<PlanPlace> {
    reader.peek()?;
    let start = *reader;
    let (mut address, mut path) = (None, PathExpr::new());
    object(reader, |key, reader| {
        match key {
            "address" => address = read_text(reader)?,
            "path" => path = read_parsed(reader)?.unwrap_or_default(),
            _ => reader.skip()?,
        }
        Ok(())
    })?;
    let address = address.ok_or_else(|| start.error("the address of the other place is missing"))?;
    Ok(PlanPlace::new(&address, path))
}

/// Reads an object of texts.
fn read_texts(reader: &mut Reader<'_>) -> Result<BTreeMap<String, String>> {
    let mut texts = BTreeMap::new();
    object(reader, |name, reader| {
        texts.insert(name.to_owned(), read_text(reader)?.unwrap_or_default());
        Ok(())
    })?;
    Ok(texts)
}

/// Reads a part in a form of `serde_json`.
fn read_json(reader: &mut Reader<'_>) -> Result<Json> {
    reader.peek()?;
    let start = *reader;
    reader.skip_unique()?;
    serde_json::from_str(start.text_until(reader)).map_err(|error| start.error(&error.to_string()))
}

/// Reads the element of `for_each`: key and value in their self-describing form.
fn read_each(reader: &mut Reader<'_>) -> Result<Option<(Value, Value)>> {
    reader.peek()?;
    let start = *reader;
    let json = read_json(reader)?;
    let part = |name: &str| {
        let part = json.get(name).cloned().unwrap_or_default();
        serde_json::from_value(part).map_err(|error| start.error(&error.to_string()))
    };
    Ok(Some((part("key")?, part("value")?)))
}

/// Reads a string and parses it into a `T`; `None` for null.
fn read_parsed<T: std::str::FromStr<Err = Error>>(reader: &mut Reader<'_>) -> Result<Option<T>> {
    reader.peek()?;
    let start = *reader;
    let read = read_text(reader)?.map(|text| text.parse());
    // The place in the JSON, not in the text.
    read.transpose().map_err(|error: Error| start.error(error.message()).of_kind(Kind::Syntax))
}

/// Reads the severity `"error"` or `"warning"`; `None` for null.
fn read_severity(reader: &mut Reader<'_>) -> Result<Option<Severity>> {
    reader.peek()?;
    let start = *reader;
    Ok(match read_text(reader)?.as_deref() {
        None => None,
        Some("error") => Some(Severity::Error),
        Some("warning") => Some(Severity::Warning),
        Some(other) => {
            return Err(
                start.error(&format!("a severity is \"error\" or \"warning\", but this is {other:?}"))
            );
        }
    })
}

/// Reads a position in a rules file; stores the name of the file, if it is given, in `file`.
fn read_position(reader: &mut Reader<'_>, file: &mut Option<String>) -> Result<Position> {
    let mut position = Position::at(1, 1);
    object(reader, |key, reader| {
        let place = match key {
            "line" => &mut position.line,
            "column" => &mut position.column,
            "file" => {
                *file = read_text(reader)?;
                return Ok(());
            }
            _ => return reader.skip(),
        };
        *place = usize::try_from(read_count(reader)?).unwrap_or(usize::MAX);
        Ok(())
    })?;
    Ok(position)
}

/// Reads the prior value for a rule about changes: a value with its type. `None` for null.
fn read_prior_value(reader: &mut Reader<'_>) -> Result<Option<Value>> {
    reader.peek()?;
    let start = *reader;
    let (mut ty, mut value) = (None, None);
    object(reader, |key, reader| {
        match key {
            "type" => ty = Some(plantime_schema::unstable::json::ty(reader)?),
            "value" => value = Some(implied(reader)?),
            _ => reader.skip()?,
        }
        Ok(())
    })?;
    match (ty, value) {
        (Some(ty), Some(value)) => {
            let typed = plantime::convert(&value, &ty.into());
            typed.map(Some).map_err(|error| start.locate(error.under(Step::attr("value"))))
        }
        (None, None) => Ok(None),
        _ => Err(start.error("\"type\" and \"value\" belong together")),
    }
}
