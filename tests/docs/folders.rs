//! CONTRIBUTING.md says what each test program covers.

use std::collections::BTreeSet;

use super::sources;

#[test]
fn contributing_names_every_test_program() {
    let contributing = sources::text("CONTRIBUTING.md");
    let table = sources::section(&contributing, "## Which test covers what");
    let table = table.split("\n### ").next().unwrap();
    let listed: BTreeSet<String> = sources::first_cells(table).into_iter().collect();
    let programs = sources::names_in("tests")
        .into_iter()
        .filter(|name| !matches!(name.as_str(), "checks" | "data" | "document" | "measured" | "packed"));
    let mut programs: BTreeSet<String> =
        programs.map(|name| name.trim_end_matches(".rs").to_owned()).collect();
    programs.insert("--lib".to_owned());
    programs.insert("--doc".to_owned());
    assert_eq!(
        listed, programs,
        "the table of test programs in CONTRIBUTING.md and the folder `tests` differ"
    );
}
