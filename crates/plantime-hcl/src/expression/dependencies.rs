//! What a part of the value of an expression depends on.

use indexmap::IndexSet;

use plantime::source::Source;
use plantime::{Step, Value};

use super::evaluate::Evaluator;
use super::references::{Reference, ReferenceKey, references};
use super::scope::Scope;
use super::tree::{Call, For, Key, Kind, Node, Part, StepKind, TemplateIf};

/// The maximum number of nodes that are visited. Beyond it, every reference of the expression is a dependency.
const VISITS: usize = 20_000;

/// A variable, and the part of it that the value depends on. An unknown key in the steps stands for every element.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Dependency {
    /// The name of the variable.
    pub root: Box<str>,
    /// The steps from its value to the part.
    pub steps: Vec<Step>,
}

/// A name that a `for` binds.
struct Bound<'e> {
    name: &'e str,
    collection: &'e Node,
    /// The element of the collection that the name stands for; `None` for its key.
    element: Option<Step>,
}

/// Collects the dependencies of the value of `root` at a path.
///
/// Collects only what that part is made of: one attribute of an object that is written out, the selected branch of a
/// known condition, the one element of a collection that a `for` reads.
pub(super) fn dependencies(
    root: &Node,
    source: &Source,
    scope: &Scope<'_>,
    path: &[Step],
) -> Vec<Dependency> {
    let mut collector =
        Collector { source, scope, bound: Vec::new(), found: IndexSet::new(), visits_left: VISITS };
    collector.collect(root, path);
    if collector.visits_left == 0 {
        let all = references(root).into_iter().map(|reference| dependency(reference, &[]));
        collector.found = all.collect();
    }
    collector.found.into_iter().collect()
}

/// The dependency on a reference, with the steps that are taken from its value.
fn dependency(reference: &Reference, rest: &[Step]) -> Dependency {
    let steps = reference.steps().iter().map(|step| match step.key() {
        ReferenceKey::Attribute(name) => Step::attr(name),
        ReferenceKey::Index(key) => Step::Index(key.clone()),
    });
    Dependency { root: reference.root().into(), steps: steps.chain(rest.iter().cloned()).collect() }
}

/// The step that stands for every element.
fn any_element() -> Step {
    Step::Index(Value::dynamic())
}

/// The path that begins with the step `element`, followed by the steps of `rest`.
fn path_through(element: Step, rest: &[Step]) -> Vec<Step> {
    std::iter::once(element).chain(rest.iter().cloned()).collect()
}

/// Where the parts of the result of a function come from.
enum ResultParts {
    /// The result is one of the arguments, or has their attributes.
    OfArguments,
    /// The elements of the result are elements of the arguments.
    OfElements,
    /// The result is an element of the first argument.
    Element,
    /// No part of the result is a part of an argument as it is.
    Computed,
}

impl ResultParts {
    /// How the result of the function with this name is built from its arguments.
    fn of(function: &str) -> ResultParts {
        match function {
            "try" | "coalesce" | "sensitive" | "nonsensitive" | "ephemeralasnull" | "tolist" | "tomap"
            | "convert" | "merge" => ResultParts::OfArguments,
            "concat" | "distinct" | "compact" | "flatten" | "reverse" | "slice" | "sort" | "toset"
            | "values" | "setunion" | "setintersection" | "setsubtract" | "coalescelist" => {
                ResultParts::OfElements
            }
            "one" | "element" => ResultParts::Element,
            _ => ResultParts::Computed,
        }
    }
}

/// Collects the dependencies of one expression. Takes only the branches that known conditions select.
struct Collector<'e, 's> {
    source: &'s Source,
    scope: &'s Scope<'s>,
    /// The names that the `for` around the node bind, the innermost last.
    bound: Vec<Bound<'e>>,
    found: IndexSet<Dependency>,
    visits_left: usize,
}

impl<'e> Collector<'e, '_> {
    /// Adds the dependencies of the part of a node's value at `path`. Stops without an error once no visit is left.
    fn collect(&mut self, node: &'e Node, path: &[Step]) {
        self.visits_left = self.visits_left.saturating_sub(1);
        if self.visits_left == 0 {
            return;
        }
        match &node.kind {
            // The element of a splat is collected with the splat.
            Kind::Literal(_) | Kind::Element => {}
            Kind::Reference(reference) => self.reference(reference, path),
            Kind::Access(of, steps) => {
                let mut whole = Vec::with_capacity(steps.len().saturating_add(path.len()));
                for step in steps {
                    whole.push(self.access_step(&step.kind));
                }
                whole.extend_from_slice(path);
                self.collect(of, &whole);
            }
            Kind::Splat { of, each, .. } => self.splat(of, each, path),
            Kind::Tuple(items) => match path.split_first() {
                Some((first, rest)) => match first.position() {
                    Some(position) => {
                        if let Some(item) = items.get(position) {
                            self.collect(item, rest);
                        }
                    }
                    None => items.iter().for_each(|item| self.collect(item, rest)),
                },
                None => items.iter().for_each(|item| self.collect(item, &[])),
            },
            Kind::Object(items) => self.object(items, path),
            Kind::Template(parts) => self.parts(parts),
            Kind::Wrapped(inner) | Kind::Parenthesis(inner) => self.collect(inner, path),
            Kind::Unary(_, operand) => self.collect(operand, &[]),
            Kind::Binary(chain) => chain.operands().for_each(|operand| self.collect(operand, &[])),
            Kind::Conditional(operands) => self.conditional(operands, path),
            Kind::For(each) => self.for_expression(each, path),
            Kind::Call(call) => self.call(call, path),
        }
    }

    /// Adds the dependency on a reference: to the collection that a `for` iterates over if the name is bound there.
    fn reference(&mut self, reference: &Reference, path: &[Step]) {
        let bound = self.bound.iter().rposition(|bound| bound.name == reference.root());
        let Some(position) = bound else {
            self.found.insert(dependency(reference, path));
            return;
        };
        // The collection is outside the `for`: the names that are bound further in do not hold there.
        let inner = self.bound.split_off(position);
        if let Some(bound) = inner.first() {
            match &bound.element {
                Some(element) => {
                    let steps = path_through(element.clone(), &dependency(reference, path).steps);
                    self.collect(bound.collection, &steps);
                }
                None => self.collect(bound.collection, &[]),
            }
        }
        self.bound.extend(inner);
    }

    /// The path step of an access. Adds the dependencies of a computed key.
    fn access_step(&mut self, step: &'e StepKind) -> Step {
        match step {
            StepKind::Attribute(name) => Step::attr(name),
            StepKind::Index(key) => {
                self.collect(key, &[]);
                match self.value(key) {
                    Some(key) if key.is_wholly_known() && !key.is_marked() => Step::Index(key),
                    _ => any_element(),
                }
            }
        }
    }

    /// Adds the dependencies of a splat: of the part of each element that the splat takes, not of whole elements.
    fn splat(&mut self, of: &'e Node, each: &'e Node, path: &[Step]) {
        let (element, rest) = match path.split_first() {
            Some((first, rest)) => (first.clone(), rest),
            None => (any_element(), path),
        };
        let mut steps = vec![element];
        let mut inner = each;
        // What follows the element, from the outside in.
        let mut outer: Vec<Step> = Vec::new();
        while let Kind::Access(of, accessed) = &inner.kind {
            let accessed: Vec<Step> = accessed.iter().map(|step| self.access_step(&step.kind)).collect();
            outer.splice(0..0, accessed);
            inner = of;
        }
        match &inner.kind {
            Kind::Element => {
                steps.extend(outer);
                steps.extend_from_slice(rest);
            }
            // A splat inside: every element of it.
            _ => self.collect(each, &[]),
        }
        self.collect(of, &steps);
    }

    /// Adds the dependencies of an object constructor: with a path, only of the items that the first step may be
    /// about.
    fn object(&mut self, items: &'e [(Key, Node)], path: &[Step]) {
        let Some((first, rest)) = path.split_first() else {
            for (key, value) in items {
                if let Key::Expression(key) = key {
                    self.collect(key, &[]);
                }
                self.collect(value, &[]);
            }
            return;
        };
        let wanted = first.name();
        for (key, value) in items {
            let name = match key {
                Key::Name(name, _) => Some(name.to_string()),
                Key::Expression(key) => {
                    let known =
                        self.value(key).and_then(|key| Some(key.unmark().0.as_str().ok()?.to_owned()));
                    if known.is_none() {
                        self.collect(key, &[]);
                    }
                    known
                }
            };
            let may_be_it = match (wanted, &name) {
                (Some(wanted), Some(name)) => wanted == name,
                _ => true,
            };
            if may_be_it {
                self.collect(value, rest);
            }
        }
    }

    /// Adds the dependencies of the parts of a template, without the branches that known conditions exclude.
    fn parts(&mut self, parts: &'e [Part]) {
        for part in parts {
            match part {
                Part::Literal(_) => {}
                Part::Interpolation(node) => self.collect(node, &[]),
                Part::If(choice) => {
                    let TemplateIf { condition, yes, no } = &**choice;
                    let known = self.condition(condition);
                    if known != Some(false) {
                        self.parts(yes);
                    }
                    if known != Some(true) {
                        self.parts(no);
                    }
                }
                Part::For(each) => {
                    self.collect_unless_known(&each.collection);
                    self.bind(
                        each.key.as_deref(),
                        &each.value,
                        &each.collection,
                        any_element(),
                        |collector| {
                            collector.parts(&each.parts);
                        },
                    );
                }
            }
        }
    }

    /// Adds the dependencies of a conditional: the condition's, and those of the selected branch, or of both if the
    /// condition is unknown.
    fn conditional(&mut self, operands: &'e [Node; 3], path: &[Step]) {
        let [condition, yes, no] = operands;
        let known = self.condition(condition);
        if known != Some(false) {
            self.collect(yes, path);
        }
        if known != Some(true) {
            self.collect(no, path);
        }
    }

    /// The value of a condition if it is known. Otherwise adds the dependencies of the condition, and returns `None`.
    fn condition(&mut self, condition: &'e Node) -> Option<bool> {
        let known = self.value(condition).and_then(|value| value.unmark().0.as_bool().ok());
        if known.is_none() {
            self.collect(condition, &[]);
        }
        known
    }

    /// Adds the dependencies of a `for` expression.
    fn for_expression(&mut self, each: &'e For, path: &[Step]) {
        self.collect_unless_known(&each.collection);
        let (element, rest) = match path.split_first() {
            Some((first, rest)) => (first.clone(), rest),
            None => (any_element(), path),
        };
        // Element by element, unless a condition leaves some out or another key is made.
        let is_same_key = match &each.result_key {
            None => true,
            Some(key) => match (&key.kind, &each.key) {
                (Kind::Reference(reference), Some(name)) => {
                    reference.root() == &**name && reference.steps().is_empty()
                }
                _ => false,
            },
        };
        let element = match is_same_key && each.condition.is_none() && !each.groups {
            true => element,
            false => any_element(),
        };
        self.bind(each.key.as_deref(), &each.value, &each.collection, element, |collector| {
            if let Some(condition) = &each.condition {
                collector.collect(condition, &[]);
            }
            if path.is_empty()
                && let Some(key) = &each.result_key
            {
                collector.collect(key, &[]);
            }
            collector.collect(&each.result, if each.groups { &[] } else { rest });
        });
    }

    /// Adds the dependencies of a function call, by what the function takes its result from.
    fn call(&mut self, call: &'e Call, path: &[Step]) {
        match (ResultParts::of(&call.name), path.split_first()) {
            (ResultParts::OfArguments, Some(_)) => {
                call.arguments.iter().for_each(|argument| self.collect(argument, path));
            }
            (ResultParts::OfElements, Some((_, rest))) => {
                let steps = path_through(any_element(), rest);
                call.arguments.iter().for_each(|argument| self.collect(argument, &steps));
            }
            (ResultParts::Element, _) => {
                let steps = path_through(any_element(), path);
                let mut arguments = call.arguments.iter();
                if let Some(first) = arguments.next() {
                    self.collect(first, &steps);
                }
                arguments.for_each(|argument| self.collect(argument, &[]));
            }
            _ => call.arguments.iter().for_each(|argument| self.collect(argument, &[])),
        }
    }

    /// Collects what a collection depends on unless its elements are known.
    fn collect_unless_known(&mut self, collection: &'e Node) {
        let has_elements = self.value(collection).is_some_and(|value| value.unmark().0.is_known());
        if !has_elements {
            self.collect(collection, &[]);
        }
    }

    /// Calls `run` with the names of a `for` bound to its collection.
    fn bind(
        &mut self,
        key: Option<&'e str>,
        value: &'e str,
        collection: &'e Node,
        element: Step,
        run: impl FnOnce(&mut Self),
    ) {
        let before = self.bound.len();
        self.bound.extend(key.map(|name| Bound { name, collection, element: None }));
        self.bound.push(Bound { name: value, collection, element: Some(element) });
        run(self);
        self.bound.truncate(before);
    }

    /// The value of a node, unless it is an error or needs a name that a `for` binds.
    fn value(&self, node: &Node) -> Option<Value> {
        let mut names = references(node).into_iter().map(Reference::root);
        if names.any(|name| self.bound.iter().any(|bound| bound.name == name)) {
            return None;
        }
        Evaluator::new(self.scope, self.source).evaluate(node).ok()
    }
}
