//! Finds the reference whose value an expression returns unchanged.

use plantime::source::Source;
use plantime::{Step, Type, Value, View};

use super::dependencies::Dependency;
use super::evaluate::{ElementOrigin, Evaluator, Frame};
use super::references::{Reference, ReferenceKey, references};
use super::scope::Scope;
use super::tree::{Call, For, Key, Kind, Node, StepKind};

/// The maximum number of nodes that are visited. Beyond it nothing is said.
const VISITS: usize = 1_000;

/// The reference whose value the part of an expression at a path always is, whatever its unknown operands become: the same
/// value of the same type, but for marks. `None` where the expression converts, chooses by something unknown, or computes.
///
/// | expression | hands on |
/// |---|---|
/// | `x.a["k"]`, `(x)`, `"${x}"` | itself |
/// | `[x, y]`, `{a = x}` at a path | the item |
/// | `c ? x : y` with `c` known | the branch, if its type is that of the result |
/// | `xs[*].a`, `[for x in xs : x.a]`, `{for k, x in xs : k => x.a}` at a path | the part of the element |
/// | `try(x, …)` | `x`, if it certainly succeeds |
/// | `one(xs)`, `element(xs, 0)`, `lookup(xs, "k", …)` | the element |
/// | `coalesce(x, …)` | `x`, if it is certainly not null and of the type of the result |
/// | `tostring(x)` | `x`, if it is a string |
/// | `sensitive(x)`, `nonsensitive(x)` | `x` |
///
/// Names of attributes and keys that are strings are both written as attributes, so that equal paths are equal.
pub(super) fn identity(root: &Node, source: &Source, scope: &Scope<'_>, path: &[Step]) -> Option<Dependency> {
    match origin(&Evaluator::new(scope, source), root, path, None)? {
        Origin::Named(name) => Some(name),
        Origin::Bound { .. } => None,
    }
}

/// What a value is a copy of.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Origin {
    /// The value of a reference to a variable of the scope.
    Named(Dependency),
    /// A part of what a `for` or a splat binds, whose own origin is not known: within one iteration it is one value.
    Bound {
        /// The address of the frame, which tells iterations inside each other apart.
        frame: usize,
        /// The steps from the bound value to the part.
        steps: Vec<Step>,
    },
}

impl Origin {
    /// What the element at a position is a copy of.
    pub(super) fn element(&self, position: usize) -> Origin {
        let steps = |steps: &[Step]| steps.iter().cloned().chain([Step::index(position)]).collect();
        match self {
            Origin::Named(name) => {
                Origin::Named(Dependency { root: name.root.clone(), steps: steps(&name.steps) })
            }
            Origin::Bound { frame, steps: of } => Origin::Bound { frame: *frame, steps: steps(of) },
        }
    }
}

/// As [`identity`] for a node inside iterations: names that they bind are followed to the collection.
pub(super) fn origin(
    evaluator: &Evaluator<'_>,
    root: &Node,
    path: &[Step],
    frame: Option<&Frame<'_>>,
) -> Option<Origin> {
    let mut follower = Follower { evaluator, frame, is_iterating: frame.is_some(), bound: Vec::new() };
    let mut state = (root, path.iter().map(canonical).collect::<Vec<Step>>());
    for _ in 0..VISITS {
        state = match follower.next(state.0, state.1)? {
            Next::Node(node, path) => (node, path),
            Next::Origin(found) => return Some(found),
        };
    }
    None
}

/// The step in the form that is compared: a key that is a string as an attribute.
pub(super) fn canonical(step: &Step) -> Step {
    match step {
        Step::Index(key) => match key.as_str() {
            Ok(name) => Step::attr(name),
            Err(_) => step.clone(),
        },
        Step::Attr(_) => step.clone(),
    }
}

/// What a node returns unchanged at a path.
enum Next<'e> {
    /// The value of another node at another path.
    Node(&'e Node, Vec<Step>),
    /// A value that nothing in the expression says more of.
    Origin(Origin),
}

/// The name of the elements in a `for`, and the element that it stands for.
struct BoundElement<'e> {
    each: &'e For,
    element: Step,
}

/// Follows an expression to the reference whose value it returns unchanged.
struct Follower<'e, 's> {
    evaluator: &'s Evaluator<'s>,
    /// The names that are bound around the expression as it is being evaluated.
    frame: Option<&'e Frame<'e>>,
    /// Whether the expression is inside an iteration, and so may be followed many times.
    is_iterating: bool,
    /// The `for` that were entered on the way, the innermost last.
    bound: Vec<BoundElement<'e>>,
}

impl<'e> Follower<'e, '_> {
    fn next(&mut self, node: &'e Node, path: Vec<Step>) -> Option<Next<'e>> {
        match &node.kind {
            Kind::Reference(reference) => self.reference(reference, path),
            Kind::Wrapped(inner) | Kind::Parenthesis(inner) => Some(Next::Node(inner, path)),
            Kind::Access(of, steps) => {
                let mut whole = Vec::with_capacity(steps.len().saturating_add(path.len()));
                for step in steps {
                    whole.push(self.step(&step.kind)?);
                }
                whole.extend(path);
                Some(Next::Node(of, whole))
            }
            Kind::Tuple(items) => {
                let (first, rest) = path.split_first()?;
                Some(Next::Node(items.get(first.position()?)?, rest.to_vec()))
            }
            Kind::Object(items) => {
                let (first, rest) = path.split_first()?;
                Some(Next::Node(self.item(items, first)?, rest.to_vec()))
            }
            Kind::Conditional(operands) => {
                let [condition, yes, no] = &**operands;
                let branch = if self.known(condition)?.as_bool().ok()? { yes } else { no };
                // The results of a condition are converted to one type.
                let (result, taken) = (self.value(node)?.ty(), self.value(branch)?.ty());
                (result == taken && !result.has_dynamic()).then_some(Next::Node(branch, path))
            }
            Kind::Splat { of, each, .. } => self.splat(of, each, &path),
            Kind::For(each) => self.for_expression(each, &path),
            Kind::Call(call) => self.call(call, path),
            Kind::Element => {
                let splat = self.frame?.nearest_splat()?;
                Some(self.bound_value(splat, path))
            }
            Kind::Literal(_) | Kind::Template(_) | Kind::Unary(..) | Kind::Binary(..) => None,
        }
    }

    /// Goes on where the value comes from that a frame binds.
    fn bound_value(&mut self, frame: &'e Frame<'e>, path: Vec<Step>) -> Next<'e> {
        let (node, first) = match frame.origin() {
            ElementOrigin::Unknown => {
                let frame = std::ptr::from_ref(frame).addr();
                return Next::Origin(Origin::Bound { frame, steps: path });
            }
            ElementOrigin::Named(name) => {
                let steps = name.steps.iter().map(canonical).chain(path).collect();
                return Next::Origin(Origin::Named(Dependency { root: name.root.clone(), steps }));
            }
            ElementOrigin::At(node, key) => (node, Some(canonical(&Step::Index(key.clone())))),
            ElementOrigin::Whole(node) => (node, None),
        };
        self.bound.clear();
        self.frame = frame.parent();
        Next::Node(node, first.into_iter().chain(path).collect())
    }

    /// Follows a reference: to the element that an enclosing `for` binds to the name, or out of the expression.
    fn reference(&mut self, reference: &Reference, path: Vec<Step>) -> Option<Next<'e>> {
        let steps = reference.steps().iter().map(|step| match step.key() {
            ReferenceKey::Attribute(name) => Step::attr(name),
            ReferenceKey::Index(key) => canonical(&Step::Index(key.clone())),
        });
        let steps: Vec<Step> = steps.chain(path).collect();
        let root = reference.root();
        let names = |bound: &BoundElement<'_>| {
            *bound.each.value == *root || bound.each.key.as_ref().is_some_and(|key| **key == *root)
        };
        let Some(position) = self.bound.iter().rposition(names) else {
            return match self.frame.and_then(|frame| frame.binding(root)) {
                Some((frame, true)) => Some(self.bound_value(frame, steps)),
                // A key is no part of the collection.
                Some((_, false)) => None,
                None => Some(Next::Origin(Origin::Named(Dependency { root: root.into(), steps }))),
            };
        };
        let inner = self.bound.split_off(position);
        let bound = inner.into_iter().next()?;
        // A key is no part of the collection.
        if *bound.each.value != *root {
            return None;
        }
        let path = std::iter::once(bound.element).chain(steps).collect();
        Some(Next::Node(&bound.each.collection, path))
    }

    /// A step of an access, if its key is known.
    fn step(&self, step: &StepKind) -> Option<Step> {
        match step {
            StepKind::Attribute(name) => Some(Step::attr(name)),
            StepKind::Index(key) => Some(canonical(&Step::Index(self.known(key)?))),
        }
    }

    /// The item of an object that has a name: of several the last.
    fn item(&self, items: &'e [(Key, Node)], wanted: &Step) -> Option<&'e Node> {
        let Step::Attr(wanted) = wanted else { return None };
        let mut found = None;
        for (key, value) in items {
            let is_wanted = match key {
                Key::Name(name, _) => **name == *wanted.as_str(),
                Key::Expression(key) => self.known(key)?.as_str().ok()? == wanted.as_str(),
            };
            if is_wanted {
                found = Some(value);
            }
        }
        found
    }

    /// Follows the path through a splat: to the element of its collection, and on along the steps of the splat.
    fn splat(&self, of: &'e Node, each: &'e Node, path: &[Step]) -> Option<Next<'e>> {
        let (first, rest) = path.split_first()?;
        let collection = self.value(of)?.unmark().0;
        let mut steps = match collection.view() {
            View::List(list) if first.position()? < list.len() => vec![first.clone()],
            View::Tuple(tuple) if first.position()? < tuple.len() => vec![first.clone()],
            // What is no list is one element.
            View::Object(_) if first.position()? == 0 => Vec::new(),
            _ => return None,
        };
        let (mut inner, mut outer) = (each, Vec::new());
        while let Kind::Access(of, accessed) = &inner.kind {
            let accessed: Option<Vec<Step>> = accessed.iter().map(|step| self.step(&step.kind)).collect();
            outer.splice(0..0, accessed?);
            inner = of;
        }
        if !matches!(inner.kind, Kind::Element) {
            return None;
        }
        steps.extend(outer);
        steps.extend_from_slice(rest);
        Some(Next::Node(of, steps))
    }

    /// Goes on with the result expression of a `for`, for the element that the first step of the path selects. `None` with a
    /// condition, with grouping, or where the keys are not those of the collection.
    fn for_expression(&mut self, each: &'e For, path: &[Step]) -> Option<Next<'e>> {
        let (first, rest) = path.split_first()?;
        if each.condition.is_some() || each.groups {
            return None;
        }
        let collection = self.value(&each.collection)?.unmark().0;
        let has_element = match (&each.result_key, collection.view()) {
            (None, View::List(list)) => first.position()? < list.len(),
            (None, View::Tuple(tuple)) => first.position()? < tuple.len(),
            (Some(key), View::Map(_) | View::Object(_)) => {
                let is_key = match (&key.kind, &each.key) {
                    (Kind::Reference(reference), Some(name)) => {
                        reference.root() == &**name && reference.steps().is_empty()
                    }
                    _ => false,
                };
                is_key && matches!(first, Step::Attr(_))
            }
            _ => false,
        };
        if !has_element {
            return None;
        }
        self.bound.push(BoundElement { each, element: first.clone() });
        Some(Next::Node(&each.result, rest.to_vec()))
    }

    /// Follows functions that return an argument, or an element of it, unchanged.
    fn call(&self, call: &'e Call, path: Vec<Step>) -> Option<Next<'e>> {
        let first = call.arguments.first().filter(|_| !call.expands);
        if self.evaluator.is_member_function(&call.name) {
            return self.member(call, &path);
        }
        let first = first?;
        match &*call.name {
            "sensitive" | "nonsensitive" => Some(Next::Node(first, path)),
            "try" => self.certainly_succeeds(first).then_some(Next::Node(first, path)),
            "tostring" => (self.value(first)?.ty() == Type::String).then_some(Next::Node(first, path)),
            "coalesce" => {
                let value = self.value(first)?;
                let others = call.arguments.get(1..)?.iter().map(|other| Some(self.value(other)?.ty()));
                let is_of_type = |ty: Option<Type>| ty.is_some_and(|ty| ty == value.ty());
                let is_first =
                    !value.may_be_null() && !value.ty().has_dynamic() && others.into_iter().all(is_of_type);
                is_first.then_some(Next::Node(first, path))
            }
            "lookup" => {
                let collection = self.value(first)?.unmark().0;
                let key = self.known(call.arguments.get(1)?)?;
                let key = key.as_str().ok()?;
                let is_there = match collection.view() {
                    View::Object(object) => object.get(key).is_some(),
                    View::Map(map) => map.get(key).is_some(),
                    _ => false,
                };
                let path = std::iter::once(Step::attr(key)).chain(path).collect();
                is_there.then_some(Next::Node(first, path))
            }
            "element" => {
                let collection = self.value(first)?.unmark().0;
                let index = Step::Index(self.known(call.arguments.get(1)?)?).position()?;
                let length = match collection.view() {
                    View::List(list) => list.len(),
                    View::Tuple(tuple) => tuple.len(),
                    _ => return None,
                };
                let path = std::iter::once(Step::index(index.checked_rem(length)?)).chain(path).collect();
                Some(Next::Node(first, path))
            }
            "one" => {
                let collection = self.value(first)?.unmark().0;
                let length = match collection.view() {
                    View::List(list) => list.len(),
                    View::Tuple(tuple) => tuple.len(),
                    _ => return None,
                };
                let path = std::iter::once(Step::index(0)).chain(path).collect();
                (length == 1).then_some(Next::Node(first, path))
            }
            _ => None,
        }
    }

    /// The name of a member of a collection that a call gives, and the rest of the path.
    fn member(&self, call: &'e Call, path: &[Step]) -> Option<Next<'e>> {
        let (first, rest) = path.split_first()?;
        if !call.arguments.iter().all(|argument| self.has_no_bound_name(argument)) {
            return None;
        }
        let members = self.evaluator.members_of_call(call, self.frame)?;
        let name =
            members.items().get(first.position()?)?.origin.as_ref().filter(|_| members.is_complete())?;
        let steps = name.steps.iter().map(canonical).chain(rest.iter().cloned()).collect();
        Some(Next::Origin(Origin::Named(Dependency { root: name.root.clone(), steps })))
    }

    /// The value of a node if it is known and not marked: what is behind a mark decides nothing.
    fn known(&self, node: &Node) -> Option<Value> {
        self.value(node).filter(|value| value.is_wholly_known() && !value.contains_marks())
    }

    /// The value of a node, unless it is an error or needs a name that a `for` binds which was entered on the way.
    fn value(&self, node: &Node) -> Option<Value> {
        (self.is_cheap(node) && self.has_no_bound_name(node))
            .then(|| self.evaluator.value(node, self.frame).ok())
            .flatten()
    }

    /// Whether the evaluation of a node cannot fail, whatever the unknown values become.
    fn certainly_succeeds(&self, node: &Node) -> bool {
        self.is_cheap(node)
            && self.has_no_bound_name(node)
            && self.evaluator.certainly_succeeds(node, self.frame)
    }

    /// Whether a node may be evaluated on the way: inside an iteration, what iterates itself would cost the product of both.
    fn is_cheap(&self, node: &Node) -> bool {
        !self.is_iterating || !node.calls_or_iterates()
    }

    /// Whether no name in the node is bound by an enclosing `for`, so that the node can be evaluated by itself.
    fn has_no_bound_name(&self, node: &Node) -> bool {
        let is_bound = |name: &str| {
            let is_it = |bound: &BoundElement<'_>| {
                *bound.each.value == *name || bound.each.key.as_ref().is_some_and(|key| **key == *name)
            };
            self.bound.iter().any(is_it)
        };
        !references(node).into_iter().any(|reference| is_bound(reference.root()))
    }
}
