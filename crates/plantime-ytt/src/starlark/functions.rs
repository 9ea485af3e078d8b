//! Functions of Starlark: definition, binding of arguments, nodes that they contain.

use std::rc::Rc;

use super::error::Failure;
use super::interpreter::{Children, Context, Flow, Interpreter};
use super::syntax::{Argument, ArgumentKind, Definition, NodeStatement, ParameterKind};
use super::value::{Arguments, Fragment, Function, Value};
use crate::node::{Annotation, Content, Node, Position, Scalar, Source, key_id, key_text};
use crate::yaml::size_of;

/// The annotation that lets a key of a map replace an earlier one.
const OVERRIDE: &str = "yaml/map-key-override";

impl Interpreter<'_> {
    /// Returns the function of a definition, with its defaults evaluated.
    pub(super) fn function(
        &mut self,
        definition: &Rc<Definition>,
        context: &Context,
    ) -> Result<Value, Failure> {
        let mut defaults = Vec::new();
        for parameter in &definition.parameters {
            if let ParameterKind::Default(value) = &parameter.kind {
                defaults.push(self.eval(value, context)?);
            }
        }
        let (definition, scope) = (Rc::clone(definition), Some(Rc::clone(&context.scope)));
        self.heap.function(Function { definition, defaults, scope, unit: Rc::clone(&context.unit) })
    }

    /// Calls a function that is written in Starlark.
    pub(super) fn call_function(
        &mut self,
        function: &Function,
        arguments: Arguments,
    ) -> Result<Value, Failure> {
        let slots = function.definition.slots.borrow().len();
        let scope = self.heap.scope(slots, function.scope.clone())?;
        let values = self.bind(function, arguments)?;
        for (slot, value) in scope.values.borrow_mut().iter_mut().zip(values) {
            *slot = Some(value);
        }
        let context = Context { unit: Rc::clone(&function.unit), scope };
        self.children.push(Children::default());
        let result = self.statements(&function.definition.body, &context);
        let children = self.children.pop().unwrap_or_default().nodes;
        let flow =
            result.map_err(|failure| failure.leaving(&function.definition.name, &function.unit.source))?;
        match flow {
            Flow::Return(value) => Ok(value),
            _ if children.is_empty() => Ok(Value::None),
            _ => Ok(fragment_of(children)),
        }
    }

    /// Returns the values of the parameters, in their order.
    fn bind(&mut self, function: &Function, arguments: Arguments) -> Result<Vec<Value>, Failure> {
        let definition = &function.definition;
        let (name, parameters) = (&definition.name, &definition.parameters);
        let is_named =
            |kind: &ParameterKind| matches!(kind, ParameterKind::Plain | ParameterKind::Default(_));
        let before_star = parameters.iter().take_while(|parameter| is_named(&parameter.kind)).count();
        let has_star = parameters.iter().any(|p| matches!(p.kind, ParameterKind::Star) && !p.name.is_empty());
        let given = arguments.positional.len();
        if given > before_star && !has_star {
            let any_default = parameters.iter().any(|p| matches!(p.kind, ParameterKind::Default(_)));
            let most = if any_default { "at most " } else { "" };
            let plural = if before_star == 1 { "" } else { "s" };
            let message = match before_star {
                0 => format!("function {name} accepts no arguments ({given} given)"),
                _ => format!(
                    "function {name} accepts {most}{before_star} positional argument{plural} ({given} given)"
                ),
            };
            return Err(message.into());
        }
        let mut positional = arguments.positional.into_iter();
        let mut values: Vec<Option<Value>> = parameters.iter().map(|_| None).collect();
        for slot in values.iter_mut().take(before_star) {
            *slot = positional.next();
        }
        let rest: Vec<Value> = positional.collect();
        let mut others: Vec<(Value, Value)> = Vec::new();
        let has_star_star = parameters.iter().any(|p| matches!(p.kind, ParameterKind::StarStar));
        for (keyword, value) in arguments.keywords {
            let index = parameters.iter().position(|p| is_named(&p.kind) && p.name == keyword);
            match index.and_then(|index| values.get_mut(index)) {
                Some(Some(_)) => {
                    return Err(format!(
                        "function {name} got multiple values for keyword argument \"{keyword}\""
                    )
                    .into());
                }
                Some(slot) => *slot = Some(value),
                None if has_star_star => others.push((Value::text(&keyword), value)),
                None => {
                    return Err(
                        format!("function {name} got an unexpected keyword argument \"{keyword}\"").into()
                    );
                }
            }
        }
        let (mut missing, mut defaults) = (Vec::new(), function.defaults.iter());
        let (mut rest, mut others) = (Some(rest), Some(others));
        for (slot, parameter) in values.iter_mut().zip(parameters) {
            let default = match &parameter.kind {
                ParameterKind::Plain => None,
                ParameterKind::Default(_) => defaults.next().cloned(),
                ParameterKind::Star => Some(self.heap.tuple(rest.take().unwrap_or_default())?),
                ParameterKind::StarStar => Some(self.heap.dict(others.take().unwrap_or_default())?),
            };
            if slot.is_none() {
                match default {
                    Some(default) => *slot = Some(default),
                    None => missing.push(parameter.name.to_string()),
                }
            }
        }
        if !missing.is_empty() {
            let plural = if missing.len() == 1 { "" } else { "s" };
            let count = missing.len();
            return Err(
                format!("function {name} missing {count} argument{plural} ({})", missing.join(", ")).into()
            );
        }
        Ok(values.into_iter().flatten().collect())
    }

    /// Evaluates the arguments of a call or of an annotation.
    pub(super) fn arguments(&mut self, given: &[Argument], context: &Context) -> Result<Arguments, Failure> {
        let mut arguments = Arguments::default();
        for argument in given {
            let value = self.eval(&argument.value, context)?;
            match &argument.kind {
                ArgumentKind::Positional => arguments.positional.push(value),
                ArgumentKind::Named(name) => arguments.keywords.push((Rc::clone(name), value)),
                ArgumentKind::Star => match self.iterate(&value)? {
                    Some(items) => arguments.positional.extend(items),
                    None => {
                        return Err(
                            format!("argument after * must be iterable, not {}", value.type_name()).into()
                        );
                    }
                },
                ArgumentKind::StarStar => {
                    let Value::Dict(dict) = value.known()? else {
                        let message =
                            format!("argument after ** must be a mapping, not {}", value.type_name());
                        return Err(message.into());
                    };
                    for (key, value) in dict.entries.borrow().iter() {
                        let Value::Text(key) = key else {
                            return Err(format!("keywords must be strings, not {}", key.type_name()).into());
                        };
                        arguments.keywords.push((super::value::text_of(key).into(), value.clone()));
                    }
                }
            }
        }
        Ok(arguments)
    }

    /// Evaluates a node of a template: its annotations, then its content.
    ///
    /// The result is one node, or what `template.replace` puts in its place.
    pub(super) fn node(&mut self, node: &NodeStatement, context: &Context) -> Result<Vec<Node>, Failure> {
        let unit = Rc::clone(&context.unit);
        let Some(prototype) = unit.nodes.get(node.slot) else {
            return Err(Failure::Limit("a node is missing in its template".to_owned()));
        };
        let mut annotations = Vec::new();
        for ((name, at), arguments) in prototype.annotations.iter().zip(&node.annotations) {
            let given = self.arguments(arguments, context).map_err(|failure| failure.at_line(at.line))?;
            let (name, at) = (name.to_string(), at.clone());
            annotations.push(Annotation { name, arguments: given, at });
        }
        let overrides = annotations.iter().any(|annotation| annotation.name == OVERRIDE);
        self.take_key(prototype.key.as_ref(), overrides)
            .map_err(|error| Failure::from(format!("__ytt_tpl{}_start_node: {error}", unit.number.get())))?;
        let content = match &node.value {
            Some(value) => {
                let value = self.eval(value, context)?;
                if let Some(replacement) = super::modules::template::replacement(&value) {
                    return self.replacing(replacement, &prototype.at);
                }
                let content = super::convert::yaml_from_value(&self.heap, &value, &no_position())?;
                self.heap.add_nodes(size_of(&content))?;
                content
            }
            None => {
                self.heap.add_nodes(1)?;
                self.children.push(Children::default());
                let flow = self.statements(&node.body, context);
                let children = self.children.pop().unwrap_or_default().nodes;
                flow?;
                match &prototype.content {
                    Content::Map(_) => Content::Map(last_of_each_key(children)),
                    Content::Array(_) => Content::Array(children),
                    scalar => scalar.clone(),
                }
            }
        };
        Ok(vec![Node { key: prototype.key.clone(), content, at: prototype.at.clone(), annotations }])
    }

    /// Notes the key of a map item; an error if its map has the key already, and it may not be replaced.
    fn take_key(&mut self, key: Option<&Scalar>, overrides: bool) -> Result<(), String> {
        let Some(key) = key else { return Ok(()) };
        let overrides = overrides || self.library.overrides_keys();
        let Some(children) = self.children.last_mut() else { return Ok(()) };
        if children.keys.insert(key_id(Some(key))) || overrides {
            return Ok(());
        }
        Err(format!(
            "expected key '{}' to not be specified again (unless 'yaml/map-key-override' annotation is added)",
            key_text(key)
        ))
    }

    /// Returns the nodes that take the place of another one.
    fn replacing(&mut self, replacement: &Value, at: &Position) -> Result<Vec<Node>, Failure> {
        let content = super::convert::yaml_from_value(&self.heap, replacement, at)?;
        let (Content::Map(nodes) | Content::Array(nodes)) = content else {
            let text = "template.replace with a value that is neither a map nor an array is not supported";
            return Err(Failure::Limit(text.to_owned()));
        };
        self.heap.add_nodes(
            nodes.iter().fold(0, |size: usize, node| size.saturating_add(size_of(&node.content))),
        )?;
        for node in &nodes {
            let overrides = node.annotation(OVERRIDE).is_some();
            let taken = self.take_key(node.key.as_ref(), overrides);
            taken.map_err(|error| Failure::from(format!("template.replace: {error}")))?;
        }
        Ok(nodes)
    }
}

/// Returns the items of a map without those that a later item with the same key replaces.
fn last_of_each_key(children: Vec<Node>) -> Vec<Node> {
    let mut index = std::collections::HashMap::new();
    let mut items: Vec<Node> = Vec::new();
    for child in children {
        match index.get(&crate::node::key_id(child.key.as_ref())).and_then(|at: &usize| items.get_mut(*at)) {
            Some(present) => *present = child,
            None => {
                index.insert(crate::node::key_id(child.key.as_ref()), items.len());
                items.push(child);
            }
        }
    }
    items
}

/// Returns the nodes that a function contains as a fragment.
fn fragment_of(children: Vec<Node>) -> Value {
    let is_map = children.iter().all(|child| child.key.is_some());
    let at = children.first().map_or_else(no_position, |child| child.at.clone());
    let content = if is_map { Content::Map(last_of_each_key(children)) } else { Content::Array(children) };
    let root = Node { key: None, content, at, annotations: Vec::new() };
    Value::Fragment(Fragment::new(Rc::new(root), ""))
}

/// A position for values that come from no file, such as the result of a function.
pub(crate) fn no_position() -> Position {
    Position { source: Rc::new(Source { name: "?".to_owned(), lines: Vec::new() }), line: 0 }
}
