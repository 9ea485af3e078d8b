//! What the arguments of a function range over while its laws are tried.

use plantime::function::Bytes;
use plantime::testing::Domain;
use plantime::{Type, TypeConstraint, Value};

use crate::texts;

/// The values for one argument of so many.
pub(crate) fn domain(name: &str, ty: &Type, count: usize) -> Domain {
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

fn constraints() -> Domain {
    let unknown = Value::unknown(Type::capsule::<TypeConstraint>());
    let constraint = |text: &str| Value::capsule(text.parse::<TypeConstraint>().unwrap());
    let concretes =
        ["string", "number", "list(any)", "set(bool)", "object({a = optional(bool, true)})", "any"]
            .map(constraint);
    let abstracts = [Value::dynamic(), unknown.assume_not_null().unwrap(), unknown];
    Domain::new(abstracts.into_iter().chain(concretes.clone()), concretes)
}

/// Some of the values of a domain.
fn only(domain: &Domain, is_in: impl Fn(&Value) -> bool) -> Domain {
    let those = |value: &&Value| is_in(value);
    Domain::new(domain.abstracts().filter(those).cloned(), domain.concretes().filter(those).cloned())
}

/// Without the values in their own right whose type is not decided: a collection that is made of them is not known.
fn typed(domain: Domain) -> Domain {
    only(&domain, |value| !value.is_wholly_known() || !value.ty().has_dynamic())
}

fn decided(domain: Domain) -> Domain {
    only(&domain, |value| !matches!(value, Value::Dynamic(_)))
}

/// What arguments range over where the values of all functions would say little.
pub(crate) fn domains(name: &str) -> Vec<Option<Domain>> {
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
        "base64encode" | "md5" | "sha1" | "sha256" | "sha512" | "base64sha256" | "base64sha512"
        | "urlencode" => vec![of(&["vpc-1", "a b", "\u{e9}a", ""])],
        "cidrsubnet" | "cidrsubnets" => vec![of(&["10.0.0.0/30", "1::/64"])],
        "convert" => vec![Some(typed(Domain::small())), Some(constraints())],
        "tolist" | "tomap" | "toset" => vec![Some(typed(Domain::medium()))],
        // What is there is not marked later; what is not there may be.
        "issensitive" => vec![Some(Domain::scalars())],
        // Of a set with two unknown members it is not always told that they are one.
        "assumeequal" => {
            let plain = only(&Domain::small(), |value| !matches!(value.ty(), Type::Set(_)));
            vec![Some(plain.clone()), Some(plain)]
        }
        // Assuming something of what has no type is misuse.
        "assumenotnull" => vec![Some(decided(Domain::medium()))],
        "assumelistlength" | "assumemaplength" | "assumesetlength" => {
            let kind = name.trim_start_matches("assume").trim_end_matches("length");
            vec![Some(Domain::small().of(&format!("{kind}(any)").parse().unwrap()))]
        }
        "byteslen" | "bytesslice" => vec![Some(bytes())],
        "csvdecode" => {
            vec![of(&["a,b\n1,2\n", "a\n\"x\ny\"", "a,a\n", "\r\na\r\n1\r\n", "a\n1,2\n", "a\"\n"])]
        }
        "uuidv5" => vec![of(&["dns", "x", "6ba7b810-9dad-11d1-80b4-00c04fd430c8"])],
        "tobool" => vec![Some(Domain::small().with(["true", "false", "1", "0", "12", "-1.5", "vpc-1"]))],
        _ => Vec::new(),
    }
}
