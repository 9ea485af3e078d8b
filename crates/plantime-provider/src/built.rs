//! What is wrong with the parts of a provider, found when they are added to it: names that do not exist or may not be given.

use plantime::rule::set::{RuleSet, RuledType};
use plantime::{Refinement, TypeConstraint};
use plantime_schema::planning::{Behaviour, Behaviours};
use plantime_schema::{Attribute, AttributeType, Block, Schema};

use crate::erased::{AnyResource, catch_panic_now};
use crate::function::Function;
use crate::schema::did_you_mean;

/// What a schema is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Provider,
    Resource,
    DataSource,
    Ephemeral,
}

/// The names that the language takes for itself in blocks of a kind.
fn reserved(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Provider => &["alias", "version"],
        _ => &["connection", "count", "depends_on", "for_each", "lifecycle", "provider", "provisioner"],
    }
}

/// Whether a host finds the provider of a resource type by the name of the type.
pub(crate) fn type_name(provider: &str, name: &str) -> Vec<String> {
    // The types of a provider such as `google-beta` are those of `google`.
    let short = provider.split('-').next().unwrap_or(provider);
    let begins =
        |of: &str| name.strip_prefix(of).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'));
    let mut wrong = Vec::new();
    if !is_identifier(name) {
        wrong.push("the name may contain only lowercase letters, digits and underscores".to_owned());
    }
    if !begins(provider) && !begins(short) {
        let own = format!("{short}_");
        let (first, rest) = name.split_once('_').unwrap_or(("", name));
        // Another word in front, or one that is misspelt.
        let is_word = first.is_empty() || did_you_mean(first, [short]).is_empty();
        let nearest =
            if is_word && !first.is_empty() { format!("{own}{name}") } else { format!("{own}{rest}") };
        wrong.push(format!("the name must begin with \"{own}\"; did you mean \"{nearest}\"?"));
    }
    wrong
}

/// What no schema of a kind may declare.
pub(crate) fn schema(schema: &Schema, kind: Kind) -> Vec<String> {
    let mut wrong: Vec<String> = schema.check().iter().map(ToString::to_string).collect();
    let block = schema.block();
    let names =
        block.attributes.iter().map(|(name, _)| name).chain(block.block_types.iter().map(|(name, _)| name));
    for name in names.filter(|name| reserved(kind).contains(&name.as_str())) {
        wrong.push(format!("{name}: the name is reserved by the language"));
    }
    check_block(block, kind, "", &mut wrong);
    wrong
}

/// Adds what is wrong with the attributes of a block and of those inside it.
fn check_block(block: &Block, kind: Kind, prefix: &str, wrong: &mut Vec<String>) {
    for (name, attribute) in block.attributes.iter() {
        check_attribute(name, attribute, kind, prefix, wrong);
    }
    for (name, nested) in block.block_types.iter() {
        check_block(&nested.block, kind, &format!("{prefix}{name}."), wrong);
    }
}

/// Adds what is wrong with an attribute and those nested in it.
fn check_attribute(name: &str, attribute: &Attribute, kind: Kind, prefix: &str, wrong: &mut Vec<String>) {
    let place = format!("{prefix}{name}");
    if !is_identifier(name) {
        wrong.push(format!("{place}: name may contain only lowercase letters, digits and underscores"));
    }
    if attribute.write_only && kind != Kind::Resource {
        wrong.push(format!("{place}: only attributes of resources can be write-only"));
    } else if attribute.write_only && attribute.computed {
        wrong.push(format!("{place}: cannot be both write-only and computed"));
    }
    if kind == Kind::Provider && attribute.computed {
        wrong.push(format!("{place}: the configuration of a provider has nothing that is computed"));
    }
    if let AttributeType::Nested(nested) = &attribute.ty {
        for (name, inside) in nested.attributes.iter() {
            check_attribute(name, inside, kind, &format!("{place}."), wrong);
        }
    }
}

/// The names that the methods of a resource type return, and what does not fit their places.
pub(crate) fn resource(schema: &Schema, resource: &dyn AnyResource) -> Vec<String> {
    let mut wrong = Vec::new();
    let block = schema.block();
    let named = |name: &str| block.attributes.contains_key(name) || block.block_types.contains_key(name);
    let advice = |name: &str| {
        let attributes = block.attributes.iter().map(|(name, _)| name);
        did_you_mean(name, attributes.chain(block.block_types.iter().map(|(name, _)| name)))
    };
    // A panic is reported by the call in which it happens.
    for name in catch_panic_now(|| resource.replaced_by()).unwrap_or_default() {
        if !named(name) {
            wrong
                .push(format!("replaced_by: no attribute or block type is named \"{name}\"{}", advice(name)));
        }
    }
    for name in catch_panic_now(|| resource.identity()).unwrap_or_default() {
        if !block.attributes.contains_key(name) {
            wrong.push(format!("identity: no attribute is named \"{name}\"{}", advice(name)));
        }
    }
    for (place, _) in catch_panic_now(|| resource.semantic_equality()).unwrap_or_default() {
        wrong.extend(wrong_place(schema, place).map(|text| format!("semantic_equality: {text}")));
    }
    for (place, fact) in catch_panic_now(|| resource.facts()).unwrap_or_default() {
        wrong.extend(wrong_fact(schema, place, fact).map(|text| format!("facts: {text}")));
    }
    if let Ok(Some(behaviours)) = catch_panic_now(|| resource.behaviours()) {
        wrong.extend(behaviours.check(block).iter().map(|error| format!("behaviours: {error}")));
    }
    wrong
}

/// Why there is no such place in values of the schema.
fn wrong_place(schema: &Schema, place: &str) -> Option<String> {
    let ty = schema.implied_type().ok()?;
    let at = RuledType::new(TypeConstraint::from(ty)).at(place, RuleSet::default());
    at.err().map(|error| format!("{place}: {error}"))
}

/// Why a fact cannot hold of values at its place.
fn wrong_fact(schema: &Schema, place: &str, fact: Refinement) -> Option<String> {
    wrong_place(schema, place).or_else(|| {
        // What a behaviour promises is checked with the type; a behaviour is for a place without brackets.
        let promise = Behaviours::framework().at(place, Behaviour::new().promise(fact));
        let is_plain = !place.contains('[');
        is_plain.then(|| promise.check(schema.block()).first().map(ToString::to_string)).flatten()
    })
}

/// Names of a function that no host would call it by.
pub(crate) fn function(name: &str, function: &impl Function) -> Vec<String> {
    let mut wrong = Vec::new();
    if !is_identifier(name) {
        wrong.push("the name may contain only lowercase letters, digits and underscores".to_owned());
    }
    let Ok(signature) = catch_panic_now(|| function.signature()) else { return wrong };
    if signature.variadic_twice {
        wrong.push("there are two variadic parameters".to_owned());
    }
    let names: Vec<&str> = signature
        .parameters
        .iter()
        .chain(&signature.variadic)
        .map(|parameter| parameter.name.as_str())
        .collect();
    for (index, name) in names.iter().enumerate() {
        if !is_identifier(name) {
            wrong.push(format!(
                "parameter \"{name}\": name may contain only lowercase letters, digits and underscores"
            ));
        }
        if names.iter().take(index).any(|earlier| earlier == name) {
            wrong.push(format!("parameter \"{name}\": name defined twice"));
        }
    }
    wrong
}

/// Whether a name is one that the language reads as one.
fn is_identifier(name: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    name.bytes().all(is_allowed) && name.bytes().next().is_some_and(|first| !first.is_ascii_digit())
}
