//! Resource addresses, and patterns of them.

mod index;

pub(in crate::plan) use index::PatternIndex;

use std::fmt;
use std::str::FromStr;

use crate::configuration::{text_key, without_doubled_templates};
use crate::plan::change::{Mode, ResourceChange};
use plantime::unstable::error::Kind;
use plantime::unstable::path::bare_name;
use plantime::unstable::text::Cursor;
use plantime::{Error, Path, Result, Value};

/// A name in an address with the instance key that follows it in brackets, such as `web[0]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    pub(super) name: String,
    pub(super) key: Option<Key>,
}

/// The instance key of a resource or module in an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Key {
    /// `[*]`
    Any,
    /// `[0]`
    Index(u64),
    /// `["a"]`
    Text(String),
}

/// A resource address without instance key.
#[derive(Clone, Debug)]
pub(super) struct Address {
    /// The names of the module calls that lead to the resource, from the root module on, each with its instance key.
    pub(super) modules: Vec<Segment>,
    pub(super) mode: Mode,
    pub(super) type_name: String,
    pub(super) name: String,
}

impl Address {
    /// The address of the module that the resource is in; `None` for the root module.
    pub(super) fn module_address(&self) -> Option<Box<str>> {
        let module = |segment: &Segment| {
            let key = segment.key.as_ref().map_or_else(String::new, ToString::to_string);
            format!("module.{}{key}", segment.name)
        };
        let modules: Vec<String> = self.modules.iter().map(module).collect();
        (!modules.is_empty()).then(|| modules.join(".").into_boxed_str())
    }
}

/// A pattern that selects resource instances: a resource type, or an address with wildcards.
///
/// | pattern | matches |
/// |---|---|
/// | `aws_vpc` | every managed resource of the type, in any module |
/// | `data.aws_ami` | every data source of the type, in any module |
/// | `aws_subnet.main` | all instances of the resource in the root module |
/// | `aws_subnet.main["app"]`, `aws_instance.web[0]` | that instance |
/// | `aws_subnet.main[*]` | all instances, as without `[*]` |
/// | `aws_subnet.*`, `*.main`, `aws_*` | `*` stands for any text inside a name |
/// | `module.net[*].aws_vpc.*` | in every instance of the module, as `module.net.aws_vpc.*` |
/// | `module.net["a"].data.aws_ami.x` | in that instance of the module |
/// | `module.net` | everything managed in the module itself |
/// | `module.net.**` | everything managed in the module and in all modules below it |
/// | `module.net.**.aws_vpc.main`, `module.net.**.data.*` | in the module and in all modules below it |
/// | `**` | everything managed, in all modules |
/// | `data.*` | every data source, in all modules |
///
/// `**` stands in the place of `module.NAME`, once, for any number of modules, none included.
///
/// ```
/// use plantime_terraform::plan::AddressPattern;
///
/// let pattern: AddressPattern = "module.net[*].aws_vpc.*".parse()?;
/// assert!(pattern.matches_address(r#"module.net["eu"].aws_vpc.main"#));
/// assert!(!pattern.matches_address("aws_vpc.main"));
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressPattern {
    text: String,
    /// The modules that the resource must be in, from the root module on; `None` matches any module.
    modules: Option<ModulePattern>,
    mode: Mode,
    type_name: String,
    /// The name that the resource must have, with its instance key; `None` matches any name.
    resource: Option<Segment>,
}

/// The modules that a pattern matches.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ModulePattern {
    /// The modules from the root module on; with `**`, those before it.
    first: Vec<Segment>,
    /// The modules after `**`, which stands for any modules; `None` without it.
    last: Option<Vec<Segment>>,
}

impl ModulePattern {
    /// Whether it matches the modules that lead to a resource.
    fn matches(&self, found: &[Segment]) -> bool {
        let Some(last) = &self.last else { return modules_match(&self.first, found) };
        let Some((first, rest)) = found.split_at_checked(self.first.len()) else { return false };
        let end = rest.len().checked_sub(last.len()).and_then(|at| rest.get(at..));
        modules_match(&self.first, first) && end.is_some_and(|end| modules_match(last, end))
    }
}

impl AddressPattern {
    /// Whether the pattern matches a resource instance.
    ///
    /// ```
    /// use plantime_terraform::plan::{AddressPattern, Mode, Plan, example};
    /// use plantime_schema::ProviderSchemas;
    ///
    /// let plan = Plan::read(example::PLAN, &ProviderSchemas::new())?;
    /// let subnets: AddressPattern = "aws_subnet.main[*]".parse()?;
    /// let found = plan.resource_changes.iter().filter(|change| subnets.matches(change));
    /// assert!(found.count() > 1);
    /// assert_eq!((subnets.type_name(), subnets.mode(), subnets.as_str()), ("aws_subnet", Mode::Managed, "aws_subnet.main[*]"));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn matches(&self, change: &ResourceChange) -> bool {
        self.matches_type(change)
            && self.resource.as_ref().is_none_or(|wanted| {
                glob(&wanted.name, &change.name) && key_matches(wanted, change.index.as_ref())
            })
            && self.modules.as_ref().is_none_or(|wanted| {
                let modules = change.module_address.as_deref().map_or(Some(Vec::new()), parse_modules);
                modules.is_some_and(|modules| wanted.matches(&modules))
            })
    }

    /// Whether the pattern can match some resource of the same mode and type as this one. Names, keys and modules are
    /// not compared.
    pub(super) fn matches_type(&self, change: &ResourceChange) -> bool {
        self.mode == change.mode && glob(&self.type_name, &change.type_name)
    }

    /// Whether the pattern can match some resource of a type, whatever its mode.
    pub(super) fn matches_type_name(&self, type_name: &str) -> bool {
        glob(&self.type_name, type_name)
    }

    /// Whether the pattern matches an address in text form.
    ///
    /// ```
    /// use plantime_terraform::plan::AddressPattern;
    ///
    /// let pattern: AddressPattern = "module.net[*].aws_vpc.*".parse()?;
    /// assert!(pattern.matches_address("module.net[0].aws_vpc.main"));
    /// assert!(!pattern.matches_address("aws_vpc.main"));
    /// // A type alone stands for all its resources in all modules.
    /// assert!("aws_vpc".parse::<AddressPattern>()?.matches_address("module.net[0].aws_vpc.main"));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn matches_address(&self, address: &str) -> bool {
        let Ok(segments) = split_segments(address) else { return false };
        let Some((found, key)) = split_address(segments) else { return false };
        let instance = key.map(|key| match key {
            Key::Index(index) => Value::from(index),
            Key::Text(text) => Value::from(text),
            Key::Any => Value::dynamic(),
        });
        self.mode == found.mode
            && glob(&self.type_name, &found.type_name)
            && self.resource.as_ref().is_none_or(|wanted| {
                glob(&wanted.name, &found.name) && key_matches(wanted, instance.as_ref())
            })
            && self.modules.as_ref().is_none_or(|wanted| wanted.matches(&found.modules))
    }

    /// The resource type in the pattern, with its wildcards.
    ///
    /// [Example](AddressPattern::matches)
    pub fn type_name(&self) -> &str {
        &self.type_name
    }

    /// The mode of the resources that the pattern matches: managed or data.
    ///
    /// [Example](AddressPattern::matches)
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The pattern as it was written.
    ///
    /// [Example](AddressPattern::matches)
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

/// Whether module names and instance keys match those of a pattern: `*` in a name matches any text, no key matches
/// any key.
fn modules_match(wanted: &[Segment], found: &[Segment]) -> bool {
    wanted.len() == found.len()
        && wanted.iter().zip(found).all(|(wanted, found)| {
            let any = matches!(&wanted.key, None | Some(Key::Any));
            glob(&wanted.name, &found.name) && (any || wanted.key == found.key)
        })
}

/// Whether an instance key (`None` without `count` and `for_each`) matches that of a pattern; a pattern without a key
/// matches every instance.
fn key_matches(wanted: &Segment, found: Option<&Value>) -> bool {
    match &wanted.key {
        None | Some(Key::Any) => true,
        Some(Key::Index(index)) => found.is_some_and(|found| *found == Value::from(*index)),
        Some(Key::Text(text)) => found.is_some_and(|found| *found == Value::from(text)),
    }
}

/// Whether a text matches a pattern, in which `*` matches any text and nothing else is special.
pub(in crate::plan) fn glob(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        match rest.split_once(part) {
            Some((_, after)) => rest = after,
            None => return false,
        }
    }
    true
}

/// Writes the instance key with its brackets, as Terraform does.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Key::Any => f.write_str("[*]"),
            Key::Index(index) => write!(f, "[{index}]"),
            Key::Text(text) => f.write_str(&text_key(text)),
        }
    }
}

/// Parses a module address such as `module.a[0].module.b`; `None` if it is invalid.
pub(super) fn parse_modules(address: &str) -> Option<Vec<Segment>> {
    let mut segments = split_segments(address).ok()?.into_iter();
    let mut modules = Vec::new();
    while let Some(keyword) = segments.next() {
        if keyword.name != "module" || keyword.key.is_some() {
            return None;
        }
        modules.push(segments.next()?);
    }
    Some(modules)
}

/// Parses a resource address and drops its instance key; `None` if it is invalid.
pub(super) fn parse_address(text: &str) -> Option<Address> {
    split_address(split_segments(text).ok()?).map(|(address, _)| address)
}

/// Parses the address of a resource instance, with its instance key; `None` if it is invalid.
pub(super) fn parse_instance(text: &str) -> Option<(Address, Option<Key>)> {
    let is_whole = |segment: &Segment| segment.key != Some(Key::Any) && !segment.name.contains('*');
    split_segments(text).ok().filter(|segments| segments.iter().all(is_whole)).and_then(split_address)
}

/// Splits a name into the longest address that is one of a resource, and the path behind it: `aws_vpc.main` and `tags["a"]`.
pub(super) fn split_path(name: &str, is_address: impl Fn(&str) -> bool) -> Option<(&str, Path)> {
    let ends = name.match_indices(['.', '[']).map(|(at, _)| at).chain([name.len()]);
    ends.collect::<Vec<_>>().into_iter().rev().find_map(|end| {
        let (address, rest) = name.split_at_checked(end)?;
        let path = rest.strip_prefix('.').unwrap_or(rest);
        is_address(address).then(|| path.parse().ok().map(|path| (address, path))).flatten()
    })
}

/// Splits the segments of an address into the address of the resource and its instance key; `None` if they are no
/// resource address.
fn split_address(segments: Vec<Segment>) -> Option<(Address, Option<Key>)> {
    let mut segments = segments.into_iter().peekable();
    let modules = leading_modules(&mut segments)?;
    let mut first = segments.next()?;
    let mode = match first.name.as_str() {
        "data" => Mode::Data,
        "ephemeral" => Mode::Ephemeral,
        _ => Mode::Managed,
    };
    if mode != Mode::Managed {
        first = segments.next()?;
    }
    let resource = segments.next()?;
    if segments.next().is_some() || first.key.is_some() {
        return None;
    }
    Some((Address { modules, mode, type_name: first.name, name: resource.name }, resource.key))
}

/// Takes the leading `module.NAME` pairs off the segments and returns the names with their keys; `None` if a name is
/// missing.
fn leading_modules(segments: &mut std::iter::Peekable<std::vec::IntoIter<Segment>>) -> Option<Vec<Segment>> {
    let mut modules = Vec::new();
    while segments.next_if(|segment| segment.name == "module" && segment.key.is_none()).is_some() {
        modules.push(segments.next()?);
    }
    Some(modules)
}

/// What stands for any modules.
const ANY_MODULES: &str = "**";

/// Why `**` cannot stand where it does.
const MISPLACED: &str =
    "`**` stands for any modules, alone and in the place of `module.NAME`: module.net.**, **.aws_vpc.main";

/// Takes the leading `module.NAME` pairs and `**` off the segments of a pattern. `Err` says what is wrong.
fn module_pattern(
    segments: &mut std::iter::Peekable<std::vec::IntoIter<Segment>>,
) -> Result<ModulePattern, &'static str> {
    let modules = |segments: &mut _| {
        let modules = leading_modules(segments).ok_or("a module name is missing")?;
        let is_misplaced = modules.iter().any(|module| module.name.contains(ANY_MODULES));
        if is_misplaced { Err(MISPLACED) } else { Ok(modules) }
    };
    let first = modules(segments)?;
    if segments.next_if(|segment| segment.name == ANY_MODULES && segment.key.is_none()).is_none() {
        return Ok(ModulePattern { first, last: None });
    }
    Ok(ModulePattern { first, last: Some(modules(segments)?) })
}

/// Splits an address at its dots into names with their instance keys; an error if it is invalid.
fn split_segments(text: &str) -> Result<Vec<Segment>> {
    let mut cursor = Cursor::new(text);
    let mut segments = Vec::new();
    loop {
        segments.push(take_segment(&mut cursor).map_err(|why| invalid(text, &why))?);
        if !cursor.take('.') {
            break;
        }
    }
    match cursor.peek() {
        None => Ok(segments),
        Some(_) => Err(invalid(text, "a dot is missing after a key")),
    }
}

/// Reads a name with its instance key. `Err` says what is wrong.
pub(super) fn take_segment(cursor: &mut Cursor<'_>) -> Result<Segment, String> {
    let name = bare_name(cursor);
    if name.is_empty() {
        return Err("a name is missing".to_owned());
    }
    if let Some(odd) = name.chars().find(|c| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '*'))) {
        return Err(format!("{odd:?} cannot stand in a name"));
    }
    let key = match cursor.take('[') {
        false => None,
        true => Some(take_instance_key(cursor).ok_or_else(|| {
            "a key is [*], a whole number such as [0], or a quoted text such as [\"a\"]".to_owned()
        })?),
    };
    Ok(Segment { name: name.to_owned(), key })
}

/// Reads an instance key and its closing bracket; `None` if it is invalid.
fn take_instance_key(cursor: &mut Cursor<'_>) -> Option<Key> {
    let key = if cursor.take('*') {
        Key::Any
    } else if cursor.take('"') {
        let key = cursor.take_quoted()?;
        Key::Text(without_doubled_templates(key))
    } else {
        Key::Index(cursor.take_while(|c| c != ']').parse().ok()?)
    };
    cursor.take(']').then_some(key)
}

/// The error for a text that is no address pattern.
#[cold]
fn invalid(text: &str, why: &str) -> Error {
    Error::new(Kind::Syntax, format!("{text:?} is no resource address: {why}"))
}

impl FromStr for AddressPattern {
    type Err = Error;

    /// Reads the text form.
    ///
    /// # Errors
    ///
    /// When the text is no resource type and no address.
    fn from_str(text: &str) -> Result<AddressPattern> {
        let mut segments = split_segments(text)?.into_iter().peekable();
        let modules = module_pattern(&mut segments).map_err(|why| invalid(text, why))?;
        let mode =
            match segments.next_if(|s| matches!(s.name.as_str(), "data" | "ephemeral") && s.key.is_none()) {
                Some(keyword) if keyword.name == "data" => Mode::Data,
                Some(_) => Mode::Ephemeral,
                None => Mode::Managed,
            };
        let mut ty = segments.next();
        let resource = segments.next();
        // As `**` is everything managed, `data.**` is every data source.
        if let Some(ty) = &mut ty
            && mode == Mode::Data
            && ty.name == ANY_MODULES
            && ty.key.is_none()
            && resource.is_none()
        {
            ty.name = "*".to_owned();
        }
        if segments.next().is_some() {
            return Err(invalid(text, "there are more parts than a type and a name"));
        }
        if ty.iter().chain(&resource).any(|part| part.name.contains(ANY_MODULES)) {
            return Err(invalid(text, MISPLACED));
        }
        let type_name = match ty {
            Some(ty) if ty.key.is_some() => return Err(invalid(text, "a type has no key")),
            Some(ty) => ty.name,
            None if (modules.first.is_empty() && modules.last.is_none()) || mode != Mode::Managed => {
                return Err(invalid(text, "a resource type is missing"));
            }
            None => "*".to_owned(),
        };
        let anywhere = modules.first.is_empty() && modules.last.is_none() && resource.is_none();
        let modules = (!anywhere).then_some(modules);
        Ok(AddressPattern { text: text.to_owned(), modules, mode, type_name, resource })
    }
}

impl fmt::Display for AddressPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
