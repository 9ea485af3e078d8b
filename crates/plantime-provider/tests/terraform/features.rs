//! All that the kit offers, under the real terraform over both protocols.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{Host, Workspace, example, hosts, library};

/// A workspace with the provider `features` over a protocol, in which the terraform on the `PATH` runs.
fn features(protocol: &str, configuration: &str) -> Workspace {
    let workspace =
        Workspace::new("features", &example("features"), &[("PLUGIN_PROTOCOL_VERSIONS", protocol)]);
    let store = workspace.path("store");
    std::fs::create_dir_all(&store).expect("a folder");
    let workspace = workspace.with_variable("FEATURES_STORE", &store.display().to_string());
    workspace.write("main.tf", configuration);
    workspace
}

/// Runs a test with every terraform that is there, over protocols 5 and 6.
fn over_both(configuration: &str, test: impl Fn(&Workspace)) {
    for host in hosts() {
        for protocol in ["6", "5"] {
            test(&features(protocol, configuration).on(&host));
        }
    }
}

const DATABASE: &str = r#"
variable "name" {
  default = "main"
}
variable "wait" {
  default = null
}
resource "features_database" "a" {
  name     = var.name
  token    = "hunter2-state"
  password = "hunter2-written"
  wait     = var.wait
  timeouts {
    create = "700ms"
  }
}
output "is_database" {
  value = startswith(features_database.a.id, "db-")
}
"#;

#[test]
fn a_data_source_is_read_at_plan_or_at_apply() {
    let configuration = r#"
data "features_region" "now" {
  name = "europe"
}
resource "features_store" "a" {
  name = "x"
}
data "features_region" "later" {
  name = features_store.a.id
}
output "now" {
  value = data.features_region.now.code
}
output "later" {
  value = data.features_region.later.code
}
"#;
    over_both(configuration, |workspace| {
        let planned = workspace.terraform(&["plan"]).prints("+ now = \"eu-1\"");
        planned.prints("+ later = (known after apply)");
        workspace.terraform(&["apply", "-auto-approve"]).prints("later = \"eu-1\"");
        workspace.terraform(&["plan"]).prints("No changes.");
        workspace.write("main.tf", "data \"features_region\" \"x\" {\n  name = \"nowhere\"\n}\n");
        workspace.terraform(&["plan"]).fails_with("Error: There is no such region");
    });
}

#[test]
fn an_ephemeral_resource_is_opened_renewed_and_closed_and_stored_nowhere() {
    let configuration = r#"
ephemeral "features_token" "t" {
  role = "admin"
}
resource "features_database" "a" {
  name     = "main"
  password = ephemeral.features_token.t.token
}
resource "terraform_data" "slow" {
  input = features_database.a.id
  provisioner "local-exec" {
    command = "sleep 1; test -n '${ephemeral.features_token.t.token}'"
  }
}
"#;
    over_both(configuration, |workspace| {
        workspace.terraform(&["apply", "-auto-approve"]).prints("2 added");
        let calls = workspace.read("store/calls");
        assert!(calls.contains("open\n") && calls.contains("renew \"lease-1\"\n"), "{calls}");
        assert_eq!(calls.matches("open\n").count(), calls.matches("close \"lease-1\"\n").count(), "{calls}");
        assert!(!workspace.read("terraform.tfstate").contains("hunter2"));
    });
}

#[test]
fn private_state_goes_through_create_read_update_and_import() {
    over_both(DATABASE, |workspace| {
        workspace.terraform(&["apply", "-auto-approve"]).prints("is_database = true").prints("1 added");
        workspace.terraform(&["plan"]).prints("No changes.");
        assert!(workspace.read("store/calls").contains("read generation 1\n"));
        workspace.terraform(&["apply", "-auto-approve", "-var=name=other"]).prints("1 changed");
        workspace.terraform(&["plan", "-var=name=other"]).prints("No changes.");
        assert!(workspace.read("store/calls").contains("read generation 2\n"));
        workspace.terraform(&["state", "rm", "features_database.a"]).prints("Successfully removed");
        workspace.terraform(&["import", "features_database.a", "db-1"]).prints("Import successful!");
        assert!(workspace.read("store/calls").contains("read generation 7\n"));
    });
}

#[test]
fn sensitive_and_write_only_values_show_nowhere() {
    over_both(DATABASE, |workspace| {
        let log = workspace.path("log");
        let planned = workspace.terraform(&["plan"]).prints("+ token = (sensitive value)");
        assert!(!planned.text.contains("hunter2"), "{}", planned.text);
        let applied = workspace.terraform_with(
            &["apply", "-auto-approve"],
            &[("TF_LOG_PROVIDER", "trace"), ("TF_LOG_PATH", &log.display().to_string())],
        );
        assert!(!applied.prints("1 added").text.contains("hunter2"));
        // Terraform's own state has what is sensitive, and nothing of what is write-only.
        let state = workspace.read("terraform.tfstate");
        assert!(state.contains("hunter2-state") && !state.contains("hunter2-written"));
        let logged = workspace.read("log");
        let created = logged.lines().find(|line| line.contains("creates a database"));
        let created = created.unwrap_or_else(|| panic!("no event in\n{logged}"));
        assert!(created.contains("[INFO]") && created.contains("features: creates a database"), "{created}");
        assert!(created.contains("has_password=true") && created.contains("(sensitive value)"), "{created}");
        assert!(logged.contains("answered"));
        assert!(!logged.contains("hunter2"), "{logged}");
    });
}

#[test]
fn a_state_of_an_earlier_schema_version_is_upgraded() {
    over_both(DATABASE, |workspace| {
        workspace.terraform(&["apply", "-auto-approve"]).prints("1 added");
        let state: serde_json::Value =
            serde_json::from_str(&workspace.read("terraform.tfstate")).expect("the state is JSON");
        for (version, attributes) in [
            (0, serde_json::json!({ "id": 1, "title": "main", "token": "hunter2-state" })),
            (1, serde_json::json!({ "id": 1, "name": "main", "token": "hunter2-state" })),
        ] {
            let mut stored = state.clone();
            let instance = &mut stored["resources"][0]["instances"][0];
            instance["schema_version"] = serde_json::json!(version);
            instance["attributes"] = attributes;
            workspace.write("terraform.tfstate", &stored.to_string());
            let planned = workspace.terraform(&["plan"]);
            // Only the block `timeouts`, which the old state does not have.
            planned
                .prints("# features_database.a will be updated in-place")
                .prints("0 to add, 1 to change, 0 to destroy");
        }
    });
}

#[test]
fn behaviours_are_planned_and_their_rules_are_checked() {
    let store = "variable \"tier\" {\n  default = null\n}\nresource \"features_store\" \"a\" {\n  name = \"main\"\n  tier = var.tier\n}\n";
    over_both(store, |workspace| {
        workspace.terraform(&["plan"]).prints("+ tier = \"small\"");
        workspace.terraform(&["apply", "-auto-approve"]).prints("1 added");
        workspace.terraform(&["plan"]).prints("No changes.");
        let replaced = workspace.terraform(&["plan", "-var=tier=large"]);
        replaced
            .prints("~ tier = \"small\" -> \"large\" # forces replacement")
            .prints("1 to add, 0 to change, 1 to destroy");
        workspace.write("main.tf", &store.replace("\"main\"", "\"\""));
        workspace.terraform(&["validate"]).fails_with("name string length must be at least 1");
    });
}

#[test]
fn an_object_moves_between_resource_types() {
    let store = "resource \"features_store\" \"a\" {\n  name = \"main\"\n}\n";
    over_both(store, |workspace| {
        workspace.terraform(&["apply", "-auto-approve"]).prints("1 added");
        let moved = "resource \"features_database\" \"a\" {\n  name = \"main\"\n}\nmoved {\n  from = features_store.a\n  to = features_database.a\n}\n";
        workspace.write("main.tf", moved);
        let planned =
            workspace.terraform(&["plan"]).prints("# features_store.a has moved to features_database.a");
        planned.prints("0 to add, 0 to change, 0 to destroy");
        workspace.terraform(&["apply", "-auto-approve"]).prints("0 added, 0 changed, 0 destroyed");
        assert!(workspace.read("terraform.tfstate").contains("\"id\": \"db-1\""));
        // A type that takes nothing over says so.
        let back = "resource \"features_store\" \"a\" {\n  name = \"main\"\n}\nmoved {\n  from = features_database.a\n  to = features_store.a\n}\n";
        workspace.write("main.tf", back);
        let refused = workspace.terraform(&["plan"]);
        refused.fails_with("This resource type cannot take over objects of features_database");
    });
}

#[test]
fn an_operation_that_takes_too_long_ends_and_its_object_is_kept() {
    over_both(DATABASE, |workspace| {
        let applied = workspace.terraform(&["apply", "-auto-approve", "-var=wait=forever"]);
        applied.fails_with("Error: The operation did not end in time");
        assert!(workspace.read("terraform.tfstate").contains("\"id\": \"db-1\""));
        workspace.terraform(&["plan", "-var=wait=forever"]).prints("is tainted, so must be replaced");
        workspace.write("main.tf", &DATABASE.replace("700ms", "soon"));
        workspace.terraform(&["validate"]).fails_with("\"soon\" is not a duration");
    });
}

#[test]
fn a_failed_apply_keeps_the_object_that_exists() {
    over_both(DATABASE, |workspace| {
        let applied = workspace.terraform(&["apply", "-auto-approve", "-var=wait=fail"]);
        applied.fails_with("Error: The database never became ready");
        let state = workspace.read("terraform.tfstate");
        assert!(state.contains("\"id\": \"db-1\"") && state.contains("\"status\": \"tainted\""), "{state}");
        workspace.terraform(&["destroy", "-auto-approve"]).prints("1 destroyed");
    });
}

#[test]
fn an_interrupt_reaches_the_code_of_the_provider() {
    let patient = DATABASE.replace("700ms", "10m");
    over_both(&patient, |workspace| {
        // Inside Python an interrupt is Python's.
        if workspace.host() != &Host::Path {
            return;
        }
        let mut command = workspace.command(&["apply", "-auto-approve", "-no-color", "-var=wait=forever"]);
        let terraform =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("terraform starts");
        let start = Instant::now();
        while !workspace.read("store/calls").contains("waits") {
            assert!(start.elapsed() < Duration::from_secs(20), "the apply does not begin");
            std::thread::sleep(Duration::from_millis(20));
        }
        let interrupt = Command::new("kill").args(["-INT", &terraform.id().to_string()]).status();
        assert!(interrupt.is_ok_and(|status| status.success()));
        let output = terraform.wait_with_output().expect("terraform ends");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(text.contains("The operation was interrupted"), "{text}");
        assert!(workspace.read("terraform.tfstate").contains("\"id\": \"db-1\""));
    });
}

#[test]
fn functions_are_called_at_plan_with_unknown_arguments_too() {
    let configuration = r#"
resource "features_store" "a" {
  name = "x"
}
output "known" {
  value = provider::features::greet("you")
}
output "begins" {
  value = startswith(provider::features::greet(features_store.a.id), "hello")
}
"#;
    over_both(configuration, |workspace| {
        let planned = workspace.terraform(&["plan"]).prints("+ known = \"hello you\"");
        planned.prints("+ begins = true");
        workspace.write("main.tf", "output \"x\" {\n  value = provider::features::greet(\"\")\n}\n");
        workspace.terraform(&["plan"]).fails_with("Nobody is greeted");
    });
}

#[test]
fn a_provider_in_a_debugger_is_reached() {
    over_both(DATABASE, |workspace| {
        let protocol = workspace.provider_protocol();
        let mut command = Command::new(example("features"));
        command
            .args(["--debug", "test/features"])
            .env("PLUGIN_PROTOCOL_VERSIONS", &protocol)
            .env_remove("TF_PLUGIN_MAGIC_COOKIE");
        let mut provider = command.stdout(Stdio::piped()).spawn().expect("the provider starts");
        let mut line = String::new();
        let output = provider.stdout.take().expect("a pipe");
        std::io::BufRead::read_line(&mut std::io::BufReader::new(output), &mut line).expect("a line");
        let variable =
            line.trim().strip_prefix("TF_REATTACH_PROVIDERS='").and_then(|line| line.strip_suffix('\''));
        let variable = variable.unwrap_or_else(|| panic!("{line}"));
        assert!(variable.contains(&format!("\"ProtocolVersion\":{protocol}")), "{variable}");
        // Without an override: no other way leads to the provider.
        let environment = [("TF_REATTACH_PROVIDERS", variable), ("TF_CLI_CONFIG_FILE", "/dev/null")];
        workspace.terraform_with(&["init"], &environment).prints("successfully initialized");
        workspace.terraform_with(&["apply", "-auto-approve"], &environment).prints("1 added");
        workspace.terraform_with(&["plan"], &environment).prints("No changes.");
        provider.kill().expect("the provider is killed");
        provider.wait().expect("the provider ends");
    });
}

#[test]
fn a_provider_is_installed_from_a_mirror() {
    over_both(DATABASE, |workspace| {
        let mirror = workspace.path("mirror");
        let system = if cfg!(target_arch = "x86_64") { "linux_amd64" } else { "linux_arm64" };
        let folder = mirror.join(format!("registry.terraform.io/test/features/1.2.3/{system}"));
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::copy(
            workspace.path("bin/terraform-provider-features"),
            folder.join("terraform-provider-features_v1.2.3"),
        )
        .expect("the script is copied");
        workspace.write(
            "cli.tfrc",
            &format!(
                "provider_installation {{\n  filesystem_mirror {{\n    path = \"{}\"\n  }}\n}}\n",
                mirror.display()
            ),
        );
        workspace.terraform(&["init"]).prints("Installed test/features v1.2.3");
        workspace.terraform(&["validate"]).prints("Success!");
        workspace.terraform(&["apply", "-auto-approve"]).prints("is_database = true");
        workspace.terraform(&["plan"]).prints("No changes.");
        workspace.terraform(&["destroy", "-auto-approve"]).prints("1 destroyed");
    });
}

#[test]
fn an_object_is_imported_by_its_identity() {
    let Some(host) = library() else { return };
    for protocol in ["6", "5"] {
        let import = "import {\n  to = features_database.a\n  identity = {\n    id = \"db-9\"\n  }\n}\n";
        let database = "resource \"features_database\" \"a\" {\n  name = \"imported\"\n}\n";
        let workspace = features(protocol, &format!("{import}{database}")).on(&host);
        workspace.terraform(&["plan"]).prints("1 to import, 0 to add, 0 to change, 0 to destroy");
        workspace.terraform(&["apply", "-auto-approve"]).prints("1 imported");
        let state: serde_json::Value =
            serde_json::from_str(&workspace.read("terraform.tfstate")).expect("the state is JSON");
        let instance = &state["resources"][0]["instances"][0];
        assert_eq!(instance["identity"], serde_json::json!({ "id": "db-9" }));
        assert_eq!(instance["attributes"]["id"], "db-9");
        workspace.terraform(&["plan"]).prints("No changes.");
        workspace.write("main.tf", &format!("{database}{}", import.replace("id = ", "key = ")));
        workspace.terraform(&["state", "rm", "features_database.a"]).prints("Successfully removed");
        let refused = workspace.terraform(&["plan"]);
        assert!(!refused.succeeded && refused.text.contains("identity"), "{}", refused.text);
    }
}

#[test]
fn what_is_not_implemented_is_refused_in_words() {
    let Some(host) = library() else { return };
    for protocol in ["6", "5"] {
        let action = "action \"features_restart\" \"a\" {\n}\nresource \"features_store\" \"a\" {\n  name = \"x\"\n}\n";
        let workspace = features(protocol, action).on(&host);
        let refused = workspace.terraform(&["validate"]);
        assert!(!refused.succeeded && refused.text.contains("features_restart"), "{}", refused.text);
        workspace.write("main.tf", "");
        workspace.write(
            "x.tfquery.hcl",
            "provider \"features\" {\n}\nlist \"features_store\" \"a\" {\n  provider = features\n}\n",
        );
        let refused = workspace.terraform(&["query"]);
        assert!(!refused.succeeded && refused.text.contains("features_store"), "{}", refused.text);
    }
}

#[test]
fn what_the_schema_says_is_enforced_before_code_of_the_author() {
    over_both("", |workspace| {
        let refused = |text: &str, why: &str| {
            workspace.write("main.tf", text);
            workspace.terraform(&["validate"]).fails_with(why);
        };
        let missing = "Error: Missing Configuration for Required Attribute";
        let read_only = "Error: Invalid Configuration for Read-Only Attribute";
        refused("resource \"features_database\" \"a\" {\n  name = null\n}\n", missing);
        refused("resource \"features_database\" \"a\" {\n  name = \"a\"\n  id = \"x\"\n}\n", read_only);
        refused("data \"features_region\" \"a\" {\n  name = null\n}\n", missing);
        refused("data \"features_region\" \"a\" {\n  name = \"a\"\n  code = \"x\"\n}\n", read_only);
        refused("ephemeral \"features_token\" \"a\" {\n  role = null\n}\n", missing);
        refused("ephemeral \"features_token\" \"a\" {\n  role = \"a\"\n  token = \"x\"\n}\n", read_only);
        // Unknown when it is validated, null when it is applied.
        let later = "resource \"terraform_data\" \"n\" {\n}\nresource \"features_database\" \"a\" {\n  name = terraform_data.n.output\n}\n";
        workspace.write("main.tf", later);
        workspace.terraform(&["validate"]).prints("Success!");
        workspace.terraform(&["apply", "-auto-approve"]).fails_with(missing);
        assert!(!workspace.read("terraform.tfstate").contains("db-1"));
        workspace.write("main.tf", "provider \"features\" {\n  prefix = \"p\"\n}\ndata \"features_region\" \"a\" {\n  name = \"a\"\n}\n");
        workspace.terraform(&["validate"]).prints("Warning: Argument is deprecated");
    });
}

const DISK: &str = "terraform {\n  provider_meta \"features\" {\n    module_name = \"disks\"\n  }\n}\nvariable \"document\" {\n  default = \"{\\\"a\\\":[1,2]}\"\n}\nresource \"features_disk\" \"a\" {\n  name     = \"SomeDisk\"\n  document = var.document\n}\n";

#[test]
fn a_provider_of_the_sdk_plans_by_its_type_system() {
    over_both(DISK, |workspace| {
        let planned =
            workspace.terraform(&["plan"]).prints("+ name = \"somedisk\"").prints("+ kind = \"ssd\"");
        assert!(planned.succeeded);
        let applied = workspace.terraform(&["apply", "-auto-approve"]).prints("1 added");
        applied
            .prints("Warning: The quota is nearly used up")
            .prints("Two disks are left.")
            .prints("The prefix is disk");
        let state = workspace.read("terraform.tfstate");
        assert!(state.contains("\"id\": \"disk-1\"") && state.contains("\"name\": \"somedisk\""), "{state}");
        assert!(workspace.read("store/calls").contains("meta disks\n"));
        // The document is read as another text of the same meaning, and planned as one.
        workspace.terraform(&["plan"]).prints("No changes.");
        workspace.terraform(&["plan", "-var=document={ \"a\": [1, 2] }"]).prints("No changes.");
        let changed = workspace.terraform(&["plan", "-var=document={\"a\":[1]}"]);
        changed.prints("0 to add, 1 to change, 0 to destroy");
        workspace.terraform(&["state", "rm", "features_disk.a"]).prints("Successfully removed");
        workspace.terraform(&["import", "features_disk.a", "disk-1"]).prints("Import successful!");
    });
}

#[test]
fn an_optional_block_has_a_least_number() {
    over_both("", |workspace| {
        for (count, is_allowed) in [(0, true), (1, false), (2, true)] {
            let partitions = "  partition {\n    size = 1\n  }\n".repeat(count);
            workspace.write(
                "main.tf",
                &format!("resource \"features_disk\" \"a\" {{\n  name = \"d\"\n{partitions}}}\n"),
            );
            let validated = workspace.terraform(&["validate"]);
            match is_allowed {
                true => drop(validated.prints("Success!")),
                false => drop(validated.fails_with(
                    "Attribute partition requires 2 item minimum, but config has only 1 declared.",
                )),
            }
        }
    });
}
