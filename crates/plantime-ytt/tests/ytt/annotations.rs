//! Annotations, flags and keywords by name: a name that does not exist is refused.

use plantime_ytt::Package;
use plantime_ytt::command::{Outcome, Surroundings, run};

const SCHEMA: &str = "#@data/values-schema\n---\nnum: 5\nm:\n  k: 1\nlist:\n- name: ''\n  size: 1\n";

/// The data values of a package with an overlay, or the error.
fn overlay(text: &str) -> String {
    let load = "#@ load('@ytt:overlay', 'overlay')\n";
    let package = Package::new().template("s.yml", SCHEMA).template("v.yml", &format!("{load}{text}"));
    package.data_values().unwrap_or_else(|error| error.to_string())
}

#[test]
fn a_keyword_that_an_annotation_does_not_have_is_refused() {
    for (annotation, keyword) in [
        ("overlay/merge", "x"),
        ("overlay/remove", "x"),
        ("overlay/replace", "or_ad"),
        ("overlay/assert", "vai"),
        ("overlay/match", "mising_ok"),
        ("overlay/match-child-defaults", "by"),
        ("overlay/insert", "befor"),
        ("overlay/append", "x"),
    ] {
        let refused = format!("Unknown '{annotation}' annotation keyword argument '{keyword}'");
        let annotated = format!("#@{annotation} {keyword}=True\n");
        let on_document = format!("#@data/values\n{annotated}---\nnum: 3\n");
        let on_map_item = format!("#@data/values\n---\n{annotated}num: 3\n");
        let below = format!("#@data/values\n---\nm:\n  {annotated}  k: 3\n");
        let on_array_item = format!("#@data/values\n---\nlist:\n{annotated}- name: a\n");
        for text in [on_document, on_map_item, below, on_array_item] {
            assert!(overlay(&text).contains(&refused), "{text}: {}", overlay(&text));
        }
    }
    let schema = |annotation: &str| {
        let schema = format!("#@data/values-schema\n---\n#@{annotation}\na: 5\n");
        Package::new().template("s.yml", &schema).data_values().unwrap_or_else(|error| error.to_string())
    };
    assert!(schema("schema/type any=True, foo=1").contains("= found: foo (by s.yml:3)"));
    assert_eq!(schema("schema/type any=True"), "a: 5\n");
    assert!(
        schema("schema/validation min=1, mni=2").contains("unknown keyword argument \"mni\" (at s.yml:3)")
    );
    // The proposal names the nearest.
    let schema = "#@data/values-schema\n---\n#@schema/validation mni_len=2\na: ''\n";
    let error =
        Package::new().template("s.yml", schema).with_proposal().data_values().unwrap_err().to_string();
    assert!(error.contains("\"mni_len\" (at s.yml:3); did you mean \"min_len\"?"), "{error}");
    let values = "#@data/values\n---\n#@overlay/match mising_ok=True\nnum: 3\n";
    let package = Package::new().template("s.yml", SCHEMA).template("v.yml", values).with_proposal();
    let error = package.data_values().unwrap_err().to_string();
    assert!(error.contains("keyword argument 'mising_ok' (did you mean 'missing_ok'?)"), "{error}");
}

#[test]
fn the_proposal_has_no_annotations_that_are_ignored() {
    let of = |name: &str, is_proposal: bool| {
        let schema = format!("#@data/values-schema\n---\n#@{name}\na: 5\n");
        let package = Package::new().template("s.yml", &schema);
        let package = if is_proposal { package.with_proposal() } else { package };
        package.data_values().unwrap_or_else(|error| error.to_string())
    };
    for name in [
        "overlay/replace-ann",
        "overlay/merge-anns",
        "overlay/remove-anns \"schema/validation\"",
        "overlay/noop",
        "overlay/validate min=1",
        "overlay/nullable",
    ] {
        let short = name.split(' ').next().unwrap();
        let error = of(name, true);
        assert!(error.contains(&format!("s.yml:3: the annotation @{short} is not supported")), "{error}");
        assert_eq!(of(name, false), "a: 5\n", "{name}");
    }
    for (name, near) in [
        ("schema/nulable", "schema/nullable"),
        ("schema/validations min=1", "schema/validation"),
        ("overlay/mach x=1", "overlay/match"),
        ("assert/validat min=1", "assert/validate"),
    ] {
        let short = name.split(' ').next().unwrap();
        let error = of(name, true);
        assert!(
            error.contains(&format!("s.yml:3: there is no annotation @{short} (did you mean @{near}?)")),
            "{error}"
        );
    }
    // In data values and in templates too, at any depth.
    let values = Package::new()
        .template("s.yml", SCHEMA)
        .template("v.yml", "#@data/values\n---\nm:\n  #@overlay/noop\n  k: 3\n");
    assert!(
        values
            .with_proposal()
            .data_values()
            .unwrap_err()
            .to_string()
            .contains("v.yml:4: the annotation @overlay/noop")
    );
    let output = Package::new()
        .template("t.yml", "a:\n- b:\n    #@assert/valdate min=1\n    c: 0\n")
        .with_proposal()
        .output();
    assert!(
        output.values.unwrap_err().to_string().contains("t.yml:3: there is no annotation @assert/valdate")
    );
    // Annotations of other tools are theirs.
    let own = Package::new().template("t.yml", "#@mine/own x=1\na: 1\n").with_proposal().output();
    assert_eq!(own.values.unwrap(), "a: 1\n");
}

/// Runs the command with a schema, a template, and flags.
fn command(flags: &[&str]) -> Outcome {
    let input = "#@data/values-schema\n---\n#@schema/validation min=10\nport: 5\n".to_owned();
    let mut read = || Ok(input.clone());
    let mut surroundings = Surroundings { variables: Vec::new(), input: &mut read };
    let folder = std::env::temp_dir().join(format!("plantime-ytt-annotations-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let template = folder.join("t.yml");
    std::fs::write(&template, "#@assert/validate min=10\nout: 5\n").unwrap();
    let files = ["-f".to_owned(), "-".to_owned(), "-f".to_owned(), template.display().to_string()];
    run(files.into_iter().chain(flags.iter().map(|flag| (*flag).to_owned())), &mut surroundings)
}

#[test]
fn flags_of_the_proposal_switch_off_what_they_say() {
    let values = "--data-value-schema-disable-validation";
    let output = "--output-disable-validation";
    let both = command(&["--proposal"]);
    assert!(both.errors.contains("Validating final data values"), "{}", both.errors);
    let one = command(&["--proposal", values]);
    assert!(one.errors.contains("Validating output") && one.status == 1, "{}", one.errors);
    let other = command(&["--proposal", output]);
    assert!(other.errors.contains("Validating final data values"), "{}", other.errors);
    assert_eq!(command(&[values, output, "--proposal"]).output, "out: 5\n");
    assert_eq!(command(&["--proposal", values, &format!("{output}=True")]).output, "out: 5\n");
    assert_eq!(command(&["--proposal", values, &format!("{output}=false")]).status, 1);
    assert_eq!(command(&["--proposal", "--dangerous-data-values-disable-validation"]).output, "out: 5\n");
    // ytt has no such flags.
    for flag in [values, output] {
        assert_eq!(command(&[flag]).errors, format!("ytt: Error: unknown flag: {flag}\n"));
    }
}

#[test]
fn keywords_of_libraries_switch_off_what_they_say() {
    let of = |keywords: &str, is_proposal: bool| {
        let template = format!(
            "#@ load('@ytt:library', 'library')\n#@ load('@ytt:template', 'template')\n--- #@ template.replace(library.get('lib').eval({keywords}))\n"
        );
        let package = Package::new()
            .template(
                "_ytt_lib/lib/s.yml",
                "#@data/values-schema\n---\n#@schema/validation min=10\nport: 5\n",
            )
            .template("_ytt_lib/lib/t.yml", "#@assert/validate min=10\nout: 5\n")
            .template("main.yml", &template);
        let package = if is_proposal { package.with_proposal() } else { package };
        package.output().values.unwrap_or_else(|error| error.to_string())
    };
    let (values, output) = ("data_value_schema_disable_validation", "output_disable_validation");
    assert!(of("", true).contains("Validating final data values"), "{}", of("", true));
    assert!(of(&format!("{values}=True"), true).contains("Validating output"));
    assert!(of(&format!("{output}=True"), true).contains("Validating final data values"));
    assert_eq!(of(&format!("{values}=True, {output}=True"), true), "out: 5\n");
    assert!(of(&format!("{values}=1"), true).contains("expected starlark.Bool, but was starlark.Int"));
    let error = of("output_disable_validations=True", true);
    assert!(error.contains("the keyword argument \"output_disable_validations\" is not supported (did you mean \"output_disable_validation\"?)"), "{error}");
    assert!(of(&format!("{values}=True"), false).contains("is not supported"));
    assert!(of("x=True", false).contains("library.eval: the keyword argument \"x\" is not supported"));
}
