//! Corners of the language of configurations.

use plantime_terraform::configuration::{Configuration, Inputs};

use crate::fixtures::{files, outputs, problems};

#[test]
fn locals_variables_and_outputs() {
    outputs(
        &[(
            "main.tf",
            r#"
            variable "size" {
              type    = object({ n = number, unit = optional(string, "GiB") })
              default = { n = 3 }
            }
            locals {
              b = local.a + 1
              a = var.size.n
            }
            output "b" { value = "${local.b} ${var.size.unit}" }
            output "secret" {
              value     = local.a
              sensitive = true
            }
            "#,
        )],
        &[("b", "\"4 GiB\""), ("secret", "(sensitive value)")],
    );
}

#[test]
fn modules_and_their_instances() {
    let main = r#"
        module "one" {
          source = "./m"
          names  = ["a"]
        }
        module "each" {
          source   = "./m"
          for_each = { x = ["p", "q"], y = [] }
          names    = each.value
        }
        module "count" {
          source = "./m"
          count  = 2
          names  = [for i in range(count.index) : "n${i}"]
        }
        output "one"   { value = module.one.joined }
        output "each"  { value = { for k, m in module.each : k => m.joined } }
        output "count" { value = module.count[*].joined }
        output "x"     { value = module.each["x"].length }
    "#;
    let module = r#"
        variable "names" { type = list(string) }
        output "joined" { value = join(",", var.names) }
        output "length" { value = length(var.names) }
        output "path"   { value = path.module }
    "#;
    outputs(
        &[("main.tf", main), ("m/main.tf", module)],
        &[("one", "\"a\""), ("each", "{x = \"p,q\", y = \"\"}"), ("count", "[\"\", \"n0\"]"), ("x", "2")],
    );
}

#[test]
fn overrides_json_and_variable_files() {
    outputs(
        &[
            (
                "main.tf",
                "variable \"a\" {}\nvariable \"b\" { default = 1 }\noutput \"o\" {\n value = [var.a, var.b]\n}\n",
            ),
            ("main_override.tf", "variable \"b\" { default = 2 }\n"),
            (
                "more.tf.json",
                r#"{"locals": {"l": "x-${var.a}"}, "output": {"j": {"value": "${upper(\"${local.l}\")}"}}}"#,
            ),
            ("terraform.tfvars", "a = \"one\"\n"),
            ("z.auto.tfvars.json", r#"{"a": "two"}"#),
        ],
        &[("o", "[\"two\", 2]"), ("j", "\"X-TWO\"")],
    );
}

#[test]
fn files_are_read_through_the_caller() {
    outputs(
        &[
            ("main.tf", "module \"m\" {\n source = \"./m\"\n}\noutput \"m\" { value = module.m.all }\n"),
            (
                "m/main.tf",
                r#"
                output "all" {
                  value = [
                    file("${path.module}/a.txt"),
                    fileexists("${path.module}/no.txt"),
                    fileset(path.module, "**/*.t*"),
                    templatefile("${path.module}/t.tftpl", { n = 2 }),
                    filesha256("${path.module}/a.txt") == sha256("A"),
                  ]
                }
                "#,
            ),
            ("m/a.txt", "A"),
            ("m/t.tftpl", "%{ for i in range(n) }<${i}>%{ endfor }"),
        ],
        &[("m", r#"["A", false, toset(["a.txt", "main.tf", "t.tftpl"]), "<0><1>", true]"#)],
    );
}

#[test]
fn a_cycle_is_named() {
    let found = problems("locals {\n  a = local.b\n  b = [local.c]\n  c = local.a\n}\n");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("Cycle: "), "{found:?}");
    for name in ["local.a", "local.b", "local.c"] {
        assert!(found[0].contains(name), "{found:?}");
    }
}

#[test]
fn undeclared_names_are_problems() {
    for (expression, summary) in [
        ("local.no", "Reference to undeclared local value"),
        ("var.no", "Reference to undeclared input variable"),
        ("module.no.x", "Reference to undeclared module"),
        ("aws_vpc.no.id", "Reference to undeclared resource"),
        ("data.aws_ami.no.id", "Reference to undeclared resource"),
        ("each.key", "Reference to \"each\" in context without for_each"),
    ] {
        let found = problems(&format!("output \"o\" {{ value = {expression} }}\n"));
        assert!(found.len() == 1 && found[0].contains(summary), "{expression}: {found:?}");
    }
}

#[test]
fn a_limit_of_this_library_is_no_failure_of_the_expression() {
    for expression in [
        "can(setproduct(range(1000), range(300)))",
        "try(setproduct(range(1000), range(300)), 1)",
        "can(flatten([for i in range(1000) : range(1000)]))",
        "can(jsondecode(join(\"\", concat([for i in range(300) : \"[\"], [for i in range(300) : \"]\"]))))",
        "can(setproduct(sensitive(range(1000)), range(300)))",
    ] {
        let found = problems(&format!("output \"o\" {{\n sensitive = true\n value = {expression}\n}}\n"));
        assert_eq!(found.len(), 1, "{expression}");
    }
    // What Terraform refuses too is a failure.
    outputs(&[("main.tf", "output \"o\" { value = can(range(2000)) }\n")], &[("o", "false")]);
}

#[test]
fn what_is_said_of_a_sensitive_variable_has_no_key_of_its_value() {
    for (declared, given) in [
        ("type = map(number)\n sensitive = true", "{ hunter2 = \"x\" }"),
        ("type = map(map(number))\n sensitive = true", "{ hunter2 = 1 }"),
        ("type = map(number)", "sensitive({ hunter2 = \"x\" })"),
        ("type = list(object({ a = number }))\n sensitive = true", "[{ hunter2 = 1 }]"),
    ] {
        let main = format!("module \"m\" {{\n source = \"./m\"\n mm = jsondecode(jsonencode({given}))\n}}\n");
        let module = format!("variable \"mm\" {{\n {declared}\n}}\n");
        let configuration =
            Configuration::read(files(&[("main.tf", &main), ("m/main.tf", &module)])).unwrap();
        let inputs = Inputs::new();
        let found = format!("{:?}", configuration.evaluate(&inputs).problems());
        let says = if declared.contains("sensitive") {
            "which is sensitive: "
        } else {
            "declared at m/main.tf:1,1-14: "
        };
        assert!(found.contains(says) && !found.contains("hunter2"), "{declared}: {found}");
    }
}

#[test]
fn a_word_alone_is_the_name_of_an_attribute_and_numbers_have_any_size() {
    outputs(
        &[(
            "main.tf",
            "output \"o\" { value = { null = 1, true = 2 } }\noutput \"n\" { value = [1e400 > 1e399, 1e1000 == 1e1000, \"1e400\"] }\n",
        )],
        &[("o", "{null = 1, true = 2}"), ("n", "[true, true, \"1e400\"]")],
    );
    assert!(problems("output \"o\" { value = { (null) = 1 } }\n")[0].contains("Null value as key"));
}

#[test]
fn a_block_that_is_not_enabled_is_null() {
    let main = "variable \"on\" {\n  default = false\n}\nlocals {\n  off = !var.on\n}\n\
                resource \"terraform_data\" \"a\" {\n  input = \"x\"\n  lifecycle {\n    enabled = var.on\n  }\n}\n\
                resource \"terraform_data\" \"b\" {\n  input = \"y\"\n  lifecycle {\n    enabled = local.off\n  }\n}\n\
                module \"m\" {\n  source = \"./m\"\n  lifecycle {\n    enabled = var.on\n  }\n}\n\
                output \"a\" {\n  value = terraform_data.a == null\n}\noutput \"b\" {\n  value = terraform_data.b.input\n}\n\
                output \"m\" {\n  value = module.m == null ? \"none\" : module.m.v\n}\n";
    let module = "output \"v\" {\n  value = 1\n}\n";
    outputs(
        &[("main.tofu", main), ("m/main.tf", module)],
        &[("a", "true"), ("b", "\"y\""), ("m", "\"none\"")],
    );
    let json = r#"{"resource": {"terraform_data": {"a": {"input": "x", "lifecycle": {"enabled": false}}}}, "output": {"a": {"value": "${terraform_data.a == null}"}}}"#;
    outputs(&[("main.tofu.json", json)], &[("a", "true")]);
}

#[test]
fn an_enabled_argument_is_a_bool_and_stands_alone() {
    let both =
        "resource \"terraform_data\" \"a\" {\n  count = 1\n  lifecycle {\n    enabled = true\n  }\n}\n";
    let found = problems(both);
    assert_eq!(
        found,
        ["main.tf:4:15: Invalid combination of arguments: \"count\" and \"enabled\" cannot both be set."]
    );
    let null = "resource \"terraform_data\" \"a\" {\n  lifecycle {\n    enabled = null\n  }\n}\n";
    assert_eq!(
        problems(null),
        ["main.tf:3:15: Invalid enabled argument: The value is null. A bool is required."]
    );
}

#[test]
fn modules_are_found_by_the_manifest() {
    let main = "module \"net\" {\n  source  = \"example/net/aws\"\n  version = \"1.0.0\"\n}\n\
                output \"v\" {\n  value = module.net.v\n}\n";
    let list = r#"{"Modules":[{"Key":"","Source":"","Dir":"."},{"Key":"net","Source":"registry.terraform.io/example/net/aws","Version":"1.0.0","Dir":".terraform/modules/net"},{"Key":"net.inner","Source":"example/inner/aws","Dir":".terraform/modules/net.inner"}]}"#;
    let net = "module \"inner\" {\n  source = \"example/inner/aws\"\n}\noutput \"v\" {\n  value = \"${module.inner.v}!\"\n}\n";
    let inner = "output \"v\" {\n  value = \"inner\"\n}\n";
    outputs(
        &[
            ("main.tf", main),
            (".terraform/modules/modules.json", list),
            (".terraform/modules/net/main.tf", net),
            (".terraform/modules/net.inner/main.tf", inner),
        ],
        &[("v", "\"inner!\"")],
    );
}

#[test]
fn what_terraform_reports_at_plan_is_an_error_and_what_it_reports_at_apply_a_warning() {
    let data = "resource \"terraform_data\" \"x\" {}\nvariable \"n\" {\n  type = number\n}\nvariable \"l\" {\n  type = list(string)\n}\n\
                variable \"s\" {\n  type = list(string)\n  sensitive = true\n  default = [\"a\"]\n}\n";
    let severities = |expression: &str| {
        let text = format!("{data}output \"o\" {{\n  value = {expression}\n  sensitive = true\n}}\n");
        let configuration = Configuration::read(files(&[("main.tf", &text)])).unwrap();
        let inputs = Inputs::new();
        let problems = configuration.evaluate(&inputs).problems();
        problems.iter().map(|problem| problem.is_warning()).collect::<Vec<_>>()
    };
    for at_plan in [
        "lookup({ a = terraform_data.x.id }, \"b\")",
        "max(null, var.n)",
        "\"x${var.s}\"",
        "[\"a\"][5]",
        "upper([])",
        "{ for x in [1, 2] : \"a\" => x }",
    ] {
        assert_eq!(severities(at_plan), [false], "{at_plan}");
    }
    for at_apply in [
        "tolist([])[var.n]",
        "{ for x in [1, 2] : terraform_data.x.id => x }",
        "parseint(\"x${var.n}\", 10)",
        "{ for k, v in toset([]) : k => v }[terraform_data.x.id]",
    ] {
        assert_eq!(severities(at_apply), [true], "{at_apply}");
    }
}

#[test]
fn strings_in_a_json_file_of_variables_are_no_templates() {
    let main = "variable \"a\" {}\nvariable \"b\" {}\noutput \"o\" {\n  value = [var.a, var.b]\n}\n";
    outputs(
        &[
            ("main.tf", main),
            ("terraform.tfvars.json", r#"{"a": "${foo}", "b": [1, null, {"c": "%{ if }"}]}"#),
        ],
        &[("o", r#"["$${foo}", [1, null, {c = "%%{ if }"}]]"#)],
    );
    let found = Configuration::read(files(&[
        ("main.tf", main),
        ("terraform.tfvars", "a = var.b\nb = upper(\"x\")\n"),
    ]));
    let found: Vec<String> = found.unwrap_err().iter().map(ToString::to_string).collect();
    assert_eq!(
        found,
        [
            "terraform.tfvars:1:5: Variables not allowed: Variables may not be used here.",
            "terraform.tfvars:2:5: Function calls not allowed: Functions may not be called here.",
        ]
    );
}

/// No provider runs, so that only the call is checked; its result may be anything.
#[test]
fn functions_of_providers_are_not_run() {
    let main = "terraform {\n  required_providers {\n    assume = { source = \"apparentlymart/assume\" }\n  }\n}\n\
                output \"o\" {\n  value = provider::assume::notnull(\"x\")\n}\n";
    outputs(&[("main.tf", main)], &[("o", "(known after apply)")]);
}

/// Core leaves these to the provider, which is not run.
#[test]
fn what_only_a_provider_refuses_is_valid() {
    let schemas = br#"{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/hashicorp/x": {"resource_schemas": {
        "x_thing": {"version": 0, "block": {"attributes": {"id": {"type": "string", "computed": true},
        "name": {"type": "string", "required": true}}}}}}}}"#;
    let schemas = plantime_schema::ProviderSchemas::from_json(schemas).unwrap();
    let problems = |arguments: &str| {
        let main = format!("resource \"x_thing\" \"a\" {{\n{arguments}\n}}\n");
        let problems = Configuration::validate(files(&[("main.tf", &main)]), Some(&schemas));
        problems.iter().map(|problem| problem.summary().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(problems("  name = null\n  id = \"i\""), [""; 0]);
    assert_eq!(problems("  id = \"i\""), ["Missing required argument"]);
    // A block of that name is no argument, unless the argument is a list or set of objects.
    assert_eq!(problems("  name {}"), ["Missing required argument", "Unsupported block type"]);
}
