//! What the configuration in plan JSON says beside references: variables, outputs, module calls, providers, provisioners.

use std::collections::BTreeMap;

use crate::configuration::{DeclaredFacts, DeclaredName, DeclaredResource};
use crate::json::{Item, Node};
use plantime::{Mark, Type, Value};

/// What the configuration of a module in plan JSON says beside references.
#[derive(Clone, Debug, Default)]
pub(super) struct DeclaredInModule {
    pub(super) variables: BTreeMap<String, Attributes>,
    pub(super) outputs: BTreeMap<String, Attributes>,
    /// The source, the version constraint and the arguments of each call.
    pub(super) calls: BTreeMap<String, (Attributes, Value)>,
    /// The provisioners and the names of the written arguments of each resource.
    pub(super) resources: BTreeMap<String, (Value, Vec<String>)>,
}

/// A provider configuration in plan JSON.
#[derive(Clone, Debug)]
pub(super) struct DeclaredProvider {
    pub(super) modules: Vec<String>,
    pub(super) name: String,
    pub(super) attributes: Attributes,
    pub(super) alias: Option<String>,
    pub(super) values: Value,
}

/// What is said of a name, by its name in conditions.
pub(super) type Attributes = Vec<(&'static str, Value)>;

/// A value that is not written.
fn null() -> Value {
    Value::null(Type::Dynamic)
}

/// The text of a property, or null.
pub(super) fn text(item: Item<'_, '_>, name: &str) -> Value {
    item.get(name).and_then(Item::as_text).map_or_else(null, |text| Value::from(&*text))
}

/// A JSON value as a value.
pub(super) fn plain(item: Item<'_, '_>) -> Value {
    match item.node() {
        Node::Null => null(),
        Node::Bool(value) => Value::from(value),
        Node::Number(digits) => {
            digits.parse::<plantime::Number>().map_or_else(|_| Value::dynamic(), Value::from)
        }
        Node::String(text) => Value::from(text.text()),
        Node::Array { .. } => tuple(item.elements().map(plain)),
        Node::Object { .. } => {
            object(item.entries().map(|(key, item)| (key.text().into_owned(), plain(item))))
        }
    }
}

/// The value of an expression as plan JSON describes it: constants are known, what refers to something is not.
pub(super) fn described(item: Item<'_, '_>) -> Value {
    match item.node() {
        Node::Object { .. } => {
            if let Some(constant) = item.get("constant_value") {
                return plain(constant);
            }
            if item.get("references").is_some() || item.len() == 0 {
                return Value::dynamic();
            }
            object(item.entries().map(|(key, item)| (key.text().into_owned(), described(item))))
        }
        Node::Array { .. } => tuple(item.elements().map(described)),
        _ => plain(item),
    }
}

/// The object of these attributes.
fn object(attributes: impl Iterator<Item = (String, Value)>) -> Value {
    Value::object(attributes.collect::<Vec<_>>()).unwrap_or_else(|_| Value::dynamic())
}

/// A tuple of these values.
fn tuple(values: impl Iterator<Item = Value>) -> Value {
    Value::tuple(values.collect::<Vec<_>>()).unwrap_or_else(|_| Value::dynamic())
}

/// The provisioners of a resource.
pub(super) fn provisioners(item: Option<Item<'_, '_>>) -> Value {
    let one = |item: Item<'_, '_>| {
        let values = item.get("expressions").map_or_else(|| object(std::iter::empty()), described);
        object(
            [
                ("type", text(item, "type")),
                ("when", Value::dynamic()),
                ("on_failure", Value::dynamic()),
                ("values", values),
            ]
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value)),
        )
    };
    item.map_or_else(|| tuple(std::iter::empty()), |all| tuple(all.elements().map(one)))
}

/// The attributes of a variable.
pub(super) fn variable(item: Item<'_, '_>) -> Attributes {
    let is_sensitive = item.get("sensitive").is_some_and(Item::is_true);
    let default = item.get("default").map_or_else(null, plain);
    let default = if is_sensitive { default.mark(Mark::SENSITIVE) } else { default };
    vec![
        ("description", text(item, "description")),
        ("type", Value::dynamic()),
        ("default", default),
        ("nullable", Value::dynamic()),
        ("sensitive", Value::from(is_sensitive)),
    ]
}

/// The attributes of an output.
pub(super) fn output(item: Item<'_, '_>) -> Attributes {
    let is_sensitive = item.get("sensitive").is_some_and(Item::is_true);
    vec![("description", text(item, "description")), ("sensitive", Value::from(is_sensitive))]
}

/// The attributes of a module call of which nothing was read yet.
pub(super) fn no_call() -> Attributes {
    vec![("source", null()), ("version_constraint", null())]
}

/// Sets an attribute to a text.
pub(super) fn set(attributes: &mut Attributes, name: &str, text: Option<String>) {
    if let Some((_, value)) = attributes.iter_mut().find(|(known, _)| *known == name) {
        *value = text.map_or_else(null, |text| Value::from(text.as_str()));
    }
}

/// A provider configuration.
pub(super) fn provider(item: Item<'_, '_>) -> DeclaredProvider {
    let word = |name: &str| item.get(name).and_then(Item::as_text).map(|text| text.into_owned());
    let expressions = item.get("expressions");
    let module = word("module_address").unwrap_or_default();
    let modules = module.split('.').filter(|part| *part != "module" && !part.is_empty());
    DeclaredProvider {
        modules: modules.map(str::to_owned).collect(),
        name: word("name").unwrap_or_default(),
        alias: word("alias"),
        attributes: vec![
            ("source", text(item, "full_name")),
            ("version_constraint", text(item, "version_constraint")),
            // Plan JSON lists what is required and what is configured alike.
            ("configured", if expressions.is_some() { Value::from(true) } else { Value::dynamic() }),
        ],
        values: expressions.map_or_else(Value::dynamic, described),
    }
}

/// A module with those that it calls, as references keep them.
pub(super) struct Declared<'d> {
    pub(super) modules: Vec<String>,
    pub(super) source: Option<&'d Value>,
    pub(super) declared: &'d DeclaredInModule,
}

/// The address of the provider that is in Terraform itself.
const BUILTIN: &str = "terraform.io/builtin/terraform";

/// All that is declared, with the values that the plan knows.
pub(super) fn facts(
    modules: &[Declared<'_>],
    providers: &[DeclaredProvider],
    value: &dyn Fn(&str, &str) -> Option<Value>,
) -> DeclaredFacts {
    let mut facts = DeclaredFacts::default();
    for module in modules {
        let place: String =
            module.modules.iter().map(|name| format!("module.{name}")).collect::<Vec<_>>().join(".");
        let prefix = if place.is_empty() { String::new() } else { format!("{place}.") };
        let is_root = place.is_empty();
        let named = |kind: &str, name: &str, content: Value, attributes: &Attributes| DeclaredName {
            modules: module.modules.clone(),
            name: name.to_owned(),
            address: format!("{prefix}{kind}{name}"),
            module: place.clone(),
            content,
            attributes: attributes.clone(),
        };
        let known = |kind: &str, name: &str| {
            is_root.then(|| value(kind, name)).flatten().unwrap_or_else(Value::dynamic)
        };
        for (name, attributes) in &module.declared.variables {
            facts.variables.push(named("var.", name, known("var", name), attributes));
        }
        for (name, attributes) in &module.declared.outputs {
            facts.outputs.push(named("output.", name, known("output", name), attributes));
        }
        for (name, (attributes, values)) in &module.declared.calls {
            facts.calls.push(named("module.", name, values.clone(), attributes));
        }
        for (address, (provisioners, written)) in &module.declared.resources {
            facts.resources.insert(
                format!("{prefix}{address}"),
                DeclaredResource {
                    lifecycle: Value::dynamic(),
                    provisioners: provisioners.clone(),
                    written: written.clone(),
                    module_source: module.source.cloned().unwrap_or_else(null),
                },
            );
        }
    }
    // The built-in provider has no version, and nobody configures it.
    let is_builtin = |provider: &&DeclaredProvider| {
        let source = provider.attributes.iter().find(|(name, _)| *name == "source");
        source.is_some_and(|(_, source)| *source == Value::from(BUILTIN))
    };
    for provider in providers.iter().filter(|provider| !is_builtin(provider)) {
        let place: String =
            provider.modules.iter().map(|name| format!("module.{name}")).collect::<Vec<_>>().join(".");
        let prefix = if place.is_empty() { String::new() } else { format!("{place}.") };
        let alias = provider.alias.as_deref().map_or_else(String::new, |alias| format!(".{alias}"));
        let mut attributes = provider.attributes.clone();
        attributes.push(("alias", provider.alias.as_deref().map_or_else(null, Value::from)));
        facts.providers.push(DeclaredName {
            modules: provider.modules.clone(),
            name: provider.name.clone(),
            address: format!("{prefix}provider.{}{alias}", provider.name),
            module: place,
            content: provider.values.clone(),
            attributes,
        });
    }
    facts
}
