//! What refers to what in a configuration: the reasons why something is not known yet.
//!
//! Plan JSON lists for each expression what it refers to, not how: `startswith(x.s, "a")` and `x.s` look alike. So
//! references are reasons, never knowledge.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::Result;
use crate::json::shape::{array, flag, object, text};
use crate::json::{Item, Node, Reader, Tape};
use crate::path::{Path, Step};
use crate::plan::address;
use crate::plan::address::{Key, Segment};
use crate::text::nfc;

/// What each expression of a configuration refers to.
#[derive(Clone, Debug, Default)]
pub struct References {
    root: Module,
}

#[derive(Clone, Debug, Default)]
struct Module {
    /// By address inside the module, such as `data.aws_ami.base`.
    resources: BTreeMap<String, Expression>,
    outputs: BTreeMap<String, Expression>,
    /// Names of the variables that are declared sensitive.
    sensitive: BTreeSet<String>,
    calls: BTreeMap<String, Call>,
}

#[derive(Clone, Debug, Default)]
struct Call {
    arguments: Expression,
    module: Module,
}

/// An expression, or the block it stands in.
#[derive(Clone, Debug, Default)]
enum Expression {
    /// Refers to nothing.
    #[default]
    Constant,
    References(Vec<String>),
    Block(BTreeMap<String, Expression>),
    Blocks(Vec<Expression>),
}

/// A module instance on the way, and a name in it.
type Place<'r> = (Vec<Segment>, &'r str);

impl References {
    /// What an attribute of a resource depends on, as full addresses with attribute: `aws_vpc.main.id`. Inputs of
    /// modules and outputs of modules are followed to what stands behind them; `each`, `count`, `path` and their
    /// like are left out. In the order of the configuration, each once.
    ///
    /// ```
    /// use plantime::plan::{Plan, example};
    /// use plantime::schema::ProviderSchemas;
    ///
    /// let plan = Plan::read(example::PLAN, &ProviderSchemas::new())?;
    /// let found = plan.references.of("aws_subnet.main[\"data\"]", &"vpc_id".parse()?);
    /// assert_eq!(found, ["aws_vpc.main.id"]);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn of(&self, address: &str, path: &Path) -> Vec<String> {
        let Some(address) = address::address(address) else { return Vec::new() };
        let Some(module) = self.module(&address.modules) else { return Vec::new() };
        let resource = format!("{}{}.{}", address.mode.prefix(), address.type_name, address.name);
        let mut found = Vec::new();
        if let Some(expression) = module.resources.get(&resource) {
            expression.at(path.steps(), &mut found);
        }
        self.behind(address.modules, found)
    }

    /// What a root output depends on.
    pub fn of_output(&self, name: &str) -> Vec<String> {
        let mut found = Vec::new();
        if let Some(expression) = self.root.outputs.get(name) {
            expression.all(&mut found);
        }
        self.behind(Vec::new(), found)
    }

    /// Whether a root variable is declared sensitive.
    pub fn is_sensitive_variable(&self, name: &str) -> bool {
        self.root.sensitive.contains(name)
    }

    fn module(&self, modules: &[Segment]) -> Option<&Module> {
        modules.iter().try_fold(&self.root, |module, step| Some(&module.calls.get(&step.name)?.module))
    }

    /// What stands behind references made in a module.
    fn behind(&self, modules: Vec<Segment>, references: Vec<&str>) -> Vec<String> {
        let mut todo: Vec<Place<'_>> =
            specific(references).into_iter().rev().map(|reference| (modules.clone(), reference)).collect();
        let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
        while let Some((modules, reference)) = todo.pop() {
            let full = format!("{}{reference}", prefix(&modules));
            if !seen.insert(full.clone()) {
                continue;
            }
            match self.inside(&modules, reference) {
                Inside::Itself => found.push(full),
                Inside::Nothing => {}
                Inside::Others(modules, others) => {
                    let others = specific(others);
                    todo.extend(others.into_iter().rev().map(|reference| (modules.clone(), reference)));
                }
            }
        }
        found
    }

    fn inside<'r>(&'r self, modules: &[Segment], reference: &str) -> Inside<'r> {
        let (kind, rest) = reference.split_once('.').unwrap_or((reference, ""));
        match kind {
            "each" | "count" | "path" | "terraform" | "tofu" | "self" => Inside::Nothing,
            "var" => {
                let Some((call, outer)) = modules.split_last() else { return Inside::Itself };
                let name = rest.split(['.', '[']).next().unwrap_or_default();
                let call = self.module(outer).and_then(|module| module.calls.get(&call.name));
                let Some(Expression::Block(arguments)) = call.map(|call| &call.arguments) else {
                    return Inside::Nothing;
                };
                let mut found = Vec::new();
                if let Some(expression) = arguments.get(name) {
                    expression.all(&mut found);
                }
                Inside::Others(outer.to_vec(), found)
            }
            "module" => {
                let Some((call, name)) = module_output(rest) else { return Inside::Itself };
                let mut inner = modules.to_vec();
                inner.push(call);
                let module = self.module(&inner);
                match module.and_then(|module| module.outputs.get(name)) {
                    Some(expression) => {
                        let mut found = Vec::new();
                        expression.all(&mut found);
                        Inside::Others(inner, found)
                    }
                    None => Inside::Itself,
                }
            }
            _ => Inside::Itself,
        }
    }

    pub(super) fn read(reader: &mut Reader<'_>) -> Result<References> {
        let mut references = References::default();
        object(reader, |key, reader| {
            match key {
                "root_module" => references.root = module(reader)?,
                _ => reader.skip()?,
            }
            Ok(())
        })?;
        Ok(references)
    }
}

enum Inside<'r> {
    /// Ends here.
    Itself,
    /// Is no dependency.
    Nothing,
    /// Stands for other references, made in this module.
    Others(Vec<Segment>, Vec<&'r str>),
}

/// Terraform lists `aws_vpc.main.id` and then `aws_vpc.main`: without the less specific ones.
fn specific(references: Vec<&str>) -> Vec<&str> {
    let mut kept: Vec<&str> = Vec::new();
    for reference in references {
        let within = |longer: &&str| {
            longer.strip_prefix(reference).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        if !kept.last().is_some_and(within) {
            kept.push(reference);
        }
    }
    kept
}

fn prefix(modules: &[Segment]) -> String {
    let step = |module: &Segment| {
        let key = module.key.as_ref().map(Key::to_string).unwrap_or_default();
        format!("module.{}{key}.", module.name)
    };
    modules.iter().map(step).collect()
}

/// `net["a"].id` into the call and the name of the output.
fn module_output(text: &str) -> Option<(Segment, &str)> {
    let (call, rest) = address::segment(text).ok()?;
    let name = rest.strip_prefix('.')?.split(['.', '[']).next()?;
    Some((call, name))
}

impl Expression {
    fn all<'e>(&'e self, found: &mut Vec<&'e str>) {
        match self {
            Expression::Constant => {}
            Expression::References(references) => found.extend(references.iter().map(String::as_str)),
            Expression::Block(block) => block.values().for_each(|inner| inner.all(found)),
            Expression::Blocks(blocks) => blocks.iter().for_each(|inner| inner.all(found)),
        }
    }

    /// What the expression at a place refers to. Members of sets have no place: all of them are meant.
    fn at<'e>(&'e self, steps: &[Step], found: &mut Vec<&'e str>) {
        let Some((step, rest)) = steps.split_first() else { return self.all(found) };
        match (self, step) {
            (Expression::Block(block), Step::Attr(name)) => {
                if let Some(inner) = block.get(name.as_str()) {
                    inner.at(rest, found);
                }
            }
            (Expression::Block(block), Step::Index(key)) => match key.as_str() {
                Ok(key) => {
                    if let Some(inner) = block.get(key) {
                        inner.at(rest, found);
                    }
                }
                Err(_) => self.all(found),
            },
            (Expression::Blocks(blocks), Step::Index(key)) => {
                let index = key.as_number().ok().and_then(crate::number::Number::to_u64);
                match index.and_then(|index| usize::try_from(index).ok()) {
                    Some(index) => {
                        if let Some(inner) = blocks.get(index) {
                            inner.at(rest, found);
                        }
                    }
                    None => blocks.iter().for_each(|inner| inner.at(rest, found)),
                }
            }
            _ => self.all(found),
        }
    }

    fn of(item: Item<'_, '_>) -> Expression {
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
                let inner =
                    item.entries().map(|(key, item)| (nfc(&key.text()).into_owned(), Expression::of(item)));
                Expression::Block(inner.collect())
            }
            Node::Array { .. } => Expression::Blocks(item.elements().map(Expression::of).collect()),
            _ => Expression::Constant,
        }
    }
}

fn expression(reader: &mut Reader<'_>) -> Result<Expression> {
    Tape::new().read(reader).map(Expression::of)
}

fn module(reader: &mut Reader<'_>) -> Result<Module> {
    let mut found = Module::default();
    object(reader, |key, reader| match key {
        "resources" => array(reader, |reader| {
            let (address, expressions) = resource(reader)?;
            found.resources.insert(address, expressions);
            Ok(())
        }),
        "outputs" => object(reader, |name, reader| {
            object(reader, |key, reader| {
                match key {
                    "expression" => {
                        found.outputs.insert(name.to_owned(), expression(reader)?);
                    }
                    _ => reader.skip()?,
                }
                Ok(())
            })
        }),
        "variables" => object(reader, |name, reader| {
            object(reader, |key, reader| {
                match key {
                    "sensitive" if flag(reader)? => {
                        found.sensitive.insert(name.to_owned());
                    }
                    "sensitive" => {}
                    _ => reader.skip()?,
                }
                Ok(())
            })
        }),
        "module_calls" => object(reader, |name, reader| {
            let mut call = Call::default();
            object(reader, |key, reader| {
                match key {
                    "expressions" => call.arguments = expression(reader)?,
                    "module" => call.module = module(reader)?,
                    _ => reader.skip()?,
                }
                Ok(())
            })?;
            found.calls.insert(name.to_owned(), call);
            Ok(())
        }),
        _ => reader.skip(),
    })?;
    Ok(found)
}

fn resource(reader: &mut Reader<'_>) -> Result<(String, Expression)> {
    let (mut address, mut expressions) = (String::new(), Expression::default());
    object(reader, |key, reader| {
        match key {
            "address" => address = text(reader)?.unwrap_or_default(),
            "expressions" => expressions = expression(reader)?,
            _ => reader.skip()?,
        }
        Ok(())
    })?;
    Ok((address, expressions))
}
