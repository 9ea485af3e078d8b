//! The syntax tree of Starlark.

use std::cell::Cell;
use std::rc::Rc;

use super::value::Value;

/// Where the value of a name is found: in a scope so many functions further out, or among the predeclared names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Place {
    Slot { up: usize, slot: usize },
    Predeclared,
}

/// An expression and the number of the line that its errors show.
#[derive(Debug)]
pub(crate) struct Expr {
    pub(crate) line: usize,
    pub(crate) kind: ExprKind,
}

/// What an expression is.
#[derive(Debug)]
pub(crate) enum ExprKind {
    Literal(Value),
    /// A name, and its place, which the resolver sets.
    Name(Rc<str>, Cell<Place>),
    List(Vec<Expr>),
    Tuple(Vec<Expr>),
    Dict(Vec<(Expr, Expr)>),
    Unary(&'static str, Box<Expr>),
    Binary(&'static str, Box<Expr>, Box<Expr>),
    /// `THEN if CONDITION else OTHER`, in this order.
    Conditional(Box<[Expr; 3]>),
    Attribute(Box<Expr>, Rc<str>),
    Index(Box<Expr>, Box<Expr>),
    Slice(Box<Expr>, [Option<Box<Expr>>; 3]),
    Call(Box<Expr>, Vec<Argument>),
    Lambda(Rc<Definition>),
    Comprehension(Box<Comprehension>),
}

/// An argument of a call or of an annotation.
#[derive(Debug)]
pub(crate) struct Argument {
    pub(crate) kind: ArgumentKind,
    pub(crate) value: Expr,
}

/// How an argument is given: `VALUE`, `NAME=VALUE`, `*VALUE` or `**VALUE`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ArgumentKind {
    Positional,
    Named(Rc<str>),
    Star,
    StarStar,
}

/// A list or dict that loops fill.
#[derive(Debug)]
pub(crate) struct Comprehension {
    /// The key of an entry of a dict.
    pub(crate) key: Option<Expr>,
    pub(crate) value: Expr,
    pub(crate) clauses: Vec<Clause>,
    /// The number of its variables.
    pub(crate) slots: Cell<usize>,
}

/// A loop or a condition of a comprehension.
#[derive(Debug)]
pub(crate) enum Clause {
    For(Target, Expr),
    If(Expr),
}

/// What an assignment assigns to.
#[derive(Debug)]
pub(crate) enum Target {
    Name(Rc<str>, Cell<Place>),
    Index(Expr, Expr, usize),
    Attribute(Expr, Rc<str>, usize),
    Items(Vec<Target>, usize),
}

/// A function as it is written.
#[derive(Debug)]
pub(crate) struct Definition {
    pub(crate) name: Rc<str>,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) body: Vec<Statement>,
    /// The names of its scope: parameters first.
    pub(crate) slots: std::cell::RefCell<Vec<Rc<str>>>,
}

/// A parameter of a function.
#[derive(Debug)]
pub(crate) struct Parameter {
    pub(crate) name: Rc<str>,
    pub(crate) kind: ParameterKind,
}

/// How a parameter is declared: `NAME`, `NAME=DEFAULT`, `*NAME` or `**NAME`.
#[derive(Debug)]
pub(crate) enum ParameterKind {
    Plain,
    Default(Expr),
    /// `*NAME`; the name is empty for `*` alone.
    Star,
    StarStar,
}

/// A statement, and the number of its line.
#[derive(Debug)]
pub(crate) struct Statement {
    pub(crate) line: usize,
    pub(crate) kind: StatementKind,
}

/// What a statement is.
#[derive(Debug)]
pub(crate) enum StatementKind {
    Expr(Expr),
    Assign(Target, Expr),
    /// `TARGET OPERATOR= VALUE`.
    Update(Target, &'static str, Expr),
    If(Expr, Vec<Statement>, Vec<Statement>),
    For(Target, Expr, Vec<Statement>),
    While(Expr, Vec<Statement>),
    Define(Rc<Definition>, Cell<Place>),
    Return(Option<Expr>),
    Break,
    Continue,
    Pass,
    /// The file, and for each name the one that it has there.
    Load(Rc<str>, Vec<(Rc<str>, Rc<str>, Cell<Place>)>),
    Node(NodeStatement),
}

/// A node of a template.
#[derive(Debug)]
pub(crate) struct NodeStatement {
    /// The number of the node in its template.
    pub(crate) slot: usize,
    /// For each annotation its arguments.
    pub(crate) annotations: Vec<Vec<Argument>>,
    /// The expression that is its content.
    pub(crate) value: Option<Expr>,
    pub(crate) body: Vec<Statement>,
}
