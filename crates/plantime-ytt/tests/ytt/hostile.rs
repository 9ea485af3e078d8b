//! Hostile files end soon, and in an error unless they are only long.

use std::fmt::Write as _;

use plantime_ytt::Package;

use crate::checks::soon;

/// Evaluates a package and returns its error, if any; fails where that takes long.
fn error_of(schema: &str, values: &str) -> Option<String> {
    let package = Package::new().template("s.yml", &format!("#@data/values-schema\n---\n{schema}"));
    let package = package.values_file("v.yml", values);
    soon(|| package.data_values().err().map(|error| error.to_string()))
}

#[test]
fn aliases_of_aliases_are_refused() {
    let mut bomb = "a: &a [x, x, x, x, x, x, x, x]\n".to_owned();
    for (name, before) in ('b'..='m').zip('a'..) {
        writeln!(
            bomb,
            "{name}: &{name} [*{before}, *{before}, *{before}, *{before}, *{before}, *{before}, *{before}]"
        )
        .unwrap();
    }
    assert!(error_of("a: 1\n", &bomb).unwrap().contains("nodes"));
    let long = format!("a: &a {}\nb: [{}]\n", "x".repeat(400_000), "*a, ".repeat(40_000));
    assert!(error_of("a: 1\n", &long).unwrap().contains("nodes"));
}

#[test]
fn deep_nesting_is_refused() {
    assert!(error_of("a: 1\n", &"[".repeat(500_000)).unwrap().contains("yaml: "));
    assert!(error_of("a: 1\n", &"- ".repeat(50_000)).unwrap().contains("yaml: "));
    let arguments = format!("#@schema/default {}\na: 1\n", "[".repeat(100_000));
    assert!(error_of(&arguments, "a: 1\n").unwrap().contains("nested too deeply"));
}

#[test]
fn templates_make_a_bounded_number_of_nodes() {
    let template = "#@ for i in range(100000):\n#@ for j in range(100):\n- a: 1\n#@ end\n#@ end\n";
    let error = Package::new().template("t.yml", template).output().values.unwrap_err().to_string();
    assert!(error.starts_with("templates make more than 15"), "{error}");
}

#[test]
fn many_comments_keys_and_violations_end_soon() {
    assert_eq!(error_of(&format!("{}a: 1\n", "#!\n".repeat(50_000)), "a: 1\n"), None);
    assert!(error_of(&format!("{}a: 1\n", "#!\n".repeat(300_000)), "").unwrap().contains("comments"));
    assert!(error_of(&"#\n".repeat(1_000_000), "").is_some());
    let keys = (0..20_000).fold(String::new(), |keys, i| keys + &format!("k{i}: 1\n"));
    assert_eq!(error_of(&keys, &keys), None);
    assert!(error_of("a: 1\n", &keys).unwrap().contains("not declared"));
    let documents = "---\nk0: 1\n".repeat(400);
    assert!(error_of(&keys, &format!("{keys}{documents}")).unwrap().contains("too many documents"));
    // Each item of the array takes all defaults of the map.
    let fields = (0..2_000).fold("list:\n- k: 1\n".to_owned(), |fields, i| fields + &format!("  k{i}: 1\n"));
    assert!(error_of(&fields, &format!("list: [{}]\n", "{}, ".repeat(20_000))).unwrap().contains("defaults"));
    // Each item of the array repeats a long argument.
    let rule = format!("list:\n#@schema/validation one_of=[{}]\n- 0\n", "7, ".repeat(20_000));
    assert!(error_of(&rule, &format!("list: [{}]\n", "1, ".repeat(20_000))).unwrap().contains("steps"));
}
