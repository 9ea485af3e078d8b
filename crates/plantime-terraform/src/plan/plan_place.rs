//! A place of a plan: a resource or output, and a path in its value.

use std::fmt;
use std::str::FromStr;

use super::address::{Key, take_segment};
use plantime::rule::PathExpr;
use plantime::unstable::error::Kind;
use plantime::unstable::path::bare_name;
use plantime::unstable::text::Cursor;
use plantime::{Error, Result};

/// A place of a plan by its address: an instance of a resource, or an output of the root module, and the path of a part of it.
///
/// ```
/// use plantime_terraform::plan::PlanPlace;
///
/// let place: PlanPlace = r#"module.net["eu"].aws_subnet.main[0].vpc_id"#.parse()?;
/// assert_eq!(place.address, r#"module.net["eu"].aws_subnet.main[0]"#);
/// assert_eq!((place.path.to_string(), place.to_string()), ("vpc_id".into(), format!("{}.vpc_id", place.address)));
/// assert_eq!("output.urls[0]".parse::<PlanPlace>()?.address, "output.urls");
/// assert!("aws_subnet.main".parse::<PlanPlace>().is_err());
/// assert!("aws_subnet.main.tags[*]".parse::<PlanPlace>().is_err());
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct PlanPlace {
    /// The address of the instance of a resource, as plans have it; `output.NAME` for an output.
    pub address: String,
    /// The path in the value of the resource or output, without wildcards; never empty for a resource.
    pub path: PathExpr,
}

impl PlanPlace {
    /// The place at a path in a resource or output.
    pub(crate) fn new(address: &str, path: PathExpr) -> PlanPlace {
        PlanPlace { address: address.to_owned(), path }
    }
}

impl FromStr for PlanPlace {
    type Err = Error;

    /// Reads the text form: the address, a dot, the path.
    ///
    /// # Errors
    ///
    /// When the text is no address of an instance with a path behind it, or the path has a wildcard.
    fn from_str(text: &str) -> Result<PlanPlace> {
        let invalid = |why: &str| {
            let message =
                format!("{text:?} is no place of a plan, such as aws_subnet.a.vpc_id or output.url: {why}");
            Error::new(Kind::Syntax, message)
        };
        let segment = |cursor: &mut Cursor<'_>| take_segment(cursor).map_err(|why| invalid(&why));
        let dot = |cursor: &mut Cursor<'_>, missing| {
            if cursor.take('.') { Ok(()) } else { Err(invalid(missing)) }
        };
        let mut cursor = Cursor::new(text);
        if text.starts_with("output.") {
            cursor.advance("output.".len());
            bare_name(&mut cursor);
        } else {
            loop {
                let first = segment(&mut cursor)?;
                match (first.name.as_str(), &first.key) {
                    ("module", None) => {
                        dot(&mut cursor, "a module name is missing")?;
                        if segment(&mut cursor)?.key == Some(Key::Any) {
                            return Err(invalid("it has a wildcard"));
                        }
                        dot(&mut cursor, "a resource is missing")?;
                    }
                    ("data" | "ephemeral", None) => dot(&mut cursor, "a resource type is missing")?,
                    (_, Some(_)) => return Err(invalid("a type has no key")),
                    (_, None) => {
                        dot(&mut cursor, "a name is missing")?;
                        let name = segment(&mut cursor)?;
                        if first.name.contains('*') || name.name.contains('*') || name.key == Some(Key::Any) {
                            return Err(invalid("it has a wildcard"));
                        }
                        if cursor.peek().is_none() {
                            return Err(invalid("a path is missing"));
                        }
                        break;
                    }
                }
            }
        }
        let (address, rest) = text.split_at_checked(cursor.at()).unwrap_or((text, ""));
        let path: PathExpr = match rest.strip_prefix('.').unwrap_or(rest) {
            "" => PathExpr::new(),
            path => path.parse().map_err(|error: Error| invalid(error.message()))?,
        };
        if path.has_wildcard() {
            return Err(invalid("it has a wildcard"));
        }
        Ok(PlanPlace::new(address, path))
    }
}

/// The text form, which reads back as the same place.
impl fmt::Display for PlanPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.to_string();
        let dot = if path.is_empty() || path.starts_with('[') { "" } else { "." };
        write!(f, "{}{dot}{path}", self.address)
    }
}
