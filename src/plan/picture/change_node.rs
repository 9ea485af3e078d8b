//! A change as a tree: what the picture of a plan draws.

use std::sync::Arc;

use crate::value::Value;

/// What happens to a value or a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    /// It stays as it is.
    Same,
    /// It is new.
    Create,
    /// It goes.
    Delete,
    /// It becomes another, or a part of it changes.
    Update,
}

impl Act {
    /// What happens to something that may be on each of both sides, by its presence alone.
    pub(super) fn of_presence(before: bool, after: bool) -> Act {
        match (before, after) {
            (false, true) => Act::Create,
            (true, false) => Act::Delete,
            _ => Act::Same,
        }
    }

    /// What happens to a container, given what happens to one more of its parts.
    pub(super) fn with_part(self, part: Act) -> Act {
        if part == Act::Same || part == self { self } else { Act::Update }
    }
}

/// The change of a value, with the changes of its parts.
#[derive(Clone, Debug)]
pub(super) struct ChangeNode {
    pub(super) act: Act,
    /// Whether the plan says that this value forces a replacement.
    pub(super) forces_replacement: bool,
    pub(super) shape: Shape,
}

/// How the change of a value is drawn.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// A string, number, bool or null on each side that it is on.
    Scalar { before: Option<Value>, after: Option<Value> },
    /// Text that is JSON on one side or on both, as the change of the values in it.
    Json { content: Box<ChangeNode>, only_white_space: bool },
    /// A value that becomes one of another kind.
    Becomes(Box<(ChangeNode, ChangeNode)>),
    /// A value that is not known yet, and the deletion of the value before it.
    Unknown { before: Option<Box<ChangeNode>>, after: Value },
    /// A value that is sensitive on one side or on both. `content` is what happens to it without its marks.
    Sensitive { was_sensitive: bool, is_sensitive: bool, content: Act },
    /// An attribute that no plan or state holds.
    WriteOnly,
    /// The entries of a map, or the attributes of an object, sorted by name.
    Entries(Entries),
    /// The elements of a list or tuple, or the members of a set.
    Elements(Elements),
    /// The attributes and nested blocks of a block.
    Block(Block),
    /// A nested block of which a part is sensitive that is not shown by its place alone, as in a set.
    SensitiveBlock,
}

/// The entries of a map or the attributes of an object.
#[derive(Clone, Debug)]
pub(super) struct Entries {
    pub(super) is_map: bool,
    /// Whether the values of a map are objects: they end with a comma then.
    pub(super) has_commas: bool,
    /// Whether the equals signs stand below each other.
    pub(super) is_aligned: bool,
    pub(super) entries: Vec<(Arc<str>, ChangeNode)>,
}

/// The elements of a sequence or set.
#[derive(Clone, Debug)]
pub(super) struct Elements {
    /// Whether one unchanged element is drawn before and after each change.
    pub(super) has_context: bool,
    /// Whether each element says that it forces a replacement, and not the whole.
    pub(super) elements_force: bool,
    pub(super) elements: Vec<ChangeNode>,
}

/// The parts of a block.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    pub(super) attributes: Vec<(Arc<str>, ChangeNode)>,
    /// The nested blocks, by type.
    pub(super) blocks: Vec<(Arc<str>, Vec<NestedBlock>)>,
}

/// A nested block: its key where the blocks are a map, and its change.
pub(super) type NestedBlock = (Option<Arc<str>>, ChangeNode);

impl ChangeNode {
    /// A change that does not force a replacement.
    pub(super) fn new(act: Act, shape: Shape) -> ChangeNode {
        ChangeNode { act, forces_replacement: false, shape }
    }
}
