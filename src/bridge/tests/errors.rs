//! What every error says, and where.

use super::*;

#[track_caller]
fn refused<T: DeserializeOwned + Debug>(value: &Value, message: &str) {
    assert_eq!(from_value::<T>(value).unwrap_err().to_string(), message);
}

fn at(name: &str, value: Value) -> Value {
    Value::object([(name, value)]).unwrap()
}

#[test]
fn numbers_are_checked_in_the_words_of_cty() {
    let half = Value::from("0.5".parse::<Number>().unwrap());
    refused::<i8>(&half, "value must be a whole number, between -128 and 127");
    refused::<i8>(&128.into(), "value must be a whole number, between -128 and 127");
    refused::<i64>(
        &u64::MAX.into(),
        "value must be a whole number, between -9223372036854775808 and 9223372036854775807",
    );
    refused::<u8>(&(-1).into(), "value must be a whole number, between 0 and 255 inclusive");
    refused::<u64>(
        &Number::INFINITY.into(),
        "value must be a whole number, between 0 and 18446744073709551615 inclusive",
    );
    refused::<u128>(
        &Value::from("1e40".parse::<Number>().unwrap()),
        "value must be a whole number, between 0 and 340282366920938463463374607431768211455 inclusive",
    );
    let most = "340282346638528859811704183484516925440.000000";
    let large = Value::from("1e39".parse::<Number>().unwrap());
    refused::<f32>(&large, &format!("value must be between -{most} and {most} inclusive"));
    let largest = Value::from("-1e309".parse::<Number>().unwrap());
    let error = from_value::<f64>(&largest).unwrap_err();
    assert!(error.is_argument());
    assert!(error.message().starts_with("value must be between -1797693134862315708145274237317"), "{error}");
    assert!(error.message().ends_with("4858368.000000 inclusive"), "{error}");
    refused::<std::num::NonZeroU8>(&0.into(), "a nonzero u8 required, but have integer `0`");
}

#[test]
fn the_wrong_type_is_told() {
    refused::<bool>(&"a".into(), "bool required, but have string");
    refused::<u8>(&"5".into(), "number required, but have string");
    refused::<f64>(&true.into(), "number required, but have bool");
    refused::<Number>(&"5".into(), "number required, but have string");
    refused::<String>(&5.into(), "string required, but have number");
    refused::<char>(&"ab".into(), "a character required, but have string \"ab\"");
    refused::<()>(&5.into(), "null required, but have number");
    refused::<Vec<u8>>(&at("a", 1.into()), "list, set or tuple required, but have object");
    refused::<BTreeMap<String, u8>>(&5.into(), "map or object required, but have number");
    refused::<Subnet>(&5.into(), "object, map or tuple required, but have number");
    refused::<Subnet>(&Value::list(["a"]).unwrap(), "object, map or tuple required, but have list of string");
    refused::<Shape>(&5.into(), "string or object of one attribute required, but have number");
    refused::<u8>(&Value::capsule(Token), "number required, but have token");
    refused::<serde_json::Value>(&Value::capsule(Token), "a value with a form required, but have token");
    let error = from_value::<Vec<u8>>(&Value::list(["a"]).unwrap()).unwrap_err();
    assert!(error.is_type_mismatch());
    assert_eq!((error.expected(), error.found()), (Some(&Type::Number), Some(&Type::String)));
    assert_eq!(error.path().to_string(), "[0]");
}

#[test]
fn lengths_are_told() {
    let (list, tuple) = (Value::list([1, 2]).unwrap(), Value::tuple([1, 2]).unwrap());
    refused::<[u8; 3]>(&list, "must be a list of length 3");
    refused::<(u8, u8, u8)>(&tuple, "a tuple of 3 elements is required");
    refused::<[u8; 1]>(&list, "must be a list of length 1");
    refused::<Pair>(&Value::tuple([1]).unwrap(), "a tuple of 2 elements is required");
    refused::<Subnet>(&Value::tuple(["a"]).unwrap(), "a tuple of 2 elements is required");
}

#[test]
fn attributes_are_told() {
    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Strict {
        #[expect(dead_code, reason = "only read")]
        name: String,
    }

    refused::<Subnet>(&at("public", true.into()), "missing required attribute \"cidr\"");
    let more = Value::object([("name", "n"), ("more", "m")]).unwrap();
    refused::<Strict>(&more, "unsupported attribute \"more\"");
    refused::<Vec<Strict>>(&Value::list([more]).unwrap(), "[0]: unsupported attribute \"more\"");
    assert!(from_value::<Strict>(&at("x", 1.into())).unwrap_err().is_not_found());
}

#[test]
fn variants_are_told() {
    refused::<Tier>(&"Cache".into(), "unsupported variant \"Cache\"; there are \"Web\", \"data base\"");
    refused::<Shape>(
        &"Circle".into(),
        "variant \"Circle\" has content: an object of that attribute is required",
    );
    refused::<Shape>(&at("Point", 1.into()), "Point: null required, but have number");
    refused::<Shape>(&at("Circle", "a".into()), "Circle: number required, but have string");
    refused::<Shape>(&at("Line", Value::tuple([1]).unwrap()), "Line: a tuple of 2 elements is required");
    let two = Value::object([("Circle", 1), ("Line", 2)]).unwrap();
    refused::<Shape>(&two, "exactly one attribute that is not null is required");
    let none =
        Value::object([("Circle", Value::null(Type::Number)), ("Line", Value::null(Type::Number))]).unwrap();
    refused::<Shape>(&none, "exactly one attribute that is not null is required");
}

#[test]
fn what_is_null_unknown_or_marked_is_told_with_its_place() {
    let null = Value::null(Type::String);
    refused::<String>(&null, "null value is not allowed");
    refused::<u8>(&null, "null value is not allowed");
    refused::<bool>(&null, "null value is not allowed");
    refused::<Vec<u8>>(&null, "null value is not allowed");
    refused::<BTreeMap<String, u8>>(&null, "null value is not allowed");
    refused::<Subnet>(&null, "null value is not allowed");
    refused::<Shape>(&null, "null value is not allowed");
    refused::<Subnet>(&at("cidr", vpc_id()), "cidr: value must be known");
    refused::<Subnet>(&Value::dynamic(), "value must be known");
    refused::<Option<u8>>(&Value::unknown(Type::Number), "value must be known");
    refused::<serde_json::Value>(&at("a", vpc_id()), "a: value must be known");
    let secret = at("cidr", Value::from("hunter2").mark(Mark::SENSITIVE));
    refused::<Subnet>(&secret, "cidr: value is marked, so must be unmarked first");
    refused::<serde_json::Value>(&secret, "cidr: value is marked, so must be unmarked first");
    refused::<Subnet>(&secret.clone().mark(Mark::EPHEMERAL), "value is marked, so must be unmarked first");
    refused::<BTreeMap<String, Planned<String>>>(&secret, "cidr: value is marked, so must be unmarked first");
    refused::<Option<u8>>(&null.mark(Mark::SENSITIVE), "value is marked, so must be unmarked first");
    let deep = at("a", Value::list([Value::map([("k", vpc_id())]).unwrap()]).unwrap());
    refused::<BTreeMap<String, Vec<BTreeMap<String, String>>>>(&deep, "a[0][\"k\"]: value must be known");
    let set = Value::set([Value::from(300)]).unwrap();
    refused::<Vec<u8>>(&set, "[300]: value must be a whole number, between 0 and 255 inclusive");
    assert!(from_value::<Subnet>(&secret).unwrap_err().is_marked());
    assert!(from_value::<Subnet>(&at("cidr", vpc_id())).unwrap_err().is_unknown());
    assert!(from_value::<u8>(&Value::null(Type::Number)).unwrap_err().is_null());
}

#[test]
fn keys_are_told() {
    let map = |key: &str| Value::map([(key, 1)]).unwrap();
    refused::<BTreeMap<u8, u8>>(&map("256"), "value must be a whole number, between 0 and 255 inclusive");
    refused::<BTreeMap<u8, u8>>(&map("01"), "a key that is a number is required, but have \"01\"");
    refused::<BTreeMap<bool, u8>>(&map("1"), "a key that is a bool is required, but have \"1\"");
    refused::<BTreeMap<Tier, u8>>(&map("x"), "unsupported variant \"x\"; there are \"Web\", \"data base\"");
}

#[test]
fn what_cannot_be_made_is_told_with_its_place() {
    #[track_caller]
    fn refused<T: Serialize>(rust: &T, message: &str) {
        assert_eq!(to_value(rust).unwrap_err().to_string(), message);
    }

    refused(&BTreeMap::from([("a", vec![1.0, f64::NAN])]), "[\"a\"][1]: NaN is no number");
    refused(&f32::NAN, "NaN is no number");
    refused(&Shape::Circle(f64::NAN), "Circle: NaN is no number");
    refused(&BTreeMap::from([(vec![1], 1)]), "the key of a map must be text, a whole number or a bool");
    refused(&BTreeMap::from([(Some(1), 1)]), "the key of a map must be text, a whole number or a bool");
    refused(&BTreeMap::from([((), 1)]), "the key of a map must be text, a whole number or a bool");
    let twice = BTreeMap::from([("\u{e9}", 1), ("e\u{301}", 2)]);
    refused(&twice, "two keys are the same text once normalised");
}

#[test]
fn code_that_saw_what_is_marked_is_not_heard() {
    #[derive(Debug)]
    struct Told;

    impl<'de> Deserialize<'de> for Told {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Told, D::Error> {
            let value = Value::deserialize(deserializer)?.unmark_deep().0;
            Err(serde::de::Error::custom(format_args!("I do not like {value}")))
        }
    }

    let plain = at("a", "hunter2".into());
    refused::<BTreeMap<String, Told>>(&plain, "a: I do not like \"hunter2\"");
    let secret = at("a", Value::from("hunter2").mark(Mark::SENSITIVE));
    let hidden = "a: the value is not fit, and it is marked, so the reason is not shown";
    refused::<BTreeMap<String, Told>>(&secret, hidden);
    assert!(from_value::<Told>(&plain).unwrap_err().is_custom());
}
