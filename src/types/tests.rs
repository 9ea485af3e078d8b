use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};

use super::*;
use crate::limits;
use crate::path::{Path, Step};
use crate::value::Value;

#[track_caller]
fn ty(text: &str) -> Type {
    text.parse().unwrap()
}

fn hash(ty: &Type) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(ty)
}

/// Every type over bool, string and dynamic up to two levels, with at most two parts each.
fn universe() -> Vec<Type> {
    let leaves = vec![Type::Dynamic, Type::Bool, Type::String];
    let level = |parts: &[Type]| {
        let mut all = vec![ty("tuple([])"), ty("object({})")];
        for a in parts {
            all.push(Type::list(a.clone()).unwrap());
            all.push(Type::set(a.clone()).unwrap());
            all.push(Type::map(a.clone()).unwrap());
            all.push(Type::tuple([a.clone()]).unwrap());
            all.push(Type::object([("a", a.clone())]).unwrap());
            all.push(Type::object([("b", a.clone())]).unwrap());
            for b in &leaves {
                all.push(Type::tuple([a.clone(), b.clone()]).unwrap());
                all.push(Type::object([("a", a.clone()), ("b", b.clone())]).unwrap());
            }
        }
        all
    };
    let mut first = leaves.clone();
    first.extend(level(&leaves));
    let mut all = first.clone();
    all.extend(level(&first));
    all.sort();
    all.dedup();
    all
}

#[test]
fn a_type_takes_two_words_and_crosses_threads() {
    fn crosses<T: Send + Sync + 'static>() {}
    crosses::<Type>();
    assert_eq!(size_of::<Type>(), 16);
    assert_eq!(size_of::<Option<Type>>(), 16);
    assert_eq!(size_of::<ObjectType>(), 8);
    assert_eq!(size_of::<TupleType>(), 8);
}

#[test]
fn depth_and_dynamic_are_kept() {
    for (text, depth, dynamic) in [
        ("any", 0, true),
        ("string", 0, false),
        ("tuple([])", 1, false),
        ("list(any)", 1, true),
        ("object({a = set(number), b = tuple([list(list(bool))])})", 4, false),
        ("object({a = map(any), b = bool})", 2, true),
    ] {
        assert_eq!((ty(text).depth(), ty(text).has_dynamic()), (depth, dynamic), "{text}");
    }
}

#[test]
fn attributes_are_sorted_normalised_and_found() {
    let Type::Object(object) = ty(r#"object({z = string, "e\u0301" = number, Z = bool, a-b = any})"#) else {
        panic!("an object")
    };
    assert_eq!(object.attribute_names().collect::<Vec<_>>(), ["Z", "a-b", "z", "\u{e9}"]);
    assert_eq!(object.get("e\u{301}"), Some(&Type::Number));
    assert_eq!(object.index_of("\u{e9}"), Some(3));
    assert_eq!((object.name_at(1), object.type_at(1)), (Some("a-b"), Some(&Type::Dynamic)));
    assert_eq!((object.name_at(4), object.type_at(4), object.get("y")), (None, None, None));
    assert_eq!(object.iter().rev().map(|(name, _)| name).next(), Some("\u{e9}"));
    assert_eq!((object.len(), object.is_empty()), (4, false));
}

#[test]
fn a_duplicate_attribute_is_an_error() {
    let error = Type::object([("\u{e9}", Type::Bool), ("e\u{301}", Type::Bool)]).unwrap_err();
    assert!(error.is_syntax());
    assert_eq!(error.message(), "duplicate attribute \"\u{e9}\"");
}

#[test]
fn equal_structure_is_equal_whatever_the_pointers() {
    let all = universe();
    for (i, a) in all.iter().enumerate() {
        for (j, b) in all.iter().enumerate() {
            assert_eq!(a == b, i == j, "{a} {b}");
            assert_eq!(a.cmp(b), i.cmp(&j), "{a} {b}");
        }
        let again = ty(&a.to_string());
        assert_eq!(&again, a);
        assert_eq!(hash(&again), hash(a));
        assert_eq!(again.cmp(a), std::cmp::Ordering::Equal);
    }
}

#[test]
fn text_and_json_forms_round_trip() {
    let odd = [
        "",
        "a b",
        "\"",
        "\\",
        "\n\u{1}\u{7f}",
        "1",
        "-a",
        "if",
        "a-1",
        "\u{e9}t\u{e9}",
        "</&\u{2028}",
        "🦀",
    ];
    let mut all = universe();
    all.extend(odd.map(|name| Type::object([(name, Type::Number)]).unwrap()));
    for a in &all {
        assert_eq!(&ty(&a.to_string()), a);
        assert_eq!(&ty(&format!("{a:#?}")), a);
        let json = a.to_json_text().unwrap();
        assert_eq!(&Type::from_json_text(&json).unwrap(), a);
        assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok(), "{json}");
    }
}

#[test]
fn the_text_form_reads_as_written() {
    for (text, again) in [
        ("any", "dynamic"),
        (" list ( any ) ", "list(dynamic)"),
        ("tuple([string,\n number,])", "tuple([string, number])"),
        ("tuple([ ])", "tuple([])"),
        ("object({b=bool,\"a\"=any,})", "object({a = dynamic, b = bool})"),
        (
            r#"object({"odd name" = map(set(string)), any = any})"#,
            r#"object({any = dynamic, "odd name" = map(set(string))})"#,
        ),
        (r#"object({"\ud83e\udd80\ud800\u0041\/" = bool})"#, "object({\"🦀\u{fffd}A/\" = bool})"),
        (r#"object({"\ud800\ud800\udc00" = bool})"#, "object({\"\u{fffd}\u{10000}\" = bool})"),
    ] {
        assert_eq!(ty(text).to_string(), again, "{text}");
    }
    let list = ListType::new(Type::Bool).unwrap();
    assert_eq!(format!("{list:?}"), "list(bool)");
}

#[test]
fn bad_text_is_an_error_that_names_the_place() {
    for (text, message) in [
        ("", "unexpected end of the type description"),
        ("list(", "unexpected end of the type description"),
        ("lst(string)", "unknown type keyword `lst` at column 1; did you mean `list`?"),
        ("list(frobnicate)", "unknown type keyword `frobnicate` at column 6"),
        ("list(\n  strin)", "unknown type keyword `strin` at line 2, column 3; did you mean `string`?"),
        ("list", "unexpected end of the type description"),
        ("list[string]", "\"(\" expected, but found '[' at column 5"),
        ("list(string) x", "end of the type expected, but found 'x' at column 14"),
        ("list(string, string)", "\")\" expected, but found ',' at column 12"),
        ("tuple([string number])", "\",\" or \"]\" expected, but found 'n' at column 15"),
        ("tuple([,])", "a type expected, but found ',' at column 8"),
        ("object({= string})", "an attribute name expected, but found '=' at column 9"),
        (
            "object({a = optional(string)})",
            "a type has no optional attributes, but there is one at column 13",
        ),
        ("object({a = string, a = bool})", "duplicate attribute \"a\""),
        ("object({\"\\x\" = string})", "unknown escape in a string at column 11"),
        ("object({\"\\u12\" = string})", "four hexadecimal digits expected after \\u at column 12"),
        ("object({\"a\n\" = string})", "control character in a string at line 1, column 11"),
        ("object({\"a", "unexpected end of the type description"),
    ] {
        let error = text.parse::<Type>().unwrap_err();
        assert!(error.is_syntax(), "{text}");
        assert_eq!(error.message(), message, "{text}");
    }
}

#[test]
fn json_names_are_escaped_as_go_does() {
    let object =
        Type::object([("<>&\u{2028}\u{2029}\"\\\u{8}\u{c}\n\r\t\u{1}\u{7f}\u{e9}", Type::Bool)]).unwrap();
    let name = r#"\u003c\u003e\u0026\u2028\u2029\"\\\b\f\n\r\t\u0001"#;
    assert_eq!(object.to_json_text().unwrap(), format!("[\"object\",{{\"{name}\u{7f}\u{e9}\":\"bool\"}}]"));
}

#[test]
fn json_that_cty_reads_is_read() {
    for (json, text) in [
        (" \"bool\" ", "bool"),
        (r#"["tuple",null]"#, "tuple([])"),
        (r#"["object",null]"#, "object({})"),
        (r#"["object",{"a":"string"},[]]"#, "object({a = string})"),
        (r#"["object",{"a":"string"},null]"#, "object({a = string})"),
        (r#"["object",{"a":"string","a":"bool"}]"#, "object({a = bool})"),
        (
            "[ \"object\" , { \"a\" :\n\t\"string\" , \"\\u0062\" : [\"list\",\"dynamic\"]} ]\r\n",
            "object({a = string, b = list(any)})",
        ),
    ] {
        assert_eq!(Type::from_json_text(json).unwrap(), ty(text), "{json}");
    }
}

#[test]
fn bad_json_has_the_words_of_cty() {
    for (json, message) in [
        (r#""any""#, "invalid primitive type name \"any\""),
        (r#"["list",""]"#, "invalid primitive type name \"\""),
        ("{}", "invalid complex type description"),
        ("[]", "invalid complex type kind name"),
        ("[1]", "invalid complex type kind name"),
        (r#"["capsule","x"]"#, "invalid complex type kind name"),
        ("null", "invalid type description"),
        ("12", "invalid type description"),
        (r#"["list",null]"#, "invalid type description"),
        (r#"["list","string","number"]"#, "unexpected extra data in type description"),
        (r#"["object",{"a":"string"},[],1]"#, "unexpected extra data in type description"),
        (r#""string" "x""#, "extraneous data after type description"),
        (r#"["list","string"]]"#, "extraneous data after type description"),
        (r#"["list","string"] "x""#, "unexpected extra data in type description"),
        (r#"["object",{"a":"string"},["a"]]"#, "a type has no optional attributes"),
        (r#"["object",{"a":"string"},["b"]]"#, "a type has no optional attributes"),
        ("", "unexpected end of the type description"),
        (r#"["list""#, "unexpected end of the type description"),
        (r#"["list"]"#, "\",\" expected, but found ']' at column 8"),
        (r#"["object",[]]"#, "an object of attribute types expected, but found '[' at column 11"),
        (r#"["tuple","x"]"#, "an array of element types expected, but found '\"' at column 10"),
        (r#"["tuple",["string",]]"#, "a type description expected, but found ']' at column 20"),
        (r#"["object",{"a":"string",}]"#, "a string expected, but found '}' at column 25"),
        ("'string'", "a type description expected, but found '\\'' at column 1"),
    ] {
        let error = Type::from_json_text(json).unwrap_err();
        assert!(error.is_syntax(), "{json}");
        assert_eq!(error.message(), message, "{json}");
    }
}

#[test]
fn names_are_those_of_cty() {
    for (text, name, constraint) in [
        ("bool", "bool", "bool"),
        ("any", "dynamic", "any type"),
        ("list(any)", "list of dynamic", "list of any single type"),
        ("map(set(any))", "map of set of dynamic", "map of set of any single type"),
        ("list(object({a = any}))", "list of object", "list of object"),
        ("tuple([any])", "tuple", "tuple"),
    ] {
        assert_eq!(ty(text).friendly_name(), name);
        assert_eq!(ty(text).friendly_name_for_constraint(), constraint);
    }
}

#[test]
fn covering_is_an_order_and_conformance_says_the_same() {
    let all = universe();
    for a in &all {
        assert!(a.covers(a) && Type::Dynamic.covers(a) && a.compatible(&Type::Dynamic));
        for b in &all {
            let covers = a.covers(b);
            assert_eq!(covers, b.conformance_errors(a).is_empty(), "{a} {b}");
            assert!(!covers || a == b || !b.covers(a), "{a} {b}");
            assert!(!covers || a.compatible(b), "{a} {b}");
            assert_eq!(a.compatible(b), b.compatible(a), "{a} {b}");
        }
    }
}

#[test]
fn compatible_types_are_those_with_a_common_instance() {
    let all = universe();
    let shallow: Vec<&Type> = all.iter().filter(|a| a.depth() <= 1).collect();
    let concrete: Vec<&Type> = all.iter().filter(|a| !a.has_dynamic()).collect();
    for a in &shallow {
        for b in &shallow {
            let common = concrete.iter().any(|c| a.covers(c) && b.covers(c));
            assert_eq!(a.compatible(b), common, "{a} {b}");
        }
    }
}

#[test]
fn covering_goes_place_by_place() {
    assert!(ty("list(any)").covers(&ty("list(any)")));
    assert!(!ty("list(string)").covers(&ty("list(any)")));
    assert!(!ty("list(any)").covers(&Type::Dynamic));
    assert!(!ty("object({a = any})").covers(&ty("object({b = string})")));
    assert!(!ty("list(tuple([any, string]))").compatible(&ty("list(tuple([bool, bool]))")));
}

#[track_caller]
fn conformance(given: &str, want: &str, expected: &[(&str, Path)]) {
    let errors = ty(given).conformance_errors(&ty(want));
    let found: Vec<_> = errors.iter().map(|e| (e.message(), e.path().clone())).collect();
    assert_eq!(found, expected);
    assert!(errors.iter().all(|e| e.is_type_mismatch() && e.expected().is_some() && e.found().is_some()));
}

#[test]
fn conformance_names_every_difference_in_order() {
    conformance(
        "object({b = string, a = string, x = bool, w = bool})",
        "object({b = bool, a = number, z = bool, y = any})",
        &[
            ("unsupported attribute \"w\"", Path::new()),
            ("unsupported attribute \"x\"", Path::new()),
            ("missing required attribute \"y\"", Path::new()),
            ("missing required attribute \"z\"", Path::new()),
            ("number required, but received string", Path::new().attr("a")),
            ("bool required, but received string", Path::new().attr("b")),
        ],
    );
}

#[test]
fn conformance_paths_lead_to_the_place() {
    conformance(
        "object({a = list(map(set(object({b = string})))), t = tuple([bool, bool, bool]), u = tuple([bool])})",
        "object({a = list(map(set(object({b = list(any)})))), t = tuple([any, any, string]), u = tuple([])})",
        &[
            (
                "list of dynamic required, but received string",
                Path::new()
                    .attr("a")
                    .index(Value::unknown(Type::Number))
                    .index(Value::unknown(Type::String))
                    .index(Value::unknown(ty("object({b = string})")))
                    .attr("b"),
            ),
            ("string required, but received bool", Path::new().attr("t").index(2u64)),
            ("0 elements are required, but got 1", Path::new().attr("u")),
        ],
    );
}

#[test]
fn conformance_records_the_types_of_the_place() {
    let errors = ty("tuple([list(any)])").conformance_errors(&ty("tuple([list(string)])"));
    assert_eq!(errors.len(), 1);
    assert_eq!((errors[0].expected(), errors[0].found()), (Some(&Type::String), Some(&Type::Dynamic)));
    assert_eq!(errors[0].path().steps().first(), Some(&Step::index(0u64)));
}

fn nested(levels: usize, wrap: fn(Type) -> Result<Type>) -> Type {
    (0..levels).fold(Type::String, |inner, _| wrap(inner).unwrap())
}

const WRAPS: [fn(Type) -> Result<Type>; 5] = [
    Type::list,
    Type::set,
    Type::map,
    |inner| Type::tuple([Type::Bool, inner]),
    |inner| Type::object([("a", Type::Bool), ("b", inner)]),
];

#[test]
fn one_level_above_the_limit_is_an_error() {
    for wrap in WRAPS {
        let deepest = nested(limits::DEPTH, wrap);
        assert_eq!(deepest.depth(), limits::DEPTH);
        assert!(wrap(deepest).unwrap_err().is_limit());
    }
    for levels in [limits::DEPTH + 1, 100_000] {
        let text = format!("{}string{}", "list(".repeat(levels), ")".repeat(levels));
        assert!(text.parse::<Type>().unwrap_err().is_limit());
        let text = "object({a = ".repeat(levels);
        assert!(text.parse::<Type>().unwrap_err().is_limit());
        let json = format!("{}\"string\"{}", "[\"set\",".repeat(levels), "]".repeat(levels));
        assert!(Type::from_json_text(&json).unwrap_err().is_limit());
        let json = "[\"tuple\",[".repeat(levels);
        assert!(Type::from_json_text(&json).unwrap_err().is_limit());
        assert!(Type::from_json_text(&"[".repeat(levels)).unwrap_err().is_syntax());
    }
}

/// The promise of [`limits::DEPTH`], meant for builds without optimisation.
#[test]
fn the_deepest_type_fits_a_small_stack() {
    let work = || {
        for wrap in WRAPS {
            let (a, b) = (nested(limits::DEPTH, wrap), nested(limits::DEPTH, wrap));
            assert_eq!(a, b);
            assert_eq!(a.cmp(&b), std::cmp::Ordering::Equal);
            assert_eq!(hash(&a), hash(&b));
            assert_eq!(ty(&a.to_string()), b);
            assert_eq!(format!("{a:?}"), format!("{b:#?}"));
            assert_eq!(Type::from_json_text(&a.to_json_text().unwrap()).unwrap(), b);
            let hole = (0..limits::DEPTH).fold(Type::Dynamic, |inner, _| wrap(inner).unwrap());
            assert!(hole.covers(&a) && hole.compatible(&a) && a.compatible(&hole));
            assert!(a.conformance_errors(&hole).is_empty());
            assert_eq!(hole.conformance_errors(&a).len(), 1);
            assert!(!a.friendly_name().is_empty());
            drop((a, b, hole));
        }
    };
    std::thread::Builder::new().stack_size(1 << 20).spawn(work).unwrap().join().unwrap();
}
