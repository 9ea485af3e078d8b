//! The validation of data values by the rules of a schema, and by those of their own annotations.

use std::collections::HashMap;
use std::rc::Rc;

use crate::node::{Content, Node, Scalar, child_path, key_id, key_text};
use crate::proposal::MessageValues;
use crate::rules::{OpenRule, Rules, Unanswered};
use crate::schema::{Kind, Schema};
use crate::starlark::convert::value_of;
use crate::starlark::interpreter::Interpreter;
use crate::starlark::value::{Fragment, Value};

/// A rule whose answer depends on a data value that is not known yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undetermined {
    /// The path of the value that the rule is about.
    pub path: String,
    /// What a valid value is, in words.
    pub rule: String,
    /// The file and line of the rule.
    pub by: String,
    /// The path of the first unknown value that the rule reads.
    pub reads: String,
}

/// The largest number of rules without an answer.
const MAX_UNDETERMINED: usize = 10_000;

/// The largest length of the report.
const MAX_REPORT: usize = 1 << 22;

/// The annotation with rules of a data value.
pub(crate) const ASSERTION: &str = "assert/validate";

/// Evaluates the rules of all values: parents before children. The error is the report of all violations.
pub(crate) fn validate(
    this: &mut Interpreter<'_>,
    root: &Node,
    schema: &Schema,
    undetermined: &mut Vec<Undetermined>,
) -> Result<(), String> {
    validate_as("Validating final data values:\n", this, root, schema, undetermined)
}

/// Evaluates the rules of the annotations of a document of output, as the proposal has it. The error is the report of all
/// violations.
pub(crate) fn validate_output(
    this: &mut Interpreter<'_>,
    root: &Node,
    undetermined: &mut Vec<Undetermined>,
) -> Result<(), String> {
    validate_as("Validating output:\n", this, root, &Schema::any(root.at.clone()), undetermined)
}

fn validate_as(
    title: &str,
    this: &mut Interpreter<'_>,
    root: &Node,
    schema: &Schema,
    undetermined: &mut Vec<Undetermined>,
) -> Result<(), String> {
    // Annotations that are malformed come before all violations.
    let mut rules = Vec::new();
    collect_annotated_rules(this, root, &mut rules).map_err(|error| format!("{title}{error}"))?;
    this.note_unknowns(&root.content);
    let fragment = Fragment::new(Rc::new(root.clone()), "");
    let mut walk = Walk { this, own: rules.into_iter(), blocks: String::new(), undetermined };
    walk.node(&fragment, Some(schema), "").map_err(|error| match error {
        Stop::When(text) => format!("{title}{text}"),
        Stop::Other(text) => text,
    })?;
    if walk.blocks.is_empty() { Ok(()) } else { Err(format!("{title}{}", walk.blocks)) }
}

/// Appends to `rules` the rules of the `@assert/validate` annotations on a node and on the nodes below it, in document order.
fn collect_annotated_rules(
    this: &mut Interpreter<'_>,
    node: &Node,
    rules: &mut Vec<Rules>,
) -> Result<(), String> {
    if let Some(annotation) = node.annotation(ASSERTION) {
        rules.push(Rules::of(annotation, this)?);
    }
    node.content.children().iter().try_for_each(|child| collect_annotated_rules(this, child, rules))
}

/// Why a validation ended early.
enum Stop {
    When(String),
    Other(String),
}

/// The evaluation of rules at all nodes.
struct Walk<'w, 'l> {
    this: &'w mut Interpreter<'l>,
    /// The rules of the annotations of data values that were not visited yet.
    own: std::vec::IntoIter<Rules>,
    blocks: String,
    undetermined: &'w mut Vec<Undetermined>,
}

impl Walk<'_, '_> {
    /// Evaluates the rules of a node and of those below it. A node that no schema declares has its own rules alone.
    fn node(&mut self, fragment: &Fragment, schema: Option<&Schema>, path: &str) -> Result<(), Stop> {
        let node = fragment.node();
        let own = node.annotation(ASSERTION).and_then(|_| self.own.next());
        // The proposal goes from the leaves upwards, ytt from the root downwards.
        let is_upwards = self.this.library.has_proposal();
        if !is_upwards {
            self.blocks_of(fragment, schema, own.as_ref(), path)?;
        }
        self.below(fragment, schema, path)?;
        if is_upwards {
            self.blocks_of(fragment, schema, own.as_ref(), path)?;
        }
        Ok(())
    }

    /// Evaluates the rules of a node: those of its schema, and its own.
    fn blocks_of(
        &mut self,
        fragment: &Fragment,
        schema: Option<&Schema>,
        own: Option<&Rules>,
        path: &str,
    ) -> Result<(), Stop> {
        let declared = schema.and_then(|schema| schema.rules.as_ref());
        declared.into_iter().chain(own).try_for_each(|rules| self.block(fragment, rules, path))
    }

    /// Evaluates the rules of the nodes below a node.
    fn below(&mut self, fragment: &Fragment, schema: Option<&Schema>, path: &str) -> Result<(), Stop> {
        let node = fragment.node();
        self.this.heap.work(1).map_err(|failure| Stop::Other(failure.message()))?;
        if let Content::Scalar(Scalar::Unknown) = node.content {
            return schema.map_or(Ok(()), |schema| self.below_unknown(schema, path, &path.into()));
        }
        let kind = schema.map(|schema| &schema.kind);
        let by_key: HashMap<String, &Schema> = match kind {
            Some(Kind::Map(declared)) => {
                declared.iter().map(|schema| (key_id(schema.key.as_ref()), schema)).collect()
            }
            _ => HashMap::new(),
        };
        for (index, child) in node.content.children().iter().enumerate() {
            let schema = match kind {
                Some(Kind::Map(_)) => by_key.get(&key_id(child.key.as_ref())).copied(),
                Some(Kind::Array(item)) => Some(item.as_ref()),
                _ => None,
            };
            self.node(&fragment.child(index), schema, &child_path(path, child, index))?;
        }
        Ok(())
    }

    /// Adds the block of a node that violates rules.
    fn block(&mut self, fragment: &Fragment, rules: &Rules, path: &str) -> Result<(), Stop> {
        let root = value_of(fragment.root());
        let value = match fragment.content() {
            Content::Scalar(_) => value_of(fragment.clone()),
            _ => Value::Fragment(fragment.clone()),
        };
        let answers = rules.answers(self.this, &value, fragment.parent(), &root);
        let answers = answers.map_err(|error| match error {
            Unanswered::When(text) => Stop::When(format!("Validating {path}: {text}")),
            Unanswered::Failure(failure) => {
                let path = if path.is_empty() { "the data values" } else { path };
                Stop::Other(format!("Validating {path}: {}", failure.message()))
            }
        })?;
        self.add_undetermined(path, rules, answers.undetermined)?;
        let violations = answers.violations;
        if violations.is_empty() {
            return Ok(());
        }
        let path = if path.is_empty() { "(document)" } else { path };
        self.blocks.push_str(&format!("  {path}\n    from: {}\n", fragment.node().at));
        for violation in violations {
            let node = fragment.node();
            let key = node.key.as_ref().map_or_else(|| path.to_owned(), key_text);
            if let Some(sentence) = &violation.sentence {
                self.blocks.push_str(&format!("    - \"{key}\" {sentence} (by: {})\n", rules.at()));
                continue;
            }
            if let Some(message) = &violation.message {
                let value = self.this.repr(&value).map_err(|failure| Stop::Other(failure.message()))?;
                let (description, failure) = (violation.description.as_str(), violation.found.as_str());
                let values = MessageValues { key: &key, value: &value, description, failure };
                if message.length(&values) > MAX_REPORT {
                    return Err(Stop::Other("the report of the violations is too long".to_owned()));
                }
                self.blocks.push_str(&format!("    - {} (by: {})\n", message.filled(&values), rules.at()));
                continue;
            }
            self.blocks.push_str(&format!("    - must be: {} (by: {})\n", violation.description, rules.at()));
            if !violation.found.is_empty() {
                self.blocks.push_str(&format!("      found: {}\n", violation.found));
            }
        }
        self.blocks.push('\n');
        if self.blocks.len() > MAX_REPORT {
            return Err(Stop::Other("the report of the violations is too long".to_owned()));
        }
        Ok(())
    }

    /// Adds rules whose answers depend on unknown values to the result.
    fn add_undetermined(&mut self, path: &str, rules: &Rules, open: Vec<OpenRule>) -> Result<(), Stop> {
        let path = if path.is_empty() { "(document)" } else { path };
        let by = rules.at().to_string();
        self.undetermined.extend(open.into_iter().map(|open| Undetermined {
            path: path.to_owned(),
            rule: open.description,
            by: by.clone(),
            reads: open.reads.to_string(),
        }));
        if self.undetermined.len() > MAX_UNDETERMINED {
            return Err(Stop::Other(format!("more than {MAX_UNDETERMINED} rules have no answer")));
        }
        Ok(())
    }

    /// Adds the rules of all values that an unknown value may contain; `[]` stands for the items of an array.
    fn below_unknown(&mut self, schema: &Schema, path: &str, reads: &Rc<str>) -> Result<(), Stop> {
        let children = match &schema.kind {
            Kind::Map(children) => children.as_slice(),
            Kind::Array(item) => std::slice::from_ref(&**item),
            Kind::Any | Kind::Scalar(_) => &[],
        };
        for child in children {
            let path = match &child.key {
                Some(key) if path.is_empty() => key_text(key),
                Some(key) => format!("{path}.{}", key_text(key)),
                None => format!("{path}[]"),
            };
            if let Some(rules) = &child.rules {
                self.add_undetermined(&path, rules, rules.undetermined(reads).undetermined)?;
            }
            self.below_unknown(child, &path, reads)?;
        }
        Ok(())
    }
}
