//! What derives from sensitive values: each way that a mark takes, and each place where it ends.

use std::collections::BTreeMap;
use std::sync::Arc;

use plantime_hcl::Diagnostic;
use plantime_schema::ProviderSchemas;
use plantime_terraform::configuration::{Configuration, SensitiveOrigin, Sensitivity};

const SCHEMAS: &str = r#"{"provider_schemas": {"registry.terraform.io/hashicorp/x": {"resource_schemas": {"x_db": {"block": {
    "attributes": {
        "name": {"type": "string", "optional": true}, "user": {"type": "string", "optional": true},
        "password": {"type": "string", "computed": true, "sensitive": true}},
    "block_types": {"login": {"nesting_mode": "list", "block": {"attributes": {
        "user": {"type": "string", "optional": true}, "key": {"type": "string", "optional": true, "sensitive": true}}}}}}}}}}}"#;

const MAIN: &str = r#"
variable "secret" { sensitive = true }
variable "plain" { type = string }
variable "object" { type = object({ public = string, inner = string }) }

resource "x_db" "main" {
  name = var.plain
  user = var.secret
  login {
    user = "a"
    key  = "k"
  }
}
resource "x_db" "each" {
  for_each = toset(["a", "b"])
  name     = each.key
}
resource "x_db" "bad" {
  for_each = toset([x_db.main.password])
}

locals {
  direct      = var.secret
  schema      = x_db.main.password
  configured  = x_db.main.user
  name        = x_db.main.name
  block_user  = x_db.main.login[0].user
  block_key   = x_db.main.login[0].key
  instance    = x_db.each["a"].password
  splat       = [for db in x_db.each : db.password]
  template    = "a-${local.schema}"
  hash        = sha256(local.template)
  encoded     = base64encode(jsonencode({ a = local.hash }))
  condition   = var.plain == "" ? "a" : local.direct
  chosen      = local.direct == "x" ? "a" : "b"
  wrapped     = { public = var.plain, inner = local.direct }
  public      = local.wrapped.public
  inner       = local.wrapped.inner
  made        = sensitive("abc")
  open        = nonsensitive(local.direct)
  after_open  = upper(local.open)
  key         = contains(keys(local.wrapped), "public")
}

module "child" {
  source = "./child"
  input  = local.direct
  clear  = var.plain
}

output "plain" { value = local.name }
output "direct" { value = local.template }
output "declared" {
  value     = local.encoded
  sensitive = true
}
output "module" { value = module.child.derived }
output "module_clear" { value = module.child.clear }
output "module_own" {
  value     = module.child.own
  sensitive = true
}
"#;

const CHILD: &str = r#"
variable "input" {}
variable "clear" {}
locals { inside = "i-${var.input}" }
output "derived" { value = local.inside }
output "clear" { value = var.clear }
output "own" {
  value     = var.clear
  sensitive = true
}
"#;

fn files() -> Arc<BTreeMap<String, Vec<u8>>> {
    let file = |name: &str, text: &str| (name.to_owned(), text.as_bytes().to_vec());
    Arc::new(BTreeMap::from([file("main.tf", MAIN), file("child/main.tf", CHILD)]))
}

fn schemas() -> ProviderSchemas {
    ProviderSchemas::from_json(SCHEMAS.as_bytes()).unwrap()
}

fn found() -> Sensitivity {
    Configuration::sensitivity(files(), Some(&schemas()))
}

/// The names from a sensitive value back to the origin of its mark, as `a <- b`; `None` if the value is not sensitive.
fn path_to_origin(found: &Sensitivity, name: &str) -> Option<String> {
    let position = found.values.iter().position(|value| value.name == name)?;
    Some(found.path(position).join(" <- "))
}

#[test]
fn each_way_of_a_mark_is_followed() {
    let found = found();
    let ways = [
        ("var.secret", "var.secret"),
        ("x_db.main.password", "x_db.main.password"),
        ("x_db.main.user", "x_db.main.user <- var.secret"),
        ("x_db.main.login", "x_db.main.login"),
        ("local.direct", "local.direct <- var.secret"),
        ("local.schema", "local.schema <- x_db.main.password"),
        ("local.configured", "local.configured <- x_db.main.user <- var.secret"),
        ("local.block_key", "local.block_key <- x_db.main.login"),
        ("local.instance", "local.instance <- x_db.each[\"a\"].password"),
        ("local.splat", "local.splat <- x_db.each[\"a\"].password"),
        ("local.template", "local.template <- local.schema <- x_db.main.password"),
        // A hash is no end of it, nor is an encoding.
        ("local.hash", "local.hash <- local.template <- local.schema <- x_db.main.password"),
        (
            "local.encoded",
            "local.encoded <- local.hash <- local.template <- local.schema <- x_db.main.password",
        ),
        ("local.condition", "local.condition <- local.direct <- var.secret"),
        ("local.chosen", "local.chosen <- local.direct <- var.secret"),
        ("local.wrapped", "local.wrapped <- local.direct <- var.secret"),
        ("local.inner", "local.inner <- local.wrapped <- local.direct <- var.secret"),
        ("local.made", "local.made"),
        ("module.child.var.input", "module.child.var.input <- local.direct <- var.secret"),
        (
            "module.child.local.inside",
            "module.child.local.inside <- module.child.var.input <- local.direct <- var.secret",
        ),
        ("module.child.output.own", "module.child.output.own"),
        ("output.module_own", "output.module_own <- module.child.output.own"),
    ];
    for (name, expected) in ways {
        assert_eq!(path_to_origin(&found, name).as_deref(), Some(expected), "{name}: {found:#?}");
    }
    for name in [
        "var.plain",
        "x_db.main.name",
        "local.name",
        "local.block_user",
        "local.public",
        "local.open",
        "local.after_open",
        "local.key",
        "module.child.var.clear",
        "output.plain",
        "output.module_clear",
    ] {
        assert_eq!(path_to_origin(&found, name), None, "{name}");
    }
    let origin = |name: &str| found.values.iter().find(|value| value.name == name).unwrap().origin;
    assert_eq!(origin("var.secret"), SensitiveOrigin::Variable);
    assert_eq!(origin("x_db.main.password"), SensitiveOrigin::Schema);
    assert_eq!(origin("local.made"), SensitiveOrigin::Expression);
    assert_eq!(origin("module.child.output.own"), SensitiveOrigin::Output);
    assert_eq!(origin("local.hash"), SensitiveOrigin::Reference);
}

#[test]
fn a_mark_ends_with_nonsensitive_or_where_nothing_of_the_value_is_left() {
    let found = found();
    let ends: Vec<(&str, bool)> =
        found.ends.iter().map(|end| (end.name.as_str(), end.is_by_nonsensitive)).collect();
    assert_eq!(ends, [("local.open", true), ("local.key", false)]);
    assert_eq!(found.path(found.ends[0].of), ["local.direct", "var.secret"]);
}

#[test]
fn what_a_plan_will_refuse_is_warned_of_with_the_way() {
    let problems = Configuration::validate(files(), Some(&schemas()));
    assert!(problems.iter().all(Diagnostic::is_warning), "{problems:#?}");
    let mut texts: Vec<String> = problems
        .iter()
        .map(|problem| {
            let (start, detail) = (problem.position(), problem.detail());
            let way = detail.split("\n\n").last().unwrap_or_default();
            format!("{}:{} {}: {way}", problem.source().name(), start.line, problem.summary())
        })
        .collect();
    texts.sort();
    let line = |text: &str| MAIN.lines().position(|line| line.starts_with(text)).unwrap() + 1;
    let mut want = vec![
        format!(
            "main.tf:{} Output refers to sensitive values: The value derives from local.template, which derives from \
             local.schema, which derives from x_db.main.password.",
            line("output \"direct\"")
        ),
        format!(
            "main.tf:{} Output refers to sensitive values: The value derives from module.child.output.derived, which derives \
             from module.child.local.inside, which derives from module.child.var.input, which derives from local.direct, \
             which derives from var.secret.",
            line("output \"module\"")
        ),
        format!(
            "main.tf:{} Invalid for_each argument: The value derives from x_db.main.password.",
            line("resource \"x_db\" \"bad\"") + 1
        ),
    ];
    want.sort();
    // A set of sensitive strings is itself sensitive, so the key never names an instance.
    assert_eq!(texts, want);
}

#[test]
fn what_needs_no_plan_stays_an_error() {
    let main = "variable \"s\" { sensitive = true }\noutput \"o\" { value = var.s }\n";
    let files = BTreeMap::from([("main.tf".to_owned(), main.as_bytes().to_vec())]);
    let problems = Configuration::validate(Arc::new(files), None);
    assert_eq!(problems.len(), 1);
    assert!(!problems[0].is_warning());
}

/// A chain of locals takes no more than its length.
#[test]
fn long_chains_are_followed() {
    let count = 1_500;
    let mut main = String::from("variable \"s\" { sensitive = true }\nlocals {\n  l0 = var.s\n");
    for next in 1..count {
        main.push_str(&format!("  l{next} = l(local.l{})\n", next - 1).replace("l(", "upper("));
    }
    main.push_str("}\n");
    let files = BTreeMap::from([("main.tf".to_owned(), main.into_bytes())]);
    let found = Configuration::sensitivity(Arc::new(files), None);
    assert_eq!(found.values.len(), count + 1);
    let last = found.values.iter().position(|value| value.name == format!("local.l{}", count - 1)).unwrap();
    assert_eq!(found.path(last).len(), count + 1);
}
