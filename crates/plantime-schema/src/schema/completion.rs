//! Completions for editors: names that can be written at a place of a configuration.

use super::{Attribute, AttributeType, Block, DeclaredMap, NestedBlock, Nesting, Schema};

/// A name that an editor can offer.
///
/// [Example](Block::completions)
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Completion {
    /// The name of the attribute or block type.
    pub name: String,
    /// Whether the name is that of a block type; otherwise it is an attribute.
    pub is_block: bool,
    /// A summary in a few words: `required, string`; `block, list, 1 to 4`.
    pub detail: String,
    /// The description of the schema.
    pub documentation: Option<String>,
    /// The message of a deprecation, empty if it has none; `None` if the name is not deprecated.
    pub deprecated: Option<String>,
    /// The text to insert: `name = `, or the head and braces of a block with the required arguments inside.
    pub snippet: String,
}

impl Schema {
    /// The names that can be written in the block at a path of block types and attributes with nested attributes; `None` if there
    /// is no such block. The empty path is the block of the resource.
    ///
    /// ```
    /// use plantime_schema::{Attribute, Block, NestedBlock, Schema};
    /// use plantime::Type;
    ///
    /// let rule = Block::builder().attribute("port", Attribute::optional(Type::Number)).build()?;
    /// let schema = Schema::new(0, Block::builder().block("rule", NestedBlock::set(rule)).build()?);
    /// assert_eq!(schema.completions_in(&["rule"]).unwrap()[0].name, "port");
    /// assert!(schema.completions_in(&["port"]).is_none());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn completions_in(&self, path: &[&str]) -> Option<Vec<Completion>> {
        completions_in(&self.block().attributes, &self.block().block_types, path)
    }
}

impl Block {
    /// The names that can be written in the block: required ones first, then in declared order. Attributes that only the provider
    /// sets are left out.
    ///
    /// ```
    /// use plantime_schema::{Attribute, Block, NestedBlock};
    /// use plantime::Type;
    ///
    /// let rule = Block::builder().attribute("port", Attribute::required(Type::Number)).build()?;
    /// let block = Block::builder()
    ///     .attribute("tags", Attribute::optional("map(string)".parse::<Type>()?).describe("Labels."))
    ///     .attribute("name", Attribute::required(Type::String))
    ///     .attribute("id", Attribute::computed(Type::String))
    ///     .block("rule", NestedBlock::list(rule).at_least(1).at_most(4))
    ///     .build()?;
    /// let offered = block.completions();
    /// let shown: Vec<(&str, &str)> = offered.iter().map(|one| (one.name.as_str(), one.detail.as_str())).collect();
    /// assert_eq!(shown, [
    ///     ("name", "required, string"),
    ///     ("rule", "block, list, 1 to 4"),
    ///     ("tags", "optional, map(string)"),
    /// ]);
    /// assert_eq!(offered[1].snippet, "rule {\n  port = \n}");
    /// assert_eq!(block.members().iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), ["tags", "name", "id", "rule"]);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn completions(&self) -> Vec<Completion> {
        writable(&self.attributes, &self.block_types)
    }

    /// The names that can follow the dot in a reference to the resource, in declared order: also attributes that only the provider
    /// sets.
    ///
    /// [Example](Block::completions)
    pub fn members(&self) -> Vec<Completion> {
        let attributes = self.attributes.iter().map(|(name, attribute)| of_attribute(name, attribute));
        attributes.chain(self.block_types.iter().map(|(name, nested)| of_blocks(name, nested))).collect()
    }
}

/// [`Block::completions_in`] for attributes and block types.
fn completions_in(
    attributes: &DeclaredMap<Attribute>,
    block_types: &DeclaredMap<NestedBlock>,
    path: &[&str],
) -> Option<Vec<Completion>> {
    let Some((name, rest)) = path.split_first() else { return Some(writable(attributes, block_types)) };
    if let Some(nested) = block_types.get(name) {
        return completions_in(&nested.block.attributes, &nested.block.block_types, rest);
    }
    match &attributes.get(name)?.ty {
        AttributeType::Nested(nested) => completions_in(&nested.attributes, &DeclaredMap::new(), rest),
        AttributeType::Plain(_) => None,
    }
}

/// The names that a configuration can set: required ones first.
fn writable(attributes: &DeclaredMap<Attribute>, block_types: &DeclaredMap<NestedBlock>) -> Vec<Completion> {
    let mut offered = Vec::new();
    for (name, attribute) in
        attributes.iter().filter(|(_, attribute)| attribute.required || attribute.optional)
    {
        offered.push((!attribute.required, of_attribute(name, attribute)));
    }
    offered.extend(block_types.iter().map(|(name, nested)| (nested.min_items == 0, of_blocks(name, nested))));
    // Stable: the declared order is kept.
    offered.sort_by_key(|(is_optional, _)| *is_optional);
    offered.into_iter().map(|(_, completion)| completion).collect()
}

/// The completion of an attribute.
fn of_attribute(name: &str, attribute: &Attribute) -> Completion {
    let who = match (attribute.required, attribute.optional, attribute.computed) {
        (true, _, _) => "required",
        (_, true, true) => "optional, computed",
        (_, true, false) => "optional",
        _ => "computed",
    };
    let ty = match &attribute.ty {
        AttributeType::Plain(ty) => ty.to_string(),
        AttributeType::Nested(nested) => match nested.nesting {
            Nesting::Single | Nesting::Group => "object".to_owned(),
            nesting => format!("{} of object", nesting.as_str()),
        },
    };
    let secret = if attribute.sensitive { ", sensitive" } else { "" };
    let once = if attribute.write_only { ", write-only" } else { "" };
    Completion {
        name: name.to_owned(),
        is_block: false,
        detail: format!("{who}, {ty}{secret}{once}"),
        documentation: attribute.description.clone(),
        deprecated: attribute.deprecated.then(|| attribute.deprecation_message.clone().unwrap_or_default()),
        snippet: format!("{name} = "),
    }
}

/// The completion of a block type.
fn of_blocks(name: &str, nested: &NestedBlock) -> Completion {
    let number = match (nested.min_items, nested.max_items) {
        (0, 0) => String::new(),
        (least, 0) => format!(", at least {least}"),
        (0, most) => format!(", at most {most}"),
        (least, most) if least == most => format!(", {least}"),
        (least, most) => format!(", {least} to {most}"),
    };
    let required = nested.block.attributes.iter().filter(|(_, attribute)| attribute.required);
    let lines: String = required.map(|(name, _)| format!("  {name} = \n")).collect();
    let label = if nested.nesting == Nesting::Map { " \"\"" } else { "" };
    let body = if lines.is_empty() { "  \n".to_owned() } else { lines };
    Completion {
        name: name.to_owned(),
        is_block: true,
        detail: format!("block, {}{number}", nested.nesting.as_str()),
        documentation: nested.block.description.clone(),
        deprecated: nested
            .block
            .deprecated
            .then(|| nested.block.deprecation_message.clone().unwrap_or_default()),
        snippet: format!("{name}{label} {{\n{body}}}"),
    }
}
