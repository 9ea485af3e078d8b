//! An answer that holds for every kind that a value may have.

use std::cell::RefCell;

use super::conceal::{has_marks, without_kind_note};
use super::container_kinds::{SetDepths, has_several, levels, object_as_map, with_part_as_sets, with_sets};
use super::evaluation::Examined;
use super::operands::operands;
use super::prepared_rule::PreparedTest;
use crate::path::{Path, Step};
use crate::plan::report::Side;
use crate::rule::{ExprStep, How, Misuse, Outcome, PathExpr, PlaceAnswer, Request, Rule, Why};
use crate::types::Type;
use crate::value::Value;

/// Said of an answer that a schema would decide.
pub(super) const NOT_SAID: &str =
    "the plan does not say of which kind it is, such as list or set; schemas do (--schemas)";

/// The most combinations of readings that one rule is evaluated on; beyond, nothing is said.
const COMBINATIONS: usize = 64;

type RuleAnswer = Result<Outcome, Misuse>;

/// What was worked out of a value's other readings: a list of thousands of places asks for the same ones each time.
#[derive(Default)]
pub(super) struct Readings {
    /// How deep arrays nest in an attribute; in the value itself. A rule looks at one or a few.
    levels: RefCell<Vec<(Option<String>, usize)>>,
    /// The value and the one before, by the arrays that are read as sets.
    sides: RefCell<Vec<(SetDepths, Sides)>>,
}

/// A reading of the value, and of the one before.
type Sides = (Value, Option<Value>);

/// The answer of a rule on a value of a declared type, for each kind that parts of undecided type may have.
pub(in crate::plan) fn for_every_kind(
    rule: &Rule,
    value: &Value,
    before: Option<&Value>,
    declared: &Type,
) -> RuleAnswer {
    let examined = Examined {
        address: String::new(),
        type_name: None,
        data: None,
        raw: value,
        value,
        before,
        side: Side::Planned,
        declared,
        depends_on: &|_| Vec::new(),
        readings: Readings::default(),
    };
    examined.on_whole(rule, &operands(rule))
}

impl Examined<'_> {
    /// How deep arrays of undecided kind nest in an attribute, before or after the change; in the value itself.
    fn levels(&self, attribute: Option<&str>) -> usize {
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
            None => levels(value, declared),
            Some(name) => part(value, name).map_or(0, |part| levels(&part, declared)),
        };
        let found = of(self.value).max(self.before.map_or(0, of));
        known.push((attribute.map(str::to_owned), found));
        found
    }

    /// The value and the one before, with some arrays read as sets.
    fn sides(&self, depths: SetDepths) -> Sides {
        let mut known = self.readings.sides.borrow_mut();
        if let Some((_, sides)) = known.iter().find(|(of, _)| *of == depths) {
            return sides.clone();
        }
        let before = self.before.map(|before| with_sets(before, self.declared, depths));
        let sides = (with_sets(self.value, self.declared, depths), before);
        known.push((depths, sides.clone()));
        sides
    }

    /// The answer of a rule on the whole value, for each kind that the parts it looks at may have.
    pub(super) fn on_whole(&self, rule: &Rule, operands: &[PathExpr]) -> RuleAnswer {
        let answer = self.whole_in_each_kind(rule, operands);
        let is_marked = match operands {
            [] => self.is_marked_in(None),
            operands => operands.iter().any(|operand| self.is_marked_in(root(operand))),
        };
        if is_marked { without_kind_note(answer) } else { answer }
    }

    fn is_marked_in(&self, attribute: Option<&str>) -> bool {
        [Some(self.value), self.before].into_iter().flatten().any(|side| has_marks(side, attribute))
    }

    fn whole_in_each_kind(&self, rule: &Rule, operands: &[PathExpr]) -> RuleAnswer {
        let answer = rule.check(&self.whole());
        if !self.declared.has_dynamic() {
            return answer;
        }
        if operands.is_empty() {
            return self.on_itself(rule, answer);
        }
        let mut roots: Vec<(&str, usize)> = Vec::new();
        for name in operands.iter().filter_map(root) {
            if !roots.iter().any(|(known, _)| *known == name) {
                roots.push((name, self.levels(Some(name))));
            }
        }
        let is_open = |name: &str| part(self.value, name).is_some_and(|part| !part.ty().is_primitive());
        let asks_type =
            rule.asks_type() && roots.iter().any(|(name, _)| self.is_undecided(name) && is_open(name));
        roots.retain(|(_, levels)| *levels > 0);
        // Arrays side by side in one attribute may be of different kinds.
        let is_mixed =
            roots.iter().any(|(name, _)| part(self.value, name).is_some_and(|part| has_several(&part)))
                && operands.len() > 1;
        let options = roots.iter().map(|(_, levels)| 1_usize << (*levels).min(4));
        let combinations = options.fold(1, usize::saturating_mul);
        if asks_type || is_mixed || combinations > COMBINATIONS {
            return agreed(answer, [Ok(undetermined(&Path::new(), rule))].into_iter(), &Path::new(), rule);
        }
        let readings = (1..combinations).map(|chosen| {
            let mut left = chosen;
            let mut value = self.value.clone();
            let mut before = self.before.cloned();
            for (name, levels) in &roots {
                let count = 1_usize << (*levels).min(4);
                let depths = left.checked_rem(count).and_then(|own| own.checked_sub(1));
                left = left.checked_div(count).unwrap_or(0);
                let Some(depths) = depths.and_then(|at| SetDepths::all(*levels).nth(at)) else { continue };
                value = with_part_as_sets(&value, name, self.declared, depths);
                before = before.map(|before| with_part_as_sets(&before, name, self.declared, depths));
            }
            self.check_reading(rule, &value, before.as_ref())
        });
        agreed(answer, readings, &Path::new(), rule)
    }

    /// The answer of a rule on the value itself, which may be of undecided kind: that of an output is.
    fn on_itself(&self, rule: &Rule, answer: RuleAnswer) -> RuleAnswer {
        if *self.declared != Type::Dynamic {
            return answer;
        }
        let is_container = !self.value.is_null() && self.value.is_known() && !self.value.ty().is_primitive();
        if rule.asks_type() && is_container {
            return agreed(answer, [Ok(undetermined(&Path::new(), rule))].into_iter(), &Path::new(), rule);
        }
        let sets = SetDepths::all(self.levels(None)).map(|depths| {
            let (value, before) = self.sides(depths);
            self.check_reading(rule, &value, before.as_ref())
        });
        let map = if answer.is_err() { object_as_map(self.value) } else { None };
        let map = map.map(|map| self.check_reading(rule, &map, None));
        agreed(answer, sets.chain(map), &Path::new(), rule)
    }

    fn is_undecided(&self, name: &str) -> bool {
        match self.declared {
            Type::Object(ty) => ty.get(name).is_none_or(Type::has_dynamic),
            _ => true,
        }
    }

    fn check_reading(&self, rule: &Rule, value: &Value, before: Option<&Value>) -> RuleAnswer {
        let request = self.receiving(Request::new(value));
        rule.check(&match before {
            Some(before) => request.before(before),
            None => request,
        })
    }

    /// The answer at a place, for each kind that the value there, and the arrays on the way to it, may have.
    pub(super) fn on_place(&self, test: &PreparedTest<'_>, place: &PlaceAnswer, name: &Path) -> RuleAnswer {
        let answer = self.place_in_each_kind(test, place, name);
        let is_undetermined = matches!(answer, Ok(Outcome::Undetermined(_)));
        if is_undetermined && self.is_marked_in(test.path.as_ref().and_then(root)) {
            without_kind_note(answer)
        } else {
            answer
        }
    }

    fn place_in_each_kind(&self, test: &PreparedTest<'_>, place: &PlaceAnswer, name: &Path) -> RuleAnswer {
        let answer = place.outcome.clone();
        let attribute = test.path.as_ref().and_then(root);
        if !attribute.map_or(self.declared.has_dynamic(), |name| self.is_undecided(name)) {
            return answer;
        }
        let value = &place.value;
        if answer.is_err()
            && let Some(map) = object_as_map(value)
        {
            let request = Request::new(&map).at(name.clone()).within(self.value);
            let of_map = test.rule.check(&self.receiving(request));
            return if of_map.is_ok() { of_map } else { answer };
        }
        let levels = self.levels(attribute);
        let is_container = place.rest.is_empty()
            && !value.is_null()
            && value.is_known()
            && !value.ty().is_primitive()
            && self.declared_at(&place.path) == Type::Dynamic;
        if test.rule.asks_type() && is_container {
            return agreed(
                answer,
                [Ok(undetermined(name, &test.everywhere))].into_iter(),
                name,
                &test.everywhere,
            );
        }
        if levels == 0 {
            return answer;
        }
        let crossed = self.crossed(&place.path);
        let others =
            SetDepths::all(levels).flat_map(|depths| self.in_reading(test, place, name, &crossed, depths));
        agreed(answer, others, name, &test.everywhere)
    }

    /// Whether a place lies in an array that may be a set, where its index may be another one in the end.
    pub(super) fn may_be_in_set(&self, test: &PreparedTest<'_>, place: &Path) -> bool {
        let attribute = test.path.as_ref().and_then(root);
        let undecided = attribute.map_or(self.declared.has_dynamic(), |name| self.is_undecided(name));
        undecided && self.levels(attribute) > 0 && !self.crossed(place).is_empty()
    }

    /// The answers at a place, with some arrays read as sets. `crossed` are the depths, in steps, of the arrays of
    /// undecided kind on the way to the place.
    fn in_reading(
        &self,
        test: &PreparedTest<'_>,
        place: &PlaceAnswer,
        name: &Path,
        crossed: &[usize],
        depths: SetDepths,
    ) -> Vec<RuleAnswer> {
        let through_set = (0..crossed.len()).find(|array| depths.inside(*array).has_outermost());
        if place.is_sealed {
            let (value, before) = self.sides(depths);
            return vec![self.check_reading(&test.everywhere, &value, before.as_ref())];
        }
        let Some(array) = through_set else {
            let Some(exactly) = &place.exactly else { return Vec::new() };
            let Ok(at) = Rule::at(exactly.clone(), test.rule.clone()) else { return Vec::new() };
            let (value, before) = self.sides(depths);
            return vec![self.check_reading(&at, &value, before.as_ref())];
        };
        let mut answers = Vec::new();
        let leaf = with_sets(&place.value, &Type::Dynamic, depths.inside(crossed.len()));
        // A member of a set has no value before.
        if test.rule.reads_before() || leaf != place.value {
            let rule = match place.rest.is_empty() {
                true => Ok(test.rule.clone()),
                false => Rule::at(place.rest.clone(), test.rule.clone()),
            };
            let here = Request::new(&leaf).at(name.clone()).within(self.value);
            answers.extend(rule.ok().map(|rule| rule.check(&self.receiving(here))));
        }
        if let Some(path) = &test.path
            && let Some(depth) = crossed.get(array)
            && let Some(ExprStep::Index(index)) = path.steps().get(*depth)
        {
            answers.extend(self.as_any_member(test, path, *depth, *index, depths));
        }
        answers
    }

    /// The answers at an index into an array that may be a set with members that are not known yet: each member may come
    /// to stand there, and where the set may turn out shorter, none.
    fn as_any_member(
        &self,
        test: &PreparedTest<'_>,
        path: &PathExpr,
        depth: usize,
        index: u64,
        depths: SetDepths,
    ) -> Vec<RuleAnswer> {
        let (sets, _) = self.sides(depths);
        let container = PathExpr::from_steps(path.steps().iter().take(depth).cloned());
        let found = container.and_then(|container| container.matches(&sets)).unwrap_or_default();
        let mut answers = Vec::new();
        for set in found.iter().filter(|found| !found.value.is_wholly_known()) {
            let least = set.value.range().length_range().map_or(0, |length| length.lower());
            let rest = path.steps().iter().skip(depth.saturating_add(1)).cloned();
            let rest = PathExpr::from_steps(std::iter::once(ExprStep::AnyElement).chain(rest));
            // One by one: of "some member fails" nothing follows for the one that comes to stand at the index.
            for member in rest.and_then(|rest| rest.matches(&set.value)).unwrap_or_default() {
                answers.push(match member.how {
                    How::Exact => test.rule.check(&self.receiving(Request::new(&member.value))),
                    _ => Ok(undetermined(&Path::new(), &test.everywhere)),
                });
            }
            if index >= least {
                let null = Value::null(Type::Dynamic);
                answers.push(test.rule.check(&self.receiving(Request::new(&null))));
            }
        }
        answers
    }

    /// At which steps of a place an array of undecided kind is entered.
    fn crossed(&self, place: &Path) -> Vec<usize> {
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

/// The answer where all readings agree. A reading that the rule cannot read is none that its author had in mind.
fn agreed(
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
            (Ok(answer), Ok(other)) if answers_alike(&answer, &other) => Ok(answer),
            // What is left of the rule in one reading says nothing of the other: all of it is left.
            (Ok(Outcome::Undetermined(why)), _) => {
                Ok(Outcome::Undetermined(why.with_obligation(remains.clone())))
            }
            (Ok(_), Ok(_)) => Ok(undetermined(place, remains)),
        };
    }
    answer
}

/// Whether two answers are the same, and leave the same to show.
fn answers_alike(a: &Outcome, b: &Outcome) -> bool {
    let left = |outcome: &Outcome| outcome.why().and_then(|why| why.obligation().cloned());
    a.name() == b.name() && left(a) == left(b)
}

fn undetermined(place: &Path, remains: &Rule) -> Outcome {
    Outcome::Undetermined(Why::new([place.clone()]).with_note(NOT_SAID).with_obligation(remains.clone()))
}

pub(super) fn root(path: &PathExpr) -> Option<&str> {
    match path.steps().first() {
        Some(ExprStep::Attr(name) | ExprStep::Key(name)) => Some(name),
        _ => None,
    }
}

fn part(value: &Value, name: &str) -> Option<Value> {
    value.get(&Path::new().attr(name)).ok()
}
