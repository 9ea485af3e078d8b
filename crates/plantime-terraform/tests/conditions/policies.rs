//! Policies as rules, each with plans that pass, fail and are undetermined, asked through every front.

use super::fronts::{Case, Plans, answer_in_file, ask_all};
use super::short::{Shapes, Short};

/// The variables and locals that the rules share.
const SHARED: &str = include_str!("policies/shared.hcl");

#[track_caller]
fn asked(name: &str, text: &str) {
    let cases: Vec<Case> = Case::read_all(text);
    let only = std::env::var("PLANTIME_CASE").unwrap_or_default();
    let cases: Vec<Case> = cases.into_iter().filter(|case| case.name.contains(&only)).collect();
    let asked = ask_all(&cases, SHARED);
    println!("{name}: {asked:?}");
}

/// The policies as their author wrote them lie beside the checkout.
#[test]
fn the_file_of_policies_is_asked_as_it_stands() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/policies/rules.hcl");
    let Ok(file) = std::fs::read_to_string(path) else {
        println!("skipped: no {path}");
        return;
    };
    let mut cases = Case::read_all(include_str!("policies/kinds.txt"));
    cases.extend(Case::read_all(include_str!("policies/published.txt")));
    cases.extend(Case::read_all(include_str!("policies/relations.txt")));
    let mut all = Shapes::new();
    for (_, text) in cases.iter().flat_map(|case| &case.plans) {
        Short::read(text).add_shapes(&mut all);
    }
    let (mut wrong, mut rules, mut answers) = (Vec::new(), 0, 0);
    for case in cases.iter().filter(|case| file.contains(&format!("rule \"{}\"", case.name))) {
        rules += 1;
        let plans = Plans::read_with(case.plans.iter().map(|(_, text)| text.as_str()), &file, &all);
        for (at, (expected, _)) in case.plans.iter().enumerate() {
            answers += 1;
            let answer = answer_in_file(&plans, at, &file, &case.name);
            if answer != expected {
                wrong.push(format!("{} ({at}): {answer}, expected {expected}", case.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    println!("{rules} rules of the file, {answers} answers");
    assert_eq!(rules, file.matches("\nrule \"").count());
}

#[test]
fn kinds() {
    asked("kinds", include_str!("policies/kinds.txt"));
}

#[test]
fn published() {
    asked("published", include_str!("policies/published.txt"));
}

#[test]
fn relations() {
    asked("relations", include_str!("policies/relations.txt"));
}

#[test]
fn drawn() {
    asked("drawn", include_str!("policies/drawn.txt"));
}

#[test]
fn corners() {
    asked("corners", include_str!("policies/corners.txt"));
}
