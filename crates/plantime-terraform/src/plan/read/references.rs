//! What refers to what in a configuration: the reasons why something is not known yet.
//!
//! Plan JSON lists for each expression what it refers to, not how: `startswith(x.s, "a")` and `x.s` look alike. So
//! references are reasons, never knowledge.

use std::collections::{BTreeMap, BTreeSet};

use super::declared::{self, Declared, DeclaredInModule, DeclaredProvider};
use crate::configuration::{DeclaredFacts, ModuleBlocks};
use crate::json::{Item, Node, Tape};
use crate::plan::address;
use crate::plan::address::{Key, Segment};
use plantime::text::nfc;
use plantime::unstable::json::Reader;
use plantime::unstable::path::bare_name;
use plantime::unstable::text::Cursor;
use plantime::{Path, Result, Step, Value};
use plantime_hcl::Block;
use plantime_schema::unstable::json::{array, object, read_text};
use serde_json::{Value as Json, json};

/// What each expression of a configuration refers to.
#[derive(Clone, Debug, Default)]
pub struct References {
    root: Module,
    /// The provider configurations.
    providers: Vec<DeclaredProvider>,
    /// Whether plan JSON has a configuration.
    is_there: bool,
}

/// The references in the configuration of one module.
#[derive(Clone, Debug, Default)]
struct Module {
    /// By address inside the module, such as `data.aws_ami.base`.
    resources: BTreeMap<String, Expression>,
    outputs: BTreeMap<String, Expression>,
    /// Those of a configuration in plan JSON are not there: it does not have them.
    locals: BTreeMap<String, Expression>,
    /// Names of the variables that are declared sensitive.
    sensitive: BTreeSet<String>,
    calls: BTreeMap<String, Call>,
    /// What else plan JSON says of the module.
    declared: DeclaredInModule,
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
            "local" => {
                let name = rest.split(['.', '[']).next().unwrap_or_default();
                let local = self.module_at(modules).and_then(|module| module.locals.get(name));
                let Some(expression) = local else { return NextReferences::Final };
                let mut found = Vec::new();
                expression.collect_all(&mut found);
                NextReferences::References(modules.to_vec(), found)
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

    /// What the configuration in plan JSON says beside references; `None` if there is none. `value` gives what the plan knows of a
    /// variable or output of the root module.
    pub(in crate::plan) fn declared(
        &self,
        value: &dyn Fn(&str, &str) -> Option<Value>,
    ) -> Option<DeclaredFacts> {
        if !self.is_there {
            return None;
        }
        let mut modules = Vec::new();
        let mut todo = vec![(Vec::new(), None, &self.root)];
        while let Some((names, source, module)) = todo.pop() {
            for (name, call) in &module.calls {
                let source = module
                    .declared
                    .calls
                    .get(name)
                    .and_then(|(said, _)| said.first().map(|(_, source)| source));
                let mut inner: Vec<String> = Vec::clone(&names);
                inner.push(name.clone());
                todo.push((inner, source, &call.module));
            }
            modules.push(Declared { modules: names, source, declared: &module.declared });
        }
        modules.sort_by(|a, b| a.modules.cmp(&b.modules));
        Some(declared::facts(&modules, &self.providers, value))
    }

    /// The references in the files of a configuration.
    pub(in crate::plan) fn of_configuration(blocks: &ModuleBlocks<'_>) -> References {
        References { root: Module::of_blocks(blocks), ..References::default() }
    }

    /// The references in JSON, of a form of their own.
    pub(in crate::plan) fn to_json(&self) -> Json {
        self.root.to_json()
    }

    /// Reads what [`to_json`](References::to_json) writes. What it does not know refers to nothing.
    pub(in crate::plan) fn from_json(json: &Json) -> References {
        References { root: Module::from_own_json(json), ..References::default() }
    }

    /// Reads the references of a configuration.
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<References> {
        let mut references = References { is_there: true, ..References::default() };
        object(reader, |key, reader| {
            match key {
                "provider_config" => object(reader, |_, reader| {
                    references.providers.push(Tape::new().read(reader).map(declared::provider)?);
                    Ok(())
                })?,
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

impl Module {
    /// The references in the blocks of a module.
    fn of_blocks(blocks: &ModuleBlocks<'_>) -> Module {
        let value = |block: &Block| {
            block
                .body
                .argument("value")
                .map_or(Expression::Constant, |argument| Expression::of(&argument.expression))
        };
        let resources = blocks
            .resources
            .iter()
            .map(|(name, block)| ((*name).to_owned(), Expression::of_body(&block.body)));
        let outputs = blocks.outputs.iter().map(|(name, block)| ((*name).to_owned(), value(block)));
        let locals =
            blocks.locals.iter().map(|(name, local)| ((*name).to_owned(), Expression::of(&local.expression)));
        let calls = blocks.calls.iter().map(|(name, block, called)| {
            let module = called.as_ref().map(Module::of_blocks).unwrap_or_default();
            ((*name).to_owned(), Call { arguments: Expression::of_body(&block.body), module })
        });
        Module {
            resources: resources.collect(),
            outputs: outputs.collect(),
            locals: locals.collect(),
            sensitive: BTreeSet::new(),
            calls: calls.collect(),
            declared: DeclaredInModule::default(),
        }
    }
}

impl Module {
    fn to_json(&self) -> Json {
        let expressions = |all: &BTreeMap<String, Expression>| -> Json {
            all.iter().map(|(name, expression)| (name.clone(), expression.to_json())).collect()
        };
        let call =
            |call: &Call| json!({ "arguments": call.arguments.to_json(), "module": call.module.to_json() });
        let calls: serde_json::Map<String, Json> =
            self.calls.iter().map(|(name, of)| (name.clone(), call(of))).collect();
        json!({
            "resources": expressions(&self.resources),
            "outputs": expressions(&self.outputs),
            "locals": expressions(&self.locals),
            "calls": calls,
        })
    }

    fn from_own_json(json: &Json) -> Module {
        let entries = |name: &str| json.get(name).and_then(Json::as_object).into_iter().flatten();
        let expressions = |name: &str| {
            entries(name).map(|(name, json)| (name.clone(), Expression::from_own_json(json))).collect()
        };
        let calls = entries("calls").map(|(name, call)| {
            let part = |name: &str| call.get(name).unwrap_or(&Json::Null);
            let arguments = Expression::from_own_json(part("arguments"));
            (name.clone(), Call { arguments, module: Module::from_own_json(part("module")) })
        });
        Module {
            resources: expressions("resources"),
            outputs: expressions("outputs"),
            locals: expressions("locals"),
            calls: calls.collect(),
            ..Module::default()
        }
    }
}

impl Expression {
    /// An object is a block, an array of texts are references, an array of one array are blocks.
    fn to_json(&self) -> Json {
        match self {
            Expression::Constant => Json::Null,
            Expression::References(references) => json!(references),
            Expression::Block(block) => {
                block.iter().map(|(name, inner)| (name.clone(), inner.to_json())).collect()
            }
            Expression::Blocks(blocks) => json!([blocks.iter().map(Expression::to_json).collect::<Vec<_>>()]),
        }
    }

    fn from_own_json(json: &Json) -> Expression {
        match json {
            Json::Object(block) => Expression::Block(
                block.iter().map(|(name, inner)| (name.clone(), Expression::from_own_json(inner))).collect(),
            ),
            Json::Array(all) => match all.as_slice() {
                [Json::Array(blocks)] => {
                    Expression::Blocks(blocks.iter().map(Expression::from_own_json).collect())
                }
                texts => {
                    Expression::References(texts.iter().filter_map(Json::as_str).map(str::to_owned).collect())
                }
            },
            _ => Expression::Constant,
        }
    }

    /// The references in an expression of a configuration.
    fn of(expression: &plantime_hcl::Expression) -> Expression {
        let found: Vec<String> = expression.references().iter().map(ToString::to_string).collect();
        if found.is_empty() { Expression::Constant } else { Expression::References(found) }
    }

    /// The references in the arguments and blocks of a body.
    fn of_body(body: &plantime_hcl::Body) -> Expression {
        let mut inner: BTreeMap<String, Expression> = BTreeMap::new();
        for argument in &body.arguments {
            inner.insert(argument.name.to_string(), Expression::of(&argument.expression));
        }
        for block in &body.blocks {
            let written = match &*block.kind {
                // What the blocks have is in the content; how many there are depends on the collection.
                "dynamic" => {
                    let content = block.body.blocks.iter().find(|inner| &*inner.kind == "content");
                    let content =
                        content.map_or(Expression::Constant, |inner| Expression::of_body(&inner.body));
                    let each = block.body.argument("for_each").map(|each| Expression::of(&each.expression));
                    Expression::Blocks(each.into_iter().chain([content]).collect())
                }
                _ => Expression::of_body(&block.body),
            };
            match inner
                .entry(block.produced_kind().to_owned())
                .or_insert_with(|| Expression::Blocks(Vec::new()))
            {
                Expression::Blocks(all) => all.push(written),
                other => *other = Expression::Blocks(vec![std::mem::take(other), written]),
            }
        }
        Expression::Block(inner)
    }

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
            let (address, expressions, provisioners) = read_resource(reader)?;
            let written = match &expressions {
                Expression::Block(block) => block.keys().cloned().collect(),
                _ => Vec::new(),
            };
            found.declared.resources.insert(address.clone(), (provisioners, written));
            found.resources.insert(address, expressions);
            Ok(())
        }),
        "outputs" => object(reader, |name, reader| {
            let mut tape = Tape::new();
            let item = tape.read(reader)?;
            if let Some(expression) = item.get("expression") {
                found.outputs.insert(name.to_owned(), Expression::from_json(expression));
            }
            found.declared.outputs.insert(name.to_owned(), declared::output(item));
            Ok(())
        }),
        "variables" => object(reader, |name, reader| {
            let mut tape = Tape::new();
            let item = tape.read(reader)?;
            if item.get("sensitive").is_some_and(Item::is_true) {
                found.sensitive.insert(name.to_owned());
            }
            found.declared.variables.insert(name.to_owned(), declared::variable(item));
            Ok(())
        }),
        "module_calls" => object(reader, |name, reader| {
            let mut call = Call::default();
            let (mut said, mut values) = (declared::no_call(), Value::dynamic());
            object(reader, |key, reader| {
                match key {
                    "expressions" => {
                        let mut tape = Tape::new();
                        let item = tape.read(reader)?;
                        (call.arguments, values) = (Expression::from_json(item), declared::described(item));
                    }
                    "source" => declared::set(&mut said, "source", read_text(reader)?),
                    "version_constraint" => {
                        declared::set(&mut said, "version_constraint", read_text(reader)?)
                    }
                    "module" => call.module = read_module(reader)?,
                    _ => reader.skip_unique()?,
                }
                Ok(())
            })?;
            found.declared.calls.insert(name.to_owned(), (said, values));
            found.calls.insert(name.to_owned(), call);
            Ok(())
        }),
        _ => reader.skip_unique(),
    })?;
    Ok(found)
}

/// Reads the address of a resource and its expressions.
fn read_resource(reader: &mut Reader<'_>) -> Result<(String, Expression, Value)> {
    let (mut address, mut expressions) = (String::new(), Expression::default());
    let mut provisioners = declared::provisioners(None);
    object(reader, |key, reader| {
        match key {
            "address" => address = read_text(reader)?.unwrap_or_default(),
            "expressions" => expressions = read_expression(reader)?,
            "provisioners" => provisioners = declared::provisioners(Some(Tape::new().read(reader)?)),
            _ => reader.skip_unique()?,
        }
        Ok(())
    })?;
    Ok((address, expressions, provisioners))
}
