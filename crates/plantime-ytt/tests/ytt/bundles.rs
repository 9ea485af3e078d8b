//! Large packages: they pass, within bounds.

use std::fmt::Write as _;

use plantime_ytt::Package;

/// A custom resource definition with so many properties, as generators write them.
fn definition(number: usize, properties: usize) -> String {
    let mut text = format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: things{number}.example.org\n\
         spec:\n  group: example.org\n  versions:\n  - name: v1\n    schema:\n      openAPIV3Schema:\n        type: object\n\
         \x20       properties:\n"
    );
    for property in 0..properties {
        write!(
            text,
            "          field{property}:\n            description: 'The field {property}: what it means, and what it does not.'\n\
             \x20           type: string\n            enum:\n            - a\n            - b{property}\n"
        )
        .unwrap();
    }
    text
}

/// A bundle of at least `bytes` bytes.
fn bundle(bytes: usize) -> String {
    let mut text = String::new();
    let mut number = 0;
    while text.len() < bytes {
        text += if number == 0 { "" } else { "---\n" };
        text += &definition(number, 400);
        number += 1;
    }
    text
}

/// Data values with a list of `count` servers, and the output of a template that prints the list.
fn servers(count: usize) -> (String, String) {
    let (mut values, mut output) = (String::from("servers:\n"), String::from("out:\n"));
    for index in 0..count {
        let server =
            format!("- name: s{index}\n  port: {}\n  tags:\n  - a\n  - b{index}\n", index % 60_000 + 1);
        values += &server;
        output += &server;
    }
    (values, output)
}

/// Evaluates a bundle, and data values, of about `bytes` bytes each.
fn passes(bytes: usize) {
    let text = bundle(bytes);
    let printed = Package::new().template("bundle.yml", &text).output().values.unwrap();
    assert_eq!(printed, text);
    let schema = "#@data/values-schema\n---\nservers:\n- name: ''\n  #@schema/validation min=1, max=65535\n  port: 80\n  tags:\n  - ''\n";
    let template = "#@ load('@ytt:data', 'data')\n---\nout: #@ data.values.servers\n";
    let (values, output) = servers(bytes / 40);
    let package = Package::new().template("s.yml", schema).template("t.yml", template);
    let overlay = package.clone().template("v.yml", &format!("#@data/values\n---\n{values}"));
    assert_eq!(overlay.output().values.unwrap(), output);
    assert_eq!(package.values_file("v.yml", &values).output().values.unwrap(), output);
}

#[test]
fn a_bundle_of_a_megabyte_passes() {
    passes(1_200_000);
}

#[test]
#[ignore = "ten megabytes take minutes where nothing is optimised"]
fn a_bundle_of_ten_megabytes_passes() {
    passes(10_500_000);
}

#[test]
fn what_is_larger_is_refused() {
    let text = format!("a: {}\n", "x".repeat(17 << 20));
    let error = Package::new().template("t.yml", &text).output().values.unwrap_err().to_string();
    assert!(error.contains("the file has more than 16777216 bytes"), "{error}");
    // Many nodes in few bytes.
    let text = format!("a: [{}]\n", "1,".repeat(200_000));
    let error = Package::new().template("t.yml", &text).output().values.unwrap_err().to_string();
    assert!(error.contains("nodes"), "{error}");
}
