//! A module as its files declare it.

use std::collections::BTreeMap;
use std::ops::Range;

use indexmap::IndexMap;

use super::files::{Files, joined};
use super::validate::{ListedReference, Structure, value_despite_problems};
use plantime::source::Source;
use plantime::{Number, Refinement, Type, TypeConstraint, Value, View};
use plantime_hcl::unstable::Problems;
use plantime_hcl::{Argument, Block, Body};
use plantime_hcl::{Diagnostic, Expression, ReferenceKey, Scope};

/// The declarations of one folder.
#[derive(Clone, Debug, Default)]
pub(super) struct Module {
    /// The folder of the module, relative to the root.
    pub(super) folder: String,
    pub(super) variables: IndexMap<Box<str>, Variable>,
    pub(super) locals: IndexMap<Box<str>, Argument>,
    pub(super) outputs: IndexMap<Box<str>, Output>,
    /// Resources, data sources and ephemeral resources by their address in the module: `data.aws_ami.base`.
    pub(super) resources: IndexMap<String, Resource>,
    pub(super) calls: IndexMap<Box<str>, Call>,
    /// The sources of providers by their local names.
    pub(super) providers: BTreeMap<String, String>,
    /// The version constraints of providers by their local names.
    pub(super) provider_versions: BTreeMap<String, String>,
    /// The provider configurations that callers pass: local names and aliases, from `configuration_aliases`.
    pub(super) provider_aliases: Vec<(String, String)>,
    /// The blocks that configure providers.
    pub(super) configured_providers: Vec<Block>,
    /// The `check` blocks.
    pub(super) checks: Vec<Block>,
    /// The `import` blocks.
    pub(super) imports: Vec<Block>,
}

/// An input variable.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) block: Block,
    pub(super) ty: TypeConstraint,
    pub(super) default: Option<Value>,
    pub(super) nullable: bool,
    pub(super) sensitive: bool,
    pub(super) ephemeral: bool,
}

/// An output.
#[derive(Clone, Debug)]
pub(super) struct Output {
    pub(super) block: Block,
    pub(super) sensitive: bool,
    pub(super) ephemeral: bool,
}

/// What a resource block declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ResourceMode {
    Managed,
    Data,
    Ephemeral,
}

/// A resource, data source or ephemeral resource.
#[derive(Clone, Debug)]
pub(super) struct Resource {
    pub(super) mode: ResourceMode,
    pub(super) ty: Box<str>,
    /// The block, without the arguments that state assumptions (`assumed(…)`).
    pub(super) block: Block,
    pub(super) assumptions: Vec<InlineAssumption>,
}

/// The summary of the problems of assumptions in resource blocks.
pub(crate) const INVALID_ASSUMPTION: &str = "Invalid assumption";

/// What a resource block assumes of an attribute that the provider chooses: `id = assumed(notnull(stringprefix("vpc-")))`.
#[derive(Clone, Debug)]
pub(crate) struct InlineAssumption {
    pub(crate) attribute: Box<str>,
    pub(crate) refinement: Refinement,
    /// The file, and the place of the argument there.
    pub(crate) source: Source,
    pub(crate) span: Range<usize>,
}

impl InlineAssumption {
    /// Reads an argument; `None` if it is invalid, which is reported as a problem.
    fn read(argument: &Argument, problems: &mut Problems) -> Option<InlineAssumption> {
        let places = argument.expression.call_arguments("assumed")?;
        let source = argument.expression.source();
        let mut problem = |span: Range<usize>, detail: String| {
            problems.push(Diagnostic::new(source, span, INVALID_ASSUMPTION, detail));
        };
        if places.is_empty() {
            let example = "Nothing is assumed. Write, for example, assumed(notnull(stringprefix(\"vpc-\"))).";
            problem(argument.expression.span(), example.to_owned());
        }
        let mut refinement = Refinement::any();
        for (place, text) in places {
            let read = text.parse::<Refinement>().map_err(|error| error.to_string());
            match read.and_then(|more| refinement.meet(&more).map_err(|error| error.to_string())) {
                Ok(narrower) => refinement = narrower,
                // The column of the message is that of the refinement's own text.
                Err(message) => {
                    let message = match message.split_once(": ") {
                        Some((at, rest)) if at.starts_with("column ") => rest,
                        _ => &message,
                    };
                    let stop = if message.ends_with(['.', '?']) { "" } else { "." };
                    problem(place, format!("{message}{stop}"));
                }
            }
        }
        let (attribute, span) = (argument.name.clone(), argument.span.clone());
        Some(InlineAssumption { attribute, refinement, source: source.clone(), span })
    }
}

impl Resource {
    /// The local name of the provider that has the resource type, where the block names none: what the type begins with.
    fn implied_provider(&self) -> &str {
        self.ty.split('_').next().unwrap_or(&self.ty)
    }

    /// Whether its `lifecycle` block has `ignore_changes`.
    pub(super) fn ignores_changes(&self) -> bool {
        let mut lifecycles = self.block.body.blocks.iter().filter(|block| &*block.kind == "lifecycle");
        // A block in JSON is read where it is evaluated.
        lifecycles.any(|lifecycle| lifecycle.body.argument("ignore_changes").is_some())
            || self.block.body.properties.iter().any(|property| property.name == "lifecycle")
    }
}

/// A call of another module.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) block: Block,
    /// The source, if it is a constant string.
    pub(super) source: Option<String>,
}

impl Module {
    /// Reads the module in a folder; `None` if there is no configuration.
    ///
    /// With a structure, adds the problems of blocks and arguments that the language does not have too. The problems of declarations
    /// go to `declared`, if it is given, else to `problems`, as do those of the syntax.
    pub(super) fn read(
        files: &dyn Files,
        folder: &str,
        mut structure: Option<Structure>,
        problems: &mut Problems,
        mut declared: Option<&mut Problems>,
    ) -> Option<Module> {
        let mut module = Module { folder: folder.to_owned(), ..Module::default() };
        let names = configuration_files(&files.entries(folder));
        for name in &names {
            let path = joined(folder, name);
            let Some(source) = source(files, &path, problems) else { continue };
            let body = Body::parse_file(&source, problems);
            if let Some(structure) = &mut structure {
                structure.check_file(&source, &body, is_override(name), problems);
            }
            let found = match &mut declared {
                Some(declared) => &mut **declared,
                None => &mut *problems,
            };
            module.add_file(&source, body, is_override(name), found);
        }
        (!names.is_empty()).then_some(module)
    }

    /// Adds the declarations of a file. Those of an override file replace arguments of earlier declarations.
    fn add_file(&mut self, source: &Source, mut body: Body, overrides: bool, problems: &mut Problems) {
        if !body.properties.is_empty() {
            for (kind, labels) in BLOCKS {
                let blocks = body.blocks_of(source, kind, labels);
                blocks.iter().for_each(|block| report_templates(block, problems));
            }
        }
        for block in body.take_blocks_of(source, "variable", 1) {
            self.add_variable(block, overrides, problems);
        }
        for block in body.take_blocks_of(source, "locals", 0) {
            for argument in block.body.arguments {
                self.locals.insert(argument.name.clone(), argument);
            }
        }
        for block in body.take_blocks_of(source, "output", 1) {
            self.add_output(block, overrides, problems);
        }
        let modes = [
            ("resource", ResourceMode::Managed),
            ("data", ResourceMode::Data),
            ("ephemeral", ResourceMode::Ephemeral),
        ];
        for (kind, mode) in modes {
            for block in body.take_blocks_of(source, kind, 2) {
                self.add_resource(mode, block, overrides, problems);
            }
        }
        // The data source of a check is declared in its block.
        for check in body.take_blocks_of(source, "check", 1) {
            for block in check.body.blocks_of(source, "data", 2) {
                self.add_resource(ResourceMode::Data, block.into_owned(), overrides, problems);
            }
            self.checks.push(check);
        }
        self.imports.extend(body.take_blocks_of(source, "import", 0));
        self.configured_providers.extend(body.take_blocks_of(source, "provider", 1));
        for block in body.take_blocks_of(source, "module", 1) {
            self.add_call(block, overrides);
        }
        for block in body.take_blocks_of(source, "terraform", 0) {
            for required in block.body.blocks_of(source, "required_providers", 0) {
                for argument in &required.body.arguments {
                    if let Some(source) = provider_source(&constant(&argument.expression)) {
                        self.providers.insert(argument.name.to_string(), source);
                    }
                    if let Some(version) = provider_version(&constant(&argument.expression)) {
                        self.provider_versions.insert(argument.name.to_string(), version);
                    }
                    self.provider_aliases.extend(configuration_aliases(&argument.expression));
                }
            }
        }
    }

    /// The module that has only these variables.
    pub(super) fn of_variables(blocks: &[Block], problems: &mut Problems) -> Module {
        let mut module = Module::default();
        for block in blocks {
            module.add_variable(block.clone(), false, problems);
        }
        module
    }

    /// Adds an input variable.
    fn add_variable(&mut self, block: Block, overrides: bool, problems: &mut Problems) {
        let Some(name) = block.labels.first().cloned() else { return };
        let block = match self.variables.get(&name) {
            Some(before) if overrides => overridden(&before.block, block),
            _ => block,
        };
        let ty = match block.body.argument("type") {
            Some(argument) => type_of(&argument.expression, problems),
            None => Type::Dynamic.into(),
        };
        let nullable = flag(&block, "nullable", true);
        let default = block.body.argument("default").and_then(|argument| {
            let (value, wrong) = value_despite_problems(&argument.expression.constant_form());
            let is_wrong = !wrong.is_empty();
            problems.extend(wrong);
            if !nullable && value.is_null() {
                let detail = "A null default value is not valid when nullable=false.";
                let (source, span) = (argument.expression.source(), argument.expression.span());
                problems.push(Diagnostic::new(source, span, "Invalid default value for variable", detail));
                return None;
            }
            plantime::convert(&value, &ty)
                .map_err(|error| {
                    let text = error.to_string();
                    let is_path = text != error.message() && !text.starts_with('[');
                    let dot = if is_path { "." } else { "" };
                    let detail = format!(
                        "This default value is not compatible with the variable's type constraint: {dot}{text}."
                    );
                    let span = argument.expression.span();
                    problems.push(Diagnostic::new(
                        &block.source,
                        span,
                        "Invalid default value for variable",
                        detail,
                    ));
                })
                .ok()
                .filter(|_| !is_wrong)
        });
        let (sensitive, ephemeral) = (flag(&block, "sensitive", false), flag(&block, "ephemeral", false));
        self.variables.insert(name, Variable { block, ty, default, nullable, sensitive, ephemeral });
    }

    /// Adds an output, and reports one without a value.
    fn add_output(&mut self, block: Block, overrides: bool, problems: &mut Problems) {
        let Some(name) = block.labels.first().cloned() else { return };
        let block = match self.outputs.get(&name) {
            Some(before) if overrides => overridden(&before.block, block),
            _ => block,
        };
        if block.body.argument("value").is_none() {
            let detail = "The argument \"value\" is required, but no definition was found.";
            problems.push(Diagnostic::new(
                &block.source,
                block.body_start.clone(),
                "Missing required argument",
                detail,
            ));
        }
        let (sensitive, ephemeral) = (flag(&block, "sensitive", false), flag(&block, "ephemeral", false));
        self.outputs.insert(name, Output { block, sensitive, ephemeral });
    }

    /// Adds a resource, a data source or an ephemeral resource.
    fn add_resource(&mut self, mode: ResourceMode, block: Block, overrides: bool, problems: &mut Problems) {
        let [ty, name] = block.labels.as_slice() else { return };
        let prefix = match mode {
            ResourceMode::Managed => "",
            ResourceMode::Data => "data.",
            ResourceMode::Ephemeral => "ephemeral.",
        };
        let (address, ty) = (format!("{prefix}{ty}.{name}"), ty.clone());
        let mut block = block;
        let read = |argument: &Argument| InlineAssumption::read(argument, problems);
        let mut assumptions: Vec<InlineAssumption> = block.body.arguments.iter().filter_map(read).collect();
        block.body.arguments.retain(|argument| argument.expression.call_arguments("assumed").is_none());
        if let Some(before) = self.resources.get(&address).filter(|_| overrides) {
            let is_replaced = |stated: &InlineAssumption| {
                block.body.argument(&stated.attribute).is_some()
                    || assumptions.iter().any(|own| own.attribute == stated.attribute)
            };
            let kept = before.assumptions.iter().filter(|stated| !is_replaced(stated)).cloned();
            let kept: Vec<InlineAssumption> = kept.collect();
            assumptions.extend(kept);
            block = overridden(&before.block, block);
            block
                .body
                .arguments
                .retain(|argument| !assumptions.iter().any(|stated| stated.attribute == argument.name));
        }
        self.resources.insert(address, Resource { mode, ty, block, assumptions });
    }

    /// Adds a module call.
    fn add_call(&mut self, block: Block, overrides: bool) {
        let Some(name) = block.labels.first().cloned() else { return };
        let block = match self.calls.get(&name) {
            Some(before) if overrides => overridden(&before.block, block),
            _ => block,
        };
        let source = block.body.argument("source").map(|argument| constant(&argument.expression));
        let source = source.and_then(|source| source.as_str().ok().map(str::to_owned));
        self.calls.insert(name, Call { block, source });
    }

    /// The address of the provider of a resource type.
    pub(super) fn provider(&self, resource: &Resource) -> String {
        match self.provider_reference(resource) {
            Some((local, _)) => self.provider_address(&local),
            None => self.provider_address(resource.implied_provider()),
        }
    }

    /// The local name and the alias of the provider configuration that a resource uses; `None` if its reference is invalid.
    pub(super) fn provider_reference(&self, resource: &Resource) -> Option<(String, Option<String>)> {
        match resource.block.body.argument("provider") {
            Some(argument) => configuration_name(&argument.expression),
            None => Some((resource.implied_provider().to_owned(), None)),
        }
    }

    /// The address of the provider with a local name.
    pub(super) fn provider_address(&self, local: &str) -> String {
        match self.providers.get(local) {
            Some(source) => source.clone(),
            None if local == "terraform" => "terraform.io/builtin/terraform".to_owned(),
            None => format!("registry.terraform.io/hashicorp/{local}"),
        }
    }
}

/// The text of a file of the folder; a problem if it cannot be read or is not UTF-8.
pub(super) fn source(files: &dyn Files, path: &str, problems: &mut Problems) -> Option<Source> {
    let Some(content) = files.content(path) else {
        let detail = format!("The file {path:?} could not be read.");
        problems.push(Diagnostic::new(&Source::new(path, ""), 0..0, "Failed to read file", &detail));
        return None;
    };
    match String::from_utf8(content) {
        Ok(text) => Some(Source::new(path, text.strip_prefix('\u{feff}').unwrap_or(&text))),
        Err(_) => {
            let detail = "All configuration files must be in UTF-8.";
            problems.push(Diagnostic::new(
                &Source::new(path, ""),
                0..0,
                "Invalid character encoding",
                detail,
            ));
            None
        }
    }
}

/// The blocks of a file whose arguments may be templates, each with the number of its labels.
const BLOCKS: [(&str, usize); 9] = [
    ("variable", 1),
    ("locals", 0),
    ("output", 1),
    ("resource", 2),
    ("data", 2),
    ("ephemeral", 2),
    ("module", 1),
    ("provider", 1),
    ("check", 1),
];

/// Reports what is wrong with the templates of a block in JSON. Constants and names are none.
fn report_templates(block: &Block, problems: &mut Problems) {
    let is_template = |name: &str| match &*block.kind {
        "variable" => name == "validation",
        "output" => !matches!(name, "description" | "depends_on"),
        "module" => !matches!(name, "source" | "version" | "providers" | "depends_on"),
        "resource" | "data" | "ephemeral" => !matches!(name, "provider" | "depends_on"),
        "provider" => !matches!(name, "alias" | "version"),
        _ => true,
    };
    let wrong = block.body.template_problems.iter().filter(|(name, _)| is_template(name));
    problems.extend(wrong.map(|(_, problem)| problem.clone()));
}

/// The files of a module in the order in which they are read: overrides last.
fn configuration_files(entries: &[String]) -> Vec<String> {
    let tofu = |name: &str| {
        let stem = name.strip_suffix(".tf.json").map(|stem| (stem, ".tofu.json"));
        let stem = stem.or_else(|| name.strip_suffix(".tf").map(|stem| (stem, ".tofu")));
        stem.map(|(stem, end)| format!("{stem}{end}"))
    };
    let is_hidden = |name: &str| name.starts_with('.') || name.starts_with('#') || name.ends_with('~');
    let mut names: Vec<String> = entries
        .iter()
        .filter(|name| [".tf", ".tofu", ".tf.json", ".tofu.json"].iter().any(|end| name.ends_with(end)))
        .filter(|name| !is_hidden(name))
        // A file of OpenTofu replaces that of Terraform with the same name.
        .filter(|name| tofu(name).is_none_or(|tofu| !entries.contains(&tofu)))
        .cloned()
        .collect();
    names.sort_by(|a, b| (is_override(a), a).cmp(&(is_override(b), b)));
    names
}

/// Whether the blocks of a file override those of other files.
pub(super) fn is_override(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let name = name.strip_suffix(".json").unwrap_or(name);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    stem == "override" || stem.ends_with("_override")
}

/// A block with the arguments and the nested blocks of another one in place of its own.
fn overridden(before: &Block, with: Block) -> Block {
    let mut block = before.clone();
    // Problems of the block are shown where it is declared first. What may be a block in JSON has its places in the file of the block.
    if !with.body.properties.is_empty() {
        (block.source, block.span, block.body_start) = (with.source, with.span, with.body_start);
        block.label_spans = with.label_spans;
    }
    block.body.arguments.retain(|argument| with.body.argument(&argument.name).is_none());
    block.body.arguments.extend(with.body.arguments);
    let replaces = |kind: &str| with.body.blocks.iter().any(|block| &*block.kind == kind);
    block.body.blocks.retain(|block| !replaces(&block.kind));
    block.body.properties.retain(|property| with.body.properties.iter().all(|p| p.name != property.name));
    block.body.properties.extend(with.body.properties);
    block.body.blocks.extend(with.body.blocks);
    block
}

/// The value of an expression without references; unknown if it has any.
pub(super) fn constant(expression: &Expression) -> Value {
    let expression = expression.constant_form();
    // An object of `required_providers` may have `configuration_aliases`, which are references.
    match expression.evaluate(&Scope::new(&BTreeMap::new())) {
        Ok(value) => value,
        Err(_) => {
            let nothing = AnyReference;
            expression.evaluate(&Scope::new(&nothing)).unwrap_or_else(|_| Value::dynamic())
        }
    }
}

/// A scope in which each reference is unknown.
pub(super) struct AnyReference;

impl plantime_hcl::Variables for AnyReference {
    fn resolve(
        &self,
        reference: &plantime_hcl::Reference,
    ) -> Result<plantime_hcl::Resolved, plantime_hcl::Unresolved> {
        Ok(plantime_hcl::Resolved { value: Value::dynamic(), steps: reference.steps().len() })
    }
}

/// The local name and the alias in a reference to a provider configuration, `aws` or `aws.west`, which may be in quotes.
pub(super) fn configuration_name(expression: &Expression) -> Option<(String, Option<String>)> {
    let listed = ListedReference::of(expression)?;
    let reference = listed.expression.as_reference()?;
    let alias = match reference.steps() {
        [] => None,
        [step] => match step.key() {
            ReferenceKey::Attribute(name) => Some(name.to_string()),
            ReferenceKey::Index(_) => return None,
        },
        _ => return None,
    };
    Some((reference.root().to_owned(), alias))
}

/// The local names and aliases that `configuration_aliases` of an entry of `required_providers` lists.
fn configuration_aliases(entry: &Expression) -> Vec<(String, String)> {
    let entries = entry.entries().unwrap_or_default();
    let named = entries.into_iter().filter(|(key, _)| {
        // A key in JSON is in quotes.
        let written = key.source().text().get(key.span()).unwrap_or_default();
        written.trim_matches('"') == "configuration_aliases"
    });
    let items = named.flat_map(|(_, value)| value.items().unwrap_or_default());
    items
        .filter_map(|item| configuration_name(&item).and_then(|(name, alias)| Some((name, alias?))))
        .collect()
}

/// The version constraint of an entry of `required_providers`, which before Terraform 0.13 was all of it.
fn provider_version(entry: &Value) -> Option<String> {
    match entry.view() {
        View::Object(object) => object.get("version")?.as_str().ok().map(str::to_owned),
        _ => entry.as_str().ok().map(str::to_owned),
    }
}

/// The address of a provider from an entry of `required_providers`.
fn provider_source(entry: &Value) -> Option<String> {
    let View::Object(object) = entry.view() else { return None };
    let source = object.get("source")?.as_str().ok()?.to_owned();
    Some(match source.matches('/').count() {
        0 => format!("registry.terraform.io/hashicorp/{source}"),
        1 => format!("registry.terraform.io/{source}"),
        _ => source,
    })
}

/// The argument of this name as a bool; `default` if the block does not have it or it is no constant bool.
pub(super) fn flag(block: &Block, name: &str, default: bool) -> bool {
    let argument = block.body.argument(name);
    argument.and_then(|argument| constant(&argument.expression).as_bool().ok()).unwrap_or(default)
}

/// The type of a variable. Before version 0.12 it was a string.
fn type_of(expression: &Expression, problems: &mut Problems) -> TypeConstraint {
    // What a call or a template gives is no type.
    let written = match expression.references().is_empty() && expression.outermost_calls().is_empty() {
        true => constant(expression),
        false => Value::dynamic(),
    };
    let keyword = expression.as_reference().filter(|reference| reference.steps().is_empty());
    let any = |of: fn(Type) -> plantime::Result<Type>| of(Type::Dynamic).unwrap_or(Type::Dynamic).into();
    match (written.as_str(), keyword.map(|reference| reference.root())) {
        (Ok("list"), _) | (_, Some("list")) => return any(Type::list),
        (Ok("map"), _) | (_, Some("map")) => return any(Type::map),
        (Ok(text), _) => {
            let inner = if expression.is_json() { expression.unquoted() } else { Expression::parse(text) };
            return match inner {
                Ok(inner) => type_of(&inner, problems),
                Err(more) => {
                    problems.extend(more.iter().cloned());
                    Type::Dynamic.into()
                }
            };
        }
        _ => {}
    }
    expression.type_constraint(&Scope::new(&BTreeMap::new())).unwrap_or_else(|more| {
        problems.extend(more.iter().cloned());
        Type::Dynamic.into()
    })
}

/// A position or number of elements as a value.
pub(super) fn index(number: usize) -> Value {
    Value::from(Number::from(u64::try_from(number).unwrap_or(u64::MAX)))
}
