//! Which resources name which: `referrers` and `referents`.
//!
//! | the value of R at PATH | names ENTRY |
//! |---|---|
//! | null, or absent; or R is ENTRY itself | no |
//! | the configuration refers to ENTRY there, in a text too | yes |
//! | a copy of an attribute of ENTRY | yes |
//! | known, and equal to an attribute that identifies ENTRY | yes |
//! | known, and equal to none | no |
//! | unknown, of another declared instance of the type of ENTRY | no: instances have different ids |
//! | unknown otherwise | maybe |

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use super::facts::{Entry, List, PlanFacts};
use crate::plan::References;
use crate::plan::address::{parse_address, split_path};
use plantime::rule::{How, PathExpr};
use plantime::unstable::rule::path_by_keys;
use plantime::{Path, Step, Value, View};
use plantime_hcl::unstable::Members;

/// The attributes that identify a resource, beside that of the name at the end of a path.
const IDENTIFIERS: [&str; 6] = ["id", "arn", "name", "self_link", "invoke_arn", "key_id"];

/// A resource in the configuration: its address without the keys of instances.
type Declared = String;

/// What the value of a resource at a path names.
#[derive(Clone, Debug, Default)]
struct Named {
    /// Instances, by their addresses.
    instances: BTreeSet<String>,
    /// Resources in the configuration of which an instance is named, not known which; or their only one.
    declared: BTreeSet<Declared>,
    /// Known values.
    values: BTreeSet<String>,
    /// Whether an unknown value may name more than these.
    is_open: bool,
    /// The types of declared instances that unknown values come from: other instances of these types are not named.
    types: BTreeSet<String>,
}

/// The relations between the resources of a plan.
pub(super) struct Relations {
    references: Arc<References>,
    /// The positions of the instances of each resource of the configuration.
    instances: HashMap<Declared, Vec<usize>>,
    /// By the patterns and the path: who names what.
    indexes: Mutex<HashMap<Asked, Arc<Index>>>,
    /// The type of each resource.
    types: Vec<Option<String>>,
    /// The positions of the resources that patterns match.
    listed: Mutex<HashMap<Vec<String>, Arc<BTreeSet<usize>>>>,
    /// Who has an identifying attribute of this value, by the name of the attribute.
    identified: Mutex<HashMap<String, Arc<Identified>>>,
}

/// Patterns and a path.
type Asked = (Vec<String>, String);

/// The positions of the resources whose attribute has a value, by the value.
type Identified = HashMap<String, Vec<usize>>;

/// Who names what at a path, among the resources of a list.
#[derive(Default)]
struct Index {
    instances: HashMap<String, Vec<usize>>,
    declared: HashMap<Declared, Vec<usize>>,
    values: HashMap<String, Vec<usize>>,
    /// Those that may name more, with the types whose other instances they do not name.
    open: Vec<(usize, BTreeSet<String>)>,
}

/// The address without the keys of instances, and the type.
fn declared(address: &str) -> Option<(Declared, String)> {
    let address = parse_address(address)?;
    let modules: String = address.modules.iter().map(|module| format!("module.{}.", module.name)).collect();
    let place = format!("{modules}{}{}.{}", address.mode.prefix(), address.type_name, address.name);
    let type_name = format!("{}{}", address.mode.prefix(), address.type_name);
    Some((place, type_name))
}

impl Relations {
    pub(super) fn new(references: Arc<References>, entries: &[Entry]) -> Relations {
        let (mut instances, mut types): (HashMap<Declared, Vec<usize>>, Vec<_>) = Default::default();
        for (at, entry) in entries.iter().enumerate() {
            let (place, type_name) = declared(&entry.change.address).unzip();
            if let Some(place) = place {
                instances.entry(place).or_default().push(at);
            }
            types.push(type_name);
        }
        Relations {
            references,
            instances,
            types,
            indexes: Mutex::default(),
            listed: Mutex::default(),
            identified: Mutex::default(),
        }
    }
}

impl Relations {
    /// What the configuration refers to.
    pub(super) fn references(&self) -> &References {
        &self.references
    }

    /// The relations of the same resources with other values.
    pub(super) fn for_entries(&self, entries: &[Entry]) -> Relations {
        Relations::new(Arc::clone(&self.references), entries)
    }
}

impl PlanFacts {
    /// The entries of a list that name an entry.
    pub(super) fn referrers(
        &self,
        entry: &Value,
        patterns: &[String],
        path: Option<&str>,
    ) -> Result<Arc<Members>, String> {
        let (address, values) = identity_of(entry)?;
        let index = self.index_of(patterns, path)?;
        let (place, type_name) = declared(&address).unwrap_or_default();
        let (mut certain, mut maybe) = (BTreeSet::new(), BTreeSet::new());
        certain.extend(index.instances.get(&address).into_iter().flatten());
        if let Some(found) = index.declared.get(&place) {
            let is_only = self.relations.instances.get(&place).is_none_or(|all| all.len() == 1);
            if is_only && !self.is_open() { certain.extend(found) } else { maybe.extend(found) }
        }
        let last = path.map(last_name);
        for value in identifying_values(&values, last.as_deref()) {
            certain.extend(index.values.get(&value).into_iter().flatten());
        }
        maybe.extend(index.open.iter().filter(|(_, types)| !types.contains(&type_name)).map(|(at, _)| at));
        let itself = self.position(&address);
        certain.retain(|at| Some(*at) != itself);
        maybe.retain(|at| Some(*at) != itself);
        Ok(Arc::new(self.members_of(&certain, &maybe)))
    }

    /// The entries of a list that an entry names.
    pub(super) fn referents(
        &self,
        entry: &Value,
        patterns: &[String],
        path: Option<&str>,
    ) -> Result<Arc<Members>, String> {
        let (address, values) = identity_of(entry)?;
        let listed = self.listed(patterns)?;
        let named = self.named_by(&address, &values, path)?;
        let (mut certain, mut maybe) = (BTreeSet::new(), BTreeSet::new());
        certain.extend(named.instances.iter().filter_map(|address| self.position(address)));
        for place in &named.declared {
            match self.relations.instances.get(place).map(Vec::as_slice) {
                Some([only]) if !self.is_open() => drop(certain.insert(*only)),
                Some(several) => maybe.extend(several.iter().copied()),
                None => {}
            }
        }
        let last = path.map(last_name);
        for name in IDENTIFIERS.into_iter().chain(last.as_deref()) {
            let identified = self.identified_by(name);
            for value in &named.values {
                certain.extend(identified.get(value).into_iter().flatten());
            }
        }
        if named.is_open {
            let is_of = |at: &&usize| {
                let type_name = self.relations.types.get(**at).and_then(Option::as_ref);
                type_name.is_some_and(|type_name| named.types.contains(type_name))
            };
            maybe.extend(listed.iter().filter(|at| !is_of(at)));
        }
        let itself = self.position(&address);
        let is_other = |at: &usize| listed.contains(at) && Some(*at) != itself;
        certain.retain(is_other);
        maybe.retain(is_other);
        Ok(Arc::new(self.members_of(&certain, &maybe)))
    }

    /// The positions of the resources that patterns match.
    fn listed(&self, patterns: &[String]) -> Result<Arc<BTreeSet<usize>>, String> {
        let lock = || self.relations.listed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(patterns) {
            return Ok(Arc::clone(known));
        }
        let found: BTreeSet<usize> = self.positions(List::Resources, patterns)?.into_iter().collect();
        let found = Arc::new(found);
        lock().insert(patterns.to_vec(), Arc::clone(&found));
        Ok(found)
    }

    /// The members at these positions, in the order of the plan.
    fn members_of(&self, certain: &BTreeSet<usize>, maybe: &BTreeSet<usize>) -> Members {
        let all = certain.union(maybe);
        let items = all.filter_map(|at| self.member(List::Resources, *at, certain.contains(at)));
        self.with_open_end(Members::new(items.collect()))
    }

    /// The index of who names what.
    fn index_of(&self, patterns: &[String], path: Option<&str>) -> Result<Arc<Index>, String> {
        let key = (patterns.to_vec(), path.unwrap_or_default().to_owned());
        let lock = || self.relations.indexes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(&key) {
            return Ok(Arc::clone(known));
        }
        let mut index = Index::default();
        for at in self.positions(List::Resources, patterns)? {
            let Some(entry) = self.resources.get(at) else { continue };
            let values = entry.value.get_attr("values").unwrap_or_else(|_| Value::dynamic());
            let named = self.named_by(&entry.change.address, &values, path)?;
            for address in named.instances {
                index.instances.entry(address).or_default().push(at);
            }
            for place in named.declared {
                index.declared.entry(place).or_default().push(at);
            }
            for value in named.values {
                index.values.entry(value).or_default().push(at);
            }
            if named.is_open {
                index.open.push((at, named.types));
            }
        }
        let index = Arc::new(index);
        lock().insert(key, Arc::clone(&index));
        Ok(index)
    }

    /// Who has an attribute of a known value.
    fn identified_by(&self, name: &str) -> Arc<Identified> {
        let lock = || self.relations.identified.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(name) {
            return Arc::clone(known);
        }
        let mut found = Identified::new();
        for (at, entry) in self.resources.iter().enumerate() {
            let values = entry.value.get_attr("values").unwrap_or_else(|_| Value::dynamic());
            if let Some(text) = known_text(&attribute(&values, name)) {
                found.entry(text).or_default().push(at);
            }
        }
        let found = Arc::new(found);
        lock().insert(name.to_owned(), Arc::clone(&found));
        found
    }

    /// What a resource names at a path; without one, at any written argument.
    fn named_by(&self, address: &str, values: &Value, path: Option<&str>) -> Result<Named, String> {
        let mut named = Named::default();
        let bare = values.clone().unmark().0;
        let mut places: Vec<(Path, Value)> = Vec::new();
        match path {
            Some(text) => {
                let path: PathExpr =
                    text.parse().map_err(|error: plantime::Error| error.message().to_owned())?;
                let path = path_by_keys(&path, &bare.ty(), false);
                // What is not written may be there all the same.
                let is_unwritten = self.unwritten.contains(address);
                let found = match path.matches(&bare) {
                    Err(_) if is_unwritten => {
                        named.is_open = true;
                        Vec::new()
                    }
                    found => found.map_err(|misuse| misuse.message().to_owned())?,
                };
                for found in found {
                    match found.how {
                        How::Missing => named.is_open |= is_unwritten,
                        _ => places.push((found.path, found.value)),
                    }
                }
            }
            None => {
                if let View::Object(object) = bare.view() {
                    let attributes = object.iter().filter(|(name, _)| !IDENTIFIERS[..2].contains(name));
                    places.extend(attributes.map(|(name, value)| (Path::new().attr(name), value.clone())));
                }
            }
        }
        for (path, value) in places {
            self.add_named(address, &path, &value, &mut named);
        }
        Ok(named)
    }

    /// Adds what the value at a path names.
    fn add_named(&self, address: &str, path: &Path, value: &Value, named: &mut Named) {
        let bare = value.clone().unmark().0;
        if bare.is_certainly_null() {
            return;
        }
        let mut todo = vec![(path.clone(), bare)];
        let (mut has_unknown, mut has_origin) = (false, true);
        while let Some((path, value)) = todo.pop() {
            let value = value.unmark().0;
            if let Some(text) = known_text(&value) {
                named.values.insert(text);
                continue;
            }
            let children: Vec<(Step, Value)> = match value.view() {
                View::Object(object) => {
                    object.iter().map(|(name, part)| (Step::attr(name), part.clone())).collect()
                }
                View::Map(map) => map.iter().map(|(key, part)| (Step::attr(key), part.clone())).collect(),
                View::List(list) => {
                    list.iter().enumerate().map(|(at, part)| (Step::index(at), part.clone())).collect()
                }
                View::Tuple(tuple) => {
                    tuple.iter().enumerate().map(|(at, part)| (Step::index(at), part.clone())).collect()
                }
                View::Set(set) => set.iter().map(|part| (Step::Index(part.clone()), part.clone())).collect(),
                _ => Vec::new(),
            };
            if !children.is_empty() {
                todo.extend(children.into_iter().map(|(step, part)| {
                    let mut path = path.clone();
                    path.push(step);
                    (path, part)
                }));
                continue;
            }
            if value.is_wholly_known() {
                continue;
            }
            has_unknown = true;
            match self.copies_of(address, &path).last() {
                Some(origin) if origin.address != *address => {
                    let origin_address = origin.address.clone();
                    if let Some((_, type_name)) =
                        declared(&origin_address).filter(|_| self.position(&origin_address).is_some())
                    {
                        named.types.insert(type_name);
                        named.instances.insert(origin_address);
                    } else {
                        has_origin = false;
                    }
                }
                _ => has_origin = false,
            }
        }
        let mut all_declared = true;
        let references = self.relations.references.of(address, path);
        for reference in &references {
            let is_instance = |address: &str| self.position(address).is_some();
            if let Some((found, _)) = split_path(reference, is_instance) {
                if let Some((_, type_name)) = declared(found) {
                    named.types.insert(type_name);
                }
                named.instances.insert(found.to_owned());
                continue;
            }
            let is_resource = |address: &str| self.relations.instances.contains_key(address);
            match split_path(reference, is_resource) {
                Some((found, _)) => {
                    if let Some((place, type_name)) = declared(found) {
                        named.types.insert(type_name);
                        named.declared.insert(place);
                    }
                }
                None => all_declared = false,
            }
        }
        let decided = has_origin || (!references.is_empty() && all_declared);
        if has_unknown && !decided {
            named.types.clear();
        }
        named.is_open |= has_unknown;
    }
}

/// The address of an entry, and its values.
fn identity_of(entry: &Value) -> Result<(String, Value), String> {
    let bare = entry.clone().unmark().0;
    let address = bare.get_attr("address").ok().and_then(|address| address.as_str().ok().map(str::to_owned));
    let address =
        address.ok_or("the first argument is no entry, such as `subject` or an element of resources(…)")?;
    Ok((address, bare.get_attr("values").unwrap_or_else(|_| Value::dynamic())))
}

/// The attribute of an object, or null.
fn attribute(values: &Value, name: &str) -> Value {
    let null = || Value::null(plantime::Type::Dynamic);
    values.clone().unmark().0.get_attr(name).map_or_else(|_| null(), |value| value.unmark().0)
}

/// The text of a known string that is not empty.
fn known_text(value: &Value) -> Option<String> {
    value.as_str().ok().filter(|text| !text.is_empty()).map(str::to_owned)
}

/// The known values that identify a resource. `last` is the name at the end of the path that may hold one of them.
fn identifying_values(values: &Value, last: Option<&str>) -> BTreeSet<String> {
    let names = IDENTIFIERS.into_iter().chain(last);
    names.filter_map(|name| known_text(&attribute(values, name))).collect()
}

/// The last name of a path: `bucket` of `origin[*].bucket`.
fn last_name(path: &str) -> String {
    let name = path.rsplit(['.', ']']).find(|name| !name.is_empty()).unwrap_or_default();
    name.split('[').next().unwrap_or_default().to_owned()
}
