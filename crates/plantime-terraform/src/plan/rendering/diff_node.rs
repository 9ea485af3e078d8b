//! The difference between two values, as a tree.

use std::borrow::Cow;
use std::sync::Arc;

use plantime::Value;

/// What happens to a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DiffAction {
    /// The value stays the same.
    Unchanged,
    /// The value is added.
    Create,
    /// The value is removed.
    Delete,
    /// The value is replaced by another, or a part of it changes.
    Update,
}

impl DiffAction {
    /// The action for a value that is present before, after, on both sides or on none, whatever its content.
    pub(super) fn of_presence(before: bool, after: bool) -> DiffAction {
        match (before, after) {
            (false, true) => DiffAction::Create,
            (true, false) => DiffAction::Delete,
            _ => DiffAction::Unchanged,
        }
    }

    /// The action of a container after one more part with the action `part`.
    pub(super) fn with_part(self, part: DiffAction) -> DiffAction {
        if part == DiffAction::Unchanged || part == self { self } else { DiffAction::Update }
    }
}

/// The difference between a value before and after, with those of its parts.
#[derive(Clone, Debug)]
pub(super) struct DiffNode {
    pub(super) action: DiffAction,
    /// Whether the plan says that this value forces a replacement.
    pub(super) forces_replacement: bool,
    pub(super) kind: DiffKind,
}

/// The content of a difference, by the kind of value.
#[derive(Clone, Debug)]
pub(super) enum DiffKind {
    /// A string, number, bool or null. A side is `None` where the value is absent.
    Scalar { before: Option<Value>, after: Option<Value> },
    /// A string that is JSON on one side or on both: the difference of the parsed values.
    Json { content: Box<DiffNode>, only_white_space: bool },
    /// A value that is replaced by one of another kind, such as a string by a list: its deletion and the creation.
    OfOtherKind(Box<(DiffNode, DiffNode)>),
    /// An unknown planned value, and the deletion of the value before if there is one.
    Unknown { before: Option<Box<DiffNode>>, after: Value },
    /// A value that is sensitive on one side or on both, or has another mark. `content` is the action that ignores the marks,
    /// `text` is what is shown in its place.
    Sensitive { was_sensitive: bool, is_sensitive: bool, content: DiffAction, text: Cow<'static, str> },
    /// A write-only attribute: plans and states do not contain its value.
    WriteOnly,
    /// The entries of a map, or the attributes of an object, sorted by name.
    Entries(Entries),
    /// The elements of a list or tuple, or the members of a set.
    Elements(Elements),
    /// The attributes and nested blocks of a block.
    Block(Block),
    /// A nested block whose whole content is hidden, because a sensitive value in it has no path of its own, as in a set.
    SensitiveBlock,
}

/// The entries of a map or the attributes of an object.
#[derive(Clone, Debug)]
pub(super) struct Entries {
    pub(super) is_map: bool,
    /// Whether each entry ends with a comma: in maps of objects.
    pub(super) has_commas: bool,
    /// Whether the equals signs are aligned.
    pub(super) is_aligned: bool,
    /// Whether ` -> null` is written after deleted entries: those of a map that stays, and nested attributes.
    pub(super) shows_null: bool,
    pub(super) entries: Vec<(Arc<str>, DiffNode)>,
}

/// The elements of a sequence or set.
#[derive(Clone, Debug)]
pub(super) struct Elements {
    /// Whether one unchanged element is written before and after each change.
    pub(super) has_context: bool,
    /// Whether `# forces replacement` is written after each element, and not after the collection.
    pub(super) elements_force: bool,
    pub(super) elements: Vec<DiffNode>,
}

/// The parts of a block.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    pub(super) attributes: Vec<(Arc<str>, DiffNode)>,
    /// The nested blocks, by type.
    pub(super) blocks: Vec<(Arc<str>, Vec<NestedBlock>)>,
}

/// A nested block: its key if the blocks are a map, and its difference.
pub(super) type NestedBlock = (Option<Arc<str>>, DiffNode);

impl DiffNode {
    /// A difference that does not force a replacement.
    pub(super) fn new(action: DiffAction, kind: DiffKind) -> DiffNode {
        DiffNode { action, forces_replacement: false, kind }
    }

    /// Whether it or a part of it forces a replacement. Values nest no deeper than the limit of plantime.
    pub(super) fn has_forced_part(&self) -> bool {
        self.forces_replacement
            || match &self.kind {
                DiffKind::Json { content, .. } => content.has_forced_part(),
                DiffKind::OfOtherKind(becomes) => becomes.0.has_forced_part() || becomes.1.has_forced_part(),
                DiffKind::Entries(entries) => entries.entries.iter().any(|(_, part)| part.has_forced_part()),
                DiffKind::Elements(elements) => elements.elements.iter().any(DiffNode::has_forced_part),
                _ => false,
            }
    }
}
