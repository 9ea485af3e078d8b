//! Hostile configurations end in an error within a second of processor time: each limit is reached by a short text.

use std::time::Duration;

use cpu_time::ThreadTime;
use plantime_terraform::configuration::{Configuration, Inputs};

use crate::fixtures::files;

/// An output of this expression.
fn output(expression: &str) -> String {
    format!("output \"o\" {{ value = {expression} }}\n")
}

/// Local values of which each is made from the one before.
fn chain(first: &str, count: usize, next: impl Fn(&str) -> String) -> String {
    let values = (1..count).map(|i| format!("  a{i} = {}\n", next(&format!("local.a{}", i - 1))));
    format!("locals {{\n  a0 = {first}\n{}}}\n", values.collect::<String>())
}

/// The problems of reading and evaluating a configuration, and those of its validation as text.
fn problems(texts: &[(&str, &str)]) -> String {
    let inputs = Inputs::new();
    let evaluated = match Configuration::read(files(texts)) {
        Ok(configuration) => {
            let found = configuration.evaluate(&inputs);
            found.problems().iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
        }
        Err(problems) => problems.to_string(),
    };
    let validated = Configuration::validate(files(texts), None);
    let validated = validated.iter().map(|problem| problem.to_text()).collect::<Vec<_>>();
    format!("{evaluated}\n{}", validated.join("\n"))
}

#[test]
fn each_kind_ends_soon() {
    let deep = 20_000;
    let brackets = |open: &str, close: &str| output(&format!("{}1{}", open.repeat(deep), close.repeat(deep)));
    let template = |open: &str| output(&format!("\"{}\"", open.repeat(deep)));
    let long = "format(\"%10000s\", \"\")";
    let cases: Vec<(&str, String, &str)> = vec![
        ("brackets", brackets("[", "]"), "too complex"),
        ("objects", brackets("{a=", "}"), "too complex"),
        ("calls", brackets("f(", ")"), "too complex"),
        ("loops", brackets("[for x in [1]: ", "]"), "too complex"),
        ("conditions", brackets("true ? 1 : (", ")"), "too complex"),
        ("indexes", output(&format!("a.b{}", "[a.b".repeat(deep))), "too complex"),
        ("operators", output(&format!("1{}", " + 1".repeat(deep))), ""),
        ("interpolations", template("${"), "main.tf"),
        ("directives", template("%{if true}"), "main.tf"),
        ("splats", output(&format!("a.b{}", "[*]".repeat(deep))), "more than 256 levels deep"),
        ("attribute splats", output(&format!("a.b{}", ".*.c".repeat(deep))), "Nested splat"),
        ("splats in brackets", output(&format!("{}1", "[a.b[*].c[*][".repeat(60))), "Missing close bracket"),
        ("deep splats in brackets", output(&format!("{}1", "[a.b[*].c[*][".repeat(deep))), "too complex"),
        ("a long reference", output(&format!("a{}", ".b".repeat(deep))), "undeclared resource"),
        ("a long path", output(&format!("[1]{}", "[0]".repeat(deep))), "Invalid index"),
        (
            "a million iterations",
            output("[for i in range(1000) : [for j in range(1000) : j]]"),
            "more than 500000 iterations",
        ),
        (
            "iterations of several expressions",
            (0..4).map(|i| format!("locals {{\n a{i} = [for i in range(500) : [for j in range(500) : j]]\n}}\n")).collect(),
            "more than 750000 iterations. What follows is not evaluated",
        ),
        ("a product", output("setproduct(range(1000), range(1000), range(1000))"), "setproduct"),
        ("text that doubles", chain("\"xxxxxxxx\"", 60, |a| format!("\"${{{a}}}${{{a}}}\"")), "bytes of text"),
        ("lists that double", chain("[1]", 60, |a| format!("concat({a}, {a})")), "too complex"),
        ("pairs of pairs", chain("[1]", 200, |a| format!("[{a}, {a}]")), "134217728 parts"),
        ("text that grows", chain(long, 400, |a| format!("\"${{{a}}}${{local.a0}}\"")), "bytes of text"),
        ("lists that grow", chain("range(1000)", 200, |a| format!("concat({a}, local.a0)")), "elements together"),
        ("a wide number", output("format(\"%999999999d\", 1)"), "format"),
        ("a long number", output("1e1000000000 + 0.5"), "output"),
        (
            "references to one match",
            output(&format!("replace({long}, \"/(.*)/\", \"{}\")", "$1".repeat(10_000))),
            "more than 16777216 bytes",
        ),
        ("instances", "resource \"a_b\" \"c\" { count = 1e9 }\n".to_owned(), "not supported"),
        ("blocks", "resource \"a_b\" \"c\" {\n dynamic \"d\" {\n for_each = flatten([for i in range(450) : range(450)])\n content {}\n }\n}\n".to_owned(), "More than 200000 blocks"),
        ("itself", "module \"m\" { source = \"./\" }\n".to_owned(), "Too many modules"),
        ("undeclared names", output(&format!("[{}]", "local.x, ".repeat(2_000))), "undeclared"),
        ("unknown functions", output(&format!("[{}]", "nope(), ".repeat(2_000))), "unknown function"),
        ("one name again and again", "locals { a = 1 }\n".repeat(2_000), "Duplicate"),
        ("aliases in YAML", output(
            "yamldecode(\"a: &a [x,x,x,x,x,x,x,x]\\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\\n\
             d: &d [*c,*c,*c,*c,*c,*c,*c,*c]\\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d]\\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e]\\n\
             g: &g [*f,*f,*f,*f,*f,*f,*f,*f]\\nh: [*g,*g,*g,*g,*g,*g,*g,*g]\")",
        ), "yamldecode"),
        ("depth of JSON", output(&format!("jsondecode(\"{}\")", "[".repeat(deep))), "jsondecode"),
        ("a template of itself", output("templatefile(\"t\", {})"), "templatefile"),
    ];
    let (mut slow, mut wrong) = (Vec::new(), Vec::<String>::new());
    for (name, text, expected) in &cases {
        let start = ThreadTime::now();
        let found = problems(&[("main.tf", text), ("t", "${templatefile(\"t\", {})}")]);
        let time = start.elapsed();
        println!("{name}: {:.0} ms", time.as_secs_f64() * 1e3);
        let shown: String = found.chars().take(300).collect();
        if !found.contains(expected) {
            wrong.push(format!("{name}: {shown}"));
        }
        if time > Duration::from_secs(1) {
            slow.push((*name, time));
        }
    }
    assert!(slow.is_empty() && wrong.is_empty(), "{slow:?} {wrong:#?}");
}

#[test]
fn instances_of_all_modules_are_counted_together() {
    let main = "module \"a\" {\n source = \"./m\"\n count = 60000\n}\nmodule \"b\" {\n source = \"./m\"\n count = 60000\n}\n";
    let found = problems(&[("main.tf", main), ("m/main.tf", "")]);
    assert!(found.contains("more than 100000 instances"), "{}", found.chars().take(300).collect::<String>());
}

#[test]
fn problems_in_one_long_line_show_its_beginning() {
    let text = output(&format!("[{}]", "local.é, ".repeat(1_000)));
    let found = Configuration::validate(files(&[("main.tf", &text)]), None);
    assert_eq!(found.len(), 1_000);
    let shown: usize = found.iter().map(|problem| problem.to_text().len()).sum();
    assert!(found[0].to_text().contains('…'), "{}", found[0].to_text());
    assert!(shown < 1_000_000, "{shown}");
}

/// The problems of one file, each as evaluated and as validated.
fn problems_of_file(text: &str) -> [Vec<String>; 2] {
    let evaluated = match Configuration::read(files(&[("main.tf", text)])) {
        Ok(configuration) => configuration.evaluate(&Inputs::new()).problems(),
        Err(problems) => problems.iter().cloned().collect(),
    };
    let validated = Configuration::validate(files(&[("main.tf", text)]), None);
    [evaluated, validated].map(|found| found.iter().map(|problem| problem.to_text()).collect())
}

#[test]
fn of_many_problems_the_first_ones_are_reported() {
    let most = plantime::limits::PROBLEMS;
    let cases = [
        ("in one expression", output(&format!("[{}]", "local.x, ".repeat(most + 500))), [true, true]),
        (
            "in many",
            (0..most + 500).map(|i| format!("locals {{\n  a{i} = local.x\n}}\n")).collect(),
            [true, true],
        ),
        ("declared twice", "locals { a = 1 }\n".repeat(most + 500), [false, true]),
        ("as many as are reported", output(&format!("[{}]", "local.x, ".repeat(most))), [false, false]),
    ];
    for (name, text, is_exceeded) in cases {
        for (found, is_exceeded) in problems_of_file(&text).iter().zip(is_exceeded) {
            let notices = found.iter().filter(|text| text.contains("Too many errors")).count();
            assert_eq!(notices, usize::from(is_exceeded), "{name}: {} problems", found.len());
            assert!(found.len() <= most + 2, "{name}: {} problems", found.len());
            if is_exceeded {
                let last = found.last().unwrap();
                assert!(last.starts_with("Error: Too many errors\n"), "{name}: {last}");
                assert!(
                    last.contains("Only the first 1000 errors of this kind are shown."),
                    "{name}: {last}"
                );
            }
        }
    }
}

#[test]
fn errors_are_reported_beside_many_warnings() {
    // Each quoted reference is one warning.
    let most = plantime::limits::PROBLEMS;
    let quoted: String = (0..most + 500)
        .map(|i| {
            format!("resource \"terraform_data\" \"r{i}\" {{\n  depends_on = [\"terraform_data.a\"]\n}}\n")
        })
        .collect();
    let [_, validated] = problems_of_file(&format!(
        "{quoted}resource \"terraform_data\" \"a\" {{}}\nlocals {{\n  b = local.c\n}}\n"
    ));
    assert!(
        validated.iter().any(|text| text.starts_with("Warning: Too many warnings")),
        "{}",
        validated.len()
    );
    assert!(validated.iter().any(|text| text.contains("has not been declared")), "{}", validated.len());
    assert!(validated.len() <= most + 2, "{}", validated.len());
}
