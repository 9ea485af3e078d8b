//! Facts about unknown values that follow from the configuration.
//!
//! Plan JSON holds neither the expression of an attribute nor the refinement of an unknown value. The configuration has
//! the expressions: with `vpc_id = aws_vpc.main.id` all facts about the network's id hold for the subnet's attribute, and
//! `"orders-${random_id.s.hex}"` is a string with the prefix `orders-`.

pub(crate) mod flow;
#[cfg(feature = "hcl")]
mod read;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::path::Path;
use crate::plan::ResourceChange;
use crate::source::{Position, Source};
use crate::value::Value;

/// The resources of a root module, as far as they say something of unknown values.
///
/// | written | says |
/// |---|---|
/// | `vpc_id = aws_vpc.main.id` | what is known of the source; also with `[each.key]`, `[count.index]` of the instance itself, and with a literal index |
/// | `name = "orders-${random_id.s.hex}"` | starts with `orders-`, not null |
/// | the same in nested blocks | for single blocks and for lists of blocks, in their order |
/// | anything else: other expressions, inside `{}` or `[]`, in sets of blocks, in `dynamic` blocks | nothing |
/// | outputs, locals, modules, files in JSON; what follows the first `${}` of a template | nothing |
///
/// Nothing is taken from a resource that an override file changes, or that is declared twice.
#[derive(Clone, Debug, Default)]
pub struct Configuration {
    sources: Vec<Source>,
    /// By `TYPE.NAME`, or `data.TYPE.NAME`.
    resources: BTreeMap<String, ResourceBlock>,
    overridden: BTreeSet<String>,
}

/// One `resource` or `data` block.
#[derive(Clone, Debug, Default)]
pub(crate) struct ResourceBlock {
    /// The position of the source among the files, and of the block in it.
    pub(crate) block: Option<(usize, Position)>,
    pub(crate) facts: Vec<AttributeFact>,
    /// Whether the block has `ignore_changes`: then even a replacement may keep prior values.
    pub(crate) ignores_changes: bool,
}

/// What the configuration says of one attribute: an expression that is understood.
#[derive(Clone, Debug)]
pub(crate) struct AttributeFact {
    pub(crate) place: Vec<BlockStep>,
    pub(crate) written: WrittenAs,
    /// The position of the source among the files.
    pub(crate) source: usize,
    pub(crate) position: Position,
}

/// A step from a resource to an attribute in its nested blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BlockStep {
    Attribute(String),
    /// The nth of the blocks with this name.
    Block(String, usize),
}

/// An expression from which facts follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum WrittenAs {
    /// A bare reference: the attribute has the value of the referenced one.
    Reference(Reference),
    /// A template with this literal prefix. It is never null.
    Beginning(String),
}

/// A reference to a place in a resource: `aws_subnet.main["app"].id`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reference {
    /// `TYPE.NAME`, or `data.TYPE.NAME`.
    pub(crate) resource: String,
    pub(crate) instance: InstanceKey,
    pub(crate) path: Path,
}

/// Which instance of a resource a reference is to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum InstanceKey {
    /// The only one.
    Only,
    /// The instance with the key of the resource that holds the reference.
    Own,
    /// The one with this key.
    Literal(Value),
}

impl Configuration {
    /// The block of a resource, by `TYPE.NAME` or `data.TYPE.NAME`.
    pub(crate) fn resource_block(&self, resource: &str) -> Option<&ResourceBlock> {
        self.resources.get(resource)
    }

    /// The file and line of the block that declares a resource, such as `main.tf:12`; none for a resource in a module, or one
    /// that several blocks declare.
    pub(crate) fn block_location(&self, change: &ResourceChange) -> Option<String> {
        if change.module_address.is_some() {
            return None;
        }
        let (source, position) = self.resource_block(&flow::resource_name(change))?.block?;
        Some(format!("{}:{}", self.sources.get(source)?.name(), position.line))
    }

    /// The file that a fact is written in.
    pub(crate) fn source_of(&self, fact: &AttributeFact) -> Option<&Source> {
        self.sources.get(fact.source)
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.resource)?;
        match &self.instance {
            InstanceKey::Only => {}
            InstanceKey::Own => f.write_str("[each.key]")?,
            InstanceKey::Literal(key) => write!(f, "[{key}]")?,
        }
        write!(f, ".{}", self.path)
    }
}
