//! Nothing about rules overflows the stack or grows out of proportion.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use plantime::rule::{Custom, Outcome, PathExpr, Request, Rule};
use plantime::{Type, Value, limits};

/// Runs on a small stack, as the limits promise.
fn on_one_mebibyte(test: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(1 << 20).spawn(test).unwrap().join().unwrap();
}

fn nested(depth: usize, around: impl Fn(Rule) -> plantime::Result<Rule>) -> plantime::Result<Rule> {
    (1..depth).try_fold(Rule::starts_with("a"), |rule, _| around(rule))
}

#[test]
fn the_deepest_rules_fit_a_small_stack() {
    let none = || "".parse::<PathExpr>().unwrap();
    let kinds: [fn(Rule) -> plantime::Result<Rule>; 7] = [
        Rule::not,
        |rule| Rule::sequence([rule, Rule::NotNull]),
        |rule| Rule::all([rule, Rule::NotNull]),
        |rule| Rule::any([Rule::IsNull, rule]),
        |rule| Rule::implies(Rule::NotNull, rule),
        |rule| Rule::when(rule, Rule::NotNull),
        |rule| Rule::at(PathExpr::new(), rule),
    ];
    assert!(none().is_empty());
    for kind in kinds {
        on_one_mebibyte(move || {
            let rule = nested(limits::DEPTH, kind).unwrap();
            assert_eq!(rule.depth(), limits::DEPTH);
            assert!(kind(rule.clone()).unwrap_err().is_limit());
            assert_eq!(rule, rule.clone());
            for value in
                [Value::unknown(Type::String), Value::from("a"), Value::dynamic(), Value::null(Type::String)]
            {
                let outcome = rule.check_value(&value).unwrap();
                assert!(!format!("{outcome} {outcome:?} {outcome:#?}").is_empty());
            }
            assert!(!rule.describe().is_empty() && !rule.markdown().is_empty());
            assert!(!format!("{rule} {rule:?} {rule:#?}").is_empty());
            let _ = rule.as_refinement();
        });
    }
}

#[test]
fn the_deepest_values_fit_a_small_stack() {
    on_one_mebibyte(|| {
        let mut value = Value::unknown(Type::String);
        let mut path = String::new();
        while let Ok(outer) = Value::list([value.clone()]) {
            value = outer;
            path.push_str("[*]");
        }
        let steps = path.len() / 3;
        assert!(steps >= limits::DEPTH - 2, "{steps}");
        let rule = Rule::at(path.parse().unwrap(), Rule::starts_with("a")).unwrap();
        let outcome = rule.check_value(&value).unwrap();
        assert!(outcome.is_undetermined() && !outcome.to_string().is_empty());
        assert!(Rule::equals(value.clone()).check_value(&value).unwrap().is_undetermined());
        assert!(Rule::contains(Value::from("a")).check_value(&value).is_err());
    });
}

#[test]
fn finite_values_of_great_depth_are_not_counted_out() {
    on_one_mebibyte(|| {
        let mut value = Value::unknown(Type::Bool);
        while let Ok(outer) = Value::tuple([value.clone()]) {
            value = outer;
        }
        assert!(Rule::one_of([value.clone()]).check_value(&value).unwrap().is_undetermined());
        let ty = value.ty();
        assert!(Rule::one_of([value]).check_value(&Value::unknown(ty)).unwrap().is_undetermined());
    });
}

/// Ten times as many elements take ten times as long; a hundred times where each looks at all others.
///
/// A few tries: while others have the processor, the longer work is cut into pieces and the shorter is not.
#[track_caller]
fn linear(check: impl Fn(&Value), value: impl Fn(usize) -> Value) {
    linear_from(4_000, check, value);
}

/// As [`linear`], for this number of elements and ten times as many.
#[track_caller]
fn linear_from(count: usize, check: impl Fn(&Value), value: impl Fn(usize) -> Value) {
    let mut ratio = f64::INFINITY;
    for _ in 0..6 {
        ratio = ratio.min(ratio_once(count, &check, &value));
        if ratio < 60.0 {
            return;
        }
    }
    panic!("{ratio} times longer for ten times as many");
}

/// How many times longer ten times as many elements take, each time at its best.
fn ratio_once(count: usize, check: impl Fn(&Value), value: impl Fn(usize) -> Value) -> f64 {
    let time = |count: usize| {
        let value = value(count);
        let times = (0..5).map(|_| {
            let start = std::time::Instant::now();
            check(&value);
            start.elapsed().as_secs_f64()
        });
        times.fold(f64::INFINITY, f64::min)
    };
    time(count.saturating_mul(10)) / time(count).max(0.001)
}

#[test]
fn many_elements_cost_linear_time() {
    let rule = Rule::at("[*]".parse().unwrap(), Rule::all([Rule::NotNull, Rule::starts_with("x")]).unwrap())
        .unwrap();
    linear(
        |value| assert!(rule.check(&Request::new(value)).unwrap().is_fail()),
        |count| {
            let open = Value::unknown(Type::String);
            let item = |i: usize| if i.is_multiple_of(2) { open.clone() } else { Value::from(i.to_string()) };
            Value::list((0..count).map(item)).unwrap()
        },
    );
}

#[test]
fn a_few_open_elements_among_many_cost_linear_time() {
    for open in [1, 5] {
        linear(
            |value| {
                assert!(Rule::contains(true).check_value(value).unwrap().is_undetermined());
            },
            |count| {
                let known = std::iter::repeat_n(Value::from(false), count);
                Value::list(known.chain(std::iter::repeat_n(Value::unknown(Type::Bool), open))).unwrap()
            },
        );
    }
}

#[test]
fn elements_of_many_types_cost_linear_time() {
    let rule = Rule::at("[*]".parse().unwrap(), Rule::NotNull).unwrap();
    // Both have more types than a rule is compiled for: with fewer it takes a hundredth of the time.
    linear_from(
        20_000,
        |value| assert!(rule.check_value(value).unwrap().is_pass()),
        |count| Value::tuple((0..count).map(|i| Value::object([(format!("a{i}"), i)]).unwrap())).unwrap(),
    );
}

/// Where an undecided type may turn out a set, the value before is looked at in both ways: with none, nothing below has any,
/// so each level adds to the work and does not double it.
#[test]
fn changes_below_undecided_types_cost_in_proportion_to_their_depth() {
    for step in ["a", "[*]", "a[*]"] {
        let mut asked = Vec::new();
        for depth in [2, 4, 8, 16, 32] {
            let count = Arc::new(AtomicUsize::new(0));
            let own = Arc::clone(&count);
            let counted = Custom::new("counted", move |_| {
                own.fetch_add(1, Ordering::Relaxed);
                Ok(Outcome::Pass)
            });
            let (mut rule, mut before) = (Rule::Custom(counted), Value::from("x"));
            for _ in 0..depth {
                rule = Rule::at(step.parse().unwrap(), rule).unwrap();
                before = if step == "a" { before } else { Value::tuple([before]).unwrap() };
                before = if step == "[*]" { before } else { Value::object([("a", before)]).unwrap() };
            }
            let value = Value::dynamic();
            let outcome = rule.check(&Request::new(&value).before(&before)).unwrap();
            assert!(outcome.is_undetermined());
            asked.push((depth, count.load(Ordering::Relaxed)));
        }
        assert!(asked.iter().all(|(depth, count)| *count > 1 && *count <= 4 * depth), "{step}: {asked:?}");
    }
}

/// A rule that a known value breaks is asked again for its reasons, by each level for itself.
#[test]
fn reasons_below_many_levels_cost_in_proportion_to_their_depth() {
    let time = |depth: usize| {
        let leaves = (0..20_000).map(|i| if i == 19_999 { "y".to_owned() } else { format!("x{i}") });
        let mut value = Value::list(leaves).unwrap();
        let mut rule = Rule::at("[*]".parse().unwrap(), Rule::starts_with("x")).unwrap();
        for _ in 0..depth {
            value = Value::list([value]).unwrap();
            rule = Rule::at("[*]".parse().unwrap(), rule).unwrap();
        }
        let times = (0..5).map(|_| {
            let start = std::time::Instant::now();
            assert_eq!(rule.check_value(&value).unwrap().diagnostics().len(), 1);
            start.elapsed().as_secs_f64()
        });
        times.fold(f64::INFINITY, f64::min)
    };
    let ratio = (0..5).map(|_| time(100) / time(5)).fold(f64::INFINITY, f64::min);
    assert!(ratio < 5.0, "{ratio} times longer for 20 times as many levels above the same elements");
}

#[test]
fn the_deepest_known_values_fit_a_small_stack() {
    on_one_mebibyte(|| {
        let (mut value, mut depth) = (Value::from("a"), 0);
        while let Ok(outer) = Value::list([value.clone()]) {
            (value, depth) = (outer, depth + 1);
        }
        let depth = depth.min(limits::DEPTH - 1);
        let each = || "[*]".parse::<PathExpr>().unwrap();
        let deep = |leaf: &str| {
            (0..depth).try_fold(Rule::starts_with(leaf), |rule, _| Rule::at(each(), rule)).unwrap()
        };
        let value = (0..depth).fold(Value::from("a"), |value, _| Value::list([value]).unwrap());
        assert!(deep("a").check_value(&value).unwrap().is_pass());
        assert!(deep("b").check_value(&value).unwrap().is_fail());
    });
}
