//! Evaluation in cases: where a collection may become only a few values, each of them is evaluated, and the result is the join.

use plantime::unstable::value::possible_sets;
use plantime::{LengthRange, Marks, Refinement, Type, Value, View};

use super::iterate::{Items, items};
use super::{Evaluated, Evaluator, ValueFacts, unknown_with_marks_of};

/// The maximum number of sets that an unknown set may become, of members of each, and of lengths that a set may have, for these cases
/// to be evaluated one by one.
const MAX_CASES: usize = 8;

/// The maximum number of members of a set that are tried one by one; a larger set is not evaluated by its lengths either.
const MAX_CERTAIN_MEMBERS: usize = 64;

/// The first members of a set that is not wholly known, which are certainly in it, though some may turn out the same. Empty
/// for other collections.
fn certain_members(collection: &Value) -> Vec<Value> {
    match collection.view() {
        View::Set(set) if !collection.is_wholly_known() && !set.element_type().has_dynamic() => {
            set.iter().take(MAX_CERTAIN_MEMBERS).cloned().collect()
        }
        _ => Vec::new(),
    }
}

/// The set once for each length that it may have, narrowed to that length. `None` if it has one possible length or more than
/// [`MAX_CASES`], or more than [`MAX_CERTAIN_MEMBERS`] members.
fn sets_by_length(collection: &Value) -> Option<Vec<Value>> {
    let View::Set(set) = collection.view() else { return None };
    let (least, most) = (set.length().lower(), set.length().upper()?);
    if least == most
        || most.saturating_sub(least) >= MAX_CASES as u64
        || set.member_count() > MAX_CERTAIN_MEMBERS
    {
        return None;
    }
    let of_length = |length| collection.assume(&Refinement::length(LengthRange::exactly(length)));
    Some((least..=most).filter_map(|length| of_length(length).ok()).collect())
}

/// The sets that a set of not more than a few members may become, if these are only a few.
fn few_possible_sets(collection: &Value) -> Option<Vec<Value>> {
    let set = collection.assume_not_null().ok()?;
    if let Some(cases) = possible_sets(&set) {
        return Some(cases);
    }
    match set.view() {
        View::Set(members) if members.length().upper().is_some_and(|most| most <= MAX_CASES as u64) => {
            set.outcomes().filter(|cases| cases.len() <= MAX_CASES)
        }
        _ => None,
    }
}

/// The join of values; an unknown with their marks if there is none.
pub(super) fn join_or_unknown(values: &[Value]) -> Value {
    match values {
        [only] => only.clone(),
        all => Value::join(&all.iter().collect::<Vec<_>>()).unwrap_or_else(|_| unknown_with_marks_of(all)),
    }
}

impl Evaluator<'_> {
    /// Evaluates something over the items of a collection. A set that can become only a few known sets, or has a few possible lengths,
    /// is evaluated for each of these cases; the result is the join of those results that are no errors. `try_item` evaluates a single item and fails if that
    /// item makes the whole evaluation fail.
    pub(super) fn of_each_case(
        &self,
        collection: &Value,
        run: impl Fn(&Value, Items) -> Evaluated,
        try_item: impl Fn(&Value) -> Evaluated<()>,
    ) -> Evaluated {
        let results = self.results_of_each_case(collection, run, try_item)?;
        Ok(join_or_unknown(&results))
    }

    /// As [`of_each_case`](Evaluator::of_each_case), but returns one result for each case instead of their join. `run` gets the case and
    /// its items.
    pub(super) fn results_of_each_case(
        &self,
        collection: &Value,
        run: impl Fn(&Value, Items) -> Evaluated,
        try_item: impl Fn(&Value) -> Evaluated<()>,
    ) -> Evaluated<Vec<Value>> {
        let is_decided = !matches!(collection.ty(), Type::Set(_)) || collection.is_wholly_known();
        let narrowed =
            if is_decided { None } else { self.narrow_to_succeeding_members(collection, &try_item) };
        let collection = narrowed.as_ref().unwrap_or(collection);
        // Inside each other, cases would multiply.
        let cases = match is_decided || self.state.in_cases.get() {
            true => None,
            false => few_possible_sets(collection).or_else(|| sets_by_length(collection)),
        };
        let Some(cases) = cases.filter(|all| !all.is_empty()) else {
            certain_members(collection).iter().try_for_each(try_item)?;
            return Ok(vec![run(collection, items(collection))?]);
        };
        self.state.in_cases.set(true);
        let results = self.results_of_alternatives(cases, |case| {
            certain_members(case).iter().try_for_each(&try_item)?;
            run(case, items(case))
        });
        self.state.in_cases.set(false);
        results
    }

    /// Narrows the unknown members of a set, each of which is certainly in it: if the iteration fails for null, no member is null; if it
    /// fails for an empty list, no member is empty. `None` if nothing changes.
    fn narrow_to_succeeding_members(
        &self,
        collection: &Value,
        try_item: &impl Fn(&Value) -> Evaluated<()>,
    ) -> Option<Value> {
        let View::Set(set) = collection.view() else { return None };
        let ty = set.element_type();
        // The members of a set of one are all that one.
        if ty.has_dynamic() || set.member_count() > MAX_CERTAIN_MEMBERS || set.length().upper() == Some(1) {
            return None;
        }
        let before = self.state.may_fail.get();
        let fails = |item: Value| {
            let (tried, _) = self.with_used_marks(|| try_item(&item));
            tried.is_err_and(|problems| !problems.is_limit())
        };
        let mut fact = Refinement::any();
        if set.iter().any(|member| !member.is_known() && member.may_be_null())
            && fails(Value::null(ty.clone()))
        {
            fact = fact.and_not_null();
        }
        let may_be_empty = |member: &Value| {
            !member.is_known() && member.range().length_range().is_none_or(|length| length.lower() == 0)
        };
        if let Type::List(list) = ty
            && set.iter().any(may_be_empty)
            && fails(Value::list_of(list.element().clone(), Vec::<Value>::new()).ok()?)
        {
            fact = fact.meet(&Refinement::length(LengthRange::at_least(1))).ok()?;
        }
        self.state.may_fail.set(before);
        if fact.is_trivial() {
            return None;
        }
        self.may_fail();
        let members: plantime::Result<Vec<Value>> = set.iter().map(|member| member.assume(&fact)).collect();
        let narrowed = Value::set_of(ty.clone(), members.ok()?).ok()?;
        narrowed.assume(&Refinement::length(set.length())).ok()
    }

    /// The result of `run` on one of these values, if it is unknown which: the join of the results that are no errors.
    pub(super) fn of_alternatives(
        &self,
        alternatives: Vec<Value>,
        run: impl Fn(&Value) -> Evaluated,
    ) -> Evaluated {
        let possible = self.results_of_alternatives(alternatives, run)?;
        Ok(join_or_unknown(&possible))
    }

    /// Evaluates something for each value that an unknown value may turn out to be, and returns the results. Where `run` fails the result
    /// is left out, as another value may be the actual one; if it fails for all, the error of the first is returned.
    /// A limit that is exceeded ends all.
    fn results_of_alternatives(
        &self,
        alternatives: Vec<Value>,
        run: impl Fn(&Value) -> Evaluated,
    ) -> Evaluated<Vec<Value>> {
        if let [only] = alternatives.as_slice() {
            return Ok(vec![run(only)?]);
        }
        let (mut possible, mut marks, mut first_failure) = (Vec::new(), Marks::new(), None);
        for alternative in &alternatives {
            match self.with_used_marks(|| run(alternative)) {
                (Ok(value), _) => possible.push(value),
                (Err(problems), _) if problems.is_limit() => return Err(problems),
                (Err(problems), used) => {
                    marks.extend_from(&used);
                    marks.extend_from(&alternative.all_marks());
                    first_failure.get_or_insert(problems);
                }
            }
        }
        match first_failure {
            Some(problems) if possible.is_empty() => Err(problems),
            failure => {
                if failure.is_some() {
                    self.may_fail();
                }
                Ok(possible.into_iter().map(|value| value.with_marks(&marks)).collect())
            }
        }
    }
}
