//! What a configuration says of the values that its plan leaves open.
//!
//! A plan in JSON keeps neither what an attribute was written as nor what is known of an unknown value. Both are in
//! the configuration: `vpc_id = aws_vpc.main.id` gives the subnet what is known of the network's id, and
//! `"orders-${random_id.s.hex}"` is a text that starts with `orders-`.

pub(crate) mod flow;
#[cfg(feature = "hcl")]
mod read;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::path::Path;
use crate::plan::ResourceChange;
use crate::plan::source::{Position, Source};
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
    resources: BTreeMap<String, Declared>,
    overridden: BTreeSet<String>,
}

/// One resource block.
#[derive(Clone, Debug, Default)]
pub(crate) struct Declared {
    /// Which of the sources the block stands in, and where.
    pub(crate) block: Option<(usize, Position)>,
    pub(crate) facts: Vec<Fact>,
    /// `ignore_changes` is there: a replacement, too, may keep what was.
    pub(crate) ignores_changes: bool,
}

/// What is written for one attribute.
#[derive(Clone, Debug)]
pub(crate) struct Fact {
    pub(crate) place: Vec<Place>,
    pub(crate) written: Written,
    /// Which of the sources it stands in, and where.
    pub(crate) source: usize,
    pub(crate) position: Position,
}

/// A step from a resource to an attribute in its nested blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Attribute(String),
    /// The nth of the blocks with this name.
    Block(String, usize),
}

/// An expression that says something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    /// A bare reference.
    Same(Reference),
    /// A template, which is never null, and its literal beginning.
    Beginning(String),
}

/// A reference to a place in a resource: `aws_subnet.main["app"].id`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reference {
    /// `TYPE.NAME`, or `data.TYPE.NAME`.
    pub(crate) resource: String,
    pub(crate) instance: Instance,
    pub(crate) path: Path,
}

/// Which instance of a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Instance {
    /// The only one.
    Only,
    /// The one with the key of the resource that refers to it.
    Own,
    /// The one with this key.
    Literal(Value),
}

impl Configuration {
    /// What the block of a resource says: by `TYPE.NAME`, or `data.TYPE.NAME`.
    pub(crate) fn declared(&self, resource: &str) -> Option<&Declared> {
        self.resources.get(resource)
    }

    /// The file and line of the block that declares a resource, such as `main.tf:12`; none for one in a module, and for one
    /// that several blocks declare.
    pub(crate) fn place_of(&self, change: &ResourceChange) -> Option<String> {
        if change.module_address.is_some() {
            return None;
        }
        let (source, position) = self.declared(&flow::name(change))?.block?;
        Some(format!("{}:{}", self.sources.get(source)?.name(), position.line))
    }

    /// The source that a fact stands in.
    pub(crate) fn source(&self, fact: &Fact) -> Option<&Source> {
        self.sources.get(fact.source)
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.resource)?;
        match &self.instance {
            Instance::Only => {}
            Instance::Own => f.write_str("[each.key]")?,
            Instance::Literal(key) => write!(f, "[{key}]")?,
        }
        write!(f, ".{}", self.path)
    }
}
