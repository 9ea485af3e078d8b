//! The tree of an expression.

use std::ops::Range;

use plantime::Value;

use super::references::Reference;

/// A range of bytes of the source.
pub(super) type Span = Range<usize>;

/// An expression and where it is.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) span: Span,
    pub(super) kind: Kind,
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub(super) enum Kind {
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
    Binary(Binary, Box<[Node; 2]>),
    /// Condition, result if true, result if false.
    Conditional(Box<[Node; 3]>),
    For(Box<For>),
    Call(Box<Call>),
}

impl Node {
    /// The text of a literal, or of a call whose arguments are such; `None` for everything else.
    pub(super) fn call_text(&self) -> Option<String> {
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

    /// The nodes directly below.
    pub(super) fn children(&self) -> Vec<&Node> {
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
                    Key::Expression(key) => Some(key),
                    Key::Name(..) => None,
                });
                keys.chain(items.iter().map(|(_, value)| value)).collect()
            }
            Kind::Template(parts) => parts.iter().flat_map(Part::children).collect(),
            Kind::Wrapped(inner) | Kind::Parenthesis(inner) | Kind::Unary(_, inner) => vec![inner],
            Kind::Binary(_, operands) => operands.iter().collect(),
            Kind::Conditional(operands) => operands.iter().collect(),
            Kind::For(each) => {
                let others = [each.result_key.as_ref(), Some(&each.result), each.condition.as_ref()];
                std::iter::once(&each.collection).chain(others.into_iter().flatten()).collect()
            }
            Kind::Call(call) => call.arguments.iter().collect(),
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
            Part::If(condition, yes, no) => {
                std::iter::once(condition).chain(children_of(yes)).chain(children_of(no)).collect()
            }
            Part::For(each) => std::iter::once(&each.collection).chain(children_of(&each.parts)).collect(),
        }
    }
}

/// An attribute or a key.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) span: Span,
    pub(super) kind: StepKind,
}

/// An attribute name or an index after a value.
#[derive(Clone, Debug)]
pub(super) enum StepKind {
    Attribute(Box<str>),
    Index(Box<Node>),
}

/// The key of an item of an object.
#[derive(Clone, Debug)]
pub(super) enum Key {
    Name(Box<str>, Span),
    Expression(Node),
}

/// A part of a template.
#[derive(Clone, Debug)]
pub(super) enum Part {
    Literal(Value),
    Interpolation(Node),
    /// Condition, and the parts for true and for false.
    If(Node, Vec<Part>, Vec<Part>),
    For(TemplateFor),
}

/// A directive `%{for}`.
#[derive(Clone, Debug)]
pub(super) struct TemplateFor {
    pub(super) key: Option<Box<str>>,
    pub(super) value: Box<str>,
    pub(super) collection: Node,
    pub(super) parts: Vec<Part>,
}

/// A unary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unary {
    Negate,
    Not,
}

/// A binary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binary {
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

/// A `for` expression: a tuple without `result_key`, else an object.
#[derive(Clone, Debug)]
pub(super) struct For {
    pub(super) key: Option<Box<str>>,
    pub(super) value: Box<str>,
    pub(super) collection: Node,
    pub(super) result_key: Option<Node>,
    pub(super) result: Node,
    pub(super) condition: Option<Node>,
    /// Whether values of the same key are collected in a tuple (`...` after the value).
    pub(super) groups: bool,
}

/// A function call.
#[derive(Clone, Debug)]
pub(super) struct Call {
    /// The name with its namespaces: `provider::x::y`.
    pub(super) name: Box<str>,
    pub(super) name_span: Span,
    pub(super) arguments: Vec<Node>,
    /// Whether the last argument is followed by `...`.
    pub(super) expands: bool,
    /// The closing parenthesis.
    pub(super) close: Span,
}
