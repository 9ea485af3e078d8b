//! What a call costs is told by its arguments, its result and what it charges: who bounds the sum of these bounds the
//! time and the memory of all calls together.

use plantime::function::{Function, Functions};
use plantime::unstable::function::work;
use plantime::{Type, Value};

use crate::MEMORY;
use crate::bounds::{alone, on_processor, slower};
use crate::values::Values;

/// The functions whose loops may leave nothing, or much, for each turn.
const FUNCTIONS: [&str; 3] = ["csvdecode", "replace", "split"];

/// The time of a call apart from its steps, and the time of a step, in nanoseconds where everything is optimised. Ten times
/// that is allowed: the system counts time in pieces.
const CALL: u64 = 100_000;
const STEP: u64 = 500;
/// The memory that a result keeps apart from its steps, and that of a step, in bytes.
const KEPT_BY_CALL: u64 = 1 << 12;
const KEPT_BY_STEP: u64 = 32;

/// Texts that let a function work without leaving anything, or leave many small parts.
fn pieces(others: usize) -> Vec<(&'static str, String)> {
    let few = vec![
        ("a…", "a".repeat(1_000)),
        ("/q*?/", "/q*?/".to_owned()),
        ("q*?", "q*?".to_owned()),
        ("/.*[^a-z]|[a-z]/", "/.*[^a-z]|[a-z]/".to_owned()),
        ("$0…", "$0".repeat(1_000)),
        ("a,…", "a,".repeat(1_000)),
    ];
    let more = vec![
        ("lines of one", "a\n1\n".to_owned() + &"1\n".repeat(1_000)),
        ("[\"a\",…", format!("[{}1]", "\"a\",".repeat(1_000))),
        ("[{\"a\":[]},…", format!("[{}1]", "{\"a\":[]},".repeat(1_000))),
        ("((((a…))))", format!("{}a*{}", "(".repeat(100), ")".repeat(100))),
        ("[", "[".repeat(200)),
    ];
    if others > 1 { few } else { few.into_iter().chain(more).collect() }
}

/// All combinations of these texts for the parameters that are texts, with plain values for the others.
fn combinations(types: &[Type], values: &Values) -> Vec<(String, Vec<Value>)> {
    let mut all = vec![(String::new(), Vec::new())];
    let texts = types.iter().filter(|ty| **ty == Type::String).count();
    for ty in types {
        let choices: Vec<(&str, Value)> = match ty {
            Type::String if texts <= 3 => {
                pieces(texts).into_iter().map(|(name, text)| (name, Value::from(text))).collect()
            }
            ty => vec![("plain", values.plain(ty))],
        };
        all = all
            .into_iter()
            .flat_map(|(names, arguments): (String, Vec<Value>)| {
                choices.iter().map(move |(name, value)| {
                    (format!("{names} {name}"), [&arguments[..], std::slice::from_ref(value)].concat())
                })
            })
            .collect();
    }
    all
}

/// What a call costs beyond what it charges.
struct Excess {
    call: String,
    nanoseconds: u64,
    steps: u64,
    kept: u64,
}

/// The second call is looked at: the first fills what is kept for later, such as compiled expressions.
fn excess(function: &Function, names: &str, arguments: &[Value]) -> Excess {
    let first = measured(function, names, arguments);
    let is_in_proportion = first.time() <= 1.0 && first.memory() <= 1.0;
    if is_in_proportion { first } else { measured(function, names, arguments) }
}

fn measured(function: &Function, names: &str, arguments: &[Value]) -> Excess {
    let _ = work::take();
    let before = MEMORY.current_usage();
    let start = on_processor();
    let result = function.call_converting(arguments);
    let nanoseconds = u64::try_from(on_processor().saturating_sub(start).as_nanos()).unwrap_or(u64::MAX);
    let kept = MEMORY.current_usage().saturating_sub(before) as u64;
    let sizes = arguments.iter().chain(result.as_ref().ok()).map(work::of);
    let steps = sizes.chain([work::take()]).fold(0, u64::saturating_add);
    Excess { call: format!("{}({names})", function.name()), nanoseconds, steps, kept }
}

impl Excess {
    fn time(&self) -> f64 {
        self.nanoseconds as f64 / (slower() * 10 * (CALL + STEP * self.steps)) as f64
    }

    fn memory(&self) -> f64 {
        self.kept as f64 / (KEPT_BY_CALL + KEPT_BY_STEP * self.steps) as f64
    }
}

fn each(function: &Function, values: &Values) -> Vec<Excess> {
    let mut types: Vec<Type> = function.parameters().iter().map(|parameter| parameter.ty().clone()).collect();
    if types.is_empty()
        && let Some(variadic) = function.variadic()
    {
        types = vec![variadic.ty().clone(); 2];
    }
    let calls = combinations(&types, values);
    calls.iter().map(|(names, arguments)| excess(function, names, arguments)).collect()
}

#[test]
fn functions_charge_their_work() {
    let costs: Vec<Excess> = alone(|| {
        let values = Values::new();
        let only = std::env::var("PLANTIME_FUNCTION").ok();
        let is_tried = |function: &&Function| only.as_deref().is_none_or(|only| only == function.name());
        let functions = FUNCTIONS.iter().filter_map(|name| Functions::standard().get(name));
        functions.filter(is_tried).flat_map(|function| each(function, &values)).collect()
    });
    for (what, of) in [("time", Excess::time as fn(&Excess) -> f64), ("memory", Excess::memory)] {
        let mut most: Vec<&Excess> = costs.iter().collect();
        most.sort_by(|a, b| of(b).total_cmp(&of(a)));
        for cost in most.iter().take(60) {
            println!(
                "{what} {:>8.2} {:>8} us {:>9} steps {:>10} bytes {}",
                of(cost),
                cost.nanoseconds / 1000,
                cost.steps,
                cost.kept,
                cost.call
            );
        }
        println!("{} calls", costs.len());
    }
    let faults = costs.iter().filter(|cost| cost.time() > 1.0 || cost.memory() > 1.0);
    let faults: Vec<String> = faults
        .map(|cost| {
            format!(
                "{}: {} us, {} bytes, {} steps",
                cost.call,
                cost.nanoseconds / 1000,
                cost.kept,
                cost.steps
            )
        })
        .collect();
    assert!(faults.is_empty(), "{} calls cost more than they charge:\n{}", faults.len(), faults.join("\n"));
}
