//! JSON values as flat lists of nodes.

mod tape;

pub(crate) use tape::{Entries, Item, Node, Tape};
