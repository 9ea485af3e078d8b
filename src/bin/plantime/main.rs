//! The command `plantime`: checks a plan against rules before it is applied.
//!
//! A first, small version: it reads a plan, applies assumptions and answers `not_null` and
//! `starts_with`. Every other test of the rules language is accepted and reported as undetermined.

mod answer;
mod plan;
mod rules;

use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Checks plans before they are applied: values that are not known yet included.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Check a plan against rules. Without arguments: a bundled example plan with its rules.
    ///
    /// Exit status: 0 nothing failed; 1 a rule failed or the plan contradicts an assumption;
    /// 2 some input is unusable; 3 nothing failed, something is undetermined, and --strict.
    Check(Check),
}

#[derive(clap::Args)]
struct Check {
    /// Plan in JSON (`terraform show -json tfplan`), `-` for standard input
    plan: Option<PathBuf>,
    /// Rules file
    #[arg(long, value_name = "FILE", requires = "plan")]
    rules: Option<PathBuf>,
    /// Provider schemas (`terraform providers schema -json`); may be repeated
    #[arg(long, value_name = "FILE", requires = "plan")]
    schemas: Vec<PathBuf>,
    /// Exit with status 3 if something is undetermined and nothing failed
    #[arg(long)]
    strict: bool,
}

const EXAMPLE_PLAN: &str = include_str!("../../../tests/data/network/plan.json");
const EXAMPLE_SCHEMAS: &str = include_str!("../../../tests/data/network/provider-schemas.json");
const EXAMPLE_RULES: &str = include_str!("../../../tests/data/network/rules.hcl");

/// The configuration of the bundled plan, by file; read once references are followed.
#[expect(dead_code, reason = "part of the bundle; `--config` is not there yet")]
const EXAMPLE_CONFIG: &[(&str, &str)] = &[
    ("main.tf", include_str!("../../../tests/data/network/config/step2/main.tf")),
    ("outputs.tf", include_str!("../../../tests/data/network/config/step2/outputs.tf")),
    ("variables.tf", include_str!("../../../tests/data/network/config/step2/variables.tf")),
    ("versions.tf", include_str!("../../../tests/data/network/config/step2/versions.tf")),
];

fn main() -> ExitCode {
    let Command::Check(options) = Arguments::parse().command;
    let (status, text) = match check(&options) {
        Ok(report) => (report.status(options.strict), report.text),
        Err(message) => {
            let _ = writeln!(std::io::stderr().lock(), "error: {}", plan::printable(&message));
            (2, String::new())
        }
    };
    // A reader that went away (`| head`) is no failure of the check.
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
    ExitCode::from(status)
}

fn check(options: &Check) -> Result<answer::Report, String> {
    let Some(path) = &options.plan else {
        let mut report = answer::Report::default();
        report.text.push_str(
            "No plan given: checking the bundled example `network` (stand-in provider) with its rules.\n\
             Yours:  terraform show -json tfplan | plantime check - --rules rules.hcl --schemas schemas.json\n\n",
        );
        let schemas = [plan::json("network/provider-schemas.json", EXAMPLE_SCHEMAS)?];
        let plan = plan::Plan::read("network/plan.json", EXAMPLE_PLAN, &schemas)?;
        let rules = rules::Rules::read("network/rules.hcl", EXAMPLE_RULES)?;
        report.check(&plan, &rules)?;
        return Ok(report);
    };
    let Some(rules) = &options.rules else {
        return Err("no rules given: add --rules FILE".to_owned());
    };
    let mut schemas = Vec::new();
    for file in &options.schemas {
        schemas.push(plan::json(&file.display().to_string(), &contents(file)?)?);
    }
    let name = path.display().to_string();
    let plan = plan::Plan::read(&name, &contents(path)?, &schemas)?;
    let rules = rules::Rules::read(&rules.display().to_string(), &contents(rules)?)?;
    let mut report = answer::Report::default();
    report.check(&plan, &rules)?;
    Ok(report)
}

fn contents(path: &std::path::Path) -> Result<String, String> {
    let mut bytes = Vec::new();
    let read = if path.as_os_str() == "-" {
        std::io::stdin().lock().read_to_end(&mut bytes)
    } else {
        std::fs::File::open(path).and_then(|mut file| file.read_to_end(&mut bytes))
    };
    read.map_err(|error| format!("{}: {error}", path.display()))?;
    String::from_utf8(bytes).map_err(|error| format!("{}: {}", path.display(), error.utf8_error()))
}
