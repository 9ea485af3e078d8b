//! Compiles the keywords for objects and maps.

use std::collections::BTreeSet;

use crate::error::Result;
use crate::path::Path;
use crate::rule::{ExprStep, PathExpr, Pattern, Rule};
use crate::types::{ObjectType, Type};
use crate::value::{ObjectView, Value};

use super::arrays::{every_element, require_at};
use super::check::{object, string_list};
use super::compile::{Compiler, Here};
use super::compiled::{Compiled, never};
use super::keywords::RULES;
use super::numbers::{self, count};
use super::{Nulls, strings};

/// Compiles all keywords for objects and maps, and adds the rules to `all`.
pub(super) fn read(compiler: &mut Compiler, here: &Here<'_>, all: &mut Compiled) -> Result<()> {
    match here.ty {
        Type::Object(ty) => {
            object_size(compiler, here, ty, all)?;
            property_names(compiler, here, ty, all)?;
        }
        _ => {
            numbers::lengths(here, "minProperties", "maxProperties", all);
            map_keys(compiler, here, all)?;
        }
    }
    parts(compiler, here, all)?;
    dependencies(compiler, here, all)
}

/// Whether the object type has an attribute of this name, compared in normalization form C.
fn has(ty: &ObjectType, name: &str) -> bool {
    ty.get(&crate::text::nfc(name)).is_some()
}

/// The rule that the property `name` is present in values of the type `ty`: not null in an object, a key in a map.
fn present(compiler: &Compiler, ty: &Type, name: &str) -> Result<Rule> {
    match (ty, compiler.reading.nulls) {
        (Type::Object(ty), _) if !has(ty, name) => Ok(never()),
        (Type::Object(_), Nulls::AreValues) => Rule::all([]),
        (Type::Object(_), Nulls::AreAbsent) => {
            Rule::at(PathExpr::from_steps([ExprStep::Attr(name.to_owned())])?, Rule::NotNull)
        }
        _ => Ok(Rule::has_key(name.to_owned())),
    }
}

/// Removes the rules that always hold (`all` without rules).
fn without_trivial(rules: Vec<Rule>) -> impl Iterator<Item = Rule> {
    rules.into_iter().filter(|rule| !matches!(rule, Rule::All(rules) if rules.is_empty()))
}

/// Compiles `properties`, `patternProperties`, `additionalProperties` and `required`, and adds the rules to `all`.
#[inline(never)]
pub(super) fn parts(compiler: &mut Compiler, here: &Here<'_>, all: &mut Compiled) -> Result<()> {
    let listed = here.get("properties").and_then(object);
    let required: BTreeSet<String> =
        here.get("required").and_then(string_list).unwrap_or_default().into_iter().collect();
    for name in &required {
        // If a required attribute has a schema, that one says whether it may be null.
        let own = listed.is_some_and(|listed| listed.get(&crate::text::nfc(name)).is_some());
        let there = !matches!(here.ty, Type::Object(ty) if !has(ty, name));
        let by_itself =
            own && there && compiler.reading.nulls == Nulls::AreAbsent && here.ty.element_type().is_none();
        if !by_itself && here.get(RULES).is_none() {
            all.rules.extend(without_trivial(vec![present(compiler, here.ty, name)?]));
        }
    }
    let patterns: Vec<PatternProperty<'_>> = (here.get("patternProperties").and_then(object).iter())
        .flat_map(ObjectView::iter)
        .map(|(text, schema)| PatternProperty { pattern: strings::compiled(text), text, schema })
        .collect();
    match here.ty {
        Type::Object(ty) => {
            compiler.count(ty.len().saturating_mul(patterns.len()))?;
            for (name, ty) in ty.iter() {
                let required = required.contains(name);
                attribute(compiler, here, (name, ty, required), listed, &patterns, all)?;
            }
        }
        Type::Map(map) => {
            let ty = map.element();
            for (key, schema) in listed.iter().flat_map(ObjectView::iter) {
                let part = compiler.schema(schema, ty, &here.keyword_path("properties").attr(key))?;
                let mut there = Compiled::anything();
                require_at(&mut there, &part, ty, ExprStep::Key(key.to_owned()))?;
                all.exact &= part.exact;
                for rule in there.rules {
                    let missing = Rule::not(Rule::has_key(key.to_owned()))?;
                    let may_miss = !part.null && !required.contains(key);
                    all.rules.push(if may_miss { Rule::any([missing, rule])? } else { rule });
                }
            }
            let only_some = listed.is_some_and(|listed| !listed.is_empty());
            if !patterns.is_empty() {
                compiler.add_unsupported(here, "patternProperties", "keys of a map are not looked at", all);
            } else if let Some(schema) = here.get("additionalProperties") {
                if only_some && schema.as_bool() != Ok(true) {
                    let why = "only some elements of a map are meant";
                    compiler.add_unsupported(here, "additionalProperties", why, all);
                } else if !only_some {
                    every_element(compiler, here, "additionalProperties", schema, ty, all)?;
                }
            }
        }
        _ => {}
    }
    Ok(())
}

/// One entry of `patternProperties`: a regular expression on property names, and the schema of the properties that
/// match it.
struct PatternProperty<'s> {
    /// The expression translated to RE2 syntax; `None` if it cannot be translated.
    pattern: Option<Pattern>,
    /// The expression as the document writes it.
    text: &'s str,
    schema: &'s Value,
}

/// Compiles the schemas that apply to one attribute: by its name, by patterns on names, or as an additional property.
/// `required`: the attribute is listed in the keyword `required`.
#[inline(never)]
fn attribute(
    compiler: &mut Compiler,
    here: &Here<'_>,
    (name, ty, required): (&str, &Type, bool),
    listed: Option<ObjectView<'_>>,
    patterns: &[PatternProperty<'_>],
    all: &mut Compiled,
) -> Result<()> {
    let mut found: Vec<(&Value, Path)> = Vec::new();
    if let Some(schema) = listed.and_then(|listed| listed.get(name)) {
        found.push((schema, here.keyword_path("properties").attr(name)));
    }
    let mut unclear = false;
    for PatternProperty { pattern, text, schema } in patterns {
        match pattern {
            Some(pattern) if pattern.is_match(name) => {
                found.push((schema, here.keyword_path("patternProperties").attr(text)));
            }
            Some(_) => {}
            None => {
                unclear = true;
                compiler.add_unsupported(here, "patternProperties", strings::NO_PATTERN, all);
            }
        }
    }
    if found.is_empty()
        && !unclear
        && let Some(schema) = here.get("additionalProperties")
    {
        found.push((schema, here.keyword_path("additionalProperties")));
    }
    for (schema, path) in found {
        let mut part = compiler.schema(schema, ty, &path)?;
        // A null attribute is an absent property, which is allowed unless it is required.
        part.null |= compiler.reading.nulls == Nulls::AreAbsent && !required;
        require_at(all, &part, ty, ExprStep::Attr(name.to_owned()))?;
    }
    Ok(())
}

/// Compiles `minProperties` and `maxProperties` for an object: where null means absent, they bound the number of
/// attributes that are not null.
#[inline(never)]
fn object_size(compiler: &mut Compiler, here: &Here<'_>, ty: &ObjectType, all: &mut Compiled) -> Result<()> {
    if compiler.reading.nulls == Nulls::AreValues {
        numbers::lengths(here, "minProperties", "maxProperties", all);
        return Ok(());
    }
    if compiler.survey.is_on {
        // How many attributes the type has is not known yet.
        for keyword in ["minProperties", "maxProperties"] {
            if count(here, keyword).is_some_and(|count| count > 1) {
                let why = "attributes that are not null are not counted";
                compiler.add_unsupported(here, keyword, why, all);
            }
        }
        return Ok(());
    }
    let size = ty.len() as u64;
    let names: Vec<PathExpr> = ty
        .attribute_names()
        .map(|name| PathExpr::from_steps([ExprStep::Attr(name.to_owned())]))
        .collect::<Result<_>>()?;
    let each = |rule: &Rule| {
        names.iter().map(|path| Rule::at(path.clone(), rule.clone())).collect::<Result<Vec<Rule>>>()
    };
    let (least, most) = (count(here, "minProperties").unwrap_or(0), count(here, "maxProperties"));
    match least {
        0 => {}
        least if least > size => all.rules.push(never()),
        least if least == size => all.rules.extend(each(&Rule::NotNull)?),
        1 if most == Some(1) => {
            all.rules.push(Rule::exactly_one_of(names));
            return Ok(());
        }
        1 => all.rules.push(Rule::at_least_one_of(names.clone())),
        _ => compiler.add_unsupported(
            here,
            "minProperties",
            "attributes that are not null are not counted",
            all,
        ),
    }
    match most {
        Some(0) => all.rules.extend(each(&Rule::IsNull)?),
        Some(1) if size > 1 => all.rules.push(Rule::conflicting(names)),
        Some(most) if most < size => {
            compiler.add_unsupported(
                here,
                "maxProperties",
                "attributes that are not null are not counted",
                all,
            );
        }
        _ => {}
    }
    Ok(())
}

/// Compiles `propertyNames` for an object type: each attribute whose name the schema refuses must be absent.
#[inline(never)]
fn property_names(
    compiler: &mut Compiler,
    here: &Here<'_>,
    ty: &ObjectType,
    all: &mut Compiled,
) -> Result<()> {
    let Some(schema) = here.get("propertyNames") else { return Ok(()) };
    let allowed = compiler.schema(schema, &Type::String, &here.keyword_path("propertyNames"))?;
    all.exact &= allowed.exact;
    let rule = allowed.not_null()?;
    for name in ty.attribute_names() {
        if rule.check_value(&Value::from(name)).is_ok_and(|outcome| outcome.is_fail()) {
            all.rules.push(match compiler.reading.nulls {
                Nulls::AreValues => never(),
                Nulls::AreAbsent => {
                    Rule::at(PathExpr::from_steps([ExprStep::Attr(name.to_owned())])?, Rule::IsNull)?
                }
            });
        }
    }
    Ok(())
}

/// Compiles `propertyNames` for a map: a rule on each key.
#[inline(never)]
fn map_keys(compiler: &mut Compiler, here: &Here<'_>, all: &mut Compiled) -> Result<()> {
    let Some(schema) = here.get("propertyNames") else { return Ok(()) };
    let allowed = compiler.schema(schema, &Type::String, &here.keyword_path("propertyNames"))?;
    all.exact &= allowed.exact;
    if !allowed.holds_always() {
        all.rules.push(Rule::keys(allowed.not_null()?)?);
    }
    Ok(())
}

/// Compiles `dependentRequired`, `dependentSchemas` and `dependencies`: if a property is present, others must be
/// present, or a schema must hold.
#[inline(never)]
fn dependencies(compiler: &mut Compiler, here: &Here<'_>, all: &mut Compiled) -> Result<()> {
    for keyword in ["dependentRequired", "dependentSchemas", "dependencies"] {
        for (name, asked) in here.get(keyword).and_then(object).iter().flat_map(ObjectView::iter) {
            let rules = match string_list(asked) {
                Some(names) => {
                    let rules = names.iter().map(|name| present(compiler, here.ty, name));
                    without_trivial(rules.collect::<Result<_>>()?).collect()
                }
                None => {
                    let part = compiler.schema(asked, here.ty, &here.keyword_path(keyword).attr(name))?;
                    all.exact &= part.exact;
                    part.rules
                }
            };
            if rules.is_empty() {
                continue;
            }
            let condition = present(compiler, here.ty, name)?;
            match &condition {
                Rule::Any(none) if none.is_empty() => {}
                Rule::All(none) if none.is_empty() => all.rules.extend(rules),
                _ => all.rules.push(Rule::implies(condition, super::compiled::conjunction(rules)?)?),
            }
        }
    }
    Ok(())
}
