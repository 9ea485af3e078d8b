//! Imports a schema as a type, a rule and a refinement.

use std::collections::BTreeSet;
use std::fmt;

use crate::constraint::TypeConstraint;
use crate::error::Result;
use crate::path::{Path, Step};
use crate::refinement::Refinement;
use crate::rule::Rule;
use crate::types::Type;
use crate::value::Value;

use super::compile::Compiler;
use super::compiled::conjunction;
use super::draft::Draft;
use super::survey::{Shared, Survey};
use super::{Reading, check, implied};

/// An imported schema. Made by [`import`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Import {
    /// The type that the schema describes, or the one that the caller gave.
    pub constraint: TypeConstraint,
    /// The rule that the schema implies. It says all that the schema says, unless something is
    /// [unsupported](Import::unsupported).
    pub rule: Rule,
    /// A refinement that is true of every value of the type that satisfies the rule.
    pub refinement: Refinement,
    /// The keywords that are not in the rule, in the order of the document.
    pub unsupported: Vec<Unsupported>,
}

impl Import {
    /// An unknown value with the refinement that the schema implies.
    ///
    /// [Example](import)
    ///
    /// # Errors
    ///
    /// When nothing can satisfy the schema ([`is_contradiction`](crate::Error::is_contradiction)).
    pub fn unknown(&self) -> Result<Value> {
        let ty = self.constraint.to_type();
        if ty == Type::Dynamic { Ok(Value::dynamic()) } else { Value::refined(ty, self.refinement.clone()) }
    }
}

/// A keyword that is not in the imported rule.
///
/// ```
/// use plantime::rule::json_schema::{Reading, import};
/// use plantime::value;
///
/// let schema = value!({ "type": "object", "properties": { "name": { "type": "string", "frob": 1 } } })?;
/// let read = import(&schema, None, &Reading::default())?;
/// let [unsupported] = &read.unsupported[..] else { unreachable!() };
/// assert_eq!((unsupported.pointer().as_str(), unsupported.keyword()), ("/properties/name/frob", "frob"));
/// assert_eq!(unsupported.why(), "no keyword that is supported");
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Unsupported {
    path: Path,
    keyword: String,
    why: String,
}

impl Unsupported {
    /// An unsupported keyword: its place in the document, its name, and why it is left out.
    pub(super) fn new(path: Path, keyword: &str, why: &str) -> Unsupported {
        Unsupported { path, keyword: keyword.to_owned(), why: why.to_owned() }
    }

    /// The place of the keyword in the document, as a JSON pointer.
    ///
    /// [Example](Unsupported)
    pub fn pointer(&self) -> String {
        pointer(&self.path)
    }

    /// The keyword that is not supported.
    ///
    /// [Example](Unsupported)
    pub fn keyword(&self) -> &str {
        &self.keyword
    }

    /// Why it is left out.
    ///
    /// [Example](Unsupported)
    pub fn why(&self) -> &str {
        &self.why
    }
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.pointer(), self.why)
    }
}

/// A path as a JSON pointer (RFC 6901): that of an [`Error`](crate::Error) of [`import`] leads to a place in the
/// document.
///
/// ```
/// use plantime::Path;
/// use plantime::rule::json_schema::pointer;
///
/// assert_eq!(pointer(&Path::new().attr("properties").attr("a/b").attr("minLength")), "/properties/a~1b/minLength");
/// ```
pub fn pointer(path: &Path) -> String {
    let mut out = String::new();
    for step in path.steps() {
        let token = match step {
            Step::Attr(name) => name.as_str().to_owned(),
            Step::Index(key) => match (key.as_str(), key.as_number()) {
                (Ok(key), _) => key.to_owned(),
                (_, Ok(number)) => number.to_string(),
                _ => String::new(),
            },
        };
        out.push('/');
        out.push_str(&token.replace('~', "~0").replace('/', "~1"));
    }
    out
}

impl Compiler {
    /// A compiler for a document. Checks that the document is a schema and lists its unsupported keywords.
    pub(super) fn new(root: Value, reading: Reading) -> Result<Compiler> {
        let named = check::object(&root).and_then(|keywords| keywords.get("$schema"));
        let draft = named.and_then(|name| name.as_str().ok()).and_then(Draft::named);
        let mut found = check::CheckReport { draft, ..check::CheckReport::default() };
        check::check(&root, &mut Path::new(), &mut found)?;
        Ok(Compiler {
            root,
            reading,
            draft,
            identities: found.identities,
            unsupported: found.unsupported,
            steps: 0,
            depth: 0,
            following: Vec::new(),
            checked: BTreeSet::new(),
            survey: Survey::default(),
            surveyed: Shared::default(),
        })
    }
}

/// Imports a schema for values of a type; without one, for the type that it describes.
///
/// ```
/// use plantime::rule::json_schema::{Reading, import};
/// use plantime::{Type, Value, value};
///
/// let schema = value!({
///     "type": "string",
///     "pattern": "^vpc-",
///     "maxLength": 12,
/// })?;
/// let read = import(&schema, None, &Reading::default())?;
/// assert_eq!(read.rule.to_string(), r#"all(not_null, max_len(12), starts_with("vpc-"))"#);
///
/// // The answer of a server that is not here yet.
/// let answer = read.unknown()?;
/// assert_eq!(answer.to_string(), "(known after apply, matches ^vpc-(?s:.){0,8}$)");
/// # Ok::<(), plantime::Error>(())
/// ```
///
/// # Errors
///
/// When the document is no schema, with the place of what is wrong ([`is_syntax`](crate::Error::is_syntax)); above
/// the [limits](super#limits) ([`is_limit`](crate::Error::is_limit)); for a type with a capsule inside.
pub fn import(schema: &Value, ty: Option<&Type>, reading: &Reading) -> Result<Import> {
    let mut compiler = Compiler::new(schema.clone(), *reading)?;
    let constraint = match ty {
        Some(ty) => ty.into(),
        None => implied::constraint(schema, compiler.draft, &Path::new(), 0)?,
    };
    let ty = constraint.as_type();
    let mut compiled = compiler.schema(schema, ty, &Path::new())?;
    if compiler.survey.must_repeat(&compiler.unsupported) {
        compiler = Compiler::new(schema.clone(), *reading)?;
        compiler.survey.refuses_cycles = true;
        compiled = compiler.schema(schema, ty, &Path::new())?;
    }
    let rule = match compiled.rule(ty)? {
        Some(rule) => rule,
        None => conjunction(Vec::new())?,
    };
    let refinement = rule.implied_refinement(ty);
    let mut unsupported = compiler.unsupported;
    unsupported.sort();
    unsupported.dedup();
    // The cell is empty: the compiler has not been shared yet.
    let _ = compiler.surveyed.set(compiler.survey.finished(&unsupported));
    Ok(Import { refinement, rule, unsupported, constraint })
}
