//! Kinds of cases of which the recorded files have few or none: each is equal, or explained by the reason that says why.

use serde_json::{Value as Json, json};

use crate::calls;
use crate::verdict::{Verdict, judge};

#[track_caller]
fn verdict(case: &Json) -> Verdict {
    judge(case, &calls::call(case).expect("the case can be asked"))
}

#[track_caller]
fn are(expected: &Verdict, cases: impl IntoIterator<Item = Json>) {
    for case in cases {
        assert_eq!(verdict(&case), *expected, "{case}");
    }
}

#[track_caller]
fn are_unexplained(cases: impl IntoIterator<Item = Json>) {
    for case in cases {
        let verdict = verdict(&case);
        assert!(matches!(verdict, Verdict::Unexplained(_)), "{case}: {verdict:?}");
    }
}

fn called(function: &str, args: Json, answer: (&str, Json)) -> Json {
    let mut case = json!({"op": "call", "fn": function, "args": args});
    case[answer.0] = answer.1;
    case
}

fn hex(bytes: &[u8]) -> Json {
    Json::from(calls::msgpack::hex(bytes))
}

#[test]
fn texts_of_errors_are_those_of_go() {
    let time = |time: &str, why: &str| {
        let mut case = called(
            "formatdate",
            json!([{"str": "YYYY"}, {"str": time}]),
            ("err", format!("not a valid RFC3339 timestamp: {why}").into()),
        );
        case["err_arg"] = 1.into();
        case
    };
    let csv = |text: &str, why: &str| called("csvdecode", json!([{"str": text}]), ("err", why.into()));
    let format = |format: &str, why: &str| called("format", json!([{"str": format}]), ("err", why.into()));
    let ty = |text: &str, why: &str| json!({"op": "type_json_parse", "text": text, "err": why});
    are(
        &Verdict::Equal,
        [
            time("2024-02-29T13:60:09Z", "minute must have exactly two digits"),
            time("2024-02-29T13:ab", "cannot use \"ab\" as minute"),
            time("2024-02-29Tab", "cannot use \"ab\" as hour"),
            time("2024-02-29T25", "end of string before hour"),
            time("2024-02-29Tabc", "hour must have exactly two digits"),
            time("2024-02-29T1", "end of string where \":\" is expected"),
            time("2024-02-29T1:60:00Z", "minute must have exactly two digits"),
            time("2024-02-30T1:00:00Z", "day out of range"),
            time("2024-02-29T13:05:60Z", "cannot use \"Z\" as second"),
            time("2024-02-29T13:05:09Zx", "cannot use \"x\" as timestamp segment"),
            time("2024-02-29T13:05:09+01:00x", "cannot use \"x\" as timestamp segment"),
            time("2024-02-29T13:05:09+25:00", "end of string before UTC offset"),
            time("2024-02-29T13:05:09+01:60", "cannot use \"+01:60\" as UTC offset"),
            time("2024-02-29T13:05:09*01:00", "cannot use \"*01:00\" as UTC offset"),
            time("2024\u{200d}", "found \"\\u200d\" where \"-\" is expected"),
            csv("a,b\n1\"x,2\n", "CSV parse error on line 2: bare \" in non-quoted-field"),
            csv("\"a\"b\n", "CSV parse error on line 1: extraneous or missing \" in quoted-field"),
            format("%\u{200d}", "unrecognized format character '\\u200d' at offset 1"),
            format("%\u{1}", "unrecognized format character '\\x01' at offset 1"),
            ty("[\"list\",\"string\"] x", "unexpected extra data in type description"),
            ty("[\"tuple\",[]],1", "unexpected extra data in type description"),
            ty("\"string\" 1", "extraneous data after type description"),
            ty("\"a\u{200d}\"", "invalid primitive type name \"a\\u200d\""),
        ],
    );
}

#[test]
fn numbers_are_read_by_one_grammar_wherever_they_stand() {
    let to_number = |text: &str, answer: (&str, Json)| {
        let mut case = json!({"op": "convert", "args": [{"str": text}], "type": "number"});
        case[answer.0] = answer.1;
        case
    };
    are(
        &Verdict::Deviation("number-grammar"),
        [
            to_number("1e99999999999999999999", ("err", "a number is required".into())),
            to_number("-1.5E-99999999999999999999", ("want", json!({"num": "0"}))),
            to_number("1p4", ("want", json!({"num": "16"}))),
            json!({"op": "json_unmarshal", "text": "\"1p4\"", "type": "number", "want": {"num": "16"}}),
            json!({"op": "json_unmarshal", "text": "[\"0x1p4\"]", "type": ["list", "number"],
                "want": {"list": "number", "v": [{"num": "16"}]}}),
            json!({"op": "msgpack_unmarshal", "hex": hex(b"\xa31p4"), "type": "number", "want": {"num": "16"}}),
            json!({"op": "msgpack_unmarshal", "hex": hex(b"\x81\xa1a\xc4\x031p4"), "type": ["map", "number"],
                "want": {"map": "number", "v": {"a": {"num": "16"}}}}),
        ],
    );
    are_unexplained([
        to_number("1e5x", ("want", json!({"num": "100000"}))),
        json!({"op": "msgpack_unmarshal", "hex": hex(b"\xa2ab"), "type": "number", "want": {"num": "16"}}),
    ]);
}

#[test]
fn zero_has_one_sign_in_functions_and_codecs() {
    let minus = || json!({"num": "-0"});
    are(
        &Verdict::Deviation("negative-zero"),
        [
            called("divide", json!([{"num": "0.2"}, minus()]), ("want", json!({"num": "-inf"}))),
            called("divide", json!([{"num": "-3"}, minus()]), ("want", json!({"num": "inf"}))),
            called(
                "formatlist",
                json!([{"str": "x%v"}, {"list": "number", "v": [minus()]}]),
                ("want", json!({"list": "string", "v": [{"str": "x-0"}]})),
            ),
            called("jsonencode", json!([{"object": {"a": minus()}}]), ("want", json!({"str": "{\"a\":-0}"}))),
            json!({"op": "json_marshal", "args": [minus()], "type": "number", "want": "-0"}),
            json!({"op": "json_marshal", "args": [minus()], "type": "dynamic",
                "want": "{\"value\":-0,\"type\":\"number\"}"}),
            json!({"op": "json_simple_marshal", "args": [{"tuple": [{"num": "1"}, minus()]}], "want": "[1,-0]"}),
        ],
    );
    are_unexplained([
        called("divide", json!([{"num": "0.2"}, minus()]), ("want", json!({"num": "7"}))),
        json!({"op": "json_marshal", "args": [minus()], "type": "number", "want": "-1"}),
        called(
            "formatlist",
            json!([{"str": "x%v"}, {"list": "number", "v": [minus()]}]),
            ("want", json!({"list": "string", "v": [{"str": "y-0"}]})),
        ),
    ]);
}

#[test]
fn a_name_that_json_spells_in_another_normal_form_is_the_same_name() {
    let text = "{\"e\\u0301\": 1}";
    let err = || ("err", Json::from("unsupported attribute \"e\u{301}\""));
    are(
        &Verdict::Deviation("names-in-normal-form"),
        [
            called("jsondecode", json!([{"str": text}]), err()),
            json!({"op": "json_simple_unmarshal", "text": text, "err": err().1}),
            json!({"op": "json_unmarshal", "text": text, "type": ["object", {"\u{e9}": "number"}], "err": err().1}),
        ],
    );
    are_unexplained([called(
        "jsondecode",
        json!([{"str": "{\"a\": 1}"}]),
        ("err", "unsupported attribute \"a\"".into()),
    )]);
}

#[test]
fn undecided_members_of_a_set_have_an_order_of_their_own() {
    let (a, b) = (json!({"unk": "string", "ref": {"null": false}}), json!({"unk": "string"}));
    let set = json!({"set": "string", "v": [{"str": "x"}, {"str": "y"}, a, b]});
    let pairs = |members: &[&Json]| members.iter().map(|member| json!([member, member])).collect::<Json>();
    let (x, y) = (json!({"str": "x"}), json!({"str": "y"}));
    let case = |want: Json| json!({"op": "elements", "args": [set], "want": want});
    for want in [[&x, &y, &a, &b], [&x, &y, &b, &a], [&b, &x, &y, &a]] {
        let verdict = verdict(&case(pairs(&want)));
        assert!(matches!(verdict, Verdict::Equal | Verdict::MorePrecise), "{want:?}: {verdict:?}");
    }
    are_unexplained([[&y, &x, &a, &b], [&x, &y, &a, &a]].map(|want| case(pairs(&want))));
    let parts = |members: &[&Json]| {
        let parts = members.iter().map(|member| json!({"path": [{"index": member}], "v": member}));
        std::iter::once(json!({"path": [], "v": set})).chain(parts).collect::<Json>()
    };
    let case = |want: Json| json!({"op": "deep_values", "args": [set], "want": want});
    let other = verdict(&case(parts(&[&x, &y, &b, &a])));
    assert!(matches!(other, Verdict::Equal | Verdict::MorePrecise), "{other:?}");
    are_unexplained([case(parts(&[&y, &x, &a, &b])), case(parts(&[&x, &y, &a]))]);
}

#[test]
fn the_wire_is_read_as_there() {
    let optional = br#"["object",{"a":"string"},["a"]]"#;
    let dynamic = [b"\x92\xc4\x1f", optional.as_slice(), b"\x81\xa1a\xa1x"].concat();
    are(
        &Verdict::Equal,
        [
            json!({"op": "msgpack_unmarshal", "hex": hex(&dynamic), "type": "dynamic",
                "want": {"object": {"a": {"str": "x"}}}}),
            json!({"op": "msgpack_implied_type", "hex": hex(b"\x82\xa1a\xc2\xa1a\xa1x"),
                "want": ["object", {"a": "string"}]}),
        ],
    );
    let prefixed = json!({"unk": "string", "ref": {"null": false, "prefix": "ami-"}});
    are(
        &Verdict::MorePrecise,
        [
            json!({"op": "msgpack_marshal", "args": [prefixed], "type": "bool", "want": hex(b"\xc7\x03\x0c\x81\x01\xc2")}),
        ],
    );
    are_unexplained([
        json!({"op": "msgpack_marshal", "args": [{"str": "ami-"}], "type": "bool", "want": hex(b"\xc3")}),
    ]);
}

#[test]
fn powers_of_few_digits_are_exact() {
    let power = |base: &str, exponent: &str, theirs: &str| {
        let mut case =
            called("pow", json!([{"num": base}, {"num": exponent}]), ("want", json!({"num": theirs})));
        case["approx"] = true.into();
        case
    };
    are(
        &Verdict::Deviation("shortest-decimal"),
        [power("0.1", "100", "1.0000000000000108e-100"), power("0.1", "3", "0.0010000000000000002")],
    );
    are_unexplained([power("0.1", "100", "1.01e-100"), power("0.1", "3", "0.002")]);
}

#[test]
fn an_empty_list_of_any_is_one_of_what_is_asked_for() {
    let empty = json!({"list": "dynamic", "v": []});
    let refused = |name: &str, args: Json| {
        let mut case = called(name, args, ("err", "string required, but received dynamic".into()));
        case["err_arg"] = 0.into();
        case
    };
    are(&Verdict::Deviation("undecided-fits"), ["compact", "sort"].map(|name| refused(name, json!([empty]))));
    let nothing = json!({"list": "string", "v": []});
    are_unexplained(["compact", "sort"].map(|name| refused(name, json!([nothing]))));
}

#[test]
fn a_common_type_is_one_that_all_convert_to() {
    let types = json!([["map", "string"], ["object", {"a": ["list", "string"]}]]);
    let case = |types: &Json, common: Json| json!({"op": "unify_unsafe", "types": types, "want": {"conv": [false, true], "type": common}});
    are(&Verdict::Deviation("no-conversion-to-it"), [case(&types, json!(["map", "string"]))]);
    are_unexplained([case(&json!([["map", "string"], ["map", "bool"]]), json!(["map", "bool"]))]);
}
