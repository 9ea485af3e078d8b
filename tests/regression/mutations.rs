//! Each row of the table of mutations quotes source that is there, and a test that is there.

use super::names;

/// The texts between single backticks.
fn quoted(cell: &str) -> Vec<String> {
    cell.replace("\\|", "|").split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Rows were kept after the source that they quote had been rewritten, so nobody could run them again.
#[test]
fn every_mutation_quotes_source_and_tests_that_are_there() {
    let document = names::project_file("tests/algebra/MUTATIONS.md");
    let rows = document.lines().filter_map(|line| line.strip_prefix("| ")?.trim_end().strip_suffix(" |"));
    let rows = rows.filter(|row| !row.starts_with("operation |") && !row.starts_with("---"));
    let (mut faults, mut count) = (Vec::new(), 0);
    for row in rows {
        count += 1;
        let cells: Vec<&str> = row.split(" | ").collect();
        let [_, file, from, _, tests] = cells.as_slice() else {
            faults.push(format!("{} cells, not 5: {row}", cells.len()));
            continue;
        };
        let source = names::project_file(file.trim_matches('`'));
        let lines: Vec<&str> = source.lines().map(str::trim).collect();
        let from = quoted(from);
        if from.is_empty() {
            faults.push(format!("nothing is quoted: {row}"));
        }
        for part in &from {
            if !lines.iter().any(|line| line.contains(part.as_str())) {
                faults.push(format!("{file} has no line with {part}"));
            }
        }
        for test in quoted(tests) {
            let (suite, name) = test.rsplit_once("::").unwrap_or(("algebra", &test));
            let suite = suite.rsplit("::").next().unwrap_or(suite);
            if !names::test_exists(suite, name) {
                faults.push(format!("there is no test {test}"));
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
    assert!(count >= 30, "{count} rows");
}
