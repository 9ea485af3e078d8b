//! The domains from which the tests of the laws take the arguments of each function.

use std::sync::OnceLock;

use plantime::function::Bytes;
use plantime::testing::Domain;
use plantime::{Type, TypeConstraint, Value};

use crate::texts;

/// The domain of one argument, for a function with this number of arguments.
pub(crate) fn domain(name: &str, ty: &Type, count: usize) -> Domain {
    let all = match count {
        1 => Domain::medium(),
        2 => Domain::small(),
        _ => mixed(),
    };
    match ty {
        Type::Dynamic => all,
        Type::String if name == "join" => all.of(ty).with(["\u{301}", "\u{307}"]),
        Type::String if texts::NAMES.contains(&name) => texts::longer(&all.of(ty)),
        Type::List(list) if *list.element() == Type::String => texts::lists(),
        ty => all.of(ty),
    }
}

/// The number of containers of the small domain that the mixed domain takes, of abstract and of concrete ones each.
const CONTAINERS: usize = 14;

/// Values of every kind, few enough to try all triples of them: scalars, nulls without a type, and containers, chosen
/// evenly from those of the small domain.
pub(crate) fn mixed() -> Domain {
    static DOMAIN: OnceLock<Domain> = OnceLock::new();
    DOMAIN.get_or_init(|| Domain::new(mixed_abstracts(), mixed_concretes())).clone()
}

fn mixed_abstracts() -> Vec<Value> {
    let unknown = |ty: &str| Value::unknown(ty.parse().unwrap());
    let mut all = vec![Value::dynamic(), Value::null(Type::Dynamic), Value::null(Type::String)];
    all.extend([true.into(), 0.into(), 1.into(), "".into(), "a".into()]);
    all.extend(["bool", "number", "string", "list(string)", "list(any)", "object({a = any})"].map(unknown));
    all.extend(["string", "tuple([])", "set(any)"].map(|ty| unknown(ty).assume_not_null().unwrap()));
    all.push(unknown("string").assume_string_prefix("a").unwrap().assume_not_null().unwrap());
    let tuple = |items: Vec<Value>| Value::tuple(items).unwrap();
    all.extend([tuple(vec![]), tuple(vec![Value::null(Type::Dynamic)]), tuple(vec![unknown("string")])]);
    all.extend(containers(Domain::small().abstracts()));
    all
}

fn mixed_concretes() -> Vec<Value> {
    let mut all: Vec<Value> = Domain::scalars().concretes().step_by(2).cloned().collect();
    all.extend([Value::list(["x"]).unwrap(), Value::tuple(["a"]).unwrap(), Value::set(["x"]).unwrap()]);
    all.extend(["list", "set"].map(|kind| Value::null(format!("{kind}(string)").parse().unwrap())));
    all.push(Value::list_of(Type::String, Vec::<Value>::new()).unwrap());
    all.extend([Value::object([("a", 1)]).unwrap(), Value::map([("a", "b")]).unwrap()]);
    all.extend(containers(Domain::small().concretes()));
    all
}

fn containers<'v>(values: impl Iterator<Item = &'v Value>) -> Vec<Value> {
    let is_container = |ty: &Type| ty.is_collection() || matches!(ty, Type::Tuple(_) | Type::Object(_));
    // Values of undecided type are added elsewhere: a few containers cannot tell such types apart.
    let is_chosen = |value: &&Value| is_container(&value.ty()) && !value.ty().has_dynamic();
    let all: Vec<&Value> = values.filter(is_chosen).collect();
    all.iter().step_by(all.len().div_ceil(CONTAINERS)).map(|value| Value::clone(value)).collect()
}

/// Continuations of a prefix: digits, a fraction or an exponent of a number; letters; the end of a string, a list and
/// an object; and a character that no format allows.
const CONTINUATIONS: [&str; 12] = ["~", "0", "7", ".5", "e1", "E-2", "5e1", "a", "\"", "]", "}", " "];

/// These texts, all their prefixes, and other texts with the same prefixes.
fn of_form(texts: &[&str]) -> Domain {
    let mut abstracts = vec![Value::dynamic(), Value::unknown(Type::String)];
    let mut concretes = vec![Value::null(Type::String), Value::from("~")];
    for text in texts {
        abstracts.push(Value::from(*text));
        for end in text.char_indices().skip(1).map(|(at, _)| at).chain([text.len()]) {
            let start = &text[..end];
            let unknown = Value::unknown(Type::String).assume_string_prefix(start).unwrap();
            abstracts.extend([unknown.assume_not_null().unwrap(), unknown]);
            concretes.push(Value::from(start));
            concretes.extend(CONTINUATIONS.map(|rest| Value::from(format!("{start}{rest}"))));
        }
    }
    Domain::new(abstracts, concretes)
}

/// Format strings for one and two values, with verbs of each kind.
fn formats() -> Domain {
    let formats =
        ["a", "%s", "a%v", "%#v", "%d%%", "%t", "%q", "%s-%s", "%[2]v%v", "%5s|%-4v", "%.1f%x", "%"];
    let formats = formats.map(Value::from);
    let unknown = Value::unknown(Type::String).assume_not_null().unwrap();
    let begun = ["a", "a%", "%s"].map(|start| unknown.assume_string_prefix(start).unwrap());
    let abstracts = formats.iter().cloned().chain(begun).chain([Value::dynamic(), unknown]);
    Domain::new(abstracts.collect::<Vec<_>>(), [Value::null(Type::String)])
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

/// The values of a domain for which a predicate holds.
fn only(domain: &Domain, is_in: impl Fn(&Value) -> bool) -> Domain {
    let those = |value: &&Value| is_in(value);
    Domain::new(domain.abstracts().filter(those).cloned(), domain.concretes().filter(those).cloned())
}

/// The domain without known values whose conversion is a collection of undecided type, such as a list of nulls
/// without a type: such a result is not wholly known, although nothing in it is unknown.
fn converting(domain: &Domain, convert: impl Fn(&Value) -> Vec<plantime::Result<Value>>) -> Domain {
    let stays_undecided =
        |result: plantime::Result<Value>| result.is_ok_and(|value| !value.is_wholly_known());
    only(domain, |value| !value.is_wholly_known() || !convert(value).into_iter().any(stays_undecided))
}

/// The domain with tuples of a bool and a text, or its null: the other element of a tuple may be of another type.
fn with_texts_beside_bools(domain: &Domain) -> Domain {
    let texts = [Value::from("a"), Value::null(Type::String)];
    let pairs = texts.iter().flat_map(|text| {
        [[Value::from(false), text.clone()], [text.clone(), Value::from(false)]]
            .map(|pair| Value::tuple(pair).unwrap())
    });
    let null = Value::null(Value::tuple([true.into(), Value::from("a")]).unwrap().ty());
    Domain::new(domain.abstracts().cloned(), domain.concretes().cloned().chain(pairs).chain([null]))
}

fn decided(domain: Domain) -> Domain {
    only(&domain, |value| !matches!(value, Value::Dynamic(_)))
}

/// The domains of the arguments of functions for which the general domain would try little.
pub(crate) fn domains(name: &str) -> Vec<Option<Domain>> {
    let of = |list: &[&str]| Some(of_form(list));
    match name {
        "cidrhost" => vec![of(&["10.0.0.0/30", "1::/64", "::ffff:10.0.0.0/126"])],
        "cidrnetmask" => vec![of(&["10.0.0.0/30", "0.0.0.0/0", "1::/64"])],
        "formatdate" => vec![of(&["'a'h", "YY-", "YYY", "b"]), of(&["2024-02-29T13:05:09Z", "2024-13"])],
        "timecmp" => vec![
            of(&["2024-02-29T13:05:09Z", "2023-01-01T00:00:00Z"]),
            of(&["2024-02-29T14:05:09+01:00", "2023-06-01T00:00:00Z"]),
        ],
        "urldecode" => vec![of(&["a%2Fb", "%C3%A9+", "%FF", "%zz"])],
        "basename" | "dirname" => vec![Some(texts::of_parts(&["a", ".", "/"], 5))],
        "cidrcontains" => {
            let networks = ["10.0.0.0/30", "1::/64", "::ffff:10.0.0.0/126"];
            vec![of(&networks), of(&["10.0.0.1", "10.0.0.2/31", "1::1", "::ffff:10.0.0.1"])]
        }
        "cidroverlaps" => {
            let texts = ["10.0.0.0/30", "10.0.0.0/31", "10.0.1.0/31", "1::/64", "x"].map(Value::from);
            let unknown = Value::unknown(Type::String);
            let items: Vec<Value> = texts
                .into_iter()
                .chain([Value::null(Type::String), unknown.clone(), unknown.assume_not_null().unwrap()])
                .collect();
            let list = |items: Vec<Value>| Value::list_of(Type::String, items).unwrap();
            let mut lists = vec![list(Vec::new())];
            lists.extend(items.iter().map(|a| list(vec![a.clone()])));
            let pairs = items.iter().flat_map(|a| items.iter().map(move |b| [a.clone(), b.clone()]));
            lists.extend(pairs.map(|pair| list(pair.to_vec())));
            lists.push(list([0, 1, 3].map(|at| items[at].clone()).to_vec()));
            let (known, open): (Vec<Value>, Vec<Value>) = lists.into_iter().partition(Value::is_wholly_known);
            let ty = Type::list(Type::String).unwrap();
            let unknown = [Value::unknown(ty.clone()), Value::unknown_not_null(ty), Value::dynamic()];
            vec![Some(Domain::new(
                known.iter().cloned().chain(open).chain(unknown).collect::<Vec<_>>(),
                known,
            ))]
        }
        "versioncmp" => {
            vec![of(&["1.2.0", "v1.2-beta.1", "1.2.0-rc1+b"]), of(&["1.2", "1.10.0", "1.2.0-beta.2"])]
        }
        "versionmatches" => {
            vec![
                of(&["1.2.3", "v2.0", "1.2.0-rc1"]),
                of(&["~> 1.2", ">= 1.2.3, < 2", "!= 1.2.0-rc1", "1.2.x"]),
            ]
        }
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
        "cidrsubnet" | "cidrsubnets" => vec![of(&["10.0.0.0/30", "1::/64", "::ffff:10.0.0.0/126"])],
        "convert" => {
            let constraints = constraints();
            let targets: Vec<&TypeConstraint> =
                constraints.concretes().filter_map(|target| target.as_capsule().ok()).collect();
            let small = converting(&with_texts_beside_bools(&Domain::small()), |value| {
                targets.iter().map(|target| plantime::convert(value, target)).collect()
            });
            vec![Some(small), Some(constraints)]
        }
        "tolist" | "tomap" | "toset" => {
            let function = crate::laws::function(name);
            let medium = with_texts_beside_bools(&Domain::medium());
            vec![Some(converting(&medium, |value| vec![function.call(std::slice::from_ref(value))]))]
        }
        // A known value does not get marks later; an unknown one may.
        "issensitive" => vec![Some(Domain::scalars())],
        // For a set with two unknown members, the function does not always find out that they are equal.
        "assumeequal" => {
            let plain = only(&Domain::small(), |value| !matches!(value.ty(), Type::Set(_)));
            vec![Some(plain.clone()), Some(plain)]
        }
        // An assumption about a value without a type is misuse.
        "assumenotnull" => vec![Some(decided(Domain::medium()))],
        "assumelistlength" | "assumemaplength" | "assumesetlength" => {
            let kind = name.trim_start_matches("assume").trim_end_matches("length");
            vec![Some(Domain::small().of(&format!("{kind}(any)").parse().unwrap()))]
        }
        "byteslen" | "bytesslice" => vec![Some(bytes())],
        "csvdecode" => {
            vec![of(&["a,b\n1,2\n", "a\n\"x\ny\"", "a,a\n", "\r\na\r\n1\r\n", "a\n1,2\n", "a\"\n"])]
        }
        "format" | "formatlist" => vec![Some(formats())],
        "uuidv5" => vec![of(&["dns", "x", "6ba7b810-9dad-11d1-80b4-00c04fd430c8"])],
        "tobool" => vec![Some(Domain::small().with(["true", "false", "1", "0", "12", "-1.5", "vpc-1"]))],
        _ => Vec::new(),
    }
}
