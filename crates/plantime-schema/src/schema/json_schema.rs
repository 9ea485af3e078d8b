//! Schemas as JSON Schema and OpenAPI.

use serde_json::{Map, Value as Json, json};

use plantime::rule::Rule;
use plantime::rule::json_schema::{Dialect, export};
use plantime::rule::set::NodeTexts;
use plantime::{Result, Step, Type, TypeConstraint, Value};

use super::{Attribute, AttributeType, Block, DeclaredMap, NestedBlock, Nesting};

impl Block {
    /// The schema as JSON Schema or OpenAPI, for values of the block: what a configuration may have in it, with descriptions.
    ///
    /// | in the schema | keyword |
    /// |---|---|
    /// | required; at least one block | `required`, and null is not allowed |
    /// | only computed | `readOnly` |
    /// | write-only | `writeOnly` |
    /// | deprecated | `deprecated`, and the message at the end of `description` |
    /// | sensitive | `x-sensitive` |
    /// | blocks in a list, a set, a map | `items` with `minItems` and `maxItems`; `uniqueItems`; `additionalProperties` |
    /// | attributes that the schema does not have | `additionalProperties: false` |
    ///
    /// ```
    /// use plantime::rule::json_schema::Dialect;
    /// use plantime_schema::{Attribute, Block, NestedBlock};
    /// use plantime::Type;
    /// use serde_json::json;
    ///
    /// let rule = Block::builder().attribute("port", Attribute::required(Type::Number)).build()?;
    /// let block = Block::builder()
    ///     .attribute("name", Attribute::optional(Type::String).describe("What it is called.").deprecate("use title"))
    ///     .block("rule", NestedBlock::list(rule).at_least(1))
    ///     .build()?;
    /// assert_eq!(block.to_json_schema(Dialect::OpenApi)?, json!({
    ///     "type": "object",
    ///     "additionalProperties": false,
    ///     "required": ["rule"],
    ///     "properties": {
    ///         "name": {"type": "string", "nullable": true, "deprecated": true,
    ///                  "description": "What it is called. Deprecated: use title"},
    ///         "rule": {"type": "array", "minItems": 1, "items": {
    ///             "type": "object",
    ///             "additionalProperties": false,
    ///             "required": ["port"],
    ///             "properties": {"port": {"type": "number"}},
    ///         }},
    ///     },
    /// }));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`export`] for the type of an attribute.
    pub fn to_json_schema(&self, dialect: Dialect) -> Result<Json> {
        let mut schema = block(self, dialect)?;
        if dialect == Dialect::JsonSchema {
            schema.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
        }
        Ok(Json::Object(schema))
    }

    /// As [`to_json_schema`](Block::to_json_schema), with the titles, descriptions, deprecations and examples in
    /// `texts`, which the author gives separately: the schema has no place for titles and examples. The path of
    /// each block of the type `rule` in a list, set or map is `rule[*]`.
    ///
    /// ```
    /// use plantime::rule::json_schema::Dialect;
    /// use plantime::rule::set::{NodeText, NodeTexts};
    /// use plantime_schema::{Attribute, Block, NestedBlock};
    /// use plantime::Type;
    /// use serde_json::json;
    ///
    /// let rule = Block::builder().attribute("port", Attribute::required(Type::Number).describe("Where it listens.")).build()?;
    /// let block = Block::builder().block("rule", NestedBlock::list(rule)).build()?;
    /// let mut texts = NodeTexts::new();
    /// texts.insert("rule[*].port", NodeText::new().title("Port").example(80).example(443))?;
    /// let schema = block.to_json_schema_with(&texts, Dialect::JsonSchema)?;
    /// assert_eq!(schema["properties"]["rule"]["items"]["properties"]["port"], json!({
    ///     "type": "number", "title": "Port", "description": "Where it listens.", "examples": [80, 443],
    /// }));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`to_json_schema`](Block::to_json_schema) and [`NodeTexts::annotate`].
    pub fn to_json_schema_with(&self, texts: &NodeTexts, dialect: Dialect) -> Result<Json> {
        let schema = Value::try_from(&self.to_json_schema(dialect)?)?;
        Json::try_from(&texts.annotate(&schema, dialect)?)
    }
}

/// A JSON Schema under construction: its keywords with their values.
type Keywords = Map<String, Json>;

/// The schema of the object of a block.
fn block(block: &Block, dialect: Dialect) -> Result<Keywords> {
    let (mut properties, mut required) = attributes(&block.attributes, dialect)?;
    for (name, nested) in &block.block_types {
        let schema = blocks(nested, dialect).map_err(|error| error.under(Step::attr(name)))?;
        properties.insert(name.clone(), Json::Object(schema));
        if nested.min_items > 0 {
            required.push(json!(name));
        }
    }
    let mut schema = object(properties, required);
    describe(
        &mut schema,
        block.description.as_deref(),
        block.deprecated.then_some(block.deprecation_message.as_deref()),
    );
    Ok(schema)
}

/// The properties of attributes, and the names of those that are required.
fn attributes(attributes: &DeclaredMap<Attribute>, dialect: Dialect) -> Result<(Keywords, Vec<Json>)> {
    let (mut properties, mut required) = (Keywords::new(), Vec::new());
    for (name, one) in attributes {
        let schema = attribute(one, dialect).map_err(|error| error.under(Step::attr(name)))?;
        properties.insert(name.clone(), Json::Object(schema));
        if one.required {
            required.push(json!(name));
        }
    }
    Ok((properties, required))
}

/// The schema of an attribute.
fn attribute(attribute: &Attribute, dialect: Dialect) -> Result<Keywords> {
    let mut schema = match &attribute.ty {
        AttributeType::Plain(ty) => plain(ty, attribute.required, dialect)?,
        AttributeType::Nested(nested) => {
            let (properties, required) = attributes(&nested.attributes, dialect)?;
            let mut schema = nest(nested.nesting, object(properties, required));
            if !attribute.required {
                allow_null(&mut schema, dialect);
            }
            schema
        }
    };
    let deprecated = attribute.deprecated.then_some(attribute.deprecation_message.as_deref());
    describe(&mut schema, attribute.description.as_deref(), deprecated);
    let flags = [
        ("readOnly", attribute.computed && !attribute.optional),
        ("writeOnly", attribute.write_only),
        ("x-sensitive", attribute.sensitive),
    ];
    for (keyword, _) in flags.iter().filter(|(_, is_set)| *is_set) {
        schema.insert((*keyword).to_owned(), json!(true));
    }
    Ok(schema)
}

/// The schema of a type.
fn plain(ty: &Type, required: bool, dialect: Dialect) -> Result<Keywords> {
    let rule = if required { Rule::NotNull } else { Rule::all([])? };
    let written = export(&TypeConstraint::from(ty), &rule, dialect)?;
    let mut schema = match Json::try_from(&written)? {
        Json::Object(schema) => schema,
        _ => Keywords::new(),
    };
    // `$schema` belongs to the root of a document only, and the type is written in the schema of the provider.
    schema.remove("$schema");
    schema.remove("x-plantime-type");
    if matches!(ty, Type::Set(_)) && dialect != Dialect::Kubernetes {
        schema.insert("uniqueItems".to_owned(), json!(true));
    }
    Ok(schema)
}

/// The schema of the blocks of one type.
fn blocks(nested: &NestedBlock, dialect: Dialect) -> Result<Keywords> {
    let mut schema = nest(nested.nesting, block(&nested.block, dialect)?);
    match nested.nesting {
        Nesting::Single if nested.min_items == 0 => allow_null(&mut schema, dialect),
        Nesting::List | Nesting::Set => {
            for (keyword, count) in [("minItems", nested.min_items), ("maxItems", nested.max_items)] {
                if count > 0 {
                    schema.insert(keyword.to_owned(), json!(count));
                }
            }
        }
        Nesting::Single | Nesting::Group | Nesting::Map => {}
    }
    Ok(schema)
}

/// The JSON schema of nested blocks or attributes, given that of one object: the same, or that of an array or map of such
/// objects.
fn nest(nesting: Nesting, item: Keywords) -> Keywords {
    let of =
        |pairs: Vec<(&str, Json)>| pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
    match nesting {
        Nesting::Single | Nesting::Group => item,
        Nesting::List => of(vec![("type", json!("array")), ("items", Json::Object(item))]),
        Nesting::Set => {
            of(vec![("type", json!("array")), ("items", Json::Object(item)), ("uniqueItems", json!(true))])
        }
        Nesting::Map => of(vec![("type", json!("object")), ("additionalProperties", Json::Object(item))]),
    }
}

/// The schema of an object with these properties, and no others.
fn object(properties: Keywords, required: Vec<Json>) -> Keywords {
    let mut schema = Keywords::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("additionalProperties".to_owned(), json!(false));
    schema.insert("properties".to_owned(), Json::Object(properties));
    if !required.is_empty() {
        schema.insert("required".to_owned(), Json::Array(required));
    }
    schema
}

/// Changes a schema so that it also accepts null.
fn allow_null(schema: &mut Keywords, dialect: Dialect) {
    match (dialect, schema.get("type").cloned()) {
        (Dialect::JsonSchema, Some(ty)) => drop(schema.insert("type".to_owned(), json!([ty, "null"]))),
        _ => drop(schema.insert("nullable".to_owned(), json!(true))),
    }
}

/// Adds a description and the flag of a deprecation. `deprecated` is `Some` for a deprecated attribute or block, with its
/// message if it has one.
fn describe(schema: &mut Keywords, description: Option<&str>, deprecated: Option<Option<&str>>) {
    let mut text = description.unwrap_or_default().to_owned();
    if let Some(message) = deprecated {
        schema.insert("deprecated".to_owned(), json!(true));
        if let Some(message) = message {
            let space = if text.is_empty() { "" } else { " " };
            text.push_str(&format!("{space}Deprecated: {message}"));
        }
    }
    if !text.is_empty() {
        schema.insert("description".to_owned(), json!(text));
    }
}
