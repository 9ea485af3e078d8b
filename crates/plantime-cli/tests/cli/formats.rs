//! Reports for other programs: SARIF, JUnit, GitHub's workflow commands. Each has what its published schema requires.

use serde_json::Value as Json;

use super::{DATA, Run, check, file, has, has_not};

/// The check of the example, with the configuration.
fn example(format: &str) -> Run {
    check(&["--format", format])
}

/// A check in which names and values are hostile.
fn hostile(format: &str) -> Run {
    let evil = "a\"<&>'::%,\r\n::error::x]]>\u{1b}[2J\u{fffe}";
    let change = serde_json::json!({"actions": ["create"], "before": null, "after": {"name": evil}, "after_unknown": {},
        "before_sensitive": false, "after_sensitive": {}});
    let plan = serde_json::json!({"format_version": "1.2", "resource_changes": [{
        "address": format!("x_y.{evil}"), "mode": "managed", "type": "x_y", "name": evil, "change": change,
    }]});
    let rules = "rule \"r\" {\n  resource = \"x_y\"\n  attribute \"name\" { equals = \"b\" }\n}\n";
    let (plan, rules) = (file("formats/plan.json", plan.to_string()), file("formats/a rule.hcl", rules));
    check(&[&plan, "--rules", &rules, "--format", format])
}

/// What the SARIF 2.1.0 schema and its text require of a document with results.
#[track_caller]
fn is_sarif(text: &str) -> Json {
    let document: Json = serde_json::from_str(text).expect("JSON");
    assert_eq!(document["version"], "2.1.0");
    has(document["$schema"].as_str().expect("a schema"), "sarif-2.1.0");
    for run in document["runs"].as_array().expect("runs") {
        let driver = &run["tool"]["driver"];
        assert_eq!(driver["name"], "plantime");
        let rules: Vec<&Json> =
            driver["rules"].as_array().expect("rules").iter().map(|rule| &rule["id"]).collect();
        assert!(run["invocations"][0]["executionSuccessful"].is_boolean());
        for result in run["results"].as_array().expect("results") {
            assert!(rules.contains(&&result["ruleId"]), "{result}");
            assert!(result["message"]["text"].as_str().is_some_and(|text| !text.is_empty()), "{result}");
            let (kind, level) =
                (result["kind"].as_str().expect("a kind"), result["level"].as_str().expect("a level"));
            assert!(["fail", "open", "notApplicable"].contains(&kind), "{kind}");
            // 3.27.10: a level other than none is for what fails.
            assert_eq!(kind == "fail", ["error", "warning", "note"].contains(&level), "{result}");
            let location = &result["locations"][0];
            assert!(location["logicalLocations"][0]["fullyQualifiedName"].is_string());
            let uri = location["physicalLocation"]["artifactLocation"]["uri"].as_str().expect("a place");
            assert!(
                uri.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(&byte)),
                "{uri}"
            );
            assert!(location["physicalLocation"]["region"]["startLine"].as_u64() > Some(0), "{result}");
        }
    }
    document
}

#[test]
fn sarif_has_what_its_schema_requires() {
    let run = example("sarif");
    assert_eq!(run.err, "");
    let document = is_sarif(&run.out);
    let results = document["runs"][0]["results"].as_array().expect("results").clone();
    let of_kind = |kind: &str| results.iter().filter(|result| result["kind"] == kind).count();
    assert!(of_kind("fail") > 0 && of_kind("open") > 0, "{results:#?}");
    let in_configuration = results.iter().filter(|result| !result["relatedLocations"].is_null());
    assert!(in_configuration.count() > 0);
    is_sarif(&hostile("sarif").out);
    let two = check(&[
        &format!("{DATA}/plan.json"),
        &format!("{DATA}/plan.json"),
        "--rules",
        &format!("{DATA}/rules.hcl"),
        "--format",
        "sarif",
    ]);
    // GitHub takes 20 runs at most: all plans are one.
    let document = is_sarif(&two.out);
    assert_eq!(document["runs"].as_array().map(Vec::len), Some(1));
    let run = &document["runs"][0];
    assert_eq!(run["invocations"].as_array().map(Vec::len), Some(2));
    assert_eq!(run["automationDetails"]["id"], "plantime");
    let messages = run["results"].as_array().expect("results").iter();
    messages.for_each(|result| has(result["message"]["text"].as_str().expect("a text"), "plan.json: "));
}

/// The elements of an XML text, each with its attributes, in the order in which they begin. Fails where the text is not
/// well-formed.
#[track_caller]
fn elements(text: &str) -> Vec<(String, Vec<(String, String)>)> {
    let is_character = |c: char| matches!(c, '\t' | '\n' | ' '..='\u{fffd}' | '\u{10000}'..);
    assert!(text.chars().all(is_character), "a character that XML does not have");
    let mut rest =
        text.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n").expect("the declaration");
    let (mut open, mut found) = (Vec::new(), Vec::new());
    while let Some(start) = rest.find('<') {
        let content = &rest[..start];
        for entity in content.split('&').skip(1) {
            assert!(["amp;", "lt;", "gt;", "quot;"].iter().any(|name| entity.starts_with(name)), "{entity}");
        }
        assert!(!content.contains("]]>"));
        let end = rest.find('>').expect("the end of a tag");
        let (tag, after) = (&rest[start + 1..end], &rest[end + 1..]);
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name));
            continue;
        }
        let (name, attributes) = tag.trim_end_matches('/').split_once(' ').unwrap_or((tag, ""));
        let mut all = Vec::new();
        for attribute in attributes.split("\" ").filter(|attribute| !attribute.is_empty()) {
            let (key, value) = attribute.split_once("=\"").expect("an attribute");
            all.push((key.to_owned(), value.trim_end_matches('"').to_owned()));
        }
        if !tag.ends_with('/') {
            open.push(name.to_owned());
        }
        found.push((name.to_owned(), all));
    }
    assert!(open.is_empty(), "{open:?}");
    found
}

#[test]
fn junit_is_well_formed_and_its_counts_are_right() {
    for run in [example("junit"), hostile("junit")] {
        assert_eq!(run.err, "");
        let all = elements(&run.out);
        let count = |name: &str| all.iter().filter(|(found, _)| found == name).count();
        assert_eq!((all[0].0.as_str(), all[1].0.as_str()), ("testsuites", "testsuite"));
        let attribute = |name: &str| {
            let found = all[1].1.iter().find(|(key, _)| key == name).expect("an attribute of the suite");
            found.1.parse::<usize>().expect("a number")
        };
        assert!(count("testcase") > 0);
        assert_eq!(attribute("tests"), count("testcase"));
        assert_eq!(attribute("failures"), count("failure"));
        assert_eq!(attribute("skipped"), count("skipped"));
        assert_eq!(attribute("errors"), 0);
        all.iter().for_each(|(name, attributes)| fits_junit_10(name, attributes));
    }
}

/// What `junit-10.xsd`, the schema of Jenkins' plugin xUnit, allows and requires of the elements that are written. It has no
/// `file` and `line` of a test case, which other readers take for its place.
#[track_caller]
fn fits_junit_10(name: &str, attributes: &[(String, String)]) {
    let (required, optional): (&[&str], &[&str]) = match name {
        "testsuites" => (&[], &["name"]),
        "testsuite" => (&["name", "tests", "failures", "errors"], &["skipped"]),
        "testcase" => (&["name"], &["classname", "file", "line"]),
        "failure" | "skipped" => (&[], &["message", "type"]),
        "system-out" => (&[], &[]),
        other => panic!("{other}"),
    };
    let has = |key: &&str| attributes.iter().any(|(found, _)| found == key);
    assert!(required.iter().all(&has), "{name}: {attributes:?}");
    let is_known = |key: &str| required.contains(&key) || optional.contains(&key);
    assert!(attributes.iter().all(|(key, _)| is_known(key)), "{name}: {attributes:?}");
    // As the table in the documentation says, each test case has a class.
    assert!(name != "testcase" || has(&"classname"));
}

/// The validator of the format's authors, where `PLANTIME_SARIF_VALIDATOR` names it (the executable of the npm package
/// `@microsoft/sarif-multitool-linux`, which has the schema inside), finds no error, and advises only that a tool may have a web
/// page and that a list of rules may be left out.
#[test]
fn sarif_is_valid_for_the_validator_of_its_authors() {
    let Some(validator) = std::env::var_os("PLANTIME_SARIF_VALIDATOR") else {
        println!("skipped: PLANTIME_SARIF_VALIDATOR names no validator");
        return;
    };
    for (name, run) in [("example", example("sarif")), ("hostile", hostile("sarif"))] {
        let (input, output) =
            (file(&format!("formats/{name}.sarif"), run.out), format!("formats/{name}.found.sarif"));
        let output = file(&output, String::new());
        let status = std::process::Command::new(&validator)
            .args(["validate", &input, "--output", &output, "--log", "ForceOverwrite"])
            .output()
            .expect("the validator runs");
        let text = String::from_utf8_lossy(&status.stdout).into_owned();
        let said = |word: &str| text.lines().filter(|line| line.contains(word)).count();
        assert!(status.status.success() && said("error ") == 0 && said("Analysis completed") == 1, "{text}");
        let warnings: Vec<&str> = text.lines().filter(|line| line.contains("warning ")).collect();
        let is_advice = |line: &&str| line.contains("SARIF2004") || line.contains("SARIF2005");
        assert!(warnings.iter().all(is_advice), "{warnings:?}");
    }
}

/// A file that a build server reads says the same as the exit status: with `--allow-errored`, planning that failed is no error.
#[test]
fn planning_that_failed_is_an_error_where_the_exit_status_says_so() {
    let plan =
        file("formats/errored.json", r#"{"format_version": "1.2", "errored": true, "resource_changes": []}"#);
    let rules = file("formats/errored.hcl", "");
    let run = |format: &str, more: &[&str]| {
        let run = check(&[&[&*plan, "--rules", &rules, "--format", format], more].concat());
        assert_eq!(run.status, if more.is_empty() { 2 } else { 0 }, "{}", run.err);
        run.out
    };
    let allowed: &[&str] = &["--allow-errored"];
    has(&run("junit", &[]), " errors=\"1\" skipped=\"0\">");
    has(&run("junit", &[]), "<error message=\"planning ended with an error: ");
    let junit = run("junit", allowed);
    has(&junit, " errors=\"0\" skipped=\"1\">");
    has(&junit, "<skipped message=\"planning ended with an error: ");
    has_not(&junit, "<error");
    elements(&junit).iter().for_each(|(name, attributes)| fits_junit_10(name, attributes));
    for (more, success, level) in [(&[][..], false, "error"), (allowed, true, "warning")] {
        let invocation = is_sarif(&run("sarif", more))["runs"][0]["invocations"][0].clone();
        assert_eq!(invocation["executionSuccessful"], success);
        assert_eq!(invocation["toolExecutionNotifications"][0]["level"], level);
    }
    has(&run("github", &[]), "::error title=plantime::");
    has(&run("github", allowed), "::warning title=plantime::");
}

#[test]
fn a_workflow_command_is_one_line() {
    let run = example("github");
    assert_eq!(run.err, "");
    assert!(
        run.out
            .lines()
            .all(|line| ["::error ", "::warning ", "::notice "].iter().any(|start| line.starts_with(start)))
    );
    has(&run.out, "::error file=");
    has(&run.out, "::notice ");
    let run = hostile("github");
    assert_eq!(run.out.lines().count(), 1, "{}", run.out);
    has(&run.out, "a rule.hcl,line=3,title=r::x_y.a");
    has_not(&run.out, "\u{1b}");
}

#[test]
fn what_chooses_text_goes_with_text_only() {
    let run = check(&["--format", "sarif", "--quiet"]);
    assert_eq!(run.status, 2);
    has(&run.err, "other formats have everything");
    let run = check(&["--format", "jsonl"]);
    assert_eq!(run.status, 2);
    has(&run.err, "there are text, json, sarif, junit, github, html and markdown");
}

#[test]
fn a_page_has_all_answers_and_what_they_wait_for() {
    let page = example("html");
    assert_eq!(page.status, 1);
    assert!(page.out.starts_with("<!doctype html>") && page.out.ends_with("</html>\n"));
    for kind in ["fail", "undetermined", "pass"] {
        has(&page.out, &format!("data-entry-kind=\"{kind}\""));
    }
    has(&page.out, "Open, by the unknown values that decide it");
    // Every link leads to a place of the page.
    for link in page.out.split("href=\"#").skip(1) {
        let name = link.split('"').next().expect("a name");
        has(&page.out, &format!("<a id=\"{name}\"></a>"));
    }
    let tag = |name: &str| {
        page.out.matches(&format!("<{name}")).count() == page.out.matches(&format!("</{name}>")).count()
    };
    assert!(
        ["details", "pre", "section", "ul", "li", "span", "div", "svg", "h3", "code"].into_iter().all(tag)
    );
}

#[test]
fn nothing_of_a_plan_becomes_markup_of_a_page() {
    let page = hostile("html");
    has(&page.out, "a&quot;&lt;&amp;&gt;&#39;");
    has_not(&page.out, "a\"<&");
    has_not(&page.out, "\u{1b}");
    // No plan: still a page.
    let page = check(&["/no/such/plan.json", "--format", "html"]);
    assert_eq!(page.status, 2);
}
