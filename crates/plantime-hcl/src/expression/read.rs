//! Makes the tree of an expression from that of hcl-edit.

mod json;
mod template;

use std::cell::Cell;

use crate::hcl;
use crate::hcl::costly_bracket;
use hcl_edit::expr::{
    BinaryOperator, Expression as Hcl, ForExpr, FuncCall, ObjectKey, Traversal, TraversalOperator,
    UnaryOperator,
};
use plantime::source::Source;
use plantime::{Number, Type, Value};

use super::diagnostic::{Diagnostic, Diagnostics, all};
use super::references::{Reference, ReferenceKey, ReferenceStep};
use super::syntax_error::syntax_error;
pub(super) use json::read_json;

use super::tree::{Binary, Call, For, Key, Kind, Node, Span, Step, StepKind, Unary};

/// Parses the whole text of a source as an expression.
pub(super) fn parse_expression(source: &Source) -> Result<Node, Diagnostics> {
    let text = source.text();
    let start = text.len().saturating_sub(text.trim_start().len());
    refuse_costly(source)?;
    match hcl::parse_expression(text.trim()) {
        Ok(expression) => {
            Reader { start, written: text.trim(), ..Reader::of(source) }.expression(&expression)
        }
        Err((place, message)) => Err(syntax_error(source, start.saturating_add(place), &message).into()),
    }
}

/// Parses the whole text of a source as a template.
pub(super) fn parse_template(source: &Source) -> Result<Node, Diagnostics> {
    refuse_costly(source)?;
    match hcl_edit::parser::parse_template(source.text()) {
        Ok(template) => Reader::of(source).bare_template(&template, 0..source.text().len()),
        Err(error) => Err(syntax_error(source, error.location().offset(), error.message()).into()),
    }
}

/// Makes the tree of an expression that is parsed already.
pub(super) fn read_expression(source: &Source, expression: &Hcl) -> Result<Node, Diagnostics> {
    Reader::of(source).expression(expression)
}

/// Makes the tree of an object whose keys may be references.
pub(super) fn read_map(source: &Source, expression: &Hcl) -> Result<Node, Diagnostics> {
    let reader = Reader::of(source);
    let Hcl::Object(object) = expression else { return reader.expression(expression) };
    let items = all(object.iter().map(|(key, value)| {
        let value = reader.expression(value.expr());
        let key = match key {
            ObjectKey::Expression(key @ Hcl::Traversal(_)) => reader.expression(key).map(Key::Expression),
            key => reader.key(key),
        };
        key.and_then(|key| Ok((key, value?)))
    }))?;
    Ok(Node { kind: Kind::Object(items), span: reader.span(expression) })
}

/// The parser of hcl-edit would take exponential time.
fn refuse_costly(source: &Source) -> Result<(), Diagnostics> {
    let detail = "Operators and brackets are nested too deep.";
    match costly_bracket(source.text()) {
        Some(place) => {
            let end = place.saturating_add(1);
            Err(Diagnostic::new(source, place..end, "Expression too complex", detail).of_limit().into())
        }
        None => Ok(()),
    }
}

/// Reads the expressions of one source.
pub(super) struct Reader<'s> {
    source: &'s Source,
    /// The byte of the source at which the parsed text begins.
    start: usize,
    /// The parsed text.
    written: &'s str,
    /// How many splats contain what is read: each is a level of the tree, and the parser limits brackets only.
    splats: Cell<usize>,
}

/// The maximum number of splats inside each other, as in `a[*].b[*].c`.
const NESTED_SPLATS: usize = 64;

impl<'s> Reader<'s> {
    /// A reader of the whole text of a source.
    fn of(source: &'s Source) -> Reader<'s> {
        Reader { source, start: 0, written: source.text(), splats: Cell::new(0) }
    }

    /// The place of a node in the source.
    fn span(&self, node: &impl hcl_edit::Span) -> Span {
        node.span()
            .map_or(0..0, |span| self.start.saturating_add(span.start)..self.start.saturating_add(span.end))
    }

    /// The text of a place in the source.
    fn text(&self, span: &Span) -> &'s str {
        let place = span.start.saturating_sub(self.start)..span.end.saturating_sub(self.start);
        self.written.get(place).unwrap_or_default()
    }

    /// An error at a span of the source.
    #[cold]
    fn problem(&self, span: Span, summary: &str, detail: &str) -> Diagnostics {
        Diagnostic::new(self.source, span, summary, detail).into()
    }

    /// Reads an expression of the HCL parser into a node.
    pub(super) fn expression(&self, expression: &Hcl) -> Result<Node, Diagnostics> {
        let span = self.span(expression);
        let kind = match expression {
            Hcl::Null(_) => Kind::Literal(Value::null(Type::Dynamic)),
            Hcl::Bool(truth) => Kind::Literal(Value::from(*truth.value())),
            Hcl::Number(number) => Kind::Literal(Value::from(self.number(number, &span)?)),
            Hcl::String(text) => Kind::Literal(Value::from(text.as_str())),
            Hcl::Array(array) => Kind::Tuple(all(array.iter().map(|item| self.expression(item)))?),
            Hcl::Object(object) if object.is_empty() => Kind::Object(self.unparsed_items(&span)?),
            Hcl::Object(object) => Kind::Object(self.items(object)?),
            Hcl::StringTemplate(template) => self.quoted_template(template)?,
            Hcl::HeredocTemplate(heredoc) => self.heredoc(heredoc)?,
            Hcl::Parenthesis(inner) => Kind::Parenthesis(Box::new(self.expression(inner.inner())?)),
            Hcl::Variable(name) => Kind::Reference(Reference {
                root: name.value().as_str().into(),
                root_span: span.clone(),
                steps: Vec::new(),
            }),
            Hcl::Conditional(conditional) => {
                let [condition, yes, no] =
                    self.several([&conditional.cond_expr, &conditional.true_expr, &conditional.false_expr])?;
                Kind::Conditional(Box::new([condition, yes, no]))
            }
            Hcl::FuncCall(call) => self.call(call, &span)?,
            Hcl::Traversal(traversal) => return self.traversal(traversal),
            Hcl::UnaryOp(unary) => {
                let operator = match unary.operator.value() {
                    UnaryOperator::Neg => Unary::Negate,
                    UnaryOperator::Not => Unary::Not,
                };
                Kind::Unary(operator, Box::new(self.expression(&unary.expr)?))
            }
            Hcl::BinaryOp(binary) => {
                let operands = self.several([&binary.lhs_expr, &binary.rhs_expr])?;
                Kind::Binary(binary_operator(*binary.operator.value()), Box::new(operands))
            }
            Hcl::ForExpr(each) => Kind::For(Box::new(self.for_expression(each)?)),
        };
        Ok(Node { span, kind })
    }

    /// Reads the items of an object.
    fn items(&self, object: &hcl_edit::expr::Object) -> Result<Vec<(Key, Node)>, Diagnostics> {
        all(object.iter().map(|(key, value)| {
            let value = self.expression(value.expr());
            self.key(key).and_then(|key| Ok((key, value?)))
        }))
    }

    /// The items of an object that was parsed as an empty one: there are none, or too many or repeated keys.
    fn unparsed_items(&self, span: &Span) -> Result<Vec<(Key, Node)>, Diagnostics> {
        let text = self.text(span);
        let inner = text.get(1..text.len().saturating_sub(1)).unwrap_or_default();
        if inner.trim().is_empty() {
            return Ok(Vec::new());
        }
        let pieces = hcl::object_pieces(text);
        let read = all(pieces.into_iter().map(|piece| {
            let start = span.start.saturating_add(piece.start);
            self.piece(start, text.get(piece).unwrap_or_default())
        }))?;
        Ok(read.into_iter().flatten().collect())
    }

    /// The items of a part of an object that begins at a byte of the source.
    fn piece(&self, start: usize, items: &str) -> Result<Vec<(Key, Node)>, Diagnostics> {
        let object = format!("{{{items}}}");
        // The brace stands before the items.
        let before = start.saturating_sub(1);
        let splats = self.splats.clone();
        let reader = Reader { source: self.source, start: before, written: &object, splats };
        match hcl::parse_expression(&object) {
            Ok(Hcl::Object(parsed)) if !parsed.is_empty() => reader.items(&parsed),
            // A key is there twice, or there are comments only.
            Ok(_) => match hcl::halves(items) {
                Some((first, second)) => {
                    let mut read = self.piece(start, first)?;
                    read.extend(self.piece(start.saturating_add(first.len()), second)?);
                    Ok(read)
                }
                None => Ok(Vec::new()),
            },
            Err((place, message)) => {
                Err(syntax_error(self.source, before.saturating_add(place), &message).into())
            }
        }
    }

    /// Reads several expressions and returns the errors of all of them.
    fn several<const N: usize>(&self, expressions: [&Hcl; N]) -> Result<[Node; N], Diagnostics> {
        let nodes = all(expressions.into_iter().map(|expression| self.expression(expression)))?;
        nodes.try_into().map_err(|_| self.problem(0..0, "Invalid expression", ""))
    }

    /// The number as it is written: hcl-edit keeps no more digits than a float has.
    fn number(
        &self,
        number: &hcl_edit::Formatted<hcl_edit::Number>,
        span: &Span,
    ) -> Result<Number, Diagnostics> {
        let written = self.text(span);
        let (sign, digits) = match written.strip_prefix('-') {
            Some(digits) => ("-", digits.trim_start_matches(|c: char| !c.is_ascii_digit())),
            None => ("", written),
        };
        let parsed = if digits.is_empty() {
            number.value().to_string().parse()
        } else {
            format!("{sign}{digits}").parse()
        };
        parsed.map_err(|error: plantime::Error| {
            self.problem(span.clone(), "Invalid number literal", &format!("{error}."))
        })
    }

    /// Reads the key of an item of an object constructor.
    fn key(&self, key: &ObjectKey) -> Result<Key, Diagnostics> {
        match key {
            ObjectKey::Ident(name) => {
                // The parser sees another name where a key is there twice.
                let (span, parsed) = (self.span(name), name.value().as_str());
                let written = Some(self.text(&span)).filter(|written| written.len() == parsed.len());
                Ok(Key::Name(written.unwrap_or(parsed).into(), span))
            }
            ObjectKey::Expression(expression @ Hcl::Traversal(_)) => Err(self.problem(
                self.span(expression),
                "Ambiguous attribute key",
                "If this expression is intended to be a reference, wrap it in parentheses. If it's instead intended as \
                 a literal name containing periods, wrap it in quotes to create a string literal.",
            )),
            // A word alone is a name, this one too.
            ObjectKey::Expression(expression @ Hcl::Null(_)) => Ok(Key::Name("null".into(), self.span(expression))),
            ObjectKey::Expression(expression) => self.expression(expression).map(Key::Expression),
        }
    }

    /// Reads a function call; namespaces become part of the name, as in `core::max`.
    fn call(&self, call: &FuncCall, span: &Span) -> Result<Kind, Diagnostics> {
        let names = call.name.namespace.iter().chain([&call.name.name]);
        let name = names.map(|name| name.value().as_str()).collect::<Vec<_>>().join("::");
        let first = call.name.namespace.first().unwrap_or(&call.name.name);
        let name_span = self.span(first).start..self.span(&call.name.name).end;
        let close = span.end.saturating_sub(1)..span.end;
        let arguments = all(call.args.iter().map(|argument| self.expression(argument)))?;
        let expands = call.args.expand_final();
        Ok(Kind::Call(Box::new(Call { name: name.into(), name_span, arguments, expands, close })))
    }

    /// Reads a `for` expression.
    fn for_expression(&self, each: &ForExpr) -> Result<For, Diagnostics> {
        let collection = self.expression(&each.intro.collection_expr);
        let result_key = each.key_expr.as_ref().map(|key| self.expression(key)).transpose();
        let result = self.expression(&each.value_expr);
        let condition = each.cond.as_ref().map(|condition| self.expression(&condition.expr)).transpose();
        Ok(For {
            key: each.intro.key_var.as_ref().map(|name| name.value().as_str().into()),
            value: each.intro.value_var.value().as_str().into(),
            collection: collection?,
            result_key: result_key?,
            result: result?,
            condition: condition?,
            groups: each.grouping,
        })
    }

    /// Reads an expression followed by attributes, indexes and splats.
    fn traversal(&self, traversal: &Traversal) -> Result<Node, Diagnostics> {
        let mut of = self.expression(&traversal.expr)?;
        let operators: Vec<_> =
            traversal.operators.iter().map(|operator| (operator.value(), self.span(operator))).collect();
        // A step binds stronger than the sign, which the parser takes into the number: `-3[0]` is `-(3[0])`.
        let positive = match (&traversal.expr, &of.kind) {
            (Hcl::Number(_), Kind::Literal(number)) if self.text(&of.span).starts_with('-') => {
                number.as_number().ok().map(|number| Value::from(number.negate()))
            }
            _ => None,
        };
        let Some(positive) = positive else { return self.steps(of, &operators) };
        let sign = of.span.start;
        of = Node { span: sign.saturating_add(1)..of.span.end, kind: Kind::Literal(positive) };
        let operand = self.steps(of, &operators)?;
        let span = sign..operand.span.end;
        Ok(Node { span, kind: Kind::Unary(Unary::Negate, Box::new(operand)) })
    }

    /// The node with steps after it. A splat `[*]` takes all steps behind it, a splat `.*` the attributes that follow it.
    fn steps(&self, mut of: Node, operators: &[(&TraversalOperator, Span)]) -> Result<Node, Diagnostics> {
        for (i, (operator, span)) in operators.iter().enumerate() {
            let rest = operators.get(i.saturating_add(1)..).unwrap_or_default();
            let step = match operator {
                TraversalOperator::GetAttr(name) => StepKind::Attribute(name.value().as_str().into()),
                TraversalOperator::Index(key) => StepKind::Index(Box::new(self.expression(key)?)),
                TraversalOperator::LegacyIndex(index) => StepKind::Index(Box::new(Node {
                    span: span.clone(),
                    kind: Kind::Literal(Value::from(*index.value())),
                })),
                TraversalOperator::FullSplat(_) => {
                    return self.inside_splat(span, || self.splat(of, span, rest));
                }
                TraversalOperator::AttrSplat(_) => {
                    let count = rest.iter().take_while(|(operator, _)| is_attribute(operator)).count();
                    let (each, rest) = rest.split_at_checked(count).unwrap_or_default();
                    if let Some((TraversalOperator::AttrSplat(_), span)) = rest.first() {
                        // Terraform points at the star.
                        let star = span.end.saturating_sub(1)..span.end;
                        let detail = "A splat expression (*) cannot be used inside another attribute-only splat expression.";
                        return Err(self.problem(star, "Nested splat expression not allowed", detail));
                    }
                    return self.inside_splat(span, || {
                        let splat = self.splat(of, span, each)?;
                        self.steps(splat, rest)
                    });
                }
            };
            of = with_step(of, Step { span: span.clone(), kind: step });
        }
        Ok(of)
    }

    /// Runs one level of splats deeper.
    fn inside_splat(
        &self,
        marker: &Span,
        read: impl FnOnce() -> Result<Node, Diagnostics>,
    ) -> Result<Node, Diagnostics> {
        let depth = self.splats.get();
        if depth >= NESTED_SPLATS {
            let detail = format!("More than {NESTED_SPLATS} splats are inside each other.");
            let problem = Diagnostic::new(self.source, marker.clone(), "Expression too complex", detail);
            return Err(problem.of_limit().into());
        }
        self.splats.set(depth.saturating_add(1));
        let node = read();
        self.splats.set(depth);
        node
    }

    /// Reads a splat. `each` are the operators that apply to every element.
    fn splat(
        &self,
        of: Node,
        marker: &Span,
        each: &[(&TraversalOperator, Span)],
    ) -> Result<Node, Diagnostics> {
        let end = each.last().map_or(marker.end, |(_, span)| span.end);
        let span = of.span.start..end;
        let element = Node { span: of.span.start..marker.end, kind: Kind::Element };
        let each = Box::new(self.steps(element, each)?);
        Ok(Node { span, kind: Kind::Splat { of: Box::new(of), each, marker: marker.clone() } })
    }
}

/// Whether a step after `.*` belongs to each element.
fn is_attribute(operator: &TraversalOperator) -> bool {
    matches!(operator, TraversalOperator::GetAttr(_) | TraversalOperator::LegacyIndex(_))
}

/// The node with one step more. A reference takes attributes and constant keys into itself.
fn with_step(mut of: Node, step: Step) -> Node {
    let span = of.span.start..step.span.end;
    if let Kind::Reference(reference) = &mut of.kind
        && let Some(key) = constant_key(&step)
    {
        reference.steps.push(ReferenceStep { key, span: step.span });
        return Node { span, kind: of.kind };
    }
    match of.kind {
        Kind::Access(inner, mut steps) => {
            steps.push(step);
            Node { span, kind: Kind::Access(inner, steps) }
        }
        _ => Node { span, kind: Kind::Access(Box::new(of), vec![step]) },
    }
}

/// The key of a step that needs no evaluation.
fn constant_key(step: &Step) -> Option<ReferenceKey> {
    match &step.kind {
        StepKind::Attribute(name) => Some(ReferenceKey::Attribute(name.clone())),
        StepKind::Index(key) => match &key.kind {
            Kind::Literal(value) if !value.is_null() => Some(ReferenceKey::Index(value.clone())),
            _ => None,
        },
    }
}

/// The operator of the tree for an operator of the HCL parser.
fn binary_operator(operator: BinaryOperator) -> Binary {
    match operator {
        BinaryOperator::Eq => Binary::Equal,
        BinaryOperator::NotEq => Binary::NotEqual,
        BinaryOperator::LessEq => Binary::LessOrEqual,
        BinaryOperator::GreaterEq => Binary::GreaterOrEqual,
        BinaryOperator::Less => Binary::Less,
        BinaryOperator::Greater => Binary::Greater,
        BinaryOperator::Plus => Binary::Add,
        BinaryOperator::Minus => Binary::Subtract,
        BinaryOperator::Mul => Binary::Multiply,
        BinaryOperator::Div => Binary::Divide,
        BinaryOperator::Mod => Binary::Modulo,
        BinaryOperator::And => Binary::And,
        BinaryOperator::Or => Binary::Or,
    }
}
