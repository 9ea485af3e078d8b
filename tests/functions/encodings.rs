//! Known answers of the functions of encodings, digests, timestamps, networks and marks, also for known prefixes.

use plantime::function::Functions;
use plantime::{Mark, Refinement, Type, Value};

#[track_caller]
fn call(name: &str, arguments: &[Value]) -> Value {
    Functions::standard().call(name, arguments).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[track_caller]
fn fails(name: &str, arguments: &[Value]) -> String {
    Functions::standard().call(name, arguments).expect_err(name).to_string()
}

#[track_caller]
fn texts(cases: &[(&str, &[&str], &str)]) {
    for (name, arguments, expected) in cases {
        let arguments: Vec<Value> = arguments.iter().map(|text| Value::from(*text)).collect();
        assert_eq!(call(name, &arguments), Value::from(*expected), "{name}{arguments:?}");
    }
}

fn starting(prefix: &str) -> Value {
    Value::unknown(Type::String).assume_string_prefix(prefix).unwrap().assume_not_null().unwrap()
}

#[test]
fn known_answers() {
    texts(&[
        ("base64encode", &["Hello World"], "SGVsbG8gV29ybGQ="),
        ("base64decode", &["SGVsbG8gV29ybGQ="], "Hello World"),
        ("base64decode", &["SGVs\nbG8="], "Hello"),
        ("urlencode", &["a b/\u{e9}~*"], "a+b%2F%C3%A9~%2A"),
        ("urldecode", &["a+b%2F%c3%A9~%2A*/"], "a b/\u{e9}~**/"),
        ("md5", &["hello world"], "5eb63bbbe01eeed093cb22bb8f5acdc3"),
        ("sha1", &["hello world"], "2aae6c35c94fcfb415dbe95f408b9ce91ee846ed"),
        ("sha256", &["hello world"], "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9"),
        ("base64sha256", &["hello world"], "uU0nuZNNPgilLlLX2n2r+sSE7+N6U4DukIj3rOLvzek="),
        ("uuidv5", &["dns", "www.terraform.io"], "a5008fae-b28c-5ba5-96cd-82b4c53552d6"),
        ("cidrhost", &["10.12.112.0/20", "16"], "10.12.112.16"),
        ("cidrhost", &["10.12.112.0/20", "-1"], "10.12.127.255"),
        ("cidrhost", &["fd00:fd12:3456:7890:00a2::/72", "34"], "fd00:fd12:3456:7890::22"),
        ("cidrhost", &["::/0", "-1"], "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
        ("cidrnetmask", &["172.16.0.0/12"], "255.240.0.0"),
        ("cidrsubnet", &["172.16.0.0/12", "4", "2"], "172.18.0.0/16"),
        ("cidrsubnet", &["10.1.2.0/24", "4", "15"], "10.1.2.240/28"),
        ("cidrsubnet", &["fd00:fd12:3456:7890::/56", "16", "162"], "fd00:fd12:3456:7800:a200::/72"),
        ("cidrsubnet", &["0.0.0.0/0", "0", "0"], "0.0.0.0/0"),
        ("cidrsubnet", &["::ffff:192.168.0.0/112", "8", "6"], "192.168.6.0/24"),
        ("cidrsubnet", &["::/80", "16", "65535"], "0.0.0.0/0"),
        ("cidrsubnet", &["::/80", "16", "65534"], "::fffe:0:0/96"),
        ("cidrhost", &["::ffff:192.168.0.0/112", "5"], "192.168.0.5"),
        ("cidrhost", &["::/0", "281470681743365"], "0.0.0.5"),
    ]);
    let subnets = call("cidrsubnets", &["10.1.0.0/16".into(), 4.into(), 4.into(), 8.into(), 4.into()]);
    let expected = ["10.1.0.0/20", "10.1.16.0/20", "10.1.32.0/24", "10.1.48.0/20"];
    assert_eq!(subnets, Value::list(expected).unwrap());
    let subnets = call("cidrsubnets", &["2001:db8:102:304::/64".into(), 32.into(), 56.into(), 64.into()]);
    let expected = ["2001:db8:102:304::/96", "2001:db8:102:304:0:1::/120", "2001:db8:102:304:0:1:0:100/128"];
    assert_eq!(subnets, Value::list(expected).unwrap());
}

#[test]
fn what_is_wrong_is_said() {
    let cases: &[(&str, &[Value], &str)] = &[
        ("base64decode", &["!".into()], "argument 1: failed to decode base64 data \"!\""),
        (
            "base64decode",
            &["/w==".into()],
            "argument 1: the result of decoding the provided string is not valid UTF-8",
        ),
        ("urldecode", &["a%2".into()], "argument 1: failed to decode URL \"a%2\": invalid URL escape \"%2\""),
        (
            "urldecode",
            &["%g1x".into()],
            "argument 1: failed to decode URL \"%g1x\": invalid URL escape \"%g1\"",
        ),
        (
            "urldecode",
            &["%ff".into()],
            "argument 1: the result of decoding the provided string is not valid UTF-8",
        ),
        ("uuidv5", &["x".into(), "y".into()], "argument 1: uuidv5() doesn't support namespace \"x\""),
        (
            "cidrhost",
            &["10.0.0.0".into(), 1.into()],
            "argument 1: invalid CIDR expression: invalid CIDR address: 10.0.0.0",
        ),
        (
            "cidrhost",
            &["10.0.0.0/24".into(), 256.into()],
            "argument 2: prefix of 24 does not accommodate a host numbered 256",
        ),
        (
            "cidrhost",
            &["10.0.0.0/30".into(), (-9).into()],
            "argument 2: prefix of 30 does not accommodate a host numbered -5",
        ),
        (
            "cidrsubnets",
            &["10.0.0.0/8".into(), 25.into()],
            "argument 2: would extend prefix to 33 bits, which is too long for an IPv4 address",
        ),
        ("cidrnetmask", &["fd00::/8".into()], "argument 1: IPv6 addresses cannot have a netmask: fd00::/8"),
        (
            "cidrsubnet",
            &["10.0.0.0/24".into(), 9.into(), 0.into()],
            "argument 2: insufficient address space to extend prefix of 24 by 9",
        ),
        (
            "cidrsubnet",
            &["10.0.0.0/24".into(), 2.into(), 4.into()],
            "argument 3: prefix extension of 2 does not accommodate a subnet numbered 4",
        ),
        (
            "cidrsubnet",
            &["10.0.0.0/24".into(), 2.into(), (-1).into()],
            "argument 3: prefix extension of 2 does not accommodate a subnet numbered -1",
        ),
        (
            "cidrsubnets",
            &["2001:db8::/64".into(), 65.into()],
            "argument 2: may not extend prefix by more than 32 bits",
        ),
        (
            "cidrsubnets",
            &["10.0.0.0/31".into(), 1.into(), 1.into(), 1.into()],
            "argument 4: not enough remaining address space for a subnet with a prefix of 32 bits after 10.0.0.1/32",
        ),
    ];
    for (name, arguments, expected) in cases {
        assert_eq!(fails(name, arguments), *expected);
    }
}

#[test]
fn beginnings_are_kept() {
    let unknown = Value::unknown(Type::Number);
    let prefix = |value: Value| value.range().prefix().unwrap_or_default().to_owned();
    assert_eq!(prefix(call("base64encode", &[starting("vpc-")])), "dnBjL");
    assert_eq!(prefix(call("base64decode", &[starting("dnBjLTEx")])), "vpc-11");
    assert_eq!(prefix(call("urlencode", &[starting("a b")])), "a+b");
    // An incomplete escape or character is not decoded yet.
    assert_eq!(prefix(call("urldecode", &[starting("-%2F%")])), "-/");
    assert_eq!(prefix(call("urldecode", &[starting("-%2F%C3")])), "-/");
    assert!(fails("urldecode", &[starting("a%zz")]).contains("invalid URL escape"));
    assert_eq!(prefix(call("dirname", &[starting("../../a/")])), "../..");
    assert_eq!(prefix(call("dirname", &[starting("/a/")])), "/");
    assert_eq!(prefix(call("cidrhost", &["10.20.0.0/18".into(), unknown.clone()])), "10.20.");
    let subnet = call("cidrsubnet", &["2001:db8:0:1::/64".into(), 8.into(), unknown.clone()]);
    assert_eq!(prefix(subnet), "2001:db8:");
    let mapping = call("cidrsubnet", &["::ffff:192.168.0.0/112".into(), 8.into(), unknown.clone()]);
    assert_eq!(prefix(mapping), "192.168.");
    let in_part_mapping = call("cidrhost", &["::/64".into(), unknown.clone()]);
    assert_eq!(prefix(in_part_mapping), "");
    let subnets = call("cidrsubnets", &["10.20.0.0/16".into(), unknown.clone(), unknown.clone()]);
    let network = r"^10\.20\.[0-9]{1,3}\.[0-9]{1,3}/[0-9]{1,2}$";
    let network = Value::refined(Type::String, Refinement::pattern(network).unwrap().and_not_null()).unwrap();
    assert_eq!(subnets, Value::list([network.clone(), network]).unwrap());
    assert!(fails("cidrhost", &["x".into(), unknown]).contains("invalid CIDR expression"));
    let date = call("formatdate", &["'at 'hh:mm".into(), Value::unknown(Type::String)]);
    assert_eq!(prefix(date), "at ");
}

#[test]
fn a_header_line_tells_the_type() {
    let rows = call("csvdecode", &[starting("a,b\n1,2\n\"3")]);
    assert_eq!(rows.ty().to_string(), "list(object({a = string, b = string}))");
    assert_eq!(rows.range().length_range().unwrap().lower(), 1);
    assert!(fails("csvdecode", &[starting("a,b\n1\n")]).contains("wrong number of fields"));
}

#[test]
fn marks_are_put_on_and_taken_off() {
    let secret = call("sensitive", &["x".into()]);
    assert!(secret.marks().contains(&Mark::SENSITIVE));
    assert_eq!(call("issensitive", std::slice::from_ref(&secret)), Value::from(true));
    assert_eq!(call("nonsensitive", &[secret]), Value::from("x"));
    assert_eq!(call("issensitive", &["x".into()]), Value::from(false));
    assert!(!call("issensitive", &[Value::unknown(Type::String)]).is_known());
    let own = Value::from("x").mark(Mark::new("own")).mark(Mark::SENSITIVE);
    assert_eq!(call("nonsensitive", &[own]), Value::from("x").mark(Mark::new("own")));
}

#[test]
fn what_stands_in_sets_is_certain_too() {
    let function = Functions::standard().get("jsonencode").unwrap();
    crate::laws::proof(function).on([plantime::testing::Domain::nested()]).optimal().assert();
}

#[test]
fn leading_zeros_are_decimal() {
    assert_eq!(call("cidrhost", &["010.0.0.0/8".into(), 1.into()]), Value::from("10.0.0.1"));
}

#[test]
fn base64_is_canonical() {
    assert_eq!(call("base64decode", &["dg==".into()]), Value::from("v"));
    assert!(fails("base64decode", &["dh==".into()]).contains("failed to decode base64 data"));
}

#[test]
fn hostile_arguments_are_errors() {
    let digits = "9".repeat(8000);
    for duration in [format!("{digits}h"), format!("0.{digits}d"), "2562047h".repeat(100_000)] {
        let result = Functions::standard().call("timeadd", &["2024-02-29T13:05:09Z".into(), duration.into()]);
        assert!(result.is_err());
    }
    let number: plantime::Number = digits.parse().unwrap();
    assert!(fails("cidrhost", &["10.0.0.0/8".into(), number.clone().into()]).len() < 200);
    assert!(fails("cidrsubnet", &["10.0.0.0/8".into(), 8.into(), number.into()]).len() < 200);
    let deep = "[".repeat(100_000);
    assert!(Functions::standard().call("jsondecode", &[deep.into()]).is_err());
    let unknown = starting(&"[".repeat(10_000));
    assert_eq!(call("jsondecode", &[unknown]), Value::dynamic());
    assert!(Functions::standard().call("csvdecode", &["a,".repeat(10_000).into()]).is_err());
}
