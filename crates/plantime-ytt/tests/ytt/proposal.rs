//! The rules that the proposal has and ytt does not.

use plantime_ytt::Package;

fn package(schema: &str) -> Package {
    Package::new().template("schema.yml", &format!("#@data/values-schema\n---\n{schema}")).with_proposal()
}

/// The report of the violations, or the data values.
fn of(schema: &str, key: &str, value: &str) -> String {
    let package = package(schema).data_value_yaml(key, value);
    package.data_values().unwrap_or_else(|error| error.to_string())
}

#[test]
fn named_rules() {
    for (rule, default, valid, invalid, words) in [
        ("len=2", "''", "ab", "abc", "length = 2"),
        ("starts_with='a'", "''", "ab", "ba", "a string that starts with \"a\""),
        ("ends_with='.git'", "''", "a.git", "a", "ends with"),
        ("contains='@sha'", "''", "a@sha1", "a", "contains"),
        ("matches='^[a-z]+$'", "''", "abc", "Abc", "matches"),
        ("format='ipv4'", "''", "10.0.0.1", "10.0.0", "ipv4"),
        ("format='quantity'", "''", "10Gi", "x", "quantity"),
        ("even=True", "0", "4", "3", "an even number"),
        ("odd=True", "1", "3", "4", "an odd number"),
        ("multiple_of=1024", "0", "2048", "1000", "1024"),
    ] {
        let schema = format!("#@schema/validation {rule}\na: {default}\n");
        let passed = of(&schema, "a", valid);
        assert!(passed.starts_with("a: "), "{rule}: {passed}");
        let failed = of(&schema, "a", invalid);
        assert!(failed.contains("must be: ") && failed.contains(words), "{rule}: {failed}");
        // Without the proposal there is no such rule.
        let schema = format!("#@data/values-schema\n---\n{schema}");
        let error = Package::new().template("schema.yml", &schema).data_values().unwrap_err().to_string();
        assert!(error.contains("unknown keyword argument"), "{rule}: {error}");
    }
}

#[test]
fn arguments_that_are_wrong_have_a_place() {
    for rule in
        ["starts_with=1", "even=2", "multiple_of=0", "matches='('", "format='nope'", "len='a'", "other=1"]
    {
        let error = of(&format!("#@schema/validation {rule}\na: ''\n"), "a", "x");
        assert!(
            error.contains("(at schema.yml:3)") && error.contains("Invalid @schema/validation"),
            "{rule}: {error}"
        );
    }
}

#[test]
fn words_and_messages_of_ones_own() {
    let report = of("#@schema/validation min_len=('a name that is not empty', 1)\na: x\n", "a", "''");
    assert!(
        report.contains("- must be: a name that is not empty (by: schema.yml:3)\n      found: length = 0"),
        "{report}"
    );
    let schema = "#@ def ok(n):\n#@   return n > 9\n#@ end\n#@schema/validation ('at least ten', ok, '\"{key}\" (={value}) must be {desc}{{}}')\nport: 10\n";
    let report = of(schema, "port", "5");
    assert!(report.contains("- \"port\" (=5) must be at least ten{} (by: schema.yml:6)"), "{report}");
    let report = of(&schema.replace("{key}", "{nope}"), "port", "5");
    assert!(report.contains("but found {nope}"), "{report}");
}

#[test]
fn none_passes_and_a_guard_that_fails_does_not_apply() {
    let schema = "#@ load('@ytt:assert', 'assert')\n#@ def ok(n):\n#@   n > 9 or assert.fail('too small')\n#@ end\n#@schema/validation ('at least ten', ok)\nport: 10\n";
    assert_eq!(of(schema, "port", "11"), "port: 11\n");
    assert!(of(schema, "port", "5").contains("found: assert.fail: fail: too small"));
    let schema = "#@ load('@ytt:assert', 'assert')\n#@schema/validation min=10, when=lambda v: assert.fail('no')\nport: 10\n";
    assert_eq!(of(schema, "port", "5"), "port: 5\n");
}

#[test]
fn rules_for_all_strings_below_a_node() {
    let schema = "#@schema/validation-defaults-for-strings min_len=1\ndex:\n  name: a\n  #@schema/validation min_len=0\n  free: ''\n  port: 0\n  #@schema/validation-defaults-for-strings min_len=0\n  inner:\n    text: ''\nother: ''\n";
    let values = of(schema, "dex.name", "b");
    assert!(values.starts_with("dex:\n  name: b\n"), "{values}");
    let report = of(schema, "dex.name", "''");
    assert!(
        report.contains("dex.name") && !report.contains("dex.free") && !report.contains("inner"),
        "{report}"
    );
    // They hold for the document that declares them.
    let package = package("base: ''\n").template(
        "more.yml",
        "#@data/values-schema\n#@overlay/match-child-defaults missing_ok=True\n#@schema/validation-defaults-for-strings min_len=1\n---\nadded: ''\n",
    );
    let report = package.data_values().unwrap_err().to_string();
    assert!(report.contains("  added\n") && !report.contains("  base\n"), "{report}");
}

#[test]
fn unknown_values_leave_them_open() {
    let evaluation = package("#@schema/validation starts_with='a', len=2\nname: ab\n")
        .values_file("v.yml", "name: !unknown\n")
        .evaluate();
    assert_eq!(evaluation.values.unwrap(), "name: (known after apply)\n");
    assert_eq!(evaluation.undetermined.len(), 2);
}

#[test]
fn a_function_says_why() {
    let schema = "#@ def ok(n):\n#@   return (n > 9, 'below ten')\n#@ end\n#@ def big(n):\n#@   return n > 8\n#@ end\n#@schema/validation ('at least ten', ok), ('big', big)\nport: 10\n";
    let report = of(schema, "port", "5");
    assert!(
        report.contains("found: below ten\n") && report.contains("found: \"big()\" returned False"),
        "{report}"
    );
    assert_eq!(of(schema, "port", "11"), "port: 11\n");
}

#[test]
fn keywords_of_openapi() {
    let schema = "#@schema/validation min_len=1, matches='^a'\nname: ab\n#@schema/validation min=1, max=9, multiple_of=3\nport: 3\n#@schema/validation one_of=['a', 'b']\n#@schema/nullable\nkind: ''\n#@schema/validation min=1, when=lambda v: True\nfree: 1\n#@schema/validation max_len=2\nlist:\n- ''\n";
    let document = package(schema).openapi_schema().unwrap();
    for keyword in
        ["minLength: 1", "pattern: ^a", "minimum: 1", "maximum: 9", "multipleOf: 3", "enum:", "maxItems: 2"]
    {
        assert_eq!(document.matches(keyword).count(), 1, "{keyword}: {document}");
    }
    let plain =
        Package::new().template("schema.yml", "#@data/values-schema\n---\n#@schema/validation min=1\na: 1\n");
    assert!(!plain.openapi_schema().unwrap().contains("minimum"));
}

#[test]
fn rules_on_output() {
    let template = "#@ load('@ytt:data', 'data')\nspec:\n  #@assert/validate (\"an even number\", lambda n: n % 2 == 0), max=4\n  replicas: #@ data.values.count\n";
    let of =
        |n: &str| Package::new().template("t.yml", template).values_file("v.yml", &format!("count: {n}\n"));
    assert_eq!(of("4").with_proposal().output().values.unwrap(), "spec:\n  replicas: 4\n");
    let report = of("5").with_proposal().output().values.unwrap_err().to_string();
    assert!(
        report.starts_with("Validating output:\n  spec.replicas\n    from: t.yml:4\n    - must be: an even number (by: t.yml:3)"),
        "{report}"
    );
    assert!(report.contains("- must be: a value <= 4 (by: t.yml:3)\n      found: value > 4"), "{report}");
    // ytt itself evaluates no rule there.
    assert!(of("5").output().values.is_ok());
    assert!(of("5").with_proposal().without_validation().output().values.is_ok());
}
