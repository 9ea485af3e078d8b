//! The runner itself: it reads all of the notation, and it tells a wrong answer from a right one.

use plantime::{Type, Value};
use serde_json::{Value as Json, json};

use crate::calls;
use crate::notation::{Unread, same, value, write};
use crate::sample::{Pool, concretise};
use crate::verdict::{Verdict, judge};
use crate::within::within;

#[track_caller]
fn read(json: Json) -> Value {
    value(&json).expect("the notation can be read")
}

#[track_caller]
fn verdict(case: &Json) -> Verdict {
    judge(case, &calls::call(case).expect("the case can be asked"))
}

#[test]
fn arguments_need_not_be_canonical() {
    let set = read(json!({"set": "string", "v": [
        {"str": "b"}, {"str": "e\u{301}", "marks": ["m2"]}, {"str": "b"}, {"str": "\u{e9}", "marks": ["m1"]},
    ]}));
    assert_eq!(
        write(&set),
        json!({"set": "string", "v": [{"str": "b"}, {"str": "\u{e9}"}], "marks": ["m1", "m2"]})
    );
    let map = read(json!({"map": "string", "v": {"e\u{301}": {"str": "x"}}}));
    assert_eq!(write(&map), json!({"map": "string", "v": {"\u{e9}": {"str": "x"}}}));
}

#[test]
fn what_the_notation_leaves_open_is_the_same() {
    for (a, b) in [
        (json!({"unk": "string", "ref": {}}), json!({"unk": "string"})),
        (json!({"num": "-0"}), json!({"num": "0"})),
        (json!({"num": "1e+3"}), json!({"num": "1000"})),
        (json!({"unk": "number", "ref": {"min": "-inf", "min_inc": true}}), json!({"unk": "number"})),
        (
            json!({"unk": "number", "ref": {"min": "5.0", "min_inc": true}}),
            json!({"unk": "number", "ref": {"min": "5", "min_inc": true}}),
        ),
        (
            json!({"num": format!("0.{}3", "3".repeat(150)), "approx": true}),
            json!({"num": format!("0.{}4", "3".repeat(140))}),
        ),
        (
            json!({"set": "number", "v": [{"num": "1"}, {"num": "2"}]}),
            json!({"set": "number", "v": [{"num": "2"}, {"num": "1"}]}),
        ),
    ] {
        assert!(same(&a, &b), "{a} and {b}");
    }
    assert!(!same(&json!({"num": "0.1"}), &json!({"num": "0.10000000000000001"})));
    assert!(!same(&json!({"str": "a", "marks": ["m1"]}), &json!({"str": "a"})));
    assert!(!same(
        &json!({"set": "string", "v": [{"str": "a"}, {"str": "a"}]}),
        &json!({"set": "string", "v": [{"str": "a"}, {"str": "b"}]})
    ));
}

#[test]
fn what_cannot_be_read_is_left_out_or_named() {
    let unread = |json: Json| value(&json).expect_err("it cannot be read");
    assert!(matches!(unread(json!({"str_hex": "ff"})), Unread::LeftOut("invalid-utf8")));
    let nothing = json!({"null": false, "min": "5", "min_inc": false, "max": "5", "max_inc": false});
    assert!(matches!(unread(json!({"unk": "number", "ref": nothing})), Unread::Nothing));
    for odd in [
        json!(null),
        json!([]),
        json!({}),
        json!({"unk": "strnig"}),
        json!({"list": "string"}),
        json!({"num": "x"}),
    ] {
        assert!(matches!(unread(odd), Unread::Bad(_)));
    }
    for case in
        [json!({}), json!({"op": "fly", "args": [{"odd": 1}]}), json!({"op": "assume", "fn": "assumetrue"})]
    {
        assert!(matches!(calls::call(&case), Err(Unread::LeftOut("operation"))));
    }
    for case in [json!({"op": "equals"}), json!({"op": "length", "args": []})] {
        assert!(matches!(calls::call(&case), Err(Unread::LeftOut("number-of-arguments"))));
    }
    // There the function says so.
    assert!(calls::call(&json!({"op": "assume", "fn": "assumenotnull"})).is_ok());
}

#[test]
fn nesting_is_read_to_the_depth_of_the_files() {
    let mut json = json!({"unk": "string"});
    for _ in 0..45 {
        json = json!({"tuple": [json]});
    }
    assert_eq!(write(&read(json.clone())), json);
}

#[test]
fn containment_follows_the_levels_of_knownness() {
    let vpc = json!({"unk": "string", "ref": {"null": false, "prefix": "vpc-"}});
    let two = json!({"unk": ["list", "string"], "ref": {"null": false, "len_min": 2}});
    let open = json!({"list": "dynamic", "v": [{"dyn": true}, {"null": "dynamic"}]});
    for (outer, inner, holds) in [
        (json!({"dyn": true}), json!({"str": "a"}), true),
        (vpc.clone(), json!({"str": "vpc-1"}), true),
        (vpc.clone(), json!({"str": "vpc"}), false),
        (vpc.clone(), json!({"null": "string"}), false),
        (json!({"unk": "string"}), vpc.clone(), true),
        (vpc, json!({"unk": "string"}), false),
        (two.clone(), json!({"list": "string", "v": [{"str": "a"}, {"unk": "string"}]}), true),
        (two, json!({"list": "string", "v": [{"str": "a"}]}), false),
        (open.clone(), json!({"list": "string", "v": [{"str": "a"}, {"null": "string"}]}), true),
        (open.clone(), json!({"list": "string", "v": [{"str": "a"}, {"str": "b"}]}), false),
        (open, json!({"tuple": [{"str": "a"}, {"null": "string"}]}), false),
        (json!({"null": "dynamic"}), json!({"null": "string"}), false),
        (json!({"unk": ["list", "dynamic"]}), json!({"list": "bool", "v": []}), true),
        (
            json!({"set": "string", "v": [{"str": "a"}, {"unk": "string"}, {"unk": "string"}]}),
            json!({"set": "string", "v": [{"str": "a"}, {"str": "b"}]}),
            true,
        ),
        (
            json!({"set": "string", "v": [{"str": "a"}, {"unk": "string"}]}),
            json!({"set": "string", "v": [{"str": "a"}, {"str": "b"}, {"str": "c"}]}),
            false,
        ),
        (
            json!({"set": "string", "v": [{"str": "a"}, {"unk": "string"}]}),
            json!({"set": "string", "v": [{"str": "b"}]}),
            false,
        ),
    ] {
        assert_eq!(within(&read(outer.clone()), &read(inner.clone())), holds, "{outer} holds {inner}");
    }
}

#[test]
fn a_value_becomes_concrete_values_of_every_kind() {
    let hint = read(json!({"object": {"a": {"str": "x"}}}));
    let pool = Pool::of([&hint]);
    let some = concretise(&Value::dynamic(), &pool);
    assert!(
        some.contains(&hint)
            && some.contains(&Value::null(Type::Dynamic))
            && some.contains(&Value::from(true))
    );
    let list = read(json!({"list": "dynamic", "v": [{"dyn": true}, {"dyn": true}]}));
    let some = concretise(&list, &pool);
    assert!(some.iter().all(|value| value.is_wholly_known() && within(&list, value)));
    let types: std::collections::BTreeSet<Type> = some.iter().map(Value::ty).collect();
    assert!(types.len() >= 3, "{types:?}");
}

#[test]
fn a_wrong_record_is_unexplained() {
    let unknown = json!({"unk": "bool", "ref": {"null": false}});
    for (args, want) in [
        (json!([{"str": "a"}, {"str": "a"}]), json!({"bool": false})),
        (json!([{"str": "a"}, {"str": "b"}]), unknown.clone()),
        (json!([{"str": "a", "marks": ["m1"]}, {"str": "a"}]), json!({"bool": true, "marks": ["m2"]})),
    ] {
        let case = json!({"op": "equals", "args": args, "want": want});
        let verdict = verdict(&case);
        let expected = if want == unknown { "MorePrecise" } else { "Unexplained" };
        assert!(format!("{verdict:?}").starts_with(expected), "{case}: {verdict:?}");
    }
    // An answer that leaves out what may happen is no more precise than one that holds it.
    let case = json!({"op": "less_than", "args": [{"unk": "number"}, {"num": "1"}], "want": {"bool": true}});
    assert_eq!(verdict(&case), Verdict::Deviation("answer-there-excludes-outcomes"));
    let case = json!({"op": "less_than", "args": [{"num": "0"}, {"num": "1"}], "panic": "no"});
    assert!(matches!(verdict(&case), Verdict::Unexplained(_)));
}

#[test]
fn a_name_in_another_normal_form_is_the_same_name() {
    let (nfc, nfd) = (json!([{"attr": "\u{e9}"}]), json!([{"attr": "e\u{301}"}]));
    let object = json!({"object": {"e\u{301}": {"str": "x"}}});
    let err = "at step 0: object has no attribute \"e\u{301}\"";
    let pvm = json!([{"path": nfd, "marks": ["m"]}]);
    for case in [
        json!({"op": "path_apply", "args": [object], "path": nfd, "err": err}),
        json!({"op": "path_equals", "paths": [nfd, nfc], "want": false}),
        json!({"op": "mark_with_paths", "args": [object], "pvm": pvm, "want": {"object": {"\u{e9}": {"str": "x"}}}}),
    ] {
        assert_eq!(verdict(&case), Verdict::Deviation("names-in-normal-form"), "{case}");
    }
    // What is not about the name has no such excuse.
    let case = json!({"op": "path_equals", "paths": [nfc, nfc], "want": false});
    assert!(matches!(verdict(&case), Verdict::Unexplained(_)));
    let case = json!({"op": "pathset_has", "sets": [[nfc]], "path": nfd, "want": false});
    assert_eq!(verdict(&case), Verdict::Deviation("same-path"));
}

#[test]
fn a_bound_that_no_call_takes_is_refused_by_both_or_unexplained() {
    let case = |bound: Value, result: (&str, Json)| {
        let call = json!(["number_lower", write(&bound), true]);
        let mut case = json!({"op": "refine", "args": [{"unk": "number"}], "calls": [call]});
        case[result.0] = result.1;
        case
    };
    let panic = || ("panic", Json::from("value is null"));
    assert_eq!(verdict(&case(Value::null(Type::Number), panic())), Verdict::Refused);
    assert_eq!(verdict(&case(Value::from(5).mark(plantime::Mark::new("m")), panic())), Verdict::Refused);
    let of_a_number = verdict(&case(Value::from(5), panic()));
    assert_eq!(of_a_number, Verdict::Deviation("error-there-though-outcomes-exist"));
    assert_eq!(verdict(&case(Value::dynamic(), ("want", json!({"unk": "number"})))), Verdict::Equal);
    let bounded = ("want", json!({"unk": "number", "ref": {"min": "5", "min_inc": true}}));
    assert!(matches!(verdict(&case(Value::from("5"), bounded)), Verdict::Unexplained(_)));
}

#[test]
fn any_variant_counts_as_right() {
    let case = json!({
        "op": "equals", "args": [{"num": "1"}, {"num": "1"}],
        "want": {"bool": false}, "variants": [{"bool": false}, {"bool": true}],
    });
    assert_eq!(verdict(&case), Verdict::Equal);
}
