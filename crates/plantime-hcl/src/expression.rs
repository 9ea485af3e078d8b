//! Expressions of HCL: parsed, evaluated, in words.

mod box_text;
mod condition;
mod dependencies;
mod describe;
mod diagnostic;
mod evaluate;
mod identity;
mod json;
mod members;
mod problems;
mod references;
mod scope;
pub(crate) mod tree;
mod type_expression;

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::json::JsonNode;
use crate::syntax;
use plantime::source::Source;
use plantime::{TypeConstraint, Value};

pub use diagnostic::{Diagnostic, Diagnostics, ReferenceValue};
pub use problems::Problems;
pub use references::{Reference, ReferenceKey, ReferenceStep};
pub use scope::{Limits, Resolved, Scope, Unresolved, Variables};

pub use condition::{Call as CalledFunction, ConditionAnswer, Decision, Evaluation};
pub use dependencies::Dependency;
pub use members::{Further, Member, MemberFunctions, Members};
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
    /// Everything that is wrong with the text.
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
        syntax::parse_expression(&source, source.text(), 0)
            .map(|root| Expression { source, root: Arc::new(root) })
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
        syntax::parse_template(&source, source.text(), 0)
            .map(|root| Expression { source, root: Arc::new(root) })
    }

    /// The expression of a node of a source.
    pub(crate) fn of_node(source: Source, root: Node) -> Expression {
        Expression { source, root: Arc::new(root) }
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
        json::read_json(&source, json).map(|root| Expression { source, root: Arc::new(root) })
    }

    /// In JSON, where names and types are texts, the expression in the quotes; every other expression itself. As Terraform counts, the places
    /// in it begin at the quotes.
    ///
    /// ```
    /// use plantime::source::Source;
    /// use plantime_hcl::Body;
    ///
    /// let source = Source::new("main.tf.json", r#"{"moved": {"from": "a.b"}}"#);
    /// let body = Body::parse(&source).unwrap();
    /// let moved = body.blocks_of(&source, "moved", 0);
    /// let from = &moved[0].body.argument("from").unwrap().expression;
    /// assert_eq!(from.unquoted().unwrap().as_reference().unwrap().to_string(), "a.b");
    /// ```
    ///
    /// # Errors
    ///
    /// As [`parse`](Expression::parse), for the text in the quotes.
    pub fn unquoted(&self) -> Result<Expression, Diagnostics> {
        let literal = self.constant_form();
        match &literal.root.kind {
            tree::Kind::Literal(text) if self.is_json() && text.as_str().is_ok() => {
                let text = text.as_str().unwrap_or_default();
                syntax::parse_expression(&self.source, text, self.span().start).map(|root| self.part(root))
            }
            _ => Ok(self.clone()),
        }
    }

    /// The expression of a part of a JSON text whose templates are wrong: its value is unknown, its constant form is the text as it is
    /// written.
    pub(crate) fn unknown_json(source: Source, json: &JsonNode) -> Expression {
        let root = Node { span: json.span.clone(), kind: tree::Kind::Literal(Value::dynamic()) };
        Expression { source, root: Arc::new(root) }
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

    /// If the expression is a single word, that word: in JSON it is a text.
    ///
    /// ```
    /// use plantime_hcl::Expression;
    ///
    /// assert_eq!(Expression::parse("destroy").unwrap().as_word(), Some("destroy"));
    /// assert_eq!(Expression::parse("a.b").unwrap().as_word(), None);
    /// ```
    pub fn as_word(&self) -> Option<&str> {
        match &self.root.kind {
            tree::Kind::Reference(reference) if reference.steps().is_empty() => Some(reference.root()),
            tree::Kind::Literal(text) if self.is_json() => text.as_str().ok(),
            _ => None,
        }
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

    /// The name and the key of a name that one calculated key follows: `aws_subnet.main` and `each.key` of
    /// `aws_subnet.main[each.key]`.
    #[doc(hidden)]
    pub fn calculated_key(&self) -> Option<(&Reference, Expression)> {
        let tree::Kind::Access(of, steps) = &self.root.kind else { return None };
        match (&of.kind, steps.as_slice()) {
            (tree::Kind::Reference(name), [tree::Step { kind: tree::StepKind::Index(key), .. }]) => {
                Some((name, self.part((**key).clone())))
            }
            _ => None,
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

    /// The value of a literal: a number, perhaps with a sign, a bool, null, or a text without templates; `None` for all else.
    ///
    /// ```
    /// use plantime::Value;
    /// use plantime_hcl::Expression;
    ///
    /// assert_eq!(Expression::parse("-5").unwrap().as_literal(), Some(Value::from(-5)));
    /// assert_eq!(Expression::parse("2 + 3").unwrap().as_literal(), None);
    /// ```
    pub fn as_literal(&self) -> Option<Value> {
        match &self.root.kind {
            tree::Kind::Literal(value) => Some(value.clone()),
            tree::Kind::Unary(tree::Unary::Negate, operand) => match &operand.kind {
                tree::Kind::Literal(value) => {
                    value.as_number().ok().map(|number| Value::from(number.negate()))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The name of the function and the arguments, if the expression is a call without `...`.
    ///
    /// ```
    /// use plantime_hcl::Expression;
    ///
    /// let call = Expression::parse("max(1, var.n)").unwrap();
    /// let (name, arguments) = call.as_call().unwrap();
    /// assert_eq!((name, arguments.len()), ("max", 2));
    /// ```
    pub fn as_call(&self) -> Option<(&str, Vec<Expression>)> {
        match &self.root.kind {
            tree::Kind::Call(call) if !call.expands => Some((
                &call.name,
                call.arguments.iter().map(|argument| self.part(argument.clone())).collect(),
            )),
            _ => None,
        }
    }

    /// What the expression is, in words: `a number`, `a template`.
    ///
    /// ```
    /// use plantime_hcl::Expression;
    ///
    /// assert_eq!(Expression::parse("[1, 2]").unwrap().description(), "a list");
    /// ```
    pub fn description(&self) -> &'static str {
        match &self.root.kind {
            tree::Kind::Literal(value) if value.is_null() => "null",
            tree::Kind::Literal(value) => match value.ty() {
                plantime::Type::Bool => "a bool",
                plantime::Type::Number => "a number",
                _ => "a text",
            },
            tree::Kind::Tuple(_) => "a list",
            tree::Kind::Object(_) => "an object",
            tree::Kind::Template(_) | tree::Kind::Wrapped(_) => "a template",
            _ => "an expression",
        }
    }

    /// Whether the source is in the JSON syntax.
    #[doc(hidden)]
    pub fn is_json(&self) -> bool {
        self.source.name().ends_with(".json")
    }

    /// The expression as it is read where no variables and functions may be used: in JSON, the texts are no templates there.
    #[doc(hidden)]
    pub fn constant_form(&self) -> Expression {
        let written = self.source.text().get(self.span()).filter(|_| self.is_json());
        match written.and_then(|written| plantime::json::from_str(written).ok()) {
            Some(value) => self.part(Node { span: self.span(), kind: tree::Kind::Literal(value) }),
            None => self.clone(),
        }
    }

    /// A part of the expression.
    fn part(&self, root: Node) -> Expression {
        Expression { source: self.source.clone(), root: Arc::new(root) }
    }

    /// The items of a tuple that is written out; `None` if the expression is anything else.
    ///
    /// ```
    /// use plantime_hcl::Expression;
    ///
    /// assert_eq!(Expression::parse("[1, var.n]").unwrap().items().unwrap().len(), 2);
    /// assert!(Expression::parse("tolist([1])").unwrap().items().is_none());
    /// ```
    pub fn items(&self) -> Option<Vec<Expression>> {
        let tree::Kind::Tuple(items) = &self.root.kind else { return None };
        Some(items.iter().map(|item| self.part(item.clone())).collect())
    }

    /// The entries of an object that is written out; `None` if the expression is anything else. A key that is a name is a
    /// reference to that name.
    ///
    /// ```
    /// use plantime_hcl::Expression;
    ///
    /// let object = Expression::parse("{ size = 5 }").unwrap();
    /// let (key, value) = &object.entries().unwrap()[0];
    /// assert_eq!(key.as_reference().unwrap().root(), "size");
    /// assert_eq!(value.as_literal(), Some(5.into()));
    /// ```
    pub fn entries(&self) -> Option<Vec<(Expression, Expression)>> {
        let tree::Kind::Object(entries) = &self.root.kind else { return None };
        let entry = |(key, value): &(tree::Key, Node)| {
            let key = match key {
                tree::Key::Name(root, span) => Node {
                    kind: tree::Kind::Reference(Reference::of_name(root.clone(), span.start)),
                    span: span.clone(),
                },
                tree::Key::Expression(key) => (**key).clone(),
            };
            (self.part(key), self.part(value.clone()))
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

    /// The place that Terraform points at for the start of the expression: its first part, of a string what is in its quotes.
    ///
    /// ```
    /// use plantime_hcl::Expression;
    ///
    /// assert_eq!(Expression::parse("\"ab\"").unwrap().start_span(), 1..3);
    /// assert_eq!(Expression::parse("a + b").unwrap().start_span(), 0..1);
    /// ```
    pub fn start_span(&self) -> Range<usize> {
        self.root.start_span(&self.source)
    }

    /// The type of the value that Terraform goes on with after an error in the expression: that of its operator, or any.
    ///
    /// ```
    /// use plantime::Type;
    /// use plantime_hcl::Expression;
    ///
    /// assert_eq!(Expression::parse("\"a\" + 1").unwrap().type_after_error(), Type::Number);
    /// ```
    pub fn type_after_error(&self) -> plantime::Type {
        self.root.type_after_error()
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
