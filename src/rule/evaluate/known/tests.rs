//! What is said without words is what is said in words.

use super::{holds, reads_beyond_value};
use crate::rule::evaluate::check_with_diagnostics;
use crate::rule::structure::reads;
use crate::rule::{Custom, Outcome, Request, Rule};
use crate::sample::{Sampler, Seed, Size};
use crate::types::Type;
use crate::value::Value;

/// A rule and a known value that it can read, marked here and there.
pub(in crate::rule::evaluate) fn cases(seeds: std::ops::Range<u64>) -> impl Iterator<Item = (Rule, Value)> {
    seeds.filter_map(|seed| {
        let mut seed = Seed::new(seed);
        let mut sampler = Sampler::new(&mut seed, Size::default());
        let value = sampler.concrete();
        sampler.refill();
        let rule = sampler.rule_for(&value.ty());
        let value = if sampler.chance(1, 4) { sampler.marked(&value) } else { value };
        rule.check_type(&value.ty()).is_ok().then_some((rule, value))
    })
}

#[test]
fn a_rule_holds_where_it_passes_at_length() {
    let mut seen = [0; 3];
    for (rule, value) in cases(0..20_000) {
        // As it is asked after it was found broken, which no rule inside looks into again.
        let request = Request { is_failing: true, ..Request::new(&value) };
        let check_with_diagnostics = check_with_diagnostics(&rule, &request).unwrap();
        let own = holds(&rule, &value);
        let case = format!("{rule} on {value:?} is {check_with_diagnostics}");
        match (own, reads_beyond_value(&rule)) {
            (Some(holds), false) => assert_eq!(check_with_diagnostics.is_pass(), holds, "{case}"),
            (Some(true), true) => assert!(check_with_diagnostics.is_pass(), "{case}"),
            // Of rules made of some that look around, others may decide.
            (Some(false), true) => assert!(!check_with_diagnostics.is_pass(), "{case}"),
            (None, reads_beyond_value) => assert!(reads_beyond_value, "not answered: {case}"),
        }
        seen[own.map_or(2, usize::from)] += 1;
    }
    assert!(seen[0] > 1_000 && seen[1] > 1_000, "{seen:?}");
}

#[test]
fn a_rule_that_fits_a_type_can_read_it() {
    let mut fitting = 0;
    for seed in 0..20_000 {
        let mut seed = Seed::new(seed);
        let mut sampler = Sampler::new(&mut seed, Size::default());
        let (ty, other) = (sampler.ty(true), sampler.ty(true));
        sampler.refill();
        let rule = sampler.rule_for(&ty);
        for ty in [&ty, &other] {
            let fits = reads::can_read(&rule, ty);
            let read = reads::check_with_message(&rule, ty, &crate::path::Path::new());
            assert!(!fits || read.is_ok(), "{rule} on {ty}: {read:?}");
            fitting += usize::from(fits);
        }
    }
    assert!(fitting > 10_000, "{fitting}");
}

#[test]
fn a_function_is_asked_itself() {
    let ask = |_: &Value| Err("never".to_owned());
    let rule = Rule::any([Rule::Custom(Custom::of_known("never", ask)), Rule::IsNull]).unwrap();
    assert!(reads_beyond_value(&rule));
    assert!(matches!(rule.check_value(&Value::from(1)), Ok(Outcome::Fail(_))));
    assert!(rule.check_value(&Value::null(Type::Bool)).unwrap().is_pass());
}
