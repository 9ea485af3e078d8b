//! Whether what a provider returns is what it planned.

use crate::convert::mismatch_message;
use crate::error::{Error, Kind, Result};
use crate::mark::{Mark, Marks};
use crate::path::{Path, Step};
use crate::schema::{Block, Nesting};
use crate::text::QuotedInMessage;
use crate::types::Type;
use crate::value::{SetView, Value, View, view_below_marks};

use super::go_syntax::GoSyntax;
use super::layout::{Layout, Nest, Slot, is_unknown, key_of, null};
use super::matching::{Group, groups, unassigned};
use super::refines::refines;
use super::violation::{Found, TypeSystem, Verdict, Violation};

/// Whether what a provider returns is what it planned, with everything that is not: after the apply, and where a plan is
/// made again with more known. `violations` is empty exactly if the planned value may become the actual one, where a null
/// and an empty collection may become those of another type that conforms; or if the actual one is not wholly known and
/// nothing in it contradicts
/// the plan.
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
/// Members of sets are matched with each other, each planned member with one actual member: two planned members do not
/// both stand for one while another is left. Of more than 64 members that are not wholly known, and are alike in what is
/// known of all of them, only the number is compared.
/// Values are printed in [Go syntax](GoSyntax). Core does not hold unknown blocks against their refinements; this
/// function does.
///
/// ```
/// use plantime::planning::{TypeSystem, assert_object_compatible};
/// use plantime::schema::{Attribute, AttributeType, Block};
/// use plantime::{Type, Value, value};
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
/// If a value does not have the type of the schema: core refuses it before it asks.
pub fn assert_object_compatible(
    schema: &Block,
    planned: &Value,
    actual: &Value,
    system: TypeSystem,
) -> Result<Verdict> {
    let layout = Layout::of(schema)?;
    let (planned, actual) = (typed(schema, &layout, planned)?, typed(schema, &layout, actual)?);
    let mut found = Found::default();
    object(&layout, &planned, &actual, &mut found);
    Ok(Verdict::of(found, system))
}

/// Where a later value does not keep what an earlier one promised: see [`refines`](super::refines()) for the promise,
/// and [`assert_object_compatible`] for the texts. Empty exactly if the later value refines the earlier one.
///
/// ```
/// use plantime::planning::assert_refines;
/// use plantime::{Type, Value, value};
///
/// let plan = value!({ "ids": [Value::unknown(Type::String)], "size": 1 })?;
/// let replan = value!({ "ids": ["a"], "size": Value::unknown(Type::Number) })?;
/// assert_eq!(assert_refines(&plan, &replan)[0].to_string(), ".size: was known, but now unknown");
/// # Ok::<(), plantime::Error>(())
/// ```
pub fn assert_refines(plan: &Value, replan: &Value) -> Vec<Violation> {
    let mut found = Found::default();
    if !refines(plan, replan) {
        value(plan, replan, true, &mut found);
        if found.violations.is_empty() {
            found.add(does_not_conform(plan, replan));
        }
    }
    found.violations
}

/// The value with what its schema says is sensitive marked, if it has the type of the schema.
pub(super) fn typed(schema: &Block, layout: &Layout<'_>, value: &Value) -> Result<Value> {
    let (ty, found) = (layout.object_type(), value.ty());
    if !value.is_null() && !ty.covers(&found) {
        return Err(Error::new(Kind::TypeMismatch, mismatch_message(&found, &(&ty).into())));
    }
    let secret = |(_, marks): &(Path, Marks)| marks.contains(&Mark::SENSITIVE);
    let places: Vec<(Path, Marks)> = schema.marks_for(value).into_iter().filter(secret).collect();
    Ok(value.mark_with_paths(&places))
}

/// An object: a block, or the whole.
fn object(layout: &Layout<'_>, planned: &Value, actual: &Value, found: &mut Found) {
    let root = if found.is_at_root() { "Root object " } else { "" };
    match (null(planned), null(actual)) {
        (Some(true), Some(true)) | (None, Some(true)) => return,
        (Some(true), _) => return found.add(format!("{root}was absent, but now present")),
        (Some(false), Some(true)) => return found.add(format!("{root}was present, but now absent")),
        (Some(false) | None, Some(false) | None) => {}
    }
    for (name, slot) in layout.slots() {
        if let Slot::Attribute { .. } = slot {
            let (planned, actual) = (part(planned, name, slot), part(actual, name, slot));
            found.at(Step::attr(name), |found| value(&planned, &actual, false, found));
        }
    }
    for (name, slot) in layout.slots() {
        if let Slot::Blocks(nest) = slot {
            let (planned, actual) = (part(planned, name, slot), part(actual, name, slot));
            found.at(Step::attr(name), |found| {
                concealed(&planned, &actual, found, |found| blocks(nest, &planned, &actual, found));
            });
        }
    }
}

/// What is under a name: unknown if the object is.
pub(super) fn part(object: &Value, name: &str, slot: &Slot<'_>) -> Value {
    let part = match view_below_marks(object) {
        View::Object(object) => object.get(name).cloned(),
        View::Null(_) => Some(Value::null(slot.ty())),
        _ => None,
    };
    part.unwrap_or_else(|| Value::unknown(slot.ty()))
}

/// Looks at two values; if one is marked, tells only that they differ.
fn concealed(planned: &Value, actual: &Value, found: &mut Found, look: impl FnOnce(&mut Found)) {
    if planned.is_marked() || actual.is_marked() {
        found.conceal("inconsistent values for sensitive attribute", look);
    } else {
        look(found);
    }
}

/// The blocks of one type.
fn blocks(nest: &Nest<'_>, planned: &Value, actual: &Value, found: &mut Found) {
    if !nest.is_collection() {
        return object(&nest.item, planned, actual, found);
    }
    if is_unknown(planned) || is_unknown(actual) || null(planned) == Some(true) || null(actual) == Some(true)
    {
        return value(planned, actual, false, found);
    }
    if let (View::Set(planned), View::Set(actual)) = (view_below_marks(planned), view_below_marks(actual)) {
        return members("block set length", &planned, &actual, found);
    }
    let (before, after) = (planned.elements().count(), actual.elements().count());
    let has_names = matches!(view_below_marks(planned), View::Object(_));
    if before != after && !has_names {
        return found.add(format!("block count changed from {before} to {after}"));
    }
    for (step, item) in planned.elements() {
        match (actual.part(&step), key_of(&step)) {
            (Some(other), _) => found.at(step, |found| {
                concealed(item, other, found, |found| object(&nest.item, item, other, found));
            }),
            (None, Some(key)) => found.add(format!("block key {} has vanished", QuotedInMessage(key))),
            (None, None) => {}
        }
    }
    if nest.nesting == Nesting::Map {
        for (step, _) in actual.elements() {
            if let (None, Some(key)) = (planned.part(&step), key_of(&step)) {
                found.add(format!("new block key {} has appeared", QuotedInMessage(key)));
            }
        }
    }
}

/// Any two values. `kept` says that what was not known may not be less known now.
fn value(planned: &Value, actual: &Value, kept: bool, found: &mut Found) {
    concealed(planned, actual, found, |found| value_below_marks(planned, actual, kept, found));
}

fn value_below_marks(planned: &Value, actual: &Value, kept: bool, found: &mut Found) {
    if matches!(view_below_marks(planned), View::Dynamic) {
        return;
    }
    let (before, after) = (planned.ty(), actual.ty());
    if !conforms(&before, &after) {
        let reason = mismatch_message(&after, &(&before).into());
        return found.add(format!("wrong final value type: {reason}"));
    }
    if is_unknown(planned) {
        if !becomes(planned, actual, kept) {
            found.add(does_not_conform(planned, actual));
        }
        return;
    }
    match (null(planned), null(actual)) {
        (Some(true), Some(true)) => return,
        (Some(true), _) if !is_unknown(actual) => {
            return found.add(format!("was null, but now {}", GoSyntax(actual)));
        }
        (_, Some(true)) => return found.add(format!("was {}, but now null", GoSyntax(planned))),
        _ if is_unknown(actual) => return found.add("was known, but now unknown"),
        _ => {}
    }
    match (view_below_marks(planned), view_below_marks(actual)) {
        // The members of such a set get one type together.
        (View::Set(before), View::Set(_))
            if before.element_type().has_dynamic() && refines(planned, actual) => {}
        (View::Set(before), View::Set(after)) => members("length", &before, &after, found),
        (View::Object(before), View::Object(after)) => {
            for ((name, before), (_, after)) in before.iter().zip(after.iter()) {
                found.at(Step::attr(name), |found| value(before, after, kept, found));
            }
        }
        (View::List(_) | View::Tuple(_) | View::Map(_), _) => elements(planned, actual, kept, found),
        _ if planned.unmark_deep().0 != actual.unmark_deep().0 => {
            found.add(format!("was {}, but now {}", GoSyntax(planned), GoSyntax(actual)));
        }
        _ => {}
    }
}

/// Whether a value of a type may be what was planned with another one, or with `dynamic` in its place.
fn conforms(planned: &Type, actual: &Type) -> bool {
    *planned == Type::Dynamic || planned.covers(actual)
}

/// Whether an unknown may become a value; of one that is not wholly known, whether nothing excludes it.
fn becomes(planned: &Value, actual: &Value, kept: bool) -> bool {
    if kept || actual.is_wholly_known() {
        return refines(planned, actual);
    }
    planned.range().includes(actual) != Some(false)
}

fn does_not_conform(planned: &Value, actual: &Value) -> String {
    format!("final value {} does not conform to planning placeholder {}", GoSyntax(actual), GoSyntax(planned))
}

/// The elements of a list, tuple or map.
fn elements(planned: &Value, actual: &Value, kept: bool, found: &mut Found) {
    for (step, item) in planned.elements() {
        match actual.part(&step) {
            Some(other) => found.at(step, |found| value(item, other, kept, found)),
            None => found.add(format!("element {} has vanished", Place(&step))),
        }
    }
    for (step, _) in actual.elements() {
        if planned.part(&step).is_none() {
            found.add(format!("new element {} has appeared", Place(&step)));
        }
    }
}

/// An index or key.
struct Place<'s>(&'s Step);

impl std::fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (key_of(self.0), self.0) {
            (Some(key), _) => write!(f, "{}", QuotedInMessage(key)),
            (None, Step::Index(index)) => write!(f, "{index}"),
            (None, Step::Attr(name)) => f.write_str(name.as_str()),
        }
    }
}

/// The members of a set: each planned one becomes an actual one, and each actual one was planned, no two as one.
fn members(what: &str, planned: &SetView<'_>, actual: &SetView<'_>, found: &mut Found) {
    let after: Vec<&Value> = actual.iter().collect();
    let lost = |one: &Value| found_nowhere("planned", one, "actual");
    let violations_before = found.violations.len();
    let mut is_wrong = false;
    for one in planned.known().iter().filter(|one| !actual.contains_known(one)) {
        found.add(lost(one));
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
        // Where there are more than planned, the length tells of those that fit.
        let is_told = |row: &usize| now <= before || fits.get(*row).is_some_and(Vec::is_empty);
        let left = unassigned(&fits, group.earlier.len()).into_iter().filter(is_told);
        new_members.extend(left.filter_map(|row| group.later.get(row).copied()));
    }
    lost_members.into_iter().for_each(|one| found.add(lost(one)));
    is_wrong |= found.violations.len() > violations_before || !new_members.is_empty();
    new_members.into_iter().for_each(|one| found.add(found_nowhere("actual", one, "plan")));
    if now <= before && has_more && !is_wrong {
        is_wrong = true;
        found.add(format!("{what} changed from {before} to {now}"));
    }
    let fits = actual.length().meet(planned.length()).is_some();
    if before < now || !is_wrong && !fits {
        found.add(format!("{what} changed from {before} to {now}"));
    }
}

/// A member of one set without a counterpart in the other.
fn found_nowhere(side: &str, member: &Value, other: &str) -> String {
    let in_other = if other == "plan" { "in plan" } else { "in actual" };
    format!("{side} set element {} does not correlate with any element {in_other}", GoSyntax(member))
}
