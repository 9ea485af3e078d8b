//! Rules as JSON Schema, and back: nothing is lost.

use std::collections::BTreeMap;

use plantime::rule::json_schema::{Dialect, Import, Reading, export, import};
use plantime::rule::{PathExpr, Rule};
use plantime::{Refinement, Type, TypeConstraint, Value};

use crate::laws::{Word, word};
use crate::oracle::singles;
use crate::universe::{self, Abstract};

const DIALECTS: [Dialect; 3] = [Dialect::JsonSchema, Dialect::OpenApi, Dialect::Kubernetes];

#[track_caller]
fn there_and_back(rule: &Rule, ty: &Type, dialect: Dialect) -> (Value, Import) {
    let constraint = TypeConstraint::from(ty);
    let schema = export(&constraint, rule, dialect).unwrap_or_else(|error| panic!("{rule} on {ty}: {error}"));
    let reading = Reading { dialect, ..Reading::default() };
    let read = import(&schema, None, &reading).unwrap_or_else(|error| panic!("{schema}: {error}"));
    assert_eq!(read.constraint, constraint, "{schema}");
    assert!(read.unsupported.is_empty(), "{rule}: {schema} loses {:?}", read.unsupported);
    (schema, read)
}

fn by_type() -> BTreeMap<Type, Vec<Abstract>> {
    let mut types: BTreeMap<Type, Vec<Abstract>> = BTreeMap::new();
    for value in universe::all() {
        types.entry(value.value.ty()).or_default().push(value);
    }
    types
}

/// The answers of a rule and of what was read back are the same; what it holds for lies within the refinement.
fn same_answers<'a>(
    rule: &Rule,
    ty: &Type,
    values: impl Iterator<Item = &'a Abstract>,
    schema: &Value,
    read: &Import,
) -> usize {
    let mut count = 0;
    for Abstract { value, gamma } in values {
        count += 1;
        assert_eq!(
            word(&read.rule, value),
            word(rule, value),
            "{rule} on {value:?}\n{schema}\n{}",
            read.rule
        );
        for c in gamma {
            let c = c.to_value();
            if c.ty() != *ty {
                continue;
            }
            let expected = word(rule, &c);
            assert_eq!(word(&read.rule, &c), expected, "{rule} on {c:?}\n{schema}\n{}", read.rule);
            if expected == Word::Pass {
                assert!(
                    c.assume(&read.refinement).is_ok(),
                    "{c:?} is not within {}, but {rule}",
                    read.refinement
                );
            }
        }
    }
    count
}

#[test]
fn what_is_exported_and_imported_gives_the_same_answers() {
    let types = by_type();
    let mut count = 0;
    for case in singles() {
        for (ty, values) in &types {
            if case.rule.check_type(ty).is_err() {
                continue;
            }
            for dialect in DIALECTS {
                let (schema, read) = there_and_back(&case.rule, ty, dialect);
                count += same_answers(&case.rule, ty, values.iter(), &schema, &read);
            }
            // Combinators are longer to decide and the same in all dialects, but for null.
            for (rule, dialect) in [
                (Rule::all([Rule::NotNull, case.rule.clone()]), Dialect::JsonSchema),
                (Rule::not(case.rule.clone()), Dialect::OpenApi),
                (Rule::any([Rule::IsNull, case.rule.clone()]), Dialect::Kubernetes),
            ] {
                // A negation that no value breaks is refused when it is made: null passes it.
                let Ok(rule) = rule else {
                    let all = values.iter().flat_map(|value| &value.gamma);
                    let held: Vec<_> =
                        all.filter(|c| (case.holds)(c) == Some(true) && !c.is_null()).collect();
                    assert!(held.is_empty(), "not({}) is refused, but {held:?} would break it", case.rule);
                    continue;
                };
                let (schema, read) = there_and_back(&rule, ty, dialect);
                count += same_answers(&rule, ty, values.iter().step_by(3), &schema, &read);
            }
        }
    }
    println!("{count} answers compared");
    assert!(count > 100_000, "only {count} answers");
}

#[test]
fn rules_on_parts_and_across_them_come_back() {
    let path = |text: &str| text.parse::<PathExpr>().unwrap();
    let ty: Type = "object({a=string,b=string,c=list(object({d=number}))})".parse().unwrap();
    let inner: Type = "object({d=number})".parse().unwrap();
    let texts = || {
        let unknown = Value::unknown(Type::String);
        let some = Refinement::prefix("x").and_not_null();
        [
            Value::null(Type::String),
            unknown,
            Value::refined(Type::String, some).unwrap(),
            "x".into(),
            "yyy".into(),
        ]
    };
    let item = |d: Value| Value::object([("d", d)]).unwrap();
    let lists = [
        Value::null(Type::list(inner.clone()).unwrap()),
        Value::unknown(Type::list(inner.clone()).unwrap()),
        Value::list_of(inner.clone(), Vec::<Value>::new()).unwrap(),
        Value::list_of(inner.clone(), [Value::null(inner.clone()), item(1.into())]).unwrap(),
        Value::list_of(inner.clone(), [item(Value::null(Type::Number)), item(Value::unknown(Type::Number))])
            .unwrap(),
        Value::list_of(inner.clone(), [item(2.into()), Value::unknown(inner.clone())]).unwrap(),
    ];
    let mut values = vec![Value::null(ty.clone()), Value::unknown(ty.clone())];
    values.push(Value::refined(ty.clone(), Refinement::not_null()).unwrap());
    for a in texts() {
        for b in texts() {
            for c in &lists {
                values.push(Value::object([("a", a.clone()), ("b", b.clone()), ("c", c.clone())]).unwrap());
            }
        }
    }
    let both = || vec![path("a"), path("b")];
    let at = |text: &str, rule: Rule| Rule::at(path(text), rule).unwrap();
    let rules = [
        at("a", Rule::NotNull),
        at("a", Rule::IsNull),
        at("a", Rule::starts_with("x")),
        at("a", Rule::all([Rule::NotNull, Rule::max_len(2)]).unwrap()),
        at("c", Rule::min_len(1)),
        at("c[*]", Rule::NotNull),
        at("c[*].d", Rule::NotNull),
        at("c[*].d", Rule::min(2)),
        at("c[0].d", Rule::NotNull),
        at("c", at("[*]", at("d", Rule::NotNull))),
        at("", Rule::NotNull),
        Rule::all([at("a", Rule::NotNull), at("b", Rule::len(1)), at("a", Rule::max_len(2))]).unwrap(),
        Rule::any([at("a", Rule::NotNull), at("b", Rule::len(1))]).unwrap(),
        Rule::not(at("a", Rule::NotNull)).unwrap(),
        Rule::implies(at("a", Rule::NotNull), at("b", Rule::NotNull)).unwrap(),
        Rule::when(at("a", Rule::equals("x")), at("c[*].d", Rule::NotNull)).unwrap(),
        Rule::exactly_one_of(both()),
        Rule::at_least_one_of(both()),
        Rule::conflicting(both()),
        Rule::required_together(both()),
        Rule::exactly_one_of([path("a"), path("c[*].d")]),
    ];
    let all: Vec<Abstract> = values
        .into_iter()
        .map(|value| Abstract { value, gamma: std::collections::BTreeSet::new() })
        .collect();
    for rule in &rules {
        for rule in [rule.clone(), Rule::all([Rule::NotNull, rule.clone()]).unwrap()] {
            for dialect in DIALECTS {
                let (schema, read) = there_and_back(&rule, &ty, dialect);
                same_answers(&rule, &ty, all.iter(), &schema, &read);
            }
        }
    }
}
