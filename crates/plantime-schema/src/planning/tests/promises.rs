//! Every violation with its text.

use super::*;
use plantime::LengthRange;

const ATTRIBUTES: &str = r#""attributes": {
    "name": {"type": "string", "optional": true},
    "id": {"type": "string", "computed": true},
    "any": {"type": "dynamic", "optional": true},
    "list": {"type": ["list", "string"], "optional": true},
    "map": {"type": ["map", "string"], "optional": true},
    "set": {"type": ["set", "string"], "optional": true},
    "zone": {"type": "string", "optional": true, "computed": true},
    "secret": {"type": "string", "optional": true, "sensitive": true},
    "once": {"type": "string", "optional": true, "write_only": true}}"#;

const INNER: &str =
    r#""attributes": {"x": {"type": "string", "optional": true}, "y": {"type": "string", "computed": true}}"#;

fn whole(nested: bool) -> Block {
    let kinds = ["single", "group", "list", "set", "map"];
    let blocks: Vec<String> = kinds
        .iter()
        .map(|kind| format!(r#""b_{kind}": {{"nesting_mode": "{kind}", "block": {{{INNER}}}}}"#))
        .collect();
    let objects: Vec<String> = kinds
        .iter()
        .filter(|kind| **kind != "group")
        .map(|kind| {
            format!(
                r#""n_{kind}": {{"optional": true, "nested_type": {{"nesting_mode": "{kind}", {INNER}}}}}"#
            )
        })
        .collect();
    let attributes = ATTRIBUTES.strip_suffix('}').unwrap();
    let nested_attributes = if nested { format!(", {}", objects.join(", ")) } else { String::new() };
    block(&format!(r#"{{{attributes}{nested_attributes}}}, "block_types": {{{}}}}}"#, blocks.join(", ")))
}

fn texts(verdict: &Verdict) -> Vec<String> {
    verdict.violations.iter().map(ToString::to_string).collect()
}

/// What core says of an actual value, given the planned one; both are coerced.
fn compatible(planned: Value, actual: Value) -> Vec<String> {
    let schema = whole(true);
    let (planned, actual) = (schema.coerce(&planned).unwrap(), schema.coerce(&actual).unwrap());
    texts(&assert_object_compatible(&schema, &planned, &actual, TypeSystem::Strict).unwrap())
}

/// What core says of a plan, given the configuration.
fn planned(prior: Value, config: Value, planned: Value) -> Vec<String> {
    let schema = whole(true);
    let [prior, config, planned] = [prior, config, planned].map(|value| schema.coerce(&value).unwrap());
    texts(&assert_plan_valid(&schema, &prior, &config, &planned, TypeSystem::Strict).unwrap())
}

fn none() -> Value {
    Value::null(Type::Dynamic)
}

fn refined(ty: &str, refinement: Refinement) -> Value {
    Value::refined(ty.parse().unwrap(), refinement).unwrap()
}

macro_rules! v {
    ($($tokens:tt)*) => { value!($($tokens)*).unwrap() };
}

#[test]
fn what_is_not_what_was_planned_is_told_in_the_words_of_core() {
    let cases: Vec<(Value, Value, &[&str])> = vec![
        (none(), v!({}), &["Root object was absent, but now present"]),
        (v!({}), none(), &["Root object was present, but now absent"]),
        (
            v!({"name": "a"}),
            v!({"name": "b"}),
            &[r#".name: was cty.StringVal("a"), but now cty.StringVal("b")"#],
        ),
        (v!({"name": "a"}), v!({}), &[r#".name: was cty.StringVal("a"), but now null"#]),
        (v!({}), v!({"name": "a"}), &[r#".name: was null, but now cty.StringVal("a")"#]),
        (
            v!({"name": "a"}),
            v!({"name": Value::unknown(Type::String)}),
            &[".name: was known, but now unknown"],
        ),
        (
            v!({"any": [1]}),
            v!({"any": "a"}),
            &[".any: wrong final value type: tuple required, but have string"],
        ),
        (v!({"any": Value::dynamic()}), v!({"any": "a"}), &[]),
        (
            v!({"id": refined("string", Refinement::prefix("i-").and_not_null())}),
            v!({"id": "x"}),
            &[".id: final value cty.StringVal(\"x\") does not conform to planning placeholder \
               cty.UnknownVal(cty.String).Refine().NotNull().StringPrefixFull(\"i-\").NewValue()"],
        ),
        (
            v!({"list": ["a", "b"]}),
            v!({"list": ["c"]}),
            &[
                r#".list[0]: was cty.StringVal("a"), but now cty.StringVal("c")"#,
                ".list: element 1 has vanished",
            ],
        ),
        (v!({"list": ["a"]}), v!({"list": ["a", "b"]}), &[".list: new element 1 has appeared"]),
        (
            v!({"map": {"k": "a"}}),
            v!({"map": {"l": "a"}}),
            &[r#".map: element "k" has vanished"#, r#".map: new element "l" has appeared"#],
        ),
        (
            v!({"set": ["a"]}),
            v!({"set": ["a", "b"]}),
            &[
                r#".set: actual set element cty.StringVal("b") does not correlate with any element in plan"#,
                ".set: length changed from 1 to 2",
            ],
        ),
        (
            v!({"set": ["a", "b"]}),
            v!({"set": ["a"]}),
            &[
                r#".set: planned set element cty.StringVal("b") does not correlate with any element in actual"#,
            ],
        ),
        (
            v!({"secret": "hunter2"}),
            v!({"secret": "hunter3"}),
            &[".secret: inconsistent values for sensitive attribute"],
        ),
        (v!({}), v!({"b_single": {}}), &[".b_single: was absent, but now present"]),
        (v!({"b_single": {}}), v!({}), &[".b_single: was present, but now absent"]),
        (v!({"b_list": [{}]}), v!({"b_list": [{}, {}]}), &[".b_list: block count changed from 1 to 2"]),
        (
            v!({"b_list": [{"x": "a"}]}),
            v!({"b_list": [{"x": "b"}]}),
            &[r#".b_list[0].x: was cty.StringVal("a"), but now cty.StringVal("b")"#],
        ),
        (v!({"b_map": {"k": {}}}), v!({}), &[".b_map: block count changed from 1 to 0"]),
        (
            v!({"b_map": {"k": {}}}),
            v!({"b_map": {"l": {}}}),
            &[r#".b_map: block key "k" has vanished"#, r#".b_map: new block key "l" has appeared"#],
        ),
        (
            v!({"b_set": [{"x": "a"}]}),
            v!({"b_set": [{"x": "a"}, {"x": "b"}]}),
            &[
                ".b_set: actual set element cty.ObjectVal(map[string]cty.Value{\"x\":cty.StringVal(\"b\"), \
                 \"y\":cty.NullVal(cty.String)}) does not correlate with any element in plan",
                ".b_set: block set length changed from 1 to 2",
            ],
        ),
    ];
    for (planned, actual, expected) in cases {
        assert_eq!(compatible(planned.clone(), actual.clone()), expected, "{planned} and {actual}");
    }
}

#[test]
fn members_of_sets_are_matched_one_with_one() {
    let prefix = |prefix: &str| refined("string", Refinement::prefix(prefix).and_not_null());
    let set = |members: Vec<Value>| v!({"set": Value::set_of(Type::String, members).unwrap()});
    // Both planned members may become "ab", and only the second "b…": one of each is left.
    let plan = || set(vec![prefix("a"), prefix("ab")]);
    assert!(compatible(plan(), set(vec!["ax".into(), "abx".into()])).is_empty());
    assert!(compatible(plan(), set(vec!["abx".into()])).is_empty(), "equal members become one");
    assert_eq!(
        compatible(plan(), set(vec!["ax".into(), "ay".into()])),
        [
            ".set: planned set element cty.UnknownVal(cty.String).Refine().NotNull().StringPrefixFull(\"ab\").NewValue() \
             does not correlate with any element in actual",
            ".set: actual set element cty.StringVal(\"ay\") does not correlate with any element in plan"
        ]
    );
    let length = LengthRange::exactly(2);
    let narrow = v!({"set": Value::set_of(Type::String, ["a".into(), prefix("a")]).unwrap().assume(&Refinement::length(length)).unwrap()});
    assert_eq!(compatible(narrow, set(vec!["a".into()])), [".set: length changed from 2 to 1"]);
}

#[test]
fn what_a_provider_may_not_plan_is_told_in_the_words_of_core() {
    let unknown = || Value::unknown(Type::String);
    let blocks =
        |kind: &str| Value::unknown(format!("{kind}(object({{x = string, y = string}}))").parse().unwrap());
    let null_blocks =
        |kind: &str| Value::null(format!("{kind}(object({{x = string, y = string}}))").parse().unwrap());
    let a_block = || v!({"x": "a", "y": Value::null(Type::String)});
    let unknown_item = || Value::unknown("object({x = string, y = string})".parse().unwrap());
    let list = |items: Vec<Value>| {
        Value::list_of("object({x = string, y = string})".parse().unwrap(), items).unwrap()
    };
    let set = |items: Vec<Value>| {
        Value::set_of("object({x = string, y = string})".parse().unwrap(), items).unwrap()
    };
    let cases: Vec<(Value, Value, Value, &[&str])> = vec![
        (none(), v!({}), none(), &["planned for absence but config wants existence"]),
        (none(), none(), v!({}), &["planned for existence but config wants absence"]),
        (none(), v!({}), v!({"id": unknown(), "zone": "z"}), &[]),
        (
            none(),
            v!({"zone": "y"}),
            v!({"zone": "z"}),
            &[r#".zone: planned value cty.StringVal("z") does not match config value cty.StringVal("y")"#],
        ),
        (v!({"name": "p"}), v!({"name": "c"}), v!({"name": "p"}), &[]),
        (
            v!({"name": "p"}),
            v!({"name": "c"}),
            v!({"name": "x"}),
            &[
                r#".name: planned value cty.StringVal("x") does not match config value cty.StringVal("c") nor prior value cty.StringVal("p")"#,
            ],
        ),
        (
            none(),
            v!({}),
            v!({"name": "a"}),
            &[r#".name: planned value cty.StringVal("a") for a non-computed attribute"#],
        ),
        (
            none(),
            v!({}),
            v!({"secret": "hunter2"}),
            &[".secret: sensitive planned value for a non-computed attribute"],
        ),
        (
            none(),
            v!({"secret": "a"}),
            v!({"secret": "b"}),
            &[".secret: sensitive planned value does not match config value"],
        ),
        (
            v!({"secret": "p"}),
            v!({"secret": "a"}),
            v!({"secret": "b"}),
            &[".secret: sensitive planned value does not match config value nor prior value"],
        ),
        (none(), v!({"once": "a"}), v!({}), &[]),
        (none(), v!({"name": refined("string", Refinement::not_null())}), v!({"name": unknown()}), &[]),
        (
            none(),
            v!({"b_list": blocks("list")}),
            v!({"b_list": [a_block()]}),
            &[
                ".b_list: planned value cty.ListVal([]cty.Value{cty.ObjectVal(map[string]cty.Value{\"x\":cty.StringVal(\"a\"), \
             \"y\":cty.NullVal(cty.String)})}) for unknown dynamic block",
            ],
        ),
        (
            none(),
            v!({"b_list": [a_block()]}),
            v!({"b_list": blocks("list")}),
            &[
                ".b_list: attribute representing nested block must not be unknown itself; set nested attribute values to unknown instead",
            ],
        ),
        (
            none(),
            v!({}),
            v!({"b_list": null_blocks("list")}),
            &[
                ".b_list: attribute representing a list of nested blocks must be empty to indicate no blocks, not null",
            ],
        ),
        (
            none(),
            v!({}),
            v!({"b_map": null_blocks("map")}),
            &[
                ".b_map: attribute representing a map of nested blocks must be empty to indicate no blocks, not null",
            ],
        ),
        (
            none(),
            v!({}),
            v!({"b_set": null_blocks("set")}),
            &[
                ".b_set: attribute representing a set of nested blocks must be empty to indicate no blocks, not null",
            ],
        ),
        (
            none(),
            v!({"b_list": [{}]}),
            v!({}),
            &[".b_list: block count in plan (0) disagrees with count in config (1)"],
        ),
        (
            none(),
            v!({"b_map": {"k": {}}}),
            v!({"b_map": {"l": {}}}),
            &[
                r#".b_map: block key "l" from plan is not present in config"#,
                r#".b_map: block key "k" from config is not present in plan"#,
            ],
        ),
        (
            none(),
            v!({"b_list": [{}]}),
            v!({"b_list": list(vec![unknown_item()])}),
            &[
                ".b_list[0]: element representing nested block must not be unknown itself; set nested attribute values to unknown instead",
            ],
        ),
        (
            none(),
            v!({"b_set": [{}]}),
            v!({"b_set": set(vec![unknown_item()])}),
            &[
                ".b_set[...]: element representing nested block must not be unknown itself; set nested attribute values to unknown instead",
            ],
        ),
        (none(), v!({"b_set": [{"x": "a"}]}), v!({"b_set": [{"x": "b"}, {"x": "c"}]}), &[]),
        (
            none(),
            v!({"b_list": [{}]}),
            v!({"b_list": [{"x": "a", "y": "computed"}]}),
            &[r#".b_list[0].x: planned value cty.StringVal("a") for a non-computed attribute"#],
        ),
        (
            none(),
            v!({"b_single": {}}),
            v!({}),
            &[".b_single: planned for absence but config wants existence"],
        ),
        (
            none(),
            v!({"n_single": {}}),
            v!({}),
            &[".n_single: planned for absence but config wants existence"],
        ),
        (
            none(),
            v!({"n_single": {}}),
            v!({"n_single": unknown_item()}),
            &[".n_single: planned unknown for configured value"],
        ),
        (
            none(),
            v!({"n_single": {}}),
            v!({"n_single": {"x": "a"}}),
            &[r#".n_single.x: planned value cty.StringVal("a") for a non-computed attribute"#],
        ),
        (
            none(),
            v!({"n_list": [{}]}),
            v!({"n_list": [{}, {}]}),
            &[
                ".n_list: count in plan (cty.NumberIntVal(2)) disagrees with count in config (cty.NumberIntVal(1))",
            ],
        ),
        (
            none(),
            v!({"n_map": {"k": {}}}),
            v!({"n_map": {"l": {}}}),
            &[
                r#".n_map: map key "l" from plan is not present in config"#,
                r#".n_map: map key "k" from config is not present in plan"#,
            ],
        ),
        (
            none(),
            v!({"n_set": [{"x": "a"}]}),
            v!({"n_set": [{"x": "b"}, {"x": "c"}]}),
            &[
                ".n_set: count in plan (cty.NumberIntVal(2)) disagrees with count in config (cty.NumberIntVal(1))",
            ],
        ),
        (none(), v!({"n_set": [{"x": "a"}]}), v!({"n_set": [{"x": "b"}]}), &[]),
    ];
    for (prior, config, plan, expected) in cases {
        assert_eq!(planned(prior, config.clone(), plan.clone()), expected, "{config} and {plan}");
    }
}

#[test]
fn what_the_legacy_type_system_lets_pass_is_listed() {
    let schema = whole(false);
    let of = |value: Value| schema.coerce(&value).unwrap();
    let (config, plan) = (of(v!({"name": "a", "list": ["a"]})), of(v!({"name": "b", "list": ["b"]})));
    let verdict = assert_plan_valid(&schema, &of(none()), &config, &plan, TypeSystem::Legacy).unwrap();
    assert!(verdict.is_accepted());
    assert_eq!(verdict.tolerated.len(), 2);
    let verdict = assert_object_compatible(&schema, &config, &plan, TypeSystem::Legacy).unwrap();
    assert_eq!((verdict.is_accepted(), verdict.tolerated.len()), (true, 2));
    let strict = assert_object_compatible(&schema, &config, &plan, TypeSystem::Strict).unwrap();
    assert_eq!((strict.is_accepted(), strict.tolerated.len()), (false, 0));
    // A value of another type is never let pass.
    assert!(assert_object_compatible(&schema, &config, &v!({"name": 1}), TypeSystem::Legacy).is_err());
}

#[test]
fn nothing_sensitive_reaches_a_text() {
    let inner = r#"{"nesting_mode": "set", "block": {"attributes": {"key": {"type": "string", "optional": true, "sensitive": true}}}}"#;
    let schema =
        block(&format!(r#"{{"block_types": {{"b": {inner}, "l": {}}}}}"#, inner.replace("set", "list")));
    let of = |value: Value| schema.coerce(&value).unwrap();
    let secret = |key: &str| of(v!({"b": [{"key": key}], "l": [{"key": key}]}));
    let verdict =
        assert_object_compatible(&schema, &secret("hunter2"), &secret("hunter3"), TypeSystem::Strict)
            .unwrap();
    assert_eq!(
        texts(&verdict),
        [
            ".b: inconsistent values for sensitive attribute",
            ".l[0].key: inconsistent values for sensitive attribute"
        ]
    );
    let unknown = of(v!({"b": Value::dynamic(), "l": Value::dynamic()}));
    let verdict =
        assert_plan_valid(&schema, &none(), &unknown, &secret("hunter2"), TypeSystem::Strict).unwrap();
    assert!(!verdict.is_accepted());
    for text in texts(&verdict) {
        assert!(!text.contains("hunter"), "{text}");
    }
    let marked = v!({"a": Value::from("hunter2").mark(Mark::SENSITIVE), "b": 1});
    for broken in assert_refines(&marked, &v!({"a": "hunter3", "b": 2})) {
        assert!(!broken.to_string().contains("hunter"), "{broken}");
    }
}

#[test]
fn ten_thousand_attributes_and_blocks_are_held_against_each_other_in_time() {
    let schema =
        block(&format!(r#"{{"block_types": {{"b": {{"nesting_mode": "set", "block": {{{INNER}}}}}}}}}"#));
    let of = |known: bool| {
        let member = |n: i32| {
            let y = if known { Value::from("y") } else { Value::unknown(Type::String) };
            v!({"x": format!("x{n}"), "y": y})
        };
        v!({"b": Value::set((0..10_000).map(member)).unwrap()})
    };
    let verdict = assert_object_compatible(&schema, &of(false), &of(true), TypeSystem::Strict).unwrap();
    assert!(verdict.is_accepted());
    let verdict = assert_plan_valid(&schema, &none(), &of(false), &of(true), TypeSystem::Strict).unwrap();
    assert!(verdict.is_accepted());
    assert!(refines(&of(true), &of(true)) && refines(&of(false), &of(false)));
    assert!(refines(&of(false), &of(true)));
    // One block among many is another one: they are found by what is known of them.
    let other =
        of(true).transform(|_, part| Ok(if part == Value::from("x77") { "x".into() } else { part })).unwrap();
    assert!(!refines(&of(false), &other));
    let verdict = assert_object_compatible(&schema, &of(false), &other, TypeSystem::Strict).unwrap();
    assert_eq!(
        texts(&verdict),
        [
            ".b: planned set element cty.ObjectVal(map[string]cty.Value{\"x\":cty.StringVal(\"x77\"), \
             \"y\":cty.UnknownVal(cty.String)}) does not correlate with any element in actual",
            ".b: actual set element cty.ObjectVal(map[string]cty.Value{\"x\":cty.StringVal(\"x\"), \
             \"y\":cty.StringVal(\"y\")}) does not correlate with any element in plan"
        ]
    );
}
