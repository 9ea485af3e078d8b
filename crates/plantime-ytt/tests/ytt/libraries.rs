//! Libraries: packages within a package.

use plantime_ytt::Package;

/// A package with the library `lib`, and a template that says how it is used.
fn package(template: &str) -> Package {
    let load = "#@ load('@ytt:library', 'library')\n#@ load('@ytt:template', 'template')\n#@ load('@ytt:data', 'data')\n";
    let values = "#@ load('@ytt:data', 'data')\n---\nnum: #@ data.values.num\nlist: #@ data.values.list\n";
    Package::new()
        .template(
            "_ytt_lib/lib/s.yml",
            "#@data/values-schema\n---\n#@schema/validation min=5\nnum: 5\nlist:\n- 0\n",
        )
        .template("_ytt_lib/lib/t.yml", values)
        .template("main.yml", &format!("{load}---\n{template}"))
}

fn of(package: &Package) -> Result<String, String> {
    package.output().values.map_err(|error| error.to_string())
}

#[test]
fn a_library_is_evaluated_with_its_own_schema_and_data_values() {
    let eval =
        |calls: &str| of(&package(&format!("--- #@ template.replace(library.get('lib'){calls}.eval())\n")));
    assert_eq!(eval("").unwrap(), "num: 5\nlist: []\n");
    let twice = eval(".with_data_values({'list': [1]}).with_data_values({'list': [2]})");
    assert_eq!(twice.unwrap(), "num: 5\nlist:\n- 1\n- 2\n");
    let plain = eval(".with_data_values({'list': [1]}).with_data_values({'list': [2]}, plain=True)");
    assert_eq!(plain.unwrap(), "num: 5\nlist:\n- 2\n");
    let error = eval(".with_data_values({'num': 1})").unwrap_err();
    let first =
        "\n- library.eval: Evaluating library 'lib': Validating final data values:\n    in <toplevel>\n";
    assert!(error.starts_with(first) && error.contains("found: value < 5"), "{error}");
    let values = "num: #@ library.get('lib').with_data_values({'num': 8}).data_values().num\n";
    assert_eq!(of(&package(values)).unwrap(), "num: 8\n");
    let skipped = "num: #@ library.get('lib', dangerous_data_values_disable_validation=True).with_data_values({'num': 1}).data_values().num\n";
    assert_eq!(of(&package(skipped)).unwrap(), "num: 1\n");
    let error = of(&package("num: #@ library.get('zz')\n")).unwrap_err();
    assert!(error.contains("Expected to find library 'zz'"), "{error}");
}

#[test]
fn data_values_for_a_library_reach_it_alone_and_have_to_be_used() {
    let template = "--- #@ template.replace(library.get('lib', alias='a').eval())\n";
    for reference in ["@lib", "@~a", "@lib~a"] {
        let given = package(template).data_value_yaml(&format!("{reference}:num"), "9");
        assert_eq!(of(&given).unwrap(), "num: 9\nlist: []\n");
        let document = format!("#@library/ref \"{reference}\"\n#@data/values\n---\nnum: 9\n");
        assert_eq!(of(&package(template).template("v.yml", &document)).unwrap(), "num: 9\nlist: []\n");
    }
    let error = of(&package(template).data_value("@other:num", "9")).unwrap_err();
    let expected =
        "used but found unused:\n  Data Value belonging to library '@other' on line (data-value arg):1";
    assert!(error.ends_with(expected), "{error}");
}

#[test]
fn an_unknown_data_value_of_a_library_leaves_its_rules_undetermined() {
    let template = "--- #@ template.replace(library.get('lib').eval())\n";
    let evaluation = package(template).data_value_yaml("@lib:num", "!unknown").output();
    assert_eq!(evaluation.values.unwrap(), "num: (known after apply)\nlist: []\n");
    assert_eq!(evaluation.undetermined.len(), 1);
}

#[test]
fn libraries_that_are_evaluated_without_end_end_in_an_error() {
    let error =
        of(&package("#@ for i in range(100000):\n- #@ library.get('lib').eval()\n#@ end\n")).unwrap_err();
    assert!(error.contains("steps") || error.contains("memory"), "{error}");
}
