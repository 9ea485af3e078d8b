//! Evaluates a rule on every container kind that a value without a schema may have, and keeps the common answer.

use crate::plan::condition::Surroundings;
use std::cell::RefCell;

use super::conceal::{has_marks, without_kind_note};
use super::container_kinds::{
    SetDepths, array_depth, has_sibling_arrays, object_as_map, with_arrays, with_attribute_as_sets,
    with_attribute_without_arrays, with_sets,
};
use super::decided_parts::is_decided;
use super::evaluation::EvaluatedValue;
use super::operands::operands;
use super::prepared_rule::top_level_name;
use crate::plan::checking::compiled_test::CompiledTest;
use crate::plan::report::Side;
use plantime::rule::{ExprStep, How, Misuse, Outcome, PathExpr, PathMatch, Request, Rule, Why};
use plantime::unstable::rule::PlaceAnswer;
use plantime::{Path, Step, Type, Value};

/// The note of an answer that is undetermined because no schema gives the container kind.
pub(in crate::plan) const KIND_NOT_STATED: &str =
    "the plan does not say of which kind it is, such as list or set; schemas do (--schemas)";

/// The maximum number of combinations of lists and sets that one rule is evaluated on; beyond, the answer is
/// undetermined.
const COMBINATIONS: usize = 64;

/// The outcome of a rule, or why it cannot read the value.
pub(super) type RuleAnswer = Result<Outcome, Misuse>;

/// A cache for one value without a schema: how deep its arrays of undecided kind (list or set) nest, and the value
/// with these arrays read as sets. A rule on a list of thousands of places reuses it.
#[derive(Default)]
pub(super) struct Readings {
    /// How deep arrays nest, by attribute; `None` is the value itself.
    levels: RefCell<Vec<(Option<String>, usize)>>,
    /// The value and the prior value with arrays read as sets, by the depths of these arrays.
    sides: RefCell<Vec<(SetDepths, Sides)>>,
}

/// The value that a rule is evaluated on, and the prior value if there is one.
pub(super) type Sides = (Value, Option<Value>);

/// The outcome of a rule that is the same for every container kind (such as list or set) that values of undecided
/// type may have; undetermined if the kinds give different ones.
pub(in crate::plan) fn for_every_kind(
    rule: &Rule,
    value: &Value,
    before: Option<&Value>,
    declared: &Type,
) -> RuleAnswer {
    for_every_kind_in(rule, value, before, declared, None)
}

/// As [`for_every_kind`], with what conditions in the rule see beside the value.
pub(in crate::plan) fn for_every_kind_in(
    rule: &Rule,
    value: &Value,
    before: Option<&Value>,
    declared: &Type,
    surroundings: Option<&Surroundings>,
) -> RuleAnswer {
    let subject = EvaluatedValue {
        address: "",
        type_name: None,
        data: None,
        raw: value,
        value,
        before,
        side: Side::Planned,
        declared,
        depends_on: &|_| Vec::new(),
        same_as: None,
        copies: None,
        readings: Readings::default(),
        surroundings,
    };
    let answer = subject.whole_answer(rule, &operands(rule));
    if !matches!(answer, Ok(Outcome::Pass | Outcome::Fail(_))) {
        return answer;
    }
    common_answer(answer, subject.answers_at_index(rule).into_iter(), &Path::new(), rule)
}

impl EvaluatedValue<'_> {
    /// How deep arrays of undecided kind nest in an attribute on either side of the change; without a name, in the
    /// value itself.
    fn array_depth(&self, attribute: Option<&str>) -> usize {
        let mut known = self.readings.levels.borrow_mut();
        if let Some((_, levels)) = known.iter().find(|(of, _)| of.as_deref() == attribute) {
            return *levels;
        }
        let declared = match (attribute, self.declared) {
            (None, declared) => declared,
            (Some(name), Type::Object(ty)) => ty.get(name).unwrap_or(&Type::Dynamic),
            _ => &Type::Dynamic,
        };
        let of = |value: &Value| match attribute {
            None => array_depth(value, declared),
            Some(name) => attribute_value(value, name).map_or(0, |part| array_depth(&part, declared)),
        };
        let found = of(self.value).max(self.before.map_or(0, of));
        known.push((attribute.map(str::to_owned), found));
        found
    }

    /// Both sides of the change, with arrays of these depths read as sets.
    fn sides_with_sets(&self, depths: SetDepths) -> Sides {
        let mut known = self.readings.sides.borrow_mut();
        if let Some((_, sides)) = known.iter().find(|(of, _)| *of == depths) {
            return sides.clone();
        }
        let before = self.before.map(|before| with_sets(before, self.declared, depths));
        let sides = (with_sets(self.value, self.declared, depths), before);
        known.push((depths, sides.clone()));
        sides
    }

    /// The answer of a rule on the whole value that is the same for every kind that its operands (the values at these
    /// paths) may have; undetermined if the kinds give different ones.
    pub(super) fn whole_answer(&self, rule: &Rule, operands: &[PathExpr]) -> RuleAnswer {
        let answer = self.whole_answer_in_each_kind(rule, operands);
        let answer = self.decided_by_parts(rule, answer);
        let is_marked = match operands {
            [] => self.is_marked_in(None),
            operands => operands.iter().any(|operand| self.is_marked_in(top_level_name(operand))),
        };
        if is_marked { without_kind_note(answer) } else { answer }
    }

    /// Whether an attribute, or without a name the value itself, contains marks on either side of the change.
    fn is_marked_in(&self, attribute: Option<&str>) -> bool {
        [Some(self.value), self.before].into_iter().flatten().any(|side| has_marks(side, attribute))
    }

    /// The same resource or output with other values.
    pub(super) fn with_sides<'v>(
        &'v self,
        value: &'v Value,
        before: Option<&'v Value>,
    ) -> EvaluatedValue<'v> {
        EvaluatedValue {
            address: self.address,
            type_name: self.type_name,
            data: self.data,
            raw: self.raw,
            value,
            before,
            side: self.side,
            declared: self.declared,
            depends_on: self.depends_on,
            same_as: self.same_as,
            copies: self.copies,
            readings: Readings::default(),
            surroundings: self.surroundings,
        }
    }

    /// Both sides of the change with sets of undeclared kind read as arrays, if one of the paths has an index and there are
    /// such sets. An index into a set is a mistake where a schema declares the set; elsewhere it counts the members in the
    /// order of the plan, since JSON does not say which arrays are sets.
    pub(super) fn sides_with_arrays<'p>(
        &self,
        paths: impl IntoIterator<Item = &'p PathExpr>,
    ) -> Option<Sides> {
        let has_index = |path: &PathExpr| path.steps().iter().any(|step| matches!(step, ExprStep::Index(_)));
        if !paths.into_iter().any(has_index) {
            return None;
        }
        let before = self.before.map(|before| (before, with_arrays(before, self.declared)));
        let value = with_arrays(self.value, self.declared);
        if value.is_none() && !matches!(&before, Some((_, Some(_)))) {
            return None;
        }
        let before = before.map(|(before, read)| read.unwrap_or_else(|| before.clone()));
        Some((value.unwrap_or_else(|| self.value.clone()), before))
    }

    /// As `whole_answer`, but without looking at the parts of the rule one by one, and the note that the kind is not known may reveal the content of a marked value.
    pub(super) fn whole_answer_in_each_kind(&self, rule: &Rule, operands: &[PathExpr]) -> RuleAnswer {
        let answer = rule.check(&self.whole_request());
        if !self.declared.has_dynamic() {
            return answer;
        }
        if answer.is_err()
            && let Some((value, before)) = self.sides_with_arrays(operands)
        {
            return self.with_sides(&value, before.as_ref()).whole_answer_in_each_kind(rule, operands);
        }
        if operands.is_empty() {
            return self.own_kinds_answer(rule, answer);
        }
        let mut roots: Vec<(&str, usize)> = Vec::new();
        for name in operands.iter().filter_map(top_level_name) {
            if !roots.iter().any(|(known, _)| *known == name) {
                roots.push((name, self.array_depth(Some(name))));
            }
        }
        let is_open =
            |name: &str| attribute_value(self.value, name).is_some_and(|part| !part.ty().is_primitive());
        let asks_type =
            rule.asks_type() && roots.iter().any(|(name, _)| self.is_undecided(name) && is_open(name));
        roots.retain(|(_, levels)| *levels > 0);
        // Arrays side by side in one attribute may be of different kinds.
        let is_mixed = roots
            .iter()
            .any(|(name, _)| attribute_value(self.value, name).is_some_and(|part| has_sibling_arrays(&part)))
            && operands.len() > 1;
        let options = roots.iter().map(|(_, levels)| 1_usize << (*levels).min(4));
        let combinations = options.fold(1, usize::saturating_mul);
        if asks_type || is_mixed || combinations > COMBINATIONS {
            if !asks_type && self.is_decided_without_arrays(rule, &roots, &answer) {
                return answer;
            }
            return undetermined_answer(answer, &Path::new(), rule);
        }
        let readings = (1..combinations).map(|chosen| {
            let mut left = chosen;
            let mut value = self.value.clone();
            let mut before = self.before.cloned();
            for (name, levels) in &roots {
                let count = 1_usize << (*levels).min(4);
                let depths = left.checked_rem(count).and_then(|own| own.checked_sub(1));
                left = left.checked_div(count).unwrap_or(0);
                let Some(depths) = depths.and_then(|at| SetDepths::all_with_sets(*levels).nth(at)) else {
                    continue;
                };
                value = with_attribute_as_sets(&value, name, self.declared, depths);
                before = before.map(|before| with_attribute_as_sets(&before, name, self.declared, depths));
            }
            self.check_sides(rule, &value, before.as_ref())
        });
        common_answer(answer, readings, &Path::new(), rule)
    }

    /// Whether a rule has this answer whatever the arrays in these attributes are, and whatever is in them.
    fn is_decided_without_arrays(&self, rule: &Rule, roots: &[(&str, usize)], answer: &RuleAnswer) -> bool {
        let without = |value: &Value| {
            roots.iter().fold(value.clone(), |value, (name, _)| with_attribute_without_arrays(&value, name))
        };
        let before = self.before.map(without);
        match (self.check_sides(rule, &without(self.value), before.as_ref()), answer) {
            (Ok(Outcome::Undetermined(_)), _) => false,
            (Ok(outcome), Ok(answer)) => outcome.name() == answer.name(),
            (Err(_), Err(_)) => true,
            _ => false,
        }
    }

    /// The answer of a rule without operands on a value that may itself be a list, set or tuple, or a map or object:
    /// an output has no schema that says which. A rule about the kind is undetermined there. `answer` is that for the
    /// value as it was read.
    fn own_kinds_answer(&self, rule: &Rule, answer: RuleAnswer) -> RuleAnswer {
        if *self.declared != Type::Dynamic {
            return answer;
        }
        let is_container = !self.value.is_null() && self.value.is_known() && !self.value.ty().is_primitive();
        if rule.asks_type() && is_container {
            return undetermined_answer(answer, &Path::new(), rule);
        }
        let sets = SetDepths::all_with_sets(self.array_depth(None)).map(|depths| {
            let (value, before) = self.sides_with_sets(depths);
            self.check_sides(rule, &value, before.as_ref())
        });
        let map = if answer.is_err() { object_as_map(self.value) } else { None };
        let map = map.map(|map| self.check_sides(rule, &map, None));
        common_answer(answer, sets.chain(map), &Path::new(), rule)
    }

    /// Whether the declared type leaves the type of an attribute, or of a part of it, open.
    fn is_undecided(&self, name: &str) -> bool {
        match self.declared {
            Type::Object(ty) => ty.get(name).is_none_or(Type::has_dynamic),
            _ => true,
        }
    }

    /// The answer of a rule on these planned and prior values.
    fn check_sides(&self, rule: &Rule, value: &Value, before: Option<&Value>) -> RuleAnswer {
        let request = self.with_function_data(Request::new(value));
        rule.check(&match before {
            Some(before) => request.before(before),
            None => request,
        })
    }

    /// The answer at a place that is the same for every kind that the value there, and the arrays on the way to it,
    /// may have; undetermined if the kinds give different ones. `answer` is the one for lists and objects, `name` the
    /// path for messages.
    pub(super) fn place_answer(
        &self,
        test: &CompiledTest,
        place: &PlaceAnswer,
        name: &Path,
        answer: RuleAnswer,
    ) -> RuleAnswer {
        let answer = self.place_answer_in_each_kind(test, place, name, answer);
        let at_place = place.exactly.as_ref().filter(|_| !is_decided(&answer) && test.rule.depth() > 1);
        let at_place = at_place.and_then(|path| Rule::at(path.clone(), test.rule.clone()).ok());
        let answer = match &at_place {
            Some(rule) => self.decided_by_parts(rule, answer),
            None => answer,
        };
        let is_undetermined = matches!(answer, Ok(Outcome::Undetermined(_)));
        if is_undetermined && self.is_marked_in(test.path.as_ref().and_then(top_level_name)) {
            without_kind_note(answer)
        } else {
            answer
        }
    }

    /// As `place_answer`, but the note that the kind is not known may reveal the content of a marked value.
    fn place_answer_in_each_kind(
        &self,
        test: &CompiledTest,
        place: &PlaceAnswer,
        name: &Path,
        answer: RuleAnswer,
    ) -> RuleAnswer {
        let attribute = test.path.as_ref().and_then(top_level_name);
        if !attribute.map_or(self.declared.has_dynamic(), |name| self.is_undecided(name)) {
            return answer;
        }
        let value = &place.value;
        if answer.is_err()
            && let Some(map) = object_as_map(value)
        {
            let request = Request::new(&map).at(name.clone()).within(self.value);
            let of_map = test.rule.check(&self.with_function_data(request));
            return if of_map.is_ok() { of_map } else { answer };
        }
        let levels = self.array_depth(attribute);
        let is_container = place.rest.is_empty()
            && !value.is_null()
            && value.is_known()
            && !value.ty().is_primitive()
            && self.declared_at(&place.path) == Type::Dynamic;
        if test.rule.asks_type() && is_container {
            return undetermined_answer(answer, name, &test.whole);
        }
        if levels == 0 {
            return answer;
        }
        let crossed = self.undecided_array_depths(&place.path);
        let others = SetDepths::all_with_sets(levels)
            .flat_map(|depths| self.answers_with_sets(test, place, name, &crossed, depths));
        common_answer(answer, others, name, &test.whole)
    }

    /// Whether a place lies in an array that may be a set, so that its index is not final.
    pub(super) fn may_be_in_set(&self, test: &CompiledTest, place: &Path) -> bool {
        let attribute = test.path.as_ref().and_then(top_level_name);
        let undecided = attribute.map_or(self.declared.has_dynamic(), |name| self.is_undecided(name));
        undecided && self.array_depth(attribute) > 0 && !self.undecided_array_depths(place).is_empty()
    }

    /// The answers at a place, with the arrays at these depths read as sets. `crossed` are the undecided arrays on
    /// the way to the place, each as the number of steps before it.
    fn answers_with_sets(
        &self,
        test: &CompiledTest,
        place: &PlaceAnswer,
        name: &Path,
        crossed: &[usize],
        depths: SetDepths,
    ) -> Vec<RuleAnswer> {
        let through_set = (0..crossed.len()).find(|array| depths.below(*array).has_outermost());
        if place.is_sealed {
            let (value, before) = self.sides_with_sets(depths);
            return vec![self.check_sides(&test.whole, &value, before.as_ref())];
        }
        let Some(array) = through_set else {
            let Some(exactly) = &place.exactly else { return Vec::new() };
            let Ok(at) = Rule::at(exactly.clone(), test.rule.clone()) else { return Vec::new() };
            let (value, before) = self.sides_with_sets(depths);
            return vec![self.check_sides(&at, &value, before.as_ref())];
        };
        let mut answers = Vec::new();
        let leaf = with_sets(&place.value, &Type::Dynamic, depths.below(crossed.len()));
        // A member of a set has no prior value, since members have no identity.
        if test.rule.reads_before() || leaf != place.value {
            let rule = match place.rest.is_empty() {
                true => Ok(test.rule.clone()),
                false => Rule::at(place.rest.clone(), test.rule.clone()),
            };
            let here = Request::new(&leaf).at(name.clone()).within(self.value);
            answers.extend(rule.ok().map(|rule| rule.check(&self.with_function_data(here))));
        }
        if let Some(path) = &test.path
            && let Some(depth) = crossed.get(array)
            && let Some(ExprStep::Index(index)) = path.steps().get(*depth)
        {
            answers.extend(self.answers_for_members((&test.rule, &test.whole), path, *depth, *index, depths));
        }
        answers
    }

    /// The answers of a rule on a place inside an array, for every member that may be at the index in its path.
    fn answers_at_index(&self, whole: &Rule) -> Vec<RuleAnswer> {
        let (Rule::At(path, _), Some(rule)) = (whole, whole.nested().next()) else { return Vec::new() };
        let attribute = top_level_name(path);
        if !attribute.map_or(self.declared.has_dynamic(), |name| self.is_undecided(name)) {
            return Vec::new();
        }
        let mut answers = Vec::new();
        for depths in SetDepths::all_with_sets(self.array_depth(attribute)) {
            for (depth, step) in path.steps().iter().enumerate() {
                if let ExprStep::Index(index) = step {
                    answers.extend(self.answers_for_members((rule, whole), path, depth, *index, depths));
                }
            }
        }
        answers
    }

    /// Evaluates the rule on every member that may be at index `index` of an array, if the array is a set whose members are
    /// unknown or have no order of their own; and on null, if the set may be too short. `depth` is the number of steps of
    /// `path` before the array, `whole` the rule on the whole value.
    fn answers_for_members(
        &self,
        (rule, whole): (&Rule, &Rule),
        path: &PathExpr,
        depth: usize,
        index: u64,
        depths: SetDepths,
    ) -> Vec<RuleAnswer> {
        let (sets, _) = self.sides_with_sets(depths);
        let container = PathExpr::from_steps(path.steps().iter().take(depth).cloned());
        let found = container.and_then(|container| container.matches(&sets)).unwrap_or_default();
        let mut answers = Vec::new();
        // Members that are known and of a primitive type are in order. The order of others is not said by their content.
        let is_in_order =
            |set: &Value| set.is_wholly_known() && set.ty().element_type().is_some_and(Type::is_primitive);
        let is_open =
            |found: &&PathMatch| matches!(found.value.ty(), Type::Set(_)) && !is_in_order(&found.value);
        for set in found.iter().filter(is_open) {
            let least = set.value.range().length_range().map_or(0, |length| length.lower());
            let rest = path.steps().iter().skip(depth.saturating_add(1)).cloned();
            let rest = PathExpr::from_steps(std::iter::once(ExprStep::AnyElement).chain(rest));
            // Each member by itself: which of them will be at the index is not known.
            for member in rest.and_then(|rest| rest.matches(&set.value)).unwrap_or_default() {
                answers.push(match member.how {
                    How::Exact => rule.check(&self.with_function_data(Request::new(&member.value))),
                    _ => Ok(undetermined_by_kind(&Path::new(), whole)),
                });
            }
            // A rule that cannot be evaluated on a member speaks of other values.
            if answers.iter().any(Result::is_err) {
                answers.retain(Result::is_err);
                return answers;
            }
            if index >= least {
                let null = Value::null(Type::Dynamic);
                answers.push(rule.check(&self.with_function_data(Request::new(&null))));
            }
        }
        answers
    }

    /// For each array of undecided kind that a path goes through, the number of steps before it.
    fn undecided_array_depths(&self, place: &Path) -> Vec<usize> {
        let mut crossed = Vec::new();
        let mut here = self.value.clone();
        for (depth, step) in place.steps().iter().enumerate() {
            let before = Path::from(place.steps().get(..depth).unwrap_or_default());
            if matches!(here.ty(), Type::Tuple(_)) && self.declared_at(&before) == Type::Dynamic {
                crossed.push(depth);
            }
            here = match (here.get(&Path::from(std::slice::from_ref(step))), step) {
                (Ok(next), _) => next,
                (Err(_), Step::Index(key)) => {
                    let (key, _) = key.clone().unmark();
                    let attribute = key.as_str().ok().and_then(|key| here.get(&Path::new().attr(key)).ok());
                    match attribute {
                        Some(next) => next,
                        None => break,
                    }
                }
                (Err(_), Step::Attr(_)) => break,
            };
        }
        crossed
    }

    /// The declared type at a place.
    fn declared_at(&self, place: &Path) -> Type {
        let mut here = self.declared.clone();
        for step in place.steps() {
            here = match (&here, step) {
                (Type::Object(ty), Step::Attr(name)) => {
                    ty.get(name.as_str()).cloned().unwrap_or(Type::Dynamic)
                }
                (Type::Tuple(ty), Step::Index(key)) => {
                    let at = key.as_number().ok().and_then(|at| usize::try_from(at.to_u64()?).ok());
                    at.and_then(|at| ty.get(at).cloned()).unwrap_or(Type::Dynamic)
                }
                (ty, _) => ty.element_type().cloned().unwrap_or(Type::Dynamic),
            };
        }
        here
    }
}

/// The answer if all readings of the value give the same one, else undetermined with the obligation `remains`.
/// Readings that the rule cannot be evaluated on are ignored: the author of the rule cannot have meant them.
fn common_answer(
    answer: RuleAnswer,
    others: impl Iterator<Item = RuleAnswer>,
    place: &Path,
    remains: &Rule,
) -> RuleAnswer {
    let mut answer = answer;
    for other in others {
        answer = match (answer, other) {
            (answer @ Ok(_), Err(_)) => answer,
            (Err(_), other) => other,
            (Ok(answer), Ok(other)) if is_same_answer(&answer, &other) => Ok(answer),
            // The obligation of one reading may not hold for the other, so the whole rule remains.
            (Ok(Outcome::Undetermined(why)), _) => {
                Ok(Outcome::Undetermined(why.with_obligation(remains.clone())))
            }
            (Ok(_), Ok(_)) => Ok(undetermined_by_kind(place, remains)),
        };
    }
    answer
}

/// Joins `answer` with an undetermined one for the readings of the value (a list as a set, an object as a map) that the rule
/// cannot be evaluated on: one of them may give another answer.
fn undetermined_answer(answer: RuleAnswer, place: &Path, remains: &Rule) -> RuleAnswer {
    common_answer(answer, std::iter::once(Ok(undetermined_by_kind(place, remains))), place, remains)
}

/// Whether two outcomes are of the same kind and leave the same obligation.
fn is_same_answer(a: &Outcome, b: &Outcome) -> bool {
    let left = |outcome: &Outcome| outcome.why().and_then(|why| why.obligation().cloned());
    a.name() == b.name() && left(a) == left(b)
}

/// The undetermined outcome of a rule at a place, because no schema gives the container kind; `remains` is the
/// obligation.
fn undetermined_by_kind(place: &Path, remains: &Rule) -> Outcome {
    Outcome::Undetermined(
        Why::new([place.clone()]).with_note(KIND_NOT_STATED).with_obligation(remains.clone()),
    )
}

/// The value of an object's attribute; `None` if there is no such attribute.
fn attribute_value(value: &Value, name: &str) -> Option<Value> {
    value.get(&Path::new().attr(name)).ok()
}
