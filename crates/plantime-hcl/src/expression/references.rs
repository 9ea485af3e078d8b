//! References of expressions to variables.

use std::fmt;
use std::ops::Range;

use plantime::Value;

use super::tree::{Key, Kind, Node, Part, Span, StepKind, TemplateIf};

/// A variable and the attributes and constant keys that follow it: `aws_subnet.a[0].id`. What follows a key that has to be
/// evaluated, or a splat, is not part of it.
///
/// ```
/// use plantime_hcl::{Expression, ReferenceKey};
///
/// let id = Expression::parse("aws_subnet.a[0].id").unwrap();
/// let reference = id.as_reference().unwrap();
/// assert_eq!(reference.root(), "aws_subnet");
/// assert_eq!(reference.steps().len(), 3);
/// assert_eq!(reference.steps()[1].key(), &ReferenceKey::Index(0.into()));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    pub(crate) root: Box<str>,
    /// Where the name begins.
    pub(crate) start: u32,
    pub(crate) steps: Vec<ReferenceStep>,
}

/// A step of a [`Reference`].
#[derive(Clone, Debug, PartialEq)]
pub struct ReferenceStep {
    pub(crate) key: ReferenceKey,
    pub(crate) span: SmallSpan,
}

/// A range of bytes in half the space: references are the most of a tree. Beyond 4 GiB it ends there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SmallSpan {
    start: u32,
    end: u32,
}

/// A byte of the source in half the space.
fn small(byte: usize) -> u32 {
    u32::try_from(byte).unwrap_or(u32::MAX)
}

fn large(byte: u32) -> usize {
    usize::try_from(byte).unwrap_or(usize::MAX)
}

impl From<Span> for SmallSpan {
    fn from(span: Span) -> SmallSpan {
        SmallSpan { start: small(span.start), end: small(span.end) }
    }
}

impl From<SmallSpan> for Span {
    fn from(span: SmallSpan) -> Span {
        large(span.start)..large(span.end)
    }
}

/// The attribute or key of a [`ReferenceStep`].
#[derive(Clone, Debug, PartialEq)]
pub enum ReferenceKey {
    /// `.name`
    Attribute(Box<str>),
    /// `[0]`, `.0` or `["key"]`
    Index(Value),
}

impl Reference {
    /// The reference that is a name alone, which begins at a byte of the source.
    pub(crate) fn of_name(root: Box<str>, start: usize) -> Reference {
        Reference { root, start: small(start), steps: Vec::new() }
    }

    /// The name of the variable.
    ///
    /// [Example](Reference)
    pub fn root(&self) -> &str {
        &self.root
    }

    /// The attributes and keys that follow the name.
    ///
    /// [Example](Reference)
    pub fn steps(&self) -> &[ReferenceStep] {
        &self.steps
    }

    /// The bytes of the source that the reference takes.
    ///
    /// [Example](Reference)
    pub fn span(&self) -> Range<usize> {
        self.span_of(self.steps.len())
    }

    /// The bytes of the source from the name to the end of this number of steps.
    ///
    /// [Example](Reference)
    pub fn span_of(&self, steps: usize) -> Range<usize> {
        let last = steps.checked_sub(1).and_then(|last| self.steps.get(last));
        let start = large(self.start);
        start..last.map_or(start.saturating_add(self.root.len()), |step| step.span().end)
    }

    /// The reference with only the first steps.
    pub(super) fn shortened(&self, steps: usize) -> Reference {
        Reference { steps: self.steps.iter().take(steps).cloned().collect(), ..self.clone() }
    }
}

/// As it is written: `local.subnets["a"].id`.
impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.root)?;
        for step in &self.steps {
            match &step.key {
                ReferenceKey::Attribute(name) => write!(f, ".{name}")?,
                ReferenceKey::Index(key) => write!(f, "[{key}]")?,
            }
        }
        Ok(())
    }
}

impl ReferenceStep {
    /// The attribute or key of the step.
    ///
    /// [Example](Reference)
    pub fn key(&self) -> &ReferenceKey {
        &self.key
    }

    /// The bytes of the source that the step takes, with its dot or brackets.
    ///
    /// [Example](Reference)
    pub fn span(&self) -> Range<usize> {
        self.span.into()
    }
}

/// The references below a node, without those to names that a `for` below it binds.
pub(super) fn references(node: &Node) -> Vec<&Reference> {
    let mut found = Vec::new();
    collect(node, &mut Vec::new(), &mut found);
    found
}

/// Adds the references of a node to `found`, without names that a surrounding `for` binds (`bound`).
fn collect<'n>(node: &'n Node, bound: &mut Vec<&'n str>, found: &mut Vec<&'n Reference>) {
    match &node.kind {
        Kind::Literal(_) | Kind::Element => {}
        Kind::Reference(reference) => {
            if !bound.contains(&&*reference.root) {
                found.push(reference);
            }
        }
        Kind::Access(of, steps) => {
            collect(of, bound, found);
            for step in steps {
                if let StepKind::Index(key) = &step.kind {
                    collect(key, bound, found);
                }
            }
        }
        Kind::Splat { of, each, .. } => {
            collect(of, bound, found);
            collect(each, bound, found);
        }
        Kind::Tuple(nodes) => nodes.iter().for_each(|node| collect(node, bound, found)),
        Kind::Object(items) => {
            for (key, value) in items {
                if let Key::Expression(key) = key {
                    collect(key, bound, found);
                }
                collect(value, bound, found);
            }
        }
        Kind::Template(parts) => collect_parts(parts, bound, found),
        Kind::Wrapped(inner) | Kind::Parenthesis(inner) | Kind::Unary(_, inner) => {
            collect(inner, bound, found);
        }
        Kind::Binary(chain) => chain.operands().for_each(|node| collect(node, bound, found)),
        Kind::Conditional(operands) => operands.iter().for_each(|node| collect(node, bound, found)),
        Kind::For(each) => {
            collect(&each.collection, bound, found);
            let inner = [each.result_key.as_ref(), Some(&each.result), each.condition.as_ref()];
            bind(each.key.as_deref(), &each.value, bound, |bound| {
                inner.into_iter().flatten().for_each(|node| collect(node, bound, found));
            });
        }
        Kind::Call(call) => call.values().into_iter().for_each(|node| collect(node, bound, found)),
    }
}

/// Adds the references of the parts of a template to `found`.
fn collect_parts<'n>(parts: &'n [Part], bound: &mut Vec<&'n str>, found: &mut Vec<&'n Reference>) {
    for part in parts {
        match part {
            Part::Literal(_) => {}
            Part::Interpolation(node) => collect(node, bound, found),
            Part::If(choice) => {
                let TemplateIf { condition, yes, no } = &**choice;
                collect(condition, bound, found);
                collect_parts(yes, bound, found);
                collect_parts(no, bound, found);
            }
            Part::For(each) => {
                collect(&each.collection, bound, found);
                bind(each.key.as_deref(), &each.value, bound, |bound| {
                    collect_parts(&each.parts, bound, found);
                });
            }
        }
    }
}

/// Calls `run` with the key and value names of a `for` added to the bound names, and removes them afterwards.
fn bind<'n>(
    key: Option<&'n str>,
    value: &'n str,
    bound: &mut Vec<&'n str>,
    run: impl FnOnce(&mut Vec<&'n str>),
) {
    let before = bound.len();
    bound.extend(key);
    bound.push(value);
    run(bound);
    bound.truncate(before);
}
