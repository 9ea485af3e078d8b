//! What the answer of a condition depends on: the operands that decide it, and the unknown values that it waits for.

use std::ops::Range;

use indexmap::IndexSet;
use plantime::{Marks, Step, Type, Value, View};

use super::iterate::{Items, has_keys, items, origin_at};
use super::structure::Structure;
use super::{ElementOrigin, Evaluated, Evaluator, Frame, Place};
use crate::expression::condition::{ConditionAnswer, Decision, Evaluation};
use crate::expression::dependencies::Dependency;
use crate::expression::diagnostic::Diagnostics;
use crate::expression::identity::Origin;
use crate::expression::references::{Reference, ReferenceKey};
use crate::expression::tree::{Binary, Call, For, Kind, Node, Unary};

/// The maximum number of nodes of a part whose places are named.
const NODES: usize = 200;

/// The maximum number of nodes that are visited for an explanation, members of collections included.
const VISITS: usize = 20_000;

impl Evaluator<'_> {
    /// The answer of a condition.
    pub(in crate::expression) fn answer(&self, root: &Node) -> ConditionAnswer {
        let result = self.condition_of_rule(root);
        let (may_fail, used_marks) = (self.state.may_fail.get(), self.state.used_marks.take());
        let result = result.map_err(|problems| {
            self.state.used_marks.replace(used_marks.clone());
            self.without_marked_content(problems, root)
        });
        let mut answer = ConditionAnswer {
            result,
            may_fail,
            waits_for: Vec::new(),
            decided_by: Vec::new(),
            decision_count: 0,
            open: Vec::new(),
        };
        match answer.holds() {
            Some(true) => {}
            None if answer.result.is_err() => {}
            Some(false) => self.explain_failure(root, &used_marks, &mut answer),
            None => {
                let mut found = Open { waits_for: IndexSet::new(), spans: Vec::new(), visits_left: VISITS };
                self.explainer().open(root, None, &mut found);
                answer.waits_for = found.waits_for.into_iter().collect();
                answer.open = found.spans;
            }
        }
        answer
    }

    /// The value of a condition as a bool.
    fn condition_of_rule(&self, root: &Node) -> Evaluated {
        let value = self.value(root, None)?;
        let place = Place { span: &root.span, about: root, frame: None };
        let invalid = |detail: String| self.problem(place, "Invalid condition result", detail);
        let null = || invalid("Condition expression must return either true or false, not null.".to_owned());
        if value.is_certainly_null() {
            return Err(null());
        }
        if value.may_be_null() {
            self.may_fail();
        }
        let truth = self
            .converted(&value, &Type::Bool.into())
            .map_err(|message| invalid(format!("Invalid condition result value: {message}.")))?;
        if truth.is_certainly_null() { Err(null()) } else { Ok(truth) }
    }

    /// The value of an expression of a rule.
    pub(in crate::expression) fn evaluation(&self, root: &Node) -> Evaluated<Evaluation> {
        let structure =
            self.structure(root, None).map_err(|problems| self.without_marked_content(problems, root))?;
        let may_fail = self.state.may_fail.get();
        let (value, members) = match structure {
            Structure::Members(members) => (members.value(), Some(members)),
            other => (other.into_value(), None),
        };
        let mut found = Open { waits_for: IndexSet::new(), spans: Vec::new(), visits_left: VISITS };
        if may_fail || !value.is_wholly_known() {
            self.explainer().open(root, None, &mut found);
        }
        Ok(Evaluation { value, members, may_fail, waits_for: found.waits_for.into_iter().collect() })
    }

    /// An evaluator with limits of its own: an explanation that exceeds them is cut off, and the answer stays.
    fn explainer(&self) -> Evaluator<'_> {
        Evaluator::new(self.scope, self.source)
    }

    fn explain_failure(&self, root: &Node, used_marks: &Marks, answer: &mut ConditionAnswer) {
        // Which part fails would tell what is behind a mark.
        if answer.result.is_err() && !used_marks.is_empty() {
            let (span, values, places) = (root.span.clone(), Vec::new(), Vec::new());
            answer.decided_by.push(Decision { span, member: None, values, places });
            answer.decision_count = 1;
            return;
        }
        let mut found = Decisions { listed: Vec::new(), count: 0, visits_left: VISITS };
        self.explainer().decisions(root, false, &Around::default(), &mut found);
        answer.decided_by = found.listed;
        answer.decision_count = found.count;
    }

    /// The value of a node, and whether it may fail.
    fn probe(&self, node: &Node, frame: Option<&Frame<'_>>) -> (Evaluated, bool) {
        self.state.may_fail.set(false);
        let result = self.value(node, frame);
        (result, self.state.may_fail.replace(false))
    }

    /// Whether it is open what becomes of a node.
    fn is_open(&self, node: &Node, frame: Option<&Frame<'_>>) -> bool {
        match self.probe(node, frame) {
            (Ok(value), may_fail) => may_fail || !value.is_wholly_known(),
            (Err(_), _) => false,
        }
    }

    /// Collects what decides that a node has the value `truth`, or fails.
    fn decisions(&self, node: &Node, truth: bool, around: &Around<'_>, found: &mut Decisions) {
        let Some(left) = found.visits_left.checked_sub(1) else { return };
        found.visits_left = left;
        match &node.kind {
            Kind::Wrapped(inner) | Kind::Parenthesis(inner) => {
                return self.decisions(inner, truth, around, found);
            }
            Kind::Unary(Unary::Not, inner) => return self.decisions(inner, !truth, around, found),
            Kind::Binary(chain) => {
                if let Some((Binary::And | Binary::Or, _)) = chain.rest.first() {
                    let operands: Vec<&Node> = chain
                        .operands()
                        .filter(|operand| self.decides(operand, truth, around.frame))
                        .collect();
                    if !operands.is_empty() {
                        for operand in operands {
                            self.decisions(operand, truth, around, found);
                        }
                        return;
                    }
                }
            }
            Kind::Conditional(operands) => {
                let [condition, yes, no] = &**operands;
                let chosen = self.probe(condition, around.frame).0.ok();
                let chosen = chosen.and_then(|chosen| chosen.unmark().0.as_bool().ok());
                if let Some(chosen) = chosen {
                    return self.decisions(if chosen { yes } else { no }, truth, around, found);
                }
            }
            Kind::Call(call) if self.decisions_of_members(call, truth, around, found) => return,
            _ => {}
        }
        self.decision(node, around, found);
        self.counted_members(node, truth, around, found);
    }

    /// Adds the members that are counted by a comparison of `length`, or the one that `contains` finds.
    fn counted_members(&self, node: &Node, truth: bool, around: &Around<'_>, found: &mut Decisions) {
        let calls: Vec<&Call> = match &node.kind {
            Kind::Binary(chain) => chain.operands().filter_map(call_of).collect(),
            _ => call_of(node).into_iter().collect(),
        };
        let mut visits_left = found.visits_left;
        for call in calls {
            let argument = match (&*call.name, &*call.arguments) {
                ("length" | "sum", [argument]) => argument,
                ("contains", [argument, _]) if truth => argument,
                _ => continue,
            };
            let needle = match &*call.arguments {
                [_, needle] => match self.probe(needle, around.frame).0 {
                    Ok(needle) => Some(needle),
                    Err(_) => continue,
                },
                _ => None,
            };
            let equals = |value: &Value| {
                needle.as_ref().is_none_or(|needle| {
                    let equal = value.equals(needle).map(|equal| equal.unmark().0.as_bool());
                    matches!(equal, Ok(Ok(true)))
                })
            };
            let mut add = |member: Option<&Dependency>, span: &Range<usize>| {
                found.count = found.count.saturating_add(1);
                if found.listed.len() < ConditionAnswer::DECISIONS {
                    let (span, member) = (span.clone(), member.cloned());
                    let places = member.iter().cloned().collect();
                    found.listed.push(Decision { span, member, values: Vec::new(), places });
                }
            };
            if let Kind::For(each) = &without_parentheses(argument).kind {
                self.each_item(each, around.frame, &mut |is_certain, frame, member| {
                    let Some(left) = visits_left.checked_sub(1) else { return };
                    visits_left = left;
                    let is_included = each.condition.as_ref().is_none_or(|condition| {
                        let truth = self.probe(condition, Some(frame)).0;
                        truth.is_ok_and(|truth| truth.unmark().0.as_bool() == Ok(true))
                    });
                    if is_certain
                        && is_included
                        && member.is_some()
                        && self.probe(&each.result, Some(frame)).0.is_ok_and(|value| equals(&value))
                    {
                        add(member, &each.condition.as_ref().unwrap_or(&each.result).span);
                    }
                });
            } else if let Ok(Structure::Members(members)) = self.structure(argument, around.frame) {
                for member in members.items().iter().filter(|member| member.is_certain) {
                    if member.origin.is_some() && equals(&member.value) {
                        add(member.origin.as_ref(), &argument.span);
                    }
                }
            }
        }
        found.visits_left = visits_left;
    }

    /// Whether a node has the value `truth` for certain, or fails for certain.
    fn decides(&self, node: &Node, truth: bool, frame: Option<&Frame<'_>>) -> bool {
        match self.probe(node, frame).0 {
            Ok(value) => match value.clone().unmark().0.as_bool() {
                Ok(known) => known == truth,
                Err(_) => value.is_certainly_null() && !truth,
            },
            Err(problems) => !problems.is_limit(),
        }
    }

    /// Adds a node as one that decides.
    fn decision(&self, node: &Node, around: &Around<'_>, found: &mut Decisions) {
        found.count = found.count.saturating_add(1);
        if found.listed.len() >= ConditionAnswer::DECISIONS {
            return;
        }
        let problem = self.probe(node, around.frame).0.err();
        let values = match problem.as_ref().map(Diagnostics::first) {
            Some(problem)
                if problem.span().start >= node.span.start && problem.span().end <= node.span.end =>
            {
                problem.values().to_vec()
            }
            _ => self.reference_values(node, around.frame),
        };
        let span = node.span.clone();
        let places = self.places(node, around.frame);
        found.listed.push(Decision { span, member: around.member.clone(), values, places });
    }

    /// The names of the values that a node reads, in the order of the source.
    fn places(&self, node: &Node, frame: Option<&Frame<'_>>) -> Vec<Dependency> {
        let (mut found, mut nodes, mut visits_left) = (IndexSet::new(), vec![node], NODES);
        while let (Some(node), Some(left)) = (nodes.pop(), visits_left.checked_sub(1)) {
            visits_left = left;
            let name = match &node.kind {
                Kind::Reference(_) | Kind::Access(..) => self.named_origin(node, frame),
                _ => None,
            };
            match name {
                Some(name) => drop(found.insert(name)),
                None => nodes.extend(node.children().into_iter().rev()),
            }
        }
        found.into_iter().take(ConditionAnswer::DECISIONS).collect()
    }

    /// Collects the members of a comprehension that decide `alltrue` or `anytrue`. False if the call is neither, or no member does.
    fn decisions_of_members(
        &self,
        call: &Call,
        truth: bool,
        around: &Around<'_>,
        found: &mut Decisions,
    ) -> bool {
        let [argument] = &*call.arguments else { return false };
        if !matches!(&*call.name, "alltrue" | "anytrue") || call.expands {
            return false;
        }
        let before = found.count;
        match &without_parentheses(argument).kind {
            Kind::Tuple(nodes) => {
                for node in nodes.iter().filter(|node| self.decides(node, truth, around.frame)) {
                    self.decisions(node, truth, around, found);
                }
            }
            Kind::For(each) if each.result_key.is_none() => {
                self.each_item(each, around.frame, &mut |_, frame, member| {
                    let Some(left) = found.visits_left.checked_sub(1) else { return };
                    found.visits_left = left;
                    let around = Around {
                        frame: Some(frame),
                        member: member.cloned().or_else(|| around.member.clone()),
                    };
                    if let Some(condition) = &each.condition {
                        match self.probe(condition, Some(frame)).0 {
                            Ok(value) if value.clone().unmark().0.as_bool() == Ok(false) => return,
                            Ok(_) => {}
                            Err(_) => return self.decision(condition, &around, found),
                        }
                    }
                    if self.decides(&each.result, truth, Some(frame)) {
                        self.decisions(&each.result, truth, &around, found);
                    }
                });
            }
            _ => return false,
        }
        found.count > before
    }

    /// Calls `run` for each item that a `for` iterates, with whether it is there for certain, its frame and its name.
    fn each_item(
        &self,
        each: &For,
        frame: Option<&Frame<'_>>,
        run: &mut dyn FnMut(bool, &Frame<'_>, Option<&Dependency>),
    ) {
        let Ok(collection) = self.structure(&each.collection, frame) else { return };
        match collection {
            Structure::Members(members) => {
                let any = Value::dynamic();
                for (position, member) in members.items().iter().enumerate() {
                    let origin = member.origin.as_ref().map_or(ElementOrigin::Unknown, ElementOrigin::Named);
                    let key = Value::from(position as u64);
                    run(
                        member.is_certain,
                        &Frame::of_item(each, frame, (&key, &member.value), origin),
                        member.origin.as_ref(),
                    );
                }
                if let Some(further) = members.further() {
                    run(
                        false,
                        &Frame::of_item(each, frame, (&any, &further.value), ElementOrigin::Unknown),
                        None,
                    );
                }
            }
            collection => {
                let bare = collection.into_value().unmark().0;
                match items(&bare) {
                    Items::Known(items) => {
                        for (key, value) in &items {
                            let origin = origin_at(has_keys(&bare), &each.collection, key);
                            let frame = Frame::of_item(each, frame, (key, value), origin);
                            let name = self.name_of_item(&each.value, &frame);
                            run(true, &frame, name.as_ref());
                        }
                    }
                    Items::Unknown { key, value, .. } => {
                        run(
                            false,
                            &Frame::of_item(each, frame, (&key, &value), ElementOrigin::Unknown),
                            None,
                        );
                    }
                    Items::None => {}
                }
            }
        }
    }

    /// The name of the value that a frame binds.
    fn name_of_item(&self, name: &str, frame: &Frame<'_>) -> Option<Dependency> {
        let reference = Reference::of_name(name.into(), 0);
        let node = Node { span: reference.span(), kind: Kind::Reference(reference) };
        self.named_origin(&node, Some(frame))
    }

    /// Collects the operands of a node that are open, and the unknown values in them.
    fn open(&self, node: &Node, frame: Option<&Frame<'_>>, found: &mut Open) {
        if !found.visit() {
            return;
        }
        match &node.kind {
            Kind::Wrapped(inner) | Kind::Parenthesis(inner) | Kind::Unary(Unary::Not, inner) => {
                return self.open(inner, frame, found);
            }
            Kind::Binary(chain)
                if chain.rest.iter().all(|(operator, _)| matches!(operator, Binary::And | Binary::Or)) =>
            {
                for operand in chain.operands().filter(|operand| self.is_open(operand, frame)) {
                    self.open(operand, frame, found);
                }
                return;
            }
            Kind::Conditional(operands) => {
                let [condition, yes, no] = &**operands;
                if self.is_open(condition, frame) {
                    self.open(condition, frame, found);
                }
                for branch in [yes, no].into_iter().filter(|branch| self.is_open(branch, frame)) {
                    self.open(branch, frame, found);
                }
                return;
            }
            Kind::Call(call) if matches!(&*call.name, "alltrue" | "anytrue") => {
                if let [argument] = &*call.arguments
                    && let Kind::For(each) = &without_parentheses(argument).kind
                    && each.result_key.is_none()
                {
                    self.open_members(each, node, frame, found);
                    return;
                }
            }
            _ => {}
        }
        found.add_span(&node.span);
        self.unknowns(node, frame, found);
    }

    /// Collects what is open in the members of a comprehension.
    fn open_members(&self, each: &For, node: &Node, frame: Option<&Frame<'_>>, found: &mut Open) {
        let before = found.spans.len();
        self.each_item(each, frame, &mut |is_certain, frame, member| {
            if !found.visit() {
                return;
            }
            let mut is_counted = is_certain;
            if let Some(condition) = &each.condition {
                match self.probe(condition, Some(frame)) {
                    (Ok(value), false) if value.clone().unmark().0.as_bool() == Ok(false) => return,
                    (Ok(value), false) if value.is_known() => {}
                    _ => {
                        is_counted = false;
                        self.open(condition, Some(frame), found);
                    }
                }
            }
            if self.is_open(&each.result, Some(frame)) {
                self.open(&each.result, Some(frame), found);
            } else if !is_counted && !is_certain {
                found.waits_for_one(member.cloned());
            }
        });
        if found.spans.len() == before {
            found.add_span(&node.span);
        }
        if let Ok(Structure::Value(value)) = self.structure(&each.collection, frame)
            && !value.is_known()
        {
            self.unknowns(&each.collection, frame, found);
        }
    }

    /// Collects the unknown values that a node refers to.
    fn unknowns(&self, node: &Node, frame: Option<&Frame<'_>>, found: &mut Open) {
        if !found.visit() {
            return;
        }
        match &node.kind {
            Kind::Reference(reference) => self.unknowns_of_reference(reference, node, frame, found),
            Kind::Access(of, _) => {
                // The whole has more unknown parts than the one that is read.
                let value = self.probe(node, frame).0.ok();
                match (value, self.handed_on(node, &[], frame)) {
                    (Some(value), Some(Origin::Named(name))) => found.add(&value, &name),
                    _ => self.unknowns(of, frame, found),
                }
                for child in node.children().into_iter().skip(1) {
                    self.unknowns(child, frame, found);
                }
            }
            Kind::For(each) => {
                self.unknowns(&each.collection, frame, found);
                let parts = [each.condition.as_ref(), each.result_key.as_ref(), Some(&each.result)];
                self.each_item(each, frame, &mut |_, frame, _| {
                    if !found.visit() {
                        return;
                    }
                    for part in parts.into_iter().flatten() {
                        self.unknowns(part, Some(frame), found);
                    }
                });
            }
            Kind::Splat { of, each, .. } => match self.structure(of, frame) {
                Ok(Structure::Members(members)) => {
                    for member in members.items() {
                        let origin =
                            member.origin.as_ref().map_or(ElementOrigin::Unknown, ElementOrigin::Named);
                        let frame = Frame::Element { parent: frame, value: &member.value, origin };
                        self.unknowns(each, Some(&frame), found);
                    }
                }
                _ => self.unknowns(of, frame, found),
            },
            Kind::Element => {
                let value = frame.and_then(Frame::element).cloned();
                if let (Some(value), Some(Origin::Named(name))) = (value, self.handed_on(node, &[], frame)) {
                    found.add(&value, &name);
                }
            }
            Kind::Call(call) if self.takes_members(&call.name, call) => {
                if let Ok(Structure::Members(members)) = self.structure(node, frame) {
                    for member in members.items().iter().filter(|member| !member.is_certain) {
                        found.waits_for_one(member.origin.clone());
                    }
                }
                self.unknowns_of_children(node, frame, found);
            }
            _ => self.unknowns_of_children(node, frame, found),
        }
    }

    fn unknowns_of_children(&self, node: &Node, frame: Option<&Frame<'_>>, found: &mut Open) {
        for child in node.children() {
            self.unknowns(child, frame, found);
        }
    }

    fn unknowns_of_reference(
        &self,
        reference: &Reference,
        node: &Node,
        frame: Option<&Frame<'_>>,
        found: &mut Open,
    ) {
        let is_bound = frame.is_some_and(|frame| frame.binding(&reference.root).is_some());
        if !is_bound
            && self.scope.is_for_rules
            && let Some(Ok(members)) = self.scope.variables.members(reference)
        {
            if !members.is_complete() {
                found.waits_for_one(Some(name_of(reference)));
            }
            return;
        }
        let Some(value) = self.quiet_reference(reference, frame) else { return };
        let may_fail = self.scope.is_for_rules && !is_bound && self.scope.variables.may_fail(reference);
        if value.is_wholly_known() && !may_fail {
            return;
        }
        match self.handed_on(node, &[], frame) {
            Some(Origin::Named(name)) if may_fail => found.waits_for_one(Some(name)),
            Some(Origin::Named(name)) => found.add(&value, &name),
            _ => {}
        }
    }
}

/// The node without the parentheses around it.
fn without_parentheses(node: &Node) -> &Node {
    let mut node = node;
    while let Kind::Parenthesis(inner) | Kind::Wrapped(inner) = &node.kind {
        node = inner;
    }
    node
}

/// The call that a node is.
fn call_of(node: &Node) -> Option<&Call> {
    match &without_parentheses(node).kind {
        Kind::Call(call) => Some(call),
        _ => None,
    }
}

/// A reference as a dependency.
fn name_of(reference: &Reference) -> Dependency {
    let steps = reference.steps().iter().map(|step| match step.key() {
        ReferenceKey::Attribute(name) => Step::attr(name),
        ReferenceKey::Index(key) => Step::Index(key.clone()),
    });
    Dependency { root: reference.root().into(), steps: steps.collect() }
}

/// What is around a part of a condition.
#[derive(Default)]
struct Around<'f> {
    frame: Option<&'f Frame<'f>>,
    member: Option<Dependency>,
}

/// The parts that decide a condition.
struct Decisions {
    listed: Vec<Decision>,
    count: usize,
    visits_left: usize,
}

/// What is open in a condition.
struct Open {
    waits_for: IndexSet<Dependency>,
    spans: Vec<Range<usize>>,
    visits_left: usize,
}

impl Open {
    /// Counts a visited node. False if no visit is left, or no further value would be listed.
    fn visit(&mut self) -> bool {
        let is_full = self.waits_for.len() >= ConditionAnswer::WAITS_FOR;
        self.visits_left = if is_full { 0 } else { self.visits_left.saturating_sub(1) };
        self.visits_left > 0
    }

    fn add_span(&mut self, span: &Range<usize>) {
        if !self.spans.contains(span) {
            self.spans.push(span.clone());
        }
    }

    fn waits_for_one(&mut self, name: Option<Dependency>) {
        if self.waits_for.len() < ConditionAnswer::WAITS_FOR {
            self.waits_for.extend(name);
        }
    }

    /// Adds the unknown parts of the value of a name.
    fn add(&mut self, value: &Value, name: &Dependency) {
        let mut todo = vec![(value.clone(), name.clone())];
        while let Some((value, name)) = todo.pop() {
            if value.is_wholly_known() || !self.visit() {
                continue;
            }
            let bare = value.unmark().0;
            let step = |step: Step| {
                let steps = name.steps.iter().cloned().chain([step]).collect();
                Dependency { root: name.root.clone(), steps }
            };
            let before = todo.len();
            match bare.view() {
                View::Tuple(tuple) => {
                    todo.extend(
                        tuple.iter().enumerate().map(|(at, value)| (value.clone(), step(Step::index(at)))),
                    );
                }
                View::List(list) => {
                    todo.extend(
                        list.iter().enumerate().map(|(at, value)| (value.clone(), step(Step::index(at)))),
                    );
                }
                View::Map(map) => {
                    todo.extend(map.iter().map(|(key, value)| (value.clone(), step(Step::attr(key)))));
                }
                View::Object(object) => {
                    todo.extend(object.iter().map(|(key, value)| (value.clone(), step(Step::attr(key)))));
                }
                _ => self.waits_for_one(Some(name.clone())),
            }
            todo.get_mut(before..).unwrap_or_default().reverse();
        }
    }
}
