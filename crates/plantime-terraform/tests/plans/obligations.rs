//! What a check leaves open, verified on the states that real applies left: in the collection of real plans, and in the
//! bundled example beside it.

use std::fs;
use std::path::{Path, PathBuf};

use plantime::rule::{Rule, Severity};
use plantime::source::{Position, Source};
use plantime::{Type, Value};
use plantime_schema::ProviderSchemas;
use plantime_terraform::plan::{
    CheckOptions, Expectation, Finding, NamedRule, Obligations, Plan, RuleMetadata, RulesFile, State,
    Subject, Test, check,
};
use serde_json::json;

use crate::collection;

/// Folders with a plan, and the state after its apply.
fn applied(root: &Path) -> Vec<(PathBuf, PathBuf)> {
    let mut found = Vec::new();
    for folder in ["../network", "../network/first"] {
        found.push((root.join(folder).join("plan.json"), root.join(folder).join("state-after.json")));
    }
    for group in ["terraform-1.15.5-plans", "terraform-1.6.6-plans"] {
        let Ok(scenarios) = fs::read_dir(root.join(group)) else { continue };
        for scenario in scenarios {
            let Ok(steps) = fs::read_dir(scenario.unwrap().path()) else { continue };
            for step in steps {
                let step = step.unwrap().path();
                found.push((step.join("plan.json"), step.join("state.json")));
            }
        }
    }
    found.sort();
    found.into_iter().filter(|(plan, state)| plan.is_file() && state.is_file()).collect()
}

/// For each attribute that is not known before the apply: that it turns out as it did, and that it does not.
fn rules(plan: &Plan, state: &State) -> RulesFile {
    let position = Position::at(1, 1);
    let mut rules = Vec::new();
    for change in &plan.resource_changes {
        let (Some(after), Some(there)) = (&change.change.after, state.resource(&change.address)) else {
            continue;
        };
        let Ok(subject) = change.address.parse() else { panic!("{}", change.address) };
        let mut tests = Vec::new();
        let mut open = Vec::new();
        after.walk(|path, value| {
            if path.len() == 1 && !value.is_wholly_known() {
                open.push(path.clone());
            }
            path.is_empty()
        });
        for path in open {
            let Ok(actual) = there.value.get(&path) else { continue };
            if actual.unmark_deep().0 != actual {
                continue;
            }
            for rule in [Rule::equals(actual.clone()), Rule::none_of([actual.clone()])] {
                let path = Some(path.to_string().parse().unwrap());
                tests.push(Test {
                    path,
                    rule,
                    same_as: None,
                    assertion: None,
                    description: None,
                    message: None,
                    null: None,
                    position,
                });
            }
        }
        rules.push(NamedRule {
            locals: Default::default(),
            for_each: None,
            conditions: Vec::new(),
            name: change.address.clone(),
            description: None,
            severity: Severity::Error,
            metadata: RuleMetadata::default(),
            subject: Subject::Resource(vec![subject]),
            actions: Vec::new(),
            optional: false,
            guard: None,
            tests,
            position,
        });
    }
    RulesFile {
        parameters: Default::default(),
        locals: Default::default(),
        source: Source::new("rules", ""),
        assumptions: Vec::new(),
        forces_new: Vec::new(),
        rules,
        skips: Vec::new(),
        on_null: Default::default(),
        day: None,
        left_out: 0,
    }
}

#[test]
fn what_real_applies_left_is_what_obligations_say() {
    let Some(root) = collection() else { return };
    let (mut pairs, mut upheld, mut broken) = (0, 0, 0);
    for (plan_file, state_file) in applied(&root) {
        let name = plan_file.display().to_string();
        let schemas = ProviderSchemas::new();
        let text = fs::read(&plan_file).unwrap();
        let plan = Plan::read(&text, &schemas).unwrap();
        let state = State::read(&fs::read(&state_file).unwrap(), &schemas)
            .unwrap_or_else(|error| panic!("{}: {error}", state_file.display()));
        let against = CheckOptions {
            rules: rules(&plan, &state),
            schemas,
            configuration: None,
            show_values: true,
            facts: Default::default(),
        };
        let report = check(&name, &plan, &against).unwrap_or_else(|problems| panic!("{name}: {problems:?}"));
        let obligations = report.obligations(&text);
        let read = Obligations::read(obligations.to_json().to_string().as_bytes()).unwrap();
        assert_eq!(read, obligations, "{name}");
        for verified in read.verify(&state).verified {
            let Expectation::Test(open) = &verified.obligation.expectation else {
                panic!("nothing is assumed")
            };
            match &verified.finding {
                Finding::Upheld => upheld += 1,
                Finding::Broken(_) => {
                    assert!(open.claim.starts_with("is none of"), "{name}: {verified:?}");
                    broken += 1;
                }
                Finding::NotVerifiable(why) => panic!("{name}: {why}: {verified:?}"),
            }
        }
        pairs += 1;
    }
    println!("{pairs} plans with states, {upheld} obligations upheld, {broken} broken");
    assert!(pairs > 10 && upheld > 100 && broken > 100);
}

/// An assumption is upheld only where the value is known and satisfies it, and broken only where it certainly does not: also where a map
/// is read as an object, which may be one, and a list as a tuple.
#[test]
fn an_assumption_is_upheld_only_by_a_known_value() {
    let text = |text: &str| Value::from(text);
    let unknown = || Value::unknown(Type::String);
    let object = |name: &str, part: Value| Value::object([(name, part)]).unwrap();
    let map = |name: &str, part: Value| Value::map_of(Type::String, [(name, part)]).unwrap();
    let tuple = |part: Value| Value::tuple([part]).unwrap();
    let list = |part: Value| Value::list_of(Type::String, [part]).unwrap();
    let keys = "notnull(lengthmin(1, keys(stringprefix(\"a\"))))";
    let elements = "notnull(lengthmin(1, elements(notnull(stringprefix(\"a\")))))";
    let prefix = "notnull(stringprefix(\"a\"))";
    let cases: &[(&str, Value, &str)] = &[
        (prefix, text("ab"), "upheld"),
        (prefix, text("b"), "broken"),
        (prefix, unknown(), "open"),
        (prefix, Value::null(Type::String), "broken"),
        (keys, object("ab", text("x")), "upheld"),
        (keys, object("b", text("x")), "open"),
        (keys, map("ab", text("x")), "upheld"),
        (keys, map("b", text("x")), "broken"),
        (keys, Value::unknown("map(string)".parse().unwrap()), "open"),
        (elements, tuple(text("ab")), "upheld"),
        (elements, tuple(text("b")), "broken"),
        (elements, tuple(unknown()), "open"),
        (elements, list(text("ab")), "upheld"),
        (elements, list(text("b")), "broken"),
        (elements, list(unknown()), "open"),
        (elements, object("k", text("ab")), "upheld"),
        (elements, object("k", text("b")), "open"),
        (elements, object("k", unknown()), "open"),
    ];
    let mut wrong = Vec::new();
    for (assumed, value, expected) in cases {
        let file = json!({"format_version": "1.0", "obligations": [{"address": "x_y.a", "path": "v", "assumed": assumed}]});
        let obligations = Obligations::read(file.to_string().as_bytes()).unwrap();
        let found = match obligations.obligations[0].verify(&object("v", value.clone())) {
            Finding::Upheld => "upheld",
            Finding::Broken(_) => "broken",
            _ => "open",
        };
        if found != *expected {
            wrong.push(format!("{assumed} of {value}: {found}, not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
