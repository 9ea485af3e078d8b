//! Compiles the keywords for arrays, on lists, sets and tuples.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::error::Result;
use crate::rule::keywords::elements;
use crate::rule::{ExprStep, PathExpr, Rule, ValueRule};
use crate::types::{TupleType, Type};
use crate::value::Value;

use super::compile::{Compiler, Here, negated};
use super::compiled::{Compiled, check_rule_count, conjunction, never, rule_count};
use super::numbers::{self, count};

/// Compiles all keywords for arrays, and adds the rules to `all`.
pub(super) fn read(compiler: &mut Compiler, here: &Here<'_>, all: &mut Compiled) -> Result<()> {
    let before = all.rules.len();
    numbers::lengths(here, "minItems", "maxItems", all);
    if let Type::Tuple(_) = here.ty {
        // The length of a tuple is part of its type, so rules that always hold are dropped.
        let kept = all.rules.split_off(before).into_iter().filter(|rule| !holds_always(rule, here.ty));
        all.rules.extend(kept.collect::<Vec<Rule>>());
    }
    let unique = here.get("uniqueItems").is_some_and(|flag| flag.as_bool() == Ok(true));
    if unique && !matches!(here.ty, Type::Set(_)) {
        all.rules.push(Rule::unique());
    }
    items(compiler, here, all)?;
    if here.get("contains").is_some() {
        compile_contains(compiler, here, all)?;
    }
    Ok(())
}

/// Whether the rule passes for every value of the type.
fn holds_always(rule: &Rule, ty: &Type) -> bool {
    rule.check_value(&Value::unknown(ty.clone())).is_ok_and(|outcome| outcome.is_pass())
}

/// The schemas of the leading elements with their keyword (`prefixItems`, or a list in `items`), and the schema of
/// all later elements with its keyword; `None` if there is no schema for those.
pub(super) fn schemas<'s>(here: &Here<'s>) -> (&'static str, Vec<Value>, Option<(&'static str, &'s Value)>) {
    if let Some(first) = here.get("prefixItems").and_then(elements) {
        return ("prefixItems", first, here.get("items").map(|rest| ("items", rest)));
    }
    match here.get("items") {
        Some(items) => match elements(items) {
            Some(first) => {
                ("items", first, here.get("additionalItems").map(|rest| ("additionalItems", rest)))
            }
            None => ("items", Vec::new(), Some(("items", items))),
        },
        None => ("items", Vec::new(), None),
    }
}

/// Compiles the schemas of elements (`items`, `prefixItems`, `additionalItems`), and adds the rules to `all`.
#[inline(never)]
pub(super) fn items(compiler: &mut Compiler, here: &Here<'_>, all: &mut Compiled) -> Result<()> {
    let (keyword, first, rest) = schemas(here);
    match here.ty {
        Type::Tuple(ty) => {
            for (i, (ty, schema)) in ty.iter().zip(&first).enumerate() {
                let part = compiler.schema(schema, ty, &here.keyword_path(keyword).index(i))?;
                require_at(all, &part, ty, ExprStep::Index(i as u64))?;
            }
            if let Some((keyword, schema)) = rest {
                remaining_elements(compiler, here, (keyword, schema), (first.len(), ty), all)?;
            }
        }
        Type::List(list) => {
            let ty = list.element();
            for (i, schema) in first.iter().enumerate() {
                let part = compiler.schema(schema, ty, &here.keyword_path(keyword).index(i))?;
                // A missing element has no constraint to satisfy.
                let mut there = Compiled { rules: Vec::new(), ..part };
                require_at(&mut there, &part, ty, ExprStep::Index(i as u64))?;
                all.exact &= part.exact;
                for rule in there.rules {
                    all.rules.push(Rule::any([Rule::max_len(i as u64), rule])?);
                }
            }
            match rest {
                Some((keyword, _)) if !first.is_empty() => {
                    compiler.add_unsupported(here, keyword, "only some elements of a list are meant", all);
                }
                Some((keyword, schema)) => every_element(compiler, here, keyword, schema, ty, all)?,
                None => {}
            }
        }
        ty => {
            if !first.is_empty() {
                compiler.add_unsupported(here, keyword, "members of a set have no place", all);
            } else if let (Some((keyword, schema)), Some(ty)) = (rest, ty.element_type()) {
                every_element(compiler, here, keyword, schema, ty, all)?;
            }
        }
    }
    Ok(())
}

/// Compiles the schema of the tuple elements from index `first` on. It is compiled once for each distinct element
/// type, so that a tuple may be as long as a JSON array.
fn remaining_elements(
    compiler: &mut Compiler,
    here: &Here<'_>,
    (keyword, schema): (&str, &Value),
    (first, tuple): (usize, &TupleType),
    all: &mut Compiled,
) -> Result<()> {
    let mut elements = tuple.iter().skip(first);
    let Some(ty) = elements.next() else { return Ok(()) };
    if first == 0 && elements.all(|other| other == ty) {
        return every_element(compiler, here, keyword, schema, ty, all);
    }
    let mut read: HashMap<&Type, Compiled> = HashMap::new();
    let mut rules = 0_usize;
    for (i, ty) in tuple.iter().enumerate().skip(first) {
        let part = match read.entry(ty) {
            Entry::Occupied(read) => read.into_mut(),
            Entry::Vacant(new) => new.insert(compiler.schema(schema, ty, &here.keyword_path(keyword))?),
        };
        rules = part.rules.iter().map(rule_count).fold(rules, usize::saturating_add);
        check_rule_count(rules / 16)?;
        require_at(all, part, ty, ExprStep::Index(i as u64))?;
    }
    Ok(())
}

/// Compiles a schema that every element must satisfy, and adds the rule to `all`. `ty` is the element type, `keyword`
/// the keyword that holds the schema.
pub(super) fn every_element(
    compiler: &mut Compiler,
    here: &Here<'_>,
    keyword: &str,
    schema: &Value,
    ty: &Type,
    all: &mut Compiled,
) -> Result<()> {
    let part = compiler.schema(schema, ty, &here.keyword_path(keyword))?;
    require_at(all, &part, ty, ExprStep::AnyElement)
}

/// Adds the rule of the compiled schema `part` to `all`, at the one element or attribute that `step` leads to. `ty`
/// is its type.
pub(super) fn require_at(all: &mut Compiled, part: &Compiled, ty: &Type, step: ExprStep) -> Result<()> {
    all.exact &= part.exact;
    if let Some(rule) = part.rule(ty)? {
        all.rules.push(Rule::at(PathExpr::from_steps([step])?, rule)?);
    }
    Ok(())
}

/// Compiles `contains` (some element satisfies a schema), and adds the rule to `all`.
#[inline(never)]
fn compile_contains(compiler: &mut Compiler, here: &Here<'_>, all: &mut Compiled) -> Result<()> {
    let Some(schema) = here.get("contains") else { return Ok(()) };
    let least = count(here, "minContains").unwrap_or(1);
    let most = count(here, "maxContains");
    if most.is_some() || least > 1 {
        let keyword = if most.is_some() { "maxContains" } else { "minContains" };
        compiler.add_unsupported(here, keyword, "matching elements are not counted", all);
    }
    if least == 0 {
        return Ok(());
    }
    let path = here.keyword_path("contains");
    if let Type::Tuple(ty) = here.ty {
        let mut some = Vec::new();
        for (i, ty) in ty.iter().enumerate() {
            let part = compiler.schema(schema, ty, &path)?;
            all.exact &= part.exact;
            match part.rule(ty)? {
                Some(rule) => some.push(Rule::at(PathExpr::from_steps([ExprStep::Index(i as u64)])?, rule)?),
                None => return Ok(()),
            }
        }
        all.rules.push(if some.is_empty() { never() } else { Rule::any(some)? });
        return Ok(());
    }
    let Some(ty) = here.ty.element_type() else { return Ok(()) };
    let part = compiler.schema(schema, ty, &path)?;
    if !part.exact {
        compiler.add_unsupported(here, "contains", "what it asks for is not supported", all);
        return Ok(());
    }
    if let (false, [Rule::Value(ValueRule::Equals(wanted))]) = (part.null, part.rules.as_slice()) {
        all.rules.push(Rule::contains(wanted.clone()));
        return Ok(());
    }
    // "Some element satisfies it" is "not every element fails it".
    let without = Compiled { null: !part.null, rules: negated(&part)?, exact: true };
    all.rules.push(match without.rule(ty)? {
        Some(without) => {
            let each = Rule::at(PathExpr::from_steps([ExprStep::AnyElement])?, without)?;
            Rule::not(conjunction(vec![each])?)?
        }
        None => never(),
    });
    Ok(())
}
