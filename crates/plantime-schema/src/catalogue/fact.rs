//! One fact of a catalogue.

use std::fmt;
use std::sync::OnceLock;

use super::is_at_least;
use plantime::rule::PathExpr;
use plantime::{Refinement, Type};

/// How well a fact is supported by evidence. `A` is better and comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Class {
    /// Several independent sources agree, and nothing contradicts it.
    A,
    /// One documented source.
    B,
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Class::A => "A",
            Class::B => "B",
        })
    }
}

/// What holds of an attribute of every resource of a type, after a successful apply.
///
/// `Display` writes its line in the [text form](super).
///
/// ```
/// use plantime_schema::catalogue::{Catalogue, Class};
/// use plantime::source::Source;
///
/// let pack = "thing acme/example\n  id B since:2.1.0 type:string equals:name stringprefix(\"t-\")\n";
/// let catalogue = Catalogue::read(Source::new("example.facts", pack)).unwrap();
/// let [id] = &catalogue.facts("registry.terraform.io/acme/example", "thing")[..] else { unreachable!() };
/// assert_eq!((id.path().to_string().as_str(), id.class(), id.since()), ("id", Class::B, Some("2.1.0")));
/// assert_eq!(id.refinement(), &"stringprefix(\"t-\")".parse()?);
/// assert_eq!((id.ty(), id.equals(), id.contains().len()), (Some(&plantime::Type::String), &["name".to_owned()][..], 0));
/// assert!(id.holds_in(Some("3.0.0")) && !id.holds_in(Some("2.0.9")));
/// assert_eq!(id.origin(), "example.facts:2");
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Fact {
    pub(super) path: PathExpr,
    pub(super) class: Class,
    pub(super) ty: Option<Type>,
    pub(super) since: Option<String>,
    pub(super) equals: Vec<String>,
    pub(super) contains: Vec<String>,
    pub(super) origin: String,
    /// The text of the refinement, which is parsed when it is first needed: a pattern costs an automaton.
    pub(super) stated: String,
    pub(super) refinement: OnceLock<Refinement>,
}

impl Fact {
    /// The path, in the value of the resource, to the value that the fact is about; `[*]` stands for every element.
    ///
    /// [Example](Fact)
    pub fn path(&self) -> &PathExpr {
        &self.path
    }

    /// How well the fact is supported by evidence.
    ///
    /// [Example](Fact)
    pub fn class(&self) -> Class {
        self.class
    }

    /// The type of the value at [`path`](Fact::path), if the fact states one.
    ///
    /// [Example](Fact)
    pub fn ty(&self) -> Option<&Type> {
        self.ty.as_ref()
    }

    /// What the fact states about the value at [`path`](Fact::path); [`Refinement::any`] if it states only relations to
    /// other attributes.
    ///
    /// [Example](Fact)
    pub fn refinement(&self) -> &Refinement {
        self.refinement.get_or_init(|| self.stated.parse().unwrap_or_default())
    }

    /// Whether the fact states a refinement, not only relations to other attributes.
    #[doc(hidden)]
    pub fn states_refinement(&self) -> bool {
        !self.stated.is_empty()
    }

    /// Whether its refinement is written as not null. Does not parse it, as a pattern costs an automaton.
    #[doc(hidden)]
    pub fn is_not_null(&self) -> bool {
        self.stated.starts_with("notnull(")
    }

    /// The attributes of the same resource that equal the value at [`path`](Fact::path).
    ///
    /// [Example](Fact)
    pub fn equals(&self) -> &[String] {
        &self.equals
    }

    /// The attributes of the same resource whose values the value at [`path`](Fact::path) contains.
    ///
    /// [Example](Fact)
    pub fn contains(&self) -> &[String] {
        &self.contains
    }

    /// The first version of the provider for which the fact holds; `None` if it states no version.
    ///
    /// [Example](Fact)
    pub fn since(&self) -> Option<&str> {
        self.since.as_deref()
    }

    /// Whether the fact holds for this version of the provider. True if the version is not known (`None`).
    ///
    /// ```
    /// use plantime_schema::catalogue::{Catalogue, Class};
    ///
    /// let facts = Catalogue::builtin(Class::B).facts("registry.terraform.io/hashicorp/aws", "aws_vpc");
    /// assert!(facts.iter().all(|fact| fact.holds_in(None)));
    /// ```
    pub fn holds_in(&self, version: Option<&str>) -> bool {
        match (self.since(), version) {
            (Some(since), Some(version)) => is_at_least(version, since),
            _ => true,
        }
    }

    /// Where it is stated: `catalogue: aws_vpc.id (class A)`, or file and line.
    ///
    /// [Example](Fact)
    pub fn origin(&self) -> &str {
        &self.origin
    }
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.path, self.class)?;
        if let Some(since) = &self.since {
            write!(f, " since:{since}")?;
        }
        if let Some(ty) = &self.ty {
            write!(f, " type:{}", ty.to_string().replace(' ', ""))?;
        }
        self.equals.iter().try_for_each(|name| write!(f, " equals:{name}"))?;
        self.contains.iter().try_for_each(|name| write!(f, " contains:{name}"))?;
        if !self.stated.is_empty() {
            write!(f, " {}", self.stated)?;
        }
        Ok(())
    }
}
