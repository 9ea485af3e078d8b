//! Finds the errors in a declared schema.

use plantime::unstable::error::Kind;
use plantime::{Error, Step};

use super::{Attribute, AttributeType, Block, DeclaredMap, NestedBlock, Nesting, Schema};

impl Schema {
    /// All errors in the schema: what its builder found, such as a name given twice, then those of [`Block::check`].
    ///
    /// [Example](Block::check)
    pub fn check(&self) -> Vec<Error> {
        self.wrong().iter().cloned().chain(self.block().check()).collect()
    }
}

impl Block {
    /// All errors in the schema of the block, with the texts of Terraform.
    ///
    /// | part | what is wrong |
    /// |---|---|
    /// | attribute | none of `required`, `optional` and `computed`; `required` with one of the others |
    /// | nested block | its name is that of an attribute, or has other characters than `a-z`, `0-9` and `_` |
    /// | set of blocks or of nested attributes | a type `dynamic` inside |
    /// | limits of blocks | list, set: the minimum above the maximum; single: not equal, or above 1; group, map: any |
    ///
    /// The errors of the attributes come first, then those of the nested blocks, each kind sorted by name. An error inside
    /// nested attributes has its whole path (`rule.port`), where Terraform names the inner attribute only.
    ///
    /// ```
    /// use plantime::Type;
    /// use plantime_schema::{Attribute, AttributeType, Block};
    ///
    /// let mut block = Block::default();
    /// block.attributes.insert("id".to_owned(), Attribute::new(AttributeType::Plain(Type::String)));
    /// let errors = block.check();
    /// assert_eq!(errors[0].to_string(), "id: must set Optional, Required or Computed");
    ///
    /// block.attributes.get_mut("id").unwrap().computed = true;
    /// assert!(block.check().is_empty());
    /// ```
    pub fn check(&self) -> Vec<Error> {
        check_block(self).errors
    }
}

/// The errors in one part of a schema.
#[derive(Default)]
struct Found {
    errors: Vec<Error>,
    /// Whether a type `dynamic` is inside.
    has_dynamic: bool,
}

impl Found {
    /// Adds an error of the part itself.
    fn wrong(&mut self, message: impl Into<String>) {
        self.errors.push(Error::new(Kind::Argument, message.into()));
    }

    /// Adds the errors of the attribute or block with this name.
    fn add(&mut self, name: &str, inside: Found) {
        self.has_dynamic |= inside.has_dynamic;
        self.errors.extend(inside.errors.into_iter().map(|error| error.under(Step::attr(name))));
    }
}

/// The errors in a block: its attributes and nested block types.
fn check_block(block: &Block) -> Found {
    let mut found = Found::default();
    check_attributes(&block.attributes, &mut found);
    for (name, nested) in block.block_types.sorted() {
        let mut inside = Found::default();
        if block.attributes.contains_key(name) {
            inside.wrong("name defined as both attribute and child block type");
        } else if !is_block_name(name) {
            inside.wrong("name may contain only lowercase letters, digits and underscores");
        }
        check_nested_block(nested, &mut inside);
        found.add(name, inside);
    }
    found
}

/// Adds the errors in attributes and in their names.
fn check_attributes(attributes: &DeclaredMap<Attribute>, found: &mut Found) {
    for (name, attribute) in attributes.sorted() {
        found.add(name, check_attribute(attribute));
    }
}

/// The errors in one attribute: its flags, its type, its nested attributes.
fn check_attribute(attribute: &Attribute) -> Found {
    let mut found = Found::default();
    if !(attribute.optional || attribute.required || attribute.computed) {
        found.wrong("must set Optional, Required or Computed");
    }
    if attribute.optional && attribute.required {
        found.wrong("cannot set both Optional and Required");
    }
    if attribute.computed && attribute.required {
        found.wrong("cannot set both Computed and Required");
    }
    match &attribute.ty {
        AttributeType::Plain(ty) => found.has_dynamic = ty.has_dynamic(),
        AttributeType::Nested(nested) => {
            let mut inside = Found::default();
            check_attributes(&nested.attributes, &mut inside);
            if nested.nesting == Nesting::Group {
                found.wrong("invalid nesting mode NestingGroup");
            }
            if nested.nesting == Nesting::Set && inside.has_dynamic {
                found.wrong("NestingSet blocks may not contain attributes of cty.DynamicPseudoType");
            }
            found.has_dynamic = inside.has_dynamic;
            found.errors.append(&mut inside.errors);
        }
    }
    found
}

/// Adds the errors in a nested block type: its nesting mode, its bounds, the block itself.
fn check_nested_block(nested: &NestedBlock, found: &mut Found) {
    let (least, most) = (nested.min_items, nested.max_items);
    let exceeds = least > most && most != 0;
    match nested.nesting {
        Nesting::Single if least != most => {
            found.wrong("MinItems and MaxItems must match in NestingSingle mode")
        }
        Nesting::Single if least > 1 => {
            found.wrong("MinItems and MaxItems must be set to either 0 or 1 in NestingSingle mode");
        }
        Nesting::Group if least != 0 || most != 0 => {
            found.wrong("MinItems and MaxItems cannot be used in NestingGroup mode");
        }
        Nesting::List if exceeds => {
            found.wrong("MinItems must be less than or equal to MaxItems in NestingList mode");
        }
        Nesting::Set if exceeds => {
            found.wrong("MinItems must be less than or equal to MaxItems in NestingSet mode");
        }
        Nesting::Map if least != 0 || most != 0 => {
            found.wrong("MinItems and MaxItems must both be 0 in NestingMap mode");
        }
        Nesting::Single | Nesting::Group | Nesting::List | Nesting::Set | Nesting::Map => {}
    }
    let mut inside = check_block(&nested.block);
    if nested.nesting == Nesting::Set && inside.has_dynamic {
        found.wrong("NestingSet blocks may not contain attributes of cty.DynamicPseudoType");
    }
    found.has_dynamic |= inside.has_dynamic;
    found.errors.append(&mut inside.errors);
}

/// Whether a block may have this name.
fn is_block_name(name: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    !name.is_empty() && name.bytes().all(is_allowed)
}
