//! Compares the value that a provider returns after the apply with the one that it planned.

use crate::schema::{Block, Nesting};
use plantime::unstable::error::Kind;
use plantime::unstable::text::QuotedInMessage;
use plantime::{Error, Mark, Marks, Path, Result, SetView, Step, Type, Value, View, mismatch_message};

use super::go_syntax::GoSyntax;
use super::layout::{Entry, Layout, Nest, is_unknown, null};
use super::matching::{Group, groups, unassigned};
use super::refines::refines;
use super::violation::{TypeSystem, Verdict, Violation, ViolationCollector};

/// Compares the value that a provider returns with the one that it planned: after the apply, or from a later plan in which
/// more is known. Returns a violation for each difference that the plan does not allow.
///
/// There is no violation if the planned value may become the actual one; a null or an empty collection may also become that
/// of another type that conforms. An actual value that is not wholly known passes if nothing in it contradicts the plan.
///
/// | planned | actual | violation |
/// |---|---|---|
/// | null | an object | `was absent, but now present`, with `Root object` before it for the whole |
/// | an object | null | `was present, but now absent` |
/// | unknown | of another type | `wrong final value type: string required` |
/// | unknown | outside its type or refinement | `final value A does not conform to planning placeholder P` |
/// | known | another value, null, unknown | `was P, but now A`, `was P, but now null`, `was null, but now A`, `was known, but now unknown` |
/// | list, map | other elements | `element K has vanished`, `new element K has appeared` |
/// | set | other members | `planned set element P does not correlate with any element in actual`, `actual set element A does not correlate with any element in plan`, `length changed from 1 to 2` |
/// | blocks | others | `block count changed from 1 to 2`, `block key "k" has vanished`, `new block key "k" has appeared`, `block set length changed from 1 to 2` |
/// | sensitive | any | `inconsistent values for sensitive attribute` |
///
/// Each planned member of a set is matched with an actual member of its own. Where more than 64 members that are not wholly
/// known agree in everything that is known of all of them, only their number is compared.
/// Values are printed in [Go syntax](GoSyntax). Core does not compare unknown blocks with their refinements; this
/// function does.
///
/// ```
/// use plantime_schema::planning::{TypeSystem, assert_object_compatible};
/// use plantime_schema::{Attribute, AttributeType, Block};
/// use plantime::{Type, Value};
/// use plantime::value;
///
/// let mut id = Attribute::new(AttributeType::Plain(Type::String));
/// id.computed = true;
/// let mut block = Block::default();
/// block.attributes.insert("id".to_owned(), id);
///
/// let planned = value!({ "id": Value::unknown(Type::String).assume_string_prefix("vpc-")? })?;
/// let verdict = assert_object_compatible(&block, &planned, &value!({ "id": "sg-1" })?, TypeSystem::Strict)?;
/// assert_eq!(
///     verdict.violations[0].to_string(),
///     ".id: final value cty.StringVal(\"sg-1\") does not conform to planning placeholder \
///      cty.UnknownVal(cty.String).Refine().StringPrefixFull(\"vpc-\").NewValue()"
/// );
/// # Ok::<(), plantime::Error>(())
/// ```
///
/// # Errors
///
/// If a value does not have the type of the schema: core rejects such a value before this check.
pub fn assert_object_compatible(
    schema: &Block,
    planned: &Value,
    actual: &Value,
    system: TypeSystem,
) -> Result<Verdict> {
    let layout = Layout::of(schema)?;
    let (planned, actual) = (typed(schema, &layout, planned)?, typed(schema, &layout, actual)?);
    let mut found = ViolationCollector::default();
    check_object(&layout, &planned, &actual, &mut found);
    Ok(Verdict::of(found, system))
}

/// The differences by which a later value does not [refine](super::refines()) an earlier one, with the texts of
/// [`assert_object_compatible`]. The result is empty if and only if the later value refines the earlier one.
///
/// ```
/// use plantime_schema::planning::assert_refines;
/// use plantime::{Type, Value};
/// use plantime::value;
///
/// let plan = value!({ "ids": [Value::unknown(Type::String)], "size": 1 })?;
/// let replan = value!({ "ids": ["a"], "size": Value::unknown(Type::Number) })?;
/// assert_eq!(assert_refines(&plan, &replan)[0].to_string(), ".size: was known, but now unknown");
/// # Ok::<(), plantime::Error>(())
/// ```
pub fn assert_refines(plan: &Value, replan: &Value) -> Vec<Violation> {
    let mut found = ViolationCollector::default();
    if !refines(plan, replan) {
        check_value(plan, replan, true, &mut found);
        if found.violations.is_empty() {
            found.report(does_not_conform(plan, replan));
        }
    }
    found.violations
}

/// Marks the sensitive attributes of a value, as its schema says. An error if the value does not have the type of the schema.
pub(super) fn typed(schema: &Block, layout: &Layout<'_>, value: &Value) -> Result<Value> {
    let (ty, found) = (layout.object_type(), value.ty());
    if !value.is_null() && !ty.covers(&found) {
        return Err(Error::new(Kind::TypeMismatch, mismatch_message(&found, &(&ty).into())));
    }
    let secret = |(_, marks): &(Path, Marks)| marks.contains(&Mark::SENSITIVE);
    let places: Vec<(Path, Marks)> = schema.marks_for(value).into_iter().filter(secret).collect();
    Ok(value.mark_with_paths(&places))
}

/// Checks an object: a block, or the whole value.
fn check_object(layout: &Layout<'_>, planned: &Value, actual: &Value, found: &mut ViolationCollector) {
    let root = if found.is_at_root() { "Root object " } else { "" };
    match (null(planned), null(actual)) {
        (Some(true), Some(true)) | (None, Some(true)) => return,
        (Some(true), _) => return found.report(format!("{root}was absent, but now present")),
        (Some(false), Some(true)) => return found.report(format!("{root}was present, but now absent")),
        (Some(false) | None, Some(false) | None) => {}
    }
    for (name, entry) in layout.entries() {
        if let Entry::Attribute { .. } = entry {
            let (planned, actual) = (part(planned, name, entry), part(actual, name, entry));
            found.at(Step::attr(name), |found| check_value(&planned, &actual, false, found));
        }
    }
    for (name, entry) in layout.entries() {
        if let Entry::Blocks(nest) = entry {
            let (planned, actual) = (part(planned, name, entry), part(actual, name, entry));
            found.at(Step::attr(name), |found| {
                hide_if_marked(&planned, &actual, found, |found| {
                    check_blocks(nest, &planned, &actual, found)
                });
            });
        }
    }
}

/// The value of an attribute or nested block type of an object; unknown if the object is unknown.
pub(super) fn part(object: &Value, name: &str, entry: &Entry<'_>) -> Value {
    let part = match object.view_below_marks() {
        View::Object(object) => object.get(name).cloned(),
        View::Null(_) => Some(Value::null(entry.ty())),
        _ => None,
    };
    part.unwrap_or_else(|| Value::unknown(entry.ty()))
}

/// Compares two values. If one of them is marked, reports only that they differ.
fn hide_if_marked(
    planned: &Value,
    actual: &Value,
    found: &mut ViolationCollector,
    look: impl FnOnce(&mut ViolationCollector),
) {
    if planned.is_marked() || actual.is_marked() {
        found.report_as_one("inconsistent values for sensitive attribute", look);
    } else {
        look(found);
    }
}

/// Checks the blocks of one type.
fn check_blocks(nest: &Nest<'_>, planned: &Value, actual: &Value, found: &mut ViolationCollector) {
    if !nest.is_collection() {
        return check_object(&nest.item, planned, actual, found);
    }
    if is_unknown(planned) || is_unknown(actual) || null(planned) == Some(true) || null(actual) == Some(true)
    {
        return check_value(planned, actual, false, found);
    }
    if let (View::Set(planned), View::Set(actual)) = (planned.view_below_marks(), actual.view_below_marks()) {
        return check_members("block set length", &planned, &actual, found);
    }
    let (before, after) = (planned.elements().count(), actual.elements().count());
    let has_names = matches!(planned.view_below_marks(), View::Object(_));
    if before != after && !has_names {
        return found.report(format!("block count changed from {before} to {after}"));
    }
    for (step, item) in planned.elements() {
        match (actual.part(&step), step.name()) {
            (Some(other), _) => found.at(step, |found| {
                hide_if_marked(item, other, found, |found| check_object(&nest.item, item, other, found));
            }),
            (None, Some(key)) => found.report(format!("block key {} has vanished", QuotedInMessage(key))),
            (None, None) => {}
        }
    }
    if nest.nesting == Nesting::Map {
        for (step, _) in actual.elements() {
            if let (None, Some(key)) = (planned.part(&step), step.name()) {
                found.report(format!("new block key {} has appeared", QuotedInMessage(key)));
            }
        }
    }
}

/// Compares any two values. `kept` says that an unknown inside the actual value must be at least as known as it was
/// planned.
fn check_value(planned: &Value, actual: &Value, kept: bool, found: &mut ViolationCollector) {
    hide_if_marked(planned, actual, found, |found| check_value_below_marks(planned, actual, kept, found));
}

/// Compares two values that are not marked themselves.
fn check_value_below_marks(planned: &Value, actual: &Value, kept: bool, found: &mut ViolationCollector) {
    if matches!(planned.view_below_marks(), View::Dynamic) {
        return;
    }
    let (before, after) = (planned.ty(), actual.ty());
    if !conforms(&before, &after) {
        let reason = mismatch_message(&after, &(&before).into());
        return found.report(format!("wrong final value type: {reason}"));
    }
    if is_unknown(planned) {
        if !becomes(planned, actual, kept) {
            found.report(does_not_conform(planned, actual));
        }
        return;
    }
    match (null(planned), null(actual)) {
        (Some(true), Some(true)) => return,
        (Some(true), _) if !is_unknown(actual) => {
            return found.report(format!("was null, but now {}", GoSyntax(actual)));
        }
        (_, Some(true)) => return found.report(format!("was {}, but now null", GoSyntax(planned))),
        _ if is_unknown(actual) => return found.report("was known, but now unknown"),
        _ => {}
    }
    match (planned.view_below_marks(), actual.view_below_marks()) {
        // The members of such a set get one type together.
        (View::Set(before), View::Set(_))
            if before.element_type().has_dynamic() && refines(planned, actual) => {}
        (View::Set(before), View::Set(after)) => check_members("length", &before, &after, found),
        (View::Object(before), View::Object(after)) => {
            for ((name, before), (_, after)) in before.iter().zip(after.iter()) {
                found.at(Step::attr(name), |found| check_value(before, after, kept, found));
            }
        }
        (View::List(_) | View::Tuple(_) | View::Map(_), _) => check_elements(planned, actual, kept, found),
        _ if planned.unmark_deep().0 != actual.unmark_deep().0 => {
            found.report(format!("was {}, but now {}", GoSyntax(planned), GoSyntax(actual)));
        }
        _ => {}
    }
}

/// Whether a value of the type `actual` may replace a planned value of the type `planned`, which may contain `dynamic`.
fn conforms(planned: &Type, actual: &Type) -> bool {
    *planned == Type::Dynamic || planned.covers(actual)
}

/// Whether the planned unknown may become the actual value. For an actual value that is not wholly known: whether
/// nothing excludes it, or, with `kept`, whether it [refines](super::refines()) the planned one.
fn becomes(planned: &Value, actual: &Value, kept: bool) -> bool {
    if kept || actual.is_wholly_known() {
        return refines(planned, actual);
    }
    planned.range().includes(actual) != Some(false)
}

/// The message that the actual value is not one that the planned unknown may become.
fn does_not_conform(planned: &Value, actual: &Value) -> String {
    format!("final value {} does not conform to planning placeholder {}", GoSyntax(actual), GoSyntax(planned))
}

/// Checks the elements of a list, tuple or map.
fn check_elements(planned: &Value, actual: &Value, kept: bool, found: &mut ViolationCollector) {
    for (step, item) in planned.elements() {
        match actual.part(&step) {
            Some(other) => found.at(step, |found| check_value(item, other, kept, found)),
            None => found.report(format!("element {} has vanished", Place(&step))),
        }
    }
    for (step, _) in actual.elements() {
        if planned.part(&step).is_none() {
            found.report(format!("new element {} has appeared", Place(&step)));
        }
    }
}

/// Displays the index, key or name of a step, as messages show it.
struct Place<'s>(&'s Step);

impl std::fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.0.name(), self.0) {
            (Some(key), _) => write!(f, "{}", QuotedInMessage(key)),
            (None, Step::Index(index)) => write!(f, "{index}"),
            (None, Step::Attr(name)) => f.write_str(name.as_str()),
        }
    }
}

/// Checks the members of a set: each planned member becomes one actual member, and each actual member was planned.
fn check_members(what: &str, planned: &SetView<'_>, actual: &SetView<'_>, found: &mut ViolationCollector) {
    let after: Vec<&Value> = actual.iter().collect();
    let lost = |one: &Value| found_nowhere("planned", one, "actual");
    let violations_before = found.violations.len();
    let mut is_wrong = false;
    for one in planned.known().iter().filter(|one| !actual.contains_known(one)) {
        found.report(lost(one));
    }
    let new: Vec<&Value> = after.iter().copied().filter(|one| !planned.contains_known(one)).collect();
    let (before, now) = (planned.member_count(), after.len());
    let whole = Group { earlier: planned.not_wholly_known().iter().collect(), later: new, all_later: after };
    let (mut lost_members, mut new_members, mut has_more) = (Vec::new(), Vec::new(), false);
    for group in groups(whole, planned.element_type().has_dynamic()) {
        if !group.is_small() {
            has_more |= group.later.len() > group.earlier.len();
            continue;
        }
        let is_lost = |one: &&Value| !group.all_later.iter().any(|other| becomes(one, other, false));
        lost_members.extend(group.earlier.iter().copied().filter(is_lost));
        let fitting = |other: &&Value| {
            let places = group.earlier.iter().enumerate().filter(|(_, one)| becomes(one, other, false));
            places.map(|(place, _)| place).collect()
        };
        let fits: Vec<Vec<usize>> = group.later.iter().map(fitting).collect();
        // Surplus members that would fit a planned one are reported by the length alone.
        let is_told = |row: &usize| now <= before || fits.get(*row).is_some_and(Vec::is_empty);
        let left = unassigned(&fits, group.earlier.len()).into_iter().filter(is_told);
        new_members.extend(left.filter_map(|row| group.later.get(row).copied()));
    }
    lost_members.into_iter().for_each(|one| found.report(lost(one)));
    is_wrong |= found.violations.len() > violations_before || !new_members.is_empty();
    new_members.into_iter().for_each(|one| found.report(found_nowhere("actual", one, "plan")));
    if now <= before && has_more && !is_wrong {
        is_wrong = true;
        found.report(format!("{what} changed from {before} to {now}"));
    }
    let fits = actual.length().meet(planned.length()).is_some();
    if before < now || !is_wrong && !fits {
        found.report(format!("{what} changed from {before} to {now}"));
    }
}

/// The message that a member of the set on one side (`planned` or `actual`) has no counterpart in the other set.
fn found_nowhere(side: &str, member: &Value, other: &str) -> String {
    let in_other = if other == "plan" { "in plan" } else { "in actual" };
    format!("{side} set element {} does not correlate with any element {in_other}", GoSyntax(member))
}
