//! The framework, on functions made for the purpose.

use super::*;
use crate::mark::Mark;
use crate::refinement::LengthRange;

fn identity(parameter: Parameter) -> Function {
    Function::new("id")
        .parameter(parameter)
        .returns_by(|arguments| Ok(arguments.at(0).ty()))
        .body(|arguments| Ok(arguments.at(0).clone()))
}

fn text(name: &str) -> Parameter {
    Parameter::new(name, Type::String)
}

fn message(result: Result<Value>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn the_number_of_arguments_is_checked() {
    let f = identity(text("a"));
    assert_eq!(message(f.call(&[])), "wrong number of arguments (1 required; 0 given)");
    let f = Function::new("f").parameter(text("a")).variadic(text("b")).body(|_| Ok(Value::from(true)));
    assert_eq!(message(f.call(&[])), "wrong number of arguments (at least 1 required; 0 given)");
    assert_eq!(f.call(&["a".into(), "b".into(), "c".into()]), Ok(Value::from(true)));
}

#[test]
fn an_error_names_the_argument() {
    let f = Function::new("f").parameter(text("a")).variadic(text("b")).body(|_| Ok(Value::from(true)));
    let error = f.call(&["a".into(), "b".into(), Value::null(Type::String)]).unwrap_err();
    assert_eq!((error.argument(), error.is_null()), (Some(2), true));
    assert_eq!(error.to_string(), "argument 3: argument must not be null");
    let list = Function::new("f").parameter(Parameter::new("a", Type::list(Type::Bool).unwrap()));
    let error = list.body(|_| Ok(Value::from(true))).call(&[Value::from(1)]).unwrap_err();
    assert_eq!(error.to_string(), "argument 1: list of bool required, but received number");
}

#[test]
fn what_is_of_undecided_type_takes_the_parameters() -> Result<()> {
    let f = identity(text("a").allow_unknown());
    assert_eq!(f.call(&[Value::dynamic()])?, Value::unknown(Type::String).assume_not_null()?);
    let f = identity(text("a").allow_null());
    assert_eq!(f.call(&[Value::null(Type::Dynamic)])?, Value::null(Type::String));
    // A later argument is looked at all the same.
    let f = Function::new("f").parameter(Parameter::new("a", Type::Dynamic)).parameter(text("b"));
    let f = f.body(|_| Ok(Value::from(true)));
    assert!(f.call(&[Value::dynamic(), Value::from(1)]).is_err());
    Ok(())
}

#[test]
fn marks_are_on_the_result_whatever_it_is() -> Result<()> {
    let secret = |value: Value| value.mark(Mark::SENSITIVE);
    let list = Type::list(Type::String)?;
    let inside = Value::list([secret("a".into())])?;
    let gathered = identity(Parameter::new("a", list.clone()));
    assert_eq!(gathered.call(std::slice::from_ref(&inside))?, secret(Value::list(["a"])?));
    let carried = identity(Parameter::new("a", list.clone()).marks(MarkHandling::Carried));
    assert_eq!(carried.call(std::slice::from_ref(&inside))?, inside);
    assert_eq!(carried.call(&[secret(inside.clone())])?, secret(inside.clone()));
    // Where the result is unknown, marks inside have no place but its top.
    let partial = Value::list([secret("a".into()), Value::unknown(Type::String)])?;
    assert_eq!(carried.call(&[partial])?, secret(Value::unknown(list)));
    Ok(())
}

#[test]
fn a_message_shows_nothing_of_what_is_marked() {
    let f = Function::new("f").parameter(text("a")).body(|arguments| {
        Err(crate::Error::custom(format!("{} is not fit", arguments.text(0)?)).in_argument(0))
    });
    assert_eq!(message(f.call(&["hunter2".into()])), "argument 1: hunter2 is not fit");
    let marked = f.call(&[Value::from("hunter2").mark(Mark::SENSITIVE)]);
    assert_eq!(
        message(marked),
        "argument 1: an argument is not fit, and one is marked, so the reason is not shown"
    );
    let f = identity(Parameter::new("a", "object({a = string})".parse::<Type>().unwrap()));
    let marked = Value::object([("secret", "x")]).unwrap().mark(Mark::SENSITIVE);
    assert_eq!(message(f.call(&[marked])), "argument 1: object required, but received object");
}

#[test]
fn promises_are_kept_or_an_error() {
    let f =
        |ty: Type, value: Value| Function::new("f").returns(ty).not_null().body(move |_| Ok(value.clone()));
    assert_eq!(
        message(f(Type::String, Value::from(1)).call(&[])),
        "function \"f\" does not keep its promise: it gave number where its type is string"
    );
    assert_eq!(
        message(f(Type::String, Value::null(Type::String)).call(&[])),
        "function \"f\" does not keep its promise: its result has to be not null"
    );
    let id = f(Type::String, Value::unknown(Type::String)).call(&[]).unwrap();
    assert!(id.range().is_not_null());
}

#[test]
fn few_outcomes_are_counted() -> Result<()> {
    let f = Function::new("f")
        .parameter(Parameter::new("a", Type::Bool))
        .returns(Type::Number)
        .body(|arguments| Ok(Value::from(if arguments.truth(0)? { 3 } else { 1 })));
    let result = f.call(&[Value::unknown(Type::Bool)])?;
    assert_eq!(result.to_string(), "(known after apply, >= 1, <= 3)");
    let f = Function::new("f").parameter(Parameter::new("a", Type::Bool)).returns(Type::Number).body(
        |arguments| {
            if arguments.truth(0)? { Ok(Value::from(3)) } else { Err(crate::Error::custom("no")) }
        },
    );
    assert_eq!(f.call(&[Value::unknown(Type::Bool)])?, Value::from(3));
    Ok(())
}

#[test]
fn a_transformer_is_asked_while_something_is_unknown() -> Result<()> {
    let f = Function::new("f")
        .parameter(text("a"))
        .returns(Type::list(Type::String)?)
        .transformer(|arguments| {
            Value::refined(arguments.ty().clone(), Refinement::length(LengthRange::exactly(2)))
        })
        .body(|_| Value::list(["a", "b"]));
    assert_eq!(f.call(&["x".into()])?, Value::list(["a", "b"])?);
    assert_eq!(
        f.call(&[Value::unknown(Type::String)])?.range().length_range(),
        Some(LengthRange::exactly(2))
    );
    let f = f.unpredictable();
    assert_eq!(f.call(&["x".into()])?, Value::unknown(Type::list(Type::String)?));
    Ok(())
}

#[test]
fn signatures_read_well() {
    let max = Functions::standard().get("max").unwrap();
    assert_eq!(max.to_string(), "max(numbers number…) number");
    let log = Functions::standard().get("log").unwrap();
    assert_eq!(format!("{log:?}"), "Function(log(num number, base number) number)");
}
