//! `attempt` and `can` on calls that read their arguments: the answer for an unknown value is compared with the answers
//! once the value is known.

use plantime::function::{CallError, Function, Parameter};
use plantime::testing::{self, Domain};
use plantime::{Refinement, Result, Type, Value};

/// A call that may fail: its description, and the function that makes it.
type Call = (&'static str, fn(&Value) -> Result<Value>);

/// Calls that fail for some values. For unknown values they fail because these cannot be read or have no type yet.
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

/// A function whose body runs for unknown arguments too, and reads them.
fn reading() -> Function {
    Function::new("reading")
        .parameter(Parameter::new("text", Type::String).allow_unknown())
        .returns(Type::String)
        .body(|arguments| Ok(Value::from(arguments.text(0)?.to_uppercase())))
}

/// Values of every kind, except those that are null or one known value, collections of which all elements are one known value,
/// and unknown objects an attribute of which is known: an operation on a number that is null or 5 has the known result for 5, and nothing shows that the call
/// may fail.
fn values() -> Domain {
    let medium = Domain::medium();
    let is_null_or_one = |value: &Value| {
        !value.is_known() && value.assume_not_null().is_ok_and(|value| value.is_wholly_known())
    };
    let has_one_element = |value: &Value| *value.range().refinement().element() == Refinement::null();
    let has_one_attribute = |value: &Value| {
        !value.is_known() && value.get_attr("a").is_ok_and(|attribute| attribute.is_wholly_known())
    };
    let is_left =
        |value: &&Value| !is_null_or_one(value) && !has_one_element(value) && !has_one_attribute(value);
    let abstracts = medium.abstracts().filter(is_left).cloned();
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

/// The error of a language around the library.
#[derive(Debug, PartialEq)]
enum Fault {
    Library(plantime::Error),
    Own(&'static str),
}

impl From<plantime::Error> for Fault {
    fn from(error: plantime::Error) -> Fault {
        Fault::Library(error)
    }
}

impl CallError for Fault {
    fn may_succeed_later(&self) -> bool {
        matches!(self, Fault::Library(error) if error.may_succeed_later())
    }
}

#[test]
fn calls_may_fail_with_errors_of_the_caller() {
    let own = || Err(Fault::Own("no such variable"));
    let reading = |value: Value| move || Ok::<_, Fault>(Value::from(value.as_str()?.to_uppercase()));
    assert_eq!(Function::attempt(&[&own, &reading(Value::from("a"))]), Ok(Value::from("A")));
    assert_eq!(Function::attempt(&[&own, &reading(Value::unknown(Type::String))]), Ok(Value::dynamic()));
    assert_eq!(Function::attempt(&[&reading(Value::from(1)), &own]), own());
    assert_eq!(Function::can(own), Value::from(false));
    assert!(!Function::can(reading(Value::unknown(Type::String))).is_known());
    let none: Result<Value, Fault> = Function::attempt(&[]);
    assert!(matches!(none, Err(Fault::Library(error)) if error.is_argument()));
}
