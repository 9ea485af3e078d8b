//! The command line.

mod help;
mod test;

use std::path::PathBuf;

use clap::{Parser, Subcommand};
use plantime_schema::catalogue::Class;
use plantime_terraform::plan::{AnswerKind, Day, NamePattern, OnNull, SeverityLevel};

use crate::clock;
use crate::facts;

pub(crate) use self::test::{Test, TestFormat};

/// Checks plans before they are applied: values that are not known yet included
#[derive(Parser)]
#[command(
    version,
    propagate_version = true,
    after_help = "`plantime rules` explains the language of rules files; the README has the rest"
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

// The subcommands with their options. No doc comment here and on the structs below: clap would show it as help.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Check plans against rules; without arguments, a bundled example plan with its rules
    ///
    /// A rule passes or fails only if it does so whatever the unknown values turn out to be; otherwise it is
    /// undetermined.
    #[command(after_help = "\
Exit status:
  0  nothing failed
  1  a rule of severity high (error) or critical failed (--fail-on moves that), the plan contradicts an assumption, or
     a skip has ended
  2  some input is unusable, or planning ended with an error (wins over all)
  3  nothing failed, a question is open, and --strict was given")]
    Check(Check),
    /// Show a plan in the format of `terraform show`, with what is known of unknown values
    ///
    /// Prints the changes of resources and outputs, changes made outside of Terraform, and the totals. Without schemas,
    /// nested blocks are printed as attributes.
    #[command(after_help = "\
Exit status:
  0  the plan is shown
  2  some input is unusable")]
    Show(Show),
    /// Check, after an apply, what a check of the plan left open
    ///
    /// Reads a file that `plantime check --obligations FILE` wrote, and holds each assumption and each undetermined
    /// rule in it against the state.
    #[command(after_help = "\
Exit status:
  0  all obligations are upheld
  1  one is broken: an assumption, or a rule of severity error
  2  some input is unusable (wins over all)
  3  none is broken, and one cannot be verified")]
    Verify(Verify),
    /// Explain the language of rules files: all rules, or one rule or word by its name
    ///
    /// A rule is found by its own name, an alias, or its name in the plugin framework, the SDK or ytt; a word is a block
    /// or an argument: rule, assume, skip, attribute, change, when, resource, severity, ….
    #[command(after_help = "\
Exit status:
  0  it is explained
  2  there is no rule or word of this name")]
    Rules(Rules),
    /// Write rules files and files of Terraform in the canonical format: indentation, blanks, columns
    ///
    /// Comments stay. Files of Terraform (.tf, .tfvars) come out as `terraform fmt` writes them. A file that is no HCL, or JSON, is not touched.
    #[command(after_help = "\
Exit status:
  0  the files are in the format
  1  with --check, one is not
  2  some input is unusable")]
    Fmt(Fmt),
    /// List the facts about the values that providers choose: those of a resource type, or the types that have facts
    ///
    /// `plantime check` assumes them of values that are not known yet, shows where each comes from, and writes those that
    /// answers rest on to the file of obligations.
    #[command(after_help = help::CATALOGUE)]
    Catalogue(Catalogue),
    /// Evaluate one expression on the values of a plan, a configuration, or both
    ///
    /// The expression is one of the root module, as `terraform console` has it: aws_vpc.main.id, module.network.subnets,
    /// [for s in aws_subnet.main : s.cidr_block]. With --config, local values, modules and outputs can be used, and what is
    /// written there is known.
    #[command(after_help = "\
Exit status:
  0  it is evaluated; with --assert, it is true
  1  with --assert, it is false
  2  the expression fails, or some input is unusable
  3  with --assert, it is not known yet")]
    Eval(Eval),
    /// Explain why a value is not known: the expressions that it is computed by, back to what only an apply decides
    ///
    /// Shows of each value on the way where it is written, what is known of it, and what would decide it. With --roots: all
    /// unknown values that others depend on, those with the most dependents first.
    #[command(after_help = help::WHY)]
    Why(Why),
    /// Check a configuration without a plan: blocks, references, types, arguments against the schemas of the providers
    ///
    /// What is reported fails for all values that variables and resources may have, in the words of `terraform validate`.
    /// Terraform is not needed, nor are providers: only their schemas, and the modules that `terraform init` has installed.
    #[command(after_help = help::VALIDATE)]
    Validate(Validate),
    /// Run tests of rules: what rules answer on configurations, on planned values and on plans
    ///
    /// Reads the files *.test.hcl beside rules files. Each test writes a configuration or planned values, or names a plan, and says
    /// which rules pass, fail and are undetermined there, by address.
    #[command(after_help = test::HELP)]
    Test(Test),
    /// Stand between Terraform and a provider, and add to its plans what is assumed of values to come
    ///
    /// Runs `plantime-proxy`, a program of its own that is installed beside this one or on the PATH. Terraform starts it in the
    /// place of the provider.
    #[command(after_help = help::PROXY)]
    Proxy(Program),
    /// Stand between Terraform and a provider, and record its calls as JSON lines
    ///
    /// `plantime record FILE -- PROVIDER` is `plantime proxy --no-catalogue --record FILE -- PROVIDER`: nothing is assumed, and what
    /// the schema calls sensitive is withheld.
    #[command(override_usage = "plantime record FILE -- PROVIDER [ARGUMENTS]")]
    Record(Program),
}

// They are passed on as they were typed, so they are only named here.
#[derive(clap::Args)]
pub(crate) struct Program {
    /// Options of the proxy, --, and the provider with its arguments
    #[arg(value_name = "ARGUMENTS", trailing_var_arg = true, allow_hyphen_values = true)]
    _arguments: Vec<std::ffi::OsString>,
}

#[derive(clap::Args)]
pub(crate) struct Catalogue {
    /// A resource type, such as aws_vpc; without it, all types that have facts
    #[arg(value_name = "TYPE")]
    pub(crate) type_name: Option<String>,
    /// The facts of a class and better: a or b
    #[arg(long, value_name = "CLASS", default_value = "b", value_parser = facts::class)]
    pub(crate) catalogue: Class,
    /// A pack of facts of your own; may be repeated
    #[arg(long, value_name = "FILE")]
    pub(crate) assume: Vec<PathBuf>,
    /// The size above which an input file is refused, in bytes or with KiB, MiB, GiB
    #[arg(long, value_name = "SIZE", default_value = "1GiB", value_parser = size)]
    pub(crate) max_input_size: u64,
}

/// Which facts about the values that providers choose are assumed.
#[derive(clap::Args)]
pub(crate) struct Facts {
    /// The facts of the built-in catalogue that are assumed: a (several independent sources agree), or b (one documented
    /// source too)
    #[arg(long, value_name = "CLASS", default_value = "a", value_parser = facts::class)]
    pub(crate) catalogue: Class,
    /// Assume no fact of the built-in catalogue
    #[arg(long, conflicts_with = "catalogue")]
    pub(crate) no_catalogue: bool,
    /// Do not assume what the schemas promise: that required arguments and nested blocks are not null
    #[arg(long)]
    pub(crate) no_schema_facts: bool,
    /// A pack of facts of your own, in the form that `plantime catalogue --help` shows; may be repeated
    #[arg(long, value_name = "FILE")]
    pub(crate) assume: Vec<PathBuf>,
    /// The dependency lock file, otherwise .terraform.lock.hcl in the folder of --config: facts of later versions of a
    /// provider are not assumed
    #[arg(long, value_name = "FILE")]
    pub(crate) lock_file: Option<PathBuf>,
    /// A fork or mirror of a provider, whose facts hold for it too: ADDRESS=NAMESPACE/NAME; may be repeated
    #[arg(long, value_name = "PAIR", value_parser = facts::mirror)]
    pub(crate) mirror: Vec<(String, String)>,
}

/// What a value is found in: a plan, its configuration, or both.
#[derive(clap::Args)]
pub(crate) struct PlanInputs {
    /// The plan: as `terraform plan -out=FILE` wrote it, or in JSON; `-` for standard input
    ///
    /// A binary plan has its configuration inside, which is used without --config.
    #[arg(long, value_name = "FILE")]
    pub(crate) plan: Option<PathBuf>,
    /// Folder of the root module
    #[arg(long, value_name = "DIR")]
    pub(crate) config: Option<PathBuf>,
    /// Provider schemas (`terraform providers schema -json`): types of unknown values; may be repeated
    #[arg(long, value_name = "FILE")]
    pub(crate) schemas: Vec<PathBuf>,
    /// The size above which an input file is refused, in bytes or with KiB, MiB, GiB
    #[arg(long, value_name = "SIZE", default_value = "1GiB", value_parser = size)]
    pub(crate) max_input_size: u64,
}

// The options of `plantime eval`.
#[derive(clap::Args)]
pub(crate) struct Eval {
    /// The expression; one that begins with `-` goes after `--`, unless it is a number
    #[arg(value_name = "EXPR", allow_negative_numbers = true)]
    pub(crate) expression: String,
    #[command(flatten)]
    pub(crate) inputs: PlanInputs,
    /// End with status 1 if the expression is false, and with 3 if it is not known yet: a check of a script
    #[arg(long)]
    pub(crate) assert: bool,
    /// The value of `terraform.workspace`: otherwise `default`, or unknown with a plan
    #[arg(long, value_name = "NAME")]
    pub(crate) workspace: Option<String>,
}

// The options of `plantime why`.
#[derive(clap::Args)]
pub(crate) struct Why {
    /// The value: an address with a path, such as aws_subnet.a[0].vpc_id, module.net.local.id or output.url; or an expression
    /// of the root module
    #[arg(value_name = "NAME", conflicts_with = "roots")]
    pub(crate) name: Option<String>,
    /// List the unknown values that others depend on, those with the most dependents first
    #[arg(long)]
    pub(crate) roots: bool,
    #[command(flatten)]
    pub(crate) inputs: PlanInputs,
    /// Rules: their assumptions hold, and --roots counts their open answers; may be repeated
    #[arg(long, value_name = "FILE")]
    pub(crate) rules: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) facts: Facts,
    /// Show values even if neither the plan nor a schema says whether they are sensitive
    #[arg(long)]
    pub(crate) show_values: bool,
    /// What to write: text, json, or dot (a graph for Graphviz)
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = ["text", "json", "dot"])]
    pub(crate) format: String,
    #[command(flatten)]
    pub(crate) output: Output,
}

// The options of `plantime validate`.
#[derive(clap::Args)]
pub(crate) struct Validate {
    /// Folder of the root module
    #[arg(value_name = "DIR", default_value = ".")]
    pub(crate) folder: PathBuf,
    /// Provider schemas (`terraform providers schema -json`); may be repeated
    #[arg(long, value_name = "FILE")]
    pub(crate) schemas: Vec<PathBuf>,
    /// List what derives from sensitive variables and attributes, each with its way, and where that ends
    #[arg(long)]
    pub(crate) sensitive: bool,
    /// What to write: text, or json in the form of `terraform validate -json`
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = ["text", "json"])]
    pub(crate) format: String,
    /// The size above which an input file is refused, in bytes or with KiB, MiB, GiB
    #[arg(long, value_name = "SIZE", default_value = "1GiB", value_parser = size)]
    pub(crate) max_input_size: u64,
}

// The options of `plantime rules`.
#[derive(clap::Args)]
pub(crate) struct Rules {
    /// A rule, such as min_len or IntBetween, or a word, such as skip; without it, all rules
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// List the rules of a pack, a folder with pack.hcl and rules files; may be repeated
    #[arg(long, value_name = "DIR", conflicts_with = "name")]
    pub(crate) pack: Vec<PathBuf>,
    /// The size above which an input file is refused, in bytes or with KiB, MiB, GiB
    #[arg(long, value_name = "SIZE", default_value = "1GiB", value_parser = size)]
    pub(crate) max_input_size: u64,
    /// What to write: text, markdown or json
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = ["text", "markdown", "json"])]
    pub(crate) format: String,
}

// The options of `plantime fmt`.
#[derive(clap::Args)]
pub(crate) struct Fmt {
    /// Files; a folder stands for its *.hcl files; `-` for standard input, which is written to standard output
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Write nothing: name the files that are not in the format
    #[arg(long)]
    pub(crate) check: bool,
    /// The size above which an input file is refused, in bytes or with KiB, MiB, GiB
    #[arg(long, value_name = "SIZE", default_value = "1GiB", value_parser = size)]
    pub(crate) max_input_size: u64,
}

// The options of `plantime show`.
#[derive(clap::Args)]
pub(crate) struct Show {
    /// The plan: as `terraform plan -out=FILE` wrote it, or in JSON (`terraform show -json FILE`); `-` for standard input
    #[arg(value_name = "PLAN")]
    pub(crate) plan: PathBuf,
    /// A later plan of the same configuration: print what differs, and which values are more or less known
    #[arg(value_name = "SECOND", conflicts_with_all = ["plain", "known", "show_values"])]
    pub(crate) second: Option<PathBuf>,
    /// Provider schemas (`terraform providers schema -json`): types of unknown values, and what is a block; may be
    /// repeated
    #[arg(long, value_name = "FILE")]
    pub(crate) schemas: Vec<PathBuf>,
    /// Print exactly the text of Terraform: `(known after apply)` for each unknown value
    #[arg(long, conflicts_with = "known")]
    pub(crate) plain: bool,
    /// Print every refinement of unknown values, not-null included; with --format json, write them as `after_refinements`
    #[arg(long)]
    pub(crate) known: bool,
    /// Show values even if neither the plan nor a schema says whether they are sensitive; --plain always does
    #[arg(long)]
    pub(crate) show_values: bool,
    /// What to write: text; html of one plan, a page that loads nothing else; json of one plan (a plan in JSON as it is, a
    /// binary one as `terraform show -json` writes it, sensitive values left out), or of the differences between two
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = ["text", "html", "json"])]
    pub(crate) format: String,
    /// With --format html: the folder of the configuration (the root module), whose lines the page links to; a binary plan has its
    /// configuration inside
    #[arg(long, value_name = "DIR", conflicts_with = "no_config")]
    pub(crate) config: Option<PathBuf>,
    /// Do not link to the configuration that a binary plan has inside
    #[arg(long)]
    pub(crate) no_config: bool,
    #[command(flatten)]
    pub(crate) output: Output,
    /// The size above which an input file is refused, in bytes or with KiB, MiB, GiB
    #[arg(long, value_name = "SIZE", default_value = "1GiB", value_parser = size)]
    pub(crate) max_input_size: u64,
}

// The options of `plantime verify`.
#[derive(clap::Args)]
pub(crate) struct Verify {
    /// The file of obligations; `-` for standard input
    #[arg(value_name = "FILE")]
    pub(crate) obligations: PathBuf,
    /// The state after the apply in JSON (`terraform show -json`); `-` for standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) state: PathBuf,
    /// Provider schemas (`terraform providers schema -json`), as for the check; may be repeated
    #[arg(long, value_name = "FILE")]
    pub(crate) schemas: Vec<PathBuf>,
    /// The plan, binary or in JSON: fails with status 2 if the obligations were made from another one
    ///
    /// With schemas, the state is also compared with what the providers planned, as Terraform compares it when it applies:
    /// what was known has to be the same, and what was unknown has to keep what was promised of it.
    #[arg(long, value_name = "FILE")]
    pub(crate) plan: Option<PathBuf>,
    /// Let pass what differs from the plan, and list it: for providers that are built with the first SDK (the legacy type
    /// system), of which Terraform only logs it
    #[arg(long, requires = "plan")]
    pub(crate) legacy_type_system: bool,
    /// What to write: text or json
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = format)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) output: Output,
    /// The size above which an input file is refused, in bytes or with KiB, MiB, GiB
    #[arg(long, value_name = "SIZE", default_value = "1GiB", value_parser = size)]
    pub(crate) max_input_size: u64,
}

// The options of `plantime check`.
#[derive(clap::Args)]
#[command(group(clap::ArgGroup::new("subject").args(["plans", "config"]).multiple(true)))]
pub(crate) struct Check {
    /// Plans: as `terraform plan -out=FILE` wrote them, or in JSON (`terraform show -json FILE`); files, folders (their *.json and
    /// *.tfplan files), patterns such as `plans/*.json`, `-` for standard input; or the folder of a configuration, which is checked
    /// without a plan
    #[arg(value_name = "PLAN")]
    pub(crate) plans: Vec<PathBuf>,
    /// Rules: a file, a folder (its *.hcl files), a pattern such as `rules/*.hcl`, `-` for standard input; may be repeated
    #[arg(long, value_name = "FILE", requires = "subject")]
    pub(crate) rules: Vec<PathBuf>,
    /// A pack of rules: a folder with pack.hcl and rules files; may be repeated. `plantime rules --pack DIR` lists its rules
    #[arg(long, value_name = "DIR", requires = "subject")]
    pub(crate) pack: Vec<PathBuf>,
    /// Ask only rules with this id, tag or name; `*` stands for any text; may be repeated, or a list with commas
    #[arg(long, value_name = "PATTERN", value_delimiter = ',')]
    pub(crate) select: Vec<NamePattern>,
    /// Leave out rules with this id, tag or name; `*` stands for any text; may be repeated, or a list with commas
    #[arg(long, value_name = "PATTERN", value_delimiter = ',')]
    pub(crate) skip_rules: Vec<NamePattern>,
    /// Provider schemas (`terraform providers schema -json`): types of unknown values; may be repeated
    #[arg(long, value_name = "FILE", requires = "subject")]
    pub(crate) schemas: Vec<PathBuf>,
    /// Folder of the root module: what its expressions say of unknown values is assumed; needs --schemas. Without a plan, the
    /// configuration itself is checked
    ///
    /// A binary plan has its configuration inside, which is used without this option.
    #[arg(long, value_name = "DIR")]
    pub(crate) config: Option<PathBuf>,
    /// A variable of the rules, or of a configuration that is checked without a plan: NAME=VALUE, as for `terraform plan`; may be
    /// repeated
    ///
    /// The environment gives variables of the rules too: PLANTIME_VAR_NAME. A name that both have is set for both.
    #[arg(long, value_name = "NAME=VALUE", requires = "subject")]
    pub(crate) var: Vec<String>,
    /// A file of variables (.tfvars, .tfvars.json) of the rules, or of a configuration that is checked without a plan; may be repeated
    #[arg(long, value_name = "FILE", requires = "subject")]
    pub(crate) var_file: Vec<PathBuf>,
    /// Do not use the configuration inside a binary plan
    #[arg(long, conflicts_with = "config")]
    pub(crate) no_config: bool,
    #[command(flatten)]
    pub(crate) facts: Facts,
    /// Write what is left to show after the apply to a file, for `plantime verify`; takes one plan
    #[arg(long, value_name = "FILE")]
    pub(crate) obligations: Option<PathBuf>,
    /// Known failures, as --write-baseline wrote them: they are counted and do not fail the run; new ones do
    #[arg(long, value_name = "FILE", requires = "plans")]
    pub(crate) baseline: Option<PathBuf>,
    /// Write the failures of this run to a file, for --baseline: rules, addresses and places, no values
    #[arg(long, value_name = "FILE", requires = "plans")]
    pub(crate) write_baseline: Option<PathBuf>,
    /// What to write: text, json, sarif (code scanning), junit (build servers), github (annotations in a workflow), html (a page
    /// that loads nothing else) or markdown (for a pull request)
    ///
    /// With github the Markdown is appended to the file that GITHUB_STEP_SUMMARY names, where it is set.
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = report_format)]
    pub(crate) format: ReportFormat,
    /// How to draw what is wrong: boxes, as Terraform does, or snippets, as compilers do
    #[arg(long, value_name = "LOOK", default_value = "boxes", value_parser = ["boxes", "snippets"])]
    pub(crate) diagnostics: String,
    /// Show failures only, without the planned values and without notes: the text of a run that is read in a log
    #[arg(long, short, conflicts_with = "only")]
    pub(crate) quiet: bool,
    /// Show only answers of these kinds, and the resources that have one: pass, fail, warning, known,
    /// undetermined, skipped
    #[arg(long, value_name = "KINDS", value_delimiter = ',', value_parser = answer_kind)]
    pub(crate) only: Vec<AnswerKind>,
    #[command(flatten)]
    pub(crate) output: Output,
    /// Exit with status 3 if nothing failed and a question is open: an undetermined answer, an incomplete plan, a rule or
    /// skip that nothing in the plan is about
    #[arg(long)]
    pub(crate) strict: bool,
    /// The severity from which on a failure fails the run: info, low (or warning), medium, high (or error), critical
    #[arg(long, value_name = "LEVEL", default_value = "error", value_parser = level)]
    pub(crate) fail_on: SeverityLevel,
    /// The day of the check, for skips that end (until): a day such as 2026-12-31, or a time such as 2026-12-31T09:30:00Z;
    /// otherwise that of the system's clock, in UTC
    #[arg(long, value_name = "TIME", value_parser = clock::now)]
    pub(crate) now: Option<Day>,
    /// What a test answers for a value that is null (not set): pass, fail or undetermined, also inside all, any and the like;
    /// in place of the setting at the top of the rules file, while those of a rule or an attribute block have precedence
    #[arg(long, value_name = "ANSWER", value_parser = on_null)]
    pub(crate) null: Option<OnNull>,
    /// Take a plan whose planning ended with an error as any other: it ends with status 2 otherwise
    #[arg(long)]
    pub(crate) allow_errored: bool,
    /// Show values of which neither the plan nor a schema says whether they are sensitive
    #[arg(long)]
    pub(crate) show_values: bool,
    /// The size above which an input file is refused, in bytes or with KiB, MiB, GiB
    #[arg(long, value_name = "SIZE", default_value = "1GiB", value_parser = size)]
    pub(crate) max_input_size: u64,
}

/// Where and how answers are written.
#[derive(clap::Args)]
pub(crate) struct Output {
    /// Write the answers to a file in place of standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Whether to write in colours; auto: on a terminal, unless NO_COLOR is set
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColourChoice,
}

// When output is coloured: the argument of `--color`.
#[derive(Clone, Copy, clap::ValueEnum)]
pub(crate) enum ColourChoice {
    Auto,
    Always,
    Never,
}

/// The format of the output.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Text,
    Json,
}

/// Parses the argument of `--format`.
fn format(name: &str) -> Result<Format, String> {
    match name {
        "text" => Ok(Format::Text),
        "json" => Ok(Format::Json),
        _ => Err("there are text and json".to_owned()),
    }
}

/// The format of the output of `plantime check`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReportFormat {
    Text,
    Json,
    Sarif,
    Junit,
    Github,
    Html,
    Markdown,
}

/// Parses the argument of `--format` of `plantime check`.
fn report_format(name: &str) -> Result<ReportFormat, String> {
    match name {
        "text" => Ok(ReportFormat::Text),
        "json" => Ok(ReportFormat::Json),
        "sarif" => Ok(ReportFormat::Sarif),
        "junit" => Ok(ReportFormat::Junit),
        "github" => Ok(ReportFormat::Github),
        "html" => Ok(ReportFormat::Html),
        "markdown" => Ok(ReportFormat::Markdown),
        _ => Err("there are text, json, sarif, junit, github, html and markdown".to_owned()),
    }
}

/// Parses one of the kinds of answers of `--only`.
fn answer_kind(name: &str) -> Result<AnswerKind, String> {
    AnswerKind::named(name)
        .ok_or_else(|| "there are pass, fail, warning, known, undetermined and skipped".to_owned())
}

/// Parses the argument of `--fail-on`.
fn level(name: &str) -> Result<SeverityLevel, String> {
    SeverityLevel::named(name)
        .ok_or_else(|| "there are info, low, warning, medium, high, error and critical".to_owned())
}

/// Parses the argument of `--null`: what a test answers for null.
fn on_null(name: &str) -> Result<OnNull, String> {
    OnNull::named(name).ok_or_else(|| "there are pass, fail and undetermined".to_owned())
}

/// Parses a size in bytes, such as `512`, `64KiB` or `1GiB`.
fn size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit: u64 = match text.get(digits.len()..).unwrap_or_default() {
        "" | "B" => 1,
        "KiB" => 1 << 10,
        "MiB" => 1 << 20,
        "GiB" => 1 << 30,
        _ => return Err("a size is a number of bytes, or a number with KiB, MiB or GiB".to_owned()),
    };
    let count: u64 = digits.trim().parse().map_err(|_| "a size is a whole number".to_owned())?;
    count.checked_mul(unit).ok_or_else(|| "too large".to_owned())
}
