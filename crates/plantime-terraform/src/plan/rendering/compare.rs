//! Compares the value before with the planned value, part by part, and builds a tree of differences.
//!
//! | file | compares |
//! |---|---|
//! | this one | any value: chooses the comparison by kind, marks and known-ness |
//! | `block` | blocks, by their schema |
//! | `elements` | lists, tuples and sets |
//! | `entries` | maps and objects |
//! | `json_text` | strings that are JSON |
//! | `identity` | the contents of elements for equality |

mod block;
mod elements;
mod entries;
mod identity;
mod json_text;

use std::borrow::Cow;

pub(super) use block::{Undeclared, compare_block, compare_nested};
pub(super) use json_text::digits_of;

use plantime::{Mark, Type, Value, View};
use plantime_schema::{Attribute, AttributeType, NestedType, Nesting};

use super::diff_node::{DiffAction, DiffKind, DiffNode};
use super::relative_paths::RelativePaths;
use super::string_content;
use crate::plan::knowledge::side_marks::is_marked_by_other_side;

/// What is shown in place of a sensitive value.
const SENSITIVE: &str = "(sensitive value)";

/// What the schema declares about a value. It decides how lists, maps and nulls in it are compared.
#[derive(Clone, Copy, Debug)]
pub(super) enum Declared<'s> {
    /// The schema declares nothing, as for outputs and attributes of dynamic type: arrays are compared as lists, and null
    /// attributes are kept.
    Nothing,
    /// A type. Null attributes of objects count as absent.
    Type(&'s Type),
    /// Nested attributes: a collection of objects.
    Nested(&'s NestedType),
    /// One object of nested attributes.
    NestedObject(&'s NestedType),
}

impl<'s> Declared<'s> {
    /// The declaration of an attribute.
    pub(super) fn of_attribute(attribute: &'s Attribute) -> Declared<'s> {
        match &attribute.ty {
            AttributeType::Plain(ty) => Declared::Type(ty),
            AttributeType::Nested(nested) => match nested.nesting {
                Nesting::Single | Nesting::Group => Declared::NestedObject(nested),
                _ => Declared::Nested(nested),
            },
        }
    }

    /// The declaration of the element at an index. Elements of maps have the same one at any index.
    fn element(self, index: usize) -> Declared<'s> {
        let typed = |ty: Option<&'s Type>| ty.map_or(Declared::Nothing, Declared::Type);
        match self {
            Declared::Type(Type::Tuple(tuple)) => typed(tuple.elements().get(index)),
            Declared::Type(ty) => typed(ty.element_type()),
            Declared::Nested(nested) => Declared::NestedObject(nested),
            Declared::Nothing | Declared::NestedObject(_) => Declared::Nothing,
        }
    }

    /// The declaration of an attribute of an object.
    fn attribute(self, name: &str) -> Declared<'s> {
        match self {
            Declared::Type(Type::Object(object)) => {
                object.get(name).map_or(Declared::Nothing, Declared::Type)
            }
            Declared::NestedObject(nested) => {
                nested.attributes.get(name).map_or(Declared::Nothing, Declared::of_attribute)
            }
            _ => Declared::Nothing,
        }
    }

    /// Whether the attribute of an object is write-only: plans and states do not contain its value.
    fn is_write_only(self, name: &str) -> bool {
        match self {
            Declared::NestedObject(nested) => {
                nested.attributes.get(name).is_some_and(|attribute| attribute.write_only)
            }
            _ => false,
        }
    }
}

/// Options of the comparison, the same for a whole plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct CompareOptions {
    /// Whether lists of equal length are compared by position where an element is gone, and not by a common subsequence.
    pub(super) by_position: bool,
    /// Whether the text must be the same whatever the content behind marks is, except for whether a value changes.
    pub(super) hides_marked_content: bool,
    /// Whether the schema decides if an empty string is told from null. Otherwise it counts as null in blocks, and only there.
    pub(super) empty_by_schema: bool,
    /// Whether values are shown although neither the plan nor a schema says if they are sensitive.
    pub(super) shows_unstated: bool,
}

/// The value before and the planned value, with the paths of the plan that lie below them.
#[derive(Clone)]
pub(super) struct Sides<'v, 'p> {
    /// The value before; `None` if there is none.
    pub(super) before: Option<&'v Value>,
    /// The planned value; `None` if there will be none.
    pub(super) after: Option<&'v Value>,
    /// The paths that force a replacement.
    pub(super) replace_paths: RelativePaths<'p>,
    /// The paths whose changes are shown: other parts are shown as unchanged.
    pub(super) relevant_paths: RelativePaths<'p>,
    /// Whether an empty string is told from null: see [`block::tells_empty_strings`].
    pub(super) tells_empty: bool,
}

impl<'v, 'p> Sides<'v, 'p> {
    /// Both sides with the value before, so that no change is shown.
    pub(super) fn unchanged(self) -> Sides<'v, 'p> {
        Sides { after: self.before, relevant_paths: RelativePaths::all(), ..self }
    }

    /// The attribute or map entry with this name.
    fn below_name(&self, name: &str, before: Option<&'v Value>, after: Option<&'v Value>) -> Sides<'v, 'p> {
        let relevant_paths = self.relevant_paths.below_name(name).with_descendants();
        let replace_paths = self.replace_paths.below_name(name);
        let sides = Sides { before, after, replace_paths, relevant_paths, tells_empty: self.tells_empty };
        if sides.relevant_paths.overlap_value() { sides } else { sides.unchanged() }
    }

    /// The element at an index.
    fn below_index(
        &self,
        index: usize,
        before: Option<&'v Value>,
        after: Option<&'v Value>,
    ) -> Sides<'v, 'p> {
        let relevant_paths = self.relevant_paths.below_index(index).with_descendants();
        let replace_paths = self.replace_paths.below_index(index);
        let sides = Sides { before, after, replace_paths, relevant_paths, tells_empty: false };
        if sides.relevant_paths.overlap_value() { sides } else { sides.unchanged() }
    }

    /// The sides where a null counts as absent. A marked null stays if marked content must not show.
    pub(super) fn without_nulls(mut self, options: CompareOptions) -> Sides<'v, 'p> {
        let is_set =
            |side: &&Value| !(side.is_null() && (!options.hides_marked_content || !side.is_marked()));
        self.before = self.before.filter(is_set);
        self.after = self.after.filter(is_set);
        self
    }

    /// Whether both sides are marked and have no content, one as an empty string, so that Terraform shows no change.
    fn are_marked_and_empty(&self, options: CompareOptions) -> bool {
        let has_none = |side: Option<&Value>| {
            side.is_some_and(|side| {
                side.is_marked() && (side.is_null() || string_content(Some(side)) == Some(""))
            })
        };
        let is_text = |side: Option<&Value>| string_content(side).is_some();
        !options.hides_marked_content
            && (has_none(self.before) && has_none(self.after))
            && (is_text(self.before) || is_text(self.after))
    }

    /// The sides where an empty string counts as absent; a marked one only where what it hides may show.
    fn without_empty_text(mut self, options: CompareOptions) -> Sides<'v, 'p> {
        if !options.hides_marked_content {
            return self.without_empty_strings();
        }
        self.before = self.before.filter(|side| !is_empty_string(side));
        self.after = self.after.filter(|side| !is_empty_string(side));
        self
    }

    /// Whether Terraform shows null in place of an empty string here.
    fn take_empty_for_null(&self, options: CompareOptions) -> bool {
        options.empty_by_schema && !options.hides_marked_content && !self.tells_empty
    }

    /// The sides where an empty string counts as absent, marked or not.
    pub(super) fn without_empty_strings(mut self) -> Sides<'v, 'p> {
        let has_content = |side: &&Value| string_content(Some(side)) != Some("");
        self.before = self.before.filter(has_content);
        self.after = self.after.filter(has_content);
        self
    }
}

/// The kinds of values that have a comparison of their own.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Null,
    Bool,
    Number,
    String,
    Sequence,
    Set,
    Map,
    Object,
}

/// The kind of a known value.
fn kind(value: &Value, declared: Declared<'_>) -> Kind {
    let is_open = matches!(declared, Declared::Nothing);
    let nesting = match declared {
        Declared::Nested(nested) => Some(nested.nesting),
        _ => None,
    };
    match value.view_below_marks() {
        View::Null(_) => Kind::Null,
        // Where the type of an attribute inside is dynamic, the collection is a tuple or an object.
        View::Tuple(_) if nesting == Some(Nesting::Set) => Kind::Set,
        View::Object(_) if nesting == Some(Nesting::Map) => Kind::Map,
        View::Set(_) if !is_open => Kind::Set,
        View::List(_) | View::Tuple(_) | View::Set(_) => Kind::Sequence,
        View::Map(_) if !is_open => Kind::Map,
        View::Map(_) | View::Object(_) => Kind::Object,
        View::Bool(_) => Kind::Bool,
        // The only capsules are numbers of JSON text that keep their spelling.
        View::Number(_) | View::Capsule(_) => Kind::Number,
        // What is unknown is compared before.
        _ => Kind::String,
    }
}

/// Whether a container is created or deleted: absent and null count alike.
fn presence(sides: &Sides<'_, '_>) -> DiffAction {
    let is_there =
        |side: Option<&Value>| side.is_some_and(|value| kind(value, Declared::Nothing) != Kind::Null);
    DiffAction::of_presence(is_there(sides.before), is_there(sides.after))
}

/// Whether a value is an unmarked null: whether a marked value is null must not show.
pub(super) fn is_unmarked_null(value: &Value) -> bool {
    matches!(value.view(), View::Null(_))
}

/// Whether a value is unknown as a whole.
pub(super) fn is_unknown(value: &Value) -> bool {
    matches!(value.view_below_marks(), View::Unknown(_) | View::Dynamic)
}

/// Compares the two sides of a value.
pub(super) fn compare(sides: &Sides<'_, '_>, declared: Declared<'_>, options: CompareOptions) -> DiffNode {
    let mut node = compare_content(sides, declared, options);
    let may_force = match declared {
        Declared::Nothing => false,
        Declared::Type(Type::Dynamic) => shows_force_of_any_type(&node),
        _ => true,
    };
    node.forces_replacement = may_force && sides.replace_paths.include_value();
    node
}

/// Whether Terraform writes `# forces replacement` after this difference of an attribute of dynamic type: it does where the
/// value is sensitive or unknown, and not where it compares the content.
fn shows_force_of_any_type(node: &DiffNode) -> bool {
    matches!(node.kind, DiffKind::Sensitive { .. } | DiffKind::Unknown { .. })
}

/// Compares the two sides of a value: marked ones by whether they are equal, others part by part.
fn compare_content(sides: &Sides<'_, '_>, declared: Declared<'_>, options: CompareOptions) -> DiffNode {
    let is_marked = |side: Option<&Value>| side.is_some_and(Value::is_marked);
    if is_marked(sides.before) || is_marked(sides.after) {
        let is_own = |side: Option<&Value>| is_marked(side) && !side.is_some_and(is_marked_by_other_side);
        let marks = (is_own(sides.before), is_own(sides.after));
        // Terraform counts an empty string as absent where it does not show the content.
        if !matches!(declared, Declared::Nothing) && !options.hides_marked_content {
            return sensitive(&sides.clone().without_empty_strings(), marks);
        }
        return sensitive(sides, marks);
    }
    let declared = match declared {
        Declared::Type(Type::Dynamic) => Declared::Nothing,
        declared => declared,
    };
    if let Some(after) = sides.after.filter(|after| is_unknown(after)) {
        let before = sides.before.filter(|before| !is_unmarked_null(before));
        let before = before.map(|before| Box::new(deletion(before, declared, sides.tells_empty, options)));
        let action = if before.is_some() { DiffAction::Update } else { DiffAction::Create };
        return DiffNode::new(action, DiffKind::Unknown { before, after: after.clone() });
    }
    let becomes_null = |side: Option<&Value>, other: Option<&Value>| {
        let is_whole = |value: &Value| match value.view() {
            View::String(text) => json_text::is_document(text),
            View::Null(_) | View::Bool(_) | View::Number(_) | View::Capsule(_) => false,
            _ => true,
        };
        side.is_some_and(is_unmarked_null) && other.is_some_and(is_whole)
    };
    let is_open = matches!(declared, Declared::Nothing);
    if is_open && (becomes_null(sides.before, sides.after) || becomes_null(sides.after, sides.before)) {
        return other_kind(sides, declared, options);
    }
    let kinds = (
        sides.before.map(|before| kind(before, declared)).filter(|kind| *kind != Kind::Null),
        sides.after.map(|after| kind(after, declared)).filter(|kind| *kind != Kind::Null),
    );
    match kinds {
        (Some(before), Some(after)) if before != after => other_kind(sides, declared, options),
        (Some(Kind::Sequence), _) | (_, Some(Kind::Sequence)) => {
            elements::compare_sequences(sides, declared, options)
        }
        (Some(Kind::Set), _) | (_, Some(Kind::Set)) => elements::compare_sets(sides, declared, options),
        (Some(Kind::Map), _) | (_, Some(Kind::Map)) => entries::compare_maps(sides, declared, options),
        (Some(Kind::Object), _) | (_, Some(Kind::Object)) => {
            entries::compare_objects(sides, declared, options)
        }
        _ if matches!(declared, Declared::Type(Type::String)) && sides.take_empty_for_null(options) => {
            let nothing = Value::null(Type::String);
            let told = |side: Option<&Value>| match side.is_some_and(is_empty_string) {
                true => Some(nothing.clone()),
                false => side.cloned(),
            };
            let (before, after) = (told(sides.before), told(sides.after));
            let (before, after) = (before.as_ref(), after.as_ref());
            let sides = Sides { before, after, ..sides.clone() };
            json_text::compare_json(&sides, options).unwrap_or_else(|| scalar(&sides))
        }
        _ => json_text::compare_json(sides, options).unwrap_or_else(|| scalar(sides)),
    }
}

/// Whether a value is an unmarked empty string.
fn is_empty_string(value: &Value) -> bool {
    matches!(value.view(), View::String(""))
}

/// The difference of a value that becomes one of another kind.
fn other_kind(sides: &Sides<'_, '_>, declared: Declared<'_>, options: CompareOptions) -> DiffNode {
    let sides_of = |before, after| Sides { before, after, ..sides.clone() };
    let becomes = (
        compare(&sides_of(sides.before, None), declared, options),
        compare(&sides_of(None, sides.after), declared, options),
    );
    DiffNode::new(DiffAction::Update, DiffKind::OfOtherKind(Box::new(becomes)))
}

/// The difference of a sensitive value that stays.
fn unchanged_sensitive() -> DiffNode {
    let content = DiffAction::Unchanged;
    let (was_sensitive, is_sensitive, text) = (true, true, Cow::Borrowed(SENSITIVE));
    DiffNode::new(content, DiffKind::Sensitive { was_sensitive, is_sensitive, content, text })
}

/// Compares two strings, numbers or bools.
fn scalar(sides: &Sides<'_, '_>) -> DiffNode {
    let action = match (sides.before, sides.after) {
        (Some(before), Some(after)) if identity::is_same_content(before, after) => DiffAction::Unchanged,
        (Some(_), Some(_)) => DiffAction::Update,
        (before, after) => DiffAction::of_presence(before.is_some(), after.is_some()),
    };
    DiffNode::new(action, DiffKind::Scalar { before: sides.before.cloned(), after: sides.after.cloned() })
}

/// The difference of a value that is marked on one side or both: whether it changes, and never how.
fn sensitive(sides: &Sides<'_, '_>, (was_sensitive, is_sensitive): (bool, bool)) -> DiffNode {
    let content = match (sides.before, sides.after) {
        (Some(before), Some(after)) if identity::is_same_content(before, after) => DiffAction::Unchanged,
        (Some(_), Some(_)) => DiffAction::Update,
        (before, after) => DiffAction::of_presence(before.is_some(), after.is_some()),
    };
    let action = if content == DiffAction::Unchanged && was_sensitive != is_sensitive {
        DiffAction::Update
    } else {
        content
    };
    let mut marked = [sides.after, sides.before].into_iter().flatten().filter(|side| side.is_marked());
    let hidden = marked.next().filter(|value| !value.marks().has_name(Mark::SENSITIVE.name()));
    let text = hidden.map_or(Cow::Borrowed(SENSITIVE), |value| Cow::Owned(value.to_string()));
    DiffNode::new(action, DiffKind::Sensitive { was_sensitive, is_sensitive, content, text })
}

/// The difference of a value that is deleted.
fn deletion(before: &Value, declared: Declared<'_>, tells_empty: bool, options: CompareOptions) -> DiffNode {
    let sides = Sides {
        before: Some(before),
        after: None,
        replace_paths: RelativePaths::default(),
        relevant_paths: RelativePaths::all(),
        tells_empty,
    };
    compare(&sides, declared, options)
}
