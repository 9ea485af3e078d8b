//! Fields that may not be known.

use super::*;
use crate::bridge::UnknownValue;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Vpc {
    id: Planned<String>,
    zones: Planned<Vec<String>>,
    subnets: Vec<Planned<Subnet>>,
    tags: BTreeMap<String, Planned<String>>,
    owner: Option<Planned<u64>>,
}

fn planned(id: Value, zones: Value, subnet: Value, tag: Value, owner: Value) -> Value {
    let subnets = Value::list([subnet]).unwrap();
    let tags = Value::map([("k", tag)]).unwrap();
    Value::object([("id", id), ("zones", zones), ("subnets", subnets), ("tags", tags), ("owner", owner)])
        .unwrap()
}

#[test]
fn a_plain_struct_sees_what_is_unknown_and_gives_it_back() {
    let unknown = Value::unknown(Type::String);
    let zones = Value::list([Value::from("a"), unknown.clone()]).unwrap();
    let subnet = Value::object([("cidr", vpc_id()), ("public", true.into())]).unwrap();
    let value = planned(vpc_id(), zones.clone(), subnet.clone(), unknown, Value::unknown(Type::Number));
    let vpc: Vpc = from_value(&value).unwrap();
    assert_eq!(vpc.id.ty(), Some(Type::String));
    assert_eq!(vpc.id.refinement(), Some(Refinement::prefix("vpc-").and_not_null()));
    // What is known beside the unknown is kept.
    assert_eq!(vpc.zones.as_unknown().map(UnknownValue::value), Some(&zones));
    assert_eq!(vpc.subnets[0].as_unknown().map(UnknownValue::value), Some(&subnet));
    assert!(vpc.tags["k"].is_unknown() && vpc.owner.as_ref().is_some_and(Planned::is_unknown));
    assert_eq!(to_value_as(&vpc, &value.ty().into()), Ok(value));

    let zones = Value::list(["a"]).unwrap();
    let subnet = Value::object([("cidr", Value::from("c")), ("public", Value::null(Type::Bool))]).unwrap();
    let value = planned("v".into(), zones, subnet, "t".into(), Value::null(Type::Number));
    let vpc: Vpc = from_value(&value).unwrap();
    assert_eq!(vpc.id, Planned::Known("v".into()));
    assert_eq!(vpc.subnets, [Planned::Known(Subnet { cidr: "c".into(), public: None })]);
    assert_eq!(vpc.owner, None);
    assert_eq!(to_value_as(&vpc, &value.ty().into()), Ok(value));
}

#[test]
fn what_is_inside_may_be_planned_as_well() {
    let value = Value::list([Value::from(1), Value::unknown(Type::Number)]).unwrap();
    let list: Planned<Vec<Planned<u8>>> = from_value(&value).unwrap();
    assert_eq!(list.known().map(Vec::len), Some(2));
    assert_eq!(to_value(&list), Ok(value.clone()));
    let other: Planned<Vec<Value>> = from_value(&value).unwrap();
    assert!(other.is_known());
    let set = Value::set([vpc_id(), "a".into()]).unwrap();
    assert_eq!(from_value::<Vec<Planned<String>>>(&set).unwrap().len(), 2);
    // What is wrong is told, beside what is unknown or not.
    let wrong = Value::tuple([Value::from("a"), Value::unknown(Type::Number)]).unwrap();
    let error = from_value::<Planned<Vec<u8>>>(&wrong).unwrap_err();
    assert_eq!(error.to_string(), "[0]: number required, but have string");
}

#[test]
fn null_is_null_whatever_is_planned() {
    let null = Value::null(Type::Number);
    assert_eq!(from_value::<Planned<u8>>(&null), Ok(Planned::Null));
    assert_eq!(from_value::<Planned<Option<u8>>>(&null), Ok(Planned::Null));
    assert_eq!(from_value::<Planned<Value>>(&null), Ok(Planned::Null));
    assert_eq!(from_value::<Option<Planned<u8>>>(&null), Ok(None));
    assert_eq!(from_value::<Planned<Planned<u8>>>(&1.into()), Ok(Planned::Known(Planned::Known(1))));
    assert_eq!(to_value(&Planned::<u8>::Null), Ok(Value::null(Type::Dynamic)));
    assert_eq!(Planned::<u8>::default(), Planned::Null);
}

#[test]
fn a_planned_answers() {
    let id: Planned<String> =
        Planned::refined(Type::String, Refinement::prefix("vpc-").and_not_null()).unwrap();
    assert_eq!(to_value(&id), Ok(vpc_id()));
    assert_eq!(id.to_string(), r#""vpc-${(known after apply)}""#);
    assert_eq!(
        format!("{:?}", id.clone().map(|id| id.len())),
        "Unknown(unknown(string, notnull(stringprefix(\"vpc-\"))))"
    );
    assert!(id.clone().required().unwrap_err().is_unknown());
    let one: Refinement = "notnull(number(1, 1))"
        .parse()
        .unwrap_or_else(|_| Refinement::number(crate::NumberRange::exactly(1)).and_not_null());
    assert!(Planned::<u8>::refined(Type::Number, one).unwrap_err().is_contradiction());
    assert!(Planned::<u8>::refined(Type::Number, Refinement::prefix("a")).unwrap_err().is_type_mismatch());

    let mut known = Planned::from(1);
    assert!(known.is_known() && !known.is_null() && !known.is_unknown());
    if let Some(known) = known.known_mut() {
        *known = 2;
    }
    assert_eq!((known.as_ref().into_known(), known.to_string().as_str()), (Some(&2), "2"));
    assert_eq!((known.ty(), known.refinement()), (None, None));
    assert_eq!(known.clone().required(), Ok(2));
    assert!(Planned::<u8>::Null.required().unwrap_err().is_null());
    assert_eq!(Planned::<u8>::Null.to_string(), "null");
}

/// Through a format for people, one that is not, and the bridge.
#[track_caller]
fn everywhere<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T, text: &str) {
    let json = serde_json::to_string(value).unwrap();
    assert_eq!(json, text);
    assert_eq!(&serde_json::from_str::<T>(&json).unwrap(), value);
    let document: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(&serde_json::from_value::<T>(document).unwrap(), value);
    let bytes = postcard::to_stdvec(value).unwrap();
    assert_eq!(&postcard::from_bytes::<T>(&bytes).unwrap(), value);
    assert_eq!(from_value::<T>(&to_value(value).unwrap()).as_ref(), Ok(value));
}

#[test]
fn a_planned_travels_in_any_format() {
    let form = |node: &str| format!(r#"{{"plantime":1,"value":{node}}}"#);
    everywhere(&Planned::from("a".to_owned()), r#""a""#);
    everywhere(&Planned::from(5_u8), "5");
    everywhere(&Planned::from(-5_i64), "-5");
    everywhere(&Planned::from(0.5), "0.5");
    everywhere(&Planned::from(true), "true");
    everywhere(&Planned::from('x'), r#""x""#);
    everywhere(&Planned::from(Meters(5)), "5");
    everywhere(&Planned::from(Some(5)), "5");
    everywhere(&Planned::from(vec![1, 2]), "[1,2]");
    everywhere(&Planned::from((1, "a".to_owned())), r#"[1,"a"]"#);
    everywhere(&Planned::from(BTreeMap::from([(1, 2), (3, 4)])), r#"{"1":2,"3":4}"#);
    everywhere(&Planned::from(BTreeMap::<String, u8>::new()), "{}");
    everywhere(&Planned::from(Subnet { cidr: "c".into(), public: None }), r#"{"cidr":"c","public":null}"#);
    everywhere(&Planned::from(Shape::Point), r#""Point""#);
    everywhere(&Planned::from(Shape::Circle(0.5)), r#"{"Circle":0.5}"#);
    everywhere(&Planned::Known(Planned::Known(5)), "5");
    everywhere(&Planned::from("1.50".parse::<Number>().unwrap()), r#""1.5""#);
    everywhere(&Planned::from(Value::from("a")), &form(r#"["string","a"]"#));
    everywhere(&Planned::<u8>::Null, "null");
    everywhere(&Planned::<u8>::unknown(Type::Number), &form(r#"["unknown","number"]"#));
    everywhere(&Planned::<u8>::unknown(Type::Dynamic), &form(r#"["dynamic"]"#));
    let partial: Planned<Vec<u8>> =
        from_value(&Value::list([Value::from(1), Value::unknown(Type::Number)]).unwrap()).unwrap();
    everywhere(&partial, &form(r#"["list","number",["number","1"],["unknown","number"]]"#));
    assert!(serde_json::from_str::<Planned<u8>>(r#"{"plantime":2,"value":["dynamic"]}"#).is_err());
    assert!(serde_json::from_str::<Planned<u8>>(r#"{"plantime":1,"value":["number","5"]}"#).is_err());
    assert!(serde_json::from_str::<Planned<u8>>("[5]").is_err());
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Flat {
    name: String,
    #[serde(flatten)]
    vpc: Named,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Named {
    id: Planned<String>,
    size: Planned<u64>,
    zones: Vec<Planned<String>>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Either {
    Text { text: Planned<String> },
    Count { count: Planned<u8> },
}

#[test]
fn a_planned_may_be_in_what_serde_buffers() {
    let unknown = Value::unknown(Type::Number);
    let zones = Value::list([vpc_id(), "a".into()]).unwrap();
    let attributes =
        [("name", Value::from("n")), ("id", vpc_id()), ("size", unknown.clone()), ("zones", zones)];
    let value = Value::object(attributes).unwrap();
    let flat: Flat = from_value(&value).unwrap();
    assert!(flat.vpc.id.is_unknown() && flat.vpc.size.is_unknown() && flat.vpc.zones[0].is_unknown());
    assert_eq!(to_value(&flat), Ok(value));
    everywhere_for_people(&flat);
    let known = Flat {
        name: "n".into(),
        vpc: Named { id: "i".to_owned().into(), size: Planned::Null, zones: vec![] },
    };
    everywhere_for_people(&known);
    let count = Value::object([("count", unknown)]).unwrap();
    assert_eq!(from_value::<Either>(&count), Ok(Either::Count { count: Planned::unknown(Type::Number) }));
    everywhere_for_people(&Either::Text { text: "t".to_owned().into() });
}

#[track_caller]
fn everywhere_for_people<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    assert_eq!(&serde_json::from_str::<T>(&serde_json::to_string(value).unwrap()).unwrap(), value);
    assert_eq!(from_value::<T>(&to_value(value).unwrap()).as_ref(), Ok(value));
}
