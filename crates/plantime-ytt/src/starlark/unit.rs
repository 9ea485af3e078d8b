//! Files that are ready to be evaluated.

use std::cell::Cell;
use std::rc::Rc;

use super::error::SyntaxError;
use super::parser::{NodeCode, parse_file};
use super::resolver::resolve;
use super::syntax::Statement;
use super::token::Placed;
use crate::node::{Content, Position, Scalar, Source};

/// A node of a template as the file has it.
#[derive(Debug)]
pub(crate) struct Prototype {
    pub(crate) key: Option<Scalar>,
    /// The content, without the children of a map or an array.
    pub(crate) content: Content,
    pub(crate) at: Position,
    /// The name and position of each annotation.
    pub(crate) annotations: Vec<(Rc<str>, Position)>,
}

/// A file: its statements with every name resolved, and the nodes of its template.
#[derive(Debug)]
pub(crate) struct Unit {
    pub(crate) source: Rc<Source>,
    pub(crate) body: Vec<Statement>,
    /// The names of its global variables.
    pub(crate) names: Vec<Rc<str>>,
    pub(crate) nodes: Vec<Prototype>,
    /// The number of its latest evaluation, which messages of ytt show.
    pub(crate) number: Cell<usize>,
}

impl Unit {
    /// Parses the tokens of a file, and resolves its names.
    pub(crate) fn of(
        source: Rc<Source>,
        tokens: &[Placed],
        codes: &[NodeCode],
        nodes: Vec<Prototype>,
        in_template: bool,
    ) -> Result<Unit, SyntaxError> {
        let body = parse_file(tokens, codes, in_template)?;
        let names = resolve(&body)?;
        Ok(Unit { source, body, names, nodes, number: Cell::new(0) })
    }
}
