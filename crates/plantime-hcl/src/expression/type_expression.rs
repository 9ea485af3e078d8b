//! Type expressions: `list(string)`, `object({ a = optional(number, 1) })`.

use plantime::{AttributeConstraint, Type, TypeConstraint};

use super::diagnostic::{Diagnostic, Diagnostics};
use super::evaluate::{Evaluator, Frame};
use super::tree::{Call, Key, Kind, Node, Span};

/// The heading of all problems but those of defaults.
const SUMMARY: &str = "Invalid type specification";

/// The message about an expression that is no type.
const NO_TYPE: &str = "A type specification is either a primitive type keyword (bool, number, string) or a complex type \
                       constructor call, like list(string).";

impl Evaluator<'_> {
    /// An error in a type expression.
    #[cold]
    fn type_problem(&self, span: &Span, detail: impl Into<String>) -> Diagnostics {
        Diagnostic::new(self.source(), span.clone(), SUMMARY, detail).into()
    }

    /// The type that an expression names.
    pub(super) fn type_constraint(
        &self,
        node: &Node,
        frame: Option<&Frame<'_>>,
    ) -> Result<TypeConstraint, Diagnostics> {
        match &node.kind {
            Kind::Reference(reference) if reference.steps().is_empty() => {
                self.type_keyword(reference.root(), node)
            }
            Kind::Call(call) => self.type_call(call, node, frame),
            _ => Err(self.type_problem(&node.span, NO_TYPE)),
        }
    }

    /// The type that a single word names: `string`, `any`.
    fn type_keyword(&self, word: &str, node: &Node) -> Result<TypeConstraint, Diagnostics> {
        let detail = match word {
            "bool" => return Ok(Type::Bool.into()),
            "number" => return Ok(Type::Number.into()),
            "string" => return Ok(Type::String.into()),
            "any" => return Ok(Type::Dynamic.into()),
            "list" | "set" | "map" | "object" | "tuple" => arity(word),
            "optional" => misplaced_optional(),
            _ => format!("The keyword {word:?} is not a valid type specification."),
        };
        Err(self.type_problem(&node.span, detail))
    }

    /// The type that a call names: `list(string)`, `object({ ... })`.
    fn type_call(
        &self,
        call: &Call,
        node: &Node,
        frame: Option<&Frame<'_>>,
    ) -> Result<TypeConstraint, Diagnostics> {
        let name = &*call.name;
        // Of too many arguments the extraneous ones are shown.
        let arguments_span = match call.arguments.as_slice() {
            [_, second, .., last] | [_, second @ last] => second.span.start..last.span.end,
            _ => call.name_span.end..node.span.end,
        };
        let detail = match (name, call.arguments.as_slice()) {
            ("bool" | "number" | "string", _) => {
                format!("Primitive type keyword {name:?} does not expect arguments.")
            }
            ("any", _) => "Type constraint keyword \"any\" does not expect arguments.".to_owned(),
            ("list" | "set" | "map", [element]) => {
                let element = self.type_constraint(element, frame)?;
                let built = match name {
                    "list" => TypeConstraint::list(element),
                    "set" => TypeConstraint::set(element),
                    _ => TypeConstraint::map(element),
                };
                return built.map_err(|error| self.type_problem(&node.span, format!("{error}.")));
            }
            ("object", [attributes]) => return self.object_type(attributes, frame),
            ("tuple", [elements]) => return self.tuple_type(elements, frame),
            ("list" | "set" | "map" | "object" | "tuple", _) => arity(name),
            ("optional", _) => {
                return Err(self.type_problem(&call.name_span, misplaced_optional()));
            }
            _ => {
                let detail = format!("Keyword {name:?} is not a valid type constructor.");
                return Err(self.type_problem(&node.span, detail));
            }
        };
        Err(self.type_problem(&arguments_span, detail))
    }

    /// The object type of `object(...)`, with optional attributes and their defaults.
    fn object_type(&self, node: &Node, frame: Option<&Frame<'_>>) -> Result<TypeConstraint, Diagnostics> {
        let Kind::Object(items) = &node.kind else {
            let detail = "Object type constructor requires a map whose keys are attribute names and whose values are the \
                          corresponding attribute types.";
            return Err(self.type_problem(&node.span, detail));
        };
        let mut attributes: Vec<(String, AttributeConstraint)> = Vec::with_capacity(items.len());
        let mut names = std::collections::HashSet::new();
        let mut problems: Option<Diagnostics> = None;
        for (key, value) in items {
            let attribute = match key {
                Key::Expression(key) => {
                    Err(self.type_problem(&key.span, "Object constructor map keys must be attribute names."))
                }
                Key::Name(name, span) if !names.insert(name) => {
                    Err(self.type_problem(span, "Object constructor map keys must be unique."))
                }
                Key::Name(name, _) => {
                    self.attribute_type(value, frame).map(|attribute| (name.to_string(), attribute))
                }
            };
            match (attribute, &mut problems) {
                (Ok(attribute), _) => attributes.push(attribute),
                (Err(more), Some(problems)) => problems.extend(more),
                (Err(first), None) => problems = Some(first),
            }
        }
        if let Some(problems) = problems {
            return Err(problems);
        }
        TypeConstraint::object(attributes).map_err(|error| self.type_problem(&node.span, format!("{error}.")))
    }

    /// The type of an attribute, which may be optional.
    fn attribute_type(
        &self,
        node: &Node,
        frame: Option<&Frame<'_>>,
    ) -> Result<AttributeConstraint, Diagnostics> {
        let call = match &node.kind {
            Kind::Call(call) if &*call.name == "optional" => call,
            _ => return self.type_constraint(node, frame).map(AttributeConstraint::required),
        };
        let (ty, default) = match call.arguments.as_slice() {
            [ty] => (ty, None),
            [ty, default] => (ty, Some(default)),
            [] => {
                let detail = "Optional attribute modifier requires the attribute type as its argument.";
                return Err(self.type_problem(&(call.name_span.end..node.span.end), detail));
            }
            [_, _, _, ..] => {
                let detail = "Optional attribute modifier expects at most two arguments: the attribute type, and a \
                              default value.";
                return Err(self.type_problem(&(call.name_span.end..node.span.end), detail));
            }
        };
        let ty = self.type_constraint(ty, frame)?;
        let Some(default) = default else { return Ok(AttributeConstraint::optional(ty)) };
        let value = self.value(default, frame)?;
        AttributeConstraint::with_default(ty.clone(), &value).map_err(|error| {
            let reason = match plantime::conversion(&value.ty(), &ty) {
                None => plantime::mismatch_message(&value.ty(), &ty),
                Some(_) => error.message().to_owned(),
            };
            let detail = format!(
                "This default value is not compatible with the attribute's type constraint: {reason}."
            );
            let summary = "Invalid default value for optional attribute";
            Diagnostic::new(self.source(), default.span.clone(), summary, detail).into()
        })
    }

    /// The tuple type of `tuple(...)`.
    fn tuple_type(&self, node: &Node, frame: Option<&Frame<'_>>) -> Result<TypeConstraint, Diagnostics> {
        let Kind::Tuple(elements) = &node.kind else {
            return Err(
                self.type_problem(&node.span, "Tuple type constructor requires a list of element types.")
            );
        };
        let elements =
            super::diagnostic::all(elements.iter().map(|element| self.type_constraint(element, frame)))?;
        TypeConstraint::tuple(elements).map_err(|error| self.type_problem(&node.span, format!("{error}.")))
    }
}

/// The error text for a type constructor with a wrong number of arguments.
fn arity(name: &str) -> String {
    let what = match name {
        "object" => "specifying the attribute types and values as a map",
        "tuple" => "specifying the element types as a list",
        _ => "specifying the element type",
    };
    format!("The {name} type constructor requires one argument {what}.")
}

/// The error text for `optional` outside of `object`.
fn misplaced_optional() -> String {
    "Keyword \"optional\" is valid only as a modifier for object type attributes.".to_owned()
}
