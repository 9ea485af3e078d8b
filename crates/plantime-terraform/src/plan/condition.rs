//! Conditions of rules: expressions of HCL that are evaluated on a plan.
//!
//! | file | does |
//! |---|---|
//! | this one | conditions, assertions and parameters as data |
//! | `answer` | evaluates a condition: pass, fail or undetermined |
//! | `facts` | what conditions see of a plan: entries of resources, changes, outputs and others |
//! | `parts` | what the facts are made of |
//! | `record` | what obligations keep of a plan for their conditions |
//! | `relations` | which resources name which |
//! | `scope` | the names and functions of a condition |
//! | `parameters` | the values of parameters |
//! | `module_name_pattern` | patterns of the names of variables, module calls and providers |

mod answer;
mod facts;
mod module_name_pattern;
mod parameters;
mod parts;
mod record;
mod relations;
mod scope;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use super::Plan;
use crate::configuration::{self, Inputs};
use plantime::Value;
use plantime::function::Functions;
use plantime::rule::{Custom, Rule};
use plantime::source::Position;
use plantime_hcl::{Block, Expression, Reference, ReferenceKey};

pub(in crate::plan) use answer::error_message;
pub(in crate::plan) use facts::{Kind, PlanFacts};
pub use module_name_pattern::ModuleNamePattern;
pub(in crate::plan) use parts::FactParts;
pub(in crate::plan) use record::{RecordedFacts, UsedNames};
pub(in crate::plan) use scope::{Decided, Found, RuleScope, Surroundings, waits_of};

/// The expressions of blocks `locals`, by name.
pub type Locals = BTreeMap<String, Condition>;

/// An expression of a rules file.
///
/// Two are equal if they stand at the same place of the same file.
#[derive(Clone)]
pub struct Condition {
    pub(in crate::plan) expression: Expression,
}

impl Condition {
    /// The expression as a condition.
    pub(in crate::plan) fn new(expression: Expression) -> Condition {
        Condition { expression }
    }

    /// The text of the expression as it is written.
    ///
    /// ```
    /// use plantime::source::Source;
    /// use plantime_terraform::plan::RulesFile;
    ///
    /// let text = "rule \"few\" {\n  assert {\n    condition     = length(resources(\"t\")) < 3\n    error_message = \"Many.\"\n  }\n}\n";
    /// let rules = RulesFile::read(Source::new("rules.hcl", text)).unwrap();
    /// let assertion = rules.rules[0].tests[0].assertion.as_ref().unwrap();
    /// assert_eq!(assertion.condition.text(), "length(resources(\"t\")) < 3");
    /// ```
    pub fn text(&self) -> &str {
        self.expression.source().text().get(self.expression.span()).unwrap_or_default()
    }
}

impl PartialEq for Condition {
    fn eq(&self, other: &Condition) -> bool {
        self.expression.span() == other.expression.span()
            && self.expression.source() == other.expression.source()
    }
}

impl fmt::Debug for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Condition({})", self.text())
    }
}

/// A block `assert` of a rule: a condition that must hold, and the message of a failure.
#[derive(Clone, Debug, PartialEq)]
pub struct Assertion {
    /// The condition that must hold.
    pub condition: Condition,
    /// The message of a failure: a text, perhaps with templates.
    pub error_message: Condition,
    /// The locals of the rule.
    pub(in crate::plan) locals: Arc<Locals>,
}

/// The blocks `variable` of rules files: values that those who run the rules give them.
#[derive(Clone, Default)]
pub struct Parameters {
    pub(in crate::plan) blocks: Arc<Vec<Block>>,
    /// The values that were given, by name.
    pub(in crate::plan) given: Arc<BTreeMap<String, Value>>,
}

/// The functions of conditions beside those of the language.
pub(in crate::plan) const FUNCTIONS: [&str; 8] =
    ["resources", "changes", "outputs", "variables", "modules", "providers", "referrers", "referents"];

/// The names of all functions that conditions may call.
pub(in crate::plan) fn function_names() -> impl Iterator<Item = &'static str> {
    let of_language = Functions::rules().iter().map(|function| function.name());
    FUNCTIONS
        .into_iter()
        .chain(["try", "can", "convert", "templatestring", "plantimestamp"])
        .chain(of_language)
}

/// Whether conditions may call a function of this name.
pub(in crate::plan) fn is_function(name: &str) -> bool {
    let name = name.strip_prefix("core::").unwrap_or(name);
    function_names().any(|known| known == name)
}

impl Condition {
    /// The rule that the condition holds. `locals` are those of the rule that it is a part of.
    pub(in crate::plan) fn rule(&self, locals: &Arc<Locals>) -> Rule {
        Rule::Custom(self.named_rule(&self.one_line(), locals))
    }

    /// The rule that the condition holds, of a name.
    pub(in crate::plan) fn named_rule(&self, name: &str, locals: &Arc<Locals>) -> Custom {
        let (condition, locals) = (self.clone(), Arc::clone(locals));
        let data = ConditionData { condition: self.clone(), locals: Arc::clone(&locals) };
        let asks_order = std::iter::once(self).chain(locals.values()).any(Condition::asks_order);
        let rule =
            Custom::new(name, move |request| answer::answer(&condition, (&locals, asks_order), request));
        // It is evaluated on the planned value, or on that before of what is destroyed; `before` and `after` come from the entry.
        rule.without_before().with_data(data)
    }

    /// The top-level attributes of the subject that the expression names, each with its place.
    pub(in crate::plan) fn subject_attributes(&self) -> Vec<(String, Position)> {
        let source = self.expression.source();
        let name = |reference: &Reference, at: usize| match reference.steps().get(at)?.key() {
            ReferenceKey::Attribute(name) => Some(name.to_string()),
            ReferenceKey::Index(key) => key.as_str().ok().map(str::to_owned),
        };
        let attribute = |reference: &Reference| match reference.root() {
            "self" | "after" => name(reference, 0),
            "subject" if name(reference, 0).is_some_and(|first| first == "values") => name(reference, 1),
            _ => None,
        };
        let found = self.expression.references().into_iter();
        found.filter_map(|one| Some((attribute(one)?, source.position(one.span().start)))).collect()
    }

    /// Whether the expression speaks of what a plan changes: of values before, or of actions.
    pub(in crate::plan) fn asks_about_changes(&self) -> bool {
        let is_of_change = |chain: Vec<String>| {
            let mut names = chain.iter().map(String::as_str);
            let root = names.next();
            root == Some("before")
                || names.any(|name| matches!(name, "before" | "actions" | "replaces" | "drift"))
                    && !matches!(root, Some("self" | "after" | "var" | "local" | "plan" | "each"))
        };
        let calls_changes = self.expression.function_names().iter().any(|(name, _)| *name == "changes");
        calls_changes || self.name_chains().into_iter().any(is_of_change)
    }

    /// Whether the expression may ask for the order of an array, or for its kind: it compares, or has an index.
    pub(in crate::plan) fn asks_order(&self) -> bool {
        const FUNCTIONS: [&str; 8] =
            ["element", "index", "slice", "reverse", "join", "jsonencode", "chunklist", "setproduct"];
        let text = self.text();
        let compares = text.contains("==") || text.contains("!=");
        let is_index = |(at, _): (usize, &str)| {
            let before = text.get(..at).and_then(|before| before.chars().next_back());
            let after = text.get(at..).and_then(|after| after.chars().nth(1));
            after != Some('*') && before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | ')' | ']'))
        };
        let calls =
            || self.expression.function_names().into_iter().any(|(name, _)| FUNCTIONS.contains(&name));
        compares || text.match_indices('[').any(is_index) || calls()
    }

    /// The names that the expression reads one after another.
    pub(in crate::plan) fn name_chains(&self) -> Vec<Vec<String>> {
        self.expression.name_chains()
    }

    /// The text on one line, cut where it is long.
    pub(in crate::plan) fn one_line(&self) -> String {
        let words: Vec<&str> = self.text().split_whitespace().collect();
        let text = words.join(" ");
        match text.char_indices().nth(SHOWN) {
            Some((cut, _)) => format!("{} …", text.get(..cut).unwrap_or_default().trim_end()),
            None => text,
        }
    }
}

/// What a rule that is a condition was made of.
#[derive(Clone)]
pub(in crate::plan) struct ConditionData {
    pub(in crate::plan) condition: Condition,
    pub(in crate::plan) locals: Arc<Locals>,
}

/// The conditions in a rule, each with the name that the rule calls it by.
pub(in crate::plan) fn conditions_in(rule: &Rule) -> Vec<(&Custom, &ConditionData)> {
    let (mut found, mut todo) = (Vec::new(), vec![rule]);
    while let Some(rule) = todo.pop() {
        match rule {
            Rule::Custom(custom) => found.extend(custom.data().map(|data| (custom, data))),
            other => todo.extend(other.nested()),
        }
    }
    found
}

/// The functions of conditions, with what a plan says of the time.
pub(in crate::plan) fn functions(plan: &Plan) -> Functions {
    functions_with(&Inputs::new().known(&plan.planned_values()))
}

/// The functions of conditions, without files.
pub(in crate::plan) fn functions_with(inputs: &Inputs<'_>) -> Functions {
    let files = Arc::new(BTreeMap::<String, Vec<u8>>::new());
    let mut functions = configuration::functions(files, inputs);
    for function in Functions::rules().iter() {
        if functions.get(function.name()).is_none() {
            functions.insert(function.clone());
        }
    }
    functions
}

/// The maximum number of characters of a condition that are shown.
const SHOWN: usize = 120;

impl Parameters {
    /// The parameters that these blocks `variable` declare.
    pub(in crate::plan) fn of_blocks(blocks: Vec<Block>) -> Parameters {
        Parameters { blocks: Arc::new(blocks), given: Arc::default() }
    }

    /// The names of the parameters, in the order of the files.
    ///
    /// [Example](crate::plan::RulesFile::set_parameters)
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.blocks.iter().filter_map(|block| block.labels.first().map(|label| &**label))
    }
}

impl PartialEq for Parameters {
    fn eq(&self, other: &Parameters) -> bool {
        let place = |block: &Block| (block.source.clone(), block.span.clone());
        self.blocks.iter().map(place).eq(other.blocks.iter().map(place)) && self.given == other.given
    }
}

impl fmt::Debug for Parameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}
