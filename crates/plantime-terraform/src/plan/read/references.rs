//! What refers to what in a configuration: the reasons why something is not known yet.
//!
//! Plan JSON lists for each expression what it refers to, not how: `startswith(x.s, "a")` and `x.s` look alike. So
//! references are reasons, never knowledge.

use std::collections::{BTreeMap, BTreeSet};

use crate::json::{Item, Node, Tape};
use crate::plan::address;
use crate::plan::address::{Key, Segment};
use plantime::text::nfc;
use plantime::unstable::json::Reader;
use plantime::unstable::path::bare_name;
use plantime::unstable::text::Cursor;
use plantime::{Path, Result, Step};
use plantime_schema::unstable::json::{array, object, read_flag, read_text};

/// What each expression of a configuration refers to.
#[derive(Clone, Debug, Default)]
pub struct References {
    root: Module,
}

/// The references in the configuration of one module.
#[derive(Clone, Debug, Default)]
struct Module {
    /// By address inside the module, such as `data.aws_ami.base`.
    resources: BTreeMap<String, Expression>,
    outputs: BTreeMap<String, Expression>,
    /// Names of the variables that are declared sensitive.
    sensitive: BTreeSet<String>,
    calls: BTreeMap<String, Call>,
}

/// A module call: the expressions of its arguments, and the configuration of the called module.
#[derive(Clone, Debug, Default)]
struct Call {
    arguments: Expression,
    module: Module,
}

/// The references in an expression, or in the expressions of a block.
#[derive(Clone, Debug, Default)]
enum Expression {
    /// Refers to nothing.
    #[default]
    Constant,
    References(Vec<String>),
    Block(BTreeMap<String, Expression>),
    Blocks(Vec<Expression>),
}

/// A reference and the module instance in whose configuration it is written.
type Place<'r> = (Vec<Segment>, &'r str);

impl References {
    /// What an attribute of a resource depends on, as full addresses with attribute: `aws_vpc.main.id`. Inputs of
    /// modules and outputs of modules are followed to what stands behind them; `each`, `count`, `path` and their
    /// like are left out. In the order of the configuration, each once.
    ///
    /// ```
    /// use plantime_terraform::plan::{Plan, example};
    /// use plantime_schema::ProviderSchemas;
    ///
    /// let plan = Plan::read(example::PLAN, &ProviderSchemas::new())?;
    /// let found = plan.references.of("aws_subnet.main[\"data\"]", &"vpc_id".parse()?);
    /// assert_eq!(found, ["aws_vpc.main.id"]);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn of(&self, address: &str, path: &Path) -> Vec<String> {
        let Some(address) = address::parse_address(address) else { return Vec::new() };
        let Some(module) = self.module_at(&address.modules) else { return Vec::new() };
        let resource = format!("{}{}.{}", address.mode.prefix(), address.type_name, address.name);
        let mut found = Vec::new();
        if let Some(expression) = module.resources.get(&resource) {
            expression.collect_at(path.steps(), &mut found);
        }
        self.resolve(address.modules, found)
    }

    /// What a root output depends on, as for [`References::of`].
    ///
    /// [Example](References::of)
    pub fn of_output(&self, name: &str) -> Vec<String> {
        let mut found = Vec::new();
        if let Some(expression) = self.root.outputs.get(name) {
            expression.collect_all(&mut found);
        }
        self.resolve(Vec::new(), found)
    }

    /// Whether a root variable is declared sensitive.
    ///
    /// ```
    /// use plantime_terraform::plan::{Plan, example};
    /// use plantime_schema::ProviderSchemas;
    ///
    /// let plan = Plan::read(example::PLAN, &ProviderSchemas::new())?;
    /// assert!(!plan.references.is_sensitive_variable("no_such_variable"));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn is_sensitive_variable(&self, name: &str) -> bool {
        self.root.sensitive.contains(name)
    }

    /// The configuration of the module at an address, whatever its instance keys; `None` if there is none.
    fn module_at(&self, modules: &[Segment]) -> Option<&Module> {
        modules.iter().try_fold(&self.root, |module, step| Some(&module.calls.get(&step.name)?.module))
    }

    /// The full addresses of the resources, data sources and root variables that the `references`, written in a
    /// module, depend on: inputs and outputs of modules are followed to the expressions behind them.
    fn resolve(&self, modules: Vec<Segment>, references: Vec<&str>) -> Vec<String> {
        let mut todo: Vec<Place<'_>> = most_specific(references)
            .into_iter()
            .rev()
            .map(|reference| (modules.clone(), reference))
            .collect();
        let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
        while let Some((modules, reference)) = todo.pop() {
            let full = format!("{}{reference}", module_prefix(&modules));
            if !seen.insert(full.clone()) {
                continue;
            }
            match self.next_references(&modules, reference) {
                NextReferences::Final => found.push(full),
                NextReferences::NoDependency => {}
                NextReferences::References(modules, others) => {
                    let others = most_specific(others);
                    todo.extend(others.into_iter().rev().map(|reference| (modules.clone(), reference)));
                }
            }
        }
        found
    }

    /// What one reference, written in the module `modules`, depends on directly.
    fn next_references<'r>(&'r self, modules: &[Segment], reference: &str) -> NextReferences<'r> {
        let (kind, rest) = reference.split_once('.').unwrap_or((reference, ""));
        match kind {
            "each" | "count" | "path" | "terraform" | "tofu" | "self" => NextReferences::NoDependency,
            "var" => {
                let Some((call, outer)) = modules.split_last() else { return NextReferences::Final };
                let name = rest.split(['.', '[']).next().unwrap_or_default();
                let call = self.module_at(outer).and_then(|module| module.calls.get(&call.name));
                let Some(Expression::Block(arguments)) = call.map(|call| &call.arguments) else {
                    return NextReferences::NoDependency;
                };
                let mut found = Vec::new();
                if let Some(expression) = arguments.get(name) {
                    expression.collect_all(&mut found);
                }
                NextReferences::References(outer.to_vec(), found)
            }
            "module" => {
                let Some((call, name)) = module_output(rest) else { return NextReferences::Final };
                let mut inner = modules.to_vec();
                inner.push(call);
                let module = self.module_at(&inner);
                match module.and_then(|module| module.outputs.get(name)) {
                    Some(expression) => {
                        let mut found = Vec::new();
                        expression.collect_all(&mut found);
                        NextReferences::References(inner, found)
                    }
                    None => NextReferences::Final,
                }
            }
            _ => NextReferences::Final,
        }
    }

    /// Reads the references of a configuration.
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<References> {
        let mut references = References::default();
        object(reader, |key, reader| {
            match key {
                "root_module" => references.root = read_module(reader)?,
                _ => reader.skip_unique()?,
            }
            Ok(())
        })?;
        Ok(references)
    }
}

/// Where following a reference leads: it ends there, depends on nothing, or goes on with other references.
enum NextReferences<'r> {
    /// A resource, data source or root variable.
    Final,
    /// No dependency, such as `each.key`.
    NoDependency,
    /// Other references, made in this module.
    References(Vec<Segment>, Vec<&'r str>),
}

/// The references, without each that is a prefix of the one before it: Terraform lists `aws_vpc.main.id` and then
/// `aws_vpc.main`, which says less.
fn most_specific(references: Vec<&str>) -> Vec<&str> {
    let mut specific: Vec<&str> = Vec::new();
    for reference in references {
        let within = |longer: &&str| {
            longer.strip_prefix(reference).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        if !specific.last().is_some_and(within) {
            specific.push(reference);
        }
    }
    specific
}

/// The address of a module with a dot after it: `module.net.`; empty for the root module.
fn module_prefix(modules: &[Segment]) -> String {
    let step = |module: &Segment| {
        let key = module.key.as_ref().map(Key::to_string).unwrap_or_default();
        format!("module.{}{key}.", module.name)
    };
    modules.iter().map(step).collect()
}

/// Splits `net["a"].id` into the module call and the name of the output; `None` if no output follows.
fn module_output(text: &str) -> Option<(Segment, &str)> {
    let mut cursor = Cursor::new(text);
    let call = address::take_segment(&mut cursor).ok()?;
    cursor.take('.').then(|| (call, bare_name(&mut cursor)))
}

impl Expression {
    /// Adds all references in the expression to `found`.
    fn collect_all<'e>(&'e self, found: &mut Vec<&'e str>) {
        match self {
            Expression::Constant => {}
            Expression::References(references) => found.extend(references.iter().map(String::as_str)),
            Expression::Block(block) => block.values().for_each(|inner| inner.collect_all(found)),
            Expression::Blocks(blocks) => blocks.iter().for_each(|inner| inner.collect_all(found)),
        }
    }

    /// Adds the references in the expression of the value at a path to `found`. The members of sets have no path, so
    /// all of theirs are added.
    fn collect_at<'e>(&'e self, steps: &[Step], found: &mut Vec<&'e str>) {
        let Some((step, rest)) = steps.split_first() else { return self.collect_all(found) };
        match (self, step) {
            (Expression::Block(block), Step::Attr(name)) => {
                if let Some(inner) = block.get(name.as_str()) {
                    inner.collect_at(rest, found);
                }
            }
            (Expression::Block(block), Step::Index(key)) => match key.as_str() {
                Ok(key) => {
                    if let Some(inner) = block.get(key) {
                        inner.collect_at(rest, found);
                    }
                }
                Err(_) => self.collect_all(found),
            },
            (Expression::Blocks(blocks), Step::Index(key)) => {
                let index = key.as_number().ok().and_then(plantime::Number::to_u64);
                match index.and_then(|index| usize::try_from(index).ok()) {
                    Some(index) => {
                        if let Some(inner) = blocks.get(index) {
                            inner.collect_at(rest, found);
                        }
                    }
                    None => blocks.iter().for_each(|inner| inner.collect_at(rest, found)),
                }
            }
            _ => self.collect_all(found),
        }
    }

    /// Reads an expression as plan JSON describes it.
    fn from_json(item: Item<'_, '_>) -> Expression {
        match item.node() {
            Node::Object { .. } => {
                let references =
                    item.get("references").filter(|list| matches!(list.node(), Node::Array { .. }));
                if let Some(references) = references {
                    let texts = references.elements().filter_map(Item::as_text);
                    return Expression::References(texts.map(|text| nfc(&text).into_owned()).collect());
                }
                if item.len() == 0 || item.get("constant_value").is_some() {
                    return Expression::Constant;
                }
                let inner = item
                    .entries()
                    .map(|(key, item)| (nfc(&key.text()).into_owned(), Expression::from_json(item)));
                Expression::Block(inner.collect())
            }
            Node::Array { .. } => Expression::Blocks(item.elements().map(Expression::from_json).collect()),
            _ => Expression::Constant,
        }
    }
}

/// Reads an expression as plan JSON describes it.
fn read_expression(reader: &mut Reader<'_>) -> Result<Expression> {
    Tape::new().read(reader).map(Expression::from_json)
}

/// Reads the configuration of a module.
fn read_module(reader: &mut Reader<'_>) -> Result<Module> {
    let mut found = Module::default();
    object(reader, |key, reader| match key {
        "resources" => array(reader, |reader| {
            let (address, expressions) = read_resource(reader)?;
            found.resources.insert(address, expressions);
            Ok(())
        }),
        "outputs" => object(reader, |name, reader| {
            object(reader, |key, reader| {
                match key {
                    "expression" => {
                        found.outputs.insert(name.to_owned(), read_expression(reader)?);
                    }
                    _ => reader.skip_unique()?,
                }
                Ok(())
            })
        }),
        "variables" => object(reader, |name, reader| {
            object(reader, |key, reader| {
                match key {
                    "sensitive" if read_flag(reader)? => {
                        found.sensitive.insert(name.to_owned());
                    }
                    "sensitive" => {}
                    _ => reader.skip_unique()?,
                }
                Ok(())
            })
        }),
        "module_calls" => object(reader, |name, reader| {
            let mut call = Call::default();
            object(reader, |key, reader| {
                match key {
                    "expressions" => call.arguments = read_expression(reader)?,
                    "module" => call.module = read_module(reader)?,
                    _ => reader.skip_unique()?,
                }
                Ok(())
            })?;
            found.calls.insert(name.to_owned(), call);
            Ok(())
        }),
        _ => reader.skip_unique(),
    })?;
    Ok(found)
}

/// Reads the address of a resource and its expressions.
fn read_resource(reader: &mut Reader<'_>) -> Result<(String, Expression)> {
    let (mut address, mut expressions) = (String::new(), Expression::default());
    object(reader, |key, reader| {
        match key {
            "address" => address = read_text(reader)?.unwrap_or_default(),
            "expressions" => expressions = read_expression(reader)?,
            _ => reader.skip_unique()?,
        }
        Ok(())
    })?;
    Ok((address, expressions))
}
