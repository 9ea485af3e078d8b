//! Checks the value that a provider plans against prior state and configuration.

use crate::schema::{Attribute, Block, Nesting};
use plantime::unstable::text::QuotedInMessage;
use plantime::{LengthRange, Result, Step, Value, View};

use super::compatible::{part, typed};
use super::go_syntax::GoSyntax;
use super::layout::{Entry, Layout, Nest, is_unknown, null};
use super::violation::{TypeSystem, Verdict, ViolationCollector};

const ABSENT: &str = "planned for absence but config wants existence";
const PRESENT: &str = "planned for existence but config wants absence";
const UNKNOWN_BLOCKS: &str = "attribute representing nested block must not be unknown itself; set nested attribute values to unknown instead";
const UNKNOWN_BLOCK: &str = "element representing nested block must not be unknown itself; set nested attribute values to unknown instead";

/// Checks the value that a provider plans against its prior state and configuration; returns a violation for each value
/// that it may not plan.
///
/// | part | rule | violation |
/// |---|---|---|
/// | an object | planned exactly if it is configured | `planned for absence but config wants existence`, `planned for existence but config wants absence` |
/// | an attribute | the configured value, or the prior one if a value is configured | `planned value V does not match config value C`, with `nor prior value P` |
/// | a computed attribute | any value, unless one is configured | |
/// | another attribute that is not configured | null | `planned value V for a non-computed attribute` |
/// | a write-only attribute | also null | |
/// | nested attributes | these rules for each object; the same number of objects | `planned unknown for configured value`, `count in plan (…) disagrees with count in config (…)`, `map key "k" from plan is not present in config` |
/// | unknown blocks | as configured | `planned value V for unknown dynamic block` |
/// | blocks | the same number, under the same keys; known; not null | `block count in plan (1) disagrees with count in config (2)`, `block key "k" from config is not present in plan`, and more |
/// | a set | its members are not compared | |
/// | a sensitive attribute | | `sensitive planned value does not match config value`, and so on |
///
/// Refinements do not matter: a provider may plan an unknown with more or fewer of them. Values are printed in
/// [Go syntax](GoSyntax).
///
/// ```
/// use plantime_schema::planning::{TypeSystem, assert_plan_valid};
/// use plantime_schema::{Attribute, AttributeType, Block};
/// use plantime::{Type, Value};
/// use plantime::value;
///
/// let mut name = Attribute::new(AttributeType::Plain(Type::String));
/// name.optional = true;
/// let mut block = Block::default();
/// block.attributes.insert("name".to_owned(), name);
///
/// let (none, config) = (Value::null(Type::Dynamic), value!({ "name": "web" })?);
/// let verdict = assert_plan_valid(&block, &none, &config, &value!({ "name": "WEB" })?, TypeSystem::Legacy)?;
/// assert!(verdict.is_accepted());
/// assert_eq!(
///     verdict.tolerated[0].to_string(),
///     ".name: planned value cty.StringVal(\"WEB\") does not match config value cty.StringVal(\"web\")"
/// );
/// # Ok::<(), plantime::Error>(())
/// ```
///
/// # Errors
///
/// If a value does not have the type of the schema: core rejects such a value before this check.
pub fn assert_plan_valid(
    schema: &Block,
    prior: &Value,
    config: &Value,
    planned: &Value,
    system: TypeSystem,
) -> Result<Verdict> {
    let layout = Layout::of(schema)?;
    let typed = |value: &Value| typed(schema, &layout, value);
    let (prior, config, planned) = (typed(prior)?, typed(config)?, typed(planned)?);
    let mut found = ViolationCollector::default();
    check_object(&layout, &Side { prior: Some(&prior), config: &config, planned: &planned }, &mut found);
    Ok(Verdict::of(found, system))
}

/// The prior, the configured and the planned value at one place.
#[derive(Clone, Copy)]
struct Side<'v> {
    /// The prior value; `None` if the object is new there.
    prior: Option<&'v Value>,
    config: &'v Value,
    planned: &'v Value,
}

impl Side<'_> {
    /// The prior value, unless it is absent or null.
    fn prior_value(&self) -> Option<&Value> {
        self.prior.filter(|prior| null(prior) != Some(true))
    }

    /// Whether the planned and the configured value are equal, refinements left aside.
    fn is_as_configured(&self) -> bool {
        same(self.planned, self.config)
    }

    /// Adds a violation if only one of the planned and the configured value is null. Returns whether neither is null,
    /// so that their contents are to be checked.
    fn exists(&self, found: &mut ViolationCollector) -> bool {
        match (null(self.config) == Some(true), null(self.planned) == Some(true)) {
            (false, true) => found.report(ABSENT),
            (true, false) => found.report(PRESENT),
            (true, true) => {}
            (false, false) => return true,
        }
        false
    }
}

/// Whether two values are equal, marks and refinements left aside.
fn same(a: &Value, b: &Value) -> bool {
    a == b || unrefined(a) == unrefined(b)
}

/// The value without marks, and its unknowns without refinements.
fn unrefined(value: &Value) -> Value {
    let bare = value.unmark_deep().0;
    let plain = bare.transform(|_, part| {
        Ok(match part.view() {
            View::Unknown(range) => Value::unknown(range.ty().clone()),
            _ => part,
        })
    });
    plain.unwrap_or(bare)
}

/// Checks an object: a block, or the whole value.
fn check_object(layout: &Layout<'_>, side: &Side<'_>, found: &mut ViolationCollector) {
    if side.exists(found) {
        check_entries(layout, side, found);
    }
}

/// Checks the attributes of an object, then its nested blocks.
fn check_entries(layout: &Layout<'_>, side: &Side<'_>, found: &mut ViolationCollector) {
    for blocks_now in [false, true] {
        for (name, entry) in layout.entries() {
            if matches!(entry, Entry::Blocks(_)) != blocks_now {
                continue;
            }
            let prior = side.prior_value().map(|prior| part(prior, name, entry));
            let (config, planned) = (part(side.config, name, entry), part(side.planned, name, entry));
            let inner = Side { prior: prior.as_ref(), config: &config, planned: &planned };
            found.at(Step::attr(name), |found| match entry {
                Entry::Attribute { attribute, nested, .. } => {
                    check_attribute(attribute, nested.as_ref(), &inner, found);
                }
                Entry::Blocks(nest) => check_blocks(nest, &inner, found),
            });
        }
    }
}

/// Checks the value of an attribute.
fn check_attribute(
    attribute: &Attribute,
    nested: Option<&Nest<'_>>,
    side: &Side<'_>,
    found: &mut ViolationCollector,
) {
    let is_configured = null(side.config) != Some(true);
    let kept = || is_configured && side.prior_value().is_some_and(|prior| same(side.planned, prior));
    let chosen = attribute.computed && (!attribute.optional || !is_configured);
    let hidden = attribute.write_only && null(side.planned) == Some(true);
    if side.is_as_configured() || kept() || chosen || hidden {
        return;
    }
    let is_secret =
        [Some(side.config), Some(side.planned), side.prior].into_iter().flatten().any(Value::is_marked);
    if !is_configured {
        match null(side.planned) {
            Some(true) => {}
            _ if is_secret => found.report("sensitive planned value for a non-computed attribute"),
            _ => {
                found.report(format!("planned value {} for a non-computed attribute", GoSyntax(side.planned)))
            }
        }
        return;
    }
    match nested {
        Some(nest) if is_secret => {
            let message = mismatch(side, true);
            found.report_as_one(&message, |found| check_nested_objects(nest, side, found));
        }
        Some(nest) => check_nested_objects(nest, side, found),
        None => found.report(mismatch(side, is_secret)),
    }
}

/// The message that the planned value is neither the configured nor the prior one.
fn mismatch(side: &Side<'_>, is_secret: bool) -> String {
    match (is_secret, side.prior_value()) {
        (true, None) => "sensitive planned value does not match config value".to_owned(),
        (true, Some(_)) => "sensitive planned value does not match config value nor prior value".to_owned(),
        (false, None) => {
            format!(
                "planned value {} does not match config value {}",
                GoSyntax(side.planned),
                GoSyntax(side.config)
            )
        }
        (false, Some(prior)) => format!(
            "planned value {} does not match config value {} nor prior value {}",
            GoSyntax(side.planned),
            GoSyntax(side.config),
            GoSyntax(prior)
        ),
    }
}

/// Checks the objects of an attribute with nested attributes.
fn check_nested_objects(nest: &Nest<'_>, side: &Side<'_>, found: &mut ViolationCollector) {
    if !side.exists(found) {
        return;
    }
    if is_unknown(side.planned) {
        return found.report("planned unknown for configured value");
    }
    if !nest.is_collection() {
        return check_entries(&nest.item, side, found);
    }
    let (planned, config) = (Count::of(side.planned), Count::of(side.config));
    let disagrees = match nest.nesting {
        Nesting::Set => !planned.may_equal(config),
        Nesting::List => planned.exact().is_none() || planned.exact() != config.exact(),
        Nesting::Map | Nesting::Single | Nesting::Group => false,
    };
    if disagrees {
        return found.report(format!("count in plan ({planned}) disagrees with count in config ({config})"));
    }
    match nest.nesting {
        Nesting::Set => {}
        _ => check_each(side, found, "map", |side, found| {
            if side.exists(found) {
                if is_unknown(side.planned) && !is_unknown(side.config) {
                    found.report("planned unknown for configured value");
                } else {
                    check_entries(&nest.item, side, found);
                }
            }
        }),
    }
}

/// Checks elements by index or key: calls `look` for those that are planned and configured, and reports the keys that only one
/// side has.
fn check_each(
    side: &Side<'_>,
    found: &mut ViolationCollector,
    what: &str,
    look: impl Fn(&Side<'_>, &mut ViolationCollector),
) {
    for (step, planned) in side.planned.elements() {
        match (side.config.part(&step), step.name()) {
            (Some(config), _) => {
                let prior = side.prior.and_then(|prior| prior.part(&step));
                found.at(step, |found| look(&Side { prior, config, planned }, found));
            }
            (None, Some(key)) => {
                found.report(format!(
                    "{what} key {} from plan is not present in config",
                    QuotedInMessage(key)
                ));
            }
            (None, None) => {}
        }
    }
    for (step, _) in side.config.elements() {
        if let (None, Some(key)) = (side.planned.part(&step), step.name()) {
            found.report(format!("{what} key {} from config is not present in plan", QuotedInMessage(key)));
        }
    }
}

/// The number of elements, as far as it is known.
#[derive(Clone, Copy)]
struct Count(LengthRange);

impl Count {
    /// The number of elements of a value.
    fn of(value: &Value) -> Count {
        let range = value.range();
        Count(match value.view_below_marks() {
            View::Tuple(tuple) => LengthRange::exactly(tuple.len() as u64),
            View::Object(object) => LengthRange::exactly(object.len() as u64),
            _ => range.length_range().unwrap_or_default(),
        })
    }

    /// The number, if only one is possible.
    fn exact(self) -> Option<u64> {
        self.0.exact()
    }

    /// Whether the two numbers can be equal.
    fn may_equal(self, other: Count) -> bool {
        self.0.meet(other.0).is_some()
    }
}

impl std::fmt::Display for Count {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let number = |count: u64| GoSyntax(&Value::from(count)).to_string();
        match self.exact() {
            Some(count) => f.write_str(&number(count)),
            None => {
                // cty counts with 63 bits.
                let most = self.0.upper().unwrap_or(i64::MAX.unsigned_abs());
                let (least, most) = (number(self.0.lower()), number(most));
                write!(
                    f,
                    "cty.UnknownVal(cty.Number).Refine().NotNull().NumberLowerBound({least}, true)\
                     .NumberUpperBound({most}, true).NewValue()"
                )
            }
        }
    }
}

/// Checks the blocks of one type.
fn check_blocks(nest: &Nest<'_>, side: &Side<'_>, found: &mut ViolationCollector) {
    if side.is_as_configured() {
        return;
    }
    if is_unknown(side.config) {
        return found.report(format!("planned value {} for unknown dynamic block", GoSyntax(side.planned)));
    }
    if is_unknown(side.planned) {
        return found.report(UNKNOWN_BLOCKS);
    }
    let kind = match nest.nesting {
        Nesting::Single | Nesting::Group => return check_object(&nest.item, side, found),
        Nesting::List => "list",
        Nesting::Set => "set",
        Nesting::Map => "map",
    };
    if null(side.planned) == Some(true) {
        return found.report(format!(
            "attribute representing a {kind} of nested blocks must be empty to indicate no blocks, not null"
        ));
    }
    if nest.nesting == Nesting::Set {
        for (step, _) in side.planned.elements().filter(|(_, item)| is_unknown(item)) {
            found.at(step, |found| found.report(UNKNOWN_BLOCK));
        }
        return;
    }
    let (planned, config) = (side.planned.elements().count(), side.config.elements().count());
    let has_names = matches!(side.planned.view_below_marks(), View::Object(_));
    if planned != config && !has_names {
        return found
            .report(format!("block count in plan ({planned}) disagrees with count in config ({config})"));
    }
    check_each(side, found, "block", |side, found| match is_unknown(side.planned) {
        true => found.report(UNKNOWN_BLOCK),
        false => check_object(&nest.item, side, found),
    });
}
