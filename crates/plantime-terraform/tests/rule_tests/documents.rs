//! The examples of the documents are tests, or tested.

use plantime::source::Source;
use plantime_terraform::plan::rule_tests::{TestFile, TestInputs, TestResults};
use plantime_terraform::plan::{Colour, RulesFile};

/// The blocks of HCL in a page.
fn blocks(page: &str) -> Vec<&str> {
    page.split("```hcl\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

/// The results of test files on rules.
fn results(rules: &str, tests: &[&str]) -> TestResults {
    let rules = RulesFile::read(Source::new("page.md", rules)).unwrap().on("2026-01-01".parse().unwrap());
    let inputs = TestInputs::new(rules.clone());
    let mut results = TestResults::default();
    for text in tests {
        let file = TestFile::read(Source::new("page.test.hcl", *text))
            .unwrap_or_else(|problems| panic!("{problems:#?}"));
        let outcomes: Vec<_> = file.tests.iter().map(|test| file.run(test, &inputs)).collect();
        results.add_coverage(&rules, &outcomes);
        results.add_file("page.test.hcl", outcomes);
    }
    results
}

#[test]
fn the_policies_answer_as_their_tests_say() {
    let rules = blocks(include_str!("../../docs/policies.md")).join("\n");
    let tests = [
        include_str!("../../docs/policies/relations.test.hcl"),
        include_str!("../../docs/policies/more-relations.test.hcl"),
        include_str!("../../docs/policies/values.test.hcl"),
        include_str!("../../docs/policies/configuration.test.hcl"),
    ];
    let results = results(&rules, &tests);
    let text = results.text(Colour::Never);
    assert!(!results.failed() && results.errors().next().is_none(), "{text}");
    let mut uncovered: Vec<_> = results.uncovered().map(|(_, line, name)| (line, name)).collect();
    // They need a called module, or a workspace, which a binary plan has.
    let elsewhere = ["variable-of-a-nested-module", "no-providers-in-modules", "assumed-roles-by-workspace"];
    uncovered.retain(|(_, name)| !elsewhere.contains(name));
    assert!(uncovered.is_empty(), "no test has seen these fail: {uncovered:?}\n{text}");
}

#[test]
fn the_rules_of_the_language_answer_as_their_tests_say() {
    let rules = blocks(include_str!("../../docs/rules-files.md")).join("\n");
    let results = results(&rules, &[include_str!("../../docs/rules-files.test.hcl")]);
    let text = results.text(Colour::Never);
    assert!(!results.failed() && results.errors().next().is_none(), "{text}");
    assert_eq!(results.uncovered().count(), 0, "{text}");
}
