//! What would be left out of a schema whose type is decided late, by the value: looked at when the schema is read, once
//! for each kind of JSON that the value may turn out.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use crate::error::Result;
use crate::path::Path;
use crate::types::{ObjectType, Type};
use crate::value::{ObjectView, Value};

use super::check::{object, types};
use super::compile::{Compiler, Here, kind};
use super::compiled::Compiled;
use super::{Unsupported, arrays, strings};

/// Which schemas, read once their type is known, are supported.
#[derive(Debug, Default)]
pub(super) struct Survey {
    /// Whether all of a schema is supported, by its place; none while it is looked at.
    seen: BTreeMap<String, Option<bool>>,
    /// A schema was reached again while it was looked at.
    has_cycle: bool,
    /// Whether such a schema counts as supported: it does unless anything is left out in the document.
    pub(super) refuses_cycles: bool,
    /// Whether a schema is looked at now.
    pub(super) is_on: bool,
    /// How many schemas were looked at, each time one was.
    pub(super) steps: usize,
}

/// What a survey found, for the functions that read their schemas late.
#[derive(Debug, Default)]
pub(super) struct Surveyed {
    exact: BTreeMap<String, bool>,
    unsupported: BTreeSet<Unsupported>,
}

/// The same for all functions of a document; filled when all of it has been looked at.
pub(super) type Shared = std::sync::Arc<OnceLock<Surveyed>>;

impl Survey {
    /// Whether a cycle was taken for supported though something is left out: then the document is read again.
    pub(super) fn was_too_hopeful(&self, unsupported: &[Unsupported]) -> bool {
        self.has_cycle && !self.refuses_cycles && !unsupported.is_empty()
    }

    pub(super) fn finished(self, unsupported: &[Unsupported]) -> Surveyed {
        Surveyed {
            exact: self.seen.into_iter().map(|(place, exact)| (place, exact == Some(true))).collect(),
            unsupported: unsupported.iter().cloned().collect(),
        }
    }
}

impl Surveyed {
    /// Whether all of these were listed when the schema was read.
    pub(super) fn lists(&self, left_out: &[Unsupported]) -> bool {
        left_out.iter().all(|left_out| self.unsupported.contains(left_out))
    }
}

impl Compiler {
    /// Whether all keywords of a schema are supported for values of any kind; lists those that are not.
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
        // Below a part a reference leads on, not back.
        let following = std::mem::take(&mut self.following);
        let was_on = std::mem::replace(&mut self.survey.is_on, true);
        let names = object(schema).and_then(|keywords| keywords.get("type").and_then(types));
        let mut exact = true;
        for ty in kinds() {
            let has = |name: &str| names.as_ref().is_none_or(|names| names.iter().any(|known| known == name));
            if has(kind(&ty)) || ty == Type::Number && has("integer") {
                exact &= self.of_kind(schema, &ty, path)?.exact;
            }
        }
        self.survey.is_on = was_on;
        self.following = following;
        self.survey.seen.insert(place, Some(exact));
        Ok(exact)
    }

    /// Surveys the schemas of array elements and object properties, whose types are not known before a value is checked.
    #[inline(never)]
    pub(super) fn survey_parts(&mut self, here: &Here<'_>, all: &mut Compiled) -> Result<()> {
        match here.ty {
            Type::Tuple(_) => {
                let (keyword, first, rest) = arrays::schemas(here);
                for (i, schema) in first.iter().enumerate() {
                    self.survey_part(schema, &here.below(keyword).index(i), all)?;
                }
                let contains = here.get("contains").map(|schema| ("contains", schema));
                for (keyword, schema) in rest.into_iter().chain(contains) {
                    self.survey_part(schema, &here.below(keyword), all)?;
                }
            }
            Type::Object(_) => {
                for keyword in ["properties", "patternProperties"] {
                    let listed = here.get(keyword).and_then(object);
                    for (name, schema) in listed.iter().flat_map(ObjectView::iter) {
                        if keyword == "patternProperties" && strings::compiled(name).is_none() {
                            self.leave_out(here, keyword, strings::NO_PATTERN, all);
                        }
                        self.survey_part(schema, &here.below(keyword).attr(name), all)?;
                    }
                }
                if let Some(schema) = here.get("additionalProperties") {
                    self.survey_part(schema, &here.below("additionalProperties"), all)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn survey_part(&mut self, schema: &Value, path: &Path, all: &mut Compiled) -> Result<()> {
        all.exact &= self.schema(schema, &Type::Dynamic, path)?.exact;
        Ok(())
    }
}

/// A type of each kind of JSON but null and bool, of which no keyword of its own speaks.
fn kinds() -> [Type; 4] {
    let nothing = ObjectType::new(std::iter::empty::<(&str, Type)>());
    let nothing = nothing.map_or(Type::Dynamic, Type::Object);
    [Type::Number, Type::String, Type::tuple([]).unwrap_or(Type::Dynamic), nothing]
}
