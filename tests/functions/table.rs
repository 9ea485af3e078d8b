//! The table of the functions in the documentation. `PLANTIME_BLESS=1 cargo test --test functions table` writes it anew.

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
        "src/function/table.md is not current, as this row shows: {changed:?}; \
         `PLANTIME_BLESS=1 cargo test --all-features --test functions table` writes it"
    );
}

#[test]
fn every_function_says_what_it_is_and_keeps() {
    for function in Functions::standard().iter().chain(Functions::cty().iter()) {
        assert!(!function.description().is_empty(), "{function} has no description");
        assert!(!function.keeps().is_empty(), "{function} is not named in `KEEPS` of its family");
    }
}
