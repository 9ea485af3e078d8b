//! Finds the errors in declared behaviours, as `InternalValidate` of the SDK does.

use crate::schema::{Attribute, Block, Nesting, attribute_constraint};
use plantime::rule::set::RuledType;
use plantime::rule::{ExprStep, PathExpr};
use plantime::unstable::error::Kind;
use plantime::{Error, Path, Type, convert};

use super::behaviour::{Behaviour, DefaultValue, Presence};
use super::behaviours::{Behaviours, Style, exists};
use super::customize::{Customization, CustomizeDiff};
use super::layout::{Entry, Layout, Nest};

impl Behaviours {
    /// All errors in the declared behaviours and the schema. For the SDK with the texts of its `InternalValidate`, which returns
    /// only the first.
    ///
    /// | of the SDK | what is wrong |
    /// |---|---|
    /// | flags | `One of optional, required, or computed must be set`, `Optional or Required must be set, not both`, `Cannot be both Required and Computed` |
    /// | a default | `Default must be nil if computed`, `Default cannot be set with Required`, `Default is not valid for lists or sets` |
    /// | an attribute that is only computed | with a default, `DiffSuppressFunc`, `StateFunc`, rules, `ConflictsWith` and its family |
    /// | a required attribute | with `ConflictsWith`, `ExactlyOneOf`, `AtLeastOneOf` |
    /// | `ConflictsWith` and its family | attributes that do not exist, the attribute itself, required ones; inside blocks that can be repeated |
    /// | a write-only attribute | with `Computed`, `ForceNew`, `Default`, `DefaultFunc`; neither required nor optional; a list, set or map; in blocks of a set |
    /// | lists and sets | rules: `ValidateFunc and ValidateDiagFunc are not yet supported on lists or sets.` |
    /// | other block types | `MaxItems and MinItems are only supported on lists or sets`, and maps of blocks |
    /// | a name | other characters than `a-z`, `0-9` and `_`, unless it is deprecated |
    /// | `CustomizeDiff` | `SetNew only operates on computed keys - K is not one`, `SetNew: invalid key: K` |
    ///
    /// | of both | what is wrong |
    /// |---|---|
    /// | a path | no such attribute or block type |
    /// | a default, a promise, a rule | does not fit the type |
    /// | of the framework: a default | `must be computed when using default`; with `required` |
    ///
    /// Other errors of the SDK (`Default` beside `DefaultFunc`, both kinds of validation, `Elem`, `Set`, `ConfigMode`,
    /// `ComputedWhen`, `DiffSuppressOnRefresh`, `InputDefault`) cannot be expressed here.
    ///
    /// ```
    /// use plantime_schema::planning::{Behaviour, Behaviours};
    /// use plantime_schema::{Attribute, Block};
    /// use plantime::Type;
    ///
    /// let block = Block::builder()
    ///     .attribute("name", Attribute::required(Type::String))
    ///     .attribute("uuid", Attribute::computed(Type::String))
    ///     .build()?;
    /// let behaviours = Behaviours::sdk()
    ///     .at("name", Behaviour::new().default_value("x"))
    ///     .at("uuid", Behaviour::new().suppress_with("never", |_, _| false));
    /// let errors: Vec<String> = behaviours.check(&block).iter().map(ToString::to_string).collect();
    /// assert_eq!(errors[0], "name: Default cannot be set with Required");
    /// assert!(errors[1].starts_with("uuid: DiffSuppressFunc is for suppressing differences"));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn check(&self, schema: &Block) -> Vec<Error> {
        let layout = match Layout::of(schema) {
            Ok(layout) => layout,
            Err(error) => return vec![error],
        };
        let mut checking = Checking { behaviours: self, root: &layout, errors: Vec::new() };
        for path in self.each.keys() {
            let names: Vec<&str> = path.split('.').collect();
            checking.errors.extend(exists(&layout, &names).err());
        }
        checking.check_object(&layout, Some(schema), &mut Vec::new(), &PathExpr::new());
        checking.check_customizations(&self.customize);
        checking.errors
    }
}

/// Whether a block, or one inside it, has a write-only attribute.
fn has_write_only(block: &Block) -> bool {
    block.attributes.values().any(|attribute| attribute.write_only)
        || block.block_types.values().any(|nested| has_write_only(&nested.block))
}

/// Collects the errors in the behaviours of one resource.
struct Checking<'a> {
    behaviours: &'a Behaviours,
    root: &'a Layout<'a>,
    errors: Vec<Error>,
}

impl Checking<'_> {
    /// Whether the rules of the SDK apply, not those of the framework.
    fn is_sdk(&self) -> bool {
        self.behaviours.style == Style::Sdk
    }

    /// Adds an error, prefixed with the names of its place.
    fn wrong(&mut self, names: &[&str], message: impl Into<String>) {
        let path = names.iter().fold(Path::new(), |path, name| path.attr(name));
        self.errors.push(Error::new(Kind::Argument, message.into()).at(path));
    }

    /// Checks the attributes and blocks of an object, and those inside them.
    fn check_object<'l>(
        &mut self,
        layout: &'l Layout<'_>,
        block: Option<&Block>,
        names: &mut Vec<&'l str>,
        expr: &PathExpr,
    ) {
        for (name, entry) in layout.entries() {
            names.push(name);
            let here = expr.steps().iter().cloned().chain([ExprStep::Attr(name.to_owned())]);
            let here = PathExpr::from_steps(here).unwrap_or_default();
            let behaviour = self.behaviours.each.get(&names.join("."));
            let (nest, inner) = match entry {
                Entry::Attribute { attribute, ty, nested, .. } => {
                    if self.is_sdk() {
                        self.check_flags(name, attribute, ty, names);
                    }
                    if let Some(behaviour) = behaviour {
                        self.check_attribute(attribute, ty, behaviour, names, &here);
                    }
                    (nested.as_ref(), None)
                }
                Entry::Blocks(nest) => {
                    let nested = block.and_then(|block| block.block_types.get(name));
                    if self.is_sdk() {
                        let is_limited =
                            nested.is_some_and(|nested| nested.min_items > 0 || nested.max_items > 0);
                        match nest.nesting {
                            Nesting::Set if nested.is_some_and(|nested| has_write_only(&nested.block)) => {
                                self.wrong(names, "Set Block type cannot contain WriteOnly attributes");
                            }
                            Nesting::List | Nesting::Set => {}
                            _ if is_limited => {
                                self.wrong(names, "MaxItems and MinItems are only supported on lists or sets");
                            }
                            Nesting::Map => self.wrong(
                                names,
                                "TypeMap with Elem *Resource not supported,use TypeList/TypeSet with Elem *Resource or TypeMap \
                                 with Elem *Schema",
                            ),
                            Nesting::Single | Nesting::Group => {}
                        }
                    }
                    if let Some(behaviour) = behaviour {
                        self.check_block(behaviour, names, &here);
                    }
                    (Some(nest), nested.map(|nested| &nested.block))
                }
            };
            if let Some(nest) = nest {
                self.check_object(&nest.item, inner, names, &item_of(nest, &here));
            }
            names.pop();
        }
    }

    /// Checks the name of an attribute, and its flags (optional, required, computed, write-only) against each other.
    fn check_flags(&mut self, name: &str, attribute: &Attribute, ty: &Type, names: &[&str]) {
        if attribute.optional && attribute.required {
            self.wrong(names, "Optional or Required must be set, not both");
        }
        if attribute.required && attribute.computed {
            self.wrong(names, "Cannot be both Required and Computed");
        }
        if !(attribute.required || attribute.optional || attribute.computed) {
            self.wrong(names, "One of optional, required, or computed must be set");
        }
        if attribute.write_only && attribute.computed {
            self.wrong(names, "WriteOnly cannot be set with Computed");
        }
        if attribute.write_only && !(attribute.required || attribute.optional) {
            self.wrong(names, "WriteOnly must be set with either Required or Optional");
        }
        match ty {
            Type::List(_) | Type::Set(_) if attribute.write_only => {
                self.wrong(names, "WriteOnly is not valid for lists or sets");
            }
            Type::Map(_) if attribute.write_only => self.wrong(names, "WriteOnly is not valid for maps"),
            _ => {}
        }
        let is_allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
        if !attribute.deprecated && (name.is_empty() || !name.bytes().all(is_allowed)) {
            self.wrong(names, "Field name may only contain lowercase alphanumeric characters & underscores.");
        }
    }

    /// Checks the behaviour of an attribute against its flags and its type.
    fn check_attribute(
        &mut self,
        attribute: &Attribute,
        ty: &Type,
        behaviour: &Behaviour,
        names: &[&str],
        here: &PathExpr,
    ) {
        if self.is_sdk() {
            self.check_sdk_attribute(attribute, ty, behaviour, names);
        } else if behaviour.default.is_some() {
            if attribute.required {
                self.wrong(names, "a required attribute has no default");
            } else if !attribute.computed {
                let path = names.join(".");
                self.wrong(names, format!("Attribute \"{path}\" must be computed when using default."));
            }
        }
        if let (Some(DefaultValue::Value(value)), Ok(constraint)) =
            (&behaviour.default, attribute_constraint(attribute))
            && let Err(error) = convert(value, &constraint)
        {
            self.wrong(names, format!("the default does not fit: {}", error.message()));
        }
        if let Some(promise) = &behaviour.promise {
            if !attribute.computed {
                self.wrong(names, "a promise is for computed attributes: others are as configured");
            }
            if !promise.applies_to(ty) {
                self.wrong(names, format!("the promise does not fit the type {ty}"));
            }
        }
        if behaviour.keeps.is_some() && (self.is_sdk() || !attribute.computed) {
            self.wrong(names, "the state is used for computed attributes of the framework only");
        }
        self.check_types_of_rules(behaviour, names, here);
        self.check_presence(attribute.required, behaviour, names, here);
    }

    /// Checks an attribute for combinations of flags and behaviours that the SDK forbids.
    fn check_sdk_attribute(
        &mut self,
        attribute: &Attribute,
        ty: &Type,
        behaviour: &Behaviour,
        names: &[&str],
    ) {
        let only_computed = attribute.computed && !attribute.optional;
        let default = match &behaviour.default {
            Some(DefaultValue::Value(_)) => Some("Default"),
            Some(DefaultValue::Function(_)) => Some("DefaultFunc"),
            None => None,
        };
        let is_many = matches!(ty, Type::List(_) | Type::Set(_) | Type::Tuple(_));
        if attribute.write_only {
            let replaces = behaviour.replaces.as_ref().map(|_| "ForceNew");
            if let Some(field) = replaces {
                self.wrong(names, format!("WriteOnly cannot be set with {field}"));
            }
            if let Some(field) = default {
                self.wrong(names, format!("{field} cannot be set with WriteOnly"));
            }
        }
        if default == Some("Default") {
            if attribute.computed {
                self.wrong(names, "Default must be nil if computed");
            }
            if attribute.required {
                self.wrong(names, "Default cannot be set with Required");
            }
            if is_many {
                self.wrong(names, "Default is not valid for lists or sets");
            }
        }
        if behaviour.state.is_some() && !ty.is_primitive() {
            self.wrong(names, "StateFunc is called for primitive types only");
        }
        if only_computed {
            let fields = behaviour.presence.iter().map(|(presence, _)| presence.field());
            for field in fields.filter(|field| *field != "RequiredWith").chain(default) {
                self.wrong(
                    names,
                    format!(
                        "{field} is for configurable attributes,there's nothing to configure on computed-only field"
                    ),
                );
            }
            if behaviour.suppress.is_some() {
                self.wrong(
                    names,
                    "DiffSuppressFunc is for suppressing differences between config and state representation. There is no \
                     config for computed-only field, nothing to compare.",
                );
            }
            if behaviour.state.is_some() {
                self.wrong(
                    names,
                    "StateFunc is extraneous, value should just be changed before setting on computed-only field",
                );
            }
            if !behaviour.rules.is_empty() {
                self.wrong(
                    names,
                    "ValidateFunc is for validating user input, there's nothing to validate on computed-only field",
                );
            }
        }
        if is_many && !behaviour.rules.is_empty() {
            self.wrong(names, "ValidateFunc and ValidateDiagFunc are not yet supported on lists or sets.");
        }
    }

    /// Checks the behaviour of a block type: reports fields that only attributes may have, such as a default.
    fn check_block(&mut self, behaviour: &Behaviour, names: &[&str], here: &PathExpr) {
        let for_attributes = [
            ("a default", behaviour.default.is_some()),
            ("suppression", behaviour.suppress.is_some()),
            ("a state function", behaviour.state.is_some()),
            ("a promise", behaviour.promise.is_some()),
            ("the use of the state", behaviour.keeps.is_some()),
        ];
        for (what, _) in for_attributes.iter().filter(|(_, is_set)| *is_set) {
            self.wrong(names, format!("{what} is for attributes, not for blocks"));
        }
        if self.is_sdk() && !behaviour.rules.is_empty() {
            self.wrong(names, "ValidateFunc and ValidateDiagFunc are not yet supported on lists or sets.");
        }
        self.check_types_of_rules(behaviour, names, here);
        self.check_presence(false, behaviour, names, here);
    }

    /// Reports the first rule of the behaviour that cannot read the type of its place.
    fn check_types_of_rules(&mut self, behaviour: &Behaviour, names: &[&str], here: &PathExpr) {
        if !behaviour.rules.is_empty() {
            let ruled = RuledType::new(self.root.object_type());
            if let Err(error) = ruled.at(&here.to_string(), behaviour.rules.clone()) {
                self.wrong(names, error.to_string());
            }
        }
    }

    /// Checks the paths in `ConflictsWith`, `ExactlyOneOf`, `AtLeastOneOf` and `RequiredWith` of an attribute or block
    /// type. `required` says that the attribute is required. The messages name it themselves.
    fn check_presence(&mut self, required: bool, behaviour: &Behaviour, names: &[&str], here: &PathExpr) {
        let own = names.join(".");
        for (presence, keys) in &behaviour.presence {
            let field = presence.field();
            if required && *presence != Presence::RequiredWith {
                self.wrong(names, format!("{field} cannot be set with Required"));
            }
            for key in keys {
                let itself = key == here && *presence == Presence::ConflictsWith;
                let wrong = match self.refers_to(key) {
                    Err(wrong) => wrong,
                    Ok(_) if itself => format!("cannot reference self ({key})"),
                    Ok(true) => format!("cannot contain Required attribute ({key})"),
                    Ok(false) => continue,
                };
                self.errors.push(Error::new(Kind::Argument, format!("{field}: {own} {wrong}")));
            }
        }
    }

    /// Whether the attribute that a key leads to is required; an error if the key is invalid.
    fn refers_to(&self, key: &PathExpr) -> Result<bool, String> {
        let (mut layout, mut required) = (Some(self.root), false);
        let mut several = false;
        for step in key.steps() {
            let name = match step {
                ExprStep::Attr(name) => name,
                ExprStep::Index(0) => {
                    several = false;
                    continue;
                }
                _ => {
                    return Err(format!(
                        "configuration block reference ({key}) can only use the .0. index for TypeList and MaxItems: 1 \
                         configuration blocks"
                    ));
                }
            };
            if several {
                return Err(format!(
                    "configuration block reference ({key}) can only be used with TypeList and MaxItems: 1 configuration \
                     blocks"
                ));
            }
            let Some(entry) = layout.and_then(|layout| layout.get(name)) else {
                return Err(format!("references unknown attribute ({key}) at part ({name})"));
            };
            let nest = match entry {
                Entry::Attribute { attribute, nested, .. } => {
                    required = attribute.required;
                    nested.as_ref()
                }
                Entry::Blocks(nest) => {
                    required = false;
                    Some(nest)
                }
            };
            several = nest.is_some_and(Nest::is_collection);
            layout = nest.map(|nest| &nest.item);
        }
        Ok(required)
    }

    /// Checks that each `CustomizeDiff` sets a computed attribute and names attributes that exist.
    fn check_customizations(&mut self, changes: &[CustomizeDiff]) {
        for change in changes {
            let (caller, key) = match &change.0 {
                Customization::SetNew { key, .. } => ("SetNew", key),
                Customization::ComputedIf { key, .. } => ("SetNewComputed", key),
                Customization::When { changes, .. } => {
                    self.check_customizations(changes);
                    continue;
                }
                Customization::ForceNewIf { expr, .. } | Customization::ForceNewIfChange { expr, .. } => {
                    self.errors.extend(expr.check_type(&self.root.object_type()).err());
                    continue;
                }
                Customization::Validate { .. } => continue,
            };
            self.errors.extend(computed_key(self.root, caller, key).err());
        }
    }
}

/// The attribute of the resource that is set as a whole, with its type.
///
/// # Errors
///
/// If there is none, or it is not computed, in the words of the SDK.
pub(super) fn computed_key(layout: &Layout<'_>, caller: &str, key: &str) -> Result<Type, Error> {
    match layout.get(key) {
        Some(Entry::Attribute { attribute, ty, .. }) if attribute.computed => Ok(ty.clone()),
        Some(_) => Err(Error::new(
            Kind::Argument,
            format!("{caller} only operates on computed keys - {key} is not one"),
        )),
        None => Err(Error::new(Kind::NotFound, format!("{caller}: invalid key: {key}"))),
    }
}

/// The path of the nested objects of the attribute or block type at `here`: followed by `[*]` for a collection.
fn item_of(nest: &Nest<'_>, here: &PathExpr) -> PathExpr {
    if !nest.is_collection() {
        return here.clone();
    }
    let steps = here.steps().iter().cloned().chain([ExprStep::AnyElement]);
    PathExpr::from_steps(steps).unwrap_or_default()
}
