//! What is asked of arrays: lists, sets and tuples.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::error::Result;
use crate::rule::keywords::elements;
use crate::rule::{ExprStep, PathExpr, Rule};
use crate::types::{TupleType, Type};
use crate::value::Value;

use super::compile::{Compiler, Here, negated};
use super::compiled::{Compiled, never, one, size, within};
use super::numbers::{self, count};

pub(super) fn read(compiler: &mut Compiler, here: &Here<'_>, all: &mut Compiled) -> Result<()> {
    let before = all.rules.len();
    numbers::lengths(here, "minItems", "maxItems", all);
    if let Type::Tuple(_) = here.ty {
        // How many there are is part of the type.
        let kept = all.rules.split_off(before).into_iter().filter(|rule| !holds_always(rule, here.ty));
        all.rules.extend(kept.collect::<Vec<Rule>>());
    }
    let unique = here.get("uniqueItems").is_some_and(|flag| flag.as_bool() == Ok(true));
    if unique && !matches!(here.ty, Type::Set(_)) {
        all.rules.push(Rule::Unique);
    }
    items(compiler, here, all)?;
    if here.get("contains").is_some() {
        contains(compiler, here, all)?;
    }
    Ok(())
}

fn holds_always(rule: &Rule, ty: &Type) -> bool {
    rule.check_value(&Value::unknown(ty.clone())).is_ok_and(|outcome| outcome.is_pass())
}

/// The schemas of the first elements, and of the others; each with its place.
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

#[inline(never)]
pub(super) fn items(compiler: &mut Compiler, here: &Here<'_>, all: &mut Compiled) -> Result<()> {
    let (keyword, first, rest) = schemas(here);
    match here.ty {
        Type::Tuple(ty) => {
            for (i, (ty, schema)) in ty.iter().zip(&first).enumerate() {
                let part = compiler.schema(schema, ty, &here.below(keyword).index(i))?;
                put(all, &part, ty, ExprStep::Index(i as u64))?;
            }
            if let Some((keyword, schema)) = rest {
                others(compiler, here, (keyword, schema), (first.len(), ty), all)?;
            }
        }
        Type::List(list) => {
            let ty = list.element();
            for (i, schema) in first.iter().enumerate() {
                let part = compiler.schema(schema, ty, &here.below(keyword).index(i))?;
                // A missing element has no constraint to satisfy.
                let mut there = Compiled { rules: Vec::new(), ..part };
                put(&mut there, &part, ty, ExprStep::Index(i as u64))?;
                all.exact &= part.exact;
                for rule in there.rules {
                    all.rules.push(Rule::any([Rule::MaxLen(i as u64), rule])?);
                }
            }
            match rest {
                Some((keyword, _)) if !first.is_empty() => {
                    compiler.leave_out(here, keyword, "only some elements of a list are meant", all);
                }
                Some((keyword, schema)) => each(compiler, here, keyword, schema, ty, all)?,
                None => {}
            }
        }
        ty => {
            if !first.is_empty() {
                compiler.leave_out(here, keyword, "members of a set have no place", all);
            } else if let (Some((keyword, schema)), Some(ty)) = (rest, ty.element_type()) {
                each(compiler, here, keyword, schema, ty, all)?;
            }
        }
    }
    Ok(())
}

/// The elements of a tuple that no schema of their own speaks of. Their schema is read once for each type, so that a
/// tuple may be as long as an array of JSON.
fn others(
    compiler: &mut Compiler,
    here: &Here<'_>,
    (keyword, schema): (&str, &Value),
    (first, tuple): (usize, &TupleType),
    all: &mut Compiled,
) -> Result<()> {
    let mut elements = tuple.iter().skip(first);
    let Some(ty) = elements.next() else { return Ok(()) };
    if first == 0 && elements.all(|other| other == ty) {
        return each(compiler, here, keyword, schema, ty, all);
    }
    let mut read: HashMap<&Type, Compiled> = HashMap::new();
    let mut rules = 0_usize;
    for (i, ty) in tuple.iter().enumerate().skip(first) {
        let part = match read.entry(ty) {
            Entry::Occupied(read) => read.into_mut(),
            Entry::Vacant(new) => new.insert(compiler.schema(schema, ty, &here.below(keyword))?),
        };
        rules = part.rules.iter().map(size).fold(rules, usize::saturating_add);
        within(rules / 16)?;
        put(all, part, ty, ExprStep::Index(i as u64))?;
    }
    Ok(())
}

pub(super) fn each(
    compiler: &mut Compiler,
    here: &Here<'_>,
    keyword: &str,
    schema: &Value,
    ty: &Type,
    all: &mut Compiled,
) -> Result<()> {
    let part = compiler.schema(schema, ty, &here.below(keyword))?;
    put(all, &part, ty, ExprStep::AnyElement)
}

/// Asks it of a part.
pub(super) fn put(all: &mut Compiled, part: &Compiled, ty: &Type, step: ExprStep) -> Result<()> {
    all.exact &= part.exact;
    if let Some(rule) = part.rule(ty)? {
        all.rules.push(Rule::at(PathExpr::from_steps([step])?, rule)?);
    }
    Ok(())
}

#[inline(never)]
fn contains(compiler: &mut Compiler, here: &Here<'_>, all: &mut Compiled) -> Result<()> {
    let Some(schema) = here.get("contains") else { return Ok(()) };
    let least = count(here, "minContains").unwrap_or(1);
    let most = count(here, "maxContains");
    if most.is_some() || least > 1 {
        let keyword = if most.is_some() { "maxContains" } else { "minContains" };
        compiler.leave_out(here, keyword, "matching elements are not counted", all);
    }
    if least == 0 {
        return Ok(());
    }
    let path = here.below("contains");
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
        compiler.leave_out(here, "contains", "what it asks for is not supported", all);
        return Ok(());
    }
    if let (false, [Rule::Equals(wanted)]) = (part.null, part.rules.as_slice()) {
        all.rules.push(Rule::Contains(wanted.clone()));
        return Ok(());
    }
    // Not all elements are without it.
    let without = Compiled { null: !part.null, rules: negated(&part)?, exact: true };
    all.rules.push(match without.rule(ty)? {
        Some(without) => {
            let each = Rule::at(PathExpr::from_steps([ExprStep::AnyElement])?, without)?;
            Rule::not(one(vec![each])?)?
        }
        None => never(),
    });
    Ok(())
}
