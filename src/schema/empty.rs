//! The value of a block in which nothing is written.

use crate::error::Result;
use crate::types::Type;
use crate::value::Value;

use super::expected::{Entry, Expected, ExpectedBlocks};
use super::{Block, Nesting};

impl Block {
    /// The value of a block in which nothing is written.
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
    /// use plantime::schema::{Block, NestedBlock, Nesting};
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
        empty_block(&Expected::of(self)?)
    }
}

/// The value of a block in which nothing is written.
pub(super) fn empty_block(expected: &Expected) -> Result<Value> {
    let empty = |(_, entry): (&str, &Entry)| match entry {
        Entry::Attribute { constraint, .. } => Ok(Value::null(constraint.to_type())),
        Entry::Blocks(blocks) => empty_blocks(blocks),
    };
    Value::object_of(&expected.ty, expected.entries().map(empty).collect::<Result<_>>()?)
}

/// The value of blocks of a type of which there are none.
pub(super) fn empty_blocks(blocks: &ExpectedBlocks) -> Result<Value> {
    match blocks.nesting {
        Nesting::Single => Ok(Value::null(blocks.ty.clone())),
        Nesting::Group => empty_block(&blocks.item),
        Nesting::List | Nesting::Set | Nesting::Map => collection(blocks, Vec::new()),
    }
}

/// These blocks, each with its key in a map, as the collection of their nesting mode.
pub(super) fn collection(blocks: &ExpectedBlocks, items: Vec<(String, Value)>) -> Result<Value> {
    let item = || Type::Object(blocks.item.ty.clone());
    let undecided = blocks.ty == Type::Dynamic;
    match blocks.nesting {
        Nesting::Map if undecided => Value::object(items),
        Nesting::Map => Value::map_of(item(), items),
        Nesting::Set => Value::set_of(item(), items.into_iter().map(|(_, value)| value)),
        _ if undecided => Value::tuple(items.into_iter().map(|(_, value)| value)),
        Nesting::List | Nesting::Single | Nesting::Group => {
            Value::list_of(item(), items.into_iter().map(|(_, value)| value))
        }
    }
}
