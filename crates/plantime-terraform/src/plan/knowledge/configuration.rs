//! Narrows unknown planned values to what the configuration says.
//!
//! | file | does |
//! |---|---|
//! | this one | [`Configuration`]: the configuration that a plan is checked with |
//! | `flow` | evaluates it on the planned values, resource by resource |
//! | `copies` | finds which values are copies of one, for the rules that ask |
//! | `narrowing` | narrows the unknown parts of one planned value by the configured one |

mod copies;
pub(crate) mod flow;
mod narrowing;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::configuration;
use crate::configuration::{DeclaredFacts, Files};
use crate::plan::Plan;
use crate::plan::address::parse_address;
use crate::plan::knowledge::facts::{ContradictedFact, UsedFact};
use crate::plan::knowledge::{ContradictedAssumption, Origin};
use crate::plan::{Change, CustomCondition};
use plantime::Value;
use plantime::View;
use plantime::source::{Problem, Source};
use plantime::{Path, Step};
use plantime_hcl::Diagnostic;

/// The configuration that a plan is checked with: a root module and the modules that it calls.
///
/// It is evaluated on the values of the plan. What it says of an unknown attribute is assumed, since a provider may plan
/// another value than the configured one: it is shown with file and line, and is among the
/// [`Obligations`](crate::plan::Obligations). Known values stay as they are; where the configuration contradicts one of a
/// resource that is created, the report warns.
///
/// | doubt | what is used |
/// |---|---|
/// | an update, or `ignore_changes`: the provider may keep the prior value | what holds of both values; the configured one alone at a key that a map did not have |
/// | an attribute that the provider computes where it is null | what is not null |
/// | no schema tells the types of the resource | nothing |
/// | members of sets | nothing |
#[derive(Clone, Debug)]
pub struct Configuration {
    read: Arc<configuration::Configuration>,
    /// The folder that is written before the names of its files in reports: empty, or with a slash at the end.
    folder: String,
}

/// The results of evaluating a configuration, except the narrowed resources.
#[derive(Debug, Default)]
pub(crate) struct Evaluated {
    /// The assumptions of the rules file that the configuration contradicts.
    pub(crate) contradicted: Vec<ContradictedAssumption>,
    /// The known values of the plan that the configuration contradicts.
    pub(crate) contradicted_facts: Vec<ContradictedFact>,
    /// The outputs that are narrower than in the plan.
    pub(crate) outputs: BTreeMap<String, NarrowedOutput>,
    /// The file and line of the block that declares each resource, by address.
    pub(crate) declared: BTreeMap<String, String>,
    /// The conditions that the modules state.
    pub(crate) conditions: Vec<CustomCondition>,
    /// Where the values of resources and outputs are written.
    pub(crate) source_locations: SourceLocations,
    /// The values that are copies of others; `None` without a configuration.
    pub(crate) copies: Option<Copies>,
    /// The chains of copies that begin at unknown values of resources. Only where conditions ask.
    pub(crate) chains: CopyChains,
    /// Of what an unknown text is the JSON, by address and path, where conditions decode JSON.
    pub(crate) json_sources: HashMap<String, BTreeMap<Path, Value>>,
    /// What the configuration says beside the values of resources. Only where conditions ask.
    pub(crate) facts: Option<DeclaredFacts>,
    /// The expressions that cannot be evaluated.
    pub(crate) problems: Vec<String>,
    /// The assumptions of resource blocks that cannot hold of any value.
    pub(crate) invalid_assumptions: Vec<Problem>,
}

/// The chains of copies (values that are copies of other values) of the places that rules compare.
#[derive(Debug, Default)]
pub(crate) struct Copies {
    chains: HashMap<(String, Path), Vec<CopiedPlace>>,
}

/// Chains of copies by the address and path that they begin at.
pub(crate) type CopyChains = HashMap<String, BTreeMap<Path, Arc<[CopiedPlace]>>>;

/// A value in a chain of copies: each value of the chain is a copy of the next one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CopiedPlace {
    /// The address of a resource, or the name of a value that no resource has.
    pub(crate) address: String,
    pub(crate) path: Path,
    pub(crate) is_resource: bool,
    /// File and line of the configuration that give this place the next value of the chain; `None` if no provider has to
    /// keep it.
    pub(crate) line: Option<String>,
}

impl Copies {
    /// The chain of copies that begins at a place: the place itself, then the one it is copied from, and so on; empty if none
    /// was added.
    pub(crate) fn chain(&self, address: &str, path: &Path) -> &[CopiedPlace] {
        self.chains.get(&(address.to_owned(), named_steps(path))).map_or(&[], Vec::as_slice)
    }

    /// Adds the chain of copies of a place, which `chain` returns, unless the place has one already.
    fn add(&mut self, address: &str, path: &Path, chain: impl FnOnce() -> Vec<CopiedPlace>) {
        self.chains.entry((address.to_owned(), named_steps(path))).or_insert_with(chain);
    }
}

/// The path with keys that are strings as attributes, since both name the same element.
fn named_steps(path: &Path) -> Path {
    let steps = path.steps().iter().map(|step| match step {
        Step::Index(key) => key.as_str().map_or_else(|_| step.clone(), Step::attr),
        Step::Attr(_) => step.clone(),
    });
    Path::from_iter(steps)
}

/// Where the values of resources and outputs are written.
#[derive(Debug, Default)]
pub(crate) struct SourceLocations {
    locations: configuration::SourceLocations,
    /// The folder that is written before the names of files.
    folder: String,
}

impl SourceLocations {
    /// The source locations of an evaluation. `folder` is the folder of the configuration, for the names of files.
    fn of(evaluation: &configuration::Evaluation<'_>, folder: &str) -> SourceLocations {
        SourceLocations { locations: evaluation.source_locations(), folder: folder.to_owned() }
    }

    /// The line that computes the part of a resource or output at a path. The value tells how far the path can be followed in
    /// the configuration: the blocks of a set are in another order than its members, so a member has a line only if it is the
    /// only one.
    pub(crate) fn source_line(&self, address: &str, path: &Path, value: &Value) -> Option<SourceLine> {
        let (mut followed, mut here) = (Path::new(), value.clone());
        for step in path.steps() {
            let bare = here.clone().unmark().0;
            // Without a schema, an array may be a set.
            let members: Option<Vec<&Value>> = match bare.view() {
                View::Set(set) => Some(set.iter().take(2).collect()),
                View::Tuple(tuple) => Some(tuple.iter().take(2).collect()),
                _ => None,
            };
            if let Some(members) = members {
                let [member] = members.as_slice() else { return None };
                followed.push(Step::index(0));
                here = (*member).clone();
                continue;
            }
            followed.push(step.clone());
            let Ok(child) = here.get(&Path::from_iter([step.clone()])) else { break };
            here = child;
        }
        let (location, argument) = match (address.strip_prefix("output."), path.steps().first()) {
            (Some(name), _) => (self.locations.of_output(name)?, value.clone()),
            (None, Some(name)) => {
                let argument = value.get(&Path::from_iter([name.clone()])).unwrap_or_else(|_| value.clone());
                (self.locations.of_resource(address, &followed)?, argument)
            }
            (None, None) => return None,
        };
        let (source, line) = (&location.origin.source, location.origin.position.line);
        // The text may show other parts of the argument too.
        let has_marks = value.is_marked() || !argument.unmark_deep().1.is_empty();
        let text = configuration::line_without_secrets(source, line, has_marks).map(str::to_owned);
        Some(SourceLine {
            file: format!("{}{}", self.folder, source.name()),
            line,
            head: location.head,
            text,
        })
    }
}

/// The line of the configuration that a value is written in.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SourceLine {
    /// The name of the file.
    pub file: String,
    /// The number of the line, from 1.
    pub line: usize,
    /// The head of the block: `resource "aws_vpc" "main"`.
    pub head: String,
    /// The text of the line; `None` if the value is marked.
    pub text: Option<String>,
}

/// An output whose planned value the configuration narrows.
#[derive(Debug)]
pub(crate) struct NarrowedOutput {
    pub(crate) change: Change,
    pub(crate) origin: Origin,
    pub(crate) facts: Vec<UsedFact>,
}

impl Configuration {
    /// Reads the files of a root module, which calls no modules: their names and texts, in any order.
    ///
    /// ```
    /// use plantime_terraform::plan::Configuration;
    /// use plantime::source::Source;
    ///
    /// let text = "resource \"aws_subnet\" \"a\" {\n  vpc_id = aws_vpc.main.id\n}\n";
    /// assert!(Configuration::read([Source::new("main.tf", text)]).is_ok());
    /// ```
    ///
    /// # Errors
    ///
    /// Every place that is wrong.
    pub fn read(files: impl IntoIterator<Item = Source>) -> Result<Configuration, Vec<Problem>> {
        let mut folder = String::new();
        let mut texts = BTreeMap::new();
        for file in files {
            let (before, name) = file.name().rsplit_once(['/', '\\']).unwrap_or(("", file.name()));
            if !before.is_empty() {
                folder = format!("{before}/");
            }
            texts.insert(name.to_owned(), file.text().as_bytes().to_vec());
        }
        Configuration::open(Arc::new(texts), &folder)
    }

    /// Reads a root module and the modules that it calls through a file system of the caller. Reports write the folder
    /// before the names of the files: `infra/` or nothing.
    ///
    /// [Example](Configuration::read)
    ///
    /// # Errors
    ///
    /// Every place that is wrong.
    pub fn open(files: Arc<dyn Files>, folder: &str) -> Result<Configuration, Vec<Problem>> {
        let read = configuration::Configuration::read(files)
            .map_err(|problems| as_problems(problems.iter(), folder))?;
        Ok(Configuration { read: Arc::new(read), folder: folder.to_owned() })
    }

    /// Reads a configuration as [`open`](Configuration::open) does, for a check without a plan: declarations that are wrong count as
    /// far as they go, and are notes of the report.
    ///
    /// [Example](crate::plan::check_configuration)
    ///
    /// # Errors
    ///
    /// Every place in the root module whose syntax is wrong.
    pub fn open_tolerantly(files: Arc<dyn Files>, folder: &str) -> Result<Configuration, Vec<Problem>> {
        let read = configuration::Configuration::read_tolerantly(files)
            .map_err(|problems| as_problems(problems.iter(), folder))?;
        Ok(Configuration { read: Arc::new(read), folder: folder.to_owned() })
    }

    /// The value of a variable of the root module as a command line gives it: a text where its type is a string, a number, a bool or
    /// is not declared, else an expression without references.
    ///
    /// ```
    /// use plantime::Value;
    /// use plantime::source::Source;
    /// use plantime_terraform::plan::Configuration;
    ///
    /// let text = "variable \"zones\" { type = list(string) }\nvariable \"name\" {}\n";
    /// let configuration = Configuration::read([Source::new("main.tf", text)]).unwrap();
    /// let value = |name, text| configuration.read_variable(name, &Source::new(name, text));
    /// assert_eq!(value("name", "[a").unwrap(), Value::from("[a"));
    /// assert!(value("zones", "[\"a\"]").is_ok() && value("zones", "[a").is_err());
    /// assert!(value("zone", "a").unwrap_err().message().contains("the nearest is `zones`"));
    /// ```
    ///
    /// # Errors
    ///
    /// When the root module declares no such variable, or the text is no expression.
    pub fn read_variable(&self, name: &str, text: &Source) -> Result<Value, Problem> {
        // The value may be a secret, so its text is not shown.
        let problem = |message: String| Source::new(text.name(), "").problem(0, message);
        let Some(is_text) = self.read.is_text_variable(name) else {
            let nearest = plantime::unstable::text::nearest(name, self.read.variable_names());
            let hint = nearest.map_or_else(String::new, |near| format!("; the nearest is `{near}`"));
            return Err(problem(format!("the configuration declares no variable `{name}`{hint}")));
        };
        if is_text {
            return Ok(Value::from(text.text()));
        }
        let file = Source::new(text.name(), format!("{name} = {}", text.text()));
        let mut read = configuration::read_variables(&file).map_err(|problems| {
            let first = problems.first();
            problem(format!("{}: {}", first.summary(), first.detail()))
        })?;
        read.remove(name).ok_or_else(|| problem("expected one expression".to_owned()))
    }

    /// Reads the configuration that a binary plan has inside; `None` for a plan in JSON, which has none.
    ///
    /// # Errors
    ///
    /// Every place that is wrong.
    pub fn of_plan(plan: &Plan) -> Option<Result<Configuration, Vec<Problem>>> {
        let files = configuration::embedded_files(&plan.configuration_files)?;
        Some(Configuration::open(Arc::new(files), ""))
    }
}

impl Configuration {
    /// What refers to what in it.
    pub(crate) fn references(&self) -> crate::plan::References {
        crate::plan::References::of_configuration(&self.read.blocks())
    }

    /// The configuration as it was read.
    pub(in crate::plan) fn read_configuration(&self) -> &configuration::Configuration {
        &self.read
    }

    /// The folder that is written before the names of its files.
    pub(crate) fn folder(&self) -> &str {
        &self.folder
    }

    /// The file and line of the block that declares a resource, by its address, or a root output, by `output.NAME`: such as
    /// `main.tf:12`.
    pub(crate) fn declaration(&self, address: &str) -> Option<String> {
        let origin = match address.strip_prefix("output.") {
            Some(name) => self.read.output_declaration(name)?,
            None => {
                let address = parse_address(address)?;
                let calls: Vec<&str> = address.modules.iter().map(|module| module.name.as_str()).collect();
                self.read.declaration(
                    &calls,
                    &format!("{}{}.{}", address.mode.prefix(), address.type_name, address.name),
                )?
            }
        };
        Some(format!("{}{origin}", self.folder))
    }
}

/// The problems of reading a configuration, with the folder before the names of files.
fn as_problems<'p>(problems: impl Iterator<Item = &'p Diagnostic>, folder: &str) -> Vec<Problem> {
    let problems = problems.map(|problem| {
        let source = problem.source();
        let named = Source::new(format!("{folder}{}", source.name()), source.text());
        named.problem(problem.span().start, format!("{}: {}", problem.summary(), problem.detail()))
    });
    problems.collect()
}
