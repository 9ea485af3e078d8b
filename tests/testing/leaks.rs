//! The law of marks catches operations that leak, each in its way.

use plantime::function::{Function, MarkHandling, Parameter};
use plantime::testing::flow::{Hidden, Seen, behind_mark, contents, distinguishable};
use plantime::testing::{self, Domain, Law, Report};
use plantime::{Error, Mark, Path, Result, Type, TypeConstraint, Value, View, convert};

fn lists() -> Domain {
    Domain::small().of(&"list(bool)".parse().unwrap())
}

#[track_caller]
fn leaks(report: &Report, text: &str) {
    let leaks = report.violations.iter().filter(|violation| violation.law == Law::Marks);
    assert!(leaks.into_iter().any(|violation| violation.example.contains(text)), "{report}");
}

fn call(function: &Function) -> impl Fn(&Value) -> Result<Value> + '_ {
    |value| function.call(std::slice::from_ref(value))
}

fn of_list(name: &str) -> plantime::function::FunctionBuilder {
    let list = Parameter::new("list", "list(any)".parse::<TypeConstraint>().unwrap());
    Function::new(name).parameter(list.allow_unknown().marks(MarkHandling::Carried))
}

/// A list of lists of bools, by way of a set whose marks are forgotten.
#[test]
fn a_mark_that_a_conversion_moved_and_that_is_then_forgotten() {
    let members = of_list("members").not_null().body(|arguments| {
        let set = convert(arguments.at(0), &"set(any)".parse::<TypeConstraint>()?)?;
        Value::tuple([set.unmark().0])
    });
    leaks(&testing::unary("members", call(&members)).on([lists()]).report(), "shows what is behind a mark");
}

/// Right once all is known.
#[test]
fn a_mark_that_is_lost_while_the_answer_is_not_known() {
    let first = |list: &Value| {
        let (bare, marks) = list.clone().unmark();
        let list = bare.assume_type(&"list(bool)".parse()?)?;
        let part = match list.view() {
            View::List(parts) => parts.iter().next().cloned(),
            View::Null(_) => return Err(Error::custom("null")),
            _ => return Ok(Value::unknown(Type::Bool).with_marks(&marks)),
        };
        let part = part.unwrap_or_else(|| Value::null(Type::Bool));
        let part = if part.is_known() { part } else { Value::unknown(Type::Bool) };
        Ok(part.with_marks(&marks))
    };
    leaks(&testing::unary("first", first).on([lists()]).report(), "shows what is behind a mark");
}

/// How many elements there are once they are taken together is known, though what they are is hidden.
#[test]
fn an_error_that_repeats_what_is_marked() {
    let known = |list: &Value| match list.view() {
        View::List(parts) if parts.iter().any(|part| part.clone().unmark().0 == Value::from(true)) => {
            Err(Error::custom("there is a true"))
        }
        _ => Err(Error::custom("there is none")),
    };
    let report = testing::unary("truths", known).on([lists()]).report();
    leaks(&report, "behind the mark it is there is a true");
}

/// The answer is marked where the first operand is, and not where the decision was.
#[test]
fn a_choice_by_something_marked_that_is_not() {
    let chosen = |list: &Value| {
        let (list, marks) = list.clone().unmark();
        let Ok(first) = list.index(&Value::from(0)) else {
            return Ok::<Value, Error>(Value::from("none").with_marks(&marks));
        };
        let (first, _) = first.unmark();
        let text = match first.as_bool() {
            Ok(true) => Value::from("yes"),
            Ok(false) => Value::from("no"),
            Err(_) if first.is_null() => Value::from("null"),
            Err(_) => Value::unknown(Type::String).assume_not_null()?,
        };
        Ok(text.with_marks(&marks))
    };
    leaks(&testing::unary("chosen", chosen).on([lists()]).report(), "shows what is behind a mark");
}

/// A result type that says how many there were; right for a decoder, which has to say so.
#[test]
fn a_type_that_tells_how_long_a_marked_list_is() {
    let spread = |list: &Value| {
        let (list, marks) = list.unmark_deep();
        let parts = match list.view() {
            View::List(parts) => parts.iter().cloned().collect(),
            View::Null(_) => Vec::new(),
            _ => return Ok(Value::dynamic().with_marks(&marks)),
        };
        Value::tuple(parts).map(|tuple| tuple.with_marks(&marks))
    };
    let proof = || testing::unary("spread", spread).on([lists()]);
    leaks(&proof().report(), "of type tuple([");
    let of_any_type = proof().types_follow_values().report();
    assert!(of_any_type.violations.iter().all(|violation| violation.law != Law::Marks), "{of_any_type}");
}

/// What writes a value is held to the same: what it writes is what is seen.
#[test]
fn a_codec_that_writes_what_is_behind_an_inner_mark() {
    let value = Value::object([("password", "hunter2"), ("user", "u")]).unwrap();
    let place: Path = "password".parse().unwrap();
    let values = behind_mark(&value, &place, &Mark::SENSITIVE, &contents(&Type::String));
    let written = |encode: &dyn Fn(&Value) -> Result<Vec<u8>>| {
        distinguishable(&values, |value| match encode(value) {
            Ok(bytes) => Seen::Answer { text: String::from_utf8_lossy(&bytes).into_owned(), ty: None },
            Err(error) => Seen::Error(error.to_string()),
        })
    };
    let careless = |value: &Value| {
        if value.is_marked() {
            Err(Error::custom("marked"))
        } else {
            plantime::json::to_vec(&value.unmark_deep().0)
        }
    };
    let [(one, _), (other, _)] = written(&careless).expect("it writes the password");
    assert_ne!(one.content, other.content);
    assert!(written(&plantime::json::to_vec).is_none());
}

/// Two values that differ only behind a mark, in how often a member is there.
#[test]
fn contents_are_of_one_type_and_stand_where_they_should() {
    for text in [
        "string",
        "list(bool)",
        "set(number)",
        "map(string)",
        "tuple([bool, string])",
        "object({a = number})",
    ] {
        let ty: Type = text.parse().unwrap();
        let all = contents(&ty);
        assert!(all.len() >= 4 && all.iter().all(|value| value.ty() == ty), "{all:?}");
        let host = Value::tuple([all[0].clone(), Value::from(1)]).unwrap();
        let place = Path::new().index(0);
        let values = behind_mark(&host, &place, &Mark::EPHEMERAL, &all);
        assert_eq!(values.len(), all.len());
        for Hidden { content, value } in values {
            assert_eq!(value.get(&place).unwrap(), content.mark(Mark::EPHEMERAL));
        }
    }
}
