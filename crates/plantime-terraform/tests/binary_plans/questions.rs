//! The 55 questions about the example plan, asked of the binary plan: what the provider promised decides more of them than the
//! JSON does, and nothing else than what the apply then did.

use std::collections::BTreeMap;
use std::sync::Arc;

use plantime::source::Source;
use plantime::{Value, View};
use plantime_hcl::{Expression, Scope};
use plantime_schema::ProviderSchemas;
use plantime_terraform::plan::{
    CheckOptions, Configuration, Plan, ProviderFacts, RulesFile, TestVerdict, check, example,
};

const NETWORK: &[u8] = include_bytes!("network.tfplan");

/// From NOTE.md of the recordings: each question, the answer that reading the binary plan gives at least, and whether what is
/// asked holds after the apply.
const EXPECTED: &str = "\
1 pass holds, 2 pass holds, 3 unknown holds, 4 fail broken, 5 pass holds, 6 pass holds, 7 unknown holds
8 pass holds, 9 unknown holds, 10 pass holds, 11 pass holds, 12 pass holds, 13 fail broken, 14 unknown broken
15 pass holds, 16 pass holds, 17 pass holds, 18 pass holds, 19 pass holds, 20 unknown holds, 21 fail broken
22 fail broken, 23 pass holds, 24 unknown holds, 25 pass holds, 26 pass holds, 27 unknown holds, 28 fail broken
29 fail broken, 30 pass holds, 31 pass holds, 32 pass holds, 33 unknown holds, 34 pass holds, 35 pass holds
36 pass holds, 37 pass holds, 38 pass holds, 39 pass holds, 40 unknown broken, 41 fail broken, 42 pass holds
43 unknown holds, 44 pass holds, 45 pass holds, 46 unknown holds, 47 pass holds, 48 fail broken, 49 unknown holds
50 pass holds, 51 unknown holds, 52 pass holds, 53 unknown holds, 54 pass holds, 55 pass holds
";

/// The questions that compare two resources or select members, which no rule of a rules file does. True is a pass.
const EXPRESSIONS: [(&str, &str); 5] = [
    ("6", "aws_vpc.main.id != aws_security_group.web.id"),
    (
        "15",
        r#"alltrue([for rule in aws_security_group.web.ingress : rule.from_port == 443
           || (rule.cidr_blocks == null ? true : !contains(rule.cidr_blocks, "0.0.0.0/0"))])"#,
    ),
    ("35", r#"contains(keys(aws_db_instance.reports.tags), "Vpc")"#),
    (
        "43",
        r#"alltrue([for route in aws_route_table.main.route : length([for target in
           [route.gateway_id, route.nat_gateway_id, route.vpc_peering_connection_id] : target if target != null]) == 1])"#,
    ),
    ("51", "can(terraform_data.release.output.vpc)"),
];

/// Three questions in other words. 16: no block of the group is about port 443. 17: only the block `postgres` has networks.
const MORE: &str = r#"
rule "16" {
  resource = "aws_security_group.database"
  attribute "ingress[*].cidr_blocks[*]" { none_of = ["0.0.0.0/0"] }
}
rule "17" {
  resource = "aws_security_group.database"
  attribute "ingress[*].cidr_blocks" { len = 2 }
}
rule "48" {
  resource = "aws_security_group"
  actions  = ["delete"]
  deny     = true
}
"#;

/// The answer of each rule: fail if one of its answers fails, else unknown if one is undetermined.
fn answers(plan: &Plan, schemas: &ProviderSchemas) -> BTreeMap<String, &'static str> {
    answers_with(plan, schemas, None, "", ProviderFacts::default())
}

/// The same with a configuration, further text of a rules file, and facts.
fn answers_with(
    plan: &Plan,
    schemas: &ProviderSchemas,
    configuration: Option<Configuration>,
    assumptions: &str,
    facts: ProviderFacts,
) -> BTreeMap<String, &'static str> {
    let rules = include_str!("../../examples/network/questions/rules.hcl");
    let rules = format!("{rules}\n{MORE}\n{assumptions}");
    let options = CheckOptions {
        rules: RulesFile::read(Source::new("rules.hcl", &*rules)).unwrap(),
        schemas: schemas.clone(),
        configuration,
        show_values: false,
        facts: facts.clone(),
    };
    let report = check("network.tfplan", plan, &options).unwrap();
    let mut found: BTreeMap<String, &'static str> = BTreeMap::new();
    for answer in report.checked.iter().flat_map(|checked| &checked.answers) {
        let word = match answer.verdict {
            TestVerdict::Fail(_) => "fail",
            TestVerdict::Undetermined(_) => "unknown",
            _ => "pass",
        };
        let kept = found.entry(answer.rule.to_string()).or_insert("pass");
        let rank = |word: &str| ["pass", "unknown", "fail"].iter().position(|known| *known == word);
        if rank(word) > rank(kept) {
            *kept = word;
        }
    }
    let mut plan = plan.clone();
    plan.assume_facts(&facts, schemas);
    for (number, text) in EXPRESSIONS {
        let values = plan.planned_values();
        let answer = Expression::parse(text).unwrap().evaluate(&Scope::new(&values));
        let answer = answer.unwrap_or_else(|error| panic!("{number}: {error:?}"));
        let word = match answer.view() {
            View::Bool(true) => "pass",
            View::Bool(false) => "fail",
            _ => "unknown",
        };
        found.insert(number.to_owned(), word);
    }
    found
}

#[test]
fn every_question_is_answered_as_the_note_says_or_better() {
    let schemas = ProviderSchemas::from_json(example::PROVIDER_SCHEMAS).unwrap();
    let binary = answers(&Plan::read_binary(NETWORK, &schemas).unwrap(), &schemas);
    let json = answers(&Plan::read(example::PLAN, &schemas).unwrap(), &schemas);
    let (mut asked, mut decided, mut better) = (0, 0, Vec::new());
    for row in EXPECTED.split([',', '\n']).filter(|row| !row.trim().is_empty()) {
        let words: Vec<&str> = row.split_whitespace().collect();
        let [number, expected, after] = words[..] else { panic!("{row}") };
        let answer = binary[number];
        asked += 1;
        decided += usize::from(answer != "unknown");
        if answer != expected {
            assert_eq!(expected, "unknown", "{number}: {answer}");
            better.push(number);
        }
        // Nothing that is said at plan is contradicted by the apply, from either file.
        for answer in [answer, json[number]] {
            assert_ne!((answer, after), ("pass", "broken"), "{number}");
            assert_ne!((answer, after), ("fail", "holds"), "{number}");
        }
        // The binary plan says all that the JSON does.
        assert!(json[number] == "unknown" || json[number] == answer, "{number}");
    }
    let of_json = json.values().filter(|answer| **answer != "unknown").count();
    println!(
        "{asked} questions: {decided} decided, of the JSON {of_json}; more than the note says: {better:?}"
    );
    assert_eq!((asked, binary.len()), (55, 55));
}

/// What the binary plan decides and plan JSON with the configuration does not, and the promise of the provider that each needs. The
/// configuration says nothing of these values: the provider chooses them, and JSON does not have its promises.
const NEED_PROMISES: &[(&str, &str)] = &[
    ("1 2 4 5", "`aws_vpc.main.id` begins with `vpc-`"),
    ("6", "that, and `aws_security_group.web.id` begins with `sg-`"),
    ("8", "`aws_vpc.main.arn` begins with `arn:aws:ec2:`"),
    ("10 36", "`aws_vpc.main.id`, of which this is a copy, begins with `vpc-`"),
    ("12 16", "`aws_vpc_ipam_preview_next_cidr.cidr` begins with `10.`"),
    ("13", "`aws_vpc_ipam_pool.id` begins with `ipam-pool-`"),
    ("25 26 28", "`port` is from 1150 to 65535"),
    ("32", "`replicas[*].endpoint` begins with `replica-`"),
    ("34", "`address` is not null"),
    ("38 39 41", "`network_interface_ids` has one to four elements"),
    ("52", "`availability_zone` is not null"),
];

/// With the assumption that the identifier of the network begins with `vpc-`, the configuration carries it to these.
const BY_ASSUMPTION: &[&str] = &["1", "2", "4", "5", "10", "36"];

#[test]
fn plan_json_with_the_configuration_decides_what_needs_no_promise() {
    let schemas = ProviderSchemas::from_json(example::PROVIDER_SCHEMAS).unwrap();
    let binary = answers(&Plan::read_binary(NETWORK, &schemas).unwrap(), &schemas);
    let json = Plan::read(example::PLAN, &schemas).unwrap();
    let file = |(name, text): &(&str, &str)| ((*name).to_owned(), text.as_bytes().to_vec());
    let files: BTreeMap<String, Vec<u8>> = example::CONFIGURATION.iter().map(file).collect();
    let files = Arc::new(files);
    let configuration = || Some(Configuration::open(files.clone(), "").unwrap());
    let configured = answers_with(&json, &schemas, configuration(), "", ProviderFacts::default());
    let assumption = include_str!("../../examples/network/questions/assumption.hcl");
    let assumed = answers_with(&json, &schemas, configuration(), assumption, ProviderFacts::default());
    let mut open = Vec::new();
    for (number, answer) in &binary {
        for other in [configured[number], assumed[number]] {
            assert!(other == "unknown" || other == *answer || *answer == "unknown", "{number}: {other}");
        }
        if *answer != "unknown" && configured[number] == "unknown" {
            open.push(number.as_str());
        }
    }
    println!("{} need promises: {open:?}", open.len());
    let mut needed: Vec<&str> = NEED_PROMISES.iter().flat_map(|(numbers, _)| numbers.split(' ')).collect();
    needed.sort_unstable();
    let by_assumption: Vec<&str> =
        open.iter().filter(|number| assumed[**number] != "unknown").copied().collect();
    println!("by the assumption: {by_assumption:?}");
    assert_eq!(open, needed);
    let mut expected = BY_ASSUMPTION.to_vec();
    expected.sort_unstable();
    assert_eq!(by_assumption, expected);
}

/// What the schemas promise and the catalogue says decides none of these: the example's provider is no mirror of `hashicorp/aws`. Were
/// it taken for one, number 7 would fail, which holds after the apply: its `ipv6_cidr_block` is null, not empty.
#[test]
fn the_catalogue_says_nothing_of_another_provider() {
    use plantime_schema::catalogue::{Catalogue, Class};

    let schemas = ProviderSchemas::from_json(example::PROVIDER_SCHEMAS).unwrap();
    let json = Plan::read(example::PLAN, &schemas).unwrap();
    let file = |(name, text): &(&str, &str)| ((*name).to_owned(), text.as_bytes().to_vec());
    let files: BTreeMap<String, Vec<u8>> = example::CONFIGURATION.iter().map(file).collect();
    let files = Arc::new(files);
    let configuration = || Some(Configuration::open(files.clone(), "").unwrap());
    let mut facts = ProviderFacts::default();
    facts.from_schemas = true;
    facts.catalogues.push(Catalogue::builtin(Class::B));
    let configured = answers_with(&json, &schemas, configuration(), "", ProviderFacts::default());
    assert_eq!(answers_with(&json, &schemas, configuration(), "", facts.clone()), configured);
    let [own, other] = ["example/aws", "hashicorp/aws"].map(|name| format!("registry.terraform.io/{name}"));
    facts.mirrors.insert(own, other);
    assert_eq!(
        (answers_with(&json, &schemas, configuration(), "", facts)["7"], configured["7"]),
        ("fail", "unknown")
    );
}

/// Each value that is known before the apply is part of what the provider promised: the answers do not come from elsewhere.
#[test]
fn the_promises_are_those_of_the_note() {
    let schemas = ProviderSchemas::from_json(example::PROVIDER_SCHEMAS).unwrap();
    let plan = Plan::read_binary(NETWORK, &schemas).unwrap();
    let at = |address: &str, path: &str| -> Value {
        plan.resource_change(address).unwrap().change.after.as_ref().unwrap().at(path).unwrap()
    };
    for (address, path, expected) in [
        ("aws_vpc.main", "id", r#"notnull(stringprefix("vpc-"))"#),
        ("aws_db_instance.orders", "port", "notnull(numberrange(1150, 65535))"),
        ("aws_instance.web[0]", "network_interface_ids", "notnull(length(1, 4))"),
        ("aws_subnet.spare", "availability_zone", "notnull()"),
    ] {
        let range = at(address, path).range();
        assert_eq!(range.refinement(), &expected.parse().unwrap(), "{address}.{path}");
    }
}
