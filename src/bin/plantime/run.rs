//! `plantime check`.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use plantime::plan::{
    self, Against, Configuration, Look, Obligations, Plan, Problem, Report, RuleSet, Unusable,
};
use plantime::schema::ProviderSchemas;

use crate::args::{Check, Format};
use crate::bundle;
use crate::input::{self, Input};
use crate::output;

/// A report, and what it leaves open if that is wanted.
type Answer = Result<(Report, Option<Obligations>), Vec<Unusable>>;

pub(crate) fn check(arguments: &Check) -> ExitCode {
    let start = Instant::now();
    let mut errors = Vec::new();
    let answers = match answers(arguments) {
        Ok(answers) => answers,
        Err(unusable) => unusable.into_iter().map(|error| Err(vec![error])).collect(),
    };
    let mut reports = Vec::new();
    let mut text = String::new();
    let colour = output::colour();
    let look = if arguments.diagnostics == "snippets" { Look::Snippets } else { Look::Boxes };
    let mut open = None;
    if arguments.plans.is_empty() {
        text.push_str(bundle::INTRODUCTION);
    }
    for answer in answers {
        match answer {
            Ok((report, obligations)) => {
                if arguments.format == Format::Text {
                    text.push_str(&report.text_as(colour, look));
                    text.push('\n');
                }
                reports.push(report);
                open = obligations;
            }
            Err(unusable) => errors.extend(unusable),
        }
    }
    let written = match (&arguments.obligations, &open) {
        (Some(path), Some(open)) if errors.is_empty() => {
            match input::write(path, &format!("{:#}\n", open.to_json())) {
                Ok(()) => Some(written(path, open)),
                Err(error) => {
                    errors.push(error);
                    None
                }
            }
        }
        _ => None,
    };
    match arguments.format {
        Format::Text if reports.is_empty() => text.clear(),
        Format::Text => {
            text.push_str(&plan::summary(&reports, start.elapsed().as_secs_f64()));
            text.extend(written);
        }
        Format::Json => {
            text = format!("{:#}\n", plan::to_json(&reports, &errors));
        }
    }
    output::write(&text, &mut errors);
    let totals = reports.iter().map(Report::totals).fold(plan::Totals::default(), plan::Totals::and);
    ExitCode::from(match () {
        () if !errors.is_empty() => 2,
        () if totals.failed() => 1,
        () if arguments.strict && totals.undetermined > 0 => 3,
        () => 0,
    })
}

/// The line about the file of obligations.
fn written(path: &Path, open: &Obligations) -> String {
    let (count, path) = (open.obligations.len(), path.display().to_string());
    let noun = if count == 1 { "obligation" } else { "obligations" };
    plan::printable(&format!(
        "Wrote {count} {noun} to {path}. After the apply: plantime verify {path} --state state.json\n"
    ))
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
        return Ok(vec![checked(
            "network/plan.json",
            bundle::PLAN.as_bytes(),
            &against,
            arguments.obligations.is_some(),
        )]);
    }
    let against = against(arguments)?;
    let (inputs, errors) = input::plans(&arguments.plans);
    if arguments.obligations.is_some() && inputs.len() > 1 {
        return Err(vec![Unusable::new("--obligations takes one plan: a state is of one")]);
    }
    let mut answers = in_parallel(&inputs, |input| {
        let bytes = input.read(arguments.max_input_size).map_err(|error| vec![error])?;
        checked(&input.name(), &bytes, &against, arguments.obligations.is_some())
    });
    answers.extend(errors.into_iter().map(|error| Err(vec![error])));
    Ok(answers)
}

/// Reads schemas, rules and configuration; tells everything that is wrong with them.
fn against(arguments: &Check) -> Result<Against, Vec<Unusable>> {
    let limit = arguments.max_input_size;
    let mut errors = Vec::new();
    let schemas = input::schemas(&arguments.schemas, limit, &mut errors);
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

fn checked(name: &str, plan: &[u8], against: &Against, wanted: bool) -> Answer {
    if plan.starts_with(b"PK\x03\x04") {
        let message = "a binary plan is not supported yet; write it as JSON: terraform show -json FILE";
        return Err(vec![Unusable::input(name, message)]);
    }
    let read =
        Plan::read(plan, &against.schemas).map_err(|error| vec![Unusable::input(name, error.to_string())])?;
    let report = plan::check(name, &read, against).map_err(told)?;
    let obligations = wanted.then(|| report.obligations(plan));
    Ok((report, obligations))
}

fn told(problems: Vec<Problem>) -> Vec<Unusable> {
    problems.into_iter().map(Unusable::from).collect()
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
