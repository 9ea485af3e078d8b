//! Each function on the values that its parameters take: all laws, optimality among them.

use plantime::function::{Bytes, Function, Functions};
use plantime::testing::{self, Domain, Proof};
use plantime::{Type, Value};

use crate::{collections, ledger, texts};

/// Functions that are not held to the least result. Quotients lie between the numbers of every domain: that `divide` is
/// optimal is shown of [`Value::divide`], on numbers of its own. Few texts of a domain start with another of its texts,
/// or are patterns.
const NOT_OPTIMAL: &[&str] = &[
    "assumestringprefix",
    "base64decode",
    "byteslen",
    "bytesslice",
    "cidrhost",
    "cidrnetmask",
    "csvdecode",
    "divide",
    "formatdate",
    "format",
    "formatlist",
    "jsondecode",
    "log",
    "md5",
    "parseint",
    "pow",
    "regex",
    "regexall",
    "regexreplace",
    "replace",
    "timeadd",
    "tonumber",
    "uuidv5",
];

pub(crate) fn function(name: &str) -> Function {
    let functions = [Functions::cty(), Functions::standard()];
    functions.iter().find_map(|functions| functions.get(name)).unwrap_or_else(|| panic!("{name}")).clone()
}

pub(crate) fn proof(function: &Function) -> Proof<'_> {
    let call = move |operands: &[&Value]| {
        let arguments: Vec<Value> = operands.iter().map(|&operand| operand.clone()).collect();
        function.call(&arguments)
    };
    let mut proof = testing::variadic(function.name(), call);
    for row in ledger::rows().into_iter().filter(|row| row.function == function.name()) {
        proof = proof.allow(&row.operands.iter().map(String::as_str).collect::<Vec<_>>(), &row.reason);
    }
    proof
}

/// The values for one argument of so many.
fn domain(name: &str, ty: &Type, count: usize) -> Domain {
    let all = match count {
        1 => Domain::medium(),
        2 => Domain::small(),
        _ => Domain::scalars(),
    };
    match ty {
        Type::Dynamic => all,
        Type::String if name == "join" => all.of(ty).with(["\u{301}", "\u{307}"]),
        Type::String if texts::NAMES.contains(&name) => texts::longer(&all.of(ty)),
        Type::List(list) if *list.element() == Type::String => texts::lists(),
        ty => all.of(ty),
    }
}

/// Texts of a form, everything that they start with, and what else starts so.
fn of_form(texts: &[&str]) -> Domain {
    let mut abstracts = vec![Value::dynamic(), Value::unknown(Type::String)];
    let mut concretes = vec![Value::null(Type::String), Value::from("~")];
    for text in texts {
        abstracts.push(Value::from(*text));
        for end in text.char_indices().skip(1).map(|(at, _)| at).chain([text.len()]) {
            let start = &text[..end];
            let unknown = Value::unknown(Type::String).assume_string_prefix(start).unwrap();
            abstracts.extend([unknown.assume_not_null().unwrap(), unknown]);
            concretes.extend([Value::from(start), Value::from(format!("{start}~"))]);
        }
    }
    Domain::new(abstracts, concretes)
}

fn bytes() -> Domain {
    let unknown = Value::unknown(Type::capsule::<Bytes>());
    let abstracts =
        [Value::dynamic(), unknown.assume_not_null().unwrap(), unknown.clone(), Value::null(unknown.ty())];
    let concretes = [b"".as_slice(), b"a", b"abc"].map(|bytes| Value::capsule(Bytes::new(bytes)));
    Domain::new(abstracts.into_iter().chain(concretes.clone()), concretes)
}

/// What arguments range over where the values of all functions would say little.
fn domains(name: &str) -> Vec<Option<Domain>> {
    let of = |list: &[&str]| Some(of_form(list));
    match name {
        "cidrhost" => vec![of(&["10.0.0.0/30", "1::/64"])],
        "cidrnetmask" => vec![of(&["10.0.0.0/30", "0.0.0.0/0", "1::/64"])],
        "formatdate" => vec![of(&["'a'h", "YY-", "YYY", "b"]), of(&["2024-02-29T13:05:09Z", "2024-13"])],
        "timeadd" => vec![of(&["2024-02-29T13:05:09Z", "2024-13"]), of(&["1h", "-5m", "1d"])],
        "jsondecode" => vec![of(&[
            "true",
            " false",
            "null",
            "\"vpc-1\"",
            "\"\\u0041\\n\"x",
            "[1] ",
            "[1, {\"a\": null}]",
            "{}",
            "120",
            "-1.5e2 ",
            "0.5",
            "-0",
            "]",
        ])],
        "base64decode" => vec![of(&["dnBj", "dnBjLTE=", "w6k=", "/w==", "dg==", "!"])],
        "base64encode" | "md5" | "urlencode" => vec![of(&["vpc-1", "a b", "\u{e9}a", ""])],
        "byteslen" | "bytesslice" => vec![Some(bytes())],
        "csvdecode" => {
            vec![of(&["a,b\n1,2\n", "a\n\"x\ny\"", "a,a\n", "\r\na\r\n1\r\n", "a\n1,2\n", "a\"\n"])]
        }
        "uuidv5" => vec![of(&["dns", "x", "6ba7b810-9dad-11d1-80b4-00c04fd430c8"])],
        "tobool" => vec![Some(Domain::small().with(["true", "false", "1", "0", "12", "-1.5", "vpc-1"]))],
        _ => Vec::new(),
    }
}

/// The function on as many arguments as it has parameters, and one or two more if it takes any number.
#[track_caller]
fn try_function(name: &str) {
    let function = function(name);
    let own = domains(name);
    let fixed: Vec<&Type> = function.parameters().iter().map(|parameter| parameter.ty()).collect();
    let mut tries = vec![fixed.clone()];
    if let Some(variadic) = function.variadic() {
        for more in 1..=2 {
            tries.push(fixed.iter().copied().chain(vec![variadic.ty(); more]).collect());
        }
    }
    let mut proof = proof(&function);
    if !NOT_OPTIMAL.contains(&name) {
        proof = proof.optimal();
    }
    // The names of columns are the type of the result, which shows.
    if name == "csvdecode" {
        proof = proof.without_marks();
    }
    for types in tries {
        let domains = types
            .iter()
            .enumerate()
            .map(|(i, ty)| own.get(i).cloned().flatten().unwrap_or_else(|| domain(name, ty, types.len())));
        proof = proof.on(domains.collect::<Vec<_>>());
    }
    proof.assert();
}

macro_rules! laws_of {
    ($($name:ident),* $(,)?) => {
        $(#[test]
        fn $name() {
            try_function(stringify!($name));
        })*

        const TRIED: &[&str] = &[$(stringify!($name)),*];
    };
}

laws_of!(
    absolute,
    add,
    and,
    assertnotnull,
    assumelistlengthmax,
    assumelistlengthmin,
    assumesetlengthmax,
    assumestringprefix,
    base64decode,
    base64encode,
    byteslen,
    bytesslice,
    ceil,
    chomp,
    cidrhost,
    cidrnetmask,
    csvdecode,
    divide,
    endswith,
    equal,
    floor,
    formatdate,
    format,
    formatlist,
    greaterthan,
    greaterthanorequalto,
    indent,
    int,
    jsondecode,
    jsonencode,
    join,
    lessthan,
    lessthanorequalto,
    log,
    lower,
    max,
    md5,
    min,
    modulo,
    multiply,
    negate,
    not,
    notequal,
    or,
    parseint,
    pow,
    regex,
    regexall,
    regexreplace,
    replace,
    reverse,
    signum,
    split,
    startswith,
    strcontains,
    strlen,
    substr,
    subtract,
    tobool,
    tonumber,
    tostring,
    timeadd,
    title,
    trim,
    trimprefix,
    trimspace,
    trimsuffix,
    upper,
    urlencode,
    uuidv5,
);

#[test]
fn the_laws_are_tried_on_every_function() {
    for function in Functions::cty().iter() {
        let name = function.name();
        assert!(TRIED.contains(&name) || collections::TRIED.contains(&name), "{name}");
    }
}
