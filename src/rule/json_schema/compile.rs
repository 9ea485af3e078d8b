//! Compiles a schema to rules, for values of one type.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::error::{Error, Result};
use crate::path::{Path, Step};
use crate::rule::Rule;
use crate::rule::keywords::elements;
use crate::types::Type;
use crate::value::{ObjectView, Value, View};

use super::check::{self, object, too_deep, types};
use super::compiled::{Compiled, check_rule_count, conjunction, never};
use super::draft::Draft;
use super::keywords::{RULES, Shape, shape};
use super::survey::{Shared, Survey};
use super::values::JsonValues;
use super::{DEPTH, Dialect, Reading, Unsupported, arrays, choices, numbers, objects, strings};

/// Compiles the schemas of one document to rules, with the state and limits of that work.
pub(super) struct Compiler {
    /// The document.
    pub(super) root: Value,
    /// The options of the caller.
    pub(super) reading: Reading,
    /// The draft that the document names.
    pub(super) draft: Option<Draft>,
    /// Whether a nested schema has an `$id`, so that a reference below it may mean another place. Then no reference
    /// is followed.
    pub(super) identities: bool,
    /// The keywords that were found unsupported so far.
    pub(super) unsupported: Vec<Unsupported>,
    /// The number of schemas compiled so far; one that is compiled twice counts twice.
    pub(super) steps: usize,
    /// The number of schemas that contain the current one.
    pub(super) depth: usize,
    /// The references that are being followed, each with the type that it is followed for. Finds cycles.
    pub(super) following: Vec<(String, Type)>,
    /// The references whose targets have been checked, so that each is checked once.
    pub(super) checked: BTreeSet<String>,
    /// The survey of the document that is running: which schemas of undecided type are fully supported.
    pub(super) survey: Survey,
    /// The result of the survey; empty until the whole document has been compiled.
    pub(super) surveyed: Shared,
}

/// The schema that is being compiled, with its place in the document and the type of its values.
pub(super) struct Here<'s> {
    /// Its keywords.
    pub(super) keywords: ObjectView<'s>,
    pub(super) draft: Option<Draft>,
    /// The type of the values.
    pub(super) ty: &'s Type,
    /// Its place in the document.
    pub(super) path: &'s Path,
}

impl<'s> Here<'s> {
    /// The value of a keyword, if the draft of the document has the keyword.
    pub(super) fn get(&self, keyword: &str) -> Option<&'s Value> {
        self.keywords.get(keyword).filter(|_| self.draft.is_none_or(|draft| draft.has(keyword)))
    }

    /// The place of a keyword in the document.
    pub(super) fn keyword_path(&self, keyword: &str) -> Path {
        self.path.clone().attr(keyword)
    }
}

impl Compiler {
    /// A compiler for the same document with empty counters and lists; it shares the result of the survey.
    pub(super) fn restarted(&self) -> Compiler {
        Compiler {
            root: self.root.clone(),
            reading: self.reading,
            draft: self.draft,
            identities: self.identities,
            unsupported: Vec::new(),
            steps: 0,
            depth: 0,
            following: Vec::new(),
            checked: BTreeSet::new(),
            survey: Survey::default(),
            surveyed: Arc::clone(&self.surveyed),
        }
    }

    /// Adds to the number of compiled schemas. Fails above the limit, so that no document makes compilation
    /// expensive.
    pub(super) fn count(&mut self, steps: usize) -> Result<()> {
        if self.survey.is_on {
            // A survey compiles each schema for several kinds of JSON, so it may take eight times the work.
            self.survey.steps = self.survey.steps.saturating_add(steps);
            return check_rule_count(self.survey.steps / 8);
        }
        self.steps = self.steps.saturating_add(steps);
        check_rule_count(self.steps)
    }

    /// Compiles the same schema for another type, without counting it as nested deeper.
    pub(super) fn of_kind(&mut self, schema: &Value, ty: &Type, path: &Path) -> Result<Compiled> {
        self.count(1)?;
        self.compile_keywords(schema, ty, path)
    }

    /// Lists a keyword as unsupported for the reason `why`, and marks the compiled schema `into` as inexact.
    pub(super) fn add_unsupported(&mut self, here: &Here<'_>, keyword: &str, why: &str, into: &mut Compiled) {
        into.exact = false;
        self.unsupported.push(Unsupported::new(here.keyword_path(keyword), keyword, why));
    }

    /// Compiles a schema to the rules that it means for values of the type `ty`. `path` is the place of the schema in
    /// the document. Fails where schemas nest too deep or too many are compiled.
    pub(super) fn schema(&mut self, schema: &Value, ty: &Type, path: &Path) -> Result<Compiled> {
        self.count(1)?;
        if self.depth >= DEPTH {
            return Err(too_deep().at(path.clone()));
        }
        self.depth = self.depth.saturating_add(1);
        let compiled = self.compile_keywords(schema, ty, path);
        self.depth = self.depth.saturating_sub(1);
        compiled
    }

    /// As `schema`, without checking the depth.
    fn compile_keywords(&mut self, schema: &Value, ty: &Type, path: &Path) -> Result<Compiled> {
        let Some(keywords) = object(schema) else {
            return Ok(match schema.as_bool() {
                Ok(false) => Compiled::nothing(),
                _ => Compiled::anything(),
            });
        };
        let here = Here { keywords, draft: self.draft, ty, path };
        if here.get(RULES).is_some() {
            let mut all = self.extension_rules(&here)?;
            match ty {
                Type::List(_) | Type::Set(_) | Type::Tuple(_) => arrays::items(self, &here, &mut all)?,
                Type::Map(_) | Type::Object(_) => objects::parts(self, &here, &mut all)?,
                _ => {}
            }
            if self.survey.is_on {
                self.survey_parts(&here, &mut all)?;
            }
            return Ok(all);
        }
        let alone = self.reading.dialect != Dialect::JsonSchema
            || self.draft.is_some_and(Draft::reference_stands_alone);
        if here.get("$ref").is_some() && alone {
            return self.reference(&here);
        }
        if here.get("$schema").is_some_and(|name| self.is_of_another_draft(name)) {
            // `check` has listed it as unsupported.
            return Ok(Compiled { exact: false, ..Compiled::anything() });
        }
        if *ty == Type::Dynamic {
            return self.compile_late(schema, path);
        }
        let mut all = types_and_values(self, &here)?;
        if here.get("$ref").is_some() {
            all.and(self.reference(&here)?);
        }
        choices::read(self, &here, &mut all)?;
        match ty {
            Type::String => strings::read(self, &here, &mut all)?,
            Type::Number => numbers::read(self, &here, &mut all)?,
            Type::List(_) | Type::Set(_) | Type::Tuple(_) => arrays::read(self, &here, &mut all)?,
            Type::Map(_) | Type::Object(_) => objects::read(self, &here, &mut all)?,
            Type::Capsule(_) => return Err(crate::types::json::not_allowed(ty).at(path.clone())),
            Type::Bool | Type::Dynamic => {}
        }
        if self.survey.is_on {
            self.survey_parts(&here, &mut all)?;
        }
        let strange = keywords.iter().any(|(name, _)| match shape(name) {
            None => !name.starts_with("x-"),
            Some(Shape::Note) => false,
            Some(_) => self.draft.is_some_and(|draft| !draft.has(name)),
        });
        all.exact &= !strange;
        Ok(all)
    }

    /// Whether the value of `$schema` names another draft than that of the document, or an unknown one.
    fn is_of_another_draft(&self, name: &Value) -> bool {
        let draft = name.as_str().ok().and_then(Draft::named);
        self.reading.dialect == Dialect::JsonSchema && (draft.is_none() || draft != self.draft)
    }

    /// Compiles the rules in the key `x-plantime-rules`. They replace all other keywords on the value itself; the
    /// schemas of elements and attributes have keys of their own.
    #[inline(never)]
    fn extension_rules(&mut self, here: &Here<'_>) -> Result<Compiled> {
        let mut all = Compiled::anything();
        let null = Value::null(here.ty.clone());
        let forms = here.get(RULES).and_then(elements).unwrap_or_default();
        for (i, form) in forms.iter().enumerate() {
            let place = || here.keyword_path(RULES).index(i);
            let rule = match Rule::from_form(form) {
                Ok(rule) => rule,
                Err(error) if error.is_not_found() => {
                    self.add_unsupported(here, RULES, error.message(), &mut all);
                    continue;
                }
                Err(error) => {
                    let path = place().join(error.path());
                    return Err(error.at(path));
                }
            };
            rule.check_type(here.ty).map_err(|misuse| Error::from(misuse).at(place()))?;
            match rule.check_value(&null) {
                Ok(outcome) => all.null &= outcome.is_pass(),
                // A rule that reads other values cannot be checked on a null alone.
                Err(_) => all.exact = false,
            }
            all.rules.push(rule);
        }
        Ok(all)
    }

    /// Compiles the schema that `$ref` refers to; lists the reference as unsupported if it leads out of the document,
    /// nowhere, or back to itself.
    #[inline(never)]
    fn reference(&mut self, here: &Here<'_>) -> Result<Compiled> {
        let mut all = Compiled::anything();
        let text = here.get("$ref").and_then(|text| text.as_str().ok()).unwrap_or_default();
        let why = if self.identities {
            "schemas inside have identities of their own"
        } else if !text.starts_with('#') {
            "it leads out of the document"
        } else if self.following.iter().any(|(target, ty)| target == text && ty == here.ty) {
            "it leads back to itself"
        } else {
            match reference_target(&self.root, text) {
                Some((target, path)) => return self.follow(text, &target, &path, here.ty),
                None => "it leads nowhere",
            }
        };
        self.add_unsupported(here, "$ref", why, &mut all);
        Ok(all)
    }

    /// Checks the target of a reference at its first use, and compiles it for values of the type `ty`. `text` is the
    /// reference, `path` the place of the target.
    fn follow(&mut self, text: &str, target: &Value, path: &Path, ty: &Type) -> Result<Compiled> {
        if self.checked.insert(text.to_owned()) {
            let mut found = check::CheckReport { draft: self.draft, ..check::CheckReport::default() };
            check::check(target, &mut path.clone(), &mut found)?;
            self.unsupported.extend(found.unsupported);
        }
        self.following.push((text.to_owned(), ty.clone()));
        let compiled = self.schema(target, ty, path);
        self.following.pop();
        compiled
    }
}

/// Whether a keyword by itself constrains no values, such as `title` or `$defs`.
pub(super) fn says_nothing(keyword: &str) -> bool {
    matches!(shape(keyword), Some(Shape::Note))
        || matches!(keyword, "$id" | "$schema" | "$defs" | "definitions")
}

/// The schema that a reference into the document such as `#/$defs/name` refers to, and its place; `None` if there is
/// nothing.
fn reference_target(root: &Value, reference: &str) -> Option<(Value, Path)> {
    let fragment = percent_decoded(reference.strip_prefix('#')?)?;
    let (mut here, mut path) = (root.clone(), Path::new());
    if fragment.is_empty() {
        return Some((here, path));
    }
    for token in fragment.strip_prefix('/')?.split('/') {
        let token = token.replace("~1", "/").replace("~0", "~");
        let next = match here.view() {
            View::Object(object) => {
                path.push(Step::attr(&token));
                object.get(&crate::text::nfc(&token)).cloned()?
            }
            View::Tuple(items) => {
                let index = token.parse::<usize>().ok()?;
                path.push(Step::index(index));
                items.get(index).cloned()?
            }
            _ => return None,
        };
        here = next;
    }
    Some((here, path))
}

/// Decodes the percent escapes of a URI fragment; `None` if an escape is malformed or the result is not UTF-8.
fn percent_decoded(fragment: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let mut digit = || char::from(rest.next()?).to_digit(16);
                let (high, low) = (digit()?, digit()?);
                u8::try_from(high.checked_mul(16)?.checked_add(low)?).ok()?
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

/// Compiles `type`, `nullable`, `enum` and `const` for values of the type of `here`.
#[inline(never)]
fn types_and_values(compiler: &mut Compiler, here: &Here<'_>) -> Result<Compiled> {
    let mut all = Compiled::anything();
    if let Some(names) = here.get("type").and_then(types) {
        let has = |name: &str| names.iter().any(|known| known == name);
        let nullable = here.get("nullable").is_some_and(|flag| flag.as_bool() == Ok(true));
        all.null = has("null") || nullable;
        match here.ty {
            Type::Number if has("number") => {}
            Type::Number if has("integer") => all.rules.push(Rule::multiple_of(1)),
            ty if has(json_type(ty)) => {}
            _ => all.rules.push(never()),
        }
    }
    let listed = here.get("enum").and_then(elements).map(|values| ("enum", values));
    let only = here.get("const").map(|value| ("const", vec![value.clone()]));
    for (keyword, values) in listed.into_iter().chain(only) {
        compiler.count(values.len())?;
        all.null &= values.iter().any(Value::is_null);
        let path = here.keyword_path(keyword);
        let listed = JsonValues { values, is_const: keyword == "const", nulls: compiler.reading.nulls };
        all.rules.push(listed.rule(here.ty, &path));
    }
    Ok(all)
}

/// The name that JSON Schema has for values of the type; empty if it has none.
pub(super) fn json_type(ty: &Type) -> &'static str {
    match ty {
        Type::Bool => "boolean",
        Type::Number => "number",
        Type::String => "string",
        Type::List(_) | Type::Set(_) | Type::Tuple(_) => "array",
        Type::Map(_) | Type::Object(_) => "object",
        Type::Dynamic | Type::Capsule(_) => "",
    }
}

/// The rules that hold for exactly the values other than null that do not satisfy the compiled schema.
pub(super) fn negated(compiled: &Compiled) -> Result<Vec<Rule>> {
    Ok(if compiled.holds_always() {
        vec![never()]
    } else if compiled.never_holds() {
        Vec::new()
    } else {
        vec![Rule::not(conjunction(compiled.rules.clone())?)?]
    })
}
