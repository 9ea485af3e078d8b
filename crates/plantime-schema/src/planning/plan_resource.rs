//! The plan of a resource, as core and its provider make it together.

use std::cell::RefCell;
use std::fmt;

use crate::schema::Block;
use plantime::rule::{Diagnostic, Diagnostics, Misuse, Replaces, Why};
use plantime::unstable::value::equal;
use plantime::{Error, Path, Value, View};

use super::behaviours::{Behaviours, Node, Style};
use super::customizing::Customizing;
use super::fill::{Fill, fill_object};
use super::layout::{Layout, null};
use super::proposed::propose_object;
use super::provider::{Provider, Walk};
use super::replacement::{Replacement, Trigger, overall};
use super::requirements;
use super::sdk_state;

/// The plan of a resource.
///
/// [Example](plan_resource)
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Planned {
    /// The planned value. Where a replacement is possible, it may become the value of an update and the value of a new object.
    pub value: Value,
    /// The values whose changes replace the object, or may replace it; empty for a new one.
    pub requires_replace: Vec<Replacement>,
    /// Warnings: failures of rules that only warn, and deprecated attributes that are set.
    pub warnings: Diagnostics,
    /// The rules that unknown values leave undetermined.
    pub obligations: Vec<PlanObligation>,
}

/// A rule that unknown values leave undetermined at plan, to be checked again at apply.
///
/// [Example](plan_resource)
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PlanObligation {
    /// The place that the rule is about.
    pub path: Path,
    /// What the rule requires, in words.
    pub description: String,
    /// What the answer depends on, and what remains to be checked.
    pub why: Why,
}

/// The error of [`plan_resource`]: why there is no plan.
///
/// ```
/// use plantime_schema::planning::{Behaviour, Behaviours, PlanError, plan_resource};
/// use plantime_schema::{Attribute, Block};
/// use plantime::{Type, Value};
/// use plantime::value;
///
/// let block = Block::builder()
///     .attribute("cidr", Attribute::optional(Type::String))
///     .attribute("pool", Attribute::optional(Type::String))
///     .build()?;
/// let paths = || ["cidr", "pool"].map(|path| path.parse().unwrap());
/// let behaviours = Behaviours::sdk().at("cidr", Behaviour::new().exactly_one_of(paths()));
/// let none = Value::null(Type::Dynamic);
/// let plan = |config| plan_resource(&block, &behaviours, &none, &config);
/// let error = plan(value!({ "cidr": "10.0.0.0/8", "pool": "p" })?).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     r#"Invalid combination of arguments: "cidr": only one of `cidr,pool` can be specified, but `cidr,pool` were specified."#
/// );
/// let error = plan(value!({ "nets": [] })?).unwrap_err();
/// assert!(matches!(error, PlanError::Input(_)));
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PlanError {
    /// The configuration violates rules, whatever the unknown values become. The warnings are included.
    Configuration(Diagnostics),
    /// A value does not have the shape of the schema, or a behaviour does not fit it.
    Input(Error),
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlanError::Configuration(diagnostics) => {
                for (place, one) in diagnostics.errors().enumerate() {
                    write!(f, "{}{one}", if place > 0 { "; " } else { "" })?;
                }
                Ok(())
            }
            PlanError::Input(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for PlanError {}

impl From<Error> for PlanError {
    fn from(error: Error) -> PlanError {
        PlanError::Input(error)
    }
}

impl From<Misuse> for PlanError {
    fn from(misuse: Misuse) -> PlanError {
        PlanError::Input(misuse.into())
    }
}

impl Planned {
    /// Whether the object is replaced.
    ///
    /// [Example](plan_resource)
    pub fn replaces(&self) -> Replaces {
        overall(&self.requires_replace)
    }
}

/// Diagnostics, replacements and obligations, collected while the value is planned.
#[derive(Debug, Default)]
pub(super) struct Notes {
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) obligations: Vec<PlanObligation>,
}

/// The plan of a resource: what core and a provider with these behaviours plan for a prior state and a configuration.
///
/// `prior` is null for a resource that does not exist yet, `config` for one that is to be deleted.
///
/// | step | |
/// |---|---|
/// | 1 | rules are evaluated on the configuration: those of the schema (required, not configurable, numbers of blocks), those of behaviours. A failure is an error, an answer that is not decided an obligation |
/// | 2 | defaults are filled in, and values become as they are stored |
/// | 3 | core's [proposal](super::proposed_new) is made, in which differences are suppressed, and what is computed stays or becomes unknown |
/// | 4 | the resource as a whole is [customized](super::CustomizeDiff) |
/// | 5 | what changes and forces a new object is collected. If the object is certainly replaced, the plan is made again as for a new one; if that is possible, the value may become either |
///
/// A provider that is built with the SDK sees the state as texts, in which null and empty values are not always told apart. So in
/// the plan of its update an attribute of a block in a list that is null in the state gets the empty value of its type, an attribute
/// that is empty in the state and left out of the configuration stays empty, and the plan is the state where it differs from
/// it in null and empty values only. A computed list or set that is null in the state is unknown.
///
/// Knowing more of the configuration never contradicts an earlier answer: the plan of a configuration is one that the plan of
/// a less known configuration may become, and a replacement that is certain, or excluded, stays so.
///
/// ```
/// use plantime_schema::planning::{Behaviour, Behaviours, plan_resource};
/// use plantime::rule::set::RuleSet;
/// use plantime::rule::{Replaces, Rule};
/// use plantime_schema::{Attribute, Block};
/// use plantime::{Refinement, Type, Value};
/// use plantime::value;
///
/// let block = Block::builder()
///     .attribute("cidr", Attribute::required(Type::String))
///     .attribute("tenancy", Attribute::optional_computed(Type::String))
///     .attribute("id", Attribute::computed(Type::String))
///     .build()?;
/// let behaviours = Behaviours::framework()
///     .at("cidr", Behaviour::new().force_new().validate(RuleSet::new([Rule::starts_with("10.")])))
///     .at("tenancy", Behaviour::new().default_value("default"))
///     .at("id", Behaviour::new().use_state_for_unknown().promise(Refinement::prefix("vpc-").and_not_null()));
///
/// let prior = value!({ "cidr": "10.0.0.0/16", "tenancy": "default", "id": "vpc-1" })?;
/// let plan = |prior: &Value, cidr: Value| plan_resource(&block, &behaviours, prior, &value!({ "cidr": cidr })?);
/// let created = plan(&Value::null(Type::Dynamic), "10.0.0.0/16".into()).unwrap();
/// assert_eq!(
///     created.value.to_string(),
///     r#"{cidr = "10.0.0.0/16", id = "vpc-${(known after apply)}", tenancy = "default"}"#
/// );
///
/// // The same again: nothing changes. Another: it is replaced.
/// assert_eq!(plan(&prior, "10.0.0.0/16".into()).unwrap().value, prior);
/// let replaced = plan(&prior, "10.1.0.0/16".into()).unwrap();
/// assert_eq!((replaced.replaces(), replaced.value.at("id")?.is_known()), (Replaces::Yes, false));
///
/// // It may turn out to be the same: it is possibly replaced, and a rule remains.
/// let open = plan(&prior, Value::unknown(Type::String)).unwrap();
/// assert!(matches!(open.replaces(), Replaces::Maybe(_)));
/// assert_eq!(open.requires_replace[0].path.to_string(), "cidr");
/// assert_eq!(open.value.at("id")?.to_string(), r#""vpc-${(known after apply)}""#);
/// assert_eq!(open.obligations[0].path.to_string(), "cidr");
/// # Ok::<(), plantime::Error>(())
/// ```
///
/// # Errors
///
/// [`PlanError::Configuration`] if a rule fails, [`PlanError::Input`] if a value does not have the shape of the schema, or a
/// behaviour is for a place that the schema does not have.
pub fn plan_resource(
    schema: &Block,
    behaviours: &Behaviours,
    prior: &Value,
    config: &Value,
) -> Result<Planned, PlanError> {
    let (prior, config) = (schema.coerce(prior)?, schema.coerce(config)?);
    let layout = Layout::of(schema)?;
    let tree = behaviours.tree(&layout)?;
    let existing = (null(&prior) != Some(true)).then_some(&prior);
    if !matches!(config.view_below_marks(), View::Object(_)) {
        return Ok(whole(existing, &config));
    }
    let mut notes = checked(schema, behaviours, &layout, &tree, &config)?;
    stop_at_errors(&notes)?;

    let filled = fill_object(&layout, &tree, &config, Fill::Everything)?;
    let planning = Planning { behaviours, layout: &layout, tree: &tree, config: &config, filled: &filled };
    let (value, requires_replace) = planning.plan(existing, &mut notes)?;
    stop_at_errors(&notes)?;
    let warnings = notes.diagnostics.into_iter().collect();
    Ok(Planned { value, requires_replace, warnings, obligations: notes.obligations })
}

/// What the schema and the rules of behaviours find in a configuration, as the first step of [`plan_resource`] does: errors, and
/// warnings about what is deprecated. What unknown values leave open is none of them.
///
/// ```
/// use plantime_schema::planning::{Behaviours, check_configuration};
/// use plantime_schema::{Attribute, Block};
/// use plantime::{Type, Value, value};
///
/// let block = Block::builder()
///     .attribute("name", Attribute::required(Type::String))
///     .attribute("id", Attribute::computed(Type::String))
///     .build()?;
/// let found = check_configuration(&block, &Behaviours::framework(), &value!({ "name": null, "id": "x" })?)?;
/// let summaries: Vec<&str> = found.iter().map(|one| &*one.summary).collect();
/// assert_eq!(summaries, ["Invalid Configuration for Read-Only Attribute", "Missing Configuration for Required Attribute"]);
/// let later = value!({ "name": Value::unknown(Type::String) })?;
/// assert!(check_configuration(&block, &Behaviours::framework(), &later)?.is_empty());
/// # Ok::<(), plantime::Error>(())
/// ```
///
/// # Errors
///
/// If the configuration does not have the shape of the schema, or a behaviour is for a place that the schema does not have.
pub fn check_configuration(
    schema: &Block,
    behaviours: &Behaviours,
    config: &Value,
) -> Result<Diagnostics, Error> {
    let config = schema.coerce(config)?;
    let layout = Layout::of(schema)?;
    let tree = behaviours.tree(&layout)?;
    if !matches!(config.view_below_marks(), View::Object(_)) {
        return Ok(Diagnostics::new());
    }
    match checked(schema, behaviours, &layout, &tree, &config) {
        Ok(notes) => Ok(notes.diagnostics.into_iter().collect()),
        Err(PlanError::Configuration(found)) => Ok(found),
        Err(PlanError::Input(error)) => Err(error),
    }
}

/// The problems of a configuration, and what unknown values leave open.
fn checked(
    schema: &Block,
    behaviours: &Behaviours,
    layout: &Layout<'_>,
    tree: &Node<'_>,
    config: &Value,
) -> Result<Notes, PlanError> {
    let mut notes = Notes::default();
    let filled = fill_object(layout, tree, config, Fill::DefaultFunctions)?;
    requirements::check(schema, behaviours, layout, tree, &filled, &mut notes)?;
    Ok(notes)
}

/// The plan for a configuration that is null, or unknown as a whole.
fn whole(prior: Option<&Value>, config: &Value) -> Planned {
    let requires_replace = match (null(config), prior) {
        (Some(true), _) | (_, None) => Vec::new(),
        _ => vec![Replacement::possible(Path::new(), Why::new([Path::new()]), Trigger::Change)],
    };
    let value = config.clone();
    Planned { value, requires_replace, warnings: Diagnostics::new(), obligations: Vec::new() }
}

/// Fails with the diagnostics collected so far if one of them is an error.
fn stop_at_errors(notes: &Notes) -> Result<(), PlanError> {
    let found: Diagnostics = notes.diagnostics.iter().cloned().collect();
    if found.has_error() { Err(PlanError::Configuration(found)) } else { Ok(()) }
}

/// The inputs that all walks of one plan share.
pub(super) struct Planning<'a> {
    pub(super) behaviours: &'a Behaviours,
    pub(super) layout: &'a Layout<'a>,
    pub(super) tree: &'a Node<'a>,
    /// The configuration as written, without defaults.
    pub(super) config: &'a Value,
    /// The configuration with defaults and stored values, from which the provider plans.
    pub(super) filled: &'a Value,
}

impl Planning<'_> {
    /// Plans the update of a prior object, or a new object for `None`: the value, and what forces a replacement.
    fn plan(&self, prior: Option<&Value>, notes: &mut Notes) -> Result<(Value, Vec<Replacement>), PlanError> {
        let Some(prior) = prior else {
            let created = self.walk(None, &self.walk_inputs(Some(true), Some(true), None))?;
            let customizing = Customizing { planning: self, priors: &[None], replacements: None };
            return Ok((customizing.run(created, notes)?, Vec::new()));
        };
        let state;
        let read = match self.behaviours.style {
            Style::Sdk => {
                state = sdk_state::read(prior)?;
                &state
            }
            Style::Framework => prior,
        };
        let changed = match self.behaviours.style {
            Style::Sdk => {
                let updated = self.walk(Some(read), &self.walk_inputs(Some(false), Some(true), None))?;
                sdk_state::is_same(prior, self.filled, &updated, false).map(|same| !same)
            }
            Style::Framework => {
                let kept = self.walk(Some(prior), &self.walk_inputs(Some(false), Some(false), None))?;
                differs(prior, &kept)
            }
        };
        let found = RefCell::default();
        let updated = self.walk(Some(read), &self.walk_inputs(Some(false), changed, Some(&found)))?;
        // Core plans the update first, so an error in it is reported whatever follows.
        let customizing = Customizing { planning: self, priors: &[Some(read)], replacements: Some(&found) };
        let updated = customizing.run(updated, notes)?;
        let mut replacements = found.into_inner();
        let same = match self.behaviours.style {
            Style::Sdk => {
                let is_customized = !self.behaviours.customize.is_empty();
                sdk_state::is_same(prior, self.filled, &updated, is_customized)
            }
            Style::Framework => Some(false),
        };
        if same == Some(true) {
            replacements.clear();
        }
        let value = match overall(&replacements) {
            Replaces::No => sdk_state::settle(prior, updated, same),
            Replaces::Yes => {
                let created = self.walk(None, &self.walk_inputs(Some(true), Some(true), None))?;
                let customizing = Customizing { planning: self, priors: &[None], replacements: None };
                customizing.run(created, notes)?
            }
            Replaces::Maybe(_) => {
                let both = self.walk(Some(read), &self.walk_inputs(None, changed, None))?;
                let customizing =
                    Customizing { planning: self, priors: &[Some(read), None], replacements: None };
                sdk_state::settle(prior, customizing.run(both, notes)?, same)
            }
        };
        Ok((value, replacements))
    }

    /// The inputs of a walk that assumes whether the object is replaced and whether it changes (`None`: unknown).
    /// `replacements` collects the changes that force a replacement.
    fn walk_inputs<'w>(
        &'w self,
        replaced: Option<bool>,
        changed: Option<bool>,
        replacements: Option<&'w RefCell<Vec<Replacement>>>,
    ) -> Walk<'w> {
        Walk { style: self.behaviours.style, replaced, changed, config: self.config, replacements }
    }

    /// Proposes the value with the provider's choices for this walk.
    fn walk(&self, prior: Option<&Value>, walk: &Walk<'_>) -> Result<Value, Error> {
        let provider = Provider { walk, node: Some(self.tree), path: Path::new(), in_set: false };
        propose_object(self.layout, &provider, prior, self.filled)
    }
}

/// Whether the planned value differs from the prior one; `None` if that depends on unknowns.
fn differs(prior: &Value, planned: &Value) -> Option<bool> {
    equal(prior, planned).map(|equal| !equal)
}
