//! Corners of configurations.

use std::collections::BTreeMap;
use std::sync::Arc;

use plantime::Value;
use plantime::configuration::{Configuration, Files, Inputs, KnownValues};

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

/// The values of outputs of a configuration, whose resource `terraform_data.a` a plan knows.
struct OnePlan(Value);

impl KnownValues for OnePlan {
    fn resource(&self, address: &str) -> Option<Value> {
        (address == "terraform_data.a").then(|| self.0.clone())
    }

    fn variable(&self, _: &str) -> Option<Value> {
        None
    }
}

/// A resource of a plan with this planned input, and an identifier that is not known.
fn planned(input: Value) -> OnePlan {
    let id = Value::unknown(plantime::Type::String).assume_not_null().expect("it may have a value");
    OnePlan(Value::object([("id", id), ("input", input.clone()), ("output", input)]).expect("an object"))
}

/// A variable that is not nullable takes its default for null: the law for all that a caller may give, and every default.
#[test]
fn what_a_module_is_given_becomes_what_terraform_makes_of_it() {
    let main = r#"
        variable "given" {}
        module "m" {
          source = "./m"
          z      = var.given
        }
        output "o" { value = module.m.z }
    "#;
    let known = [Value::null(plantime::Type::Number), Value::from(5), Value::from(99)];
    let number = plantime::Type::Number;
    let unknown = Value::unknown(number.clone());
    let not_null = unknown.assume_not_null().unwrap();
    let dynamic = Value::dynamic();
    let five_or_null = Value::join(&[&known[0], &known[1]]).unwrap();
    let covered: [(Value, &[usize]); 4] =
        [(unknown, &[0, 1, 2]), (not_null, &[1, 2]), (dynamic, &[0, 1, 2]), (five_or_null, &[0, 1])];
    for nullable in [false, true] {
        for default in ["", "default = 99", "default = 7"] {
            let module = format!(
                "variable \"z\" {{\n type = number\n nullable = {nullable}\n {default}\n}}\noutput \"z\" {{ value = var.z }}\n"
            );
            let files = files(&[("main.tf", main), ("m/main.tf", &module)]);
            let configuration = Configuration::read(files).unwrap();
            let result = |given: &Value| {
                let inputs = Inputs::new().variable("given", given.clone());
                configuration.evaluate(&inputs).output("o").unwrap()
            };
            for (given, covers) in &covered {
                let result_of_unknown = result(given);
                // Terraform refuses null for a variable that is neither nullable nor has a default.
                let is_refused = |at: &&usize| **at == 0 && !nullable && default.is_empty();
                for at in covers.iter().filter(|at| !is_refused(at)) {
                    let result = result(&known[*at]);
                    assert!(
                        plantime::testing::may_become(&result_of_unknown, &result),
                        "{nullable} {default}: {given:?} gives {result_of_unknown:?}, {:?} gives {result:?}",
                        known[*at]
                    );
                }
            }
            if !nullable && default == "default = 7" {
                assert_eq!(result(&known[0]), Value::from(7));
                assert_eq!(result(&known[1]), Value::from(5));
            }
        }
    }
}

#[test]
fn an_ephemeral_variable_of_a_plan_is_unknown() {
    let text = "variable \"e\" {\n type = string\n default = \"x\"\n ephemeral = true\n}\noutput \"o\" { value = var.e == \"x\" }\n";
    let configuration = Configuration::read(files(&[("main.tf", text)])).unwrap();
    let equal = |inputs: &Inputs<'_>| configuration.evaluate(inputs).output("o").unwrap().unmark_deep().0;
    assert_eq!(equal(&Inputs::new()), Value::from(true));
    assert!(!equal(&Inputs::new().known(&EmptyPlan)).is_known());
    let given = Inputs::new().known(&EmptyPlan).variable("e", Value::from("y"));
    assert_eq!(equal(&given), Value::from(false));
}

#[test]
fn a_planned_value_that_is_not_the_configured_one_keeps_its_type() {
    let kept = Value::tuple(["b", "a", "a"].map(Value::from)).unwrap();
    let input = |text: &str, plan: &OnePlan| {
        let configuration = Configuration::read(files(&[("main.tf", text)])).unwrap();
        configuration.evaluate(&Inputs::new().known(plan)).output("o").unwrap()
    };
    for (arguments, expected) in [
        ("input = toset([\"x\"])\n lifecycle {\n ignore_changes = [input]\n }", &kept),
        // The same members, and yet the prior tuple.
        ("input = toset([\"a\", \"b\"])\n lifecycle {\n ignore_changes = [input]\n }", &kept),
        ("input = toset([\"x\"])", &kept),
    ] {
        let text = format!(
            "resource \"terraform_data\" \"a\" {{\n {arguments}\n}}\noutput \"o\" {{ value = terraform_data.a.input }}\n"
        );
        assert_eq!(input(&text, &planned(kept.clone())), *expected, "{arguments}");
    }
    let text = "resource \"terraform_data\" \"a\" {\n input = toset([\"a\", \"b\"])\n}\noutput \"o\" { value = terraform_data.a.input }\n";
    let as_json = Value::tuple(["a", "b"].map(Value::from)).unwrap();
    assert_eq!(input(text, &planned(as_json)), Value::set(["a", "b"]).unwrap());
}

/// Files of which some are not there.
struct SomeFiles(Arc<BTreeMap<String, Vec<u8>>>);

impl Files for SomeFiles {
    fn entries(&self, folder: &str) -> Vec<String> {
        self.0.entries(folder)
    }

    fn content(&self, path: &str) -> Option<Vec<u8>> {
        self.0.content(path)
    }

    fn is_complete(&self) -> bool {
        false
    }
}

#[test]
fn what_a_file_that_the_caller_does_not_have_holds_is_unknown() {
    let expressions = [
        "fileexists(\"x.txt\")",
        "try(file(\"x.txt\"), \"default\")",
        "can(file(\"x.txt\"))",
        "can(filesha256(\"x.txt\"))",
        "can(filebase64(\"x.txt\"))",
        "length(fileset(\".\", \"*.txt\"))",
        "try(templatefile(\"x.txt\", {}), \"none\")",
    ];
    let outputs: String = expressions
        .iter()
        .enumerate()
        .map(|(i, expression)| format!("output \"o{i}\" {{ value = {expression} }}\n"))
        .collect();
    let text = format!(
        "{outputs}output \"here\" {{ value = [fileexists(\"main.tf\"), length(file(\"main.tf\")) > 0] }}\n"
    );
    let embedded = SomeFiles(files(&[("main.tf", &text)]));
    let configuration = Configuration::read(Arc::new(embedded)).unwrap();
    let inputs = Inputs::new();
    let evaluation = configuration.evaluate(&inputs);
    assert_eq!(format!("{:?}", evaluation.problems()), "[]");
    for (i, expression) in expressions.iter().enumerate() {
        let value = evaluation.output(&format!("o{i}")).unwrap();
        assert!(!value.is_known(), "{expression}: {value:?}");
    }
    let here = evaluation.output("here").unwrap();
    assert_eq!(here, Value::tuple([Value::from(true), Value::from(true)]).unwrap());
}

/// What Terraform 1.11.4 answers for the patterns, in a folder with these files.
#[test]
fn patterns_of_file_sets_mean_what_they_mean_in_terraform() {
    let names = [
        ".hid",
        "a",
        "ab",
        "a1.txt",
        "b.txt",
        "x}.txt",
        "c]d",
        "lf",
        "sub/a1.txt",
        "sub/x.txt",
        "sub/deep/y.txt",
        "{sub/q",
    ];
    let error = ["ERR"];
    let unknown = ["unknown"];
    let cases: &[(&str, &[&str])] = &[
        ("", &[]),
        ("***", &[".hid", "a", "a1.txt", "ab", "b.txt", "c]d", "lf", "main.tf", "x}.txt"]),
        ("**/y.txt", &["sub/deep/y.txt"]),
        ("**/{sub/a1,x}.txt", &error),
        ("**/[a", &error),
        ("*/x.txt", &["sub/x.txt"]),
        // Whether the error is hidden depends on the order of the search.
        ("*/{a", &unknown),
        ("*[", &[]),
        ("*{a,}", &["a"]),
        ("../root/a", &[]),
        ("/a", &["a"]),
        ("?", &["a"]),
        ("[!a].txt", &[]),
        ("[^a].txt", &["b.txt"]),
        ("[a", &error),
        ("[ab].txt", &["b.txt"]),
        ("[b-a]b", &[]),
        ("\\\\a", &["a"]),
        ("\\\\s*/x.txt", &["sub/x.txt"]),
        ("a*", &["a", "a1.txt", "ab"]),
        ("a**", &["a", "a1.txt", "ab"]),
        ("a*{b,}", &["ab"]),
        ("a/b", &[]),
        ("a[-]", &error),
        ("a[0-9].txt", &["a1.txt"]),
        ("a[]", &error),
        ("a[a-]", &error),
        ("a\\\\", &error),
        ("a{,b}", &["ab"]),
        ("a{b}", &["ab"]),
        ("a{}", &[]),
        ("a{}b", &["ab"]),
        ("c[\\\\]]d", &["c]d"]),
        ("c\\\\]d", &["c]d"]),
        ("l*", &["lf"]),
        ("nosuch/[a", &[]),
        ("sub", &[]),
        ("sub/**/x.txt", &["sub/x.txt"]),
        ("sub/../a", &["a"]),
        ("sub/[a", &error),
        ("{[ab],x}", &["a"]),
        ("{a,[b}", &error),
        ("{a,b", &error),
        ("{a\\\\,b}", &[]),
        ("{ab,a[}", &error),
        ("{a[,ab}", &error),
        ("{lf,a}", &["a", "lf"]),
        ("{sub/a1,x}.txt", &error),
        ("sub/**", &["sub/a1.txt", "sub/deep/y.txt", "sub/x.txt"]),
        ("{a,{b,c}}", &unknown),
    ];
    let outputs: String = (0..)
        .zip(cases)
        .map(|(i, (pattern, _))| {
            format!("output \"o{i}\" {{ value = try(fileset(\".\", \"{pattern}\"), [\"ERR\"]) }}\n")
        })
        .collect();
    let mut texts: Vec<(&str, &str)> = names.iter().map(|name| (*name, "")).collect();
    texts.push(("main.tf", &outputs));
    let configuration = Configuration::read(files(&texts)).unwrap();
    let inputs = Inputs::new();
    let evaluation = configuration.evaluate(&inputs);
    for (i, (pattern, expected)) in (0..).zip(cases) {
        let found = evaluation.output(&format!("o{i}")).unwrap();
        let found: Vec<String> = match found.is_known() {
            false => vec!["unknown".to_owned()],
            true => found.to_string().split('"').skip(1).step_by(2).map(str::to_owned).collect(),
        };
        assert_eq!(found, *expected, "{pattern}");
    }
}

/// Folders without end, as links to a folder around them make them; reads of `closed` are counted.
struct EndlessFolders(std::sync::atomic::AtomicUsize, String);

impl Files for EndlessFolders {
    fn entries(&self, folder: &str) -> Vec<String> {
        if folder.starts_with("closed") {
            self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        }
        let name = "a".repeat(60);
        ["main.tf", "self/", "rootl/", "closed/", &name].map(str::to_owned).to_vec()
    }

    fn content(&self, path: &str) -> Option<Vec<u8>> {
        (path == "main.tf").then(|| self.1.clone().into_bytes())
    }
}

#[test]
fn a_file_set_takes_no_longer_than_its_pattern_and_reads_no_folder_that_it_cannot_reach() {
    let patterns = [
        ("*a".repeat(40) + "b", Some(0)),
        ("**/".repeat(15) + "nope/*", None),
        ("{a,a}".repeat(24) + "b", Some(0)),
        ("*".repeat(30) + "b", Some(0)),
        ("self/*.tf".to_owned(), Some(1)),
        ("**/x".to_owned(), None),
    ];
    for (pattern, expected) in patterns {
        let text = format!("output \"o\" {{ value = length(fileset(\".\", \"{pattern}\")) }}\n");
        let files = Arc::new(EndlessFolders(0.into(), text));
        let start = std::time::Instant::now();
        let configuration = Configuration::read(files.clone()).unwrap();
        let inputs = Inputs::new();
        let found = configuration.evaluate(&inputs).output("o").unwrap();
        match expected {
            Some(count) => {
                assert_eq!(found, Value::from(count), "{pattern}");
                assert_eq!(files.0.load(std::sync::atomic::Ordering::Relaxed), 0, "{pattern}");
            }
            // Terraform follows the links until the system stops.
            None => assert!(!found.is_known(), "{pattern}: {found:?}"),
        }
        assert!(start.elapsed().as_secs() < 20, "{pattern}: {:?}", start.elapsed());
    }
}

#[test]
fn digests_of_files_are_those_of_their_bytes() {
    let decomposed = "e\u{301}";
    outputs(
        &[
            (
                "main.tf",
                "output \"o\" { value = filesha256(\"d.txt\") }\noutput \"m\" { value = filemd5(\"d.txt\") }\n",
            ),
            ("d.txt", decomposed),
        ],
        &[
            // printf 'e\xcc\x81' | sha256sum
            ("o", "\"bf12767b0f2a56b2190075bae8169f656e3ce8d6357d4aff184bc6c7ea48f9f6\""),
            ("m", "\"5526861fbb1e71a1bda6ac364310a807\""),
        ],
    );
}

#[test]
fn a_folder_is_no_file() {
    let text = "output \"o\" { value = [can(fileexists(\"sub\")), can(fileexists(\".\")), fileexists(\"sub/x\"), fileexists(\"sub/y\")] }\n";
    outputs(&[("main.tf", text), ("sub/x", "")], &[("o", "[false, false, true, false]")]);
    let found = problems("output \"o\" { value = fileexists(\".\") }\n");
    assert!(found.len() == 1 && found[0].contains("\".\" is a directory, not a file"), "{found:?}");
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
        assert!(found.contains("which is sensitive: ") && !found.contains("hunter2"), "{declared}: {found}");
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
fn many_undeclared_names_take_time_in_proportion_to_them() {
    let seconds = |count: usize| {
        let name = "a_name_of_some_length";
        let text: String =
            (0..count).map(|i| format!("locals {{\n {name}_{i} = local.{name}_x{i}_{i}\n}}\n")).collect();
        let start = std::time::Instant::now();
        assert_eq!(problems(&text).len(), count);
        start.elapsed().as_secs_f64()
    };
    let (small, large) = (seconds(400), seconds(4_000));
    println!("400 names: {:.0} ms, 4,000 names: {:.0} ms", small * 1e3, large * 1e3);
    assert!(large < 20.0 * small.max(0.1), "{small} {large}");
}
