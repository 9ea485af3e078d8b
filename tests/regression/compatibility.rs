//! COMPATIBILITY.md names the test of every difference, and each test is there.

use super::names;

#[test]
fn every_difference_names_a_test_that_is_there() {
    let document = names::project_file("COMPATIBILITY.md");
    let reasons = names::project_file("tests/conformance/deviations.toml");
    let rows = document.lines().filter_map(|line| line.strip_prefix('|')?.trim_end().strip_suffix('|'));
    let rows = rows.filter(|row| !row.starts_with("---") && !row.trim_start().starts_with("difference |"));
    let mut faults = Vec::new();
    let mut count = 0;
    for row in rows {
        let (_, tests) = row.rsplit_once('|').unwrap_or_default();
        let tests: Vec<&str> = tests.split(',').map(str::trim).collect();
        for test in tests {
            let there = match test.split_once(':') {
                Some(("deviation", reason)) => reasons.contains(&format!("name = \"{reason}\"")),
                Some((suite, name)) => names::test_exists(suite, name.trim()),
                None => false,
            };
            if !there {
                faults.push(format!("{test:?} in the row {row}"));
            }
            count += 1;
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
    assert!(count > 40, "only {count} tests were found");
}
