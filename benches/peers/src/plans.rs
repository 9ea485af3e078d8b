//! A plan against ten rules, in a rules file and in Rego.

use std::fmt::Write as _;
use std::hint::black_box;

use plantime_schema::ProviderSchemas;
use plantime_terraform::plan::{CheckOptions, Colour, Plan, RulesFile, TextStyle, check};
use plantime::source::Source;
use regorus::Engine;

use crate::measure::by_turns;

const RULES: &str = include_str!("rules.hcl");
const POLICY: &str = include_str!("rules.rego");
/// The same rules, of which each collects the addresses of the resources that break it.
const QUERY: &str = "data.plan.deny";

pub fn measure(megabytes: usize) {
    let plan = plan(megabytes << 20);
    let (ours, theirs) = (checked(&plan), evaluated(&plan));
    assert_eq!(ours.1, theirs.1, "both sides find as many violations");
    let turns = if megabytes > 10 { 3 } else { 7 };
    let medians = by_turns(turns, || drop(black_box(checked(&plan))), || drop(black_box(evaluated(&plan))));
    println!("{:<28} {:>12} {:>12} {:>7}", "plans with ten rules", "plantime", "regorus", "ratio");
    println!(
        "{:<28} {:>9.0} ms {:>9.0} ms {:>7.2}",
        format!("{megabytes} MB, {} violations", ours.1),
        medians.ours * 1e3,
        medians.theirs * 1e3,
        medians.ratio
    );
}

/// Repeats the check of a plan of 10 MB.
pub fn profile(rounds: usize) {
    let plan = plan(10 << 20);
    for _ in 0..rounds {
        drop(black_box(checked(&plan)));
    }
}

/// The report as text, and how many tests fail.
fn checked(plan: &str) -> (Vec<u8>, usize) {
    let rules = RulesFile::read(Source::new("rules.hcl", RULES)).expect("rules");
    let schemas = ProviderSchemas::new();
    let plan = Plan::read(plan.as_bytes(), &schemas).expect("a plan");
    let against = CheckOptions { rules, schemas, configuration: None, show_values: true, facts: Default::default() };
    let report = check("plan.json", &plan, &against).expect("the rules can be asked");
    let mut text = Vec::new();
    report.write_text(&mut text, TextStyle::new(Colour::Never)).expect("a vector takes all");
    (text, report.totals().fail)
}

/// The violations as JSON, and how many there are.
fn evaluated(plan: &str) -> (String, usize) {
    let mut engine = Engine::new();
    engine.add_policy("rules.rego".to_owned(), POLICY.to_owned()).expect("a policy");
    engine.set_input_json(plan).expect("JSON");
    let found = engine.eval_query(QUERY.to_owned(), false).expect("an answer");
    let denied = &found.result[0].expressions[0].value;
    let text = denied.to_json_str().expect("JSON");
    (text, denied.as_set().map_or(0, |found| found.len()))
}

/// A plan of about so many bytes, of instances of one resource type.
fn plan(bytes: usize) -> String {
    let mut text =
        String::from(r#"{"format_version":"1.2","terraform_version":"1.15.5","resource_changes":["#);
    let mut i = 0;
    while text.len() < bytes {
        let comma = if i > 0 { "," } else { "" };
        // One in a thousand breaks a rule.
        let size = if i % 1000 == 7 { 20_000 } else { 100 + i % 50 };
        write!(
            text,
            r#"{comma}{{"address":"aws_instance.node[{i}]","mode":"managed","type":"aws_instance","name":"node","index":{i},"provider_name":"registry.terraform.io/hashicorp/aws","change":{{"actions":["create"],"before":null,"after":{{"ami":"ami-{i:08x}","instance_type":"m5.large","availability_zone":"eu-west-1{zone}","monitoring":true,"ebs_optimized":true,"key_name":"deploy","user_data":null,"source_dest_check":true,"disable_api_termination":false,"tags":{{"Name":"node-{i}","stage":"prod","team":"payments"}},"security_groups":["sg-{i:08x}","sg-00000001"],"root_block_device":[{{"volume_size":{size},"volume_type":"gp3","encrypted":true,"iops":3000,"throughput":125}}],"ebs_block_device":[{{"device_name":"/dev/sdb","volume_size":500,"volume_type":"io1","encrypted":true}},{{"device_name":"/dev/sdc","volume_size":500,"volume_type":"io1","encrypted":true}}]}},"after_unknown":{{"id":true,"arn":true,"private_ip":true,"tags":{{}},"root_block_device":[{{"volume_id":true}}],"ebs_block_device":[{{"volume_id":true}},{{"volume_id":true}}]}},"before_sensitive":false,"after_sensitive":{{"tags":{{}},"root_block_device":[{{}}],"ebs_block_device":[{{}},{{}}]}}}}}}"#,
            zone = ["a", "b", "c"][i % 3],
        )
        .expect("a string takes all");
        i += 1;
    }
    text.push_str("]}");
    text
}
