//! Joins: a `for` that selects members by a known value, and `contains`, look members up. The answers and errors are those of a scan.

use std::collections::BTreeMap;
use std::sync::Arc;

use plantime::{Mark, Type, Value};
use plantime_hcl::unstable::{ConditionAnswer, Member, MemberFunctions, Members};
use plantime_hcl::{Expression, Limits, Scope};

/// Two functions: the members, and one scalar of each.
struct Table {
    members: Arc<Members>,
    scalars: Arc<Members>,
}

impl MemberFunctions for Table {
    fn names(&self) -> &[&str] {
        &["all", "scalars"]
    }

    fn call(&self, name: &str, _: &[Value]) -> Option<Result<Arc<Members>, String>> {
        Some(Ok(if name == "all" { self.members.clone() } else { self.scalars.clone() }))
    }
}

/// The values that a member may have at the path; `None` where it has none.
fn values() -> Vec<Option<Value>> {
    let known: [Value; 7] =
        ["a".into(), "b".into(), "7".into(), 7.into(), 8.into(), true.into(), Value::null(Type::String)];
    let mut all: Vec<Option<Value>> = known.into_iter().map(Some).collect();
    all.extend([
        Some(Value::unknown(Type::String)),
        Some(Value::unknown_not_null(Type::String).assume_string_prefix("b").unwrap()),
        Some(Value::dynamic()),
        Some(Value::from("a").mark(Mark::SENSITIVE)),
        Some(Value::list(["a"]).unwrap()),
        None,
    ]);
    all
}

/// A table of members that are drawn from these values.
fn table(seed: u64, count: usize, values: &[Option<Value>]) -> Table {
    let mut state = seed;
    let mut draw = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % below as u64) as usize
    };
    let (mut members, mut scalars) = (Vec::new(), Vec::new());
    for position in 0..count {
        let value = &values[draw(values.len())];
        let inner: Vec<(&str, Value)> = value.iter().map(|value| ("p", value.clone())).collect();
        let mut attributes = vec![("i", Value::from(position as u64)), ("o", Value::object(inner).unwrap())];
        attributes.extend(value.iter().map(|value| ("p", value.clone())));
        let member = Value::object(attributes).unwrap();
        let is_certain = draw(4) > 0;
        let made = |value: Value| if is_certain { Member::certain(value) } else { Member::possible(value) };
        members.push(made(member));
        scalars.extend(value.clone().map(made));
    }
    Table { members: Arc::new(Members::new(members)), scalars: Arc::new(Members::new(scalars)) }
}

fn answer(text: &str, table: &Table, limits: Limits) -> ConditionAnswer {
    let variables = BTreeMap::from([
        ("a".to_owned(), Value::from("a")),
        ("n".to_owned(), Value::from(7)),
        ("s".to_owned(), Value::unknown(Type::String)),
        ("none".to_owned(), Value::null(Type::String)),
        ("secret".to_owned(), Value::from("a").mark(Mark::SENSITIVE)),
    ]);
    let scope = Scope::new(&variables).with_member_functions(table).for_rules(true).with_limits(limits);
    Expression::parse(text).unwrap().evaluate_condition(&scope)
}

const CONDITIONS: &[&str] = &[
    "length([for x in T : x if x.p == K]) == 2",
    "length([for x in T : x if K == x.p]) > 1",
    "length([for x in T : x if x.o.p == K && x.i > 3]) == 0",
    "length([for x in T : x if x.i > 3 && (x.p == K)]) == 0",
    "alltrue([for x in T : x.i < 20 if x.p == K])",
    "anytrue([for i, x in T : x.i < 2 if x.p == K])",
    "alltrue([for i, x in T : i == x.i if x.p == K])",
    "sum([for x in T : x.i if x.p == K]) > 10",
    "contains(S, K)",
    "contains([for x in T : x.p], K)",
    "contains([for x in T : x.i if x.p == \"a\"], 3)",
    "contains([for x in T : try(x.p, x.i)], K)",
    "alltrue([for x in [for y in T : y.i if y.p == \"7\"] : x != 3])",
    "contains(T[*].p, K)",
    "contains(T[*].o[*].p, K)",
    "length(flatten([for x in T : [x.i] if try(x.p, 0) == \"a\"])) > 2",
];

const KEYS: &[&str] =
    &["\"a\"", "\"7\"", "7", "\"z\"", "true", "a", "n", "s", "none", "secret", "null", "[\"a\"]"];

#[test]
fn members_are_found_by_an_index_as_by_a_scan() {
    let (mut tried, mut failed, mut different) = (0, 0, Vec::new());
    let all = values();
    let strings: Vec<Option<Value>> = all
        .iter()
        .filter(|value| value.as_ref().is_some_and(|value| value.ty() == Type::String))
        .cloned()
        .collect();
    for (values, seeds) in [(all, 0..12), (strings, 12..24)] {
        for seed in seeds {
            let table = table(seed, 24, &values);
            for condition in CONDITIONS {
                for key in KEYS {
                    let text = condition.replace('K', key);
                    // The result of `concat` is no collection that several expressions share, so it has no index.
                    let shared = text.replace('T', "all()").replace('S', "scalars()");
                    let scanned =
                        text.replace('T', "concat(all(), [])").replace('S', "concat(scalars(), [])");
                    let limits = Limits::default();
                    let shown = |text: &str| {
                        let answer = answer(text, &table, limits);
                        let result = match answer.result {
                            Ok(value) => format!("{value:?}"),
                            Err(problems) => problems.first().summary().to_owned(),
                        };
                        failed += usize::from(result.starts_with(char::is_uppercase));
                        (result, answer.may_fail)
                    };
                    // The second time, what the comprehension made of the members is there.
                    let [found, again, expected] =
                        [&shared, &shared, &scanned].map(|text| text.as_str()).map(shown);
                    tried += 1;
                    if found != expected || again != expected {
                        different.push(format!("{seed} {shared}: {found:?}, by a scan {expected:?}"));
                    }
                }
            }
        }
    }
    println!("{tried} joins, {failed} results are errors, {} differ", different.len());
    assert!(different.is_empty(), "{:#?}", &different[..different.len().min(20)]);
}

#[test]
fn a_join_takes_steps_for_what_it_finds_only() {
    let values: Vec<Option<Value>> = (0..5_000).map(|at| Some(Value::from(format!("k{at}")))).collect();
    let table = table(1, 10_000, &values);
    let mut limits = Limits::default();
    (limits.iterations, limits.steps) = (200, 3_000);
    for text in ["length([for x in all() : x if x.p == \"k17\"]) < 100", "!contains(scalars(), \"absent\")"] {
        assert_eq!(
            answer(text, &table, limits).holds(),
            Some(true),
            "{text}: {:?}",
            answer(text, &table, limits)
        );
    }
    let each = "!contains([for x in all() : x.p if x.i >= 0], \"absent\")";
    assert_eq!(answer(each, &table, Limits::default()).holds(), Some(true));
    assert_eq!(answer(each, &table, limits).holds(), Some(true), "{:?}", answer(each, &table, limits));
    let scan = answer("length([for x in all() : x if x.p != \"k17\"]) < 100", &table, limits);
    assert!(scan.result.is_err_and(|problems| problems.is_limit()));
}

/// The origin of a bound value is followed without evaluating what iterates once more for each item.
#[test]
fn comparisons_of_unknowns_in_iterations_take_steps_in_proportion() {
    let ids = Value::tuple((0..2_000).map(|_| Value::unknown(Type::String))).unwrap();
    let variables =
        BTreeMap::from([("ids".to_owned(), ids), ("id".to_owned(), Value::unknown(Type::String))]);
    let mut limits = Limits::default();
    limits.steps = 200_000;
    for collection in [
        "ids",
        "try([for y in ids : y], [])",
        "[for y in [for z in ids : z] : y]",
        "true ? [for y in ids : y] : []",
    ] {
        let text = format!("length([for x in {collection} : x == id])");
        let result = Expression::parse(&text).unwrap().evaluate(&Scope::new(&variables).with_limits(limits));
        assert_eq!(result.unwrap(), Value::from(2_000), "{text}");
    }
}
