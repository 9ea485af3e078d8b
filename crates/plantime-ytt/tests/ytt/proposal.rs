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
        ("len=2", "''", "ab", "abc", "a length of 2"),
        ("starts_with='a'", "''", "ab", "ba", "starts with \"a\""),
        ("ends_with='.git'", "''", "a.git", "a", "ends with"),
        ("contains='@sha'", "''", "a@sha1", "a", "contains"),
        ("matches='^[a-z]+$'", "''", "abc", "Abc", "matches"),
        ("format='ipv4'", "''", "10.0.0.1", "10.0.0", "IPv4"),
        ("format='quantity'", "''", "10Gi", "x", "quantity"),
        ("even=True", "0", "4", "3", "even"),
        ("odd=True", "1", "3", "4", "odd"),
        ("multiple_of=1024", "0", "2048", "1000", "1024"),
    ] {
        let schema = format!("#@schema/validation {rule}\na: {default}\n");
        let passed = of(&schema, "a", valid);
        assert!(passed.starts_with("a: "), "{rule}: {passed}");
        let failed = of(&schema, "a", invalid);
        assert!(
            failed.contains("\"a\" requires a valid value (") && failed.contains(words),
            "{rule}: {failed}"
        );
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
        report.contains("- \"a\" requires a valid value (a name that is not empty); it is a length of 0. (by: schema.yml:3)\n"),
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
    let report = of(schema, "port", "5");
    assert!(report.contains("\"port\" requires a valid value: at least ten; too small. (by:"), "{report}");
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
        report.contains("at least ten; below ten. (by:")
            && report.contains("big; \"big()\" returned False. (by:"),
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
        report.starts_with("Validating output:\n  spec.replicas\n    from: t.yml:4\n    - \"replicas\" requires a valid value: an even number; "),
        "{report}"
    );
    assert!(
        report.contains("- \"replicas\" requires a valid value (at most 4); it is 5. (by: t.yml:3)"),
        "{report}"
    );
    // ytt itself evaluates no rule there.
    assert!(of("5").output().values.is_ok());
    assert!(of("5").with_proposal().without_validation().output().values.is_ok());
}

#[test]
fn a_guard_that_is_broken_is_an_error() {
    // Only a deliberate failure says that the rules do not apply.
    for (guard, error) in [
        ("lambda v: 1 // 0 == 0", "floored division by zero"),
        ("lambda v: v.enabled", "int has no .enabled field or method"),
        ("lambda v: v + 'a' == 1", "unknown binary op"),
        ("lambda v: nope(v)", ""),
        ("lambda v: fail('no')", "fail: no"),
        ("lambda v: assert.fail()", "got 0 arguments, want 1"),
        ("lambda v: assert.fail(1)", "expected a string, but was int"),
        ("lambda v: fail('assert.fail: fail: x')", "fail: assert.fail"),
        ("lambda v: 1", "want when= to be bool"),
    ] {
        let schema =
            format!("#@ load('@ytt:assert', 'assert')\n#@schema/validation min=10, when={guard}\nport: 5\n");
        let report = of(&schema, "port", "5");
        assert!(!report.starts_with("port:") && report.contains(error), "{guard}: {report}");
    }
    for guard in ["lambda v: assert.fail('no')", "lambda v: v > 9 or assert.fail('no')", "lambda v: False"] {
        let schema =
            format!("#@ load('@ytt:assert', 'assert')\n#@schema/validation min=10, when={guard}\nport: 5\n");
        assert_eq!(of(&schema, "port", "5"), "port: 5\n", "{guard}");
    }
}

#[test]
fn messages_are_those_of_the_sets_of_rules() {
    use plantime::rule::set::{RuleSet, validate};
    use plantime::{Value, value};
    // Each keyword with an argument, in Starlark and as a value, and a value that violates it.
    let cases: Vec<(&str, &str, Value, &str, Value)> = vec![
        ("min_len", "1", value!(1).unwrap(), "''", value!("").unwrap()),
        ("max_len", "1", value!(1).unwrap(), "abc", value!("abc").unwrap()),
        ("len", "2", value!(2).unwrap(), "abc", value!("abc").unwrap()),
        ("min", "9", value!(9).unwrap(), "5", value!(5).unwrap()),
        ("max", "1", value!(1).unwrap(), "5", value!(5).unwrap()),
        ("one_of", "['x', 'y']", value!(["x", "y"]).unwrap(), "abc", value!("abc").unwrap()),
        ("starts_with", "'x'", value!("x").unwrap(), "abc", value!("abc").unwrap()),
        ("ends_with", "'x'", value!("x").unwrap(), "abc", value!("abc").unwrap()),
        ("contains", "'x'", value!("x").unwrap(), "abc", value!("abc").unwrap()),
        ("matches", "'^x'", value!("^x").unwrap(), "abc", value!("abc").unwrap()),
        ("format", "'ipv4'", value!("ipv4").unwrap(), "abc", value!("abc").unwrap()),
        ("even", "True", value!(true).unwrap(), "5", value!(5).unwrap()),
        ("odd", "True", value!(true).unwrap(), "4", value!(4).unwrap()),
        ("multiple_of", "3", value!(3).unwrap(), "5", value!(5).unwrap()),
        ("min_len", "('a text', 1)", value!(["a text", 1]).unwrap(), "''", value!("").unwrap()),
    ];
    for (name, argument, value, given, found) in cases {
        let rules = RuleSet::keywords([(name, value)]).unwrap();
        let wanted = validate("a", &found, &rules, None).unwrap().messages().join("");
        let default = if found.as_str().is_ok() { "'0'" } else { "0" };
        let report = of(&format!("#@schema/validation {name}={argument}\na: {default}\n"), "a", given);
        assert!(
            report.contains(&format!("    - {wanted} (by: schema.yml:3)\n")),
            "{name}: {report}, wanted {wanted}"
        );
    }
    // The document's own sentences.
    let load = "#@ load('@ytt:assert', 'assert')\n";
    let dynamic = "#@ def is_dynamic_port(n):\n#@   n >= 49142 and n <= 65535 or assert.fail(\"{} is not in the dynamic port range\".format(n))\n#@ end\n\
                   #@ def is_valid_port(n):\n#@   return n >= 49142 and n <= 65535\n#@ end\n";
    let words = "\"a TCP/IP port in the \\\"dynamic\\\" range: 49142 and 65535, inclusive\"";
    let report = |rule: &str| {
        of(&format!("{load}{dynamic}#@schema/validation {rule}\nadminPort: 1\n"), "adminPort", "1024")
    };
    let sentence = "\"adminPort\" requires a valid value: a TCP/IP port in the \"dynamic\" range: 49142 and 65535, inclusive";
    let first = report(&format!("({words}, is_dynamic_port)"));
    assert!(first.contains(&format!("{sentence}; 1024 is not in the dynamic port range. (by:")), "{first}");
    let second = report(&format!("({words}, is_valid_port)"));
    assert!(second.contains(&format!("{sentence}; \"is_valid_port()\" returned False. (by:")), "{second}");
    let third = report(&format!(
        "({words}, is_valid_port, '\"{{key}}\" (={{value}}) must be between 49142 and 65535')"
    ));
    assert!(third.contains("\"adminPort\" (=1024) must be between 49142 and 65535 (by:"), "{third}");
    // Without the proposal they are ytt's.
    let schema = "#@data/values-schema\n---\n#@schema/validation min=9\na: 5\n";
    let report = Package::new().template("schema.yml", schema).data_values().unwrap_err().to_string();
    assert!(
        report.contains("- must be: a value >= 9 (by: schema.yml:3)\n      found: value < 9"),
        "{report}"
    );
}

#[test]
fn leaves_are_reported_before_what_contains_them() {
    let schema = "#@schema/validation min_len=5\nouter:\n  #@schema/validation min=9\n  a: 10\n  #@schema/validation min_len=2\n  list:\n  #@schema/validation min=3\n  - 5\n";
    let report =
        package(schema).data_value_yaml("outer", "{a: 1, list: [1]}").data_values().unwrap_err().to_string();
    let places: Vec<&str> = report
        .lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .map(str::trim)
        .collect();
    assert_eq!(places, ["outer.a", "outer.list[0]", "outer.list", "outer"]);
}

#[test]
fn an_argument_that_is_false_is_named() {
    for rule in ["even", "odd"] {
        let error = of(&format!("#@schema/validation {rule}=False\na: 0\n"), "a", "0");
        assert!(
            error.contains(&format!(
                "expected keyword argument \"{rule}\" to be True, but was False (at schema.yml:3)"
            )),
            "{error}"
        );
    }
}

#[test]
fn every_rule_leaves_something_in_the_schema_that_is_exported() {
    let of = |rule: &str, node: &str| {
        package(&format!("#@schema/validation {rule}\n{node}\n")).openapi_schema().unwrap()
    };
    let plain = |node: &str| package(&format!("{node}\n")).openapi_schema().unwrap();
    for (rule, node, words) in [
        ("min_len=1", "a: 'x'", "minLength: 1"),
        ("max_len=9", "a: 'x'", "maxLength: 9"),
        ("len=3", "a: 'abc'", "maxLength: 3"),
        ("min=1", "a: 1", "minimum: 1"),
        ("max=9.5", "a: 1.5", "maximum: 9.5"),
        ("multiple_of=3", "a: 3", "multipleOf: 3"),
        ("even=True", "a: 2", "multipleOf: 2"),
        ("odd=True", "a: 3", "x-plantime-rules"),
        ("one_of=['a', 'b']", "a: 'a'", "enum:"),
        ("matches='^a+$'", "a: 'a'", "pattern: ^a+$"),
        ("starts_with='a'", "a: 'a'", "pattern: ^a"),
        ("ends_with='b'", "a: 'b'", "pattern: b$"),
        ("contains='c'", "a: 'c'", "pattern: c"),
        ("format='date-time'", "a: '2020-01-01T00:00:00Z'", "format: date-time"),
        ("format='quantity'", "a: '10Gi'", "quantity"),
        ("min_len=1", "a:\n- 'x'", "minItems: 1"),
        ("min_len=1", "a:\n  b: 1", "minProperties: 1"),
        ("one_not_null=['b', 'c']", "a:\n  b: 1\n  c: 1", "oneOf:"),
        ("('my own rule', lambda v: True)", "a: 1", "description: my own rule"),
        ("min=('at least one', 1)", "a: 1", "minimum: 1"),
        ("min=1, when=lambda v: v > 3", "a: 1", "description: 'where a condition holds: at least 1'"),
    ] {
        let (document, without) = (of(rule, node), plain(node));
        assert!(document.contains(words), "{rule}: {document}");
        assert!(!without.contains(words), "{rule}: {without}");
    }
    // What must not be null is not nullable.
    let nullable = "#@schema/nullable\na: 'x'";
    assert!(plain(nullable).contains("nullable: true"));
    assert!(!of("not_null=True", nullable).contains("nullable"), "{}", of("not_null=True", nullable));
    // The author's description stays, with the rule behind it.
    let described =
        package("#@schema/desc 'The port.'\n#@schema/validation ('an own port', lambda v: True)\na: 1\n")
            .openapi_schema()
            .unwrap();
    assert!(
        described.contains("description: |-\n            The port.\n\n            Valid: an own port"),
        "{described}"
    );
}
