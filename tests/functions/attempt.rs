//! `attempt` and `can` on calls that read what they need, so that what they say of an unknown is held against what
//! they say once it is known.

use plantime::function::{Function, Parameter};
use plantime::testing::{self, Domain};
use plantime::{Result, Type, Value};

/// A call that may fail: what it is, and what it gives for a value.
type Call = (&'static str, fn(&Value) -> Result<Value>);

/// Calls that fail for some values, and for unknown ones because they cannot be read or are of no type yet.
const CALLS: &[Call] = &[
    ("a text in capitals", |value| Ok(Value::from(value.as_str()?.to_uppercase()))),
    ("the opposite", |value| Ok(Value::from(!value.as_bool()?))),
    ("a number read", |value| value.as_number().cloned().map(Value::from)),
    ("the first element", |value| value.index(&Value::from(0))),
    ("an attribute", |value| value.get_attr("a")),
    ("an attribute that is read", |value| value.get_attr("a")?.as_bool().map(Value::from)),
    ("a sum", |value| value.add(&Value::from(1))),
    ("an assumption that needs a type", |value| value.assume_not_null()),
    ("a function that reads what it is given", |value| {
        reading().call_converting(std::slice::from_ref(value))
    }),
    ("a function that cannot do with every text", |value| {
        if value.as_str()? == "a" { value.get_attr("none") } else { Ok(value.clone()) }
    }),
];

/// A function whose body is run for unknown arguments too, and reads them.
fn reading() -> Function {
    Function::new("reading")
        .parameter(Parameter::new("text", Type::String).allow_unknown())
        .returns(Type::String)
        .body(|arguments| Ok(Value::from(arguments.text(0)?.to_uppercase())))
}

/// Values of every kind. An operation on what may be null gives what it gives where that is not null: where this is one
/// value, such as of a number that is null or 5, the result is known, and nothing tells that the call may fail.
fn values() -> Domain {
    let medium = Domain::medium();
    let is_null_or_one = |value: &Value| {
        !value.is_known() && value.assume_not_null().is_ok_and(|value| value.is_wholly_known())
    };
    let abstracts = medium.abstracts().filter(|value| !is_null_or_one(value)).cloned();
    Domain::new(abstracts.collect::<Vec<_>>(), medium.concretes().cloned())
}

#[test]
fn what_is_attempted_at_plan_time_holds_what_comes_of_it() {
    for (name, call) in CALLS {
        let attempt = |value: &Value| {
            Function::attempt(&[&|| call(value), &|| value.get_attr("b"), &|| Ok("none".into())])
        };
        // A call that reads a marked value fails for the mark, whatever is known.
        testing::unary(name, attempt).on([values()]).without_marks().assert();
        let alone = |value: &Value| Function::attempt(&[&|| call(value)]);
        testing::unary(name, alone).on([values()]).without_marks().assert();
    }
}

#[test]
fn whether_a_call_can_be_made_is_not_known_before_what_it_reads() {
    for (name, call) in CALLS {
        let can = |value: &Value| Ok::<_, plantime::Error>(Function::can(|| call(value)));
        testing::unary(name, can).on([values()]).without_marks().assert();
    }
}
