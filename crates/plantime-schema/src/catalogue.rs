//! Catalogues: facts about the values that providers choose, such as the form of an id.
//!
//! A plan says of a new `aws_vpc` only that its `id` is not known. A catalogue says what is known of every `id` of an
//! `aws_vpc`, so that rules can be decided before the apply. Such a fact is an assumption: a check shows its origin, and
//! it is among the obligations that are verified after the apply.
//!
//! # The text form
//!
//! The built-in catalogue and the packs of users have the same form.
//!
//! ```text
//! # A comment. A line without indentation names a resource type and its provider.
//! aws_vpc hashicorp/aws
//!   id                  A notnull(stringpattern("^vpc-(?:[0-9a-f]{8}|[0-9a-f]{17})$"))
//!   main_route_table_id B notnull(stringprefix("rtb-"))
//!
//! google_project_service hashicorp/google
//!   id                  A since:3.0.0 contains:service notnull(stringlengthmin(1))
//!
//! example_bucket registry.example.com/acme/example
//!   tags                B type:map(string) notnull()
//!   rule[*].id          B stringprefix("rule-")
//! ```
//!
//! A line such as `$id notnull(stringlengthmin(1))` names a refinement; facts below it may state `$id`.
//!
//! The lines below a resource type, indented, state facts: a path, a class, options, and what holds of the value there after a successful
//! apply.
//!
//! | part | meaning |
//! |---|---|
//! | path | as in [`PathExpr`]; `[*]` is every element |
//! | class | `A`: several independent sources agree; `B`: one documented source |
//! | `type:T` | the type of the value, for plans that are read without schemas; without spaces |
//! | `since:V` | holds from this version of the provider on; assumed where the version is not known |
//! | `equals:NAME` | the value is that of the attribute NAME of the same resource |
//! | `contains:NAME` | the value contains that of the attribute NAME |
//! | the rest | a [`Refinement`] in its text form; may be absent |
//!
//! A provider is `NAMESPACE/NAME` of the registries of Terraform and OpenTofu, or a full address.
//!
//! ```
//! use plantime_schema::catalogue::Catalogue;
//! use plantime::source::Source;
//!
//! let pack = "thing acme/example\n  id A notnull(stringprefix(\"t-\"))\n";
//! let catalogue = Catalogue::read(Source::new("example.facts", pack)).unwrap();
//! let facts = catalogue.facts("registry.terraform.io/acme/example", "thing");
//! assert_eq!(facts.len(), 1);
//! assert_eq!(facts[0].refinement().prefix_str(), Some("t-"));
//! assert_eq!(facts[0].origin(), "example.facts:2");
//! assert!(catalogue.facts("registry.terraform.io/other/example", "thing").is_empty());
//! ```

mod fact;
mod provider;
mod read;
mod table;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

#[cfg(doc)]
use plantime::Refinement;
#[cfg(doc)]
use plantime::rule::PathExpr;
use plantime::source::{Problem, Source};

pub use fact::{Class, Fact};
use provider::is_at_least;
pub(crate) use provider::is_same_provider;

/// Facts by resource type: the built-in ones, or those of a file.
///
/// Clone is O(1).
///
/// [Example](self#the-text-form)
#[derive(Clone)]
pub struct Catalogue(Contents);

/// Where the facts of a catalogue are.
#[derive(Clone)]
enum Contents {
    /// The text of the crate, whose lines are parsed when a type is looked up, and the lowest class that counts.
    Builtin(Class),
    /// A file that was read as a whole.
    Pack(Arc<Pack>),
}

/// For each resource type, the facts of each provider.
type FactsOfTypes = BTreeMap<String, Vec<(String, Vec<Fact>)>>;

/// The facts of a file.
#[derive(Debug)]
struct Pack {
    name: String,
    types: FactsOfTypes,
}

impl Catalogue {
    /// The built-in facts of the class `least` and better, about resources of AWS, Azure, Google Cloud and the utility
    /// providers of HashiCorp. Parses nothing: a lookup costs a binary search and the lines of one type.
    ///
    /// ```
    /// use plantime_schema::catalogue::{Catalogue, Class};
    ///
    /// let facts = Catalogue::builtin(Class::A).facts("registry.terraform.io/hashicorp/aws", "aws_vpc");
    /// let id = facts.iter().find(|fact| fact.path().to_string() == "id").unwrap();
    /// assert_eq!(id.origin(), "catalogue: aws_vpc.id (class A)");
    /// assert!(id.refinement().string_language().unwrap().prefix().starts_with("vpc-"));
    /// ```
    pub const fn builtin(least: Class) -> Catalogue {
        Catalogue(Contents::Builtin(least))
    }

    /// Reads a file of facts in the [text form](self).
    ///
    /// [Example](self#the-text-form)
    ///
    /// # Errors
    ///
    /// Every line that is not understood, at its position.
    pub fn read(source: Source) -> Result<Catalogue, Vec<Problem>> {
        let types = read::read_pack(&source)?;
        Ok(Catalogue(Contents::Pack(Arc::new(Pack { name: source.name().to_owned(), types }))))
    }

    /// The facts about a resource type of one provider. `provider` is the address of the provider, as `provider_name`
    /// in a plan; the registries of Terraform and OpenTofu count as one.
    ///
    /// [Example](self#the-text-form)
    pub fn facts(&self, provider: &str, type_name: &str) -> Vec<Fact> {
        let of_provider = |(stated, facts): (String, Vec<Fact>)| {
            if is_same_provider(&stated, provider) { facts } else { Vec::new() }
        };
        self.sections(type_name).into_iter().flat_map(of_provider).collect()
    }

    /// The facts about a resource type, for each provider that has a type of this name.
    ///
    /// ```
    /// use plantime_schema::catalogue::Catalogue;
    /// use plantime::source::Source;
    ///
    /// let pack = "thing acme/example\n  id A notnull(stringprefix(\"t-\"))\n";
    /// let catalogue = Catalogue::read(Source::new("example.facts", pack)).unwrap();
    /// assert_eq!(catalogue.types(), ["thing"]);
    /// let sections = catalogue.sections("thing");
    /// assert_eq!((sections.len(), sections[0].1.len()), (1, 1));
    /// ```
    pub fn sections(&self, type_name: &str) -> Vec<(String, Vec<Fact>)> {
        match &self.0 {
            Contents::Builtin(least) => table::section(type_name, *least).into_iter().collect(),
            Contents::Pack(pack) => pack.types.get(type_name).cloned().unwrap_or_default(),
        }
    }

    /// Whether the catalogue has facts, of any class, about some resource type of the provider with this address. Reads
    /// no facts, unlike [`facts`](Catalogue::facts).
    ///
    /// ```
    /// use plantime_schema::catalogue::Catalogue;
    /// use plantime::source::Source;
    ///
    /// let pack = "thing acme/example\n  id A notnull()\n";
    /// let catalogue = Catalogue::read(Source::new("example.facts", pack)).unwrap();
    /// assert!(catalogue.has_provider("registry.terraform.io/acme/example") && !catalogue.has_provider("acme/other"));
    /// ```
    pub fn has_provider(&self, provider: &str) -> bool {
        match &self.0 {
            Contents::Builtin(_) => table::providers().any(|stated| is_same_provider(stated, provider)),
            Contents::Pack(pack) => {
                let mut sections = pack.types.values().flatten();
                sections.any(|(stated, _)| is_same_provider(stated, provider))
            }
        }
    }

    /// The names of the resource types that have facts, sorted.
    ///
    /// [Example](Catalogue::sections)
    pub fn types(&self) -> Vec<String> {
        match &self.0 {
            Contents::Builtin(_) => table::types().map(str::to_owned).collect(),
            Contents::Pack(pack) => pack.types.keys().cloned().collect(),
        }
    }
}

impl fmt::Debug for Catalogue {
    /// The name alone: the facts are too many to be read.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Contents::Builtin(least) => write!(f, "Catalogue(builtin, class {least})"),
            Contents::Pack(pack) => write!(f, "Catalogue({})", pack.name),
        }
    }
}

#[cfg(test)]
mod tests;
