//! Asks the `terraform` on the path for the plan of a pair of configurations, and for its text.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value as Json, json};

use super::generate::Pair;

/// The schemas of the provider of the shapes.
pub(crate) const SHAPES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/rendering/shapes.json");

/// A folder in which terraform runs, offline.
struct Workspace(PathBuf);

impl Workspace {
    fn new(number: u64) -> Workspace {
        let folder = std::env::temp_dir().join(format!("plantime-drawing-{}-{number}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let overrides = format!(
            "provider_installation {{\n  dev_overrides {{\n    \"test/shapes\" = {folder:?}\n  }}\n  direct {{}}\n}}\n"
        );
        fs::write(folder.join("cli.tfrc"), overrides).unwrap();
        // The example is built by `cargo build -p plantime-provider --example shapes`.
        let target = std::env::current_exe().unwrap().ancestors().nth(2).unwrap().to_owned();
        let provider = target.join("examples/shapes");
        if provider.exists() {
            std::os::unix::fs::symlink(provider, folder.join("terraform-provider-shapes")).unwrap();
        }
        Workspace(folder)
    }

    /// Writes what was changed outside.
    fn change_outside(&self, objects: &serde_json::Map<String, Json>) {
        fs::write(self.0.join("outside.json"), serde_json::to_string(objects).unwrap()).unwrap();
    }

    fn write(&self, configuration: &str) {
        fs::write(self.0.join("main.tf"), configuration).unwrap();
    }

    /// What a command prints.
    fn run(&self, arguments: &[&str]) -> String {
        let mut command = Command::new("terraform");
        command.args(arguments).current_dir(&self.0).env("CHECKPOINT_DISABLE", "1");
        command.env("SHAPES_SCHEMAS", SHAPES).env("SHAPES_OUTSIDE", self.0.join("outside.json"));
        let output = command.env("TF_CLI_CONFIG_FILE", self.0.join("cli.tfrc")).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?} in {}: {error}", self.0.display());
        String::from_utf8(output.stdout).unwrap()
    }
}

/// The parts of a plan in JSON that its text is drawn from.
fn drawn_parts(plan: &str) -> Json {
    let mut plan: Json = serde_json::from_str(plan).unwrap();
    let unread = ["configuration", "prior_state", "variables", "timestamp"];
    plan.as_object_mut().unwrap().retain(|name, _| !unread.contains(&name.as_str()));
    // It says that this is a plan, where no resource changes.
    plan["planned_values"] = json!({});
    plan
}

/// Applies the configuration before, plans the one after, and returns the plan in JSON, as text, and with `with_binary` as the
/// plan file too.
pub(crate) fn recorded(number: u64, pair: &Pair, with_binary: bool) -> Json {
    let workspace = Workspace::new(number);
    workspace.change_outside(&serde_json::Map::new());
    workspace.write(&pair.before);
    workspace.run(&["apply", "-auto-approve", "-no-color"]);
    workspace.write(&pair.after);
    workspace.change_outside(&pair.outside);
    let mut arguments = vec!["plan", "-no-color", "-out=tfplan"];
    arguments.extend(pair.arguments.iter().map(String::as_str));
    workspace.run(&arguments);
    let plan = drawn_parts(&workspace.run(&["show", "-no-color", "-json", "tfplan"]));
    let text = workspace.run(&["show", "-no-color", "tfplan"]);
    let binary = with_binary.then(|| STANDARD.encode(fs::read(workspace.0.join("tfplan")).unwrap()));
    fs::remove_dir_all(&workspace.0).unwrap();
    json!({ "seed": number, "plan": plan, "text": text, "binary": binary })
}

/// Writes rows in gzip.
pub(crate) fn write(path: &Path, rows: &[Json]) {
    use std::io::Write as _;

    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    rows.iter().for_each(|row| writeln!(packed, "{row}").unwrap());
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, packed.finish().unwrap()).unwrap();
}
