//! Nothing about rules overflows the stack or grows out of proportion.

use plantime::rule::{PathExpr, Request, Rule};
use plantime::{Type, Value, limits};

/// Runs on a small stack, as the limits promise.
fn on_one_mebibyte(test: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(1 << 20).spawn(test).unwrap().join().unwrap();
}

fn nested(depth: usize, around: impl Fn(Rule) -> plantime::Result<Rule>) -> plantime::Result<Rule> {
    (1..depth).try_fold(Rule::StartsWith("a".into()), |rule, _| around(rule))
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
        let rule = Rule::at(path.parse().unwrap(), Rule::StartsWith("a".into())).unwrap();
        let outcome = rule.check_value(&value).unwrap();
        assert!(outcome.is_undetermined() && !outcome.to_string().is_empty());
        assert!(Rule::Equals(value.clone()).check_value(&value).unwrap().is_undetermined());
        assert!(Rule::Contains(Value::from("a")).check_value(&value).is_err());
    });
}

#[test]
fn finite_values_of_great_depth_are_not_counted_out() {
    on_one_mebibyte(|| {
        let mut value = Value::unknown(Type::Bool);
        while let Ok(outer) = Value::tuple([value.clone()]) {
            value = outer;
        }
        assert!(Rule::OneOf(vec![value.clone()]).check_value(&value).unwrap().is_undetermined());
        let ty = value.ty();
        assert!(Rule::OneOf(vec![value]).check_value(&Value::unknown(ty)).unwrap().is_undetermined());
    });
}

/// Ten times as many elements take ten times as long; a hundred times where each looks at all others.
///
/// A few tries: while others have the processor, the longer work is cut into pieces and the shorter is not.
#[track_caller]
fn linear(check: impl Fn(&Value), value: impl Fn(usize) -> Value) {
    let mut ratio = f64::INFINITY;
    for _ in 0..6 {
        ratio = ratio.min(ratio_once(&check, &value));
        if ratio < 60.0 {
            return;
        }
    }
    panic!("{ratio} times longer for ten times as many");
}

/// How many times longer ten times as many elements take, each time at its best.
fn ratio_once(check: impl Fn(&Value), value: impl Fn(usize) -> Value) -> f64 {
    let time = |count: usize| {
        let value = value(count);
        let times = (0..5).map(|_| {
            let start = std::time::Instant::now();
            check(&value);
            start.elapsed().as_secs_f64()
        });
        times.fold(f64::INFINITY, f64::min)
    };
    time(40_000) / time(4_000).max(0.001)
}

#[test]
fn many_elements_cost_linear_time() {
    let rule =
        Rule::at("[*]".parse().unwrap(), Rule::all([Rule::NotNull, Rule::StartsWith("x".into())]).unwrap())
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
                assert!(Rule::Contains(true.into()).check_value(value).unwrap().is_undetermined());
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
    linear(
        |value| assert!(rule.check_value(value).unwrap().is_pass()),
        |count| Value::tuple((0..count).map(|i| Value::object([(format!("a{i}"), i)]).unwrap())).unwrap(),
    );
}
