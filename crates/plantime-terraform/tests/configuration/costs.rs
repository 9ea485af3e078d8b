//! What evaluation costs: in proportion to what there is, also for hostile configurations.

use plantime_terraform::configuration::{Configuration, Inputs};

use crate::fixtures::{files, problems};

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

/// The errors of hostile texts are found in time in proportion to them.
#[test]
fn hostile_syntax_is_refused_soon() {
    let seconds = |text: String| {
        let files = std::sync::Arc::new(std::collections::BTreeMap::from([(
            "main.tf".to_owned(),
            text.into_bytes(),
        )]));
        let start = std::time::Instant::now();
        assert!(!Configuration::validate(files, None).is_empty());
        start.elapsed().as_secs_f64()
    };
    let units = [
        "/* ",
        "<<",
        "<<E ",
        "\"",
        "${",
        "\"${",
        "{",
        "(",
        "[",
        "a.",
        "a \"b\" ",
        "x = \"${",
        "%{",
        "'",
        "x {\n",
        "<<E\n",
        "a=\n",
        "x = a ? ",
        "x = !",
        "x = [for a in ",
        "x = f(",
        "\\",
        "x = {a = ",
        "x = \"%{ if a }",
        "x = \"\\u",
    ];
    for unit in units {
        let of = |length: usize| seconds(format!("{}\n)", unit.repeat(length / unit.len())));
        let (small, large) = (of(2_000), of(20_000));
        assert!(large < 1.0 || large / small < 40.0, "{unit:?}: {small} {large}");
    }
}

#[test]
fn many_undeclared_names_take_time_in_proportion_to_them() {
    let seconds = |count: usize| {
        let name = "a_name_of_some_length";
        let text: String =
            (0..count).map(|i| format!("locals {{\n {name}_{i} = local.{name}_x{i}_{i}\n}}\n")).collect();
        let start = std::time::Instant::now();
        assert_eq!(problems(&text).len(), count.min(plantime::limits::PROBLEMS + 1));
        start.elapsed().as_secs_f64()
    };
    let (small, large) = (seconds(400), seconds(4_000));
    println!("400 names: {:.0} ms, 4,000 names: {:.0} ms", small * 1e3, large * 1e3);
    assert!(large < 20.0 * small.max(0.1), "{small} {large}");
}
