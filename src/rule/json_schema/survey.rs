//! Finds out, when a schema is imported, whether all keywords of its late schemas are supported.
//!
//! A late schema is compiled when the type of its value is known, during a check. What is unsupported in it must be
//! listed at import, so it is compiled there once for each kind of JSON that the value may turn out to be.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use crate::error::Result;
use crate::path::Path;
use crate::types::{ObjectType, Type};
use crate::value::{ObjectView, Value};

use super::check::{object, types};
use super::compile::{Compiler, Here, json_type};
use super::compiled::Compiled;
use super::{Unsupported, arrays, strings};

/// Which late schemas (those of values of undecided type) are fully supported: the state while the document is
/// compiled.
#[derive(Debug, Default)]
pub(super) struct Survey {
    /// For each schema, by its place, whether all of it is supported; `None` while it is being surveyed.
    seen: BTreeMap<String, Option<bool>>,
    /// Whether a schema was reached again while it was being surveyed, because it contains itself.
    has_cycle: bool,
    /// Whether a schema that contains itself counts as unsupported.
    pub(super) refuses_cycles: bool,
    /// Whether schemas are being compiled for the survey only.
    pub(super) is_on: bool,
    /// How many schemas were compiled for the survey.
    pub(super) steps: usize,
}

/// The result of a survey, which the rules that compile late schemas during a check share.
#[derive(Debug, Default)]
pub(super) struct Surveyed {
    /// For each late schema, by its JSON pointer, whether all of it is supported for every kind of JSON.
    exact: BTreeMap<String, bool>,
    /// The unsupported keywords that were listed at import.
    unsupported: BTreeSet<Unsupported>,
}

/// The survey result that all late schemas of a document share. Filled when the whole document has been surveyed.
pub(super) type Shared = std::sync::Arc<OnceLock<Surveyed>>;

impl Survey {
    /// Whether the document must be compiled again: a schema that contains itself was taken to be supported, although
    /// something in the document is not.
    pub(super) fn must_repeat(&self, unsupported: &[Unsupported]) -> bool {
        self.has_cycle && !self.refuses_cycles && !unsupported.is_empty()
    }

    /// Converts the survey to its result; `unsupported` are the keywords listed for the document.
    pub(super) fn finished(self, unsupported: &[Unsupported]) -> Surveyed {
        Surveyed {
            exact: self.seen.into_iter().map(|(place, exact)| (place, exact == Some(true))).collect(),
            unsupported: unsupported.iter().cloned().collect(),
        }
    }
}

impl Surveyed {
    /// Whether all of these unsupported keywords were listed at import.
    pub(super) fn lists(&self, left_out: &[Unsupported]) -> bool {
        left_out.iter().all(|left_out| self.unsupported.contains(left_out))
    }
}

impl Compiler {
    /// Whether all keywords of a schema are supported for values of every kind of JSON; adds those that are not to
    /// the unsupported list. `path` is its place in the document.
    #[inline(never)]
    pub(super) fn survey(&mut self, schema: &Value, path: &Path) -> Result<bool> {
        let place = super::pointer(path);
        if let Some(surveyed) = self.surveyed.get() {
            return Ok(surveyed.exact.get(&place).copied().unwrap_or(false));
        }
        match self.survey.seen.get(&place) {
            Some(Some(exact)) => return Ok(*exact),
            Some(None) => {
                self.survey.has_cycle = true;
                return Ok(!self.survey.refuses_cycles);
            }
            None => {}
        }
        self.survey.seen.insert(place.clone(), None);
        // A reference inside a child may name a schema around it without being a cycle: the value is smaller.
        let following = std::mem::take(&mut self.following);
        let was_on = std::mem::replace(&mut self.survey.is_on, true);
        let names = object(schema).and_then(|keywords| keywords.get("type").and_then(types));
        let mut exact = true;
        for ty in json_kinds() {
            let has = |name: &str| names.as_ref().is_none_or(|names| names.iter().any(|known| known == name));
            if has(json_type(&ty)) || ty == Type::Number && has("integer") {
                exact &= self.of_kind(schema, &ty, path)?.exact;
            }
        }
        self.survey.is_on = was_on;
        self.following = following;
        self.survey.seen.insert(place, Some(exact));
        Ok(exact)
    }

    /// Surveys the schemas of array elements and object properties, whose types are not known before a value is
    /// checked; makes `all` inexact if something in them is unsupported.
    #[inline(never)]
    pub(super) fn survey_parts(&mut self, here: &Here<'_>, all: &mut Compiled) -> Result<()> {
        match here.ty {
            Type::Tuple(_) => {
                let (keyword, first, rest) = arrays::schemas(here);
                for (i, schema) in first.iter().enumerate() {
                    self.survey_part(schema, &here.keyword_path(keyword).index(i), all)?;
                }
                let contains = here.get("contains").map(|schema| ("contains", schema));
                for (keyword, schema) in rest.into_iter().chain(contains) {
                    self.survey_part(schema, &here.keyword_path(keyword), all)?;
                }
            }
            Type::Object(_) => {
                for keyword in ["properties", "patternProperties"] {
                    let listed = here.get(keyword).and_then(object);
                    for (name, schema) in listed.iter().flat_map(ObjectView::iter) {
                        if keyword == "patternProperties" && strings::compiled(name).is_none() {
                            self.add_unsupported(here, keyword, strings::NO_PATTERN, all);
                        }
                        self.survey_part(schema, &here.keyword_path(keyword).attr(name), all)?;
                    }
                }
                if let Some(schema) = here.get("additionalProperties") {
                    self.survey_part(schema, &here.keyword_path("additionalProperties"), all)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Surveys the schema of one array element or object property; makes `all` inexact if something in it is
    /// unsupported.
    fn survey_part(&mut self, schema: &Value, path: &Path, all: &mut Compiled) -> Result<()> {
        all.exact &= self.schema(schema, &Type::Dynamic, path)?.exact;
        Ok(())
    }
}

/// A type for each kind of JSON except null and bool, which have no keywords of their own.
fn json_kinds() -> [Type; 4] {
    let nothing = ObjectType::new(std::iter::empty::<(&str, Type)>());
    let nothing = nothing.map_or(Type::Dynamic, Type::Object);
    [Type::Number, Type::String, Type::tuple([]).unwrap_or(Type::Dynamic), nothing]
}
