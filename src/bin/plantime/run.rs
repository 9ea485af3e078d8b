//! `plantime check`.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use plantime::plan::{self, Against, Colour, Configuration, Plan, Problem, Report, RuleSet, Unusable};
use plantime::schema::ProviderSchemas;

use crate::args::{Check, Format};
use crate::bundle;
use crate::input::{self, Input};

type Answer = Result<Report, Vec<Unusable>>;

pub(crate) fn check(arguments: &Check) -> ExitCode {
    let start = Instant::now();
    let mut errors = Vec::new();
    let answers = match answers(arguments) {
        Ok(answers) => answers,
        Err(unusable) => unusable.into_iter().map(|error| Err(vec![error])).collect(),
    };
    let mut reports = Vec::new();
    let mut text = String::new();
    let colour = colour();
    if arguments.plans.is_empty() {
        text.push_str(bundle::INTRODUCTION);
    }
    for answer in answers {
        match answer {
            Ok(report) => {
                if arguments.format == Format::Text {
                    text.push_str(&report.text(colour));
                    text.push('\n');
                }
                reports.push(report);
            }
            Err(unusable) => errors.extend(unusable),
        }
    }
    match arguments.format {
        Format::Text if reports.is_empty() => text.clear(),
        Format::Text => text.push_str(&plan::summary(&reports, start.elapsed().as_secs_f64())),
        Format::Json => {
            text = format!("{:#}\n", plan::to_json(&reports, &errors));
        }
    }
    let written = io::stdout().lock().write_all(text.as_bytes()).and_then(|()| io::stdout().flush());
    // A reader that went away (`| head`) is no failure of the check.
    if let Err(error) = written
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        errors.push(Unusable::input("standard output", input::reason(&error)));
    }
    for error in &errors {
        let _ = writeln!(io::stderr().lock(), "error: {}", plan::printable(&error.to_string()));
    }
    let totals = reports.iter().map(Report::totals).fold(plan::Totals::default(), plan::Totals::and);
    ExitCode::from(match () {
        () if !errors.is_empty() => 2,
        () if totals.failed() => 1,
        () if arguments.strict && totals.undetermined > 0 => 3,
        () => 0,
    })
}

/// One answer for each plan, in order; or why none could be checked.
fn answers(arguments: &Check) -> Result<Vec<Answer>, Vec<Unusable>> {
    if arguments.plans.is_empty() {
        let against = Against {
            schemas: ProviderSchemas::from_json(bundle::SCHEMAS.as_bytes())
                .map_err(|e| vec![Unusable::new(e.to_string())])?,
            rules: RuleSet::read(bundle::rules()).map_err(told)?,
            configuration: Some(Configuration::read(bundle::configuration()).map_err(told)?),
            show_values: arguments.show_values,
        };
        return Ok(vec![checked("network/plan.json", bundle::PLAN.as_bytes(), &against)]);
    }
    let against = against(arguments)?;
    let (inputs, errors) = input::plans(&arguments.plans);
    let mut answers = in_parallel(&inputs, |input| {
        let bytes = input.read(arguments.max_input_size).map_err(|error| vec![error])?;
        checked(&input.name(), &bytes, &against)
    });
    answers.extend(errors.into_iter().map(|error| Err(vec![error])));
    Ok(answers)
}

/// Reads schemas, rules and configuration; tells everything that is wrong with them.
fn against(arguments: &Check) -> Result<Against, Vec<Unusable>> {
    let limit = arguments.max_input_size;
    let mut errors = Vec::new();
    let mut schemas = ProviderSchemas::new();
    for path in &arguments.schemas {
        let file = Input::File(path.clone());
        let read = file.read(limit).and_then(|bytes| {
            ProviderSchemas::from_json(&bytes)
                .map_err(|error| Unusable::input(file.name(), error.to_string()))
        });
        match read {
            Ok(read) => schemas.extend(read),
            Err(error) => errors.push(error),
        }
    }
    let rules = match &arguments.rules {
        None => Err(vec![Unusable::new("no rules given: add --rules FILE")]),
        Some(path) => match input::source(path, limit) {
            Ok(source) => RuleSet::read(source).map_err(told),
            Err(error) => Err(vec![error]),
        },
    };
    let configuration = match &arguments.config {
        None => Ok(None),
        Some(folder) => input::module(folder, limit)
            .and_then(|sources| Configuration::read(sources).map(Some).map_err(told)),
    };
    match (rules, configuration) {
        (Ok(rules), Ok(configuration)) if errors.is_empty() => {
            Ok(Against { schemas, rules, configuration, show_values: arguments.show_values })
        }
        (rules, configuration) => {
            errors.extend(rules.err().into_iter().flatten());
            errors.extend(configuration.err().into_iter().flatten());
            Err(errors)
        }
    }
}

fn checked(name: &str, plan: &[u8], against: &Against) -> Answer {
    if plan.starts_with(b"PK\x03\x04") {
        let message = "a binary plan is not supported yet; write it as JSON: terraform show -json FILE";
        return Err(vec![Unusable::input(name, message)]);
    }
    let plan =
        Plan::read(plan, &against.schemas).map_err(|error| vec![Unusable::input(name, error.to_string())])?;
    plan::check(name, &plan, against).map_err(told)
}

fn told(problems: Vec<Problem>) -> Vec<Unusable> {
    problems.into_iter().map(Unusable::from).collect()
}

/// Colours are for terminals, and for those who want them.
fn colour() -> Colour {
    let unwanted = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    if io::stdout().is_terminal() && !unwanted("NO_COLOR") && !dumb { Colour::Always } else { Colour::Never }
}

/// The answers in the order of the inputs, found by as many threads as the machine runs at once.
fn in_parallel(inputs: &[Input], answer: impl Fn(&Input) -> Answer + Sync) -> Vec<Answer> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(inputs.len());
    let next = AtomicUsize::new(0);
    let slots: Vec<Mutex<Option<Answer>>> = inputs.iter().map(|_| Mutex::new(None)).collect();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let (Some(input), Some(slot)) = (inputs.get(at), slots.get(at)) else { break };
                    let found = answer(input);
                    if let Ok(mut slot) = slot.lock() {
                        *slot = Some(found);
                    }
                }
            });
        }
    });
    let lost = || Err(vec![Unusable::new("a plan could not be checked")]);
    slots.into_iter().map(|slot| slot.into_inner().ok().flatten().unwrap_or_else(lost)).collect()
}
