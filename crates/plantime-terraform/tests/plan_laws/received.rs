//! What a function in a rules file receives: the type name of the resource, and the data of the caller.

use std::sync::{Arc, Mutex};

use plantime::rule::{Custom, Outcome, Rule};
use plantime::source::Source;
use plantime_schema::ProviderSchemas;
use plantime_terraform::plan::{CheckOptions, Plan, RulesFile, check, check_with};

#[test]
fn a_function_in_a_plan_receives_the_type_name_of_the_resource_and_the_data_of_the_caller() {
    let plan = br#"{"format_version": "1.2", "resource_changes": [{"address": "aws_vpc.main", "mode": "managed",
        "type": "aws_vpc", "name": "main", "change": {"actions": ["create"], "after": {"a": "x"}, "after_unknown": {},
        "after_sensitive": {}}}]}"#;
    let schemas = ProviderSchemas::new();
    let text = "rule \"r\" {\n  resource = \"aws_vpc\"\n  attribute \"a\" { not_null = true }\n}\n";
    let mut rules = RulesFile::read(Source::new("rules.hcl", text)).unwrap();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&seen);
    let function = Rule::Custom(Custom::new("w", move |request| {
        let data = request.data().and_then(|data| data.downcast_ref::<u32>());
        let ty = request.type_name().unwrap_or("no type");
        kept.lock().unwrap().push(format!("{} = {} of {ty} with {data:?}", request.path(), request.value()));
        Ok(Outcome::Pass)
    }));
    let take = || std::mem::take(&mut *seen.lock().unwrap());
    rules.rules[0].tests[0].rule = function;
    let against = CheckOptions {
        rules,
        schemas: schemas.clone(),
        configuration: None,
        show_values: false,
        facts: Default::default(),
    };
    let plan = Plan::read(plan, &schemas).unwrap();
    check("plan.json", &plan, &against).unwrap();
    let words: Vec<String> = take();
    assert!(!words.is_empty() && words.iter().all(|one| one.contains("of aws_vpc with None")), "{words:?}");
    assert!(words[0].starts_with("a = \"x\""), "{words:?}");
    check_with("plan.json", &plan, &against, &7_u32).unwrap();
    let words: Vec<String> = take();
    assert!(!words.is_empty() && words.iter().all(|one| one.contains("with Some(7)")), "{words:?}");
}
