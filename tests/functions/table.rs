//! The table of functions in the documentation. `PLANTIME_BLESS=1 cargo test --all-features --test functions table`
//! writes it again.

use plantime::function::{Function, Functions};

fn row(name: &str, function: &Function) -> String {
    let cell = |text: &str| text.replace('|', "\\|");
    format!("| `{name}` | `{}` | {} |\n", cell(&function.to_string()), cell(function.precision_note()))
}

fn rows<'a>(functions: impl Iterator<Item = &'a Function>) -> String {
    let head =
        "| function | signature | what is known of the result while arguments are unknown |\n|---|---|---|\n";
    functions.fold(head.to_owned(), |rows, function| rows + &row(function.name(), function))
}

/// What two functions share if they are the same function under two names.
fn words(function: &Function) -> (&str, &str) {
    (function.description(), function.precision_note())
}

fn table() -> String {
    let (standard, cty) = (Functions::standard(), Functions::cty());
    let is_other = |function: &&Function| standard.iter().all(|other| words(other) != words(function));
    let names = cty.iter().filter_map(|function| {
        let other = standard.iter().find(|other| words(other) == words(function))?;
        (other.name() != function.name()).then(|| format!("`{}` is `{}`", other.name(), function.name()))
    });
    format!(
        "The functions of the planning languages:\n\n{}\nIn cty, {}. The functions that only cty has, or that differ there:\n\n{}",
        rows(standard.iter()),
        names.collect::<Vec<_>>().join(", "),
        rows(cty.iter().filter(is_other)),
    )
}

#[test]
fn the_table_of_the_documentation_is_current() {
    let table = table();
    if std::env::var_os("PLANTIME_BLESS").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/function/table.md");
        std::fs::write(path, &table).unwrap();
        return;
    }
    let written = include_str!("../../src/function/table.md");
    let changed = table.lines().find(|line| !written.lines().any(|other| other == *line));
    assert!(
        table == written,
        "src/function/table.md is generated and not current: {}\n\
         to write it: PLANTIME_BLESS=1 cargo test --all-features --test functions table",
        changed.map_or("a row is no longer right".to_owned(), |row| format!("it lacks the row\n  {row}"))
    );
}

#[test]
fn every_function_has_a_description_and_a_precision_note() {
    let mut missing = Vec::new();
    for function in Functions::standard().iter().chain(Functions::cty().iter()) {
        let name = function.name();
        if function.description().is_empty() {
            missing
                .push(format!("`{name}` has no description: call `.description(\"...\")` where it is built"));
        }
        // The constructors of `StandardFunction` require a note, but it could be empty.
        if function.precision_note().is_empty() {
            missing.push(format!(
                "`{name}` has an empty precision note: fill it in where the function is registered"
            ));
        }
    }
    missing.dedup();
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn a_misspelt_function_is_told_its_name() {
    for (wrong, right) in [("uper", "upper"), ("startwith", "startswith"), ("jsonencod", "jsonencode")] {
        let error = Functions::standard().call(wrong, &[]).unwrap_err();
        assert!(error.is_not_found());
        let message = format!("there is no function named \"{wrong}\"; did you mean \"{right}\"?");
        assert_eq!(error.to_string(), message);
    }
    let error = Functions::standard().call("nothing_like_it", &[]).unwrap_err();
    assert_eq!(error.to_string(), "there is no function named \"nothing_like_it\"");
}
