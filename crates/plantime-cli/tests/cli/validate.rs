//! `plantime validate`.

use std::fs;
use std::path::PathBuf;

use crate::{DATA, Run};

fn validate(arguments: &[&str]) -> Run {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_plantime"));
    command.arg("validate").args(arguments).output().expect("the command runs").into()
}

/// A folder with one file.
fn folder(name: &str, text: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("validate").join(name);
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("main.tf"), text).expect("a file");
    folder
}

#[test]
fn a_configuration_that_is_valid() {
    let config = format!("{DATA}/config/step2");
    let schemas = format!("{DATA}/provider-schemas.json");
    let run = validate(&[&config, "--schemas", &schemas]);
    assert_eq!((run.out.as_str(), run.status), ("The configuration is valid.\n", 0), "{}", run.err);
    let run = validate(&["/no/such/folder"]);
    assert!(run.status == 2 && run.err.contains("no such folder"), "{}", run.err);
}

#[test]
fn problems_in_boxes() {
    let folder = folder(
        "boxes",
        "locals {\n  l = [1]\n}\noutput \"x\" {\n  value = local.l[3]\n}\noutput \"y\" {\n  value = loca.l\n}\n",
    );
    let run = validate(&[&folder.display().to_string()]);
    let expected = "\
Error: Invalid index

  on main.tf line 5, in output \"x\":
   5:   value = local.l[3]
    ├────────────────
    │ local.l is tuple with 1 element

The given key does not identify an element in this collection value.

Error: Reference to undeclared resource

  on main.tf line 8, in output \"y\":
   8:   value = loca.l

A managed resource \"loca\" \"l\" has not been declared in the root module.

2 errors.
";
    assert_eq!((run.out.as_str(), run.status), (expected, 1), "{}", run.err);
}

#[test]
fn problems_in_json() {
    let folder = folder(
        "json",
        "resource \"terraform_data\" \"t\" {\n  inputt     = 1\n  depends_on = [\"local.a\"]\n}\nlocals { a = 1 }\n",
    );
    let run = validate(&[&folder.display().to_string(), "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(
        (json["valid"].as_bool(), json["error_count"].as_u64(), json["warning_count"].as_u64()),
        (Some(false), Some(1), Some(1))
    );
    let error = &json["diagnostics"][1];
    assert_eq!(error["detail"], "An argument named \"inputt\" is not expected here. Did you mean \"input\"?");
    assert_eq!(error["range"]["start"], serde_json::json!({"line": 2, "column": 3, "byte": 34}));
    assert_eq!(error["snippet"]["context"], "resource \"terraform_data\" \"t\"");
    assert_eq!((error["snippet"]["highlight_start_offset"].as_u64(), run.status), (Some(2), 1));
}

#[test]
fn what_derives_from_sensitive_values_is_listed_with_its_way() {
    let folder = folder(
        "sensitive",
        "variable \"p\" { sensitive = true }\nlocals {\n  h = sha256(var.p)\n  n = nonsensitive(local.h)\n}\n",
    );
    let path = folder.display().to_string();
    let run = validate(&[&path, "--sensitive"]);
    let expected = "\
The configuration is valid.

Sensitive values:
  var.p: sensitive variable  (main.tf:1)
  local.h <- var.p: sensitive variable  (main.tf:3)

Made of sensitive values, but not sensitive:
  local.n <- local.h <- var.p: calls nonsensitive  (main.tf:4)
";
    assert_eq!((run.out.as_str(), run.status), (expected, 0), "{}", run.err);
    let run = validate(&[&path, "--sensitive", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(json["sensitive"][1]["path"], serde_json::json!(["local.h", "var.p"]));
    assert_eq!(json["sensitive_ends"][0]["nonsensitive"], true);
}

/// A device as a file of a configuration cannot be read: it never ends.
#[cfg(unix)]
#[test]
fn devices_are_not_read() {
    let folder = folder("devices", "output \"o\" { value = fileexists(\"zero\") ? file(\"zero\") : \"\" }\n");
    for name in ["zero", "zero.tf", "zero.auto.tfvars", "terraform.tfvars.json"] {
        let link = folder.join(name);
        let _ = fs::remove_file(&link);
        std::os::unix::fs::symlink("/dev/zero", &link).expect("a link");
    }
    let start = std::time::Instant::now();
    let run = validate(&[&folder.display().to_string()]);
    assert_eq!(run.status, 1, "{}", run.err);
    assert!(run.out.contains("The file \"zero.tf\" could not be read."), "{}", run.out);
    assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
}

/// What a schema tells before any plan: a list in the place of a block, unknown or not, and an index into the blocks of a set.
#[test]
fn blocks_are_told_from_attributes() {
    let text = "\
terraform {
  required_providers {
    cloud = {
      source = \"example/cloud\"
    }
  }
}
variable \"disks\" {
  type = list(object({ name = string, size = number }))
}
resource \"cloud_machine\" \"web\" {
  image = \"i-1\"
  disk  = var.disks
}
output \"base_url\" {
  value = \"https://${cloud_machine.web.public_ip}:8443/\"
}
output \"size\" {
  value = cloud_machine.web.disk.size
}
";
    let folder = folder("blocks", text);
    let attribute = |ty: &str, mode: &str| format!("{{\"type\": \"{ty}\", \"{mode}\": true}}");
    let (required, optional, computed) =
        (attribute("string", "required"), attribute("number", "optional"), attribute("string", "computed"));
    let schemas = format!(
        "{{\"provider_schemas\": {{\"registry.terraform.io/example/cloud\": {{\"resource_schemas\": {{\"cloud_machine\": {{\"block\": {{
            \"attributes\": {{\"image\": {required}, \"public_ip\": {computed}}},
            \"block_types\": {{\"disk\": {{\"nesting_mode\": \"set\", \"block\": {{
                \"attributes\": {{\"name\": {required}, \"size\": {optional}}}}}}}}}}}}}}}}}}}}}"
    );
    let file = folder.join("schemas.json");
    fs::write(&file, schemas).expect("a file");
    let run = validate(&[&folder.display().to_string(), "--schemas", &file.display().to_string()]);
    let expected = "\
Error: Unsupported argument

  on main.tf line 13, in resource \"cloud_machine\" \"web\":
  13:   disk  = var.disks

An argument named \"disk\" is not expected here. Did you mean to define a block
of type \"disk\"?

Error: Cannot index a set value

  on main.tf line 19, in output \"size\":
  19:   value = cloud_machine.web.disk.size

Block type \"disk\" is represented by a set of objects, and set elements do not
have addressable keys. To find elements matching specific criteria, use a
\"for\" expression with an \"if\" clause.

2 errors.
";
    assert_eq!((run.out.as_str(), run.status), (expected, 1), "{}", run.err);
    // The attribute that only the provider sets is declared, so the reference is none of the problems; a misspelt one is.
    let text = text.replace("web.public_ip", "web.publik_ip").replace("  disk  = var.disks\n", "");
    fs::write(folder.join("main.tf"), text.replace("web.disk.size", "web.disk")).expect("a file");
    let run = validate(&[&folder.display().to_string(), "--schemas", &file.display().to_string()]);
    let problem = "This object has no argument, nested block, or exported attribute named\n\"publik_ip\". Did you mean \"public_ip\"?";
    assert!(run.status == 1 && run.out.contains(problem) && run.out.ends_with("1 error.\n"), "{}", run.out);
}

#[test]
fn the_way_through_a_long_chain_is_shortened() {
    let chain: String = (1..2_000).map(|i| format!("  a{i} = local.a{}\n", i - 1)).collect();
    let text = format!("variable \"p\" {{ sensitive = true }}\nlocals {{\n  a0 = var.p\n{chain}}}\n");
    let path = folder("chain", &text).display().to_string();
    let run = validate(&[&path, "--sensitive"]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(run.out.len() < 500_000, "{} bytes", run.out.len());
    let expected = "  local.a1999 <- local.a1998 <- local.a1997 <- local.a1996 <- local.a1995 <- local.a1994 <- local.a1993 <- \
        local.a1992 <- local.a1991 <- local.a1990 <- (1990 more) <- var.p: sensitive variable  (main.tf:2002)\n";
    assert!(run.out.contains(expected), "{}", run.out.lines().rev().take(3).collect::<String>());
    assert!(run.out.contains("  local.a10 <- local.a9 <- local.a8 <- local.a7 <- local.a6 <- local.a5 <- local.a4 <- local.a3 <- local.a2 <- local.a1 <- local.a0 <- var.p: sensitive variable"));
    let run = validate(&[&path, "--sensitive", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    let last =
        json["sensitive"].as_array().and_then(|all| all.iter().find(|one| one["name"] == "local.a1999"));
    let last = last.expect("the last value");
    assert_eq!((&last["omitted"], last["path"].as_array().map(Vec::len)), (&1990.into(), Some(11)));
}
