//! Checking is linear, and nothing overflows a small stack.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use plantime::rule::set::{Edit, Guard, NodeKind, PLACES, RuleSet, RuledType};
use plantime::rule::{Custom, Rule};
use plantime::{Type, Value, limits};

/// Runs on a small stack, as the limits promise.
fn on_one_mebibyte(test: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(1 << 20).spawn(test).unwrap().join().unwrap();
}

/// A list in a list and so on, as deep as may be, with rules at each level.
fn deepest() -> (RuledType, usize) {
    let mut ty = Type::String;
    while let Ok(outer) = Type::list(ty.clone()) {
        ty = outer;
    }
    let depth = ty.depth();
    let mut ruled = RuledType::new(ty);
    for level in 0..=depth {
        let node = "[*]".repeat(level);
        let set = RuleSet::new([Rule::NotNull, Rule::min_len(1)]);
        ruled = ruled.at(&node, set.when(Guard::root(Rule::NotNull))).unwrap();
    }
    (ruled, depth)
}

#[test]
fn the_deepest_types_fit_a_small_stack() {
    on_one_mebibyte(|| {
        let (ruled, depth) = deepest();
        assert!(depth >= limits::DEPTH - 1, "{depth}");
        let ty = ruled.constraint().to_type();
        // Unknown at the top, and known all the way down.
        let report = ruled.check(&Value::unknown(ty.clone())).unwrap();
        assert!(report.outcome().is_undetermined() && report.answers().len() > depth - 4);
        let mut value = Value::from("");
        while let Ok(outer) = Value::list([value.clone()]) {
            value = outer;
        }
        let report = ruled.check(&value).unwrap();
        assert_eq!(report.diagnostics().len(), 1);
        assert!(report.ytt().len() > depth && !format!("{report:?} {:#?}", report.to_value()).is_empty());
        // As one rule it is too deep, which is an error and no more.
        assert!(ruled.to_rule().unwrap_err().is_limit());
        // In layers.
        let over = RuledType::new(ty)
            .defaults_for("", NodeKind::List, RuleSet::new([Rule::max_len(9)]))
            .unwrap()
            .edit("[*]", Edit::Merge(RuleSet::new([Rule::max_len(9)])))
            .unwrap();
        let both = ruled.overlay(&over).unwrap();
        assert_eq!(both.check(&value).unwrap().diagnostics().len(), 1);
        drop((both, over, ruled));
    });
}

/// Objects in one another: each level has an attribute of its own beside the next one.
#[test]
fn the_deepest_objects_are_laid_over_each_other_on_a_small_stack() {
    on_one_mebibyte(|| {
        let mut ty: plantime::TypeConstraint = Type::String.into();
        let mut other = ty.clone();
        let object = |name: &str, inner: &plantime::TypeConstraint| {
            let attribute = plantime::AttributeConstraint::optional(inner.clone());
            let own = plantime::AttributeConstraint::required(Type::Bool);
            plantime::TypeConstraint::object([("a", attribute), (name, own)])
        };
        while let (Ok(outer), Ok(over)) = (object("b", &ty), object("c", &other)) {
            (ty, other) = (outer, over);
        }
        let both = RuledType::new(ty).overlay(&RuledType::new(other)).unwrap();
        assert!(both.constraint().to_type().depth() >= limits::DEPTH - 1);
        assert!(both.constraint().to_string().starts_with("object({a = optional(object({"));
    });
}

#[test]
fn rules_stand_at_so_many_places_and_no_more() {
    // Sixty pairs of pairs: few types, and more nodes than can be counted.
    let mut ty = Type::String;
    for _ in 0..20 {
        ty = Type::tuple([ty.clone(), ty]).unwrap();
    }
    let ruled = RuledType::new(ty);
    let start = Instant::now();
    let error = ruled.defaults_for("", NodeKind::String, RuleSet::new([Rule::min_len(1)])).unwrap_err();
    assert!(error.is_limit() && error.to_string().contains(&PLACES.to_string()), "{error}");
    assert!(start.elapsed().as_secs() < 20);
}

/// Ten times as many take about ten times as long; a hundred times where each looks at all others.
#[track_caller]
fn linear(check: impl Fn(&Value), value: impl Fn(usize) -> Value) {
    let time = |count: usize| {
        let value = value(count);
        let times = (0..4).map(|_| {
            let start = Instant::now();
            check(&value);
            start.elapsed().as_secs_f64()
        });
        times.fold(f64::INFINITY, f64::min)
    };
    let mut ratio = f64::INFINITY;
    for _ in 0..6 {
        ratio = ratio.min(time(10_000) / time(1_000).max(0.0005));
        if ratio < 40.0 {
            return;
        }
    }
    panic!("{ratio} times longer for ten times as many");
}

#[test]
fn many_elements_cost_linear_time() {
    let on = Rule::at("on".parse().unwrap(), Rule::equals(true)).unwrap();
    let ty =
        "object({ on = bool, items = list(object({ name = string, port = number, tags = map(string) })) })";
    let ruled = super::ruled(ty)
        .at("items[*].name", RuleSet::new([Rule::NotNull, Rule::starts_with("x")]).when(Guard::root(on)))
        .unwrap()
        .at("items[*].port", RuleSet::new([Rule::port()]).when(Guard::parent(Rule::NotNull)))
        .unwrap()
        .at("items[*].tags[*]", RuleSet::new([Rule::max_len(3)]))
        .unwrap()
        .at("items", RuleSet::new([Rule::min_len(1)]))
        .unwrap();
    let items = |count: usize| {
        let item = |i: usize| {
            let name =
                if i.is_multiple_of(3) { Value::unknown(Type::String) } else { Value::from(i.to_string()) };
            let tags = Value::map([("k", "long"), ("l", "s")]).unwrap();
            Value::object([("name", name), ("port", Value::from(i % 7)), ("tags", tags)]).unwrap()
        };
        let items = Value::list((0..count).map(item)).unwrap();
        Value::object([("on", Value::unknown(Type::Bool)), ("items", items)]).unwrap()
    };
    linear(|value| assert!(ruled.check(value).unwrap().outcome().is_fail()), items);
    linear(|value| assert!(!ruled.check(value).unwrap().ytt().is_empty()), items);
}

/// Members of a set that are not known yet have no place that could be looked up quickly.
#[test]
fn guards_on_the_parents_of_undecided_members_cost_linear_time() {
    let on = Rule::at("on".parse().unwrap(), Rule::equals(true)).unwrap();
    let ruled = super::ruled("set(object({ on = bool, name = string }))")
        .at("[*].name", RuleSet::new([Rule::starts_with("x")]).when(Guard::parent(on)))
        .unwrap();
    linear(
        |value| assert!(ruled.check(value).unwrap().outcome().is_undetermined()),
        |count| {
            let member = |i: usize| {
                let on = if i.is_multiple_of(2) { Value::unknown(Type::Bool) } else { true.into() };
                Value::object([("on", on), ("name", Value::from(format!("x{}", i % 7)))]).unwrap()
            };
            let open = Value::object([("on", true.into()), ("name", Value::unknown(Type::String))]).unwrap();
            Value::set((0..count / 10).map(member).chain(std::iter::repeat_n(open, count))).unwrap()
        },
    );
}

/// Parts without rules are not walked, however many.
#[test]
fn what_has_no_rules_costs_nothing() {
    let ruled = super::ruled("object({ a = string, rest = list(list(string)) })")
        .at("a", RuleSet::new([Rule::min_len(1)]))
        .unwrap();
    let row = Value::list(vec!["x"; 1000]).unwrap();
    let value = Value::object([("a", "x".into()), ("rest", Value::list(vec![row; 1000]).unwrap())]).unwrap();
    let start = Instant::now();
    (0..100).for_each(|_| assert!(ruled.check(&value).unwrap().outcome().is_pass()));
    assert!(start.elapsed().as_secs_f64() < 1.0, "{:?}", start.elapsed());
}

#[test]
fn a_guard_is_evaluated_once_for_each_place_and_no_rule_where_it_does_not_hold() {
    for (holds, evaluated) in [(true, 6), (false, 0)] {
        let (guards, rules) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let counting = |count: &Arc<AtomicUsize>, answer: bool| {
            let count = Arc::clone(count);
            let check = move |_: &Value| {
                count.fetch_add(1, Ordering::Relaxed);
                answer
            };
            Rule::Custom(Custom::of("counting", check))
        };
        let set = RuleSet::new([counting(&rules, true), counting(&rules, true)]);
        let set = set.when(Guard::value(counting(&guards, holds)));
        let ty = RuledType::new(Type::list(Type::String).unwrap()).at("[*]", set).unwrap();
        let report = ty.check(&Value::list(["a", "b", "c"].map(Value::from)).unwrap()).unwrap();
        assert_eq!(report.passed(), 6);
        let counted = [guards, rules].map(|count| count.load(Ordering::Relaxed));
        assert_eq!(counted, [3, evaluated]);
    }
}
