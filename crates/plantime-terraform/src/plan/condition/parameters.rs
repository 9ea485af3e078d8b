//! The values of parameters: blocks `variable` of rules files.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Parameters;
use crate::configuration::{ConditionVerdict, Configuration, Inputs};
use crate::plan::rules::rules_file::{RulesFile, Subject};
use plantime::Value;
use plantime::source::Problem;
use plantime::unstable::text::nearest;
use plantime_hcl::{Diagnostic, Expression};

impl Parameters {
    /// The values of all parameters: those that were given, else the defaults, converted to their types.
    ///
    /// # Errors
    ///
    /// Each parameter without a value, with a value of another type, or with one that its `validation` refuses.
    pub(in crate::plan) fn values(&self) -> Result<BTreeMap<String, Value>, Vec<Problem>> {
        if self.blocks.is_empty() {
            return Ok(BTreeMap::new());
        }
        let as_problem = |problem: &Diagnostic| {
            let message = format!("{}: {}", problem.summary(), problem.detail());
            problem.source().problem(problem.span().start, message)
        };
        let configuration = Configuration::of_variables(&self.blocks)
            .map_err(|problems| problems.iter().map(as_problem).collect::<Vec<_>>())?;
        let inputs = self
            .given
            .iter()
            .fold(Inputs::new(), |inputs, (name, value)| inputs.variable(name, value.clone()));
        let evaluation = configuration.evaluate(&inputs);
        let mut problems: Vec<Problem> =
            evaluation.problems().iter().filter(|problem| !problem.is_warning()).map(as_problem).collect();
        let mut values = BTreeMap::new();
        for block in self.blocks.iter() {
            let Some(name) = block.labels.first() else { continue };
            if !self.given.contains_key(&**name) && block.body.argument("default").is_none() {
                let message = format!(
                    "variable `{name}` has no value: give it one (--var {name}=VALUE), or a `default`"
                );
                problems.push(block.source.problem(block.span.start, message));
                continue;
            }
            let value = Expression::parse(&format!("var.{name}")).and_then(|name| evaluation.evaluate(&name));
            values.insert(name.to_string(), value.unwrap_or_else(|_| Value::dynamic()));
        }
        for condition in evaluation.conditions() {
            let message = match &condition.verdict {
                ConditionVerdict::Fail => {
                    condition.message.clone().unwrap_or_else(|| "its `validation` fails".to_owned())
                }
                ConditionVerdict::Invalid(problem) => problem.clone(),
                _ => continue,
            };
            let message = format!("Invalid value for variable: {}: {message}", condition.address);
            problems.push(condition.origin.source.problem_at(condition.origin.position, message));
        }
        if problems.is_empty() { Ok(values) } else { Err(problems) }
    }

    /// Whether texts for a parameter are values as they are: its type is that of a scalar, or not stated.
    pub(in crate::plan) fn takes_text(&self, name: &str) -> bool {
        let block =
            self.blocks.iter().find(|block| block.labels.first().is_some_and(|label| **label == *name));
        let ty = block.and_then(|block| block.body.argument("type"));
        ty.is_none_or(|ty| matches!(ty.expression.as_word(), Some("string" | "number" | "bool")))
    }
}

impl RulesFile {
    /// Whether a condition, or a value or message beside one, calls a function.
    pub(in crate::plan) fn calls(&self, function: &str) -> bool {
        let of_rules = self.rules.iter().flat_map(|rule| {
            let asserted = rule.tests.iter().filter_map(|test| test.assertion.as_ref());
            let messages = asserted.map(|assertion| &assertion.error_message);
            rule.conditions.iter().chain(rule.locals.values()).chain(messages)
        });
        let mut all = of_rules.chain(self.locals.values());
        let is_called = |name: &str| name.strip_prefix("core::").unwrap_or(name) == function;
        all.any(|one| one.expression.function_names().iter().any(|(name, _)| is_called(name)))
    }

    /// Whether a rule sees more than its subject: it has conditions, or is about what no resource is.
    pub(in crate::plan) fn has_conditions(&self) -> bool {
        self.rules.iter().any(|rule| {
            !rule.conditions.is_empty()
                || rule.for_each.is_some()
                || matches!(
                    rule.subject,
                    Subject::Variable(_) | Subject::Module(_) | Subject::Provider(_) | Subject::Plan
                )
        })
    }

    /// Gives values to the parameters of the rules: the blocks `variable`.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    /// use plantime::Value;
    /// use plantime::source::Source;
    /// use plantime_terraform::plan::RulesFile;
    ///
    /// let text = "variable \"most\" {\n  type = number\n}\nrule \"few\" {\n  assert {\n    condition     = 3 <= var.most\n    \
    ///             error_message = \"Too many.\"\n  }\n}\n";
    /// let mut rules = RulesFile::read(Source::new("rules.hcl", text)).unwrap();
    /// assert_eq!(rules.parameters.names().collect::<Vec<_>>(), ["most"]);
    /// assert_eq!(rules.parameter_value("most", "5"), Ok(Value::from("5")));
    /// assert!(rules.set_parameters(BTreeMap::from([("most".to_owned(), Value::from(5))])).is_ok());
    /// let error = rules.set_parameters(BTreeMap::from([("mots".to_owned(), Value::from(5))])).unwrap_err();
    /// assert_eq!(error, ["no rules file has a variable `mots`; the nearest is `most`"]);
    /// ```
    ///
    /// # Errors
    ///
    /// When no rules file declares a variable of a given name. A value that does not fit the type or a `validation` is an error of
    /// [`check`](crate::plan::check).
    pub fn set_parameters(&mut self, given: BTreeMap<String, Value>) -> Result<(), Vec<String>> {
        let unknown =
            given.keys().filter(|name| !self.parameters.names().any(|known| known == name.as_str()));
        let messages: Vec<String> = unknown
            .map(|name| match nearest(name, self.parameters.names()) {
                Some(near) => format!("no rules file has a variable `{name}`; the nearest is `{near}`"),
                None => format!("no rules file has a variable `{name}`"),
            })
            .collect();
        if !messages.is_empty() {
            return Err(messages);
        }
        self.parameters.given = Arc::new(given);
        Ok(())
    }

    /// The value that a text stands for as the value of a parameter, as `--var` takes it: the text itself where the parameter is a
    /// text, number or bool, else an expression.
    ///
    /// [Example](RulesFile::set_parameters)
    ///
    /// # Errors
    ///
    /// What is wrong with the expression.
    pub fn parameter_value(&self, name: &str, text: &str) -> Result<Value, String> {
        if self.parameters.takes_text(name) {
            return Ok(Value::from(text));
        }
        let none = BTreeMap::<String, Value>::new();
        let value =
            Expression::parse(text).and_then(|value| value.evaluate(&plantime_hcl::Scope::new(&none)));
        value.map_err(|problems| format!("{}: {}", problems.first().summary(), problems.first().detail()))
    }
}
