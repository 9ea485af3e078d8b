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
fn what_is_wrong_whatever_is_marked_is_shown() -> Result<()> {
    let secret = |value: Value| value.mark(Mark::SENSITIVE);
    let hidden = "an argument is not fit, and one is marked, so the reason is not shown";
    let call = |name: &str, arguments: &[Value]| {
        message(Functions::cty().get(name).unwrap().call(arguments).map(|_| Value::from(true)))
    };
    let set = Value::set(["a"])?;
    let index = secret(1.into());
    assert_eq!(
        call("slice", &[set.clone(), index.clone(), 2.into()]),
        "argument 1: cannot slice a set, because its elements do not have indices; explicitly convert to a list if \
         the ordering of the result is not important"
    );
    let format = |format: &str, value: Value| call("format", &[format.into(), value]);
    assert_eq!(format("%5", secret("x".into())), "invalid format string starting at offset 2");
    assert_eq!(format("%d", secret("hunter2".into())), format!("argument 2: {hidden}"));
    // Of which of two marked arguments it is, is said of none.
    let both = [secret("%d".into()), secret("hunter2".into())];
    assert_eq!(call("format", &both), hidden);
    // A kind is told; the names in a type are content, and are not.
    assert_eq!(call("flatten", &[secret(0.into())]), "can only flatten lists, sets and tuples");
    let object = secret(Value::object([("hunter2", 1)])?);
    assert_eq!(call("flatten", &[object]), "can only flatten lists, sets and tuples");
    let inside = Value::object([("a", secret("hunter2".into()))])?;
    assert_eq!(call("flatten", &[inside]), "can only flatten lists, sets and tuples");
    let rule = Function::new("f").parameter(text("a")).returns_by(|arguments| match arguments.text(0) {
        Ok(text) => Err(crate::Error::custom(format!("no {text}"))),
        Err(_) => Ok(Type::Dynamic),
    });
    let rule = rule.body(|_| Ok(Value::from(true)));
    let error = rule.return_type_for(&[secret("hunter2".into())]).unwrap_err();
    assert_eq!(error.to_string(), format!("argument 1: {hidden}"));
    // No value is made up for what is marked.
    let even = Function::new("f")
        .parameter(Parameter::new("a", Type::Bool))
        .body(|arguments| Err(crate::Error::custom(format!("{} is not fit", arguments.boolean(0)?))));
    assert_eq!(message(even.call(&[secret(true.into())])), format!("argument 1: {hidden}"));
    Ok(())
}

/// Values of each type, so that any two of one type can stand behind a mark.
fn contents() -> Vec<Value> {
    let list = |items: &[&str]| Value::list_of(Type::String, items.iter().copied()).unwrap();
    let map =
        |keys: &[&str]| Value::map_of(Type::Number, keys.iter().map(|key| (*key, Value::from(1)))).unwrap();
    let set = |items: &[&str]| Value::set_of(Type::String, items.iter().copied()).unwrap();
    let texts = [
        "",
        "0",
        "-7",
        "%s",
        "%d%",
        "a,b\n1",
        "{\"a\":",
        "10.0.0.0/8",
        "2024-02-29T13:05:09Z",
        "(",
        "é",
        "1h",
    ];
    let numbers = ["0", "-1", "2", "2.5", "inf", "99999999999999999999"];
    let mut all: Vec<Value> = texts.map(Value::from).into();
    all.extend(numbers.map(|number| Value::from(number.parse::<crate::Number>().unwrap())));
    all.extend([Value::from(true), Value::from(false)]);
    all.extend([list(&[]), list(&["a"]), list(&["1", "x"]), map(&[]), map(&["a"]), map(&["é", "b"])]);
    all.extend([set(&[]), set(&["a", "b"])]);
    all.extend([Value::tuple([1, 2]).unwrap(), Value::tuple([0, 5]).unwrap()]);
    all.extend([Value::object([("a", "x")]).unwrap(), Value::object([("a", "y")]).unwrap()]);
    all
}

#[test]
fn an_error_is_the_same_whatever_is_behind_the_mark() {
    let contents = contents();
    let mut compared = 0;
    for function in Functions::cty().iter().chain(Functions::standard().iter()) {
        let count = function.parameters().len() + usize::from(function.variadic().is_some());
        if count == 0 || function.name().starts_with("assume") {
            continue;
        }
        // What stands in the other places: the same for all.
        for others in contents.iter().step_by(3) {
            for place in 0..count.min(3) {
                let mut shown: Vec<(Type, String)> = Vec::new();
                for content in &contents {
                    let mut arguments = vec![others.clone(); count];
                    arguments[place] = content.clone().mark(Mark::SENSITIVE);
                    let Err(error) = function.call(&arguments) else { continue };
                    let error = format!("{error} {error:?}");
                    match shown.iter().find(|(ty, _)| *ty == content.ty()) {
                        Some((_, before)) => {
                            assert_eq!(*before, error, "{function} {place} {others} {content}");
                            compared += 1;
                        }
                        None => shown.push((content.ty(), error)),
                    }
                }
            }
        }
    }
    assert!(compared > 1000, "{compared}");
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
        .body(|arguments| Ok(Value::from(if arguments.boolean(0)? { 3 } else { 1 })));
    let result = f.call(&[Value::unknown(Type::Bool)])?;
    assert_eq!(result.to_string(), "(known after apply, one of 1, 3)");
    let f = Function::new("f").parameter(Parameter::new("a", Type::Bool)).returns(Type::Number).body(
        |arguments| {
            if arguments.boolean(0)? { Ok(Value::from(3)) } else { Err(crate::Error::custom("no")) }
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
