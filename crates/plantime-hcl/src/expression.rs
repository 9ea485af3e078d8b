//! Expressions of HCL: parsed, evaluated, in words.

mod body_error;
mod box_text;
mod dependencies;
mod describe;
mod diagnostic;
mod evaluate;
mod identity;
mod problems;
mod read;
mod references;
mod scope;
mod syntax_error;
mod template_error;
mod tree;
mod type_expression;

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::hcl::JsonNode;
use plantime::source::Source;
use plantime::{TypeConstraint, Value};

pub use body_error::body_errors;
pub use diagnostic::{Diagnostic, Diagnostics, ReferenceValue};
pub use problems::Problems;
pub use references::{Reference, ReferenceKey, ReferenceStep};
pub use scope::{Limits, Resolved, Scope, Unresolved, Variables};
pub use syntax_error::syntax_error;
pub use template_error::template_error;

pub use dependencies::Dependency;
pub use scope::{Origins, Total};

use evaluate::Evaluator;
use plantime::Step;
use tree::Node;

/// An expression of HCL with its source.
#[derive(Clone)]
pub struct Expression {
    source: Source,
    /// Shared: an explanation holds one expression for each part of a value.
    root: Arc<Node>,
}

impl Expression {
    /// Parses the whole text as one expression.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    /// use plantime::Value;
    /// use plantime_hcl::{Expression, Scope};
    ///
    /// let none = BTreeMap::new();
    /// let sum = Expression::parse("1 + 2 * 3").unwrap();
    /// assert_eq!(sum.evaluate(&Scope::new(&none)).unwrap(), Value::from(7));
    /// assert_eq!(Expression::parse("[1, 2").unwrap_err().first().position().line, 1);
    /// ```
    ///
    /// # Errors
    ///
    /// One diagnostic, with the position in the text.
    pub fn parse(text: &str) -> Result<Expression, Diagnostics> {
        Expression::parse_source(Source::new("", text))
    }

    /// Parses the whole text of a source as an expression.
    ///
    /// ```
    /// use plantime_hcl::Expression;
    /// use plantime::source::Source;
    ///
    /// let count = Expression::parse_source(Source::new("count.txt", "length(var.zones)")).unwrap();
    /// assert_eq!(count.source().name(), "count.txt");
    /// ```
    ///
    /// # Errors
    ///
    /// As [`parse`](Expression::parse).
    pub fn parse_source(source: Source) -> Result<Expression, Diagnostics> {
        read::parse_expression(&source).map(|root| Expression { source, root: Arc::new(root) })
    }

    /// Parses the whole text of a source as a template, as the file of `templatefile` is one.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    /// use plantime::Value;
    /// use plantime_hcl::{Expression, Scope};
    /// use plantime::source::Source;
    ///
    /// let motd = Expression::parse_template(Source::new("motd.tftpl", "Welcome to ${name}!")).unwrap();
    /// let variables = BTreeMap::from([("name".to_owned(), Value::from("db"))]);
    /// assert_eq!(motd.evaluate(&Scope::new(&variables)).unwrap(), Value::from("Welcome to db!"));
    /// ```
    ///
    /// # Errors
    ///
    /// As [`parse`](Expression::parse).
    pub fn parse_template(source: Source) -> Result<Expression, Diagnostics> {
        read::parse_template(&source).map(|root| Expression { source, root: Arc::new(root) })
    }

    /// The expression of an attribute that hcl-edit has parsed from the text of a source. The places in it must be those of
    /// that text.
    ///
    /// ```
    /// use plantime_hcl::Expression;
    /// use plantime::source::Source;
    ///
    /// let text = "cidr = cidrsubnet(var.cidr, 4, 1)";
    /// let body = hcl_edit::parser::parse_body(text)?;
    /// let attribute = body.get_attribute("cidr").unwrap();
    /// let cidr = Expression::from_hcl(Source::new("main.tf", text), &attribute.value).unwrap();
    /// assert_eq!(cidr.references()[0].to_string(), "var.cidr");
    /// # Ok::<(), hcl_edit::parser::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the expression is none in HCL although hcl-edit takes it: `{ a.b = 1 }`.
    pub fn from_hcl(
        source: Source,
        expression: &hcl_edit::expr::Expression,
    ) -> Result<Expression, Diagnostics> {
        read::read_expression(&source, expression).map(|root| Expression { source, root: Arc::new(root) })
    }

    /// As [`from_hcl`](Expression::from_hcl), for an object whose keys may be references: `{ aws.west = aws }`.
    #[doc(hidden)]
    pub fn map_from_hcl(
        source: Source,
        expression: &hcl_edit::expr::Expression,
    ) -> Result<Expression, Diagnostics> {
        read::read_map(&source, expression).map(|root| Expression { source, root: Arc::new(root) })
    }

    /// The expression that is only a reference of a source.
    #[doc(hidden)]
    pub fn of_reference(source: &Source, reference: &Reference) -> Expression {
        let root = Node { span: reference.span(), kind: tree::Kind::Reference(reference.clone()) };
        Expression { source: source.clone(), root: Arc::new(root) }
    }

    /// The expression that a part of a JSON text is: each string in it is a template.
    #[doc(hidden)]
    pub fn from_json(source: Source, json: &JsonNode) -> Result<Expression, Diagnostics> {
        read::read_json(&source, json).map(|root| Expression { source, root: Arc::new(root) })
    }

    /// Evaluates the expression to a value that is as much known as its operands allow.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    /// use plantime::{Type, Value};
    /// use plantime_hcl::{Expression, Scope};
    ///
    /// let variables = BTreeMap::from([("zone".to_owned(), Value::unknown(Type::String))]);
    /// let name = Expression::parse(r#""web-${zone}""#).unwrap().evaluate(&Scope::new(&variables)).unwrap();
    /// assert_eq!(name.to_string(), r#""web-${(known after apply)}""#);
    /// ```
    ///
    /// # Errors
    ///
    /// When it fails for all values that its unknown operands may become, or when it exceeds the [limits](Limits) of the scope.
    pub fn evaluate(&self, scope: &Scope<'_>) -> Result<Value, Diagnostics> {
        Evaluator::new(scope, &self.source).evaluate(&self.root)
    }

    /// The type that the expression names, as the `type` of a variable: `list(string)`, `object({ a = optional(number, 1) })`.
    /// Defaults are evaluated in the scope.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    /// use plantime_hcl::{Expression, Scope};
    ///
    /// let none = BTreeMap::new();
    /// let ty = Expression::parse("map(object({ size = optional(number) }))").unwrap();
    /// assert_eq!(ty.type_constraint(&Scope::new(&none)).unwrap().to_string(), "map(object({size = optional(number)}))");
    /// ```
    ///
    /// # Errors
    ///
    /// When it names no type, and when a default does not fit.
    pub fn type_constraint(&self, scope: &Scope<'_>) -> Result<TypeConstraint, Diagnostics> {
        Evaluator::new(scope, &self.source).type_constraint(&self.root, None)
    }

    /// The references of the expression to variables of the scope, in the order of the source. Names that a `for` binds are
    /// not among them.
    ///
    /// ```
    /// use plantime_hcl::Expression;
    ///
    /// let ids = Expression::parse("[for s in aws_subnet.main : s.id if s.zone == var.zone]").unwrap();
    /// let references: Vec<String> = ids.references().iter().map(ToString::to_string).collect();
    /// assert_eq!(references, ["aws_subnet.main", "var.zone"]);
    /// ```
    pub fn references(&self) -> Vec<&Reference> {
        references::references(&self.root)
    }

    /// What the value of the expression at a path depends on, each once, in the order of the source.
    #[doc(hidden)]
    pub fn dependencies(&self, path: &[Step], scope: &Scope<'_>) -> Vec<Dependency> {
        dependencies::dependencies(&self.root, &self.source, scope, path)
    }

    /// The reference whose value the part of the expression at a path always is, whatever the unknown operands become. `None`
    /// if the expression converts or computes.
    #[doc(hidden)]
    pub fn identity(&self, path: &[Step], scope: &Scope<'_>) -> Option<Dependency> {
        identity::identity(&self.root, &self.source, scope, path)
    }

    /// If the expression is one reference and nothing else, that reference.
    ///
    /// ```
    /// use plantime_hcl::Expression;
    ///
    /// assert!(Expression::parse("aws_vpc.main.id").unwrap().as_reference().is_some());
    /// assert!(Expression::parse("upper(var.name)").unwrap().as_reference().is_none());
    /// ```
    pub fn as_reference(&self) -> Option<&Reference> {
        match &self.root.kind {
            tree::Kind::Reference(reference) => Some(reference),
            _ => None,
        }
    }

    /// If the expression is the call of a function and nothing else, the places of its arguments and their texts. In JSON, where
    /// the call is the only part of a template, the texts are written anew, since those of the source have escapes; a text is
    /// empty if the argument is no call with literals.
    #[doc(hidden)]
    pub fn call_arguments(&self, function: &str) -> Option<Vec<(Range<usize>, String)>> {
        let (root, is_json) = match &self.root.kind {
            tree::Kind::Wrapped(inner) if self.source.name().ends_with(".json") => (&**inner, true),
            _ => (&*self.root, false),
        };
        let tree::Kind::Call(call) = &root.kind else { return None };
        if &*call.name != function || call.expands {
            return None;
        }
        let text = |argument: &Node| match is_json {
            true => argument.call_text().unwrap_or_default(),
            false => self.source.text().get(argument.span.clone()).unwrap_or_default().to_owned(),
        };
        Some(call.arguments.iter().map(|argument| (argument.span.clone(), text(argument))).collect())
    }

    /// Whether the expression is a name, perhaps with keys and splats: `aws_subnet.main[*].id`.
    #[doc(hidden)]
    pub fn is_name(&self) -> bool {
        let mut node = &*self.root;
        loop {
            match &node.kind {
                tree::Kind::Reference(_) => return true,
                tree::Kind::Access(of, _) | tree::Kind::Splat { of, .. } => node = of,
                _ => return false,
            }
        }
    }

    /// The bytes of the source that each outermost call of a function takes: not calls in the arguments of another one.
    #[doc(hidden)]
    pub fn outermost_calls(&self) -> Vec<Range<usize>> {
        self.call_nodes(false).into_iter().map(|(node, _)| node.span.clone()).collect()
    }

    /// The name of each function that is called, and the bytes of the source that the name takes.
    #[doc(hidden)]
    pub fn function_names(&self) -> Vec<(&str, Range<usize>)> {
        self.call_nodes(true).into_iter().map(|(_, call)| (&*call.name, call.name_span.clone())).collect()
    }

    /// The calls of functions in the order of the source; with `in_arguments`, those in the arguments of others too.
    fn call_nodes(&self, in_arguments: bool) -> Vec<(&Node, &tree::Call)> {
        let (mut calls, mut nodes) = (Vec::new(), vec![&*self.root]);
        while let Some(node) = nodes.pop() {
            let call = match &node.kind {
                tree::Kind::Call(call) => Some(&**call),
                _ => None,
            };
            calls.extend(call.map(|call| (node, call)));
            if call.is_none() || in_arguments {
                nodes.extend(node.children());
            }
        }
        calls.sort_by_key(|(node, _)| node.span.start);
        calls
    }

    /// The items of a tuple that is written out; `None` if the expression is anything else.
    #[doc(hidden)]
    pub fn items(&self) -> Option<Vec<Expression>> {
        let tree::Kind::Tuple(items) = &self.root.kind else { return None };
        let item = |root: &Node| Expression { source: self.source.clone(), root: Arc::new(root.clone()) };
        Some(items.iter().map(item).collect())
    }

    /// The entries of an object that is written out; `None` if the expression is anything else. A key that is a name is a
    /// reference to that name.
    #[doc(hidden)]
    pub fn entries(&self) -> Option<Vec<(Expression, Expression)>> {
        let tree::Kind::Object(entries) = &self.root.kind else { return None };
        let of = |root: Node| Expression { source: self.source.clone(), root: Arc::new(root) };
        let entry = |(key, value): &(tree::Key, Node)| {
            let key = match key {
                tree::Key::Name(root, root_span) => {
                    let (root, root_span) = (root.clone(), root_span.clone());
                    let span = root_span.clone();
                    Node {
                        kind: tree::Kind::Reference(Reference { root, root_span, steps: Vec::new() }),
                        span,
                    }
                }
                tree::Key::Expression(key) => key.clone(),
            };
            (of(key), of(value.clone()))
        };
        Some(entries.iter().map(entry).collect())
    }

    /// The bytes of the source that the expression takes.
    ///
    /// ```
    /// use plantime_hcl::Expression;
    /// use plantime::source::Source;
    ///
    /// let size = Expression::parse_source(Source::new("main.tf", "var.size + 1")).unwrap();
    /// assert_eq!((size.span(), size.source().name()), (0..12, "main.tf"));
    /// ```
    pub fn span(&self) -> Range<usize> {
        self.root.span.clone()
    }

    /// The source that the expression is in.
    ///
    /// [Example](Expression::span)
    pub fn source(&self) -> &Source {
        &self.source
    }
}

impl fmt::Debug for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.source.text().get(self.span()).unwrap_or_default();
        f.debug_tuple("Expression").field(&text).finish()
    }
}
