//! What a provider changes in the plan of a resource as a whole.

use std::fmt;
use std::sync::Arc;

use plantime::rule::{PathExpr, Rule};
use plantime::{Path, Result, Value};

/// A change of the plan as a whole, as `CustomizeDiff` of the SDK makes it. Each is evaluated on the planned value, and on
/// the prior one where the resource is updated; where that is not decided yet, the plan may become either.
///
/// ```
/// use plantime_schema::planning::{Behaviours, CustomizeDiff, plan_resource};
/// use plantime::rule::{Replaces, Rule};
/// use plantime_schema::{Attribute, Block};
/// use plantime::{Type, Value};
/// use plantime::value;
///
/// let block = Block::builder()
///     .attribute("size", Attribute::required(Type::Number))
///     .attribute("label", Attribute::computed(Type::String))
///     .attribute("etag", Attribute::computed(Type::String))
///     .build()?;
/// let shrinks = Rule::not(Rule::only_increase())?;
/// let behaviours = Behaviours::sdk()
///     .customize(CustomizeDiff::force_new_if_change("size", shrinks)?)
///     .customize(CustomizeDiff::set_new("label", ["size"], |values| Ok(format!("{} GiB", values[0]).into()))?)
///     .customize(CustomizeDiff::computed_if("etag", Rule::not(Rule::at("size".parse()?, Rule::immutable())?)?));
///
/// let prior = value!({ "size": 8, "label": "8 GiB", "etag": "e-1" })?;
/// let planned = |size: Value| plan_resource(&block, &behaviours, &prior, &value!({ "size": size })?);
/// let grown = planned(16.into()).unwrap();
/// assert_eq!(grown.value.to_string(), r#"{etag = (known after apply), label = "16 GiB", size = 16}"#);
/// assert_eq!(grown.replaces(), Replaces::No);
/// assert_eq!(planned(4.into()).unwrap().replaces(), Replaces::Yes);
/// assert!(matches!(planned(Value::unknown(Type::Number)).unwrap().replaces(), Replaces::Maybe(_)));
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct CustomizeDiff(pub(super) Customization);

/// The kinds of changes that a [`CustomizeDiff`] can make, one for each of its constructors.
#[derive(Clone, Debug)]
pub(super) enum Customization {
    /// Any change of the value at the path replaces the object if the rule holds for the whole resource.
    ForceNewIf { path: Path, expr: PathExpr, condition: Rule },
    /// A change of the value at the path replaces the object if the rule holds for that change.
    ForceNewIfChange { path: Path, expr: PathExpr, condition: Rule },
    /// The attribute `key` becomes unknown if the rule holds for the whole resource; always without a rule.
    ComputedIf { key: String, condition: Option<Rule> },
    /// The attribute `key` becomes what the function computes from the values at the paths `reads`.
    SetNew { key: String, reads: Vec<Path>, function: Compute },
    /// The plan fails unless the rule holds for the whole resource.
    Validate { rule: Rule },
    /// The changes are made if the rule holds for the whole resource.
    When { condition: Rule, changes: Vec<CustomizeDiff> },
}

/// A function that the author of a provider writes: it computes one value from several.
type ComputeFunction = dyn Fn(&[Value]) -> Result<Value> + Send + Sync;

/// The function of `SetNew`: computes the new value from those at the paths that it reads.
#[derive(Clone)]
pub(super) struct Compute(pub(super) Arc<ComputeFunction>);

impl CustomizeDiff {
    /// `ForceNewIf`: a change of the value at this path replaces the object if a rule holds for the resource.
    ///
    /// ```
    /// use plantime_schema::planning::{Behaviours, CustomizeDiff, plan_resource};
    /// use plantime::rule::{Replaces, Rule};
    /// use plantime_schema::{Attribute, Block};
    /// use plantime::Type;
    /// use plantime::value;
    ///
    /// let block = Block::builder()
    ///     .attribute("tier", Attribute::required(Type::String))
    ///     .attribute("zone", Attribute::required(Type::String))
    ///     .build()?;
    /// let pinned = Rule::at("tier".parse()?, Rule::equals("local"))?;
    /// let behaviours = Behaviours::sdk().customize(CustomizeDiff::force_new_if("zone", pinned)?);
    /// let prior = value!({ "tier": "local", "zone": "a" })?;
    /// let replaces = |config| plan_resource(&block, &behaviours, &prior, &config).unwrap().replaces();
    /// assert_eq!(replaces(value!({ "tier": "local", "zone": "b" })?), Replaces::Yes);
    /// assert_eq!(replaces(value!({ "tier": "remote", "zone": "b" })?), Replaces::No);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the path is not one.
    pub fn force_new_if(path: &str, condition: Rule) -> Result<CustomizeDiff> {
        let (path, expr) = (path.parse()?, path.parse()?);
        Ok(CustomizeDiff(Customization::ForceNewIf { path, expr, condition }))
    }

    /// `ForceNewIfChange`: a change of the value at this path for which a rule holds replaces the object. The rule gets the
    /// planned value there and the prior one.
    ///
    /// [Example](CustomizeDiff)
    ///
    /// # Errors
    ///
    /// If the path is not one.
    pub fn force_new_if_change(path: &str, condition: Rule) -> Result<CustomizeDiff> {
        let (path, expr) = (path.parse()?, path.parse()?);
        Ok(CustomizeDiff(Customization::ForceNewIfChange { path, expr, condition }))
    }

    /// `ComputedIf`: a computed attribute of the resource, not configured, becomes unknown if a rule holds for the resource.
    ///
    /// [Example](CustomizeDiff)
    pub fn computed_if(key: impl Into<String>, condition: Rule) -> CustomizeDiff {
        CustomizeDiff(Customization::ComputedIf { key: key.into(), condition: Some(condition) })
    }

    /// `SetNewComputed`: a computed attribute of the resource, not configured, becomes unknown.
    ///
    /// [Example](CustomizeDiff::when)
    pub fn set_new_computed(key: impl Into<String>) -> CustomizeDiff {
        CustomizeDiff(Customization::ComputedIf { key: key.into(), condition: None })
    }

    /// `SetNew`: a computed attribute of the resource, not configured, becomes what a function makes of the planned values at
    /// some paths. It is called where these are wholly known, with values without marks; else the attribute becomes unknown.
    ///
    /// [Example](CustomizeDiff)
    ///
    /// # Errors
    ///
    /// If one of the paths is not one.
    pub fn set_new<'p>(
        key: impl Into<String>,
        reads: impl IntoIterator<Item = &'p str>,
        function: impl Fn(&[Value]) -> Result<Value> + Send + Sync + 'static,
    ) -> Result<CustomizeDiff> {
        let reads = reads.into_iter().map(str::parse).collect::<Result<Vec<Path>>>()?;
        Ok(CustomizeDiff(Customization::SetNew {
            key: key.into(),
            reads,
            function: Compute(Arc::new(function)),
        }))
    }

    /// `ValidateValue`, `ValidateChange`: a rule has to hold for the resource, or the plan fails. It gets the planned value
    /// and, where the resource is updated, the prior one.
    ///
    /// [Example](CustomizeDiff::when)
    pub fn validate(rule: Rule) -> CustomizeDiff {
        CustomizeDiff(Customization::Validate { rule })
    }

    /// `If`, `IfValue`, `IfValueChange`: changes that are made if a rule holds for the resource.
    ///
    /// ```
    /// use plantime_schema::planning::{Behaviours, CustomizeDiff, plan_resource};
    /// use plantime::rule::Rule;
    /// use plantime_schema::{Attribute, Block};
    /// use plantime::{Type, Value};
    /// use plantime::value;
    ///
    /// let block = Block::builder()
    ///     .attribute("public", Attribute::required(Type::Bool))
    ///     .attribute("name", Attribute::required(Type::String))
    ///     .attribute("url", Attribute::computed(Type::String))
    ///     .build()?;
    /// let behaviours = Behaviours::sdk().customize(CustomizeDiff::when(
    ///     Rule::at("public".parse()?, Rule::equals(true))?,
    ///     [
    ///         CustomizeDiff::set_new_computed("url"),
    ///         CustomizeDiff::validate(Rule::at("name".parse()?, Rule::starts_with("pub-"))?),
    ///     ],
    /// ));
    /// let prior = value!({ "public": false, "name": "pub-a", "url": "https://a" })?;
    /// let planned = |public: Value| {
    ///     plan_resource(&block, &behaviours, &prior, &value!({ "public": public, "name": "pub-a" })?)
    /// };
    /// assert_eq!(planned(false.into()).unwrap().value, prior);
    /// assert!(!planned(true.into()).unwrap().value.at("url")?.is_known());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn when(condition: Rule, changes: impl IntoIterator<Item = CustomizeDiff>) -> CustomizeDiff {
        CustomizeDiff(Customization::When { condition, changes: changes.into_iter().collect() })
    }
}

impl fmt::Debug for Compute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Compute")
    }
}
