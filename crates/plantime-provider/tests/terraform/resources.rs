//! Resources: a whole life over both protocols, problems, import.

use crate::support::{Workspace, example, hosts, terraform_is_there};

pub(crate) const NETWORK: &str = r#"
variable "cidr" {
  default = "10.0.0.0/16"
}
variable "name" {
  default = null
}
resource "demo_vpc" "main" {
  cidr = var.cidr
  name = var.name
}
output "is_vpc" {
  value = startswith(demo_vpc.main.id, "vpc-")
}
output "exists" {
  value = demo_vpc.main.id != null
}
output "id" {
  value = demo_vpc.main.id
}
"#;

fn network(variables: &[(&str, &str)]) -> Workspace {
    network_of("template", variables)
}

fn network_of(provider: &str, variables: &[(&str, &str)]) -> Workspace {
    let workspace = Workspace::new("demo", &example(provider), variables);
    workspace.write("main.tf", NETWORK);
    workspace
}

#[test]
fn the_readme_has_the_template_of_at_most_60_lines() {
    let template = include_str!("../../examples/template.rs");
    assert!(include_str!("../../README.md").contains(template));
    assert!(template.lines().count() <= 60);
}

/// Creates an object, checks that a second plan changes nothing, then updates, replaces and destroys the object. The refinement of
/// the unknown id makes two outputs known in the first plan.
pub(crate) fn check_lifecycle(workspace: &Workspace) {
    workspace.terraform(&["validate"]).prints("Success!");
    let planned = workspace.terraform(&["plan"]).prints("+ id = (known after apply)");
    planned.prints("+ exists = true").prints("+ id = (known after apply)").prints("+ is_vpc = true");
    workspace.terraform(&["apply", "-auto-approve"]).prints("id = \"vpc-1\"").prints("1 added, 0 changed");
    workspace.terraform(&["plan"]).prints("No changes.");
    workspace.terraform(&["apply", "-auto-approve", "-var=name=n"]).prints("0 added, 1 changed, 0 destroyed");
    let replaced = workspace.terraform(&["plan", "-var=name=n", "-var=cidr=10.1.0.0/16"]);
    replaced.prints("# forces replacement").prints("1 to add, 0 to change, 1 to destroy");
    workspace.terraform(&["destroy", "-auto-approve"]).prints("1 destroyed");
}

#[test]
fn a_resource_is_created_updated_replaced_and_destroyed_over_protocol_6() {
    for host in hosts() {
        check_lifecycle(&network(&[]).on(&host));
    }
}

#[test]
fn a_resource_is_created_updated_replaced_and_destroyed_over_protocol_5() {
    for host in hosts() {
        check_lifecycle(&network(&[("PLUGIN_PROTOCOL_VERSIONS", "5")]).on(&host));
    }
}

#[test]
fn a_plan_without_tls() {
    if terraform_is_there() {
        let workspace = network(&[]).with_variable("TF_DISABLE_PLUGIN_TLS", "1");
        workspace.terraform(&["plan"]).prints("+ is_vpc = true");
    }
}

#[test]
fn a_plan_over_tcp() {
    if terraform_is_there() {
        // No socket can be made in a directory that is not there.
        let workspace = network(&[("PLUGIN_UNIX_SOCKET_DIR", "/nowhere")]);
        workspace.terraform(&["plan"]).prints("+ is_vpc = true");
    }
}

#[test]
fn problems_are_diagnostics() {
    for host in hosts() {
        for protocol in ["6", "5"] {
            check_problems(&network_of("faulty", &[("PLUGIN_PROTOCOL_VERSIONS", protocol)]).on(&host));
        }
    }
}

fn check_problems(workspace: &Workspace) {
    let apply = |name: &str| workspace.terraform(&["apply", "-auto-approve", &format!("-var=name={name}")]);
    workspace.terraform(&["plan", "-var=cidr="]).fails_with("Error: The range of addresses is empty");
    apply("fail").fails_with("Error: There is no room for another network");
    apply("panic")
        .fails_with("Error: The provider panicked: assertion `left != right` failed: the name is panic");
    let lied = apply("liar").fails_with("Error: Provider produced inconsistent result after apply");
    // Of what is computed Terraform shows no place: the text has it, and both values.
    lied.fails_with(
        "When applying changes to demo_vpc, provider \"demo\" produced an unexpected new value: \
         .id: final value cty.StringVal(\"net-1\") does not conform to planning placeholder \
         cty.UnknownVal(cty.String).Refine().NotNull().StringPrefixFull(\"vpc-\").NewValue()",
    );
    // The object exists, so its state is kept.
    assert!(workspace.read("terraform.tfstate").contains("\"id\": \"net-1\""));
    workspace.terraform(&["destroy", "-auto-approve"]).prints("1 destroyed");
}

#[test]
fn an_object_is_imported_and_its_state_read_again() {
    for host in hosts() {
        for protocol in ["6", "5"] {
            check_import(&network(&[("PLUGIN_PROTOCOL_VERSIONS", protocol)]).on(&host));
        }
    }
}

fn check_import(workspace: &Workspace) {
    workspace.terraform(&["import", "demo_vpc.main", "vpc-7"]).prints("Import successful!");
    workspace.terraform(&["plan"]).prints("No changes.");
    // An attribute of an earlier provider is left out.
    let state =
        workspace.read("terraform.tfstate").replace("\"cidr\":", "\"old\": 1,\n            \"cidr\":");
    workspace.write("terraform.tfstate", &state);
    workspace.terraform(&["plan"]).prints("No changes.");
}

/// Without the check of the kit: the refinement reaches Terraform, which holds the result against it.
#[test]
fn a_broken_promise_is_refused_by_core() {
    for host in hosts() {
        for protocol in ["6", "5"] {
            let workspace =
                network_of("faulty", &[("PLUGIN_PROTOCOL_VERSIONS", protocol), ("FAULTY_UNCHECKED", "1")])
                    .on(&host);
            workspace.terraform(&["plan", "-var=name=liar"]).prints("+ is_vpc = true");
            let refused = workspace.terraform(&["apply", "-auto-approve", "-var=name=liar"]);
            let refused = refused.fails_with("Error: Provider produced inconsistent result after apply");
            let refused = refused.fails_with(
                ".id: final value cty.StringVal(\"net-1\") does not conform to planning placeholder \
                 cty.UnknownVal(cty.String).Refine().NotNull().StringPrefixFull(\"vpc-\").NewValue()",
            );
            assert!(refused.text.contains("When applying changes to demo_vpc.main"), "{}", refused.text);
            assert!(workspace.read("terraform.tfstate").contains("\"id\": \"net-1\""));
        }
    }
}

#[test]
fn a_provider_whose_author_misspelt_a_name_says_so_in_the_place_of_its_schemas() {
    for host in hosts() {
        for protocol in ["6", "5"] {
            let variables = [("PLUGIN_PROTOCOL_VERSIONS", protocol), ("FAULTY_MISSPELT", "1")];
            let refused = network_of("faulty", &variables).on(&host).terraform(&["plan"]);
            refused.fails_with("demo_vpc: nme: no such attribute to be sensitive; did you mean \"name\"?");
        }
    }
}
