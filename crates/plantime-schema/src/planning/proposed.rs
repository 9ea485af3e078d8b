//! The new state that core proposes to a provider.

use crate::schema::{Attribute, Block, Nesting};
use plantime::unstable::value::join;
use plantime::{Result, Step, Value, View};

use super::layout::{Entry, Layout, Nest, is_unknown, null};
use super::policy::{Core, Policy};
use super::set_priors::{Prior, priors};

/// The new state that core proposes to a provider: the configuration, with the prior value of each computed attribute
/// that the configuration leaves null.
///
/// `prior` is null for a resource that does not exist yet. Both values are [coerced](Block::coerce) first. The provider
/// answers with its plan, in which it may change what is computed.
///
/// | part | proposed |
/// |---|---|
/// | the prior value and the configuration are null | null |
/// | the configuration is null | the prior value |
/// | a computed attribute that is null in the configuration | its prior value; null if it has none |
/// | an optional and computed attribute with nested attributes, null in the configuration, whose prior value sets one that is not computed | null: the user has removed it from the configuration |
/// | another attribute | as configured; in nested attributes the same rules hold |
/// | a single block, a group block | the same rules hold inside, with null for a single block without configuration |
/// | a list | by index: elements beyond the prior list are as configured |
/// | a map | by key: elements under new keys are as configured |
/// | a set | each element continues the first prior element that may have come from it, and that no element before it continues |
/// | unknown blocks, unknown nested attributes | as configured |
///
/// Where the proposal depends on unknown values, it is the narrowest value that contains all possible
/// proposals. (Core picks one of them: the
/// configured value for a computed attribute that may turn out null, and null for the computed attributes of a set block
/// that may turn out to continue a prior one.) So a more known configuration never contradicts an earlier proposal. Marks
/// of the configuration stay in place; those of a prior value are also on every value that is taken from it.
///
/// ```
/// use plantime_schema::planning::proposed_new;
/// use plantime_schema::{Attribute, AttributeType, Block, NestedBlock, Nesting};
/// use plantime::{Type, Value};
/// use plantime::value;
///
/// let attribute = |computed: bool| {
///     let mut attribute = Attribute::new(AttributeType::Plain(Type::String));
///     (attribute.optional, attribute.computed) = (!computed, computed);
///     attribute
/// };
/// let mut disk = Block::default();
/// disk.attributes.insert("name".to_owned(), attribute(false));
/// disk.attributes.insert("id".to_owned(), attribute(true));
/// let mut block = Block::default();
/// block.block_types.insert("disk".to_owned(), NestedBlock::new(Nesting::Set, disk));
///
/// let prior = block.coerce(&value!({ "disk": [{ "name": "a", "id": "d-1" }, { "name": "b", "id": "d-2" }] })?)?;
/// let config = value!({ "disk": [{ "name": "b" }, { "name": "c" }] })?;
/// let expected = value!({ "disk": [{ "name": "b", "id": "d-2" }, { "name": "c", "id": Value::null(Type::String) }] })?;
/// assert_eq!(proposed_new(&block, &prior, &config)?, block.coerce(&expected)?);
/// # Ok::<(), plantime::Error>(())
/// ```
///
/// # Errors
///
/// If `prior` or `config` does not have the shape of the schema: see [`Block::coerce`].
pub fn proposed_new(schema: &Block, prior: &Value, config: &Value) -> Result<Value> {
    let (prior, config) = (schema.coerce(prior)?, schema.coerce(config)?);
    let layout = Layout::of(schema)?;
    if null(&config) == Some(true) {
        return Ok(prior.with_marks(config.marks()));
    }
    let known = null(&prior) != Some(true);
    propose_object(&layout, &Core, known.then_some(&prior), &config)
}

/// The value that core plans without asking the provider, as for a data source that is read during the apply: the
/// configuration, with an unknown for each computed attribute that it leaves null.
///
/// ```
/// use plantime_schema::planning::planned_unknown;
/// use plantime_schema::{Attribute, AttributeType, Block};
/// use plantime::Type;
/// use plantime::value;
///
/// let mut name = Attribute::new(AttributeType::Plain(Type::String));
/// name.required = true;
/// let mut id = Attribute::new(AttributeType::Plain(Type::String));
/// id.computed = true;
/// let mut block = Block::default();
/// block.attributes.extend([("name".to_owned(), name), ("id".to_owned(), id)]);
/// let planned = planned_unknown(&block, &value!({ "name": "db" })?)?;
/// assert_eq!(planned.to_string(), r#"{id = (known after apply), name = "db"}"#);
/// # Ok::<(), plantime::Error>(())
/// ```
///
/// # Errors
///
/// As [`proposed_new`].
pub fn planned_unknown(schema: &Block, config: &Value) -> Result<Value> {
    let config = schema.coerce(config)?;
    let layout = Layout::of(schema)?;
    propose_object(&layout, &Core, Some(&Value::unknown(layout.object_type())), &config)
}

/// Proposes an object: that of a block, or one of nested attributes. `prior` is the prior object that it continues, if
/// there is one.
pub(super) fn propose_object<P: Policy>(
    layout: &Layout<'_>,
    policy: &P,
    prior: Option<&Value>,
    config: &Value,
) -> Result<Value> {
    let View::Object(object) = config.view_below_marks() else {
        // Null: there is none. Unknown: whatever it becomes is one of the type.
        return Ok(config.clone());
    };
    let mut entries = Vec::with_capacity(layout.ty.len());
    for (name, entry) in layout.entries() {
        let Some(config) = object.get(name) else { continue };
        let old = prior.and_then(|prior| prior_part(prior, name, entry));
        let place = policy.child(&Step::attr(name));
        let proposed = propose_entry(entry, &place, prior.is_some(), old.as_ref(), config);
        entries.push(proposed.map_err(|error| error.under(Step::attr(name)))?);
    }
    let proposed = Value::object_of(&layout.ty, entries)?.with_marks(config.marks());
    Ok(with_marks_of(proposed, prior))
}

/// The prior value of an attribute or nested block type; `None` if it is null.
fn prior_part(prior: &Value, name: &str, entry: &Entry<'_>) -> Option<Value> {
    let part = match prior.view_below_marks() {
        View::Object(object) => object.get(name)?.clone(),
        View::Dynamic | View::Unknown(_) => Value::unknown(entry.ty()),
        _ => return None,
    };
    (null(&part) != Some(true)).then_some(part)
}

/// Adds the outermost marks of the prior value, from which a part of the value was taken.
fn with_marks_of(value: Value, prior: Option<&Value>) -> Value {
    match prior {
        Some(prior) => value.with_marks(prior.marks()),
        None => value,
    }
}

/// The proposed value of an attribute or nested block type. `exists` says that the object with it continues a prior one.
fn propose_entry<P: Policy>(
    entry: &Entry<'_>,
    policy: &P,
    exists: bool,
    prior: Option<&Value>,
    config: &Value,
) -> Result<Value> {
    let proposed = match entry {
        Entry::Blocks(nest) => propose_objects(nest, policy, prior, config)?,
        Entry::Attribute { attribute, nested, ty, .. } => {
            let is_null = if attribute.computed { null(config) } else { Some(false) };
            let configured = || {
                let proposed = match nested {
                    Some(nest) => propose_objects(nest, policy, prior, config)?,
                    None => config.clone(),
                };
                policy.configured_value(attribute, prior, proposed)
            };
            let computed = || {
                let kept = carried_over(attribute, nested.as_ref(), prior, config);
                policy.computed_value(attribute, ty, exists, prior, kept)
            };
            match is_null {
                Some(true) => computed()?,
                Some(false) => configured()?,
                None => {
                    let (configured, computed) = (configured()?, computed()?);
                    join(&[&configured, &computed]).unwrap_or(configured)
                }
            }
        }
    };
    policy.record_planned(entry, exists, prior, config, &proposed)?;
    Ok(proposed)
}

/// The value of a computed attribute that the configuration leaves null: its prior value; null if there is none, or if
/// the user has removed the attribute from the configuration.
fn carried_over(
    attribute: &Attribute,
    nested: Option<&Nest<'_>>,
    prior: Option<&Value>,
    config: &Value,
) -> Value {
    let Some(prior) = prior else {
        return if is_unknown(config) { Value::null(config.ty()) } else { config.clone() };
    };
    let removed = attribute.optional && nested.is_some_and(|nest| has_configured_value(nest, prior));
    let value = if removed { Value::null(prior.ty()) } else { prior.clone() };
    with_marks_of(value.with_marks(config.marks()), Some(prior))
}

/// Whether one of the nested objects has a value for an attribute that is not computed: only a configuration can have set
/// it.
fn has_configured_value(nest: &Nest<'_>, prior: &Value) -> bool {
    if !nest.is_collection() {
        return object_has_configured_value(&nest.item, prior);
    }
    prior.elements().any(|(_, item)| object_has_configured_value(&nest.item, item))
}

/// Whether the object has a value for an attribute that is not computed, also in nested objects.
fn object_has_configured_value(layout: &Layout<'_>, object: &Value) -> bool {
    let View::Object(object) = object.view_below_marks() else { return false };
    let set = |name: &str| object.get(name).filter(|value| null(value) != Some(true));
    layout.entries().any(|(name, entry)| match (entry, set(name)) {
        (_, None) => false,
        (Entry::Attribute { attribute, nested, .. }, Some(value)) => {
            !attribute.computed || nested.as_ref().is_some_and(|nest| has_configured_value(nest, value))
        }
        (Entry::Blocks(nest), Some(value)) => has_configured_value(nest, value),
    })
}

/// The proposed value of a nested block type or of an attribute with nested attributes.
fn propose_objects<P: Policy>(
    nest: &Nest<'_>,
    policy: &P,
    prior: Option<&Value>,
    config: &Value,
) -> Result<Value> {
    if is_unknown(config) {
        return Ok(config.clone());
    }
    if null(config) == Some(true) {
        let group = nest.is_block && nest.nesting == Nesting::Group;
        return Ok(match prior.filter(|_| group) {
            Some(prior) => policy.carried_block(prior, config),
            None => config.clone(),
        });
    }
    if !nest.is_collection() {
        return propose_object(&nest.item, policy, prior, config);
    }
    let proposed = match config.view_below_marks() {
        View::Set(_) => propose_set(nest, policy, prior, config)?,
        _ => propose_elements(nest, policy, prior, config)?,
    };
    let proposed = nest.collect(proposed)?.with_marks(config.marks());
    Ok(with_marks_of(proposed, prior))
}

/// Proposes the elements of a list or map, each with the step to it. An element continues the prior element with its
/// index or key.
fn propose_elements<P: Policy>(
    nest: &Nest<'_>,
    policy: &P,
    prior: Option<&Value>,
    config: &Value,
) -> Result<Vec<(Step, Value)>> {
    let unknown = || Value::unknown(nest.item.object_type());
    let continued = |step: &Step| match prior {
        Some(prior) if is_unknown(prior) => Some(unknown()),
        Some(prior) => element(prior, step).cloned(),
        None => None,
    };
    let propose = |(step, item): (Step, &Value)| {
        let proposed = propose_item(nest, &policy.child(&step), continued(&step).as_ref(), item);
        proposed.map_err(|error| error.under(step.clone())).map(|item| (step, item))
    };
    let proposed = config.elements().map(propose).collect();
    if let Some(prior) = prior.filter(|prior| !is_unknown(prior)) {
        for (step, old) in prior.elements().filter(|(step, _)| element(config, step).is_none()) {
            policy.child(&step).record_removed(old);
        }
    }
    proposed
}

/// The element of a list, tuple, map or object, whether a key is an index or a name.
fn element<'v>(prior: &'v Value, step: &Step) -> Option<&'v Value> {
    match prior.view_below_marks() {
        View::Map(map) => map.get(step.name()?),
        View::Object(object) => object.get(step.name()?),
        _ => prior.part(step),
    }
}

/// Proposes the members of a set, each with the step to it.
fn propose_set<P: Policy>(
    nest: &Nest<'_>,
    policy: &P,
    prior: Option<&Value>,
    config: &Value,
) -> Result<Vec<(Step, Value)>> {
    let View::Set(members) = config.view_below_marks() else { return Ok(Vec::new()) };
    let unknown = Value::unknown(nest.item.object_type());
    let propose = |(member, prior): (&Value, Option<&Value>)| {
        let step = Step::Index(member.clone());
        let proposed = propose_item(nest, &policy.child(&step), prior, member);
        proposed.map_err(|error| error.under(step.clone())).map(|item| (step, item))
    };
    match prior.map(Value::view_below_marks) {
        Some(View::Set(old)) => {
            let continued = priors(&nest.item, &old, &members);
            policy.record_continued_members(&old, &continued);
            let continued = continued.into_iter();
            let of = |(member, prior)| match prior {
                Prior::Member(prior) => (member, Some(prior)),
                Prior::Nothing => (member, None),
                Prior::Undecided => (member, Some(&unknown)),
            };
            continued.map(of).map(propose).collect()
        }
        Some(View::Dynamic | View::Unknown(_)) => {
            members.iter().map(|member| propose((member, Some(&unknown)))).collect()
        }
        _ => members.iter().map(|member| propose((member, None))).collect(),
    }
}

/// Proposes one object of a collection of nested objects.
fn propose_item<P: Policy>(
    nest: &Nest<'_>,
    policy: &P,
    prior: Option<&Value>,
    config: &Value,
) -> Result<Value> {
    match (null(config), prior) {
        // A null block in a collection is in no configuration that a user wrote.
        (Some(true), Some(prior)) if nest.is_block => Ok(policy.carried_block(prior, config)),
        _ if matches!(config.view_below_marks(), View::Dynamic) => {
            Ok(Value::unknown(nest.item.object_type()).with_marks(config.marks()))
        }
        _ => propose_object(&nest.item, policy, prior, config),
    }
}
