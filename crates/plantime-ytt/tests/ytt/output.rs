//! Output of templates, and the flags of the command.

use plantime_ytt::command::{Outcome, Surroundings, run};
use plantime_ytt::{Format, Package};

const SCHEMA: &str = "#@data/values-schema\n---\n#@schema/validation min=1\nreplicas: 2\nb: x\na:\n- 0\n";

/// Returns the output of a template.
fn of(template: &str) -> Result<String, String> {
    let load = "#@ load('@ytt:data', 'data')\n#@ load('@ytt:template', 'template')\n";
    let package =
        Package::new().template("s.yml", SCHEMA).template("t.yml", &format!("{load}---\n{template}"));
    package.output().values.map_err(|error| error.to_string())
}

#[test]
fn documents_are_evaluated_with_the_final_data_values() {
    assert_eq!(of("num: #@ data.values.replicas\n").unwrap(), "num: 2\n");
    // Maps keep the order of the schema.
    assert_eq!(of("all: #@ data.values\n").unwrap(), "all:\n  replicas: 2\n  b: x\n  a: []\n");
    assert_eq!(of("#@ for i in range(data.values.replicas):\n- #@ i\n#@ end\n").unwrap(), "- 0\n- 1\n");
    assert_eq!(of("a: 1\n---\n---\nb: 2\n").unwrap(), "a: 1\n---\nb: 2\n");
    assert_eq!(of("a: 1\n_: #@ template.replace({'b': 2})\n").unwrap(), "a: 1\nb: 2\n");
    let error = of("a: 1\n\nb: #@ fail('no')\n").unwrap_err();
    assert_eq!(error, "\n- fail: no\n    in <toplevel>\n      t.yml:6 | b: #@ fail('no')");
    let json = Package::new().template("t.yml", "b: 1\na: <\n").format(Format::Json).output();
    assert_eq!(json.values.unwrap(), "{\"a\":\"\\u003c\",\"b\":1}");
}

#[test]
fn an_unknown_data_value_stays_unknown_in_the_output() {
    let package = Package::new().template("s.yml", SCHEMA).template(
        "t.yml",
        "#@ load('@ytt:data', 'data')\nnum: #@ data.values.replicas\nb: #@ data.values.b\n",
    );
    let evaluation = package.values_file("v.yml", "replicas: !unknown\n").output();
    assert_eq!(evaluation.values.unwrap(), "num: (known after apply)\nb: x\n");
    assert_eq!(evaluation.undetermined.len(), 1);
}

#[test]
fn a_repeated_key_is_an_error_unless_it_may_replace_the_earlier_one() {
    let error = of("a: 1\na: 2\n").unwrap_err();
    let expected =
        "expected key 'a' to not be specified again (unless 'yaml/map-key-override' annotation is added)";
    assert!(error.contains(expected) && error.contains("t.yml:5 | a: 2"), "{error}");
    assert_eq!(of("a: 1\n#@yaml/map-key-override\na: 2\n").unwrap(), "a: 2\n");
    let package = Package::new().template("t.yml", "a: 1\na: 2\n").with_map_key_overrides();
    assert_eq!(package.output().values.unwrap(), "a: 2\n");
}

/// Runs the command on standard input.
fn command(arguments: &[&str], input: &str) -> Outcome {
    let mut read = || Ok(input.to_owned());
    let variables = vec![("P_s".to_owned(), "5".to_owned()), ("P_m__k".to_owned(), "7".to_owned())];
    let mut surroundings = Surroundings { variables, input: &mut read };
    run(arguments.iter().map(|argument| (*argument).to_owned()), &mut surroundings)
}

#[test]
fn flags_have_the_names_and_the_errors_of_ytt() {
    let schema = "#@data/values-schema\n---\ns: ''\nm:\n  k: 0\n";
    let inspect = |flags: &[&str]| command(&[&["-f", "-", "--data-values-inspect"], flags].concat(), schema);
    let outcome = inspect(&["--data-values-env=P", "-vs=a", "--data-value-yaml", "m.k=8"]);
    assert!(outcome.errors.contains("(data-values-env arg) P:"), "{}", outcome.errors);
    assert_eq!(inspect(&["--data-values-env-yaml", "P", "-vs=a"]).status, 1);
    assert_eq!(inspect(&["-v", "s=a", "--data-value-yaml=m.k=8"]).output, "s: a\nm:\n  k: 8\n");
    let error = |flags: &[&str]| inspect(flags).errors;
    assert_eq!(error(&["--zz"]), "ytt: Error: unknown flag: --zz\n");
    assert_eq!(error(&["-z"]), "ytt: Error: unknown shorthand flag: 'z' in -z\n");
    assert_eq!(error(&["-f"]), "ytt: Error: flag needs an argument: 'f' in -f\n");
    assert_eq!(error(&["-o", "x"]), "ytt: Error: Unknown output type 'x'\n");
    assert_eq!(
        error(&["-v", "s"]),
        "ytt: Error: Extracting data value from KV:\n  Expected format key=value\n"
    );
    assert!(error(&["--output-directory", "x"]).contains("is not supported"));
    assert!(error(&["--file", "nofile.yml"]).contains("lstat nofile.yml: no such file or directory"));
}

#[test]
fn a_text_template_is_refused_and_its_expressions_are_checked() {
    let error = |text: &str| Package::new().template("t.txt", text).output().values.unwrap_err().to_string();
    assert_eq!(
        error("first\n(@= 1 + @)\n"),
        "Evaluating text template: \n- got ')', want primary expression\n    t.txt:2 | = 1 + "
    );
    assert_eq!(error("(@= 1 @)"), "the text template 't.txt' is not supported");
}

#[test]
fn strict_reading_refuses_scalars_of_no_plain_type() {
    let of = |value: &str| {
        let outcome = command(&["-f", "-", "-s"], &format!("a: {value}\n"));
        outcome.errors.lines().last().map(|line| line.trim().to_owned()).unwrap_or(outcome.output)
    };
    assert_eq!(of("yes"), "Found 'yes' ambigious (could be !!str or !!bool)");
    assert_eq!(of("~"), "Found '~' ambigious (could be !!str or !!null)");
    assert_eq!(of("011"), "Found '011' ambigious (could be !!str or !!int)");
    assert_eq!(of("a b"), "Strings with whitespace must be explicitly quoted: 'a b'");
    assert_eq!(of("a:b"), "Strings with colon must be explicitly quoted: 'a:b'");
    for value in ["true", "12", "-1.5e3", "text", "'yes'", "!!str yes"] {
        assert_eq!(command(&["-f", "-", "-s"], &format!("a: {value}\n")).status, 0, "{value}");
    }
}

#[test]
fn strings_with_code_in_them_are_refused_wherever_they_are() {
    let annotated = "#@yaml/text-templated-strings\n\"(@= 'a' @)\": 1\n";
    let below = format!("a:\n  {}", annotated.replace("\n\"", "\n  \""));
    let function = format!("#@ def f():\n{annotated}#@ end\na: #@ f()\n");
    for template in [annotated, &below, &function] {
        let error = Package::new().template("t.yml", template).output().values.unwrap_err().to_string();
        assert!(error.contains("@yaml/text-templated-strings is not supported"), "{template}: {error}");
    }
    let library = format!("#@ def f():\n{annotated}#@ end\n");
    let package = Package::new()
        .template("f.lib.yml", &library)
        .template("t.yml", "#@ load('f.lib.yml', 'f')\na: #@ f()\n");
    assert!(package.output().values.unwrap_err().to_string().contains("is not supported"));
}
