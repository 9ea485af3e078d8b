//! What a provider does with one attribute or block type.

use std::fmt;
use std::sync::{Arc, OnceLock};

use plantime::rule::set::RuleSet;
use plantime::rule::{Custom, PathExpr, Rule};
use plantime::{Refinement, Result, Value};

/// What a provider does with one attribute or block type beyond the flags of the schema: the behavioural fields of the
/// SDK, and the plan modifiers of the plugin framework.
///
/// | here | SDK | framework |
/// |---|---|---|
/// | [`default`](Behaviour::default_value) | `Default` | default |
/// | [`default_with`](Behaviour::default_with) | `DefaultFunc` | |
/// | [`force_new`](Behaviour::force_new) | `ForceNew` | `RequiresReplace` |
/// | [`force_new_if`](Behaviour::force_new_if) | | `RequiresReplaceIf` |
/// | [`force_new_if_configured`](Behaviour::force_new_if_configured) | | `RequiresReplaceIfConfigured` |
/// | [`suppress`](Behaviour::suppress) | `DiffSuppressFunc` | |
/// | [`stored_as`](Behaviour::stored_as) | `StateFunc` | |
/// | [`validate`](Behaviour::validate) | `ValidateFunc`, `ValidateDiagFunc` | validators |
/// | [`use_state_for_unknown`](Behaviour::use_state_for_unknown) | | `UseStateForUnknown` |
/// | [`use_non_null_state_for_unknown`](Behaviour::use_non_null_state_for_unknown) | | `UseNonNullStateForUnknown` |
/// | [`promise`](Behaviour::promise) | | |
/// | [`conflicts_with`](Behaviour::conflicts_with) and so on | `ConflictsWith`, `ExactlyOneOf`, `AtLeastOneOf`, `RequiredWith` | validators of the same kind |
/// | [`min_items`](Behaviour::min_items) | `MinItems` of what is `Optional` | a minimum size |
///
/// `Optional`, `Required`, `Computed`, `Deprecated`, `MinItems` of what is required and `MaxItems` are in the [schema](crate::Block).
///
/// ```
/// use plantime::Refinement;
/// use plantime_schema::planning::Behaviour;
/// use plantime::rule::Rule;
/// use plantime::rule::set::RuleSet;
///
/// let id = Behaviour::new().use_state_for_unknown().promise(Refinement::prefix("vpc-").and_not_null());
/// let size = Behaviour::new().default_value(8).force_new_if(Rule::not(Rule::only_increase())?);
/// let amount = Behaviour::new().validate(RuleSet::new([Rule::min(0), Rule::max(10)]));
/// # let _ = (id, size, amount);
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Behaviour {
    pub(super) default: Option<DefaultValue>,
    pub(super) replaces: Option<ReplaceWhen>,
    pub(super) suppress: Option<Rule>,
    pub(super) state: Option<StateFunction>,
    pub(super) rules: RuleSet,
    pub(super) keeps: Option<Keeps>,
    pub(super) promise: Option<Refinement>,
    pub(super) presence: Vec<(Presence, Vec<PathExpr>)>,
    pub(super) min_items: Option<u64>,
}

/// A default value, or the function that returns it.
#[derive(Clone)]
pub(super) enum DefaultValue {
    Value(Value),
    Function(DefaultFunction),
}

/// A function that returns a default value. It is called once, and its result is cached for all clones.
#[derive(Clone)]
pub(super) struct DefaultFunction {
    call: Arc<dyn Fn() -> Result<Option<Value>> + Send + Sync>,
    answer: Arc<OnceLock<Result<Option<Value>>>>,
}

/// Which changes of an attribute make the provider replace the object: all, those for which a rule holds, or those of a
/// configured attribute.
#[derive(Clone, Debug)]
pub(super) enum ReplaceWhen {
    Changed,
    ChangedAnd(Rule),
    ChangedAndConfigured,
}

/// A function from one value to another.
type Stores = dyn Fn(&Value) -> Result<Value> + Send + Sync;

/// A function that makes the stored value from the configured one.
#[derive(Clone)]
pub(super) struct StateFunction(pub(super) Arc<Stores>);

/// The prior values that replace an unknown value which the provider would plan: all, or those that are not null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keeps {
    All,
    NotNull,
}

/// A requirement on which of several attributes are set. The variants are named after the fields of the SDK.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Presence {
    ConflictsWith,
    ExactlyOneOf,
    AtLeastOneOf,
    RequiredWith,
}

impl Presence {
    /// The name of the field of the SDK's schema, such as `ConflictsWith`.
    pub(super) fn field(self) -> &'static str {
        match self {
            Presence::ConflictsWith => "ConflictsWith",
            Presence::ExactlyOneOf => "ExactlyOneOf",
            Presence::AtLeastOneOf => "AtLeastOneOf",
            Presence::RequiredWith => "RequiredWith",
        }
    }
}

impl Behaviour {
    /// A behaviour that changes nothing: the planned value is the configured one, and the provider chooses computed
    /// values.
    ///
    /// [Example](Behaviour)
    pub fn new() -> Behaviour {
        Behaviour::default()
    }

    /// Sets the default: the value that the attribute gets where the configuration sets none. The SDK allows it for
    /// optional attributes that are not computed.
    ///
    /// [Example](Behaviour)
    #[must_use]
    pub fn default_value(mut self, value: impl Into<Value>) -> Behaviour {
        self.default = Some(DefaultValue::Value(value.into()));
        self
    }

    /// Sets a function that returns the default, such as one that reads an environment variable; it returns `None` for
    /// no default. Replaces a default value. The function is called at most once, so that all resources of a plan get
    /// the same default; build the behaviours again for the next plan.
    ///
    /// ```
    /// use plantime_schema::planning::{Behaviour, Behaviours, plan_resource};
    /// use plantime_schema::{Attribute, Block};
    /// use plantime::{Type, Value};
    /// use plantime::value;
    ///
    /// let block = Block::builder().attribute("region", Attribute::required(Type::String)).build()?;
    /// let region = Behaviour::new().default_with(|| Ok(Some("us-west".into())));
    /// let behaviours = Behaviours::sdk().at("region", region);
    /// let planned = plan_resource(&block, &behaviours, &Value::null(Type::Dynamic), &value!({ "region": null })?).unwrap();
    /// assert_eq!(planned.value, value!({ "region": "us-west" })?);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    #[must_use]
    pub fn default_with(
        mut self,
        function: impl Fn() -> Result<Option<Value>> + Send + Sync + 'static,
    ) -> Behaviour {
        let function = DefaultFunction { call: Arc::new(function), answer: Arc::default() };
        self.default = Some(DefaultValue::Function(function));
        self
    }

    /// Each change of the value replaces the object (deletes it and creates a new one). For a block type of the SDK,
    /// each change of the number of blocks does.
    ///
    /// [Example](super::plan_resource)
    #[must_use]
    pub fn force_new(mut self) -> Behaviour {
        self.replaces = Some(ReplaceWhen::Changed);
        self
    }

    /// A change of the value replaces the object if this rule holds for the change. The rule gets the planned value and
    /// the prior value.
    ///
    /// [Example](Behaviour)
    #[must_use]
    pub fn force_new_if(mut self, condition: Rule) -> Behaviour {
        self.replaces = Some(ReplaceWhen::ChangedAnd(condition));
        self
    }

    /// A change of the value replaces the object if the configuration sets the value.
    ///
    /// ```
    /// use plantime_schema::planning::{Behaviour, Behaviours, plan_resource};
    /// use plantime::rule::Replaces;
    /// use plantime_schema::{Attribute, Block};
    /// use plantime::{Type, Value};
    /// use plantime::value;
    ///
    /// let block = Block::builder().attribute("zone", Attribute::optional(Type::String)).build()?;
    /// let behaviours = Behaviours::framework().at("zone", Behaviour::new().force_new_if_configured());
    /// let planned = |zone: Value| plan_resource(&block, &behaviours, &value!({ "zone": "a" })?, &value!({ "zone": zone })?);
    /// assert_eq!(planned("b".into()).unwrap().replaces(), Replaces::Yes);
    /// assert_eq!(planned(Value::null(Type::String)).unwrap().replaces(), Replaces::No);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    #[must_use]
    pub fn force_new_if_configured(mut self) -> Behaviour {
        self.replaces = Some(ReplaceWhen::ChangedAndConfigured);
        self
    }

    /// The prior value stays, and the configured one is ignored, if this rule holds for the two. The rule is evaluated
    /// where neither is null, after [`stored_as`](Behaviour::stored_as). Where its outcome is undetermined, the planned
    /// value may become either.
    ///
    /// [Example](Behaviour::suppress_with)
    #[must_use]
    pub fn suppress(mut self, rule: Rule) -> Behaviour {
        self.suppress = Some(rule);
        self
    }

    /// As [`suppress`](Behaviour::suppress), with a function of the prior value and the configured one, which are wholly
    /// known and without marks.
    ///
    /// ```
    /// use plantime_schema::planning::{Behaviour, Behaviours, plan_resource};
    /// use plantime_schema::{Attribute, Block};
    /// use plantime::{Refinement, Type, Value};
    /// use plantime::value;
    ///
    /// let block = Block::builder().attribute("base_image", Attribute::required(Type::String)).build()?;
    /// let lower = |value: &Value| value.as_str().unwrap_or_default().to_lowercase();
    /// let image = Behaviour::new().suppress_with("same in lower case", move |old, new| lower(old) == lower(new));
    /// let behaviours = Behaviours::sdk().at("base_image", image);
    ///
    /// let prior = value!({ "base_image": "ubuntu" })?;
    /// let planned = |image: Value| plan_resource(&block, &behaviours, &prior, &value!({ "base_image": image })?);
    /// assert_eq!(planned("UBunTu".into()).unwrap().value, prior);
    /// assert_eq!(planned("debian".into()).unwrap().value, value!({ "base_image": "debian" })?);
    /// let later = Value::refined(Type::String, Refinement::prefix("UB").and_not_null())?;
    /// assert!(planned(later).unwrap().value.may_become(&prior));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    #[must_use]
    pub fn suppress_with(
        self,
        name: &str,
        is_same: impl Fn(&Value, &Value) -> bool + Send + Sync + 'static,
    ) -> Behaviour {
        self.suppress(Rule::Custom(Custom::of_change(name, move |old, new| match is_same(old, new) {
            true => Ok(()),
            false => Err("it differs".to_owned()),
        })))
    }

    /// Sets a function that computes the stored value from the configured one, or from the default. It gets wholly
    /// known values that are not null, without marks, and must return the same result for the same value. A value that
    /// is not wholly known becomes an unknown one.
    ///
    /// ```
    /// use plantime_schema::planning::{Behaviour, Behaviours, plan_resource};
    /// use plantime_schema::{Attribute, Block};
    /// use plantime::{Type, Value};
    /// use plantime::value;
    ///
    /// let block = Block::builder().attribute("name", Attribute::required(Type::String)).build()?;
    /// let lower = Behaviour::new().force_new().stored_as(|value| Ok(value.as_str()?.to_lowercase().into()));
    /// let behaviours = Behaviours::sdk().at("name", lower);
    /// let config = value!({ "name": "SomeValueCASEinsensitive" })?;
    /// let planned = plan_resource(&block, &behaviours, &Value::null(Type::Dynamic), &config).unwrap();
    /// assert_eq!(planned.value, value!({ "name": "somevaluecaseinsensitive" })?);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    #[must_use]
    pub fn stored_as(
        mut self,
        function: impl Fn(&Value) -> Result<Value> + Send + Sync + 'static,
    ) -> Behaviour {
        self.state = Some(StateFunction(Arc::new(function)));
        self
    }

    /// Adds rules on the configured value; they also apply where it comes from a [default
    /// function](Behaviour::default_with). Diagnostics of a rule that is a function are reported unchanged if the rule
    /// is added with [`SetRule::new`](plantime::rule::set::SetRule::new).
    ///
    /// [Example](super::plan_resource)
    #[must_use]
    pub fn validate(mut self, rules: RuleSet) -> Behaviour {
        self.rules = std::mem::take(&mut self.rules).merge(&rules);
        self
    }

    /// Where a change of the resource would make a computed value unknown, the prior value stays, null included.
    ///
    /// [Example](super::plan_resource)
    #[must_use]
    pub fn use_state_for_unknown(mut self) -> Behaviour {
        self.keeps = Some(Keeps::All);
        self
    }

    /// Where a change of the resource would make a computed value unknown, the prior value stays, unless it is null.
    ///
    /// [Example](super::plan_resource)
    #[must_use]
    pub fn use_non_null_state_for_unknown(mut self) -> Behaviour {
        self.keeps = Some(Keeps::NotNull);
        self
    }

    /// Sets what the provider promises of the value that it will choose: the planned unknown value has this refinement.
    ///
    /// [Example](super::plan_resource)
    #[must_use]
    pub fn promise(mut self, refinement: Refinement) -> Behaviour {
        self.promise = Some(refinement);
        self
    }

    /// Where there is a block, or an element, there must be at least so many. Nothing at all is allowed, which
    /// [`at_least`](crate::NestedBlockBuilder::at_least) of a block type does not allow: `MinItems` of what is optional.
    ///
    /// ```
    /// use plantime_schema::planning::{Behaviour, Behaviours, check_configuration};
    /// use plantime_schema::{Attribute, Block, NestedBlock};
    /// use plantime::{Type, value};
    ///
    /// let disk = Block::builder().attribute("size", Attribute::optional(Type::Number)).build()?;
    /// let block = Block::builder().block("disk", NestedBlock::list(disk)).build()?;
    /// let behaviours = Behaviours::sdk().at("disk", Behaviour::new().min_items(2));
    /// let none = value!({})?;
    /// assert!(check_configuration(&block, &behaviours, &none)?.is_empty());
    /// let one = value!({ "disk": [{ "size": 1 }] })?;
    /// assert_eq!(
    ///     check_configuration(&block, &behaviours, &one)?[0].to_string(),
    ///     "Not enough list items: Attribute disk requires 2 item minimum, but config has only 1 declared."
    /// );
    /// # Ok::<(), plantime::Error>(())
    /// ```
    #[must_use]
    pub fn min_items(mut self, least: u64) -> Behaviour {
        self.min_items = Some(least);
        self
    }

    /// None of these attributes may be set where this one is. Paths begin at the resource.
    ///
    /// [Example](super::PlanError)
    #[must_use]
    pub fn conflicts_with(self, paths: impl IntoIterator<Item = PathExpr>) -> Behaviour {
        self.with(Presence::ConflictsWith, paths)
    }

    /// Exactly one of these attributes must be set; this one is named too. Paths begin at the resource.
    ///
    /// [Example](super::PlanError)
    #[must_use]
    pub fn exactly_one_of(self, paths: impl IntoIterator<Item = PathExpr>) -> Behaviour {
        self.with(Presence::ExactlyOneOf, paths)
    }

    /// At least one of these attributes must be set; this one is named too. Paths begin at the resource.
    ///
    /// [Example](super::PlanError)
    #[must_use]
    pub fn at_least_one_of(self, paths: impl IntoIterator<Item = PathExpr>) -> Behaviour {
        self.with(Presence::AtLeastOneOf, paths)
    }

    /// All of these attributes must be set where this one is. Paths begin at the resource.
    ///
    /// [Example](super::PlanError)
    #[must_use]
    pub fn required_with(self, paths: impl IntoIterator<Item = PathExpr>) -> Behaviour {
        self.with(Presence::RequiredWith, paths)
    }

    /// Adds a requirement on which of some attributes must be set.
    fn with(mut self, presence: Presence, paths: impl IntoIterator<Item = PathExpr>) -> Behaviour {
        self.presence.push((presence, paths.into_iter().collect()));
        self
    }
}

impl DefaultFunction {
    /// The default that the function returned. Only the first call of this method calls the function.
    pub(super) fn ask(&self) -> Result<Option<Value>> {
        self.answer.get_or_init(|| (self.call)()).clone()
    }
}

impl fmt::Debug for DefaultValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DefaultValue::Value(value) => write!(f, "{value:?}"),
            DefaultValue::Function(_) => f.write_str("DefaultFunction"),
        }
    }
}

impl fmt::Debug for StateFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StateFunction")
    }
}
