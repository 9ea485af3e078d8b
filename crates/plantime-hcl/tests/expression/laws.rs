//! The laws of plantime by exhaustion for each kind of expression: operands of small universes.
use std::collections::BTreeMap;
use std::sync::OnceLock;

use plantime::testing::{Domain, Report};
use plantime::{Mark, Value, testing};
use plantime_hcl::{Diagnostic, Diagnostics, Expression, Scope};

use super::witnesses::{collections_of_objects, containers, more_witnesses, witnesses};

fn evaluate(expression: &Expression, operands: &[&Value]) -> Result<Value, Diagnostics> {
    let names = ["a", "b", "c"];
    let variables: BTreeMap<String, Value> =
        names.iter().zip(operands).map(|(name, value)| ((*name).to_owned(), (*value).clone())).collect();
    expression.evaluate(&Scope::new(&variables))
}

/// The same abstract values, which may become more values.
fn with_concretes(domain: &Domain, more: impl IntoIterator<Item = Value>) -> Domain {
    Domain::new(domain.abstracts().cloned(), domain.concretes().cloned().chain(more))
}

fn medium() -> Domain {
    static MADE: OnceLock<Domain> = OnceLock::new();
    MADE.get_or_init(|| with_concretes(&Domain::medium(), witnesses())).clone()
}

fn nested() -> Domain {
    static MADE: OnceLock<Domain> = OnceLock::new();
    MADE.get_or_init(|| with_concretes(&Domain::nested(), witnesses())).clone()
}

fn small() -> Domain {
    static MADE: OnceLock<Domain> = OnceLock::new();
    MADE.get_or_init(|| with_concretes(&Domain::small(), witnesses())).clone()
}

/// Few scalars, and texts that convert or change what stands before them.
fn scalars() -> Domain {
    static MADE: OnceLock<Domain> = OnceLock::new();
    let texts =
        || ["true", "false", "0", "1", "2", "-1", "-2", "inf", "-inf", "\u{301}", "\u{307}"].map(Value::from);
    MADE.get_or_init(|| with_concretes(&Domain::scalars(), texts())).clone()
}

fn wide_medium() -> Domain {
    static MADE: OnceLock<Domain> = OnceLock::new();
    MADE.get_or_init(|| with_concretes(&medium(), more_witnesses(false))).clone()
}

fn wide_nested() -> Domain {
    static MADE: OnceLock<Domain> = OnceLock::new();
    MADE.get_or_init(|| with_concretes(&nested(), more_witnesses(false))).clone()
}

fn wide_small() -> Domain {
    static MADE: OnceLock<Domain> = OnceLock::new();
    MADE.get_or_init(|| with_concretes(&small(), more_witnesses(true))).clone()
}

/// Few scalars, which may become tuples where their type is not decided.
fn scalars_or_tuples() -> Domain {
    static MADE: OnceLock<Domain> = OnceLock::new();
    let tuples = || [Value::tuple(Vec::<Value>::new()).unwrap(), Value::tuple([true]).unwrap()];
    MADE.get_or_init(|| with_concretes(&scalars(), tuples())).clone()
}

/// Few scalars, which may become containers where their type is not decided.
fn wide_scalars() -> Domain {
    static MADE: OnceLock<Domain> = OnceLock::new();
    MADE.get_or_init(|| with_concretes(&scalars(), containers())).clone()
}

/// Few scalars that may become all that small values are where their type is not decided.
fn scalars_beside_small() -> Domain {
    static MADE: OnceLock<Domain> = OnceLock::new();
    MADE.get_or_init(|| {
        let small = Domain::small();
        with_concretes(&wide_scalars(), small.concretes().cloned().chain(collections_of_objects()))
    })
    .clone()
}

/// All laws, but that of marks where only precision is looked at.
fn quick(proof: testing::Proof<'_>) -> Report {
    if std::env::var_os("EVERY").is_some() { proof.without_marks().report() } else { proof.report() }
}

/// All laws on one domain; and all but the law of marks, which takes most of the time, on a wide one. What is imprecise is counted there.
/// Only that where `EVERY` is set.
fn on_both(narrow: testing::Proof<'_>, wide: testing::Proof<'_>) -> Report {
    let mut report = wide.without_marks().report();
    if std::env::var_os("EVERY").is_none() {
        report.violations.extend(narrow.report().violations);
    }
    report
}

/// The numbers of answers of an expression that may be less precise than possible: values that could say more, and values where
/// all that can come of it is an error. `precision.tsv` lists them; they only shrink.
fn accepted(text: &str) -> (usize, usize) {
    let rows = include_str!("precision.tsv").lines().filter(|row| !row.starts_with('#'));
    let found = rows.map(|row| row.split('\t').collect::<Vec<_>>()).find(|cells| cells[0] == text);
    found.map_or((0, 0), |cells| (cells[1].parse().unwrap(), cells[2].parse().unwrap()))
}

/// The greatest share of values that may be less precise than possible, of one expression.
const MOST_IMPRECISE: f64 = 0.007;

#[test]
fn the_ledger_of_expressions_has_at_most_nine_rows() {
    let rows = include_str!("precision.tsv").lines().filter(|row| !row.starts_with('#'));
    let all: Vec<&str> =
        CONSTRUCTS_OF_TWO_OPERANDS.iter().chain(UNARY).chain(OPERATORS).chain(TERNARY).copied().collect();
    let rows: Vec<&str> = rows.map(|row| row.split('\t').next().unwrap()).collect();
    assert!(rows.len() <= 9, "{rows:#?}");
    assert!(rows.iter().all(|row| all.contains(row)), "{rows:#?}");
}

fn check(texts: &[&str], report: impl Fn(&Expression, &str) -> Report) {
    let mut broken = Vec::new();
    let only = std::env::var("ONLY").unwrap_or_default();
    for text in texts.iter().filter(|text| text.contains(&only)) {
        let expression = Expression::parse(text).unwrap_or_else(|problems| panic!("{text}: {problems}"));
        let mut report = report(&expression, text);
        // What an operand of another type gives does not depend on what is behind its mark, nor does a result that is not
        // chosen, and an element keeps its marks to itself.
        let by_type = [
            "try(",
            "can(",
            "&&",
            "||",
            "true ?",
            "false ?",
            "[a",
            "x = a",
            "y = b",
            " ? ",
            "x == b",
            "k => b",
            "(a) = b",
            "if b",
            "%{ else }${b}",
            // Nothing is evaluated for an empty collection.
            "a[*][",
            "${x[b]}",
        ]
        .iter()
        .any(|form| text.contains(form));
        report.violations.retain(|violation| !(by_type && violation.example.contains("the mark is lost")));
        // The conversion of a set whose members are all the same to a list is not monotonic; see `convert`.
        let is_set = |violation: &testing::Violation| {
            violation.law == testing::Law::Monotonicity
                && violation.kinds.iter().any(|kind| kind.starts_with("partial set("))
        };
        let of_sets: usize = report
            .violations
            .iter()
            .filter(|violation| is_set(violation))
            .map(|violation| violation.count)
            .sum();
        report.violations.retain(|violation| !(of_sets <= 12 && is_set(violation)));
        // A list or map of untyped nulls is never wholly known; see DESIGN.
        report.violations.retain(|violation| {
            let result = violation.example.rsplit_once(" = ").map_or("", |(_, result)| result);
            violation.law != testing::Law::KnownInKnownOut || !result.contains("null(")
        });
        println!("{report}");
        if std::env::var_os("EVERY").is_some() {
            for kind in &report.imprecise {
                println!("KIND {} {:?} {}", kind.count, kind.kinds, kind.example.replace('\n', " ## "));
            }
        }
        let of = |is_failure: bool| {
            let kinds = report.imprecise.iter();
            let wanted = kinds.filter(|kind| (kind.law == testing::Law::CertainFailure) == is_failure);
            wanted.map(|kind| kind.count).sum::<usize>()
        };
        let (values, failures) = (of(false), of(true));
        if values + failures > 0 {
            let share = |count: usize| 100.0 * count as f64 / report.abstract_calls.max(1) as f64;
            println!("PRECISION\t{text}\t{values}\t{failures}");
            println!("{text}: values {:.2} %, errors {:.2} %", share(values), share(failures));
        }
        if values.max(failures) as f64 > MOST_IMPRECISE * report.abstract_calls as f64 {
            println!("TOO OFTEN {text}: {values} values, {failures} errors");
            broken.push(*text);
        }
        let (accepted_values, accepted_failures) = accepted(text);
        if values > accepted_values || failures > accepted_failures {
            println!("LESS PRECISE {text}: accepted are {accepted_values} and {accepted_failures}");
            broken.push(*text);
        }
        if !report.violations.is_empty() {
            broken.push(*text);
        }
    }
    assert!(broken.is_empty(), "{} of {}: {broken:#?}", broken.len(), texts.len());
}

const UNARY: &[&str] = &[
    "a",
    "(a)",
    "[a, 1]",
    "{ x = a }",
    "{ (a) = 1 }",
    "{ (a) = 1, x = 2 }",
    "a.a",
    "a[\"a\"]",
    "a[0]",
    "a[\"0\"]",
    "a[-1]",
    "a[0.5]",
    "a[null]",
    "a[true]",
    "[1, 2][a]",
    "{ a = 1, b = 2 }[a]",
    "a.0",
    "a[*]",
    "a[*].a",
    "a[*][0]",
    "a.*.a",
    "a.*.a[0]",
    "try(element([a, 1], 1), 2)",
    "try(keys({ x = a }), 1)",
    "try(slice([a, 1], 1, 2), 2)",
    "try(contains([a, 1], 1), 2)",
    "[for x in a : x]",
    "[for k, x in a : k]",
    "{ for k, x in a : k => x }",
    "{ for x in a : x => 1... }",
    "{ for x in a : x => 1 }",
    "[for x in a : x if x]",
    "[for x in a : 1 if x == true]",
    "[for x in [1, 2] : x if a]",
    "[for x in a : !x]",
    "{ for x in [1, 2] : a => x... }",
    "{ for x in [1, 2] : a => x }",
    "\"${a}\"",
    "\"p${a}\"",
    "\"${a}s\"",
    "\"p${a}s${a}\"",
    "\"%{ if a }x%{ else }xy%{ endif }\"",
    "\"%{ for x in a }${x},%{ endfor }\"",
    "\"%{ for k, x in a }${k}%{ endfor }z\"",
    "-a",
    "!a",
    "a + 1",
    "a < 1",
    "a == null",
    "a != 1",
    "a && true",
    "a && false",
    "a || true",
    "a || false",
    "null && a",
    "a || null",
    "null || a",
    "a ? 1 : 2",
    "a ? 1 : \"x\"",
    "a ? [1] : null",
    "true ? a : \"x\"",
    "true ? a : 1",
    "true ? a : null",
    "false ? a : null",
    "true ? \"x\" : a",
    "true ? 1 : a",
    "true ? [true] : a",
    "true ? null : a",
    "a ? a : a",
    "a == null ? 1 : a",
    "a != null && a.a",
    "a == null || a.a == 1",
    "try(a, 1)",
    "try(a.a, 1)",
    "try(a[0], null)",
    "try(a + 1, \"d\")",
    "try(!a, 1)",
    "try(a.a, a[0], a)",
    "can(a.a)",
    "can(a + 1)",
    "can(a[0])",
    "can(a)",
    "can(\"${a}\")",
    "try(length(a), 1)",
    "try([for x in a : !x], 1)",
    "try(a[*].a, 1)",
    "try(a ? 1 : 1, 2)",
    "try({ (a) = 1 }, 2)",
    "can([for x in a : x if x])",
    "can(a ? 1 : 2)",
    "can({ for x in [1, 2] : a => 1 })",
    "try(true ? a : [1], 2)",
    "can(a && true)",
    "can(a || true)",
    "try(\"%{ if a }x%{ endif }\", 1)",
    "convert(a, list(string))",
    "convert(a, set(bool))",
    "convert(a, object({ a = optional(bool, true) }))",
    "convert(a, any)",
    "max(a...)",
    "concat(a...)",
    "merge(a...)",
    "coalesce(a...)",
    "length(a)",
    "length(a[*])",
    "one(a[*])",
    "upper(a)",
    "keys(a)",
];

#[test]
fn expressions_of_one_operand() {
    check(UNARY, |expression, text| {
        let proof = || testing::unary(text, |a| evaluate(expression, &[a])).types_follow_values();
        on_both(proof().on([medium()]).on([nested()]), proof().on([wide_medium()]).on([wide_nested()]))
    });
}

const OPERATORS: &[&str] = &[
    "[a, b]",
    "{ x = a, y = b }",
    "{ (a) = b }",
    "a == b",
    "a && b",
    "a || b",
    "a + b",
    "a < b",
    "a[b]",
    "b ? a : 5",
    "b ? a : null",
    "true ? a : b",
    "false ? a : b",
    "a != null && b",
];

const CONSTRUCTS_OF_TWO_OPERANDS: &[&str] = &[
    "\"${a}${b}\"",
    "try(a, b)",
    "try(a.a, b)",
    "try(a[b], 1)",
    "can(a[b])",
    "[for x in a : x == b]",
    "[for x in a : x if b]",
    "{ for x in [a, b] : x => 1 }",
    "{ for x in [a, b] : x => 1... }",
    "{ for k, x in a : k => b }",
    "[for x in [a, b] : x if x]",
    "\"%{ if a }x%{ else }${b}%{ endif }\"",
    "max(a, b...)",
    // Each iteration may fail, for a reason that is behind a mark.
    "length(a[*][b])",
    "\"%{ for x in a }${x[b]}%{ endfor }\"",
    "[for k in [b] : length(a[*][k])]",
    "[for k in [b] : can(a[k])]",
    "try(a && b, 1)",
    "can(a == b ? 1 : 2)",
];

/// Two tests, so that two processors share the work.
fn check_two_operands(texts: &[&str]) {
    check(texts, |expression, text| {
        let proof = || testing::binary(text, |a, b| evaluate(expression, &[a, b])).types_follow_values();
        let on = |small: Domain, scalars: Domain| {
            proof().on([small.clone(), scalars.clone()]).on([scalars, small])
        };
        match text {
            // All pairs of values are different results of these.
            "[a, b]" | "{ x = a, y = b }" => quick(on(Domain::small(), Domain::scalars())),
            // On the wide domains there are more different results than are told apart.
            "{ (a) = b }" => quick(on(small(), scalars())),
            "{ for k, x in a : k => b }" => quick(on(small(), scalars_or_tuples())),
            "a == b" | "true ? a : b" | "false ? a : b" => {
                let small_or_objects = with_concretes(&Domain::small(), collections_of_objects());
                on_both(on(small(), scalars()), on(small_or_objects, scalars_beside_small()))
            }
            _ => on_both(on(small(), scalars()), on(wide_small(), wide_scalars())),
        }
    });
}

#[test]
fn operators_with_two_operands() {
    check_two_operands(OPERATORS);
}

#[test]
fn other_expressions_of_two_operands() {
    check_two_operands(CONSTRUCTS_OF_TWO_OPERANDS);
}

const TERNARY: &[&str] = &[
    "c ? a : b",
    "a && b || c",
    "try(a + b, c)",
    "[for x in [a, b] : x if c]",
    "\"${a}-${b}${c}\"",
    "a == b ? c : 1",
];

#[test]
fn expressions_of_three_operands() {
    check(TERNARY, |expression, text| {
        quick(
            testing::variadic(text, |operands| evaluate(expression, operands))
                .on([scalars(), scalars(), scalars()])
                .types_follow_values(),
        )
    });
}

/// What is shown of the result of an expression: its value, its type and its error.
fn shown(expression: &Expression, secret: &Value) -> (String, String) {
    let secret = secret.clone().mark(Mark::SENSITIVE);
    match evaluate(expression, &[&secret]) {
        Ok(value) => (value.to_string(), value.visible_type()),
        Err(problems) => {
            let values = problems.iter().flat_map(Diagnostic::values).map(|value| format!("{value:?}"));
            (problems.to_string(), values.collect())
        }
    }
}

/// Two contents behind one mark look alike, of values and of their types. Unless one lets the expression fail: then that alone differs.
#[test]
fn two_contents_behind_one_mark_look_alike() {
    let object = |names: &[&str]| Value::object(names.iter().map(|name| (*name, Value::from(1)))).unwrap();
    let tuple = |length: u64| Value::tuple((0..length).map(Value::from)).unwrap();
    let universes: [(&[Value], &[&str]); 3] = [
        (
            &[object(&["a"]), object(&["b"]), object(&["a", "b"]), object(&[])],
            &[
                "a",
                "[a]",
                "{ x = a }",
                "a.a",
                "a.nope",
                "a[\"a\"]",
                "can(a.a)",
                "can(a.nope)",
                "try(a.a, 1)",
                "keys(a)",
                "length(a)",
                "length(a[*])",
                "one(a[*])",
                "[for k, v in a : k]",
                "[for v in a : can(v.a)]",
                "can([for v in a : v.a])",
                "a[*].a",
                "merge(a, { c = 1 })",
                "lookup(a, \"a\")",
                "lookup(a, \"nope\")",
                "can(lookup(a, \"a\"))",
                "a + 1",
                "\"${a}\"",
                "can(upper(a))",
                "a ? 1 : 2",
                "[for x in [a] : can(x.a)]",
                "can([for x in [a] : x.b])",
                "[a][*].a",
                "can([a][*].a)",
                "tostring(a)",
                "can(tomap(a))",
            ],
        ),
        (
            &[tuple(0), tuple(1), tuple(2)],
            &[
                "a",
                "[a]",
                "a[0]",
                "a[1]",
                "can(a[0])",
                "try(a[1], 1)",
                "length(a)",
                "length(a[*])",
                "one(a)",
                "one(a[*])",
                "[one(a)]",
                "tolist([one(a)])",
                "try(a[0], null)",
                "try(a[0], \"x\")",
                "try(one(a).x, one(a))",
                "[for x in a : x]",
                "can(element(a, 0))",
                "a[*]",
                "can(one(a))",
                "max(a...)",
                "can(max(a...))",
                "can(a.x)",
                "tolist(a)[0]",
                "can(tolist(a)[0])",
            ],
        ),
        (
            &[
                Value::from("a"),
                Value::from("b"),
                Value::from("{\"a\": 1}"),
                Value::from("[1]"),
                Value::from("2"),
            ],
            &[
                "{ (a) = 1 }",
                "{ (a) = 1 }.a",
                "{ (a) = 1 }.b",
                "can({ (a) = 1 }.a)",
                "try({ (a) = 1 }.a, 2)",
                "can(jsondecode(a))",
                "can(jsondecode(a).a)",
                "[{ (a) = 1 }]",
                "zipmap([a], [1])",
                "can(zipmap([a], [1]).a)",
                "{ for k in [a] : k => 1 }",
                "can({ for k in [a] : k => 1 }.a)",
                "{ a = 1 }[a]",
                "can({ a = 1 }[a])",
                "tonumber(a)",
                "can(tonumber(a))",
                "regex(\"(?P<x>a)\", a)",
                "can(regex(\"b\", a))",
                "csvdecode(a)",
                "[1, 2][a]",
                "{ a = 1, b = \"x\" }[a]",
                "can([1, 2][a])",
            ],
        ),
    ];
    let mut different = Vec::new();
    for (contents, texts) in universes {
        for text in texts {
            let expression = Expression::parse(text).unwrap_or_else(|problems| panic!("{text}: {problems}"));
            let succeeds =
                |content: &Value| evaluate(&expression, &[&content.clone().mark(Mark::SENSITIVE)]).is_ok();
            for fails in [false, true] {
                let alike = contents.iter().filter(|content| succeeds(content) != fails);
                let shown: std::collections::BTreeSet<_> =
                    alike.map(|content| shown(&expression, content)).collect();
                if shown.len() > 1 {
                    different.push(format!("{text}: {shown:#?}"));
                }
            }
        }
    }
    assert!(different.is_empty(), "{} expressions: {}", different.len(), different.join("\n"));
}
