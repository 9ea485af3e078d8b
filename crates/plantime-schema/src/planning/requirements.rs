//! Checks the configuration of a resource: the requirements of the schema, and the rules of behaviours.

use crate::schema::{Attribute, Block, NestedBlock};
use plantime::rule::set::{RuleSet, RuledType};
use plantime::rule::{Diagnostic, Diagnostics, ExprStep, Outcome, PathExpr, Request, Rule, Why};
use plantime::{Path, Result, Step, TypeConstraint, Value, View};

use super::behaviour::Presence;
use super::behaviours::{Behaviours, Node, Style};
use super::layout::{Entry, Layout, Nest, null};
use super::plan_resource::{Notes, PlanError, PlanObligation};

/// Evaluates everything on the configuration.
pub(super) fn check(
    schema: &Block,
    behaviours: &Behaviours,
    layout: &Layout<'_>,
    tree: &Node<'_>,
    config: &Value,
    notes: &mut Notes,
) -> Result<(), PlanError> {
    let mut checking = Checking { style: behaviours.style, path: Path::new(), notes };
    checking.check_object(layout, Some(schema), config);
    for error in schema.check_block_counts(config) {
        let place = error.path().clone();
        let text = error.message().to_owned();
        let (summary, detail) = text.split_once(": ").unwrap_or(("Wrong Number of Blocks", &text));
        let (summary, detail) = (summary.to_owned(), detail.to_owned());
        notes.diagnostics.push(Diagnostic::error(summary, detail, place, text));
    }
    let mut places = Vec::new();
    placed(layout, tree, &PathExpr::new(), &mut places)?;
    for (path, node) in &places {
        for (presence, keys) in node.behaviour.iter().flat_map(|behaviour| &behaviour.presence) {
            check_presence(behaviours.style, *presence, path, keys, config, notes)?;
        }
        if let Some(least) = node.behaviour.and_then(|behaviour| behaviour.min_items) {
            check_min_items(behaviours.style, least, path, config, notes)?;
        }
    }
    evaluate_rules(layout, &places, config, notes)
}

/// The requirements of the schema.
struct Checking<'n> {
    style: Style,
    path: Path,
    notes: &'n mut Notes,
}

impl Checking<'_> {
    /// Checks the attributes and blocks of an object.
    fn check_object(&mut self, layout: &Layout<'_>, block: Option<&Block>, config: &Value) {
        let View::Object(object) = config.view_below_marks() else { return };
        for (name, entry) in layout.entries() {
            let Some(value) = object.get(name) else { continue };
            self.path.push(Step::attr(name));
            match entry {
                Entry::Attribute { attribute, nested, .. } => {
                    self.check_attribute(name, attribute, value);
                    if let Some(nest) = nested {
                        self.check_objects(nest, None, value);
                    }
                }
                Entry::Blocks(nest) => {
                    let nested = block.and_then(|block| block.block_types.get(name));
                    self.check_objects(nest, nested, value);
                }
            }
            self.path.pop();
        }
    }

    /// Checks the objects of a block type, or of an attribute with nested attributes.
    fn check_objects(&mut self, nest: &Nest<'_>, nested: Option<&NestedBlock>, config: &Value) {
        let block = nested.map(|nested| &nested.block);
        if !nest.is_collection() {
            if null(config) == Some(false) {
                self.warn_of_block(block);
            }
            return self.check_object(&nest.item, block, config);
        }
        if config.elements().next().is_some() {
            self.warn_of_block(block);
        }
        for (step, item) in config.elements() {
            self.path.push(match step {
                // The step into a set is the member itself: content that a message must not show.
                Step::Index(key) if key.contains_marks() => Step::Index(Value::unknown(key.ty())),
                step => step,
            });
            self.check_object(&nest.item, block, item);
            self.path.pop();
        }
    }

    /// Checks one attribute: required, configurable, deprecated.
    fn check_attribute(&mut self, name: &str, attribute: &Attribute, value: &Value) {
        let is_null = null(value);
        let only_computed = attribute.computed && !attribute.optional;
        match (attribute.required, only_computed, is_null) {
            (true, _, Some(true)) => {
                let (summary, detail) = match self.style {
                    Style::Sdk => (
                        "Missing required argument",
                        format!("The argument \"{name}\" is required, but no definition was found."),
                    ),
                    Style::Framework => (
                        "Missing Configuration for Required Attribute",
                        format!(
                            "Must set a configuration value for the {} attribute as the provider has marked it as required.",
                            self.path
                        ),
                    ),
                };
                self.fail(summary, detail, "it is null");
            }
            (true, _, None) => self.open("is not null", Rule::NotNull),
            (_, true, Some(false)) => {
                let (summary, detail) = match self.style {
                    Style::Sdk => (
                        "Value for unconfigurable attribute",
                        format!(
                            "Can't configure a value for \"{name}\": its value will be decided automatically based on the result of applying this configuration."
                        ),
                    ),
                    Style::Framework => (
                        "Invalid Configuration for Read-Only Attribute",
                        "Cannot set value for this attribute as the provider has marked it as read-only. Remove the configuration line setting the value.".to_owned(),
                    ),
                };
                self.fail(summary, detail, "it is set");
            }
            (_, true, None) => self.open("is null", Rule::IsNull),
            _ => {}
        }
        if attribute.deprecated && is_null == Some(false) {
            let summary = match self.style {
                Style::Sdk => "Argument is deprecated",
                Style::Framework => "Attribute Deprecated",
            };
            self.warn(summary, attribute.deprecation_message.as_deref());
        }
    }

    /// Warns if the block type is deprecated.
    fn warn_of_block(&mut self, block: Option<&Block>) {
        if let Some(block) = block.filter(|block| block.deprecated) {
            let summary = match self.style {
                Style::Sdk => "Argument is deprecated",
                Style::Framework => "Block Deprecated",
            };
            self.warn(summary, block.deprecation_message.as_deref());
        }
    }

    /// Adds a warning about the deprecation of the current place.
    fn warn(&mut self, summary: &'static str, message: Option<&str>) {
        let detail = message.unwrap_or("It is deprecated.").to_owned();
        self.notes.diagnostics.push(Diagnostic::warning(summary, detail, self.path.clone(), "it is set"));
    }

    /// Adds an error about the current place.
    fn fail(&mut self, summary: &'static str, detail: String, failure: &'static str) {
        self.notes.diagnostics.push(Diagnostic::error(summary, detail, self.path.clone(), failure));
    }

    /// Adds an obligation about the current place: unknown values leave the rule undetermined.
    fn open(&mut self, description: &str, rule: Rule) {
        let why = Why::new([self.path.clone()]).with_obligation(rule);
        let (path, description) = (self.path.clone(), description.to_owned());
        self.notes.obligations.push(PlanObligation { path, description, why });
    }
}

/// The places that have a behaviour, each with its path.
fn placed<'a, 'b>(
    layout: &Layout<'_>,
    node: &'a Node<'b>,
    path: &PathExpr,
    places: &mut Vec<(PathExpr, &'a Node<'b>)>,
) -> Result<()> {
    for (name, entry) in layout.entries() {
        let Some(inside) = node.inside.get(name) else { continue };
        let steps = || path.steps().iter().cloned().chain([ExprStep::Attr(name.to_owned())]);
        let here = PathExpr::from_steps(steps())?;
        places.push((here.clone(), inside));
        let nest = match entry {
            Entry::Attribute { nested, .. } => nested.as_ref(),
            Entry::Blocks(nest) => Some(nest),
        };
        match nest {
            Some(nest) if nest.is_collection() => {
                let item = PathExpr::from_steps(steps().chain([ExprStep::AnyElement]))?;
                placed(&nest.item, inside, &item, places)?;
            }
            Some(nest) => placed(&nest.item, inside, &here, places)?,
            None => {}
        }
    }
    Ok(())
}

/// Evaluates the rules of the behaviours on the configured values. Adds the failures to the diagnostics, and an
/// obligation for each rule that unknown values leave undetermined.
fn evaluate_rules(
    layout: &Layout<'_>,
    places: &[(PathExpr, &Node<'_>)],
    config: &Value,
    notes: &mut Notes,
) -> Result<(), PlanError> {
    let rules = |node: &Node<'_>| node.behaviour.map(|behaviour| behaviour.rules.clone()).unwrap_or_default();
    let sets: Vec<(&PathExpr, RuleSet)> =
        places.iter().map(|(path, node)| (path, rules(node))).filter(|(_, set)| !set.is_empty()).collect();
    if sets.is_empty() {
        return Ok(());
    }
    let mut ruled = RuledType::new(TypeConstraint::from(&layout.object_type()));
    for (path, set) in sets {
        ruled = ruled.at(&path.to_string(), set)?;
    }
    let report = ruled.check(config)?;
    notes.diagnostics.extend(report.diagnostics().iter().cloned());
    for answer in report.undetermined() {
        if let Outcome::Undetermined(why) = &answer.outcome {
            let (path, description) = (answer.path.clone(), answer.description.clone());
            notes.obligations.push(PlanObligation { path, description, why: why.clone() });
        }
    }
    Ok(())
}

/// Evaluates `ConflictsWith`, `ExactlyOneOf`, `AtLeastOneOf` or `RequiredWith` of the attribute at `path`. `keys` are
/// the attributes that it names, which may include itself.
fn check_presence(
    style: Style,
    presence: Presence,
    path: &PathExpr,
    keys: &[PathExpr],
    config: &Value,
    notes: &mut Notes,
) -> Result<(), PlanError> {
    let all = || keys.iter().cloned();
    // Each conflict is one of two attributes: the others may be set together.
    let rules: Vec<Rule> = match presence {
        Presence::ConflictsWith => {
            all().filter(|key| key != path).map(|key| Rule::conflicting([path.clone(), key])).collect()
        }
        Presence::ExactlyOneOf => vec![Rule::exactly_one_of(all())],
        Presence::AtLeastOneOf => vec![Rule::at_least_one_of(all())],
        Presence::RequiredWith => {
            vec![Rule::also_requires(path.clone(), all().filter(|key| key != path))]
        }
    };
    for rule in rules {
        match rule.check(&Request::new(config))? {
            Outcome::Pass => {}
            Outcome::Fail(found) => notes.diagnostics.extend(match style {
                Style::Sdk => Diagnostics::from(sdk_diagnostic(presence, path, &rule, keys, config)?),
                Style::Framework => found,
            }),
            Outcome::Undetermined(why) => {
                let description = rule.describe();
                notes.obligations.push(PlanObligation { path: place_of(path), description, why });
            }
        }
    }
    Ok(())
}

/// Evaluates `MinItems` of what is optional: nothing at all is allowed, fewer are not.
fn check_min_items(
    style: Style,
    least: u64,
    path: &PathExpr,
    config: &Value,
    notes: &mut Notes,
) -> Result<(), PlanError> {
    let rule = Rule::any([Rule::max_len(0), Rule::min_len(least)])?;
    for found in path.matches(config)? {
        if null(&found.value) == Some(true) {
            continue;
        }
        match rule.check_value(&found.value)? {
            Outcome::Pass => {}
            Outcome::Fail(_) => {
                let count = found.value.elements().count();
                let (summary, detail) = match style {
                    Style::Sdk => (
                        "Not enough list items",
                        format!(
                            "Attribute {path} requires {least} item minimum, but config has only {count} declared."
                        ),
                    ),
                    Style::Framework => (
                        "Invalid Attribute Value",
                        format!("Attribute {path} list must contain at least {least} elements, got: {count}"),
                    ),
                };
                notes.diagnostics.push(Diagnostic::error(summary, detail, found.path, "there are too few"));
            }
            Outcome::Undetermined(why) => {
                let description = format!("has none or at least {least} items");
                notes.obligations.push(PlanObligation { path: found.path, description, why });
            }
        }
    }
    Ok(())
}

/// The failure in the words of the SDK.
fn sdk_diagnostic(
    presence: Presence,
    path: &PathExpr,
    rule: &Rule,
    keys: &[PathExpr],
    config: &Value,
) -> Result<Diagnostic> {
    let names = |keys: &[PathExpr]| keys.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    let (summary, detail) = match presence {
        Presence::ConflictsWith => {
            let other = match rule {
                Rule::Presence(_, pair) => pair.iter().find(|key| *key != path).map(ToString::to_string),
                _ => None,
            };
            let other = other.unwrap_or_default();
            ("Conflicting configuration arguments", format!("\"{path}\": conflicts with {other}"))
        }
        Presence::ExactlyOneOf => {
            let mut set = Vec::new();
            for key in keys {
                if key.matches(config)?.iter().any(|found| null(&found.value) == Some(false)) {
                    set.push(key.clone());
                }
            }
            let detail = match set.is_empty() {
                true => format!("\"{path}\": one of `{}` must be specified", names(keys)),
                false => format!(
                    "\"{path}\": only one of `{}` can be specified, but `{}` were specified.",
                    names(keys),
                    names(&set)
                ),
            };
            ("Invalid combination of arguments", detail)
        }
        Presence::AtLeastOneOf => {
            ("Missing required argument", format!("\"{path}\": one of `{}` must be specified", names(keys)))
        }
        Presence::RequiredWith => {
            ("Missing required argument", format!("\"{path}\": all of `{}` must be specified", names(keys)))
        }
    };
    Ok(Diagnostic::error(summary, detail, place_of(path), "it is so in the configuration"))
}

/// The path of an expression up to its first wildcard.
fn place_of(expr: &PathExpr) -> Path {
    let mut path = Path::new();
    for step in expr.steps() {
        match step {
            ExprStep::Attr(name) => path.push(Step::attr(name)),
            _ => break,
        }
    }
    path
}
