//! The tree of an expression.

use std::ops::Range;

use plantime::source::Source;
use plantime::{Type, Value};

use super::references::Reference;

/// A range of bytes of the source.
pub(crate) type Span = Range<usize>;

/// An expression and where it is.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) span: Span,
    pub(crate) kind: Kind,
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// A number, a bool, null, or a string without interpolations.
    Literal(Value),
    /// A variable with the attributes and constant keys that follow it.
    Reference(Reference),
    /// The element of the splat around this node.
    Element,
    /// A value, and the attribute names and keys behind it: `f(x).a[0]`.
    Access(Box<Node>, Vec<Step>),
    /// `of[*]each` or `of.*each`; `each` contains [`Kind::Element`].
    Splat {
        of: Box<Node>,
        each: Box<Node>,
        marker: Span,
    },
    Tuple(Vec<Node>),
    Object(Vec<(Key, Node)>),
    /// A template of several parts, or with directives.
    Template(Vec<Part>),
    /// A template that is one interpolation: its value is not converted to a string.
    Wrapped(Box<Node>),
    Parenthesis(Box<Node>),
    Unary(Unary, Box<Node>),
    Binary(Box<Chain>),
    /// Condition, result if true, result if false.
    Conditional(Box<[Node; 3]>),
    For(Box<For>),
    Call(Box<Call>),
}

impl Node {
    /// The text of a literal, or of a call whose arguments are such; `None` for everything else.
    pub(crate) fn call_text(&self) -> Option<String> {
        match &self.kind {
            Kind::Literal(value) => match value.as_str() {
                Ok(text) => Some(plantime::unstable::text::Quoted(text).to_string()),
                Err(_) => Some(value.to_string()),
            },
            Kind::Unary(Unary::Negate, number) => Some(format!("-{}", number.call_text()?)),
            Kind::Call(call) if !call.expands => {
                let arguments: Option<Vec<String>> = call.arguments.iter().map(Node::call_text).collect();
                Some(format!("{}({})", call.name, arguments?.join(", ")))
            }
            _ => None,
        }
    }

    /// The span that Terraform points at for the start of an expression: its first part; for a string all that is in its quotes, for a
    /// heredoc its lines, for an empty string the place behind it.
    pub(crate) fn start_span(&self, source: &Source) -> Span {
        let span = &self.span;
        let text = source.text().get(span.clone()).unwrap_or_default();
        match &self.kind {
            Kind::Literal(_) | Kind::Template(_) | Kind::Wrapped(_) if text == "\"\"" => span.end..span.end,
            Kind::Literal(_) | Kind::Template(_) | Kind::Wrapped(_) if text.starts_with('"') => {
                span.start.saturating_add(1)..span.end.saturating_sub(1)
            }
            Kind::Literal(_) | Kind::Template(_) | Kind::Wrapped(_) if text.starts_with("<<") => {
                let line = text.find('\n').map_or(0, |line| line.saturating_add(1));
                span.start.saturating_add(line)..span.end
            }
            Kind::Tuple(_) | Kind::Object(_) | Kind::For(_) | Kind::Parenthesis(_) => {
                span.start..span.start.saturating_add(1)
            }
            Kind::Call(call) => call.start_span(source),
            Kind::Splat { marker, .. } => marker.clone(),
            Kind::Binary(chain) => chain.first.start_span(source),
            Kind::Conditional(operands) => {
                let [condition, ..] = &**operands;
                condition.start_span(source)
            }
            _ => span.clone(),
        }
    }

    /// The type of the value that Terraform goes on with after an error in the expression itself: that of the operator, a string for
    /// a template, else none.
    pub(crate) fn type_after_error(&self) -> Type {
        match &self.kind {
            Kind::Template(_) => Type::String,
            Kind::Parenthesis(inner) => inner.type_after_error(),
            Kind::Unary(Unary::Negate, _) => Type::Number,
            Kind::Unary(Unary::Not, _) => Type::Bool,
            Kind::Binary(chain) => match chain.rest.last() {
                Some((
                    Binary::Add | Binary::Subtract | Binary::Multiply | Binary::Divide | Binary::Modulo,
                    _,
                )) => Type::Number,
                _ => Type::Bool,
            },
            _ => Type::Dynamic,
        }
    }

    /// Whether a call, a `for`, a splat or a template is in the node, so that evaluating it once more could cost much, or give another value.
    pub(crate) fn calls_or_iterates(&self) -> bool {
        let mut nodes = vec![self];
        while let Some(node) = nodes.pop() {
            if matches!(node.kind, Kind::Call(_) | Kind::For(_) | Kind::Splat { .. } | Kind::Template(_)) {
                return true;
            }
            nodes.extend(node.children());
        }
        false
    }

    /// The nodes directly below.
    pub(crate) fn children(&self) -> Vec<&Node> {
        match &self.kind {
            Kind::Literal(_) | Kind::Element | Kind::Reference(_) => Vec::new(),
            Kind::Access(of, steps) => {
                let keys = steps.iter().filter_map(|step| match &step.kind {
                    StepKind::Index(key) => Some(&**key),
                    StepKind::Attribute(_) => None,
                });
                std::iter::once(&**of).chain(keys).collect()
            }
            Kind::Splat { of, each, .. } => vec![of, each],
            Kind::Tuple(nodes) => nodes.iter().collect(),
            Kind::Object(items) => {
                let keys = items.iter().filter_map(|(key, _)| match key {
                    Key::Expression(key) => Some(&**key),
                    Key::Name(..) => None,
                });
                keys.chain(items.iter().map(|(_, value)| value)).collect()
            }
            Kind::Template(parts) => parts.iter().flat_map(Part::children).collect(),
            Kind::Wrapped(inner) | Kind::Parenthesis(inner) | Kind::Unary(_, inner) => vec![inner],
            Kind::Binary(chain) => chain.operands().collect(),
            Kind::Conditional(operands) => operands.iter().collect(),
            Kind::For(each) => {
                let others = [each.result_key.as_ref(), Some(&each.result), each.condition.as_ref()];
                std::iter::once(&each.collection).chain(others.into_iter().flatten()).collect()
            }
            Kind::Call(call) => call.values(),
        }
    }
}

impl Part {
    /// The nodes that the part evaluates, those of nested parts included.
    fn children(&self) -> Vec<&Node> {
        /// The expressions inside the parts of a template.
        fn children_of(parts: &[Part]) -> Vec<&Node> {
            parts.iter().flat_map(Part::children).collect()
        }
        match self {
            Part::Literal(_) => Vec::new(),
            Part::Interpolation(node) => vec![node],
            Part::If(choice) => {
                let TemplateIf { condition, yes, no } = &**choice;
                std::iter::once(condition).chain(children_of(yes)).chain(children_of(no)).collect()
            }
            Part::For(each) => std::iter::once(&each.collection).chain(children_of(&each.parts)).collect(),
        }
    }
}

/// An attribute or a key.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) span: Span,
    pub(crate) kind: StepKind,
}

/// An attribute name or an index after a value.
#[derive(Clone, Debug)]
pub(crate) enum StepKind {
    Attribute(Box<str>),
    Index(Box<Node>),
}

/// The key of an item of an object.
#[derive(Clone, Debug)]
pub(crate) enum Key {
    Name(Box<str>, Span),
    Expression(Box<Node>),
}

/// A part of a template.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    Literal(Value),
    Interpolation(Node),
    If(Box<TemplateIf>),
    For(Box<TemplateFor>),
}

/// A directive `%{if}`.
#[derive(Clone, Debug)]
pub(crate) struct TemplateIf {
    pub(crate) condition: Node,
    /// The parts for true.
    pub(crate) yes: Vec<Part>,
    /// The parts for false.
    pub(crate) no: Vec<Part>,
}

/// A directive `%{for}`.
#[derive(Clone, Debug)]
pub(crate) struct TemplateFor {
    pub(crate) key: Option<Box<str>>,
    pub(crate) value: Box<str>,
    pub(crate) collection: Node,
    pub(crate) parts: Vec<Part>,
}

/// A unary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unary {
    Negate,
    Not,
}

/// A binary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binary {
    And,
    Or,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
}

/// Operands with operators between them that bind equally strong: they apply from left to right. A chain is one node, so that a
/// long one is no deep tree.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    pub(crate) first: Node,
    /// The operators, each with its right operand; at least one.
    pub(crate) rest: Vec<(Binary, Node)>,
}

impl Chain {
    /// The operands in order.
    pub(crate) fn operands(&self) -> impl Iterator<Item = &Node> {
        std::iter::once(&self.first).chain(self.rest.iter().map(|(_, operand)| operand))
    }

    /// The operator and the operands, if there is one operator only.
    pub(crate) fn as_pair(&self) -> Option<(Binary, &Node, &Node)> {
        match &*self.rest {
            [(operator, right)] => Some((*operator, &self.first, right)),
            _ => None,
        }
    }
}

/// A `for` expression: a tuple without `result_key`, else an object.
#[derive(Clone, Debug)]
pub(crate) struct For {
    pub(crate) key: Option<Box<str>>,
    pub(crate) value: Box<str>,
    pub(crate) collection: Node,
    pub(crate) result_key: Option<Node>,
    pub(crate) result: Node,
    pub(crate) condition: Option<Node>,
    /// Whether values of the same key are collected in a tuple (`...` after the value).
    pub(crate) groups: bool,
}

/// A function call.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    /// The name with its namespaces: `provider::x::y`.
    pub(crate) name: Box<str>,
    pub(crate) name_span: Span,
    pub(crate) arguments: Vec<Node>,
    /// Whether the last argument is followed by `...`.
    pub(crate) expands: bool,
    /// The closing parenthesis.
    pub(crate) close: Span,
}

impl Call {
    /// The name and the parenthesis after it.
    pub(crate) fn start_span(&self, source: &Source) -> Span {
        let rest = source.text().get(self.name_span.end..).unwrap_or_default();
        let end = rest
            .find('(')
            .map_or(self.name_span.end, |at| self.name_span.end.saturating_add(at).saturating_add(1));
        self.name_span.start..end
    }

    /// The arguments that are values, and the values in the others: the second argument of `convert` is a type, in which only the
    /// defaults of attributes are.
    pub(crate) fn values(&self) -> Vec<&Node> {
        match (&*self.name, &*self.arguments) {
            ("convert", [value, ty]) if !self.expands => {
                let mut values = vec![value];
                ty.collect_defaults(&mut values);
                values
            }
            (_, arguments) => arguments.iter().collect(),
        }
    }
}

impl Node {
    /// Adds the defaults of attributes in a type expression.
    fn collect_defaults<'n>(&'n self, found: &mut Vec<&'n Node>) {
        match &self.kind {
            Kind::Call(call) => match (&*call.name, &*call.arguments) {
                ("optional", [ty, defaults @ ..]) => {
                    ty.collect_defaults(found);
                    found.extend(defaults);
                }
                (_, arguments) => arguments.iter().for_each(|argument| argument.collect_defaults(found)),
            },
            Kind::Object(items) => items.iter().for_each(|(_, value)| value.collect_defaults(found)),
            Kind::Tuple(items) => items.iter().for_each(|item| item.collect_defaults(found)),
            _ => {}
        }
    }
}
