//! The laws of rules.

use plantime::rule::{Outcome, Request, Rule};
use plantime::sample::{Sampler, Weakened};
use plantime::{Type, Value};

/// A rule's answer on a weakened value agrees with that on the concrete one, and leaves an obligation that does.
#[track_caller]
pub fn sound(rule: &Rule, a: &Weakened, marked: &Value) {
    let text = || format!("{rule} on {:?} with {:?}", a.value(), a.concrete());
    let (concrete, weak) = (rule.check_value(a.concrete()), rule.check_value(a.value()));
    if let Ok(outcome) = &concrete {
        assert!(!outcome.is_undetermined(), "undetermined on a known value: {}", text());
    }
    match (&concrete, &weak) {
        (Ok(concrete), Ok(weak)) => {
            let agree = weak.is_undetermined() || weak.name() == concrete.name();
            assert!(agree, "unsound: {} is {}, not {}", text(), weak.name(), concrete.name());
        }
        (Ok(concrete), Err(misuse)) => {
            panic!("unsound: {} is misuse ({misuse}), not {}", text(), concrete.name())
        }
        (Err(_), _) => {}
    }
    if let (Ok(Outcome::Undetermined(why)), Ok(concrete)) = (&weak, &concrete) {
        let open = why.obligation().unwrap_or_else(|| panic!("no obligation: {}", text()));
        let left = open.check_value(a.concrete());
        assert_eq!(
            left.as_ref().map(Outcome::name).ok(),
            Some(concrete.name()),
            "{} leaves {open}, which is {left:?}",
            text()
        );
        assert!(!why.inputs().is_empty() && !why.passes_if().is_empty());
    }
    match (&weak, rule.check_value(marked)) {
        (Ok(bare), Ok(marked)) => assert_eq!(bare.name(), marked.name(), "marks change {}", text()),
        (Err(_), Err(_)) => {}
        (bare, marked) => panic!("marks change {}: {bare:?}, {marked:?}", text()),
    }
    let ty = a.concrete().ty();
    if let Ok(concrete) = &concrete
        && ty != Type::Dynamic
    {
        let implied = rule.implied_refinement(&ty);
        let within = a.concrete().assume(&implied).is_ok();
        assert!(within || !concrete.is_pass(), "{} implies {implied}", text());
        for refinement in [rule.as_refinement(), rule.as_refinement_for(&ty)].into_iter().flatten() {
            if !refinement.applies_to(&ty) {
                continue;
            }
            let upheld = a.concrete().assume(&refinement).is_ok();
            assert_eq!(upheld, concrete.is_pass(), "{} as {refinement}", text());
        }
    }
    assert!(!rule.describe().is_empty() && !rule.markdown().is_empty() && !rule.to_string().is_empty());
}

/// The same of a change: the answer for what is weakened on either side agrees with that for the concrete ones.
#[track_caller]
pub fn sound_on_changes(rule: &Rule, before: &Weakened, after: &Weakened) {
    let text = || format!("{rule} from {before:?} to {after:?}");
    let ask = |rule: &Rule, before: &Value, after: &Value| {
        rule.check(&Request::new(after).before(before)).map(|outcome| (outcome.name(), outcome))
    };
    let Ok((concrete, _)) = ask(rule, before.concrete(), after.concrete()) else { return };
    assert_ne!(concrete, "undetermined", "of known values: {}", text());
    for (old, new) in [
        (before.value(), after.value()),
        (before.concrete(), after.value()),
        (before.value(), after.concrete()),
    ] {
        match ask(rule, old, new) {
            Ok((_, Outcome::Undetermined(why))) => {
                let open = why.obligation().unwrap_or_else(|| panic!("no obligation: {}", text()));
                let left = ask(open, before.concrete(), after.concrete()).map(|(name, _)| name);
                assert_eq!(
                    left.as_ref().ok(),
                    Some(&concrete),
                    "{} leaves {open}, which is {left:?}",
                    text()
                );
            }
            Ok((weak, _)) => assert_eq!(weak, concrete, "unsound: {}", text()),
            Err(misuse) => panic!("unsound: {} is misuse ({misuse}), not {concrete}", text()),
        }
    }
}

pub fn any(sampler: &mut Sampler<'_>) {
    let a = sampler.pair();
    sampler.refill();
    let ty = a.concrete().ty();
    let rule = sampler.rule_for(&ty);
    let marked = sampler.marked(a.value());
    sound(&rule, &a, &marked);
    sampler.refill();
    let before = sampler.pair_of_type(&ty);
    sound_on_changes(&rule, &before, &a);
}
