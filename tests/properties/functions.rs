//! The standard functions on long texts and large values: what a call says of arguments that are not known yet holds of
//! the answer for what they become.

use plantime::function::{Function, Functions};
use plantime::sample::{Size, Weakened};
use plantime::strategy::{weakened, weakened_of, weakening_of};
use plantime::{Type, Value};
use proptest::prelude::{Strategy, any, prop_oneof};
use proptest::strategy::BoxedStrategy;

use crate::checks::laws::{self, Call};
use crate::law;

#[test]
fn calls_are_sound_on_long_texts_and_large_values() {
    for function in functions() {
        law(100, &arguments(&function), |arguments| sound(&function, &arguments));
    }
}

/// Those of both tables; what takes bytes or types is tried elsewhere, on all there are of a few.
fn functions() -> Vec<Function> {
    let tables = [Functions::cty(), Functions::standard()];
    let of_capsules = |function: &Function| {
        let mut all = function.parameters().iter().chain(function.variadic());
        all.any(|parameter| matches!(parameter.ty(), Type::Capsule(_)))
    };
    tables
        .into_iter()
        .flat_map(|table| table.iter())
        .filter(|function| !of_capsules(function))
        .cloned()
        .collect()
}

/// An argument, and whether it is as it becomes.
type Argument = (Weakened, bool);

fn sound(function: &Function, arguments: &[Argument]) {
    let concrete: Vec<Value> = arguments.iter().map(|(pair, _)| pair.concrete().clone()).collect();
    let weak: Vec<Value> = arguments
        .iter()
        .map(|(pair, is_known)| if *is_known { pair.concrete().clone() } else { pair.value().clone() })
        .collect();
    let text = || format!("{}({weak:?}) with {concrete:?}", function.name());
    let answer = function.call(&weak);
    // The named exception: what has no type cannot be refined.
    if function.name().starts_with("assume") && answer.as_ref().is_err_and(|error| error.needs_type()) {
        return;
    }
    laws::sound(&function.call(&concrete), &answer, &Call(&text));
}

/// One for each parameter, and up to two more where it takes any number.
fn arguments(function: &Function) -> BoxedStrategy<Vec<Argument>> {
    let name = function.name().to_owned();
    let with = |more: usize| -> Vec<_> {
        let types = function.parameters().iter().chain(function.variadic().into_iter().cycle().take(more));
        types
            .enumerate()
            .map(|(place, parameter)| (argument(&name, place, parameter.ty()), any::<bool>()))
            .collect()
    };
    if function.variadic().is_none() {
        return with(0).boxed();
    }
    prop_oneof![1 => with(0), 2 => with(1), 2 => with(2)].boxed()
}

fn argument(function: &str, place: usize, ty: &Type) -> BoxedStrategy<Weakened> {
    let any = match ty {
        Type::Dynamic => prop_oneof![
            2 => weakened(Size::default()),
            1 => weakened(Size::LARGE),
            1 => weakened_of(list(Type::String), Size::default()),
            1 => weakened_of(list(Type::Number), Size::default()),
            1 => weakened_of(list(list(Type::String)), Size::default()),
        ]
        .boxed(),
        ty => prop_oneof![
            2 => weakened_of(ty.clone(), Size::default()),
            1 => weakened_of(ty.clone(), Size::LARGE),
        ]
        .boxed(),
    };
    let texts = of_form(function, place);
    if texts.is_empty() {
        return any;
    }
    let formed = proptest::sample::select(texts).prop_flat_map(|text| weakening_of(Value::from(text)));
    prop_oneof![3 => formed, 1 => any].boxed()
}

fn list(element: Type) -> Type {
    Type::list(element).unwrap()
}

/// Texts of the form that a function reads.
fn of_form(function: &str, place: usize) -> Vec<String> {
    let texts: &[&str] = match (function, place) {
        ("formatdate", 0) => &["YYYY-MM-DD'T'hh:mm:ssZ", "EEEE, DD MMMM YYYY", "hh' o''clock 'AA", "ZZZZZ"],
        ("formatdate", 1) | ("timeadd", 0) => {
            &["2024-02-29T13:05:09Z", "1999-12-31T23:59:59.25+05:30", "2024-13"]
        }
        ("timeadd", 1) => &["1h30m", "-720h", "1.5s", "1d"],
        ("cidrhost" | "cidrnetmask" | "cidrsubnet" | "cidrsubnets", 0) => {
            &["10.1.0.0/16", "192.168.7.0/24", "fd00:fd12:3456:7890::/56", "10.0.0.1"]
        }
        ("jsondecode", _) => &[
            "{\"a\": [1, 2.50, {\"b\": null}], \"name\": \"caf\\u00e9\"} ",
            "[true, \"a very long text with an escape \\n in it\", -1e3]",
            "\"only a text that is long enough to be cut anywhere\"",
            "{\"a\": }",
        ],
        ("csvdecode", _) => &["a,b,c\n1,2,3\n\"x, y\",\"\"\"\",z\n", "name\r\nx\r\n", "a,a\n1,2\n"],
        ("yamldecode", _) => &["a: 1\nb: [x, y]\n", "- a\n- b: c\n  d: e\n", "\"text\"", "{a: 1, b: 2"],
        ("regex" | "regexall", 0) | ("regexreplace", 1) => {
            &["([a-z]+)-([0-9]+)", "(?P<name>[a-z]+)(?P<rest>.*)", "^a|b$", "\\bvpc\\b", "("]
        }
        ("replace", 1) => &["/[a-z]+/", "a", "/(/", ""],
        ("regex" | "regexall", 1) | ("regexreplace" | "replace", 0) => {
            &["vpc-0123 and subnet-4567 and more of it", "aaaa", "A long Text With Capitals"]
        }
        ("format" | "formatlist", 0) => {
            &["%s-%d and %v", "%[2]s %[1]s", "%5.1f|%-10s|%q", "%%", "a %#v b %t", "%"]
        }
        ("parseint", 0) => &["-ff0012", "101", "zz9", "12.5"],
        ("uuidv5", 0) => &["dns", "url", "6ba7b810-9dad-11d1-80b4-00c04fd430c8"],
        ("base64decode", _) => &["aGVsbG8gd29ybGQsIHRoaXMgaXMgbG9uZw==", "w6k=", "/w==", "!"],
        ("split" | "join", 0) => &[",", ", ", "", "é"],
        ("split" | "startswith" | "endswith" | "strcontains" | "trim" | "trimprefix" | "trimsuffix", _) => {
            &["a,b,,c, d, e\u{301}", "e", "\u{301}", "aXbXc and so on and on and on"]
        }
        (
            "indent" | "title" | "upper" | "lower" | "reverse" | "strlen" | "substr" | "chomp" | "trimspace",
            _,
        ) => &[
            "stra\u{df}e e\u{301}\r\n\u{1f469}\u{200d}\u{1f680} \n",
            "  a long text\nof lines\n\n",
            "\u{3a3}\u{391}\u{3a3}",
        ],
        _ => &[],
    };
    texts.iter().map(|text| (*text).to_owned()).collect()
}

#[test]
fn texts_of_a_form_are_for_functions_that_there_are() {
    let names = [
        "formatdate",
        "timeadd",
        "cidrhost",
        "jsondecode",
        "csvdecode",
        "regex",
        "format",
        "parseint",
        "uuidv5",
    ];
    for name in names {
        assert!(functions().iter().any(|function| function.name() == name), "{name}");
        assert!(!of_form(name, 0).is_empty(), "{name}");
    }
}
