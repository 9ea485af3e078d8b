//! Plans with random values and rules: what a check leaves open, verified on an outcome, gives what the check of the
//! outcome alone gives.

use std::cell::Cell;

use plantime::rule::{Rule, Severity};
use plantime::sample::{Size, Weakened};
use plantime::source::{Position, Source};
use plantime::strategy::{concrete_of, refinement_of, rule_for, weakened};
use plantime::{Refinement, Type, Value};
use plantime_schema::ProviderSchemas;
use plantime_terraform::plan::{
    Action, Assumption, Change, CheckOptions, Expectation, Finding, NamedRule, Obligations, Plan,
    PlanDocument, PlanReport, RemainingRule, RuleMetadata, RulesFile, Sensitivity, State, StatedAssumption,
    Subject, Test, Verified, check,
};
use proptest::prelude::{Just, Strategy, any};

use crate::law;

pub(crate) const PLAN: &[u8] =
    br#"{"format_version": "1.2", "resource_changes": [{"address": "r.x", "mode": "managed", "type": "r",
    "name": "x", "provider_name": "p", "change": {"actions": ["update"], "before": {}, "before_sensitive": {},
    "after": {}, "after_unknown": {}, "after_sensitive": {}}}]}"#;

pub(crate) const STATE: &[u8] = br#"{"format_version": "1.0", "values": {"root_module": {"resources": [{"address": "r.x",
    "mode": "managed", "type": "r", "name": "x", "provider_name": "p", "values": {}, "sensitive_values": {}}]}}}"#;

const HERE: Position = Position::at(1, 1);

pub(crate) fn test(path: Option<&str>, rule: Rule) -> Test {
    let path = path.map(|path| path.parse().unwrap());
    Test {
        path,
        rule,
        same_as: None,
        assertion: None,
        description: None,
        message: None,
        null: None,
        position: HERE,
    }
}

pub(crate) fn named(name: &str, guard: Option<Rule>, tests: Vec<Test>) -> NamedRule {
    NamedRule {
        locals: Default::default(),
        for_each: None,
        conditions: Vec::new(),
        name: name.to_owned(),
        description: None,
        severity: Severity::Error,
        metadata: RuleMetadata::default(),
        subject: Subject::Resource(vec!["r".parse().unwrap()]),
        actions: Vec::new(),
        optional: false,
        guard,
        tests,
        position: HERE,
    }
}

pub(crate) fn report(after: &Value, before: &Value, rules: &RulesFile) -> Option<PlanReport> {
    let schemas = ProviderSchemas::new();
    let mut plan = Plan::read(PLAN, &schemas).unwrap();
    let change = &mut std::sync::Arc::make_mut(plan.resource_changes.first_mut().unwrap()).change;
    (change.after, change.before) = (Some(after.clone()), Some(before.clone()));
    let against = CheckOptions {
        rules: rules.clone(),
        schemas,
        configuration: None,
        show_values: false,
        facts: Default::default(),
    };
    check("plan.json", &plan, &against).ok()
}

pub(crate) fn object(a: &Value, b: &Value) -> Value {
    Value::object([("a", a.clone()), ("b", b.clone())]).unwrap()
}

#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) a: Weakened,
    pub(crate) b: Weakened,
    pub(crate) before: Value,
    at: Rule,
    whole: Rule,
    guard: Rule,
    guarded: bool,
    change: usize,
    assumed: Option<Refinement>,
}

pub(crate) fn cases() -> impl Strategy<Value = Case> {
    let pair = || weakened(Size::default());
    (pair(), pair()).prop_flat_map(|(a, b)| {
        let (x, y) = (a.concrete().ty(), b.concrete().ty());
        let whole = object(a.concrete(), b.concrete()).ty();
        let before = (concrete_of(x.clone(), Size::default()), concrete_of(y.clone(), Size::default()));
        let rules = (
            rule_for(x.clone(), Size::default()),
            rule_for(whole, Size::default()),
            rule_for(y, Size::default()),
            any::<bool>(),
            0..4_usize,
        );
        (Just(a), Just(b), before, rules, proptest::option::of(refinement_of(x))).prop_map(
            |(a, b, (x, y), (at, whole, guard, guarded, change), assumed)| {
                let before = object(&x, &y);
                Case { a, b, before, at, whole, guard, guarded, change, assumed }
            },
        )
    })
}

pub(crate) fn rules(case: &Case) -> RulesFile {
    let change = match case.change {
        0 => Rule::immutable(),
        1 => Rule::only_increase(),
        2 => Rule::only_decrease(),
        _ => Rule::NotNull,
    };
    let guard = case.guarded.then(|| Rule::at("b".parse().unwrap(), case.guard.clone()).unwrap());
    let assumptions = case.assumed.iter().map(|refinement| StatedAssumption {
        assumption: Assumption::new("r".parse().unwrap(), "a".parse().unwrap(), refinement.clone()),
        position: HERE,
    });
    RulesFile {
        parameters: Default::default(),
        locals: Default::default(),
        source: Source::new("rules.hcl", ""),
        assumptions: assumptions.collect(),
        forces_new: Vec::new(),
        rules: vec![
            named("at", guard, vec![test(Some("a"), case.at.clone())]),
            named("whole", None, vec![test(None, case.whole.clone())]),
            named("change", None, vec![test(Some("b"), change)]),
        ],
        skips: Vec::new(),
        on_null: Default::default(),
        day: None,
        left_out: 0,
    }
}

#[test]
fn a_plan_and_its_obligations_answer_as_the_outcome_alone() {
    let (agreed, open) = (Cell::new(0), Cell::new(0));
    law(2048, &cases(), |case| {
        let (abstractly, outcome) =
            (object(case.a.value(), case.b.value()), object(case.a.concrete(), case.b.concrete()));
        let mut rules = rules(&case);
        for name in ["change", "whole", "at"] {
            if report(&outcome, &case.before, &rules).is_some() {
                break;
            }
            rules.rules.retain(|rule| rule.name != name);
        }
        let Some(alone) = report(&outcome, &case.before, &rules) else { return };
        let Some(planned) = report(&abstractly, &case.before, &rules) else {
            panic!("the outcome can be asked, the plan cannot: {case:?}");
        };
        let obligations = planned.obligations(PLAN);
        let file = obligations.to_json().to_string();
        assert_eq!(Obligations::read(file.as_bytes()).unwrap(), obligations, "{file}");
        let writable = |remains: &RemainingRule| matches!(remains, RemainingRule::Rule { .. });
        let all = obligations.obligations.iter();
        if !all.into_iter().all(|one| {
            matches!(&one.expectation, Expectation::Assumption(_))
                || matches!(&one.expectation, Expectation::Test(open) if writable(&open.remaining))
        }) {
            return;
        }
        let mut state = State::read(STATE, &ProviderSchemas::new()).unwrap();
        state.resources.first_mut().unwrap().value = outcome;
        let verification = obligations.verify(&state);
        let totals = verification.totals();
        // Without a schema the kind of a value may decide the rule, and then nothing is said.
        let by_kind = |one: &Verified| matches!(&one.finding, Finding::NotVerifiable(why) if why.contains("of which kind"));
        let kinds = verification.verified.iter().filter(|one| by_kind(one)).count();
        assert_eq!(totals.not_verifiable, kinds, "{verification:?}");
        if kinds > 0 {
            return;
        }
        let together = !planned.totals().failed() && totals.broken == 0;
        assert_eq!(together, !alone.totals().failed(), "{case:?}\n{obligations:?}\n{verification:?}");
        agreed.set(agreed.get() + 1);
        open.set(open.get() + obligations.obligations.len());
    });
    println!("{} plans agree, with {} obligations", agreed.get(), open.get());
    assert!(std::env::var_os("PROPTEST_CASES").is_some() || (agreed.get() > 1024 && open.get() > 512));
}

#[test]
fn a_rule_reads_back_from_its_form() {
    let rules =
        weakened(Size::default()).prop_flat_map(|pair| rule_for(pair.concrete().ty(), Size::default()));
    let written = Cell::new(0);
    law(1024, &rules, |rule| {
        let Ok(form) = rule.to_form() else { return };
        written.set(written.get() + 1);
        assert_eq!(Rule::from_form(&form).unwrap(), rule);
    });
    assert!(std::env::var_os("PROPTEST_CASES").is_some() || written.get() > 900, "{}", written.get());
}

/// A value as the output of a plan, written as JSON with what is known of it and read again.
fn written_and_read(value: &Value) -> Option<Value> {
    let mut plan = Plan::default();
    let mut change = Change::default();
    change.actions = vec![Action::Create];
    change.after = Some(value.clone());
    (change.before_sensitivity, change.after_sensitivity) = (Sensitivity::Stated, Sensitivity::Stated);
    plan.output_changes.insert("o".to_owned(), change);
    plan.output_types.insert("o".to_owned(), value.ty());
    // Infinities and capsules have no form in JSON.
    let text = plan.to_json_text(&ProviderSchemas::new()).ok()?;
    let mut written = Vec::new();
    let document = PlanDocument::parse(text.as_bytes()).unwrap();
    document.write_json_with_refinements(&mut written, &plan).unwrap();
    let mut read = Plan::read(&written, &ProviderSchemas::new()).unwrap();
    assert_eq!(read.notes, []);
    read.output_changes.remove("o")?.after
}

/// Whether the JSON of a plan keeps all that is known of values of this type: members of a set have no place of their own,
/// and what has no declared type is of the type that its JSON implies.
fn is_kept_in_json(ty: &Type) -> bool {
    match ty {
        Type::Bool | Type::Number | Type::String => true,
        Type::List(list) => is_kept_in_json(list.element()),
        Type::Map(map) => is_kept_in_json(map.element()),
        Type::Tuple(tuple) => tuple.elements().iter().all(is_kept_in_json),
        Type::Object(object) => object.iter().all(|(_, ty)| is_kept_in_json(ty)),
        _ => false,
    }
}

#[test]
fn values_written_as_json_with_refinements_are_read_again() {
    let (kept, refined) = (Cell::new(0), Cell::new(0));
    law(2_000, &weakened(Size::default()), |pair| {
        let value = pair.value();
        if value.contains_marks() {
            return;
        }
        let Some(read) = written_and_read(value) else { return };
        if is_kept_in_json(&value.ty()) {
            kept.set(kept.get() + 1);
            refined.set(refined.get() + usize::from(!value.is_wholly_known()));
            assert_eq!(&read, value);
        }
    });
    println!("{} values read again, {} of them partly known", kept.get(), refined.get());
    assert!(refined.get() > 100, "{}", refined.get());
}
