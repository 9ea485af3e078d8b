//! What every form of a report says of the plan as a whole, and of sensitive values beside others.

use plantime_schema::ProviderSchemas;
use plantime_terraform::plan::{
    AnswerKind, CheckOptions, Colour, Plan, PlanReport, Summary, TextStyle, check, check_askable,
};

use crate::asking::{self, report, rules};

fn written(write: &dyn Fn(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut bytes = Vec::new();
    write(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn forms(report: &PlanReport) -> [String; 3] {
    [
        written(&|out| report.write_junit(out)),
        written(&|out| report.write_sarif(out)),
        written(&|out| report.write_github(out)),
    ]
}

/// A plan that creates `x_y.a` with this value, masks and schemas for its attributes.
fn plan(after: &str, masks: &str) -> String {
    format!(
        r#"{{"format_version": "1.2", "resource_changes": [{{"address": "x_y.a", "mode": "managed", "type": "x_y", "name": "a",
           "provider_name": "p", "change": {{"actions": ["create"], "before": null, "after": {after}, {masks}}}}}]}}"#
    )
}

#[test]
fn planning_that_failed_is_an_error_in_every_form() {
    let rules = rules("rule \"r\" {\n resource = \"x_y\"\n attribute \"s\" { not_null = true }\n}");
    let json = plan(r#"{"s": "a"}"#, r#""after_unknown": {}, "after_sensitive": {}"#);
    let whole = report(&json, &ProviderSchemas::new(), &rules).unwrap();
    let failed =
        report(&json.replacen('{', "{\"errored\": true, ", 1), &ProviderSchemas::new(), &rules).unwrap();
    let [junit, sarif, github] = forms(&whole);
    assert!(
        junit.contains("errors=\"0\"") && sarif.contains("\"executionSuccessful\":true") && github.is_empty()
    );
    let [junit, sarif, github] = forms(&failed);
    assert!(
        junit.contains("tests=\"2\"") && junit.contains("errors=\"1\"") && junit.contains("<error "),
        "{junit}"
    );
    assert!(
        sarif.contains("\"executionSuccessful\":false") && sarif.contains("\"level\":\"error\""),
        "{sarif}"
    );
    assert!(github.starts_with("::error title=plantime::"), "{github}");
}

#[test]
fn a_rule_that_matches_nothing_is_in_every_form() {
    let rules = rules("rule \"no-such\" {\n resource = \"z_z\"\n attribute \"s\" { not_null = true }\n}");
    let json = plan(r#"{"s": "a"}"#, r#""after_unknown": {}, "after_sensitive": {}"#);
    let report = report(&json, &ProviderSchemas::new(), &rules).unwrap();
    for form in forms(&report) {
        assert!(form.contains("no-such"), "{form}");
    }
    assert!(forms(&report)[0].contains("skipped=\"1\""));
}

/// Changes of every kind, and rules of every kind of target.
const CHANGES: [(&str, &str); 8] = [
    ("x_y.new", r#""actions": ["create"], "before": null, "after": {"s": "a", "l": null}"#),
    ("x_y.same", r#""actions": ["no-op"], "before": {"s": "a", "l": []}, "after": {"s": "a", "l": []}"#),
    ("x_y.gone", r#""actions": ["delete"], "before": {"s": "a"}, "after": null"#),
    ("x_y.lost", r#""actions": ["forget"], "before": {"s": "a"}, "after": null"#),
    ("x_y.null", r#""actions": ["create"], "before": null, "after": null"#),
    ("x_y.odd", r#""actions": ["invent"], "before": null, "after": null"#),
    ("x_y.none", r#""actions": [], "before": null, "after": null"#),
    ("z_z.other", r#""actions": ["create"], "before": null, "after": {"t": "b"}"#),
];

const TARGETS: [(&str, &str); 9] = [
    ("by-type", "resource = \"x_y\"\n attribute \"s\" { not_null = true }"),
    ("by-address", "resource = \"x_y.null\"\n attribute \"s\" { not_null = true }"),
    ("by-pattern", "resource = \"*_*\"\n attribute \"s\" { not_null = true }"),
    ("by-action", "resource = \"x_y\"\n actions = [\"import\"]\n attribute \"s\" { not_null = true }"),
    ("of-elements", "resource = \"x_y\"\n attribute \"l[*].cidr\" { not_null = true }"),
    ("no-such-type", "resource = \"x_yy\"\n attribute \"s\" { not_null = true }"),
    ("no-such-place", "resource = \"z_z\"\n attribute \"s\" { not_null = true }"),
    ("no-such-output", "output = \"o\"\n value { not_null = true }"),
    (
        "guarded",
        "resource = \"z_z\"\n when {\n attribute \"t\" { equals = \"c\" }\n }\n attribute \"t\" { not_null = true }",
    ),
];

/// What is not asked never looks like passed: every rule, and every resource that a rule without `actions` is about, has an answer or is
/// named as not asked, in each form, the quiet text too. Skips that match nothing are named with address and line.
#[test]
fn what_is_not_asked_is_named_in_each_form() {
    let changes = CHANGES.map(|(address, change)| {
        let (ty, name) = address.split_once('.').unwrap();
        format!(
            r#"{{"address": "{address}", "mode": "managed", "type": "{ty}", "name": "{name}", "provider_name": "p",
            "change": {{{change}, "after_unknown": {{}}, "before_sensitive": {{}}, "after_sensitive": {{}}}}}}"#
        )
    });
    let json = format!(r#"{{"format_version": "1.2", "resource_changes": [{}]}}"#, changes.join(", "));
    let mut text: String =
        TARGETS.iter().map(|(name, body)| format!("rule \"{name}\" {{\n {body}\n}}\n")).collect();
    text.push_str("skip \"by-type\" {\n address = \"x_y.same\"\n reason = \"one\"\n}\n");
    let line = text.lines().count() + 1;
    text.push_str("skip \"by-type\" {\n address = \"x_y.former\"\n reason = \"two\"\n}\n");
    let plan = Plan::read(json.as_bytes(), &ProviderSchemas::new()).unwrap();
    let against = CheckOptions {
        rules: rules(&text),
        schemas: ProviderSchemas::new(),
        configuration: None,
        show_values: false,
        facts: Default::default(),
    };
    // That a type lacks a place is a problem where one plan is all there is.
    assert_eq!(check("plan.json", &plan, &against).unwrap_err().len(), 1);
    let report = check_askable("plan.json", &plan, &against).unwrap();
    assert_eq!(report.lacking.len(), 1);
    let [junit, sarif, github] = forms(&report);
    let whole = report.text(Colour::Never);
    let quiet = report.text_with(TextStyle::new(Colour::Never).quiet());
    let only = report.text_with(TextStyle::new(Colour::Never).only([AnswerKind::Fail]));
    let html = written(&|out| report.write_html(out));
    let document = report.to_json().to_string();
    let answered = asking::answers(&report);
    let everywhere = [
        ("text", &whole),
        ("-q", &quiet),
        ("junit", &junit),
        ("sarif", &sarif),
        ("github", &github),
        ("html", &html),
        ("json", &document),
        ("--only", &only),
    ];
    let mut missing = Vec::new();
    for (rule, _) in TARGETS {
        let has_answer = answered.keys().any(|(name, _)| name == rule);
        for (form, text) in everywhere {
            if !has_answer && !text.contains(rule) {
                missing.push(format!("{form}: nothing about rule {rule}"));
            }
        }
    }
    for (address, _) in CHANGES {
        for rule in ["by-type", "of-elements"].into_iter().filter(|_| address.starts_with("x_y")) {
            let key = (rule.to_owned(), address.to_owned());
            let is_named = |text: &str| {
                let mut lines = text.lines().flat_map(|line| line.split("},{"));
                lines.any(|line| line.contains(rule) && line.contains(address))
            };
            if answered.contains_key(&key) {
                continue;
            }
            for (form, text) in everywhere[1..5].iter().chain([&everywhere[7]]) {
                if !is_named(text) {
                    missing.push(format!("{form}: rule {rule} on {address} is not named"));
                }
            }
            for (form, text) in [&everywhere[0], &everywhere[5], &everywhere[6]] {
                if !text.contains(address) {
                    missing.push(format!("{form}: {address} is not named"));
                }
            }
        }
    }
    for (form, text) in everywhere.iter().filter(|(form, _)| *form != "json") {
        if !text.contains("x_y.former") || !text.contains(&format!("rules.hcl:{line}")) {
            missing.push(format!("{form}: the skip that matches nothing is not named"));
        }
    }
    assert!(missing.is_empty(), "{}\n{quiet}", missing.join("\n"));
    // That nothing is planned is not said to be destroyed.
    assert!(whole.contains("nothing is planned for the matching resources: rule by-address"), "{whole}");
    // A null has no elements, as an empty list has none.
    for address in ["x_y.new", "x_y.same"] {
        let answers = &answered[&("of-elements".to_owned(), address.to_owned())];
        assert_eq!(answers[0].reason.as_deref(), Some("there is no l[*].cidr"), "{address}: {answers:?}");
    }
}

/// Resources that another tool left out of the changes are told.
#[test]
fn planned_resources_without_a_change_are_told() {
    let rules = rules("rule \"r\" {\n resource = \"x_y\"\n attribute \"s\" { not_null = true }\n}");
    let planned = r#""planned_values": {"root_module": {"resources": [{"address": "x_y.a"}],
        "child_modules": [{"address": "module.m", "resources": [{"address": "module.m.x_y.b"}]}]}}"#;
    let json = format!(r#"{{"format_version": "1.2", {planned}}}"#);
    let report = report(&json, &ProviderSchemas::new(), &rules).unwrap();
    assert_eq!(report.gaps.iter().map(|gap| gap.word()).collect::<Vec<_>>(), ["unlisted"]);
    let text = report.text_with(TextStyle::new(Colour::Never).quiet());
    assert!(text.contains("2 resources of planned_values are not in resource_changes"), "{text}");
    assert!(report.text(Colour::Never).contains("x_y.a, module.m.x_y.b"));
    assert!(Summary::of(&report).is_open());
    let json = plan(r#"{"s": "a"}"#, r#""after_unknown": {}, "after_sensitive": {}"#);
    let json = json.replacen('{', &format!("{{{}, ", planned.replace("module.m.x_y.b", "x_y.a")), 1);
    assert_eq!(asking::report(&json, &ProviderSchemas::new(), &rules).unwrap().gaps, []);
}

#[test]
fn a_plan_that_changes_outputs_alone_says_so() {
    let json = r#"{"format_version": "1.2", "terraform_version": "1\n2", "resource_changes": [], "output_changes": {"o": {"actions": ["create"],
        "before": null, "after": "x", "after_unknown": false, "after_sensitive": false}}}"#;
    let text = |json: &str| {
        let none = rules("rule \"r\" {\n output = \"o\"\n value { not_null = true }\n}");
        report(json, &ProviderSchemas::new(), &none).unwrap().text(Colour::Never)
    };
    let first = text(json).lines().next().unwrap().to_owned();
    assert!(first.contains("1 output to change") && first.contains("1\\n2"), "{first}");
    let first = text(&json.replace("create", "no-op")).lines().next().unwrap().to_owned();
    assert!(first.contains("no changes"), "{first}");
}

const SCHEMAS: &str = r#"{"provider_schemas": {"p": {"resource_schemas": {"x_y": {"block": {"attributes": {
    "s": {"type": "string", "computed": true}, "st": {"type": ["set", "string"], "computed": true},
    "lm": {"type": ["map", ["list", "string"]], "computed": true}, "d": {"type": "dynamic", "computed": true}}}}}}}}"#;

/// Whether a sensitive container has unknown parts is content (L5).
#[test]
fn what_a_rule_depends_on_does_not_tell_what_is_unknown_in_a_sensitive_container() {
    let rules = rules("rule \"r\" {\n resource = \"x_y\"\n exactly_one_of = [\"st\", \"s\"]\n}");
    for schemas in [ProviderSchemas::new(), asking::schemas(SCHEMAS)] {
        let texts = [("[\"x\"]", "[false]"), ("[null]", "[true]")].map(|(st, unknown)| {
            let masks = format!(
                r#""after_unknown": {{"s": true, "st": {unknown}}}, "after_sensitive": {{"st": true}}"#
            );
            let report = report(&plan(&format!("{{\"st\": {st}}}"), &masks), &schemas, &rules).unwrap();
            let json = report.to_json();
            json["answers"][0].to_string()
        });
        assert_eq!(texts[0], texts[1]);
    }
}

/// A failure is concealed where the value is sensitive, and not beside it.
#[test]
fn a_failure_beside_a_sensitive_value_keeps_its_reason() {
    let rules = rules("rule \"r\" {\n resource = \"x_y\"\n attribute \"lm[*][*]\" { min_len = 2 }\n}");
    for schemas in [ProviderSchemas::new(), asking::schemas(SCHEMAS)] {
        let json = plan(
            r#"{"lm": {"a": ["h"], "b": ["y"]}}"#,
            r#""after_unknown": {}, "after_sensitive": {"lm": {"a": true}}"#,
        );
        let text = report(&json, &schemas, &rules).unwrap().text(Colour::Never);
        assert!(text.contains("\"y\"") && !text.contains("\"h\""), "{text}");
        assert!(text.contains("length") && text.contains("sensitive"), "{text}");
    }
}

/// A message on a path that cannot be followed is about the value there.
#[test]
fn a_path_into_a_sensitive_object_does_not_describe_the_resource() {
    let rules = rules("rule \"r\" {\n resource = \"x_y\"\n attribute \"d[0]\" { min_len = 2 }\n}");
    for schemas in [ProviderSchemas::new(), asking::schemas(SCHEMAS)] {
        let json = plan(
            r#"{"d": {"h": "x"}, "s": "a", "st": [], "lm": {}}"#,
            r#""after_unknown": {}, "after_sensitive": {"d": true}"#,
        );
        let text = report(&json, &schemas, &rules).unwrap().text(Colour::Never);
        assert!(!text.contains("is an object"), "{text}");
    }
}
