//! `plan` and `rule` share no public name: a reader who sees `Report` in a signature knows which one is meant.

use std::collections::BTreeSet;

use super::sources;

/// The public names of a module: those that it defines or exports itself, not those of its submodules.
fn public_names(file: &str) -> BTreeSet<String> {
    let text = sources::text(file);
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut names = BTreeSet::new();
    for item in text.split("\npub ").skip(1) {
        match item.strip_prefix("use ") {
            Some(exported) => {
                let exported = exported.split(';').next().unwrap_or_default();
                let list = exported.rsplit("::{").next().unwrap_or_default().trim_end_matches('}');
                let exported =
                    list.split(',').map(|name| name.rsplit("::").next().unwrap_or_default().trim());
                names.extend(exported.filter(|name| !name.is_empty()).map(str::to_owned));
            }
            None => {
                let mut words = item.split(|c| !is_word(c)).filter(|word| !word.is_empty());
                let kind = words.next().unwrap_or_default();
                if kind != "mod" {
                    names.extend(words.next().map(str::to_owned));
                }
            }
        }
    }
    names
}

#[test]
fn plans_and_rules_share_no_public_name() {
    let of_plans = public_names("crates/plantime-terraform/src/plan.rs");
    assert!(of_plans.len() > 50 && of_plans.contains("PlanReport"), "{of_plans:?}");
    for module in ["src/rule.rs", "src/rule/set.rs", "src/rule/json_schema.rs"] {
        let of_rules = public_names(module);
        assert!(of_rules.len() > 5, "{module}: {of_rules:?}");
        let shared: Vec<&String> = of_plans.intersection(&of_rules).collect();
        assert!(shared.is_empty(), "plan.rs and {module} both have public items named {shared:?}");
    }
}
