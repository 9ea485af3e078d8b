//! Writes the differences between two plans as text and as JSON.

use std::fmt::Write as _;
use std::io;

use super::{
    ActionDifference, ChangeDifference, ChangeDifferenceKind, CheckDifference, DeferredDifference,
    PlanDifferences, ValueDifference, ValueDifferenceKind,
};
use crate::plan::report::render::printable_in_line;
use crate::plan::{Action, ActionTrigger, CheckStatus};
use plantime::unstable::text;
use plantime::{Value, View};

/// The version of the form that [`PlanDifferences::write_json`] writes.
pub const DIFFERENCES_FORMAT_VERSION: &str = "1.2";

/// The maximum number of characters of one value in the text form.
const VALUE_CHARACTERS: usize = 200;

impl PlanDifferences {
    /// Writes the differences as text: a line for each change that appeared (`+`), vanished (`-`), is another one (`~`) or only
    /// of another address (`>`), and below it a line for each part of its value; then the same for what changed outside, for
    /// changes that are left to a later plan and for invocations of actions, and a line for each result of a condition. Control characters are escaped.
    ///
    /// ```
    /// use plantime_terraform::plan::{Plan, diff, example};
    /// use plantime_schema::ProviderSchemas;
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
        if self.is_empty() {
            return writeln!(writer, "No differences: both plans have the same changes.");
        }
        for change in &self.changes {
            write_change(change, &action_text(change), &mut writer)?;
        }
        if !self.drift.is_empty() {
            writeln!(writer, "\nChanged outside of the configuration:")?;
        }
        for change in &self.drift {
            write_change(change, &action_text(change), &mut writer)?;
        }
        if !self.deferred.is_empty() {
            writeln!(writer, "\nDeferred to a later plan:")?;
        }
        for deferred in &self.deferred {
            let actions = action_text(&deferred.change);
            let why = reason_text(deferred.first_reason.as_deref(), deferred.second_reason.as_deref());
            let why = why.map(|why| format!(", {why}")).unwrap_or_default();
            write_change(&deferred.change, &format!("{actions}{why}"), &mut writer)?;
        }
        if !self.actions.is_empty() {
            writeln!(writer, "\nActions:")?;
        }
        for action in &self.actions {
            write_action(action, &mut writer)?;
        }
        if !self.checks.is_empty() {
            writeln!(writer, "\nConditions:")?;
        }
        for check in &self.checks {
            let [first, second] = [&check.first, &check.second]
                .map(|status| status.as_ref().map_or("none", CheckStatus::as_str));
            writeln!(
                writer,
                "~ {}: {} -> {}",
                on_one_line(&check.address),
                on_one_line(first),
                on_one_line(second)
            )?;
        }
        let count = |kind| self.changes.iter().filter(|change| change.kind == kind).count();
        let [appeared, vanished, changed, moved] = [
            ChangeDifferenceKind::Appeared,
            ChangeDifferenceKind::Vanished,
            ChangeDifferenceKind::Changed,
            ChangeDifferenceKind::Moved,
        ]
        .map(count);
        write!(writer, "\nChanges: {appeared} appeared, {vanished} vanished, {changed} changed")?;
        if moved > 0 {
            write!(writer, ", {moved} moved")?;
        }
        writeln!(writer, ".")
    }

    /// Writes the differences as JSON.
    ///
    /// ```json
    /// {"format_version": "1.0", "changes": [{
    ///   "address": "aws_vpc.main",            or "output.NAME"
    ///   "deposed": "1a2b3c4d",                only of deposed objects
    ///   "first_address": "aws_vpc.old",       only of a resource that moved: its address in the first plan
    ///   "difference": "changed",              appeared, vanished, changed, moved
    ///   "first_actions": ["create"],          as in a plan; [] if there is no such change
    ///   "second_actions": ["create"],
    ///   "values": [{
    ///     "path": "id",                       in the second plan, if both have the part
    ///     "first_path": "list[2]",            only if it is another one in the first plan
    ///     "difference": "more known",         more known, less known, moved, different
    ///     "first": "(known after apply)",     the text of the value; null if there is no such part
    ///     "second": "\"vpc-1\""
    ///   }]
    /// }],
    /// "drift": [],                            what changed outside, in the form of "changes"
    /// "deferred": [{                          what is left to a later plan: the properties of a change, and
    ///   "first_reason": "instance_count_unknown",   why, as in a plan; null if it is not deferred, or not said
    ///   "second_reason": null
    /// }],
    /// "actions": [{
    ///   "address": "action.aws_lambda_invoke.notify",
    ///   "trigger": "after_create of aws_vpc.main (action_trigger 0, action 0)",   null if the plan does not say it
    ///   "difference": "changed",              appeared, vanished, changed
    ///   "first_deferred": null,               why it is left to a later plan; null if it is not
    ///   "second_deferred": null,
    ///   "values": []                          the parts of its arguments, as of a change
    /// }],
    /// "checks": [{
    ///   "address": "check.vpc",
    ///   "first": "unknown",                   pass, fail, error, unknown; null if the plan has no such result
    ///   "second": "pass"
    /// }]}
    /// ```
    ///
    /// The JSON Schema is `docs/differences.schema.json`. A reader has to accept other properties; version 1.0 had no `drift`
    /// and no `checks`, 1.1 no `deferred` and no `actions`.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write_json(&self, mut writer: impl io::Write) -> io::Result<()> {
        write!(writer, "{{\"format_version\":\"{DIFFERENCES_FORMAT_VERSION}\",\"changes\":[")?;
        write_list(&self.changes, change_json, &mut writer)?;
        writer.write_all(b"],\"drift\":[")?;
        write_list(&self.drift, change_json, &mut writer)?;
        writer.write_all(b"],\"deferred\":[")?;
        write_list(&self.deferred, deferred_json, &mut writer)?;
        writer.write_all(b"],\"actions\":[")?;
        write_list(&self.actions, action_json, &mut writer)?;
        writer.write_all(b"],\"checks\":[")?;
        write_list(&self.checks, check_json, &mut writer)?;
        writer.write_all(b"]}\n")
    }
}

/// Writes items as the elements of an array, each on a line.
fn write_list<T>(
    items: &[T],
    to_json: impl Fn(&T) -> serde_json::Value,
    writer: &mut impl io::Write,
) -> io::Result<()> {
    for (index, item) in items.iter().enumerate() {
        writer.write_all(if index == 0 { b"\n" } else { b",\n" })?;
        writer.write_all(text::printable_json(&to_json(item).to_string()).as_bytes())?;
    }
    if items.is_empty() { Ok(()) } else { writer.write_all(b"\n") }
}

/// A change that differs as JSON.
fn change_json(change: &ChangeDifference) -> serde_json::Value {
    change_object(change).into()
}

/// A deferred change that differs as JSON.
fn deferred_json(deferred: &DeferredDifference) -> serde_json::Value {
    let mut object = change_object(&deferred.change);
    object.insert("first_reason".to_owned(), deferred.first_reason.as_deref().into());
    object.insert("second_reason".to_owned(), deferred.second_reason.as_deref().into());
    object.into()
}

/// An invocation that differs as JSON.
fn action_json(action: &ActionDifference) -> serde_json::Value {
    serde_json::json!({
        "address": action.address,
        "trigger": action.trigger.as_ref().map(ActionTrigger::to_string),
        "difference": action.kind.to_string(),
        "first_deferred": action.first_deferred,
        "second_deferred": action.second_deferred,
        "values": action.values.iter().map(value_json).collect::<Vec<_>>(),
    })
}

/// The properties of a change that differs.
fn change_object(change: &ChangeDifference) -> serde_json::Map<String, serde_json::Value> {
    let mut object = serde_json::Map::new();
    let mut set = |name: &str, value: serde_json::Value| object.insert(name.to_owned(), value);
    set("address", change.address.clone().into());
    if let Some(address) = &change.first_address {
        set("first_address", address.clone().into());
    }
    if let Some(deposed) = &change.deposed {
        set("deposed", deposed.clone().into());
    }
    set("difference", change.kind.to_string().into());
    set("first_actions", action_names(&change.first_actions).into());
    set("second_actions", action_names(&change.second_actions).into());
    set("values", change.values.iter().map(value_json).collect::<Vec<_>>().into());
    object
}

/// A result of a condition that differs as JSON.
fn check_json(check: &CheckDifference) -> serde_json::Value {
    let status = |status: &Option<CheckStatus>| status.as_ref().map(|status| status.as_str().to_owned());
    serde_json::json!({
        "address": check.address, "first": status(&check.first), "second": status(&check.second),
    })
}

/// The character before a difference in text: `+` where it appeared, `-` where it vanished, `~` where it changed.
fn symbol(kind: ChangeDifferenceKind) -> char {
    match kind {
        ChangeDifferenceKind::Appeared => '+',
        ChangeDifferenceKind::Vanished => '-',
        ChangeDifferenceKind::Changed => '~',
        ChangeDifferenceKind::Moved => '>',
    }
}

/// Writes the lines of a change: its address with the text `said` in brackets, and each part of its value that differs.
fn write_change(change: &ChangeDifference, said: &str, writer: &mut impl io::Write) -> io::Result<()> {
    let symbol = symbol(change.kind);
    let deposed = change.deposed.as_ref().map(|key| format!(" (deposed object {key})"));
    let moved = change.first_address.as_ref().map(|first| format!(", was {first}"));
    let title = format!("{}{}{}", change.address, moved.unwrap_or_default(), deposed.unwrap_or_default());
    writeln!(writer, "{symbol} {} ({})", on_one_line(&title), on_one_line(said))?;
    change.values.iter().try_for_each(|value| write_value(value, writer))
}

/// Writes the lines of an invocation: the action, what invokes it and why it is deferred, and each part of its arguments that
/// differs.
fn write_action(action: &ActionDifference, writer: &mut impl io::Write) -> io::Result<()> {
    let trigger = action.trigger.as_ref().map(|trigger| format!(", {trigger}")).unwrap_or_default();
    let (first, second) = (action.first_deferred.as_deref(), action.second_deferred.as_deref());
    let deferred = match (first, second, action.kind) {
        (None, Some(why), ChangeDifferenceKind::Changed) => format!(", now deferred: {why}"),
        (Some(why), None, ChangeDifferenceKind::Changed) => format!(", no longer deferred: {why}"),
        _ => reason_text(first, second).map(|why| format!(", deferred: {why}")).unwrap_or_default(),
    };
    let title = format!("{}{trigger}{deferred}", action.address);
    writeln!(writer, "{} {}", symbol(action.kind), on_one_line(&title))?;
    action.values.iter().try_for_each(|value| write_value(value, writer))
}

/// The reason that something is deferred, of both plans if these differ; `None` if neither says one.
fn reason_text(first: Option<&str>, second: Option<&str>) -> Option<String> {
    match (first, second) {
        (Some(first), Some(second)) if first != second => Some(format!("{first}, now {second}")),
        (first, second) => second.or(first).map(str::to_owned),
    }
}

/// Escapes control characters and line ends in a text.
fn on_one_line(text: &str) -> String {
    printable_in_line(text)
}

/// The actions of a change, in both plans if they differ.
fn action_text(change: &ChangeDifference) -> String {
    let text = |actions: &[Action]| action_names(actions).join(" and ");
    match change.kind {
        ChangeDifferenceKind::Appeared => text(&change.second_actions),
        ChangeDifferenceKind::Vanished => text(&change.first_actions),
        _ if change.first_actions == change.second_actions => text(&change.first_actions),
        ChangeDifferenceKind::Changed | ChangeDifferenceKind::Moved => {
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
    let path = match value.first_path == value.path {
        true => path,
        false => format!("{path} (was {})", value.first_path),
    };
    let line = match value.kind {
        // Both sides are the same.
        ValueDifferenceKind::Moved => format!("{path}: moved: {second}"),
        kind => format!("{path}: {kind}: {first} -> {second}"),
    };
    writeln!(writer, "    {}", on_one_line(&line))
}

/// The part of the value as text, in the first and in the second plan; `None` for a plan without that part.
fn value_texts(value: &ValueDifference) -> [Option<String>; 2] {
    let sides = [&value.first, &value.second];
    let types = sides.map(|side| side.as_ref().map(Value::ty));
    let [first, second] = &types;
    let types_differ = first != second;
    sides.map(|side| side.as_ref().map(|value| value_text(value, types_differ)))
}

/// The text of a value; of an unknown one with its refinements, and with the kind of its type if `with_type` is set: the names
/// and the number of its parts may be those of a sensitive value that decided the type (L5).
fn value_text(value: &Value, with_type: bool) -> String {
    let View::Unknown(range) = value.view() else { return value.to_string() };
    let mut text = "(known after apply".to_owned();
    // Writing to a string cannot fail.
    if with_type {
        let _ = write!(text, ", {}", range.ty().friendly_name());
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
    let mut json = serde_json::json!({
        "path": value.path.to_string(),
        "difference": value.kind.to_string(),
        "first": first,
        "second": second,
    });
    if value.first_path != value.path
        && let Some(object) = json.as_object_mut()
    {
        object.insert("first_path".to_owned(), value.first_path.to_string().into());
    }
    json
}
