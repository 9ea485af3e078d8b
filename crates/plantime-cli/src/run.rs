//! `plantime check`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use plantime_schema::ProviderSchemas;
use plantime_terraform::plan;
use plantime_terraform::plan::{
    Baseline, CheckOptions, Configuration, InputError, Obligations, PlanReport, RulesFile, SarifRun, Summary,
};

use crate::args::{Check, ReportFormat};
use crate::bundle;
use crate::clock;
use crate::document::{self, Besides, Document, Form};
use crate::facts;
use crate::files;
use crate::folder;
use crate::input::{self, Input};
use crate::next;
use crate::output::{self, Sink};
use crate::packs;
use crate::parallel::in_order;
use crate::progress::Progress;
use crate::variables;
use plantime::Value;

/// The result of checking one plan: its report, its counts, and its obligations if they are written to a file. If
/// there are several plans, nothing else is kept of a plan.
pub(crate) struct Answer {
    part: Part,
    sarif: SarifRun,
    /// The failures that the baseline knows, and all of them.
    known: Baseline,
    failures: Baseline,
    /// The report in Markdown for the summary of a job; empty if none is written.
    markdown: String,
    summary: Summary,
    open: Option<Obligations>,
}

/// The report of one plan: written as text or JSON already, or, for the only plan, still to be written piece by
/// piece.
enum Part {
    Written(String),
    /// Of the only plan: it is written as it is made.
    Report(Box<PlanReport>),
}

/// The result of one plan, or what is wrong with it.
type Answered = Result<Answer, Vec<InputError>>;

/// Runs `plantime check`: checks all plans, writes the reports, and returns the exit status.
pub(crate) fn check(arguments: &Check) -> ExitCode {
    let start = Instant::now();
    let form = Form::of(arguments);
    let sink = match arguments.format {
        ReportFormat::Html => Sink::of_page(&arguments.output),
        _ => Sink::of(&arguments.output),
    };
    let mut document = Document::new(form, sink);
    let (mut errors, mut summary, mut open) = (Vec::new(), Summary::default(), None);
    let mut markdown = String::new();
    let (mut known, mut failures, mut baseline) = (Baseline::default(), Baseline::default(), None);
    let mut take = |answer: Answered, introduction: &str| match answer {
        Ok(answer) => {
            document.add_sarif(answer.sarif);
            known.extend(answer.known);
            markdown.push_str(&answer.markdown);
            failures.extend(answer.failures);
            match answer.part {
                Part::Written(part) => document.part(&part),
                Part::Report(report) => {
                    document.report(introduction, &report);
                    // The run ends, which frees it faster.
                    Box::leak(report);
                }
            }
            summary = std::mem::take(&mut summary).and(answer.summary);
            open = answer.open;
        }
        Err(unusable) => errors.extend(unusable),
    };
    match given(arguments) {
        Err(unusable) => take(Err(unusable), ""),
        Ok(Given { against, subject: Subject::Configuration(folder, variables), baseline: read, .. }) => {
            let name = folder.display().to_string();
            let report = plan::check_configuration(&name, &variables, &against);
            let with = With { arguments, against: &against, baseline: read.as_ref(), has_several: false };
            let checked =
                report.map(|report| with.finished(&name, report, None)).map_err(input::problem_errors);
            take(checked.map(|checked| Answer::of_the_only_plan(checked, form)), "");
            baseline = read;
        }
        Ok(Given { against, subject: Subject::Example, .. }) => {
            let with = With { arguments, against: &against, baseline: None, has_several: false };
            let report = checked("network/plan.json", bundle::PLAN.into(), &with);
            take(report.map(|checked| Answer::of_the_only_plan(checked, form)), &form.introduction());
        }
        Ok(Given { against, subject: Subject::Plans(inputs), baseline: read, errors }) => {
            let has_several = inputs.len() > 1;
            let with = With { arguments, against: &against, baseline: read.as_ref(), has_several };
            let mut progress = Progress::of(inputs.len());
            let answer = |input: &Input| {
                let bytes = input.read(arguments.max_input_size).map_err(|error| vec![error])?;
                let checked = checked(&input.name(), bytes, &with)?;
                Ok(match inputs.len() {
                    1 => Answer::of_the_only_plan(checked, form),
                    _ => Answer {
                        part: Part::Written(form.for_several().part(&checked.report)),
                        sarif: form.sarif_run(&checked.report),
                        known: checked.known,
                        failures: checked.failures,
                        markdown: checked.markdown,
                        summary: Summary::of(&checked.report),
                        open: None,
                    },
                })
            };
            let lost = |input: &Input| Err(vec![InputError::input(input.name(), "could not be checked")]);
            in_order(&inputs, answer, lost, |answer| {
                progress.aside(|| take(answer, ""));
                progress.one_more();
            });
            take(Err(errors), "");
            baseline = read;
        }
    }
    // A rule about a place that no plan has is probably misspelt; that an older provider lacks it is said in the report.
    errors.extend(summary.never_asked().cloned().map(InputError::from));
    let written = match (&arguments.obligations, &open) {
        (Some(path), Some(open)) if errors.is_empty() => {
            match files::write(path, &(plan::printable_json(&open.to_json()) + "\n")) {
                Ok(()) => Some(written(path, open)),
                Err(error) => {
                    errors.push(error);
                    None
                }
            }
        }
        _ => None,
    };
    let kept = match &arguments.write_baseline {
        Some(path) if errors.is_empty() => match files::write(path, &failures.to_text()) {
            Ok(()) => Some(written_baseline(path, &failures)),
            Err(error) => {
                errors.push(error);
                None
            }
        },
        _ => None,
    };
    let vanished = baseline.map(|baseline| baseline.without(&known));
    let besides = next::steps(arguments, &summary, configuration_folder(arguments).is_some())
        + &written.unwrap_or_default()
        + &kept.unwrap_or_default();
    let is_open = arguments.strict && summary.is_open() && errors.is_empty() && !summary.totals().failed();
    let besides = Besides {
        vanished,
        steps: besides,
        status: if is_open { open_questions(&summary) } else { String::new() },
    };
    if let Some(path) = step_summary(arguments) {
        let vanished = besides.vanished.as_ref().map(document::vanished_lines).unwrap_or_default();
        let text = document::markdown_end(&summary, &errors, &vanished, markdown);
        errors.extend(files::append(&path, &text).err());
    }
    document.end(&summary, &errors, start.elapsed().as_secs_f64(), &besides);
    errors.extend(document.finish());
    output::errors(&errors);
    let totals = summary.totals();
    ExitCode::from(match () {
        () if !errors.is_empty() => 2,
        // Resources that break a rule may be missing from such a plan.
        () if summary.is_errored() && !arguments.allow_errored => 2,
        () if totals.failed() => 1,
        () if arguments.strict && summary.is_open() => 3,
        () => 0,
    })
}

/// The line that says why `--strict` ends with another status than 0.
fn open_questions(summary: &Summary) -> String {
    let counts = [
        (summary.undetermined_answers(), "undetermined", "undetermined"),
        (
            summary.totals().undetermined.saturating_sub(summary.undetermined_answers()),
            "plan that is not whole",
            "plans that are not whole",
        ),
        (summary.unmatched(), "rule or skip that is not asked", "rules or skips that are not asked"),
    ];
    let counts = counts.iter().filter(|(count, ..)| *count > 0);
    let counts = counts.map(|(count, one, many)| format!("{count} {}", if *count == 1 { one } else { many }));
    format!("Open questions (--strict): {}.\n", counts.collect::<Vec<_>>().join(", "))
}

/// The line that says where the obligations were written and how to verify them.
fn written(path: &Path, open: &Obligations) -> String {
    let (count, path) = (open.obligations.len(), path.display().to_string());
    let noun = if count == 1 { "obligation" } else { "obligations" };
    let path = plan::printable_in_line(&path);
    format!("Wrote {count} {noun} to {path}. After the apply: plantime verify {path} --state state.json\n")
}

/// The file of the summary of a job that GitHub runs, with `--format github`.
fn step_summary(arguments: &Check) -> Option<PathBuf> {
    let path = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty())?;
    (arguments.format == ReportFormat::Github).then(|| path.into())
}

/// The line that says where the failures were written.
fn written_baseline(path: &Path, failures: &Baseline) -> String {
    let (count, path) = (failures.len(), path.display().to_string());
    let noun = if count == 1 { "failure" } else { "failures" };
    let path = plan::printable_in_line(&path);
    format!("Wrote {count} {noun} to {path}: with --baseline {path} they are known and fail no run.\n")
}

/// What the command line asks to check: the plans, and the schemas, rules and configuration to check them against.
struct Given {
    against: CheckOptions,
    subject: Subject,
    baseline: Option<Baseline>,
    /// What is wrong with the names of the others.
    errors: Vec<InputError>,
}

/// What is checked.
enum Subject {
    /// The bundled plan.
    Example,
    Plans(Vec<Input>),
    /// The configuration in a folder, without a plan, with these values of its variables.
    Configuration(PathBuf, BTreeMap<String, Value>),
}

/// The folder of the configuration that is checked without a plan: the only argument, or that of `--config` without one. `None` if
/// plans are checked.
fn configuration_folder(arguments: &Check) -> Option<&Path> {
    match (arguments.plans.as_slice(), &arguments.config) {
        ([], config) => config.as_deref(),
        ([folder], _) if folder.is_dir() && !folder::inputs(folder).is_empty() => Some(folder),
        _ => None,
    }
}

/// Reads everything except the plans; an error for options that do not go together.
fn given(arguments: &Check) -> Result<Given, Vec<InputError>> {
    if arguments.format != ReportFormat::Text && (arguments.quiet || !arguments.only.is_empty()) {
        return Err(vec![InputError::new(
            "--quiet and --only choose what a text shows; other formats have everything",
        )]);
    }
    let mut given = inputs(arguments)?;
    if let Some(on_null) = arguments.null {
        given.against.rules.on_null = on_null;
    }
    let chosen = given.against.rules.select(&arguments.select, &arguments.skip_rules);
    let rules = chosen
        .map_err(|wrong| wrong.into_iter().map(InputError::new).collect::<Vec<_>>())?
        .fail_on(arguments.fail_on)
        .on(clock::day(arguments.now));
    Ok(Given { against: CheckOptions { rules, ..given.against }, ..given })
}

/// Reads everything except the plans, and lists the plans; without plans on the command line, takes the bundled
/// example. Returns everything that is wrong as errors.
fn inputs(arguments: &Check) -> Result<Given, Vec<InputError>> {
    let outputs = [
        ("--obligations", &arguments.obligations),
        ("--write-baseline", &arguments.write_baseline),
        ("--output", &arguments.output.output),
    ];
    let summary = step_summary(arguments);
    let mut outputs: Vec<(&str, Option<&Path>)> =
        outputs.iter().map(|(option, path)| (*option, path.as_deref())).collect();
    outputs.push(("GITHUB_STEP_SUMMARY", summary.as_deref()));
    let folder = configuration_folder(arguments);
    if folder.is_none() && arguments.plans.is_empty() {
        let wrong = files::overwriting(&[], &outputs);
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let against = CheckOptions {
            schemas: ProviderSchemas::from_json(bundle::SCHEMAS)
                .map_err(|e| vec![InputError::new(e.to_string())])?,
            rules: RulesFile::read(bundle::rules()).map_err(input::problem_errors)?,
            configuration: Some(bundle::configuration().map_err(input::problem_errors)?),
            show_values: arguments.show_values,
            facts: facts::facts(&arguments.facts, None, arguments.max_input_size)?,
        };
        return Ok(Given { against, subject: Subject::Example, baseline: None, errors: Vec::new() });
    }
    let (inputs, errors) = match folder {
        Some(_) => (Vec::new(), Vec::new()),
        None => input::plans(&arguments.plans),
    };
    let config = folder.or(arguments.config.as_deref());
    let (mut rules, mut wrong) = input::rules(&arguments.rules);
    match packs::packs(&arguments.pack, arguments.max_input_size) {
        Ok(packs) => rules.extend(packs.into_iter().flat_map(|pack| pack.files)),
        Err(errors) => wrong.extend(errors),
    }
    let mut read = [&inputs[..], &rules].concat();
    read.extend(config.iter().flat_map(|folder| folder::inputs(folder)));
    read.extend(
        arguments
            .schemas
            .iter()
            .chain(&arguments.var_file)
            .chain(&arguments.baseline)
            .map(|path| Input::of(path)),
    );
    read.extend(facts::inputs(&arguments.facts, config));
    wrong.extend(input::standard_input_twice(&read));
    wrong.extend(files::overwriting(&read, &outputs));
    if arguments.rules.is_empty() && arguments.pack.is_empty() {
        wrong.push(InputError::new("no rules given: add --rules FILE or --pack DIR"));
    }
    if arguments.obligations.is_some() && inputs.len() > 1 {
        wrong.push(InputError::new("--obligations takes one plan: a state is of one"));
    }
    if folder.is_some() {
        if arguments.obligations.is_some() {
            wrong.push(InputError::new("--obligations takes a plan: without one, nothing is applied"));
        }
        if arguments.config.is_some() && !arguments.plans.is_empty() {
            wrong.push(InputError::new(
                "--config is the configuration of plans; here a configuration is checked itself",
            ));
        }
    }
    if !wrong.is_empty() {
        // They are not read any more, and the summary of a job is still written.
        read.iter().for_each(|input| files::protect(input.path()));
        return Err(wrong);
    }
    let mut against = against(arguments, &rules, config, folder.is_none())?;
    let configuration = against.configuration.clone().filter(|_| folder.is_some());
    let variables = variables::given(arguments, configuration.as_ref(), &mut against.rules)?;
    let subject = match folder {
        Some(folder) if configuration.is_some() => Subject::Configuration(folder.to_owned(), variables),
        _ => Subject::Plans(inputs),
    };
    let baseline = arguments.baseline.as_deref().map(|path| baseline(path, arguments.max_input_size));
    let baseline = baseline.transpose().map_err(|error| vec![error])?;
    Ok(Given { against, subject, baseline, errors })
}

/// Reads a baseline.
fn baseline(path: &Path, limit: u64) -> Result<Baseline, InputError> {
    let input = Input::of(path);
    Baseline::read(&input.read(limit)?).map_err(|error| InputError::input(input.name(), error.to_string()))
}

/// Reads schemas, rules and configuration; returns everything that is wrong with them as errors.
fn against(
    arguments: &Check,
    rules: &[Input],
    config: Option<&Path>,
    has_plan: bool,
) -> Result<CheckOptions, Vec<InputError>> {
    let limit = arguments.max_input_size;
    let mut errors = Vec::new();
    let schemas = input::schemas(&arguments.schemas, limit, &mut errors);
    let rules = input::sources(rules, limit)
        .and_then(|sources| RulesFile::read_files(sources).map_err(input::problem_errors));
    let configuration = config.map(|path| folder::configuration(path, limit, has_plan));
    let configuration = configuration.transpose();
    let facts = facts::facts(&arguments.facts, config, limit);
    match (rules, configuration, facts) {
        (Ok(rules), Ok(configuration), Ok(facts)) if errors.is_empty() => {
            Ok(CheckOptions { schemas, rules, configuration, show_values: arguments.show_values, facts })
        }
        (rules, configuration, facts) => {
            errors.extend(facts.err().into_iter().flatten());
            errors.extend(rules.err().into_iter().flatten());
            errors.extend(configuration.err().into_iter().flatten());
            Err(errors)
        }
    }
}

/// The report of one plan, and its obligations if they are written to a file.
struct Checked {
    report: PlanReport,
    known: Baseline,
    failures: Baseline,
    markdown: String,
    open: Option<Obligations>,
}

impl Answer {
    /// The answer for a plan that is the only one: its report is written later, piece by piece.
    fn of_the_only_plan(checked: Checked, form: Form) -> Answer {
        let summary = Summary::of(&checked.report);
        let sarif = form.sarif_run(&checked.report);
        Answer {
            sarif,
            known: checked.known,
            failures: checked.failures,
            markdown: checked.markdown,
            part: Part::Report(Box::new(checked.report)),
            summary,
            open: checked.open,
        }
    }
}

/// What every plan is checked with.
struct With<'a> {
    arguments: &'a Check,
    against: &'a CheckOptions,
    baseline: Option<&'a Baseline>,
    /// Whether there are several plans, so that their failures are known by the name of the plan too.
    has_several: bool,
}

/// Checks one plan, given as the bytes of its JSON; `name` names it in messages. An error if it cannot be read.
fn checked(name: &str, plan: Vec<u8>, with: &With<'_>) -> Result<Checked, Vec<InputError>> {
    let With { arguments, against, .. } = with;
    let read = input::parse_plan_bytes(name, &plan, &against.schemas).map_err(|error| vec![error])?;
    // A binary plan has its configuration inside; that of OpenTofu its schemas too.
    let (embedded, note) = match against.configuration {
        None if arguments.strict && !arguments.no_config => {
            (Configuration::of_plan(&read).transpose().map_err(input::problem_errors)?, None)
        }
        None if !arguments.no_config => input::embedded_configuration(&read),
        _ => (None, None),
    };
    let with_embedded;
    let against = match embedded {
        None if read.schemas.providers.is_empty() => *against,
        embedded => {
            let mut own = (*against).clone();
            own.configuration = embedded.or(own.configuration);
            own.schemas = read.schemas_with(&own.schemas);
            with_embedded = own;
            &with_embedded
        }
    };
    // The text is as large as all that was read from it.
    let plan = arguments.obligations.is_some().then_some(plan);
    let report = plan::check_askable(name, &read, against).map_err(input::problem_errors)?;
    let mut report = if arguments.allow_errored { report.allow_errored() } else { report };
    report.notes.extend(note);
    let open = plan.map(|plan| report.obligations(&plan));
    Ok(with.finished(name, report, open))
}

impl With<'_> {
    /// The report with what the baseline says of it, and as the summary of a job where one is written.
    fn finished(&self, name: &str, mut report: PlanReport, open: Option<Obligations>) -> Checked {
        let of_plan = self.has_several.then_some(name);
        let known = self.baseline.map(|baseline| report.mark_known(baseline, of_plan)).unwrap_or_default();
        let mut failures = Baseline::default();
        if self.arguments.write_baseline.is_some() {
            failures.add(&report, of_plan);
        }
        let mut markdown = Vec::new();
        if step_summary(self.arguments).is_some() {
            // Writing to memory cannot fail.
            let _ = report.write_markdown(&mut markdown);
            markdown.push(b'\n');
        }
        let markdown = String::from_utf8(markdown).unwrap_or_default();
        Checked { report, known, failures, markdown, open }
    }
}
