//! Named rules as rules of plantime: their words in the messages of the proposal, and their keywords in OpenAPI.

use plantime::rule::json_schema::{Dialect, export};
use plantime::rule::set::SetRule;
use plantime::rule::{Outcome, Rule};
use plantime::{Number, Step, Type, Value, View};

use crate::node::{Content, Node, Position, Scalar};
use crate::schema::{Kind, Schema};
use crate::starlark::convert::yaml_from_value;
use crate::starlark::heap::Heap;
use crate::starlark::modules::assert::Assertion;
use crate::starlark::value::Value as Given;

/// Returns a content as a value; `None` if it has none, such as a map with a key that is no string.
pub(crate) fn value_of(content: &Content) -> Option<Value> {
    match content {
        Content::Scalar(scalar) => Some(match scalar {
            Scalar::Null => Value::null(Type::Dynamic),
            Scalar::Bool(bool) => Value::from(*bool),
            Scalar::Int(int) => Value::from(int.to_string().parse::<Number>().ok()?),
            Scalar::Float(float) => Value::from(format!("{float:?}").parse::<Number>().ok()?),
            Scalar::Text(text) => Value::from(text.as_str()),
            Scalar::Unknown => return None,
        }),
        Content::Array(items) => {
            let items: Vec<Value> =
                items.iter().map(|item| value_of(&item.content)).collect::<Option<_>>()?;
            Value::list(items.iter()).or_else(|_| Value::tuple(items.iter())).ok()
        }
        Content::Map(items) => {
            let entry = |item: &Node| match &item.key {
                Some(Scalar::Text(key)) => Some((key.clone(), value_of(&item.content)?)),
                _ => None,
            };
            Value::object(items.iter().map(entry).collect::<Option<Vec<_>>>()?).ok()
        }
    }
}

/// Returns a value of Starlark as one of plantime.
pub(crate) fn value_of_given(heap: &Heap, given: &Given, at: &Position) -> Option<Value> {
    value_of(&yaml_from_value(heap, given, at).ok()?)
}

/// Returns the rule of an assertion; `None` if plantime has none for its argument.
pub(crate) fn rule_of(assertion: &Assertion, heap: &Heap, at: &Position) -> Option<Rule> {
    let value = |given: &Given| value_of_given(heap, given, at);
    let elements =
        |given: &Given| Some(value(given)?.elements().map(|(_, item)| item.clone()).collect::<Vec<_>>());
    Some(match assertion {
        Assertion::MinLen(bound) => Rule::min_len(length(bound)?),
        Assertion::MaxLen(bound) => Rule::max_len(length(bound)?),
        Assertion::Min(Given::Text(_)) => return None,
        Assertion::Max(Given::Text(_)) => return None,
        Assertion::Min(bound) => Rule::min(number(bound)?),
        Assertion::Max(bound) => Rule::max(number(bound)?),
        Assertion::NotNull => Rule::NotNull,
        Assertion::OneNotNull(None) => Rule::one_not_null(),
        Assertion::OneNotNull(Some(keys)) => {
            let keys: Option<Vec<String>> =
                elements(keys)?.iter().map(|key| key.as_str().ok().map(str::to_owned)).collect();
            Rule::one_not_null_of(keys?)
        }
        Assertion::OneOf(allowed) => Rule::one_of(elements(allowed)?),
    })
}

/// Returns the bound of a length.
pub(crate) fn length(bound: &Given) -> Option<u64> {
    match bound {
        Given::Int(int) => u64::try_from(int).ok(),
        _ => None,
    }
}

/// Returns a number as one of plantime.
pub(crate) fn number(given: &Given) -> Option<Number> {
    match given {
        Given::Int(int) => int.to_string().parse().ok(),
        Given::Float(float) => format!("{float:?}").parse().ok(),
        _ => None,
    }
}

/// What a rule requires, as a noun.
pub(crate) fn words_of(rule: &Rule) -> String {
    SetRule::new(rule.clone()).description()
}

/// What is wrong about a value; `None` if the rule does not say, or reads no such value.
pub(crate) fn failure_of(rule: &Rule, value: &Value) -> Option<String> {
    match rule.check_value(value).ok()? {
        Outcome::Fail(diagnostics) => diagnostics.iter().next().map(|first| first.failure.clone()),
        _ => None,
    }
}

/// The key with which plantime says what has no keyword.
const RULES: &str = "x-plantime-rules";

/// The keywords that OpenAPI has for rules on a node of a schema; the rules that it has none for are returned too.
pub(crate) fn keywords_of(
    rules: Vec<Rule>,
    schema: &Schema,
    at: &Position,
) -> (Vec<(String, Content)>, Vec<Rule>) {
    let types = types_of(schema);
    let exported = |ty: &Type, rules: &[Rule]| {
        let rules = rules.iter().cloned().chain([Rule::NotNull]);
        export(&ty.clone().into(), &Rule::all(rules).ok()?, Dialect::OpenApi).ok()
    };
    let has_rest = |document: &Value| document.elements().any(|(step, _)| is_named(&step, RULES));
    // Each rule is written for the type for which it is a keyword, or else for the first that it can read.
    let mut groups: Vec<Vec<Rule>> = vec![Vec::new(); types.len()];
    let mut others = Vec::new();
    for rule in rules {
        let alone: Vec<Option<Value>> =
            types.iter().map(|ty| exported(ty, std::slice::from_ref(&rule))).collect();
        let as_keyword =
            alone.iter().position(|document| document.as_ref().is_some_and(|one| !has_rest(one)));
        let place = as_keyword.or_else(|| alone.iter().position(Option::is_some));
        match place.and_then(|place| groups.get_mut(place)) {
            Some(group) => group.push(rule),
            None => others.push(rule),
        }
    }
    // The schema itself says the type and the parts, and describes the node.
    let of_schema = [
        "type",
        "nullable",
        "items",
        "properties",
        "additionalProperties",
        "required",
        "description",
        "x-plantime-type",
    ];
    let mut keywords = Vec::new();
    for (ty, group) in types.iter().zip(groups).filter(|(_, group)| !group.is_empty()) {
        let Some(document) = exported(ty, &group) else {
            others.extend(group);
            continue;
        };
        keywords.extend(document.elements().filter_map(|(step, value)| match step {
            Step::Attr(name) if !of_schema.contains(&name.as_str()) => {
                Some((name.as_str().to_owned(), content_of(value, at)))
            }
            _ => None,
        }));
    }
    (keywords, others)
}

/// Whether a step leads to an attribute of a name.
fn is_named(step: &Step, wanted: &str) -> bool {
    matches!(step, Step::Attr(name) if name.as_str() == wanted)
}

/// The types that a node of a schema can be seen as; none if it has any type.
fn types_of(schema: &Schema) -> Vec<Type> {
    match &schema.kind {
        Kind::Any => Vec::new(),
        Kind::Scalar("string") => vec![Type::String],
        Kind::Scalar("boolean") => vec![Type::Bool],
        Kind::Scalar(_) => vec![Type::Number],
        Kind::Array(item) => {
            let item = types_of(item).into_iter().find(Type::is_primitive).unwrap_or(Type::Dynamic);
            Type::list(item).into_iter().collect()
        }
        Kind::Map(children) => {
            let attribute = |child: &Schema| match &child.key {
                Some(Scalar::Text(key)) => {
                    Some((key.clone(), types_of(child).into_iter().next().unwrap_or(Type::Dynamic)))
                }
                _ => None,
            };
            let attributes = children.iter().map(attribute).collect::<Option<Vec<_>>>();
            let object = attributes.and_then(|attributes| Type::object(attributes).ok());
            object.into_iter().chain(Type::map(Type::Dynamic)).collect()
        }
    }
}

/// Returns a value as content.
fn content_of(value: &Value, at: &Position) -> Content {
    let node = |key: Option<Scalar>, value: &Value| Node {
        key,
        content: content_of(value, at),
        at: at.clone(),
        annotations: Vec::new(),
    };
    match value.view() {
        View::Bool(bool) => Content::Scalar(Scalar::Bool(bool)),
        View::String(text) => Content::Scalar(Scalar::Text(text.to_owned())),
        View::Number(number) => {
            let text = number.to_string();
            Content::Scalar(match (text.parse(), text.parse()) {
                (Ok(int), _) => Scalar::Int(int),
                (_, Ok(float)) => Scalar::Float(float),
                _ => Scalar::Text(text),
            })
        }
        View::Object(_) | View::Map(_) => {
            let key = |step: Step| match step {
                Step::Attr(name) => name.as_str().to_owned(),
                Step::Index(key) => key.as_str().map(str::to_owned).unwrap_or_default(),
            };
            Content::Map(
                value.elements().map(|(step, item)| node(Some(Scalar::Text(key(step))), item)).collect(),
            )
        }
        View::List(_) | View::Set(_) | View::Tuple(_) => {
            Content::Array(value.elements().map(|(_, item)| node(None, item)).collect())
        }
        _ => Content::Scalar(Scalar::Null),
    }
}
