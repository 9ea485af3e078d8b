//! The proxy between the real terraform and providers that know nothing of it.

use crate::common::IDLE_FACTS;
use crate::resources::{NETWORK, check_lifecycle};
use crate::support::{Workspace, example, hosts, terraform_is_there};

/// The proxy before the provider that says nothing at plan.
fn plain(options: &str, variables: &[(&str, &str)]) -> Workspace {
    let workspace = Workspace::behind_proxy(options, "demo", &example("plain"), variables);
    workspace.write("main.tf", NETWORK);
    workspace
}

#[test]
fn a_provider_behind_the_proxy_lives_its_whole_life_over_protocol_6() {
    for host in hosts() {
        let workspace =
            Workspace::behind_proxy(&IDLE_FACTS.join(" "), "demo", &example("template"), &[]).on(&host);
        workspace.write("main.tf", NETWORK);
        check_lifecycle(&workspace);
    }
}

#[test]
fn a_provider_behind_the_proxy_lives_its_whole_life_over_protocol_5() {
    for host in hosts() {
        let variables = [("PLUGIN_PROTOCOL_VERSIONS", "5")];
        let workspace =
            Workspace::behind_proxy(&IDLE_FACTS.join(" "), "demo", &example("template"), &variables)
                .on(&host);
        workspace.write("main.tf", NETWORK);
        check_lifecycle(&workspace);
    }
}

#[test]
fn a_provider_behind_the_proxy_works_without_tls() {
    if terraform_is_there() {
        let workspace = plain(&IDLE_FACTS.join(" "), &[]).with_variable("TF_DISABLE_PLUGIN_TLS", "1");
        workspace.terraform(&["apply", "-auto-approve"]).prints("id = \"vpc-1\"");
    }
}

/// The plan as JSON without its timestamp.
fn json_plan(workspace: &Workspace) -> serde_json::Value {
    workspace.terraform(&["plan", "-out=tfplan"]).prints("Plan:");
    let shown = workspace.terraform_output(&["show", "-json", "tfplan"]);
    let mut plan: serde_json::Value = serde_json::from_str(&shown).expect("the plan is JSON");
    plan.as_object_mut().expect("an object").remove("timestamp").expect("a timestamp");
    plan
}

#[test]
fn a_plan_without_assumptions_is_the_same() {
    if terraform_is_there() {
        let direct = Workspace::new("demo", &example("plain"), &[]);
        direct.write("main.tf", NETWORK);
        for options in ["", &IDLE_FACTS.join(" ")] {
            assert_eq!(json_plan(&direct), json_plan(&plain(options, &[])));
        }
    }
}

#[test]
fn what_is_no_provider_is_named() {
    if terraform_is_there() {
        let garbage = Workspace::behind_proxy("", "demo", "/bin/echo".as_ref(), &[]);
        garbage.write("main.tf", NETWORK);
        garbage.terraform(&["plan"]).fails_with("/bin/echo ended without saying where it listens");
        let missing = Workspace::behind_proxy("", "demo", "/no/such/provider".as_ref(), &[]);
        missing.write("main.tf", NETWORK);
        missing.terraform(&["plan"]).fails_with("could not be started");
    }
}

const FACTS: &str = "demo_vpc acme/demo\n  id A notnull(stringprefix(\"vpc-\"))\n";

/// The proxy with a file of facts.
fn assuming(options: &str, facts: &str, variables: &[(&str, &str)]) -> Workspace {
    let file = std::env::temp_dir().join(format!("plantime-facts-{}-{:x}", std::process::id(), hash(facts)));
    std::fs::write(&file, facts).expect("a file");
    plain(&format!("--provider acme/demo --assume '{}' {options}", file.display()), variables)
}

/// A number that tells texts apart.
fn hash(text: &str) -> u64 {
    text.bytes().fold(7, |hash, byte| hash.wrapping_mul(31).wrapping_add(u64::from(byte)))
}

#[test]
fn an_assumed_prefix_decides_a_condition_in_the_plan_over_both_protocols() {
    for host in hosts() {
        for protocol in ["5", "6"] {
            let workspace = assuming("", FACTS, &[("PLUGIN_PROTOCOL_VERSIONS", protocol)]).on(&host);
            let planned = workspace.terraform(&["plan"]).prints("+ id = (known after apply)");
            planned.prints("+ exists = true").prints("+ is_vpc = true");
            workspace.terraform(&["apply", "-auto-approve"]).prints("id = \"vpc-1\"").prints("1 added");
            workspace.terraform(&["plan"]).prints("No changes.");
        }
    }
}

#[test]
fn without_the_address_of_the_provider_nothing_is_assumed() {
    if terraform_is_there() {
        let workspace = plain("", &[]);
        workspace.terraform(&["plan"]).prints("+ is_vpc = (known after apply)");
        let refused = plain("--assume /tmp/none.facts", &[]);
        refused.terraform(&["plan"]).fails_with("/tmp/none.facts");
    }
}

#[test]
fn a_broken_assumption_that_was_not_sent_is_named_and_the_state_is_intact() {
    for host in hosts() {
        let checked = FACTS.replace(" A ", " B ");
        let workspace = assuming("", &checked, &[("PLAIN_ID", "net-7")]).on(&host);
        workspace.terraform(&["plan"]).prints("+ is_vpc = (known after apply)");
        let sending = assuming("--send class-b", &checked, &[]).on(&host);
        sending.terraform(&["plan"]).prints("+ is_vpc = true");
        let applied = workspace.terraform(&["apply", "-auto-approve"]).prints("1 added");
        applied
            .prints("Broken assumption about demo_vpc.id")
            .prints(":2 says notnull(stringprefix(\"vpc-\"))");
        assert!(workspace.read("terraform.tfstate").contains("\"id\": \"net-7\""));
        workspace.terraform(&["plan"]).prints("No changes.");
    }
}

#[test]
fn a_broken_assumption_is_an_error_where_that_is_asked_and_the_object_is_kept() {
    if terraform_is_there() {
        let checked = FACTS.replace(" A ", " B ");
        let workspace = assuming("--on-broken error", &checked, &[("PLAIN_ID", "net-8")]);
        let applied = workspace.terraform(&["apply", "-auto-approve"]);
        applied.fails_with("Error: Broken assumption about demo_vpc.id");
        assert!(workspace.read("terraform.tfstate").contains("\"id\": \"net-8\""));
    }
}

#[test]
fn a_broken_assumption_that_was_sent_is_refused_and_named() {
    if terraform_is_there() {
        let workspace = assuming("", FACTS, &[("PLAIN_ID", "net-9")]);
        let applied = workspace.terraform(&["apply", "-auto-approve"]);
        // A provider of the kit checks its promises before the host does.
        let applied = applied.fails_with("Provider produced inconsistent result after apply");
        let applied = applied.fails_with("Broken assumption about demo_vpc.id");
        // The provider cannot know that the plan was not its own.
        applied.fails_with("an error that calls this result a bug of the provider is about the assumption");
        assert!(workspace.read("terraform.tfstate").contains("\"id\": \"net-9\""));
    }
}

#[test]
fn calls_are_recorded_without_what_is_secret() {
    if terraform_is_there() {
        let record = std::env::temp_dir().join(format!("plantime-record-{}.jsonl", std::process::id()));
        let secret = NETWORK.replace("name = var.name", "name = var.name\n  token = \"hunter2\"");
        let workspace = assuming(&format!("--record '{}'", record.display()), FACTS, &[]);
        workspace.write("main.tf", &secret);
        workspace.terraform(&["apply", "-auto-approve"]).prints("1 added");
        let recorded = std::fs::read_to_string(&record).expect("the calls are recorded");
        std::fs::remove_file(&record).expect("the file is there");
        let lines =
            recorded.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
        let lines: Vec<_> = lines.collect();
        let apply = lines.iter().find(|line| line["call"] == "/tfplugin6.Provider/ApplyResourceChange");
        let state =
            apply.expect("an apply")["answer"]["new_state"]["text"].as_str().expect("text").to_owned();
        assert!(state.contains("vpc-1") && state.contains("(sensitive value)"), "{state}");
        assert!(!recorded.contains("hunter2") && !recorded.contains("68756e74657232"));
    }
}

/// A plan of the provider `workato`, which is written in Go; it needs no network to plan.
const WORKATO: &str = r#"
provider "workato" {
  api_key  = "hunter2"
  base_url = "https://127.0.0.1:9"
}
resource "workato_folder" "a" {
  name      = "n"
  folder_id = 1
}
resource "terraform_data" "b" {
  lifecycle {
    precondition {
      condition     = workato_folder.a.id == null
      error_message = "The id is there."
    }
  }
}
"#;

#[test]
fn a_provider_in_go_plans_the_same_and_what_is_assumed_decides_a_precondition() {
    // The executable of the Python package workato-terraform-provider.
    let Some(executable) = std::env::var_os("PLANTIME_WORKATO") else {
        println!("skipped: PLANTIME_WORKATO does not name terraform-provider-workato");
        return;
    };
    for host in hosts() {
        let workspace = |options: Option<&str>| {
            let workspace = match options {
                None => Workspace::new("workato", executable.as_ref(), &[]),
                Some(options) => Workspace::behind_proxy(options, "workato", executable.as_ref(), &[]),
            };
            workspace.write("main.tf", WORKATO);
            workspace.on(&host)
        };
        for options in ["", &IDLE_FACTS.join(" ")] {
            assert_eq!(json_plan(&workspace(None)), json_plan(&workspace(Some(options))));
        }
        let file = std::env::temp_dir().join(format!("plantime-workato-{}.facts", std::process::id()));
        std::fs::write(&file, "workato_folder test/workato\n  id A notnull()\n").expect("a file");
        let assuming = workspace(Some(&format!("--provider test/workato --assume '{}'", file.display())));
        assuming.terraform(&["plan"]).fails_with("The id is there.");
        std::fs::remove_file(&file).expect("the file is there");
    }
}
