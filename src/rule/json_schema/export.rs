//! Exports a type and its rules as a schema.

use crate::constraint::TypeConstraint;
use crate::error::Result;
use crate::path::{Path, Step};
use crate::rule::keywords::form::bare;
use crate::rule::{ExprStep, PathExpr, Rule};
use crate::types::Type;
use crate::value::Value;

use super::check::too_deep;
use super::compile::json_type;
use super::fragment::{Fragment, Keywords};
use super::keywords::{CEL, RULES, TYPE};
use super::{DEPTH, Dialect, cel, implied};

/// A type and its rules as a JSON Schema, as a value: [`import`](super::import) reads it back, and `serde_json::Value`
/// takes it (feature `json`).
///
/// ```
/// use plantime::rule::Rule;
/// use plantime::rule::json_schema::{Dialect, export};
/// use plantime::{TypeConstraint, value};
///
/// let subnet: TypeConstraint = "object({name = string, zone = optional(string)})".parse()?;
/// let rule = Rule::at("name".parse()?, Rule::all([Rule::NotNull, Rule::max_len(63)])?)?;
/// let schema = export(&subnet, &rule, Dialect::OpenApi)?;
/// assert_eq!(schema, value!({
///     "type": "object",
///     "required": ["name"],
///     "properties": {
///         "name": { "type": "string", "maxLength": 63, "description": "has at most 63 characters" },
///         "zone": { "type": "string", "nullable": true },
///     },
/// })?);
/// # Ok::<(), plantime::Error>(())
/// ```
///
/// # Errors
///
/// When the rule cannot read the type, or needs what is marked or not known: as [`Rule::to_form`]; for a capsule
/// type; above the [limits](super#limits).
pub fn export(constraint: &TypeConstraint, rule: &Rule, dialect: Dialect) -> Result<Value> {
    rule.check_type(constraint.as_type())?;
    let mut root = Node::of(constraint, 0)?;
    root.add_rule(rule, dialect)?;
    let mut keywords = root.keywords(dialect, false)?;
    if dialect == Dialect::JsonSchema {
        keywords.set("$schema", Value::from("https://json-schema.org/draft/2020-12/schema"));
    }
    let schema = keywords.clone().into_value()?;
    if implied::constraint(&schema, None, &Path::new(), 0)? == *constraint {
        return Ok(schema);
    }
    keywords.set(TYPE, Value::from(constraint.to_string()));
    keywords.into_value()
}

/// The schema of a type under construction: the type, or that of an element or attribute inside it, with the rules on
/// values of it.
struct Node {
    /// The type, with optional attributes and defaults.
    constraint: TypeConstraint,
    /// Whether null is allowed.
    null: bool,
    /// The rules on the value itself; those on an element or attribute are in `parts`.
    rules: Vec<Rule>,
    /// Its elements or attributes.
    parts: Children,
}

/// The schemas under construction of the elements or attributes of a type.
enum Children {
    None,
    /// All elements of a list, set or map.
    Each(Box<Node>),
    /// The elements of a tuple, in order.
    Tuple(Vec<Node>),
    /// The attributes of an object, sorted by name.
    Object(Vec<Attribute>),
}

/// An attribute of an object type, with its optionality, default and schema under construction.
struct Attribute {
    name: String,
    optional: bool,
    default: Option<Value>,
    node: Node,
}

impl Node {
    /// Builds the schema of a type without rules. `depth` is the number of types around it; fails above the limit and
    /// for a capsule.
    fn of(constraint: &TypeConstraint, depth: usize) -> Result<Node> {
        if depth >= DEPTH {
            return Err(too_deep());
        }
        let depth = depth.saturating_add(1);
        let parts = match constraint.as_type() {
            Type::List(_) | Type::Set(_) | Type::Map(_) => match constraint.element() {
                Some(element) => Children::Each(Box::new(Node::of(&element, depth)?)),
                None => Children::None,
            },
            Type::Tuple(ty) => {
                let elements = (0..ty.len()).filter_map(|i| constraint.element_at(i));
                Children::Tuple(elements.map(|element| Node::of(&element, depth)).collect::<Result<_>>()?)
            }
            Type::Object(ty) => Children::Object(
                ty.attribute_names()
                    .map(|name| Attribute::of(constraint, name, depth))
                    .collect::<Result<_>>()?,
            ),
            ty @ Type::Capsule(_) => return Err(crate::types::json::not_allowed(ty)),
            Type::Dynamic | Type::Bool | Type::Number | Type::String => Children::None,
        };
        Ok(Node { constraint: constraint.clone(), null: true, rules: Vec::new(), parts })
    }

    /// The type of the node.
    fn ty(&self) -> &Type {
        self.constraint.as_type()
    }

    /// Adds a rule to this type, or to the element or attribute that it is about. `all` is split, and `not_null`
    /// forbids null.
    fn add_rule(&mut self, rule: &Rule, dialect: Dialect) -> Result<()> {
        match rule {
            Rule::All(rules) => rules.iter().try_for_each(|rule| self.add_rule(rule, dialect)),
            Rule::NotNull => {
                self.null = false;
                Ok(())
            }
            Rule::At(path, inside) if self.children_can_express(path.steps(), inside, dialect) => {
                self.add_at(path.steps(), inside, dialect)
            }
            rule => {
                self.rules.push(rule.clone());
                Ok(())
            }
        }
    }

    /// Whether the schema of the element or attribute at the end of `steps` can express the rule. False also where
    /// the outcome for a null above it could not be expressed.
    fn children_can_express(&self, steps: &[ExprStep], rule: &Rule, dialect: Dialect) -> bool {
        let Some((step, rest)) = steps.split_first() else {
            // In CEL an expression on a child cannot see its siblings; one on the parent can.
            let looks_out = rule.operands().iter().any(|path| path.parent_count() > 0);
            return on_null(rule, self.ty()).is_some() && !(looks_out && dialect == Dialect::Kubernetes);
        };
        let tuple = dialect == Dialect::JsonSchema;
        match (&self.parts, step) {
            (Children::Each(each), ExprStep::AnyElement) => each.children_can_express(rest, rule, dialect),
            (Children::Tuple(parts), ExprStep::Index(index)) => usize::try_from(*index)
                .ok()
                .and_then(|index| parts.get(index))
                .is_some_and(|part| tuple && part.children_can_express(rest, rule, dialect)),
            (Children::Object(attributes), ExprStep::Attr(name)) => attribute_position(attributes, name)
                .and_then(|place| attributes.get(place))
                .is_some_and(|a| a.default.is_none() && a.node.children_can_express(rest, rule, dialect)),
            _ => false,
        }
    }

    /// Adds a rule to the element or attribute that the steps lead to; forbids null on the way where it would fail
    /// the rule.
    fn add_at(&mut self, steps: &[ExprStep], rule: &Rule, dialect: Dialect) -> Result<()> {
        let Some((step, rest)) = steps.split_first() else { return self.add_rule(rule, dialect) };
        if !steps.contains(&ExprStep::AnyElement) && !self.null_passes(steps, rule) {
            self.null = false;
        }
        match (&mut self.parts, step) {
            (Children::Each(each), _) => each.add_at(rest, rule, dialect),
            (Children::Tuple(parts), ExprStep::Index(index)) => {
                let part = usize::try_from(*index).ok().and_then(|index| parts.get_mut(index));
                part.map_or(Ok(()), |part| part.add_at(rest, rule, dialect))
            }
            (Children::Object(attributes), ExprStep::Attr(name)) => {
                let attribute =
                    attribute_position(attributes, name).and_then(|place| attributes.get_mut(place));
                attribute.map_or(Ok(()), |attribute| attribute.node.add_at(rest, rule, dialect))
            }
            _ => Ok(()),
        }
    }

    /// Whether the rule at the end of the steps passes if a value on the way is null.
    fn null_passes(&self, steps: &[ExprStep], rule: &Rule) -> bool {
        let types = PathExpr::from_steps(steps.iter().cloned()).and_then(|path| path.types(self.ty()));
        types.is_ok_and(|types| types.iter().all(|ty| on_null(rule, ty) == Some(true)))
    }

    /// The keywords of the schema. `in_list`: it describes an element of a list. Kubernetes cannot match such an
    /// element with its old value, so rules on changes have no expression there.
    fn keywords(self, dialect: Dialect, in_list: bool) -> Result<Keywords> {
        let Node { constraint, null, rules, parts } = self;
        let ty = constraint.as_type();
        let mut all = Keywords::default();
        set_children(parts, ty, (dialect, in_list), &mut all)?;
        let decided = *ty != Type::Dynamic;
        let mut exact = decided || (rules.is_empty() && null);
        for rule in &rules {
            let fragment = if decided { Fragment::of(rule, ty, dialect)? } else { Fragment::nothing() };
            exact &= fragment.exact;
            if dialect == Dialect::Kubernetes
                && !fragment.exact
                && let Some(text) = cel::expression(rule, ty)
                && !(in_list && text.contains("oldSelf"))
            {
                let message = Value::from(rule.describe_for(ty));
                all.push(CEL, Value::object([("message", message), ("rule", Value::from(text))])?);
            }
            all.merge(fragment.keywords)?;
        }
        if !rules.is_empty() {
            let said: Vec<String> = rules.iter().map(|rule| rule.describe_for(ty)).collect();
            all.set("description", Value::from(said.join(" and ")));
        }
        if !null {
            all.without_null(dialect)?;
        }
        if !exact {
            let not_null = (!null).then_some(Rule::NotNull);
            for (i, rule) in not_null.iter().chain(&rules).enumerate() {
                let form = rule.to_form();
                all.push(RULES, form.map_err(|error| error.under(Step::index(i)).under(Step::attr(RULES)))?);
            }
        }
        set_type(ty, null, dialect, &mut all)?;
        Ok(all)
    }
}

/// The position of the attribute with this name, by binary search: attributes are sorted by name. `None` if there is
/// none.
fn attribute_position(attributes: &[Attribute], name: &str) -> Option<usize> {
    attributes.binary_search_by(|attribute| attribute.name.as_str().cmp(name)).ok()
}

impl Attribute {
    /// Builds the attribute of an object type, with its optionality and default.
    fn of(constraint: &TypeConstraint, name: &str, depth: usize) -> Result<Attribute> {
        let Some(attribute) = constraint.attribute(name) else {
            return Err(crate::error::Error::new(crate::error::Kind::NotFound, "no such attribute"));
        };
        Ok(Attribute {
            name: name.to_owned(),
            optional: attribute.is_optional(),
            default: attribute.default().cloned(),
            node: Node::of(attribute.constraint(), depth).map_err(|error| error.under(Step::attr(name)))?,
        })
    }
}

/// Whether the rule passes for a null of the type; `None` if that depends on other values.
fn on_null(rule: &Rule, ty: &Type) -> Option<bool> {
    let outcome = rule.check_value(&Value::null(ty.clone())).ok()?;
    (!outcome.is_undetermined()).then(|| outcome.is_pass())
}

/// Sets the keyword `type` for the type, and whether null is allowed (`null`); nothing for dynamic except a
/// Kubernetes marker.
fn set_type(ty: &Type, null: bool, dialect: Dialect, all: &mut Keywords) -> Result<()> {
    if *ty == Type::Dynamic {
        if dialect == Dialect::Kubernetes {
            all.set("x-kubernetes-preserve-unknown-fields", Value::from(true));
        }
        return Ok(());
    }
    let name = Value::from(json_type(ty));
    match (dialect, null) {
        (_, false) => all.set("type", name),
        (Dialect::JsonSchema, true) => all.set("type", Value::tuple([name, Value::from("null")])?),
        (Dialect::OpenApi | Dialect::Kubernetes, true) => {
            all.set("type", name);
            all.set("nullable", Value::from(true));
        }
    }
    Ok(())
}

/// Sets the keywords with the schemas of elements or attributes, such as `items` and `properties`. `in_list`: the
/// value is inside a list.
#[inline(never)]
fn set_children(
    parts: Children,
    ty: &Type,
    (dialect, in_list): (Dialect, bool),
    all: &mut Keywords,
) -> Result<()> {
    match (parts, ty) {
        (Children::None, _) => {}
        (Children::Each(each), Type::Map(_)) => {
            all.set("additionalProperties", child_schema(*each, Step::index(""), (dialect, in_list))?)
        }
        (Children::Each(each), ty) => {
            all.set("items", child_schema(*each, Step::index(0), (dialect, true))?);
            match (ty, dialect) {
                (Type::Set(_), Dialect::Kubernetes) => all.set("x-kubernetes-list-type", Value::from("set")),
                (Type::Set(_), _) => all.set("uniqueItems", Value::from(true)),
                _ => {}
            }
        }
        (Children::Tuple(parts), _) => {
            let length = Value::from(parts.len() as u64);
            if dialect == Dialect::JsonSchema && parts.is_empty() {
                // The metaschema forbids an empty `prefixItems`.
                all.set("items", Value::from(false));
            } else if dialect == Dialect::JsonSchema {
                let schemas = parts
                    .into_iter()
                    .enumerate()
                    .map(|(i, node)| child_schema(node, Step::index(i), (dialect, true)));
                all.set("prefixItems", Value::tuple(schemas.collect::<Result<Vec<Value>>>()?)?);
                all.set("items", Value::from(false));
            } else {
                all.set("items", Value::object::<&str, Value>([])?);
                all.set("maxItems", length.clone());
            }
            all.set("minItems", length);
        }
        (Children::Object(attributes), _) => {
            let mut required = Vec::new();
            let mut properties = Vec::with_capacity(attributes.len());
            for Attribute { name, optional, default, node } in attributes {
                if default.is_none() && (!optional || !node.null) {
                    required.push(name.clone());
                }
                let mut keywords =
                    node.keywords(dialect, in_list).map_err(|error| error.under(Step::attr(&name)))?;
                if let Some(default) = default {
                    keywords.set("default", bare(&default)?);
                }
                properties.push((name, keywords.into_value()?));
            }
            all.set("properties", Value::object(properties)?);
            if !required.is_empty() {
                all.set("required", Value::tuple(required)?);
            }
        }
    }
    Ok(())
}

/// The schema of one element or attribute, as a value; `step` leads to it and is added to the path of an error.
fn child_schema(node: Node, step: Step, (dialect, in_list): (Dialect, bool)) -> Result<Value> {
    node.keywords(dialect, in_list).and_then(Keywords::into_value).map_err(|error| error.under(step))
}
