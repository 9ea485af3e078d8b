//! Corners of configurations.

use std::collections::BTreeMap;
use std::sync::Arc;

use plantime::Value;
use plantime::configuration::{Configuration, Inputs, KnownValues};

fn files(texts: &[(&str, &str)]) -> Arc<BTreeMap<String, Vec<u8>>> {
    Arc::new(texts.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect())
}

/// The outputs of a configuration that has no problem.
#[track_caller]
fn outputs(texts: &[(&str, &str)], expected: &[(&str, &str)]) {
    let configuration = Configuration::read(files(texts)).unwrap_or_else(|problems| panic!("{problems}"));
    let inputs = Inputs::new();
    let evaluation = configuration.evaluate(&inputs);
    assert_eq!(format!("{:?}", evaluation.problems()), "[]");
    for (name, expected) in expected {
        let value = evaluation.output(name).unwrap_or_else(|| panic!("no output {name}"));
        assert_eq!(value.to_string(), *expected, "{name}");
    }
}

/// The problems of a configuration.
#[track_caller]
fn problems(text: &str) -> Vec<String> {
    let configuration = match Configuration::read(files(&[("main.tf", text)])) {
        Ok(configuration) => configuration,
        Err(problems) => return problems.iter().map(ToString::to_string).collect(),
    };
    let inputs = Inputs::new();
    configuration.evaluate(&inputs).problems().iter().map(ToString::to_string).collect()
}

/// A plan that knows nothing.
struct EmptyPlan;

impl KnownValues for EmptyPlan {
    fn resource(&self, _: &str) -> Option<Value> {
        None
    }

    fn variable(&self, _: &str) -> Option<Value> {
        None
    }
}

#[test]
fn the_workspace_of_a_plan_is_unknown_unless_it_is_given() {
    let text = r#"output "bucket" { value = terraform.workspace == "default" ? "dev" : "prod-bucket" }"#;
    let configuration = Configuration::read(files(&[("main.tf", text)])).expect("it is a configuration");
    let bucket =
        |inputs: &Inputs<'_>| configuration.evaluate(inputs).output("bucket").map(|value| value.to_string());
    let of_plan = Inputs::new().known(&EmptyPlan);
    assert_eq!(bucket(&Inputs::new()).as_deref(), Some("\"dev\""));
    assert_eq!(bucket(&of_plan.clone().workspace("prod")).as_deref(), Some("\"prod-bucket\""));
    assert_eq!(bucket(&of_plan).as_deref(), Some("(known after apply)"));
}

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
fn a_configuration_takes_time_in_proportion_to_its_instances() {
    let seconds = |count: usize| {
        let main = format!(
            "locals {{ names = [for i in range({count}) : \"n${{i}}\"] }}\n\
             resource \"a_b\" \"c\" {{\n for_each = toset(local.names)\n name = each.key\n tags = {{ n = each.value }}\n}}\n\
             module \"m\" {{\n source = \"./m\"\n for_each = a_b.c\n name = each.key\n}}\n\
             output \"all\" {{ value = [for m in module.m : m.name] }}\n{}",
            (0..count)
                .map(|i| format!("locals {{\n l{i} = \"${{local.names[{i}]}}\"\n}}\n"))
                .collect::<String>()
        ) + &format!(
            "output \"sum\" {{ value = [{}] }}\n",
            (0..count).map(|i| format!("local.l{i}")).collect::<Vec<_>>().join(", ")
        );
        let module = "variable \"name\" {}\noutput \"name\" { value = upper(var.name) }\n";
        let start = std::time::Instant::now();
        let texts = [("main.tf", main.as_str()), ("m/main.tf", module)];
        let configuration =
            Configuration::read(files(&texts)).unwrap_or_else(|problems| panic!("{problems}"));
        let inputs = Inputs::new();
        let evaluation = configuration.evaluate(&inputs);
        assert_eq!(format!("{:?}", evaluation.problems()), "[]");
        assert_eq!(evaluation.output("all").unwrap().length().unwrap(), (count as u64).into());
        start.elapsed().as_secs_f64()
    };
    let small = seconds(100).min(seconds(100));
    let large = seconds(1_000);
    println!("100 instances: {:.1} ms, 1,000 instances: {:.1} ms", small * 1e3, large * 1e3);
    assert!(large / small < 40.0, "{small} {large}");
}

#[test]
fn hostile_configurations_end_soon() {
    let start = std::time::Instant::now();
    let mut chain = String::from("locals {\n  a0 = 1\n");
    for i in 1..20_000 {
        chain.push_str(&format!("  a{i} = local.a{}\n", i - 1));
    }
    chain.push_str("}\noutput \"o\" { value = local.a19999 }\n");
    assert!(problems(&chain).is_empty());
    assert!(problems("resource \"a_b\" \"c\" { count = 1e9 }\n")[0].contains("not supported"));
    assert!(problems("module \"m\" { source = \"./\" }\n")[0].contains("Too many modules"));
    let ring: String = (0..5_000).map(|i| format!("  a{i} = local.a{}\n", (i + 1) % 5_000)).collect();
    assert!(problems(&format!("locals {{\n{ring}}}\n"))[0].contains("Cycle"));
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}
