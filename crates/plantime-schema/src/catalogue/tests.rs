//! Tests of catalogues.

use super::*;

#[track_caller]
fn problem(text: &str) -> String {
    let problems = Catalogue::read(Source::new("p.facts", text)).expect_err("problems");
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

#[test]
fn what_is_not_understood_is_told_at_its_line() {
    assert!(problem("  id A notnull()").starts_with("p.facts:1:3: a fact stands below"));
    assert!(problem("thing").starts_with("p.facts:1:1: a line without indentation"));
    assert!(
        problem("t a/b\n  id C notnull()").starts_with("p.facts:2:3: the class behind the path is A or B")
    );
    assert!(problem("t a/b\n  id A").contains("states no fact"));
    assert!(problem("t a/b\n  id A nutnull()").starts_with("p.facts:2:3: "));
    assert!(problem("t a/b\n  id A type:strin notnull()").starts_with("p.facts:2:3: "));
}

#[test]
fn a_written_fact_reads_back() {
    let lines = [
        "id A since:3.0.0 type:map(string) equals:arn contains:name notnull()",
        "x[*].y B stringprefix(\"a b\")",
    ];
    let text = format!("t a/b\n  {}\n  {}\n", lines[0], lines[1]);
    let catalogue = Catalogue::read(Source::new("p.facts", text)).expect("a catalogue");
    let facts = catalogue.facts("registry.opentofu.org/a/b", "t");
    assert_eq!(facts.iter().map(ToString::to_string).collect::<Vec<_>>(), lines);
}

#[test]
fn a_refinement_may_have_a_name() {
    let text = "$id notnull(stringprefix(\"x\"))\nt a/b\n  id A since:1 $id\n";
    let catalogue = Catalogue::read(Source::new("p.facts", text)).expect("a catalogue");
    let facts = catalogue.facts("a/b", "t");
    assert_eq!(facts[0].to_string(), "id A since:1 notnull(stringprefix(\"x\"))");
    assert!(problem("t a/b\n  id A $id").starts_with("p.facts:2:3: "));
}

#[test]
fn providers_are_the_same_at_both_registries() {
    for (stated, address, same) in [
        ("hashicorp/aws", "registry.terraform.io/hashicorp/aws", true),
        ("hashicorp/aws", "registry.opentofu.org/hashicorp/aws", true),
        ("hashicorp/aws", "aws", true),
        ("hashicorp/aws", "mirror.example.com/hashicorp/aws", false),
        ("hashicorp/google", "registry.terraform.io/hashicorp/google-beta", false),
        ("acme/aws", "aws", false),
        ("r.example.com/acme/x", "r.example.com/acme/x", true),
    ] {
        assert_eq!(is_same_provider(stated, address), same, "{stated} {address}");
    }
}

#[test]
fn versions_are_compared_by_number() {
    for (version, least, holds) in [
        ("3.0.0", "3.0.0", true),
        ("2.99.1", "3.0.0", false),
        ("10.1", "9.2.1", true),
        ("5", "5.0.0", true),
        ("3.0.0-beta1", "3", true),
    ] {
        assert_eq!(is_at_least(version, least), holds, "{version} {least}");
    }
}

#[test]
fn every_builtin_type_is_found_and_every_fact_is_understood() {
    let (a, b) = (Catalogue::builtin(Class::A), Catalogue::builtin(Class::B));
    let types = b.types();
    assert!(types.len() > 4_000 && types.is_sorted(), "{}", types.len());
    let (mut lines, mut providers) = (0, std::collections::BTreeSet::new());
    for name in &types {
        let sections = b.sections(name);
        providers.extend(sections.iter().map(|(provider, _)| provider.clone()));
        assert_eq!(sections.len(), 1, "{name}");
        for fact in sections.iter().flat_map(|(_, facts)| facts) {
            lines += 1;
            let refinement: Result<plantime::Refinement, _> = fact.stated.parse();
            assert!(fact.stated.is_empty() || refinement.is_ok(), "{name} {fact}: {refinement:?}");
        }
        assert!(a.sections(name).iter().all(|(_, facts)| facts.iter().all(|fact| fact.class() == Class::A)));
    }
    assert!(
        providers.len() > 5 && providers.iter().all(|provider| b.has_provider(provider)),
        "{providers:?}"
    );
    assert!(!b.has_provider("acme/demo") && !b.has_provider(""));
    let text = include_str!("builtin.facts");
    let written = text.lines().filter(|line| line.starts_with(' ')).count();
    assert_eq!(lines, written, "a line was passed over");
    assert!(text.len() < 800_000, "{}", text.len());
    for absent in ["", "aaa", "aws_vp", "aws_vpcs", "zzz"] {
        assert!(b.sections(absent).is_empty(), "{absent}");
    }
}
