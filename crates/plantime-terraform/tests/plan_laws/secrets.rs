//! Law L5 for reports: two plans that differ only behind a mark have the same report, obligations and verification,
//! byte for byte, where they have the same verdicts.

use std::collections::BTreeMap;

use plantime_schema::ProviderSchemas;
use plantime_terraform::plan::{Colour, Finding, Obligations, PlanReport, RulesFile, State};
use serde_json::Value as Json;

use crate::asking::{self, answers, listed, report, word};
use crate::hidden::{Family, Setting, families};
use crate::kind::Declared;
use crate::tree::Tree;
use crate::wrong::Wrong;

/// What may differ: the verdicts. Everything else that is written must not.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Verdicts(Vec<String>);

/// Everything that is written of a plan and its rules.
#[derive(Default)]
struct Written(BTreeMap<&'static str, String>);

fn written(plan: &str, state: &str, schemas: &ProviderSchemas, rules: &RulesFile) -> (Verdicts, Written) {
    let mut all = Written::default();
    let report = match report(plan, schemas, rules) {
        Ok(report) => report,
        Err(problems) => {
            all.0.insert("problems", listed(&problems));
            return (Verdicts(vec!["problem".to_owned()]), all);
        }
    };
    let json = report.to_json();
    let mut verdicts = verdicts(&report, &json);
    all.0.insert("text", report.text(Colour::Never));
    all.0.insert("json", format!("{json:#}"));
    let written = |write: &dyn Fn(&mut Vec<u8>) -> std::io::Result<()>| {
        let mut bytes = Vec::new();
        write(&mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    };
    all.0.insert("sarif", written(&|out| report.write_sarif(out)));
    all.0.insert("junit", written(&|out| report.write_junit(out)));
    all.0.insert("github", written(&|out| report.write_github(out)));
    all.0.insert("html", written(&|out| report.write_html(out)));
    all.0.insert("markdown", written(&|out| report.write_markdown(out)));
    // The hash of the plan is not content that is written.
    let obligations = report.obligations(b"");
    let text = format!("{:#}", obligations.to_json());
    let obligations = Obligations::read(text.as_bytes()).unwrap();
    all.0.insert("obligations", text);
    let verification = obligations.verify(&State::read(state.as_bytes(), schemas).unwrap());
    verdicts.0.extend(verification.verified.iter().map(|one| match one.finding {
        Finding::Upheld => "upheld".to_owned(),
        Finding::Broken(_) => "broken".to_owned(),
        Finding::NotVerifiable(_) => "not verifiable".to_owned(),
    }));
    verdicts.0.dedup();
    all.0.insert("verification", verification.text(Colour::Never));
    all.0.insert("verification in JSON", format!("{:#}", verification.to_json()));
    (verdicts, all)
}

/// The answers of each rule taken together, whether assumptions are contradicted, what is replaced.
fn verdicts(report: &PlanReport, json: &Json) -> Verdicts {
    let mut all: Vec<String> =
        answers(report).into_iter().map(|(of, answers)| format!("{of:?} {:?}", word(&answers))).collect();
    all.push(format!("contradicted: {}", json["summary"]["contradicted"] != 0));
    let replacements = json["replacements"].as_array().unwrap();
    all.extend(replacements.iter().map(|one| one["answer"].to_string()));
    Verdicts(all)
}

/// The rules files of a family: one for each body, one for each other block.
fn rules_files(family: &Family, setting: Setting) -> Vec<(String, RulesFile)> {
    let rule = |body: &str| {
        let mut body = body.to_owned();
        let target = if setting.is_output() {
            // The value of an output is what an attribute is in a resource.
            if body.contains("\"m\"")
                || body.contains("\"pp\"")
                || body.contains("_when")
                || body.contains("_of = [\"p")
                || body.contains("_together")
            {
                return None;
            }
            body = body.replace("attribute \"p\"", "value").replace("change \"p\"", "change \"\"");
            if body.contains("change \"\"") {
                return None;
            }
            body = body.replace("\"p.", "\"").replace("\"p[", "\"[");
            "output = \"o\"".to_owned()
        } else {
            if setting.path() != "p" {
                body = body.replace("\"p\"", "\"o.p\"").replace("\"p.", "\"o.p.").replace("\"p[", "\"o.p[");
            }
            let actions = if setting == Setting::Deleted { "\n actions = [\"delete\"]" } else { "" };
            format!("resource = \"x_y\"{actions}")
        };
        Some(format!("rule \"the-rule\" {{\n {target}\n {body}\n}}"))
    };
    let mut texts: Vec<String> = family.bodies.iter().filter_map(|body| rule(body)).collect();
    if setting.path() == "p" && !setting.is_output() {
        texts.extend(family.blocks.iter().map(|block| (*block).to_owned()));
    }
    let read = |text: String| {
        use plantime::source::Source;
        RulesFile::read(Source::new("rules.hcl", text.clone())).ok().map(|rules| (text, rules))
    };
    texts.into_iter().filter_map(read).collect()
}

fn content_shows_nowhere(declared: Option<Declared>) {
    let (mut wrong, mut compared) = (Wrong::default(), 0);
    for family in families() {
        for setting in Setting::ALL {
            let schemas = match declared {
                Some(declared) => asking::schemas(&setting.schemas(&family.kind, declared)),
                // Only a schema says what is sensitive there.
                None if setting == Setting::BySchema => continue,
                None => ProviderSchemas::new(),
            };
            for (text, rules) in rules_files(&family, setting) {
                let mut seen: BTreeMap<Verdicts, (&Tree, Written)> = BTreeMap::new();
                for content in &family.contents {
                    let plan = setting.plan(content, &family.public);
                    let state = setting.state(content, &family.public);
                    let (verdicts, written) = written(&plan, &state, &schemas, &rules);
                    let Some((other, first)) = seen.get(&verdicts) else {
                        seen.insert(verdicts, (content, written));
                        continue;
                    };
                    compared += 1;
                    for (what, first) in &first.0 {
                        // A mark that the change removes is not in the state: there the content is public.
                        if what.starts_with("verification") && setting.is_public_in_state() {
                            continue;
                        }
                        let second = &written.0[what];
                        if first != second {
                            let rule = text.split_whitespace().collect::<Vec<_>>().join(" ");
                            let kind = format!("{} {setting:?}: {what} of {rule}", family.name);
                            wrong.add(kind, || {
                                format!("{other} and {content}: {}", difference(first, second))
                            });
                        }
                    }
                }
            }
        }
    }
    println!("{declared:?}: {compared} pairs compared");
    assert!(compared > 400, "only {compared} pairs were compared");
    wrong.assert_none("content behind a mark shows nowhere");
}

/// Plans are rendered without rules, so no verdict may differ.
#[test]
fn no_rendered_plan_shows_content_behind_a_mark() {
    use plantime_terraform::plan::{Plan, RenderStyle, UnknownDetail};
    let (mut wrong, mut compared) = (Wrong::default(), 0);
    for declared in [Some(Declared::Types), Some(Declared::Any), None] {
        for family in families() {
            for setting in Setting::ALL {
                let schemas = match declared {
                    Some(declared) => asking::schemas(&setting.schemas(&family.kind, declared)),
                    None if setting == Setting::BySchema => continue,
                    None => ProviderSchemas::new(),
                };
                let texts = |content: &Tree| {
                    let plan = setting.plan(content, &family.public);
                    let plan = Plan::read(plan.as_bytes(), &schemas).unwrap();
                    let style = RenderStyle::new(Colour::Never);
                    let mut page = Vec::new();
                    plan.render_html(&mut page, "plan", &schemas, style, None).unwrap();
                    let everything = style.unknown_detail(UnknownDetail::Full);
                    [
                        plan.rendered(&schemas, style),
                        plan.rendered(&schemas, everything),
                        String::from_utf8(page).unwrap(),
                    ]
                };
                let first = texts(&family.contents[0]);
                for content in &family.contents {
                    compared += 1;
                    for (first, second) in first.iter().zip(texts(content)) {
                        if *first != second {
                            let kind = format!("{declared:?} {} {setting:?}", family.name);
                            let other = &family.contents[0];
                            wrong.add(kind, || {
                                format!("{other} and {content}: {}", difference(first, &second))
                            });
                        }
                    }
                }
            }
        }
    }
    assert!(compared > 400, "only {compared} plans were compared");
    wrong.assert_none("content behind a mark is in no rendered plan");
}

/// The first line that differs.
fn difference(first: &str, second: &str) -> String {
    let mut lines = first.lines().zip(second.lines());
    match lines.find(|(first, second)| first != second) {
        Some((first, second)) => format!("{:?} and {:?}", first.trim(), second.trim()),
        None => format!("{} and {} lines", first.lines().count(), second.lines().count()),
    }
}

#[test]
fn with_schemas_content_behind_a_mark_shows_nowhere() {
    content_shows_nowhere(Some(Declared::Types));
}

#[test]
fn with_dynamic_types_content_behind_a_mark_shows_nowhere() {
    content_shows_nowhere(Some(Declared::Any));
}

#[test]
fn without_schemas_content_behind_a_mark_shows_nowhere() {
    content_shows_nowhere(None);
}

/// What is left of a rule tells which of its alternatives the sensitive value has decided.
#[test]
fn what_a_rule_waits_for_does_not_tell_the_sensitive_value_beside_it() {
    let written = |after: &str, body: &str| {
        let plan = format!(
            r#"{{"format_version": "1.2", "resource_changes": [{{"address": "x_y.a", "mode": "managed", "type": "x_y",
               "name": "a", "provider_name": "p", "change": {{"actions": ["create"], "before": null, "after": {after},
               "after_unknown": {{"u": true, "v": true}}, "before_sensitive": false, "after_sensitive": {{"p": true}}}}}}]}}"#
        );
        let rules = format!("rule \"r\" {{\n resource = \"x_y\"\n {body}\n}}");
        let rules = RulesFile::read(plantime::source::Source::new("rules.hcl", rules)).unwrap();
        let report = report(&plan, &ProviderSchemas::new(), &rules).unwrap();
        let verdicts = verdicts(&report, &report.to_json());
        let obligations = format!("{:#}", report.obligations(b"").to_json());
        (verdicts, [report.text(Colour::Never), format!("{:#}", report.to_json()), obligations])
    };
    let choice = |one: &str, other: &str| {
        format!(
            "any {{\n all {{\n attribute \"p\" {{ equals = \"a\" }}\n attribute \"{one}\" {{ starts_with = \"x\" }}\n }}\n \
             all {{\n attribute \"p\" {{ equals = \"b\" }}\n attribute \"{other}\" {{ starts_with = \"y\" }}\n }}\n}}"
        )
    };
    for (contents, body) in [
        (["\"a\"", "\"b\""], choice("u", "u")),
        (["\"a\"", "\"b\""], choice("u", "v")),
        ([r#"{"A": "x"}"#, r#"{"C": "x"}"#], "exactly_one_of = [\"p.A\", \"p.B\", \"u\"]".to_owned()),
        ([r#"{"A": "x"}"#, r#"{"C": "x"}"#], "at_least_one_of = [\"p.B\", \"u\"]".to_owned()),
    ] {
        let [one, other] = contents.map(|content| written(&format!("{{\"p\": {content}}}"), &body));
        assert_eq!(one.0, other.0, "the verdicts of {body}");
        assert_eq!(one.1, other.1, "{body}");
    }
}

/// The type of an unknown value may have been decided by a sensitive one, whose keys are then attributes.
#[test]
fn what_differs_between_two_plans_shows_no_names_of_unknown_parts() {
    use plantime_terraform::plan::{Plan, diff};
    let plan = |ty: &str| {
        let text = format!(
            r#"{{"format_version": "1.2", "planned_values": {{"outputs": {{"o": {{"sensitive": false, "type": {ty}}}}}}},
               "resource_changes": [], "output_changes": {{"o": {{"actions": ["create"], "before": null, "after": null,
               "after_unknown": true, "after_sensitive": false}}}}}}"#
        );
        Plan::read(text.as_bytes(), &ProviderSchemas::new()).unwrap()
    };
    let written = |first: &str, second: &str| {
        let differences = diff(&plan(first), &plan(second));
        let (mut text, mut json) = (Vec::new(), Vec::new());
        differences.write_text(&mut text).unwrap();
        differences.write_json(&mut json).unwrap();
        assert!(!differences.changes.is_empty());
        String::from_utf8([text, json].concat()).unwrap()
    };
    let object = |keys: &[&str]| {
        let keys: Vec<String> = keys.iter().map(|key| format!("\"{key}\": \"string\"")).collect();
        format!(r#"["object", {{{}}}]"#, keys.join(", "))
    };
    for (first, second) in [
        (object(&["hush1"]), object(&["hush2", "hush3"])),
        (format!(r#"["list", {}]"#, object(&["hush1"])), format!(r#"["list", {}]"#, object(&["hush2"]))),
        (object(&["hush1"]), "\"string\"".to_owned()),
    ] {
        let said = written(&first, &second);
        assert!(!said.contains("hush"), "{said}");
    }
    let tuple = |length: usize| format!(r#"["tuple", [{}]]"#, vec!["\"string\""; length].join(", "));
    assert_eq!(written(&tuple(1), "\"string\""), written(&tuple(2), "\"string\""));
}
