//! Values that are wide, and of which a call may make much, little or nothing.

use plantime::function::Bytes;
use plantime::{Refinement, Type, TypeConstraint, Value};

/// So many parts have wide values.
const WIDE: usize = 3_000;

/// A value with a name.
type Named = (&'static str, Value);

fn texts() -> Vec<Named> {
    let long = || "a".repeat(WIDE * 4);
    let start = |text: &str| Value::refined(Type::String, Refinement::prefix(text).and_not_null()).unwrap();
    let words = || (0..WIDE / 10).map(|i| format!("word{i}"));
    vec![
        ("nothing", "".into()),
        ("a…", long().into()),
        ("a… …?", start(&long())),
        ("[\"a… …?", start(&format!("[\"{}", long()))),
        (
            "one of words",
            Value::refined(Type::String, Refinement::one_of(words()).unwrap().and_not_null()).unwrap(),
        ),
        ("a,…", "a,".repeat(WIDE).into()),
        (",…", ",".repeat(WIDE).into()),
        ("lines", "\n".repeat(WIDE).into()),
        ("rows", ("a\n".to_owned() + &"1\n".repeat(WIDE)).into()),
        ("empty rows", ("a,b\n".to_owned() + &",\n".repeat(WIDE)).into()),
        ("[[],…", format!("[{}1]", "[],".repeat(WIDE)).into()),
        ("[{},…", format!("[{}1]", "{},".repeat(WIDE)).into()),
        ("- {}", "- {}\n".repeat(WIDE).into()),
        ("%s…", "%s".repeat(WIDE).into()),
        ("%[1]s…", "%[1]s".repeat(WIDE).into()),
        ("$0…", "$0".repeat(WIDE).into()),
        ("q*?", "q*?".into()),
        ("(q*?)(z*)", "(q*?)(z*)".into()),
        ("/q*?/", "/q*?/".into()),
        ("YYYY…", "YYYY".repeat(WIDE).into()),
        ("/0", "::/0".into()),
    ]
}

fn compounds() -> Vec<Named> {
    let empty = || Value::list_of(Type::String, Vec::<Value>::new()).unwrap();
    let empty_map = || Value::map_of(Type::String, Vec::<(String, Value)>::new()).unwrap();
    let name = |i: usize| format!("a{i}");
    let wide = |ty: Type| Type::object((0..WIDE).map(|i| (name(i), ty.clone()))).unwrap();
    let of = |count: usize, value: &Value| Value::list(vec![value.clone(); count]).unwrap();
    let unknown = |ty: &str| Value::unknown(ty.parse().unwrap());
    let refined = |ty: &str, refinement: Refinement| {
        Value::refined(ty.parse().unwrap(), refinement.and_not_null()).unwrap()
    };
    let long = || Refinement::prefix(&"a".repeat(WIDE * 4)).and_not_null();
    let words = || Refinement::one_of((0..WIDE / 10).map(name)).unwrap();
    vec![
        ("empty texts", of(WIDE, &"".into())),
        ("distinct texts", Value::list((0..WIDE).map(name)).unwrap()),
        ("unknown texts", of(WIDE, &Value::unknown(Type::String))),
        ("empty lists", of(WIDE, &empty())),
        ("empty maps", of(WIDE, &empty_map())),
        ("tuple of empty lists", Value::tuple(vec![empty(); WIDE]).unwrap()),
        (
            "tuple of empty objects",
            Value::tuple(vec![Value::object(Vec::<(String, Value)>::new()).unwrap(); WIDE]).unwrap(),
        ),
        ("lists of empty lists", of(50, &of(50, &empty()))),
        ("one list of texts", of(1, &of(WIDE, &"".into()))),
        ("one list of distinct texts", of(1, &Value::list((0..WIDE).map(name)).unwrap())),
        ("nulls", Value::list_of(Type::String, vec![Value::null(Type::String); WIDE]).unwrap()),
        ("numbers", Value::list(0..WIDE as u64).unwrap()),
        ("bools", of(WIDE, &true.into())),
        ("set", Value::set((0..WIDE).map(name)).unwrap()),
        (
            "set with unknowns",
            Value::set(
                (0..WIDE / 10).map(|i| Value::from(name(i))).chain(vec![Value::unknown(Type::String); 3]),
            )
            .unwrap(),
        ),
        ("set of one list", Value::set([of(WIDE, &"".into())]).unwrap()),
        ("map", Value::map((0..WIDE).map(|i| (name(i), ""))).unwrap()),
        ("map of empty lists", Value::map((0..WIDE).map(|i| (name(i), empty()))).unwrap()),
        ("map of one list", Value::map([("a", of(WIDE, &"".into()))]).unwrap()),
        ("object", Value::object((0..WIDE).map(|i| (name(i), ""))).unwrap()),
        (
            "object of unknowns",
            Value::object((0..WIDE).map(|i| (name(i), Value::unknown(Type::String)))).unwrap(),
        ),
        ("object?", Value::unknown(wide(Type::String))),
        ("object of anything?", Value::unknown(wide(Type::Dynamic))),
        ("one object?", of(1, &Value::unknown(wide(Type::String)))),
        ("tuple?", Value::unknown(Type::tuple(vec![Type::String; WIDE]).unwrap())),
        ("list of a…?", refined("list(string)", Refinement::elements(long()).unwrap())),
        ("set of a…?", refined("set(string)", Refinement::elements(long()).unwrap())),
        ("map of a…?", refined("map(string)", Refinement::elements(long()).unwrap())),
        ("map of words?", refined("map(string)", Refinement::keys(&words()).unwrap())),
        ("set of words?", refined("set(string)", Refinement::elements(words()).unwrap())),
        ("list?", unknown("list(string)")),
        ("map of lists?", unknown("map(list(string))")),
        ("anything?", Value::dynamic()),
    ]
}

/// All of them.
pub(crate) struct Values {
    texts: Vec<Named>,
    numbers: Vec<Named>,
    compounds: Vec<Named>,
    others: Vec<Named>,
}

impl Values {
    pub(crate) fn new() -> Values {
        let numbers = vec![
            ("0", 0.into()),
            ("1", 1.into()),
            ("-1", (-1).into()),
            ("62", 62.into()),
            ("1000", 1000.into()),
            ("number?", Value::unknown(Type::Number)),
        ];
        let others = vec![
            ("bool", true.into()),
            ("bool?", Value::unknown(Type::Bool)),
            ("bytes", Value::capsule(Bytes::new(vec![0; WIDE]))),
            ("type", Value::capsule("map(string)".parse::<TypeConstraint>().unwrap())),
        ];
        Values { texts: texts(), numbers, compounds: compounds(), others }
    }

    /// Those for a parameter of this type.
    pub(crate) fn of(&self, ty: &Type) -> Vec<&Named> {
        let all = self.texts.iter().chain(&self.numbers).chain(&self.compounds).chain(&self.others);
        let own: Vec<&Named> = match ty {
            Type::Dynamic => {
                self.compounds.iter().chain(self.texts.iter().take(6)).chain(&self.numbers[..1]).collect()
            }
            ty => all.filter(|(_, value)| value.ty().compatible(ty)).collect(),
        };
        own
    }

    /// One with nothing wide.
    pub(crate) fn plain(&self, ty: &Type) -> Value {
        match ty {
            Type::String => "a".into(),
            Type::Number => 2.into(),
            Type::Dynamic | Type::List(_) => Value::list(["a", "b"]).unwrap(),
            Type::Set(_) => Value::set(["a", "b"]).unwrap(),
            Type::Map(map) => Value::map([("a", self.plain(map.element()))]).unwrap(),
            ty => self.of(ty)[0].1.clone(),
        }
    }
}
