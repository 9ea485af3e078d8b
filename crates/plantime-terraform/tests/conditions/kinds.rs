//! The kinds of rules that only conditions say.

use super::plans::{Resource, answer, created, plan};

/// The rule on each plan, by the answer that is expected.
fn asked(rule: &str, plans: &[(&str, String)]) {
    for (expected, plan) in plans {
        assert_eq!(answer(rule, plan), *expected, "{rule}\n{plan}");
    }
}

/// A rule with one assertion.
fn rule(head: &str, condition: &str) -> String {
    format!(
        "rule \"r\" {{\n{head}\n  assert {{\n    condition     = {condition}\n    error_message = \"No.\"\n  }}\n}}\n"
    )
}

fn of(resources: &[Resource]) -> String {
    plan(resources, "", "")
}

#[test]
fn a_bucket_has_a_public_access_block() {
    let rule = rule(
        "  resource = \"aws_s3_bucket\"",
        "anytrue([for b in referrers(subject, \"aws_s3_bucket_public_access_block\", \"bucket\") : b.values.block_public_acls == true])",
    );
    let bucket = created("aws_s3_bucket.b", r#"{"bucket": "data"}"#).unknown(r#"{"id": true}"#);
    let block = |acls: &str| {
        created("aws_s3_bucket_public_access_block.b", &format!(r#"{{"block_public_acls": {acls}}}"#))
            .unknown(r#"{"bucket": true}"#)
            .refers("bucket", "aws_s3_bucket.b.id")
    };
    let unrelated = created("aws_s3_bucket_public_access_block.b", r#"{"block_public_acls": true}"#)
        .unknown(r#"{"bucket": true}"#);
    let by_name =
        created("aws_s3_bucket_public_access_block.b", r#"{"block_public_acls": true, "bucket": "data"}"#);
    let other =
        created("aws_s3_bucket_public_access_block.b", r#"{"block_public_acls": true, "bucket": "other"}"#);
    let open = created("aws_s3_bucket_public_access_block.b", "{}")
        .unknown(r#"{"bucket": true, "block_public_acls": true}"#)
        .refers("bucket", "aws_s3_bucket.b.id");
    asked(
        &rule,
        &[
            ("pass", of(&[bucket.clone(), block("true")])),
            ("fail", of(&[bucket.clone(), block("false")])),
            ("fail", of(std::slice::from_ref(&bucket))),
            ("undetermined", of(&[bucket.clone(), unrelated])),
            ("pass", of(&[bucket.clone(), by_name])),
            ("fail", of(&[bucket.clone(), other])),
            ("undetermined", of(&[bucket, open])),
        ],
    );
}

#[test]
fn the_number_of_resources() {
    let rule = rule("", "length(resources(\"aws_instance\")) <= 2");
    let instances = |count: usize| -> Vec<Resource> {
        (0..count).map(|at| created(&format!("aws_instance.i[{at}]"), "{}")).collect()
    };
    asked(
        &rule,
        &[
            ("pass", of(&instances(2))),
            ("fail", of(&instances(3))),
            ("undetermined", plan(&instances(2), r#", "complete": false"#, "")),
            ("fail", plan(&instances(3), r#", "complete": false"#, "")),
        ],
    );
}

#[test]
fn the_sum_over_resources() {
    let rule = rule("", "sum([for v in resources(\"aws_ebs_volume\") : v.values.size]) <= 100");
    let volume = |name: &str, size: &str| {
        created(&format!("aws_ebs_volume.{name}"), &format!(r#"{{"size": {size}}}"#))
    };
    let open = created("aws_ebs_volume.o", "{}").unknown(r#"{"size": true}"#);
    asked(
        &rule,
        &[
            ("pass", of(&[volume("a", "40"), volume("b", "60")])),
            ("fail", of(&[volume("a", "41"), volume("b", "60")])),
            ("pass", of(&[])),
            ("undetermined", of(&[volume("a", "40"), open])),
        ],
    );
}

#[test]
fn two_attributes_are_equal() {
    let rule = rule("  resource = \"aws_db_instance\"", "try(self.tags.Name, null) == self.identifier");
    let with = |after: &str| created("aws_db_instance.d", after);
    asked(
        &rule,
        &[
            ("pass", of(&[with(r#"{"identifier": "a", "tags": {"Name": "a"}}"#)])),
            ("fail", of(&[with(r#"{"identifier": "a", "tags": {"Name": "b"}}"#)])),
            ("fail", of(&[with(r#"{"identifier": "a", "tags": {}}"#)])),
            ("undetermined", of(&[with(r#"{"tags": {"Name": "b"}}"#).unknown(r#"{"identifier": true}"#)])),
        ],
    );
}

#[test]
fn variables_of_the_plan() {
    let subject = rule("  variable = \"env\"", "contains([\"dev\", \"prod\"], self)");
    let with = |value: &str| {
        plan(
            &[],
            &format!(r#", "variables": {{"env": {{"value": "{value}"}}}}"#),
            r#", "variables": {"env": {}}"#,
        )
    };
    asked(&subject, &[("pass", with("dev")), ("fail", with("test"))]);
    let when = rule(
        "  resource = \"aws_instance\"\n  when {\n    condition = plan.variables.env != \"prod\"\n  }",
        "contains([\"t3.micro\"], self.instance_type)",
    );
    let with = |env: &str, ty: &str| {
        let instance = created("aws_instance.i", &format!(r#"{{"instance_type": "{ty}"}}"#));
        plan(&[instance], &format!(r#", "variables": {{"env": {{"value": "{env}"}}}}"#), "")
    };
    asked(
        &when,
        &[
            ("pass", with("dev", "t3.micro")),
            ("fail", with("dev", "m5.large")),
            ("none", with("prod", "m5.large")),
        ],
    );
}

#[test]
fn what_is_described_and_sensitive() {
    let described = rule("  variable = \"*\"", "coalesce(subject.description, \"-\") != \"-\"");
    let with = |inside: &str| {
        plan(
            &[],
            r#", "variables": {"a": {"value": "x"}}"#,
            &format!(r#", "variables": {{"a": {{{inside}}}}}"#),
        )
    };
    asked(&described, &[("pass", with(r#""description": "what it is""#)), ("fail", with(""))]);
    let secret =
        rule("  resource = \"aws_db_instance\"", "self.password == null || issensitive(self.password)");
    let with = |after: &str, sensitive: &str| of(&[created("aws_db_instance.d", after).sensitive(sensitive)]);
    asked(
        &secret,
        &[
            ("pass", with(r#"{"password": "x"}"#, r#"{"password": true}"#)),
            ("pass", with(r#"{"password": null}"#, "{}")),
            ("fail", with(r#"{"password": "x"}"#, "{}")),
        ],
    );
}

#[test]
fn module_calls_and_providers() {
    let pinned = rule(
        "  module = \"**\"\n  when {\n    condition = !startswith(subject.source, \"./\")\n  }",
        "subject.version_constraint != null || can(regex(\"[?&]ref=v?[0-9]\", subject.source))",
    );
    let call = |source: &str, more: &str| {
        plan(
            &[],
            "",
            &format!(r#", "module_calls": {{"net": {{"source": "{source}"{more}, "module": {{}}}}}}"#),
        )
    };
    let none = r#"{"format_version": "1.2", "resource_changes": []}"#.to_owned();
    asked(
        &pinned,
        &[
            ("pass", call("a/b/c", r#", "version_constraint": "1.0""#)),
            ("pass", call("git::x?ref=v1", "")),
            ("fail", call("a/b/c", "")),
            ("none", call("./net", "")),
            ("undetermined", none.clone()),
        ],
    );
    let version = rule("  provider = \"*\"", "subject.version_constraint != null");
    let provider = |more: &str| {
        format!(
            r#"{{"format_version": "1.2", "resource_changes": [], "configuration": {{"provider_config":
            {{"aws": {{"name": "aws", "full_name": "r/aws"{more}}}}}, "root_module": {{}}}}}}"#
        )
    };
    asked(
        &version,
        &[
            ("pass", provider(r#", "version_constraint": "~> 5.0""#)),
            ("fail", provider("")),
            ("undetermined", none),
        ],
    );
    let region = rule("  provider = \"aws\"", "contains([\"eu-west-1\"], self.region)");
    let with = |region: &str| provider(&format!(r#", "expressions": {{"region": {region}}}"#));
    asked(
        &region,
        &[
            ("pass", with(r#"{"constant_value": "eu-west-1"}"#)),
            ("fail", with(r#"{"constant_value": "us-east-1"}"#)),
            ("undetermined", with(r#"{"references": ["var.region"]}"#)),
        ],
    );
}

#[test]
fn lifecycle_and_provisioners() {
    let protected = rule("  resource = \"aws_db_instance\"", "subject.lifecycle.prevent_destroy == true");
    asked(&protected, &[("undetermined", of(&[created("aws_db_instance.d", "{}")]))]);
    let none = rule("  resource = \"null_resource\"", "length(subject.provisioners) == 0");
    let with = r#""provisioners": [{"type": "local-exec", "expressions": {"command": {"constant_value": "curl x"}}}]"#;
    let resource = created("null_resource.n", "{}");
    asked(
        &none,
        &[("pass", of(std::slice::from_ref(&resource))), ("fail", of(&[resource.clone().configured(with)]))],
    );
    let command = rule(
        "  resource = \"null_resource\"",
        "alltrue([for p in subject.provisioners : !can(regex(\"\\\\bcurl\\\\b\", p.values.command)) if p.type == \"local-exec\"])",
    );
    asked(
        &command,
        &[("pass", of(std::slice::from_ref(&resource))), ("fail", of(&[resource.configured(with)]))],
    );
}

#[test]
fn a_name_holds_a_tag() {
    let rule = rule("  resource = \"aws_s3_bucket\"", "strcontains(self.bucket, self.tags.Env)");
    let with = |after: &str| created("aws_s3_bucket.b", after);
    asked(
        &rule,
        &[
            ("pass", of(&[with(r#"{"bucket": "data-dev", "tags": {"Env": "dev"}}"#)])),
            ("fail", of(&[with(r#"{"bucket": "data", "tags": {"Env": "dev"}}"#)])),
            ("undetermined", of(&[with(r#"{"tags": {"Env": "dev"}}"#).unknown(r#"{"bucket": true}"#)])),
        ],
    );
}

#[test]
fn what_the_plan_deletes() {
    let rule = rule("", "length([for c in changes(\"**\") : c if contains(c.actions, \"delete\")]) <= 1");
    let gone = |name: &str| {
        let resource = created(&format!("aws_vpc.{name}"), "null");
        resource.changed(r#"["delete"]"#, "{}")
    };
    let replaced = created("aws_vpc.r", "{}").changed(r#"["delete", "create"]"#, "{}");
    asked(
        &rule,
        &[
            ("pass", of(&[gone("a")])),
            ("fail", of(&[gone("a"), replaced])),
            ("undetermined", plan(&[gone("a")], r#", "complete": false"#, "")),
        ],
    );
}

#[test]
fn the_plan_itself() {
    let rule = rule("", "startswith(plan.terraform_version, \"1.11\")");
    asked(
        &rule,
        &[
            ("pass", of(&[])),
            (
                "fail",
                r#"{"format_version": "1.2", "terraform_version": "1.5.0", "resource_changes": []}"#
                    .to_owned(),
            ),
            ("undetermined", r#"{"format_version": "1.2", "resource_changes": []}"#.to_owned()),
        ],
    );
}

#[test]
fn values_before_and_after() {
    let rule = rule(
        "  resource = \"aws_db_instance\"\n  actions  = [\"update\"]",
        "after.allocated_storage >= before.allocated_storage",
    );
    let with = |after: &str| {
        created("aws_db_instance.d", after).changed(r#"["update"]"#, r#"{"allocated_storage": 20}"#)
    };
    asked(
        &rule,
        &[
            ("pass", of(&[with(r#"{"allocated_storage": 20}"#)])),
            ("fail", of(&[with(r#"{"allocated_storage": 10}"#)])),
            ("undetermined", of(&[with("{}").unknown(r#"{"allocated_storage": true}"#)])),
        ],
    );
}

#[test]
fn documents_in_texts() {
    let rule = rule(
        "  resource = \"aws_s3_bucket_policy\"",
        "anytrue([for s in flatten([jsondecode(self.policy).Statement]) : s.Effect == \"Deny\"])",
    );
    let with = |effect: &str| {
        created(
            "aws_s3_bucket_policy.p",
            &format!(r#"{{"policy": "{{\"Statement\": [{{\"Effect\": \"{effect}\"}}]}}"}}"#),
        )
    };
    asked(
        &rule,
        &[
            ("pass", of(&[with("Deny")])),
            ("fail", of(&[with("Allow")])),
            ("undetermined", of(&[created("aws_s3_bucket_policy.p", "{}").unknown(r#"{"policy": true}"#)])),
        ],
    );
}

#[test]
fn a_rule_for_each_element() {
    let rule = "rule \"few\" {\n  for_each = { aws_eip = 1, aws_vpc = 1 }\n  assert {\n    condition     = length([for r in \
                resources(\"**\") : r if r.type == each.key]) <= each.value\n    error_message = \"More than ${each.value} of \
                ${each.key}.\"\n  }\n}\n";
    let eips = [created("aws_eip.a", "{}"), created("aws_eip.b", "{}")];
    asked(rule, &[("pass", of(&eips[..1])), ("fail", of(&eips))]);
    let report = super::plans::report(rule, &of(&eips));
    let answers: Vec<(&str, bool)> = report
        .checked
        .iter()
        .flat_map(|checked| &checked.answers)
        .map(|answer| {
            (&*answer.rule, matches!(answer.verdict, plantime_terraform::plan::TestVerdict::Fail(_)))
        })
        .collect();
    assert_eq!(answers, [("few[\"aws_eip\"]", true), ("few[\"aws_vpc\"]", false)]);
}

#[test]
fn a_condition_beside_other_tests() {
    let rule = "rule \"r\" {\n  resource = \"aws_s3_bucket\"\n  any {\n    attribute \"acl\" { equals = \"private\" }\n    \
                condition = length(referrers(subject, \"aws_s3_bucket_acl\", \"bucket\")) > 0\n  }\n}\n";
    let bucket = |acl: &str| created("aws_s3_bucket.b", &format!(r#"{{"acl": {acl}, "bucket": "b"}}"#));
    let acl = created("aws_s3_bucket_acl.a", r#"{"bucket": "b"}"#);
    asked(
        rule,
        &[
            ("pass", of(&[bucket("\"private\"")])),
            ("fail", of(&[bucket("\"public\"")])),
            ("pass", of(&[bucket("\"public\""), acl])),
        ],
    );
}

#[test]
fn arrays_that_may_be_sets() {
    let rule = rule("  resource = \"aws_lb\"", "length(self.subnets) >= 2");
    let with = |after: &str, unknown: &str| of(&[created("aws_lb.l", after).unknown(unknown)]);
    asked(
        &rule,
        &[
            ("pass", with(r#"{"subnets": ["a", "b"]}"#, "{}")),
            ("fail", with(r#"{"subnets": ["a"]}"#, "{}")),
            // Two unknown members of a set may be one.
            ("undetermined", with(r#"{"subnets": [null, null]}"#, r#"{"subnets": [true, true]}"#)),
            ("fail", with(r#"{"subnets": [null]}"#, r#"{"subnets": [true]}"#)),
        ],
    );
}

#[test]
fn what_is_destroyed_is_asked() {
    let gone = |after: &str| created("aws_vpc.v", "null").changed(r#"["delete"]"#, after);
    let head = "  resource = \"aws_vpc\"\n  actions  = [\"delete\"]";
    for condition in [
        "self.keep == false",
        "before.keep == false",
        "subject.before.keep == false && after == null",
        "alltrue([for c in changes(\"aws_vpc\") : c.before.keep == false])",
    ] {
        let rule = rule(head, condition);
        asked(
            &rule,
            &[
                ("pass", of(&[gone(r#"{"keep": false}"#)])),
                ("fail", of(&[gone(r#"{"keep": true}"#)])),
                ("none", of(&[created("aws_vpc.v", r#"{"keep": true}"#)])),
            ],
        );
    }
    let any = "rule \"r\" {\n  resource = \"aws_vpc\"\n  actions  = [\"delete\"]\n  any {\n    attribute \"name\" { equals = \"a\" }\n    \
               condition = self.keep == false\n  }\n}\n";
    asked(
        any,
        &[
            ("fail", of(&[gone(r#"{"keep": true, "name": "b"}"#)])),
            ("pass", of(&[gone(r#"{"keep": false, "name": "b"}"#)])),
        ],
    );
}

#[test]
fn a_change_beside_a_condition_does_not_pass_on_what_is_destroyed() {
    let gone = created("aws_vpc.v", "null").changed(r#"["delete"]"#, r#"{"size": 1, "keep": true}"#);
    let rule = |tests: &str| {
        format!("rule \"r\" {{\n  resource = \"aws_vpc\"\n  actions  = [\"delete\"]\n{tests}}}\n")
    };
    let change = "  change \"size\" { only_increase = true }\n";
    // Nothing is compared, which is no answer.
    let destroyed = of(&[gone]);
    asked(&rule(change), &[("none", destroyed.clone())]);
    let both = rule(&format!("  all {{\n{change}    condition = self.keep == false\n  }}\n"));
    asked(&both, &[("none", destroyed.clone())]);
    let rows = rule(&format!(
        "{change}  assert {{\n    condition     = self.keep == false\n    error_message = \"No.\"\n  }}\n"
    ));
    asked(&rows, &[("fail", destroyed)]);
}
