//! The value of a block that sets no attribute and contains no block.

use plantime::{Result, Value};

use super::layout::{Entry, Layout, Nest};
use super::{Block, Nesting};

impl Block {
    /// The value of a block that sets no attribute and contains no block.
    ///
    /// | part | value |
    /// |---|---|
    /// | attribute, also a required one | null of its type |
    /// | single block | null |
    /// | group block | the object of the empty values of its parts |
    /// | list, set, map of blocks | empty |
    /// | list, map of blocks with an attribute of type `dynamic` | the empty tuple, the empty object |
    ///
    /// ```
    /// use plantime_schema::{Block, NestedBlock, Nesting};
    ///
    /// let mut block = Block::default();
    /// block.block_types.insert("timeouts".to_owned(), NestedBlock::new(Nesting::Single, Block::default()));
    /// block.block_types.insert("rule".to_owned(), NestedBlock::new(Nesting::List, Block::default()));
    /// assert_eq!(block.empty_value()?.to_string(), "{rule = [], timeouts = null}");
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`implied_type`](Block::implied_type).
    pub fn empty_value(&self) -> Result<Value> {
        empty_block(&Layout::of(self)?)
    }
}

/// The value of a block that sets no attribute and contains no block.
pub(super) fn empty_block(layout: &Layout<'_>) -> Result<Value> {
    let empty = |(_, entry): (&str, &Entry<'_>)| match entry {
        Entry::Attribute { ty, .. } => Ok(Value::null(ty.clone())),
        Entry::Blocks(blocks) => empty_blocks(blocks),
    };
    Value::object_of(&layout.ty, layout.entries().map(empty).collect::<Result<_>>()?)
}

/// The value of a nested block type without blocks.
pub(super) fn empty_blocks(blocks: &Nest<'_>) -> Result<Value> {
    match blocks.nesting {
        Nesting::Single => Ok(Value::null(blocks.ty.clone())),
        Nesting::Group => empty_block(&blocks.item),
        Nesting::List | Nesting::Set | Nesting::Map => blocks.collect(Vec::new()),
    }
}
