//! From a schema and a type to rules.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::error::{Error, Result};
use crate::path::{Path, Step};
use crate::rule::Rule;
use crate::rule::keywords::elements;
use crate::types::Type;
use crate::value::{ObjectView, Value, View};

use super::check::{self, object, too_deep, types};
use super::compiled::{Compiled, never, one, within};
use super::draft::Draft;
use super::fit::fit;
use super::keywords::{RULES, Shape, shape};
use super::survey::{Shared, Survey};
use super::{DEPTH, Dialect, Reading, Unsupported, arrays, choices, numbers, objects, strings};

/// Reads the schemas of one document.
pub(super) struct Compiler {
    /// The document, and what was found in it.
    pub(super) root: Value,
    pub(super) reading: Reading,
    /// The draft that the document names.
    pub(super) draft: Option<Draft>,
    /// Whether references may mean other places.
    pub(super) identities: bool,
    /// What the type makes unsupported.
    pub(super) unsupported: Vec<Unsupported>,
    /// How many schemas were read, each time it was.
    pub(super) steps: usize,
    pub(super) depth: usize,
    /// The references being followed, each with the type it is followed for.
    pub(super) following: Vec<(String, Type)>,
    /// What references lead to and was looked at.
    pub(super) checked: BTreeSet<String>,
    /// What is known of schemas that are read late: while the document is read, and afterwards.
    pub(super) survey: Survey,
    pub(super) surveyed: Shared,
}

/// One schema while it is read.
pub(super) struct Here<'s> {
    pub(super) keywords: ObjectView<'s>,
    pub(super) draft: Option<Draft>,
    pub(super) ty: &'s Type,
    pub(super) path: &'s Path,
}

impl<'s> Here<'s> {
    pub(super) fn get(&self, keyword: &str) -> Option<&'s Value> {
        self.keywords.get(keyword).filter(|_| self.draft.is_none_or(|draft| draft.has(keyword)))
    }

    pub(super) fn below(&self, keyword: &str) -> Path {
        self.path.clone().attr(keyword)
    }
}

impl Compiler {
    /// The same document from the start.
    pub(super) fn again(&self) -> Compiler {
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

    /// Counts what a schema is held against.
    pub(super) fn count(&mut self, steps: usize) -> Result<()> {
        if self.survey.is_on {
            // Each schema is looked at for several kinds.
            self.survey.steps = self.survey.steps.saturating_add(steps);
            return within(self.survey.steps / 8);
        }
        self.steps = self.steps.saturating_add(steps);
        within(self.steps)
    }

    /// The same schema for values of a kind: no deeper than the schema itself.
    pub(super) fn of_kind(&mut self, schema: &Value, ty: &Type, path: &Path) -> Result<Compiled> {
        self.count(1)?;
        self.any_schema(schema, ty, path)
    }

    /// Lists a keyword as unsupported here.
    pub(super) fn leave_out(&mut self, here: &Here<'_>, keyword: &str, why: &str, into: &mut Compiled) {
        into.exact = false;
        self.unsupported.push(Unsupported::new(here.below(keyword), keyword, why));
    }

    /// Compiles what a schema requires of values of a type.
    pub(super) fn schema(&mut self, schema: &Value, ty: &Type, path: &Path) -> Result<Compiled> {
        self.count(1)?;
        if self.depth >= DEPTH {
            return Err(too_deep().at(path.clone()));
        }
        self.depth = self.depth.saturating_add(1);
        let compiled = self.any_schema(schema, ty, path);
        self.depth = self.depth.saturating_sub(1);
        compiled
    }

    fn any_schema(&mut self, schema: &Value, ty: &Type, path: &Path) -> Result<Compiled> {
        let Some(keywords) = object(schema) else {
            return Ok(match schema.as_bool() {
                Ok(false) => Compiled::nothing(),
                _ => Compiled::anything(),
            });
        };
        let here = Here { keywords, draft: self.draft, ty, path };
        if here.get(RULES).is_some() {
            let mut all = self.own_rules(&here)?;
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
            // Listed when the document was checked.
            return Ok(Compiled { exact: false, ..Compiled::anything() });
        }
        if *ty == Type::Dynamic {
            return self.undecided(schema, path);
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

    /// Whether a schema names another draft than the document, or an unknown one.
    fn is_of_another_draft(&self, name: &Value) -> bool {
        let draft = name.as_str().ok().and_then(Draft::named);
        self.reading.dialect == Dialect::JsonSchema && (draft.is_none() || draft != self.draft)
    }

    /// Reads the extension key. Its rules replace all other keywords on the value itself; children have keys of
    /// their own.
    #[inline(never)]
    fn own_rules(&mut self, here: &Here<'_>) -> Result<Compiled> {
        let mut all = Compiled::anything();
        let null = Value::null(here.ty.clone());
        let forms = here.get(RULES).and_then(elements).unwrap_or_default();
        for (i, form) in forms.iter().enumerate() {
            let place = || here.below(RULES).index(i);
            let rule = match Rule::from_form(form) {
                Ok(rule) => rule,
                Err(error) if error.is_not_found() => {
                    self.leave_out(here, RULES, error.message(), &mut all);
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
                // A rule that looks around says nothing yet.
                Err(_) => all.exact = false,
            }
            all.rules.push(rule);
        }
        Ok(all)
    }

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
            match resolve(&self.root, text) {
                Some((target, path)) => return self.follow(text, &target, &path, here.ty),
                None => "it leads nowhere",
            }
        };
        self.leave_out(here, "$ref", why, &mut all);
        Ok(all)
    }

    fn follow(&mut self, text: &str, target: &Value, path: &Path, ty: &Type) -> Result<Compiled> {
        if self.checked.insert(text.to_owned()) {
            let mut found = check::Found { draft: self.draft, ..check::Found::default() };
            check::check(target, &mut path.clone(), &mut found)?;
            self.unsupported.extend(found.unsupported);
        }
        self.following.push((text.to_owned(), ty.clone()));
        let compiled = self.schema(target, ty, path);
        self.following.pop();
        compiled
    }
}

pub(super) fn says_nothing(keyword: &str) -> bool {
    matches!(shape(keyword), Some(Shape::Note))
        || matches!(keyword, "$id" | "$schema" | "$defs" | "definitions")
}

/// What a reference into the document leads to: `#/$defs/name`.
fn resolve(root: &Value, reference: &str) -> Option<(Value, Path)> {
    let fragment = unescaped(reference.strip_prefix('#')?)?;
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

/// Without the percent signs of a URI.
fn unescaped(fragment: &str) -> Option<String> {
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

/// `type`, `nullable`, `enum`, `const`.
#[inline(never)]
fn types_and_values(compiler: &mut Compiler, here: &Here<'_>) -> Result<Compiled> {
    let mut all = Compiled::anything();
    if let Some(names) = here.get("type").and_then(types) {
        let has = |name: &str| names.iter().any(|known| known == name);
        let nullable = here.get("nullable").is_some_and(|flag| flag.as_bool() == Ok(true));
        all.null = has("null") || nullable;
        match here.ty {
            Type::Number if has("number") => {}
            Type::Number if has("integer") => all.rules.push(Rule::MultipleOf(1.into())),
            ty if has(kind(ty)) => {}
            _ => all.rules.push(never()),
        }
    }
    let nulls = compiler.reading.nulls;
    let fits = |json: &Value| fit(json, here.ty, nulls).filter(|value| !value.is_null());
    if let Some(values) = here.get("enum").and_then(elements) {
        compiler.count(values.len())?;
        all.null &= values.iter().any(Value::is_null);
        let values: Vec<Value> = values.iter().filter_map(fits).collect();
        all.rules.push(if values.is_empty() { never() } else { Rule::OneOf(values) });
    }
    if let Some(value) = here.get("const") {
        all.null &= value.is_null();
        all.rules.push(fits(value).map_or_else(never, Rule::Equals));
    }
    Ok(all)
}

/// What JSON Schema calls values of the type.
pub(super) fn kind(ty: &Type) -> &'static str {
    match ty {
        Type::Bool => "boolean",
        Type::Number => "number",
        Type::String => "string",
        Type::List(_) | Type::Set(_) | Type::Tuple(_) => "array",
        Type::Map(_) | Type::Object(_) => "object",
        Type::Dynamic | Type::Capsule(_) => "",
    }
}

/// What does not hold, of values that are not null.
pub(super) fn negated(compiled: &Compiled) -> Result<Vec<Rule>> {
    Ok(if compiled.holds_always() {
        vec![never()]
    } else if compiled.never_holds() {
        Vec::new()
    } else {
        vec![Rule::not(one(compiled.rules.clone())?)?]
    })
}
