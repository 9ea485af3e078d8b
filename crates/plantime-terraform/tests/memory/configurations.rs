//! What hostile configurations and expressions take: each ends, with an answer or an error, in 64 MB.
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use plantime::Value;
use plantime_hcl::{Expression, Scope};
use plantime_terraform::configuration::{Configuration, Inputs};

use super::{alone, measured};

/// The most that may be allocated at once.
const MEMORY: usize = 64 << 20;
/// The longest time, of a build that is not optimised on a busy machine too. An optimised one takes less than a second.
const SECONDS: f64 = if cfg!(debug_assertions) { 60.0 } else { 2.0 };

fn bounded(what: &str, work: impl FnOnce() -> String) {
    let start = Instant::now();
    let (outcome, _, peak) = measured(work);
    let time = start.elapsed().as_secs_f64();
    println!("{what:36} {time:7.3} s {:7.2} MB  {outcome:.90}", peak as f64 / 1e6);
    assert!(peak <= MEMORY, "{what}: {peak} bytes");
    assert!(time <= SECONDS, "{what}: {time} s");
}

/// Reads and evaluates a root module of one file.
fn configuration(what: &str, text: &str) {
    bounded(what, || {
        let files = BTreeMap::from([("main.tf".to_owned(), text.as_bytes().to_vec())]);
        let Ok(configuration) = Configuration::read(Arc::new(files)) else { return "not read".to_owned() };
        let inputs = Inputs::new();
        let evaluation = configuration.evaluate(&inputs);
        let problem = evaluation.problems().first().map(ToString::to_string);
        problem.unwrap_or_else(|| "an answer".to_owned())
    });
}

fn expression(what: &str, text: &str) {
    bounded(what, || {
        let unknown = Value::unknown(plantime::Type::String);
        let values = BTreeMap::from([("u".to_owned(), unknown)]);
        let result = Expression::parse(text).and_then(|parsed| parsed.evaluate(&Scope::new(&values)));
        result.map_or_else(|problems| problems.to_string(), |_| "an answer".to_owned())
    });
}

#[test]
fn hostile_configurations_take_bounded_memory() {
    let _alone = alone();
    for open in ["[", "(", "{ a = ", "\"${", "-", "!", "f(", "[for x in ", "true ? ", "{ a = [for x in ["] {
        expression(&format!("deep {open}"), &open.repeat(100_000));
        configuration(
            &format!("deep {open} in a file"),
            &format!("locals {{\n  a = {}\n}}\n", open.repeat(20_000)),
        );
    }
    configuration("deep blocks", &"a {\n".repeat(50_000));
    let blocks = "resource \"a\" \"b\" {\n".to_owned() + &"x {\n".repeat(60) + &"}\n".repeat(61);
    configuration("nested blocks", &blocks);
    expression("a million iterations", "[for x in range(1000) : [for y in range(1000) : y]]");
    expression(
        "a million iterations, an object",
        "{ for x in range(1000) : \"k${x}\" => [for y in range(1000) : \"${x}${y}\"] }",
    );
    expression(
        "a million iterations, a template",
        "\"%{ for x in range(1000) }%{ for y in range(1000) }${x},%{ endfor }%{ endfor }\"",
    );
    expression(
        "many nested iterations",
        "[for a in range(100) : [for b in range(100) : [for c in range(100) : [for d in range(100) : a + b]]]]",
    );
    let doubled: String =
        (1..60).map(|i| format!("  a{i} = \"${{local.a{}}}${{local.a{}}}\"\n", i - 1, i - 1)).collect();
    configuration(
        "texts that double",
        &format!("locals {{\n  a0 = \"ab\"\n{doubled}}}\noutput \"o\" {{ value = local.a59 }}\n"),
    );
    let pairs: String = (1..60).map(|i| format!("  a{i} = [local.a{}, local.a{}]\n", i - 1, i - 1)).collect();
    configuration(
        "tuples that double",
        &format!("locals {{\n  a0 = 1\n{pairs}}}\noutput \"o\" {{ value = local.a59 }}\n"),
    );
    let ring: String = (0..20_000).map(|i| format!("  a{i} = local.a{}\n", (i + 1) % 20_000)).collect();
    configuration("a ring", &format!("locals {{\n{ring}}}\n"));
    configuration("a module in itself", "module \"m\" { source = \"./\" }\n");
    configuration("a billion instances", "resource \"a_b\" \"c\" { count = 1e9 }\n");
    let keys: String = (0..16_000).map(|i| format!("    k{i} = {i}\n")).collect();
    configuration(
        "16,000 keys",
        &format!("locals {{\n  a = {{\n{keys}  }}\n}}\noutput \"o\" {{ value = local.a.k1 }}\n"),
    );
    configuration(
        "16,000 times one key",
        &format!("locals {{\n  a = {{\n{}  }}\n}}\n", "    k = 1\n".repeat(16_000)),
    );
    configuration("16,000 arguments", &format!("locals {{\n{keys}}}\n"));
    let letters: String = ('a'..='z').cycle().take(4_000).collect();
    for pattern in [
        letters.clone(),
        format!("^{letters}$"),
        "a".repeat(4_000),
        "(a|b)*a(a|b){200}".to_owned(),
        format!("({letters}|x)*"),
    ] {
        expression(&format!("regex {pattern:.20}"), &format!("regex(\"{pattern}\", u)"));
        expression(&format!("replace {pattern:.20}"), &format!("replace(u, \"/{pattern}/\", \"x\")"));
    }
    expression("a long text before an unknown", &format!("\"{letters}${{u}}{letters}\" == \"{letters}\""));
}
