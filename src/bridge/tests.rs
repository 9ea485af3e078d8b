//! What becomes of what, in both directions, and what every error says.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::Debug;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::capsule::Capsule;
use crate::mark::Mark;
use crate::number::Number;
use crate::refinement::Refinement;
use crate::types::Type;
use crate::value::Value;

use super::{Planned, from_value, to_value, to_value_as};

mod errors;
mod implied;
mod planned;

fn ty(text: &str) -> Type {
    text.parse().unwrap()
}

fn vpc_id() -> Value {
    Value::refined(Type::String, Refinement::prefix("vpc-").and_not_null()).unwrap()
}

/// Made and read back, as this text and type.
#[track_caller]
fn same<T: Serialize + DeserializeOwned + PartialEq + Debug>(rust: &T, text: &str, of: &str) {
    let value = to_value(rust).unwrap();
    assert_eq!((value.to_string().as_str(), value.ty().to_string().as_str()), (text, of));
    assert!(value.is_wholly_known(), "{value:?}");
    assert_eq!(from_value::<T>(&value).as_ref(), Ok(rust), "{value:?}");
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Unit;

#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
struct Meters(u32);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Pair(u8, String);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Shape {
    Point,
    Circle(f64),
    Line(u8, u8),
    Box { width: u8, height: Option<u8> },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
enum Tier {
    Web,
    #[serde(rename = "data base")]
    Database,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Subnet {
    cidr: String,
    public: Option<bool>,
}

#[test]
fn scalars_are_what_they_are() {
    same(&true, "true", "bool");
    same(&i8::MIN, "-128", "number");
    same(&u64::MAX, "18446744073709551615", "number");
    same(&i128::MIN, "-170141183460469231731687303715884105728", "number");
    same(&u128::MAX, "340282366920938463463374607431768211455", "number");
    same(&0.1_f64, "0.1", "number");
    same(&0.1_f32, "0.1", "number");
    same(&16_777_217_f32, "16777216", "number");
    same(&f32::MAX, "340282350000000000000000000000000000000", "number");
    same(&f64::NEG_INFINITY, "-inf", "number");
    same(&f64::MIN_POSITIVE, &Number::try_from(f64::MIN_POSITIVE).unwrap().to_string(), "number");
    same(&'\u{e9}', "\"\u{e9}\"", "string");
    same(&"a".to_owned(), r#""a""#, "string");
    same(&Meters(3), "3", "number");
    same(&(), "null", "dynamic");
    same(&Unit, "null", "dynamic");
    same(&None::<u8>, "null", "dynamic");
    same(&Some(3_u8), "3", "number");
    // Negative zero is zero, and text is in normal form.
    assert_eq!(to_value(&-0.0_f64).unwrap(), Value::from(0));
    assert_eq!(from_value::<String>(&to_value("e\u{301}").unwrap()).unwrap(), "\u{e9}");
}

#[test]
fn floats_are_the_nearest_there_is() {
    let long: Number = "0.1000000000000000000000000000000000000000001".parse().unwrap();
    assert_eq!(from_value::<f64>(&Value::from(&long)), Ok(0.1));
    assert_eq!(from_value::<f32>(&Value::from(&long)), Ok(0.1));
    // Rounded once, not by way of f64.
    let between: Number = "1.00000005960464477539062500000000000000000001".parse().unwrap();
    assert_eq!(from_value::<f32>(&Value::from(&between)), Ok(1.000_000_1));
    assert_eq!(from_value::<f32>(&Value::from(Number::INFINITY)), Ok(f32::INFINITY));
}

#[test]
fn sequences_are_lists_if_their_elements_have_one_type() {
    same(&vec!["a".to_owned(), "b".to_owned()], r#"["a", "b"]"#, "list(string)");
    same(&Vec::<u8>::new(), "[]", "list(dynamic)");
    same(&vec![Some(1), None], "[1, null]", "list(number)");
    same(&vec![None::<u8>, None], "[null, null]", "tuple([dynamic, dynamic])");
    same(&vec![vec![1], vec![]], "[[1], []]", "list(list(number))");
    same(&vec![Vec::<u8>::new(), vec![]], "[[], []]", "tuple([list(dynamic), list(dynamic)])");
    same(&BTreeSet::from([2, 1]), "[1, 2]", "list(number)");
    same(&(1, "a".to_owned()), r#"[1, "a"]"#, "tuple([number, string])");
    same(&[1, 2], "[1, 2]", "tuple([number, number])");
    same(&Pair(1, "a".to_owned()), r#"[1, "a"]"#, "tuple([number, string])");
    let subnets =
        vec![Subnet { cidr: "a".into(), public: None }, Subnet { cidr: "b".into(), public: Some(true) }];
    same(
        &subnets,
        r#"[{cidr = "a", public = null}, {cidr = "b", public = true}]"#,
        "list(object({cidr = string, public = bool}))",
    );
    let shapes = vec![Shape::Point, Shape::Circle(0.5)];
    same(&shapes, r#"["Point", {Circle = 0.5}]"#, "tuple([string, object({Circle = number})])");
}

#[test]
fn maps_are_maps_if_their_elements_have_one_type() {
    same(&BTreeMap::from([("k".to_owned(), 1)]), r#"{"k" = 1}"#, "map(number)");
    same(&HashMap::<String, u8>::new(), "{}", "map(dynamic)");
    same(
        &BTreeMap::from([(1, Some("a".to_owned())), (-1, None)]),
        r#"{"-1" = null, "1" = "a"}"#,
        "map(string)",
    );
    same(&BTreeMap::from([(true, 1)]), r#"{"true" = 1}"#, "map(number)");
    same(&BTreeMap::from([('a', 1)]), r#"{"a" = 1}"#, "map(number)");
    same(&BTreeMap::from([(Meters(3), 1)]), r#"{"3" = 1}"#, "map(number)");
    same(&BTreeMap::from([(Tier::Database, 1)]), r#"{"data base" = 1}"#, "map(number)");
    let mixed = BTreeMap::from([("a".to_owned(), Shape::Point), ("b".to_owned(), Shape::Circle(1.0))]);
    same(&mixed, r#"{a = "Point", b = {Circle = 1}}"#, "object({a = string, b = object({Circle = number})})");
}

#[test]
fn enums_are_texts_and_objects_of_one_attribute() {
    same(&Shape::Point, r#""Point""#, "string");
    same(&Tier::Database, r#""data base""#, "string");
    same(&Shape::Circle(0.5), "{Circle = 0.5}", "object({Circle = number})");
    same(&Shape::Line(1, 2), "{Line = [1, 2]}", "object({Line = tuple([number, number])})");
    same(
        &Shape::Box { width: 1, height: None },
        "{Box = {height = null, width = 1}}",
        "object({Box = object({height = dynamic, width = number})})",
    );
    let all =
        ty("object({Box = object({height = number, width = number}), Circle = number, Line = list(number)})");
    for shape in [Shape::Circle(0.5), Shape::Line(1, 2), Shape::Box { width: 1, height: Some(2) }] {
        let value = to_value_as(&shape, &(&all).into()).unwrap();
        assert_eq!(value.ty(), all);
        assert_eq!(from_value::<Shape>(&value), Ok(shape));
    }
    let point = Value::object([("Point", Value::null(Type::Dynamic))]).unwrap();
    assert_eq!(from_value::<Shape>(&point), Ok(Shape::Point));
}

#[test]
fn bytes_are_numbers() {
    struct Bytes(Vec<u8>);

    impl Serialize for Bytes {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_bytes(&self.0)
        }
    }

    impl<'de> Deserialize<'de> for Bytes {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Bytes, D::Error> {
            struct Form;

            impl serde::de::Visitor<'_> for Form {
                type Value = Bytes;

                fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.write_str("bytes")
                }

                fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<Bytes, E> {
                    Ok(Bytes(bytes.to_vec()))
                }
            }

            deserializer.deserialize_bytes(Form)
        }
    }

    let value = to_value(&Bytes(vec![0, 255])).unwrap();
    assert_eq!(value, Value::list([0, 255]).unwrap());
    assert_eq!(from_value::<Bytes>(&value).unwrap().0, [0, 255]);
    assert_eq!(from_value::<Bytes>(&"ab".into()).unwrap().0, b"ab");
    let error = from_value::<Bytes>(&Value::tuple([1, 256]).unwrap()).err().unwrap();
    assert_eq!(error.to_string(), "[1]: value must be a whole number, between 0 and 255 inclusive");
    assert_eq!(to_value(&Bytes(vec![])).unwrap(), Value::list_of(Type::Number, [0_u8; 0]).unwrap());
}

#[test]
fn sets_and_structures_are_read_as_what_fits() {
    let set = Value::set([3, 1, 2]).unwrap();
    assert_eq!(from_value::<Vec<u8>>(&set), Ok(vec![1, 2, 3]));
    assert_eq!(from_value::<HashSet<u8>>(&set), Ok(HashSet::from([1, 2, 3])));
    assert_eq!(from_value::<[u8; 3]>(&set), Ok([1, 2, 3]));
    let map = Value::map([("cidr", "a")]).unwrap();
    assert_eq!(from_value::<Subnet>(&map), Ok(Subnet { cidr: "a".into(), public: None }));
    let tuple = Value::tuple([Value::from("a"), Value::from(true)]).unwrap();
    assert_eq!(from_value::<Subnet>(&tuple), Ok(Subnet { cidr: "a".into(), public: Some(true) }));
    let more = Value::object([("cidr", Value::from("a")), ("more", Value::unknown(Type::Bool))]).unwrap();
    assert_eq!(from_value::<Subnet>(&more), Ok(Subnet { cidr: "a".into(), public: None }));
}

#[test]
fn text_is_borrowed_from_the_value() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Borrowed<'a> {
        name: &'a str,
        tags: BTreeMap<&'a str, &'a str>,
    }

    let tags = Value::map([("k", "v")]).unwrap();
    let value = Value::object([("name", Value::from("n")), ("tags", tags)]).unwrap();
    let read: Borrowed<'_> = from_value(&value).unwrap();
    assert_eq!(read, Borrowed { name: "n", tags: BTreeMap::from([("k", "v")]) });
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Token;

impl Capsule for Token {
    const NAME: &'static str = "token";
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Passed {
    value: Value,
    number: Number,
    ty: Type,
    option: Option<Value>,
    all: Vec<Value>,
}

#[test]
fn values_pass_as_they_are() {
    let values = [
        Value::dynamic(),
        Value::unknown(Type::Bool).mark(Mark::SENSITIVE),
        vpc_id(),
        Value::null(Type::Bool),
        Value::null(Type::Bool).mark(Mark::EPHEMERAL),
        Value::list([Value::from("a").mark(Mark::new("m")), vpc_id()]).unwrap(),
        Value::set([vpc_id(), vpc_id()]).unwrap(),
        Value::capsule(Token),
        Value::unknown(Type::capsule::<Token>()),
        Value::list_of(Type::Dynamic, [Value::null(Type::Dynamic)]).unwrap(),
    ];
    for value in &values {
        assert_eq!(to_value(value).as_ref(), Ok(value));
        assert_eq!(from_value::<Value>(value).as_ref(), Ok(value));
        let option = (!value.is_null() || value.is_marked()).then(|| value.clone());
        let number: Number = "1e40".parse().unwrap();
        let passed =
            Passed { value: value.clone(), number, ty: ty("list(string)"), option, all: values.to_vec() };
        let made = to_value(&passed).unwrap();
        assert_eq!(made.get(&"value".parse().unwrap()).as_ref(), Ok(value));
        assert_eq!(made.get(&"all[7]".parse().unwrap()), Ok(Value::capsule(Token)));
        assert_eq!(made.get(&"ty".parse().unwrap()), Ok(Value::from("list(string)")));
        assert_eq!(made.get(&"number".parse().unwrap()).unwrap().ty(), Type::Number);
        assert_eq!(from_value::<Passed>(&made), Ok(passed));
    }
    let unknown = vec![Value::dynamic(), Value::from("a")];
    assert_eq!(to_value(&unknown).unwrap().ty().to_string(), "tuple([dynamic, string])");
}

#[test]
fn other_types_of_this_crate_are_their_forms() {
    let path: crate::Path = r#"a[0]["k"]"#.parse().unwrap();
    assert_eq!(from_value::<crate::Path>(&to_value(&path).unwrap()), Ok(path));
    let marks: crate::Marks = [Mark::SENSITIVE, Mark::new("m").with_note("n")].into_iter().collect();
    assert_eq!(from_value::<crate::Marks>(&to_value(&marks).unwrap()), Ok(marks));
    let refinement = Refinement::prefix("vpc-");
    assert_eq!(from_value::<Refinement>(&to_value(&refinement).unwrap()), Ok(refinement));
}

#[test]
fn json_documents_pass_both_ways() {
    let json = serde_json::json!({
        "name": null, "ports": [80, 443], "mixed": [1, "a", true], "share": 0.1, "big": 18446744073709551615_u64,
        "tags": {"a": "b"}, "none": [], "less": -1
    });
    let value = to_value(&json).unwrap();
    assert_eq!(
        value.ty().to_string(),
        "object({big = number, less = number, mixed = tuple([number, string, bool]), name = dynamic, \
         none = list(dynamic), ports = list(number), share = number, tags = map(string)})"
    );
    assert_eq!(from_value::<serde_json::Value>(&value), Ok(json));
    assert_eq!(to_value(&serde_json::json!(1e300)).unwrap().to_string().len(), 301);
    let large = serde_json::json!([1e32, 1e300, -1e25, 0.1]);
    assert_eq!(from_value::<serde_json::Value>(&to_value(&large).unwrap()), Ok(large));
    let error = from_value::<serde_json::Value>(&Value::from(Number::INFINITY)).unwrap_err();
    assert_eq!(error.to_string(), "an infinity is read as a float or a Number only");
}

#[test]
fn a_type_says_what_is_made() {
    let subnet = Subnet { cidr: "10".into(), public: None };
    let to = |text: &str| to_value_as(&subnet, &text.parse().unwrap());
    assert_eq!(
        to("object({cidr = number, name = optional(string, \"n\"), zone = string, public = bool})")
            .unwrap()
            .to_string(),
        r#"{cidr = 10, name = "n", public = null, zone = null}"#
    );
    assert_eq!(to("map(string)").unwrap().to_string(), r#"{"cidr" = "10", "public" = null}"#);
    assert_eq!(to("object({cidr = bool})").unwrap_err().to_string(), "cidr: a bool is required");
    let nested =
        to_value_as(&vec![subnet.clone()], &"set(object({cidr = string, x = number}))".parse().unwrap());
    assert_eq!(nested.unwrap().to_string(), r#"toset([{cidr = "10", x = null}])"#);
    let empty = to_value_as(&Vec::<u8>::new(), &"list(number)".parse().unwrap()).unwrap();
    assert_eq!(empty.ty(), ty("list(number)"));
}

#[test]
fn numbers_of_other_crates_keep_every_digit() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Price {
        #[serde(with = "crate::bridge::decimal")]
        net: bigdecimal::BigDecimal,
        #[serde(with = "crate::bridge::decimal")]
        units: num_bigint::BigInt,
    }

    for (net, units) in [
        ("0.1", "0"),
        ("-12345678901234567890.123456789", "-340282366920938463463374607431768211456"),
        ("1E-30", "7"),
        ("2E+30", "7"),
    ] {
        let price = Price { net: net.parse().unwrap(), units: units.parse().unwrap() };
        let value = to_value(&price).unwrap();
        assert_eq!(value.ty(), ty("object({net = number, units = number})"));
        assert_eq!(from_value(&value), Ok(price), "{value}");
    }
    let half: Number = "0.5".parse().unwrap();
    let half = Value::object([("net", half.clone()), ("units", half)]).unwrap();
    let error = from_value::<Price>(&half).unwrap_err();
    assert!(error.to_string().starts_with("units: the number is not fit"), "{error}");
}
