//! Compiles `allOf`, `anyOf`, `oneOf`, `not` and `if`.

use crate::error::Result;
use crate::rule::Rule;
use crate::rule::keywords::elements;

use super::compile::{Compiler, Here, negated};
use super::compiled::{Compiled, check_rule_count, never, rule_count};

/// Compiles `allOf`, `anyOf`, `oneOf`, `not` and `if` of the schema `here`, and adds their rules to `all`.
pub(super) fn read(compiler: &mut Compiler, here: &Here<'_>, all: &mut Compiled) -> Result<()> {
    if here.get("allOf").is_some() {
        for part in compile_list(compiler, here, "allOf")? {
            all.and(part);
        }
    }
    if here.get("anyOf").is_some() {
        let parts = compile_list(compiler, here, "anyOf")?;
        all.and(any_of(&parts)?);
    }
    if here.get("oneOf").is_some() {
        one_of(compiler, here, all)?;
    }
    if here.get("not").is_some() {
        not(compiler, here, all)?;
    }
    if here.get("if").is_some() {
        condition(compiler, here, all)?;
    }
    Ok(())
}

/// Compiles each schema in the list of a keyword such as `anyOf`, in order; an empty list if the keyword is absent.
#[inline(never)]
fn compile_list(compiler: &mut Compiler, here: &Here<'_>, keyword: &str) -> Result<Vec<Compiled>> {
    let schemas = here.get(keyword).and_then(elements).unwrap_or_default();
    let mut parts = Vec::with_capacity(schemas.len());
    for (i, schema) in schemas.iter().enumerate() {
        parts.push(compiler.schema(schema, here.ty, &here.keyword_path(keyword).index(i))?);
    }
    Ok(parts)
}

/// Combines compiled schemas so that at least one of them must hold. If one of them accepts too much because
/// something is unsupported, so does the result: it never refuses what the schema allows.
fn any_of(parts: &[Compiled]) -> Result<Compiled> {
    let null = parts.iter().any(|part| part.null);
    let exact = parts.iter().all(|part| part.exact);
    let rules =
        if parts.iter().any(Compiled::holds_always) { Vec::new() } else { vec![at_least_one(parts)?] };
    Ok(Compiled { null, rules, exact })
}

/// The rule that at least one of the schemas holds, for values that are not null.
fn at_least_one(parts: &[Compiled]) -> Result<Rule> {
    let possible = parts.iter().filter(|part| !part.never_holds());
    let rules = possible.map(Compiled::not_null).collect::<Result<Vec<Rule>>>()?;
    match <[Rule; 1]>::try_from(rules) {
        Ok([only]) => Ok(only),
        Err(rules) => Rule::any(rules),
    }
}

/// Compiles `oneOf`, of which exactly one schema holds, and adds the rules to `all`. If a schema in it is not fully
/// supported, it is read as `anyOf` and listed as unsupported.
#[inline(never)]
fn one_of(compiler: &mut Compiler, here: &Here<'_>, all: &mut Compiled) -> Result<()> {
    let parts = compile_list(compiler, here, "oneOf")?;
    if parts.iter().any(|part| !part.exact) {
        compiler.add_unsupported(here, "oneOf", "a part is not supported, so it is read as anyOf", all);
        all.and(any_of(&parts)?);
        return Ok(());
    }
    all.null &= parts.iter().filter(|part| part.null).count() == 1;
    let possible: Vec<&Compiled> = parts.iter().filter(|part| !part.never_holds()).collect();
    if possible.is_empty() {
        all.rules.push(never());
        return Ok(());
    }
    let rules = possible.iter().map(|part| part.not_null()).collect::<Result<Vec<Rule>>>()?;
    let sizes = rules.iter().map(rule_count).fold(0, usize::saturating_add);
    check_rule_count(sizes.saturating_mul(rules.len()))?;
    if !possible.iter().any(|part| part.holds_always()) {
        all.rules.push(if let [only] = rules.as_slice() { only.clone() } else { Rule::any(rules.clone())? });
    }
    for (i, a) in rules.iter().enumerate() {
        for b in rules.iter().skip(i.saturating_add(1)) {
            all.rules.push(Rule::not(Rule::all([a.clone(), b.clone()])?)?);
        }
    }
    Ok(())
}

/// Compiles `not` and adds its rule to `all`; only lists it as unsupported if the negated schema is not fully
/// supported.
#[inline(never)]
fn not(compiler: &mut Compiler, here: &Here<'_>, all: &mut Compiled) -> Result<()> {
    let Some(schema) = here.get("not") else { return Ok(()) };
    let inside = compiler.schema(schema, here.ty, &here.keyword_path("not"))?;
    if !inside.exact {
        compiler.add_unsupported(here, "not", "what it negates is not supported", all);
        return Ok(());
    }
    all.null &= !inside.null;
    all.rules.extend(negated(&inside)?);
    Ok(())
}

/// Compiles `if`, `then`, `else` and adds their rules to `all`; only lists them as unsupported if the schema of `if`
/// is not fully supported.
#[inline(never)]
fn condition(compiler: &mut Compiler, here: &Here<'_>, all: &mut Compiled) -> Result<()> {
    let mut part = |keyword: &str| match here.get(keyword) {
        Some(schema) => compiler.schema(schema, here.ty, &here.keyword_path(keyword)),
        None => Ok(Compiled::anything()),
    };
    let (condition, then, otherwise) = (part("if")?, part("then")?, part("else")?);
    if !condition.exact {
        compiler.add_unsupported(here, "if", "the condition is not supported", all);
        return Ok(());
    }
    all.exact &= then.exact && otherwise.exact;
    all.null &= if condition.null { then.null } else { otherwise.null };
    if condition.holds_always() {
        all.rules.extend(then.rules);
    } else if condition.never_holds() {
        all.rules.extend(otherwise.rules);
    } else {
        let met = condition.not_null()?;
        if !then.holds_always() {
            all.rules.push(Rule::implies(met.clone(), then.not_null()?)?);
        }
        if !otherwise.holds_always() {
            all.rules.push(Rule::any([met, otherwise.not_null()?])?);
        }
    }
    Ok(())
}
