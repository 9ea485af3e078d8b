//! How long an operation may take: defaults of a resource type, and the block `timeouts` of its configuration.

use std::time::Duration;

use plantime::{Path, Type, Value, View};
use plantime_schema::{Attribute, AttributeType, Block, NestedBlock, Nesting};

use crate::diagnostic::Diagnostic;

/// The name of the block.
const BLOCK: &str = "timeouts";

/// An operation on an object that may take long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    /// The object is created.
    Create,
    /// The object, or a data source, is read.
    Read,
    /// The object is changed.
    Update,
    /// The object is deleted.
    Delete,
}

impl Operation {
    /// The name in the block `timeouts`.
    fn name(self) -> &'static str {
        match self {
            Operation::Create => "create",
            Operation::Read => "read",
            Operation::Update => "update",
            Operation::Delete => "delete",
        }
    }
}

/// The block type `timeouts` with an attribute for each operation.
pub(crate) fn block(operations: &[Operation]) -> (&'static str, NestedBlock) {
    let mut block = Block::default();
    for operation in operations {
        let mut attribute = Attribute::new(AttributeType::Plain(Type::String));
        attribute.optional = true;
        attribute.description = Some("How long the operation may take, such as 30m or 1h30m".to_owned());
        block.attributes.insert(operation.name().to_owned(), attribute);
    }
    (BLOCK, NestedBlock::new(Nesting::Single, block))
}

/// How long an operation may take as the configuration or the state of an object says; `None` if it does not.
pub(crate) fn configured_timeout(object: &Value, operation: Operation) -> Option<Duration> {
    let timeouts = object.get_attr(BLOCK).ok()?;
    let text = timeouts.get_attr(operation.name()).ok()?;
    parse(text.as_str().ok()?)
}

/// An error for each duration in the block `timeouts` that cannot be read.
pub(crate) fn check(config: &Value) -> Vec<Diagnostic> {
    let Ok(timeouts) = config.get_attr(BLOCK) else { return Vec::new() };
    let View::Object(entries) = timeouts.view() else { return Vec::new() };
    let wrong = |(name, value): (&str, &Value)| {
        let text = value.as_str().ok()?;
        let place = Path::new().attr(BLOCK).attr(name);
        let error = || Diagnostic::error(format!("{text:?} is not a duration")).detail(FORM).at(place);
        parse(text).is_none().then(error)
    };
    entries.iter().filter_map(wrong).collect()
}

/// What a duration looks like.
const FORM: &str = "A duration is one or more numbers with units, such as 30m, 1h30m or 2.5s. The units are ns, us, ms, s, m and h.";

/// Reads a duration as Go writes it, without a sign.
fn parse(text: &str) -> Option<Duration> {
    if text == "0" {
        return Some(Duration::ZERO);
    }
    let mut rest = text;
    let mut sum = Duration::ZERO;
    while !rest.is_empty() {
        let digits = rest.find(|character: char| !character.is_ascii_digit() && character != '.')?;
        let (number, after) = rest.split_at_checked(digits)?;
        let end = after.find(|character: char| character.is_ascii_digit()).unwrap_or(after.len());
        let (unit, after) = after.split_at_checked(end)?;
        let seconds = match unit {
            "ns" => 1e-9,
            "us" | "µs" | "μs" => 1e-6,
            "ms" => 1e-3,
            "s" => 1.0,
            "m" => 60.0,
            "h" => 3600.0,
            _ => return None,
        };
        // "." alone is no number, and neither is "1.2.3".
        let number: f64 = number.parse().ok()?;
        sum = sum.checked_add(Duration::try_from_secs_f64(number * seconds).ok()?)?;
        rest = after;
    }
    (!text.is_empty()).then_some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_as_go_reads_them() {
        for (text, milliseconds) in [
            ("0", 0),
            ("30m", 1_800_000),
            ("1h30m", 5_400_000),
            ("2.5s", 2500),
            ("1m0.5s", 60_500),
            (".5s", 500),
        ] {
            assert_eq!(parse(text), Some(Duration::from_millis(milliseconds)), "{text}");
        }
        for wrong in ["", "30", "m", "-1s", "1 h", "1.2.3s", ".s", "1x", "99999999999999999999h", "30m5"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_block_says_how_long_operations_may_take() {
        let timeouts = Value::object([("create", "90s"), ("delete", "soon")]);
        let config = timeouts.and_then(|timeouts| Value::object([("timeouts", timeouts)]));
        let config = config.unwrap_or(Value::null(Type::Dynamic));
        assert_eq!(configured_timeout(&config, Operation::Create), Some(Duration::from_secs(90)));
        assert_eq!(configured_timeout(&config, Operation::Update), None);
        let texts: Vec<_> =
            check(&config).iter().map(|error| format!("{}: {}", error.path, error.summary)).collect();
        assert_eq!(texts, ["timeouts.delete: \"soon\" is not a duration"]);
        assert!(check(&Value::null(Type::Dynamic)).is_empty());
    }
}
