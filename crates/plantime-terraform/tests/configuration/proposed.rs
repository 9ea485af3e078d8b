//! What core proposed for every resource that a recorded plan creates, told from the configuration.
//!
//! The provider of the recordings answers with the proposed new state, with an unknown for each computed attribute that
//! is null in it.

use plantime::{Type, Value, View};
use plantime_schema::planning::{TypeSystem, assert_plan_valid, proposed_new};
use plantime_schema::{Attribute, AttributeType, Block, NestedBlock, NestedType};
use plantime_terraform::configuration::Evaluation;
use plantime_terraform::plan::{Action, Mode, ResourceChange};

use super::recorded::{Root, roots};

/// How many resources have the planned value, and which have another one.
#[derive(Default)]
struct Found {
    equal: usize,
    narrower: Vec<String>,
    wider: Vec<String>,
    other: Vec<String>,
}

#[test]
fn recorded_creations_are_what_is_proposed_for_the_configuration() {
    let mut found = Found::default();
    for root in roots() {
        let Some(configuration) = root.read() else { continue };
        let values = root.plan.planned_values();
        let inputs = root.inputs().known(&values);
        let evaluation = configuration.evaluate(&inputs);
        for change in &root.plan.resource_changes {
            if change.mode == Mode::Managed && change.change.actions == [Action::Create] {
                compare(&root, &evaluation, change, &mut found);
            }
        }
    }
    let Found { equal, narrower, wider, other } = found;
    if equal == 0 {
        return;
    }
    println!(
        "{equal} created resources are as proposed; the configuration knows more than core of {}, less of {}; {} differ",
        narrower.len(),
        wider.len(),
        other.len()
    );
    println!("more: {narrower:#?}\nless: {wider:#?}");
    if std::env::var_os("ONLY").is_none() {
        assert!(other.is_empty(), "{other:#?}");
        assert!(equal >= 2_000, "{equal}");
    }
}

/// Compares the planned value of a resource with the proposal for its configuration.
fn compare(root: &Root, evaluation: &Evaluation<'_>, change: &ResourceChange, found: &mut Found) {
    let Some(after) = &change.change.after else { return };
    let after = plain(after);
    let schema = root.schemas.resource(&change.provider_name, &change.type_name).unwrap();
    let name = format!("{}: {}", root.name, change.address);
    let Some(config) = evaluation.resource(&change.address) else {
        found.other.push(format!("MISSING {name}"));
        return;
    };
    let config = config.unmark_deep().0;
    let none = Value::null(Type::Dynamic);
    let block = schema.block();
    let planned = block.coerce(&config).and_then(|config| {
        let planned = filled(block, &proposed_new(block, &none, &config)?);
        let verdict = assert_plan_valid(block, &none, &config, &planned, TypeSystem::Strict)?;
        assert!(verdict.is_accepted(), "{name}: {:#?}", verdict.violations);
        Ok(planned)
    });
    let proposed = match planned {
        Ok(planned) => plain(&planned),
        Err(error) => {
            found.other.push(format!("ERROR {name}: {error}"));
            return;
        }
    };
    match relation(&proposed, &after) {
        Relation::Same => found.equal += 1,
        Relation::Wider => found.wider.push(name),
        Relation::Narrower => found.narrower.push(name),
        Relation::Other => found.other.push(format!("{name}: {}", different(&proposed, &after))),
    }
}

/// The attributes that differ, with both values.
fn different(ours: &Value, theirs: &Value) -> String {
    let (View::Object(ours), View::Object(theirs)) = (ours.view(), theirs.view()) else {
        return String::new();
    };
    let pairs = ours.iter().filter_map(|(name, ours)| Some((name, ours, theirs.get(name)?)));
    let different = pairs.filter(|(_, ours, theirs)| ours != theirs);
    different.map(|(name, ours, theirs)| format!("{name}: {ours} but {theirs}; ")).collect()
}

/// How a proposed value compares with the planned one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Relation {
    Same,
    /// The evaluation of the configuration knows more than core.
    Narrower,
    /// It knows less.
    Wider,
    Other,
}

/// Compares part by part. JSON has no sets, no lists of objects and no types of nulls inside an attribute of any type.
fn relation(ours: &Value, theirs: &Value) -> Relation {
    if ours == theirs || ours.is_null() && theirs.is_null() {
        return Relation::Same;
    }
    let is_unknown = |value: &Value| matches!(value.view(), View::Unknown(_) | View::Dynamic);
    match (is_unknown(ours), is_unknown(theirs)) {
        (true, true) => return Relation::Same,
        (true, false) => return Relation::Wider,
        (false, true) => return Relation::Narrower,
        (false, false) => {}
    }
    let (mine, others) = (ours.elements().count(), theirs.elements().count());
    if mine != others || mine == 0 && ours.to_string() != theirs.to_string() {
        return Relation::Other;
    }
    let each = ours.elements().zip(theirs.elements());
    let each = each.map(|((_, ours), (_, theirs))| relation(ours, theirs));
    each.max().unwrap_or(Relation::Same)
}

/// The value without marks and refinements, which a plan in JSON does not have.
fn plain(value: &Value) -> Value {
    let unrefined = |value: Value| match value.view() {
        View::Unknown(range) => Value::unknown(range.ty().clone()),
        _ => value,
    };
    value.unmark_deep().0.transform(|_, value| Ok(unrefined(value))).unwrap()
}

/// A block with an unknown for each computed attribute that is null.
pub(crate) fn filled(block: &Block, value: &Value) -> Value {
    let View::Object(object) = value.view() else { return value.clone() };
    let parts = object.iter().map(|(name, value)| match block.attributes.get(name) {
        Some(attribute) => (name, filled_attribute(attribute, value)),
        None => (name, filled_blocks(block.block_types.get(name).unwrap(), value)),
    });
    Value::object(parts).unwrap()
}

pub(crate) fn filled_attribute(attribute: &Attribute, value: &Value) -> Value {
    match &attribute.ty {
        // What is written only is never planned.
        _ if attribute.write_only => Value::null(attribute_type(attribute)),
        _ if attribute.computed && value.is_null() => Value::unknown(attribute_type(attribute)),
        AttributeType::Nested(nested) => each(value, &|item| filled_nested(nested, item)),
        _ => value.clone(),
    }
}

/// The declared type: a null of an attribute of any type has none of its own.
fn attribute_type(attribute: &Attribute) -> Type {
    let mut block = Block::default();
    block.attributes.insert("x".to_owned(), attribute.clone());
    let Type::Object(object) = block.implied_type().unwrap() else { unreachable!() };
    object.iter().next().unwrap().1.clone()
}

pub(crate) fn filled_nested(nested: &NestedType, value: &Value) -> Value {
    let View::Object(object) = value.view() else { return value.clone() };
    Value::object(
        object
            .iter()
            .map(|(name, value)| (name, filled_attribute(nested.attributes.get(name).unwrap(), value))),
    )
    .unwrap()
}

pub(crate) fn filled_blocks(nested: &NestedBlock, value: &Value) -> Value {
    each(value, &|item| filled(&nested.block, item))
}

/// The value with every object changed: itself, or the elements of a collection.
fn each(value: &Value, change: &dyn Fn(&Value) -> Value) -> Value {
    match value.view() {
        View::Object(_) => change(value),
        View::List(list) => Value::list_of(list.element_type().clone(), list.iter().map(change)).unwrap(),
        View::Tuple(tuple) => Value::tuple(tuple.iter().map(change)).unwrap(),
        View::Set(set) => Value::set_of(set.element_type().clone(), set.iter().map(change)).unwrap(),
        View::Map(map) => {
            Value::map_of(map.element_type().clone(), map.iter().map(|(key, item)| (key, change(item))))
                .unwrap()
        }
        _ => value.clone(),
    }
}
