//! Writes the differences between two plans as text and as JSON.

use std::fmt::Write as _;
use std::io;

use super::{ChangeDifference, ChangeDifferenceKind, PlanDifferences, ValueDifference};
use crate::plan::Action;
use crate::plan::report::render::printable;
use crate::value::{Value, View};

/// The version of the form that [`PlanDifferences::write_json`] writes.
pub const DIFFERENCES_FORMAT_VERSION: &str = "1.0";

/// The maximum number of characters of a value in a text.
const VALUE_CHARACTERS: usize = 200;

impl PlanDifferences {
    /// Writes the differences as text: a line for each change that appeared (`+`), vanished (`-`) or is another one (`~`),
    /// and below it a line for each part of its value. Control characters are escaped.
    ///
    /// ```
    /// use plantime::plan::{Plan, diff, example};
    /// use plantime::schema::ProviderSchemas;
    ///
    /// let plan = Plan::read(example::PLAN, &ProviderSchemas::new())?;
    /// let mut text = Vec::new();
    /// diff(&Plan::default(), &plan).write_text(&mut text).unwrap();
    /// assert!(text.starts_with(b"+ "));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write_text(&self, mut writer: impl io::Write) -> io::Result<()> {
        let mut counts = [0_usize; 3];
        for change in &self.changes {
            let (symbol, count) = match (change.kind, &mut counts) {
                (ChangeDifferenceKind::Appeared, [count, ..]) => ('+', count),
                (ChangeDifferenceKind::Vanished, [_, count, _]) => ('-', count),
                (ChangeDifferenceKind::Changed, [.., count]) => ('~', count),
            };
            *count = count.saturating_add(1);
            let deposed = change.deposed.as_ref().map(|key| format!(" (deposed object {key})"));
            let title = format!("{}{}", change.address, deposed.unwrap_or_default());
            writeln!(writer, "{symbol} {} ({})", printable(&title), action_text(change))?;
            for value in &change.values {
                write_value(value, &mut writer)?;
            }
        }
        let [appeared, vanished, changed] = counts;
        match counts {
            [0, 0, 0] => writeln!(writer, "No differences: both plans have the same changes."),
            _ => writeln!(writer, "\nChanges: {appeared} appeared, {vanished} vanished, {changed} changed."),
        }
    }

    /// Writes the differences as JSON.
    ///
    /// ```json
    /// {"format_version": "1.0", "changes": [{
    ///   "address": "aws_vpc.main",            or "output.NAME"
    ///   "deposed": "1a2b3c4d",                only of deposed objects
    ///   "difference": "changed",              appeared, vanished, changed
    ///   "first_actions": ["create"],          as in a plan; [] if there is no such change
    ///   "second_actions": ["create"],
    ///   "values": [{
    ///     "path": "id",
    ///     "difference": "more known",         more known, less known, different
    ///     "first": "(known after apply)",     the text of the value; null if there is no such part
    ///     "second": "\"vpc-1\""
    ///   }]
    /// }]}
    /// ```
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write_json(&self, mut writer: impl io::Write) -> io::Result<()> {
        write!(writer, "{{\"format_version\":\"{DIFFERENCES_FORMAT_VERSION}\",\"changes\":[")?;
        for (index, change) in self.changes.iter().enumerate() {
            writer.write_all(if index == 0 { b"\n" } else { b",\n" })?;
            let mut object = serde_json::Map::new();
            let mut set = |name: &str, value: serde_json::Value| object.insert(name.to_owned(), value);
            set("address", change.address.clone().into());
            if let Some(deposed) = &change.deposed {
                set("deposed", deposed.clone().into());
            }
            set("difference", change.kind.to_string().into());
            set("first_actions", action_names(&change.first_actions).into());
            set("second_actions", action_names(&change.second_actions).into());
            set("values", change.values.iter().map(value_json).collect::<Vec<_>>().into());
            serde_json::to_writer(&mut writer, &object)?;
        }
        writer.write_all(b"\n]}\n")
    }
}

/// The actions of a change, in both plans if they differ.
fn action_text(change: &ChangeDifference) -> String {
    let text = |actions: &[Action]| action_names(actions).join(" and ");
    match change.kind {
        ChangeDifferenceKind::Appeared => text(&change.second_actions),
        ChangeDifferenceKind::Vanished => text(&change.first_actions),
        ChangeDifferenceKind::Changed if change.first_actions == change.second_actions => {
            text(&change.first_actions)
        }
        ChangeDifferenceKind::Changed => {
            format!("{}, now {}", text(&change.first_actions), text(&change.second_actions))
        }
    }
}

/// The names of actions, as in a plan.
fn action_names(actions: &[Action]) -> Vec<String> {
    actions.iter().map(|action| action.as_str().to_owned()).collect()
}

/// Writes the line of a part of a value.
fn write_value(value: &ValueDifference, writer: &mut impl io::Write) -> io::Result<()> {
    let [first, second] = value_texts(value).map(|text| {
        let Some(text) = text else { return "(no such part)".to_owned() };
        match text.char_indices().nth(VALUE_CHARACTERS) {
            Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
            None => text,
        }
    });
    let path = match value.path.steps() {
        [] => "(value)".to_owned(),
        _ => value.path.to_string(),
    };
    let line = format!("{path}: {}: {first} -> {second}", value.kind);
    writeln!(writer, "    {}", printable(&line).replace('\n', "\\n"))
}

/// The texts of both sides; `None` where there is no such part.
fn value_texts(value: &ValueDifference) -> [Option<String>; 2] {
    let sides = [&value.first, &value.second];
    let types = sides.map(|side| side.as_ref().map(Value::ty));
    let [first, second] = &types;
    let types_differ = first != second;
    sides.map(|side| side.as_ref().map(|value| value_text(value, types_differ)))
}

/// The text of a value; of an unknown one with its refinements, and with its type if `with_type` is set.
fn value_text(value: &Value, with_type: bool) -> String {
    let View::Unknown(range) = value.view() else { return value.to_string() };
    let mut text = "(known after apply".to_owned();
    // Writing to a string cannot fail.
    if with_type {
        let _ = write!(text, ", {}", range.ty());
    }
    if !range.refinement().is_trivial() {
        let _ = write!(text, ", {}", range.refinement().describe());
    }
    text.push(')');
    text
}

/// A part of a value as JSON.
fn value_json(value: &ValueDifference) -> serde_json::Value {
    let [first, second] = value_texts(value);
    serde_json::json!({
        "path": value.path.to_string(),
        "difference": value.kind.to_string(),
        "first": first,
        "second": second,
    })
}
