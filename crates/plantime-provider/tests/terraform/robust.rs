//! What goes wrong around a provider: nothing hangs, no state is lost, and the messages say what happened.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{IDLE_FACTS, runs, signal, wait_until};
use crate::resources::NETWORK;
use crate::support::{Workspace, example, terraform_is_there};

/// An object that exists, and one whose create never ends.
const WAITING: &str = r#"
resource "features_store" "done" {
  name = "done"
}
resource "features_database" "a" {
  name       = "a"
  wait       = "forever"
  depends_on = [features_store.done]
}
"#;

/// The provider `features`, alone or behind the proxy.
fn waiting(behind_proxy: bool) -> Workspace {
    let executable = example("features");
    let workspace = match behind_proxy {
        false => Workspace::new("features", &executable, &[]),
        true => Workspace::behind_proxy(&IDLE_FACTS.join(" "), "features", &executable, &[]),
    };
    let store = workspace.path("store");
    std::fs::create_dir_all(&store).expect("a folder");
    let workspace = workspace.with_variable("FEATURES_STORE", &store.display().to_string());
    workspace.write("main.tf", WAITING);
    workspace
}

/// The provider's process, which says so when its create begins.
fn provider_process(workspace: &Workspace) -> u32 {
    let mut process = None;
    wait_until("the apply does not begin", || {
        let calls = workspace.read("store/calls");
        process = calls.lines().find_map(|line| line.strip_prefix("waits in ")?.parse().ok());
        process.is_some()
    });
    process.expect("a process")
}

#[test]
#[cfg(target_os = "linux")]
fn a_provider_that_is_killed_during_an_apply_is_named_and_the_state_is_kept() {
    if !terraform_is_there() {
        return;
    }
    for behind_proxy in [false, true] {
        let workspace = waiting(behind_proxy);
        let mut command = workspace.command(&["apply", "-auto-approve", "-no-color"]);
        command.env("TF_LOG_PROVIDER", "error").env("TF_LOG_PATH", workspace.path("log"));
        let terraform =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("terraform starts");
        signal("KILL", provider_process(&workspace));
        let start = Instant::now();
        let output = terraform.wait_with_output().expect("terraform ends");
        assert!(start.elapsed() < Duration::from_secs(20) && !output.status.success());
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        // Which of the two it is depends on what Terraform notices first: the closed connection or the ended process.
        let is_reported = ["Error: Plugin did not respond", "Error: Request cancelled"];
        assert!(is_reported.iter().any(|summary| text.contains(summary)), "{text}");
        // Terraform shows nothing of the status that says why; the log has it.
        let logged = workspace.read("log");
        assert!(
            !behind_proxy || logged.contains("the provider behind plantime-proxy does not answer"),
            "{logged}"
        );
        let state = workspace.read("terraform.tfstate");
        assert!(state.contains("\"id\": \"st-1\"") && !state.contains("db-1"), "{state}");
        workspace.terraform(&["plan"]).prints("1 to add, 0 to change, 0 to destroy");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_terraform_that_is_killed_leaves_no_provider() {
    if !terraform_is_there() {
        return;
    }
    for behind_proxy in [false, true] {
        let workspace = waiting(behind_proxy);
        let mut command = workspace.command(&["apply", "-auto-approve"]);
        let mut terraform =
            command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("terraform starts");
        let provider = provider_process(&workspace);
        terraform.kill().expect("terraform is killed");
        terraform.wait().expect("terraform ends");
        wait_until("the provider still runs", || !runs(provider));
        workspace.terraform(&["plan"]).prints("Plan:");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_record_on_a_full_disk_is_a_warning_in_the_log() {
    if terraform_is_there() {
        let workspace = Workspace::behind_proxy("--record /dev/full", "demo", &example("plain"), &[]);
        workspace.write("main.tf", NETWORK);
        let log = workspace.path("log");
        let variables = [("TF_LOG_PROVIDER", "warn"), ("TF_LOG_PATH", &*log.display().to_string())];
        workspace.terraform_with(&["apply", "-auto-approve"], &variables).prints("1 added");
        workspace.terraform(&["plan"]).prints("No changes.");
        let logged = workspace.read("log");
        assert!(logged.contains("a call could not be recorded: No space left on device"), "{logged}");
    }
}

/// A small file system, which is unmounted at the end.
#[cfg(target_os = "linux")]
struct Disk(std::path::PathBuf);

#[cfg(target_os = "linux")]
impl Disk {
    /// Mounts one at a new folder; prints a line where that is not allowed.
    fn mount(folder: std::path::PathBuf, options: &str) -> Option<Disk> {
        std::fs::create_dir_all(&folder).expect("a folder");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(&folder).stderr(Stdio::null());
        let mounted = mount.status().is_ok_and(|status| status.success());
        if !mounted {
            println!("skipped: no file system can be mounted");
        }
        mounted.then_some(Disk(folder))
    }
}

#[cfg(target_os = "linux")]
impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
#[cfg(target_os = "linux")]
fn where_the_disk_is_full_a_provider_listens_on_tcp() {
    if !terraform_is_there() {
        return;
    }
    for behind_proxy in [false, true] {
        let workspace = match behind_proxy {
            false => Workspace::new("demo", &example("template"), &[]),
            true => Workspace::behind_proxy(&IDLE_FACTS.join(" "), "demo", &example("template"), &[]),
        };
        workspace.write("main.tf", NETWORK);
        // No room for one more file.
        let Some(disk) = Disk::mount(workspace.path("disk"), "size=16k,nr_inodes=1") else { return };
        let folder = disk.0.display().to_string();
        let variables = [("TMPDIR", &*folder), ("PLUGIN_UNIX_SOCKET_DIR", &*folder)];
        let applied = workspace.terraform_with(&["apply", "-auto-approve"], &variables);
        drop(disk);
        applied.prints("1 added");
        workspace.terraform(&["plan"]).prints("No changes.");
    }
}

/// The state cannot be written: Terraform keeps it in another file, with all that the provider returned. Without a lock, since the
/// lock itself would find the disk full before anything is created.
#[test]
#[cfg(target_os = "linux")]
fn a_state_on_a_full_disk_is_not_lost() {
    if !terraform_is_there() {
        return;
    }
    let workspace = Workspace::behind_proxy(&IDLE_FACTS.join(" "), "demo", &example("template"), &[]);
    workspace.write("main.tf", NETWORK);
    let Some(disk) = Disk::mount(workspace.path("disk"), "size=4k") else { return };
    std::fs::write(disk.0.join("filler"), [0; 4096]).expect("the disk is filled");
    let state = format!("-state={}", disk.0.join("terraform.tfstate").display());
    let refused = workspace.terraform(&["apply", "-lock=false", "-auto-approve", &state]);
    refused.fails_with("no space left on device");
    assert!(workspace.read("errored.tfstate").contains("\"id\": \"vpc-1\""));
}

#[test]
fn the_proxy_and_its_provider_speak_over_tcp() {
    if terraform_is_there() {
        let variables = [("PLUGIN_UNIX_SOCKET_DIR", "/nowhere")];
        let workspace =
            Workspace::behind_proxy(&IDLE_FACTS.join(" "), "demo", &example("template"), &variables);
        workspace.write("main.tf", NETWORK);
        workspace.terraform(&["apply", "-auto-approve"]).prints("1 added");
        workspace.terraform(&["plan"]).prints("No changes.");
    }
}

#[test]
fn two_hundred_resources_are_applied_in_parallel() {
    if !terraform_is_there() {
        return;
    }
    // With facts about them the proxy keeps each answer until it is whole.
    let facts = std::env::temp_dir().join(format!("plantime-parallel-{}.facts", std::process::id()));
    std::fs::write(&facts, "demo_vpc acme/demo\n  id A stringlengthmin(4)\n").expect("a file");
    let kept = format!("--provider acme/demo --assume '{}'", facts.display());
    for options in [None, Some(IDLE_FACTS.join(" ")), Some(kept)] {
        let workspace = match options {
            None => Workspace::new("demo", &example("template"), &[]),
            Some(options) => Workspace::behind_proxy(&options, "demo", &example("template"), &[]),
        };
        workspace.write(
            "main.tf",
            "resource \"demo_vpc\" \"many\" {\n  count = 200\n  cidr  = \"10.0.${count.index}.0/24\"\n}\n",
        );
        workspace.terraform(&["apply", "-auto-approve", "-parallelism=200"]).prints("200 added");
        assert_eq!(workspace.read("terraform.tfstate").matches("\"id\": \"vpc-1\"").count(), 200);
        workspace.terraform(&["plan", "-parallelism=200"]).prints("No changes.");
    }
    std::fs::remove_file(&facts).expect("the file is there");
}

#[test]
#[cfg(target_os = "linux")]
fn an_interrupt_passes_through_the_proxy() {
    if !terraform_is_there() {
        return;
    }
    let workspace = waiting(true);
    let mut command = workspace.command(&["apply", "-auto-approve", "-no-color"]);
    let terraform = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("terraform starts");
    provider_process(&workspace);
    signal("INT", terraform.id());
    let output = terraform.wait_with_output().expect("terraform ends");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.contains("The operation was interrupted"), "{text}");
    assert!(workspace.read("terraform.tfstate").contains("\"id\": \"db-1\""));
}

#[test]
fn a_schema_of_20_mib_goes_through_the_proxy() {
    if !terraform_is_there() {
        return;
    }
    // With facts the proxy reads the schema itself.
    let facts = std::env::temp_dir().join(format!("plantime-large-{}.facts", std::process::id()));
    std::fs::write(&facts, "demo_vpc acme/demo\n  id A notnull(stringprefix(\"vpc-\"))\n").expect("a file");
    let options = format!("--provider acme/demo --assume '{}'", facts.display());
    for protocol in ["6", "5"] {
        let variables = [("PLAIN_SCHEMA_MIB", "20"), ("PLUGIN_PROTOCOL_VERSIONS", protocol)];
        let workspace = Workspace::behind_proxy(&options, "demo", &example("plain"), &variables);
        workspace.write("main.tf", NETWORK);
        workspace.terraform(&["plan"]).prints("+ is_vpc = true");
    }
    std::fs::remove_file(&facts).expect("the file is there");
}

#[test]
fn the_log_of_the_proxy_shows_nothing_that_is_secret() {
    if terraform_is_there() {
        let facts = std::env::temp_dir().join(format!("plantime-secret-{}.facts", std::process::id()));
        std::fs::write(
            &facts,
            "demo_vpc acme/demo\n  id B stringprefix(\"vpc-\")\n  token B stringprefix(\"x\")\n",
        )
        .expect("a file");
        let options = format!("--provider acme/demo --assume '{}'", facts.display());
        let workspace =
            Workspace::behind_proxy(&options, "demo", &example("plain"), &[("PLAIN_ID", "net-secret-7")]);
        let secret = "variable \"secret\" {\n  default   = \"hunter2\"\n  sensitive = true\n}\n";
        let network = NETWORK.replace("name = var.name", "name = var.name\n  token = var.secret");
        workspace.write("main.tf", &format!("{secret}{network}"));
        let log = workspace.path("log");
        let variables = [("TF_LOG_PROVIDER", "trace"), ("TF_LOG_PATH", &*log.display().to_string())];
        let applied = workspace.terraform_with(&["apply", "-auto-approve"], &variables);
        let applied = applied
            .prints("Broken assumption about demo_vpc.token")
            .prints("Broken assumption about demo_vpc.id");
        assert!(!applied.text.contains("hunter2"), "{}", applied.text);
        let logged = workspace.read("log");
        assert!(logged.contains("applied demo_vpc.token: not"), "{logged}");
        assert!(!logged.contains("hunter2") && !logged.contains("net-secret-7"), "{logged}");
        std::fs::remove_file(&facts).expect("the file is there");
    }
}
