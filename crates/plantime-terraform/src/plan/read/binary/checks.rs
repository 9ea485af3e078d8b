//! Reads the results of the configuration's own conditions.

use super::protobuf::Message;
use crate::plan::{Check, CheckInstance, CheckStatus};
use plantime::Result;

/// Reads a message `CheckResults`.
pub(super) fn read_check(message: Message<'_>) -> Result<Check> {
    let mut check = Check::default();
    message.for_each(&[1, 2, 3], |number, field| {
        match number {
            1 => {
                let kind = match field.varint()? {
                    1 => "resource",
                    2 => "output_value",
                    3 => "check",
                    4 => "var",
                    _ => "",
                };
                kind.clone_into(&mut check.kind);
            }
            2 => field.text()?.clone_into(&mut check.address),
            3 => check.status = status(field.varint()?),
            4 => check.instances.push(read_instance(field.message()?)?),
            _ => {}
        }
        Ok(())
    })?;
    Ok(check)
}

/// Reads a message `ObjectResult`.
fn read_instance(message: Message<'_>) -> Result<CheckInstance> {
    let mut instance = CheckInstance::default();
    message.for_each(&[1, 2], |number, field| {
        match number {
            1 => field.text()?.clone_into(&mut instance.address),
            2 => instance.status = status(field.varint()?),
            3 => instance.problems.push(field.text()?.to_owned()),
            _ => {}
        }
        Ok(())
    })?;
    Ok(instance)
}

/// The check status that this number stands for.
fn status(number: u64) -> CheckStatus {
    match number {
        0 => CheckStatus::Unknown,
        1 => CheckStatus::Pass,
        2 => CheckStatus::Fail,
        3 => CheckStatus::Error,
        other => CheckStatus::Other(other.to_string()),
    }
}
