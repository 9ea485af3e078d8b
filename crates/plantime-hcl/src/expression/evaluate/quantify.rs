//! Functions of collections of which it may be unknown what is there: `alltrue`, `anytrue`, `contains`, `length`, `one`, `sum`, and those
//! whose result is such a collection again.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use plantime::{Bound, LengthRange, Marks, Number, NumberRange, Refinement, Type, Value, View};

use super::call::CallSite;
use super::structure::{Collected, Structure, has_uniform_type, joined};
use super::{Evaluated, Evaluator, Frame, Place, ValueFacts};
use crate::expression::diagnostic::all;
use crate::expression::identity::Origin;
use crate::expression::members::{Further, Member, Members, Shape, scalar_kind};
use crate::expression::tree::{Call, Kind, Node};

/// The functions that take members.
const OF_MEMBERS: [&str; 6] = ["alltrue", "anytrue", "contains", "length", "one", "sum"];

/// The functions of a rule that give members for members.
const TO_MEMBERS: [&str; 10] = [
    "cidroverlaps",
    "coalesce",
    "coalescelist",
    "concat",
    "distinct",
    "flatten",
    "setintersection",
    "setsubtract",
    "setunion",
    "toset",
];

/// A number, not null, of which only the interval is known: from `first` to `last`, both included.
pub(super) fn number_between(first: u64, last: Option<u64>) -> Value {
    if last == Some(first) {
        return Value::from(first);
    }
    let last = last.map_or(Bound::Exclusive(Number::INFINITY), |last| Bound::Inclusive(Number::from(last)));
    let range = NumberRange::new(Bound::Inclusive(Number::from(first)), last).unwrap_or_default();
    let refined = Value::refined(Type::Number, Refinement::number(range).and_not_null());
    refined.unwrap_or_else(|_| Value::unknown_not_null(Type::Number))
}

impl Evaluator<'_> {
    /// Whether a node may evaluate to a collection of which it may be unknown what is there.
    pub(super) fn may_be_members(&self, node: &Node) -> bool {
        match &node.kind {
            Kind::Wrapped(inner) | Kind::Parenthesis(inner) => self.may_be_members(inner),
            Kind::For(each) => {
                each.result_key.is_none() && (each.condition.is_some() || self.scope.is_for_rules)
            }
            Kind::Splat { of, .. } => self.may_be_members(of),
            Kind::Reference(_) | Kind::Conditional(_) | Kind::Call(_) => self.scope.is_for_rules,
            _ => false,
        }
    }

    /// Whether a call is one of members.
    pub(super) fn takes_members(&self, name: &str, call: &Call) -> bool {
        if self.is_member_function(name) {
            return true;
        }
        let is_fit = match self.scope.is_for_rules {
            true => OF_MEMBERS.contains(&name) || TO_MEMBERS.contains(&name),
            false => {
                OF_MEMBERS.contains(&name) && call.arguments.iter().any(|node| self.may_be_members(node))
            }
        };
        is_fit && !call.expands && !call.arguments.is_empty() && self.scope.functions.get(name).is_some()
    }

    /// Whether the name is that of a function that gives members.
    pub(in crate::expression) fn is_member_function(&self, name: &str) -> bool {
        self.scope.member_functions.is_some_and(|functions| functions.names().contains(&name))
    }

    /// What a call evaluates to.
    pub(super) fn call_structure(
        &self,
        call: &Call,
        node: &Node,
        frame: Option<&Frame<'_>>,
    ) -> Evaluated<Structure> {
        let name = call.name.strip_prefix("core::").unwrap_or(&call.name);
        match self.takes_members(name, call) {
            true => self.call_of_members(name, call, node, frame),
            false => self.call(call, node, frame).map(Structure::Value),
        }
    }

    /// Evaluates a call of members.
    pub(super) fn call_of_members(
        &self,
        name: &str,
        call: &Call,
        node: &Node,
        frame: Option<&Frame<'_>>,
    ) -> Evaluated<Structure> {
        if self.is_member_function(name) {
            return self.member_function(name, call, node, frame);
        }
        let Some(function) = self.scope.functions.get(name) else {
            return self.call(call, node, frame).map(Structure::Value);
        };
        let site = CallSite { function, call, node, frame };
        self.check_count(site, call.arguments.len())?;
        if let ("flatten", [argument]) = (name, &*call.arguments)
            && is_written_out(argument)
        {
            return Ok(self.flat(argument, frame)?.finish().into());
        }
        let given = all(call.arguments.iter().map(|argument| self.structure(argument, frame)))?;
        if name == "contains" {
            return self.contains(site, given).map(Structure::Value);
        }
        if let ("coalesce" | "coalescelist", [Structure::Members(members), ..]) = (name, given.as_slice())
            && (name == "coalesce" || members.count().lower() > 0)
        {
            return Ok(Structure::Members(members.clone()));
        }
        // What is known of single members, and their names, would be lost in the value of the whole.
        let is_kept = match name {
            "concat" | "flatten" => given.iter().any(|given| matches!(given, Structure::Members(_))),
            "distinct" | "toset" | "setunion" | "setintersection" | "setsubtract" => {
                let is_vague = |given: &Structure| matches!(given, Structure::Members(members) if !members.is_wholly_known());
                let is_fit = |given: &Structure| match given {
                    Structure::Members(members) => has_uniform_type(members),
                    Structure::Value(value) => {
                        let bare = value.clone().unmark().0;
                        bare.is_wholly_known() || matches!(bare.view(), View::List(_) | View::Tuple(_))
                    }
                    Structure::Alternatives(_) => false,
                };
                given.iter().any(is_vague) && given.iter().all(is_fit)
            }
            _ => false,
        };
        let is_open =
            |given: &Structure| matches!(given, Structure::Members(members) if !members.is_complete());
        if !is_kept && !given.iter().any(is_open) {
            if name == "sum" && self.scope.is_for_rules {
                return self.sum_of_values(site, given).map(Structure::Value);
            }
            let given = given.into_iter().map(Structure::into_alternatives).collect();
            return self.call_given(Some(function), call, given, node, frame).map(Structure::Value);
        }
        self.count_steps(given.iter().map(members_in).sum(), node)?;
        let result = match (name, given.as_slice()) {
            ("alltrue", [Structure::Members(members)]) => self.quantified(site, members, true)?,
            ("anytrue", [Structure::Members(members)]) => self.quantified(site, members, false)?,
            ("length", [Structure::Members(members)]) => {
                let count = counted(members);
                number_between(count.lower(), count.upper()).with_marks(members.all_marks())
            }
            ("one", [Structure::Members(members)]) => self.only(site, members)?,
            ("sum", [Structure::Members(members)]) => self.sum(site, members)?,
            ("flatten", [Structure::Members(members)]) => {
                return Ok(self.flattened(Structure::Members(members.clone()), None).finish().into());
            }
            ("concat", _) => return self.concatenated(site, given),
            ("cidroverlaps", [Structure::Members(members)]) => {
                return self.overlaps(site, members).map(Structure::from);
            }
            ("distinct" | "toset", [Structure::Members(members)]) if has_uniform_type(members) => {
                let distinct = self.distinct_members([members].into_iter(), members.marks().clone());
                let ty = type_of_members(&distinct);
                let shape = if name == "distinct" { Shape::List(ty) } else { Shape::Set(ty) };
                return Ok(distinct.with_shape(shape).into());
            }
            ("setunion" | "setintersection" | "setsubtract", _) => {
                return self.set_operation(name, site, given);
            }
            _ => {
                self.may_fail();
                super::unknown_with_marks_of(
                    given.into_iter().map(Structure::into_value).collect::<Vec<_>>().iter(),
                )
            }
        };
        Ok(Structure::Value(result))
    }

    /// The members that a call of such a function gives, if it is no error.
    pub(in crate::expression) fn members_of_call(
        &self,
        call: &Call,
        frame: Option<&Frame<'_>>,
    ) -> Option<Arc<Members>> {
        let name = call.name.strip_prefix("core::").unwrap_or(&call.name);
        let node = Node { span: call.name_span.clone(), kind: Kind::Tuple(Vec::new()) };
        match self.member_function(name, call, &node, frame) {
            Ok(Structure::Members(members)) => Some(members),
            _ => None,
        }
    }

    /// Calls a function that gives members.
    fn member_function(
        &self,
        name: &str,
        call: &Call,
        node: &Node,
        frame: Option<&Frame<'_>>,
    ) -> Evaluated<Structure> {
        let values = all(call.arguments.iter().map(|argument| self.value(argument, frame)))?;
        for value in &values {
            self.count_value(value, node)?;
        }
        let called = match call.expands {
            true => Some(Err("the arguments cannot be the elements of a collection".to_owned())),
            false => self.scope.member_functions.and_then(|functions| functions.call(name, &values)),
        };
        match called {
            Some(Ok(members)) => Ok(Structure::Members(members)),
            Some(Err(message)) => {
                let span = call.start_span(self.source);
                let detail = format!("Call to function {name:?} failed: {message}.");
                let place = Place { span: &span, about: node, frame };
                Err(self.problem(place, "Error in function call", detail))
            }
            None => Err(self.unknown_function(name, call, node, frame)),
        }
    }

    /// `alltrue` and `anytrue`. Null is not true.
    fn quantified(&self, site: CallSite<'_>, members: &Members, is_all: bool) -> Evaluated {
        let truth = |value: &Value| -> Result<Option<bool>, ()> {
            let truth = self.converted(value, &Type::Bool.into()).map_err(drop)?;
            match truth.is_certainly_null() {
                true => Ok(Some(false)),
                false => Ok(truth.unmark().0.as_bool().ok()),
            }
        };
        let (mut is_decided, mut is_open) = (false, false);
        for member in members.items() {
            match (truth(&member.value), member.is_certain) {
                (Ok(Some(truth)), _) if truth == is_all => {}
                (Ok(Some(_)), true) => is_decided = true,
                (Ok(_), _) => is_open = true,
                (Err(()), true) => {
                    self.call_with(site, &[certain_values(members)])?;
                    is_open = true;
                }
                (Err(()), false) => self.may_fail(),
            }
        }
        if let Some(further) = members.further() {
            match (truth(&further.value), further.count.lower() > 0) {
                (Ok(Some(truth)), _) if truth == is_all => {}
                (Ok(Some(_)), true) => is_decided = true,
                (Ok(_), _) => is_open = true,
                (Err(()), _) => {
                    self.may_fail();
                    is_open |= further.count.lower() > 0;
                }
            }
        }
        let answer = match (is_decided, is_open) {
            (true, _) => Value::from(!is_all),
            (false, true) => Value::unknown_not_null(Type::Bool),
            (false, false) => Value::from(is_all),
        };
        Ok(answer.with_marks(members.all_marks()))
    }

    /// `contains`: also true where an element is a copy of the value, even while both are unknown.
    fn contains(&self, site: CallSite<'_>, given: Vec<Structure>) -> Evaluated {
        let CallSite { function, call, node, frame } = site;
        let (list_node, needle_node) = match &*call.arguments {
            [list, needle] => (list, needle),
            _ => (node, node),
        };
        let mut given = given.into_iter();
        let (Some(list), Some(needle)) = (given.next(), given.next()) else { return Ok(Value::dynamic()) };
        if self.scope.is_for_rules {
            let needles = match &needle {
                Structure::Value(value) => std::slice::from_ref(value),
                Structure::Alternatives(values) => values.as_slice(),
                Structure::Members(_) => &[],
            };
            // As Terraform has it, though not cty.
            if needles.iter().any(Value::is_certainly_null) {
                return Err(self.bad_argument(site, 1, "argument must not be null"));
            }
            if needles.iter().any(Value::may_be_null) {
                self.may_fail();
            }
        }
        let members = match list {
            Structure::Members(members) => members,
            list => {
                let alternatives = list.into_alternatives();
                let only = match alternatives.as_slice() {
                    [only] => Some(only.clone()),
                    _ => None,
                };
                let needles = needle.into_alternatives();
                let needle = needles.first().cloned().filter(|_| needles.len() == 1);
                let result =
                    self.call_given(Some(function), call, vec![alternatives, needles], node, frame)?;
                if let (false, Some(list), Some(needle)) = (result.is_known(), only, needle)
                    && self.has_copy((list_node, &list), (needle_node, &needle), frame)
                {
                    return Ok(Value::from(true).with_marks(result.marks()));
                }
                return Ok(result);
            }
        };
        let needle = needle.into_value();
        self.count_value(&needle, node)?;
        let answer = self.has_member(&members, (needle_node, &needle), site)?;
        let answer = answer.map_or_else(|| Value::unknown_not_null(Type::Bool), Value::from);
        Ok(answer.with_marks(members.all_marks()).with_marks(&needle.all_marks()))
    }

    /// Whether a value equals one of the members; `None` if that is not known.
    fn has_member(
        &self,
        members: &Arc<Members>,
        (node, needle): (&Node, &Value),
        site: CallSite<'_>,
    ) -> Evaluated<Option<bool>> {
        let mut origin: Option<Option<Origin>> = None;
        let mut is_open = false;
        let mut compare = |member: &Member| -> Option<bool> {
            let equal = member.value.equals(needle).ok().and_then(|equal| equal.unmark().0.as_bool().ok());
            let is_equal = equal.or_else(|| {
                let of_member = Origin::Named(member.origin.clone()?);
                let needle_origin = origin.get_or_insert_with(|| self.handed_on(node, &[], site.frame));
                let is_one = self.is_one_origin(&of_member, needle_origin.as_ref()?);
                is_one.then_some(true)
            });
            match is_equal {
                Some(true) if member.is_certain => return Some(true),
                Some(false) => {}
                _ => is_open = true,
            }
            None
        };
        let is_joined = members.is_shared() && scalar_kind(needle).is_some();
        if is_joined {
            let index = self.index_of(members, &[]);
            let positions = index.candidates(std::slice::from_ref(needle), &[]);
            self.count_steps(positions.len() as u64, site.node)?;
            for position in positions {
                if let Some(member) = members.items().get(position)
                    && compare(member).is_some()
                {
                    return Ok(Some(true));
                }
            }
        } else {
            self.count_steps(members.items().len() as u64, site.node)?;
            for member in members.items() {
                if compare(member).is_some() {
                    return Ok(Some(true));
                }
            }
        }
        if let Some(further) = members.further() {
            let equal = further.value.equals(needle).ok().and_then(|equal| equal.unmark().0.as_bool().ok());
            match equal {
                Some(true) if further.count.lower() > 0 => return Ok(Some(true)),
                Some(false) => {}
                _ => is_open = true,
            }
        }
        Ok(if is_open { None } else { Some(false) })
    }

    /// Whether an element of a list that is no comprehension is a copy of a value.
    fn has_copy(
        &self,
        (list_node, list): (&Node, &Value),
        (needle_node, needle): (&Node, &Value),
        frame: Option<&Frame<'_>>,
    ) -> bool {
        if needle.is_wholly_known() {
            return false;
        }
        let bare = list.clone().unmark().0;
        let elements: &[Value] = match bare.view() {
            View::List(list) => list.as_slice(),
            View::Tuple(tuple) => tuple.as_slice(),
            _ => return false,
        };
        let Some(of_needle) = self.handed_on(needle_node, &[], frame) else { return false };
        let origins = self.element_origins(list_node, frame);
        let mut unknown = elements.iter().enumerate().filter(|(_, element)| !element.is_wholly_known());
        unknown.any(|(position, _)| {
            let origin = self.element_origin(&origins, position, frame);
            origin.is_some_and(|origin| self.is_one_origin(&origin, &of_needle))
        })
    }

    /// What the elements of a list are copies of.
    fn element_origins<'n>(&self, list: &'n Node, frame: Option<&Frame<'_>>) -> ElementOrigins<'n> {
        match &list.kind {
            Kind::Parenthesis(inner) | Kind::Wrapped(inner) => self.element_origins(inner, frame),
            Kind::Tuple(nodes) => ElementOrigins::Each(nodes),
            _ => match self.handed_on(list, &[], frame) {
                Some(origin) => ElementOrigins::Of(origin),
                None => ElementOrigins::Unknown,
            },
        }
    }

    /// What the element at a position is a copy of.
    fn element_origin(
        &self,
        origins: &ElementOrigins<'_>,
        position: usize,
        frame: Option<&Frame<'_>>,
    ) -> Option<Origin> {
        match origins {
            ElementOrigins::Unknown => None,
            ElementOrigins::Of(list) => Some(list.element(position)),
            ElementOrigins::Each(nodes) => self.handed_on(nodes.get(position)?, &[], frame),
        }
    }

    /// The elements of a list or tuple as members, with their names; `None` for what is no such list, or not known.
    fn as_members(&self, value: &Value, node: &Node, frame: Option<&Frame<'_>>) -> Option<Members> {
        let (bare, marks) = value.clone().unmark();
        let elements: Vec<Value> = match bare.view() {
            View::List(list) => list.iter().cloned().collect(),
            View::Tuple(tuple) => tuple.iter().cloned().collect(),
            View::Set(set) if bare.is_wholly_known() => set.iter().cloned().collect(),
            _ => return None,
        };
        let origins = match bare.is_wholly_known() {
            true => ElementOrigins::Unknown,
            false => self.element_origins(node, frame),
        };
        let member = |(position, value): (usize, Value)| {
            let origin = match value.is_wholly_known() {
                true => None,
                false => self.element_origin(&origins, position, frame),
            };
            let origin = match origin {
                Some(Origin::Named(name)) => Some(name),
                _ => None,
            };
            Member { value, is_certain: true, origin }
        };
        let items = elements.into_iter().enumerate().map(member).collect();
        Some(Members::new(items).with_marks(&marks).for_one_use())
    }

    /// `one`: the only member, or null.
    fn only(&self, site: CallSite<'_>, members: &Members) -> Evaluated {
        // More than one is an error.
        self.call_with(site, &[certain_values(members)])?;
        let count = members.count();
        if count.upper() != Some(1) {
            self.may_fail();
        }
        let further = members.further().map(|further| &further.value);
        let values: Vec<&Value> = members
            .items()
            .iter()
            .filter(|member| count.lower() == 0 || member.is_certain)
            .map(|member| &member.value)
            .chain(further.filter(|_| members.items().iter().all(|member| !member.is_certain)))
            .collect();
        let any = joined(&values).unwrap_or_else(Value::dynamic);
        let result = match count.lower() {
            0 => {
                let null = Value::null(any.ty());
                Value::join(&[&any, &null]).unwrap_or_else(|_| Value::dynamic())
            }
            _ => any,
        };
        Ok(result.with_marks(members.all_marks()))
    }

    /// `sum` where all members are known to be there.
    fn sum_of_values(&self, site: CallSite<'_>, given: Vec<Structure>) -> Evaluated {
        let CallSite { function, call, node, frame } = site;
        let alternatives: Vec<Vec<Value>> = given.into_iter().map(Structure::into_alternatives).collect();
        if let [only] = alternatives.as_slice()
            && let [list] = only.as_slice()
            && is_empty(list)
        {
            return Ok(Value::from(0).with_marks(list.marks()));
        }
        self.call_given(Some(function), call, alternatives, node, frame)
    }

    /// `sum`: an interval.
    fn sum(&self, site: CallSite<'_>, members: &Members) -> Evaluated {
        let number = |value: &Value| {
            let tuple = Value::tuple([value.clone()]).ok()?;
            site.function.call(&[tuple]).ok()
        };
        let mut total = match members.items().iter().any(|member| member.is_certain) {
            true => self.call_with(site, &[certain_values(members)])?,
            false => {
                if !self.scope.is_for_rules {
                    // The sum of nothing is an error.
                    self.may_fail();
                }
                Value::from(0)
            }
        };
        let zero = Value::from(0);
        let mut add = |addend: Value| match total.add(&addend) {
            Ok(sum) => total = sum,
            Err(_) => {
                self.may_fail();
                total = Value::unknown_not_null(Type::Number);
            }
        };
        for member in members.items().iter().filter(|member| !member.is_certain) {
            if !member.value.is_wholly_known() {
                self.may_fail();
            }
            match number(&member.value) {
                Some(number) => {
                    let either = Value::join(&[&number.unmark_deep().0, &zero]);
                    add(either.unwrap_or_else(|_| Value::unknown_not_null(Type::Number)));
                }
                None => self.may_fail(),
            }
        }
        if let Some(further) = members.further() {
            if !further.value.is_wholly_known() {
                self.may_fail();
            }
            match number(&further.value) {
                Some(number) => add(any_multiple(&number)),
                None => self.may_fail(),
            }
        }
        Ok(total.with_marks(members.all_marks()))
    }

    /// `concat`.
    fn concatenated(&self, site: CallSite<'_>, given: Vec<Structure>) -> Evaluated<Structure> {
        // The arguments that are values are checked as always.
        let empty = Value::tuple(Vec::<Value>::new()).unwrap_or_else(|_| Value::dynamic());
        let (mut values, mut made) = (Vec::new(), Collected::default());
        for given in given {
            let value = match given {
                Structure::Members(members) if !members.is_set() => {
                    made.items.extend(members.items().iter().cloned());
                    if let Some(Further { value, count }) = members.further() {
                        made.push_further(value.clone(), *count);
                    }
                    made.marks.extend_from(members.marks());
                    values.push(empty.clone());
                    continue;
                }
                other => other.into_value(),
            };
            let (bare, marks) = value.clone().unmark();
            let node = site.call.arguments.get(values.len()).unwrap_or(site.node);
            match (self.as_members(&value, node, site.frame), super::iterate::items(&bare)) {
                (Some(members), _) => made.items.extend(members.items().iter().cloned()),
                (None, super::iterate::Items::Unknown { value, length, .. }) => {
                    made.push_further(value, length);
                }
                (None, _) => made.push_further(Value::dynamic(), LengthRange::at_least(0)),
            }
            made.marks.extend_from(&marks);
            values.push(value);
        }
        self.call_with(site, &values)?;
        Ok(made.finish().into())
    }

    /// `cidroverlaps`: the pairs of known networks, each there for certain if both networks are, and any pairs with unknown ones.
    fn overlaps(&self, site: CallSite<'_>, members: &Members) -> Evaluated<Members> {
        // What is wrong with a member that is there for certain is an error.
        let certain = self.call_with(site, &[certain_values(members)])?;
        let valid = |member: &&Member| {
            let alone = Value::tuple([member.value.clone()]).ok();
            let is_valid = alone.is_some_and(|alone| site.function.call_converting(&[alone]).is_ok());
            let is_known = is_valid && member.value.is_wholly_known();
            if !is_known && !member.is_certain {
                self.may_fail();
            }
            is_known
        };
        let known: Vec<&Member> = members.items().iter().filter(valid).collect();
        let tuple = Value::tuple(known.iter().map(|member| member.value.clone()));
        let all = match tuple {
            Ok(tuple) => self.call_with(site, &[tuple])?,
            Err(error) => return Err(self.too_large(&error, site.node, site.frame)),
        };
        let mut made = Collected { marks: members.all_marks().clone(), ..Collected::default() };
        let certain_known = certain_values_of(known.iter().copied().filter(|member| member.is_certain));
        let certain = match certain.is_known() {
            true => certain,
            false => self.call_with(site, &[certain_known])?,
        };
        // The pairs of networks that are there for certain, as often as they are.
        let mut left: HashMap<Value, usize> = HashMap::new();
        for pair in elements(&certain) {
            let count = left.entry(pair).or_default();
            *count = count.saturating_add(1);
        }
        for pair in elements(&all) {
            let is_certain = match left.get_mut(&pair) {
                Some(count) if *count > 0 => {
                    *count = count.saturating_sub(1);
                    true
                }
                _ => false,
            };
            made.items.push(Member { value: pair, is_certain, origin: None });
        }
        let unknown = members.items().iter().filter(|member| !member.value.is_wholly_known()).count() as u64;
        let most = (members.items().len() as u64).saturating_sub(1).saturating_mul(unknown);
        let most = Some(most).filter(|_| members.further().is_none());
        if most != Some(0) {
            let pair = Type::list(Type::String).map_or_else(|_| Value::dynamic(), Value::unknown_not_null);
            made.push_further(pair, LengthRange::new(0, most).unwrap_or_default());
        }
        if members.further().is_some() {
            self.may_fail();
        }
        Ok(made.finish())
    }

    /// The distinct members of collections: a known value once, an unknown one as one that may be there unless it is the only one.
    fn distinct_members<'m>(
        &self,
        collections: impl Iterator<Item = &'m Arc<Members>>,
        marks: Marks,
    ) -> Members {
        let mut made = Collected { marks, ..Collected::default() };
        let mut positions: HashMap<&Value, usize> = HashMap::new();
        let mut unknown: Vec<&Member> = Vec::new();
        for members in collections {
            made.marks.extend_from(members.marks());
            for member in members.items() {
                if !member.value.is_wholly_known() {
                    unknown.push(member);
                    continue;
                }
                match positions.get(&member.value).and_then(|at| made.items.get_mut(*at)) {
                    Some(before) => before.is_certain |= member.is_certain,
                    None => {
                        positions.insert(&member.value, made.items.len());
                        made.items.push(member.clone());
                    }
                }
            }
            if let Some(Further { value, count }) = members.further() {
                let count = LengthRange::new(0, count.upper()).unwrap_or_default();
                made.push_further(value.clone(), count);
            }
        }
        let mut is_first = !made.items.iter().any(|member| member.is_certain);
        for member in unknown {
            // It may equal another one, and is there once then.
            let is_certain = member.is_certain && is_first;
            is_first &= !is_certain;
            made.items.push(Member { is_certain, ..member.clone() });
        }
        let made = made.finish();
        let ty = type_of_members(&made);
        made.with_shape(Shape::Set(ty))
    }

    /// `setunion`, `setintersection` and `setsubtract` of collections of one type.
    fn set_operation(&self, name: &str, site: CallSite<'_>, given: Vec<Structure>) -> Evaluated<Structure> {
        let mut sets: Vec<Arc<Members>> = Vec::new();
        for (set, node) in given.iter().zip(&site.call.arguments) {
            match set {
                Structure::Members(members) => sets.push(members.clone()),
                Structure::Value(value) => match self.as_members(value, node, site.frame) {
                    Some(members) => sets.push(Arc::new(members)),
                    None => return Ok(self.unknown_set(&given)),
                },
                Structure::Alternatives(_) => return Ok(self.unknown_set(&given)),
            }
        }
        let mut types: Vec<Type> = Vec::new();
        for set in &sets {
            if !has_uniform_type(set) {
                return Ok(self.unknown_set(&given));
            }
            let first =
                set.items().iter().map(|member| &member.value).chain(set.further().map(|it| &it.value));
            types.extend(first.take(1).map(Value::ty));
        }
        if types.windows(2).any(|pair| pair.first() != pair.last()) {
            return Ok(self.unknown_set(&given));
        }
        if name == "setunion" {
            return Ok(self.distinct_members(sets.iter(), Marks::new()).into());
        }
        let Some((first, others)) = sets.split_first() else { return Ok(self.unknown_set(&given)) };
        let base = self.distinct_members([first].into_iter(), Marks::new());
        let mut made = Collected { marks: base.marks().clone(), ..Collected::default() };
        let is_wanted = name == "setintersection";
        let others: Vec<Lookup<'_>> = others.iter().map(|members| Lookup::new(members)).collect();
        for other in &others {
            made.marks.extend_from(other.members.all_marks());
        }
        self.count_steps(members_in(&Structure::Members(first.clone())), site.node)?;
        for member in base.items() {
            let mut answer = Some(true);
            for other in &others {
                let is_in = self.is_in(other, member, site)?.map(|is_in| is_in == is_wanted);
                answer = match (answer, is_in) {
                    (Some(false), _) | (_, Some(false)) => Some(false),
                    (Some(true), Some(true)) => Some(true),
                    _ => None,
                };
            }
            if answer != Some(false) {
                let is_certain = member.is_certain && answer == Some(true);
                made.items.push(Member { is_certain, ..member.clone() });
            }
        }
        if let Some(Further { value, count }) = base.further() {
            made.push_further(value.clone(), LengthRange::new(0, count.upper()).unwrap_or_default());
        }
        Ok(Structure::from(made.finish().with_shape(Shape::Set(type_of_members(&base)))))
    }

    /// Whether a member is in a collection.
    fn is_in(&self, set: &Lookup<'_>, member: &Member, site: CallSite<'_>) -> Evaluated<Option<bool>> {
        if member.value.is_wholly_known() {
            let bare = member.value.unmark_deep().0;
            if set.certain.contains(&bare) {
                return Ok(Some(true));
            }
            if set.is_known {
                return Ok(if set.possible.contains(&bare) { None } else { Some(false) });
            }
        }
        self.count_steps(set.members.items().len() as u64, site.node)?;
        let mut is_open = false;
        for other in set.members.items() {
            let equal =
                other.value.equals(&member.value).ok().and_then(|equal| equal.unmark().0.as_bool().ok());
            let is_one = |a: &Member, b: &Member| {
                let (Some(a), Some(b)) = (&a.origin, &b.origin) else { return false };
                self.is_one_origin(&Origin::Named(a.clone()), &Origin::Named(b.clone()))
            };
            match equal.or_else(|| is_one(other, member).then_some(true)) {
                Some(true) if other.is_certain => return Ok(Some(true)),
                Some(false) => {}
                _ => is_open = true,
            }
        }
        if let Some(further) = set.members.further() {
            let equal =
                further.value.equals(&member.value).ok().and_then(|equal| equal.unmark().0.as_bool().ok());
            is_open |= equal != Some(false);
        }
        Ok(if is_open { None } else { Some(false) })
    }

    /// The unknown result of a set function whose arguments are not all of one type.
    fn unknown_set(&self, given: &[Structure]) -> Structure {
        self.may_fail();
        let mut marks = Marks::new();
        for given in given {
            match given {
                Structure::Members(members) => marks.extend_from(members.all_marks()),
                Structure::Value(value) => marks.extend_from(&value.all_marks()),
                Structure::Alternatives(values) => {
                    values.iter().for_each(|value| marks.extend_from(&value.all_marks()));
                }
            }
        }
        Structure::Value(Value::dynamic().with_marks(&marks))
    }
}

/// What the elements of a list are copies of.
enum ElementOrigins<'n> {
    Unknown,
    /// Those of another list.
    Of(Origin),
    /// Each of what its node is a copy of.
    Each(&'n [Node]),
}

/// The values of a collection, to look others up in.
struct Lookup<'m> {
    members: &'m Members,
    certain: HashSet<Value>,
    possible: HashSet<Value>,
    /// Whether all values are known, and there are no further ones.
    is_known: bool,
}

impl<'m> Lookup<'m> {
    fn new(members: &'m Members) -> Lookup<'m> {
        let (mut certain, mut possible) = (HashSet::new(), HashSet::new());
        let mut is_known = members.further().is_none();
        for member in members.items() {
            if !member.value.is_wholly_known() {
                is_known = false;
                continue;
            }
            let value = member.value.unmark_deep().0;
            match member.is_certain {
                true => certain.insert(value),
                false => possible.insert(value),
            };
        }
        Lookup { members, certain, possible, is_known }
    }
}

/// The number of members that there may be. Of a set equal members are counted once.
fn counted(members: &Members) -> LengthRange {
    members.count()
}

/// The type of members of one type.
fn type_of_members(members: &Members) -> Type {
    let further = members.further().map(|further| &further.value);
    let mut values = members.items().iter().map(|member| &member.value).chain(further);
    values.next().map_or(Type::Dynamic, Value::ty)
}

/// The number of listed members, for the budget.
fn members_in(given: &Structure) -> u64 {
    match given {
        Structure::Members(members) => members.items().len() as u64,
        _ => 0,
    }
}

/// The tuple of the members that are there for certain.
fn certain_values(members: &Members) -> Value {
    certain_values_of(members.items().iter().filter(|member| member.is_certain))
}

/// The tuple of these members.
fn certain_values_of<'m>(members: impl Iterator<Item = &'m Member>) -> Value {
    Value::tuple(members.map(|member| member.value.clone())).unwrap_or_else(|_| Value::dynamic())
}

/// The elements of a known list.
fn elements(list: &Value) -> Vec<Value> {
    match list.clone().unmark().0.view() {
        View::List(list) => list.iter().cloned().collect(),
        _ => Vec::new(),
    }
}

/// Whether a value is a list, set or tuple without elements.
fn is_empty(list: &Value) -> bool {
    let bare = list.clone().unmark().0;
    match bare.view() {
        View::Tuple(tuple) => tuple.is_empty(),
        View::List(list) => list.is_empty(),
        View::Set(set) => set.length().upper() == Some(0),
        View::Unknown(range) => {
            range.is_not_null() && range.length_range().is_some_and(|length| length.upper() == Some(0))
        }
        _ => false,
    }
}

/// The sum of any number of numbers like this one.
fn any_multiple(number: &Value) -> Value {
    let at = |bound: &Bound| bound.number().cloned();
    let zero = Number::from(0);
    let (lower, upper) = match number.as_number() {
        Ok(number) => (Some(number.clone()), Some(number.clone())),
        Err(_) => {
            let range = number.range();
            let range = range.number_range();
            (range.and_then(|range| at(range.lower())), range.and_then(|range| at(range.upper())))
        }
    };
    let range = match (lower, upper) {
        (Some(lower), _) if lower >= zero => NumberRange::at_least(0),
        (_, Some(upper)) if upper <= zero => NumberRange::at_most(0),
        _ => return Value::unknown_not_null(Type::Number),
    };
    let refined = Value::refined(Type::Number, Refinement::number(range).and_not_null());
    refined.unwrap_or_else(|_| Value::unknown_not_null(Type::Number))
}

/// Whether a list is written as a tuple or a `for`, whose results are flattened one by one.
fn is_written_out(node: &Node) -> bool {
    match &node.kind {
        Kind::Wrapped(inner) | Kind::Parenthesis(inner) => is_written_out(inner),
        Kind::Tuple(_) => true,
        Kind::For(each) => each.result_key.is_none(),
        _ => false,
    }
}
