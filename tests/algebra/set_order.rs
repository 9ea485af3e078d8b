//! Lists that sets of tuples, objects and collections become while a member is not wholly known: they may become what the set
//! becomes as a list, for all that the members may become.
//!
//! Such sets are iterated in the order of texts in which numbers are texts too, so the numbers here have one digit and several, a
//! fraction, an exponent, both signs, and infinities; and what is known of them reaches over several of these.

use plantime::{Number, Refinement, Type, TypeConstraint, Value, convert};

use super::laws::Violations;

/// A part of a member, with values that it may become.
struct Part {
    value: Value,
    becomes: Vec<Value>,
}

fn number(text: &str) -> Value {
    Value::from(text.parse::<Number>().unwrap())
}

/// The parts that are numbers: what is known of them, and what they may become. `null` is a null.
fn numbers() -> Vec<Part> {
    let known = ["80", "443", "-5", "1.5", "12345678901"];
    let refined: [(&str, &[&str]); 12] = [
        ("notnull(numberrange(10, 300))", &["10", "9e1", "255", "299.5"]),
        ("notnull(numberrange(1, 5))", &["1", "1.5", "5"]),
        ("notnull(numberrange(400, 450))", &["400", "443.5", "450"]),
        ("notnull(numberrange(-20, -3))", &["-20", "-3", "-3.5"]),
        ("notnull(numberrange(-12, -10))", &["-12", "-10.5", "-10"]),
        ("notnull(numberrange(0, 2))", &["0", "0.5", "0.00000001", "2"]),
        ("notnull(numberrange(9999999998, 10000000000))", &["9999999998", "9999999999.9", "10000000000"]),
        ("notnull(numbermin(7))", &["7", "12345678901234", "80", "inf"]),
        ("notnull(numbermax(-7))", &["-7", "-80", "-inf"]),
        ("notnull(oneof(5, 30))", &["5", "30"]),
        ("numberrange(40, 90)", &["40", "89.5", "null"]),
        ("any()", &["-inf", "3", "inf", "null"]),
    ];
    let become_one = |text: &str| if text == "null" { Value::null(Type::Number) } else { number(text) };
    let one = |text: &&str| Part { value: number(text), becomes: vec![number(text)] };
    let several = |(known, becomes): &(&str, &[&str])| Part {
        value: Value::refined(Type::Number, known.parse::<Refinement>().unwrap()).unwrap(),
        becomes: becomes.iter().map(|text| become_one(text)).collect(),
    };
    known.iter().map(one).chain(refined.iter().map(several)).collect()
}

/// The parts that are strings.
fn strings() -> Vec<Part> {
    let texts = |texts: &[&str]| texts.iter().map(|text| Value::from(*text)).collect::<Vec<Value>>();
    let refined = |known: &str, becomes: &[&str]| Part {
        value: Value::refined(Type::String, known.parse::<Refinement>().unwrap()).unwrap(),
        becomes: texts(becomes),
    };
    let mut all: Vec<Part> =
        ["a", "a\"", "b"].map(|text| Part { value: Value::from(text), becomes: texts(&[text]) }).into();
    all.push(refined("notnull(stringprefix(\"a\"))", &["a", "a\"", "a\u{1}", "a b", "aé"]));
    all.push(refined("notnull(oneof(\"a\", \"az\"))", &["a", "az"]));
    all.push(refined("notnull(stringprefix(\"b-\"))", &["b-", "b-z"]));
    all.push(Part {
        value: Value::unknown(Type::String),
        becomes: [texts(&["", "z", "~"]), vec![Value::null(Type::String)]].concat(),
    });
    all
}

/// The kinds of members of which a part is the first child.
const KINDS: [fn(&Value, usize) -> Value; 6] = [
    |part, place| Value::tuple([part.clone(), Value::from(place)]).unwrap(),
    |part, _| Value::object([("b", part.clone())]).unwrap(),
    |part, place| {
        Value::object([("a", part.clone()), ("b", Value::from(if place % 2 == 0 { "x" } else { "y" }))])
            .unwrap()
    },
    |part, place| Value::list_of(part.ty(), vec![part.clone(); 1 + place % 2]).unwrap(),
    |part, place| Value::map_of(part.ty(), [(if place < 2 { "" } else { "k" }, part.clone())]).unwrap(),
    |part, place| {
        let inner = Value::list_of(part.ty(), [part.clone()]).unwrap();
        Value::tuple([Value::from(true), inner, Value::from(place)]).unwrap()
    },
];

/// Each choice of one value of each list.
fn choices(lists: &[&[Value]]) -> Vec<Vec<Value>> {
    lists.iter().fold(vec![Vec::new()], |all, list| {
        let with = |choice: &Vec<Value>| {
            list.iter()
                .map(|value| [choice.as_slice(), std::slice::from_ref(value)].concat())
                .collect::<Vec<_>>()
        };
        all.iter().flat_map(with).collect()
    })
}

fn hold(parts: &[&Part], wrong: &mut Violations) {
    for (kind, member) in KINDS.iter().enumerate() {
        let set = |values: &[Value]| {
            let members: Vec<Value> = values.iter().enumerate().map(|(i, value)| member(value, i)).collect();
            Value::set_of(members[0].ty(), members).unwrap()
        };
        let list = |set: &Value| {
            let ty = Type::list(set.ty().element_type().unwrap().clone()).unwrap();
            convert(set, &TypeConstraint::from(ty))
        };
        let values: Vec<Value> = parts.iter().map(|part| part.value.clone()).collect();
        let planned = set(&values);
        let of_length = planned.assume_set_length(parts.len() as u64, parts.len() as u64);
        let becomes: Vec<&[Value]> = parts.iter().map(|part| part.becomes.as_slice()).collect();
        let all: Vec<(Value, Value)> = choices(&becomes)
            .iter()
            .map(|chosen| {
                let set = set(chosen);
                let list = list(&set).unwrap();
                (set, list)
            })
            .collect();
        for planned in [Some(planned), of_length.ok()].into_iter().flatten() {
            let answer = list(&planned).unwrap();
            for (set, known) in all.iter().filter(|(set, _)| planned.may_become(set)) {
                if !answer.may_become(known) {
                    wrong.add(format!("kind {kind}"), || {
                        format!("{planned:?} = {answer:?}, but of {set:?} it is {known:?}")
                    });
                }
            }
        }
    }
}

#[test]
fn a_list_of_a_partly_known_set_may_become_every_list_of_it() {
    let mut wrong = Violations::default();
    for parts in [numbers(), strings()] {
        for a in &parts {
            for b in &parts {
                hold(&[a, b], &mut wrong);
            }
        }
        // Of three, those that differ most.
        let few: Vec<&Part> = parts.iter().skip(1).step_by(2).collect();
        for a in &few {
            for b in &few {
                for c in &few {
                    hold(&[a, b, c], &mut wrong);
                }
            }
        }
    }
    wrong.none("lists of sets");
}

/// Where the texts are certainly apart, the order is known, whatever the numbers are.
#[test]
fn the_order_is_known_where_the_texts_are_apart() {
    let refined = |text: &str| Value::refined(Type::Number, text.parse::<Refinement>().unwrap()).unwrap();
    let first = |a: Value, b: Value| {
        let rule = |port: Value, source: Value| Value::object([("port", port), ("source", source)]).unwrap();
        let members = [rule(a, Value::from("a")), rule(b, Value::unknown(Type::String))];
        let set = Value::set_of(members[0].ty(), members).unwrap();
        let list = convert(
            &set,
            &TypeConstraint::from(Type::list(set.ty().element_type().unwrap().clone()).unwrap()),
        );
        list.unwrap().index(&Value::from(0)).unwrap().get_attr("port").unwrap()
    };
    assert_eq!(first(Value::from(80), Value::from(443)), Value::from(443));
    assert_eq!(first(Value::from(-5), Value::from(-40)), Value::from(-40));
    assert_eq!(first(Value::from(-5), Value::from(4)), Value::from(-5));
    assert_eq!(first(Value::from(2), Value::from("1.5".parse::<Number>().unwrap())).to_string(), "1.5");
    let some = refined("notnull(numberrange(100, 199))");
    assert_eq!(first(Value::from(80), some.clone()), some);
    assert_eq!(first(Value::from(2), some.clone()), some);
    assert_ne!(first(Value::from(15), some.clone()), some);
    let large = refined("notnull(numberrange(10, 300))");
    assert_ne!(first(Value::from(5), large), Value::from(5));
}
