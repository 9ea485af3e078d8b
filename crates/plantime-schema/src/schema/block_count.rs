//! Whether there are too few or too many blocks, as far as that is certain.

use plantime::unstable::error::Kind;
use plantime::{Error, LengthRange, Step, Value, View};

use super::coerce::error_below;
use super::{Block, NestedBlock, Nesting};

impl Block {
    /// Returns an error for each nested block type that has fewer blocks than `min_items` or more than `max_items`, whatever the
    /// unknown values become.
    ///
    /// | blocks | number |
    /// |---|---|
    /// | null | 0 |
    /// | a single block | 1 |
    /// | a list | its length |
    /// | a set | at least its length: equal blocks are one member; 0 if it is empty |
    /// | unknown | what its length range says; also 0 if it may be null |
    ///
    /// `value` is one that [`coerce`](Block::coerce) returned. Blocks inside unknown ones are not counted.
    ///
    /// ```
    /// use plantime_schema::{Block, NestedBlock, Nesting};
    /// use plantime::Value;
    /// use plantime::value;
    ///
    /// let mut rule = NestedBlock::new(Nesting::List, Block::default());
    /// rule.min_items = 1;
    /// let mut block = Block::default();
    /// block.block_types.insert("rule".to_owned(), rule);
    ///
    /// let errors = block.check_block_counts(&block.coerce(&value!({})?)?);
    /// assert_eq!(errors[0].to_string(), "rule: Insufficient rule blocks: At least 1 \"rule\" blocks are required.");
    /// let later = block.coerce(&value!({ "rule": Value::dynamic() })?)?;
    /// assert!(block.check_block_counts(&later).is_empty());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn check_block_counts(&self, value: &Value) -> Vec<Error> {
        let View::Object(object) = value.view_below_marks() else { return Vec::new() };
        let mut found = Vec::new();
        for (name, nested) in self.block_types.sorted() {
            let Some(blocks) = object.get(name) else { continue };
            let mut inside: Vec<Error> = check_count(name, nested, blocks).into_iter().collect();
            inside.extend(check_inside(nested, blocks));
            found.extend(inside.into_iter().map(|error| error_below(value, Step::attr(name), error)));
        }
        found
    }
}

/// The errors inside the blocks of one type.
fn check_inside(nested: &NestedBlock, blocks: &Value) -> Vec<Error> {
    if let Nesting::Single | Nesting::Group = nested.nesting {
        return nested.block.check_block_counts(blocks);
    }
    let inside = |(step, item): (Step, &Value)| {
        let errors = nested.block.check_block_counts(item);
        errors.into_iter().map(move |error| error_below(blocks, step.clone(), error))
    };
    blocks.elements().flat_map(inside).collect()
}

/// The error if there are too few or too many blocks of one type, whatever the unknown values become.
fn check_count(name: &str, nested: &NestedBlock, blocks: &Value) -> Option<Error> {
    let (least, most) = count(nested.nesting, blocks);
    let (summary, detail) = count_problem(name, nested, least, most)?;
    let message = format!("{summary}: {detail}");
    Some(Error::new(Kind::Argument, message))
}

/// The summary and detail of the error that there are too few or too many blocks of a type; `None` if any number from `least`
/// to `most` is allowed.
pub fn count_problem(
    name: &str,
    nested: &NestedBlock,
    least: u64,
    most: Option<u64>,
) -> Option<(String, String)> {
    let (min, max) = (nested.min_items, nested.max_items);
    if most.is_some_and(|most| most < min) {
        return Some(match nested.nesting {
            Nesting::Single | Nesting::Group => {
                (format!("Missing {name} block"), format!("A block of type \"{name}\" is required here."))
            }
            _ => (
                format!("Insufficient {name} blocks"),
                format!("At least {min} \"{name}\" blocks are required."),
            ),
        });
    }
    (max != 0 && least > max).then(|| {
        (format!("Too many {name} blocks"), format!("No more than {max} \"{name}\" blocks are allowed"))
    })
}

/// The minimum and the maximum number of blocks of one type; no maximum if it is not known.
fn count(nesting: Nesting, blocks: &Value) -> (u64, Option<u64>) {
    let exactly = |count: usize| LengthRange::exactly(count as u64);
    let (may_be_null, length) = match blocks.view_below_marks() {
        View::Null(_) => (false, exactly(0)),
        View::List(list) => (false, exactly(list.len())),
        View::Tuple(tuple) => (false, exactly(tuple.len())),
        View::Map(map) => (false, exactly(map.len())),
        View::Object(_) if matches!(nesting, Nesting::Single | Nesting::Group) => (false, exactly(1)),
        View::Object(object) => (false, exactly(object.len())),
        View::Set(set) => (false, set.length()),
        View::Unknown(range) if matches!(nesting, Nesting::Single | Nesting::Group) => {
            (!range.is_not_null(), exactly(1))
        }
        View::Unknown(range) => (!range.is_not_null(), range.length_range().unwrap_or_default()),
        _ => (true, LengthRange::default()),
    };
    let least = if may_be_null { 0 } else { length.lower() };
    // Equal blocks are one member of the set, so the maximum is not known.
    let most = length.upper().filter(|most| nesting != Nesting::Set || *most == 0);
    (least, most)
}
