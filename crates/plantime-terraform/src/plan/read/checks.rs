//! The results of the configuration's own conditions.

use plantime::Result;
use plantime::unstable::json::Reader;
use plantime_schema::unstable::json::{array, object, read_text};

/// The results of a configuration's conditions on one object: check blocks, preconditions, postconditions, validations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Check {
    /// What was checked: `resource`, `output_value`, `check`, `var`.
    pub kind: String,
    /// The address of what was checked.
    pub address: String,
    /// The result over all instances.
    pub status: CheckStatus,
    /// The result for each instance.
    pub instances: Vec<CheckInstance>,
}

/// The result of a check for one instance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CheckInstance {
    /// The address of what was checked.
    pub address: String,
    /// What the conditions of this instance gave.
    pub status: CheckStatus,
    /// The messages of the conditions that failed.
    pub problems: Vec<String>,
}

/// The result of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum CheckStatus {
    /// All conditions hold.
    Pass,
    /// A condition does not hold.
    Fail,
    /// A condition could not be evaluated.
    Error,
    /// The result is known only after the apply.
    #[default]
    Unknown,
    /// A result that this version does not know.
    Other(String),
}

impl CheckStatus {
    /// The word for the status in plan JSON.
    pub(in crate::plan) fn as_str(&self) -> &str {
        match self {
            CheckStatus::Pass => "pass",
            CheckStatus::Fail => "fail",
            CheckStatus::Error => "error",
            CheckStatus::Unknown => "unknown",
            CheckStatus::Other(text) => text,
        }
    }

    /// The check status that this word stands for in plan JSON.
    pub(super) fn from_text(text: String) -> CheckStatus {
        match text.as_str() {
            "pass" => CheckStatus::Pass,
            "fail" => CheckStatus::Fail,
            "error" => CheckStatus::Error,
            "unknown" => CheckStatus::Unknown,
            _ => CheckStatus::Other(text),
        }
    }
}

/// Reads the result of the conditions on one object, of a plan or with the other names that a state file uses.
pub(super) fn read_check(reader: &mut Reader<'_>) -> Result<Check> {
    let mut check = Check::default();
    object(reader, |key, reader| {
        match key {
            "address" => (check.kind, check.address) = read_kind_and_address(reader)?,
            "object_kind" => {
                let kind = read_text(reader)?.unwrap_or_default();
                // The name of the kind in a plan.
                check.kind = if kind == "output" { "output_value".to_owned() } else { kind };
            }
            "config_addr" => check.address = read_text(reader)?.unwrap_or_default(),
            "status" => check.status = CheckStatus::from_text(read_text(reader)?.unwrap_or_default()),
            "instances" | "objects" => array(reader, |reader| {
                check.instances.push(read_instance(reader)?);
                Ok(())
            })?,
            _ => reader.skip_unique()?,
        }
        Ok(())
    })?;
    Ok(check)
}

/// Reads the result of a check for one instance.
fn read_instance(reader: &mut Reader<'_>) -> Result<CheckInstance> {
    let mut instance = CheckInstance::default();
    object(reader, |key, reader| {
        match key {
            "address" => instance.address = read_kind_and_address(reader)?.1,
            "object_addr" => instance.address = read_text(reader)?.unwrap_or_default(),
            "status" => instance.status = CheckStatus::from_text(read_text(reader)?.unwrap_or_default()),
            "failure_messages" => array(reader, |reader| {
                instance.problems.extend(read_text(reader)?);
                Ok(())
            })?,
            "problems" => array(reader, |reader| {
                object(reader, |key, reader| match key {
                    "message" => {
                        instance.problems.extend(read_text(reader)?);
                        Ok(())
                    }
                    _ => reader.skip_unique(),
                })
            })?,
            _ => reader.skip_unique()?,
        }
        Ok(())
    })?;
    Ok(instance)
}

/// Reads the kind of a checked object and its address.
fn read_kind_and_address(reader: &mut Reader<'_>) -> Result<(String, String)> {
    let mut found = (String::new(), String::new());
    object(reader, |key, reader| {
        match key {
            "kind" => found.0 = read_text(reader)?.unwrap_or_default(),
            "to_display" => found.1 = read_text(reader)?.unwrap_or_default(),
            _ => reader.skip_unique()?,
        }
        Ok(())
    })?;
    Ok(found)
}
