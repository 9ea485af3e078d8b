//! Validators: the rules on the configuration of a provider, a resource or a data source as a whole.

use std::any::Any;
use std::collections::BTreeSet;
use std::fmt;

use super::{Diagnostics, Misuse, Outcome, Request, Rule, Severity, Why};
use crate::value::Value;

/// What a configuration is for: a provider, or a type of resource or data source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Configured {
    /// A provider, which has no type name.
    Provider,
    /// A resource of this type.
    Resource(String),
    /// A data source of this type.
    DataSource(String),
}

impl Configured {
    /// The type name; `None` for a provider.
    ///
    /// [Example](Validators::provider)
    pub fn type_name(&self) -> Option<&str> {
        match self {
            Configured::Provider => None,
            Configured::Resource(name) | Configured::DataSource(name) => Some(name),
        }
    }
}

impl fmt::Display for Configured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Configured::Provider => f.write_str("provider"),
            Configured::Resource(name) => write!(f, "resource {name}"),
            Configured::DataSource(name) => write!(f, "data source {name}"),
        }
    }
}

/// The rules for one kind of configuration, each with a name. Most are plain data; a rule that has to compute is a
/// function ([`Custom`](super::Custom)), which receives the path, the value, the whole configuration, the type name and
/// the caller's data.
///
/// All rules are evaluated, whatever the outcomes of the others. Their order only decides the order of the diagnostics.
///
/// ```
/// use plantime::rule::{Custom, Diagnostic, Outcome, Rule, Validators};
/// use plantime::{Type, Value, value};
///
/// let subnet = Validators::resource("aws_subnet")
///     .rule("one-source", Rule::exactly_one_of(["cidr_block".parse()?, "ipv4_ipam_pool_id".parse()?]))
///     .rule("known-region", Rule::Custom(Custom::new("known_region", |request| {
///         let regions: &[&str] = request.data().and_then(|data| data.downcast_ref::<Vec<&str>>()).map_or(&[], |all| all);
///         let region = request.value().get(&"region".parse().unwrap()).ok();
///         Ok(match region.as_ref().and_then(|region| region.as_str().ok()) {
///             Some(region) if !regions.contains(&region) => Outcome::fail(Diagnostic::error(
///                 "Unknown Region",
///                 format!("{}: no such region", request.type_name().unwrap_or("provider")),
///                 request.path().clone().attr("region"),
///                 "",
///             )),
///             _ => Outcome::Pass,
///         })
///     })))
///     .warn("known-region");
/// let config = value!({ "cidr_block": "10.0.0.0/8", "ipv4_ipam_pool_id": (Value::unknown(Type::String)), "region": "moon" })?;
/// let validated = subnet.check(&config, Some(&vec!["eu-west-1"]))?;
/// assert!(!validated.diagnostics.has_error());
/// assert_eq!(validated.diagnostics[0].detail, "aws_subnet: no such region");
/// assert_eq!(validated.open[0].0, "one-source");
/// assert_eq!(validated.open[0].1.passes_if(), "ipv4_ipam_pool_id turns out null");
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Validators {
    /// What the configuration is for.
    of: Configured,
    /// The rules with their names.
    rules: Vec<(String, Rule)>,
    /// The names of rules whose failures are warnings.
    warned: BTreeSet<String>,
}

/// The result of checking a configuration: failures and undetermined rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Validated {
    /// The failures in the order of the rules, without duplicates. A configuration whose only diagnostics are warnings
    /// is valid.
    pub diagnostics: Diagnostics,
    /// The undetermined rules by name, each with its reason and obligation (the rule that remains to be checked).
    pub open: Vec<(String, Why)>,
}

impl Validators {
    /// Validators of the configuration of a provider, without rules yet.
    ///
    /// ```
    /// use plantime::rule::{Configured, Rule, Validators};
    /// use plantime::value;
    ///
    /// let provider = Validators::provider().rule("region-or-zone", Rule::at_least_one_of(["region".parse()?, "zone".parse()?]));
    /// assert_eq!((provider.configured(), provider.configured().type_name()), (&Configured::Provider, None));
    /// assert_eq!(provider.rules().map(|(name, _)| name).collect::<Vec<_>>(), ["region-or-zone"]);
    /// assert!(provider.check(&value!({ "region": null, "zone": null })?, None)?.diagnostics.has_error());
    /// assert_eq!(Validators::data_source("aws_ami").configured().to_string(), "data source aws_ami");
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn provider() -> Validators {
        Validators::of(Configured::Provider)
    }

    /// Validators of the configuration of resources of a type, without rules yet.
    ///
    /// [Example](Validators)
    pub fn resource(type_name: impl Into<String>) -> Validators {
        Validators::of(Configured::Resource(type_name.into()))
    }

    /// Validators of the configuration of data sources of a type, without rules yet.
    ///
    /// [Example](Validators::provider)
    pub fn data_source(type_name: impl Into<String>) -> Validators {
        Validators::of(Configured::DataSource(type_name.into()))
    }

    /// Validators of this kind of configuration, without rules yet.
    ///
    /// [Example](Validators)
    pub fn of(configured: Configured) -> Validators {
        Validators { of: configured, rules: Vec::new(), warned: BTreeSet::new() }
    }

    /// Adds a rule on the whole configuration, with a name.
    ///
    /// [Example](Validators)
    #[must_use]
    pub fn rule(mut self, name: impl Into<String>, rule: Rule) -> Validators {
        self.rules.push((name.into(), rule));
        self
    }

    /// Turns failures of the rules with this name into warnings.
    ///
    /// [Example](Validators)
    #[must_use]
    pub fn warn(mut self, name: impl Into<String>) -> Validators {
        self.warned.insert(name.into());
        self
    }

    /// The kind of configuration that the rules are about.
    ///
    /// [Example](Validators::provider)
    pub fn configured(&self) -> &Configured {
        &self.of
    }

    /// The rules with their names, in the order in which they were added.
    ///
    /// [Example](Validators::provider)
    pub fn rules(&self) -> impl Iterator<Item = (&str, &Rule)> {
        self.rules.iter().map(|(name, rule)| (name.as_str(), rule))
    }

    /// Evaluates every rule on a configuration. Rules that are functions receive `data`.
    ///
    /// [Example](Validators)
    ///
    /// # Errors
    ///
    /// [`Misuse`] of the first rule that cannot read the type of the configuration.
    pub fn check(&self, config: &Value, data: Option<&dyn Any>) -> Result<Validated, Misuse> {
        let request = Request::new(config);
        let request = self.of.type_name().into_iter().fold(request, Request::of_type);
        let request = data.into_iter().fold(request, Request::with_data);
        let mut validated = Validated::default();
        let mut found = Vec::new();
        for (name, rule) in &self.rules {
            match rule.check(&request)? {
                Outcome::Pass => {}
                Outcome::Fail(diagnostics) => {
                    let most = if self.warned.contains(name) { Severity::Warning } else { Severity::Error };
                    found.extend(diagnostics.with_severity(most));
                }
                Outcome::Undetermined(why) => validated.open.push((name.clone(), why)),
            }
        }
        validated.diagnostics = found.into_iter().collect();
        Ok(validated)
    }
}
