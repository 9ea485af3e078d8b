//! Why a value is not known: the values and expressions that it depends on.

use std::collections::BTreeSet;
use std::fmt;
use std::rc::Rc;

use plantime::{Path, Value};

/// Why a value is not known: the chain of expressions from it back to what only an apply decides.
///
/// [`plan::explain`](crate::plan::explain) makes one of a plan and its configuration.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Explanation {
    /// All values of the explanation, each once: first the requested values, then the values that these depend on, the
    /// nearest first.
    pub values: Vec<ExplainedValue>,
    /// The number of requested values, which come first in `values`: several if the requested name stands for several
    /// instances or attributes.
    pub requested: usize,
}

/// A value of an [`Explanation`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ExplainedValue {
    /// The address of the value: `aws_subnet.a[0].vpc_id`, `module.net.local.id`, `output.url`.
    pub name: String,
    /// The address of the instance of a resource that it is in; `None` of locals, variables and outputs.
    pub address: Option<String>,
    /// The path in that instance.
    pub path: Path,
    /// The value, as far as it is known.
    pub value: Value,
    /// File and line where it is written; `None` of what no file has.
    pub place: Option<String>,
    /// The line of the file, without spaces around it; `None` where the value is marked.
    pub line: Option<String>,
    /// Why it is not known.
    pub cause: UnknownCause,
    /// The positions in [`Explanation::values`] of the unknown values that it is computed from.
    pub depends_on: Vec<usize>,
    /// The number of further unknown values that this one is computed from and that `depends_on` leaves out.
    pub omitted: usize,
    /// Where knowledge about it comes from: `catalogue: aws_vpc.id (class A)`.
    pub facts: Vec<String>,
}

/// Why a value is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnknownCause {
    /// The value is known.
    Known,
    /// The value is computed from unknown values: those that it [depends on](ExplainedValue::depends_on).
    Expression,
    /// The value is the result of the function of this name, which gives another result with each apply.
    Function(String),
    /// Evaluating the expression fails. Contains the heading of the problem.
    Problem(String),
    /// The provider chooses the value when it creates or updates the resource. Contains the resource type.
    Provider(String),
    /// The data source is read during the apply, since it depends on unknown values.
    DataSource,
    /// An ephemeral resource is opened anew by each run.
    Ephemeral,
    /// The variable of the root module has no value.
    Variable,
    /// The number of instances is not known: `count` or `for_each` depends on unknown values.
    Instances,
    /// Terraform knows the value when it runs, but a plan does not contain it.
    Run,
    /// The module is not installed.
    Module,
    /// The resource has changes that come before the read of a data source that depends on it (`depends_on`).
    Order,
}

impl UnknownCause {
    /// Whether the chain ends here: nothing that the configuration says would decide the value.
    ///
    /// ```
    /// use plantime_terraform::configuration::UnknownCause;
    ///
    /// let chosen = UnknownCause::Provider("aws_vpc".to_owned());
    /// assert!(chosen.is_root() && !UnknownCause::Expression.is_root());
    /// assert_eq!((chosen.name(), chosen.to_string().as_str()), ("provider", "the provider chooses it during the apply"));
    /// assert_eq!(UnknownCause::Variable.remedy(), Some("a value for the variable"));
    /// assert_eq!(UnknownCause::Expression.remedy(), None);
    /// ```
    pub fn is_root(&self) -> bool {
        match self {
            UnknownCause::Known
            | UnknownCause::Expression
            | UnknownCause::Instances
            | UnknownCause::DataSource => false,
            UnknownCause::Function(_)
            | UnknownCause::Problem(_)
            | UnknownCause::Provider(_)
            | UnknownCause::Ephemeral
            | UnknownCause::Variable
            | UnknownCause::Run
            | UnknownCause::Module
            | UnknownCause::Order => true,
        }
    }

    /// The word that stands for it in JSON.
    ///
    /// [Example](UnknownCause::is_root)
    pub fn name(&self) -> &'static str {
        match self {
            UnknownCause::Known => "known",
            UnknownCause::Expression => "expression",
            UnknownCause::Function(_) => "function",
            UnknownCause::Problem(_) => "problem",
            UnknownCause::Provider(_) => "provider",
            UnknownCause::DataSource => "data_source",
            UnknownCause::Ephemeral => "ephemeral",
            UnknownCause::Variable => "variable",
            UnknownCause::Instances => "instances",
            UnknownCause::Run => "run",
            UnknownCause::Module => "module",
            UnknownCause::Order => "order",
        }
    }

    /// What would decide the value; `None` if other values do.
    ///
    /// [Example](UnknownCause::is_root)
    pub fn remedy(&self) -> Option<&'static str> {
        match self {
            UnknownCause::Known
            | UnknownCause::Expression
            | UnknownCause::Instances
            | UnknownCause::DataSource => None,
            UnknownCause::Provider(_) | UnknownCause::Ephemeral | UnknownCause::Function(_) => {
                Some("the apply, or an assumption about it in the rules file")
            }
            UnknownCause::Variable => Some("a value for the variable"),
            UnknownCause::Problem(_) => Some("a correct expression"),
            UnknownCause::Run => Some("the option of the command that gives it, such as --workspace"),
            UnknownCause::Module => Some("terraform init, which installs the module"),
            UnknownCause::Order => Some("the apply"),
        }
    }
}

/// A sentence without its subject and full stop.
impl fmt::Display for UnknownCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnknownCause::Known => f.write_str("is known"),
            UnknownCause::Expression => f.write_str("is computed from unknown values"),
            UnknownCause::Function(name) => write!(f, "{name}() has its result during the apply"),
            UnknownCause::Problem(summary) => write!(f, "cannot be evaluated: {summary}"),
            UnknownCause::Provider(_) => f.write_str("the provider chooses it during the apply"),
            UnknownCause::DataSource => f.write_str("the data source is read during the apply"),
            UnknownCause::Ephemeral => f.write_str("the ephemeral resource is opened by each run"),
            UnknownCause::Variable => f.write_str("the variable has no value"),
            UnknownCause::Instances => f.write_str("the number of instances is not known"),
            UnknownCause::Run => f.write_str("Terraform knows it when it runs"),
            UnknownCause::Module => f.write_str("the module is not installed"),
            UnknownCause::Order => f.write_str("its changes come first"),
        }
    }
}

impl Explanation {
    /// The values that were asked for.
    ///
    /// [Example](crate::plan::explain)
    pub fn requested(&self) -> &[ExplainedValue] {
        self.values.get(..self.requested).unwrap_or(&self.values)
    }

    /// For each value, the positions of the roots (the values at which explanations end) that it depends on, in order.
    /// Each value is visited once, and values with the same roots share them, so the cost is that of the edges and of
    /// the sets that differ.
    pub(crate) fn roots_of_each(&self) -> Vec<Rc<[usize]>> {
        let mut found: Vec<Option<Rc<[usize]>>> = vec![None; self.values.len()];
        let (mut entered, mut has_cycle) = (vec![false; self.values.len()], false);
        let mut todo: Vec<(usize, bool)> = (0..self.values.len()).rev().map(|at| (at, false)).collect();
        while let Some((position, is_left)) = todo.pop() {
            let (Some(value), None) = (self.values.get(position), found.get(position).cloned().flatten())
            else {
                continue;
            };
            if is_left {
                let of_value = |at: &usize| found.get(*at).cloned().flatten();
                let roots = match value.depends_on.as_slice() {
                    [] if value.cause != UnknownCause::Known => Rc::from([position]),
                    [] => Rc::from([]),
                    [only] => of_value(only).unwrap_or_else(|| Rc::from([])),
                    several => {
                        let all: Vec<Rc<[usize]>> = several.iter().filter_map(of_value).collect();
                        match all.split_first() {
                            Some((first, rest)) if rest.iter().all(|other| other == first) => {
                                Rc::clone(first)
                            }
                            _ => {
                                let distinct: BTreeSet<usize> =
                                    all.iter().flat_map(|roots| roots.iter().copied()).collect();
                                distinct.into_iter().collect()
                            }
                        }
                    }
                };
                if let Some(found) = found.get_mut(position) {
                    *found = Some(roots);
                }
                continue;
            }
            match entered.get_mut(position) {
                Some(entered) if !*entered => *entered = true,
                // It is waiting for what depends on it.
                _ => {
                    has_cycle = true;
                    continue;
                }
            }
            todo.push((position, true));
            let waiting = value.depends_on.iter().filter(|at| found.get(**at).is_some_and(Option::is_none));
            todo.extend(waiting.map(|at| (*at, false)));
        }
        if has_cycle {
            return (0..self.values.len()).map(|position| self.roots_of(position).into()).collect();
        }
        found.into_iter().map(|roots| roots.unwrap_or_else(|| Rc::from([]))).collect()
    }

    /// The positions of the roots that one value depends on, also where values depend on each other in a circle.
    fn roots_of(&self, from: usize) -> Vec<usize> {
        let (mut todo, mut seen, mut roots) = (vec![from], BTreeSet::new(), BTreeSet::new());
        while let Some(position) = todo.pop() {
            let Some(value) = self.values.get(position).filter(|_| seen.insert(position)) else { continue };
            if value.depends_on.is_empty() && value.cause != UnknownCause::Known {
                roots.insert(position);
            }
            todo.extend(&value.depends_on);
        }
        roots.into_iter().collect()
    }

    /// The values where the chains end: what decides all others, in the order in which they are reached.
    ///
    /// [Example](crate::plan::explain)
    pub fn roots(&self) -> impl Iterator<Item = &ExplainedValue> {
        let is_root = |value: &&ExplainedValue| {
            value.cause.is_root() || value.depends_on.is_empty() && value.cause != UnknownCause::Known
        };
        self.values.iter().filter(is_root)
    }
}
