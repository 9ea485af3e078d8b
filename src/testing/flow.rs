//! Information flow: values that differ only in marked content, and what an observer sees of them.
//!
//! An observer who must not see marked content must not learn it indirectly: two values that differ only in marked
//! content have to look the same wherever they go. [`behind_mark`] builds such values, and [`distinguishable`]
//! finds two that an operation shows differently.
//!
//! Three things may be seen. First, whether an operation returns a value or an error, since a program stops at an
//! error. Second, an error may say that a marked value is null. Third, contents are compared only with others of
//! their type; and if one is known and the other is not, the type of the answer may be decided for only one.

use std::fmt::Write;

use crate::{Mark, Nullness, Path, Type, Value, View};

/// The maximum number of elements of the collections that [`contents`] builds.
const MAX_ELEMENTS: usize = 2;

/// What an observer who must not see marked content sees of the result of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// What is seen of a value.
    Answer {
        /// The unmarked parts, the marks and their places, and the text of `Display`.
        text: String,
        /// The type, and the text of `Debug`; `None` for an operation whose result type depends on values.
        ty: Option<String>,
    },
    /// The text of an error, with its path.
    Error(String),
}

impl Seen {
    /// Everything that is seen of a value.
    pub fn of(value: &Value) -> Seen {
        Seen::Answer { text: text_of(value), ty: Some(format!("{}, {value:?}", value.ty())) }
    }

    /// Like [`of`](Seen::of) without the type, for operations whose result type depends on values.
    pub fn of_any_type(value: &Value) -> Seen {
        Seen::Answer { text: text_of(value), ty: None }
    }
}

/// The value as text in two ways: as [`visible`] writes it, and as `Display` does.
fn text_of(value: &Value) -> String {
    format!("{}, {value}", visible(value))
}

impl std::fmt::Display for Seen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Seen::Answer { text, ty: Some(ty) } => write!(f, "{text}, of type {ty}"),
            Seen::Answer { text, ty: None } | Seen::Error(text) => f.write_str(text),
        }
    }
}

/// The value as text, in which each marked element is replaced by its marks.
pub fn visible(value: &Value) -> String {
    let mut text = String::new();
    write_visible(value, &mut text);
    text
}

/// Appends the value to `text`, with each marked element replaced by its marks.
fn write_visible(value: &Value, text: &mut String) {
    if !value.contains_marks() {
        let _ = write!(text, "{value:?}");
        return;
    }
    match value.view() {
        View::Marked(marked) => {
            let _ = write!(text, "<{}>", marked.marks());
        }
        View::List(list) => write_parts("list", list.iter().map(|part| ("", part)), text),
        View::Tuple(tuple) => write_parts("tuple", tuple.iter().map(|part| ("", part)), text),
        View::Map(map) => write_parts("map", map.iter(), text),
        View::Object(object) => write_parts("object", object.iter(), text),
        // Members of a set have no marks, and other values have no parts.
        _ => {
            let _ = write!(text, "{value:?}");
        }
    }
}

/// Appends the children of a container as `kind[name value,…]`; `name` is empty for lists and tuples.
fn write_parts<'v>(kind: &str, parts: impl Iterator<Item = (&'v str, &'v Value)>, text: &mut String) {
    text.push_str(kind);
    text.push('[');
    for (name, part) in parts {
        let _ = write!(text, "{name:?} ");
        write_visible(part, text);
        text.push(',');
    }
    text.push(']');
}

/// Values of a type that nearly every operation distinguishes: known ones of several lengths, a null and an
/// unknown. There are none for `dynamic` and capsules.
pub fn contents(ty: &Type) -> Vec<Value> {
    if matches!(ty, Type::Dynamic | Type::Capsule(_)) {
        return Vec::new();
    }
    let mut all = known_contents(ty);
    all.extend([Value::null(ty.clone()), Value::unknown(ty.clone())]);
    all
}

/// The values of [`contents`] that are neither null nor unknown.
fn known_contents(ty: &Type) -> Vec<Value> {
    let lists = |element: &Type| {
        let parts = known_contents(element);
        (0..=MAX_ELEMENTS.min(parts.len())).map(|length| parts[..length].to_vec()).collect::<Vec<_>>()
    };
    // Take the first content of each element, and the last one of each.
    let structures = |types: &mut dyn Iterator<Item = Type>| {
        let parts: Option<Vec<(Value, Value)>> = types
            .map(|ty| {
                let all = contents(&ty);
                Some((all.first()?.clone(), all.get(1).or(all.first())?.clone()))
            })
            .collect();
        let (first, second): (Vec<Value>, Vec<Value>) = parts.unwrap_or_default().into_iter().unzip();
        [first, second]
    };
    let made: Vec<crate::Result<Value>> = match ty {
        Type::Bool => return vec![true.into(), false.into()],
        Type::Number => return vec![1.into(), 731_529.into()],
        Type::String => return vec!["a".into(), "hunter2".into()],
        Type::List(list) => {
            let lists = lists(list.element()).into_iter();
            lists.map(|parts| Value::list_of(list.element().clone(), parts)).collect()
        }
        Type::Set(set) => {
            let sets = lists(set.element()).into_iter();
            sets.map(|parts| Value::set_of(set.element().clone(), parts)).collect()
        }
        Type::Map(map) => {
            let maps = lists(map.element()).into_iter();
            let named = |parts: Vec<Value>| ["a", "hunter2"].into_iter().zip(parts).collect::<Vec<_>>();
            maps.map(|parts| Value::map_of(map.element().clone(), named(parts))).collect()
        }
        Type::Tuple(tuple) => {
            let tuples = structures(&mut tuple.iter().cloned());
            tuples.into_iter().filter(|parts| parts.len() == tuple.len()).map(Value::tuple).collect()
        }
        Type::Object(object) => {
            let objects = structures(&mut object.iter().map(|(_, ty)| ty.clone()));
            let names: Vec<&str> = object.attribute_names().collect();
            let objects = objects.into_iter().filter(|parts| parts.len() == names.len());
            objects.map(|parts| Value::object(names.iter().zip(parts))).collect()
        }
        Type::Dynamic | Type::Capsule(_) => Vec::new(),
    };
    made.into_iter().flatten().collect()
}

/// A value with a mark at one place, and the content behind that mark.
#[derive(Clone, Debug)]
pub struct Hidden {
    /// The content behind the mark.
    pub content: Value,
    /// The whole value, with the mark and the content.
    pub value: Value,
}

impl Hidden {
    /// Whether the content is null.
    fn is_null(&self) -> bool {
        self.content.is_null() || self.content.range().nullness() == Nullness::Null
    }
}

/// Values that differ only in the content behind the mark at this place: the content of `value`, and each of
/// `contents` of the same type. Empty if `value` has nothing at this place. Below a set the mark is on the set, and
/// the whole set is the content.
pub fn behind_mark(value: &Value, place: &Path, mark: &Mark, contents: &[Value]) -> Vec<Hidden> {
    let Some((_, own)) = value.parts().find(|(path, _)| path == place) else { return Vec::new() };
    let ty = own.ty();
    let hidden = |content: &Value| {
        let put = |path: &Path, part: Value| {
            Ok(if path == place { content.clone().mark(mark.clone()) } else { part })
        };
        let value = match place.is_empty() {
            true => content.clone().mark(mark.clone()),
            // Children are visited first, so the content itself is not searched.
            false => value.transform(put).ok()?,
        };
        Some(Hidden { content: content.clone(), value })
    };
    let others = contents.iter().filter(|content| *content != own && content.ty() == ty);
    std::iter::once(own).chain(others).filter_map(hidden).collect()
}

/// Two values that differ only in marked content and do not look the same, if there are any, each with what is
/// seen. Answers are compared with answers, and errors with errors for contents that are both null or both not.
/// Contents of an undecided type are compared only if both are known to the same extent.
pub fn distinguishable(
    values: &[Hidden],
    mut look: impl FnMut(&Value) -> Seen,
) -> Option<[(&Hidden, Seen); 2]> {
    let mut first: Vec<(&Hidden, Seen)> = Vec::new();
    for hidden in values {
        let seen = look(&hidden.value);
        let mut is_new = true;
        for other in &first {
            let known = [hidden, other.0].map(|hidden| hidden.content.is_wholly_known());
            // An unknown of undecided type may become a value of another type.
            let is_alike = hidden.content.knownness() == other.0.content.knownness();
            if !is_alike && hidden.content.ty().has_dynamic() {
                continue;
            }
            let differs = match (&seen, &other.1) {
                (Seen::Answer { text, ty }, Seen::Answer { text: other_text, ty: other_ty }) => {
                    is_new &= known[0] != known[1];
                    text != other_text || known == [true, true] && ty != other_ty
                }
                (Seen::Error(text), Seen::Error(other_text)) if hidden.is_null() == other.0.is_null() => {
                    is_new = false;
                    text != other_text
                }
                _ => false,
            };
            if differs {
                return Some([other.clone(), (hidden, seen)]);
            }
        }
        if is_new {
            first.push((hidden, seen));
        }
    }
    None
}
