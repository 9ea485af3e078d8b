//! Configurations evaluated with the values of a plan.

use plantime::Value;
use plantime_terraform::configuration::{Configuration, Inputs, KnownValues};

use crate::fixtures::{files, outputs};

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
    assert_eq!(bucket(&of_plan).as_deref(), Some("(known after apply, one of \"dev\", \"prod-bucket\")"));
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

/// Core plans a `terraform_data` itself, so what it plans is certain without a plan. As 1.11.4 plans it.
#[test]
fn a_terraform_data_is_planned_as_configured() {
    let main = "resource \"terraform_data\" \"a\" {\n input = { x = [1] }\n triggers_replace = [\"t\"]\n}\n\
                resource \"terraform_data\" \"b\" {\n count = 2\n}\n\
                output \"input\" { value = terraform_data.a.input.x[0] }\n\
                output \"trigger\" { value = terraform_data.a.triggers_replace }\n\
                output \"output\" { value = [for x in terraform_data.a.output.x : \"x\"] }\n\
                output \"none\" { value = terraform_data.b[*].output }\n\
                output \"keys\" { value = try(keys(terraform_data.a), 1) }\n";
    outputs(
        &[("main.tf", main)],
        &[
            ("input", "1"),
            ("trigger", "[\"t\"]"),
            ("output", "[\"x\"]"),
            ("none", "[null, null]"),
            ("keys", "[\"id\", \"input\", \"output\", \"triggers_replace\"]"),
        ],
    );
}

/// A key that is sensitive is an attribute of the type of an unknown output: neither form of a plan shows it.
#[test]
fn the_type_of_an_unknown_output_hides_a_sensitive_key() {
    let main = r#"
        variable "s" {
          sensitive = true
          default   = "hunter2"
        }
        resource "terraform_data" "a" { input = { (var.s) = "x" } }
        output "o" { value = terraform_data.a.output }
    "#;
    let configuration = Configuration::read(files(&[("main.tf", main)])).unwrap();
    let input = Value::object([("hunter2", "x")]).unwrap();
    // A binary plan tells the type of an unknown value, one in JSON does not.
    for output in [Value::unknown(input.ty()), Value::dynamic()] {
        let planned = Value::object([("input", input.clone()), ("output", output)]).unwrap();
        let plan = OnePlan(planned);
        let inputs = Inputs::new().known(&plan);
        let value = configuration.evaluate(&inputs).output("o").unwrap();
        assert_eq!(value.visible_type(), "hidden");
        assert!(!value.to_string().contains("hunter2"), "{value}");
    }
}
