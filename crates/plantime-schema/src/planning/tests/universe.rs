//! The laws, tried on all values of a small universe.

use super::*;
use plantime::testing::Domain;

fn domain() -> (Vec<Value>, Vec<Value>) {
    let domain = Domain::small();
    (domain.abstracts().cloned().collect(), domain.concretes().cloned().collect())
}

/// Whether the value has a set inside. `refines` compares sets by matching their members, which may answer no although all
/// outcomes are included.
fn has_set(value: &Value) -> bool {
    value.parts().any(|(_, part)| matches!(part.ty(), Type::Set(_)))
        || value.ty().to_string().contains("set(")
}

#[test]
fn a_later_value_refines_an_earlier_one_exactly_if_its_outcomes_are_among_the_earlier_ones() {
    let (values, concretes) = domain();
    let outcomes: Vec<Vec<bool>> =
        values.iter().map(|value| concretes.iter().map(|one| value.may_become(one)).collect()).collect();
    let (mut tried, mut related, mut missed) = (0, 0, Vec::new());
    for (a, may_a) in values.iter().zip(&outcomes) {
        for (b, may_b) in values.iter().zip(&outcomes) {
            let told = refines(a, b);
            let included = may_b.iter().zip(may_a).all(|(b, a)| !b || *a);
            assert!(!told || included, "{b:?} does not refine {a:?}");
            tried += 1;
            related += usize::from(told);
            if included && !told && !has_set(a) && !has_set(b) {
                missed.push(format!("{a:?} ⊇ {b:?}"));
            }
        }
    }
    println!(
        "{tried} pairs, {related} related, {} not told: {:#?}",
        missed.len(),
        &missed[..missed.len().min(20)]
    );
    assert!(missed.is_empty());
}

#[test]
fn refinement_is_a_partial_order() {
    let (values, concretes) = domain();
    let related: Vec<Vec<bool>> =
        values.iter().map(|a| values.iter().map(|b| refines(a, b)).collect()).collect();
    for (i, a) in values.iter().enumerate() {
        assert!(related[i][i], "{a:?} does not refine itself");
        for (j, b) in values.iter().enumerate().filter(|(j, _)| related[i][*j]) {
            let same = |one: &Value| a.may_become(one) == b.may_become(one);
            assert!(!related[j][i] || concretes.iter().all(same), "{a:?} and {b:?} refine each other");
            for (k, c) in values.iter().enumerate().filter(|(k, _)| related[j][*k]) {
                assert!(related[i][k], "{c:?} refines {b:?}, which refines {a:?}");
            }
        }
    }
}

#[test]
fn a_violation_is_told_exactly_if_a_value_does_not_refine_or_may_not_become() {
    let (values, concretes) = domain();
    let schema = block(r#"{"attributes": {"x": {"type": "dynamic", "optional": true}}}"#);
    let whole = |x: &Value| value!({"x": x.clone()}).unwrap();
    let (mut nulls, mut wrong) = (0, Vec::new());
    for planned in &values {
        for actual in &concretes {
            let verdict =
                assert_object_compatible(&schema, &whole(planned), &whole(actual), TypeSystem::Strict)
                    .unwrap();
            let texts: Vec<String> = verdict.violations.iter().map(ToString::to_string).collect();
            let is_empty =
                |part: &Value| part.range().length_range().is_some_and(|length| length.exact() == Some(0));
            let has_null = |value: &Value| value.parts().any(|(_, part)| part.is_null() || is_empty(part));
            let other_null =
                verdict.is_accepted() && has_null(planned) && has_null(actual) && planned.ty() != actual.ty();
            let agree = verdict.is_accepted() == planned.may_become(actual);
            if !agree && !other_null {
                wrong.push(format!("{planned:?}, {actual:?}: {texts:?}"));
            }
            nulls += usize::from(!agree);
        }
        for replan in values.iter().step_by(7) {
            assert_eq!(assert_refines(planned, replan).is_empty(), refines(planned, replan));
        }
    }
    assert!(wrong.is_empty(), "{}: {:#?}", wrong.len(), &wrong[..wrong.len().min(20)]);
    println!("{nulls} pairs differ in the type of a null or of an empty collection only");
}

/// Blocks of every nesting, with a computed attribute that is unknown, refined or known.
#[test]
fn blocks_are_compatible_exactly_if_the_planned_ones_may_become_them() {
    let inner = r#""attributes": {"x": {"type": "string", "optional": true}, "y": {"type": "string", "computed": true}}"#;
    let item = |x: Value, y: Value| value!({"x": x, "y": y}).unwrap();
    let ys = || strings();
    let planned: Vec<Value> =
        ["x", "y"].iter().flat_map(|x| ys().into_iter().map(move |y| item((*x).into(), y))).collect();
    let actual: Vec<Value> = planned.iter().filter(|one| one.is_wholly_known()).cloned().collect();
    let (mut tried, mut accepted) = (0, 0);
    for nesting in ["single", "group", "list", "set", "map"] {
        let schema = block(&format!(
            r#"{{"block_types": {{"b": {{"nesting_mode": "{nesting}", "block": {{{inner}}}}}}}}}"#
        ));
        let Type::Object(ty) = schema.implied_type().unwrap() else { panic!() };
        let (_, blocks) = ty.iter().next().unwrap();
        let collect = |items: &[&Value]| -> Option<Value> {
            let items: Vec<Value> = items.iter().map(|item| (*item).clone()).collect();
            let keys = ["k", "l", "m"];
            let value = match nesting {
                "list" => Value::list_of(blocks.element_type()?.clone(), items),
                "set" => Value::set_of(blocks.element_type()?.clone(), items),
                "map" => Value::map_of(blocks.element_type()?.clone(), keys.into_iter().zip(items)),
                _ if items.len() == 1 => Ok(items[0].clone()),
                _ => return None,
            };
            value.ok()
        };
        let several = |of: &[Value]| -> Vec<Value> {
            let pairs = of.iter().flat_map(|a| of.iter().map(move |b| vec![a, b]));
            let ones = of.iter().map(|a| vec![a]);
            let mut all: Vec<Value> =
                pairs.chain(ones).chain([Vec::new()]).filter_map(|items| collect(&items)).collect();
            if nesting == "single" {
                all.push(Value::null(blocks.clone()));
            }
            all.dedup();
            all
        };
        let mut plans = several(&planned);
        if nesting != "group" {
            plans.push(Value::unknown(blocks.clone()));
            plans.push(Value::refined(blocks.clone(), Refinement::not_null()).unwrap());
        }
        for plan in plans {
            let plan = value!({"b": plan}).unwrap();
            for actual in several(&actual) {
                let actual = value!({"b": actual}).unwrap();
                let verdict = assert_object_compatible(&schema, &plan, &actual, TypeSystem::Strict).unwrap();
                let texts: Vec<String> = verdict.violations.iter().map(ToString::to_string).collect();
                assert_eq!(verdict.is_accepted(), plan.may_become(&actual), "{plan} and {actual}: {texts:?}");
                assert!(texts.iter().all(|text| text.starts_with(".b")), "{plan} and {actual}: {texts:?}");
                tried += 1;
                accepted += usize::from(verdict.is_accepted());
            }
        }
    }
    println!("{accepted} of {tried} accepted");
}
