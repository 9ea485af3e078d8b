//! What stands around rules: metadata, severities, exceptions that end, lists of targets.

use serde_json::{Value as Json, json};

use super::{Run, check, file, has, has_not};

/// A managed resource that is created with a value.
fn created(address: &str, value: &Json) -> Json {
    let (module, rest) = match address.rfind("module.") {
        Some(at) => {
            let end = at + 7 + address[at + 7..].find('.').expect("a resource behind the module");
            (Some(&address[..end]), &address[end + 1..])
        }
        None => (None, address),
    };
    let (mode, rest) = rest.strip_prefix("data.").map_or(("managed", rest), |rest| ("data", rest));
    let (ty, name) = rest.split_once('.').expect("a type and a name");
    let mut resource = json!({
        "address": address, "mode": mode, "type": ty, "name": name, "provider_name": "registry.terraform.io/x/x",
        "change": {"actions": ["create"], "before": null, "after": value, "after_unknown": {}, "after_sensitive": {},
            "before_sensitive": false},
    });
    if let Some(module) = module {
        resource["module_address"] = module.into();
    }
    resource
}

/// A plan that creates resources with the attribute `n`, and has outputs with the values of their names.
pub(crate) fn plan(name: &str, resources: &[(&str, i64)], outputs: &[&str]) -> String {
    let resources: Vec<Json> =
        resources.iter().map(|(address, n)| created(address, &json!({"n": n}))).collect();
    let output = |name: &&str| {
        let change = json!({"actions": ["create"], "before": null, "after": name, "after_unknown": false,
            "before_sensitive": false, "after_sensitive": false});
        ((*name).to_owned(), change)
    };
    let outputs: serde_json::Map<String, Json> = outputs.iter().map(output).collect();
    file(
        name,
        json!({"format_version": "1.2", "terraform_version": "1.11.4", "resource_changes": resources,
        "output_changes": outputs, "applyable": true, "complete": true, "errored": false})
        .to_string(),
    )
}

/// Checks a plan with rules.
fn checked(plan: &str, name: &str, rules: &str, more: &[&str]) -> Run {
    let rules = file(name, rules);
    check(&[&[plan, "--rules", &rules], more].concat())
}

const METADATA: &str = r#"rule "small" {
  id          = "X-1"
  link        = "https://wiki.example.com/x-1"
  tags        = ["size", "cost"]
  owner       = "platform <team>"
  severity    = "critical"
  description = "Nothing is large"
  resource    = "x_y"
  attribute "n" { max = 5 }
}
"#;

#[test]
fn every_format_has_the_metadata_of_a_failing_rule() {
    let plan = plan("around/metadata.json", &[("x_y.a", 9)], &[]);
    let run = |format: &str| checked(&plan, "around/metadata.hcl", METADATA, &["--format", format]);
    let text = run("text");
    assert_eq!(text.status, 1);
    has(&text.out, "│ X-1, severity critical, owner platform <team>, https://wiki.example.com/x-1");
    let json: Json = serde_json::from_str(&run("json").out).expect("JSON");
    let (rule, answer) = (&json["plans"][0]["rule_list"][0], &json["plans"][0]["answers"][0]);
    assert_eq!(
        (&rule["rule"], &rule["id"], &rule["link"], &rule["tags"], &rule["owner"], &rule["severity"]),
        (
            &json!("small"),
            &json!("X-1"),
            &json!("https://wiki.example.com/x-1"),
            &json!(["size", "cost"]),
            &json!("platform <team>"),
            &json!("critical")
        )
    );
    assert_eq!(
        (&answer["id"], &answer["severity"], &answer["fails"]),
        (&json!("X-1"), &json!("critical"), &json!(true))
    );
    let sarif: Json = serde_json::from_str(&run("sarif").out).expect("JSON");
    let driver = &sarif["runs"][0]["tool"]["driver"];
    let rule = &driver["rules"][0];
    assert_eq!((&rule["id"], &rule["name"]), (&json!("X-1"), &json!("small")));
    assert_eq!(rule["helpUri"], "https://wiki.example.com/x-1");
    assert_eq!(
        rule["properties"],
        json!({"tags": ["size", "cost"], "severity": "critical", "owner": "platform <team>"})
    );
    assert_eq!(sarif["runs"][0]["results"][0]["ruleId"], "X-1");
    assert!(driver["informationUri"].as_str().is_some_and(|uri| uri.starts_with("https://")));
    has(&run("junit").out, "name=\"X-1 small: n ");
    has(&run("github").out, ",title=X-1 small::");
    let page = run("html").out;
    has(&page, "<a href=\"https://wiki.example.com/x-1\">X-1</a>");
    has(&page, "platform &lt;team&gt;");
}

#[test]
fn what_is_wrong_with_metadata_is_an_error_with_its_place() {
    let plan = plan("around/wrong.json", &[("x_y.a", 9)], &[]);
    let body = "resource = \"x_y\"\n  attribute \"n\" { max = 5 }\n}\n";
    for (at, (written, expected)) in [
        ("id = \"\"", "wrong0.hcl:2:8: `id` is empty"),
        ("id = 1", "wrong1.hcl:2:8: `id` takes a text, not a number"),
        ("link = \"javascript:alert(1)\"", "`link` takes the address of a page, such as \"https://…\""),
        ("tags = \"a\"", "`tags` takes a list of texts, not a "),
        ("tags = []", "`tags` is empty; leave it out"),
        ("severity = \"hihg\"", "unknown severity `hihg`; the nearest is `high`; there are info, low, warning, medium, high, error, critical"),
        ("ownr = \"a\"", "unknown rule `ownr`; the nearest is `owner`"),
    ]
    .into_iter()
    .enumerate()
    {
        let run = checked(&plan, &format!("around/wrong{at}.hcl"), &format!("rule \"r\" {{\n  {written}\n  {body}"), &[]);
        assert_eq!((run.status, run.out.as_str()), (2, ""), "{written}");
        has(&run.err, expected);
    }
    let rule = |name: &str| format!("rule \"{name}\" {{\n  id = \"X\"\n  {body}");
    let run = checked(&plan, "around/twice.hcl", &(rule("a") + &rule("b")), &[]);
    has(&run.err, "twice.hcl:6:1: a second rule with the id `X`; the first is in line 1");
}

#[test]
fn the_level_decides_which_failures_fail_the_run() {
    let levels = ["info", "low", "warning", "medium", "high", "error", "critical"];
    let ranks = [0, 1, 1, 2, 3, 3, 4];
    let plan = plan("around/level.json", &[("x_y.a", 9)], &[]);
    for (level, rank) in levels.into_iter().zip(ranks) {
        let rules = format!(
            "rule \"r\" {{\n  resource = \"x_y\"\n  severity = \"{level}\"\n  attribute \"n\" {{ max = 5 }}\n}}\n"
        );
        let name = format!("around/level-{level}.hcl");
        let status = |more: &[&str]| checked(&plan, &name, &rules, more).status;
        assert_eq!(status(&[]), i32::from(rank >= 3), "{level}");
        for (bound, least) in levels.into_iter().zip(ranks) {
            assert_eq!(status(&["--fail-on", bound]), i32::from(rank >= least), "{level} --fail-on {bound}");
        }
    }
    let run = check(&["--fail-on", "fatal"]);
    assert_eq!(run.status, 2);
    has(&run.err, "there are info, low, warning, medium, high, error and critical");
}

#[test]
fn a_failure_below_the_bound_is_a_warning_in_every_format() {
    let plan = plan("around/below.json", &[("x_y.a", 9)], &[]);
    let rules =
        "rule \"r\" {\n  resource = \"x_y\"\n  severity = \"low\"\n  attribute \"n\" { max = 5 }\n}\n";
    let run = |format: &str| checked(&plan, "around/below.hcl", rules, &["--format", format]).out;
    has(&run("text"), "0 pass, 0 fail, 1 warned");
    has(&run("text"), "severity low");
    has(&run("github"), "::warning ");
    has(&run("sarif"), "\"level\":\"note\"");
    has(&run("json"), "\"fails\": false");
    has(&run("junit"), "failures=\"0\"");
}

const SKIPS: &str = r#"rule "small" {
  id       = "X-1"
  tags     = ["size"]
  resource = "**"
  attribute "n" { max = 5 }
}
"#;

/// The outcome of each resource in JSON.
fn outcomes(run: &Run) -> Vec<String> {
    let json: Json = serde_json::from_str(&run.out).expect("JSON");
    let answers = json["plans"][0]["answers"].as_array().expect("answers").clone();
    let outcome = |answer: &Json| {
        format!("{} {}", answer["address"].as_str().unwrap_or(""), answer["outcome"].as_str().unwrap_or(""))
    };
    answers.iter().map(outcome).collect()
}

#[test]
fn a_skip_names_rules_by_name_id_and_tag_and_modules_with_all_below() {
    let plan = plan(
        "around/skip.json",
        &[
            ("x_y.a", 9),
            ("module.legacy.x_y.b", 9),
            ("module.legacy.module.m.x_y.c", 9),
            ("module.new.x_y.d", 9),
        ],
        &[],
    );
    let expected = [
        "x_y.a fail",
        "module.legacy.x_y.b skipped",
        "module.legacy.module.m.x_y.c skipped",
        "module.new.x_y.d fail",
    ];
    for (at, names) in ["skip \"small\" {", "skip {\n  ids = [\"X-1\"]", "skip {\n  tags = [\"size\"]"]
        .into_iter()
        .enumerate()
    {
        let rules = format!("{SKIPS}{names}\n  address = \"module.legacy.**\"\n  reason = \"goes\"\n}}\n");
        let run = checked(&plan, &format!("around/skip{at}.hcl"), &rules, &["--format", "json"]);
        assert_eq!(run.status, 1);
        assert_eq!(outcomes(&run), expected, "{names}");
    }
    for (at, (written, expected)) in [
        ("skip {\n  ids = [\"X-2\"]", "unknown id `X-2`; the nearest is `X-1`"),
        ("skip {\n  tags = [\"sise\"]", "unknown tag `sise`; the nearest is `size`"),
        ("skip \"smal\" {", "unknown rule `smal`; the nearest is `small`"),
        ("skip {", "`skip` names no rule: skip \"RULE\", or `ids` or `tags` in it"),
        ("skip \"small\" {\n  until = \"2026-02-30\"", "\"2026-02-30\" is no day: the month has no such day"),
        (
            "skip \"small\" {\n  until = \"31.12.2026\"",
            "\"31.12.2026\" is no day: a day is written 2026-12-31",
        ),
        ("skip \"small\" {\n  untill = \"2026-12-31\"", "unknown argument `untill`; the nearest is `until`"),
    ]
    .into_iter()
    .enumerate()
    {
        let rules = format!("{SKIPS}{written}\n  address = \"**\"\n  reason = \"goes\"\n}}\n");
        let run = checked(&plan, &format!("around/badskip{at}.hcl"), &rules, &[]);
        assert_eq!((run.status, run.out.as_str()), (2, ""), "{written}");
        has(&run.err, expected);
    }
    for (at, pattern) in ["module.legacy**", "module.**", "x_y.**", "a**.b", "**.**"].into_iter().enumerate()
    {
        let rules = SKIPS.replace("\"**\"", &format!("{pattern:?}"));
        let run = checked(&plan, &format!("around/badpattern{at}.hcl"), &rules, &[]);
        assert_eq!(run.status, 2, "{pattern}");
        has(&run.err, "`**` stands for any modules, alone and in the place of `module.NAME`");
    }
}

#[test]
fn an_exception_ends_with_its_last_day_and_then_fails_the_run_in_every_format() {
    // Nothing else fails.
    let plan = plan("around/until.json", &[("x_y.a", 3)], &[]);
    let rules = format!(
        "{SKIPS}skip \"small\" {{\n  address = \"x_y.a\"\n  reason = \"until the move\"\n  until = \"2026-12-31\"\n}}\n"
    );
    let run = |now: &str, format: &str, more: &[&str]| {
        checked(&plan, "around/until.hcl", &rules, &[&["--now", now, "--format", format], more].concat())
    };
    for now in ["2026-12-31", "2026-12-31T23:59:59Z"] {
        let run = run(now, "json", &[]);
        assert_eq!((run.status, outcomes(&run)), (0, vec!["x_y.a skipped".to_owned()]));
    }
    has(&run("2026-12-31", "text", &[]).out, "until the move (until 2026-12-31)");
    has(&run("2026-12-31", "json", &[]).out, "\"until\": \"2026-12-31\"");
    let after = run("2027-01-01T00:00:00Z", "json", &[]);
    assert_eq!((after.status, outcomes(&after)), (1, vec!["x_y.a pass".to_owned()]));
    let ended = "the skip of \"small\" at x_y.a ended on 2026-12-31: its rules are evaluated again";
    for (format, more) in [
        ("text", &[][..]),
        ("text", &["--quiet"]),
        ("text", &["--only", "fail"]),
        ("text", &["--diagnostics", "snippets"]),
        ("html", &[]),
        ("github", &[]),
        ("junit", &[]),
        ("sarif", &[]),
        ("json", &[]),
    ] {
        let run = run("2027-01-01", format, more);
        assert_eq!(run.status, 1, "{format}");
        let plain = run.out.replace("&quot;", "\"").replace("\\\"", "\"").replace("%3A", ":");
        match format {
            "json" => has(&run.out, "\"until\": \"2026-12-31\""),
            _ => has(&plain.to_lowercase(), ended),
        }
    }
    has(&run("2027-01-01", "text", &[]).out, "1 pass, 0 fail, 1 expired, 0 undetermined, 0 skipped");
    has(&run("2027-01-01", "junit", &[]).out, "failures=\"1\"");
    for now in ["tomorrow", "2026-12-31T25:00:00Z", "2026-12-31 10:00"] {
        assert_eq!(run(now, "text", &[]).status, 2, "{now}");
    }
    // Without the option it is the system's day.
    let past = rules.replace("2026", "2020");
    assert_eq!(checked(&plan, "around/past.hcl", &past, &[]).status, 1);
    let future = rules.replace("2026", "9998");
    assert_eq!(checked(&plan, "around/future.hcl", &future, &[]).status, 0);
}

#[test]
fn a_rule_is_about_each_target_of_a_list_and_each_output_of_a_pattern() {
    let plan = plan(
        "around/list.json",
        &[("a_lb.x", 9), ("a_alb.x", 9), ("a_other.x", 9), ("module.m.a_lb.y", 9), ("data.a_ami.x", 9)],
        &["db_password", "password_hash", "url"],
    );
    let rules = |resource: &str| {
        format!("rule \"r\" {{\n  resource = {resource}\n  attribute \"n\" {{ max = 5 }}\n}}\n")
    };
    for (at, (resource, expected)) in [
        ("[\"a_lb\", \"a_alb\"]", &["a_lb.x fail", "a_alb.x fail", "module.m.a_lb.y fail"][..]),
        ("[\"a_lb.*\", \"a_lb.x\"]", &["a_lb.x fail"]),
        ("\"module.m.**\"", &["module.m.a_lb.y fail"]),
        ("\"**\"", &["a_lb.x fail", "a_alb.x fail", "a_other.x fail", "module.m.a_lb.y fail"]),
        ("\"data.*\"", &["data.a_ami.x fail"]),
        ("[\"data.*\", \"module.m\"]", &["module.m.a_lb.y fail", "data.a_ami.x fail"]),
    ]
    .into_iter()
    .enumerate()
    {
        let run = checked(&plan, &format!("around/list{at}.hcl"), &rules(resource), &["--format", "json"]);
        assert_eq!(outcomes(&run), expected, "{resource}");
    }
    // An address that matches nothing is named although another one matches.
    let run = checked(&plan, "around/near.hcl", &rules("[\"a_lb\", \"a_abl\"]"), &[]);
    has(&run.out, "The plan has no `a_abl`; the nearest type is `a_alb`");
    for (at, (resource, expected)) in [
        ("[]", "`resource` is empty; leave it out"),
        ("[1]", "`resource` takes a list of texts"),
        ("[\"a_lb\", \"a.b.c\"]", "there are more parts than a type and a name"),
    ]
    .into_iter()
    .enumerate()
    {
        let run = checked(&plan, &format!("around/badlist{at}.hcl"), &rules(resource), &[]);
        assert_eq!(run.status, 2);
        has(&run.err, expected);
    }
    let of_outputs =
        |output: &str| format!("rule \"r\" {{\n  output = {output}\n  value {{ matches = \"^u\" }}\n}}\n");
    for (at, (output, expected)) in [
        ("\"*password*\"", &["output.db_password fail", "output.password_hash fail"][..]),
        ("[\"url\", \"db_*\", \"*_password\"]", &["output.db_password fail", "output.url pass"]),
    ]
    .into_iter()
    .enumerate()
    {
        let run =
            checked(&plan, &format!("around/outputs{at}.hcl"), &of_outputs(output), &["--format", "json"]);
        assert_eq!(outcomes(&run), expected, "{output}");
    }
    let run = checked(&plan, "around/nooutput.hcl", &of_outputs("[\"*secret*\", \"ulr\"]"), &["--quiet"]);
    has(&run.out, "No output of the plan has a name of the pattern `*secret*`");
    has(&run.out, "The plan has no output `ulr`; the nearest is `url`");
    has_not(&run.out, "1 pass");
}

#[test]
fn names_that_are_none_come_with_the_nearest_everywhere() {
    let plan = format!("{}/plan.json", super::DATA);
    for (arguments, expected) in [
        (&["why"][..], "which value? A name such as aws_vpc.main.id; or --roots"),
        (
            &["why", "output.vpcid", "--plan", &plan],
            "there is no value `output.vpcid`; did you mean `output.vpc_id`?",
        ),
        (&["catalogue", "aws_vcp"], "there are no facts about `aws_vcp`; the nearest type is `aws_vpc`"),
        (&["rules", "attribut"], "there is no rule or word \"attribut\"; did you mean \"attribute\"?"),
    ] {
        let run = super::run(arguments);
        assert_eq!((run.status, run.out.as_str()), (2, ""), "{arguments:?}");
        has(&run.err, expected);
    }
    has(&super::run(&["rules", "format"]).out, "  formats         uuid, ipv4, ");
    assert_eq!(super::run(&["check", "--version"]).status, 0);
}

#[test]
fn a_condition_ends_with_a_status_that_scripts_understand() {
    let plan = format!("{}/plan.json", super::DATA);
    for (expression, status) in [
        ("1 < 2", 0),
        ("1 > 2", 1),
        ("aws_vpc.main.id == \"x\"", 3),
        ("sensitive(true)", 2),
        ("\"text\"", 2),
        ("length(aws_vpc.main.id) >= 0", 0),
    ] {
        let run = super::run(&["eval", expression, "--plan", &plan, "--assert"]);
        assert_eq!(run.status, status, "{expression} {} {}", run.out, run.err);
        assert!(super::run(&["eval", expression, "--plan", &plan]).status == 0);
    }
}
