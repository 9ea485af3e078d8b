//! The arguments of a block that a part of its value is computed by.

use super::Location;
use plantime::Step;
use plantime_hcl::Expression;
use plantime_hcl::{Argument, Block};

/// The iterators of the `dynamic` blocks around an expression, each with the expression of its collection, the innermost last.
pub(in crate::configuration::evaluate) type Iterators = [(String, Expression)];

/// An argument, and the part of its value that is explained.
pub(in crate::configuration::evaluate) struct ArgumentPart {
    pub(in crate::configuration::evaluate) expression: Expression,
    pub(in crate::configuration::evaluate) location: Location,
    pub(in crate::configuration::evaluate) path: Vec<Step>,
    pub(in crate::configuration::evaluate) iterators: Vec<(String, Expression)>,
}

impl ArgumentPart {
    fn new(argument: &Argument, path: &[Step], iterators: &Iterators) -> ArgumentPart {
        ArgumentPart {
            expression: argument.expression.clone(),
            location: Location::of(argument),
            path: path.to_vec(),
            iterators: iterators.to_vec(),
        }
    }
}

/// The arguments that compute the part of a block at a path: the argument that the path names, or the arguments of the
/// nested blocks that it names. For an empty path, all arguments of the block.
pub(in crate::configuration::evaluate) fn argument_parts(
    block: &Block,
    path: &[Step],
    iterators: &Iterators,
) -> Vec<ArgumentPart> {
    let Some((first, rest)) = path.split_first() else {
        let arguments = block.body.arguments.iter();
        let mut found: Vec<ArgumentPart> =
            arguments.map(|argument| ArgumentPart::new(argument, &[], iterators)).collect();
        let mut kinds: Vec<&str> = block.body.blocks.iter().map(Block::produced_kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        for kind in kinds {
            found.extend(argument_parts_of_blocks(block, kind, &[], iterators));
        }
        return found;
    };
    let Some(name) = first.name() else { return Vec::new() };
    match block.body.argument(name) {
        Some(argument) => vec![ArgumentPart::new(argument, rest, iterators)],
        None => argument_parts_of_blocks(block, name, rest, iterators),
    }
}

/// The arguments that compute a part of the nested blocks of a kind. A position selects one of the blocks that are written out;
/// the blocks of `dynamic` have no position of their own.
fn argument_parts_of_blocks(
    block: &Block,
    kind: &str,
    path: &[Step],
    iterators: &Iterators,
) -> Vec<ArgumentPart> {
    let plain = block.body.blocks_of(&block.source, kind, 0);
    let dynamic = block.body.blocks_of(&block.source, "dynamic", 1);
    let (position, rest) = match path.split_first() {
        Some((Step::Index(key), rest)) => {
            let position = key.as_number().ok().and_then(|key| key.to_string().parse::<usize>().ok());
            (position, rest)
        }
        _ => (None, path),
    };
    let mut found = Vec::new();
    for (at, nested) in plain.iter().enumerate() {
        if position.is_none_or(|position| position == at) {
            found.extend(argument_parts(nested, rest, iterators));
        }
    }
    for nested in dynamic.iter().filter(|block| block.produced_kind() == kind) {
        let Some(each) = nested.body.argument("for_each") else { continue };
        if position.is_some_and(|position| position < plain.len()) {
            continue;
        }
        // The number of blocks is a part of all of them.
        if rest.is_empty() {
            found.push(ArgumentPart::new(each, &[], iterators));
        }
        let mut inner = iterators.to_vec();
        inner.push((nested.iterator_name().to_owned(), each.expression.clone()));
        for content in nested.body.blocks_of(&nested.source, "content", 0) {
            found.extend(argument_parts(&content, rest, &inner));
        }
    }
    found
}
