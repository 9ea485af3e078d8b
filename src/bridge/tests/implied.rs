//! The types that Rust types read.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::num::NonZeroU8;

use super::*;
use crate::bridge::{implied_constraint, implied_type};

#[track_caller]
fn is<T: DeserializeOwned>(constraint: &str) {
    assert_eq!(implied_constraint::<T>().map(|found| found.to_string()).as_deref(), Ok(constraint));
    let ty = implied_constraint::<T>().unwrap().to_type();
    assert_eq!(implied_type::<T>(), Ok(ty));
}

#[track_caller]
fn cannot<T: DeserializeOwned>(message: &str) {
    assert_eq!(implied_type::<T>().unwrap_err().to_string(), message);
}

#[test]
fn types_are_told_by_what_they_ask_for() {
    is::<bool>("bool");
    is::<i8>("number");
    is::<u128>("number");
    is::<f32>("number");
    is::<NonZeroU8>("number");
    is::<Number>("number");
    is::<char>("string");
    is::<String>("string");
    is::<Type>("string");
    is::<Value>("any");
    is::<()>("any");
    is::<Option<String>>("string");
    is::<Meters>("number");
    is::<Planned<Vec<String>>>("list(string)");
    is::<Vec<Option<Meters>>>("list(number)");
    is::<HashSet<String>>("list(string)");
    is::<(u8, String)>("tuple([number, string])");
    is::<[bool; 2]>("tuple([bool, bool])");
    is::<HashMap<String, Vec<Value>>>("map(list(any))");
    is::<BTreeMap<u16, f64>>("map(number)");
    is::<BTreeMap<Tier, f64>>("map(number)");
    is::<Subnet>("object({cidr = string, public = optional(bool)})");
    is::<Tier>("string");
    is::<Passed>(
        "object({all = list(any), number = number, option = optional(any), ty = string, value = any})",
    );
}

#[test]
fn every_field_is_asked_for_whatever_texts_it_takes() {
    #[derive(Deserialize)]
    #[expect(dead_code, reason = "only read")]
    struct Host {
        address: Ipv4Addr,
        many: Vec<IpAddr>,
        maybe: Option<SocketAddr>,
        tuple: (Ipv4Addr, u8),
        by_address: BTreeMap<Ipv4Addr, bool>,
        #[serde(deserialize_with = "never")]
        stubborn: String,
        inner: Inner,
        #[serde(alias = "other")]
        last: bool,
        #[serde(skip)]
        skipped: u8,
    }

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "only read")]
    struct Inner {
        #[serde(deserialize_with = "never")]
        stubborn: String,
        tier: Tier,
        level: Level,
    }

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "only read")]
    enum Level {
        Low(u8),
        High { name: String, tier: Tier },
        Pair(bool, Option<bool>),
    }

    fn never<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
        let text = String::deserialize(deserializer)?;
        Err(serde::de::Error::custom(format_args!("{text} is not what I want")))
    }

    is::<Host>(
        "object({address = string, by_address = map(bool), inner = object({level = object({High = optional(object({\
         name = string, tier = string})), Low = optional(number), Pair = optional(tuple([bool, bool]))}), stubborn = string, \
         tier = string}), last = bool, many = list(string), maybe = optional(string), stubborn = string, \
         tuple = tuple([string, number])})",
    );
}

#[test]
fn where_serde_cannot_tell_the_place_is_told() {
    #[derive(Deserialize)]
    #[expect(dead_code, reason = "only read")]
    struct Loose {
        name: String,
        rest: Vec<serde_json::Value>,
    }

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "only read")]
    struct Tree {
        name: String,
        left: Option<Box<Tree>>,
        right: Option<Box<Tree>>,
    }

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "only read")]
    struct Endless(Option<Box<Endless>>);

    #[derive(Deserialize)]
    enum Never {}

    let anything = "serde cannot tell the type: what is read here asks for anything";
    cannot::<serde_json::Value>(anything);
    cannot::<Loose>(&format!("rest[*]: {anything}"));
    cannot::<Shape>("some variants have content and some have none, so they have no type in common");
    cannot::<Never>("an enum without variants has no values");
    let error = implied_type::<Tree>().unwrap_err();
    assert!(error.is_limit());
    assert_eq!(error.message(), "the type nests more than 256 levels deep: is it recursive?");
    assert_eq!(error.path().len(), 256);
    assert!(implied_type::<Endless>().unwrap_err().is_limit());
    assert!(implied_type::<Vec<Tree>>().unwrap_err().is_limit());
    assert!(implied_type::<Loose>().unwrap_err().needs_type());
}

#[test]
fn values_of_the_implied_type_are_read() {
    let constraint = implied_constraint::<Vec<Subnet>>().unwrap();
    let subnets = vec![Subnet { cidr: "a".into(), public: None }];
    let value = to_value_as(&subnets, &constraint).unwrap();
    assert_eq!(value.ty(), constraint.to_type());
    assert_eq!(from_value::<Vec<Subnet>>(&value), Ok(subnets));
}
