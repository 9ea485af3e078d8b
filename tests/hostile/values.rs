//! Values that are large, deep, extreme, or stand for something that is.

use plantime::function::Bytes;
use plantime::{LengthRange, Mark, NumberRange, Refinement, Type, TypeConstraint, Value, limits};

/// A value with a name.
#[derive(Clone)]
pub(crate) struct Hostile(pub(crate) &'static str, pub(crate) Value);

/// So many characters have long texts,
const MANY: usize = 50_000;
/// and so many elements long lists.
const LONG: usize = 30_000;

fn number(text: &str) -> Value {
    Value::from(text.parse::<plantime::Number>().unwrap())
}

/// Texts that patterns, formats and formats of data read.
fn long_texts() -> Vec<(&'static str, String)> {
    let names = |count: usize| (0..count).map(|i| format!("a{i}")).collect::<Vec<_>>().join(",");
    let rows = |columns: usize, rows: usize| {
        names(columns) + &("\n".to_owned() + &",".repeat(columns - 1)).repeat(rows)
    };
    vec![
        ("nothing", String::new()),
        ("a…", "a".repeat(MANY)),
        ("lines", "\n".repeat(MANY)),
        ("spaces", " ".repeat(MANY)),
        ("marks", "e".to_owned() + &"\u{301}".repeat(MANY)),
        ("joined", "\u{1f469}\u{200d}".repeat(MANY / 4)),
        ("digits", "9".repeat(MANY)),
        ("zeros", "0.".to_owned() + &"0".repeat(MANY) + "1"),
        ("large exponent", "1e999999999".to_owned()),
        ("small exponent", "-1e-999999999".to_owned()),
        ("arrays", "[".repeat(MANY)),
        ("closed arrays", "[".repeat(MANY) + &"]".repeat(MANY)),
        ("wide array", format!("[{}1]", "1,".repeat(MANY))),
        ("objects", "{\"a\":".repeat(MANY)),
        (
            "wide object",
            format!("{{{}\"a\":1}}", (0..MANY / 10).map(|i| format!("\"{i}\":{i},")).collect::<String>()),
        ),
        ("open string", "\"\\ud800".repeat(MANY)),
        ("columns", rows(MANY / 5, 4)),
        ("rows", rows(2, MANY)),
        ("quotes", "\"".repeat(MANY)),
        ("aliases", aliases()),
        ("anchors", "&a ".repeat(MANY)),
        ("indented", (0..600).map(|i| " ".repeat(i) + "- a:\n").collect()),
        ("flow", "{a: ".repeat(MANY)),
        ("groups", "(".repeat(MANY)),
        ("classes", "[a-z]".repeat(MANY / 10)),
        ("nested repetition", "(a+)+$".to_owned()),
        ("large repetition", "(a{1000}){1000}".to_owned()),
        ("long way to a match", ".*[^a-z]|[a-z]".to_owned()),
        ("many ways", "(a?){200}a{200}b".to_owned()),
        ("far", "[ab]*a[ab]{500}c".to_owned()),
        ("letters", "(\\p{L}|\\p{N}){100}".to_owned()),
        ("pattern", "/(a*)*(a*)*x/".to_owned()),
        ("$…", "$0".repeat(MANY / 10)),
        ("wide verb", "%1000000000d".to_owned()),
        ("long verb", "%.1000000000f".to_owned()),
        ("starred verb", "%*d".to_owned()),
        ("verbs", "%s".repeat(MANY)),
        ("indexed verbs", "%[1]s%[1]v%[1]q".repeat(MANY / 10)),
        ("percent", "%".repeat(MANY)),
        ("year 99999", "99999-01-01T00:00:00Z".to_owned()),
        ("last time", "9999-12-31T23:59:59Z".to_owned()),
        ("years", "YYYY".repeat(MANY / 10)),
        ("long verb of time", "Y".repeat(MANY)),
        ("hours", "2562047h".repeat(MANY / 10)),
        ("hour", "9999999999999999h".to_owned()),
        ("network", "::/0".to_owned()),
        ("small network", "10.0.0.0/8".to_owned()),
        ("base64", "QUFB".repeat(MANY)),
        ("padding", "=".repeat(MANY)),
        ("%41…", "%41".repeat(MANY)),
        ("commas", ",".repeat(MANY)),
    ]
}

/// Aliases of aliases: nine levels of nine are 400 million.
fn aliases() -> String {
    let mut text = "a0: &a0 [x,x,x,x,x,x,x,x,x]\n".to_owned();
    for i in 1..9 {
        let alias = format!("*a{}", i - 1);
        text += &format!("a{i}: &a{i} [{}]\n", vec![alias; 9].join(","));
    }
    text
}

fn texts() -> Vec<Hostile> {
    let unknown = |text: &str| {
        let start = Value::unknown(Type::String).assume_string_prefix(text);
        start.and_then(|start| start.assume_not_null()).unwrap()
    };
    long_texts()
        .into_iter()
        .flat_map(|(name, text)| {
            let starting: &str = format!("{name} …?").leak();
            [Hostile(name, Value::from(text.as_str())), Hostile(starting, unknown(&text))]
        })
        .collect()
}

fn numbers() -> Vec<Hostile> {
    let some =
        |range: NumberRange| Value::refined(Type::Number, Refinement::number(range).and_not_null()).unwrap();
    let large: plantime::Number = "1e18".parse().unwrap();
    vec![
        Hostile("1e18", number("1e18")),
        Hostile("-1e18", number("-1e18")),
        Hostile("1e8000", number("1e8000")),
        Hostile("-1e8000", number("-1e8000")),
        Hostile("1e-8000", number("1e-8000")),
        Hostile("9…", number(&"9".repeat(8000))),
        Hostile("0.9…", number(&("0.".to_owned() + &"9".repeat(8000)))),
        Hostile("i64::MAX", Value::from(i64::MAX)),
        Hostile("i64::MIN", Value::from(i64::MIN)),
        Hostile("u64::MAX", Value::from(u64::MAX)),
        Hostile("+inf", number("inf")),
        Hostile("-inf", number("-inf")),
        Hostile("0", Value::from(0)),
        Hostile("62", Value::from(62)),
        Hostile("1e6", Value::from(1_000_000)),
        Hostile("number?", Value::unknown(Type::Number)),
        Hostile(">= 1e18", some(NumberRange::at_least(large.clone()))),
        Hostile("<= -1e18", some(NumberRange::at_most(large.negate()))),
        Hostile(">= 1e8000", some(NumberRange::at_least("1e8000".parse::<plantime::Number>().unwrap()))),
        Hostile("<= 1e8000", some(NumberRange::at_most("1e8000".parse::<plantime::Number>().unwrap()))),
    ]
}

fn deep(core: Value, wrap: impl Fn(Value) -> plantime::Result<Value>) -> Value {
    (0..limits::DEPTH - 2).fold(core, |value, _| wrap(value).unwrap())
}

/// A value of 2^levels parts of which all but a few are shared.
fn shared(levels: usize, pair: impl Fn(Value) -> plantime::Result<Value>) -> Value {
    (0..levels).fold(Value::from("x"), |value, _| pair(value).unwrap())
}

fn compounds() -> Vec<Hostile> {
    let texts = || (0..LONG).map(|i| Value::from(format!("{i}")));
    let unknown = || Value::unknown(Type::String);
    let a = || Value::from("a".repeat(1000));
    let list = |items: Vec<Value>| Value::list_of(Type::String, items).unwrap();
    let lists = |count: usize, of: Value| {
        let lists = (0..count).map(|i| (format!("{i}"), of.clone()));
        Value::map(lists).unwrap()
    };
    let wide = |ty: Type| Type::object((0..LONG / 3).map(|i| (format!("a{i}"), ty.clone()))).unwrap();
    let of_length = |kind: &str, least: u64, most: Option<u64>| {
        let length = LengthRange::new(least, most).unwrap();
        let ty: Type = kind.parse().unwrap();
        Value::refined(ty, Refinement::length(length).and_not_null()).unwrap()
    };
    let huge = i64::MAX as u64;
    let distinct = list(texts().collect());
    vec![
        Hostile("long list", distinct.clone()),
        Hostile("list of one text", list(vec![a(); LONG])),
        Hostile("list of unknowns", list(vec![unknown(); LONG])),
        Hostile("list with an unknown", list(texts().chain([unknown()]).collect())),
        Hostile("list of numbers", Value::list((0..LONG).map(Value::from)).unwrap()),
        Hostile("list of large numbers", Value::list(vec![number(&"9".repeat(8000)); 500]).unwrap()),
        Hostile("list of bools", Value::list(vec![true; LONG]).unwrap()),
        Hostile("list of nulls", list(vec![Value::null(Type::String); LONG])),
        Hostile(
            "list of marked",
            Value::list(
                texts().take(10_000).enumerate().map(|(i, text)| text.mark(Mark::new(&format!("{i}")))),
            )
            .unwrap(),
        ),
        Hostile("list of lists", Value::list(vec![distinct.clone(); 4]).unwrap()),
        Hostile("list of short lists", Value::list((0..LONG).map(|i| Value::list([i]).unwrap())).unwrap()),
        Hostile("long tuple", Value::tuple(texts()).unwrap()),
        Hostile("tuple of undecided", Value::tuple(vec![Value::dynamic(); LONG]).unwrap()),
        Hostile("tuple of lists", Value::tuple(vec![distinct.clone(); 4]).unwrap()),
        Hostile("large set", Value::set(texts()).unwrap()),
        Hostile("set of unknowns", Value::set(vec![unknown(); 10_000]).unwrap()),
        Hostile("set with an unknown", Value::set(texts().chain([unknown()])).unwrap()),
        Hostile(
            "large map",
            Value::map(texts().map(|text| (text.as_str().unwrap().to_owned(), text.clone()))).unwrap(),
        ),
        Hostile("map of lists", lists(4, distinct.clone())),
        Hostile("map of texts", lists(10_000, a())),
        Hostile("object", Value::object((0..LONG / 3).map(|i| (format!("a{i}"), i))).unwrap()),
        Hostile("objects", Value::list(vec![Value::unknown(wide(Type::Dynamic)); 500]).unwrap()),
        Hostile("object?", Value::unknown(wide(Type::String))),
        Hostile("deep tuple", deep(Value::from("x"), |value| Value::tuple([value]))),
        Hostile("deep list", deep(Value::from("x"), |value| Value::list([value]))),
        Hostile("deep set", deep(Value::from("x"), |value| Value::set([value]))),
        Hostile("deep map", deep(Value::from("x"), |value| Value::map([("k", value)]))),
        Hostile("deep object", deep(Value::from("x"), |value| Value::object([("a", value)]))),
        Hostile("deep undecided", deep(Value::dynamic(), |value| Value::tuple([value]))),
        Hostile("shared tuple", shared(15, |value| Value::tuple([value.clone(), value]))),
        Hostile("shared list", shared(15, |value| Value::list([value.clone(), value]))),
        Hostile("shared object", shared(15, |value| Value::object([("a", value.clone()), ("b", value)]))),
        Hostile(
            "shared unknowns",
            (0..15).fold(unknown(), |value, _| Value::list([value.clone(), value]).unwrap()),
        ),
        Hostile("list?", of_length("list(string)", huge, None)),
        Hostile(
            "list of 1e18?",
            of_length("list(string)", 1_000_000_000_000_000_000, Some(1_000_000_000_000_000_000)),
        ),
        Hostile("list of lists?", of_length("list(list(string))", huge, None)),
        Hostile("list of any?", of_length("list(any)", 0, Some(huge))),
        Hostile("set?", of_length("set(string)", huge, None)),
        Hostile("map?", of_length("map(string)", huge, None)),
        Hostile("map of lists?", of_length("map(list(string))", huge, None)),
        Hostile("anything?", Value::dynamic()),
        Hostile("null", Value::null(Type::Dynamic)),
    ]
}

/// All of them.
pub(crate) struct Values {
    texts: Vec<Hostile>,
    numbers: Vec<Hostile>,
    compounds: Vec<Hostile>,
}

impl Values {
    pub(crate) fn new() -> Values {
        Values { texts: texts(), numbers: numbers(), compounds: compounds() }
    }

    /// Those for a parameter of this type.
    pub(crate) fn of(&self, ty: &Type) -> Vec<Hostile> {
        let compounds = self.compounds.iter().filter(|hostile| hostile.1.ty().compatible(ty));
        match ty {
            Type::String => self.texts.clone(),
            Type::Number => self.numbers.clone(),
            Type::Bool => vec![Hostile("bool?", Value::unknown(Type::Bool))],
            Type::Dynamic => {
                let scalars = self.texts.iter().chain(&self.numbers).step_by(7);
                compounds.chain(scalars).cloned().collect()
            }
            Type::Capsule(_) if *ty == Type::capsule::<Bytes>() => {
                vec![Hostile("bytes", Value::capsule(Bytes::new(vec![0; LONG])))]
            }
            Type::Capsule(_) => {
                let deepest = "list(".repeat(limits::DEPTH - 1) + "any" + &")".repeat(limits::DEPTH - 1);
                ["any", "set(any)", "map(string)", &deepest]
                    .map(|ty| Hostile("type", Value::capsule(ty.parse::<TypeConstraint>().unwrap())))
                    .into()
            }
            _ => compounds.cloned().collect(),
        }
    }

    /// One that nothing is wrong with.
    pub(crate) fn plain(&self, ty: &Type) -> Value {
        match ty {
            Type::String => "a".into(),
            Type::Number => 2.into(),
            Type::Bool => true.into(),
            Type::Dynamic | Type::List(_) => Value::list(["a", "b"]).unwrap(),
            Type::Set(_) => Value::set(["a", "b"]).unwrap(),
            Type::Map(map) => Value::map([("a", self.plain(map.element()))]).unwrap(),
            ty => self.of(ty)[0].1.clone(),
        }
    }
}
