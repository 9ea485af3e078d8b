//! The table of the functions in the documentation. `PLANTIME_BLESS=1 cargo test --test functions table` writes it anew.

use std::path::Path;

use plantime::function::{Function, Functions};

fn row(name: &str, function: &Function) -> String {
    let cell = |text: &str| text.replace('|', "\\|");
    format!("| `{name}` | `{}` | {} |\n", cell(&function.to_string()), cell(function.keeps()))
}

fn rows<'a>(functions: impl Iterator<Item = &'a Function>) -> String {
    let head = "| function | signature | what is kept of arguments that are not known |\n|---|---|---|\n";
    functions.fold(head.to_owned(), |rows, function| rows + &row(function.name(), function))
}

/// What a function is but for its name.
fn what(function: &Function) -> (&str, &str) {
    (function.description(), function.keeps())
}

fn table() -> String {
    let (standard, cty) = (Functions::standard(), Functions::cty());
    let is_other = |function: &&Function| standard.iter().all(|other| what(other) != what(function));
    let names = cty.iter().filter_map(|function| {
        let other = standard.iter().find(|other| what(other) == what(function))?;
        (other.name() != function.name()).then(|| format!("`{}` is `{}`", other.name(), function.name()))
    });
    format!(
        "Under the names of the planning languages:\n\n{}\nIn cty, {}. These it has besides, or otherwise:\n\n{}",
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

/// The file of the family that a function belongs to: the one beside `standard.rs` that builds it, or whose folder does.
fn family(name: &str) -> String {
    let folder = "src/function/standard";
    let built = format!("Function::new(\"{name}\")");
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if std::fs::read_to_string(&path).is_ok_and(|text| text.contains(&built)) {
                let file = path
                    .strip_prefix(env!("CARGO_MANIFEST_DIR"))
                    .unwrap()
                    .to_str()
                    .unwrap()
                    .replace('\\', "/");
                let inside = file.trim_start_matches("src/function/standard/").trim_end_matches(".rs");
                return format!("src/function/standard/{}.rs", inside.split('/').next().unwrap());
            }
        }
    }
    format!("the file of its family in {folder}")
}

#[test]
fn every_function_says_what_it_is_and_keeps() {
    let mut missing = Vec::new();
    for function in Functions::standard().iter().chain(Functions::cty().iter()) {
        let name = function.name();
        if function.description().is_empty() {
            missing
                .push(format!("`{name}` has no description: call `.description(\"...\")` where it is built"));
        }
        if function.keeps().is_empty() {
            missing.push(format!(
                "`{name}` does not say what it keeps of unknown arguments: add a row (&[\"{name}\"], \"...\") to `KEEPS` in {}",
                family(name)
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
