//! The three answers, and the report that a person reads.

use std::fmt::Write as _;

use crate::plan::{Known, Plan, Planned, Resource, Step, printable};
use crate::rules::{Assumption, Rule, Rules, Test};

#[derive(Clone, Copy, PartialEq)]
enum Answer {
    Pass,
    Fail,
    Undetermined,
}

#[derive(Default)]
pub(crate) struct Report {
    pub(crate) text: String,
    passed: usize,
    failed: usize,
    warned: usize,
    undetermined: usize,
    skipped: usize,
}

impl Report {
    pub(crate) fn status(&self, strict: bool) -> u8 {
        match (self.failed, self.undetermined) {
            (0, 0) => 0,
            (0, _) if strict => 3,
            (0, _) => 0,
            _ => 1,
        }
    }

    pub(crate) fn check(&mut self, plan: &Plan, rules: &Rules) -> Result<(), String> {
        let (plan_name, rules_name) = (printable(&plan.name), printable(&rules.name));
        self.say(&format!("{plan_name} · Terraform {} · {rules_name}: ", printable(&plan.version)));
        let (assumed, skips) = (rules.assumptions.len(), rules.skips.len());
        self.say(&format!("assumptions {assumed}, rules {}, skips {skips}\n", rules.rules.len()));
        for resource in plan.resources.iter().filter(|resource| resource.has_after()) {
            self.resource(resource, rules)?;
        }
        let Report { passed, failed, warned, undetermined, skipped, .. } = *self;
        self.say(&format!(
            "\nChecks: {passed} pass, {failed} fail, {warned} warned, {undetermined} undetermined, {skipped} skipped.\n"
        ));
        Ok(())
    }

    fn resource(&mut self, resource: &Resource, rules: &Rules) -> Result<(), String> {
        let applies = |rule: &&Rule| {
            resource.is_meant_by(&rule.resource)
                && (rule.actions.is_empty() || rule.actions.iter().any(|a| resource.actions == [a.as_str()]))
        };
        let mut rows = Vec::new();
        for assumption in rules.assumptions.iter().filter(|a| resource.is_meant_by(&a.resource)) {
            for value in assumed(resource, &[Step::Attribute(assumption.attribute.clone())], rules)? {
                if contradicts(assumption, &value) {
                    self.failed = self.failed.saturating_add(1);
                    let place = format!("{}:{}", rules.name, assumption.line);
                    rows.push(row("fail", "(assumption)", &format!("{} contradicts {place}", shown(&value))));
                }
            }
        }
        for rule in rules.rules.iter().filter(applies) {
            let skip = rules.skips.iter().find(|s| s.rule == rule.name && resource.is_meant_by(&s.address));
            if let Some(skip) = skip {
                self.skipped = self.skipped.saturating_add(1);
                rows.push(row("skipped", &rule.name, &skip.reason));
                continue;
            }
            for (names, steps, test) in &rule.tests {
                if let Test::Later(what) = test {
                    self.undetermined = self.undetermined.saturating_add(1);
                    rows.push(row(
                        "undetermined",
                        &rule.name,
                        &format!("{names}: {what} is not supported yet"),
                    ));
                    continue;
                }
                for value in assumed(resource, steps, rules)? {
                    rows.push(self.test(resource, rule, test, &value));
                }
            }
        }
        if !rows.is_empty() {
            let what = match resource.actions.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
                ["create"] => "will be created",
                ["update"] => "will be updated in-place",
                ["read"] => "will be read during apply",
                ["no-op"] => "stays as it is",
                _ => "must be replaced",
            };
            self.say(&format!("\n  # {} {what}\n", printable(&resource.address)));
            self.say(&rows.concat());
        }
        Ok(())
    }

    fn test(&mut self, resource: &Resource, rule: &Rule, test: &Test, value: &Planned) -> String {
        let (answer, claim) = match test {
            Test::NotNull => (not_null(&value.known), "is not null".to_owned()),
            Test::StartsWith(start) => (starts_with(&value.known, start), format!("starts with {start:?}")),
            Test::Later(what) => (Answer::Undetermined, what.clone()),
        };
        // A rule that passes does so whether its guard holds or not.
        let answer = if rule.guarded && answer == Answer::Fail { Answer::Undetermined } else { answer };
        let (word, count) = match answer {
            Answer::Pass => ("pass", &mut self.passed),
            Answer::Fail if rule.warning => ("warning", &mut self.warned),
            Answer::Fail => ("fail", &mut self.failed),
            Answer::Undetermined => ("undetermined", &mut self.undetermined),
        };
        *count = count.saturating_add(1);
        let mut text = row(word, &rule.name, &format!("{} {claim}", value.path));
        if answer != Answer::Pass {
            let kind = match (&value.known, resource.type_name(&value.path)) {
                (Known::Unknown { .. }, Some(kind)) => format!(" (a {kind})"),
                _ => String::new(),
            };
            text.push_str(&row("", "", &format!("{}{kind}", shown(value))));
        }
        text
    }

    fn say(&mut self, text: &str) {
        self.text.push_str(text);
    }
}

fn row(word: &str, rule: &str, text: &str) -> String {
    let mut line = String::new();
    let _ = writeln!(line, "    {word:<14}{:<18} {}", printable(rule), printable(text));
    line
}

/// The value as a person may see it: nothing of a sensitive one.
fn shown(value: &Planned) -> String {
    let what = match &value.known {
        _ if value.sensitive => "(sensitive value)".to_owned(),
        Known::Null => "null".to_owned(),
        Known::Value(json) => json.to_string(),
        Known::Unknown { prefix, .. } if prefix.is_empty() => "(known after apply)".to_owned(),
        Known::Unknown { prefix, .. } => format!("\"{prefix}${{(known after apply)}}\""),
    };
    format!("{} = {what}", value.path)
}

/// The planned values at a path, with what is assumed about them.
fn assumed(resource: &Resource, steps: &[Step], rules: &Rules) -> Result<Vec<Planned>, String> {
    let mut values = resource.values(steps).map_err(|error| format!("{}: {error}", rules.name))?;
    for value in &mut values {
        let Known::Unknown { not_null, prefix } = &mut value.known else { continue };
        for assumption in &rules.assumptions {
            if resource.is_meant_by(&assumption.resource) && value.path == assumption.attribute {
                *not_null |= assumption.not_null;
                if assumption.prefix.starts_with(prefix.as_str()) {
                    prefix.clone_from(&assumption.prefix);
                }
            }
        }
    }
    Ok(values)
}

fn contradicts(assumption: &Assumption, value: &Planned) -> bool {
    let not_null = not_null(&value.known) == Answer::Fail && assumption.not_null;
    not_null || starts_with(&value.known, &assumption.prefix) == Answer::Fail
}

fn not_null(known: &Known) -> Answer {
    match known {
        Known::Null => Answer::Fail,
        Known::Value(_) | Known::Unknown { not_null: true, .. } => Answer::Pass,
        Known::Unknown { .. } => Answer::Undetermined,
    }
}

/// Null passes a test of text; `not_null` is the rule for null.
fn starts_with(known: &Known, start: &str) -> Answer {
    match known {
        Known::Null => Answer::Pass,
        Known::Value(json) if json.as_str().is_some_and(|text| text.starts_with(start)) => Answer::Pass,
        Known::Value(_) => Answer::Fail,
        Known::Unknown { prefix, .. } if prefix.starts_with(start) => Answer::Pass,
        Known::Unknown { not_null: true, prefix } if !start.starts_with(prefix.as_str()) => Answer::Fail,
        Known::Unknown { .. } => Answer::Undetermined,
    }
}
