//! The options of `plantime test`.

use std::path::PathBuf;

use plantime_terraform::plan::{Day, NamePattern};

use super::{Facts, Output, size};
use crate::clock;

pub(super) const HELP: &str = "\
A test file:
  rules = \"buckets.hcl\"                    # otherwise the rules files beside it

  test \"buckets are private\" {
    resource \"aws_s3_bucket\" \"a\" { acl = \"private\" }
    resource \"aws_s3_bucket\" \"b\" { acl = unknown() }

    expect \"private-buckets\" {
      pass         = [\"aws_s3_bucket.a\"]
      undetermined = [\"aws_s3_bucket.b\"]
    }
  }

Examples:
  plantime test                                          the test files in this folder
  plantime test rules --filter 'buckets*' --format junit
  plantime test --coverage                               each rule must have been seen to fail
  plantime test --from-plan plan.json --schemas schemas.json --rules rules.hcl --out plan.test.hcl

Exit status:
  0  all tests pass
  1  a test fails; with --coverage, or no test has seen a rule fail
  2  some input is unusable (wins over all)";

// No doc comment here, as on the options of the other subcommands.
#[derive(clap::Args)]
pub(crate) struct Test {
    /// Test files; a folder stands for its *.test.hcl files, a pattern such as `rules/*.test.hcl` for what it matches; without any, those
    /// in this folder
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Run only the tests of this name; `*` stands for any text; may be repeated
    #[arg(long, value_name = "NAME")]
    pub(crate) filter: Vec<NamePattern>,
    /// End with status 1 if there is a rule that no test has seen fail
    #[arg(long, conflicts_with = "filter")]
    pub(crate) coverage: bool,
    /// What to write: text, json or junit
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = test_format)]
    pub(crate) format: TestFormat,
    #[command(flatten)]
    pub(crate) output: Output,
    /// Write a test file from a plan: the values that the rules ask, and the answers
    ///
    /// Sensitive values are not written. Where an answer changes without them, a comment says so.
    #[arg(long, value_name = "PLAN", conflicts_with_all = ["paths", "filter", "coverage", "format", "output"])]
    pub(crate) from_plan: Option<PathBuf>,
    /// With --from-plan: the rules, as for `plantime check`; otherwise those in this folder
    #[arg(long, value_name = "FILE", requires = "from_plan")]
    pub(crate) rules: Vec<PathBuf>,
    /// With --from-plan: provider schemas (`terraform providers schema -json`), which the test file then names; may be repeated
    #[arg(long, value_name = "FILE", requires = "from_plan")]
    pub(crate) schemas: Vec<PathBuf>,
    /// With --from-plan: the folder of the root module; what it says of unknown values is written
    #[arg(long, value_name = "DIR", requires = "from_plan")]
    pub(crate) config: Option<PathBuf>,
    /// With --from-plan: a variable of the rules, NAME=VALUE, which the test file then gives; may be repeated
    #[arg(long, value_name = "NAME=VALUE", requires = "from_plan")]
    pub(crate) var: Vec<String>,
    /// With --from-plan: the file that is written, in place of standard output; one that is there is never overwritten
    #[arg(long, value_name = "FILE", requires = "from_plan")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) facts: Facts,
    /// The day of the tests, for skips that end (until), as for `plantime check`
    #[arg(long, value_name = "TIME", value_parser = clock::now)]
    pub(crate) now: Option<Day>,
    /// The size above which an input file is refused, in bytes or with KiB, MiB, GiB
    #[arg(long, value_name = "SIZE", default_value = "1GiB", value_parser = size)]
    pub(crate) max_input_size: u64,
}

/// The format of the output of `plantime test`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum TestFormat {
    Text,
    Json,
    Junit,
}

/// Parses the argument of `--format` of `plantime test`.
fn test_format(name: &str) -> Result<TestFormat, String> {
    match name {
        "text" => Ok(TestFormat::Text),
        "json" => Ok(TestFormat::Json),
        "junit" => Ok(TestFormat::Junit),
        _ => Err("there are text, json and junit".to_owned()),
    }
}
