//! Expressions whose value is a collection of which it may be unknown what is there. As a value such a collection is wholly unknown, since
//! each length of a tuple is another type; functions such as `alltrue` and `length` take its members.

use std::sync::Arc;

use plantime::function::Function;
use plantime::{LengthRange, Marks, Step, Type, Value, View};

use super::conditional::Branch;
use super::iterate::{Items, has_keys, items, origin_at};
use super::quantify::number_between;
use super::splat::join_if_same_type;
use super::{ElementOrigin, Evaluated, Evaluator, Frame, Place};
use crate::expression::dependencies::Dependency;
use crate::expression::diagnostic::{Diagnostics, all};
use crate::expression::identity::canonical;
use crate::expression::members::{Derived, Further, Index, Member, Members, scalar_kind};
use crate::expression::references::{Reference, ReferenceKey, references};
use crate::expression::tree::{Binary, Chain, For, Kind, Node};

/// What a node evaluates to.
pub(super) enum Structure {
    /// A value.
    Value(Value),
    /// Several possible values: see [`Evaluator::alternatives`].
    Alternatives(Vec<Value>),
    /// A collection of which it may be unknown what is there.
    Members(Arc<Members>),
}

impl Structure {
    /// The value, which is unknown for a collection that is not complete.
    pub(super) fn into_value(self) -> Value {
        match self {
            Structure::Value(value) => value,
            Structure::Alternatives(alternatives) => join_if_same_type(&alternatives),
            Structure::Members(members) => members.value(),
        }
    }

    /// The possible values.
    pub(super) fn into_alternatives(self) -> Vec<Value> {
        match self {
            Structure::Alternatives(alternatives) => alternatives,
            other => vec![other.into_value()],
        }
    }
}

impl From<Members> for Structure {
    fn from(members: Members) -> Structure {
        Structure::Members(Arc::new(members))
    }
}

/// Members as they are collected.
#[derive(Default)]
pub(super) struct Collected {
    pub(super) items: Vec<Member>,
    pub(super) further: Option<Further>,
    pub(super) marks: Marks,
}

impl Collected {
    /// The collection of these members.
    pub(super) fn finish(self) -> Members {
        Members::new(self.items).with_further(self.further).with_marks(&self.marks).for_one_use()
    }

    /// Adds an unknown number of members like this value.
    pub(super) fn push_further(&mut self, value: Value, count: LengthRange) {
        let further = match self.further.take() {
            None => Further { value, count },
            Some(before) => {
                let lower = before.count.lower().saturating_add(count.lower());
                let upper = before.count.upper().zip(count.upper()).map(|(a, b)| a.saturating_add(b));
                let joined = Value::join(&[&before.value, &value]);
                let unknown = || super::unknown_with_marks_of([&before.value, &value]);
                Further {
                    value: joined.unwrap_or_else(|_| unknown()),
                    count: LengthRange::new(lower, upper).unwrap_or_default(),
                }
            }
        };
        self.further = Some(further);
    }

    /// Adds the members of another collection. Without `is_certain` it is unknown whether any of them is there.
    fn append(&mut self, other: Collected, is_certain: bool) {
        let items = other.items.into_iter();
        self.items
            .extend(items.map(|member| Member { is_certain: member.is_certain && is_certain, ..member }));
        if let Some(Further { value, count }) = other.further {
            let lower = if is_certain { count.lower() } else { 0 };
            self.push_further(value, LengthRange::new(lower, count.upper()).unwrap_or_default());
        }
        self.marks.extend_from(&other.marks);
    }
}

/// One item that a `for` binds.
struct Item<'a> {
    key: &'a Value,
    value: &'a Value,
    is_certain: bool,
    origin: ElementOrigin<'a>,
}

/// How the result of an iteration becomes members.
#[derive(Clone, Copy, PartialEq)]
enum Results {
    /// Each result is a member.
    Members,
    /// The elements of each result are members, at every depth: as `flatten` has it.
    Flat,
}

impl Evaluator<'_> {
    /// What a node evaluates to: the members where it is a collection of which it may be unknown what is there.
    pub(super) fn structure(&self, node: &Node, frame: Option<&Frame<'_>>) -> Evaluated<Structure> {
        match &node.kind {
            Kind::Wrapped(inner) | Kind::Parenthesis(inner) => self.structure(inner, frame),
            Kind::Reference(reference) if self.scope.is_for_rules => {
                if frame.is_some_and(|frame| frame.binding(&reference.root).is_some()) {
                    return self.value(node, frame).map(Structure::Value);
                }
                match self.scope.variables.members(reference) {
                    None => self.value(node, frame).map(Structure::Value),
                    Some(Ok(members)) => {
                        self.count_steps(1, node)?;
                        if self.scope.variables.may_fail(reference) {
                            self.may_fail();
                        }
                        Ok(Structure::Members(members))
                    }
                    Some(Err(unresolved)) => {
                        let span = reference.span_of(unresolved.steps);
                        let place = Place { span: &span, about: node, frame };
                        Err(self.problem(place, &unresolved.summary, unresolved.detail))
                    }
                }
            }
            // Without a condition the number of the results is that of the items.
            Kind::For(each)
                if each.result_key.is_none() && (each.condition.is_some() || self.scope.is_for_rules) =>
            {
                self.count_steps(1, node)?;
                self.for_structure(each, node, frame, false)
            }
            Kind::Splat { of, each, marker } => {
                self.count_steps(1, node)?;
                match self.structure(of, frame)? {
                    Structure::Members(members) => {
                        self.splat_members(each, &members, node, frame).map(Structure::Members)
                    }
                    collection => {
                        let value = collection.into_value();
                        let results = self.splat_alternatives(&value, (of, each), marker, node, frame)?;
                        Ok(Structure::Alternatives(results))
                    }
                }
            }
            Kind::Conditional(operands) if self.scope.is_for_rules => {
                self.count_steps(1, node)?;
                self.conditional_structure(operands, node, frame)
            }
            Kind::Call(call) => {
                self.count_steps(1, node)?;
                self.call_structure(call, node, frame)
            }
            _ => self.value(node, frame).map(Structure::Value),
        }
    }

    /// The members that a `for` expression without key gives. With `is_flat` the elements of each result, as `flatten` has it.
    fn for_structure(
        &self,
        each: &For,
        node: &Node,
        frame: Option<&Frame<'_>>,
        is_flat: bool,
    ) -> Evaluated<Structure> {
        let collection = match self.structure(&each.collection, frame)? {
            Structure::Members(members) => {
                return self.for_members(each, &members, node, frame, is_flat).map(Structure::Members);
            }
            collection => collection.into_value(),
        };
        if matches!(collection.ty(), Type::Set(_)) && !collection.is_wholly_known() && !is_flat {
            // A set is evaluated in cases.
            return self.for_value(each, &collection, node, frame).map(Structure::Value);
        }
        let (bare, marks) = self.iterable(&collection, &each.collection, "'for' expression", frame)?;
        let over = self.members_of_value(each, &bare, node, frame, is_flat);
        let mut made = over.map_err(|problems| problems.reported_once_known_if(!bare.is_known()))?;
        made.marks.extend_from(&marks);
        Ok(made.finish().into())
    }

    /// The results of a `for` expression without key over a collection that has no marks.
    fn members_of_value(
        &self,
        each: &For,
        collection: &Value,
        node: &Node,
        frame: Option<&Frame<'_>>,
        is_flat: bool,
    ) -> Evaluated<Collected> {
        let results = if is_flat { Results::Flat } else { Results::Members };
        let mut made = Collected::default();
        let has_keys = has_keys(collection);
        match items(collection) {
            Items::Known(items) => {
                if items.is_empty() {
                    self.check_condition_without_items(each, frame)?;
                }
                for (key, value) in &items {
                    self.count_iteration(node)?;
                    let origin = origin_at(has_keys, &each.collection, key);
                    let item = Item { key, value, is_certain: true, origin };
                    self.add_result(each, &item, results, &mut made, frame)?;
                }
            }
            Items::Unknown { key, value, length } => {
                self.add_further(each, (&key, &value, length), results, &mut made, frame)?;
            }
            Items::None => {}
        }
        Ok(made)
    }

    /// The members that a `for` expression without key gives over members.
    pub(super) fn for_members(
        &self,
        each: &For,
        members: &Arc<Members>,
        node: &Node,
        frame: Option<&Frame<'_>>,
        is_flat: bool,
    ) -> Evaluated<Arc<Members>> {
        let prefix = if is_flat { "flat " } else { "" };
        self.derived(members, (node, frame), prefix, || {
            self.members_of_members(each, members, node, frame, is_flat)
        })
    }

    /// What an expression makes of members: kept with them if the expression depends on nothing else, since a condition that is evaluated for
    /// each resource would iterate all others each time.
    fn derived(
        &self,
        members: &Arc<Members>,
        (node, frame): (&Node, Option<&Frame<'_>>),
        prefix: &str,
        build: impl FnOnce() -> Evaluated<Members>,
    ) -> Evaluated<Arc<Members>> {
        if !members.is_shared() || self.state.masked.get() || !self.depends_on_nothing_else(node, frame) {
            return build().map(Arc::new);
        }
        let text = self.source.text().get(node.span.clone()).unwrap_or_default();
        let key = format!("{prefix}{text}");
        let derived = match members.derived(&key) {
            Some(derived) => derived,
            None => {
                let before = self.state.may_fail.replace(false);
                let (built, used_marks) = self.with_used_marks(build);
                let may_fail = self.state.may_fail.replace(before);
                let members_of_node = match built {
                    Ok(built) => Arc::new(built.for_many_uses()),
                    Err(problems) => {
                        self.state.may_fail.set(before || may_fail);
                        return Err(problems);
                    }
                };
                let derived = Derived { members: members_of_node, may_fail, used_marks };
                members.keep_derived(&key, derived.clone());
                derived
            }
        };
        self.count_steps(1, node)?;
        if derived.may_fail {
            self.may_fail();
        }
        if !derived.used_marks.is_empty() {
            self.state.used_marks.borrow_mut().extend_from(&derived.used_marks);
        }
        Ok(derived.members)
    }

    /// Whether the value of a `for` or splat follows from its collection: the other names in it are constant, and each function gives the
    /// same result for the same arguments.
    fn depends_on_nothing_else(&self, node: &Node, frame: Option<&Frame<'_>>) -> bool {
        let (collection, mut nodes) = match &node.kind {
            Kind::For(each) => {
                let parts = [Some(&each.result), each.condition.as_ref()];
                (&each.collection, parts.into_iter().flatten().collect::<Vec<_>>())
            }
            Kind::Splat { of, each, .. } => (&**of, vec![&**each]),
            _ => return false,
        };
        let is_splat = matches!(node.kind, Kind::Splat { .. });
        let of_collection = references(collection);
        // References are in the order of the source: those of the collection come first.
        let others = references(node);
        let others = others.get(of_collection.len()..).unwrap_or_default();
        let is_constant = |reference: &&Reference| {
            frame.and_then(|frame| frame.binding(reference.root())).is_none()
                && self.scope.variables.is_constant(reference)
        };
        if !others.iter().all(is_constant) {
            return false;
        }
        while let Some(node) = nodes.pop() {
            match &node.kind {
                Kind::Element if !is_splat => return false,
                Kind::Splat { .. } => return false,
                Kind::Call(call) => {
                    let function = self.scope.functions.get(&call.name);
                    let is_fixed = function.is_some_and(Function::is_predictable)
                        || matches!(&*call.name, "try" | "can");
                    if !is_fixed {
                        return false;
                    }
                }
                _ => {}
            }
            nodes.extend(node.children());
        }
        true
    }

    fn members_of_members(
        &self,
        each: &For,
        members: &Arc<Members>,
        node: &Node,
        frame: Option<&Frame<'_>>,
        is_flat: bool,
    ) -> Evaluated<Members> {
        let results = if is_flat { Results::Flat } else { Results::Members };
        let mut made = Collected { marks: members.marks().clone(), ..Collected::default() };
        if members.items().is_empty() && members.further().is_none() {
            self.check_condition_without_items(each, frame)?;
        }
        // For each member the number of those before it that are there for certain.
        let mut certain = 0_u64;
        let certain_before: Vec<u64> = match each.key {
            Some(_) => members
                .items()
                .iter()
                .map(|member| {
                    let before = certain;
                    certain = certain.saturating_add(u64::from(member.is_certain));
                    before
                })
                .collect(),
            None => Vec::new(),
        };
        let mut over = |position: usize, member: &Member| {
            self.count_iteration(node)?;
            let key = match certain_before.get(position) {
                Some(certain) => number_between(*certain, Some(position as u64)),
                None => Value::dynamic(),
            };
            let origin = member.origin.as_ref().map_or(ElementOrigin::Unknown, ElementOrigin::Named);
            let item = Item { key: &key, value: &member.value, is_certain: member.is_certain, origin };
            self.add_result(each, &item, results, &mut made, frame)
        };
        match self.joined_positions(each, members, frame) {
            Some(positions) => {
                for position in positions {
                    if let Some(member) = members.items().get(position) {
                        over(position, member)?;
                    }
                }
            }
            None => {
                for (position, member) in members.items().iter().enumerate() {
                    over(position, member)?;
                }
            }
        }
        if let Some(further) = members.further() {
            let key = number_between(certain, None);
            let (value, count) = (&further.value, further.count);
            self.add_further(each, (&key, value, count), results, &mut made, frame)?;
        }
        Ok(made.finish())
    }

    /// Adds the result of one iteration.
    fn add_result(
        &self,
        each: &For,
        item: &Item<'_>,
        results: Results,
        made: &mut Collected,
        frame: Option<&Frame<'_>>,
    ) -> Evaluated<()> {
        let frame = Frame::of_item(each, frame, (item.key, item.value), item.origin);
        let mut is_certain = item.is_certain;
        if let Some(condition) = &each.condition {
            let (included, used) = self.with_used_marks(|| self.included(condition, &frame));
            match included {
                Ok((included, marks)) => {
                    made.marks.extend_from(&marks);
                    match included {
                        Some(false) => return Ok(()),
                        Some(true) => {}
                        None => is_certain = false,
                    }
                }
                Err(problems) => return self.left_out(problems, is_certain, &used, made),
            }
        }
        let (result, used) = self.with_used_marks(|| self.results(&each.result, results, &frame));
        match result {
            Ok(result) => made.append(result, is_certain),
            Err(problems) => return self.left_out(problems, is_certain, &used, made),
        }
        Ok(())
    }

    /// Passes the error of a member that is there for certain. One that may be there is not, or everything fails.
    fn left_out(
        &self,
        problems: Diagnostics,
        is_certain: bool,
        used: &Marks,
        made: &mut Collected,
    ) -> Evaluated<()> {
        if is_certain || problems.is_limit() {
            return Err(problems);
        }
        self.may_fail();
        made.marks.extend_from(used);
        Ok(())
    }

    /// The members that one result gives.
    fn results(&self, node: &Node, results: Results, frame: &Frame<'_>) -> Evaluated<Collected> {
        if results == Results::Flat {
            return self.flat(node, Some(frame));
        }
        let value = self.value(node, Some(frame))?;
        let origin = self.origin_unless_known(&value, node, Some(frame));
        let items = vec![Member { value, is_certain: true, origin }];
        Ok(Collected { items, ..Collected::default() })
    }

    /// The name of the value of a node, if the value is not known: a known one needs none.
    fn origin_unless_known(
        &self,
        value: &Value,
        node: &Node,
        frame: Option<&Frame<'_>>,
    ) -> Option<Dependency> {
        match value.is_wholly_known() {
            true => None,
            false => self.named_origin(node, frame),
        }
    }

    /// Adds what the iterations of an unknown number of items give.
    fn add_further(
        &self,
        each: &For,
        (key, value, count): (&Value, &Value, LengthRange),
        results: Results,
        made: &mut Collected,
        frame: Option<&Frame<'_>>,
    ) -> Evaluated<()> {
        let mut all = Collected::default();
        let item = Item { key, value, is_certain: true, origin: ElementOrigin::Unknown };
        let (added, used) = self.with_used_marks(|| self.add_result(each, &item, results, &mut all, frame));
        made.marks.extend_from(&used);
        made.marks.extend_from(&all.marks);
        match added {
            Err(problems) if problems.is_limit() || count.lower() > 0 => Err(problems),
            // Each item fails, so there is none.
            Err(_) => {
                self.check_condition_without_items(each, frame)?;
                self.may_fail();
                Ok(())
            }
            Ok(()) => {
                let values: Vec<&Value> = all.items.iter().map(|member| &member.value).collect();
                let of_each = all.items.len() as u64;
                let certain = all.items.iter().filter(|member| member.is_certain).count() as u64;
                if let Some(value) = joined(&values) {
                    let upper = count.upper().map(|upper| upper.saturating_mul(of_each));
                    let lower = count.lower().saturating_mul(certain);
                    made.push_further(value, LengthRange::new(lower, upper).unwrap_or_default());
                }
                if let Some(further) = all.further {
                    made.push_further(further.value, LengthRange::at_least(0));
                }
                Ok(())
            }
        }
    }

    /// The members that a splat gives over members.
    pub(super) fn splat_members(
        &self,
        each: &Node,
        members: &Arc<Members>,
        node: &Node,
        frame: Option<&Frame<'_>>,
    ) -> Evaluated<Arc<Members>> {
        self.derived(members, (node, frame), "", || self.splat_of_members(each, members, node, frame))
    }

    fn splat_of_members(
        &self,
        each: &Node,
        members: &Members,
        node: &Node,
        frame: Option<&Frame<'_>>,
    ) -> Evaluated<Members> {
        let mut made = Collected { marks: members.marks().clone(), ..Collected::default() };
        let element = |value: &Value, origin: ElementOrigin<'_>| {
            self.count_iteration(node)?;
            let frame = Frame::Element { parent: frame, value, origin };
            let value = self.value(each, Some(&frame))?;
            let origin = self.origin_unless_known(&value, each, Some(&frame));
            Ok(Member { value, is_certain: true, origin })
        };
        for member in members.items() {
            let origin = member.origin.as_ref().map_or(ElementOrigin::Unknown, ElementOrigin::Named);
            match self.with_used_marks(|| element(&member.value, origin)) {
                (Ok(result), _) => made.items.push(Member { is_certain: member.is_certain, ..result }),
                (Err(problems), used) => self.left_out(problems, member.is_certain, &used, &mut made)?,
            }
        }
        if let Some(Further { value, count }) = members.further() {
            match self.with_used_marks(|| element(value, ElementOrigin::Unknown)) {
                (Ok(result), _) => made.push_further(result.value, *count),
                (Err(problems), used) => self.left_out(problems, count.lower() > 0, &used, &mut made)?,
            }
        }
        Ok(made.finish())
    }

    /// The members of `flatten` of the value of a node: the value itself if it is no list.
    pub(super) fn flat(&self, node: &Node, frame: Option<&Frame<'_>>) -> Evaluated<Collected> {
        match &node.kind {
            Kind::Wrapped(inner) | Kind::Parenthesis(inner) => self.flat(inner, frame),
            Kind::Tuple(nodes) => {
                self.count_steps(1, node)?;
                let mut made = Collected::default();
                for inner in all(nodes.iter().map(|inner| self.flat(inner, frame)))? {
                    made.append(inner, true);
                }
                Ok(made)
            }
            Kind::For(each) if each.result_key.is_none() => {
                self.count_steps(1, node)?;
                self.for_structure(each, node, frame, true).map(|structure| self.flattened(structure, None))
            }
            _ => {
                let structure = self.structure(node, frame)?;
                let origin = match &structure {
                    Structure::Value(value) => self.origin_unless_known(value, node, frame),
                    _ => None,
                };
                Ok(self.flattened(structure, origin))
            }
        }
    }

    /// The members of `flatten` of a structure.
    pub(super) fn flattened(&self, structure: Structure, origin: Option<Dependency>) -> Collected {
        let mut made = Collected::default();
        match structure {
            Structure::Members(members) => {
                made.marks.extend_from(members.marks());
                for member in members.items() {
                    flatten_value(&member.value, member.is_certain, member.origin.as_ref(), &mut made);
                }
                if let Some(Further { value, count }) = members.further() {
                    let mut inner = Collected::default();
                    flatten_value(value, true, None, &mut inner);
                    let is_one = inner.further.is_none() && inner.items.len() == 1;
                    made.marks.extend_from(&inner.marks);
                    let values: Vec<&Value> = inner
                        .items
                        .iter()
                        .map(|member| &member.value)
                        .chain(inner.further.as_ref().map(|further| &further.value))
                        .collect();
                    if let Some(value) = joined(&values) {
                        made.push_further(value, if is_one { *count } else { LengthRange::at_least(0) });
                    }
                }
            }
            other => flatten_value(&other.into_value(), true, origin.as_ref(), &mut made),
        }
        made
    }

    /// A conditional whose chosen result is a collection of which it may be unknown what is there.
    fn conditional_structure(
        &self,
        [condition, yes, no]: &[Node; 3],
        node: &Node,
        frame: Option<&Frame<'_>>,
    ) -> Evaluated<Structure> {
        let before = self.state.may_fail.replace(false);
        let (yes_value, yes_marks) = self.with_used_marks(|| self.structure(yes, frame));
        let yes_may_fail = self.state.may_fail.replace(false);
        let (no_value, no_marks) = self.with_used_marks(|| self.structure(no, frame));
        let no_may_fail = self.state.may_fail.replace(before);
        let condition_value = self.condition(condition, frame);
        let truth = condition_value.as_ref().ok().and_then(|truth| truth.clone().unmark().0.as_bool().ok());
        // Members are taken as they are: a common type of entries of several kinds would lose what tells them apart.
        if let (Ok(yes), Ok(no), Ok(truth_value)) = (&yes_value, &no_value, &condition_value)
            && let (Some(yes_members), Some(no_members)) = (taken_as_is(yes), taken_as_is(no))
            && (matches!(yes, Structure::Members(_)) || matches!(no, Structure::Members(_)))
        {
            if truth != Some(false) && yes_may_fail || truth != Some(true) && no_may_fail {
                self.may_fail();
            }
            let marks = truth_value.marks();
            let chosen = match truth {
                Some(true) => yes_members,
                Some(false) => no_members,
                None => {
                    let mut made = Collected::default();
                    for members in [yes_members, no_members] {
                        let further = members.further().cloned();
                        let marks = members.marks().clone();
                        made.append(Collected { items: members.items().to_vec(), further, marks }, false);
                    }
                    return Ok(made.finish().with_marks(marks).into());
                }
            };
            return Ok(match marks.is_empty() {
                true => Structure::Members(chosen),
                false => {
                    let copy = Members::new(chosen.items().to_vec()).with_further(chosen.further().cloned());
                    copy.with_marks(chosen.marks()).with_marks(marks).into()
                }
            });
        }
        let branch = |value: Evaluated<Structure>, marks, may_fail| Branch {
            value: value.map(Structure::into_value),
            marks,
            may_fail,
        };
        let branches = (branch(yes_value, yes_marks, yes_may_fail), branch(no_value, no_marks, no_may_fail));
        self.chosen((condition, yes, no), || condition_value, branches, node, frame).map(Structure::Value)
    }

    /// The positions of the members that the condition of a `for` may select, in order: those whose value at a path may equal another
    /// value that does not depend on the member. `None` if the condition is no such comparison, so that all have to be tried.
    fn joined_positions(
        &self,
        each: &For,
        members: &Members,
        frame: Option<&Frame<'_>>,
    ) -> Option<Vec<usize>> {
        let condition = each.condition.as_ref()?;
        if members.items().len() < MIN_INDEXED || !members.is_shared() {
            return None;
        }
        let (path, key) = joins(each, condition).next()?;
        let Kind::Reference(reference) = &path.kind else { return None };
        let before = (self.state.may_fail.replace(false), self.state.used_marks.take());
        let value = self.value(key, frame);
        let may_fail = self.state.may_fail.replace(before.0);
        let used = self.state.used_marks.replace(before.1);
        let value = value.ok().filter(|value| scalar_kind(value).is_some())?;
        if may_fail || !used.is_empty() {
            return None;
        }
        let steps: Vec<Step> = reference.steps().iter().map(|step| step_of(step.key())).collect();
        Some(self.positions_of(members, &steps, (key, &value)))
    }

    /// The index of members by their values at a path.
    pub(super) fn index_of(&self, members: &Members, path: &[Step]) -> Arc<Index> {
        let mut name = String::new();
        for step in path {
            name.push_str(&format!("{step:?}"));
        }
        let steps: Vec<Step> = path.iter().map(canonical).collect();
        members.index(&name, || {
            let at = |member: &Member| {
                let mut here = Some(member.value.clone());
                for step in &steps {
                    here = here.filter(|value| !value.is_marked()).and_then(|value| part_at(&value, step));
                }
                here
            };
            Index::new(members.items().iter().map(at))
        })
    }

    /// The positions of the members whose value at a path may equal a known scalar, or may be an error beside it.
    pub(super) fn positions_of(
        &self,
        members: &Members,
        path: &[Step],
        (node, value): (&Node, &Value),
    ) -> Vec<usize> {
        let index = self.index_of(members, path);
        let (mut values, mut kinds) = (vec![value.clone()], Vec::new());
        if self.scope.is_for_rules {
            let own = scalar_kind(value);
            for (kind, ty) in [Type::Bool, Type::Number, Type::String].into_iter().enumerate() {
                if Some(kind) == own || !index.has_kind(kind) {
                    continue;
                }
                match super::equality::is_literal(node).then(|| plantime::convert(value, &ty.into())) {
                    Some(Ok(converted)) => values.push(converted),
                    // Such a comparison is an error, which has to be found.
                    _ => kinds.push(kind),
                }
            }
        }
        index.candidates(&values, &kinds)
    }
}

/// The step of a key.
fn step_of(key: &ReferenceKey) -> Step {
    match key {
        ReferenceKey::Attribute(name) => Step::attr(name),
        ReferenceKey::Index(key) => Step::Index(key.clone()),
    }
}

/// The minimum number of members for which an index is built.
const MIN_INDEXED: usize = 8;

/// The comparisons of the condition of a `for` that all selected members satisfy: the reference to a part of the member, and the other
/// operand, which does not depend on the member.
fn joins<'n>(each: &'n For, condition: &'n Node) -> impl Iterator<Item = (&'n Node, &'n Node)> {
    let mut found = Vec::new();
    let mut todo = vec![condition];
    while let Some(node) = todo.pop() {
        match &node.kind {
            Kind::Wrapped(inner) | Kind::Parenthesis(inner) => todo.push(inner),
            Kind::Binary(chain) if chain.rest.iter().all(|(operator, _)| *operator == Binary::And) => {
                todo.extend(chain.operands());
            }
            Kind::Binary(chain) => found.extend(join_of(each, chain)),
            _ => {}
        }
    }
    found.into_iter()
}

/// The part of the member and the other operand, if a comparison is one of these.
fn join_of<'n>(each: &For, chain: &'n Chain) -> Option<(&'n Node, &'n Node)> {
    let (operator, left, right) = chain.as_pair()?;
    let is_bound = |root: &str| root == &*each.value || each.key.as_deref() == Some(root);
    let is_part = |node: &Node| match &node.kind {
        Kind::Reference(reference) => reference.root() == &*each.value,
        _ => false,
    };
    let is_fixed = |node: &Node| {
        !references(node).iter().any(|reference| is_bound(reference.root())) && !node.calls_or_iterates()
    };
    match operator {
        Binary::Equal if is_part(left) && is_fixed(right) => Some((left, right)),
        Binary::Equal if is_part(right) && is_fixed(left) => Some((right, left)),
        _ => None,
    }
}

/// The part of a known container at a step; `None` if there is none, or it may be another one.
fn part_at(value: &Value, step: &Step) -> Option<Value> {
    match (value.view(), step) {
        (View::Object(object), Step::Attr(name)) => object.get(name.as_str()).cloned(),
        (View::Map(map), Step::Attr(name)) => map.get(name.as_str()).cloned(),
        (View::Tuple(tuple), step) => tuple.get(step.position()?).cloned(),
        (View::List(list), step) => list.get(step.position()?).cloned(),
        _ => None,
    }
}

/// What all values have in common; `None` if there are none.
pub(super) fn joined(values: &[&Value]) -> Option<Value> {
    if values.is_empty() {
        return None;
    }
    Some(Value::join(values).unwrap_or_else(|_| super::unknown_with_marks_of(values.iter().copied())))
}

/// Whether all members are of one type that is decided.
pub(super) fn has_uniform_type(members: &Members) -> bool {
    let further = members.further().map(|further| &further.value);
    let mut types = members.items().iter().map(|member| &member.value).chain(further).map(Value::ty);
    let Some(first) = types.next() else { return true };
    !first.has_dynamic() && types.all(|ty| ty == first)
}

/// The members of a result of a conditional that keeps its type: those of a collection, or none of the tuple without elements.
fn taken_as_is(structure: &Structure) -> Option<Arc<Members>> {
    match structure {
        Structure::Members(members) => Some(members.clone()),
        Structure::Value(value) if !value.is_marked() => match value.view() {
            View::Tuple(tuple) if tuple.is_empty() => Some(Arc::new(Members::new(Vec::new()))),
            _ => None,
        },
        _ => None,
    }
}

/// Adds a value as `flatten` does: the elements of a list, set or tuple at every depth, everything else as it is.
fn flatten_value(value: &Value, is_certain: bool, origin: Option<&Dependency>, made: &mut Collected) {
    let (bare, marks) = value.clone().unmark();
    let is_list = matches!(bare.ty(), Type::List(_) | Type::Set(_) | Type::Tuple(_) | Type::Dynamic);
    if !is_list || bare.is_certainly_null() {
        made.items.push(Member { value: value.clone(), is_certain, origin: origin.cloned() });
        return;
    }
    made.marks.extend_from(&marks);
    let any = |made: &mut Collected| {
        made.push_further(Value::dynamic().with_marks(&marks), LengthRange::at_least(0))
    };
    if bare.may_be_null() || bare.ty() == Type::Dynamic {
        // A list that is null is an element.
        return any(made);
    }
    let is_set = matches!(bare.ty(), Type::Set(_));
    if is_set && !bare.is_wholly_known() {
        return any(made);
    }
    match items(&bare) {
        Items::Known(items) => {
            for (position, (_, element)) in items.iter().enumerate() {
                let name = |origin: &Dependency| {
                    let steps = origin.steps.iter().cloned().chain([Step::index(position)]);
                    Dependency { root: origin.root.clone(), steps: steps.collect() }
                };
                let origin = origin.filter(|_| !is_set && !element.is_wholly_known()).map(name);
                flatten_value(&element.clone().with_marks(&marks), is_certain, origin.as_ref(), made);
            }
        }
        Items::Unknown { value: element, length, .. } => {
            let ty = element.ty();
            match ty.has_dynamic() || matches!(ty, Type::List(_) | Type::Set(_) | Type::Tuple(_)) {
                true => any(made),
                false => {
                    let lower = if is_certain { length.lower() } else { 0 };
                    let count = LengthRange::new(lower, length.upper()).unwrap_or_default();
                    made.push_further(element.with_marks(&marks), count);
                }
            }
        }
        Items::None => made.items.push(Member { value: value.clone(), is_certain, origin: None }),
    }
}
