//! Each function on the values that its parameters take: all laws, optimality among them.

use plantime::function::{Function, Functions};
use plantime::testing::{self, Domain, Proof};
use plantime::{Type, Value};

use crate::ledger;

/// Functions that are not held to the least result. Quotients lie between the numbers of every domain: that `divide` is
/// optimal is shown of [`Value::divide`], on numbers of its own.
const NOT_OPTIMAL: [&str; 4] = ["divide", "log", "pow", "parseint"];

fn function(name: &str) -> Function {
    let functions = [Functions::cty(), Functions::standard()];
    functions.iter().find_map(|functions| functions.get(name)).unwrap_or_else(|| panic!("{name}")).clone()
}

fn proof(function: &Function) -> Proof<'_> {
    let call = move |operands: &[&Value]| {
        let arguments: Vec<Value> = operands.iter().map(|&operand| operand.clone()).collect();
        function.call(&arguments)
    };
    let mut proof = testing::variadic(function.name(), call);
    for row in ledger::rows().into_iter().filter(|row| row.function == function.name()) {
        proof = proof.allow(&row.operands.iter().map(String::as_str).collect::<Vec<_>>(), &row.reason);
    }
    if NOT_OPTIMAL.contains(&function.name()) { proof } else { proof.optimal() }
}

/// The values for one argument of so many.
fn domain(ty: &Type, count: usize) -> Domain {
    let all = match count {
        1 => Domain::medium(),
        2 => Domain::small(),
        _ => Domain::scalars(),
    };
    if *ty == Type::Dynamic { all } else { all.of(ty) }
}

/// The function on as many arguments as it has parameters, and one or two more if it takes any number.
#[track_caller]
fn try_function(name: &str) {
    let function = function(name);
    let fixed: Vec<&Type> = function.parameters().iter().map(|parameter| parameter.ty()).collect();
    let mut tries = vec![fixed.clone()];
    if let Some(variadic) = function.variadic() {
        for more in 1..=2 {
            tries.push(fixed.iter().copied().chain(vec![variadic.ty(); more]).collect());
        }
    }
    let mut proof = proof(&function);
    for types in tries {
        proof = proof.on(types.iter().map(|ty| domain(ty, types.len())).collect::<Vec<_>>());
    }
    proof.assert();
}

macro_rules! laws_of {
    ($($name:ident),* $(,)?) => {
        $(#[test]
        fn $name() {
            try_function(stringify!($name));
        })*

        const TRIED: &[&str] = &[$(stringify!($name)),*];
    };
}

laws_of!(
    absolute,
    add,
    and,
    ceil,
    divide,
    equal,
    floor,
    greaterthan,
    greaterthanorequalto,
    int,
    lessthan,
    lessthanorequalto,
    log,
    max,
    min,
    modulo,
    multiply,
    negate,
    not,
    notequal,
    or,
    parseint,
    pow,
    signum,
    subtract,
);

#[test]
fn the_laws_are_tried_on_every_function() {
    for function in Functions::cty().iter() {
        assert!(TRIED.contains(&function.name()), "{}", function.name());
    }
}
