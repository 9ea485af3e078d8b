//! Sets and types in layers.

use plantime::rule::set::{Edit, NodeKind, RuleSet, RuledType, SetRule};
use plantime::rule::{Custom, Rule};
use plantime::value;

use super::{checked, messages, ruled, set};

fn own(name: &'static str) -> Custom {
    Custom::of(name, |_| false)
}

/// The rules at a node, as they are asked.
fn at(ty: &RuledType, node: &str) -> String {
    ty.rules_at(node).unwrap().map_or("none".to_owned(), |set| set.to_string())
}

#[test]
fn sets_merge_by_name_and_append_the_rest() {
    let base = RuleSet::new([own("one")]).with(Rule::min_len(1)).with(Rule::max_len(5));
    let over = RuleSet::new([own("two")]).with(Rule::starts_with("x")).with(Rule::min_len(2));
    let merged = base.clone().merge(&over);
    assert_eq!(merged.to_string(), r#"custom(one), min_len(2), max_len(5), custom(two), starts_with("x")"#);
    assert_eq!(base.clone().merge(&RuleSet::default()), base);
    assert_eq!(RuleSet::default().merge(&base), base);
    // Each name is taken once, also where there are several of it.
    let twice = RuleSet::new([Rule::starts_with("a"), Rule::min_len(1), Rule::starts_with("b")]);
    assert_eq!(twice.clone().merge(&over).to_string(), r#"starts_with("x"), min_len(2), custom(two)"#);
    assert_eq!(
        over.merge(&twice).to_string(),
        r#"custom(two), starts_with("a"), starts_with("b"), min_len(1)"#
    );
}

#[test]
fn rules_are_removed_by_name_and_by_predicate() {
    let base = RuleSet::new([own("one")]).with(Rule::min_len(1)).with(Rule::max_len(5));
    assert_eq!(base.clone().without("min_len").to_string(), "custom(one), max_len(5)");
    assert_eq!(base.retain(|rule| rule.name().is_some()).to_string(), "min_len(1), max_len(5)");
}

#[test]
fn a_false_flag_switches_the_rule_off() {
    let base = ruled("object({ a = optional(string) })")
        .at("a", set([("not_null", true.into()), ("min_len", 2.into())]))
        .unwrap();
    assert_eq!(messages(&base, &value!({}).unwrap()).len(), 1);
    let over =
        ruled("object({ a = string })").edit("a", Edit::Merge(set([("not_null", false.into())]))).unwrap();
    let both = base.overlay(&over).unwrap();
    assert!(messages(&both, &value!({}).unwrap()).is_empty());
    assert_eq!(messages(&both, &value!({ "a": "x" }).unwrap()).len(), 1);
}

#[test]
fn layers_replace_merge_and_remove() {
    let base = || {
        ruled("object({ a = string, b = string })")
            .at("a", set([("min_len", 1.into()), ("max_len", 9.into())]))
            .unwrap()
    };
    let over =
        |edit: Edit| base().overlay(&ruled("object({ a = string })").edit("a", edit).unwrap()).unwrap();
    assert_eq!(at(&over(Edit::Replace(set([("len", 3.into())]))), "a"), "len(3)");
    assert_eq!(at(&over(Edit::Merge(set([("min_len", 2.into())]))), "a"), "min_len(2), max_len(9)");
    assert_eq!(at(&over(Edit::Remove(vec!["min_len".into()])), "a"), "max_len(9)");
    assert_eq!(at(&over(Edit::remove_if(|rule| rule.rule().name() == "max_len")), "a"), "min_len(1)");
    assert_eq!(at(&over(Edit::Remove(vec!["min_len".into(), "max_len".into()])), "a"), "none");
    assert_eq!(at(&over(Edit::Replace(RuleSet::default())), "a"), "");
    assert_eq!(at(&base().overlay(&ruled("object({ c = bool })")).unwrap(), "a"), "min_len(1), max_len(9)");
    // The order in which three layers are put together does not matter.
    let (b, c) = (
        ruled("object({ a = string })").edit("a", Edit::Remove(vec!["max_len".into()])).unwrap(),
        ruled("object({ a = string })").edit("a", Edit::Merge(set([("max_len", 4.into())]))).unwrap(),
    );
    let left = base().overlay(&b).unwrap().overlay(&c).unwrap();
    let right = base().overlay(&b.overlay(&c).unwrap()).unwrap();
    assert_eq!(
        (at(&left, "a"), at(&right, "a")),
        ("min_len(1), max_len(4)".into(), "min_len(1), max_len(4)".into())
    );
}

#[test]
fn types_are_laid_over_each_other() {
    let base = ruled(
        r#"object({
            db = object({ host = optional(string, "localhost"), port = optional(number, 5432) }),
            list = list(object({ a = string })), kept = bool, changed = string
        })"#,
    )
    .at("changed", set([("min_len", 1.into())]))
    .unwrap()
    .at("kept", RuleSet::new([Rule::NotNull]))
    .unwrap()
    .at("list[*].a", RuleSet::new([Rule::NotNull]))
    .unwrap();
    let over = ruled(
        r#"object({
            db = object({ host = string, port = optional(number, 5433), user = optional(string, "") }),
            list = list(object({ b = optional(string) })), changed = number
        })"#,
    )
    .at("db.user", set([("min_len", 1.into())]))
    .unwrap();
    let both = base.overlay(&over).unwrap();
    assert_eq!(
        both.constraint().to_string(),
        "object({changed = number, \
         db = object({host = optional(string, \"localhost\"), port = optional(number, 5433), user = optional(string, \"\")}), \
         kept = bool, list = list(object({a = string, b = optional(string)}))})"
    );
    // A node of another kind is another node.
    assert_eq!((at(&both, "changed"), at(&both, "kept")), ("none".into(), "not_null".into()));
    assert_eq!((at(&both, "list[*].a"), at(&both, "db.user")), ("not_null".into(), "min_len(1)".into()));
    let given = value!({ "db": {}, "list": [{ "a": "x" }], "kept": true, "changed": 1 }).unwrap();
    assert_eq!(
        messages(&both, &given),
        [r#""user" requires a valid value (a length of at least 1); it is a length of 0."#]
    );
}

/// Defaults for all strings: of the nodes of the layer that declares them, and only where no layer has rules.
#[test]
fn defaults_for_a_kind_are_scoped_and_resolved_last() {
    let strings = |line: usize| {
        let rule = SetRule::new(Rule::min_len(line as u64));
        RuleSet::new([rule]).written_at(&format!("layer.yml:{line}"))
    };
    let base = ruled(
        "object({ a = string, b = string, n = number, deep = object({ c = string, d = list(string) }) })",
    )
    .defaults_for("", NodeKind::String, strings(1))
    .unwrap()
    .at("b", set([("max_len", 3.into())]))
    .unwrap();
    let of = |ty: &RuledType| -> Vec<String> {
        ["a", "b", "n", "deep.c", "deep.d[*]"].iter().map(|node| at(ty, node)).collect()
    };
    assert_eq!(of(&base), ["min_len(1)", "max_len(3)", "none", "min_len(1)", "min_len(1)"]);
    // Nodes that only another layer has are not this layer's.
    let plain = ruled("object({ a = string, e = string, deep = object({ c = string, f = string }) })");
    let both = base.overlay(&plain).unwrap();
    assert_eq!((at(&both, "e"), at(&both, "deep.f")), ("none".into(), "none".into()));
    assert_eq!(of(&both), of(&base));
    // The overlay's defaults are for its nodes, before the base's; rules of any layer come before both.
    let over = plain.defaults_for("deep", NodeKind::String, strings(2)).unwrap();
    let both = base.overlay(&over).unwrap();
    assert_eq!(of(&both), ["min_len(1)", "max_len(3)", "none", "min_len(2)", "min_len(1)"]);
    assert_eq!((at(&both, "e"), at(&both, "deep.f")), ("none".into(), "min_len(2)".into()));
    let ruled_later = ruled("object({ a = string })").at("a", set([("len", 7.into())])).unwrap();
    assert_eq!(at(&both.overlay(&ruled_later).unwrap(), "a"), "len(7)");
    // They keep the place that they were written at.
    let report = checked(
        &both,
        &value!({
            "a": "", "b": "", "n": 1, "deep": { "c": "", "d": [], "f": "" }, "e": ""
        })
        .unwrap(),
    );
    let from: Vec<_> =
        report.violations().map(|a| format!("{} {}", a.path, a.from.as_deref().unwrap_or("-"))).collect();
    assert_eq!(from, ["a layer.yml:1", "deep.c layer.yml:2", "deep.f layer.yml:2"]);
    // The nearest from above speaks; rules that were taken away leave the defaults, an empty set leaves none.
    let near = ruled("object({ a = string, in = object({ b = string }) })")
        .defaults_for("in", NodeKind::String, strings(3))
        .unwrap()
        .defaults_for("", NodeKind::String, strings(1))
        .unwrap();
    assert_eq!((at(&near, "a"), at(&near, "in.b")), ("min_len(1)".into(), "min_len(3)".into()));
    let taken =
        near.clone().at("a", set([("len", 1.into())])).unwrap().edit("a", Edit::Remove(vec!["len".into()]));
    assert_eq!(at(&taken.unwrap(), "a"), "min_len(1)");
    assert_eq!(at(&near.at("a", RuleSet::default()).unwrap(), "a"), "");
    // A kind whose nodes a rule cannot read is refused where it is written.
    let error = ruled("object({ n = number })").defaults_for("", NodeKind::Number, strings(1)).unwrap_err();
    assert!(error.to_string().contains("the rules at n: min_len needs"), "{error}");
}
