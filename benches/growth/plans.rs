//! Plans, states, configurations and schema files of any size.

use plantime::source::Source;
use plantime_schema::ProviderSchemas;
use plantime_terraform::configuration::Explanation;
use plantime_terraform::plan::{
    CheckOptions, Colour, Configuration, Obligations, Plan, PlanDifferences, PlanDocument, PlanReport,
    RenderStyle, RootCauses, RulesFile, State, Verification, check, diff, explain, root_causes,
};

const PROVIDER: &str = "registry.terraform.io/x/x";

fn joined(count: usize, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect::<Vec<_>>().join(",")
}

fn plan(count: usize, types: &[(&str, &str)]) -> String {
    let resources = types.iter().map(|(ty, unknown)| {
        joined(count, |i| {
            format!(
                r#"{{"address": "{ty}.v[{i}]", "mode": "managed", "type": "{ty}", "name": "v", "index": {i},
                    "provider_name": "{PROVIDER}", "change": {{"actions": ["create"], "before": null, "after": {{}},
                    "after_unknown": {{"{unknown}": true}}, "before_sensitive": false, "after_sensitive": {{}}}}}}"#
            )
        })
    });
    let resources = resources.collect::<Vec<_>>().join(",");
    format!(r#"{{"format_version": "1.2", "resource_changes": [{resources}]}}"#)
}

/// What is open of a plan with so many resources, and the state after its apply.
pub fn open(count: usize) -> (Obligations, State) {
    let obligations = joined(count, |i| {
        format!(r#"{{"address": "a.v[{i}]", "path": "id", "assumed": "notnull(stringprefix(\"a-\"))"}}"#)
    });
    let obligations = format!(r#"{{"format_version": "1.0", "obligations": [{obligations}]}}"#);
    let resources = joined(count, |i| {
        format!(
            r#"{{"address": "a.v[{i}]", "mode": "managed", "type": "a", "name": "v", "index": {i},
                "provider_name": "{PROVIDER}", "values": {{"id": "a-{i}"}}, "sensitive_values": {{}}}}"#
        )
    });
    let state = format!(
        r#"{{"format_version": "1.0", "values": {{"root_module": {{"resources": [{resources}]}}}}}}"#
    );
    let obligations = Obligations::read(obligations.as_bytes()).expect("obligations");
    (obligations, State::read(state.as_bytes(), &ProviderSchemas::new()).expect("a state"))
}

pub fn verified((obligations, state): &(Obligations, State)) -> Verification {
    obligations.verify(state)
}

/// A plan with so many instances of two resources, of which each refers to that of its own number.
pub fn referring(count: usize) -> (Plan, CheckOptions) {
    let block = |attribute: &str| {
        format!(r#"{{"block": {{"attributes": {{"{attribute}": {{"type": "string", "computed": true}}}}}}}}"#)
    };
    let schemas = format!(
        r#"{{"provider_schemas": {{"{PROVIDER}": {{"resource_schemas": {{"a": {}, "b": {}}}}}}}}}"#,
        block("id"),
        block("a_id"),
    );
    let schemas = ProviderSchemas::from_json(schemas.as_bytes()).expect("schemas");
    let plan = Plan::read(plan(count, &[("a", "id"), ("b", "a_id")]).as_bytes(), &schemas).expect("a plan");
    let main = "resource \"b\" \"v\" {\n  a_id = a.v[count.index].id\n}\n";
    let rules = "assume \"a\" {\n  id = assumed(notnull(stringprefix(\"a-\")))\n}\n\
                 rule \"r\" {\n  resource = \"b\"\n  attribute \"a_id\" { starts_with = \"a-\" }\n}\n";
    let against = CheckOptions {
        rules: RulesFile::read(Source::new("rules.hcl", rules)).expect("rules"),
        schemas,
        configuration: Some(Configuration::read([Source::new("main.tf", main)]).expect("a configuration")),
        show_values: false,
        facts: Default::default(),
    };
    (plan, against)
}

/// The same with a configuration that declares both, each with `count`: an argument copies a value of the instance of its number.
pub fn configured(count: usize) -> (Plan, CheckOptions) {
    let (plan, against) = referring(count);
    let main = format!(
        "resource \"a\" \"v\" {{\n  count = {count}\n}}\n\
         resource \"b\" \"v\" {{\n  count = {count}\n  a_id  = a.v[count.index].id\n}}\n"
    );
    let configuration = Some(Configuration::read([Source::new("main.tf", main)]).expect("a configuration"));
    (plan, CheckOptions { configuration, ..against })
}

/// The same with a rule that compares each copy with one value.
pub fn copied(count: usize) -> (Plan, CheckOptions) {
    let (plan, against) = configured(count);
    let rules = "rule \"r\" {\n  resource = \"b\"\n  attribute \"a_id\" { same_as = \"a.v[0].id\" }\n}\n";
    let rules = RulesFile::read(Source::new("rules.hcl", rules)).expect("rules");
    (plan, CheckOptions { rules, ..against })
}

/// A chain of so many resources, each of which is configured with the value of the one before.
pub fn chained(count: usize) -> (Plan, CheckOptions) {
    let resources = joined(count, |i| {
        format!(
            r#"{{"address": "a.v{i}", "mode": "managed", "type": "a", "name": "v{i}", "provider_name": "{PROVIDER}",
                "change": {{"actions": ["create"], "before": null, "after": {{}}, "after_unknown": {{"of": true}},
                "before_sensitive": false, "after_sensitive": {{}}}}}}"#
        )
    });
    let text = format!(r#"{{"format_version": "1.2", "resource_changes": [{resources}]}}"#);
    let plan = Plan::read(text.as_bytes(), &ProviderSchemas::new()).expect("a plan");
    let main: String = (1..count)
        .map(|i| format!("resource \"a\" \"v{i}\" {{\n  of = a.v{}.of\n}}\n", i - 1))
        .chain(["resource \"a\" \"v0\" {}\n".to_owned()])
        .collect();
    let against = CheckOptions {
        rules: RulesFile::read(Source::new("rules.hcl", "")).expect("rules"),
        schemas: ProviderSchemas::new(),
        configuration: Some(Configuration::read([Source::new("main.tf", main)]).expect("a configuration")),
        show_values: true,
        facts: Default::default(),
    };
    (plan, against)
}

/// What all unknown values of a plan depend on, as `plantime why --roots` tells it.
pub fn root_causes_of((plan, against): &(Plan, CheckOptions)) -> RootCauses {
    root_causes(plan, against, None)
}

/// Why the last value of a plan is not known.
pub fn explained((plan, against): &(Plan, CheckOptions)) -> Explanation {
    let name = format!("a.v{}.of", plan.resource_changes.len().saturating_sub(1));
    explain(plan, against, &name).expect("there is such a value")
}

pub fn checked((plan, against): &(Plan, CheckOptions)) -> PlanReport {
    check("plan.json", plan, against).expect("the rules can be asked")
}

/// The plan as text, as `plantime show` prints it.
pub fn shown((plan, against): &(Plan, CheckOptions)) -> Vec<u8> {
    let mut text = Vec::new();
    plan.render(&mut text, &against.schemas, RenderStyle::new(Colour::Never)).expect("memory can be written");
    text
}

/// The plan as JSON with what is known of it, as `plantime show --format json --known` writes a binary one.
pub fn written((plan, against): &(Plan, CheckOptions)) -> Vec<u8> {
    let text = plan.to_json_text(&against.schemas).expect("a form in JSON");
    let document = PlanDocument::parse(text.as_bytes()).expect("a plan");
    let mut written = Vec::new();
    document.write_json_with_refinements(&mut written, plan).expect("memory can be written");
    written
}

/// The plan compared with itself.
pub fn compared((plan, _): &(Plan, CheckOptions)) -> PlanDifferences {
    diff(plan, plan)
}

/// Two plans with so many resources, deferred changes and actions, of which everything differs but a third of the resources:
/// lists by an element, objects by their names, unknown values by what is known of them.
pub fn differing(count: usize) -> (Plan, Plan) {
    let plan = |shift: usize| {
        let change = |i: usize| {
            let (value, known) = if i.is_multiple_of(3) { (i, "null") } else { (i + shift, "\"v\"") };
            format!(
                r#"{{"address": "a.v[{}]", "mode": "managed", "type": "a", "name": "v", "index": {i}, "provider_name": "{PROVIDER}",
                    "change": {{"actions": ["update"], "before": null, "after": {{"list": [{value}, 1, 2, 3], "k{value}": 1,
                    "id": {known}}}, "after_unknown": {{"id": {}}}, "before_sensitive": false, "after_sensitive": {{}}}}}}"#,
                if i.is_multiple_of(5) { i + shift } else { i },
                shift == 0 || known == "null"
            )
        };
        let deferred =
            joined(count, |i| format!(r#"{{"reason": "r{shift}", "resource_change": {}}}"#, change(i)));
        let actions = joined(count, |i| {
            format!(
                r#"{{"address": "action.a.v[{i}]", "type": "a", "name": "v", "provider_name": "{PROVIDER}",
                    "config_values": {{"k": {shift}}}, "invoke_action_trigger": {{}}}}"#
            )
        });
        let changes = joined(count, change);
        let text = format!(
            r#"{{"format_version": "1.2", "resource_changes": [{changes}], "deferred_changes": [{deferred}],
                "action_invocations": [{actions}]}}"#
        );
        Plan::read(text.as_bytes(), &ProviderSchemas::new()).expect("a plan")
    };
    (plan(0), plan(1))
}

/// A list of so many elements before and after: some are added, some are removed, one is moved.
pub fn realigned(count: usize) -> (Plan, Plan) {
    let plan = |items: String| {
        let text = format!(
            r#"{{"format_version": "1.2", "resource_changes": [], "output_changes": {{"o": {{"actions": ["create"], "before": null,
                "after": [{items}], "after_unknown": false, "before_sensitive": false, "after_sensitive": false}}}}}}"#
        );
        Plan::read(text.as_bytes(), &ProviderSchemas::new()).expect("a plan")
    };
    let item = |i: usize| format!(r#"{{"k": {i}}}"#);
    (plan(joined(count, item)), plan(joined(count, |i| item(if i == 0 { count - 1 } else { i + 5 }))))
}

/// The differences between two plans, as text and as JSON.
pub fn differences((first, second): &(Plan, Plan)) -> Vec<u8> {
    let (found, mut written) = (diff(first, second), Vec::new());
    assert!(!found.is_empty(), "the plans differ");
    found.write_text(&mut written).expect("memory can be written");
    found.write_json(&mut written).expect("memory can be written");
    written
}

/// A schema file of so many types.
pub fn schemas(count: usize) -> Vec<u8> {
    let attributes = joined(20, |i| {
        format!(r#""attribute_{i}": {{"type": "string", "optional": true, "computed": true}}"#)
    });
    let types = joined(count, |i| {
        format!(r#""type_{i}": {{"version": 0, "block": {{"attributes": {{{attributes}}}}}}}"#)
    });
    format!(r#"{{"provider_schemas": {{"{PROVIDER}": {{"resource_schemas": {{{types}}}}}}}}}"#).into_bytes()
}

/// One type of the file is asked for.
pub fn opened(text: &Vec<u8>) -> ProviderSchemas {
    let schemas = ProviderSchemas::open("schemas.json", text.clone()).expect("schemas");
    assert!(schemas.resource(PROVIDER, "type_0").is_some(), "the type is there");
    schemas
}
