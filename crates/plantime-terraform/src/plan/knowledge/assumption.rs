//! Assumptions: facts about resources that the author of a rules file states, and the plan does not.

use super::replace_part::replace_parts;
use std::sync::Arc;

use crate::plan::address::PatternIndex;
use crate::plan::{AddressPattern, Plan, ResourceChange};
use plantime::rule::{How, PathExpr};
use plantime::unstable::error::Kind;
use plantime::unstable::value::{always_satisfies, needs_type};
use plantime::{ElementRange, Error, Nullness, Path, Range, Refinement, Value, View};

/// What is assumed about an attribute of some resources.
///
/// ```
/// use plantime_terraform::plan::{Assumption, Plan};
/// use plantime_schema::ProviderSchemas;
///
/// let json = br#"{"format_version": "1.2", "resource_changes": [{"address": "aws_vpc.main", "mode": "managed",
///     "type": "aws_vpc", "name": "main", "change": {"actions": ["create"], "after": {}, "after_unknown": {"id": true}}}]}"#;
/// let mut plan = Plan::read(json, &ProviderSchemas::new())?;
/// let vpc = Assumption::new("aws_vpc".parse()?, "id".parse()?, r#"notnull(stringprefix("vpc-"))"#.parse()?);
/// let assumed = plan.assume(&[vpc]);
/// assert_eq!((assumed.matched, assumed.failures.len()), (vec![1], 0));
/// let after = plan.resource_changes[0].change.after.as_ref().unwrap();
/// assert_eq!(after.to_string(), r#"{id = "vpc-${(known after apply)}"}"#);
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Assumption {
    /// The resources that the assumption is about.
    pub target: AddressPattern,
    /// The place in the planned value that the assumption is about.
    pub path: PathExpr,
    /// The refinement that the value there is assumed to have.
    pub refinement: Refinement,
}

impl Assumption {
    /// An assumption on a place of the resources that match.
    ///
    /// [Example](Assumption)
    pub fn new(target: AddressPattern, path: PathExpr, refinement: Refinement) -> Assumption {
        Assumption { target, path, refinement }
    }
}

/// The results of applying assumptions to a plan.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct AssumptionResults {
    /// For each assumption, how many resource changes its target matches; 0 is worth a warning.
    pub matched: Vec<usize>,
    /// The places whose values were narrowed.
    pub narrowed: Vec<NarrowedPlace>,
    /// The places where an assumption was contradicted or could not be applied.
    pub failures: Vec<AssumptionFailure>,
}

impl AssumptionResults {
    /// The positions of the assumptions whose target matches no resource.
    ///
    /// ```
    /// use plantime_terraform::plan::{Assumption, Plan, example};
    /// use plantime_schema::ProviderSchemas;
    ///
    /// let mut plan = Plan::read(example::PLAN, &ProviderSchemas::from_json(example::PROVIDER_SCHEMAS)?)?;
    /// let id = "notnull(stringprefix(\"vpc-\"))";
    /// let results = plan.assume(&[
    ///     Assumption::new("aws_vpc".parse()?, "id".parse()?, id.parse()?),
    ///     Assumption::new("aws_vpn".parse()?, "id".parse()?, id.parse()?),
    /// ]);
    /// assert_eq!(results.unmatched().collect::<Vec<_>>(), [1]);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn unmatched(&self) -> impl Iterator<Item = usize> {
        self.matched.iter().enumerate().filter(|(_, count)| **count == 0).map(|(index, _)| index)
    }
}

/// A place that an assumption narrowed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct NarrowedPlace {
    /// The index of the assumption in the given list.
    pub assumption: usize,
    /// The address of the resource.
    pub address: String,
    /// The place in the planned value of the resource; for a place inside an unknown container the outermost such container.
    pub path: Path,
}

/// An assumption that the plan contradicts at a place, or that cannot be applied there.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct AssumptionFailure {
    /// The index of the assumption in the given list.
    pub assumption: usize,
    /// The address of the resource.
    pub address: String,
    /// The place in the planned value of the resource.
    pub path: Path,
    /// [`is_contradiction`](Error::is_contradiction) where the plan contradicts it; else the path or the kind of
    /// assumption does not fit the resource.
    pub error: Error,
}

impl Plan {
    /// Narrows the planned values by assumptions, in their order. A known value is checked instead. A place inside a null is
    /// left alone. An assumption about a place inside an unknown container refines its elements or its attribute.
    ///
    /// Where a type is not known, the kind of assumption says it: a prefix is assumed of a string, a range of a
    /// number. Anything else about such a place is a failure that [asks for a type](Error::needs_type).
    ///
    /// ```
    /// use plantime_terraform::plan::{Assumption, Plan, example};
    /// use plantime_schema::ProviderSchemas;
    ///
    /// let mut plan = Plan::read(example::PLAN, &ProviderSchemas::new())?;
    /// let vpc = r#"notnull(stringprefix("vpc-"))"#.parse()?;
    /// let assumed = plan.assume(&[Assumption::new("aws_vpc".parse()?, "id".parse()?, vpc)]);
    /// assert_eq!(assumed.matched, [1]);
    /// assert_eq!(assumed.narrowed[0].address, "aws_vpc.main");
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn assume(&mut self, assumptions: &[Assumption]) -> AssumptionResults {
        let mut assumed = AssumptionResults::default();
        let targets = assumptions.iter().map(|assumption| &assumption.target);
        let matched_by = matches(targets, self.resource_changes.iter().map(|change| &**change));
        for ((index, assumption), matched) in assumptions.iter().enumerate().zip(matched_by) {
            let count = matched.len();
            for at in matched {
                let Some(resource) = self.resource_changes.get_mut(at) else { continue };
                let resource = Arc::make_mut(resource);
                if let Some(after) = &mut resource.change.after {
                    assume_on(assumption, index, &resource.address, after, &mut assumed);
                }
            }
            assumed.matched.push(count);
        }
        assumed
    }
}

/// For each target the positions of the resources that it matches. Takes time in proportion to the targets, the resources
/// and the matches.
pub(in crate::plan) fn matches<'a>(
    targets: impl Iterator<Item = &'a AddressPattern> + Clone,
    resources: impl Iterator<Item = &'a ResourceChange>,
) -> Vec<Vec<usize>> {
    let index = PatternIndex::new(targets.clone().enumerate());
    let targets: Vec<&AddressPattern> = targets.collect();
    let mut matched = vec![Vec::new(); targets.len()];
    for (at, resource) in resources.enumerate() {
        for target in index.candidates(resource) {
            if targets.get(target).is_some_and(|pattern| pattern.matches(resource))
                && let Some(found) = matched.get_mut(target)
            {
                found.push(at);
            }
        }
    }
    matched
}

/// Narrows one planned value by one assumption, which has position `index`, and adds the results.
pub(super) fn assume_on(
    assumption: &Assumption,
    index: usize,
    address: &str,
    after: &mut Value,
    assumed: &mut AssumptionResults,
) {
    let Assumption { path, refinement, .. } = assumption;
    let mut assuming = ResourceAssumption { expression: path, refinement, index, address, assumed };
    if let Some(narrower) = assuming.narrowed_value(after) {
        *after = narrower;
    }
}

/// The results of an assumption on a value, which is not changed.
pub(in crate::plan) fn check_assumption(
    expression: &PathExpr,
    refinement: &Refinement,
    value: &Value,
) -> AssumptionResults {
    let mut assumed = AssumptionResults::default();
    ResourceAssumption { expression, refinement, index: 0, address: "", assumed: &mut assumed }
        .narrowed_value(value);
    assumed
}

/// One assumption that is applied to one resource.
struct ResourceAssumption<'p> {
    expression: &'p PathExpr,
    refinement: &'p Refinement,
    index: usize,
    address: &'p str,
    assumed: &'p mut AssumptionResults,
}

impl ResourceAssumption<'_> {
    /// The value with the assumed places narrowed; `None` if nothing changes.
    fn narrowed_value(&mut self, value: &Value) -> Option<Value> {
        let path = self.expression;
        match path.matches(value) {
            Ok(found)
                if !found.iter().any(|found| matches!(found.how, How::Exact | How::StoppedAtUnknown)) =>
            {
                None
            }
            Ok(_) => {
                let mut narrow = |path: &Path, part: &Value, exists| self.narrowed_place(part, path, exists);
                match replace_parts(value, path.steps(), &mut narrow) {
                    Ok(changed) => changed,
                    Err(error) => {
                        self.add_failure(error.path().clone(), error);
                        None
                    }
                }
            }
            Err(error) => {
                self.add_failure(error.path().clone(), error);
                None
            }
        }
    }

    /// Records that the assumption failed at a place.
    fn add_failure(&mut self, path: Path, error: Error) {
        let (assumption, address) = (self.index, self.address.to_owned());
        let error = error.at(Path::new());
        self.assumed.failures.push(AssumptionFailure { assumption, address, path, error });
    }

    /// The narrowed value of one place; `None` if nothing changes. Where there is perhaps no such place, nothing fails.
    fn narrowed_place(&mut self, value: &Value, path: &Path, exists: bool) -> Option<Value> {
        let refinement = self.refinement;
        match value.assume_with_type(refinement) {
            // No value stores what is assumed of a part of unknown type, but the assumption has to hold.
            Ok(narrower) if narrower == *value && always_satisfies(value, refinement) => None,
            Ok(narrower) => {
                let (assumption, address, path) = (self.index, self.address.to_owned(), path.clone());
                self.assumed.narrowed.push(NarrowedPlace { assumption, address, path });
                Some(narrower)
            }
            Err(_) if !exists => None,
            Err(error) => {
                if let Some(error) = of_undecided_kind(value, refinement, error) {
                    self.add_failure(path.clone(), error);
                }
                None
            }
        }
    }
}

/// The error for a value to which the assumed refinement cannot be applied; `None` if the refinement holds. Without a schema
/// a known list, set or map is read as a tuple or an object, whose length can be compared all the same.
fn of_undecided_kind(value: &Value, refinement: &Refinement, error: Error) -> Option<Error> {
    let range = match (refinement.range(), refinement.length_range()) {
        (Range::Elements(elements), _) => elements.length(),
        (_, Some(range)) => range,
        _ => return Some(error),
    };
    let length = match value.view_below_marks() {
        View::Tuple(tuple) => tuple.len(),
        View::Object(object) => object.iter().count(),
        _ => return Some(error),
    };
    if !error.is_type_mismatch() || refinement.nullness() == Nullness::Null {
        return Some(error);
    }
    let is_upheld = match refinement.range() {
        Range::Elements(elements) if range.contains(u64::try_from(length).unwrap_or(u64::MAX)) => {
            match has_such_parts(value, elements) {
                Some(is_upheld) => is_upheld,
                None => return Some(needs_type()),
            }
        }
        _ => range.contains(u64::try_from(length).unwrap_or(u64::MAX)),
    };
    if is_upheld {
        return None;
    }
    // A set with unknown members may have fewer, and an object has no length.
    match value.view_below_marks() {
        View::Tuple(_) if value.is_wholly_known() => {
            let message = format!("assumption was not upheld: {refinement} is assumed");
            Some(Error::new(Kind::Contradiction, message))
        }
        _ => Some(needs_type()),
    }
}

/// Whether the assumption holds for every element of a tuple, or for every attribute of an object and its name; `None` if that is
/// not known.
fn has_such_parts(value: &Value, assumed: &ElementRange) -> Option<bool> {
    let is_such = |part: &Value| match part.assume(assumed.element()) {
        Ok(_) => part.is_wholly_known().then_some(true),
        Err(error) => error.is_contradiction().then_some(false),
    };
    match value.view_below_marks() {
        View::Tuple(tuple) => tuple.iter().try_fold(true, |all, part| Some(all && is_such(part)?)),
        View::Object(object) => object.iter().try_fold(true, |all, (name, part)| {
            Some(all && assumed.keys().contains_string(name) && is_such(part)?)
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plantime_schema::ProviderSchemas;

    const PLAN: &[u8] = crate::plan::example::PLAN;
    const SCHEMAS: &[u8] = crate::plan::example::PROVIDER_SCHEMAS;

    fn network() -> Plan {
        Plan::read(PLAN, &ProviderSchemas::from_json(SCHEMAS).unwrap()).unwrap()
    }

    fn assumption(target: &str, path: &str, refinement: &str) -> Assumption {
        Assumption::new(target.parse().unwrap(), path.parse().unwrap(), refinement.parse().unwrap())
    }

    #[track_caller]
    fn shown(plan: &Plan, address: &str, path: &str) -> String {
        let after = plan.resource_change(address).unwrap().change.after.clone().unwrap();
        after.get(&path.parse().unwrap()).unwrap().to_string()
    }

    #[test]
    fn an_unknown_attribute_is_narrowed() {
        let mut plan = network();
        let assumed = plan.assume(&[
            assumption("aws_vpc", "id", r#"notnull(stringprefix("vpc-"))"#),
            assumption("aws_instance.web", "root_block_device[*].volume_size", "notnull(numbermin(8))"),
            assumption("aws_db_instance.orders", "replicas[*].endpoint", r#"stringprefix("replica-")"#),
            assumption("aws_subnet", r#"tags["Vpc"]"#, r#"stringprefix("vpc-")"#),
            assumption("aws_nothing", "id", "notnull()"),
        ]);
        assert_eq!(assumed.failures, []);
        assert_eq!(assumed.matched, [1, 2, 1, 4, 0]);
        assert_eq!(assumed.unmatched().collect::<Vec<_>>(), [4]);
        assert_eq!(shown(&plan, "aws_vpc.main", "id"), r#""vpc-${(known after apply)}""#);
        assert_eq!(
            shown(&plan, "aws_instance.web[1]", "root_block_device[0].volume_size"),
            "(known after apply, >= 8)"
        );
        assert_eq!(
            shown(&plan, "aws_db_instance.orders", "replicas[1].endpoint"),
            r#""replica-${(known after apply)}""#
        );
        assert_eq!(
            shown(&plan, r#"aws_subnet.main["app"]"#, r#"tags["Vpc"]"#),
            r#""vpc-${(known after apply)}""#
        );
        let places: Vec<String> = assumed
            .narrowed
            .iter()
            .filter(|narrowed| narrowed.assumption == 2)
            .map(|n| n.path.to_string())
            .collect();
        assert_eq!(places, ["replicas[0].endpoint", "replicas[1].endpoint"]);
    }

    #[test]
    fn members_of_a_set_are_narrowed() {
        let mut plan = network();
        let vpc =
            assumption("aws_db_instance.orders", "subnet_ids[*]", r#"notnull(stringprefix("subnet-"))"#);
        let before = plan.resource_change("aws_db_instance.orders").unwrap().change.after.clone().unwrap();
        let assumed = plan.assume(&[vpc]);
        assert_eq!((assumed.failures.len(), assumed.narrowed.len()), (0, 2));
        let text = shown(&plan, "aws_db_instance.orders", "subnet_ids");
        assert_eq!(text, r#"toset(["subnet-${(known after apply)}", "subnet-${(known after apply)}"])"#);
        let after = plan.resource_change("aws_db_instance.orders").unwrap().change.after.clone().unwrap();
        assert_eq!(after.ty(), before.ty());
    }

    #[test]
    fn a_contradiction_names_its_place_and_changes_nothing() {
        let mut plan = network();
        let before = plan.resource_changes.clone();
        let assumed = plan.assume(&[
            assumption("aws_vpc.main", "cidr_block", r#"stringprefix("192.")"#),
            assumption("aws_db_instance.orders", "password", r#"stringprefix("x")"#),
            assumption("aws_vpc.main", "cidr_blok", "notnull()"),
            assumption("aws_vpc.main", "tags", "numbermin(1)"),
            assumption("terraform_data.release", "output", "notnull()"),
        ]);
        let failures: Vec<String> =
            assumed.failures.iter().map(|f| format!("{} {}", f.address, f.path)).collect();
        assert_eq!(
            failures,
            [
                "aws_vpc.main cidr_block",
                "aws_db_instance.orders password",
                "aws_vpc.main ",
                "aws_vpc.main tags",
                "terraform_data.release output"
            ]
        );
        let [cidr, password, path, kind, untyped] = assumed.failures.as_slice() else { panic!() };
        assert!(cidr.error.is_contradiction() && password.error.is_contradiction());
        assert!(!password.error.to_string().contains("made-up"));
        assert!(path.error.to_string().contains("cidr_block"), "{}", path.error);
        assert!(kind.error.is_type_mismatch() && untyped.error.needs_type());
        assert_eq!(plan.resource_changes, before);
    }

    #[test]
    fn places_in_something_sensitive_are_not_named() {
        let plan = br#"{"format_version": "1.2", "resource_changes": [{"address": "r.x", "mode": "managed",
            "type": "r", "name": "x", "provider_name": "p", "change": {"actions": ["create"],
            "after": {"map": {"hunter2": "hunter2", "k": null}, "set": ["hunter2"]},
            "after_unknown": {"map": {"k": true}}, "after_sensitive": {"map": true, "set": true}}}]}"#;
        let schemas = br#"{"provider_schemas": {"p": {"resource_schemas": {"r": {"block": {"attributes": {
            "map": {"type": ["map", "string"]}, "set": {"type": ["set", "string"]}}}}}}}}"#;
        let schemas = ProviderSchemas::from_json(schemas).unwrap();
        let mut plan = Plan::read(plan, &schemas).unwrap();
        let assumed = plan.assume(&[
            assumption("r", "map[*]", r#"stringprefix("x")"#),
            assumption("r", "set[*]", r#"stringprefix("x")"#),
        ]);
        assert_eq!((assumed.failures.len(), assumed.narrowed.len()), (2, 1));
        let said = format!("{assumed:?} {}", assumed.failures[0].path);
        assert!(!said.contains("hunter2"), "{said}");
        // NarrowedPlace inside, the whole is marked as before, and only the whole.
        let after = plan.resource_changes[0].change.after.clone().unwrap();
        let (bare, marks) = after.get(&"map".parse().unwrap()).unwrap().unmark();
        assert!(marks.contains(&plantime::Mark::SENSITIVE) && !bare.contains_marks());
        assert_eq!(
            bare.get(&r#"["k"]"#.parse().unwrap()).unwrap().to_string(),
            r#""x${(known after apply)}""#
        );
    }

    #[test]
    fn a_known_value_is_checked() {
        let mut plan = network();
        let assumed = plan.assume(&[assumption("aws_vpc", "cidr_block", r#"notnull(stringprefix("10."))"#)]);
        assert_eq!((assumed.failures.len(), assumed.narrowed.len()), (0, 0));
    }

    #[test]
    fn without_a_schema_the_kind_of_assumption_gives_the_type() {
        let mut plan = Plan::read(PLAN, &ProviderSchemas::new()).unwrap();
        let assumed = plan.assume(&[
            assumption("aws_vpc", "id", r#"notnull(stringprefix("vpc-"))"#),
            assumption("aws_db_instance.orders", "port", "numbermin(1)"),
        ]);
        assert_eq!(assumed.failures, []);
        assert_eq!(shown(&plan, "aws_vpc.main", "id"), r#""vpc-${(known after apply)}""#);
        assert_eq!(shown(&plan, "aws_db_instance.orders", "port"), "(known after apply, >= 1)");
    }
}
