//! Small packages: values, types, rules, positions.

use plantime_ytt::Package;

fn of(schema: &str, values: &str) -> Result<String, String> {
    let schema = format!("#@data/values-schema\n---\n{schema}");
    let mut package = Package::new().template("schema.yml", &schema);
    if !values.is_empty() {
        package = package.template("values.yml", &format!("#@data/values\n---\n{values}"));
    }
    package.data_values().map_err(|error| error.to_string())
}

/// Returns the block of the only violation.
fn violation(schema: &str, values: &str) -> String {
    let error = of(schema, values).unwrap_err();
    error.strip_prefix("Validating final data values:\n").expect(&error).trim_end().to_owned()
}

#[test]
fn values_override_defaults_in_order_and_arrays_append() {
    let schema = "a: 1\nm:\n  x: one\n  y: two\nlist:\n- 0\n";
    // In YAML 1.1 the key `y` is a boolean.
    assert_eq!(of(schema, "").unwrap(), "a: 1\nm:\n  x: one\n  true: two\nlist: []\n");
    assert_eq!(of("a: 1\nm: {x: one, z: two}\n", "m: {z: 3x}\n").unwrap(), "a: 1\nm:\n  x: one\n  z: 3x\n");
    let package = Package::new()
        .template("s.yml", "#@data/values-schema\n---\nnum: 1\nlist:\n- 0\n")
        .template("v.yml", "#@data/values\n---\nlist: [1]\n---\n")
        .template("w.yml", "#@data/values\n---\nlist: [2]\n");
    assert_eq!(package.data_values().unwrap(), "num: 1\nlist:\n- 1\n- 2\n");
    assert_eq!(
        package.values_file("p.yml", "# plain\nlist: [7]\n").data_values().unwrap(),
        "num: 1\nlist:\n- 7\n"
    );
}

#[test]
fn a_value_of_another_type_is_shown_with_its_line_and_the_declaration() {
    let error = of("port: 80\n", "port: http\n").unwrap_err();
    assert_eq!(
        error,
        "Overlaying data values (in following order: values.yml): \nOne or more data values were invalid\n\
         ====================================\n\nvalues.yml:\n    |\n  3 | port: http\n    |\n\n    = found: string\n    \
         = expected: integer (by schema.yml:3)\n\n"
    );
    let error = of("port: 80\n", "prot: 81\n").unwrap_err();
    assert!(error.ends_with("Expected number of matched nodes to be 1, but was 0"), "{error}");
    let schema = "#@data/values-schema\n---\nport: 80\nhost: a\n";
    let error = Package::new()
        .template("s.yml", schema)
        .data_value("ports", "81")
        .data_values()
        .unwrap_err()
        .to_string();
    assert!(
        error
            .contains("= expected: one of { host, port } (from s.yml:2)\n    = hint: did you mean \"port\"?"),
        "{error}"
    );
}

#[test]
fn named_rules_say_what_was_expected_and_found() {
    for (rule, value, found) in [
        ("min_len=3", "\"é\"", "length >= 3 (by: schema.yml:3)\n      found: length = 2"),
        ("max_len=1", "ab", "length <= 1 (by: schema.yml:3)\n      found: length = 2"),
        ("min=\"m\"", "a", "a value >= \"m\" (by: schema.yml:3)\n      found: value < m"),
        ("max=5", "a", "a value <= 5 (by: schema.yml:3)\n      found: string <= int not implemented"),
        (
            "one_of=[\"x\", \"z\"]",
            "a",
            "one of [\"x\", \"z\"] (by: schema.yml:3)\n      found: not one of allowed values",
        ),
    ] {
        let schema = format!("#@schema/validation {rule}\nfoo: {value}\n");
        assert_eq!(violation(&schema, ""), format!("  foo\n    from: schema.yml:4\n    - must be: {found}"));
    }
    let schema = "#@schema/validation one_not_null=[\"a\", \"b\"]\nc:\n  #@schema/nullable\n  a: 1\n  #@schema/nullable\n  b: 2\n";
    assert!(violation(schema, "").ends_with("found: all values are null"));
    assert!(violation(schema, "c: {a: 1, b: 1}\n").ends_with("found: [\"a\", \"b\"] are not null"));
    assert_eq!(of(schema, "c: {a: 1}\n").unwrap(), "c:\n  a: 1\n  b: null\n");
}

#[test]
fn null_is_checked_by_not_null_alone() {
    assert_eq!(of("#@schema/nullable\n#@schema/validation min=5\nfoo: 1\n", "").unwrap(), "foo: null\n");
    let found = violation("#@schema/nullable\n#@schema/validation min=5, not_null=True\nfoo: 1\n", "");
    assert_eq!(
        found,
        "  foo\n    from: schema.yml:5\n    - must be: not null (by: schema.yml:4)\n      found: value is null"
    );
}

#[test]
fn an_annotation_belongs_to_the_node_on_its_line_or_below() {
    let position =
        |schema: &str| violation(schema, "").lines().take(2).map(str::trim).collect::<Vec<_>>().join(" ");
    assert_eq!(position("foo: 1 #@schema/validation min=5\nbar: 1\n"), "foo from: schema.yml:3");
    assert_eq!(position("foo: {a: 1}\n#@schema/validation min=5\n\nbar: 1\n"), "bar from: schema.yml:6");
    assert_eq!(
        position("foo: '#@schema/validation min=1'\nm:\n#@schema/validation min=5\n  bar: 1\n"),
        "m.bar from: schema.yml:6"
    );
    // The arguments may go on in the next line while a bracket is open.
    assert_eq!(position("#@schema/validation one_of=[\n#@  5,\n#@ ]\nbar: 1\n"), "bar from: schema.yml:6");
}

#[test]
fn data_values_have_rules_of_their_own() {
    let package = Package::new().template(
        "v.yml",
        "#@data/values\n---\nlist:\n#@assert/validate min=5\n- 1\n#@assert/validate (\"even\", lambda v: v % 2 == 0)\n- 2\n",
    );
    let error = package.data_values().unwrap_err().to_string();
    assert!(
        error.contains("  list[0]\n    from: v.yml:5\n    - must be: a value >= 5 (by: v.yml:4)"),
        "{error}"
    );
    assert!(!error.contains("list[1]"), "{error}");
    // A plain value replaces the node with its annotations, and a schema's default keeps the node.
    assert_eq!(
        Package::new()
            .template("v.yml", "#@data/values\n---\n#@assert/validate min=5\nfoo: 1\n")
            .data_value_yaml("foo", "2")
            .data_values()
            .unwrap(),
        "foo: 2\n"
    );
    assert_eq!(of("foo: 0\n", "#@assert/validate min=5\nfoo: 1\n").unwrap(), "foo: 1\n");
}

#[test]
fn a_file_of_data_values_has_no_other_documents() {
    let package = Package::new().template("v.yml", "#@data/values\n---\nfoo: 1\n---\nbar: 1\n");
    let error = package.data_values().unwrap_err().to_string();
    assert!(
        error.ends_with("Expected data values file 'v.yml' to only have data values documents"),
        "{error}"
    );
}

#[test]
fn what_is_not_evaluated_is_refused() {
    for schema in ["#@schema/validation min=5, when=len\nfoo: 1\n", "#@yaml/text-templated-strings\nfoo: a\n"]
    {
        let error = of(schema, "").unwrap_err();
        assert!(error.contains("not evaluated") || error.contains("not supported"), "{schema}: {error}");
    }
}

/// The data values of a plain file over a schema of any kind.
fn plain(values: &str) -> String {
    let schema =
        "#@data/values-schema\n---\n#@schema/type any=True\na: null\n#@schema/type any=True\nb: null\n";
    let package = Package::new().template("schema.yml", schema).values_file("values.yml", values);
    package.data_values().unwrap_or_else(|error| error.to_string())
}

#[test]
fn a_merge_key_takes_the_items_of_another_map() {
    let values = plain("a: &a {x: 1, y_: 2}\nb:\n  <<: *a\n  x: 3\n  z: 4\n");
    assert_eq!(values, "a:\n  x: 1\n  y_: 2\nb:\n  y_: 2\n  x: 3\n  z: 4\n");
    assert_eq!(plain("a: {<<: {x: 1}, z: 2}\n"), "a:\n  x: 1\n  z: 2\nb: null\n");
    // A quoted key is a key like others.
    assert_eq!(plain("a: {'<<': 1}\n"), "a:\n  '<<': 1\nb: null\n");
    for values in ["a: {<<: 1}\n", "a: {<<: [{x: 1}]}\n"] {
        assert!(
            plain(values).contains("map merge requires map or sequence of maps as the value"),
            "{values}"
        );
    }
    // In a template a key that is there twice is an error, as it is without merging.
    let output = |text: &str| {
        let output = Package::new().template("t.yml", text).output().values;
        output.unwrap_or_else(|error| error.to_string())
    };
    assert_eq!(output("a: &a {x: 1}\nb:\n  <<: *a\n  z: 2\n"), "a:\n  x: 1\nb:\n  x: 1\n  z: 2\n");
    let error = output("a: &a {x: 1}\nb:\n  <<: *a\n  x: 2\n");
    assert!(error.contains("expected key 'x' to not be specified again"), "{error}");
    let replaced = "a: &a {x: 1}\nb:\n  <<: *a\n  #@yaml/map-key-override\n  x: 2\n";
    assert_eq!(output(replaced), "a:\n  x: 1\nb:\n  x: 2\n");
}

#[test]
fn tags_say_the_type_or_nothing() {
    for (text, value) in [
        ("!mine x", "x"),
        ("!mine 5", "\"5\""),
        ("!int 5", "\"5\""),
        ("!!int 5", "5"),
        ("!!int '5'", "5"),
        ("!!float 5", "5"),
        ("!!str yes", "\"yes\""),
        ("!!bool 'yes'", "true"),
        ("!!null ''", "null"),
        ("!!timestamp 2001-1-1", "\"2001-1-1\""),
        ("!!binary aGk=", "hi"),
        ("!!other 5", "\"5\""),
        ("! x", "x"),
        ("! '5'", "\"5\""),
    ] {
        assert_eq!(plain(&format!("a: {text}\n")), format!("a: {value}\nb: null\n"), "{text}");
    }
    for (text, found) in [
        ("!!int abc", "!!str `abc` as a !!int"),
        ("!!int 5.5", "!!float `5.5` as a !!int"),
        ("!!bool 1", "!!int `1` as a !!bool"),
        ("!!null x", "!!str `x` as a !!null"),
    ] {
        let error = plain(&format!("a: {text}\n"));
        assert!(error.contains(&format!("yaml: cannot decode {found}")), "{text}: {error}");
    }
}

#[test]
fn a_tab_behind_a_colon_is_a_blank() {
    assert_eq!(plain("a:\t5\nb:\t \tx\n"), "a: 5\nb: x\n");
    assert_eq!(plain("a:\t-1\nb: 'x:\ty'\n"), "a: -1\nb: \"x:\\ty\"\n");
    assert_eq!(plain("a:\tx:y\nb: |\n  x:\ty\n"), "a: x:y\nb: \"x:\\ty\\n\"\n");
    // A byte order mark is no part of the first key.
    assert_eq!(plain("\u{feff}a: 5\n"), "a: 5\nb: null\n");
    let error = plain("no: 1\nn: 2\n");
    assert!(error.contains("line 2: the key 'false' is repeated"), "{error}");
}

#[test]
fn a_plain_array_or_scalar_replaces_any_value() {
    let schema = "#@data/values-schema\n---\n#@schema/type any=True\nmap:\n  x: 1\n#@schema/type any=True\narray: [1]\n\
                  #@schema/type any=True\nscalar: 1\n#@schema/type any=True\nnothing: null\n";
    let values = [("[2]", "- 2"), ("5", "5"), ("null", "null"), ("a", "a"), ("{}", "{}"), ("{z: 2}", "z: 2")];
    for key in ["map", "array", "scalar", "nothing"] {
        for (value, printed) in values {
            for package in [
                Package::new().template("s.yml", schema).values_file("v.yml", &format!("{key}: {value}\n")),
                Package::new().template("s.yml", schema).data_value_yaml(key, value),
            ] {
                let found = package.data_values();
                let is_map = value.starts_with('{');
                match (key, is_map) {
                    // Only a map is merged, and has to meet a map.
                    ("array" | "scalar", true) => {
                        let kind = if key == "array" { "array" } else { "integer" };
                        let error = found.unwrap_err().to_string();
                        assert!(
                            error.contains(&format!("Expected map, but was {kind}")),
                            "{key} {value}: {error}"
                        );
                    }
                    ("map", true) => assert!(found.unwrap().contains("x: 1"), "{key} {value}"),
                    _ => assert!(found.unwrap().contains(printed), "{key} {value}"),
                }
            }
        }
    }
    // Where the schema has a type, an array for a map is a mistake of type.
    let typed = "#@data/values-schema\n---\nmap:\n  x: 1\n";
    let error = Package::new().template("s.yml", typed).values_file("v.yml", "map: [1]\n").data_values();
    let error = error.unwrap_err().to_string();
    assert!(error.contains("= found: array\n    = expected: map (by s.yml:3)"), "{error}");
}
